-- Clusters of pairs

SELECT * FROM ted_clusters('{1,2,7}'::bigint[], '{2,3,8}'::bigint[]);
SELECT * FROM ted_clusters('{9,1,5}'::int[], '{5,2,1}'::bigint[]);
SELECT pg_typeof(id), * FROM ted_clusters(ARRAY['b', 'd'], ARRAY['a', 'c']);
SELECT * FROM ted_clusters(ARRAY['11111111-0000-0000-0000-000000000000'::uuid], ARRAY['00000000-0000-0000-0000-000000000001'::uuid]);

-- an id beside a null is a cluster by itself
SELECT * FROM ted_clusters('{1,2,NULL,NULL}'::int[], '{NULL,3,4,NULL}'::int[]);

-- nothing, and any shape
SELECT * FROM ted_clusters('{}'::int[], '{}'::int[]);
SELECT * FROM ted_clusters(NULL::int[], '{1}'::int[]);
SELECT * FROM ted_clusters('{{1,2},{3,4}}'::int[], '[5:8]={2,3,4,4}'::int[]);

-- equal by the operator of their type
SELECT * FROM ted_clusters('{1.0,2.0}'::numeric[], '{2,3}'::numeric[]);

-- errors
SELECT * FROM ted_clusters('{1}'::int[], '{1,2}'::int[]);
SELECT * FROM ted_clusters(ARRAY['(1,1)'::point], ARRAY['(1,1)'::point]);
SET ted.max_memory = '64kB';
SELECT count(*) FROM (SELECT array_agg(i) AS ids FROM generate_series(1, 100000) i) a, ted_clusters(ids, ids);
RESET ted.max_memory;

-- Clusters of documents

CREATE TABLE cluster_docs (id int, kind text, doc tree);
INSERT INTO cluster_docs VALUES
  (1, 'x', '{a{b}{c}}'), (2, 'x', '{z}'), (3, 'x', '{a{b}}'), (4, 'y', NULL), (5, 'y', '{a}'), (6, 'y', '{z}'),
  (7, 'y', '{q{r{s{t}}}}'), (8, 'x', '{a{b}{c}}');
SELECT id, tree_within_cluster(doc, 1) OVER (ORDER BY id) AS cluster FROM cluster_docs ORDER BY id;
SELECT id, tree_within_cluster(doc, 0) OVER (ORDER BY id DESC) AS cluster FROM cluster_docs ORDER BY id;
SELECT id, kind, tree_within_cluster(doc, 1) OVER (PARTITION BY kind ORDER BY id) AS cluster FROM cluster_docs ORDER BY kind, id;
SELECT id, lcs_similar_cluster(name, 0.7) OVER (ORDER BY id) AS cluster
FROM (VALUES (1, 'Berlin'), (2, 'Paris'), (3, 'Berlinn'), (4, NULL), (5, 'Bern'), (6, 'Parris')) v (id, name) ORDER BY id;
SELECT tree_within_cluster(NULL, 1) OVER () FROM generate_series(1, 2);
SELECT tree_within_cluster(doc, 1) OVER () FROM cluster_docs WHERE false;

-- the same clusters from pairs, and of trees that do not fit in one block
CREATE TABLE cluster_many AS
SELECT i AS id, ('{r' || repeat('{x}', 3 * (i % 40)) || '{' || i % 11 || '}' || '{y{' || i % 7 || '}}}')::tree AS doc
FROM generate_series(1, 2000) i;
SET ted.max_memory = '300kB';
CREATE TEMPORARY TABLE by_window AS SELECT id, tree_within_cluster(doc, 1) OVER (ORDER BY id) AS cluster FROM cluster_many;
RESET ted.max_memory;
CREATE TEMPORARY TABLE by_pairs AS
SELECT c.* FROM (SELECT array_agg(a.id) AS l, array_agg(b.id) AS r
                 FROM cluster_many a LEFT JOIN cluster_many b ON a.id < b.id AND tree_within(a.doc, b.doc, 1)) p,
  ted_clusters(l, r) c;
SELECT count(*) AS documents, count(DISTINCT w.cluster) AS clusters, count(DISTINCT p.cluster) AS of_pairs,
       count(DISTINCT (w.cluster, p.cluster)) AS both
FROM by_window w JOIN by_pairs p USING (id);
SELECT bool_and(cluster = least) AS first FROM (SELECT cluster, min(id) OVER (PARTITION BY cluster) AS least FROM by_pairs) c;

-- errors
SELECT tree_within_cluster(doc, -1) OVER () FROM cluster_docs;
SELECT tree_within_cluster(doc, id) OVER () FROM cluster_docs;
SELECT tree_within_cluster(doc, NULL) OVER () FROM cluster_docs;
SELECT lcs_similar_cluster('a', 1) OVER ();
SELECT tree_within_cluster('{a}', 1);
CREATE OPERATOR %%% (LEFTARG = tree, RIGHTARG = integer, FUNCTION = tree_within_cluster);
SELECT '{a}'::tree %%% 1;
DROP OPERATOR %%% (tree, integer);
DROP TABLE cluster_docs, cluster_many;
