/*
 * tree_join.c
 *	  Joins of trees: the aggregate tree_similarity_join(), the window function tree_cluster(),
 *	  and cells of joins over several servers.
 */
#include "postgres.h"

#include "fmgr.h"

#include "../compat.h"
#include "../tree/costs.h"
#include "aggregate.h"
#include "cell.h"
#include "cluster_window.h"

PG_FUNCTION_INFO_V1(tree_similarity_join_finalfn);

/* Refuses a maximum distance below 0. */
static void
CheckThreshold(double threshold)
{
	CheckMaxDistance((int32) threshold);
}

/* The distance of two trees. */
static double
Distance(int32 distance, int32 larger_size, int32 smaller_size)
{
	(void) larger_size;
	(void) smaller_size;
	return distance;
}

static const JoinKind tree_join = {
	.aggregate = "tree_similarity_join",
	.final = tree_similarity_join_finalfn,
	.threshold = "maximum distance",
	.fewer = "Decrease the maximum distance, or use a plain JOIN with tree_within(), which returns "
			 "one row after the other.",
	.documents = DOCUMENT_TREE,
	.check_threshold = CheckThreshold,
	.make_threshold = DistanceThreshold,
	.measure = Distance};

PG_FUNCTION_INFO_V1(tree_similarity_join_transfn);

/* Adds a tree to the state. */
Datum
tree_similarity_join_transfn(PG_FUNCTION_ARGS)
{
	return JoinTransition(fcinfo, &tree_join);
}

PG_FUNCTION_INFO_V1(tree_similarity_join_combine);

/* Adds the rows of one partial state to another. */
Datum
tree_similarity_join_combine(PG_FUNCTION_ARGS)
{
	return JoinCombine(fcinfo, &tree_join);
}

/* Joins all trees of the state. */
Datum
tree_similarity_join_finalfn(PG_FUNCTION_ARGS)
{
	return JoinFinal(fcinfo, &tree_join);
}

PG_FUNCTION_INFO_V1(tree_cluster);

/* The number of a tree's cluster. */
Datum
tree_cluster(PG_FUNCTION_ARGS)
{
	return ClusterOfRow(fcinfo, &tree_join, "tree_cluster");
}

PG_FUNCTION_INFO_V1(tree_pack_cell_transfn);

/* Adds a tree to a cell. */
Datum
tree_pack_cell_transfn(PG_FUNCTION_ARGS)
{
	return CellTransition(fcinfo, DOCUMENT_TREE);
}

PG_FUNCTION_INFO_V1(tree_join_cell);

/* Joins all trees of a cell. */
Datum
tree_join_cell(PG_FUNCTION_ARGS)
{
	return JoinCell(PG_GETARG_BYTEA_PP(0), &tree_join, PG_GETARG_INT32(1));
}
