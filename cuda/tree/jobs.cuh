/*
 * jobs.cuh
 *	  The kernel of exact tree edit distance for many pairs.
 *
 * The kernel is persistent: there is one launch for all work, and workers fetch pairs from a
 * queue, which each of them computes by itself (the single-kernel scheme of parallel
 * red-rec).
 */
#ifndef TED_JOBS_CUH
#define TED_JOBS_CUH

#include <cstdint>

#include "distinct.cuh"
#include "table_pass.cuh"

/* Shared memory of a block's workers, apart from kept rows and columns. */
template <int WIDTH, int WORKERS> struct WorkerExchange
{
	int totals[WORKERS][2][WIDTH / WARP];
	int heads[WORKERS][WIDTH / WARP];
	int fetched[WORKERS];
};

/* The most bytes of an exchange. */
constexpr int EXCHANGE_BYTES = 1024;

/* Shared memory of a block's workers by columns. */
template <class Cell, int WORKERS, int COLUMNS> struct ByColumn
{
	int labels[WORKERS][COLUMNS];
	Cell row[WORKERS][COLUMNS];
};

/* Returns the bytes of shared memory for this number of columns. */
static LAYOUT_INLINE constexpr size_t
column_bytes(int columns, size_t cell)
{
	return columns * (sizeof(int) + cell);
}

/* Fetches the next job; returns its number, or `count` if there is none. */
template <class Cell, int WIDTH>
static __device__ int
fetch_job(const Worker<Cell, WIDTH> &worker, const Work &work, int *fetched)
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

/* Finds the distinct tables of two trees. */
template <int WIDTH, bool BY_LABEL>
static __device__ __noinline__ void
find_distinct(const View &a, const View &b, const int32_t *labels, char *memory, int rank,
			  View &distinct_a, View &distinct_b)
{
	char *behind = memory + distinct_bytes(a.size, a.entries, a.tables);

	distinct_a = Distinct<WIDTH, BY_LABEL>(a, b, labels, memory, rank).find(ROWS_SIDE);
	distinct_b = Distinct<WIDTH, BY_LABEL>(b, a, labels, behind, rank).find(COLUMNS_SIDE);
}

/* Returns the costs of a pair whose trees may be swapped. */
template <class Cell, bool BY_LABEL>
static __device__ Costs<Cell, BY_LABEL>
costs_of(const Work &work, const LabelTable &labels, bool swapped)
{
	if constexpr (BY_LABEL)
		return {global(labels.remove[swapped]), global(labels.rename[swapped]), labels.kinds,
				labels.wide};
	else
		return {swapped ? work.uniform.delete_ : work.uniform.insert,
				swapped ? work.uniform.insert : work.uniform.delete_, work.uniform.rename};
}

/* Returns the arguments for a pair. */
template <class Cell, bool BY_LABEL>
static __device__ Problem<Cell, BY_LABEL>
job_problem(const Work &work, const LabelTable &labels, const Job &job, const View &a,
			const View &b, Cell *distance)
{
	return {global(a.entry), global(b.entry),
			global(b.table), costs_of<Cell, BY_LABEL>(work, labels, job.swapped),
			distance,        distance_stride(b.size),
			work.cancel};
}

/*
 * Finds the group of tables from `first` on that has no more than this number of columns;
 * returns its end.
 */
static __device__ int
next_table_group(const View &b, int first, int columns, Span &group)
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

/* Returns a worker, whose kept rows are in shared or in global memory. */
template <class Cell, int WIDTH, int WORKERS, int MOST, bool IN_MEMORY>
static __device__ Worker<Cell, WIDTH>
make_worker(const Work &work, WorkerExchange<WIDTH, WORKERS> &exchange)
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

/* Returns the number of columns that a worker's threads and kept rows have room for. */
template <int WIDTH, int MOST>
static __device__ int
most_columns(const View &a, int64_t kept_cells)
{
	int most = MOST;

	while (most > 1 && (int64_t) a.height * kept_row_cells(most * WIDTH) > kept_cells)
		most = fewer_columns(most);
	return most * WIDTH;
}

/* Computes pairs, each by one worker. */
template <class Cell, bool BY_LABEL, int WIDTH, int WORKERS, int MOST, int BLOCKS, bool IN_MEMORY>
static __global__ void
__launch_bounds__(WIDTH *WORKERS, BLOCKS) compute_jobs(const Work work, const LabelTable labels)
{
	__shared__ WorkerExchange<WIDTH, WORKERS> exchange;
	static_assert(sizeof(exchange) <= EXCHANGE_BYTES);
	const Worker<Cell, WIDTH> worker =
		make_worker<Cell, WIDTH, WORKERS, MOST, IN_MEMORY>(work, exchange);
	const int number = WORKERS == 1 ? 0 : (int) threadIdx.x / WIDTH;
	Cell *distance = (Cell *) work.distances + (blockIdx.x * WORKERS + number) * work.worker_cells;

	for (;;)
	{
		const int fetched = fetch_job(worker, work, &exchange.fetched[number]);

		if (fetched >= work.count)
			return;
		const Job job = work.jobs[fetched];
		View a;
		View b;

		find_distinct<WIDTH, BY_LABEL>(
			work.views[job.a], work.views[job.b], labels.label,
			(char *) distance + distance_bytes(work.views[job.a], work.views[job.b], sizeof(Cell)),
			worker.rank, a, b);

		const int columns = most_columns<WIDTH, MOST>(a, work.kept_cells);
		const Problem<Cell, BY_LABEL> p =
			job_problem<Cell, BY_LABEL>(work, labels, job, a, b, distance);

		for (int table = 0; table < b.tables;)
		{
			Span group;

			table = next_table_group(b, table, columns, group);
			if (!fill_group<Cell, BY_LABEL, WIDTH, MOST>(worker, p, a.entries, group))
				return;
		}
		if (worker.rank == 0)
			work.results[job.result] =
				distance[(size_t) (a.size - 1) * p.stride + distance_place(b.size - 1, p.stride)] +
				p.costs.insertion(job, b.size);
	}
}

/* Returns the kernel for a width. */
template <class Cell, bool BY_LABEL, Width WIDTH, bool IN_MEMORY>
static const void *
job_kernel_of()
{
	constexpr Shape shape = SHAPES[WIDTH];
	constexpr int blocks = shape.resident > shape.block ? shape.resident / shape.block : 1;

	return (const void *)
		compute_jobs<Cell, BY_LABEL, shape.threads, shape.workers(), shape.most, blocks, IN_MEMORY>;
}

/* Returns the kernel for a width that is known at run time. */
template <class Cell, bool BY_LABEL, bool IN_MEMORY>
static const void *
job_kernel_by_width(Width width)
{
	switch (width)
	{
		case BY_SMALL_WARP:
			return job_kernel_of<Cell, BY_LABEL, BY_SMALL_WARP, IN_MEMORY>();
		case BY_WARP:
			return job_kernel_of<Cell, BY_LABEL, BY_WARP, IN_MEMORY>();
		case BY_BLOCK:
			return job_kernel_of<Cell, BY_LABEL, BY_BLOCK, IN_MEMORY>();
		case BY_WIDE_BLOCK:
			return job_kernel_of<Cell, BY_LABEL, BY_WIDE_BLOCK, IN_MEMORY>();
		case BY_WIDER_BLOCK:
			return job_kernel_of<Cell, BY_LABEL, BY_WIDER_BLOCK, IN_MEMORY>();
		default:
			return job_kernel_of<Cell, BY_LABEL, BY_WIDEST_BLOCK, IN_MEMORY>();
	}
}

/* Returns the kernel for cells of a type. */
template <class Cell, bool BY_LABEL>
static const void *
kernel_by_cell(const Kernel &kernel)
{
	return kernel.kept_in_memory ? job_kernel_by_width<Cell, BY_LABEL, true>(kernel.width)
								 : job_kernel_by_width<Cell, BY_LABEL, false>(kernel.width);
}

/* Returns the kernel for costs that are the same for all labels, or differ by label. */
template <bool BY_LABEL>
static const void *
kernel_by_costs(const Kernel &kernel)
{
	return kernel.wide_cells ? kernel_by_cell<int32_t, BY_LABEL>(kernel)
							 : kernel_by_cell<int16_t, BY_LABEL>(kernel);
}

#endif /* TED_JOBS_CUH */
