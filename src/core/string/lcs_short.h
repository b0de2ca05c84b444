/*
 * lcs_short.h
 *	  Length of a longest common subsequence of two strings of at most 64 symbols, with AVX2 or
 *	  NEON.
 */
#ifndef TED_LCS_SHORT_H
#define TED_LCS_SHORT_H

#include "lcs_pattern.h"

/* Whether the processor has AVX2 or NEON, and the longer string may have this number of symbols. */
extern bool lcs_short_fits(int32_t longer);

/*
 * Returns the length of the longest common subsequence of two strings if it is at least `least`,
 * else LCS_BELOW.
 */
extern int32_t lcs_short_length(const LcsText *longer, const LcsText *shorter, int symbol_bytes,
								int32_t least);

#endif /* TED_LCS_SHORT_H */
