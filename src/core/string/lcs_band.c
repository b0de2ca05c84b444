/*
 * lcs_band.c
 *	  Length of a longest common subsequence by a band of words, for short strings and narrow bands.
 *
 * Columns are processed in blocks, and in each block only the words that overlap the band
 * (lcs_scan.c explains why that is enough).  Up to four words (lcs_column.h) at a time stay in
 * registers, and pass their carries to the next ones as a word of bits.
 *
 * Symbols are not read before the band reaches them.  A word of the pattern is added to the match
 * vectors when the band reaches its first row, and removed when the band has left its last row;
 * another word then takes its place in the ring.  Each carry out of the highest word adds 1 to the
 * length, so that a pair is given up as soon as the remaining columns cannot add enough.
 */
#include <string.h>

#include "lcs_band.h"

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

/* Functions that are compiled for each kind of symbols. */
#define INLINE __attribute__((always_inline)) static inline

/* State of the scan of a band. */
typedef struct Band
{
	const LcsBandPair *pair;
	int64_t steps; /* since the last interrupt check */
	int32_t words; /* words of V */
	int32_t ring;  /* words of V and of a match vector that there is room for */
	int32_t first; /* first word of the band */
	int32_t end;   /* the word after the band */
	uint64_t *v;   /* [ring] */
	uint64_t *match;
	LcsSymbols symbols; /* of 32 bits; their codes number the match vectors */
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
 * pattern.  Patterns of more than LCS_BAND_TABLE symbols have at least one more than fit.
 */
static int32_t
vector_count(const LcsBandPair *pair)
{
	if (pair->prepared != NULL)
		return pair->prepared->symbols.distinct + 1;
	return pair->kind == LCS_BYTE_SYMBOLS ? LCS_BYTES : ted_min(pair->m, LCS_BAND_TABLE) + 1;
}

/* Whether the match vectors of the band are few enough. */
bool
lcs_band_fits(const LcsBandPair *pair, int32_t least)
{
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

/*
 * Allocates the memory of a band for this number of match vectors, and a hash table for `symbols`
 * symbols unless that is 0.
 */
static void
band_layout(Band *band, int32_t vectors, int32_t symbols, TedArena *arena)
{
	size_t words = (size_t) vectors * (size_t) band->ring;

	words = (words < LCS_BAND_TABLE ? words : LCS_BAND_TABLE) + CLEARED_TOGETHER;
	band->v = ted_arena_alloc(arena, (size_t) band->ring * sizeof(uint64_t));
	band->match = ted_arena_alloc(arena, words * sizeof(uint64_t));
	if (symbols > 0)
	{
		band->symbols.shift = lcs_symbols_shift((uint64_t) symbols);
		band->symbols.slots =
			ted_arena_alloc(arena, sizeof(uint16_t) * lcs_slot_count(band->symbols.shift));
		band->symbols.symbol = ted_arena_alloc(arena, ((size_t) symbols + 1) * sizeof(uint32_t));
	}
}

/* Bytes that lcs_band() takes for any pair that fits. */
size_t
lcs_band_memory(int32_t m)
{
	Band band = {.ring = ted_min(band_pattern_words(m), LCS_BAND_TABLE)};
	int32_t symbols = ted_min(m, LCS_BAND_TABLE);
	TedArena counting = {0};

	band_layout(&band, ted_max(symbols + 1, LCS_BYTES), symbols, &counting);
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
			match[i] = LCS_NO_MATCH;
}

/* Returns the number of the match vector of a row of the pattern; adds new symbols of 32 bits. */
INLINE size_t
row_vector(Band *band, int32_t row, LcsKind kind)
{
	const void *a = band->pair->a;
	uint32_t symbol;
	uint32_t slot;
	int32_t code;

	if (kind == LCS_CODES || kind == LCS_BYTES_CODES)
		return (size_t) ((const int32_t *) a)[row];
	if (kind == LCS_BYTE_SYMBOLS)
		return ((const uint8_t *) a)[row];
	symbol = ((const uint32_t *) a)[row];
	code = lcs_find_symbol(&band->symbols, sizeof(uint16_t), symbol, &slot, &band->steps);
	if (code == 0)
	{
		code = lcs_put_symbol(&band->symbols, sizeof(uint16_t), symbol, slot);
		clear_vectors(band, (size_t) code, 1);
	}
	return (size_t) code;
}

/* Returns the number of the match vector of a column of the text; counts the probes. */
INLINE size_t
column_vector(const Band *band, int32_t column, LcsKind kind, int64_t *probes)
{
	const LcsPattern *prepared = band->pair->prepared;
	const uint8_t *bytes = band->pair->b;
	const uint32_t *symbols = band->pair->b;
	uint32_t slot;

	if (kind == LCS_BYTE_SYMBOLS)
		return bytes[column];
	if (kind == LCS_BYTES_CODES)
		return (size_t) prepared->byte[bytes[column]];
	if (kind == LCS_CODES)
		return (size_t) lcs_code(prepared, symbols[column], probes);
	return (size_t) lcs_find_symbol(&band->symbols, sizeof(uint16_t), symbols[column], &slot,
									probes);
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

/*
 * Moves the band to a column, for lengths of at least `least`; lowers `end` to the next column
 * where its words change.
 */
INLINE TedStatus
move_band(Band *band, int32_t column, int32_t least, const TedInterrupt *interrupt, int32_t *end,
		  LcsKind kind)
{
	size_t ring = (size_t) band->ring;
	int32_t up = band->pair->m - least; /* rows above the diagonal of a column, and below it */
	int32_t down = band->pair->n - least;
	int64_t change;

	for (; first_row(band->first + 1) + down <= column; band->first++)
	{
		uint64_t *match = band->match + place(band, band->first);
		int32_t last = end_row(band, band->first);

		/* unless the place in the ring stays unused */
		if (band->ring < band->words)
			for (int32_t row = (int32_t) first_row(band->first); row < last; row++)
				match[row_vector(band, row, kind) * ring] = LCS_NO_MATCH;
	}
	for (; band->end < band->words && first_row(band->end) <= (int64_t) column + up; band->end++)
	{
		uint64_t *match = band->match + place(band, band->end);
		int32_t last = end_row(band, band->end);
		uint64_t bit = 1;

		band->v[place(band, band->end)] = LCS_NO_MATCH;
		for (int32_t row = (int32_t) first_row(band->end); row < last; row++, bit <<= 1)
			match[row_vector(band, row, kind) * ring] &= ~bit;
		if (ted_interrupted(interrupt, &band->steps, LCS_WORD_ROWS))
			return TED_CANCELLED;
	}
	change = first_row(band->first + 1) + down;
	if (band->end < band->words && first_row(band->end) - up < change)
		change = first_row(band->end) - up;
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
		uint64_t carry = lcs_next_words(s, vector[j] + offset, words, carries_in & 1);

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

/* Computes all columns by blocks; *length stays LCS_BELOW if the pair is given up. */
INLINE TedStatus
scan_columns(Band *band, int32_t least, const TedInterrupt *interrupt, int32_t *length,
			 LcsKind kind)
{
	int32_t n = band->pair->n;
	const uint64_t *vector[BLOCK_COLUMNS];
	int32_t gained = 0;

	for (int32_t column = 0, end; column < n; column = end)
	{
		/* a pair cannot be given up in fewer columns than symbols may still be left out */
		int32_t spare = gained + (n - column) - least;
		int32_t columns = ted_max(column == 0 ? FIRST_COLUMNS : NEXT_COLUMNS, spare);
		int64_t probes = 0;

		end = column + ted_min(ted_min(columns, BLOCK_COLUMNS), n - column);
		if (move_band(band, column, least, interrupt, &end, kind) != TED_OK)
			return TED_CANCELLED;
		columns = end - column;
		for (int32_t j = 0; j < columns; j++)
			vector[j] =
				band->match + column_vector(band, column + j, kind, &probes) * (size_t) band->ring;
		gained += __builtin_popcountll(scan_block(band, vector, columns));
		if (gained + (n - end) < least)
			return TED_OK;
		if (ted_interrupted(interrupt, &band->steps,
							probes + (int64_t) columns * (1 + band->end - band->first)))
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
	bool hashed = pair->kind == LCS_WIDE_SYMBOLS;
	int32_t vectors = vector_count(pair); /* that are cleared at the beginning */
	Band band = {
		.pair = pair, .words = band_pattern_words(pair->m), .ring = ring_words(pair, least)};
	TedStatus status = TED_OK;

	*length = LCS_BELOW;
	band_layout(&band, vectors, hashed ? pair->m : 0, arena);
	if (ted_arena_exceeded(arena))
		return TED_OUT_OF_ARENA;
	if (hashed)
	{
		memset(band.symbols.slots, 0, sizeof(uint16_t) * lcs_slot_count(band.symbols.shift));
		band.symbols.symbol[0] = 0;
		vectors = 1;
	}
	else if (pair->kind == LCS_BYTE_SYMBOLS)
		vectors = ted_max(lcs_bytes_bound(&(LcsText){pair->a, pair->m}),
						  lcs_bytes_bound(&(LcsText){pair->b, pair->n}));
	clear_vectors(&band, 0, (size_t) vectors);
	switch (pair->kind)
	{
		case LCS_CODES:
			status = scan_columns(&band, least, interrupt, length, LCS_CODES);
			break;
		case LCS_BYTES_CODES:
			status = scan_columns(&band, least, interrupt, length, LCS_BYTES_CODES);
			break;
		case LCS_BYTE_SYMBOLS:
			status = scan_columns(&band, least, interrupt, length, LCS_BYTE_SYMBOLS);
			break;
		case LCS_WIDE_SYMBOLS:
			status = scan_columns(&band, least, interrupt, length, LCS_WIDE_SYMBOLS);
			break;
	}
	arena->used = used;
	return status;
}
