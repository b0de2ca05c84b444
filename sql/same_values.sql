-- Models by which values are the same: numbers within a tolerance, values that match an expression, elements with a key, children without an order
\set VERBOSITY default
SELECT m, m::text::tree_costs = m AS again FROM (VALUES
	(tree_costs(tolerance => 0.1, relative_tolerance => 1e-9)), (tree_costs(ignore_values => ARRAY['^\d', 'a"b'])), (tree_costs(unordered => '{//tags,b}', array_keys => '{/items/*/id}')),
	('{"tolerance": 1e-1, "unordered": true, "rules": [{"pattern": "a", "matches": "x", "ignore": true}, {"pattern": "a", "tolerance": 0}, {"pattern": "a", "matches": "b", "insert": 2, "key": false}]}')) v(m);
-- what is refused
SELECT tree_costs(tolerance => -1);
SELECT tree_costs(tolerance => 'NaN');
SELECT tree_costs(relative_tolerance => 'Infinity');
SELECT tree_costs(ignore_values => '{[}');
SELECT tree_costs(ignore_values => '{a,b,a}');
SELECT tree_costs(ignore_values => '{NULL}');
SELECT tree_costs(array_keys => '{/items/id}');
SELECT tree_costs(array_keys => '{*}');
SELECT '{"tolerance": "1"}'::tree_costs;
SELECT '{"unordered": 1}'::tree_costs;
SELECT '{"rules": [{"pattern": "a", "matches": 1}]}'::tree_costs;
SELECT '{"rules": [{"matches": "a", "ignore": true}]}'::tree_costs;
SELECT tree_edit_distance('{a}'::tree, '{b}', tree_costs(array_keys => '{/*/id}'));
SELECT tree_edit_distance('{a}'::tree, '{b}', tree_costs(unordered => '{a}'));
SELECT tree_diff('<a/>'::xml, '<b/>', tree_costs(array_keys => '{/*/id}'));
\set VERBOSITY terse

-- numbers: as decimals, absolutely and relatively, by the tolerances of both
SELECT left(a::text, 30) AS a, left(b::text, 30) AS b, tree_edit_distance(a, b, tree_costs(tolerance => 0.1)) AS absolute, tree_edit_distance(a, b, tree_costs(relative_tolerance => 0.1)) AS relative
FROM (VALUES ('[1]'::jsonb, '[1.1]'::jsonb), ('[1]', '[1.10000000000000000001]'), ('[0.3]', '[0.4]'), ('[100]', '[90]'), ('[100]', '[89.9]'), ('[0]', '[1e-320]'), ('[0]', '[1e-400]'), ('[-1]', '[-1.05]'),
	('[-0.04]', '[0.05]'), ('[12345678901234567890.1]', '[12345678901234567890.2]'), ('["1"]', '["1.05"]'), ('[1e308]', '[-1e308]'), ('[1.0]', '[1]')) v(a, b);
SELECT tree_edit_distance('<a w="100">3.5</a>'::xml, '<a w="101">3.6</a>', m), tree_edit_distance('{"a": 1, "b": 1}'::jsonb, '{"a": 1.5, "b": 1.5}', m)
FROM (VALUES (tree_costs(tolerance => 1)), (tree_costs(rules => '[{"pattern": "a", "tolerance": 1}, {"pattern": "@w", "tolerance": 1}]')), (tree_costs(tolerance => 1, numbers => 'relative', rules => '[{"pattern": "b", "tolerance": 0.1}]')),
	(tree_costs(tolerance => 0.1, rules => '[{"pattern": "number()", "rename": "never"}]'))) v(m);
-- nearness has no chains
SELECT tree_edit_distance(a, b, m), tree_within(a, b, 0, m), tree_edit_distance_lower_bound(a::tree, b::tree, m) FROM (VALUES ('[1]'::jsonb, '[1.4]'::jsonb), ('[1.4]', '[1.8]'), ('[1]', '[1.8]')) v(a, b), tree_costs(tolerance => 0.5) m;
CREATE TEMP TABLE near (id bigint, doc tree);
INSERT INTO near SELECT i, format('{r{k%s}{%s}}', i % 7, i * 0.3)::tree FROM generate_series(1, 60) i;
CREATE INDEX ON near USING gist (doc);
SELECT count(*), count(*) FILTER (WHERE abs(a.id - b.id) <= 1) FROM near a JOIN near b ON a.id < b.id AND tree_within(a.doc, b.doc, 1, tree_costs(tolerance => 0.5));
SELECT cardinality(tree_within_pairs(id, doc, 1, tree_costs(tolerance => 0.5))) FROM near;
SELECT count(*) FROM near a JOIN near b ON a.id < b.id AND tree_edit_distance(a.doc, b.doc, tree_costs(tolerance => 0.5)) + 0 <= 1;
SET enable_seqscan = off;
SELECT array_agg(id ORDER BY id) FROM near WHERE tree_within(doc, '{r{k3}{3}}', 0, tree_costs(tolerance => 0.5));
RESET enable_seqscan;
SELECT id, tree_edit_distance(doc, '{r{k3}{3}}', tree_costs(tolerance => 0.5)) FROM near ORDER BY 2, 1 LIMIT 3;
\pset format unaligned
\pset tuples_only
SELECT tree_diff('[1.0, 2.0, 3.0]'::jsonb, '[9, 1.01, 2.01, 3.01]', tree_costs(tolerance => 0.1));
SELECT tree_diff('[{"id": 1.0, "v": 2.0}, {"id": 5, "v": 7.0}]'::jsonb, '[{"id": 3, "v": 2.01}, {"id": 1.01, "v": 2.01}, {"id": 5.01, "v": 7.02}]', tree_costs(tolerance => 0.1));
SELECT tree_diff('{"lenght": 5.0, "b": 7}'::jsonb, '{"length": 5.01, "b": 8}', tree_costs(tolerance => 0.1));
SELECT tree_diff('[1.0, 1.1]'::jsonb, '[1.2, 1.1]', tree_costs(tolerance => 0.1, arrays => 'unordered')) = '', json_edit_distance('[1.0, 1.1]'::jsonb, '[1.2, 1.1]', tree_costs(tolerance => 0.1, arrays => 'unordered'));
SELECT xml_patch('<r><a x="1.0">1.0</a><a>2.0</a></r>'::xml, '<r><a>7</a><a x="1.02">1.01</a><a>2.02</a></r>', tree_costs(tolerance => 0.1));
SELECT tree_diff_summary(a, b, m), (tree_edit_counts(a, b, m)).*, json_patch(a, b, m)
FROM (VALUES ('{"a": 1.0, "b": 2, "at": "2026-01-01T10:00", "v": "2.1"}'::jsonb, '{"a": 1.05, "b": 3, "at": "2027-01-01", "v": null}'::jsonb, tree_costs(tolerance => 0.1, ignore_values => ARRAY['^\d{4}-\d\d']))) v(a, b, m);

-- values that match: of JSON without quotes and escapes, of XML, and by place
SELECT tree_edit_distance(a, b, m), tree_diff(a, b, m) = '' FROM (VALUES ('{"a": "x\"1", "b": [1, "q"]}'::jsonb, '{"a": "x\"2", "b": [1, "q"]}'::jsonb, tree_costs(ignore_values => ARRAY['^x"'])),
	('{"a": "x\"1", "b": [1, "q"]}', '{"a": "x\"2", "b": ["q"]}', tree_costs(ignore_values => ARRAY['^x', '^\d$'])),
	('{"a": "x", "b": "x"}', '{"a": "xx", "b": "xx"}', tree_costs(rules => '[{"pattern": "a", "matches": "^x+$", "ignore": true}]')),
	('{"a": {"x": 1}}', '{"a": {"y": 1}}', tree_costs(rules => '[{"pattern": "*", "matches": "x", "ignore": true}]'))) v(a, b, m);
SELECT tree_diff('<r at="2026-01-01"><t>2026-01-01</t><u>2026-01-01</u></r>'::xml, '<r at="2027-01-01"><t>2027-01-01</t><u>2027-01-01</u></r>', m), xml_patch('<r at="2026-01-01"><t>2026-01-01</t><u>2026-01-01</u></r>'::xml, '<r at="2027-01-01"><t>2027-01-01</t><u>2027-01-01</u></r>', m)
FROM (VALUES (tree_costs(ignore_values => '{^2}')), (tree_costs(rules => '[{"pattern": "@at", "matches": "^2", "ignore": true}, {"pattern": "/r/t", "matches": "-", "ignore": true}]'))) v(m);
SELECT tree_diff('["2026", "a"]'::json, '["2027", "b", "2028"]', tree_costs(ignore_values => '{^2}'), show_ignored => true);

-- elements with a key, and children without an order
SELECT tree_diff(a, b, m), json_patch(a, b, m), json_patch_apply(a, json_patch(a, b, m)), json_edit_distance(a, b, m), (tree_edit_counts(a, b, m)).*
FROM (VALUES ('{"items": [{"id": 1, "v": "a"}, {"id": 2, "v": "b"}, {"id": 3, "v": "c", "w": 1}], "l": [1, 2]}'::jsonb, '{"items": [{"id": 3, "v": "x", "w": 9}, {"id": 1, "v": "a"}, {"id": 4, "v": "b"}], "l": [2, 1]}'::jsonb)) v(a, b),
	(VALUES (tree_costs(array_keys => '{/items/*/id}')), (tree_costs(array_keys => '{//*/id}', unordered => '{l}'))) w(m);
SELECT operation, left_pointer, right_pointer FROM json_edit_mapping('[{"id": 1, "v": "a"}, {"id": 2, "v": "b"}]', '[{"id": 2, "v": "a"}, {"id": 1, "v": "b"}]', tree_costs(array_keys => '{/*/id}')) WHERE operation <> 'match' OR left_pointer ~ '^/\d$';
SELECT tree_diff('[{"k": {"x": 1}, "v": 1}, {"k": {"x": 2}, "v": 1}, {"v": 5}, 7]'::jsonb, '[7, {"k": {"x": 2}, "v": 1}, {"v": 5}, {"k": {"x": 1}, "v": 2}]', tree_costs(array_keys => '{/*/k}'));
SELECT tree_diff('<r z="1"><tags q="1"><t>a</t><t>b</t><u/></tags></r>'::xml, '<r><tags q="1" w="2"><u/><t>c</t><t>b</t><t>a</t></tags></r>', tree_costs(unordered => '{tags}'));
SELECT xml_patch(a, b, m), xml_patch_apply(a, xml_patch(a, b, m))
FROM (VALUES (E'<r z="1"><tags q="1">\n <t>a</t>\n <t>b</t>\n <u/>\n</tags></r>'::xml, '<r><tags q="1" w="2"><u/><t>c</t><t>b</t>  <t>a</t></tags></r>'::xml)) v(a, b), (VALUES (tree_costs(unordered => '{tags}')), (tree_costs(unordered => '{*}'))) w(m);
SELECT tree_diff('<r>x <b/> <i/></r>'::xml, '<r>x <i/> <b/></r>', tree_costs(unordered => '{r}')), (tree_edit_counts('<r><b/><i/></r>'::xml, '<r><i/><b/></r>', tree_costs(unordered => '{r}'))).*;
SELECT tree_diff('{"a": [1, 2, 3]}'::jsonb, '{"a": [3, 1, 4]}', tree_costs(unordered => '{a}')), json_edit_distance('{"a": [1, 2, 3], "b": [1, 2]}'::jsonb, '{"a": [3, 1, 4], "b": [2, 1]}', tree_costs(unordered => '{a}'));
