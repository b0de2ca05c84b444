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
 * The table is computed in blocks of columns, a block in stripes of
 * STRIPE_WORDS words of V.  Match vectors exist for one stripe at a time, so
 * that they take little room for any alphabet; the carries go from one stripe
 * to the next in an array with one entry a column.
 */
#include <string.h>

#include "lcs.h"

#define WORD_BITS 64
#define STRIPE_WORDS 4
#define STRIPE_BITS (STRIPE_WORDS * WORD_BITS)
#define STRIPE_MATCH_BYTES ((STRIPE_BITS + 1) * STRIPE_WORDS * sizeof(uint64_t))

/* Most columns of a block; enough to make light of the setting up of a stripe. */
#define BLOCK_COLUMNS 4096

/* A distinct symbol of the pattern; code 0 marks a free slot. */
typedef struct Slot
{
	uint32_t symbol;
	int32_t code;
} Slot;

struct LcsPattern
{
	int32_t length;
	int32_t distinct; /* codes go from 1 to this; 0 is any symbol not in the pattern */
	int32_t *code;    /* by position */
	uint64_t *match;  /* by code, where the pattern fits one word; else NULL */
	Slot *slots;      /* hash table with linear probing, at most half full */
	uint32_t mask;    /* slots - 1 */
	int shift;        /* 32 - log2(slots) */
};

/* Working memory of one comparison. */
typedef struct Scan
{
	const LcsPattern *pattern;
	const TedInterrupt *interrupt;
	int64_t steps;      /* since the last interrupt check */
	uint64_t *v;        /* the column after those scanned so far */
	int32_t *text_code; /* code of the symbol, by column of the block */
	uint8_t *carry;     /* by column of the block */
	uint16_t *row;      /* row of `match`, by code; 0 for a symbol not in the stripe */
	uint64_t *match;    /* rows of STRIPE_WORDS words; row 0 is all zero */
} Scan;

/* The lesser of two numbers. */
static inline int32_t
min_i32(int32_t a, int32_t b)
{
	return a < b ? a : b;
}

/* Words of a column for a pattern of m symbols, in whole stripes; bits beyond m stay 1. */
static inline size_t
column_words(int32_t m)
{
	return ((size_t) m + STRIPE_BITS - 1) / STRIPE_BITS * STRIPE_WORDS;
}

/* log2 of the slots for a pattern: twice what its distinct symbols can be. */
static int
slot_bits(const uint32_t *pattern, int32_t m)
{
	uint32_t highest = 0;
	uint64_t distinct;
	int bits = 1;

	for (int32_t i = 0; i < m; i++)
		highest = pattern[i] > highest ? pattern[i] : highest;
	distinct = (uint64_t) highest + 1 < (uint64_t) m ? (uint64_t) highest + 1 : (uint64_t) m;
	while (((uint64_t) 1 << bits) < 2 * distinct)
		bits++;
	return bits;
}

/* Slot that holds a symbol or, where none does, the free one for it; counts the probes. */
static inline Slot *
find_slot(const LcsPattern *pattern, uint32_t symbol, int64_t *probes)
{
	uint32_t i = (symbol * UINT32_C(0x9E3779B1)) >> pattern->shift;

	while (++*probes, pattern->slots[i].code != 0 && pattern->slots[i].symbol != symbol)
		i = (i + 1) & pattern->mask;
	return &pattern->slots[i];
}

/* Bytes that lcs_prepare() takes. */
size_t
lcs_pattern_memory(const uint32_t *pattern, int32_t m)
{
	return ted_arena_bytes(sizeof(LcsPattern)) + ted_arena_bytes((size_t) m * sizeof(int32_t)) +
		   ted_arena_bytes(sizeof(Slot) << slot_bits(pattern, m)) +
		   (m <= WORD_BITS ? ted_arena_bytes(((size_t) m + 1) * sizeof(uint64_t)) : 0);
}

/* Numbers the distinct symbols of a pattern. */
TedStatus
lcs_prepare(const uint32_t *pattern, int32_t m, TedArena *arena, const TedInterrupt *interrupt,
			const LcsPattern **prepared)
{
	int bits = slot_bits(pattern, m);
	size_t slots = (size_t) 1 << bits;
	int64_t steps = 0;
	LcsPattern *p = ted_arena_alloc(arena, sizeof(LcsPattern));

	if (p == NULL)
		return TED_OUT_OF_ARENA;
	p->length = m;
	p->distinct = 0;
	p->mask = (uint32_t) (slots - 1);
	p->shift = 32 - bits;
	p->code = ted_arena_alloc(arena, (size_t) m * sizeof(int32_t));
	p->slots = ted_arena_alloc(arena, slots * sizeof(Slot));
	p->match = NULL;
	if (p->code == NULL || p->slots == NULL)
		return TED_OUT_OF_ARENA;
	memset(p->slots, 0, slots * sizeof(Slot));

	for (int32_t i = 0; i < m; i++)
	{
		Slot *slot = find_slot(p, pattern[i], &steps);

		if (slot->code == 0)
			*slot = (Slot){pattern[i], ++p->distinct};
		p->code[i] = slot->code;
		if (ted_interrupted(interrupt, &steps, 0))
			return TED_CANCELLED;
	}

	if (m <= WORD_BITS)
	{
		p->match = ted_arena_alloc(arena, ((size_t) m + 1) * sizeof(uint64_t));
		if (p->match == NULL)
			return TED_OUT_OF_ARENA;
		memset(p->match, 0, ((size_t) m + 1) * sizeof(uint64_t));
		for (int32_t i = 0; i < m; i++)
			p->match[p->code[i]] |= UINT64_C(1) << i;
	}
	*prepared = p;
	return TED_OK;
}

/* Bytes that scan_begin() takes. */
static size_t
scan_memory(int32_t m, int32_t columns)
{
	return ted_arena_bytes(column_words(m) * sizeof(uint64_t)) +
		   ted_arena_bytes((size_t) columns * sizeof(int32_t)) + ted_arena_bytes((size_t) columns) +
		   ted_arena_bytes(((size_t) m + 1) * sizeof(uint16_t)) +
		   ted_arena_bytes(STRIPE_MATCH_BYTES);
}

/* Takes the working memory for blocks of so many columns and sets column 0. */
static TedStatus
scan_begin(Scan *scan, const LcsPattern *pattern, int32_t columns, TedArena *arena,
		   const TedInterrupt *interrupt)
{
	size_t words = column_words(pattern->length);

	scan->pattern = pattern;
	scan->interrupt = interrupt;
	scan->steps = 0;
	scan->v = ted_arena_alloc(arena, words * sizeof(uint64_t));
	scan->text_code = ted_arena_alloc(arena, (size_t) columns * sizeof(int32_t));
	scan->carry = ted_arena_alloc(arena, (size_t) columns);
	scan->row = ted_arena_alloc(arena, ((size_t) pattern->length + 1) * sizeof(uint16_t));
	scan->match = ted_arena_alloc(arena, STRIPE_MATCH_BYTES);
	if (scan->v == NULL || scan->text_code == NULL || scan->carry == NULL || scan->row == NULL ||
		scan->match == NULL)
		return TED_OUT_OF_ARENA;
	memset(scan->v, 0xff, words * sizeof(uint64_t));
	memset(scan->row, 0, ((size_t) pattern->distinct + 1) * sizeof(uint16_t));
	memset(scan->match, 0, STRIPE_WORDS * sizeof(uint64_t));
	return TED_OK;
}

/* Gives the symbols of the pattern from `first` to before `end` rows of match vectors. */
static void
stripe_begin(Scan *scan, size_t first, size_t end)
{
	uint16_t rows = 0;

	for (size_t i = first; i < end; i++)
	{
		uint16_t *row = &scan->row[scan->pattern->code[i]];
		bool fresh = *row == 0;
		uint64_t *match;

		if (fresh)
			*row = ++rows;
		match = &scan->match[(size_t) *row * STRIPE_WORDS];
		if (fresh)
			memset(match, 0, STRIPE_WORDS * sizeof(uint64_t));
		match[(i - first) / WORD_BITS] |= UINT64_C(1) << (i % WORD_BITS);
	}
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

/* Takes the words of a stripe through a block; keeps each column of them in `history`, if any. */
static void
stripe_scan(Scan *scan, uint64_t *v, int32_t columns, uint64_t *history, size_t history_words)
{
	uint64_t s[STRIPE_WORDS];

	memcpy(s, v, sizeof(s));
	for (int32_t j = 0; j < columns; j++)
	{
		const uint64_t *match = &scan->match[(size_t) scan->row[scan->text_code[j]] * STRIPE_WORDS];
		uint64_t carry = scan->carry[j];

		s[0] = next_word(s[0], match[0], &carry);
		s[1] = next_word(s[1], match[1], &carry);
		s[2] = next_word(s[2], match[2], &carry);
		s[3] = next_word(s[3], match[3], &carry);
		scan->carry[j] = (uint8_t) carry;
		if (history != NULL)
			memcpy(history + (size_t) j * history_words, s, sizeof(s));
	}
	memcpy(v, s, sizeof(s));
}

/* Takes the first `m` bits of V through the next columns; keeps each in `history`, if any. */
static TedStatus
scan_block(Scan *scan, int32_t m, const uint32_t *text, int32_t columns, uint64_t *history)
{
	size_t words = column_words(m);

	for (int32_t j = 0; j < columns; j++)
	{
		scan->text_code[j] = find_slot(scan->pattern, text[j], &scan->steps)->code;
		if (ted_interrupted(scan->interrupt, &scan->steps, 0))
			return TED_CANCELLED;
	}
	memset(scan->carry, 0, (size_t) columns);

	for (size_t word = 0; word < words; word += STRIPE_WORDS)
	{
		size_t first = word * WORD_BITS;
		size_t end = first + STRIPE_BITS;

		if (end > (size_t) scan->pattern->length)
			end = (size_t) scan->pattern->length;
		stripe_begin(scan, first, end);
		stripe_scan(scan, scan->v + word, columns, history ? history + word : NULL, words);
		for (size_t i = first; i < end; i++)
			scan->row[scan->pattern->code[i]] = 0;
		if (ted_interrupted(scan->interrupt, &scan->steps,
							(int64_t) (columns + WORD_BITS) * STRIPE_WORDS))
			return TED_CANCELLED;
	}
	return TED_OK;
}

/* Length that a column stands for: its zero bits. */
static int32_t
column_length(const uint64_t *v, size_t words)
{
	int32_t length = 0;

	for (size_t word = 0; word < words; word++)
		length += __builtin_popcountll(~v[word]);
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
		uint64_t match = pattern->match[find_slot(pattern, text[j], &steps)->code];

		v = (v + (v & match)) | (v & ~match);
		if (ted_interrupted(interrupt, &steps, 0))
			return TED_CANCELLED;
	}
	*length = column_length(&v, 1);
	return TED_OK;
}

/* Bytes that lcs_length() takes. */
size_t
lcs_length_memory(int32_t m)
{
	return m <= WORD_BITS ? 0 : scan_memory(m, BLOCK_COLUMNS);
}

/* Length of the longest common subsequence of a pattern and a text. */
TedStatus
lcs_length(const LcsPattern *pattern, const uint32_t *text, int32_t n, TedArena *arena,
		   const TedInterrupt *interrupt, int32_t *length)
{
	size_t used = arena->used;
	Scan scan;
	TedStatus status;

	if (pattern->match != NULL)
		return length_one_word(pattern, text, n, interrupt, length);

	status = scan_begin(&scan, pattern, BLOCK_COLUMNS, arena, interrupt);
	for (int32_t start = 0; status == TED_OK && start < n;)
	{
		int32_t columns = min_i32(n - start, BLOCK_COLUMNS);

		status = scan_block(&scan, pattern->length, text + start, columns, NULL);
		start += columns;
	}
	if (status == TED_OK)
		*length = column_length(scan.v, column_words(pattern->length));
	arena->used = used;
	return status;
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
	size_t column_bytes = column_words(m) * sizeof(uint64_t);

	return scan_memory(m, columns) +
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
		uint64_t v = history[(size_t) (j - start) * words + (size_t) i / WORD_BITS];

		if (scan->pattern->code[i] == scan->text_code[j - start])
		{
			trace->remaining--;
			trace->pattern_position[trace->remaining] = trace->m = i;
			trace->text_position[trace->remaining] = trace->n = j;
		}
		else if ((v >> (i % WORD_BITS)) & 1)
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
	size_t words = column_words(pattern->length);
	int32_t columns = kept_columns(n);
	int32_t blocks = block_count(n, columns);
	Trace trace = {.m = pattern->length,
				   .n = n,
				   .pattern_position = pattern_position,
				   .text_position = text_position};
	Scan scan;
	TedStatus status = scan_begin(&scan, pattern, columns, arena, interrupt);
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
		*length = trace.remaining = column_length(scan.v, words);

	for (int32_t block = blocks - 1; status == TED_OK && trace.remaining > 0; block--)
	{
		int32_t start = block * columns;

		words = column_words(trace.m);
		memcpy(scan.v, kept + (size_t) block * column_words(pattern->length),
			   words * sizeof(uint64_t));
		status = scan_block(&scan, trace.m, text + start, trace.n - start, history);
		if (status == TED_OK)
			status = trace_block(&scan, &trace, start, history, words);
	}
	arena->used = used;
	return status;
}
