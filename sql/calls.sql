-- Calls as users write them: documents of every type, of two types, and literals; thresholds of every type; costs by name.
\pset null -
CREATE FUNCTION result_of(call text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE result text;
BEGIN
  EXECUTE 'SELECT ' || call INTO result;
  RETURN result;
EXCEPTION WHEN others THEN
  RETURN SQLERRM;
END $$;

CREATE TABLE documents (type text, a text, b text);
INSERT INTO documents VALUES
  ('tree', $$'{a{b}{c}}'::tree$$, $$'{a{b}{d}}'::tree$$),
  ('xml', $$'<a><b/><c/></a>'::xml$$, $$'<a><b/><d/></a>'::xml$$),
  ('json', $$'[1, 2]'::json$$, $$'[1, 3]'::json$$),
  ('jsonb', $$'[1, 2]'::jsonb$$, $$'[1, 3]'::jsonb$$),
  ('tree, literal', $$'{a{b}{c}}'::tree$$, $$'{a{b}{d}}'$$),
  ('xml, literal', $$'<a><b/><c/></a>'::xml$$, $$'<a><b/><d/></a>'$$),
  ('json, literal', $$'[1, 2]'::json$$, $$'[1, 3]'$$),
  ('jsonb, literal', $$'[1, 2]'::jsonb$$, $$'[1, 3]'$$),
  ('literals', $$'{a{b}{c}}'$$, $$'{a{b}{d}}'$$);

-- a call has the same result for all of them, but where types are listed behind it
CREATE VIEW results AS
SELECT call, n, type, result_of(format(call, a, b)) AS result
FROM documents, unnest(ARRAY[
  'tree_edit_distance(%s, %s)',
  'tree_edit_distance(%s, %s, 3)',
  'tree_edit_distance(%s, %s, 3, 2)',
  'tree_edit_distance(%s, %s, 1, 1, 2)',
  'tree_edit_distance(%s, %s, ins_cost => 2)',
  'tree_edit_distance(%s, %s, del_cost => 2)',
  'tree_edit_distance(%s, %s, ren_cost => 2)',
  'tree_edit_distance(%s, %s, ins_cost => 0, del_cost => 0)',
  'tree_edit_distance(%s, %s, ren_cost => 3, ins_cost => 0)',
  'tree_edit_distance(%s, %s, del_cost => 0, ren_cost => 3)',
  'tree_edit_distance(%s, %s, ren_cost => 0, ins_cost => 2, del_cost => 2)',
  'tree_edit_distance(%s, %s, ren_cost => 2::smallint)',
  'tree_edit_distance(%s, %s, tree_costs(ren => 2))',
  'tree_edit_distance(%s, %s, ''{"ren": 2}'')',
  'tree_edit_distance(%s, %s, costs => ''{"ren": 2}'')',
  'tree_edit_distance_less_equal(%s, %s, 1)',
  'tree_edit_distance_less_equal(%s, %s, 1::bigint)',
  'tree_edit_distance_less_equal(%s, %s, 1.5)',
  'tree_edit_distance_less_equal(%s, %s, 2, 2, 2, 4)',
  'tree_edit_distance_less_equal(%s, %s, ins_cost => 2, del_cost => 2, ren_cost => 2, max_distance => 4)',
  'tree_edit_distance_less_equal(%s, %s, 4.5, ''{"ren": 2}'')',
  'tree_within(%s, %s, 1)',
  'tree_within(%s, %s, 1::smallint)',
  'tree_within(%s, %s, 3000000000)',
  'tree_within(%s, %s, 1.5)',
  'tree_within(%s, %s, 0.999)',
  'tree_within(%s, %s, 1::float8)',
  'tree_within(%s, %s, ''Infinity''::float8)',
  'tree_within(%s, %s, ''NaN''::float8)',
  'tree_within(%s, %s, 1::real)',
  'tree_within(%s, %s, ''1'')',
  'tree_within(%s, %s, max_distance => 1::bigint)',
  'tree_within(%s, %s, NULL::bigint)',
  'tree_within(%s, %s, -1)',
  'tree_within(%s, %s, -0.5)',
  'tree_within(%s, %s, 1::bigint, ''{"ren": 2}'')',
  'tree_similarity(%s, %s) > 0.6',
  'tree_similar(%s, %s, 0)',
  'tree_similar(%s, %s, 0::bigint)',
  'tree_similar(%s, %s, 0.6)',
  'tree_similar(%s, %s, 0.6::float8)',
  'tree_similar(%s, %s, ''0.6'')',
  'json_edit_distance(%s, %s)',
  'json_edit_distance_less_equal(%s, %s, 1::bigint)',
  'json_within(%s, %s, 1)',
  'json_within(%s, %s, 1::bigint)',
  'json_within(%s, %s, 1.5)',
  'tree_pqgram_distance(%s, %s) > 0',
  'tree_normalized_distance(%s, %s)',
  '(%s <%%> %s) < 0.4',
  '%s <=> %s',
  '(%s <#> %s) > 0',
  'tree_edit_distance_lower_bound(%s, %s)',
  '(tree_edit_counts(%s, %s)).renamed',
  'tree_diff(%s, %s) <> ''''',
  'tree_edit_distances(%1$s, ARRAY[%1$s, %2$s])',
  '(SELECT count(*) FROM tree_edit_mapping(%s, %s, ren_cost => 2))',
  '(SELECT count(*) FROM tree_edit_mapping(%s, %s, ''{"ren": 2}''))',
  '(SELECT count(*) FROM tree_subtree_within(%s, %s, 1))']) WITH ORDINALITY calls (call, n);

SELECT call, result, CASE WHEN count(*) < 9 THEN string_agg(type, '; ' ORDER BY type) END AS of
FROM results GROUP BY call, n, result ORDER BY n, result;

-- documents of two types are compared as trees
SELECT x.type, y.type, result_of(format('tree_edit_distance(%s, %s)', x.a, y.b)),
  result_of(format('tree_within(%s, %s, 5::bigint)', x.a, y.b)) AS within,
  result_of(format('tree_diff(%s, %s) <> ''''', x.a, y.b)) AS differ
FROM documents x, documents y
WHERE x.type < y.type AND x.type || y.type !~ 'literal' ORDER BY 1, 2;

-- aggregates and window functions
SELECT call, type, result_of(format(call, a, b))
FROM documents, unnest(ARRAY[
  '(SELECT tree_within_pairs(id, doc, 1) FROM (VALUES (1, %s), (2, %s)) d(id, doc))',
  '(SELECT tree_within_pairs(id, doc, 1::bigint) FROM (VALUES (1, %s), (2, %s)) d(id, doc))',
  '(SELECT tree_within_pairs(id, doc, 0.9) FROM (VALUES (1, %s), (2, %s)) d(id, doc))',
  '(SELECT tree_within_pairs(id, doc, 3000000000, ''o''::"char") FROM (VALUES (1, %s), (2, %s)) d(id, doc))',
  '(SELECT tree_within_pairs(id, doc, ''1'') FROM (VALUES (1, %s), (2, %s)) d(id, doc))',
  '(SELECT tree_within_pairs(id, doc, -1.5) FROM (VALUES (1, %s), (2, %s)) d(id, doc))',
  '(SELECT tree_within_pairs(id, doc, NULL::bigint) FROM (VALUES (1, %s), (2, %s)) d(id, doc))',
  '(SELECT max(c) FROM (SELECT tree_within_cluster(doc, 1) OVER () FROM (VALUES (1, %s), (2, %s)) d(id, doc)) w(c))',
  '(SELECT max(c) FROM (SELECT tree_within_cluster(doc, 0.9) OVER () FROM (VALUES (1, %s), (2, %s)) d(id, doc)) w(c))',
  '(SELECT max(c) FROM (SELECT tree_within_cluster(doc, 3000000000) OVER () FROM (VALUES (1, %s), (2, %s)) d(id, doc)) w(c))'])
  WITH ORDINALITY calls (call, n)
WHERE type IN ('tree', 'xml', 'json', 'jsonb') ORDER BY n, type;

-- strings
SELECT call, result_of(call)
FROM unnest(ARRAY[
  $$lcs_within('abc', 'abd', 2)$$, $$lcs_within('abc', 'abd', 2::bigint)$$, $$lcs_within('abc', 'abd', 1.9)$$,
  $$lcs_within('abc', 'abd', '2')$$, $$lcs_within('abc'::bytea, 'abd', 2::bigint)$$,
  $$lcs_within('{1,2}'::int[], '{1,3}', 2::bigint)$$, $$lcs_within('{1,2}'::bigint[], '{1,3}', 2::bigint)$$,
  $$lcs_within('{a,b}'::text[], '{a,c}', 2::bigint)$$, $$lcs_distance_less_equal('abc', 'abd', 2.5)$$,
  $$lcs_similar('abc', 'abd', 0.6)$$, $$lcs_similar('abc', 'abd', 1)$$, $$lcs_similar('abc', 'abd', '0.6')$$,
  $$(SELECT lcs_similar_pairs(id, doc, 0.6) FROM (VALUES (1, 'abc'), (2, 'abd')) d(id, doc))$$,
  $$(SELECT lcs_similar_pairs(id, doc, 1) FROM (VALUES (1, 'abc'), (2, 'abd')) d(id, doc))$$]) call;

-- the planner sees the threshold and the costs that are meant
SET enable_seqscan = off;
SET ted.enable_nearest = off;
CREATE TABLE called (id bigint, k bigint, doc jsonb, t tree);
CREATE INDEX ON called USING gist (t);
CREATE INDEX ON called USING gist ((doc::tree));
EXPLAIN (COSTS OFF) SELECT id FROM called WHERE tree_within(t, '{a}', 2::bigint);
EXPLAIN (COSTS OFF) SELECT id FROM called WHERE tree_within(doc, '[1]', 2.5);
EXPLAIN (COSTS OFF) SELECT id FROM called WHERE tree_within(doc, '{a}'::tree, 2);
EXPLAIN (COSTS OFF) SELECT id FROM called ORDER BY doc <-> '{a}' LIMIT 1;
EXPLAIN (COSTS OFF) SELECT id FROM called WHERE tree_edit_distance(doc, '[1]', ren_cost => 2) <= 2;
PREPARE search(tree, bigint) AS SELECT id FROM called WHERE tree_within(t, $1, $2);
SET plan_cache_mode = force_generic_plan;
EXPLAIN (COSTS OFF) EXECUTE search('{a}', 2);
SELECT explain('SELECT a.id FROM called a, called b WHERE tree_within(a.doc, b.doc, a.k)');
SELECT explain('SELECT a.id FROM called a, called b WHERE tree_edit_distance(a.doc, b.t, ren_cost => 2) <= 2');
RESET enable_seqscan;
RESET plan_cache_mode;
RESET ted.enable_nearest;

DROP TABLE called;
DROP VIEW results;
DROP TABLE documents;
DROP FUNCTION result_of;
