/*
 * block_pipeline.cu
 *	  The kernel for pairs of trees that several blocks share.
 *
 * The kernel is persistent.  Blocks fetch tasks, which are key roots of a with a group of
 * tables of b, in an order in which no task waits for a later one, except tasks at the front
 * that all have a block (the single-kernel scheme of parallel red-rec, but blocks wait for
 * rows instead of groups).
 */
#include <algorithm>

#include "../common/card.h"
#include "block_pipeline.cuh"

/* Returns the arguments for a pair. */
template <class Cell>
static __device__ SharedProblem<Cell>
pipeline_problem(const PipelineWork &work, const SharedPair &pair)
{
	const View &a = work.views[pair.job.a];
	const View &b = work.views[pair.job.b];

	return {global(a.entry),
			global(b.entry),
			pair.job.swapped ? work.uniform.delete_ : work.uniform.insert,
			pair.job.swapped ? work.uniform.insert : work.uniform.delete_,
			work.uniform.rename,
			global((Cell *) work.distances + pair.distances),
			pair.stride,
			a.size,
			global(work.ready + pair.ready),
			work.cancel};
}

/* Writes the distance of a pair whose last row is complete. */
template <class Cell>
static __device__ void
write_result(const PipelineWork &work, const SharedPair &pair, const SharedProblem<Cell> &p)
{
	const int nodes = work.views[pair.job.b].size;

	work.results[pair.job.result] =
		p.distance[(size_t) (p.nodes - 1) * p.stride + nodes] + pair.job.inserted;
}

/*
 * Fetches the next task and sets up the exchange as if all warps had completed the rows before
 * the first one.  Returns the number of the task, or `count` if there is none.
 */
template <int WARPS>
static __device__ int
next_task(BlockExchange<WARPS> &exchange, const PipelineWork &work)
{
	constexpr int CARRIES = (int) BlockExchange<WARPS>::CARRIES;

	__syncthreads(); /* all threads have finished the last task */
	if (threadIdx.x == 0)
	{
		int number = (int) atomicAdd(work.next, 1);

		if (exchange.stop || (number % FETCHES_PER_CHECK == 0 && *work.cancel))
			number = work.count;
		exchange.task = number;
		exchange.fetchable = 0;
	}
	__syncthreads();
	if (exchange.task < work.count)
	{
		const int first_row = work.tasks[exchange.task].first_row;

		for (int i = (int) threadIdx.x; i < WARPS * CARRIES; i += (int) blockDim.x)
		{
			const int row = first_row - 1 - i % CARRIES;

			exchange.carry[i / CARRIES][(unsigned) row % CARRIES] = make_carry(row, 0);
			if (i % CARRIES == 0)
				exchange.written[i / CARRIES] = (uint64_t) row;
		}
	}
	__syncthreads();
	return exchange.task;
}

/* Computes the tasks of pairs that blocks share. */
template <class Cell, int WARPS, int C, bool IN_MEMORY>
static __global__ void __launch_bounds__((WARPS + PIPELINE_MESSENGERS) * WARP, 1)
	compute_tasks(const PipelineWork work)
{
	using Kept = KeptRows<Cell, WARPS * WARP, C>;
	extern __shared__ uint4 shared[];
	BlockMemory<Cell, WARPS, C> &memory = *(BlockMemory<Cell, WARPS, C> *) shared;
	BlockExchange<WARPS> &exchange = memory.exchange;
	const Kept kept = {IN_MEMORY
						   ? (Cell *) work.kept + (size_t) blockIdx.x * work.slots * Kept::STRIDE
						   : (Cell *) (&memory + 1)};

	for (int slot = (int) threadIdx.x; slot < work.slots; slot += (int) blockDim.x)
		kept.row(slot)[Kept::GREATEST] = (Cell) Kept::GREATEST_CELL;
	if (threadIdx.x == 0)
		exchange.stop = 0;
	for (;;)
	{
		const int number = next_task(exchange, work);

		if (number >= work.count)
			return;
		const Task task = work.tasks[number];
		const SharedPair &pair = work.pairs[task.pair];
		const Group group = work.groups[task.group];
		const SharedProblem<Cell> p = pipeline_problem<Cell>(work, pair);

		Thread thread = {(int) threadIdx.x, (int) threadIdx.x % WARP, (int) threadIdx.x / WARP};

		if (thread.warp == WARPS)
			look_out(exchange, p, group, task.first_row, task.end_row);
		else if (thread.warp == WARPS + 1)
			announce(exchange, p, group, task.first_row, task.end_row);
		else if (thread.warp <= (group.lanes - 1) / WARP)
		{
			LaneColumns<Cell, WARPS, C> columns(p, thread, group, work.lanes);
			FetchedRows<Cell, WARPS, C> rows = {memory.buffers, exchange, p, thread, columns};
			WarpLink<WARPS> link(exchange, thread, group);
			Consumer<Cell, WARPS, C> consumer = {p, kept, thread, columns, rows, link, p.remove};

			if (consumer.run(task.first_row, task.end_row) && consumer.is_last() &&
				task.end_row == work.views[pair.job.a].entries && group.number == pair.groups - 1)
				write_result(work, pair, p);
		}
	}
}

/* Returns the kernel of a width. */
template <class Cell, PipelineWidth WIDTH, bool IN_MEMORY>
static const void *
pipeline_kernel_of()
{
	constexpr PipelineShape shape = PIPELINES[WIDTH];

	return (const void *) compute_tasks<Cell, shape.threads / WARP, shape.columns, IN_MEMORY>;
}

/* Returns one of the two kernels of a width, by the place of kept rows. */
template <class Cell, PipelineWidth WIDTH>
static const void *
kernel_in(bool memory)
{
	return memory ? pipeline_kernel_of<Cell, WIDTH, true>()
				  : pipeline_kernel_of<Cell, WIDTH, false>();
}

/* Returns the kernel for a width that is known at run time. */
template <class Cell>
static const void *
pipeline_kernel_by_width(const PipelineKernel &kernel)
{
	switch (kernel.width)
	{
		case NARROW_PIPELINE:
			return kernel_in<Cell, NARROW_PIPELINE>(kernel.kept_in_memory);
		case WIDE_PIPELINE:
			return kernel_in<Cell, WIDE_PIPELINE>(kernel.kept_in_memory);
		case WIDER_PIPELINE:
			return kernel_in<Cell, WIDER_PIPELINE>(kernel.kept_in_memory);
		default:
			return pipeline_kernel_of<Cell, WIDEST_PIPELINE, true>();
	}
}

/* Returns the kernel for properties that are known at run time. */
static const void *
pipeline_kernel_function(const PipelineKernel &kernel)
{
	return kernel.wide_cells ? pipeline_kernel_by_width<int32_t>(kernel)
							 : pipeline_kernel_by_width<int16_t>(kernel);
}

/* Returns the bytes of a block's shared memory, apart from kept rows. */
template <class Cell, PipelineWidth WIDTH>
static int64_t
memory_bytes()
{
	return sizeof(BlockMemory<Cell, PIPELINES[WIDTH].threads / WARP, PIPELINES[WIDTH].columns>);
}

/* Returns these bytes for a width that is known at run time. */
template <class Cell>
static int64_t
block_bytes(PipelineWidth width)
{
	switch (width)
	{
		case NARROW_PIPELINE:
			return memory_bytes<Cell, NARROW_PIPELINE>();
		case WIDE_PIPELINE:
			return memory_bytes<Cell, WIDE_PIPELINE>();
		case WIDER_PIPELINE:
			return memory_bytes<Cell, WIDER_PIPELINE>();
		default:
			return memory_bytes<Cell, WIDEST_PIPELINE>();
	}
}

/* Returns the bytes of a block's kept rows. */
int64_t
pipeline_kept_bytes(const PipelineKernel &kernel, int32_t slots)
{
	const PipelineShape &shape = PIPELINES[kernel.width];

	return (int64_t) slots * (shape.threads * shape.columns + KEPT_BESIDE) *
		   cell_bytes(kernel.wide_cells);
}

/* Returns the bytes of shared memory of a block. */
static int64_t
pipeline_shared_bytes(const PipelineKernel &kernel, int32_t slots)
{
	return (kernel.wide_cells ? block_bytes<int32_t>(kernel.width)
							  : block_bytes<int16_t>(kernel.width)) +
		   (kernel.kept_in_memory ? 0 : pipeline_kept_bytes(kernel, slots));
}

/* Returns the number of threads of a block. */
static int
block_threads(const PipelineKernel &kernel)
{
	return PIPELINES[kernel.width].threads + PIPELINE_MESSENGERS * WARP;
}

/*
 * Whether shared memory has room for a block; the widest blocks never have their kept rows
 * there.
 */
bool
pipeline_fits(const PipelineKernel &kernel, int32_t slots, const cudaDeviceProp &properties)
{
	return (kernel.width != WIDEST_PIPELINE || kernel.kept_in_memory) &&
		   pipeline_shared_bytes(kernel, slots) <= (int64_t) properties.sharedMemPerBlockOptin;
}

/* Returns the number of blocks that run at once. */
cudaError_t
pipeline_resident_blocks(const PipelineKernel &kernel, int32_t slots,
						 const cudaDeviceProp &properties, int *blocks)
{
	return resident_blocks(pipeline_kernel_function(kernel), block_threads(kernel),
						   (size_t) pipeline_shared_bytes(kernel, slots), properties, blocks);
}

/* Launches a kernel. */
cudaError_t
pipeline_launch(const PipelineKernel &kernel, const PipelineWork &work, int blocks,
				cudaStream_t stream)
{
	void *arguments[] = {(void *) &work};

	return cudaLaunchCooperativeKernel(pipeline_kernel_function(kernel), blocks,
									   block_threads(kernel), arguments,
									   (size_t) pipeline_shared_bytes(kernel, work.slots), stream);
}
