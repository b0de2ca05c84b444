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
