/*
 * tables.cu
 *	  The kernel of exact tree edit distance for many pairs.
 *
 * It is persistent: one launch for all work, pairs which workers fetch from a
 * queue, each by itself (the single-kernel scheme of parallel red-rec).
 */
#include <cstdint>

#include "distinct.cuh"
#include "tables.cuh"

/* Shared memory of a block's workers besides kept rows. */
template <int WIDTH, int WORKERS> struct Exchange
{
	int totals[WORKERS][2][WIDTH / WARP];
	int heads[WORKERS][WIDTH / WARP];
	int fetched[WORKERS];
};

/* Bytes of a exchange, at most. */
constexpr int EXCHANGE_BYTES = 1024;

/* Their shared memory by columns. */
template <class Cell, int WORKERS, int COLUMNS> struct ByColumn
{
	int labels[WORKERS][COLUMNS];
	Cell row[WORKERS][COLUMNS];
};

/* The bytes of that for this number of columns. */
static LAYOUT_INLINE constexpr size_t
column_bytes(int columns, size_t cell)
{
	return columns * (sizeof(int) + cell);
}

/* Takes up the next job, or returns `count`. */
template <class Cell, int WIDTH>
static __device__ int
fetch(const Worker<Cell, WIDTH> &worker, const Work &work, int *fetched)
{
	int number;

	if (worker.rank == 0)
	{
		number = (int) atomicAdd(work.next, 1);
		if (number % FETCHES_PER_CHECK == 0 && *work.cancel)
			number = work.count;
		*fetched = number;
	}
	worker.sync();
	number = *fetched;
	worker.sync();
	return min(number, work.count);
}

/* The distinct tables of two trees. */
template <int WIDTH>
static __device__ __noinline__ void
find_distinct(const View &a, const View &b, char *memory, int rank, View &distinct_a,
			  View &distinct_b)
{
	distinct_a = Distinct<WIDTH>(a, b, memory, rank).find(NO_LABEL - 1);
	distinct_b = Distinct<WIDTH>(b, a, memory + distinct_bytes(a.size, a.entries, a.tables), rank)
					 .find(NO_LABEL);
}

/* Sets up a pair. */
template <class Cell>
static __device__ Problem<Cell>
problem_of(const Work &work, const Job &job, const View &a, const View &b, Cell *distance)
{
	return {global(a.entry),
			global(b.entry),
			global(b.table),
			job.swapped ? work.uniform.delete_ : work.uniform.insert,
			job.swapped ? work.uniform.insert : work.uniform.delete_,
			work.uniform.rename,
			distance,
			distance_stride(b.size),
			work.cancel};
}

/* The group of tables from `first` on that has at most this number of columns; returns its end. */
static __device__ int
next_group(const View &b, int first, int columns, Span &group)
{
	int least = first + 1; /* there is room for one table */
	int most = b.tables;

	group.begin = first == 0 ? 0 : b.table[first - 1].end;
	while (least < most)
	{
		int middle = (least + most + 1) / 2;

		if (b.table[middle - 1].end - group.begin <= columns)
			least = middle;
		else
			most = middle - 1;
	}
	group.end = b.table[least - 1].end;
	group.level = b.table[first].level;
	group.levels = b.table[least - 1].level - group.level + 1;
	return least;
}

/* A worker, whose kept rows are in shared memory or elsewhere. */
template <class Cell, int WIDTH, int WORKERS, int MOST, bool IN_MEMORY>
static __device__ Worker<Cell, WIDTH>
make_worker(const Work &work, Exchange<WIDTH, WORKERS> &exchange)
{
	extern __shared__ uint4 shared[];
	auto &columns = *(ByColumn<Cell, WORKERS, WIDTH * MOST> *) shared;
	static_assert(sizeof(columns) == column_bytes(WORKERS * WIDTH * MOST, sizeof(Cell)));
	const int number = WORKERS == 1 ? 0 : (int) threadIdx.x / WIDTH;
	Worker<Cell, WIDTH> worker;

	worker.rank = WORKERS == 1 ? (int) threadIdx.x : (int) threadIdx.x % WIDTH;
	if constexpr (IN_MEMORY)
		worker.kept = (Cell *) work.kept + (blockIdx.x * WORKERS + number) * work.kept_cells;
	else
		worker.kept = (Cell *) (&columns + 1) + number * work.kept_cells;
	worker.totals = &exchange.totals[number][0][0];
	worker.heads = exchange.heads[number];
	worker.labels = columns.labels[number];
	worker.row = columns.row[number];
	return worker;
}

/* Columns that fit a worker's threads and kept rows. */
template <int WIDTH, int MOST>
static __device__ int
most_columns(const View &a, int64_t kept_cells)
{
	int most = MOST;

	while (most > 1 && (int64_t) a.height * kept_row_cells(most * WIDTH) > kept_cells)
		most = fewer_columns(most);
	return most * WIDTH;
}

/* Pairs that one worker computes each. */
template <class Cell, int WIDTH, int WORKERS, int MOST, int BLOCKS, bool IN_MEMORY>
static __global__ void
__launch_bounds__(WIDTH *WORKERS, BLOCKS) compute_jobs(const Work work)
{
	__shared__ Exchange<WIDTH, WORKERS> exchange;
	static_assert(sizeof(exchange) <= EXCHANGE_BYTES);
	const Worker<Cell, WIDTH> worker =
		make_worker<Cell, WIDTH, WORKERS, MOST, IN_MEMORY>(work, exchange);
	const int number = WORKERS == 1 ? 0 : (int) threadIdx.x / WIDTH;
	Cell *distance = (Cell *) work.distances + (blockIdx.x * WORKERS + number) * work.worker_cells;

	for (;;)
	{
		const int fetched = fetch(worker, work, &exchange.fetched[number]);

		if (fetched >= work.count)
			return;
		const Job job = work.jobs[fetched];
		View a;
		View b;

		find_distinct<WIDTH>(work.views[job.a], work.views[job.b],
							 (char *) distance +
								 distance_bytes(work.views[job.a], work.views[job.b], sizeof(Cell)),
							 worker.rank, a, b);

		const int columns = most_columns<WIDTH, MOST>(a, work.kept_cells);
		const Problem<Cell> p = problem_of(work, job, a, b, distance);

		for (int table = 0; table < b.tables;)
		{
			Span group;

			table = next_group(b, table, columns, group);
			if (!fill_group<Cell, WIDTH, MOST>(worker, p, a.entries, group))
				return;
		}
		if (worker.rank == 0)
			work.results[job.result] =
				distance[(size_t) (a.size - 1) * p.stride + distance_place(b.size - 1, p.stride)] +
				p.insert * b.size;
	}
}

/* A kernel for one width. */
template <class Cell, Width WIDTH, bool IN_MEMORY>
static const void *
kernel_of()
{
	constexpr Shape shape = SHAPES[WIDTH];
	constexpr int blocks = shape.resident > shape.block ? shape.resident / shape.block : 1;

	return (const void *)
		compute_jobs<Cell, shape.threads, shape.workers(), shape.most, blocks, IN_MEMORY>;
}

/* The same by what is known at run time. */
template <class Cell, bool IN_MEMORY>
static const void *
kernel_by_width(Width width)
{
	switch (width)
	{
		case BY_SMALL_WARP:
			return kernel_of<Cell, BY_SMALL_WARP, IN_MEMORY>();
		case BY_WARP:
			return kernel_of<Cell, BY_WARP, IN_MEMORY>();
		case BY_BLOCK:
			return kernel_of<Cell, BY_BLOCK, IN_MEMORY>();
		case BY_WIDE_BLOCK:
			return kernel_of<Cell, BY_WIDE_BLOCK, IN_MEMORY>();
		case BY_WIDER_BLOCK:
			return kernel_of<Cell, BY_WIDER_BLOCK, IN_MEMORY>();
		default:
			return kernel_of<Cell, BY_WIDEST_BLOCK, IN_MEMORY>();
	}
}

template <class Cell>
static const void *
kernel_by_cell(const Kernel &kernel)
{
	return kernel.kept_in_memory ? kernel_by_width<Cell, true>(kernel.width)
								 : kernel_by_width<Cell, false>(kernel.width);
}

static const void *
kernel_function(const Kernel &kernel)
{
	return kernel.wide_cells ? kernel_by_cell<int32_t>(kernel) : kernel_by_cell<int16_t>(kernel);
}

/* Bytes of shared memory that a block takes with this number of kept rows. */
static size_t
shared_bytes(const Kernel &kernel, size_t kept_bytes)
{
	const Shape &shape = SHAPES[kernel.width];

	return kept_bytes +
		   column_bytes(shape.workers() * shape.columns(), cell_bytes(kernel.wide_cells));
}

/* Bytes of kept rows for which a worker has room, if its block has a processor to itself. */
int64_t
kept_bytes_at_most(const Kernel &kernel, const cudaDeviceProp &properties)
{
	return ((int64_t) properties.sharedMemPerBlockOptin - (int64_t) shared_bytes(kernel, 0) -
			EXCHANGE_BYTES) /
		   SHAPES[kernel.width].workers();
}

/* Blocks that run at once with this number of bytes of kept rows each. */
cudaError_t
resident_blocks(const Kernel &kernel, size_t kept_bytes, const cudaDeviceProp &properties,
				int *blocks)
{
	const void *function = kernel_function(kernel);
	const size_t bytes = shared_bytes(kernel, kept_bytes);
	int per_processor = 0;
	cudaError_t status;

	status =
		cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize, (int) bytes);
	if (status == cudaSuccess)
		status = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_processor, function,
															   SHAPES[kernel.width].block, bytes);
	*blocks = per_processor * properties.multiProcessorCount;
	return status;
}

/* Launches a kernel. */
cudaError_t
launch(const Kernel &kernel, const Work &work, int blocks, size_t kept_bytes, cudaStream_t stream)
{
	void *arguments[] = {(void *) &work};

	return cudaLaunchKernel(kernel_function(kernel), blocks, SHAPES[kernel.width].block, arguments,
							shared_bytes(kernel, kept_bytes), stream);
}
