/*
 * lcs.h
 *	  Longest common subsequence of two strings of 32-bit symbols.
 *
 * The shortest common supersequence follows from it: for strings of m and n
 * symbols it has m + n - LCS symbols.
 *
 * Memory and interrupts work as in ted.h.  Lengths are counted in symbols and
 * may be 0.  What a comparison takes from the arena it has given back when it
 * returns, so that one arena serves many texts.
 */
#ifndef TED_CORE_STRING_LCS_H
#define TED_CORE_STRING_LCS_H

#include "../common/core.h"

/* One string, prepared for comparison with many others. */
typedef struct LcsPattern LcsPattern;

/*
 * Prepares a pattern of m symbols: numbers its distinct symbols.  It lives in
 * the arena, refers to no other memory and takes O(m) of it for any alphabet.
 */
extern size_t lcs_pattern_memory(const uint32_t *pattern, int32_t m);
extern TedStatus lcs_prepare(const uint32_t *pattern, int32_t m, TedArena *arena,
							 const TedInterrupt *interrupt, const LcsPattern **prepared);

/*
 * Length of the longest common subsequence of a pattern of m symbols and a
 * text of n symbols.  O(m + n) memory; none for m <= 64.  The shorter string
 * makes the better pattern.  Takes far less than m n steps where the strings
 * are similar or few of their symbols are equal.
 */
extern size_t lcs_length_memory(int32_t m, int32_t n);
extern TedStatus lcs_length(const LcsPattern *pattern, const uint32_t *text, int32_t n,
							TedArena *arena, const TedInterrupt *interrupt, int32_t *length);

/* Value that marks a length below a threshold. */
#define LCS_BELOW (-1)

/*
 * That length if it is at least `least`, which is at least 0, else LCS_BELOW.
 * The closer `least` is to m and n, the sooner this is known.  Takes the
 * memory of lcs_length().
 */
extern TedStatus lcs_length_at_least(const LcsPattern *pattern, const uint32_t *text, int32_t n,
									 int32_t least, TedArena *arena, const TedInterrupt *interrupt,
									 int32_t *length);

/*
 * A longest common subsequence itself, as increasing positions in pattern and
 * text; both arrays have room for min(m, n) entries.  Takes little more time
 * than lcs_length(), and O((m n)^(2/3) + m + n) memory.
 *
 * Tie rule: walking both strings from their ends, two equal symbols are taken;
 * else the last symbol of the pattern is dropped where that keeps the length,
 * and the last symbol of the text otherwise.
 */
extern size_t lcs_positions_memory(int32_t m, int32_t n);
extern TedStatus lcs_positions(const LcsPattern *pattern, const uint32_t *text, int32_t n,
							   TedArena *arena, const TedInterrupt *interrupt,
							   int32_t *pattern_position, int32_t *text_position, int32_t *length);

/* A text of a batch. */
typedef struct LcsText
{
	const void *symbols; /* not NULL; numbers of 1 or 4 bytes, alike in all texts of a batch */
	int32_t length;
} LcsText;

/*
 * Lengths of the longest common subsequences of a pattern and each of many
 * texts, in the order of the texts.  As lcs_length() of each, and many times
 * as fast where the processor has AVX-512 and the pattern at most
 * LCS_BATCH_PATTERN symbols.  The texts' symbols are bytes where symbol_bytes is 1, uint32_t
 * where it is 4.  Memory is for texts of at most `longest` symbols.
 */
#define LCS_BATCH_PATTERN 1008

extern size_t lcs_batch_memory(int32_t m, int symbol_bytes, int32_t longest);
extern TedStatus lcs_batch(const LcsPattern *pattern, const LcsText *texts, size_t count,
						   int symbol_bytes, TedArena *arena, const TedInterrupt *interrupt,
						   int32_t *lengths);

#endif /* TED_CORE_STRING_LCS_H */
