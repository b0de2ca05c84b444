/*
 * lcs_batch.c
 *	  Lengths of the longest common subsequences of one pattern and many texts.
 *
 * The bit vectors V of lcs_column.h are computed for several texts at the same time.  The match
 * vectors of the whole pattern are shared by all texts.  Groups of texts are roughly ordered by
 * length, so that texts side by side have about the same length.
 *
 * With minimum lengths, texts that are too short are skipped, those for which a narrow band
 * suffices are compared one by one (lcs_band.c), and texts side by side are given up together when
 * none of them can reach its minimum.
 */
#include <string.h>

#include "lcs_band.h"
#include "lcs_batch.h"
#include "lcs_batch_kernel.h"
#include "lcs_length.h"

/* Number of texts that are ordered by length together. */
#define ORDERED_TEXTS 512

/*
 * Size and number of the pages of codes; there is a page for each 256 symbols below 65536 of which
 * the pattern has any.
 */
#define PAGE_SYMBOLS 256
#define PAGES 256

/* Most columns of a block of columns if texts may be given up after it. */
#define COLUMNS_PER_CHECK 64

/* A text is compared by a band if the band has at most 1 / BAND_PART of the pattern's rows. */
#define BAND_PART 2

/* Number of classes of lengths: 8 for each power of two. */
#define LENGTH_CLASSES 256

/* Lists the kernels that the processor has; returns their number. */
static int
batch_kernels(const LcsBatchKernel **kernels)
{
	int count = lcs_batch_avx512(kernels);

	return count > 0 ? count : lcs_batch_plain(kernels);
}

/* Whether a kernel has enough rows for patterns of m symbols. */
static inline bool
has_rows(const LcsBatchKernel *kernel, int32_t m)
{
	return m <= kernel->words * kernel->word_rows;
}

/* Returns the first kernel that a pattern fits, or NULL. */
static const LcsBatchKernel *
fitting_kernel(const LcsPattern *pattern)
{
	const LcsBatchKernel *kernels;
	int count = batch_kernels(&kernels);

	for (int i = 0; i < count; i++)
		if (has_rows(&kernels[i], pattern->length) &&
			pattern->symbols.distinct <= kernels[i].distinct)
			return &kernels[i];
	return NULL;
}

/* State of a batch: the pattern, and texts in the order in which they are compared with it. */
typedef struct Batch
{
	const LcsPattern *pattern;
	const LcsBatchKernel *kernel;
	int symbol_bytes;
	const int32_t *least; /* by text of the current group; NULL without minimum lengths */
	const TedInterrupt *interrupt;
	int64_t steps;         /* since the last interrupt check */
	uint16_t page[PAGES];  /* by symbol / PAGE_SYMBOLS: page, 0 if no symbol has a code */
	uint16_t *code;        /* [pages][PAGE_SYMBOLS] */
	uint32_t *row_of_code; /* by code: index in `match` */
	uint64_t *match;
	uint8_t *encoded; /* a block of columns of each text side by side, if the kernel does not read
					   * symbols */
	const uint8_t *encoded_bytes[LCS_BATCH_TEXTS];
	uint8_t code_of_byte[LCS_BATCH_BYTES];
	LcsBatchBlock block;

	/* by order: the remaining symbols; empty texts after the last one */
	const uint8_t *next[ORDERED_TEXTS + LCS_BATCH_TEXTS];
	int32_t remaining[ORDERED_TEXTS + LCS_BATCH_TEXTS];
	uint16_t text[ORDERED_TEXTS];
} Batch;

/* Returns the bytes of the pages of codes; the first page is blank. */
static inline size_t
page_bytes(int32_t distinct)
{
	return ((size_t) ted_min(distinct, PAGES) + 1) * PAGE_SYMBOLS * sizeof(uint16_t);
}

/* Returns the bytes of match vectors: a row for every byte or code of the texts, and row 0. */
static inline size_t
match_vector_bytes(const LcsBatchKernel *kernel, int32_t distinct, int symbol_bytes)
{
	int32_t rows = LCS_BATCH_BYTES;

	if (kernel->codes)
		rows = kernel->distinct;
	else if (kernel->rows != NULL && symbol_bytes != 1)
		rows = distinct;
	return ((size_t) rows + 1) * (size_t) kernel->words * sizeof(uint64_t);
}

/* Returns the distance between consecutive encoded texts in bytes. */
static inline size_t
encoded_stride(const LcsBatchKernel *kernel)
{
	return (size_t) lcs_batch_stride(kernel->texts) * (kernel->rows == NULL ? 1 : sizeof(uint32_t));
}

/* Returns the bytes of the encoded texts. */
static inline size_t
encoded_bytes(const LcsBatchKernel *kernel)
{
	return (size_t) kernel->texts * encoded_stride(kernel);
}

/* Returns the address of the encoded bytes of a text. */
static inline uint8_t *
encoded_text(const Batch *batch, int text)
{
	return batch->encoded + (size_t) text * encoded_stride(batch->kernel);
}

/* Returns the address of the rows of a text, after the padding. */
static inline uint32_t *
encoded_rows(const Batch *batch, int text)
{
	return (uint32_t *) (void *) encoded_text(batch, text) + LCS_BATCH_PADDING;
}

/* Allocates the working memory for a pattern with this number of distinct symbols. */
static void
batch_layout(Batch *batch, int32_t distinct, TedArena *arena)
{
	const LcsBatchKernel *kernel = batch->kernel;

	batch->code = ted_arena_alloc(arena, page_bytes(distinct));
	batch->row_of_code = ted_arena_alloc(arena, ((size_t) distinct + 1) * sizeof(uint32_t));
	batch->match =
		ted_arena_alloc(arena, match_vector_bytes(kernel, distinct, batch->symbol_bytes));
	batch->encoded = ted_arena_alloc(arena, encoded_bytes(kernel));
}

/* Allocates an array for bytes as 32-bit symbols; NULL if texts have such symbols. */
static uint32_t *
wide_layout(int symbol_bytes, int32_t longest, TedArena *arena)
{
	return symbol_bytes == 1 ? ted_arena_alloc(arena, (size_t) longest * sizeof(uint32_t)) : NULL;
}

/* Bytes that lcs_batch() takes. */
size_t
lcs_batch_memory(int32_t m, int symbol_bytes, int32_t longest)
{
	const LcsBatchKernel *kernels;
	int count = batch_kernels(&kernels);
	size_t most = 0;
	TedArena counting = {0};

	for (int i = 0; i < count; i++)
	{
		Batch batch;
		TedArena counted = {0};

		if (!has_rows(&kernels[i], m))
			continue;
		batch.kernel = &kernels[i];
		batch.symbol_bytes = symbol_bytes;
		batch_layout(&batch, m, &counted);
		most = ted_max_bytes(most, counted.used);
		if (m <= kernels[i].distinct)
			return m > LCS_WORD_BITS ? most + lcs_band_memory(m) : most;
	}
	wide_layout(symbol_bytes, longest, &counting);
	return counting.used + lcs_length_memory(m, longest);
}

/* Returns the code of a symbol. */
static inline int32_t
symbol_code(Batch *batch, uint32_t symbol)
{
	if (symbol < PAGES * PAGE_SYMBOLS)
		return batch
			->code[batch->page[symbol / PAGE_SYMBOLS] * PAGE_SYMBOLS + symbol % PAGE_SYMBOLS];
	return lcs_code(batch->pattern, symbol, &batch->steps);
}

/* Allocates and fills the tables of the pattern; sets what is the same in all blocks of columns. */
static TedStatus
batch_begin(Batch *batch, TedArena *arena)
{
	const LcsPattern *pattern = batch->pattern;
	const LcsBatchKernel *kernel = batch->kernel;
	LcsBatchBlock *block = &batch->block;
	int32_t distinct = pattern->symbols.distinct;
	bool by_byte = batch->symbol_bytes == 1 && !kernel->codes;
	uint32_t words = (uint32_t) kernel->words;
	uint16_t pages = 0;

	batch_layout(batch, distinct, arena);
	if (ted_arena_exceeded(arena))
		return TED_OUT_OF_ARENA;
	memset(batch->code, 0, page_bytes(distinct));
	memset(batch->encoded, 0, encoded_bytes(kernel));
	memset(batch->page, 0, sizeof(batch->page));
	for (uint32_t code = 1; code <= (uint32_t) distinct; code++)
	{
		uint32_t symbol = pattern->symbols.symbol[code];

		/* symbols that no text can have are left out */
		if (!by_byte)
			batch->row_of_code[code] = code * words;
		else
			batch->row_of_code[code] = symbol < LCS_BATCH_BYTES ? (symbol + 1) * words : 0;
		if (symbol < PAGES * PAGE_SYMBOLS)
		{
			uint16_t *page = &batch->page[symbol / PAGE_SYMBOLS];

			if (*page == 0)
				*page = ++pages;
			batch->code[*page * PAGE_SYMBOLS + symbol % PAGE_SYMBOLS] = (uint16_t) code;
		}
	}

	for (size_t i = match_vector_bytes(kernel, distinct, batch->symbol_bytes) / sizeof(uint64_t);
		 i > 0; i--)
		batch->match[i - 1] = kernel->blank;
	for (int32_t i = 0; i < pattern->length; i++)
	{
		uint32_t row = batch->row_of_code[pattern->code[i]];

		if (row != 0)
			batch->match[row + (uint32_t) (i / kernel->word_rows)] ^= UINT64_C(1)
																	  << i % kernel->word_rows;
	}

	for (int i = 0; i < LCS_BATCH_BYTES; i++)
	{
		batch->code_of_byte[i] =
			(uint8_t) (batch->symbol_bytes == 1 ? symbol_code(batch, (uint32_t) i) : i + 1);
		if (batch->code_of_byte[i] == 0)
			block->unmatched = (uint8_t) i;
	}
	for (int i = 0; i < kernel->texts; i++)
		batch->encoded_bytes[i] = encoded_text(batch, i);
	block->code = batch->code_of_byte;
	block->row = encoded_rows(batch, 0);
	block->words = kernel->words;
	block->match = batch->match;
	return TED_OK;
}

/* Returns the 32-bit symbol at a position. */
static inline uint32_t
wide_symbol_at(const uint8_t *symbols, int32_t position)
{
	uint32_t symbol;

	memcpy(&symbol, symbols + (size_t) position * sizeof(symbol), sizeof(symbol));
	return symbol;
}

/* Encodes the next columns of the texts side by side, from text `first` on. */
static void
encode_block(Batch *batch, int first, int32_t columns)
{
	const LcsBatchKernel *kernel = batch->kernel;

	for (int i = 0; i < kernel->texts; i++)
	{
		const uint8_t *symbols = batch->next[first + i];
		int32_t count = ted_min(columns, batch->remaining[first + i]);
		uint8_t *code = encoded_text(batch, i);
		uint32_t *row = encoded_rows(batch, i);

		if (kernel->rows == NULL)
		{
			/* the kernel reads bytes: codes less 1 */
			for (int32_t j = 0; j < count; j++)
				code[j] = (uint8_t) (symbol_code(batch, wide_symbol_at(symbols, j)) - 1);
			continue;
		}
		if (batch->symbol_bytes == 1)
			kernel->rows(row, symbols, count, kernel->words);
		else
			for (int32_t j = 0; j < count; j++)
				row[j] =
					(uint32_t) (symbol_code(batch, wide_symbol_at(symbols, j)) * kernel->words);
		memset(row + count, 0, ((size_t) (columns - count) + LCS_BATCH_PADDING) * sizeof(uint32_t));
	}
}

/* Compares the pattern with `count` texts side by side, from text `first` on. */
static TedStatus
compare_texts(Batch *batch, int first, int count, int32_t *lengths)
{
	const LcsBatchKernel *kernel = batch->kernel;
	LcsBatchBlock *block = &batch->block;
	bool in_place = kernel->rows == NULL && batch->symbol_bytes == 1;
	int32_t length[LCS_BATCH_TEXTS] = {0};
	uint64_t v[LCS_BATCH_WORDS];
	int32_t most = lcs_batch_columns(kernel->texts);
	int32_t longest = 0;
	bool can_matter = true;

	if (batch->least != NULL)
		most = ted_min(most, COLUMNS_PER_CHECK);
	for (int i = 0; i < kernel->texts; i++)
		longest = ted_max(longest, batch->remaining[first + i]);
	block->first = true;
	block->bytes = in_place ? &batch->next[first] : batch->encoded_bytes;
	block->length = &batch->remaining[first];
	while (longest > 0 && can_matter)
	{
		block->columns = ted_min(longest, most);
		if (!in_place)
			encode_block(batch, first, block->columns);
		kernel->scan(v, block, length);
		if (ted_interrupted(batch->interrupt, &batch->steps,
							(int64_t) block->columns * LCS_BATCH_WORDS))
			return TED_CANCELLED;
		longest -= block->columns;
		block->first = false;
		for (int i = first; longest > 0 && i < first + kernel->texts; i++)
		{
			int32_t done = ted_min(block->columns, batch->remaining[i]);

			batch->next[i] += (size_t) done * (size_t) batch->symbol_bytes;
			batch->remaining[i] -= done;
		}
		/* goes on while any text can still reach its minimum length */
		can_matter = batch->least == NULL;
		for (int i = 0; i < count && !can_matter; i++)
			can_matter =
				length[i] + batch->remaining[first + i] >= batch->least[batch->text[first + i]];
	}
	for (int i = 0; i < count; i++)
	{
		int text = batch->text[first + i];
		bool below = batch->least != NULL && length[i] < batch->least[text];

		lengths[text] = below ? LCS_BELOW : length[i];
	}
	return TED_OK;
}

/* Returns the class of a length; it does not decrease with the length. */
static inline int
length_class(int32_t length)
{
	int bits = 29 - __builtin_clz((uint32_t) length | 8); /* length >> (bits - 1) has 4 bits */

	return length < 8 ? length : 8 * bits + ((length >> (bits - 1)) & 7);
}

/* Stores a text at its place in the order. */
static inline void
put_text(Batch *batch, int place, const LcsText *texts, uint16_t text)
{
	batch->next[place] = texts[text].symbols;
	batch->remaining[place] = texts[text].length;
	batch->text[place] = text;
}

/* Orders the texts with the given numbers by the class of their lengths. */
static void
order_texts(Batch *batch, const LcsText *texts, const uint16_t *text, int count)
{
	uint16_t start[LENGTH_CLASSES + 1] = {0};
	int32_t shortest = INT32_MAX;
	int32_t longest = 0;

	for (int i = 0; i < count; i++)
	{
		shortest = ted_min(shortest, texts[text[i]].length);
		longest = ted_max(longest, texts[text[i]].length);
	}
	if (length_class(shortest) == length_class(longest))
		for (int i = 0; i < count; i++)
			put_text(batch, i, texts, text[i]);
	else
	{
		for (int i = 0; i < count; i++)
			start[length_class(texts[text[i]].length) + 1]++;
		for (int i = 0; i < LENGTH_CLASSES; i++)
			start[i + 1] = (uint16_t) (start[i + 1] + start[i]);
		for (int i = 0; i < count; i++)
			put_text(batch, start[length_class(texts[text[i]].length)]++, texts, text[i]);
	}
	for (int i = count; i < count + LCS_BATCH_TEXTS; i++)
	{
		batch->next[i] = batch->next[0];
		batch->remaining[i] = 0;
	}
}

/*
 * Selects the texts to compare side by side, and computes the lengths of the others: of those that
 * are too short, and, by a band, of those for which it is narrow enough.
 */
static TedStatus
pick_texts(Batch *batch, const LcsText *texts, int count, TedArena *arena, uint16_t *picked,
		   int *picked_count, int32_t *lengths)
{
	const LcsPattern *pattern = batch->pattern;

	*picked_count = 0;
	for (int i = 0; i < count; i++)
	{
		int32_t least = batch->least == NULL ? 0 : batch->least[i];
		LcsBandPair pair = {.a = pattern->code,
							.b = texts[i].symbols,
							.m = pattern->length,
							.n = texts[i].length,
							.kind = batch->symbol_bytes == 1 ? LCS_BYTES_CODES : LCS_CODES,
							.prepared = pattern};
		int64_t band = (int64_t) pair.m + pair.n - 2 * (int64_t) least;

		if (pair.m < least || pair.n < least)
			lengths[i] = LCS_BELOW;
		else if (least > 0 && pair.m > LCS_WORD_BITS && band * BAND_PART <= pair.m &&
				 lcs_band_fits(&pair, least))
		{
			TedStatus status = lcs_band(&pair, least, arena, batch->interrupt, &lengths[i]);

			if (status != TED_OK)
				return status;
		}
		else
			picked[(*picked_count)++] = (uint16_t) i;
		if (ted_interrupted(batch->interrupt, &batch->steps, 1))
			return TED_CANCELLED;
	}
	return TED_OK;
}

/* Compares texts one by one, for patterns that fit no kernel. */
static TedStatus
compare_one_by_one(const LcsPattern *pattern, const LcsText *texts, size_t count, int symbol_bytes,
				   const int32_t *least, TedArena *arena, const TedInterrupt *interrupt,
				   int32_t *lengths)
{
	int64_t words = pattern->length / LCS_WORD_BITS + 1;
	TedStatus status = TED_OK;
	int64_t steps = 0;
	int32_t longest = 0;
	uint32_t *wide;

	for (size_t i = 0; i < count; i++)
		longest = ted_max(longest, texts[i].length);
	wide = wide_layout(symbol_bytes, longest, arena);
	if (ted_arena_exceeded(arena))
		return TED_OUT_OF_ARENA;
	for (size_t i = 0; status == TED_OK && i < count; i++)
	{
		int32_t n = texts[i].length;
		const uint8_t *bytes = texts[i].symbols;

		for (int32_t j = 0; symbol_bytes == 1 && j < n; j++)
			wide[j] = bytes[j];
		status = lcs_length_at_least(pattern, symbol_bytes == 1 ? wide : texts[i].symbols, n,
									 least == NULL ? 0 : least[i], arena, interrupt, &lengths[i]);
		/* a short text does not call the callback itself */
		if (status == TED_OK && ted_interrupted(interrupt, &steps, n * words))
			status = TED_CANCELLED;
	}
	return status;
}

/* Compares texts in groups, side by side unless there is a faster way. */
static TedStatus
compare_side_by_side(Batch *batch, const LcsText *texts, size_t count, const int32_t *least,
					 TedArena *arena, int32_t *lengths)
{
	TedStatus status = batch_begin(batch, arena);

	for (size_t done = 0; status == TED_OK && done < count; done += ORDERED_TEXTS)
	{
		int some = count - done < ORDERED_TEXTS ? (int) (count - done) : ORDERED_TEXTS;
		uint16_t picked[ORDERED_TEXTS];

		batch->least = least == NULL ? NULL : least + done;
		status = pick_texts(batch, texts + done, some, arena, picked, &some, lengths + done);
		if (status == TED_OK && some > 0)
			order_texts(batch, texts + done, picked, some);
		for (int i = 0; status == TED_OK && i < some; i += batch->kernel->texts)
			status =
				compare_texts(batch, i, ted_min(some - i, batch->kernel->texts), lengths + done);
	}
	return status;
}

/* Computes the lengths of the longest common subsequences of a pattern and each text. */
TedStatus
lcs_batch(const LcsPattern *pattern, const LcsText *texts, size_t count, int symbol_bytes,
		  const int32_t *least, TedArena *arena, const TedInterrupt *interrupt, int32_t *lengths)
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
		status = compare_side_by_side(&batch, texts, count, least, arena, lengths);
	else
		status = compare_one_by_one(pattern, texts, count, symbol_bytes, least, arena, interrupt,
									lengths);
	arena->used = used;
	return status;
}
