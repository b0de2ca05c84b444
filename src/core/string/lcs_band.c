/*
 * lcs_band.c
 *	  Length of a longest common subsequence by a band of words, for short strings and narrow bands.
 *
 * The table of lengths is represented as in lcs_stripe.h: words of V have 63 rows, and bit 63
 * receives the carry.  Columns are processed in blocks, and in each block only the words that
 * overlap the band (lcs_scan.c explains why that is enough).  Up to four words at a time stay in
 * registers, and pass their carries to the next ones as a word of bits.
 *
 * Symbols are not read before the band reaches them.  A word of the pattern is added to the match
 * vectors when the band reaches its first row, and removed when the band has left its last row;
 * another word then takes its place in the ring.  Each carry out of the highest word adds 1 to the
 * length, so that a pair is given up as soon as the remaining columns cannot add enough.
 */
#include <string.h>

#include "lcs_band.h"
#include "lcs_stripe.h"

/* A word of a match vector without a match; a match is a 0 bit, and so is bit 63, of the carry. */
#define NO_MATCH (~LCS_BLANK)

/*
 * Columns of a block: the most, and those of the first block and of later ones, after each of which
 * a pair may be given up.
 */
#define BLOCK_COLUMNS 64
#define FIRST_COLUMNS 16
#define NEXT_COLUMNS 32

/* Most words that stay in registers. */
#define MOST_WORDS 4

/* Words of match vectors that are cleared at a time. */
#define CLEARED_TOGETHER 8

/* Estimated picoseconds of a word in a column, of a column, and of a row. */
#define WORD_COST 450
#define COLUMN_COST 1500
#define ROW_COST 1500

/* Most distinct symbols; their 16-bit codes fit a hash table that is at most half full. */
#define MOST_SYMBOLS 16384

/* Bits of a hash, of which the highest select a slot. */
#define HASH_BITS 32

/* Functions that are compiled for each kind of symbols. */
#define INLINE __attribute__((always_inline)) static inline

/* The kinds of symbols of a pair. */
typedef enum Kind
{
	CODES,       /* codes of a prepared pattern; the text has symbols of 32 bits */
	BYTES_CODES, /* codes of a prepared pattern; the text has bytes */
	BYTES,
	SYMBOLS
} Kind;

/* State of the scan of a band. */
typedef struct Band
{
	const LcsBandPair *pair;
	const TedInterrupt *interrupt;
	int64_t steps; /* since the last interrupt check */
	int32_t up;    /* rows of the band above the diagonal of a column */
	int32_t down;  /* rows of the band below it */

	int32_t words; /* words of V */
	int32_t ring;  /* words of V and of a match vector that there is room for */
	int32_t first; /* first word of the band */
	int32_t end;   /* the word after the band */
	uint64_t *v;   /* [ring] */
	uint64_t *match;

	/* for symbols of 32 bits that are not prepared */
	uint16_t *code; /* hash table with linear probing; 0 in free slots */
	int hash_bits;
	int32_t distinct;
	uint32_t *symbol; /* symbol by code */
} Band;

/* Returns the number of words of a pattern. */
static int32_t
band_pattern_words(int32_t m)
{
	return (int32_t) (((int64_t) m + LCS_WORD_ROWS - 1) / LCS_WORD_ROWS);
}

/* Returns an upper bound on the words that the band covers at a time. */
static int32_t
ring_words(const LcsBandPair *pair, int32_t least)
{
	int64_t rows = (int64_t) pair->m + pair->n - 2 * (int64_t) least + 1;
	int64_t words = (rows + LCS_WORD_ROWS - 1) / LCS_WORD_ROWS + 1;
	int32_t all = band_pattern_words(pair->m);

	return words < all ? (int32_t) words : all;
}

/*
 * Returns the number of match vectors: one for each symbol, and one for symbols outside the
 * pattern.
 */
static int32_t
vector_count(const LcsBandPair *pair)
{
	if (pair->prepared != NULL)
		return pair->prepared->distinct + 1;
	return pair->symbol_bytes == 1 ? LCS_BYTES : ted_min(pair->m, MOST_SYMBOLS) + 1;
}

/* Whether the match vectors of the band are few enough. */
bool
lcs_band_fits(const LcsBandPair *pair, int32_t least)
{
	if (pair->m > MOST_SYMBOLS && pair->prepared == NULL && pair->symbol_bytes != 1)
		return false;
	return (int64_t) vector_count(pair) * ring_words(pair, least) <= LCS_BAND_TABLE;
}

/* Returns the estimated picoseconds of the band. */
double
lcs_band_cost(const LcsBandPair *pair, int32_t least)
{
	double band = (double) pair->m + pair->n - 2.0 * least;
	double rows = band < pair->m ? band : pair->m;

	return pair->n * (COLUMN_COST + (1 + rows / LCS_WORD_ROWS) * WORD_COST) +
		   (double) pair->m * ROW_COST;
}

/* Returns log2 of the number of slots for m symbols, which are at least 2 m. */
static int
band_slot_bits(int32_t m)
{
	int bits = 6;

	while ((INT32_C(1) << bits) < 2 * m)
		bits++;
	return bits;
}

/* Returns the words of the match vectors, and of those that may be cleared after them. */
static size_t
match_words(int32_t vectors, int32_t ring)
{
	return (size_t) vectors * (size_t) ring + CLEARED_TOGETHER;
}

/*
 * Allocates the memory of a band with `words` words of match vectors, and a hash table for
 * `symbols` symbols unless that is 0.
 */
static void
band_layout(Band *band, size_t words, int32_t symbols, TedArena *arena)
{
	band->v = ted_arena_alloc(arena, (size_t) band->ring * sizeof(uint64_t));
	band->match = ted_arena_alloc(arena, words * sizeof(uint64_t));
	if (symbols == 0)
		return;
	band->code = ted_arena_alloc(arena, sizeof(uint16_t) << band_slot_bits(symbols));
	band->symbol = ted_arena_alloc(arena, ((size_t) symbols + 1) * sizeof(uint32_t));
}

/* Bytes that lcs_band() takes for any pair that fits. */
size_t
lcs_band_memory(int32_t m)
{
	LcsBandPair pair = {.m = m, .symbol_bytes = sizeof(uint32_t)};
	Band band = {.ring = ted_min(band_pattern_words(m), LCS_BAND_TABLE)};
	size_t words = match_words(ted_max(vector_count(&pair), LCS_BYTES), band.ring);
	TedArena counting = {0};

	if (words > match_words(LCS_BAND_TABLE, 1))
		words = match_words(LCS_BAND_TABLE, 1);
	band_layout(&band, words, ted_min(m, MOST_SYMBOLS), &counting);
	return counting.used;
}

/* Clears some match vectors, and up to CLEARED_TOGETHER - 1 words after them. */
static inline void
clear_vectors(Band *band, size_t first, size_t count)
{
	uint64_t *match = band->match + first * (size_t) band->ring;
	uint64_t *end = match + count * (size_t) band->ring;

	for (; match < end; match += CLEARED_TOGETHER)
		for (int i = 0; i < CLEARED_TOGETHER; i++)
			match[i] = NO_MATCH;
}

/* Returns the slot of a symbol, or the free slot where it belongs; counts the probes. */
static inline uint16_t *
find_band_slot(const Band *band, uint32_t symbol, int64_t *probes)
{
	uint32_t mask = (UINT32_C(1) << band->hash_bits) - 1;
	uint32_t i = (symbol * TED_HASH_STEP32) >> (HASH_BITS - band->hash_bits);

	while (++*probes, (band->code[i] != 0) & (band->symbol[band->code[i]] != symbol))
		i = (i + 1) & mask;
	return &band->code[i];
}

/* Returns the number of the match vector of a row of the pattern; adds new symbols of 32 bits. */
INLINE size_t
row_vector(Band *band, int32_t row, Kind kind)
{
	const void *a = band->pair->a;
	uint32_t symbol;
	uint16_t *slot;

	if (kind == CODES || kind == BYTES_CODES)
		return (size_t) ((const int32_t *) a)[row];
	if (kind == BYTES)
		return ((const uint8_t *) a)[row];
	symbol = ((const uint32_t *) a)[row];
	slot = find_band_slot(band, symbol, &band->steps);
	if (*slot == 0)
	{
		*slot = (uint16_t) ++band->distinct;
		band->symbol[band->distinct] = symbol;
		clear_vectors(band, band->distinct, 1);
	}
	return *slot;
}

/* Returns the number of the match vector of a column of the text; counts the probes. */
INLINE size_t
column_vector(const Band *band, int32_t column, Kind kind, int64_t *probes)
{
	const void *b = band->pair->b;

	if (kind == BYTES)
		return ((const uint8_t *) b)[column];
	if (kind == BYTES_CODES)
		return (size_t) band->pair->prepared->byte[((const uint8_t *) b)[column]];
	if (kind == CODES)
		return (size_t) lcs_code(band->pair->prepared, ((const uint32_t *) b)[column], probes);
	return *find_band_slot(band, ((const uint32_t *) b)[column], probes);
}

/* Finds the match vectors of some columns. */
INLINE void
find_vectors(Band *band, int32_t column, int32_t columns, const uint64_t **vector, Kind kind)
{
	size_t ring = (size_t) band->ring;
	int64_t probes = columns;

	for (int32_t j = 0; j < columns; j++)
		vector[j] = band->match + column_vector(band, column + j, kind, &probes) * ring;
	band->steps += probes;
}

/* Returns the place of a word in the ring. */
static inline int32_t
place(const Band *band, int32_t word)
{
	return word < band->ring ? word : word % band->ring;
}

/* Returns the first row of a word. */
static inline int64_t
first_row(int32_t word)
{
	return (int64_t) word * LCS_WORD_ROWS;
}

/* Returns the row after the last one of a word. */
static inline int32_t
end_row(const Band *band, int32_t word)
{
	int64_t end = first_row(word + 1);

	return end < band->pair->m ? (int32_t) end : band->pair->m;
}

/* Adds the next word of the pattern to the match vectors. */
INLINE void
enter_word(Band *band, Kind kind)
{
	size_t ring = (size_t) band->ring;
	int32_t word = band->end++;
	int32_t end = end_row(band, word);
	uint64_t *match = band->match + place(band, word);
	uint64_t bit = 1;

	band->v[place(band, word)] = NO_MATCH;
	for (int32_t row = (int32_t) first_row(word); row < end; row++, bit <<= 1)
		match[row_vector(band, row, kind) * ring] &= ~bit;
}

/* Removes the first word of the band from the match vectors, unless its place stays unused. */
INLINE void
leave_word(Band *band, Kind kind)
{
	size_t ring = (size_t) band->ring;
	int32_t word = band->first++;
	int32_t end = end_row(band, word);
	uint64_t *match = band->match + place(band, word);

	if (band->ring < band->words)
		for (int32_t row = (int32_t) first_row(word); row < end; row++)
			match[row_vector(band, row, kind) * ring] = NO_MATCH;
}

/* Moves the band to a column; lowers `end` to the next column where its words change. */
INLINE TedStatus
move_band(Band *band, int32_t column, int32_t *end, Kind kind)
{
	int64_t change;

	while (first_row(band->first + 1) + band->down <= column)
		leave_word(band, kind);
	while (band->end < band->words && first_row(band->end) <= (int64_t) column + band->up)
	{
		enter_word(band, kind);
		if (ted_interrupted(band->interrupt, &band->steps, LCS_WORD_ROWS))
			return TED_CANCELLED;
	}
	change = first_row(band->first + 1) + band->down;
	if (band->end < band->words && first_row(band->end) - band->up < change)
		change = first_row(band->end) - band->up;
	if (change < *end)
		*end = (int32_t) change;
	return TED_OK;
}

/*
 * Computes some words for the columns of a block.  Carries are bits, the lowest for the first
 * column; returns the carries out of the words.
 */
INLINE uint64_t
scan_band_words(uint64_t *v, const uint64_t *const *vector, int32_t offset, int32_t columns,
				uint64_t carries_in, int words)
{
	uint64_t s[MOST_WORDS];
	uint64_t carries_out = 0;

	for (int word = 0; word < words; word++)
		s[word] = v[word];
	for (int32_t j = 0; j < columns; j++)
	{
		const uint64_t *match = vector[j] + offset;
		uint64_t carry = carries_in & 1;

#pragma GCC unroll 4
		for (int word = 0; word < words; word++)
		{
			uint64_t kept = s[word] & match[word];

			s[word] = lcs_next_of_words(s[word], kept, carry);
			carry = s[word] >> LCS_WORD_ROWS;
		}
		carries_in >>= 1;
		carries_out = carries_out >> 1 | carry << LCS_WORD_ROWS;
	}
	for (int word = 0; word < words; word++)
		v[word] = s[word];
	return carries_out >> (BLOCK_COLUMNS - columns);
}

/* Computes the words of the band for the columns of a block; returns the carries out of them. */
static uint64_t
scan_block(Band *band, const uint64_t *const *vector, int32_t columns)
{
	uint64_t carries = 0;
	int32_t count;

	for (int32_t word = band->first; word < band->end; word += count)
	{
		int32_t at = place(band, word);
		uint64_t *v = band->v + at;

		count = ted_min(ted_min(band->end - word, band->ring - at), MOST_WORDS);
		if (count == 1)
			carries = scan_band_words(v, vector, at, columns, carries, 1);
		else if (count == 2)
			carries = scan_band_words(v, vector, at, columns, carries, 2);
		else if (count == 3)
			carries = scan_band_words(v, vector, at, columns, carries, 3);
		else
			carries = scan_band_words(v, vector, at, columns, carries, MOST_WORDS);
	}
	return carries;
}

/* Returns the number of match vectors that are cleared at the beginning. */
static int32_t
vectors_at_once(const LcsBandPair *pair)
{
	if (pair->prepared != NULL)
		return vector_count(pair);
	if (pair->symbol_bytes != 1)
		return 1;
	return ted_max(lcs_bytes_bound(&(LcsText){pair->a, pair->m}),
				   lcs_bytes_bound(&(LcsText){pair->b, pair->n}));
}

/* Allocates the memory of a band, and initializes it. */
static TedStatus
band_begin(Band *band, const LcsBandPair *pair, int32_t least, TedArena *arena,
		   const TedInterrupt *interrupt)
{
	int32_t vectors = vector_count(pair);
	bool hashed = pair->prepared == NULL && pair->symbol_bytes != 1;
	size_t words;

	*band = (Band){.pair = pair,
				   .interrupt = interrupt,
				   .up = pair->m - least,
				   .down = pair->n - least,
				   .words = band_pattern_words(pair->m),
				   .ring = ring_words(pair, least)};
	words = match_words(vectors, band->ring);
	band_layout(band, words, hashed ? pair->m : 0, arena);
	if (ted_arena_exceeded(arena))
		return TED_OUT_OF_ARENA;
	clear_vectors(band, 0, (size_t) vectors_at_once(pair));
	if (hashed)
	{
		band->hash_bits = band_slot_bits(pair->m);
		memset(band->code, 0, sizeof(uint16_t) << band->hash_bits);
		band->symbol[0] = 0;
	}
	return TED_OK;
}

/* Computes all columns by blocks; *length stays LCS_BELOW if the pair is given up. */
INLINE TedStatus
scan_columns(Band *band, int32_t least, int32_t *length, Kind kind)
{
	int32_t n = band->pair->n;
	const uint64_t *vector[BLOCK_COLUMNS];
	int32_t gained = 0;

	for (int32_t column = 0, end; column < n; column = end)
	{
		/* a pair cannot be given up in fewer columns than symbols may still be left out */
		int32_t spare = gained + (n - column) - least;
		int32_t columns = ted_max(column == 0 ? FIRST_COLUMNS : NEXT_COLUMNS, spare);

		end = column + ted_min(ted_min(columns, BLOCK_COLUMNS), n - column);
		if (move_band(band, column, &end, kind) != TED_OK)
			return TED_CANCELLED;
		find_vectors(band, column, end - column, vector, kind);
		gained += __builtin_popcountll(scan_block(band, vector, end - column));
		if (gained + (n - end) < least)
			return TED_OK;
		if (ted_interrupted(band->interrupt, &band->steps,
							(int64_t) (end - column) * (band->end - band->first)))
			return TED_CANCELLED;
	}
	*length = gained;
	return TED_OK;
}

/* Computes the length of a longest common subsequence if it is at least `least`. */
TedStatus
lcs_band(const LcsBandPair *pair, int32_t least, TedArena *arena, const TedInterrupt *interrupt,
		 int32_t *length)
{
	size_t used = arena->used;
	Band band;
	TedStatus status = band_begin(&band, pair, least, arena, interrupt);

	*length = LCS_BELOW;
	if (status != TED_OK)
		return status;
	if (pair->prepared != NULL && pair->symbol_bytes == 1)
		status = scan_columns(&band, least, length, BYTES_CODES);
	else if (pair->prepared != NULL)
		status = scan_columns(&band, least, length, CODES);
	else if (pair->symbol_bytes == 1)
		status = scan_columns(&band, least, length, BYTES);
	else
		status = scan_columns(&band, least, length, SYMBOLS);
	arena->used = used;
	return status;
}
