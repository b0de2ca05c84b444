/*
 * lcs_band.h
 *	  Length of a longest common subsequence by a band of words, for short strings and narrow bands.
 */
#ifndef TED_LCS_BAND_H
#define TED_LCS_BAND_H

#include "lcs_pattern.h"

/* Most words of the match vectors of all symbols together. */
#define LCS_BAND_TABLE 16384

/* Up to this number of rows, which are four words, the band is the fastest way at any width. */
#define LCS_BAND_ROWS 252

/* The kinds of symbols of a pair. */
typedef enum LcsKind
{
	LCS_CODES,       /* codes of a prepared pattern; the text has symbols of 32 bits */
	LCS_BYTES_CODES, /* codes of a prepared pattern; the text has bytes */
	LCS_BYTE_SYMBOLS,
	LCS_WIDE_SYMBOLS /* of 32 bits */
} LcsKind;

/* Two strings; the first one is the pattern. */
typedef struct LcsBandPair
{
	const void *a; /* symbols, or codes if the pattern is prepared */
	const void *b;
	int32_t m;
	int32_t n;
	LcsKind kind;
	const LcsPattern *prepared; /* NULL if the strings are compared only once */
} LcsBandPair;

/*
 * lcs_band_fits() is whether the match vectors are small enough for lengths of at least `least`;
 * lcs_band_cost() returns the estimated picoseconds.
 */
extern bool lcs_band_fits(const LcsBandPair *pair, int32_t least);
extern double lcs_band_cost(const LcsBandPair *pair, int32_t least);

/* Returns the bytes that lcs_band() takes for any pair that fits with a pattern of m symbols. */
extern size_t lcs_band_memory(int32_t m);

/* Computes the length of a longest common subsequence, or LCS_BELOW if it is below `least`. */
extern TedStatus lcs_band(const LcsBandPair *pair, int32_t least, TedArena *arena,
						  const TedInterrupt *interrupt, int32_t *length);

#endif /* TED_LCS_BAND_H */
