-- Large trees that are alike take little memory; their tables would take 3 GB.
SET ted.max_memory = '64MB';
SET ted.gpu = off;

CREATE TABLE alike AS
SELECT kind, ('{r' || string_agg(CASE WHEN kind = 'one renamed' AND i = 5000 THEN '{new{b}}'
                                      WHEN kind = 'many edits' AND i % 300 = 0 THEN '{new{b}}'
                                      WHEN kind = 'many edits' AND i % 300 = 100 THEN '{b}'
                                      WHEN kind = 'many edits' AND i % 300 = 200 THEN format('{a%s{b}{new}}', i % 50)
                                      WHEN kind = 'one row less' AND i = 5000 THEN ''
                                      ELSE format('{a%s{b}}', i % 50) END, '' ORDER BY i) || '}')::tree AS t
FROM generate_series(1, 10000) i, unnest(ARRAY['original', 'one renamed', 'many edits', 'one row less']) kind
GROUP BY kind;
ANALYZE alike;

SELECT b.kind, tree_edit_distance(a.t, b.t), a.t <-> b.t AS operator, tree_similarity(a.t, b.t) AS similarity,
       round(tree_normalized_distance(a.t, b.t)::numeric, 6) AS normalized,
       tree_edit_distance(a.t, b.t, tree_costs(3, 2, 1)) AS costs, tree_edit_distance(b.t, a.t, tree_costs(3, 2, 1)) AS reverse,
       tree_similar(a.t, b.t, 0.9) AS similar, tree_similar(a.t, b.t, 0.9999) AS very_similar,
       tree_within(a.t, b.t, 5000) AS within
FROM alike a, alike b WHERE a.kind = 'original' ORDER BY b.kind;
SELECT tree_edit_distances(a.t, array_agg(b.t ORDER BY b.kind)) FROM alike a, alike b WHERE a.kind = 'original' GROUP BY a.t;

-- traversals that tell nothing: limits are doubled
CREATE TABLE moved AS
SELECT every, ('{r' || string_agg(CASE WHEN i % every = 0 THEN '{a}{a}' ELSE '{a{a}}' END, '' ORDER BY i) || '}')::tree AS t
FROM generate_series(1, 10000) i, unnest(ARRAY[20000, 5000, 500]) every GROUP BY every;
SELECT b.every, tree_edit_distance(a.t, b.t), tree_similar(a.t, b.t, 0.9) AS similar,
       tree_edit_distance_less_equal(a.t, b.t, 30) AS at_most_30
FROM moved a, moved b WHERE a.every = 20000 ORDER BY b.every;

-- documents
SELECT tree_edit_distance(a, jsonb_set(a, '{77}', '"new"')) AS jsonb,
       tree_edit_distance(a::json, jsonb_set(a, '{77}', '"new"')::json) AS json,
       tree_similarity(a, a) AS equal
FROM (SELECT jsonb_agg(i) AS a FROM generate_series(1, 20000) i) d;

RESET ted.max_memory;
RESET ted.gpu;
DROP TABLE alike, moved;
