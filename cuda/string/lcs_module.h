/*
 * lcs_module.h
 *	  Batches of strings on a device.
 */
#ifndef TED_LCS_MODULE_H
#define TED_LCS_MODULE_H

#include <deque>
#include <vector>

#include "../../src/engine/gpu/device.h"
extern "C"
{
#include "../../src/engine/gpu/gpu_time.h"
}
#include "../../src/engine/engine_tuning.h"
#include "device_lcs_pair.h"
#include "lcs_string.h"
#include "../common/memory.h"
#include "../common/card.h"

/* A part of a batch that is computed at once. */
struct StringSlice
{
	cudaStream_t stream;
	cudaEvent_t begun;
	cudaEvent_t done;
	int64_t first; /* texts of the batch; none if the slice is idle */
	int64_t end;
	std::vector<int64_t> without; /* texts of the slice that cannot be compared */

	Block staging; /* memory of the host for `texts` */
	Block results_staging;
	Block texts; /* symbols, then starts, then lengths */
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
 * A batch, divided into slices, each of which is transferred and computed on a stream of its
 * own.
 */
class StringBatch
{
  public:
	explicit StringBatch(Budget *budget) : pattern(budget)
	{
		for (int i = 0; i < TED_STRING_GPU_PAIRS; i++)
			slices.emplace_back(budget);
	}

	/* Creates the streams and events of a batch. */
	cudaError_t set_up(const cudaDeviceProp *card, const int *cancel);

	/* Starts a batch. */
	cudaError_t submit(const TedDeviceStrings &submitted);

	/* Polls the batch; returns cudaErrorNotReady while it is being computed. */
	cudaError_t poll();

	double seconds; /* total time of the batch's kernels */

  private:
	TedDeviceStrings strings;
	const cudaDeviceProp *card;
	const int *cancel;
	int32_t symbol_bytes; /* bytes of a symbol on the device */
	bool one_by_one;      /* each slice is one pair, computed by many warps */
	int used;             /* number of slices that this batch uses */
	int64_t next;         /* first text that no slice has */
	int oldest;           /* number of the slice that was started first */
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
