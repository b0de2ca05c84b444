-- Joins within groups: pairs whose rows have equal keys

SET ted.explain_hardware = off;
SET work_mem = '64kB';
SET hash_mem_multiplier = 1;
SET max_parallel_workers_per_gather = 0;

-- groups of no row, of one, of a few and of many; keys of several types, with nulls; equal documents in several groups
CREATE TABLE group_docs AS
SELECT i AS id, CASE WHEN i % 11 > 0 THEN CASE WHEN i % 3 = 0 THEN 1 ELSE i % 97 END END AS g, CASE WHEN i % 13 > 0 THEN i % 7 END AS h, ('k' || i % 5) AS word, (i % 6)::numeric AS n,
	CASE WHEN i % 29 > 0 THEN ('{r{title{t' || i % 40 || '}{word{' || left(md5((i % 30)::text), 3) || '}}}{author{a' || i % 13 || '}}' || CASE WHEN i % 4 = 0 THEN '{note{' || i % 70 || '}}' ELSE '' END || '}')::tree END AS doc,
	CASE WHEN i % 31 > 0 THEN left(md5((i % 60)::text), 12) || i % 9 END AS name, i % 3 AS k
FROM generate_series(1, 800) i;
CREATE TABLE group_others AS
SELECT id + 5000 AS id, (g + 1)::bigint AS g, h::smallint AS h, upper(word) AS word, n::float8 AS n, doc, name, k FROM group_docs WHERE id % 4 < 2;
INSERT INTO group_others SELECT id + 5000, g, h, word, n, doc, name, k FROM group_docs WHERE id % 4 = 2;
ANALYZE group_docs, group_others;

-- The number of rows of a query, and a sum of these.
CREATE FUNCTION rows_of(query text, OUT rows bigint, OUT sum text) AS $$
BEGIN
	EXECUTE 'SELECT count(*), md5(string_agg(q::text, '' '' ORDER BY q::text)) FROM (' || query || ') q' INTO rows, sum;
END $$ LANGUAGE plpgsql;

CREATE TABLE group_queries (q text);
INSERT INTO group_queries VALUES
  ('SELECT a.id, b.id, tree_edit_distance(a.doc, b.doc) FROM group_docs a JOIN group_docs b ON a.g = b.g AND tree_edit_distance(a.doc, b.doc) <= 2 AND a.id < b.id'),
  ('SELECT a.id, b.id, tree_edit_distance(a.doc, b.doc) FROM group_docs a JOIN group_docs b ON a.g = b.g AND tree_edit_distance(a.doc, b.doc) <= 2'),
  ('SELECT a.id, b.id FROM group_docs a JOIN group_docs b ON a.g = b.h AND tree_edit_distance(a.doc, b.doc) <= 3'),
  ('SELECT a.id, b.id FROM group_docs a JOIN group_docs b ON a.g = b.g AND a.h = b.h AND a.n = b.n AND tree_similarity(a.doc, b.doc) >= 0.7'),
  ('SELECT a.id, b.id FROM group_docs a JOIN group_others b ON a.g = b.g AND tree_edit_distance(a.doc, b.doc) <= 2'),
  ('SELECT a.id, b.id FROM group_docs a JOIN group_others b ON a.h = b.h AND a.g + 1 = b.g AND tree_edit_distance(a.doc, b.doc) <= 4'),
  ('SELECT a.id, b.id FROM group_docs a JOIN group_others b ON lower(a.word) = lower(b.word) AND a.n::float8 = b.n AND tree_within(a.doc, b.doc, 1)'),
  ('SELECT a.id, b.id FROM group_docs a LEFT JOIN group_others b ON a.g = b.g AND tree_edit_distance(a.doc, b.doc) <= 1'),
  ('SELECT a.id, b.id FROM group_docs a RIGHT JOIN group_others b ON a.g = b.g AND a.h < b.h AND tree_edit_distance(a.doc, b.doc) <= 1'),
  ('SELECT a.id, b.id FROM group_docs a FULL JOIN group_others b ON a.g = b.g AND tree_edit_distance(a.doc, b.doc) <= 1'),
  ('SELECT a.id, b.id FROM group_docs a LEFT JOIN group_docs b ON a.g = b.g AND a.id < b.id AND tree_edit_distance(a.doc, b.doc) <= 1'),
  ('SELECT a.id FROM group_docs a WHERE EXISTS (SELECT FROM group_others b WHERE a.g = b.g AND tree_edit_distance(a.doc, b.doc) <= 1)'),
  ('SELECT a.id FROM group_docs a WHERE NOT EXISTS (SELECT FROM group_others b WHERE a.g = b.g AND tree_edit_distance(a.doc, b.doc) <= 1)'),
  ('SELECT a.id, b.id FROM group_docs a JOIN group_others b ON a.h = b.h AND tree_edit_distance(a.doc, b.doc) <= a.k'),
  ('SELECT a.id, b.id FROM group_docs a JOIN group_docs b ON a.g = b.g AND tree_edit_distance(a.doc, b.doc) <= b.k'),
  ('SELECT a.id, b.id, tree_edit_distance(a.doc, b.doc, ''{"rename": 0.5}'') FROM group_docs a JOIN group_docs b ON a.g = b.g AND tree_edit_distance(a.doc, b.doc, ''{"rename": 0.5}'') <= 1'),
  ('SELECT a.id, b.id FROM group_docs a JOIN group_others b ON a.g = b.g AND json_edit_distance(a.doc, b.doc) <= 2'),
  ('SELECT a.id, b.id, lcs_similarity(a.name, b.name) FROM group_docs a JOIN group_docs b ON a.g = b.g AND a.id < b.id AND lcs_similarity(a.name, b.name) >= 0.8'),
  ('SELECT a.id, b.id FROM group_docs a JOIN group_others b ON a.h = b.h AND lcs_distance(a.name, b.name) <= 3'),
  ('SELECT a.id, b.id FROM group_docs a LEFT JOIN group_others b ON a.word = b.word AND a.g = b.g AND lcs_similarity(a.name, b.name) >= 0.6'),
  ('SELECT a.id, b.id FROM group_docs a JOIN group_others b ON a.g = b.g AND lcs_similarity(string_to_array(a.name, NULL), string_to_array(b.name, NULL)) >= 0.75'),
  ('SELECT k, (SELECT count(*) FROM group_others b JOIN group_docs c ON b.h = c.h AND b.g = c.g AND tree_edit_distance(b.doc, c.doc) <= d.k) FROM group_docs d WHERE id <= 4');
-- by nested loops without TedJoin, once
SET ted.enable_join = off;
SET enable_hashjoin = off;
CREATE TABLE group_plain AS SELECT row_number() OVER () AS number, q, r.* FROM group_queries, rows_of(q) r;
SET ted.enable_join = on;
SET enable_nestloop = off;
SET enable_mergejoin = off;
SELECT r.rows, r = ROW(p.rows, p.sum) AS same, (SELECT count(*) FROM explain(q) line WHERE line LIKE '%Groups: %') AS grouped, q FROM group_plain p, rows_of(q) r;
-- blocks of a few rows, so that groups are cut, too
SET ted.least_join_memory = '64kB';
-- a third of them in the short form of the tests
\set every `awk 'BEGIN { scale = ENVIRON["SCALE"]; print scale != "" && scale <= 0.1 ? 3 : 1 }'`
SELECT bool_and(r = ROW(p.rows, p.sum)) AS same FROM group_plain p, rows_of(q) r WHERE number % :every = 0;
RESET ted.least_join_memory;
-- parallel workers
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SELECT bool_and(r = ROW(p.rows, p.sum)) AS same FROM group_plain p, rows_of(q) r WHERE (number + 1) % :every = 0;
SELECT count(*) AS groups_read_together FROM group_plain p WHERE EXISTS (SELECT FROM explain(q) line WHERE line LIKE '%Groups: %') AND EXISTS (SELECT FROM explain(q) line WHERE line LIKE '%Parallel Custom Scan (TedJoin)%')
	AND (SELECT count(*) = 2 FROM explain(q) line WHERE line LIKE '%Parallel Seq Scan%');
SET ted.least_join_memory = '1MB';
SELECT bool_and(r = ROW(p.rows, p.sum)) AS same FROM group_plain p, rows_of(q) r WHERE (number + 2) % :every = 0;
RESET ted.least_join_memory;
RESET parallel_setup_cost;
RESET parallel_tuple_cost;
RESET min_parallel_table_scan_size;
SET max_parallel_workers_per_gather = 0;

SELECT * FROM explain('SELECT * FROM group_docs a JOIN group_others b ON a.g = b.g AND a.h = b.h AND tree_edit_distance(a.doc, b.doc) <= 2');
-- the first row comes before all rows have been read
SELECT count(*) FROM explain('SELECT * FROM group_docs a JOIN group_others b ON a.g = b.g AND tree_edit_distance(a.doc, b.doc) <= 2 LIMIT 1') line WHERE line LIKE '%Groups: %';
-- a key whose equality is not that of bytes
CREATE COLLATION no_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
SELECT count(*) FROM group_docs a JOIN group_others b ON a.word = b.word COLLATE no_case AND tree_edit_distance(a.doc, b.doc) <= 0;
SELECT count(*) FROM group_docs a JOIN group_others b ON lower(a.word) = lower(b.word) AND tree_edit_distance(a.doc, b.doc) <= 0;
DROP COLLATION no_case;

DROP TABLE group_docs, group_others, group_queries, group_plain;
DROP FUNCTION rows_of(text);
RESET ALL;
