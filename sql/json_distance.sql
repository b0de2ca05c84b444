-- Edit distance of JSON documents: members have no order, elements have one.

SET jit = off;

-- members in another order are the same, elements are not
SELECT json_edit_distance(a::json, b::json), tree_edit_distance(tree_from_json(a::json, sort_keys => false),
                                                                tree_from_json(b::json, sort_keys => false))
FROM (VALUES ('{"a": 1, "b": [1, 2]}', '{"b": [1, 2], "a": 1}'),
             ('{"a": 1, "b": [1, 2]}', '{"a": 1, "b": [2, 1]}'),
             ('{"x": {"q": [1, 2, 3]}, "y": {"q": [4, 5, 6]}}', '{"y": {"q": [1, 2, 3]}, "x": {"q": [4, 5, 6]}}')) AS pairs(a, b);

-- each operation costs 1; a node maps to one of its kind only, else it is deleted and inserted
SELECT a, b, json_edit_distance(a::jsonb, b::jsonb)
FROM (VALUES ('1', '1'), ('1', '2'), ('1', '"1"'), ('1', '[]'), ('[]', '{}'), ('[1]', '{"a": 1}'), ('[[1]]', '[1]'),
             ('{"a": 1}', '{"b": 1}'), ('{"a": 1}', '{"a": {"a": 1}}'), ('{"a": 1}', '{"b": 2, "c": 3}'),
             ('{"a": [1, 2], "b": [3]}', '{"c": [1, 2], "d": [3]}'), ('{"b": {"x": 1, "y": 2}}', '{"x": 1, "y": 2}'),
             ('["a:"]', '{"a": "a:"}'), ('["{}", "[]"]', '[{}, []]')) AS pairs(a, b);

-- a renamed key that sorts elsewhere costs one operation, where ordered trees are far apart
SELECT json_edit_distance(a, b), tree_edit_distance(a::tree, b::tree), tree_edit_distance(tree_sort(a::tree), tree_sort(b::tree)) AS sorted
FROM (VALUES ('{"address": {"city": "Rome", "zip": 1}, "name": "x"}'::jsonb, '{"postal address": {"city": "Rome", "zip": 1}, "name": "x"}'::jsonb)) AS pairs(a, b);

-- up to a threshold
SELECT k, json_edit_distance_less_equal(a::tree, b::tree, k) <= k AS bounded, json_within(a, b, k)
FROM (VALUES ('{"a": [1, 2, 3], "b": {"c": 4}}'::jsonb, '{"d": {"c": 4}, "a": [1, 3, 5, 2]}'::jsonb)) AS pairs(a, b),
     generate_series(0, 6) AS k;
SELECT json_within('{}'::jsonb, '{}'::jsonb, 2147483647), json_edit_distance_less_equal('1'::jsonb::tree, '{"a": 2}'::jsonb::tree, 2147483647);
SELECT json_within('{}'::jsonb, '{}'::jsonb, -1);
SELECT json_edit_distance_less_equal('{}'::json::tree, '{}'::json::tree, -1);
SELECT json_edit_distance(NULL::jsonb, '{}'), json_within('{}'::jsonb, '{}', NULL), json_edit_distance('{}'::json, NULL);

-- similarity
SELECT s, json_similarity(a, b), json_similarity(a::json, b::json), json_similar(a, b, s), json_similar(a::tree, b::tree, s)
FROM (VALUES ('{"a": 1, "b": 2}'::jsonb, '{"b": 3, "a": 1}'::jsonb)) AS pairs(a, b), unnest('{0,0.79,0.8,0.81,1}'::float8[]) AS s;
SELECT json_similarity('[1]'::jsonb, '{"a": 1}'), json_similarity('1'::jsonb, '1'), json_similar('{}'::json, '{}', 1), json_similarity(NULL::jsonb, '1');
SELECT json_similar('1'::jsonb, '1', 'NaN');

-- json and jsonb alike, and the trees of them; of duplicate keys the last one counts
SELECT json_edit_distance('{"a": 1, "a": 2}'::json, '{"a": 2}'), json_edit_distance('{"a": 1.0}'::json, '{"a": 1}'),
       json_edit_distance('{"é": "ü"}'::jsonb, '{"é": "u"}');

-- any tree: only arrays have an order
SELECT json_edit_distance('{a{b}{c{d}}}'::tree, '{a{c{d}}{b}}'), json_edit_distance('{[]{b}{c}}'::tree, '{[]{c}{b}}');

-- a random order of members changes nothing, and all ways give the same
CREATE FUNCTION shuffled(doc json) RETURNS json LANGUAGE plpgsql AS $$
BEGIN
	RETURN CASE json_typeof(doc)
		WHEN 'object' THEN (SELECT coalesce(json_object_agg(key, shuffled(value) ORDER BY random()), '{}') FROM json_each(doc))
		WHEN 'array' THEN (SELECT coalesce(json_agg(shuffled(value) ORDER BY n), '[]') FROM json_array_elements(doc) WITH ORDINALITY AS e(value, n))
		ELSE doc END;
END $$;
CREATE FUNCTION random_json(depth integer) RETURNS json LANGUAGE plpgsql AS $$
BEGIN
	RETURN CASE WHEN depth = 0 OR random() < 0.2 THEN to_json((random() * 5)::integer)
		WHEN random() < 0.5 THEN (SELECT json_agg(random_json(depth - 1)) FROM generate_series(1, (random() * 3)::integer + 1))
		ELSE (SELECT json_object_agg('k' || n, random_json(depth - 1)) FROM (SELECT DISTINCT (random() * 9)::integer AS n FROM generate_series(1, 5)) AS keys) END;
END $$;
SELECT setseed(0.5);
CREATE TABLE documents AS SELECT id, random_json(4) AS doc FROM generate_series(1, 25) AS id;
SELECT count(*) AS pairs,
       count(*) FILTER (WHERE json_edit_distance(a.doc, shuffled(a.doc)) <> 0) AS shuffled,
       count(*) FILTER (WHERE d <> json_edit_distance(b.doc, shuffled(a.doc))) AS directions,
       count(*) FILTER (WHERE d <> json_edit_distance(a.doc::jsonb, b.doc::jsonb)) AS jsonb,
       count(*) FILTER (WHERE d <> json_edit_distance_less_equal(a.doc::tree, b.doc::tree, d)) AS bounded,
       count(*) FILTER (WHERE NOT json_within(a.doc, b.doc, d) OR (d > 0 AND json_within(a.doc, b.doc, d - 1))) AS within
FROM documents AS a, documents AS b, LATERAL (SELECT json_edit_distance(a.doc, b.doc) AS d OFFSET 0) AS distance;

-- the functions of documents are those of their trees
EXPLAIN (COSTS OFF, VERBOSE) SELECT json_edit_distance(doc, doc), json_within(doc::jsonb, '{"a": 1}', 2) FROM documents;

-- joins and searches find what a sequential scan finds
CREATE TABLE records AS
SELECT id, jsonb_build_object('n' || id % 7, id % 50, 'list', jsonb_build_array(id % 3, id % 4, jsonb_build_object('k' || id % 5, id % 2)),
                              'x', jsonb_build_object('a' || id % 11, 1)) AS doc
FROM generate_series(1, 150) AS id;
ALTER TABLE records ADD COLUMN t tree GENERATED ALWAYS AS (doc::tree) STORED;
ANALYZE records;
CREATE FUNCTION pairs(setting text, statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE setting || ';';
	EXECUTE format($q$ SELECT count(*) || ' ' || md5(coalesce(string_agg(r::text, ' ' ORDER BY r), '')) FROM (%s) AS r $q$, statement) INTO result;
	RESET ALL;
	RETURN result;
END $$;
SELECT statement, pairs('SET ted.enable_join = on', statement) = pairs('SET ted.enable_join = off', statement) AS same,
       pairs('SET ted.enable_join = on; SET work_mem = ''64kB''', statement) = pairs('', statement) AS in_blocks,
       split_part(pairs('', statement), ' ', 1) AS rows
FROM unnest(ARRAY[
	'SELECT a.id, b.id FROM records a JOIN records b ON a.id < b.id AND json_within(a.t, b.t, 3)',
	'SELECT a.id, b.id, json_edit_distance(a.t, b.t) FROM records a JOIN records b ON json_edit_distance(a.t, b.t) <= 2',
	'SELECT a.id, b.id FROM records a JOIN records b ON json_edit_distance(a.doc, b.doc) < 3',
	'SELECT a.id, b.id FROM records a JOIN records b ON json_edit_distance(b.t, a.t) = 4 AND a.id < b.id',
	'SELECT a.id, b.id FROM records a JOIN records b ON json_edit_distance_less_equal(a.doc::tree, b.doc::tree, 2) <= 2',
	'SELECT a.id, b.id FROM records a LEFT JOIN records b ON json_within(a.t, b.t, 1) AND a.id <> b.id',
	'SELECT a.id FROM records a WHERE NOT EXISTS (SELECT FROM records b WHERE a.id <> b.id AND json_within(a.t, b.t, 2))',
	'SELECT a.id, b.id FROM records a JOIN records b ON json_within(a.t, b.t, 3) AND tree_within(a.t, b.t, 5)',
	'SELECT a.id, b.id FROM records a JOIN records b ON json_within(a.t, b.t, a.id % 3)',
	'SELECT a.id, b.id, json_similarity(a.t, b.t) FROM records a JOIN records b ON json_similar(a.t, b.t, 0.75)',
	'SELECT a.id, b.id, json_edit_distance(a.doc, b.doc) FROM records a JOIN records b ON json_similarity(a.doc, b.doc) > 0.8',
	'SELECT a.id, b.id FROM records a JOIN records b ON json_similarity(b.t, a.t) = 1 - 4::float8 / 14 AND a.id < b.id',
	'SELECT a.id, b.id FROM records a JOIN records b ON json_within(a.t, b.doc::tree, 2) AND a.doc IS NOT NULL']) AS statement;
SET ted.explain_hardware = off;
SELECT explain('SELECT a.id, b.id, json_edit_distance(a.t, b.t) FROM records a JOIN records b ON a.id < b.id AND json_edit_distance(a.t, b.t) <= 2', 'ANALYZE');
-- renamed keys move members to other places
SELECT a.d, b.d FROM unnest('{"{\"a\": [1, 2, 3, 4], \"b\": 5}","{\"c\": [1, 2, 3, 4], \"b\": 5}"}'::jsonb[]) a(d)
JOIN unnest('{"{\"a\": [1, 2, 3, 4], \"b\": 5}","{\"c\": [1, 2, 3, 4], \"b\": 5}"}'::jsonb[]) b(d) ON json_within(a.d, b.d, 1) AND a.d < b.d;

CREATE INDEX records_gist ON records USING gist (t);
CREATE INDEX records_gin ON records USING gin ((doc::tree));
ANALYZE records;
SELECT statement, pairs('SET enable_seqscan = off', statement) = pairs('SET enable_indexscan = off; SET enable_bitmapscan = off', statement) AS same,
       split_part(pairs('SET enable_seqscan = off', statement), ' ', 1) AS rows
FROM unnest(ARRAY[
	'SELECT id FROM records WHERE json_within(t, (SELECT t FROM records WHERE id = 7), 4)',
	'SELECT id FROM records WHERE json_similar(t, (SELECT t FROM records WHERE id = 7), 0.8)',
	'SELECT id FROM records WHERE json_similarity(doc, (SELECT doc FROM records WHERE id = 7)) >= 0.7',
	'SELECT id FROM records WHERE json_edit_distance(doc, (SELECT doc FROM records WHERE id = 7)) <= 3',
	'SELECT id FROM records WHERE json_edit_distance(t, jsonb ''{"list": [0, 2, {"k3": 1}]}''::tree) BETWEEN 4 AND 9']) AS statement;
SET enable_seqscan = off;
EXPLAIN (COSTS OFF) SELECT id FROM records WHERE json_edit_distance(t, '{"list": [0, 2]}'::jsonb::tree) <= 3;
EXPLAIN (COSTS OFF) SELECT id FROM records WHERE json_within(doc, '{"list": [0, 2]}', 3);
EXPLAIN (COSTS OFF) SELECT id FROM records WHERE json_similarity(t, '{"list": [0, 2]}'::jsonb::tree) > 0.7;
RESET enable_seqscan;
DROP TABLE records;
DROP FUNCTION pairs;

-- deep, wide and large documents
SELECT json_edit_distance((repeat('[', 2500) || repeat(']', 2500))::json, (repeat('[', 2400) || '1' || repeat(']', 2400))::json);
SELECT json_edit_distance(jsonb_object_agg('k' || n, n), jsonb_object_agg('k' || n, n + n % 100 / 99)),
       json_edit_distance(jsonb_object_agg('k' || n, n), jsonb_object_agg('l' || n, -n))
FROM generate_series(1, 1000) AS n;
SET ted.max_memory = '1MB';
SELECT json_edit_distance(jsonb_agg(jsonb_build_object('a', n)), jsonb_agg(jsonb_build_object('b', n + n % 3))) FROM generate_series(1, 2000) AS n;
RESET ted.max_memory;

DROP TABLE documents;
DROP FUNCTION shuffled, random_json;

-- trees of anything else: all labels but those of JSON are literals, and only elements of arrays have an order
SELECT a, b, json_edit_distance(a, b)
FROM (VALUES ('{a{b}{c}}'::tree, '{a{c}{b}}'::tree), ('{[]{b}{c}}', '{[]{c}{b}}'), ('{a{b}{c}}', '{x{c}{b}}'), ('{a{b{c}}}', '{a{c}}'),
             ('{a}', '{\{\}}'), ('{"k":{1}{2}}', '{"k":{2}{1}}'), ('{"k":}', '{k}'), ('{\{\}{x}{y}}', '{\{\}{y}}')) v(a, b);

-- mappings whose cost is the distance: keys are renamed, elements keep their order, values of equal keys are compared
CREATE VIEW mapped AS
SELECT n, doc.a, doc.b, m.* FROM (VALUES
  (1, '{"address": {"city": "Rome", "zip": 1}, "name": "x"}'::jsonb, '{"postal address": {"city": "Rome", "zip": 1}, "name": "x"}'::jsonb),
  (2, '{"a": 1, "b": 2}', '{"a": 2, "b": 1}'), (3, '{"a": 1, "b": 1}', '{"c": 1, "d": 1}'), (4, '{"a": [1, 2, 3]}', '{"a": [3, 1, 2]}'),
  (5, '[1, [2]]', '{"a": 1, "b": [2]}'), (6, '{"a": {"x": {"k": [1, 2, 3]}}}', '{"a": {"k": [1, 2, 3]}}'), (7, '1', '"1"'), (8, '{}', '{}'),
  (9, '{"x": {"k": [1, 2, 3, 4]}, "y": 1}', '{"z": 5, "w": {"v": {"k": [1, 2, 4], "l": 3}}}')) AS doc (n, a, b),
  LATERAL json_edit_mapping(a, b) WITH ORDINALITY AS m (operation, left_node, left_pointer, left_path, left_label, right_node, right_pointer, right_path, right_label, row);
SELECT n, operation, left_node, left_pointer, left_label, right_node, right_pointer, right_label FROM mapped WHERE n < 9 ORDER BY n, row;
SELECT n, json_edit_distance(a, b), count(*) FILTER (WHERE operation <> 'match') AS operations FROM mapped GROUP BY n, a, b ORDER BY n;
DROP VIEW mapped;

-- a model of costs: by kind and label, graded, with ignored members, which equal keys still match
SELECT json_edit_distance(a, b) AS unit, json_edit_distance(a, b, m) AS costs, json_edit_distance(b, a, m) AS back, json_edit_distance(a::json, b::json, m), json_edit_distance(a::tree, b::tree, m)
FROM (VALUES ('{"id": 7, "name": "kitten", "tags": [1, 2]}'::jsonb, '{"name": "sitten", "id": 8, "tags": [2], "x": null}'::jsonb)) d (a, b),
  (VALUES (tree_costs()), (tree_costs(texts => 'levenshtein')), (tree_costs(ignore => '{"\"id\":"}')), (tree_costs(insert => 2, delete => 0.5, rename => 0.25)),
          (tree_costs(rules => '[{"pattern": "number()", "delete": 5, "rename": "never"}, {"pattern": "key()", "insert": 0}]'))) c (m);
SELECT operation, left_label, right_label FROM json_edit_mapping('{"a": 1, "_x": {"y": 5}}', '{"a": 2, "_x": {"y": 6}}', tree_costs(ignore => '{"\"_x\":"}'));
SELECT json_edit_distance('1'::jsonb, '2', NULL), json_edit_distance(NULL::jsonb, '2', '{}');
SELECT json_edit_distance(a, b, tree_costs(insert => 100000, rename => 0.001)) FROM (SELECT jsonb_agg(n) AS a, jsonb_agg(-n) AS b FROM generate_series(1, 9) AS n) d;
SELECT json_edit_distance('[]'::json, json_agg(n), tree_costs(insert => 100000, rename => 0.001)) FROM generate_series(1, 9) AS n;

-- arrays without an order
SELECT json_edit_distance(a, b) AS ordered, json_edit_distance(a, b, '{"arrays": "unordered"}') AS unordered, json_edit_distance(a, b, '{"arrays": "unordered", "rename": 0.5}') AS costs
FROM (VALUES ('{"items": [{"sku": 1, "price": 2}, {"sku": 5, "price": 7}, {"sku": 9, "price": 9}]}'::jsonb, '{"items": [{"sku": 9, "price": 9}, {"sku": 5, "price": 8}, {"sku": 1, "price": 2}]}'::jsonb),
             ('[1, 2, [3, 4]]', '[[4, 3], 2, 1]'), ('[1, 1, 2]', '[2, 2, 1]'), ('[[1], {"a": 1}]', '[{"a": 1}, 1]'), ('{"a": [1, 2]}', '{"a": {"b": 2, "c": 1}}')) d (a, b);
SELECT operation, left_pointer, left_label, right_pointer, right_label
FROM json_edit_mapping('{"items": [{"sku": 1, "price": 2}, {"sku": 5, "price": 7}]}', '{"items": [{"sku": 3}, {"sku": 5, "price": 8}, {"sku": 1, "price": 2}]}', tree_costs(arrays => 'unordered'));
SELECT arrays, operation, left_pointer, left_label, right_pointer, right_label -- also those of ignored arrays
FROM (VALUES ('unordered'), ('ordered')) m (arrays), json_edit_mapping('["", 2, 1]', '[2, "", 1]', tree_costs(ignore => '{array()}', arrays => arrays)) \g (format=unaligned)
SELECT json_edit_distance(jsonb_agg(jsonb_build_object('a', n, 'b', n || 'x')), jsonb_agg(jsonb_build_object('a', n, 'b', n || left('xy', 1 + (n = 7)::int)) ORDER BY n DESC), tree_costs(arrays => 'unordered')) FROM generate_series(1, 2000) AS n;

-- memory: documents that are almost the same take little
SET ted.max_memory = '4MB';
SELECT count(*), count(*) FILTER (WHERE operation <> 'match') FROM (SELECT jsonb_agg(n) AS a, jsonb_agg(nullif(n, 7)) AS b FROM generate_series(1, 5000) AS n) d, json_edit_mapping(a, b);
SELECT count(*) FROM (SELECT jsonb_agg(n ORDER BY n) AS a, jsonb_agg(n ORDER BY n DESC) AS b FROM generate_series(1, 3000) AS n) d, json_edit_mapping(a, b);
SELECT json_edit_distance(jsonb_agg(n ORDER BY n), jsonb_agg(n ORDER BY n DESC), '{"rename": 0.5}') FROM generate_series(1, 3000) AS n;
RESET ted.max_memory;

-- one member that costs much is the best partner of all others
SELECT n, round(json_edit_distance(a, b, c)::numeric, 3) AS distance, (SELECT count(*) FROM json_edit_mapping(a, b, c)) AS operations
FROM generate_series(9, 12) n, LATERAL (SELECT jsonb_object_agg('k' || g, 1) AS a FROM generate_series(1, n) g) x,
	LATERAL (SELECT jsonb_object_agg('y' || g, 1) || '{"z": 1}' AS b FROM generate_series(1, n - 1) g) y,
	(SELECT '{"insert": 1, "delete": 1, "rename": 0.001, "rules": [{"pattern": "z", "insert": 100000}]}'::tree_costs AS c) z ORDER BY n;

-- joins by a model: also where arrays have no order, and in the other direction
CREATE TABLE json_parts AS SELECT i AS id, jsonb_build_object('id', i, 'name', 'part ' || i % 9, 'tags', jsonb_build_array(i % 3, i % 4, i % 5), 'a' || i % 2, i % 7) AS doc FROM generate_series(1, 120) i;
SELECT * FROM explain('SELECT * FROM json_parts a JOIN json_parts b ON a.id < b.id AND json_edit_distance(a.doc, b.doc, ''{"rename": 0.5}'') <= 1');
SELECT * FROM explain('SELECT * FROM json_parts a JOIN json_parts b ON a.id < b.id AND json_within(a.doc, b.doc, 1, ''{"rename": 0.5}'')');
SELECT m, k, (SELECT count(*) FROM json_parts a JOIN json_parts b ON a.id < b.id AND json_edit_distance(a.doc, b.doc, m) <= k) AS joined,
  (SELECT count(*) FROM json_parts a JOIN json_parts b ON a.id < b.id AND json_edit_distance(a.doc, b.doc, m) + 0 <= k AND json_within(a.doc, b.doc, k, m) IS NOT NULL) AS plain,
  (SELECT count(*) FROM json_parts a JOIN json_parts b ON a.id < b.id AND json_within(a.doc, b.doc, k, m)) AS within
FROM unnest('{"{}","{\"rename\": 0.5}","{\"arrays\": \"unordered\"}","{\"insert\": 2, \"texts\": \"lcs\"}","{\"rules\": [{\"pattern\": \"id\", \"ignore\": true}]}"}'::tree_costs[]) m, unnest('{0,1.5,3}'::float8[]) k;
SELECT json_within('{"a": 1}'::json, '{"a": 2}', 0.5, '{"rename": 0.5}'), json_within('{"a": 1}'::jsonb, '{"a": 2}', 0.4, '{"rename": 0.5}'), json_within('{a}'::tree, '{b}', -1, '{}'), json_within('{a}'::tree, '{a}', 'NaN', '{}');
DROP TABLE json_parts;
