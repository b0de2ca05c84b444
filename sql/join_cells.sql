-- Cells of joins over several servers

SET jit = off;

CREATE TABLE cell_docs AS
SELECT i AS id, ('{r{n' || i % 14 || '}{m' || i % 9 || '{ä' || i % 11 || '}}{' || repeat('x', i % 3) || '}' || repeat('{y}', i % 23) || '}')::tree AS doc
FROM generate_series(1, 150) i;
INSERT INTO cell_docs VALUES (0, NULL), (-1, '{a}'), (-2, '{b}'), (-3, '{}'), (-4, '{r{x}{x}{x}{x}{x}{x}{x}{x}}'), (-5, '{r{x}{x}{x}{x}{x}{x}{x}}'),
	(-6, ('{a' || repeat('{b}', 500) || '}')::tree), (-7, '{a{b}}'), (-8, '{c{d}{e}}'), (-9, '{u1{u2}{u3}{u4}{u5}{u6}{u7}{u8}{u9}{v0}{v1}{v2}}');
INSERT INTO cell_docs SELECT -100 - id, doc FROM cell_docs WHERE id % 5 = 0;

-- trees by their rarest nodes: trees that match have a cell in common
CREATE FUNCTION rule(k integer, cells integer) RETURNS bytea LANGUAGE sql AS $$
	WITH c AS (SELECT ted_label_counts(doc) AS counts FROM cell_docs)
	SELECT ted_assign_nodes(ted_rare_tree_nodes(doc, counts, k), counts, k, cells) FROM cell_docs, c $$;
CREATE FUNCTION cells_by_nodes(k integer, cells integer) RETURNS TABLE (id integer, doc tree, cells integer[]) LANGUAGE sql AS $$
	SELECT id, doc, ted_cells_by_nodes(doc, rule) FROM cell_docs, rule(k, cells) rule $$;
SELECT k, t.cells, count(*) AS pairs, count(*) FILTER (WHERE NOT coalesce(a.cells && b.cells, false)) AS lost
FROM (VALUES (0, 2), (1, 3), (2, 9), (3, 250), (4, 5), (5, 5), (6, 7), (7, 7), (24, 6)) t(k, cells), cells_by_nodes(k, t.cells) a, cells_by_nodes(k, t.cells) b
WHERE a.id < b.id AND tree_within(a.doc, b.doc, k) GROUP BY 1, 2 ORDER BY 1;
-- cells that are counted are those that trees have; a tree that shares nothing with another one has none
SELECT ted_rule_loads(rule(2, 5)) = array(SELECT count(n) FROM generate_series(1, 5) cell LEFT JOIN (SELECT unnest(cells) AS n FROM cells_by_nodes(2, 5)) u ON n = cell GROUP BY cell ORDER BY cell) AS exact,
	(SELECT cells FROM cells_by_nodes(2, 5) WHERE id = -9) AS alone;
-- counts of several servers
SELECT ted_label_counts_combine(a.counts, b.counts) = c.counts AS added, ted_label_counts_combine(NULL, c.counts) = c.counts AS begun
FROM (SELECT ted_label_counts(doc) AS counts FROM cell_docs WHERE id < 50) a, (SELECT ted_label_counts(doc) AS counts FROM cell_docs WHERE id >= 50) b,
	(SELECT ted_label_counts(doc) AS counts FROM cell_docs) c;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SELECT bool_or(line LIKE '%Partial Aggregate%') AS in_parts FROM explain('SELECT ted_label_counts(doc) FROM cell_docs') line;
SELECT count(*) FROM cells_by_nodes(2, 5);
RESET min_parallel_table_scan_size;
RESET parallel_tuple_cost;
RESET parallel_setup_cost;

-- documents by sizes: all sizes equal, spread, skewed, and few; thresholds of trees and of strings
SELECT shape, grow, shift, cells, count(*) AS lost
FROM (SELECT shape, i AS id, CASE shape WHEN 'equal' THEN 9 WHEN 'spread' THEN i % 60 WHEN 'skewed' THEN 500 / (1 + i) ELSE i % 3 * 8 END AS size
      FROM unnest('{equal,spread,skewed,few}'::text[]) shape, generate_series(0, 149) i) a,
     (VALUES (1, 0, 3), (1, 2, 4), (1, 5, 13), (1, 9, 40), (1, 1000, 7), (1.5, 1, 3), (1.1, 1, 12), (1, 2147483647, 6), (1, 3, 1)) t(grow, shift, cells),
     LATERAL (SELECT ted_size_cells(array_agg(size ORDER BY size), array_agg(n ORDER BY size), grow, shift, cells) AS plan
              FROM (SELECT size, count(*) AS n FROM (
                        SELECT CASE a.shape WHEN 'equal' THEN 9 WHEN 'spread' THEN i % 60 WHEN 'skewed' THEN 500 / (1 + i) ELSE i % 3 * 8 END AS size
                        FROM generate_series(0, 149) i) s GROUP BY 1) g) p,
     LATERAL (SELECT i AS id, CASE a.shape WHEN 'equal' THEN 9 WHEN 'spread' THEN i % 60 WHEN 'skewed' THEN 500 / (1 + i) ELSE i % 3 * 8 END AS size
              FROM generate_series(0, 149) i) b
WHERE a.id % 15 = 0 AND a.id < b.id AND greatest(a.size, b.size) <= floor(least(a.size, b.size) * grow + shift)
	AND NOT ted_cells_by_size(a.size, hashtext(a.id::text), (plan).rule) && ted_cells_by_size(b.size, hashtext(b.id::text), (plan).rule)
GROUP BY 1, 2, 3, 4;
-- as many cells as there may be, about equal ones where the sizes leave no choice
SELECT cells, cardinality(loads), (SELECT max(load) FROM unnest(loads) load) AS largest
FROM (VALUES (1), (3), (6), (10), (100)) c(cells), ted_size_cells('{10}', '{100000}', 1, 3, cells) ORDER BY 1;
SELECT rule, loads FROM ted_size_cells('{5,10,20,40}', '{1000,1000,1000,1000}', 1, 2, 4);

-- what travels: documents of a query, whose cells are found on the way or by it, and one alone, lead to the same matches, each in one of the cells
CREATE FUNCTION joined(k integer, cells integer) RETURNS TABLE (left_id integer, right_id integer, distance float8) LANGUAGE sql AS $$
	WITH cut AS (SELECT c.* FROM ted_cut_cells('SELECT ''''::"char", id::text, doc, NULL::integer[] FROM cell_docs WHERE doc IS NOT NULL', cells,
		(SELECT ted_label_counts(doc) FROM cell_docs WHERE id > 0), k) c)
	SELECT m.* FROM (SELECT cell, ted_join_cell(packed, 'tree', k, cell) AS found FROM cut GROUP BY 1) j, ted_unpack_matches(found, NULL::integer, true) m $$;
CREATE FUNCTION joined_by_rule(k integer, cells integer) RETURNS TABLE (left_id integer, right_id integer, distance float8) LANGUAGE sql AS $$
	WITH cut AS (SELECT c.* FROM ted_cut_cells(format('SELECT ''''::"char", id::text, doc, ted_cells_by_nodes(doc, %L) FROM cell_docs WHERE doc IS NOT NULL', rule(k, cells)), cells, NULL, NULL) c)
	SELECT m.* FROM (SELECT cell, ted_join_cell(packed, 'tree', k, cell) AS found FROM cut GROUP BY 1) j, ted_unpack_matches(found, NULL::integer, true) m $$;
CREATE FUNCTION joined_alone(k integer, cells integer) RETURNS TABLE (left_id integer, right_id integer, distance float8) LANGUAGE sql AS $$
	WITH cut AS (SELECT cell, ted_pack_document('', id::text, doc, d.cells) AS packed FROM cells_by_nodes(k, cells) d, unnest(d.cells) cell)
	SELECT m.* FROM (SELECT cell, ted_join_cell(packed, 'tree', k, cell) AS found FROM cut GROUP BY 1) j, ted_unpack_matches(found, NULL::integer, true) m $$;
CREATE FUNCTION expected(k integer) RETURNS TABLE (left_id integer, right_id integer, distance float8) LANGUAGE sql AS $$
	SELECT a.id, b.id, tree_edit_distance(a.doc, b.doc)::float8 FROM cell_docs a JOIN cell_docs b ON a.id < b.id AND tree_within(a.doc, b.doc, k) $$;
SELECT k, (SELECT count(*) FROM expected(k)) AS pairs,
	(SELECT count(*) FROM ((SELECT * FROM joined(k, 4) EXCEPT ALL SELECT * FROM expected(k)) UNION ALL (SELECT * FROM expected(k) EXCEPT ALL SELECT * FROM joined(k, 4))) d) AS wrong,
	(SELECT count(*) FROM ((SELECT * FROM joined_by_rule(k, 4) EXCEPT ALL SELECT * FROM joined(k, 4)) UNION ALL (SELECT * FROM joined(k, 4) EXCEPT ALL SELECT * FROM joined_by_rule(k, 4))) d) AS different_by_rule,
	(SELECT count(*) FROM ((SELECT * FROM joined_alone(k, 4) EXCEPT ALL SELECT * FROM joined(k, 4)) UNION ALL (SELECT * FROM joined(k, 4) EXCEPT ALL SELECT * FROM joined_alone(k, 4))) d) AS different_alone
FROM generate_series(0, 7) k ORDER BY 1;
-- two tables, and ids of any type: in the order of a collation, none, equal ones
WITH d(side, id, doc) AS (VALUES ('l'::"char", 'b', 'abc'), ('l', NULL, 'abd'), ('r', 'a', 'abc'), ('r', 'b', 'xyz'))
SELECT m.* FROM (SELECT ted_join_cell(ted_pack_document(side, id, doc, '{3}'), 'text', 0.5, 3) AS found FROM d) j, ted_unpack_matches(found, NULL::text, false) m ORDER BY 1, 2;
WITH d(id, doc) AS (VALUES ('B', 'abc'), ('a', 'abc'), ('a', 'abc'), (NULL, 'abc'))
SELECT m.* FROM (SELECT ted_join_cell(ted_pack_document('', id, doc, '{1}'), 'text', 1, 1) AS found FROM d) j, ted_unpack_matches(found, NULL::text COLLATE "C", true) m;
-- distances and similarities that take more than a byte
WITH d(id, doc) AS (VALUES (1, ('{a' || repeat('{b}', 500) || '}')::tree), (2, '{a}'), (70000, '{a}'))
SELECT m.* FROM (SELECT ted_join_cell(ted_pack_document('', id::text, doc, '{1}'), 'tree', 600, 1) AS found FROM d) j, ted_unpack_matches(found, NULL::integer, true) m ORDER BY 1, 2;
-- the first cell that documents have in common finds their pair
SELECT cell, (SELECT count(*) FROM ted_unpack_matches((SELECT ted_join_cell(ted_pack_document('', i::text, 'abc'::text, '{1,2}'), 'text', 1, cell) FROM generate_series(1, 3) i), NULL::integer, true)) AS pairs
FROM generate_series(1, 2) cell ORDER BY 1;
-- no documents
SELECT count(*) FROM ted_unpack_matches((SELECT ted_join_cell(NULL, 'tree', 1, 1)), NULL::integer, true);
SELECT count(*) FROM ted_unpack_matches(NULL, NULL::integer, true);
SELECT cell, length(packed) > 0 AS packed FROM ted_cut_cells('SELECT ''''::"char", NULL::text, ''a''::text, ''{1,3}''::integer[]', 3, NULL, NULL);
SELECT count(*) FROM ted_cut_cells('SELECT ''''::"char", NULL::text, ''a''::text, NULL::integer[]', 3, NULL, NULL);
SELECT (ted_cut_cells('SELECT ''''::"char", i::text, ''{a{b}{c}}''::tree, NULL::integer[] FROM generate_series(1, 3) i', 2, ted_label_counts_combine(NULL, NULL), 1)).cell LIMIT 1;
-- the query runs to its end at once: no other statement comes between its rows, and there is no cursor that one could replace
CREATE VIEW cut AS SELECT md5((c).packed) AS packed FROM (
	SELECT ted_cut_cells('SELECT ''''::"char", i, repeat(''x'', 20000), ''{1}''::integer[] FROM generate_series(1, 300) i', 1, NULL, NULL) AS c OFFSET 0) c;
BEGIN;
DECLARE rest CURSOR FOR SELECT * FROM cut;
MOVE 1 FROM rest;
SELECT name FROM pg_cursors;
DECLARE "<unnamed portal 1>" CURSOR FOR SELECT 'a'::"char", interval '0.262160 s', 'doc'::text, ARRAY[1] FROM generate_series(1, 4);
CREATE TEMPORARY TABLE rest AS SELECT * FROM cut OFFSET 1;
MOVE ALL FROM rest;
COMMIT;
SELECT count(*) FROM rest;
-- what a query calls cannot close the query, either
CREATE FUNCTION closing(i integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
	cursor_name text;
BEGIN
	FOR cursor_name IN SELECT name FROM pg_cursors WHERE name <> 'rest' LOOP
		EXECUTE format('CLOSE %I', cursor_name);
	END LOOP;
	RETURN i;
END $$;
SELECT count(*) FROM ted_cut_cells('SELECT ''''::"char", closing(i), ''x''::text, ''{1}''::integer[] FROM generate_series(1, 300) i', 1, NULL, NULL);
-- ids are what they were, whatever the settings on which their texts depend
CREATE TABLE cell_ids AS
SELECT i / 7.0::float8 AS "float", ARRAY[NULL, 'NULL', i::text] AS "array", make_date(2000 + i, 1 + i, 28) AS "date", interval '1 month -2 days -03:00:00.5' * i AS "interval",
	'2000-03-26 00:30+00'::timestamptz + i * interval '1 hour' AS "time", i::numeric::money AS "money", decode(repeat('5c27', i), 'hex') AS "bytea",
	i::text::char(5) AS "char", i::bit(4) AS "bit", (i / 3.0)::numeric(5, 2) AS "numeric", '''\"' || i AS "text"
FROM generate_series(1, 5) i;
CREATE FUNCTION lost(id name) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
	lost bigint;
BEGIN
	EXECUTE format('WITH j AS (SELECT ted_join_cell(ted_pack_document('''', %1$I, ''a''::text, ''{1}''), ''text'', 1, 1) AS found FROM cell_ids)
		SELECT 10 - count(*) FROM j, ted_unpack_matches(found, (SELECT %1$I FROM cell_ids LIMIT 0), false)
		WHERE EXISTS (SELECT FROM cell_ids WHERE %1$I = left_id) AND EXISTS (SELECT FROM cell_ids WHERE %1$I = right_id)', id) INTO lost;
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
-- bytes that are no text of the database are no id and no document
\set VERBOSITY terse
SELECT ted_unpack_matches('\x01060000000100000002c3ff000001', NULL::text, false);
SELECT ted_unpack_matches('\x010600000001000000026100000001', NULL::text, false);
SELECT ted_join_cell('\x01060001000000000161' || '\x00000002c3ff'::bytea, 'text', 1, 1);
SELECT ted_join_cell(overlay(ted_pack_document('', 'b', '{a}'::tree, '{1}') PLACING '\xff' FROM length(ted_pack_document('', 'b', '{a}'::tree, '{1}'))), 'tree', 1, 1);
-- of another encoding, they become this one's; one that there is not, or another one's packet, is refused
SELECT left_id FROM ted_unpack_matches('\x0108000000010000000261e4000001', NULL::text, false);
SELECT ted_unpack_matches('\x01ff000000010000000261e4000001', NULL::text, false);
SELECT ted_unpack_matches('\x0206000000010000000261e4000001', NULL::text, false);
SELECT ted_join_cell(packed, 'text', 1, 1) FROM unnest(ARRAY[ted_pack_document('', 1, 'a'::text, '{1}'), overlay(ted_pack_document('', 1, 'a'::text, '{1}') PLACING '\x08' FROM 2)]) packed;
\set VERBOSITY default

-- arguments that nothing returns
\set VERBOSITY terse
SELECT ted_rare_tree_nodes('{a}', '\x00', 1);
SELECT ted_rare_tree_nodes('{a}', ted_label_counts('{a}'::tree), 25);
SELECT ted_rare_tree_nodes('{a}', ted_label_counts('{a}'::tree), -1);
SELECT ted_cells_by_nodes('{a}', '\x0102030405');
SELECT ted_rule_loads('\x');
SELECT ted_assign_nodes('{1}', ted_label_counts_combine(NULL, NULL), 1, 251);
SELECT ted_assign_nodes('{1}', ted_label_counts_combine(NULL, NULL), 25, 2);
SELECT ted_assign_nodes('{1,2,3,4}', ted_label_counts_combine(NULL, NULL), 1, 2);
SELECT ted_assign_nodes('{1}', NULL, 2, 1);
SELECT ted_rule_loads(ted_assign_nodes('{}', ted_label_counts_combine(NULL, NULL), 1, 2));
SELECT ted_cells_by_size(1, 1, '{0,9,0,0,0}');
SELECT ted_cells_by_size(1, 1, '{0,9}'), ted_cells_by_size(1, -1, '{0,9,1,0,0}');
SELECT ted_cells_by_size(1, 1, '{NULL,9,1,0,0}');
SELECT * FROM ted_cut_cells('SELECT 1', 1, NULL, NULL);
SELECT * FROM ted_cut_cells('CREATE TABLE none ()', 1, NULL, NULL);
SELECT * FROM ted_cut_cells('SELECT ''''::"char", ''''::text, ''a''::text, ''{2}''::integer[]', 1, NULL, NULL);
SELECT * FROM ted_cut_cells('SELECT NULL::"char", ''''::text, ''a''::text, ''{1}''::integer[]', 1, NULL, NULL);
SELECT * FROM ted_cut_cells('SELECT ''''::"char", ''''::text, ''a''::text, ''{1}''::integer[]', 1, ted_label_counts_combine(NULL, NULL), 1);
SELECT * FROM ted_cut_cells('SELECT 1', 1, ted_label_counts_combine(NULL, NULL), NULL);
SELECT * FROM ted_cut_cells('SELECT 1', 1, ted_label_counts_combine(NULL, NULL), 25);
SELECT * FROM ted_cut_cells('SELECT 1', 1, '\x00', 1);
SELECT * FROM ted_cut_cells(NULL, 1, NULL, NULL);
SELECT * FROM ted_cut_cells('SELECT 1', 0, NULL, NULL);
SELECT ted_pack_document('', '1', 1, '{1}');
SELECT ted_pack_document('', '1', 'a'::text, NULL);
SELECT ted_join_cell('\x00', 'tree', 1, 1);
SELECT ted_join_cell(ted_pack_document('x', '1', '{a}'::tree, '{1}'), 'tree', 1, 1);
SELECT ted_join_cell(ted_pack_document('', '1', '{a}'::text, '{1}'), 'tree', 1, 1);
SELECT ted_join_cell(ted_pack_document('', '1', '{a}'::tree, '{1}'), NULL, 1, 1);
SELECT * FROM ted_unpack_matches('\x010600', NULL::integer, true);
SELECT * FROM ted_unpack_matches('\x01060000000100000001310200', NULL::integer, true);
SELECT * FROM ted_unpack_matches('\x0106000000010000000131000000', NULL::point, true);
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
SELECT * FROM tree_within_pairs_distributed('cell_docs', 1, '{cell_server}', cells => 0);
SELECT * FROM tree_within_pairs_distributed('cell_docs', 1, '{cell_server}', cells => 251);
SELECT * FROM tree_within_pairs_distributed('cell_docs', 1, '{cell_server}', result => 'found');
SELECT * FROM tree_within_pairs_distributed(NULL, 1, '{cell_server}');
-- a distance that no server computes
BEGIN;
CREATE OR REPLACE FUNCTION ted_pairs(docs regclass, kind text, threshold text, servers name[], id name, doc name, cells integer, result name, others regclass,
	explain boolean, id_type regtype, schemas name[]) RETURNS TABLE (matches bytea, collated oid, query text) LANGUAGE sql
	AS $$SELECT '\x010600000002000000013100000001320002ff41f0000000000000'::bytea, 0::oid, NULL::text$$;
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
DROP VIEW cut;
DROP FUNCTION lost(name), closing(integer), joined(integer, integer), joined_alone(integer, integer), joined_by_rule(integer, integer), expected(integer), cells_by_nodes(integer, integer), rule(integer, integer);
DROP TABLE cell_ids, cell_docs;
RESET jit;
