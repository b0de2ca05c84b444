-- Edit mappings

SELECT * FROM tree_edit_mapping('{a{b}{c{d}}}', '{a{b}{c{d}}}');
SELECT * FROM tree_edit_mapping('{f{d{a}{c{b}}}{e}}', '{f{c{d{a}{b}}}{e}}');

-- paths tell siblings with equal labels apart, and escape what has a meaning in them
SELECT operation, left_path, right_path
FROM tree_edit_mapping('{a{b}{b{x}}{c}{b}}', '{a{b}{b{y/[1]}}{c}}');

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
