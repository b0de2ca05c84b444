-- What came out of the MIME types: how much, the closest pairs, the edit script of one pair.
\pset footer off
\echo
SELECT count(*) AS documents, sum(tree_size(tree)) AS nodes, 8 AS threshold, (SELECT count(*) FROM mime_pairs) AS pairs
FROM mime;

\echo The ten closest pairs of MIME types
SELECT distance, a.name AS left, b.name AS right
FROM mime_pairs JOIN mime a ON a.id = left_id JOIN mime b ON b.id = right_id
ORDER BY distance, a.name, b.name
LIMIT 10;

-- the closest pair of different sizes, so that there is more to see than renames
SELECT left_id, right_id, distance, a.name AS left, b.name AS right
FROM mime_pairs JOIN mime a ON a.id = left_id JOIN mime b ON b.id = right_id
WHERE tree_size(a.tree) <> tree_size(b.tree)
ORDER BY distance, a.name, b.name
LIMIT 1
\gset
\echo The edit script from :left to :right, distance :distance
SELECT operation,
  regexp_replace(coalesce(left_path, right_path), '/(\\.|[^/\\])*$', '') AS under,
  left_label, right_label
FROM mime a, mime b, tree_edit_mapping(a.tree, b.tree)
WHERE a.id = :left_id AND b.id = :right_id AND operation <> 'match';
