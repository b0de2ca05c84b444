/*
 * many.c
 *	  Exact distances between one tree and many, side by side.
 *
 * Vectors gain little on a pair of small trees: its tables are small, and
 * laying them out takes as long as filling them.  So the many trees are strung
 * together to a forest, some at a time, and laid out as if they were one tree
 * (columns.h).  One sweep then fills the tables of all of them.
 */
#include <string.h>

#include "zhang_shasha.h"

/* Nodes that are strung together at most, unless one tree alone has more. */
#define FOREST_NODES 2048

/* How some trees of the many are computed. */
typedef struct Group
{
	int32_t count;
	bool mirrored;
	int32_t lanes; /* 0 to compute them pair by pair */
	TedTree a;     /* sums only, of the mirror images where these are computed with */
	TedTree b;     /* the same of the forest */
} Group;

/* Adds the sums of a tree to those of a forest. */
static void
add_sums(TedTree *forest, const TedTree *tree)
{
	forest->size += tree->size;
	forest->leaves += tree->leaves;
	forest->height = tree->height > forest->height ? tree->height : forest->height;
	forest->left_nodes += tree->left_nodes;
	forest->right_nodes += tree->right_nodes;
}

/* Decides on the next trees. */
static Group
next_group(const TedTree *a, const TedTree *const *b, int32_t count, const TedCosts *costs)
{
	Group group = {.a = *a};
	int32_t largest = 0;

	do
	{
		const TedTree *tree = b[group.count++];

		add_sums(&group.b, tree);
		largest = tree->size > largest ? tree->size : largest;
	} while (group.count < count && group.b.size + b[group.count]->size <= FOREST_NODES);

	group.mirrored = ted_prefers_right(a, &group.b);
	if (group.mirrored)
	{
		group.a = ted_mirror_sums(&group.a);
		group.b = ted_mirror_sums(&group.b);
	}
	group.lanes = group.count > 1 ? ted_narrow_lanes(&group.a, &group.b, largest, costs) : 0;
	return group;
}

/* Bytes of a forest. */
static size_t
forest_memory(int32_t size)
{
	return 4 * ted_arena_bytes(sizeof(int32_t) * (size_t) size);
}

/* Strings trees together. */
static TedStatus
make_forest(const TedTree *const *trees, const Group *group, TedArena *arena, TedTree *forest)
{
	size_t bytes = sizeof(int32_t) * (size_t) group->b.size;
	int32_t *label = ted_arena_alloc(arena, bytes);
	int32_t *subtree_size = ted_arena_alloc(arena, bytes);
	int32_t *depth = ted_arena_alloc(arena, bytes);
	int32_t *key_root = ted_arena_alloc(arena, bytes);
	int32_t first = 0;

	if (key_root == NULL)
		return TED_OUT_OF_ARENA;
	for (int32_t i = 0; i < group->count; i++)
	{
		const TedTree *tree = trees[i];

		for (int32_t x = 0; x < tree->size; x++)
		{
			label[first + x] = tree->label[x];
			subtree_size[first + x] = tree->subtree_size[x];
			depth[first + x] = tree->depth[x];
			key_root[first + x] = first + tree->key_root[x];
		}
		first += tree->size;
	}
	*forest = group->mirrored ? ted_mirror_sums(&group->b) : group->b;
	forest->label = label;
	forest->subtree_size = subtree_size;
	forest->depth = depth;
	forest->key_root = key_root;
	return TED_OK;
}

/* Bytes that a group takes. */
static size_t
group_memory(const TedTree *a, const TedTree *const *b, const Group *group, const TedCosts *costs)
{
	size_t most = 0;

	if (group->lanes > 0)
		return forest_memory(group->b.size) +
			   ted_narrow_memory(&group->a, &group->b, group->lanes) +
			   (group->mirrored ? ted_mirror_memory(a->size) + ted_mirror_memory(group->b.size)
								: 0);
	for (int32_t i = 0; i < group->count; i++)
	{
		size_t bytes = ted_distance_memory(a, b[i], costs);

		most = bytes > most ? bytes : most;
	}
	return most;
}

/* Computes the distances of a group by one sweep. */
static TedStatus
sweep_group(const TedTree *a, const TedTree *const *b, const Group *group, const TedCosts *costs,
			TedArena *arena, const TedInterrupt *interrupt, int32_t *distances)
{
	TedTree view_a = *a;
	TedTree forest;
	TedTree view_b;
	TedTables tables;
	int32_t *number_a;
	int32_t *number_b = NULL;
	int32_t root = -1;
	TedStatus status = make_forest(b, group, arena, &forest);

	view_b = forest;
	if (status == TED_OK && group->mirrored)
	{
		status = ted_mirror(a, arena, &view_a, &number_a);
		if (status == TED_OK)
			status = ted_mirror(&forest, arena, &view_b, &number_b);
	}
	if (status == TED_OK)
		status = ted_narrow_fill(&view_a, &view_b, costs, group->lanes, arena, interrupt, &tables);
	for (int32_t i = 0; status == TED_OK && i < group->count; i++)
	{
		root += b[i]->size;
		distances[i] =
			ted_subtree_distance(&tables, a->size - 1, number_b == NULL ? root : number_b[root]);
	}
	return status;
}

/* Bytes that ted_distances() takes. */
size_t
ted_distances_memory(const TedTree *a, const TedTree *const *b, int32_t count,
					 const TedCosts *costs)
{
	size_t most = 0;

	for (int32_t done = 0; done < count;)
	{
		Group group = next_group(a, b + done, count - done, costs);
		size_t bytes = group_memory(a, b + done, &group, costs);

		most = bytes > most ? bytes : most;
		done += group.count;
	}
	return most;
}

/* Exact distances between one tree and many. */
TedStatus
ted_distances(const TedTree *a, const TedTree *const *b, int32_t count, const TedCosts *costs,
			  TedArena *arena, const TedInterrupt *interrupt, int32_t *distances)
{
	TedStatus status = TED_OK;

	for (int32_t done = 0; status == TED_OK && done < count;)
	{
		Group group = next_group(a, b + done, count - done, costs);
		size_t used = arena->used;

		if (group.lanes > 0)
			status = sweep_group(a, b + done, &group, costs, arena, interrupt, distances + done);
		for (int32_t i = done; group.lanes == 0 && status == TED_OK && i < done + group.count; i++)
			status = ted_distance(a, b[i], costs, arena, interrupt, &distances[i]);
		arena->used = used;
		done += group.count;
	}
	return status;
}
