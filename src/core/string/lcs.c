/*
 * lcs.c
 *	  Length of a longest common subsequence: which way is the fastest.
 *
 * A pattern of one word is held against the text as it comes.  Longer pairs
 * lose what they have in common at either end; then those with few equal
 * symbols go by these (lcs_sparse.c), and all others through the table of
 * lengths, or a band of it (lcs_scan.c).
 */
#include "lcs_pattern.h"
#include "lcs_scan.h"
#include "lcs_sparse.h"

/* Bytes that lcs_length() takes. */
size_t
lcs_length_memory(int32_t m, int32_t n)
{
	size_t scan, sparse;

	if (m <= LCS_WORD_BITS)
		return 0;
	scan = lcs_scan_memory(m, n, 0);
	sparse = lcs_sparse_memory(m, n, false);
	return ted_arena_bytes((size_t) n * sizeof(int32_t)) + (scan > sparse ? scan : sparse);
}

/* Length for a pattern of at most one word. */
static TedStatus
length_one_word(const LcsPattern *pattern, const uint32_t *text, int32_t n,
				const TedInterrupt *interrupt, int32_t *length)
{
	uint64_t v = ~UINT64_C(0);
	int64_t steps = 0;

	for (int32_t j = 0; j < n; j++)
	{
		uint64_t match = pattern->match[lcs_code(pattern, text[j], &steps)];

		v = (v + (v & match)) | (v & ~match);
		if (ted_interrupted(interrupt, &steps, 0))
			return TED_CANCELLED;
	}
	*length = __builtin_popcountll(~v);
	return TED_OK;
}

/* Takes equal symbols from either end of a pair. */
static TedStatus
trim(LcsPair *pair, const TedInterrupt *interrupt)
{
	int64_t steps = 0;

	while (pair->m > 0 && pair->n > 0 && pair->a[pair->m - 1] == pair->b[pair->n - 1])
	{
		pair->m--;
		pair->n--;
		if (ted_interrupted(interrupt, &steps, 1))
			return TED_CANCELLED;
	}
	while (pair->m > 0 && pair->n > 0 && *pair->a == *pair->b)
	{
		pair->a++;
		pair->b++;
		pair->m--;
		pair->n--;
		if (ted_interrupted(interrupt, &steps, 1))
			return TED_CANCELLED;
	}
	return TED_OK;
}

/* Length of a pair that has nothing in common at its ends, or LCS_BELOW. */
static TedStatus
trimmed_length(const LcsPair *pair, int32_t least, TedArena *arena, const TedInterrupt *interrupt,
			   int32_t *length)
{
	LcsSparse sparse;
	LcsScan scan;
	bool sparse_enough;
	TedStatus status;

	*length = 0;
	if (pair->m < least || pair->n < least)
		*length = LCS_BELOW;
	if (*length == LCS_BELOW || pair->m == 0 || pair->n == 0)
		return TED_OK;

	status = lcs_sparse(&sparse, pair, false, arena, interrupt, &sparse_enough);
	if (status != TED_OK || !sparse_enough)
		return status != TED_OK ? status
								: lcs_scan(&scan, pair, least, 0, arena, interrupt, length);
	*length = sparse.length >= least ? sparse.length : LCS_BELOW;
	return TED_OK;
}

/* Length of the longest common subsequence of a pattern and a text if it is at least `least`. */
TedStatus
lcs_length_at_least(const LcsPattern *pattern, const uint32_t *text, int32_t n, int32_t least,
					TedArena *arena, const TedInterrupt *interrupt, int32_t *length)
{
	size_t used = arena->used;
	LcsPair pair = {
		.a = pattern->code, .m = pattern->length, .n = n, .distinct = pattern->distinct};
	int32_t *code;
	TedStatus status;

	*length = LCS_BELOW;
	if (pattern->length < least || n < least)
		return TED_OK;
	if (pattern->match != NULL)
	{
		status = length_one_word(pattern, text, n, interrupt, length);
		if (*length < least)
			*length = LCS_BELOW;
		return status;
	}
	if (lcs_length_memory(pattern->length, n) > arena->size - arena->used)
		return TED_OUT_OF_ARENA;

	code = ted_arena_alloc(arena, (size_t) n * sizeof(int32_t));
	if (code == NULL)
		return TED_OUT_OF_ARENA;
	status = lcs_encode(pattern, text, n, code, interrupt);
	pair.b = code;
	if (status == TED_OK)
		status = trim(&pair, interrupt);
	if (status == TED_OK)
	{
		int32_t trimmed = n - pair.n;

		status =
			trimmed_length(&pair, least > trimmed ? least - trimmed : 0, arena, interrupt, length);
		if (*length != LCS_BELOW)
			*length += trimmed;
	}
	arena->used = used;
	return status;
}

/* Length of the longest common subsequence of a pattern and a text. */
TedStatus
lcs_length(const LcsPattern *pattern, const uint32_t *text, int32_t n, TedArena *arena,
		   const TedInterrupt *interrupt, int32_t *length)
{
	return lcs_length_at_least(pattern, text, n, 0, arena, interrupt, length);
}
