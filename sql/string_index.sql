-- Indexes of strings: lcs_within, lcs_similar, <~> and <%>

-- families of similar names, among them short, empty, long and very long ones, other scripts, and NULLs
CREATE TABLE source (id int PRIMARY KEY, name text);
INSERT INTO source
SELECT i, (ARRAY['Straße ', 'Rue de la ', 'Ulica ', 'улица ', '通り'])[i % 5 + 1] || md5((i % 40)::text)::varchar(10) || repeat('x', i % 7)
FROM generate_series(1, 400) i;
INSERT INTO source SELECT 500 + i, repeat('ab', i % 4) || i % 3 FROM generate_series(1, 20) i;
INSERT INTO source VALUES (521, ''), (522, ' '), (523, 'a');
INSERT INTO source SELECT 523 + i, NULL FROM generate_series(1, 7) i;
INSERT INTO source SELECT 530 + i, repeat('lorem ipsum ', 4 + i * i) || i FROM generate_series(1, 15) i;
INSERT INTO source SELECT 570 + i, repeat(md5((i / 2)::text), 70) || repeat('z', i) FROM generate_series(1, 3) i;
CREATE TABLE names AS TABLE source;
ANALYZE names;

-- all matches of some names, and the distances of the nearest ones
CREATE TABLE queries AS SELECT id AS query_id, name AS query FROM names WHERE id % 93 = 5 OR id IN (516, 521, 523, 524, 533, 538, 544, 571, 573);
CREATE VIEW matches AS
SELECT query_id, 'within ' || k AS threshold, id
FROM queries, unnest('{0,1,2,3,7,50,2147483647}'::int[]) k, LATERAL (SELECT id FROM names WHERE lcs_within(name, query, k) OFFSET 0) m
UNION ALL
SELECT query_id, 'similar ' || s, id
FROM queries, unnest('{0,0.01,0.6,0.8,0.9,1}'::float8[]) s,
  LATERAL (SELECT id FROM names WHERE lcs_similar(name, query, s) OFFSET 0) m;
CREATE VIEW nearest AS
SELECT query_id, 'distance' AS measure, distances
FROM queries, LATERAL (SELECT array_agg(d) AS distances FROM (SELECT name <~> query AS d FROM names ORDER BY name <~> query LIMIT 9) n) m
UNION ALL
SELECT query_id, 'similarity', distances
FROM queries, LATERAL (SELECT array_agg(d) AS distances FROM (SELECT name <%> query AS d FROM names ORDER BY name <%> query LIMIT 9) n) m;
CREATE TABLE expected_matches AS SELECT * FROM matches;
CREATE TABLE expected_nearest AS SELECT * FROM nearest;
SELECT threshold, count(*) FROM expected_matches GROUP BY threshold ORDER BY threshold COLLATE "C";
CREATE VIEW differences AS
SELECT (SELECT count(*) FROM (TABLE matches EXCEPT ALL TABLE expected_matches) d) AS excess,
       (SELECT count(*) FROM (TABLE expected_matches EXCEPT ALL TABLE matches) d) AS missing,
       (SELECT count(*) FROM (TABLE nearest EXCEPT ALL TABLE expected_nearest) d) AS farther;
SET enable_seqscan = off;
SET enable_sort = off;
SET jit = off;

-- plans, without what PostgreSQL 18 says of settings
CREATE FUNCTION plan(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  line text;
BEGIN
  FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
    IF line !~ 'Disabled: ' THEN
      RETURN NEXT line;
    END IF;
  END LOOP;
END
$$;

-- built at once, with rows that came later, and after a vacuum
CREATE INDEX names_index ON names USING profile (name);
SELECT plan($$SELECT id FROM names WHERE lcs_similar(name, 'Ulica 5', 0.8)$$);
TABLE differences;
-- more rows than one pass of a search keeps, many of which are equally near
CREATE TABLE many AS SELECT repeat('ab', i % 9) || i % 50 || repeat('c', i % 31) AS name FROM generate_series(1, 4000) i;
CREATE TABLE many_distances AS SELECT name <~> 'abab17ccc' AS d, name <%> 'abab17ccc' AS s FROM many;
CREATE INDEX ON many USING profile (name);
SELECT plan($$SELECT name FROM many ORDER BY name <~> 'abab17ccc'$$);
SELECT (SELECT array_agg(name <~> 'abab17ccc') FROM (SELECT name FROM many ORDER BY name <~> 'abab17ccc') n) = array_agg(d ORDER BY d),
       (SELECT array_agg(name <%> 'abab17ccc') FROM (SELECT name FROM many ORDER BY name <%> 'abab17ccc') n) = array_agg(s ORDER BY s)
FROM many_distances;

-- a statement that asks for no column has its rows fetched from the table, NULLs included
VACUUM names;
SELECT plan($$SELECT count(*) FROM names$$);
SELECT count(*) = (SELECT count(*) FROM source) AS same FROM names;
DELETE FROM names WHERE id % 3 = 0;
INSERT INTO names SELECT * FROM source WHERE id % 3 = 0;
TABLE differences;
VACUUM names;
TABLE differences;

-- pages are checked, of this access method only
SELECT profile_index_check('names_index');
SELECT profile_index_check('names');
SELECT profile_index_check('pg_class_oid_index');
SELECT profile_index_check(0);
DELETE FROM names WHERE id % 2 = 0;
VACUUM names;
INSERT INTO names SELECT * FROM source WHERE id % 2 = 0;
TABLE differences;
SET enable_bitmapscan = off;
TABLE differences;
RESET enable_bitmapscan;
DROP INDEX names_index;
TRUNCATE names;
CREATE INDEX names_index ON names USING profile (name);
SELECT count(*) FROM names WHERE lcs_within(name, 'a', 1000);
INSERT INTO names SELECT * FROM source ORDER BY id % 7, id;
TABLE differences;
REINDEX INDEX names_index;
TABLE differences;
ANALYZE names;

-- very long strings are found, too
INSERT INTO names SELECT 580 + i, repeat('0123456789abcdef', 65536) || i FROM generate_series(1, 2) i;
SELECT id FROM names WHERE lcs_within(name, (SELECT name FROM names WHERE id = 581), 2) ORDER BY id;
DELETE FROM names WHERE id > 580;
VACUUM names;

-- every spelling of a threshold, and both sides
SELECT plan($$SELECT id FROM names WHERE lcs_similarity(name, 'Ulica 5') >= 0.8$$);
SELECT plan($$SELECT id FROM names WHERE 0.8 < lcs_similarity('Ulica 5', name)$$);
SELECT plan($$SELECT id FROM names WHERE lcs_within(name, 'Ulica 5', 3)$$);
SELECT plan($$SELECT id FROM names WHERE lcs_distance(name, 'Ulica 5') <= 3$$);
SELECT plan($$SELECT id FROM names WHERE lcs_distance(name, 'Ulica 5') < 3.5$$);
SELECT plan($$SELECT id FROM names WHERE lcs_distance(name, 'Ulica 5') = 3$$);
SELECT plan($$SELECT id FROM names WHERE lcs_distance_less_equal(name, 'Ulica 5', 5) <= 3$$);
SELECT plan($$SELECT id FROM names WHERE name <~> 'Ulica 5' <= 3$$);
SELECT count(*) FROM names WHERE name <~ lcs_range('Ulica 5', 3);
SELECT plan($$SELECT id FROM names WHERE lcs_similar(name, 'Ulica 5', 0.8) OR lcs_distance('Rue', name) <= 1$$);
SELECT plan($$SELECT id FROM names WHERE lcs_similarity(name, 'Ulica 5') < 0.8$$);
SELECT plan($$SELECT id FROM names WHERE lcs_length(name, 'Ulica 5') >= 3$$);

-- parameters and joins
SET ted.enable_join = off;
SELECT plan($$SELECT q.query_id, n.id FROM queries q JOIN names n ON lcs_similarity(n.name, q.query) >= 0.8$$);
RESET ted.enable_join;
SET plan_cache_mode = force_generic_plan;
PREPARE alike(text, float8) AS SELECT count(*) FROM names WHERE lcs_similarity(name, $1) >= $2;
SELECT plan($$EXECUTE alike('Ulica c81e728d9d', 0.8)$$);
EXECUTE alike('Ulica c81e728d9d', 0.8);
EXECUTE alike(NULL, 0.8);
EXECUTE alike('Ulica c81e728d9d', NULL);
EXECUTE alike('Ulica c81e728d9d', 'nan');
PREPARE within(text, real) AS SELECT count(*) FROM names WHERE lcs_distance(name, $1) <= $2;
EXECUTE within('Ulica c81e728d9d', 4);
EXECUTE within('Ulica c81e728d9d', -1);
EXECUTE within('Ulica c81e728d9d', 'inf');
RESET plan_cache_mode;

-- orders
SELECT plan($$SELECT id FROM names ORDER BY name <%> 'Ulica 5' LIMIT 5$$);
SELECT plan($$SELECT id FROM names ORDER BY name <~> 'Ulica 5' LIMIT 5$$);
SELECT plan($$SELECT id FROM names ORDER BY name <%> 'Ulica 5', name, id LIMIT 5$$);
SELECT (SELECT array_agg(id) FROM (SELECT id FROM names ORDER BY name <%> 'Ulica 5', name, id LIMIT 50) n) =
       (SELECT array_agg(id) FROM (SELECT id FROM names ORDER BY (name <%> 'Ulica 5') + 0, name, id LIMIT 50) n) AS same;
SELECT plan($$SELECT id FROM names ORDER BY lcs_distance(name, 'Ulica 5') LIMIT 5$$);
SELECT plan($$SELECT id FROM names ORDER BY lcs_similarity('Ulica 5', name) DESC NULLS LAST LIMIT 5$$);
SELECT plan($$SELECT id FROM names WHERE lcs_similar(name, 'Ulica 5', 0.5) ORDER BY name <%> 'Ulica 5', name <~> 'Rue' LIMIT 5$$);
SELECT count(*), count(name), count(d) FROM (SELECT name, name <~> 'Ulica 5' AS d FROM names ORDER BY d OFFSET 0) n;
SELECT count(*), count(d) FROM (SELECT name <%> NULL AS d FROM names ORDER BY name <%> (SELECT NULL::text)) n;
SELECT array_agg(d ORDER BY n) = array_agg(d ORDER BY d, e), array_agg(e ORDER BY n) = array_agg(e ORDER BY d, e)
FROM (SELECT row_number() OVER () AS n, * FROM
  (SELECT name <~> 'Ulica 5' AS d, name <%> 'Rue' AS e FROM names WHERE lcs_within(name, 'Ulica 5', 30) ORDER BY name <~> 'Ulica 5', name <%> 'Rue' OFFSET 0) m) o;

-- expressions, partial indexes, and other types of strings
CREATE INDEX names_lower ON names USING profile (lower(name)) WHERE id < 400;
SELECT plan($$SELECT id FROM names WHERE lcs_similar(lower(name), 'ulica 5', 0.8) AND id < 300$$);
CREATE TYPE tid_pair AS (a numeric, b text);
CREATE TABLE strings AS
SELECT id, name::varchar AS v, convert_to(name, 'UTF8') AS b, string_to_array(name, NULL) AS t,
       (SELECT array_agg(ascii(c) ORDER BY n) FROM string_to_table(name, NULL) WITH ORDINALITY s(c, n)) AS i,
       (SELECT array_agg(ascii(c) * 10000000000 ORDER BY n) FROM string_to_table(name, NULL) WITH ORDINALITY s(c, n)) AS l
FROM names WHERE id % 2 = 0 AND id < 540;
CREATE VIEW counts AS
SELECT q.id, k,
  (SELECT count(*) FROM strings WHERE lcs_within(v, q.v, k)) AS v, (SELECT count(*) FROM strings WHERE lcs_within(b, q.b, k)) AS b,
  (SELECT count(*) FROM strings WHERE lcs_within(t, q.t, k)) AS t, (SELECT count(*) FROM strings WHERE lcs_within(i, q.i, k)) AS i,
  (SELECT count(*) FROM strings WHERE lcs_within(l, q.l, k)) AS l,
  (SELECT array_agg(d) FROM (SELECT b <~> q.b AS d FROM strings ORDER BY b <~> q.b LIMIT 5) n) AS nb,
  (SELECT array_agg(d) FROM (SELECT t <%> q.t AS d FROM strings ORDER BY t <%> q.t LIMIT 5) n) AS nt,
  (SELECT array_agg(d) FROM (SELECT i <%> q.i AS d FROM strings ORDER BY i <%> q.i LIMIT 5) n) AS ni,
  (SELECT array_agg(d) FROM (SELECT l <~> q.l AS d FROM strings ORDER BY l <~> q.l LIMIT 5) n) AS nl
FROM strings q, unnest('{0,2,9}'::int[]) k WHERE q.id % 98 = 8 OR q.id IN (518, 520, 522);
SET enable_sort = on;
CREATE TABLE expected_counts AS TABLE counts;
SET enable_sort = off;
CREATE INDEX ON strings USING profile (v);
CREATE INDEX ON strings USING profile (b);
CREATE INDEX ON strings USING profile (t);
CREATE INDEX ON strings USING profile (i);
CREATE INDEX ON strings USING profile (l);
SELECT plan($$SELECT FROM strings WHERE lcs_similar(v, 'x', 0.5)$$);
SELECT plan($$SELECT FROM strings WHERE lcs_similar(b, 'x', 0.5)$$);
SELECT plan($$SELECT FROM strings WHERE lcs_similarity(t, '{x}') > 0.5$$);
SELECT plan($$SELECT FROM strings WHERE lcs_within(i, '{1}', 2)$$);
SELECT plan($$SELECT FROM strings ORDER BY l <%> '{1}' LIMIT 1$$);
SELECT count(*), count(*) FILTER (WHERE v = b AND v = t AND v = i AND v = l) FROM expected_counts WHERE k = 0 AND id % 5 = 4;
SELECT count(*) FROM (TABLE counts EXCEPT ALL TABLE expected_counts) d;

-- an index takes all arrays, also those that cannot be compared
INSERT INTO strings (id, t, i) VALUES (1000, '{a,NULL}', '{{1,2},{3,4}}');
SELECT id FROM strings WHERE lcs_within(t, '{a}', 1);
SELECT id FROM strings WHERE lcs_within(t, '{y,z}', 0);

-- arrays of other types: each index is of the class that is for all arrays
CREATE TABLE arrays AS
SELECT id, i::smallint[] AS s, (SELECT array_agg(md5(e::text)::uuid ORDER BY n) FROM unnest(i) WITH ORDINALITY u(e, n)) AS u,
       (SELECT array_agg('2024-01-01'::date + e ORDER BY n) FROM unnest(i) WITH ORDINALITY u(e, n)) AS d,
       (SELECT array_agg(round(e, (n + id)::int % 3) ORDER BY n) FROM unnest(i) WITH ORDINALITY u(e, n)) AS n,
       (SELECT array_agg(ROW(e, NULL)::tid_pair ORDER BY n) FROM unnest(i) WITH ORDINALITY u(e, n)) AS c, t::varchar[] AS v, t::name[] AS o
FROM (SELECT id, t, ARRAY(SELECT e % 30000 FROM unnest(i) WITH ORDINALITY x(e, n) ORDER BY n) AS i FROM strings WHERE id < 540) q;
CREATE VIEW array_counts AS
SELECT q.id, k,
  (SELECT count(*) FROM arrays WHERE lcs_within(s, q.s, k)) AS s, (SELECT count(*) FROM arrays WHERE lcs_within(u, q.u, k)) AS u,
  (SELECT count(*) FROM arrays WHERE lcs_within(d, q.d, k)) AS d, (SELECT count(*) FROM arrays WHERE lcs_within(n, q.n, k)) AS n,
  (SELECT count(*) FROM arrays WHERE lcs_within(c, q.c, k)) AS c, (SELECT count(*) FROM arrays WHERE lcs_within(v, q.v, k)) AS v,
  (SELECT count(*) FROM arrays WHERE lcs_within(o, q.o, k)) AS o,
  (SELECT array_agg(d) FROM (SELECT s <~> q.s AS d FROM arrays ORDER BY s <~> q.s LIMIT 5) x) AS ns,
  (SELECT array_agg(d) FROM (SELECT u <%> q.u AS d FROM arrays ORDER BY u <%> q.u LIMIT 5) x) AS nu,
  (SELECT array_agg(d) FROM (SELECT n <~> q.n AS d FROM arrays ORDER BY n <~> q.n LIMIT 5) x) AS nn
FROM arrays q, unnest('{0,2,9}'::int[]) k WHERE q.id % 98 = 8 OR q.id IN (518, 520);
SET enable_sort = on;
CREATE TABLE expected_array_counts AS TABLE array_counts;
SET enable_sort = off;
DO $$
DECLARE
  c text;
BEGIN
  FOREACH c IN ARRAY '{s,u,d,n,c,v,o}'::text[] LOOP
    EXECUTE format('CREATE INDEX arrays_%1$s ON arrays USING profile (%1$s)', c);
  END LOOP;
END
$$;
SELECT DISTINCT opcname FROM pg_index JOIN pg_opclass o ON o.oid = ANY (indclass) JOIN pg_class i ON i.oid = indexrelid AND i.relam = o.opcmethod
WHERE indrelid IN ('arrays'::regclass, 'strings'::regclass) ORDER BY opcname;
SELECT plan($$SELECT FROM arrays WHERE lcs_within(u, '{}', 2)$$);
SELECT plan($$SELECT FROM arrays WHERE lcs_similarity(s, '{1}') > 0.5$$);
SELECT plan($$SELECT FROM arrays WHERE lcs_distance(n, '{1.0}') <= 3$$);
SELECT plan($$SELECT FROM arrays WHERE lcs_similar(v, '{x}', 0.5)$$);
SELECT plan($$SELECT FROM arrays ORDER BY u <~> '{}' LIMIT 1$$);
SELECT plan($$SELECT FROM arrays ORDER BY lcs_distance(d, '{2024-01-01}') LIMIT 1$$);
SELECT count(*), count(*) FILTER (WHERE s = u AND s = d AND s = n AND s = c AND v = o) FROM expected_array_counts WHERE k > 0;
SELECT count(*) FROM (TABLE array_counts EXCEPT ALL TABLE expected_array_counts) d;
-- equal elements that differ in their bytes have equal profiles
SELECT lcs_profile('{1.0,NaN}'::numeric[]) = lcs_profile('{1.00,NaN}'::numeric[]), lcs_profile('{1.0}'::numeric[]) = lcs_profile('{1.01}'::numeric[]),
       lcs_profile('{1}'::int[]) <> lcs_profile('{2}'::int[]), lcs_profile(ARRAY['a ']::bpchar[]) = lcs_profile(ARRAY['a']::bpchar[]);
DROP VIEW array_counts;
DROP TABLE arrays, expected_array_counts;
DROP TYPE tid_pair;
-- an index by one collation serves no search by another one
CREATE TABLE words (w text[] COLLATE "C");
CREATE INDEX ON words USING profile (w);
SELECT plan($$SELECT FROM words WHERE lcs_within(w, '{a}', 1)$$);
SELECT plan($$SELECT FROM words WHERE lcs_within(w, '{a}' COLLATE "POSIX", 1)$$);
SELECT plan($$SELECT FROM words ORDER BY lcs_distance(w, '{a}' COLLATE "POSIX")$$);
DROP TABLE words;
-- elements that cannot be compared
CREATE TABLE points (p point[]);
CREATE INDEX ON points USING profile (p);
EXPLAIN (COSTS OFF) SELECT FROM points WHERE lcs_within(p, '{}', 1);
INSERT INTO points VALUES ('{"(1,2)"}');
DROP TABLE points;

-- char(n) and name: statements cast the column to text, and an index of the column has the profiles of these texts
CREATE DOMAIN code AS char(12);
CREATE TABLE padded AS
SELECT id, left(name, 12)::char(12) AS c, name::name AS n, left(name, 9)::code AS d, left(name, 15)::char(20) AS e FROM names WHERE id < 540;
CREATE VIEW padded_counts AS
SELECT q.id, k,
  (SELECT count(*) FROM padded WHERE lcs_within(c, q.c, k)) AS c, (SELECT count(*) FROM padded WHERE lcs_distance(q.n, n) <= k) AS n,
  (SELECT count(*) FROM padded WHERE lcs_similarity(d, q.d) >= 1 - k / 10.0) AS d, (SELECT count(*) FROM padded WHERE lcs_within(upper(e)::char(20), upper(q.e), k)) AS e,
  (SELECT array_agg(d) FROM (SELECT c <~> q.c AS d FROM padded ORDER BY c <~> q.c LIMIT 5) x) AS nc,
  (SELECT array_agg(d) FROM (SELECT lcs_similarity(n, q.n) AS d FROM padded WHERE n IS NOT NULL ORDER BY lcs_similarity(n, q.n) DESC LIMIT 5) x) AS nn
FROM padded q, unnest('{0,2,9}'::int[]) k WHERE q.id % 98 = 8 OR q.id IN (518, 520, 521, 522, 524);
SET enable_sort = on;
CREATE TABLE expected_padded_counts AS TABLE padded_counts;
SET enable_sort = off;
CREATE INDEX padded_c ON padded USING profile (c);
CREATE INDEX padded_n ON padded USING profile (n);
CREATE INDEX padded_d ON padded USING profile (d);
CREATE INDEX padded_e ON padded USING profile ((upper(e)::char(20)));
SELECT plan($$SELECT FROM padded WHERE lcs_within(c, 'Ulica', 2)$$);
SELECT plan($$SELECT FROM padded WHERE lcs_distance('Ulica', n) <= 2$$);
SELECT plan($$SELECT FROM padded WHERE lcs_similarity(d, 'Ulica') >= 0.8$$);
SELECT plan($$SELECT FROM padded WHERE lcs_similar(upper(e)::char(20), 'ULICA', 0.8)$$);
SELECT plan($$SELECT FROM padded ORDER BY c <%> 'Ulica' LIMIT 1$$);
SELECT plan($$SELECT FROM padded WHERE n IS NOT NULL ORDER BY lcs_similarity(n, 'Ulica') DESC LIMIT 1$$);
SELECT count(*), count(*) FILTER (WHERE c > 0 AND n > 0 AND d > 0 AND e > 0) FROM expected_padded_counts;
SELECT count(*) FROM (TABLE padded_counts EXCEPT ALL TABLE expected_padded_counts) d;
INSERT INTO padded SELECT 1000 + id, c, n, d, e FROM padded WHERE id = 2;
SELECT count(*) FROM padded WHERE lcs_within(c, (SELECT c FROM padded WHERE id = 2), 0) AND id IN (2, 1002);
-- the class of char(n) takes texts, too, whose blanks count
CREATE TABLE blanks AS SELECT repeat(' ', i) || 'a' || repeat(' ', i) AS t FROM generate_series(0, 5) i;
CREATE INDEX ON blanks USING profile (t lcs_bpchar_ops);
SELECT plan($$SELECT FROM blanks WHERE lcs_within(t, 'a    ', 1)$$);
SELECT '[' || t || ']' FROM blanks WHERE lcs_within(t, '    a     ', 1) ORDER BY length(t);
DROP TABLE blanks;
CREATE OPERATOR CLASS bad FOR TYPE name USING profile AS FUNCTION 1 lcs_profile(bytea);
DROP TABLE padded, expected_padded_counts CASCADE;

-- what an index cannot do
CREATE UNIQUE INDEX ON names USING profile (name);
CREATE INDEX ON names USING profile (name, id);
\set VERBOSITY sqlstate
CREATE INDEX ON names USING profile (name DESC);
\set VERBOSITY default
CREATE INDEX ON names USING profile (name) INCLUDE (id);
CREATE INDEX ON names USING profile (name) WITH (fillfactor = 70);
CREATE INDEX ON names USING profile (id);

-- the range of an index condition
SELECT max_distance, min_similarity FROM lcs_range('abc', 3);
SELECT max_distance, min_similarity FROM lcs_similarity_range('abc', 0.5);
SELECT lcs_range('abc', -1);
SELECT lcs_similarity_range('abc', 90);
-- what is compared with a similarity may be any number, with an index as without
SELECT count(*) FROM names WHERE lcs_similarity(name, 'Ulica 5') >= 90;
SELECT count(*) FROM names WHERE lcs_similarity(name, 'Ulica 5') >= -1;
SET plan_cache_mode = force_generic_plan;
PREPARE at_least(float8) AS SELECT count(*) FROM names WHERE lcs_similarity(name, 'Ulica 5') >= $1;
PREPARE at_least_whole(int) AS SELECT count(*) FROM names WHERE lcs_similarity(name, 'Ulica 5') >= $1;
PREPARE similar_to(float8) AS SELECT count(*) FROM names WHERE lcs_similar(name, 'Ulica 5', $1);
SELECT plan('EXECUTE at_least_whole(1)');
EXECUTE at_least(90);
EXECUTE at_least('NaN');
EXECUTE at_least(-1);
EXECUTE at_least_whole(90);
EXECUTE at_least_whole(-90);
EXPLAIN (COSTS OFF) EXECUTE similar_to(90);
EXECUTE similar_to(90);
EXECUTE similar_to('NaN');
RESET plan_cache_mode;
EXPLAIN (COSTS OFF) SELECT count(*) FROM names WHERE lcs_similar(name, 'Ulica 5', 90);
SELECT count(*) FROM names WHERE lcs_similar(name, 'Ulica 5', 90);
SELECT lcs_profile('abc'::text) = lcs_profile('cba'::text), lcs_profile('abc'::text) = lcs_profile('abb'::text);
SELECT 'abc' <~ lcs_range('abd'::text, 1), 'abc' <~ lcs_range('abd'::text, 2), 'abc'::text <~ ROW(NULL, 1, 1)::lcs_range;
SELECT count(*) FROM names WHERE name <~ ROW(NULL, 1, 1)::lcs_range;
SELECT count(*) FROM names WHERE name <~ ROW('\x0102', 1, 1)::lcs_range;
SELECT count(*) FROM names WHERE name <~ ROW(lcs_profile('abc'::text), NULL, NULL)::lcs_range;
SELECT count(*) FROM names WHERE name <~ ROW(lcs_profile('abc'::text), -5, NULL)::lcs_range;
SELECT count(*) FROM names WHERE name <~ ROW(decode(repeat('ff', 132), 'hex'), 2147483647, 0.5)::lcs_range;
SELECT count(*) FROM names WHERE name <~ ROW(decode('ffffff7f' || repeat('ff', 128), 'hex'), NULL, 0.0001)::lcs_range;

-- operators, functions and domains of other shapes
CREATE DOMAIN lcs_range_domain AS lcs_range;
SELECT count(*) FROM names WHERE name <~ lcs_range('Ulica 5', 3)::lcs_range_domain;
CREATE FUNCTION any_pair(text, text, float8) RETURNS boolean LANGUAGE plpgsql IMMUTABLE SUPPORT lcs_support AS 'BEGIN RETURN $1 = $2; END';
CREATE FUNCTION any_number(bigint) RETURNS float8 LANGUAGE plpgsql IMMUTABLE SUPPORT lcs_support AS 'BEGIN RETURN $1; END';
CREATE FUNCTION any_bytes(text, bytea) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT true';
CREATE FUNCTION any_range(bigint) RETURNS lcs_range LANGUAGE plpgsql AS 'BEGIN END';
CREATE OPERATOR <~~ (LEFTARG = text, RIGHTARG = bytea, FUNCTION = any_bytes, RESTRICT = lcs_range_sel, JOIN = lcs_range_joinsel);
SELECT plan($$SELECT FROM names WHERE any_pair(name, 'x', 0.5) AND any_number(id) > 5 AND name <~~ '\x00'$$);
SELECT plan($$SELECT FROM names a JOIN names b ON a.name <~~ b.name::bytea AND a.name <~ any_range(b.id) WHERE a.id < 5$$);
CREATE OPERATOR CLASS bad FOR TYPE text USING profile AS OPERATOR 1 = (text, text), FUNCTION 1 lcs_profile(text);
CREATE OPERATOR CLASS bad FOR TYPE text USING profile AS OPERATOR 2 <~ (text, lcs_range), FUNCTION 1 lcs_profile(text);
CREATE OPERATOR CLASS bad FOR TYPE text USING profile AS OPERATOR 1 <~ (text, lcs_range), FUNCTION 1 lcs_profile(anyarray);
CREATE OPERATOR CLASS bad FOR TYPE text USING profile AS OPERATOR 1 <~ (text, lcs_range), FUNCTION 1 length(text);
CREATE OPERATOR CLASS bare FOR TYPE text USING profile AS OPERATOR 1 <~ (text, lcs_range);
\set VERBOSITY sqlstate
SELECT amvalidate(oid) FROM pg_opclass WHERE opcname = 'bare';
\set VERBOSITY default
DROP OPERATOR FAMILY bare USING profile;

-- rows that a policy hides are not searched for by an index
CREATE ROLE regress_ted_reader;
GRANT SELECT ON names TO regress_ted_reader;
ALTER TABLE names ENABLE ROW LEVEL SECURITY;
CREATE POLICY low ON names USING (id < 100);
SET ROLE regress_ted_reader;
SELECT plan($$SELECT id FROM names WHERE lcs_similar(name, 'Ulica c81e728d9d', 0.8)$$);
SELECT id FROM names WHERE lcs_similar(name, 'Ulica c81e728d9d', 0.8) ORDER BY id + 0;
RESET ROLE;
DROP POLICY low ON names;
ALTER TABLE names DISABLE ROW LEVEL SECURITY;

-- pg_trgm, where it is there, and its operators beside these
DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_available_extensions WHERE name = 'pg_trgm') THEN
    CREATE EXTENSION pg_trgm;
    CREATE INDEX names_trgm ON names USING gist (name gist_trgm_ops);
    PERFORM FROM names WHERE name % 'Ulica 5' ORDER BY name <-> 'Ulica 5';
    PERFORM FROM names WHERE 'Ulica' <% name AND name %> 'Ulica' AND 'Ulica' <<% name AND name %>> 'Ulica'
      ORDER BY name <->> 'Ulica', 'Ulica' <<-> name, name <->>> 'Ulica', 'Ulica' <<<-> name;
  END IF;
END
$$;
SELECT plan($$SELECT id FROM names WHERE lcs_similar(name, 'Ulica 5', 0.8)$$);
TABLE differences;
SELECT 'abc' <~> 'abd', 'abc' <%> 'abd';

-- unlogged tables, and an empty index
CREATE UNLOGGED TABLE few (name text);
CREATE INDEX ON few USING profile (name);
SELECT count(*) FROM few WHERE lcs_similar(name, '', 0.1);
SELECT count(*) FROM (SELECT FROM few ORDER BY name <~> 'x') n;
INSERT INTO few VALUES (NULL), (''), ('x');
SELECT name, name <~> 'x' AS distance FROM few ORDER BY name <~> 'x';
SELECT name FROM few WHERE lcs_similar(name, '', 1);
DROP OWNED BY regress_ted_reader;
DROP ROLE regress_ted_reader;
