/*
 * lcs_band.h
 *	  Length of a longest common subsequence by a band of words, for short strings and narrow bands.
 */
#ifndef TED_LCS_BAND_H
#define TED_LCS_BAND_H

#include "lcs_pattern.h"

/* Most words of match vectors, of all symbols together. */
#define LCS_BAND_TABLE 16384

/* Rows up to which the band is the fastest way, whatever its width is: those of four words. */
#define LCS_BAND_ROWS 252

/* Two strings and how their symbols are distinguished; the first one is the pattern. */
typedef struct LcsBandPair
{
	const void *a; /* codes of the prepared pattern where there is one */
	const void *b;
	int32_t m;
	int32_t n;
	int symbol_bytes;           /* of the text, and of the pattern unless it is prepared */
	const LcsPattern *prepared; /* NULL where the strings are compared once */
} LcsBandPair;

/* Whether a pair has a band for lengths of at least `least`, and the time it takes: picoseconds. */
extern bool lcs_band_fits(const LcsBandPair *pair, int32_t least);
extern double lcs_band_cost(const LcsBandPair *pair, int32_t least);

/* Bytes that lcs_band() takes for any pair that fits whose pattern has m symbols. */
extern size_t lcs_band_memory(int32_t m);

/* Length of the longest common subsequence if it is at least `least`, else LCS_BELOW. */
extern TedStatus lcs_band(const LcsBandPair *pair, int32_t least, TedArena *arena,
						  const TedInterrupt *interrupt, int32_t *length);

#endif /* TED_LCS_BAND_H */
