/*
 * one_to_many.c
 *	  Distances between one tree and many trees, computed together.
 *
 * Vectors gain little on a pair of small trees: its tables are small, and laying them out takes as
 * long as filling them.  So groups of the many trees are concatenated to a forest, which is laid
 * out as if it were one tree (columns.h).  One pass by vectors then fills the tables of all of
 * them, and those of equal subtrees only once, which saves time with larger trees, too.  Trees for
 * which a strip or a path strategy may be faster are computed separately.
 */
#include "../../common/processor_tuning.h"
#include "bounded.h"
#include "bounds.h"
#include "../mirror.h"
#include "../exact/vector_fill.h"
#include "../exact/zhang_shasha.h"

/* The one tree, the many trees, and the limits and costs of their distances. */
typedef struct OneToMany
{
	const TedTree *a;
	const TedTree *const *b;
	const int32_t *limits;
	int32_t count;
	const TedCosts *costs;
} OneToMany;

/* A group of consecutive trees, and how they are computed. */
typedef struct Group
{
	int32_t single[TED_FOREST_TREES]; /* numbers of trees that are computed separately, ascending */
	int32_t single_count;
	int32_t member[TED_FOREST_TREES]; /* numbers of the other trees, ascending */
	int32_t count;
	bool mirrored;
	TedVectors vectors; /* none if the members are computed pair by pair */
	TedTree a;          /* sums only; of the mirror image if `mirrored` */
	TedTree b;          /* the same for the forest of the members */
} Group;

/*
 * Whether a tree is computed separately, as its size exceeds the limit or a strip or paths may be
 * faster.
 */
static bool
alone(const OneToMany *many, int32_t i)
{
	const TedTree *b = many->b[i];

	return ted_size_bound(many->a->size, b->size, many->costs) > many->limits[i] ||
		   ted_strip_pays(many->a, b, many->costs, many->limits[i]) ||
		   ted_path_may_pay(many->a, b, many->costs);
}

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

/* Whether a non-empty group has room for another tree. */
static bool
has_room(const OneToMany *many, const Group *group, const TedTree *tree)
{
	int64_t nodes = (int64_t) group->b.size + tree->size;

	return group->count < TED_FOREST_TREES && nodes <= TED_FOREST_NODES &&
		   nodes * many->a->size <= TED_FOREST_PAIRS;
}

/* Makes the next group of trees from number `next` on; returns false if there are no more trees. */
static bool
next_tree_group(const OneToMany *many, int32_t *next, Group *group)
{
	int32_t largest = 0;

	group->single_count = 0;
	group->count = 0;
	group->a = *many->a;
	group->b = (TedTree){0};
	for (; *next < many->count && group->single_count < TED_FOREST_TREES; ++*next)
	{
		const TedTree *tree = many->b[*next];

		if (alone(many, *next))
		{
			group->single[group->single_count++] = *next;
			continue;
		}
		if (group->count > 0 && !has_room(many, group, tree))
			break;
		add_sums(&group->b, tree);
		largest = tree->size > largest ? tree->size : largest;
		group->member[group->count++] = *next;
	}

	group->mirrored = ted_prefers_right(&group->a, &group->b);
	if (group->mirrored)
	{
		group->a = ted_mirror_sums(&group->a);
		group->b = ted_mirror_sums(&group->b);
	}
	group->vectors = group->count > 1 ? ted_vectors(&group->a, &group->b, largest, many->costs)
									  : (TedVectors){0};
	return group->count + group->single_count > 0;
}

/* Concatenates the trees of a group to a forest. */
static TedStatus
make_forest(const OneToMany *many, const Group *group, TedArena *arena, TedTree *forest)
{
	TedTreeArrays to = ted_take_tree_arrays(arena, group->b.size);
	int32_t first = 0;

	if (ted_arena_exceeded(arena))
		return TED_OUT_OF_ARENA;
	for (int32_t i = 0; i < group->count; i++)
	{
		const TedTree *tree = many->b[group->member[i]];

		for (int32_t x = 0; x < tree->size; x++)
		{
			to.label[first + x] = tree->label[x];
			to.subtree_size[first + x] = tree->subtree_size[x];
			to.depth[first + x] = tree->depth[x];
			to.key_root[first + x] = first + tree->key_root[x];
		}
		first += tree->size;
	}
	*forest = group->mirrored ? ted_mirror_sums(&group->b) : group->b;
	ted_set_tree_arrays(forest, &to);
	return TED_OK;
}

/* Returns the bytes that a group takes. */
static size_t
group_memory(const OneToMany *many, const Group *group)
{
	TedArena counted = {0};
	size_t most = 0;

	if (group->vectors.lanes > 0)
	{
		ted_take_tree_arrays(&counted, group->b.size);
		most = counted.used +
			   ted_vector_fill_memory(&group->a, &group->b, many->costs, group->vectors);
		if (group->mirrored)
			most += ted_mirror_memory(group->a.size) + ted_mirror_memory(group->b.size);
	}
	for (int32_t i = 0; group->vectors.lanes == 0 && i < group->count; i++)
		most = ted_max_bytes(most,
							 ted_distance_memory(many->a, many->b[group->member[i]], many->costs));
	for (int32_t i = 0; i < group->single_count; i++)
	{
		int32_t number = group->single[i];

		most = ted_max_bytes(most, ted_bounded_distance_memory(many->a, many->b[number],
															   many->costs, many->limits[number]));
	}
	return most;
}

/* Computes the exact distances of a group in one pass. */
static TedStatus
compute_tables(const OneToMany *many, const Group *group, TedArena *arena,
			   const TedInterrupt *interrupt, int32_t *distances)
{
	TedTree forest;
	TedPairView view;
	TedTables tables;
	int32_t root = -1;
	TedStatus status = make_forest(many, group, arena, &forest);

	if (status != TED_OK)
		return status;
	view = (TedPairView){.a = *many->a, .b = forest};
	if (group->mirrored)
		status = ted_mirror_pair(many->a, &forest, arena, interrupt, &view);
	if (status == TED_OK)
		status = ted_vector_fill(&view.a, &view.b, many->costs, group->vectors, arena, interrupt,
								 &tables);
	for (int32_t i = 0; status == TED_OK && i < group->count; i++)
	{
		root += many->b[group->member[i]]->size;
		distances[group->member[i]] = ted_subtree_distance(
			&tables, view.a.size - 1, view.number_b == NULL ? root : view.number_b[root]);
	}
	return status;
}

/* Computes the distances of a group; a distance above its limit may be exact or TED_BEYOND. */
static TedStatus
compute_group(const OneToMany *many, const Group *group, TedArena *arena,
			  const TedInterrupt *interrupt, int32_t *distances)
{
	TedStatus status = TED_OK;
	size_t used = arena->used;

	if (group->vectors.lanes > 0)
		status = compute_tables(many, group, arena, interrupt, distances);
	arena->used = used;
	for (int32_t i = 0; group->vectors.lanes == 0 && status == TED_OK && i < group->count; i++)
		status = ted_distance(many->a, many->b[group->member[i]], many->costs, arena, interrupt,
							  &distances[group->member[i]]);
	for (int32_t i = 0; status == TED_OK && i < group->single_count; i++)
	{
		int32_t number = group->single[i];

		status = ted_bounded_distance(many->a, many->b[number], many->costs, many->limits[number],
									  arena, interrupt, &distances[number]);
	}
	return status;
}

/* Bytes that ted_distances() takes. */
size_t
ted_distances_memory(const TedTree *a, const TedTree *const *b, const int32_t *limits,
					 int32_t count, const TedCosts *costs)
{
	OneToMany many = {a, b, limits, count, costs};
	Group group;
	size_t most = 0;

	for (int32_t next = 0; next_tree_group(&many, &next, &group);)
		most = ted_max_bytes(most, group_memory(&many, &group));
	return most;
}

/* Computes the distances between one tree and many, each up to its limit. */
TedStatus
ted_distances(const TedTree *a, const TedTree *const *b, const int32_t *limits, int32_t count,
			  const TedCosts *costs, TedArena *arena, const TedInterrupt *interrupt,
			  int32_t *distances)
{
	OneToMany many = {a, b, limits, count, costs};
	Group group;
	TedStatus status = TED_OK;

	for (int32_t next = 0; status == TED_OK && next_tree_group(&many, &next, &group);)
		status = compute_group(&many, &group, arena, interrupt, distances);
	for (int32_t i = 0; status == TED_OK && i < count; i++)
		if (distances[i] > limits[i])
			distances[i] = TED_BEYOND;
	return status;
}
