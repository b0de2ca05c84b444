-- One huge document among others: what bounds, limits or strips decide needs no memory for all of it.
SET jit = off;
CREATE TABLE d AS
SELECT 1 AS id, '{r{i{a{x}}{b{y}}}}'::tree AS doc
UNION ALL
SELECT 2, ('{r' || string_agg(format('{i{a{%s}}{b{%s}}}', i % 97, i * 7 % 1001), '' ORDER BY i) || '}')::tree
FROM generate_series(1, 2000) AS i
UNION ALL
SELECT 3, ('{s' || string_agg(format('{j{c{x%s}}{d{y%s}}}', i % 89, i * 11 % 1003), '' ORDER BY i) || '}')::tree
FROM generate_series(1, 40000) AS i;
ANALYZE d;
SELECT id, tree_size(doc) FROM d ORDER BY id;

-- joins
SELECT a.id, b.id FROM d a JOIN d b ON a.id < b.id AND tree_within(a.doc, b.doc, 5);
SELECT a.id, b.id, tree_edit_distance(a.doc, b.doc) FROM d a JOIN d b ON a.id < b.id AND tree_within(a.doc, b.doc, 20000);
SELECT a.id, b.id FROM d a JOIN d b ON a.id < b.id AND tree_edit_distance(a.doc, b.doc) <= 5;
SELECT a.id, b.id FROM d a JOIN d b ON a.id < b.id AND tree_similar(a.doc, b.doc, 0.5);
SELECT a.id, b.id FROM d a JOIN d b ON a.id < b.id AND tree_similarity(a.doc, b.doc) >= 0.5;
SELECT a.id, b.id FROM d a JOIN d b ON a.id < b.id AND tree_normalized_distance(a.doc, b.doc) <= 0.2;
SELECT a.id, b.id FROM d a JOIN d b ON a.id < b.id AND tree_within(a.doc, b.doc, 5, tree_costs(rename => 2));
SELECT a.id, b.id FROM d a JOIN d b ON a.id < b.id AND json_within(a.doc, b.doc, 5);
SET ted.enable_join = off;
SELECT a.id, b.id FROM d a JOIN d b ON a.id < b.id AND tree_within(a.doc, b.doc, 5);
SELECT a.id, b.id FROM d a JOIN d b ON a.id < b.id AND tree_similar(a.doc, b.doc, 0.5);
SELECT a.id, b.id FROM d a JOIN d b ON a.id < b.id AND tree_within(a.doc, b.doc, 5, tree_costs(rename => 2));
RESET ted.enable_join;
SELECT tree_within_pairs(id, doc, 5) FROM d;
SELECT tree_within_pairs(id, doc, 5, CASE WHEN id < 3 THEN 'l' ELSE 'r' END::"char") FROM d;
SELECT id, tree_within_cluster(doc, 5) OVER () FROM d ORDER BY id;

-- distances up to a limit, of equal trees, of one to many, and those that sizes and labels tell
SELECT a.id, b.id, tree_edit_distance_less_equal(a.doc, b.doc, 10), tree_within(a.doc, b.doc, 10),
	   tree_edit_distance_less_equal(a.doc, b.doc, 10, tree_costs(2, 2, 3)) AS by_costs,
	   tree_edit_distance_less_equal(a.doc, b.doc, 10, tree_costs(rename => 2)) AS by_model,
	   json_edit_distance_less_equal(a.doc, b.doc, 10) AS as_json
FROM d a, d b ORDER BY 1, 2;
SELECT a.id, tree_edit_distance(a.doc, b.doc), tree_similarity(a.doc, b.doc), tree_diff(a.doc, b.doc) = '' AS same
FROM d a JOIN d b USING (id) ORDER BY 1;
SELECT id, tree_edit_distance(doc, '{r{i{a{x}}{b{z}}}}'), tree_similarity(doc, '{r{i{a{x}}{b{z}}}}') > 0.5 AS similar
FROM d ORDER BY id;
SELECT tree_edit_distances('{r{i}}', array_agg(doc ORDER BY id)) FROM d;
SELECT id, tree_pqgram_distance(doc, '{r{i{a{x}}{b{z}}}}') < 0.9 AS near FROM d ORDER BY id;
SELECT count(*) FROM d a, d b, tree_edit_mapping(a.doc, b.doc, approximate => true) WHERE a.id = 2 AND b.id = 3;
SELECT (tree_edit_counts(a.doc, b.doc)).approximate FROM d a, d b WHERE a.id = 2 AND b.id = 3;

-- graded costs: no lower bound in little time, but an upper one
WITH edited AS (
	SELECT doc, regexp_replace(doc::text, '\{a\{(\d)7\}\}', '{a{\1x}}', 'g')::tree AS other FROM d WHERE id = 2
)
SELECT (SELECT round(sum(cost)::numeric, 3) FROM tree_edit_mapping(doc, other, m)), tree_edit_distance(doc, other, m)
FROM edited, tree_costs(texts => 'levenshtein') AS m;
SELECT (tree_edit_counts(a.doc, b.doc, tree_costs(texts => 'levenshtein'))).approximate FROM d a, d b WHERE a.id = 2 AND b.id = 3;

-- the nearest
SELECT id FROM d ORDER BY doc <-> '{r{i{a{x}}{b{z}}}}' LIMIT 1;
SELECT id FROM d ORDER BY doc <-> (SELECT doc FROM d WHERE id = 3) LIMIT 1;
SELECT id FROM d WHERE id <> 2 ORDER BY doc <-> (SELECT doc FROM d WHERE id = 2) LIMIT 1;
SELECT id FROM d ORDER BY doc <-> (SELECT doc FROM d WHERE id = 2) LIMIT 2;
SELECT a.id, n.id FROM d a CROSS JOIN LATERAL
	(SELECT b.id FROM d b WHERE b.id <> a.id ORDER BY a.doc <-> b.doc LIMIT 1) AS n
WHERE a.id < 3 ORDER BY a.id;
SELECT d.id, t.* FROM d, tree_subtree_nearest('{i{a{3}}{b{21}}}', doc, 1) AS t ORDER BY d.id;
SELECT d.id, count(*) FROM d, tree_subtree_within('{i{a{3}}{b{21}}}', doc, 1) GROUP BY d.id;
SELECT count(*) FROM d a, d b, tree_subtree_nearest(a.doc, b.doc, 1, 10) WHERE a.id = 2 AND b.id = 3;
SELECT count(*) FROM d a, d b, tree_subtree_within(a.doc, b.doc, min_similarity => 0.9) WHERE a.id = 2 AND b.id = 3;

-- what has to be computed is refused, wherever it is
CREATE FUNCTION refused(query text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	detail text;
	hint text;
	context text;
BEGIN
	EXECUTE query;
	RAISE 'not refused';
EXCEPTION WHEN configuration_limit_exceeded THEN
	GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT,
		context = PG_EXCEPTION_CONTEXT;
	RAISE NOTICE '%', sqlerrm USING
		DETAIL = regexp_replace(detail, 'take \d+', 'take ###') || ' ' || split_part(context, E'\n', 1),
		HINT = hint;
END
$$;
-- trees of 6, 2,501 and 2,501 nodes
TRUNCATE d;
INSERT INTO d
SELECT 1, '{r{i{a{x}{\{y\}}}}{"long": a label of more than thirty characters}}'::tree
UNION ALL
SELECT n, ('{r' || string_agg(format('{i{a{%s%s}}{b{%s}}}', n, i % (n + 7), i * n % 1001), '' ORDER BY i) || '}')::tree
FROM generate_series(2, 3) AS n, generate_series(1, 500) AS i GROUP BY n;
SET ted.gpu = off; -- which may have more memory
SET ted.max_memory = '3MB';
SET client_min_messages = notice;
SELECT refused($$ SELECT tree_edit_distance(a.doc, b.doc) FROM d a, d b WHERE a.id = 2 AND b.id = 3 $$);
SELECT refused($$ SELECT tree_edit_distance(a.doc, b.doc, tree_costs(rename => 1.5)) FROM d a, d b WHERE a.id = 2 AND b.id = 3 $$);
SELECT refused($$ SELECT tree_edit_distances((SELECT doc FROM d WHERE id = 2), array_agg(CASE WHEN id > 2 THEN doc END ORDER BY id)) FROM d $$);
SELECT refused($$ SELECT a.id FROM d a JOIN d b ON a.id < b.id AND tree_within(a.doc, b.doc, 2000) $$);
SELECT refused($$ SELECT a.id FROM d a JOIN d b ON a.id < b.id AND tree_within(a.doc, b.doc, 2000, tree_costs(rename => 1.5)) $$);
SELECT refused($$ SELECT id FROM d WHERE id > 2 ORDER BY doc <-> (SELECT doc FROM d WHERE id = 2) LIMIT 1 $$);
SELECT refused($$ SELECT t.* FROM d a, d b, tree_edit_mapping(a.doc, b.doc) t WHERE a.id = 2 AND b.id = 3 $$);
SELECT refused($$ SELECT t.* FROM d a, d b, tree_edit_mapping(a.doc, b.doc, tree_costs(rename => 1.5)) t WHERE a.id = 2 AND b.id = 3 $$);
SELECT refused($$ SELECT t.* FROM d a, d b, tree_subtree_nearest(a.doc, b.doc, 1) t WHERE a.id = 2 AND b.id = 3 $$);
SELECT refused($$ SELECT t.* FROM d a, d b, tree_subtree_nearest(a.doc, b.doc, 1, 2000, 0, tree_costs(rename => 1.5)) t WHERE a.id = 2 AND b.id = 3 $$);
SET ted.max_memory = '64kB';
SELECT refused($$ SELECT json_edit_distance(a.doc, b.doc) FROM d a, d b WHERE a.id = 1 AND b.id = 3 $$);
SELECT refused($$ SELECT json_edit_distance(a.doc, b.doc, tree_costs(rename => 1.5)) FROM d a, d b WHERE a.id = 1 AND b.id = 3 $$);
RESET client_min_messages;
RESET ted.max_memory;
DROP FUNCTION refused;
DROP TABLE d;
