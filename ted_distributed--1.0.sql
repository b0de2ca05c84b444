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
CREATE FUNCTION ted_find_shared_finalfn(internal) RETURNS ted_packet[]
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100000;
CREATE AGGREGATE ted_find_shared(step "char", number integer, sender integer, seq integer, packed bytea, receivers integer) (
	SFUNC = ted_mail_transfn, STYPE = internal, FINALFUNC = ted_find_shared_finalfn
);
CREATE FUNCTION ted_least_keys_finalfn(internal) RETURNS ted_packet[]
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100000;
CREATE AGGREGATE ted_least_keys(step "char", number integer, sender integer, seq integer, packed bytea, receivers integer) (
	SFUNC = ted_mail_transfn, STYPE = internal, FINALFUNC = ted_least_keys_finalfn
);
CREATE FUNCTION ted_values_finalfn(internal) RETURNS ted_packet[]
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100000;
CREATE AGGREGATE ted_values(step "char", number integer, sender integer, seq integer, packed bytea, receivers integer) (
	SFUNC = ted_mail_transfn, STYPE = internal, FINALFUNC = ted_values_finalfn
);
CREATE FUNCTION ted_document_values_finalfn(internal) RETURNS ted_packet[]
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100000;
CREATE AGGREGATE ted_document_values(step "char", number integer, sender integer, seq integer, packed bytea, receivers integer) (
	SFUNC = ted_mail_transfn, STYPE = internal, FINALFUNC = ted_document_values_finalfn
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
CREATE FUNCTION ted_join_cell_transfn(internal, packed bytea, home integer, kind text, threshold float8, cell integer, homes integer,
									  in_order boolean, id_type regtype, id_collation regcollation) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE COST 1000;
CREATE FUNCTION ted_join_cell_finalfn(internal) RETURNS ted_packet[]
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE COST 1000000;
CREATE AGGREGATE ted_join_cell(packed bytea, home integer, kind text, threshold float8, cell integer, homes integer,
							   in_order boolean, id_type regtype, id_collation regcollation) (
	SFUNC = ted_join_cell_transfn, STYPE = internal, FINALFUNC = ted_join_cell_finalfn, FINALFUNC_MODIFY = READ_WRITE
);
CREATE FUNCTION ted_count_cell_finalfn(internal) RETURNS bigint
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE COST 1000000;
CREATE AGGREGATE ted_count_cell(packed bytea, home integer, kind text, threshold float8, cell integer, homes integer,
								in_order boolean, id_type regtype, id_collation regcollation) (
	SFUNC = ted_join_cell_transfn, STYPE = internal, FINALFUNC = ted_count_cell_finalfn, FINALFUNC_MODIFY = READ_WRITE
);
CREATE FUNCTION ted_connect_cell_finalfn(internal) RETURNS ted_packet[]
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE COST 1000000;
CREATE AGGREGATE ted_connect_cell(packed bytea, home integer, kind text, threshold float8, cell integer, homes integer,
								  in_order boolean, id_type regtype, id_collation regcollation) (
	SFUNC = ted_join_cell_transfn, STYPE = internal, FINALFUNC = ted_connect_cell_finalfn, FINALFUNC_MODIFY = READ_WRITE
);
-- the first two columns of a list of column definitions are ids, the third one has the measure
CREATE FUNCTION ted_unpack_pairs(packed bytea) RETURNS SETOF record
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE COST 10000 ROWS 100000;

CREATE FUNCTION ted_first_id(packed bytea) RETURNS text
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

-- A name for a connection, which the end of the transaction or of a failed subtransaction closes, and nothing interrupts that.
CREATE FUNCTION ted_new_connection() RETURNS text
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000;
CREATE FUNCTION ted_close_connections() RETURNS void
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000;

-- The query of a join of the rows of two sources that meet a condition.
CREATE FUNCTION ted_join_query(kind text, threshold text, ted name, source text, other text, condition text) RETURNS text
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
	SELECT format('SELECT a.id AS left_id, b.id AS right_id, %1$I.%2$s(a.doc, b.doc)::float8 AS measure
		FROM %3$s a JOIN %4$s b ON %1$I.%5$s(a.doc, b.doc, %6$L::float8) %7$s', ted,
		CASE kind WHEN 'tree' THEN 'tree_edit_distance' ELSE 'lcs_similarity' END, source, other,
		CASE kind WHEN 'tree' THEN 'tree_within' ELSE 'lcs_similar' END, threshold, condition)
$$;

-- What the planner expects of a query.
CREATE FUNCTION ted_estimate(query text, OUT cost float8, OUT rows float8)
	LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE COST 1000000
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	estimate json;
BEGIN
	EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO estimate;
	cost := estimate->0->'Plan'->>'Total Cost';
	rows := estimate->0->'Plan'->>'Plan Rows';
END $$;

-- Waits until a server has done what it was sent, and sends a statement, if there is one.
CREATE FUNCTION ted_send(dblink name, connection text, statement text) RETURNS void
	LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 1000000
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	busy integer;
	pause float8 := 0.001;
BEGIN
	LOOP
		EXECUTE format('SELECT %I.dblink_is_busy($1)', dblink) INTO busy USING connection;
		EXIT WHEN busy = 0;
		PERFORM pg_sleep(pause);
		pause := least(pause * 1.2, 0.02);
	END LOOP;
	IF statement IS NOT NULL THEN
		-- a result is followed by the end of results
		EXECUTE format('SELECT FROM %I.dblink_get_result($1) AS t(status text)', dblink) USING connection;
		EXECUTE format('SELECT FROM %I.dblink_get_result($1) AS t(status text)', dblink) USING connection;
		EXECUTE format('SELECT %I.dblink_send_query($1, $2)', dblink) USING connection, statement;
	END IF;
END $$;

/*
 * Connects with servers of postgres_fdw, over dblink, and makes tables for packets there; returns
 * the names of the connections, and the schemas that the servers have ted_distributed in.
 */
CREATE FUNCTION ted_connect(servers name[], dblink name) RETURNS TABLE (connection text, home name)
	LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 10
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	ours name := (SELECT nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'ted_distributed');
	memory text := current_setting('work_mem');
	buffers integer := (SELECT greatest(setting::integer / 8, 100) FROM pg_settings WHERE name = 'work_mem'); -- of 8 kB
	reason text;
BEGIN
	FOR i IN 1 .. cardinality(servers) LOOP
		EXECUTE format('SELECT %I.ted_new_connection()', ours) INTO connection;
		BEGIN
			EXECUTE format('SELECT %I.dblink_connect($1, $2)', dblink) USING connection, servers[i]::text;
		EXCEPTION WHEN sqlclient_unable_to_establish_sqlconnection THEN
			GET STACKED DIAGNOSTICS reason = PG_EXCEPTION_DETAIL;
			RAISE EXCEPTION 'could not establish connection to server "%"', servers[i] USING ERRCODE = 'sqlclient_unable_to_establish_sqlconnection',
				DETAIL = reason, HINT = 'Start it, or leave it out of the list of servers.';
		END;
		EXECUTE format('SELECT %I.dblink_exec($1, $2)', dblink) USING connection,
			format('SET search_path = pg_catalog, pg_temp; SET bytea_output = hex; SET standard_conforming_strings = on;
					SET work_mem = %L; SET temp_buffers = %s;
					CREATE TEMPORARY TABLE ted_packets (place integer, step "char", number integer, sender integer, seq integer, packed bytea);
					ALTER TABLE pg_temp.ted_packets ALTER packed SET STORAGE EXTERNAL', memory, buffers);
		EXECUTE format('SELECT home FROM %I.dblink($1, $2) AS t(home name)', dblink) INTO home USING connection,
			'SELECT nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = ''ted_distributed'''::text;
		IF home IS NULL THEN
			RAISE EXCEPTION 'server "%" has no extension ted_distributed', servers[i] USING ERRCODE = 'object_not_in_prerequisite_state',
				DETAIL = 'Cells are joined by its functions.', HINT = 'Run CREATE EXTENSION ted_distributed CASCADE there.';
		END IF;
		RETURN NEXT;
	END LOOP;
END $$;

/*
 * A fleet is described by a JSON object.  "table" has the packets of all places; "homes", "owners" and
 * "cells" are arrays of keys, which lead to the places of these.  Each server of postgres_fdw has a table
 * of its own: keys are numbers of "connections", and "schemas" those that our functions are in there.
 * Documents have been read "here" if this server sends them.
 *
 * ted_exchange() lets all places do a step: runs a query, which reads packets from the table that is its
 * second argument by functions of the schema that is its first, and sends the packets that it returns; the
 * third one is the parameter.  Over dblink, which has no parameters, statements have numbers and hexadecimal
 * digits in place of values: they mean the same whatever the settings.
 */
CREATE FUNCTION ted_exchange(INOUT fleet jsonb, query text, here boolean, parameter bytea)
	LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 1000000
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	home name := (SELECT nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'ted_distributed');
	began timestamptz := clock_timestamp();
	sending text := 'SELECT (CASE WHEN step IN (''o'', ''g'', ''l'') THEN %L::integer[] WHEN step = ''b'' THEN %L::integer[] ELSE %L::integer[] END)[number + 1] AS place,
							step, number, sender, seq, packed FROM (%s) p';
	packet record;
BEGIN
	sending := format(sending, fleet->>'owners', fleet->>'cells', fleet->>'homes', query);
	IF fleet->'servers' IS NULL THEN
		EXECUTE format('INSERT INTO %s ', fleet->>'table') || format(sending, home, fleet->>'table', '$1') USING parameter;
	ELSE
		IF here THEN
			sending := format(sending, home, NULL, '$1');
		ELSE
			-- a server keeps what is for itself
			FOR i IN 1 .. jsonb_array_length(fleet->'connections') LOOP
				EXECUTE format('SELECT %I.ted_send($1, $2, $3)', home) USING (fleet->>'dblink')::name, fleet->'connections'->>(i - 1),
					format('WITH p AS MATERIALIZED (%s), kept AS (INSERT INTO pg_temp.ted_packets SELECT * FROM p WHERE place = %s) SELECT * FROM p WHERE place <> %2$s',
						   format(sending, fleet->'schemas'->>(i - 1), 'pg_temp.ted_packets', format('decode(''%s'', ''hex'')', encode(parameter, 'hex'))), i);
			END LOOP;
			-- all have done so when the first packet is sorted
			sending := (SELECT string_agg(format('SELECT * FROM %I.dblink_get_result(%L::text) AS t(place integer, step "char", number integer, sender integer, seq integer, packed bytea)',
												 fleet->>'dblink', c), ' UNION ALL ') || ' ORDER BY place' FROM jsonb_array_elements_text(fleet->'connections') c);
		END IF;
		FOR packet IN EXECUTE sending USING parameter LOOP
			-- no function of a view runs beside a connection: all documents have been read
			IF fleet->'connections' IS NULL THEN
				EXECUTE format('SELECT $1 || jsonb_build_object(''connections'', jsonb_agg(connection), ''schemas'', jsonb_agg(home)) FROM %I.ted_connect($2, $3)', home)
					INTO fleet USING fleet, (fleet->>'servers')::name[], (fleet->>'dblink')::name;
			END IF;
			EXECUTE format('SELECT %I.ted_send($1, $2, $3)', home) USING (fleet->>'dblink')::name, fleet->'connections'->>(packet.place - 1),
				format('INSERT INTO pg_temp.ted_packets VALUES (%s, (%s)::"char", %s, %s, %s, decode(''%s'', ''hex''))',
					   packet.place, packet.step::integer, packet.number, packet.sender, packet.seq, encode(packet.packed, 'hex'));
		END LOOP;
	END IF;
	fleet := jsonb_set(fleet, '{seconds}', fleet->'seconds' || to_jsonb(extract(epoch FROM clock_timestamp() - began)));
	IF current_setting('ted.progress_interval') <> '0' THEN
		RAISE NOTICE 'progress of a join over servers: step % of at most 7', jsonb_array_length(fleet->'seconds');
	END IF;
END $$;

-- The rows of a query of all places, which reads packets as in ted_exchange(), as a query of this server.
CREATE FUNCTION ted_gather(fleet jsonb, query text, columns text) RETURNS text
	LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 1000000
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	home name := (SELECT nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'ted_distributed');
BEGIN
	IF fleet->'servers' IS NULL THEN
		RETURN format(query, home, fleet->>'table');
	END IF;
	FOR i IN 1 .. jsonb_array_length(fleet->'connections') LOOP
		EXECUTE format('SELECT %I.ted_send($1, $2, $3)', home) USING (fleet->>'dblink')::name, fleet->'connections'->>(i - 1),
			format(query, fleet->'schemas'->>(i - 1), 'pg_temp.ted_packets');
	END LOOP;
	FOR i IN 1 .. jsonb_array_length(fleet->'connections') LOOP
		EXECUTE format('SELECT %I.ted_send($1, $2, NULL::text)', home) USING (fleet->>'dblink')::name, fleet->'connections'->>(i - 1);
		IF current_setting('ted.progress_interval') <> '0' THEN
			RAISE NOTICE 'progress of a join over servers: % of % servers are done', i, jsonb_array_length(fleet->'connections');
		END IF;
	END LOOP;
	RETURN coalesce((SELECT string_agg(format('SELECT * FROM %I.dblink_get_result(%L::text) AS t(%s)', fleet->>'dblink', c, columns), ' UNION ALL ')
					 FROM jsonb_array_elements_text(fleet->'connections') c), 'SELECT NULL::bytea AS packed, NULL::integer AS sender WHERE false');
END $$;

/*
 * Runs the steps of a join up to its cells, from queries that return the packets of step 1, with label counts
 * as their parameter; NULL if documents have no keys.
 */
CREATE FUNCTION ted_make_cells(INOUT fleet jsonb, reading text[], counts bytea, two_sided boolean, kind text, threshold float8)
	LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 1000000
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	home name := (SELECT nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'ted_distributed');
	homes integer := cardinality((fleet->>'homes')::integer[]);
	owners integer[] := fleet->>'owners';
	places integer[];
	plan bytea;
	query text;
	step record;
BEGIN
	FOREACH query IN ARRAY reading LOOP
		EXECUTE format('SELECT %I.ted_exchange($1, $2, true, $3)', home) INTO fleet USING fleet, query, counts;
	END LOOP;
	IF fleet->'servers' IS NOT NULL AND fleet->'connections' IS NULL THEN
		RETURN; -- no documents
	END IF;
	FOR step IN SELECT * FROM (VALUES ('find_shared', '''o''', homes), ('least_keys', '''k'', ''s''', cardinality(owners)),
									  ('values', '''g'', ''l''', homes), ('document_values', '''k'', ''s'', ''v''', cardinality(owners))) s(name, steps, receivers)
		WHERE counts IS NOT NULL
	LOOP
		EXECUTE format('SELECT %I.ted_exchange($1, $2, false, NULL::bytea)', home) INTO fleet USING fleet,
			format('SELECT a.* FROM (SELECT %%1$I.ted_%s(step, number, sender, seq, packed, %s) AS answers FROM %%2$s WHERE step IN (%s) GROUP BY place, number) g,
				LATERAL unnest(answers) a', step.name, step.receivers, step.steps);
	END LOOP;
	EXECUTE format('SELECT %I.ted_gather($1, $2, $3)', home) INTO query
		USING fleet, 'SELECT step, sender, seq, packed FROM %2$s WHERE step IN (''z'', ''h'')', 'step "char", sender integer, seq integer, packed bytea';
	EXECUTE format('SELECT %I.ted_plan_cells(step, $1, sender, seq, packed, $2, $3, $4) FROM (%s) q', home, query)
		INTO plan USING two_sided::integer, cardinality(owners), kind, threshold;
	EXECUTE format('SELECT %I.ted_places_of_cells($1)', home) INTO places USING plan;
	fleet := jsonb_set(fleet, '{cells}', to_jsonb((SELECT array_agg(owners[p.place + 1] ORDER BY i) FROM unnest(places) WITH ORDINALITY p(place, i))::text));
	EXECUTE format('SELECT %I.ted_exchange($1, $2, false, $3)', home) INTO fleet USING fleet,
		'SELECT (a).* FROM (SELECT %1$I.ted_send_documents(packed, valued, %3$s, number, seq) AS a FROM (SELECT place, number, seq, packed FROM %2$s WHERE step = ''d'') d
			LEFT JOIN (SELECT place, number, seq, packed AS valued FROM %2$s WHERE step = ''c'') v USING (place, number, seq)) a'::text, plan;
END $$;

/*
 * Makes the fleet of servers of postgres_fdw, and the queries of step 1 for some tables, from what comes
 * before and behind the name of each in a query of its documents.  The place of further arguments is a %s.
 */
CREATE FUNCTION ted_servers_fleet(tables regclass[], before text[], behind text, parts integer, servers name[], OUT fleet jsonb, OUT reading text[])
	LANGUAGE plpgsql STABLE PARALLEL UNSAFE COST 1000000
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	places integer := coalesce(parts, cardinality(servers));
	homes integer[] := array(SELECT 1 + i % cardinality(servers) FROM generate_series(0, places - 1) i);
BEGIN
	fleet := jsonb_build_object('servers', servers::text, 'owners', homes::text, 'homes', homes::text, 'cells', '{}', 'seconds', '[]'::jsonb,
								'least', array(SELECT -2147483648 + i * (4294967296 / places) FROM generate_series(0, places - 1) i)::text,
								'dblink', (SELECT nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'dblink'));
	reading := array(SELECT format('SELECT (r).* FROM (SELECT %%%%1$I.ted_read_documents(%s::text, %s, %L::integer[], %%s) AS r OFFSET 0) r',
								   replace(quote_literal(b || tables[i] || behind), '%', '%%%%'), i - 1, fleet->>'least')
					 FROM unnest(before) WITH ORDINALITY u(b, i) ORDER BY i);
END $$;

/*
 * Makes the fleet of the workers of Citus, with a table in a schema, and the same queries.  A table whose
 * shards are distributed by its ids is read where it is, any other one by this server.
 */
CREATE FUNCTION ted_citus_fleet(tables regclass[], before text[], behind text, parts integer, id name, schema name, keyed boolean, OUT fleet jsonb, OUT reading text[])
	LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 1000000
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	home name := (SELECT nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'ted_distributed');
	-- a name that nobody has taken
	new_table text := format('%I.%I', schema, 'ted_packets_' || replace(gen_random_uuid()::text, '-', ''));
	workers integer;
	processors integer; -- that each of them uses
	places integer := parts;
	owners integer[];
	homes integer[];
	least integer[];
	sharded regclass[]; -- tables that are read where they are
BEGIN
	IF NOT EXISTS (SELECT FROM pg_dist_object WHERE classid = 'pg_extension'::regclass
				   AND objid = (SELECT oid FROM pg_extension WHERE extname = 'ted_distributed')) THEN
		RAISE EXCEPTION 'workers of Citus have no extension ted_distributed' USING ERRCODE = 'object_not_in_prerequisite_state',
			DETAIL = 'Citus creates only those there that are created after Citus.',
			HINT = 'Run DROP EXTENSION ted_distributed and CREATE EXTENSION ted_distributed.';
	END IF;
	-- a connection for each processor of each worker, if all have as many as the one with the fewest
	SELECT greatest(count(*), 1), coalesce(min(result::integer), 1) INTO workers, processors FROM run_command_on_workers(format('SELECT %I.ted_processors()', home));
	processors := greatest(least(processors, 125 / workers), 1);
	PERFORM set_config('citus.max_adaptive_executor_pool_size', least(processors, current_setting('citus.max_adaptive_executor_pool_size')::integer)::text, true);
	IF parts IS NULL THEN
		-- as many cells, of at least 8 MB of trees with keys, or 256 kB of other documents: each step takes some 10 ms for a cell
		SELECT least(workers * processors, greatest(1, sum(CASE WHEN p.partmethod IS NULL THEN pg_relation_size(t) ELSE citus_relation_size(t) END)
									  / CASE WHEN keyed THEN 8 << 20 ELSE 256 << 10 END)) INTO places
		FROM unnest(tables) t LEFT JOIN pg_dist_partition p ON logicalrelid = t;
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
	SELECT array_agg(p.logicalrelid) INTO sharded
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
	SELECT array_agg(coalesce(key, owners[1 + shardid % cardinality(owners)]) ORDER BY low), array_agg(low ORDER BY low) INTO homes, least
	FROM placed p LEFT JOIN keyed k ON k.groupid = p.groupid AND k.nth = p.nth % k.places
	WHERE logicalrelid = tables[1];
	IF homes IS NULL THEN
		homes := owners;
		least := array(SELECT -2147483648 + i * (4294967296 / places) FROM generate_series(0, places - 1) i);
	END IF;
	fleet := jsonb_build_object('table', new_table, 'owners', owners::text, 'homes', homes::text, 'least', least::text, 'cells', '{}', 'seconds', '[]'::jsonb,
								'sharded', coalesce(tables[1] = ANY (sharded), false));
	-- the first row of each shard reads it
	reading := array(SELECT format('SELECT (r).* FROM (SELECT %%%%1$I.ted_read_documents(%s::text || %s || %s::text, %s, %L::integer[], %%s) AS r %s) r', replace(quote_literal(b), '%', '%%%%'),
								   CASE WHEN here THEN quote_literal(named) ELSE 'd.tableoid::regclass' END, replace(quote_literal(behind), '%', '%%%%'), i - 1, least,
								   CASE WHEN here THEN 'OFFSET 0' ELSE format('FROM %s d WHERE %%%%1$I.ted_first_row(d.tableoid)', named) END)
		FROM unnest(before) WITH ORDINALITY u(b, i), replace(tables[i]::text, '%', '%%%%') named, coalesce(tables[i] <> ALL (sharded), true) here ORDER BY i);
END $$;

/*
 * Makes a table of the pairs that a query of the packets of a fleet of Citus returns, distributed by the left ids,
 * with the shards of `docs` if that is given.  Then packets are sent to the shards of their left ids, and each is
 * unpacked into the shard there.  Citus uses one connection for shards that belong together, so that the new shard
 * is visible.
 */
CREATE FUNCTION ted_keep_pairs(fleet jsonb, packets text, schema name, result name, docs regclass, type text, measure text) RETURNS void
	LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 1000000
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	home name := (SELECT nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'ted_distributed');
	new_table text := format('%I.%I', schema, result);
	found text := format('%I.%I', schema, 'ted_found_' || replace(gen_random_uuid()::text, '-', ''));
	columns text := format('AS p(left_id %s, right_id %1$s, measure float8)', type);
	shards text[];
	kept bigint;
BEGIN
	EXECUTE format('CREATE TABLE %s (left_id %s, right_id %2$s, %s)', new_table, type, measure);
	IF docs IS NULL THEN
		PERFORM create_distributed_table(new_table::regclass, 'left_id', colocate_with := 'none');
		EXECUTE format('INSERT INTO %s SELECT left_id, right_id, measure FROM (%s) f, LATERAL %I.ted_unpack_pairs(packed) %s', new_table, packets, home, columns);
		RETURN;
	END IF;
	PERFORM create_distributed_table(new_table::regclass, 'left_id', colocate_with := docs::text);
	-- the names of its shards, which shard_name() does not qualify in schema public
	shards := array(SELECT quote_literal(CASE schema WHEN 'public' THEN 'public.' ELSE '' END || shard_name(logicalrelid, shardid)) FROM pg_dist_shard WHERE logicalrelid = new_table::regclass ORDER BY shardminvalue::integer);
	EXECUTE format('CREATE UNLOGGED TABLE %s (left_id %s, number integer, packed bytea)', found, type);
	EXECUTE format('ALTER TABLE %s ALTER packed SET STORAGE EXTERNAL', found);
	PERFORM create_distributed_table(found::regclass, 'left_id', colocate_with := docs::text);
	EXECUTE format('INSERT INTO %s SELECT %I.ted_first_id(packed)::%s, number, packed FROM (%s) f', found, home, type, packets);
	EXECUTE format('SELECT count(%I.ted_insert_pairs(packed, ''INSERT INTO ''::text || (ARRAY[%s])[number + 1] || %L::text)) FROM %s', home, array_to_string(shards, ', '),
				   format(' SELECT left_id, right_id, measure FROM %I.ted_unpack_pairs($1) %s', home, columns), found)
		INTO kept;
	EXECUTE format('DROP TABLE %s', found);
END $$;

/*
 * Makes a table of the clusters of documents, from a table of links: documents that pairs in a cell connect,
 * each with the least id of these.  The least ids of two cells are connected if these have a document in common.
 * Large-star and small-star steps (Kiveris, Lattanzi, Mirrokni, Rastogi and Vassilvitskii, Connected Components
 * in MapReduce and Beyond, SoCC 2014) connect each of them with the least one of its cluster: a large-star connects
 * the larger neighbours of an id with the least of all, and a small-star the smaller ones.
 */
CREATE FUNCTION ted_keep_clusters(schema name, result name, links text, docs regclass, id name, doc name, type text, less text, equal text, sharded boolean)
	RETURNS void
	LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 1000000
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	new_table text := format('%I.%I', schema, result);
	stars text := format('%I.%I', schema, 'ted_stars_' || replace(gen_random_uuid()::text, '-', ''));
	-- the neighbours of each id in a round, with the least of them
	neighbours text := format('(SELECT id, other, first_value(other) OVER (PARTITION BY id ORDER BY other) AS least FROM (SELECT DISTINCT id, other FROM %s WHERE round = $1) d) n', stars);
	round integer := 0;
	crowded bigint;
BEGIN
	EXECUTE format('CREATE UNLOGGED TABLE %s (round integer, id %s, other %2$s)', stars, type);
	PERFORM create_distributed_table(stars::regclass, 'id', colocate_with := 'none');
	EXECUTE format('INSERT INTO %s SELECT 0, e.id, e.other FROM (SELECT right_id, first_value(right_id) OVER (PARTITION BY left_id ORDER BY right_id) AS least FROM %s WHERE distance = 0) l,
						LATERAL (VALUES (right_id, least), (least, right_id)) e(id, other) WHERE least %s right_id', stars, links, less);
	LOOP
		-- in a star, an id with a smaller neighbour has no other
		EXECUTE format('SELECT count(*) FROM (SELECT id FROM %s GROUP BY id HAVING count(*) > 1 AND bool_or(other %s id)) c', neighbours, less) INTO crowded USING round;
		EXIT WHEN crowded = 0;
		EXECUTE format('INSERT INTO %s SELECT $1 + 1, other, CASE WHEN least %s id THEN least ELSE id END FROM %s WHERE id %2$s other', stars, less, neighbours) USING round;
		EXECUTE format('INSERT INTO %s SELECT $1 + 1, e.id, e.other FROM %s, LATERAL (VALUES (n.other, least), (least, n.other), (n.id, least), (least, n.id)) e(id, other)
							WHERE e.id %s e.other OR e.other %3$s e.id', stars, neighbours, less) USING round + 1;
		round := round + 2;
	END LOOP;
	-- documents go where the least ids of their cells are, or their own, and come back with those of their clusters
	EXECUTE format('INSERT INTO %1$s SELECT %2$I, %2$I, -1 FROM %3$s WHERE %2$I IS NOT NULL AND %4$I IS NOT NULL', links, id, docs, doc);
	EXECUTE format('INSERT INTO %s SELECT -1, (array_agg(right_id ORDER BY right_id))[1], left_id FROM %s GROUP BY left_id', stars, links);
	EXECUTE format('CREATE TABLE %s (id %s, cluster %2$s)', new_table, type);
	PERFORM create_distributed_table(new_table::regclass, 'id', colocate_with := CASE WHEN sharded THEN docs::text ELSE 'none' END);
	EXECUTE format('INSERT INTO %s SELECT l.other, coalesce(s.other, l.id) FROM %s l
						LEFT JOIN (SELECT DISTINCT id, other FROM %2$s WHERE round = $1 AND other %s id) s ON s.id %s l.id WHERE l.round = -1',
				   new_table, stars, less, equal) USING round;
	EXECUTE format('DROP TABLE %s, %s', stars, links);
END $$;

-- Runs a statement that inserts the pairs of a packet, its parameter.
CREATE FUNCTION ted_insert_pairs(packed bytea, statement text) RETURNS integer
	LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE COST 1000000
	SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
	EXECUTE statement USING packed;
	RETURN 1;
END $$;

-- Prints what a fleet has sent in each step, its cells, and what it took.
CREATE FUNCTION ted_explain(fleet jsonb, expected float8, alone float8) RETURNS void
	LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 1000000
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	home name := (SELECT nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'ted_distributed');
	query text;
	line text;
BEGIN
	EXECUTE format('SELECT %I.ted_gather($1, $2, $3)', home) INTO query
		USING fleet, 'SELECT step, number, sum(length(packed))::bigint AS bytes FROM %2$s GROUP BY place, step, number', 'step "char", number integer, bytes bigint';
	EXECUTE format('WITH q AS MATERIALIZED (%s) SELECT format(''cells: %%s, kilobytes of documents: %%s, sent to cells: %%s, to the largest part: %%s times the average, kilobytes of keys: %%s'',
			cardinality($1), (sum(bytes) FILTER (WHERE step = ''d'') / 1024)::bigint, (sum(bytes) FILTER (WHERE step = ''b'') / 1024)::bigint,
			(SELECT round(max(b) / avg(b), 2) FROM (SELECT sum(bytes) AS b FROM q WHERE step = ''b'' GROUP BY $1[number + 1]) p),
			(coalesce(sum(bytes) FILTER (WHERE step NOT IN (''b'', ''d'')), 0) / 1024)::bigint) FROM q', query)
		INTO line USING (fleet->>'cells')::integer[];
	RAISE INFO '%', line;
	RAISE INFO 'seconds of the steps: %, expected of all: %, on this server alone: %', fleet->>'seconds',
		coalesce(round(expected::numeric, 1)::text, 'unknown'), coalesce(round(alone::numeric, 1)::text, 'impossible');
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
 * ids, without domains, their collation, if there is one, and the operators of their order.
 */
CREATE FUNCTION ted_check_join(docs regclass, kind text, id name, doc name, threshold text, servers name[], parts integer, result name, others regclass,
							   wanted regtype, OUT id_type text, OUT collated oid, OUT less text, OUT equal text)
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
			DETAIL = 'Only the servers, the number of parts, the result and the other table may be null.', HINT = 'Name all of them.';
	ELSIF kind = 'tree' AND threshold::float8 <> floor(threshold::float8) THEN
		RAISE EXCEPTION 'maximum distance has a fraction' USING ERRCODE = 'invalid_parameter_value',
			DETAIL = 'It is a number of operations.', HINT = 'Use a whole number.';
	ELSIF servers IS NULL AND NOT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') THEN
		RAISE EXCEPTION 'no servers to join by' USING ERRCODE = 'object_not_in_prerequisite_state',
			DETAIL = 'No servers are named, and extension citus is not installed.',
			HINT = 'Name servers of postgres_fdw, or install Citus.';
	ELSIF servers IS NULL AND current_setting('transaction_read_only')::boolean THEN
		RAISE EXCEPTION 'workers of Citus cannot join in a read-only transaction' USING ERRCODE = 'read_only_sql_transaction',
			DETAIL = 'Parts of the join are shards of a table that is made for it.', HINT = 'Name servers of postgres_fdw, or use a transaction that may write.';
	ELSIF cardinality(servers) = 0 THEN
		RAISE EXCEPTION 'list of servers is empty' USING ERRCODE = 'invalid_parameter_value',
			DETAIL = 'A join needs at least one server.', HINT = 'Name servers of postgres_fdw, or leave out the list to join by the workers of Citus.';
	ELSIF servers IS NOT NULL AND result IS NOT NULL THEN
		RAISE EXCEPTION 'servers of postgres_fdw leave no result' USING ERRCODE = 'feature_not_supported',
			DETAIL = 'Only workers of Citus keep the pairs that they find.', HINT = 'Insert the rows of the call into a table.';
	ELSIF servers IS NOT NULL AND NOT EXISTS (SELECT FROM pg_extension WHERE extname = 'dblink') THEN
		RAISE EXCEPTION 'extension dblink is not installed' USING ERRCODE = 'object_not_in_prerequisite_state',
			DETAIL = 'Cells of a join are sent through it.', HINT = 'Run CREATE EXTENSION dblink.';
	ELSIF parts NOT BETWEEN 1 AND 250 THEN
		RAISE EXCEPTION 'number of parts must be positive, and at most 250' USING ERRCODE = 'invalid_parameter_value',
			DETAIL = format('The number of parts is %s.', parts), HINT = 'Use as many parts as servers have processors.';
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
	SELECT min(operator) FILTER (WHERE amopstrategy = 1), min(operator) FILTER (WHERE amopstrategy = 3) INTO less, equal
	FROM (SELECT amopstrategy, format('OPERATOR(%I.%s)', nspname, oprname) AS operator
		  FROM pg_opclass JOIN pg_am ON pg_am.oid = opcmethod AND amname = 'btree'
			  JOIN pg_amop ON amopfamily = opcfamily AND amoplefttype = opcintype AND amoprighttype = opcintype
			  JOIN pg_operator o ON o.oid = amopopr JOIN pg_namespace n ON n.oid = oprnamespace
		  WHERE opcdefault AND opcintype = first) o;
	less := coalesce(less, 'OPERATOR(pg_catalog.<)');
	equal := coalesce(equal, 'OPERATOR(pg_catalog.=)');
END $$;

/*
 * Joins a table with itself or with another one, by the servers that are named, or else by the workers of
 * Citus, to find 'pairs', their 'count', or the 'clusters' that they connect.  Returns packets of pairs, or the
 * number.  Where the join is expected to be done sooner on this server, and no number of parts is named,
 * returns a query of the pairs, or their number.
 */
CREATE FUNCTION ted_pairs(docs regclass, kind text, threshold text, servers name[], id name, doc name, parts integer, result name, others regclass,
						  explain boolean, id_type regtype, schemas name[], find text)
	RETURNS TABLE (packed bytea, query text, pairs bigint)
	LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 1000
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	ted name := (SELECT nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'ted');
	home name := (SELECT nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'ted_distributed');
	tables regclass[] := array_remove(ARRAY[docs, others], NULL);
	type text; -- of ids
	collated oid;
	column_type text; -- of ids in a table
	less text; -- operators of ids
	equal text;
	before text[];
	behind text;
	measure text := CASE kind WHEN 'tree' THEN 'measure::integer' ELSE 'measure' END;
	keyed boolean := kind = 'tree' AND threshold::float8 BETWEEN 0 AND 24;
	counts bytea;
	fleet jsonb;
	reading text[];
	alone text; -- the query of a join by this server
	estimate record;
	documents float8;
	seconds float8; -- expected of the servers, and of this server alone
	seconds_alone float8;
	joining text;
	links name; -- table of what cells find
	sharded boolean := false;
	schema name;
	memory text := current_setting('work_mem');
	propagated text := current_setting('citus.propagate_set_commands', true);
	executed text := current_setting('citus.enable_local_execution', true);
	connections text := current_setting('citus.max_adaptive_executor_pool_size', true);
BEGIN
	EXECUTE format('SELECT * FROM %I.ted_check_join($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)', home) INTO type, collated, less, equal
		USING docs, kind, id, doc, threshold, servers, parts, result, others, id_type;
	column_type := concat(type, ' COLLATE ' || collated::regcollation);
	before := array(SELECT format('SELECT %L::"char" AS side, %I::%s AS id, %I::%s AS doc FROM ', side, id, type, doc,
								  CASE kind WHEN 'tree' THEN format('%I.tree', ted) ELSE 'text' END)
					FROM unnest(CASE WHEN others IS NULL THEN '{""}' ELSE '{l,r}'::text[] END) side);
	behind := format(' WHERE %I IS NOT NULL', doc) || CASE find WHEN 'clusters' THEN format(' AND %I IS NOT NULL', id) ELSE '' END;
	IF servers IS NULL THEN
		schema := coalesce((SELECT name FROM unnest(schemas) WITH ORDINALITY p(name, i) WHERE name !~ '^pg_' ORDER BY i LIMIT 1),
						   (SELECT nspname FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE c.oid = docs));
		sharded := EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = ANY (tables) AND partmethod <> 'n');
	END IF;

	-- seconds are by constants that were measured with records of 26 nodes, of which estimates are unsure
	IF result IS NULL AND NOT sharded THEN
		EXECUTE format('SELECT %I.ted_join_query($1, $2, $3, $4, $5, $6)', home) INTO alone
			USING kind, threshold, ted, format('(%s%s%s)', before[1], tables[1], behind),
				  format('(%s%s%s)', before[cardinality(before)], tables[cardinality(tables)], behind),
				  CASE WHEN others IS NULL THEN format('AND a.id %s b.id', less) ELSE '' END;
		EXECUTE format('SELECT * FROM %I.ted_estimate($1)', home) INTO estimate USING alone;
		EXECUTE format('SELECT sum(rows) FROM unnest($1) t, LATERAL %I.ted_estimate(''SELECT FROM '' || t) e', home) INTO documents USING tables;
		seconds_alone := 5e-7 * estimate.cost;
		seconds := 1.5 * seconds_alone / coalesce(parts, cardinality(servers), 1) + 2e-5 * documents + 3e-7 * estimate.rows + 0.3;
		IF parts IS NULL AND NOT explain AND seconds > seconds_alone THEN
			IF find = 'count' THEN
				EXECUTE format('SELECT count(*) FROM (%s) p', alone) INTO pairs;
			ELSE
				query := format('SELECT left_id::%1$s, right_id::%1$s, %2$s FROM (%3$s) p', format_type(id_type, -1), measure, alone);
			END IF;
			RETURN NEXT;
			RETURN;
		END IF;
	END IF;

	IF servers IS NULL THEN
		-- the tasks have the memory of this session; Citus does not qualify what is in pg_catalog; a reference table is also here
		PERFORM set_config('citus.propagate_set_commands', 'local', true), set_config('citus.enable_local_execution', 'off', true);
		EXECUTE format('SET LOCAL work_mem = %L', memory);
		SET LOCAL search_path = pg_catalog, pg_temp;
		EXECUTE format('SELECT * FROM %I.ted_citus_fleet($1, $2, $3, $4, $5, $6, $7)', home) INTO fleet, reading USING tables, before, behind, parts, id, schema, keyed;
	ELSE
		EXECUTE format('SELECT * FROM %I.ted_servers_fleet($1, $2, $3, $4, $5)', home) INTO fleet, reading USING tables, before, behind, parts, servers;
	END IF;
	-- one cell needs no keys
	keyed := keyed AND cardinality((fleet->>'owners')::integer[]) > 1;
	IF keyed THEN
		-- a part of the documents is enough: it decides only which labels are rare
		FOR i IN 1 .. cardinality(tables) LOOP
			EXECUTE format('SELECT %I.ted_label_counts_combine($1, (SELECT %1$I.ted_label_counts(doc) FROM (%s%s%s%s) d))', home, before[i], tables[i],
						   (SELECT format(' TABLESAMPLE SYSTEM (%s)', least(100, 2e6 / greatest(rows, 1))) FROM pg_class c,
								   LATERAL (SELECT greatest(reltuples, pg_relation_size(c.oid) / 500) AS rows) r WHERE oid = tables[i] AND relkind IN ('r', 'm')), behind)
				INTO counts USING counts;
		END LOOP;
	END IF;
	EXECUTE format('SELECT %I.ted_make_cells($1, $2, $3, $4, $5, $6)', home) INTO fleet
		USING fleet, array(SELECT format(r, format('%%3$s, %s, %L::text, %L::float8', cardinality((fleet->>'owners')::integer[]), kind, threshold)) FROM unnest(reading) r),
			  counts, others IS NOT NULL, kind, threshold::float8;
	IF explain THEN
		EXECUTE format('SELECT %I.ted_explain($1, $2, $3)', home) USING fleet, seconds, seconds_alone;
	ELSIF fleet->'servers' IS NULL OR fleet->'connections' IS NOT NULL THEN
		joining := format('SELECT %%1$I.%s(packed, sender, %L::text, %L::float8, number, %s, %L::boolean, %L::regtype, %L::regcollation) AS answers FROM %%2$s WHERE step = ''b'' GROUP BY place, number',
						  CASE find WHEN 'count' THEN 'ted_count_cell' WHEN 'clusters' THEN 'ted_connect_cell' ELSE 'ted_join_cell' END, kind, threshold,
						  CASE WHEN result IS NULL THEN 1 ELSE cardinality((fleet->>'homes')::integer[]) END, others IS NULL,
						  replace(type, '%', '%%'), replace(collated::regcollation::text, '%', '%%'));
		IF result IS NOT NULL THEN
			links := CASE find WHEN 'clusters' THEN 'ted_links_' || replace(gen_random_uuid()::text, '-', '') ELSE result END;
			EXECUTE format('SELECT %I.ted_keep_pairs($1, $2, $3, $4, $5, $6, $7)', home)
				USING fleet, format('SELECT (a).* FROM (SELECT unnest(answers) AS a FROM (%s) c) a', format(joining, home, fleet->>'table')), schema, links, CASE WHEN (fleet->>'sharded')::boolean THEN docs END, column_type,
				CASE WHEN kind = 'tree' OR find = 'clusters' THEN 'distance integer' ELSE 'similarity float8' END;
			IF find = 'clusters' THEN
				EXECUTE format('SELECT %I.ted_keep_clusters($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)', home)
					USING schema, result, format('%I.%I', schema, links), docs, id, doc, column_type, less, equal, (fleet->>'sharded')::boolean;
			END IF;
		ELSIF find = 'count' THEN
			EXECUTE format('SELECT %I.ted_gather($1, $2, $3)', home) INTO joining USING fleet, joining, 'answers bigint';
			EXECUTE format('SELECT coalesce(sum(answers), 0)::bigint FROM (%s) c', joining) INTO pairs;
			RETURN NEXT;
		ELSE
			EXECUTE format('SELECT %I.ted_gather($1, $2, $3)', home) INTO joining
				USING fleet, format('SELECT (a).packed FROM (SELECT unnest(answers) AS a FROM (%s) c) a', joining), 'packed bytea';
			RETURN QUERY EXECUTE format('SELECT packed, NULL::text, NULL::bigint FROM (%s) c', joining);
		END IF;
	END IF;
	IF servers IS NOT NULL THEN
		EXECUTE format('SELECT %I.ted_close_connections()', home);
	ELSE
		EXECUTE format('DROP TABLE %s', fleet->>'table');
		PERFORM set_config('citus.enable_local_execution', executed, true), set_config('citus.max_adaptive_executor_pool_size', connections, true);
		-- on the workers
		SET LOCAL search_path TO DEFAULT;
		IF propagated <> 'local' THEN
			SET LOCAL work_mem TO DEFAULT;
			PERFORM set_config('citus.propagate_set_commands', propagated, true), set_config('work_mem', memory, true);
		END IF;
	END IF;
END $$;

-- by the servers that are named, or else by the workers of Citus; with ids that are bigint, or of the type of an argument
CREATE FUNCTION tree_within_pairs_distributed(
	docs regclass, max_distance float8, servers name[] DEFAULT NULL, id name DEFAULT 'id', doc name DEFAULT 'doc',
	parts integer DEFAULT NULL, result name DEFAULT NULL, others regclass DEFAULT NULL, explain boolean DEFAULT false,
	schemas name[] DEFAULT current_schemas(false))
	RETURNS SETOF tree_match
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 1000 SET search_path = pg_catalog, pg_temp;
CREATE FUNCTION tree_within_pairs_distributed(
	id_type anyelement, docs regclass, max_distance float8, servers name[] DEFAULT NULL, id name DEFAULT 'id', doc name DEFAULT 'doc',
	parts integer DEFAULT NULL, result name DEFAULT NULL, others regclass DEFAULT NULL, explain boolean DEFAULT false,
	schemas name[] DEFAULT current_schemas(false))
	RETURNS TABLE (left_id anyelement, right_id anyelement, distance integer)
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 1000 SET search_path = pg_catalog, pg_temp;
CREATE FUNCTION lcs_similar_pairs_distributed(
	docs regclass, min_similarity float8, servers name[] DEFAULT NULL, id name DEFAULT 'id', doc name DEFAULT 'doc',
	parts integer DEFAULT NULL, result name DEFAULT NULL, others regclass DEFAULT NULL, explain boolean DEFAULT false,
	schemas name[] DEFAULT current_schemas(false))
	RETURNS SETOF lcs_match
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 1000 SET search_path = pg_catalog, pg_temp;
CREATE FUNCTION lcs_similar_pairs_distributed(
	id_type anyelement, docs regclass, min_similarity float8, servers name[] DEFAULT NULL, id name DEFAULT 'id', doc name DEFAULT 'doc',
	parts integer DEFAULT NULL, result name DEFAULT NULL, others regclass DEFAULT NULL, explain boolean DEFAULT false,
	schemas name[] DEFAULT current_schemas(false))
	RETURNS TABLE (left_id anyelement, right_id anyelement, similarity float8)
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 1000 SET search_path = pg_catalog, pg_temp;

-- the number of these pairs
CREATE FUNCTION tree_within_count_distributed(
	docs regclass, max_distance float8, servers name[] DEFAULT NULL, id name DEFAULT 'id', doc name DEFAULT 'doc',
	parts integer DEFAULT NULL, others regclass DEFAULT NULL, schemas name[] DEFAULT current_schemas(false))
	RETURNS bigint
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 SET search_path = pg_catalog, pg_temp;
CREATE FUNCTION lcs_similar_count_distributed(
	docs regclass, min_similarity float8, servers name[] DEFAULT NULL, id name DEFAULT 'id', doc name DEFAULT 'doc',
	parts integer DEFAULT NULL, others regclass DEFAULT NULL, schemas name[] DEFAULT current_schemas(false))
	RETURNS bigint
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 SET search_path = pg_catalog, pg_temp;

-- a table of Citus with the id of each document, and the first id of its cluster
CREATE FUNCTION tree_within_cluster_distributed(
	docs regclass, max_distance float8, result name, id name DEFAULT 'id', doc name DEFAULT 'doc', parts integer DEFAULT NULL,
	schemas name[] DEFAULT current_schemas(false))
	RETURNS void
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 SET search_path = pg_catalog, pg_temp;
CREATE FUNCTION lcs_similar_cluster_distributed(
	docs regclass, min_similarity float8, result name, id name DEFAULT 'id', doc name DEFAULT 'doc', parts integer DEFAULT NULL,
	schemas name[] DEFAULT current_schemas(false))
	RETURNS void
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000 SET search_path = pg_catalog, pg_temp;

COMMENT ON TYPE ted_packet IS 'internal: what servers send each other in a join';
COMMENT ON FUNCTION ted_label_counts_transfn(bytea, tree) IS 'internal: aggregate transition function';
COMMENT ON FUNCTION ted_label_counts_combine(bytea, bytea) IS 'internal: aggregate combine function';
COMMENT ON AGGREGATE ted_label_counts(tree) IS 'internal: in how many trees labels occur, by their hashes';
COMMENT ON FUNCTION ted_read_documents(text, integer, integer[], bytea, integer, text, float8) IS 'internal: documents of a query, for their homes, and their keys, for owners';
COMMENT ON FUNCTION ted_first_row(oid) IS 'internal: whether a row is the first one of a scan';
COMMENT ON FUNCTION ted_processors() IS 'internal: the number of processors of the server';
COMMENT ON FUNCTION ted_mail_transfn(internal, "char", integer, integer, integer, bytea, integer) IS 'internal: aggregate transition function';
COMMENT ON FUNCTION ted_find_shared_finalfn(internal) IS 'internal: aggregate final function';
COMMENT ON AGGREGATE ted_find_shared("char", integer, integer, integer, bytea, integer) IS 'internal: which keys several documents have';
COMMENT ON FUNCTION ted_least_keys_finalfn(internal) IS 'internal: aggregate final function';
COMMENT ON AGGREGATE ted_least_keys("char", integer, integer, integer, bytea, integer) IS 'internal: the least shared key of each document';
COMMENT ON FUNCTION ted_values_finalfn(internal) IS 'internal: aggregate final function';
COMMENT ON AGGREGATE ted_values("char", integer, integer, integer, bytea, integer) IS 'internal: the values of groups';
COMMENT ON FUNCTION ted_document_values_finalfn(internal) IS 'internal: aggregate final function';
COMMENT ON AGGREGATE ted_document_values("char", integer, integer, integer, bytea, integer) IS 'internal: the values of each document';
COMMENT ON FUNCTION ted_mail_transfn(internal, "char", integer, integer, integer, bytea, integer, text, float8) IS 'internal: aggregate transition function';
COMMENT ON FUNCTION ted_plan_cells_finalfn(internal) IS 'internal: aggregate final function';
COMMENT ON AGGREGATE ted_plan_cells("char", integer, integer, integer, bytea, integer, text, float8) IS 'internal: a plan of the cells of all values';
COMMENT ON FUNCTION ted_places_of_cells(bytea) IS 'internal: the place of each cell of a plan';
COMMENT ON FUNCTION ted_send_documents(bytea, bytea, bytea, integer, integer) IS 'internal: documents of a packet, for their cells';
COMMENT ON FUNCTION ted_join_cell_transfn(internal, bytea, integer, text, float8, integer, integer, boolean, regtype, regcollation) IS 'internal: aggregate transition function';
COMMENT ON FUNCTION ted_join_cell_finalfn(internal) IS 'internal: aggregate final function';
COMMENT ON AGGREGATE ted_join_cell(bytea, integer, text, float8, integer, integer, boolean, regtype, regcollation) IS 'internal: pairs of the documents of a cell';
COMMENT ON FUNCTION ted_count_cell_finalfn(internal) IS 'internal: aggregate final function';
COMMENT ON AGGREGATE ted_count_cell(bytea, integer, text, float8, integer, integer, boolean, regtype, regcollation) IS 'internal: the number of pairs of the documents of a cell';
COMMENT ON FUNCTION ted_connect_cell_finalfn(internal) IS 'internal: aggregate final function';
COMMENT ON AGGREGATE ted_connect_cell(bytea, integer, text, float8, integer, integer, boolean, regtype, regcollation) IS 'internal: the documents of a cell that pairs connect, each with the least id of these';
COMMENT ON FUNCTION ted_unpack_pairs(bytea) IS 'internal: pairs of a packet, as rows';
COMMENT ON FUNCTION ted_first_id(bytea) IS 'internal: the left id of the first pair of a packet';
COMMENT ON FUNCTION ted_new_connection() IS 'internal: a name for a connection of dblink that the end of the transaction closes';
COMMENT ON FUNCTION ted_close_connections() IS 'internal: closes such connections';
COMMENT ON FUNCTION ted_join_query(text, text, name, text, text, text) IS 'internal: a query of a join';
COMMENT ON FUNCTION ted_estimate(text) IS 'internal: what the planner expects of a query';
COMMENT ON FUNCTION ted_send(name, text, text) IS 'internal: waits for a server, and sends it a statement';
COMMENT ON FUNCTION ted_connect(name[], name) IS 'internal: connects with servers of postgres_fdw';
COMMENT ON FUNCTION ted_exchange(jsonb, text, boolean, bytea) IS 'internal: lets all places of a fleet do a step';
COMMENT ON FUNCTION ted_gather(jsonb, text, text) IS 'internal: a query of the rows of all places of a fleet';
COMMENT ON FUNCTION ted_make_cells(jsonb, text[], bytea, boolean, text, float8) IS 'internal: runs the steps of a join up to its cells';
COMMENT ON FUNCTION ted_servers_fleet(regclass[], text[], text, integer, name[]) IS 'internal: the fleet of servers of postgres_fdw';
COMMENT ON FUNCTION ted_citus_fleet(regclass[], text[], text, integer, name, name, boolean) IS 'internal: the fleet of the workers of Citus';
COMMENT ON FUNCTION ted_keep_pairs(jsonb, text, name, name, regclass, text, text) IS 'internal: makes a table of pairs';
COMMENT ON FUNCTION ted_keep_clusters(name, name, text, regclass, name, name, text, text, text, boolean) IS 'internal: makes a table of clusters';
COMMENT ON FUNCTION ted_insert_pairs(bytea, text) IS 'internal: inserts the pairs of a packet';
COMMENT ON FUNCTION ted_explain(jsonb, float8, float8) IS 'internal: prints what a fleet has sent';
COMMENT ON FUNCTION ted_base_type(oid) IS 'internal: the type that a domain is over';
COMMENT ON FUNCTION ted_check_join(regclass, text, name, name, text, name[], integer, name, regclass, regtype) IS 'internal: checks what a join is called with';
COMMENT ON FUNCTION ted_pairs(regclass, text, text, name[], name, name, integer, name, regclass, boolean, regtype, name[], text) IS 'internal: joins by several servers, or by this one where that is sooner';
COMMENT ON FUNCTION tree_within_pairs_distributed(regclass, float8, name[], name, name, integer, name, regclass, boolean, name[]) IS 'all pairs of trees of a table, or of two, at most max_distance apart, found by servers of postgres_fdw or workers of Citus';
COMMENT ON FUNCTION tree_within_pairs_distributed(anyelement, regclass, float8, name[], name, name, integer, name, regclass, boolean, name[]) IS 'all pairs of trees of a table, or of two, at most max_distance apart, found by servers of postgres_fdw or workers of Citus, with ids of any type';
COMMENT ON FUNCTION lcs_similar_pairs_distributed(regclass, float8, name[], name, name, integer, name, regclass, boolean, name[]) IS 'all pairs of texts of a table, or of two, with a similarity of at least min_similarity, found by servers of postgres_fdw or workers of Citus';
COMMENT ON FUNCTION lcs_similar_pairs_distributed(anyelement, regclass, float8, name[], name, name, integer, name, regclass, boolean, name[]) IS 'all pairs of texts of a table, or of two, with a similarity of at least min_similarity, found by servers of postgres_fdw or workers of Citus, with ids of any type';
COMMENT ON FUNCTION tree_within_count_distributed(regclass, float8, name[], name, name, integer, regclass, name[]) IS 'the number of pairs of trees of a table, or of two, at most max_distance apart, found by servers of postgres_fdw or workers of Citus';
COMMENT ON FUNCTION lcs_similar_count_distributed(regclass, float8, name[], name, name, integer, regclass, name[]) IS 'the number of pairs of texts of a table, or of two, with a similarity of at least min_similarity, found by servers of postgres_fdw or workers of Citus';
COMMENT ON FUNCTION tree_within_cluster_distributed(regclass, float8, name, name, name, integer, name[]) IS 'makes a distributed table of the clusters of trees that distances of at most max_distance connect: each id, and the first id of its cluster';
COMMENT ON FUNCTION lcs_similar_cluster_distributed(regclass, float8, name, name, name, integer, name[]) IS 'makes a distributed table of the clusters of texts that similarities of at least min_similarity connect: each id, and the first id of its cluster';

-- Others may have created types where this extension is that have names of ted's: none of these is taken for it.
SET LOCAL search_path = pg_catalog, pg_temp;
DO $$
DECLARE
	foreigner text := (
		WITH member AS (
			SELECT extname, classid, objid FROM pg_depend JOIN pg_extension e ON e.oid = refobjid
			WHERE refclassid = 'pg_extension'::regclass AND deptype = 'e' AND extname IN ('ted', 'ted_distributed'))
		SELECT min(format_type(t.oid, NULL))
		FROM pg_proc p JOIN member ON classid = 'pg_proc'::regclass AND objid = p.oid AND extname = 'ted_distributed',
			 pg_type t
		WHERE t.oid = ANY (proargtypes::oid[] || prorettype) AND typnamespace <> 'pg_catalog'::regnamespace
			AND NOT EXISTS (SELECT FROM member JOIN pg_type own ON own.oid = objid
							WHERE classid = 'pg_type'::regclass AND t.oid IN (own.oid, own.typarray)));
BEGIN
	IF foreigner IS NOT NULL THEN
		RAISE EXCEPTION 'type % is not of extension ted', foreigner USING ERRCODE = 'duplicate_object',
			DETAIL = 'It has the name of one of its types, and is where ted_distributed would be.',
			HINT = 'Drop it, or create the extension in another schema.';
	END IF;
END $$;
