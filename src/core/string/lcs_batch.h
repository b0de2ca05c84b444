/*
 * lcs_batch.h
 *	  Lengths of the longest common subsequences of one pattern and many texts.
 */
#ifndef TED_LCS_BATCH_H
#define TED_LCS_BATCH_H

#include "lcs_pattern.h"

/*
 * Computes the lengths of the longest common subsequences of a pattern and each of many texts, in
 * the order of the texts.  The result is that of lcs_length() for each text; it is many times as
 * fast where the processor has AVX-512 and the pattern has at most LCS_BATCH_PATTERN symbols.  The
 * texts' symbols are bytes if symbol_bytes is 1, uint32_t if it is 4.  Memory is for texts of up to
 * `longest` symbols.
 *
 * `least` is NULL, or has the least length wanted for each text, at least 0: shorter lengths are
 * returned as LCS_BELOW, and are found the sooner, the closer `least` is to the lengths of pattern
 * and text.
 */
#define LCS_BATCH_PATTERN 1008

extern size_t lcs_batch_memory(int32_t m, int symbol_bytes, int32_t longest);
extern TedStatus lcs_batch(const LcsPattern *pattern, const LcsText *texts, size_t count,
						   int symbol_bytes, const int32_t *least, TedArena *arena,
						   const TedInterrupt *interrupt, int32_t *lengths);

#endif /* TED_LCS_BATCH_H */
