/*
 * lcs_pair.h
 *	  Length of a longest common subsequence of two strings that are compared only once.
 */
#ifndef TED_LCS_PAIR_H
#define TED_LCS_PAIR_H

#include "lcs_pattern.h"

/*
 * Computes the length of the longest common subsequence of two strings, whose symbols have 1 or 4
 * bytes, if it is at least `least`, else LCS_BELOW.  The closer `least` is to their lengths, the
 * sooner a pair is given up.  The result is that of lcs_length_at_least() after preparing one
 * string, but strings of some hundred symbols, and pairs that are given up early, take much less
 * time.  No memory is needed where one string has at most LCS_WORD_BITS symbols.
 */
extern size_t lcs_pair_memory(int32_t m, int32_t n, int symbol_bytes);
extern TedStatus lcs_pair_length(const LcsText *a, const LcsText *b, int symbol_bytes,
								 int32_t least, TedArena *arena, const TedInterrupt *interrupt,
								 int32_t *length);

#endif /* TED_LCS_PAIR_H */
