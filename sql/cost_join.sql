-- Joins and searches by models of costs
CREATE TABLE page (id int PRIMARY KEY, doc tree);
INSERT INTO page
SELECT i, ('{p{@id{' || i || '}}' || '{h{heading ' || i % 7 || '}}' || repeat('{b{text ' || i % 5 || '}}', i % 4) ||
	CASE WHEN i % 9 = 0 THEN '{h}' WHEN i % 11 = 0 THEN '{heading 1{h}}' ELSE '' END || '}')::tree
FROM generate_series(1, 60) i;
INSERT INTO page VALUES (61, NULL), (62, '{@id{x}}'), (63, '{@id{y}{z}}'), (64, '{x}');
CREATE TABLE note (id int, k float8, doc tree);
INSERT INTO note SELECT id, CASE WHEN id % 5 > 0 THEN id % 4 * 0.5 END, doc FROM page WHERE id % 3 <> 1;
INSERT INTO note VALUES (100, 1, '{p{heading 3}{text 1{h}}}'), (101, 1, '{z}'), (102, 1, '{p{@id{x}}{h{text 4}}}');
ANALYZE page, note;

-- the rows of a join with TedJoin and without
CREATE FUNCTION same_rows(join_text text, model tree_costs, OUT plan text, OUT rows bigint, OUT same boolean) AS $$
DECLARE
	query text := replace(join_text, 'MODEL', quote_literal(model) || '::tree_costs');
	line text;
	own text[];
	plain text[];
BEGIN
	FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
		plan := coalesce(plan, substring(line FROM '\(TedJoin\)|Nested Loop.*'));
	END LOOP;
	EXECUTE 'SELECT array_agg(r::text ORDER BY r::text) FROM (' || query || ') r' INTO own;
	SET LOCAL ted.enable_join = off;
	EXECUTE 'SELECT array_agg(r::text ORDER BY r::text) FROM (' || query || ') r' INTO plain;
	RESET ted.enable_join;
	rows := coalesce(cardinality(own), 0);
	same := own IS NOT DISTINCT FROM plain;
END
$$ LANGUAGE plpgsql;
CREATE TABLE model (n int, costs tree_costs);
INSERT INTO model VALUES (1, '{}'), (2, '{"rename": 0.5}'), (3, '{"insert": 2, "delete": 2}'), (4, '{"insert": 2, "delete": 0.5}'),
	(5, '{"texts": "levenshtein"}'), (6, '{"texts": "lcs", "rename": 0.75}'),
	(7, '{"rules": [{"pattern": "@id", "ignore": true}]}'), (8, '{"texts": "lcs", "rules": [{"pattern": "@id", "ignore": true}]}'),
	(9, '{"numbers": "relative", "rules": [{"pattern": "b", "insert": 0, "delete": 0, "rename": 0}]}'),
	(10, '{"rules": [{"pattern": "h", "rename": "never"}, {"pattern": "value()", "insert": 0.25, "delete": 0.25, "rename": 0.25}]}');
SELECT n, (same_rows('SELECT a.id, b.id FROM page a JOIN page b ON tree_within(a.doc, b.doc, 1.5, MODEL)', costs)).* FROM model ORDER BY n;
SELECT n, (same_rows('SELECT a.id, b.id, tree_edit_distance(b.doc, a.doc, MODEL) FROM page a JOIN page b ON a.id < b.id AND tree_edit_distance(b.doc, a.doc, MODEL) < 1.25', costs)).* FROM model ORDER BY n;
SELECT n, (same_rows('SELECT a.id, b.id FROM page a JOIN note b ON 1 >= tree_edit_distance_less_equal(a.doc, b.doc, 1, MODEL)', costs)).* FROM model ORDER BY n;
SELECT n, (same_rows('SELECT a.id, b.id, min(tree_edit_distance(b.doc, a.doc, MODEL)) OVER (PARTITION BY a.id) FROM note b LEFT JOIN page a ON tree_within(b.doc, a.doc, b.k, MODEL)', costs)).* FROM model ORDER BY n;
SELECT n, (same_rows('SELECT a.id FROM page a WHERE NOT EXISTS (SELECT FROM note b WHERE b.id <> a.id AND tree_within(b.doc, a.doc, 0.5, MODEL))', costs)).* FROM model ORDER BY n;
-- by similarities, which compare with what both trees cost
SELECT n, (same_rows('SELECT a.id, b.id, tree_similarity(a.doc, b.doc, MODEL) FROM page a JOIN page b ON tree_similar(a.doc, b.doc, 0.75, MODEL)', costs)).* FROM model ORDER BY n;
SELECT n, (same_rows('SELECT a.id, b.id, tree_edit_distance(b.doc, a.doc, MODEL) FROM page a JOIN page b ON a.id < b.id AND tree_similarity(b.doc, a.doc, MODEL) > 0.8', costs)).* FROM model ORDER BY n;
SELECT n, (same_rows('SELECT a.id, b.id FROM page a JOIN note b ON 0.2 >= tree_normalized_distance(a.doc, b.doc, MODEL)', costs)).* FROM model ORDER BY n;
SELECT n, (same_rows('SELECT a.id, b.id FROM page a JOIN note b ON tree_normalized_distance(a.doc, b.doc, MODEL) < 0.2', costs)).* FROM model WHERE n = 1;
SELECT n, (same_rows('SELECT a.id, b.id, max(tree_normalized_distance(b.doc, a.doc, MODEL)) OVER (PARTITION BY a.id) FROM note b LEFT JOIN page a ON tree_similar(b.doc, a.doc, 1 - b.k / 3, MODEL)', costs)).* FROM model ORDER BY n;
SELECT n, (same_rows('SELECT a.id, b.id FROM page a JOIN note b ON tree_similar(a.doc, b.doc, 0, MODEL) AND a.id < 20', costs)).* FROM model ORDER BY n;
-- documents of other types
SELECT (same_rows('SELECT a.id, b.id FROM (SELECT id, jsonb_build_object(''id'', id, ''v'', id % 7) doc FROM page) a JOIN (SELECT id, jsonb_build_object(''id'', id, ''v'', id % 5) doc FROM page) b ON tree_within(a.doc, b.doc, 0.5, MODEL)',
	'{"numbers": "relative", "rules": [{"pattern": "\"id\":", "ignore": true}]}')).*;
-- all that grades, and what is ignored at the top
INSERT INTO model VALUES (11, '{"texts": "lcs", "numbers": "relative"}'), (12, '{"texts": "levenshtein", "rules": [{"pattern": "text()", "texts": "lcs", "rename": 0.5}]}'),
	(13, '{"texts": "levenshtein", "rules": [{"pattern": "p", "ignore": true}]}'), (14, '{"texts": "lcs", "rules": [{"pattern": "element()", "texts": "lcs"}, {"pattern": "heading*", "rename": "never"}]}');
SELECT n, (same_rows('SELECT a.id, b.id FROM page a JOIN note b ON tree_within(a.doc, b.doc, 1.5, MODEL)', costs)).* FROM model WHERE n > 10 ORDER BY n;
SELECT n, (same_rows('SELECT a.id, b.id FROM page a JOIN page b ON a.id < b.id AND tree_within(b.doc, a.doc, 2, MODEL)', costs)).* FROM model WHERE n > 10 ORDER BY n;
-- a text matches an element that is spelt alike, which no text of the indexed side is
SELECT count(*) FROM (VALUES ('{r{zz}{y}}'::tree), ('{r{zz}{x}}')) a(t) JOIN (VALUES ('{r{zz{k}}{y}}'::tree)) b(t) ON tree_within(a.t, b.t, 1, '{"texts": "lcs"}');
SELECT (same_rows('SELECT a.id, b.id FROM (SELECT id, (''{r{t'' || id % 3 || ''}{y}}'')::tree AS doc FROM page) a JOIN (SELECT id, (''{r{t'' || id % 5 || ''{k}}{y}}'')::tree AS doc FROM page) b ON tree_within(b.doc, a.doc, 1, MODEL)', '{"texts": "lcs"}')).*;
SELECT (same_rows('SELECT a.id, b.id FROM (SELECT id, (''{r{t'' || id % 3 || ''}{y}}'')::tree AS doc FROM page) a JOIN (SELECT id, (''{r{t'' || id % 5 || ''{k}}{y}}'')::tree AS doc FROM page) b ON tree_within(a.doc, b.doc, 1, MODEL)', '{"texts": "lcs"}')).*;
-- one label costs more than any trees without it may
CREATE TABLE dear AS SELECT i AS id, ('{r{a{x' || i % 4 || '}}{b}{c}{d}{e}{f}' || CASE WHEN i = 7 THEN '{gold}' ELSE '' END || '}')::tree AS doc FROM generate_series(1, 12) i;
ANALYZE dear;
SELECT (same_rows('SELECT a.id, b.id FROM dear a JOIN dear b ON a.id < b.id AND tree_within(a.doc, b.doc, ' || k || ', MODEL)', '{"texts": "lcs", "rules": [{"pattern": "gold", "insert": 100000, "delete": 100000}]}')).*
FROM (VALUES (0.5), (100000.5)) v(k);
DROP TABLE dear;
-- in blocks
CREATE TABLE entry AS SELECT i AS id, ('{p{@id{' || i || '}}{h{heading ' || i % 83 || '}}' || repeat('{b{text ' || i % 89 || '}}', i % 7) || '}')::tree AS doc FROM generate_series(1, 400) i;
ANALYZE entry;
SET work_mem = '64kB';
SET hash_mem_multiplier = 1;
SELECT n, (same_rows('SELECT a.id, b.id FROM page a JOIN entry b ON tree_within(a.doc, b.doc, 1, MODEL)', costs)).* FROM model WHERE n IN (4, 5, 8) ORDER BY n;
SELECT n, (same_rows('SELECT a.id, b.id FROM page a JOIN entry b ON tree_similar(a.doc, b.doc, 0.8, MODEL)', costs)).* FROM model WHERE n IN (4, 5, 8) ORDER BY n;
RESET work_mem;
RESET hash_mem_multiplier;

-- what EXPLAIN shows
EXPLAIN (COSTS OFF) SELECT a.id, b.id, tree_similarity(a.doc, b.doc, '{"rename": 0.5}') FROM page a JOIN page b ON a.id < b.id AND tree_similarity(a.doc, b.doc, '{"rename": 0.5}') >= 0.9;
EXPLAIN (COSTS OFF) SELECT a.id, b.id FROM page a JOIN page b ON tree_normalized_distance(b.doc, a.doc, '{"insert": 2}') < 0.1;
EXPLAIN (COSTS OFF) SELECT a.id, b.id, tree_edit_distance(a.doc, b.doc, '{"rename": 0.5}') FROM page a JOIN page b ON a.id < b.id AND tree_within(a.doc, b.doc, 1.5, '{"rename": 0.5}');
EXPLAIN (COSTS OFF) SELECT a.id, b.id FROM page a JOIN page b ON tree_edit_distance(b.doc, a.doc, '{"insert": 2}') <= 1.5;
-- models of which nothing is known when a join is planned, and those that a join cannot take
PREPARE by_model(tree_costs, float8) AS SELECT count(*) FROM page a JOIN page b ON tree_within(a.doc, b.doc, $2, $1);
SET plan_cache_mode = force_generic_plan;
EXPLAIN (COSTS OFF) EXECUTE by_model('{}', 1);
EXECUTE by_model('{}', 1);
EXECUTE by_model('{"rename": 0.5}', 1);
EXECUTE by_model('{"insert": 0}', 1);
EXECUTE by_model(NULL, 1);
EXECUTE by_model('{}', NULL);
EXECUTE by_model('{}', 'NaN');
EXECUTE by_model('{}', -1);
RESET plan_cache_mode;
SET ted.explain_rejected = on;
SELECT count(*) FROM page a JOIN page b ON tree_within(a.doc, b.doc, 0.5, CASE WHEN a.id > 9 THEN '{}' ELSE '{"rename": 0.5}' END::tree_costs);
SELECT count(*) FROM page a JOIN page b ON tree_edit_distance_less_equal(a.doc, b.doc, 0.5, '{}') <= 1;
RESET ted.explain_rejected;

-- the aggregate, with the pairs of a plain join
SELECT n, count(*), round(sum(distance)::numeric, 3) AS sum, (SELECT array_agg((left_id, right_id, distance) ORDER BY left_id, right_id) FROM unnest(found)) =
  (SELECT array_agg((a.id::bigint, b.id::bigint, tree_edit_distance(a.doc, b.doc, costs)) ORDER BY a.id, b.id) FROM page a JOIN page b ON a.id < b.id AND tree_within(a.doc, b.doc, 1.5, costs)) AS same
FROM (SELECT n, costs, tree_within_pairs(id, doc, 1.5, costs) AS found FROM page, model GROUP BY n, costs) j, unnest(found) GROUP BY n, costs, found ORDER BY n;
-- of two sides, from left to right, and of the right one with itself
SELECT n, (SELECT array_agg((left_id, right_id, distance) ORDER BY left_id, right_id) FROM unnest(apart)) =
    (SELECT array_agg((a.id::bigint, b.id::bigint, tree_edit_distance(a.doc, b.doc, costs)) ORDER BY a.id, b.id) FROM page a JOIN page b ON a.id % 3 = 0 AND b.id % 3 > 0 AND tree_within(a.doc, b.doc, 1, costs)) AS apart,
  (SELECT array_agg((left_id, right_id, distance) ORDER BY left_id, right_id) FROM unnest(own)) =
    (SELECT array_agg((a.id::bigint, b.id::bigint, tree_edit_distance(a.doc, b.doc, costs)) ORDER BY a.id, b.id) FROM page a JOIN page b ON b.id % 3 > 0 AND (a.id % 3 = 0 OR a.id < b.id) AND tree_within(a.doc, b.doc, 1, costs)) AS own
FROM (SELECT n, costs, tree_within_pairs(id, doc, 1, CASE WHEN id % 3 = 0 THEN 'l' ELSE 'r' END::"char", costs) AS apart,
        tree_within_pairs(id, doc, 1, CASE WHEN id % 3 = 0 THEN 'l' ELSE 'o' END::"char", costs) AS own FROM page, model GROUP BY n, costs) j ORDER BY n;
-- by parallel workers
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET max_parallel_workers_per_gather = 2;
SELECT cardinality(tree_within_pairs(id, doc, 1.5, tree_costs '{"rename": 0.5}')) FROM page;
RESET parallel_setup_cost;
RESET parallel_tuple_cost;
RESET min_parallel_table_scan_size;
RESET max_parallel_workers_per_gather;
-- no document, no limit, and what is refused
SELECT tree_within_pairs(id, doc, 1, tree_costs '{}') FROM page WHERE id = 61;
SELECT cardinality(tree_within_pairs(id, doc, 'NaN', tree_costs '{}')) FROM page WHERE id < 10;
SELECT tree_within_pairs(id, doc, -0.5, tree_costs '{}') FROM page;
SELECT tree_within_pairs(id, doc, id, tree_costs '{}') FROM page WHERE id < 3;
SELECT tree_within_pairs(id, doc, 1, costs) FROM page, model WHERE n < 3;
SELECT tree_within_pairs(id, doc, 1, NULL::tree_costs) FROM page;
SELECT tree_within_pairs(id, doc, 1, 'x', tree_costs '{}') FROM page;
SELECT tree_within_pairs_finalfn(ARRAY[ROW(1, NULL, 1, '{a}', '{}')::tree_costs_join_row]);
CREATE AGGREGATE begun_join(bigint, tree, float8, tree_costs) (SFUNC = tree_within_pairs_transfn,
  STYPE = tree_costs_join_row[], FINALFUNC = tree_within_pairs_finalfn, INITCOND = '{"(100,,1,{a},)"}');
SELECT begun_join(id, doc, 1, '{}') FROM page;
DROP AGGREGATE begun_join(bigint, tree, float8, tree_costs);

-- searches by an index
CREATE INDEX page_doc ON page USING gist (doc);
SET enable_seqscan = off;
EXPLAIN (COSTS OFF) SELECT id FROM page WHERE tree_within(doc, '{p{@id{8}}{h{heading 1}}}', 1.5, '{"rename": 0.5}');
SELECT id FROM page WHERE tree_within(doc, '{p{@id{8}}{h{heading 1}}}', 1.5, '{"rename": 0.5}') ORDER BY id;
SELECT id FROM page WHERE tree_edit_distance('{p{@id{8}}{h{heading 1}}}', doc, '{"rename": 0.5, "delete": 3}') < 2 ORDER BY id;
SET enable_seqscan = on;
SET enable_indexscan = off;
SET enable_bitmapscan = off;
SELECT id FROM page WHERE tree_within(doc, '{p{@id{8}}{h{heading 1}}}', 1.5, '{"rename": 0.5}') ORDER BY id;
SELECT id FROM page WHERE tree_edit_distance('{p{@id{8}}{h{heading 1}}}', doc, '{"rename": 0.5, "delete": 3}') < 2 ORDER BY id;
RESET enable_indexscan;
RESET enable_bitmapscan;

-- nodes that are ignored match ignored ones only
SELECT tree_edit_distance('{p{@id{1}}}', '{p{1}}', '{"rules": [{"pattern": "@id", "ignore": true}]}');
DEALLOCATE ALL;
DROP FUNCTION same_rows;
DROP TABLE page, note, entry, model;
