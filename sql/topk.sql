-- The nearest subtrees

SELECT * FROM tree_subtree_nearest('{a{b}{c}}', '{r{a{b}{d}}{a{b}{c}}{b}}', 2);

-- paths are those of the edit mapping, nodes those of tree_nodes
SELECT t.*, tree_subtree(doc, node) AS subtree, tree_edit_distance('{b{x}}', tree_subtree(doc, node))
FROM (VALUES ('{a{b}{b{x}}{b/[1]{x}}{c{b{y}}}}'::tree)) d(doc), tree_subtree_nearest('{b{x}}', doc, 4) t
ORDER BY rank;

-- ties: the first in preorder
SELECT rank, node, distance FROM tree_subtree_nearest('{x}', '{a{b{c}{d}}{e}}', 3);

-- labels that the query lacks, or that nothing has in common
SELECT rank, node, distance FROM tree_subtree_nearest('{x{y}}', '{a{b}{c{d}}}', 2);

-- k: none, and more than there are
SELECT * FROM tree_subtree_nearest('{a}', '{a{b}}', 0);
SELECT * FROM tree_subtree_nearest('{a}', '{a{b}}', 2147483647);
SELECT * FROM tree_subtree_nearest('{a}', '{a{b}}', -1);
SELECT * FROM tree_subtree_nearest('{a}', NULL, 1);

-- only those that are near, or similar
SELECT * FROM tree_subtree_nearest('{a{b}{c}}', '{r{a{b}{d}}{a{b}{c}}{b}}', 10, max_distance => 1);
SELECT * FROM tree_subtree_nearest('{a{b}{c}}', '{r{a{b}{d}}{a{b}{c}}{b}}', 10, min_similarity => 0.6);
SELECT * FROM tree_subtree_nearest('{a}', '{a{b{c}}}', 1, 1000, 0.3);
SELECT * FROM tree_subtree_nearest('{a}', '{b}', 10, 0);
SELECT * FROM tree_subtree_nearest('{a}', '{b}', 10, -1);
SELECT * FROM tree_subtree_nearest('{a}', '{b}', 10, min_similarity => 'NaN');

-- all of them, in the order of the document
SELECT * FROM tree_subtree_within('{a{b}{c}}', '{r{a{b}{d}}{a{b}{c}}{b}}', 2);
SELECT * FROM tree_subtree_within('{a{b}{c}}', '{r{a{b}{d}}{a{b}{c}}{b}}', min_similarity => 0.5);
SELECT count(*), max(distance) FROM tree_subtree_within('{a{b}{c}}', ('{r' || repeat('{a{b}{x}}', 3000) || '}')::tree, 1);
SELECT count(*) FROM tree_subtree_within('{a{b}{c}}', '{r{a{b}{d}}{a{b}{c}}{b}}');
SELECT * FROM tree_subtree_within('{a}', '{b}', -1);

-- of documents
SELECT path, distance FROM tree_subtree_nearest('{"x": 1}'::jsonb::tree, '[{"x": 2}, {"x": 1}]'::jsonb::tree, 1);
SELECT path, distance FROM tree_subtree_within('<b>1</b>'::xml::tree, '<a><b>1</b><b>2</b></a>'::xml::tree, 1);
SELECT operation, left_label, right_label FROM tree_edit_mapping('{"x": 1}'::json::tree, '{"x": 2}'::json::tree) WHERE operation <> 'match';
SELECT tree_edit_counts('[1, 2]'::jsonb::tree, '[1, 3, 4]'::jsonb::tree), tree_edit_distances('[1]'::json::tree, ARRAY['[1]', '[2, 3]', NULL]::json[]::tree[]),
	tree_edit_distance_lower_bound('<a>1</a>'::xml::tree, '<a>2</a>'::xml::tree), tree_edit_distance_approximate('<a>1</a>'::xml::tree, '<b/>'::xml::tree);

-- many nodes, more than are ranked at once
SELECT rank, node, distance, path
FROM tree_subtree_nearest('{a{b}{c}}', ('{r' || repeat('{a{b}{x}}', 3000) || '{s{a{b}{c}}}' || repeat('{a{b}}', 3000) || '}')::tree, 3);

-- memory
SET ted.max_memory = '1MB';
SELECT rank FROM tree_subtree_nearest('{a}', ('{r' || repeat('{a}', 100000) || '}')::tree, 1);
RESET ted.max_memory;

-- paths count as memory where all of them are kept, to be returned by rank
SET ted.max_memory = '8MB';
SELECT count(*), sum(length(path)) FROM tree_subtree_within('{a}', (repeat('{a', 4000) || repeat('}', 4000))::tree);
SELECT count(*) FROM tree_subtree_nearest('{a}', (repeat('{a', 4000) || repeat('}', 4000))::tree, 4000);
RESET ted.max_memory;

-- a key or an attribute and its value are one place, whose nearer node is a row
SELECT * FROM tree_subtree_nearest('{"sku": 5}'::jsonb::tree, '{"items": [{"sku": 4}, {"sku": 5}], "one": {"sku": 5}}'::jsonb::tree, 4);
SELECT * FROM tree_subtree_within('{"sku": 5}'::jsonb::tree, '{"items": [{"sku": 4}, {"sku": 5}], "one": {"sku": 5}}'::jsonb::tree, 2);
SELECT * FROM tree_subtree_within('{"sku": 5}'::jsonb::tree, '{"items": [{"sku": 4}, {"sku": 5}], "one": {"sku": 5}}'::jsonb::tree, 2, costs => '{"rename": 0.5}');
SELECT k, count(*) = least(k, 7) AS all, count(DISTINCT path) = count(*) AS places FROM generate_series(0, 9) k,
  tree_subtree_nearest('{"a": 1}'::jsonb::tree, '{"a": {"b": [1, {"a": 1}]}, "c": 2}'::jsonb::tree, k) GROUP BY k ORDER BY k;
SELECT path, '{"items": [{"a/b~c": 7}]}'::jsonb #> json_pointer_path(path) AS part
FROM tree_subtree_nearest('7'::jsonb::tree, '{"items": [{"a/b~c": 7}]}'::jsonb::tree, 9) ORDER BY rank;
SELECT json_pointer_path(''), json_pointer_path('/'), json_pointer_path('/a//b'), json_pointer_path('a');
