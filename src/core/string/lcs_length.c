/*
 * lcs_length.c
 *	  Length of a longest common subsequence.
 *
 * A pattern of one word is compared with the text symbol by symbol.  For longer patterns, equal
 * symbols at both ends are trimmed, and the rest is compared by a band of words if that is the
 * fastest way, else by lcs_compare.c.
 */
#include "lcs_length.h"
#include "lcs_band.h"
#include "lcs_compare.h"

/* Columns between two checks whether the remaining columns can add enough. */
#define COLUMNS_PER_CHECK 8

/* Bytes that lcs_length() takes. */
size_t
lcs_length_memory(int32_t m, int32_t n)
{
	size_t band, compared;

	if (m <= LCS_WORD_BITS)
		return 0;
	band = lcs_band_memory(m);
	compared = m <= LCS_BAND_ROWS ? 0 : lcs_compare_memory(m, n, 0);
	return band > compared ? band : compared;
}

/*
 * Computes the length for a pattern of one word, to which each carry out of the word adds 1;
 * *length is not set if it is below `least`.
 */
static TedStatus
length_one_word(const LcsPattern *pattern, const uint32_t *text, int32_t n, int32_t least,
				const TedInterrupt *interrupt, int32_t *length)
{
	uint64_t v = ~UINT64_C(0);
	int32_t gained = 0;
	int64_t steps = 0;

	for (int32_t j = 0; j < n;)
	{
		int32_t end = j + ted_min(COLUMNS_PER_CHECK, n - j);

		for (; j < end; j++)
		{
			uint64_t taken = v & pattern->match[lcs_code(pattern, text[j], &steps)];
			uint64_t sum = v + taken;

			gained += sum < v;
			v = sum | (v - taken);
		}
		if (gained + (n - j) < least)
			return TED_OK;
		if (ted_interrupted(interrupt, &steps, 0))
			return TED_CANCELLED;
	}
	*length = gained;
	return TED_OK;
}

/* Whether positions of the pattern and the text have the same symbol; counts the probes. */
static inline bool
are_equal(const LcsBandPair *pair, int32_t i, int32_t j, int64_t *probes)
{
	return ((const int32_t *) pair->a)[i] ==
		   lcs_code(pair->prepared, ((const uint32_t *) pair->b)[j], probes);
}

/* Trims equal symbols from both ends; `trimmed` is their number. */
static TedStatus
trim_band_pair(LcsBandPair *pair, const TedInterrupt *interrupt, int32_t *trimmed)
{
	int32_t n = pair->n;
	int32_t equal = 0;
	int64_t steps = 0;

	for (; pair->m > 0 && pair->n > 0 && are_equal(pair, pair->m - 1, pair->n - 1, &steps);
		 pair->m--, pair->n--)
		if (ted_interrupted(interrupt, &steps, 0))
			return TED_CANCELLED;
	for (; equal < pair->m && equal < pair->n && are_equal(pair, equal, equal, &steps); equal++)
		if (ted_interrupted(interrupt, &steps, 0))
			return TED_CANCELLED;
	pair->a = (const int32_t *) pair->a + equal;
	pair->b = (const uint32_t *) pair->b + equal;
	pair->m -= equal;
	pair->n -= equal;
	*trimmed = n - pair->n;
	return TED_OK;
}

/* Computes the length for a trimmed pair for which the band is not the fastest way. */
static TedStatus
length_compared(const LcsBandPair *pair, int32_t least, TedArena *arena,
				const TedInterrupt *interrupt, int32_t *length)
{
	LcsComparison comparison;
	int32_t *code = ted_arena_int32(arena, (size_t) pair->n);
	TedStatus status;

	if (code == NULL)
		return TED_OUT_OF_ARENA;
	status = lcs_encode(pair->prepared, pair->b, pair->n, code, interrupt);
	if (status != TED_OK)
		return status;
	comparison.pair = (LcsPair){pair->a, code, pair->m, pair->n, pair->prepared->distinct};
	return lcs_compare(&comparison, least, 0, arena, interrupt, length);
}

/* Computes the length for patterns of several words. */
static TedStatus
length_many_words(const LcsPattern *pattern, const uint32_t *text, int32_t n, int32_t least,
				  TedArena *arena, const TedInterrupt *interrupt, int32_t *length)
{
	LcsBandPair pair = {.a = pattern->code,
						.b = text,
						.m = pattern->length,
						.n = n,
						.symbol_bytes = sizeof(uint32_t),
						.prepared = pattern};
	int32_t trimmed;
	TedStatus status = trim_band_pair(&pair, interrupt, &trimmed);

	if (status != TED_OK)
		return status;
	least = ted_max(least - trimmed, 0);
	if (pair.m < least || pair.n < least)
		return TED_OK;
	if (lcs_goes_by_band(&pair, least))
		status = lcs_band(&pair, least, arena, interrupt, length);
	else
		status = length_compared(&pair, least, arena, interrupt, length);
	if (*length != LCS_BELOW)
		*length += trimmed;
	return status;
}

/* Computes the length of the longest common subsequence if it is at least `least`. */
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
		return length_one_word(pattern, text, n, least, interrupt, length);
	if (lcs_length_memory(pattern->length, n) > arena->size - arena->used)
		return TED_OUT_OF_ARENA;
	status = length_many_words(pattern, text, n, least, arena, interrupt, length);
	arena->used = used;
	return status;
}

/* Computes the length of the longest common subsequence of a pattern and a text. */
TedStatus
lcs_length(const LcsPattern *pattern, const uint32_t *text, int32_t n, TedArena *arena,
		   const TedInterrupt *interrupt, int32_t *length)
{
	return lcs_length_at_least(pattern, text, n, 0, arena, interrupt, length);
}
