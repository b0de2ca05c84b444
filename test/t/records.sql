-- Records with authors and fields, most of them variants of some others, and a smaller table to join them with.
CREATE TABLE docs (id bigint PRIMARY KEY, doc tree);
INSERT INTO docs
SELECT i * 7 - 900,
       ('{record{@key{' || i % 60 || '}}' ||
        (SELECT string_agg('{author{' || i % 60 + j || '}}', '') FROM generate_series(1, 1 + i % 7) j) ||
        '{title{' || i % 60 || '}}{year{' || 1990 + i / 60 || '}}' ||
        repeat('{cite{' || i % 4 || '}}', i % 11 * (i % 3) / 2) || repeat('{note}', i % 60 / 20) || '}')::tree
FROM generate_series(1, 600) i;

CREATE TABLE queries AS SELECT id, doc FROM docs WHERE id % 40 = 0;
