/*
 * lcs_compare.c
 *	  One comparison by codes: by pairs of equal symbols where there are few (lcs_sparse.c), else by
 *	  the table of lengths, or a band of it, in stripes (lcs_scan.c).
 */
#include "lcs_compare.h"

/* Returns the bytes of a comparison. */
size_t
lcs_compare_memory(int32_t m, int32_t n, int32_t side)
{
	size_t scan = lcs_scan_memory(m, n, side);
	size_t sparse = lcs_sparse_memory(m, n, side > 0);
	TedArena counting = {0};

	ted_arena_int32(&counting, (size_t) n);
	return counting.used + (scan > sparse ? scan : sparse);
}

/* Computes the length of the longest common subsequence of the pair if it is at least `least`. */
TedStatus
lcs_compare(LcsComparison *comparison, int32_t least, int32_t side, TedArena *arena,
			const TedInterrupt *interrupt, int32_t *length)
{
	const LcsPair *pair = &comparison->pair;
	LcsSparse *sparse = &comparison->sparse;
	TedStatus status;

	*length = pair->m < least || pair->n < least ? LCS_BELOW : 0;
	if (*length == LCS_BELOW || pair->m == 0 || pair->n == 0)
		return TED_OK;
	status = lcs_sparse(sparse, pair, side > 0, arena, interrupt, &comparison->sparse_enough);
	if (status != TED_OK)
		return status;
	if (!comparison->sparse_enough)
		return lcs_scan(&comparison->scan, pair, least, side, arena, interrupt, length);
	*length = sparse->length >= least ? sparse->length : LCS_BELOW;
	return TED_OK;
}
