/*
 * strip_plan.cc
 *	  Plans the launches of pairs that are computed by strips.
 */
#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

extern "C"
{
#include "../../src/engine/gpu/gpu_time.h"
}
#include "../common/card_tuning.h"
#include "device_strip.h"

static_assert(std::size(STRIP_ROW_CELLS) == STRIP_WIDTHS + 1,
			  "card_tuning.h has an entry for each width, and for none");

/* Returns the strip for two trees up to a limit. */
Strip
strip_for(const TedTree &a, const TedTree &b, double nodes, const TedCosts &costs, int32_t limit)
{
	const int32_t least = ted_costs_by_label(&costs) ? 0 : ted_least_indel_cost(&costs);
	int64_t k;
	int32_t lanes;

	if (least == 0 ||
		limit + (int64_t) ted_uniform_costs(&costs).insert * (strip_lanes(STRIP_32) - 1) >=
			STRIP_FAR)
		return {STRIP_WIDTHS, 1};
	k = least == 1 ? limit : limit / least; /* division is slow */
	lanes = ted_gpu_strip_lanes(a.size, b.size, k);
	return {lanes == 8    ? STRIP_8
			: lanes == 16 ? STRIP_16
			: lanes == 32 ? STRIP_32
						  : STRIP_WIDTHS,
			(float) ted_gpu_strip_rows(&a, &b, nodes, k)};
}

/* Returns the cells of tables that a card could fill in the time of a strip among many. */
double
strip_cells(const Strip &strip)
{
	return strip.rows * STRIP_ROW_CELLS[strip.width];
}

/* Returns the cells of tables that a card could fill until a single strip is done. */
double
strip_latency(const Strip &strip)
{
	return strip.rows * STRIP_ROW_LATENCY_CELLS;
}

/* Pairs are ordered by the numbers of their rows, with four steps for each power of two. */
constexpr int ORDERS = 32 * 4;

/* Returns the place of a pair among these steps, in descending order of rows. */
static int
order_of(const Strip &strip)
{
	uint32_t bits;

	std::memcpy(&bits, &strip.rows, sizeof(bits));
	return std::max(0, ORDERS - 1 - (int) (bits >> 21) + 127 * 4);
}

/* Returns the launches of all widths, with their pairs in order. */
static std::vector<StripLaunch>
sort_pairs(const std::vector<StripPair> &pairs)
{
	std::vector<StripLaunch> launches(STRIP_WIDTHS);
	int32_t place[STRIP_WIDTHS][ORDERS] = {}; /* place of the next pair */

	for (const StripPair &pair : pairs)
		place[pair.strip.width][order_of(pair.strip)]++;
	for (int width = 0; width < STRIP_WIDTHS; width++)
	{
		int32_t count = 0;

		for (int32_t &next : place[width])
			count += std::exchange(next, count);
		launches[width].width = (StripLanes) width;
		launches[width].jobs.resize(count);
	}
	for (const StripPair &pair : pairs)
		launches[pair.strip.width].jobs[place[pair.strip.width][order_of(pair.strip)]++] = pair.job;
	return launches;
}

/* Plans the launches for pairs that are computed by strips. */
cudaError_t
plan_strips(const cudaDeviceProp &properties, const std::vector<StripPair> &pairs,
			const TreeSet &set, int64_t memory, std::vector<StripLaunch> &launches)
{
	memory = std::min(memory, STRIP_MEMORY);
	for (StripLaunch &launch : sort_pairs(pairs))
	{
		const int groups = STRIP_BLOCK / strip_lanes(launch.width);
		cudaError_t status;

		if (launch.jobs.empty())
			continue;
		for (const StripJob &job : launch.jobs)
		{
			launch.most_nodes = std::max(launch.most_nodes, set.strip_view(job.a).size);
			launch.most_height = std::max(launch.most_height, set.strip_view(job.a).height);
		}
		status = strip_resident_blocks(launch.width, properties, &launch.blocks);
		if (status != cudaSuccess)
			return status;
		launch.blocks = (int) std::min({(int64_t) launch.blocks, memory / launch.block_bytes(),
										((int64_t) launch.jobs.size() + groups - 1) / groups});
		if (launch.blocks == 0)
			return cudaErrorMemoryAllocation;
		launches.push_back(std::move(launch));
	}
	return cudaSuccess;
}

/*
 * Returns an upper bound on the bytes of one pair: each node of a has a row of distances, and
 * may have a kept row.
 */
int64_t
strip_bytes(const TedTree &a, const TedTree &b)
{
	return strip_view_bytes(a) + strip_view_bytes(b) +
		   (int64_t) sizeof(int16_t) * STRIP_BLOCK * (2 * a.size + 1);
}
