/*
 * lcs_positions.c
 *	  Positions of a longest common subsequence.
 *
 * The table of lengths is scanned by tiles as for a length only, but the inputs of some tiles are
 * kept.  Then the trace goes from the ends of both strings to their beginnings.  The tiles that it
 * reaches are scanned again, and all their columns are kept.
 *
 * A band of the table suffices: the cells that the trace reads are on longest common subsequences,
 * which all lie in the band, or have a smaller length, which the band does not increase.
 */
#include "lcs_positions.h"
#include "lcs_compare.h"

/* Returns the bytes that lcs_positions() takes. */
size_t
lcs_positions_memory(int32_t m, int32_t n)
{
	return lcs_compare_memory(m, n, lcs_scan_side(m, n));
}

/* State of the trace from the ends of both strings. */
typedef struct Trace
{
	LcsScan *scan;
	int32_t m;         /* remaining symbols of the pattern */
	int32_t n;         /* remaining symbols of the text */
	int32_t remaining; /* length of their longest common subsequence */
	int32_t *pattern_position;
	int32_t *text_position;
} Trace;

/* Traces through the tiles of one run and one row of kept carries, word by word of V. */
static TedStatus
trace_tiles(Trace *trace)
{
	LcsScan *scan = trace->scan;
	const LcsPair *pair = scan->pair;
	size_t words = (size_t) scan->stripe->words;
	int32_t rows = lcs_stripe_rows(scan->stripe);
	int32_t run = (trace->n - 1) / scan->run;
	int32_t start = run * scan->run;
	int32_t last = (trace->m - 1) / rows;
	int32_t first = last / scan->stripes * scan->stripes;
	TedStatus status = lcs_scan_again(scan, run, first, last, trace->n);

	while (status == TED_OK && trace->m > first * rows && trace->n > start && trace->remaining > 0)
	{
		int32_t index = (trace->m - 1) / rows;
		int32_t word = (trace->m - 1) % rows / LCS_WORD_ROWS;
		int32_t first_row = index * rows + word * LCS_WORD_ROWS;
		const uint64_t *history = scan->history + (size_t) (index - first) * scan->history_words +
								  (size_t) word * words + (size_t) word;

		while (trace->m > first_row && trace->n > start && trace->remaining > 0)
		{
			int32_t i = trace->m - 1;
			int32_t j = trace->n - 1;

			if (pair->a[i] == pair->b[j])
			{
				trace->remaining--;
				trace->pattern_position[trace->remaining] = trace->m = i;
				trace->text_position[trace->remaining] = trace->n = j;
			}
			else if ((history[(size_t) (j - start) * words] >> (i - first_row)) & 1)
				trace->m = i;
			else
				trace->n = j;
		}
	}
	return status;
}

/* Computes the positions by the codes of the text; does not free its memory. */
static TedStatus
positions_of_codes(const LcsPattern *pattern, const int32_t *code, int32_t n, TedArena *arena,
				   const TedInterrupt *interrupt, int32_t *pattern_position, int32_t *text_position,
				   int32_t *length)
{
	LcsComparison comparison;
	LcsPair *pair = &comparison.pair;
	int64_t steps = 0;
	TedStatus status;

	/* the tie rule matches equal symbols at the ends, but not at the beginnings */
	*pair = (LcsPair){pattern->code, code, pattern->length, n, pattern->symbols.distinct};
	while (pair->m > 0 && pair->n > 0 && pair->a[pair->m - 1] == pair->b[pair->n - 1])
	{
		pair->m--;
		pair->n--;
		if (ted_interrupted(interrupt, &steps, 1))
			return TED_CANCELLED;
	}
	status =
		lcs_compare(&comparison, 0, lcs_scan_side(pattern->length, n), arena, interrupt, length);
	if (status == TED_OK && *length > 0 && comparison.sparse_enough)
		status = lcs_sparse_positions(&comparison.sparse, pattern_position, text_position);
	else
	{
		Trace trace = {&comparison.scan, pair->m,          pair->n,
					   *length,          pattern_position, text_position};

		while (status == TED_OK && trace.remaining > 0)
			status = trace_tiles(&trace);
	}
	for (int32_t i = pair->m, j = pair->n; status == TED_OK && j < n; i++, j++)
	{
		pattern_position[*length] = i;
		text_position[(*length)++] = j;
		if (ted_interrupted(interrupt, &steps, 1))
			status = TED_CANCELLED;
	}
	return status;
}

/* Computes the positions of a longest common subsequence of a pattern and a text. */
TedStatus
lcs_positions(const LcsPattern *pattern, const uint32_t *text, int32_t n, TedArena *arena,
			  const TedInterrupt *interrupt, int32_t *pattern_position, int32_t *text_position,
			  int32_t *length)
{
	size_t used = arena->used;
	int32_t *code;
	TedStatus status;

	if (lcs_positions_memory(pattern->length, n) > arena->size - arena->used)
		return TED_OUT_OF_ARENA;
	code = ted_arena_int32(arena, (size_t) n);
	if (code == NULL)
		return TED_OUT_OF_ARENA;
	status = lcs_encode(pattern, text, n, code, interrupt);
	if (status == TED_OK)
		status = positions_of_codes(pattern, code, n, arena, interrupt, pattern_position,
									text_position, length);
	arena->used = used;
	return status;
}
