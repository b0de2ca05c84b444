/*
 * distance_bounds.c
 *	  SQL functions for bounds on the distance between trees.
 */
#include "postgres.h"

#include "../../compat.h"
#include "../../core/tree/bounded/bounds.h"
#include "../../common/host.h"
#include "../../engine/session.h"
#include "../costs/cost_type.h"
#include "../costs/model_costs.h"
#include "../value/tree.h"

/* The two arguments, decoded and indexed, and costs. */
typedef struct Arguments
{
	TedTree tree[2];
	TedBoundsIndex index[2];
	ModelCosts *costs;
	int32 limit; /* no distance is above it */
} Arguments;

/* Decodes and indexes the first two arguments, for the model in the third. */
static void
GetArguments(FunctionCallInfo fcinfo, Arguments *arguments)
{
	const CostModel *model = ArgumentCostModel(fcinfo, 2);
	LabelTable *labels = LabelTableCreate();
	Size bytes = 0;

	for (int i = 0; i < 2; i++)
	{
		int32 size = TreeSize(PG_GETARG_DATUM(i));

		bytes += TreeDecodedBytes(PG_GETARG_DATUM(i)) + RelabelBytes(model, size) +
				 ted_bounds_index_memory(size) + ted_greedy_mapping_memory(size, size);
	}
	CheckMemoryLimit(bytes, "bounding a tree edit distance");
	arguments->costs = ModelCostsCreate(model, labels, NO_MARKS);
	for (int i = 0; i < 2; i++)
	{
		TedTree decoded;

		TreeDecode(PG_GETARG_TREE(i), labels, &decoded);
		RelabelTree(arguments->costs, &decoded, &arguments->tree[i]);
	}
	CheckCostsFit(ModelTedCosts(arguments->costs), &arguments->tree[0], &arguments->tree[1]);
	arguments->limit = (int32) (DeletionCost(arguments->costs, &arguments->tree[0]) +
								InsertionCost(arguments->costs, &arguments->tree[1]));
	for (int i = 0; i < 2; i++)
	{
		TedTree *tree = &arguments->tree[i];
		TedArena arena;

		ArenaInit(&arena, ted_bounds_index_memory(tree->size));
		CheckStatus(ted_bounds_index(tree, &arena, &PgInterrupt, &arguments->index[i]));
	}
}

/* The best lower bound there is. */
static int32
LowerBound(const Arguments *arguments)
{
	const TedBoundsIndex *a = &arguments->index[0];
	const TedBoundsIndex *b = &arguments->index[1];
	const TedCosts *costs = ModelTedCosts(arguments->costs);
	int32 limit = arguments->limit;
	int32 by_labels;
	int32 by_traversals;
	TedArena arena;

	ArenaInit(&arena, ted_label_bound_memory(a->size, b->size));
	CheckStatus(ted_label_bound(a->tree, b->tree, costs, limit, &arena, &PgInterrupt, &by_labels));
	pfree(arena.base);
	ArenaInit(&arena, ted_traversal_bound_memory(a->size, b->size, costs, limit));
	CheckStatus(ted_traversal_bound(a, b, costs, limit, &arena, &PgInterrupt, &by_traversals));
	pfree(arena.base);
	return Max(by_labels, by_traversals);
}

/* The best upper bound there is. */
static int32
BestUpperBound(const Arguments *arguments)
{
	const TedBoundsIndex *a = &arguments->index[0];
	const TedBoundsIndex *b = &arguments->index[1];
	const TedCosts *costs = ModelTedCosts(arguments->costs);
	int32 *map_a = palloc_array(int32, a->size);
	int32 *map_b = palloc_array(int32, b->size);
	int32 bound;
	TedArena arena;

	ArenaInit(&arena, ted_greedy_mapping_memory(a->size, b->size));
	CheckStatus(ted_upper_bound(a, b, costs, a->size + b->size, &arena, &PgInterrupt, map_a, map_b,
								&bound));
	return bound;
}

PG_FUNCTION_INFO_V1(tree_edit_distance_lower_bound);

/* A lower bound on the distance. */
Datum
tree_edit_distance_lower_bound(PG_FUNCTION_ARGS)
{
	Arguments arguments;

	GetArguments(fcinfo, &arguments);
	PG_RETURN_FLOAT8(CostInModel(arguments.costs, LowerBound(&arguments)));
}

PG_FUNCTION_INFO_V1(tree_edit_distance_upper_bound);

/* An upper bound on the distance. */
Datum
tree_edit_distance_upper_bound(PG_FUNCTION_ARGS)
{
	Arguments arguments;

	GetArguments(fcinfo, &arguments);
	PG_RETURN_FLOAT8(CostInModel(arguments.costs, BestUpperBound(&arguments)));
}
