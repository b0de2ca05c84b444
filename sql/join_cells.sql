-- Cells of self-joins

SET jit = off;

CREATE TABLE cell_docs AS
SELECT i AS id, ('{r' || repeat('{x}', CASE WHEN i % 3 = 0 THEN 7 WHEN i < 0 THEN -i % 5 ELSE i % 23 END) || '}')::tree AS doc
FROM generate_series(-40, 150) i;
INSERT INTO cell_docs VALUES (151, NULL), (152, '{a}'), (153, ('{a' || repeat('{b}', 500) || '}')::tree);

SELECT cell, low, high, reach, parts, part, other, own, crosses, documents FROM ted_join_cells('cell_docs', 'doc', 1, 4);
SELECT cell, low, high, reach, parts, part, other, own, crosses, documents FROM ted_join_cells('cell_docs', 'doc', 600, 3);

-- pairs whose sizes match: how many there are, and in how many cells, which have to be as many
CREATE FUNCTION cell_pairs(cells ted_join_cell[], sizes integer[], grow float8, shift float8,
	OUT pairs bigint, OUT in_cells bigint, OUT distinct_in_cells bigint) LANGUAGE sql AS $$
	WITH held AS MATERIALIZED (
		SELECT c.cell, id, size, ted_join_side(c, id, size) AS side
		FROM unnest(cells) c, unnest(sizes) WITH ORDINALITY d(size, id) WHERE ted_join_side(c, id, size) IS NOT NULL),
	found AS (
		SELECT least(a.id, b.id) AS left_id, greatest(a.id, b.id) AS right_id
		FROM held a JOIN held b ON a.cell = b.cell AND
			(a.side = 'l' AND b.side <> 'l' OR a.side = 'o' AND b.side = 'o' AND a.id < b.id)
		WHERE greatest(a.size, b.size) <= floor(least(a.size, b.size) * grow + shift))
	SELECT (SELECT count(*) FROM unnest(sizes) WITH ORDINALITY a(size, id) JOIN unnest(sizes) WITH ORDINALITY b(size, id)
	        ON a.id < b.id AND greatest(a.size, b.size) <= floor(least(a.size, b.size) * grow + shift)),
	       count(*), count(DISTINCT (left_id, right_id)) FROM found $$;
CREATE FUNCTION plan_of(sizes integer[], grow float8, shift float8, cells integer) RETURNS ted_join_cell[] LANGUAGE sql AS $$
	SELECT array_agg(p) FROM (SELECT array_agg(size ORDER BY size) AS s, array_agg(n ORDER BY size) AS c
		FROM (SELECT size, count(*) AS n FROM unnest(sizes) size GROUP BY 1) g) h, ted_plan_cells(s, c, grow, shift, cells) p $$;
-- all sizes equal, spread, skewed, and few; thresholds of trees and of strings
SELECT shape, grow, shift, cells, p.*
FROM (SELECT shape, array_agg(CASE shape WHEN 'equal' THEN 9 WHEN 'spread' THEN i % 60 WHEN 'skewed' THEN 500 / (1 + i) ELSE i % 3 * 8 END) AS sizes
      FROM unnest('{equal,spread,skewed,few}'::text[]) shape, generate_series(0, 149) i GROUP BY 1) s,
     (VALUES (1, 0, 3), (1, 2, 4), (1, 5, 13), (1, 9, 40), (1, 1000, 7), (1.5, 1, 3), (1.1, 1, 12), (1, 2147483647, 6)) t(grow, shift, cells),
     LATERAL cell_pairs(plan_of(sizes, grow, shift, cells), sizes, grow, shift) p
WHERE (pairs, pairs) <> (in_cells, distinct_in_cells) OR pairs = 0;

-- equal cells where the sizes leave no choice
SELECT cells, count(*), round((max(cost) / avg(cost))::numeric, 2) AS balance, max(documents)
FROM (VALUES (1), (3), (6), (10), (100)) c(cells), ted_plan_cells('{10}', '{100000}', 1, 3, cells) GROUP BY 1 ORDER BY 1;

SELECT n FROM generate_series(1000, 1100) n WHERE (SELECT count(*) FROM ted_plan_cells('{10}', ARRAY[n], 1, 3, 3)) <> 3;

-- the pairs of all cells, by the aggregate; side o makes pairs of its own
SELECT k, cells, count(*), count(DISTINCT (least(left_id, right_id), greatest(left_id, right_id))) AS different,
	(SELECT count(*) FROM cell_docs a JOIN cell_docs b ON a.id < b.id AND tree_within(a.doc, b.doc, k)) AS expected
FROM (VALUES (0, 2), (1, 3), (2, 9), (9, 6)) t(k, cells),
	LATERAL (SELECT tree_within_pairs(id, doc, k, side) AS found
	         FROM (SELECT c.cell, id, doc, ted_join_side(c, id, tree_size(doc)) AS side
	               FROM ted_join_cells('cell_docs', 'doc', k, cells) c, cell_docs) s WHERE side IS NOT NULL GROUP BY cell) j, unnest(found) m
GROUP BY 1, 2 ORDER BY 1;
SELECT lcs_similar_pairs(id, doc, 0.5, side::"char")
FROM (VALUES (1, 'ab', 'o'), (2, 'abc', 'o'), (3, 'abd', 'l'), (4, 'abd', 'l')) v(id, doc, side);
SET work_mem = '64kB';
SELECT count(*), sum(distance) FROM (SELECT tree_within_pairs(id, doc, 2, (CASE WHEN id % 2 = 0 THEN 'o' ELSE 'l' END)::"char") AS found FROM cell_docs WHERE id < 20) j, unnest(found) m;
RESET work_mem;
SELECT count(*), sum(tree_edit_distance(a.doc, b.doc)) FROM cell_docs a JOIN cell_docs b ON tree_within(a.doc, b.doc, 2) AND a.id < 20 AND b.id < 20
	AND a.id <> b.id AND a.id % 2 = 0 AND (b.id % 2 <> 0 OR a.id < b.id);

-- texts
CREATE TABLE cell_names AS SELECT id, left(repeat(md5((id % 9)::text), 3), 2 + (id * id % 90)::integer) AS name FROM generate_series(1, 200) id;
SELECT s, count(*), count(DISTINCT (least(left_id, right_id), greatest(left_id, right_id))) AS different,
	(SELECT count(*) FROM cell_names a JOIN cell_names b ON a.id < b.id AND lcs_similar(a.name, b.name, s)) AS expected
FROM (VALUES (0.5::float8, 4), (0.8, 9), (1, 3)) t(s, cells),
	LATERAL (SELECT lcs_similar_pairs(id, name, s, side) AS found
	         FROM (SELECT c.cell, id, name, ted_join_side(c, id, char_length(name)) AS side
	               FROM ted_join_cells('cell_names', 'name', s, cells) c, cell_names) s WHERE side IS NOT NULL GROUP BY cell) j, unnest(found) m
GROUP BY 1 ORDER BY 1;

-- grids of two tables: each pair is in one cell
SELECT l, r, cells, a, b
FROM (VALUES (1, 1), (7, 30), (50, 3)) v(l, r), unnest('{1,2,5,12,30}'::integer[]) cells, generate_series(1, l) a, generate_series(1, r) b
WHERE (SELECT count(*) FROM ted_grid_cells(l, r, cells) c
       WHERE ted_grid_side(c, a, 'l') = 'l' AND ted_grid_side(c, b, 'r') = 'r') <> 1;
SELECT max(parts) AS parts, max(other_parts) AS other_parts, count(*) FROM ted_grid_cells(1000, 10, 6);

-- cells as they travel
CREATE FUNCTION in_cells(k integer, cells integer) RETURNS TABLE (left_id bigint, right_id bigint, measure float8) LANGUAGE sql AS $$
	SELECT m.* FROM (SELECT tree_join_cell(ted_pack_cell(id, doc, ted_join_side(c, id, tree_size(doc))), k) AS found
	                 FROM ted_join_cells('cell_docs', 'doc', k, cells) c, cell_docs GROUP BY cell) j, ted_unpack_matches(found) m $$;
SELECT k, cells, count(*), count(DISTINCT (least(left_id, right_id), greatest(left_id, right_id))) AS different,
	count(*) FILTER (WHERE measure <> tree_edit_distance(a.doc, b.doc)) AS wrong,
	(SELECT count(*) FROM cell_docs a JOIN cell_docs b ON a.id < b.id AND tree_within(a.doc, b.doc, k)) AS expected
FROM (VALUES (0, 2), (1, 3), (2, 9), (9, 6)) t(k, cells), LATERAL in_cells(k, cells), cell_docs a, cell_docs b
WHERE a.id = left_id AND b.id = right_id GROUP BY 1, 2 ORDER BY 1;
SELECT m.* FROM (SELECT lcs_join_cell(ted_pack_cell(id, doc, side::"char"), 0.5) AS found
	FROM (VALUES (9223372036854775807, 'äb', 'o'), (-9223372036854775808, 'äbc', 'o'), (3, 'äbd', 'l'), (4, NULL, 'l'), (5, 'äb', NULL)) v(id, doc, side)) j,
	ted_unpack_matches(found) m;
-- the same cut out of all documents at once, without and with a filter by labels
CREATE TABLE cell_records AS
SELECT i AS id, ('{r{n' || i % 14 || '}{m' || i % 9 || '{ä' || i % 11 || '}}{' || repeat('x', i % 3) || '}' || repeat('{y}', i % 7 / 4) || '}')::tree AS doc
FROM generate_series(1, 110) i;
INSERT INTO cell_records VALUES (0, NULL), (-1, '{a}'), (-2, '{b}'), (-3, '{}'), (-4, '{r{x}{x}{x}{x}{x}{x}{x}{x}}'), (-5, '{r{x}{x}{x}{x}{x}{x}{x}}');
INSERT INTO cell_records SELECT -100 - id, doc FROM cell_records WHERE id % 5 = 0;
CREATE FUNCTION cut_cells(k integer, cells integer, filter integer) RETURNS TABLE (left_id bigint, right_id bigint, measure float8) LANGUAGE sql AS $$
	SELECT m.* FROM (SELECT ted_pack_cell(id, doc, 'o') AS packed FROM cell_records) p,
		LATERAL ted_cut_cells(packed, (SELECT array_agg(c) FROM ted_join_cells('cell_records', 'doc', k, cells) c), filter) cell,
		ted_unpack_matches(tree_join_cell(cell, k)) m $$;
SELECT k, cells, filter, count(*), count(DISTINCT (least(left_id, right_id), greatest(left_id, right_id))) AS different,
	count(*) FILTER (WHERE measure <> tree_edit_distance(a.doc, b.doc)) AS wrong,
	(SELECT count(*) FROM cell_records a JOIN cell_records b ON a.id < b.id AND tree_within(a.doc, b.doc, k)) AS expected
FROM (VALUES (0, 2), (1, 3), (2, 9), (3, 6)) t(k, cells), (VALUES (NULL), (0), (9)) f(more), LATERAL (SELECT k + more) g(filter),
	LATERAL cut_cells(k, cells, filter), cell_records a, cell_records b
WHERE a.id = left_id AND b.id = right_id GROUP BY 1, 2, 3 ORDER BY 1, 3;
SELECT length(filtered) < length(plain) AS less
FROM (SELECT ted_pack_cell(id, doc, 'o') AS packed FROM cell_records) p, (SELECT array_agg(c) AS cells FROM ted_join_cells('cell_records', 'doc', 0, 3) c) c,
	LATERAL (SELECT string_agg(u, '') AS plain FROM ted_cut_cells(packed, cells) u) a,
	LATERAL (SELECT string_agg(u, '') AS filtered FROM ted_cut_cells(packed, cells, 0) u) b;
-- with little memory, arrays by label have room for the labels of a block, not for those of the cell
SET work_mem = '64kB';
SELECT count(*), sum(measure)
FROM (SELECT ted_pack_cell(i, ('{r{a' || i || '}{b' || i / 2 || '}}')::tree, 'o') AS packed FROM generate_series(1, 20000) i) p,
	ted_unpack_matches(tree_join_cell(packed, 1));
RESET work_mem;
-- packed in parts, by several processes and one after another, and by a user's aggregates
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SELECT bool_or(line LIKE '%Partial Aggregate%') AS in_parts FROM explain('SELECT ted_pack_cell(id, doc, ''o'') FROM cell_records') line;
SELECT count(*) FROM cut_cells(2, 3, 2);
SELECT count(*) FROM (SELECT lcs_join_cell(ted_pack_cell(id, name, 'o'), 0.8) AS found FROM cell_names) p, ted_unpack_matches(found);
RESET min_parallel_table_scan_size;
RESET parallel_tuple_cost;
RESET parallel_setup_cost;
SELECT size, sum(n) FROM (SELECT ted_pack_cell(id, doc, 'o') AS packed FROM cell_records) p, ted_packed_sizes(packed) GROUP BY 1
EXCEPT SELECT tree_size(doc), count(*) FROM cell_records WHERE doc IS NOT NULL GROUP BY 1;
SELECT count(*) FROM ted_packed_sizes((SELECT ted_pack_cell(1, '{a}'::tree, NULL)));
CREATE AGGREGATE state_of(bigint, tree, "char") (SFUNC = tree_pack_cell_transfn, STYPE = bytea);
CREATE AGGREGATE state_of_text(bigint, text, "char") (SFUNC = lcs_pack_cell_transfn, STYPE = bytea);
CREATE AGGREGATE joined_states(bytea) (SFUNC = ted_pack_cell_combine, STYPE = bytea, FINALFUNC = ted_pack_cell_finalfn);
CREATE AGGREGATE from_state(bigint, tree, "char") (
	SFUNC = tree_pack_cell_transfn, STYPE = bytea, FINALFUNC = ted_pack_cell_finalfn, INITCOND = '\x010000000201610162');
SELECT count(*) FROM (SELECT joined_states(state) AS packed
	FROM (SELECT state_of(id, doc, 'o') AS state FROM cell_records GROUP BY id % 7) s) p, ted_unpack_matches(tree_join_cell(packed, 2));
SELECT count(*) FROM (SELECT ted_pack_cell_finalfn(state_of(id, doc, 'o')) AS packed FROM cell_records) p, ted_unpack_matches(tree_join_cell(packed, 2));
SELECT count(*) FROM (SELECT from_state(id, doc, 'o') AS packed FROM cell_records) p, ted_unpack_matches(tree_join_cell(packed, 2));
SELECT count(*) FROM (SELECT joined_states(state) AS packed
	FROM (SELECT state_of_text(id, name, 'o') AS state FROM cell_names GROUP BY id % 7) s) p, ted_unpack_matches(lcs_join_cell(packed, 0.8));
SELECT i, length(state_of(i, ('{' || i || '}')::tree, 'o') OVER (ORDER BY i)) FROM generate_series(1, 3) i;
SELECT joined_states(NULL), ted_pack_cell_finalfn(NULL);
-- without memory for it, there is no filter
SET ted.max_memory = '192kB';
SELECT count(*) FROM cut_cells(3, 3, 3);
RESET ted.max_memory;
-- cells by labels, cut out of several parts; labels that one tree alone has, and frequent ones
CREATE TABLE label_docs AS SELECT * FROM cell_records UNION ALL
	SELECT 1000 + i, ('{' || i % 20 || '{' || i % 13 || '}' || repeat('{only' || i || '}', i % 6) || '}')::tree FROM generate_series(1, 100) i;
CREATE FUNCTION label_cells(k integer, cells integer, parts integer) RETURNS TABLE (left_id bigint, right_id bigint, measure float8) LANGUAGE sql AS $$
	WITH p AS (SELECT ted_pack_part(id, doc, 'o') AS part FROM label_docs GROUP BY id % parts),
	     c AS (SELECT ted_count_labels(part) AS counts FROM p),
	     u AS (SELECT cell, array_agg(cut) AS cuts FROM p, c, ted_cut_by_labels(part, counts, cells, k) GROUP BY cell)
	SELECT m.* FROM u, ted_unpack_matches(tree_join_parts(cuts, cell, cells, k)) m $$;
SELECT k, cells, parts, count(*), count(DISTINCT (left_id, right_id)) AS different,
	count(*) FILTER (WHERE measure <> tree_edit_distance(a.doc, b.doc)) AS wrong,
	(SELECT count(*) FROM label_docs a JOIN label_docs b ON a.id < b.id AND tree_within(a.doc, b.doc, k)) AS expected
FROM unnest('{0,1,2,3,6}'::integer[]) k, (VALUES (1, 1), (2, 3), (8, 5), (1000, 7)) v(cells, parts),
	LATERAL label_cells(k, cells, parts), label_docs a, label_docs b
WHERE a.id = left_id AND b.id = right_id GROUP BY 1, 2, 3 ORDER BY 1, 2;
CREATE TABLE label_part AS
SELECT part, ted_count_labels(part) AS counts, text_part
FROM (SELECT ted_pack_part(i, ('{a{b}{' || i || '}}')::tree, 'o') AS part, state_of_text(i, 'a', 'o') AS text_part FROM generate_series(1, 3) i) p GROUP BY 1, 3;
SELECT cell, length(tree_join_parts(ARRAY[cut], cell, 3, 2)) FROM label_part, ted_cut_by_labels(part, counts, 3, 2) ORDER BY 1;
SELECT count(*) FROM ted_cut_by_labels((SELECT ted_pack_part(1, '{a{b}}', NULL)), (SELECT counts FROM label_part), 3, 2);
-- two tables
SELECT k, cells, count(*), (SELECT count(*) FROM cell_records a JOIN cell_records b ON tree_within(a.doc, b.doc, k) AND b.id % 3 = 0) AS expected
FROM (VALUES (0, 2), (2, 9)) t(k, cells),
	LATERAL (SELECT ted_pack_cell(id, doc, side::"char") AS packed FROM (SELECT id, doc, 'l' AS side FROM cell_records UNION ALL
		SELECT id, doc, 'r' FROM cell_records WHERE id % 3 = 0) d) p,
	LATERAL ted_cut_cells(packed, (SELECT array_agg(c) FROM ted_grid_cells(300, 100, cells) c), k) cell,
	LATERAL ted_unpack_matches(tree_join_cell(cell, k)) GROUP BY 1, 2 ORDER BY 1;
-- texts
SELECT count(*), (SELECT count(*) FROM cell_names a JOIN cell_names b ON a.id < b.id AND lcs_similar(a.name, b.name, 0.8)) AS expected
FROM (SELECT ted_pack_cell(id, name, 'o') AS packed FROM cell_names) p,
	LATERAL ted_cut_cells(packed, (SELECT array_agg(c) FROM ted_join_cells('cell_names', 'name', 0.8::float8, 5) c)) cell,
	LATERAL ted_unpack_matches(lcs_join_cell(cell, 0.8));

SELECT ted_pack_cell(id, doc, 'l') FROM cell_docs WHERE false;
SELECT count(*) FROM ted_cut_cells(NULL, '{}') a, ted_cut_cells('', NULL) b;
SELECT length(ted_pack_cell(1, '{a}'::tree, NULL)), length(tree_join_cell(ted_pack_cell(1, '{a}'::tree, NULL), 1));

-- nothing to join, and errors
\set SHOW_CONTEXT never
SELECT * FROM ted_join_cells('cell_docs', 'doc', 1, NULL);
SELECT count(*) FROM ted_plan_cells('{}', '{}', 1, 3, 2);
SELECT * FROM ted_join_cells('cell_docs', 'doc', 1, 0);
SELECT tree_within_pairs(id, doc, 1, (CASE WHEN id % 2 = 0 THEN 'o' ELSE 'r' END)::"char") FROM cell_docs;
SELECT * FROM tree_within_pairs_distributed('cell_docs', 1, '{here}');
SELECT * FROM tree_within_pairs_distributed('cell_docs', 1, '{}');
SELECT * FROM tree_within_pairs_distributed('cell_docs', NULL, '{here}');
SELECT * FROM tree_within_pairs_distributed('cell_docs', 1);
SELECT * FROM tree_within_pairs_distributed('cell_docs', 1, '{here}', result => 'found');
SELECT lcs_join_cell(ted_pack_cell(1, '{a}'::tree, 'l'), 1);
SELECT ted_pack_cell(NULL, '{a}'::tree, 'l');
SELECT ted_pack_cell(NULL, NULL::tree, 'l') IS NULL, ted_pack_cell(NULL, 'a'::text, NULL) IS NULL;
SELECT tree_join_cell(ted_pack_cell(1, '{a}'::tree, 'x'), 1);
SELECT tree_join_cell(ted_pack_cell(1, '{a}'::tree, 'l'), -1);
SELECT tree_join_cell(''::bytea, 1);
SELECT tree_join_cell(substr(p, 1, n), 1) FROM (SELECT ted_pack_cell(1, '{a}'::tree, 'l') AS p) c, generate_series(3, 12, 3) n;
SELECT tree_join_cell(set_byte(ted_pack_cell(1, '{a}'::tree, 'l'), 11, 200), 1);
SELECT tree_join_cell(set_byte(ted_pack_cell(1, '{a}'::tree, 'l'), 1, 255), 1);
SELECT tree_join_cell(p || substr(q, 6), 1) FROM (SELECT ted_pack_cell(1, '{a{b}}'::tree, 'l') AS p, ted_pack_cell(1, '{a}'::tree, 'l') AS q) c;
SELECT ted_pack_cell(1, doc, 'o') FROM (VALUES ('{a}'::tree), ('{b}')) d(doc);
SELECT ted_cut_cells(ted_pack_cell(1, '{a}'::tree, 'o'), '{NULL}');
SELECT ted_cut_cells(ted_pack_cell(1, '{a}'::tree, 'o'), ARRAY[ROW(1, 0, 9, 9, 0, 0, 1, 0, true, true, 1, 1)::ted_join_cell]);
SELECT ted_join_side(ROW(1, 0, 9, 9, NULL, 0, 1, 0, true, true, 1, 1)::ted_join_cell, 1, 1);
SELECT ted_pack_cell_combine('', '');
SELECT tree_pack_cell_transfn(NULL, 1, '{a}', 'o');
SELECT joined_states(s) FROM (SELECT state_of(1, '{a}', 'o') UNION ALL SELECT state_of_text(1, 'a', 'o')) v(s);
SELECT joined_states('\x0000000000');
SELECT joined_states('\x01000000ff');
SELECT ted_pack_cell_finalfn('\x01000000016162');
SELECT ted_pack_cell_finalfn(state_of(1, '{a{b}}', 'o') || '\x6f02') FROM generate_series(1, 1);
SELECT ted_packed_sizes('\x0100');
SELECT ted_cut_by_labels(part, counts, 3, 7) FROM label_part;
SELECT ted_cut_by_labels(part, counts, 3, -1) FROM label_part;
SELECT ted_cut_by_labels(part, counts, 0, 1) FROM label_part;
SELECT ted_cut_by_labels(part, 'few', 3, 1) FROM label_part;
SELECT ted_cut_by_labels(text_part, counts, 3, 1) FROM label_part;
SELECT ted_cut_by_labels(substr(part, 1, 12), counts, 3, 1) FROM label_part;
SELECT ted_count_labels_transfn(NULL, part) FROM label_part;
SELECT ted_count_labels_combine(counts, counts) FROM label_part;
SELECT ted_count_labels(text_part) FROM label_part;
SELECT tree_join_parts(ARRAY[part, NULL], 0, 3, 1) FROM label_part;
SELECT tree_join_parts(ARRAY[part], 0, 3, 1) FROM label_part;
SELECT tree_join_parts(ARRAY[text_part], 0, 3, 1) FROM label_part;
SELECT tree_join_parts(ARRAY[cut], 0, 3, 1) FROM label_part, ted_cut_by_labels(part, counts, 1, 6);
SELECT tree_join_parts(ARRAY[cut, cut], 0, 1, 6) FROM label_part, ted_cut_by_labels(part, counts, 1, 6);
SELECT tree_join_parts(ARRAY['\x01000000ff'::bytea], 0, 1, 6), tree_join_parts('{}', 0, 1, 6);
SELECT length(tree_join_parts('{}', 0, 1, 6));
SELECT ted_pack_cell_finalfn(cut) FROM label_part, ted_cut_by_labels(part, counts, 1, 6);
\set VERBOSITY terse
SET ted.max_memory = '64kB';
SELECT length(ted_pack_cell(i, ('{' || i || '}')::tree, 'o')) FROM generate_series(1, 5000) i;
RESET ted.max_memory;
\set VERBOSITY default
SELECT * FROM ted_unpack_matches(decode(repeat('ff', 12), 'hex'));

DROP AGGREGATE state_of(bigint, tree, "char"), state_of_text(bigint, text, "char"), joined_states(bytea), from_state(bigint, tree, "char");
DROP TABLE label_docs, label_part;
DROP FUNCTION label_cells;
DROP FUNCTION in_cells;
DROP FUNCTION cut_cells;
DROP FUNCTION plan_of;
DROP FUNCTION cell_pairs;
DROP TABLE cell_docs, cell_names, cell_records;
