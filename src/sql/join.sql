-- Similarity join

CREATE TYPE tree_match AS (left_id bigint, right_id bigint, distance integer);
CREATE TYPE tree_join_row AS (id bigint, side "char", max_distance integer, doc tree);

COMMENT ON TYPE tree_match IS 'a pair of documents and their distance';
COMMENT ON TYPE tree_join_row IS 'a document in the state of tree_similarity_join';

CREATE TYPE tree_costs_match AS (left_id bigint, right_id bigint, distance float8);
CREATE TYPE tree_costs_join_row AS (id bigint, side "char", max_distance float8, doc tree, costs tree_costs);

COMMENT ON TYPE tree_costs_match IS 'a pair of documents and their distance by a model of costs';
COMMENT ON TYPE tree_costs_join_row IS 'a document in the state of tree_similarity_join by a model of costs';

CREATE FUNCTION tree_similarity_join_transfn(tree_join_row[], bigint, tree, integer) RETURNS tree_join_row[]
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION tree_similarity_join_transfn(tree_join_row[], bigint, tree, integer, "char") RETURNS tree_join_row[]
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION tree_similarity_join_transfn(tree_join_row[], bigint, tree, float8) RETURNS tree_join_row[]
	AS 'MODULE_PATHNAME', 'tree_similarity_join_transfn_float8' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION tree_similarity_join_transfn(tree_join_row[], bigint, tree, float8, "char") RETURNS tree_join_row[]
	AS 'MODULE_PATHNAME', 'tree_similarity_join_transfn_float8' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION tree_similarity_join_combine(tree_join_row[], tree_join_row[]) RETURNS tree_join_row[]
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION tree_similarity_join_finalfn(tree_join_row[]) RETURNS tree_match[]
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10000;

CREATE AGGREGATE tree_similarity_join(id bigint, doc tree, max_distance integer) (
	SFUNC = tree_similarity_join_transfn, STYPE = tree_join_row[],
	COMBINEFUNC = tree_similarity_join_combine, FINALFUNC = tree_similarity_join_finalfn,
	PARALLEL = SAFE
);
CREATE AGGREGATE tree_similarity_join(id bigint, doc tree, max_distance integer, side "char") (
	SFUNC = tree_similarity_join_transfn, STYPE = tree_join_row[],
	COMBINEFUNC = tree_similarity_join_combine, FINALFUNC = tree_similarity_join_finalfn,
	PARALLEL = SAFE
);
CREATE AGGREGATE tree_similarity_join(id bigint, doc tree, max_distance float8) (
	SFUNC = tree_similarity_join_transfn, STYPE = tree_join_row[],
	COMBINEFUNC = tree_similarity_join_combine, FINALFUNC = tree_similarity_join_finalfn,
	PARALLEL = SAFE
);
CREATE AGGREGATE tree_similarity_join(id bigint, doc tree, max_distance float8, side "char") (
	SFUNC = tree_similarity_join_transfn, STYPE = tree_join_row[],
	COMBINEFUNC = tree_similarity_join_combine, FINALFUNC = tree_similarity_join_finalfn,
	PARALLEL = SAFE
);

CREATE FUNCTION tree_similarity_join_transfn(tree_costs_join_row[], bigint, tree, float8, tree_costs) RETURNS tree_costs_join_row[]
	AS 'MODULE_PATHNAME', 'tree_similarity_join_transfn_model' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION tree_similarity_join_transfn(tree_costs_join_row[], bigint, tree, float8, "char", tree_costs) RETURNS tree_costs_join_row[]
	AS 'MODULE_PATHNAME', 'tree_similarity_join_transfn_model' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION tree_similarity_join_combine(tree_costs_join_row[], tree_costs_join_row[]) RETURNS tree_costs_join_row[]
	AS 'MODULE_PATHNAME', 'tree_similarity_join_combine_model' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION tree_similarity_join_finalfn(tree_costs_join_row[]) RETURNS tree_costs_match[]
	AS 'MODULE_PATHNAME', 'tree_similarity_join_finalfn_model' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10000;

CREATE AGGREGATE tree_similarity_join(id bigint, doc tree, max_distance float8, costs tree_costs) (
	SFUNC = tree_similarity_join_transfn, STYPE = tree_costs_join_row[],
	COMBINEFUNC = tree_similarity_join_combine, FINALFUNC = tree_similarity_join_finalfn,
	PARALLEL = SAFE
);
CREATE AGGREGATE tree_similarity_join(id bigint, doc tree, max_distance float8, side "char", costs tree_costs) (
	SFUNC = tree_similarity_join_transfn, STYPE = tree_costs_join_row[],
	COMBINEFUNC = tree_similarity_join_combine, FINALFUNC = tree_similarity_join_finalfn,
	PARALLEL = SAFE
);

COMMENT ON FUNCTION tree_similarity_join_transfn(tree_join_row[], bigint, tree, integer) IS 'aggregate transition function';
COMMENT ON FUNCTION tree_similarity_join_transfn(tree_join_row[], bigint, tree, float8) IS 'aggregate transition function';
COMMENT ON FUNCTION tree_similarity_join_transfn(tree_join_row[], bigint, tree, integer, "char") IS 'aggregate transition function';
COMMENT ON FUNCTION tree_similarity_join_transfn(tree_join_row[], bigint, tree, float8, "char") IS 'aggregate transition function';
COMMENT ON FUNCTION tree_similarity_join_combine(tree_join_row[], tree_join_row[]) IS 'aggregate combine function';
COMMENT ON FUNCTION tree_similarity_join_finalfn(tree_join_row[]) IS 'aggregate final function';
COMMENT ON AGGREGATE tree_similarity_join(bigint, tree, integer) IS 'all pairs of documents at most max_distance apart';
COMMENT ON AGGREGATE tree_similarity_join(bigint, tree, float8) IS 'all pairs of documents at most max_distance apart';
COMMENT ON AGGREGATE tree_similarity_join(bigint, tree, integer, "char") IS 'all pairs of a left and a right document at most max_distance apart';
COMMENT ON AGGREGATE tree_similarity_join(bigint, tree, float8, "char") IS 'all pairs of a left and a right document at most max_distance apart';
COMMENT ON FUNCTION tree_similarity_join_transfn(tree_costs_join_row[], bigint, tree, float8, tree_costs) IS 'aggregate transition function';
COMMENT ON FUNCTION tree_similarity_join_transfn(tree_costs_join_row[], bigint, tree, float8, "char", tree_costs) IS 'aggregate transition function';
COMMENT ON FUNCTION tree_similarity_join_combine(tree_costs_join_row[], tree_costs_join_row[]) IS 'aggregate combine function';
COMMENT ON FUNCTION tree_similarity_join_finalfn(tree_costs_join_row[]) IS 'aggregate final function';
COMMENT ON AGGREGATE tree_similarity_join(bigint, tree, float8, tree_costs) IS 'all pairs of documents at most max_distance apart by a model of costs';
COMMENT ON AGGREGATE tree_similarity_join(bigint, tree, float8, "char", tree_costs) IS 'all pairs of a left and a right document at most max_distance apart by a model of costs';

-- Clusters

CREATE FUNCTION tree_clusters(left_ids anycompatiblearray, right_ids anycompatiblearray, OUT id anycompatible, OUT cluster anycompatible)
	RETURNS SETOF record
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000;
CREATE FUNCTION tree_cluster(doc tree, max_distance integer) RETURNS integer
	AS 'MODULE_PATHNAME' LANGUAGE C WINDOW IMMUTABLE PARALLEL SAFE COST 10000;
CREATE FUNCTION tree_cluster(doc tree, max_distance float8) RETURNS integer
	AS 'MODULE_PATHNAME' LANGUAGE C WINDOW IMMUTABLE PARALLEL SAFE COST 10000;

COMMENT ON FUNCTION tree_clusters(anycompatiblearray, anycompatiblearray) IS 'the clusters of ids that pairs connect: each id with the first one of its cluster';
COMMENT ON FUNCTION tree_cluster(tree, integer) IS 'number of the cluster of documents that distances of at most max_distance connect';
COMMENT ON FUNCTION tree_cluster(tree, float8) IS 'number of the cluster of documents that distances of at most max_distance connect';
