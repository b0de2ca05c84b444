/*
 * lcs_gpu.h
 *	  Common functions of the tests and the benchmark of the LCS on a GPU.
 */
#ifndef TED_TEST_GPU_LCS_GPU_H
#define TED_TEST_GPU_LCS_GPU_H

#include <cstdint>
#include <vector>

extern "C"
{
#include "../../src/core/string/lcs.h"
}
#include "../../cuda/string/device_lcs_batch.h"
#include "../../cuda/string/device_lcs_pair.h"
#include "../../cuda/string/lcs_string.h"
#include "../core/random.h"

typedef std::vector<uint32_t> String;

extern cudaDeviceProp device;

/* Ends the program if CUDA reports an error. */
extern void must(cudaError_t error, const char *what);

/* Device memory. */
struct Memory
{
	void *data = nullptr;
	size_t bytes = 0;

	~Memory();

	/* Returns room for this number of bytes. */
	void *room(size_t needed);

	/* Returns a copy of host memory. */
	void *copy(const void *from, size_t size);
};

/* The memory of launches: strings, scratch memory and results. */
extern Memory memory_a, memory_b, workspace, result, memory_positions;
extern Memory memory_pattern, memory_texts, memory_start, memory_length, memory_lengths;

extern String random_string(int32_t length, uint32_t alphabet);

/* Copies a string to the device in symbols of 1, 2 or 4 bytes. */
extern void *copy_string(Memory &memory, const String &string, int symbol_bytes);

/* Copies a pair to the device. */
extern LcsDevicePair put_pair(const String &a, const String &b, int symbol_bytes, uint32_t codes);

/* Launch a pair, for its length and for its positions: those in a, then those in b. */
extern void launch_pair(const LcsDevicePair &pair, const LcsPairPlan &plan);
extern void launch_string(const LcsDevicePair &pair, const LcsStringPlan &plan);

/* Returns the length of the pair that was launched last. */
extern int32_t fetch_length();

/* The ways to compute a pair. */
struct Variant
{
	int words;
	int batch;
	int tables;
};

constexpr int VARIANTS = 12;
extern const Variant variants[VARIANTS];

/* Finds the plan for a pair by one variant; returns false if it does not fit. */
extern bool fit(const LcsDevicePair &pair, const Variant &variant, int most_warps,
				LcsPairPlan *plan);

/*
 * Checks the kernels against the core, random strings for about `seconds` seconds, and from one
 * second on also long pairs.
 */
extern int check(double seconds);

/* Times what `part` says, or all. */
extern int bench(const char *part);

#endif /* TED_TEST_GPU_LCS_GPU_H */
