/*
 * lcs_check.cu
 *	  Checks the kernels for longest common subsequences against the core.
 */
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "../core/tap.h"
#include "../../bench/gpu/baselines.h"
#include "lcs_gpu.h"

/* Returns the seconds since a time. */
static double
seconds_now()
{
	return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
		.count();
}

static const TedInterrupt no_interrupt = {};

/* Returns the length by the core. */
static int32_t
core_length(const String &a, const String &b)
{
	static std::vector<char> space;
	int32_t m = (int32_t) a.size();
	int32_t n = (int32_t) b.size();
	size_t bytes = lcs_pattern_memory(a.data(), m) + lcs_length_memory(m, n) + TED_ARENA_ALIGN;
	const LcsPattern *pattern;
	TedArena arena = {};
	int32_t length = -2;

	if (space.size() < bytes)
		space.resize(bytes);
	arena.base = (char *) ted_arena_bytes((size_t) space.data());
	arena.size = bytes - TED_ARENA_ALIGN;
	if (lcs_prepare(a.data(), m, &arena, &no_interrupt, &pattern) != TED_OK ||
		lcs_length(pattern, b.data(), n, &arena, &no_interrupt, &length) != TED_OK)
	{
		printf("Bail out! the core failed\n");
		exit(2);
	}
	return length;
}

/* Finds the positions by the core. */
static void
core_positions(const String &a, const String &b, std::vector<int32_t> &a_position,
			   std::vector<int32_t> &b_position)
{
	int32_t m = (int32_t) a.size();
	int32_t n = (int32_t) b.size();
	size_t bytes = lcs_pattern_memory(a.data(), m) + lcs_positions_memory(m, n);
	std::vector<char> space(bytes + TED_ARENA_ALIGN);
	const LcsPattern *pattern;
	TedArena arena = {};
	int32_t length = 0;

	arena.base = (char *) ted_arena_bytes((size_t) space.data());
	arena.size = bytes;
	a_position.resize((size_t) std::min(m, n));
	b_position.resize((size_t) std::min(m, n));
	if (lcs_prepare(a.data(), m, &arena, &no_interrupt, &pattern) != TED_OK ||
		lcs_positions(pattern, b.data(), n, &arena, &no_interrupt, a_position.data(),
					  b_position.data(), &length) != TED_OK)
	{
		printf("Bail out! the core failed\n");
		exit(2);
	}
	a_position.resize((size_t) length);
	b_position.resize((size_t) length);
}

/* Returns a copy of a string with some edits. */
static String
edited_string(const String &from, uint32_t alphabet)
{
	String string;

	for (uint32_t symbol : from)
	{
		uint32_t edit = random_below(100);

		if (edit < 3)
			string.push_back(random_below(alphabet));
		if (edit < 97)
			string.push_back(symbol);
	}
	return string;
}

/* Returns a string of any kind to compare with another one. */
static String
any_string(const String &other, uint32_t alphabet, uint32_t longest)
{
	int32_t length = (int32_t) random_below(longest + 1);

	switch (random_below(12))
	{
		case 0:
			return other;
		case 1:
			return {};
		case 2:
			return String((size_t) length, alphabet - 1);
		case 3:
		case 4:
		case 5:
			return edited_string(other, alphabet);
		default:
			return random_string(length, alphabet);
	}
}

/* Checks one pair against the core by one variant. */
static bool
check_pair(const String &a, const String &b, uint32_t codes, int symbol_bytes, Variant variant,
		   int most_warps, int most_blocks, int32_t expected)
{
	LcsDevicePair pair = put_pair(a, b, symbol_bytes, codes);
	LcsPairPlan plan;
	int32_t length;

	if (!fit(pair, variant, most_warps, &plan))
		return true;
	plan.blocks = std::min(plan.blocks, most_blocks);
	must(cudaMemset(workspace.room(lcs_device_pair_memory(pair, plan)), 0x5a, workspace.bytes),
		 "memset");
	launch_pair(pair, plan);
	length = fetch_length();
	if (length != expected)
		printf("# m=%d n=%d codes=%u bytes=%d words=%d batch=%d tables=%d warps=%d blocks=%d "
			   "numbered=%d: %d, not %d\n",
			   pair.m, pair.n, codes, symbol_bytes, plan.words, plan.batch, plan.tables, plan.warps,
			   plan.blocks, plan.symbol_words, length, expected);
	return length == expected;
}

static const uint32_t alphabets[] = {1, 2, 4, 26, 256, 3000, 65536};

/* Checks random pairs up to some length for some seconds. */
static void
check_pairs(int32_t longest, double seconds)
{
	double end = seconds_now() + seconds;
	int pairs = 0;
	int right = 0;

	while (seconds_now() < end && pairs - right < 10)
	{
		uint32_t alphabet = alphabets[random_below(7)];
		String a = random_string((int32_t) random_below((uint32_t) longest + 1), alphabet);
		String b = any_string(a, alphabet, (uint32_t) longest);
		int bytes = alphabet <= 256 && random_below(2) ? 1 : 4;
		uint32_t codes = bytes == 1 && random_below(2) ? 256 : alphabet;
		Variant variant = variants[random_below(VARIANTS)];
		int warps = 1 << random_below(4);
		int blocks = 1 + (int) random_below(random_below(2) ? 3 : 66);

		if (random_below(20) == 0) /* strings without a common symbol */
			for (uint32_t &symbol : b)
				symbol = codes - 1;
		pairs++;
		right += check_pair(a, b, codes, bytes, variant, warps, blocks, core_length(a, b));
	}
	ok(right == pairs, "pair: %d random pairs up to %d", pairs, longest);
}

/* Checks pairs of all small lengths, by one variant or by all. */
static void
check_small_pairs(bool by_all)
{
	int pairs = 0;
	int right = 0;
	static const int32_t sizes[] = {0, 1, 2, 3, 31, 32, 33, 63, 64, 65, 1023, 1024, 1025, 4097};

	for (int32_t m : sizes)
		for (int32_t n : sizes)
		{
			String a = random_string(m, 3);
			String b = random_string(n, 3);
			int32_t expected = core_length(a, b);

			for (const Variant &variant : variants)
				if (by_all || &variant == &variants[pairs % VARIANTS])
				{
					pairs++;
					right += check_pair(a, b, 3, 1, variant, 4, 66, expected);
					if (!by_all)
						break;
				}
		}
	ok(right == pairs, "pair: %d of small and odd sizes", pairs);
}

/* Checks a long pair in all ways. */
static void
check_long_pairs(int32_t m, int32_t n, uint32_t alphabet)
{
	String a = random_string(m, alphabet);
	String b = random_string(n, alphabet);
	int32_t expected = core_length(a, b);
	int right = 0;
	int pairs = 0;

	for (const Variant &variant : variants)
		for (int warps = 1; warps <= 8; warps *= 2)
		{
			pairs++;
			right +=
				check_pair(a, b, alphabet, alphabet <= 256 ? 1 : 4, variant, warps, 66, expected);
		}
	ok(right == pairs, "pair: %d x %d over %u symbols, %d ways", m, n, alphabet, pairs);
}

/* Checks the subsequence of a pair against the core's. */
static bool
check_string(const String &a, const String &b, uint32_t codes, int symbol_bytes)
{
	LcsDevicePair pair = put_pair(a, b, symbol_bytes, codes);
	size_t most = std::min(a.size(), b.size());
	std::vector<int32_t> positions(2 * most);
	std::vector<int32_t> a_expected, b_expected;
	LcsStringPlan plan;
	int32_t length;

	if (!lcs_string_plan(pair, device, &plan))
		return false;
	launch_string(pair, plan);
	length = fetch_length();
	core_positions(a, b, a_expected, b_expected);
	if (length != (int32_t) a_expected.size())
	{
		printf("# string: m=%d n=%d codes=%u bytes=%d: %d, not %zu\n", pair.m, pair.n, codes,
			   symbol_bytes, length, a_expected.size());
		return false;
	}
	must(cudaMemcpy(positions.data(), memory_positions.data, positions.size() * sizeof(int32_t),
					cudaMemcpyDeviceToHost),
		 "kernel");
	for (size_t i = (size_t) length; i-- > 0;)
		if (positions[i] != a_expected[i] || positions[most + i] != b_expected[i])
		{
			printf("# string: m=%d n=%d codes=%u bytes=%d: pair %zu of %d is (%d, %d), "
				   "not (%d, %d)\n",
				   pair.m, pair.n, codes, symbol_bytes, i, length, positions[i],
				   positions[most + i], a_expected[i], b_expected[i]);
			return false;
		}
	return true;
}

/* Checks subsequences of random pairs for some seconds, and of long pairs. */
static void
check_strings(double seconds, int32_t longest)
{
	double end = seconds_now() + seconds;
	int pairs = 0;
	int right = 0;

	while (seconds_now() < end && pairs - right < 10)
	{
		uint32_t alphabet = alphabets[random_below(7)];
		uint32_t most = random_below(2) ? 100 : 6000;
		String a = random_string((int32_t) random_below(most + 1), alphabet);
		String b = any_string(a, alphabet, most);
		int bytes = alphabet <= 256 && random_below(2) ? 1 : 4;

		pairs++;
		right += check_string(a, b, alphabet, bytes);
	}
	for (uint32_t alphabet : alphabets)
	{
		pairs++;
		right += check_string(random_string(longest, alphabet),
							  random_string(longest / 6 * 5, alphabet), alphabet, 4);
	}
	ok(right == pairs, "string: %d pairs", pairs);
}

/* Puts texts on the device, in symbols of 1 or 2 bytes. */
static LcsDeviceBatch
put_batch(const String &pattern, const std::vector<String> &texts, int symbol_bytes, uint32_t codes)
{
	LcsDeviceBatch batch;
	std::vector<uint8_t> bytes;
	std::vector<int64_t> start;
	std::vector<int32_t> length;

	for (const String &text : texts)
	{
		start.push_back((int64_t) bytes.size() / symbol_bytes);
		length.push_back((int32_t) text.size());
		for (uint32_t symbol : text)
			for (int i = 0; i < symbol_bytes; i++)
				bytes.push_back((uint8_t) (symbol >> (8 * i)));
		while (bytes.size() % (LCS_TEXT_ALIGN * (size_t) symbol_bytes) != 0)
			bytes.push_back(0xff);
	}
	batch.pattern = copy_string(memory_pattern, pattern, symbol_bytes);
	batch.m = (int32_t) pattern.size();
	batch.symbol_bytes = symbol_bytes;
	batch.codes = (int32_t) codes;
	batch.texts = memory_texts.copy(bytes.data(), bytes.size());
	batch.start = (int64_t *) memory_start.copy(start.data(), start.size() * sizeof(int64_t));
	batch.length = (int32_t *) memory_length.copy(length.data(), length.size() * sizeof(int32_t));
	batch.count = (int32_t) texts.size();
	return batch;
}

/* Checks random batches for some seconds. */
static void
check_batches(double seconds)
{
	double end = seconds_now() + seconds;
	int batches = 0;
	int64_t pairs = 0;
	int64_t wrong = 0;
	static const int32_t sizes[] = {40, 64, 100, 128, 200, 500, 1000, 1024, 2000, 4096};

	while (seconds_now() < end && wrong < 10)
	{
		uint32_t alphabet = alphabets[random_below(6)];
		int32_t m = (int32_t) random_below((uint32_t) sizes[random_below(10)] + 1);
		int bytes = alphabet <= 256 && random_below(2) ? 1 : 2;
		uint32_t codes = bytes == 1 && random_below(2) ? 256 : alphabet;
		int32_t count = (int32_t) random_below(random_below(4) == 0 ? 3000 : 100);
		int32_t longest = (int32_t) random_below(2) ? m : 20 + 2 * m;
		String pattern = random_string(m, alphabet);
		std::vector<String> texts;
		std::vector<int32_t> lengths;
		LcsDeviceBatch batch;

		if (!lcs_gpu_batch_fits(m, (int32_t) codes, device))
			continue;
		for (int32_t i = 0; i < count; i++)
			texts.push_back(any_string(pattern, alphabet, (uint32_t) longest));
		batch = put_batch(pattern, texts, bytes, codes);
		lengths.resize((size_t) count);
		memory_lengths.copy(lengths.data(), lengths.size() * sizeof(int32_t));
		must(cudaMemset(memory_lengths.data, 0x5a, memory_lengths.bytes), "memset");
		must(lcs_gpu_batch_launch(batch, device, (int32_t *) memory_lengths.data, nullptr, nullptr),
			 "lcs_gpu_batch_launch");
		must(cudaMemcpy(lengths.data(), memory_lengths.data, lengths.size() * sizeof(int32_t),
						cudaMemcpyDeviceToHost),
			 "kernel");
		for (int32_t i = 0; i < count && wrong < 10; i++)
		{
			int32_t expected = core_length(pattern, texts[(size_t) i]);

			if (lengths[(size_t) i] != expected)
			{
				wrong++;
				printf("# m=%d n=%zu codes=%u bytes=%d count=%d text %d: %d, not %d\n", m,
					   texts[(size_t) i].size(), codes, bytes, count, i, lengths[(size_t) i],
					   expected);
			}
			pairs++;
		}
		batches++;
	}
	ok(wrong == 0, "batch: %d batches, %lld pairs", batches, (long long) pairs);
}

/* Checks the baselines on random pairs. */
static void
check_baselines(int count)
{
	int row_wise = 0;
	int tiled = 0;

	for (int i = 0; i < count; i++)
	{
		uint32_t alphabet = alphabets[random_below(5)];
		String a = random_string(1 + (int32_t) random_below(600), alphabet);
		String b = random_string(1 + (int32_t) random_below(600), alphabet);
		LcsDevicePair pair = put_pair(a, b, 1, alphabet);
		int32_t expected = core_length(a, b);
		int32_t *length = (int32_t *) result.room(sizeof(int32_t));

		must(scs_row_wise_launch(
				 (const uint8_t *) pair.a, pair.m, (const uint8_t *) pair.b, pair.n, pair.codes,
				 workspace.room(scs_row_wise_memory(pair.n, pair.codes)), length, nullptr),
			 "scs_row_wise_launch");
		row_wise += fetch_length() == pair.m + pair.n - expected;
		must(lcs_tiled_launch((const uint8_t *) pair.a, pair.m, (const uint8_t *) pair.b, pair.n,
							  1 + (int32_t) random_below(200), 1 + (int32_t) random_below(100),
							  workspace.room(lcs_tiled_memory(pair.m, pair.n)), length, nullptr),
			 "lcs_tiled_launch");
		tiled += fetch_length() == expected;
	}
	ok(row_wise == count, "baselines: row-wise SCS, %d pairs", count);
	ok(tiled == count, "baselines: tiled LCS, %d pairs", count);
}

/* Checks that a cancelled computation ends soon, and reports that. */
static void
check_cancel()
{
	LcsDevicePair pair = put_pair(random_string(500000, 4), random_string(500000, 4), 1, 4);
	Memory word;
	volatile int *cancel = (volatile int *) word.room(sizeof(int));
	LcsPairPlan plan;
	LcsStringPlan string_plan;
	static int stop = 1;
	double before, after;
	cudaStream_t stream, other;

	must(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "stream");
	must(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking), "stream");
	fit(pair, variants[0], 4, &plan);
	workspace.room(lcs_device_pair_memory(pair, plan));
	memory_positions.room(2 * 500000 * sizeof(int32_t));
	must(cudaMemset(word.data, 0, sizeof(int)), "memset");
	before = seconds_now();
	must(lcs_pair_launch(pair, plan, workspace.data, (int32_t *) result.data, cancel, stream),
		 "lcs_pair_launch");
	must(cudaMemcpyAsync(word.data, &stop, sizeof(int), cudaMemcpyHostToDevice, other), "copy");
	must(cudaStreamSynchronize(stream), "kernel");
	must(cudaStreamSynchronize(other), "copy");
	after = seconds_now();
	printf("# a pair cancelled under way: %.3f ms\n", (after - before) * 1e3);

	must(cudaMemcpy(word.data, &stop, sizeof(int), cudaMemcpyHostToDevice), "copy");
	must(lcs_pair_launch(pair, plan, workspace.data, (int32_t *) result.data, cancel, nullptr),
		 "lcs_pair_launch");
	ok(fetch_length() == LCS_CANCELLED, "pair: cancelled");
	if (lcs_string_plan(pair, device, &string_plan))
	{
		workspace.room(lcs_string_memory(pair, string_plan));
		must(lcs_string_launch(pair, string_plan, workspace.data, (int32_t *) memory_positions.data,
							   (int32_t *) memory_positions.data + 500000, (int32_t *) result.data,
							   cancel, nullptr),
			 "lcs_string_launch");
	}
	ok(fetch_length() == LCS_CANCELLED, "string: cancelled");
	must(cudaStreamDestroy(stream), "stream");
	must(cudaStreamDestroy(other), "stream");
}

/* Checks all kernels against the core. */
int
check(double seconds)
{
	check_small_pairs(seconds >= 1);
	check_baselines(seconds >= 1 ? 100 : 3);
	check_cancel();
	check_pairs(5000, seconds / 3);
	check_pairs(40000, seconds / 6);
	check_batches(seconds / 3);
	check_strings(seconds / 6, seconds >= 1 ? 60000 : 3000);
	if (seconds >= 1)
	{
		for (uint32_t alphabet : alphabets)
			check_long_pairs(60000, 60000, alphabet);
		check_long_pairs(200000, 150000, 26);
		check_long_pairs(300000, 50000, 65536);
		check_long_pairs(1000000, 250000, 4);
		check_long_pairs(1000000, 1000000, 256);
	}
	return done_testing();
}
