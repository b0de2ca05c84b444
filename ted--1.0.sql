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
COMMENT ON FUNCTION tree_in(cstring) IS 'internal: I/O';
COMMENT ON FUNCTION tree_out(tree) IS 'internal: I/O';
COMMENT ON FUNCTION tree_recv(internal) IS 'internal: I/O';
COMMENT ON FUNCTION tree_send(tree) IS 'internal: I/O';
COMMENT ON FUNCTION tree_typanalyze(internal) IS 'internal: statistics of sizes and labels';

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
CREATE FUNCTION tree_hash(tree, bigint) RETURNS bigint
	AS 'MODULE_PATHNAME', 'tree_hash_extended' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10;

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
	FUNCTION 2 tree_hash(tree, bigint);

COMMENT ON FUNCTION tree_lt(tree, tree) IS 'internal: implementation of < operator';
COMMENT ON FUNCTION tree_le(tree, tree) IS 'internal: implementation of <= operator';
COMMENT ON FUNCTION tree_eq(tree, tree) IS 'internal: implementation of = operator';
COMMENT ON FUNCTION tree_ne(tree, tree) IS 'internal: implementation of <> operator';
COMMENT ON FUNCTION tree_ge(tree, tree) IS 'internal: implementation of >= operator';
COMMENT ON FUNCTION tree_gt(tree, tree) IS 'internal: implementation of > operator';
COMMENT ON FUNCTION tree_cmp(tree, tree) IS 'internal: less-equal-greater';
COMMENT ON FUNCTION tree_hash(tree) IS 'internal: hash';
COMMENT ON FUNCTION tree_hash(tree, bigint) IS 'internal: hash';
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
	content text DEFAULT 'full',
	fold_case boolean DEFAULT false,
	exclude_paths text[] DEFAULT '{}',
	include_paths text[] DEFAULT '{}',
	fragment_root text DEFAULT '',
	unordered text[] DEFAULT '{}',
	on_error text DEFAULT 'error',
	namespaces text DEFAULT 'local'
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
	content text DEFAULT 'full',
	fold_case boolean DEFAULT false,
	exclude_paths text[] DEFAULT '{}',
	include_paths text[] DEFAULT '{}',
	sort_arrays boolean DEFAULT false,
	array_keys text[] DEFAULT '{}',
	on_error text DEFAULT 'error',
	duplicate_keys text DEFAULT 'last'
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
	array_keys text[] DEFAULT '{}',
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

-- implicit only for jsonb, which has operators of its own: comparing xml or json by = would compare their trees
CREATE CAST (xml AS tree) WITH FUNCTION tree(xml) AS ASSIGNMENT;
CREATE CAST (json AS tree) WITH FUNCTION tree(json) AS ASSIGNMENT;
CREATE CAST (jsonb AS tree) WITH FUNCTION tree(jsonb) AS IMPLICIT;

COMMENT ON FUNCTION tree_from_xml(xml, text, text, text, text, boolean, text[], text[], text, text[], text, text)
	IS 'tree of an XML document or fragment';
COMMENT ON FUNCTION tree_from_html(text, text, text, text, text, boolean, text[], text[], text, text[], text)
	IS 'tree of a page of HTML';
COMMENT ON FUNCTION tree_from_json(json, boolean, text, boolean, text[], text[], boolean, text[], text, text)
	IS 'tree of a JSON document';
COMMENT ON FUNCTION tree_from_json(jsonb, boolean, text, boolean, text[], text[], boolean, text[], text)
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

COMMENT ON FUNCTION tree_agg_transfn(internal, bigint, bigint, text) IS 'internal: aggregate transition function';
COMMENT ON FUNCTION tree_agg_transfn(internal, bigint, bigint, text, bigint) IS 'internal: aggregate transition function';
COMMENT ON FUNCTION tree_agg_finalfn(internal) IS 'internal: aggregate final function';
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

CREATE TYPE tree_costs (
	INPUT = tree_costs_in,
	OUTPUT = tree_costs_out,
	RECEIVE = tree_costs_recv,
	SEND = tree_costs_send,
	STORAGE = extended
);

-- a model has one text, so values are equal where their bytes are
CREATE FUNCTION tree_costs_eq(tree_costs, tree_costs) RETURNS boolean
	AS 'byteaeq' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION tree_costs_ne(tree_costs, tree_costs) RETURNS boolean
	AS 'byteane' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION tree_costs_hash(tree_costs) RETURNS integer
	AS 'hashvarlena' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION tree_costs_hash(tree_costs, bigint) RETURNS bigint
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
	FUNCTION 2 tree_costs_hash(tree_costs, bigint);

CREATE FUNCTION tree_costs(
	insert float8 DEFAULT 1,
	delete float8 DEFAULT 1,
	rename float8 DEFAULT 1,
	texts text DEFAULT 'exact',
	numbers text DEFAULT 'exact',
	ignore text[] DEFAULT '{}',
	rules jsonb DEFAULT '[]',
	arrays text DEFAULT 'ordered',
	tolerance float8 DEFAULT 0,
	relative_tolerance float8 DEFAULT 0,
	ignore_values text[] DEFAULT '{}',
	unordered text[] DEFAULT '{}',
	array_keys text[] DEFAULT '{}'
) RETURNS tree_costs
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION tree_costs_symmetric(tree_costs) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE FUNCTION tree_costs_agg_transfn(internal, text, float8, float8, float8) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION tree_costs_agg_finalfn(internal) RETURNS tree_costs
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;

CREATE AGGREGATE tree_costs_agg(pattern text, insert float8, delete float8, rename float8) (
	SFUNC = tree_costs_agg_transfn, STYPE = internal, FINALFUNC = tree_costs_agg_finalfn, PARALLEL = SAFE
);

COMMENT ON TYPE tree_costs IS 'what it costs to insert, delete and rename nodes, by their labels';
COMMENT ON FUNCTION tree_costs_in(cstring) IS 'internal: I/O';
COMMENT ON FUNCTION tree_costs_out(tree_costs) IS 'internal: I/O';
COMMENT ON FUNCTION tree_costs_recv(internal) IS 'internal: I/O';
COMMENT ON FUNCTION tree_costs_send(tree_costs) IS 'internal: I/O';
COMMENT ON FUNCTION tree_costs_eq(tree_costs, tree_costs) IS 'internal: implementation of = operator';
COMMENT ON FUNCTION tree_costs_ne(tree_costs, tree_costs) IS 'internal: implementation of <> operator';
COMMENT ON FUNCTION tree_costs_hash(tree_costs) IS 'internal: hash';
COMMENT ON FUNCTION tree_costs_hash(tree_costs, bigint) IS 'internal: hash';
COMMENT ON OPERATOR = (tree_costs, tree_costs) IS 'equal';
COMMENT ON OPERATOR <> (tree_costs, tree_costs) IS 'not equal';
COMMENT ON OPERATOR CLASS tree_costs_ops USING hash IS 'hash of the text of a model';
COMMENT ON OPERATOR FAMILY tree_costs_ops USING hash IS 'hash of the text of a model';
COMMENT ON FUNCTION tree_costs(float8, float8, float8, text, text, text[], jsonb, text, float8, float8, text[], text[], text[]) IS 'a model of costs';
COMMENT ON FUNCTION tree_costs_symmetric(tree_costs) IS 'whether insertions cost what deletions do, so that distances are the same both ways';
COMMENT ON FUNCTION tree_costs_agg_transfn(internal, text, float8, float8, float8) IS 'internal: aggregate transition function';
COMMENT ON FUNCTION tree_costs_agg_finalfn(internal) IS 'internal: aggregate final function';
COMMENT ON AGGREGATE tree_costs_agg(text, float8, float8, float8) IS 'a model of costs from rows of a pattern and what the nodes cost that it names';

-- Distances between trees

CREATE FUNCTION tree_support(internal) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION tree_support(internal) IS 'internal: planner support of distances and thresholds';

CREATE FUNCTION tree_edit_distance(a tree, b tree) RETURNS integer
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000
	SUPPORT tree_support;
CREATE FUNCTION tree_edit_distance_less_equal(a tree, b tree, max_distance float8) RETURNS integer
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT tree_support;
CREATE FUNCTION tree_within(a tree, b tree, max_distance float8) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT tree_support;
CREATE FUNCTION ted_distance_op(tree, tree) RETURNS float8
	AS 'MODULE_PATHNAME', 'tree_distance_op' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000
	SUPPORT tree_support;
CREATE FUNCTION tree_similarity(a tree, b tree) RETURNS float8
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000
	SUPPORT tree_support;
CREATE FUNCTION tree_similar(a tree, b tree, min_similarity float8) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT tree_support;
CREATE FUNCTION tree_normalized_distance(a tree, b tree) RETURNS float8
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000
	SUPPORT tree_support;
CREATE FUNCTION tree_edit_distances(query tree, docs tree[]) RETURNS integer[]
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100000;
CREATE FUNCTION teds(a text, b text, structure_only boolean DEFAULT false) RETURNS float8
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;

CREATE FUNCTION tree_edit_distance(a tree, b tree, costs tree_costs) RETURNS float8
	AS 'MODULE_PATHNAME', 'tree_edit_distance_model' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000
	SUPPORT tree_support;
CREATE FUNCTION tree_edit_distance_less_equal(a tree, b tree, max_distance float8, costs tree_costs) RETURNS float8
	AS 'MODULE_PATHNAME', 'tree_edit_distance_less_equal_model' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
CREATE FUNCTION tree_within(a tree, b tree, max_distance float8, costs tree_costs) RETURNS boolean
	AS 'MODULE_PATHNAME', 'tree_within_model' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT tree_support;
CREATE FUNCTION tree_similarity(a tree, b tree, costs tree_costs) RETURNS float8
	AS 'MODULE_PATHNAME', 'tree_similarity_model' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000
	SUPPORT tree_support;
CREATE FUNCTION tree_similar(a tree, b tree, min_similarity float8, costs tree_costs) RETURNS boolean
	AS 'MODULE_PATHNAME', 'tree_similar_model' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
CREATE FUNCTION tree_normalized_distance(a tree, b tree, costs tree_costs) RETURNS float8
	AS 'MODULE_PATHNAME', 'tree_normalized_distance_model' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000
	SUPPORT tree_support;
CREATE FUNCTION tree_edit_distance_lower_bound(a tree, b tree, costs tree_costs DEFAULT tree_costs()) RETURNS float8
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;
CREATE FUNCTION tree_edit_distance_approximate(a tree, b tree, costs tree_costs DEFAULT tree_costs()) RETURNS float8
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
CREATE FUNCTION tree_edit_distances(query tree, docs tree[], costs tree_costs) RETURNS float8[]
	AS 'MODULE_PATHNAME', 'tree_edit_distances_model' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100000;

CREATE FUNCTION ted_dissimilarity(tree, tree) RETURNS float8
	AS 'MODULE_PATHNAME', 'tree_dissimilarity' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000
	SUPPORT tree_support;

CREATE FUNCTION tree_pqgram_distance(a tree, b tree, p integer, q integer) RETURNS float8
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;
CREATE FUNCTION tree_pqgram_distance(a tree, b tree) RETURNS float8
	AS 'MODULE_PATHNAME', 'tree_pqgram_distance_op' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;

CREATE OPERATOR <-> (
	LEFTARG = tree, RIGHTARG = tree, FUNCTION = ted_distance_op, COMMUTATOR = <->
);
CREATE OPERATOR <%> (
	LEFTARG = tree, RIGHTARG = tree, FUNCTION = ted_dissimilarity, COMMUTATOR = <%>
);
CREATE OPERATOR <=> (
	LEFTARG = tree, RIGHTARG = tree, FUNCTION = tree_normalized_distance, COMMUTATOR = <=>
);
CREATE OPERATOR <#> (
	LEFTARG = tree, RIGHTARG = tree, FUNCTION = tree_pqgram_distance, COMMUTATOR = <#>
);

COMMENT ON FUNCTION tree_edit_distance(tree, tree) IS 'tree edit distance';
COMMENT ON FUNCTION tree_edit_distance_less_equal(tree, tree, float8) IS 'tree edit distance if it is at most max_distance, else a larger number';
COMMENT ON FUNCTION tree_within(tree, tree, float8) IS 'whether the tree edit distance is at most max_distance';
COMMENT ON FUNCTION ted_distance_op(tree, tree) IS 'internal: implementation of <-> operator';
COMMENT ON FUNCTION tree_similarity(tree, tree) IS '1 - distance / larger size, at least 0';
COMMENT ON FUNCTION ted_dissimilarity(tree, tree) IS 'internal: implementation of <%> operator';
COMMENT ON FUNCTION tree_similar(tree, tree, float8) IS 'whether the similarity is at least min_similarity';
COMMENT ON FUNCTION tree_normalized_distance(tree, tree) IS '2 distance / (sum of sizes + distance), a metric';
COMMENT ON FUNCTION tree_edit_distances(tree, tree[]) IS 'tree edit distances between one tree and many';
COMMENT ON FUNCTION tree_pqgram_distance(tree, tree, integer, integer) IS '1 - 2 * common pq-grams / pq-grams of both';
COMMENT ON FUNCTION tree_pqgram_distance(tree, tree) IS '1 - 2 * common pq-grams / pq-grams of both, p = 2 and q = 3';
COMMENT ON FUNCTION teds(text, text, boolean) IS 'similarity of HTML tables by tree edit distance (TEDS)';
COMMENT ON FUNCTION tree_edit_distance(tree, tree, tree_costs) IS 'tree edit distance by a model of costs';
COMMENT ON FUNCTION tree_edit_distance_less_equal(tree, tree, float8, tree_costs) IS 'tree edit distance by a model of costs if it is at most max_distance, else a larger number';
COMMENT ON FUNCTION tree_within(tree, tree, float8, tree_costs) IS 'whether the tree edit distance by a model of costs is at most max_distance';
COMMENT ON FUNCTION tree_similarity(tree, tree, tree_costs) IS '1 - distance / larger cost of a tree, at least 0, by a model of costs';
COMMENT ON FUNCTION tree_similar(tree, tree, float8, tree_costs) IS 'whether the similarity by a model of costs is at least min_similarity';
COMMENT ON FUNCTION tree_normalized_distance(tree, tree, tree_costs) IS '2 distance / (sum of costs of both trees + distance), by a model of costs';
COMMENT ON FUNCTION tree_edit_distance_lower_bound(tree, tree, tree_costs) IS 'lower bound on the tree edit distance';
COMMENT ON FUNCTION tree_edit_distance_approximate(tree, tree, tree_costs) IS 'cost of an approximate edit mapping, an upper bound on the tree edit distance';
COMMENT ON FUNCTION tree_edit_distances(tree, tree[], tree_costs) IS 'tree edit distances by a model of costs between one tree and many';
COMMENT ON OPERATOR <-> (tree, tree) IS 'tree edit distance';
COMMENT ON OPERATOR <%> (tree, tree) IS '1 - similarity';
COMMENT ON OPERATOR <=> (tree, tree) IS 'normalized tree edit distance';
COMMENT ON OPERATOR <#> (tree, tree) IS 'pq-gram distance with p = 2 and q = 3';

-- Edit distance of JSON documents, whose members have no order

CREATE FUNCTION json_edit_distance(a tree, b tree) RETURNS integer
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000
	SUPPORT tree_support;
CREATE FUNCTION json_edit_distance_less_equal(a tree, b tree, max_distance float8) RETURNS integer
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT tree_support;
CREATE FUNCTION json_similarity(a tree, b tree) RETURNS float8
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000
	SUPPORT tree_support;
CREATE FUNCTION json_within(a tree, b tree, max_distance float8) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT tree_support;
CREATE FUNCTION json_similar(a tree, b tree, min_similarity float8) RETURNS boolean
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT tree_support;

CREATE FUNCTION json_edit_distance(a tree, b tree, costs tree_costs) RETURNS float8
	AS 'MODULE_PATHNAME', 'json_edit_distance_model' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000
	SUPPORT tree_support;
CREATE FUNCTION json_within(a tree, b tree, max_distance float8, costs tree_costs) RETURNS boolean
	AS 'MODULE_PATHNAME', 'json_within_model' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000
	SUPPORT tree_support;

COMMENT ON FUNCTION json_edit_distance(tree, tree) IS 'edit distance of JSON documents, whose members have no order';
COMMENT ON FUNCTION json_edit_distance(tree, tree, tree_costs) IS 'edit distance of JSON documents by a model of costs';
COMMENT ON FUNCTION json_edit_distance_less_equal(tree, tree, float8) IS 'edit distance of JSON documents if it is at most max_distance, else a larger number';
COMMENT ON FUNCTION json_similarity(tree, tree) IS '1 - distance / larger size of JSON documents, at least 0';
COMMENT ON FUNCTION json_within(tree, tree, float8) IS 'whether the edit distance of JSON documents is at most max_distance';
COMMENT ON FUNCTION json_within(tree, tree, float8, tree_costs) IS 'whether the edit distance of JSON documents by a model of costs is at most max_distance';
COMMENT ON FUNCTION json_similar(tree, tree, float8) IS 'whether the similarity of JSON documents is at least min_similarity';

-- straight on documents; inlined, as those of trees are below
CREATE FUNCTION json_edit_distance(a json, b json) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	RETURN json_edit_distance(a::tree, b::tree);
CREATE FUNCTION json_similarity(a json, b json) RETURNS float8
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	RETURN json_similarity(a::tree, b::tree);
CREATE FUNCTION json_within(a json, b json, max_distance float8) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN json_within(a::tree, b::tree, max_distance);
CREATE FUNCTION json_similar(a json, b json, min_similarity float8) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN json_similar(a::tree, b::tree, min_similarity);
CREATE FUNCTION json_edit_distance(a jsonb, b jsonb) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	RETURN json_edit_distance(a::tree, b::tree);
CREATE FUNCTION json_similarity(a jsonb, b jsonb) RETURNS float8
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	RETURN json_similarity(a::tree, b::tree);
CREATE FUNCTION json_within(a jsonb, b jsonb, max_distance float8) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN json_within(a::tree, b::tree, max_distance);
CREATE FUNCTION json_edit_distance(a json, b json, costs tree_costs) RETURNS float8
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	RETURN json_edit_distance(a::tree, b::tree, costs);
CREATE FUNCTION json_edit_distance(a jsonb, b jsonb, costs tree_costs) RETURNS float8
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	RETURN json_edit_distance(a::tree, b::tree, costs);
CREATE FUNCTION json_within(a json, b json, max_distance float8, costs tree_costs) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN json_within(a::tree, b::tree, max_distance, costs);
CREATE FUNCTION json_within(a jsonb, b jsonb, max_distance float8, costs tree_costs) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN json_within(a::tree, b::tree, max_distance, costs);

COMMENT ON FUNCTION json_within(json, json, float8, tree_costs) IS 'whether the edit distance of JSON documents by a model of costs is at most max_distance';
COMMENT ON FUNCTION json_within(jsonb, jsonb, float8, tree_costs) IS 'whether the edit distance of JSON documents by a model of costs is at most max_distance';
COMMENT ON FUNCTION json_edit_distance(json, json, tree_costs) IS 'edit distance of JSON documents by a model of costs';
COMMENT ON FUNCTION json_edit_distance(jsonb, jsonb, tree_costs) IS 'edit distance of JSON documents by a model of costs';
CREATE FUNCTION json_similar(a jsonb, b jsonb, min_similarity float8) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN json_similar(a::tree, b::tree, min_similarity);

COMMENT ON FUNCTION json_edit_distance(json, json) IS 'edit distance of JSON documents, whose members have no order';
COMMENT ON FUNCTION json_similarity(json, json) IS '1 - distance / larger size of JSON documents, at least 0';
COMMENT ON FUNCTION json_within(json, json, float8) IS 'whether the edit distance of JSON documents is at most max_distance';
COMMENT ON FUNCTION json_similar(json, json, float8) IS 'whether the similarity of JSON documents is at least min_similarity';
COMMENT ON FUNCTION json_edit_distance(jsonb, jsonb) IS 'edit distance of JSON documents, whose members have no order';
COMMENT ON FUNCTION json_similarity(jsonb, jsonb) IS '1 - distance / larger size of JSON documents, at least 0';
COMMENT ON FUNCTION json_within(jsonb, jsonb, float8) IS 'whether the edit distance of JSON documents is at most max_distance';
COMMENT ON FUNCTION json_similar(jsonb, jsonb, float8) IS 'whether the similarity of JSON documents is at least min_similarity';

-- Index support

-- costs are those of a model, NULL for unit costs
CREATE TYPE tree_range AS (doc tree, max_distance float8, costs tree_costs);

-- the cost is that of an index scan, which is charged with its operand's
CREATE FUNCTION tree_range(doc tree, max_distance float8) RETURNS tree_range
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000;
CREATE FUNCTION tree_range(doc tree, max_distance float8, costs tree_costs) RETURNS tree_range
	AS 'MODULE_PATHNAME', 'tree_range_model' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000;
CREATE FUNCTION tree_similarity_range(doc tree, min_similarity float8) RETURNS tree_range
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000;
CREATE FUNCTION ted_may_be_within(tree, tree_range) RETURNS boolean
	AS 'MODULE_PATHNAME', 'tree_may_be_within' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200;
CREATE FUNCTION tree_range_sel(internal, oid, internal, integer) RETURNS float8
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
CREATE FUNCTION tree_range_joinsel(internal, oid, internal, smallint, internal) RETURNS float8
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;

CREATE OPERATOR <~ (
	LEFTARG = tree, RIGHTARG = tree_range, FUNCTION = ted_may_be_within,
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

COMMENT ON TYPE tree_range IS 'internal: a tree and a distance around it, by a model of costs if there is one';
COMMENT ON FUNCTION tree_range(tree, float8) IS 'internal: range of all trees within max_distance of a tree';
COMMENT ON FUNCTION tree_range(tree, float8, tree_costs) IS 'internal: range of all trees within max_distance of a tree by a model of costs';
COMMENT ON FUNCTION tree_similarity_range(tree, float8) IS 'internal: a range that has all trees at least min_similarity similar to a tree';
COMMENT ON FUNCTION ted_may_be_within(tree, tree_range) IS 'internal: implementation of <~ operator';
COMMENT ON FUNCTION tree_range_sel(internal, oid, internal, integer) IS 'internal: restriction selectivity of <~ operator';
COMMENT ON FUNCTION tree_range_joinsel(internal, oid, internal, smallint, internal) IS 'internal: join selectivity of <~ operator';
COMMENT ON OPERATOR <~ (tree, tree_range) IS 'internal: whether sizes and labels allow the tree edit distance to be in the range';
COMMENT ON FUNCTION tree_gin_extract_value(tree, internal, internal) IS 'internal: GIN support';
COMMENT ON FUNCTION tree_gin_extract_query(tree, internal, smallint, internal, internal, internal, internal) IS 'internal: GIN support';
COMMENT ON FUNCTION tree_gin_consistent(internal, smallint, tree, integer, internal, internal, internal, internal) IS 'internal: GIN support';
COMMENT ON FUNCTION tree_gin_triconsistent(internal, smallint, tree, integer, internal, internal, internal) IS 'internal: GIN support';
COMMENT ON OPERATOR CLASS tree_ops USING gin IS 'trees within a distance, by shared labels';
COMMENT ON OPERATOR FAMILY tree_ops USING gin IS 'trees within a distance, by shared labels';
COMMENT ON FUNCTION tree_gist_compress(internal) IS 'internal: GiST support';
COMMENT ON FUNCTION tree_gist_consistent(internal, tree, smallint, oid, internal) IS 'internal: GiST support';
COMMENT ON FUNCTION tree_gist_distance(internal, tree, smallint, oid, internal) IS 'internal: GiST support';
COMMENT ON FUNCTION tree_gist_union(internal, internal) IS 'internal: GiST support';
COMMENT ON FUNCTION tree_gist_penalty(internal, internal, internal) IS 'internal: GiST support';
COMMENT ON FUNCTION tree_gist_picksplit(internal, internal) IS 'internal: GiST support';
COMMENT ON FUNCTION tree_gist_same(bytea, bytea, internal) IS 'internal: GiST support';
COMMENT ON OPERATOR CLASS tree_ops USING gist IS 'nearest trees, trees within a distance and equal ones, by sizes and labels';
COMMENT ON OPERATOR FAMILY tree_ops USING gist IS 'nearest trees, trees within a distance and equal ones, by sizes and labels';

-- Distances straight on documents; inlined, so that expression indexes apply

CREATE FUNCTION tree_edit_distance(a xml, b xml) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	RETURN tree_edit_distance(a::tree, b::tree);
CREATE FUNCTION tree_within(a xml, b xml, max_distance float8) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_within(a::tree, b::tree, max_distance);
CREATE FUNCTION tree_similarity(a xml, b xml) RETURNS float8
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	RETURN tree_similarity(a::tree, b::tree);
CREATE FUNCTION tree_similar(a xml, b xml, min_similarity float8) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_similar(a::tree, b::tree, min_similarity);
CREATE FUNCTION tree_edit_distance(a xml, b xml, costs tree_costs) RETURNS float8
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	RETURN tree_edit_distance(a::tree, b::tree, costs);
CREATE FUNCTION tree_within(a xml, b xml, max_distance float8, costs tree_costs) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_within(a::tree, b::tree, max_distance, costs);
CREATE FUNCTION tree_similarity(a xml, b xml, costs tree_costs) RETURNS float8
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	RETURN tree_similarity(a::tree, b::tree, costs);
CREATE FUNCTION tree_similar(a xml, b xml, min_similarity float8, costs tree_costs) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_similar(a::tree, b::tree, min_similarity, costs);
CREATE FUNCTION tree_edit_distance_approximate(a xml, b xml, costs tree_costs DEFAULT tree_costs()) RETURNS float8
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_edit_distance_approximate(a::tree, b::tree, costs);

COMMENT ON FUNCTION tree_edit_distance(xml, xml) IS 'tree edit distance';
COMMENT ON FUNCTION tree_within(xml, xml, float8) IS 'whether the tree edit distance is at most max_distance';
COMMENT ON FUNCTION tree_similarity(xml, xml) IS '1 - distance / larger size, at least 0';
COMMENT ON FUNCTION tree_similar(xml, xml, float8) IS 'whether the similarity is at least min_similarity';
COMMENT ON FUNCTION tree_edit_distance(xml, xml, tree_costs) IS 'tree edit distance by a model of costs';
COMMENT ON FUNCTION tree_within(xml, xml, float8, tree_costs) IS 'whether the tree edit distance by a model of costs is at most max_distance';
COMMENT ON FUNCTION tree_similarity(xml, xml, tree_costs) IS '1 - distance / larger cost of a tree, at least 0, by a model of costs';
COMMENT ON FUNCTION tree_similar(xml, xml, float8, tree_costs) IS 'whether the similarity by a model of costs is at least min_similarity';
COMMENT ON FUNCTION tree_edit_distance_approximate(xml, xml, tree_costs) IS 'cost of an approximate edit mapping, an upper bound on the tree edit distance';

CREATE FUNCTION tree_edit_distance(a json, b json) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	RETURN tree_edit_distance(a::tree, b::tree);
CREATE FUNCTION tree_within(a json, b json, max_distance float8) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_within(a::tree, b::tree, max_distance);
CREATE FUNCTION tree_similarity(a json, b json) RETURNS float8
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	RETURN tree_similarity(a::tree, b::tree);
CREATE FUNCTION tree_similar(a json, b json, min_similarity float8) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_similar(a::tree, b::tree, min_similarity);
CREATE FUNCTION tree_edit_distance(a json, b json, costs tree_costs) RETURNS float8
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	RETURN tree_edit_distance(a::tree, b::tree, costs);
CREATE FUNCTION tree_within(a json, b json, max_distance float8, costs tree_costs) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_within(a::tree, b::tree, max_distance, costs);
CREATE FUNCTION tree_similarity(a json, b json, costs tree_costs) RETURNS float8
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	RETURN tree_similarity(a::tree, b::tree, costs);
CREATE FUNCTION tree_similar(a json, b json, min_similarity float8, costs tree_costs) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_similar(a::tree, b::tree, min_similarity, costs);
CREATE FUNCTION tree_edit_distance_approximate(a json, b json, costs tree_costs DEFAULT tree_costs()) RETURNS float8
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_edit_distance_approximate(a::tree, b::tree, costs);

COMMENT ON FUNCTION tree_edit_distance(json, json) IS 'tree edit distance';
COMMENT ON FUNCTION tree_within(json, json, float8) IS 'whether the tree edit distance is at most max_distance';
COMMENT ON FUNCTION tree_similarity(json, json) IS '1 - distance / larger size, at least 0';
COMMENT ON FUNCTION tree_similar(json, json, float8) IS 'whether the similarity is at least min_similarity';
COMMENT ON FUNCTION tree_edit_distance(json, json, tree_costs) IS 'tree edit distance by a model of costs';
COMMENT ON FUNCTION tree_within(json, json, float8, tree_costs) IS 'whether the tree edit distance by a model of costs is at most max_distance';
COMMENT ON FUNCTION tree_similarity(json, json, tree_costs) IS '1 - distance / larger cost of a tree, at least 0, by a model of costs';
COMMENT ON FUNCTION tree_similar(json, json, float8, tree_costs) IS 'whether the similarity by a model of costs is at least min_similarity';
COMMENT ON FUNCTION tree_edit_distance_approximate(json, json, tree_costs) IS 'cost of an approximate edit mapping, an upper bound on the tree edit distance';

CREATE FUNCTION tree_edit_distance(a jsonb, b jsonb) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	RETURN tree_edit_distance(a::tree, b::tree);
CREATE FUNCTION tree_within(a jsonb, b jsonb, max_distance float8) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_within(a::tree, b::tree, max_distance);
CREATE FUNCTION tree_similarity(a jsonb, b jsonb) RETURNS float8
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	RETURN tree_similarity(a::tree, b::tree);
CREATE FUNCTION tree_similar(a jsonb, b jsonb, min_similarity float8) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_similar(a::tree, b::tree, min_similarity);
CREATE FUNCTION tree_edit_distance(a jsonb, b jsonb, costs tree_costs) RETURNS float8
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	RETURN tree_edit_distance(a::tree, b::tree, costs);
CREATE FUNCTION tree_within(a jsonb, b jsonb, max_distance float8, costs tree_costs) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_within(a::tree, b::tree, max_distance, costs);
CREATE FUNCTION tree_similarity(a jsonb, b jsonb, costs tree_costs) RETURNS float8
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	RETURN tree_similarity(a::tree, b::tree, costs);
CREATE FUNCTION tree_similar(a jsonb, b jsonb, min_similarity float8, costs tree_costs) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_similar(a::tree, b::tree, min_similarity, costs);
CREATE FUNCTION tree_edit_distance_approximate(a jsonb, b jsonb, costs tree_costs DEFAULT tree_costs()) RETURNS float8
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_edit_distance_approximate(a::tree, b::tree, costs);

COMMENT ON FUNCTION tree_edit_distance(jsonb, jsonb) IS 'tree edit distance';
COMMENT ON FUNCTION tree_within(jsonb, jsonb, float8) IS 'whether the tree edit distance is at most max_distance';
COMMENT ON FUNCTION tree_similarity(jsonb, jsonb) IS '1 - distance / larger size, at least 0';
COMMENT ON FUNCTION tree_similar(jsonb, jsonb, float8) IS 'whether the similarity is at least min_similarity';
COMMENT ON FUNCTION tree_edit_distance(jsonb, jsonb, tree_costs) IS 'tree edit distance by a model of costs';
COMMENT ON FUNCTION tree_within(jsonb, jsonb, float8, tree_costs) IS 'whether the tree edit distance by a model of costs is at most max_distance';
COMMENT ON FUNCTION tree_similarity(jsonb, jsonb, tree_costs) IS '1 - distance / larger cost of a tree, at least 0, by a model of costs';
COMMENT ON FUNCTION tree_similar(jsonb, jsonb, float8, tree_costs) IS 'whether the similarity by a model of costs is at least min_similarity';
COMMENT ON FUNCTION tree_edit_distance_approximate(jsonb, jsonb, tree_costs) IS 'cost of an approximate edit mapping, an upper bound on the tree edit distance';

-- Edit mapping

CREATE FUNCTION tree_edit_mapping(
	a tree, b tree, costs tree_costs DEFAULT tree_costs(), approximate boolean DEFAULT false,
	OUT operation text,
	OUT left_node integer, OUT left_path text, OUT left_label text,
	OUT right_node integer, OUT right_path text, OUT right_label text,
	OUT cost float8
) RETURNS SETOF record
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 4000 ROWS 100;
CREATE FUNCTION json_edit_mapping(
	a jsonb, b jsonb, costs tree_costs DEFAULT tree_costs(),
	OUT operation text,
	OUT left_node integer, OUT left_pointer text, OUT left_path text[], OUT left_label text,
	OUT right_node integer, OUT right_pointer text, OUT right_path text[], OUT right_label text
) RETURNS SETOF record
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 4000 ROWS 100;
CREATE FUNCTION xml_edit_mapping(
	a xml, b xml, costs tree_costs DEFAULT tree_costs(),
	OUT operation text,
	OUT left_node integer, OUT left_xpath text, OUT left_label text,
	OUT right_node integer, OUT right_xpath text, OUT right_label text
) RETURNS SETOF record
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 4000 ROWS 100;

COMMENT ON FUNCTION tree_edit_mapping(tree, tree, tree_costs, boolean) IS 'an edit mapping, optimal unless approximate: match, rename, delete, insert';
COMMENT ON FUNCTION json_edit_mapping(jsonb, jsonb, tree_costs) IS 'an optimal edit mapping of JSON documents, whose members have no order, with JSON Pointers and paths';
COMMENT ON FUNCTION xml_edit_mapping(xml, xml, tree_costs) IS 'an optimal edit mapping of XML documents, with XPath expressions';

-- Patches

CREATE FUNCTION json_patch(a jsonb, b jsonb, costs tree_costs DEFAULT tree_costs(), tests boolean DEFAULT false) RETURNS jsonb
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
CREATE FUNCTION json_patch_apply(doc jsonb, patch jsonb) RETURNS jsonb
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
CREATE FUNCTION json_patch_invert(doc jsonb, patch jsonb, tests boolean DEFAULT false) RETURNS jsonb
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
CREATE FUNCTION json_merge_patch(a jsonb, b jsonb) RETURNS jsonb
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
CREATE FUNCTION json_merge_patch_apply(doc jsonb, patch jsonb) RETURNS jsonb
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 100;
CREATE FUNCTION xml_patch(a xml, b xml, costs tree_costs DEFAULT tree_costs()) RETURNS xml
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
CREATE FUNCTION xml_patch_apply(doc xml, patch xml) RETURNS xml
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
CREATE FUNCTION xml_patch_invert(doc xml, patch xml) RETURNS xml
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;

COMMENT ON FUNCTION json_patch(jsonb, jsonb, tree_costs, boolean) IS 'JSON Patch (RFC 6902) from the first document to the second';
COMMENT ON FUNCTION json_patch_apply(jsonb, jsonb) IS 'JSON document after the operations of a JSON Patch (RFC 6902)';
COMMENT ON FUNCTION json_patch_invert(jsonb, jsonb, boolean) IS 'JSON Patch (RFC 6902) that undoes a patch of a document';
COMMENT ON FUNCTION json_merge_patch(jsonb, jsonb) IS 'JSON Merge Patch (RFC 7396) from the first document to the second';
COMMENT ON FUNCTION json_merge_patch_apply(jsonb, jsonb) IS 'JSON document after a JSON Merge Patch (RFC 7396)';
COMMENT ON FUNCTION xml_patch(xml, xml, tree_costs) IS 'XML patch (RFC 5261) from the first document to the second';
COMMENT ON FUNCTION xml_patch_apply(xml, xml) IS 'XML document after the operations of an XML patch (RFC 5261)';
COMMENT ON FUNCTION xml_patch_invert(xml, xml) IS 'XML patch (RFC 5261) that undoes a patch of a document';

-- Differences and pictures

CREATE FUNCTION tree_edit_counts(
	a tree, b tree, costs tree_costs DEFAULT tree_costs(),
	OUT matched integer, OUT renamed integer, OUT deleted integer, OUT inserted integer, OUT moved integer,
	OUT approximate boolean
)
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
CREATE FUNCTION tree_edit_counts(
	a xml, b xml, costs tree_costs DEFAULT tree_costs(),
	OUT matched integer, OUT renamed integer, OUT deleted integer, OUT inserted integer, OUT moved integer,
	OUT approximate boolean
)
	AS 'MODULE_PATHNAME', 'tree_edit_counts_xml' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
CREATE FUNCTION tree_edit_counts(
	a json, b json, costs tree_costs DEFAULT tree_costs(),
	OUT matched integer, OUT renamed integer, OUT deleted integer, OUT inserted integer, OUT moved integer,
	OUT approximate boolean
)
	AS 'MODULE_PATHNAME', 'tree_edit_counts_json' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
CREATE FUNCTION tree_edit_counts(
	a jsonb, b jsonb, costs tree_costs DEFAULT tree_costs(),
	OUT matched integer, OUT renamed integer, OUT deleted integer, OUT inserted integer, OUT moved integer,
	OUT approximate boolean
)
	AS 'MODULE_PATHNAME', 'tree_edit_counts_jsonb' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
CREATE FUNCTION tree_diff(a tree, b tree, costs tree_costs DEFAULT tree_costs(), show_ignored boolean DEFAULT false) RETURNS text
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
CREATE FUNCTION tree_diff(a xml, b xml, costs tree_costs DEFAULT tree_costs(), show_ignored boolean DEFAULT false) RETURNS text
	AS 'MODULE_PATHNAME', 'tree_diff_xml' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
CREATE FUNCTION tree_diff(a json, b json, costs tree_costs DEFAULT tree_costs(), show_ignored boolean DEFAULT false) RETURNS text
	AS 'MODULE_PATHNAME', 'tree_diff_json' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
CREATE FUNCTION tree_diff(a jsonb, b jsonb, costs tree_costs DEFAULT tree_costs(), show_ignored boolean DEFAULT false) RETURNS text
	AS 'MODULE_PATHNAME', 'tree_diff_jsonb' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
CREATE FUNCTION tree_diff_summary(a tree, b tree, costs tree_costs DEFAULT tree_costs()) RETURNS text
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
CREATE FUNCTION tree_diff_summary(a xml, b xml, costs tree_costs DEFAULT tree_costs()) RETURNS text
	AS 'MODULE_PATHNAME', 'tree_diff_summary_xml' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
CREATE FUNCTION tree_diff_summary(a json, b json, costs tree_costs DEFAULT tree_costs()) RETURNS text
	AS 'MODULE_PATHNAME', 'tree_diff_summary_json' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
CREATE FUNCTION tree_diff_summary(a jsonb, b jsonb, costs tree_costs DEFAULT tree_costs()) RETURNS text
	AS 'MODULE_PATHNAME', 'tree_diff_summary_jsonb' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
CREATE FUNCTION tree_diff_html(
	a tree, b tree, costs tree_costs DEFAULT tree_costs(),
	title text DEFAULT '', captions text[] DEFAULT '{}', page boolean DEFAULT true, show_ignored boolean DEFAULT false
) RETURNS text
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
CREATE FUNCTION tree_diff_html(
	a xml, b xml, costs tree_costs DEFAULT tree_costs(),
	title text DEFAULT '', captions text[] DEFAULT '{}', page boolean DEFAULT true, show_ignored boolean DEFAULT false
) RETURNS text
	AS 'MODULE_PATHNAME', 'tree_diff_html_xml' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
CREATE FUNCTION tree_diff_html(
	a json, b json, costs tree_costs DEFAULT tree_costs(),
	title text DEFAULT '', captions text[] DEFAULT '{}', page boolean DEFAULT true, show_ignored boolean DEFAULT false
) RETURNS text
	AS 'MODULE_PATHNAME', 'tree_diff_html_json' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
CREATE FUNCTION tree_diff_html(
	a jsonb, b jsonb, costs tree_costs DEFAULT tree_costs(),
	title text DEFAULT '', captions text[] DEFAULT '{}', page boolean DEFAULT true, show_ignored boolean DEFAULT false
) RETURNS text
	AS 'MODULE_PATHNAME', 'tree_diff_html_jsonb' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
CREATE FUNCTION tree_diff_svg(
	a tree, b tree, costs tree_costs DEFAULT tree_costs(),
	title text DEFAULT '', captions text[] DEFAULT '{}'
) RETURNS text
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
CREATE FUNCTION tree_diff_svg(
	a xml, b xml, costs tree_costs DEFAULT tree_costs(),
	title text DEFAULT '', captions text[] DEFAULT '{}'
) RETURNS text
	AS 'MODULE_PATHNAME', 'tree_diff_svg_xml' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
CREATE FUNCTION tree_diff_svg(
	a json, b json, costs tree_costs DEFAULT tree_costs(),
	title text DEFAULT '', captions text[] DEFAULT '{}'
) RETURNS text
	AS 'MODULE_PATHNAME', 'tree_diff_svg_json' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
CREATE FUNCTION tree_diff_svg(
	a jsonb, b jsonb, costs tree_costs DEFAULT tree_costs(),
	title text DEFAULT '', captions text[] DEFAULT '{}'
) RETURNS text
	AS 'MODULE_PATHNAME', 'tree_diff_svg_jsonb' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
CREATE FUNCTION tree_svg(tree) RETURNS text
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION tree_edit_counts(tree, tree, tree_costs) IS 'numbers of operations of an edit script';
COMMENT ON FUNCTION tree_edit_counts(xml, xml, tree_costs) IS 'numbers of differences of two documents';
COMMENT ON FUNCTION tree_edit_counts(json, json, tree_costs) IS 'numbers of differences of two documents';
COMMENT ON FUNCTION tree_edit_counts(jsonb, jsonb, tree_costs) IS 'numbers of differences of two documents';
COMMENT ON FUNCTION tree_diff(tree, tree, tree_costs, boolean) IS 'differences of two trees, line by line';
COMMENT ON FUNCTION tree_diff(xml, xml, tree_costs, boolean) IS 'differences of two documents, line by line';
COMMENT ON FUNCTION tree_diff(json, json, tree_costs, boolean) IS 'differences of two documents, line by line';
COMMENT ON FUNCTION tree_diff(jsonb, jsonb, tree_costs, boolean) IS 'differences of two documents, line by line';
COMMENT ON FUNCTION tree_diff_summary(tree, tree, tree_costs) IS 'differences of two trees, in a sentence';
COMMENT ON FUNCTION tree_diff_summary(xml, xml, tree_costs) IS 'differences of two documents, in a sentence';
COMMENT ON FUNCTION tree_diff_summary(json, json, tree_costs) IS 'differences of two documents, in a sentence';
COMMENT ON FUNCTION tree_diff_summary(jsonb, jsonb, tree_costs) IS 'differences of two documents, in a sentence';
COMMENT ON FUNCTION tree_diff_html(tree, tree, tree_costs, text, text[], boolean, boolean) IS 'differences of two trees, side by side, in HTML';
COMMENT ON FUNCTION tree_diff_html(xml, xml, tree_costs, text, text[], boolean, boolean) IS 'differences of two documents, side by side, in HTML';
COMMENT ON FUNCTION tree_diff_html(json, json, tree_costs, text, text[], boolean, boolean) IS 'differences of two documents, side by side, in HTML';
COMMENT ON FUNCTION tree_diff_html(jsonb, jsonb, tree_costs, text, text[], boolean, boolean) IS 'differences of two documents, side by side, in HTML';
COMMENT ON FUNCTION tree_diff_svg(tree, tree, tree_costs, text, text[]) IS 'differences of two trees, side by side, as a picture in SVG';
COMMENT ON FUNCTION tree_diff_svg(xml, xml, tree_costs, text, text[]) IS 'differences of two documents, side by side, as a picture in SVG';
COMMENT ON FUNCTION tree_diff_svg(json, json, tree_costs, text, text[]) IS 'differences of two documents, side by side, as a picture in SVG';
COMMENT ON FUNCTION tree_diff_svg(jsonb, jsonb, tree_costs, text, text[]) IS 'differences of two documents, side by side, as a picture in SVG';
COMMENT ON FUNCTION tree_svg(tree) IS 'a tree as a picture in SVG';

-- Subtrees near a query

CREATE FUNCTION tree_subtree_nearest(
	query tree, doc tree, k integer,
	max_distance float8 DEFAULT 'infinity', min_similarity float8 DEFAULT 0, costs tree_costs DEFAULT tree_costs(),
	OUT rank integer, OUT node integer, OUT path text, OUT distance float8, OUT similarity float8
) RETURNS SETOF record
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 4000 ROWS 10;
CREATE FUNCTION tree_subtree_within(
	query tree, doc tree,
	max_distance float8 DEFAULT 'infinity', min_similarity float8 DEFAULT 0, costs tree_costs DEFAULT tree_costs(),
	OUT node integer, OUT path text, OUT distance float8, OUT similarity float8
) RETURNS SETOF record
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 4000 ROWS 10;

CREATE FUNCTION json_pointer_path(pointer text) RETURNS text[]
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
	RETURN CASE WHEN pointer OPERATOR(pg_catalog.=) ''::text THEN '{}'::text[] ELSE (
		SELECT pg_catalog.array_agg(pg_catalog.replace(pg_catalog.replace(step, '~1'::text, '/'::text), '~0'::text, '~'::text) ORDER BY n)
		FROM pg_catalog.regexp_split_to_table(pg_catalog.substr(pointer, 2), '/'::text) WITH ORDINALITY s (step, n)
		WHERE pg_catalog.starts_with(pointer, '/'::text)) END;

COMMENT ON FUNCTION json_pointer_path(text) IS 'steps of a JSON Pointer, for #>; NULL for another text';
COMMENT ON FUNCTION tree_subtree_nearest(tree, tree, integer, float8, float8, tree_costs) IS 'the k subtrees of doc nearest to query';
COMMENT ON FUNCTION tree_subtree_within(tree, tree, float8, float8, tree_costs) IS 'all subtrees of doc near query';

-- Similarity join

CREATE TYPE tree_match AS (left_id bigint, right_id bigint, distance integer);
CREATE TYPE tree_join_row AS (id bigint, side "char", max_distance integer, doc tree);

COMMENT ON TYPE tree_match IS 'a pair of documents and their distance';
COMMENT ON TYPE tree_join_row IS 'internal: a document in the state of tree_within_pairs';

CREATE TYPE tree_costs_match AS (left_id bigint, right_id bigint, distance float8);
CREATE TYPE tree_costs_join_row AS (id bigint, side "char", max_distance float8, doc tree, costs tree_costs);

COMMENT ON TYPE tree_costs_match IS 'a pair of documents and their distance by a model of costs';
COMMENT ON TYPE tree_costs_join_row IS 'internal: a document in the state of tree_within_pairs by a model of costs';

CREATE FUNCTION tree_within_pairs_transfn(tree_join_row[], bigint, tree, float8) RETURNS tree_join_row[]
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION tree_within_pairs_transfn(tree_join_row[], bigint, tree, float8, text) RETURNS tree_join_row[]
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION tree_within_pairs_combine(tree_join_row[], tree_join_row[]) RETURNS tree_join_row[]
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION tree_within_pairs_finalfn(tree_join_row[]) RETURNS tree_match[]
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10000;

CREATE AGGREGATE tree_within_pairs(id bigint, doc tree, max_distance float8) (
	SFUNC = tree_within_pairs_transfn, STYPE = tree_join_row[],
	COMBINEFUNC = tree_within_pairs_combine, FINALFUNC = tree_within_pairs_finalfn,
	PARALLEL = SAFE
);
CREATE AGGREGATE tree_within_pairs(id bigint, doc tree, max_distance float8, side text) (
	SFUNC = tree_within_pairs_transfn, STYPE = tree_join_row[],
	COMBINEFUNC = tree_within_pairs_combine, FINALFUNC = tree_within_pairs_finalfn,
	PARALLEL = SAFE
);

CREATE FUNCTION tree_within_pairs_transfn(tree_costs_join_row[], bigint, tree, float8, tree_costs) RETURNS tree_costs_join_row[]
	AS 'MODULE_PATHNAME', 'tree_within_pairs_transfn_model' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION tree_within_pairs_transfn(tree_costs_join_row[], bigint, tree, float8, text, tree_costs) RETURNS tree_costs_join_row[]
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
CREATE AGGREGATE tree_within_pairs(id bigint, doc tree, max_distance float8, side text, costs tree_costs) (
	SFUNC = tree_within_pairs_transfn, STYPE = tree_costs_join_row[],
	COMBINEFUNC = tree_within_pairs_combine, FINALFUNC = tree_within_pairs_finalfn,
	PARALLEL = SAFE
);

COMMENT ON FUNCTION tree_within_pairs_transfn(tree_join_row[], bigint, tree, float8) IS 'internal: aggregate transition function';
COMMENT ON FUNCTION tree_within_pairs_transfn(tree_join_row[], bigint, tree, float8, text) IS 'internal: aggregate transition function';
COMMENT ON FUNCTION tree_within_pairs_combine(tree_join_row[], tree_join_row[]) IS 'internal: aggregate combine function';
COMMENT ON FUNCTION tree_within_pairs_finalfn(tree_join_row[]) IS 'internal: aggregate final function';
COMMENT ON AGGREGATE tree_within_pairs(bigint, tree, float8) IS 'all pairs of documents at most max_distance apart';
COMMENT ON AGGREGATE tree_within_pairs(bigint, tree, float8, text) IS 'all pairs of a left and a right document at most max_distance apart';
COMMENT ON FUNCTION tree_within_pairs_transfn(tree_costs_join_row[], bigint, tree, float8, tree_costs) IS 'internal: aggregate transition function';
COMMENT ON FUNCTION tree_within_pairs_transfn(tree_costs_join_row[], bigint, tree, float8, text, tree_costs) IS 'internal: aggregate transition function';
COMMENT ON FUNCTION tree_within_pairs_combine(tree_costs_join_row[], tree_costs_join_row[]) IS 'internal: aggregate combine function';
COMMENT ON FUNCTION tree_within_pairs_finalfn(tree_costs_join_row[]) IS 'internal: aggregate final function';
COMMENT ON AGGREGATE tree_within_pairs(bigint, tree, float8, tree_costs) IS 'all pairs of documents at most max_distance apart by a model of costs';
COMMENT ON AGGREGATE tree_within_pairs(bigint, tree, float8, text, tree_costs) IS 'all pairs of a left and a right document at most max_distance apart by a model of costs';

-- Clusters

CREATE FUNCTION ted_clusters(left_ids anycompatiblearray, right_ids anycompatiblearray, OUT id anycompatible, OUT cluster anycompatible)
	RETURNS SETOF record
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000;
CREATE FUNCTION tree_within_cluster(doc tree, max_distance float8, linkage text DEFAULT 'single', costs tree_costs DEFAULT NULL) RETURNS integer
	AS 'MODULE_PATHNAME' LANGUAGE C WINDOW IMMUTABLE PARALLEL SAFE COST 1000;
CREATE FUNCTION tree_similar_cluster(doc tree, min_similarity float8, linkage text DEFAULT 'single') RETURNS integer
	AS 'MODULE_PATHNAME' LANGUAGE C WINDOW IMMUTABLE PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION ted_clusters(anycompatiblearray, anycompatiblearray) IS 'the clusters of ids that pairs connect: each id with the first one of its cluster';
COMMENT ON FUNCTION tree_within_cluster(tree, float8, text, tree_costs) IS 'number of the cluster of documents that distances of at most max_distance connect, by a model of costs in either direction';
COMMENT ON FUNCTION tree_similar_cluster(tree, float8, text) IS 'number of the cluster of documents that similarities of at least min_similarity connect';

-- Strings

CREATE FUNCTION lcs_support(internal) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION lcs_length(a text, b text) RETURNS integer
	AS 'MODULE_PATHNAME', 'lcs_length_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20
	SUPPORT lcs_support;
CREATE FUNCTION lcs_length(a bytea, b bytea) RETURNS integer
	AS 'MODULE_PATHNAME', 'lcs_length_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20
	SUPPORT lcs_support;
CREATE FUNCTION lcs_length(a anyarray, b anyarray) RETURNS integer
	AS 'MODULE_PATHNAME', 'lcs_length_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300
	SUPPORT lcs_support;
CREATE FUNCTION scs_length(a text, b text) RETURNS integer
	AS 'MODULE_PATHNAME', 'scs_length_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
CREATE FUNCTION scs_length(a bytea, b bytea) RETURNS integer
	AS 'MODULE_PATHNAME', 'scs_length_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
CREATE FUNCTION scs_length(a anyarray, b anyarray) RETURNS integer
	AS 'MODULE_PATHNAME', 'scs_length_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300;
CREATE FUNCTION lcs_distance(a text, b text) RETURNS integer
	AS 'MODULE_PATHNAME', 'lcs_distance_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20
	SUPPORT lcs_support;
CREATE FUNCTION lcs_distance(a bytea, b bytea) RETURNS integer
	AS 'MODULE_PATHNAME', 'lcs_distance_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20
	SUPPORT lcs_support;
CREATE FUNCTION lcs_distance(a anyarray, b anyarray) RETURNS integer
	AS 'MODULE_PATHNAME', 'lcs_distance_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300
	SUPPORT lcs_support;
CREATE FUNCTION lcs_similarity(a text, b text) RETURNS float8
	AS 'MODULE_PATHNAME', 'lcs_similarity_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20
	SUPPORT lcs_support;
CREATE FUNCTION lcs_similarity(a bytea, b bytea) RETURNS float8
	AS 'MODULE_PATHNAME', 'lcs_similarity_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20
	SUPPORT lcs_support;
CREATE FUNCTION lcs_similarity(a anyarray, b anyarray) RETURNS float8
	AS 'MODULE_PATHNAME', 'lcs_similarity_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300
	SUPPORT lcs_support;
CREATE FUNCTION lcs_similar(a text, b text, min_similarity float8) RETURNS boolean
	AS 'MODULE_PATHNAME', 'lcs_similar_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 15
	SUPPORT lcs_support;
CREATE FUNCTION lcs_similar(a bytea, b bytea, min_similarity float8) RETURNS boolean
	AS 'MODULE_PATHNAME', 'lcs_similar_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 15
	SUPPORT lcs_support;
CREATE FUNCTION lcs_similar(a anyarray, b anyarray, min_similarity float8) RETURNS boolean
	AS 'MODULE_PATHNAME', 'lcs_similar_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300
	SUPPORT lcs_support;
CREATE FUNCTION lcs_within(a text, b text, max_distance float8) RETURNS boolean
	AS 'MODULE_PATHNAME', 'lcs_within_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 15
	SUPPORT lcs_support;
CREATE FUNCTION lcs_within(a bytea, b bytea, max_distance float8) RETURNS boolean
	AS 'MODULE_PATHNAME', 'lcs_within_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 15
	SUPPORT lcs_support;
CREATE FUNCTION lcs_within(a anyarray, b anyarray, max_distance float8) RETURNS boolean
	AS 'MODULE_PATHNAME', 'lcs_within_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300
	SUPPORT lcs_support;
CREATE FUNCTION lcs_distance_less_equal(a text, b text, max_distance float8) RETURNS integer
	AS 'MODULE_PATHNAME', 'lcs_distance_less_equal_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 15
	SUPPORT lcs_support;
CREATE FUNCTION lcs_distance_less_equal(a bytea, b bytea, max_distance float8) RETURNS integer
	AS 'MODULE_PATHNAME', 'lcs_distance_less_equal_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 15
	SUPPORT lcs_support;
CREATE FUNCTION lcs_distance_less_equal(a anyarray, b anyarray, max_distance float8) RETURNS integer
	AS 'MODULE_PATHNAME', 'lcs_distance_less_equal_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300
	SUPPORT lcs_support;
CREATE FUNCTION lcs(a text, b text) RETURNS text
	AS 'MODULE_PATHNAME', 'lcs_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200;
CREATE FUNCTION lcs(a bytea, b bytea) RETURNS bytea
	AS 'MODULE_PATHNAME', 'lcs_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200;
CREATE FUNCTION lcs(a anyarray, b anyarray) RETURNS anyarray
	AS 'MODULE_PATHNAME', 'lcs_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 600;
CREATE FUNCTION scs(a text, b text) RETURNS text
	AS 'MODULE_PATHNAME', 'scs_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200;
CREATE FUNCTION scs(a bytea, b bytea) RETURNS bytea
	AS 'MODULE_PATHNAME', 'scs_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200;
CREATE FUNCTION scs(a anyarray, b anyarray) RETURNS anyarray
	AS 'MODULE_PATHNAME', 'scs_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 600;
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
	a anyarray, b anyarray,
	OUT operation text, OUT a_from integer, OUT a_to integer, OUT b_from integer, OUT b_to integer,
	OUT a_part anyarray, OUT b_part anyarray
) RETURNS SETOF record
	AS 'MODULE_PATHNAME', 'lcs_opcodes_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1500 ROWS 10;
CREATE FUNCTION text_diff(a text, b text) RETURNS text
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
CREATE FUNCTION text_diff_html(
	a text, b text, title text DEFAULT '', captions text[] DEFAULT '{}', page boolean DEFAULT true
) RETURNS text
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
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

COMMENT ON FUNCTION lcs_support(internal) IS 'internal: planner support of the measures of strings';
COMMENT ON FUNCTION lcs_length(text, text) IS 'length of the longest common subsequence, in characters';
COMMENT ON FUNCTION lcs_length(bytea, bytea) IS 'length of the longest common subsequence, in bytes';
COMMENT ON FUNCTION lcs_length(anyarray, anyarray) IS 'length of the longest common subsequence, in elements';
COMMENT ON FUNCTION scs_length(text, text) IS 'length of the shortest common supersequence, in characters';
COMMENT ON FUNCTION scs_length(bytea, bytea) IS 'length of the shortest common supersequence, in bytes';
COMMENT ON FUNCTION scs_length(anyarray, anyarray) IS 'length of the shortest common supersequence, in elements';
COMMENT ON FUNCTION lcs_distance(text, text) IS 'number of characters to delete and to insert';
COMMENT ON FUNCTION lcs_distance(bytea, bytea) IS 'number of bytes to delete and to insert';
COMMENT ON FUNCTION lcs_distance(anyarray, anyarray) IS 'number of elements to delete and to insert';
COMMENT ON FUNCTION lcs_similarity(text, text) IS '2 lcs_length / (sum of lengths in characters)';
COMMENT ON FUNCTION lcs_similarity(bytea, bytea) IS '2 lcs_length / (sum of lengths in bytes)';
COMMENT ON FUNCTION lcs_similarity(anyarray, anyarray) IS '2 lcs_length / (sum of lengths in elements)';
COMMENT ON FUNCTION lcs_similar(text, text, float8) IS 'whether the similarity is at least min_similarity';
COMMENT ON FUNCTION lcs_similar(bytea, bytea, float8) IS 'whether the similarity is at least min_similarity';
COMMENT ON FUNCTION lcs_similar(anyarray, anyarray, float8) IS 'whether the similarity is at least min_similarity';
COMMENT ON FUNCTION lcs_within(text, text, float8) IS 'whether the distance is at most max_distance';
COMMENT ON FUNCTION lcs_within(bytea, bytea, float8) IS 'whether the distance is at most max_distance';
COMMENT ON FUNCTION lcs_within(anyarray, anyarray, float8) IS 'whether the distance is at most max_distance';
COMMENT ON FUNCTION lcs_distance_less_equal(text, text, float8) IS 'distance if it is at most max_distance, else a larger number';
COMMENT ON FUNCTION lcs_distance_less_equal(bytea, bytea, float8) IS 'distance if it is at most max_distance, else a larger number';
COMMENT ON FUNCTION lcs_distance_less_equal(anyarray, anyarray, float8) IS 'distance if it is at most max_distance, else a larger number';
COMMENT ON FUNCTION lcs(text, text) IS 'a longest common subsequence';
COMMENT ON FUNCTION lcs(bytea, bytea) IS 'a longest common subsequence';
COMMENT ON FUNCTION lcs(anyarray, anyarray) IS 'a longest common subsequence';
COMMENT ON FUNCTION scs(text, text) IS 'a shortest common supersequence';
COMMENT ON FUNCTION scs(bytea, bytea) IS 'a shortest common supersequence';
COMMENT ON FUNCTION scs(anyarray, anyarray) IS 'a shortest common supersequence';
COMMENT ON FUNCTION lcs_opcodes(text, text) IS 'runs of characters to keep, delete, insert and replace';
COMMENT ON FUNCTION lcs_opcodes(bytea, bytea) IS 'runs of bytes to keep, delete, insert and replace';
COMMENT ON FUNCTION lcs_opcodes(anyarray, anyarray) IS 'runs of elements to keep, delete, insert and replace';
COMMENT ON FUNCTION text_diff(text, text) IS 'differences of two texts, line by line, as a unified diff';
COMMENT ON FUNCTION text_diff_html(text, text, text, text[], boolean) IS 'differences of two texts, side by side, as a page of HTML';
COMMENT ON FUNCTION lcs_lengths(text, text[]) IS 'lengths of the longest common subsequences of one text and many';
COMMENT ON FUNCTION lcs_similarities(text, text[]) IS 'similarities of one text and many';
COMMENT ON FUNCTION lcs_nearest(text, text[], integer, float8) IS 'the k elements of docs most similar to query';
COMMENT ON FUNCTION lcs_nearest(bytea, bytea[], integer, float8) IS 'the k elements of docs most similar to query';

-- Operators and indexes of strings

CREATE TYPE lcs_range AS (profile bytea, max_distance integer, min_similarity float8);

COMMENT ON TYPE lcs_range IS 'internal: the profile of a string, and a threshold around it';

CREATE FUNCTION lcs_range_sel(internal, oid, internal, integer) RETURNS float8
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
CREATE FUNCTION lcs_range_joinsel(internal, oid, internal, smallint, internal) RETURNS float8
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION lcs_range_sel(internal, oid, internal, integer) IS 'internal: restriction selectivity of <~ operator';
COMMENT ON FUNCTION lcs_range_joinsel(internal, oid, internal, smallint, internal) IS 'internal: join selectivity of <~ operator';

CREATE FUNCTION ted_distance_op(text, text) RETURNS float8
	AS 'MODULE_PATHNAME', 'lcs_distance_op_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200
	SUPPORT lcs_support;
CREATE FUNCTION ted_dissimilarity(text, text) RETURNS float8
	AS 'MODULE_PATHNAME', 'lcs_dissimilarity_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200
	SUPPORT lcs_support;
CREATE FUNCTION lcs_profile(text) RETURNS bytea
	AS 'MODULE_PATHNAME', 'lcs_profile_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
CREATE FUNCTION lcs_range(string text, max_distance float8) RETURNS lcs_range
	AS 'MODULE_PATHNAME', 'lcs_range_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
CREATE FUNCTION lcs_similarity_range(string text, min_similarity float8) RETURNS lcs_range
	AS 'MODULE_PATHNAME', 'lcs_similarity_range_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
CREATE FUNCTION ted_may_be_within(text, lcs_range) RETURNS boolean
	AS 'MODULE_PATHNAME', 'lcs_may_be_within_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
CREATE FUNCTION ted_distance_op(bytea, bytea) RETURNS float8
	AS 'MODULE_PATHNAME', 'lcs_distance_op_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200
	SUPPORT lcs_support;
CREATE FUNCTION ted_dissimilarity(bytea, bytea) RETURNS float8
	AS 'MODULE_PATHNAME', 'lcs_dissimilarity_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200
	SUPPORT lcs_support;
CREATE FUNCTION lcs_profile(bytea) RETURNS bytea
	AS 'MODULE_PATHNAME', 'lcs_profile_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
CREATE FUNCTION lcs_range(string bytea, max_distance float8) RETURNS lcs_range
	AS 'MODULE_PATHNAME', 'lcs_range_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
CREATE FUNCTION lcs_similarity_range(string bytea, min_similarity float8) RETURNS lcs_range
	AS 'MODULE_PATHNAME', 'lcs_similarity_range_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
CREATE FUNCTION ted_may_be_within(bytea, lcs_range) RETURNS boolean
	AS 'MODULE_PATHNAME', 'lcs_may_be_within_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
CREATE FUNCTION ted_distance_op(anyarray, anyarray) RETURNS float8
	AS 'MODULE_PATHNAME', 'lcs_distance_op_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200
	SUPPORT lcs_support;
CREATE FUNCTION ted_dissimilarity(anyarray, anyarray) RETURNS float8
	AS 'MODULE_PATHNAME', 'lcs_dissimilarity_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200
	SUPPORT lcs_support;
CREATE FUNCTION lcs_profile(anyarray) RETURNS bytea
	AS 'MODULE_PATHNAME', 'lcs_profile_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
CREATE FUNCTION lcs_range(string anyarray, max_distance float8) RETURNS lcs_range
	AS 'MODULE_PATHNAME', 'lcs_range_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
CREATE FUNCTION lcs_similarity_range(string anyarray, min_similarity float8) RETURNS lcs_range
	AS 'MODULE_PATHNAME', 'lcs_similarity_range_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
CREATE FUNCTION ted_may_be_within(anyarray, lcs_range) RETURNS boolean
	AS 'MODULE_PATHNAME', 'lcs_may_be_within_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;

CREATE OPERATOR <~> (
	LEFTARG = text, RIGHTARG = text, FUNCTION = ted_distance_op, COMMUTATOR = <~>
);
CREATE OPERATOR <%> (
	LEFTARG = text, RIGHTARG = text, FUNCTION = ted_dissimilarity, COMMUTATOR = <%>
);
CREATE OPERATOR <~ (
	LEFTARG = text, RIGHTARG = lcs_range, FUNCTION = ted_may_be_within,
	RESTRICT = lcs_range_sel, JOIN = lcs_range_joinsel
);
CREATE OPERATOR <~> (
	LEFTARG = bytea, RIGHTARG = bytea, FUNCTION = ted_distance_op, COMMUTATOR = <~>
);
CREATE OPERATOR <%> (
	LEFTARG = bytea, RIGHTARG = bytea, FUNCTION = ted_dissimilarity, COMMUTATOR = <%>
);
CREATE OPERATOR <~ (
	LEFTARG = bytea, RIGHTARG = lcs_range, FUNCTION = ted_may_be_within,
	RESTRICT = lcs_range_sel, JOIN = lcs_range_joinsel
);
CREATE OPERATOR <~> (
	LEFTARG = anyarray, RIGHTARG = anyarray, FUNCTION = ted_distance_op, COMMUTATOR = <~>
);
CREATE OPERATOR <%> (
	LEFTARG = anyarray, RIGHTARG = anyarray, FUNCTION = ted_dissimilarity, COMMUTATOR = <%>
);
CREATE OPERATOR <~ (
	LEFTARG = anyarray, RIGHTARG = lcs_range, FUNCTION = ted_may_be_within,
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

COMMENT ON FUNCTION tree_pqgram_profile(tree) IS 'internal: number of pq-grams, of those in each of 32 classes, and hashes of all';
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
CREATE OPERATOR CLASS lcs_array_ops DEFAULT FOR TYPE anyarray USING profile FAMILY lcs_ops AS
	OPERATOR 1 <~ (anyarray, lcs_range),
	OPERATOR 15 <~> (anyarray, anyarray) FOR ORDER BY pg_catalog.float_ops,
	OPERATOR 16 <%> (anyarray, anyarray) FOR ORDER BY pg_catalog.float_ops,
	FUNCTION 1 lcs_profile(anyarray);
-- statements cast these to text, and the keys are those of the text
CREATE OPERATOR CLASS lcs_bpchar_ops DEFAULT FOR TYPE bpchar USING profile FAMILY lcs_ops AS
	FUNCTION 1 lcs_profile(text);
CREATE OPERATOR CLASS lcs_name_ops DEFAULT FOR TYPE name USING profile FAMILY lcs_ops AS
	FUNCTION 1 lcs_profile(text);

COMMENT ON FUNCTION ted_distance_op(text, text) IS 'internal: implementation of <~> operator';
COMMENT ON FUNCTION ted_dissimilarity(text, text) IS 'internal: implementation of <%> operator';
COMMENT ON FUNCTION lcs_profile(text) IS 'internal: number of characters, and of those in each of 32 classes';
COMMENT ON FUNCTION lcs_range(text, float8) IS 'internal: range of all strings within max_distance of a string';
COMMENT ON FUNCTION lcs_similarity_range(text, float8) IS 'internal: range of all strings at least min_similarity similar to a string';
COMMENT ON FUNCTION ted_may_be_within(text, lcs_range) IS 'internal: implementation of <~ operator';
COMMENT ON OPERATOR <~> (text, text) IS 'number of characters to delete and to insert';
COMMENT ON OPERATOR <%> (text, text) IS '1 - similarity';
COMMENT ON OPERATOR <~ (text, lcs_range) IS 'internal: whether profiles allow the string to be in the range';
COMMENT ON OPERATOR CLASS lcs_ops USING profile IS 'nearest strings, and strings within a threshold';
COMMENT ON FUNCTION ted_distance_op(bytea, bytea) IS 'internal: implementation of <~> operator';
COMMENT ON FUNCTION ted_dissimilarity(bytea, bytea) IS 'internal: implementation of <%> operator';
COMMENT ON FUNCTION lcs_profile(bytea) IS 'internal: number of bytes, and of those in each of 32 classes';
COMMENT ON FUNCTION lcs_range(bytea, float8) IS 'internal: range of all strings within max_distance of a string';
COMMENT ON FUNCTION lcs_similarity_range(bytea, float8) IS 'internal: range of all strings at least min_similarity similar to a string';
COMMENT ON FUNCTION ted_may_be_within(bytea, lcs_range) IS 'internal: implementation of <~ operator';
COMMENT ON OPERATOR <~> (bytea, bytea) IS 'number of bytes to delete and to insert';
COMMENT ON OPERATOR <%> (bytea, bytea) IS '1 - similarity';
COMMENT ON OPERATOR <~ (bytea, lcs_range) IS 'internal: whether profiles allow the string to be in the range';
COMMENT ON OPERATOR CLASS lcs_bytea_ops USING profile IS 'nearest strings, and strings within a threshold';
COMMENT ON FUNCTION ted_distance_op(anyarray, anyarray) IS 'internal: implementation of <~> operator';
COMMENT ON FUNCTION ted_dissimilarity(anyarray, anyarray) IS 'internal: implementation of <%> operator';
COMMENT ON FUNCTION lcs_profile(anyarray) IS 'internal: number of elements, and of those in each of 32 classes';
COMMENT ON FUNCTION lcs_range(anyarray, float8) IS 'internal: range of all strings within max_distance of a string';
COMMENT ON FUNCTION lcs_similarity_range(anyarray, float8) IS 'internal: range of all strings at least min_similarity similar to a string';
COMMENT ON FUNCTION ted_may_be_within(anyarray, lcs_range) IS 'internal: implementation of <~ operator';
COMMENT ON OPERATOR <~> (anyarray, anyarray) IS 'number of elements to delete and to insert';
COMMENT ON OPERATOR <%> (anyarray, anyarray) IS '1 - similarity';
COMMENT ON OPERATOR <~ (anyarray, lcs_range) IS 'internal: whether profiles allow the string to be in the range';
COMMENT ON OPERATOR CLASS lcs_array_ops USING profile IS 'nearest strings, and strings within a threshold';
COMMENT ON OPERATOR CLASS lcs_bpchar_ops USING profile IS 'nearest strings, and strings within a threshold';
COMMENT ON OPERATOR CLASS lcs_name_ops USING profile IS 'nearest strings, and strings within a threshold';
COMMENT ON FUNCTION profile_handler(internal) IS 'internal: index access method handler';
COMMENT ON ACCESS METHOD profile IS 'nearest strings, and strings within a threshold, by their profiles';
COMMENT ON OPERATOR FAMILY lcs_ops USING profile IS 'nearest strings, and strings within a threshold';

-- Similarity join of strings

CREATE TYPE lcs_match AS (left_id bigint, right_id bigint, similarity float8);
CREATE TYPE lcs_join_row AS (id bigint, side "char", min_similarity float8, doc text);

COMMENT ON TYPE lcs_match IS 'a pair of strings and their similarity';
COMMENT ON TYPE lcs_join_row IS 'internal: a string in the state of lcs_similar_pairs';

CREATE FUNCTION lcs_similar_pairs_transfn(lcs_join_row[], bigint, text, float8) RETURNS lcs_join_row[]
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION lcs_similar_pairs_transfn(lcs_join_row[], bigint, text, float8, text) RETURNS lcs_join_row[]
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
CREATE AGGREGATE lcs_similar_pairs(id bigint, doc text, min_similarity float8, side text) (
	SFUNC = lcs_similar_pairs_transfn, STYPE = lcs_join_row[],
	COMBINEFUNC = lcs_similar_pairs_combine, FINALFUNC = lcs_similar_pairs_finalfn,
	PARALLEL = SAFE
);

COMMENT ON FUNCTION lcs_similar_pairs_transfn(lcs_join_row[], bigint, text, float8) IS 'internal: aggregate transition function';
COMMENT ON FUNCTION lcs_similar_pairs_transfn(lcs_join_row[], bigint, text, float8, text) IS 'internal: aggregate transition function';
COMMENT ON FUNCTION lcs_similar_pairs_combine(lcs_join_row[], lcs_join_row[]) IS 'internal: aggregate combine function';
COMMENT ON FUNCTION lcs_similar_pairs_finalfn(lcs_join_row[]) IS 'internal: aggregate final function';
COMMENT ON AGGREGATE lcs_similar_pairs(bigint, text, float8) IS 'all pairs of strings with a similarity of at least min_similarity';
COMMENT ON AGGREGATE lcs_similar_pairs(bigint, text, float8, text) IS 'all pairs of a left and a right string with a similarity of at least min_similarity';

CREATE FUNCTION lcs_similar_cluster(doc text, min_similarity float8, linkage text DEFAULT 'single') RETURNS integer
	AS 'MODULE_PATHNAME' LANGUAGE C WINDOW IMMUTABLE PARALLEL SAFE COST 1000;
CREATE FUNCTION lcs_similar_cluster(doc bytea, min_similarity float8, linkage text DEFAULT 'single') RETURNS integer
	AS 'MODULE_PATHNAME', 'lcs_similar_cluster_bytea' LANGUAGE C WINDOW IMMUTABLE PARALLEL SAFE COST 1000;
CREATE FUNCTION lcs_similar_cluster(doc anyarray, min_similarity float8, linkage text DEFAULT 'single') RETURNS integer
	AS 'MODULE_PATHNAME', 'lcs_similar_cluster_array' LANGUAGE C WINDOW IMMUTABLE PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION lcs_similar_cluster(text, float8, text) IS 'number of the cluster of strings that similarities of at least min_similarity connect';
COMMENT ON FUNCTION lcs_similar_cluster(bytea, float8, text) IS 'number of the cluster of strings that similarities of at least min_similarity connect';
COMMENT ON FUNCTION lcs_similar_cluster(anyarray, float8, text) IS 'number of the cluster of strings that similarities of at least min_similarity connect';

-- What computes

CREATE TABLE ted_gpu_calibration (
	device text NOT NULL,
	family text NOT NULL,
	measured timestamptz NOT NULL,
	opening float8 NOT NULL,
	cells_per_second float8 NOT NULL,
	bytes_per_second float8 NOT NULL,
	PRIMARY KEY (device, family)
);

COMMENT ON TABLE ted_gpu_calibration IS 'what ted_gpu_calibrate() has measured, by device and family of work';
COMMENT ON COLUMN ted_gpu_calibration.family IS 'trees, long_strings (pairs), string_batches (one and many)';
COMMENT ON COLUMN ted_gpu_calibration.opening IS 'seconds of the smallest work, relative to those of the processor';

-- the extension's objects belong to a superuser, whoever has installed it
GRANT SELECT ON ted_gpu_calibration TO PUBLIC;
GRANT INSERT, UPDATE, DELETE ON ted_gpu_calibration TO pg_database_owner;

CREATE FUNCTION ted_gpu_measure() RETURNS SETOF ted_gpu_calibration
	AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE PARALLEL RESTRICTED COST 1000000 ROWS 3;
CREATE FUNCTION ted_gpu_calibrate() RETURNS SETOF ted_gpu_calibration
	LANGUAGE sql VOLATILE PARALLEL UNSAFE COST 1000000 ROWS 3
	BEGIN ATOMIC
		INSERT INTO ted_gpu_calibration SELECT m.* FROM ted_gpu_measure() m
		ON CONFLICT (device, family) DO UPDATE SET
			(measured, opening, cells_per_second, bytes_per_second) =
			ROW (excluded.measured, excluded.opening, excluded.cells_per_second, excluded.bytes_per_second)
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

COMMENT ON FUNCTION ted_get_progress() IS 'internal: how far joins, aggregates and index searches of all sessions are';
COMMENT ON VIEW ted_progress IS 'how far joins, aggregates and index searches of all sessions are';
COMMENT ON FUNCTION ted_gpu_measure() IS 'internal: measures the GPU, and keeps nothing';
COMMENT ON FUNCTION ted_gpu_calibrate() IS 'measures the GPU and keeps the rates in ted_gpu_calibration';
COMMENT ON FUNCTION ted_engine_info() IS 'what computes distances, and what the GPU has done in this session';

