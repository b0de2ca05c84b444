-- Looking into trees, and building them from rows

SELECT ted_version() = (SELECT extversion FROM pg_extension WHERE extname = 'ted') AS current;

SELECT tree_size('{a{b{d}}{c}}'), tree_depth('{a}'), tree_depth('{a{b{d}}{c}}'),
       tree_label('{a{b{d}}{c}}'), tree_label('{a{b{d}}{c}}', 3), tree_subtree('{a{b{d}}{c}}', 2);
SELECT * FROM tree_nodes('{a{b{d}}{c{d}}}');

-- nodes are numbered from 1
SELECT tree_label('{a{b}}', 0);
SELECT tree_label('{a{b}}', 3);
SELECT tree_subtree('{a{b}}', -1);
SELECT tree_subtree('{a{b}}', NULL), tree_size(NULL), tree_label(NULL);

-- the size of a value is read without the value
CREATE TABLE big AS SELECT ('{r' || string_agg('{' || md5(i::text) || '}', '') || '}')::tree AS t
FROM generate_series(1, 10000) i;
SELECT tree_size(t), tree_depth(t), pg_column_size(t) > 8000 AS toasted FROM big;
DROP TABLE big;

-- adjacency rows
SELECT tree_agg(id, parent, label)
FROM (VALUES (1, NULL, 'a'), (2, 1, 'b'), (3, 1, 'c'), (4, 2, 'd')) v(id, parent, label);
SELECT tree_agg(id, parent, label ORDER BY id DESC)
FROM (VALUES (1, NULL, 'a'), (2, 1, 'b'), (3, 1, 'c'), (4, 2, 'd')) v(id, parent, label);
SELECT tree_agg(id, parent, label, pos)
FROM (VALUES (1, NULL, 'a', NULL), (2, 1, 'b', 2), (3, 1, 'c', 1), (4, 1, 'd', NULL), (5, 2, 'e', -7))
     v(id, parent, label, pos);
SELECT grp, tree_agg(id, parent, label)
FROM (VALUES ('x', 1, NULL, 'a'), ('x', 2, 1, ''), ('y', 2, NULL, 'b'), ('y', 1, 2, '{}')) v(grp, id, parent, label)
GROUP BY grp ORDER BY grp;
SELECT tree_agg(id, parent, label) FROM (SELECT 1, NULL::bigint, 'a' WHERE false) v(id, parent, label);

-- what tree_nodes() takes apart, tree_agg() puts together
SELECT tree_agg(node, parent, label) FROM tree_nodes('{a{b{c}{}}{a}}');

-- rows that make no tree
SELECT tree_agg(id, parent, label) FROM (VALUES (1, NULL, 'a'), (2, 9, 'b')) v(id, parent, label);
SELECT tree_agg(id, parent, label) FROM (VALUES (1, NULL, 'a'), (2, NULL::int, 'b')) v(id, parent, label);
SELECT tree_agg(id, parent, label) FROM (VALUES (1, NULL, 'a'), (2, 3, 'b'), (3, 2, 'c'), (4, 3, 'd')) v(id, parent, label);
SELECT tree_agg(id, parent, label) FROM (VALUES (7, 7, 'a')) v(id, parent, label);
SELECT tree_agg(id, parent, label) FROM (VALUES (1, 2, 'a'), (2, 1, 'b')) v(id, parent, label);
SELECT tree_agg(id, parent, label) FROM (VALUES (1, NULL, 'a'), (2, 1, 'b'), (2, 1, 'c')) v(id, parent, label);
SELECT tree_agg(id, parent, label) FROM (VALUES (1, NULL, 'a'), (NULL, 1, 'b')) v(id, parent, label);
SELECT tree_agg(id, parent, label) FROM (VALUES (1, NULL, 'a'), (2, 1, NULL)) v(id, parent, label);
