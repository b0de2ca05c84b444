/*
 * lcs_candidate_index.h
 *	  Many strings, laid out for the search for candidates.
 */
#ifndef TED_LCS_CANDIDATE_INDEX_H
#define TED_LCS_CANDIDATE_INDEX_H

#include "lcs_block.h"
#include "lcs_bytes.h"
#include "lcs_histogram.h"

/*
 * The least number of common symbols with which two strings are found, by the
 * symbols of both together.  From one total to the next, it grows by 0 or 1.
 */
typedef struct LcsLeast
{
	int64_t (*least)(const void *arg, int64_t total);
	const void *arg;
} LcsLeast;

/* The sizes on which the memory of an index depends; all 0 for no strings. */
typedef struct LcsIndexedStrings
{
	int32_t shorter; /* of at most LCS_MOST_FEATURES symbols */
	int32_t longer;
	size_t bytes; /* symbols of the former */
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

/* The shorter strings are in blocks, which pay for themselves where there are as many. */
#define LCS_LEAST_BLOCK_STRINGS 1024

/* Strings, to be found by their lengths and symbols. */
typedef struct LcsCandidateIndex
{
	LcsStrings strings;
	int32_t *number; /* by rank */
	LcsLeast least;
	LcsFeatureSets *sets;
	int32_t count;
	int32_t shorter; /* that are in blocks */

	/* arrays */
	int32_t *length;
	LcsBlock *blocks;
	LcsLackedSets *lacked; /* by block */
	LcsByteTable *table;
	uint8_t *bytes;     /* of the shorter ones, as far apart as the longest of their part is long */
	size_t *part_bytes; /* where those of each part begin */
	LcsHistogram *histograms; /* of the longer ones */
} LcsCandidateIndex;

/*
 * Indexes strings.  `order` has their numbers in ascending order of their lengths; those of
 * one length are put in the order of the index, in which a string's place is its rank.
 * Both arrays and the symbols stay in use.  The index stays in the arena.
 */
extern size_t lcs_candidate_index_memory(const LcsIndexedStrings *strings);
extern TedStatus lcs_candidate_index(const LcsStrings *strings, int32_t *order, int32_t count,
									 LcsLeast least, TedArena *arena, const TedInterrupt *interrupt,
									 LcsCandidateIndex **index);

/*
 * Lays out strings that are looked up in an index, which must have blocks, in the same way, for a
 * device: features and bytes mean the same.  The arguments are those of lcs_candidate_index().
 */
extern TedStatus lcs_lay_out_probes(const LcsCandidateIndex *index, const LcsStrings *strings,
									int32_t *order, int32_t count, TedArena *arena,
									const TedInterrupt *interrupt, LcsCandidateIndex **probes);

/*
 * The same in steps, all of which but lcs_lay_out() can be divided among processes that see
 * the same arrays: those of strings by rank, of the shorter ones if there are blocks; and
 * those of blocks.  Each step goes through what the one before has made of all strings.
 *
 * At first, the arrays are taken, and `strings`, `number`, `least` and `sets` are set, which
 * each process has for itself, but for the numbers.
 */
extern size_t lcs_index_arrays_memory(const LcsIndexedStrings *strings);
extern TedStatus lcs_index_arrays(LcsCandidateIndex *index, const LcsIndexedStrings *strings,
								  TedArena *arena);

/* Describes the strings of some ranks. */
extern TedStatus lcs_describe(LcsCandidateIndex *index, int32_t first, int32_t end,
							  const TedInterrupt *interrupt);

/* Puts shorter strings of one length that have much in common side by side. */
extern TedStatus lcs_divide(LcsCandidateIndex *index, int32_t first, int32_t end,
							const TedInterrupt *interrupt);

/* Lays out the bytes of the shorter strings, whose symbols have those of a table, or NULL. */
extern void lcs_lay_out(LcsCandidateIndex *index, const LcsByteTable *table);

/* Completes some blocks; `scratch` is overwritten. */
extern TedStatus lcs_complete_blocks(LcsCandidateIndex *index, int32_t first, int32_t end,
									 LcsBlock *scratch, const TedInterrupt *interrupt);

/* The first rank from one on whose string, a shorter one, is longer than that of this rank. */
extern int32_t lcs_length_end(const LcsCandidateIndex *index, int32_t rank);

/* Estimated bytes of an index that one string takes. */
static inline size_t
lcs_candidate_bytes(int32_t length)
{
	return sizeof(int32_t) + (length <= LCS_MOST_FEATURES ? 34 + (size_t) length : 64);
}

/* Number of blocks for a number of strings. */
static inline size_t
lcs_block_count(int32_t strings)
{
	return ((size_t) strings + LCS_BLOCK_STRINGS - 1) / LCS_BLOCK_STRINGS;
}

/* The block of a string. */
static inline int32_t
lcs_block_of_rank(const LcsCandidateIndex *index, int32_t rank)
{
	if (rank < index->shorter)
		return rank / LCS_BLOCK_STRINGS;
	return (int32_t) lcs_block_count(index->shorter) + (rank - index->shorter) / LCS_BLOCK_STRINGS;
}

/* Whether a block is one of longer strings. */
static inline bool
lcs_is_longer(const LcsCandidateIndex *index, int32_t block)
{
	return block >= (int32_t) lcs_block_count(index->shorter);
}

/* Rank of the first string of a block. */
static inline int32_t
lcs_block_begin(const LcsCandidateIndex *index, int32_t block)
{
	if (lcs_is_longer(index, block))
		return index->shorter +
			   (block - (int32_t) lcs_block_count(index->shorter)) * LCS_BLOCK_STRINGS;
	return block * LCS_BLOCK_STRINGS;
}

/* Rank of the first string after a block. */
static inline int32_t
lcs_block_end(const LcsCandidateIndex *index, int32_t block)
{
	int32_t end = lcs_is_longer(index, block) ? index->count : index->shorter;
	int32_t begin = lcs_block_begin(index, block);

	return end - begin > LCS_BLOCK_STRINGS ? begin + LCS_BLOCK_STRINGS : end;
}

/* Where the bytes of a shorter string begin. */
static inline uint8_t *
lcs_rank_bytes(const LcsCandidateIndex *index, int32_t rank)
{
	int32_t part = rank / LCS_PART_STRINGS;
	int32_t end = ted_min(index->shorter, (part + 1) * LCS_PART_STRINGS);

	return index->bytes + index->part_bytes[part] +
		   (size_t) (rank % LCS_PART_STRINGS) * (size_t) index->length[end - 1];
}

#endif /* TED_LCS_CANDIDATE_INDEX_H */
