/*
 * lcs_length.c
 *	  Length of a longest common subsequence.
 *
 * A pattern of one word is held against the text as it comes; longer pairs are
 * compared by lcs_compare.c.
 */
#include "lcs_length.h"
#include "lcs_compare.h"

/* Bytes that lcs_length() takes. */
size_t
lcs_length_memory(int32_t m, int32_t n)
{
	return m <= LCS_WORD_BITS ? 0 : lcs_compare_memory(m, n, 0);
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

/* Length for longer patterns. */
static TedStatus
length_compared(const LcsPattern *pattern, const uint32_t *text, int32_t n, int32_t least,
				TedArena *arena, const TedInterrupt *interrupt, int32_t *length)
{
	LcsComparison comparison;
	int32_t trimmed;
	TedStatus status = lcs_compare_begin(&comparison, pattern, text, n, arena, interrupt);

	if (status == TED_OK)
		status = lcs_trim_beginning(&comparison.pair, interrupt);
	if (status != TED_OK)
		return status;
	trimmed = n - comparison.pair.n;
	status = lcs_compare(&comparison, ted_max(least - trimmed, 0), 0, arena, interrupt, length);
	if (*length != LCS_BELOW)
		*length += trimmed;
	return status;
}

/* Length of the longest common subsequence of a pattern and a text if it is at least `least`. */
TedStatus
lcs_length_at_least(const LcsPattern *pattern, const uint32_t *text, int32_t n, int32_t least,
					TedArena *arena, const TedInterrupt *interrupt, int32_t *length)
{
	size_t used = arena->used;
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
	status = length_compared(pattern, text, n, least, arena, interrupt, length);
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
