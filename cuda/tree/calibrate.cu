/*
 * calibrate.cu
 *	  Measures the times of cells, rows, launches and transfers on a card.
 *
 * X-TED (PVLDB 17(7), 2024, section 5.3) measures a cell computed by one thread, and the
 * cost of waiting within a warp, a block and several blocks.  Here each of these is the end
 * of a row of cells as in table_pass.cuh.  A kernel repeats one of them many times, and events
 * around it take the time.
 */
#include <algorithm>
#include <chrono>
#include <vector>

#include "calibrate.h"
#include "../common/memory.h"

constexpr int REPEATS = 20000;
constexpr int ROUNDS = 5;
constexpr int CELLS = 1024;
constexpr int64_t TRANSFER_BYTES = 32 << 20;

/* The work that a kernel repeats. */
enum What
{
	CELL,
	THREAD_ROW,
	WARP_ROW,
	BLOCK_ROW,
	MULTI_ROW
};

/* Computes a cell from three neighbours in shared memory. */
static __device__ int
fill_cell(volatile int *cells, int at)
{
	int cell = min(min(cells[at], cells[at + 1]) + 1, cells[at + 2] + (at & 1));

	cells[at + 2] = cell;
	return cell;
}

/* Returns the prefix minimum over the lanes of a warp, as at the end of a row. */
static __device__ int
warp_prefix(int value)
{
	for (int d = 1; d < 32; d *= 2)
		value = min(value, __shfl_up_sync(~0u, value, d));
	return value;
}

/* Waits for this block's turn and hands the next turn to the other block. */
static __device__ void
take_turns(volatile unsigned *turn, unsigned number)
{
	while (*turn != number)
		;
	__threadfence();
	*turn = number + 1;
}

/* Repeats one kind of work. */
static __global__ void
repeat(What what, unsigned *turn, int *result)
{
	__shared__ int cells[CELLS + 2];
	__shared__ int totals[32];
	int value = (int) threadIdx.x;

	for (int i = (int) threadIdx.x; i < CELLS + 2; i += (int) blockDim.x)
		cells[i] = i;
	if (threadIdx.x < 32)
		totals[threadIdx.x] = 0;
	__syncthreads();
	for (int i = 0; i < REPEATS; i++)
		switch (what)
		{
			case CELL:
				value += fill_cell(cells, i % CELLS);
				break;
			case THREAD_ROW:
				cells[value & 1] = i; /* a kept row that is read again */
				value = ((volatile int *) cells)[i & 1];
				break;
			case WARP_ROW:
				value = warp_prefix(value + i);
				break;
			case BLOCK_ROW:
				value = warp_prefix(value + i);
				if (threadIdx.x % 32 == 31)
					totals[threadIdx.x / 32] = value;
				__syncthreads();
				value = min(value, __reduce_min_sync(~0u, totals[threadIdx.x % 32]));
				__syncthreads();
				break;
			case MULTI_ROW:
				if (threadIdx.x == 0)
					take_turns(turn, 2 * (unsigned) i + blockIdx.x);
				__syncthreads();
				break;
		}
	result[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

/* Measures the seconds of one repetition, as the least of some rounds. */
static cudaError_t
measure_seconds(What what, int blocks, int threads, cudaStream_t stream, int *memory,
				double *seconds)
{
	cudaEvent_t begun = nullptr;
	cudaEvent_t done = nullptr;
	unsigned *turn = (unsigned *) memory;
	int *result = memory + 1;
	void *arguments[] = {&what, &turn, &result};
	cudaError_t status = cudaEventCreate(&begun);

	if (status == cudaSuccess)
		status = cudaEventCreate(&done);
	*seconds = 1;
	for (int round = 0; round < ROUNDS && status == cudaSuccess; round++)
	{
		float milliseconds = 0;

		if ((status = cudaMemsetAsync(memory, 0, sizeof(int), stream)) == cudaSuccess &&
			(status = cudaEventRecord(begun, stream)) == cudaSuccess &&
			(status = cudaLaunchCooperativeKernel((const void *) repeat, blocks, threads, arguments,
												  0, stream)) == cudaSuccess &&
			(status = cudaEventRecord(done, stream)) == cudaSuccess &&
			(status = cudaStreamSynchronize(stream)) == cudaSuccess)
			status = cudaEventElapsedTime(&milliseconds, begun, done);
		*seconds = std::min(*seconds, 1e-3 * milliseconds / REPEATS);
	}
	if (begun != nullptr)
		cudaEventDestroy(begun);
	if (done != nullptr)
		cudaEventDestroy(done);
	return status;
}

/* Does nothing. */
static __global__ void
do_nothing()
{
}

/* Returns the time of a steady clock in seconds. */
static double
now()
{
	return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
		.count();
}

/*
 * Measures the seconds until the host sees the end of an empty kernel, and the seconds to
 * transfer a byte.
 */
static cudaError_t
measure_host(cudaStream_t stream, Block &device, Block &host, TedCalibration *calibration)
{
	cudaError_t status = cudaSuccess;

	calibration->launch = calibration->byte = 1;
	for (int round = 0; round < ROUNDS && status == cudaSuccess; round++)
	{
		double start = now();

		do_nothing<<<1, 1, 0, stream>>>();
		if ((status = cudaStreamSynchronize(stream)) != cudaSuccess)
			break;
		calibration->launch = std::min(calibration->launch, now() - start);
		start = now();
		status = cudaMemcpyAsync(device.as<void>(), host.as<void>(), TRANSFER_BYTES,
								 cudaMemcpyHostToDevice, stream);
		if (status == cudaSuccess)
			status = cudaStreamSynchronize(stream);
		calibration->byte = std::min(calibration->byte, (now() - start) / TRANSFER_BYTES);
	}
	return status;
}

/* Measures the times of a card. */
cudaError_t
calibrate(Budget *budget, cudaStream_t stream, TedCalibration *calibration)
{
	Block device(budget);
	Block host;
	int *memory;
	cudaError_t status;

	if ((status = device.reserve(TRANSFER_BYTES)) != cudaSuccess ||
		(status = host.reserve(TRANSFER_BYTES)) != cudaSuccess)
		return status;
	memory = device.as<int>();
	if ((status = measure_seconds(CELL, 1, 1, stream, memory, &calibration->unit)) != cudaSuccess ||
		(status = measure_seconds(THREAD_ROW, 1, 1, stream, memory, &calibration->sync_thread)) !=
			cudaSuccess ||
		(status = measure_seconds(WARP_ROW, 1, 32, stream, memory, &calibration->sync_warp)) !=
			cudaSuccess ||
		(status = measure_seconds(BLOCK_ROW, 1, 256, stream, memory, &calibration->sync_block)) !=
			cudaSuccess ||
		(status = measure_seconds(MULTI_ROW, 2, 256, stream, memory, &calibration->sync_multi)) !=
			cudaSuccess)
		return status;
	return measure_host(stream, device, host, calibration);
}
