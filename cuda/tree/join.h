/*
 * join.h
 *	  Threshold join of trees on a device: from trees to pairs within their limits.
 *
 * All trees are on the device, in ascending order of their sizes, with the data that the
 * filters read.  Each tree of a range is compared with the indexed trees before it that have
 * similar sizes, or, if these are far fewer, with those that share a rare label.  The
 * filters are kernels that pass on the pairs that they cannot exclude: by signatures, by all
 * labels, by traversals.  Then strips compute the distances.  Pairs for which strips are too
 * narrow are left to the caller.
 */
#ifndef TED_JOIN_H
#define TED_JOIN_H

#include <chrono>
#include <memory>
#include <vector>

#include <cuda_runtime.h>

#include "../../src/engine/gpu/device.h"
#include "../common/card_tuning.h"
#include "../common/device_join.h"
#include "../common/memory.h"
#include "join_work.h"

struct Shipment;

/* Trees of a join on a device. */
class TreeJoin : public DeviceJoin
{
  public:
	TreeJoin(Budget *budget, const cudaDeviceProp *properties, const int *cancel,
			 cudaStream_t stream)
		: budget(budget), properties(properties), cancel(cancel), stream(stream)
	{
	}

	cudaError_t add(const TedJoinDocuments &added) override;
	void forget(int32_t count) override;
	cudaError_t submit(TedJoinRange *submitted) override;
	cudaError_t poll() override;

  private:
	/* Trees that were added together. */
	struct Chunk
	{
		std::unique_ptr<Block> memory;
		int32_t first;
		int32_t count;
		int64_t nodes;
	};

	/* The host's data of a tree. */
	struct Sizes
	{
		int32_t size;
		int32_t limit;
		int64_t prefix; /* nodes of the prefixes of all trees before it */
	};

	/* The indexed trees whose sizes may be within the limits of a probe. */
	struct Window
	{
		int32_t begin;
		int32_t end;

		/* Moves the window of the probe before this one to this probe. */
		void
		advance(const Sizes *trees, int32_t indexed, int32_t probe)
		{
			const int32_t last = probe < indexed ? probe : indexed;
			const Sizes own = trees[probe];

			if (own.size < trees[probe - 1].size)
				begin = end = 0;
			while (begin < last && trees[begin].size < own.size - own.limit)
				begin++;
			while (end < last && trees[end].size - trees[end].limit <= own.size)
				end++;
		}

		int32_t
		size() const
		{
			return end > begin ? end - begin : 0;
		}
	};

	/* The step of a range that is under way. */
	enum class Phase
	{
		FILTERS,
		STRIPS,
		TRANSFER
	};

	cudaError_t grow(Block &block, int64_t used, int64_t bytes);
	cudaError_t reserve_trees(int32_t count);
	cudaError_t send(const Shipment &shipment, int32_t count);
	cudaError_t lay_out(const Shipment &shipment, int32_t count);
	Window window(int32_t probe) const;
	int64_t prefix_nodes(int32_t before) const;
	int64_t window_pairs() const;
	cudaError_t rank_labels();
	cudaError_t sort_labels();
	cudaError_t list_trees();
	cudaError_t list_probes();
	cudaError_t plan_probes();
	bool is_listed(int32_t probe) const;
	uint64_t listed_pairs(int32_t before) const;
	void choose_probes();
	cudaError_t reserve_lists();
	cudaError_t read_counters();
	cudaError_t start_filters();
	int64_t strip_memory() const;
	cudaError_t start_width(StripLanes width, int64_t first_job, int64_t count);
	cudaError_t start_strips();
	cudaError_t start_transfer();
	void finish();

	Budget *budget;
	const cudaDeviceProp *properties;
	const int *cancel;
	cudaStream_t stream;

	/* data by tree */
	std::vector<Sizes> host_trees;
	int32_t capacity = 0;
	Block trees{budget};
	Block signatures{budget};
	Block views{budget};
	std::vector<Chunk> chunks; /* memory of the trees' nodes */
	int32_t most_nodes = 0;    /* most nodes of a tree that strips compare */
	int32_t most_height = 0;

	/* for trees that are being added */
	Block staging; /* memory of the host */
	Block arrived{budget};
	Block scratch{budget}; /* scratch memory for laying out, sorting and prefix sums */

	/* labels */
	int32_t labels_end = 0;    /* all labels are below this number */
	int32_t labels_ranked = 0; /* labels below this are numbered in the order of their ranks */
	int32_t ranked = 0;        /* trees whose labels the ranks count */
	JoinRanks ranks = {};
	Block ranks_memory{budget};
	size_t sorted_chunks = 0; /* number of first chunks whose trees have sorted labels */

	/* lists of rare labels */
	int32_t listed = 0;          /* number of indexed trees that have postings */
	int32_t planned_indexed = 0; /* indexed trees for which these probes are planned: */
	int32_t first_planned = 0;
	int32_t end_planned = 0;
	bool lists_pay = false;
	JoinLists lists = {};
	Block postings{budget};
	Block parts{budget};
	Block part_ends{budget};
	Block probe_ends{budget};
	Block host_probe_ends;

	/* the range under way */
	TedJoinRange *range = nullptr;
	Phase phase = Phase::FILTERS;
	int32_t first = 0; /* first probe that is being compared */
	int32_t end = 0;
	int64_t pairs = 0;      /* pairs whose sizes allow their limits */
	int64_t compared = 0;   /* of these pairs, or of those of lists */
	int32_t most_edits = 0; /* greatest limit of these pairs */
	int64_t pairs_at_once = JOIN_FIRST_PAIRS;
	std::chrono::steady_clock::time_point started;
	JoinWork work = {};

	int64_t list_capacity = 0;
	Block similar{budget};
	Block labels{budget};
	Block orders{budget}; /* unsorted, then sorted */
	Block jobs{budget};   /* unordered, then in order */
	Block distances{budget};
	Block rows{budget}; /* rows of strips */
	Block found{budget};
	Block counters{budget};
	Block host_counters;
	Block host_found;
	int64_t host_found_bytes = 0;
};

#endif /* TED_JOIN_H */
