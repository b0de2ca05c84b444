/*
 * lcs_runs.h
 *	  The difference of two strings as runs of equal, deleted, inserted and replaced symbols.
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

/* A run; positions in both strings, `to` being exclusive. */
typedef struct LcsRun
{
	LcsRunKind kind;
	int32_t a_from;
	int32_t a_to;
	int32_t b_from;
	int32_t b_to;
} LcsRun;

/* Two strings with a common subsequence, and the state of iterating over the runs. */
typedef struct LcsRuns
{
	int32_t m; /* symbols of the first string */
	int32_t n;
	int32_t length;            /* length of the common subsequence */
	const int32_t *a_position; /* positions of the common subsequence, increasing */
	const int32_t *b_position;
	int32_t next; /* the first pair of positions after the runs so far */
	int32_t a;    /* symbols of the first string in the runs so far */
	int32_t b;
} LcsRuns;

/*
 * Returns the next run; *found is false if there is none.  Before the first call, the last three
 * members of LcsRuns must be 0.
 *
 * Consecutive pairs of the subsequence that are adjacent in both strings are one run of equal
 * symbols, as long as possible.  Between two such runs, and at both ends, there is at most one run:
 * a deletion if only the first string has symbols there, an insertion if only the second one has,
 * else a replacement of any number of symbols by any other number.  The concatenation of all runs
 * yields both strings.
 */
extern TedStatus lcs_next_run(LcsRuns *runs, const TedInterrupt *interrupt, LcsRun *run,
							  bool *found);

#endif /* TED_LCS_RUNS_H */
