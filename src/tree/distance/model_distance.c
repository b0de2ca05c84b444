/*
 * model_distance.c
 *	  SQL functions for distances between trees by a cost model.
 */
#include "postgres.h"

#include "../../compat.h"
#include "../../engine/session.h"
#include "compared_trees.h"
#include "model_pair.h"
#include "threshold.h"

/* Decodes the first two arguments for the cost model in the third one. */
static void
GetModelPair(FunctionCallInfo fcinfo, ModelPair *pair)
{
	OpenModelPair(fcinfo, 2, pair);
	DecodeModelPair(fcinfo, pair);
}

/* Returns the distance of a pair; TED_BEYOND above the limit. */
static int32
PairDistance(const ModelPair *pair, int32 limit)
{
	EngineSession *session = SessionOpen(ModelTedCosts(pair->costs));
	ComparedTrees compared;
	int32 distance;

	BeginComparison(&compared, pair->value[0], pair->value[1]);
	SessionUploadTree(session, pair->tree[0]);
	SessionUploadTree(session, pair->tree[1]);
	distance = SessionComputePair(session, limit);
	EndComparison(&compared);
	SessionClose(session);
	return distance;
}

/* Returns the maximum distance in an argument as a limit in units. */
static int32
LimitArgument(FunctionCallInfo fcinfo, int argument, const ModelPair *pair)
{
	return LimitOfModel(pair->costs, PG_GETARG_FLOAT8(argument));
}

/*
 * Returns the larger one of the costs of deleting the first tree and of inserting the
 * second one.
 */
static int64
LargerCost(const ModelPair *pair)
{
	return Max(pair->delete_all, pair->insert_all);
}

/*
 * Whether the distance of a pair is at most a limit.  TED_NO_LIMIT stands for all limits beyond the
 * distances that can be computed, of which others are errors.
 */
static bool
IsWithin(const ModelPair *pair, int32 limit)
{
	return pair->delete_all + pair->insert_all <= Min(limit, TED_MAX_DISTANCE) ||
		   PairDistance(pair, limit) <= limit;
}

PG_FUNCTION_INFO_V1(tree_edit_distance_model);

/* Returns the tree edit distance by a cost model. */
Datum
tree_edit_distance_model(PG_FUNCTION_ARGS)
{
	ModelPair pair;

	GetModelPair(fcinfo, &pair);
	PG_RETURN_FLOAT8(CostInModel(pair.costs, PairDistance(&pair, TED_NO_LIMIT)));
}

PG_FUNCTION_INFO_V1(tree_edit_distance_less_equal_model);

/*
 * Returns the tree edit distance by a cost model if it is at most the threshold, else a
 * larger number.
 */
Datum
tree_edit_distance_less_equal_model(PG_FUNCTION_ARGS)
{
	ModelPair pair;
	int32 limit;
	int32 distance = TED_BEYOND;

	OpenModelPair(fcinfo, 3, &pair);
	limit = Max(LimitArgument(fcinfo, 2, &pair), 0);
	if (pair.least <= limit)
	{
		DecodeModelPair(fcinfo, &pair);
		distance = PairDistance(&pair, limit);
	}
	PG_RETURN_FLOAT8(CostInModel(pair.costs, distance == TED_BEYOND ? limit + 1 : distance));
}

PG_FUNCTION_INFO_V1(tree_within_model);

/* Whether the tree edit distance by a cost model is at most the threshold. */
Datum
tree_within_model(PG_FUNCTION_ARGS)
{
	ModelPair pair;
	int32 limit;

	OpenModelPair(fcinfo, 3, &pair);
	limit = LimitArgument(fcinfo, 2, &pair);
	if (pair.least > limit)
		PG_RETURN_BOOL(false);
	DecodeModelPair(fcinfo, &pair);
	PG_RETURN_BOOL(IsWithin(&pair, limit));
}

PG_FUNCTION_INFO_V1(tree_similarity_model);

/* Returns the similarity of two trees by a cost model. */
Datum
tree_similarity_model(PG_FUNCTION_ARGS)
{
	ModelPair pair;

	GetModelPair(fcinfo, &pair);
	PG_RETURN_FLOAT8(ModelSimilarity(PairDistance(&pair, TED_NO_LIMIT), LargerCost(&pair)));
}

PG_FUNCTION_INFO_V1(tree_similar_model);

/* Whether the similarity by a cost model is at least the threshold. */
Datum
tree_similar_model(PG_FUNCTION_ARGS)
{
	float8 min_similarity = MinSimilarityArgument(fcinfo, 2);
	ModelPair pair;
	int64 limit;

	if (min_similarity == 0)
		PG_RETURN_BOOL(true);
	OpenModelPair(fcinfo, 3, &pair);
	if (pair.least > CostBySimilarity(min_similarity, pair.most))
		PG_RETURN_BOOL(false);
	DecodeModelPair(fcinfo, &pair);
	limit = CostBySimilarity(min_similarity, LargerCost(&pair));
	if (limit >= TED_MAX_DISTANCE)
		limit = TED_NO_LIMIT;
	PG_RETURN_BOOL(IsWithin(&pair, (int32) limit));
}

PG_FUNCTION_INFO_V1(tree_normalized_distance_model);

/* Returns 2 d / (cost of deleting a + cost of inserting b + d). */
Datum
tree_normalized_distance_model(PG_FUNCTION_ARGS)
{
	ModelPair pair;
	int32 distance;

	GetModelPair(fcinfo, &pair);
	distance = PairDistance(&pair, TED_NO_LIMIT);
	PG_RETURN_FLOAT8(ModelNormalizedDistance(distance, pair.delete_all + pair.insert_all));
}
