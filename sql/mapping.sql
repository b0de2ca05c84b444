-- Edit mappings

SELECT * FROM tree_edit_mapping('{a{b}{c{d}}}', '{a{b}{c{d}}}');
SELECT * FROM tree_edit_mapping('{f{d{a}{c{b}}}{e}}', '{f{c{d{a}{b}}}{e}}');

-- paths tell siblings with equal labels apart, and escape what has a meaning in them
SELECT operation, left_path, right_path
FROM tree_edit_mapping('{a{b}{b{x}}{c}{b}}', '{a{b}{b{y/[1]}}{c}}');

-- paths of JSON are JSON Pointers, those of other trees with its labels are not
SELECT operation, left_path, right_path
FROM tree_edit_mapping('{"items": [1, {"price": 2, "a/b~c": "x", "é\"": []}]}'::jsonb::tree, '{"items": [{"price": 3}]}'::jsonb::tree);
SELECT t, string_agg(left_path, ' ' ORDER BY left_node) FROM unnest(ARRAY['{\{\}{"b":{1}}}', '{\{\}{"b":{1}{2}}}', '{\{\}{"b":}{"a":}}',
	'{\{\}{"a":}{"a":}}', '{\{\}{b}}', '{[]{"a":{1}}}', '{[]{a{b}}}', '{"a":{1}}', '{1}', '{\{\}}']::tree[]) t, tree_edit_mapping(t, t) GROUP BY t::text, t;
SELECT path, distance FROM tree_subtree_nearest('{"price": 2}'::jsonb::tree, '{"items": [1, {"price": 2}, {"price": 3}]}'::jsonb::tree, 3);
-- a part that a search does not show is no JSON
SELECT path FROM tree_subtree_within('{5}', '{\{\}{"a":{5}}{"b":{x{5}}}}', 0);

-- ties: from the end, map before delete before insert
SELECT operation, left_node, right_node FROM tree_edit_mapping('{a{b}{b}}', '{a{b}}');
SELECT operation, left_node, right_node FROM tree_edit_mapping('{a{b}}', '{a{b}{b}}');

-- the cost of the operations is the distance
SELECT sum(CASE operation WHEN 'insert' THEN 3 WHEN 'delete' THEN 2 WHEN 'rename' THEN 4 ELSE 0 END) AS cost,
       tree_edit_distance('{a{b{c}}{d}{e}}', '{a{x}{d{c}}{f}}', tree_costs(3, 2, 4))
FROM tree_edit_mapping('{a{b{c}}{d}{e}}', '{a{x}{d{c}}{f}}', tree_costs(3, 2, 4));
SELECT * FROM tree_edit_mapping('{a}', '{b}', tree_costs(rename => 3));
SELECT * FROM tree_edit_mapping('{a}', NULL);
SELECT * FROM tree_edit_mapping('{a}', '{b}', tree_costs(delete => -1));

-- a pattern that selects nothing
SELECT count(*) FROM tree_edit_mapping('{a{b}}', '{a{c}}', '{"rules": [{"pattern": "z", "ignore": true}]}');
SELECT count(*) FROM json_edit_mapping('{"a": 1}', '{"a": 2}', tree_costs(ignore => '{z}'));
