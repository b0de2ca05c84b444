/*
 * lcs_pair.c
 *	  Length of a longest common subsequence of two strings that are compared only once.
 *
 * Strings that fit into vectors are compared as they are (lcs_short.h).  For others, equal symbols
 * at both ends are trimmed.  If one string then fits one word, the other one is compared with it
 * symbol by symbol, and each carry out of the word adds 1 to the length (the step is that of
 * lcs_stripe.h).  Somewhat longer strings, and narrow bands of long ones, are compared by
 * lcs_band.c.  For all other pairs, the shorter string is prepared.
 */
#include <string.h>

#include "lcs_compare.h"
#include "lcs_length.h"
#include "lcs_pair.h"
#include "lcs_short.h"

/* Columns between two checks whether the remaining columns can add enough. */
#define COLUMNS_PER_CHECK 8

/* Up to this number of bytes of both strings, their entries are cleared one by one. */
#define FEW_BYTES 48

/* Slots for the symbols of a word, four times as many, and the shift of a hash to a slot. */
#define SLOTS 256
#define SLOT_SHIFT 24

/* Two strings after equal symbols at the ends were trimmed; the first is not the longer one. */
typedef struct Pair
{
	LcsText a;
	LcsText b;
	int symbol_bytes;
	int32_t trimmed;
} Pair;

/* Positions of the symbols of one string in a word. */
typedef struct WordTable
{
	uint64_t match[LCS_BYTES]; /* by byte, or by number of a symbol */
	uint8_t number[SLOTS];     /* hash table with linear probing; 0 in free slots */
	uint32_t symbol[LCS_WORD_BITS + 1];
	int distinct;
} WordTable;

/* Returns a symbol of a string. */
__attribute__((always_inline)) static inline uint32_t
pair_symbol(const void *symbols, int32_t i, int symbol_bytes)
{
	return symbol_bytes == 1 ? ((const uint8_t *) symbols)[i] : ((const uint32_t *) symbols)[i];
}

/* Trims equal symbols from both ends, with the size of symbols as a constant. */
__attribute__((always_inline)) static inline TedStatus
trim_symbols(Pair *pair, const TedInterrupt *interrupt, int bytes)
{
	const void *a = pair->a.symbols;
	const void *b = pair->b.symbols;
	int32_t m = pair->a.length;
	int32_t n = pair->b.length;
	int32_t equal = 0;
	int64_t steps = 0;

	for (; equal < m && pair_symbol(a, equal, bytes) == pair_symbol(b, equal, bytes); equal++)
		if (ted_interrupted(interrupt, &steps, 1))
			return TED_CANCELLED;
	for (; m > equal && pair_symbol(a, m - 1, bytes) == pair_symbol(b, n - 1, bytes); m--, n--)
		if (ted_interrupted(interrupt, &steps, 1))
			return TED_CANCELLED;
	pair->trimmed = pair->a.length - (m - equal);
	pair->a = (LcsText){(const char *) a + (size_t) equal * (size_t) bytes, m - equal};
	pair->b = (LcsText){(const char *) b + (size_t) equal * (size_t) bytes, n - equal};
	return TED_OK;
}

/* Trims equal symbols from both ends. */
static TedStatus
trim_pair(Pair *pair, const TedInterrupt *interrupt)
{
	return pair->symbol_bytes == 1 ? trim_symbols(pair, interrupt, 1)
								   : trim_symbols(pair, interrupt, sizeof(uint32_t));
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

/* Compares a text with the table of the other string; *length is not set if it is below `least`. */
__attribute__((always_inline)) static inline TedStatus
scan_symbols(WordTable *table, const LcsText *text, int bytes, int32_t least,
			 const TedInterrupt *interrupt, int32_t *length)
{
	uint64_t v = ~UINT64_C(0);
	int32_t gained = 0;
	int64_t steps = 0;

	for (int32_t j = 0; j < text->length;)
	{
		int32_t end = j + ted_min(COLUMNS_PER_CHECK, text->length - j);

		for (; j < end; j++)
		{
			uint32_t symbol = pair_symbol(text->symbols, j, bytes);
			uint64_t taken = v & table->match[bytes == 1 ? symbol : *find_number(table, symbol)];
			uint64_t sum = v + taken;

			gained += sum < v;
			v = sum | (v - taken);
		}
		if (gained + (text->length - j) < least)
			return TED_OK;
		if (ted_interrupted(interrupt, &steps, COLUMNS_PER_CHECK))
			return TED_CANCELLED;
	}
	*length = gained;
	return TED_OK;
}

/* Computes the length for two strings of which one fits a word. */
static TedStatus
compare_with_word(const Pair *pair, int32_t least, const TedInterrupt *interrupt, int32_t *length)
{
	/* each step needs the one before, so the shorter string is the text */
	bool both = pair->b.length <= LCS_WORD_BITS;
	const LcsText *pattern = both ? &pair->b : &pair->a;
	const LcsText *text = both ? &pair->a : &pair->b;
	WordTable table;

	if (pair->symbol_bytes == 1)
	{
		tabulate_bytes(&table, pattern, text);
		return scan_symbols(&table, text, 1, least, interrupt, length);
	}
	tabulate_symbols(&table, pattern);
	return scan_symbols(&table, text, sizeof(uint32_t), least, interrupt, length);
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

/* Computes the length for two strings by preparing the shorter one. */
static TedStatus
compare_prepared(const Pair *pair, int32_t least, TedArena *arena, const TedInterrupt *interrupt,
				 int32_t *length)
{
	const uint32_t *a = wide_symbols(&pair->a, pair->symbol_bytes, arena);
	const uint32_t *b = wide_symbols(&pair->b, pair->symbol_bytes, arena);
	const LcsPattern *pattern;
	TedStatus status;

	if (ted_arena_exceeded(arena))
		return TED_OUT_OF_ARENA;
	status = lcs_prepare(a, pair->a.length, arena, interrupt, &pattern);
	if (status != TED_OK)
		return status;
	return lcs_length_at_least(pattern, b, pair->b.length, least, arena, interrupt, length);
}

/* Computes the length for two trimmed strings; *length is not set if it is below `least`. */
static TedStatus
compare_trimmed(const Pair *pair, int32_t least, TedArena *arena, const TedInterrupt *interrupt,
				int32_t *length)
{
	LcsBandPair band = {.a = pair->a.symbols,
						.b = pair->b.symbols,
						.m = pair->a.length,
						.n = pair->b.length,
						.symbol_bytes = pair->symbol_bytes};

	if (band.m < least || band.n < least)
		return TED_OK;
	/* as the symbols at both ends differ, at least two symbols are left out */
	if (least > 0 && band.m + (int64_t) band.n - 2 * (int64_t) least < 2)
		return TED_OK;
	if (band.m <= LCS_WORD_BITS)
		return compare_with_word(pair, least, interrupt, length);
	if (lcs_goes_by_band(&band, least))
		return lcs_band(&band, least, arena, interrupt, length);
	return compare_prepared(pair, least, arena, interrupt, length);
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
	return counting.used > band ? counting.used : band;
}

/* Computes the length of a longest common subsequence if it is at least `least`. */
TedStatus
lcs_pair_length(const LcsText *a, const LcsText *b, int symbol_bytes, int32_t least,
				TedArena *arena, const TedInterrupt *interrupt, int32_t *length)
{
	const LcsText *shorter = a->length <= b->length ? a : b;
	const LcsText *longer = a->length <= b->length ? b : a;
	size_t used = arena->used;
	Pair pair;
	TedStatus status;

	*length = LCS_BELOW;
	if (shorter->length < least)
		return TED_OK;
	if (lcs_short_fits(longer->length))
	{
		*length = lcs_short_length(longer, shorter, symbol_bytes, least);
		return TED_OK;
	}
	pair = (Pair){.a = *shorter, .b = *longer, .symbol_bytes = symbol_bytes};
	status = trim_pair(&pair, interrupt);
	if (status == TED_OK)
		status = compare_trimmed(&pair, ted_max(least - pair.trimmed, 0), arena, interrupt, length);
	if (*length != LCS_BELOW)
		*length += pair.trimmed;
	arena->used = used;
	return status;
}
