/*
 * device_label_costs.h
 *	  Costs by label on a device.
 *
 * The device computes the costs of renaming labels and keeps them; only those of new kinds
 * of labels are added later.
 */
#ifndef TED_DEVICE_LABEL_COSTS_H
#define TED_DEVICE_LABEL_COSTS_H

#include <unordered_map>
#include <vector>

#include "../../src/engine/gpu/device.h"
#include "../common/memory.h"
#include "device_grades.h"
#include "device_tables.h"

/* Up to this number of kinds, the costs take little memory. */
constexpr int32_t SMALL_KINDS = 8192;

class LabelCosts
{
  public:
	explicit LabelCosts(Budget *budget)
		: budget(budget), labels(budget), removals(budget), described(budget), texts(budget),
		  in_order(budget), scratch(budget), renames{Block(budget), Block(budget)}
	{
	}

	/* Sets the costs and starts to compute those of renaming, which poll() completes. */
	cudaError_t set(const TedDeviceCosts &costs, const int *cancel, cudaStream_t stream);
	cudaError_t poll();

	/* Forgets all trees but the first `count`. */
	void forget(int32_t count);

	/* Whether the costs take so little memory that the object is kept for other trees. */
	bool
	is_small() const
	{
		return table.kinds <= SMALL_KINDS && work.scratch_bytes == 0;
	}

	/* Returns the table that kernels read. */
	const LabelTable &
	device_table() const
	{
		return table;
	}

	/* Returns the cost of inserting, or deleting, all nodes of the tree with this number. */
	int32_t sum(const TedTree &tree, int32_t number, bool deleted);

  private:
	void forget_all();
	uint16_t code(uint32_t symbol);
	bool encode(const TedDeviceCosts &costs);
	cudaError_t reserve_table(int32_t kinds, bool &anew);
	cudaError_t send_labels(const TedDeviceCosts &costs);
	cudaError_t send_kinds();
	cudaError_t send_order();
	cudaError_t grade_next();

	Budget *budget;
	LabelTable table = {};
	std::vector<int32_t> kind;         /* kind by label */
	std::vector<int32_t> node[2];      /* cost by kind of inserting a node; of deleting it */
	std::vector<int32_t> known_sum[2]; /* costs of whole trees, or -1 where not yet known */
	std::vector<GradedKind> kinds;
	std::vector<uint16_t> codes;   /* codes of the symbols of all texts */
	std::vector<int32_t> low_code; /* code by symbol, or -1 */
	std::unordered_map<uint32_t, int32_t> high_code;
	int32_t code_count = 0;
	bool one_way = false; /* some labels cost more to insert than to delete, or less */

	/* the computation under way: */
	cudaStream_t stream = nullptr;
	GradeWork work = {};
	std::vector<int32_t> order; /* kinds by the lengths of their texts */
	double symbols = 0;         /* total length of all texts, approximately */

	Block labels;
	Block removals;
	Block described;
	Block texts;
	Block in_order;
	Block scratch;
	Block renames[2]; /* by whether the trees of a pair are swapped */
};

#endif /* TED_DEVICE_LABEL_COSTS_H */
