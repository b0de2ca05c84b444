/*
 * plan.cc
 *	  Which workers compute which pairs of a batch, and in what order.
 */
#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "plan.h"

/* Columns of a group that workers share, at least where there are so many. */
constexpr int SHARED_COLUMNS = 1024;

/* Rows of a task that are not those of one key root. */
constexpr int ROWS_PER_TASK = 32;

/*
 * Cells of 16 bits that a worker's kept rows have in shared memory, at most, so
 * that several workers fit; where they share pairs, they wait a lot, so that few
 * will do.
 */
constexpr int64_t KEPT_CELLS[WIDTHS] = {3 * 1024,   6 * 1024,   24 * 1024,
										108 * 1024, 108 * 1024, 108 * 1024};
constexpr int64_t SHARED_KEPT_CELLS[WIDTHS] = {0, 0, 48 * 1024, 108 * 1024, 108 * 1024, 108 * 1024};

/* Bytes of distances of all workers together. */
int64_t
Launch::distance_bytes() const
{
	int64_t owners = kernel.tasks ? 1 : (int64_t) blocks * SHAPES[kernel.width].workers();

	return owners * worker_cells * (int64_t) cell_bytes();
}

/* Bytes of kept rows that are not in shared memory. */
int64_t
Launch::kept_memory() const
{
	if (!kernel.kept_in_memory)
		return 0;
	return blocks * SHAPES[kernel.width].workers() * kept_cells * (int64_t) cell_bytes();
}

/* Shapes of the workers of a kernel. */
static const Shape &
shape_of(const Kernel &kernel)
{
	return SHAPES[kernel.width];
}

/* Cells of kept rows that a worker has room for in shared memory. */
static int64_t
kept_room(const Kernel &kernel)
{
	return (kernel.tasks ? SHARED_KEPT_CELLS : KEPT_CELLS)[kernel.width] /
		   (kernel.wide_cells ? 2 : 1);
}

/* Cells that the kept rows of a pair take with so many columns. */
static int64_t
kept_cells(const Shape &shape, const View &a, int64_t columns)
{
	return (int64_t) a.height *
		   kept_row_cells(filled_columns(shape.threads, shape.most, (int) columns));
}

/* The kernel with the narrowest workers that hold the largest table of a pair. */
static Kernel
kernel_for(const View &a, const View &b, bool wide_cells, bool tasks)
{
	Kernel kernel = {tasks ? BY_BLOCK : BY_SMALL_WARP, wide_cells, false, tasks};

	while (b.size > shape_of(kernel).columns())
		kernel.width = (Width) (kernel.width + 1);
	kernel.kept_in_memory = kept_cells(shape_of(kernel), a, b.size) > kept_room(kernel);
	return kernel;
}

/* Columns of a group, at most: all that threads hold, but where rows are dear only what must be. */
static int64_t
group_columns(const Kernel &kernel, const View &a, const View &b)
{
	const Shape &shape = shape_of(kernel);
	int64_t columns = std::min((int64_t) shape.columns(), (int64_t) b.entries);

	if (kernel.tasks || kernel.kept_in_memory)
		columns = std::min(columns, std::max((int64_t) SHARED_COLUMNS, (int64_t) b.size));
	while (!kernel.kept_in_memory && columns > b.size &&
		   kept_cells(shape, a, columns) > kept_room(kernel))
		columns = std::max((columns - 1) / 2, (int64_t) b.size);
	return columns;
}

/*
 * Seconds that one worker takes for a pair: rows, of which those on leftmost paths
 * are computed once for each level of a group.
 */
static double
worker_seconds(const TedCalibration &calibration, const Kernel &kernel, const View &a,
			   const View &b)
{
	const double sync = kernel.width <= BY_WARP ? calibration.sync_warp : calibration.sync_block;
	const double groups = std::ceil((double) b.entries / (double) group_columns(kernel, a, b));
	const double levels = std::max(1.0, (b.height + 1) / groups);
	const double columns = (double) b.entries / (groups * shape_of(kernel).threads) + 1;

	return groups * (a.entries + (levels - 1) * a.size) * (sync + columns * calibration.unit);
}

/* Divides the tables of b into groups of one level each, so that no row is computed twice. */
static void
add_groups(Launch &launch, const HostView &b, int64_t columns)
{
	const std::vector<Table> &table = b.tables;
	int32_t number = 0;

	for (size_t first = 0, end; first < table.size(); first = end)
	{
		int32_t begin = first == 0 ? 0 : table[first - 1].end;

		for (end = first + 1; end < table.size() && table[end].level == table[first].level &&
							  table[end].end - begin <= columns;)
			end++;
		launch.groups.push_back({begin, table[end - 1].end, 1, number++});
	}
}

/* Adds the tasks of some rows of a pair, one for each group. */
static void
add_tasks(Launch &launch, int32_t pair, int32_t first_row, int32_t end_row)
{
	int32_t end_group = pair + 1 < (int32_t) launch.pairs.size()
							? launch.pairs[pair + 1].first_group
							: (int32_t) launch.groups.size();

	for (int32_t group = launch.pairs[pair].first_group; group < end_group; group++)
		launch.tasks.push_back({pair, group, first_row, end_row});
}

/* A key root with many rows. */
struct LongTable
{
	int32_t pair;
	int32_t table;
	int32_t first_row;
	int32_t end_row;
};

/* Key roots with many rows, the longest first. */
static std::vector<LongTable>
long_tables(const std::vector<const PlannedPair *> &pairs)
{
	std::vector<LongTable> all;

	for (size_t i = 0; i < pairs.size(); i++)
		for (int32_t t = 0, first = 0; t < pairs[i]->a->view.tables; t++)
		{
			int32_t end = pairs[i]->a->tables[t].end;

			if (end - first >= ROWS_PER_TASK)
				all.push_back({(int32_t) i, t, first, end});
			first = end;
		}
	std::stable_sort(all.begin(), all.end(),
					 [](const LongTable &a, const LongTable &b)
					 { return a.end_row - a.first_row > b.end_row - b.first_row; });
	return all;
}

/*
 * Orders the work of shared pairs: first, the key roots with the most rows, as
 * many as half of the workers can take up at once, then the others by levels.
 */
static void
order_tasks(Launch &launch, const std::vector<const PlannedPair *> &pairs)
{
	std::vector<std::vector<bool>> taken(pairs.size());

	for (size_t i = 0; i < pairs.size(); i++)
		taken[i].resize(pairs[i]->a->view.tables);
	for (const LongTable &table : long_tables(pairs))
	{
		size_t before = launch.tasks.size();

		add_tasks(launch, table.pair, table.first_row, table.end_row);
		if (launch.tasks.size() > (size_t) launch.blocks / 2)
		{
			launch.tasks.resize(before);
			break;
		}
		taken[table.pair][table.table] = true;
	}
	for (size_t i = 0; i < pairs.size(); i++)
	{
		const std::vector<Table> &tables = pairs[i]->a->tables;
		int32_t first = 0;
		int32_t end = 0;

		for (size_t t = 0; t < tables.size(); t++)
		{
			if (!taken[i][t])
				end = tables[t].end;
			if (end > first &&
				(taken[i][t] || t + 1 == tables.size() || end - first >= ROWS_PER_TASK))
			{
				add_tasks(launch, (int32_t) i, first, end);
				first = end;
			}
			if (taken[i][t])
				first = end = tables[t].end;
		}
	}
}

/* Plans the work of one worker each; the longest come first. */
static cudaError_t
plan_jobs(const Card &card, const Kernel &kernel, std::vector<const PlannedPair *> pairs,
		  int64_t memory, std::vector<Launch> &launches)
{
	Launch launch = {};
	cudaError_t status;
	int64_t worker_bytes;

	launch.kernel = kernel;
	std::sort(pairs.begin(), pairs.end(),
			  [](const PlannedPair *p, const PlannedPair *q)
			  {
				  return (int64_t) p->a->view.entries * p->b->view.entries >
						 (int64_t) q->a->view.entries * q->b->view.entries;
			  });
	for (const PlannedPair *pair : pairs)
	{
		const View &a = pair->a->view;
		const View &b = pair->b->view;

		launch.jobs.push_back(pair->job);
		launch.worker_cells = std::max(launch.worker_cells, (int64_t) a.size * b.size);
		launch.kept_cells = std::max(launch.kept_cells,
									 kept_cells(shape_of(kernel), a, group_columns(kernel, a, b)));
	}
	if (!kernel.kept_in_memory)
		launch.kept_bytes = shape_of(kernel).workers() * launch.kept_cells * launch.cell_bytes();
	status = resident_blocks(kernel, launch.kept_bytes, card.properties, &launch.blocks);
	if (status != cudaSuccess)
		return status;
	launch.blocks = (int) std::min((int64_t) launch.blocks,
								   ((int64_t) pairs.size() + shape_of(kernel).workers() - 1) /
									   shape_of(kernel).workers());
	worker_bytes = (launch.distance_bytes() + launch.kept_memory()) / launch.blocks;
	launch.blocks = (int) std::min((int64_t) launch.blocks, memory / worker_bytes);
	if (launch.blocks == 0)
		return cudaErrorMemoryAllocation;
	launches.push_back(std::move(launch));
	return cudaSuccess;
}

/* Plans pairs that workers share. */
static cudaError_t
plan_tasks(const Card &card, const Kernel &kernel, const std::vector<const PlannedPair *> &pairs,
		   std::vector<Launch> &launches)
{
	Launch launch = {};
	cudaError_t status;

	launch.kernel = kernel;
	for (const PlannedPair *pair : pairs)
	{
		const View &a = pair->a->view;
		const View &b = pair->b->view;
		int64_t columns = group_columns(kernel, a, b);
		int32_t first_group = (int32_t) launch.groups.size();
		int32_t stride = (b.size + 63) / 64 * 64;

		launch.pairs.push_back(
			{pair->job, stride, first_group, launch.worker_cells, launch.ready_words});
		add_groups(launch, *pair->b, columns);
		launch.worker_cells += (int64_t) a.size * stride;
		launch.ready_words += a.size * ((int64_t) launch.groups.size() - first_group);
		launch.kept_cells = std::max(launch.kept_cells, kept_cells(shape_of(kernel), a, columns));
	}
	if (!kernel.kept_in_memory)
		launch.kept_bytes = launch.kept_cells * launch.cell_bytes();
	status = resident_blocks(kernel, launch.kept_bytes, card.properties, &launch.blocks);
	if (status != cudaSuccess)
		return status;
	order_tasks(launch, pairs);
	launch.blocks = (int) std::min((size_t) launch.blocks, launch.tasks.size());
	launches.push_back(std::move(launch));
	return cudaSuccess;
}

/* Orders kernels, so that pairs can be sorted by theirs. */
static bool
operator<(const Kernel &k, const Kernel &l)
{
	return std::make_tuple(k.tasks, k.width, k.kept_in_memory) <
		   std::make_tuple(l.tasks, l.width, l.kept_in_memory);
}

bool ted_gpu_may_share = true;

/* Plans launches for pairs. */
cudaError_t
plan_launches(const Card &card, const std::vector<PlannedPair> &pairs, bool wide_cells,
			  int64_t memory, double seconds_to_come, std::vector<Launch> &launches)
{
	static const int workers_at_once[WIDTHS] = {32, 16, 4, 1, 1, 1};
	std::vector<double> seconds;
	std::map<Kernel, std::vector<const PlannedPair *>> by_kernel;
	double load = seconds_to_come;
	int64_t shared_bytes = 0;

	for (const PlannedPair &pair : pairs)
	{
		Kernel kernel = kernel_for(pair.a->view, pair.b->view, wide_cells, false);

		seconds.push_back(worker_seconds(card.calibration, kernel, pair.a->view, pair.b->view));
		load +=
			seconds.back() / (workers_at_once[kernel.width] * card.properties.multiProcessorCount);
	}
	for (size_t i = 0; i < pairs.size(); i++)
	{
		const View &a = pairs[i].a->view;
		const View &b = pairs[i].b->view;
		Kernel kernel =
			kernel_for(a, b, wide_cells, pairs[i].kept || (ted_gpu_may_share && seconds[i] > load));

		if (kernel.tasks)
		{
			int64_t bytes = (int64_t) a.size * (b.size + 64) * (wide_cells ? 4 : 2);

			if (shared_bytes + bytes > memory / 2 && shared_bytes > 0)
				kernel = kernel_for(a, b, wide_cells, false);
			else
				shared_bytes += bytes;
		}
		by_kernel[kernel].push_back(&pairs[i]);
	}
	for (const auto &[kernel, chosen] : by_kernel)
	{
		cudaError_t status = kernel.tasks
								 ? plan_tasks(card, kernel, chosen, launches)
								 : plan_jobs(card, kernel, chosen, memory - shared_bytes, launches);

		if (status != cudaSuccess)
			return status;
	}
	return cudaSuccess;
}
