/*
 * plan.h
 *	  Which workers compute which pairs of a batch, and in what order.
 *
 * A pair is computed by one warp or one block, the narrowest that holds its
 * columns, or a wider one where it would take a large part of the time that all
 * work takes the card; if it would take longer than that, workers share it (X-TED, PVLDB 17(7), 2024, section 5, which chooses
 * between a thread, a warp, a block and several blocks for each table).
 */
#ifndef TED_PLAN_H
#define TED_PLAN_H

#include <vector>

#include "../../src/engine/device.h"
#include "../common/card.h"
#include "block_pipeline.h"
#include "device_tables.h"

/* A pair to compute. */
struct PlannedPair
{
	const HostView *a;
	const HostView *b;
	Job job;
	bool read_back; /* its distances are: blocks share it, so that they have a place */
};

/* A kernel of workers that compute pairs by themselves, and what it gets. */
struct Launch
{
	Kernel kernel;
	std::vector<Job> jobs;
	int blocks;
	size_t kept_bytes;    /* of shared memory a block */
	int64_t kept_cells;   /* a worker */
	int64_t worker_cells; /* of distances and distinct tables a worker */

	int64_t distance_bytes() const;
	int64_t kept_memory() const; /* bytes of kept rows that are not in shared memory */
};

/* A kernel of blocks that share pairs, and what it gets. */
struct SharedLaunch
{
	PipelineKernel kernel;
	std::vector<SharedPair> pairs;
	std::vector<Group> groups;
	std::vector<Lane> lanes;
	std::vector<Task> tasks;
	int blocks;
	int32_t slots; /* kept rows of a block */
	int64_t cells; /* of distances of all pairs */
	int64_t ready_words;

	int64_t distance_bytes() const;
	int64_t kept_memory() const;
};

/* Launches of a slice of a batch. */
struct Plan
{
	std::vector<SharedLaunch> shared;
	std::vector<Launch> alone;
};

/*
 * Plans launches for pairs, which take at most this number of bytes of device memory
 * besides the trees; other pairs keep the card busy for some seconds after them.  Returns a
 * status of CUDA's, cudaErrorMemoryAllocation where one pair alone would take more.
 */
cudaError_t plan_launches(const Card &card, const std::vector<PlannedPair> &pairs, bool wide_cells,
						  bool by_label, int64_t memory, double seconds_to_come, Plan &plan);

#endif /* TED_PLAN_H */
