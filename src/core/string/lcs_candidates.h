/*
 * lcs_candidates.h
 *	  Finds pairs of strings that can have enough symbols in common.
 *
 * Two strings are similar if their longest common subsequence has at least a number of symbols that
 * depends on the number of symbols of both together.  Candidates are found by their lengths and by
 * the frequencies of their symbols: many short strings at once (lcs_block.h), long strings one by
 * one (lcs_histogram.h).
 */
#ifndef TED_LCS_CANDIDATES_H
#define TED_LCS_CANDIDATES_H

#include "lcs_candidate_index.h"

/* Numbers of pairs that have passed each filter, over all searches. */
typedef struct LcsCandidateCounts
{
	int64_t window;  /* pairs whose lengths allow it */
	int64_t symbols; /* pairs that can have enough symbols in common in any order */
	int64_t order;   /* pairs left after the check of the order of symbols */
} LcsCandidateCounts;

/* A search for the candidates of some strings at once, the probes. */
typedef struct LcsCandidateSearch LcsCandidateSearch;

/* Most probes of one search, which is fastest with this number, and with probes of one length. */
#define LCS_PROBES 1024

/*
 * Creates a search of an index of these strings, for sets of up to `probes` probes, one set after
 * another.
 */
extern size_t lcs_candidate_search_memory(const LcsIndexedStrings *strings, int probes);
extern TedStatus lcs_candidate_search(LcsCandidateIndex *index, int probes, TedArena *arena,
									  const TedInterrupt *interrupt, LcsCandidateSearch **search);

/* Starts looking up strings, which need not be indexed, among those of at least rank `least`. */
extern void lcs_look_up(LcsCandidateSearch *search, const LcsString *probes, int count,
						int32_t least);

/*
 * Starts looking up `count` indexed strings from rank `rank` on, each among those of higher rank
 * and at least rank `least`.
 */
extern void lcs_look_up_ranks(LcsCandidateSearch *search, int32_t rank, int count, int32_t least);

/* Finds more candidates; sets *done if there are no others after these. */
extern TedStatus lcs_next_candidates(LcsCandidateSearch *search, LcsCandidateCounts *counts,
									 bool *done);

/*
 * Returns the ranks of the candidates just found for a probe, in ascending order, and sets *lengths
 * to the lengths of their longest common subsequences with it, LCS_UNKNOWN if not known.
 */
#define LCS_UNKNOWN 255
extern const int32_t *lcs_candidates(const LcsCandidateSearch *search, int probe, int32_t *count,
									 const uint8_t **lengths);

#endif /* TED_LCS_CANDIDATES_H */
