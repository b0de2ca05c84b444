/*
 * lcs_plan.h
 *	  A long pair of strings in device memory, and how its table of lengths is scanned.
 */
#ifndef TED_LCS_PLAN_H
#define TED_LCS_PLAN_H

#include <cstddef>
#include <cstdint>

/*
 * A pair in device memory.  Symbols are numbers from 0 to below `codes`, of 1
 * or 4 bytes; what they are does not matter, so that byte strings may come as
 * they are.  The rows of the table are the symbols of a, the columns those of b.
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
	int words;          /* of V, a thread: 1, 2 or 4 */
	int batch;          /* columns whose carries go from lane to lane at once: 4 or 8 */
	int tables;         /* of match vectors, 1 or 2 */
	int warps;          /* a block */
	int blocks;         /* a half of the columns */
	int low_bits;       /* of a symbol, for the first of two tables */
	int symbol_words;   /* of a bit a symbol where a warp numbers those of its rows, else 0 */
	int32_t table_rows; /* of a warp's match vectors */
	size_t shared;      /* bytes of a block */
};

/* Schedulers of a multiprocessor, which the warps of a block share. */
constexpr int LCS_SCHEDULERS = 4;

/* The batches that there are. */
constexpr int LCS_BATCHES = 2;
constexpr int lcs_batches[LCS_BATCHES] = {4, 8};

/* The tables of match vectors that there may be. */
constexpr int LCS_TABLES = 2;

/* Batches that a lane is behind the one before it: with two, it need not wait for a shuffle. */
constexpr int LCS_LAG = 2;

#endif /* TED_LCS_PLAN_H */
