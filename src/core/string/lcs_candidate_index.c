/*
 * lcs_candidate_index.c
 *	  Many strings, laid out for the search for candidates.
 *
 * Strings are ordered by length.  Those of one length are divided by the features
 * that half of them have, again and again, until what is left together has many
 * features that all or none of them have: so that a probe's first features are in
 * few parts of the blocks.
 */
#include "lcs_candidate_index.h"

#include <stdlib.h>
#include <string.h>

/* Takes an index and its arrays; NULL where there is no room. */
static LcsCandidateIndex *
take_lcs_candidate_index(TedArena *arena, const LcsIndexedStrings *strings)
{
	LcsCandidateIndex *index = ted_arena_alloc(arena, sizeof(LcsCandidateIndex));
	size_t count = (size_t) strings->shorter + (size_t) strings->longer;
	LcsCandidateIndex arrays = {.shorter = strings->shorter};
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
	if (ted_arena_exceeded(arena))
		return NULL;
	*index = arrays;
	return index;
}

/* Bytes that lcs_candidate_index() takes. */
size_t
lcs_candidate_index_memory(const LcsIndexedStrings *strings)
{
	TedArena counted = {0};

	take_lcs_candidate_index(&counted, strings);
	if (strings->shorter >= LCS_LEAST_BLOCK_STRINGS)
		counted.used += lcs_feature_sets_memory(ted_arena_bytes(sizeof(LcsBlock)));
	return counted.used;
}

/* Writes the sets of the shorter strings, and the histograms of the longer ones. */
static TedStatus
describe_strings(LcsCandidateIndex *index, const TedInterrupt *interrupt)
{
	LcsMask *sets = index->shorter > 0 ? index->blocks->sets : NULL;
	int64_t steps = 0;

	for (int32_t rank = 0; rank < index->count; rank++)
	{
		const LcsString *string = &index->strings[index->number[rank]];
		LcsFeatures features;

		index->length[rank] = string->length;
		if (rank >= index->shorter)
			lcs_count_symbols(string, &index->histograms[rank - index->shorter]);
		else
		{
			lcs_features(index->sets, string, &features);
			sets[rank] = lcs_feature_mask(&features);
		}
		if (ted_interrupted(interrupt, &steps, LCS_SETS + string->length))
			return TED_CANCELLED;
	}
	if (index->shorter > 0)
		memset(sets + index->shorter, 0,
			   (lcs_block_count(index->shorter) * LCS_BLOCK_STRINGS - (size_t) index->shorter) *
				   sizeof(LcsMask));
	return TED_OK;
}

/* Whether a set is in a mask. */
static inline bool
has_set(const LcsMask *mask, int set)
{
	return mask->word[set / 64] >> set % 64 & 1;
}

/* Strings of a sample, by which the set that divides them is chosen, or the symbols with bytes. */
#define SAMPLE 2048

/* The set that divides strings most evenly, or -1 where none divides off one in 16. */
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

/* Puts strings without a set before those with it; returns the number of the former. */
static int32_t
divide_by_set(LcsMask *sets, int32_t *number, int32_t count, int set)
{
	int32_t low = 0;

	while (low < count)
		if (has_set(&sets[low], set))
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

/* Puts strings that have much in common side by side. */
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
		/* the smaller share by a call, which keeps the stack low */
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

/* Makes the blocks of the shorter strings. */
static TedStatus
make_blocks(LcsCandidateIndex *index, int32_t *order, LcsBlock *scratch,
			const TedInterrupt *interrupt)
{
	LcsMask *sets = index->shorter > 0 ? index->blocks->sets : NULL;
	int64_t steps = 0;

	for (int32_t first = 0, end; first < index->shorter; first = end)
	{
		TedStatus status;

		for (end = first; end < index->shorter && index->length[end] == index->length[first];)
			end++;
		status = cluster(sets + first, order + first, end - first, &steps, interrupt);
		if (status != TED_OK)
			return status;
	}
	for (size_t i = 0; i < lcs_block_count(index->shorter); i++)
	{
		lcs_transpose_block(&index->blocks[i], scratch, &index->lacked[i]);
		if (ted_interrupted(interrupt, &steps, 4 * LCS_BLOCK_STRINGS))
			return TED_CANCELLED;
	}
	return TED_OK;
}

/* Gives bytes to the symbols of some shorter strings, so that frequent ones have their own. */
static void
sample_bytes(const LcsCandidateIndex *index)
{
	int32_t step = index->shorter / SAMPLE + 1;

	*index->table = (LcsByteTable){0};
	for (int32_t rank = 0; rank < index->shorter; rank += step)
	{
		const LcsString *string = &index->strings[index->number[rank]];
		uint32_t room[LCS_MOST_FEATURES];
		const uint32_t *symbols = lcs_wide_symbols(string, room);

		for (int32_t i = 0; i < string->length; i++)
			lcs_add_byte(index->table, symbols[i]);
	}
}

/* Writes the bytes of the shorter strings, which are in their final order. */
static TedStatus
write_bytes(LcsCandidateIndex *index, const TedInterrupt *interrupt)
{
	size_t used = 0;
	int64_t steps = 0;

	if (index->shorter > 0)
		sample_bytes(index);
	for (int32_t first = 0; first < index->shorter; first += LCS_PART_STRINGS)
	{
		int32_t end = ted_min(index->shorter, first + LCS_PART_STRINGS);
		size_t longest = (size_t) index->length[end - 1];

		index->part_bytes[first / LCS_PART_STRINGS] = used;
		for (int32_t rank = first; rank < end; rank++, used += longest)
		{
			const LcsString *string = &index->strings[index->number[rank]];
			uint32_t room[LCS_MOST_FEATURES];
			const uint32_t *symbols = lcs_wide_symbols(string, room);

			for (int32_t i = 0; i < string->length; i++)
				index->bytes[used + (size_t) i] = lcs_add_byte(index->table, symbols[i]);
			if (ted_interrupted(interrupt, &steps, string->length + 1))
				return TED_CANCELLED;
		}
	}
	return TED_OK;
}

/* Indexes strings. */
TedStatus
lcs_candidate_index(const LcsString *strings, int32_t *order, int32_t count, LcsLeast least,
					TedArena *arena, const TedInterrupt *interrupt, LcsCandidateIndex **index)
{
	LcsIndexedStrings counted = {0};
	LcsCandidateIndex *made;
	LcsBlock *scratch = NULL;
	TedStatus status = TED_OK;
	size_t used;

	for (int32_t i = 0; i < count; i++)
		lcs_count_string(&counted, strings[i].length);
	made = take_lcs_candidate_index(arena, &counted);
	if (made == NULL)
		return TED_OUT_OF_ARENA;
	made->strings = strings;
	made->number = order;
	made->count = count;
	made->least = least;
	if (made->shorter > 0)
		status = lcs_feature_sets(strings, count, arena, interrupt, &made->sets);
	if (status != TED_OK)
		return status;
	used = arena->used;
	if (made->shorter > 0)
		scratch = ted_arena_alloc(arena, sizeof(LcsBlock));
	if (ted_arena_exceeded(arena))
		return TED_OUT_OF_ARENA;
	status = describe_strings(made, interrupt);
	if (status == TED_OK)
		status = make_blocks(made, order, scratch, interrupt);
	if (status == TED_OK)
		status = write_bytes(made, interrupt);
	arena->used = used;
	*index = made;
	return status;
}
