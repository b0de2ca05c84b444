-- What the extension offers, told as statements.
BEGIN;
SELECT plan(46);

SELECT has_type('tree');
SELECT has_type('tree_match');
SELECT has_type('string_match');
SELECT type_owner_is('tree', current_user);
SELECT has_operator('tree', '<->', 'tree', 'float8');
SELECT has_operator('tree', '<%>', 'tree', 'float8');
SELECT has_operator('tree', '<=>', 'tree', 'float8');
SELECT has_operator('tree', '=', 'tree', 'boolean');
SELECT has_opclass('tree_ops');
SELECT has_type('tree_range');
SELECT has_operator('tree', '<~', 'tree_range', 'boolean');
SELECT function_returns('tree_range', ARRAY['tree', 'integer'], 'tree_range');
SELECT has_cast('xml', 'tree');
SELECT has_cast('json', 'tree');
SELECT has_cast('jsonb', 'tree');
SELECT cast_context_is('jsonb', 'tree', 'explicit');
SELECT is_aggregate('tree_similarity_join', ARRAY['bigint', 'tree', 'integer']);
SELECT is_aggregate('tree_similarity_join', ARRAY['bigint', 'tree', 'integer', '"char"']);
SELECT is_aggregate('lcs_similarity_join', ARRAY['bigint', 'text', 'double precision']);
SELECT is_aggregate('lcs_similarity_join', ARRAY['bigint', 'text', 'double precision', '"char"']);
SELECT is_aggregate('tree_agg', ARRAY['bigint', 'bigint', 'text']);
SELECT function_returns('tree_edit_distance', ARRAY['tree', 'tree'], 'integer');
SELECT function_returns('tree_edit_distance', ARRAY['xml', 'xml'], 'integer');
SELECT function_returns('tree_within', ARRAY['tree', 'tree', 'integer'], 'boolean');
SELECT function_returns('tree_similar', ARRAY['tree', 'tree', 'double precision'], 'boolean');
SELECT function_returns('tree_similarity_range', ARRAY['tree', 'double precision'], 'tree_range');
SELECT function_returns('tree_edit_distances', ARRAY['tree', 'tree[]'], 'integer[]');
SELECT function_returns('lcs_lengths', ARRAY['text', 'text[]'], 'integer[]');
SELECT volatility_is('tree_edit_distance', ARRAY['tree', 'tree'], 'immutable');
SELECT is_strict('tree_edit_distance', ARRAY['tree', 'tree']);
SELECT has_table('ted_gpu_calibration');
SELECT function_returns('ted_gpu_calibrate', ARRAY[]::name[], 'ted_gpu_calibration');
SELECT volatility_is('ted_gpu_calibrate', ARRAY[]::name[], 'volatile');
SELECT volatility_is('ted_engine_info', ARRAY[]::name[], 'volatile');

-- the type
SELECT is('{a{b}{c}}'::tree::text, '{a{b}{c}}', 'a tree is written as it is read');
SELECT is(tree_size('{a{b}{c}}'), 3, 'a tree has as many nodes as brackets');
SELECT throws_ok($$SELECT '{a'::tree$$, '22P02', NULL, 'unbalanced brackets are invalid text');
SELECT throws_ok($$SELECT tree_edit_distance('{a}', '{b}', -1, 1, 1)$$, '22023', NULL,
                 'a negative cost is an invalid parameter');
SELECT throws_ok($$SELECT tree_edit_distance('{a}', '{b}', 2147483647, 1, 1)$$, '22003', NULL,
                 'an excessive cost is out of range');

-- distances
SELECT is(tree_edit_distance('{a{b}}', '{a}'), 1, 'deleting one node costs 1');
SELECT is(tree_edit_distance('{"a": 1, "b": 2}'::json::tree, '{"b": 2, "a": 1}'::jsonb::tree), 0,
          'the order of keys does not matter, json and jsonb are the same');
SELECT is(tree_edit_distance('<a><b/></a>'::xml, '<a> <b></b>  <!-- c --></a>'::xml), 0,
          'neither white space nor comments matter');
SELECT is(lcs_length('kitten', 'sitting'), 4, 'ittn');
SELECT is(scs_length('kitten', 'sitting'), 9, '6 + 7 - 4');

-- the join
SELECT results_eq(
  $$SELECT m.* FROM (SELECT tree_similarity_join(id, doc, 1) AS found
                     FROM (VALUES (1, '{a{b}}'::tree), (2, '{a{c}}'), (3, '{x{y{z}}}'), (4, NULL)) v(id, doc)) j, unnest(found) m$$,
  $$VALUES (1::bigint, 2::bigint, 1)$$, 'the join finds the pairs within the threshold');
SELECT results_eq(
  $$SELECT m.* FROM (SELECT lcs_similarity_join(id, doc, 0.75) AS found
                     FROM (VALUES (1, 'tree'), (2, 'trie'), (3, 'graph'), (4, NULL)) v(id, doc)) j, unnest(found) m$$,
  $$VALUES (1::bigint, 2::bigint, 0.75::float8)$$, 'the join of strings finds those that are as similar');

SELECT * FROM finish();
ROLLBACK;
