/*
 * label_costs.h
 *	  Costs by label on a device.
 */
#ifndef TED_CUDA_TREE_LABEL_COSTS_H
#define TED_CUDA_TREE_LABEL_COSTS_H

#include <vector>

#include "../../src/engine/device.h"
#include "../common/memory.h"
#include "tables.h"

class LabelCosts
{
  public:
	explicit LabelCosts(Budget *budget)
		: labels(budget), removals(budget), renames{Block(budget), Block(budget)}
	{
	}

	/* Sends costs to the device. */
	cudaError_t set(const TedDeviceCosts &costs);

	/* What kernels read. */
	const LabelTable &
	device_table() const
	{
		return table;
	}

	/* What it costs to insert, or to delete, all nodes of a tree that has this number. */
	int32_t sum(const TedTree &tree, int32_t number, bool deleted);

  private:
	template <class Cost> cudaError_t send_renames(const TedDeviceCosts &costs, bool swapped);
	cudaError_t send_labels(const TedDeviceCosts &costs);

	LabelTable table = {};
	std::vector<int32_t> kind;         /* by label */
	std::vector<int32_t> node[2];      /* by kind: inserted, deleted */
	std::vector<int32_t> known_sum[2]; /* by tree, or -1 */
	Block labels;
	Block removals;
	Block renames[2]; /* by whether trees have changed places */
};

#endif /* TED_CUDA_TREE_LABEL_COSTS_H */
