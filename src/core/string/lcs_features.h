/*
 * lcs_features.h
 *	  Features that strings with many common symbols share.
 *
 * A feature of a string is a symbol and a number k, where the symbol occurs at least k times.  A
 * string of m symbols has m features, and two strings have as many symbols in common, in any order,
 * as features.  So for each feature of one string that another one lacks, a symbol is outside every
 * common subsequence.
 *
 * Features are divided into LCS_SETS sets.  A string that has no feature of a set lacks all of
 * them.  Most sets consist of one feature that many strings have; the remaining features share the
 * other sets.  The first sets are those that the fewest strings have.
 */
#ifndef TED_LCS_FEATURES_H
#define TED_LCS_FEATURES_H

#include "../common/core.h"

#define LCS_SETS 256
#define LCS_MASK_WORDS 4

/* A bit for each set, or for each of LCS_SETS strings. */
typedef struct LcsMask
{
	uint64_t word[LCS_MASK_WORDS];
} LcsMask;

/* Most features of a string that are used. */
#define LCS_MOST_FEATURES 64

/* The sets of a string's features in ascending order, without those that there is no room for. */
typedef struct LcsFeatures
{
	int32_t count;
	uint8_t set[LCS_MOST_FEATURES];
} LcsFeatures;

/* A string, whose symbols have 1, 2 or 4 bytes; 4 if it has more than LCS_MOST_FEATURES symbols. */
typedef struct LcsString
{
	const void *symbols;
	int32_t length;
	int32_t symbol_bytes;
} LcsString;

/* Returns the symbols of a string with 4 bytes each, which may be written to `room`. */
static inline const uint32_t *
lcs_wide_symbols(const LcsString *string, uint32_t room[LCS_MOST_FEATURES])
{
	if (string->symbol_bytes == sizeof(uint32_t))
		return (const uint32_t *) string->symbols;
	for (int32_t i = 0; i < string->length; i++)
		room[i] = string->symbol_bytes == 1 ? ((const uint8_t *) string->symbols)[i]
											: ((const uint16_t *) string->symbols)[i];
	return room;
}

/* Access to strings by their numbers. */
typedef struct LcsStrings
{
	LcsString (*get)(const void *arg, int32_t number);
	const void *arg;
} LcsStrings;

/* Returns the string with this number. */
static inline LcsString
lcs_string(const LcsStrings *strings, int32_t number)
{
	return strings->get(strings->arg, number);
}

/* Number of cells that features are hashed to; sets consist of cells. */
#define LCS_CELL_BITS 14
#define LCS_CELLS (1 << LCS_CELL_BITS)

/* The sets of all features. */
typedef struct LcsFeatureSets LcsFeatureSets;

/* Allocates sets, which lcs_deal_cells() makes later; NULL where there is no room. */
extern size_t lcs_feature_sets_memory(void);
extern LcsFeatureSets *lcs_take_feature_sets(TedArena *arena);

/*
 * Adds to each feature cell the number of strings with it, of `count` strings; strings of more than
 * LCS_MOST_FEATURES symbols are not counted.
 */
extern TedStatus lcs_count_cells(LcsFeatureSets *sets, const LcsStrings *strings, int32_t count,
								 int32_t *cells, const TedInterrupt *interrupt);

/* Makes the sets from the counts of cells. */
extern size_t lcs_deal_cells_memory(void);
extern TedStatus lcs_deal_cells(LcsFeatureSets *sets, const int32_t *cells, TedArena *arena,
								const TedInterrupt *interrupt);

/* Computes the sets of a string's features. */
extern void lcs_features(LcsFeatureSets *sets, const LcsString *string, LcsFeatures *features);

/* Returns features as a mask. */
extern LcsMask lcs_feature_mask(const LcsFeatures *features);

#endif /* TED_LCS_FEATURES_H */
