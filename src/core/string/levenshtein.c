/*
 * levenshtein.c
 *	  Levenshtein distance of two strings.
 *
 * Columns are those of bit_column.h.  Strings of more than 64 symbols are processed in stripes of
 * 64 rows: only the differences along the last row of a stripe are kept.
 */
#include <string.h>

#include "../common/bit_column.h"
#include "levenshtein.h"

/* Memory of a comparison if the prepared string has several words. */
typedef struct Layout
{
	int32_t *code;   /* codes of the text */
	int8_t *along;   /* by column: difference from the column before, in the row above the stripe */
	uint64_t *match; /* by code: its positions in the stripe */
} Layout;

/* Allocates the memory. */
static Layout
levenshtein_layout(int32_t m, int32_t n, TedArena *arena)
{
	Layout layout;

	layout.code = ted_arena_int32(arena, (size_t) n);
	layout.along = ted_arena_alloc(arena, (size_t) n);
	layout.match = ted_arena_alloc(arena, ((size_t) m + 1) * sizeof(uint64_t));
	return layout;
}

/* Bytes that ted_levenshtein_distance() takes. */
size_t
ted_levenshtein_memory(int32_t m, int32_t n)
{
	TedArena counting = {0};

	if (m > LCS_WORD_BITS)
		levenshtein_layout(m, n, &counting);
	return counting.used;
}

/*
 * Advances a stripe to the next column, given the rows that match it and the difference along the
 * row above; returns the difference along the row of bit `last`.
 */
static inline int
advance_stripe(TedBitColumn *column, uint64_t match, int above, int last)
{
	TedBitStep step = ted_bit_next_column(column, match, (TedBitStep){above > 0, above < 0});

	return (int) (step.grows >> last & 1) - (int) (step.shrinks >> last & 1);
}

/* Adds the changes of the distance if the prepared string fits one word. */
static TedStatus
levenshtein_in_word(const LcsPattern *pattern, const uint32_t *text, int32_t n,
					const TedInterrupt *interrupt, int32_t *distance)
{
	TedBitColumn column = ted_bit_first_column();
	const uint64_t *match = pattern->match;
	int last = pattern->length - 1;
	int32_t sum = 0;
	int64_t steps = 0;

	for (int32_t j = 0; j < n; j++)
	{
		sum += advance_stripe(&column, match[lcs_code(pattern, text[j], &steps)], 1, last);
		if (ted_interrupted(interrupt, &steps, 0))
			return TED_CANCELLED;
	}
	*distance += sum;
	return TED_OK;
}

/* Adds the changes of the distance if the prepared string has several words. */
static TedStatus
compare_stripes(const LcsPattern *pattern, const uint32_t *text, int32_t n, TedArena *arena,
				const TedInterrupt *interrupt, int32_t *distance)
{
	Layout layout = levenshtein_layout(pattern->length, n, arena);
	int32_t sum = 0; /* of the differences along the last row of a stripe */
	int64_t steps = 0;

	if (ted_arena_exceeded(arena))
		return TED_OUT_OF_ARENA;
	if (lcs_encode(pattern, text, n, layout.code, interrupt) != TED_OK)
		return TED_CANCELLED;
	memset(layout.along, 1, (size_t) n);
	memset(layout.match, 0, ((size_t) pattern->symbols.distinct + 1) * sizeof(uint64_t));
	for (int32_t first = 0; first < pattern->length; first += LCS_WORD_BITS)
	{
		const int32_t *code = pattern->code + first;
		int rows = ted_min(LCS_WORD_BITS, pattern->length - first);
		TedBitColumn column = ted_bit_first_column();

		sum = 0;
		for (int i = 0; i < rows; i++)
			layout.match[code[i]] |= UINT64_C(1) << i;
		for (int32_t j = 0; j < n;)
		{
			int32_t begin = j;
			int32_t end = ted_run_end(begin, n);

			for (; j < end; j++)
			{
				int along = advance_stripe(&column, layout.match[layout.code[j]], layout.along[j],
										   rows - 1);

				layout.along[j] = (int8_t) along;
				sum += along;
			}
			if (ted_interrupted(interrupt, &steps, end - begin))
				return TED_CANCELLED;
		}
		for (int i = 0; i < rows; i++)
			layout.match[code[i]] = 0;
	}
	*distance += sum;
	return TED_OK;
}

/* Computes the Levenshtein distance of a prepared string from another one. */
TedStatus
ted_levenshtein_distance(const LcsPattern *pattern, const uint32_t *text, int32_t n,
						 TedArena *arena, const TedInterrupt *interrupt, int32_t *distance)
{
	size_t used = arena->used;
	TedStatus status;

	*distance = pattern->length;
	if (pattern->length == 0)
	{
		*distance = n;
		return TED_OK;
	}
	if (pattern->length <= LCS_WORD_BITS)
		return levenshtein_in_word(pattern, text, n, interrupt, distance);
	status = compare_stripes(pattern, text, n, arena, interrupt, distance);
	arena->used = used;
	return status;
}
