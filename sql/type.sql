-- Input, output and limits of the tree type

SELECT '{a}'::tree, '{a{b}{c{d}}}'::tree, '{}'::tree, '{{}{}}'::tree;

-- escapes; white space belongs to labels, not around the tree
SELECT '{\{\}\\}'::tree, E'  { a  b {c }}\n'::tree, tree_label('{\{\}\\}');
SELECT tree_label(t, n), length(tree_label(t, n))
FROM (VALUES ('{ x{ y}{z }}'::tree)) v(t), generate_series(1, 3) n;

-- Unicode
\a
SELECT '{Zürich{東京}{🌳}}'::tree, tree_label('{Zürich{東京}{🌳}}', 3);
\a

-- malformed text
SELECT ''::tree;
SELECT '   '::tree;
SELECT 'a'::tree;
SELECT '{a'::tree;
SELECT '{a}}'::tree;
SELECT '}'::tree;
SELECT '{a}{b}'::tree;
SELECT '{a{b}c}'::tree;
SELECT '{a{b} {c}}'::tree;
SELECT '{a\b}'::tree;
SELECT '{a\'::tree;
SELECT '{東京{a}x}'::tree;

-- documents are not taken for trees
SELECT '{"code": "AD-02"}'::tree;
SELECT E' \n{ "name":"Ada","tags":{"x":[1,{},"}"]}} '::tree;
SELECT '<a/>'::tree;
SELECT ' [1]'::tree;
SELECT '"a"'::tree;

-- what is no JSON may look like it; a tree that would read as JSON has a backslash
SELECT '{"name":{"Ada"}}'::tree, '{"a"}'::tree, '{"a":1,}'::tree, '{"a": 01}'::tree, '{"a": [1}'::tree,
       '{"a":{}{}}'::tree, '{r{"a": 1}}'::tree;
SELECT t, t::text::tree = t AS same, tree_label(t)
FROM unnest(ARRAY['{\"code": "AD-02"}', '{ \"a":1, \"b":{\"c": \{\}}}', '{\"a"}', '{a\"}']::tree[]) t;
SELECT left(t::text, 15), t::text::tree = t AS same, tree_depth(t)
FROM (SELECT ('{\"a":' || repeat('{"a":', 100000) || '{}' || repeat('}', 100001))::tree t) deep;

-- a label of any length, up to the limit
SELECT tree_size(t), length(tree_label(t, 2))
FROM (SELECT ('{a{' || repeat('x', 1 << 24) || '}}')::tree AS t) s;
SELECT ('{a{' || repeat('x', (1 << 24) + 1) || '}}')::tree;

-- a path of a million nodes
CREATE TABLE deep AS SELECT (repeat('{a', 1000000) || repeat('}', 1000000))::tree AS t;
SELECT tree_size(t), tree_depth(t), length(t::text), t = t::text::tree, t < '{b}'::tree,
       tree_size(tree_subtree(t, 999999)), tree_label(t, 1000000)
FROM deep;
DROP TABLE deep;

-- more nodes than a tree can have
SELECT (repeat('{', 16777217) || repeat('}', 16777217))::tree;

-- binary: what is sent is received
CREATE TABLE trees (id int, t tree);
INSERT INTO trees VALUES
  (1, '{a}'), (2, '{a{a}}'), (3, '{a{b}{c}}'), (4, '{a{b{c}}}'), (5, '{}'), (6, NULL),
  (7, '{é{日本}}'), (8, ('{x' || repeat('{y}{z}', 500) || '}')::tree),
  (9, ('{x' || (SELECT string_agg('{' || i || '}', '') FROM generate_series(1, 300) i) || '}')::tree);
SELECT tree_send('{a{b}{a}}');
SELECT id, octet_length(tree_send(t)) AS stored, octet_length(t::text) AS text FROM trees ORDER BY id;

-- order and equality: label bytes and shape
SELECT t FROM trees WHERE id <= 5 ORDER BY t;
SELECT '{a{b}}'::tree = '{a{b}}'::tree AS eq, '{a{b}}'::tree <> '{a{c}}'::tree AS ne,
       '{a}'::tree < '{a{a}}'::tree AS lt, '{b}'::tree > '{a{z}}'::tree AS gt,
       '{a}'::tree <= '{a}'::tree AS le, '{a{}}'::tree >= '{a}'::tree AS ge,
       tree_cmp('{a}', '{b}') < 0 AS cmp;
SELECT count(DISTINCT t), count(*) FROM (SELECT t FROM trees UNION ALL SELECT t FROM trees) u;

-- the hash depends on neither platform nor stored form
SELECT tree_hash('{a}'), tree_hash('{a{b}}'), tree_hash('{b{a}}'), tree_hash('{}'),
       tree_hash('{a}', 0) & x'ffffffff'::bigint = tree_hash('{a}')::bigint & x'ffffffff'::bigint AS low_half,
       tree_hash('{a}', 1) <> tree_hash('{a}', 2) AS seeded;

-- indexes
CREATE UNIQUE INDEX trees_btree ON trees (t);
CREATE INDEX trees_hash ON trees USING hash (t);
INSERT INTO trees VALUES (10, '{a{b{c}}}');
SET enable_seqscan = off;
EXPLAIN (COSTS OFF) SELECT id FROM trees WHERE t = '{a{b{c}}}';
SELECT id FROM trees WHERE t = '{a{b{c}}}';
RESET enable_seqscan;
DROP TABLE trees;

-- untyped literals mean trees
SELECT tree_edit_distance('{a{b}}', '{a}'), '{a{b}}' <-> '{a}'::tree AS operator;

-- a text column converts like any type
SELECT doc::tree FROM (VALUES ('{a{b}}'::text)) v(doc);

-- a tree that is there already is refused, of whatever size
CREATE TABLE once (id int, doc tree, EXCLUDE USING hash (doc WITH =));
INSERT INTO once SELECT size, ('{r' || string_agg('{' || md5(i::text) || '}', '') || '}')::tree
FROM unnest('{3000,3001}'::int[]) size, generate_series(1, size) i GROUP BY size;
\set VERBOSITY terse
INSERT INTO once SELECT -id, doc FROM once;
INSERT INTO once VALUES (1, NULL), (2, NULL), (3, '{a}');
INSERT INTO once VALUES (4, '{a}') ON CONFLICT DO NOTHING;
UPDATE once SET doc = '{a}' WHERE id = 1;
\set VERBOSITY default
SELECT id FROM once ORDER BY id;
DROP TABLE once;

-- GiST serves for that, too, together with other columns
CREATE TABLE once (id int, during int4range, doc tree, EXCLUDE USING gist (during WITH &&, doc WITH =));
INSERT INTO once SELECT size, int4range(1, 5), ('{r' || string_agg('{' || md5(i::text) || '}', '') || '}')::tree
FROM unnest('{3000,3001}'::int[]) size, generate_series(1, size) i GROUP BY size;
INSERT INTO once SELECT i, int4range(i, i + 5), ('{a{' || i % 500 || '}}')::tree FROM generate_series(1, 2000) i;
\set VERBOSITY terse
\set SHOW_CONTEXT never
INSERT INTO once SELECT -id, int4range(4, 6), doc FROM once WHERE id > 2000;
INSERT INTO once SELECT -id, int4range(5, 6), doc FROM once WHERE id > 2000;
INSERT INTO once VALUES (1, '[1,9]', NULL), (2, '[1,9]', NULL), (3, NULL, '{a{5}}');
INSERT INTO once VALUES (4, '[9,9]', '{a{5}}') ON CONFLICT DO NOTHING;
UPDATE once SET doc = '{a{5}}' WHERE id = 6;
ALTER TABLE once ADD EXCLUDE USING gist (doc WITH =);
\set VERBOSITY default
CREATE INDEX once_doc ON once USING gist (doc);
SET enable_seqscan = off;
EXPLAIN (COSTS OFF) SELECT id FROM once WHERE doc = '{a{77}}';
SELECT array_agg(id ORDER BY id) FROM once WHERE doc = '{a{77}}';
SELECT array_agg(id ORDER BY id) FROM once WHERE doc = (SELECT doc FROM once WHERE id = 3001);
SELECT count(*), sum(equal) AS equal, count(*) FILTER (WHERE equal <> same_text) AS wrong
FROM once a, LATERAL (SELECT count(*) AS equal FROM once b WHERE b.doc = a.doc) e,
     LATERAL (SELECT count(*) AS same_text FROM once b WHERE b.doc::text = a.doc::text) t
WHERE a.id % 20 = 5;
RESET enable_seqscan;
DROP TABLE once;
