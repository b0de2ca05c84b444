-- Making trees, and reading them, takes no more memory than ted.max_memory allows.
CREATE TABLE inputs AS
SELECT '{r' || string_agg(format('{%s}', i), '') || '}' AS brackets,
	   '{' || string_agg(format('"K%s":%s', i, i), ',') || '}' AS json,
	   '<r>' || string_agg(format('<a%s/>', i), '') || '</r>' AS xml,
	   format('<r a="%s"/>', repeat('x', 3000000)) AS large_xml,
	   format('["%s"]', repeat('x', 3000000)) AS large_json
FROM generate_series(1, 20000) AS i;
CREATE TABLE trees AS SELECT brackets::tree AS t FROM inputs;

\set VERBOSITY terse
SET ted.max_memory = '1MB';
SELECT tree_size(brackets::tree) FROM inputs;
SELECT tree_size(format('{%s}', repeat('x', 2000000))::tree);
SELECT tree_size(tree_from_json(json::json)) FROM inputs;
SELECT tree_size(tree_from_json(json::json, sort_keys => false)) FROM inputs;
SELECT tree_size(tree_from_json(json::json, fold_case => true)) FROM inputs;
SELECT tree_size(tree_from_json(json::json, content => 'keys')) FROM inputs;
SELECT tree_size(tree_from_json(json::jsonb)) FROM inputs;
SELECT tree_size(tree_from_json(large_json::json)) FROM inputs;
SELECT tree_size(tree_from_xml(xml::xml)) FROM inputs;
SELECT tree_size(tree_from_xml(large_xml::xml)) FROM inputs;
SELECT tree_size(tree_agg(i, nullif(i / 2, 0), 'a')) FROM generate_series(1, 20000) AS i;
SELECT tree_size(tree_agg(i, nullif(i / 2, 0), i::text)) FROM generate_series(1, 10000) AS i;
SELECT tree_size(tree_subtree(t, 1)) FROM trees;
SELECT cardinality(tree_edit_distances('{a}', array_agg('{a{b}}'::tree)))
FROM generate_series(1, 5000) AS i;
SELECT count(*) FROM trees, tree_edit_mapping(t, t);
SET ted.max_memory = '256kB';
SELECT length(t::text) FROM trees;
SELECT tree_hash(t) FROM trees;
CREATE INDEX ON trees USING gin (t);

-- what is refused is told
\set VERBOSITY default
DO $$
DECLARE
	detail text;
	hint text;
BEGIN
	PERFORM brackets::tree FROM inputs;
EXCEPTION WHEN configuration_limit_exceeded THEN
	GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
	RAISE NOTICE '%', sqlerrm USING
		DETAIL = regexp_replace(detail, 'take \d+', 'take ###'), HINT = hint;
END
$$;

-- many small trees are many computations
SELECT count(*), sum(tree_size(format('{%s{a}}', i)::tree)) FROM generate_series(1, 20000) AS i;
SELECT count(t) FROM (
	SELECT tree_agg(i, CASE i WHEN 0 THEN NULL ELSE 0 END, g::text) AS t
	FROM generate_series(1, 5000) AS g, generate_series(0, 2) AS i GROUP BY g) AS trees;

-- as much as that is allowed by default
RESET ted.max_memory;
SELECT tree_size(brackets::tree), tree_size(tree_from_json(json::json)),
	   tree_size(tree_from_json(json::jsonb)), tree_size(tree_from_xml(xml::xml))
FROM inputs;
-- ids of labels get wider with their number
SELECT n, md5(tree_send(t)), t = t::text::tree AS same FROM (
	SELECT n, ('{r' || string_agg(format('{%s{r}{%s}}', i, i), '') || '}')::tree AS t
	FROM unnest('{255,256,257,65535,65536,65537}'::int[]) AS n, generate_series(1, n - 1) AS i
	GROUP BY n) AS widths
ORDER BY n;
DROP TABLE inputs, trees;
