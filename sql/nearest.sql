-- The nearest documents of a table for each row, by TedNearest

CREATE TABLE docs (id int, grp int, doc tree);
INSERT INTO docs
SELECT i, i % 7, CASE WHEN i % 23 <> 0 THEN ('{r{' || i % 50 || '}' || repeat('{x}', i % 7) || '{' || i % 11 || '{' || i % 3 || '}}}')::tree END
FROM generate_series(1, 300) i;
INSERT INTO docs SELECT 1000 + i, 1, ('{other{' || i || '}' || repeat('{y{' || i % 2 || '}}', i % 40) || '}')::tree FROM generate_series(1, 60) i;
INSERT INTO docs SELECT 2000 + i, 2, ('{long' || repeat('{z', 150) || repeat('}', 150) || repeat('{z}', i) || '}')::tree FROM generate_series(1, 3) i;
CREATE TABLE queries AS SELECT id, grp, doc FROM docs WHERE id % 10 = 3 OR doc IS NULL;
INSERT INTO queries VALUES (5001, 1, '{far{away}}'), (5002, 1, '{r}');
CREATE TABLE nothing (LIKE docs);
CREATE TABLE parts (LIKE docs) PARTITION BY LIST (grp);
CREATE TABLE parts_a PARTITION OF parts FOR VALUES IN (0, 1, 2, 3);
CREATE TABLE parts_b PARTITION OF parts DEFAULT;
INSERT INTO parts SELECT * FROM docs;
CREATE TABLE wide AS SELECT id, doc, repeat(md5(id::text), 20) AS filler FROM docs;
CREATE TABLE strict (LIKE docs);
INSERT INTO strict SELECT * FROM docs WHERE doc IS NOT NULL;
ALTER TABLE strict ALTER doc SET NOT NULL;
CREATE TABLE json (id int, j json NOT NULL, b jsonb NOT NULL, x xml NOT NULL);
INSERT INTO json
SELECT i, j, j, xmlelement(name a, xmlattributes(i % 5 AS n), xmlelement(name b, i % 7), xmlelement(name c, i))
FROM generate_series(1, 120) i, json_build_object('id', i % 40, 'names', array_fill(i % 3, ARRAY[i % 6]), 'x', json_build_object('y', i % 11)) j;
ANALYZE docs, queries, nothing, parts, wide, strict, json;

-- Runs a query with TedNearest, in much and in little memory, and without it; neither
-- says which of several rows at the same distance comes.
CREATE FUNCTION same(query text, OUT planned boolean, OUT rows bigint, OUT same boolean) AS $$
DECLARE
	gathered text := 'SELECT count(*), string_agg(q::text, '' '' ORDER BY q::text) FROM (' || query || ') q';
	line text;
	own_rows text;
	setting text;
	little bigint;
	little_rows text;
	other bigint;
	other_rows text;
BEGIN
	planned := false;
	FOR line IN EXECUTE 'EXPLAIN ' || query LOOP
		planned := planned OR line LIKE '%Custom Scan (TedNearest)%';
	END LOOP;
	EXECUTE gathered INTO rows, own_rows;
	SET LOCAL ted.enable_nearest = off;
	EXECUTE gathered INTO other, other_rows;
	SET LOCAL ted.enable_nearest = on;
	same := rows = other AND own_rows IS NOT DISTINCT FROM other_rows;
	-- rows in a file, and then labels in no memory
	FOREACH setting IN ARRAY ARRAY['192kB', '64kB', '4MB'] LOOP
		PERFORM set_config('work_mem', setting, true), set_config('hash_mem_multiplier', '1', true);
		EXECUTE gathered INTO little, little_rows;
		same := same AND little = other AND little_rows IS NOT DISTINCT FROM other_rows;
	END LOOP;
END $$ LANGUAGE plpgsql;

SELECT t.i, s.*
FROM unnest(ARRAY[
  'SELECT q.id, n.* FROM queries q, LATERAL (SELECT d.doc <-> q.doc AS x FROM docs d ORDER BY d.doc <-> q.doc LIMIT 1) n',
  'SELECT q.id, n.* FROM queries q, LATERAL (SELECT d.doc <-> q.doc AS x FROM docs d ORDER BY q.doc <-> d.doc LIMIT 7) n',
  'SELECT q.id, n.* FROM queries q, LATERAL (SELECT tree_edit_distance(q.doc, d.doc), tree_similarity(d.doc, q.doc) IS NULL FROM docs d ORDER BY tree_edit_distance(d.doc, q.doc) LIMIT 4) n',
  'SELECT q.id, n.* FROM queries q, LATERAL (SELECT tree_normalized_distance(q.doc, d.doc) * 0, d.doc <-> q.doc FROM docs d ORDER BY 2 LIMIT 4) n',
  'SELECT q.id, n.* FROM queries q, LATERAL (SELECT d.doc <-> q.doc AS x FROM docs d WHERE d.id <> q.id ORDER BY d.doc <-> q.doc LIMIT 2) n',
  'SELECT q.id, n.* FROM queries q, LATERAL (SELECT d.doc <-> q.doc AS x FROM docs d WHERE d.id <> q.id AND d.grp = 2 ORDER BY d.doc <-> q.doc LIMIT 2) n',
  'SELECT q.id, n.* FROM queries q, LATERAL (SELECT d.doc <-> q.doc AS x FROM docs d WHERE d.grp = q.grp AND d.doc IS NOT NULL ORDER BY d.doc <-> q.doc LIMIT 3) n',
  'SELECT q.id, n.* FROM queries q LEFT JOIN LATERAL (SELECT d.doc <-> q.doc AS x FROM docs d WHERE d.id > q.id + 200 ORDER BY d.doc <-> q.doc LIMIT 1) n ON true',
  'SELECT q.id, n.* FROM queries q LEFT JOIN LATERAL (SELECT d.doc <-> q.doc AS x FROM docs d ORDER BY d.doc <-> q.doc LIMIT 3) n ON n.x < 4',
  'SELECT q.id, (SELECT tree_edit_distance(d.doc, q.doc) FROM docs d WHERE d.id <> q.id ORDER BY d.doc <-> q.doc LIMIT 1) FROM queries q',
  'SELECT q.id FROM queries q WHERE (SELECT tree_edit_distance(d.doc, q.doc) FROM docs d WHERE d.id <> q.id ORDER BY d.doc <-> q.doc LIMIT 1) > 0',
  'SELECT q.id, n.* FROM queries q, LATERAL (SELECT d.doc <-> q.doc AS x, d.id FROM docs d ORDER BY d.doc <-> q.doc, d.id LIMIT 5) n',
  'SELECT q.id, n.* FROM queries q, LATERAL (SELECT d.id, d.grp, d.doc FROM docs d ORDER BY d.doc <-> q.doc, d.id OFFSET 3 LIMIT 5) n',
  'SELECT q.id, n.* FROM queries q, LATERAL (SELECT d.doc <-> q.doc AS x, length(d.filler) FROM wide d ORDER BY d.doc <-> q.doc LIMIT 5) n',
  'SELECT q.id, n.* FROM queries q, LATERAL (SELECT d.doc <-> q.doc AS x, d.filler, d.ctid IS NULL, d.tableoid = ''wide''::regclass FROM wide d WHERE d.filler <> q.doc::text ORDER BY 1, d.filler LIMIT 5) n',
  'SELECT q.id, n.* FROM queries q, LATERAL (SELECT d.doc <-> q.doc AS x FROM docs d ORDER BY d.doc <-> q.doc LIMIT (q.id % 4)) n',
  'SELECT q.id, n.* FROM queries q, LATERAL (SELECT d.doc <-> q.doc AS x FROM docs d JOIN queries e ON e.id = d.id ORDER BY d.doc <-> q.doc LIMIT 3) n',
  'SELECT q.id, n.* FROM queries q, LATERAL (SELECT d.doc <-> q.doc AS x FROM parts d ORDER BY d.doc <-> q.doc LIMIT 2) n',
  'SELECT q.id, n.* FROM queries q, LATERAL (SELECT d.doc <-> q.doc AS x FROM nothing d ORDER BY d.doc <-> q.doc LIMIT 2) n',
  'SELECT q.id, n.* FROM queries q, LATERAL (SELECT tree_edit_distance(d.doc::text::tree, q.doc) AS x FROM docs d ORDER BY 1 LIMIT 2) n',
  'SELECT a.id, n.* FROM queries a, LATERAL (SELECT b.id, m.x FROM queries b, LATERAL (SELECT d.doc <-> b.doc AS x FROM docs d WHERE d.grp <> a.grp ORDER BY d.doc <-> b.doc LIMIT 1) m WHERE b.id < 60) n WHERE a.id < 60',
  'SELECT q.id, n.* FROM queries q LEFT JOIN LATERAL (SELECT d.doc <-> q.doc AS x FROM docs d WHERE d.id + d.grp < 0 ORDER BY d.doc <-> q.doc LIMIT 1) n ON true',
  'SELECT q.id, n.* FROM queries q, LATERAL (SELECT d.doc <-> q.doc AS x FROM docs d WHERE q.id < 60 ORDER BY d.doc <-> q.doc LIMIT 2) n',
  'SELECT q.id, n.r, (n.r).id FROM queries q, LATERAL (SELECT d AS r FROM docs d ORDER BY d.doc <-> q.doc, d.id LIMIT 2) n',
  'SELECT d.doc <-> ''{r{1}{1{2}}}'' FROM docs d ORDER BY 1 LIMIT 20',
  'SELECT d.doc <-> (SELECT doc FROM queries WHERE id = 3) FROM docs d ORDER BY 1 LIMIT 20',
  'SELECT d.doc <-> NULL FROM docs d ORDER BY 1 LIMIT 20',
  'SELECT d.doc <-> q.doc FROM (SELECT * FROM docs ORDER BY doc <-> ''{x}'' LIMIT 400) d, queries q WHERE q.id < 20',
  'SELECT DISTINCT ON (d.doc <-> ''{r{x}{x}}'') d.doc <-> ''{r{x}{x}}'' FROM docs d ORDER BY 1 LIMIT 5',
  'SELECT q.id, n.* FROM queries q, LATERAL (SELECT tree_similarity(d.doc, q.doc) AS x FROM docs d ORDER BY 1 DESC NULLS LAST LIMIT 3) n',
  'SELECT q.id, n.* FROM queries q, LATERAL (SELECT tree_similarity(q.doc, d.doc) AS x, d.doc <%> q.doc FROM docs d WHERE d.id <> q.id AND d.doc IS NOT NULL ORDER BY tree_similarity(q.doc, d.doc) DESC LIMIT 2) n',
  'SELECT q.id, n.* FROM queries q, LATERAL (SELECT d.doc <%> q.doc AS x FROM docs d WHERE d.id <> q.id ORDER BY q.doc <%> d.doc LIMIT 20) n',
  'SELECT q.id, n.* FROM queries q, LATERAL (SELECT ted_dissimilarity(d.doc, q.doc), tree_similarity(d.doc, q.doc) FROM docs d WHERE d.grp <> q.grp ORDER BY 1, d.id LIMIT 4) n',
  'SELECT q.id, n.* FROM queries q, LATERAL (SELECT tree_normalized_distance(d.doc, q.doc) AS x FROM docs d WHERE d.id <> q.id ORDER BY 1 LIMIT 1) n',
  'SELECT q.id, n.* FROM queries q, LATERAL (SELECT d.doc <=> q.doc AS x, d.id FROM docs d ORDER BY d.doc <=> q.doc, d.id LIMIT 30) n',
  'SELECT q.id, n.* FROM queries q, LATERAL (SELECT tree_similarity(d.doc, q.doc) AS x FROM strict d WHERE d.id <> q.id ORDER BY 1 DESC LIMIT 2) n',
  'SELECT q.id, n.* FROM queries q, LATERAL (SELECT d.doc <-> q.doc AS x FROM strict d ORDER BY 1 NULLS FIRST LIMIT 2) n',
  'SELECT tree_similarity(doc, ''{r{1}{1{2}}}'') FROM docs ORDER BY 1 DESC NULLS LAST LIMIT 300',
  'SELECT tree_similarity(doc, NULL) FROM docs ORDER BY 1 DESC NULLS LAST LIMIT 3',
  'SELECT q.id, n.* FROM json q, LATERAL (SELECT tree_edit_distance(d.j, q.j) AS x, tree_similarity(q.x, d.x) IS NULL FROM json d WHERE d.id <> q.id ORDER BY 1 LIMIT 2) n WHERE q.id < 100',
  'SELECT q.id, n.* FROM json q, LATERAL (SELECT tree_similarity(d.b, q.b) AS x FROM json d WHERE d.id <> q.id ORDER BY 1 DESC LIMIT 2) n WHERE q.id < 100',
  'SELECT q.id, n.* FROM json q, LATERAL (SELECT tree_normalized_distance(d.x::tree, q.x::tree) AS x FROM json d WHERE d.id <> q.id ORDER BY 1 LIMIT 2) n WHERE q.id < 100',
  'SELECT q.id, n.* FROM json q, LATERAL (SELECT tree_similarity(d.x, q.x) AS x FROM json d WHERE d.id <> q.id ORDER BY 1 DESC NULLS LAST LIMIT 3) n WHERE q.id < 100'
]) WITH ORDINALITY AS t(query, i), same(t.query) s
ORDER BY t.i;

-- what is ordered otherwise, locked, or different for each row, is not
SELECT t.i, s.*
FROM unnest(ARRAY[
  'SELECT q.id, n.* FROM queries q, LATERAL (SELECT d.doc <-> q.doc AS x FROM docs d ORDER BY d.doc <-> q.doc DESC LIMIT 1) n',
  'SELECT q.id, n.* FROM queries q, LATERAL (SELECT d.doc <-> q.doc AS x FROM docs d ORDER BY d.doc <-> q.doc NULLS FIRST LIMIT 1) n',
  'SELECT q.id, n.* FROM queries q, LATERAL (SELECT d.doc <-> q.doc AS x FROM docs d ORDER BY d.doc <-> q.doc) n',
  'SELECT q.id, n.* FROM queries q, LATERAL (SELECT tree_similarity(d.doc, q.doc) AS x FROM docs d ORDER BY 1 LIMIT 1) n',
  'SELECT q.id, n.* FROM queries q, LATERAL (SELECT tree_similarity(d.doc, q.doc) AS x FROM docs d ORDER BY 1 DESC LIMIT 1) n',
  'SELECT q.id, n.* FROM queries q, LATERAL (SELECT d.doc <%> q.doc AS x FROM docs d ORDER BY 1 DESC NULLS LAST LIMIT 1) n',
  'SELECT q.id, n.* FROM queries q, LATERAL (SELECT tree_edit_distance_less_equal(d.doc, q.doc, 9) AS x FROM docs d ORDER BY 1 LIMIT 1) n',
  'SELECT q.id, n.* FROM queries q, LATERAL (SELECT tree_edit_distance((''{a'' || repeat(''{a}'', q.grp) || d.doc || ''}'')::tree, ''{a}'') AS x FROM docs d ORDER BY 1 LIMIT 1) n',
  'SELECT q.id, n.* FROM queries q, LATERAL (SELECT d.doc <-> q.doc AS x FROM docs d ORDER BY d.doc <-> q.doc LIMIT 1 FOR UPDATE) n',
  'SELECT n.x FROM LATERAL (SELECT d.doc <-> q.doc AS x FROM docs d, queries q ORDER BY d.doc <-> q.doc LIMIT 1) n',
  'SELECT q.id, n.x FROM queries q, LATERAL (SELECT d.doc <-> q.doc AS x FROM docs d WHERE random() >= 0 ORDER BY d.doc <-> q.doc LIMIT 1) n'
]) WITH ORDINALITY AS t(query, i), same(t.query) s
ORDER BY t.i;

SET ted.explain_hardware = off;
EXPLAIN (COSTS OFF)
SELECT q.id, n.* FROM queries q, LATERAL (SELECT d.id, d.doc <-> q.doc FROM docs d WHERE d.id <> q.id AND d.grp < 5 ORDER BY d.doc <-> q.doc LIMIT 1) n;
EXPLAIN (COSTS OFF) SELECT id FROM docs ORDER BY tree_edit_distance(doc, '{r}') LIMIT 3;
SELECT explain('SELECT q.id, n.* FROM queries q, LATERAL (SELECT d.id, d.doc <-> q.doc FROM docs d WHERE d.id <> q.id ORDER BY d.doc <-> q.doc LIMIT 2) n', 'ANALYZE');
SET ted.enable_nearest = off;
EXPLAIN (COSTS OFF) SELECT id FROM docs ORDER BY tree_edit_distance(doc, '{r}') LIMIT 3;
RESET ted.enable_nearest;

-- a cursor goes on and back
BEGIN;
DECLARE c SCROLL CURSOR FOR SELECT tree_edit_distance(doc, '{r{x}}') FROM docs ORDER BY 1;
FETCH 4 FROM c;
FETCH BACKWARD 2 FROM c;
FETCH RELATIVE 200 FROM c;
FETCH NEXT FROM c;
COMMIT;

-- one that is left open while a subtransaction ends
BEGIN;
SET LOCAL work_mem = '64kB';
SAVEPOINT s;
DECLARE c CURSOR FOR SELECT tree_edit_distance(doc, '{r{x}}') FROM wide ORDER BY 1 LIMIT 50;
FETCH 2 FROM c;
RELEASE s;
FETCH 2 FROM c;
COMMIT;

-- prepared, with any parameter
PREPARE nearest(tree, int) AS SELECT tree_edit_distance(doc, $1) FROM docs WHERE id <> $2 ORDER BY doc <-> $1 LIMIT 3;
SET plan_cache_mode = force_generic_plan;
EXPLAIN (COSTS OFF) EXECUTE nearest('{r}', 1);
EXECUTE nearest('{r{x}}', 1);
EXECUTE nearest('{long{z}}', 1);
EXECUTE nearest(NULL, 1);
RESET plan_cache_mode;

-- rows of which a policy hides some
CREATE ROLE ted_nearest_user;
GRANT SELECT ON docs, queries TO ted_nearest_user;
ALTER TABLE docs ENABLE ROW LEVEL SECURITY;
CREATE POLICY few ON docs FOR SELECT USING (grp = 3);
SET ROLE ted_nearest_user;
SELECT * FROM same('SELECT q.id, n.* FROM queries q, LATERAL (SELECT d.doc <-> q.doc AS x, d.grp FROM docs d ORDER BY d.doc <-> q.doc LIMIT 1) n');
SELECT * FROM same('SELECT q.id, n.* FROM queries q, LATERAL (SELECT d.doc <-> q.doc AS x, d.grp FROM docs d WHERE d.id <> q.id ORDER BY d.doc <-> q.doc LIMIT 1) n');
RESET ROLE;
-- a policy that may change between searches has to be checked before the distances
ALTER POLICY few ON docs USING (grp = (SELECT min(id) + 2 FROM queries));
SET ROLE ted_nearest_user;
SELECT bool_or(line LIKE '%TedNearest%') AS planned
FROM explain('SELECT q.id, n.* FROM queries q, LATERAL (SELECT d.doc <-> q.doc AS x, d.grp FROM docs d ORDER BY d.doc <-> q.doc LIMIT 1) n') line;
RESET ROLE;
ALTER TABLE docs DISABLE ROW LEVEL SECURITY;

-- trees for which memory does not do; how much they need depends on the processor
CREATE TABLE tall AS SELECT i AS id, CASE WHEN i < 4 THEN '{a' || repeat('{b{c', 300 + i) || repeat('}}', 300 + i) || repeat('{c{d}{e}}', 300) || '}'
	ELSE '{a' || repeat('{c{d}{e}}', 300) || repeat('{c{b}{d', 200 + i) || repeat('}}', 200 + i) || '}' END::tree AS doc FROM generate_series(1, 6) i;
ANALYZE tall;
SET ted.max_memory = '1MB';
DO $$
DECLARE
	detail text;
BEGIN
	PERFORM q.id, n.* FROM tall q, LATERAL (SELECT d.id AS other FROM tall d WHERE d.id / 4 <> q.id / 4 ORDER BY d.doc <-> q.doc LIMIT 1) n;
EXCEPTION WHEN configuration_limit_exceeded THEN
	GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
	RAISE NOTICE '%: %', SQLERRM, detail;
END $$;
RESET ted.max_memory;
DROP TABLE tall;

-- the distance is a function like any other
REVOKE EXECUTE ON FUNCTION tree_edit_distance(tree, tree) FROM public;
SET ROLE ted_nearest_user;
SELECT id FROM docs ORDER BY tree_edit_distance(doc, '{r}') LIMIT 1;
RESET ROLE;
GRANT EXECUTE ON FUNCTION tree_edit_distance(tree, tree) TO public;

DROP TABLE docs, queries, nothing, parts, wide, strict, json;
DROP FUNCTION same;
DROP ROLE ted_nearest_user;
