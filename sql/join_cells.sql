-- Cells of joins over several servers

SET jit = off;

CREATE TABLE cell_docs AS
SELECT i AS id, ('{r{n' || i % 14 || '}{m' || i % 9 || '{ä' || i % 11 || '}}{' || repeat('x', i % 3) || '}' || repeat('{y}', i % 23) || '}')::tree AS doc
FROM generate_series(1, 150) i;
INSERT INTO cell_docs VALUES (0, NULL), (-1, '{a}'), (-2, '{b}'), (-3, '{}'), (-4, '{r{x}{x}{x}{x}{x}{x}{x}{x}}'), (-5, '{r{x}{x}{x}{x}{x}{x}{x}}'),
	(-6, ('{a' || repeat('{b}', 500) || '}')::tree), (-7, '{a{b}}'), (-8, '{c{d}{e}}'), (-9, '{u1{u2}{u3}{u4}{u5}{u6}{u7}{u8}{u9}{v0}{v1}{v2}}');
INSERT INTO cell_docs SELECT -100 - id, doc FROM cell_docs WHERE id % 5 = 0;
CREATE TABLE cell_texts AS SELECT id, left(md5((id / 4)::text) || md5(id::text), 3 + abs(id) % 40) AS doc FROM cell_docs;

-- counts of several servers
SELECT ted_label_counts_combine(a.counts, b.counts) = c.counts AS added, ted_label_counts_combine(NULL, c.counts) = c.counts AS begun
FROM (SELECT ted_label_counts(doc) AS counts FROM cell_docs WHERE id < 50) a, (SELECT ted_label_counts(doc) AS counts FROM cell_docs WHERE id >= 50) b,
	(SELECT ted_label_counts(doc) AS counts FROM cell_docs) c;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SELECT bool_or(line LIKE '%Partial Aggregate%') AS in_parts FROM explain('SELECT ted_label_counts(doc) FROM cell_docs') line;
RESET min_parallel_table_scan_size;
RESET parallel_tuple_cost;
RESET parallel_setup_cost;

-- all steps, each home, owner and cell by itself, in one table of packets; `right_query` is that of another table
CREATE TABLE packets OF ted_packet;
CREATE FUNCTION send_cells(kind text, threshold float8, homes integer, owners integer, left_query text, right_query text DEFAULT NULL) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	least integer[] := array(SELECT -2147483648 + i * (4294967296 / homes) FROM generate_series(0, homes - 1) i);
	counts bytea := (SELECT ted_label_counts(doc) FROM cell_docs WHERE kind = 'tree');
	plan bytea;
BEGIN
	TRUNCATE packets;
	INSERT INTO packets SELECT * FROM ted_read_documents(left_query, 0, least, counts, owners, kind, threshold);
	IF right_query IS NOT NULL THEN
		INSERT INTO packets SELECT * FROM ted_read_documents(right_query, 1, least, counts, owners, kind, threshold);
	END IF;
	INSERT INTO packets SELECT a.* FROM (SELECT ted_find_shared(step, number, sender, seq, packed, homes) AS answers FROM packets WHERE step = 'o' GROUP BY number) g, unnest(answers) a;
	INSERT INTO packets SELECT a.* FROM (SELECT ted_least_keys(step, number, sender, seq, packed, owners) AS answers FROM packets WHERE step IN ('k', 's') GROUP BY number) g, unnest(answers) a;
	INSERT INTO packets SELECT a.* FROM (SELECT ted_values(step, number, sender, seq, packed, homes) AS answers FROM packets WHERE step IN ('g', 'l') GROUP BY number) g, unnest(answers) a;
	INSERT INTO packets SELECT a.* FROM (SELECT ted_document_values(step, number, sender, seq, packed, owners) AS answers FROM packets WHERE step IN ('k', 's', 'v') GROUP BY number) g, unnest(answers) a;
	SELECT ted_plan_cells(step, (right_query IS NOT NULL)::integer, sender, seq, packed, owners, kind, threshold) INTO plan FROM packets WHERE step IN ('z', 'h');
	INSERT INTO packets SELECT a.* FROM packets d LEFT JOIN packets v ON v.step = 'c' AND v.number = d.number AND v.seq = d.seq,
		ted_send_documents(d.packed, v.packed, plan, d.number, d.seq) a WHERE d.step = 'd';
END $$;
CREATE FUNCTION joined(kind text, threshold float8, homes integer, owners integer, left_query text, right_query text DEFAULT NULL) RETURNS TABLE (left_id integer, right_id integer, measure float8) LANGUAGE plpgsql AS $$
BEGIN
	PERFORM send_cells(kind, threshold, homes, owners, left_query, right_query);
	RETURN QUERY SELECT p.* FROM (SELECT ted_join_cell(packed, sender, kind, threshold, number, homes, right_query IS NULL, 'integer', NULL) AS answers FROM packets WHERE step = 'b' GROUP BY number) g,
		unnest(answers) a, ted_unpack_pairs(a.packed) AS p(left_id integer, right_id integer, measure float8);
END $$;
CREATE FUNCTION trees(side text) RETURNS text LANGUAGE sql AS $$ SELECT format('SELECT %L::"char", id, doc FROM cell_docs WHERE doc IS NOT NULL', side) $$;
CREATE FUNCTION texts(side text) RETURNS text LANGUAGE sql AS $$ SELECT format('SELECT %L::"char", id, doc FROM cell_texts WHERE doc IS NOT NULL', side) $$;

-- a table with itself: every pair once, none lost
-- a table with itself, and two tables: every pair once, none lost
CREATE FUNCTION check_trees(k integer, homes integer, owners integer, two boolean, OUT pairs bigint, OUT wrong bigint, OUT lost bigint) LANGUAGE sql AS $$
	WITH j AS MATERIALIZED (SELECT * FROM joined('tree', k, homes, owners, trees(CASE WHEN two THEN 'l' ELSE '' END), CASE WHEN two THEN trees('r') END)),
	e AS MATERIALIZED (SELECT a.id, b.id, tree_edit_distance(a.doc, b.doc)::float8 FROM cell_docs a JOIN cell_docs b ON (two OR a.id < b.id) AND tree_within(a.doc, b.doc, k))
	SELECT (SELECT count(*) FROM j), (SELECT count(*) FROM (TABLE j EXCEPT ALL TABLE e) w), (SELECT count(*) FROM (TABLE e EXCEPT ALL TABLE j) l) $$;
CREATE FUNCTION check_texts(s float8, homes integer, owners integer, two boolean, OUT pairs bigint, OUT wrong bigint, OUT lost bigint) LANGUAGE sql AS $$
	WITH j AS MATERIALIZED (SELECT * FROM joined('text', s, homes, owners, texts(CASE WHEN two THEN 'l' ELSE '' END), CASE WHEN two THEN texts('r') END)),
	e AS MATERIALIZED (SELECT a.id, b.id, lcs_similarity(a.doc, b.doc) FROM cell_texts a JOIN cell_texts b ON (two OR a.id < b.id) AND lcs_similar(a.doc, b.doc, s))
	SELECT (SELECT count(*) FROM j), (SELECT count(*) FROM (TABLE j EXCEPT ALL TABLE e) w), (SELECT count(*) FROM (TABLE e EXCEPT ALL TABLE j) l) $$;
SELECT k, homes, owners, two, r.* FROM (VALUES (0, 1, 1), (0, 3, 4), (1, 2, 3), (2, 4, 9), (3, 1, 250), (4, 7, 2), (6, 5, 7), (7, 3, 3), (24, 2, 6), (25, 3, 5), (600, 2, 4), (-1, 2, 2)) t(k, homes, owners),
	(VALUES (false), (true)) s(two), check_trees(k, homes, owners, two) r ORDER BY two, k, homes;
SELECT s, homes, owners, two, r.* FROM (VALUES (0::float8, 2, 3), (0.5, 1, 1), (0.8, 3, 7), (0.9, 2, 250), (1, 4, 2)) t(s, homes, owners),
	(VALUES (false), (true)) b(two), check_texts(s, homes, owners, two) r ORDER BY two, s;
-- counting finds as many; a tree that shares nothing with another one is sent to no cell
SELECT send_cells('tree', 2, 3, 4, trees(''));
SELECT (SELECT sum(n) FROM (SELECT ted_count_cell(packed, sender, 'tree', 2, number, 3, true, 'integer', NULL) AS n FROM packets WHERE step = 'b' GROUP BY number) c)
	= (SELECT count(*) FROM cell_docs a JOIN cell_docs b ON a.id < b.id AND tree_within(a.doc, b.doc, 2)) AS counted,
	(SELECT count(*) FROM packets WHERE step = 'b' AND position('\x7539'::bytea IN packed) > 0) AS alone;
-- each pair is at the home of its left id
SELECT count(*) > 0 AS some, count(DISTINCT a.number) AS homes
FROM (SELECT ted_join_cell(packed, sender, 'tree', 2, number, 3, true, 'integer', NULL) AS answers FROM packets WHERE step = 'b' GROUP BY number) g, unnest(answers) a, ted_unpack_pairs(a.packed) AS p(left_id integer, right_id integer, measure float8)
WHERE a.number = (hashint4(left_id)::bigint + 2147483648) / (4294967296 / 3);
-- clusters of cells, of which several connect the same documents
WITH link AS MATERIALIZED (
	SELECT p.* FROM (SELECT ted_connect_cell(packed, sender, 'tree', 2, number, 3, true, 'integer', NULL) AS answers FROM packets WHERE step = 'b' GROUP BY number) g,
		unnest(answers) a, ted_unpack_pairs(a.packed) AS p(left_id integer, right_id integer, measure float8)),
pair AS MATERIALIZED (SELECT a.id AS left_id, b.id AS right_id FROM cell_docs a JOIN cell_docs b ON a.id < b.id AND tree_within(a.doc, b.doc, 2)),
linked AS (SELECT c.* FROM (SELECT array_agg(left_id) AS l, array_agg(right_id) AS r FROM link) a, ted_clusters(l, r) c),
paired AS (SELECT c.* FROM (SELECT array_agg(left_id) AS l, array_agg(right_id) AS r FROM pair) a, ted_clusters(l, r) c)
SELECT (SELECT count(*) > 20 FROM linked) AS some, (SELECT count(*) FROM (TABLE linked EXCEPT TABLE paired) w) AS wrong, (SELECT count(*) FROM (TABLE paired EXCEPT TABLE linked) l) AS lost,
	(SELECT count(*) FROM link WHERE left_id < right_id) AS greater, (SELECT bool_and(ted_first_id(a.packed) = (SELECT left_id::text FROM ted_unpack_pairs(a.packed) AS p(left_id integer, right_id integer, measure float8) LIMIT 1))
		FROM (SELECT ted_join_cell(packed, sender, 'tree', 2, number, 3, true, 'integer', NULL) AS answers FROM packets WHERE step = 'b' GROUP BY number) g, unnest(answers) a) AS first;
-- without counts of labels no keys are sent, and all documents meet in one cell
SELECT count(*) = (SELECT count(*) FROM cell_docs a JOIN cell_docs b ON a.id < b.id AND tree_within(a.doc, b.doc, 2)) AS same, count(DISTINCT g.number) AS cells
FROM (SELECT number, ted_join_cell(packed, 0, 'tree', 2, number, 1, true, 'integer', NULL) AS answers
	  FROM (WITH d AS MATERIALIZED (SELECT * FROM ted_read_documents(trees(''), 0, '{0}', NULL, 4, 'tree', 2)),
			c AS (SELECT ted_plan_cells(step, 0, sender, seq, packed, 4, 'tree', 2) AS plan FROM d WHERE step = 'z')
			SELECT b.* FROM d, c, ted_send_documents(d.packed, NULL, plan, d.number, d.seq) b WHERE d.step = 'd') b GROUP BY number) g,
	unnest(answers) a, ted_unpack_pairs(a.packed) AS p(left_id integer, right_id integer, measure float8);
-- a value that many trees have is cut into blocks: all are near copies of one tree
CREATE TABLE crowd AS SELECT i AS id, ('{a{b}{c}{d}{e' || i % 40 || '}{f' || i / 40 || '}}')::tree AS doc FROM generate_series(1, 1200) i;
SELECT count(*) AS pairs, count(*) FILTER (WHERE left_id >= right_id) AS out_of_order, count(*) - count(DISTINCT (left_id, right_id)) AS twice
FROM joined('tree', 1, 3, 6, 'SELECT ''''::"char", id, doc FROM crowd');
SELECT count(DISTINCT number) > 6 AS blocks, max(number) < 250 AS numbers FROM packets WHERE step = 'b';
SELECT count(*) FROM crowd a JOIN crowd b ON a.id < b.id AND tree_within(a.doc, b.doc, 1);
SELECT count(*) FROM joined('tree', 1, 2, 5, 'SELECT ''l''::"char", id, doc FROM crowd', 'SELECT ''r''::"char", id, doc FROM crowd WHERE id % 2 = 0');
SELECT count(*) FROM crowd a JOIN crowd b ON b.id % 2 = 0 AND tree_within(a.doc, b.doc, 1);
DROP TABLE crowd;
-- the first row of a scan
SELECT count(*) FROM cell_docs d WHERE ted_first_row(d.tableoid);
SELECT ted_processors() > 0 AS processors;

-- ids are what they were, whatever the settings on which their texts depend
CREATE TABLE cell_ids AS
SELECT i / 7.0::float8 AS "float", ARRAY[NULL, 'NULL', i::text] AS "array", make_date(2000 + i, 1 + i, 28) AS "date", interval '1 month -2 days -03:00:00.5' * i AS "interval",
	'2000-03-26 00:30+00'::timestamptz + i * interval '1 hour' AS "time", i::numeric::money AS "money", decode(repeat('5c27', i), 'hex') AS "bytea",
	i::text::char(5) AS "char", i::bit(4) AS "bit", (i / 3.0)::numeric(5, 2) AS "numeric", '''\"' || i AS "text"
FROM generate_series(1, 5) i;
CREATE FUNCTION lost(id name) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	lost bigint;
	type text := (SELECT format_type(atttypid, -1) FROM pg_attribute WHERE attrelid = 'cell_ids'::regclass AND attname = id);
BEGIN
	PERFORM send_cells('text', 1, 2, 2, format('SELECT ''''::"char", %I, ''a''::text FROM cell_ids', id));
	EXECUTE format('SELECT 10 - count(*) FROM (SELECT ted_join_cell(packed, sender, ''text'', 1, number, 2, true, %2$L, NULL) AS answers FROM packets WHERE step = ''b'' GROUP BY number) g,
		unnest(answers) a, ted_unpack_pairs(a.packed) AS p(left_id %2$s, right_id %2$s, measure float8)
		WHERE EXISTS (SELECT FROM cell_ids WHERE %1$I = left_id) AND EXISTS (SELECT FROM cell_ids WHERE %1$I = right_id)', id, type) INTO lost;
	RETURN lost;
END $$;
SET array_nulls = off;
SET bytea_output = escape;
SET DateStyle = 'SQL, DMY';
SET extra_float_digits = -10;
SET IntervalStyle = sql_standard;
SET TimeZone = 'Europe/Berlin';
-- before PostgreSQL 19
DO $$
BEGIN
	SET escape_string_warning = off;
	SET standard_conforming_strings = off;
EXCEPTION WHEN undefined_object OR invalid_parameter_value THEN
END $$;
SELECT attname, lost(attname) FROM pg_attribute WHERE attrelid = 'cell_ids'::regclass AND attnum > 0 ORDER BY attnum;
RESET ALL;
SET jit = off;
DROP TABLE cell_ids;
-- a query runs to its end within the call: what it calls cannot close it
CREATE FUNCTION closing(i integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
	cursor_name text;
BEGIN
	FOREACH cursor_name IN ARRAY array(SELECT name FROM pg_cursors) LOOP
		EXECUTE format('CLOSE %I', cursor_name);
	END LOOP;
	RETURN i;
END $$;
SELECT count(*) FROM ted_read_documents('SELECT ''''::"char", closing(i), ''x''::text FROM generate_series(1, 300) i', 0, '{0}', NULL, 1, 'text', 1);

-- bytes that are no packet, no text of the database, and no id
\set VERBOSITY terse
SELECT * FROM ted_unpack_pairs('\x02060000000100000002c3ff000001') AS p(left_id text, right_id text, measure float8);
SELECT * FROM ted_unpack_pairs('\x020600000001000000026100000001') AS p(left_id text, right_id text, measure float8);
SELECT * FROM ted_unpack_pairs('\x010600') AS p(left_id integer, right_id integer, measure float8);
SELECT * FROM ted_unpack_pairs('\x020600') AS p(left_id integer, right_id integer, measure float8);
SELECT * FROM ted_unpack_pairs('\x02060000000100000001310200') AS p(left_id integer, right_id integer, measure float8);
SELECT * FROM ted_unpack_pairs('\x02ff00000000') AS p(left_id integer, right_id integer, measure float8);
SELECT ted_join_cell('\x0206', 0, 'none', 1, 1, 1, true, 'integer', NULL);
SELECT ted_join_cell('\x0206', 0, 'text', 1, 250, 1, true, 'integer', NULL);
SELECT ted_join_cell('\x0206', -1, 'text', 1, 1, 1, true, 'integer', NULL);
SELECT ted_join_cell('\x0206', 0, 'text', 1, 1, 0, true, 'integer', NULL);
SELECT ted_join_cell('\x0206' || '\x78'::bytea, 0, 'text', 1, 1, 1, true, 'integer', NULL);
SELECT ted_join_cell('\x0206' || '\x000000000100000000000000013100000002c3ff00'::bytea, 0, 'text', 1, 1, 1, true, 'integer', NULL);
SELECT ted_join_cell(NULL, 0, 'text', 1, 1, 1, true, 'point', NULL);
SELECT ted_find_shared('k', 0, 0, 0, '\x0206', 1);
SELECT ted_find_shared('o', 0, 0, 0, '\x0206', 0);
SELECT ted_find_shared('o', 0, 0, 0, '\x020601', 1);
SELECT ted_find_shared(NULL, 0, 0, 0, '\x0206', 1);
SELECT ted_least_keys('k', 0, 0, 0, '\x0206010000000000000001', 1);
SELECT ted_values('l', 0, 0, 0, '\x0206', 1);
SELECT ted_document_values('k', 0, 0, 0, '\x0206ff', 1);
SELECT ted_plan_cells('z', 0, 0, 0, '\x0206', 1, 'tree', NULL);
SELECT ted_places_of_cells('\x0206');
SELECT ted_places_of_cells('\x020600000000010000000000000001000000000000000900000000');
SELECT * FROM ted_send_documents('\x0206', NULL, '\x0206', 0, 0);
SELECT * FROM ted_read_documents('SELECT 1', 0, '{0}', NULL, 1, 'text', 1);
SELECT * FROM ted_read_documents('CREATE TABLE none ()', 0, '{0}', NULL, 1, 'text', 1);
SELECT * FROM ted_read_documents('SELECT ''''::"char", 1, ''{a}''::tree', 0, '{0}', '\x00', 1, 'tree', 1);
SELECT * FROM ted_read_documents('SELECT ''''::"char", 1, ''a''::text', 0, '{}', NULL, 1, 'text', 1);
SELECT * FROM ted_read_documents('SELECT NULL::"char", 1, ''a''::text', 0, '{0}', NULL, 1, 'text', 1);
SELECT * FROM ted_read_documents(NULL, 0, '{0}', NULL, 1, 'text', 1);
\set VERBOSITY default

-- what a call refuses before it does anything
CREATE EXTENSION dblink;
CREATE EXTENSION postgres_fdw;
CREATE SERVER cell_server FOREIGN DATA WRAPPER postgres_fdw;
CREATE TABLE cell_ids (id uuid, number integer, doc tree);
\set VERBOSITY terse
SELECT * FROM tree_within_pairs_distributed('cell_ids', 1, '{cell_server}');
SELECT * FROM tree_within_pairs_distributed('cell_ids', 1, '{cell_server}', id => 'none');
SELECT * FROM tree_within_pairs_distributed('cell_ids', 1, '{cell_server}', others => 'cell_docs');
SELECT * FROM tree_within_pairs_distributed(NULL::smallint, 'cell_ids', 1, '{cell_server}', id => 'number');
SELECT * FROM tree_within_pairs_distributed('cell_ids', 1);
SELECT * FROM tree_within_pairs_distributed('cell_ids', 1, '{}');
SELECT * FROM tree_within_pairs_distributed('cell_ids', 1, '{nowhere}');
SELECT * FROM tree_within_pairs_distributed('cell_docs', 1, '{cell_server}', parts => 0);
SELECT * FROM tree_within_pairs_distributed('cell_docs', 1, '{cell_server}', parts => 251);
SELECT * FROM tree_within_pairs_distributed('cell_docs', 1, '{cell_server}', result => 'found');
SELECT * FROM tree_within_pairs_distributed(NULL, 1, '{cell_server}');
SELECT tree_within_count_distributed('cell_docs', 1.5, '{cell_server}');
SELECT tree_within_cluster_distributed('cell_docs', 1, 'clustered');
SELECT lcs_similar_cluster_distributed('cell_docs', 1, NULL);
-- a distance that no server computes
BEGIN;
CREATE OR REPLACE FUNCTION ted_pairs(docs regclass, kind text, threshold text, servers name[], id name, doc name, parts integer, result name, others regclass,
	explain boolean, id_type regtype, schemas name[], find text) RETURNS TABLE (packed bytea, query text, pairs bigint) LANGUAGE sql
	AS $$SELECT '\x020600000002000000013100000001320002ff41f0000000000000'::bytea, NULL::text, NULL::bigint$$;
SELECT * FROM tree_within_pairs_distributed('cell_docs', 1, '{cell_server}');
ROLLBACK;
-- a small join is done here
SELECT count(*) FROM tree_within_pairs_distributed('cell_docs', 2, '{cell_server}');
SELECT count(*) FROM cell_docs a JOIN cell_docs b ON tree_within(a.doc, b.doc, 2) AND a.id < b.id;
SELECT * FROM tree_within_pairs_distributed(NULL::uuid, 'cell_ids', 1, '{cell_server}');
SELECT count(*) FROM lcs_similar_pairs_distributed('cell_docs', 0.9, '{cell_server}');
SELECT count(*) FROM cell_docs a JOIN cell_docs b ON lcs_similar(a.doc::text, b.doc::text, 0.9) AND a.id < b.id;

DROP EXTENSION postgres_fdw CASCADE;
DROP EXTENSION dblink;
DROP FUNCTION lost(name), closing(integer), check_trees(integer, integer, integer, boolean), check_texts(float8, integer, integer, boolean), trees(text), texts(text),
	joined(text, float8, integer, integer, text, text), send_cells(text, float8, integer, integer, text, text);
DROP TABLE packets, cell_ids, cell_docs, cell_texts;
