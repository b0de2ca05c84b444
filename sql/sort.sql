-- Children whose order has no meaning, in one that depends on them alone

-- all children; those of sorted subtrees are compared as trees are
SELECT t, tree_sort(t), tree_sort(tree_sort(t)) = tree_sort(t) AS again
FROM unnest('{"{a}","{b{c}{a}}","{r{b{y}{x}}{a}{b{x}}{b}{b{x}{z}}}","{r{é}{z}{}{\"a b\"}}","{r{c{z}}{b{a}{z}}{b{z}{a}}}"}'::tree[]) AS t;

-- trees that differ in the order of children only are one
SELECT count(DISTINCT tree_sort(t)) FROM unnest('{"{a{b{c}{d}}{e}}","{a{e}{b{c}{d}}}","{a{e}{b{d}{c}}}"}'::tree[]) AS t;

-- elements of arrays, of json and jsonb alike; members are sorted by their keys in any case
SELECT doc, tree_from_json(doc::json, sort_arrays => true),
       tree_from_json(doc::json, sort_arrays => true) = tree_from_json(doc::jsonb, sort_arrays => true) AS equal
FROM unnest(ARRAY['[3, 1, [2, 1], "a", {"b": [2, 1], "a": []}, [1, 2], 10]', '{"x": [true, null, 1]}', '7', '["[]", "{}"]']) AS doc;
SELECT tree_from_json(json '{"b": [{"y": 1, "x": 2}, 1], "a": [2, 1]}', sort_keys => false, sort_arrays => true),
       tree_from_json(json '["B", "a"]', fold_case => true, sort_arrays => true),
       tree_from_json(json '[2, "x", 1, [3]]', content => 'structure', sort_arrays => true),
       tree_from_json(jsonb '{"a": [3, 2, {"id": 1, "n": 0}], "b": 1}', exclude_paths => '{//id,/b}', sort_arrays => true)::jsonb;

-- equal multisets of tags are equal
SELECT tree_from_json('{"tags": ["x", "y", "x"]}'::jsonb, sort_arrays => true) = tree_from_json('{"tags": ["y", "x", "x"]}'::jsonb, sort_arrays => true) AS equal,
       tree_from_json('{"tags": ["x", "y", "x"]}'::jsonb, sort_arrays => true) = tree_from_json('{"tags": ["y", "x"]}'::jsonb, sort_arrays => true) AS different;

-- children of elements by paths; attributes stay in front
SELECT paths, tree_from_xml('<a z="1" b="2"><t k="1">2<b/><a/>1</t><u><d/><c/></u><t>x</t></a>', unordered => paths)
FROM (VALUES ('{}'::text[]), ('{//t}'), ('{/a}'), ('{/a,//t}'), ('{//*}'), ('{/a/u,/b}'), ('{//@k}')) AS v(paths);
SELECT tree_from_xml('<a z="1"><y/><x/></a>', attributes => 'node', unordered => '{/a}'),
       tree_from_xml('<a z="1"><y/><x/></a>', attributes => 'ignore', unordered => '{/a}'),
       tree_from_xml('<a><y/><x/><b><d/><c/></b></a>', exclude_paths => '{//x,/b/c}', unordered => '{//b}'),
       tree_from_xml('<y><b/><a/></y><x/>', fragment_root => 'r', unordered => '{/y}'),
       tree_from_xml('<a z="1"><Y/>b<x/></a>', fold_case => true, unordered => '{/a}')::xml;
SELECT tree_from_xml('<a><tags><tag>x</tag><tag>y</tag></tags></a>', unordered => '{//tags}') =
       tree_from_xml('<a><tags><tag>y</tag><tag>x</tag></tags></a>', unordered => '{//tags}') AS equal;
SELECT tree_from_xml('<a/>', unordered => '{a/b}');
SELECT tree_from_xml('<a/>', unordered => '{NULL}');
SELECT tree_sort(NULL), tree_from_xml('<a/>', unordered => NULL), tree_from_json('[]'::json, sort_arrays => NULL);

-- deep and wide trees
SELECT tree_size(tree_sort(('{a{c}' || repeat('{b{c}', 100000) || repeat('}', 100000) || '}')::tree));
SELECT tree_sort(('{r' || string_agg('{' || n * 7919 % 100003 || '}', '' ORDER BY n) || '}')::tree) =
       ('{r' || string_agg('{' || n * 7919 % 100003 || '}', '' ORDER BY (n * 7919 % 100003)::text COLLATE "C") || '}')::tree AS sorted
FROM generate_series(1, 50000) AS n;
SELECT tree_sort(t) = tree_sort(u) AS equal
FROM (SELECT ('{r' || string_agg(repeat('{a{b}', n % 50) || '{' || n || '}' || repeat('}', n % 50), '' ORDER BY n) || '}')::tree AS t,
             ('{r' || string_agg(repeat('{a', n % 50) || '{' || n || '}' || repeat('{b}}', n % 50), '' ORDER BY md5(n::text)) || '}')::tree AS u
      FROM generate_series(1, 2000) AS n) AS trees;
SET ted.max_memory = '1MB';
SELECT tree_sort(('{r' || repeat('{a}', 100000) || '}')::tree);
RESET ted.max_memory;
