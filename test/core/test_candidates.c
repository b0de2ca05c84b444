/*
 * test_candidates.c
 *	  Holds the search for candidates against the exact distances of all pairs.
 */
#include <string.h>

#include "../../src/core/tree/candidates.h"
#include "random.h"
#include "tap.h"
#include "trees.h"

#define MAX_TREES 40
#define MAX_SIZE 25
#define LABELS 300

static const TedInterrupt never = {0};

/* Some trees in ascending order of their sizes, and their ranked labels. */
typedef struct Collection
{
	TestTree tree[MAX_TREES];
	TedLabelGroups groups[MAX_TREES];
	TedArena arena;
	int32_t count;
} Collection;

/* Orders trees by their sizes. */
static int
compare_sizes(const void *a, const void *b)
{
	return ((const TestTree *) a)->tree.size - ((const TestTree *) b)->tree.size;
}

/* Points a tree to its own arrays, from which sorting has taken it away. */
static void
own_arrays(TestTree *t)
{
	t->tree.label = t->label;
	t->tree.subtree_size = t->subtree_size;
	t->tree.depth = t->depth;
	t->tree.key_root = t->key_root;
}

/* Makes trees, some of them a few edits apart. */
static void
make_collection(Collection *c, int32_t labels)
{
	c->count = 1 + (int32_t) random_below(MAX_TREES);
	for (int32_t i = 0; i < c->count; i++)
		if (i > 0 && random_below(2) == 0)
		{
			copy_tree(&c->tree[i], &c->tree[random_below((uint32_t) i)]);
			edit_tree(&c->tree[i], (int32_t) random_below(5), labels);
		}
		else
			make_tree(&c->tree[i], (Shape) random_below(SHAPES),
					  1 + (int32_t) random_below(MAX_SIZE), labels, 0);
	qsort(c->tree, (size_t) c->count, sizeof(TestTree), compare_sizes);
	for (int32_t i = 0; i < c->count; i++)
		own_arrays(&c->tree[i]);
}

/* How far apart trees may be: by so many operations, and so many more for a hundred nodes. */
typedef struct Threshold
{
	int32_t operations;
	int32_t percent;
} Threshold;

/* What a threshold allows a pair whose larger tree has so many nodes. */
static int32_t
limit_of(const Threshold *threshold, int32_t size)
{
	return threshold->operations + size * threshold->percent / 100;
}

/* What a threshold allows a pair. */
static int32_t
pair_limit(const Threshold *threshold, const TedLabelGroups *a, const TedLabelGroups *b)
{
	return limit_of(threshold, ted_max(a->tree->size, b->tree->size));
}

/* Groups the nodes of all trees; `rank` is any order of the labels. */
static void
group(Collection *c, const int32_t *rank, const Threshold *threshold)
{
	const TedTree *trees[MAX_TREES];
	int32_t limit[MAX_TREES];

	for (int32_t i = 0; i < c->count; i++)
	{
		trees[i] = &c->tree[i].tree;
		limit[i] = limit_of(threshold, trees[i]->size);
	}
	c->arena = new_arena(ted_label_groups_memory(trees, c->count));
	if (ted_label_groups(trees, c->count, rank, limit, &c->arena, &never, c->groups) != TED_OK)
		abort();
}

/*
 * Whether a search finds all trees within the threshold, each once, with a bound
 * that holds; counts those that are like another one.
 */
static bool
finds_all(TedCandidateIndex *index, const Collection *c, const TedLabelGroups *probe, int32_t end,
		  const Threshold *threshold, uint64_t *alike)
{
	TedCandidate found[MAX_TREES];
	int32_t bound[MAX_TREES];
	int32_t distance[MAX_TREES];
	TedCandidateCounts counts = {0};
	int32_t count;

	if (ted_candidates(index, probe, end, &never, found, &count, &counts) != TED_OK)
		return false;
	memset(bound, -1, sizeof(bound));
	for (int32_t i = 0; i < count; i++)
	{
		if (found[i].number < 0 || found[i].number >= end || bound[found[i].number] >= 0 ||
			found[i].bound > found[i].limit ||
			found[i].limit != pair_limit(threshold, probe, &c->groups[found[i].number]))
			return false;
		bound[found[i].number] = found[i].bound;
	}
	for (int32_t i = 0; i < end; i++)
	{
		TedArena arena =
			new_arena(ted_distance_memory(probe->tree, &c->tree[i].tree, &TED_UNIT_COSTS));

		ted_distance(probe->tree, &c->tree[i].tree, &TED_UNIT_COSTS, &arena, &never, &distance[i]);
		free(arena.base);
		if (bound[i] < 0 ? distance[i] <= pair_limit(threshold, probe, &c->groups[i])
						 : bound[i] > distance[i])
			return false;
	}
	for (int32_t i = 0; i < count; i++)
	{
		const TedCandidate *first = &found[found[i].like];

		if (found[i].like > i || first->like != found[i].like || first->bound != found[i].bound ||
			distance[first->number] != distance[found[i].number])
			return false;
		*alike += found[i].like < i;
	}
	return counts.window >= counts.prefix && counts.prefix >= counts.label && counts.label == count;
}

int
main(void)
{
	uint64_t count = setting("COUNT", 3000) / 3;
	static Collection indexed;
	static Collection probes;
	uint64_t wrong = 0;
	uint64_t alike = 0;

	random_state = setting("SEED", 1);
	for (uint64_t round = 0; round < count; round++)
	{
		static const int32_t alphabets[] = {1, 3, 20, LABELS};
		int32_t labels = alphabets[round % 4];
		Threshold threshold = {.percent = round / 4 % 2 == 0 ? 0 : (int32_t) random_below(100),
							   .operations = (int32_t) random_below(8)};
		int32_t rank[LABELS];
		TedArena arena;
		TedCandidateIndex *index;

		for (int32_t l = 0; l < labels; l++)
		{
			int32_t other = (int32_t) random_below((uint32_t) l + 1);

			rank[l] = rank[other];
			rank[other] = l;
		}
		make_collection(&indexed, labels);
		make_collection(&probes, labels);
		group(&indexed, rank, &threshold);
		for (int32_t l = 0; l < labels; l++) /* labels that the index does not know */
		{
			bool known = false;

			for (int32_t i = 0; i < indexed.count; i++)
				for (int32_t x = 0; x < indexed.tree[i].tree.size; x++)
					known |= indexed.tree[i].label[x] == l;
			rank[l] = known ? rank[l] : -1;
		}
		group(&probes, rank, &threshold);
		arena = new_arena(ted_candidate_index_memory(indexed.groups, indexed.count, labels));
		if (ted_candidate_index(indexed.groups, indexed.count, labels, &arena, &never, &index) !=
			TED_OK)
			abort();
		for (int32_t i = 0; i < probes.count; i++)
			wrong +=
				!finds_all(index, &indexed, &probes.groups[i], indexed.count, &threshold, &alike);
		for (int32_t i = 0; i < indexed.count; i++)
			wrong += !finds_all(index, &indexed, &indexed.groups[i], i, &threshold, &alike);
		free(indexed.arena.base);
		free(probes.arena.base);
		free(arena.base);
	}
	ok(wrong == 0, "searches find all trees within the threshold, %llu collections",
	   (unsigned long long) count);
	ok(alike > count, "%llu of these are like another one", (unsigned long long) alike);
	return done_testing();
}
