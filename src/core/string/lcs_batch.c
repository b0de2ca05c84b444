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

/* Whether match vectors are found by the byte of a text, not by code. */
static inline bool
found_by_byte(const LcsBatchKernel *kernel, int symbol_bytes)
{
	return symbol_bytes == 1 && !kernel->codes;
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

/* Returns the bytes of a batch with this kernel. */
static size_t
batch_kernel_memory(const LcsBatchKernel *kernel, int32_t distinct, int symbol_bytes)
{
	Batch batch;
	TedArena counting = {0};

	batch.kernel = kernel;
	batch.symbol_bytes = symbol_bytes;
	batch_layout(&batch, distinct, &counting);
	return counting.used;
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
		size_t bytes = batch_kernel_memory(&kernels[i], m, symbol_bytes);

		if (!has_rows(&kernels[i], m))
			continue;
		most = bytes > most ? bytes : most;
		if (m <= kernels[i].distinct)
			return m > LCS_WORD_BITS ? most + lcs_band_memory(m) : most;
	}
	wide_layout(symbol_bytes, longest, &counting);
	return counting.used + lcs_length_memory(m, longest);
}

/* Fills the tables by symbol and by code. */
static void
fill_codes(Batch *batch)
{
	const LcsPattern *pattern = batch->pattern;
	bool by_byte = found_by_byte(batch->kernel, batch->symbol_bytes);
	uint32_t words = (uint32_t) batch->kernel->words;
	uint16_t pages = 0;

	memset(batch->page, 0, sizeof(batch->page));
	for (uint32_t code = 1; code <= (uint32_t) pattern->symbols.distinct; code++)
	{
		uint32_t symbol = pattern->symbols.symbol[code];

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
}

/* Fills the match vectors; symbols that no text can have are left out. */
static void
fill_match(Batch *batch)
{
	const LcsPattern *pattern = batch->pattern;
	const LcsBatchKernel *kernel = batch->kernel;
	size_t words = match_vector_bytes(kernel, pattern->symbols.distinct, batch->symbol_bytes) /
				   sizeof(uint64_t);

	for (size_t i = 0; i < words; i++)
		batch->match[i] = kernel->blank;
	for (int32_t i = 0; i < pattern->length; i++)
	{
		uint32_t row = batch->row_of_code[pattern->code[i]];

		if (row != 0)
			batch->match[row + (uint32_t) (i / kernel->word_rows)] ^= UINT64_C(1)
																	  << i % kernel->word_rows;
	}
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

/* Sets the members that are the same in all blocks of columns. */
static void
batch_begin(Batch *batch)
{
	LcsBatchBlock *block = &batch->block;

	for (int i = 0; i < LCS_BATCH_BYTES; i++)
	{
		batch->code_of_byte[i] =
			(uint8_t) (batch->symbol_bytes == 1 ? symbol_code(batch, (uint32_t) i) : i + 1);
		if (batch->code_of_byte[i] == 0)
			block->unmatched = (uint8_t) i;
	}
	for (int i = 0; i < batch->kernel->texts; i++)
		batch->encoded_bytes[i] = encoded_text(batch, i);
	block->code = batch->code_of_byte;
	block->row = encoded_rows(batch, 0);
	block->words = batch->kernel->words;
	block->match = batch->match;
}

/* Returns the 32-bit symbol at a position. */
static inline uint32_t
wide_symbol_at(const uint8_t *symbols, int32_t position)
{
	uint32_t symbol;

	memcpy(&symbol, symbols + (size_t) position * sizeof(symbol), sizeof(symbol));
	return symbol;
}

/* Encodes the next columns of a text as codes less 1, for a kernel that reads bytes. */
static void
encode_bytes(Batch *batch, int text, const uint8_t *symbols, int32_t columns)
{
	uint8_t *code = encoded_text(batch, text);

	for (int32_t j = 0; j < columns; j++)
		code[j] = (uint8_t) (symbol_code(batch, wide_symbol_at(symbols, j)) - 1);
}

/* Encodes the next columns of a text for a kernel that reads rows. */
static void
encode_rows(Batch *batch, int text, const uint8_t *symbols, int32_t columns)
{
	int words = batch->kernel->words;
	uint32_t *row = encoded_rows(batch, text);

	if (batch->symbol_bytes == 1)
		batch->kernel->rows(row, symbols, columns, words);
	else
		for (int32_t j = 0; j < columns; j++)
			row[j] = (uint32_t) (symbol_code(batch, wide_symbol_at(symbols, j)) * words);
	memset(row + columns, 0,
		   ((size_t) (batch->block.columns - columns) + LCS_BATCH_PADDING) * sizeof(uint32_t));
}

/* Makes a block of the next columns of the texts side by side, from text `first` on. */
static inline void
make_block(Batch *batch, int first, int32_t columns)
{
	LcsBatchBlock *block = &batch->block;
	const LcsBatchKernel *kernel = batch->kernel;

	block->columns = columns;
	block->bytes = &batch->next[first];
	block->length = &batch->remaining[first];
	if (kernel->rows == NULL && batch->symbol_bytes == 1)
		return;
	block->bytes = batch->encoded_bytes;
	for (int i = 0; i < kernel->texts; i++)
		(kernel->rows == NULL ? encode_bytes : encode_rows)(
			batch, i, batch->next[first + i], ted_min(columns, batch->remaining[first + i]));
}

/* Advances the texts side by side past the block of columns. */
static void
leave_block(Batch *batch, int first)
{
	for (int i = first; i < first + batch->kernel->texts; i++)
	{
		int32_t filled = ted_min(batch->block.columns, batch->remaining[i]);

		batch->next[i] += (size_t) filled * (size_t) batch->symbol_bytes;
		batch->remaining[i] -= filled;
	}
}

/* Whether any of the texts side by side can still reach its minimum length. */
static bool
can_matter(const Batch *batch, int first, int count, const int32_t *length)
{
	for (int i = first; i < first + count; i++)
		if (length[i - first] + batch->remaining[i] >= batch->least[batch->text[i]])
			return true;
	return false;
}

/* Stores the lengths of texts side by side. */
static void
put_lengths(const Batch *batch, int first, int count, const int32_t *length, int32_t *lengths)
{
	for (int i = 0; i < count; i++)
	{
		int text = batch->text[first + i];
		bool below = batch->least != NULL && length[i] < batch->least[text];

		lengths[text] = below ? LCS_BELOW : length[i];
	}
}

/* Compares the pattern with `count` texts side by side, from text `first` on. */
static TedStatus
compare_texts(Batch *batch, int first, int count, int32_t *lengths)
{
	const LcsBatchKernel *kernel = batch->kernel;
	int32_t length[LCS_BATCH_TEXTS] = {0};
	uint64_t v[LCS_BATCH_WORDS];
	int32_t most = lcs_batch_columns(kernel->texts);
	int32_t longest = 0;

	if (batch->least != NULL)
		most = ted_min(most, COLUMNS_PER_CHECK);
	for (int i = 0; i < kernel->texts; i++)
		longest = ted_max(longest, batch->remaining[first + i]);
	batch->block.first = true;
	while (longest > 0)
	{
		int32_t columns = ted_min(longest, most);

		make_block(batch, first, columns);
		kernel->scan(v, &batch->block, length);
		if (ted_interrupted(batch->interrupt, &batch->steps, (int64_t) columns * LCS_BATCH_WORDS))
			return TED_CANCELLED;
		longest -= columns;
		batch->block.first = false;
		if (longest > 0)
			leave_block(batch, first);
		if (longest > 0 && batch->least != NULL && !can_matter(batch, first, count, length))
			break;
	}
	put_lengths(batch, first, count, length, lengths);
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

/* Compares the pattern with one text by a band if that is narrow enough. */
static TedStatus
compare_by_band(Batch *batch, const LcsText *text, int32_t least, TedArena *arena, bool *narrow,
				int32_t *length)
{
	const LcsPattern *pattern = batch->pattern;
	LcsBandPair pair = {.a = pattern->code,
						.b = text->symbols,
						.m = pattern->length,
						.n = text->length,
						.kind = batch->symbol_bytes == 1 ? LCS_BYTES_CODES : LCS_CODES,
						.prepared = pattern};
	int64_t band = (int64_t) pair.m + pair.n - 2 * (int64_t) least;

	*narrow = pair.m > LCS_WORD_BITS && band * BAND_PART <= pair.m && lcs_band_fits(&pair, least);
	return *narrow ? lcs_band(&pair, least, arena, batch->interrupt, length) : TED_OK;
}

/* Selects the texts to compare side by side, and computes the lengths of the others. */
static TedStatus
pick_texts(Batch *batch, const LcsText *texts, int count, TedArena *arena, uint16_t *picked,
		   int *picked_count, int32_t *lengths)
{
	*picked_count = 0;
	for (int i = 0; i < count; i++)
	{
		int32_t least = batch->least == NULL ? 0 : batch->least[i];
		bool known = texts[i].length < least || batch->pattern->length < least;
		TedStatus status = TED_OK;

		if (known)
			lengths[i] = LCS_BELOW;
		else if (least > 0)
			status = compare_by_band(batch, &texts[i], least, arena, &known, &lengths[i]);
		if (status != TED_OK)
			return status;
		picked[*picked_count] = (uint16_t) i;
		*picked_count += !known;
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

/* Compares the pattern with some texts, side by side unless there is a faster way. */
static TedStatus
compare_some(Batch *batch, const LcsText *texts, int count, TedArena *arena, int32_t *lengths)
{
	uint16_t picked[ORDERED_TEXTS];
	TedStatus status = pick_texts(batch, texts, count, arena, picked, &count, lengths);

	if (status == TED_OK && count > 0)
		order_texts(batch, texts, picked, count);
	for (int i = 0; status == TED_OK && i < count; i += batch->kernel->texts)
		status = compare_texts(batch, i, ted_min(count - i, batch->kernel->texts), lengths);
	return status;
}

/* Compares texts in groups, for patterns that fit the kernel. */
static TedStatus
compare_side_by_side(Batch *batch, const LcsText *texts, size_t count, const int32_t *least,
					 TedArena *arena, int32_t *lengths)
{
	int32_t distinct = batch->pattern->symbols.distinct;
	TedStatus status = TED_OK;

	batch_layout(batch, distinct, arena);
	if (ted_arena_exceeded(arena))
		return TED_OUT_OF_ARENA;
	memset(batch->code, 0, page_bytes(distinct));
	memset(batch->encoded, 0, encoded_bytes(batch->kernel));
	fill_codes(batch);
	fill_match(batch);
	batch_begin(batch);
	for (size_t done = 0; status == TED_OK && done < count; done += ORDERED_TEXTS)
	{
		int some = count - done < ORDERED_TEXTS ? (int) (count - done) : ORDERED_TEXTS;

		batch->least = least == NULL ? NULL : least + done;
		status = compare_some(batch, texts + done, some, arena, lengths + done);
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
