/*
 * warp.cuh
 *	  Functions that all lanes of a warp call together.
 */
#ifndef TED_WARP_CUH
#define TED_WARP_CUH

#include <cstdint>

#include <cuda_runtime.h>

constexpr int WARP = 32;

/* All lanes of a warp. */
constexpr unsigned ALL = 0xffffffffu;

/* Returns those of some lanes that are before one lane. */
static __device__ unsigned
lanes_before(unsigned lanes, int lane)
{
	return lanes & ((1u << lane) - 1);
}

/* Returns the lane's place in a list where lanes append items; all lanes of the warp take part. */
static __device__ uint32_t
places_for(bool wanted, uint32_t *count)
{
	const unsigned lanes = __ballot_sync(ALL, wanted);
	const int lane = (int) threadIdx.x % WARP;
	uint32_t place = 0;

	if (lanes == 0)
		return 0;
	if (lane == 0)
		place = atomicAdd(count, (uint32_t) __popc(lanes));
	return __shfl_sync(ALL, place, 0) + (uint32_t) __popc(lanes_before(lanes, lane));
}

/* Appends the items of lanes to a list as far as it has room; all lanes of the warp take part. */
template <class Item>
static __device__ void
append(bool wanted, const Item &item, Item *list, uint32_t *count, uint32_t capacity)
{
	const uint32_t place = places_for(wanted, count);

	if (wanted && place < capacity)
		list[place] = item;
}

#endif /* TED_WARP_CUH */
