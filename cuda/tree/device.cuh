/*
 * device.cuh
 *	  Functions that the kernels of tree edit distance share.
 */
#ifndef TED_DEVICE_CUH
#define TED_DEVICE_CUH

#include "../common/warp.cuh"
#include "layout.h"

/* Greater than all distances. */
constexpr int FAR = 1 << 30;

/* A worker checks for cancellation after this number of fetches of work. */
constexpr int FETCHES_PER_CHECK = 16;

/* Waits for all threads of a worker, whose writes are then visible. */
template <int WIDTH>
static __device__ void
sync_worker()
{
	if constexpr (WIDTH == WARP)
		__syncwarp();
	else
		__syncthreads();
}

/* Returns a pointer that the compiler knows to lead to global memory. */
template <class T>
static __device__ T *
global(T *pointer)
{
	__builtin_assume(__isGlobal(pointer));
	return pointer;
}

/* Returns the cell at an offset in bytes. */
template <class Cell, class Pointer>
static __device__ Cell &
cell_at(Pointer *first, unsigned bytes)
{
	return *(Cell *) ((char *) first + bytes);
}

/*
 * Returns the value of a lane to the left if that lane is at least `least_lane`, else the
 * lane's own value.
 */
static __device__ int
shuffle_up(int value, int lanes, int least_lane)
{
	int other;

	asm volatile("shfl.sync.up.b32 %0, %1, %2, %3, 0xffffffff;"
				 : "=r"(other)
				 : "r"(value), "r"(lanes), "r"(least_lane));
	return other;
}

/* Returns an entry from its words in memory. */
static __device__ Entry
unpack(const uint4 &packed)
{
	return {(int32_t) packed.x,         (uint16_t) packed.y,         (uint16_t) (packed.y >> 16),
			(uint16_t) packed.z,        (uint16_t) (packed.z >> 16), (uint16_t) packed.w,
			(uint16_t) (packed.w >> 16)};
}

/* Returns the first place from `low` on for which `before` is false, or else `high`. */
template <class Before>
static __device__ int64_t
first_place(int64_t low, int64_t high, const Before &before)
{
	while (low < high)
	{
		const int64_t middle = (low + high) / 2;

		if (before(middle))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

#endif /* TED_DEVICE_CUH */
