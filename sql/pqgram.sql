-- The pq-gram distance, and the nearest by it

SELECT a, b, tree_pqgram_distance(a, b), a <#> b, tree_pqgram_distance(a, b, 1, 1) AS labels, tree_pqgram_distance(b, a, 3, 2)
FROM (VALUES ('{a}'::tree, '{a}'::tree), ('{a}', '{b}'), ('{a{b}{c}}', '{a{b}{c}}'), ('{a{b}{c}}', '{a{c}{b}}'),
  ('{a{b}{c}}', '{a{b}{d}}'), ('{a{b}{c}}', '{a{b{c}}}'), ('{a{a}{a}{a}}', '{a{a}{a}}'), ('{a}', '{a{b}{c}{d}{e}}')) AS t (a, b);

-- 13 pq-grams each, of which 9 are the same
SELECT tree_pqgram_distance('{a{a{e}{b}}{b}{c}}', '{a{a{e}{b}}{b}{x}}', 2, 3);

-- documents
SELECT tree_pqgram_distance('<a><b>1</b></a>'::xml::tree, '<a><b>2</b></a>'::xml::tree),
  tree_pqgram_distance('{"a": 1, "b": 2}'::jsonb::tree, '{"b": 2, "a": 1}'::jsonb::tree);

-- wrong parameters, and NULL
SELECT tree_pqgram_distance('{a}', '{a}', 0, 3);
SELECT tree_pqgram_distance('{a}', '{a}', 2, -1);
SELECT tree_pqgram_distance('{a}', '{a}', 101, 3);
SELECT tree_pqgram_distance('{a}', '{b}', 100, 100), tree_pqgram_distance(NULL, '{a}'), '{a}' <#> NULL::tree;
SET ted.max_memory = '1MB';
SELECT tree_pqgram_distance(t, t) FROM (SELECT ('{r' || repeat('{a}', 20000) || '}')::tree AS t OFFSET 0) s;
RESET ted.max_memory;

-- p and q that change from row to row
SELECT p, q, tree_pqgram_distance('{a{b}{c}{b{d}}}', '{a{b}{c{b}}{d}}', p, q) FROM generate_series(1, 3) p, generate_series(1, 2) q;

-- trees of all sizes, some of them alike; those of the largest have more pq-grams than an index keeps
CREATE TABLE source (id int PRIMARY KEY, doc tree);
INSERT INTO source
SELECT i, ('{r' || string_agg(format('{%s{%s}{x}}', (i * j) % 11, (i / 4 + j) % 7), '') || '}')::tree
FROM generate_series(1, 400) i, generate_series(1, i % 23 + 1) j GROUP BY i;
INSERT INTO source SELECT 400 + i, ('{r' || repeat(format('{a{%s}}', i % 3), 150 * i) || '{b}}')::tree FROM generate_series(1, 6) i;
INSERT INTO source SELECT 410 + i, (repeat('{n', i) || repeat('}', i))::tree FROM generate_series(1, 20) i;
INSERT INTO source SELECT 440 + i, NULL FROM generate_series(1, 5) i;
CREATE TABLE docs AS TABLE source;
CREATE TABLE queries AS SELECT id AS query_id, doc AS query FROM docs WHERE id % 67 = 5 OR id IN (402, 406, 411, 430);
CREATE VIEW nearest AS
SELECT query_id, k, distances
FROM queries, unnest('{1,9,600}'::int[]) k,
  LATERAL (SELECT array_agg(d) AS distances FROM (SELECT doc <#> query AS d FROM docs ORDER BY doc <#> query LIMIT k) n) m;
CREATE TABLE expected AS TABLE nearest;
SELECT k, count(*), sum(array_length(distances, 1)) FROM expected GROUP BY k ORDER BY k;
CREATE VIEW differences AS SELECT count(*) FROM (TABLE nearest EXCEPT ALL TABLE expected) d;

SET enable_seqscan = off;
SET enable_sort = off;
SET jit = off;
CREATE INDEX docs_pqgrams ON docs USING profile (doc);
ANALYZE docs;
EXPLAIN (COSTS OFF) SELECT id FROM docs ORDER BY doc <#> '{r{a}}' LIMIT 5;
TABLE differences;

-- after insertions, deletions and a vacuum
DELETE FROM docs WHERE id % 3 = 0;
INSERT INTO docs SELECT * FROM source WHERE id % 3 = 0;
TABLE differences;
DELETE FROM docs WHERE id % 4 = 0;
VACUUM docs;
INSERT INTO docs SELECT * FROM source WHERE id % 4 = 0;
UPDATE docs SET doc = doc WHERE id % 7 = 0;
VACUUM docs;
TABLE differences;
REINDEX TABLE docs;
TABLE differences;

-- more rows than one pass of a search keeps, many of which are equally near
CREATE TABLE many AS
SELECT i AS id, ('{r' || string_agg(format('{%s}', i * j % 17), '' ORDER BY j) || '}')::tree AS doc
FROM generate_series(1, 3000) i, generate_series(1, i % 40 + 1) j GROUP BY i;
CREATE FUNCTION in_order(k int) RETURNS TABLE (rows bigint, same boolean) LANGUAGE sql AS $$
SELECT count(*), bool_and(a.d = b.d)
FROM (SELECT row_number() OVER () AS n, d FROM (SELECT doc <#> '{r{5}{1}{7}{7}}' AS d FROM many ORDER BY doc <#> '{r{5}{1}{7}{7}}' LIMIT k) a) a
FULL JOIN (SELECT row_number() OVER (ORDER BY d) AS n, d FROM (SELECT doc <#> '{r{5}{1}{7}{7}}' AS d FROM many OFFSET 0) b ORDER BY n LIMIT k) b USING (n)
$$;
SET enable_sort = on;
CREATE INDEX many_pqgrams ON many USING profile (doc);
EXPLAIN (COSTS OFF) SELECT doc <#> '{r{5}{1}{7}{7}}' AS d FROM many ORDER BY doc <#> '{r{5}{1}{7}{7}}' LIMIT 3000;
SELECT k, i.* FROM unnest('{1,100,700,3000,4000}'::int[]) k, in_order(k) i;
INSERT INTO many SELECT 3000 + i, '{r{5}{1}}' FROM generate_series(1, 2500) i;
SELECT k, i.* FROM unnest('{700,3000,6000}'::int[]) k, in_order(k) i;

-- a distance of NULL, and rows without a tree come last
SELECT count(*) FROM (SELECT id FROM docs ORDER BY doc <#> NULL LIMIT 500) n;
SELECT count(doc) FROM (SELECT doc FROM docs ORDER BY doc <#> '{r}' LIMIT 428) n;

-- the nearest by the tree edit distance, among the nearest by pq-grams
EXPLAIN (COSTS OFF)
SELECT id FROM (SELECT * FROM docs ORDER BY doc <#> '{r{1{2}{x}}}' LIMIT 20) c ORDER BY doc <-> '{r{1{2}{x}}}' LIMIT 3;
SELECT doc <-> '{r{1{2}{x}}}' FROM (SELECT * FROM docs ORDER BY doc <#> '{r{1{2}{x}}}' LIMIT 20) c ORDER BY doc <-> '{r{1{2}{x}}}' LIMIT 3;

-- an index of trees by pq-grams is of use for nothing else
SELECT explain('SELECT id FROM docs WHERE tree_within(doc, ''{r{a}}'', 1)');
SET enable_sort = on;
SET ted.enable_nearest = off;
SELECT explain('SELECT id FROM docs ORDER BY doc <-> ''{r{a}}'' LIMIT 5');
SELECT explain('SELECT id FROM docs ORDER BY doc <%> ''{r{a}}'' LIMIT 5');
RESET ted.enable_nearest;

-- profiles
SELECT length(tree_pqgram_profile('{a}')), length(tree_pqgram_profile('{a{b}{c}}')),
  tree_pqgram_profile('{a{b}{c}}') = tree_pqgram_profile('{a{c}{b}}');

DROP VIEW differences, nearest;
DROP FUNCTION in_order;
DROP TABLE source, docs, queries, expected, many;
