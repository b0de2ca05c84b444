/*
 * lcs_compare.c
 *	  One comparison of a pattern and a text, by the fastest algorithm.
 *
 * Equal symbols at the ends of both strings are trimmed.  If only a length is wanted, callers
 * compare short strings and narrow bands word by word (lcs_band.c).  Pairs with few equal symbols
 * are compared by these (lcs_sparse.c), and all others by the table of lengths, or a band of it, in
 * stripes (lcs_scan.c).
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

/* Trims equal symbols from the ends of both strings. */
static TedStatus
trim_end(LcsPair *pair, const TedInterrupt *interrupt)
{
	int64_t steps = 0;

	while (pair->m > 0 && pair->n > 0 && pair->a[pair->m - 1] == pair->b[pair->n - 1])
	{
		pair->m--;
		pair->n--;
		if (ted_interrupted(interrupt, &steps, 1))
			return TED_CANCELLED;
	}
	return TED_OK;
}

/* Encodes a text, and trims equal symbols from the ends of both strings. */
TedStatus
lcs_compare_begin(LcsComparison *comparison, const LcsPattern *pattern, const uint32_t *text,
				  int32_t n, TedArena *arena, const TedInterrupt *interrupt)
{
	int32_t *code = ted_arena_int32(arena, (size_t) n);
	TedStatus status;

	if (code == NULL)
		return TED_OUT_OF_ARENA;
	comparison->pair = (LcsPair){pattern->code, code, pattern->length, n, pattern->distinct};
	status = lcs_encode(pattern, text, n, code, interrupt);
	return status == TED_OK ? trim_end(&comparison->pair, interrupt) : status;
}

/* Whether lcs_band() is the fastest way. */
bool
lcs_goes_by_band(const LcsBandPair *pair, int32_t least)
{
	LcsPair whole = {.m = pair->m, .n = pair->n, .distinct = pair->m};

	if (pair->prepared != NULL)
		whole.distinct = pair->prepared->distinct;
	else if (pair->symbol_bytes == 1)
		whole.distinct = ted_min(pair->m, LCS_BYTES);
	if (!lcs_band_fits(pair, least))
		return false;
	return pair->m <= LCS_BAND_ROWS || lcs_band_cost(pair, least) < lcs_scan_cost(&whole, least);
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
