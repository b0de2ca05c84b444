/*
 * edit_mapping.c
 *	  The SQL function tree_edit_mapping(): an optimal edit script, row by row.
 */
#include "postgres.h"

#include "funcapi.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

#include "../compat.h"
#include "../core/tree/bounds.h"
#include "costs.h"
#include "../engine/session.h"
#include "../common/labels.h"
#include "../common/host.h"
#include "tree.h"
#include "walk.h"

/* Attributes of a row. */
enum
{
	OPERATION,
	LEFT_NODE,
	LEFT_PATH,
	LEFT_LABEL,
	RIGHT_NODE,
	RIGHT_PATH,
	RIGHT_LABEL,
	ATTRIBUTES
};

/* Whether the next node is there and has no partner. */
static bool
NextIsAlone(const Walk *walk)
{
	return walk->next < walk->tree.size && walk->map[walk->postorder[walk->next]] < 0;
}

/* Fills the three columns that describe the current node. */
static void
DescribeNode(const Walk *walk, const LabelTable *labels, Datum *values, bool *nulls)
{
	Label label = LabelTableGet(labels, walk->tree.label[walk->node]);

	values[0] = Int32GetDatum(walk->next);
	values[1] = PointerGetDatum(cstring_to_text_with_len(walk->path.data, walk->path.len));
	values[2] = PointerGetDatum(cstring_to_text_with_len(label.bytes, label.length));
	nulls[0] = nulls[1] = nulls[2] = false;
}

/* Writes the row of the current nodes; NULL for a side that takes no part. */
static void
EmitRow(ReturnSetInfo *result, const char *operation, const Walk *left, const Walk *right,
		const LabelTable *labels, MemoryContext row_context)
{
	MemoryContext caller = MemoryContextSwitchTo(row_context);
	Datum values[ATTRIBUTES] = {0};
	bool nulls[ATTRIBUTES];

	CHECK_FOR_INTERRUPTS();
	memset(nulls, true, sizeof(nulls));
	values[OPERATION] = PointerGetDatum(cstring_to_text(operation));
	nulls[OPERATION] = false;
	if (left != NULL)
		DescribeNode(left, labels, &values[LEFT_NODE], &nulls[LEFT_NODE]);
	if (right != NULL)
		DescribeNode(right, labels, &values[RIGHT_NODE], &nulls[RIGHT_NODE]);
	tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
	MemoryContextSwitchTo(caller);
	MemoryContextReset(row_context);
}

/* Writes all rows: both trees in preorder, deletions before insertions at the same place. */
static void
EmitMapping(ReturnSetInfo *result, Walk *left, Walk *right, const LabelTable *labels)
{
	MemoryContext row_context =
		AllocSetContextCreate(CurrentMemoryContext, "edit mapping row", ALLOCSET_DEFAULT_SIZES);

	while (left->next < left->tree.size || right->next < right->tree.size)
	{
		if (NextIsAlone(left))
		{
			WalkStep(left, labels);
			EmitRow(result, "delete", left, NULL, labels, row_context);
		}
		else if (NextIsAlone(right))
		{
			WalkStep(right, labels);
			EmitRow(result, "insert", NULL, right, labels, row_context);
		}
		else
		{
			bool equal;

			WalkStep(left, labels);
			WalkStep(right, labels);
			equal = left->tree.label[left->node] == right->tree.label[right->node];
			EmitRow(result, equal ? "match" : "rename", left, right, labels, row_context);
		}
	}
}

/* A lower bound of the distance up to a limit, else TED_BEYOND. */
static int32
BoundDistance(const Walk *left, const Walk *right, const TedCosts *costs, int32 limit)
{
	int32 size_a = left->tree.size;
	int32 size_b = right->tree.size;
	Size bytes = ted_bounds_index_memory(size_a) + ted_bounds_index_memory(size_b) +
				 ted_traversal_bound_memory(size_a, size_b, costs, limit);
	TedBoundsIndex a;
	TedBoundsIndex b;
	TedArena arena;
	int32 bound;

	CheckMemoryLimit(bytes, "tree edit mapping");
	ArenaInit(&arena, bytes);
	CheckStatus(ted_bounds_index(&left->tree, &arena, &PgInterrupt, &a));
	CheckStatus(ted_bounds_index(&right->tree, &arena, &PgInterrupt, &b));
	CheckStatus(ted_traversal_bound(&a, &b, costs, limit, &arena, &PgInterrupt, &bound));
	pfree(arena.base);
	return bound;
}

/* Maps the trees by what the GPU has computed; false where that is left to the CPU. */
static bool
MapByGpu(Walk *left, Walk *right, const TedCosts *costs)
{
	const TedTree *a = &left->tree;
	const TedTree *b = &right->tree;
	Size bytes = ted_known_mapping_memory(a, b, costs);
	EngineSession *session;
	void *subtrees;
	int32 x;
	int32 y;

	if (bytes + ted_subtrees_bytes(a, b, costs) > (Size) ted_max_memory * 1024)
		return false;
	session = SessionOpen(costs);
	x = SessionUploadTree(session, a);
	y = SessionUploadTree(session, b);
	subtrees = SessionSubtrees(session, x, y);
	if (subtrees != NULL)
	{
		TedArena arena;

		ArenaInit(&arena, bytes);
		CheckStatus(
			ted_known_mapping(a, b, costs, subtrees, &arena, &PgInterrupt, left->map, right->map));
		pfree(arena.base);
	}
	SessionClose(session);
	return subtrees != NULL;
}

/*
 * Maps the trees to each other.  Where they are much alike, limits from a lower
 * bound of the distance on are doubled until the distance is within; others
 * take all distances at once, by the GPU where that pays.
 */
static void
MapTrees(Walk *left, Walk *right, const TedCosts *costs)
{
	const TedTree *a = &left->tree;
	const TedTree *b = &right->tree;
	int32 cheap = ted_mapping_limit(a, b, costs);
	int32 limit = cheap > 0 ? BoundDistance(left, right, costs, cheap) : TED_BEYOND;
	int32 distance = TED_BEYOND;

	while (distance == TED_BEYOND)
	{
		Size bytes;
		TedArena arena;

		if (limit > cheap)
		{
			if (MapByGpu(left, right, costs))
				return;
			limit = TED_MAX_DISTANCE;
		}
		bytes = ted_bounded_mapping_memory(a, b, costs, limit);
		CheckMemoryLimit(bytes, "tree edit mapping");
		ArenaInit(&arena, bytes);
		CheckStatus(ted_bounded_mapping(a, b, costs, limit, &arena, &PgInterrupt, left->map,
										right->map, &distance));
		pfree(arena.base);
		limit = 2 * limit + 1;
	}
}

PG_FUNCTION_INFO_V1(tree_edit_mapping);

/* An optimal edit mapping between two trees; its cost is their distance. */
Datum
tree_edit_mapping(PG_FUNCTION_ARGS)
{
	TedCosts costs = GetCosts(fcinfo, 2);
	LabelTable *labels = LabelTableCreate();
	Walk left;
	Walk right;

	InitMaterializedSRF(fcinfo, 0);
	CheckMemoryLimit(WalkBytes(PG_GETARG_DATUM(0)) + WalkBytes(PG_GETARG_DATUM(1)),
					 "tree edit mapping");
	WalkInit(&left, PG_GETARG_TREE(0), labels);
	WalkInit(&right, PG_GETARG_TREE(1), labels);
	CheckCostsFit(&costs, left.tree.size, right.tree.size);
	left.map = palloc_array(int32, left.tree.size);
	right.map = palloc_array(int32, right.tree.size);

	MapTrees(&left, &right, &costs);
	EmitMapping((ReturnSetInfo *) fcinfo->resultinfo, &left, &right, labels);
	return (Datum) 0;
}
