/*
 * gpu_lcs.h
 *	  Lengths of longest common subsequences by the GPU of this backend.
 */
#ifndef GPU_LCS_H
#define GPU_LCS_H

#include "postgres.h"

#include "../core/lcs.h"

/*
 * Fills the lengths as lcs_batch() does; false where that is left to the CPU.
 * Bytes are characters of the database's encoding.
 */
extern bool GpuLcsLengths(const LcsPattern *pattern, const LcsText *texts, int64 count,
						  int symbol_bytes, int32 *lengths);

#endif /* GPU_LCS_H */
