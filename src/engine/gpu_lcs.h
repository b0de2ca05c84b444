/*
 * gpu_lcs.h
 *	  Longest common subsequences by the GPU of this backend.
 */
#ifndef TED_ENGINE_GPU_LCS_H
#define TED_ENGINE_GPU_LCS_H

#include "postgres.h"

#include "device.h"

/*
 * Fills the lengths of a pattern of m symbols and texts as lcs_batch() does; false
 * where that is left to the CPU.  Bytes are characters of the database's encoding;
 * where they are not, the length is TED_NO_LENGTH.
 */
extern bool GpuLcsLengths(const uint32 *pattern, int32 m, const LcsText *texts, int64 count,
						  int symbol_bytes, int32 *lengths);

/* The same for one text of symbols of 4 bytes and what lcs_positions() gives. */
extern bool GpuLcsPositions(const uint32 *pattern, int32 m, const LcsText *text, int32 *in_pattern,
							int32 *in_text, int32 *length);

#endif /* TED_ENGINE_GPU_LCS_H */
