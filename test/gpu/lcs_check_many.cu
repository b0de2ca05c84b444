/*
 * lcs_check_many.cu
 *	  Checks the kernels against the core in long runs, in which all processors take part.
 */
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <thread>
#include <utility>

#include "lcs_gpu.h"

/*
 * Calls a function for each number less than `count`, by as many threads as there are
 * processors.
 */
template <class Call>
static void
for_all(size_t count, Call call)
{
	std::atomic<size_t> next{0};
	std::vector<std::thread> threads;

	for (unsigned i = 0; i < std::thread::hardware_concurrency(); i++)
		threads.emplace_back(
			[&]
			{
				for (size_t k; (k = next++) < count;)
					call(k);
			});
	for (std::thread &thread : threads)
		thread.join();
}

/* Returns a text of any kind to compare with a pattern. */
static String
any_text(const String &pattern, uint32_t alphabet, uint32_t longest)
{
	String text = random_string((int32_t) random_below(longest + 1), alphabet);

	switch (random_below(12))
	{
		case 0:
			return edited_string(pattern, alphabet);
		case 1:
			return pattern;
		case 2:
			return {};
		case 3: /* no common symbol */
			for (uint32_t &symbol : text)
				symbol += alphabet;
			return text;
		case 4: /* a single symbol */
			return String(text.size(), random_below(alphabet));
		default:
			return text;
	}
}

/* Replaces symbols by dense codes of the pattern's symbols; returns the number of codes. */
static uint32_t
encode(String &pattern, std::vector<String> &texts, uint32_t alphabet)
{
	String codes(2 * alphabet);
	uint32_t count = 1;

	for (uint32_t &symbol : pattern)
	{
		if (codes[symbol] == 0)
			codes[symbol] = count++;
		symbol = codes[symbol];
	}
	for (String &text : texts)
		for (uint32_t &symbol : text)
			symbol = codes[symbol];
	return count;
}

static const uint32_t asked_alphabets[] = {2, 4, 26, 256, 65536};

/* The number of texts for a pattern that are compared together, and one by one. */
constexpr int TOGETHER = 500;
constexpr int ONE_BY_ONE = 25;

/* Checks at least `count` random pairs: in batches if they fit, otherwise each by some variant. */
bool
check_many(int64_t count)
{
	int64_t pairs = 0;
	int64_t alone = 0;
	int64_t wrong = 0;

	random_state = setting("SEED", 1);
	for (int64_t group = 0; pairs < count && wrong == 0; group++)
	{
		uint32_t alphabet = asked_alphabets[group % 5];
		String pattern = random_string((int32_t) random_below(5001), alphabet);
		std::vector<String> texts;
		uint32_t codes;
		bool together;

		while (texts.size() < TOGETHER)
			texts.push_back(any_text(pattern, alphabet, 5000));
		codes = encode(pattern, texts, alphabet);
		together = lcs_gpu_batch_fits((int32_t) pattern.size(), (int32_t) codes, device);
		if (!together)
			texts.resize(ONE_BY_ONE);

		std::vector<int32_t> lengths(texts.size());
		std::vector<int32_t> expected(texts.size());

		for_all(texts.size(), [&](size_t i) { expected[i] = core_length(pattern, texts[i]); });
		if (together)
		{
			LcsDeviceBatch batch = put_batch(pattern, texts, codes <= 256 ? 1 : 2, codes);

			must(lcs_gpu_batch_launch(batch, device,
									  (int32_t *) memory_lengths.room(lengths.size() * 4), nullptr,
									  nullptr),
				 "lcs_gpu_batch_launch");
			must(cudaMemcpy(lengths.data(), memory_lengths.data, lengths.size() * 4,
							cudaMemcpyDeviceToHost),
				 "kernel");
			for (size_t i = 0; i < texts.size(); i++)
				wrong += lengths[i] != expected[i];
		}
		else
			for (size_t i = 0; i < texts.size(); i++, alone++)
				wrong += !check_pair(pattern, texts[i], codes, codes <= 256 ? 1 : 4,
									 variants[random_below(VARIANTS)], 1 << random_below(4),
									 1 + (int) random_below(66), expected[i]);
		pairs += (int64_t) texts.size();
	}
	printf("# %lld pairs, %lld of them one by one\n", (long long) pairs, (long long) alone);
	return wrong == 0;
}

/* Checks random pairs of up to a million symbols each, by the plans that are chosen for them. */
bool
check_longest(int count)
{
	std::vector<std::pair<String, String>> pairs;
	std::vector<int32_t> expected((size_t) count);
	int right = 0;

	random_state = setting("SEED", 1);
	for (int i = 0; i < count; i++)
	{
		uint32_t alphabet = asked_alphabets[i % 5];
		String a = random_string((int32_t) random_below(1000001), alphabet);

		pairs.push_back({a, any_text(a, alphabet, 1000000)});
	}
	for_all((size_t) count,
			[&](size_t i) { expected[i] = core_length(pairs[i].first, pairs[i].second); });
	for (int i = 0; i < count; i++)
	{
		auto &[a, b] = pairs[(size_t) i];
		uint32_t codes = 2 * asked_alphabets[i % 5];
		LcsDevicePair pair = put_pair(a, b, codes <= 256 ? 1 : 4, codes);
		LcsPairPlan plan;
		int32_t length = -2;

		if (lcs_pair_plan(pair, device, &plan))
		{
			launch_pair(pair, plan);
			length = fetch_length();
		}
		right += length == expected[(size_t) i];
		if (length != expected[(size_t) i])
			printf("# m=%d n=%d codes=%u: %d, not %d\n", pair.m, pair.n, codes, length,
				   expected[(size_t) i]);
	}
	return right == count;
}
