/*
 * lcs_positions.h
 *	  Positions of a longest common subsequence.
 */
#ifndef TED_LCS_POSITIONS_H
#define TED_LCS_POSITIONS_H

#include "lcs_pattern.h"

/*
 * Computes a longest common subsequence as increasing positions in pattern and text; both arrays
 * must have room for min(m, n) entries.  Takes little more time than lcs_length(), and O((m
 * n)^(2/3) + m + n) memory.
 *
 * Tie rule: when both strings are walked from their ends, two equal symbols are taken; else the
 * last symbol of the pattern is dropped if that keeps the length, and the last symbol of the text
 * otherwise.
 */
extern size_t lcs_positions_memory(int32_t m, int32_t n);
extern TedStatus lcs_positions(const LcsPattern *pattern, const uint32_t *text, int32_t n,
							   TedArena *arena, const TedInterrupt *interrupt,
							   int32_t *pattern_position, int32_t *text_position, int32_t *length);

#endif /* TED_LCS_POSITIONS_H */
