-- The extension's objects and their properties that users rely on.
BEGIN;
SELECT plan(209);

SELECT has_extension('ted');
SELECT has_extension('ted_distributed');

-- types
SELECT has_type('tree');
SELECT type_owner_is('tree', current_user);
SELECT has_type('tree_range');
SELECT has_type('tree_costs');
SELECT has_type('tree_match');
SELECT has_type('tree_costs_match');
SELECT has_type('lcs_match');
SELECT has_cast('xml', 'tree');
SELECT has_cast('json', 'tree');
SELECT has_cast('jsonb', 'tree');
SELECT cast_context_is('xml', 'tree', 'assignment');
SELECT cast_context_is('json', 'tree', 'assignment');
SELECT cast_context_is('jsonb', 'tree', 'implicit');
SELECT has_cast('tree', t) FROM unnest('{xml,jsonb}'::name[]) t;
SELECT cast_context_is('tree', t, 'explicit') FROM unnest('{xml,jsonb}'::name[]) t;

-- operators
SELECT has_operator('tree', '<', 'tree', 'boolean');
SELECT has_operator('tree', '<=', 'tree', 'boolean');
SELECT has_operator('tree', '=', 'tree', 'boolean');
SELECT has_operator('tree', '<>', 'tree', 'boolean');
SELECT has_operator('tree', '>=', 'tree', 'boolean');
SELECT has_operator('tree', '>', 'tree', 'boolean');
SELECT has_operator('tree', '<->', 'tree', 'float8');
SELECT has_operator('tree', '<%>', 'tree', 'float8');
SELECT has_operator('tree', '<=>', 'tree', 'float8');
SELECT has_operator('tree', '<#>', 'tree', 'float8');
SELECT has_operator('tree', '<~', 'tree_range', 'boolean');
SELECT has_operator('tree_costs', '=', 'tree_costs', 'boolean');
SELECT has_operator('tree_costs', '<>', 'tree_costs', 'boolean');
SELECT has_operator('text', '<~>', 'text', 'float8');
SELECT has_operator('text', '<%>', 'text', 'float8');
SELECT has_operator('text', '<~', 'lcs_range', 'boolean');
SELECT has_operator('anyarray', '<~>', 'anyarray', 'float8');
SELECT function_returns('lcs_range', ARRAY['text', 'double precision'], 'lcs_range');

-- functions and aggregates
SELECT function_returns('tree_size', ARRAY['tree'], 'integer');
SELECT function_returns('tree_subtree', ARRAY['tree', 'integer'], 'tree');
SELECT function_returns('tree_edit_distance', ARRAY[t, t], 'integer') FROM unnest('{tree,xml,json,jsonb}'::name[]) t;
SELECT function_returns('teds', ARRAY['text', 'text', 'boolean'], 'double precision');
SELECT function_returns('tree_edit_distances', ARRAY['tree', 'tree[]'], 'integer[]');
SELECT function_returns('tree_within', ARRAY[t, t, 'double precision'], 'boolean') FROM unnest('{tree,xml,json,jsonb}'::name[]) t;
SELECT hasnt_function(f, ARRAY[t, t, 'integer']) FROM unnest('{text,bytea,anyarray}'::name[]) t, unnest('{lcs_within,lcs_distance_less_equal}'::name[]) f;
SELECT function_returns('tree_sort', ARRAY['tree'], 'tree');
SELECT function_returns('json_edit_distance', ARRAY[t, t], 'integer') FROM unnest('{tree,json,jsonb}'::name[]) t;
SELECT function_returns('json_edit_distance', ARRAY[t, t, 'tree_costs'], 'double precision') FROM unnest('{tree,json,jsonb}'::name[]) t;
SELECT function_returns('json_edit_distance_less_equal', ARRAY['tree', 'tree', 'double precision'], 'integer');
SELECT function_returns('json_within', ARRAY[t, t, 'double precision'], 'boolean') FROM unnest('{tree,json,jsonb}'::name[]) t;
SELECT function_returns('json_within', ARRAY[t, t, 'double precision', 'tree_costs'], 'boolean') FROM unnest('{tree,json,jsonb}'::name[]) t;
SELECT function_returns('json_pointer_path', ARRAY['text'], 'text[]');
SELECT function_returns('json_similarity', ARRAY[t, t], 'double precision') FROM unnest('{tree,json,jsonb}'::name[]) t;
SELECT function_returns('json_similar', ARRAY[t, t, 'double precision'], 'boolean') FROM unnest('{tree,json,jsonb}'::name[]) t;
SELECT function_returns('tree_edit_distance_approximate', ARRAY[t, t, 'tree_costs'], 'double precision') FROM unnest('{tree,xml,json,jsonb}'::name[]) t;
SELECT function_returns('tree_similar', ARRAY['tree', 'tree', 'double precision'], 'boolean');
SELECT function_returns('tree_similarity', ARRAY['tree', 'tree'], 'double precision');
SELECT function_returns('tree_pqgram_distance', ARRAY['tree', 'tree', 'integer', 'integer'], 'double precision');
SELECT function_returns(f, ARRAY[t, t, 'tree_costs'] || more, 'text')
FROM (VALUES ('tree_diff'::name, '{boolean}'::name[]), ('tree_diff_summary', '{}'), ('tree_diff_html', '{text,text[],boolean,boolean}'), ('tree_diff_svg', '{text,text[]}')) v (f, more),
	unnest('{tree,xml,json,jsonb}'::name[]) t;
SELECT hasnt_operator(t, '=', t) FROM unnest('{xml,json}'::name[]) t;
SELECT function_returns('tree_range', ARRAY['tree', 'double precision'], 'tree_range');
SELECT function_returns('tree_range', ARRAY['tree', 'double precision', 'tree_costs'], 'tree_range');
SELECT function_returns('tree_costs', ARRAY['double precision', 'double precision', 'double precision', 'text', 'text', 'text[]', 'jsonb', 'text', 'double precision', 'double precision', 'text[]', 'text[]', 'text[]'], 'tree_costs');
SELECT function_returns('tree_costs_symmetric', ARRAY['tree_costs'], 'boolean');
SELECT function_returns('tree_edit_distance', ARRAY[t, t, 'tree_costs'], 'double precision') FROM unnest('{tree,xml,json,jsonb}'::name[]) t;
SELECT function_returns('tree_within', ARRAY[t, t, 'double precision', 'tree_costs'], 'boolean') FROM unnest('{tree,xml,json,jsonb}'::name[]) t;
SELECT function_returns('tree_edit_distances', ARRAY['tree', 'tree[]', 'tree_costs'], 'double precision[]');
SELECT function_returns('tree_edit_mapping', ARRAY['tree', 'tree', 'tree_costs', 'boolean'], 'setof record');
SELECT has_function('tree_costs_agg', ARRAY['text', 'double precision', 'double precision', 'double precision']);
SELECT function_returns('tree_similarity_range', ARRAY['tree', 'double precision'], 'tree_range');
CREATE TEMP TABLE strings AS SELECT unnest('{text,bytea,anyarray}'::name[]) AS t;
SELECT function_returns(f, ARRAY[t, t], 'integer') FROM strings, unnest('{lcs_length,scs_length,lcs_distance}'::name[]) f;
SELECT function_returns('lcs_similarity', ARRAY[t, t], 'double precision') FROM strings;
SELECT function_returns('lcs_similar', ARRAY[t, t, 'double precision'], 'boolean') FROM strings;
SELECT function_returns('lcs_within', ARRAY[t, t, 'double precision'], 'boolean') FROM strings;
SELECT function_returns('lcs_distance_less_equal', ARRAY[t, t, 'double precision'], 'integer') FROM strings;
SELECT function_returns(f, ARRAY[t, t], t::text) FROM strings, unnest('{lcs,scs}'::name[]) f;
SELECT function_returns('lcs_opcodes', ARRAY[t, t], 'setof record') FROM strings;
SELECT function_returns('text_diff', ARRAY['text', 'text'], 'text');
SELECT function_returns('text_diff_html', ARRAY['text', 'text', 'text', 'text[]', 'boolean'], 'text');
SELECT function_returns('lcs_lengths', ARRAY['text', 'text[]'], 'integer[]');
SELECT function_returns('lcs_similarities', ARRAY['text', 'text[]'], 'double precision[]');
SELECT function_returns('lcs_nearest', ARRAY[t, t || '[]', 'integer', 'double precision'], 'setof record')
FROM unnest('{text,bytea}'::name[]) t;
SELECT function_returns('ted_gpu_calibrate', ARRAY[]::name[], 'setof ted_gpu_calibration');
SELECT function_returns('ted_clusters', ARRAY['anycompatiblearray', 'anycompatiblearray'], 'setof record');
SELECT is_window('tree_within_cluster', ARRAY['tree', 'double precision', 'text', 'tree_costs']);
SELECT is_window('tree_similar_cluster', ARRAY['tree', 'double precision', 'text']);
SELECT is_window('lcs_similar_cluster', ARRAY[t, 'double precision', 'text']) FROM unnest('{text,bytea,anyarray}'::name[]) t;
SELECT function_returns('json_patch', ARRAY['jsonb', 'jsonb', 'tree_costs', 'boolean'], 'jsonb');
SELECT function_returns('json_patch_apply', ARRAY['jsonb', 'jsonb'], 'jsonb');
SELECT function_returns('json_patch_invert', ARRAY['jsonb', 'jsonb', 'boolean'], 'jsonb');
SELECT function_returns('json_merge_patch', ARRAY['jsonb', 'jsonb'], 'jsonb');
SELECT function_returns('json_merge_patch_apply', ARRAY['jsonb', 'jsonb'], 'jsonb');
SELECT function_returns('xml_patch_invert', ARRAY['xml', 'xml'], 'xml');
SELECT function_returns('xml_patch', ARRAY['xml', 'xml', 'tree_costs'], 'xml');
SELECT function_returns('xml_patch_apply', ARRAY['xml', 'xml'], 'xml');
SELECT has_table('ted_gpu_calibration');
SELECT function_returns('ted_get_progress', ARRAY[]::name[], 'setof record');
SELECT function_returns('profile_index_check', ARRAY['regclass'], 'void');
SELECT function_privs_are('profile_index_check', ARRAY['regclass'], 'public', ARRAY[]::text[]);
SELECT has_view('ted_progress');
SELECT columns_are('ted_progress', ARRAY['pid', 'leader_pid', 'datid', 'datname', 'relid', 'operation', 'phase',
  'documents', 'pairs', 'pairs_verified', 'results', 'share_done', 'time_left', 'started', 'reported']);
SELECT is_aggregate('tree_agg', ARRAY['bigint', 'bigint', 'text']);
SELECT is_aggregate('tree_agg', ARRAY['bigint', 'bigint', 'text', 'bigint']);
SELECT is_aggregate('tree_within_pairs', ARRAY['bigint', 'tree', 'double precision']);
SELECT is_aggregate('tree_within_pairs', ARRAY['bigint', 'tree', 'double precision', 'text']);
SELECT is_aggregate('tree_within_pairs', ARRAY['bigint', 'tree', 'double precision', 'tree_costs']);
SELECT is_aggregate('tree_within_pairs', ARRAY['bigint', 'tree', 'double precision', 'text', 'tree_costs']);
SELECT is_aggregate('lcs_similar_pairs', ARRAY['bigint', 'text', 'double precision']);
SELECT function_returns('tree_within_pairs_distributed', ARRAY['regclass', 'double precision', 'name[]', 'name', 'name', 'integer', 'name', 'regclass', 'boolean', 'name[]'], 'setof tree_match');
SELECT function_returns('tree_within_pairs_distributed', ARRAY['anyelement', 'regclass', 'double precision', 'name[]', 'name', 'name', 'integer', 'name', 'regclass', 'boolean', 'name[]'], 'setof record');
SELECT function_returns('lcs_similar_pairs_distributed', ARRAY['regclass', 'double precision', 'name[]', 'name', 'name', 'integer', 'name', 'regclass', 'boolean', 'name[]'], 'setof lcs_match');
SELECT function_returns('lcs_similar_pairs_distributed', ARRAY['anyelement', 'regclass', 'double precision', 'name[]', 'name', 'name', 'integer', 'name', 'regclass', 'boolean', 'name[]'], 'setof record');
SELECT is_aggregate('ted_label_counts', ARRAY['tree']);
SELECT has_type('ted_packet');
SELECT function_returns('ted_read_documents', ARRAY['text', 'integer', 'integer[]', 'bytea', 'integer', 'text', 'double precision'], 'setof ted_packet');
SELECT is_aggregate('ted_find_shared', ARRAY['"char"', 'integer', 'integer', 'integer', 'bytea', 'integer']);
SELECT is_aggregate('ted_least_keys', ARRAY['"char"', 'integer', 'integer', 'integer', 'bytea', 'integer']);
SELECT is_aggregate('ted_values', ARRAY['"char"', 'integer', 'integer', 'integer', 'bytea', 'integer']);
SELECT is_aggregate('ted_document_values', ARRAY['"char"', 'integer', 'integer', 'integer', 'bytea', 'integer']);
SELECT is_aggregate('ted_plan_cells', ARRAY['"char"', 'integer', 'integer', 'integer', 'bytea', 'integer', 'text', 'double precision']);
SELECT function_returns('ted_places_of_cells', ARRAY['bytea'], 'integer[]');
SELECT function_returns('ted_send_documents', ARRAY['bytea', 'bytea', 'bytea', 'integer', 'integer'], 'setof ted_packet');
SELECT is_aggregate('ted_join_cell', ARRAY['bytea', 'integer', 'text', 'double precision', 'integer', 'integer', 'boolean', 'regtype', 'regcollation']);
SELECT is_aggregate('ted_count_cell', ARRAY['bytea', 'integer', 'text', 'double precision', 'integer', 'integer', 'boolean', 'regtype', 'regcollation']);
SELECT is_aggregate('ted_connect_cell', ARRAY['bytea', 'integer', 'text', 'double precision', 'integer', 'integer', 'boolean', 'regtype', 'regcollation']);
SELECT function_returns('ted_first_id', ARRAY['bytea'], 'text');
SELECT function_returns('tree_within_count_distributed', ARRAY['regclass', 'double precision', 'name[]', 'name', 'name', 'integer', 'regclass', 'name[]'], 'bigint');
SELECT function_returns('lcs_similar_count_distributed', ARRAY['regclass', 'double precision', 'name[]', 'name', 'name', 'integer', 'regclass', 'name[]'], 'bigint');
SELECT function_returns('tree_within_cluster_distributed', ARRAY['regclass', 'double precision', 'name', 'name', 'name', 'integer', 'name[]'], 'void');
SELECT function_returns('lcs_similar_cluster_distributed', ARRAY['regclass', 'double precision', 'name', 'name', 'name', 'integer', 'name[]'], 'void');
SELECT function_returns('ted_unpack_pairs', ARRAY['bytea'], 'setof record');
SELECT is_aggregate('lcs_similar_pairs', ARRAY['bigint', 'text', 'double precision', 'text']);

-- volatility, strictness, parallel safety: all exceptions
CREATE TEMP VIEW functions AS
SELECT p.oid::regprocedure::text AS function, extname, p.*
FROM pg_proc p JOIN pg_depend ON classid = 'pg_proc'::regclass AND objid = p.oid AND deptype = 'e'
  JOIN pg_extension e ON refclassid = 'pg_extension'::regclass AND refobjid = e.oid AND extname IN ('ted', 'ted_distributed');
-- those of a join over servers are called with the declared types, so that no overload is preferred
SELECT set_eq(
  $$SELECT DISTINCT proname FROM functions WHERE extname = 'ted_distributed' AND proargtypes::regtype[] && '{anyelement,anyarray}'$$,
  $$VALUES ('tree_within_pairs_distributed'::name), ('lcs_similar_pairs_distributed')$$,
  'functions of joins over servers with arguments of any type');
SELECT set_eq(
  $$SELECT function, provolatile FROM functions WHERE prokind = 'f' AND provolatile <> 'i'$$,
  $$VALUES ('ted_engine_info()', 'v'::"char"), ('ted_get_progress()', 'v'), ('ted_gpu_calibrate()', 'v'), ('ted_gpu_measure()', 'v'),
           ('ted_version()', 's'), ('tree_typanalyze(internal)', 's'), ('profile_index_check(regclass)', 'v'),
           ('tree_range_sel(internal,oid,internal,integer)', 's'), ('tree_range_joinsel(internal,oid,internal,smallint,internal)', 's'),
           ('lcs_range_sel(internal,oid,internal,integer)', 's'), ('lcs_range_joinsel(internal,oid,internal,smallint,internal)', 's'),
           ('ted_read_documents(text,integer,integer[],bytea,integer,text,double precision)', 's'), ('ted_first_row(oid)', 's'),
           ('ted_processors()', 'v'),
           ('ted_join_cell_transfn(internal,bytea,integer,text,double precision,integer,integer,boolean,regtype,regcollation)', 's'),
           ('ted_join_cell_finalfn(internal)', 's'),
           ('ted_count_cell_finalfn(internal)', 's'), ('ted_connect_cell_finalfn(internal)', 's'), ('ted_keep_clusters(name,name,text,regclass,name,name,text,text,text,boolean)', 'v'), ('ted_unpack_pairs(bytea)', 's'), ('ted_new_connection()', 'v'),
           ('ted_close_connections()', 'v'), ('ted_estimate(text)', 'v'), ('ted_send(name,text,text)', 'v'), ('ted_connect(name[],name)', 'v'),
           ('ted_exchange(jsonb,text,boolean,bytea)', 'v'), ('ted_gather(jsonb,text,text)', 'v'),
           ('ted_make_cells(jsonb,text[],bytea,boolean,text,double precision)', 'v'),
           ('ted_servers_fleet(regclass[],text[],text,integer,name[])', 's'), ('ted_citus_fleet(regclass[],text[],text,integer,name,name,boolean)', 'v'),
           ('ted_keep_pairs(jsonb,text,name,name,regclass,text,text)', 'v'), ('ted_insert_pairs(bytea,text)', 'v'),
           ('ted_explain(jsonb,double precision,double precision)', 'v'), ('ted_base_type(oid)', 's'),
           ('ted_check_join(regclass,text,name,name,text,name[],integer,name,regclass,regtype)', 's'),
           ('ted_pairs(regclass,text,text,name[],name,name,integer,name,regclass,boolean,regtype,name[],text)', 'v'),
           ('tree_within_count_distributed(regclass,double precision,name[],name,name,integer,regclass,name[])', 'v'),
           ('lcs_similar_count_distributed(regclass,double precision,name[],name,name,integer,regclass,name[])', 'v'),
           ('tree_within_cluster_distributed(regclass,double precision,name,name,name,integer,name[])', 'v'),
           ('lcs_similar_cluster_distributed(regclass,double precision,name,name,name,integer,name[])', 'v'),
           ('tree_within_pairs_distributed(regclass,double precision,name[],name,name,integer,name,regclass,boolean,name[])', 'v'),
           ('tree_within_pairs_distributed(anyelement,regclass,double precision,name[],name,name,integer,name,regclass,boolean,name[])', 'v'),
           ('lcs_similar_pairs_distributed(regclass,double precision,name[],name,name,integer,name,regclass,boolean,name[])', 'v'),
           ('lcs_similar_pairs_distributed(anyelement,regclass,double precision,name[],name,name,integer,name,regclass,boolean,name[])', 'v')$$,
  'functions that are not immutable');
SELECT set_eq(
  $$SELECT DISTINCT proname FROM functions WHERE prokind = 'f' AND NOT proisstrict$$,
  $$VALUES ('ted_engine_info'::name), ('ted_gpu_calibrate'), ('ted_gpu_measure'), ('tree_agg_transfn'), ('tree_agg_finalfn'),
           ('tree_costs_agg_transfn'), ('tree_costs_agg_finalfn'), ('tree_within_pairs_transfn'), ('tree_within_pairs_combine'),
           ('tree_within_pairs_finalfn'), ('lcs_similar_pairs_transfn'), ('lcs_similar_pairs_combine'), ('lcs_similar_pairs_finalfn'),
           ('lcs_similar_pairs_distributed'), ('ted_check_join'), ('ted_citus_fleet'), ('ted_close_connections'), ('ted_connect'),
           ('ted_count_cell_finalfn'), ('ted_connect_cell_finalfn'), ('ted_keep_clusters'), ('tree_within_count_distributed'), ('lcs_similar_count_distributed'), ('tree_within_cluster_distributed'), ('lcs_similar_cluster_distributed'), ('ted_document_values_finalfn'), ('ted_exchange'), ('ted_explain'), ('ted_find_shared_finalfn'),
           ('ted_first_row'), ('ted_gather'), ('ted_join_cell_finalfn'), ('ted_join_cell_transfn'), ('ted_join_query'), ('ted_keep_pairs'),
           ('ted_label_counts_combine'), ('ted_label_counts_transfn'), ('ted_least_keys_finalfn'), ('ted_mail_transfn'), ('ted_make_cells'),
           ('ted_new_connection'), ('ted_pairs'), ('ted_plan_cells_finalfn'), ('ted_processors'), ('ted_read_documents'), ('ted_send'),
           ('ted_send_documents'), ('ted_servers_fleet'), ('ted_unpack_pairs'), ('ted_values_finalfn'), ('tree_within_pairs_distributed')$$,
  'functions that are called with NULL');
SELECT set_eq(
  $$SELECT function, proparallel FROM functions WHERE proparallel <> 's'$$,
  $$VALUES ('ted_engine_info()', 'r'::"char"), ('ted_get_progress()', 'r'), ('ted_gpu_measure()', 'r'), ('profile_index_check(regclass)', 'r'),
           ('ted_gpu_calibrate()', 'u'), ('ted_read_documents(text,integer,integer[],bytea,integer,text,double precision)', 'u'),
           ('ted_first_row(oid)', 'u'), ('ted_find_shared("char",integer,integer,integer,bytea,integer)', 'u'),
           ('ted_least_keys("char",integer,integer,integer,bytea,integer)', 'u'), ('ted_values("char",integer,integer,integer,bytea,integer)', 'u'),
           ('ted_document_values("char",integer,integer,integer,bytea,integer)', 'u'),
           ('ted_plan_cells("char",integer,integer,integer,bytea,integer,text,double precision)', 'u'),
           ('ted_join_cell(bytea,integer,text,double precision,integer,integer,boolean,regtype,regcollation)', 'u'),
           ('ted_count_cell(bytea,integer,text,double precision,integer,integer,boolean,regtype,regcollation)', 'u'), 
           ('ted_connect_cell(bytea,integer,text,double precision,integer,integer,boolean,regtype,regcollation)', 'u'),
           ('ted_keep_clusters(name,name,text,regclass,name,name,text,text,text,boolean)', 'u'), ('ted_new_connection()', 'u'),
           ('ted_close_connections()', 'u'), ('ted_estimate(text)', 'u'), ('ted_send(name,text,text)', 'u'), ('ted_connect(name[],name)', 'u'),
           ('ted_exchange(jsonb,text,boolean,bytea)', 'u'), ('ted_gather(jsonb,text,text)', 'u'),
           ('ted_make_cells(jsonb,text[],bytea,boolean,text,double precision)', 'u'),
           ('ted_servers_fleet(regclass[],text[],text,integer,name[])', 'u'), ('ted_citus_fleet(regclass[],text[],text,integer,name,name,boolean)', 'u'),
           ('ted_keep_pairs(jsonb,text,name,name,regclass,text,text)', 'u'), ('ted_insert_pairs(bytea,text)', 'u'),
           ('ted_explain(jsonb,double precision,double precision)', 'u'),
           ('ted_check_join(regclass,text,name,name,text,name[],integer,name,regclass,regtype)', 'u'),
           ('ted_pairs(regclass,text,text,name[],name,name,integer,name,regclass,boolean,regtype,name[],text)', 'u'),
           ('tree_within_count_distributed(regclass,double precision,name[],name,name,integer,regclass,name[])', 'u'),
           ('lcs_similar_count_distributed(regclass,double precision,name[],name,name,integer,regclass,name[])', 'u'),
           ('tree_within_cluster_distributed(regclass,double precision,name,name,name,integer,name[])', 'u'),
           ('lcs_similar_cluster_distributed(regclass,double precision,name,name,name,integer,name[])', 'u'),
           ('tree_within_pairs_distributed(regclass,double precision,name[],name,name,integer,name,regclass,boolean,name[])', 'u'),
           ('tree_within_pairs_distributed(anyelement,regclass,double precision,name[],name,name,integer,name,regclass,boolean,name[])', 'u'),
           ('lcs_similar_pairs_distributed(regclass,double precision,name[],name,name,integer,name,regclass,boolean,name[])', 'u'),
           ('lcs_similar_pairs_distributed(anyelement,regclass,double precision,name[],name,name,integer,name,regclass,boolean,name[])', 'u')$$,
  'functions and aggregates that are not parallel safe');

SELECT * FROM finish();
ROLLBACK;
