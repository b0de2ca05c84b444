-- Joins over several servers

CREATE TYPE ted_join_cell AS (
	cell integer, low integer, high integer, reach integer, parts integer, part integer, other_parts integer, other integer,
	own boolean, crosses boolean, documents bigint, cost float8
);

COMMENT ON TYPE ted_join_cell IS 'a cell of a join, which has some of the documents and finds some of the pairs';

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
	BEGIN ATOMIC
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
		FROM priced JOIN best USING (slabs);
	END;

CREATE FUNCTION ted_join_side(cell ted_join_cell, id bigint, size integer) RETURNS "char"
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;

-- The cells of a join of two tables: a grid, of a part of the one and a part of the other each, with the fewest documents.
CREATE FUNCTION ted_grid_cells(left_documents bigint, right_documents bigint, cells integer)
	RETURNS SETOF ted_join_cell
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000 ROWS 10
	BEGIN ATOMIC
		SELECT row_number() OVER ()::integer, 0, 2147483647, 2147483647, p, i, q, j, false, true, documents::bigint,
			   documents + left_documents::float8 / p * right_documents / q / 1000
		FROM (SELECT p, cells / p AS q, left_documents::float8 / p + right_documents::float8 / (cells / p) AS documents
			  FROM generate_series(1, cells) p ORDER BY 3, 1 LIMIT 1) grid,
			 generate_series(0, p - 1) i, generate_series(0, q - 1) j;
	END;

CREATE FUNCTION ted_grid_side(cell ted_join_cell, id bigint, side "char") RETURNS "char"
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;

CREATE FUNCTION ted_packed_sizes(documents bytea, OUT size integer, OUT n bigint) RETURNS SETOF record
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000 ROWS 100;

-- the functions that follow are in PL/pgSQL, and look up by themselves where the extension is; packed documents need not be read again
CREATE FUNCTION ted_table_cells(docs regclass, doc name, kind text, packed bytea, grow float8, shift float8, cells integer)
	RETURNS SETOF ted_join_cell
	LANGUAGE plpgsql STABLE PARALLEL UNSAFE COST 1000000 ROWS 10
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	ted name := (SELECT nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'ted');
BEGIN
	IF cells < 1 THEN
		RAISE EXCEPTION 'number of cells must be positive' USING ERRCODE = 'invalid_parameter_value',
			DETAIL = format('The number of cells is %s.', cells), HINT = 'Use at least one cell.';
	END IF;
	RETURN QUERY EXECUTE format(
		'SELECT c.* FROM (SELECT array_agg(size ORDER BY size) AS sizes, array_agg(n ORDER BY size) AS counts FROM (%s) s) h,
		              LATERAL %I.ted_plan_cells(sizes, counts, $1, $2, $3) c',
		CASE WHEN packed IS NULL
			 THEN format('SELECT %1$s(%2$I) AS size, count(*) AS n FROM %3$s WHERE %2$I IS NOT NULL GROUP BY 1',
						 CASE kind WHEN 'tree' THEN format('%I.tree_size', ted) ELSE 'char_length' END, doc, docs)
			 ELSE format('SELECT size, sum(n)::bigint AS n FROM %I.ted_packed_sizes($4) GROUP BY 1', ted) END, ted)
		USING grow, shift, cells, packed;
END $$;
CREATE FUNCTION ted_table_grid(docs regclass, others regclass, cells integer)
	RETURNS SETOF ted_join_cell
	LANGUAGE plpgsql STABLE STRICT PARALLEL UNSAFE COST 1000000 ROWS 10
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	ted name := (SELECT nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'ted');
BEGIN
	IF cells < 1 THEN
		RAISE EXCEPTION 'number of cells must be positive' USING ERRCODE = 'invalid_parameter_value',
			DETAIL = format('The number of cells is %s.', cells), HINT = 'Use at least one cell.';
	END IF;
	RETURN QUERY EXECUTE format('SELECT * FROM %I.ted_grid_cells((SELECT count(*) FROM %s), (SELECT count(*) FROM %s), $1)',
								ted, docs, others) USING cells;
END $$;
CREATE FUNCTION ted_join_cells(docs regclass, doc name, max_distance integer, cells integer)
	RETURNS SETOF ted_join_cell
	LANGUAGE sql STABLE STRICT PARALLEL UNSAFE COST 1000000 ROWS 10
	BEGIN ATOMIC
		SELECT * FROM ted_table_cells(docs, doc, 'tree', NULL, 1, greatest(max_distance, 0), cells);
	END;
CREATE FUNCTION ted_join_cells(docs regclass, doc name, min_similarity float8, cells integer)
	RETURNS SETOF ted_join_cell
	LANGUAGE sql STABLE STRICT PARALLEL UNSAFE COST 1000000 ROWS 10
	BEGIN ATOMIC
		SELECT * FROM ted_table_cells(docs, doc, 'text', NULL,
			CASE WHEN min_similarity > 1e-9 THEN greatest(1, (2 - min_similarity) / min_similarity) ELSE 1 END,
			CASE WHEN min_similarity > 1e-9 THEN 1 ELSE 2147483647 END, cells);
	END;

-- what travels between servers: the documents of a cell, and its matches
CREATE FUNCTION tree_pack_cell_transfn(bytea, bigint, tree, "char") RETURNS bytea
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 50;
CREATE FUNCTION lcs_pack_cell_transfn(bytea, bigint, text, "char") RETURNS bytea
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10;
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
	size text := CASE kind WHEN 'tree' THEN 'tree_size' ELSE 'char_length' END;
	rows text := format('SELECT %I::bigint AS id, %I::%s AS doc', id, doc, kind);
	packed bytea;
BEGIN
	PERFORM set_config('search_path', format('pg_catalog, %I, pg_temp', ted), true);
	EXECUTE format('SELECT ted_pack_cell(id, doc, %s) FROM (%s) d',
		CASE WHEN cell IS NULL THEN 'side' WHEN others IS NULL THEN format('ted_join_side($1, id, %s(doc))', size)
			 ELSE 'ted_grid_side($1, id, side)' END,
		CASE WHEN others IS NULL THEN format('%s, ''o''::"char" AS side FROM %s', rows, docs)
			 ELSE format('%1$s, ''l''::"char" AS side FROM %2$s UNION ALL %1$s, ''r'' FROM %3$s', rows, docs, others) END)
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
 */
CREATE FUNCTION ted_join_by_servers(docs regclass, id name, doc name, kind text, threshold text, servers name[],
									cells integer, plan text, result name, others regclass)
	RETURNS TABLE (left_id bigint, right_id bigint, measure float8)
	LANGUAGE plpgsql STABLE PARALLEL UNSAFE COST 1000000 ROWS 1000
	SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
	ted name := (SELECT nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'ted');
	dblink name := (SELECT nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'dblink');
	remote name; -- where a server has the extension
	connections text[] := '{}';
	connection text;
	path text;
	functions text[] := '{}';
	busy boolean[] := array_fill(false, ARRAY[cardinality(servers)]);
	planned refcursor;
	packed bytea; -- all documents, or NULL where these are too many for one value
	documents bytea; -- of a cell
	matches bytea;
BEGIN
	IF result IS NOT NULL THEN
		RAISE EXCEPTION 'servers of postgres_fdw leave no result' USING ERRCODE = 'feature_not_supported',
			DETAIL = 'Only workers of Citus keep the pairs that they find.', HINT = 'Insert the rows of the call into a table.';
	END IF;
	IF dblink IS NULL THEN
		RAISE EXCEPTION 'extension dblink is not installed' USING ERRCODE = 'object_not_in_prerequisite_state',
			DETAIL = 'Cells of a join are sent through it.', HINT = 'Run CREATE EXTENSION dblink.';
	END IF;
	path := format('pg_catalog, %I, %I, pg_temp', ted, dblink);
	PERFORM set_config('search_path', path, true);
	FOR i IN 1 .. cardinality(servers) LOOP
		connection := format('ted join %s', i);
		PERFORM dblink_connect(connection, servers[i]::text);
		connections := connections || connection;
		SELECT * INTO STRICT remote FROM dblink(connection,
			'SELECT nspname FROM pg_catalog.pg_extension e JOIN pg_catalog.pg_namespace n ON n.oid = extnamespace
			 WHERE extname = ''ted''') AS t(name name);
		functions := functions || format('%I.%I', remote, CASE kind WHEN 'tree' THEN 'tree_join_cell' ELSE 'lcs_join_cell' END);
	END LOOP;

	packed := ted_pack_table(docs, id, doc, kind, others, NULL);
	IF packed IS NOT NULL THEN
		OPEN planned FOR EXECUTE format('SELECT ted_cut_cells($2, (SELECT array_agg(cell) FROM (%s) p), %s)',
										plan, quote_nullable(CASE kind WHEN 'tree' THEN threshold END))
			USING coalesce(cells, cardinality(servers)), packed;
	ELSE
		OPEN planned FOR EXECUTE format('SELECT ted_pack_table($3, $4, $5, $6, $7, cell) FROM (%s) p', plan)
			USING coalesce(cells, cardinality(servers)), packed, docs, id, doc, kind, others;
	END IF;
	LOOP
		FOR i IN 1 .. cardinality(servers) LOOP
			connection := connections[i];
			IF busy[i] THEN
				CONTINUE WHEN dblink_is_busy(connection) = 1;
				SELECT * INTO matches FROM dblink_get_result(connection) AS t(matches bytea);
				PERFORM * FROM dblink_get_result(connection) AS t(matches bytea);
				RETURN QUERY SELECT CASE WHEN others IS NULL AND left_id > right_id THEN right_id ELSE left_id END,
						CASE WHEN others IS NULL AND left_id > right_id THEN left_id ELSE right_id END, measure
					FROM ted_unpack_matches(matches);
			END IF;
			FETCH planned INTO documents;
			busy[i] := FOUND;
			IF FOUND THEN
				PERFORM dblink_send_query(connection, format('SELECT %s(decode(''', functions[i])
					|| encode(documents, 'base64') || format(''', ''base64''), %L)', threshold));
			END IF;
		END LOOP;
		EXIT WHEN NOT true = ANY (busy);
		PERFORM pg_sleep(0.002);
	END LOOP;
	FOREACH connection IN ARRAY connections LOOP
		PERFORM dblink_disconnect(connection);
	END LOOP;
EXCEPTION WHEN query_canceled OR assert_failure OR others THEN
	PERFORM set_config('search_path', path, true);
	FOREACH connection IN ARRAY connections LOOP
		PERFORM dblink_cancel_query(connection);
		PERFORM dblink_disconnect(connection);
	END LOOP;
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

-- For each cell a key that leads to a shard of its own on the worker with this number.
CREATE FUNCTION ted_citus_keys(shard_table regclass, dealt integer[]) RETURNS integer[]
	LANGUAGE plpgsql STABLE STRICT PARALLEL UNSAFE COST 1000000
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	keys integer[];
BEGIN
	WITH shard AS (
		SELECT shardid, dense_rank() OVER (ORDER BY groupid) AS worker,
			   row_number() OVER (PARTITION BY groupid ORDER BY shardid) AS number,
			   shardminvalue::integer AS low, shardmaxvalue::integer AS high
		FROM pg_dist_shard JOIN pg_dist_placement USING (shardid) WHERE logicalrelid = shard_table),
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

/*
 * Joins by the workers of Citus: each cell is a shard of a table, which goes away
 * with this call, or with the transaction if it fails.
 */
CREATE FUNCTION ted_join_by_citus(docs regclass, id name, doc name, kind text, threshold text, cells integer, plan text,
								  schema name, result name, others regclass)
	RETURNS TABLE (left_id bigint, right_id bigint, measure float8)
	LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 1000
	SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
	ted name := (SELECT nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'ted');
	measure text := CASE kind WHEN 'tree' THEN 'distance' ELSE 'similarity' END;
	type text := CASE kind WHEN 'tree' THEN format('%I.tree', ted) ELSE 'text' END;
	size text := CASE kind WHEN 'tree' THEN format('%I.tree_size', ted) ELSE 'char_length' END;
	workers integer;
	planned text; -- an array of cells
	costs float8[];
	dealt integer[];
	shards integer;
	shard_table text := format('%I.%I', schema, 'ted_cells_' || pg_backend_pid());
	keys integer[];
	packed bytea; -- all documents, or NULL where these are too many for one value
	source regclass;
	side "char" := 'l';
	joined text; -- a query for the matches of each key
	matches text;
BEGIN
	IF NOT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') THEN
		RAISE EXCEPTION 'no servers to join by' USING ERRCODE = 'object_not_in_prerequisite_state',
			DETAIL = 'No servers are named, and extension citus is not installed.',
			HINT = 'Name servers of postgres_fdw, or install Citus.';
	END IF;
	SELECT count(*) INTO workers FROM citus_get_active_worker_nodes();
	PERFORM set_config('search_path', format('pg_catalog, %I, pg_temp', ted), true);
	IF kind = 'tree' THEN
		packed := ted_pack_table(docs, id, doc, kind, others, NULL);
	END IF;
	EXECUTE format('SELECT array_agg(cell)::text, array_agg((cell).cost) FROM (%s) p', plan)
		INTO planned, costs USING coalesce(cells, workers), packed;
	dealt := ted_deal_cells(costs, workers);
	SELECT max(n) * workers INTO shards FROM (SELECT count(*) AS n FROM unnest(dealt) worker GROUP BY worker) c;

	-- the tasks sort and join in the memory of this session
	PERFORM set_config('citus.propagate_set_commands', 'local', true);
	EXECUTE format('SET LOCAL work_mem = %L', current_setting('work_mem'));
	EXECUTE format('CREATE UNLOGGED TABLE %s (key integer, %s)', shard_table,
				   CASE WHEN packed IS NULL THEN format('side "char", id bigint, doc %s', type) ELSE 'cell bytea' END);
	EXECUTE format('ALTER TABLE %s ALTER %I SET STORAGE EXTERNAL', shard_table, CASE WHEN packed IS NULL THEN 'doc' ELSE 'cell' END);
	PERFORM create_distributed_table(shard_table::regclass, 'key', colocate_with := 'none',
									 shard_count := greatest(shards, 1));
	keys := ted_citus_keys(shard_table::regclass, dealt);
	IF packed IS NOT NULL AND planned IS NOT NULL THEN
		EXECUTE format('INSERT INTO %s SELECT key, cell
			FROM ROWS FROM (unnest($1), %I.ted_cut_cells($2, $3::%2$I.ted_join_cell[], $4)) c(key, cell)', shard_table, ted)
			USING keys, packed, planned, threshold::integer;
	ELSIF planned IS NOT NULL THEN
		FOREACH source IN ARRAY CASE WHEN others IS NULL THEN ARRAY[docs] ELSE ARRAY[docs, others] END LOOP
			EXECUTE format('INSERT INTO %s
				SELECT key, side, id, doc
				FROM (SELECT (%L::integer[])[c.cell] AS key, d.%I::bigint AS id, d.%I::%s AS doc, %s AS side
				      FROM %s d, unnest(%L::%I.ted_join_cell[]) c) s
				WHERE side IS NOT NULL AND doc IS NOT NULL',
				shard_table, keys, id, doc, type,
				CASE WHEN others IS NULL THEN format('%I.ted_join_side(c, d.%I::bigint, %s(d.%I::%s))', ted, id, size, doc, type)
					 ELSE format('%I.ted_grid_side(c, d.%I::bigint, %L)', ted, id, side) END,
				source, planned, ted);
			side := 'r';
		END LOOP;
	END IF;
	joined := CASE WHEN packed IS NULL
		THEN format('SELECT key, unnest(found) AS m FROM (SELECT key, %I.%s(id, doc, %L, side) AS found FROM %s GROUP BY key) j',
					ted, CASE kind WHEN 'tree' THEN 'tree_similarity_join' ELSE 'lcs_similarity_join' END, threshold, shard_table)
		ELSE format('SELECT key, %1$I.ted_unpack_matches(found) AS m FROM (SELECT key, %1$I.tree_join_cell(cell, %2$L) AS found FROM %3$s) j',
					ted, threshold, shard_table) END;
	matches := format('SELECT %s %s, (m).%s::%s FROM (%s) s', CASE WHEN result IS NULL THEN '' ELSE 'key,' END,
		CASE WHEN others IS NULL THEN 'least((m).left_id, (m).right_id), greatest((m).left_id, (m).right_id)'
			 ELSE '(m).left_id, (m).right_id' END,
		CASE WHEN packed IS NULL THEN measure ELSE 'measure' END,
		CASE WHEN result IS NULL OR kind <> 'tree' THEN 'float8' ELSE 'integer' END, joined);
	IF result IS NULL THEN
		RETURN QUERY EXECUTE matches;
	ELSE
		EXECUTE format('CREATE TABLE %I.%I (key integer, left_id bigint, right_id bigint, %s %s)', schema, result,
					   measure, CASE kind WHEN 'tree' THEN 'integer' ELSE 'float8' END);
		PERFORM create_distributed_table(format('%I.%I', schema, result)::regclass, 'key', colocate_with := shard_table);
		EXECUTE format('INSERT INTO %I.%I %s', schema, result, matches);
	END IF;
	EXECUTE format('DROP TABLE %s', shard_table);
END $$;

-- by the servers that are named, or else by the workers of Citus
CREATE FUNCTION tree_similarity_join_distributed(
	docs regclass, max_distance integer, servers name[] DEFAULT NULL, id name DEFAULT 'id', doc name DEFAULT 'doc',
	cells integer DEFAULT NULL, result name DEFAULT NULL, others regclass DEFAULT NULL)
	RETURNS SETOF tree_match
	LANGUAGE sql VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 1000
	BEGIN ATOMIC
		SELECT left_id, right_id, measure::integer
		FROM (SELECT CASE WHEN others IS NULL
					 THEN format('SELECT c AS cell FROM ted_table_cells(%L, %L, ''tree'', $2, 1, greatest(%s, 0), $1) c ORDER BY cost DESC',
								 docs::oid, doc, max_distance)
					 ELSE format('SELECT c AS cell FROM ted_table_grid(%L, %L, $1) c', docs::oid, others::oid) END AS plan) p,
			 LATERAL (
				SELECT * FROM ted_join_by_servers(docs, id, doc, 'tree', max_distance::text, servers, cells, plan, result, others)
				WHERE servers IS NOT NULL
				UNION ALL
				SELECT * FROM ted_join_by_citus(docs, id, doc, 'tree', max_distance::text, cells, plan, current_schema(), result, others)
				WHERE servers IS NULL) j;
	END;
CREATE FUNCTION lcs_similarity_join_distributed(
	docs regclass, min_similarity float8, servers name[] DEFAULT NULL, id name DEFAULT 'id', doc name DEFAULT 'doc',
	cells integer DEFAULT NULL, result name DEFAULT NULL, others regclass DEFAULT NULL)
	RETURNS SETOF string_match
	LANGUAGE sql VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 1000
	BEGIN ATOMIC
		SELECT left_id, right_id, measure
		FROM (SELECT CASE WHEN others IS NULL
					 THEN format('SELECT c AS cell FROM ted_join_cells(%L, %L, %L::float8, $1) c ORDER BY cost DESC', docs::oid, doc, min_similarity)
					 ELSE format('SELECT c AS cell FROM ted_table_grid(%L, %L, $1) c', docs::oid, others::oid) END AS plan) p,
			 LATERAL (
				SELECT * FROM ted_join_by_servers(docs, id, doc, 'text', min_similarity::text, servers, cells, plan, result, others)
				WHERE servers IS NOT NULL
				UNION ALL
				SELECT * FROM ted_join_by_citus(docs, id, doc, 'text', min_similarity::text, cells, plan, current_schema(), result, others)
				WHERE servers IS NULL) j;
	END;

COMMENT ON FUNCTION ted_plan_cells(integer[], bigint[], float8, float8, integer) IS 'cells of a self-join, by the sizes of its documents';
COMMENT ON FUNCTION ted_join_side(ted_join_cell, bigint, integer) IS 'the side of a document in a cell, NULL where it is not in it';
COMMENT ON FUNCTION ted_grid_cells(bigint, bigint, integer) IS 'cells of a join of two tables, by the numbers of their documents';
COMMENT ON FUNCTION ted_grid_side(ted_join_cell, bigint, "char") IS 'the side of a document of a table in a cell, NULL where it is not in it';
COMMENT ON FUNCTION ted_table_grid(regclass, regclass, integer) IS 'cells of a join of two tables';
COMMENT ON FUNCTION ted_packed_sizes(bytea) IS 'how many of some packed documents have each size';
COMMENT ON FUNCTION ted_table_cells(regclass, name, text, bytea, float8, float8, integer) IS 'cells of a self-join of a table';
COMMENT ON FUNCTION ted_join_cells(regclass, name, integer, integer) IS 'cells of a self-join of trees at most max_distance apart';
COMMENT ON FUNCTION ted_join_cells(regclass, name, float8, integer) IS 'cells of a self-join of texts with a similarity of at least min_similarity';
COMMENT ON FUNCTION tree_pack_cell_transfn(bytea, bigint, tree, "char") IS 'aggregate transition function';
COMMENT ON FUNCTION lcs_pack_cell_transfn(bytea, bigint, text, "char") IS 'aggregate transition function';
COMMENT ON FUNCTION ted_pack_cell_combine(bytea, bytea) IS 'aggregate combine function';
COMMENT ON FUNCTION ted_pack_cell_finalfn(bytea) IS 'aggregate final function';
COMMENT ON AGGREGATE ted_pack_cell(bigint, tree, "char") IS 'the trees of a cell as one value';
COMMENT ON AGGREGATE ted_pack_cell(bigint, text, "char") IS 'the texts of a cell as one value';
COMMENT ON FUNCTION ted_cut_cells(bytea, ted_join_cell[], integer) IS 'the documents of each cell, out of packed ones';
COMMENT ON FUNCTION tree_join_cell(bytea, integer) IS 'all pairs of trees of a cell at most max_distance apart, as one value';
COMMENT ON FUNCTION lcs_join_cell(bytea, float8) IS 'all pairs of texts of a cell with a similarity of at least min_similarity, as one value';
COMMENT ON FUNCTION ted_unpack_matches(bytea) IS 'the matches that a cell has returned';
COMMENT ON FUNCTION ted_pack_table(regclass, name, name, text, regclass, ted_join_cell) IS 'the documents of a table, or of two, or of a cell of these, as one value';
COMMENT ON FUNCTION ted_join_by_servers(regclass, name, name, text, text, name[], integer, text, name, regclass) IS 'joins by servers of postgres_fdw, cell by cell';
COMMENT ON FUNCTION ted_deal_cells(float8[], integer) IS 'for each cell the number of a worker';
COMMENT ON FUNCTION ted_citus_keys(regclass, integer[]) IS 'for each cell a key that leads to a shard of its worker';
COMMENT ON FUNCTION ted_join_by_citus(regclass, name, name, text, text, integer, text, name, name, regclass) IS 'joins by workers of Citus, cell by cell';
COMMENT ON FUNCTION tree_similarity_join_distributed(regclass, integer, name[], name, name, integer, name, regclass) IS 'all pairs of trees of a table, or of two, at most max_distance apart, found by servers of postgres_fdw or workers of Citus';
COMMENT ON FUNCTION lcs_similarity_join_distributed(regclass, float8, name[], name, name, integer, name, regclass) IS 'all pairs of texts of a table, or of two, with a similarity of at least min_similarity, found by servers of postgres_fdw or workers of Citus';
