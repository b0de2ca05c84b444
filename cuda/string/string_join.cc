/*
 * string_join.cc
 *	  Threshold join of short strings on a device: adding strings, and joining ranges of them.
 */
#include <algorithm>

#include "string_join.h"

/* Starts to copy memory of the host to a block of the device. */
cudaError_t
StringJoin::send(Block &block, const void *data, int64_t bytes)
{
	const cudaError_t status = block.reserve(bytes);

	return status != cudaSuccess || bytes == 0
			   ? status
			   : cudaMemcpyAsync(block.as<void>(), data, (size_t) bytes, cudaMemcpyHostToDevice,
								 stream);
}

/* Sends the shorter strings of an index, and waits for the end of the transfer. */
cudaError_t
StringJoin::send_strings(Side &side, const LcsCandidateIndex &index)
{
	const int32_t count = index.shorter;
	const int32_t parts = (count + LCS_PART_STRINGS - 1) / LCS_PART_STRINGS;
	const int32_t last_part = (parts - 1) * LCS_PART_STRINGS;
	const int64_t bytes = (int64_t) index.part_bytes[parts - 1] +
						  (int64_t) (count - last_part) * index.length[count - 1];
	cudaError_t status;

	if ((status = send(side.blocks, index.blocks,
					   (int64_t) lcs_block_count(count) * (int64_t) sizeof(LcsBlock))) !=
			cudaSuccess ||
		(status = side.sets.reserve(count * (int64_t) (SET_WORDS * sizeof(uint32_t)))) !=
			cudaSuccess ||
		(status = send(side.lengths, index.length, count * (int64_t) sizeof(int32_t))) !=
			cudaSuccess ||
		(status = send(side.bytes, index.bytes, bytes)) != cudaSuccess ||
		(status = send(side.part_bytes, index.part_bytes, parts * (int64_t) sizeof(size_t))) !=
			cudaSuccess)
		return status;
	side.strings = {count,
					side.blocks.as<uint4>(),
					side.sets.as<uint32_t>(),
					side.lengths.as<int32_t>(),
					side.bytes.as<uint8_t>(),
					side.part_bytes.as<size_t>()};
	status = string_join_sets(side.strings, stream);
	if (status == cudaSuccess)
		status = cudaStreamSynchronize(stream);
	if (status == cudaSuccess)
		side.length.assign(index.length, index.length + count);
	return status;
}

/* Finds the window of indexed strings for probes of each length. */
void
StringJoin::find_windows()
{
	const auto begin = indexed.length.begin();

	for (int32_t m = 0; m <= LCS_MOST_FEATURES; m++)
	{
		const auto allowed = [&](int32_t n) { return host_limits.least[m + n] <= std::min(m, n); };
		int32_t shortest = 0;
		int32_t longest = LCS_MOST_FEATURES;

		/* the lengths that allow a match are consecutive */
		while (shortest <= longest && !allowed(shortest))
			shortest++;
		while (longest >= shortest && !allowed(longest))
			longest--;
		host_limits.window[m] = {
			(int32_t) (std::lower_bound(begin, indexed.length.end(), shortest) - begin),
			(int32_t) (std::upper_bound(begin, indexed.length.end(), longest) - begin)};
	}
}

/* Adds copies of strings: first those that are indexed, then probes. */
cudaError_t
StringJoin::add(const TedJoinDocuments &documents)
{
	const TedJoinStrings &added = *documents.strings;
	cudaError_t status;

	if (indexed.strings.count > 0)
		return send_strings(probes, *added.index);
	status = send_strings(indexed, *added.index);
	if (status != cudaSuccess)
	{
		indexed.strings = {};
		return status;
	}
	shared = added.index->table->shared;
	std::copy_n(added.least, TED_JOIN_STRING_TOTALS, host_limits.least);
	find_windows();
	status = send(limits, &host_limits, sizeof(host_limits));
	return status == cudaSuccess ? cudaStreamSynchronize(stream) : status;
}

/* Forgets the probes; the indexed strings stay, which the caller never forgets. */
void
StringJoin::forget(int32_t)
{
	probes.strings = {};
	probes.length.clear();
}

/* Returns the number of indexed strings whose lengths allow a match with a probe. */
int64_t
StringJoin::pairs_of(const Side &side, bool self, int32_t probe) const
{
	const LengthWindow window = host_limits.window[side.length[probe]];
	const int32_t begin = self ? std::max(window.begin, probe + 1) : window.begin;

	return std::max(window.end - begin, 0);
}

/*
 * Starts to compare the next probes: one at least, and more until there are `pairs_at_once`
 * pairs.
 */
cudaError_t
StringJoin::start()
{
	const bool self = range->first < indexed.strings.count;
	const Side &side = self ? indexed : probes;
	const int32_t offset = self ? 0 : indexed.strings.count;
	StringJoinWork work = {};
	cudaError_t status;

	pairs = 0;
	end = range->first;
	do
		pairs += pairs_of(side, self, end++ - offset);
	while (end < range->end && pairs < pairs_at_once);
	work.indexed = indexed.strings;
	work.probes = side.strings;
	work.self = self;
	work.shared = shared;
	work.first = range->first - offset;
	work.end = end - offset;
	work.offset = offset;
	work.limits = limits.as<LengthLimits>();
	work.found = found.as<TedJoinPair>();
	work.capacity = (uint32_t) capacity;
	work.counters = counters.as<StringJoinCounters>();
	transferring = false;
	started = std::chrono::steady_clock::now();
	status = cudaMemsetAsync(counters.as<void>(), 0, sizeof(StringJoinCounters), stream);
	if (status == cudaSuccess)
		status = string_join_compare(work, stream);
	if (status == cudaSuccess)
		status = cudaMemcpyAsync(host_counters.as<void>(), counters.as<void>(),
								 sizeof(StringJoinCounters), cudaMemcpyDeviceToHost, stream);
	range->done = end;
	return status;
}

/* Starts to join a range.  The list has room for all pairs of one probe. */
cudaError_t
StringJoin::submit(TedJoinRange *submitted)
{
	const int64_t wanted = std::max(STRING_JOIN_LIST_PAIRS, (int64_t) indexed.strings.count);
	cudaError_t status;

	range = submitted;
	range->window = range->similar = range->labels = range->computed = range->count = 0;
	if ((status = found.reserve(wanted * (int64_t) sizeof(TedJoinPair))) != cudaSuccess ||
		(status = host_found.reserve(wanted * (int64_t) sizeof(TedJoinPair))) != cudaSuccess ||
		(status = counters.reserve(sizeof(StringJoinCounters))) != cudaSuccess ||
		(status = host_counters.reserve(sizeof(StringJoinCounters))) != cudaSuccess)
		return status;
	capacity = wanted;
	return start();
}

/* Starts the transfer of the pairs. */
cudaError_t
StringJoin::start_transfer()
{
	const uint32_t count = host_counters.as<StringJoinCounters>()->found;

	transferring = true;
	return count == 0
			   ? cudaSuccess
			   : cudaMemcpyAsync(host_found.as<void>(), found.as<void>(),
								 count * sizeof(TedJoinPair), cudaMemcpyDeviceToHost, stream);
}

/*
 * Sets the results of the range, and adapts the number of pairs that are compared next to the
 * time taken.
 */
void
StringJoin::finish()
{
	const uint32_t count = host_counters.as<StringJoinCounters>()->found;
	const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - started;

	range->done = end;
	range->window = pairs;
	range->similar = range->labels = range->computed = count;
	range->pairs = host_found.as<TedJoinPair>();
	range->count = count;
	if (elapsed.count() < JOIN_RANGE_SECONDS / 2 && count < capacity / 2)
		pairs_at_once = std::min(2 * pairs_at_once, STRING_JOIN_MOST_PAIRS);
	else if (elapsed.count() > 2 * JOIN_RANGE_SECONDS)
		pairs_at_once /= 2;
}

/* Polls the range: starts the next phase if the device has completed the last one. */
cudaError_t
StringJoin::poll()
{
	cudaError_t status = cudaStreamQuery(stream);

	if (status != cudaSuccess)
		return status;
	if (transferring)
	{
		finish();
		return cudaSuccess;
	}
	if (host_counters.as<StringJoinCounters>()->found > capacity)
	{
		pairs_at_once = std::max(pairs / 2, (int64_t) 1);
		status = start();
	}
	else
		status = start_transfer();
	return status == cudaSuccess ? cudaErrorNotReady : status;
}
