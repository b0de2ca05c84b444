/*
 * lcs_module.cc
 *	  Batches of strings on a device.
 *
 * If the pattern is not too long, texts are computed side by side, one slice of them after
 * another: while the device computes one slice, the host copies the texts of the next one
 * into pinned memory.  Otherwise, each pair is a slice by itself, and pairs that are too
 * short to fill the device are computed at the same time.
 */
#include "lcs_module.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "../common/card_tuning.h"
#include "device_lcs_batch.h"

/* Rounds a number of symbols up to a place where a text may begin. */
static int64_t
aligned(int64_t symbols)
{
	return (symbols + LCS_TEXT_ALIGN - 1) / LCS_TEXT_ALIGN * LCS_TEXT_ALIGN;
}

/* Prefetches a text whose symbols have this number of bytes. */
static void
prefetch(const LcsText &text, int32_t symbol_bytes)
{
	for (int64_t i = 0; i < (int64_t) text.length * symbol_bytes; i += CACHE_LINE)
		__builtin_prefetch((const char *) text.symbols + i);
}

/* Copies symbols of 4 bytes to symbols of another type. */
template <class To>
static void
narrow(void *to, const void *from, int32_t count)
{
	const int32_t *symbol = (const int32_t *) from;

	for (int32_t i = 0; i < count; i++)
		((To *) to)[i] = (To) symbol[i];
}

/* Copies symbols of 1 or 4 bytes to symbols of 1, 2 or 4 bytes. */
static void
copy_symbols(void *to, int32_t to_bytes, const void *from, int32_t from_bytes, int32_t count)
{
	if (to_bytes == from_bytes)
		std::memcpy(to, from, (size_t) count * (size_t) from_bytes);
	else if (to_bytes == 1)
		narrow<uint8_t>(to, from, count);
	else
		narrow<uint16_t>(to, from, count);
}

/* Whether all bytes are less than 128. */
static bool
is_ascii(const void *bytes, int32_t count)
{
	const char *byte = (const char *) bytes;
	uint64_t all = 0;
	int32_t i = 0;

	for (; i + 32 <= count; i += 32)
	{
		uint64_t word[4];

		std::memcpy(word, byte + i, sizeof(word));
		all |= word[0] | word[1] | word[2] | word[3];
	}
	for (; i < count; i++)
		all |= (uint64_t) byte[i];
	return (all & 0x8080808080808080) == 0;
}

/* Whether the bytes of a text are its symbols. */
bool
StringBatch::is_comparable(const LcsText &text) const
{
	return !strings.ascii || is_ascii(text.symbols, text.length);
}

/* Creates the streams and events of a batch. */
cudaError_t
StringBatch::set_up(const cudaDeviceProp *its_card, const int *its_cancel)
{
	cudaError_t status = cudaSuccess;

	card = its_card;
	cancel = its_cancel;
	for (StringSlice &slice : slices)
		if ((status = cudaStreamCreateWithFlags(&slice.stream, cudaStreamNonBlocking)) !=
				cudaSuccess ||
			(status = cudaEventCreate(&slice.begun)) != cudaSuccess ||
			(status = cudaEventCreate(&slice.done)) != cudaSuccess)
			return status;
	return status;
}

/* Starts to transfer the pattern. */
cudaError_t
StringBatch::put_pattern()
{
	const int64_t bytes = aligned(strings.m) * symbol_bytes;
	const cudaStream_t stream = slices[0].stream;
	cudaError_t status;

	if ((status = pattern_staging.reserve(bytes)) != cudaSuccess ||
		(status = pattern.reserve(bytes)) != cudaSuccess)
		return status;
	copy_symbols(pattern_staging.as<void>(), symbol_bytes, strings.pattern, sizeof(int32_t),
				 strings.m);
	status = cudaMemcpyAsync(pattern.as<void>(), pattern_staging.as<void>(), (size_t) bytes,
							 cudaMemcpyHostToDevice, stream);
	/* other streams read the pattern, too */
	return status == cudaSuccess && used > 1 ? cudaStreamSynchronize(stream) : status;
}

/* Starts to compute texts side by side. */
cudaError_t
StringBatch::start_texts(StringSlice &slice)
{
	const int32_t count = (int32_t) (slice.end - slice.first);
	int64_t symbols = 0;
	int64_t at = 0;
	int64_t *start;
	int32_t *length;
	cudaError_t status;

	for (int64_t i = slice.first; i < slice.end; i++)
		symbols += aligned(strings.texts[i].length);

	const int64_t starts_at = symbols * symbol_bytes;
	const int64_t lengths_at = starts_at + count * (int64_t) sizeof(int64_t);
	const int64_t bytes = lengths_at + count * (int64_t) sizeof(int32_t);
	char *const staging =
		(status = slice.staging.reserve(bytes)) == cudaSuccess ? slice.staging.as<char>() : nullptr;

	if (status != cudaSuccess || (status = slice.texts.reserve(bytes)) != cudaSuccess)
		return status;
	start = (int64_t *) (staging + starts_at);
	length = (int32_t *) (staging + lengths_at);
	for (int32_t i = 0; i < count; i++)
	{
		const LcsText &text = strings.texts[slice.first + i];

		if (slice.first + i + PREFETCHED_TEXTS < strings.count)
			prefetch((&text)[PREFETCHED_TEXTS], strings.symbol_bytes);
		copy_symbols(staging + at * symbol_bytes, symbol_bytes, text.symbols, strings.symbol_bytes,
					 text.length);
		start[i] = at;
		length[i] = text.length;
		/* test the text now that it is in the cache */
		if (!is_comparable(text))
		{
			length[i] = 0;
			slice.without.push_back(slice.first + i);
		}
		at += aligned(text.length);
	}

	char *const texts = slice.texts.as<char>();
	const LcsDeviceBatch batch = {pattern.as<void>(),
								  strings.m,
								  symbol_bytes,
								  strings.codes,
								  texts,
								  (const int64_t *) (texts + starts_at),
								  (const int32_t *) (texts + lengths_at),
								  count};

	if ((status = cudaMemcpyAsync(texts, staging, (size_t) bytes, cudaMemcpyHostToDevice,
								  slice.stream)) == cudaSuccess &&
		(status = cudaEventRecord(slice.begun, slice.stream)) == cudaSuccess)
		status =
			lcs_gpu_batch_launch(batch, *card, slice.results.as<int32_t>(), cancel, slice.stream);
	return status;
}

/* Starts the kernels that compute the length of a pair. */
cudaError_t
StringBatch::launch_pair(StringSlice &slice, LcsDevicePair pair)
{
	LcsPairPlan plan;
	cudaError_t status;

	/* rows are computed in parallel, so the longer string has the rows */
	if (pair.m < pair.n)
	{
		std::swap(pair.a, pair.b);
		std::swap(pair.m, pair.n);
	}
	if (!lcs_pair_plan(pair, *card, &plan))
		return cudaErrorMemoryAllocation;
	if ((status = slice.work.reserve((int64_t) lcs_device_pair_memory(pair, plan))) == cudaSuccess)
		status = lcs_pair_launch(pair, plan, slice.work.as<void>(), slice.results.as<int32_t>(),
								 cancel, slice.stream);
	return status;
}

/* Starts the kernels that find the subsequence of a pair, and the transfer of its positions. */
cudaError_t
StringBatch::launch_string(StringSlice &slice, const LcsDevicePair &pair)
{
	const int32_t most = std::min(pair.m, pair.n);
	const int64_t bytes = 2 * most * (int64_t) sizeof(int32_t);
	LcsStringPlan plan;
	cudaError_t status;

	if (!lcs_string_plan(pair, *card, &plan))
		return cudaErrorMemoryAllocation;
	if ((status = slice.work.reserve((int64_t) lcs_string_memory(pair, plan))) != cudaSuccess ||
		(status = slice.positions.reserve(bytes)) != cudaSuccess ||
		(status = slice.positions_staging.reserve(bytes)) != cudaSuccess)
		return status;

	int32_t *const positions = slice.positions.as<int32_t>();

	status = lcs_string_launch(pair, plan, slice.work.as<void>(), positions, positions + most,
							   slice.results.as<int32_t>(), cancel, slice.stream);
	if (status == cudaSuccess)
		status = cudaMemcpyAsync(slice.positions_staging.as<void>(), positions, (size_t) bytes,
								 cudaMemcpyDeviceToHost, slice.stream);
	return status;
}

/* Starts to compute a pair. */
cudaError_t
StringBatch::start_pair(StringSlice &slice)
{
	const LcsText &text = strings.texts[slice.first];
	const int64_t bytes = aligned(text.length) * symbol_bytes;
	cudaError_t status;

	if ((status = slice.staging.reserve(bytes)) != cudaSuccess ||
		(status = slice.texts.reserve(bytes)) != cudaSuccess)
		return status;
	copy_symbols(slice.staging.as<void>(), symbol_bytes, text.symbols, strings.symbol_bytes,
				 text.length);

	const LcsDevicePair pair = {pattern.as<void>(), slice.texts.as<void>(), strings.m,
								text.length,        symbol_bytes,           strings.codes};

	if ((status = cudaMemcpyAsync(slice.texts.as<void>(), slice.staging.as<void>(), (size_t) bytes,
								  cudaMemcpyHostToDevice, slice.stream)) == cudaSuccess &&
		(status = cudaEventRecord(slice.begun, slice.stream)) == cudaSuccess)
		status =
			strings.in_pattern != nullptr ? launch_string(slice, pair) : launch_pair(slice, pair);
	return status;
}

/* Starts the next texts of the batch on an idle slice, if there are any. */
cudaError_t
StringBatch::start_slice(StringSlice &slice)
{
	int64_t bytes = 0;
	int64_t results;
	cudaError_t status;

	slice.without.clear();
	/* skip texts that are empty or cannot be compared */
	for (slice.first = next; one_by_one && slice.first < strings.count; slice.first++)
	{
		const LcsText &text = strings.texts[slice.first];

		if (text.length > 0 && is_comparable(text))
			break;
		strings.lengths[slice.first] = text.length == 0 ? 0 : TED_NO_LENGTH;
	}
	slice.end = std::min(slice.first + 1, strings.count);
	if (!one_by_one)
		for (slice.end = slice.first;
			 slice.end < strings.count && slice.end - slice.first < STRING_SLICE_TEXTS; slice.end++)
		{
			bytes += aligned(strings.texts[slice.end].length) * symbol_bytes;
			if (bytes > STRING_SLICE_BYTES && slice.end > slice.first)
				break;
		}
	next = slice.end;
	if (slice.first == slice.end)
		return cudaSuccess;

	results = (slice.end - slice.first) * (int64_t) sizeof(int32_t);
	if ((status = slice.results.reserve(results)) == cudaSuccess &&
		(status = slice.results_staging.reserve(results)) == cudaSuccess &&
		(status = one_by_one ? start_pair(slice) : start_texts(slice)) == cudaSuccess &&
		(status = cudaEventRecord(slice.done, slice.stream)) == cudaSuccess)
		status = cudaMemcpyAsync(slice.results_staging.as<void>(), slice.results.as<void>(),
								 (size_t) results, cudaMemcpyDeviceToHost, slice.stream);
	return status;
}

/* Returns the number of slices that are computed at the same time. */
int
StringBatch::slices_at_once() const
{
	if (!one_by_one)
		return 2;
	return (int) std::min(strings.count, (int64_t) ted_gpu_pairs_at_once(strings.m));
}

/* Starts a batch. */
cudaError_t
StringBatch::submit(const TedDeviceStrings &submitted)
{
	const bool few = submitted.count < card->multiProcessorCount && submitted.m > FEW_TEXTS_ROWS;
	cudaError_t status;

	strings = submitted;
	one_by_one = few || submitted.in_pattern != nullptr ||
				 !lcs_gpu_batch_fits(strings.m, strings.codes, *card);
	symbol_bytes = strings.codes <= 256 ? 1 : one_by_one ? 4 : 2;
	used = slices_at_once();
	next = 0;
	oldest = 0;
	seconds = 0;
	for (StringSlice &slice : slices)
		slice.first = slice.end = 0;
	if (strings.m == 0)
	{
		for (int64_t i = 0; i < strings.count; i++)
			strings.lengths[i] = is_comparable(strings.texts[i]) ? 0 : TED_NO_LENGTH;
		return cudaSuccess;
	}
	status = put_pattern();
	for (int i = 0; i < used && status == cudaSuccess; i++)
		status = start_slice(slices[i]);
	return status;
}

/* Copies the lengths of a slice to the batch, and the positions of a subsequence. */
cudaError_t
StringBatch::collect(const StringSlice &slice)
{
	const int64_t count = slice.end - slice.first;
	float milliseconds = 0;
	cudaError_t status = cudaEventElapsedTime(&milliseconds, slice.begun, slice.done);

	seconds += 1e-3 * milliseconds;
	std::memcpy(strings.lengths + slice.first, slice.results_staging.as<void>(),
				(size_t) count * sizeof(int32_t));
	for (int64_t text : slice.without)
		strings.lengths[text] = TED_NO_LENGTH;
	if (strings.in_pattern != nullptr)
	{
		const int32_t *positions = slice.positions_staging.as<int32_t>();
		const int32_t most = std::min(strings.m, strings.texts[slice.first].length);
		const size_t bytes = (size_t) strings.lengths[slice.first] * sizeof(int32_t);

		std::memcpy(strings.in_pattern, positions, bytes);
		std::memcpy(strings.in_text, positions + most, bytes);
	}
	return status;
}

/* Polls the batch. */
cudaError_t
StringBatch::poll()
{
	for (int made = 0; made < STRING_SLICES_PER_POLL; made++)
	{
		StringSlice &slice = slices[oldest];
		cudaError_t status;

		if (slice.first == slice.end)
			return cudaSuccess;
		if ((status = cudaStreamQuery(slice.stream)) != cudaSuccess ||
			(status = collect(slice)) != cudaSuccess ||
			(status = start_slice(slice)) != cudaSuccess)
			return status;
		oldest = (oldest + 1) % used;
	}
	return cudaErrorNotReady;
}
