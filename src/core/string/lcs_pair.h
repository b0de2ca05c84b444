/*
 * lcs_pair.h
 *	  Length of a longest common subsequence of two strings that are compared once.
 */
#ifndef TED_LCS_PAIR_H
#define TED_LCS_PAIR_H

#include "lcs_pattern.h"

/*
 * Length of the longest common subsequence of two strings, whose symbols have 1 or 4 bytes,
 * if it is at least `least`, else LCS_BELOW.  The closer `least` is to their lengths, the
 * sooner this is known.  As lcs_length_at_least() of one of them prepared, but strings of
 * some hundred symbols, and those that turn out early not to have enough in common, take
 * much less time; no memory is needed where one of them has at most LCS_WORD_BITS symbols.
 */
extern size_t lcs_pair_memory(int32_t m, int32_t n, int symbol_bytes);
extern TedStatus lcs_pair_length(const LcsText *a, const LcsText *b, int symbol_bytes,
								 int32_t least, TedArena *arena, const TedInterrupt *interrupt,
								 int32_t *length);

#endif /* TED_LCS_PAIR_H */
