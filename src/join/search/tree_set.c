/*
 * tree_set.c
 *	  The distinct trees of one side of a join, with data for filters.
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "../../compat.h"
#include "../../common/host.h"
#include "../../common/progress.h"
#include "../../index/tree/keys.h"
#include "../../tree/distance/session_trees.h"
#include "../../tree/value/tree.h"
#include "search.h"
#include "tree_set.h"

/* An entry of the hash table. */
typedef struct TreeEntry
{
	const TedTree *tree;
	uint32 hash;
	int32 number;
	char status;
} TreeEntry;

#define SH_PREFIX treetable
#define SH_ELEMENT_TYPE TreeEntry
#define SH_KEY_TYPE const TedTree *
#define SH_KEY tree
#define SH_HASH_KEY(table, key) HashJoinTree(key)
#define SH_EQUAL(table, a, b) EqualTrees(a, b)
#define SH_SCOPE static inline
#define SH_STORE_HASH
#define SH_GET_HASH(table, entry) (entry)->hash
#define SH_DECLARE
#define SH_DEFINE
#include "lib/simplehash.h"

/* Initializes an empty set, after its memory has been freed. */
static void
ClearJoinTrees(JoinTrees *trees)
{
	trees->count = 0;
	trees->capacity = trees->shared_capacity = 0;
	trees->trees = NULL;
	trees->table = treetable_create(trees->context, 64, NULL);
	trees->packed = (PackedMemory){.context = trees->context, .team = trees->team};
	trees->shared = NULL;
}

JoinTrees *
JoinTreesCreate(EngineSession *session, ModelTrees *model, const JoinTrees *others, Team *team)
{
	JoinTrees *trees = palloc0_object(JoinTrees);

	trees->context =
		AllocSetContextCreate(CurrentMemoryContext, "ted join trees", ALLOCSET_DEFAULT_SIZES);
	trees->session = session;
	trees->model = model;
	trees->others = others;
	trees->team = team;
	ClearJoinTrees(trees);
	return trees;
}

/*
 * Returns a decoded tree as the set keeps it: a copy in packed memory, or the tree itself if it is
 * large and there is no team.
 */
static const TedTree *
KeepTree(JoinTrees *trees, TedTree *decoded)
{
	Size bytes = sizeof(TedTree) + sizeof(int32) * 4 * (Size) decoded->size; /* four arrays */
	TedTree *kept;

	if (trees->team == NULL && bytes > PACKED_BLOCK)
		return decoded;
	kept = PackedTake(&trees->packed, bytes);
	*kept = *decoded;
	memcpy(kept + 1, decoded->label, bytes - sizeof(TedTree));
	SharedTreeArrays(kept, (int32 *) (kept + 1));
	SessionFreeTree(decoded);
	return kept;
}

/* Makes a JoinTree without a cost model; `number` is that in the session. */
static JoinTree
PlainTree(const TedTree *tree, int32 number)
{
	return (JoinTree){.tree = tree,
					  .compared = tree,
					  .stored = tree,
					  .totals = {.delete_all = tree->size, .insert_all = tree->size},
					  .number = number};
}

/* Makes a JoinTree by the cost model, and adds it to the session. */
static JoinTree
CompleteByModel(JoinTrees *trees, const TedTree *decoded)
{
	ModelTree *made = ModelTreesAdd(trees->model, decoded);

	return (JoinTree){.tree = &made->filtered,
					  .compared = &made->compared,
					  .stored = decoded,
					  .by_model = made,
					  .totals = trees->others == NULL
									? (TreeTotals){0}
									: ModelTotalsOf(trees->model->totals, &made->compared),
					  .number = SessionUploadTree(trees->session, &made->compared)};
}

int32
JoinTreesAdd(JoinTrees *trees, Datum tree)
{
	MemoryContext caller = MemoryContextSwitchTo(trees->context);
	TedTree *decoded = SessionDecodeTree(trees->session, tree);
	bool known;
	TreeEntry *entry = treetable_insert(trees->table, decoded, &known);

	if (known)
		SessionFreeTree(decoded);
	else
	{
		TreeEntry *other =
			trees->others == NULL ? NULL : treetable_lookup(trees->others->table, decoded);
		JoinTree *added;

		RESERVE(trees->context, trees->trees, trees->capacity, (int64) trees->count + 1);
		entry->number = trees->count++;
		added = &trees->trees[entry->number];
		if (other != NULL)
		{
			*added = trees->others->trees[other->number];
			SessionFreeTree(decoded);
		}
		else
		{
			const TedTree *kept = KeepTree(trees, decoded);

			if (trees->team != NULL)
				*added = PlainTree(kept, -1);
			else if (trees->model != NULL)
				*added = CompleteByModel(trees, kept);
			else
				*added = PlainTree(kept, SessionUploadTree(trees->session, kept));
		}
		if (trees->team != NULL)
		{
			RESERVE(trees->context, trees->shared, trees->shared_capacity, (int64) trees->count);
			trees->shared[entry->number] = trees->packed.pointer;
		}
		entry->tree = added->stored;
	}
	MemoryContextSwitchTo(caller);
	return entry->number;
}

void
JoinTreesTakeAll(JoinTrees *trees, const SharedTrees *all)
{
	CommonLabels common = SharedLabelsCommon(all->labels);
	MemoryContext caller;

	LabelTableUseCommon(SessionLabels(trees->session), &common);
	trees->team = NULL;
	MemoryContextReset(trees->context);
	ClearJoinTrees(trees);
	caller = MemoryContextSwitchTo(trees->context);
	if (trees->model == NULL)
		SessionUploadTrees(trees->session, all->trees, all->count, common.count);
	trees->capacity = Max(all->count, 1);
	trees->trees = palloc_extended(sizeof(JoinTree) * (Size) trees->capacity, MCXT_ALLOC_HUGE);
	UseLargePages(trees->trees, sizeof(JoinTree) * (Size) trees->capacity);
	for (int32 place = 0; place < all->count; place++)
	{
		const TedTree *tree = &all->trees[place];

		CheckInterrupts();
		trees->trees[trees->count++] =
			trees->model != NULL ? CompleteByModel(trees, tree) : PlainTree(tree, place);
	}
	MemoryContextSwitchTo(caller);
}

Size
JoinTreesBoundsBytes(int32 size)
{
	return sizeof(TedBoundsIndex) + MAXALIGN(2 * sizeof(int32) * (Size) size);
}

const TedBoundsIndex *
JoinTreesBounds(JoinTrees *trees, int32 number)
{
	JoinTree *tree = &trees->trees[number];

	if (tree->bounds == NULL)
	{
		int32 size = tree->tree->size;
		TedBoundsIndex *bounds = PackedTake(&trees->packed, JoinTreesBoundsBytes(size));
		int32 *arrays = (int32 *) (bounds + 1);

		CheckStatus(ted_bounds_index_in(tree->tree, arrays, arrays + size, &PgInterrupt, bounds));
		tree->bounds = bounds;
	}
	return tree->bounds;
}

void
JoinTreesFinish(JoinTrees *trees)
{
	if (trees->model == NULL)
		return;
	ModelTreesKeep(trees->model);
	for (int32 i = 0; i < trees->count; i++)
	{
		JoinTree *tree = &trees->trees[i];

		CheckInterrupts();
		ModelTreesFinish(trees->model, tree->by_model);
		tree->totals = ModelTotalsOf(trees->model->totals, tree->compared);
	}
}

void
JoinTreesReset(JoinTrees *trees)
{
	SessionForgetTrees(trees->session);
	if (trees->model != NULL)
		ModelTreesForget(trees->model);
	MemoryContextReset(trees->context);
	ClearJoinTrees(trees);
}

int32
ListTreeNodes(Datum tree, int32 **label, int32 **occurrence)
{
	int32 labels;
	const LabelCount *counts = TreeLabelCounts(DatumGetTree(tree), &labels);
	int32 size = 0;

	for (int32 i = 0; i < labels; i++)
		size += counts[i].count;
	*label = palloc_array(int32, size);
	*occurrence = palloc_array(int32, size);
	for (int32 i = 0, x = 0; i < labels; i++)
		for (int32 n = 1; n <= counts[i].count; n++, x++)
		{
			(*label)[x] = (int32) counts[i].hash;
			(*occurrence)[x] = n;
		}
	return size;
}
