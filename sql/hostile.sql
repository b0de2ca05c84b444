-- calls that nobody means, but that PostgreSQL's type system allows
CREATE ROLE regress_ted_user;
GRANT CREATE ON SCHEMA public TO regress_ted_user;
SET ROLE regress_ted_user;
CREATE TABLE docs AS SELECT i AS id, ('{a{' || i % 3 || '}}')::tree AS doc FROM generate_series(1, 9) i;
ANALYZE docs;

-- functions of the shape of tree_range(), to the right of <~
CREATE FUNCTION number_range(bigint, int) RETURNS tree_range LANGUAGE plpgsql AS 'BEGIN END';
CREATE FUNCTION bytes_range(bytea, float8) RETURNS tree_range LANGUAGE plpgsql AS 'BEGIN END';
CREATE FUNCTION tree_range(int, text) RETURNS tree_range LANGUAGE plpgsql AS 'BEGIN END';
EXPLAIN (COSTS OFF) SELECT FROM docs WHERE doc <~ number_range(1, 1);
EXPLAIN (COSTS OFF) SELECT FROM docs WHERE doc <~ bytes_range('\x0100', 0.5);
EXPLAIN (COSTS OFF) SELECT FROM docs WHERE doc <~ tree_range(1, 'a');
EXPLAIN (COSTS OFF) SELECT FROM docs a JOIN docs b ON a.doc <~ number_range(b.id, 1);
SELECT count(*) FROM docs WHERE doc <~ number_range(1, 1);
EXPLAIN (COSTS OFF) SELECT FROM docs WHERE doc <~ ROW(NULL, 1, NULL)::tree_range;
EXPLAIN (COSTS OFF) SELECT FROM docs WHERE doc <~ ROW('{a}', NULL, NULL)::tree_range;
CREATE DOMAIN range_domain AS tree_range;
SELECT count(*) FROM docs WHERE doc <~ ROW('{a{1}}', 0, NULL)::range_domain;
PREPARE search(tree_range) AS SELECT count(*) FROM docs WHERE doc <~ $1;
SET plan_cache_mode = force_generic_plan;
EXECUTE search(ROW('{a{1}}', 0, NULL));
EXECUTE search(NULL);
RESET plan_cache_mode;

-- the estimators and support functions of other operators and functions
RESET ROLE;
CREATE FUNCTION any_bytes(text, bytea) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT true';
CREATE FUNCTION any_number(bigint, int) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN true; END';
CREATE FUNCTION any_numbers(bigint, bigint, float8) RETURNS boolean LANGUAGE plpgsql IMMUTABLE
  SUPPORT tree_support AS 'BEGIN RETURN true; END';
CREATE FUNCTION one_number(bigint) RETURNS boolean LANGUAGE plpgsql SUPPORT tree_support AS 'BEGIN RETURN true; END';
CREATE FUNCTION two_numbers(bigint, bigint) RETURNS float8 LANGUAGE plpgsql SUPPORT tree_support AS 'BEGIN RETURN 1; END';
CREATE OPERATOR <~~ (LEFTARG = bigint, RIGHTARG = int, FUNCTION = any_number,
  RESTRICT = tree_range_sel, JOIN = tree_range_joinsel);
CREATE OPERATOR <~~ (LEFTARG = text, RIGHTARG = bytea, FUNCTION = any_bytes,
  RESTRICT = tree_range_sel, JOIN = tree_range_joinsel);
SET ROLE regress_ted_user;
EXPLAIN (COSTS OFF) SELECT FROM docs a JOIN docs b ON a.id::bigint <~~ b.id WHERE a.id::bigint <~~ 1;
EXPLAIN (COSTS OFF) SELECT FROM docs WHERE doc::text <~~ '\x0100';
EXPLAIN (COSTS OFF) SELECT FROM docs WHERE any_numbers(id, 1, 0.5);
EXPLAIN (COSTS OFF) SELECT FROM docs WHERE one_number(id);
EXPLAIN (COSTS OFF) SELECT FROM docs WHERE two_numbers(id, 7) < 3;
EXPLAIN (COSTS OFF) SELECT FROM docs a JOIN docs b ON two_numbers(a.id, b.id) <= 3;

-- an aggregate whose state begins as a plain array
CREATE AGGREGATE flat_join(bigint, tree, float8) (SFUNC = tree_within_pairs_transfn,
  STYPE = tree_join_row[], FINALFUNC = tree_within_pairs_finalfn, INITCOND = '{}');
CREATE AGGREGATE begun_join(bigint, tree, float8) (SFUNC = tree_within_pairs_transfn,
  STYPE = tree_join_row[], COMBINEFUNC = tree_within_pairs_combine,
  FINALFUNC = tree_within_pairs_finalfn, INITCOND = '{"(100,,1,{a})"}', PARALLEL = SAFE);
CREATE AGGREGATE square_join(bigint, tree, float8) (SFUNC = tree_within_pairs_transfn,
  STYPE = tree_join_row[], INITCOND = '{{"(100,,1,{a})"},{"(101,,1,{b})"}}');
CREATE AGGREGATE last_join(bigint, tree, float8) (SFUNC = tree_within_pairs_transfn,
  STYPE = tree_join_row[], INITCOND = '[2147483646:2147483646]={"(100,,1,{a})"}');
CREATE AGGREGATE flat_strings(bigint, text, float8) (SFUNC = lcs_similar_pairs_transfn,
  STYPE = lcs_join_row[], FINALFUNC = lcs_similar_pairs_finalfn, INITCOND = '{}');
CREATE AGGREGATE flat_combine(tree_join_row[]) (SFUNC = tree_within_pairs_combine,
  STYPE = tree_join_row[], FINALFUNC = tree_within_pairs_finalfn, INITCOND = '{}');
SELECT flat_join(1, '{a}', 1);
SELECT flat_join(id, doc, 0) FROM docs;
SELECT begun_join(id, doc, 1) FROM docs WHERE id < 3;
SELECT flat_join(id, doc, 0) OVER (ORDER BY id ROWS 3 PRECEDING) FROM docs;
SELECT square_join(id, doc, 1) FROM docs;
SELECT last_join(id, doc, 1) FROM docs;
SELECT flat_strings(1, 'a', 1), flat_strings(id, 'a', 1) FROM docs WHERE id < 3;
SELECT flat_combine(state) FROM (VALUES
  ('{"(1,,1,{a})","(2,,1,{b})"}'::tree_join_row[]), ('[-2147483648:-2147483648]={"(3,,1,{c})"}')) v(state);
-- its documents go to a sort
SET work_mem = '64kB';
SELECT cardinality(flat_join(i, ('{' || i || repeat('{x}', 100) || '}')::tree, 0)) FROM generate_series(1, 5000) i;
SELECT cardinality(flat_strings(i, repeat('x', 500) || i, 1)) FROM generate_series(1, 5000) i;
RESET work_mem;

-- functions of strings in the parts of an aggregate, of columns and of indexes
CREATE AGGREGATE common(text) (SFUNC = lcs, STYPE = text, COMBINEFUNC = lcs, PARALLEL = SAFE);
CREATE AGGREGATE covering(bigint[]) (SFUNC = scs, STYPE = bigint[], INITCOND = '{}');
CREATE AGGREGATE covering(text[]) (SFUNC = scs, STYPE = text[], INITCOND = '{NULL}');
SELECT common(x), common(x) FILTER (WHERE n > 9) FROM (VALUES (1, 'kitten'), (2, NULL), (3, 'sitting'), (4, 'mitten')) v(n, x);
SELECT n, common(x) OVER (ORDER BY n ROWS 1 PRECEDING), covering(ARRAY[n, 7::bigint]) OVER (ORDER BY n)
FROM (VALUES (1, 'kitten'), (2, 'sitting'), (3, 'mitten')) v(n, x);
SELECT covering('{a}'::text[]);
CREATE TABLE compared (a text, b text, s float8 GENERATED ALWAYS AS (lcs_similarity(a, b)) STORED, CHECK (lcs_within(a, b, 5)));
CREATE INDEX ON compared (lcs_distance(a, b));
INSERT INTO compared VALUES ('kitten', 'sitting'), ('', ''), (NULL, 'a');
INSERT INTO compared VALUES ('kitten', '');
SELECT * FROM compared ORDER BY lcs_distance(a, b), lcs(b, a);
SELECT * FROM lcs_opcodes('a', 'b') AS t (x integer);
SELECT CASE WHEN a = '' THEN 'empty' ELSE lcs_opcodes(a, b)::text END FROM compared;
SELECT (SELECT operation FROM lcs_opcodes(a, b)) FROM compared WHERE a = 'kitten';
SELECT (lcs_opcodes(a, b)).*, (lcs_nearest(a, ARRAY[b], 1)).similarity FROM compared WHERE a = 'kitten';
PREPARE nearest_of(text, text[], int, float8) AS SELECT count(*) FROM lcs_nearest($1, $2, $3, $4);
SET plan_cache_mode = force_generic_plan;
EXECUTE nearest_of('a', '{a,b}', 2147483647, 0);
EXECUTE nearest_of('a', NULL, 1, 0);
EXECUTE nearest_of('a', array_fill('a'::text, ARRAY[1], ARRAY[2147483646]), 1, 0);
EXECUTE nearest_of('a', '{a}', -2147483648, 0);
RESET plan_cache_mode;

-- a join runs its functions with the permissions of the user
RESET ROLE;
SET enable_nestloop = off;
REVOKE EXECUTE ON FUNCTION tree_within(tree, tree, float8) FROM PUBLIC;
SET ROLE regress_ted_user;
SELECT count(*) FROM docs a JOIN docs b ON tree_within(a.doc, b.doc, 0);
SELECT count(*) FROM docs a JOIN docs b ON tree_edit_distance(a.doc, b.doc) <= 0;
RESET ROLE;
GRANT EXECUTE ON FUNCTION tree_within(tree, tree, float8) TO PUBLIC;
REVOKE EXECUTE ON FUNCTION tree_edit_distance(tree, tree) FROM PUBLIC;
SET ROLE regress_ted_user;
SELECT count(*) FROM docs a JOIN docs b ON tree_within(a.doc, b.doc, 0);
SELECT sum(tree_edit_distance(a.doc, b.doc)) FROM docs a JOIN docs b ON tree_within(a.doc, b.doc, 0);
SELECT count(*) FROM docs a JOIN docs b ON tree_within(a.doc, b.doc, 0) WHERE tree_edit_distance(a.doc, b.doc) * 2 < a.id + b.id;
SELECT count(*) FROM docs a JOIN docs b ON tree_edit_distance(a.doc, b.doc) <= 0;
EXPLAIN (COSTS OFF) SELECT FROM docs a JOIN docs b ON tree_edit_distance(a.doc, b.doc) <= 0;
RESET ROLE;
GRANT EXECUTE ON FUNCTION tree_edit_distance(tree, tree) TO PUBLIC;
REVOKE EXECUTE ON FUNCTION int4le(int, int) FROM PUBLIC;
SET ROLE regress_ted_user;
SELECT count(*) FROM docs a JOIN docs b ON tree_edit_distance(a.doc, b.doc) <= 0;
RESET ROLE;
GRANT EXECUTE ON FUNCTION int4le(int, int) TO PUBLIC;
RESET enable_nestloop;

DROP OPERATOR <~~ (bigint, int);
DROP OPERATOR <~~ (text, bytea);
DROP FUNCTION any_bytes, any_number, any_numbers, one_number, two_numbers;
DROP OWNED BY regress_ted_user;
DROP ROLE regress_ted_user;

-- a range of another type of strings than those that it is compared with
CREATE TABLE hostile_arrays AS SELECT ARRAY['a' || g, 'b' || g, 'x'] AS a, g AS k FROM generate_series(1, 1000) g;
ANALYZE hostile_arrays;
SELECT count(*) FROM hostile_arrays x, hostile_arrays y
WHERE x.k < 9 AND y.k < 9 AND x.a <~ lcs_range('\x01000000000000001900000001000000010000000101414141414141414100000000'::bytea, y.k);
SELECT count(*) FROM hostile_arrays x WHERE 'abc'::text <~ lcs_range(x.a, x.k);
DROP TABLE hostile_arrays;
-- an array whose type the statement does not say
SELECT lcs_similar_cluster(most_common_vals, 0.5) OVER () FROM pg_stats LIMIT 1;
