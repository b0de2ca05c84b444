-- Random trees and strings for the tests on a card: many small ones, some of them alike, and a few large ones.
CREATE EXTENSION ted;
SELECT setseed(0.5) \g /dev/null

CREATE FUNCTION random_document(nodes int, labels int) RETURNS tree LANGUAGE plpgsql AS $$
DECLARE
	document text := '{r';
	depth int := 1;
BEGIN
	FOR node IN 2 .. nodes LOOP
		WHILE depth > 1 AND random() < 0.45 LOOP
			document := document || '}';
			depth := depth - 1;
		END LOOP;
		document := document || '{' || (random() * labels)::int;
		depth := depth + 1;
	END LOOP;
	RETURN (document || repeat('}', depth))::tree;
END $$;

CREATE TABLE docs (id int PRIMARY KEY, doc tree);
INSERT INTO docs SELECT i, random_document(5 + i % 60, 3) FROM generate_series(1, 3000) i;
-- of few different trees, so that blocks of a join and what is looked up in them have most in common
CREATE TABLE copies WITH (parallel_workers = 3) AS
WITH pool AS MATERIALIZED (SELECT array_agg(random_document(16, 2)) AS docs FROM generate_series(1, 60))
SELECT i AS id, CASE WHEN i % 30 = 0 THEN random_document(16, 2) ELSE docs[1 + floor(random() * 60)::int] END AS doc
FROM pool, generate_series(1, 1000) i;
CREATE TABLE big (id int PRIMARY KEY, doc tree);
INSERT INTO big SELECT i, random_document(800, 20) FROM generate_series(1, 20) i;
CREATE TABLE larger (id int PRIMARY KEY, doc tree);
INSERT INTO larger SELECT i, random_document(2000, 20) FROM generate_series(1, 2) i;

CREATE FUNCTION random_text(characters int) RETURNS text LANGUAGE sql AS $$
	SELECT coalesce(string_agg(chr(97 + floor(random() * 26)::int), ''), '') FROM generate_series(1, characters)
$$;

CREATE TABLE texts AS SELECT i AS id, random_text(i % 71 * 20) AS text FROM generate_series(1, 1000) i;
CREATE TABLE patterns AS SELECT m, random_text(m) AS text
FROM unnest(ARRAY[1, 20, 32, 64, 100, 128, 129, 500, 1000, 3000, 5000]) m;
CREATE TABLE long AS SELECT m, random_text(m) AS text FROM unnest(ARRAY[1, 100, 2000, 20000, 70000]) m;
CREATE TABLE words WITH (parallel_workers = 3) AS
SELECT i AS id, substr(md5((i / 4)::text), 1, 9 + i % 5) || CASE WHEN i % 1000 = 0 THEN repeat('long', 20) ELSE '' END AS word
FROM generate_series(1, 20000) i;
ANALYZE words;
