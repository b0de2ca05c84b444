/*
 * lcs_candidates.h
 *	  Finds the pairs of many strings that can have enough symbols in common.
 *
 * Strings are similar enough where their longest common subsequence has at least a
 * number of symbols that depends on how many both have together.  Those that can be
 * are found by their lengths and by how often symbols occur in them: of short
 * strings, many at once (lcs_block.h), of long ones, one by one (lcs_histogram.h).
 */
#ifndef TED_LCS_CANDIDATES_H
#define TED_LCS_CANDIDATES_H

#include "lcs_features.h"

/*
 * The least number of common symbols with which two strings are found, by the
 * symbols of both together.  From one total to the next, it grows by 0 or 1.
 */
typedef struct LcsLeast
{
	int64_t (*least)(const void *arg, int64_t total);
	const void *arg;
} LcsLeast;

/* Strings, to be found by their lengths and symbols. */
typedef struct LcsCandidateIndex LcsCandidateIndex;

/* What the memory of an index depends on; all 0 for no strings. */
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

/*
 * Indexes strings.  `order` has their numbers in ascending order of their lengths; those of
 * one length are put in the order of the index, in which a string's place is its rank.
 * Both arrays and the symbols stay in use.  The index stays in the arena.
 */
extern size_t lcs_candidate_index_memory(const LcsIndexedStrings *strings);
extern TedStatus lcs_candidate_index(const LcsString *strings, int32_t *order, int32_t count,
									 LcsLeast least, TedArena *arena, const TedInterrupt *interrupt,
									 LcsCandidateIndex **index);

/* Estimated bytes of an index that one string takes. */
static inline size_t
lcs_candidate_bytes(int32_t length)
{
	return sizeof(int32_t) + (length <= LCS_MOST_FEATURES ? 34 + (size_t) length : 64);
}

/* Numbers of pairs that have passed the filters, over all searches. */
typedef struct LcsCandidateCounts
{
	int64_t window;  /* pairs whose lengths allow it */
	int64_t symbols; /* that have enough symbols in common, in whatever order */
	int64_t order;   /* whose order of symbols allows it, too, where it was checked */
} LcsCandidateCounts;

/* A search for the candidates of some strings at once, the probes. */
typedef struct LcsCandidateSearch LcsCandidateSearch;

/* Most probes of one search; it is fastest with this number, and with probes of one length. */
#define LCS_PROBES 1024

/*
 * Makes a search of an index of these strings, for any sets of `probes` probes one after
 * another.
 */
extern size_t lcs_candidate_search_memory(const LcsIndexedStrings *strings, int probes);
extern TedStatus lcs_candidate_search(LcsCandidateIndex *index, int probes, TedArena *arena,
									  const TedInterrupt *interrupt, LcsCandidateSearch **search);

/* Begins to look up strings that need not be indexed. */
extern void lcs_look_up(LcsCandidateSearch *search, const LcsString *probes, int count);

/* Begins to look up the indexed strings from a rank on, each among those of higher rank. */
extern void lcs_look_up_ranks(LcsCandidateSearch *search, int32_t rank, int count);

/* Finds more candidates; *done, where there are no others. */
extern TedStatus lcs_next_candidates(LcsCandidateSearch *search, LcsCandidateCounts *counts,
									 bool *done);

/*
 * The ranks of those just found for a probe, in ascending order, and the lengths of their
 * longest common subsequences with it, LCS_UNKNOWN where they are not known.
 */
#define LCS_UNKNOWN 255
extern const int32_t *lcs_candidates(const LcsCandidateSearch *search, int probe, int32_t *count,
									 const uint8_t **lengths);

#endif /* TED_LCS_CANDIDATES_H */
