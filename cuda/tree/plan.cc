/*
 * plan.cc
 *	  Chooses the workers that compute the pairs of a batch, and their order.
 */
#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <tuple>

#include "../common/card_tuning.h"
#include "plan.h"

static_assert(std::size(KEPT_BYTES) == WIDTHS && std::size(WORKERS_AT_ONCE) == WIDTHS,
			  "card_tuning.h has an entry for each width");

/* Returns the bytes of the distances of all workers together. */
int64_t
Launch::distance_bytes() const
{
	return (int64_t) blocks * SHAPES[kernel.width].workers() * worker_cells *
		   cell_bytes(kernel.wide_cells);
}

/* Returns the bytes of kept rows that are in global memory. */
int64_t
Launch::kept_memory() const
{
	if (!kernel.kept_in_memory)
		return 0;
	return blocks * SHAPES[kernel.width].workers() * kept_cells * cell_bytes(kernel.wide_cells);
}

/* Returns the bytes of the distances of all pairs. */
int64_t
SharedLaunch::distance_bytes() const
{
	return cells * cell_bytes(kernel.wide_cells);
}

/* Returns the bytes of kept rows that are in global memory. */
int64_t
SharedLaunch::kept_memory() const
{
	return kernel.kept_in_memory ? blocks * pipeline_kept_bytes(kernel, slots) : 0;
}

/* Returns the shape of the workers of a kernel. */
static const Shape &
shape_of(const Kernel &kernel)
{
	return SHAPES[kernel.width];
}

/* Returns the cells of kept rows that shared memory holds for a worker. */
static int64_t
kept_capacity(const cudaDeviceProp &card, const Kernel &kernel)
{
	return std::min(KEPT_BYTES[kernel.width], kept_bytes_at_most(kernel, card)) /
		   cell_bytes(kernel.wide_cells);
}

/* Returns the cells that the kept rows of a pair take with this number of columns. */
static int64_t
kept_cells(const Shape &shape, const View &a, int64_t columns)
{
	return (int64_t) a.height *
		   kept_row_cells(filled_columns(shape.threads, shape.most, (int) columns));
}

/* Returns the kernel with workers of a width for a pair. */
static Kernel
kernel_for_pair(const cudaDeviceProp &card, Width width, const View &a, const View &b,
				bool wide_cells)
{
	Kernel kernel = {width, wide_cells, false, false};

	kernel.kept_in_memory = kept_cells(shape_of(kernel), a, b.size) > kept_capacity(card, kernel);
	return kernel;
}

/* Returns the narrowest workers that hold the largest table of a pair. */
static Width
width_for(const View &b)
{
	int width = BY_SMALL_WARP;

	while (b.size > SHAPES[width].columns())
		width++;
	return (Width) width;
}

/* Returns the kernel with blocks that share a pair. */
static PipelineKernel
pipeline_for(const cudaDeviceProp &card, const View &a, const View &b, bool wide_cells)
{
	PipelineKernel kernel = {NARROW_PIPELINE, wide_cells, false};

	while (b.size > PIPELINES[kernel.width].nodes())
		kernel.width = (PipelineWidth) (kernel.width + 1);
	kernel.kept_in_memory = !pipeline_fits(kernel, a.slots, card);
	return kernel;
}

/* Whether blocks can share a pair. */
static bool
can_share(const cudaDeviceProp &card, const View &a, const View &b, bool wide_cells)
{
	return b.size <= PIPELINES[WIDEST_PIPELINE].nodes() &&
		   pipeline_fits(pipeline_for(card, a, b, wide_cells), a.slots, card);
}

/*
 * Returns the most columns of a span: as many as the threads hold, but where kept rows are
 * expensive, as few as the largest table allows.
 */
static int64_t
span_columns(const cudaDeviceProp &card, const Kernel &kernel, const View &a, const View &b)
{
	const Shape &shape = shape_of(kernel);
	int64_t columns = std::min((int64_t) shape.columns(), (int64_t) b.entries);

	if (kernel.kept_in_memory)
		columns = std::min(columns, std::max((int64_t) USUAL_COLUMNS, (int64_t) b.size));
	while (!kernel.kept_in_memory && columns > b.size &&
		   kept_cells(shape, a, columns) > kept_capacity(card, kernel))
		columns = std::max((columns - 1) / 2, (int64_t) b.size);
	return columns;
}

/*
 * Returns the seconds that one worker takes for a pair.  The rows on leftmost paths are
 * computed once for each level of a span.
 */
static double
worker_seconds(const cudaDeviceProp &card, const Kernel &kernel, const View &a, const View &b)
{
	const double row = kernel.width <= BY_WARP ? WARP_ROW_SECONDS : BLOCK_ROW_SECONDS;
	const double spans = std::ceil((double) b.entries / (double) span_columns(card, kernel, a, b));
	const double levels = std::max(1.0, (b.height + 1) / spans);
	const double columns = (double) b.entries / (spans * shape_of(kernel).threads) + 1;

	return spans * (a.entries + (levels - 1) * a.size) * (row + columns * CELL_SECONDS);
}

/* Adds the lanes of a table of b. */
static void
add_lanes(std::vector<Lane> &lanes, const HostView &b, int32_t table, int columns)
{
	const int32_t begin = table == 0 ? 0 : b.tables[table - 1].end;
	const int32_t first = b.tables[table].first;              /* place of the empty forest */
	const int32_t last = first + b.tables[table].end - begin; /* place of the key root */

	for (int32_t chunk = first / columns; chunk <= last / columns; chunk++)
	{
		const int32_t place = chunk * columns;

		lanes.push_back({begin + place - (first + 1), chunk,
						 (uint8_t) std::max(first + 1 - place, 0),
						 (uint8_t) std::min(last + 1 - place, columns), place <= first});
	}
}

/* Divides the tables of b into groups, each with tables of one level. */
static void
add_groups(SharedLaunch &launch, const HostView &b)
{
	const PipelineShape &shape = PIPELINES[launch.kernel.width];
	int32_t number = 0;
	int32_t below = 0; /* first group of the next lower level */
	int32_t level = 0; /* first group of this level */
	std::vector<Lane> lanes;

	for (size_t t = 0; t < b.tables.size(); t++)
	{
		const bool rises = t > 0 && b.tables[t].level != b.tables[t - 1].level;

		lanes.clear();
		add_lanes(lanes, b, (int32_t) t, shape.columns);
		if (rises)
		{
			below = level;
			level = number;
		}
		if (t == 0 || rises || launch.groups.back().lanes + (int32_t) lanes.size() > shape.threads)
			launch.groups.push_back({(int32_t) launch.lanes.size(), 0, number++, below, level});
		launch.groups.back().lanes += (int32_t) lanes.size();
		launch.lanes.insert(launch.lanes.end(), lanes.begin(), lanes.end());
	}
	launch.pairs.back().groups = number;
}

/* Adds the tasks of some rows of a pair, one for each group. */
static void
add_tasks(SharedLaunch &launch, int32_t pair, int32_t first_row, int32_t end_row)
{
	const SharedPair &shared = launch.pairs[pair];

	for (int32_t group = 0; group < shared.groups; group++)
		launch.tasks.push_back({pair, shared.first_group + group, first_row, end_row});
}

/* A key root of a with many rows. */
struct LongTable
{
	int32_t pair;
	int32_t table;
	int32_t first_row;
	int32_t end_row;
};

/* Returns the key roots with many rows, in descending order of their rows. */
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
 * Orders the work of shared pairs: first the key roots with the most rows, as many as a part of
 * the workers can start at once, then the others by levels.
 */
static void
order_tasks(SharedLaunch &launch, const std::vector<const PlannedPair *> &pairs)
{
	std::vector<std::vector<bool>> taken(pairs.size());

	for (size_t i = 0; i < pairs.size(); i++)
		taken[i].resize(pairs[i]->a->view.tables);
	for (const LongTable &table : long_tables(pairs))
	{
		size_t before = launch.tasks.size();

		add_tasks(launch, table.pair, table.first_row, table.end_row);
		if (launch.tasks.size() > (size_t) launch.blocks / LONG_TABLES_PART)
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
				(taken[i][t] || t + 1 == tables.size() || tables[t + 1].level > tables[t].level ||
				 end - first >= ROWS_PER_TASK))
			{
				add_tasks(launch, (int32_t) i, first, end);
				first = end;
			}
			if (taken[i][t])
				first = end = tables[t].end;
		}
	}
}

/* Returns the bytes that one worker takes for a pair: its distances and distinct tables. */
static int64_t
worker_bytes_of(const View &a, const View &b, bool wide_cells)
{
	return distance_bytes(a, b, cell_bytes(wide_cells)) +
		   distinct_bytes(a.size, a.entries, a.tables) +
		   distinct_bytes(b.size, b.entries, b.tables);
}

/* Plans pairs that one worker each computes, in descending order of their work. */
static cudaError_t
plan_jobs(const cudaDeviceProp &card, const Kernel &kernel, std::vector<const PlannedPair *> pairs,
		  int64_t memory, Plan &plan)
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
		launch.worker_cells =
			std::max(launch.worker_cells,
					 worker_bytes_of(a, b, kernel.wide_cells) / cell_bytes(kernel.wide_cells));
		launch.kept_cells = std::max(
			launch.kept_cells, kept_cells(shape_of(kernel), a, span_columns(card, kernel, a, b)));
	}
	if (!kernel.kept_in_memory)
		launch.kept_bytes =
			shape_of(kernel).workers() * launch.kept_cells * cell_bytes(kernel.wide_cells);
	status = table_resident_blocks(kernel, launch.kept_bytes, card, &launch.blocks);
	if (status != cudaSuccess)
		return status;
	launch.blocks = (int) std::min((int64_t) launch.blocks,
								   ((int64_t) pairs.size() + shape_of(kernel).workers() - 1) /
									   shape_of(kernel).workers());
	worker_bytes = (launch.distance_bytes() + launch.kept_memory()) / launch.blocks;
	launch.blocks = (int) std::min((int64_t) launch.blocks, memory / worker_bytes);
	if (launch.blocks == 0)
		return cudaErrorMemoryAllocation;
	plan.alone.push_back(std::move(launch));
	return cudaSuccess;
}

/* Plans pairs that blocks share. */
static cudaError_t
plan_shared(const cudaDeviceProp &card, const PipelineKernel &kernel,
			const std::vector<const PlannedPair *> &pairs, Plan &plan)
{
	SharedLaunch launch = {};
	cudaError_t status;

	launch.kernel = kernel;
	for (const PlannedPair *pair : pairs)
	{
		const View &a = pair->a->view;
		const int32_t unit = PIPELINES[kernel.width].row_unit();
		const int32_t stride = (pair->b->view.size + unit) / unit * unit;

		launch.pairs.push_back({pair->job, stride, 0, (int32_t) launch.groups.size(), launch.cells,
								launch.ready_words});
		add_groups(launch, *pair->b);
		launch.cells += (int64_t) a.size * stride;
		launch.ready_words += (int64_t) a.size * launch.pairs.back().groups;
		launch.slots = std::max(launch.slots, a.slots);
	}
	status = pipeline_resident_blocks(kernel, launch.slots, card, &launch.blocks);
	if (status != cudaSuccess)
		return status;
	order_tasks(launch, pairs);
	launch.blocks = (int) std::min((size_t) launch.blocks, launch.tasks.size());
	plan.shared.push_back(std::move(launch));
	return cudaSuccess;
}

/* Orders kernels, as keys of a map. */
struct InOrder
{
	template <class AnyKernel>
	bool
	operator()(const AnyKernel &k, const AnyKernel &l) const
	{
		return std::make_tuple(k.width, k.kept_in_memory) <
			   std::make_tuple(l.width, l.kept_in_memory);
	}
};

/* Returns the number of workers that a card runs at once. */
static double
workers_at_once(const cudaDeviceProp &card, Width width)
{
	return WORKERS_AT_ONCE[width] * card.multiProcessorCount;
}

/* The time of a launch: that of all its work on all workers, or that of its longest pair. */
struct Duration
{
	double shared = 0;
	double longest = 0;

	void
	add(const cudaDeviceProp &card, Width width, const PlannedPair &pair, bool wide_cells)
	{
		const View &a = pair.a->view;
		const View &b = pair.b->view;
		const double seconds =
			worker_seconds(card, kernel_for_pair(card, width, a, b, wide_cells), a, b);

		shared += seconds / workers_at_once(card, width);
		longest = std::max(longest, seconds);
	}
	double
	seconds() const
	{
		return std::max(shared, longest);
	}
};

/*
 * Moves the pairs of a launch to the next wider workers if both launches take longer than one
 * that has all pairs.  Launches follow each other, so that each waits for the longest pair of
 * the last one; only many pairs hide that.
 */
static void
widen(const cudaDeviceProp &card, bool wide_cells, std::vector<const PlannedPair *> &narrow,
	  std::vector<const PlannedPair *> &wider, Width width)
{
	const Width next = (Width) (width + 1);
	Duration of_narrow;
	Duration of_wider;
	Duration of_all;

	if (narrow.empty() || (double) narrow.size() > workers_at_once(card, width))
		return;
	for (const PlannedPair *pair : wider)
		of_wider.add(card, next, *pair, wide_cells);
	of_all = of_wider;
	for (const PlannedPair *pair : narrow)
	{
		of_narrow.add(card, width, *pair, wide_cells);
		of_all.add(card, next, *pair, wide_cells);
	}
	if (of_all.seconds() > of_narrow.seconds() + of_wider.seconds())
		return;
	wider.insert(wider.end(), narrow.begin(), narrow.end());
	narrow.clear();
}

/* Returns the narrowest workers that compute a pair within this time, or the widest workers. */
static Width
width_within(const cudaDeviceProp &card, const View &a, const View &b, bool wide_cells,
			 double seconds)
{
	int width = width_for(b);

	while (width < BY_WIDE_BLOCK &&
		   worker_seconds(card, kernel_for_pair(card, (Width) width, a, b, wide_cells), a, b) >
			   seconds)
		width++;
	return (Width) width;
}

/* Plans the launches for pairs that are computed by tables. */
cudaError_t
plan_launches(const cudaDeviceProp &card, const std::vector<PlannedPair> &pairs, bool wide_cells,
			  bool by_label, int64_t memory, double seconds_to_come, Plan &plan)
{
	std::vector<double> seconds;
	std::vector<const PlannedPair *> by_width[WIDTHS];
	std::map<Kernel, std::vector<const PlannedPair *>, InOrder> alone;
	std::map<PipelineKernel, std::vector<const PlannedPair *>, InOrder> shared;
	double load = seconds_to_come;
	int64_t shared_bytes = 0;
	cudaError_t status = cudaSuccess;

	for (const PlannedPair &pair : pairs)
	{
		const View &a = pair.a->view;
		const View &b = pair.b->view;
		const Width width = width_for(b);

		seconds.push_back(
			worker_seconds(card, kernel_for_pair(card, width, a, b, wide_cells), a, b));
		load += seconds.back() / workers_at_once(card, width);
	}
	for (size_t i = 0; i < pairs.size(); i++)
	{
		const View &a = pairs[i].a->view;
		const View &b = pairs[i].b->view;
		const int64_t bytes =
			(int64_t) a.size * (b.size + PIPELINE_PADDING) * cell_bytes(wide_cells);
		const bool share =
			pairs[i].read_back || (ted_gpu_may_share && !by_label && seconds[i] > load &&
								   (shared_bytes == 0 || shared_bytes + bytes <= memory / 2));

		if (share && can_share(card, a, b, wide_cells))
		{
			shared_bytes += bytes;
			shared[pipeline_for(card, a, b, wide_cells)].push_back(&pairs[i]);
		}
		else if (pairs[i].read_back)
			return cudaErrorMemoryAllocation;
		else
			by_width[width_within(card, a, b, wide_cells, load / LONG_PAIRS_PART)].push_back(
				&pairs[i]);
	}
	for (int width = BY_SMALL_WARP; width < BY_BLOCK; width++)
		widen(card, wide_cells, by_width[width], by_width[width + 1], (Width) width);
	for (int width = 0; width < WIDTHS; width++)
		for (const PlannedPair *pair : by_width[width])
			alone[kernel_for_pair(card, (Width) width, pair->a->view, pair->b->view, wide_cells)]
				.push_back(pair);
	for (auto i = shared.begin(); i != shared.end() && status == cudaSuccess; i++)
		status = plan_shared(card, i->first, i->second, plan);
	for (auto i = alone.begin(); i != alone.end() && status == cudaSuccess; i++)
	{
		Kernel kernel = i->first;

		kernel.by_label = by_label;
		status = plan_jobs(card, kernel, i->second, memory, plan);
	}
	return status;
}
