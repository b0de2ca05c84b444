/*
 * lcs_block.h
 *	  Blocks of strings of about the same length, with the sets of their features as bits.
 *
 * A block of strings has a bit for each set and string.  While it is being filled, the bits of a
 * string are together; then it is transposed, so that a few operations test one set for all strings
 * of a part.  The first sets are those that the fewest strings have: after some sets of a probe, no
 * string is left in most parts.  Many parts are ruled out even before, by the sets that none of
 * their strings has.
 */
#ifndef TED_LCS_BLOCK_H
#define TED_LCS_BLOCK_H

#include "lcs_features.h"

/* Strings of a part of a block, which has a bit for each; parts and strings of a block. */
#define LCS_PART_STRINGS 256
#define LCS_BLOCK_PARTS 16
#define LCS_BLOCK_STRINGS (LCS_BLOCK_PARTS * LCS_PART_STRINGS)

/* Parts whose numbers are the bytes of one word, and words of the numbers of all parts. */
#define LCS_WORD_PARTS 8
#define LCS_PART_WORDS (LCS_BLOCK_PARTS / LCS_WORD_PARTS)

/* A number for each part of a block of strings, a byte each. */
typedef struct LcsPartNumbers
{
	uint64_t word[LCS_PART_WORDS];
} LcsPartNumbers;

/* A block of strings: the sets of each string or, once transposed, the strings of each set. */
typedef union LcsBlock
{
	LcsMask sets[LCS_BLOCK_STRINGS];
	LcsMask strings[LCS_SETS][LCS_BLOCK_PARTS];
} LcsBlock;

/* For each set, the parts in which no string has it: 1 for these, else 0. */
typedef struct LcsLackedSets
{
	LcsPartNumbers set[LCS_SETS];
} LcsLackedSets;

/*
 * Transposes a block from the sets of each string to the strings that have each set, and finds the
 * sets that parts lack.  `scratch` is overwritten.
 */
extern void lcs_transpose_block(LcsBlock *block, LcsBlock *scratch, LcsLackedSets *lacked);

/*
 * Returns a mask of the parts in which some string may lack no more features of a probe than
 * `misses` has for the part, a number below 128.
 */
extern uint32_t lcs_open_parts(const LcsLackedSets *lacked, const LcsFeatures *probe,
							   const LcsPartNumbers *misses);

/* The strings of one part that a search has found. */
typedef struct LcsHit
{
	int32_t part;
	LcsMask strings;
} LcsHit;

/* The most features that strings may lack in a search. */
#define LCS_MOST_MISSES 31

/*
 * Finds the strings in the parts of the mask `parts` of a block that lack at most `misses` features
 * of a probe.  Returns the number of hits, one for each part that has such strings.
 */
typedef int LcsBlockSearch(const LcsBlock *block, uint32_t parts, const LcsFeatures *probe,
						   int misses, LcsHit *hits);

extern LcsBlockSearch lcs_search_plain;
extern LcsBlockSearch lcs_search_avx2;
extern LcsBlockSearch lcs_search_avx512;

/* Returns the function for this processor. */
extern LcsBlockSearch *lcs_block_search(void);

#endif /* TED_LCS_BLOCK_H */
