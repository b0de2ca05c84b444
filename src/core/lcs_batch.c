/*
 * lcs_batch.c
 *	  Longest common subsequences of one pattern and many texts.
 *
 * The bit vectors V of lcs.c, for several texts side by side.  The match
 * vectors of the whole pattern exist once for all texts.  Texts are taken in
 * blocks, within which they are ordered by length, roughly, so that texts side
 * by side are about as long.
 */
#include <string.h>

#include "lcs_batch.h"
#include "lcs_pattern.h"

/* Texts that are ordered by length together. */
#define ORDERED_TEXTS 512

/* Symbols of a block, of all texts side by side. */
#define BLOCK_SYMBOLS 4096

/* Classes of length: 8 for each power of two. */
#define LENGTH_CLASSES 256

/* The greater of two numbers. */
static inline int32_t
max_i32(int32_t a, int32_t b)
{
	return a > b ? a : b;
}

/* The lesser of two numbers. */
static inline int32_t
min_i32(int32_t a, int32_t b)
{
	return a < b ? a : b;
}

/* The next value of a V of one word. */
static inline uint64_t
next_word(uint64_t v, uint64_t match)
{
	return (v + (v & match)) | (v & ~match);
}

#define WORD_TEXTS 4

/* Takes texts through a block, each in one word: together as far as all of them go. */
static void
scan_word(uint64_t *v, const LcsBatchBlock *block)
{
	const uint8_t *const *text = block->bytes;
	const uint8_t *code = block->code;
	const uint64_t *match = block->match;
	uint64_t s[WORD_TEXTS];
	int32_t common = block->columns;

	memcpy(s, v, sizeof(s));
	for (int i = 0; i < WORD_TEXTS; i++)
		common = min_i32(common, block->length[i]);
	for (int32_t j = 0; j < common; j++)
	{
		s[0] = next_word(s[0], match[code[text[0][j]]]);
		s[1] = next_word(s[1], match[code[text[1][j]]]);
		s[2] = next_word(s[2], match[code[text[2][j]]]);
		s[3] = next_word(s[3], match[code[text[3][j]]]);
	}
	for (int i = 0; i < WORD_TEXTS; i++)
		for (int32_t j = common; j < block->length[i]; j++)
			s[i] = next_word(s[i], match[code[text[i][j]]]);
	memcpy(v, s, sizeof(s));
}

static const LcsBatchKernel word_kernel = {WORD_TEXTS,    1,    LCS_WORD_BITS, 0,
										   LCS_WORD_BITS, true, scan_word};

/* The kernels that the processor has; returns their number. */
static int
batch_kernels(const LcsBatchKernel **kernels)
{
	int count = lcs_batch_avx512(kernels);

	if (count > 0)
		return count;
	*kernels = &word_kernel;
	return 1;
}

/* True where a kernel takes patterns of m symbols. */
static inline bool
has_rows(const LcsBatchKernel *kernel, int32_t m)
{
	return m <= kernel->words * kernel->word_rows;
}

/* The first kernel that a pattern fits, or NULL. */
static const LcsBatchKernel *
fitting_kernel(const LcsPattern *pattern)
{
	const LcsBatchKernel *kernels;
	int count = batch_kernels(&kernels);

	for (int i = 0; i < count; i++)
		if (has_rows(&kernels[i], pattern->length) && pattern->distinct <= kernels[i].distinct)
			return &kernels[i];
	return NULL;
}

/* One pattern, and the texts side by side. */
typedef struct Batch
{
	const LcsPattern *pattern;
	const LcsBatchKernel *kernel;
	int symbol_bytes;
	const TedInterrupt *interrupt;
	int64_t steps;                 /* since the last interrupt check */
	uint8_t code[LCS_BATCH_BYTES]; /* by byte that the kernel takes */
	uint32_t row[LCS_BATCH_BYTES]; /* of `match`, by byte of a text */
	uint64_t *match;
	char *encoded; /* columns of each text side by side, as the kernel takes them */
	LcsBatchBlock block;
} Batch;

/* Columns that a block has at most. */
static inline int32_t
block_columns(const LcsBatchKernel *kernel)
{
	return BLOCK_SYMBOLS / kernel->texts;
}

/* Bytes of the encoded columns of one text, with those around them. */
static inline size_t
encoded_stride(const LcsBatchKernel *kernel)
{
	return ((size_t) block_columns(kernel) + 2 * LCS_BATCH_PADDING) *
		   (kernel->bytes ? 1 : sizeof(uint32_t));
}

/* Bytes of the match vectors for so many codes; kernels that take bytes read all they can have. */
static inline size_t
match_bytes(const LcsBatchKernel *kernel, int32_t distinct)
{
	return (size_t) ((kernel->bytes ? kernel->distinct : distinct) + 1) * (size_t) kernel->words *
		   sizeof(uint64_t);
}

/* Bytes that lcs_batch() takes. */
size_t
lcs_batch_memory(int32_t m, int32_t longest)
{
	const LcsBatchKernel *kernels;
	int count = batch_kernels(&kernels);
	size_t most = 0;

	for (int i = 0; i < count; i++)
	{
		const LcsBatchKernel *kernel = &kernels[i];
		int32_t distinct = min_i32(m, kernel->distinct);
		size_t bytes = ted_arena_bytes(match_bytes(kernel, distinct)) +
					   ted_arena_bytes((size_t) kernel->texts * encoded_stride(kernel));

		if (!has_rows(kernel, m))
			continue;
		most = bytes > most ? bytes : most;
		if (distinct == m)
			return most;
	}
	return lcs_length_memory(m) + ted_arena_bytes((size_t) longest * sizeof(uint32_t));
}

/* Fills the match vectors and what finds them by byte. */
static TedStatus
batch_begin(Batch *batch, TedArena *arena)
{
	const LcsPattern *pattern = batch->pattern;
	const LcsBatchKernel *kernel = batch->kernel;
	size_t bytes = match_bytes(kernel, pattern->distinct);
	size_t encoded = (size_t) kernel->texts * encoded_stride(kernel);

	batch->match = ted_arena_alloc(arena, bytes);
	batch->encoded = ted_arena_alloc(arena, encoded);
	if (batch->match == NULL || batch->encoded == NULL)
		return TED_OUT_OF_ARENA;
	for (size_t i = 0; i < bytes / sizeof(uint64_t); i++)
		batch->match[i] = kernel->blank;
	for (int32_t i = 0; i < pattern->length; i++)
		batch->match[pattern->code[i] * kernel->words + i / kernel->word_rows] |=
			UINT64_C(1) << i % kernel->word_rows;
	memset(batch->encoded, 0, encoded);

	for (int i = 0; i < LCS_BATCH_BYTES; i++)
	{
		int32_t code = lcs_find_slot(pattern, (uint32_t) i, &batch->steps)->code;

		batch->row[i] = (uint32_t) (code * kernel->words);
		batch->code[i] = (uint8_t) (batch->symbol_bytes == 1 ? code : i);
		if (batch->code[i] == 0)
			batch->block.unmatched = (uint8_t) i;
	}
	batch->block.code = batch->code;
	batch->block.match = batch->match;
	return TED_OK;
}

/* Hands the kernel the next columns of a text in the way that it takes them. */
static void
encode(Batch *batch, int text, const char *symbols, int32_t columns)
{
	const LcsBatchKernel *kernel = batch->kernel;
	LcsBatchBlock *block = &batch->block;
	void *encoded = batch->encoded + (size_t) text * encoded_stride(kernel);
	uint8_t *code = encoded;
	uint32_t *row = (uint32_t *) encoded + LCS_BATCH_PADDING;
	uint32_t symbol;

	block->length[text] = columns;
	block->bytes[text] = code;
	block->row[text] = row;
	if (kernel->bytes && batch->symbol_bytes == 1)
		block->bytes[text] = (const uint8_t *) symbols;
	else if (kernel->bytes)
		for (int32_t j = 0; j < columns; j++)
		{
			memcpy(&symbol, symbols + (size_t) j * sizeof(symbol), sizeof(symbol));
			code[j] = (uint8_t) lcs_find_slot(batch->pattern, symbol, &batch->steps)->code;
		}
	else
	{
		if (batch->symbol_bytes == 1)
			for (int32_t j = 0; j < columns; j++)
				row[j] = batch->row[(uint8_t) symbols[j]];
		else
			for (int32_t j = 0; j < columns; j++)
			{
				memcpy(&symbol, symbols + (size_t) j * sizeof(symbol), sizeof(symbol));
				row[j] = (uint32_t) (lcs_find_slot(batch->pattern, symbol, &batch->steps)->code *
									 kernel->words);
			}
		memset(row + columns, 0,
			   ((size_t) (block->columns - columns) + LCS_BATCH_PADDING) * sizeof(uint32_t));
	}
}

/* Compares the pattern with texts side by side: `count` of them, at least one. */
static TedStatus
compare_texts(Batch *batch, const uint16_t *order, int count, const LcsText *texts,
			  int32_t *lengths)
{
	const LcsBatchKernel *kernel = batch->kernel;
	uint64_t v[LCS_BATCH_WORDS];
	int32_t longest = 0;
	int words = kernel->words;

	for (int i = 0; i < count; i++)
		longest = max_i32(longest, texts[order[i]].length);
	memset(v, 0xff, sizeof(v));
	for (int32_t start = 0, columns; start < longest; start += columns)
	{
		columns = min_i32(longest - start, block_columns(kernel));
		batch->block.columns = columns;
		for (int i = 0; i < kernel->texts; i++)
		{
			const LcsText *text = &texts[order[i < count ? i : 0]];
			int32_t begin = min_i32(start, text->length);
			int32_t end = i < count ? min_i32(start + columns, text->length) : begin;

			encode(batch, i,
				   (const char *) text->symbols + (size_t) begin * (size_t) batch->symbol_bytes,
				   end - begin);
		}
		kernel->scan(v, &batch->block);
		if (ted_interrupted(batch->interrupt, &batch->steps, (int64_t) columns * LCS_BATCH_WORDS))
			return TED_CANCELLED;
	}

	for (int i = 0; i < count; i++)
	{
		int32_t length = 0;

		for (int word = 0; word < words; word++)
			length += __builtin_popcountll(~(v[i * words + word] | kernel->blank));
		lengths[order[i]] = length;
	}
	return TED_OK;
}

/* Class of a length; longer ones have the same or a higher class. */
static inline int
length_class(int32_t length)
{
	int bits = 29 - __builtin_clz((uint32_t) length | 8); /* length >> (bits - 1) has 4 bits */

	return length < 8 ? length : 8 * bits + ((length >> (bits - 1)) & 7);
}

/* Orders texts by the class of their lengths; leaves them as they are where all have the same. */
static void
order_texts(const LcsText *texts, int count, uint16_t *order)
{
	uint16_t next[LENGTH_CLASSES + 1] = {0};
	int32_t shortest = texts[0].length;
	int32_t longest = texts[0].length;

	for (int i = 0; i < count; i++)
	{
		shortest = min_i32(shortest, texts[i].length);
		longest = max_i32(longest, texts[i].length);
		order[i] = (uint16_t) i;
	}
	if (length_class(shortest) == length_class(longest))
		return;
	for (int i = 0; i < count; i++)
		next[length_class(texts[i].length) + 1]++;
	for (int i = 0; i < LENGTH_CLASSES; i++)
		next[i + 1] = (uint16_t) (next[i + 1] + next[i]);
	for (int i = 0; i < count; i++)
		order[next[length_class(texts[i].length)]++] = (uint16_t) i;
}

/* lcs_batch() for patterns that fit no kernel. */
static TedStatus
compare_one_by_one(const LcsPattern *pattern, const LcsText *texts, size_t count, int symbol_bytes,
				   TedArena *arena, const TedInterrupt *interrupt, int32_t *lengths)
{
	int32_t longest = 0;
	uint32_t *wide;

	for (size_t i = 0; i < count; i++)
		longest = max_i32(longest, texts[i].length);
	wide = ted_arena_alloc(arena, (size_t) longest * sizeof(uint32_t));
	if (wide == NULL)
		return TED_OUT_OF_ARENA;

	for (size_t i = 0; i < count; i++)
	{
		const uint32_t *symbols = texts[i].symbols;
		TedStatus status;

		if (symbol_bytes == 1)
		{
			for (int32_t j = 0; j < texts[i].length; j++)
				wide[j] = ((const uint8_t *) texts[i].symbols)[j];
			symbols = wide;
		}
		status = lcs_length(pattern, symbols, texts[i].length, arena, interrupt, &lengths[i]);
		if (status != TED_OK)
			return status;
	}
	return TED_OK;
}

/* lcs_batch() for patterns that fit the kernel. */
static TedStatus
compare_side_by_side(Batch *batch, const LcsText *texts, size_t count, TedArena *arena,
					 int32_t *lengths)
{
	TedStatus status = batch_begin(batch, arena);
	uint16_t order[ORDERED_TEXTS];

	for (size_t first = 0; first < count; first += ORDERED_TEXTS)
	{
		int ordered = count - first < ORDERED_TEXTS ? (int) (count - first) : ORDERED_TEXTS;

		order_texts(texts + first, ordered, order);
		for (int i = 0; status == TED_OK && i < ordered; i += batch->kernel->texts)
			status = compare_texts(batch, order + i, min_i32(ordered - i, batch->kernel->texts),
								   texts + first, lengths + first);
	}
	return status;
}

/* Lengths of the longest common subsequences of a pattern and each text. */
TedStatus
lcs_batch(const LcsPattern *pattern, const LcsText *texts, size_t count, int symbol_bytes,
		  TedArena *arena, const TedInterrupt *interrupt, int32_t *lengths)
{
	size_t used = arena->used;
	Batch batch = {.pattern = pattern,
				   .kernel = fitting_kernel(pattern),
				   .symbol_bytes = symbol_bytes,
				   .interrupt = interrupt};
	TedStatus status;

	if (batch.kernel != NULL)
		status = compare_side_by_side(&batch, texts, count, arena, lengths);
	else
		status = compare_one_by_one(pattern, texts, count, symbol_bytes, arena, interrupt, lengths);
	arena->used = used;
	return status;
}
