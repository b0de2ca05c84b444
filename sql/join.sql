-- The similarity join aggregate

CREATE TABLE docs (id bigint PRIMARY KEY, doc tree);
INSERT INTO docs VALUES
  (1, '{a{b}{c}}'), (2, '{a{b}{d}}'), (3, '{a{b}{c}{d}}'), (4, NULL), (5, '{a{b}{c}}'), (6, '{x{y{z{w}}}}'),
  (-7, '{a}'), (8, '{b}');

SELECT tree_within_pairs(id, doc, 1) FROM docs;
SELECT m.* FROM (SELECT tree_within_pairs(id, doc, 2) AS found FROM docs) j, unnest(found) m;

-- the same pairs as a plain join
SELECT count(*) FROM (
  (SELECT m.* FROM (SELECT tree_within_pairs(id, doc, 2) AS found FROM docs) j, unnest(found) m
   EXCEPT SELECT a.id, b.id, tree_edit_distance(a.doc, b.doc) FROM docs a JOIN docs b ON a.id < b.id AND tree_within(a.doc, b.doc, 2))
  UNION ALL
  (SELECT a.id, b.id, tree_edit_distance(a.doc, b.doc) FROM docs a JOIN docs b ON a.id < b.id AND tree_within(a.doc, b.doc, 2)
   EXCEPT SELECT m.* FROM (SELECT tree_within_pairs(id, doc, 2) AS found FROM docs) j, unnest(found) m)) d;

-- two sides; ids are unique on a side
SELECT tree_within_pairs(id, doc, 0, side)
FROM (SELECT id, doc, 'l'::"char" AS side FROM docs WHERE id IN (1, 2, 3)
      UNION ALL SELECT id, doc, 'r' FROM docs WHERE id IN (1, 5, 6)) u;

-- groups
SELECT id % 2 AS odd, tree_within_pairs(id, doc, 1) FROM docs GROUP BY 1 ORDER BY 1;

-- nothing to join, and nothing found
SELECT tree_within_pairs(id, doc, 1) FROM docs WHERE id = 4;
SELECT tree_within_pairs(id, doc, 1) FROM docs WHERE false;
SELECT tree_within_pairs(id, doc, 1) FROM docs WHERE id IN (1, 6);

-- errors
SELECT tree_within_pairs(id, doc, (id % 2)::int) FROM docs WHERE id > 0;
SELECT tree_within_pairs(id % 3, doc, 1) FROM docs WHERE id > 0;
SELECT tree_within_pairs(NULL, doc, 1) FROM docs;
SELECT tree_within_pairs(id, doc, NULL) FROM docs;
SELECT tree_within_pairs(id, doc, -1) FROM docs;
SELECT tree_within_pairs(id, doc, 1, 'x') FROM docs;
SELECT tree_within_pairs(id, doc, 1, NULL) FROM docs;
SELECT tree_within_pairs_combine(NULL::tree_join_row[], NULL);
\set VERBOSITY terse
SET ted.max_memory = '64kB';
SELECT tree_within_pairs(id, ('{' || id || repeat('{a}', 10000) || '}')::tree, 1) FROM generate_series(1, 10) id;
\set VERBOSITY default
RESET ted.max_memory;

-- partial aggregation in parallel workers
CREATE TABLE many AS
SELECT i::bigint AS id, ('{r{' || i % 50 || '}' || repeat('{x}', i % 7) || '{' || i % 11 || '}}')::tree AS doc
FROM generate_series(1, 400) i;
CREATE TEMPORARY TABLE serial AS
SELECT m.* FROM (SELECT tree_within_pairs(id, doc, 1) AS found FROM many) j, unnest(found) m;
ALTER TABLE many SET (parallel_workers = 2);
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
EXPLAIN (COSTS OFF) SELECT tree_within_pairs(id, doc, 1) FROM many;
CREATE TEMPORARY TABLE parallel AS
SELECT m.* FROM (SELECT tree_within_pairs(id, doc, 1) AS found FROM many) j, unnest(found) m;
SELECT count(*) AS pairs, count(*) FILTER (WHERE s IS NOT DISTINCT FROM p) AS same
FROM serial s FULL JOIN parallel p USING (left_id, right_id, distance);
DROP TABLE docs, many, serial, parallel;

-- states that the aggregate would not make
SELECT tree_within_pairs_finalfn(ARRAY[ROW(1, 'l', 1, NULL)]::tree_join_row[]);
CREATE AGGREGATE made_up(tree_join_row[]) (
  SFUNC = tree_within_pairs_combine, STYPE = tree_join_row[], FINALFUNC = tree_within_pairs_finalfn);
SELECT made_up(state) FROM (VALUES (ARRAY[NULL]::tree_join_row[])) v(state);
SELECT made_up(state) FROM (VALUES (ARRAY[ROW(1, 'l', 1, '{a}')]::tree_join_row[]), (ARRAY[NULL]::tree_join_row[])) v(state);
SELECT made_up(state) FROM (VALUES (ARRAY[ROW(1, 'l', 1, NULL)]::tree_join_row[])) v(state);
SELECT made_up(state) FROM (VALUES (ARRAY[ROW(1, 'x', 1, '{a}')]::tree_join_row[])) v(state);
SELECT made_up(state) FROM (VALUES (ARRAY[ROW(1, 'l', 1, '{a}'), ROW(2, NULL, 1, '{a}')]::tree_join_row[])) v(state);
SELECT made_up(state) FROM (VALUES (ARRAY[ROW(1, 'l', 1, '{a}'), ROW(2, 'r', 1, '{b}')]::tree_join_row[])) v(state);
DROP AGGREGATE made_up(tree_join_row[]);
