-- Cells of joins over several servers

SET jit = off;

CREATE TABLE cell_docs AS
SELECT i AS id, ('{r{n' || i % 14 || '}{m' || i % 9 || '{ä' || i % 11 || '}}{' || repeat('x', i % 3) || '}' || repeat('{y}', i % 23) || '}')::tree AS doc
FROM generate_series(1, 150) i;
INSERT INTO cell_docs VALUES (0, NULL), (-1, '{a}'), (-2, '{b}'), (-3, '{}'), (-4, '{r{x}{x}{x}{x}{x}{x}{x}{x}}'), (-5, '{r{x}{x}{x}{x}{x}{x}{x}}'),
	(-6, ('{a' || repeat('{b}', 500) || '}')::tree);
INSERT INTO cell_docs SELECT -100 - id, doc FROM cell_docs WHERE id % 5 = 0;

-- trees by their rarest nodes: trees that match have a cell in common
CREATE FUNCTION cells_by_nodes(k integer, cells integer) RETURNS TABLE (id integer, doc tree, cells integer[]) LANGUAGE sql AS $$
	WITH c AS (SELECT ted_label_counts(doc) AS counts FROM cell_docs),
	     r AS (SELECT ted_assign_nodes(ted_rare_tree_nodes(doc, counts, k), counts, cells, 150) AS rule FROM cell_docs, c)
	SELECT id, doc, ted_cells_by_nodes(doc, k, rule) FROM cell_docs, r $$;
SELECT k, t.cells, count(*) AS pairs, count(*) FILTER (WHERE ted_first_cell(a.cells, b.cells) IS NULL) AS lost
FROM (VALUES (0, 2), (1, 3), (2, 9), (3, 250), (24, 6)) t(k, cells), cells_by_nodes(k, t.cells) a, cells_by_nodes(k, t.cells) b
WHERE a.id < b.id AND tree_within(a.doc, b.doc, k) GROUP BY 1, 2 ORDER BY 1;
-- cells that are counted are those that trees have
SELECT c.loads = array(SELECT count(n) FROM generate_series(1, 5) cell LEFT JOIN (SELECT unnest(cells) AS n FROM cells_by_nodes(2, 5)) u ON n = cell GROUP BY cell ORDER BY cell) AS exact,
	cardinality(c.loads)
FROM (SELECT ted_cell_loads(ted_rare_tree_nodes(doc, counts, 2), counts, 5, 150) AS loads
      FROM cell_docs, (SELECT ted_label_counts(doc) AS counts FROM cell_docs) c) c;
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
-- trees that were not there when nodes were assigned
WITH c AS (SELECT ted_label_counts(doc) AS counts FROM cell_docs WHERE id < 20),
     r AS (SELECT ted_assign_nodes(ted_rare_tree_nodes(doc, counts, 3), counts, 7, 150) AS rule FROM cell_docs, c WHERE id < 20),
     d AS MATERIALIZED (SELECT id, doc, ted_cells_by_nodes(doc, 3, rule) AS cells FROM cell_docs, r)
SELECT count(*), count(*) FILTER (WHERE ted_first_cell(a.cells, b.cells) IS NULL) AS lost
FROM d a JOIN d b ON a.id < b.id AND tree_within(a.doc, b.doc, 3);

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
	AND ted_first_cell(ted_cells_by_size(a.size, hashtext(a.id::text), (plan).rule), ted_cells_by_size(b.size, hashtext(b.id::text), (plan).rule)) IS NULL
GROUP BY 1, 2, 3, 4;
-- as many cells as there may be, about equal ones where the sizes leave no choice
SELECT cells, cardinality(loads), (SELECT max(load) FROM unnest(loads) load) AS largest
FROM (VALUES (1), (3), (6), (10), (100)) c(cells), ted_size_cells('{10}', '{100000}', 1, 3, cells) ORDER BY 1;
SELECT rule, loads FROM ted_size_cells('{5,10,20,40}', '{1000,1000,1000,1000}', 1, 2, 4);

-- trees as they travel
SELECT count(*) FROM cell_docs WHERE ted_bytes_tree(ted_tree_bytes(doc)) <> doc;
SELECT ted_received_array(array_send('{a,NULL,b}'::bytea[])), ted_received_array(array_send('{}'::bytea[]));

-- arguments that nothing returns
SELECT ted_rare_tree_nodes('{a}', '\x00', 1);
SELECT ted_rare_tree_nodes('{a}', ted_label_counts('{a}'::tree), 25);
SELECT ted_rare_tree_nodes('{a}', ted_label_counts('{a}'::tree), -1);
SELECT ted_cells_by_nodes('{a}', 1, '\x0102030405');
SELECT ted_assign_nodes('{1}', ted_label_counts_combine(NULL, NULL), 251, 1);
SELECT ted_assign_nodes('{}', ted_label_counts_combine(NULL, NULL), 2, 1);
SELECT ted_assign_nodes('{1}', NULL, 2, 1);
SELECT ted_assign_nodes('{1}', ted_label_counts_combine(NULL, NULL), 2, -1) IS NOT NULL;
SELECT ted_cells_by_size(1, 1, '{0,9,0,0,0}');
SELECT ted_cells_by_size(1, 1, '{0,9}'), ted_cells_by_size(1, -1, '{0,9,1,0,0}'), ted_cells_by_size(1, 1, '{NULL,9,1,0,0}');
SELECT ted_first_cell('{1,3}', '{2,3}'), ted_first_cell('{1}', '{}'), ted_first_cell('{}', NULL);
SELECT ted_first_cell('{NULL}', '{1}');
SELECT ted_bytes_tree('\xff');
SELECT ted_received_array('\x00');

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
-- a small join is done here
SELECT count(*) FROM tree_within_pairs_distributed('cell_docs', 2, '{cell_server}');
SELECT count(*) FROM cell_docs a JOIN cell_docs b ON tree_within(a.doc, b.doc, 2) AND a.id < b.id;
SELECT * FROM tree_within_pairs_distributed(NULL::uuid, 'cell_ids', 1, '{cell_server}');
SELECT count(*) FROM lcs_similar_pairs_distributed('cell_docs', 0.9, '{cell_server}');
SELECT count(*) FROM cell_docs a JOIN cell_docs b ON lcs_similar(a.doc::text, b.doc::text, 0.9) AND a.id < b.id;

DROP EXTENSION postgres_fdw CASCADE;
DROP EXTENSION dblink;
DROP FUNCTION cells_by_nodes(integer, integer);
DROP TABLE cell_ids, cell_docs;
RESET jit;
