-- Trees of JSON documents

-- defaults: keys sorted by bytes, literals as JSON writes them
SELECT tree(json '{"b": [1, "1", true, null], "a": {}, "": []}');
SELECT tree(json '{"bb": 1, "c": 2, "a": 3, "ä": 4, "B": 5}'),
       tree(jsonb '{"bb": 1, "c": 2, "a": 3, "ä": 4, "B": 5}');
SELECT doc, tree(doc::json), doc::json::tree = doc::jsonb::tree AS equal
FROM unnest('{"null",true,false,0,-0,1e2,1.50,1E-3,"\"x\"","\"1\"",[],"{}"}'::text[]) doc;
SELECT tree(json '1') = tree(json '"1"') AS number_equals_string,
       tree(json '1e2') = tree(json '100') AS same_number;
SELECT tree(NULL::json), tree(NULL::jsonb);

-- escapes are those that are needed
\a
SELECT doc::json::tree, doc::json::tree = doc::jsonb::tree AS equal
FROM (VALUES ('{"a\u0062\/\"\\": "\t\u001f\u00e9\ud83c\udf33"}')) v(doc);
\a
\set SHOW_CONTEXT never
SELECT tree(json '"\u0000"');
\set SHOW_CONTEXT errors

-- order of keys
SELECT tree_from_json(json '{"bb": 1, "c": 2, "a": 3}', sort_keys => false),
       tree_from_json(jsonb '{"bb": 1, "c": 2, "a": 3}', sort_keys => false);

-- duplicate keys: the last wins, and stands where it stands
SELECT tree(json '{"a": 1, "b": 2, "a": 3}'), tree(jsonb '{"a": 1, "b": 2, "a": 3}'),
       tree_from_json(json '{"a": 1, "b": 2, "a": 3}', sort_keys => false);
SELECT tree(json '{"a": {"a": 1}, "b": [{"a": 2}]}') AS different_objects;
SELECT tree_from_json(json '{"a": 1, "b": 2, "a": 3}', duplicate_keys => 'error');
SELECT tree_from_json(json '{"a": 1, "b": 2, "A": 3}', duplicate_keys => 'error', fold_case => true);
SELECT tree_from_json(json '{}', duplicate_keys => 'first');

-- content
SELECT option, tree_from_json(doc::json, content => option),
       tree_from_json(doc::json, content => option) =
       tree_from_json(doc::jsonb, content => option) AS equal
FROM (VALUES ('{"a": ["x", 1, true, null, [2], {}], "b": false}')) v(doc),
     unnest('{full,structure,keys}'::text[]) option;
SELECT tree_from_json(json '1', content => 'keys');
SELECT tree_from_json(jsonb '{}', content => 'values');

-- case
SELECT tree_from_json(json '{"Key": "VALUE", "A": null, "a": true}', fold_case => true);
SELECT tree_from_json(json '{"a": 1, "B": 2}', fold_case => true) =
       tree_from_json(jsonb '{"A": 1, "b": 2}', fold_case => true) AS sorted_as_shown;

-- paths
SELECT paths, tree_from_json(doc::json, exclude_paths => paths),
       tree_from_json(doc::json, exclude_paths => paths) =
       tree_from_json(doc::jsonb, exclude_paths => paths) AS equal
FROM (VALUES ('{"a": [{"id": 1, "n": "x"}, {"id": 2}, [3, 4], 5], "id": 6, "m": {"id": 7, "@b": 8}}'))
       d(doc),
     (VALUES ('{/id}'::text[]), ('{//id}'), ('{/a/*/id}'), ('{/a/*}'), ('{/a/*/*}'), ('{/*}'),
             ('{/m/@b,/a}'), ('{//*/id}'), ('{/a/0,/m/b,/x,//y}')) v(paths);
SELECT tree_from_json(json '{"a/b": 1, "*": 2, "c": 3}', exclude_paths => ARRAY['/a\/b', '//\*']);
SELECT tree_from_json(jsonb '{"a": {"x": 1, "x": 2}}', exclude_paths => '{/a}');
SELECT tree_from_json(json '{}', exclude_paths => '{id/a}');
SELECT tree_from_json(json '{}', exclude_paths => '{NULL}');

-- numbers
SELECT length(tree(json '1e131071')::text);
SELECT tree(json '1e131072');
SELECT tree_from_json(json '[1e131072]', content => 'structure');

-- arrays and objects nested deeply, and too deeply
SELECT tree_depth(tree((repeat('[', 1000) || repeat(']', 1000))::json)),
       tree_depth(tree((repeat('{"a":', 1000) || '1' || repeat('}', 1000))::jsonb));
DO $$
BEGIN
  PERFORM tree((repeat('[', 100000) || repeat(']', 100000))::json);
EXCEPTION WHEN OTHERS THEN
  RAISE NOTICE '%: %', SQLSTATE, SQLERRM;
END $$;
SELECT tree(json '"still alive"');

-- many keys, many elements
SELECT tree_size(tree(json_object_agg(i % 60000, i))),
       tree(json_object_agg(i % 60000, i)) = tree(jsonb_object_agg(i % 60000, i)) AS equal
FROM generate_series(1, 100000) i;
SELECT tree_size(tree(('[' || repeat('1,', 99999) || '1]')::json));

-- documents that make no tree: where the error is, and NULL instead of it
\set VERBOSITY default
SELECT tree_from_json(json '{"x": [1, {"a": 1, "b": {"a": 2, "c": 3, "a": 2}}]}', duplicate_keys => 'error');
SELECT tree(json '{"x": [1, {"a": 1e999999}]}');
SELECT tree_from_json(jsonb '"abc"', content => 'keys');
SELECT tree_from_json(jsonb '"abc"', content => 'keys', on_error => 'null') IS NULL AS xnull;
SELECT doc, tree_from_json(doc, on_error => 'null'), tree_convertible(doc)
FROM unnest(ARRAY['{"a": 1}', '"\u0000"', '{"a": 1e999999}', NULL]::json[]) doc;
SELECT tree_convertible(jsonb '{"a": [1, null]}');
SELECT tree_from_json(json '{"a": 1}', exclude_paths => '{/a[0]}');

-- a document nested too deep for the stack
CREATE TEMP TABLE deep AS SELECT (repeat('[', 6000) || repeat(']', 6000))::json AS doc;
SET max_stack_depth = '500kB';
SELECT tree_from_json(doc, on_error => 'null') IS NULL AS xnull, tree_convertible(doc) FROM deep;
RESET max_stack_depth;
DROP TABLE deep;
-- too little memory is an error in any case
\set VERBOSITY terse
SET ted.max_memory = 64;
SELECT tree_from_json((SELECT jsonb_build_object('a', true, 'rows', jsonb_agg(jsonb_build_object('id', i, 'n', 'x'))) FROM generate_series(1, 10000) i), on_error => 'null');
RESET ted.max_memory;

\set VERBOSITY default
-- paths to include: what is below them, and the nodes above
SELECT paths, tree_from_json(doc, include_paths => paths::text[]),
       tree_from_json(doc, include_paths => paths::text[]) = tree_from_json(doc::jsonb, include_paths => paths::text[]) AS same
FROM unnest(ARRAY['{}', '{/id}', '{//id}', '{/m/n}', '{/m/n/*/x}', '{/l/*}', '{/*}']) AS paths,
	(VALUES (json '{"id": 7, "m": {"n": [1, {"id": 8, "x": 1e3}], "o": 2}, "l": [1, 2]}')) AS v (doc);
SELECT tree_from_json(json '{"b": [{"c": 1, "d": 2}, {"d": 3}], "a": 1}', include_paths => '{/b/*/c}', exclude_paths => '{/a}'),
       tree_from_json(json '{"b": {"c": 1, "d": 2}}', include_paths => '{/b}', exclude_paths => '{//c}'),
       tree_from_json(json '{"b": {"c": 1}, "a": 2}', include_paths => '{/b/c}', content => 'keys'),
       tree_from_json(json '[{"z": 1}, {"y": 0}, {"z": 0}]', include_paths => '{//z}', sort_arrays => true),
       tree_from_json(json '{"a": {"id": 1}, "b": 1, "a": 2, "c": {"id": 3}}', include_paths => '{//id}');
SELECT tree_from_json(json '{"a": 1e999999, "l": [1e999999], "b": 1}', include_paths => '{/b}'),
       tree_from_json(json '{"l": [1e999999], "b": 1}', exclude_paths => '{/l/*}');
SELECT tree_from_json(json '{"x": {"a": {"id": 1}, "a": 2}}', include_paths => '{//id}');
SELECT tree_from_json(jsonb '{"a": [1]}', include_paths => '{/a/b}');
SELECT tree_from_json(json '1', include_paths => '{/a}', on_error => 'null'), tree_from_json(jsonb '1', include_paths => '{/a}', on_error => 'null');
SELECT tree_from_json(json '{}', include_paths => '{*}');

-- the line and the column of an error, and the path of a label that is too long
SELECT (E'{"a": 1,\n "b": [1, {"\u00e9": 1e999999}, 2]}')::json::tree;
SELECT tree_from_json((E'{"a": 1,\n "b": {"\u00e9": 1, "\u00e9": 2}\n}')::json, duplicate_keys => 'error');
SELECT ('{"a": [1, {"b": "' || repeat('x', 16777216) || '"}]}')::json::tree;
SELECT ('{"a": [1, {"b": "' || repeat('x', 16777216) || '"}]}')::jsonb::tree;

-- text that never was JSON, which a cast made by a superuser brings
BEGIN;
CREATE CAST (bytea AS json) WITHOUT FUNCTION;
SELECT ''::bytea::json::tree;
ROLLBACK;
