-- Calls as users write them: documents of every type, of two types, and literals; thresholds of every type.
\pset null -
CREATE FUNCTION result_of(call text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE result text;
BEGIN
  EXECUTE 'SELECT ' || call INTO result;
  RETURN result;
EXCEPTION WHEN others THEN
  RETURN regexp_replace(regexp_replace(SQLERRM, '(function \w+)\(.*\)', '\1()'), 'exist: .*', 'exist');
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
  'tree_edit_distance(%s, %s, tree_costs(3, 2))',
  'tree_edit_distance(%s, %s, tree_costs(rename => 2))',
  'tree_edit_distance(%s, %s, tree_costs(insert => 2, delete => 2, rename => 3))',
  'tree_edit_distance(%s, %s, ''{"rename": 2}'')',
  'tree_edit_distance(%s, %s, costs => ''{"rename": 2}'')',
  'tree_edit_distance_less_equal(%s, %s, 1)',
  'tree_within(%s, %s, 1)',
  'tree_within(%s, %s, 1::smallint)',
  'tree_within(%s, %s, 1::bigint)',
  'tree_within(%s, %s, 0.9)',
  'tree_within(%s, %s, 1::float8)',
  'tree_within(%s, %s, ''1'')',
  'tree_within(%s, %s, max_distance => 1)',
  'tree_within(%s, %s, NULL)',
  'tree_within(%s, %s, -1)',
  'tree_within(%s, %s, 1::bigint, ''{"rename": 2}'')',
  'tree_within(%s, %s, 1.5, tree_costs(rename => 1.5))',
  'tree_similarity(%s, %s) > 0.6',
  'tree_similar(%s, %s, 0)',
  'tree_similar(%s, %s, 0::bigint)',
  'tree_similar(%s, %s, 0.6)',
  'tree_similar(%s, %s, ''0.6'')',
  'tree_similar(%s, %s, 60)',
  'tree_similar(%s, %s, -0.1)',
  'tree_similar(%s, %s, ''NaN'')',
  'tree_similar(%s, %s, 60, tree_costs(rename => 2))',
  'json_edit_distance(%s, %s)',
  'json_edit_distance(%s, %s, tree_costs(rename => 0.5))',
  'json_edit_distance(%s, %s, ''{"rename": 0.5}'')',
  'json_edit_distance_less_equal(%s, %s, 1)',
  'json_within(%s, %s, 1)',
  'json_within(%s, %s, 1.5)',
  'tree_diff(%s, %s) <> ''''',
  '%s = %s',
  'tree_size(%s)',
  'tree_pqgram_distance(%s, %s) > 0',
  '(%s <%%> %s) < 0.4',
  '(SELECT count(*) FROM tree_edit_mapping(%s, %s))',
  '(SELECT count(*) FROM tree_subtree_within(%s, %s, 1))']) WITH ORDINALITY calls (call, n);

SELECT call, result, CASE WHEN count(*) < 9 THEN string_agg(type, '; ' ORDER BY type) END AS of
FROM results GROUP BY call, n, result ORDER BY n, result;

-- a jsonb is a tree where one is expected; other documents of two types are compared where both are cast
SELECT x.type, y.type, result_of(format('tree_edit_distance(%s, %s)', x.a, y.b)),
  result_of(format('tree_within((%s)::tree, (%s)::tree, 5)', x.a, y.b)) AS within
FROM documents x, documents y
WHERE x.type < y.type AND x.type || y.type !~ 'literal' ORDER BY 1, 2;

-- aggregates and window functions
SELECT call, type, result_of(format(call, a, b))
FROM documents, unnest(ARRAY[
  '(SELECT tree_within_pairs(id, doc, 1) FROM (VALUES (1, %s), (2, %s)) d(id, doc))',
  '(SELECT tree_within_pairs(id, doc::tree, 1) FROM (VALUES (1, %s), (2, %s)) d(id, doc))',
  '(SELECT tree_within_pairs(id, doc::tree, 0.9) FROM (VALUES (1, %s), (2, %s)) d(id, doc))',
  '(SELECT tree_within_pairs(id, doc::tree, ''1'') FROM (VALUES (1, %s), (2, %s)) d(id, doc))',
  '(SELECT tree_within_pairs(id, doc::tree, -1) FROM (VALUES (1, %s), (2, %s)) d(id, doc))',
  '(SELECT tree_within_pairs(id, doc::tree, 0.9, tree_costs(rename => 0.5)) FROM (VALUES (1, %s), (2, %s)) d(id, doc))',
  '(SELECT max(c) FROM (SELECT tree_within_cluster(doc::tree, 1) OVER () FROM (VALUES (1, %s), (2, %s)) d(id, doc)) w(c))',
  '(SELECT max(c) FROM (SELECT tree_within_cluster(doc::tree, 0.9) OVER () FROM (VALUES (1, %s), (2, %s)) d(id, doc)) w(c))'])
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
CREATE TABLE called (id bigint, k integer, doc jsonb, t tree);
CREATE INDEX ON called USING gist (t);
CREATE INDEX ON called USING gist ((doc::tree));
EXPLAIN (COSTS OFF) SELECT id FROM called WHERE tree_within(t, '{a}', 2);
EXPLAIN (COSTS OFF) SELECT id FROM called WHERE tree_within(doc, '[1]', 2);
EXPLAIN (COSTS OFF) SELECT id FROM called WHERE tree_within(doc::tree, '{a}'::tree, 2);
EXPLAIN (COSTS OFF) SELECT id FROM called ORDER BY doc::tree <-> '{a}' LIMIT 1;
EXPLAIN (COSTS OFF) SELECT id FROM called WHERE tree_edit_distance(doc, '[1]', tree_costs(rename => 2)) <= 2;
PREPARE search(tree, integer) AS SELECT id FROM called WHERE tree_within(t, $1, $2);
SET plan_cache_mode = force_generic_plan;
EXPLAIN (COSTS OFF) EXECUTE search('{a}', 2);
SELECT explain('SELECT a.id FROM called a, called b WHERE tree_within(a.doc, b.doc, a.k)');
SELECT explain('SELECT a.id FROM called a, called b WHERE tree_edit_distance(a.doc::tree, b.t, tree_costs(rename => 2)) <= 2');
RESET enable_seqscan;
RESET plan_cache_mode;
RESET ted.enable_nearest;

DROP TABLE called;
DROP VIEW results;
DROP TABLE documents;
DROP FUNCTION result_of;
