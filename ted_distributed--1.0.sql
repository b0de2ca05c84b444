-- complain if the script is sourced in psql
\echo Use "CREATE EXTENSION ted_distributed" to load this file. \quit

/*
 * Joins over several servers.  Two functions are for users, those whose names end in
 * "distributed"; all others are for these two.
 *
 * Others may create functions and operators where this extension is, or ted.  So bodies
 * see those of pg_catalog alone, statements name the schemas of what is ours, which are
 * looked up, and every argument of ours has the very type that is declared.  The variable
 * home has the schema of this extension, ted that of ted.
 */

-- how often labels occur, by their hashes; counts of several servers are added
CREATE FUNCTION ted_label_counts_transfn(bytea, tree) RETURNS bytea
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION ted_label_counts_combine(bytea, bytea) RETURNS bytea
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100;
CREATE AGGREGATE ted_label_counts(doc tree) (
	SFUNC = ted_label_counts_transfn, STYPE = bytea, COMBINEFUNC = ted_label_counts_combine, PARALLEL = SAFE
);
CREATE FUNCTION ted_rare_tree_nodes(doc tree, counts bytea, max_distance integer) RETURNS integer[]
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;

-- a rule by which such nodes lead to cells, and how many documents each cell has then
CREATE FUNCTION ted_assign_nodes_transfn(internal, nodes integer[], counts bytea, max_distance integer, cells integer) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10;
CREATE FUNCTION ted_assign_nodes_finalfn(internal) RETURNS bytea
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE AGGREGATE ted_assign_nodes(nodes integer[], counts bytea, max_distance integer, cells integer) (
	SFUNC = ted_assign_nodes_transfn, STYPE = internal, FINALFUNC = ted_assign_nodes_finalfn
);
CREATE FUNCTION ted_rule_loads(rule bytea) RETURNS bigint[]
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

-- the cells of a document, in ascending order; equal documents have the same ones
CREATE FUNCTION ted_cells_by_nodes(doc tree, rule bytea) RETURNS integer[]
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
CREATE FUNCTION ted_cells_by_size(size integer, hash integer, rule integer[]) RETURNS integer[]
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;

-- what travels: documents of a cell, some of a query's or one, and the matches that a cell finds
CREATE FUNCTION ted_cut_cells(query text, cells integer, counts bytea, max_distance integer, OUT cell integer, OUT packed bytea)
	RETURNS SETOF record
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL UNSAFE COST 1000000 ROWS 100;
CREATE FUNCTION ted_pack_document(side "char", id "any", doc "any", cells integer[]) RETURNS bytea
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE COST 10;
CREATE FUNCTION ted_join_cell_transfn(internal, packed bytea, kind text, threshold float8, cell integer) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE COST 1000;
CREATE FUNCTION ted_join_cell_finalfn(internal) RETURNS bytea
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE COST 100000;
CREATE AGGREGATE ted_join_cell(packed bytea, kind text, threshold float8, cell integer) (
	SFUNC = ted_join_cell_transfn, STYPE = internal, FINALFUNC = ted_join_cell_finalfn, FINALFUNC_MODIFY = READ_WRITE
);
CREATE FUNCTION ted_unpack_matches(matches bytea, id_type anyelement, in_order boolean, OUT left_id anyelement, OUT right_id anyelement, OUT measure float8)
	RETURNS SETOF record
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE COST 10000 ROWS 1000000;

/*
 * Cells by sizes, for documents of these sizes, in ascending order, of each of which there
 * are so many; a document of size s matches none larger than s * grow + shift.  The sizes
 * are cut into slabs of about the same cost, and a slab also has larger documents, up to
 * its reach.  Documents of a slab are divided into parts by a hash, and each two parts meet
 * in a cell.  A pair whose sizes match counts as a thousandth of a document.  Of all numbers
 * of parts, the one with the least largest cell is taken.
 */
CREATE FUNCTION ted_size_cells(sizes integer[], counts bigint[], grow float8, shift float8, cells integer,
							   OUT rule integer[], OUT loads bigint[])
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 100000 SET jit = off
	SET search_path = pg_catalog, pg_temp
AS $$
	WITH histogram AS MATERIALIZED (
		SELECT i, size, n::float8 AS n, sum(n) OVER (ORDER BY i)::float8 AS upto,
			   width_bucket(least(floor(size * grow + shift), 2147483647)::integer, sizes) AS far
		FROM unnest(sizes, counts) WITH ORDINALITY u(size, n, i)),
	work AS MATERIALIZED (
		SELECT h.size, h.n, h.upto, h.n * (h.n - 1) / 2 + h.n * (f.upto - h.upto) AS pairs
		FROM histogram h JOIN histogram f ON f.i = h.far),
	tried AS (
		SELECT parts, cells / greatest(parts * (parts - 1) / 2, 1) AS slabs
		FROM generate_series(1, (1 + sqrt(1 + 8 * cells))::integer / 2) parts WHERE parts <> 2),
	cut AS (
		SELECT parts, w.*, trunc((sum(n + pairs / 1000) OVER below - n - pairs / 1000) * slabs
								 / sum(n + pairs / 1000) OVER (PARTITION BY parts)) AS slab
		FROM work w, tried WHERE slabs > 0 WINDOW below AS (PARTITION BY parts ORDER BY size)),
	slab AS (
		SELECT parts, slab, sum(n) AS n, max(upto) AS upto, sum(pairs) AS pairs,
			   CASE WHEN row_number() OVER upwards = 1 THEN 0 ELSE min(size) END AS low,
			   lead(min(size), 1, 2147483647) OVER upwards AS high
		FROM cut GROUP BY parts, slab WINDOW upwards AS (PARTITION BY parts ORDER BY slab)),
	reached AS (
		SELECT *, least(floor((high - 1) * grow + shift) + 1, 2147483647)::integer AS reach, least(1, 2.0 / parts) AS share FROM slab),
	priced AS (
		SELECT r.*, (r.n + h.upto - r.upto) * share AS documents, (r.n + h.upto - r.upto) * share + pairs * share ^ 2 / 1000 AS cost
		FROM reached r JOIN histogram h ON h.i = width_bucket(reach - 1, sizes)),
	best AS (SELECT parts FROM priced GROUP BY parts ORDER BY max(cost), parts LIMIT 1)
	SELECT array_agg(ARRAY[low, reach, parts, i, j] ORDER BY low, i, j), array_agg(documents::bigint ORDER BY low, i, j)
	FROM priced JOIN best USING (parts), generate_series(0, parts - 1) i, generate_series(0, parts - 1) j
	WHERE i < j OR parts = 1
$$;

-- The query of a join of the rows of two sources that meet a condition.
CREATE FUNCTION ted_join_query(kind text, threshold text, ted name, source text, other text, condition text) RETURNS text
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
	SET search_path = pg_catalog, pg_temp
AS $$
	SELECT format('SELECT a.id AS left_id, b.id AS right_id, %1$I.%2$s(a.doc, b.doc)::float8 AS measure
		FROM %3$s a JOIN %4$s b ON %1$I.%5$s(a.doc, b.doc, %6$L::%7$s) %8$s', ted,
		CASE kind WHEN 'tree' THEN 'tree_edit_distance' ELSE 'lcs_similarity' END, source, other,
		CASE kind WHEN 'tree' THEN 'tree_within' ELSE 'lcs_similar' END, threshold,
		CASE kind WHEN 'tree' THEN 'int4' ELSE 'float8' END, condition)
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

/*
 * Divides a join of some sources, which are queries with columns side, id and doc, into
 * cells: an expression for the cells of a row d; how many documents each cell has, and how
 * many there are, with how many bytes.  The expression may read a rule from a column of this
 * name.  If this server sends the documents, a part of them is enough: the numbers are estimates
 * then, and in place of an expression, there may be counts of labels, by which cells are found
 * on the way.  Trees have cells by their rarest nodes, unless most trees would be in most of
 * these cells, or more than 24 operations are allowed.
 */
CREATE FUNCTION ted_plan_join(sources text[], kind text, threshold text, cells integer, sharded boolean, part float8,
							  OUT cells_of text, OUT rule bytea, OUT counts bytea, OUT loads bigint[], OUT documents bigint, OUT bytes bigint)
	LANGUAGE plpgsql STABLE PARALLEL UNSAFE COST 1000000
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	ted name := (SELECT nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'ted');
	home name := (SELECT nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'ted_distributed');
	size text := CASE kind WHEN 'tree' THEN format('%I.tree_size(doc)', ted) ELSE 'char_length(doc)' END;
	by_nodes boolean := false;
	source text;
	labels bytea;
	found bigint;
	length bigint;
	sizes integer[];
	numbers bigint[];
	size_rule integer[];
	size_loads bigint[];
BEGIN
	IF kind = 'tree' THEN
		by_nodes := threshold::integer BETWEEN 0 AND 24;
	END IF;
	IF part < 1 THEN
		sources := (SELECT array_agg(format('%s AND random() < %s', s, part)) FROM unnest(sources) s);
	END IF;
	documents := 0;
	bytes := 0;
	FOREACH source IN ARRAY sources LOOP
		EXECUTE format('SELECT count(*), coalesce(sum(pg_column_size(doc)), 0)::bigint, %s FROM (%s) d',
					   CASE WHEN by_nodes THEN format('%I.ted_label_counts(doc)', home) ELSE 'NULL::bytea' END, source) INTO found, length, labels;
		documents := documents + found;
		bytes := bytes + length;
		EXECUTE format('SELECT %I.ted_label_counts_combine($1, $2)', home) INTO counts USING counts, labels;
	END LOOP;
	IF by_nodes THEN
		EXECUTE format('WITH n AS MATERIALIZED (%s) SELECT %I.ted_assign_nodes(nodes, $1, $2, $3), count(*) FROM n',
			(SELECT string_agg(format('SELECT %I.ted_rare_tree_nodes(doc, $1, $2) AS nodes FROM (%s) d', home, s), ' UNION ALL ')
			 FROM unnest(sources) s), home) INTO rule, documents USING counts, threshold::integer, cells;
		EXECUTE format('SELECT %I.ted_rule_loads($1)', home) INTO loads USING rule;
		cells_of := CASE WHEN sharded THEN format('%I.ted_cells_by_nodes(doc, rule)', home) END;
	END IF;
	IF NOT by_nodes OR (SELECT max(load) FROM unnest(loads) load) > documents * least(2.0 / 3, 4.0 / cells) THEN
		EXECUTE format('SELECT array_agg(size ORDER BY size), array_agg(n ORDER BY size)
			FROM (SELECT size, sum(n)::bigint AS n FROM (%s) s GROUP BY 1) s',
			(SELECT string_agg(format('SELECT %s AS size, count(*) AS n FROM (%s) d GROUP BY 1', size, s), ' UNION ALL ') FROM unnest(sources) s))
			INTO sizes, numbers;
		EXECUTE format('SELECT * FROM %I.ted_size_cells($1, $2, $3, $4, $5)', home) INTO size_rule, size_loads
			USING sizes, numbers,
				  CASE WHEN kind = 'tree' OR threshold::float8 <= 1e-9 THEN 1 ELSE greatest(1, (2 - threshold::float8) / threshold::float8) END::float8,
				  CASE WHEN kind = 'tree' THEN greatest(threshold::float8, 0) WHEN threshold::float8 <= 1e-9 THEN 2147483647 ELSE 1 END::float8,
				  cells;
		IF NOT by_nodes OR (SELECT max(load) FROM unnest(size_loads) load) < (SELECT max(load) FROM unnest(loads) load) THEN
			loads := size_loads;
			counts := NULL;
			rule := NULL;
			cells_of := format('%I.ted_cells_by_size(%s, %s, %L::integer[])', home, size,
							   CASE kind WHEN 'tree' THEN format('%I.tree_hash(doc)', ted) ELSE 'hashtext(doc)' END, size_rule);
		END IF;
	END IF;
	loads := (SELECT array_agg((load / part)::bigint ORDER BY i) FROM unnest(loads) WITH ORDINALITY l(load, i));
	documents := documents / part;
	bytes := bytes / part;
END $$;

/*
 * Plans a join by cells.  Where it is expected to be done sooner on this server, by a query
 * that may be NULL, and no number of cells is named, it is joined there.  Seconds are by
 * constants that were measured with records of 26 nodes, of which estimates are unsure.
 */
CREATE FUNCTION ted_choose(sources text[], kind text, threshold text, cells integer, places integer, sharded boolean, alone text, explain boolean,
						   OUT together boolean, OUT cells_of text, OUT rule bytea, OUT counts bytea, OUT cells_planned integer)
	LANGUAGE plpgsql STABLE PARALLEL UNSAFE COST 1000000
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	home name := (SELECT nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'ted_distributed');
	plan record;
	documents float8;
	estimate record;
	here_seconds float8;
	together_seconds float8;
BEGIN
	EXECUTE format('SELECT rows FROM %I.ted_estimate($1)', home) INTO documents USING array_to_string(sources, ' UNION ALL ');
	EXECUTE format('SELECT * FROM %I.ted_estimate($1)', home) INTO estimate USING alone;
	here_seconds := 5e-7 * estimate.cost;
	together_seconds := 1.2 * here_seconds / places + (1e-5 + 1e-5 / places) * documents + 3e-7 * estimate.rows + 0.05 + 0.02 * places;
	together := NOT explain AND (cells IS NOT NULL OR coalesce(together_seconds < 0.8 * here_seconds, true));
	IF together OR explain THEN
		EXECUTE format('SELECT * FROM %I.ted_plan_join($1, $2, $3, $4, $5, $6)', home) INTO plan
			USING sources, kind, threshold, coalesce(cells, places), sharded, CASE WHEN sharded OR explain THEN 1 ELSE least(1, 20000 / greatest(documents, 1)) END;
		cells_of := coalesce(plan.cells_of, 'NULL::integer[]');
		rule := plan.rule;
		counts := plan.counts;
		cells_planned := coalesce(cardinality(plan.loads), 1);
	END IF;
	IF explain THEN
		RAISE INFO 'cells: %, documents: %, sent to cells: %, largest cell: %, kilobytes sent: %, expected seconds: %, on this server alone: %',
			cells_planned, plan.documents, (SELECT sum(load) FROM unnest(plan.loads) load), (SELECT max(load) FROM unnest(plan.loads) load),
			((SELECT sum(load) FROM unnest(plan.loads) load) * plan.bytes / greatest(plan.documents, 1) / 1024)::bigint,
			coalesce(round(together_seconds::numeric, 1)::text, 'unknown'), coalesce(round(here_seconds::numeric, 1)::text, 'impossible');
	END IF;
END $$;

-- A name for a connection, which the end of the transaction or of a failed subtransaction closes, and nothing interrupts that.
CREATE FUNCTION ted_new_connection() RETURNS text
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000;
CREATE FUNCTION ted_close_connections() RETURNS void
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL UNSAFE COST 1000000;

/*
 * Connects with servers of postgres_fdw, over dblink, and makes tables for cells there; returns
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
					CREATE TEMPORARY TABLE ted_cells (cell integer, packed bytea); ALTER TABLE pg_temp.ted_cells ALTER packed SET STORAGE EXTERNAL', memory, buffers);
		EXECUTE format('SELECT home FROM %I.dblink($1, $2) AS t(home name)', dblink) INTO home USING connection,
			'SELECT nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = ''ted_distributed'''::text;
		IF home IS NULL THEN
			RAISE EXCEPTION 'server "%" has no extension ted_distributed', servers[i] USING ERRCODE = 'object_not_in_prerequisite_state',
				DETAIL = 'Cells are joined by its functions.', HINT = 'Run CREATE EXTENSION ted_distributed CASCADE there.';
		END IF;
		RETURN NEXT;
	END LOOP;
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
 * Sends documents to the cells of servers, and lets them join these; returns a query for
 * rows with what each cell has found.  The function is stable: it sees one snapshot of all
 * documents, which are cut into cells before a connection is opened, so that no function of
 * a view runs beside one.  What travels in a statement is spelled in hexadecimal digits, which
 * mean the same whatever the settings.
 */
CREATE FUNCTION ted_join_by_servers(sources text[], kind text, threshold text, cells integer, explain boolean, alone text, servers name[], dblink name) RETURNS text
	LANGUAGE plpgsql STABLE PARALLEL UNSAFE COST 1000000
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	home name := (SELECT nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'ted_distributed');
	plan record;
	connections text[];
	homes name[];
	cell integer;
	packed bytea;
BEGIN
	EXECUTE format('SELECT * FROM %I.ted_choose($1, $2, $3, $4, $5, false, $6, $7)', home) INTO plan
		USING sources, kind, threshold, cells, cardinality(servers), alone, explain;
	IF NOT plan.together THEN
		RETURN NULL;
	END IF;
	servers := servers[:plan.cells_planned];
	FOR cell, packed IN EXECUTE format('SELECT (c).cell, (c).packed FROM (SELECT %I.ted_cut_cells($1, $2, $3, $4) AS c OFFSET 0) c', home)
		USING format('SELECT side, id, doc, %s FROM (%s) d', plan.cells_of, array_to_string(sources, ' UNION ALL ')), plan.cells_planned,
			  plan.counts, CASE WHEN plan.counts IS NOT NULL THEN threshold::integer END
	LOOP
		IF connections IS NULL THEN
			EXECUTE format('SELECT array_agg(connection), array_agg(home) FROM %I.ted_connect($1, $2)', home) INTO connections, homes USING servers, dblink;
		END IF;
		EXECUTE format('SELECT %I.ted_send($1, $2, $3)', home) USING dblink, connections[1 + (cell - 1) % cardinality(servers)],
			format('INSERT INTO pg_temp.ted_cells VALUES (%s, decode(''%s'', ''hex''))', cell, encode(packed, 'hex'));
	END LOOP;
	IF connections IS NULL THEN
		RETURN 'SELECT NULL::bytea AS matches WHERE false';
	END IF;
	FOR i IN 1 .. cardinality(servers) LOOP
		EXECUTE format('SELECT %I.ted_send($1, $2, $3)', home) USING dblink, connections[i],
			format('SELECT (SELECT %I.ted_join_cell(packed, %L::text, %L::float8, c) FROM pg_temp.ted_cells WHERE cell = c) FROM generate_series(%s, %s, %s) c',
				   homes[i], kind, threshold, i, plan.cells_planned, cardinality(servers));
	END LOOP;
	FOR i IN 1 .. cardinality(servers) LOOP
		EXECUTE format('SELECT %I.ted_send($1, $2, NULL::text)', home) USING dblink, connections[i];
		IF current_setting('ted.progress_interval') <> '0' THEN
			RAISE NOTICE 'progress of a join over servers: % of % servers have joined their cells', i, cardinality(servers);
		END IF;
	END LOOP;
	RETURN (SELECT string_agg(format('SELECT matches FROM %I.dblink_get_result(%L::text) AS t(matches bytea)', dblink, c), ' UNION ALL ') FROM unnest(connections) c);
END $$;

/*
 * Sends documents to the cells of workers of Citus, wherever they are; each cell is a shard
 * of a new table in a schema, which goes away with the transaction if it fails.  Returns a query for
 * rows with what each cell has found, and the key of its shard.
 */
CREATE FUNCTION ted_join_by_citus(sources text[], kind text, threshold text, cells integer, explain boolean, alone text, sharded boolean, schema name,
								  OUT matches text, OUT cells_table regclass)
	LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 1000000
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	home name := (SELECT nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'ted_distributed');
	plan record;
	keys integer[];
	source text;
	-- a name that nobody has taken
	new_table text := format('%I.%I', schema, 'ted_cells_' || replace(gen_random_uuid()::text, '-', ''));
	rule_table text := new_table || '_rule';
BEGIN
	IF NOT EXISTS (SELECT FROM pg_dist_object WHERE classid = 'pg_extension'::regclass
				   AND objid = (SELECT oid FROM pg_extension WHERE extname = 'ted_distributed')) THEN
		RAISE EXCEPTION 'workers of Citus have no extension ted_distributed' USING ERRCODE = 'object_not_in_prerequisite_state',
			DETAIL = 'Citus creates only those there that are created after Citus.',
			HINT = 'Run DROP EXTENSION ted_distributed and CREATE EXTENSION ted_distributed.';
	END IF;
	EXECUTE format('SELECT * FROM %I.ted_choose($1, $2, $3, $4, $5, $6, $7, $8)', home) INTO plan
		USING sources, kind, threshold, cells, (SELECT count(*)::integer FROM citus_get_active_worker_nodes()), sharded, alone, explain;
	IF NOT plan.together THEN
		RETURN;
	END IF;
	EXECUTE format('CREATE UNLOGGED TABLE %s (key integer, cell integer, packed bytea)', new_table);
	cells_table := new_table;
	EXECUTE format('ALTER TABLE %s ALTER packed SET STORAGE EXTERNAL', cells_table);
	PERFORM create_distributed_table(cells_table, 'key', colocate_with := 'none', shard_count := plan.cells_planned);
	-- keys that lead to the shards
	SELECT array_agg(key ORDER BY shardid) INTO keys
	FROM (SELECT shardid, min(key) AS key
		  FROM pg_dist_shard JOIN (SELECT key, worker_hash(key) AS hash FROM generate_series(1, 40 * plan.cells_planned) key) h
			   ON hash BETWEEN shardminvalue::integer AND shardmaxvalue::integer
		  WHERE logicalrelid = cells_table GROUP BY 1) k;
	IF sharded THEN
		-- a rule may have many megabytes, too many for the text of each task: Citus sends a subquery's result as bytes
		EXECUTE format('CREATE TABLE %s (rule bytea)', rule_table);
		EXECUTE format('INSERT INTO %s VALUES ($1)', rule_table) USING plan.rule;
		FOREACH source IN ARRAY sources LOOP
			EXECUTE format('INSERT INTO %s SELECT (%L::integer[])[cell], cell, %I.ted_pack_document(side, id, doc, cells)
							FROM (SELECT side, id, doc, %s AS cells FROM (SELECT *, (SELECT rule FROM %s) AS rule FROM (%s) d) d) d, unnest(cells) cell',
						   cells_table, keys, home, plan.cells_of, rule_table, source);
		END LOOP;
		EXECUTE format('DROP TABLE %s', rule_table);
	ELSE
		EXECUTE format('INSERT INTO %s SELECT (%L::integer[])[(c).cell], (c).cell, (c).packed
						FROM (SELECT %I.ted_cut_cells($1, $2, $3, $4) AS c OFFSET 0) c', cells_table, keys, home)
			USING format('SELECT side, id, doc, %s FROM (%s) d', plan.cells_of, array_to_string(sources, ' UNION ALL ')), plan.cells_planned,
				  plan.counts, CASE WHEN plan.counts IS NOT NULL THEN threshold::integer END;
	END IF;
	IF current_setting('ted.progress_interval') <> '0' THEN
		RAISE NOTICE 'progress of a join over servers: all documents are in their cells, %', plan.cells_planned;
	END IF;
	matches := format('SELECT key, %I.ted_join_cell(packed, %L::text, %L::float8, cell) AS matches FROM %s GROUP BY key, cell', home, kind, threshold, cells_table);
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
 * the workers of Citus; returns what each cell has found, with the collation of ids.  Where
 * it is expected to be done sooner on this server, and no number of cells is named, returns
 * a query for that.
 */
CREATE FUNCTION ted_pairs(docs regclass, kind text, threshold text, servers name[], id name, doc name, cells integer, result name, others regclass,
						  explain boolean, id_type regtype, schemas name[])
	RETURNS TABLE (matches bytea, collated oid, query text)
	LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 1000
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	ted name := (SELECT nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'ted');
	home name := (SELECT nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'ted_distributed');
	dblink name := (SELECT nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'dblink');
	type text; -- of ids
	pairs text; -- a condition
	sources text[];
	alone text; -- the query of a join by this server
	found text; -- that for what cells have found
	measure text := CASE kind WHEN 'tree' THEN 'measure::integer' ELSE 'measure' END;
	schema name;
	cells_table regclass;
	sharded boolean;
	memory text := current_setting('work_mem');
	propagated text := current_setting('citus.propagate_set_commands', true);
	executed text := current_setting('citus.enable_local_execution', true);
BEGIN
	EXECUTE format('SELECT * FROM %I.ted_check_join($1, $2, $3, $4, $5, $6, $7, $8, $9)', home) INTO type, collated, pairs
		USING docs, id, doc, threshold, servers, cells, result, others, id_type;
	SELECT array_agg(format('SELECT %L::"char" AS side, %I::%s AS id, %I::%s AS doc FROM %s WHERE %4$I IS NOT NULL', side, id, type, doc,
							CASE kind WHEN 'tree' THEN format('%I.tree', ted) ELSE 'text' END, source) ORDER BY side) INTO sources
	FROM (VALUES (CASE WHEN others IS NULL THEN '' ELSE 'l' END, docs), ('r', others)) s(side, source) WHERE source IS NOT NULL;
	EXECUTE format('SELECT %I.ted_join_query($1, $2, $3, $4, $5, $6)', home) INTO alone
		USING kind, threshold, ted, format('(%s)', sources[1]), format('(%s)', sources[cardinality(sources)]), pairs;
	IF servers IS NOT NULL THEN
		EXECUTE format('SELECT %I.ted_join_by_servers($1, $2, $3, $4, $5, $6, $7, $8)', home) INTO found
			USING sources, kind, threshold, cells, explain, alone, servers, dblink;
	ELSE
		schema := coalesce((SELECT name FROM unnest(schemas) WITH ORDINALITY p(name, i) WHERE name !~ '^pg_' ORDER BY i LIMIT 1),
						   (SELECT nspname FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE c.oid = docs));
		sharded := EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid IN (docs, others) AND partmethod <> 'n');
		-- Citus joins no distributed table with itself
		IF result IS NOT NULL OR sharded THEN
			alone := NULL;
		END IF;
		-- the tasks have the memory of this session; Citus does not qualify what is in pg_catalog; a reference table is also here
		PERFORM set_config('citus.propagate_set_commands', 'local', true), set_config('citus.enable_local_execution', 'off', true);
		EXECUTE format('SET LOCAL work_mem = %L', memory);
		SET LOCAL search_path = pg_catalog, pg_temp;
		EXECUTE format('SELECT * FROM %I.ted_join_by_citus($1, $2, $3, $4, $5, $6, $7, $8)', home) INTO found, cells_table
			USING sources, kind, threshold, cells, explain, alone, sharded, schema;
		IF found IS NOT NULL AND result IS NOT NULL THEN
			EXECUTE format('CREATE TABLE %I.%I (key integer, left_id %s, right_id %3$s, %s)', schema, result, type,
						   CASE kind WHEN 'tree' THEN 'distance integer' ELSE 'similarity float8' END);
			PERFORM create_distributed_table(format('%I.%I', schema, result)::regclass, 'key', colocate_with := cells_table::text);
			EXECUTE format('INSERT INTO %I.%I SELECT key, m.left_id, m.right_id, m.%s FROM (%s) c, LATERAL %I.ted_unpack_matches(matches, NULL::%s%s, %L::boolean) m',
						   schema, result, measure, found, home, type, ' COLLATE ' || collated::regcollation, others IS NULL);
			found := NULL;
		END IF;
	END IF;
	IF found IS NOT NULL THEN
		RETURN QUERY EXECUTE format('SELECT matches, %L::oid, NULL::text FROM (%s) c', coalesce(collated, 0), found);
	ELSIF alone IS NOT NULL AND NOT explain THEN
		query := format('SELECT left_id::%1$s, right_id::%1$s, %2$s FROM (%3$s) p', format_type(id_type, -1), measure, alone);
		RETURN NEXT;
	END IF;
	IF servers IS NOT NULL THEN
		EXECUTE format('SELECT %I.ted_close_connections()', home);
	END IF;
	IF cells_table IS NOT NULL THEN
		EXECUTE format('DROP TABLE %s', cells_table);
	END IF;
	IF servers IS NULL THEN
		PERFORM set_config('citus.enable_local_execution', executed, true);
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

COMMENT ON FUNCTION ted_label_counts_transfn(bytea, tree) IS 'internal: aggregate transition function';
COMMENT ON FUNCTION ted_label_counts_combine(bytea, bytea) IS 'internal: aggregate combine function';
COMMENT ON AGGREGATE ted_label_counts(tree) IS 'internal: in how many trees labels occur, by their hashes';
COMMENT ON FUNCTION ted_rare_tree_nodes(tree, bytea, integer) IS 'internal: hashes of the rarest nodes of a tree';
COMMENT ON FUNCTION ted_assign_nodes_transfn(internal, integer[], bytea, integer, integer) IS 'internal: aggregate transition function';
COMMENT ON FUNCTION ted_assign_nodes_finalfn(internal) IS 'internal: aggregate final function';
COMMENT ON AGGREGATE ted_assign_nodes(integer[], bytea, integer, integer) IS 'internal: a rule by which rare nodes lead to cells';
COMMENT ON FUNCTION ted_rule_loads(bytea) IS 'internal: how many trees belong to each cell by a rule';
COMMENT ON FUNCTION ted_cells_by_nodes(tree, bytea) IS 'internal: the cells of a tree by its rarest nodes';
COMMENT ON FUNCTION ted_cells_by_size(integer, integer, integer[]) IS 'internal: the cells of a document by its size and a hash';
COMMENT ON FUNCTION ted_cut_cells(text, integer, bytea, integer) IS 'internal: documents of a query, cut into cells';
COMMENT ON FUNCTION ted_pack_document("char", "any", "any", integer[]) IS 'internal: a document of a cell';
COMMENT ON FUNCTION ted_join_cell_transfn(internal, bytea, text, float8, integer) IS 'internal: aggregate transition function';
COMMENT ON FUNCTION ted_join_cell_finalfn(internal) IS 'internal: aggregate final function';
COMMENT ON AGGREGATE ted_join_cell(bytea, text, float8, integer) IS 'internal: matches of the documents of a cell';
COMMENT ON FUNCTION ted_unpack_matches(bytea, anyelement, boolean) IS 'internal: matches of a cell, as rows';
COMMENT ON FUNCTION ted_size_cells(integer[], bigint[], float8, float8, integer) IS 'internal: cells by sizes';
COMMENT ON FUNCTION ted_join_query(text, text, name, text, text, text) IS 'internal: a query of a join';
COMMENT ON FUNCTION ted_plan_join(text[], text, text, integer, boolean, float8) IS 'internal: divides a join into cells';
COMMENT ON FUNCTION ted_new_connection() IS 'internal: a name for a connection of dblink that the end of the transaction closes';
COMMENT ON FUNCTION ted_close_connections() IS 'internal: closes such connections';
COMMENT ON FUNCTION ted_connect(name[], name) IS 'internal: connects with servers of postgres_fdw';
COMMENT ON FUNCTION ted_send(name, text, text) IS 'internal: waits for a server, and sends it a statement';
COMMENT ON FUNCTION ted_estimate(text) IS 'internal: what the planner expects of a query';
COMMENT ON FUNCTION ted_choose(text[], text, text, integer, integer, boolean, text, boolean) IS 'internal: plans a join by cells, where it is expected to be done sooner so';
COMMENT ON FUNCTION ted_join_by_servers(text[], text, text, integer, boolean, text, name[], name) IS 'internal: joins by servers of postgres_fdw';
COMMENT ON FUNCTION ted_join_by_citus(text[], text, text, integer, boolean, text, boolean, name) IS 'internal: joins by workers of Citus';
COMMENT ON FUNCTION ted_base_type(oid) IS 'internal: the type that a domain is over';
COMMENT ON FUNCTION ted_check_join(regclass, name, name, text, name[], integer, name, regclass, regtype) IS 'internal: checks what a join is called with';
COMMENT ON FUNCTION ted_pairs(regclass, text, text, name[], name, name, integer, name, regclass, boolean, regtype, name[]) IS 'internal: joins by several servers, or by this one where that is sooner';
COMMENT ON FUNCTION tree_within_pairs_distributed(regclass, integer, name[], name, name, integer, name, regclass, boolean, name[]) IS 'all pairs of trees of a table, or of two, at most max_distance apart, found by servers of postgres_fdw or workers of Citus';
COMMENT ON FUNCTION tree_within_pairs_distributed(anyelement, regclass, integer, name[], name, name, integer, name, regclass, boolean, name[]) IS 'all pairs of trees of a table, or of two, at most max_distance apart, found by servers of postgres_fdw or workers of Citus, with ids of any type';
COMMENT ON FUNCTION lcs_similar_pairs_distributed(regclass, float8, name[], name, name, integer, name, regclass, boolean, name[]) IS 'all pairs of texts of a table, or of two, with a similarity of at least min_similarity, found by servers of postgres_fdw or workers of Citus';
COMMENT ON FUNCTION lcs_similar_pairs_distributed(anyelement, regclass, float8, name[], name, name, integer, name, regclass, boolean, name[]) IS 'all pairs of texts of a table, or of two, with a similarity of at least min_similarity, found by servers of postgres_fdw or workers of Citus, with ids of any type';

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
