-- The nearest documents, and searches by indexes, by models of costs
CREATE TABLE page (id int PRIMARY KEY, doc tree);
INSERT INTO page
SELECT i, ('{p{@id{' || i || '}}' || '{h{heading ' || i % 7 || '}}' || repeat('{b{text ' || i % 5 || '}}', i % 4) ||
	CASE WHEN i % 9 = 0 THEN '{h}' WHEN i % 11 = 0 THEN '{heading 1{h}}' ELSE '' END || '}')::tree
FROM generate_series(1, 80) i;
INSERT INTO page VALUES (81, NULL), (82, '{@id{x}}'), (83, '{@id{y}{z}}'), (84, '{x}'), (85, '{p{@id{8}}{h{heading 1}}}');
ANALYZE page;
CREATE TABLE model (n int PRIMARY KEY, costs tree_costs);
INSERT INTO model VALUES (1, '{}'), (2, '{"rename": 0.5}'), (3, '{"rename": 3}'), (4, '{"insert": 2, "delete": 0.5}'),
	(5, '{"texts": "levenshtein"}'), (6, '{"texts": "lcs", "rename": 0.75}'),
	(7, '{"rules": [{"pattern": "@id", "ignore": true}]}'), (8, '{"texts": "lcs", "rules": [{"pattern": "@id", "ignore": true}]}'),
	(9, '{"numbers": "relative", "rules": [{"pattern": "b", "insert": 0, "delete": 0, "rename": 0}]}'),
	(10, '{"rules": [{"pattern": "h", "rename": "never"}, {"pattern": "attribute()", "insert": 0.25, "delete": 0.125}]}'),
	(11, '{"rules": [{"pattern": "element()", "texts": "lcs"}]}'), (12, '{"insert": 0, "delete": 0}'),
	(13, '{"rules": [{"pattern": "p", "ignore": true}]}');

SET client_min_messages = warning; -- not that renaming some nodes is never the best choice
-- whether a plan has a node, and the rows of a query are those of a plain plan
CREATE FUNCTION same_rows(query_text text, model tree_costs, node text, OUT planned boolean, OUT rows bigint, OUT same boolean) AS $$
DECLARE
	query text := replace(query_text, 'MODEL', quote_literal(model) || '::tree_costs');
	line text;
	own text[];
	plain text[];
BEGIN
	planned := false;
	FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
		planned := planned OR line LIKE '%' || node || '%';
	END LOOP;
	EXECUTE 'SELECT array_agg(r::text ORDER BY r::text) FROM (' || query || ') r' INTO own;
	SET LOCAL ted.enable_nearest = off;
	SET LOCAL enable_indexscan = off;
	SET LOCAL enable_bitmapscan = off;
	EXECUTE 'SELECT array_agg(r::text ORDER BY r::text) FROM (' || query || ') r' INTO plain;
	RESET ted.enable_nearest;
	RESET enable_indexscan;
	RESET enable_bitmapscan;
	rows := coalesce(cardinality(own), 0);
	same := own IS NOT DISTINCT FROM plain;
END
$$ LANGUAGE plpgsql;

-- the nearest, by each measure and in both directions
SELECT n, s.* FROM model, same_rows('SELECT tree_edit_distance(doc, ''{p{@id{8}}{h{heading 1}}}'', MODEL) FROM page ORDER BY 1 LIMIT 12', costs, 'TedNearest') s ORDER BY n;
SELECT n, s.* FROM model, same_rows('SELECT tree_edit_distance(''{p{@id{9}}{h{heading 2}}{b{text 4}}}'', doc, MODEL) FROM page ORDER BY 1 LIMIT 7', costs, 'TedNearest') s ORDER BY n;
SELECT n, s.* FROM model, same_rows('SELECT tree_similarity(doc, ''{p{h{heading 1}}{b{text}}}'', MODEL) FROM page ORDER BY 1 DESC NULLS LAST LIMIT 12', costs, 'TedNearest') s ORDER BY n;
SELECT n, s.* FROM model, same_rows('SELECT tree_normalized_distance(''{p{h{heading 1}}{b{text}}}'', doc, MODEL) FROM page ORDER BY 1 LIMIT 12', costs, 'TedNearest') s ORDER BY n;
-- for each row of another table, with conditions, and until no row is left
SELECT n, s.* FROM model, same_rows('SELECT a.id, b.d FROM page a, LATERAL (SELECT tree_edit_distance(b.doc, a.doc, MODEL) AS d FROM page b WHERE b.id % 7 <> a.id % 7 ORDER BY 1 LIMIT 3) b', costs, 'TedNearest') s ORDER BY n;
SET enable_sort = off;
SELECT n, s.* FROM model, same_rows('SELECT tree_edit_distance(''{z}'', doc, MODEL) AS d FROM page ORDER BY d LIMIT 1000', costs, 'TedNearest') s ORDER BY n;
RESET enable_sort;
-- models that change, are a parameter or NULL
SELECT n, d FROM model, LATERAL (SELECT tree_edit_distance(doc, '{p{@id{9}}{h{heading 2}}}', costs) AS d FROM page ORDER BY 1 LIMIT 2) p ORDER BY n, d;
PREPARE nearest(tree_costs) AS SELECT tree_edit_distance(doc, '{p{@id{9}}{h{heading 2}}}', $1) AS d FROM page ORDER BY 1 LIMIT 2;
SET plan_cache_mode = force_generic_plan;
EXPLAIN (COSTS OFF) EXECUTE nearest('{}');
EXECUTE nearest('{"rename": 0.5}');
EXECUTE nearest(NULL);
RESET plan_cache_mode;
SELECT id FROM page ORDER BY tree_edit_distance(doc, '{x}', (SELECT costs FROM model WHERE n = 2)) LIMIT 1;

-- thresholds, by an index of either kind
CREATE INDEX page_doc ON page USING gist (doc);
SET enable_seqscan = off;
EXPLAIN (COSTS OFF) SELECT id FROM page WHERE tree_within(doc, '{p{@id{8}}{h{heading 1}}}', 0.5, '{"texts": "lcs"}');
EXPLAIN (COSTS OFF) SELECT id FROM page WHERE tree_edit_distance('{p{@id{8}}{h{heading 1}}}', doc, '{"rules": [{"pattern": "@id", "ignore": true}]}') < 1;
SELECT n, s.* FROM model, same_rows('SELECT id FROM page WHERE tree_within(doc, ''{p{@id{8}}{h{heading 1}}}'', 1.5, MODEL)', costs, 'page_doc') s ORDER BY n;
SELECT n, s.* FROM model, same_rows('SELECT a.id, b.id FROM page a, LATERAL (SELECT id FROM page b WHERE tree_edit_distance(a.doc, b.doc, MODEL) <= 0.5 OFFSET 0) b', costs, 'page_doc') s ORDER BY n;
DROP INDEX page_doc;
CREATE INDEX page_doc ON page USING gin (doc);
SELECT n, s.* FROM model, same_rows('SELECT id FROM page WHERE tree_within(doc, ''{p{@id{8}}{h{heading 1}}}'', 1.5, MODEL)', costs, 'page_doc') s ORDER BY n;
SELECT n, s.* FROM model, same_rows('SELECT a.id, b.id FROM page a, LATERAL (SELECT id FROM page b WHERE tree_edit_distance(a.doc, b.doc, MODEL) <= 0.5 OFFSET 0) b', costs, 'page_doc') s ORDER BY n;
-- similarities compare all rows
SELECT n, s.* FROM model, same_rows('SELECT id FROM page WHERE tree_similarity(doc, ''{p{@id{8}}{h{heading 1}}}'', MODEL) >= 0.5', costs, 'page_doc') s WHERE n < 9 ORDER BY n;
SELECT n, s.* FROM model, same_rows('SELECT id FROM page WHERE tree_similar(doc, ''{p{@id{8}}{h{heading 1}}}'', 0.5, MODEL)', costs, 'page_doc') s WHERE n < 9 ORDER BY n;
-- limits that are no cost
SELECT count(*) FROM page WHERE tree_edit_distance(doc, '{x}', '{"rename": 0.5}') <= 'NaN';
SELECT count(*) FROM page WHERE tree_edit_distance(doc, '{x}', '{"rename": 0.5}') <= (SELECT -1::float8);
SELECT count(*) FROM page WHERE tree_within(doc, '{x}', 'Infinity', '{"texts": "lcs"}');
SELECT count(*) FROM page WHERE tree_within(doc, '{x}', -1, '{"texts": "lcs"}');
SELECT count(*) FROM page WHERE tree_within(doc, '{x}', 1, NULL::tree_costs);
RESET enable_seqscan;

-- ranges
SELECT tree_range('{a}', 1.5, '{"rename": 0.5}'), '{a}' <~ ROW('{b}', 0.5, '{"rename": 0.5}')::tree_range AS half, '{a}' <~ ROW('{b}', 0.4, '{"rename": 0.5}')::tree_range AS less;
SELECT tree_range('{a}', -1, '{}');
SELECT '{a{b}}' <~ tree_range('{a{c}}', d, m) AS reach, d, m
FROM (VALUES (0.001::float8, '{"texts": "lcs"}'::tree_costs), (0.5, '{}'), (0, '{"rules": [{"pattern": "c", "ignore": true}]}')) v (d, m);
RESET client_min_messages;
DEALLOCATE ALL;
DROP FUNCTION same_rows;
DROP TABLE page, model;
