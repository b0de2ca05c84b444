/*
 * lcs.c
 *	  Longest common subsequence, bit-parallel over 64-bit words.
 *
 * A column of the table of lengths L[i][j] (first i symbols of the pattern,
 * first j of the text) is kept as a bit vector V: bit i is 0 where
 * L[i + 1][j] is one more than L[i][j].  With the bit vector M of the pattern
 * positions that hold the next symbol of the text, the next column is
 * (V + (V & M)) | (V & ~M), a sum over all words with carry.
 *
 * The table is computed in blocks of columns, a block in stripes of a few
 * words of V.  Match vectors exist for one stripe at a time, so that they take
 * little room for any alphabet; the carries go from one stripe to the next in
 * an array over the columns.  Stripes of long patterns are scanned with
 * AVX-512 where the processor has it.
 */
#include <string.h>

#include "lcs_pattern.h"
#include "lcs_stripe.h"

#define STRIPE_WORDS 4

/* Shortest pattern for which the high stripes of AVX-512 pay. */
#define AVX512_ROWS 257

/* Working memory of one comparison. */
typedef struct Scan
{
	const LcsPattern *pattern;
	const TedInterrupt *interrupt;
	int64_t steps; /* since the last interrupt check */
	const LcsStripe *stripe;
	uint64_t *v; /* the column after those scanned so far */
	LcsBlock block;
} Scan;

/* The lesser of two numbers. */
static inline int32_t
min_i32(int32_t a, int32_t b)
{
	return a < b ? a : b;
}

/* Rows of a stripe. */
static inline size_t
stripe_rows(const LcsStripe *stripe)
{
	return (size_t) stripe->words * (size_t) stripe->word_rows;
}

/* Words of a column for a pattern of m symbols, in whole stripes; bits beyond m stay 1. */
static inline size_t
column_words(const LcsStripe *stripe, int32_t m)
{
	size_t rows = stripe_rows(stripe);

	return ((size_t) m + rows - 1) / rows * (size_t) stripe->words;
}

/* Bytes of the match vectors of a stripe: a row for each symbol in it and the blank one. */
static inline size_t
match_bytes(const LcsStripe *stripe, int32_t m)
{
	size_t rows = stripe_rows(stripe);

	if (rows > (size_t) m)
		rows = (size_t) m;
	return (rows + 1) * (size_t) stripe->words * sizeof(uint64_t);
}

/* The next value of one word of V; `carry` is 0 or 1, from the word below and to the one above. */
static inline uint64_t
next_word(uint64_t v, uint64_t match, uint64_t *carry)
{
	uint64_t sum = v + (v & match);
	uint64_t next = sum + *carry;

	*carry = (uint64_t) (sum < v) | (uint64_t) (next < sum);
	return next | (v & ~match);
}

/* Takes a stripe through a block word by word. */
static void
scan_words(uint64_t *v, const LcsBlock *block)
{
	uint64_t s[STRIPE_WORDS];

	memcpy(s, v, sizeof(s));
	for (int32_t j = 0; j < block->columns; j++)
	{
		const uint64_t *match = &block->match[(size_t) block->row[block->code[j]] * STRIPE_WORDS];
		uint64_t carry = block->carry[j];

		s[0] = next_word(s[0], match[0], &carry);
		s[1] = next_word(s[1], match[1], &carry);
		s[2] = next_word(s[2], match[2], &carry);
		s[3] = next_word(s[3], match[3], &carry);
		block->carry[j] = (uint8_t) carry;
		if (block->history != NULL)
			memcpy(block->history + (size_t) j * block->history_words, s, sizeof(s));
	}
	memcpy(v, s, sizeof(s));
}

static const LcsStripe plain_stripe = {STRIPE_WORDS, LCS_WORD_BITS, 0, 4096, scan_words};

/* The kernel for the length with a pattern of m symbols. */
static const LcsStripe *
length_stripe(int32_t m)
{
	const LcsStripe *stripe = m < AVX512_ROWS ? NULL : lcs_stripe_avx512();

	return stripe != NULL ? stripe : &plain_stripe;
}

/* Bytes that scan_begin() takes. */
static size_t
scan_memory(const LcsStripe *stripe, int32_t m, int32_t columns)
{
	return ted_arena_bytes(column_words(stripe, m) * sizeof(uint64_t)) +
		   ted_arena_bytes(((size_t) columns + LCS_PADDING) * sizeof(int32_t)) +
		   ted_arena_bytes((size_t) columns + LCS_PADDING) +
		   ted_arena_bytes(((size_t) m + 1) * sizeof(uint16_t)) +
		   ted_arena_bytes(match_bytes(stripe, m));
}

/* Takes the working memory for blocks of so many columns and sets column 0. */
static TedStatus
scan_begin(Scan *scan, const LcsStripe *stripe, const LcsPattern *pattern, int32_t columns,
		   TedArena *arena, const TedInterrupt *interrupt)
{
	size_t words = column_words(stripe, pattern->length);
	LcsBlock *block = &scan->block;

	scan->pattern = pattern;
	scan->interrupt = interrupt;
	scan->steps = 0;
	scan->stripe = stripe;
	scan->v = ted_arena_alloc(arena, words * sizeof(uint64_t));
	block->code = ted_arena_alloc(arena, ((size_t) columns + LCS_PADDING) * sizeof(int32_t));
	block->carry = ted_arena_alloc(arena, (size_t) columns + LCS_PADDING);
	block->row = ted_arena_alloc(arena, ((size_t) pattern->length + 1) * sizeof(uint16_t));
	block->match = ted_arena_alloc(arena, match_bytes(stripe, pattern->length));
	block->history = NULL;
	if (scan->v == NULL || block->code == NULL || block->carry == NULL || block->row == NULL ||
		block->match == NULL)
		return TED_OUT_OF_ARENA;
	memset(scan->v, 0xff, words * sizeof(uint64_t));
	memset(block->row, 0, ((size_t) pattern->distinct + 1) * sizeof(uint16_t));
	for (int word = 0; word < stripe->words; word++)
		block->match[word] = stripe->blank;
	return TED_OK;
}

/* Gives the symbols of the pattern from `first` to before `end` rows of match vectors. */
static void
stripe_begin(Scan *scan, size_t first, size_t end)
{
	const LcsStripe *stripe = scan->stripe;
	size_t words = (size_t) stripe->words;
	uint16_t rows = 0;
	size_t word = 0;
	int bit = 0;

	for (size_t i = first; i < end; i++)
	{
		uint16_t *row = &scan->block.row[scan->pattern->code[i]];

		if (*row == 0)
		{
			*row = ++rows;
			for (size_t k = 0; k < words; k += STRIPE_WORDS)
				memcpy(&scan->block.match[rows * words + k], scan->block.match,
					   STRIPE_WORDS * sizeof(uint64_t));
		}
		scan->block.match[*row * words + word] |= UINT64_C(1) << bit;
		if (++bit == stripe->word_rows)
		{
			bit = 0;
			word++;
		}
	}
}

/* Takes the first `m` bits of V through the next columns; keeps each in `history`, if any. */
static TedStatus
scan_block(Scan *scan, int32_t m, const uint32_t *text, int32_t columns, uint64_t *history)
{
	const LcsStripe *stripe = scan->stripe;
	LcsBlock *block = &scan->block;
	size_t words = column_words(stripe, m);
	size_t first = 0;

	for (int32_t j = 0; j < columns; j++)
	{
		block->code[j] = lcs_find_slot(scan->pattern, text[j], &scan->steps)->code;
		if (ted_interrupted(scan->interrupt, &scan->steps, 0))
			return TED_CANCELLED;
	}
	memset(block->code + columns, 0, LCS_PADDING * sizeof(int32_t));
	memset(block->carry, 0, (size_t) columns + LCS_PADDING);
	block->columns = columns;
	block->history = history;
	block->history_words = words;

	for (size_t word = 0; word < words; word += (size_t) stripe->words)
	{
		size_t end = first + stripe_rows(stripe);

		if (end > (size_t) scan->pattern->length)
			end = (size_t) scan->pattern->length;
		stripe_begin(scan, first, end);
		stripe->scan(scan->v + word, block);
		for (size_t i = first; i < end; i++)
			block->row[scan->pattern->code[i]] = 0;
		first = end;
		if (history != NULL)
			block->history += stripe->words;
		if (ted_interrupted(scan->interrupt, &scan->steps,
							(int64_t) (columns + LCS_WORD_BITS) * stripe->words))
			return TED_CANCELLED;
	}
	return TED_OK;
}

/* Length that a column stands for: its zero bits. */
static int32_t
column_length(const uint64_t *v, size_t words, uint64_t blank)
{
	int32_t length = 0;

	for (size_t word = 0; word < words; word++)
		length += __builtin_popcountll(~(v[word] | blank));
	return length;
}

/* lcs_length() for a pattern of at most one word. */
static TedStatus
length_one_word(const LcsPattern *pattern, const uint32_t *text, int32_t n,
				const TedInterrupt *interrupt, int32_t *length)
{
	uint64_t v = ~UINT64_C(0);
	int64_t steps = 0;

	for (int32_t j = 0; j < n; j++)
	{
		uint64_t match = pattern->match[lcs_find_slot(pattern, text[j], &steps)->code];

		v = (v + (v & match)) | (v & ~match);
		if (ted_interrupted(interrupt, &steps, 0))
			return TED_CANCELLED;
	}
	*length = column_length(&v, 1, 0);
	return TED_OK;
}

/* Bytes that lcs_stripe_length() takes. */
size_t
lcs_stripe_memory(const LcsStripe *stripe, int32_t m)
{
	return scan_memory(stripe, m, stripe->block_columns);
}

/* Bytes that lcs_length() takes. */
size_t
lcs_length_memory(int32_t m)
{
	return m <= LCS_WORD_BITS ? 0 : lcs_stripe_memory(length_stripe(m), m);
}

/* The 64-bit kernel. */
const LcsStripe *
lcs_stripe_plain(void)
{
	return &plain_stripe;
}

/* lcs_length() by one kind of stripes. */
TedStatus
lcs_stripe_length(const LcsStripe *stripe, const LcsPattern *pattern, const uint32_t *text,
				  int32_t n, TedArena *arena, const TedInterrupt *interrupt, int32_t *length)
{
	size_t used = arena->used;
	Scan scan;
	TedStatus status = scan_begin(&scan, stripe, pattern, stripe->block_columns, arena, interrupt);

	for (int32_t start = 0; status == TED_OK && start < n;)
	{
		int32_t columns = min_i32(n - start, stripe->block_columns);

		status = scan_block(&scan, pattern->length, text + start, columns, NULL);
		start += columns;
	}
	if (status == TED_OK)
		*length = column_length(scan.v, column_words(stripe, pattern->length), stripe->blank);
	arena->used = used;
	return status;
}

/* Length of the longest common subsequence of a pattern and a text. */
TedStatus
lcs_length(const LcsPattern *pattern, const uint32_t *text, int32_t n, TedArena *arena,
		   const TedInterrupt *interrupt, int32_t *length)
{
	if (pattern->match != NULL)
		return length_one_word(pattern, text, n, interrupt, length);
	return lcs_stripe_length(length_stripe(pattern->length), pattern, text, n, arena, interrupt,
							 length);
}

/* Columns of a block where columns have to be kept: about the square root of n. */
static int32_t
kept_columns(int32_t n)
{
	int32_t columns = 1;

	while ((int64_t) columns * columns < n)
		columns *= 2;
	return columns;
}

/* Blocks of so many columns that a text of n symbols has. */
static inline int32_t
block_count(int32_t n, int32_t columns)
{
	return (int32_t) (((int64_t) n + columns - 1) / columns);
}

/* Bytes that lcs_positions() takes. */
size_t
lcs_positions_memory(int32_t m, int32_t n)
{
	int32_t columns = kept_columns(n);
	size_t column_bytes = column_words(&plain_stripe, m) * sizeof(uint64_t);

	return scan_memory(&plain_stripe, m, columns) +
		   ted_arena_bytes((size_t) block_count(n, columns) * column_bytes) +
		   ted_arena_bytes((size_t) columns * column_bytes);
}

/* Where the trace from the ends of both strings has come to. */
typedef struct Trace
{
	int32_t m;         /* symbols of the pattern still to walk */
	int32_t n;         /* symbols of the text still to walk */
	int32_t remaining; /* length of their longest common subsequence */
	int32_t *pattern_position;
	int32_t *text_position;
} Trace;

/* Walks back through the columns of a block, the first of which follows text symbol `start`. */
static TedStatus
trace_block(Scan *scan, Trace *trace, int32_t start, const uint64_t *history, size_t words)
{
	while (trace->remaining > 0 && trace->n > start)
	{
		int32_t i = trace->m - 1;
		int32_t j = trace->n - 1;
		uint64_t v = history[(size_t) (j - start) * words + (size_t) i / LCS_WORD_BITS];

		if (scan->pattern->code[i] == scan->block.code[j - start])
		{
			trace->remaining--;
			trace->pattern_position[trace->remaining] = trace->m = i;
			trace->text_position[trace->remaining] = trace->n = j;
		}
		else if ((v >> (i % LCS_WORD_BITS)) & 1)
			trace->m = i;
		else
			trace->n = j;
		if (ted_interrupted(scan->interrupt, &scan->steps, 1))
			return TED_CANCELLED;
	}
	return TED_OK;
}

/* A longest common subsequence: keeps V before each block, then recomputes block by block. */
TedStatus
lcs_positions(const LcsPattern *pattern, const uint32_t *text, int32_t n, TedArena *arena,
			  const TedInterrupt *interrupt, int32_t *pattern_position, int32_t *text_position,
			  int32_t *length)
{
	size_t used = arena->used;
	size_t words = column_words(&plain_stripe, pattern->length);
	int32_t columns = kept_columns(n);
	int32_t blocks = block_count(n, columns);
	Trace trace = {.m = pattern->length,
				   .n = n,
				   .pattern_position = pattern_position,
				   .text_position = text_position};
	Scan scan;
	TedStatus status = scan_begin(&scan, &plain_stripe, pattern, columns, arena, interrupt);
	uint64_t *kept = ted_arena_alloc(arena, (size_t) blocks * words * sizeof(uint64_t));
	uint64_t *history = ted_arena_alloc(arena, (size_t) columns * words * sizeof(uint64_t));

	if (kept == NULL || history == NULL)
		status = TED_OUT_OF_ARENA;
	for (int32_t block = 0; status == TED_OK && block < blocks; block++)
	{
		int32_t start = block * columns;

		memcpy(kept + (size_t) block * words, scan.v, words * sizeof(uint64_t));
		status =
			scan_block(&scan, pattern->length, text + start, min_i32(columns, n - start), NULL);
	}
	if (status == TED_OK)
		*length = trace.remaining = column_length(scan.v, words, 0);

	for (int32_t block = blocks - 1; status == TED_OK && trace.remaining > 0; block--)
	{
		int32_t start = block * columns;

		words = column_words(&plain_stripe, trace.m);
		memcpy(scan.v, kept + (size_t) block * column_words(&plain_stripe, pattern->length),
			   words * sizeof(uint64_t));
		status = scan_block(&scan, trace.m, text + start, trace.n - start, history);
		if (status == TED_OK)
			status = trace_block(&scan, &trace, start, history, words);
	}
	arena->used = used;
	return status;
}
