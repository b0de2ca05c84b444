-- Models of costs
\set VERBOSITY default
SELECT tree_costs();
SELECT tree_costs(insert => 2, delete => 0.5, rename => 0.125, texts => 'lcs', numbers => 'relative', ignore => '{@id,"x*"}',
	rules => '[{"pattern": "attribute()", "insert": 0.25, "delete": 0.25, "rename": 0.25}, {"pattern": "b", "rename": "never"}]');
-- one text for each model: rules in order, numbers without zeros, members that say nothing left out
SELECT m, m::text::tree_costs = m AS again FROM (VALUES
	('{}'::tree_costs), ('{"rename": 1.000, "texts": "exact", "rules": []}'), ('{"insert": 1e-1, "delete": 100000}'),
	('{"rules": [{"pattern": "b"}, {"pattern": "c*", "insert": 2}, {"pattern": "text()", "rename": null, "delete": 1}, {"pattern": "bb*", "insert": 1}, {"pattern": "a", "ignore": false}]}'),
	('{"rules": [{"pattern": "*", "insert": 2, "rename": "never", "texts": "lcs"}, {"pattern": "\\*", "insert": 1}, {"pattern": "f\\(\\)", "insert": 1}, {"pattern": "\\\\n", "insert": 1}, {"pattern": "\"é\":", "insert": 1}]}')) v(m);
SELECT m, count(*) FROM (VALUES ('{}'::tree_costs), ('{"insert": 1}'), ('{"insert": 2}'), (tree_costs(2))) v(m) GROUP BY m ORDER BY m::text;
SELECT tree_costs() = '{}', tree_costs() <> '{"delete": 2}', tree_costs('{"insert": 3}'), tree_costs(NULL::float8) IS NULL AS "null";
-- from rows
SELECT tree_costs_agg(pattern, insert, delete, rename) FROM (VALUES ('*', 2, 2, NULL), ('b', 1, NULL, 0.5), ('none', NULL, NULL, NULL)) v(pattern, insert, delete, rename);
SELECT tree_costs_agg(pattern, insert, delete, rename) FROM (VALUES ('a', 1, 1, 1)) v(pattern, insert, delete, rename) WHERE insert > 1;
SELECT tree_costs(texts => 'levenshtein', rules => (SELECT jsonb_agg(to_jsonb(v)) FROM (VALUES ('b', 0.5, NULL::numeric), ('c', NULL, 2)) v(pattern, insert, delete)));
-- symmetric: insertions cost what deletions do
SELECT m, tree_costs_symmetric(m) FROM (VALUES (tree_costs()), (tree_costs(insert => 2)), (tree_costs(2, 2)),
	('{"rules": [{"pattern": "a", "insert": 2, "delete": 2}]}'), ('{"rules": [{"pattern": "a", "insert": 2}]}')) v(m);

-- what is refused
SELECT tree_costs(insert => -1);
SELECT tree_costs(delete => 'NaN');
SELECT tree_costs(rename => 'Infinity');
SELECT tree_costs(rename => 100001);
SELECT tree_costs(rename => 0.0005);
SELECT tree_costs(texts => 'soundex');
SELECT tree_costs(numbers => '');
SELECT tree_costs(ignore => '{a,NULL}');
SELECT tree_costs(ignore => '{*}');
SELECT tree_costs(ignore => '{b}', rules => '[{"pattern": "b", "insert": 2}]');
SELECT tree_costs(rules => '{}');
SELECT tree_costs(rules => '[1]');
SELECT tree_costs(rules => '[[]]');
SELECT tree_costs(rules => '1');
SELECT tree_costs(rules => '[{"insert": 1}]');
SELECT tree_costs(rules => '[{"pattern": null, "insert": 1}]');
SELECT tree_costs(rules => '[{"pattern": "a", "insert": -0.5}]');
SELECT tree_costs(rules => '[{"pattern": "a", "insert": "never"}]');
SELECT tree_costs(rules => '[{"pattern": "a", "rename": "often"}]');
SELECT tree_costs(rules => '[{"pattern": "a", "ignore": 1}]');
SELECT tree_costs(rules => '[{"pattern": "a", "texts": 1}]');
SELECT tree_costs(rules => '[{"pattern": "a", "cost": 1}]');
SELECT tree_costs(rules => '[{"pattern": "leaf()", "insert": 1}]');
SELECT tree_costs(rules => '[{"pattern": "a\\", "insert": 1}]');
SELECT '{"insert": 1'::tree_costs;
SELECT '3'::tree_costs;
SELECT '{"rules": 3}'::tree_costs;
SELECT '{"ignore": true}'::tree_costs;
SELECT '{"insert": null}'::tree_costs;
SELECT '{"arrays": "bag"}'::tree_costs;
SELECT '{"arrays": true}'::tree_costs;
SELECT tree_costs_agg(NULL, 1, 1, 1);
SELECT tree_costs_agg(p, 1, 1, 1) FROM unnest('{a,b,a}'::text[]) p;
-- what is told
SELECT tree_costs(rename => 2.001);
SELECT tree_costs(rules => '[{"pattern": "text()", "insert": 0.25, "delete": 0.5}]');
\set VERBOSITY terse

-- distances
SELECT tree_edit_distance(a, b, '{}') AS unit, tree_edit_distance(a, b, tree_costs(2, 3, 0.5)) AS costs, tree_edit_distance(a, b, tree_costs(2, 3, 1)) AS three,
	tree_edit_distance(a, b, '{"rules": [{"pattern": "b", "delete": 0.25}]}') AS by_label
FROM (VALUES ('{a{b}{c}}'::tree, '{a{b}{d}}'::tree), ('{a{b}}', '{a}'), ('{a}', '{a{b}}'), ('{a{b{c}}}', '{x{c}}')) v(a, b);
-- kinds of nodes, and the most specific of several rules
CREATE FUNCTION removed(a tree, b tree, rules jsonb) RETURNS float8 RETURN tree_edit_distance(a, b, tree_costs(rules => rules));
SELECT kind, removed('<a x="1"><b/>text</a>'::xml::tree, '{a}', jsonb_build_array(jsonb_build_object('pattern', kind || '()', 'delete', 0.125))) AS xml,
	removed('{"k": ["s", 1, true, null], "l": {}}'::jsonb::tree, '{\{\}}', jsonb_build_array(jsonb_build_object('pattern', kind || '()', 'delete', 0.125))) AS json
FROM unnest('{element,attribute,value,text,object,array,key,string,number,boolean,"null"}'::text[]) kind;
SELECT removed('{a{price}}', '{a}', r) FROM (VALUES ('[{"pattern": "*", "delete": 0.5}]'::jsonb),
	('[{"pattern": "*", "delete": 0.5}, {"pattern": "text()", "delete": 0.25}]'), ('[{"pattern": "p*", "delete": 0.125}, {"pattern": "text()", "delete": 0.25}]'),
	('[{"pattern": "pr*", "delete": 0.625}, {"pattern": "p*", "delete": 0.125}]'), ('[{"pattern": "price", "delete": 0.75}, {"pattern": "pr*", "delete": 0.625}]'),
	('[{"pattern": "price", "insert": 0.75}, {"pattern": "pr*", "delete": 0.625}]')) v(r);
-- labels ignored, with all that is below them; labels that are never renamed
SELECT tree_edit_distance('<a id="1" x="2"><b/></a>'::xml, '<a id="2" x="3"><b/></a>', tree_costs(ignore => '{@id}'));
SELECT tree_edit_distance('{"at": [1, 2, {"x": 3}], "n": 1}'::jsonb, '{"n": 1}', tree_costs(ignore => '{"\"at\":"}'));
SELECT tree_edit_distance('{a{b{c}}{d}}', '{a{c}{d}}', '{"rules": [{"pattern": "b", "insert": 0, "delete": 0, "rename": "never"}]}');
SELECT tree_edit_distance('{a{b}}', '{a{c}}', '{"rules": [{"pattern": "b", "rename": "never"}]}'), tree_edit_distance('{a{b}}', '{a{b}}', '{"rules": [{"pattern": "b", "rename": "never"}]}');
-- of two labels that are renamed, the dearer one counts
SELECT tree_edit_distance('{b}', '{c}', m), tree_edit_distance('{c}', '{b}', m) FROM tree_costs(rules => '[{"pattern": "b", "rename": 0.25}]') m;
-- labels spelt alike are alike, whatever nodes have them
SELECT tree_edit_distance('{a{b}}', '{a{b{b}}}', '{"rules": [{"pattern": "text()", "insert": 0.25}]}');
-- texts
SELECT a, b, tree_edit_distance(a, b, tree_costs(texts => 'lcs')) AS lcs, tree_edit_distance(a, b, tree_costs(texts => 'levenshtein')) AS levenshtein
FROM (VALUES ('{kitten}'::tree, '{sitting}'::tree), ('{kitten}', '{kitten}'), ('{}', '{abc}'), ('{abc}', '{xyz}'), ('{字幕}', '{字模}'), ('{a{kitten}}', '{b{sitting}}')) v(a, b);
SELECT tree_edit_distance('["abc"]'::jsonb, '["abd"]', m), tree_edit_distance('<a x="abc"/>'::xml, '<a x="abd"/>', m), tree_edit_distance('{"abc": 1}'::json, '{"abd": 1}', m)
FROM tree_costs(texts => 'levenshtein', rules => '[{"pattern": "key()", "texts": "lcs"}]') m;
SELECT tree_edit_distance(format('{%s}', repeat('a', 1000) || 'x')::tree, format('{%s}', repeat('a', 1001))::tree, tree_costs(texts => m)) FROM unnest('{lcs,levenshtein}'::text[]) m;
-- a label that is a string below an array, and a text elsewhere
SELECT tree_edit_distance(a, b, m), tree_edit_distance(b, a, m)
FROM (VALUES ('{"abcd"{"abcd"}{"abcd"}}'::tree, '{[]{[]}{"abcd"}{"abxd"}{x}}'::tree)) v(a, b), tree_costs(texts => 'lcs') m;
-- numbers
SELECT left(a::text, 8) AS a, left(b::text, 8) AS b, tree_edit_distance(a, b, tree_costs(numbers => 'relative')) AS numbers, tree_edit_distance(a, b, tree_costs(numbers => 'relative', texts => 'levenshtein')) AS both
FROM (VALUES ('[10]'::jsonb, '[9]'::jsonb), ('[0]', '[1]'), ('[-1]', '[1]'), ('[1.0]', '[1]'), ('[1e300]', '[1e-300]'), ('["10"]', '["11"]'), ('[10]', '["10"]'), ('[1e400]', '[1e500]')) v(a, b);
SELECT tree_edit_distance('<a w="100">3.5</a>'::xml, '<a w="101">7</a>', tree_costs(numbers => 'relative')), tree_edit_distance('<a>7 kg</a>'::xml, '<a>8 kg</a>', tree_costs(numbers => 'relative'));

-- thresholds
SELECT k, tree_edit_distance_less_equal('{a{b}{c}}', '{a{x}{y}{z}}', k, m) <= k AS less_equal, tree_within('{a{b}{c}}', '{a{x}{y}{z}}', k, m) AS within
FROM tree_costs(rename => 0.3) m, unnest('{0,0.7,1.5999999999999999,1.6,1.7,2,Infinity,NaN}'::float8[]) k;
SELECT tree_within('{a}', '{b}', -0.5, '{}');
SELECT tree_edit_distance_less_equal('{a}', '{b}', '-Infinity', '{}');
SELECT tree_similarity(a, b, m), tree_normalized_distance(a, b, m), tree_similar(a, b, 0.5, m), tree_similar(a, b, 0.51, m), tree_similar(a, b, 0, m)
FROM (VALUES ('{a{b}}'::tree, '{a{c}}'::tree, '{"rules": [{"pattern": "c", "insert": 3}]}'::tree_costs), ('{a{b}}', '{a{c}}', '{}'), ('{a}', '{a}', '{}'),
	('{a}', '{b}', tree_costs(ignore => '{a,b}'))) v(a, b, m);
-- one and many, bounds
SELECT tree_edit_distances('{a{b}}', '{{"{a{b}}",NULL},{"{a{c}}","{a}"}}', tree_costs(rename => 0.5)), tree_edit_distances('{a}', '{"{b}"}', '{"rename": 0.25}');
SELECT tree_edit_distance_lower_bound(a, b, m), tree_edit_distance(a, b, m), tree_edit_distance_approximate(a, b, m)
FROM (VALUES ('{a{b}{c}}'::tree, '{a{x}{y}{z}}'::tree)) v(a, b), tree_costs(rename => 0.5) m;

-- mappings, with the cost of each operation
SELECT * FROM tree_edit_mapping('{a{b}{kitten}}', '{a{x}{sitting}{y}}', tree_costs(texts => 'lcs'));
SELECT sum(cost), count(*) FROM tree_edit_mapping('<a x="1">b</a>'::xml::tree, '<a x="2">c</a>'::xml::tree, tree_costs(rename => 0.5), approximate => true);
SELECT operation, left_pointer, right_pointer FROM json_edit_mapping('{"a": 1, "b": 2}', '{"b": 1}', '{"rules": [{"pattern": "key()", "rename": "never"}]}');
SELECT operation, left_xpath, right_xpath FROM xml_edit_mapping('<a><b>x</b></a>', '<a><c>x</c></a>', '{"rules": [{"pattern": "b", "rename": "never"}]}') WHERE operation <> 'match';
SELECT (tree_edit_counts('{a{b}{c}}', '{a{d}}', m)).*, (tree_edit_counts('[1, 2]'::jsonb::tree, '[3]'::jsonb::tree, m)).deleted FROM tree_costs(rules => '[{"pattern": "b", "rename": "never"}]') m;
SELECT json_patch('{"a": 1, "b": 2}', '{"c": 1, "b": 2}'), json_patch('{"a": 1, "b": 2}', '{"c": 1, "b": 2}', tree_costs(rules => '[{"pattern": "key()", "rename": "never"}]'));
-- a patch of XML: labels are those of the conversion, whatever their namespace; values and texts are what they are
SELECT n, xml_patch(a, b, costs), xml_patch_apply(a, xml_patch(a, b, costs))::text = b::text AS applied
FROM (VALUES (1, '<r xmlns:q="u"><q:a q:k="1">one</q:a><q:a q:k="2">two</q:a></r>'::xml, '<r xmlns:q="u"><q:a q:k="2">one</q:a></r>'::xml, '{}'::tree_costs),
  (2, '<r xmlns:q="u"><q:a q:k="1">one</q:a><q:a q:k="2">two</q:a></r>', '<r xmlns:q="u"><q:a q:k="2">one</q:a></r>', '{"rules": [{"pattern": "two", "rename": 1.5}]}'),
  (3, '<r xmlns:q="u"><q:a q:k="1">one</q:a><q:a q:k="2">two</q:a></r>', '<r xmlns:q="u"><q:a q:k="2">one</q:a></r>', '{"rules": [{"pattern": "text()", "rename": 1.5}]}'),
  (4, '<l><i>red apples</i></l>', '<l><i>plums</i><i>red apple</i></l>', '{"texts": "levenshtein"}'),
  (5, '<l><i>red apples</i></l>', '<l><i>red apple</i><i>plums</i></l>', '{"texts": "levenshtein"}'),
  (6, '<r xmlns:q="u"><q:a>t</q:a><b>t</b></r>', '<r xmlns:q="u"><q:c>t</q:c></r>', '{"rules": [{"pattern": "a", "rename": 1.5}]}'),
  (7, '<r xmlns:q="u"><q:a>t</q:a><b>t</b></r>', '<r xmlns:q="u"><q:c>t</q:c></r>', '{"rules": [{"pattern": "b", "rename": 1.5}]}')) v(n, a, b, costs) ORDER BY n;
\pset format unaligned
\pset tuples_only
SELECT tree_diff(a, b), tree_diff(a, b, tree_costs(rules => '[{"pattern": "b", "rename": "never"}]')) FROM (VALUES ('{a{b}}'::tree, '{a{c}}'::tree)) v(a, b);
-- texts of XML are compared without their mark
SELECT tree_diff('<a><p>The quick fox</p><q>X</q></a>'::xml, '<a><p>X</p><q>The quick fux</q></a>', tree_costs(texts => 'levenshtein', rename => 2));
SELECT tree_diff('{"a": 1}'::json, '{"b": 1}', '{"rules": [{"pattern": "key()", "rename": "never"}]}'), length(tree_diff_html('{a}'::tree, '{b}', '{}')) > 0, tree_diff_svg('{a}'::tree, '{b}', '{}') = tree_diff_svg('{a}'::tree, '{b}');
-- nothing of what costs nothing is in differences, numbers of operations and patches
CREATE TEMP TABLE free (n int, a jsonb, b jsonb, m tree_costs);
INSERT INTO free VALUES
  (1, '{"id": 1, "v": "x", "t": [1, 2]}', '{"id": 2, "v": "x", "t": [1, 3]}', tree_costs(ignore => '{"\"id\":"}')),
  (2, '{"id": 1, "v": "x"}', '{"id": 2, "at": "now", "v": "x"}', tree_costs(ignore => '{"\"id\":","\"at\":"}')),
  (3, '[1, "a", 2, "b", 3]', '["q", 1, 2, 4, "x"]', tree_costs(ignore => '{string()}')),
  (4, '{"id": 1, "v": "x"}', '{"id": 2, "w": "y"}', tree_costs(ignore => '{"\"id\":"}')),
  (5, '{"v": "x"}', '{"v": 1}', tree_costs(ignore => '{string()}')),
  (6, '{"v": "x"}', '["v"]', tree_costs(ignore => '{object(),array()}')),
  (7, '[1, "a"]', '{"x": 1}', tree_costs(ignore => '{array()}')),
  (8, '{"a": [1]}', '{"a": 1, "b": null}', '{"rules": [{"pattern": "array()", "insert": 0, "delete": 0, "rename": "never"}]}'),
  (9, '{"a": 1}', '{"b": 2}', '{"rename": 0}'),
  (10, '[[1], 2]', '[1, 3]', '{"rules": [{"pattern": "array()", "insert": 0, "delete": 0, "rename": "never"}]}');
SELECT n, tree_edit_distance(a, b, m), tree_diff(a, b, m), c.matched, c.renamed, c.deleted, c.inserted, c.moved,
       json_patch(a, b, m), json_patch_apply(a, json_patch(a, b, m)),
       tree_edit_distance(json_patch_apply(a, json_patch(a, b, m)), b, m)
FROM free, tree_edit_counts(a::tree, b::tree, m) c ORDER BY n;
SELECT n, tree_diff_summary(a, b, m), tree_diff_html(a, b, m) ~ 'class="r [^u]"',
       tree_diff_svg(a, b, m) ~ 'class="[dic]"' FROM free ORDER BY n;
SELECT tree_diff(a, b, m), xml_patch(a, b, m), xml_patch_apply(a, xml_patch(a, b, m))
FROM (VALUES
  ('<p id="1" class="x">a<b>c</b></p>'::xml, '<p id="2" class="y">a<b>c</b>d</p>'::xml, tree_costs(ignore => '{@id}')),
  ('<p id="1" class="x">a</p>', '<p id="2" class="x">a</p>', tree_costs(ignore => '{@id}')),
  ('<p><t>1</t><a/>x<t>2</t><b/></p>', '<p><a/>y<t>3</t><c/></p>', tree_costs(ignore => '{t}')),
  ('<p>x<a/>y</p>', '<p>z<t/>y<b/></p>', tree_costs(ignore => '{t,x}')),
  ('<t/>', '<p/>', tree_costs(ignore => '{t}')),
  ('<p><b>x</b></p>', '<p><i>x</i></p>', '{"rules": [{"pattern": "b", "delete": 0, "rename": "never"}, {"pattern": "i", "insert": 0}, {"pattern": "//*/text()", "insert": 1, "delete": 1, "rename": 1}]}'),
  ('<p>a<b>c</b></p>', '<p>d<i>c</i></p>', '{"rules": [{"pattern": "b", "delete": 0, "rename": "never"}, {"pattern": "i", "insert": 0}, {"pattern": "//*/text()", "insert": 1, "delete": 1, "rename": 1}]}')
) v(a, b, m);
\pset format aligned
\pset tuples_only off

-- a rule for all nodes is the model's; renaming at no cost is never graded; what counts as a number
SELECT m, tree_edit_distance('{"a": "kitten"}'::jsonb, '{"b": "mitten"}', m)
FROM unnest('{"{\"texts\": \"levenshtein\"}","{\"rules\": [{\"pattern\": \"*\", \"texts\": \"levenshtein\"}]}","{\"texts\": \"lcs\", \"rules\": [{\"pattern\": \"*\", \"texts\": \"exact\"}]}","{\"rules\": [{\"pattern\": \"key()\", \"texts\": \"levenshtein\"}]}"}'::tree_costs[]) m;
SELECT tree_edit_distance('{a{12}{xy}{1}}', '{a{99}{zz}{1.0}}', '{"numbers": "relative", "texts": "lcs", "rename": 0}') AS free,
       tree_edit_distance('{a{1}}', '{a{1.0}}', '{"numbers": "relative"}') AS least;
SELECT x, y, tree_edit_distance(xmlelement(name a, x), xmlelement(name a, y), '{"numbers": "relative"}') < 1 AS are_numbers
FROM (VALUES ('-1.5e3', '-1.4e3'), ('1e300', '2e300'), ('+12', '+13'), ('.5', '.6'), ('007', '008'), ('1,000', '1,001'), ('5 kg', '6 kg'), ('1e400', '2e400')) v(x, y);
SELECT m, tree_edit_distance('["12"]'::jsonb, '["13"]', m), tree_edit_distance('["12"]'::jsonb, '[13]', m), tree_edit_distance('[12]'::jsonb, '[13]', m)
FROM unnest('{"{\"numbers\": \"relative\"}","{\"numbers\": \"relative\", \"texts\": \"lcs\", \"rules\": [{\"pattern\": \"string()\", \"numbers\": \"relative\"}]}"}'::tree_costs[]) m;

-- nearest subtrees
SELECT rank, node, path, distance FROM tree_subtree_nearest('{b{c}}', '{r{b{c}}{i{b{c}}}{b{i}{d}}}', 9, 'Infinity', 0, tree_costs(ignore => '{i}'));
SELECT * FROM tree_subtree_nearest('{a{b}{kitten}}', '{r{a{b}{sitting}}{a{c}{kitten}}{a{b}{kitten}}{b}}', 3, 'Infinity', 0, tree_costs(texts => 'levenshtein', rename => 0.5));
SELECT * FROM tree_subtree_within('{a{b}{kitten}}', '{r{a{b}{sitting}}{a{c}{kitten}}{a{b}{kitten}}{b}}', 0.25, 0, tree_costs(texts => 'levenshtein', rename => 0.5));
SELECT node, distance FROM tree_subtree_nearest('<b>10</b>'::xml::tree, '<a><b>1</b><b>9</b></a>'::xml::tree, 1, 'NaN', 0, tree_costs(numbers => 'relative'));
SELECT count(*) FROM tree_subtree_nearest('{a}', '{b{a}}', 0, 1, 0, '{}');
SELECT count(*) FROM tree_subtree_nearest('{a}', '{b{a}}', -1, 1, 0, '{}');
SELECT count(*) FROM tree_subtree_within('{a}', '{b{a}}', -0.1, 0, '{}');
SELECT count(*) FROM tree_subtree_within('{a}', '{b{a}}', 1, 'NaN', '{}');
-- calls without a type, as drivers make them, mean what they meant
PREPARE untyped_subtrees AS SELECT rank, distance FROM tree_subtree_nearest($1, $2, $3, $4, $5);
EXECUTE untyped_subtrees('{a}', '{b{a}}', 1, 5, 0);
PREPARE untyped AS SELECT tree_edit_distance($1, $2), tree_edit_distance_less_equal($1, $2, $3), tree_within($1, $2, $3), tree_similar($1, $2, $4), tree_edit_distance($1, $2, $5);
EXECUTE untyped('{a}', '{b{a}}', 2, 0.5, tree_costs(2, 2, 2));
PREPARE untyped_mapping AS SELECT count(*) FROM tree_edit_mapping($1, $2, $3, $4);
EXECUTE untyped_mapping('{a}', '{b{a}}', tree_costs(1, 2, 3), false);
DEALLOCATE ALL;

-- too much
SET ted.max_memory = '1MB';
SELECT tree_edit_distance(t, t, '{"rules": [{"pattern": "b", "rename": 0.5}]}') FROM (SELECT ('{a' || repeat('{b}', 10000) || '}')::tree) v(t);
SELECT count(*) FROM tree_subtree_nearest('{a}', ('{a' || repeat('{b}', 10000) || '}')::tree, 1, 1, 0, '{"rename": 2}');
SELECT length(tree_costs(rules => jsonb_agg(jsonb_build_object('pattern', n::text, 'insert', 1)))::text) FROM generate_series(1, 50000) n;
SELECT length(tree_costs_agg(n::text, 1, 1, 1)::text) FROM generate_series(1, 50000) n;
RESET ted.max_memory;
SELECT tree_edit_distance(t, '{x}', '{"insert": 100000, "delete": 100000}') FROM (SELECT ('{a' || repeat('{b}', 10000) || '}')::tree) v(t);

-- a model from row to row, and others; models in tables
CREATE TABLE models (n int, m tree_costs);
INSERT INTO models VALUES (1, '{}'), (2, tree_costs(rename => 0.5)), (3, tree_costs(ignore => '{b}')), (4, NULL),
	(5, (SELECT tree_costs_agg(n::text, 1, 1, 0.125) FROM generate_series(1, 3000) n));
SELECT n, tree_edit_distance('{a{b}{1}}', '{a{c}{2}}', m) FROM models ORDER BY n;
SELECT a.n, b.n FROM models a JOIN models b USING (m) ORDER BY a.n;
SELECT tree_edit_distance(t, '{a{c}}', tree_costs(rename => 0.5)) FROM unnest('{"{a{b}}","{a{c}}","{d}"}'::tree[]) t;
COPY models TO '/dev/null' (FORMAT binary);
DROP TABLE models;
DROP FUNCTION removed;
-- what is kept from row to row changes nothing, whether or not memory allows it
CREATE FUNCTION one_distance(a tree, b tree, m tree_costs) RETURNS float8 LANGUAGE plpgsql AS
	$$ DECLARE d float8; BEGIN EXECUTE 'SELECT tree_edit_distance($1, $2, $3)' INTO d USING a, b, m; RETURN d; END $$;
CREATE TABLE kept AS SELECT i, format('{a{x%s}{@id{%s}}{"naïve %s"}%s}', repeat('y', i % 70), i, i * i, repeat('{n}', i % 5))::tree AS t FROM generate_series(1, 30) i;
CREATE TABLE kept_model (m tree_costs);
INSERT INTO kept_model VALUES ('{}'), ('{"texts": "levenshtein"}'), ('{"texts": "lcs", "numbers": "relative"}'), ('{"rules": [{"pattern": "@id", "ignore": true}, {"pattern": "n", "delete": 0.5}]}');
SELECT count(*) FROM kept_model, kept a, kept b WHERE tree_edit_distance(a.t, b.t, m) <> one_distance(a.t, b.t, m)
	OR tree_within(a.t, b.t, 2.5, m) <> (one_distance(a.t, b.t, m) <= 2.5) OR (tree_edit_distance_less_equal(a.t, b.t, 2, m) <= 2) <> (one_distance(a.t, b.t, m) <= 2)
	OR tree_similar(a.t, b.t, 0.75, m) <> (tree_similarity(a.t, b.t, m) >= 0.75);
SET ted.max_memory = '1MB';
SELECT count(*) FROM kept_model, kept a, kept b WHERE tree_edit_distance(a.t, b.t, m) <> one_distance(a.t, b.t, m);
RESET ted.max_memory;
DROP TABLE kept, kept_model;
-- the characters of many texts are forgotten and read again
CREATE TABLE wordy AS SELECT n, format('{%s}', string_agg(format('{%s}', repeat((1000 * n + i * 7)::text, 50)), ''))::tree AS t FROM generate_series(1, 100) i, generate_series(1, 2) n GROUP BY n;
SELECT tree_edit_distance(a.t, b.t, '{"texts": "levenshtein"}') FROM wordy a, wordy b WHERE a.n < b.n;
SET ted.max_memory = '1MB';
SELECT tree_edit_distance(a.t, b.t, '{"texts": "levenshtein"}') FROM wordy a, wordy b WHERE a.n < b.n;
RESET ted.max_memory;
DROP TABLE wordy;
DROP FUNCTION one_distance;

-- arrays without an order are for json_edit_distance() and json_edit_mapping() only
SELECT m, m::text::tree_costs = m AS again, tree_costs_symmetric(m) FROM (VALUES (tree_costs(arrays => 'unordered')), ('{"rename": 2, "arrays": "unordered"}'), ('{"arrays": "ordered"}')) v (m);
CREATE TABLE unordered AS SELECT '{a}'::tree AS t, tree_costs(arrays => 'unordered') AS m;
\set VERBOSITY default
SELECT tree_edit_distance(t, t, m) FROM unordered;
\echo :LAST_ERROR_SQLSTATE
\set VERBOSITY terse
SELECT tree_within(t, t, 1, m) FROM unordered;
SELECT tree_edit_distances(t, ARRAY[t], m) FROM unordered;
SELECT count(*) FROM unordered a JOIN unordered b ON tree_within(a.t, b.t, 1, '{"arrays": "unordered"}');
SELECT count(*) FROM unordered WHERE t <~ tree_range('{a}', 1, m);
SELECT tree_within_pairs(1, t, 1, m) FROM unordered;
SELECT s.* FROM unordered, tree_subtree_nearest(t, t, 1, 1, 0, m) s;
SELECT e.* FROM unordered, tree_edit_mapping(t, t, m) e;
SELECT e.* FROM unordered, xml_edit_mapping('<a/>', '<b/>', m) e;
SELECT json_patch('1', '2', m), tree_diff(t, t, m) FROM unordered;
\set VERBOSITY default
DROP TABLE unordered;

-- a threshold beyond all distances that can be computed: a rule that nothing meets changes the unit of costs, but no answer
SELECT rules, tree_similar(a, b, 0.5, c) AS similar
FROM (VALUES ('2'::jsonb, '[true, [[2, "t"], [true], {"a": 2, "z": "t"}]]'::jsonb)) d(a, b),
	(VALUES (1, '{"insert": 100000, "delete": 100000, "rename": 1, "rules": [{"pattern": "z", "insert": 2, "delete": 50000}]}'::tree_costs)) m(rules, c);
SELECT tree_similar('2'::jsonb, '[true, [[2, "t"], [true], {"a": 2, "z": "t"}]]', 0.5,
	'{"insert": 100000, "delete": 100000, "rename": 1, "rules": [{"pattern": "z", "insert": 2, "delete": 50000}, {"pattern": "zzzu", "insert": 0.001}]}');
SELECT tree_within('2'::jsonb, '[true, [[2, "t"], [true], {"a": 2, "z": "t"}]]', 536871,
	'{"insert": 100000, "delete": 100000, "rename": 1, "rules": [{"pattern": "z", "insert": 2, "delete": 50000}, {"pattern": "zzzu", "insert": 0.001}]}');
