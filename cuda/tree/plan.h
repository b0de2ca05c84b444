/*
 * plan.h
 *	  Chooses the workers that compute the pairs of a batch, and their order.
 *
 * A pair is computed by one warp or one block: by the narrowest one that holds its columns,
 * or by a wider one if the pair would take a large part of the time of all work.  If it
 * would take longer than all other work, several blocks share it (X-TED, PVLDB 17(7), 2024,
 * section 5, which chooses between a thread, a warp, a block and several blocks for each
 * table).
 */
#ifndef TED_PLAN_H
#define TED_PLAN_H

#include <vector>

#include "../../src/engine/gpu/device.h"
#include "../common/card.h"
#include "block_work.h"
#include "device_tables.h"

/* A pair to compute. */
struct PlannedPair
{
	const HostView *a;
	const HostView *b;
	Job job;
	bool read_back; /* its distances are read back: blocks share it, so that they are kept */
};

/* A launch of a kernel whose workers compute a pair each. */
struct Launch
{
	Kernel kernel;
	std::vector<Job> jobs;
	int blocks;
	size_t kept_bytes;    /* bytes of a block's kept rows in shared memory */
	int64_t kept_cells;   /* cells of a worker's kept rows */
	int64_t worker_cells; /* cells of a worker's distances and distinct tables */

	int64_t distance_bytes() const;
	int64_t kept_memory() const; /* bytes of kept rows in global memory */
};

/* A launch of a kernel whose blocks share pairs. */
struct SharedLaunch
{
	PipelineKernel kernel;
	std::vector<SharedPair> pairs;
	std::vector<Group> groups;
	std::vector<Lane> lanes;
	std::vector<Task> tasks;
	int blocks;
	int32_t slots; /* kept rows of a block */
	int64_t cells; /* cells of the distances of all pairs */
	int64_t ready_words;

	int64_t distance_bytes() const;
	int64_t kept_memory() const;
};

/* The launches of a slice of a batch. */
struct Plan
{
	std::vector<SharedLaunch> shared;
	std::vector<Launch> alone;
};

/*
 * Plans launches for pairs, which take no more than this number of bytes of device memory
 * besides the trees.  Other work will keep the card busy for `seconds_to_come` after these
 * pairs.  Returns a status of CUDA, cudaErrorMemoryAllocation if one pair alone would take more
 * memory.
 */
cudaError_t plan_launches(const cudaDeviceProp &card, const std::vector<PlannedPair> &pairs,
						  bool wide_cells, bool by_label, int64_t memory, double seconds_to_come,
						  Plan &plan);

#endif /* TED_PLAN_H */
