-- The nearest subtrees

SELECT * FROM tree_subtree_topk('{a{b}{c}}', '{r{a{b}{d}}{a{b}{c}}{b}}', 2);

-- paths are those of the edit mapping, nodes those of tree_nodes
SELECT t.*, tree_subtree(doc, node) AS subtree, tree_edit_distance('{b{x}}', tree_subtree(doc, node))
FROM (VALUES ('{a{b}{b{x}}{b/[1]{x}}{c{b{y}}}}'::tree)) d(doc), tree_subtree_topk('{b{x}}', doc, 4) t
ORDER BY rank;

-- ties: the first in preorder
SELECT rank, node, distance FROM tree_subtree_topk('{x}', '{a{b{c}{d}}{e}}', 3);

-- labels that the query lacks, or that nothing has in common
SELECT rank, node, distance FROM tree_subtree_topk('{x{y}}', '{a{b}{c{d}}}', 2);

-- k: none, and more than there are
SELECT * FROM tree_subtree_topk('{a}', '{a{b}}', 0);
SELECT * FROM tree_subtree_topk('{a}', '{a{b}}', 2147483647);
SELECT * FROM tree_subtree_topk('{a}', '{a{b}}', -1);
SELECT * FROM tree_subtree_topk('{a}', NULL, 1);

-- many nodes, more than are ranked at once
SELECT rank, node, distance, path
FROM tree_subtree_topk('{a{b}{c}}', ('{r' || repeat('{a{b}{x}}', 3000) || '{s{a{b}{c}}}' || repeat('{a{b}}', 3000) || '}')::tree, 3);

-- memory
SET ted.max_memory = '1MB';
SELECT rank FROM tree_subtree_topk('{a}', ('{r' || repeat('{a}', 100000) || '}')::tree, 1);
RESET ted.max_memory;
