-- Patterns: one language for models of costs and for options of conversions
\set VERBOSITY terse
SET client_min_messages = warning; -- not that renaming some nodes is never the best choice
CREATE FUNCTION ignored(a tree, b tree, pattern text) RETURNS float8 LANGUAGE sql AS $$
	SELECT tree_edit_distance(a, b, tree_costs(ignore => ARRAY[pattern]))
$$;
-- JSON: keys, items of arrays, literals
SELECT p, ignored('{"id": 1, "a": {"id": 2, "x": 3}, "items": [{"id": 4, "n": [5]}, 6]}'::jsonb::tree,
	'{"id": 7, "a": {"id": 8, "x": 9}, "items": [{"id": 10, "n": [11]}, 12]}'::jsonb::tree, p)
FROM unnest(ARRAY['none', 'id', '/id', '//id', '"id":', '/"id":', '//a', '/a', 'a', '/a/id', '/a/*', '//a/*', '//*/id', '/*/id', '/*/*/id', '/items/*', '/items/*/id',
	'/items/*/*', '/items/*/n/*', 'i*', '/a/i*', '/i*/*/i*', 'number()', '//id/number()', '/items/number()', '/items/*/number()', '//items/array()', '/a/object()', '/object()',
	'key()', '/a/key()', '//*', '/*', '4', '//id/4', '/{}', '/items/*/{}']) WITH ORDINALITY v(p, n) ORDER BY n;
-- XML: elements, attributes, values and texts
SELECT p, ignored('<r id="1"><p class="a" id="2"><id>3</id><q>4<b>5</b>6</q></p></r>'::xml::tree,
	'<r id="11"><p class="aa" id="12"><id>13</id><q>14<b>15</b>16</q></p></r>'::xml::tree, p)
FROM unnest(ARRAY['none', 'id', '/r', '/id', '//id', '@id', '/r/@id', '/r/p/@id', '/r/*/@*', '//@class', '@class/value()', '//@class/value()', 'value()', '/r/p/*', '//p/attribute()', '//q/text()', '//q/*',
	'/r/*', '/*', '//p/id', '//b', 'b', '//id/text()', 'text()', '@i*', '/@i*']) WITH ORDINALITY v(p, n)
WHERE p NOT IN ('/r', '/*', '@class/value()') ORDER BY n;
-- a name reaches the value below, and its texts and numbers are those of the value
SELECT tree_edit_distance('{"price": 5, "n": 5}'::jsonb, '{"price": 6, "n": 6}'::jsonb, '{"rules": [{"pattern": "//price", "rename": 2}]}'),
	tree_edit_distance('{"price": 5, "n": 5}'::jsonb, '{"price": 6, "n": 6}'::jsonb, '{"rules": [{"pattern": "price", "rename": 2}, {"pattern": "number()", "rename": 0.5}]}'),
	tree_edit_distance('{"price": [5]}'::jsonb, '{"price": [6]}'::jsonb, '{"rules": [{"pattern": "price", "rename": 2}]}'),
	tree_edit_distance('{"price": [5]}'::jsonb, '{"price": [6]}'::jsonb, '{"rules": [{"pattern": "//price/*", "rename": 2}]}'),
	tree_edit_distance('<a p="1"><p>1</p></a>'::xml, '<a p="2"><p>2</p></a>', '{"rules": [{"pattern": "@p", "rename": 2}, {"pattern": "/a/p", "rename": 4}]}'),
	tree_edit_distance('<a><p>1<b/>2</p></a>'::xml, '<a><p>3<b/>4</p></a>', '{"rules": [{"pattern": "p", "rename": 2}, {"pattern": "p*", "rename": 4}]}');
SELECT tree_edit_distance('{"title": "abcd", "text": "abcd"}'::jsonb, '{"title": "abce", "text": "abce"}'::jsonb, m),
	tree_edit_distance('{"title": "abcd"}'::jsonb, '{"titel": "abcd"}'::jsonb, m),
	tree_edit_distance('<a><title>abcd</title><b>abcd</b></a>'::xml, '<a><title>abce</title><b>abce</b></a>', m)
FROM (VALUES ('{"rules": [{"pattern": "//title", "texts": "levenshtein"}]}'::tree_costs)) v(m);
SELECT tree_edit_distance('{"abcd": 1}'::jsonb, '{"abce": 1}'::jsonb, m)
FROM (VALUES ('{"rules": [{"pattern": "abc*", "texts": "levenshtein"}]}'::tree_costs), ('{"rules": [{"pattern": "key()", "texts": "levenshtein"}]}')) v(m);
-- the most specific rule counts: more steps, from the root, the last step
SELECT rules, tree_edit_distance('{"a": {"b": 1}}'::jsonb, '{"a": {"b": 2}}'::jsonb, tree_costs(rules => rules))
FROM (VALUES ('[{"pattern": "*", "rename": 0.25}, {"pattern": "//*", "rename": 0.5}]'::jsonb), ('[{"pattern": "//*", "rename": 0.25}, {"pattern": "number()", "rename": 0.5}]'),
	('[{"pattern": "number()", "rename": 0.25}, {"pattern": "b*", "rename": 0.5}]'), ('[{"pattern": "b*", "rename": 0.25}, {"pattern": "b", "rename": 0.5}]'),
	('[{"pattern": "b", "rename": 0.25}, {"pattern": "//a/*", "rename": 0.5}]'), ('[{"pattern": "//a/*", "rename": 0.25}, {"pattern": "/a/*", "rename": 0.5}]'),
	('[{"pattern": "/a/b", "rename": 0.25}, {"pattern": "//a/b/number()", "rename": 0.5}]'), ('[{"pattern": "//a/b", "ignore": true}, {"pattern": "/a/b", "ignore": false}]')) v(rules);
-- special characters
SELECT p, ignored('{"a/b": {"*": {"x.y": {"(c)": {"": 1}}}}, "\"k\":": 2}'::jsonb::tree, '{"a/b": {"*": {"x.y": {"(c)": {"": 2}}}}, "\"k\":": 3}'::jsonb::tree, p)
FROM unnest(ARRAY['a\/b', '\*', 'x.y', 'x\.y', '\(c\)', '"":', '/a\/b/\*/x.y', '"\\"k\\":":', '"a\/b":', '\"k\":']) p;
SELECT tree_costs(ignore => '{//a/b/@c*,/*,//*,//a,/a,//number(),//x/text(),"\"k\":","a:b\\::c"}');
-- mistakes
\set VERBOSITY default
SELECT tree_costs(ignore => '{a/b}');
SELECT tree_costs(ignore => '{""}');
SELECT tree_costs(ignore => '{//}');
SELECT tree_costs(ignore => '{/a//b}');
SELECT tree_costs(ignore => '{/a/b/}');
SELECT tree_costs(ignore => '{"/a[1]"}');
SELECT tree_costs(ignore => '{/a*b}');
SELECT tree_costs(ignore => '{/text()/a}');
SELECT tree_costs(ignore => '{//ä/node()}');
SELECT tree_costs(rules => '[{"pattern": "a|b"}]');
SELECT tree_costs(rules => '[{"pattern": "//a", "insert": 2}, {"pattern": "a", "insert": 3}]');
SELECT tree_from_json(json '{"a": 1}', exclude_paths => '{/a/..}');
\set VERBOSITY terse
-- the same in conversions, which know texts from elements
SELECT p, tree_from_json('{"id": 1, "a": {"id": 2, "x": "y"}, "items": [{"id": 4}, 6]}'::jsonb, exclude_paths => ARRAY[p])
FROM unnest(ARRAY['id', '/"id":', '/a/*', 'i*', 'number()', '//id/number()', '/items/*/object()', '/items/number()', '/a/object()', '/items/array()', '"y"']) p;
SELECT tree_from_json('[1]'::jsonb, exclude_paths => '{/array()}');
SELECT tree_from_json('[1]'::jsonb, exclude_paths => '{a(b)/c}');
SELECT tree_from_xml(format('<%1$s><%2$s><c/><d/></%2$s></%1$s>', a, b)::xml, exclude_paths => '{/a*/b*/c}') = format('{%s{%s{d}}}', a, b)::tree FROM repeat('a', 700) a, repeat('b', 700) b;
SELECT p, tree_from_json('{"id": 1, "a": {"id": 2, "x": "y"}, "items": [{"id": 4}, 6]}'::jsonb, include_paths => ARRAY[p])
FROM unnest(ARRAY['id', '//id/number()', '/items/number()', 'string()', '/items/array()']) p;
SELECT p, tree_from_xml('<r id="1"><b>x<i/>y</b><c>b</c></r>', exclude_paths => ARRAY[p])
FROM unnest(ARRAY['b', '//b/text()', 'text()', '@id', '@i*', '/r/@id/value()', 'attribute()', '/r/*', '//b/element()']) p;
SELECT p, tree_from_xml('<r id="1"><b>x<i/>y</b><c> b </c></r>', include_paths => ARRAY[p])
FROM unnest(ARRAY['//b/text()', '//c/text()', 'text()', '/r/@id/value()', '/r/element()']) p;
SELECT tree_from_xml('<r id="1"/>', attributes => 'node', exclude_paths => '{value()}');
-- numbers are equal where jsonb says so
SELECT '{"a": 1.0}'::jsonb::tree, '{"a": [1.50, 100, 1e2, -0.0, 0.10]}'::json::tree, tree_edit_distance('{"a": 1.0}'::json, '{"a": 1}');
SELECT a, b, tree_edit_distance(a, b) AS exact, tree_edit_distance(a, b, '{"numbers": "value"}') AS value, tree_edit_distance(a, b, '{"numbers": "relative"}') AS relative,
	tree_edit_distance(a, b, '{"numbers": "relative", "texts": "lcs"}') AS both
FROM (VALUES ('{a{1.0}}'::tree, '{a{1}}'::tree), ('{a{1e2}}', '{a{100}}'), ('{a{-0}}', '{a{0.00}}'), ('{a{1}}', '{a{2}}'), ('{a{0.5e-1}}', '{a{5E-2}}'),
	('{a{1.0}}', '{a{-1}}'), ('{a{1.0}{x}}', '{a{x}{1}}'), ('{a{v1.0}}', '{a{v1}}'), ('{a{1e-400}}', '{a{0}}'), ('{1.0{b}}', '{1{b}}'), ('{a{10000000000000001}}', '{a{10000000000000000}}'),
	('{a{1e-99999999999}}', '{a{1.0e-99999999999}}')) v(a, b);
SELECT count(*), count(*) FILTER (WHERE within), count(*) FILTER (WHERE within <> plain)
FROM (SELECT tree_within(a, b, 0, '{"numbers": "value"}') AS within, tree_edit_distance(a, b, '{"numbers": "value"}') = 0 AS plain
	FROM unnest('{"{a{1}}","{a{1.0}}","{a{10e-1}}","{a{2}}","{b{1}}"}'::tree[]) a, unnest('{"{a{1}}","{a{1.0}}","{a{10e-1}}","{a{2}}","{b{1}}"}'::tree[]) b) d;
-- joins and indexes see what functions see
CREATE TABLE priced AS SELECT i, format('<r><p>%s</p><q v="%s">x%s</q></r>', CASE WHEN i % 2 = 0 THEN (i % 7)::text ELSE (i % 7) || '.0' END, i % 5, i % 3)::xml::tree AS doc FROM generate_series(1, 60) i;
CREATE TABLE priced_model AS SELECT n, m::tree_costs FROM unnest(ARRAY['{"numbers": "value"}', '{"numbers": "relative"}', '{"rules": [{"pattern": "/r/p", "numbers": "value"}]}',
	'{"rules": [{"pattern": "//q/@v", "ignore": true}]}', '{"rules": [{"pattern": "/r/p", "rename": 2}, {"pattern": "//q/text()", "texts": "lcs", "delete": 0.5}]}',
	'{"rules": [{"pattern": "/r/*/text()", "rename": 0.25}, {"pattern": "/r/q", "ignore": true}]}']) WITH ORDINALITY u(m, n);
CREATE FUNCTION pairs(m tree_costs, k float8, OUT joined bigint, OUT plain bigint, OUT nearest boolean, OUT indexed boolean) LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('SELECT count(*) FROM priced a JOIN priced b ON tree_within(a.doc, b.doc, %L, %L::tree_costs)', k, m) INTO joined;
	EXECUTE format('SELECT count(*) FROM priced a, priced b WHERE (tree_edit_distance(a.doc, b.doc, %L::tree_costs) <= %L) IS TRUE', m, k) INTO plain;
	EXECUTE format('SELECT bool_and(a.d = b.d) FROM (SELECT row_number() OVER () n, d FROM (SELECT tree_edit_distance(doc, %1$L, %2$L) d FROM priced ORDER BY 1 LIMIT 9) x) a
		JOIN (SELECT row_number() OVER (ORDER BY d) n, d FROM (SELECT tree_edit_distance(doc, %1$L, %2$L) d FROM priced OFFSET 0) x) b USING (n)', '{r{p{1}}{q{@v{1.00}}{x1}}}', m) INTO nearest;
	SET LOCAL enable_seqscan = off;
	EXECUTE format('SELECT (SELECT count(*) FROM priced WHERE tree_within(doc, %1$L, %2$L, %3$L::tree_costs)) = (SELECT count(*) FROM (SELECT tree_edit_distance(doc, %1$L, %3$L::tree_costs) AS d FROM priced OFFSET 0) x WHERE d <= %2$L)',
		'{r{p{1}}{q{@v{1.00}}{x1}}}', k, m) INTO indexed;
	RESET enable_seqscan;
END $$;
CREATE INDEX ON priced USING gist (doc);
ANALYZE priced;
SELECT n, k, p.* FROM priced_model, unnest('{0,0.5,1.5}'::float8[]) k, pairs(m, k) p ORDER BY n, k;
-- subtrees stand where they are in the document
SELECT * FROM tree_subtree_nearest('{b{1}}', '{a{b{2}}{c{b{3}}}}', 3, costs => '{"rules": [{"pattern": "/a/b", "rename": 4}]}') t;
-- elements of arrays by keys
SELECT tree_edit_distance(tree_from_json(a, sort_arrays => true), tree_from_json(b, sort_arrays => true)) AS sorted,
	tree_edit_distance(tree_from_json(a, array_keys => '{/items/*/sku}'), tree_from_json(b, array_keys => '{/items/*/sku}')) AS keyed
FROM (VALUES ('{"items": [{"price": 1, "sku": "c"}, {"price": 2, "sku": "a"}, {"price": 3, "sku": "b"}]}'::jsonb, '{"items": [{"price": 2, "sku": "a"}, {"price": 9, "sku": "c"}, {"price": 3, "sku": "b"}]}'::jsonb)) v(a, b);
SELECT tree_from_json(json '{"a": [{"k": {"id": 2}}, 7, {"k": {"id": 1}}, {"x": 0}, {"k": {"id": 1}, "a": 1}], "b": [2, 1], "c": {"d": {"k": {"id": 1}}}}', array_keys => '{//*/k/id}');
SELECT tree_from_json('[{"k": 2, "v": [3, 1]}, {"k": 1, "v": [2, 1]}]'::jsonb, array_keys => '{/*/k}'), tree_from_json('[{"k": 2, "v": [3, 1]}, {"k": 1, "v": [2, 1]}]'::jsonb, array_keys => '{/*/k}', sort_arrays => true),
	tree_from_json('[{"k": 2, "v": [3, 1]}, {"k": 1, "v": [2, 1]}]'::jsonb, array_keys => '{/*/k}', exclude_paths => '{k}');
SELECT tree_from_json('[]'::jsonb, array_keys => '{/a/b}');
SELECT tree_from_json('[]'::json, array_keys => '{/a/*}');
RESET client_min_messages;
DROP FUNCTION ignored, pairs;
DROP TABLE priced, priced_model;

-- a pattern in another language, which is a name here, says so once a statement, unless there is such a name
CREATE TABLE spelt AS SELECT i AS id, jsonb_build_object('id', i, 'a.b', 2, 'items', jsonb_build_array(jsonb_build_object('id', i))) AS doc FROM generate_series(1, 20) i;
SELECT count(*) FROM spelt a, spelt b WHERE tree_edit_distance(a.doc, b.doc, tree_costs(ignore => '{$.id,.id,/items/0/id,a.b,nothing}')) > 100;
SELECT json_edit_distance('{"id": 1}'::jsonb, '{"id": 2}', '{"rules": [{"pattern": ".id", "ignore": true}]}');
SELECT count(tree_from_json(doc, exclude_paths => '{$.id,/items/0/id,a.b,nothing}')) FROM spelt;
SELECT count(tree_from_json(doc::json, include_paths => '{id,items.id}')) FROM spelt;
SELECT tree_from_xml('<a><a.b/><id/></a>', exclude_paths => '{a.id,a.b}');
-- keys that are equal in lower case
SELECT count(tree_from_json(doc, fold_case => true)) FROM (VALUES ('{"Id": 1, "iD": 2, "x": 3}'::json), ('{"a": 1, "A": 2}')) AS v(doc);
SELECT tree_from_json('{"Id": 1, "x": 3}'::json, fold_case => true);
DROP TABLE spelt;
-- a similarity in percent
CREATE TABLE spelt AS SELECT 'name ' || i AS name FROM generate_series(1, 20) i;
SELECT count(*) FROM spelt WHERE lcs_similarity(name, 'name 1') >= 90;
SELECT count(*) FROM spelt a JOIN spelt b ON lcs_similarity(a.name, b.name) >= 90;
SELECT count(*) FROM spelt WHERE lcs_similarity(name, 'name 1') >= 1;
DROP TABLE spelt;
