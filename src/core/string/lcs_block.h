/*
 * lcs_block.h
 *	  Strings of about the same length, side by side, by which features they have.
 *
 * A block has a bit for each set and string.  While it is made, the sets of a string
 * are together; then it is transposed, so that a few operations look at one set of
 * all strings of a part.  The first sets are those that the fewest strings have:
 * after some of a probe, no string is left in most parts.  And for many parts, it is
 * enough to know which sets none of their strings has.
 */
#ifndef TED_LCS_BLOCK_H
#define TED_LCS_BLOCK_H

#include "lcs_features.h"

/* Strings of a part of a block, a bit each; parts of a block; strings of a block. */
#define LCS_PART_STRINGS 256
#define LCS_BLOCK_PARTS 16
#define LCS_BLOCK_STRINGS (LCS_BLOCK_PARTS * LCS_PART_STRINGS)

/* Bytes of a word, one for each part. */
#define LCS_WORD_PARTS 8
#define LCS_PART_WORDS (LCS_BLOCK_PARTS / LCS_WORD_PARTS)

/* A number for each part of a block, a byte each. */
typedef struct LcsPartNumbers
{
	uint64_t word[LCS_PART_WORDS];
} LcsPartNumbers;

/* The sets of each string, or the strings that have each set. */
typedef union LcsBlock
{
	LcsMask sets[LCS_BLOCK_STRINGS];
	LcsMask strings[LCS_SETS][LCS_BLOCK_PARTS];
} LcsBlock;

/* Sets that parts lack: 1 where no string has it, else 0. */
typedef struct LcsLackedSets
{
	LcsPartNumbers set[LCS_SETS];
} LcsLackedSets;

/*
 * Turns the sets of each string into the strings that have each set, and finds the
 * sets that parts lack.  `scratch` is overwritten.
 */
extern void lcs_transpose_block(LcsBlock *block, LcsBlock *scratch, LcsLackedSets *lacked);

/*
 * Finds the parts in which some string may lack at most as many features of a
 * probe as `misses` has for the part, less than 128; returns a bit for each.
 */
extern uint32_t lcs_open_parts(const LcsLackedSets *lacked, const LcsFeatures *probe,
							   const LcsPartNumbers *misses);

/* Strings of one part that are found. */
typedef struct LcsHit
{
	int32_t part;
	LcsMask strings;
} LcsHit;

/* Most features that strings may lack in a search. */
#define LCS_MOST_MISSES 31

/*
 * Finds the strings in some parts of a block that lack at most `misses` features
 * of a probe.  Each of these parts has a bit in `parts`.  Returns the number of
 * hits, one for each part that has such strings.
 */
typedef int LcsBlockSearch(const LcsBlock *block, uint32_t parts, const LcsFeatures *probe,
						   int misses, LcsHit *hits);

extern LcsBlockSearch lcs_search_plain;
extern LcsBlockSearch lcs_search_avx2;
extern LcsBlockSearch lcs_search_avx512;

/* Returns the function for this processor. */
extern LcsBlockSearch *lcs_block_search(void);

#endif /* TED_LCS_BLOCK_H */
