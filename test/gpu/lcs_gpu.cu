/*
 * lcs_gpu.cu
 *	  Checks the kernels for longest common subsequences against the core, and times them.
 *
 * usage: lcs_gpu check [SECONDS] | bench [batch|plans|strings|baselines|pairs]
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "lcs_gpu.h"

cudaDeviceProp device;

/* Ends the program if CUDA reports an error. */
void
must(cudaError_t error, const char *what)
{
	if (error != cudaSuccess)
	{
		printf("Bail out! %s: %s\n", what, cudaGetErrorString(error));
		exit(2);
	}
}

Memory::~Memory()
{
	cudaFree(data);
}

/* Returns room for this number of bytes. */
void *
Memory::room(size_t needed)
{
	if (needed > bytes)
	{
		must(cudaFree(data), "cudaFree");
		must(cudaMalloc(&data, needed), "cudaMalloc");
		bytes = needed;
	}
	return data;
}

/* Returns a copy of host memory. */
void *
Memory::copy(const void *from, size_t size)
{
	room(size + LCS_TEXT_ALIGN);
	must(cudaMemcpy(data, from, size, cudaMemcpyHostToDevice), "cudaMemcpy");
	return data;
}

Memory memory_a, memory_b, workspace, result, memory_positions;
Memory memory_pattern, memory_texts, memory_start, memory_length, memory_lengths;

/* Returns a string of random symbols. */
String
random_string(int32_t length, uint32_t alphabet)
{
	String string((size_t) length);

	for (uint32_t &symbol : string)
		symbol = random_below(alphabet);
	return string;
}

/* Copies a string to the device in symbols of 1, 2 or 4 bytes. */
void *
copy_string(Memory &memory, const String &string, int symbol_bytes)
{
	std::vector<uint8_t> bytes;

	for (uint32_t symbol : string)
		for (int i = 0; i < symbol_bytes; i++)
			bytes.push_back((uint8_t) (symbol >> (8 * i)));
	return memory.copy(bytes.data(), bytes.size());
}

/* Copies a pair to the device. */
LcsDevicePair
put_pair(const String &a, const String &b, int symbol_bytes, uint32_t codes)
{
	LcsDevicePair pair;

	pair.a = copy_string(memory_a, a, symbol_bytes);
	pair.b = copy_string(memory_b, b, symbol_bytes);
	pair.m = (int32_t) a.size();
	pair.n = (int32_t) b.size();
	pair.symbol_bytes = symbol_bytes;
	pair.codes = (int32_t) codes;
	return pair;
}

/* Launches a pair. */
void
launch_pair(const LcsDevicePair &pair, const LcsPairPlan &plan)
{
	must(lcs_pair_launch(pair, plan, workspace.room(lcs_device_pair_memory(pair, plan)),
						 (int32_t *) result.room(sizeof(int32_t)), nullptr, nullptr),
		 "lcs_pair_launch");
}

/* Returns the length of the pair that was launched last. */
int32_t
fetch_length()
{
	int32_t length;

	must(cudaMemcpy(&length, result.data, sizeof(length), cudaMemcpyDeviceToHost), "kernel");
	return length;
}

/* Launches the kernels that find the positions of a pair: those in a, then those in b. */
void
launch_string(const LcsDevicePair &pair, const LcsStringPlan &plan)
{
	int32_t most = std::min(pair.m, pair.n);
	int32_t *positions = (int32_t *) memory_positions.room((size_t) most * 2 * sizeof(int32_t) + 1);

	must(lcs_string_launch(pair, plan, workspace.room(lcs_string_memory(pair, plan)), positions,
						   positions + most, (int32_t *) result.room(sizeof(int32_t)), nullptr,
						   nullptr),
		 "lcs_string_launch");
}

const Variant variants[VARIANTS] = {{1, 4, 1}, {1, 8, 1}, {2, 4, 1}, {2, 8, 1},
									{4, 4, 1}, {4, 8, 1}, {1, 4, 2}, {1, 8, 2},
									{2, 4, 2}, {2, 8, 2}, {4, 4, 2}, {4, 8, 2}};

/* Finds the plan for a pair by one variant; returns false if it does not fit. */
bool
fit(const LcsDevicePair &pair, const Variant &variant, int most_warps, LcsPairPlan *plan)
{
	plan->words = variant.words;
	plan->batch = variant.batch;
	plan->tables = variant.tables;
	return lcs_pair_fit(pair, device, most_warps, plan);
}

int
main(int argc, char **argv)
{
	must(cudaGetDeviceProperties(&device, 0), "no device");
	random_state = setting("SEED", 1);
	if (argc > 1 && strcmp(argv[1], "check") == 0)
		return check(argc > 2 ? atof(argv[2]) : 45);
	if (argc > 1 && strcmp(argv[1], "bench") == 0)
		return bench(argc > 2 ? argv[2] : "");
	printf("usage: lcs_gpu check [SECONDS] | bench [batch|plans|strings|baselines|pairs]\n");
	return 2;
}
