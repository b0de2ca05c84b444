-- The similarity join aggregate of strings

CREATE TABLE texts (id bigint PRIMARY KEY, doc text);
INSERT INTO texts VALUES
  (1, 'kitten'), (2, 'sitting'), (3, 'mitten'), (4, NULL), (5, 'kitten'), (6, ''), (-7, 'Kätzchen'), (8, 'Katzchen'),
  (9, ''), (10, 'tt');

SELECT lcs_similar_pairs(id, doc, 0.8) FROM texts;
SELECT m.* FROM (SELECT lcs_similar_pairs(id, doc, 0.5) AS found FROM texts) j, unnest(found) m;

-- every pair, once
SELECT cardinality(lcs_similar_pairs(id, doc, 0)) FROM texts;

-- two sides; ids are unique on a side
SELECT lcs_similar_pairs(id, doc, 0.6, side)
FROM (SELECT id, doc, 'l'::"char" AS side FROM texts WHERE id IN (1, 2, 6)
      UNION ALL SELECT id, doc, 'r' FROM texts WHERE id IN (1, 3, 5, 9)) u;
SELECT lcs_similar_pairs(id, doc, 0, 'r') FROM texts;

-- groups
SELECT id % 2 AS odd, lcs_similar_pairs(id, doc, 0.4) FROM texts GROUP BY 1 ORDER BY 1;

-- nothing to join, and nothing found
SELECT lcs_similar_pairs(id, doc, 1) FROM texts WHERE id = 4;
SELECT lcs_similar_pairs(id, doc, 1) FROM texts WHERE false;
SELECT lcs_similar_pairs(id, doc, 0.1) FROM texts WHERE id IN (1, 6);

-- errors
SELECT lcs_similar_pairs(id, doc, 1 - 0.25 * (id % 2)) FROM texts WHERE id > 0;
SELECT lcs_similar_pairs(id % 3, doc, 1) FROM texts WHERE id > 0;
SELECT lcs_similar_pairs(NULL, doc, 1) FROM texts;
SELECT lcs_similar_pairs(id, doc, NULL) FROM texts;
SELECT lcs_similar_pairs(id, doc, -0.1) FROM texts;
SELECT lcs_similar_pairs(id, doc, 1.1) FROM texts;
SELECT lcs_similar_pairs(id, doc, 'NaN') FROM texts;
SELECT lcs_similar_pairs(id, doc, 1, 'x') FROM texts;
SELECT lcs_similar_pairs(id, doc, 1, NULL) FROM texts;
SELECT lcs_similar_pairs_combine(NULL, NULL);
\set VERBOSITY terse
SET ted.max_memory = '1MB';
SELECT lcs_similar_pairs(id, id || repeat('a', 1000000), 1) FROM generate_series(1, 10) id;
\set VERBOSITY default
RESET ted.max_memory;

-- the same pairs as a plain join, with thresholds that are reached exactly or just missed
CREATE TABLE plain AS
SELECT a.id AS left_id, b.id AS right_id, 2.0::float8 * lcs_length(a.doc, b.doc) / (length(a.doc) + length(b.doc)) AS similarity
FROM (SELECT i AS id, substr('abracadabra simsalabim', i % 5, i % 23 + 1) AS doc FROM generate_series(1, 60) i) a,
     (SELECT i AS id, substr('abracadabra simsalabim', i % 5, i % 23 + 1) AS doc FROM generate_series(1, 60) i) b
WHERE a.id < b.id;
CREATE TABLE thresholds AS
SELECT DISTINCT least(similarity * beside, 1) AS s
FROM plain, (VALUES (0.9999999999999999::float8), (1), (1.0000000000000002)) v(beside);
SELECT count(*) > 300 AS many FROM thresholds;
SELECT count(*) FILTER (WHERE j.s IS NOT NULL) > 10000 AS many, count(*) FILTER (WHERE j.s IS NULL OR p.s IS NULL) AS different
FROM (SELECT s, m.*
      FROM (SELECT s, lcs_similar_pairs(i, substr('abracadabra simsalabim', i % 5, i % 23 + 1), s) AS found
            FROM generate_series(1, 60) i, thresholds GROUP BY s) g, unnest(found) m) j
FULL JOIN (SELECT * FROM thresholds JOIN plain ON similarity >= s) p USING (s, left_id, right_id, similarity);

-- strings of every length that is treated in its own way; characters that occur often
CREATE TABLE long AS
SELECT i::bigint AS id, repeat(left(md5((i % 4)::text), 5 + i % 7), 3 + (i % 9) * (i % 9) * 3) || repeat('é', i % 3 * 150) AS doc
FROM generate_series(1, 150) i;
SELECT min(length(doc)), max(length(doc)) FROM long;
SELECT s, count(j.similarity) AS pairs, count(*) FILTER (WHERE j.similarity IS DISTINCT FROM p.similarity) AS different
FROM (SELECT s, m.*
      FROM (SELECT s, lcs_similar_pairs(id, doc, s) AS found FROM long, (VALUES (0.3::float8), (0.7), (0.9), (0.99)) v(s) GROUP BY s) g,
           unnest(found) m) j
FULL JOIN (SELECT s, left_id, right_id, similarity
           FROM (SELECT a.id AS left_id, b.id AS right_id, 2.0::float8 * lcs_length(a.doc, b.doc) / (length(a.doc) + length(b.doc)) AS similarity
                 FROM long a JOIN long b ON a.id < b.id) q
           JOIN (VALUES (0.3::float8), (0.7), (0.9), (0.99)) v(s) ON similarity >= s) p USING (s, left_id, right_id)
GROUP BY s ORDER BY s;

-- partial aggregation in parallel workers
CREATE TEMPORARY TABLE serial AS
SELECT m.* FROM (SELECT lcs_similar_pairs(id, doc, 0.9) AS found FROM long) j, unnest(found) m;
ALTER TABLE long SET (parallel_workers = 2);
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
EXPLAIN (COSTS OFF) SELECT lcs_similar_pairs(id, doc, 0.9) FROM long;
CREATE TEMPORARY TABLE parallel AS
SELECT m.* FROM (SELECT lcs_similar_pairs(id, doc, 0.9) AS found FROM long) j, unnest(found) m;
SELECT count(*) > 100 AS many, count(*) FILTER (WHERE s IS DISTINCT FROM p) AS different
FROM serial s FULL JOIN parallel p USING (left_id, right_id, similarity);
DROP TABLE texts, plain, thresholds, long, serial, parallel;

-- states that the aggregate would not make
SELECT lcs_similar_pairs_finalfn(ARRAY[ROW(1, 'l', 1, NULL)]::lcs_join_row[]);
CREATE AGGREGATE made_up(lcs_join_row[]) (
  SFUNC = lcs_similar_pairs_combine, STYPE = lcs_join_row[], FINALFUNC = lcs_similar_pairs_finalfn);
SELECT made_up(state) FROM (VALUES (ARRAY[ROW(1, 'l', 1, NULL)]::lcs_join_row[])) v(state);
SELECT made_up(state) FROM (VALUES (ARRAY[ROW(1, 'l', 'NaN', 'a')]::lcs_join_row[])) v(state);
SELECT lcs_similar_cluster(doc, 90) OVER () FROM (VALUES ('a'), ('b')) v(doc);
DROP AGGREGATE made_up(lcs_join_row[]);
