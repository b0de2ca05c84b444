-- Rights of what the planner adds: a statement needs the same ones with an index and without
SET jit = off; -- for hundreds of plans
CREATE ROLE regress_ted_reader; -- what SECURITY.md grants
CREATE ROLE regress_ted_bare; -- documented functions only, not those of operators and ranges
DO $$
DECLARE
	f record;
BEGIN
	FOR f IN
		SELECT p.oid::regprocedure AS name, p.oid, proname
		FROM pg_depend JOIN pg_extension e ON e.oid = refobjid JOIN pg_proc p ON p.oid = objid
		WHERE extname = 'ted' AND refclassid = 'pg_extension'::regclass AND classid = 'pg_proc'::regclass
	LOOP
		EXECUTE format('REVOKE EXECUTE ON ROUTINE %s FROM PUBLIC', f.name);
		-- not what only PostgreSQL calls
		CONTINUE WHEN f.name::text ~ '\m(internal|cstring)\M' OR f.proname = 'profile_index_check'
		  OR EXISTS (SELECT FROM pg_aggregate WHERE f.oid IN (aggtransfn, aggcombinefn, aggfinalfn));
		EXECUTE format('GRANT EXECUTE ON ROUTINE %s TO regress_ted_reader', f.name);
		CONTINUE WHEN obj_description(f.oid, 'pg_proc') LIKE 'internal: %';
		EXECUTE format('GRANT EXECUTE ON ROUTINE %s TO regress_ted_bare', f.name);
	END LOOP;
END $$;
GRANT CREATE ON SCHEMA public TO regress_ted_reader;

CREATE TABLE plain AS
SELECT i AS id, ('{a{' || i % 7 || '}{' || i % 5 || '}' || repeat('{x}', i % 4) || '}')::tree AS doc,
	'name ' || i % 40 AS name, ('name ' || i % 40)::bytea AS bytes,
	string_to_array('a b ' || i % 30, ' ') AS parts, jsonb_build_object('a', i % 7, 'b', i % 5) AS json
FROM generate_series(1, 150) i;
INSERT INTO plain VALUES (151);
CREATE TABLE indexed AS TABLE plain;
CREATE INDEX ON indexed USING gist (doc);
CREATE INDEX ON indexed USING profile (name);
CREATE INDEX ON indexed USING profile (bytes);
CREATE INDEX ON indexed USING profile (parts);
CREATE INDEX ON indexed USING gist ((json::tree));
CREATE TABLE inverted AS TABLE plain;
CREATE INDEX ON inverted USING gin (doc);
CREATE INDEX ON inverted USING gin ((json::tree));
ANALYZE plain, indexed, inverted;
GRANT SELECT ON plain, indexed, inverted TO PUBLIC;

-- what a statement returns to a role, or its error
CREATE FUNCTION run(role text, statement text) RETURNS text AS $$
DECLARE
	result text;
BEGIN
	PERFORM set_config('role', role, true);
	EXECUTE statement INTO result;
	PERFORM set_config('role', 'none', true);
	RETURN result;
EXCEPTION
	WHEN insufficient_privilege THEN
		RETURN sqlerrm;
END $$ LANGUAGE plpgsql;

-- whether a role's plan has a word
CREATE FUNCTION planned(role text, statement text, word text) RETURNS boolean AS $$
DECLARE
	line text;
	found boolean := false;
BEGIN
	PERFORM set_config('role', role, true);
	FOR line IN EXECUTE 'EXPLAIN ' || statement LOOP
		found := found OR line ~ word;
	END LOOP;
	PERFORM set_config('role', 'none', true);
	RETURN found;
END $$ LANGUAGE plpgsql;

-- @t is the table, @q, @n, @b and @p are documents, @k is 1; the role is the one with the fewest rights
CREATE TABLE statements (number serial, role text, statement text);
INSERT INTO statements (role, statement) VALUES
	('regress_ted_bare', 'SELECT string_agg(id::text, '' '' ORDER BY id) FROM @t WHERE tree_within(doc, @q, @k)'),
	('regress_ted_bare', 'SELECT string_agg(id::text, '' '' ORDER BY id) FROM @t WHERE tree_similar(doc, @q, 0.8)'),
	('regress_ted_bare', 'SELECT string_agg(id::text, '' '' ORDER BY id) FROM @t WHERE tree_edit_distance(doc, @q) <= @k'),
	('regress_ted_bare', 'SELECT string_agg(id::text, '' '' ORDER BY id) FROM @t WHERE tree_edit_distance(doc, @q) < 1.5'),
	('regress_ted_bare', 'SELECT string_agg(id::text, '' '' ORDER BY id) FROM @t WHERE tree_edit_distance_less_equal(doc, @q, @k) <= @k'),
	('regress_ted_bare', 'SELECT string_agg(id::text, '' '' ORDER BY id) FROM @t WHERE tree_similarity(doc, @q) >= 0.8'),
	('regress_ted_bare', 'SELECT string_agg(id::text, '' '' ORDER BY id) FROM @t WHERE tree_normalized_distance(doc, @q) < 0.2'),
	('regress_ted_bare', 'SELECT string_agg(id::text, '' '' ORDER BY id) FROM @t WHERE json_within(doc, @q, @k)'),
	('regress_ted_bare', 'SELECT string_agg(id::text, '' '' ORDER BY id) FROM @t WHERE json_edit_distance(doc, @q) <= @k'),
	('regress_ted_bare', 'SELECT string_agg(id::text, '' '' ORDER BY id) FROM @t WHERE tree_within(doc, @q, @k::float8, tree_costs(1, 1, 0.5))'),
	('regress_ted_bare', 'SELECT string_agg(id::text, '' '' ORDER BY id) FROM @t WHERE tree_edit_distance(doc, @q, tree_costs(1, 1, 0.5)) <= @k::float8'),
	('regress_ted_bare', 'SELECT string_agg(id::text, '' '' ORDER BY id) FROM @t WHERE tree_edit_distance(doc, @q) <= @k OR tree_within(doc, ''{b}'', 2)'),
	('regress_ted_bare', 'SELECT string_agg(id::text, '' '' ORDER BY id) FROM @t WHERE tree_within(json, ''{"a": 1, "b": 2}'', 1)'),
	('regress_ted_bare', 'SELECT string_agg(id::text, '' '' ORDER BY id) FROM @t WHERE tree_edit_distance(json, ''{"a": 1, "b": 2}'') <= @k'),
	('regress_ted_bare', 'SELECT string_agg(id::text, '' '' ORDER BY id) FROM @t WHERE lcs_within(name, @n, @k)'),
	('regress_ted_bare', 'SELECT string_agg(id::text, '' '' ORDER BY id) FROM @t WHERE lcs_similar(name, @n, 0.9)'),
	('regress_ted_bare', 'SELECT string_agg(id::text, '' '' ORDER BY id) FROM @t WHERE lcs_distance(name, @n) <= @k'),
	('regress_ted_bare', 'SELECT string_agg(id::text, '' '' ORDER BY id) FROM @t WHERE lcs_similarity(name, @n) > 0.9'),
	('regress_ted_bare', 'SELECT string_agg(id::text, '' '' ORDER BY id) FROM @t WHERE lcs_distance_less_equal(name, @n, @k) <= @k'),
	('regress_ted_bare', 'SELECT string_agg(id::text, '' '' ORDER BY id) FROM @t WHERE lcs_within(bytes, @b, @k)'),
	('regress_ted_bare', 'SELECT string_agg(id::text, '' '' ORDER BY id) FROM @t WHERE lcs_similarity(bytes, @b) > 0.9'),
	('regress_ted_bare', 'SELECT string_agg(id::text, '' '' ORDER BY id) FROM @t WHERE lcs_within(parts, @p, @k)'),
	('regress_ted_bare', 'SELECT string_agg(id::text, '' '' ORDER BY id) FROM @t WHERE lcs_distance(parts, @p) <= @k'),
	('regress_ted_bare', 'SELECT string_agg(coalesce(d::text, ''null''), '' '') FROM (SELECT tree_edit_distance(doc, @q) AS d FROM @t ORDER BY tree_edit_distance(doc, @q) LIMIT 9) s'),
	('regress_ted_bare', 'SELECT string_agg(coalesce(d::text, ''null''), '' '') FROM (SELECT tree_similarity(doc, @q) AS d FROM @t ORDER BY tree_similarity(doc, @q) DESC NULLS LAST LIMIT 9) s'),
	('regress_ted_bare', 'SELECT string_agg(coalesce(d::text, ''null''), '' '') FROM (SELECT tree_similarity(doc, @q) AS d FROM @t ORDER BY tree_similarity(doc, @q) DESC LIMIT 9) s'),
	('regress_ted_bare', 'SELECT string_agg(coalesce(d::text, ''null''), '' '') FROM (SELECT tree_normalized_distance(doc, @q) AS d FROM @t ORDER BY tree_normalized_distance(doc, @q) LIMIT 9) s'),
	('regress_ted_bare', 'SELECT string_agg(coalesce(d::text, ''null''), '' '') FROM (SELECT tree_edit_distance(json, ''{"a": 1, "b": 2}'') AS d FROM @t ORDER BY tree_edit_distance(json, ''{"a": 1, "b": 2}'') LIMIT 9) s'),
	('regress_ted_bare', 'SELECT string_agg(coalesce(d::text, ''null''), '' '') FROM (SELECT tree_pqgram_distance(doc, @q) AS d FROM @t ORDER BY tree_pqgram_distance(doc, @q) LIMIT 9) s'),
	('regress_ted_bare', 'SELECT string_agg(coalesce(d::text, ''null''), '' '') FROM (SELECT lcs_distance(name, @n) AS d FROM @t ORDER BY lcs_distance(name, @n) LIMIT 9) s'),
	('regress_ted_bare', 'SELECT string_agg(coalesce(d::text, ''null''), '' '') FROM (SELECT lcs_similarity(name, @n) AS d FROM @t ORDER BY lcs_similarity(name, @n) DESC NULLS LAST LIMIT 9) s'),
	('regress_ted_bare', 'SELECT string_agg(coalesce(d::text, ''null''), '' '') FROM (SELECT lcs_distance(bytes, @b) AS d FROM @t ORDER BY lcs_distance(bytes, @b) LIMIT 9) s'),
	('regress_ted_bare', 'SELECT string_agg(coalesce(d::text, ''null''), '' '') FROM (SELECT lcs_distance(parts, @p) AS d FROM @t ORDER BY lcs_distance(parts, @p) LIMIT 9) s'),
	('regress_ted_bare', 'SELECT concat(count(*), '' '', sum(tree_edit_distance(a.doc, b.doc))) FROM @t a JOIN @t b ON a.id < b.id AND tree_edit_distance(a.doc, b.doc) <= @k'),
	('regress_ted_bare', 'SELECT count(*)::text FROM (SELECT doc FROM @t WHERE id < 9) s JOIN @t b ON tree_within(b.doc, s.doc, 1)'),
	('regress_ted_bare', 'SELECT concat(count(*), '' '', sum(tree_similarity(a.doc, b.doc))::numeric(9, 3)) FROM @t a LEFT JOIN @t b ON tree_similar(a.doc, b.doc, 0.8) AND a.id < b.id'),
	('regress_ted_bare', 'SELECT count(*)::text FROM @t a WHERE NOT EXISTS (SELECT FROM @t b WHERE a.id <> b.id AND json_within(a.doc, b.doc, @k))'),
	('regress_ted_bare', 'SELECT concat(count(*), '' '', sum(lcs_length(a.name, b.name))) FROM @t a JOIN @t b ON a.id < b.id AND lcs_distance(a.name, b.name) <= @k'),
	('regress_ted_bare', 'SELECT count(*)::text FROM @t a JOIN @t b ON a.id < b.id AND tree_within(a.doc, b.doc, @k::float8, tree_costs(1, 1, 0.5))'),
	('regress_ted_bare', 'SELECT concat(count(*), '' '', sum(d)) FROM (SELECT doc FROM @t WHERE id < 30) a CROSS JOIN LATERAL (SELECT tree_edit_distance(a.doc, doc) AS d FROM @t ORDER BY tree_edit_distance(a.doc, doc) LIMIT 3) b'),
	('regress_ted_bare', 'SELECT sum(cardinality(found))::text FROM (SELECT tree_within_pairs(id, doc, 1) AS found FROM @t) s'),
	('regress_ted_bare', 'SELECT sum(cardinality(found))::text FROM (SELECT lcs_similar_pairs(id, name, 0.9) AS found FROM @t) s'),
	('regress_ted_bare', 'SELECT sum(c)::text FROM (SELECT tree_within_cluster(doc, 1) OVER () AS c FROM @t) s'),
	('regress_ted_reader', 'SELECT string_agg(id::text, '' '' ORDER BY id) FROM @t WHERE doc <-> @q <= @k'),
	('regress_ted_reader', 'SELECT string_agg(id::text, '' '' ORDER BY id) FROM @t WHERE doc = @q'),
	('regress_ted_reader', 'SELECT string_agg(id::text, '' '' ORDER BY id) FROM @t WHERE doc <~ tree_range(@q, @k)'),
	('regress_ted_reader', 'SELECT string_agg(id::text, '' '' ORDER BY id) FROM @t WHERE name <%> @n <= 0.1'),
	('regress_ted_reader', 'SELECT string_agg(coalesce(d::text, ''null''), '' '') FROM (SELECT doc <-> @q AS d FROM @t ORDER BY doc <-> @q LIMIT 9) s'),
	('regress_ted_reader', 'SELECT string_agg(coalesce(d::text, ''null''), '' '') FROM (SELECT name <~> @n AS d FROM @t ORDER BY name <~> @n LIMIT 9) s'),
	('regress_ted_reader', 'SELECT string_agg(coalesce(d::text, ''null''), '' '') FROM (SELECT doc <%> @q AS d FROM @t ORDER BY doc <%> @q LIMIT 9) s'),
	('regress_ted_reader', 'SELECT concat(count(*), '' '', sum(a.doc <-> b.doc)) FROM @t a JOIN @t b ON a.id < b.id AND a.doc <-> b.doc <= @k'),
	('regress_ted_reader', 'SELECT count(*)::text FROM (SELECT doc, count(*) FROM @t GROUP BY doc) s'),
	('regress_ted_reader', 'SELECT count(*)::text FROM @t a JOIN @t b USING (doc)'),
	('regress_ted_reader', 'SELECT string_agg(id::text, '' '' ORDER BY id) FROM @t WHERE doc = ANY (ARRAY[@q, @q, @q, @q, @q, @q, @q, @q, @q, @q])');

-- a statement about a table, with constants or with parameters
CREATE FUNCTION written(statement text, relation text, parameters boolean DEFAULT false) RETURNS text AS $$
	SELECT replace(replace(replace(replace(replace(replace(statement, '@t', relation),
		'@q', CASE WHEN parameters THEN '$1' ELSE '''{a{3}{2}{x}}''::tree' END),
		'@n', CASE WHEN parameters THEN '$2' ELSE '''name 13''::text' END),
		'@b', CASE WHEN parameters THEN '$3' ELSE '''name 13''::bytea' END),
		'@p', CASE WHEN parameters THEN '$4' ELSE '''{a,b,13}''::text[]' END),
		'@k', CASE WHEN parameters THEN '$5' ELSE '1' END)
$$ LANGUAGE sql;

-- settings under which indexes, or joins, are used wherever they can be
SET enable_seqscan = off;
SET max_parallel_workers_per_gather = 0;
SET enable_memoize = off; -- needs the operator = of trees

-- each statement, by all tables and roles: what differs from what a superuser gets of the plain table
CREATE FUNCTION compare() RETURNS TABLE (number integer, "as" text, relation text, result text, expected text) AS $$
	WITH expected AS MATERIALIZED (SELECT s.*, run('none', written(statement, 'plain')) AS result FROM statements s)
	SELECT e.number, r.role, relation, got.result, e.result
	FROM expected e, unnest(ARRAY['plain', 'indexed', 'inverted']) relation,
		unnest(ARRAY[e.role, 'regress_ted_reader']) r (role),
		LATERAL (SELECT run(r.role, written(statement, relation)) AS result) got
	WHERE got.result IS DISTINCT FROM e.result
	ORDER BY 1, 2, 3
$$ LANGUAGE sql;
SELECT * FROM compare();
SET enable_indexscan = off;
SELECT * FROM compare();
RESET enable_indexscan;
SET enable_bitmapscan = off;
SET enable_nestloop = off;
SELECT * FROM compare();
RESET enable_nestloop;
RESET enable_bitmapscan;

-- plans by an index, and by joins: a reader's are those of a superuser, and another role's those that add nothing
SELECT count(*), count(*) FILTER (WHERE planned('none', written(statement, 'indexed'), 'Index')) AS superuser,
	count(*) FILTER (WHERE planned('regress_ted_reader', written(statement, 'indexed'), 'Index')) AS reader,
	count(*) FILTER (WHERE planned('regress_ted_bare', written(statement, 'indexed'), 'Index')) AS bare,
	count(*) FILTER (WHERE planned('regress_ted_bare', written(statement, 'indexed'), 'TedJoin|TedNearest')) AS joins
FROM statements WHERE role = 'regress_ted_bare';

-- a plan that was made for one role, and is run by another one
CREATE FUNCTION run_cached(first text, second text, statement text) RETURNS text[] AS $$
DECLARE
	call text := 'EXECUTE cached (''{a{3}{2}{x}}'', ''name 13'', ''name 13'', ''{a,b,13}'', 1)';
	results text[];
BEGIN
	EXECUTE 'PREPARE cached (tree, text, bytea, text[], integer) AS ' || statement;
	results := ARRAY[run(first, call), run(second, call), run(first, call)];
	DEALLOCATE cached;
	RETURN results;
END $$ LANGUAGE plpgsql;
CREATE FUNCTION compare_cached() RETURNS TABLE (number integer, first text, second text, results text[], expected text) AS $$
	WITH expected AS MATERIALIZED (SELECT s.*, run('none', written(statement, 'plain')) AS result FROM statements s)
	SELECT e.number, roles[1], roles[2], got.results, e.result
	FROM expected e,
		LATERAL (VALUES (ARRAY['regress_ted_reader', e.role]), (ARRAY[e.role, 'regress_ted_reader']), (ARRAY['none', e.role])) r (roles),
		LATERAL (SELECT run_cached(roles[1], roles[2], written(statement, 'indexed', true)) AS results) got
	WHERE got.results IS DISTINCT FROM array_fill(e.result, ARRAY[3])
	ORDER BY 1, 2, 3
$$ LANGUAGE sql;
SET plan_cache_mode = force_generic_plan;
SELECT * FROM compare_cached();
SET enable_indexscan = off;
SELECT * FROM compare_cached();
RESET enable_indexscan;
SET plan_cache_mode = force_custom_plan;
SELECT * FROM compare_cached();
SET plan_cache_mode = force_generic_plan;
PREPARE near (tree) AS SELECT count(*) FROM indexed WHERE tree_edit_distance(doc, $1) <= 1;
SET ROLE regress_ted_reader;
SELECT explain('EXECUTE near (''{a{3}{2}{x}}'')');
SET ROLE regress_ted_bare;
SELECT explain('EXECUTE near (''{a{3}{2}{x}}'')');
EXECUTE near ('{a{3}{2}{x}}');
RESET ROLE;
DEALLOCATE near;

-- a right that is granted or revoked counts from the next call on
GRANT EXECUTE ON FUNCTION tree_range(tree, float8), ted_may_be_within(tree, tree_range) TO regress_ted_bare;
PREPARE near (tree) AS SELECT count(*) FROM indexed WHERE tree_edit_distance(doc, $1) <= 1;
SET ROLE regress_ted_bare;
SELECT explain('EXECUTE near (''{a{3}{2}{x}}'')');
RESET ROLE;
REVOKE EXECUTE ON FUNCTION tree_range(tree, float8) FROM regress_ted_bare;
SET ROLE regress_ted_bare;
SELECT explain('EXECUTE near (''{a{3}{2}{x}}'')');
EXECUTE near ('{a{3}{2}{x}}');
RESET ROLE;
GRANT EXECUTE ON FUNCTION tree_range(tree, float8) TO regress_ted_bare;
SET ROLE regress_ted_bare;
SELECT explain('EXECUTE near (''{a{3}{2}{x}}'')');
RESET ROLE;
REVOKE EXECUTE ON FUNCTION ted_may_be_within(tree, tree_range) FROM regress_ted_bare;
SET enable_bitmapscan = off;
SET ROLE regress_ted_bare;
SELECT explain('EXECUTE near (''{a{3}{2}{x}}'')');
EXECUTE near ('{a{3}{2}{x}}');
RESET ROLE;
RESET enable_bitmapscan;
REVOKE EXECUTE ON FUNCTION tree_range(tree, float8) FROM regress_ted_bare;
DEALLOCATE near;

-- functions of PostgreSQL that the condition for a limit not yet known calls
PREPARE near (float8) AS SELECT count(*) FROM indexed WHERE tree_normalized_distance(doc, '{a{3}{2}{x}}') <= $1;
REVOKE EXECUTE ON FUNCTION float8mul FROM PUBLIC;
SET ROLE regress_ted_reader;
SELECT explain('EXECUTE near (0.2)');
EXECUTE near (0.2);
RESET ROLE;
DEALLOCATE near;
PREPARE near (float8) AS SELECT count(*) FROM indexed WHERE tree_normalized_distance(doc, '{a{3}{2}{x}}') <= $1;
GRANT EXECUTE ON FUNCTION float8mul TO PUBLIC;
SET ROLE regress_ted_reader;
SELECT explain('EXECUTE near (0.2)');
EXECUTE near (0.2);
RESET ROLE;
DEALLOCATE near;
RESET plan_cache_mode;

-- tables of a role, with indexes, statistics and generated columns; the progress of others
SET ROLE regress_ted_reader;
CREATE TABLE own (id integer, doc tree, json jsonb, made tree GENERATED ALWAYS AS (json::tree) STORED);
CREATE INDEX ON own USING gist (doc);
CREATE INDEX ON own USING gin (doc);
CREATE INDEX ON own USING profile (doc);
CREATE INDEX ON own USING gist ((json::tree));
INSERT INTO own SELECT id, doc, json FROM plain;
ANALYZE own;
SELECT count(*), count(made) FROM own WHERE tree_within(doc, '{a{3}{2}{x}}', 1) AND tree_within(json, '{"a": 3}', 6);
SELECT count(*) FROM ted_progress;
DROP TABLE own;
RESET ROLE;

DROP TABLE plain, indexed, inverted, statements;
DROP FUNCTION run, planned, written, compare, compare_cached, run_cached;
DO $$
DECLARE
	f record;
BEGIN
	FOR f IN
		SELECT p.oid::regprocedure AS name
		FROM pg_depend JOIN pg_extension e ON e.oid = refobjid JOIN pg_proc p ON p.oid = objid
		WHERE extname = 'ted' AND refclassid = 'pg_extension'::regclass AND classid = 'pg_proc'::regclass
		  AND proname <> 'profile_index_check'
	LOOP
		EXECUTE format('GRANT EXECUTE ON ROUTINE %s TO PUBLIC', f.name);
	END LOOP;
END $$;
DROP OWNED BY regress_ted_reader, regress_ted_bare;
DROP ROLE regress_ted_reader, regress_ted_bare;
RESET enable_seqscan;
RESET max_parallel_workers_per_gather;
RESET enable_memoize;
