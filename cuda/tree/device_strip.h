/*
 * device_strip.h
 *	  Tree edit distance up to a limit by strips of k + 1 diagonals, as the host launches it.
 */
#ifndef TED_DEVICE_STRIP_H
#define TED_DEVICE_STRIP_H

#include <vector>

#include <cuda_runtime.h>

#include "device_trees.h"

/*
 * The lanes of a strip's row, one for each diagonal: a warp, or a part of a warp that computes
 * a pair.
 */
enum StripLanes
{
	STRIP_8,
	STRIP_16,
	STRIP_32,
	STRIP_WIDTHS
};

/* Returns the number of lanes of a width. */
static inline LAYOUT_INLINE constexpr int
strip_lanes(StripLanes width)
{
	return 8 << width;
}

/* Threads of a block. */
constexpr int STRIP_BLOCK = 128;

/* Greater than every distance within a limit, less or plus insertions. */
constexpr int STRIP_FAR = INT16_MAX;

/* A pair whose sizes do not exclude a distance within its limit. */
struct StripJob
{
	int32_t a; /* numbers of views */
	int32_t b;
	int32_t limit;
	int32_t result;
};

/* A strip that could compute a pair. */
struct Strip
{
	StripLanes width; /* STRIP_WIDTHS if no strip can compute the pair */
	float rows;       /* estimated rows of all its forest tables */
};

/*
 * Returns the strip for two trees up to a limit that their sizes do not exclude.  `nodes` is
 * the total size of the subtrees of the key roots of a.
 */
Strip strip_for(const TedTree &a, const TedTree &b, double nodes, const TedCosts &costs,
				int32_t limit);

/*
 * Returns the cells of tables that a card could fill in the time of a strip, if there are
 * enough pairs; infinite if there is no strip.
 */
double strip_cells(const Strip &strip);

/* Returns the cells of tables that a card could fill until a single strip is done. */
double strip_latency(const Strip &strip);

/* Arguments of the kernel. */
struct StripWork
{
	const StripView *views;
	const StripJob *jobs;
	int32_t count;  /* number of jobs */
	uint32_t *next; /* the next job; initially 0 */
	TedUniformCosts uniform;
	int16_t *rows;       /* rows of each group of lanes */
	int64_t group_cells; /* cells of the rows of a group */
	int32_t most_nodes;  /* most nodes of a tree with the rows */
	int32_t *results;    /* output: the distance, or a number beyond the limit */
	const volatile int *cancel;
};

/* Pairs for one kernel, in descending order of their work. */
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
 * Plans launches for pairs, which take no more than this number of bytes of device memory
 * besides the trees.
 */
cudaError_t plan_strips(const cudaDeviceProp &properties, const std::vector<StripPair> &pairs,
						const TreeSet &set, int64_t memory, std::vector<StripLaunch> &launches);

/* Returns an upper bound on the bytes of one pair, including its views. */
int64_t strip_bytes(const TedTree &a, const TedTree &b);

/* Returns the number of blocks that run at once. */
cudaError_t strip_resident_blocks(StripLanes width, const cudaDeviceProp &properties, int *blocks);

/* Launches the kernel. */
cudaError_t strip_launch(StripLanes width, const StripWork &work, int blocks, cudaStream_t stream);

#endif /* TED_DEVICE_STRIP_H */
