/*
 * distance_bounds.c
 *	  SQL functions for bounds on the distance between trees: a lower bound, and the
 *	  cost of an approximate mapping as an upper bound.
 */
#include "postgres.h"

#include "../../compat.h"
#include "../../core/tree/bounded/bounds.h"
#include "../../core/tree/mapping/approximate.h"
#include "../../common/host.h"
#include "../../engine/session.h"
#include "../costs/cost_type.h"
#include "../costs/model_costs.h"
#include "compared_trees.h"
#include "../value/tree.h"

/* The two trees, decoded and relabelled, and the costs. */
typedef struct Arguments
{
	ComparedTrees compared;
	TedTree tree[2];
	ModelCosts *costs;
	Size bytes; /* an upper bound on their memory */
} Arguments;

/*
 * Decodes the first two arguments for the cost model in the third one.  Errors about memory
 * name the trees from here on.
 */
static void
GetArguments(FunctionCallInfo fcinfo, const char *what, Arguments *arguments)
{
	const CostModel *model = ArgumentCostModel(fcinfo, 2);
	LabelTable *labels = LabelTableCreate();

	BeginComparison(&arguments->compared, PG_GETARG_DATUM(0), PG_GETARG_DATUM(1));
	arguments->bytes = 0;
	for (int i = 0; i < 2; i++)
		arguments->bytes += TreeDecodedBytes(PG_GETARG_DATUM(i)) +
							RelabelBytes(model, TreeSize(PG_GETARG_DATUM(i)));
	CheckMemoryLimit(arguments->bytes, what);
	arguments->costs = ModelCostsCreate(model, labels, NO_MARKS);
	for (int i = 0; i < 2; i++)
	{
		TedTree decoded;

		TreeDecode(PG_GETARG_TREE(i), labels, &decoded);
		RelabelTree(arguments->costs, &decoded, &arguments->tree[i]);
	}
	CheckCostsFit(ModelTedCosts(arguments->costs), &arguments->tree[0], &arguments->tree[1]);
}

/* Allocates an arena, if the memory limit allows it in addition to the arguments. */
static void
TakeArena(const Arguments *arguments, Size bytes, const char *what, TedArena *arena)
{
	CheckMemoryLimit(arguments->bytes + bytes, what);
	ArenaInit(arena, bytes);
}

/* The time in seconds that the bound by traversals may take. */
#define LONGEST_BOUND 1

/* Returns the best lower bound that can be computed quickly. */
static int32
LowerBound(const Arguments *arguments, const char *what)
{
	const TedTree *a = &arguments->tree[0];
	const TedTree *b = &arguments->tree[1];
	const TedCosts *costs = ModelTedCosts(arguments->costs);
	int32 limit = (int32) (DeletionCost(arguments->costs, a) + InsertionCost(arguments->costs, b));
	int32 affordable = ted_traversal_limit(a->size, b->size, costs, LONGEST_BOUND);
	TedBoundsIndex index_a;
	TedBoundsIndex index_b;
	int32 by_labels;
	int32 by_traversals;
	TedArena arena;

	TakeArena(arguments, ted_label_bound_memory(a->size, b->size), what, &arena);
	CheckStatus(ted_label_bound(a, b, costs, limit, &arena, &PgInterrupt, &by_labels));
	pfree(arena.base);
	if (affordable < 0)
		return by_labels;
	limit = Min(limit, affordable);
	TakeArena(arguments,
			  ted_bounds_index_memory(a->size) + ted_bounds_index_memory(b->size) +
				  ted_traversal_bound_memory(a->size, b->size, costs, limit),
			  what, &arena);
	CheckStatus(ted_bounds_index(a, &arena, &PgInterrupt, &index_a));
	CheckStatus(ted_bounds_index(b, &arena, &PgInterrupt, &index_b));
	CheckStatus(ted_traversal_bound(&index_a, &index_b, costs, limit, &arena, &PgInterrupt,
									&by_traversals));
	return Max(by_labels, by_traversals == TED_BEYOND ? limit + 1 : by_traversals);
}

/* Returns the cost of the approximate mapping. */
static int32
ApproximateDistance(const Arguments *arguments, const char *what)
{
	const TedTree *a = &arguments->tree[0];
	const TedTree *b = &arguments->tree[1];
	Size maps = ted_arena_bytes(sizeof(int32) * (Size) a->size) +
				ted_arena_bytes(sizeof(int32) * (Size) b->size);
	TedArena arena;
	int32 *map_a;
	int32 *map_b;
	int32 cost;

	TakeArena(arguments, maps + ted_approximate_mapping_memory(a->size, b->size), what, &arena);
	map_a = ted_arena_int32(&arena, (Size) a->size);
	map_b = ted_arena_int32(&arena, (Size) b->size);
	CheckStatus(ted_approximate_mapping(a, b, ModelTedCosts(arguments->costs), &arena, &PgInterrupt,
										map_a, map_b, &cost));
	return cost;
}

PG_FUNCTION_INFO_V1(tree_edit_distance_lower_bound);

/* Returns a lower bound on the distance. */
Datum
tree_edit_distance_lower_bound(PG_FUNCTION_ARGS)
{
	const char *what = "bounding a tree edit distance";
	Arguments arguments;
	int32 bound;

	GetArguments(fcinfo, what, &arguments);
	bound = LowerBound(&arguments, what);
	EndComparison(&arguments.compared);
	PG_RETURN_FLOAT8(CostInModel(arguments.costs, bound));
}

PG_FUNCTION_INFO_V1(tree_edit_distance_approximate);

/* Returns the cost of an approximate edit mapping, an upper bound on the distance. */
Datum
tree_edit_distance_approximate(PG_FUNCTION_ARGS)
{
	const char *what = "approximate tree edit distance";
	Arguments arguments;
	int32 cost;

	GetArguments(fcinfo, what, &arguments);
	cost = ApproximateDistance(&arguments, what);
	EndComparison(&arguments.compared);
	PG_RETURN_FLOAT8(CostInModel(arguments.costs, cost));
}
