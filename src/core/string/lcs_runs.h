/*
 * lcs_runs.h
 *	  What turns one string into another, as runs of equal, deleted, inserted and replaced symbols.
 */
#ifndef TED_LCS_RUNS_H
#define TED_LCS_RUNS_H

#include "../common/core.h"

typedef enum LcsRunKind
{
	LCS_RUN_EQUAL,
	LCS_RUN_DELETE,
	LCS_RUN_INSERT,
	LCS_RUN_REPLACE
} LcsRunKind;

/* A run: what it takes of either string, from a position to before another one. */
typedef struct LcsRun
{
	LcsRunKind kind;
	int32_t a_from;
	int32_t a_to;
	int32_t b_from;
	int32_t b_to;
} LcsRun;

/* Two strings by a common subsequence, and how far the runs have come. */
typedef struct LcsRuns
{
	int32_t m; /* symbols of the first string */
	int32_t n;
	int32_t length;            /* of the common subsequence */
	const int32_t *a_position; /* increasing */
	const int32_t *b_position;
	int32_t next; /* first pair of positions that no run so far has */
	int32_t a;    /* symbols of the first string that the runs so far have */
	int32_t b;
} LcsRuns;

/*
 * Runs begin with LcsRuns whose last three members are 0.  Each call sets the next one;
 * *found is false where there is none.
 *
 * The rule: pairs of the subsequence that follow each other in both strings are one run
 * of equal symbols, as long as it can be.  Between two of these, and at both ends, lies at
 * most one run: a deletion where only the first string has symbols there, an insertion
 * where only the second one has, else a replacement, of any number of symbols by any other.
 * So the runs one after another are both strings.
 */
extern TedStatus lcs_next_run(LcsRuns *runs, const TedInterrupt *interrupt, LcsRun *run,
							  bool *found);

#endif /* TED_LCS_RUNS_H */
