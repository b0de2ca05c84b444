/*
 * lcs_length.h
 *	  Length of a longest common subsequence.
 */
#ifndef TED_LCS_LENGTH_H
#define TED_LCS_LENGTH_H

#include "lcs_pattern.h"

/*
 * Computes the length of the longest common subsequence of a pattern of m symbols and a text of n
 * symbols.  O(m + n) memory; none for m <= 64.  It is faster with the shorter string as the
 * pattern.  Takes far less than m n steps where the strings are similar or few of their symbols are
 * equal.
 */
extern size_t lcs_length_memory(int32_t m, int32_t n);
extern TedStatus lcs_length(const LcsPattern *pattern, const uint32_t *text, int32_t n,
							TedArena *arena, const TedInterrupt *interrupt, int32_t *length);

/*
 * Computes that length if it is at least `least`, which must be at least 0, else LCS_BELOW.  The
 * closer `least` is to m and n, the sooner a pair is given up.  Takes the memory of lcs_length().
 */
extern TedStatus lcs_length_at_least(const LcsPattern *pattern, const uint32_t *text, int32_t n,
									 int32_t least, TedArena *arena, const TedInterrupt *interrupt,
									 int32_t *length);

/*
 * Computes the length of the longest common subsequence of two strings that are compared only once,
 * whose symbols have 1 or 4 bytes, if it is at least `least`, else LCS_BELOW.  The result is that
 * of lcs_length_at_least() after preparing one string, but strings of some hundred symbols, and
 * pairs that are given up early, take much less time.  No memory is needed where one string has at
 * most LCS_WORD_BITS symbols.
 */
extern size_t lcs_pair_memory(int32_t m, int32_t n, int symbol_bytes);
extern TedStatus lcs_pair_length(const LcsText *a, const LcsText *b, int symbol_bytes,
								 int32_t least, TedArena *arena, const TedInterrupt *interrupt,
								 int32_t *length);

#endif /* TED_LCS_LENGTH_H */
