/*
 * lcs_candidate_index.c
 *	  An index of strings for the search for candidates.
 *
 * Strings are ordered by length.  Those of one length are recursively divided by sets of features
 * that about half of them have.  Strings that stay together then have many sets in common, or lack
 * them in common, so that the first features of a probe occur in few parts of the blocks.
 */
#include "lcs_candidate_index.h"

#include <stdlib.h>
#include <string.h>

/* Allocates the arrays of an index. */
static LcsCandidateIndex
take_arrays(TedArena *arena, const LcsIndexedStrings *strings)
{
	LcsCandidateIndex arrays = {.count = strings->shorter + strings->longer,
								.shorter = strings->shorter};
	size_t count = (size_t) arrays.count;
	size_t blocks;

	if (arrays.shorter < LCS_LEAST_BLOCK_STRINGS)
		arrays.shorter = 0;
	blocks = lcs_block_count(arrays.shorter);

	arrays.length = ted_arena_int32(arena, count);
	arrays.blocks = ted_arena_alloc(arena, blocks * sizeof(LcsBlock));
	arrays.lacked = ted_arena_alloc(arena, blocks * sizeof(LcsLackedSets));
	arrays.table = ted_arena_alloc(arena, arrays.shorter == 0 ? 0 : sizeof(LcsByteTable));
	arrays.bytes = ted_arena_alloc(
		arena, arrays.shorter == 0 ? 0 : strings->bytes + LCS_PART_STRINGS * LCS_BYTES_LENGTH);
	arrays.part_bytes =
		ted_arena_alloc(arena, sizeof(size_t) * (size_t) (arrays.shorter / LCS_PART_STRINGS + 1));
	arrays.histograms =
		ted_arena_alloc(arena, (count - (size_t) arrays.shorter) * sizeof(LcsHistogram));
	return arrays;
}

/* Bytes that lcs_index_arrays() takes. */
size_t
lcs_index_arrays_memory(const LcsIndexedStrings *strings)
{
	TedArena counted = {0};

	take_arrays(&counted, strings);
	return counted.used;
}

/* Allocates the arrays of an index; its other members stay unchanged. */
TedStatus
lcs_index_arrays(LcsCandidateIndex *index, const LcsIndexedStrings *strings, TedArena *arena)
{
	LcsCandidateIndex arrays = take_arrays(arena, strings);

	if (ted_arena_exceeded(arena))
		return TED_OUT_OF_ARENA;
	arrays.strings = index->strings;
	arrays.number = index->number;
	arrays.least = index->least;
	arrays.sets = index->sets;
	*index = arrays;
	return TED_OK;
}

/* Computes the lengths of strings, the sets of shorter ones, and the histograms of longer ones. */
TedStatus
lcs_describe(LcsCandidateIndex *index, int32_t first, int32_t end, const TedInterrupt *interrupt)
{
	LcsMask *sets = index->shorter > 0 ? index->blocks->sets : NULL;
	int64_t steps = 0;

	for (int32_t rank = first; rank < end; rank++)
	{
		LcsString string = lcs_string(&index->strings, index->number[rank]);
		LcsFeatures features;

		index->length[rank] = string.length;
		if (rank >= index->shorter)
			lcs_count_symbols(&string, &index->histograms[rank - index->shorter]);
		else
		{
			lcs_features(index->sets, &string, &features);
			sets[rank] = lcs_feature_mask(&features);
		}
		if (ted_interrupted(interrupt, &steps, LCS_SETS + string.length))
			return TED_CANCELLED;
	}
	return TED_OK;
}

/*
 * About the number of strings of a sample, by which the dividing set is chosen, or the symbols that
 * get bytes.
 */
#define SAMPLE 2048

/*
 * Returns the set that divides strings most evenly, or -1 if none leaves at least 1/16 on both
 * sides.
 */
static int
dividing_set(const LcsMask *sets, int32_t count)
{
	int32_t strings[LCS_SETS] = {0};
	int32_t step = count / SAMPLE + 1;
	int32_t sample = 0;
	int best = 0;

	for (int32_t i = 0; i < count; i += step, sample++)
		for (int w = 0; w < LCS_MASK_WORDS; w++)
			for (uint64_t bits = sets[i].word[w]; bits != 0; bits &= bits - 1)
				strings[64 * w + __builtin_ctzll(bits)]++;
	for (int set = 0; set < LCS_SETS; set++)
		if (abs(2 * strings[set] - sample) < abs(2 * strings[best] - sample))
			best = set;
	return ted_min(strings[best], sample - strings[best]) < sample / 16 + 1 ? -1 : best;
}

/* Moves strings without a set before those with it; returns the number of the former. */
static int32_t
divide_by_set(LcsMask *sets, int32_t *number, int32_t count, int set)
{
	int32_t low = 0;

	while (low < count)
		if (sets[low].word[set / 64] >> set % 64 & 1)
		{
			LcsMask mask = sets[low];
			int32_t n = number[low];

			count--;
			sets[low] = sets[count];
			number[low] = number[count];
			sets[count] = mask;
			number[count] = n;
		}
		else
			low++;
	return low;
}

/* Sorts strings so that similar ones are next to each other. */
static TedStatus
cluster(LcsMask *sets, int32_t *number, int32_t count, int64_t *steps,
		const TedInterrupt *interrupt)
{
	while (count > LCS_PART_STRINGS)
	{
		int set = dividing_set(sets, count);
		int32_t without = set < 0 ? 0 : divide_by_set(sets, number, count, set);
		int32_t with = count - without;
		bool more_with = with > without;
		TedStatus status;

		if (ted_interrupted(interrupt, steps, (int64_t) count + LCS_SETS))
			return TED_CANCELLED;
		if (set < 0)
			break;
		/* recursion only into the smaller part limits the depth of the stack */
		status = more_with ? cluster(sets, number, without, steps, interrupt)
						   : cluster(sets + without, number + without, with, steps, interrupt);
		if (status != TED_OK)
			return status;
		if (more_with)
		{
			sets += without;
			number += without;
		}
		count = ted_max(with, without);
	}
	return TED_OK;
}

/* Sorts shorter strings of one length so that similar ones are next to each other. */
TedStatus
lcs_divide(LcsCandidateIndex *index, int32_t first, int32_t end, const TedInterrupt *interrupt)
{
	int64_t steps = 0;

	return cluster(index->blocks->sets + first, index->number + first, end - first, &steps,
				   interrupt);
}

/* Returns the first rank of a shorter string that is longer than that of `rank`, if any. */
int32_t
lcs_length_end(const LcsCandidateIndex *index, int32_t rank)
{
	int32_t length = index->length[rank];
	int32_t end = index->shorter;

	while (rank < end)
	{
		int32_t middle = rank + (end - rank) / 2;

		if (index->length[middle] <= length)
			rank = middle + 1;
		else
			end = middle;
	}
	return end;
}

/* Lays out the bytes of the shorter strings. */
void
lcs_lay_out(LcsCandidateIndex *index, const LcsByteTable *table)
{
	size_t used = 0;

	if (index->shorter == 0)
		return;
	/* the last block may have places without strings */
	memset(index->blocks->sets + index->shorter, 0,
		   (lcs_block_count(index->shorter) * LCS_BLOCK_STRINGS - (size_t) index->shorter) *
			   sizeof(LcsMask));
	for (int32_t first = 0; first < index->shorter; first += LCS_PART_STRINGS)
	{
		int32_t end = ted_min(index->shorter, first + LCS_PART_STRINGS);

		index->part_bytes[first / LCS_PART_STRINGS] = used;
		used += (size_t) (end - first) * (size_t) index->length[end - 1];
	}
	*index->table = table == NULL ? (LcsByteTable){0} : *table;
	index->table->shared = false;
	if (table != NULL)
		return;
	/* so that frequent symbols get a byte */
	for (int32_t rank = 0; rank < index->shorter; rank += index->shorter / SAMPLE + 1)
	{
		LcsString string = lcs_string(&index->strings, index->number[rank]);
		uint32_t room[LCS_MOST_FEATURES];
		const uint32_t *symbols = lcs_wide_symbols(&string, room);

		for (int32_t i = 0; i < string.length; i++)
			lcs_add_byte(index->table, symbols[i]);
	}
}

/* Completes some blocks, whose strings are in their final order. */
TedStatus
lcs_complete_blocks(LcsCandidateIndex *index, int32_t first, int32_t end, LcsBlock *scratch,
					const TedInterrupt *interrupt)
{
	bool shared = false;
	int64_t steps = 0;

	for (int32_t block = first; block < end; block++)
	{
		lcs_transpose_block(&index->blocks[block], scratch, &index->lacked[block]);
		for (int32_t rank = lcs_block_begin(index, block); rank < lcs_block_end(index, block);
			 rank++)
		{
			LcsString string = lcs_string(&index->strings, index->number[rank]);
			uint32_t room[LCS_MOST_FEATURES];
			const uint32_t *symbols = lcs_wide_symbols(&string, room);
			uint8_t *bytes = lcs_rank_bytes(index, rank);

			for (int32_t i = 0; i < string.length; i++)
			{
				bytes[i] = lcs_byte(index->table, symbols[i]);
				shared |= bytes[i] == LCS_SHARED_BYTE;
			}
			if (ted_interrupted(interrupt, &steps, LCS_BYTES_LENGTH))
				return TED_CANCELLED;
		}
	}
	/* another process may write the same value */
	if (shared)
		__atomic_store_n(&index->table->shared, true, __ATOMIC_RELAXED);
	return TED_OK;
}

/* Bytes that lcs_candidate_index() takes. */
size_t
lcs_candidate_index_memory(const LcsIndexedStrings *strings)
{
	TedArena counted = {0};

	ted_arena_alloc(&counted, sizeof(LcsCandidateIndex));
	take_arrays(&counted, strings);
	if (strings->shorter >= LCS_LEAST_BLOCK_STRINGS)
	{
		counted.used += lcs_feature_sets_memory();
		counted.used +=
			ted_max_bytes(ted_arena_bytes(sizeof(int32_t) * LCS_CELLS) + lcs_deal_cells_memory(),
						  ted_arena_bytes(sizeof(LcsBlock)));
	}
	return counted.used;
}

/* Makes the sets of features of all strings. */
static TedStatus
make_sets(LcsCandidateIndex *index, TedArena *arena, const TedInterrupt *interrupt)
{
	size_t used = arena->used;
	int32_t *cells = ted_arena_int32(arena, LCS_CELLS);
	TedStatus status;

	if (ted_arena_exceeded(arena))
		return TED_OUT_OF_ARENA;
	memset(cells, 0, sizeof(int32_t) * LCS_CELLS);
	status = lcs_count_cells(index->sets, &index->strings, index->count, cells, interrupt);
	if (status == TED_OK)
		status = lcs_deal_cells(index->sets, cells, arena, interrupt);
	arena->used = used;
	return status;
}

/* Makes the blocks of the shorter strings. */
static TedStatus
make_blocks(LcsCandidateIndex *index, const LcsByteTable *table, TedArena *arena,
			const TedInterrupt *interrupt)
{
	size_t used = arena->used;
	LcsBlock *scratch = ted_arena_alloc(arena, sizeof(LcsBlock));
	TedStatus status = TED_OK;

	if (ted_arena_exceeded(arena))
		return TED_OUT_OF_ARENA;
	for (int32_t first = 0, end; first < index->shorter && status == TED_OK; first = end)
	{
		end = lcs_length_end(index, first);
		status = lcs_divide(index, first, end, interrupt);
	}
	if (status == TED_OK)
	{
		lcs_lay_out(index, table);
		status = lcs_complete_blocks(index, 0, (int32_t) lcs_block_count(index->shorter), scratch,
									 interrupt);
	}
	arena->used = used;
	return status;
}

/* Builds an index; takes feature sets and the byte table from `others` unless that is NULL. */
static TedStatus
index_strings(const LcsStrings *strings, int32_t *order, int32_t count, LcsLeast least,
			  const LcsCandidateIndex *others, TedArena *arena, const TedInterrupt *interrupt,
			  LcsCandidateIndex **index)
{
	LcsCandidateIndex *made = ted_arena_alloc(arena, sizeof(LcsCandidateIndex));
	LcsIndexedStrings counted = {0};
	TedStatus status;

	for (int32_t i = 0; i < count; i++)
		lcs_count_string(&counted, lcs_string(strings, order[i]).length);
	if (made == NULL)
		return TED_OUT_OF_ARENA;
	*made = (LcsCandidateIndex){.strings = *strings, .number = order, .least = least};
	status = lcs_index_arrays(made, &counted, arena);
	if (others != NULL)
		made->sets = others->sets;
	else if (status == TED_OK && made->shorter > 0)
	{
		made->sets = lcs_take_feature_sets(arena);
		status = made->sets == NULL ? TED_OUT_OF_ARENA : make_sets(made, arena, interrupt);
	}
	if (status == TED_OK)
		status = lcs_describe(made, 0, count, interrupt);
	if (status == TED_OK && made->shorter > 0)
		status = make_blocks(made, others == NULL ? NULL : others->table, arena, interrupt);
	*index = made;
	return status;
}

/* Builds an index of strings. */
TedStatus
lcs_candidate_index(const LcsStrings *strings, int32_t *order, int32_t count, LcsLeast least,
					TedArena *arena, const TedInterrupt *interrupt, LcsCandidateIndex **index)
{
	return index_strings(strings, order, count, least, NULL, arena, interrupt, index);
}

/* Lays out strings that are looked up in an index, in the same format. */
TedStatus
lcs_lay_out_probes(const LcsCandidateIndex *index, const LcsStrings *strings, int32_t *order,
				   int32_t count, TedArena *arena, const TedInterrupt *interrupt,
				   LcsCandidateIndex **probes)
{
	return index_strings(strings, order, count, index->least, index, arena, interrupt, probes);
}
