/*
 * rare_labels.c
 *	  The rarest labels of a tree, by their frequencies in a set of trees.
 */
#include "rare_labels.h"

#include <string.h>

#include "../../common/sort.h"
#include "../../common/processor_tuning.h"

/* Arrays for sorting labels. */
typedef struct Counts
{
	int32_t *count; /* by label: number of nodes in all trees, up to INT32_MAX */
	int32_t *sorted;
	int32_t *other;
} Counts;

/* Allocates these arrays. */
static Counts
take_counts(TedArena *arena, int32_t labels)
{
	return (Counts){.count = ted_arena_int32(arena, (size_t) labels),
					.sorted = ted_arena_int32(arena, (size_t) labels),
					.other = ted_arena_int32(arena, (size_t) labels)};
}

/* Bytes that ted_rare_labels() takes. */
size_t
ted_rare_labels_memory(int32_t labels)
{
	TedArena counted = {0};

	ted_arena_int32(&counted, (size_t) labels);
	take_counts(&counted, labels);
	return counted.used;
}

/* Ranks labels. */
TedStatus
ted_rare_labels(const TedIndexedTree *trees, int32_t count, int32_t labels, TedArena *arena,
				const TedInterrupt *interrupt, TedRareLabels *rare)
{
	int32_t *rank = ted_arena_int32(arena, (size_t) labels);
	size_t used = arena->used;
	Counts counts = take_counts(arena, labels);
	const int32_t *sorted;
	int64_t steps = 0;

	if (ted_arena_exceeded(arena))
		return TED_OUT_OF_ARENA;
	memset(counts.count, 0, sizeof(int32_t) * (size_t) labels);
	for (int32_t i = 0; i < count; i++)
	{
		const TedTree *tree = trees[i].tree;

		for (int32_t x = 0; x < tree->size; x++)
			counts.count[tree->label[x]] += counts.count[tree->label[x]] < INT32_MAX;
		if (ted_interrupted(interrupt, &steps, tree->size))
			return TED_CANCELLED;
	}
	sorted = ted_sort_nodes(counts.count, labels, counts.sorted, counts.other, interrupt);
	if (sorted == NULL)
		return TED_CANCELLED;
	for (int32_t i = 0; i < labels; i++)
		rank[sorted[i]] = i + 1;
	*rare = (TedRareLabels){.rank = rank, .labels = labels};
	arena->used = used;
	return TED_OK;
}

/* Arrays for sorting the nodes of a tree. */
typedef struct Keys
{
	int32_t *key; /* by node: rank of its label, 0 for labels outside the set */
	int32_t *sorted;
	int32_t *other;
} Keys;

/* Allocates these arrays. */
static Keys
take_keys(TedArena *arena, int32_t size)
{
	return (Keys){.key = ted_arena_int32(arena, (size_t) size),
				  .sorted = ted_arena_int32(arena, (size_t) size),
				  .other = ted_arena_int32(arena, (size_t) size)};
}

/* Bytes that ted_prefix() takes. */
size_t
ted_prefix_memory(int32_t size, int32_t limit)
{
	int32_t nodes = ted_prefix_nodes(size, limit);
	TedArena counted = {0};

	ted_arena_int32(&counted, (size_t) nodes);
	if (nodes >= TED_INSERTION_NODES)
		take_keys(&counted, size);
	return counted.used;
}

/* Returns the rank of a label, 0 for labels outside the set. */
static inline int32_t
rank_of(const TedRareLabels *rare, int32_t label)
{
	if (label >= rare->labels)
		return 0;
	return rare->rank == NULL ? label + 1 : rare->rank[label];
}

/* Writes the `nodes` least ranks of a tree, ascending, by insertion; false if asked to stop. */
static bool
insert_ranks(const TedRareLabels *rare, const TedTree *tree, int32_t *ranks, int32_t nodes,
			 const TedInterrupt *interrupt)
{
	int64_t steps = 0;

	for (int32_t x = 0; x < tree->size; x++)
	{
		int32_t rank = rank_of(rare, tree->label[x]);
		int32_t i = ted_min(x, nodes);

		if (ted_interrupted(interrupt, &steps, 1))
			return false;
		if (i == nodes && rank >= ranks[--i])
			continue;
		for (; i > 0 && ranks[i - 1] > rank; i--)
			ranks[i] = ranks[i - 1];
		ranks[i] = rank;
	}
	return true;
}

/*
 * Writes the `nodes` least ranks of a tree, ascending, by sorting all nodes; false if asked to
 * stop.
 */
static bool
sort_ranks(const TedRareLabels *rare, const TedTree *tree, const Keys *keys, int32_t *ranks,
		   int32_t nodes, const TedInterrupt *interrupt)
{
	const int32_t *sorted;

	for (int32_t x = 0; x < tree->size; x++)
		keys->key[x] = rank_of(rare, tree->label[x]);
	sorted = ted_sort_nodes(keys->key, tree->size, keys->sorted, keys->other, interrupt);
	if (sorted == NULL)
		return false;
	for (int32_t i = 0; i < nodes; i++)
		ranks[i] = keys->key[sorted[i]];
	return true;
}

/* Computes the distinct ranks, without 0, of the labels of a tree's prefix. */
TedStatus
ted_prefix(const TedRareLabels *rare, const TedTree *tree, int32_t limit, TedArena *arena,
		   const TedInterrupt *interrupt, int32_t **ranks, int32_t *count)
{
	int32_t nodes = ted_prefix_nodes(tree->size, limit);
	int32_t *least = ted_arena_int32(arena, (size_t) nodes);
	size_t used = arena->used;
	Keys keys = {0};

	if (nodes >= TED_INSERTION_NODES)
		keys = take_keys(arena, tree->size);
	if (ted_arena_exceeded(arena))
		return TED_OUT_OF_ARENA;
	if (nodes < TED_INSERTION_NODES ? !insert_ranks(rare, tree, least, nodes, interrupt)
									: !sort_ranks(rare, tree, &keys, least, nodes, interrupt))
		return TED_CANCELLED;
	arena->used = used;
	*ranks = least;
	*count = 0;
	for (int32_t i = 0, last = 0; i < nodes; i++)
		if (least[i] != last)
			last = least[(*count)++] = least[i];
	return TED_OK;
}
