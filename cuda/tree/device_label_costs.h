/*
 * device_label_costs.h
 *	  Costs by label on a device.
 *
 * Costs of renaming are computed there, and stay: those of new kinds of labels are added.
 */
#ifndef TED_DEVICE_LABEL_COSTS_H
#define TED_DEVICE_LABEL_COSTS_H

#include <unordered_map>
#include <vector>

#include "../../src/engine/device.h"
#include "../common/memory.h"
#include "device_grades.h"
#include "device_tables.h"

/* Kinds of labels whose costs take little memory. */
constexpr int32_t SMALL_KINDS = 8192;

class LabelCosts
{
  public:
	explicit LabelCosts(Budget *budget)
		: budget(budget), labels(budget), removals(budget), described(budget), texts(budget),
		  in_order(budget), scratch(budget), renames{Block(budget), Block(budget)}
	{
	}

	/* Takes costs; those of renaming are there once they have been polled to the end. */
	cudaError_t set(const TedDeviceCosts &costs, const int *cancel, cudaStream_t stream);
	cudaError_t poll();

	/* Forgets all trees but the first ones. */
	void forget(int32_t count);

	/* Whether it takes so little memory that this is kept for others. */
	bool
	is_small() const
	{
		return table.kinds <= SMALL_KINDS && work.scratch_bytes == 0;
	}

	/* What kernels read. */
	const LabelTable &
	device_table() const
	{
		return table;
	}

	/* Cost of inserting, or deleting, all nodes of a tree that has this number. */
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
	std::vector<int32_t> kind;         /* by label */
	std::vector<int32_t> node[2];      /* by kind: inserted, deleted */
	std::vector<int32_t> known_sum[2]; /* by tree, or -1 */
	std::vector<GradedKind> kinds;
	std::vector<uint16_t> codes;   /* of all texts */
	std::vector<int32_t> low_code; /* by symbol, or -1 */
	std::unordered_map<uint32_t, int32_t> high_code;
	int32_t code_count = 0;
	bool one_way = false; /* some labels cost more to insert than to delete, or less */

	/* under way: */
	cudaStream_t stream = nullptr;
	GradeWork work = {};
	std::vector<int32_t> order; /* kinds by the lengths of their texts */
	double symbols = 0;         /* of all texts, about */

	Block labels;
	Block removals;
	Block described;
	Block texts;
	Block in_order;
	Block scratch;
	Block renames[2]; /* by whether trees have changed places */
};

#endif /* TED_DEVICE_LABEL_COSTS_H */
