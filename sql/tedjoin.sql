-- Plain joins by a threshold, run as TedJoin

SET ted.explain_hardware = off;
CREATE TABLE docs (id int, grp int, doc tree);
INSERT INTO docs
SELECT i, i % 7, CASE WHEN i % 37 <> 0 THEN ('{r{' || i % 50 || '}' || repeat('{x}', i % 7) || '{' || i % 11 || '}}')::tree END
FROM generate_series(1, 200) i;
CREATE TABLE others AS SELECT id + 1000 AS id, doc FROM docs WHERE id % 3 = 0;
ANALYZE docs, others;

-- Runs a query of ids and distances with and without TedJoin.
CREATE FUNCTION same(query text, OUT planned boolean, OUT rows bigint, OUT same boolean) AS $$
DECLARE
	line text;
	other bigint;
	other_rows text;
	own_rows text;
BEGIN
	planned := false;
	FOR line IN EXECUTE 'EXPLAIN ' || query LOOP
		planned := planned OR line LIKE '%Custom Scan (TedJoin)%';
	END LOOP;
	EXECUTE 'SELECT count(*), string_agg(q::text, '' '' ORDER BY q::text) FROM (' || query || ') q' INTO rows, own_rows;
	SET LOCAL ted.enable_join = off;
	EXECUTE 'SELECT count(*), string_agg(q::text, '' '' ORDER BY q::text) FROM (' || query || ') q' INTO other, other_rows;
	SET LOCAL ted.enable_join = on;
	same := rows = other AND own_rows IS NOT DISTINCT FROM other_rows;
END $$ LANGUAGE plpgsql SET client_min_messages = error; -- not that some similarities are above 1

-- all spellings, in either order of the documents
SELECT q, s.* FROM (VALUES
  ('SELECT a.id, b.id FROM docs a JOIN docs b ON tree_edit_distance(a.doc, b.doc) <= 2'),
  ('SELECT a.id, b.id FROM docs a JOIN docs b ON tree_edit_distance(a.doc, b.doc) < 2'),
  ('SELECT a.id, b.id FROM docs a JOIN docs b ON 2 >= tree_edit_distance(b.doc, a.doc)'),
  ('SELECT a.id, b.id FROM docs a JOIN docs b ON 2 > tree_edit_distance(a.doc, b.doc)'),
  ('SELECT a.id, b.id FROM docs a, docs b WHERE tree_within(b.doc, a.doc, 1)'),
  ('SELECT a.id, b.id FROM docs a JOIN docs b ON tree_edit_distance(a.doc, b.doc) <= 2::bigint'),
  ('SELECT a.id, b.id FROM docs a JOIN docs b ON tree_edit_distance(a.doc, b.doc) < 2::smallint'),
  ('SELECT a.id, b.id FROM docs a JOIN docs b ON tree_edit_distance(a.doc, b.doc) <= (SELECT count(*) FROM docs WHERE id < 3)'),
  ('SELECT a.id, b.id FROM docs a JOIN docs b ON tree_edit_distance(a.doc, b.doc) BETWEEN 1 AND 2'),
  ('SELECT a.id, b.id FROM docs a JOIN docs b ON tree_edit_distance(a.doc::text::tree, b.doc::text::tree) <= 1'),
  ('SELECT a.id, b.id FROM docs a JOIN docs b ON tree_similarity(a.doc, b.doc) >= 0.8'),
  ('SELECT a.id, b.id FROM docs a JOIN docs b ON tree_similarity(a.doc, b.doc) > 0.8'),
  ('SELECT a.id, b.id FROM docs a JOIN docs b ON 0.8 <= tree_similarity(b.doc, a.doc)'),
  ('SELECT a.id, b.id FROM docs a JOIN docs b ON 0.75 < tree_similarity(a.doc, b.doc)'),
  ('SELECT a.id, b.id FROM docs a JOIN docs b ON tree_similarity(a.doc, b.doc) >= 0.8::real'),
  ('SELECT a.id, b.id FROM docs a JOIN docs b ON tree_similarity(a.doc, b.doc) >= (SELECT 0.5 + count(*) / 10.0 FROM docs WHERE id < 3)'),
  ('SELECT a.id, b.id FROM docs a, docs b WHERE tree_similar(b.doc, a.doc, 0.8)')
) v(q), same(q) s;

-- spellings that other clauses are made of, and limits of all types
SELECT q, s.* FROM (SELECT 'SELECT a.id, b.id FROM docs a JOIN others b ON ' || c FROM unnest(ARRAY[
  'tree_edit_distance(a.doc, b.doc) = 2',
  '2 = tree_edit_distance(b.doc, a.doc)',
  'tree_edit_distance(a.doc, b.doc) <= 2.5',
  'tree_edit_distance(a.doc, b.doc) < 2.00000000000000000000000001',
  'tree_edit_distance(a.doc, b.doc) <= 1.99999999999999999999999999',
  'tree_edit_distance(a.doc, b.doc) < 2::float8',
  'tree_edit_distance(a.doc, b.doc) <= 2.5::real',
  'tree_edit_distance(a.doc, b.doc)::bigint <= 2',
  'tree_edit_distance(a.doc, b.doc) < ''NaN''::float8',
  'tree_edit_distance(a.doc, b.doc) <= ''infinity''::numeric',
  'tree_edit_distance(a.doc, b.doc) <= ''-infinity''::numeric',
  'tree_edit_distance(a.doc, b.doc) <= -0.5',
  'tree_edit_distance(a.doc, b.doc) < NULL::numeric',
  'NOT tree_edit_distance(a.doc, b.doc) > 1',
  'a.doc <-> b.doc <= 2',
  '2 > b.doc <-> a.doc',
  'a.doc <-> b.doc = 1',
  'a.doc <-> b.doc BETWEEN 1 AND 2.5',
  'tree_edit_distance_less_equal(a.doc, b.doc, 2) <= 2',
  'tree_edit_distance_less_equal(a.doc, b.doc, 2) < 2',
  'tree_edit_distance_less_equal(a.doc, b.doc, 3) = 2',
  'tree_similarity(a.doc, b.doc) = 0.75',
  'tree_similarity(a.doc, b.doc) BETWEEN 0.7 AND 0.8',
  'tree_normalized_distance(a.doc, b.doc) <= 0.25',
  'tree_normalized_distance(a.doc, b.doc) < 0.25',
  'tree_normalized_distance(a.doc, b.doc) = 0.25',
  '0.4 >= tree_normalized_distance(b.doc, a.doc)',
  'tree_edit_distance(a.doc, b.doc, tree_costs(2, 3, 2)) <= 5',
  'tree_edit_distance(a.doc, b.doc, tree_costs(1, 1, 1)) < 3.5',
  'tree_edit_distance(a.doc, b.doc, tree_costs(2, 2, 2)) = 4',
  'tree_edit_distance_less_equal(a.doc, b.doc, 4, tree_costs(2, 1, 3)) <= 4']) c) v(q), same(q) s;
SET enable_nestloop = off;
SELECT format('tree_normalized_distance %s %s', o, x) AS q, s.*
FROM unnest('{-1,-0,0,5e-324,0.3333333333333333,0.6666666666666666,1,NaN,NULL}'::text[]) x,
unnest('{<=,<}'::text[]) o,
same(format('SELECT a.id, b.id FROM docs a JOIN others b ON tree_normalized_distance(a.doc, b.doc) %s %L', o, x)) s;
RESET enable_nestloop;
PREPARE less_equal(int) AS SELECT count(*) FROM docs a JOIN others b ON tree_edit_distance_less_equal(a.doc, b.doc, $1) <= $1;
SET plan_cache_mode = force_generic_plan;
EXPLAIN (COSTS OFF) EXECUTE less_equal(2);
EXECUTE less_equal(2);
EXECUTE less_equal(-1);
RESET plan_cache_mode;

-- no thresholds: what a distance beyond its own limit is, costs of nothing, sides of no order
SELECT q, s.* FROM (SELECT 'SELECT a.id, b.id FROM docs a JOIN others b ON ' || c FROM unnest(ARRAY[
  'tree_edit_distance_less_equal(a.doc, b.doc, 1) <= 2',
  'tree_edit_distance_less_equal(a.doc, b.doc, (SELECT 1)) <= 2',
  'tree_edit_distance_less_equal(a.doc, b.doc, 1) = 2',
  'tree_edit_distance(a.doc, b.doc, tree_costs(1, 0, 1)) <= 2',
  'tree_edit_distance(a.doc, b.doc, tree_costs(1, 1, a.id % 2 + 1)) <= 2',
  'tree_edit_distance(a.doc, b.doc) >= 7',
  'tree_edit_distance(a.doc, b.doc) <> 3',
  'tree_similarity(a.doc, b.doc) < 0.2',
  'tree_normalized_distance(a.doc, b.doc) > 0.7']) c) v(q), same(q) s;

-- thresholds at the edges
SELECT q, s.* FROM (VALUES
  ('SELECT a.id, b.id FROM docs a JOIN docs b ON tree_edit_distance(a.doc, b.doc) <= 0'),
  ('SELECT a.id, b.id FROM docs a JOIN docs b ON tree_edit_distance(a.doc, b.doc) < 0'),
  ('SELECT a.id, b.id FROM docs a JOIN docs b ON tree_edit_distance(a.doc, b.doc) <= -1'),
  ('SELECT a.id, b.id FROM docs a JOIN docs b ON tree_edit_distance(a.doc, b.doc) < -2147483648'),
  ('SELECT a.id, b.id FROM docs a JOIN docs b ON tree_edit_distance(a.doc, b.doc) < (SELECT NULL::int)'),
  ('SELECT a.id, b.id FROM docs a JOIN others b ON tree_edit_distance(a.doc, b.doc) <= 2147483647'),
  ('SELECT a.id, b.id FROM docs a JOIN others b ON tree_edit_distance(a.doc, b.doc) <= 9223372036854775807'),
  ('SELECT a.id, b.id FROM docs a JOIN others b ON tree_within(a.doc, b.doc, 8)')
) v(q), same(q) s;
SELECT count(*) FROM docs a JOIN docs b ON tree_within(a.doc, b.doc, -1);
SELECT format(v.q, t) AS q, s.*
FROM (VALUES
  ('SELECT a.id, b.id FROM docs a JOIN others b ON tree_similarity(a.doc, b.doc) >= %L'),
  ('SELECT a.id, b.id FROM docs a JOIN others b ON tree_similarity(a.doc, b.doc) > %L')
) v(q), unnest('{-infinity,-1,-0,0,5e-324,0.5,0.9999999999999999,1,1.0000000000000002,infinity,NaN,NULL}'::text[]) t,
same(format(v.q, t)) s;
SELECT format('tree_similar %s', t) AS q, s.*
FROM unnest('{-0,0,5e-324,0.5,0.9999999999999999,1,NULL}'::text[]) t,
same(format('SELECT a.id, b.id FROM docs a JOIN others b ON tree_similar(a.doc, b.doc, %L)', t)) s;
SELECT count(*) FROM docs a JOIN others b ON tree_similar(a.doc, b.doc, 90);
SELECT count(*) FROM docs a JOIN others b ON tree_similar(a.doc, b.doc, 'NaN');
SELECT count(*) FROM docs a JOIN others b ON tree_similar(a.doc, b.doc, -0.1, tree_costs(2, 2));

-- further conditions, the distance in and below the target list
SELECT q, s.* FROM (VALUES
  ('SELECT a.id, b.id, tree_edit_distance(a.doc, b.doc) FROM docs a JOIN docs b ON a.id < b.id AND tree_within(a.doc, b.doc, 2)'),
  ('SELECT a.id, b.id, tree_edit_distance(b.doc, a.doc) + 1 AS d FROM docs a JOIN docs b ON a.id < b.id AND tree_edit_distance(a.doc, b.doc) <= 2 AND tree_edit_distance(b.doc, a.doc) <> 1'),
  ('SELECT a.id, b.id FROM docs a JOIN others b ON a.grp = b.id % 7 AND tree_within(a.doc, b.doc, 3) WHERE a.id > 50 AND (a.grp > 3 OR b.id < 1100)'),
  ('SELECT a, b.doc FROM docs a JOIN others b ON tree_within(a.doc, b.doc, 1)'),
  ('SELECT a.id, b.id FROM docs a JOIN others b ON tree_within(a.doc, b.doc, 2) AND tree_within(a.doc, b.doc, 1)'),
  ('SELECT a.grp, tree_edit_distance(a.doc, b.doc) AS d, count(*) FROM docs a JOIN docs b ON tree_within(a.doc, b.doc, 2) GROUP BY 1, 2'),
  ('SELECT a.id, b.id, tree_similarity(b.doc, a.doc), tree_edit_distance(a.doc, b.doc) FROM docs a JOIN docs b ON tree_similar(a.doc, b.doc, 0.7) AND tree_similarity(a.doc, b.doc) <> 1'),
  ('SELECT a.id, b.id, tree_similarity(b.doc, a.doc) FROM docs a JOIN docs b ON tree_within(a.doc, b.doc, 2)'),
  ('SELECT a.id, b.id, c.id FROM docs a JOIN others b ON tree_within(a.doc, b.doc, 1) JOIN others c ON tree_within(b.doc, c.doc, 0)'),
  ('SELECT a.id, b.id, c.id FROM docs a LEFT JOIN docs c ON c.id = a.id + 190 JOIN others b ON tree_within(a.doc, b.doc, 1)'),
  ('SELECT a.id, a.x, b.id FROM (SELECT id, doc, coalesce(id, 0) AS x FROM docs) a JOIN others b ON tree_within(a.doc, b.doc, 1)'),
  ('SELECT a.id, b.id FROM docs a JOIN docs b ON tree_within(a.doc, b.doc, 1) WHERE b.doc IS NOT NULL AND a.ctid < b.ctid'),
  ('SELECT c.x, b.id FROM (SELECT a.id + 1 AS x, a.doc FROM docs a OFFSET 3) c JOIN docs b ON tree_within(c.doc, b.doc, 1)')
) v(q), same(q) s;

-- the distance is not computed again: it comes from the join
EXPLAIN (VERBOSE, COSTS OFF)
SELECT a.id, b.id, tree_edit_distance(b.doc, a.doc) FROM docs a JOIN others b ON tree_within(a.doc, b.doc, 2)
WHERE a.grp <> b.id % 7 ORDER BY tree_edit_distance(a.doc, b.doc), a.id, b.id;
EXPLAIN (VERBOSE, COSTS OFF)
SELECT a.id, b.id, tree_similarity(b.doc, a.doc) FROM docs a JOIN others b ON tree_similarity(a.doc, b.doc) >= 0.9
WHERE tree_edit_distance(a.doc, b.doc) > 0;

-- what has been done
SELECT explain('SELECT a.id FROM docs a JOIN docs b ON a.id < b.id AND tree_edit_distance(a.doc, b.doc) <= 2', 'ANALYZE');
SELECT explain('SELECT a.id FROM docs a JOIN docs b ON a.id < b.id AND tree_similarity(a.doc, b.doc) > 0.75', 'ANALYZE');

-- documents
CREATE TABLE papers AS
SELECT id, doc::text AS text, xmlelement(name r, xmlelement(name x, id % 50), xmlelement(name y, id % 7)) AS x,
       json_build_object('a', id % 50, 'b', id % 7) AS j, jsonb_build_object('a', id % 50, 'b', id % 7) AS b
FROM docs WHERE id < 150;
SELECT q, s.* FROM (VALUES
  ('SELECT a.id, b.id, tree_edit_distance(a.x, b.x) FROM papers a JOIN papers b ON tree_edit_distance(a.x, b.x) <= 1'),
  ('SELECT a.id, b.id, tree_edit_distance(a.j, b.j) FROM papers a JOIN papers b ON tree_within(a.j, b.j, 1)'),
  ('SELECT a.id, b.id, tree_edit_distance(a.b, b.b) FROM papers a JOIN papers b ON tree_edit_distance(b.b, a.b) < 2 AND a.id <> b.id'),
  ('SELECT a.id, b.id, tree_similarity(a.x, b.x) FROM papers a JOIN papers b ON tree_similarity(a.x, b.x) >= 0.8'),
  ('SELECT a.id, b.id, tree_similarity(a.j, b.j) FROM papers a JOIN papers b ON tree_similar(a.j, b.j, 0.8)'),
  ('SELECT a.id, b.id, tree_similarity(a.b, b.b) FROM papers a JOIN papers b ON tree_similar(a.b, b.b, 0.8)')
) v(q), same(q) s;

-- no rows on a side, and no documents
SELECT q, s.* FROM (VALUES
  ('SELECT a.id, b.id FROM docs a JOIN (SELECT * FROM others WHERE id < random() - 10) b ON tree_within(a.doc, b.doc, 2)'),
  ('SELECT a.id, b.id FROM (SELECT * FROM others WHERE id < random() - 10) a JOIN docs b ON tree_within(a.doc, b.doc, 2)'),
  ('SELECT a.id, b.id FROM docs a JOIN (SELECT id, nullif(doc, doc) AS doc FROM docs) b ON tree_within(a.doc, b.doc, 2)'),
  ('SELECT a.id, b.id FROM (SELECT id, nullif(doc, doc) AS doc FROM docs OFFSET 0) a JOIN docs b ON tree_within(a.doc, b.doc, 2)')
) v(q), same(q) s;

-- thresholds that nothing or everything is within, also where no pair is compared
CREATE TABLE some_docs AS SELECT id, doc, doc::text AS text FROM docs WHERE id % 9 = 0;
ANALYZE some_docs;
SELECT clause, bool_or(s.planned) AS planned, count(*) FILTER (WHERE s.same) AS same, count(*) AS queries,
       string_agg(s.rows::text, ' ' ORDER BY n, side) AS rows
FROM (VALUES
  ('tree_within(a.doc, b.doc, %s::int)', '{-2147483648,-1,0,2147483647,NULL}'::text[]),
  ('tree_within(a.doc, b.doc, %s, ''{}'')', '{-1,-0.0001,-Infinity,NaN,Infinity,NULL}'),
  ('json_within(a.doc, b.doc, %s::int)', '{-2147483648,-1,0,NULL}'),
  ('lcs_within(a.text, b.text, %s::int)', '{-2147483648,-1,0,2147483647,NULL}'),
  ('tree_edit_distance(a.doc, b.doc) <= %s::float8', '{-1,-0.5,-Infinity,NaN,Infinity,NULL}'),
  ('tree_edit_distance(a.doc, b.doc) < %s::int', '{-2147483648,0,2147483647,NULL}'),
  ('tree_edit_distance(a.doc, b.doc, ''{}'') <= %s::float8', '{-1,-Infinity,NaN,Infinity,NULL}'),
  ('tree_edit_distance_less_equal(a.doc, b.doc, %1$s::int) <= %1$s::int', '{-2147483648,-1,0,NULL}'),
  ('tree_edit_distance_less_equal(a.doc, b.doc, %1$s, ''{}'') <= %1$s::float8', '{-1,-0.0001,-Infinity,NaN,Infinity,NULL}'),
  ('json_edit_distance_less_equal(a.doc, b.doc, %1$s::int) <= %1$s::int', '{-1,NULL}'),
  ('lcs_distance_less_equal(a.text, b.text, %1$s::int) <= %1$s::int', '{-2147483648,-1,0,NULL}'),
  ('lcs_distance(a.text, b.text) <= %s::float8', '{-1,-Infinity,NaN,NULL}'),
  ('tree_similar(a.doc, b.doc, %s)', '{0,1,NULL}'),
  ('tree_similarity(a.doc, b.doc) >= %s::float8', '{-1,-Infinity,Infinity,NaN,2,NULL}'),
  ('lcs_similar(a.text, b.text, %s)', '{0,1,NULL}'),
  ('lcs_similarity(a.text, b.text) >= %s::float8', '{-1,-Infinity,Infinity,NaN,2,NULL}'),
  ('tree_normalized_distance(a.doc, b.doc) <= %s', '{-1,-Infinity,Infinity,NaN,NULL}'),
  ('a.doc <~ tree_range(b.doc, %s::int)', '{-1,NULL}'),
  ('a.text <~ lcs_range(b.text, %s::int)', '{-2147483648,-1,NULL}')
) c(clause, thresholds), unnest(thresholds) WITH ORDINALITY t(threshold, n),
(VALUES (1, 'some_docs'), (2, '(SELECT * FROM some_docs WHERE id < random() - 10)'), (3, '(SELECT id, nullif(doc, doc) AS doc, nullif(text, text) AS text FROM some_docs OFFSET 0)')) f(side, source),
LATERAL same(format('SELECT a.id, b.id FROM some_docs a JOIN %s b ON ', source) || format(clause, coalesce(quote_literal(threshold), 'NULL'))) s
GROUP BY clause ORDER BY clause COLLATE "C";
-- the same in aggregates and clusters
SELECT d, cardinality(tree_within_pairs(id, doc, d, '{}'::tree_costs)) AS pairs
FROM some_docs, unnest('{-Infinity,-1,-0.5,2,Infinity,NaN}'::float8[]) d GROUP BY d ORDER BY d;
SELECT d, count(DISTINCT c) AS clusters FROM unnest('{-1,1000}'::int[]) d, LATERAL (SELECT tree_within_cluster(doc, d) OVER () FROM some_docs) f(c) GROUP BY d ORDER BY d;
SELECT count(*) AS subtrees FROM tree_subtree_within('{a}', '{a{a}}', -1) a, tree_subtree_within('{a}', '{a{a}}', '-Infinity', 0, '{}') b;
DROP TABLE some_docs;

-- prepared statements, whose plans know no threshold
SET plan_cache_mode = force_generic_plan;
PREPARE pairs(int) AS SELECT count(*), sum(tree_edit_distance(a.doc, b.doc)) FROM docs a JOIN docs b ON tree_edit_distance(a.doc, b.doc) <= $1;
EXPLAIN (COSTS OFF) EXECUTE pairs(1);
EXECUTE pairs(1);
EXECUTE pairs(3);
EXECUTE pairs(NULL);
SET ted.enable_join = off;
EXECUTE pairs(3);
RESET ted.enable_join;
DEALLOCATE pairs;
SET plan_cache_mode = force_custom_plan;
PREPARE pairs(int) AS SELECT count(*) FROM docs a JOIN docs b ON tree_within(a.doc, b.doc, $1);
EXECUTE pairs(1);
EXECUTE pairs(NULL);
EXECUTE pairs(-1);
RESET plan_cache_mode;
DEALLOCATE pairs;
SET plan_cache_mode = force_generic_plan;
PREPARE pairs(float8) AS SELECT count(*) FROM docs a JOIN docs b ON tree_similarity(a.doc, b.doc) >= $1;
EXPLAIN (COSTS OFF) EXECUTE pairs(0.9);
EXECUTE pairs(0.9);
EXECUTE pairs('NaN');
RESET plan_cache_mode;
DEALLOCATE pairs;

-- in blocks: one side does not fit in memory
CREATE TABLE large AS
SELECT i AS id, ('{' || i || (SELECT string_agg('{' || (i / 3 + j) || '}', '') FROM generate_series(1, 10) j) || '}')::tree AS doc
FROM generate_series(1, 2000) i;
ANALYZE large;
SET work_mem = '64kB';
SELECT bool_or(l ~ 'Blocks: ([2-9]|\d\d)') AS several
FROM explain('SELECT a.id FROM large a JOIN large b ON tree_within(a.doc, b.doc, 0)', 'ANALYZE') l;
SELECT count(*), sum(a.id::bigint * b.id), sum(tree_edit_distance(a.doc, b.doc)) FROM large a JOIN large b ON a.id < b.id AND tree_within(a.doc, b.doc, 5);
SELECT count(*), sum(a.id::bigint * b.id), sum(tree_similarity(a.doc, b.doc)::numeric(9, 6)) FROM large a JOIN large b ON a.id < b.id AND tree_similar(a.doc, b.doc, 0.5);
RESET work_mem;
SELECT count(*), sum(a.id::bigint * b.id), sum(tree_edit_distance(a.doc, b.doc)) FROM large a JOIN large b ON a.id < b.id AND tree_within(a.doc, b.doc, 5);
SELECT count(*), sum(a.id::bigint * b.id), sum(tree_similarity(a.doc, b.doc)::numeric(9, 6)) FROM large a JOIN large b ON a.id < b.id AND tree_similar(a.doc, b.doc, 0.5);

-- the first rows, cursors
SELECT count(*) FROM (SELECT 1 FROM large a JOIN large b ON tree_within(a.doc, b.doc, 5) LIMIT 5) l;
BEGIN;
DECLARE c SCROLL CURSOR FOR SELECT a.id AS a, b.id AS b FROM docs a JOIN docs b ON tree_within(a.doc, b.doc, 1) ORDER BY 1, 2;
FETCH 3 FROM c;
FETCH BACKWARD 2 FROM c;
FETCH LAST FROM c;
CLOSE c;
DECLARE c SCROLL CURSOR FOR SELECT 1 AS one FROM docs a JOIN docs b ON tree_within(a.doc, b.doc, 1);
MOVE 5 FROM c;
FETCH PRIOR FROM c;
CLOSE c;
DECLARE c NO SCROLL CURSOR FOR SELECT 1 AS one FROM docs a JOIN docs b ON tree_within(a.doc, b.doc, 1);
FETCH 1 FROM c;
FETCH PRIOR FROM c;
ROLLBACK;

-- started over
SELECT q, s.* FROM (VALUES
  ('SELECT k, n FROM generate_series(-1, 3) k, LATERAL (SELECT count(*) AS n FROM docs a JOIN others b ON tree_edit_distance(a.doc, b.doc) <= k) l'),
  ('SELECT g, n FROM generate_series(0, 8) g, LATERAL (SELECT count(*) AS n FROM docs a JOIN others b ON tree_edit_distance(a.doc, b.doc) <= 1 WHERE a.grp = g) l'),
  ('SELECT g, n FROM generate_series(0, 8) g, LATERAL (SELECT count(*) AS n FROM docs a JOIN others b ON tree_edit_distance(a.doc, b.doc) <= 1 WHERE b.id % 7 = g) l'),
  ('SELECT g, l.id FROM generate_series(0, 3) g, LATERAL (SELECT a.id FROM docs a JOIN others b ON tree_edit_distance(a.doc, b.doc) <= 1 WHERE a.grp = g ORDER BY a.id, b.id LIMIT 3) l'),
  ('SELECT d.id, EXISTS (SELECT 1 FROM docs a JOIN docs b ON tree_within(a.doc, b.doc, 1) WHERE a.id <> b.id AND a.id = d.id) FROM docs d WHERE d.id % 40 = 0')
) v(q), same(q) s;
SET work_mem = '64kB';
SELECT * FROM generate_series(-1, 1) k, LATERAL (SELECT count(*) AS n FROM large a JOIN large b ON tree_edit_distance(a.doc, b.doc) <= k) l;
RESET work_mem;
SET enable_material = off;
SET enable_hashjoin = off;
SET enable_mergejoin = off;
SELECT * FROM same('SELECT c.id, j.* FROM papers c JOIN (SELECT a.id AS a, b.id AS b FROM others a JOIN others b ON tree_within(a.doc, b.doc, 1) OFFSET 0) j ON c.id = j.a - 1000 AND c.id % 3 = 0');
RESET enable_material;
RESET enable_hashjoin;
RESET enable_mergejoin;

-- partitioned tables
CREATE TABLE parted (id int, grp int, doc tree) PARTITION BY RANGE (grp);
CREATE TABLE parted_0 PARTITION OF parted FOR VALUES FROM (0) TO (4);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES FROM (4) TO (7);
INSERT INTO parted SELECT * FROM docs;
ANALYZE parted;
SELECT * FROM same('SELECT a.id, b.id, tree_edit_distance(a.doc, b.doc) FROM parted a JOIN parted b ON tree_within(a.doc, b.doc, 1)');
SET enable_partitionwise_join = on;
SET enable_hashjoin = off;
SET enable_mergejoin = off;
SELECT * FROM same('SELECT a.id, b, tree_edit_distance(a.doc, b.doc) FROM parted a JOIN parted b ON a.grp = b.grp AND tree_within(a.doc, b.doc, 1)');
RESET enable_partitionwise_join;
RESET enable_hashjoin;
RESET enable_mergejoin;

-- parallel workers; which labels are the rarest ones depends on who reads what
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
ALTER TABLE large SET (parallel_workers = 2);
EXPLAIN (COSTS OFF) SELECT a.id, b.id, tree_edit_distance(a.doc, b.doc) FROM large a JOIN large b ON a.id < b.id AND tree_within(a.doc, b.doc, 5);
SELECT count(*), sum(a::bigint * b), sum(d)
FROM (SELECT a.id AS a, b.id AS b, tree_edit_distance(a.doc, b.doc) AS d FROM large a JOIN large b ON a.id < b.id AND tree_within(a.doc, b.doc, 5) OFFSET 0) j;
SELECT l FROM explain('SELECT a.id FROM large a JOIN large b ON a.id < b.id AND tree_within(a.doc, b.doc, 5)', 'ANALYZE') l WHERE l ~ 'Pairs' AND l !~ 'Labels';
SET parallel_leader_participation = off;
SET work_mem = '64kB';
SELECT count(*), sum(a::bigint * b), sum(d)
FROM (SELECT a.id AS a, b.id AS b, tree_edit_distance(a.doc, b.doc) AS d FROM large a JOIN large b ON a.id < b.id AND tree_within(a.doc, b.doc, 5) OFFSET 0) j;
-- in partitions, pairs of similar size depend on who reads what, too
SELECT l FROM explain('SELECT a.id FROM large a JOIN large b ON a.id < b.id AND tree_within(a.doc, b.doc, 5)', 'ANALYZE') l WHERE l ~ 'Pairs (Settled|Verified)';
-- an error in a worker
SELECT count(*) FROM large a JOIN large b ON a.id < b.id AND tree_within(a.doc, b.doc, 5) AND 1 / (a.id - 1500) < 2;
-- and a cancel
SET statement_timeout = 100;
SELECT count(*) FROM large a JOIN large b ON a.id < b.id AND tree_within(a.doc, b.doc, 15);
RESET statement_timeout;
SET enable_material = off;
SELECT k, n FROM generate_series(-1, 5, 3) k, LATERAL (SELECT count(*) AS n FROM large a JOIN large b ON tree_edit_distance(a.doc, b.doc) <= k) l;
RESET enable_material;
-- equal trees in several processes; different and equal rows on both sides
ALTER TABLE docs SET (parallel_workers = 2);
SELECT q, s.* FROM (VALUES
  ('SELECT a.id, b.id, tree_edit_distance(a.doc, b.doc) FROM docs a JOIN docs b ON tree_within(a.doc, b.doc, 2)'),
  ('SELECT a.id, b.id, tree_edit_distance(a.doc, b.doc) FROM docs a JOIN docs b ON tree_within(a.doc, b.doc, 2) AND a.id < b.id WHERE a.grp > 2 AND b.grp > 2'),
  ('SELECT a.id, b.id, tree_edit_distance(a.doc, b.doc) FROM docs a JOIN docs b ON tree_within(a.doc, b.doc, 2) WHERE a.grp > 2 AND b.grp > 3')
) v(q), same(q) s;
RESET work_mem;
SELECT q, s.* FROM (VALUES
  ('SELECT a.id, b.id, tree_edit_distance(a.doc, b.doc) FROM docs a JOIN docs b ON tree_within(a.doc, b.doc, 2)'),
  ('SELECT a.id, b.id, tree_edit_distance(a.doc, b.doc) FROM docs a JOIN docs b ON tree_within(a.doc, b.doc, 2) AND a.id < b.id WHERE a.grp > 2 AND b.grp > 2'),
  ('SELECT a.id, b.id, tree_edit_distance(a.doc, b.doc) FROM docs a JOIN docs b ON tree_within(a.doc, b.doc, 2) WHERE a.grp > 2 AND b.grp > 3')
) v(q), same(q) s;
SET enable_material = off;
SET work_mem = '64kB';
-- the same workers' nodes started over, with and without rows that do not fit in memory
CREATE VIEW repeated AS
SELECT g, n, l FROM generate_series(1, 2) g
  LEFT JOIN (SELECT count(*) AS n FROM large a JOIN large b ON tree_within(a.doc, b.doc, 5)) j ON true
  LEFT JOIN (SELECT count(*) AS l FROM (SELECT FROM large a JOIN large b ON tree_within(a.doc, b.doc, 5) LIMIT 9000) k) i ON true;
SELECT * FROM repeated;
RESET work_mem;
SELECT * FROM repeated;
RESET enable_material;
-- workers planned, but not to be had
SET parallel_leader_participation = on;
SET max_parallel_workers = 0;
SELECT count(*) FROM large a JOIN large b ON a.id < b.id AND tree_within(a.doc, b.doc, 5);
SET work_mem = '64kB';
SELECT count(*) FROM large a JOIN large b ON a.id < b.id AND tree_within(a.doc, b.doc, 5);
RESET work_mem;
RESET max_parallel_workers;
RESET parallel_leader_participation;
RESET max_parallel_workers_per_gather;
RESET parallel_setup_cost;
RESET parallel_tuple_cost;
RESET min_parallel_table_scan_size;

-- where TedJoin must not be used, or cannot
CREATE VIEW not_planned AS SELECT * FROM (VALUES
  ('SELECT a.id, b.id FROM docs a JOIN others b ON tree_edit_distance(a.doc, b.doc) >= 1'),
  ('SELECT a.id, b.id FROM docs a JOIN others b ON tree_edit_distance(a.doc, b.doc) <= random()::int'),
  ('SELECT a.id, b.id FROM docs a JOIN others b ON (tree_within(a.doc, b.doc, 1) OR a.id = b.id)')
) v(query);
CREATE FUNCTION plans(query text) RETURNS boolean AS $$
DECLARE
	line text;
BEGIN
	FOR line IN EXECUTE 'EXPLAIN ' || query LOOP
		IF line LIKE '%TedJoin%' THEN
			RETURN true;
		END IF;
	END LOOP;
	RETURN false;
END $$ LANGUAGE plpgsql;
SELECT query, plans(query) FROM not_planned;
SELECT plans('INSERT INTO others SELECT a.id, b.doc FROM docs a JOIN others b ON tree_within(a.doc, b.doc, 1)');

-- a function of the same name is not ours
CREATE SCHEMA elsewhere;
CREATE FUNCTION elsewhere.tree_edit_distance(tree, tree) RETURNS int IMMUTABLE LANGUAGE plpgsql AS 'BEGIN RETURN 7; END';
SELECT plans('SELECT 1 FROM docs a JOIN others b ON elsewhere.tree_edit_distance(a.doc, b.doc) <= 1');
SET search_path = elsewhere, public;
SELECT plans('SELECT 1 FROM docs a JOIN others b ON public.tree_edit_distance(a.doc, b.doc) <= 1');
RESET search_path;

DROP SCHEMA elsewhere CASCADE;
DROP VIEW not_planned, repeated;
DROP TABLE docs, others, papers, large, parted;
DROP FUNCTION same, plans;
