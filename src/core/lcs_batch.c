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
scan_word(uint64_t *v, const LcsBatchBlock *block, int32_t *length)
{
	const uint8_t *const *text = block->bytes;
	const uint8_t *code = block->code;
	const uint64_t *match = block->match;
	uint64_t s[WORD_TEXTS];
	int32_t common = block->columns;

	memset(s, 0xff, sizeof(s));
	if (!block->first)
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
	for (int i = 0; i < WORD_TEXTS; i++)
		length[i] = __builtin_popcountll(~s[i]);
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

/* One pattern, and texts in the order in which they are compared with it. */
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
	uint8_t *encoded;      /* a block of each text side by side, as the kernel takes it */
	int32_t block_columns; /* most columns of a block */
	const uint8_t *encoded_bytes[LCS_BATCH_TEXTS];
	LcsBatchBlock block;

	/* by order: the symbols still to come; behind the last text, empty ones */
	const uint8_t *next[ORDERED_TEXTS + LCS_BATCH_TEXTS];
	int32_t left[ORDERED_TEXTS + LCS_BATCH_TEXTS];
	uint16_t text[ORDERED_TEXTS];
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
	size_t stride = encoded_stride(kernel);
	uint8_t *encoded;

	batch->block_columns = block_columns(kernel);
	batch->match = ted_arena_alloc(arena, bytes);
	batch->encoded = encoded = ted_arena_alloc(arena, (size_t) kernel->texts * stride);
	if (batch->match == NULL || encoded == NULL)
		return TED_OUT_OF_ARENA;
	for (size_t i = 0; i < bytes / sizeof(uint64_t); i++)
		batch->match[i] = kernel->blank;
	for (int32_t i = 0; i < pattern->length; i++)
		batch->match[pattern->code[i] * kernel->words + i / kernel->word_rows] |=
			UINT64_C(1) << i % kernel->word_rows;

	for (int i = 0; i < LCS_BATCH_BYTES; i++)
	{
		int32_t code = lcs_find_slot(pattern, (uint32_t) i, &batch->steps)->code;

		batch->row[i] = (uint32_t) (code * kernel->words);
		batch->code[i] = (uint8_t) (batch->symbol_bytes == 1 ? code : i);
		if (batch->code[i] == 0)
			batch->block.unmatched = (uint8_t) i;
	}
	memset(encoded, 0, (size_t) kernel->texts * stride);
	for (int i = 0; i < kernel->texts; i++)
	{
		batch->encoded_bytes[i] = encoded + (size_t) i * stride;
		batch->block.row[i] =
			(uint32_t *) (void *) (encoded + (size_t) i * stride) + LCS_BATCH_PADDING;
	}
	batch->block.code = batch->code;
	batch->block.match = batch->match;
	return TED_OK;
}

/* The code of a symbol of a text. */
static inline int32_t
symbol_code(Batch *batch, const uint8_t *symbols, int32_t column)
{
	uint32_t symbol;

	memcpy(&symbol, symbols + (size_t) column * sizeof(symbol), sizeof(symbol));
	return lcs_find_slot(batch->pattern, symbol, &batch->steps)->code;
}

/* Encodes the next columns of a text for a kernel that takes bytes. */
static void
encode_bytes(Batch *batch, uint8_t *code, const uint8_t *symbols, int32_t columns)
{
	for (int32_t j = 0; j < columns; j++)
		code[j] = (uint8_t) symbol_code(batch, symbols, j);
}

/* Encodes the next columns of a text for a kernel that takes rows. */
static void
encode_rows(Batch *batch, uint32_t *row, const uint8_t *symbols, int32_t columns)
{
	uint32_t words = (uint32_t) batch->kernel->words;

	if (batch->symbol_bytes == 1)
		for (int32_t j = 0; j < columns; j++)
			row[j] = batch->row[symbols[j]];
	else
		for (int32_t j = 0; j < columns; j++)
			row[j] = (uint32_t) symbol_code(batch, symbols, j) * words;
	memset(row + columns, 0,
		   ((size_t) (batch->block.columns - columns) + LCS_BATCH_PADDING) * sizeof(uint32_t));
}

/* Makes a block of the next columns of the texts side by side, the first of which is given. */
static inline void
make_block(Batch *batch, int first, int32_t columns)
{
	LcsBatchBlock *block = &batch->block;
	const LcsBatchKernel *kernel = batch->kernel;

	block->columns = columns;
	block->bytes = &batch->next[first];
	block->length = &batch->left[first];
	if (kernel->bytes && batch->symbol_bytes == 1)
		return;
	block->bytes = batch->encoded_bytes;
	for (int i = 0; i < kernel->texts; i++)
	{
		const uint8_t *symbols = batch->next[first + i];
		int32_t filled = min_i32(columns, batch->left[first + i]);
		uint8_t *encoded = batch->encoded + (size_t) i * encoded_stride(kernel);

		if (kernel->bytes)
			encode_bytes(batch, encoded, symbols, filled);
		else
			encode_rows(batch, (uint32_t *) (void *) encoded + LCS_BATCH_PADDING, symbols, filled);
	}
}

/* Leaves a block behind. */
static void
leave_block(Batch *batch, int first)
{
	for (int i = first; i < first + batch->kernel->texts; i++)
	{
		int32_t filled = min_i32(batch->block.columns, batch->left[i]);

		batch->next[i] += (size_t) filled * (size_t) batch->symbol_bytes;
		batch->left[i] -= filled;
	}
}

/* Compares the pattern with texts side by side, from the given one on. */
static TedStatus
compare_texts(Batch *batch, int first, int count, int32_t *lengths)
{
	int32_t length[LCS_BATCH_TEXTS] = {0};
	uint64_t v[LCS_BATCH_WORDS];
	int32_t longest = 0;

	for (int i = 0; i < batch->kernel->texts; i++)
		longest = max_i32(longest, batch->left[first + i]);
	batch->block.first = true;
	while (longest > 0)
	{
		int32_t columns = min_i32(longest, batch->block_columns);

		make_block(batch, first, columns);
		batch->kernel->scan(v, &batch->block, length);
		if (ted_interrupted(batch->interrupt, &batch->steps, (int64_t) columns * LCS_BATCH_WORDS))
			return TED_CANCELLED;
		longest -= columns;
		batch->block.first = false;
		if (longest > 0)
			leave_block(batch, first);
	}
	for (int i = 0; i < count; i++)
		lengths[batch->text[first + i]] = length[i];
	return TED_OK;
}

/* Class of a length; longer ones have the same or a higher class. */
static inline int
length_class(int32_t length)
{
	int bits = 29 - __builtin_clz((uint32_t) length | 8); /* length >> (bits - 1) has 4 bits */

	return length < 8 ? length : 8 * bits + ((length >> (bits - 1)) & 7);
}

/* Takes up to ORDERED_TEXTS texts, ordered by the class of their lengths. */
static void
order_texts(Batch *batch, const LcsText *texts, int count)
{
	uint16_t start[LENGTH_CLASSES + 1] = {0};
	int32_t shortest = texts[0].length;
	int32_t longest = texts[0].length;

	for (int i = 0; i < count; i++)
	{
		shortest = min_i32(shortest, texts[i].length);
		longest = max_i32(longest, texts[i].length);
	}
	if (length_class(shortest) == length_class(longest))
		for (int i = 0; i < count; i++)
		{
			batch->next[i] = texts[i].symbols;
			batch->left[i] = texts[i].length;
			batch->text[i] = (uint16_t) i;
		}
	else
	{
		for (int i = 0; i < count; i++)
			start[length_class(texts[i].length) + 1]++;
		for (int i = 0; i < LENGTH_CLASSES; i++)
			start[i + 1] = (uint16_t) (start[i + 1] + start[i]);
		for (int i = 0; i < count; i++)
		{
			int at = start[length_class(texts[i].length)]++;

			batch->next[at] = texts[i].symbols;
			batch->left[at] = texts[i].length;
			batch->text[at] = (uint16_t) i;
		}
	}
	for (int i = count; i < count + LCS_BATCH_TEXTS; i++)
	{
		batch->next[i] = batch->next[0];
		batch->left[i] = 0;
	}
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

	for (size_t done = 0; done < count; done += ORDERED_TEXTS)
	{
		int ordered = count - done < ORDERED_TEXTS ? (int) (count - done) : ORDERED_TEXTS;

		order_texts(batch, texts + done, ordered);
		for (int i = 0; status == TED_OK && i < ordered; i += batch->kernel->texts)
			status =
				compare_texts(batch, i, min_i32(ordered - i, batch->kernel->texts), lengths + done);
	}
	return status;
}

/* Lengths of the longest common subsequences of a pattern and each text. */
TedStatus
lcs_batch(const LcsPattern *pattern, const LcsText *texts, size_t count, int symbol_bytes,
		  TedArena *arena, const TedInterrupt *interrupt, int32_t *lengths)
{
	size_t used = arena->used;
	const LcsBatchKernel *kernel = fitting_kernel(pattern);
	Batch batch;
	TedStatus status;

	batch.pattern = pattern;
	batch.kernel = kernel;
	batch.symbol_bytes = symbol_bytes;
	batch.interrupt = interrupt;
	batch.steps = 0;
	if (kernel != NULL)
		status = compare_side_by_side(&batch, texts, count, arena, lengths);
	else
		status = compare_one_by_one(pattern, texts, count, symbol_bytes, arena, interrupt, lengths);
	arena->used = used;
	return status;
}
