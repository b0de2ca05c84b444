/*
 * lcs_plan.h
 *	  A long pair of strings in device memory, and how its table of lengths is scanned.
 */
#ifndef TED_LCS_PLAN_H
#define TED_LCS_PLAN_H

#include <cstddef>
#include <cstdint>

/*
 * A pair in device memory.  Symbols are numbers of 1 or 4 bytes that are less than `codes`; a
 * byte string can be used as it is.  The rows of the table are the symbols of a, the columns
 * those of b.
 */
struct LcsDevicePair
{
	const void *a;
	const void *b;
	int32_t m;
	int32_t n;
	int symbol_bytes;
	int32_t codes;
};

/* How a pair is computed. */
struct LcsPairPlan
{
	int words;          /* words of V in a thread: 1, 2 or 4 */
	int batch;          /* columns whose carries go from lane to lane at once: 4 or 8 */
	int tables;         /* tables of match vectors: 1 or 2 */
	int warps;          /* warps of a block */
	int blocks;         /* blocks for each half of the columns */
	int low_bits;       /* bits of a symbol for the first of two tables */
	int symbol_words;   /* words with a bit for each symbol if warps number symbols, else 0 */
	int32_t table_rows; /* rows of a warp's match vectors */
	size_t shared;      /* bytes of shared memory of a block */
};

/* Schedulers of a multiprocessor, among which the warps of a block are divided. */
constexpr int LCS_SCHEDULERS = 4;

/* The sizes of batches that kernels are compiled for. */
constexpr int LCS_BATCHES = 2;
constexpr int lcs_batches[LCS_BATCHES] = {4, 8};

/* The greatest number of tables of match vectors. */
constexpr int LCS_TABLES = 2;

/*
 * Number of batches that a lane is behind the lane before it: with two, it need not wait for a
 * shuffle.
 */
constexpr int LCS_LAG = 2;

#endif /* TED_LCS_PLAN_H */
