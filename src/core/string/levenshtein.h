/*
 * levenshtein.h
 *	  Levenshtein distance of two strings: the fewest insertions, deletions and replacements.
 */
#ifndef TED_LEVENSHTEIN_H
#define TED_LEVENSHTEIN_H

#include "lcs_pattern.h"

/*
 * Computes the distance of a prepared string from a text of n symbols, which is between 0 and the
 * length of the longer string.  No memory is needed where the prepared string has at most
 * LCS_WORD_BITS symbols.
 */
extern size_t ted_levenshtein_memory(int32_t m, int32_t n);
extern TedStatus ted_levenshtein_distance(const LcsPattern *pattern, const uint32_t *text,
										  int32_t n, TedArena *arena, const TedInterrupt *interrupt,
										  int32_t *distance);

#endif /* TED_LEVENSHTEIN_H */
