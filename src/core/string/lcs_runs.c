/*
 * lcs_runs.c
 *	  The difference of two strings as runs of equal, deleted, inserted and replaced symbols.
 */
#include "lcs_runs.h"

/* Returns the next run; *found is false if there is none. */
TedStatus
lcs_next_run(LcsRuns *runs, const TedInterrupt *interrupt, LcsRun *run, bool *found)
{
	int32_t a = runs->next < runs->length ? runs->a_position[runs->next] : runs->m;
	int32_t b = runs->next < runs->length ? runs->b_position[runs->next] : runs->n;
	int64_t steps = 0;

	*found = runs->a < runs->m || runs->b < runs->n;
	*run = (LcsRun){LCS_RUN_EQUAL, runs->a, a, runs->b, b};
	if (a > runs->a || b > runs->b)
		run->kind = b == runs->b ? LCS_RUN_DELETE : a == runs->a ? LCS_RUN_INSERT : LCS_RUN_REPLACE;
	else
		for (; runs->next < runs->length && runs->a_position[runs->next] == run->a_to &&
			   runs->b_position[runs->next] == run->b_to;
			 runs->next++)
		{
			run->a_to++;
			run->b_to++;
			if (ted_interrupted(interrupt, &steps, 1))
				return TED_CANCELLED;
		}
	runs->a = run->a_to;
	runs->b = run->b_to;
	return TED_OK;
}
