-- What a user asserts about trees, distances and joins.
BEGIN;
SELECT plan(28);

-- trees
SELECT is('{a{b}{c}}'::tree::text, '{a{b}{c}}', 'a tree is written as it is read');
SELECT is(tree_size('{a{b}{c}}'), 3, 'a tree has as many nodes as pairs of brackets');
SELECT throws_ok($$SELECT '{a'::tree$$, '22P02', NULL, 'unbalanced brackets are invalid text');
SELECT is('<a b="1">c</a>'::xml::tree::text, '{a{@b{1}}{c}}', 'attributes and text are nodes');
SELECT is('{"a": [1, null]}'::jsonb::tree::text, '{\{\}{"a":{[]{1}{null}}}}', 'keys and literals are nodes');

SELECT is(tree_from_json('{"id": 7, "m": {"id": 8, "n": 9}}'::jsonb, include_paths => '{/m/id}')::text,
          '{\{\}{"m":{\{\}{"id":{8}}}}}', 'a part of a document is included with what is above it');
SELECT throws_ok($$SELECT tree_from_xml('<a/>', include_paths => '{/b}')$$, '2200L', NULL,
                 'a document of which nothing is left makes no tree');
SELECT is(tree_from_xml('<a/>', include_paths => '{/b}', on_error => 'null'), NULL, 'or NULL, if that is asked for');

-- distances
SELECT is(tree_edit_distance('{a{b}}', '{a}'), 1, 'deleting one node costs 1');
SELECT is(tree_edit_distance('{a{b}}', '{a}', tree_costs(2, 3, 1)), 3::float8, 'a deletion costs what is given');
SELECT throws_ok($$SELECT tree_costs(-1)$$, '22023', NULL,
                 'a negative cost is an invalid parameter');
SELECT throws_ok($$SELECT tree_within('{a}', '{b}', 0.9)$$, '22023', NULL, 'a number of operations has no fraction');
SELECT throws_ok($$SELECT tree_similar('{a}', '{b}', 90)$$, '22023', NULL, 'a similarity is between 0 and 1');
SELECT is(tree_edit_distance('{"a": 1, "b": 2}'::json::tree, '{"b": 2, "a": 1}'::jsonb::tree), 0,
          'the order of keys does not matter, json and jsonb are the same');
SELECT is(tree_edit_distance('<a><b/></a>'::xml, '<a> <b></b>  <!-- c --></a>'::xml), 0,
          'neither white space nor comments matter');
SELECT is(lcs_length('kitten', 'sitting'), 4, 'ittn');
SELECT is(scs_length('kitten', 'sitting'), 9, '6 + 7 - 4');

-- differences, as an assertion shows them
CREATE FUNCTION pg_temp.is_near(have jsonb, want jsonb, max_distance integer, name text) RETURNS text
LANGUAGE plpgsql AS $$
BEGIN
	RETURN ok(tree_within(have::tree, want::tree, max_distance), name)
		|| CASE WHEN tree_within(have::tree, want::tree, max_distance) THEN ''
		        ELSE E'\n' || diag(tree_diff(want, have)) END;
END $$;
SELECT pg_temp.is_near('{"a": 1, "b": 3}', '{"a": 1, "b": 2}', 1, 'one value differs');
SELECT * FROM check_test(pg_temp.is_near('[1, 2]', '[1]', 0, 'it is longer'), false, 'is_near() fails', 'it is longer',
                         E'  [\n    1,\n+   2\n  ]');

-- tables
CREATE TEMP TABLE docs (id int, doc tree PRIMARY KEY);
SELECT lives_ok($$INSERT INTO docs VALUES (1, '{a{b}}'), (2, '{a{c}}'), (3, '{x{y{z}}}')$$,
                'trees are a primary key');
SELECT throws_ok($$INSERT INTO docs VALUES (4, '{a{b}}')$$, '23505', NULL, 'equal trees are duplicates');
SELECT lives_ok('CREATE INDEX ON docs USING gist (doc)', 'trees have an index of their own');
SELECT results_eq($$SELECT id FROM docs ORDER BY doc <-> '{x{y}}' LIMIT 1$$, '{3}'::int[],
                  'the nearest tree comes first');

-- joins
SELECT results_eq(
  $$SELECT m.* FROM (SELECT tree_within_pairs(id, doc, 1) AS found FROM docs) j, unnest(found) m$$,
  $$VALUES (1::bigint, 2::bigint, 1)$$, 'the join finds the pairs within the distance');
SELECT results_eq(
  $$SELECT m.* FROM (SELECT tree_within_pairs(id, doc, 1, tree_costs '{"rename": 0.5}') AS found FROM docs) j, unnest(found) m$$,
  $$VALUES (1::bigint, 2::bigint, 0.5::float8)$$, 'the join by a model of costs finds the pairs within the cost');
SELECT results_eq(
  $$SELECT m.* FROM (SELECT lcs_similar_pairs(id, doc, 0.75) AS found
                     FROM (VALUES (1, 'tree'), (2, 'trie'), (3, 'graph'), (4, NULL)) v(id, doc)) j, unnest(found) m$$,
  $$VALUES (1::bigint, 2::bigint, 0.75::float8)$$, 'the join of strings finds the pairs that are as similar');

SELECT * FROM finish();
ROLLBACK;
