-- The nearest strings, and the nearest documents with equal keys, by TedNearest

SET ted.explain_hardware = off;
SET enable_memoize = off;

-- keys of several types, with nulls; groups of one row, of a few and of many; strings of all types
CREATE TABLE near_rows AS
SELECT i AS id, CASE WHEN i % 11 > 0 THEN CASE WHEN i % 3 = 0 THEN 1 ELSE i % 97 END END AS g, CASE WHEN i % 13 > 0 THEN i % 7 END AS h,
	'k' || i % 5 AS word, (i % 6)::numeric AS n, ('k' || i % 4)::varchar AS v,
	CASE WHEN i % 29 > 0 THEN ('{r{title{t' || i % 40 || '}{word{' || left(md5((i % 30)::text), 3) || '}}}{author{a' || i % 13 || '}}' || CASE WHEN i % 4 = 0 THEN '{note{' || i % 70 || '}}' ELSE '' END || '}')::tree END AS doc,
	CASE WHEN i % 31 > 0 THEN left(md5((i % 60)::text), i % 25) || i % 9 END AS name
FROM generate_series(1, 900) i;
INSERT INTO near_rows (id, g, h, word, n, v, name)
SELECT 2000 + i, i % 5, 1, 'k1', 1, 'k1', s
FROM unnest(ARRAY['', 'a', 'Žluťoučký kůň', 'Zlutoucky kun', '日本語の文字列', '日本の文字', repeat('long ', 100), repeat('lang ', 101) || 'ž', repeat('x', 3000), repeat('xy', 1500), E'\U0001F600\U0001F601', E'\U0001F600']) WITH ORDINALITY u(s, i);
ALTER TABLE near_rows ADD bytes bytea, ADD words text[], ADD numbers int[], ADD big numeric[], ADD longs bigint[];
UPDATE near_rows SET bytes = convert_to(name, 'UTF8'), words = regexp_split_to_array(name, ''), numbers = ARRAY(SELECT ascii(c) FROM regexp_split_to_table(name, '') c WHERE c <> ''),
	big = CASE WHEN name IS NOT NULL THEN ARRAY(SELECT CASE WHEN id % 2 = 0 THEN ascii(c) ELSE ascii(c)::numeric(10, 2) END FROM regexp_split_to_table(name, '') c WHERE c <> '') END,
	longs = CASE WHEN name IS NOT NULL THEN ARRAY(SELECT ascii(c) FROM regexp_split_to_table(name, '') c WHERE c <> '') END;
CREATE TABLE near_queries AS SELECT id, g::bigint AS g, h::smallint AS h, upper(word) AS word, n::float8 AS n, v::text AS v, doc, name, bytes, words, numbers, big, longs FROM near_rows WHERE id % 9 = 4 OR id > 2000;
INSERT INTO near_queries (id, g, h, word, n, v, doc, name, bytes, words, numbers, big, longs) VALUES
	(5001, 77777, 1, 'K1', 1, 'k1', '{far{away}}', 'nowhere', 'nowhere', '{no,where}', '{1,2}', '{1,2}', '{1,2}'),
	(5002, NULL, 2, 'K2', 2, 'k2', '{r}', 'null', 'null', '{n}', '{3}', '{3}', '{3}'),
	(5003, 1, 2, 'K2', 2, 'k2', NULL, NULL, NULL, NULL, NULL, NULL, NULL);
CREATE TABLE near_nothing (LIKE near_rows);
VACUUM ANALYZE near_rows, near_queries, near_nothing;

-- Runs a query with TedNearest, in much and in little memory, and without it; neither says which of
-- several rows at the same distance comes.
CREATE FUNCTION same_groups(query text, OUT planned boolean, OUT grouped boolean, OUT rows bigint, OUT same boolean) AS $$
DECLARE
	gathered text := 'SELECT count(*), string_agg(q::text, '' '' ORDER BY q::text) FROM (' || query || ') q';
	line text;
	own_rows text;
	setting text;
	little bigint;
	little_rows text;
	other bigint;
	other_rows text;
BEGIN
	planned := false;
	grouped := false;
	FOR line IN EXECUTE 'EXPLAIN ' || query LOOP
		planned := planned OR line LIKE '%Custom Scan (TedNearest)%';
		grouped := grouped OR line LIKE '%Groups: %';
	END LOOP;
	EXECUTE gathered INTO rows, own_rows;
	SET LOCAL ted.enable_nearest = off;
	EXECUTE gathered INTO other, other_rows;
	SET LOCAL ted.enable_nearest = on;
	same := rows = other AND own_rows IS NOT DISTINCT FROM other_rows;
	FOREACH setting IN ARRAY ARRAY['192kB', '64kB', '4MB'] LOOP
		PERFORM set_config('work_mem', setting, true), set_config('hash_mem_multiplier', '1', true);
		EXECUTE gathered INTO little, little_rows;
		same := same AND little = other AND little_rows IS NOT DISTINCT FROM other_rows;
	END LOOP;
END $$ LANGUAGE plpgsql;

-- trees and strings in groups
SELECT t.i, s.*
FROM unnest(ARRAY[
  'SELECT q.id, n.* FROM near_queries q, LATERAL (SELECT d.doc <-> q.doc AS x FROM near_rows d WHERE d.g = q.g ORDER BY d.doc <-> q.doc LIMIT 1) n',
  'SELECT q.id, n.* FROM near_queries q, LATERAL (SELECT d.doc <%> q.doc AS x, d.g FROM near_rows d WHERE q.g = d.g ORDER BY d.doc <%> q.doc LIMIT 30) n',
  'SELECT q.id, n.* FROM near_queries q, LATERAL (SELECT d.doc <=> q.doc AS x, d.g, d.h FROM near_rows d WHERE q.g = d.g AND d.h = q.h ORDER BY d.doc <=> q.doc LIMIT 3) n',
  'SELECT q.id, n.* FROM near_queries q, LATERAL (SELECT d.doc <-> q.doc AS x, d.id FROM near_rows d WHERE d.h = q.h AND d.id <> q.id ORDER BY d.doc <-> q.doc, d.id LIMIT 4) n',
  'SELECT q.id, n.* FROM near_queries q, LATERAL (SELECT tree_similarity(d.doc, q.doc) AS x FROM near_rows d WHERE d.g + 1 = q.g + 1 AND upper(d.word) = q.word ORDER BY 1 DESC NULLS LAST LIMIT 3) n',
  'SELECT q.id, n.* FROM near_queries q, LATERAL (SELECT d.doc <-> q.doc AS x FROM near_rows d WHERE d.n::float8 = q.n AND d.v = q.v ORDER BY 1 OFFSET 2 LIMIT 3) n',
  'SELECT q.id, n.* FROM near_queries q, LATERAL (SELECT d.doc <-> q.doc AS x FROM near_rows d WHERE d.h = q.h ORDER BY 1 FETCH FIRST 2 ROWS WITH TIES) n',
  'SELECT q.id, n.* FROM near_queries q LEFT JOIN LATERAL (SELECT d.doc <-> q.doc AS x FROM near_rows d WHERE d.g = q.g ORDER BY 1 LIMIT 1) n ON true',
  'SELECT q.id, n.* FROM near_queries q LEFT JOIN LATERAL (SELECT d.doc <-> q.doc AS x FROM near_rows d WHERE d.g = q.g ORDER BY 1 LIMIT 2) n ON n.x < 3',
  'SELECT q.id, (SELECT tree_edit_distance(d.doc, q.doc) FROM near_rows d WHERE d.g = q.g AND d.id <> q.id ORDER BY d.doc <-> q.doc LIMIT 1) FROM near_queries q',
  'SELECT q.id, n.* FROM near_queries q, LATERAL (SELECT tree_edit_distance(d.doc, q.doc, ''{"rename": 0.5, "insert": 2}'') AS x FROM near_rows d WHERE d.h = q.h AND d.doc IS NOT NULL ORDER BY 1 LIMIT 3) n',
  'SELECT q.id, n.* FROM near_queries q, LATERAL (SELECT tree_similarity(d.doc, q.doc, (SELECT ''{"rename": 0.5}''::tree_costs WHERE q.id % 5 > 0)) AS x FROM near_rows d WHERE d.h = q.h ORDER BY 1 DESC NULLS LAST LIMIT 3) n',
  'SELECT q.id, n.* FROM near_queries q, LATERAL (SELECT d.doc <-> q.doc AS x FROM near_nothing d WHERE d.g = q.g ORDER BY 1 LIMIT 1) n',
  'SELECT q.id, n.* FROM near_queries q, LATERAL (SELECT d.name <%> q.name AS x FROM near_rows d WHERE d.g = q.g ORDER BY d.name <%> q.name LIMIT 1) n',
  'SELECT q.id, n.* FROM near_queries q, LATERAL (SELECT d.name <~> q.name AS x, d.name <%> q.name IS NULL FROM near_rows d WHERE d.g = q.g AND d.h = q.h ORDER BY q.name <~> d.name LIMIT 20) n',
  'SELECT q.id, n.* FROM near_queries q, LATERAL (SELECT lcs_distance(q.name, d.name) AS x, d.id FROM near_rows d WHERE d.h = q.h ORDER BY 1, d.id LIMIT 5) n',
  'SELECT q.id, n.* FROM near_queries q, LATERAL (SELECT lcs_similarity(q.name, d.name) AS x, d.id, lcs_length(d.name, q.name) FROM near_rows d WHERE d.h = q.h ORDER BY 1 DESC NULLS LAST, d.id LIMIT 5) n',
  'SELECT q.id, n.* FROM near_queries q, LATERAL (SELECT d.name <%> q.name AS x, d.id FROM near_rows d WHERE d.word = lower(q.word) AND d.v = q.v ORDER BY 1, 2 LIMIT 400) n',
  'SELECT q.id, n.* FROM near_queries q, LATERAL (SELECT d.name <%> q.name AS x FROM near_rows d WHERE d.n = q.n::numeric AND d.id % 50 = q.id % 50 ORDER BY 1 LIMIT 2) n',
  'SELECT q.id, n.* FROM near_queries q, LATERAL (SELECT d.v <%> q.v AS x FROM near_rows d WHERE d.h = q.h ORDER BY 1 LIMIT 70) n',
  'SELECT q.id, n.* FROM near_queries q, LATERAL (SELECT lower(d.name) <~> lower(q.name) AS x FROM near_rows d WHERE d.h = q.h ORDER BY 1 FETCH FIRST 3 ROWS WITH TIES) n',
  'SELECT q.id, n.* FROM near_queries q LEFT JOIN LATERAL (SELECT d.name <%> q.name AS x FROM near_rows d WHERE d.g = q.g AND d.h = q.h AND d.id <> q.id ORDER BY 1 LIMIT 1) n ON true',
  'SELECT q.id, (SELECT d.name <%> q.name FROM near_rows d WHERE d.g = q.g AND d.id <> q.id ORDER BY d.name <%> q.name LIMIT 1) FROM near_queries q',
  'SELECT a.id, n.* FROM near_queries a, LATERAL (SELECT b.id, m.x FROM near_queries b, LATERAL (SELECT d.name <%> b.name AS x FROM near_rows d WHERE d.h = a.h AND d.word = lower(b.word) ORDER BY 1 LIMIT 1) m WHERE b.id < 200) n WHERE a.id < 60',
  'SELECT q.id, n.* FROM near_queries q, LATERAL (SELECT d.name <%> q.name AS x FROM near_nothing d WHERE d.g = q.g ORDER BY 1 LIMIT 1) n'
]) WITH ORDINALITY AS t(query, i), same_groups(t.query) s
ORDER BY t.i;

-- strings of each type, without groups and with them
SELECT t.column, u.i, s.*
FROM unnest(ARRAY['name', 'bytes', 'words', 'numbers', 'big', 'longs']) WITH ORDINALITY AS t("column", j),
	unnest(ARRAY[
  'SELECT q.id, n.* FROM near_queries q, LATERAL (SELECT d.COL <~> q.COL AS x FROM near_rows d ORDER BY d.COL <~> q.COL LIMIT 1) n',
  'SELECT q.id, n.* FROM near_queries q, LATERAL (SELECT d.COL <%> q.COL AS x, d.id FROM near_rows d WHERE d.id <> q.id ORDER BY q.COL <%> d.COL, d.id LIMIT 3) n',
  'SELECT q.id, n.* FROM near_queries q, LATERAL (SELECT lcs_similarity(d.COL, q.COL) AS x FROM near_rows d WHERE d.id <> q.id AND d.h = q.h ORDER BY 1 DESC NULLS LAST LIMIT 2) n',
  'SELECT q.id, n.* FROM near_queries q, LATERAL (SELECT lcs_distance(d.COL, q.COL) AS x, d.id, d.COL FROM near_rows d WHERE d.h = q.h ORDER BY 1, d.id LIMIT 1000) n'
]) WITH ORDINALITY AS u(query, i), same_groups(replace(u.query, 'COL', t.column)) s
ORDER BY t.j, u.i;

-- many strings, so that there are several blocks and batches
SET enable_sort = off;
CREATE TABLE near_many AS
SELECT i AS id, i % 3 AS g, CASE WHEN i % 100 > 0 THEN left(md5((i % 4000)::text) || md5(i::text), 3 + (i * 7) % 60) END AS name FROM generate_series(1, 9000) i;
ANALYZE near_many;
SELECT t.i, s.*
FROM unnest(ARRAY[
  'SELECT q.id, n.* FROM near_queries q, LATERAL (SELECT d.name <%> q.name AS x FROM near_many d ORDER BY 1 LIMIT 10) n WHERE q.id < 200',
  'SELECT q.id, n.* FROM near_queries q, LATERAL (SELECT d.name <~> q.name AS x, d.id FROM near_many d WHERE d.g = q.h ORDER BY 1, d.id LIMIT 10) n',
  'SELECT q.id, n.* FROM near_queries q, LATERAL (SELECT d.name <~> q.name AS x FROM near_many d WHERE d.g = q.h AND d.id % 701 = q.id % 701 ORDER BY 1 LIMIT 2) n',
  'SELECT q.id, n.* FROM near_queries q, LATERAL (SELECT d.name <~> q.name AS x, d.id FROM near_many d WHERE d.g = q.h AND d.id > q.id ORDER BY 1, d.id OFFSET 2500 LIMIT 3000) n WHERE q.id IN (4, 13, 22, 5001, 5003)',
  'SELECT q.id, count(*), sum(n.x), count(n.x) FROM near_queries q, LATERAL (SELECT d.name <~> q.name AS x FROM near_many d WHERE d.g = q.h ORDER BY 1 LIMIT 5000) n WHERE q.id IN (4, 13, 22, 5001, 5003) GROUP BY q.id'
]) WITH ORDINALITY AS t(query, i), same_groups(t.query) s
ORDER BY t.i;
-- rows of equal strings, and the order of all rows
SELECT count(*), count(DISTINCT id), bool_and(x >= before) AS ordered
FROM (SELECT id, x, lag(x, 1, 0) OVER () AS before FROM (SELECT d.id, d.name <~> q.name AS x FROM near_queries q, LATERAL (SELECT * FROM near_many d ORDER BY d.name <~> q.name LIMIT 20000) d WHERE q.id = 13) o) b;

RESET enable_sort;

-- what TedNearest does not order
SELECT t.i, s.*
FROM unnest(ARRAY[
  'SELECT q.id, n.* FROM near_queries q, LATERAL (SELECT d.name <%> q.name AS x FROM near_rows d WHERE d.g = q.g ORDER BY 1 DESC LIMIT 1) n',
  'SELECT q.id, n.* FROM near_queries q, LATERAL (SELECT d.name <%> q.name AS x FROM near_rows d WHERE d.g = q.g ORDER BY 1 NULLS FIRST LIMIT 1) n',
  'SELECT q.id, n.* FROM near_queries q, LATERAL (SELECT lcs_length(d.name, q.name) AS x FROM near_rows d WHERE d.g = q.g ORDER BY 1 DESC NULLS LAST LIMIT 1) n',
  'SELECT q.id, n.* FROM near_queries q, LATERAL (SELECT d.name <%> (q.name || d.v) AS x FROM near_rows d WHERE d.g = q.g ORDER BY 1 LIMIT 1) n',
  'SELECT q.id, n.* FROM near_queries q, LATERAL (SELECT d.name <%> q.name AS x FROM near_rows d WHERE d.g = q.g ORDER BY d.name <%> q.name LIMIT 1 FOR UPDATE) n'
]) WITH ORDINALITY AS t(query, i), same_groups(t.query) s
ORDER BY t.i;
-- equalities that do not divide rows: of no column, of two rows, volatile, of types without hashes
SELECT t.i, s.*
FROM unnest(ARRAY[
  'SELECT q.id, n.* FROM near_queries q, LATERAL (SELECT d.name <%> q.name AS x FROM near_rows d WHERE q.g = 1 ORDER BY 1 LIMIT 1) n',
  'SELECT q.id, n.* FROM near_queries q, LATERAL (SELECT d.name <%> q.name AS x FROM near_rows d WHERE d.g + q.h = 2 ORDER BY 1 LIMIT 1) n',
  'SELECT q.id, n.* FROM near_queries q, LATERAL (SELECT d.name <%> q.name AS x FROM near_rows d WHERE d.g::text::tsvector = q.g::text::tsvector ORDER BY 1 LIMIT 1) n',
  'SELECT q.id, n.* FROM near_queries q, LATERAL (SELECT d.name <%> q.name AS x FROM near_rows d WHERE d.g = 1 ORDER BY 1 LIMIT 1) n'
]) WITH ORDINALITY AS t(query, i), same_groups(t.query) s
ORDER BY t.i;

-- keys that are equal without the same bytes: of types, and by a collation where PostgreSQL has ICU
SELECT s.* FROM same_groups('SELECT q.id, n.* FROM near_queries q, LATERAL (SELECT d.name <%> q.name AS x FROM near_rows d WHERE d.n = q.n::numeric(10, 3) ORDER BY 1 LIMIT 2) n') s;
SELECT s.* FROM same_groups('SELECT q.id, n.* FROM near_queries q, LATERAL (SELECT d.name <%> q.name AS x FROM near_rows d WHERE ARRAY[d.g, d.h] = ARRAY[q.g, q.h]::int[] AND ROW(d.h, d.word) = ROW(q.h, lower(q.word)) ORDER BY 1 LIMIT 2) n') s;
SELECT count(*) > 0 AS icu FROM pg_collation WHERE collprovider = 'i' \gset
\if :icu
CREATE COLLATION near_caseless (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
SELECT s.* FROM same_groups('SELECT q.id, n.* FROM near_queries q, LATERAL (SELECT d.name <%> q.name AS x FROM near_rows d WHERE d.word = q.word COLLATE near_caseless ORDER BY 1 LIMIT 2) n') s;
SELECT s.* FROM same_groups('SELECT q.id, n.* FROM near_queries q, LATERAL (SELECT d.words <%> (upper(q.words::text)::text[] COLLATE near_caseless) AS x FROM near_rows d WHERE d.word = q.word COLLATE near_caseless ORDER BY 1 LIMIT 2) n') s;
DROP COLLATION near_caseless;
\else
SELECT true AS planned, true AS grouped, 230 AS rows, true AS same;
SELECT true AS planned, true AS grouped, 230 AS rows, true AS same;
\endif

-- plans, with and without statistics
EXPLAIN (COSTS OFF)
SELECT q.id, n.* FROM near_queries q, LATERAL (SELECT d.id, d.name <%> q.name FROM near_rows d WHERE d.h = q.h AND upper(d.word) = q.word AND d.id <> q.id AND d.id > 3 ORDER BY d.name <%> q.name LIMIT 1) n;
SELECT explain('SELECT q.id, n.* FROM near_queries q, LATERAL (SELECT d.id, d.name <%> q.name FROM near_rows d WHERE d.g = q.g AND length(d.name) = 8 ORDER BY d.name <%> q.name LIMIT 1) n', 'ANALYZE');
SELECT explain('SELECT q.id, n.* FROM near_queries q, LATERAL (SELECT d.id, d.doc <-> q.doc FROM near_rows d WHERE d.g = q.g AND d.id <> q.id ORDER BY d.doc <-> q.doc LIMIT 1) n', 'ANALYZE');
CREATE TABLE near_cities AS SELECT i AS id, 'c' || i % 200 AS country, md5((i / 3)::text) || i % 3 AS name FROM generate_series(1, 20000) i;
CREATE TABLE near_spots AS SELECT i AS id, 'c' || i % 200 AS country, md5((i * 7)::text) || 'x' AS name FROM generate_series(1, 418) i;
ALTER TABLE near_cities SET (autovacuum_enabled = off);
ALTER TABLE near_spots SET (autovacuum_enabled = off);
EXPLAIN (COSTS OFF)
SELECT s.id, n.* FROM near_spots s, LATERAL (SELECT name FROM near_cities c WHERE c.country = s.country ORDER BY c.name <%> s.name LIMIT 1) n;
ANALYZE near_cities, near_spots;
EXPLAIN (COSTS OFF)
SELECT s.id, n.* FROM near_spots s, LATERAL (SELECT name FROM near_cities c WHERE c.country = s.country ORDER BY c.name <%> s.name LIMIT 1) n;
-- one search does not sort the rows first
EXPLAIN (COSTS OFF) SELECT name FROM near_cities ORDER BY name <%> 'x' LIMIT 1;
DROP TABLE near_cities, near_spots;

-- a cursor goes on and back, also after a subtransaction has ended
BEGIN;
SET LOCAL work_mem = '64kB';
SET LOCAL enable_seqscan = off;
SET LOCAL enable_sort = off;
SAVEPOINT s;
DECLARE c SCROLL CURSOR FOR SELECT q.id, n.x FROM (SELECT * FROM near_queries WHERE id < 20) q, LATERAL (SELECT d.name <~> ('d41d8' || q.word) AS x FROM near_many d ORDER BY 1 LIMIT 8500) n;
FETCH 2 FROM c;
RELEASE s;
FETCH 3 FROM c;
FETCH BACKWARD 2 FROM c;
FETCH RELATIVE 8000 FROM c;
FETCH LAST FROM c;
COMMIT;

-- prepared, with any parameter
PREPARE nearest_name(text, int) AS SELECT q.id, n.x FROM near_queries q, LATERAL (SELECT d.name <~> ($1 || q.word) AS x FROM near_rows d WHERE d.g = q.g AND d.h = $2 ORDER BY 1 LIMIT 1) n WHERE q.id < 50 ORDER BY 1;
SET plan_cache_mode = force_generic_plan;
EXECUTE nearest_name('d3', 1);
EXECUTE nearest_name(NULL, 1);
EXECUTE nearest_name('d3', NULL);
RESET plan_cache_mode;

-- an array that has a NULL
UPDATE near_rows SET words[1] = NULL WHERE id = 400;
SELECT q.id, n.* FROM near_queries q, LATERAL (SELECT d.words <%> q.words AS x FROM near_rows d WHERE d.h = q.h ORDER BY 1 LIMIT 1) n;

-- rows of which a policy hides some: with a condition that depends on the outer row, they are not kept
CREATE ROLE ted_near_user;
GRANT SELECT ON near_rows, near_queries TO ted_near_user;
ALTER TABLE near_rows ENABLE ROW LEVEL SECURITY;
CREATE POLICY few ON near_rows FOR SELECT USING (id % 2 = 0);
SET ROLE ted_near_user;
SELECT s.* FROM same_groups('SELECT q.id, n.* FROM near_queries q, LATERAL (SELECT d.name <%> q.name AS x FROM near_rows d ORDER BY 1 LIMIT 1) n') s;
SELECT s.* FROM same_groups('SELECT q.id, n.* FROM near_queries q, LATERAL (SELECT d.name <%> q.name AS x FROM near_rows d WHERE d.g = q.g ORDER BY 1 LIMIT 1) n') s;
RESET ROLE;
ALTER TABLE near_rows DISABLE ROW LEVEL SECURITY;
CREATE VIEW near_barrier WITH (security_barrier) AS SELECT * FROM near_rows WHERE id % 3 > 0;
SELECT s.* FROM same_groups('SELECT q.id, n.* FROM near_queries q, LATERAL (SELECT d.name <%> q.name AS x FROM near_barrier d WHERE d.g = q.g ORDER BY 1 LIMIT 1) n') s;

-- the measure is a function like any other
REVOKE EXECUTE ON FUNCTION ted_dissimilarity(text, text) FROM public;
SET ROLE ted_near_user;
SELECT q.id, n.* FROM near_queries q, LATERAL (SELECT d.name FROM near_rows d WHERE d.g = q.g ORDER BY d.name <%> q.name LIMIT 1) n;
RESET ROLE;
GRANT EXECUTE ON FUNCTION ted_dissimilarity(text, text) TO public;

-- a string for which memory does not do
SET ted.max_memory = '1MB';
DO $$
BEGIN
	PERFORM n.x FROM near_queries q, LATERAL (SELECT d.name <%> (q.name || repeat('ab', 1000000)) AS x FROM near_rows d WHERE d.g = q.g ORDER BY 1 LIMIT 1) n;
EXCEPTION WHEN configuration_limit_exceeded THEN
	RAISE NOTICE '%', SQLERRM;
END $$;
RESET ted.max_memory;

DROP VIEW near_barrier;
DROP TABLE near_rows, near_queries, near_nothing, near_many;
DROP FUNCTION same_groups;
DROP ROLE ted_near_user;
