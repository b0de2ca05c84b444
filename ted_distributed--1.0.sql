-- complain if the script is sourced in psql
\echo Use "CREATE EXTENSION ted_distributed" to load this file. \quit

/*
 * Joins over several servers.  The functions whose names end in "distributed" are for users; all
 * others are for these.  src/distributed/groups.h describes the steps of a join.
 *
 * Others may create functions and operators where this extension is, or ted.  So bodies
 * see those of pg_catalog alone, statements name the schemas of what is ours, which are
 * looked up, and every argument of ours has the very type that is declared.  The variable
 * home has the schema of this extension, ted that of ted.
 */

-- what servers send each other: a step, who gets it, who sends it, and its number among the sender's
CREATE TYPE ted_packet AS (step "char", number integer, sender integer, seq integer, packed bytea);

-- how often labels occur, by their hashes; counts of several servers are added
CREATE FUNCTION ted_label_counts_transfn(bytea, tree) RETURNS bytea
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION ted_label_counts_combine(bytea, bytea) RETURNS bytea
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100;
CREATE AGGREGATE ted_label_counts(doc tree) (
	SFUNC = ted_label_counts_transfn, STYPE = bytea, COMBINEFUNC = ted_label_counts_combine, PARALLEL = SAFE
);

-- step 1: the documents of a query, for their homes, and their keys, for owners
CREATE FUNCTION ted_read_documents(query text, source integer, least_hashes integer[], counts bytea, owners integer, kind text, threshold float8)
	RETURNS SETOF ted_packet
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 100;
CREATE FUNCTION ted_first_row(of_table oid) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1;
CREATE FUNCTION ted_processors() RETURNS integer
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL SAFE;

-- steps 2 to 5: what homes and owners answer to the packets of a step
CREATE FUNCTION ted_mail_transfn(internal, step "char", number integer, sender integer, seq integer, packed bytea, receivers integer) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100;
CREATE FUNCTION ted_find_shared_finalfn(internal, "char", integer, integer, integer, bytea, integer) RETURNS ted_packet[]
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100000;
CREATE AGGREGATE ted_find_shared(step "char", number integer, sender integer, seq integer, packed bytea, receivers integer) (
	SFUNC = ted_mail_transfn, STYPE = internal, FINALFUNC = ted_find_shared_finalfn, FINALFUNC_EXTRA
);
CREATE FUNCTION ted_least_keys_finalfn(internal, "char", integer, integer, integer, bytea, integer) RETURNS ted_packet[]
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100000;
CREATE AGGREGATE ted_least_keys(step "char", number integer, sender integer, seq integer, packed bytea, receivers integer) (
	SFUNC = ted_mail_transfn, STYPE = internal, FINALFUNC = ted_least_keys_finalfn, FINALFUNC_EXTRA
);
CREATE FUNCTION ted_values_finalfn(internal, "char", integer, integer, integer, bytea, integer) RETURNS ted_packet[]
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100000;
CREATE AGGREGATE ted_values(step "char", number integer, sender integer, seq integer, packed bytea, receivers integer) (
	SFUNC = ted_mail_transfn, STYPE = internal, FINALFUNC = ted_values_finalfn, FINALFUNC_EXTRA
);
CREATE FUNCTION ted_document_values_finalfn(internal, "char", integer, integer, integer, bytea, integer) RETURNS ted_packet[]
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100000;
CREATE AGGREGATE ted_document_values(step "char", number integer, sender integer, seq integer, packed bytea, receivers integer) (
	SFUNC = ted_mail_transfn, STYPE = internal, FINALFUNC = ted_document_values_finalfn, FINALFUNC_EXTRA
);
CREATE FUNCTION ted_mail_transfn(internal, step "char", number integer, sender integer, seq integer, packed bytea, receivers integer, kind text, threshold float8) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100;
CREATE FUNCTION ted_plan_cells_finalfn(internal) RETURNS bytea
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100000;
CREATE AGGREGATE ted_plan_cells(step "char", number integer, sender integer, seq integer, packed bytea, receivers integer, kind text, threshold float8) (
	SFUNC = ted_mail_transfn, STYPE = internal, FINALFUNC = ted_plan_cells_finalfn
);
CREATE FUNCTION ted_places_of_cells(plan bytea) RETURNS integer[]
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;

-- step 6: the documents of a packet, for the cells of their values
CREATE FUNCTION ted_send_documents(packed bytea, valued bytea, plan bytea, home integer, seq integer) RETURNS SETOF ted_packet
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100000 ROWS 20;

-- step 7: the pairs of a cell, for the homes of their left ids, and as rows
CREATE FUNCTION ted_join_cell_transfn(internal, packed bytea, home integer, seq integer, kind text, threshold float8, cell integer,
									  homes integer, in_order boolean, id_type anyelement) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE COST 1000;
CREATE FUNCTION ted_join_cell_finalfn(internal, bytea, integer, integer, text, float8, integer, integer, boolean, anyelement) RETURNS ted_packet[]
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE COST 1000000;
CREATE AGGREGATE ted_join_cell(packed bytea, home integer, seq integer, kind text, threshold float8, cell integer,
							   homes integer, in_order boolean, id_type anyelement) (
	SFUNC = ted_join_cell_transfn, STYPE = internal, FINALFUNC = ted_join_cell_finalfn, FINALFUNC_EXTRA, FINALFUNC_MODIFY = READ_WRITE
);
CREATE FUNCTION ted_count_cell_finalfn(internal) RETURNS bigint
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE COST 1000000;
CREATE AGGREGATE ted_count_cell(packed bytea, home integer, seq integer, kind text, threshold float8, cell integer,
								homes integer, in_order boolean, id_type anyelement) (
	SFUNC = ted_join_cell_transfn, STYPE = internal, FINALFUNC = ted_count_cell_finalfn, FINALFUNC_MODIFY = READ_WRITE
);
CREATE FUNCTION ted_unpack_pairs(packed bytea, id_type anyelement, OUT left_id anyelement, OUT right_id anyelement, OUT measure float8)
	RETURNS SETOF record
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE COST 10000 ROWS 100000;

-- A name for a connection, which the end of the transaction or of a failed subtransaction closes, and nothing interrupts that.
CREATE FUNCTION ted_new_connection() RETURNS text
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000;
CREATE FUNCTION ted_close_connections() RETURNS void
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000;

/*
 * A fleet is described by a JSON object: "table", which has the packets of its places; the places of
 * "homes", "owners" and "cells", as arrays of keys; and "home", the schema of our functions.  Servers
 * of postgres_fdw have a table each: then places are numbers of "connections", and there are "schemas".
 *
 * Lets all places do a step: runs a query, which reads packets from the table that is its second
 * argument, by functions of the schema that is its first, and sends the packets that it returns.
 */
CREATE FUNCTION ted_exchange(fleet jsonb, query text) RETURNS void
	LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 1000000
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	began timestamptz := clock_timestamp();
BEGIN
	EXECUTE format('INSERT INTO %s SELECT (CASE WHEN step IN (''o'', ''g'', ''l'') THEN %L::integer[] WHEN step = ''b'' THEN %L ELSE %L END)[number + 1],
						   step, number, sender, seq, packed FROM (%s) p',
				   fleet->>'table', fleet->>'owners', fleet->>'cells', fleet->>'homes', format(query, fleet->>'home', fleet->>'table'));
	RAISE DEBUG 'step % ms: %', extract(epoch FROM clock_timestamp() - began) * 1000, left(query, 80);
END $$;

/*
 * Runs the steps of a join up to its cells, from queries that return the packets of step 1.
 */
CREATE FUNCTION ted_make_cells(INOUT fleet jsonb, reading text[], keyed boolean, two_sided boolean, kind text, threshold float8, OUT plan bytea)
	LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 1000000
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	home name := fleet->>'home';
	homes integer := cardinality((fleet->>'homes')::integer[]);
	owners integer[] := fleet->>'owners';
	places integer[];
	query text;
	step record;
BEGIN
	FOREACH query IN ARRAY reading LOOP
		EXECUTE format('SELECT %I.ted_exchange($1, $2)', home) USING fleet, query;
	END LOOP;
	FOR step IN SELECT * FROM (VALUES ('find_shared', '''o''', homes), ('least_keys', '''k'', ''s''', cardinality(owners)),
									  ('values', '''g'', ''l''', homes), ('document_values', '''k'', ''s'', ''v''', cardinality(owners))) s(name, steps, receivers)
		WHERE keyed
	LOOP
		EXECUTE format('SELECT %I.ted_exchange($1, $2)', home) USING fleet,
			format('SELECT a.* FROM (SELECT %%1$I.ted_%s(step, number, sender, seq, packed, %s) AS answers FROM %%2$s WHERE step IN (%s) GROUP BY place, number) g,
				LATERAL unnest(answers) a', step.name, step.receivers, step.steps);
	END LOOP;
	EXECUTE format('SELECT %I.ted_plan_cells(step, $1, sender, seq, packed, $2, $3, $4) FROM %s WHERE step IN (''z'', ''h'')', home, fleet->>'table')
		INTO plan USING two_sided::integer, cardinality(owners), kind, threshold;
	EXECUTE format('SELECT %I.ted_places_of_cells($1)', home) INTO places USING plan;
	fleet := jsonb_set(fleet, '{cells}', to_jsonb((SELECT array_agg(owners[p.place + 1] ORDER BY i) FROM unnest(places) WITH ORDINALITY p(place, i))::text));
	EXECUTE format('SELECT %I.ted_exchange($1, $2)', home) USING fleet,
		format('SELECT a.* FROM (SELECT place, number, seq, packed FROM %%2$s WHERE step = ''d'') d
			LEFT JOIN (SELECT place, number, seq, packed AS valued FROM %%2$s WHERE step = ''c'') v USING (place, number, seq),
			LATERAL %%1$I.ted_send_documents(packed, valued, %L, number, seq) a', plan);
END $$;

/*
 * Makes the fleet of the workers of Citus, with a table in a schema, and the queries of step 1 for some
 * sources.  A table whose shards are distributed by its ids is read where it is, any other one here.
 * The place in the text of such a query where other arguments are wanted is a %s.
 */
CREATE FUNCTION ted_citus_fleet(tables regclass[], id name, sources text[], cells integer, schema name, OUT fleet jsonb, OUT reading text[])
	LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 1000000
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	home name := (SELECT nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'ted_distributed');
	-- a name that nobody has taken
	new_table text := format('%I.%I', schema, 'ted_packets_' || replace(gen_random_uuid()::text, '-', ''));
	places integer := cells;
	owners integer[];
	homes integer[];
	least integer[];
	sharded oid[]; -- tables that are read where they are
BEGIN
	IF places IS NULL THEN
		SELECT count(*) * least(min(result::integer), 125 / count(*)) INTO places
		FROM run_command_on_workers(format('SELECT %I.ted_processors()', home));
	END IF;
	EXECUTE format('CREATE UNLOGGED TABLE %s (place integer, step "char", number integer, sender integer, seq integer, packed bytea)', new_table);
	EXECUTE format('ALTER TABLE %s ALTER packed SET STORAGE EXTERNAL', new_table);
	PERFORM create_distributed_table(new_table::regclass, 'place', colocate_with := 'none', shard_count := places);
	-- keys that lead to the shards
	SELECT array_agg(key ORDER BY shardid) INTO owners
	FROM (SELECT shardid, min(key) AS key
		  FROM pg_dist_shard JOIN (SELECT key, worker_hash(key) AS hash FROM generate_series(1, 40 * places) key) h
			   ON hash BETWEEN shardminvalue::integer AND shardmaxvalue::integer
		  WHERE logicalrelid = new_table::regclass GROUP BY 1) k;
	SELECT array_agg(p.logicalrelid::oid) INTO sharded
	FROM pg_dist_partition p JOIN pg_dist_partition first ON first.logicalrelid = tables[1] AND first.colocationid = p.colocationid
	WHERE p.logicalrelid = ANY (tables) AND p.partmethod = 'h' AND column_to_column_name(p.logicalrelid, p.partkey) = id
		AND column_to_column_name(first.logicalrelid, first.partkey) = id;
	-- each home is on the server of its shard
	WITH placed AS (
		SELECT logicalrelid, shardid, shardminvalue::integer AS low, groupid,
			   row_number() OVER (PARTITION BY logicalrelid, groupid ORDER BY shardid) - 1 AS nth
		FROM pg_dist_shard JOIN pg_dist_placement USING (shardid)
		WHERE logicalrelid = new_table::regclass OR (logicalrelid = tables[1] AND tables[1] = ANY (sharded))),
	keyed AS (
		SELECT groupid, nth, owners[row_number() OVER (ORDER BY shardid)] AS key, count(*) OVER (PARTITION BY groupid) AS places
		FROM placed WHERE logicalrelid = new_table::regclass)
	SELECT array_agg(coalesce(key, owners[1]) ORDER BY low), array_agg(low ORDER BY low) INTO homes, least
	FROM placed p LEFT JOIN keyed k ON k.groupid = p.groupid AND k.nth = p.nth % k.places
	WHERE logicalrelid = tables[1];
	IF homes IS NULL THEN
		homes := owners;
		least := array(SELECT -2147483648 + i * (4294967296 / places) FROM generate_series(0, places - 1) i);
	END IF;
	fleet := jsonb_build_object('table', new_table, 'home', home, 'owners', owners::text, 'homes', homes::text, 'cells', '{}');
	-- the first row of each shard reads it
	FOR i IN 1 .. cardinality(tables) LOOP
		reading[i] := CASE WHEN tables[i] = ANY (sharded)
			THEN format('SELECT (r).* FROM (SELECT %2$I.ted_read_documents(replace(%L, ''$table'', d.tableoid::regclass::text), %s, %L, %%s) AS r FROM %1$s d WHERE %2$I.ted_first_row(d.tableoid)) r',
						tables[i], home, sources[i], i - 1, least)
			ELSE format('SELECT (r).* FROM (SELECT %I.ted_read_documents(%L, %s, %L, %%s) AS r OFFSET 0) r',
						home, replace(sources[i], '$table', tables[i]::text), i - 1, least) END;
	END LOOP;
END $$;

-- What a domain is over in the end; another type itself.
CREATE FUNCTION ted_base_type(type oid) RETURNS regtype
	LANGUAGE sql STABLE STRICT PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
	WITH RECURSIVE base AS (
		SELECT type AS base
		UNION ALL
		SELECT typbasetype FROM base JOIN pg_type ON oid = base WHERE typtype = 'd')
	SELECT base::regtype FROM base JOIN pg_type ON oid = base WHERE typtype <> 'd'
$$;

/*
 * Checks what a join is called with, before anything is made or sent; returns the type of
 * ids, without domains, their collation, if there is one, and a condition on the pairs of a
 * table with itself, each of which is wanted once.
 */
CREATE FUNCTION ted_check_join(docs regclass, id name, doc name, threshold text, servers name[], cells integer, result name, others regclass,
							   wanted regtype, OUT id_type text, OUT collated oid, OUT pairs text)
	LANGUAGE plpgsql STABLE PARALLEL UNSAFE COST 1000000
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	home name := (SELECT nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'ted_distributed');
	server name;
	source regclass;
	type regtype;
	first regtype;
	wanted_base regtype;
	integers regtype[] := '{smallint,integer,bigint}';
BEGIN
	IF docs IS NULL OR id IS NULL OR doc IS NULL OR threshold IS NULL THEN
		RAISE EXCEPTION 'table, columns and threshold of a similarity join must not be null' USING ERRCODE = 'null_value_not_allowed',
			DETAIL = 'Only the servers, the number of cells, the result and the other table may be null.', HINT = 'Name all of them.';
	ELSIF servers IS NULL AND NOT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') THEN
		RAISE EXCEPTION 'no servers to join by' USING ERRCODE = 'object_not_in_prerequisite_state',
			DETAIL = 'No servers are named, and extension citus is not installed.',
			HINT = 'Name servers of postgres_fdw, or install Citus.';
	ELSIF servers IS NULL AND current_setting('transaction_read_only')::boolean THEN
		RAISE EXCEPTION 'workers of Citus cannot join in a read-only transaction' USING ERRCODE = 'read_only_sql_transaction',
			DETAIL = 'Cells are shards of a table that is made for the join.', HINT = 'Name servers of postgres_fdw, or use a transaction that may write.';
	ELSIF cardinality(servers) = 0 THEN
		RAISE EXCEPTION 'list of servers is empty' USING ERRCODE = 'invalid_parameter_value',
			DETAIL = 'A join needs at least one server.', HINT = 'Name servers of postgres_fdw, or leave out the list to join by the workers of Citus.';
	ELSIF servers IS NOT NULL AND result IS NOT NULL THEN
		RAISE EXCEPTION 'servers of postgres_fdw leave no result' USING ERRCODE = 'feature_not_supported',
			DETAIL = 'Only workers of Citus keep the pairs that they find.', HINT = 'Insert the rows of the call into a table.';
	ELSIF servers IS NOT NULL AND NOT EXISTS (SELECT FROM pg_extension WHERE extname = 'dblink') THEN
		RAISE EXCEPTION 'extension dblink is not installed' USING ERRCODE = 'object_not_in_prerequisite_state',
			DETAIL = 'Cells of a join are sent through it.', HINT = 'Run CREATE EXTENSION dblink.';
	ELSIF cells NOT BETWEEN 1 AND 250 THEN
		RAISE EXCEPTION 'number of cells must be positive, and at most 250' USING ERRCODE = 'invalid_parameter_value',
			DETAIL = format('The number of cells is %s.', cells), HINT = 'Use as many cells as servers have processors.';
	END IF;
	FOREACH server IN ARRAY coalesce(servers, '{}') LOOP
		IF server IS NULL THEN
			RAISE EXCEPTION 'name of a server must not be null' USING ERRCODE = 'null_value_not_allowed',
				DETAIL = 'The list of servers has a null.', HINT = 'Name servers of postgres_fdw.';
		ELSIF NOT EXISTS (SELECT FROM pg_foreign_server WHERE srvname = server) THEN
			RAISE EXCEPTION 'server "%" does not exist', server USING ERRCODE = 'undefined_object',
				DETAIL = 'There is no such foreign server in this database.', HINT = 'Use CREATE SERVER, or a name in pg_foreign_server.';
		END IF;
	END LOOP;
	FOREACH source IN ARRAY array_remove(ARRAY[docs, others], NULL) LOOP
		EXECUTE format('SELECT %I.ted_base_type(atttypid), nullif(attcollation, 0) FROM pg_attribute WHERE attrelid = $1 AND attname = $2', home)
			INTO type, collated USING source, id;
		IF type IS NULL THEN
			RAISE EXCEPTION 'column "%" does not exist', id USING ERRCODE = 'undefined_column',
				DETAIL = format('Table %s has no such column.', source), HINT = 'Name the column of the ids with the argument "id".';
		ELSIF type <> first AND NOT ARRAY[type, first] <@ integers THEN
			RAISE EXCEPTION 'ids of two tables must have the same type' USING ERRCODE = 'datatype_mismatch',
				DETAIL = format('Column "%s" of table %s is of type %s, that of table %s of type %s.', id, docs, first, source, type),
				HINT = 'Join views with columns of the same type.';
		END IF;
		first := integers[greatest(array_position(integers, first), array_position(integers, type))];
		first := coalesce(first, type);
	END LOOP;
	EXECUTE format('SELECT %I.ted_base_type($1)', home) INTO wanted_base USING wanted::oid;
	IF result IS NULL AND wanted_base <> first AND NOT coalesce(array_position(integers, wanted_base) > array_position(integers, first), false) THEN
		RAISE EXCEPTION 'ids of a similarity join are of type %', first USING ERRCODE = 'datatype_mismatch',
			DETAIL = format('The call returns ids of type %s.', wanted), HINT = format('Call the function with NULL::%s as its first argument.', first);
	END IF;
	-- without a modifier, format_type() prints char(5) and bit(4) as types of one character and one bit
	id_type := format_type(first, -1);
	pairs := format('AND a.id %s b.id', coalesce((
		SELECT format('OPERATOR(%I.%s)', nspname, oprname)
		FROM pg_opclass JOIN pg_am ON pg_am.oid = opcmethod AND amname = 'btree'
			JOIN pg_amop ON amopfamily = opcfamily AND amoplefttype = opcintype AND amoprighttype = opcintype AND amopstrategy = 1
			JOIN pg_operator o ON o.oid = amopopr JOIN pg_namespace n ON n.oid = oprnamespace
		WHERE opcdefault AND opcintype = first), 'OPERATOR(pg_catalog.<)'));
	IF others IS NOT NULL THEN
		pairs := '';
	END IF;
END $$;

/*
 * Joins a table with itself or with another one, by the servers that are named, or else by
 * the workers of Citus; returns packets of pairs.  Where it is expected to be done sooner on this
 * server, and no number of cells is named, returns a query for that.
 */
CREATE FUNCTION ted_pairs(docs regclass, kind text, threshold text, servers name[], id name, doc name, cells integer, result name, others regclass,
						  explain boolean, id_type regtype, schemas name[])
	RETURNS TABLE (packed bytea, query text)
	LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 1000
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	ted name := (SELECT nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'ted');
	home name := (SELECT nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'ted_distributed');
	tables regclass[] := array_remove(ARRAY[docs, others], NULL);
	type text; -- of ids
	collated oid;
	pairs text; -- a condition
	sources text[];
	measure text := CASE kind WHEN 'tree' THEN 'measure::integer' ELSE 'measure' END;
	keyed boolean := kind = 'tree' AND threshold::float8 BETWEEN 0 AND 24;
	counts bytea := decode(repeat('00', 65536), 'hex');
	more bytea;
	plan bytea;
	fleet jsonb;
	reading text[];
	schema name;
	memory text := current_setting('work_mem');
	propagated text := current_setting('citus.propagate_set_commands', true);
	executed text := current_setting('citus.enable_local_execution', true);
	joining text;
BEGIN
	EXECUTE format('SELECT * FROM %I.ted_check_join($1, $2, $3, $4, $5, $6, $7, $8, $9)', home) INTO type, collated, pairs
		USING docs, id, doc, threshold, servers, cells, result, others, id_type;
	sources := array(SELECT format('SELECT %L::"char" AS side, %I::%s AS id, %I::%s AS doc FROM $table WHERE %4$I IS NOT NULL', side, id, type, doc,
								   CASE kind WHEN 'tree' THEN format('%I.tree', ted) ELSE 'text' END)
					 FROM unnest(CASE WHEN others IS NULL THEN '{""}' ELSE '{l,r}'::text[] END) side);
	schema := coalesce((SELECT name FROM unnest(schemas) WITH ORDINALITY p(name, i) WHERE name !~ '^pg_' ORDER BY i LIMIT 1),
					   (SELECT nspname FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE c.oid = docs));
	-- the tasks have the memory of this session; Citus does not qualify what is in pg_catalog; a reference table is also here
	PERFORM set_config('citus.propagate_set_commands', 'local', true), set_config('citus.enable_local_execution', 'off', true);
	EXECUTE format('SET LOCAL work_mem = %L', memory);
	SET LOCAL search_path = pg_catalog, pg_temp;
	EXECUTE format('SELECT * FROM %I.ted_citus_fleet($1, $2, $3, $4, $5)', home) INTO fleet, reading USING tables, id, sources, cells, schema;
	IF keyed THEN
		FOR i IN 1 .. cardinality(tables) LOOP
			EXECUTE format('SELECT %I.ted_label_counts_combine($1, %1$I.ted_label_counts(doc)) FROM (SELECT %I::%I.tree AS doc FROM %s %s WHERE %2$I IS NOT NULL) d',
						   home, doc, ted, tables[i], (SELECT CASE WHEN relkind IN ('r', 'p', 'm') THEN 'TABLESAMPLE SYSTEM (5)' ELSE '' END FROM pg_class WHERE oid = tables[i]))
				INTO counts USING counts;
		END LOOP;
	END IF;
	EXECUTE format('SELECT * FROM %I.ted_make_cells($1, $2, $3, $4, $5, $6)', home) INTO fleet, plan
		USING fleet, array(SELECT format(r, format('%L::bytea, %s, %L::text, %L::float8', CASE WHEN keyed THEN counts END, cardinality((fleet->>'owners')::integer[]), kind, threshold))
						   FROM unnest(reading) r),
			  keyed, others IS NOT NULL, kind, threshold::float8;
	joining := format('SELECT place, %I.%%s(packed, sender, seq, %L::text, %L::float8, number, %s, %L::boolean, NULL::%s%s) AS answers FROM %s WHERE step = ''b'' GROUP BY place, number',
					  home, kind, threshold, CASE WHEN result IS NULL THEN 1 ELSE cardinality((fleet->>'homes')::integer[]) END, others IS NULL, type,
					  ' COLLATE ' || collated::regcollation, fleet->>'table');
	IF result = 'count' THEN
		EXECUTE format('SELECT sum(answers) FROM (%s) c', format(joining, 'ted_count_cell')) INTO pairs;
		RAISE INFO 'pairs: %', pairs;
	ELSIF result IS NULL THEN
		RETURN QUERY EXECUTE format('SELECT a.packed, NULL::text FROM (%s) c, LATERAL unnest(answers) a', format(joining, 'ted_join_cell'));
	ELSE
		EXECUTE format('SELECT %I.ted_exchange($1, $2)', home) USING fleet, format('SELECT a.* FROM (%s) c, LATERAL unnest(answers) a', format(joining, 'ted_join_cell'));
		EXECUTE format('CREATE TABLE %I.%I (left_id %s, right_id %3$s, %s)', schema, result, type,
					   CASE kind WHEN 'tree' THEN 'distance integer' ELSE 'similarity float8' END);
		PERFORM create_distributed_table(format('%I.%I', schema, result)::regclass, 'left_id');
		EXECUTE format('INSERT INTO %I.%I SELECT p.left_id, p.right_id, p.%s FROM (SELECT packed FROM %s WHERE step = ''f'') f, LATERAL %I.ted_unpack_pairs(packed, NULL::%s) p',
					   schema, result, measure, fleet->>'table', home, type);
	END IF;
	EXECUTE format('DROP TABLE %s', fleet->>'table');
	PERFORM set_config('citus.enable_local_execution', executed, true);
	-- on the workers
	SET LOCAL search_path TO DEFAULT;
	IF propagated <> 'local' THEN
		SET LOCAL work_mem TO DEFAULT;
		PERFORM set_config('citus.propagate_set_commands', propagated, true), set_config('work_mem', memory, true);
	END IF;
END $$;

-- by the servers that are named, or else by the workers of Citus; with ids that are bigint, or of the type of an argument
CREATE FUNCTION tree_within_pairs_distributed(
	docs regclass, max_distance integer, servers name[] DEFAULT NULL, id name DEFAULT 'id', doc name DEFAULT 'doc',
	cells integer DEFAULT NULL, result name DEFAULT NULL, others regclass DEFAULT NULL, explain boolean DEFAULT false,
	schemas name[] DEFAULT current_schemas(false))
	RETURNS SETOF tree_match
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 1000 SET search_path = pg_catalog, pg_temp;
CREATE FUNCTION tree_within_pairs_distributed(
	id_type anyelement, docs regclass, max_distance integer, servers name[] DEFAULT NULL, id name DEFAULT 'id', doc name DEFAULT 'doc',
	cells integer DEFAULT NULL, result name DEFAULT NULL, others regclass DEFAULT NULL, explain boolean DEFAULT false,
	schemas name[] DEFAULT current_schemas(false))
	RETURNS TABLE (left_id anyelement, right_id anyelement, distance integer)
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 1000 SET search_path = pg_catalog, pg_temp;
CREATE FUNCTION lcs_similar_pairs_distributed(
	docs regclass, min_similarity float8, servers name[] DEFAULT NULL, id name DEFAULT 'id', doc name DEFAULT 'doc',
	cells integer DEFAULT NULL, result name DEFAULT NULL, others regclass DEFAULT NULL, explain boolean DEFAULT false,
	schemas name[] DEFAULT current_schemas(false))
	RETURNS SETOF lcs_match
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 1000 SET search_path = pg_catalog, pg_temp;
CREATE FUNCTION lcs_similar_pairs_distributed(
	id_type anyelement, docs regclass, min_similarity float8, servers name[] DEFAULT NULL, id name DEFAULT 'id', doc name DEFAULT 'doc',
	cells integer DEFAULT NULL, result name DEFAULT NULL, others regclass DEFAULT NULL, explain boolean DEFAULT false,
	schemas name[] DEFAULT current_schemas(false))
	RETURNS TABLE (left_id anyelement, right_id anyelement, similarity float8)
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 1000 SET search_path = pg_catalog, pg_temp;

