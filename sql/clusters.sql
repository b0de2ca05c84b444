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
SET work_mem = '64kB';
CREATE TEMPORARY TABLE by_window AS SELECT id, tree_within_cluster(doc, 1) OVER (ORDER BY id) AS cluster FROM cluster_many;
RESET work_mem;
CREATE TEMPORARY TABLE by_pairs AS
SELECT c.* FROM (SELECT array_agg(a.id) AS l, array_agg(b.id) AS r
                 FROM cluster_many a LEFT JOIN cluster_many b ON a.id < b.id AND tree_within(a.doc, b.doc, 1)) p,
  ted_clusters(l, r) c;
SELECT count(*) AS documents, count(DISTINCT w.cluster) AS clusters, count(DISTINCT p.cluster) AS of_pairs,
       count(DISTINCT (w.cluster, p.cluster)) AS both
FROM by_window w JOIN by_pairs p USING (id);
SELECT bool_and(cluster = least) AS first FROM (SELECT cluster, min(id) OVER (PARTITION BY cluster) AS least FROM by_pairs) c;

-- by similarity and by a model of costs, whichever direction costs less; of byte strings and arrays
SELECT id, tree_similar_cluster(doc, 0.5) OVER (ORDER BY id) AS similar, tree_similar_cluster(doc, 0) OVER (ORDER BY id) AS all,
       tree_within_cluster(doc, 1, costs => '{}') OVER (ORDER BY id) AS within, tree_within_cluster(doc, 0.5, costs => '{"insert": 0.5, "delete": 3, "rename": 3}') OVER (ORDER BY id) AS model
FROM cluster_docs ORDER BY id;
SELECT id, lcs_similar_cluster(text, 0.6) OVER (ORDER BY id) AS text, lcs_similar_cluster(text::bytea, 0.6) OVER (ORDER BY id) AS bytea,
       lcs_similar_cluster(string_to_array(text, NULL), 0.6) OVER (ORDER BY id) AS letters, lcs_similar_cluster(numbers, 0.6) OVER (ORDER BY id) AS numbers,
       lcs_similar_cluster(numbers::float8[], 0.6) OVER (ORDER BY id) AS floats
FROM (VALUES (1, 'Berlin', '{1.0,2,3}'::numeric[]), (2, 'Paris', '{5}'), (3, 'Berlinn', '{1,2.00,4}'), (4, NULL, NULL), (5, 'Parris', '{}')) v (id, text, numbers) ORDER BY id;
CREATE TEMPORARY TABLE many_arrays AS SELECT i AS id, ARRAY[i % 50, i % 3, i % 50 + 1, i % 7, i / 900]::bigint[] AS doc FROM generate_series(1, 2000) i;
SET work_mem = '64kB';
CREATE TEMPORARY TABLE arrays_by_window AS SELECT id, lcs_similar_cluster(doc, 0.8) OVER (ORDER BY id) AS cluster FROM many_arrays;
RESET work_mem;
SELECT count(*) AS documents, count(DISTINCT w.cluster) AS clusters, count(DISTINCT p.cluster) AS of_pairs, count(DISTINCT (w.cluster, p.cluster)) AS both
FROM arrays_by_window w JOIN (SELECT c.* FROM (SELECT array_agg(a.id) AS l, array_agg(b.id) AS r
	FROM many_arrays a LEFT JOIN many_arrays b ON a.id < b.id AND lcs_similar(a.doc, b.doc, 0.8)) p, ted_clusters(l, r) c) p USING (id);

-- documents that almost all match: pairs that others connect are left out
CREATE TABLE cluster_crowd AS
SELECT i AS id, format('{r{%s}{%s}{%s}{c{%s}{e}}}', i % 5, i / 5 % 5, CASE WHEN i % 4 = 0 THEN 'x' ELSE 'y' END, i / 25 % 8)::tree AS doc FROM generate_series(1, 600) i;
SELECT d, memory, count(DISTINCT w), count(DISTINCT p), count(DISTINCT (w, p)) AS both
FROM (VALUES (1, '64kB'), (2, '64kB'), (1, '4MB'), (2, '4MB')) v (d, memory), set_config('work_mem', memory, false),
  LATERAL (SELECT id, tree_within_cluster(doc, d) OVER (ORDER BY id) AS w FROM cluster_crowd) c,
  LATERAL (SELECT array_agg(a.id) AS l, array_agg(b.id) AS r FROM cluster_crowd a JOIN cluster_crowd b ON a.id <= b.id AND tree_within(a.doc, b.doc, d)) j,
  LATERAL (SELECT cluster AS p FROM ted_clusters(l, r) k WHERE k.id = c.id) q GROUP BY d, memory ORDER BY d, memory;
RESET work_mem;

-- complete linkage: all pairs of a cluster match
SELECT name, lcs_similar_cluster(name, 0.6) OVER w AS single, lcs_similar_cluster(name, 0.6, 'complete') OVER w AS complete
FROM unnest('{anna,hanna,anna,johanna,NULL,johann,hans,anne,annette}'::text[]) WITH ORDINALITY n (name, id) WINDOW w AS (ORDER BY id);
SELECT d, count(DISTINCT (c, a.id)) AS documents, count(DISTINCT c) AS clusters, bool_and(tree_within(a.doc, b.doc, d)) AS all_within
FROM generate_series(0, 3) d, LATERAL (SELECT id, doc, tree_within_cluster(doc, d, linkage => 'complete') OVER (ORDER BY id) AS c FROM cluster_crowd) a
  JOIN LATERAL (SELECT id, doc, tree_within_cluster(doc, d, linkage => 'complete') OVER (ORDER BY id) AS c FROM cluster_crowd) b USING (c) GROUP BY d ORDER BY d;
SELECT id, tree_similar_cluster(doc, 0.5, linkage => 'complete') OVER (ORDER BY id) AS similar, tree_within_cluster(doc, 1, 'complete', '{"rename": 0.5}') OVER (ORDER BY id) AS model
FROM cluster_docs ORDER BY id;
SELECT tree_within_cluster(doc, 2, 'complete') OVER () FROM cluster_docs WHERE false;

-- errors
SELECT tree_within_cluster(doc, 1, linkage => 'average') OVER () FROM cluster_docs;
SELECT tree_within_cluster(doc, 1, linkage => NULL) OVER () FROM cluster_docs;
SELECT tree_within_cluster(doc, 1, linkage => CASE WHEN id > 1 THEN 'single' ELSE 'complete' END) OVER () FROM cluster_docs;
SELECT tree_within_cluster(doc, 1, 'complete', '{"insert": 2}') OVER () FROM cluster_docs;
SELECT tree_within_cluster(doc, 1, costs => CASE WHEN id > 1 THEN tree_costs(2) END) OVER () FROM cluster_docs;
SET ted.max_memory = '1MB';
SELECT tree_within_cluster(format('{a{%s}}', i)::tree, 1, linkage => 'complete') OVER () FROM generate_series(1, 500) i;
RESET ted.max_memory;
SELECT tree_within_cluster(doc, 1, costs => CASE WHEN id > 1 THEN tree_costs(2) ELSE '{}' END) OVER () FROM cluster_docs;
SELECT tree_similar_cluster(doc, 1.5) OVER () FROM cluster_docs;
SELECT lcs_similar_cluster(ARRAY[i, NULL], 0.5) OVER () FROM generate_series(1, 2) i;
SELECT tree_within_cluster(doc, -1) OVER () FROM cluster_docs;
SELECT tree_within_cluster(doc, id) OVER () FROM cluster_docs;
SELECT tree_within_cluster(doc, NULL) OVER () FROM cluster_docs;
SELECT lcs_similar_cluster('a', 1) OVER ();
SELECT tree_within_cluster('{a}', 1);
DROP TABLE cluster_docs, cluster_many, cluster_crowd;
