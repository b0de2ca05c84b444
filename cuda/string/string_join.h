/*
 * string_join.h
 *	  Threshold join of short strings on a device.
 *
 * The indexed strings, and then probes, are passed as the blocks and bytes of the host's
 * index (LcsCandidateIndex).  A range of probes is compared with all indexed strings whose
 * lengths allow a match.
 */
#ifndef TED_STRING_JOIN_H
#define TED_STRING_JOIN_H

#include <chrono>
#include <vector>

#include "../common/card_tuning.h"
#include "../common/device_join.h"
#include "../common/memory.h"
#include "string_join_work.h"

/* Strings of a join on a device. */
class StringJoin : public DeviceJoin
{
  public:
	StringJoin(Budget *budget, cudaStream_t stream)
		: budget(budget), stream(stream), indexed(budget), probes(budget)
	{
	}

	cudaError_t add(const TedJoinDocuments &added) override;
	void forget(int32_t count) override;
	cudaError_t submit(TedJoinRange *submitted) override;
	cudaError_t poll() override;

  private:
	/* The strings of a side of the join. */
	struct Side
	{
		DeviceStrings strings = {};
		std::vector<int32_t> length;
		Block blocks;
		Block sets;
		Block lengths;
		Block bytes;
		Block part_bytes;

		explicit Side(Budget *budget)
			: blocks(budget), sets(budget), lengths(budget), bytes(budget), part_bytes(budget)
		{
		}
	};

	cudaError_t send(Block &block, const void *data, int64_t bytes);
	cudaError_t send_strings(Side &side, const LcsCandidateIndex &index);
	void find_windows();
	int64_t pairs_of(const Side &side, bool self, int32_t probe) const;
	cudaError_t start();
	cudaError_t start_transfer();
	void finish();

	Budget *budget;
	cudaStream_t stream;
	Side indexed;
	Side probes;
	bool shared = false;
	LengthLimits host_limits = {};
	Block limits{budget};

	/* the range under way */
	TedJoinRange *range = nullptr;
	bool transferring = false;
	int32_t end = 0;   /* end of the probes that are being compared */
	int64_t pairs = 0; /* pairs whose lengths allow a match */
	int64_t pairs_at_once = STRING_JOIN_FIRST_PAIRS;
	std::chrono::steady_clock::time_point started;

	int64_t capacity = 0;
	Block found{budget};
	Block counters{budget};
	Block host_counters;
	Block host_found;
};

#endif /* TED_STRING_JOIN_H */
