-- Installs the extensions for the files that follow, and what they share; checks operator classes and comments
CREATE EXTENSION ted;
CREATE EXTENSION ted_distributed;

-- every operator class is complete
SELECT opcname, amname, amvalidate(c.oid)
FROM pg_opclass c JOIN pg_am a ON a.oid = opcmethod
WHERE opcintype = 'tree'::regtype OR amname = 'profile' ORDER BY amname, opcname;

-- every object has a comment
SELECT pg_describe_object(classid, objid, objsubid) AS object_without_comment
FROM pg_depend
WHERE refclassid = 'pg_extension'::regclass AND deptype = 'e'
  AND refobjid IN (SELECT oid FROM pg_extension WHERE extname IN ('ted', 'ted_distributed'))
  AND obj_description(objid, classid::regclass::name) IS NULL
  AND NOT (classid = 'pg_type'::regclass
           AND EXISTS (SELECT 1 FROM pg_type t WHERE t.oid = objid AND (typelem <> 0 AND typcategory = 'A'
                          OR EXISTS (SELECT 1 FROM pg_class c WHERE c.oid = typrelid AND relkind <> 'c'))))
ORDER BY 1;

-- objects that users need, of those for joins over several servers
SELECT pg_describe_object(classid, objid, objsubid) AS for_users
FROM pg_depend
WHERE refclassid = 'pg_extension'::regclass AND deptype = 'e'
  AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'ted_distributed')
  AND obj_description(objid, classid::regclass::name) NOT LIKE 'internal: %'
ORDER BY 1;

-- a plan, as all versions of PostgreSQL show it
CREATE FUNCTION explain(query text, options text DEFAULT 'ANALYZE OFF') RETURNS SETOF text AS $$
DECLARE
	line text;
BEGIN
	FOR line IN EXECUTE format('EXPLAIN (%s, BUFFERS OFF, COSTS OFF, TIMING OFF, SUMMARY OFF) %s', options, query) LOOP
		CONTINUE WHEN line ~ '^ *(Disabled: true|Window: .*)$';
		line := regexp_replace(line, 'actual rows=[\d.]+', 'actual rows=' || coalesce(round(substring(line FROM 'actual rows=([\d.]+)')::numeric), 0));
		line := regexp_replace(line, '(Memory|Spooled): \d+ kB', '\1: ### kB');
		RETURN NEXT regexp_replace(line, 'OVER w\d+', 'OVER (?)', 'g');
	END LOOP;
END $$ LANGUAGE plpgsql;

-- blocks of few documents, where memory is little
DO $$
BEGIN
	EXECUTE format('ALTER DATABASE %I SET ted.least_join_memory = ''64kB''', current_database());
END $$;
