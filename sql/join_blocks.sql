-- Similarity joins of documents that do not fit in memory

-- families of sizes, equal documents beside each other and far apart, one document larger than all memory
CREATE TABLE docs AS
SELECT i::bigint AS id, i % 3 AS part, CASE WHEN i % 7 < 3 THEN 'l' ELSE 'r' END::"char" AS side,
       ('{r{' || i % 100 || '}' || repeat('{x{y}}', i % 40) || '{' || i % 6 || '}}')::tree AS doc,
       left(repeat(md5((i % 300)::text), 4), 20 + i % 90) AS text
FROM generate_series(1, 1500) i;
INSERT INTO docs SELECT id, 0, 'l', ('{r' || string_agg('{' || (i * id) || '}', '') || '}')::tree, string_agg(md5(i::text), '')
FROM generate_series(3001, 3002) id, generate_series(1, 5000) i GROUP BY id;
INSERT INTO docs VALUES (3003, 1, 'r', NULL, NULL);

-- What a query of matches takes from disk, and its matches with little memory and with much.
CREATE FUNCTION same(query text, OUT on_disk boolean, OUT rows bigint, OUT same boolean) AS $$
DECLARE
	line text;
	other bigint;
	other_rows text;
	own_rows text;
BEGIN
	SET LOCAL work_mem = '64kB';
	on_disk := false;
	FOR line IN EXECUTE 'EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF) SELECT * FROM (' || query || ') q OFFSET 0' LOOP
		on_disk := on_disk OR line ~ '\mtemp read';
	END LOOP;
	EXECUTE 'SELECT count(*), md5(string_agg(q::text, '' '')) FROM (' || query || ') q' INTO rows, own_rows;
	SET LOCAL work_mem = '100MB';
	EXECUTE 'SELECT count(*), md5(string_agg(q::text, '' '')) FROM (' || query || ') q' INTO other, other_rows;
	same := rows = other AND own_rows IS NOT DISTINCT FROM other_rows;
END $$ LANGUAGE plpgsql;

SELECT q, s.* FROM (VALUES
  ('SELECT m.* FROM (SELECT tree_within_pairs(id, doc, 2) AS found FROM docs) j, unnest(found) m'),
  ('SELECT m.* FROM (SELECT tree_within_pairs(id, doc, 0) AS found FROM docs) j, unnest(found) m'),
  ('SELECT m.* FROM (SELECT tree_within_pairs(id, doc, 2, side) AS found FROM docs) j, unnest(found) m'),
  ('SELECT m.* FROM (SELECT tree_within_pairs(id, doc, 1000, ''l'') AS found FROM docs) j, unnest(found) m'),
  ('SELECT part, m.* FROM (SELECT part, tree_within_pairs(id, doc, 2) AS found FROM docs GROUP BY 1) j, unnest(found) m ORDER BY part, left_id, right_id'),
  ('SELECT d, m.* FROM (VALUES (1), (1), (0)) v(d), LATERAL (SELECT tree_within_pairs(id, doc, d) AS found FROM docs) j, unnest(found) m'),
  ('SELECT m.* FROM (SELECT lcs_similar_pairs(id, text, 0.9) AS found FROM docs) j, unnest(found) m'),
  ('SELECT m.* FROM (SELECT lcs_similar_pairs(id, text, 1) AS found FROM docs) j, unnest(found) m'),
  ('SELECT m.* FROM (SELECT lcs_similar_pairs(id, text, 0.9, side) AS found FROM docs) j, unnest(found) m')
) v(q), same(q) s;
-- documents with rare labels, most of which can match none of a block; some are too small for that to be known
CREATE TABLE records AS
SELECT i AS id, format('{p{n{%s}}{m{%s}}{o{%s}}{c{%s}}{d{%s}}{e{%s}}{f{%s}}%s}', f, i * 7 % 2003, CASE i % 4 WHEN 0 THEN f END,
                       f * 17 % 499, f * 5 % 211, f * 3 % 101, f * 29 % 307, repeat('{t{a}}', f % 5))::tree AS doc
FROM generate_series(1, 1200) i, LATERAL (SELECT i / 4 AS f) family
UNION ALL SELECT 5000 + i, format('{p{%s}}', i / 3)::tree FROM generate_series(1, 30) i;
ANALYZE records;
SET enable_nestloop = off;
SELECT q, s.* FROM (VALUES
  ('SELECT m.* FROM (SELECT tree_within_pairs(id, doc, 0) AS found FROM records) j, unnest(found) m'),
  ('SELECT m.* FROM (SELECT tree_within_pairs(id, doc, 3) AS found FROM records) j, unnest(found) m'),
  ('SELECT m.* FROM (SELECT tree_within_pairs(id, doc, 6) AS found FROM records WHERE id % 3 = 0) j, unnest(found) m'),
  ('SELECT m.* FROM (SELECT tree_within_pairs(id, doc, 7) AS found FROM records WHERE id % 3 = 0) j, unnest(found) m'),
  ('SELECT m.* FROM (SELECT tree_within_pairs(id, doc, 3, (CASE id % 2 WHEN 0 THEN ''l'' ELSE ''r'' END)::"char") AS found FROM records) j, unnest(found) m'),
  ('SELECT a.id, b.id FROM records a JOIN records b ON tree_within(a.doc, b.doc, 2) AND a.id < b.id ORDER BY 1, 2'),
  ('SELECT a.id, b.id, tree_edit_distance(a.doc, b.doc) FROM records a JOIN records b ON tree_edit_distance(a.doc, b.doc) < 5 AND a.id < b.id ORDER BY 1, 2'),
  ('SELECT a.id, b.id FROM records a JOIN records b ON tree_similarity(a.doc, b.doc) >= 0.8 AND a.id < b.id ORDER BY 1, 2'),
  ('SELECT a.id, b.id FROM records a JOIN records b ON tree_normalized_distance(a.doc, b.doc) <= 0.15 AND a.id < b.id ORDER BY 1, 2'),
  ('SELECT a.id, b.id FROM records a LEFT JOIN records b ON tree_within(a.doc, b.doc, 2) AND a.id < b.id ORDER BY 1, 2'),
  ('SELECT a.id, b.id FROM (SELECT * FROM records WHERE id % 3 > 0) a FULL JOIN (SELECT * FROM records WHERE id % 3 < 2) b ON tree_within(a.doc, b.doc, 3) ORDER BY 1, 2'),
  ('SELECT a.id FROM (SELECT * FROM records WHERE id % 3 > 0) a WHERE NOT EXISTS (SELECT FROM records b WHERE tree_within(a.doc, b.doc, 2) AND a.id <> b.id) ORDER BY 1'),
  ('SELECT a.id, b.id FROM records a JOIN records b ON tree_edit_distance(a.doc, b.doc, tree_costs(1, 1, 2)) <= 4 AND a.id < b.id ORDER BY 1, 2'),
  ('SELECT a.id, b.id FROM records a JOIN records b ON tree_within(a.doc, b.doc, a.id % 4) AND a.id < b.id ORDER BY 1, 2')
) v(q), same(q) s;
SET ted.enable_join = off;
SELECT count(*) FROM records a JOIN records b ON tree_within(a.doc, b.doc, 3) AND a.id < b.id;
RESET ted.enable_join;
RESET enable_nestloop;
DROP TABLE records;

SET work_mem = '64kB';
SELECT count(*) AS pairs, count(*) FILTER (WHERE j IS NOT DISTINCT FROM p) AS same
FROM (SELECT m.* FROM (SELECT tree_within_pairs(id, doc, 3, side) AS found FROM docs) j, unnest(found) m) j
FULL JOIN (SELECT a.id AS left_id, b.id AS right_id, tree_edit_distance(a.doc, b.doc) AS distance
           FROM docs a JOIN docs b ON tree_within(a.doc, b.doc, 3) WHERE a.side = 'l' AND b.side = 'r') p
  USING (left_id, right_id, distance);

-- groups that are kept and read twice are joined twice
SET work_mem = '512kB';
SET enable_material = off;
SET enable_hashjoin = off;
SET enable_mergejoin = off;
SET enable_sort = off;
EXPLAIN (COSTS OFF) SELECT v, part, cardinality(found)
FROM (VALUES (1), (2)) v(v) LEFT JOIN (SELECT part, tree_within_pairs(id, doc, 1) AS found FROM docs GROUP BY part) j ON v < part + 10;
SELECT part, cardinality(found), count(*)
FROM (VALUES (1), (2)) v(v) LEFT JOIN (SELECT part, tree_within_pairs(id, doc, 1) AS found FROM docs GROUP BY part) j ON v < part + 10
GROUP BY part, found ORDER BY part;
RESET enable_material;
RESET enable_hashjoin;
RESET enable_mergejoin;
RESET enable_sort;
SET work_mem = '64kB';

-- what is wrong is seen from disk, too
SELECT tree_within_pairs(id % 2999, doc, 1) FROM docs;
SELECT tree_within_pairs(id, doc, (id / 3000)::int) FROM docs;

-- a state that others see stays an array: of workers, of windows, of an aggregate with the same state
CREATE AGGREGATE state(bigint, tree, float8) (SFUNC = tree_within_pairs_transfn, STYPE = tree_join_row[]);
SELECT cardinality(state(id, doc, 0)), cardinality(tree_within_pairs(id, doc, 0)) FROM docs;
DROP AGGREGATE state(bigint, tree, float8);
SELECT id, cardinality(tree_within_pairs(id, doc, 2) OVER (ORDER BY id)) FROM docs WHERE id < 200 ORDER BY id DESC LIMIT 2;
ALTER TABLE docs SET (parallel_workers = 2);
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
EXPLAIN (COSTS OFF) SELECT tree_within_pairs(id, doc, 1) FROM docs;
SELECT cardinality(tree_within_pairs(id, doc, 2)), cardinality(tree_within_pairs(id, doc, 2, side)),
       cardinality(lcs_similar_pairs(id, text, 0.9)), cardinality(lcs_similar_pairs(id, text, 0.9, side)) FROM docs;

-- results are limited
SET ted.max_memory = '64kB';
SELECT tree_within_pairs(id, '{a}', 1) FROM generate_series(1, 100) id;
SELECT lcs_similar_pairs(id, 'a', 1) FROM generate_series(1, 100) id;
SELECT cardinality(tree_within_pairs(id, '{a}', 1)) FROM generate_series(1, 52) id;

DROP TABLE docs;
DROP FUNCTION same;
