-- Bounds on the tree edit distance

SELECT a, b, tree_edit_distance_lower_bound(a, b) AS lower, tree_edit_distance(a, b) AS distance,
       tree_edit_distance_approximate(a, b) AS approximate
FROM (VALUES ('{a{b}{c}}'::tree, '{a{b}{c}}'::tree), ('{a}', '{b}'), ('{a{b}{c}}', '{a{b}}'),
             ('{f{d{a}{c{b}}}{e}}', '{f{c{d{a}{b}}}{e}}'), ('{a{b}}', '{a{c}{b{a}}}'),
             ('{a{b}{c}{d}}', '{x{y{z}}}'),
             -- the same labels: only traversals tell
             ('{a{b}{c}{d}}', '{d{c}{b}{a}}'),
             -- the same labels in the same postorder: only the preorder tells
             ('{a{b}{b}{c}}', '{a{b}{c{b}}}')) v(a, b);

-- large trees that are nearly equal are cheap
WITH t AS (
  SELECT ('{r' || repeat('{a{b}{c}}', 20000) || '}')::tree AS a,
         ('{r' || repeat('{a{b}{c}}', 9000) || '{d}' || repeat('{a{b}{c}}', 11000) || '{a{x}{c}}}')::tree AS b
)
SELECT tree_edit_distance_lower_bound(a, b), tree_edit_distance_approximate(a, b) FROM t;

SELECT tree_edit_distance_lower_bound(NULL, '{a}'), tree_edit_distance_approximate('{a}', NULL);

-- the cost of the approximate mapping, of documents, too
SELECT count(*), count(*) FILTER (WHERE abs(approximate - cost) < 1e-6) AS equal
FROM (VALUES ('{}'::tree_costs), (tree_costs(2, 3, 4)), (tree_costs(texts => 'lcs', ignore => '{b5}'))) m(m), generate_series(1, 20) i,
	LATERAL (SELECT ('{r' || string_agg('{a' || j * i % 7 || '{b' || j * i % 11 || '}}', '') || '}')::tree AS a,
		('{r' || string_agg('{b' || j * i % 5 || '{a' || j * i % 7 || '}}', '') || '}')::tree AS b FROM generate_series(1, 30) j) t,
	LATERAL (SELECT tree_edit_distance_approximate(a, b, m) AS approximate, (SELECT sum(cost) FROM tree_edit_mapping(a, b, m, true)) AS cost) c;
SELECT tree_edit_distance_approximate('[1, 2]'::jsonb, '[1, 3]'), tree_edit_distance_approximate('[1, 2]'::json, '[1, 3]', tree_costs(rename => 0.5)),
	tree_edit_distance_approximate('<a>1</a>'::xml, '<b/>'::xml);

-- trees that no exact way can hold: an error, unless bounds meet
SET ted.max_memory = '64MB';
CREATE TEMP TABLE unrelated AS SELECT ('{r' || string_agg('{a' || i || '{b' || i % 7 || '}}', '') || '}')::tree AS a, ('{r' || string_agg('{c' || i % 5 || '{d' || i || '{e}}}', '') || '}')::tree AS b
FROM generate_series(1, 20000) i;
-- the detail has the memory that the processor's vectors take
\set VERBOSITY terse
SELECT tree_edit_distance(a, b) FROM unrelated;
SELECT tree_similarity(a, b) FROM unrelated;
\set VERBOSITY default
SELECT tree_edit_distance(a, b, tree_costs(texts => 'lcs')) FROM unrelated;
SELECT tree_within(a, b, 30000), tree_within(a, b, 100), tree_similar(a, b, 0.9) FROM unrelated;
SELECT tree_edit_distance_approximate(a, b) FROM unrelated;
SELECT tree_edit_distance(a, c) FROM unrelated, (SELECT ('{r' || string_agg('{x' || i || '{b' || i % 7 || '}}', '') || '}')::tree AS c FROM generate_series(1, 20000) i) c;
RESET ted.max_memory;
