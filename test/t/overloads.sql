/*
 * Functions and operators that another user might create where the extensions are, so that
 * they are called in place of what these extensions' SQL and PL/pgSQL mention: all of these
 * names, with arguments of other types, fewer arguments where some have defaults, and the
 * arguments themselves.  They raise SQLSTATE HF000.
 */
CREATE SCHEMA planting;

-- arguments that calls may have in place of those declared
CREATE FUNCTION planting.types() RETURNS regtype[] LANGUAGE sql
	RETURN '{integer,text,double precision,bigint,name,numeric,"\"char\"",boolean,bytea,regclass,xml,jsonb,integer[],text[],anyelement}'::regtype[];

-- the bodies of the extensions' functions, and views
CREATE FUNCTION planting.bodies() RETURNS text LANGUAGE sql
	BEGIN ATOMIC
		SELECT string_agg(body, E'\n')
		FROM (SELECT pg_get_functiondef(p.oid) AS body, p.oid, 'pg_proc'::regclass AS class FROM pg_proc p JOIN pg_language l ON l.oid = prolang
			  WHERE lanname IN ('sql', 'plpgsql') AND prokind = 'f'
			  UNION ALL SELECT pg_get_viewdef(oid), oid, 'pg_class'::regclass FROM pg_class WHERE relkind = 'v') b
			 JOIN pg_depend d ON d.classid = class AND d.objid = b.oid AND d.deptype = 'e' AND d.refclassid = 'pg_extension'::regclass
			 JOIN pg_extension e ON e.oid = d.refobjid AND e.extname IN ('ted', 'ted_distributed');
	END;

-- the functions that bodies mention, with the types and names of their arguments
CREATE FUNCTION planting.mentioned() RETURNS TABLE (name name, types regtype[], names text[], required integer, result regtype)
	LANGUAGE sql
	BEGIN ATOMIC
		WITH word AS MATERIALIZED (SELECT m[1] AS word FROM regexp_matches(planting.bodies(), '[a-z_][a-z_0-9]*', 'g') m)
		SELECT DISTINCT proname, array(SELECT t FROM unnest(proargtypes) t)::regtype[],
			   (CASE WHEN proargmodes IS NULL THEN proargnames
				ELSE array(SELECT n FROM unnest(proargnames, proargmodes) a(n, mode) WHERE mode IN ('i', 'b', 'v')) END)[:pronargs],
			   pronargs - pronargdefaults,
			   CASE WHEN typtype <> 'p' THEN prorettype ELSE 'integer'::regtype END::regtype
		FROM pg_proc p JOIN pg_type t ON t.oid = prorettype
		WHERE prokind <> 'p' AND proname IN (SELECT word FROM word)
			AND (pronamespace = 'pg_catalog'::regnamespace
				 OR p.oid IN (SELECT objid FROM pg_depend WHERE classid = 'pg_proc'::regclass AND deptype = 'e'))
			AND NOT proargtypes::regtype[] && '{internal,cstring,trigger,event_trigger}'::regtype[];
	END;

-- lists of arguments in place of another one
CREATE FUNCTION planting.variants(types regtype[]) RETURNS SETOF regtype[] LANGUAGE sql
	BEGIN ATOMIC
		SELECT types
		UNION SELECT ARRAY[a] FROM unnest(planting.types()) a WHERE cardinality(types) = 1
		UNION SELECT ARRAY[a, b] FROM unnest(planting.types()) a, unnest(planting.types()) b WHERE cardinality(types) = 2
		-- in longer ones, two others
		UNION SELECT (types[:i - 1] || a || types[i + 1:j - 1] || b) || types[j + 1:]
		FROM generate_series(1, cardinality(types)) i, generate_series(i + 1, cardinality(types)) j,
			 unnest((planting.types())[:3] || types[i]) a, unnest((planting.types())[:3] || types[j]) b
		WHERE cardinality(types) > 2
		-- format() and its like
		UNION SELECT types[:cardinality(types) - 1] || more
		FROM (SELECT ARRAY[a] AS more FROM unnest(planting.types()) a
			  UNION SELECT ARRAY[a, b] FROM unnest((planting.types())[:5]) a, unnest((planting.types())[:5]) b
			  UNION SELECT ARRAY[a, b, c] FROM unnest((planting.types())[:5]) a, unnest((planting.types())[:5]) b, unnest((planting.types())[:5]) c) m
		WHERE types[cardinality(types)] = '"any"'::regtype;
	END;

-- the statements that plant them in a schema, but what the extensions themselves have
CREATE FUNCTION planting.statements(target name) RETURNS TABLE (name name, types regtype[], statement text) LANGUAGE sql SET jit = off
	BEGIN ATOMIC
		WITH symbol AS MATERIALIZED (
			SELECT m[1] AS symbol FROM regexp_matches(planting.bodies() || ' <> <= >= ', '[-+*/<>=~!@#%^&|?]+', 'g') m),
		function AS (
			SELECT DISTINCT ON (name, v) name, v AS types, CASE WHEN cardinality(v) = cardinality(names) THEN names END AS names, result
			FROM planting.mentioned() m, planting.variants(types) v
			UNION
			-- one of the arguments with defaults, or none
			SELECT DISTINCT ON (name, types[:required] || types[i:i]) name, types[:required] || types[i:i], names[:required] || names[i:i], result
			FROM planting.mentioned(), generate_series(required + 1, cardinality(types) + 1) i WHERE required < cardinality(types)),
		operator AS (
			SELECT name, types, row_number() OVER () AS number
			FROM (SELECT DISTINCT oprname AS name FROM pg_operator
				  WHERE oprname IN (SELECT symbol FROM symbol)) o,
				 planting.variants('{integer,integer}') AS types)
		SELECT name, types,
			   format('CREATE FUNCTION %I.%I(%s) RETURNS %s LANGUAGE plpgsql AS ''BEGIN RAISE EXCEPTION $$planted overload %%$$, $$%s(%s)$$ USING ERRCODE = $$HF000$$; END''',
					  target, name,
					  (SELECT string_agg(concat_ws(' ', quote_ident(nullif(names[i], '')), types[i]), ', ' ORDER BY i)
					   FROM generate_series(1, cardinality(types)) i),
					  result, name, replace(array_to_string(types, ','), '"', ''))
		FROM function
		WHERE NOT '"any"'::regtype = ANY (types)
			AND NOT EXISTS (SELECT FROM pg_proc WHERE proname = name AND proargtypes = array_to_string(types::oid[], ' ')::oidvector
							AND pronamespace IN (SELECT extnamespace FROM pg_extension WHERE extname IN ('ted', 'ted_distributed')))
		UNION ALL
		SELECT name, types,
			   format('CREATE FUNCTION %1$I.planted_%2$s(%3$s, %4$s) RETURNS boolean LANGUAGE plpgsql AS ''BEGIN RAISE EXCEPTION $$planted overload %%$$, $$%3$s %5$s %4$s$$ USING ERRCODE = $$HF000$$; END''; CREATE OPERATOR %1$I.%5$s (LEFTARG = %3$s, RIGHTARG = %4$s, FUNCTION = %1$I.planted_%2$s)',
					  target, number, types[1], types[2], name)
		FROM operator;
	END;

-- plants them; those that there are already, or cannot be, are left out
CREATE FUNCTION planting.plant(target name) RETURNS bigint LANGUAGE plpgsql SET client_min_messages = error AS $$
DECLARE
	planted bigint := 0;
	planting text;
BEGIN
	FOR planting IN SELECT statement FROM planting.statements(target) LOOP
		BEGIN
			EXECUTE planting;
			planted := planted + 1;
		EXCEPTION WHEN duplicate_function OR invalid_function_definition OR invalid_parameter_value OR insufficient_privilege THEN
			NULL;
		END;
	END LOOP;
	RETURN planted;
END $$;

-- takes them away, some at a time, which a transaction can lock; for a search path of pg_catalog alone
CREATE PROCEDURE planting.uproot(target name) LANGUAGE plpgsql AS $$
DECLARE
	planted text;
BEGIN
	LOOP
		planted := (SELECT string_agg(p::text, ', ')
					FROM (SELECT oid::regprocedure AS p FROM pg_proc
						  WHERE pronamespace = target::regnamespace AND prosrc LIKE '%planted overload%' LIMIT 1000) s);
		EXIT WHEN planted IS NULL;
		EXECUTE format('DROP FUNCTION %s CASCADE', planted);
		COMMIT;
	END LOOP;
END $$;
