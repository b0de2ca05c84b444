/*
 * lcs_string.h
 *	  A longest common subsequence itself of one long pair, on a GPU.
 */
#ifndef TED_LCS_STRING_H
#define TED_LCS_STRING_H

#include "device_lcs_pair.h"

/* How the subsequence of a pair is found. */
struct LcsStringPlan
{
	LcsPairPlan scan; /* scan of all columns; `blocks` is the size of the grid */
	LcsPairPlan tile; /* scan of a tile */
	int chunk_bits;   /* log2 of the columns of a chunk */
	int tiles;        /* number of tiles that the walking block scans at once */
	size_t shared;    /* bytes of shared memory of that block */
};

/* Finds the plan for a pair; returns false if there is none. */
extern bool lcs_string_plan(const LcsDevicePair &pair, const cudaDeviceProp &device,
							LcsStringPlan *plan);

/* Returns the bytes of device memory that a pair takes besides its strings and the positions. */
extern size_t lcs_string_memory(const LcsDevicePair &pair, const LcsStringPlan &plan);

/*
 * Starts to find increasing positions in a and b, and their number, which is not more than
 * min(m, n).  Ties are resolved as in lcs_positions() of src/core/string/lcs.h.  `cancel` is as
 * for lcs_pair_launch().
 */
extern cudaError_t lcs_string_launch(const LcsDevicePair &pair, const LcsStringPlan &plan,
									 void *memory, int32_t *a_position, int32_t *b_position,
									 int32_t *length, const volatile int *cancel,
									 cudaStream_t stream);

#endif /* TED_LCS_STRING_H */
