-- Distances between trees

-- the example of Zhang and Shasha's paper
SELECT tree_edit_distance('{f{d{a}{c{b}}}{e}}', '{f{c{d{a}{b}}}{e}}');

-- one operation each
SELECT tree_edit_distance('{a{b}}', '{a}') AS delete, tree_edit_distance('{a}', '{a{b}}') AS insert,
       tree_edit_distance('{a{b}}', '{a{c}}') AS rename, tree_edit_distance('{a{b}}', '{a{b}}') AS none,
       tree_edit_distance('{a{b}{c}}', '{a{x{b}{c}}}') AS insert_inside,
       tree_edit_distance('{a}', '{b{a}}') AS insert_root;

-- costs: insert, delete, rename
SELECT tree_edit_distance('{a{b}}', '{a}', tree_costs(5, 3, 2)) AS delete, tree_edit_distance('{a}', '{a{b}}', tree_costs(5, 3, 2)) AS insert,
       tree_edit_distance('{a}', '{b}', tree_costs(5, 3, 2)) AS rename, tree_edit_distance('{a}', '{b}', tree_costs(4, 4, 7)) AS dear_rename,
       tree_edit_distance('{a{b}}', '{c{d{e}}}', tree_costs(0, 0, 0)) AS free;

-- up to a threshold
SELECT k, tree_edit_distance_less_equal('{a{b}{c}{d}}', '{a{x}{y}{z}}', k),
       tree_within('{a{b}{c}{d}}', '{a{x}{y}{z}}', k),
       tree_edit_distance_less_equal('{a{b}{c}{d}}', '{a{x}{y}{z}}', k, tree_costs()) AS with_costs
FROM (VALUES (0), (1), (2), (3), (4), (2147483647)) v(k);
-- a pair that loses its result where the band is taken from the topmost nodes
SELECT tree_within('{a{b}}', '{a{c}{b{a}}}', 2), tree_within('{a{b}}', '{a{c}{b{a}}}', 1);

-- similarity and normalized distance
SELECT a <-> b AS distance, tree_similarity(a, b), tree_normalized_distance(a, b)
FROM (VALUES ('{a{b}{c}}'::tree, '{a{b}{c}}'::tree), ('{a{b}{c}}', '{a{b}}'), ('{a}', '{b{c}{d}}'), ('{a{b}{c}}', '{x{y{z}}}'))
     v(a, b);

-- one against many
SELECT tree_edit_distances('{a{b}}', ARRAY['{a}', NULL, '{a{b}}', '{c}']::tree[]);
SELECT tree_edit_distances('{a{b}}', '{}'), tree_edit_distances('{a}', ARRAY[['{a}', '{b}'], ['{c}', '{a{d}}']]::tree[]),
       tree_edit_distances(NULL, '{}');

-- NULL in, NULL out
SELECT tree_edit_distance(NULL, '{a}'), tree_edit_distance('{a}', '{a}', NULL), tree_within('{a}', '{b}', NULL);

-- arguments out of range
SELECT tree_edit_distance('{a}', '{b}', tree_costs(-1, 1, 1));
SELECT tree_edit_distance('{a}', '{b}', tree_costs(100001, 1, 1));
SELECT tree_edit_distance('{a}', '{b}', tree_costs(1, 1, 100001));
SELECT tree_edit_distance_less_equal('{a}', '{b}', -1);
SELECT tree_within('{a}', '{b}', -1);

-- memory is estimated before it is taken; how much is needed depends on the processor
CREATE TABLE large AS SELECT ('{r' || repeat('{a{b}}', 1000) || '}')::tree AS t;
SET ted.max_memory = '1MB';
SET ted.gpu = off;
\set VERBOSITY terse
SELECT tree_edit_distance(t, translate(t::text, 'ab', 'cd')::tree) FROM large;
-- the pair of a batch that is refused is told by its sizes
CREATE FUNCTION detail(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  said text;
BEGIN
  EXECUTE statement;
  RETURN NULL;
EXCEPTION WHEN configuration_limit_exceeded THEN
  GET STACKED DIAGNOSTICS said = PG_EXCEPTION_DETAIL;
  RETURN said;
END $$;
SELECT detail('SELECT tree_edit_distances(t, ARRAY[''{a}'', ''{r{b}}'', translate(t::text, ''ab'', ''cd'')]::tree[]) FROM large');
DROP FUNCTION detail;
RESET ted.gpu;
SELECT m.* FROM large, tree_edit_mapping(t, replace(t::text, 'b', 'c')::tree) m;
\set VERBOSITY default
-- a narrow band needs less
SELECT operation, count(*) FROM large, tree_edit_mapping(t, t) GROUP BY operation;
SELECT tree_edit_distance_less_equal(t, t, 3), tree_within(t, '{a}', 3) FROM large;
SET ted.max_memory = '100MB';
SELECT tree_edit_distance(t, translate(t::text, 'ab', 'cd')::tree) FROM large;
RESET ted.max_memory;
DROP TABLE large;

-- a difference of the sizes that decides needs no memory
SELECT tree_within(('{r' || repeat('{a}', 100000) || '}')::tree, ('{r' || repeat('{a}', 1000) || '}')::tree, 600);

-- what is kept of an argument from call to call gives the distances of each pair alone
CREATE TABLE kept AS
SELECT i AS id, ('{' || i % 3 || repeat('{a{' || i || '}}', i % 5) || repeat('{b{c}{' || i % 7 || '}}', i) || '}')::tree AS t
FROM generate_series(1, 12) i;
INSERT INTO kept SELECT id + 100, t FROM kept WHERE id < 4;
CREATE TABLE expected AS
SELECT a.id AS a, b.id AS b, (tree_edit_distances(a.t, ARRAY[b.t]))[1] AS distance FROM kept a, kept b;
SELECT count(*), count(*) FILTER (WHERE tree_edit_distance(x.t, y.t) <> distance) AS outer_first,
       count(*) FILTER (WHERE tree_edit_distance(y.t, x.t) <> distance) AS outer_second,
       count(*) FILTER (WHERE tree_edit_distance_less_equal(x.t, y.t, 5) <> least(distance, 6)) AS bounded,
       count(*) FILTER (WHERE tree_edit_distance(x.t, y.t, tree_costs(1, 1, 1)) <> distance) AS costs
FROM (SELECT * FROM expected ORDER BY a, b OFFSET 0) e JOIN kept x ON x.id = a JOIN kept y ON y.id = b;
SELECT count(*) FROM kept JOIN expected ON b = id AND a = 7 WHERE tree_edit_distance((SELECT t FROM kept WHERE id = 7), t) <> distance;

-- out of line, and after an error
CREATE TABLE kept_long (id integer, t tree);
ALTER TABLE kept_long ALTER t SET STORAGE EXTERNAL;
INSERT INTO kept_long SELECT i, ('{r' || repeat('{a{b}}', 1000) || repeat('{c}', i) || '}')::tree FROM generate_series(1, 3) i;
INSERT INTO kept_long SELECT id + 3, tree_subtree(t, 1) FROM kept_long;
SELECT a.id, array_agg(tree_edit_distance(a.t, b.t) ORDER BY b.id) AS row_first, array_agg(tree_edit_distance(b.t, a.t) ORDER BY b.id) AS row_second
FROM kept_long a, kept_long b GROUP BY a.id ORDER BY a.id;
DO $$
DECLARE
	trees tree[] := ARRAY['{a{b}}', '{r' || repeat('{a{b}}', 2000) || '}', '{a{b}}', '{a{c}}'];
BEGIN
	SET LOCAL ted.max_memory = '100kB';
	SET LOCAL ted.gpu = off;
	FOR i IN 1..4 LOOP
		BEGIN
			RAISE NOTICE '%', tree_edit_distance(trees[i], '{a{b}{c}}');
		EXCEPTION WHEN configuration_limit_exceeded THEN
			RAISE NOTICE 'too large';
		END;
	END LOOP;
END
$$;
DROP TABLE kept, expected, kept_long;
