/*
 * device_strip.h
 *	  Tree edit distance up to a limit, as the host launches it: strips of k + 1 diagonals.
 */
#ifndef TED_DEVICE_STRIP_H
#define TED_DEVICE_STRIP_H

#include <vector>

#include <cuda_runtime.h>

#include "device_trees.h"

/* Lanes of a strip's row, one for each diagonal: of a warp, or of a part that computes a pair. */
enum StripLanes
{
	STRIP_8,
	STRIP_16,
	STRIP_32,
	STRIP_WIDTHS
};

static inline LAYOUT_INLINE constexpr int
strip_lanes(StripLanes width)
{
	return 8 << width;
}

/* Threads of a block. */
constexpr int STRIP_BLOCK = 128;

/* More than all distances within limits, less or plus insertions. */
constexpr int STRIP_FAR = INT16_MAX;

/* A pair whose sizes allow a distance within its limit. */
struct StripJob
{
	int32_t a; /* views */
	int32_t b;
	int32_t limit;
	int32_t result;
};

/* A strip that could compute a pair. */
struct Strip
{
	StripLanes width; /* STRIP_WIDTHS where there is none */
	float rows;       /* of all its forest tables, about */
};

/*
 * The strip for two trees up to a limit that their sizes allow, where the subtrees of
 * the key roots of a have this number of nodes.
 */
Strip strip_for(const TedTree &a, const TedTree &b, double nodes, const TedCosts &costs,
				int32_t limit);

/*
 * Cells of tables that a card could fill in the time of a strip, if there are pairs
 * enough; infinite where there is none.
 */
double strip_cells(const Strip &strip);

/* The same until a strip is done, however few pairs there are. */
double strip_latency(const Strip &strip);

/* Arguments of the kernel. */
struct StripWork
{
	const StripView *views;
	const StripJob *jobs;
	int32_t count;  /* of jobs */
	uint32_t *next; /* the job to be taken up next: 0 */
	TedUniformCosts uniform;
	int16_t *rows;       /* of each group of lanes */
	int64_t group_cells; /* of them */
	int32_t most_nodes;  /* of any a */
	int32_t *results;    /* written: the distance, or a number beyond the limit */
	const volatile int *cancel;
};

/* Pairs for one kernel, the longest first. */
struct StripLaunch
{
	StripLanes width;
	std::vector<StripJob> jobs;
	int blocks;
	int32_t most_nodes;
	int32_t most_height;

	int64_t
	group_cells() const
	{
		return ((int64_t) most_nodes + most_height + 1) * strip_lanes(width);
	}
	int64_t
	block_bytes() const
	{
		return (int64_t) sizeof(int16_t) * STRIP_BLOCK / strip_lanes(width) * group_cells();
	}
};

/* A pair and its strip. */
struct StripPair
{
	StripJob job;
	Strip strip;
};

/*
 * Plans launches for pairs, which take at most this number of bytes of device memory
 * besides the trees.
 */
cudaError_t plan_strips(const cudaDeviceProp &properties, const std::vector<StripPair> &pairs,
						const TreeSet &set, int64_t memory, std::vector<StripLaunch> &launches);

/* An upper bound on the bytes that one pair takes, its views among them. */
int64_t strip_bytes(const TedTree &a, const TedTree &b);

/* Blocks that run at once. */
cudaError_t strip_resident_blocks(StripLanes width, const cudaDeviceProp &properties, int *blocks);

/* Launches the kernel. */
cudaError_t strip_launch(StripLanes width, const StripWork &work, int blocks, cudaStream_t stream);

#endif /* TED_DEVICE_STRIP_H */
