/*
 * lcs_candidate_index.h
 *	  An index of strings for the search for candidates.
 */
#ifndef TED_LCS_CANDIDATE_INDEX_H
#define TED_LCS_CANDIDATE_INDEX_H

#include "lcs_block.h"
#include "lcs_bytes.h"
#include "lcs_histogram.h"

/*
 * The least number of common symbols of two similar strings, given the number of symbols of both
 * together.  From one total to the next, it grows by 0 or 1.
 */
typedef struct LcsLeast
{
	int64_t (*least)(const void *arg, int64_t total);
	const void *arg;
} LcsLeast;

/* The sizes on which the memory of an index depends; all 0 for no strings. */
typedef struct LcsIndexedStrings
{
	int32_t shorter; /* strings of at most LCS_MOST_FEATURES symbols */
	int32_t longer;
	size_t bytes; /* total length of the shorter strings */
} LcsIndexedStrings;

/* Counts one more string. */
static inline void
lcs_count_string(LcsIndexedStrings *strings, int32_t length)
{
	if (length <= LCS_MOST_FEATURES)
	{
		strings->shorter++;
		strings->bytes += (size_t) length;
	}
	else
		strings->longer++;
}

/* The shorter strings are in blocks if there are at least this number, so that blocks pay. */
#define LCS_LEAST_BLOCK_STRINGS 1024

/* The index. */
typedef struct LcsCandidateIndex
{
	LcsStrings strings;
	int32_t *number; /* number of the string by rank */
	LcsLeast least;
	LcsFeatureSets *sets;
	int32_t count;
	int32_t shorter; /* number of strings in blocks */

	/* arrays */
	int32_t *length;
	LcsBlock *blocks;
	LcsLackedSets *lacked; /* sets that parts lack, by block */
	LcsByteTable *table;
	uint8_t *bytes;     /* of the shorter strings, spaced by the longest string of their part */
	size_t *part_bytes; /* by part: where its bytes begin */
	LcsHistogram *histograms; /* of the longer strings */
} LcsCandidateIndex;

/*
 * Builds an index in the arena.  `order` has the numbers of the strings in ascending order of their
 * lengths; strings of one length are reordered, and the place of a string is its rank.  `order` and
 * the symbols must outlive the index.
 */
extern size_t lcs_candidate_index_memory(const LcsIndexedStrings *strings);
extern TedStatus lcs_candidate_index(const LcsStrings *strings, int32_t *order, int32_t count,
									 LcsLeast least, TedArena *arena, const TedInterrupt *interrupt,
									 LcsCandidateIndex **index);

/*
 * Lays out strings that are looked up in an index, which must have blocks, in the same format, for
 * a GPU: with the same features and bytes.  The arguments are those of lcs_candidate_index().
 */
extern TedStatus lcs_lay_out_probes(const LcsCandidateIndex *index, const LcsStrings *strings,
									int32_t *order, int32_t count, TedArena *arena,
									const TedInterrupt *interrupt, LcsCandidateIndex **probes);

/*
 * The steps of lcs_candidate_index().  All except lcs_lay_out() can be divided among processes that
 * share the arrays: steps on strings by rank, of the shorter strings if there are blocks, and steps
 * on blocks by block.  Each step requires that the preceding step is complete for all strings.
 * Before, the arrays are allocated, and `strings`, `number`, `least` and `sets` are set; each
 * process has its own, except the array `number`.
 */
extern size_t lcs_index_arrays_memory(const LcsIndexedStrings *strings);
extern TedStatus lcs_index_arrays(LcsCandidateIndex *index, const LcsIndexedStrings *strings,
								  TedArena *arena);

/* Computes lengths and features, or histograms, of the strings of some ranks. */
extern TedStatus lcs_describe(LcsCandidateIndex *index, int32_t first, int32_t end,
							  const TedInterrupt *interrupt);

/* Sorts shorter strings of one length so that similar ones are next to each other. */
extern TedStatus lcs_divide(LcsCandidateIndex *index, int32_t first, int32_t end,
							const TedInterrupt *interrupt);

/*
 * Lays out the bytes of the shorter strings.  `table` has the bytes of symbols; if it is NULL, they
 * are chosen from a sample of the strings.
 */
extern void lcs_lay_out(LcsCandidateIndex *index, const LcsByteTable *table);

/* Completes the blocks `first` to end - 1; `scratch` is overwritten. */
extern TedStatus lcs_complete_blocks(LcsCandidateIndex *index, int32_t first, int32_t end,
									 LcsBlock *scratch, const TedInterrupt *interrupt);

/*
 * Returns the first rank of a shorter string that is longer than that of `rank`, or the number of
 * shorter strings.
 */
extern int32_t lcs_length_end(const LcsCandidateIndex *index, int32_t rank);

/* Returns the estimated bytes of an index that one string takes. */
static inline size_t
lcs_candidate_bytes(int32_t length)
{
	return sizeof(int32_t) + (length <= LCS_MOST_FEATURES ? 34 + (size_t) length : 64);
}

/* Returns the number of blocks for a number of strings. */
static inline size_t
lcs_block_count(int32_t strings)
{
	return ((size_t) strings + LCS_BLOCK_STRINGS - 1) / LCS_BLOCK_STRINGS;
}

/* Returns the block of a string. */
static inline int32_t
lcs_block_of_rank(const LcsCandidateIndex *index, int32_t rank)
{
	if (rank < index->shorter)
		return rank / LCS_BLOCK_STRINGS;
	return (int32_t) lcs_block_count(index->shorter) + (rank - index->shorter) / LCS_BLOCK_STRINGS;
}

/* Whether a block is of longer strings. */
static inline bool
lcs_is_longer(const LcsCandidateIndex *index, int32_t block)
{
	return block >= (int32_t) lcs_block_count(index->shorter);
}

/* Returns the rank of the first string of a block. */
static inline int32_t
lcs_block_begin(const LcsCandidateIndex *index, int32_t block)
{
	if (lcs_is_longer(index, block))
		return index->shorter +
			   (block - (int32_t) lcs_block_count(index->shorter)) * LCS_BLOCK_STRINGS;
	return block * LCS_BLOCK_STRINGS;
}

/* Returns the rank after the last string of a block. */
static inline int32_t
lcs_block_end(const LcsCandidateIndex *index, int32_t block)
{
	int32_t end = lcs_is_longer(index, block) ? index->count : index->shorter;
	int32_t begin = lcs_block_begin(index, block);

	return end - begin > LCS_BLOCK_STRINGS ? begin + LCS_BLOCK_STRINGS : end;
}

/* Returns the address of the bytes of a shorter string. */
static inline uint8_t *
lcs_rank_bytes(const LcsCandidateIndex *index, int32_t rank)
{
	int32_t part = rank / LCS_PART_STRINGS;
	int32_t end = ted_min(index->shorter, (part + 1) * LCS_PART_STRINGS);

	return index->bytes + index->part_bytes[part] +
		   (size_t) (rank % LCS_PART_STRINGS) * (size_t) index->length[end - 1];
}

#endif /* TED_LCS_CANDIDATE_INDEX_H */
