/*
 * lcs_length.c
 *	  Length of a longest common subsequence, by the fastest way.
 *
 * Strings that fit into vectors are compared as they are (lcs_short.h).  Where one string fits one
 * word, the other one is compared with it symbol by symbol.  Else equal symbols at both ends are
 * trimmed.  Somewhat longer strings, and narrow bands of long ones, are then compared by
 *lcs_band.c, and all others by codes (lcs_compare.c), for which a string that is not prepared is
 *prepared.
 */
#include "lcs_length.h"

#include <string.h>

#include "lcs_band.h"
#include "lcs_compare.h"
#include "lcs_short.h"

/* Columns between two checks whether the remaining columns can add enough. */
#define COLUMNS_PER_CHECK 8

/* Up to this number of bytes of both strings, their entries are cleared one by one. */
#define FEW_BYTES 48

/* Slots for the symbols of a word, four times as many, and the shift of a hash to a slot. */
#define SLOTS 256
#define SLOT_SHIFT 24

/* Functions that are compiled for each kind of symbols. */
#define INLINE __attribute__((always_inline)) static inline

/* The kinds of symbols of a pair. */
typedef enum Kind
{
	CODES, /* codes of a prepared pattern; the text has symbols of 32 bits */
	BYTES,
	SYMBOLS
} Kind;

/* Positions of the symbols of one string in a word. */
typedef struct WordTable
{
	uint64_t match[LCS_BYTES]; /* by byte, or by number of a symbol */
	uint8_t number[SLOTS];     /* hash table with linear probing; 0 in free slots */
	uint32_t symbol[LCS_WORD_BITS + 1];
	int distinct;
} WordTable;

/*
 * Whether a position of the first string of a pair has the same symbol as one of the second string;
 * counts the steps.
 */
INLINE bool
equal_at(const void *a, int32_t i, const void *b, int32_t j, Kind kind, const LcsPattern *prepared,
		 int64_t *steps)
{
	if (kind == CODES)
		return ((const int32_t *) a)[i] == lcs_code(prepared, ((const uint32_t *) b)[j], steps);
	++*steps;
	return kind == BYTES ? ((const uint8_t *) a)[i] == ((const uint8_t *) b)[j]
						 : ((const uint32_t *) a)[i] == ((const uint32_t *) b)[j];
}

/* Trims equal symbols from both ends. */
INLINE TedStatus
trim_kind(LcsBandPair *pair, Kind kind, const TedInterrupt *interrupt)
{
	const void *a = pair->a;
	const void *b = pair->b;
	int32_t m = pair->m;
	int32_t n = pair->n;
	int32_t shorter = ted_min(m, n);
	size_t bytes = kind == BYTES ? 1 : sizeof(uint32_t);
	int32_t equal = 0;
	int64_t steps = 0;

	for (; equal < shorter && equal_at(a, equal, b, equal, kind, pair->prepared, &steps); equal++)
		if (ted_interrupted(interrupt, &steps, 0))
			return TED_CANCELLED;
	for (; shorter > equal && equal_at(a, m - 1, b, n - 1, kind, pair->prepared, &steps);
		 m--, n--, shorter--)
		if (ted_interrupted(interrupt, &steps, 0))
			return TED_CANCELLED;
	pair->a = (const char *) a + (size_t) equal * bytes;
	pair->b = (const char *) b + (size_t) equal * bytes;
	pair->m = m - equal;
	pair->n = n - equal;
	return TED_OK;
}

/* Returns the slot of a symbol's number, or the free slot where it belongs. */
static inline uint8_t *
find_number(WordTable *table, uint32_t symbol)
{
	uint32_t i = (symbol * TED_HASH_STEP32) >> SLOT_SHIFT;

	while ((table->number[i] != 0) & (table->symbol[table->number[i]] != symbol))
		i = (i + 1) % SLOTS;
	return &table->number[i];
}

/* Fills a table with the positions of bytes. */
static void
tabulate_bytes(WordTable *table, const LcsText *a, const LcsText *b)
{
	const uint8_t *of_a = a->symbols;
	const uint8_t *of_b = b->symbols;

	/* only the entries of bytes that occur must be cleared */
	if (a->length + (int64_t) b->length > FEW_BYTES)
		memset(table->match, 0,
			   (size_t) ted_max(lcs_bytes_bound(a), lcs_bytes_bound(b)) * sizeof(uint64_t));
	else
	{
		for (int32_t j = 0; j < b->length; j++)
			table->match[of_b[j]] = 0;
		for (int32_t i = 0; i < a->length; i++)
			table->match[of_a[i]] = 0;
	}
	for (int32_t i = 0; i < a->length; i++)
		table->match[of_a[i]] |= UINT64_C(1) << i;
}

/* Fills a table with the positions of 32-bit symbols. */
static void
tabulate_symbols(WordTable *table, const LcsText *a)
{
	const uint32_t *symbols = a->symbols;
	int distinct = 0;

	memset(table->number, 0, sizeof(table->number));
	table->match[0] = 0;
	table->symbol[0] = 0;
	for (int32_t i = 0; i < a->length; i++)
	{
		uint8_t *number = find_number(table, symbols[i]);

		if (*number == 0)
		{
			*number = (uint8_t) ++distinct;
			table->symbol[distinct] = symbols[i];
			table->match[distinct] = 0;
		}
		table->match[*number] |= UINT64_C(1) << i;
	}
}

/*
 * Compares a text with a string of one word, whose positions are in the table or, by codes, in a
 * prepared pattern; *length is not set if it is below `least`.
 */
INLINE TedStatus
scan_word(WordTable *table, const LcsPattern *prepared, const LcsText *text, Kind kind,
		  int32_t least, const TedInterrupt *interrupt, int32_t *length)
{
	const uint64_t *match = kind == CODES ? prepared->match : table->match;
	uint64_t v = ~UINT64_C(0);
	int32_t gained = 0;
	int64_t steps = 0;

	for (int32_t j = 0; j < text->length;)
	{
		int32_t end = j + ted_min(COLUMNS_PER_CHECK, text->length - j);

		for (; j < end; j++)
		{
			uint32_t symbol = kind == BYTES ? ((const uint8_t *) text->symbols)[j]
											: ((const uint32_t *) text->symbols)[j];

			if (kind == CODES)
				symbol = (uint32_t) lcs_code(prepared, symbol, &steps);
			else if (kind == SYMBOLS)
				symbol = *find_number(table, symbol);
			v = lcs_next_word(v, match[symbol], &gained);
		}
		if (gained + (text->length - j) < least)
			return TED_OK;
		if (ted_interrupted(interrupt, &steps, kind == CODES ? 0 : COLUMNS_PER_CHECK))
			return TED_CANCELLED;
	}
	*length = gained;
	return TED_OK;
}

/* Computes the length for two strings of which one fits a word. */
static TedStatus
compare_with_word(const LcsBandPair *pair, int32_t least, const TedInterrupt *interrupt,
				  int32_t *length)
{
	/* each step needs the one before, so the shorter string is the text if both fit */
	LcsText a = {pair->a, pair->m};
	LcsText b = {pair->b, pair->n};
	bool both = pair->n <= LCS_WORD_BITS;
	const LcsText *pattern = both ? &b : &a;
	const LcsText *text = both ? &a : &b;
	WordTable table;

	if (pair->symbol_bytes == 1)
	{
		tabulate_bytes(&table, pattern, text);
		return scan_word(&table, NULL, text, BYTES, least, interrupt, length);
	}
	tabulate_symbols(&table, pattern);
	return scan_word(&table, NULL, text, SYMBOLS, least, interrupt, length);
}

/* Whether lcs_band() is the fastest way to compute a length of at least `least`. */
static bool
goes_by_band(const LcsBandPair *pair, int32_t least)
{
	LcsPair whole = {.m = pair->m, .n = pair->n, .distinct = pair->m};

	if (pair->prepared != NULL)
		whole.distinct = pair->prepared->distinct;
	else if (pair->symbol_bytes == 1)
		whole.distinct = ted_min(pair->m, LCS_BYTES);
	if (!lcs_band_fits(pair, least))
		return false;
	return pair->m <= LCS_BAND_ROWS || lcs_band_cost(pair, least) < lcs_scan_cost(&whole, least);
}

/* Returns 32-bit symbols, converted from bytes if necessary; NULL where there is no room. */
static const uint32_t *
wide_symbols(const LcsText *text, int symbol_bytes, TedArena *arena)
{
	const uint8_t *bytes = text->symbols;
	uint32_t *wide;

	if (symbol_bytes != 1)
		return text->symbols;
	wide = ted_arena_alloc(arena, (size_t) text->length * sizeof(uint32_t));
	for (int32_t i = 0; wide != NULL && i < text->length; i++)
		wide[i] = bytes[i];
	return wide;
}

/*
 * Computes the length for a trimmed pair by a band or by codes; *length is not set if it is below
 * `least`.
 */
static TedStatus
compare_trimmed(const LcsBandPair *pair, int32_t least, TedArena *arena,
				const TedInterrupt *interrupt, int32_t *length)
{
	LcsComparison comparison;
	const LcsPattern *pattern;
	const uint32_t *a;
	const uint32_t *b;
	int32_t *code;
	TedStatus status;

	if (goes_by_band(pair, least))
		return lcs_band(pair, least, arena, interrupt, length);
	if (pair->prepared != NULL)
	{
		code = ted_arena_int32(arena, (size_t) pair->n);
		if (code == NULL)
			return TED_OUT_OF_ARENA;
		status = lcs_encode(pair->prepared, pair->b, pair->n, code, interrupt);
		if (status != TED_OK)
			return status;
		comparison.pair = (LcsPair){pair->a, code, pair->m, pair->n, pair->prepared->distinct};
		return lcs_compare(&comparison, least, 0, arena, interrupt, length);
	}

	a = wide_symbols(&(LcsText){pair->a, pair->m}, pair->symbol_bytes, arena);
	b = wide_symbols(&(LcsText){pair->b, pair->n}, pair->symbol_bytes, arena);
	if (ted_arena_exceeded(arena))
		return TED_OUT_OF_ARENA;
	status = lcs_prepare(a, pair->m, arena, interrupt, &pattern);
	if (status != TED_OK)
		return status;
	if (lcs_length_memory(pair->m, pair->n) > arena->size - arena->used)
		return TED_OUT_OF_ARENA;
	/* now that the number of symbols is known, a band may be the fastest way after all */
	return compare_trimmed(&(LcsBandPair){.a = pattern->code,
										  .b = b,
										  .m = pair->m,
										  .n = pair->n,
										  .symbol_bytes = sizeof(uint32_t),
										  .prepared = pattern},
						   least, arena, interrupt, length);
}

/* Computes the length for a pair if it is at least `least`, else LCS_BELOW. */
INLINE TedStatus
compare_ends_first(LcsBandPair *pair, int32_t least, TedArena *arena, const TedInterrupt *interrupt,
				   int32_t *length)
{
	size_t used = arena->used;
	int32_t trimmed = pair->n;
	TedStatus status = pair->prepared != NULL    ? trim_kind(pair, CODES, interrupt)
					   : pair->symbol_bytes == 1 ? trim_kind(pair, BYTES, interrupt)
												 : trim_kind(pair, SYMBOLS, interrupt);

	if (status != TED_OK)
		return status;
	trimmed -= pair->n;
	least = ted_max(least - trimmed, 0);
	if (pair->m < least || pair->n < least)
		return TED_OK;
	/* as the symbols at both ends differ, at least two symbols are left out */
	if (least > 0 && pair->m + (int64_t) pair->n - 2 * (int64_t) least < 2)
		return TED_OK;
	if (pair->prepared == NULL && pair->m <= LCS_WORD_BITS)
		status = compare_with_word(pair, least, interrupt, length);
	else
		status = compare_trimmed(pair, least, arena, interrupt, length);
	if (*length != LCS_BELOW)
		*length += trimmed;
	arena->used = used;
	return status;
}

/* Bytes that lcs_length() takes. */
size_t
lcs_length_memory(int32_t m, int32_t n)
{
	if (m <= LCS_WORD_BITS)
		return 0;
	return ted_max_bytes(lcs_band_memory(m), m <= LCS_BAND_ROWS ? 0 : lcs_compare_memory(m, n, 0));
}

/* Computes the length of the longest common subsequence if it is at least `least`. */
TedStatus
lcs_length_at_least(const LcsPattern *pattern, const uint32_t *text, int32_t n, int32_t least,
					TedArena *arena, const TedInterrupt *interrupt, int32_t *length)
{
	*length = LCS_BELOW;
	if (pattern->length < least || n < least)
		return TED_OK;
	if (pattern->match != NULL)
		return scan_word(NULL, pattern, &(LcsText){text, n}, CODES, least, interrupt, length);
	if (lcs_length_memory(pattern->length, n) > arena->size - arena->used)
		return TED_OUT_OF_ARENA;
	return compare_ends_first(&(LcsBandPair){.a = pattern->code,
											 .b = text,
											 .m = pattern->length,
											 .n = n,
											 .symbol_bytes = sizeof(uint32_t),
											 .prepared = pattern},
							  least, arena, interrupt, length);
}

/* Computes the length of the longest common subsequence of a pattern and a text. */
TedStatus
lcs_length(const LcsPattern *pattern, const uint32_t *text, int32_t n, TedArena *arena,
		   const TedInterrupt *interrupt, int32_t *length)
{
	return lcs_length_at_least(pattern, text, n, 0, arena, interrupt, length);
}

/* Bytes that lcs_pair_length() takes. */
size_t
lcs_pair_memory(int32_t m, int32_t n, int symbol_bytes)
{
	int32_t shorter = ted_min(m, n);
	int32_t longer = ted_max(m, n);
	size_t band = shorter <= LCS_WORD_BITS ? 0 : lcs_band_memory(shorter);
	uint64_t bound = symbol_bytes == 1 ? LCS_BYTES : (uint64_t) UINT32_MAX + 1;
	TedArena counting = {0};

	if (shorter <= LCS_BAND_ROWS)
		return band;
	wide_symbols(&(LcsText){NULL, m}, symbol_bytes, &counting);
	wide_symbols(&(LcsText){NULL, n}, symbol_bytes, &counting);
	counting.used += lcs_pattern_memory_below(shorter, bound) + lcs_length_memory(shorter, longer);
	return ted_max_bytes(counting.used, band);
}

/* Computes the length of a longest common subsequence if it is at least `least`. */
TedStatus
lcs_pair_length(const LcsText *a, const LcsText *b, int symbol_bytes, int32_t least,
				TedArena *arena, const TedInterrupt *interrupt, int32_t *length)
{
	const LcsText *shorter = a->length <= b->length ? a : b;
	const LcsText *longer = a->length <= b->length ? b : a;

	*length = LCS_BELOW;
	if (shorter->length < least)
		return TED_OK;
	if (lcs_short_fits(longer->length))
	{
		*length = lcs_short_length(longer, shorter, symbol_bytes, least);
		return TED_OK;
	}
	return compare_ends_first(&(LcsBandPair){.a = shorter->symbols,
											 .b = longer->symbols,
											 .m = shorter->length,
											 .n = longer->length,
											 .symbol_bytes = symbol_bytes},
							  least, arena, interrupt, length);
}
