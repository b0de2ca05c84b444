/*
 * baselines.h
 *	  Published algorithms for the LCS and the SCS, as baselines of the benchmark.
 *
 * Symbols are below `alphabet` where a function asks for it.  All return the
 * length, take their memory by malloc() and never give up.
 */
#ifndef TED_BENCH_BASELINES_H
#define TED_BENCH_BASELINES_H

#include <stddef.h>
#include <stdint.h>

/* Shortest common supersequence, rows one after another, the cells of a row independent. */
extern int32_t scs_row_wise(const uint32_t *x, int32_t m, const uint32_t *y, int32_t n,
							uint32_t alphabet);
extern size_t scs_row_wise_memory(int32_t n, uint32_t alphabet);

/* Shortest common supersequence, anti-diagonals one after another. */
extern int32_t scs_anti_diagonal(const uint32_t *x, int32_t m, const uint32_t *y, int32_t n);

/*
 * Longest common subsequence by tiles of `rows` rows and `columns` columns, wavefronts
 * one after another.
 */
extern int32_t lcs_tiled(const uint32_t *x, int32_t m, const uint32_t *y, int32_t n, int32_t rows,
						 int32_t columns);

/* Longest common subsequence, a column of 64-bit words at a time. */
extern int32_t lcs_words(const uint32_t *x, int32_t m, const uint32_t *y, int32_t n,
						 uint32_t alphabet);
extern size_t lcs_words_memory(int32_t m, uint32_t alphabet);

/* The same for any alphabet, by hashing. */
extern int32_t lcs_words_hashed(const uint32_t *x, int32_t m, const uint32_t *y, int32_t n);
extern size_t lcs_words_hashed_memory(int32_t m);

#endif /* TED_BENCH_BASELINES_H */
