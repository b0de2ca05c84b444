-- Bounds on the tree edit distance

SELECT a, b, tree_edit_distance_lower_bound(a, b) AS lower, tree_edit_distance(a, b) AS distance,
       tree_edit_distance_upper_bound(a, b) AS upper
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
SELECT tree_edit_distance_lower_bound(a, b), tree_edit_distance_upper_bound(a, b) FROM t;

SELECT tree_edit_distance_lower_bound(NULL, '{a}'), tree_edit_distance_upper_bound('{a}', NULL);
