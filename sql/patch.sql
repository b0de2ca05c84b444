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
  ('{"a": {"b": 1}}', '[{"op": "add", "path": "/a/c", "value": 2}, {"op": "copy", "from": "/a", "path": "/d"}, {"op": "remove", "path": "/d/b"}]'),
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

-- patches made: what stays is not in them, and they lead to the other document
CREATE FUNCTION json_patched(a jsonb, b jsonb, OUT operations bigint, OUT patch jsonb, OUT right_one boolean) LANGUAGE sql AS $$
  SELECT jsonb_array_length(p), p, json_patch_apply(a, p)::text = b::text FROM json_patch(a, b) p
$$;
SELECT p.*
FROM (VALUES
  ('{"a": 1}'::jsonb, '{"a": 1}'::jsonb),
  ('{"a": 1}', '{"a": 1.0}'),
  ('{"a": 1}', '{"b": 1}'),
  ('{"a": null}', '{}'),
  ('{}', '{"a": null}'),
  ('{"": {"/": 1, "~": [2]}}', '{"": {"/": 2, "~": [2, 3]}}'),
  ('[1, 2, 3]', '[1, 3]'),
  ('[1, 2, 3]', '[0, 1, 2, 4]'),
  ('[1, 2, 3, 4]', '[5, 6, 7, 8]'),
  ('[{"id": 1, "v": "x"}, {"id": 2, "v": "y"}]', '[{"id": 2, "v": "y"}, {"id": 1, "v": "x"}]'),
  ('1', '"1"'),
  ('[]', '{}'),
  -- keys that are renamed, one to another's
  ('{"a": [1, 2], "b": [3, 4], "c": 7}', '{"b": [1, 2], "c": [3, 4]}'),
  ('{"b": [1, 2], "c": [3, 4]}', '{"a": [1, 2], "b": [3, 4]}'),
  ('{"a": [1, 2], "b": 5, "c": 6}', '{"b": 5, "c": 6, "z": [1, 2]}'),
  ('{"a": [1, 2], "b": [3, 4]}', '{"a": [3, 4], "b": [1, 2]}'),
  -- levels more and less
  ('{"x": [[1, 2, 3]]}', '{"x": [1, 2, 3]}'),
  ('{"x": {"y": {"k": 1, "l": 2}}, "z": 1}', '{"x": {"k": 1, "l": 3}, "z": 1}'),
  ('[[1, 2, 3]]', '[1, 2, 3]'),
  ('[1, 2, 3]', '[[1, 2, 3]]'),
  ('{"a": {"b": 5}}', '{"a": 5}'),
  -- numbers with other digits, which distances do not tell apart
  ('[1.50, 2, {"b": 0.0, "c": 100}]', '[1.5, 2.00, {"b": -0.000, "c": 1e2}]'),
  ('{"a": [1, 2], "b": 1.0}', '{"c": [1, 2.0], "b": 1.00}'),
  ('[[1, 2], [3.0], 4]', '[[3.00], 4, [1, 2]]'),
  ('1.0', '1')
) AS d (a, b), json_patched(a, b) p;
SELECT right_one FROM json_patched((repeat('[', 1000) || '1' || repeat(']', 1000))::jsonb, (repeat('[', 999) || '2' || repeat(']', 999))::jsonb);

-- no more elements are moved than necessary, and none of them twice
SELECT p.operations, p.right_one
FROM (VALUES ('{1, 2, 3, 4, 5}'::int[], '{5, 4, 3, 2, 1}'::int[]), ('{1, 2, 3, 4, 5, 6}', '{2, 3, 1, 5, 6, 4}'),
  (ARRAY(SELECT generate_series(1, 3000)), ARRAY(SELECT generate_series(3000, 1, -1)))) AS v (a, b), json_patched(to_jsonb(a), to_jsonb(b)) p;
SELECT json_patch('["first", "second", "third", "fourth", "fifth"]', '["fifth", "fourth", "third", "second", "first"]');
SELECT json_patch('[{"id": 1, "v": "x"}, {"id": 2, "v": "x"}, 3]', '[{"id": 2, "v": "x"}, {"id": 1, "v": "x"}, 4]');
SELECT right_one FROM json_patched('[1e400, 1.5e-300, 1]', '[1e400, 1.50e-300, 1.0e0, 1e400]');
-- but a model of costs says what is a difference; new values have their digits
SELECT json_patch('[1, {"id": 1, "b": 2}]', '[1.0, {"id": 2, "b": 3.0, "c": 4.0}]', tree_costs(ignore => '{id}'));

-- XML
CREATE FUNCTION xml_patched(a xml, b xml, OUT patch xml, OUT applied xml) LANGUAGE sql AS $$
  SELECT p, xml_patch_apply(a, p) FROM xml_patch(a, b) p
$$;
SELECT p.*
FROM (VALUES
  ('<a>x</a>'::xml, '<a>x</a>'::xml),
  ('<a x="1">t</a>', '<a x="2">t</a>'),
  ('<a x="1" z="3">t<b/></a>', '<a y="2" z="3">t</a>'),
  ('<a x="1"><b>t</b><c/></a>', '<a y="1"><b>t</b><c/></a>'),
  ('<a>x<b/>y</a>', '<a>xy</a>'),
  ('<a>x<b/>y<c/>z</a>', '<a>x<c/>z</a>'),
  ('<a><b/><b>2</b></a>', '<a><b/><c/><b>3</b>z</a>'),
  ('<a><b>1</b><b>2</b></a>', '<!-- x --><a><b>1</b>new<c/><b>3</b></a><?pi?>'),
  ('<a/>', '<b/>'),
  ('<a><b><c/><d/></b></a>', '<a><c/><d/></a>'),
  ('<a xmlns="u" xmlns:p="v"><p:b p:k="1"/><c/></a>', '<a xmlns="u" xmlns:q="v"><q:b q:k="2"/><c/><d xmlns=""/></a>'),
  ('<a><b xml:lang="de"/><c/></a>', '<a><b xml:lang="en"/><c/></a>'),
  ('<a>&lt;<![CDATA[<]]></a>', '<a>&amp;<b>]]&gt;</b></a>'),
  (E'<a>\n  <b>1</b>\n  <b>2</b>\n</a>', E'<a>\n  <b>2</b>\n</a>'),
  ('<!DOCTYPE a [<!ENTITY e "x">]><a>&e;<b/></a>', '<a>x<c/></a>')
) AS d (a, b), xml_patched(a, b) p;

-- operations of RFC 5261, with names in the patch's default namespace
SELECT xml_patch_apply(doc, ('<diff xmlns:p="urn:p">' || patch || '</diff>')::xml)
FROM (VALUES
  ('<doc><foo id="e1">t</foo></doc>'::xml, '<add sel="doc/foo[@id=''e1'']"><child id="x"/></add>'),
  ('<doc><foo>t</foo></doc>', '<add sel="doc/foo" type="@user">Bob</add>'),
  ('<doc><foo>t</foo></doc>', '<add sel="doc" type="namespace::pref">urn:x</add>'),
  ('<doc><foo/></doc>', '<add sel="doc/foo" pos="before"><!-- comment --></add>'),
  ('<doc>a<foo/>b</doc>', '<remove sel="doc/foo"/>'),
  ('<doc>a<foo/>b</doc>', '<add sel="doc/foo" pos="after">x<y/>z</add>'),
  ('<doc>a<foo/>b</doc>', '<add sel="doc" pos="prepend">x</add><add sel="doc">y</add>'),
  ('<doc>a<foo/>b</doc>', '<replace sel="doc/foo"> <bar a="y"/> </replace><replace sel="doc/text()[2]"/>'),
  ('<doc xmlns:pref="u"><pref:foo/></doc>', '<replace sel="doc/namespace::pref">new</replace>'),
  ('<doc xmlns:p="u" xmlns:pref="v"/>', '<remove sel="doc/namespace::pref"/>'),
  ('<doc xmlns:pref="u"> <foo/>  b</doc>', '<remove sel="doc/namespace::pref"/><remove sel="doc/foo" ws="before"/>'),
  ('<doc><!-- c --><?pi x?></doc>', '<replace sel="doc/comment()[1]"><!-- new --></replace><replace sel="doc/processing-instruction(''pi'')"><?other?></replace>'),
  ('<doc xmlns="u"><p:foo xmlns:p="urn:p" p:a="1"/></doc>', '<replace sel="*/p:foo/@p:a">2</replace><add sel="*/p:foo"><x/><p:y/></add><add sel="*/p:foo/*[1]" type="@p:k">v</add>'),
  ('<doc xmlns="u"><foo a="1"/></doc>', '<add xmlns="u" sel="doc/foo[@a=''1'']"><x/></add>'),
  ('<!DOCTYPE a [<!ENTITY e "é">]><!-- top --><a>&e;</a>', '<replace sel="/a"><b>é</b></replace>')
) AS p (doc, patch);

-- what does not fit
SELECT xml_patch_apply('<a/>', '<diff><add sel="a" type="@x">1</add><remove sel="a/b"/></diff>');
SELECT xml_patch_apply('<a><b/><b/></a>', '<diff><remove sel="a/b"/></diff>');
SELECT xml_patch_apply('<a/>', '<diff><remove sel="a"/></diff>');
SELECT xml_patch_apply('<a/>', '<diff><remove sel="/"/></diff>');
SELECT xml_patch_apply('<a x="1"/>', '<diff><add sel="a" type="@x">2</add></diff>');
SELECT xml_patch_apply('<a>t</a>', '<diff><add sel="a/text()" type="@x">2</add></diff>');
SELECT xml_patch_apply('<a>t</a>', '<diff><add sel="a" pos="before"><b/></add></diff>');
SELECT xml_patch_apply('<a>t</a>', '<diff><replace sel="a">t</replace></diff>');
SELECT xml_patch_apply('<a>t</a>', '<diff><replace sel="a"><b/><c/></replace></diff>');
SELECT xml_patch_apply('<a>t<b/></a>', '<diff><remove sel="a/b" ws="both"/></diff>');
SELECT xml_patch_apply('<p:a xmlns:p="u"/>', '<diff><remove sel="*/namespace::p"/></diff>');
SELECT xml_patch_apply('<p:a xmlns:p="u"/>', '<diff><add sel="*" type="namespace::p">v</add></diff>');
SELECT xml_patch_apply('<a xmlns:p="u"><b p:c="1"/></a>', '<diff><remove sel="a/namespace::p"/></diff>');
SELECT xml_patch_apply('<a/>', '<diff><add sel="a" type="namespace::p"/></diff>');
SELECT xml_patch_apply('<a xmlns:p="u"/>', '<diff><replace sel="a/namespace::p"/></diff>');
SELECT xml_patch_apply('<a><b/></a>', '<diff><replace sel="a/b"> </replace></diff>');
SELECT xml_patch_apply('<a/>', '<diff><remove sel="count(a)"/></diff>');

-- attributes that a document type gives are in trees, but not in the text that patches are about
SELECT d.a::tree, xml_patch(d.a, d.b), xml_patch(d.b, d.a), translate(xml_patch_apply(d.a, xml_patch(d.a, d.b))::text, E'\n', '') = d.b::text AS same
FROM (VALUES ('<!DOCTYPE a [<!ATTLIST a x CDATA "1">]><a/>'::xml, '<!DOCTYPE a [<!ATTLIST a x CDATA "1">]><a/>'::xml),
             ('<!DOCTYPE a [<!ATTLIST a x CDATA "1">]><a/>', '<!DOCTYPE a [<!ATTLIST a x CDATA "1">]><a x="1"/>'),
             ('<!DOCTYPE a [<!ATTLIST a x CDATA "1">]><a x="2"/>', '<!DOCTYPE a [<!ATTLIST a x CDATA "1">]><a/>')) d(a, b);
SELECT xml_patch_apply('<!DOCTYPE a [<!ATTLIST a x CDATA "1">]><a/>', '<diff><remove sel="/a/@x"/></diff>');

-- no patches, no documents
SELECT xml_patch_apply('<a/>', '<diff><add/></diff>');
SELECT xml_patch_apply('<a/>', '<diff><move sel="a"/></diff>');
SELECT xml_patch_apply('<a/>', '<diff>text</diff>');
SELECT xml_patch_apply('<a/>', '<diff><add sel="a" pos="here"/></diff>');
SELECT xml_patch_apply('<a/>', '<diff><add sel="a" type="x"/></diff>');
SELECT xml_patch_apply('<a/>', '<diff><add sel="a" type="@p:x">1</add></diff>');
SELECT xml_patch_apply('<a/>', '<diff><add sel="a" type="@1">1</add></diff>');
SELECT xml_patch_apply('<a/>', '<diff><add sel="a" type="@x"><b/></add></diff>');
\set VERBOSITY terse
SELECT xml_patch_apply('<a/>', '<diff><remove sel="a["/></diff>');
SELECT xml_patch_apply('<a/><b/>', '<diff/>');
SELECT xml_patch('text', '<a/>');
\set VERBOSITY default

-- mappings of documents, with paths that functions of their types take
SELECT * FROM json_edit_mapping('{"a": [1, {"x/y": null}], "b": "q"}', '{"a": [1, 2, {"x/y": true}], "c": "q"}');
SELECT left_label, doc #> left_path AS at
FROM (VALUES ('{"a": [1, {"x/y": null}], "": "q"}'::jsonb)) AS d (doc), json_edit_mapping(doc, '1');
SELECT * FROM xml_edit_mapping('<a x="1" p:y="2" xmlns:p="u"> <b>1</b><c/><b>2<!-- c -->3<d/>4</b><p:e/></a>', '<a x="1" xml:lang="de"><b>1</b><b>23<d/>5</b><c/></a>');
SELECT left_xpath, left_label, xpath(left_xpath, doc)
FROM (VALUES ('<a x="1" p:y="2" xmlns:p="u"> <b>1</b><c/><b>2<!-- c -->3<d/>4</b><p:e/></a>'::xml)) AS d (doc), xml_edit_mapping(doc, '<b/>')
WHERE left_node IS NOT NULL;
-- names in a default namespace, in another one, and in none
SELECT left_xpath, xpath(left_xpath, doc)
FROM (VALUES ('<r xmlns="urn:u" xmlns:p="urn:v"><i>1</i><p:i>2</p:i><i xmlns="">3</i><i>4</i></r>'::xml),
	('<r xmlns="urn:u"><xml:i>1</xml:i><i>2</i><j xmlns="">3</j></r>')) AS d (doc), xml_edit_mapping(doc, '<b/>')
WHERE left_xpath !~ 'text';

-- memory is counted before it is taken: copies, long pointers, the rules of a model
\set VERBOSITY terse
SET ted.max_memory = '2MB';
SELECT json_patch_apply(jsonb_build_object('a', jsonb_agg(n)), (SELECT jsonb_agg(jsonb_build_object('op', 'copy', 'from', '/a', 'path', '/' || c)) FROM generate_series(1, 20) c)) FROM generate_series(1, 5000) n;
SELECT length(json_patch_apply(jsonb_build_object('a', jsonb_agg(n)), '[{"op": "copy", "from": "/a", "path": "/b"}]')::text) FROM generate_series(1, 5000) n;
SELECT json_patch_apply('{}', jsonb_build_array(jsonb_build_object('op', 'remove', 'path', repeat('/', 200000))));
SELECT tree_costs(ignore => array_agg(n::text)) FROM generate_series(1, 10000) n;
SELECT tree_costs(rules => jsonb_agg(jsonb_build_object('pattern', n::text, 'insert', 2))) FROM generate_series(1, 10000) n;
SELECT tree_edit_distance('{a}', '{b}', ('{"rules": [' || string_agg(format('{"pattern": "%s", "insert": 2}', n), ',') || ']}')::tree_costs) FROM generate_series(1, 10000) n;
RESET ted.max_memory;
-- no block of memory is larger than PostgreSQL allocates
SELECT json_patch_apply('{}', jsonb_build_array(jsonb_build_object('op', 'remove', 'path', repeat('/', 70000000))));
\set VERBOSITY default
-- a renamed member within a value that is written as a whole
SELECT json_patch_apply(a, json_patch(a, b)) = b AS same
FROM (VALUES ('{"zeta": {"beta": {"k": [{"iota": 7508}, {"mu": 2460, "lambda": 2268, "delta": null, "iota": 3034}, {"mu": "delta theta theta rho", "lambda": true, "delta": 6774, "iota": 4570}, {"mu": 1468, "lambda": "zeta omicron", "delta": 3934, "iota": null}, {"mu": "zeta", "lambda": null, "delta": 3137, "iota": true}, {"mu": 8783, "lambda": 6000, "delta": 2272, "iota": "omicron gamma rho"}]}}}'::jsonb,
	'{"epsilon": {"beta": {"k": [{"iota": 7508}, {"mu": 2460, "lambda": 2268, "delta": null, "iota": 3034}, {"mu": "delta theta theta rho", "lambda": true, "delta": 6774, "zeta": 4570}, {"mu": 1468, "lambda": "zeta omicron", "delta": 3934, "iota": null}, {"mu": "zeta", "lambda": null, "delta": 3137, "iota": true}, {"mu": 8783, "lambda": 6000, "delta": 2272, "iota": "omicron gamma rho"}], "l": [[{"zeta": "mu", "mu": "nu epsilon epsilon", "alpha": 9340}, {"zeta": null, "mu": "lambda lambda", "alpha": 4768}, {"zeta": 6527, "mu": 9111, "alpha": 2714}, {"zeta": 2286, "mu": true, "alpha": "rho omicron lambda lambda"}]]}}}'::jsonb)) AS documents(a, b);
-- keys that begin alike, or are written with escapes, are found in their order
SELECT json_patch(a, b), json_patch_apply(a, json_patch(a, b)) = b AS same
FROM (VALUES ('{"date": 1, "date modified": 2, "id": 7}'::jsonb, '{"date modified": 3, "id": 7}'::jsonb),
  ('{"a": [1], "a!": [2]}', '{"a!": [2], "x": [1]}'),
  ('{"\\": [], "\n": []}', '{"\\": [], "b": []}')) AS documents(a, b);
-- many elements and members, in which operations insert and remove anywhere
SELECT json_patch_apply(to_jsonb(ARRAY(SELECT n FROM generate_series(1, 10000) n)), jsonb_agg(o ORDER BY i, k)) =
  to_jsonb(ARRAY(SELECT n FROM generate_series(5001, 10000) n UNION ALL SELECT n FROM generate_series(1, 5000) n)) AS same
FROM generate_series(1, 5000) i, (VALUES (1, '{"op": "remove", "path": "/0"}'::jsonb), (2, '{"op": "add", "path": "/-"}')) v (k, v), LATERAL (SELECT v || CASE k WHEN 2 THEN jsonb_build_object('value', i) ELSE '{}' END o) o;
SELECT json_patch_apply('{}', (SELECT jsonb_agg(jsonb_build_object('op', 'add', 'path', '/k' || n * 7919 % 10000, 'value', n)) || jsonb_agg(jsonb_build_object('op', 'remove', 'path', '/k' || n * 31 % 10000)) FILTER (WHERE n * 31 % 10000 >= 3)
  FROM generate_series(0, 9999) n)) AS left_over;

-- documents of many levels
SELECT jsonb_array_length(p) AS operations, json_patch_apply(a, p) = b AS right_one, json_patch_apply(b, json_patch_invert(a, p)) = a AS undone,
  json_merge_patch_apply(a, json_merge_patch(a, b)) = b AS merged, tree_edit_counts(a, b)
FROM (VALUES ((repeat('[', 5000) || '1' || repeat(']', 5000))::jsonb, (repeat('[', 5000) || '2' || repeat(']', 5000))::jsonb),
  ((repeat('{"a": ', 5000) || '1' || repeat('}', 5000))::jsonb, (repeat('{"a": ', 5000) || '2' || repeat('}', 5000))::jsonb),
  ((repeat('[0, ', 5000) || '1' || repeat(']', 5000))::jsonb, (repeat('[0, ', 10) || '[' || repeat('[0, ', 4990) || '2' || repeat(']', 5001))::jsonb)) AS v (a, b), json_patch(a, b) p;

-- patches with tests refuse a document that they were not made for
SELECT json_patch(a, b, tests => true) AS patch, json_patch_apply(a, json_patch(a, b, tests => true))::text = b::text AS right_one
FROM (VALUES ('{"a": [1, 2, 3, {"b": 1.0}], "old": {"c": 1}, "gone": null, "x": {"y": {"k": 1, "l": 2}}}'::jsonb,
  '{"a": [3, 1, {"b": 1.00}, 4], "new": {"c": 1}, "x": {"k": 1, "l": 2}}'::jsonb)) AS d (a, b);
SELECT json_patch_apply('{"a": 3, "b": 1}', json_patch('{"a": 1, "b": 1}', '{"a": 2, "b": 1}', tests => true));
-- patches that undo others
CREATE FUNCTION json_undone(doc jsonb, patch jsonb, tests boolean, OUT inverse jsonb, OUT right_one boolean) LANGUAGE sql AS $$
  SELECT i, json_patch_apply(json_patch_apply(doc, patch), i)::text = doc::text FROM json_patch_invert(doc, patch, tests) i
$$;
SELECT u.*
FROM (VALUES
  ('{"a": 1.0}'::jsonb, '[]'::jsonb, false),
  ('{"a": 1.0}', '[{"op": "add", "path": "/a", "value": 2}, {"op": "add", "path": "/b", "value": 2}]', false),
  ('{"a": [1, 2]}', '[{"op": "add", "path": "/a/-", "value": {"x": 1}}, {"op": "add", "path": "/a/2/y", "value": 2}, {"op": "copy", "from": "/a/2", "path": "/a/0"}]', true),
  ('{"a": [1, 2], "b": 3}', '[{"op": "test", "path": "/b", "value": 3}, {"op": "remove", "path": "/a/0"}, {"op": "move", "from": "/b", "path": "/a"}]', true),
  ('[1, [2, 3]]', '[{"op": "move", "from": "/1", "path": "/-"}, {"op": "move", "from": "/0", "path": "/1"}, {"op": "move", "from": "/1", "path": "/1"}]', false),
  ('{"a": {"b": {"c": 1}}}', '[{"op": "replace", "path": "/a/b/c", "value": 2}, {"op": "move", "from": "/a/b", "path": "/a"}, {"op": "replace", "path": "/a/c", "value": 3}]', true),
  ('{"a": {"b": {"c": 1}}}', '[{"op": "add", "path": "/a/b/d", "value": []}, {"op": "move", "from": "/a/b", "path": ""}, {"op": "add", "path": "/d/-", "value": 3}]', false),
  ('{"a": {"b": 1}}', '[{"op": "add", "path": "/a/c", "value": 2}, {"op": "remove", "path": "/a"}, {"op": "add", "path": "", "value": 3}]', true),
  ('1', '[{"op": "replace", "path": "", "value": 2}]', true)
) AS d (doc, patch, tests), json_undone(doc, patch, tests) u;
SELECT json_patch_invert('{"a": 1}', '[{"op": "remove", "path": "/b"}]');
SELECT json_patch_invert('{"a": 1}', '{}');
-- one change among later ones
SELECT json_patch_apply(v3, json_patch_invert(v1, json_patch(v1, v2), tests => true))
FROM (VALUES ('{"a": 1, "b": 2, "c": [1, 2]}'::jsonb, '{"a": 10, "b": 2, "c": [1, 2]}'::jsonb, '{"a": 10, "b": 3, "c": [1, 2, 4]}'::jsonb)) AS v (v1, v2, v3);
SELECT json_patch_apply(v3, json_patch_invert(v1, json_patch(v1, v2), tests => true))
FROM (VALUES ('{"a": 1, "b": 2}'::jsonb, '{"a": 10, "b": 2}'::jsonb, '{"a": 11, "b": 3}'::jsonb)) AS v (v1, v2, v3);
SELECT xml_patch_invert(a, p), xml_patch_apply(xml_patch_apply(a, p), xml_patch_invert(a, p)) AS back
FROM (VALUES ('<a x="1">t<b/>u<c>1</c></a>'::xml, '<diff><remove sel="/a/b"/><replace sel="/a/@x">2</replace><add sel="/a/c" pos="after"><d/>v</add></diff>'::xml)) AS d (a, p);
SELECT xml_patch_invert('<a/>', '<diff><remove sel="/a/b"/></diff>');

-- the examples of RFC 7396's appendix: both ways
SELECT original, patch, json_merge_patch_apply(original, patch) AS applied, json_merge_patch_apply(original, patch) = result AS as_expected
FROM (VALUES
  ('{"a":"b"}'::jsonb, '{"a":"c"}'::jsonb, '{"a":"c"}'::jsonb),
  ('{"a":"b"}', '{"b":"c"}', '{"a":"b", "b":"c"}'),
  ('{"a":"b"}', '{"a":null}', '{}'),
  ('{"a":"b", "b":"c"}', '{"a":null}', '{"b":"c"}'),
  ('{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'),
  ('{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'),
  ('{"a": {"b": "c"}}', '{"a": {"b": "d", "c": null}}', '{"a": {"b": "d"}}'),
  ('{"a": [{"b":"c"}]}', '{"a": [1]}', '{"a": [1]}'),
  ('["a","b"]', '["c","d"]', '["c","d"]'),
  ('{"a":"b"}', '["c"]', '["c"]'),
  ('{"a":"foo"}', 'null', 'null'),
  ('{"a":"foo"}', '"bar"', '"bar"'),
  ('{"e":null}', '{"a":1}', '{"e":null, "a":1}'),
  ('[1,2]', '{"a":"b", "c":null}', '{"a":"b"}'),
  ('{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}')
) AS e (original, patch, result);
SELECT p, json_merge_patch_apply(a, p)::text = b::text AS right_one
FROM (VALUES
  ('{"a": 1, "b": {"c": 2, "d": [1], "e": null}}'::jsonb, '{"a": 1.0, "b": {"c": 2, "d": [1, null], "e": null}, "f": {}}'::jsonb),
  ('{"a": {"b": 1}}', '{"a": {}}'), ('{"a": {"b": 1}}', '{"a": [{"b": null}]}'), ('[1]', '{}'), ('{}', '[null]'), ('{"long key": 1, "k": {"x": [1.0]}}', '{"k": {"x": [1]}}')
) AS d (a, b), json_merge_patch(a, b) p;
SELECT json_merge_patch('{"a": {"b/c": 1}}', '{"a": {"b/c": null}}');
SELECT json_merge_patch('{"a": 1}', '{"a": {"b": {"c": null}}}');
SET ted.max_memory = '1MB';
SELECT json_merge_patch_apply(jsonb_object_agg(n, n), '{"x": 1}') FROM generate_series(1, 20000) n;
SELECT json_merge_patch(jsonb_object_agg(n, n), '{}') FROM generate_series(1, 20000) n;
RESET ted.max_memory;
DROP FUNCTION json_undone, json_patched, xml_patched, applied;
