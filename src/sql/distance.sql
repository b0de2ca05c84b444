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
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000;

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
