/*
 * lcs_features.c
 *	  Features that strings with many common symbols share.
 *
 * Symbols are hashed to buckets, and features to cells; symbols of one bucket count as one symbol,
 * features of one cell as one feature.
 */
#include "lcs_features.h"

#include <string.h>

#include "../common/hash.h"
#include "../common/sort.h"

#define BUCKET_BITS 12

/* Number of sets of one cell each; all other cells share the remaining sets. */
#define OWN_SETS 224
#define SHARED_SETS (LCS_SETS - OWN_SETS)

struct LcsFeatureSets
{
	uint8_t set_of_cell[LCS_CELLS];

	/* counts for the current string, 0 between uses */
	uint16_t occurrences[1 << BUCKET_BITS]; /* of each bucket of symbols */
	uint16_t features[LCS_SETS];            /* number of features of each set */
};

/* Returns the bucket of a symbol. */
static inline uint32_t
symbol_bucket(uint32_t symbol)
{
	return symbol * TED_HASH_STEP32 >> (32 - BUCKET_BITS);
}

/* Counts an occurrence of a symbol, and returns the cell of its feature. */
static inline uint32_t
next_cell(LcsFeatureSets *sets, uint32_t symbol)
{
	uint32_t bucket = symbol_bucket(symbol);
	uint32_t feature = bucket + ((uint32_t) sets->occurrences[bucket]++ << BUCKET_BITS);

	return feature * UINT32_C(0x85EBCA6B) >> (32 - LCS_CELL_BITS);
}

/* Resets the counts of the symbols of a string. */
static inline void
forget_symbols(LcsFeatureSets *sets, const uint32_t *symbols, int32_t count)
{
	for (int32_t i = 0; i < count; i++)
		sets->occurrences[symbol_bucket(symbols[i])] = 0;
}

/* Bytes that lcs_take_feature_sets() takes. */
size_t
lcs_feature_sets_memory(void)
{
	return ted_arena_bytes(sizeof(LcsFeatureSets));
}

/* Allocates sets; NULL where there is no room. */
LcsFeatureSets *
lcs_take_feature_sets(TedArena *arena)
{
	LcsFeatureSets *sets = ted_arena_alloc(arena, sizeof(LcsFeatureSets));

	if (sets != NULL)
		memset(sets, 0, sizeof(*sets));
	return sets;
}

/* Adds to each cell the number of strings that have it. */
TedStatus
lcs_count_cells(LcsFeatureSets *sets, const LcsStrings *strings, int32_t count, int32_t *cells,
				const TedInterrupt *interrupt)
{
	int64_t steps = 0;

	for (int32_t i = 0; i < count; i++)
	{
		LcsString string = lcs_string(strings, i);
		uint32_t room[LCS_MOST_FEATURES];
		const uint32_t *symbols;

		if (string.length > LCS_MOST_FEATURES)
			continue;
		symbols = lcs_wide_symbols(&string, room);
		for (int32_t j = 0; j < string.length; j++)
		{
			int32_t *cell = &cells[next_cell(sets, symbols[j])];

			*cell += *cell < INT32_MAX;
		}
		forget_symbols(sets, symbols, string.length);
		if (ted_interrupted(interrupt, &steps, LCS_MOST_FEATURES))
			return TED_CANCELLED;
	}
	return TED_OK;
}

/* Allocates two arrays for sorting the cells. */
static int32_t *
take_order(TedArena *arena, int32_t **other)
{
	int32_t *order = ted_arena_int32(arena, LCS_CELLS);

	*other = ted_arena_int32(arena, LCS_CELLS);
	return order;
}

/* Bytes that lcs_deal_cells() takes. */
size_t
lcs_deal_cells_memory(void)
{
	TedArena counted = {0};
	int32_t *other;

	take_order(&counted, &other);
	return counted.used;
}

/* Assigns the cells to the sets, in ascending order of the number of strings that have them. */
TedStatus
lcs_deal_cells(LcsFeatureSets *sets, const int32_t *cells, TedArena *arena,
			   const TedInterrupt *interrupt)
{
	size_t used = arena->used;
	int32_t *other;
	int32_t *order = take_order(arena, &other);
	int32_t strings[LCS_SETS] = {0};
	int32_t nodes[2][LCS_SETS];
	uint8_t rank[LCS_SETS];

	if (ted_arena_exceeded(arena))
		return TED_OUT_OF_ARENA;
	order = ted_sort_nodes(cells, LCS_CELLS, order, other, interrupt);
	if (order == NULL)
		return TED_CANCELLED;
	for (int32_t i = 0; i < LCS_CELLS; i++)
	{
		int32_t rest = LCS_CELLS - OWN_SETS;
		int32_t set = i < rest ? i % SHARED_SETS : SHARED_SETS + i - rest;
		int64_t sum = (int64_t) strings[set] + cells[order[i]];

		sets->set_of_cell[order[i]] = (uint8_t) set;
		strings[set] = (int32_t) (sum < INT32_MAX ? sum : INT32_MAX);
	}
	order = ted_sort_nodes(strings, LCS_SETS, nodes[0], nodes[1], interrupt);
	if (order == NULL)
		return TED_CANCELLED;
	for (int32_t i = 0; i < LCS_SETS; i++)
		rank[order[i]] = (uint8_t) i;
	for (int32_t i = 0; i < LCS_CELLS; i++)
		sets->set_of_cell[i] = rank[sets->set_of_cell[i]];
	arena->used = used;
	return TED_OK;
}

/* Computes the sets of a string's features. */
void
lcs_features(LcsFeatureSets *sets, const LcsString *string, LcsFeatures *features)
{
	/* occurrences are counted in 16 bits, so features of further symbols are left out */
	int32_t count = ted_min(string->length, UINT16_MAX);
	uint32_t room[LCS_MOST_FEATURES];
	const uint32_t *symbols = lcs_wide_symbols(string, room);
	LcsMask mask = {{0}};

	for (int32_t i = 0; i < count; i++)
	{
		uint8_t set = sets->set_of_cell[next_cell(sets, symbols[i])];

		sets->features[set]++;
		mask.word[set / 64] |= UINT64_C(1) << set % 64;
	}
	forget_symbols(sets, symbols, count);
	features->count = 0;
	for (int i = 0; i < LCS_MASK_WORDS; i++)
		for (uint64_t bits = mask.word[i]; bits != 0; bits &= bits - 1)
		{
			int set = 64 * i + __builtin_ctzll(bits);

			for (; sets->features[set] > 0 && features->count < LCS_MOST_FEATURES;
				 sets->features[set]--)
				features->set[features->count++] = (uint8_t) set;
			sets->features[set] = 0;
		}
}

/* Returns features as a mask. */
LcsMask
lcs_feature_mask(const LcsFeatures *features)
{
	LcsMask mask = {{0}};

	for (int32_t i = 0; i < features->count; i++)
		mask.word[features->set[i] / 64] |= UINT64_C(1) << features->set[i] % 64;
	return mask;
}
