-- Indexes for tree_within, tree_similar and <->

-- families of similar trees, tiny ones, NULLs, many equal labels, and one that is stored out of line
CREATE TABLE source (id int PRIMARY KEY, doc tree);
INSERT INTO source
SELECT i, ('{r{' || i % 40 || '}' || repeat('{x}', i % 7) || '{' || i % 11 || '{' || i * 7919 % 101 || '}}}')::tree
FROM generate_series(1, 500) i;
INSERT INTO source SELECT 500 + i, ('{' || i % 5 || '}')::tree FROM generate_series(1, 20) i;
INSERT INTO source SELECT 520 + i, NULL FROM generate_series(1, 20) i;
INSERT INTO source SELECT 540 + i, ('{r' || repeat('{x}', 252 + i) || '}')::tree FROM generate_series(1, 4) i;
INSERT INTO source SELECT 551, ('{r' || string_agg('{' || md5(i::text) || '}', '') || '}')::tree FROM generate_series(1, 300) i;
CREATE TABLE docs AS TABLE source;
ANALYZE docs;

-- all matches of some documents, and the distances of the nearest ones
CREATE TABLE queries AS SELECT id AS query_id, doc AS query FROM docs WHERE id % 61 = 5 OR id > 518;
CREATE VIEW matches AS
SELECT query_id, 'within ' || k AS threshold, id
FROM queries, unnest('{0,1,2,3,6,101,1000}'::int[]) k, LATERAL (SELECT id FROM docs WHERE tree_within(doc, query, k) OFFSET 0) m
UNION ALL
SELECT query_id, 'similar ' || s, id
FROM queries, unnest('{0,0.01,0.6,0.9,1}'::float8[]) s,
  LATERAL (SELECT id FROM docs WHERE tree_similar(doc, query, s) OFFSET 0) m;
CREATE VIEW nearest AS
SELECT query_id, distances
FROM queries, LATERAL (SELECT array_agg(d) AS distances FROM (SELECT doc <-> query AS d FROM docs ORDER BY doc <-> query LIMIT 7) n) m
WHERE query_id < 540;
CREATE TABLE expected_matches AS SELECT * FROM matches;
CREATE TABLE expected_nearest AS SELECT * FROM nearest;
SELECT threshold, count(*) FROM expected_matches GROUP BY threshold ORDER BY threshold COLLATE "C";
CREATE VIEW differences AS
SELECT (SELECT count(*) FROM (TABLE matches EXCEPT ALL TABLE expected_matches) d) AS excess,
       (SELECT count(*) FROM (TABLE expected_matches EXCEPT ALL TABLE matches) d) AS missing,
       (SELECT count(*) FROM (TABLE nearest EXCEPT ALL TABLE expected_nearest) d) AS farther;
SET enable_seqscan = off;
SET enable_sort = off;
SET jit = off;

-- plans, without what PostgreSQL 18 says of settings
CREATE FUNCTION plan(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  line text;
BEGIN
  FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
    IF line !~ 'Disabled: ' THEN
      RETURN NEXT line;
    END IF;
  END LOOP;
END
$$;

-- GIN: built at once, and with rows that came later
CREATE INDEX docs_index ON docs USING gin (doc);
SELECT plan($$SELECT id FROM docs WHERE tree_within(doc, '{r{1}{x}{1}}', 2)$$);
TABLE differences;
DELETE FROM docs WHERE id % 3 = 0;
INSERT INTO docs SELECT * FROM source WHERE id % 3 = 0;
TABLE differences;
VACUUM docs;
TABLE differences;
DROP INDEX docs_index;

-- GiST, also for the nearest
CREATE INDEX docs_index ON docs USING gist (doc);
SELECT plan($$SELECT id FROM docs WHERE tree_within(doc, '{r{1}{x}{1}}', 2)$$);
SELECT plan($$SELECT id FROM docs ORDER BY doc <-> '{r{1}{x}{1}}' LIMIT 3$$);
SELECT plan($$SELECT id FROM docs ORDER BY '{r{1}{x}{1}}' <-> doc LIMIT 3$$);
TABLE differences;
DELETE FROM docs WHERE id % 2 = 0;
VACUUM docs;
INSERT INTO docs SELECT * FROM source WHERE id % 2 = 0;
TABLE differences;
SET enable_indexscan = off;
TABLE differences;
RESET enable_indexscan;
SET enable_bitmapscan = off;
TABLE differences;
RESET enable_bitmapscan;

-- left alone, the planner takes an index where it finds few rows
RESET enable_seqscan;
SELECT plan($$SELECT id FROM docs WHERE tree_within(doc, '{r{1}{x}{1}}', 1)$$);
SELECT plan($$SELECT id FROM docs WHERE tree_within(doc, '{r{1}{x}{1}}', 100)$$);
SELECT plan($$SELECT id FROM docs ORDER BY doc <-> '{r{1}{x}{1}}' LIMIT 3$$);
SET enable_seqscan = off;

-- both arguments may be the column, and conditions combine
SELECT plan($$SELECT id FROM docs WHERE tree_within('{r{1}}', doc, 2)$$);
SELECT plan($$SELECT id FROM docs WHERE tree_within(doc, '{r{1}}', 2) ORDER BY doc <-> '{r{2}}' LIMIT 1$$);

-- no index where an argument depends on the table, or may change
SELECT plan($$SELECT id FROM docs WHERE tree_within(doc, doc, 2)$$);
SELECT plan($$SELECT id FROM docs WHERE tree_within(doc, '{a}', id)$$);
SELECT plan($$SELECT id FROM docs WHERE tree_within(doc, '{a}', (random() * 3)::int)$$);
SELECT plan($$SELECT id FROM docs WHERE NOT tree_within(doc, '{a}', 2)$$);

-- parameters
PREPARE within(tree, int) AS SELECT count(*) FROM docs WHERE tree_within(doc, $1, $2);
PREPARE nearest(tree) AS SELECT doc <-> $1 FROM docs ORDER BY doc <-> $1 LIMIT 2;
SET plan_cache_mode = force_generic_plan;
SELECT plan($$EXECUTE within('{r{1}}', 3)$$);
SELECT plan($$EXECUTE nearest('{r{1}}')$$);
EXECUTE within('{r{1}{x}{1}{1}}', 2);
EXECUTE within('{r{1}{x}{1}{1}}', 0);
EXECUTE within('{r{1}{x}{1}{1}}', 2147483647);
EXECUTE within(NULL, 2);
EXECUTE within('{r{1}}', NULL);
EXECUTE within('{r{1}}', -1);
EXECUTE nearest('{4}');
RESET plan_cache_mode;
EXECUTE within('{r{1}{x}{1}{1}}', 2);
SELECT count(*) FROM docs WHERE tree_within(doc, NULL, 2);
SELECT count(*) FROM docs WHERE tree_within(doc, '{a}', -1);
SELECT doc <-> NULL FROM docs ORDER BY doc <-> NULL LIMIT 1;

-- an index serves nested loops
SET enable_hashjoin = off;
SELECT plan($$SELECT count(*) FROM queries JOIN docs ON tree_within(query, doc, 1)$$);

-- similarities are searched for by the distances that they allow, with trees of any size
SELECT plan($$SELECT id FROM docs WHERE tree_similar(doc, '{r{1}{x}{1}}', 0.75)$$);
PREPARE alike(tree, float8) AS SELECT count(*) FROM docs WHERE tree_similar($1, doc, $2);
SET plan_cache_mode = force_generic_plan;
SELECT plan($$EXECUTE alike('{r{1}}', 0.5)$$);
EXECUTE alike('{r{1}{x}{1}{1}}', 0.6);
EXECUTE alike('{r{1}{x}{1}{1}}', 'nan');
EXECUTE alike('{r{1}{x}{1}{1}}', NULL);
RESET plan_cache_mode;
SELECT count(*) FROM docs WHERE tree_similar(doc, '{r{1}{x}{1}{1}}', 0.6);
SELECT count(*) FROM docs WHERE tree_similarity(doc, '{r{1}{x}{1}{1}}') >= 0.6;
SELECT tree_similarity_range('{a{b}{c}{d}{e}{f}{g}{h}{i}{j}}', s) FROM unnest('{0,0.5,0.9,0.95,1}'::float8[]) s;

-- the operator, by itself: what sizes and labels allow
SELECT '{a{b}{c}}' <~ tree_range('{a{c}{d}}', 1) AS labels, '{a{b}}' <~ tree_range('{a{c}{d}{e}}', 1) AS sizes,
       '{a{b{c}}}' <~ tree_range('{a{c{b}}}', 0) AS shape, '{a{b}{b}}' <~ tree_range('{a{b}{c}}', 0) AS counts;
SELECT tree_range('{a}', 3), '{a}' <~ ROW('{a}', NULL, NULL)::tree_range AS no_distance, '{a}' <~ ROW(NULL, 1, NULL)::tree_range AS no_tree;
SELECT tree_range('{a}', -1);
SELECT '{a}' <~ ROW('{a}', -1, NULL)::tree_range;
SELECT count(*) FROM docs WHERE doc <~ ROW(NULL, 1, NULL)::tree_range;
SELECT count(*) FROM docs WHERE doc <~ ROW('{r{1}{x}{1}{1}}', 2, NULL)::tree_range;
SET enable_indexscan = off;
SET enable_bitmapscan = off;
SET enable_seqscan = on;
SELECT count(*) FROM docs WHERE doc <~ ROW('{r{1}{x}{1}{1}}', 2, NULL)::tree_range;
RESET enable_indexscan;
RESET enable_bitmapscan;
SET enable_seqscan = off;
DROP INDEX docs_index;
CREATE INDEX docs_index ON docs USING gin (doc);
SELECT count(*) FROM docs WHERE doc <~ ROW(NULL, 1, NULL)::tree_range;
SELECT count(*) FROM docs WHERE doc <~ ROW('{r{1}{x}{1}{1}}', 2, NULL)::tree_range;
SELECT count(*) FROM docs WHERE tree_within(doc, '{a}', -1);
SELECT count(*) FROM docs WHERE tree_within(doc, NULL, 1);
-- so many labels may be missing that GIN searches for none
SELECT array_agg(id ORDER BY id) FROM docs WHERE tree_within(doc, ('{r' || repeat('{x}', 2100) || '}')::tree, 2000);
DROP INDEX docs_index;

-- an expression index over documents
CREATE TABLE json_docs AS SELECT i AS id, jsonb_build_object('n', i % 10, 'name', 'x' || i) AS doc FROM generate_series(1, 100) i;
CREATE INDEX ON json_docs USING gin ((doc::tree));
SELECT plan($$SELECT id FROM json_docs WHERE tree_within(doc, '{"n": 3, "name": "x3"}', 1)$$);
SELECT id FROM json_docs WHERE tree_within(doc, '{"n": 3, "name": "x3"}', 1) ORDER BY id;
DROP TABLE json_docs;

-- partitions, in parallel
CREATE TABLE parts (id int, doc tree) PARTITION BY RANGE (id);
CREATE TABLE parts_1 PARTITION OF parts FOR VALUES FROM (MINVALUE) TO (250) WITH (parallel_workers = 2);
CREATE TABLE parts_2 PARTITION OF parts FOR VALUES FROM (250) TO (MAXVALUE) WITH (parallel_workers = 2);
CREATE INDEX ON parts USING gist (doc);
INSERT INTO parts SELECT * FROM docs;
ANALYZE parts;
SELECT plan($$SELECT id FROM parts WHERE tree_within(doc, '{r{1}{x}{1}{1}}', 2)$$);
SELECT plan($$SELECT id FROM parts ORDER BY doc <-> '{r{1}{x}{1}{1}}' LIMIT 3$$);
SELECT count(*) FROM parts WHERE tree_within(doc, '{r{1}{x}{1}{1}}', 2);
SELECT doc <-> '{r{1}{x}{1}{1}}' AS distance FROM parts ORDER BY doc <-> '{r{1}{x}{1}{1}}' LIMIT 3;
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET min_parallel_index_scan_size = 0;
SET enable_indexscan = off;
SELECT plan($$SELECT count(*) FROM parts_1 WHERE tree_within(doc, '{r{1}{x}{1}{1}}', 6)$$);
SELECT count(*) FROM parts_1 WHERE tree_within(doc, '{r{1}{x}{1}{1}}', 6);
RESET enable_indexscan;
RESET max_parallel_workers_per_gather;
RESET parallel_setup_cost;
RESET parallel_tuple_cost;
RESET min_parallel_table_scan_size;
RESET min_parallel_index_scan_size;
DROP TABLE parts;
RESET enable_seqscan;
RESET enable_sort;
RESET enable_hashjoin;

-- estimates: rows that the planner expects
CREATE FUNCTION expected_rows(query text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE plan json;
BEGIN
  EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO plan;
  RETURN plan->0->'Plan'->'Plan Rows';
END $$;
CREATE TABLE same AS SELECT '{a{b}{c}}'::tree AS doc FROM generate_series(1, 1000);
CREATE TABLE unknown AS TABLE same;
ANALYZE same;
SELECT expected_rows($$SELECT * FROM same WHERE tree_within(doc, '{a{b}{c}}', 1)$$) AS all,
       expected_rows($$SELECT * FROM same WHERE tree_within(doc, '{a{b}{c}{d}{e}}', 1)$$) AS other_size,
       expected_rows($$SELECT * FROM same WHERE tree_within(doc, '{x{y}{z}}', 1)$$) AS other_labels,
       expected_rows($$SELECT * FROM same WHERE tree_within(doc, '{x{y}{z}}', 3)$$) AS all_can_change,
       expected_rows($$SELECT * FROM same WHERE doc <~ tree_range('{a{b}{c}}', 1)$$) AS operator,
       expected_rows($$SELECT * FROM same a, same b WHERE tree_within(a.doc, b.doc, 1)$$) AS joined,
       expected_rows($$SELECT * FROM same WHERE tree_within(doc, (SELECT doc FROM same LIMIT 1), 1000)$$) AS parameter,
       expected_rows($$SELECT * FROM unknown WHERE tree_within(doc, (SELECT doc FROM same LIMIT 1), 1)$$) < 20 AS unknown;

-- without statistics, the wider a threshold, the more rows
SELECT expected_rows($$SELECT * FROM unknown WHERE tree_similar(doc, (SELECT doc FROM same LIMIT 1), 0.95)$$) < 20 AS narrow,
       expected_rows($$SELECT * FROM unknown WHERE tree_similar(doc, (SELECT doc FROM same LIMIT 1), 0.65)$$) BETWEEN 20 AND 400 AS wider,
       expected_rows($$SELECT * FROM unknown WHERE tree_similar(doc, (SELECT doc FROM same LIMIT 1), 0.2)$$) > 900 AS wide;
INSERT INTO same SELECT NULL FROM generate_series(1, 1000);
ANALYZE same;
SELECT expected_rows($$SELECT * FROM same WHERE tree_within(doc, '{a{b}{c}}', 1)$$) AS half;
DROP TABLE same, unknown;

-- statistics of nothing, of NULLs, and of a single tree
CREATE TABLE few (doc tree);
ANALYZE few;
INSERT INTO few VALUES (NULL);
ANALYZE few;
INSERT INTO few VALUES ('{a}');
ANALYZE few;
SELECT expected_rows($$SELECT * FROM few a, few b WHERE tree_within(a.doc, b.doc, 1)$$);
DROP TABLE few;

DROP FUNCTION expected_rows(text);
DROP FUNCTION plan(text);
DROP VIEW differences, matches, nearest;
DROP TABLE source, docs, queries, expected_matches, expected_nearest;

-- documents of a domain, by the index of the expression that people write
CREATE DOMAIN document AS jsonb;
CREATE TABLE of_domain AS SELECT i AS id, jsonb_build_object('n', i % 50, 'name', 'x' || i)::document AS doc FROM generate_series(1, 2000) i;
CREATE INDEX ON of_domain USING gist ((doc::tree));
ANALYZE of_domain;
SET enable_seqscan = off;
EXPLAIN (COSTS OFF) SELECT id FROM of_domain WHERE tree_within(doc, '{"n": 7, "name": "x7"}', 1);
SELECT count(*), count(*) FILTER (WHERE tree_within(doc::jsonb, '{"n": 7, "name": "x7"}', 1)) FROM of_domain WHERE tree_within(doc, '{"n": 7, "name": "x7"}', 1);
SELECT count(*) FROM of_domain WHERE tree_edit_distance(doc, '{"n": 7, "name": "x7"}') <= 1;
EXPLAIN (COSTS OFF) SELECT id FROM of_domain WHERE tree_similar(doc, '{"n": 7, "name": "x7"}', 0.9);
RESET enable_seqscan;
SELECT count(*) FROM of_domain WHERE tree_within(doc, '{"n": 7, "name": "x7"}', 1);
DROP TABLE of_domain;
DROP DOMAIN document;
