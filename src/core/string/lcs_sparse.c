/*
 * lcs_sparse.c
 *	  Longest common subsequences by the pairs of equal symbols (Hunt and Szymanski, 1977).
 *
 * For the current column of the table of lengths, `reach` has the first position of the pattern at
 * which each length is reached.  An equal pair at position i changes the first entry that is not
 * before i to i.  Backtracking undoes the changes, so that the table is known in every column
 * without being stored.
 */
#include <string.h>

#include "lcs_sparse.h"

/* Number of cells that a scan computes in the time of one pair of equal symbols. */
#define CELLS_PER_PAIR 25000.0

/* Tables with fewer cells than this are not searched for equal pairs. */
#define LEAST_CELLS 4e6

/* Returns the most pairs of equal symbols for which this is used. */
static size_t
most_pairs(int32_t m, int32_t n, bool keep)
{
	double pairs = (double) m * n / CELLS_PER_PAIR;
	double linear = (double) m + n;

	return (size_t) (keep && pairs > linear ? linear : pairs);
}

/*
 * Allocates the arrays for a pair of this size.  The codes of a trimmed pattern are those of the
 * whole one, so there may be more than m.
 */
static void
sparse_layout(LcsSparse *sparse, int32_t distinct, int32_t m, int32_t n, bool keep, TedArena *arena)
{
	sparse->first = ted_arena_int32(arena, (size_t) distinct + 2);
	sparse->position = ted_arena_int32(arena, (size_t) m);
	sparse->reach = ted_arena_int32(arena, (size_t) ted_min(m, n));
	sparse->changes =
		keep ? ted_arena_alloc(arena, most_pairs(m, n, keep) * sizeof(LcsChange)) : NULL;
}

/* Bytes that lcs_sparse() takes for any pair of this size. */
size_t
lcs_sparse_memory(int32_t m, int32_t n, bool keep)
{
	LcsSparse sparse;
	TedArena counting = {0};

	sparse_layout(&sparse, m, m, n, keep, &counting);
	return counting.used;
}

/* Whether there are few pairs of equal symbols, if symbols are equally frequent. */
static bool
looks_sparse(const LcsPair *pair, size_t most)
{
	int32_t common = 0;

	if ((double) pair->m * pair->n < LEAST_CELLS)
		return false;
	for (int32_t j = 0; j < pair->n; j++)
		common += pair->b[j] != 0;
	return (double) common * pair->m / pair->distinct < 2.0 * (double) most;
}

/* Sorts the positions of the pattern by symbol; *few is whether at most `most` pairs are equal. */
static TedStatus
sort_positions(LcsSparse *sparse, size_t most, bool *few)
{
	const LcsPair *pair = sparse->pair;
	int32_t *first = sparse->first; /* at first, the number of each symbol */
	size_t pairs = 0;

	memset(first, 0, ((size_t) pair->distinct + 2) * sizeof(int32_t));
	for (int32_t i = 0; i < pair->m; i++)
	{
		first[pair->a[i]]++;
		if (ted_interrupted(sparse->interrupt, &sparse->steps, 1))
			return TED_CANCELLED;
	}
	for (int32_t j = 0; j < pair->n && pairs <= most; j++)
	{
		pairs += (size_t) first[pair->b[j]];
		if (ted_interrupted(sparse->interrupt, &sparse->steps, 1))
			return TED_CANCELLED;
	}
	*few = pairs <= most;
	if (!*few)
		return TED_OK;

	for (int32_t code = 1; code <= pair->distinct + 1; code++)
		first[code] += first[code - 1];
	for (int32_t i = pair->m - 1; i >= 0; i--)
	{
		sparse->position[--first[pair->a[i]]] = i;
		if (ted_interrupted(sparse->interrupt, &sparse->steps, 1))
			return TED_CANCELLED;
	}
	return TED_OK;
}

/* Returns the index of the first entry of `reach` that is not before a position. */
static int32_t
first_reach(const int32_t *reach, int32_t length, int32_t position)
{
	int32_t low = 0;

	while (length > 0)
	{
		int32_t half = length / 2;

		if (reach[low + half] < position)
		{
			low += half + 1;
			length -= half + 1;
		}
		else
			length = half;
	}
	return low;
}

/* Computes the length of the longest common subsequence if few symbols are equal. */
TedStatus
lcs_sparse(LcsSparse *sparse, const LcsPair *pair, bool keep, TedArena *arena,
		   const TedInterrupt *interrupt, bool *sparse_enough)
{
	size_t most = most_pairs(pair->m, pair->n, keep);
	size_t used = arena->used;
	TedStatus status;

	*sparse_enough = looks_sparse(pair, most);
	if (!*sparse_enough)
		return TED_OK;
	*sparse = (LcsSparse){.pair = pair, .interrupt = interrupt};
	sparse_layout(sparse, pair->distinct, pair->m, pair->n, keep, arena);
	if (ted_arena_exceeded(arena))
		return TED_OUT_OF_ARENA;
	status = sort_positions(sparse, most, sparse_enough);
	if (status != TED_OK)
		return status;
	if (!*sparse_enough)
	{
		arena->used = used;
		return TED_OK;
	}
	for (int32_t j = 0; j < pair->n; j++)
	{
		int32_t begin = sparse->first[pair->b[j]];

		/* from the last position on, so that each reads `reach` as it was in the column before */
		for (int32_t end = sparse->first[pair->b[j] + 1]; end > begin;)
		{
			int32_t position = sparse->position[--end];
			int32_t k = first_reach(sparse->reach, sparse->length, position);

			if (sparse->changes != NULL)
				sparse->changes[sparse->changed++] =
					(LcsChange){j, k, k < sparse->length ? sparse->reach[k] : -1};
			if (k == sparse->length)
				sparse->length++;
			sparse->reach[k] = position;
			sparse->steps++;
		}
		if (ted_interrupted(interrupt, &sparse->steps, 1))
			return TED_CANCELLED;
	}
	return TED_OK;
}

/* Returns the last position of a symbol before position `end`, or -1. */
static int32_t
last_position(const LcsSparse *sparse, int32_t code, int32_t end)
{
	for (int32_t k = sparse->first[code + 1]; k > sparse->first[code]; k--)
		if (sparse->position[k - 1] < end)
			return sparse->position[k - 1];
	return -1;
}

/* Computes the positions: drops symbols of the pattern until one is equal or `reach` forbids it. */
TedStatus
lcs_sparse_positions(LcsSparse *sparse, int32_t *pattern_position, int32_t *text_position)
{
	int32_t remaining = sparse->length;
	int32_t m = sparse->pair->m;

	for (int32_t j = sparse->pair->n - 1; remaining > 0; j--)
	{
		int32_t code = sparse->pair->b[j];
		int32_t reach = sparse->reach[remaining - 1];
		int32_t position = last_position(sparse, code, m);

		if (position >= reach)
		{
			remaining--;
			pattern_position[remaining] = m = position;
			text_position[remaining] = j;
		}
		else
			m = reach + 1;
		/* restores `reach` to its state before the column */
		for (; sparse->changed > 0 && sparse->changes[sparse->changed - 1].column == j;
			 sparse->changed--)
		{
			const LcsChange *change = &sparse->changes[sparse->changed - 1];

			sparse->reach[change->index] = change->before;
		}
		if (ted_interrupted(sparse->interrupt, &sparse->steps,
							1 + sparse->first[code + 1] - sparse->first[code]))
			return TED_CANCELLED;
	}
	return TED_OK;
}
