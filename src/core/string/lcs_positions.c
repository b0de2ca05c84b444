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

/* Traces through a word of V, whose first row is `first`; `history` starts after column `start`. */
static void
trace_word(Trace *trace, int32_t first, int32_t start, const uint64_t *history)
{
	const LcsPair *pair = trace->scan->pair;
	size_t words = (size_t) trace->scan->stripe->words;

	while (trace->m > first && trace->n > start && trace->remaining > 0)
	{
		int32_t i = trace->m - 1;
		int32_t j = trace->n - 1;

		if (pair->a[i] == pair->b[j])
		{
			trace->remaining--;
			trace->pattern_position[trace->remaining] = trace->m = i;
			trace->text_position[trace->remaining] = trace->n = j;
		}
		else if ((history[(size_t) (j - start) * words] >> (i - first)) & 1)
			trace->m = i;
		else
			trace->n = j;
	}
}

/* Traces through the tiles of one run and one row of kept carries. */
static TedStatus
trace_tiles(Trace *trace)
{
	LcsScan *scan = trace->scan;
	const LcsStripe *stripe = scan->stripe;
	int32_t rows = lcs_stripe_rows(stripe);
	int32_t run = (trace->n - 1) / scan->run;
	int32_t start = run * scan->run;
	int32_t last = (trace->m - 1) / rows;
	int32_t first = last / scan->stripes * scan->stripes;
	TedStatus status = lcs_scan_again(scan, run, first, last, trace->n);

	while (status == TED_OK && trace->m > first * rows && trace->n > start && trace->remaining > 0)
	{
		int32_t index = (trace->m - 1) / rows;
		int32_t word = (trace->m - 1) % rows / LCS_WORD_ROWS;
		const uint64_t *history = scan->history + (size_t) (index - first) * scan->history_words +
								  (size_t) word * (size_t) stripe->words + (size_t) word;

		trace_word(trace, index * rows + word * LCS_WORD_ROWS, start, history);
	}
	return status;
}

/* Computes the positions from a comparison that has found a length. */
static TedStatus
go_back(LcsComparison *comparison, int32_t length, int32_t *pattern_position,
		int32_t *text_position)
{
	const LcsPair *pair = &comparison->pair;
	Trace trace = {&comparison->scan, pair->m, pair->n, length, pattern_position, text_position};
	TedStatus status = TED_OK;

	if (length > 0 && comparison->sparse_enough)
		return lcs_sparse_positions(&comparison->sparse, pattern_position, text_position);
	while (status == TED_OK && trace.remaining > 0)
		status = trace_tiles(&trace);
	return status;
}

/* Appends the positions of the equal symbols that were trimmed from the ends. */
static TedStatus
append_end(const LcsPair *pair, int32_t n, const TedInterrupt *interrupt, int32_t *pattern_position,
		   int32_t *text_position, int32_t *length)
{
	int64_t steps = 0;

	for (int32_t i = pair->m, j = pair->n; j < n; i++, j++)
	{
		pattern_position[*length] = i;
		text_position[(*length)++] = j;
		if (ted_interrupted(interrupt, &steps, 1))
			return TED_CANCELLED;
	}
	return TED_OK;
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
static TedStatus
encode_and_trim(LcsComparison *comparison, const LcsPattern *pattern, const uint32_t *text,
				int32_t n, TedArena *arena, const TedInterrupt *interrupt)
{
	int32_t *code = ted_arena_int32(arena, (size_t) n);
	TedStatus status;

	if (code == NULL)
		return TED_OUT_OF_ARENA;
	comparison->pair =
		(LcsPair){pattern->code, code, pattern->length, n, pattern->symbols.distinct};
	status = lcs_encode(pattern, text, n, code, interrupt);
	return status == TED_OK ? trim_end(&comparison->pair, interrupt) : status;
}

/* Computes the positions of a longest common subsequence of a pattern and a text. */
TedStatus
lcs_positions(const LcsPattern *pattern, const uint32_t *text, int32_t n, TedArena *arena,
			  const TedInterrupt *interrupt, int32_t *pattern_position, int32_t *text_position,
			  int32_t *length)
{
	size_t used = arena->used;
	LcsComparison comparison;
	TedStatus status;

	if (lcs_positions_memory(pattern->length, n) > arena->size - arena->used)
		return TED_OUT_OF_ARENA;
	/* the tie rule matches equal symbols at the ends, but not at the beginnings */
	status = encode_and_trim(&comparison, pattern, text, n, arena, interrupt);
	if (status == TED_OK)
		status = lcs_compare(&comparison, 0, lcs_scan_side(pattern->length, n), arena, interrupt,
							 length);
	if (status == TED_OK)
		status = go_back(&comparison, *length, pattern_position, text_position);
	if (status == TED_OK)
		status =
			append_end(&comparison.pair, n, interrupt, pattern_position, text_position, length);
	arena->used = used;
	return status;
}
