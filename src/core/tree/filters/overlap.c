/*
 * overlap.c
 *	  Lower bound on the distance by the labels that two trees have in common.
 */
#include "overlap.h"

#include <string.h>

/* Bytes that ted_overlap() takes. */
size_t
ted_overlap_memory(int32_t labels)
{
	return ted_arena_bytes(sizeof(int32_t) * (size_t) labels);
}

/* Allocates and clears the marks of labels. */
TedStatus
ted_overlap(int32_t labels, TedArena *arena, TedOverlap *overlap)
{
	*overlap = (TedOverlap){.mark = ted_arena_int32(arena, (size_t) labels), .labels = labels};
	if (overlap->mark == NULL)
		return TED_OUT_OF_ARENA;
	memset(overlap->mark, 0, sizeof(int32_t) * (size_t) labels);
	return TED_OK;
}

/* Bytes that ted_overlap_begin() takes. */
size_t
ted_overlap_begin_memory(int32_t size)
{
	return ted_arena_bytes(sizeof(int32_t) * (size_t) size);
}

/* Enters a tree. */
TedStatus
ted_overlap_begin(TedOverlap *overlap, const TedTree *tree, TedArena *arena,
				  const TedInterrupt *interrupt)
{
	overlap->left = ted_arena_int32(arena, (size_t) tree->size);
	if (overlap->left == NULL)
		return TED_OUT_OF_ARENA;
	overlap->tree = tree;
	for (int32_t x = 0; x < tree->size; x++)
	{
		int32_t label = tree->label[x];

		overlap->left[x] = 0;
		if (label < overlap->labels)
		{
			if (overlap->mark[label] == 0)
				overlap->mark[label] = x + 1;
			overlap->left[overlap->mark[label] - 1]++;
		}
		if (ted_interrupted(interrupt, &overlap->steps, 1))
			return TED_CANCELLED;
	}
	return TED_OK;
}

/* Removes the tree. */
void
ted_overlap_end(TedOverlap *overlap)
{
	const TedTree *tree = overlap->tree;

	for (int32_t x = 0; x < tree->size; x++)
		if (tree->label[x] < overlap->labels)
			overlap->mark[tree->label[x]] = 0;
	overlap->tree = NULL;
}

/* Computes a lower bound on the distance between the tree and another one. */
TedStatus
ted_overlap_bound(TedOverlap *overlap, const TedTree *other, int32_t k,
				  const TedInterrupt *interrupt, int32_t *bound)
{
	int32_t more = ted_max(overlap->tree->size - other->size, 0);
	int32_t alone = 0; /* nodes of the other tree without an equal node */
	bool stopped = false;
	int32_t y;

	for (y = 0; y < other->size && more + alone <= k && !stopped; y++)
	{
		int32_t first = overlap->mark[other->label[y]] - 1;

		alone += first < 0 || overlap->left[first]-- <= 0;
		stopped = ted_interrupted(interrupt, &overlap->steps, 1);
	}
	*bound = more + alone <= k ? more + alone : TED_BEYOND;
	while (y-- > 0)
	{
		int32_t first = overlap->mark[other->label[y]] - 1;

		if (first >= 0)
			overlap->left[first]++;
	}
	return stopped ? TED_CANCELLED : TED_OK;
}
