-- Plain joins of strings by a threshold, run as TedJoin

SET ted.explain_hardware = off;
SET jit = off;
CREATE TABLE docs (id int, grp int, k int, s float8, t text, y bytea, ta text[], ia int[], la bigint[],
	sa smallint[], ua uuid[], na numeric[], va varchar[]);
INSERT INTO docs
SELECT i, i % 7, nullif(i % 4, 3), nullif(0.6 + i % 5 / 10.0, 0.8), t, t::bytea, string_to_array(t, NULL),
       (SELECT coalesce(array_agg(ascii(c) - 100), '{}') FROM string_to_table(t, NULL) c),
       (SELECT coalesce(array_agg(ascii(c) * 5000000000), '{}') FROM string_to_table(t, NULL) c),
       (SELECT coalesce(array_agg(ascii(c)), '{}') FROM string_to_table(t, NULL) c),
       (SELECT coalesce(array_agg(md5(c)::uuid), '{}') FROM string_to_table(t, NULL) c),
       (SELECT coalesce(array_agg(round(ascii(c), (i + n)::int % 3) ORDER BY n), '{}') FROM string_to_table(t, NULL) WITH ORDINALITY s(c, n)),
       string_to_array(t, NULL)
FROM (SELECT i, CASE WHEN i % 23 <> 0 THEN left(substr('abracadabra simsalabim', i % 9) || repeat('xé', i % 5) || i % 11, i % 30) END AS t
      FROM generate_series(1, 90) i) q;
CREATE TABLE others AS SELECT id + 1000 AS id, grp, k, s, t, y, ta, ia, la, sa, ua, na, va FROM docs WHERE id % 3 = 0 OR t IS NULL;
INSERT INTO others SELECT 2000 + i, 0, 1, 0.7, i || 'yzz', 'y', ARRAY['', i::text], ARRAY[-i, i], ARRAY[i] FROM generate_series(1, 5) i;
CREATE TABLE nothing (LIKE docs);
ANALYZE docs, others, nothing;

-- tables this small are as well joined by a nested loop
SET enable_nestloop = off;

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
END $$ LANGUAGE plpgsql SET client_min_messages = error; -- not that some similarities are above 1

-- all spellings, in either order of the strings, and limits of all types
SELECT q, s.* FROM (SELECT 'SELECT a.id, b.id AS b FROM docs a JOIN others b ON ' || c FROM unnest(ARRAY[
  'lcs_similarity(a.t, b.t) >= 0.8',
  'lcs_similarity(a.t, b.t) > 0.8',
  '0.8 <= lcs_similarity(b.t, a.t)',
  '0.75 < lcs_similarity(a.t, b.t)',
  'lcs_similarity(a.t, b.t) = 1',
  'lcs_similarity(a.t, b.t) >= 0.8::real',
  'lcs_similarity(a.t, b.t) >= 0.75::numeric',
  'lcs_similarity(a.t, b.t) BETWEEN 0.7 AND 0.9',
  'NOT lcs_similarity(a.t, b.t) < 0.8',
  'lcs_similar(a.t, b.t, 0.8)',
  'lcs_similar(b.t, a.t, 0)',
  'lcs_similarity(b.t, a.t) >= -1',
  'lcs_similarity(b.t, a.t) >= 90',
  'lcs_similarity(a.t, b.t) <= ''NaN''::float8 AND lcs_similar(a.t, b.t, 0.6)',
  'lcs_within(a.t, b.t, 0)',
  'lcs_within(b.t, a.t, 5)',
  'lcs_within(b.t, a.t, 2147483647)',
  'lcs_distance(a.t, b.t) <= 2',
  'lcs_distance(a.t, b.t) < 2',
  'lcs_distance(a.t, b.t) = 2',
  '2 >= lcs_distance(b.t, a.t)',
  '2 > lcs_distance(a.t, b.t)',
  'lcs_distance(a.t, b.t) <= 2::bigint',
  'lcs_distance(a.t, b.t) < 2::smallint',
  'lcs_distance(a.t, b.t) <= 2.5',
  'lcs_distance(a.t, b.t) <= 1e30',
  'lcs_distance(a.t, b.t) <= -1',
  'lcs_distance(a.t, b.t) < ''NaN''::float8',
  'lcs_distance(a.t, b.t)::bigint <= 3',
  'lcs_distance(a.t, b.t) <= (SELECT count(*) FROM docs WHERE id < 3)',
  'lcs_distance(a.t, b.t) BETWEEN 1 AND 3',
  'lcs_distance_less_equal(a.t, b.t, 3) <= 3',
  'lcs_distance_less_equal(a.t, b.t, 5) < 3',
  'lcs_distance_less_equal(a.t, b.t, a.k) <= a.k',
  'lcs_distance(a.t, b.t) <= a.k',
  'lcs_distance(a.t, b.t) <= b.k + 1',
  'lcs_similar(a.t, b.t, b.s)',
  'lcs_similarity(a.t, b.t) > a.s - 0.2',
  'a.t <~> b.t <= 2',
  '3.5 > b.t <~> a.t',
  'NOT a.t <~> b.t > 2',
  'lcs_distance(a.t::varchar, b.t::varchar) <= 2',
  'lcs_distance(lower(a.t), upper(b.t)) <= 10',
  'lcs_distance(a.t COLLATE "C", b.t) <= 2',
  'lcs_similar(a.t, b.t, 0.5) AND a.grp < b.grp'
]) c) v(q), same(q) s;

-- these are not served, or only by a limit that is wide enough
SELECT q, s.* FROM (SELECT 'SELECT a.id, b.id AS b FROM docs a JOIN others b ON ' || c FROM unnest(ARRAY[
  'lcs_similarity(a.t, b.t) <= 0.2',
  'lcs_distance(a.t, b.t) >= 30',
  'lcs_distance_less_equal(a.t, b.t, 3) <= 5',
  'lcs_distance(a.t, b.t) <= a.k + b.k',
  'lcs_length(a.t, b.t) >= 20'
]) c) v(q), same(q) s;
SELECT count(*) FROM docs a JOIN others b ON lcs_within(a.t, b.t, -1);
-- no similarity is outside of 0 to 1
EXPLAIN (COSTS OFF) SELECT count(*) FROM docs a JOIN others b ON lcs_similar(a.t, b.t, 90);
SELECT count(*) FROM docs a JOIN others b ON lcs_similar(a.t, b.t, 90);
SELECT count(*) FROM docs a JOIN others b ON lcs_similar(a.ia, b.ia, 'NaN');
SELECT count(*) FROM docs a JOIN others b ON lcs_similar(a.y, b.y, b.s - 1);
SELECT count(*) FROM docs a JOIN docs b ON lcs_similar(a.ta, b.ta, -0.1) AND a.id < b.id;

-- joins of all types, of strings of all types
CREATE VIEW string_queries AS
SELECT c.doc, row_number() OVER () AS number, format(template, format(clause, 'a.' || c.doc, 'b.' || c.doc), c.doc) AS query
FROM unnest(ARRAY[
  'SELECT a.id, b.id AS b, lcs_distance(a.%2$s, b.%2$s), lcs_similarity(b.%2$s, a.%2$s), lcs_length(b.%2$s, a.%2$s) FROM docs a JOIN others b ON %1$s',
  'SELECT a.id, b.id AS b, lcs_similarity(a.%2$s, b.%2$s), lcs_length(b.%2$s, a.%2$s) FROM docs a JOIN docs b ON %1$s AND a.id < b.id',
  'SELECT a.id, b.id AS b, lcs_length(a.%2$s, b.%2$s), b.%2$s <~> a.%2$s, a.%2$s <%%> b.%2$s FROM docs a JOIN docs b ON %1$s',
  'SELECT a.id, b.id AS b, b.%2$s FROM docs a LEFT JOIN others b ON %1$s',
  'SELECT a.id, b.id AS b, lcs_similarity(b.%2$s, a.%2$s) FROM docs a RIGHT JOIN others b ON %1$s',
  'SELECT a.id FROM docs a WHERE EXISTS (SELECT FROM others b WHERE %1$s)',
  'SELECT a.id, a.%2$s FROM docs a WHERE NOT EXISTS (SELECT FROM others b WHERE %1$s)',
  'SELECT a.id, b.id AS b FROM docs a LEFT JOIN others b ON %1$s WHERE b.id IS NULL',
  'SELECT a.id, b.id AS b FROM docs a LEFT JOIN docs b ON %1$s AND a.id < b.id',
  'SELECT a.id, b.id AS b FROM docs a RIGHT JOIN docs b ON %1$s AND a.id < b.id',
  'SELECT a.id, a.%2$s FROM docs a WHERE EXISTS (SELECT FROM docs b WHERE %1$s AND a.id <> b.id)',
  'SELECT a.* FROM docs a WHERE NOT EXISTS (SELECT FROM docs b WHERE %1$s AND a.id <> b.id)',
  'SELECT a.id, b.id AS b FROM docs a LEFT JOIN nothing b ON %1$s',
  'SELECT a.id, b.id AS b FROM nothing a RIGHT JOIN docs b ON %1$s'
]) WITH ORDINALITY t(template, i), unnest(ARRAY[
  'lcs_distance(%s, %s) <= 3',
  'lcs_similarity(%s, %s) >= 0.8',
  'lcs_within(%2$s, %1$s, a.k)',
  'lcs_similar(%s, %s, b.s)'
]) WITH ORDINALITY l(clause, j), unnest('{t, y, ta, ia, la, sa, ua, na, va}'::text[]) c(doc)
WHERE c.doc = 't' OR (i < 4 AND j < 3);
CREATE TEMPORARY TABLE results AS SELECT q.*, s.* FROM string_queries q, same(query) s;
SELECT query, planned, same FROM results WHERE NOT (planned AND same);
SELECT doc, count(*), sum(rows) FROM results GROUP BY doc ORDER BY doc;

-- a full join, which PostgreSQL refuses without TedJoin, is a left and a right one
SELECT memory, count(*) AS rows, count(*) FILTER (WHERE a IS NULL) AS only_b, count(*) FILTER (WHERE b IS NULL) AS only_a
FROM (VALUES ('4MB'), ('64kB')) m(memory), set_config('work_mem', memory, true),
     LATERAL (SELECT a.id AS a, b.id AS b FROM docs a FULL JOIN others b ON lcs_similar(a.t, b.t, 0.9) OFFSET length(memory) - length(memory)) f
GROUP BY memory ORDER BY memory;
SELECT count(*) AS rows, count(*) FILTER (WHERE b IS NULL) AS only_a
FROM (SELECT a.id AS a, b.id AS b FROM docs a LEFT JOIN others b ON lcs_similar(a.t, b.t, 0.9)) l;
SELECT count(*) AS only_b FROM others b WHERE NOT EXISTS (SELECT FROM docs a WHERE lcs_similar(a.t, b.t, 0.9));

-- in parallel: a third of them, in the short form of the tests a ninth
\set every `awk 'BEGIN { scale = ENVIRON["SCALE"]; print scale != "" && scale <= 0.1 ? 3 : 1 }'`
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET max_parallel_workers_per_gather = 2;
ALTER TABLE docs SET (parallel_workers = 2);
ALTER TABLE others SET (parallel_workers = 2);
EXPLAIN (COSTS OFF) SELECT a.id, b.id FROM docs a JOIN docs b ON a.id < b.id AND lcs_similar(a.ta, b.ta, 0.8);
SELECT q.query, q.rows, s.*
FROM (SELECT * FROM results WHERE number % (3 * :every) = 0 OFFSET 0) q, same(query) s
WHERE NOT (s.planned AND s.same AND s.rows = q.rows);
RESET parallel_setup_cost;
RESET parallel_tuple_cost;
RESET min_parallel_table_scan_size;
RESET max_parallel_workers_per_gather;

-- measures come from the join, also where aggregates and window functions ask for them
EXPLAIN (VERBOSE, COSTS OFF)
SELECT a.id, b.id, lcs_similarity(b.t, a.t), lcs_distance(a.t, b.t), lcs_length(a.t, b.t), b.t <~> a.t, a.t <%> b.t
FROM docs a JOIN others b ON lcs_similarity(a.t, b.t) >= 0.9 ORDER BY lcs_similarity(a.t, b.t) DESC;
EXPLAIN (VERBOSE, COSTS OFF)
SELECT a.grp, min(lcs_distance(a.t, b.t)), max(lcs_similarity(b.t, a.t))
FROM docs a JOIN others b ON lcs_within(a.t, b.t, 3)
GROUP BY a.grp HAVING count(lcs_length(a.t, b.t)) > 2;
SELECT q, s.* FROM (VALUES
  ('SELECT a.grp, min(lcs_distance(a.t, b.t)), max(lcs_similarity(b.t, a.t)) FROM docs a JOIN others b ON lcs_within(a.t, b.t, 3) GROUP BY a.grp HAVING count(lcs_length(a.t, b.t)) > 2'),
  ('SELECT a.id, sum(lcs_distance(a.la, b.la)) OVER (PARTITION BY a.id), rank() OVER (ORDER BY lcs_distance(a.la, b.la)) FROM docs a JOIN others b ON lcs_distance(a.la, b.la) <= 4')
) v(q), same(q) s;

-- what has been done
SELECT explain('SELECT a.id FROM docs a JOIN docs b ON a.id < b.id AND lcs_similarity(a.t, b.t) >= 0.8', 'ANALYZE');

-- rescanned, in a cursor, and the first rows only
SELECT g, (SELECT count(*) FROM (SELECT a.id FROM docs a WHERE NOT EXISTS (SELECT FROM others b WHERE lcs_distance(a.t, b.t) <= g)) n) AS n
FROM generate_series(-1, 3) g;
BEGIN;
DECLARE c CURSOR FOR SELECT a.id, b.id AS b FROM docs a JOIN others b ON lcs_within(a.t, b.t, 1) ORDER BY 1, 2;
FETCH 2 FROM c;
FETCH 2 FROM c;
CLOSE c;
ROLLBACK;
SELECT count(*) FROM (SELECT FROM docs a JOIN others b ON lcs_similar(a.t, b.t, 0.5) LIMIT 7) l;

-- prepared statements, whose plans know no threshold
SET plan_cache_mode = force_generic_plan;
PREPARE pairs(float8) AS SELECT count(*), sum(lcs_length(a.t, b.t)) FROM docs a JOIN docs b ON lcs_similarity(a.t, b.t) >= $1;
EXPLAIN (COSTS OFF) EXECUTE pairs(0.9);
EXECUTE pairs(0.9);
EXECUTE pairs(0.5);
EXECUTE pairs(NULL);
EXECUTE pairs('NaN');
SET ted.enable_join = off;
EXECUTE pairs(0.5);
RESET ted.enable_join;
RESET plan_cache_mode;
DEALLOCATE pairs;

-- statements that change the tables that are joined
BEGIN;
DELETE FROM docs a USING docs b WHERE a.id > b.id AND lcs_similar(a.t, b.t, 0.9);
SELECT count(*), sum(id) FROM docs;
ROLLBACK;
BEGIN;
SET LOCAL ted.enable_join = off;
DELETE FROM docs a USING docs b WHERE a.id > b.id AND lcs_similar(a.t, b.t, 0.9);
SELECT count(*), sum(id) FROM docs;
ROLLBACK;

-- in blocks: one side does not fit in memory; long strings among short ones
CREATE TABLE large AS
SELECT i AS id, md5((i % 700)::text) || left(md5(i::text), i % 9) || CASE i % 500 WHEN 0 THEN repeat(md5(i::text), 300) ELSE '' END AS t
FROM generate_series(1, 2000) i;
ANALYZE large;
SET work_mem = '64kB';
SET hash_mem_multiplier = 1;
SELECT bool_or(l ~ 'Blocks: ([2-9]|\d\d)') AS several
FROM explain('SELECT a.id FROM large a JOIN large b ON lcs_within(a.t, b.t, 0)', 'ANALYZE') l;
SELECT count(*), sum(a.id::bigint * b.id), sum(lcs_distance(a.t, b.t)) FROM large a JOIN large b ON a.id < b.id AND lcs_similar(a.t, b.t, 0.8);
RESET work_mem;
RESET hash_mem_multiplier;
SELECT count(*), sum(a.id::bigint * b.id), sum(lcs_distance(a.t, b.t)) FROM large a JOIN large b ON a.id < b.id AND lcs_similar(a.t, b.t, 0.8);
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET max_parallel_workers_per_gather = 2;
SET work_mem = '64kB';
ALTER TABLE large SET (parallel_workers = 2);
EXPLAIN (COSTS OFF) SELECT count(*), sum(a.id::bigint * b.id), sum(lcs_distance(a.t, b.t)) FROM large a JOIN large b ON a.id < b.id AND lcs_similar(a.t, b.t, 0.8);
SELECT count(*), sum(a.id::bigint * b.id), sum(lcs_distance(a.t, b.t)) FROM large a JOIN large b ON a.id < b.id AND lcs_similar(a.t, b.t, 0.8);
-- elements have other numbers in each process
CREATE TABLE words WITH (parallel_workers = 2, fillfactor = 10) AS
SELECT i AS id, (SELECT array_agg('t' || (hashint4(i % 600 + 77 * j) % 500 + (i * j % 7 = 0)::int) ORDER BY j) FROM generate_series(1, 20) j) AS t
FROM generate_series(1, 2400) i;
ANALYZE words;
SELECT count(*), sum(a.id::bigint * b.id), sum(lcs_distance(a.t, b.t)) FROM words a JOIN words b ON a.id < b.id AND lcs_similar(a.t, b.t, 0.8);
SET work_mem = '16MB';
SELECT count(*), sum(a.id::bigint * b.id), sum(lcs_distance(a.t, b.t)) FROM words a JOIN words b ON a.id < b.id AND lcs_similar(a.t, b.t, 0.8);
SET max_parallel_workers_per_gather = 0;
SELECT count(*), sum(a.id::bigint * b.id), sum(lcs_distance(a.t, b.t)) FROM words a JOIN words b ON a.id < b.id AND lcs_similar(a.t, b.t, 0.8);
-- many short strings are in blocks, which all processes build
CREATE TABLE codes WITH (parallel_workers = 2, fillfactor = 10) AS SELECT i AS id, left(md5((i % 600)::text), 16) || i AS t FROM generate_series(1, 2400) i;
ANALYZE codes;
SELECT count(*), sum(a.id::bigint * b.id), sum(lcs_distance(a.t, b.t)) FROM codes a JOIN codes b ON a.id < b.id AND lcs_similar(a.t, b.t, 0.8);
SET max_parallel_workers_per_gather = 2;
SELECT count(*), sum(a.id::bigint * b.id), sum(lcs_distance(a.t, b.t)) FROM codes a JOIN codes b ON a.id < b.id AND lcs_similar(a.t, b.t, 0.8);
DROP TABLE codes;
SET work_mem = '64kB';
SELECT count(*), sum(a.id::bigint * b.id) FROM large a JOIN (SELECT id, string_to_array(t, NULL) AS t FROM large) b ON a.id < b.id AND lcs_similar(string_to_array(a.t, NULL), b.t, 0.8);
RESET work_mem;
RESET max_parallel_workers_per_gather;
RESET parallel_setup_cost;
RESET parallel_tuple_cost;
RESET min_parallel_table_scan_size;
SET ted.enable_join = off;
SELECT count(*), sum(a.id::bigint * b.id), sum(lcs_distance(a.t, b.t)) FROM large a JOIN large b ON a.id < b.id AND lcs_similar(a.t, b.t, 0.8);
RESET ted.enable_join;

-- arrays that cannot be compared, and strings that take too much memory
SELECT count(*) FROM docs a JOIN (VALUES (ARRAY[1, NULL])) b(ia) ON lcs_within(a.ia, b.ia, 1);
SELECT count(*) FROM docs a JOIN (VALUES (ARRAY[ARRAY[1], ARRAY[2]])) b(ia) ON lcs_within(a.ia, b.ia, 1);
SELECT count(*) FROM docs a JOIN (VALUES ('{1}'::json[])) b(j) ON lcs_within('{2}'::json[] || ('[' || a.id || ']')::json, b.j, 1);
SET ted.max_memory = '64kB';
SELECT count(*) FROM docs a JOIN (SELECT repeat(t, 10000) AS t FROM others) b ON lcs_within(a.t, b.t, 1);
RESET ted.max_memory;

-- arrays with the same elements and other subscripts are equal
SELECT a.i, b.i FROM (VALUES (1, '[5:6]={1,2}'::int[]), (2, '{1,2}'), (3, '{}')) a(i, d)
  JOIN (VALUES (1, '{1,2}'::int[]), (2, '{}'), (3, '[0:1]={1,2}')) b(i, d) ON lcs_within(a.d, b.d, 0) ORDER BY 1, 2;

-- rows
CREATE TYPE pair AS (a numeric, b text);
CREATE TABLE pairs AS SELECT id, ARRAY(SELECT ROW(round(ascii(c), id % 3), c)::pair FROM unnest(ta) c) AS p FROM docs WHERE ta IS NOT NULL;
SELECT s.* FROM same('SELECT a.id, b.id AS b FROM pairs a JOIN pairs b ON lcs_within(a.p, b.p, 4)') s;
SELECT s.* FROM same('SELECT a.id, b.id AS b FROM pairs a JOIN pairs b ON lcs_within(a.p::record[], b.p::record[], 4)') s;
DROP TABLE pairs;
DROP TYPE pair;

-- case-insensitive, where PostgreSQL has ICU
SELECT count(*) > 0 AS icu FROM pg_collation WHERE collprovider = 'i' \gset
\if :icu
CREATE COLLATION caseless (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
CREATE TABLE cased AS SELECT id, ARRAY(SELECT CASE WHEN (id + n) % 2 = 0 THEN upper(c) ELSE c END FROM unnest(ta) WITH ORDINALITY u(c, n) ORDER BY n) AS w FROM docs;
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
ALTER TABLE cased SET (parallel_workers = 2);
SELECT a.planned, a.same, a.rows = b.rows AS as_many, a.rows > c.rows AS more
FROM same('SELECT a.id, b.id AS b FROM cased a JOIN cased b ON lcs_within(a.w COLLATE caseless, b.w, 4)') a,
     same('SELECT a.id, b.id AS b FROM docs a JOIN docs b ON lcs_within(coalesce(a.ta, ''{}''), coalesce(b.ta, ''{}''), 4)') b,
     same('SELECT a.id, b.id AS b FROM cased a JOIN cased b ON lcs_within(a.w, b.w, 4)') c;
RESET max_parallel_workers_per_gather;
RESET parallel_setup_cost;
RESET parallel_tuple_cost;
RESET min_parallel_table_scan_size;
DROP TABLE cased;
DROP COLLATION caseless;
\else
SELECT true AS planned, true AS same, true AS as_many, true AS more;
\endif

-- where a side is aggregated below the join, which version 19 does, all rows of the other count
CREATE TABLE copies AS SELECT 'abcdefgh' || i % 12 || 'xyz' || i % 12 AS t, i AS v FROM generate_series(1, 1200) i;
ANALYZE copies;
SELECT * FROM same('SELECT a.t, sum(a.v) FROM copies a JOIN copies b ON lcs_within(a.t, b.t, 2) GROUP BY a.t');
DROP TABLE copies;

-- the first string is empty
SELECT count(*) FROM (SELECT repeat('a', i) FROM generate_series(0, 999) i) a(d)
  JOIN (SELECT repeat('a', i) FROM generate_series(0, 999) i) b(d) ON lcs_within(a.d, b.d, 1);

-- why another plan was taken
RESET enable_nestloop;
SET ted.explain_rejected = on;
EXPLAIN (COSTS OFF) SELECT FROM docs a JOIN others b ON lcs_length(a.t, b.t) > 3;
RESET ted.explain_rejected;

DROP VIEW string_queries;
DROP TABLE docs, others, nothing, plain, large, words, results;
DROP FUNCTION same;
