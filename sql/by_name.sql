-- Differences of documents as a person would write them: equal names first
\pset format unaligned
\pset tuples_only

-- an unchanged member is in no operation; a renamed one keeps its value
SELECT json_patch('{"address": {"street": "High Street", "town": "Springfield", "code": 12345}}', '{"location": {"street": "High Street", "town": "Springfield", "code": 12346}}');
SELECT tree_diff('{"b":1,"c":2}'::jsonb, '{"c":2,"z":1}'), json_patch('{"b":1,"c":2}', '{"c":2,"z":1}');
SELECT tree_diff(a, b), json_patch(a, b) FROM (VALUES (
	'{"id": 7, "name": "Ada", "email": "a@x", "roles": ["admin", "dev"]}'::jsonb,
	'{"ident": 7, "name": "Ada", "mail": "a@x", "roles": ["dev"]}'::jsonb)) v(a, b);
-- a value under an equal key has changed, even if another key has it now
SELECT tree_diff('{"a":1,"b":2}'::jsonb, '{"a":2,"b":1}');
-- a member is renamed only if its value is nearly the same
SELECT tree_diff('{"old":{"x":1,"y":2,"z":3,"w":4}}'::jsonb, '{"new":{"x":1,"y":2,"z":3,"w":5}}');
SELECT tree_diff('{"old":{"x":1,"y":2,"z":3,"w":4}}'::jsonb, '{"new":{"x":5,"y":6,"z":7,"w":8}}');
-- of equally cheap renamings, the one between similar names; without similar names, only for a value that says so
SELECT tree_diff(a, b) FROM (VALUES ('{":nth-child": {"s": [1, "x"], "g": "y"}, ":first": {"s": [1, "x"], "g": "y"}}'::jsonb,
	'{":autofill": {"s": [1, "x"], "g": "y"}, ":first": {"s": [1, "x"], "g": "y"}, ":nth-child()": {"s": [1, "x"], "g": "y"}}'::jsonb),
	('{":nth-child": [1, 2, 3, 4], ":first": [1, 2, 3, 4]}', '{":autofill": [1, 2, 3, 5], ":first": [1, 2, 3, 4], ":nth-child()": [1, 2, 3, 5]}'),
	('{"-moz-image": {"s": "auto", "m": ["x"], "g": 1}, "a": "auto", "b": ["x", 1]}', '{"-webkit-user": {"s": "auto", "m": ["x"], "g": 2}, "a": "auto", "b": ["x", 1]}'),
	('{"owner": "ada", "n": 1}', '{"contact": "ada", "n": 1}'), ('{"owner": true, "n": true}', '{"contact": true, "n": true}')) v(a, b);
SELECT tree_diff(a, b) FROM (VALUES ('<p><a>x</a><chapter n="1"><v>x</v></chapter></p>'::xml, '<p><a>x</a><part n="1"><v>x</v></part><chapters n="1"><v>x</v></chapters></p>'::xml),
	('<p><b>x</b> y <i>x</i></p>', '<p><b>x</b> y <em>x</em></p>'), ('<p k="x" m="y"/>', '<p l="x" n="x"/>'), ('<p><b k="x">1 2</b><c>1 2</c></p>', '<p><q k="y">1 2</q><c>1 2</c></p>')) v(a, b);
-- elements that stay keep their order, others are moved
SELECT tree_diff(a, b), json_patch(a, b), json_patch_apply(a, json_patch(a, b)) = b FROM (VALUES
	('{"items":[{"sku":1,"price":2},{"sku":2,"price":3},{"sku":3,"price":4}]}'::jsonb,
	 '{"items":[{"sku":3,"price":4},{"sku":1,"price":2},{"sku":2,"price":5}]}'::jsonb),
	('[1,2,3]', '[1,3,4]'), ('[1,2,3]', '[1,5,3]'), ('[1,2,3,4,5,6]', '[6,1,2,3,5,4]'), ('["a","b","b","c"]', '["c","b","a","b"]')) v(a, b);
-- a value moves into a new one, or out of one
SELECT tree_diff(a, b), json_patch(a, b) FROM (VALUES ('{"a":{"x":1,"y":2,"z":3}}'::jsonb, '{"a":[{"x":1,"y":2,"z":4}]}'::jsonb),
	('{"a":[{"x":1,"y":2,"z":3}]}', '{"a":{"x":1,"y":2,"z":3}}'), ('{"a":[{"x":1,"y":2,"z":3}]}', '{"a":{"x":1,"y":2,"z":4}}'), ('{"a":{"b":[1,2,3]}}', '{"a":[1,2,3]}')) v(a, b);
-- numbers of differences
SELECT tree_edit_counts(a, b) FROM (VALUES ('{"b":1,"c":2}'::jsonb, '{"c":2,"z":1}'::jsonb), ('[1,[2,3]]', '[[2,3],1]'), ('1', '1')) v(a, b);
SELECT tree_edit_counts('{"b":1,"c":2}'::json, '{"c":2,"b":3}'), tree_edit_counts('<a x="1"><b/></a>'::xml, '<a x="2"><b/><c/></a>');

-- XML: attributes and elements of equal names, whatever stands between them
SELECT tree_diff('<a x="1" y="2"><p>One</p><p>Two <b>w</b></p></a>'::xml, '<a x="2" z="2"><div><p>One</p><p>Two <b>x</b></p></div><q>3</q></a>');
SELECT tree_diff('<person><name>Ada</name><mail>a@x</mail></person>'::xml, '<person><email>a@x</email><name>Ada</name><phone>1</phone></person>');
SELECT tree_diff('<ul><li>one</li><li>two</li><li>three</li></ul>'::xml, '<ul><li>two</li><li>3</li><li>four</li></ul>');

-- lists that are too long to be compared as a whole are divided by values that occur once
SELECT c.*, jsonb_array_length(json_patch(a, b)), json_patch_apply(a, json_patch(a, b)) = b
FROM (SELECT jsonb_agg(jsonb_build_object('id', i, 'v', i % 7, 'w', i % 5, 'x', jsonb_build_array(i % 3)) ORDER BY i) FILTER (WHERE i <> 20) AS a,
		jsonb_agg(jsonb_build_object('id', i, 'v', (i + 1) % 7, 'w', i % 5, 'x', jsonb_build_array(i % 3)) ORDER BY i) FILTER (WHERE i <> 1900) AS b
	FROM generate_series(1, 2000) i) d, tree_edit_counts(a, b) c;
SELECT c.approximate, c.matched > 0, json_patch_apply(a, json_patch(a, b)) = b
FROM (SELECT jsonb_agg(jsonb_build_object('v', i % 7, 'w', i % 5)) AS a, jsonb_agg(jsonb_build_object('v', i % 6, 'w', i % 11)) AS b FROM generate_series(1, 3000) i) d, tree_edit_counts(a, b) c;
SELECT c.approximate, c.matched FROM (SELECT jsonb_object_agg('a' || i, jsonb_build_array(i % 7, i % 5, i % 3, 1)) AS a, jsonb_object_agg('b' || i, jsonb_build_array(i % 7, i % 5, i % 3, 2)) AS b
	FROM generate_series(1, 3000) i) d, tree_edit_counts(a, b) c;
-- also where elements have no order; what shares more values is paired first
SELECT c.*, json_edit_distance(json_patch_apply(a, json_patch(a, b, m)), b, m)
FROM (SELECT jsonb_agg(jsonb_build_object('id', i, 'code', 'c' || i, 'ref', -1 - i, 'v', i % 7)) AS a,
		jsonb_agg(jsonb_build_object('id', i, 'code', 'c' || i, 'ref', CASE WHEN i < 100 THEN -2 - i / 2 * 2 + i % 2 ELSE 0 END, 'v', i % 7 + 1) ORDER BY i * 7 % 1009) AS b
	FROM generate_series(1, 1000) i) d, tree_costs(arrays => 'unordered') m, tree_edit_counts(a, b, m) c;

-- elements without an order are matched by least cost, and stay where they are
SELECT tree_diff(a, b, m), json_patch(a, b, m), json_edit_distance(json_patch_apply(a, json_patch(a, b, m)), b, m), tree_edit_counts(a, b, m)
FROM (VALUES ('{"items":[{"sku":1,"price":2},{"sku":2,"price":3},{"sku":3,"price":4}]}'::jsonb, '{"items":[{"sku":3,"price":4},{"sku":1,"price":2},{"sku":2,"price":5}]}'::jsonb),
	('[[1,2],[3,4],[5]]', '[[6],[4,3],[2,1],[5]]'), ('[1,2]', '[2,1]'), ('{"a":[1,1,2]}', '{"a":[2,2,1]}')) v(a, b), tree_costs(arrays => 'unordered') m;
SELECT json_patch(a, b, m), json_edit_distance(json_patch_apply(a, json_patch(a, b, m)), b, m), c.approximate
FROM (SELECT jsonb_agg(jsonb_build_object('id', i, 'v', i % 7)) AS a, jsonb_agg(jsonb_build_object('id', i, 'v', CASE WHEN i = 7 THEN 0 ELSE i % 7 END) ORDER BY i * 7 % 101) AS b FROM generate_series(1, 100) i) d,
	tree_costs(arrays => 'unordered') m, tree_edit_counts(a, b, m) c;
SELECT tree_diff('<a/>'::xml, '<b/>', tree_costs(arrays => 'unordered'));
-- ignored and equal values, by patterns
SELECT tree_diff('{"id":1,"a":{"id":2,"b":3}}'::jsonb, '{"id":5,"a":{"id":7,"b":4}}', tree_costs(ignore => ARRAY[p])) FROM unnest('{id,/id,//id}'::text[]) p;
SELECT tree_diff('<x id="1"><y id="2"/></x>'::xml, '<x id="2"><y id="3"/></x>', tree_costs(ignore => '{@id}')) = '' AS xml, json_patch('{"a":1.0}', '{"a":1}'), tree_diff('{"a":1.0}'::json, '{"a":1}') = '' AS json;
-- white space is nothing to stay for; the only element of a name stays, whatever is in it
SELECT xml_patch(E'<d>\n<x><g>junit</g><v>4</v></x>\n<x><g>slf4j</g><v>1</v></x>\n</d>', E'<d>\n<x><g>slf4j</g><v>2</v></x>\n<x><g>jupiter</g><v>5</v></x>\n</d>');
SELECT tree_diff('<p><to><name>Ada</name></to><n>1</n></p>'::xml, '<p><to><city>Basel</city><street>Weg 1</street></to><n>1</n></p>');
SELECT xml_patch('<a href="x" title="t"><b>one</b><c/></a>', '<a src="x" title="t"><b>one</b><c/></a>'), xml_patch('<a><c>1</c><d>2</d><k/></a>', '<a><e><c>1</c><d>2</d></e><k/></a>');
-- a pattern without effect
\pset tuples_only on
SELECT tree_diff('{"a":1,"c":{"d":1}}'::jsonb, '{"a":2,"c":{"d":1}}', tree_costs(ignore => '{b,/a/c,//d,/c/d}'));
