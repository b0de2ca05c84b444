/*
 * string_join_work.h
 *	  Arguments of the kernels of a join of strings.
 */
#ifndef TED_STRING_JOIN_WORK_H
#define TED_STRING_JOIN_WORK_H

#include <cstdint>

#include <cuda_runtime.h>

#include "../../src/engine/gpu/device.h"

/* Words of 32 bits in a mask with a bit for each set. */
constexpr int SET_WORDS = LCS_SETS / 32;

/* Strings on a device, by rank; as in an LcsCandidateIndex unless noted otherwise. */
struct DeviceStrings
{
	int32_t count;
	const uint4 *blocks; /* LcsBlocks */
	uint32_t *sets;      /* mask of sets of each string; computed on the device */
	const int32_t *length;
	const uint8_t *bytes;
	const size_t *part_bytes;
};

/* The indexed strings whose lengths allow a match with probes of one length: a range of ranks. */
struct LengthWindow
{
	int32_t begin;
	int32_t end;
};

/* Limits that follow from lengths. */
struct LengthLimits
{
	LengthWindow window[LCS_MOST_FEATURES + 1]; /* windows by length of the probe */
	int32_t least[TED_JOIN_STRING_TOTALS];      /* common symbols of a match, by those of both */
};

/* Numbers of pairs. */
struct StringJoinCounters
{
	uint32_t found;
};

/* Arguments of the kernel that compares probes with indexed strings. */
struct StringJoinWork
{
	DeviceStrings indexed;
	DeviceStrings probes;
	bool self;     /* probes are indexed strings, compared with those of higher ranks */
	bool shared;   /* an indexed string has the byte that several symbols share */
	int32_t first; /* first probe */
	int32_t end;
	int32_t offset; /* added to the numbers of probes in the results */
	const LengthLimits *limits;
	TedJoinPair *found;
	uint32_t capacity; /* pairs that `found` has room for */
	StringJoinCounters *counters;
};

/* Starts to compute the sets of all strings from the blocks. */
extern cudaError_t string_join_sets(const DeviceStrings &strings, cudaStream_t stream);

/*
 * Starts to find the pairs that match; if the list is too short, the counter exceeds its
 * capacity.
 */
extern cudaError_t string_join_compare(const StringJoinWork &work, cudaStream_t stream);

#endif /* TED_STRING_JOIN_WORK_H */
