/*
 * one_to_many.c
 *	  Distances between one tree and many trees, computed together.
 *
 * Vectors gain little on a pair of small trees: its tables are small, and laying them out takes as
 * long as filling them.  So groups of the many trees are concatenated to a forest, which is laid
 * out as if it were one tree (columns.h).  One pass by vectors then fills the tables of all of
 * them, and those of equal subtrees only once, which saves time with larger trees, too.
 */
#include "bounded.h"

#include "../mirror.h"
#include "../exact/vector_fill.h"

/* Adds a tree to a group. */
bool
ted_group_add(TedGroup *group, const TedTree *tree)
{
	int64_t nodes = (int64_t) group->sums.size + tree->size;

	if (group->count > 0 && (group->count == TED_FOREST_TREES || nodes > TED_FOREST_NODES ||
							 nodes * group->a->size > TED_FOREST_PAIRS))
		return false;
	group->sums.size += tree->size;
	group->sums.leaves += tree->leaves;
	group->sums.height = ted_max(group->sums.height, tree->height);
	group->sums.left_nodes += tree->left_nodes;
	group->sums.right_nodes += tree->right_nodes;
	group->largest = ted_max(group->largest, tree->size);
	group->member[group->count++] = tree;
	return true;
}

/* Plans the distances of a group. */
TedGroupPlan
ted_plan_group(const TedGroup *group)
{
	TedGroupPlan plan = {.mirrored = ted_prefers_right(group->a, &group->sums)};
	TedTree a = plan.mirrored ? ted_mirror_sums(group->a) : *group->a;
	TedTree b = plan.mirrored ? ted_mirror_sums(&group->sums) : group->sums;
	TedArena forest = {0};

	if (group->count == 1)
		return plan;
	plan.vectors = ted_vectors(&a, &b, group->largest, group->costs, &plan.bytes);
	ted_take_tree_arrays(&forest, b.size);
	plan.bytes += forest.used;
	if (plan.mirrored)
		plan.bytes += ted_mirror_memory(a.size) + ted_mirror_memory(b.size);
	return plan;
}

/* Concatenates the trees of a group to a forest. */
static TedStatus
make_forest(const TedGroup *group, TedArena *arena, TedTree *forest)
{
	TedTreeArrays to = ted_take_tree_arrays(arena, group->sums.size);
	int32_t first = 0;

	if (ted_arena_exceeded(arena))
		return TED_OUT_OF_ARENA;
	for (int32_t i = 0; i < group->count; i++)
	{
		const TedTree *tree = group->member[i];

		for (int32_t x = 0; x < tree->size; x++)
		{
			to.label[first + x] = tree->label[x];
			to.subtree_size[first + x] = tree->subtree_size[x];
			to.depth[first + x] = tree->depth[x];
			to.key_root[first + x] = first + tree->key_root[x];
		}
		first += tree->size;
	}
	*forest = group->sums;
	ted_set_tree_arrays(forest, &to);
	return TED_OK;
}

/* Computes the exact distances of a group in one pass. */
TedStatus
ted_group_distances(const TedGroup *group, const TedGroupPlan *plan, TedArena *arena,
					const TedInterrupt *interrupt, int32_t *distances)
{
	size_t used = arena->used;
	TedTree forest;
	TedPairView view;
	TedTables tables;
	int32_t root = -1;
	TedStatus status = make_forest(group, arena, &forest);

	if (status == TED_OK)
	{
		view = (TedPairView){.a = *group->a, .b = forest};
		if (plan->mirrored)
			status = ted_mirror_pair(group->a, &forest, arena, interrupt, &view);
	}
	if (status == TED_OK)
		status = ted_vector_fill(&view.a, &view.b, group->costs, plan->vectors, arena, interrupt,
								 &tables);
	for (int32_t i = 0; status == TED_OK && i < group->count; i++)
	{
		root += group->member[i]->size;
		distances[i] = ted_subtree_distance(&tables, view.a.size - 1,
											view.number_b == NULL ? root : view.number_b[root]);
	}
	arena->used = used;
	return status;
}
