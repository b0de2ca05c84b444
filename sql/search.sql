-- Searches by thresholds, in all ways that they can be spelt

CREATE TABLE docs (id int PRIMARY KEY, k int, x float8, doc tree);
INSERT INTO docs
SELECT i, i % 5 - 1, i % 5 / 10.0, ('{r{' || i % 40 || '}' || repeat('{x}', i % 7) || '{' || i % 11 || '{' || i * 7919 % 101 || '}}}')::tree
FROM generate_series(1, 500) i;
INSERT INTO docs SELECT 500 + i, i % 5, NULL, CASE WHEN i > 20 THEN ('{' || i % 5 || '}')::tree END FROM generate_series(1, 40) i;
CREATE INDEX docs_index ON docs USING gist (doc);
ANALYZE docs;

-- what PostgreSQL 18 says of settings is left out
CREATE FUNCTION plan(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  line text;
BEGIN
  FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
    IF line !~ 'Disabled: ' THEN
      RETURN NEXT replace(line, 'SubPlan expr_', 'SubPlan ');
    END IF;
  END LOOP;
END
$$;

-- Searches by a condition, which is also evaluated for all rows as a column.
CREATE FUNCTION search(condition text, OUT index boolean, OUT rows bigint, OUT same boolean) LANGUAGE plpgsql AS $$
DECLARE
  query text := format('SELECT id FROM docs WHERE %s', condition);
  found text;
  expected text;
BEGIN
  SELECT bool_or(line LIKE '%docs_index%') INTO index FROM plan(query) line;
  EXECUTE format('SELECT count(*), string_agg(id::text, '','' ORDER BY id) FROM (%s) s', query) INTO rows, found;
  EXECUTE format('SELECT string_agg(id::text, '','' ORDER BY id) FROM (SELECT id, (%s) AS c FROM docs OFFSET 0) s WHERE c', condition) INTO expected;
  same := found IS NOT DISTINCT FROM expected;
END
$$;

SET enable_seqscan = off;
SET jit = off;
CREATE TABLE conditions AS SELECT number, replace(c, 'Q', '''{r{1}{x}{1{41}}}''') AS condition FROM unnest(ARRAY[
  'tree_within(doc, Q, 2)',
  'tree_edit_distance(doc, Q) <= 3',
  'tree_edit_distance(Q, doc) < 3',
  '2 >= tree_edit_distance(doc, Q)',
  'tree_edit_distance(doc, Q) = 2',
  'tree_edit_distance(doc, Q) BETWEEN 1 AND 2',
  'NOT tree_edit_distance(doc, Q) > 2',
  'tree_edit_distance(doc, Q) <= 2.5',
  'tree_edit_distance(doc, Q) < 2.5::real',
  'tree_edit_distance(doc, Q) < 3::bigint',
  'tree_edit_distance(doc, Q) <= ''nan''::float8',
  'doc <-> Q <= 2',
  '3 > Q <-> doc',
  'tree_edit_distance_less_equal(doc, Q, 3) <= 2',
  'tree_edit_distance_less_equal(doc, Q, 1) <= 2',
  'tree_similarity(doc, Q) >= 0.6',
  'tree_similarity(doc, Q) > 0.6',
  'tree_similarity(doc, Q) = 0.6',
  'tree_similar(doc, Q, 0.6)',
  'tree_normalized_distance(doc, Q) <= 0.4',
  'tree_normalized_distance(doc, Q) < 0.4',
  'tree_normalized_distance(doc, Q) <= 0.3333333333333333',
  'tree_edit_distance(doc, Q, tree_costs(2, 3, 2)) <= 5',
  'tree_edit_distance_less_equal(doc, Q, 4, tree_costs(1, 2, 3)) < 4',
  'tree_edit_distance(doc, Q) <= (SELECT 2)',
  'tree_edit_distance(doc, Q) <= (SELECT 2.5)',
  'tree_edit_distance(doc, Q) < (SELECT -1::bigint)',
  'tree_edit_distance(doc, Q) < (SELECT ''infinity''::numeric)',
  'tree_similarity(doc, Q) > (SELECT 0.6::real)',
  'tree_normalized_distance(doc, Q) <= (SELECT 0.4)',
  'tree_normalized_distance(doc, Q) <= (SELECT ''-1e308''::float8)',
  'tree_normalized_distance(doc, Q) < (SELECT ''nan''::float8)',
  'tree_edit_distance(doc, Q) <= 1 OR tree_edit_distance(doc, ''{2}'') < 1 AND id > 20',
  'tree_edit_distance(doc, Q) <= 1 OR tree_edit_distance(doc, ''{2}'') > 1',
  'tree_edit_distance(doc, Q) <= 1 OR id = 7',
  'tree_edit_distance(doc, Q) <= k',
  'tree_edit_distance(doc, Q) <= -1',
  'tree_edit_distance(doc, doc) <= 1',
  'tree_edit_distance(doc, Q) <= 2 AND tree_similarity(doc, Q) >= 0.6 AND doc <-> ''{r{1}{x}{1}}'' < 4'])
  WITH ORDINALITY AS c (c, number);
SELECT condition, s.* FROM conditions, search(condition) s ORDER BY number;

-- the same with GIN
DROP INDEX docs_index;
CREATE INDEX docs_index ON docs USING gin (doc);
SELECT condition, s.* FROM conditions, search(condition) s WHERE NOT (index AND same) ORDER BY number;
DROP INDEX docs_index;
CREATE INDEX docs_index ON docs USING gist (doc);

-- plans: what follows from a clause is searched for, and checked first
SELECT plan($$SELECT id FROM docs WHERE tree_edit_distance(doc, '{r{1}}') <= 2$$);
SELECT plan($$SELECT id FROM docs WHERE tree_similarity(doc, '{r{1}}') > 0.75$$);
SELECT plan($$SELECT id FROM docs WHERE tree_edit_distance(doc, '{r{1}}') <= 2 OR tree_edit_distance(doc, '{r{2}}') <= 2$$);
SET enable_indexscan = off;
SET enable_bitmapscan = off;
SET enable_seqscan = on;
SELECT plan($$SELECT id FROM docs WHERE tree_edit_distance(doc, '{r{1}}') <= 2$$);
SET enable_seqscan = off;
RESET enable_indexscan;
RESET enable_bitmapscan;

-- nothing follows from what may change, or from subqueries that are run for each row
SELECT plan($$SELECT id FROM docs WHERE tree_edit_distance(doc, '{a}') <= random()$$);
SELECT plan($$SELECT id FROM docs d WHERE tree_edit_distance(doc, '{a}') <= (SELECT e.k FROM docs e WHERE e.id = d.k)$$);

-- limits that are not known when planning
PREPARE distance(tree, numeric) AS SELECT count(*) FROM docs WHERE tree_edit_distance(doc, $1) <= $2;
PREPARE similarity(tree, float8) AS SELECT count(*) FROM docs WHERE tree_similarity(doc, $1) >= $2;
PREPARE normalized(tree, float8) AS SELECT count(*) FROM docs WHERE tree_normalized_distance(doc, $1) <= $2;
SET plan_cache_mode = force_generic_plan;
SELECT plan($$EXECUTE distance('{r{1}}', 3)$$);
SELECT plan($$EXECUTE similarity('{r{1}}', 0.5)$$);
SELECT plan($$EXECUTE normalized('{r{1}}', 0.5)$$);
EXECUTE distance('{r{1}{x}{1{41}}}', 2);
EXECUTE distance('{r{1}{x}{1{41}}}', 2.5);
EXECUTE distance('{r{1}{x}{1{41}}}', -1);
EXECUTE distance('{r{1}{x}{1{41}}}', 1e500);
EXECUTE distance('{r{1}{x}{1{41}}}', NULL);
EXECUTE distance(NULL, 2);
EXECUTE similarity('{r{1}{x}{1{41}}}', 0.6);
EXECUTE similarity('{r{1}{x}{1{41}}}', 'nan');
EXECUTE similarity('{r{1}{x}{1{41}}}', '-inf');
EXECUTE normalized('{r{1}{x}{1{41}}}', 0.4);
EXECUTE normalized('{r{1}{x}{1{41}}}', 'nan');
EXECUTE normalized('{r{1}{x}{1{41}}}', -1);
RESET plan_cache_mode;

-- limits and documents of the other side of a join
CREATE TABLE queries AS SELECT id, k, x, doc FROM docs WHERE id % 61 = 5 OR id BETWEEN 518 AND 523;
ANALYZE queries;
SET enable_hashjoin = off;
SET ted.enable_join = off;
CREATE FUNCTION joined(clause text, kind text, OUT index boolean, OUT rows bigint, OUT same boolean) LANGUAGE plpgsql AS $$
DECLARE
  query text := format('SELECT q.id, d.id FROM queries q %s JOIN docs d ON %s', kind, clause);
  found text;
  expected text;
BEGIN
  SELECT bool_or(line LIKE '%docs_index%') INTO index FROM plan(query) line;
  EXECUTE format('SELECT count(*), string_agg(s::text, '' '' ORDER BY s::text) FROM (%s) s', query) INTO rows, found;
  EXECUTE format('SELECT string_agg(s::text, '' '' ORDER BY s::text) FROM (%s) s',
                 format('SELECT q.id, d.id FROM queries q %s JOIN docs d ON CASE WHEN %s THEN true END', kind, clause)) INTO expected;
  same := found IS NOT DISTINCT FROM expected;
END
$$;
SELECT clause, kind, s.* FROM unnest(ARRAY[
  'tree_edit_distance(d.doc, q.doc) <= 2',
  'tree_edit_distance(q.doc, d.doc) <= q.k',
  'd.doc <-> q.doc < q.x * 10',
  'tree_similarity(d.doc, q.doc) >= 1 - q.x',
  'tree_normalized_distance(d.doc, q.doc) <= q.x',
  'tree_edit_distance(q.doc, d.doc) <= 1 OR d.doc <-> q.doc = 2']) clause, unnest('{"",LEFT}'::text[]) kind, joined(clause, kind) s;
SELECT plan($$SELECT count(*) FROM queries q JOIN docs d ON tree_edit_distance(d.doc, q.doc) <= q.k$$);
SELECT plan($$SELECT q.id, (SELECT count(*) FROM docs d WHERE tree_edit_distance(d.doc, q.doc) <= 1) FROM queries q$$);
RESET enable_hashjoin;
RESET ted.enable_join;

-- the nearest by any measure; of equally near ones, any may come
CREATE FUNCTION nearest(measure text, direction text, OUT index boolean, OUT same boolean) LANGUAGE plpgsql AS $$
DECLARE
  query text := format('SELECT %s AS m FROM docs ORDER BY %1$s %s LIMIT 25', measure, direction);
  found text;
  expected text;
BEGIN
  SELECT bool_or(line LIKE '%docs_index%') INTO index FROM plan(query) line;
  EXECUTE format('SELECT string_agg(coalesce(m::text, ''NULL''), '','') FROM (%s) s', query) INTO found;
  EXECUTE format('SELECT string_agg(coalesce(m::text, ''NULL''), '','') FROM (SELECT m FROM (SELECT %s AS m FROM docs OFFSET 0) d ORDER BY m %s LIMIT 25) s',
                 measure, direction) INTO expected;
  same := found IS NOT DISTINCT FROM expected;
END
$$;
SET enable_seqscan = off;
SET enable_sort = off;
SELECT measure, direction, bool_and(index) AS index, bool_and(same) AS same
FROM unnest(ARRAY['{r{1}{x}{1{41}}}', '{r{7}{x}{x}{x}{x}{x}{x}{3}}', '{3}', '{r{1}{x}{x}{x}{x}{x}{x}{x}{x}{x}{x}{x}{x}{x}{x}{x}{x}{1{2}}}']) q,
(VALUES ('doc <-> %L', 'ASC'), ('tree_edit_distance(doc, %L)', 'ASC'), ('tree_edit_distance(%L, doc)', 'ASC'),
 ('doc <%%> %L', 'ASC'), ('tree_similarity(doc, %L)', 'DESC NULLS LAST'),
 ('doc <=> %L', 'ASC'), ('tree_normalized_distance(%L, doc)', 'ASC'),
 ('tree_similarity(doc, %L)', 'DESC'), ('tree_similarity(doc, %L)', 'ASC'), ('tree_edit_distance(doc, %L)', 'DESC'),
 ('tree_edit_distance(doc, %L)', 'ASC NULLS FIRST')) AS v (measure, direction),
nearest(format(measure, q), direction) GROUP BY 1, 2 ORDER BY 1, 2;
SELECT plan($$SELECT id FROM docs ORDER BY tree_edit_distance(doc, '{r{1}}') LIMIT 3$$);
SELECT plan($$SELECT id, tree_similarity(doc, '{r{1}}') FROM docs WHERE k > 1 ORDER BY tree_similarity(doc, '{r{1}}') DESC NULLS LAST, id LIMIT 3$$);
SELECT plan($$SELECT id FROM docs ORDER BY tree_normalized_distance(doc, '{r{1}}') LIMIT 3$$);
-- operators with a second key, by an incremental sort
SELECT plan($$SELECT id FROM docs ORDER BY doc <-> '{r{1}}', id DESC LIMIT 3$$);
SELECT plan($$SELECT id, doc <%> '{r{1}}' AS d FROM docs ORDER BY d, id LIMIT 3$$);
SELECT o, (SELECT array_agg(id) FROM (SELECT id FROM docs ORDER BY doc <-> q, id LIMIT 30 OFFSET o) n) =
          (SELECT array_agg(id) FROM (SELECT id FROM docs ORDER BY (doc <-> q) + 0, id LIMIT 30 OFFSET o) n) AS same
FROM (VALUES ('{r{1}{x}{1{41}}}'::tree)) v (q), generate_series(0, 40, 20) o;
SELECT plan($$SELECT q.id, n.id FROM queries q, LATERAL (SELECT id FROM docs d ORDER BY tree_edit_distance(d.doc, q.doc) LIMIT 1) n$$);
SELECT sum(n.d), sum(m.d) FROM queries q, LATERAL (SELECT tree_edit_distance(d.doc, q.doc) AS d FROM docs d ORDER BY 1 LIMIT 1 OFFSET 1) n,
  LATERAL (SELECT min(tree_edit_distance(d.doc, q.doc)) AS d FROM docs d WHERE d.id <> q.id) m;

-- similar ones first: NULLs come before them, unless there are none
SELECT plan($$SELECT id FROM docs WHERE doc IS NOT NULL ORDER BY tree_similarity(doc, '{r{1}}') DESC LIMIT 3$$);
CREATE TABLE papers (id int PRIMARY KEY, doc jsonb NOT NULL) PARTITION BY RANGE (id);
CREATE TABLE papers_1 PARTITION OF papers FOR VALUES FROM (MINVALUE) TO (50);
CREATE TABLE papers_2 PARTITION OF papers FOR VALUES FROM (50) TO (MAXVALUE);
INSERT INTO papers SELECT i, jsonb_build_object('n', i % 10, 'name', 'x' || i) FROM generate_series(1, 100) i;
CREATE INDEX ON papers USING gist ((doc::tree));
ANALYZE papers;
SELECT plan($$SELECT id FROM papers ORDER BY tree_similarity(doc, '{"n": 3, "name": "x53"}') DESC LIMIT 3$$);
SELECT round(tree_similarity(doc, '{"n": 3, "name": "x53"}')::numeric, 2) FROM papers ORDER BY tree_similarity(doc, '{"n": 3, "name": "x53"}') DESC LIMIT 3;
SELECT id FROM papers ORDER BY tree_edit_distance(doc, '{"n": 3, "name": "x53"}'), id DESC LIMIT 3;
BEGIN;
DECLARE found SCROLL CURSOR FOR SELECT tree_edit_distance(doc, '{"n": 3, "name": "x53"}') FROM papers_2 ORDER BY 1;
FETCH 4 FROM found;
FETCH BACKWARD 2 FROM found;
COMMIT;
DROP TABLE papers;
RESET enable_seqscan;
RESET enable_sort;
SELECT plan($$SELECT id FROM docs ORDER BY tree_edit_distance(doc, '{r{1}}') LIMIT 3$$);
SELECT plan($$SELECT id FROM docs ORDER BY tree_edit_distance(doc, '{r{1}}')$$);

-- partitions
CREATE TABLE parts (id int, doc tree) PARTITION BY RANGE (id);
CREATE TABLE parts_1 PARTITION OF parts FOR VALUES FROM (MINVALUE) TO (250);
CREATE TABLE parts_2 PARTITION OF parts FOR VALUES FROM (250) TO (MAXVALUE);
CREATE INDEX ON parts USING gist (doc);
INSERT INTO parts SELECT id, doc FROM docs;
ANALYZE parts;
SELECT plan($$SELECT id FROM parts WHERE tree_edit_distance(doc, '{r{1}{x}{1{41}}}') <= 2$$);
SELECT count(*) FROM parts WHERE tree_edit_distance(doc, '{r{1}{x}{1{41}}}') <= 2;
DROP TABLE parts;

-- documents, and changes of what is found
CREATE TABLE papers AS SELECT i AS id, jsonb_build_object('n', i % 10, 'name', 'x' || i) AS doc FROM generate_series(1, 100) i;
CREATE INDEX ON papers USING gin ((doc::tree));
SELECT plan($$SELECT id FROM papers WHERE tree_edit_distance(doc, '{"n": 3, "name": "x3"}') <= 1$$);
UPDATE papers SET id = -id WHERE tree_edit_distance(doc, '{"n": 3, "name": "x3"}') <= 1;
SELECT count(*) FROM papers WHERE id < 0;
DELETE FROM papers WHERE tree_similarity(doc, '{"n": 3, "name": "x3"}') >= 0.8;
SELECT count(*) FROM papers;
BEGIN;
DECLARE found CURSOR FOR SELECT id FROM papers WHERE tree_edit_distance(doc, '{"n": 4, "name": "x4"}') <= 0 FOR UPDATE;
FETCH found;
DELETE FROM papers WHERE CURRENT OF found;
COMMIT;
SELECT count(*) FROM papers;
SELECT count(*) FROM papers TABLESAMPLE system (100) WHERE tree_edit_distance(doc, '{"n": 5, "name": "x5"}') <= 1;
DROP TABLE papers;

-- conditions that hide rows come first: errors of a distance could tell of them
CREATE VIEW hidden WITH (security_barrier) AS SELECT * FROM docs WHERE length(k::text) < 3;
SELECT plan($$SELECT id FROM hidden WHERE tree_edit_distance(doc, '{r{1}}') <= 2$$);
SELECT count(*) FROM hidden WHERE tree_edit_distance(doc, '{r{1}{x}{1{41}}}') <= 2;
DROP VIEW hidden;
CREATE ROLE regress_ted_reader;
GRANT SELECT ON docs TO regress_ted_reader;
CREATE POLICY small ON docs USING (length(k::text) < 2);
ALTER TABLE docs ENABLE ROW LEVEL SECURITY;
SET ROLE regress_ted_reader;
SELECT plan($$SELECT id FROM docs WHERE tree_edit_distance(doc, '{r{1}}') <= 2$$);
SELECT plan($$SELECT id FROM docs ORDER BY tree_edit_distance(doc, '{r{1}}') LIMIT 3$$);
SELECT count(*) FROM docs WHERE tree_edit_distance(doc, '{r{1}{x}{1{41}}}') <= 4;
RESET ROLE;
SELECT count(*) FROM docs WHERE tree_edit_distance(doc, '{r{1}{x}{1{41}}}') <= 4;
ALTER TABLE docs DISABLE ROW LEVEL SECURITY;
DROP POLICY small ON docs;

-- who may not call what a clause is searched by, searches without
REVOKE EXECUTE ON FUNCTION tree_within(tree, tree, float8) FROM PUBLIC;
SET ROLE regress_ted_reader;
SELECT count(*) FROM docs WHERE tree_edit_distance(doc, '{r{1}{x}{1{41}}}') <= 2;
RESET ROLE;
GRANT EXECUTE ON FUNCTION tree_within(tree, tree, float8) TO PUBLIC;
REVOKE SELECT ON docs FROM regress_ted_reader;
DROP ROLE regress_ted_reader;
RESET enable_seqscan;

-- estimates: rows that the planner expects
CREATE FUNCTION expected_rows(query text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE plan json;
BEGIN
  EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO plan;
  RETURN plan->0->'Plan'->'Plan Rows';
END $$;
CREATE TABLE halves (id int, doc tree) PARTITION BY HASH (id);
CREATE TABLE halves_1 PARTITION OF halves FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE halves_2 PARTITION OF halves FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO halves SELECT i, CASE WHEN i <= 500 THEN '{a{b}{c}}' ELSE '{x{y}{z}}' END::tree FROM generate_series(1, 1000) i;
ANALYZE halves;
SELECT round(expected_rows($$SELECT * FROM halves WHERE tree_edit_distance(doc, '{a{b}{c}}') < 1$$), -2) AS half,
       expected_rows($$SELECT * FROM halves WHERE tree_edit_distance(doc, '{p{q}{r}}') <= 1$$) < 10 AS none,
       round(expected_rows($$SELECT * FROM halves WHERE tree_edit_distance(doc, '{a{b}{c}}') BETWEEN 0 AND 0.5$$), -2) AS between_half,
       round(expected_rows($$SELECT * FROM halves WHERE tree_edit_distance(doc, '{a{b}{c}}') > 0$$), -2) AS other_half,
       round(expected_rows($$SELECT * FROM halves WHERE tree_edit_distance(doc, '{a{b}{c}}') <= 0 OR tree_similarity(doc, '{p{q}{r}}') > 0.9$$), -2) AS or_half,
       round(expected_rows($$SELECT * FROM halves h, halves g WHERE tree_edit_distance(h.doc, g.doc) < 1 AND h.id = g.id$$), -2) AS joined_half;

-- a distance that clauses and results ask for is computed once, whatever comes between
CREATE TABLE large (id int, doc tree);
ALTER TABLE large ALTER doc SET STORAGE EXTERNAL;
INSERT INTO large SELECT n, ('{r' || string_agg('{' || md5((CASE WHEN i <= n THEN -i ELSE i END)::text) || '}', '') || '}')::tree
FROM generate_series(0, 3) n, generate_series(1, 200) i GROUP BY n;
CREATE INDEX ON large USING gist (doc);
CREATE FUNCTION other_distance(id int) RETURNS int LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT tree_edit_distance(l.doc, '{r}') FROM large l WHERE l.id = $1);
END $$;
CREATE FUNCTION change(id int) RETURNS int LANGUAGE plpgsql AS $$
BEGIN
  UPDATE large l SET doc = '{r}' WHERE l.id = $1;
  RETURN (SELECT tree_edit_distance(l.doc, '{r}') FROM large l WHERE l.id = $1);
END $$;
PREPARE around(tree) AS
SELECT id, tree_edit_distance(doc, $1), other_distance(id), tree_edit_distance(doc, $1, tree_costs(2, 3, 4)) AS costs,
       tree_edit_distance($1, doc, tree_costs(4, 1, 5)) AS other_costs, tree_edit_distance(doc, $1, tree_costs(0, 1, 1)) AS free, doc <-> $1 AS op,
       tree_edit_distance_less_equal(doc, $1, 1) > 1 AS beyond, tree_within(doc, $1, 1), tree_similarity(doc, $1),
       change(id), tree_edit_distance(doc, $1) AS again, tree_normalized_distance(doc, $1)
FROM large WHERE tree_edit_distance(doc, $1) BETWEEN 1 AND 2.5 AND tree_edit_distance(doc, $1, tree_costs(1, 1, 2)) <= 4 ORDER BY id;
SELECT quote_literal(doc) AS doc FROM large WHERE id = 0 \gset
BEGIN;
EXECUTE around(:doc);
ROLLBACK;
BEGIN;
SET LOCAL enable_indexscan = off;
SET LOCAL enable_bitmapscan = off;
SET LOCAL enable_seqscan = on;
EXECUTE around(:doc);
ROLLBACK;
DROP FUNCTION other_distance(int), change(int);
DROP TABLE halves, docs, queries, conditions, large;
DROP FUNCTION plan(text), search(text), joined(text, text), nearest(text, text), expected_rows(text);
