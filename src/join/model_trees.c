/*
 * model_trees.c
 *	  The trees of a join by a model of costs: what is compared, and what filters look at.
 */
#include "postgres.h"

#include "miscadmin.h"

#include "../common/host.h"
#include "../compat.h"
#include "model_trees.h"

/* The label of all nodes that filters do not tell apart; those of others follow. */
#define BLURRED 0

/* By spelling: the indexed trees have nodes with it that are graded, and others. */
#define SEEN_GRADED 1
#define SEEN_OTHERS 2

struct ModelTrees
{
	ModelCosts *costs;
	ModelTotals *totals;
	const LabelTable *labels;
	MemoryContext context;
	uint8 *seen; /* by spelling */
	int32 capacity;
	bool kept; /* are all indexed trees there? */
};

/* Starts with no tree. */
ModelTrees *
ModelTreesCreate(const CostModel *model, const LabelTable *labels)
{
	ModelTrees *trees = palloc0_object(ModelTrees);

	trees->costs = ModelCostsCreate(model, labels, NO_MARKS);
	trees->totals = ModelTotalsCreate(model, trees->costs);
	trees->labels = labels;
	trees->context = CurrentMemoryContext;
	return trees;
}

/* The costs of comparing trees. */
const TedCosts *
ModelTreesCosts(const ModelTrees *trees)
{
	return ModelTedCosts(trees->costs);
}

/* Makes room to note all spellings. */
static void
NoteSpellings(ModelTrees *trees)
{
	int32 count = LabelTableCount(trees->labels);
	int32 capacity = Max(count, 2 * trees->capacity);

	if (count <= trees->capacity)
		return;
	if (trees->seen == NULL)
		trees->seen = MemoryContextAllocHuge(trees->context, (Size) capacity);
	else
		trees->seen = repalloc_huge(trees->seen, (Size) capacity);
	memset(trees->seen + trees->capacity, 0, (Size) (capacity - trees->capacity));
	trees->capacity = capacity;
}

/* Copies those nodes of a relabelled tree that are not ignored, and the root. */
static void
LeaveIgnoredOut(const ModelTrees *trees, TedTree *tree)
{
	int32 *before = palloc_array(int32, tree->size + 1); /* by node: how many stay before it */
	TedTree rest = *tree;
	int32 *label;
	int32 *subtree_size;

	before[0] = 0;
	for (int32 x = 0; x < tree->size; x++)
		before[x + 1] = before[x] + (x == tree->size - 1 ||
									 !TraitsOfLabel(trees->costs, tree->label[x]).is_ignored);
	rest.size = before[tree->size];
	if (rest.size < tree->size)
	{
		label = palloc_array(int32, 4 * (Size) rest.size);
		subtree_size = label + rest.size;
		for (int32 x = 0; x < tree->size; x++)
			if (before[x + 1] > before[x])
			{
				label[before[x]] = tree->label[x];
				subtree_size[before[x]] = before[x + 1] - before[x + 1 - tree->subtree_size[x]];
			}
		rest.label = label;
		rest.subtree_size = subtree_size;
		CheckStatus(ted_tree_index(&rest, label + 2 * (Size) rest.size,
								   label + 3 * (Size) rest.size, &PgInterrupt));
		*tree = rest;
	}
	pfree(before);
}

/* What filters take a label for; false if they cannot. */
static bool
FilterLabel(ModelTrees *trees, int32 label, int32 *filtered)
{
	LabelTraits traits = TraitsOfLabel(trees->costs, label);
	bool is_blurred = traits.is_graded || traits.is_ignored;
	uint8 *seen = &trees->seen[traits.spelling];

	if (!trees->kept)
		*seen |= is_blurred ? SEEN_GRADED : SEEN_OTHERS;
	*filtered = is_blurred || *seen & SEEN_GRADED ? BLURRED : traits.spelling + 1;
	return !traits.is_graded || *seen != SEEN_OTHERS;
}

/* Makes of a decoded tree one to be compared and one to be filtered. */
bool
ModelTreesAdd(ModelTrees *trees, const TedTree *decoded, TedTree *compared, TedTree *filtered)
{
	bool can_filter = true;
	int32 *label;

	RelabelTree(trees->costs, decoded, compared);
	LeaveIgnoredOut(trees, compared);
	NoteSpellings(trees);
	if (!trees->kept)
		ModelTotalsNote(trees->totals, compared, LabelTableCount(trees->labels));
	label = palloc_array(int32, compared->size);
	for (int32 x = 0; x < compared->size; x++)
		can_filter = FilterLabel(trees, compared->label[x], &label[x]) && can_filter;
	*filtered = *compared;
	filtered->label = label;
	return can_filter;
}

/* Has all trees so far stay. */
void
ModelTreesKeep(ModelTrees *trees)
{
	ModelCostsKeep(trees->costs);
	trees->kept = true;
}

/* Blurs the labels of a tree to be indexed. */
void
ModelTreesBlur(const ModelTrees *trees, const TedTree *filtered)
{
	int32 *label = (int32 *) filtered->label;

	for (int32 x = 0; x < filtered->size; x++)
		if (label[x] != BLURRED && trees->seen[label[x] - 1] & SEEN_GRADED)
			label[x] = BLURRED;
}

/* What a tree that is compared costs in all. */
TreeTotals
ModelTreesTotals(const ModelTrees *trees, const TedTree *compared)
{
	return ModelTotalsOf(trees->totals, compared);
}

/* Forgets the trees looked up. */
void
ModelTreesForget(ModelTrees *trees)
{
	ModelCostsForget(trees->costs);
}

/* Memory that a tree of a size takes. */
Size
ModelTreeBytes(int32 size)
{
	return 2 * sizeof(TedTree) + 6 * sizeof(int32) * (Size) size;
}
