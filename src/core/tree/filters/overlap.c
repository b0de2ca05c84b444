/*
 * overlap.c
 *	  An upper bound on the nodes of a tree that have an equal one in another tree.
 */
#include "overlap.h"

#include <string.h>

#include "../bounded/strip.h"

/* Takes the marks of labels. */
static int32_t *
take_marks(TedArena *arena, int32_t labels)
{
	return ted_arena_int32(arena, (size_t) labels);
}

/* Bytes that ted_overlap() takes. */
size_t
ted_overlap_memory(int32_t labels)
{
	TedArena counted = {0};

	take_marks(&counted, labels);
	return counted.used;
}

/* Makes room for trees. */
TedStatus
ted_overlap(int32_t labels, TedArena *arena, TedOverlap *overlap)
{
	*overlap = (TedOverlap){.mark = take_marks(arena, labels), .labels = labels};
	if (overlap->mark == NULL)
		return TED_OUT_OF_ARENA;
	memset(overlap->mark, 0, sizeof(int32_t) * (size_t) labels);
	return TED_OK;
}

/* Takes the arrays of a tree. */
static void
take_overlap_arrays(TedArena *arena, int32_t size, TedOverlap *overlap)
{
	overlap->next = ted_arena_int32(arena, (size_t) size);
	overlap->count = ted_arena_int32(arena, (size_t) size);
	overlap->left = ted_arena_int32(arena, (size_t) size);
	overlap->near = ted_arena_int32(arena, (size_t) size);
}

/* Bytes that ted_overlap_begin() takes. */
size_t
ted_overlap_begin_memory(int32_t size)
{
	TedArena counted = {0};
	TedOverlap overlap;

	take_overlap_arrays(&counted, size, &overlap);
	return counted.used;
}

/* Enters a tree. */
TedStatus
ted_overlap_begin(TedOverlap *overlap, const TedTree *tree, TedArena *arena,
				  const TedInterrupt *interrupt)
{
	take_overlap_arrays(arena, tree->size, overlap);
	if (ted_arena_exceeded(arena))
		return TED_OUT_OF_ARENA;
	overlap->tree = tree;
	for (int32_t x = tree->size - 1; x >= 0; x--)
	{
		int32_t label = tree->label[x];
		int32_t next;

		if (ted_interrupted(interrupt, &overlap->steps, 1))
			return TED_CANCELLED;
		if (label >= overlap->labels)
			continue;
		next = overlap->mark[label] - 1;
		overlap->mark[label] = x + 1;
		overlap->next[x] = next;
		overlap->count[x] = overlap->left[x] = next < 0 ? 1 : overlap->count[next] + 1;
		overlap->near[x] = x;
	}
	return TED_OK;
}

/* Takes the tree out. */
void
ted_overlap_end(TedOverlap *overlap)
{
	const TedTree *tree = overlap->tree;

	for (int32_t x = 0; x < tree->size; x++)
		if (tree->label[x] < overlap->labels)
			overlap->mark[tree->label[x]] = 0;
	overlap->tree = NULL;
}

/* Whether a mapping within k can map a node of the tree with this first one of its label to y. */
static inline bool
has_equal(TedOverlap *overlap, int32_t first, const TedTree *other, int32_t y, int32_t k)
{
	const TedTree *tree = overlap->tree;
	int32_t x = overlap->near[first];

	if (overlap->in_any_order)
		return true;
	for (; x >= 0 && x < y - k; x = overlap->next[x])
		overlap->steps++;
	overlap->near[first] = x;
	for (; x >= 0 && x <= y + k; x = overlap->next[x], overlap->steps++)
		if (ted_edits_outside(tree, other, x, y) + ted_edits_inside(tree, other, x, y) <= k)
			return true;
	return false;
}

/* Lower bound of the distance between the tree and another one. */
TedStatus
ted_overlap_bound(TedOverlap *overlap, const TedTree *other, int32_t k,
				  const TedInterrupt *interrupt, int32_t *bound)
{
	int32_t more = ted_max(overlap->tree->size - other->size, 0);
	int32_t alone = 0; /* nodes of the other tree that have no equal one */
	bool stopped = false;
	int32_t y;

	for (y = 0; y < other->size && more + alone <= k && !stopped; y++)
	{
		int32_t first = overlap->mark[other->label[y]] - 1;

		if (first >= 0 && overlap->left[first] > 0 && has_equal(overlap, first, other, y, k))
			overlap->left[first]--;
		else
			alone++;
		stopped = ted_interrupted(interrupt, &overlap->steps, 1);
	}
	*bound = more + alone <= k ? more + alone : TED_BEYOND;
	while (y-- > 0)
	{
		int32_t first = overlap->mark[other->label[y]] - 1;

		if (first >= 0)
		{
			overlap->left[first] = overlap->count[first];
			overlap->near[first] = first;
		}
	}
	return stopped ? TED_CANCELLED : TED_OK;
}
