-- What came out of the ISO 3166-2 records: how much, and the closest pairs.
\pset footer off
\echo
SELECT count(*) AS documents, sum(tree_size(tree)) AS nodes, 1 AS threshold, (SELECT count(*) FROM iso3166_2_pairs) AS pairs
FROM iso3166_2;

\echo The ten closest pairs of ISO 3166-2 records
SELECT distance, a.name AS left, b.name AS right
FROM iso3166_2_pairs JOIN iso3166_2 a ON a.id = left_id JOIN iso3166_2 b ON b.id = right_id
ORDER BY distance, a.name, b.name
LIMIT 10;
