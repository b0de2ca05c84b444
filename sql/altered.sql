-- Types of the extension that their owner has altered: a call is an error, or does what it did before
CREATE DATABASE regress_ted_altered;
ALTER DATABASE regress_ted_altered SET jit = off; -- for hundreds of plans
\set database :DBNAME
\c regress_ted_altered
CREATE EXTENSION ted;
CREATE TABLE docs AS
SELECT i AS id, ('{a{' || i % 7 || '}}')::tree AS doc, 'name ' || i % 9 AS name FROM generate_series(1, 60) i;
CREATE TABLE inverted AS TABLE docs;
CREATE INDEX ON docs USING gist (doc);
CREATE INDEX ON docs USING profile (name);
CREATE INDEX ON inverted USING gin (doc);
ANALYZE docs, inverted;
ALTER DATABASE regress_ted_altered SET enable_seqscan = off;
\c

CREATE TABLE calls (number serial, call text);
INSERT INTO calls (call) VALUES
	('SELECT tree_range(''{a}'', 1)'),
	('SELECT tree_range(''{a}'', 1, tree_costs(2))'),
	('SELECT tree_similarity_range(''{a}'', 0.5)'),
	('SELECT ''{a}''::tree <~ tree_range(''{a}'', 1)'),
	('SELECT ''{a}''::tree <~ jsonb_populate_record(NULL::tree_range, ''{}'')'),
	('SELECT count(*) FROM docs WHERE doc <~ jsonb_populate_record(NULL::tree_range, ''{}'')'),
	('SELECT count(*) FROM inverted WHERE doc <~ jsonb_populate_record(NULL::tree_range, ''{}'')'),
	('SELECT count(*) FROM docs WHERE tree_within(doc, ''{a{1}}'', 0)'),
	('SELECT count(*) FROM inverted WHERE tree_within(doc, ''{a{1}}'', 0)'),
	('SELECT count(*) FROM docs WHERE tree_within(doc, ''{a{1}}'', 0, tree_costs(2))'),
	('SELECT within(1)'),
	('SELECT made(''{a}'')'),
	('SELECT left(lcs_range(''a''::text, 1)::text, 9)'),
	('SELECT left(lcs_similarity_range(''a''::bytea, 0.5)::text, 9)'),
	('SELECT left(lcs_range(''{a}''::text[], 1)::text, 9)'),
	('SELECT ''a''::text <~ lcs_range(''a''::text, 1)'),
	('SELECT ''a''::text <~ jsonb_populate_record(NULL::lcs_range, ''{}'')'),
	('SELECT count(*) FROM docs WHERE name <~ jsonb_populate_record(NULL::lcs_range, ''{}'')'),
	('SELECT count(*) FROM docs WHERE lcs_within(name, ''name 1'', 0)'),
	('SELECT cardinality(tree_within_pairs(id, doc, 0)) FROM docs'),
	('SELECT cardinality(tree_within_pairs(id, doc, 0, tree_costs(2))) FROM docs'),
	('SELECT cardinality(lcs_similar_pairs(id, name, 1)) FROM docs'),
	('SELECT cardinality(own_pairs(id, doc, 0)) FROM docs');
CREATE FUNCTION within(k integer) RETURNS bigint LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan
	AS 'BEGIN RETURN (SELECT count(*) FROM docs WHERE tree_within(doc, ''{a{1}}'', k)); END';
CREATE FUNCTION made(doc tree) RETURNS text LANGUAGE plpgsql
	AS 'DECLARE r tree_range; BEGIN r := tree_range(doc, 1); RETURN r; END';
CREATE AGGREGATE own_pairs(bigint, tree, float8) (SFUNC = tree_within_pairs_transfn,
	STYPE = tree_join_row[], FINALFUNC = tree_within_pairs_finalfn, INITCOND = '{}');

-- runs all calls; those of the same result are put together
CREATE FUNCTION run(call text) RETURNS text AS $$
DECLARE
	result text;
	detail text;
BEGIN
	EXECUTE call INTO result;
	RETURN result;
EXCEPTION
	WHEN OTHERS THEN
		GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
		RETURN concat_ws(': ', sqlstate, sqlerrm, detail);
END $$ LANGUAGE plpgsql;
CREATE VIEW results AS
SELECT number, result FROM calls, LATERAL (SELECT run(call) AS result OFFSET 0) r;
CREATE TABLE before AS TABLE results;
TABLE before ORDER BY 1;

-- a session that knows the types, after each alteration, which is rolled back: how many calls say that
-- the type has been altered, and what else they say
CREATE FUNCTION altered(alteration text, OUT errors bigint, OUT others text[], OUT later text[]) AS $$
BEGIN
	PERFORM * FROM results;
	BEGIN
		EXECUTE 'ALTER TYPE ' || alteration;
		SELECT count(*) FILTER (WHERE r.result LIKE '42804: %'), array_agg(r.result) FILTER (WHERE r.result NOT LIKE '42804: %')
		INTO errors, others
		FROM results r JOIN before b USING (number) WHERE r.result IS DISTINCT FROM b.result;
		RAISE EXCEPTION USING ERRCODE = 'TED00';
	EXCEPTION
		WHEN SQLSTATE 'TED00' THEN
	END;
	SELECT array_agg(r.result) INTO later FROM results r JOIN before b USING (number) WHERE r.result IS DISTINCT FROM b.result;
END $$ LANGUAGE plpgsql;
CREATE VIEW types AS
SELECT typname, typrelid FROM pg_type WHERE typname ~ '^(tree_range|lcs_range|(tree|tree_costs|lcs)_(match|join_row))$';
SELECT alteration, result.*
FROM (SELECT format('%I ADD ATTRIBUTE more integer', typname) AS alteration FROM types
	UNION
	SELECT format('%I %s', typname, format(alteration, attname))
	FROM types JOIN pg_attribute ON attrelid = typrelid,
		unnest(ARRAY['ALTER ATTRIBUTE %I TYPE text', 'ALTER ATTRIBUTE %I TYPE int8', 'DROP ATTRIBUTE %I']) alteration
	WHERE attnum > 0 AND (alteration, atttypid) NOT IN (('ALTER ATTRIBUTE %I TYPE text', 'text'::regtype), ('ALTER ATTRIBUTE %I TYPE int8', 'int8'::regtype))) a,
	LATERAL altered(alteration) result
ORDER BY alteration COLLATE "C";

-- what a new session says
ALTER TYPE tree_range ADD ATTRIBUTE a integer, ADD ATTRIBUTE b integer, ADD ATTRIBUTE c integer;
ALTER TYPE lcs_range ADD ATTRIBUTE a integer, ADD ATTRIBUTE b integer, ADD ATTRIBUTE c integer,
	ADD ATTRIBUTE d integer, ADD ATTRIBUTE e integer, ADD ATTRIBUTE f integer;
ALTER TYPE tree_match ALTER ATTRIBUTE distance TYPE text;
ALTER TYPE tree_join_row ALTER ATTRIBUTE max_distance TYPE text;
ALTER TYPE tree_costs_match DROP ATTRIBUTE distance;
ALTER TYPE tree_costs_join_row DROP ATTRIBUTE costs;
ALTER TYPE lcs_match ALTER ATTRIBUTE left_id TYPE text;
ALTER TYPE lcs_join_row ALTER ATTRIBUTE doc TYPE integer;
\c
TABLE results ORDER BY 1;
\c :database
DROP DATABASE regress_ted_altered;

-- nulls in ranges
SELECT '{a}'::tree <~ ROW(doc, max, costs)::tree_range AS in_range, doc, max, costs
FROM unnest(ARRAY[NULL, '{a}']::tree[]) doc, unnest(ARRAY[NULL, 1]::float8[]) max, unnest(ARRAY[NULL, '{}']::tree_costs[]) costs;
SELECT 'a'::text <~ ROW(profile, max, min)::lcs_range AS in_range, profile IS NULL AS no_profile, max, min
FROM (SELECT (lcs_range('a'::text, 0)).profile UNION ALL SELECT NULL) p, unnest(ARRAY[NULL, 1]) max, unnest(ARRAY[NULL, 0.5]::float8[]) min;
SELECT 'a'::text <~ NULL::lcs_range, '{a}'::tree <~ NULL::tree_range;

-- functions that an older script of the extension has declared with other columns
CREATE FUNCTION run_declared(function text, arguments text, more text) RETURNS text AS $$
DECLARE
	f record;
BEGIN
	SELECT *, pg_get_function_arguments(oid) AS declared INTO f FROM pg_proc WHERE oid = function::regprocedure;
	EXECUTE format('CREATE FUNCTION declared(%s) RETURNS %s record AS %L, %L LANGUAGE C',
		CASE WHEN more = '' THEN regexp_replace(f.declared, '(, )?OUT \w+ [^,]*$', '') ELSE concat_ws(', ', nullif(f.declared, ''), more) END,
		CASE WHEN f.proretset THEN 'SETOF' END, f.probin, f.prosrc);
	EXECUTE format('SELECT * FROM declared(%s)', arguments);
	RETURN 'no error';
EXCEPTION
	WHEN datatype_mismatch THEN
		GET STACKED DIAGNOSTICS more = PG_EXCEPTION_DETAIL;
		RETURN concat_ws(': ', regexp_replace(sqlerrm, '\(.*\)', ''), more);
END $$ LANGUAGE plpgsql;
SELECT function, run_declared(function, arguments, 'OUT more text') AS one_more, run_declared(function, arguments, '') AS one_less
FROM (VALUES ('tree_nodes(tree)', $$'{a}'$$),
	('tree_edit_mapping(tree, tree, tree_costs, boolean)', $$'{a}', '{b}'$$),
	('json_edit_mapping(jsonb, jsonb, tree_costs)', '$$1$$, $$2$$'),
	('xml_edit_mapping(xml, xml, tree_costs)', '$$<a/>$$, $$<b/>$$'),
	('tree_edit_counts(tree, tree, tree_costs)', $$'{a}', '{b}'$$),
	('tree_subtree_nearest(tree, tree, integer, float8, float8, tree_costs)', $$'{a}', '{b}', 1$$),
	('tree_subtree_within(tree, tree, float8, float8, tree_costs)', $$'{a}', '{b}', 1$$),
	('lcs_opcodes(text, text)', $$'a', 'b'$$), ('lcs_opcodes(anyarray, anyarray)', $$'{a}'::text[], '{b}'::text[]$$),
	('lcs_nearest(text, text[], integer, float8)', $$'a', '{b}', 1$$),
	('lcs_nearest(bytea, bytea[], integer, float8)', $$'a', '{b}', 1$$),
	('ted_engine_info()', '')) f (function, arguments);
DROP FUNCTION run_declared;
