-- Joins of several blocks, divided into partitions

SET ted.explain_hardware = off;
SET enable_nestloop = off;
SET work_mem = '64kB';
SET hash_mem_multiplier = 1;

-- near copies, trees of one or two nodes, and a few large trees
CREATE TABLE part_docs (id int, grp int, doc tree);
INSERT INTO part_docs
SELECT i, i % 5, ('{r{title{t' || i % 70 || '}{word{' || left(md5((i % 70)::text), 3) || '}}}{author{a' || i % 13 || '}}'
  || CASE WHEN i % 3 = 0 THEN '{year{' || i % 4 || '}}' ELSE '{year}' END
  || CASE WHEN i % 7 = 0 THEN '{note{' || i || '}}' ELSE '' END
  || CASE WHEN i % 40 = 0 THEN repeat('{x{y' || i % 3 || '}}', 50 + i % 9) ELSE '' END || '}')::tree
FROM generate_series(1, 700) i;
INSERT INTO part_docs SELECT 2000 + i, 0, ('{' || chr(97 + i % 4) || CASE WHEN i % 2 = 0 THEN '{z}' ELSE '' END || '}')::tree FROM generate_series(1, 12) i;
INSERT INTO part_docs VALUES (3000, 1, NULL);
CREATE TABLE part_others AS SELECT id + 5000 AS id, grp, doc FROM part_docs WHERE id % 4 < 2;
ANALYZE part_docs, part_others;

-- The number of rows of a query, and a sum of these.
CREATE FUNCTION rows_of(query text, OUT rows bigint, OUT sum text) AS $$
BEGIN
	EXECUTE 'SELECT count(*), md5(string_agg(q::text, '' '' ORDER BY q::text)) FROM (' || query || ') q' INTO rows, sum;
END $$ LANGUAGE plpgsql;

CREATE TABLE part_queries (q text);
INSERT INTO part_queries VALUES
  ('SELECT a.id, b.id FROM part_docs a JOIN part_docs b ON tree_edit_distance(a.doc, b.doc) <= 0'),
  ('SELECT a.id, b.id, tree_edit_distance(a.doc, b.doc) FROM part_docs a JOIN part_docs b ON tree_edit_distance(a.doc, b.doc) <= 1 AND a.id < b.id'),
  ('SELECT a.id, b.id, tree_edit_distance(a.doc, b.doc) FROM part_docs a JOIN part_docs b ON tree_edit_distance(a.doc, b.doc) <= 2 AND a.grp = b.grp'),
  ('SELECT a.id, b.id, tree_similarity(a.doc, b.doc) FROM part_docs a JOIN part_docs b ON tree_similarity(a.doc, b.doc) >= 0.85 AND a.id < b.id'),
  ('SELECT a.id, b.id FROM part_docs a JOIN part_others b ON tree_edit_distance(a.doc, b.doc) <= 2'),
  ('SELECT a.id, b.id FROM part_docs a JOIN part_others b ON tree_within(b.doc, a.doc, 1) WHERE a.grp <> b.grp'),
  ('SELECT a.id FROM part_docs a WHERE EXISTS (SELECT 1 FROM part_others b WHERE tree_edit_distance(a.doc, b.doc) <= 1)'),
  ('SELECT a.id, (SELECT count(*) FROM part_others b JOIN part_docs c ON tree_edit_distance(b.doc, c.doc) <= g) FROM generate_series(0, 2) g, part_docs a WHERE a.id <= 2');
-- by nested loops without TedJoin, once
SET ted.enable_join = off;
SET enable_nestloop = on;
CREATE TABLE part_plain AS SELECT q, r.* FROM part_queries, rows_of(q) r;
SET ted.enable_join = on;
SET enable_nestloop = off;
SELECT r.rows, r = ROW(p.rows, p.sum) AS same, q FROM part_plain p, rows_of(q) r;

-- they are divided: all rows go to files
CREATE FUNCTION divided(query text) RETURNS boolean AS $$
DECLARE
	line text;
	bytes bigint := 0;
BEGIN
	FOR line IN EXECUTE 'EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) ' || query LOOP
		bytes := bytes + coalesce(substring(line FROM 'Spooled: (\d+) kB')::bigint, 0);
	END LOOP;
	RETURN bytes > (SELECT sum(pg_column_size(doc)) / 1024 FROM part_docs);
END $$ LANGUAGE plpgsql;
SELECT divided(q), q FROM part_queries LIMIT 3;

-- by several processes
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET max_parallel_workers_per_gather = 3;
ALTER TABLE part_docs SET (parallel_workers = 3);
ALTER TABLE part_others SET (parallel_workers = 3);
SELECT r.rows, r = ROW(p.rows, p.sum) AS same, q FROM part_plain p, rows_of(q) r;

-- a cursor that is left early, and one that is read again
SET max_parallel_workers_per_gather = 0;
BEGIN;
DECLARE pairs CURSOR FOR SELECT a.id FROM part_docs a JOIN part_docs b ON tree_edit_distance(a.doc, b.doc) <= 2 AND a.id < b.id;
MOVE 5 IN pairs;
CLOSE pairs;
DECLARE pairs SCROLL CURSOR FOR SELECT a.id FROM part_docs a JOIN part_docs b ON tree_edit_distance(a.doc, b.doc) <= 2 AND a.id < b.id;
MOVE FORWARD ALL IN pairs;
MOVE BACKWARD ALL IN pairs;
MOVE FORWARD ALL IN pairs;
COMMIT;
DROP TABLE part_docs, part_others, part_queries, part_plain;
DROP FUNCTION rows_of, divided;
