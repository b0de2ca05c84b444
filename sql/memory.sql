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

-- joins write to disk what does not fit in work_mem, whatever ted.max_memory allows
CREATE TABLE docs AS
SELECT i AS id, ('{' || i || (SELECT string_agg('{' || (i / 3 + j) || '}', '') FROM generate_series(1, 10) j) || '}')::tree AS doc,
	   repeat(md5((i / 2)::text), 3) || i AS name
FROM generate_series(1, 8000) i;
ANALYZE docs;
CREATE TABLE large AS SELECT ('{r' || repeat('{a}', 5000) || '}')::tree AS doc;
SET enable_nestloop = off;
SET ted.max_memory = '64kB';
-- What EXPLAIN shows of a join, in kilobytes, and its rows.
CREATE FUNCTION spooling(memory text, query text, OUT blocks int, OUT memory_used int, OUT spooled int, OUT rows bigint) AS $$
DECLARE
	plan json;
BEGIN
	PERFORM set_config('work_mem', memory, true);
	EXECUTE 'EXPLAIN (ANALYZE, FORMAT JSON) ' || query INTO plan;
	SELECT (j ->> 'Blocks')::int, (j ->> 'Memory')::int, (j ->> 'Spooled')::int INTO blocks, memory_used, spooled
	FROM jsonb_path_query(plan::jsonb, 'strict $.**?(@."Custom Plan Provider" == "TedJoin")') j;
	EXECUTE 'SELECT count(*) FROM (' || query || ') q' INTO rows;
END $$ LANGUAGE plpgsql;
CREATE TABLE spooling_joins (name text, query text);
INSERT INTO spooling_joins VALUES
('a table with itself', 'SELECT a.id FROM docs a JOIN docs b ON a.id < b.id AND tree_within(a.doc, b.doc, 4)'),
('two tables', 'SELECT a.id FROM docs a JOIN (SELECT * FROM docs WHERE id % 8 > 0) b ON tree_within(a.doc, b.doc, 4)'),
('strings', 'SELECT a.id FROM docs a JOIN docs b ON a.id < b.id AND lcs_similar(a.name, b.name, 0.97)');
SELECT name, much.blocks, much.memory_used BETWEEN 1000 AND 50000 AS in_memory, much.spooled,
	   little.blocks > 2 AS several, little.memory_used BETWEEN 256 AND 4000 AS in_little, little.spooled > 64 AS spooled,
	   much.rows, much.rows = little.rows AS same
FROM spooling_joins, spooling('100MB', query) much, spooling('1MB', query) little;
SET work_mem = '16MB';
SELECT l FROM explain('SELECT a.id FROM docs a JOIN docs b ON tree_within(a.doc, b.doc, 0)', 'ANALYZE') l WHERE l ~ 'Memory|Spooled';
SET work_mem = '1MB';
SELECT l FROM explain('SELECT a.id FROM docs a JOIN docs b ON tree_within(a.doc, b.doc, 0)', 'ANALYZE') l WHERE l ~ 'Memory|Spooled';
RESET work_mem;
-- the memory of all processes
ALTER TABLE docs SET (parallel_workers = 2);
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SELECT name, much.blocks BETWEEN 1 AND 3 AS one_each, much.memory_used BETWEEN 1000 AND 50000 AS in_memory, much.spooled,
	   little.blocks > 2 AS several, little.memory_used BETWEEN 256 AND 12000 AS in_little, little.spooled > 64 AS spooled,
	   much.rows, much.rows = little.rows AS same
FROM spooling_joins, spooling('100MB', query) much, spooling('512kB', query) little;
-- the aggregate, too; but a document that takes more, or pairs that do, are refused
SELECT cardinality(tree_within_pairs(id, doc, 0)) FROM docs;
\set VERBOSITY terse
SELECT count(*) FROM docs a JOIN large b ON tree_within(a.doc, b.doc, 1);
SELECT cardinality(tree_within_pairs(id, '{a}', 0)) FROM docs;
DROP TABLE docs, large, spooling_joins;
DROP FUNCTION spooling;

-- a long label that many nodes have counts for each of them where it is copied
SET ted.max_memory = '1GB';
CREATE TABLE keys_of_one AS SELECT ('{[]' || repeat('{\{\}{"' || repeat('k', 1000000) || '":{1}}}', 60) || '}')::tree AS t;
SET ted.max_memory = '32MB';
SELECT count(*) FROM keys_of_one, tree_edit_mapping('{x}', t);
SELECT length(tree_to_json(t)::text) FROM keys_of_one;
SELECT tree_to_jsonb(t) IS NULL FROM keys_of_one;
DROP TABLE keys_of_one;
RESET ted.max_memory;
