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

#include "lcs_candidate_index.h"

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

/* Begins to look up strings that need not be indexed, among those from rank `least` on. */
extern void lcs_look_up(LcsCandidateSearch *search, const LcsString *probes, int count,
						int32_t least);

/*
 * Begins to look up the indexed strings from a rank on, each among those of higher rank from
 * `least` on.
 */
extern void lcs_look_up_ranks(LcsCandidateSearch *search, int32_t rank, int count, int32_t least);

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
