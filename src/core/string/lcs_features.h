/*
 * lcs_features.h
 *	  Features that strings with many common symbols share.
 *
 * A feature of a string is a symbol and a number k, where the symbol occurs at least
 * k times.  A string of m symbols has m features, and two strings have as many
 * symbols in common, in whatever order, as they have features in common.  So where
 * one string lacks features that another one has, no common subsequence has the
 * symbols that these stand for.
 *
 * Features fall into LCS_SETS sets.  A string that has no feature of a set lacks all
 * of them.  Most sets are a feature that many strings have; the others share what is
 * left.  The first sets are those that the fewest strings have.
 */
#ifndef TED_LCS_FEATURES_H
#define TED_LCS_FEATURES_H

#include "../common/core.h"

#define LCS_SETS 256
#define LCS_MASK_WORDS 4

/* A bit for each set, or for each of as many strings. */
typedef struct LcsMask
{
	uint64_t word[LCS_MASK_WORDS];
} LcsMask;

/* Most features of a string that count. */
#define LCS_MOST_FEATURES 64

/* The sets of a string's features in ascending order; of more than there is room for, the first. */
typedef struct LcsFeatures
{
	int32_t count;
	uint8_t set[LCS_MOST_FEATURES];
} LcsFeatures;

/* A string, whose symbols have 1, 2 or 4 bytes; 4 if they are more than LCS_MOST_FEATURES. */
typedef struct LcsString
{
	const void *symbols;
	int32_t length;
	int32_t symbol_bytes;
} LcsString;

/* The symbols of a string with 4 bytes each; `room` is overwritten. */
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

/* Strings by their numbers. */
typedef struct LcsStrings
{
	LcsString (*get)(const void *arg, int32_t number);
	const void *arg;
} LcsStrings;

/* A string by its number. */
static inline LcsString
lcs_string(const LcsStrings *strings, int32_t number)
{
	return strings->get(strings->arg, number);
}

/* Features fall into cells, of which sets are made. */
#define LCS_CELLS (1 << 14)

/* The sets of all features. */
typedef struct LcsFeatureSets LcsFeatureSets;

/* Takes sets, which are made later. */
extern size_t lcs_feature_sets_memory(void);
extern LcsFeatureSets *lcs_take_feature_sets(TedArena *arena);

/*
 * Adds to cells the numbers of strings that have each of them, of strings of at most
 * LCS_MOST_FEATURES symbols; longer ones do not count.
 */
extern TedStatus lcs_count_cells(LcsFeatureSets *sets, const LcsStrings *strings, int32_t count,
								 int32_t *cells, const TedInterrupt *interrupt);

/* Makes the sets for strings whose cells have been counted. */
extern size_t lcs_deal_cells_memory(void);
extern TedStatus lcs_deal_cells(LcsFeatureSets *sets, const int32_t *cells, TedArena *arena,
								const TedInterrupt *interrupt);

/* Finds the sets of a string's features. */
extern void lcs_features(LcsFeatureSets *sets, const LcsString *string, LcsFeatures *features);

/* Features as a mask. */
extern LcsMask lcs_feature_mask(const LcsFeatures *features);

#endif /* TED_LCS_FEATURES_H */
