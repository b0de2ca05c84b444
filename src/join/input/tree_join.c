/*
 * tree_join.c
 *	  Joins of trees: the aggregate tree_within_pairs() and the window functions
 *	  tree_within_cluster() and tree_similar_cluster().
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "fmgr.h"

#include "../../compat.h"
#include "aggregate.h"
#include "../output/cluster_window.h"

PG_FUNCTION_INFO_V1(tree_within_pairs_finalfn);
PG_FUNCTION_INFO_V1(tree_within_pairs_finalfn_model);

/* Makes the threshold of a maximum distance. */
static DocumentThreshold
MakeDistanceThreshold(double max_distance, const CostModel *model)
{
	if (model != NULL)
		return ModelThreshold(THRESHOLD_WITHIN, model, Float8GetDatum(max_distance), FLOAT8OID);
	CheckMaxDistance(max_distance);
	return DistanceThreshold(max_distance);
}

/* Returns the distance of two trees as a measure. */
static double
Distance(int32 distance, int32 larger_size, int32 smaller_size)
{
	(void) larger_size;
	(void) smaller_size;
	return distance;
}

/* Common members of the kinds of joins of trees by distance. */
#define TREE_JOIN                                                                                  \
	.aggregate = "tree_within_pairs", .clusters = "tree_within_cluster",                           \
	.threshold = "maximum distance",                                                               \
	.fewer = "Decrease the maximum distance, or use a plain JOIN with tree_within(), which "       \
			 "returns one row after the other.",                                                   \
	.make_threshold = MakeDistanceThreshold, .measure = Distance

const JoinKind TreeJoin = {TREE_JOIN, .final = tree_within_pairs_finalfn,
						   .documents = DOCUMENT_TREE, .row = "lcit", .match = "lli"};
static const JoinKind model_join = {TREE_JOIN, .final = tree_within_pairs_finalfn_model,
									.documents = DOCUMENT_BY_MODEL, .row = "lcdtm", .match = "lld"};

PG_FUNCTION_INFO_V1(tree_within_pairs_transfn);

/* Adds a tree to the state. */
Datum
tree_within_pairs_transfn(PG_FUNCTION_ARGS)
{
	int32 max_distance = PG_ARGISNULL(3) ? 0 : MaxDistanceArgument(fcinfo, 3);

	return JoinTransition(fcinfo, &TreeJoin, Int32GetDatum(max_distance));
}

PG_FUNCTION_INFO_V1(tree_within_pairs_combine);

/* Adds the rows of one partial state to another one. */
Datum
tree_within_pairs_combine(PG_FUNCTION_ARGS)
{
	return JoinCombine(fcinfo, &TreeJoin);
}

/* Joins all trees of the state. */
Datum
tree_within_pairs_finalfn(PG_FUNCTION_ARGS)
{
	return JoinFinal(fcinfo, &TreeJoin);
}

PG_FUNCTION_INFO_V1(tree_within_pairs_transfn_model);

/* Adds a tree with a cost model to the state. */
Datum
tree_within_pairs_transfn_model(PG_FUNCTION_ARGS)
{
	return JoinTransition(fcinfo, &model_join, PG_GETARG_DATUM(3));
}

PG_FUNCTION_INFO_V1(tree_within_pairs_combine_model);

/* Adds the rows of one partial state to another one. */
Datum
tree_within_pairs_combine_model(PG_FUNCTION_ARGS)
{
	return JoinCombine(fcinfo, &model_join);
}

/* Joins all trees of the state by the cost model. */
Datum
tree_within_pairs_finalfn_model(PG_FUNCTION_ARGS)
{
	return JoinFinal(fcinfo, &model_join);
}

PG_FUNCTION_INFO_V1(tree_within_cluster);

/* Returns the number of a tree's cluster, by unit costs where the cost model is NULL. */
Datum
tree_within_cluster(PG_FUNCTION_ARGS)
{
	return ClusterOfRow(fcinfo,
						HasClusterCosts(fcinfo, TreeJoin.clusters) ? &model_join : &TreeJoin);
}

/* Returns the similarity of two trees at a distance. */
static double
Similarity(int32 distance, int32 larger_size, int32 smaller_size)
{
	(void) smaller_size;
	return TreeSimilarity(distance, larger_size);
}

static const JoinKind similar_trees = {.clusters = "tree_similar_cluster",
									   .threshold = "minimum similarity",
									   .documents = DOCUMENT_TREE,
									   .make_threshold = MakeSimilarityThreshold,
									   .by_similarity = true,
									   .measure = Similarity};

PG_FUNCTION_INFO_V1(tree_similar_cluster);

/* Returns the number of a tree's cluster by similarity. */
Datum
tree_similar_cluster(PG_FUNCTION_ARGS)
{
	return ClusterOfRow(fcinfo, &similar_trees);
}
