/*
 * lcs_module.h
 *	  Batches of strings on a device.
 */
#ifndef TED_LCS_MODULE_H
#define TED_LCS_MODULE_H

#include <deque>
#include <vector>

#include "../../src/engine/device.h"
extern "C"
{
#include "../../src/engine/model.h"
}
#include "../../src/engine/engine_tuning.h"
#include "lcs_calibrate.h"
#include "lcs_string.h"
#include "../common/memory.h"
#include "../common/card.h"

/* A part of a batch that is computed at once. */
struct StringSlice
{
	cudaStream_t stream;
	cudaEvent_t begun;
	cudaEvent_t done;
	int64_t first; /* texts of the batch; none where the slice is idle */
	int64_t end;
	std::vector<int64_t> without; /* texts of it that have no length */

	Block staging; /* of the host, for what the device gets */
	Block results_staging;
	Block texts; /* what it gets: symbols, where they begin, lengths */
	Block results;
	Block work;
	Block positions; /* in the pattern, then in the text */
	Block positions_staging;

	explicit StringSlice(Budget *budget)
		: texts(budget), results(budget), work(budget), positions(budget)
	{
	}
};

/*
 * A batch, in slices that are transferred and computed in turns, on a stream each.
 */
class StringBatch
{
  public:
	explicit StringBatch(Budget *budget)
		: pattern(budget)
	{
		for (int i = 0; i < TED_STRING_GPU_PAIRS; i++)
			slices.emplace_back(budget);
	}

	/* Takes what a batch needs of the device. */
	cudaError_t set_up(const Card *card, const int *cancel);

	/* Measures what long pairs take. */
	cudaError_t calibrate(LcsTileModel *tiles);

	/* Starts a batch. */
	cudaError_t submit(const TedDeviceStrings &submitted);

	/* Polls the batch; cudaErrorNotReady while it is under way. */
	cudaError_t poll();

	double seconds; /* that its kernels took, all together */

  private:
	TedDeviceStrings strings;
	const Card *card;
	const int *cancel;
	int32_t symbol_bytes; /* on the device */
	bool one_by_one;      /* pairs, some at a time, each by many warps */
	int used;             /* slices of this batch */
	int64_t next;         /* text that no slice has taken */
	int oldest;           /* slice */
	Block pattern_staging;
	Block pattern;
	std::deque<StringSlice> slices;

	bool is_comparable(const LcsText &text) const;
	int slices_at_once() const;
	cudaError_t put_pattern();
	cudaError_t start_slice(StringSlice &slice);
	cudaError_t start_texts(StringSlice &slice);
	cudaError_t start_pair(StringSlice &slice);
	cudaError_t launch_pair(StringSlice &slice, LcsDevicePair pair);
	cudaError_t launch_string(StringSlice &slice, const LcsDevicePair &pair);
	cudaError_t collect(const StringSlice &slice);
};

#endif /* TED_LCS_MODULE_H */
