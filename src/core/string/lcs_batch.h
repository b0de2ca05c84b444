/*
 * lcs_batch.h
 *	  Longest common subsequences of one pattern and many texts.
 */
#ifndef TED_LCS_BATCH_H
#define TED_LCS_BATCH_H

#include "lcs_pattern.h"

/*
 * Lengths of the longest common subsequences of a pattern and each of many
 * texts, in the order of the texts.  As lcs_length() of each, and many times
 * as fast where the processor has AVX-512 and the pattern at most
 * LCS_BATCH_PATTERN symbols.  The texts' symbols are bytes where symbol_bytes is 1, uint32_t
 * where it is 4.  Memory is for texts of at most `longest` symbols.
 *
 * `least` is NULL, or has for each text the least length that matters, from 0 on: others
 * are LCS_BELOW, and the closer it is to the lengths of pattern and text, the sooner this
 * is known.
 */
#define LCS_BATCH_PATTERN 1008

extern size_t lcs_batch_memory(int32_t m, int symbol_bytes, int32_t longest);
extern TedStatus lcs_batch(const LcsPattern *pattern, const LcsText *texts, size_t count,
						   int symbol_bytes, const int32_t *least, TedArena *arena,
						   const TedInterrupt *interrupt, int32_t *lengths);

#endif /* TED_LCS_BATCH_H */
