/*
 * string_join.c
 *	  Joins of strings: the aggregate lcs_similar_pairs() of texts, and the window function
 *	  lcs_similar_cluster().
 */
#include "postgres.h"

#include "fmgr.h"

#include "../../compat.h"
#include "../../string/lcs_threshold.h"
#include "aggregate.h"
#include "../output/cluster_window.h"

PG_FUNCTION_INFO_V1(lcs_similar_pairs_finalfn);

/* Returns the similarity of two strings at a distance. */
static double
Similarity(int32 distance, int32 larger_size, int32 smaller_size)
{
	int64 total = (int64) larger_size + smaller_size;

	return LcsSimilarity((total - distance) / 2, total);
}

/* Common members of the kinds of joins of strings. */
#define STRING_JOIN_KIND                                                                           \
	.clusters = "lcs_similar_cluster", .threshold = "minimum similarity",                          \
	.make_threshold = MakeSimilarityThreshold, .by_similarity = true, .measure = Similarity

const JoinKind TextJoin = {
	STRING_JOIN_KIND,
	.aggregate = "lcs_similar_pairs",
	.final = lcs_similar_pairs_finalfn,
	.fewer = "Increase the minimum similarity, or use a plain JOIN with lcs_similar(), which "
			 "returns one row after the other.",
	.documents = DOCUMENT_TEXT,
	.row = "lcds",
	.match = "lld"};
static const JoinKind bytea_join = {STRING_JOIN_KIND, .documents = DOCUMENT_BYTEA};
static const JoinKind array_join = {STRING_JOIN_KIND, .documents = DOCUMENT_ARRAY};

PG_FUNCTION_INFO_V1(lcs_similar_pairs_transfn);

/* Adds a string to the state. */
Datum
lcs_similar_pairs_transfn(PG_FUNCTION_ARGS)
{
	return JoinTransition(fcinfo, &TextJoin, PG_GETARG_DATUM(3));
}

PG_FUNCTION_INFO_V1(lcs_similar_pairs_combine);

/* Adds the rows of one partial state to another one. */
Datum
lcs_similar_pairs_combine(PG_FUNCTION_ARGS)
{
	return JoinCombine(fcinfo, &TextJoin);
}

/* Joins all texts of the state. */
Datum
lcs_similar_pairs_finalfn(PG_FUNCTION_ARGS)
{
	return JoinFinal(fcinfo, &TextJoin);
}

PG_FUNCTION_INFO_V1(lcs_similar_cluster);

/* Returns the number of a text's cluster. */
Datum
lcs_similar_cluster(PG_FUNCTION_ARGS)
{
	return ClusterOfRow(fcinfo, &TextJoin);
}

PG_FUNCTION_INFO_V1(lcs_similar_cluster_bytea);

/* Returns the number of a byte string's cluster. */
Datum
lcs_similar_cluster_bytea(PG_FUNCTION_ARGS)
{
	return ClusterOfRow(fcinfo, &bytea_join);
}

PG_FUNCTION_INFO_V1(lcs_similar_cluster_array);

/* Returns the number of an array's cluster. */
Datum
lcs_similar_cluster_array(PG_FUNCTION_ARGS)
{
	return ClusterOfRow(fcinfo, &array_join);
}
