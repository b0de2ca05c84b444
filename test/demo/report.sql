-- What came out for one table: how much, the closest pairs, one edit script.
\pset footer off
\set pairs :table _pairs

SELECT count(*) AS documents, sum(tree_size(tree)) AS nodes,
  (SELECT count(*) FROM :"pairs") AS pairs
FROM :"table";

CREATE TEMP TABLE closest AS
SELECT distance, a.name AS "left", b.name AS "right", a.tree AS left_tree, b.tree AS right_tree
FROM :"pairs" JOIN :"table" a ON a.id = left_id JOIN :"table" b ON b.id = right_id
ORDER BY distance, a.name, b.name
LIMIT 10;

\echo The ten closest pairs:
SELECT distance, "left", "right" FROM closest;

SELECT "left", "right", left_tree, right_tree
FROM closest
ORDER BY distance DESC, "left", "right"
LIMIT 1
\gset

\echo From :left to :right:
SELECT operation, left_path, left_label, right_path, right_label
FROM tree_edit_mapping(:'left_tree', :'right_tree')
WHERE operation <> 'match';
