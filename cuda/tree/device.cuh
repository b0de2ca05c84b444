/*
 * device.cuh
 *	  Functions that the kernels of tree edit distance share.
 */
#ifndef TED_DEVICE_CUH
#define TED_DEVICE_CUH

#include "../common/warp.cuh"
#include "layout.h"

/* Above all distances. */
constexpr int FAR = 1 << 30;

/* Fetches of work after which a worker asks whether to stop. */
constexpr int FETCHES_PER_CHECK = 16;

/* Waits for all threads of a worker, whose writes are then seen. */
template <int WIDTH>
static __device__ void
sync_worker()
{
	if constexpr (WIDTH == WARP)
		__syncwarp();
	else
		__syncthreads();
}

/* A pointer that is known to lead to global memory. */
template <class T>
static __device__ T *
global(T *pointer)
{
	__builtin_assume(__isGlobal(pointer));
	return pointer;
}

/* The cell this number of bytes after the first one. */
template <class Cell, class Pointer>
static __device__ Cell &
cell_at(Pointer *first, unsigned bytes)
{
	return *(Cell *) ((char *) first + bytes);
}

/* The value of a lane to the left if that is at least `least_lane`, else the own one. */
static __device__ int
shuffle_up(int value, int lanes, int least_lane)
{
	int other;

	asm volatile("shfl.sync.up.b32 %0, %1, %2, %3, 0xffffffff;"
				 : "=r"(other)
				 : "r"(value), "r"(lanes), "r"(least_lane));
	return other;
}

/* An entry as it is in memory. */
static __device__ Entry
unpack(const uint4 &packed)
{
	return {(int32_t) packed.x,         (uint16_t) packed.y,         (uint16_t) (packed.y >> 16),
			(uint16_t) packed.z,        (uint16_t) (packed.z >> 16), (uint16_t) packed.w,
			(uint16_t) (packed.w >> 16)};
}

#endif /* TED_DEVICE_CUH */
