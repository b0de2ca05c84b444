/*
 * lcs_length.c
 *	  Length of a longest common subsequence, by the fastest way.
 *
 * Strings that fit into vectors are compared as they are (lcs_short.h).  Where one string fits one
 * word, the other one is compared with it symbol by symbol.  Else equal symbols at both ends are
 * trimmed.  Somewhat longer strings, and narrow bands of long ones, are then compared by
 * lcs_band.c, and all others by codes (lcs_compare.c), for which a string that is not prepared is
 * prepared.
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

/* Four times as many slots as there are symbols in a word. */
#define WORD_SHIFT 24

/* Functions that are compiled for each kind of symbols. */
#define INLINE __attribute__((always_inline)) static inline

/*
 * Whether a position of the first string of a pair has the same symbol as one of the second string;
 * counts the steps.
 */
INLINE bool
equal_at(const void *a, int32_t i, const void *b, int32_t j, LcsKind kind,
		 const LcsPattern *prepared, int64_t *steps)
{
	if (kind == LCS_CODES)
		return ((const int32_t *) a)[i] == lcs_code(prepared, ((const uint32_t *) b)[j], steps);
	++*steps;
	return kind == LCS_BYTE_SYMBOLS ? ((const uint8_t *) a)[i] == ((const uint8_t *) b)[j]
									: ((const uint32_t *) a)[i] == ((const uint32_t *) b)[j];
}

/* Trims equal symbols from both ends. */
INLINE TedStatus
trim_kind(LcsBandPair *pair, LcsKind kind, const TedInterrupt *interrupt)
{
	const void *a = pair->a;
	const void *b = pair->b;
	int32_t m = pair->m;
	int32_t n = pair->n;
	int32_t shorter = ted_min(m, n);
	size_t bytes = kind == LCS_BYTE_SYMBOLS ? 1 : sizeof(uint32_t);
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

/*
 * Compares a text with a string of one word, whose symbols have the positions `match`, by byte or
 * by the code of `prepared` or `symbols`; *length is not set if it is below `least`.
 */
INLINE TedStatus
scan_word(const uint64_t *match, const LcsPattern *prepared, const LcsSymbols *symbols,
		  const LcsText *text, LcsKind kind, int32_t least, const TedInterrupt *interrupt,
		  int32_t *length)
{
	uint64_t v = ~UINT64_C(0);
	int32_t gained = 0;
	int64_t steps = 0;

	for (int32_t j = 0; j < text->length;)
	{
		int32_t end = j + ted_min(COLUMNS_PER_CHECK, text->length - j);

		for (; j < end; j++)
		{
			uint32_t symbol = kind == LCS_BYTE_SYMBOLS ? ((const uint8_t *) text->symbols)[j]
													   : ((const uint32_t *) text->symbols)[j];
			uint32_t slot;
			int64_t probes = 0; /* few */

			if (kind == LCS_CODES)
				symbol = (uint32_t) lcs_code(prepared, symbol, &steps);
			else if (kind == LCS_WIDE_SYMBOLS)
				symbol =
					(uint32_t) lcs_find_symbol(symbols, sizeof(uint8_t), symbol, &slot, &probes);
			v = lcs_next_word(v, match[symbol], &gained);
		}
		if (gained + (text->length - j) < least)
			return TED_OK;
		if (ted_interrupted(interrupt, &steps, kind == LCS_CODES ? 0 : COLUMNS_PER_CHECK))
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
	const uint8_t *bytes = pattern->symbols;
	uint64_t match[LCS_BYTES]; /* positions by byte, or by code */
	uint8_t slots[1 << (32 - WORD_SHIFT)];
	uint32_t by_code[LCS_WORD_BITS + 1];
	LcsSymbols symbols = {slots, WORD_SHIFT, 0, by_code};
	int64_t probes = 0;

	if (pair->kind == LCS_BYTE_SYMBOLS)
	{
		/* only the entries of bytes that occur must be cleared */
		if (a.length + (int64_t) b.length > FEW_BYTES)
			memset(match, 0,
				   (size_t) ted_max(lcs_bytes_bound(&a), lcs_bytes_bound(&b)) * sizeof(uint64_t));
		else
		{
			for (int32_t j = 0; j < text->length; j++)
				match[((const uint8_t *) text->symbols)[j]] = 0;
			for (int32_t i = 0; i < pattern->length; i++)
				match[bytes[i]] = 0;
		}
		for (int32_t i = 0; i < pattern->length; i++)
			match[bytes[i]] |= UINT64_C(1) << i;
		return scan_word(match, NULL, NULL, text, LCS_BYTE_SYMBOLS, least, interrupt, length);
	}
	memset(slots, 0, sizeof(slots));
	by_code[0] = 0;
	match[0] = 0;
	for (int32_t i = 0; i < pattern->length; i++)
	{
		uint32_t symbol = ((const uint32_t *) pattern->symbols)[i];
		uint32_t slot;
		int32_t code = lcs_find_symbol(&symbols, sizeof(uint8_t), symbol, &slot, &probes);

		if (code == 0)
		{
			code = lcs_put_symbol(&symbols, sizeof(uint8_t), symbol, slot);
			match[code] = 0;
		}
		match[code] |= UINT64_C(1) << i;
	}
	return scan_word(match, NULL, &symbols, text, LCS_WIDE_SYMBOLS, least, interrupt, length);
}

/* Whether lcs_band() is the fastest way to compute a length of at least `least`. */
static bool
goes_by_band(const LcsBandPair *pair, int32_t least)
{
	LcsPair whole = {.m = pair->m, .n = pair->n, .distinct = pair->m};

	if (pair->prepared != NULL)
		whole.distinct = pair->prepared->symbols.distinct;
	else if (pair->kind == LCS_BYTE_SYMBOLS)
		whole.distinct = ted_min(pair->m, LCS_BYTES);
	if (!lcs_band_fits(pair, least))
		return false;
	return pair->m <= LCS_BAND_ROWS || lcs_band_cost(pair, least) < lcs_scan_cost(&whole, least);
}

/* Returns 32-bit symbols, converted from bytes if necessary; NULL where there is no room. */
static const uint32_t *
wide_symbols(const LcsText *text, LcsKind kind, TedArena *arena)
{
	const uint8_t *bytes = text->symbols;
	uint32_t *wide;

	if (kind != LCS_BYTE_SYMBOLS)
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
		comparison.pair =
			(LcsPair){pair->a, code, pair->m, pair->n, pair->prepared->symbols.distinct};
		return lcs_compare(&comparison, least, 0, arena, interrupt, length);
	}

	a = wide_symbols(&(LcsText){pair->a, pair->m}, pair->kind, arena);
	b = wide_symbols(&(LcsText){pair->b, pair->n}, pair->kind, arena);
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
										  .kind = LCS_CODES,
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
	TedStatus status = pair->kind == LCS_CODES ? trim_kind(pair, LCS_CODES, interrupt)
					   : pair->kind == LCS_BYTE_SYMBOLS
						   ? trim_kind(pair, LCS_BYTE_SYMBOLS, interrupt)
						   : trim_kind(pair, LCS_WIDE_SYMBOLS, interrupt);

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
		return scan_word(pattern->match, pattern, NULL, &(LcsText){text, n}, LCS_CODES, least,
						 interrupt, length);
	if (lcs_length_memory(pattern->length, n) > arena->size - arena->used)
		return TED_OUT_OF_ARENA;
	return compare_ends_first(&(LcsBandPair){.a = pattern->code,
											 .b = text,
											 .m = pattern->length,
											 .n = n,
											 .kind = LCS_CODES,
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
	LcsKind kind = symbol_bytes == 1 ? LCS_BYTE_SYMBOLS : LCS_WIDE_SYMBOLS;
	uint64_t bound = symbol_bytes == 1 ? LCS_BYTES : (uint64_t) UINT32_MAX + 1;
	TedArena counting = {0};

	if (shorter <= LCS_BAND_ROWS)
		return band;
	wide_symbols(&(LcsText){NULL, m}, kind, &counting);
	wide_symbols(&(LcsText){NULL, n}, kind, &counting);
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
	return compare_ends_first(
		&(LcsBandPair){.a = shorter->symbols,
					   .b = longer->symbols,
					   .m = shorter->length,
					   .n = longer->length,
					   .kind = symbol_bytes == 1 ? LCS_BYTE_SYMBOLS : LCS_WIDE_SYMBOLS},
		least, arena, interrupt, length);
}
