-- Patches of JSON (RFC 6902) and XML (RFC 5261)

-- the examples of RFC 6902's appendix: doc, patch, what is expected; NULL for an error
CREATE TABLE examples (section text, doc jsonb, patch jsonb, result jsonb);
INSERT INTO examples VALUES
('A.1', '{"foo": "bar"}', '[{"op": "add", "path": "/baz", "value": "qux"}]', '{"baz": "qux", "foo": "bar"}'),
('A.2', '{"foo": ["bar", "baz"]}', '[{"op": "add", "path": "/foo/1", "value": "qux"}]', '{"foo": ["bar", "qux", "baz"]}'),
('A.3', '{"baz": "qux", "foo": "bar"}', '[{"op": "remove", "path": "/baz"}]', '{"foo": "bar"}'),
('A.4', '{"foo": ["bar", "qux", "baz"]}', '[{"op": "remove", "path": "/foo/1"}]', '{"foo": ["bar", "baz"]}'),
('A.5', '{"baz": "qux", "foo": "bar"}', '[{"op": "replace", "path": "/baz", "value": "boo"}]', '{"baz": "boo", "foo": "bar"}'),
('A.6', '{"foo": {"bar": "baz", "waldo": "fred"}, "qux": {"corge": "grault"}}', '[{"op": "move", "from": "/foo/waldo", "path": "/qux/thud"}]', '{"foo": {"bar": "baz"}, "qux": {"corge": "grault", "thud": "fred"}}'),
('A.7', '{"foo": ["all", "grass", "cows", "eat"]}', '[{"op": "move", "from": "/foo/1", "path": "/foo/3"}]', '{"foo": ["all", "cows", "eat", "grass"]}'),
('A.8', '{"baz": "qux", "foo": ["a", 2, "c"]}', '[{"op": "test", "path": "/baz", "value": "qux"}, {"op": "test", "path": "/foo/1", "value": 2}]', '{"baz": "qux", "foo": ["a", 2, "c"]}'),
('A.9', '{"baz": "qux"}', '[{"op": "test", "path": "/baz", "value": "bar"}]', NULL),
('A.10', '{"foo": "bar"}', '[{"op": "add", "path": "/child", "value": {"grandchild": {}}}]', '{"foo": "bar", "child": {"grandchild": {}}}'),
('A.11', '{"foo": "bar"}', '[{"op": "add", "path": "/baz", "value": "qux", "xyz": 123}]', '{"foo": "bar", "baz": "qux"}'),
('A.12', '{"foo": "bar"}', '[{"op": "add", "path": "/baz/bat", "value": "qux"}]', NULL),
('A.14', '{"/": 9, "~1": 10}', '[{"op": "test", "path": "/~01", "value": 10}]', '{"/": 9, "~1": 10}'),
('A.15', '{"/": 9, "~1": 10}', '[{"op": "test", "path": "/~01", "value": "10"}]', NULL),
('A.16', '{"foo": ["bar"]}', '[{"op": "add", "path": "/foo/-", "value": ["abc", "def"]}]', '{"foo": ["bar", ["abc", "def"]]}');
CREATE FUNCTION applied(doc jsonb, patch jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
  RETURN json_patch_apply(doc, patch);
EXCEPTION WHEN data_exception THEN
  RETURN NULL;
END $$;
SELECT count(*), count(*) FILTER (WHERE applied(doc, patch) IS NOT DISTINCT FROM result) AS as_expected FROM examples;

-- others
SELECT json_patch_apply(doc, patch)
FROM (VALUES
  ('{"a": 1}'::jsonb, '[]'::jsonb),
  ('1', '[{"op": "replace", "path": "", "value": [1]}, {"op": "add", "path": "/1", "value": null}]'),
  ('{"": {"": 1}}', '[{"op": "move", "from": "//", "path": "/"}]'),
  ('{"a": {"b": [1, 2]}}', '[{"op": "move", "from": "/a/b", "path": ""}, {"op": "copy", "from": "", "path": "/0"}]'),
  ('{"a": {"b": 1}}', '[{"op": "copy", "from": "/a", "path": "/c"}, {"op": "replace", "path": "/c/b", "value": 1.50}, {"op": "test", "path": "/a/b", "value": 1.0}]'),
  ('{"a": [1]}', '[{"op": "copy", "from": "/a", "path": "/a/-"}, {"op": "copy", "from": "/a", "path": "/a/0"}, {"op": "remove", "path": "/a/0/0"}]'),
  ('{"-": [1], "01": 2}', '[{"op": "remove", "path": "/-/0"}, {"op": "move", "from": "/01", "path": "/-/0"}, {"op": "move", "from": "/-", "path": "/-"}]'),
  ('{"b": 1, "aa": 2}', '[{"op": "add", "path": "/c", "value": {"x": null}}, {"op": "add", "path": "/a", "value": 3}, {"op": "test", "path": "", "value": {"a": 3.0, "aa": 2, "c": {"x": null}, "b": 1}}]')
) AS p (doc, patch);
SELECT jsonb_array_length(json_patch_apply('[]', jsonb_agg('{"op": "add", "path": "/0", "value": 1}'::jsonb))) FROM generate_series(1, 10000);

-- what does not fit
SELECT json_patch_apply('{"a": 1}', '[{"op": "add", "path": "/b", "value": 1}, {"op": "remove", "path": "/c"}]');
SELECT json_patch_apply('{"a": 1}', '[{"op": "add", "path": "/a/b", "value": 1}]');
SELECT json_patch_apply('[1]', '[{"op": "add", "path": "/2", "value": 1}]');
SELECT json_patch_apply('[1]', '[{"op": "add", "path": "/00", "value": 1}]');
SELECT json_patch_apply('[1]', '[{"op": "replace", "path": "/-", "value": 1}]');
SELECT json_patch_apply('[1]', '[{"op": "remove", "path": "/4294967296"}]');
SELECT json_patch_apply('[1]', '[{"op": "remove", "path": "/-1"}]');
SELECT json_patch_apply('[1]', '[{"op": "remove", "path": ""}]');
SELECT json_patch_apply('{"a": {}}', '[{"op": "move", "from": "/a", "path": "/a/b"}]');
SELECT json_patch_apply('{"a": null}', '[{"op": "test", "path": "/b", "value": null}]');
SELECT json_patch_apply('{"a": null}', '[{"op": "test", "path": "/a", "value": false}]');
SELECT json_patch_apply('{"a": {}}', '[{"op": "copy", "from": "/b", "path": "/c"}]');

-- no patches
SELECT json_patch_apply('{}', '{}');
SELECT json_patch_apply('{}', '"[]"');
SELECT json_patch_apply('{}', '[1]');
SELECT json_patch_apply('{}', '[{"path": ""}]');
SELECT json_patch_apply('{}', '[{"op": 1, "path": ""}]');
SELECT json_patch_apply('{}', '[{"op": "spam", "path": ""}]');
SELECT json_patch_apply('{}', '[{"op": "add", "value": 1}]');
SELECT json_patch_apply('{}', '[{"op": "add", "path": "a", "value": 1}]');
SELECT json_patch_apply('{}', '[{"op": "add", "path": "/a~2", "value": 1}]');
SELECT json_patch_apply('{}', '[{"op": "add", "path": "/a~", "value": 1}]');
SELECT json_patch_apply('{}', '[{"op": "add", "path": "/a"}]');
SELECT json_patch_apply('{}', '[{"op": "move", "path": "/a"}]');

-- a patch that makes more than memory allows
SET ted.max_memory = '1MB';
SELECT json_patch_apply('[1]', jsonb_agg('{"op": "copy", "from": "", "path": "/0"}'::jsonb)) FROM generate_series(1, 60);
RESET ted.max_memory;
