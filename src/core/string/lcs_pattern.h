/*
 * lcs_pattern.h
 *	  A string prepared for comparison, whose symbols have codes, found by a table or by hashing.
 */
#ifndef TED_LCS_PATTERN_H
#define TED_LCS_PATTERN_H

#include "../common/core.h"
#include "lcs_column.h"
#include "lcs_symbols.h"

/* Codes of symbols below this are found by a table. */
#define LCS_BYTES 256

/* A string. */
typedef struct LcsText
{
	const void *symbols; /* not NULL; symbols of 1 or 4 bytes, the same for all strings compared */
	int32_t length;
} LcsText;

/* One string, prepared for comparison with many others. */
typedef struct LcsPattern
{
	int32_t length;
	LcsSymbols symbols;      /* code 0 is any symbol not in the pattern */
	int32_t *code;           /* code of the symbol, by position */
	uint64_t *match;         /* by code: positions of the symbol if the pattern fits one word; else
							  * NULL */
	int32_t byte[LCS_BYTES]; /* codes of symbols below LCS_BYTES */
} LcsPattern;

/* Two strings by the codes of a pattern: 1 to `distinct`, and 0 for a symbol not in it. */
typedef struct LcsPair
{
	const int32_t *a; /* codes of the pattern, or of a part of it */
	const int32_t *b; /* codes of the text */
	int32_t m;
	int32_t n;
	int32_t distinct;
} LcsPair;

/* Value that marks a length below a threshold. */
#define LCS_BELOW (-1)

/*
 * Prepares a pattern of m symbols: assigns codes to its distinct symbols.  The result is in the
 * arena, refers to no other memory and takes O(m) bytes for any alphabet.
 */
extern size_t lcs_pattern_memory(const uint32_t *pattern, int32_t m);
extern size_t lcs_pattern_memory_below(int32_t m, uint64_t bound); /* for any symbols below
																	* `bound` */
extern TedStatus lcs_prepare(const uint32_t *pattern, int32_t m, TedArena *arena,
							 const TedInterrupt *interrupt, const LcsPattern **prepared);

/* Returns the code of a symbol; counts the probes. */
static inline int32_t
lcs_code(const LcsPattern *pattern, uint32_t symbol, int64_t *probes)
{
	uint32_t slot;

	if (symbol < LCS_BYTES)
	{
		++*probes;
		return pattern->byte[symbol];
	}
	return lcs_find_symbol(&pattern->symbols, sizeof(uint32_t), symbol, &slot, probes);
}

/* Returns the least power of two that is greater than all bytes of a text. */
extern int32_t lcs_bytes_bound(const LcsText *text);

/* Writes the codes of n symbols. */
extern TedStatus lcs_encode(const LcsPattern *pattern, const uint32_t *text, int32_t n,
							int32_t *code, const TedInterrupt *interrupt);

#endif /* TED_LCS_PATTERN_H */
