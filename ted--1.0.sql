-- complain if the script is sourced in psql
\echo Use "CREATE EXTENSION ted" to load this file. \quit

-- The module

CREATE FUNCTION ted_version() RETURNS text
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION ted_version() IS 'version of the module that the server has loaded';

-- The tree type

CREATE TYPE tree;

CREATE FUNCTION tree_in(cstring) RETURNS tree
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION tree_out(tree) RETURNS cstring
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION tree_recv(internal) RETURNS tree
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION tree_send(tree) RETURNS bytea
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION tree_typanalyze(internal) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;

CREATE TYPE tree (
	INPUT = tree_in,
	OUTPUT = tree_out,
	RECEIVE = tree_recv,
	SEND = tree_send,
	ANALYZE = tree_typanalyze,
	CATEGORY = 'U',
	PREFERRED = true,
	STORAGE = extended
);

COMMENT ON TYPE tree IS 'ordered labelled tree: {label{child}{child}}';
COMMENT ON FUNCTION tree_in(cstring) IS 'I/O';
COMMENT ON FUNCTION tree_out(tree) IS 'I/O';
COMMENT ON FUNCTION tree_recv(internal) IS 'I/O';
COMMENT ON FUNCTION tree_send(tree) IS 'I/O';
COMMENT ON FUNCTION tree_typanalyze(internal) IS 'statistics of sizes and labels';

-- Order and hash

CREATE FUNCTION tree_lt(tree, tree) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
CREATE FUNCTION tree_le(tree, tree) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
CREATE FUNCTION tree_eq(tree, tree) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
CREATE FUNCTION tree_ne(tree, tree) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
CREATE FUNCTION tree_ge(tree, tree) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
CREATE FUNCTION tree_gt(tree, tree) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
CREATE FUNCTION tree_cmp(tree, tree) RETURNS integer
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
CREATE FUNCTION tree_hash(tree) RETURNS integer
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
CREATE FUNCTION tree_hash_extended(tree, bigint) RETURNS bigint
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;

CREATE OPERATOR < (
	LEFTARG = tree, RIGHTARG = tree, FUNCTION = tree_lt,
	COMMUTATOR = >, NEGATOR = >=, RESTRICT = scalarltsel, JOIN = scalarltjoinsel
);
CREATE OPERATOR <= (
	LEFTARG = tree, RIGHTARG = tree, FUNCTION = tree_le,
	COMMUTATOR = >=, NEGATOR = >, RESTRICT = scalarlesel, JOIN = scalarlejoinsel
);
CREATE OPERATOR = (
	LEFTARG = tree, RIGHTARG = tree, FUNCTION = tree_eq,
	COMMUTATOR = =, NEGATOR = <>, RESTRICT = eqsel, JOIN = eqjoinsel, HASHES, MERGES
);
CREATE OPERATOR <> (
	LEFTARG = tree, RIGHTARG = tree, FUNCTION = tree_ne,
	COMMUTATOR = <>, NEGATOR = =, RESTRICT = neqsel, JOIN = neqjoinsel
);
CREATE OPERATOR >= (
	LEFTARG = tree, RIGHTARG = tree, FUNCTION = tree_ge,
	COMMUTATOR = <=, NEGATOR = <, RESTRICT = scalargesel, JOIN = scalargejoinsel
);
CREATE OPERATOR > (
	LEFTARG = tree, RIGHTARG = tree, FUNCTION = tree_gt,
	COMMUTATOR = <, NEGATOR = <=, RESTRICT = scalargtsel, JOIN = scalargtjoinsel
);

CREATE OPERATOR CLASS tree_ops DEFAULT FOR TYPE tree USING btree AS
	OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 =, OPERATOR 4 >=, OPERATOR 5 >,
	FUNCTION 1 tree_cmp(tree, tree);
CREATE OPERATOR CLASS tree_ops DEFAULT FOR TYPE tree USING hash AS
	OPERATOR 1 =,
	FUNCTION 1 tree_hash(tree),
	FUNCTION 2 tree_hash_extended(tree, bigint);

COMMENT ON FUNCTION tree_lt(tree, tree) IS 'implementation of < operator';
COMMENT ON FUNCTION tree_le(tree, tree) IS 'implementation of <= operator';
COMMENT ON FUNCTION tree_eq(tree, tree) IS 'implementation of = operator';
COMMENT ON FUNCTION tree_ne(tree, tree) IS 'implementation of <> operator';
COMMENT ON FUNCTION tree_ge(tree, tree) IS 'implementation of >= operator';
COMMENT ON FUNCTION tree_gt(tree, tree) IS 'implementation of > operator';
COMMENT ON FUNCTION tree_cmp(tree, tree) IS 'less-equal-greater';
COMMENT ON FUNCTION tree_hash(tree) IS 'hash';
COMMENT ON FUNCTION tree_hash_extended(tree, bigint) IS 'hash';
COMMENT ON OPERATOR < (tree, tree) IS 'less than';
COMMENT ON OPERATOR <= (tree, tree) IS 'less than or equal';
COMMENT ON OPERATOR = (tree, tree) IS 'equal';
COMMENT ON OPERATOR <> (tree, tree) IS 'not equal';
COMMENT ON OPERATOR >= (tree, tree) IS 'greater than or equal';
COMMENT ON OPERATOR > (tree, tree) IS 'greater than';
COMMENT ON OPERATOR CLASS tree_ops USING btree IS 'order by document order of label bytes';
COMMENT ON OPERATOR CLASS tree_ops USING hash IS 'hash of shape and label bytes';
COMMENT ON OPERATOR FAMILY tree_ops USING btree IS 'order by document order of label bytes';
COMMENT ON OPERATOR FAMILY tree_ops USING hash IS 'hash of shape and label bytes';

-- Looking into a tree

CREATE FUNCTION tree_size(tree) RETURNS integer
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION tree_depth(tree) RETURNS integer
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
CREATE FUNCTION tree_label(tree, node integer DEFAULT 1) RETURNS text
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
CREATE FUNCTION tree_subtree(tree, node integer) RETURNS tree
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;
CREATE FUNCTION tree_sort(tree) RETURNS tree
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
CREATE FUNCTION tree_nodes(tree, OUT node integer, OUT parent integer, OUT depth integer, OUT label text)
	RETURNS SETOF record
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100 ROWS 100;

COMMENT ON FUNCTION tree_size(tree) IS 'number of nodes';
COMMENT ON FUNCTION tree_depth(tree) IS 'number of nodes on the longest path from the root to a leaf';
COMMENT ON FUNCTION tree_label(tree, integer) IS 'label of a node, by its preorder number from 1';
COMMENT ON FUNCTION tree_subtree(tree, integer) IS 'subtree of a node, by its preorder number from 1';
COMMENT ON FUNCTION tree_sort(tree) IS 'the same tree with the children of each node sorted';
COMMENT ON FUNCTION tree_nodes(tree) IS 'all nodes in preorder, with their parents, depths and labels';

-- Conversions from XML and JSON

CREATE FUNCTION tree_from_xml(
	doc xml,
	attributes text DEFAULT 'child',
	text_nodes text DEFAULT 'collapse',
	comments text DEFAULT 'drop',
	namespaces text DEFAULT 'local',
	content text DEFAULT 'full',
	fold_case boolean DEFAULT false,
	exclude_paths text[] DEFAULT '{}',
	include_paths text[] DEFAULT '{}',
	fragment_root text DEFAULT '',
	unordered text[] DEFAULT '{}',
	on_error text DEFAULT 'error'
) RETURNS tree
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
CREATE FUNCTION tree_from_html(
	doc text,
	attributes text DEFAULT 'child',
	text_nodes text DEFAULT 'collapse',
	comments text DEFAULT 'drop',
	content text DEFAULT 'full',
	fold_case boolean DEFAULT false,
	exclude_paths text[] DEFAULT '{}',
	include_paths text[] DEFAULT '{}',
	fragment_root text DEFAULT '',
	unordered text[] DEFAULT '{}',
	on_error text DEFAULT 'error'
) RETURNS tree
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
CREATE FUNCTION tree_from_json(
	doc json,
	sort_keys boolean DEFAULT true,
	duplicate_keys text DEFAULT 'last',
	content text DEFAULT 'full',
	fold_case boolean DEFAULT false,
	exclude_paths text[] DEFAULT '{}',
	include_paths text[] DEFAULT '{}',
	sort_arrays boolean DEFAULT false,
	on_error text DEFAULT 'error'
) RETURNS tree
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
CREATE FUNCTION tree_from_json(
	doc jsonb,
	sort_keys boolean DEFAULT true,
	content text DEFAULT 'full',
	fold_case boolean DEFAULT false,
	exclude_paths text[] DEFAULT '{}',
	include_paths text[] DEFAULT '{}',
	sort_arrays boolean DEFAULT false,
	on_error text DEFAULT 'error'
) RETURNS tree
	AS 'MODULE_PATHNAME', 'tree_from_jsonb' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;

CREATE FUNCTION tree(xml) RETURNS tree
	AS 'MODULE_PATHNAME', 'xml_tree' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
CREATE FUNCTION tree(json) RETURNS tree
	AS 'MODULE_PATHNAME', 'json_tree' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
CREATE FUNCTION tree(jsonb) RETURNS tree
	AS 'MODULE_PATHNAME', 'jsonb_tree' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;

CREATE FUNCTION tree_convertible(doc xml) RETURNS boolean
	AS 'MODULE_PATHNAME', 'tree_convertible_xml' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
CREATE FUNCTION tree_convertible(doc json) RETURNS boolean
	AS 'MODULE_PATHNAME', 'tree_convertible_json' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
CREATE FUNCTION tree_convertible(doc jsonb) RETURNS boolean
	AS 'MODULE_PATHNAME', 'tree_convertible_jsonb' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;

-- implicit, so that every function of trees takes documents, of two kinds, too
CREATE CAST (xml AS tree) WITH FUNCTION tree(xml) AS IMPLICIT;
CREATE CAST (json AS tree) WITH FUNCTION tree(json) AS IMPLICIT;
CREATE CAST (jsonb AS tree) WITH FUNCTION tree(jsonb) AS IMPLICIT;

COMMENT ON FUNCTION tree_from_xml(xml, text, text, text, text, text, boolean, text[], text[], text, text[], text)
	IS 'tree of an XML document or fragment';
COMMENT ON FUNCTION tree_from_html(text, text, text, text, text, boolean, text[], text[], text, text[], text)
	IS 'tree of a page of HTML';
COMMENT ON FUNCTION tree_from_json(json, boolean, text, text, boolean, text[], text[], boolean, text)
	IS 'tree of a JSON document';
COMMENT ON FUNCTION tree_from_json(jsonb, boolean, text, boolean, text[], text[], boolean, text)
	IS 'tree of a JSON document';
COMMENT ON FUNCTION tree_convertible(xml) IS 'whether the cast to tree succeeds';
COMMENT ON FUNCTION tree_convertible(json) IS 'whether the cast to tree succeeds';
COMMENT ON FUNCTION tree_convertible(jsonb) IS 'whether the cast to tree succeeds';
COMMENT ON FUNCTION tree(xml) IS 'tree of an XML document, with the default options';
COMMENT ON FUNCTION tree(json) IS 'tree of a JSON document, with the default options';
COMMENT ON FUNCTION tree(jsonb) IS 'tree of a JSON document, with the default options';
COMMENT ON CAST (xml AS tree) IS 'tree_from_xml() with the default options';
COMMENT ON CAST (json AS tree) IS 'tree_from_json() with the default options';
COMMENT ON CAST (jsonb AS tree) IS 'tree_from_json() with the default options';

-- Back from trees to documents

CREATE FUNCTION tree_to_xml(tree) RETURNS xml
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
CREATE FUNCTION tree_to_json(tree) RETURNS json
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
CREATE FUNCTION tree_to_jsonb(tree) RETURNS jsonb
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;

-- no cast to json: to_json(), row_to_json() and their like would use it, and fail for other trees
CREATE CAST (tree AS xml) WITH FUNCTION tree_to_xml(tree);
CREATE CAST (tree AS jsonb) WITH FUNCTION tree_to_jsonb(tree);

COMMENT ON FUNCTION tree_to_xml(tree) IS 'XML document of a tree that the default conversion has made';
COMMENT ON FUNCTION tree_to_json(tree) IS 'JSON document of a tree that the default conversion has made';
COMMENT ON FUNCTION tree_to_jsonb(tree) IS 'JSON document of a tree that the default conversion has made';
COMMENT ON CAST (tree AS xml) IS 'inverse of tree_from_xml() with the default options';
COMMENT ON CAST (tree AS jsonb) IS 'inverse of tree_from_json() with the default options';

-- Trees from adjacency rows

CREATE FUNCTION tree_agg_transfn(internal, bigint, bigint, text) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION tree_agg_transfn(internal, bigint, bigint, text, bigint) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION tree_agg_finalfn(internal) RETURNS tree
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100;

CREATE AGGREGATE tree_agg(id bigint, parent_id bigint, label text) (
	SFUNC = tree_agg_transfn, STYPE = internal, FINALFUNC = tree_agg_finalfn, PARALLEL = SAFE
);
CREATE AGGREGATE tree_agg(id bigint, parent_id bigint, label text, "position" bigint) (
	SFUNC = tree_agg_transfn, STYPE = internal, FINALFUNC = tree_agg_finalfn, PARALLEL = SAFE
);

COMMENT ON FUNCTION tree_agg_transfn(internal, bigint, bigint, text) IS 'aggregate transition function';
COMMENT ON FUNCTION tree_agg_transfn(internal, bigint, bigint, text, bigint) IS 'aggregate transition function';
COMMENT ON FUNCTION tree_agg_finalfn(internal) IS 'aggregate final function';
COMMENT ON AGGREGATE tree_agg(bigint, bigint, text) IS 'tree of adjacency rows, children in the order of input';
COMMENT ON AGGREGATE tree_agg(bigint, bigint, text, bigint) IS 'tree of adjacency rows, children in the order of their positions';

-- Costs of edit operations

CREATE TYPE tree_costs;

CREATE FUNCTION tree_costs_in(cstring) RETURNS tree_costs
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION tree_costs_out(tree_costs) RETURNS cstring
	AS 'textout' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION tree_costs_recv(internal) RETURNS tree_costs
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION tree_costs_send(tree_costs) RETURNS bytea
	AS 'textsend' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;

-- preferred to numbers, so that an untyped literal is taken for a model where there may be a cost, too
CREATE TYPE tree_costs (
	INPUT = tree_costs_in,
	OUTPUT = tree_costs_out,
	RECEIVE = tree_costs_recv,
	SEND = tree_costs_send,
	CATEGORY = 'N',
	PREFERRED = true,
	STORAGE = extended
);

-- a model has one text, so values are equal where their bytes are
CREATE FUNCTION tree_costs_eq(tree_costs, tree_costs) RETURNS boolean
	AS 'byteaeq' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION tree_costs_ne(tree_costs, tree_costs) RETURNS boolean
	AS 'byteane' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION tree_costs_hash(tree_costs) RETURNS integer
	AS 'hashvarlena' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION tree_costs_hash_extended(tree_costs, bigint) RETURNS bigint
	AS 'hashvarlenaextended' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;

CREATE OPERATOR = (
	LEFTARG = tree_costs, RIGHTARG = tree_costs, FUNCTION = tree_costs_eq,
	COMMUTATOR = =, NEGATOR = <>, RESTRICT = eqsel, JOIN = eqjoinsel, HASHES
);
CREATE OPERATOR <> (
	LEFTARG = tree_costs, RIGHTARG = tree_costs, FUNCTION = tree_costs_ne,
	COMMUTATOR = <>, NEGATOR = =, RESTRICT = neqsel, JOIN = neqjoinsel
);
CREATE OPERATOR CLASS tree_costs_ops DEFAULT FOR TYPE tree_costs USING hash AS
	OPERATOR 1 =,
	FUNCTION 1 tree_costs_hash(tree_costs),
	FUNCTION 2 tree_costs_hash_extended(tree_costs, bigint);

CREATE FUNCTION tree_costs(
	ins float8 DEFAULT 1,
	del float8 DEFAULT 1,
	ren float8 DEFAULT 1,
	texts text DEFAULT 'exact',
	numbers text DEFAULT 'exact',
	ignore text[] DEFAULT '{}',
	rules jsonb DEFAULT '[]'
) RETURNS tree_costs
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION tree_costs_symmetric(tree_costs) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION tree_costs_agg_transfn(internal, text, float8, float8, float8) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION tree_costs_agg_finalfn(internal) RETURNS tree_costs
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE AGGREGATE tree_costs_agg(pattern text, ins float8, del float8, ren float8) (
	SFUNC = tree_costs_agg_transfn, STYPE = internal, FINALFUNC = tree_costs_agg_finalfn, PARALLEL = SAFE
);

COMMENT ON TYPE tree_costs IS 'what it costs to insert, delete and rename nodes, by their labels';
COMMENT ON FUNCTION tree_costs_in(cstring) IS 'I/O';
COMMENT ON FUNCTION tree_costs_out(tree_costs) IS 'I/O';
COMMENT ON FUNCTION tree_costs_recv(internal) IS 'I/O';
COMMENT ON FUNCTION tree_costs_send(tree_costs) IS 'I/O';
COMMENT ON FUNCTION tree_costs_eq(tree_costs, tree_costs) IS 'implementation of = operator';
COMMENT ON FUNCTION tree_costs_ne(tree_costs, tree_costs) IS 'implementation of <> operator';
COMMENT ON FUNCTION tree_costs_hash(tree_costs) IS 'hash';
COMMENT ON FUNCTION tree_costs_hash_extended(tree_costs, bigint) IS 'hash';
COMMENT ON OPERATOR = (tree_costs, tree_costs) IS 'equal';
COMMENT ON OPERATOR <> (tree_costs, tree_costs) IS 'not equal';
COMMENT ON OPERATOR CLASS tree_costs_ops USING hash IS 'hash of the text of a model';
COMMENT ON OPERATOR FAMILY tree_costs_ops USING hash IS 'hash of the text of a model';
COMMENT ON FUNCTION tree_costs(float8, float8, float8, text, text, text[], jsonb) IS 'a model of costs';
COMMENT ON FUNCTION tree_costs_symmetric(tree_costs) IS 'whether insertions cost what deletions do, so that distances are the same both ways';
COMMENT ON FUNCTION tree_costs_agg_transfn(internal, text, float8, float8, float8) IS 'aggregate transition function';
COMMENT ON FUNCTION tree_costs_agg_finalfn(internal) IS 'aggregate final function';
COMMENT ON AGGREGATE tree_costs_agg(text, float8, float8, float8) IS 'a model of costs from rows of a pattern and what the nodes cost that it names';

-- Distances between trees

CREATE FUNCTION tree_distance_support(internal) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION tree_within_support(internal) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

-- thresholds of other types than integer are rounded down, which is the same to distances
CREATE FUNCTION ted_max_distance(float8) RETURNS integer
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION tree_distance_support(internal) IS 'planner support: cost';
COMMENT ON FUNCTION tree_within_support(internal) IS 'planner support: cost, selectivity and index conditions';
COMMENT ON FUNCTION ted_max_distance(float8) IS 'the greatest integer that is not above a maximum distance';

CREATE FUNCTION tree_edit_distance(a tree, b tree) RETURNS integer
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000
	SUPPORT tree_distance_support;
CREATE FUNCTION tree_edit_distance(a tree, b tree, ins_cost integer, del_cost integer DEFAULT 1, ren_cost integer DEFAULT 1) RETURNS integer
	AS 'MODULE_PATHNAME', 'tree_edit_distance_costs' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000
	SUPPORT tree_distance_support;
-- of another type, so that costs without names are taken by the function above
CREATE FUNCTION tree_edit_distance(a tree, b tree, del_cost bigint, ren_cost bigint DEFAULT 1) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	RETURN tree_edit_distance(a, b, 1, del_cost::integer, ren_cost::integer);
CREATE FUNCTION tree_edit_distance(a tree, b tree, ren_cost bigint) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	RETURN tree_edit_distance(a, b, 1, 1, ren_cost::integer);
CREATE FUNCTION tree_edit_distance_less_equal(a tree, b tree, max_distance integer) RETURNS integer
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT tree_within_support;
CREATE FUNCTION tree_edit_distance_less_equal(a tree, b tree, max_distance float8) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_edit_distance_less_equal(a, b, ted_max_distance(max_distance));
CREATE FUNCTION tree_edit_distance_less_equal(a tree, b tree, ins_cost integer, del_cost integer, ren_cost integer, max_distance integer) RETURNS integer
	AS 'MODULE_PATHNAME', 'tree_edit_distance_less_equal_costs' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT tree_distance_support;
CREATE FUNCTION tree_within(a tree, b tree, max_distance integer) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT tree_within_support;
CREATE FUNCTION tree_within(a tree, b tree, max_distance float8) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_within(a, b, ted_max_distance(max_distance));
CREATE FUNCTION tree_distance_op(tree, tree) RETURNS float8
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000
	SUPPORT tree_distance_support;
CREATE FUNCTION tree_similarity(a tree, b tree) RETURNS float8
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000
	SUPPORT tree_distance_support;
CREATE FUNCTION tree_similar(a tree, b tree, min_similarity float8) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT tree_within_support;
CREATE FUNCTION tree_normalized_distance(a tree, b tree) RETURNS float8
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000
	SUPPORT tree_distance_support;
CREATE FUNCTION tree_edit_distances(query tree, docs tree[]) RETURNS integer[]
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100000;
CREATE FUNCTION tree_edit_distance_lower_bound(a tree, b tree) RETURNS integer
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;
CREATE FUNCTION tree_edit_distance_upper_bound(a tree, b tree) RETURNS integer
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
CREATE FUNCTION teds(a text, b text, structure_only boolean DEFAULT false) RETURNS float8
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;

CREATE FUNCTION tree_edit_distance(a tree, b tree, costs tree_costs) RETURNS float8
	AS 'MODULE_PATHNAME', 'tree_edit_distance_model' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000
	SUPPORT tree_distance_support;
CREATE FUNCTION tree_edit_distance_less_equal(a tree, b tree, max_distance float8, costs tree_costs) RETURNS float8
	AS 'MODULE_PATHNAME', 'tree_edit_distance_less_equal_model' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
CREATE FUNCTION tree_within(a tree, b tree, max_distance float8, costs tree_costs) RETURNS boolean
	AS 'MODULE_PATHNAME', 'tree_within_model' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT tree_within_support;
CREATE FUNCTION tree_similarity(a tree, b tree, costs tree_costs) RETURNS float8
	AS 'MODULE_PATHNAME', 'tree_similarity_model' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000
	SUPPORT tree_distance_support;
CREATE FUNCTION tree_similar(a tree, b tree, min_similarity float8, costs tree_costs) RETURNS boolean
	AS 'MODULE_PATHNAME', 'tree_similar_model' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
CREATE FUNCTION tree_normalized_distance(a tree, b tree, costs tree_costs) RETURNS float8
	AS 'MODULE_PATHNAME', 'tree_normalized_distance_model' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000
	SUPPORT tree_distance_support;
CREATE FUNCTION tree_edit_distance_lower_bound(a tree, b tree, costs tree_costs) RETURNS float8
	AS 'MODULE_PATHNAME', 'tree_edit_distance_lower_bound_model' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;
CREATE FUNCTION tree_edit_distance_upper_bound(a tree, b tree, costs tree_costs) RETURNS float8
	AS 'MODULE_PATHNAME', 'tree_edit_distance_upper_bound_model' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
CREATE FUNCTION tree_edit_distances(query tree, docs tree[], costs tree_costs) RETURNS float8[]
	AS 'MODULE_PATHNAME', 'tree_edit_distances_model' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100000;

CREATE FUNCTION tree_dissimilarity(tree, tree) RETURNS float8
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000
	SUPPORT tree_distance_support;

CREATE FUNCTION tree_pqgram_distance(a tree, b tree, p integer DEFAULT 2, q integer DEFAULT 3) RETURNS float8
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;
CREATE FUNCTION tree_pqgram_distance_op(tree, tree) RETURNS float8
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;

CREATE OPERATOR <-> (
	LEFTARG = tree, RIGHTARG = tree, FUNCTION = tree_distance_op, COMMUTATOR = <->
);
CREATE OPERATOR <%> (
	LEFTARG = tree, RIGHTARG = tree, FUNCTION = tree_dissimilarity, COMMUTATOR = <%>
);
CREATE OPERATOR <=> (
	LEFTARG = tree, RIGHTARG = tree, FUNCTION = tree_normalized_distance, COMMUTATOR = <=>
);
CREATE OPERATOR <#> (
	LEFTARG = tree, RIGHTARG = tree, FUNCTION = tree_pqgram_distance_op, COMMUTATOR = <#>
);

COMMENT ON FUNCTION tree_edit_distance(tree, tree) IS 'tree edit distance';
COMMENT ON FUNCTION tree_edit_distance(tree, tree, integer, integer, integer) IS 'tree edit distance with costs to insert, delete and rename a node';
COMMENT ON FUNCTION tree_edit_distance(tree, tree, bigint, bigint) IS 'tree edit distance with costs to delete and rename a node';
COMMENT ON FUNCTION tree_edit_distance(tree, tree, bigint) IS 'tree edit distance with a cost to rename a node';
COMMENT ON FUNCTION tree_edit_distance_less_equal(tree, tree, integer) IS 'tree edit distance if it is at most max_distance, else a larger number';
COMMENT ON FUNCTION tree_edit_distance_less_equal(tree, tree, float8) IS 'tree edit distance if it is at most max_distance, else a larger number';
COMMENT ON FUNCTION tree_edit_distance_less_equal(tree, tree, integer, integer, integer, integer) IS 'tree edit distance with costs if it is at most max_distance, else a larger number';
COMMENT ON FUNCTION tree_within(tree, tree, integer) IS 'whether the tree edit distance is at most max_distance';
COMMENT ON FUNCTION tree_within(tree, tree, float8) IS 'whether the tree edit distance is at most max_distance';
COMMENT ON FUNCTION tree_distance_op(tree, tree) IS 'implementation of <-> operator';
COMMENT ON FUNCTION tree_similarity(tree, tree) IS '1 - distance / larger size, at least 0';
COMMENT ON FUNCTION tree_dissimilarity(tree, tree) IS 'implementation of <%> operator';
COMMENT ON FUNCTION tree_similar(tree, tree, float8) IS 'whether the similarity is at least min_similarity';
COMMENT ON FUNCTION tree_normalized_distance(tree, tree) IS '2 distance / (sum of sizes + distance), a metric';
COMMENT ON FUNCTION tree_edit_distances(tree, tree[]) IS 'tree edit distances between one tree and many';
COMMENT ON FUNCTION tree_edit_distance_lower_bound(tree, tree) IS 'lower bound on the tree edit distance';
COMMENT ON FUNCTION tree_edit_distance_upper_bound(tree, tree) IS 'upper bound on the tree edit distance';
COMMENT ON FUNCTION tree_pqgram_distance(tree, tree, integer, integer) IS '1 - 2 * common pq-grams / pq-grams of both';
COMMENT ON FUNCTION tree_pqgram_distance_op(tree, tree) IS 'implementation of <#> operator';
COMMENT ON FUNCTION teds(text, text, boolean) IS 'similarity of HTML tables by tree edit distance (TEDS)';
COMMENT ON FUNCTION tree_edit_distance(tree, tree, tree_costs) IS 'tree edit distance by a model of costs';
COMMENT ON FUNCTION tree_edit_distance_less_equal(tree, tree, float8, tree_costs) IS 'tree edit distance by a model of costs if it is at most max_distance, else a larger number';
COMMENT ON FUNCTION tree_within(tree, tree, float8, tree_costs) IS 'whether the tree edit distance by a model of costs is at most max_distance';
COMMENT ON FUNCTION tree_similarity(tree, tree, tree_costs) IS '1 - distance / larger cost of a tree, at least 0, by a model of costs';
COMMENT ON FUNCTION tree_similar(tree, tree, float8, tree_costs) IS 'whether the similarity by a model of costs is at least min_similarity';
COMMENT ON FUNCTION tree_normalized_distance(tree, tree, tree_costs) IS '2 distance / (sum of costs of both trees + distance), by a model of costs';
COMMENT ON FUNCTION tree_edit_distance_lower_bound(tree, tree, tree_costs) IS 'lower bound on the tree edit distance by a model of costs';
COMMENT ON FUNCTION tree_edit_distance_upper_bound(tree, tree, tree_costs) IS 'upper bound on the tree edit distance by a model of costs';
COMMENT ON FUNCTION tree_edit_distances(tree, tree[], tree_costs) IS 'tree edit distances by a model of costs between one tree and many';
COMMENT ON OPERATOR <-> (tree, tree) IS 'tree edit distance';
COMMENT ON OPERATOR <%> (tree, tree) IS '1 - similarity';
COMMENT ON OPERATOR <=> (tree, tree) IS 'normalized tree edit distance';
COMMENT ON OPERATOR <#> (tree, tree) IS 'pq-gram distance with p = 2 and q = 3';

-- Edit distance of JSON documents, whose members have no order

CREATE FUNCTION json_edit_distance(a tree, b tree) RETURNS integer
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000
	SUPPORT tree_distance_support;
CREATE FUNCTION json_edit_distance_less_equal(a tree, b tree, max_distance integer) RETURNS integer
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT tree_within_support;
CREATE FUNCTION json_edit_distance_less_equal(a tree, b tree, max_distance float8) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN json_edit_distance_less_equal(a, b, ted_max_distance(max_distance));
CREATE FUNCTION json_within(a tree, b tree, max_distance integer) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT tree_within_support;
CREATE FUNCTION json_within(a tree, b tree, max_distance float8) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN json_within(a, b, ted_max_distance(max_distance));

COMMENT ON FUNCTION json_edit_distance(tree, tree) IS 'edit distance of JSON documents, whose members have no order';
COMMENT ON FUNCTION json_edit_distance_less_equal(tree, tree, integer) IS 'edit distance of JSON documents if it is at most max_distance, else a larger number';
COMMENT ON FUNCTION json_edit_distance_less_equal(tree, tree, float8) IS 'edit distance of JSON documents if it is at most max_distance, else a larger number';
COMMENT ON FUNCTION json_within(tree, tree, integer) IS 'whether the edit distance of JSON documents is at most max_distance';
COMMENT ON FUNCTION json_within(tree, tree, float8) IS 'whether the edit distance of JSON documents is at most max_distance';

-- straight on documents; inlined, as those of trees are below
CREATE FUNCTION json_edit_distance(a json, b json) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	RETURN json_edit_distance(a::tree, b::tree);
CREATE FUNCTION json_edit_distance_less_equal(a json, b json, max_distance integer) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN json_edit_distance_less_equal(a::tree, b::tree, max_distance);
CREATE FUNCTION json_edit_distance_less_equal(a json, b json, max_distance float8) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN json_edit_distance_less_equal(a::tree, b::tree, ted_max_distance(max_distance));
CREATE FUNCTION json_within(a json, b json, max_distance integer) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN json_within(a::tree, b::tree, max_distance);
CREATE FUNCTION json_within(a json, b json, max_distance float8) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN json_within(a::tree, b::tree, ted_max_distance(max_distance));
CREATE FUNCTION json_edit_distance(a jsonb, b jsonb) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	RETURN json_edit_distance(a::tree, b::tree);
CREATE FUNCTION json_edit_distance_less_equal(a jsonb, b jsonb, max_distance integer) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN json_edit_distance_less_equal(a::tree, b::tree, max_distance);
CREATE FUNCTION json_edit_distance_less_equal(a jsonb, b jsonb, max_distance float8) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN json_edit_distance_less_equal(a::tree, b::tree, ted_max_distance(max_distance));
CREATE FUNCTION json_within(a jsonb, b jsonb, max_distance integer) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN json_within(a::tree, b::tree, max_distance);
CREATE FUNCTION json_within(a jsonb, b jsonb, max_distance float8) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN json_within(a::tree, b::tree, ted_max_distance(max_distance));

COMMENT ON FUNCTION json_edit_distance(json, json) IS 'edit distance of JSON documents, whose members have no order';
COMMENT ON FUNCTION json_edit_distance_less_equal(json, json, integer) IS 'edit distance of JSON documents if it is at most max_distance, else a larger number';
COMMENT ON FUNCTION json_edit_distance_less_equal(json, json, float8) IS 'edit distance of JSON documents if it is at most max_distance, else a larger number';
COMMENT ON FUNCTION json_within(json, json, integer) IS 'whether the edit distance of JSON documents is at most max_distance';
COMMENT ON FUNCTION json_within(json, json, float8) IS 'whether the edit distance of JSON documents is at most max_distance';
COMMENT ON FUNCTION json_edit_distance(jsonb, jsonb) IS 'edit distance of JSON documents, whose members have no order';
COMMENT ON FUNCTION json_edit_distance_less_equal(jsonb, jsonb, integer) IS 'edit distance of JSON documents if it is at most max_distance, else a larger number';
COMMENT ON FUNCTION json_edit_distance_less_equal(jsonb, jsonb, float8) IS 'edit distance of JSON documents if it is at most max_distance, else a larger number';
COMMENT ON FUNCTION json_within(jsonb, jsonb, integer) IS 'whether the edit distance of JSON documents is at most max_distance';
COMMENT ON FUNCTION json_within(jsonb, jsonb, float8) IS 'whether the edit distance of JSON documents is at most max_distance';

-- Index support

-- costs are those of a model, NULL for unit costs
CREATE TYPE tree_range AS (doc tree, max_distance float8, costs tree_costs);

-- the cost is that of an index scan, which is charged with its operand's
CREATE FUNCTION tree_range(doc tree, max_distance integer) RETURNS tree_range
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000;
CREATE FUNCTION tree_range(doc tree, max_distance float8, costs tree_costs) RETURNS tree_range
	AS 'MODULE_PATHNAME', 'tree_range_model' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000;
CREATE FUNCTION tree_similarity_range(doc tree, min_similarity float8) RETURNS tree_range
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000;
CREATE FUNCTION tree_may_be_within(tree, tree_range) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200;
CREATE FUNCTION tree_range_sel(internal, oid, internal, integer) RETURNS float8
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
CREATE FUNCTION tree_range_joinsel(internal, oid, internal, smallint, internal) RETURNS float8
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;

CREATE OPERATOR <~ (
	LEFTARG = tree, RIGHTARG = tree_range, FUNCTION = tree_may_be_within,
	RESTRICT = tree_range_sel, JOIN = tree_range_joinsel
);

CREATE FUNCTION tree_gin_extract_value(tree, internal, internal) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION tree_gin_extract_query(tree, internal, smallint, internal, internal, internal, internal) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION tree_gin_consistent(internal, smallint, tree, integer, internal, internal, internal, internal) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION tree_gin_triconsistent(internal, smallint, tree, integer, internal, internal, internal) RETURNS "char"
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE OPERATOR CLASS tree_ops DEFAULT FOR TYPE tree USING gin AS
	OPERATOR 1 <~ (tree, tree_range),
	FUNCTION 1 btint4cmp(integer, integer),
	FUNCTION 2 tree_gin_extract_value(tree, internal, internal),
	FUNCTION 3 tree_gin_extract_query(tree, internal, smallint, internal, internal, internal, internal),
	FUNCTION 4 tree_gin_consistent(internal, smallint, tree, integer, internal, internal, internal, internal),
	FUNCTION 6 tree_gin_triconsistent(internal, smallint, tree, integer, internal, internal, internal),
	STORAGE integer;

CREATE FUNCTION tree_gist_compress(internal) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION tree_gist_consistent(internal, tree, smallint, oid, internal) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION tree_gist_distance(internal, tree, smallint, oid, internal) RETURNS float8
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION tree_gist_union(internal, internal) RETURNS bytea
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION tree_gist_penalty(internal, internal, internal) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION tree_gist_picksplit(internal, internal) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION tree_gist_same(bytea, bytea, internal) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE OPERATOR CLASS tree_ops DEFAULT FOR TYPE tree USING gist AS
	OPERATOR 1 <~ (tree, tree_range),
	OPERATOR 3 = (tree, tree),
	OPERATOR 15 <-> (tree, tree) FOR ORDER BY pg_catalog.float_ops,
	OPERATOR 16 <%> (tree, tree) FOR ORDER BY pg_catalog.float_ops,
	OPERATOR 17 <=> (tree, tree) FOR ORDER BY pg_catalog.float_ops,
	FUNCTION 1 tree_gist_consistent(internal, tree, smallint, oid, internal),
	FUNCTION 2 tree_gist_union(internal, internal),
	FUNCTION 3 tree_gist_compress(internal),
	FUNCTION 5 tree_gist_penalty(internal, internal, internal),
	FUNCTION 6 tree_gist_picksplit(internal, internal),
	FUNCTION 7 tree_gist_same(bytea, bytea, internal),
	FUNCTION 8 tree_gist_distance(internal, tree, smallint, oid, internal),
	STORAGE bytea;

COMMENT ON TYPE tree_range IS 'a tree and a distance around it, by a model of costs if there is one';
COMMENT ON FUNCTION tree_range(tree, integer) IS 'range of all trees within max_distance of a tree';
COMMENT ON FUNCTION tree_range(tree, float8, tree_costs) IS 'range of all trees within max_distance of a tree by a model of costs';
COMMENT ON FUNCTION tree_similarity_range(tree, float8) IS 'a range that has all trees at least min_similarity similar to a tree';
COMMENT ON FUNCTION tree_may_be_within(tree, tree_range) IS 'implementation of <~ operator';
COMMENT ON FUNCTION tree_range_sel(internal, oid, internal, integer) IS 'restriction selectivity of <~ operator';
COMMENT ON FUNCTION tree_range_joinsel(internal, oid, internal, smallint, internal) IS 'join selectivity of <~ operator';
COMMENT ON OPERATOR <~ (tree, tree_range) IS 'whether sizes and labels allow the tree edit distance to be in the range';
COMMENT ON FUNCTION tree_gin_extract_value(tree, internal, internal) IS 'GIN support';
COMMENT ON FUNCTION tree_gin_extract_query(tree, internal, smallint, internal, internal, internal, internal) IS 'GIN support';
COMMENT ON FUNCTION tree_gin_consistent(internal, smallint, tree, integer, internal, internal, internal, internal) IS 'GIN support';
COMMENT ON FUNCTION tree_gin_triconsistent(internal, smallint, tree, integer, internal, internal, internal) IS 'GIN support';
COMMENT ON OPERATOR CLASS tree_ops USING gin IS 'trees within a distance, by shared labels';
COMMENT ON OPERATOR FAMILY tree_ops USING gin IS 'trees within a distance, by shared labels';
COMMENT ON FUNCTION tree_gist_compress(internal) IS 'GiST support';
COMMENT ON FUNCTION tree_gist_consistent(internal, tree, smallint, oid, internal) IS 'GiST support';
COMMENT ON FUNCTION tree_gist_distance(internal, tree, smallint, oid, internal) IS 'GiST support';
COMMENT ON FUNCTION tree_gist_union(internal, internal) IS 'GiST support';
COMMENT ON FUNCTION tree_gist_penalty(internal, internal, internal) IS 'GiST support';
COMMENT ON FUNCTION tree_gist_picksplit(internal, internal) IS 'GiST support';
COMMENT ON FUNCTION tree_gist_same(bytea, bytea, internal) IS 'GiST support';
COMMENT ON OPERATOR CLASS tree_ops USING gist IS 'nearest trees, trees within a distance and equal ones, by sizes and labels';
COMMENT ON OPERATOR FAMILY tree_ops USING gist IS 'nearest trees, trees within a distance and equal ones, by sizes and labels';

-- Distances straight on documents; inlined, so that expression indexes apply

CREATE FUNCTION tree_edit_distance(a xml, b xml) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	RETURN tree_edit_distance(a::tree, b::tree);
CREATE FUNCTION tree_edit_distance(a xml, b xml, ins_cost integer, del_cost integer DEFAULT 1, ren_cost integer DEFAULT 1) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	RETURN tree_edit_distance(a::tree, b::tree, ins_cost, del_cost, ren_cost);
CREATE FUNCTION tree_edit_distance(a xml, b xml, del_cost bigint, ren_cost bigint DEFAULT 1) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	RETURN tree_edit_distance(a::tree, b::tree, 1, del_cost::integer, ren_cost::integer);
CREATE FUNCTION tree_edit_distance(a xml, b xml, ren_cost bigint) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	RETURN tree_edit_distance(a::tree, b::tree, 1, 1, ren_cost::integer);
CREATE FUNCTION tree_edit_distance_less_equal(a xml, b xml, max_distance integer) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_edit_distance_less_equal(a::tree, b::tree, max_distance);
CREATE FUNCTION tree_edit_distance_less_equal(a xml, b xml, max_distance float8) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_edit_distance_less_equal(a::tree, b::tree, ted_max_distance(max_distance));
CREATE FUNCTION tree_edit_distance_less_equal(a xml, b xml, ins_cost integer, del_cost integer, ren_cost integer, max_distance integer) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_edit_distance_less_equal(a::tree, b::tree, ins_cost, del_cost, ren_cost, max_distance);
CREATE FUNCTION tree_within(a xml, b xml, max_distance integer) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_within(a::tree, b::tree, max_distance);
CREATE FUNCTION tree_within(a xml, b xml, max_distance float8) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_within(a::tree, b::tree, ted_max_distance(max_distance));
CREATE FUNCTION tree_similarity(a xml, b xml) RETURNS float8
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	RETURN tree_similarity(a::tree, b::tree);
CREATE FUNCTION tree_pqgram_distance(a xml, b xml, p integer DEFAULT 2, q integer DEFAULT 3) RETURNS float8
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 500
	RETURN tree_pqgram_distance(a::tree, b::tree, p, q);
CREATE FUNCTION tree_similar(a xml, b xml, min_similarity float8) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_similar(a::tree, b::tree, min_similarity);
CREATE FUNCTION tree_edit_distance(a xml, b xml, costs tree_costs) RETURNS float8
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	RETURN tree_edit_distance(a::tree, b::tree, costs);
CREATE FUNCTION tree_edit_distance_less_equal(a xml, b xml, max_distance float8, costs tree_costs) RETURNS float8
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_edit_distance_less_equal(a::tree, b::tree, max_distance, costs);
CREATE FUNCTION tree_within(a xml, b xml, max_distance float8, costs tree_costs) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_within(a::tree, b::tree, max_distance, costs);
CREATE FUNCTION tree_similarity(a xml, b xml, costs tree_costs) RETURNS float8
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	RETURN tree_similarity(a::tree, b::tree, costs);
CREATE FUNCTION tree_similar(a xml, b xml, min_similarity float8, costs tree_costs) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_similar(a::tree, b::tree, min_similarity, costs);

COMMENT ON FUNCTION tree_edit_distance(xml, xml) IS 'tree edit distance';
COMMENT ON FUNCTION tree_edit_distance(xml, xml, integer, integer, integer) IS 'tree edit distance with costs to insert, delete and rename a node';
COMMENT ON FUNCTION tree_edit_distance(xml, xml, bigint, bigint) IS 'tree edit distance with costs to delete and rename a node';
COMMENT ON FUNCTION tree_edit_distance(xml, xml, bigint) IS 'tree edit distance with a cost to rename a node';
COMMENT ON FUNCTION tree_edit_distance_less_equal(xml, xml, integer) IS 'tree edit distance if it is at most max_distance, else a larger number';
COMMENT ON FUNCTION tree_edit_distance_less_equal(xml, xml, float8) IS 'tree edit distance if it is at most max_distance, else a larger number';
COMMENT ON FUNCTION tree_edit_distance_less_equal(xml, xml, integer, integer, integer, integer) IS 'tree edit distance with costs if it is at most max_distance, else a larger number';
COMMENT ON FUNCTION tree_within(xml, xml, integer) IS 'whether the tree edit distance is at most max_distance';
COMMENT ON FUNCTION tree_within(xml, xml, float8) IS 'whether the tree edit distance is at most max_distance';
COMMENT ON FUNCTION tree_similarity(xml, xml) IS '1 - distance / larger size, at least 0';
COMMENT ON FUNCTION tree_pqgram_distance(xml, xml, integer, integer) IS '1 - 2 * common pq-grams / pq-grams of both';
COMMENT ON FUNCTION tree_similar(xml, xml, float8) IS 'whether the similarity is at least min_similarity';
COMMENT ON FUNCTION tree_edit_distance(xml, xml, tree_costs) IS 'tree edit distance by a model of costs';
COMMENT ON FUNCTION tree_edit_distance_less_equal(xml, xml, float8, tree_costs) IS 'tree edit distance by a model of costs if it is at most max_distance, else a larger number';
COMMENT ON FUNCTION tree_within(xml, xml, float8, tree_costs) IS 'whether the tree edit distance by a model of costs is at most max_distance';
COMMENT ON FUNCTION tree_similarity(xml, xml, tree_costs) IS '1 - distance / larger cost of a tree, at least 0, by a model of costs';
COMMENT ON FUNCTION tree_similar(xml, xml, float8, tree_costs) IS 'whether the similarity by a model of costs is at least min_similarity';

CREATE FUNCTION tree_edit_distance(a json, b json) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	RETURN tree_edit_distance(a::tree, b::tree);
CREATE FUNCTION tree_edit_distance(a json, b json, ins_cost integer, del_cost integer DEFAULT 1, ren_cost integer DEFAULT 1) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	RETURN tree_edit_distance(a::tree, b::tree, ins_cost, del_cost, ren_cost);
CREATE FUNCTION tree_edit_distance(a json, b json, del_cost bigint, ren_cost bigint DEFAULT 1) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	RETURN tree_edit_distance(a::tree, b::tree, 1, del_cost::integer, ren_cost::integer);
CREATE FUNCTION tree_edit_distance(a json, b json, ren_cost bigint) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	RETURN tree_edit_distance(a::tree, b::tree, 1, 1, ren_cost::integer);
CREATE FUNCTION tree_edit_distance_less_equal(a json, b json, max_distance integer) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_edit_distance_less_equal(a::tree, b::tree, max_distance);
CREATE FUNCTION tree_edit_distance_less_equal(a json, b json, max_distance float8) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_edit_distance_less_equal(a::tree, b::tree, ted_max_distance(max_distance));
CREATE FUNCTION tree_edit_distance_less_equal(a json, b json, ins_cost integer, del_cost integer, ren_cost integer, max_distance integer) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_edit_distance_less_equal(a::tree, b::tree, ins_cost, del_cost, ren_cost, max_distance);
CREATE FUNCTION tree_within(a json, b json, max_distance integer) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_within(a::tree, b::tree, max_distance);
CREATE FUNCTION tree_within(a json, b json, max_distance float8) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_within(a::tree, b::tree, ted_max_distance(max_distance));
CREATE FUNCTION tree_similarity(a json, b json) RETURNS float8
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	RETURN tree_similarity(a::tree, b::tree);
CREATE FUNCTION tree_pqgram_distance(a json, b json, p integer DEFAULT 2, q integer DEFAULT 3) RETURNS float8
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 500
	RETURN tree_pqgram_distance(a::tree, b::tree, p, q);
CREATE FUNCTION tree_similar(a json, b json, min_similarity float8) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_similar(a::tree, b::tree, min_similarity);
CREATE FUNCTION tree_edit_distance(a json, b json, costs tree_costs) RETURNS float8
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	RETURN tree_edit_distance(a::tree, b::tree, costs);
CREATE FUNCTION tree_edit_distance_less_equal(a json, b json, max_distance float8, costs tree_costs) RETURNS float8
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_edit_distance_less_equal(a::tree, b::tree, max_distance, costs);
CREATE FUNCTION tree_within(a json, b json, max_distance float8, costs tree_costs) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_within(a::tree, b::tree, max_distance, costs);
CREATE FUNCTION tree_similarity(a json, b json, costs tree_costs) RETURNS float8
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	RETURN tree_similarity(a::tree, b::tree, costs);
CREATE FUNCTION tree_similar(a json, b json, min_similarity float8, costs tree_costs) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_similar(a::tree, b::tree, min_similarity, costs);

COMMENT ON FUNCTION tree_edit_distance(json, json) IS 'tree edit distance';
COMMENT ON FUNCTION tree_edit_distance(json, json, integer, integer, integer) IS 'tree edit distance with costs to insert, delete and rename a node';
COMMENT ON FUNCTION tree_edit_distance(json, json, bigint, bigint) IS 'tree edit distance with costs to delete and rename a node';
COMMENT ON FUNCTION tree_edit_distance(json, json, bigint) IS 'tree edit distance with a cost to rename a node';
COMMENT ON FUNCTION tree_edit_distance_less_equal(json, json, integer) IS 'tree edit distance if it is at most max_distance, else a larger number';
COMMENT ON FUNCTION tree_edit_distance_less_equal(json, json, float8) IS 'tree edit distance if it is at most max_distance, else a larger number';
COMMENT ON FUNCTION tree_edit_distance_less_equal(json, json, integer, integer, integer, integer) IS 'tree edit distance with costs if it is at most max_distance, else a larger number';
COMMENT ON FUNCTION tree_within(json, json, integer) IS 'whether the tree edit distance is at most max_distance';
COMMENT ON FUNCTION tree_within(json, json, float8) IS 'whether the tree edit distance is at most max_distance';
COMMENT ON FUNCTION tree_similarity(json, json) IS '1 - distance / larger size, at least 0';
COMMENT ON FUNCTION tree_pqgram_distance(json, json, integer, integer) IS '1 - 2 * common pq-grams / pq-grams of both';
COMMENT ON FUNCTION tree_similar(json, json, float8) IS 'whether the similarity is at least min_similarity';
COMMENT ON FUNCTION tree_edit_distance(json, json, tree_costs) IS 'tree edit distance by a model of costs';
COMMENT ON FUNCTION tree_edit_distance_less_equal(json, json, float8, tree_costs) IS 'tree edit distance by a model of costs if it is at most max_distance, else a larger number';
COMMENT ON FUNCTION tree_within(json, json, float8, tree_costs) IS 'whether the tree edit distance by a model of costs is at most max_distance';
COMMENT ON FUNCTION tree_similarity(json, json, tree_costs) IS '1 - distance / larger cost of a tree, at least 0, by a model of costs';
COMMENT ON FUNCTION tree_similar(json, json, float8, tree_costs) IS 'whether the similarity by a model of costs is at least min_similarity';

CREATE FUNCTION tree_edit_distance(a jsonb, b jsonb) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	RETURN tree_edit_distance(a::tree, b::tree);
CREATE FUNCTION tree_edit_distance(a jsonb, b jsonb, ins_cost integer, del_cost integer DEFAULT 1, ren_cost integer DEFAULT 1) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	RETURN tree_edit_distance(a::tree, b::tree, ins_cost, del_cost, ren_cost);
CREATE FUNCTION tree_edit_distance(a jsonb, b jsonb, del_cost bigint, ren_cost bigint DEFAULT 1) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	RETURN tree_edit_distance(a::tree, b::tree, 1, del_cost::integer, ren_cost::integer);
CREATE FUNCTION tree_edit_distance(a jsonb, b jsonb, ren_cost bigint) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	RETURN tree_edit_distance(a::tree, b::tree, 1, 1, ren_cost::integer);
CREATE FUNCTION tree_edit_distance_less_equal(a jsonb, b jsonb, max_distance integer) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_edit_distance_less_equal(a::tree, b::tree, max_distance);
CREATE FUNCTION tree_edit_distance_less_equal(a jsonb, b jsonb, max_distance float8) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_edit_distance_less_equal(a::tree, b::tree, ted_max_distance(max_distance));
CREATE FUNCTION tree_edit_distance_less_equal(a jsonb, b jsonb, ins_cost integer, del_cost integer, ren_cost integer, max_distance integer) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_edit_distance_less_equal(a::tree, b::tree, ins_cost, del_cost, ren_cost, max_distance);
CREATE FUNCTION tree_within(a jsonb, b jsonb, max_distance integer) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_within(a::tree, b::tree, max_distance);
CREATE FUNCTION tree_within(a jsonb, b jsonb, max_distance float8) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_within(a::tree, b::tree, ted_max_distance(max_distance));
CREATE FUNCTION tree_similarity(a jsonb, b jsonb) RETURNS float8
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	RETURN tree_similarity(a::tree, b::tree);
CREATE FUNCTION tree_pqgram_distance(a jsonb, b jsonb, p integer DEFAULT 2, q integer DEFAULT 3) RETURNS float8
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 500
	RETURN tree_pqgram_distance(a::tree, b::tree, p, q);
CREATE FUNCTION tree_similar(a jsonb, b jsonb, min_similarity float8) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_similar(a::tree, b::tree, min_similarity);
CREATE FUNCTION tree_edit_distance(a jsonb, b jsonb, costs tree_costs) RETURNS float8
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	RETURN tree_edit_distance(a::tree, b::tree, costs);
CREATE FUNCTION tree_edit_distance_less_equal(a jsonb, b jsonb, max_distance float8, costs tree_costs) RETURNS float8
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_edit_distance_less_equal(a::tree, b::tree, max_distance, costs);
CREATE FUNCTION tree_within(a jsonb, b jsonb, max_distance float8, costs tree_costs) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_within(a::tree, b::tree, max_distance, costs);
CREATE FUNCTION tree_similarity(a jsonb, b jsonb, costs tree_costs) RETURNS float8
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	RETURN tree_similarity(a::tree, b::tree, costs);
CREATE FUNCTION tree_similar(a jsonb, b jsonb, min_similarity float8, costs tree_costs) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_similar(a::tree, b::tree, min_similarity, costs);

COMMENT ON FUNCTION tree_edit_distance(jsonb, jsonb) IS 'tree edit distance';
COMMENT ON FUNCTION tree_edit_distance(jsonb, jsonb, integer, integer, integer) IS 'tree edit distance with costs to insert, delete and rename a node';
COMMENT ON FUNCTION tree_edit_distance(jsonb, jsonb, bigint, bigint) IS 'tree edit distance with costs to delete and rename a node';
COMMENT ON FUNCTION tree_edit_distance(jsonb, jsonb, bigint) IS 'tree edit distance with a cost to rename a node';
COMMENT ON FUNCTION tree_edit_distance_less_equal(jsonb, jsonb, integer) IS 'tree edit distance if it is at most max_distance, else a larger number';
COMMENT ON FUNCTION tree_edit_distance_less_equal(jsonb, jsonb, float8) IS 'tree edit distance if it is at most max_distance, else a larger number';
COMMENT ON FUNCTION tree_edit_distance_less_equal(jsonb, jsonb, integer, integer, integer, integer) IS 'tree edit distance with costs if it is at most max_distance, else a larger number';
COMMENT ON FUNCTION tree_within(jsonb, jsonb, integer) IS 'whether the tree edit distance is at most max_distance';
COMMENT ON FUNCTION tree_within(jsonb, jsonb, float8) IS 'whether the tree edit distance is at most max_distance';
COMMENT ON FUNCTION tree_similarity(jsonb, jsonb) IS '1 - distance / larger size, at least 0';
COMMENT ON FUNCTION tree_pqgram_distance(jsonb, jsonb, integer, integer) IS '1 - 2 * common pq-grams / pq-grams of both';
COMMENT ON FUNCTION tree_similar(jsonb, jsonb, float8) IS 'whether the similarity is at least min_similarity';
COMMENT ON FUNCTION tree_edit_distance(jsonb, jsonb, tree_costs) IS 'tree edit distance by a model of costs';
COMMENT ON FUNCTION tree_edit_distance_less_equal(jsonb, jsonb, float8, tree_costs) IS 'tree edit distance by a model of costs if it is at most max_distance, else a larger number';
COMMENT ON FUNCTION tree_within(jsonb, jsonb, float8, tree_costs) IS 'whether the tree edit distance by a model of costs is at most max_distance';
COMMENT ON FUNCTION tree_similarity(jsonb, jsonb, tree_costs) IS '1 - distance / larger cost of a tree, at least 0, by a model of costs';
COMMENT ON FUNCTION tree_similar(jsonb, jsonb, float8, tree_costs) IS 'whether the similarity by a model of costs is at least min_similarity';

-- Edit mapping

CREATE FUNCTION tree_edit_mapping(
	a tree, b tree, ins_cost integer DEFAULT 1, del_cost integer DEFAULT 1, ren_cost integer DEFAULT 1,
	approximate boolean DEFAULT false,
	OUT operation text,
	OUT left_node integer, OUT left_path text, OUT left_label text,
	OUT right_node integer, OUT right_path text, OUT right_label text
) RETURNS SETOF record
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 4000 ROWS 100;
CREATE FUNCTION tree_edit_mapping(
	a tree, b tree, costs tree_costs, approximate boolean DEFAULT false,
	OUT operation text,
	OUT left_node integer, OUT left_path text, OUT left_label text,
	OUT right_node integer, OUT right_path text, OUT right_label text,
	OUT cost float8
) RETURNS SETOF record
	AS 'MODULE_PATHNAME', 'tree_edit_mapping_model' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 4000 ROWS 100;
CREATE FUNCTION json_edit_mapping(
	a jsonb, b jsonb,
	OUT operation text,
	OUT left_node integer, OUT left_pointer text, OUT left_path text[], OUT left_label text,
	OUT right_node integer, OUT right_pointer text, OUT right_path text[], OUT right_label text
) RETURNS SETOF record
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 4000 ROWS 100;
CREATE FUNCTION json_edit_mapping(
	a jsonb, b jsonb, costs tree_costs,
	OUT operation text,
	OUT left_node integer, OUT left_pointer text, OUT left_path text[], OUT left_label text,
	OUT right_node integer, OUT right_pointer text, OUT right_path text[], OUT right_label text
) RETURNS SETOF record
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 4000 ROWS 100;
CREATE FUNCTION xml_edit_mapping(
	a xml, b xml,
	OUT operation text,
	OUT left_node integer, OUT left_xpath text, OUT left_label text,
	OUT right_node integer, OUT right_xpath text, OUT right_label text
) RETURNS SETOF record
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 4000 ROWS 100;
CREATE FUNCTION xml_edit_mapping(
	a xml, b xml, costs tree_costs,
	OUT operation text,
	OUT left_node integer, OUT left_xpath text, OUT left_label text,
	OUT right_node integer, OUT right_xpath text, OUT right_label text
) RETURNS SETOF record
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 4000 ROWS 100;

COMMENT ON FUNCTION tree_edit_mapping(tree, tree, integer, integer, integer, boolean) IS 'an edit mapping, optimal unless approximate: match, rename, delete, insert';
COMMENT ON FUNCTION tree_edit_mapping(tree, tree, tree_costs, boolean) IS 'an edit mapping by a model of costs, optimal unless approximate, with the cost of each operation';
COMMENT ON FUNCTION json_edit_mapping(jsonb, jsonb) IS 'an optimal edit mapping of JSON documents, with JSON Pointers and paths';
COMMENT ON FUNCTION json_edit_mapping(jsonb, jsonb, tree_costs) IS 'an optimal edit mapping of JSON documents by a model of costs, with JSON Pointers and paths';
COMMENT ON FUNCTION xml_edit_mapping(xml, xml) IS 'an optimal edit mapping of XML documents, with XPath expressions';
COMMENT ON FUNCTION xml_edit_mapping(xml, xml, tree_costs) IS 'an optimal edit mapping of XML documents by a model of costs, with XPath expressions';

-- Patches

CREATE FUNCTION json_patch(a jsonb, b jsonb) RETURNS jsonb
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
CREATE FUNCTION json_patch(a jsonb, b jsonb, costs tree_costs) RETURNS jsonb
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
CREATE FUNCTION json_patch_apply(doc jsonb, patch jsonb) RETURNS jsonb
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
CREATE FUNCTION xml_patch(a xml, b xml) RETURNS xml
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
CREATE FUNCTION xml_patch(a xml, b xml, costs tree_costs) RETURNS xml
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
CREATE FUNCTION xml_patch_apply(doc xml, patch xml) RETURNS xml
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION xml_patch(xml, xml) IS 'XML patch (RFC 5261) that makes the second document of the first one';
COMMENT ON FUNCTION xml_patch(xml, xml, tree_costs) IS 'XML patch (RFC 5261) that makes the second document of the first one, by a model of costs';
COMMENT ON FUNCTION xml_patch_apply(xml, xml) IS 'XML document after the operations of an XML patch (RFC 5261)';
COMMENT ON FUNCTION json_patch(jsonb, jsonb) IS 'JSON Patch (RFC 6902) that makes the second document of the first one';
COMMENT ON FUNCTION json_patch(jsonb, jsonb, tree_costs) IS 'JSON Patch (RFC 6902) that makes the second document of the first one, by a model of costs';
COMMENT ON FUNCTION json_patch_apply(jsonb, jsonb) IS 'JSON document after the operations of a JSON Patch (RFC 6902)';

-- Differences

CREATE FUNCTION tree_edit_counts(a tree, b tree, OUT matched integer, OUT renamed integer, OUT deleted integer, OUT inserted integer, OUT moved integer, OUT approximate boolean)
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
CREATE FUNCTION tree_edit_counts(a tree, b tree, costs tree_costs, OUT matched integer, OUT renamed integer, OUT deleted integer, OUT inserted integer, OUT moved integer, OUT approximate boolean)
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
CREATE FUNCTION tree_diff(a tree, b tree) RETURNS text
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
CREATE FUNCTION tree_diff(a xml, b xml) RETURNS text
	AS 'MODULE_PATHNAME', 'tree_diff_xml' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
CREATE FUNCTION tree_diff(a json, b json) RETURNS text
	AS 'MODULE_PATHNAME', 'tree_diff_json' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
CREATE FUNCTION tree_diff(a jsonb, b jsonb) RETURNS text
	AS 'MODULE_PATHNAME', 'tree_diff_jsonb' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
CREATE FUNCTION tree_diff(a tree, b tree, costs tree_costs) RETURNS text
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
CREATE FUNCTION tree_diff(a xml, b xml, costs tree_costs) RETURNS text
	AS 'MODULE_PATHNAME', 'tree_diff_xml' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
CREATE FUNCTION tree_diff(a json, b json, costs tree_costs) RETURNS text
	AS 'MODULE_PATHNAME', 'tree_diff_json' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
CREATE FUNCTION tree_diff(a jsonb, b jsonb, costs tree_costs) RETURNS text
	AS 'MODULE_PATHNAME', 'tree_diff_jsonb' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;

COMMENT ON FUNCTION tree_edit_counts(tree, tree) IS 'numbers of operations of an edit script';
COMMENT ON FUNCTION tree_edit_counts(tree, tree, tree_costs) IS 'numbers of operations of an edit script by a model of costs';
COMMENT ON FUNCTION tree_diff(tree, tree) IS 'differences of two trees, line by line';
COMMENT ON FUNCTION tree_diff(xml, xml) IS 'differences of two documents, line by line';
COMMENT ON FUNCTION tree_diff(json, json) IS 'differences of two documents, line by line';
COMMENT ON FUNCTION tree_diff(jsonb, jsonb) IS 'differences of two documents, line by line';
COMMENT ON FUNCTION tree_diff(tree, tree, tree_costs) IS 'differences of two trees, line by line, by a model of costs';
COMMENT ON FUNCTION tree_diff(xml, xml, tree_costs) IS 'differences of two documents, line by line, by a model of costs';
COMMENT ON FUNCTION tree_diff(json, json, tree_costs) IS 'differences of two documents, line by line, by a model of costs';
COMMENT ON FUNCTION tree_diff(jsonb, jsonb, tree_costs) IS 'differences of two documents, line by line, by a model of costs';

-- Pictures

CREATE FUNCTION tree_diff_html(a tree, b tree) RETURNS text
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
CREATE FUNCTION tree_diff_html(a xml, b xml) RETURNS text
	AS 'MODULE_PATHNAME', 'tree_diff_html_xml' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
CREATE FUNCTION tree_diff_html(a json, b json) RETURNS text
	AS 'MODULE_PATHNAME', 'tree_diff_html_json' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
CREATE FUNCTION tree_diff_html(a jsonb, b jsonb) RETURNS text
	AS 'MODULE_PATHNAME', 'tree_diff_html_jsonb' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
CREATE FUNCTION tree_diff_html(a tree, b tree, costs tree_costs) RETURNS text
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
CREATE FUNCTION tree_diff_html(a xml, b xml, costs tree_costs) RETURNS text
	AS 'MODULE_PATHNAME', 'tree_diff_html_xml' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
CREATE FUNCTION tree_diff_html(a json, b json, costs tree_costs) RETURNS text
	AS 'MODULE_PATHNAME', 'tree_diff_html_json' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
CREATE FUNCTION tree_diff_html(a jsonb, b jsonb, costs tree_costs) RETURNS text
	AS 'MODULE_PATHNAME', 'tree_diff_html_jsonb' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
CREATE FUNCTION tree_diff_svg(a tree, b tree) RETURNS text
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
CREATE FUNCTION tree_diff_svg(a xml, b xml) RETURNS text
	AS 'MODULE_PATHNAME', 'tree_diff_svg_xml' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
CREATE FUNCTION tree_diff_svg(a json, b json) RETURNS text
	AS 'MODULE_PATHNAME', 'tree_diff_svg_json' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
CREATE FUNCTION tree_diff_svg(a jsonb, b jsonb) RETURNS text
	AS 'MODULE_PATHNAME', 'tree_diff_svg_jsonb' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
CREATE FUNCTION tree_diff_svg(a tree, b tree, costs tree_costs) RETURNS text
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
CREATE FUNCTION tree_diff_svg(a xml, b xml, costs tree_costs) RETURNS text
	AS 'MODULE_PATHNAME', 'tree_diff_svg_xml' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
CREATE FUNCTION tree_diff_svg(a json, b json, costs tree_costs) RETURNS text
	AS 'MODULE_PATHNAME', 'tree_diff_svg_json' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
CREATE FUNCTION tree_diff_svg(a jsonb, b jsonb, costs tree_costs) RETURNS text
	AS 'MODULE_PATHNAME', 'tree_diff_svg_jsonb' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
CREATE FUNCTION tree_svg(tree) RETURNS text
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION tree_diff_html(tree, tree) IS 'differences of two trees, side by side, as a page of HTML';
COMMENT ON FUNCTION tree_diff_html(xml, xml) IS 'differences of two documents, side by side, as a page of HTML';
COMMENT ON FUNCTION tree_diff_html(json, json) IS 'differences of two documents, side by side, as a page of HTML';
COMMENT ON FUNCTION tree_diff_html(jsonb, jsonb) IS 'differences of two documents, side by side, as a page of HTML';
COMMENT ON FUNCTION tree_diff_html(tree, tree, tree_costs) IS 'differences of two trees, side by side, as a page of HTML, by a model of costs';
COMMENT ON FUNCTION tree_diff_html(xml, xml, tree_costs) IS 'differences of two documents, side by side, as a page of HTML, by a model of costs';
COMMENT ON FUNCTION tree_diff_html(json, json, tree_costs) IS 'differences of two documents, side by side, as a page of HTML, by a model of costs';
COMMENT ON FUNCTION tree_diff_html(jsonb, jsonb, tree_costs) IS 'differences of two documents, side by side, as a page of HTML, by a model of costs';
COMMENT ON FUNCTION tree_diff_svg(tree, tree) IS 'differences of two trees, side by side, as a picture in SVG';
COMMENT ON FUNCTION tree_diff_svg(xml, xml) IS 'differences of two documents, side by side, as a picture in SVG';
COMMENT ON FUNCTION tree_diff_svg(json, json) IS 'differences of two documents, side by side, as a picture in SVG';
COMMENT ON FUNCTION tree_diff_svg(jsonb, jsonb) IS 'differences of two documents, side by side, as a picture in SVG';
COMMENT ON FUNCTION tree_diff_svg(tree, tree, tree_costs) IS 'differences of two trees, side by side, as a picture in SVG, by a model of costs';
COMMENT ON FUNCTION tree_diff_svg(xml, xml, tree_costs) IS 'differences of two documents, side by side, as a picture in SVG, by a model of costs';
COMMENT ON FUNCTION tree_diff_svg(json, json, tree_costs) IS 'differences of two documents, side by side, as a picture in SVG, by a model of costs';
COMMENT ON FUNCTION tree_diff_svg(jsonb, jsonb, tree_costs) IS 'differences of two documents, side by side, as a picture in SVG, by a model of costs';
COMMENT ON FUNCTION tree_svg(tree) IS 'a tree as a picture in SVG';

-- Nearest subtrees

CREATE FUNCTION tree_subtree_nearest(
	query tree, doc tree, k integer,
	max_distance integer DEFAULT 2147483647, min_similarity float8 DEFAULT 0,
	OUT rank integer, OUT node integer, OUT path text, OUT distance integer, OUT similarity float8
) RETURNS SETOF record
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 4000 ROWS 10;
CREATE FUNCTION tree_subtree_within(
	query tree, doc tree, max_distance integer DEFAULT 2147483647, min_similarity float8 DEFAULT 0,
	OUT node integer, OUT path text, OUT distance integer, OUT similarity float8
) RETURNS SETOF record
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 4000 ROWS 10;
CREATE FUNCTION tree_subtree_nearest(
	query tree, doc tree, k integer, max_distance float8, min_similarity float8, costs tree_costs,
	OUT rank integer, OUT node integer, OUT path text, OUT distance float8, OUT similarity float8
) RETURNS SETOF record
	AS 'MODULE_PATHNAME', 'tree_subtree_topk_model' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 4000 ROWS 10;
CREATE FUNCTION tree_subtree_within(
	query tree, doc tree, max_distance float8, min_similarity float8, costs tree_costs,
	OUT node integer, OUT path text, OUT distance float8, OUT similarity float8
) RETURNS SETOF record
	AS 'MODULE_PATHNAME', 'tree_subtree_matches_model' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 4000 ROWS 10;

COMMENT ON FUNCTION tree_subtree_nearest(tree, tree, integer, integer, float8) IS 'the k subtrees of doc nearest to query';
COMMENT ON FUNCTION tree_subtree_within(tree, tree, integer, float8) IS 'all subtrees of doc near query';
COMMENT ON FUNCTION tree_subtree_nearest(tree, tree, integer, float8, float8, tree_costs) IS 'the k subtrees of doc nearest to query by a model of costs';
COMMENT ON FUNCTION tree_subtree_within(tree, tree, float8, float8, tree_costs) IS 'all subtrees of doc near query by a model of costs';

-- Bounds, mappings and subtrees straight on documents

CREATE FUNCTION tree_edit_distance_lower_bound(a xml, b xml) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 500
	RETURN tree_edit_distance_lower_bound(a::tree, b::tree);
CREATE FUNCTION tree_edit_distance_upper_bound(a xml, b xml) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_edit_distance_upper_bound(a::tree, b::tree);
CREATE FUNCTION tree_edit_distances(query xml, docs xml[]) RETURNS integer[]
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 100000
	RETURN tree_edit_distances(query::tree, docs::tree[]);
CREATE FUNCTION tree_edit_counts(
	a xml, b xml,
	OUT matched integer, OUT renamed integer, OUT deleted integer, OUT inserted integer, OUT moved integer, OUT approximate boolean
)
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 2000
	BEGIN ATOMIC SELECT * FROM tree_edit_counts(a::tree, b::tree); END;
CREATE FUNCTION tree_edit_mapping(
	a xml, b xml, ins_cost integer DEFAULT 1, del_cost integer DEFAULT 1, ren_cost integer DEFAULT 1,
	approximate boolean DEFAULT false,
	OUT operation text,
	OUT left_node integer, OUT left_path text, OUT left_label text,
	OUT right_node integer, OUT right_path text, OUT right_label text
) RETURNS SETOF record
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 4000 ROWS 100
	BEGIN ATOMIC SELECT * FROM tree_edit_mapping(a::tree, b::tree, ins_cost, del_cost, ren_cost, approximate); END;
CREATE FUNCTION tree_subtree_nearest(
	query xml, doc xml, k integer,
	max_distance integer DEFAULT 2147483647, min_similarity float8 DEFAULT 0,
	OUT rank integer, OUT node integer, OUT path text, OUT distance integer, OUT similarity float8
) RETURNS SETOF record
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 4000 ROWS 10
	BEGIN ATOMIC SELECT * FROM tree_subtree_nearest(query::tree, doc::tree, k, max_distance, min_similarity); END;
CREATE FUNCTION tree_subtree_within(
	query xml, doc xml, max_distance integer DEFAULT 2147483647, min_similarity float8 DEFAULT 0,
	OUT node integer, OUT path text, OUT distance integer, OUT similarity float8
) RETURNS SETOF record
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 4000 ROWS 10
	BEGIN ATOMIC SELECT * FROM tree_subtree_within(query::tree, doc::tree, max_distance, min_similarity); END;
CREATE FUNCTION tree_edit_distance_lower_bound(a json, b json) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 500
	RETURN tree_edit_distance_lower_bound(a::tree, b::tree);
CREATE FUNCTION tree_edit_distance_upper_bound(a json, b json) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_edit_distance_upper_bound(a::tree, b::tree);
CREATE FUNCTION tree_edit_distances(query json, docs json[]) RETURNS integer[]
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 100000
	RETURN tree_edit_distances(query::tree, docs::tree[]);
CREATE FUNCTION tree_edit_counts(
	a json, b json,
	OUT matched integer, OUT renamed integer, OUT deleted integer, OUT inserted integer, OUT moved integer, OUT approximate boolean
)
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 2000
	BEGIN ATOMIC SELECT * FROM tree_edit_counts(a::tree, b::tree); END;
CREATE FUNCTION tree_edit_mapping(
	a json, b json, ins_cost integer DEFAULT 1, del_cost integer DEFAULT 1, ren_cost integer DEFAULT 1,
	approximate boolean DEFAULT false,
	OUT operation text,
	OUT left_node integer, OUT left_path text, OUT left_label text,
	OUT right_node integer, OUT right_path text, OUT right_label text
) RETURNS SETOF record
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 4000 ROWS 100
	BEGIN ATOMIC SELECT * FROM tree_edit_mapping(a::tree, b::tree, ins_cost, del_cost, ren_cost, approximate); END;
CREATE FUNCTION tree_subtree_nearest(
	query json, doc json, k integer,
	max_distance integer DEFAULT 2147483647, min_similarity float8 DEFAULT 0,
	OUT rank integer, OUT node integer, OUT path text, OUT distance integer, OUT similarity float8
) RETURNS SETOF record
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 4000 ROWS 10
	BEGIN ATOMIC SELECT * FROM tree_subtree_nearest(query::tree, doc::tree, k, max_distance, min_similarity); END;
CREATE FUNCTION tree_subtree_within(
	query json, doc json, max_distance integer DEFAULT 2147483647, min_similarity float8 DEFAULT 0,
	OUT node integer, OUT path text, OUT distance integer, OUT similarity float8
) RETURNS SETOF record
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 4000 ROWS 10
	BEGIN ATOMIC SELECT * FROM tree_subtree_within(query::tree, doc::tree, max_distance, min_similarity); END;
CREATE FUNCTION tree_edit_distance_lower_bound(a jsonb, b jsonb) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 500
	RETURN tree_edit_distance_lower_bound(a::tree, b::tree);
CREATE FUNCTION tree_edit_distance_upper_bound(a jsonb, b jsonb) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_edit_distance_upper_bound(a::tree, b::tree);
CREATE FUNCTION tree_edit_distances(query jsonb, docs jsonb[]) RETURNS integer[]
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 100000
	RETURN tree_edit_distances(query::tree, docs::tree[]);
CREATE FUNCTION tree_edit_counts(
	a jsonb, b jsonb,
	OUT matched integer, OUT renamed integer, OUT deleted integer, OUT inserted integer, OUT moved integer, OUT approximate boolean
)
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 2000
	BEGIN ATOMIC SELECT * FROM tree_edit_counts(a::tree, b::tree); END;
CREATE FUNCTION tree_edit_mapping(
	a jsonb, b jsonb, ins_cost integer DEFAULT 1, del_cost integer DEFAULT 1, ren_cost integer DEFAULT 1,
	approximate boolean DEFAULT false,
	OUT operation text,
	OUT left_node integer, OUT left_path text, OUT left_label text,
	OUT right_node integer, OUT right_path text, OUT right_label text
) RETURNS SETOF record
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 4000 ROWS 100
	BEGIN ATOMIC SELECT * FROM tree_edit_mapping(a::tree, b::tree, ins_cost, del_cost, ren_cost, approximate); END;
CREATE FUNCTION tree_subtree_nearest(
	query jsonb, doc jsonb, k integer,
	max_distance integer DEFAULT 2147483647, min_similarity float8 DEFAULT 0,
	OUT rank integer, OUT node integer, OUT path text, OUT distance integer, OUT similarity float8
) RETURNS SETOF record
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 4000 ROWS 10
	BEGIN ATOMIC SELECT * FROM tree_subtree_nearest(query::tree, doc::tree, k, max_distance, min_similarity); END;
CREATE FUNCTION tree_subtree_within(
	query jsonb, doc jsonb, max_distance integer DEFAULT 2147483647, min_similarity float8 DEFAULT 0,
	OUT node integer, OUT path text, OUT distance integer, OUT similarity float8
) RETURNS SETOF record
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 4000 ROWS 10
	BEGIN ATOMIC SELECT * FROM tree_subtree_within(query::tree, doc::tree, max_distance, min_similarity); END;
CREATE FUNCTION tree_edit_distance_lower_bound(a xml, b xml, costs tree_costs) RETURNS float8
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 500
	RETURN tree_edit_distance_lower_bound(a::tree, b::tree, costs);
CREATE FUNCTION tree_edit_distance_upper_bound(a xml, b xml, costs tree_costs) RETURNS float8
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_edit_distance_upper_bound(a::tree, b::tree, costs);
CREATE FUNCTION tree_edit_distances(query xml, docs xml[], costs tree_costs) RETURNS float8[]
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 100000
	RETURN tree_edit_distances(query::tree, docs::tree[], costs);
CREATE FUNCTION tree_edit_counts(
	a xml, b xml, costs tree_costs,
	OUT matched integer, OUT renamed integer, OUT deleted integer, OUT inserted integer, OUT moved integer, OUT approximate boolean
)
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 2000
	BEGIN ATOMIC SELECT * FROM tree_edit_counts(a::tree, b::tree, costs); END;
CREATE FUNCTION tree_edit_mapping(
	a xml, b xml, costs tree_costs, approximate boolean DEFAULT false,
	OUT operation text,
	OUT left_node integer, OUT left_path text, OUT left_label text,
	OUT right_node integer, OUT right_path text, OUT right_label text,
	OUT cost float8
) RETURNS SETOF record
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 4000 ROWS 100
	BEGIN ATOMIC SELECT * FROM tree_edit_mapping(a::tree, b::tree, costs, approximate); END;
CREATE FUNCTION tree_subtree_nearest(
	query xml, doc xml, k integer, max_distance float8, min_similarity float8, costs tree_costs,
	OUT rank integer, OUT node integer, OUT path text, OUT distance float8, OUT similarity float8
) RETURNS SETOF record
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 4000 ROWS 10
	BEGIN ATOMIC SELECT * FROM tree_subtree_nearest(query::tree, doc::tree, k, max_distance, min_similarity, costs); END;
CREATE FUNCTION tree_subtree_within(
	query xml, doc xml, max_distance float8, min_similarity float8, costs tree_costs,
	OUT node integer, OUT path text, OUT distance float8, OUT similarity float8
) RETURNS SETOF record
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 4000 ROWS 10
	BEGIN ATOMIC SELECT * FROM tree_subtree_within(query::tree, doc::tree, max_distance, min_similarity, costs); END;
CREATE FUNCTION tree_edit_distance_lower_bound(a json, b json, costs tree_costs) RETURNS float8
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 500
	RETURN tree_edit_distance_lower_bound(a::tree, b::tree, costs);
CREATE FUNCTION tree_edit_distance_upper_bound(a json, b json, costs tree_costs) RETURNS float8
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_edit_distance_upper_bound(a::tree, b::tree, costs);
CREATE FUNCTION tree_edit_distances(query json, docs json[], costs tree_costs) RETURNS float8[]
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 100000
	RETURN tree_edit_distances(query::tree, docs::tree[], costs);
CREATE FUNCTION tree_edit_counts(
	a json, b json, costs tree_costs,
	OUT matched integer, OUT renamed integer, OUT deleted integer, OUT inserted integer, OUT moved integer, OUT approximate boolean
)
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 2000
	BEGIN ATOMIC SELECT * FROM tree_edit_counts(a::tree, b::tree, costs); END;
CREATE FUNCTION tree_edit_mapping(
	a json, b json, costs tree_costs, approximate boolean DEFAULT false,
	OUT operation text,
	OUT left_node integer, OUT left_path text, OUT left_label text,
	OUT right_node integer, OUT right_path text, OUT right_label text,
	OUT cost float8
) RETURNS SETOF record
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 4000 ROWS 100
	BEGIN ATOMIC SELECT * FROM tree_edit_mapping(a::tree, b::tree, costs, approximate); END;
CREATE FUNCTION tree_subtree_nearest(
	query json, doc json, k integer, max_distance float8, min_similarity float8, costs tree_costs,
	OUT rank integer, OUT node integer, OUT path text, OUT distance float8, OUT similarity float8
) RETURNS SETOF record
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 4000 ROWS 10
	BEGIN ATOMIC SELECT * FROM tree_subtree_nearest(query::tree, doc::tree, k, max_distance, min_similarity, costs); END;
CREATE FUNCTION tree_subtree_within(
	query json, doc json, max_distance float8, min_similarity float8, costs tree_costs,
	OUT node integer, OUT path text, OUT distance float8, OUT similarity float8
) RETURNS SETOF record
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 4000 ROWS 10
	BEGIN ATOMIC SELECT * FROM tree_subtree_within(query::tree, doc::tree, max_distance, min_similarity, costs); END;
CREATE FUNCTION tree_edit_distance_lower_bound(a jsonb, b jsonb, costs tree_costs) RETURNS float8
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 500
	RETURN tree_edit_distance_lower_bound(a::tree, b::tree, costs);
CREATE FUNCTION tree_edit_distance_upper_bound(a jsonb, b jsonb, costs tree_costs) RETURNS float8
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_edit_distance_upper_bound(a::tree, b::tree, costs);
CREATE FUNCTION tree_edit_distances(query jsonb, docs jsonb[], costs tree_costs) RETURNS float8[]
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 100000
	RETURN tree_edit_distances(query::tree, docs::tree[], costs);
CREATE FUNCTION tree_edit_counts(
	a jsonb, b jsonb, costs tree_costs,
	OUT matched integer, OUT renamed integer, OUT deleted integer, OUT inserted integer, OUT moved integer, OUT approximate boolean
)
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 2000
	BEGIN ATOMIC SELECT * FROM tree_edit_counts(a::tree, b::tree, costs); END;
CREATE FUNCTION tree_edit_mapping(
	a jsonb, b jsonb, costs tree_costs, approximate boolean DEFAULT false,
	OUT operation text,
	OUT left_node integer, OUT left_path text, OUT left_label text,
	OUT right_node integer, OUT right_path text, OUT right_label text,
	OUT cost float8
) RETURNS SETOF record
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 4000 ROWS 100
	BEGIN ATOMIC SELECT * FROM tree_edit_mapping(a::tree, b::tree, costs, approximate); END;
CREATE FUNCTION tree_subtree_nearest(
	query jsonb, doc jsonb, k integer, max_distance float8, min_similarity float8, costs tree_costs,
	OUT rank integer, OUT node integer, OUT path text, OUT distance float8, OUT similarity float8
) RETURNS SETOF record
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 4000 ROWS 10
	BEGIN ATOMIC SELECT * FROM tree_subtree_nearest(query::tree, doc::tree, k, max_distance, min_similarity, costs); END;
CREATE FUNCTION tree_subtree_within(
	query jsonb, doc jsonb, max_distance float8, min_similarity float8, costs tree_costs,
	OUT node integer, OUT path text, OUT distance float8, OUT similarity float8
) RETURNS SETOF record
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 4000 ROWS 10
	BEGIN ATOMIC SELECT * FROM tree_subtree_within(query::tree, doc::tree, max_distance, min_similarity, costs); END;

COMMENT ON FUNCTION tree_edit_distance_lower_bound(xml, xml) IS 'lower bound on the tree edit distance';
COMMENT ON FUNCTION tree_edit_distance_upper_bound(xml, xml) IS 'upper bound on the tree edit distance';
COMMENT ON FUNCTION tree_edit_distances(xml, xml[]) IS 'tree edit distances between one document and many';
COMMENT ON FUNCTION tree_edit_counts(xml, xml) IS 'numbers of operations of an edit script';
COMMENT ON FUNCTION tree_edit_mapping(xml, xml, integer, integer, integer, boolean) IS 'an edit mapping, optimal unless approximate: match, rename, delete, insert';
COMMENT ON FUNCTION tree_subtree_nearest(xml, xml, integer, integer, float8) IS 'the k subtrees of doc nearest to query';
COMMENT ON FUNCTION tree_subtree_within(xml, xml, integer, float8) IS 'all subtrees of doc near query';
COMMENT ON FUNCTION tree_edit_distance_lower_bound(json, json) IS 'lower bound on the tree edit distance';
COMMENT ON FUNCTION tree_edit_distance_upper_bound(json, json) IS 'upper bound on the tree edit distance';
COMMENT ON FUNCTION tree_edit_distances(json, json[]) IS 'tree edit distances between one document and many';
COMMENT ON FUNCTION tree_edit_counts(json, json) IS 'numbers of operations of an edit script';
COMMENT ON FUNCTION tree_edit_mapping(json, json, integer, integer, integer, boolean) IS 'an edit mapping, optimal unless approximate: match, rename, delete, insert';
COMMENT ON FUNCTION tree_subtree_nearest(json, json, integer, integer, float8) IS 'the k subtrees of doc nearest to query';
COMMENT ON FUNCTION tree_subtree_within(json, json, integer, float8) IS 'all subtrees of doc near query';
COMMENT ON FUNCTION tree_edit_distance_lower_bound(jsonb, jsonb) IS 'lower bound on the tree edit distance';
COMMENT ON FUNCTION tree_edit_distance_upper_bound(jsonb, jsonb) IS 'upper bound on the tree edit distance';
COMMENT ON FUNCTION tree_edit_distances(jsonb, jsonb[]) IS 'tree edit distances between one document and many';
COMMENT ON FUNCTION tree_edit_counts(jsonb, jsonb) IS 'numbers of operations of an edit script';
COMMENT ON FUNCTION tree_edit_mapping(jsonb, jsonb, integer, integer, integer, boolean) IS 'an edit mapping, optimal unless approximate: match, rename, delete, insert';
COMMENT ON FUNCTION tree_subtree_nearest(jsonb, jsonb, integer, integer, float8) IS 'the k subtrees of doc nearest to query';
COMMENT ON FUNCTION tree_subtree_within(jsonb, jsonb, integer, float8) IS 'all subtrees of doc near query';
COMMENT ON FUNCTION tree_edit_distance_lower_bound(xml, xml, tree_costs) IS 'lower bound on the tree edit distance by a model of costs';
COMMENT ON FUNCTION tree_edit_distance_upper_bound(xml, xml, tree_costs) IS 'upper bound on the tree edit distance by a model of costs';
COMMENT ON FUNCTION tree_edit_distances(xml, xml[], tree_costs) IS 'tree edit distances by a model of costs between one document and many';
COMMENT ON FUNCTION tree_edit_counts(xml, xml, tree_costs) IS 'numbers of operations of an edit script by a model of costs';
COMMENT ON FUNCTION tree_edit_mapping(xml, xml, tree_costs, boolean) IS 'an edit mapping by a model of costs, optimal unless approximate, with the cost of each operation';
COMMENT ON FUNCTION tree_subtree_nearest(xml, xml, integer, float8, float8, tree_costs) IS 'the k subtrees of doc nearest to query by a model of costs';
COMMENT ON FUNCTION tree_subtree_within(xml, xml, float8, float8, tree_costs) IS 'all subtrees of doc near query by a model of costs';
COMMENT ON FUNCTION tree_edit_distance_lower_bound(json, json, tree_costs) IS 'lower bound on the tree edit distance by a model of costs';
COMMENT ON FUNCTION tree_edit_distance_upper_bound(json, json, tree_costs) IS 'upper bound on the tree edit distance by a model of costs';
COMMENT ON FUNCTION tree_edit_distances(json, json[], tree_costs) IS 'tree edit distances by a model of costs between one document and many';
COMMENT ON FUNCTION tree_edit_counts(json, json, tree_costs) IS 'numbers of operations of an edit script by a model of costs';
COMMENT ON FUNCTION tree_edit_mapping(json, json, tree_costs, boolean) IS 'an edit mapping by a model of costs, optimal unless approximate, with the cost of each operation';
COMMENT ON FUNCTION tree_subtree_nearest(json, json, integer, float8, float8, tree_costs) IS 'the k subtrees of doc nearest to query by a model of costs';
COMMENT ON FUNCTION tree_subtree_within(json, json, float8, float8, tree_costs) IS 'all subtrees of doc near query by a model of costs';
COMMENT ON FUNCTION tree_edit_distance_lower_bound(jsonb, jsonb, tree_costs) IS 'lower bound on the tree edit distance by a model of costs';
COMMENT ON FUNCTION tree_edit_distance_upper_bound(jsonb, jsonb, tree_costs) IS 'upper bound on the tree edit distance by a model of costs';
COMMENT ON FUNCTION tree_edit_distances(jsonb, jsonb[], tree_costs) IS 'tree edit distances by a model of costs between one document and many';
COMMENT ON FUNCTION tree_edit_counts(jsonb, jsonb, tree_costs) IS 'numbers of operations of an edit script by a model of costs';
COMMENT ON FUNCTION tree_edit_mapping(jsonb, jsonb, tree_costs, boolean) IS 'an edit mapping by a model of costs, optimal unless approximate, with the cost of each operation';
COMMENT ON FUNCTION tree_subtree_nearest(jsonb, jsonb, integer, float8, float8, tree_costs) IS 'the k subtrees of doc nearest to query by a model of costs';
COMMENT ON FUNCTION tree_subtree_within(jsonb, jsonb, float8, float8, tree_costs) IS 'all subtrees of doc near query by a model of costs';

-- Similarity join

CREATE TYPE tree_match AS (left_id bigint, right_id bigint, distance integer);
CREATE TYPE tree_join_row AS (id bigint, side "char", max_distance integer, doc tree);

COMMENT ON TYPE tree_match IS 'a pair of documents and their distance';
COMMENT ON TYPE tree_join_row IS 'a document in the state of tree_within_pairs';

CREATE TYPE tree_costs_match AS (left_id bigint, right_id bigint, distance float8);
CREATE TYPE tree_costs_join_row AS (id bigint, side "char", max_distance float8, doc tree, costs tree_costs);

COMMENT ON TYPE tree_costs_match IS 'a pair of documents and their distance by a model of costs';
COMMENT ON TYPE tree_costs_join_row IS 'a document in the state of tree_within_pairs by a model of costs';

CREATE FUNCTION tree_within_pairs_transfn(tree_join_row[], bigint, tree, integer) RETURNS tree_join_row[]
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION tree_within_pairs_transfn(tree_join_row[], bigint, tree, integer, "char") RETURNS tree_join_row[]
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION tree_within_pairs_transfn(tree_join_row[], bigint, tree, float8) RETURNS tree_join_row[]
	AS 'MODULE_PATHNAME', 'tree_within_pairs_transfn_float8' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION tree_within_pairs_transfn(tree_join_row[], bigint, tree, float8, "char") RETURNS tree_join_row[]
	AS 'MODULE_PATHNAME', 'tree_within_pairs_transfn_float8' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION tree_within_pairs_combine(tree_join_row[], tree_join_row[]) RETURNS tree_join_row[]
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION tree_within_pairs_finalfn(tree_join_row[]) RETURNS tree_match[]
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10000;

CREATE AGGREGATE tree_within_pairs(id bigint, doc tree, max_distance integer) (
	SFUNC = tree_within_pairs_transfn, STYPE = tree_join_row[],
	COMBINEFUNC = tree_within_pairs_combine, FINALFUNC = tree_within_pairs_finalfn,
	PARALLEL = SAFE
);
CREATE AGGREGATE tree_within_pairs(id bigint, doc tree, max_distance integer, side "char") (
	SFUNC = tree_within_pairs_transfn, STYPE = tree_join_row[],
	COMBINEFUNC = tree_within_pairs_combine, FINALFUNC = tree_within_pairs_finalfn,
	PARALLEL = SAFE
);
CREATE AGGREGATE tree_within_pairs(id bigint, doc tree, max_distance float8) (
	SFUNC = tree_within_pairs_transfn, STYPE = tree_join_row[],
	COMBINEFUNC = tree_within_pairs_combine, FINALFUNC = tree_within_pairs_finalfn,
	PARALLEL = SAFE
);
CREATE AGGREGATE tree_within_pairs(id bigint, doc tree, max_distance float8, side "char") (
	SFUNC = tree_within_pairs_transfn, STYPE = tree_join_row[],
	COMBINEFUNC = tree_within_pairs_combine, FINALFUNC = tree_within_pairs_finalfn,
	PARALLEL = SAFE
);

CREATE FUNCTION tree_within_pairs_transfn(tree_costs_join_row[], bigint, tree, float8, tree_costs) RETURNS tree_costs_join_row[]
	AS 'MODULE_PATHNAME', 'tree_within_pairs_transfn_model' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION tree_within_pairs_transfn(tree_costs_join_row[], bigint, tree, float8, "char", tree_costs) RETURNS tree_costs_join_row[]
	AS 'MODULE_PATHNAME', 'tree_within_pairs_transfn_model' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION tree_within_pairs_combine(tree_costs_join_row[], tree_costs_join_row[]) RETURNS tree_costs_join_row[]
	AS 'MODULE_PATHNAME', 'tree_within_pairs_combine_model' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION tree_within_pairs_finalfn(tree_costs_join_row[]) RETURNS tree_costs_match[]
	AS 'MODULE_PATHNAME', 'tree_within_pairs_finalfn_model' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10000;

CREATE AGGREGATE tree_within_pairs(id bigint, doc tree, max_distance float8, costs tree_costs) (
	SFUNC = tree_within_pairs_transfn, STYPE = tree_costs_join_row[],
	COMBINEFUNC = tree_within_pairs_combine, FINALFUNC = tree_within_pairs_finalfn,
	PARALLEL = SAFE
);
CREATE AGGREGATE tree_within_pairs(id bigint, doc tree, max_distance float8, side "char", costs tree_costs) (
	SFUNC = tree_within_pairs_transfn, STYPE = tree_costs_join_row[],
	COMBINEFUNC = tree_within_pairs_combine, FINALFUNC = tree_within_pairs_finalfn,
	PARALLEL = SAFE
);

COMMENT ON FUNCTION tree_within_pairs_transfn(tree_join_row[], bigint, tree, integer) IS 'aggregate transition function';
COMMENT ON FUNCTION tree_within_pairs_transfn(tree_join_row[], bigint, tree, float8) IS 'aggregate transition function';
COMMENT ON FUNCTION tree_within_pairs_transfn(tree_join_row[], bigint, tree, integer, "char") IS 'aggregate transition function';
COMMENT ON FUNCTION tree_within_pairs_transfn(tree_join_row[], bigint, tree, float8, "char") IS 'aggregate transition function';
COMMENT ON FUNCTION tree_within_pairs_combine(tree_join_row[], tree_join_row[]) IS 'aggregate combine function';
COMMENT ON FUNCTION tree_within_pairs_finalfn(tree_join_row[]) IS 'aggregate final function';
COMMENT ON AGGREGATE tree_within_pairs(bigint, tree, integer) IS 'all pairs of documents at most max_distance apart';
COMMENT ON AGGREGATE tree_within_pairs(bigint, tree, float8) IS 'all pairs of documents at most max_distance apart';
COMMENT ON AGGREGATE tree_within_pairs(bigint, tree, integer, "char") IS 'all pairs of a left and a right document at most max_distance apart';
COMMENT ON AGGREGATE tree_within_pairs(bigint, tree, float8, "char") IS 'all pairs of a left and a right document at most max_distance apart';
COMMENT ON FUNCTION tree_within_pairs_transfn(tree_costs_join_row[], bigint, tree, float8, tree_costs) IS 'aggregate transition function';
COMMENT ON FUNCTION tree_within_pairs_transfn(tree_costs_join_row[], bigint, tree, float8, "char", tree_costs) IS 'aggregate transition function';
COMMENT ON FUNCTION tree_within_pairs_combine(tree_costs_join_row[], tree_costs_join_row[]) IS 'aggregate combine function';
COMMENT ON FUNCTION tree_within_pairs_finalfn(tree_costs_join_row[]) IS 'aggregate final function';
COMMENT ON AGGREGATE tree_within_pairs(bigint, tree, float8, tree_costs) IS 'all pairs of documents at most max_distance apart by a model of costs';
COMMENT ON AGGREGATE tree_within_pairs(bigint, tree, float8, "char", tree_costs) IS 'all pairs of a left and a right document at most max_distance apart by a model of costs';

-- Clusters

CREATE FUNCTION ted_clusters(left_ids anycompatiblearray, right_ids anycompatiblearray, OUT id anycompatible, OUT cluster anycompatible)
	RETURNS SETOF record
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000;
CREATE FUNCTION tree_within_cluster(doc tree, max_distance integer) RETURNS integer
	AS 'MODULE_PATHNAME' LANGUAGE C WINDOW IMMUTABLE PARALLEL SAFE COST 1000;
CREATE FUNCTION tree_within_cluster(doc tree, max_distance float8) RETURNS integer
	AS 'MODULE_PATHNAME' LANGUAGE C WINDOW IMMUTABLE PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION ted_clusters(anycompatiblearray, anycompatiblearray) IS 'the clusters of ids that pairs connect: each id with the first one of its cluster';
COMMENT ON FUNCTION tree_within_cluster(tree, integer) IS 'number of the cluster of documents that distances of at most max_distance connect';
COMMENT ON FUNCTION tree_within_cluster(tree, float8) IS 'number of the cluster of documents that distances of at most max_distance connect';

-- Strings

CREATE FUNCTION lcs_support(internal) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION lcs_length(a text, b text) RETURNS integer
	AS 'MODULE_PATHNAME', 'lcs_length_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20
	SUPPORT lcs_support;
CREATE FUNCTION lcs_length(a bytea, b bytea) RETURNS integer
	AS 'MODULE_PATHNAME', 'lcs_length_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20
	SUPPORT lcs_support;
CREATE FUNCTION lcs_length(a text[], b text[]) RETURNS integer
	AS 'MODULE_PATHNAME', 'lcs_length_text_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300
	SUPPORT lcs_support;
CREATE FUNCTION lcs_length(a integer[], b integer[]) RETURNS integer
	AS 'MODULE_PATHNAME', 'lcs_length_int_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 40
	SUPPORT lcs_support;
CREATE FUNCTION lcs_length(a bigint[], b bigint[]) RETURNS integer
	AS 'MODULE_PATHNAME', 'lcs_length_bigint_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300
	SUPPORT lcs_support;
CREATE FUNCTION scs_length(a text, b text) RETURNS integer
	AS 'MODULE_PATHNAME', 'scs_length_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
CREATE FUNCTION scs_length(a bytea, b bytea) RETURNS integer
	AS 'MODULE_PATHNAME', 'scs_length_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
CREATE FUNCTION scs_length(a text[], b text[]) RETURNS integer
	AS 'MODULE_PATHNAME', 'scs_length_text_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300;
CREATE FUNCTION scs_length(a integer[], b integer[]) RETURNS integer
	AS 'MODULE_PATHNAME', 'scs_length_int_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 40;
CREATE FUNCTION scs_length(a bigint[], b bigint[]) RETURNS integer
	AS 'MODULE_PATHNAME', 'scs_length_bigint_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300;
CREATE FUNCTION lcs_distance(a text, b text) RETURNS integer
	AS 'MODULE_PATHNAME', 'lcs_distance_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20
	SUPPORT lcs_support;
CREATE FUNCTION lcs_distance(a bytea, b bytea) RETURNS integer
	AS 'MODULE_PATHNAME', 'lcs_distance_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20
	SUPPORT lcs_support;
CREATE FUNCTION lcs_distance(a text[], b text[]) RETURNS integer
	AS 'MODULE_PATHNAME', 'lcs_distance_text_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300
	SUPPORT lcs_support;
CREATE FUNCTION lcs_distance(a integer[], b integer[]) RETURNS integer
	AS 'MODULE_PATHNAME', 'lcs_distance_int_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 40
	SUPPORT lcs_support;
CREATE FUNCTION lcs_distance(a bigint[], b bigint[]) RETURNS integer
	AS 'MODULE_PATHNAME', 'lcs_distance_bigint_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300
	SUPPORT lcs_support;
CREATE FUNCTION lcs_similarity(a text, b text) RETURNS float8
	AS 'MODULE_PATHNAME', 'lcs_similarity_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20
	SUPPORT lcs_support;
CREATE FUNCTION lcs_similarity(a bytea, b bytea) RETURNS float8
	AS 'MODULE_PATHNAME', 'lcs_similarity_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20
	SUPPORT lcs_support;
CREATE FUNCTION lcs_similarity(a text[], b text[]) RETURNS float8
	AS 'MODULE_PATHNAME', 'lcs_similarity_text_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300
	SUPPORT lcs_support;
CREATE FUNCTION lcs_similarity(a integer[], b integer[]) RETURNS float8
	AS 'MODULE_PATHNAME', 'lcs_similarity_int_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 40
	SUPPORT lcs_support;
CREATE FUNCTION lcs_similarity(a bigint[], b bigint[]) RETURNS float8
	AS 'MODULE_PATHNAME', 'lcs_similarity_bigint_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300
	SUPPORT lcs_support;
CREATE FUNCTION lcs_similar(a text, b text, min_similarity float8) RETURNS boolean
	AS 'MODULE_PATHNAME', 'lcs_similar_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 15
	SUPPORT lcs_support;
CREATE FUNCTION lcs_similar(a bytea, b bytea, min_similarity float8) RETURNS boolean
	AS 'MODULE_PATHNAME', 'lcs_similar_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 15
	SUPPORT lcs_support;
CREATE FUNCTION lcs_similar(a text[], b text[], min_similarity float8) RETURNS boolean
	AS 'MODULE_PATHNAME', 'lcs_similar_text_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300
	SUPPORT lcs_support;
CREATE FUNCTION lcs_similar(a integer[], b integer[], min_similarity float8) RETURNS boolean
	AS 'MODULE_PATHNAME', 'lcs_similar_int_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 40
	SUPPORT lcs_support;
CREATE FUNCTION lcs_similar(a bigint[], b bigint[], min_similarity float8) RETURNS boolean
	AS 'MODULE_PATHNAME', 'lcs_similar_bigint_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300
	SUPPORT lcs_support;
CREATE FUNCTION lcs_within(a text, b text, max_distance integer) RETURNS boolean
	AS 'MODULE_PATHNAME', 'lcs_within_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 15
	SUPPORT lcs_support;
CREATE FUNCTION lcs_within(a text, b text, max_distance float8) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 15
	RETURN lcs_within(a, b, ted_max_distance(max_distance));
CREATE FUNCTION lcs_within(a bytea, b bytea, max_distance integer) RETURNS boolean
	AS 'MODULE_PATHNAME', 'lcs_within_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 15
	SUPPORT lcs_support;
CREATE FUNCTION lcs_within(a bytea, b bytea, max_distance float8) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 15
	RETURN lcs_within(a, b, ted_max_distance(max_distance));
CREATE FUNCTION lcs_within(a text[], b text[], max_distance integer) RETURNS boolean
	AS 'MODULE_PATHNAME', 'lcs_within_text_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300
	SUPPORT lcs_support;
CREATE FUNCTION lcs_within(a text[], b text[], max_distance float8) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 300
	RETURN lcs_within(a, b, ted_max_distance(max_distance));
CREATE FUNCTION lcs_within(a integer[], b integer[], max_distance integer) RETURNS boolean
	AS 'MODULE_PATHNAME', 'lcs_within_int_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 40
	SUPPORT lcs_support;
CREATE FUNCTION lcs_within(a integer[], b integer[], max_distance float8) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 40
	RETURN lcs_within(a, b, ted_max_distance(max_distance));
CREATE FUNCTION lcs_within(a bigint[], b bigint[], max_distance integer) RETURNS boolean
	AS 'MODULE_PATHNAME', 'lcs_within_bigint_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300
	SUPPORT lcs_support;
CREATE FUNCTION lcs_within(a bigint[], b bigint[], max_distance float8) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 300
	RETURN lcs_within(a, b, ted_max_distance(max_distance));
CREATE FUNCTION lcs_distance_less_equal(a text, b text, max_distance integer) RETURNS integer
	AS 'MODULE_PATHNAME', 'lcs_distance_less_equal_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 15
	SUPPORT lcs_support;
CREATE FUNCTION lcs_distance_less_equal(a text, b text, max_distance float8) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 15
	RETURN lcs_distance_less_equal(a, b, ted_max_distance(max_distance));
CREATE FUNCTION lcs_distance_less_equal(a bytea, b bytea, max_distance integer) RETURNS integer
	AS 'MODULE_PATHNAME', 'lcs_distance_less_equal_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 15
	SUPPORT lcs_support;
CREATE FUNCTION lcs_distance_less_equal(a bytea, b bytea, max_distance float8) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 15
	RETURN lcs_distance_less_equal(a, b, ted_max_distance(max_distance));
CREATE FUNCTION lcs_distance_less_equal(a text[], b text[], max_distance integer) RETURNS integer
	AS 'MODULE_PATHNAME', 'lcs_distance_less_equal_text_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300
	SUPPORT lcs_support;
CREATE FUNCTION lcs_distance_less_equal(a text[], b text[], max_distance float8) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 300
	RETURN lcs_distance_less_equal(a, b, ted_max_distance(max_distance));
CREATE FUNCTION lcs_distance_less_equal(a integer[], b integer[], max_distance integer) RETURNS integer
	AS 'MODULE_PATHNAME', 'lcs_distance_less_equal_int_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 40
	SUPPORT lcs_support;
CREATE FUNCTION lcs_distance_less_equal(a integer[], b integer[], max_distance float8) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 40
	RETURN lcs_distance_less_equal(a, b, ted_max_distance(max_distance));
CREATE FUNCTION lcs_distance_less_equal(a bigint[], b bigint[], max_distance integer) RETURNS integer
	AS 'MODULE_PATHNAME', 'lcs_distance_less_equal_bigint_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300
	SUPPORT lcs_support;
CREATE FUNCTION lcs_distance_less_equal(a bigint[], b bigint[], max_distance float8) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 300
	RETURN lcs_distance_less_equal(a, b, ted_max_distance(max_distance));
CREATE FUNCTION lcs(a text, b text) RETURNS text
	AS 'MODULE_PATHNAME', 'lcs_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200;
CREATE FUNCTION lcs(a bytea, b bytea) RETURNS bytea
	AS 'MODULE_PATHNAME', 'lcs_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200;
CREATE FUNCTION lcs(a text[], b text[]) RETURNS text[]
	AS 'MODULE_PATHNAME', 'lcs_text_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 600;
CREATE FUNCTION lcs(a integer[], b integer[]) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'lcs_int_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200;
CREATE FUNCTION lcs(a bigint[], b bigint[]) RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'lcs_bigint_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 600;
CREATE FUNCTION scs(a text, b text) RETURNS text
	AS 'MODULE_PATHNAME', 'scs_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200;
CREATE FUNCTION scs(a bytea, b bytea) RETURNS bytea
	AS 'MODULE_PATHNAME', 'scs_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200;
CREATE FUNCTION scs(a text[], b text[]) RETURNS text[]
	AS 'MODULE_PATHNAME', 'scs_text_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 600;
CREATE FUNCTION scs(a integer[], b integer[]) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'scs_int_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200;
CREATE FUNCTION scs(a bigint[], b bigint[]) RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'scs_bigint_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 600;
CREATE FUNCTION lcs_opcodes(
	a text, b text,
	OUT operation text, OUT a_from integer, OUT a_to integer, OUT b_from integer, OUT b_to integer,
	OUT a_part text, OUT b_part text
) RETURNS SETOF record
	AS 'MODULE_PATHNAME', 'lcs_opcodes_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000 ROWS 10;
CREATE FUNCTION lcs_opcodes(
	a bytea, b bytea,
	OUT operation text, OUT a_from integer, OUT a_to integer, OUT b_from integer, OUT b_to integer,
	OUT a_part bytea, OUT b_part bytea
) RETURNS SETOF record
	AS 'MODULE_PATHNAME', 'lcs_opcodes_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000 ROWS 10;
CREATE FUNCTION lcs_opcodes(
	a text[], b text[],
	OUT operation text, OUT a_from integer, OUT a_to integer, OUT b_from integer, OUT b_to integer,
	OUT a_part text[], OUT b_part text[]
) RETURNS SETOF record
	AS 'MODULE_PATHNAME', 'lcs_opcodes_text_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1500 ROWS 10;
CREATE FUNCTION lcs_opcodes(
	a integer[], b integer[],
	OUT operation text, OUT a_from integer, OUT a_to integer, OUT b_from integer, OUT b_to integer,
	OUT a_part integer[], OUT b_part integer[]
) RETURNS SETOF record
	AS 'MODULE_PATHNAME', 'lcs_opcodes_int_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000 ROWS 10;
CREATE FUNCTION lcs_opcodes(
	a bigint[], b bigint[],
	OUT operation text, OUT a_from integer, OUT a_to integer, OUT b_from integer, OUT b_to integer,
	OUT a_part bigint[], OUT b_part bigint[]
) RETURNS SETOF record
	AS 'MODULE_PATHNAME', 'lcs_opcodes_bigint_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1500 ROWS 10;
CREATE FUNCTION lcs_lengths(query text, docs text[]) RETURNS integer[]
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
CREATE FUNCTION lcs_similarities(query text, docs text[]) RETURNS float8[]
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
CREATE FUNCTION lcs_nearest(
	query text, docs text[], k integer, min_similarity float8 DEFAULT 0,
	OUT n integer, OUT similarity float8, OUT doc text
) RETURNS SETOF record
	AS 'MODULE_PATHNAME', 'lcs_nearest_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000 ROWS 10;
CREATE FUNCTION lcs_nearest(
	query bytea, docs bytea[], k integer, min_similarity float8 DEFAULT 0,
	OUT n integer, OUT similarity float8, OUT doc bytea
) RETURNS SETOF record
	AS 'MODULE_PATHNAME', 'lcs_nearest_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000 ROWS 10;

COMMENT ON FUNCTION lcs_support(internal) IS 'planner support of the measures of strings';
COMMENT ON FUNCTION lcs_length(text, text) IS 'length of the longest common subsequence, in characters';
COMMENT ON FUNCTION lcs_length(bytea, bytea) IS 'length of the longest common subsequence, in bytes';
COMMENT ON FUNCTION lcs_length(text[], text[]) IS 'length of the longest common subsequence, in elements';
COMMENT ON FUNCTION lcs_length(integer[], integer[]) IS 'length of the longest common subsequence, in elements';
COMMENT ON FUNCTION lcs_length(bigint[], bigint[]) IS 'length of the longest common subsequence, in elements';
COMMENT ON FUNCTION scs_length(text, text) IS 'length of the shortest common supersequence, in characters';
COMMENT ON FUNCTION scs_length(bytea, bytea) IS 'length of the shortest common supersequence, in bytes';
COMMENT ON FUNCTION scs_length(text[], text[]) IS 'length of the shortest common supersequence, in elements';
COMMENT ON FUNCTION scs_length(integer[], integer[]) IS 'length of the shortest common supersequence, in elements';
COMMENT ON FUNCTION scs_length(bigint[], bigint[]) IS 'length of the shortest common supersequence, in elements';
COMMENT ON FUNCTION lcs_distance(text, text) IS 'number of characters to delete and to insert';
COMMENT ON FUNCTION lcs_distance(bytea, bytea) IS 'number of bytes to delete and to insert';
COMMENT ON FUNCTION lcs_distance(text[], text[]) IS 'number of elements to delete and to insert';
COMMENT ON FUNCTION lcs_distance(integer[], integer[]) IS 'number of elements to delete and to insert';
COMMENT ON FUNCTION lcs_distance(bigint[], bigint[]) IS 'number of elements to delete and to insert';
COMMENT ON FUNCTION lcs_similarity(text, text) IS '2 lcs_length / (sum of lengths in characters)';
COMMENT ON FUNCTION lcs_similarity(bytea, bytea) IS '2 lcs_length / (sum of lengths in bytes)';
COMMENT ON FUNCTION lcs_similarity(text[], text[]) IS '2 lcs_length / (sum of lengths in elements)';
COMMENT ON FUNCTION lcs_similarity(integer[], integer[]) IS '2 lcs_length / (sum of lengths in elements)';
COMMENT ON FUNCTION lcs_similarity(bigint[], bigint[]) IS '2 lcs_length / (sum of lengths in elements)';
COMMENT ON FUNCTION lcs_similar(text, text, float8) IS 'whether the similarity is at least min_similarity';
COMMENT ON FUNCTION lcs_similar(bytea, bytea, float8) IS 'whether the similarity is at least min_similarity';
COMMENT ON FUNCTION lcs_similar(text[], text[], float8) IS 'whether the similarity is at least min_similarity';
COMMENT ON FUNCTION lcs_similar(integer[], integer[], float8) IS 'whether the similarity is at least min_similarity';
COMMENT ON FUNCTION lcs_similar(bigint[], bigint[], float8) IS 'whether the similarity is at least min_similarity';
COMMENT ON FUNCTION lcs_within(text, text, integer) IS 'whether the distance is at most max_distance';
COMMENT ON FUNCTION lcs_within(text, text, float8) IS 'whether the distance is at most max_distance';
COMMENT ON FUNCTION lcs_within(bytea, bytea, integer) IS 'whether the distance is at most max_distance';
COMMENT ON FUNCTION lcs_within(bytea, bytea, float8) IS 'whether the distance is at most max_distance';
COMMENT ON FUNCTION lcs_within(text[], text[], integer) IS 'whether the distance is at most max_distance';
COMMENT ON FUNCTION lcs_within(text[], text[], float8) IS 'whether the distance is at most max_distance';
COMMENT ON FUNCTION lcs_within(integer[], integer[], integer) IS 'whether the distance is at most max_distance';
COMMENT ON FUNCTION lcs_within(integer[], integer[], float8) IS 'whether the distance is at most max_distance';
COMMENT ON FUNCTION lcs_within(bigint[], bigint[], integer) IS 'whether the distance is at most max_distance';
COMMENT ON FUNCTION lcs_within(bigint[], bigint[], float8) IS 'whether the distance is at most max_distance';
COMMENT ON FUNCTION lcs_distance_less_equal(text, text, integer) IS 'distance if it is at most max_distance, else a larger number';
COMMENT ON FUNCTION lcs_distance_less_equal(text, text, float8) IS 'distance if it is at most max_distance, else a larger number';
COMMENT ON FUNCTION lcs_distance_less_equal(bytea, bytea, integer) IS 'distance if it is at most max_distance, else a larger number';
COMMENT ON FUNCTION lcs_distance_less_equal(bytea, bytea, float8) IS 'distance if it is at most max_distance, else a larger number';
COMMENT ON FUNCTION lcs_distance_less_equal(text[], text[], integer) IS 'distance if it is at most max_distance, else a larger number';
COMMENT ON FUNCTION lcs_distance_less_equal(text[], text[], float8) IS 'distance if it is at most max_distance, else a larger number';
COMMENT ON FUNCTION lcs_distance_less_equal(integer[], integer[], integer) IS 'distance if it is at most max_distance, else a larger number';
COMMENT ON FUNCTION lcs_distance_less_equal(integer[], integer[], float8) IS 'distance if it is at most max_distance, else a larger number';
COMMENT ON FUNCTION lcs_distance_less_equal(bigint[], bigint[], integer) IS 'distance if it is at most max_distance, else a larger number';
COMMENT ON FUNCTION lcs_distance_less_equal(bigint[], bigint[], float8) IS 'distance if it is at most max_distance, else a larger number';
COMMENT ON FUNCTION lcs(text, text) IS 'a longest common subsequence';
COMMENT ON FUNCTION lcs(bytea, bytea) IS 'a longest common subsequence';
COMMENT ON FUNCTION lcs(text[], text[]) IS 'a longest common subsequence';
COMMENT ON FUNCTION lcs(integer[], integer[]) IS 'a longest common subsequence';
COMMENT ON FUNCTION lcs(bigint[], bigint[]) IS 'a longest common subsequence';
COMMENT ON FUNCTION scs(text, text) IS 'a shortest common supersequence';
COMMENT ON FUNCTION scs(bytea, bytea) IS 'a shortest common supersequence';
COMMENT ON FUNCTION scs(text[], text[]) IS 'a shortest common supersequence';
COMMENT ON FUNCTION scs(integer[], integer[]) IS 'a shortest common supersequence';
COMMENT ON FUNCTION scs(bigint[], bigint[]) IS 'a shortest common supersequence';
COMMENT ON FUNCTION lcs_opcodes(text, text) IS 'runs of characters to keep, delete, insert and replace';
COMMENT ON FUNCTION lcs_opcodes(bytea, bytea) IS 'runs of bytes to keep, delete, insert and replace';
COMMENT ON FUNCTION lcs_opcodes(text[], text[]) IS 'runs of elements to keep, delete, insert and replace';
COMMENT ON FUNCTION lcs_opcodes(integer[], integer[]) IS 'runs of elements to keep, delete, insert and replace';
COMMENT ON FUNCTION lcs_opcodes(bigint[], bigint[]) IS 'runs of elements to keep, delete, insert and replace';
COMMENT ON FUNCTION lcs_lengths(text, text[]) IS 'lengths of the longest common subsequences of one text and many';
COMMENT ON FUNCTION lcs_similarities(text, text[]) IS 'similarities of one text and many';
COMMENT ON FUNCTION lcs_nearest(text, text[], integer, float8) IS 'the k elements of docs most similar to query';
COMMENT ON FUNCTION lcs_nearest(bytea, bytea[], integer, float8) IS 'the k elements of docs most similar to query';

-- Operators and indexes of strings

CREATE TYPE lcs_range AS (profile bytea, max_distance integer, min_similarity float8);

COMMENT ON TYPE lcs_range IS 'the profile of a string, and a threshold around it';

CREATE FUNCTION lcs_range_sel(internal, oid, internal, integer) RETURNS float8
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
CREATE FUNCTION lcs_range_joinsel(internal, oid, internal, smallint, internal) RETURNS float8
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION lcs_range_sel(internal, oid, internal, integer) IS 'restriction selectivity of <~ operator';
COMMENT ON FUNCTION lcs_range_joinsel(internal, oid, internal, smallint, internal) IS 'join selectivity of <~ operator';

CREATE FUNCTION lcs_distance_op(text, text) RETURNS float8
	AS 'MODULE_PATHNAME', 'lcs_distance_op_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200
	SUPPORT lcs_support;
CREATE FUNCTION lcs_dissimilarity(text, text) RETURNS float8
	AS 'MODULE_PATHNAME', 'lcs_dissimilarity_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200
	SUPPORT lcs_support;
CREATE FUNCTION lcs_profile(text) RETURNS bytea
	AS 'MODULE_PATHNAME', 'lcs_profile_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
CREATE FUNCTION lcs_range(string text, max_distance integer) RETURNS lcs_range
	AS 'MODULE_PATHNAME', 'lcs_range_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
CREATE FUNCTION lcs_similarity_range(string text, min_similarity float8) RETURNS lcs_range
	AS 'MODULE_PATHNAME', 'lcs_similarity_range_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
CREATE FUNCTION lcs_may_be_within(text, lcs_range) RETURNS boolean
	AS 'MODULE_PATHNAME', 'lcs_may_be_within_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
CREATE FUNCTION lcs_distance_op(bytea, bytea) RETURNS float8
	AS 'MODULE_PATHNAME', 'lcs_distance_op_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200
	SUPPORT lcs_support;
CREATE FUNCTION lcs_dissimilarity(bytea, bytea) RETURNS float8
	AS 'MODULE_PATHNAME', 'lcs_dissimilarity_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200
	SUPPORT lcs_support;
CREATE FUNCTION lcs_profile(bytea) RETURNS bytea
	AS 'MODULE_PATHNAME', 'lcs_profile_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
CREATE FUNCTION lcs_range(string bytea, max_distance integer) RETURNS lcs_range
	AS 'MODULE_PATHNAME', 'lcs_range_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
CREATE FUNCTION lcs_similarity_range(string bytea, min_similarity float8) RETURNS lcs_range
	AS 'MODULE_PATHNAME', 'lcs_similarity_range_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
CREATE FUNCTION lcs_may_be_within(bytea, lcs_range) RETURNS boolean
	AS 'MODULE_PATHNAME', 'lcs_may_be_within_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
CREATE FUNCTION lcs_distance_op(text[], text[]) RETURNS float8
	AS 'MODULE_PATHNAME', 'lcs_distance_op_text_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200
	SUPPORT lcs_support;
CREATE FUNCTION lcs_dissimilarity(text[], text[]) RETURNS float8
	AS 'MODULE_PATHNAME', 'lcs_dissimilarity_text_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200
	SUPPORT lcs_support;
CREATE FUNCTION lcs_profile(text[]) RETURNS bytea
	AS 'MODULE_PATHNAME', 'lcs_profile_text_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
CREATE FUNCTION lcs_range(string text[], max_distance integer) RETURNS lcs_range
	AS 'MODULE_PATHNAME', 'lcs_range_text_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
CREATE FUNCTION lcs_similarity_range(string text[], min_similarity float8) RETURNS lcs_range
	AS 'MODULE_PATHNAME', 'lcs_similarity_range_text_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
CREATE FUNCTION lcs_may_be_within(text[], lcs_range) RETURNS boolean
	AS 'MODULE_PATHNAME', 'lcs_may_be_within_text_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
CREATE FUNCTION lcs_distance_op(integer[], integer[]) RETURNS float8
	AS 'MODULE_PATHNAME', 'lcs_distance_op_int_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200
	SUPPORT lcs_support;
CREATE FUNCTION lcs_dissimilarity(integer[], integer[]) RETURNS float8
	AS 'MODULE_PATHNAME', 'lcs_dissimilarity_int_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200
	SUPPORT lcs_support;
CREATE FUNCTION lcs_profile(integer[]) RETURNS bytea
	AS 'MODULE_PATHNAME', 'lcs_profile_int_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
CREATE FUNCTION lcs_range(string integer[], max_distance integer) RETURNS lcs_range
	AS 'MODULE_PATHNAME', 'lcs_range_int_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
CREATE FUNCTION lcs_similarity_range(string integer[], min_similarity float8) RETURNS lcs_range
	AS 'MODULE_PATHNAME', 'lcs_similarity_range_int_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
CREATE FUNCTION lcs_may_be_within(integer[], lcs_range) RETURNS boolean
	AS 'MODULE_PATHNAME', 'lcs_may_be_within_int_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
CREATE FUNCTION lcs_distance_op(bigint[], bigint[]) RETURNS float8
	AS 'MODULE_PATHNAME', 'lcs_distance_op_bigint_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200
	SUPPORT lcs_support;
CREATE FUNCTION lcs_dissimilarity(bigint[], bigint[]) RETURNS float8
	AS 'MODULE_PATHNAME', 'lcs_dissimilarity_bigint_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200
	SUPPORT lcs_support;
CREATE FUNCTION lcs_profile(bigint[]) RETURNS bytea
	AS 'MODULE_PATHNAME', 'lcs_profile_bigint_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
CREATE FUNCTION lcs_range(string bigint[], max_distance integer) RETURNS lcs_range
	AS 'MODULE_PATHNAME', 'lcs_range_bigint_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
CREATE FUNCTION lcs_similarity_range(string bigint[], min_similarity float8) RETURNS lcs_range
	AS 'MODULE_PATHNAME', 'lcs_similarity_range_bigint_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
CREATE FUNCTION lcs_may_be_within(bigint[], lcs_range) RETURNS boolean
	AS 'MODULE_PATHNAME', 'lcs_may_be_within_bigint_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;

CREATE OPERATOR <~> (
	LEFTARG = text, RIGHTARG = text, FUNCTION = lcs_distance_op, COMMUTATOR = <~>
);
CREATE OPERATOR <%> (
	LEFTARG = text, RIGHTARG = text, FUNCTION = lcs_dissimilarity, COMMUTATOR = <%>
);
CREATE OPERATOR <~ (
	LEFTARG = text, RIGHTARG = lcs_range, FUNCTION = lcs_may_be_within,
	RESTRICT = lcs_range_sel, JOIN = lcs_range_joinsel
);
CREATE OPERATOR <~> (
	LEFTARG = bytea, RIGHTARG = bytea, FUNCTION = lcs_distance_op, COMMUTATOR = <~>
);
CREATE OPERATOR <%> (
	LEFTARG = bytea, RIGHTARG = bytea, FUNCTION = lcs_dissimilarity, COMMUTATOR = <%>
);
CREATE OPERATOR <~ (
	LEFTARG = bytea, RIGHTARG = lcs_range, FUNCTION = lcs_may_be_within,
	RESTRICT = lcs_range_sel, JOIN = lcs_range_joinsel
);
CREATE OPERATOR <~> (
	LEFTARG = text[], RIGHTARG = text[], FUNCTION = lcs_distance_op, COMMUTATOR = <~>
);
CREATE OPERATOR <%> (
	LEFTARG = text[], RIGHTARG = text[], FUNCTION = lcs_dissimilarity, COMMUTATOR = <%>
);
CREATE OPERATOR <~ (
	LEFTARG = text[], RIGHTARG = lcs_range, FUNCTION = lcs_may_be_within,
	RESTRICT = lcs_range_sel, JOIN = lcs_range_joinsel
);
CREATE OPERATOR <~> (
	LEFTARG = integer[], RIGHTARG = integer[], FUNCTION = lcs_distance_op, COMMUTATOR = <~>
);
CREATE OPERATOR <%> (
	LEFTARG = integer[], RIGHTARG = integer[], FUNCTION = lcs_dissimilarity, COMMUTATOR = <%>
);
CREATE OPERATOR <~ (
	LEFTARG = integer[], RIGHTARG = lcs_range, FUNCTION = lcs_may_be_within,
	RESTRICT = lcs_range_sel, JOIN = lcs_range_joinsel
);
CREATE OPERATOR <~> (
	LEFTARG = bigint[], RIGHTARG = bigint[], FUNCTION = lcs_distance_op, COMMUTATOR = <~>
);
CREATE OPERATOR <%> (
	LEFTARG = bigint[], RIGHTARG = bigint[], FUNCTION = lcs_dissimilarity, COMMUTATOR = <%>
);
CREATE OPERATOR <~ (
	LEFTARG = bigint[], RIGHTARG = lcs_range, FUNCTION = lcs_may_be_within,
	RESTRICT = lcs_range_sel, JOIN = lcs_range_joinsel
);

CREATE FUNCTION profile_handler(internal) RETURNS index_am_handler
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE ACCESS METHOD profile TYPE INDEX HANDLER profile_handler;
CREATE OPERATOR FAMILY lcs_ops USING profile;

CREATE FUNCTION profile_index_check(index regclass) RETURNS void
	AS 'MODULE_PATHNAME' LANGUAGE C STRICT PARALLEL RESTRICTED;
REVOKE EXECUTE ON FUNCTION profile_index_check(regclass) FROM PUBLIC;
COMMENT ON FUNCTION profile_index_check(regclass) IS 'raises an error if a profile index has a damaged page';

CREATE FUNCTION tree_pqgram_profile(tree) RETURNS bytea
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;
CREATE OPERATOR CLASS tree_pqgram_ops DEFAULT FOR TYPE tree USING profile AS
	OPERATOR 16 <#> (tree, tree) FOR ORDER BY pg_catalog.float_ops,
	FUNCTION 1 tree_pqgram_profile(tree);

COMMENT ON FUNCTION tree_pqgram_profile(tree) IS 'number of pq-grams, of those in each of 32 classes, and hashes of all';
COMMENT ON OPERATOR CLASS tree_pqgram_ops USING profile IS 'nearest trees by pq-gram distance';
COMMENT ON OPERATOR FAMILY tree_pqgram_ops USING profile IS 'nearest trees by pq-gram distance';

CREATE OPERATOR CLASS lcs_ops DEFAULT FOR TYPE text USING profile FAMILY lcs_ops AS
	OPERATOR 1 <~ (text, lcs_range),
	OPERATOR 15 <~> (text, text) FOR ORDER BY pg_catalog.float_ops,
	OPERATOR 16 <%> (text, text) FOR ORDER BY pg_catalog.float_ops,
	FUNCTION 1 lcs_profile(text);
CREATE OPERATOR CLASS lcs_bytea_ops DEFAULT FOR TYPE bytea USING profile FAMILY lcs_ops AS
	OPERATOR 1 <~ (bytea, lcs_range),
	OPERATOR 15 <~> (bytea, bytea) FOR ORDER BY pg_catalog.float_ops,
	OPERATOR 16 <%> (bytea, bytea) FOR ORDER BY pg_catalog.float_ops,
	FUNCTION 1 lcs_profile(bytea);
CREATE OPERATOR CLASS lcs_text_array_ops DEFAULT FOR TYPE text[] USING profile FAMILY lcs_ops AS
	OPERATOR 1 <~ (text[], lcs_range),
	OPERATOR 15 <~> (text[], text[]) FOR ORDER BY pg_catalog.float_ops,
	OPERATOR 16 <%> (text[], text[]) FOR ORDER BY pg_catalog.float_ops,
	FUNCTION 1 lcs_profile(text[]);
CREATE OPERATOR CLASS lcs_integer_array_ops DEFAULT FOR TYPE integer[] USING profile FAMILY lcs_ops AS
	OPERATOR 1 <~ (integer[], lcs_range),
	OPERATOR 15 <~> (integer[], integer[]) FOR ORDER BY pg_catalog.float_ops,
	OPERATOR 16 <%> (integer[], integer[]) FOR ORDER BY pg_catalog.float_ops,
	FUNCTION 1 lcs_profile(integer[]);
CREATE OPERATOR CLASS lcs_bigint_array_ops DEFAULT FOR TYPE bigint[] USING profile FAMILY lcs_ops AS
	OPERATOR 1 <~ (bigint[], lcs_range),
	OPERATOR 15 <~> (bigint[], bigint[]) FOR ORDER BY pg_catalog.float_ops,
	OPERATOR 16 <%> (bigint[], bigint[]) FOR ORDER BY pg_catalog.float_ops,
	FUNCTION 1 lcs_profile(bigint[]);

COMMENT ON FUNCTION lcs_distance_op(text, text) IS 'implementation of <~> operator';
COMMENT ON FUNCTION lcs_dissimilarity(text, text) IS 'implementation of <%> operator';
COMMENT ON FUNCTION lcs_profile(text) IS 'number of characters, and of those in each of 32 classes';
COMMENT ON FUNCTION lcs_range(text, integer) IS 'range of all strings within max_distance of a string';
COMMENT ON FUNCTION lcs_similarity_range(text, float8) IS 'range of all strings at least min_similarity similar to a string';
COMMENT ON FUNCTION lcs_may_be_within(text, lcs_range) IS 'implementation of <~ operator';
COMMENT ON OPERATOR <~> (text, text) IS 'number of characters to delete and to insert';
COMMENT ON OPERATOR <%> (text, text) IS '1 - similarity';
COMMENT ON OPERATOR <~ (text, lcs_range) IS 'whether profiles allow the string to be in the range';
COMMENT ON OPERATOR CLASS lcs_ops USING profile IS 'nearest strings, and strings within a threshold';
COMMENT ON FUNCTION lcs_distance_op(bytea, bytea) IS 'implementation of <~> operator';
COMMENT ON FUNCTION lcs_dissimilarity(bytea, bytea) IS 'implementation of <%> operator';
COMMENT ON FUNCTION lcs_profile(bytea) IS 'number of bytes, and of those in each of 32 classes';
COMMENT ON FUNCTION lcs_range(bytea, integer) IS 'range of all strings within max_distance of a string';
COMMENT ON FUNCTION lcs_similarity_range(bytea, float8) IS 'range of all strings at least min_similarity similar to a string';
COMMENT ON FUNCTION lcs_may_be_within(bytea, lcs_range) IS 'implementation of <~ operator';
COMMENT ON OPERATOR <~> (bytea, bytea) IS 'number of bytes to delete and to insert';
COMMENT ON OPERATOR <%> (bytea, bytea) IS '1 - similarity';
COMMENT ON OPERATOR <~ (bytea, lcs_range) IS 'whether profiles allow the string to be in the range';
COMMENT ON OPERATOR CLASS lcs_bytea_ops USING profile IS 'nearest strings, and strings within a threshold';
COMMENT ON FUNCTION lcs_distance_op(text[], text[]) IS 'implementation of <~> operator';
COMMENT ON FUNCTION lcs_dissimilarity(text[], text[]) IS 'implementation of <%> operator';
COMMENT ON FUNCTION lcs_profile(text[]) IS 'number of elements, and of those in each of 32 classes';
COMMENT ON FUNCTION lcs_range(text[], integer) IS 'range of all strings within max_distance of a string';
COMMENT ON FUNCTION lcs_similarity_range(text[], float8) IS 'range of all strings at least min_similarity similar to a string';
COMMENT ON FUNCTION lcs_may_be_within(text[], lcs_range) IS 'implementation of <~ operator';
COMMENT ON OPERATOR <~> (text[], text[]) IS 'number of elements to delete and to insert';
COMMENT ON OPERATOR <%> (text[], text[]) IS '1 - similarity';
COMMENT ON OPERATOR <~ (text[], lcs_range) IS 'whether profiles allow the string to be in the range';
COMMENT ON OPERATOR CLASS lcs_text_array_ops USING profile IS 'nearest strings, and strings within a threshold';
COMMENT ON FUNCTION lcs_distance_op(integer[], integer[]) IS 'implementation of <~> operator';
COMMENT ON FUNCTION lcs_dissimilarity(integer[], integer[]) IS 'implementation of <%> operator';
COMMENT ON FUNCTION lcs_profile(integer[]) IS 'number of elements, and of those in each of 32 classes';
COMMENT ON FUNCTION lcs_range(integer[], integer) IS 'range of all strings within max_distance of a string';
COMMENT ON FUNCTION lcs_similarity_range(integer[], float8) IS 'range of all strings at least min_similarity similar to a string';
COMMENT ON FUNCTION lcs_may_be_within(integer[], lcs_range) IS 'implementation of <~ operator';
COMMENT ON OPERATOR <~> (integer[], integer[]) IS 'number of elements to delete and to insert';
COMMENT ON OPERATOR <%> (integer[], integer[]) IS '1 - similarity';
COMMENT ON OPERATOR <~ (integer[], lcs_range) IS 'whether profiles allow the string to be in the range';
COMMENT ON OPERATOR CLASS lcs_integer_array_ops USING profile IS 'nearest strings, and strings within a threshold';
COMMENT ON FUNCTION lcs_distance_op(bigint[], bigint[]) IS 'implementation of <~> operator';
COMMENT ON FUNCTION lcs_dissimilarity(bigint[], bigint[]) IS 'implementation of <%> operator';
COMMENT ON FUNCTION lcs_profile(bigint[]) IS 'number of elements, and of those in each of 32 classes';
COMMENT ON FUNCTION lcs_range(bigint[], integer) IS 'range of all strings within max_distance of a string';
COMMENT ON FUNCTION lcs_similarity_range(bigint[], float8) IS 'range of all strings at least min_similarity similar to a string';
COMMENT ON FUNCTION lcs_may_be_within(bigint[], lcs_range) IS 'implementation of <~ operator';
COMMENT ON OPERATOR <~> (bigint[], bigint[]) IS 'number of elements to delete and to insert';
COMMENT ON OPERATOR <%> (bigint[], bigint[]) IS '1 - similarity';
COMMENT ON OPERATOR <~ (bigint[], lcs_range) IS 'whether profiles allow the string to be in the range';
COMMENT ON OPERATOR CLASS lcs_bigint_array_ops USING profile IS 'nearest strings, and strings within a threshold';
COMMENT ON FUNCTION profile_handler(internal) IS 'index access method handler';
COMMENT ON ACCESS METHOD profile IS 'nearest strings, and strings within a threshold, by their profiles';
COMMENT ON OPERATOR FAMILY lcs_ops USING profile IS 'nearest strings, and strings within a threshold';

-- Similarity join of strings

CREATE TYPE lcs_match AS (left_id bigint, right_id bigint, similarity float8);
CREATE TYPE lcs_join_row AS (id bigint, side "char", min_similarity float8, doc text);

COMMENT ON TYPE lcs_match IS 'a pair of strings and their similarity';
COMMENT ON TYPE lcs_join_row IS 'a string in the state of lcs_similar_pairs';

CREATE FUNCTION lcs_similar_pairs_transfn(lcs_join_row[], bigint, text, float8) RETURNS lcs_join_row[]
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION lcs_similar_pairs_transfn(lcs_join_row[], bigint, text, float8, "char") RETURNS lcs_join_row[]
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION lcs_similar_pairs_combine(lcs_join_row[], lcs_join_row[]) RETURNS lcs_join_row[]
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION lcs_similar_pairs_finalfn(lcs_join_row[]) RETURNS lcs_match[]
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10000;

CREATE AGGREGATE lcs_similar_pairs(id bigint, doc text, min_similarity float8) (
	SFUNC = lcs_similar_pairs_transfn, STYPE = lcs_join_row[],
	COMBINEFUNC = lcs_similar_pairs_combine, FINALFUNC = lcs_similar_pairs_finalfn,
	PARALLEL = SAFE
);
CREATE AGGREGATE lcs_similar_pairs(id bigint, doc text, min_similarity float8, side "char") (
	SFUNC = lcs_similar_pairs_transfn, STYPE = lcs_join_row[],
	COMBINEFUNC = lcs_similar_pairs_combine, FINALFUNC = lcs_similar_pairs_finalfn,
	PARALLEL = SAFE
);

COMMENT ON FUNCTION lcs_similar_pairs_transfn(lcs_join_row[], bigint, text, float8) IS 'aggregate transition function';
COMMENT ON FUNCTION lcs_similar_pairs_transfn(lcs_join_row[], bigint, text, float8, "char") IS 'aggregate transition function';
COMMENT ON FUNCTION lcs_similar_pairs_combine(lcs_join_row[], lcs_join_row[]) IS 'aggregate combine function';
COMMENT ON FUNCTION lcs_similar_pairs_finalfn(lcs_join_row[]) IS 'aggregate final function';
COMMENT ON AGGREGATE lcs_similar_pairs(bigint, text, float8) IS 'all pairs of strings with a similarity of at least min_similarity';
COMMENT ON AGGREGATE lcs_similar_pairs(bigint, text, float8, "char") IS 'all pairs of a left and a right string with a similarity of at least min_similarity';

CREATE FUNCTION lcs_similar_cluster(doc text, min_similarity float8) RETURNS integer
	AS 'MODULE_PATHNAME' LANGUAGE C WINDOW IMMUTABLE PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION lcs_similar_cluster(text, float8) IS 'number of the cluster of strings that similarities of at least min_similarity connect';

-- Joins over several servers

/*
 * Others may create functions and operators where the extension is.  So bodies see
 * those of pg_catalog alone, statements name the schema of what is ours, which is looked
 * up, and every argument of ours has the very type that is declared.  A body in the
 * standard's syntax is bound once: there, all arguments have the types declared, too, and
 * none is left to its default.
 */

CREATE TYPE ted_join_cell AS (
	cell integer, low integer, high integer, reach integer, parts integer, part integer, other_parts integer, other integer,
	own boolean, crosses boolean, documents bigint, cost float8
);

COMMENT ON TYPE ted_join_cell IS 'a cell of a join, which has some of the documents and finds some of the pairs';

/*
 * The cells of a self-join of documents of these sizes, in ascending order, of each
 * of which there are so many.  A document of size s matches none larger than
 * s * grow + shift.  The sizes are cut into slabs of about the same cost.  A pair is
 * of the slab of its smaller size, so a slab has copies of larger documents, up to its
 * reach.  A slab with much of the cost is divided into parts by a hash of the id.  If
 * it has no copies, there is a cell for every two parts, and each part makes pairs of
 * its own in one of these; otherwise there is a cell for every part of documents and
 * every part of copies.  A pair whose sizes match counts as a thousandth of a
 * document.  Of all numbers of slabs, the one that is done first is taken.
 */
CREATE FUNCTION ted_plan_cells(sizes integer[], counts bigint[], grow float8, shift float8, cells integer)
	RETURNS SETOF ted_join_cell
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 100000 ROWS 10 SET jit = off
	SET search_path = pg_catalog, pg_temp
AS $$
	WITH histogram AS MATERIALIZED (
		SELECT i, size, n::float8 AS n, sum(n) OVER (ORDER BY i)::float8 AS upto,
			   width_bucket(least(floor(size * grow + shift), 2147483647)::integer, sizes) AS far
		FROM unnest(sizes, counts) WITH ORDINALITY u(size, n, i)),
	work AS MATERIALIZED (
		SELECT h.size, h.n, h.upto, f.upto AS far_upto,
			   h.n * (h.n - 1) / 2 + h.n * (f.upto - h.upto) AS pairs
		FROM histogram h JOIN histogram f ON f.i = h.far),
	tried AS (
		SELECT DISTINCT least(ceil(1.25 ^ step), greatest(cells, 1)) AS slabs
		FROM generate_series(0, ceil(ln(greatest(cells, 1)) / ln(1.25))::integer) step),
	cut AS (
		SELECT slabs, w.*, trunc((sum(n + pairs / 1000) OVER below - n - pairs / 1000) * slabs
								 / sum(n + pairs / 1000) OVER (PARTITION BY slabs)) AS slab
		FROM work w, tried WINDOW below AS (PARTITION BY slabs ORDER BY size)),
	slab AS (
		SELECT slabs, sum(n) AS n, max(upto) AS upto, sum(pairs) AS pairs,
			   sum(n * greatest(far_upto - slab_upto, 0)) AS outer_pairs,
			   CASE WHEN row_number() OVER upwards = 1 THEN 0 ELSE min(size) END AS low,
			   lead(min(size), 1, 2147483647) OVER upwards AS high
		FROM (SELECT *, max(upto) OVER (PARTITION BY slabs, slab) AS slab_upto FROM cut) c
		GROUP BY slabs, slab WINDOW upwards AS (PARTITION BY slabs ORDER BY slab)),
	reached AS (
		SELECT *, least(floor((high - 1) * grow + shift) + 1, 2147483647)::integer AS reach,
			   floor((high - shift) / grow) AS border,
			   greatest(1, cells * (n + pairs / 1000) / sum(n + pairs / 1000) OVER (PARTITION BY slabs)) AS share
		FROM slab),
	parted AS (
		SELECT r.*, h.upto - r.upto AS copies,
			   CASE WHEN h.upto > r.upto THEN floor(sqrt(share) + 1e-9)
					WHEN share >= 3 - 1e-9 THEN floor((1 + sqrt(1 + 8 * share)) / 2 + 1e-9)
					ELSE 1 END::integer AS parts
		FROM reached r JOIN histogram h ON h.i = width_bucket(reach - 1, sizes)),
	-- the last and the first part change places, so that each part is followed by another one once
	paired AS (
		SELECT p.*, i < j AS crosses, CASE WHEN turned THEN j ELSE i END AS part,
			   CASE WHEN turned THEN i ELSE j END AS other,
			   i = j OR copies = 0 AND (j = i + 1 OR turned) AS own
		FROM parted p, generate_series(0, parts - 1) i, generate_series(0, parts - 1) j,
			 LATERAL (SELECT copies = 0 AND i = 0 AND j = parts - 1 AND parts > 2 AS turned) t
		WHERE copies > 0 OR parts = 1 OR i < j),
	priced AS (
		SELECT *, documents + (outer_pairs + (pairs - outer_pairs) * (own::integer + 2 * crosses::integer))
				  / parts ^ 2 / 1000 AS cost
		FROM (SELECT *, (n + n * crosses::integer + copies) / parts AS documents FROM paired) p),
	best AS (
		SELECT slabs FROM priced GROUP BY slabs
		ORDER BY greatest(max(cost), sum(cost) / cells), slabs LIMIT 1)
	SELECT row_number() OVER (ORDER BY cost DESC, low, part, other)::integer,
		   CASE WHEN own OR crosses THEN low ELSE greatest(low, border)::integer END, high, reach, parts, part,
		   parts, other, own, crosses, documents::bigint, cost
	FROM priced JOIN best USING (slabs)
$$;

CREATE FUNCTION ted_join_side(cell ted_join_cell, id bigint, size integer) RETURNS "char"
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;

-- The cells of a join of two tables: a grid, of a part of the one and a part of the other each, with the fewest documents.
CREATE FUNCTION ted_grid_cells(left_documents bigint, right_documents bigint, cells integer)
	RETURNS SETOF ted_join_cell
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000 ROWS 10
	SET search_path = pg_catalog, pg_temp
AS $$
	SELECT row_number() OVER ()::integer, 0, 2147483647, 2147483647, p, i, q, j, false, true, documents::bigint,
		   documents + left_documents::float8 / p * right_documents / q / 1000
	FROM (SELECT p, cells / p AS q, left_documents::float8 / p + right_documents::float8 / (cells / p) AS documents
		  FROM generate_series(1, cells) p ORDER BY 3, 1 LIMIT 1) grid,
		 generate_series(0, p - 1) i, generate_series(0, q - 1) j
$$;

CREATE FUNCTION ted_grid_side(cell ted_join_cell, id bigint, side "char") RETURNS "char"
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;

CREATE FUNCTION ted_packed_sizes(documents bytea, OUT size integer, OUT n bigint) RETURNS SETOF record
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000 ROWS 100;

-- packed documents need not be read again
CREATE FUNCTION ted_table_cells(docs regclass, doc name, kind text, packed bytea, grow float8, shift float8, cells integer)
	RETURNS SETOF ted_join_cell
	LANGUAGE plpgsql STABLE PARALLEL UNSAFE COST 1000000 ROWS 10
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	ted name := (SELECT nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'ted');
BEGIN
	IF cells < 1 THEN
		RAISE EXCEPTION 'number of cells must be positive' USING ERRCODE = 'invalid_parameter_value',
			DETAIL = format('The number of cells is %s.', cells), HINT = 'Use at least one cell.';
	END IF;
	RETURN QUERY EXECUTE format(
		'SELECT c.* FROM (SELECT array_agg(size ORDER BY size) AS sizes, array_agg(n ORDER BY size) AS counts FROM (%s) s) h,
		              LATERAL %I.ted_plan_cells(sizes, counts, $1, $2, $3) c',
		CASE WHEN packed IS NULL
			 THEN format('SELECT %s AS size, count(*) AS n FROM %s WHERE %I IS NOT NULL GROUP BY 1',
						 CASE kind WHEN 'tree' THEN format('%1$I.tree_size(%2$I::%1$I.tree)', ted, doc)
							  ELSE format('char_length(%I::text)', doc) END, docs, doc)
			 ELSE format('SELECT size, sum(n)::bigint AS n FROM %I.ted_packed_sizes($4) GROUP BY 1', ted) END, ted)
		USING grow, shift, cells, packed;
END $$;
CREATE FUNCTION ted_table_grid(docs regclass, others regclass, cells integer)
	RETURNS SETOF ted_join_cell
	LANGUAGE plpgsql STABLE STRICT PARALLEL UNSAFE COST 1000000 ROWS 10
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	ted name := (SELECT nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'ted');
BEGIN
	IF cells < 1 THEN
		RAISE EXCEPTION 'number of cells must be positive' USING ERRCODE = 'invalid_parameter_value',
			DETAIL = format('The number of cells is %s.', cells), HINT = 'Use at least one cell.';
	END IF;
	RETURN QUERY EXECUTE format('SELECT * FROM %I.ted_grid_cells((SELECT count(*) FROM %s), (SELECT count(*) FROM %s), $1)',
								ted, docs, others) USING cells;
END $$;
CREATE FUNCTION ted_join_cells(docs regclass, doc name, max_distance integer, cells integer)
	RETURNS SETOF ted_join_cell
	LANGUAGE sql STABLE STRICT PARALLEL UNSAFE COST 1000000 ROWS 10
	BEGIN ATOMIC
		SELECT * FROM ted_table_cells(docs, doc, 'tree'::text, NULL::bytea, 1::float8, greatest(max_distance, 0)::float8, cells);
	END;
CREATE FUNCTION ted_join_cells(docs regclass, doc name, min_similarity float8, cells integer)
	RETURNS SETOF ted_join_cell
	LANGUAGE sql STABLE STRICT PARALLEL UNSAFE COST 1000000 ROWS 10
	BEGIN ATOMIC
		SELECT * FROM ted_table_cells(docs, doc, 'text'::text, NULL::bytea,
			CASE WHEN min_similarity > 1e-9::float8 THEN greatest(1::float8, (2::float8 - min_similarity) / min_similarity) ELSE 1::float8 END,
			CASE WHEN min_similarity > 1e-9::float8 THEN 1 ELSE 2147483647 END::float8, cells);
	END;

-- what travels between servers: the documents of a cell, and its matches
CREATE FUNCTION tree_pack_cell_transfn(bytea, bigint, tree, "char") RETURNS bytea
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION lcs_pack_cell_transfn(bytea, bigint, text, "char") RETURNS bytea
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION ted_pack_cell_combine(bytea, bytea) RETURNS bytea
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION ted_pack_cell_finalfn(bytea) RETURNS bytea
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE AGGREGATE ted_pack_cell(id bigint, doc tree, side "char") (
	SFUNC = tree_pack_cell_transfn, STYPE = bytea, FINALFUNC = ted_pack_cell_finalfn, COMBINEFUNC = ted_pack_cell_combine, PARALLEL = SAFE
);
CREATE AGGREGATE ted_pack_cell(id bigint, doc text, side "char") (
	SFUNC = lcs_pack_cell_transfn, STYPE = bytea, FINALFUNC = ted_pack_cell_finalfn, COMBINEFUNC = ted_pack_cell_combine, PARALLEL = SAFE
);
CREATE FUNCTION ted_cut_cells(documents bytea, cells ted_join_cell[], max_distance integer DEFAULT NULL) RETURNS SETOF bytea
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE PARALLEL SAFE COST 10000 ROWS 10;
CREATE FUNCTION tree_join_cell(cell bytea, max_distance integer) RETURNS bytea
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE COST 10000;
CREATE AGGREGATE ted_pack_part(id bigint, doc tree, side "char") (
	SFUNC = tree_pack_cell_transfn, STYPE = bytea, COMBINEFUNC = ted_pack_cell_combine, PARALLEL = SAFE
);
CREATE FUNCTION ted_count_labels_transfn(bytea, bytea) RETURNS bytea
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10000;
CREATE FUNCTION ted_count_labels_combine(bytea, bytea) RETURNS bytea
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 100;
CREATE AGGREGATE ted_count_labels(part bytea) (
	SFUNC = ted_count_labels_transfn, STYPE = bytea, COMBINEFUNC = ted_count_labels_combine, PARALLEL = SAFE
);
CREATE FUNCTION ted_cut_by_labels(part bytea, counts bytea, cells integer, max_distance integer, OUT cell integer, OUT cut bytea)
	RETURNS SETOF record
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE COST 10000 ROWS 10;
CREATE FUNCTION tree_join_parts(parts bytea[], cell integer, cells integer, max_distance integer) RETURNS bytea
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE COST 10000;
CREATE FUNCTION lcs_join_cell(cell bytea, min_similarity float8) RETURNS bytea
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE COST 10000;
CREATE FUNCTION ted_unpack_matches(matches bytea, OUT left_id bigint, OUT right_id bigint, OUT measure float8)
	RETURNS SETOF record
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000 ROWS 1000;

/*
 * The documents of a table, or of two, as one value; or those of a cell.  NULL where all
 * documents are too many for a value.
 */
CREATE FUNCTION ted_pack_table(docs regclass, id name, doc name, kind text, others regclass, cell ted_join_cell)
	RETURNS bytea
	LANGUAGE plpgsql STABLE PARALLEL UNSAFE COST 1000000
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	ted name := (SELECT nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'ted');
	type text := CASE kind WHEN 'tree' THEN format('%I.tree', ted) ELSE 'text' END;
	size text := CASE kind WHEN 'tree' THEN format('%I.tree_size', ted) ELSE 'char_length' END;
	rows text := format('SELECT %I::bigint AS id, %I::%s AS doc', id, doc, type);
	packed bytea;
BEGIN
	EXECUTE format('SELECT %I.ted_pack_cell(id, doc, %s) FROM (%s) d', ted,
		CASE WHEN cell IS NULL THEN 'side' WHEN others IS NULL THEN format('%I.ted_join_side($1, id, %s(doc))', ted, size)
			 ELSE format('%I.ted_grid_side($1, id, side)', ted) END,
		CASE WHEN others IS NULL THEN format('%s, ''o''::"char" AS side FROM %s', rows, docs)
			 ELSE format('%1$s, ''l''::"char" AS side FROM %2$s UNION ALL %1$s, ''r''::"char" FROM %3$s', rows, docs, others) END)
		INTO packed USING cell;
	RETURN packed;
EXCEPTION WHEN program_limit_exceeded OR configuration_limit_exceeded THEN
	IF cell IS NOT NULL THEN
		RAISE;
	END IF;
	RETURN NULL;
END $$;

/*
 * Joins by servers of postgres_fdw, over dblink: each is sent a cell with its
 * documents, as one statement, and another one when its matches have come back.  All
 * queries see one snapshot, since the function is declared stable.
 *
 * The name of a connection has the time of the statement and that of the call.  Whatever
 * ends a call, its connections are closed; those that a second cancel has left open are
 * closed by the next statement.
 */
CREATE FUNCTION ted_join_by_servers(docs regclass, id name, doc name, kind text, threshold text, servers name[],
									cells integer, plan text, others regclass)
	RETURNS TABLE (left_id bigint, right_id bigint, measure float8)
	LANGUAGE plpgsql STABLE PARALLEL UNSAFE COST 1000000 ROWS 1000
	SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
	ted name := (SELECT nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'ted');
	dblink name := (SELECT nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'dblink');
	statement text := format('ted join %s ', extract(epoch FROM statement_timestamp()));
	call text := statement || extract(epoch FROM clock_timestamp()) || ' ';
	server name;
	remote name; -- where a server has the extension
	connections text[] := '{}';
	connection text;
	functions text[] := '{}';
	busy boolean[] := array_fill(false, ARRAY[cardinality(servers)]);
	working integer;
	planned refcursor;
	packed bytea; -- all documents, or NULL where these are too many for one value
	documents bytea; -- of a cell
	matches bytea;
BEGIN
	EXECUTE format('SELECT %1$I.dblink_disconnect(c) FROM unnest(%1$I.dblink_get_connections()) c
					WHERE starts_with(c, ''ted join '') AND NOT starts_with(c, $1)', dblink) USING statement;
	FOREACH server IN ARRAY servers LOOP
		connection := call || cardinality(connections);
		connections := connections || connection;
		EXECUTE format('SELECT %I.dblink_connect($1, $2)', dblink) USING connection, server::text;
		EXECUTE format('SELECT name FROM %I.dblink($1, $2) AS t(name name)', dblink) INTO remote
			USING connection, 'SELECT n.nspname FROM pg_catalog.pg_extension e JOIN pg_catalog.pg_namespace n
				ON n.oid OPERATOR(pg_catalog.=) e.extnamespace WHERE e.extname OPERATOR(pg_catalog.=) ''ted''::pg_catalog.name'::text;
		IF remote IS NULL THEN
			RAISE EXCEPTION 'server "%" has no extension ted', server USING ERRCODE = 'object_not_in_prerequisite_state',
				DETAIL = 'Cells are joined by its functions.', HINT = 'Run CREATE EXTENSION ted there.';
		END IF;
		functions := functions || format('%I.%I', remote, CASE kind WHEN 'tree' THEN 'tree_join_cell' ELSE 'lcs_join_cell' END);
	END LOOP;

	EXECUTE format('SELECT %I.ted_pack_table($1, $2, $3, $4, $5, NULL::%1$I.ted_join_cell)', ted) INTO packed
		USING docs, id, doc, kind, others;
	IF packed IS NOT NULL THEN
		OPEN planned FOR EXECUTE format('SELECT %I.ted_cut_cells($2, (SELECT array_agg(cell) FROM (%s) p), $3)', ted, plan)
			USING coalesce(cells, cardinality(servers)), packed, CASE kind WHEN 'tree' THEN threshold::integer END;
	ELSE
		OPEN planned FOR EXECUTE format('SELECT %I.ted_pack_table($3, $4, $5, $6, $7, cell) FROM (%s) p', ted, plan)
			USING coalesce(cells, cardinality(servers)), packed, docs, id, doc, kind, others;
	END IF;
	LOOP
		FOR i IN 1 .. cardinality(connections) LOOP
			connection := connections[i];
			IF busy[i] THEN
				EXECUTE format('SELECT %I.dblink_is_busy($1)', dblink) INTO working USING connection;
				CONTINUE WHEN working = 1;
				EXECUTE format('SELECT matches FROM %I.dblink_get_result($1) AS t(matches bytea)', dblink) INTO matches USING connection;
				EXECUTE format('SELECT FROM %I.dblink_get_result($1) AS t(matches bytea)', dblink) USING connection;
				RETURN QUERY EXECUTE format('SELECT CASE WHEN $2 AND left_id > right_id THEN right_id ELSE left_id END,
						CASE WHEN $2 AND left_id > right_id THEN left_id ELSE right_id END, measure
					FROM %I.ted_unpack_matches($1)', ted) USING matches, others IS NULL;
			END IF;
			FETCH planned INTO documents;
			busy[i] := FOUND;
			IF FOUND THEN
				EXECUTE format('SELECT %I.dblink_send_query($1, $2)', dblink) USING connection,
					format('SELECT %s(pg_catalog.decode(''', functions[i]) || encode(documents, 'base64')
					|| format('''::pg_catalog.text, ''base64''::pg_catalog.text), %L::pg_catalog.%s)',
							  threshold, CASE kind WHEN 'tree' THEN 'int4' ELSE 'float8' END);
			END IF;
		END LOOP;
		EXIT WHEN NOT true = ANY (busy);
		PERFORM pg_sleep(0.002);
	END LOOP;
	EXECUTE format('SELECT %I.dblink_disconnect(c) FROM unnest($1) c', dblink) USING connections;
EXCEPTION WHEN query_canceled OR assert_failure OR others THEN
	-- the last one may be open or not, wherever it was cancelled
	IF connections <> '{}' THEN
		EXECUTE format('SELECT %1$I.dblink_cancel_query(c), %1$I.dblink_disconnect(c)
						FROM unnest(%1$I.dblink_get_connections()) c WHERE c = ANY ($1)', dblink) USING connections;
	END IF;
	RAISE;
END $$;
-- The workers of Citus for cells of these costs, which descend: each goes to the one with the least to do.
CREATE FUNCTION ted_deal_cells(costs float8[], workers integer) RETURNS integer[]
	LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	loads float8[] := array_fill(0::float8, ARRAY[workers]);
	dealt integer[] := '{}';
	least integer;
BEGIN
	FOR i IN 1 .. cardinality(costs) LOOP
		SELECT worker INTO least FROM unnest(loads) WITH ORDINALITY l(load, worker) ORDER BY load, worker LIMIT 1;
		loads[least] := loads[least] + costs[i];
		dealt := dealt || least;
	END LOOP;
	RETURN dealt;
END $$;

/*
 * Makes a table of cells, each of which is a shard on the worker with this number; returns
 * for each cell the key that leads to it.
 */
CREATE FUNCTION ted_citus_table(shard_table text, columns text, dealt integer[]) RETURNS integer[]
	LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE COST 1000000
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	keys integer[];
BEGIN
	EXECUTE format('CREATE UNLOGGED TABLE %s (key integer, %s)', shard_table, columns);
	-- what has been packed does not become smaller
	EXECUTE (SELECT format('ALTER TABLE %s ALTER %I SET STORAGE EXTERNAL', shard_table, attname) FROM pg_attribute
			 WHERE attrelid = shard_table::regclass AND attnum > 0 AND attstorage = 'x');
	PERFORM create_distributed_table(shard_table::regclass, 'key', colocate_with := 'none', shard_count :=
		(SELECT coalesce(max(n) * max(worker), 1) FROM (SELECT worker, count(*)::integer AS n FROM unnest(dealt) worker GROUP BY 1) c));
	WITH shard AS (
		SELECT shardid, dense_rank() OVER (ORDER BY groupid) AS worker,
			   row_number() OVER (PARTITION BY groupid ORDER BY shardid) AS number,
			   shardminvalue::integer AS low, shardmaxvalue::integer AS high
		FROM pg_dist_shard JOIN pg_dist_placement USING (shardid) WHERE logicalrelid = shard_table::regclass),
	hashed AS (
		SELECT key, worker_hash(key) AS hash
		FROM generate_series(1, (SELECT 40 * count(*)::integer FROM shard)) key),
	keyed AS (
		SELECT worker, number, min(key) AS key FROM shard JOIN hashed ON hash BETWEEN low AND high GROUP BY 1, 2),
	cell AS (
		SELECT cell, worker, row_number() OVER (PARTITION BY worker ORDER BY cell) AS number
		FROM unnest(dealt) WITH ORDINALITY d(worker, cell))
	SELECT array_agg(key ORDER BY cell) INTO keys FROM cell LEFT JOIN keyed USING (worker, number);
	RETURN keys;
END $$;

-- The documents of a shard on this server, packed, with their labels.
CREATE FUNCTION ted_pack_shard(shard regclass, id name, doc name) RETURNS bytea
	LANGUAGE plpgsql STABLE STRICT PARALLEL UNSAFE COST 1000000
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	ted name := (SELECT nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'ted');
	part bytea;
BEGIN
	EXECUTE format('SELECT %1$I.ted_pack_part(%2$I::bigint, %3$I::%1$I.tree, ''o''::"char") FROM %4$s', ted, id, doc, shard) INTO part;
	RETURN part;
END $$;

/*
 * A table of the documents of each shard, packed by the worker that has it, where they are.
 * NULL where there are no keys that lead to all shards: the table is not distributed by hash,
 * by a column of a type whose values are not made of numbers, or a shard has few hashes;
 * and while shards are moved, beside which Citus makes no such table.
 */
CREATE FUNCTION ted_pack_shards(docs regclass, id name, doc name, schema name) RETURNS text
	LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 1000000
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	ted name := (SELECT nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'ted');
	parts text := format('%I.%I', schema, 'ted_parts_' || pg_backend_pid());
	key name;
	type text;
	shards integer;
	found integer; -- keys
BEGIN
	SELECT column_to_column_name(logicalrelid, partkey) INTO key FROM pg_dist_partition WHERE logicalrelid = docs AND partmethod = 'h';
	SELECT format_type(atttypid, atttypmod) INTO type FROM pg_attribute
	WHERE attrelid = docs AND attname = key AND atttypid IN ('smallint'::regtype, 'integer'::regtype, 'bigint'::regtype,
															 'numeric'::regtype, 'text'::regtype, 'varchar'::regtype, 'uuid'::regtype);
	IF type IS NULL THEN
		RETURN NULL;
	END IF;
	BEGIN
		EXECUTE format('CREATE UNLOGGED TABLE %s AS SELECT %I AS key, NULL::text AS shard, NULL::bytea AS part FROM %s WITH NO DATA', parts, key, docs);
		EXECUTE format('ALTER TABLE %s ALTER part SET STORAGE EXTERNAL', parts);
		PERFORM create_distributed_table(parts::regclass, 'key', colocate_with := docs::text);
	EXCEPTION WHEN internal_error THEN
		IF SQLERRM NOT LIKE 'could not acquire the lock required to colocate %' THEN
			RAISE;
		END IF;
		RETURN NULL;
	END;
	shards := (SELECT count(*) FROM pg_dist_shard WHERE logicalrelid = docs);
	EXECUTE format('INSERT INTO %s (key, shard)
		SELECT DISTINCT ON (shardid) key, shard_name($1, shardid, false)
		FROM (SELECT shardid, shardminvalue::integer AS low, shardmaxvalue::integer AS high FROM pg_dist_shard WHERE logicalrelid = $1) s
		JOIN (SELECT key, worker_hash(key) AS hash
		      FROM generate_series(1, $2) i, LATERAL (SELECT %s::%s AS key) k) h ON hash BETWEEN low AND high',
		parts, CASE type WHEN 'uuid' THEN 'lpad(i::text, 32, ''0'')' ELSE 'i' END, type) USING docs, least(40 * shards, 30000);
	GET DIAGNOSTICS found = ROW_COUNT;
	IF found < shards THEN
		EXECUTE format('DROP TABLE %s', parts);
		RETURN NULL;
	END IF;
	EXECUTE format('INSERT INTO %s (key, part) SELECT key, %I.ted_pack_shard(shard::regclass, %L::name, %L::name) FROM %1$s', parts, ted, id, doc);
	RETURN parts;
END $$;

/*
 * The functions that follow make the table of cells in three ways; they return a query for
 * the matches of each key, with columns key, left_id, right_id and measure, or NULL where
 * there is no such way.
 */

/*
 * The workers cut cells by labels out of what they have.  Not where some labels are so
 * frequent that a cell has more than it would have if it were cut by hashes, or a shard
 * has too much for one value.
 */
CREATE FUNCTION ted_cells_by_labels(docs regclass, id name, doc name, max_distance integer, cells integer, workers integer,
									schema name, shard_table text) RETURNS text
	LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 1000000
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	ted name := (SELECT nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'ted');
	parts text;
	counts bytea;
	bytes bigint;
	keys integer[];
	largest bigint;
BEGIN
	EXECUTE format('SELECT %I.ted_pack_shards($1, $2, $3, $4)', ted) INTO parts USING docs, id, doc, schema;
	IF parts IS NULL THEN
		RETURN NULL;
	END IF;
	EXECUTE format('SELECT %I.ted_count_labels(part), sum(length(part)) FROM %s', ted, parts) INTO counts, bytes;
	EXECUTE format('SELECT %1$I.ted_citus_table($1, $2, %1$I.ted_deal_cells($3, $4))', ted) INTO keys
		USING shard_table, 'cell bytea'::text, array_fill(1::float8, ARRAY[cells]), workers;
	EXECUTE format('INSERT INTO %s SELECT (%L::integer[])[cell + 1], cut FROM %s, %I.ted_cut_by_labels(part, %L::bytea, %s, %s)',
				   shard_table, keys, parts, ted, counts, cells, max_distance);
	EXECUTE format('SELECT max(n) FROM (SELECT sum(length(cell)) AS n FROM %s GROUP BY key) c', shard_table) INTO largest;
	EXECUTE format('DROP TABLE %s', parts);
	IF largest > bytes * sqrt(2.0 / cells) THEN
		EXECUTE format('DROP TABLE %s', shard_table);
		RETURN NULL;
	END IF;
	RETURN format('SELECT key, (m).* FROM (
		SELECT key, %1$I.ted_unpack_matches(%1$I.tree_join_parts(array_agg(cell), array_position(%2$L::integer[], key) - 1, %3$s, %4$s)) AS m
		FROM %5$s GROUP BY key) j', ted, keys, cells, max_distance, shard_table);
EXCEPTION WHEN program_limit_exceeded OR configuration_limit_exceeded THEN
	RETURN NULL;
END $$;

-- This server packs all trees, or gets them packed from workers, and cuts the cells out of that.
CREATE FUNCTION ted_cells_of_packed(docs regclass, id name, doc name, max_distance integer, cells integer, plan text, workers integer,
									shard_table text, others regclass) RETURNS text
	LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 1000000
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	ted name := (SELECT nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'ted');
	packed bytea;
	planned text; -- an array of cells
	costs float8[];
	keys integer[];
BEGIN
	EXECUTE format('SELECT %I.ted_pack_table($1, $2, $3, $4, $5, NULL::%1$I.ted_join_cell)', ted) INTO packed
		USING docs, id, doc, 'tree'::text, others;
	IF packed IS NULL THEN
		RETURN NULL;
	END IF;
	EXECUTE format('SELECT array_agg(cell)::text, coalesce(array_agg((cell).cost), ''{}'') FROM (%s) p', plan)
		INTO planned, costs USING cells, packed;
	EXECUTE format('SELECT %1$I.ted_citus_table($1, $2, %1$I.ted_deal_cells($3, $4))', ted) INTO keys
		USING shard_table, 'cell bytea'::text, costs, workers;
	EXECUTE format('INSERT INTO %s SELECT key, cell
		FROM ROWS FROM (unnest($1), %I.ted_cut_cells($2, $3::%2$I.ted_join_cell[], $4)) c(key, cell)', shard_table, ted)
		USING keys, packed, planned, max_distance;
	RETURN format('SELECT key, (m).* FROM (
		SELECT key, %1$I.ted_unpack_matches(%1$I.tree_join_cell(cell, %2$s)) AS m FROM %3$s) j', ted, max_distance, shard_table);
END $$;

-- Rows go from where they are to their cells.
CREATE FUNCTION ted_cells_of_rows(docs regclass, id name, doc name, kind text, threshold text, cells integer, plan text, workers integer,
								  shard_table text, others regclass) RETURNS text
	LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 1000000
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	ted name := (SELECT nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'ted');
	type text := CASE kind WHEN 'tree' THEN format('%I.tree', ted) ELSE 'text' END;
	size text := CASE kind WHEN 'tree' THEN format('%I.tree_size', ted) ELSE 'char_length' END;
	planned text; -- an array of cells
	costs float8[];
	keys integer[];
	source regclass;
	side "char" := 'l';
BEGIN
	EXECUTE format('SELECT coalesce(array_agg(cell)::text, ''{}''), coalesce(array_agg((cell).cost), ''{}'') FROM (%s) p', plan)
		INTO planned, costs USING cells, NULL::bytea;
	EXECUTE format('SELECT %1$I.ted_citus_table($1, $2, %1$I.ted_deal_cells($3, $4))', ted) INTO keys
		USING shard_table, format('side "char", id bigint, doc %s', type), costs, workers;
	FOREACH source IN ARRAY CASE WHEN others IS NULL THEN ARRAY[docs] ELSE ARRAY[docs, others] END LOOP
		EXECUTE format('INSERT INTO %s
			SELECT key, side, id, doc
			FROM (SELECT (%L::integer[])[c.cell] AS key, d.%I::bigint AS id, d.%I::%s AS doc, %s AS side
			      FROM %s d, unnest(%L::%I.ted_join_cell[]) c) s
			WHERE side IS NOT NULL AND doc IS NOT NULL',
			shard_table, keys, id, doc, type,
			CASE WHEN others IS NULL THEN format('%I.ted_join_side(c, d.%I::bigint, %s(d.%I::%s))', ted, id, size, doc, type)
				 ELSE format('%I.ted_grid_side(c, d.%I::bigint, %L::"char")', ted, id, side) END,
			source, planned, ted);
		side := 'r';
	END LOOP;
	RETURN format('SELECT key, (m).left_id, (m).right_id, (m).%s AS measure
		FROM (SELECT key, unnest(%I.%s(id, doc, %L::%s, side)) AS m FROM %s GROUP BY key) j',
		CASE kind WHEN 'tree' THEN 'distance' ELSE 'similarity' END, ted,
		CASE kind WHEN 'tree' THEN 'tree_within_pairs' ELSE 'lcs_similar_pairs' END, threshold,
		CASE kind WHEN 'tree' THEN 'integer' ELSE 'float8' END, shard_table);
END $$;

/*
 * Joins by the workers of Citus: each cell is a shard of a table, which goes away
 * with this call, or with the transaction if it fails.  The table is in the first schema
 * of the path that is not the system's, or else where the documents are.
 */
CREATE FUNCTION ted_join_by_citus(docs regclass, id name, doc name, kind text, threshold text, cells integer, plan text,
								  path name[], result name, others regclass)
	RETURNS TABLE (left_id bigint, right_id bigint, measure float8)
	LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 1000
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	ted name := (SELECT nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'ted');
	workers integer;
	schema name := coalesce((SELECT name FROM unnest(path) WITH ORDINALITY p(name, i) WHERE name !~ '^pg_' ORDER BY i LIMIT 1),
							(SELECT nspname FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE c.oid = docs));
	shard_table text := format('%I.%I', schema, 'ted_cells_' || pg_backend_pid());
	found text; -- a query for the matches of each key
	matches text;
	memory text := current_setting('work_mem');
	propagated text := current_setting('citus.propagate_set_commands', true);
BEGIN
	SELECT count(*) INTO workers FROM citus_get_active_worker_nodes();
	-- the tasks sort and join in the memory of this session; Citus does not qualify what is in pg_catalog
	PERFORM set_config('citus.propagate_set_commands', 'local', true);
	EXECUTE format('SET LOCAL work_mem = %L', memory);
	SET LOCAL search_path = pg_catalog, pg_temp;
	cells := coalesce(cells, workers);
	-- with fewer cells, most trees would be in most of them; beyond 6 operations, they have too many rare labels
	IF kind = 'tree' AND others IS NULL AND cells >= 8 AND threshold::integer BETWEEN 0 AND 6 THEN
		EXECUTE format('SELECT %I.ted_cells_by_labels($1, $2, $3, $4, $5, $6, $7, $8)', ted) INTO found
			USING docs, id, doc, threshold::integer, cells, workers, schema, shard_table;
	END IF;
	IF kind = 'tree' AND found IS NULL THEN
		EXECUTE format('SELECT %I.ted_cells_of_packed($1, $2, $3, $4, $5, $6, $7, $8, $9)', ted) INTO found
			USING docs, id, doc, threshold::integer, cells, plan, workers, shard_table, others;
	END IF;
	IF found IS NULL THEN
		EXECUTE format('SELECT %I.ted_cells_of_rows($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)', ted) INTO found
			USING docs, id, doc, kind, threshold, cells, plan, workers, shard_table, others;
	END IF;
	matches := format('SELECT %s %s, measure::%s FROM (%s) s', CASE WHEN result IS NULL THEN '' ELSE 'key,' END,
		CASE WHEN others IS NULL THEN 'least(left_id, right_id), greatest(left_id, right_id)' ELSE 'left_id, right_id' END,
		CASE WHEN result IS NULL OR kind <> 'tree' THEN 'float8' ELSE 'integer' END, found);
	IF result IS NULL THEN
		RETURN QUERY EXECUTE matches;
	ELSE
		EXECUTE format('CREATE TABLE %I.%I (key integer, left_id bigint, right_id bigint, %s)', schema, result,
					   CASE kind WHEN 'tree' THEN 'distance integer' ELSE 'similarity float8' END);
		PERFORM create_distributed_table(format('%I.%I', schema, result)::regclass, 'key', colocate_with := shard_table);
		EXECUTE format('INSERT INTO %I.%I %s', schema, result, matches);
	END IF;
	EXECUTE format('DROP TABLE %s', shard_table);
	-- on the workers
	SET LOCAL search_path TO DEFAULT;
	IF propagated <> 'local' THEN
		SET LOCAL work_mem TO DEFAULT;
		PERFORM set_config('citus.propagate_set_commands', propagated, true), set_config('work_mem', memory, true);
	END IF;
END $$;

/*
 * Checks what a join is called with, before anything is made or sent, and returns the query
 * for its cells, for a number $1 of them, out of packed documents $2 if that is not NULL.
 * Ids are not read where the table itself keeps them apart.
 */
CREATE FUNCTION ted_join_plan(docs regclass, id name, doc name, kind text, threshold text, servers name[], result name, others regclass)
	RETURNS text
	LANGUAGE plpgsql STABLE PARALLEL UNSAFE COST 1000000
	SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	ted name := (SELECT nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'ted');
	server name;
	source regclass;
	number smallint; -- of the column of ids
	type regtype;
	integral boolean;
	refused bigint; -- id
	times bigint; -- that it occurs
BEGIN
	IF docs IS NULL OR id IS NULL OR doc IS NULL OR threshold IS NULL THEN
		RAISE EXCEPTION 'table, columns and threshold of a similarity join must not be null' USING ERRCODE = 'null_value_not_allowed',
			DETAIL = 'Only the servers, the number of cells, the result and the other table may be null.', HINT = 'Name all of them.';
	ELSIF servers IS NULL AND NOT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') THEN
		RAISE EXCEPTION 'no servers to join by' USING ERRCODE = 'object_not_in_prerequisite_state',
			DETAIL = 'No servers are named, and extension citus is not installed.',
			HINT = 'Name servers of postgres_fdw, or install Citus.';
	ELSIF cardinality(servers) = 0 THEN
		RAISE EXCEPTION 'list of servers is empty' USING ERRCODE = 'invalid_parameter_value',
			DETAIL = 'A join needs at least one server.', HINT = 'Name servers of postgres_fdw, or leave out the list to join by the workers of Citus.';
	ELSIF servers IS NOT NULL AND result IS NOT NULL THEN
		RAISE EXCEPTION 'servers of postgres_fdw leave no result' USING ERRCODE = 'feature_not_supported',
			DETAIL = 'Only workers of Citus keep the pairs that they find.', HINT = 'Insert the rows of the call into a table.';
	ELSIF servers IS NOT NULL AND NOT EXISTS (SELECT FROM pg_extension WHERE extname = 'dblink') THEN
		RAISE EXCEPTION 'extension dblink is not installed' USING ERRCODE = 'object_not_in_prerequisite_state',
			DETAIL = 'Cells of a join are sent through it.', HINT = 'Run CREATE EXTENSION dblink.';
	END IF;
	FOREACH server IN ARRAY coalesce(servers, '{}') LOOP
		IF server IS NULL THEN
			RAISE EXCEPTION 'name of a server must not be null' USING ERRCODE = 'null_value_not_allowed',
				DETAIL = 'The list of servers has a null.', HINT = 'Name servers of postgres_fdw.';
		ELSIF NOT EXISTS (SELECT FROM pg_foreign_server WHERE srvname = server) THEN
			RAISE EXCEPTION 'server "%" does not exist', server USING ERRCODE = 'undefined_object',
				DETAIL = 'There is no such foreign server in this database.', HINT = 'Use CREATE SERVER, or a name in pg_foreign_server.';
		END IF;
	END LOOP;
	FOREACH source IN ARRAY CASE WHEN others IS NULL THEN ARRAY[docs] ELSE ARRAY[docs, others] END LOOP
		WITH RECURSIVE base AS (
			SELECT attnum, atttypid AS declared, atttypid AS base FROM pg_attribute WHERE attrelid = source AND attname = id
			UNION ALL
			SELECT attnum, declared, typbasetype FROM base JOIN pg_type t ON t.oid = base WHERE typtype = 'd')
		SELECT attnum, declared, bool_or(base IN ('smallint'::regtype, 'integer'::regtype, 'bigint'::regtype))
		INTO number, type, integral FROM base GROUP BY 1, 2;
		IF number IS NULL THEN
			RAISE EXCEPTION 'column "%" does not exist', id USING ERRCODE = 'undefined_column',
				DETAIL = format('Table %s has no such column.', source), HINT = 'Name the column of the ids with the argument "id".';
		ELSIF NOT integral THEN
			RAISE EXCEPTION 'id of a similarity join must be an integer' USING ERRCODE = 'datatype_mismatch',
				DETAIL = format('Column "%s" of table %s is of type %s.', id, source, type),
				HINT = 'Use a column of type smallint, integer or bigint.';
		END IF;
		CONTINUE WHEN EXISTS (
			SELECT FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = indkey[0] JOIN pg_class c ON c.oid = indrelid
			WHERE indrelid = source AND attnum = number AND indnkeyatts = 1 AND indisunique AND indisvalid AND indimmediate
				AND indpred IS NULL AND attnotnull AND (relkind = 'p' OR NOT relhassubclass));
		EXECUTE format('SELECT %1$I, count(*) FROM %2$s WHERE %3$I IS NOT NULL GROUP BY 1 HAVING count(*) > 1 OR %1$I IS NULL LIMIT 1',
					   id, source, doc) INTO refused, times;
		IF refused IS NOT NULL THEN
			RAISE EXCEPTION 'duplicate id % in a similarity join', refused USING ERRCODE = 'cardinality_violation',
				DETAIL = 'An id names one document of a side.', HINT = 'Use a unique column as the id.';
		ELSIF times IS NOT NULL THEN
			RAISE EXCEPTION 'id of a similarity join must not be null' USING ERRCODE = 'null_value_not_allowed',
				DETAIL = 'Only a document may be null; it is skipped.', HINT = 'Leave out such rows by a view.';
		END IF;
	END LOOP;
	RETURN CASE
		WHEN others IS NOT NULL
		THEN format('SELECT c AS cell FROM %I.ted_table_grid(%L::regclass, %L::regclass, $1) c', ted, docs::oid, others::oid)
		WHEN kind = 'tree'
		THEN format('SELECT c AS cell FROM %I.ted_table_cells(%L::regclass, %L::name, ''tree''::text, $2, 1::float8, %L::float8, $1) c ORDER BY cost DESC',
					ted, docs::oid, doc, greatest(threshold::integer, 0))
		ELSE format('SELECT c AS cell FROM %I.ted_join_cells(%L::regclass, %L::name, %L::float8, $1) c ORDER BY cost DESC',
					ted, docs::oid, doc, threshold)
	END;
END $$;

-- by the servers that are named, or else by the workers of Citus
CREATE FUNCTION tree_within_pairs_distributed(
	docs regclass, max_distance integer, servers name[] DEFAULT NULL, id name DEFAULT 'id', doc name DEFAULT 'doc',
	cells integer DEFAULT NULL, result name DEFAULT NULL, others regclass DEFAULT NULL)
	RETURNS SETOF tree_match
	LANGUAGE sql VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 1000
	BEGIN ATOMIC
		SELECT left_id, right_id, measure::integer
		FROM ted_join_plan(docs, id, doc, 'tree'::text, max_distance::text, servers, result, others) AS plan,
			 LATERAL (
				SELECT * FROM ted_join_by_servers(docs, id, doc, 'tree'::text, max_distance::text, servers, cells, plan, others)
				WHERE servers IS NOT NULL
				UNION ALL
				SELECT * FROM ted_join_by_citus(docs, id, doc, 'tree'::text, max_distance::text, cells, plan, current_schemas(false), result, others)
				WHERE servers IS NULL) j;
	END;
CREATE FUNCTION lcs_similar_pairs_distributed(
	docs regclass, min_similarity float8, servers name[] DEFAULT NULL, id name DEFAULT 'id', doc name DEFAULT 'doc',
	cells integer DEFAULT NULL, result name DEFAULT NULL, others regclass DEFAULT NULL)
	RETURNS SETOF lcs_match
	LANGUAGE sql VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 1000
	BEGIN ATOMIC
		SELECT left_id, right_id, measure
		FROM ted_join_plan(docs, id, doc, 'text'::text, min_similarity::text, servers, result, others) AS plan,
			 LATERAL (
				SELECT * FROM ted_join_by_servers(docs, id, doc, 'text'::text, min_similarity::text, servers, cells, plan, others)
				WHERE servers IS NOT NULL
				UNION ALL
				SELECT * FROM ted_join_by_citus(docs, id, doc, 'text'::text, min_similarity::text, cells, plan, current_schemas(false), result, others)
				WHERE servers IS NULL) j;
	END;

COMMENT ON FUNCTION ted_plan_cells(integer[], bigint[], float8, float8, integer) IS 'cells of a self-join, by the sizes of its documents';
COMMENT ON FUNCTION ted_join_side(ted_join_cell, bigint, integer) IS 'the side of a document in a cell, NULL where it is not in it';
COMMENT ON FUNCTION ted_grid_cells(bigint, bigint, integer) IS 'cells of a join of two tables, by the numbers of their documents';
COMMENT ON FUNCTION ted_grid_side(ted_join_cell, bigint, "char") IS 'the side of a document of a table in a cell, NULL where it is not in it';
COMMENT ON FUNCTION ted_table_grid(regclass, regclass, integer) IS 'cells of a join of two tables';
COMMENT ON FUNCTION ted_packed_sizes(bytea) IS 'how many of some packed documents have each size';
COMMENT ON FUNCTION ted_table_cells(regclass, name, text, bytea, float8, float8, integer) IS 'cells of a self-join of a table';
COMMENT ON FUNCTION ted_join_cells(regclass, name, integer, integer) IS 'cells of a self-join of trees at most max_distance apart';
COMMENT ON FUNCTION ted_join_cells(regclass, name, float8, integer) IS 'cells of a self-join of texts with a similarity of at least min_similarity';
COMMENT ON FUNCTION tree_pack_cell_transfn(bytea, bigint, tree, "char") IS 'aggregate transition function';
COMMENT ON FUNCTION lcs_pack_cell_transfn(bytea, bigint, text, "char") IS 'aggregate transition function';
COMMENT ON FUNCTION ted_pack_cell_combine(bytea, bytea) IS 'aggregate combine function';
COMMENT ON FUNCTION ted_pack_cell_finalfn(bytea) IS 'aggregate final function';
COMMENT ON AGGREGATE ted_pack_cell(bigint, tree, "char") IS 'the trees of a cell as one value';
COMMENT ON AGGREGATE ted_pack_cell(bigint, text, "char") IS 'the texts of a cell as one value';
COMMENT ON FUNCTION ted_cut_cells(bytea, ted_join_cell[], integer) IS 'the documents of each cell, out of packed ones';
COMMENT ON FUNCTION tree_join_cell(bytea, integer) IS 'all pairs of trees of a cell at most max_distance apart, as one value';
COMMENT ON FUNCTION lcs_join_cell(bytea, float8) IS 'all pairs of texts of a cell with a similarity of at least min_similarity, as one value';
COMMENT ON AGGREGATE ted_pack_part(bigint, tree, "char") IS 'part of the trees of a join as one value, with their labels';
COMMENT ON FUNCTION ted_count_labels_transfn(bytea, bytea) IS 'aggregate transition function';
COMMENT ON FUNCTION ted_count_labels_combine(bytea, bytea) IS 'aggregate combine function';
COMMENT ON AGGREGATE ted_count_labels(bytea) IS 'in how many trees labels occur, by their hashes';
COMMENT ON FUNCTION ted_cut_by_labels(bytea, bytea, integer, integer) IS 'what a part has of each cell by labels';
COMMENT ON FUNCTION tree_join_parts(bytea[], integer, integer, integer) IS 'all pairs of trees of a cell by labels at most max_distance apart, as one value';
COMMENT ON FUNCTION ted_pack_shard(regclass, name, name) IS 'the trees of a shard as one value, with their labels';
COMMENT ON FUNCTION ted_pack_shards(regclass, name, name, name) IS 'makes a table of the packed trees of each shard';
COMMENT ON FUNCTION ted_unpack_matches(bytea) IS 'the matches that a cell has returned';
COMMENT ON FUNCTION ted_pack_table(regclass, name, name, text, regclass, ted_join_cell) IS 'the documents of a table, or of two, or of a cell of these, as one value';
COMMENT ON FUNCTION ted_join_plan(regclass, name, name, text, text, name[], name, regclass) IS 'checks what a join is called with, and returns the query for its cells';
COMMENT ON FUNCTION ted_join_by_servers(regclass, name, name, text, text, name[], integer, text, regclass) IS 'joins by servers of postgres_fdw, cell by cell';
COMMENT ON FUNCTION ted_deal_cells(float8[], integer) IS 'for each cell the number of a worker';
COMMENT ON FUNCTION ted_citus_table(text, text, integer[]) IS 'makes a table with a shard for each cell, and returns the keys that lead to them';
COMMENT ON FUNCTION ted_cells_by_labels(regclass, name, name, integer, integer, integer, name, text) IS 'has workers of Citus cut cells by labels out of the trees that they have';
COMMENT ON FUNCTION ted_cells_of_packed(regclass, name, name, integer, integer, text, integer, text, regclass) IS 'cuts cells out of all trees, and sends them to workers of Citus';
COMMENT ON FUNCTION ted_cells_of_rows(regclass, name, name, text, text, integer, text, integer, text, regclass) IS 'sends documents to their cells on workers of Citus';
COMMENT ON FUNCTION ted_join_by_citus(regclass, name, name, text, text, integer, text, name[], name, regclass) IS 'joins by workers of Citus, cell by cell';
COMMENT ON FUNCTION tree_within_pairs_distributed(regclass, integer, name[], name, name, integer, name, regclass) IS 'all pairs of trees of a table, or of two, at most max_distance apart, found by servers of postgres_fdw or workers of Citus';
COMMENT ON FUNCTION lcs_similar_pairs_distributed(regclass, float8, name[], name, name, integer, name, regclass) IS 'all pairs of texts of a table, or of two, with a similarity of at least min_similarity, found by servers of postgres_fdw or workers of Citus';

-- What computes

CREATE TABLE ted_gpu_calibration (
	device text PRIMARY KEY,
	measured timestamptz NOT NULL,
	unit float8 NOT NULL,
	sync_thread float8 NOT NULL,
	sync_warp float8 NOT NULL,
	sync_block float8 NOT NULL,
	sync_multi float8 NOT NULL,
	launch float8 NOT NULL,
	byte float8 NOT NULL,
	lcs_tiles float8[] NOT NULL,
	warp_from float8,
	block_from float8,
	multi_from float8,
	blocks integer
);

COMMENT ON TABLE ted_gpu_calibration IS 'what ted_gpu_calibrate() has measured, by device: times in seconds';
COMMENT ON COLUMN ted_gpu_calibration.unit IS 'a cell, by one thread';
COMMENT ON COLUMN ted_gpu_calibration.sync_thread IS 'the end of a row of cells, by one thread';
COMMENT ON COLUMN ted_gpu_calibration.sync_warp IS 'the end of a row of cells, by a warp';
COMMENT ON COLUMN ted_gpu_calibration.sync_block IS 'the end of a row of cells, by a block';
COMMENT ON COLUMN ted_gpu_calibration.sync_multi IS 'the end of a row of cells, by several blocks';
COMMENT ON COLUMN ted_gpu_calibration.launch IS 'of a kernel, until its end is seen';
COMMENT ON COLUMN ted_gpu_calibration.byte IS 'a byte sent to the device';
COMMENT ON COLUMN ted_gpu_calibration.lcs_tiles IS 'long pairs of strings: column, hand-over, stripe and launch, by how matches are found, words a thread and warps on a scheduler';
COMMENT ON COLUMN ted_gpu_calibration.warp_from IS 'side of a square table from which a warp is faster than a thread by X-TED''s model; null for none';
COMMENT ON COLUMN ted_gpu_calibration.block_from IS 'the same for a block and a warp';
COMMENT ON COLUMN ted_gpu_calibration.multi_from IS 'the same for several blocks and one';
COMMENT ON COLUMN ted_gpu_calibration.blocks IS 'how many these are';

-- the extension's objects belong to a superuser, whoever has installed it
GRANT SELECT ON ted_gpu_calibration TO PUBLIC;
GRANT INSERT, UPDATE, DELETE ON ted_gpu_calibration TO pg_database_owner;
SELECT pg_catalog.pg_extension_config_dump('ted_gpu_calibration', '');

CREATE FUNCTION ted_gpu_measure() RETURNS ted_gpu_calibration
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL RESTRICTED COST 1000000;
CREATE FUNCTION ted_gpu_calibrate() RETURNS ted_gpu_calibration
	LANGUAGE sql VOLATILE PARALLEL UNSAFE COST 1000000
	BEGIN ATOMIC
		INSERT INTO ted_gpu_calibration SELECT m.* FROM ted_gpu_measure() m
		ON CONFLICT (device) DO UPDATE SET
			(measured, unit, sync_thread, sync_warp, sync_block, sync_multi, launch, byte, lcs_tiles,
			 warp_from, block_from, multi_from, blocks) =
			ROW (excluded.measured, excluded.unit, excluded.sync_thread, excluded.sync_warp,
				 excluded.sync_block, excluded.sync_multi, excluded.launch, excluded.byte,
				 excluded.lcs_tiles, excluded.warp_from, excluded.block_from, excluded.multi_from, excluded.blocks)
		RETURNING *;
	END;
CREATE FUNCTION ted_engine_info(
	OUT engine text, OUT device text, OUT devices integer[], OUT capability text, OUT processors integer,
	OUT memory bigint, OUT free bigint, OUT used bigint, OUT calibrated boolean,
	OUT contexts integer, OUT max_contexts integer, OUT pairs bigint, OUT fallbacks bigint,
	OUT note text)
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL RESTRICTED;

-- how far the joins, aggregates and index searches of all sessions are
CREATE FUNCTION ted_get_progress(
	OUT pid integer, OUT leader_pid integer, OUT datid oid, OUT operation text, OUT relid oid, OUT phase text,
	OUT documents bigint, OUT pairs bigint, OUT pairs_verified bigint, OUT results bigint,
	OUT share_done float8, OUT time_left interval, OUT started timestamptz, OUT reported timestamptz)
	RETURNS SETOF record
	AS 'MODULE_PATHNAME' LANGUAGE C STRICT VOLATILE PARALLEL RESTRICTED COST 1 ROWS 10;
CREATE VIEW ted_progress AS
	SELECT p.pid, p.leader_pid, p.datid, d.datname, p.relid, p.operation, p.phase,
		p.documents, p.pairs, p.pairs_verified, p.results,
		p.share_done, p.time_left, p.started, p.reported
	FROM ted_get_progress() AS p LEFT JOIN pg_catalog.pg_database AS d ON d.oid = p.datid;
GRANT SELECT ON ted_progress TO PUBLIC;

COMMENT ON FUNCTION ted_get_progress() IS 'how far joins, aggregates and index searches of all sessions are';
COMMENT ON VIEW ted_progress IS 'how far joins, aggregates and index searches of all sessions are';
COMMENT ON FUNCTION ted_gpu_measure() IS 'measures the GPU, and keeps nothing';
COMMENT ON FUNCTION ted_gpu_calibrate() IS 'measures the GPU and keeps the times in ted_gpu_calibration';
COMMENT ON FUNCTION ted_engine_info() IS 'what computes distances, and what the GPU has done in this session';

