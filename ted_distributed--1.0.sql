-- complain if the script is sourced in psql
\echo Use "CREATE EXTENSION ted_distributed" to load this file. \quit

/*
 * Joins over several servers.  Two functions are for users, those whose names end in
 * "distributed"; all others, and the type, are for these two.
 *
 * Others may create functions and operators where this extension is, or ted.  So bodies
 * see those of pg_catalog alone, statements name the schemas of what is ours, which are
 * looked up, and every argument of ours has the very type that is declared.  A body in the
 * standard's syntax is bound once: there, all arguments have the types declared, too, and
 * none is left to its default.  The variable home has the schema of this extension, ted
 * that of ted.
 */

CREATE TYPE ted_join_cell AS (
	cell integer, low integer, high integer, reach integer, parts integer, part integer, other_parts integer, other integer,
	own boolean, crosses boolean, documents bigint, cost float8
);

COMMENT ON TYPE ted_join_cell IS 'internal: a cell of a join, which has some of the documents and finds some of the pairs';

/*
 * The cells of a self-join of documents of these sizes, in ascending order, of each
 * of which there are so many.  A document of size s matches none larger than
 * s * grow + shift.  The sizes are cut into slabs of about the same cost.  A pair is
 * of the slab of its smaller size, so a slab has copies of larger documents, up to its
 * reach.  A slab with much of the cost is divided into parts by a hash of the id.  If
 * it has no copies, there is a cell for every two parts, and each part makes pairs of
 * its own in one of these; otherwise there is a cell for every part of documents and
 * every part of copies.  A pair whose sizes match counts as a thousandth of a
 * document.  Of all numbers of slabs, the one that is done first is taken.
 */
CREATE FUNCTION ted_plan_cells(sizes integer[], counts bigint[], grow float8, shift float8, cells integer)
	RETURNS SETOF ted_join_cell
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 100000 ROWS 10 SET jit = off
	SET search_path = pg_catalog, pg_temp
AS $$
	WITH histogram AS MATERIALIZED (
		SELECT i, size, n::float8 AS n, sum(n) OVER (ORDER BY i)::float8 AS upto,
			   width_bucket(least(floor(size * grow + shift), 2147483647)::integer, sizes) AS far
		FROM unnest(sizes, counts) WITH ORDINALITY u(size, n, i)),
	work AS MATERIALIZED (
		SELECT h.size, h.n, h.upto, f.upto AS far_upto,
			   h.n * (h.n - 1) / 2 + h.n * (f.upto - h.upto) AS pairs
		FROM histogram h JOIN histogram f ON f.i = h.far),
	tried AS (
		SELECT DISTINCT least(ceil(1.25 ^ step), greatest(cells, 1)) AS slabs
		FROM generate_series(0, ceil(ln(greatest(cells, 1)) / ln(1.25))::integer) step),
	cut AS (
		SELECT slabs, w.*, trunc((sum(n + pairs / 1000) OVER below - n - pairs / 1000) * slabs
								 / sum(n + pairs / 1000) OVER (PARTITION BY slabs)) AS slab
		FROM work w, tried WINDOW below AS (PARTITION BY slabs ORDER BY size)),
	slab AS (
		SELECT slabs, sum(n) AS n, max(upto) AS upto, sum(pairs) AS pairs,
			   sum(n * greatest(far_upto - slab_upto, 0)) AS outer_pairs,
			   CASE WHEN row_number() OVER upwards = 1 THEN 0 ELSE min(size) END AS low,
			   lead(min(size), 1, 2147483647) OVER upwards AS high
		FROM (SELECT *, max(upto) OVER (PARTITION BY slabs, slab) AS slab_upto FROM cut) c
		GROUP BY slabs, slab WINDOW upwards AS (PARTITION BY slabs ORDER BY slab)),
	reached AS (
		SELECT *, least(floor((high - 1) * grow + shift) + 1, 2147483647)::integer AS reach,
			   floor((high - shift) / grow) AS border,
			   greatest(1, cells * (n + pairs / 1000) / sum(n + pairs / 1000) OVER (PARTITION BY slabs)) AS share
		FROM slab),
	parted AS (
		SELECT r.*, h.upto - r.upto AS copies,
			   CASE WHEN h.upto > r.upto THEN floor(sqrt(share) + 1e-9)
					WHEN share >= 3 - 1e-9 THEN floor((1 + sqrt(1 + 8 * share)) / 2 + 1e-9)
					ELSE 1 END::integer AS parts
		FROM reached r JOIN histogram h ON h.i = width_bucket(reach - 1, sizes)),
	-- the last and the first part change places, so that each part is followed by another one once
	paired AS (
		SELECT p.*, i < j AS crosses, CASE WHEN turned THEN j ELSE i END AS part,
			   CASE WHEN turned THEN i ELSE j END AS other,
			   i = j OR copies = 0 AND (j = i + 1 OR turned) AS own
		FROM parted p, generate_series(0, parts - 1) i, generate_series(0, parts - 1) j,
			 LATERAL (SELECT copies = 0 AND i = 0 AND j = parts - 1 AND parts > 2 AS turned) t
		WHERE copies > 0 OR parts = 1 OR i < j),
	priced AS (
		SELECT *, documents + (outer_pairs + (pairs - outer_pairs) * (own::integer + 2 * crosses::integer))
				  / parts ^ 2 / 1000 AS cost
		FROM (SELECT *, (n + n * crosses::integer + copies) / parts AS documents FROM paired) p),
	best AS (
		SELECT slabs FROM priced GROUP BY slabs
		ORDER BY greatest(max(cost), sum(cost) / cells), slabs LIMIT 1)
	SELECT row_number() OVER (ORDER BY cost DESC, low, part, other)::integer,
		   CASE WHEN own OR crosses THEN low ELSE greatest(low, border)::integer END, high, reach, parts, part,
		   parts, other, own, crosses, documents::bigint, cost
	FROM priced JOIN best USING (slabs)
$$;

CREATE FUNCTION ted_join_side(cell ted_join_cell, id bigint, size integer) RETURNS "char"
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;

-- The cells of a join of two tables: a grid, of a part of the one and a part of the other each, with the fewest documents.
CREATE FUNCTION ted_grid_cells(left_documents bigint, right_documents bigint, cells integer)
	RETURNS SETOF ted_join_cell
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000 ROWS 10
	SET search_path = pg_catalog, pg_temp
AS $$
	SELECT row_number() OVER ()::integer, 0, 2147483647, 2147483647, p, i, q, j, false, true, documents::bigint,
		   documents + left_documents::float8 / p * right_documents / q / 1000
	FROM (SELECT p, cells / p AS q, left_documents::float8 / p + right_documents::float8 / (cells / p) AS documents
		  FROM generate_series(1, cells) p ORDER BY 3, 1 LIMIT 1) grid,
		 generate_series(0, p - 1) i, generate_series(0, q - 1) j
$$;

CREATE FUNCTION ted_grid_side(cell ted_join_cell, id bigint, side "char") RETURNS "char"
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;

CREATE FUNCTION ted_packed_sizes(documents bytea, OUT size integer, OUT n bigint) RETURNS SETOF record
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000 ROWS 100;

-- packed documents need not be read again
CREATE FUNCTION ted_table_cells(docs regclass, doc name, kind text, packed bytea, grow float8, shift float8, cells integer)
	RETURNS SETOF ted_join_cell
	LANGUAGE plpgsql STABLE PARALLEL UNSAFE COST 1000000 ROWS 10
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	ted name := (SELECT nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'ted');
	home name := (SELECT nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'ted_distributed');
BEGIN
	IF cells < 1 THEN
		RAISE EXCEPTION 'number of cells must be positive' USING ERRCODE = 'invalid_parameter_value',
			DETAIL = format('The number of cells is %s.', cells), HINT = 'Use at least one cell.';
	END IF;
	RETURN QUERY EXECUTE format(
		'SELECT c.* FROM (SELECT array_agg(size ORDER BY size) AS sizes, array_agg(n ORDER BY size) AS counts FROM (%s) s) h,
		              LATERAL %I.ted_plan_cells(sizes, counts, $1, $2, $3) c',
		CASE WHEN packed IS NULL
			 THEN format('SELECT %s AS size, count(*) AS n FROM %s WHERE %I IS NOT NULL GROUP BY 1',
						 CASE kind WHEN 'tree' THEN format('%1$I.tree_size(%2$I::%1$I.tree)', ted, doc)
							  ELSE format('char_length(%I::text)', doc) END, docs, doc)
			 ELSE format('SELECT size, sum(n)::bigint AS n FROM %I.ted_packed_sizes($4) GROUP BY 1', home) END, home)
		USING grow, shift, cells, packed;
END $$;
CREATE FUNCTION ted_table_grid(docs regclass, others regclass, cells integer)
	RETURNS SETOF ted_join_cell
	LANGUAGE plpgsql STABLE STRICT PARALLEL UNSAFE COST 1000000 ROWS 10
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	home name := (SELECT nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'ted_distributed');
BEGIN
	IF cells < 1 THEN
		RAISE EXCEPTION 'number of cells must be positive' USING ERRCODE = 'invalid_parameter_value',
			DETAIL = format('The number of cells is %s.', cells), HINT = 'Use at least one cell.';
	END IF;
	RETURN QUERY EXECUTE format('SELECT * FROM %I.ted_grid_cells((SELECT count(*) FROM %s), (SELECT count(*) FROM %s), $1)',
								home, docs, others) USING cells;
END $$;
CREATE FUNCTION ted_join_cells(docs regclass, doc name, max_distance integer, cells integer)
	RETURNS SETOF ted_join_cell
	LANGUAGE sql STABLE STRICT PARALLEL UNSAFE COST 1000000 ROWS 10
	BEGIN ATOMIC
		SELECT * FROM ted_table_cells(docs, doc, 'tree'::text, NULL::bytea, 1::float8, greatest(max_distance, 0)::float8, cells);
	END;
CREATE FUNCTION ted_join_cells(docs regclass, doc name, min_similarity float8, cells integer)
	RETURNS SETOF ted_join_cell
	LANGUAGE sql STABLE STRICT PARALLEL UNSAFE COST 1000000 ROWS 10
	BEGIN ATOMIC
		SELECT * FROM ted_table_cells(docs, doc, 'text'::text, NULL::bytea,
			CASE WHEN min_similarity > 1e-9::float8 THEN greatest(1::float8, (2::float8 - min_similarity) / min_similarity) ELSE 1::float8 END,
			CASE WHEN min_similarity > 1e-9::float8 THEN 1 ELSE 2147483647 END::float8, cells);
	END;

-- what travels between servers: the documents of a cell, and its matches
CREATE FUNCTION tree_pack_cell_transfn(bytea, bigint, tree, "char") RETURNS bytea
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION lcs_pack_cell_transfn(bytea, bigint, text, "char") RETURNS bytea
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION ted_pack_cell_combine(bytea, bytea) RETURNS bytea
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION ted_pack_cell_finalfn(bytea) RETURNS bytea
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE AGGREGATE ted_pack_cell(id bigint, doc tree, side "char") (
	SFUNC = tree_pack_cell_transfn, STYPE = bytea, FINALFUNC = ted_pack_cell_finalfn, COMBINEFUNC = ted_pack_cell_combine, PARALLEL = SAFE
);
CREATE AGGREGATE ted_pack_cell(id bigint, doc text, side "char") (
	SFUNC = lcs_pack_cell_transfn, STYPE = bytea, FINALFUNC = ted_pack_cell_finalfn, COMBINEFUNC = ted_pack_cell_combine, PARALLEL = SAFE
);
CREATE FUNCTION ted_cut_cells(documents bytea, cells ted_join_cell[], max_distance integer DEFAULT NULL) RETURNS SETOF bytea
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE COST 10000 ROWS 10;
CREATE FUNCTION tree_join_cell(cell bytea, max_distance integer) RETURNS bytea
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE COST 10000;
CREATE AGGREGATE ted_pack_part(id bigint, doc tree, side "char") (
	SFUNC = tree_pack_cell_transfn, STYPE = bytea, COMBINEFUNC = ted_pack_cell_combine, PARALLEL = SAFE
);
CREATE FUNCTION ted_count_labels_transfn(bytea, bytea) RETURNS bytea
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10000;
CREATE FUNCTION ted_count_labels_combine(bytea, bytea) RETURNS bytea
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100;
CREATE AGGREGATE ted_count_labels(part bytea) (
	SFUNC = ted_count_labels_transfn, STYPE = bytea, COMBINEFUNC = ted_count_labels_combine, PARALLEL = SAFE
);
CREATE FUNCTION ted_cut_by_labels(part bytea, counts bytea, cells integer, max_distance integer, OUT cell integer, OUT cut bytea)
	RETURNS SETOF record
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE COST 10000 ROWS 10;
CREATE FUNCTION tree_join_parts(parts bytea[], cell integer, cells integer, max_distance integer) RETURNS bytea
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE COST 10000;
CREATE FUNCTION lcs_join_cell(cell bytea, min_similarity float8) RETURNS bytea
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE COST 10000;
CREATE FUNCTION ted_unpack_matches(matches bytea, OUT left_id bigint, OUT right_id bigint, OUT measure float8)
	RETURNS SETOF record
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000 ROWS 1000;

/*
 * The documents of a table, or of two, as one value; or those of a cell.  NULL where all
 * documents are too many for a value.
 */
CREATE FUNCTION ted_pack_table(docs regclass, id name, doc name, kind text, others regclass, cell ted_join_cell)
	RETURNS bytea
	LANGUAGE plpgsql STABLE PARALLEL UNSAFE COST 1000000
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	ted name := (SELECT nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'ted');
	home name := (SELECT nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'ted_distributed');
	type text := CASE kind WHEN 'tree' THEN format('%I.tree', ted) ELSE 'text' END;
	size text := CASE kind WHEN 'tree' THEN format('%I.tree_size', ted) ELSE 'char_length' END;
	rows text := format('SELECT %I::bigint AS id, %I::%s AS doc', id, doc, type);
	packed bytea;
BEGIN
	EXECUTE format('SELECT %I.ted_pack_cell(id, doc, %s) FROM (%s) d', home,
		CASE WHEN cell IS NULL THEN 'side' WHEN others IS NULL THEN format('%I.ted_join_side($1, id, %s(doc))', home, size)
			 ELSE format('%I.ted_grid_side($1, id, side)', home) END,
		CASE WHEN others IS NULL THEN format('%s, ''o''::"char" AS side FROM %s', rows, docs)
			 ELSE format('%1$s, ''l''::"char" AS side FROM %2$s UNION ALL %1$s, ''r''::"char" FROM %3$s', rows, docs, others) END)
		INTO packed USING cell;
	RETURN packed;
EXCEPTION WHEN program_limit_exceeded OR configuration_limit_exceeded THEN
	IF cell IS NOT NULL THEN
		RAISE;
	END IF;
	RETURN NULL;
END $$;

/*
 * Joins by servers of postgres_fdw, over dblink: each is sent a cell with its
 * documents, as one statement, and another one when its matches have come back.  All
 * queries see one snapshot, since the function is declared stable.
 *
 * The name of a connection has the time of the statement and that of the call.  Whatever
 * ends a call, its connections are closed; those that a second cancel has left open are
 * closed by the next statement.
 */
CREATE FUNCTION ted_join_by_servers(docs regclass, id name, doc name, kind text, threshold text, servers name[],
									cells integer, plan text, others regclass)
	RETURNS TABLE (left_id bigint, right_id bigint, measure float8)
	LANGUAGE plpgsql STABLE PARALLEL UNSAFE COST 1000000 ROWS 1000
	SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
	home name := (SELECT nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'ted_distributed');
	dblink name := (SELECT nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'dblink');
	statement text := format('ted join %s ', extract(epoch FROM statement_timestamp()));
	call text := statement || extract(epoch FROM clock_timestamp()) || ' ';
	server name;
	remote name; -- where a server has the extension
	connections text[] := '{}';
	connection text;
	functions text[] := '{}';
	busy boolean[] := array_fill(false, ARRAY[cardinality(servers)]);
	working integer;
	planned refcursor;
	packed bytea; -- all documents, or NULL where these are too many for one value
	documents bytea; -- of a cell
	matches bytea;
BEGIN
	EXECUTE format('SELECT %1$I.dblink_disconnect(c) FROM unnest(%1$I.dblink_get_connections()) c
					WHERE starts_with(c, ''ted join '') AND NOT starts_with(c, $1)', dblink) USING statement;
	FOREACH server IN ARRAY servers LOOP
		connection := call || cardinality(connections);
		connections := connections || connection;
		EXECUTE format('SELECT %I.dblink_connect($1, $2)', dblink) USING connection, server::text;
		EXECUTE format('SELECT name FROM %I.dblink($1, $2) AS t(name name)', dblink) INTO remote
			USING connection, 'SELECT n.nspname FROM pg_catalog.pg_extension e JOIN pg_catalog.pg_namespace n
				ON n.oid OPERATOR(pg_catalog.=) e.extnamespace WHERE e.extname OPERATOR(pg_catalog.=) ''ted_distributed''::pg_catalog.name'::text;
		IF remote IS NULL THEN
			RAISE EXCEPTION 'server "%" has no extension ted_distributed', server USING ERRCODE = 'object_not_in_prerequisite_state',
				DETAIL = 'Cells are joined by its functions.', HINT = 'Run CREATE EXTENSION ted_distributed CASCADE there.';
		END IF;
		functions := functions || format('%I.%I', remote, CASE kind WHEN 'tree' THEN 'tree_join_cell' ELSE 'lcs_join_cell' END);
	END LOOP;

	EXECUTE format('SELECT %I.ted_pack_table($1, $2, $3, $4, $5, NULL::%1$I.ted_join_cell)', home) INTO packed
		USING docs, id, doc, kind, others;
	IF packed IS NOT NULL THEN
		OPEN planned FOR EXECUTE format('SELECT %I.ted_cut_cells($2, (SELECT array_agg(cell) FROM (%s) p), $3)', home, plan)
			USING coalesce(cells, cardinality(servers)), packed, CASE kind WHEN 'tree' THEN threshold::integer END;
	ELSE
		OPEN planned FOR EXECUTE format('SELECT %I.ted_pack_table($3, $4, $5, $6, $7, cell) FROM (%s) p', home, plan)
			USING coalesce(cells, cardinality(servers)), packed, docs, id, doc, kind, others;
	END IF;
	LOOP
		FOR i IN 1 .. cardinality(connections) LOOP
			connection := connections[i];
			IF busy[i] THEN
				EXECUTE format('SELECT %I.dblink_is_busy($1)', dblink) INTO working USING connection;
				CONTINUE WHEN working = 1;
				EXECUTE format('SELECT matches FROM %I.dblink_get_result($1) AS t(matches bytea)', dblink) INTO matches USING connection;
				EXECUTE format('SELECT FROM %I.dblink_get_result($1) AS t(matches bytea)', dblink) USING connection;
				RETURN QUERY EXECUTE format('SELECT CASE WHEN $2 AND left_id > right_id THEN right_id ELSE left_id END,
						CASE WHEN $2 AND left_id > right_id THEN left_id ELSE right_id END, measure
					FROM %I.ted_unpack_matches($1)', home) USING matches, others IS NULL;
			END IF;
			FETCH planned INTO documents;
			busy[i] := FOUND;
			IF FOUND THEN
				EXECUTE format('SELECT %I.dblink_send_query($1, $2)', dblink) USING connection,
					format('SELECT %s(pg_catalog.decode(''', functions[i]) || encode(documents, 'base64')
					|| format('''::pg_catalog.text, ''base64''::pg_catalog.text), %L::pg_catalog.%s)',
							  threshold, CASE kind WHEN 'tree' THEN 'int4' ELSE 'float8' END);
			END IF;
		END LOOP;
		EXIT WHEN NOT true = ANY (busy);
		PERFORM pg_sleep(0.002);
	END LOOP;
	EXECUTE format('SELECT %I.dblink_disconnect(c) FROM unnest($1) c', dblink) USING connections;
EXCEPTION WHEN query_canceled OR assert_failure OR others THEN
	-- the last one may be open or not, wherever it was cancelled
	IF connections <> '{}' THEN
		EXECUTE format('SELECT %1$I.dblink_cancel_query(c), %1$I.dblink_disconnect(c)
						FROM unnest(%1$I.dblink_get_connections()) c WHERE c = ANY ($1)', dblink) USING connections;
	END IF;
	RAISE;
END $$;
-- The workers of Citus for cells of these costs, which descend: each goes to the one with the least to do.
CREATE FUNCTION ted_deal_cells(costs float8[], workers integer) RETURNS integer[]
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	loads float8[] := array_fill(0::float8, ARRAY[workers]);
	dealt integer[] := '{}';
	least integer;
BEGIN
	FOR i IN 1 .. cardinality(costs) LOOP
		SELECT worker INTO least FROM unnest(loads) WITH ORDINALITY l(load, worker) ORDER BY load, worker LIMIT 1;
		loads[least] := loads[least] + costs[i];
		dealt := dealt || least;
	END LOOP;
	RETURN dealt;
END $$;

/*
 * Makes a table of cells, each of which is a shard on the worker with this number; returns
 * for each cell the key that leads to it.
 */
CREATE FUNCTION ted_citus_table(shard_table text, columns text, dealt integer[]) RETURNS integer[]
	LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE COST 1000000
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	keys integer[];
BEGIN
	EXECUTE format('CREATE UNLOGGED TABLE %s (key integer, %s)', shard_table, columns);
	-- what has been packed does not become smaller
	EXECUTE (SELECT format('ALTER TABLE %s ALTER %I SET STORAGE EXTERNAL', shard_table, attname) FROM pg_attribute
			 WHERE attrelid = shard_table::regclass AND attnum > 0 AND attstorage = 'x');
	PERFORM create_distributed_table(shard_table::regclass, 'key', colocate_with := 'none', shard_count :=
		(SELECT coalesce(max(n) * max(worker), 1) FROM (SELECT worker, count(*)::integer AS n FROM unnest(dealt) worker GROUP BY 1) c));
	WITH shard AS (
		SELECT shardid, dense_rank() OVER (ORDER BY groupid) AS worker,
			   row_number() OVER (PARTITION BY groupid ORDER BY shardid) AS number,
			   shardminvalue::integer AS low, shardmaxvalue::integer AS high
		FROM pg_dist_shard JOIN pg_dist_placement USING (shardid) WHERE logicalrelid = shard_table::regclass),
	hashed AS (
		SELECT key, worker_hash(key) AS hash
		FROM generate_series(1, (SELECT 40 * count(*)::integer FROM shard)) key),
	keyed AS (
		SELECT worker, number, min(key) AS key FROM shard JOIN hashed ON hash BETWEEN low AND high GROUP BY 1, 2),
	cell AS (
		SELECT cell, worker, row_number() OVER (PARTITION BY worker ORDER BY cell) AS number
		FROM unnest(dealt) WITH ORDINALITY d(worker, cell))
	SELECT array_agg(key ORDER BY cell) INTO keys FROM cell LEFT JOIN keyed USING (worker, number);
	RETURN keys;
END $$;

-- The documents of a shard on this server, packed, with their labels.
CREATE FUNCTION ted_pack_shard(shard regclass, id name, doc name) RETURNS bytea
	LANGUAGE plpgsql STABLE STRICT PARALLEL UNSAFE COST 1000000
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	ted name := (SELECT nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'ted');
	home name := (SELECT nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'ted_distributed');
	part bytea;
BEGIN
	EXECUTE format('SELECT %I.ted_pack_part(%I::bigint, %I::%I.tree, ''o''::"char") FROM %s', home, id, doc, ted, shard) INTO part;
	RETURN part;
END $$;

/*
 * A table of the documents of each shard, packed by the worker that has it, where they are.
 * NULL where there are no keys that lead to all shards: the table is not distributed by hash,
 * by a column of a type whose values are not made of numbers, or a shard has few hashes;
 * and while shards are moved, beside which Citus makes no such table.
 */
CREATE FUNCTION ted_pack_shards(docs regclass, id name, doc name, schema name) RETURNS text
	LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 1000000
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	home name := (SELECT nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'ted_distributed');
	parts text := format('%I.%I', schema, 'ted_parts_' || pg_backend_pid());
	key name;
	type text;
	shards integer;
	found integer; -- keys
BEGIN
	SELECT column_to_column_name(logicalrelid, partkey) INTO key FROM pg_dist_partition WHERE logicalrelid = docs AND partmethod = 'h';
	SELECT format_type(atttypid, atttypmod) INTO type FROM pg_attribute
	WHERE attrelid = docs AND attname = key AND atttypid IN ('smallint'::regtype, 'integer'::regtype, 'bigint'::regtype,
															 'numeric'::regtype, 'text'::regtype, 'varchar'::regtype, 'uuid'::regtype);
	IF type IS NULL THEN
		RETURN NULL;
	END IF;
	BEGIN
		EXECUTE format('CREATE UNLOGGED TABLE %s AS SELECT %I AS key, NULL::text AS shard, NULL::bytea AS part FROM %s WITH NO DATA', parts, key, docs);
		EXECUTE format('ALTER TABLE %s ALTER part SET STORAGE EXTERNAL', parts);
		PERFORM create_distributed_table(parts::regclass, 'key', colocate_with := docs::text);
	EXCEPTION WHEN internal_error THEN
		IF SQLERRM NOT LIKE 'could not acquire the lock required to colocate %' THEN
			RAISE;
		END IF;
		RETURN NULL;
	END;
	shards := (SELECT count(*) FROM pg_dist_shard WHERE logicalrelid = docs);
	EXECUTE format('INSERT INTO %s (key, shard)
		SELECT DISTINCT ON (shardid) key, shard_name($1, shardid, false)
		FROM (SELECT shardid, shardminvalue::integer AS low, shardmaxvalue::integer AS high FROM pg_dist_shard WHERE logicalrelid = $1) s
		JOIN (SELECT key, worker_hash(key) AS hash
		      FROM generate_series(1, $2) i, LATERAL (SELECT %s::%s AS key) k) h ON hash BETWEEN low AND high',
		parts, CASE type WHEN 'uuid' THEN 'lpad(i::text, 32, ''0'')' ELSE 'i' END, type) USING docs, least(40 * shards, 30000);
	GET DIAGNOSTICS found = ROW_COUNT;
	IF found < shards THEN
		EXECUTE format('DROP TABLE %s', parts);
		RETURN NULL;
	END IF;
	EXECUTE format('INSERT INTO %s (key, part) SELECT key, %I.ted_pack_shard(shard::regclass, %L::name, %L::name) FROM %1$s', parts, home, id, doc);
	RETURN parts;
END $$;

/*
 * The functions that follow make the table of cells in three ways; they return a query for
 * the matches of each key, with columns key, left_id, right_id and measure, or NULL where
 * there is no such way.
 */

/*
 * The workers cut cells by labels out of what they have.  Not where some labels are so
 * frequent that a cell has more than it would have if it were cut by hashes, or a shard
 * has too much for one value.
 */
CREATE FUNCTION ted_cells_by_labels(docs regclass, id name, doc name, max_distance integer, cells integer, workers integer,
									schema name, shard_table text) RETURNS text
	LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 1000000
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	home name := (SELECT nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'ted_distributed');
	parts text;
	counts bytea;
	bytes bigint;
	keys integer[];
	largest bigint;
BEGIN
	EXECUTE format('SELECT %I.ted_pack_shards($1, $2, $3, $4)', home) INTO parts USING docs, id, doc, schema;
	IF parts IS NULL THEN
		RETURN NULL;
	END IF;
	EXECUTE format('SELECT %I.ted_count_labels(part), sum(length(part)) FROM %s', home, parts) INTO counts, bytes;
	EXECUTE format('SELECT %1$I.ted_citus_table($1, $2, %1$I.ted_deal_cells($3, $4))', home) INTO keys
		USING shard_table, 'cell bytea'::text, array_fill(1::float8, ARRAY[cells]), workers;
	EXECUTE format('INSERT INTO %s SELECT (%L::integer[])[cell + 1], cut FROM %s, %I.ted_cut_by_labels(part, %L::bytea, %s, %s)',
				   shard_table, keys, parts, home, counts, cells, max_distance);
	EXECUTE format('SELECT max(n) FROM (SELECT sum(length(cell)) AS n FROM %s GROUP BY key) c', shard_table) INTO largest;
	EXECUTE format('DROP TABLE %s', parts);
	IF largest > bytes * sqrt(2.0 / cells) THEN
		EXECUTE format('DROP TABLE %s', shard_table);
		RETURN NULL;
	END IF;
	RETURN format('SELECT key, (m).* FROM (
		SELECT key, %1$I.ted_unpack_matches(%1$I.tree_join_parts(array_agg(cell), array_position(%2$L::integer[], key) - 1, %3$s, %4$s)) AS m
		FROM %5$s GROUP BY key) j', home, keys, cells, max_distance, shard_table);
EXCEPTION WHEN program_limit_exceeded OR configuration_limit_exceeded THEN
	RETURN NULL;
END $$;

-- This server packs all trees, or gets them packed from workers, and cuts the cells out of that.
CREATE FUNCTION ted_cells_of_packed(docs regclass, id name, doc name, max_distance integer, cells integer, plan text, workers integer,
									shard_table text, others regclass) RETURNS text
	LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 1000000
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	home name := (SELECT nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'ted_distributed');
	packed bytea;
	planned text; -- an array of cells
	costs float8[];
	keys integer[];
BEGIN
	EXECUTE format('SELECT %I.ted_pack_table($1, $2, $3, $4, $5, NULL::%1$I.ted_join_cell)', home) INTO packed
		USING docs, id, doc, 'tree'::text, others;
	IF packed IS NULL THEN
		RETURN NULL;
	END IF;
	EXECUTE format('SELECT array_agg(cell)::text, coalesce(array_agg((cell).cost), ''{}'') FROM (%s) p', plan)
		INTO planned, costs USING cells, packed;
	EXECUTE format('SELECT %1$I.ted_citus_table($1, $2, %1$I.ted_deal_cells($3, $4))', home) INTO keys
		USING shard_table, 'cell bytea'::text, costs, workers;
	EXECUTE format('INSERT INTO %s SELECT key, cell
		FROM ROWS FROM (unnest($1), %I.ted_cut_cells($2, $3::%2$I.ted_join_cell[], $4)) c(key, cell)', shard_table, home)
		USING keys, packed, planned, max_distance;
	RETURN format('SELECT key, (m).* FROM (
		SELECT key, %1$I.ted_unpack_matches(%1$I.tree_join_cell(cell, %2$s)) AS m FROM %3$s) j', home, max_distance, shard_table);
END $$;

-- Rows go from where they are to their cells.
CREATE FUNCTION ted_cells_of_rows(docs regclass, id name, doc name, kind text, threshold text, cells integer, plan text, workers integer,
								  shard_table text, others regclass) RETURNS text
	LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 1000000
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	ted name := (SELECT nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'ted');
	home name := (SELECT nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'ted_distributed');
	type text := CASE kind WHEN 'tree' THEN format('%I.tree', ted) ELSE 'text' END;
	size text := CASE kind WHEN 'tree' THEN format('%I.tree_size', ted) ELSE 'char_length' END;
	planned text; -- an array of cells
	costs float8[];
	keys integer[];
	source regclass;
	side "char" := 'l';
BEGIN
	EXECUTE format('SELECT coalesce(array_agg(cell)::text, ''{}''), coalesce(array_agg((cell).cost), ''{}'') FROM (%s) p', plan)
		INTO planned, costs USING cells, NULL::bytea;
	EXECUTE format('SELECT %1$I.ted_citus_table($1, $2, %1$I.ted_deal_cells($3, $4))', home) INTO keys
		USING shard_table, format('side "char", id bigint, doc %s', type), costs, workers;
	FOREACH source IN ARRAY CASE WHEN others IS NULL THEN ARRAY[docs] ELSE ARRAY[docs, others] END LOOP
		EXECUTE format('INSERT INTO %s
			SELECT key, side, id, doc
			FROM (SELECT (%L::integer[])[c.cell] AS key, d.%I::bigint AS id, d.%I::%s AS doc, %s AS side
			      FROM %s d, unnest(%L::%I.ted_join_cell[]) c) s
			WHERE side IS NOT NULL AND doc IS NOT NULL',
			shard_table, keys, id, doc, type,
			CASE WHEN others IS NULL THEN format('%I.ted_join_side(c, d.%I::bigint, %s(d.%I::%s))', home, id, size, doc, type)
				 ELSE format('%I.ted_grid_side(c, d.%I::bigint, %L::"char")', home, id, side) END,
			source, planned, home);
		side := 'r';
	END LOOP;
	RETURN format('SELECT key, (m).left_id, (m).right_id, (m).%s AS measure
		FROM (SELECT key, unnest(%I.%s(id, doc, %L::%s, side)) AS m FROM %s GROUP BY key) j',
		CASE kind WHEN 'tree' THEN 'distance' ELSE 'similarity' END, ted,
		CASE kind WHEN 'tree' THEN 'tree_within_pairs' ELSE 'lcs_similar_pairs' END, threshold,
		CASE kind WHEN 'tree' THEN 'integer' ELSE 'float8' END, shard_table);
END $$;

/*
 * Joins by the workers of Citus: each cell is a shard of a table, which goes away
 * with this call, or with the transaction if it fails.  The table is in the first schema
 * of the path that is not the system's, or else where the documents are.
 */
CREATE FUNCTION ted_join_by_citus(docs regclass, id name, doc name, kind text, threshold text, cells integer, plan text,
								  path name[], result name, others regclass)
	RETURNS TABLE (left_id bigint, right_id bigint, measure float8)
	LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 1000
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	home name := (SELECT nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'ted_distributed');
	workers integer;
	schema name := coalesce((SELECT name FROM unnest(path) WITH ORDINALITY p(name, i) WHERE name !~ '^pg_' ORDER BY i LIMIT 1),
							(SELECT nspname FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE c.oid = docs));
	shard_table text := format('%I.%I', schema, 'ted_cells_' || pg_backend_pid());
	found text; -- a query for the matches of each key
	matches text;
	memory text := current_setting('work_mem');
	propagated text := current_setting('citus.propagate_set_commands', true);
BEGIN
	IF NOT EXISTS (SELECT FROM pg_dist_object WHERE classid = 'pg_extension'::regclass
				   AND objid = (SELECT oid FROM pg_extension WHERE extname = 'ted_distributed')) THEN
		RAISE EXCEPTION 'workers of Citus have no extension ted_distributed' USING ERRCODE = 'object_not_in_prerequisite_state',
			DETAIL = 'Citus creates only those there that are created after Citus.',
			HINT = 'Run DROP EXTENSION ted_distributed and CREATE EXTENSION ted_distributed.';
	END IF;
	SELECT count(*) INTO workers FROM citus_get_active_worker_nodes();
	-- the tasks sort and join in the memory of this session; Citus does not qualify what is in pg_catalog
	PERFORM set_config('citus.propagate_set_commands', 'local', true);
	EXECUTE format('SET LOCAL work_mem = %L', memory);
	SET LOCAL search_path = pg_catalog, pg_temp;
	cells := coalesce(cells, workers);
	-- with fewer cells, most trees would be in most of them; beyond 6 operations, they have too many rare labels
	IF kind = 'tree' AND others IS NULL AND cells >= 8 AND threshold::integer BETWEEN 0 AND 6 THEN
		EXECUTE format('SELECT %I.ted_cells_by_labels($1, $2, $3, $4, $5, $6, $7, $8)', home) INTO found
			USING docs, id, doc, threshold::integer, cells, workers, schema, shard_table;
	END IF;
	IF kind = 'tree' AND found IS NULL THEN
		EXECUTE format('SELECT %I.ted_cells_of_packed($1, $2, $3, $4, $5, $6, $7, $8, $9)', home) INTO found
			USING docs, id, doc, threshold::integer, cells, plan, workers, shard_table, others;
	END IF;
	IF found IS NULL THEN
		EXECUTE format('SELECT %I.ted_cells_of_rows($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)', home) INTO found
			USING docs, id, doc, kind, threshold, cells, plan, workers, shard_table, others;
	END IF;
	matches := format('SELECT %s %s, measure::%s FROM (%s) s', CASE WHEN result IS NULL THEN '' ELSE 'key,' END,
		CASE WHEN others IS NULL THEN 'least(left_id, right_id), greatest(left_id, right_id)' ELSE 'left_id, right_id' END,
		CASE WHEN result IS NULL OR kind <> 'tree' THEN 'float8' ELSE 'integer' END, found);
	IF result IS NULL THEN
		RETURN QUERY EXECUTE matches;
	ELSE
		EXECUTE format('CREATE TABLE %I.%I (key integer, left_id bigint, right_id bigint, %s)', schema, result,
					   CASE kind WHEN 'tree' THEN 'distance integer' ELSE 'similarity float8' END);
		PERFORM create_distributed_table(format('%I.%I', schema, result)::regclass, 'key', colocate_with := shard_table);
		EXECUTE format('INSERT INTO %I.%I %s', schema, result, matches);
	END IF;
	EXECUTE format('DROP TABLE %s', shard_table);
	-- on the workers
	SET LOCAL search_path TO DEFAULT;
	IF propagated <> 'local' THEN
		SET LOCAL work_mem TO DEFAULT;
		PERFORM set_config('citus.propagate_set_commands', propagated, true), set_config('work_mem', memory, true);
	END IF;
END $$;

/*
 * Checks what a join is called with, before anything is made or sent, and returns the query
 * for its cells, for a number $1 of them, out of packed documents $2 if that is not NULL.
 * Ids are not read where the table itself keeps them apart.
 */
CREATE FUNCTION ted_join_plan(docs regclass, id name, doc name, kind text, threshold text, servers name[], result name, others regclass)
	RETURNS text
	LANGUAGE plpgsql STABLE PARALLEL UNSAFE COST 1000000
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	home name := (SELECT nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'ted_distributed');
	server name;
	source regclass;
	number smallint; -- of the column of ids
	type regtype;
	integral boolean;
	refused bigint; -- id
	times bigint; -- that it occurs
BEGIN
	IF docs IS NULL OR id IS NULL OR doc IS NULL OR threshold IS NULL THEN
		RAISE EXCEPTION 'table, columns and threshold of a similarity join must not be null' USING ERRCODE = 'null_value_not_allowed',
			DETAIL = 'Only the servers, the number of cells, the result and the other table may be null.', HINT = 'Name all of them.';
	ELSIF servers IS NULL AND NOT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') THEN
		RAISE EXCEPTION 'no servers to join by' USING ERRCODE = 'object_not_in_prerequisite_state',
			DETAIL = 'No servers are named, and extension citus is not installed.',
			HINT = 'Name servers of postgres_fdw, or install Citus.';
	ELSIF cardinality(servers) = 0 THEN
		RAISE EXCEPTION 'list of servers is empty' USING ERRCODE = 'invalid_parameter_value',
			DETAIL = 'A join needs at least one server.', HINT = 'Name servers of postgres_fdw, or leave out the list to join by the workers of Citus.';
	ELSIF servers IS NOT NULL AND result IS NOT NULL THEN
		RAISE EXCEPTION 'servers of postgres_fdw leave no result' USING ERRCODE = 'feature_not_supported',
			DETAIL = 'Only workers of Citus keep the pairs that they find.', HINT = 'Insert the rows of the call into a table.';
	ELSIF servers IS NOT NULL AND NOT EXISTS (SELECT FROM pg_extension WHERE extname = 'dblink') THEN
		RAISE EXCEPTION 'extension dblink is not installed' USING ERRCODE = 'object_not_in_prerequisite_state',
			DETAIL = 'Cells of a join are sent through it.', HINT = 'Run CREATE EXTENSION dblink.';
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
	FOREACH source IN ARRAY CASE WHEN others IS NULL THEN ARRAY[docs] ELSE ARRAY[docs, others] END LOOP
		WITH RECURSIVE base AS (
			SELECT attnum, atttypid AS declared, atttypid AS base FROM pg_attribute WHERE attrelid = source AND attname = id
			UNION ALL
			SELECT attnum, declared, typbasetype FROM base JOIN pg_type t ON t.oid = base WHERE typtype = 'd')
		SELECT attnum, declared, bool_or(base IN ('smallint'::regtype, 'integer'::regtype, 'bigint'::regtype))
		INTO number, type, integral FROM base GROUP BY 1, 2;
		IF number IS NULL THEN
			RAISE EXCEPTION 'column "%" does not exist', id USING ERRCODE = 'undefined_column',
				DETAIL = format('Table %s has no such column.', source), HINT = 'Name the column of the ids with the argument "id".';
		ELSIF NOT integral THEN
			RAISE EXCEPTION 'id of a similarity join must be an integer' USING ERRCODE = 'datatype_mismatch',
				DETAIL = format('Column "%s" of table %s is of type %s.', id, source, type),
				HINT = 'Use a column of type smallint, integer or bigint.';
		END IF;
		CONTINUE WHEN EXISTS (
			SELECT FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = indkey[0] JOIN pg_class c ON c.oid = indrelid
			WHERE indrelid = source AND attnum = number AND indnkeyatts = 1 AND indisunique AND indisvalid AND indimmediate
				AND indpred IS NULL AND attnotnull AND (relkind = 'p' OR NOT relhassubclass));
		EXECUTE format('SELECT %1$I, count(*) FROM %2$s WHERE %3$I IS NOT NULL GROUP BY 1 HAVING count(*) > 1 OR %1$I IS NULL LIMIT 1',
					   id, source, doc) INTO refused, times;
		IF refused IS NOT NULL THEN
			RAISE EXCEPTION 'duplicate id % in a similarity join', refused USING ERRCODE = 'cardinality_violation',
				DETAIL = 'An id names one document of a side.', HINT = 'Use a unique column as the id.';
		ELSIF times IS NOT NULL THEN
			RAISE EXCEPTION 'id of a similarity join must not be null' USING ERRCODE = 'null_value_not_allowed',
				DETAIL = 'Only a document may be null; it is skipped.', HINT = 'Leave out such rows by a view.';
		END IF;
	END LOOP;
	RETURN CASE
		WHEN others IS NOT NULL
		THEN format('SELECT c AS cell FROM %I.ted_table_grid(%L::regclass, %L::regclass, $1) c', home, docs::oid, others::oid)
		WHEN kind = 'tree'
		THEN format('SELECT c AS cell FROM %I.ted_table_cells(%L::regclass, %L::name, ''tree''::text, $2, 1::float8, %L::float8, $1) c ORDER BY cost DESC',
					home, docs::oid, doc, greatest(threshold::integer, 0))
		ELSE format('SELECT c AS cell FROM %I.ted_join_cells(%L::regclass, %L::name, %L::float8, $1) c ORDER BY cost DESC',
					home, docs::oid, doc, threshold)
	END;
END $$;

-- by the servers that are named, or else by the workers of Citus
CREATE FUNCTION tree_within_pairs_distributed(
	docs regclass, max_distance integer, servers name[] DEFAULT NULL, id name DEFAULT 'id', doc name DEFAULT 'doc',
	cells integer DEFAULT NULL, result name DEFAULT NULL, others regclass DEFAULT NULL)
	RETURNS SETOF tree_match
	LANGUAGE sql VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 1000
	BEGIN ATOMIC
		SELECT left_id, right_id, measure::integer
		FROM ted_join_plan(docs, id, doc, 'tree'::text, max_distance::text, servers, result, others) AS plan,
			 LATERAL (
				SELECT * FROM ted_join_by_servers(docs, id, doc, 'tree'::text, max_distance::text, servers, cells, plan, others)
				WHERE servers IS NOT NULL
				UNION ALL
				SELECT * FROM ted_join_by_citus(docs, id, doc, 'tree'::text, max_distance::text, cells, plan, current_schemas(false), result, others)
				WHERE servers IS NULL) j;
	END;
CREATE FUNCTION lcs_similar_pairs_distributed(
	docs regclass, min_similarity float8, servers name[] DEFAULT NULL, id name DEFAULT 'id', doc name DEFAULT 'doc',
	cells integer DEFAULT NULL, result name DEFAULT NULL, others regclass DEFAULT NULL)
	RETURNS SETOF lcs_match
	LANGUAGE sql VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 1000
	BEGIN ATOMIC
		SELECT left_id, right_id, measure
		FROM ted_join_plan(docs, id, doc, 'text'::text, min_similarity::text, servers, result, others) AS plan,
			 LATERAL (
				SELECT * FROM ted_join_by_servers(docs, id, doc, 'text'::text, min_similarity::text, servers, cells, plan, others)
				WHERE servers IS NOT NULL
				UNION ALL
				SELECT * FROM ted_join_by_citus(docs, id, doc, 'text'::text, min_similarity::text, cells, plan, current_schemas(false), result, others)
				WHERE servers IS NULL) j;
	END;

COMMENT ON FUNCTION ted_plan_cells(integer[], bigint[], float8, float8, integer) IS 'internal: cells of a self-join, by the sizes of its documents';
COMMENT ON FUNCTION ted_join_side(ted_join_cell, bigint, integer) IS 'internal: the side of a document in a cell, NULL where it is not in it';
COMMENT ON FUNCTION ted_grid_cells(bigint, bigint, integer) IS 'internal: cells of a join of two tables, by the numbers of their documents';
COMMENT ON FUNCTION ted_grid_side(ted_join_cell, bigint, "char") IS 'internal: the side of a document of a table in a cell, NULL where it is not in it';
COMMENT ON FUNCTION ted_table_grid(regclass, regclass, integer) IS 'internal: cells of a join of two tables';
COMMENT ON FUNCTION ted_packed_sizes(bytea) IS 'internal: how many of some packed documents have each size';
COMMENT ON FUNCTION ted_table_cells(regclass, name, text, bytea, float8, float8, integer) IS 'internal: cells of a self-join of a table';
COMMENT ON FUNCTION ted_join_cells(regclass, name, integer, integer) IS 'internal: cells of a self-join of trees at most max_distance apart';
COMMENT ON FUNCTION ted_join_cells(regclass, name, float8, integer) IS 'internal: cells of a self-join of texts with a similarity of at least min_similarity';
COMMENT ON FUNCTION tree_pack_cell_transfn(bytea, bigint, tree, "char") IS 'internal: aggregate transition function';
COMMENT ON FUNCTION lcs_pack_cell_transfn(bytea, bigint, text, "char") IS 'internal: aggregate transition function';
COMMENT ON FUNCTION ted_pack_cell_combine(bytea, bytea) IS 'internal: aggregate combine function';
COMMENT ON FUNCTION ted_pack_cell_finalfn(bytea) IS 'internal: aggregate final function';
COMMENT ON AGGREGATE ted_pack_cell(bigint, tree, "char") IS 'internal: the trees of a cell as one value';
COMMENT ON AGGREGATE ted_pack_cell(bigint, text, "char") IS 'internal: the texts of a cell as one value';
COMMENT ON FUNCTION ted_cut_cells(bytea, ted_join_cell[], integer) IS 'internal: the documents of each cell, out of packed ones';
COMMENT ON FUNCTION tree_join_cell(bytea, integer) IS 'internal: all pairs of trees of a cell at most max_distance apart, as one value';
COMMENT ON FUNCTION lcs_join_cell(bytea, float8) IS 'internal: all pairs of texts of a cell with a similarity of at least min_similarity, as one value';
COMMENT ON AGGREGATE ted_pack_part(bigint, tree, "char") IS 'internal: part of the trees of a join as one value, with their labels';
COMMENT ON FUNCTION ted_count_labels_transfn(bytea, bytea) IS 'internal: aggregate transition function';
COMMENT ON FUNCTION ted_count_labels_combine(bytea, bytea) IS 'internal: aggregate combine function';
COMMENT ON AGGREGATE ted_count_labels(bytea) IS 'internal: in how many trees labels occur, by their hashes';
COMMENT ON FUNCTION ted_cut_by_labels(bytea, bytea, integer, integer) IS 'internal: what a part has of each cell by labels';
COMMENT ON FUNCTION tree_join_parts(bytea[], integer, integer, integer) IS 'internal: all pairs of trees of a cell by labels at most max_distance apart, as one value';
COMMENT ON FUNCTION ted_pack_shard(regclass, name, name) IS 'internal: the trees of a shard as one value, with their labels';
COMMENT ON FUNCTION ted_pack_shards(regclass, name, name, name) IS 'internal: makes a table of the packed trees of each shard';
COMMENT ON FUNCTION ted_unpack_matches(bytea) IS 'internal: the matches that a cell has returned';
COMMENT ON FUNCTION ted_pack_table(regclass, name, name, text, regclass, ted_join_cell) IS 'internal: the documents of a table, or of two, or of a cell of these, as one value';
COMMENT ON FUNCTION ted_join_plan(regclass, name, name, text, text, name[], name, regclass) IS 'internal: checks what a join is called with, and returns the query for its cells';
COMMENT ON FUNCTION ted_join_by_servers(regclass, name, name, text, text, name[], integer, text, regclass) IS 'internal: joins by servers of postgres_fdw, cell by cell';
COMMENT ON FUNCTION ted_deal_cells(float8[], integer) IS 'internal: for each cell the number of a worker';
COMMENT ON FUNCTION ted_citus_table(text, text, integer[]) IS 'internal: makes a table with a shard for each cell, and returns the keys that lead to them';
COMMENT ON FUNCTION ted_cells_by_labels(regclass, name, name, integer, integer, integer, name, text) IS 'internal: has workers of Citus cut cells by labels out of the trees that they have';
COMMENT ON FUNCTION ted_cells_of_packed(regclass, name, name, integer, integer, text, integer, text, regclass) IS 'internal: cuts cells out of all trees, and sends them to workers of Citus';
COMMENT ON FUNCTION ted_cells_of_rows(regclass, name, name, text, text, integer, text, integer, text, regclass) IS 'internal: sends documents to their cells on workers of Citus';
COMMENT ON FUNCTION ted_join_by_citus(regclass, name, name, text, text, integer, text, name[], name, regclass) IS 'internal: joins by workers of Citus, cell by cell';
COMMENT ON FUNCTION tree_within_pairs_distributed(regclass, integer, name[], name, name, integer, name, regclass) IS 'all pairs of trees of a table, or of two, at most max_distance apart, found by servers of postgres_fdw or workers of Citus';
COMMENT ON FUNCTION lcs_similar_pairs_distributed(regclass, float8, name[], name, name, integer, name, regclass) IS 'all pairs of texts of a table, or of two, with a similarity of at least min_similarity, found by servers of postgres_fdw or workers of Citus';

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
