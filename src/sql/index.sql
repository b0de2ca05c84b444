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
