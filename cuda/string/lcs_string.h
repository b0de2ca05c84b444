/*
 * lcs_string.h
 *	  A longest common subsequence itself, of one long pair, on a GPU.
 */
#ifndef TED_LCS_STRING_H
#define TED_LCS_STRING_H

#include "device_lcs_pair.h"

/* How the subsequence of a pair is found. */
struct LcsStringPlan
{
	LcsPairPlan scan; /* of all columns; blocks are those of the grid */
	LcsPairPlan tile; /* that is scanned again */
	int chunk_bits;   /* log2 of the columns between those of V that are kept */
	int tiles;        /* that the block that goes back scans at once */
	size_t shared;    /* bytes of this block */
};

/* The plan for a pair; false where there is none. */
extern bool lcs_string_plan(const LcsDevicePair &pair, const cudaDeviceProp &device,
							LcsStringPlan *plan);

/* Device memory in bytes that a pair takes beside its strings and the positions. */
extern size_t lcs_string_memory(const LcsDevicePair &pair, const LcsStringPlan &plan);

/*
 * Starts finding increasing positions in a and b, of which there are at most
 * min(m, n), and their number, by the tie rule of lcs_positions() in
 * src/core/string/lcs.h.  `cancel` is as for lcs_pair_launch().
 */
extern cudaError_t lcs_string_launch(const LcsDevicePair &pair, const LcsStringPlan &plan,
									 void *memory, int32_t *a_position, int32_t *b_position,
									 int32_t *length, const volatile int *cancel,
									 cudaStream_t stream);

#endif /* TED_LCS_STRING_H */
