-- Statements in the spellings that people use, which get the plan of the best one

SET ted.explain_hardware = off;
SET jit = off;
SET max_parallel_workers_per_gather = 0;
CREATE TABLE names (id int, name text);
INSERT INTO names SELECT i, CASE WHEN i % 97 <> 0 THEN left(md5((i / 2)::text), 3 + i % 11) || i % 2 END FROM generate_series(1, 700) i;
CREATE TABLE docs (id int, doc tree);
INSERT INTO docs
SELECT i, CASE WHEN i % 37 <> 0 THEN ('{r{' || i % 50 || '}' || repeat('{x}', i % 7) || '{' || i % 11 || '}}')::tree END
FROM generate_series(1, 500) i;
CREATE TABLE xmls AS SELECT id, ('<r><a>' || id % 50 || '</a>' || repeat('<x/>', id % 7) || '</r>')::xml AS doc FROM docs;
ANALYZE names, docs, xmls;

-- Runs a query with and without what plans it; the nodes of its plan.
CREATE FUNCTION same(query text, OUT plan text, OUT rows bigint, OUT same boolean) AS $$
DECLARE
	gathered text := 'SELECT count(*), string_agg(q::text, '' '' ORDER BY q::text) FROM (' || query || ') q';
	line text;
	own_rows text;
	other bigint;
	other_rows text;
BEGIN
	plan := '';
	FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
		plan := plan || coalesce(substring(line, 'TedJoin|TedNearest|Bitmap Index|Index Scan|Nested Loop|Sort$|Append'), '');
	END LOOP;
	EXECUTE gathered INTO rows, own_rows;
	SET LOCAL ted.enable_join = off;
	SET LOCAL ted.enable_nearest = off;
	SET LOCAL enable_indexscan = off;
	SET LOCAL enable_bitmapscan = off;
	EXECUTE gathered INTO other, other_rows;
	RESET ted.enable_join;
	RESET ted.enable_nearest;
	RESET enable_indexscan;
	RESET enable_bitmapscan;
	same := rows = other AND own_rows IS NOT DISTINCT FROM other_rows;
END $$ LANGUAGE plpgsql;

-- that a first pair is near is not taken for granted, with and without statistics
CREATE TABLE apart AS SELECT i AS id, md5(i::text) AS name, to_jsonb(string_to_array(md5(i::text), NULL)) AS doc FROM generate_series(1, 1500) i;
CREATE FUNCTION plans(query text) RETURNS text AS $$
DECLARE
	line text;
	plan text := '';
BEGIN
	FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
		plan := plan || coalesce(substring(line, 'TedJoin|Nested Loop'), '');
	END LOOP;
	RETURN plan;
END $$ LANGUAGE plpgsql;
SELECT c, plans('SELECT a.id FROM apart a JOIN apart b ON a.id < b.id AND ' || c || ' LIMIT 1') INTO TEMP first_pairs FROM unnest(ARRAY[
  'tree_edit_distance(tree(a.doc), tree(b.doc)) <= 3', 'tree_within(tree(a.doc), tree(b.doc), 3)', 'tree(a.doc) <%> tree(b.doc) <= 0.1',
  'json_within(tree(a.doc), tree(b.doc), 3)', 'lcs_similarity(a.name, b.name) >= 0.9', 'a.name <%> b.name < 0.1', 'a.name <~> b.name < 4'
]) c;
ANALYZE apart;
SELECT c, plans AS without, plans('SELECT a.id FROM apart a JOIN apart b ON a.id < b.id AND ' || c || ' LIMIT 1') AS with FROM first_pairs;
DROP TABLE apart, first_pairs;
DROP FUNCTION plans;

-- joins by the operator of 1 - similarity; limits are taken as they are rounded
SELECT c, s.* FROM unnest(ARRAY[
  'a.doc <%> b.doc <= 0.1', '0.1 >= a.doc <%> b.doc', 'a.doc <%> b.doc < 0.2', 'a.doc <%> b.doc = 0.2',
  'a.doc <%> b.doc <= 0.2::real', 'a.doc <%> b.doc <= 0.2::numeric', 'a.doc <%> b.doc BETWEEN 0.05 AND 0.2',
  'a.doc <%> b.doc <= 0', 'a.doc <%> b.doc < 0', 'a.doc <%> b.doc <= (SELECT 0.1 + min(id) / 100.0 FROM docs)',
  'a.doc <%> b.doc <= b.id / 2000.0', 'a.doc <%> b.doc <= NULL', 'a.doc <=> b.doc <= 0.1', '0.1 > a.doc <=> b.doc'
]) c, same('SELECT a.id, b.id FROM docs a JOIN docs b ON a.id < b.id AND ' || c) s;
SELECT c, s.* FROM unnest(ARRAY[
  'a.name <%> b.name <= 0.1', '0.1 >= a.name <%> b.name', 'a.name <%> b.name < 0.2', 'a.name <%> b.name = 0.2',
  'a.name <%> b.name <= 0.2::real', 'a.name <%> b.name <= 0', 'a.name <%> b.name BETWEEN 0.05 AND 0.2',
  'a.name <~> b.name <= 2::numeric', '2.5 > a.name <~> b.name'
]) c, same('SELECT a.id, b.id FROM names a JOIN names b ON a.id < b.id AND ' || c) s;
SELECT c, s.* FROM unnest(ARRAY[
  'tree(a.doc) <%> tree(b.doc) <= 0.1', '1 >= tree(a.doc) <-> tree(b.doc)'
]) c, same('SELECT a.id, b.id FROM xmls a JOIN xmls b ON a.id < b.id AND ' || c) s;

-- all numbers k / n and those beside them
SET enable_nestloop = off;
SELECT count(*) FILTER (WHERE s.same AND plan = 'TedJoin') AS same, count(*) FROM
  (SELECT DISTINCT 1 - k::float8 / n + e AS x FROM generate_series(2, 9) n, generate_series(n / 2, n) k, unnest(ARRAY[-1.2e-16, 0, 1.2e-16]) e) l,
  same('SELECT a.id, b.id FROM docs a JOIN docs b ON a.id < 60 AND b.id < 60 AND a.doc <%> b.doc <= ' || quote_literal(x)) s;
SELECT l, s.* FROM unnest('{NaN,Infinity,1,0.9999999999999999,0.9999999999999998}'::text[]) l,
  same('SELECT a.id, b.id FROM docs a JOIN docs b ON a.id < 60 AND b.id < 60 AND a.doc <%> b.doc < ' || quote_literal(l)) s;
RESET enable_nestloop;

-- searches of indexes
CREATE INDEX ON names USING profile (name);
CREATE INDEX ON docs USING gist (doc);
CREATE INDEX ON xmls USING gist (tree(doc));
SET enable_seqscan = off;
SELECT c, s.* FROM unnest(ARRAY[
  'name <%> ''c4ca1'' <= 0.3', '0.3 >= ''c4ca1'' <%> name', 'name <%> ''c4ca1'' < 0.3::real', 'name <~> ''c4ca1'' < 3.0'
]) c, same('SELECT id FROM names WHERE ' || c) s;
SELECT c, s.* FROM unnest(ARRAY[
  'doc <%> ''{r{1}{x}{1}}'' <= 0.3', '0.3 >= ''{r{1}{x}{1}}'' <%> doc', 'doc <-> ''{r{1}{x}{1}}'' < 2.0', 'doc <=> ''{r{1}{x}{1}}'' < 0.3'
]) c, same('SELECT id FROM docs WHERE ' || c) s;
SELECT c, s.* FROM unnest(ARRAY[
  'tree(doc) <%> ''{r{a{1}}{x}}'' <= 0.3', 'tree(doc) <-> ''{r{a{1}}{x}}'' < 2.0'
]) c, same('SELECT id FROM xmls WHERE ' || c) s;
SET plan_cache_mode = force_generic_plan;
PREPARE near_names(float8) AS SELECT count(*) FROM names WHERE name <%> 'c4ca1' <= $1;
EXPLAIN (COSTS OFF) EXECUTE near_names(0.3);
SELECT l, count(*) FROM unnest(ARRAY[0.3, 0.7, 'NaN', -1, NULL]::float8[]) l, names WHERE name <%> 'c4ca1' <= l GROUP BY l ORDER BY l;
EXECUTE near_names(0.3);
EXECUTE near_names(0.7);
EXECUTE near_names('NaN');
EXECUTE near_names(-1);
EXECUTE near_names(NULL);
RESET plan_cache_mode;
RESET enable_seqscan;
DEALLOCATE near_names;

-- orders from above, which have NULLs first: the rows in them, and their measures
CREATE FUNCTION same_order(query text, OUT plan text, OUT rows bigint, OUT nulls bigint, OUT same boolean) AS $$
DECLARE
	gathered text := 'SELECT count(*), count(*) FILTER (WHERE s IS NULL), array_agg(s) FROM (' || query || ') q';
	line text;
	own float8[];
	other float8[];
BEGIN
	plan := '';
	FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
		plan := plan || coalesce(substring(line, 'TedNearest|Bitmap Index |Index Scan|Seq Scan |Sort$|Append '), '');
	END LOOP;
	EXECUTE gathered INTO rows, nulls, own;
	SET LOCAL ted.enable_nearest = off;
	SET LOCAL enable_indexscan = off;
	EXECUTE gathered INTO rows, nulls, other;
	RESET ted.enable_nearest;
	RESET enable_indexscan;
	same := own IS NOT DISTINCT FROM other;
END $$ LANGUAGE plpgsql;
SET enable_sort = off;
SET ted.enable_nearest = off;
SELECT q, s.* FROM unnest(ARRAY[
  'SELECT lcs_similarity(name, ''c4ca1'') AS s FROM names ORDER BY s DESC LIMIT 40',
  'SELECT id, lcs_similarity(name, ''c4ca1'') AS s FROM names WHERE id > 200 ORDER BY s DESC LIMIT 5',
  'SELECT lcs_similarity(name, ''c4ca1'') AS s FROM names ORDER BY s DESC NULLS LAST LIMIT 40',
  'SELECT lcs_similarity(name, ''c4ca1'') AS s FROM names WHERE name IS NOT NULL ORDER BY s DESC LIMIT 40',
  'SELECT lcs_similarity(name, ''c4ca1'') AS s FROM names WHERE length(name) > 5 ORDER BY s DESC LIMIT 40',
  'SELECT lcs_similarity(name, ''c4ca1'') AS s FROM names WHERE lcs_similarity(name, ''c4ca1'') > 0.5 ORDER BY s DESC LIMIT 40',
  'SELECT lcs_similarity(name, ''c4ca1'') AS s FROM names WHERE coalesce(name, ''x'') > ''a'' ORDER BY s DESC LIMIT 40',
  'SELECT lcs_similarity(name, ''c4ca1'') AS s FROM names ORDER BY s DESC, id LIMIT 40',
  'SELECT lcs_similarity(name, (SELECT min(name) FROM names)) AS s FROM names ORDER BY s DESC LIMIT 40',
  'SELECT lcs_similarity(name, (SELECT NULL::text)) AS s FROM names ORDER BY s DESC LIMIT 40',
  'SELECT lcs_distance(name, ''c4ca1'') AS s FROM names ORDER BY s NULLS FIRST LIMIT 40',
  'SELECT tree_similarity(doc, ''{r{1}{x}{1}}'') AS s FROM docs ORDER BY s DESC LIMIT 40',
  'SELECT tree_similarity(doc, ''{r{1}{x}{1}}'') AS s FROM docs ORDER BY s DESC',
  'SELECT tree_edit_distance(doc, ''{r{1}{x}{1}}'') AS s FROM docs ORDER BY s NULLS FIRST LIMIT 40',
  'SELECT tree_similarity(tree(doc), ''{r{a{1}}{x}}'') AS s FROM xmls ORDER BY s DESC LIMIT 40'
]) q, same_order(q) s;
EXPLAIN (COSTS OFF) SELECT id FROM docs ORDER BY tree_similarity(doc, '{r{1}{x}{1}}') DESC LIMIT 40;
SELECT explain($$SELECT id FROM docs ORDER BY tree_similarity(doc, '{r{1}{x}{1}}') DESC LIMIT 40 FOR UPDATE$$);
-- the same of partitions, which a plan may prune
CREATE TABLE parts (id int, part int, name text) PARTITION BY LIST (part);
CREATE TABLE parts_1 PARTITION OF parts FOR VALUES IN (1);
CREATE TABLE parts_2 PARTITION OF parts FOR VALUES IN (2);
INSERT INTO parts SELECT id, 1 + id % 2, name FROM names;
CREATE INDEX ON parts USING profile (name);
ANALYZE parts;
SELECT q, s.* FROM unnest(ARRAY[
  'SELECT lcs_similarity(name, ''c4ca1'') AS s FROM parts ORDER BY s DESC LIMIT 40',
  'SELECT lcs_similarity(name, ''c4ca1'') AS s FROM parts WHERE id > 20 ORDER BY s DESC LIMIT 40',
  'SELECT lcs_similarity(name, ''c4ca1'') AS s FROM parts WHERE part = 2 ORDER BY s DESC LIMIT 40',
  'SELECT id, lcs_similarity(name, ''c4ca1'') AS s FROM parts_1 WHERE id > 20 ORDER BY s DESC LIMIT 40',
  'SELECT lcs_similarity(name, ''c4ca1'') AS s FROM parts JOIN generate_series(1, 1) n ON part = n ORDER BY s DESC LIMIT 40'
]) q, same_order(q) s;
SET plan_cache_mode = force_generic_plan;
PREPARE of_part(int) AS SELECT id FROM parts WHERE part = $1 ORDER BY lcs_similarity(name, 'c4ca1') DESC LIMIT 40;
EXPLAIN (COSTS OFF) EXECUTE of_part(2);
DEALLOCATE of_part;
RESET plan_cache_mode;
DROP TABLE parts;
RESET enable_sort;
RESET ted.enable_nearest;

-- why no index was chosen
SET ted.explain_rejected = on;
SET enable_indexscan = off;
SET enable_bitmapscan = off;
EXPLAIN (COSTS OFF) SELECT FROM docs WHERE doc <%> '{a}' > 0.1;
EXPLAIN (COSTS OFF) SELECT FROM docs WHERE tree_edit_distance(doc, '{a}') <= random();
EXPLAIN (COSTS OFF) SELECT FROM docs WHERE tree_edit_distance(tree(doc::text), '{a}') <= 3;
EXPLAIN (COSTS OFF) SELECT FROM docs ORDER BY tree_similarity(doc, '{a}') LIMIT 1;
EXPLAIN (COSTS OFF) SELECT FROM docs ORDER BY tree_similarity(doc, '{a}') DESC LIMIT 1 FOR UPDATE;
EXPLAIN (COSTS OFF) SELECT FROM docs ORDER BY tree(doc::text) <-> '{a}' LIMIT 1;
RESET enable_indexscan;
RESET enable_bitmapscan;
SET enable_seqscan = off;
EXPLAIN (COSTS OFF) SELECT FROM docs WHERE doc <%> '{a}' <= 0.1;
EXPLAIN (COSTS OFF) SELECT FROM docs ORDER BY tree_similarity(doc, '{a}') DESC LIMIT 1;
RESET enable_seqscan;
RESET ted.explain_rejected;
DELETE FROM names WHERE name IS NULL;
ALTER TABLE names ALTER name SET NOT NULL;
EXPLAIN (COSTS OFF) SELECT id FROM names ORDER BY lcs_similarity(name, 'c4ca1') DESC LIMIT 4;
DROP FUNCTION same_order;

-- rows that another condition leaves are few, and not worth compiling a plan for
DROP INDEX names_name_idx, docs_doc_idx, xmls_tree_idx;
CREATE FUNCTION total_cost(query text) RETURNS float8 AS $$
DECLARE
	plan json;
BEGIN
	EXECUTE 'EXPLAIN (FORMAT JSON) ' || query INTO plan;
	RETURN plan -> 0 -> 'Plan' ->> 'Total Cost';
END $$ LANGUAGE plpgsql;
SELECT q, total_cost(q) < 1000 AS cheap FROM unnest(ARRAY[
  'SELECT id FROM xmls WHERE id IN (1, 2, 3) AND tree_within(tree(doc), ''{a}'', 3)',
  'SELECT id FROM xmls WHERE id IN (1, 2, 3) AND tree_edit_distance(tree(doc), ''{a}'') <= 3',
  'SELECT id FROM docs WHERE tree_similarity(doc, ''{r}'') > 0.1 AND id < 4',
  'SELECT id FROM names WHERE lcs_similarity(name, ''c4ca1'') > 0.1 AND id < 4',
  'SELECT tree_diff(doc, ''<a/>'') FROM xmls WHERE id < 4',
  'SELECT x.* FROM docs, tree_subtree_nearest(''{r}'', doc, 3) x WHERE id < 4'
]) q;
EXPLAIN (COSTS OFF) SELECT id FROM xmls WHERE tree_edit_distance(tree(doc), '{a}') <= 3 AND id < 4 AND length(doc::text) > 0;

DROP TABLE names, docs, xmls;
DROP FUNCTION same, total_cost;
