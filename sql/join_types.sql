-- Joins of all types and statements of all kinds, run as TedJoin

CREATE TABLE docs (id int, grp int, k int, s float8, doc tree);
INSERT INTO docs
SELECT i, i % 7, nullif(i % 4, 3), nullif(0.6 + i % 5 / 10.0, 0.8), CASE WHEN i % 23 <> 0 THEN ('{r{' || i % 30 || '}' || repeat('{x}', i % 7) || '{' || i % 11 || '}}')::tree END
FROM generate_series(1, 90) i;
CREATE TABLE others AS SELECT id + 1000 AS id, grp, k, s, doc FROM docs WHERE id % 3 = 0 OR doc IS NULL;
INSERT INTO others SELECT 2000 + i, 0, 1, 0.7, ('{other{' || i || '}{y}{z}{z}{z}}')::tree FROM generate_series(1, 5) i;
CREATE TABLE nothing (LIKE docs);
ANALYZE docs, others, nothing;

-- tables this small are as well joined by a nested loop
SET enable_nestloop = off;
SET jit = off;

-- Runs a query with TedJoin in much and in little memory, and, the first time, without it.
CREATE TABLE plain (query text PRIMARY KEY, rows bigint, texts text);
CREATE FUNCTION same(query text, OUT planned boolean, OUT rows bigint, OUT same boolean) AS $$
DECLARE
	gathered text := 'SELECT count(*), string_agg(q::text, '' '' ORDER BY q::text) FROM (' || query || ') q';
	line text;
	own_rows text;
	little bigint;
	little_rows text;
	other bigint;
	other_rows text;
BEGIN
	planned := false;
	FOR line IN EXECUTE 'EXPLAIN ' || query LOOP
		planned := planned OR line LIKE '%Custom Scan (TedJoin)%';
	END LOOP;
	EXECUTE gathered INTO rows, own_rows;
	SET LOCAL work_mem = '64kB';
	SET LOCAL hash_mem_multiplier = 1;
	EXECUTE gathered INTO little, little_rows;
	SELECT p.rows, p.texts INTO other, other_rows FROM plain p WHERE p.query = same.query;
	IF NOT FOUND THEN
		SET LOCAL ted.enable_join = off;
		EXECUTE gathered INTO other, other_rows;
		SET LOCAL ted.enable_join = on;
		INSERT INTO plain VALUES (query, other, other_rows);
	END IF;
	SET LOCAL work_mem = '4MB';
	same := rows = other AND little = other AND own_rows IS NOT DISTINCT FROM other_rows
		AND little_rows IS NOT DISTINCT FROM other_rows;
END $$ LANGUAGE plpgsql;

CREATE VIEW queries AS
SELECT format(template, clause) AS query, i + j AS number
FROM unnest(ARRAY[
  'SELECT a.id, b.id AS b, tree_edit_distance(a.doc, b.doc) FROM docs a JOIN others b ON %s',
  'SELECT a.id, b.id AS b, b.doc FROM docs a LEFT JOIN others b ON %s',
  'SELECT a.id, b.id AS b, tree_similarity(b.doc, a.doc) FROM docs a RIGHT JOIN others b ON %s',
  'SELECT a.id FROM docs a WHERE EXISTS (SELECT FROM others b WHERE %s)',
  'SELECT a.id, a.doc FROM docs a WHERE NOT EXISTS (SELECT FROM others b WHERE %s)',
  'SELECT a.id, b.id AS b FROM docs a LEFT JOIN others b ON %s WHERE b.id IS NULL',
  'SELECT a.id, b.id AS b FROM docs a LEFT JOIN docs b ON %s AND a.id < b.id',
  'SELECT a.id, b.id AS b FROM docs a RIGHT JOIN docs b ON %s AND a.id < b.id',
  'SELECT a.id, a.doc FROM docs a WHERE EXISTS (SELECT FROM docs b WHERE %s AND a.id <> b.id)',
  'SELECT a.* FROM docs a WHERE NOT EXISTS (SELECT FROM docs b WHERE %s AND a.id <> b.id)',
  'SELECT a.id, b.id AS b, c.id AS c FROM docs a LEFT JOIN others b ON %s LEFT JOIN docs c ON c.id = a.id + b.id - 1000',
  'SELECT c.id, a.id AS a, b.doc FROM docs c LEFT JOIN docs a ON a.grp = c.grp LEFT JOIN others b ON %s',
  'SELECT a.id, b.id AS b FROM docs a LEFT JOIN others b ON %s WHERE b.grp IS DISTINCT FROM 2',
  'SELECT a.id, b.id AS b FROM docs a LEFT JOIN others b ON %s AND a.grp > 2 AND b.grp < 5',
  'SELECT a.id, b.id AS b FROM docs a LEFT JOIN nothing b ON %s',
  'SELECT a.id, b.id AS b FROM nothing a RIGHT JOIN docs b ON %s',
  'SELECT a.id FROM docs a WHERE NOT EXISTS (SELECT FROM nothing b WHERE %s)'
]) WITH ORDINALITY AS t(template, i), unnest(ARRAY[
  'tree_edit_distance(a.doc, b.doc) <= 1',
  'tree_similarity(a.doc, b.doc) >= 0.85',
  'tree_edit_distance(a.doc, b.doc) <= a.k',
  'tree_edit_distance(b.doc, a.doc) < b.k + 1',
  'tree_similar(b.doc, a.doc, a.s)',
  'a.doc <-> b.doc BETWEEN 1 AND b.k',
  'tree_normalized_distance(a.doc, b.doc) <= b.s / 4',
  'tree_edit_distance(a.doc, b.doc, tree_costs(2, 3, 1)) <= 3',
  'tree_edit_distance(a.doc, b.doc) <= (SELECT NULL::int)'
]) WITH ORDINALITY AS c(clause, j);

CREATE TEMP TABLE outcomes AS SELECT query, s.* FROM queries, same(query) s;
SELECT * FROM outcomes WHERE NOT (planned AND same);
SELECT count(*), sum(rows), bool_and(planned), bool_and(same) FROM outcomes;

-- a full join, which PostgreSQL refuses without TedJoin, is a left and a right one
CREATE FUNCTION same_full(clause text, a text, b text, memory text) RETURNS boolean AS $$
DECLARE
	own text;
	other text;
BEGIN
	PERFORM set_config('work_mem', memory, true);
	EXECUTE format('SELECT string_agg((a.id, b.id)::text, '' '' ORDER BY a.id, b.id) FROM %s a FULL JOIN %s b ON %s', a, b, clause) INTO own;
	SET LOCAL ted.enable_join = off;
	EXECUTE format('SELECT string_agg((a, b)::text, '' '' ORDER BY a, b) FROM (
		SELECT a.id AS a, b.id AS b FROM %1$s a LEFT JOIN %2$s b ON %3$s
		UNION ALL SELECT NULL, b.id FROM %2$s b WHERE NOT EXISTS (SELECT FROM %1$s a WHERE %3$s)) u', a, b, clause) INTO other;
	SET LOCAL ted.enable_join = on;
	RETURN own = other;
END $$ LANGUAGE plpgsql;
SELECT clause, a, b, memory
FROM (SELECT DISTINCT split_part(query, ' ON ', 2) AS clause FROM queries WHERE query ~ 'JOIN others b ON [^|]*$' AND query ~ '^SELECT a.id, b.id AS b, b.doc') c,
	(VALUES ('docs', 'others'), ('docs', 'docs'), ('docs', 'nothing'), ('nothing', 'docs')) t(a, b),
	(VALUES ('4MB'), ('64kB')) m(memory)
WHERE NOT same_full(clause, a, b, memory);
SET ted.enable_join = off;
SELECT FROM docs a FULL JOIN others b ON tree_within(a.doc, b.doc, 1);
RESET ted.enable_join;

-- in parallel
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET max_parallel_workers_per_gather = 2;
-- a third of them in the short form of the tests
\set every `awk 'BEGIN { scale = ENVIRON["SCALE"]; print scale != "" && scale <= 0.1 ? 3 : 1 }'`
SELECT query, s.* FROM queries, same(query) s WHERE number % :every = 0 AND NOT (planned AND same);
-- each process reads other thresholds of the side that they read together
CREATE TABLE pages WITH (fillfactor = 10, parallel_workers = 2) AS
SELECT id, id / 10 AS k, doc FROM docs ORDER BY id;
ANALYZE pages;
EXPLAIN (COSTS off)
SELECT count(*) FROM pages a JOIN pages b ON tree_edit_distance(a.doc, b.doc) <= b.k;
SELECT s.* FROM same('SELECT a.id, b.id AS b FROM pages a JOIN pages b ON tree_edit_distance(a.doc, b.doc) <= b.k') s;
SELECT s.* FROM same('SELECT a.id, b.id AS b FROM pages a JOIN pages b ON tree_edit_distance(a.doc, b.doc) <= a.k') s;
-- a process comes late with a row of the outer side whose threshold is the largest
CREATE FUNCTION is_read(id int) RETURNS boolean AS $$ BEGIN
	PERFORM pg_sleep(0.3) WHERE id = 90;
	RETURN true;
END $$ LANGUAGE plpgsql STABLE PARALLEL SAFE;
SELECT s.* FROM same('SELECT a.id, b.id AS b FROM pages a LEFT JOIN pages b ON tree_edit_distance(a.doc, b.doc) <= CASE a.id WHEN 90 THEN 2 ELSE 0 END WHERE is_read(a.id)') s;
-- from 16 on, a measure that equals a constant is no group, and its columns pass through a partial aggregate
SET parallel_tuple_cost = 1;
SELECT s.* FROM same('SELECT a.k, tree_edit_distance(a.doc, b.doc), count(*) FROM pages a JOIN pages b ON tree_edit_distance(a.doc, b.doc) = 1 GROUP BY 1, 2') s;
DROP TABLE pages;
RESET parallel_setup_cost;
RESET parallel_tuple_cost;
RESET min_parallel_table_scan_size;
RESET max_parallel_workers_per_gather;

-- measures that aggregates and window functions ask for come from the join
EXPLAIN (VERBOSE, COSTS off)
SELECT a.grp, min(tree_edit_distance(a.doc, b.doc)), max(tree_similarity(b.doc, a.doc))
FROM docs a JOIN others b ON tree_edit_distance(a.doc, b.doc) <= 1
GROUP BY a.grp HAVING count(a.doc <-> b.doc) > 2;
SELECT explain('SELECT a.id, sum(tree_edit_distance(a.doc, b.doc)) OVER (PARTITION BY a.id), rank() OVER (ORDER BY a.doc <-> b.doc)
FROM docs a JOIN others b ON tree_edit_distance(a.doc, b.doc) <= 1', 'VERBOSE');
EXPLAIN (VERBOSE, COSTS off)
SELECT min(tree_edit_distance(a.doc, b.doc)), max(tree_size(a.doc))
FROM docs a LEFT JOIN others b ON tree_edit_distance(a.doc, b.doc) <= 1 JOIN docs c ON c.id = a.id;
SELECT q, s.* FROM (VALUES
  ('SELECT a.grp, min(tree_edit_distance(a.doc, b.doc)), max(tree_similarity(b.doc, a.doc)) FROM docs a JOIN others b ON tree_edit_distance(a.doc, b.doc) <= 1 GROUP BY a.grp HAVING count(a.doc <-> b.doc) > 2'),
  ('SELECT a.id, sum(tree_edit_distance(a.doc, b.doc)) OVER (PARTITION BY a.id), rank() OVER (ORDER BY a.doc <-> b.doc) FROM docs a JOIN others b ON tree_edit_distance(a.doc, b.doc) <= 1'),
  ('SELECT min(tree_edit_distance(a.doc, b.doc)), max(tree_size(a.doc)) FROM docs a LEFT JOIN others b ON tree_edit_distance(a.doc, b.doc) <= 1 JOIN docs c ON c.id = a.id'),
  ('SELECT tree_size(b.doc), count(DISTINCT tree_edit_distance(a.doc, b.doc)) FROM docs a RIGHT JOIN others b ON tree_edit_distance(a.doc, b.doc) <= 2 GROUP BY ROLLUP (1)'),
  ('SELECT DISTINCT tree_edit_distance(a.doc, b.doc) FROM docs a JOIN docs b ON tree_edit_distance(a.doc, b.doc) <= 2')
) v(q), same(q) s;
SET enable_hashagg = off;
SELECT same.* FROM same('SELECT a.grp, tree_edit_distance(a.doc, b.doc) FROM docs a JOIN docs b ON tree_edit_distance(a.doc, b.doc) <= 2 GROUP BY 1, 2');
RESET enable_hashagg;
-- values that are objects in memory
SELECT same.* FROM same('SELECT a.x, b.id FROM (SELECT doc, array_append(ARRAY[id], 2) AS x FROM docs OFFSET 0) a JOIN others b ON tree_within(a.doc, b.doc, 1)');

-- rescanned, and in a cursor
SELECT g, (SELECT count(*) FROM (SELECT a.id FROM docs a WHERE NOT EXISTS (SELECT FROM others b WHERE tree_edit_distance(a.doc, b.doc) <= g)) n) AS n
FROM generate_series(-1, 3) g;
BEGIN;
DECLARE c CURSOR FOR SELECT a.id, b.id AS b FROM docs a LEFT JOIN others b ON tree_within(a.doc, b.doc, 0) WHERE b.id IS NULL OR b.id % 50 = 0 ORDER BY 1, 2;
FETCH 2 FROM c;
FETCH 2 FROM c;
CLOSE c;
ROLLBACK;

-- statements that change or lock the tables that are joined
CREATE FUNCTION changed(statement text) RETURNS TABLE (planned boolean, same boolean) AS $$
DECLARE
	line text;
	own text;
	other text;
BEGIN
	planned := false;
	FOR line IN EXECUTE 'EXPLAIN ' || statement LOOP
		planned := planned OR line LIKE '%Custom Scan (TedJoin)%';
	END LOOP;
	BEGIN
		EXECUTE statement;
		SELECT string_agg(d::text, ' ' ORDER BY d::text) INTO own FROM docs d;
		RAISE EXCEPTION 'undo';
	EXCEPTION WHEN raise_exception THEN
	END;
	SET LOCAL ted.enable_join = off;
	BEGIN
		EXECUTE statement;
		SELECT string_agg(d::text, ' ' ORDER BY d::text) INTO other FROM docs d;
		RAISE EXCEPTION 'undo';
	EXCEPTION WHEN raise_exception THEN
	END;
	SET LOCAL ted.enable_join = on;
	same := own = other;
	RETURN NEXT;
END $$ LANGUAGE plpgsql;
SELECT statement, c.* FROM (VALUES
  ('DELETE FROM docs a USING docs b WHERE a.id > b.id AND tree_edit_distance(a.doc, b.doc) <= 1'),
  ('DELETE FROM docs WHERE id IN (SELECT b.id FROM docs a JOIN docs b ON a.id < b.id AND tree_edit_distance(a.doc, b.doc) <= 1)'),
  ('DELETE FROM docs a WHERE EXISTS (SELECT FROM others b WHERE tree_within(a.doc, b.doc, 1)) RETURNING a.*'),
  ('DELETE FROM docs a WHERE NOT EXISTS (SELECT FROM others b WHERE tree_within(a.doc, b.doc, 1))'),
  ('UPDATE docs a SET grp = -1 FROM others b WHERE tree_edit_distance(a.doc, b.doc) <= 1'),
  ('UPDATE docs SET grp = c.n FROM (SELECT a.id, count(*) AS n FROM docs a JOIN others b ON tree_similarity(a.doc, b.doc) >= 0.9 GROUP BY a.id) c WHERE c.id = docs.id'),
  ('UPDATE docs d SET grp = b.id FROM docs a JOIN others b ON tree_within(a.doc, b.doc, 0) WHERE d.id = a.id AND b.id % 2 = 0'),
  ('INSERT INTO docs SELECT a.id, b.id FROM docs a LEFT JOIN others b ON tree_within(a.doc, b.doc, 1)'),
  ('SELECT a.id FROM docs a JOIN others b ON tree_within(a.doc, b.doc, 1) FOR UPDATE'),
  ('SELECT a.id FROM docs a JOIN others b ON tree_within(a.doc, b.doc, 1) FOR SHARE OF b'),
  ('SELECT a.id FROM docs a LEFT JOIN others b ON tree_within(a.doc, b.doc, 1) FOR UPDATE OF a')
) v(statement), changed(statement) c;

-- why another plan was taken
RESET enable_nestloop;
SET ted.explain_rejected = on;
EXPLAIN (COSTS off) SELECT FROM docs a JOIN others b ON tree_within(a.doc, b.doc, 1) OR a.id = b.id;
EXPLAIN (COSTS off) SELECT FROM docs a JOIN others b ON tree_edit_distance(a.doc, b.doc) >= 1;
EXPLAIN (COSTS off) SELECT FROM docs a JOIN others b ON tree_edit_distance(a.doc, b.doc) <= a.k + b.k;
EXPLAIN (COSTS off) SELECT FROM docs a JOIN others b ON tree_edit_distance(a.doc, b.doc) <= random();
EXPLAIN (COSTS off) SELECT FROM docs a LEFT JOIN others b ON a.id = b.id WHERE tree_edit_distance(a.doc, b.doc) <= 1 OR b.id IS NULL;
SET ted.enable_join = off;
EXPLAIN (COSTS off) SELECT FROM docs a JOIN others b ON tree_within(a.doc, b.doc, 1);
RESET ted.enable_join;
\set VERBOSITY terse
EXPLAIN (COSTS off) SELECT FROM docs a JOIN others b ON tree_within(a.doc, b.doc, 1) AND a.id = b.id;
\set VERBOSITY default
RESET ted.explain_rejected;

DROP VIEW queries;
DROP TABLE docs, others, nothing, plain, outcomes;
DROP FUNCTION same, same_full, changed;
