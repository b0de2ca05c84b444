/*
 * levels.cu
 *	  Tree edit distance level by level, a launch a level.
 *
 * The level of the table of key roots x and y is the height of x in the tree of
 * key roots of a plus that of y in b's: tables of one level do not need each
 * other (X-TED, PVLDB 17(7), 2024, section 5).  A launch computes those of a
 * level, each in one of four ways by its size (section 6); tables that several
 * blocks share take consecutive blocks, which wrap round.  Which tables a level
 * has is found in advance, so that it does not count as time of the kernels.
 *
 * The forest tables of a level lie side by side.  A level that would need more
 * than FOREST_TABLES whole ones takes several launches, so that memory stays in
 * proportion to the product of the sizes.
 */
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

extern "C"
{
#include "../../src/core/tree/mirror.h"
}
#include "levels_table.cuh"

constexpr int64_t FOREST_TABLES = 4;

/* Seconds for which a table is computed repeatedly. */
constexpr double TABLE_SECONDS = 1e-3;

/* Ways to compute a table, in the order in which a launch has them. */
enum Way
{
	BY_BLOCKS,
	BY_BLOCK,
	BY_WARP,
	BY_THREAD,
	WAYS
};

/* The arguments of a launch. */
struct LevelLaunch
{
	int32_t end[WAYS]; /* after the last table of each way */
	int32_t first;     /* table */
	int32_t arrivals;  /* word of arrivals of the first table */
	int32_t blocks;
	unsigned *next; /* next table of each way, relative to its first one; initially 0 */
};

/* The arguments that all launches have in common. */
struct LevelWork
{
	LevelPair pair;
	const LevelTable *tables;
	int32_t *forests;
	unsigned *arrivals; /* initially 0 */
};

/* Ends the program where CUDA fails. */
static void
must(cudaError_t error, const char *what)
{
	if (error != cudaSuccess)
	{
		fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
		exit(1);
	}
}

/* Returns the number of blocks that share a table of `rows` rows. */
static __host__ __device__ int
blocks_of(int rows)
{
	const int blocks = (rows + LEVELS_BLOCK - 1) / LEVELS_BLOCK;

	return blocks < 2 ? 2 : blocks < LEVELS_MOST_BLOCKS ? blocks : LEVELS_MOST_BLOCKS;
}

/*
 * Computes the tables that several blocks share; each block computes those that it takes part
 * in.
 */
static __device__ void
compute_shared(const LevelWork &work, const LevelLaunch &launch)
{
	int begin = 0;

	for (int t = launch.first; t < launch.end[BY_BLOCKS]; t++)
	{
		const LevelTable table = work.tables[t];
		const int blocks = min(blocks_of(work.pair.a[table.x].size), (int) gridDim.x);

		if (begin + blocks > (int) gridDim.x)
			begin = 0;

		const int block = (int) blockIdx.x - begin;

		if (block >= 0 && block < blocks)
			fill_table(
				BlocksWorker(blocks, block, work.arrivals + launch.arrivals + t - launch.first),
				work.pair, table, work.forests);
		begin += blocks;
	}
}

/* Returns the next table that no other block has taken. */
static __device__ int
next_for_block(const LevelLaunch &launch)
{
	__shared__ int next;

	__syncthreads();
	if (threadIdx.x == 0)
		next = launch.end[BY_BLOCKS] + (int) atomicAdd(&launch.next[BY_BLOCK], 1);
	__syncthreads();
	return next;
}

/* Returns the first of the next `count` tables that no other warp has taken. */
static __device__ int
next_for_warp(const LevelLaunch &launch, Way way, unsigned count)
{
	int next = 0;

	if (threadIdx.x % TED_THREADS_WARP == 0)
		next = launch.end[way - 1] + (int) atomicAdd(&launch.next[way], count);
	return __shfl_sync(~0u, next, 0);
}

/* Computes the tables of a level. */
static __global__ void
__launch_bounds__(LEVELS_BLOCK) compute_level(LevelWork work, LevelLaunch launch)
{
	const int lane = (int) threadIdx.x % TED_THREADS_WARP;
	int t;

	compute_shared(work, launch);
	while ((t = next_for_block(launch)) < launch.end[BY_BLOCK])
		fill_table(BlockWorker(), work.pair, work.tables[t], work.forests);
	while ((t = next_for_warp(launch, BY_WARP, 1)) < launch.end[BY_WARP])
		fill_table(WarpWorker(), work.pair, work.tables[t], work.forests);
	while ((t = next_for_warp(launch, BY_THREAD, TED_THREADS_WARP)) < launch.end[BY_THREAD])
		if (t + lane < launch.end[BY_THREAD])
			fill_table(ThreadWorker(), work.pair, work.tables[t + lane], work.forests);
}

/* Computes a table again and again, by all threads that are launched. */
static __global__ void
__launch_bounds__(LEVELS_BLOCK) repeat_table(LevelWork work, LevelTable table, int repeats)
{
	for (int i = 0; i < repeats; i++)
		if (gridDim.x > 1)
			fill_table(BlocksWorker((int) gridDim.x, (int) blockIdx.x, work.arrivals), work.pair,
					   table, work.forests);
		else if (blockDim.x == LEVELS_BLOCK)
			fill_table(BlockWorker(), work.pair, table, work.forests);
		else if (blockDim.x == TED_THREADS_WARP)
			fill_table(WarpWorker(), work.pair, table, work.forests);
		else
			fill_table(ThreadWorker(), work.pair, table, work.forests);
}

struct Levels
{
	LevelWork work = {};
	LevelTable last; /* table of the two roots */
	std::vector<LevelLaunch> launches;
	int32_t shared = 0; /* tables */
	std::vector<void *> blocks;
	int64_t memory = 0;
	cudaEvent_t begun;
	cudaEvent_t done;

	~Levels()
	{
		for (void *block : blocks)
			cudaFree(block);
		cudaEventDestroy(begun);
		cudaEventDestroy(done);
	}

	/* Returns device memory for this number of items. */
	template <class T>
	T *
	room(int64_t count)
	{
		void *block = nullptr;
		const size_t bytes = sizeof(T) * (size_t) std::max(count, (int64_t) 1);
		const cudaError_t status = cudaMalloc(&block, bytes);

		if (status == cudaErrorMemoryAllocation)
		{
			cudaGetLastError();
			throw std::bad_alloc();
		}
		must(status, "cudaMalloc");
		blocks.push_back(block);
		memory += (int64_t) bytes;
		return (T *) block;
	}

	/* Returns a copy of items in device memory. */
	template <class T>
	T *
	copy(const std::vector<T> &items)
	{
		T *block = room<T>((int64_t) items.size());

		must(cudaMemcpy(block, items.data(), sizeof(T) * items.size(), cudaMemcpyHostToDevice),
			 "cudaMemcpy");
		return block;
	}
};

/* A key root. */
struct LevelRoot
{
	int32_t x;
	int32_t size;
	int32_t height; /* height in the tree of key roots */
};

/* Returns the key roots in descending order of their sizes. */
static std::vector<LevelRoot>
level_roots(const TedTree &tree)
{
	std::vector<int32_t> height(tree.size, 0); /* of key roots in the subtree, and the node's own */
	std::vector<LevelRoot> roots;

	for (int32_t x = 0; x < tree.size; x++)
	{
		const int32_t first = x - tree.subtree_size[x] + 1;

		for (int32_t child = x - 1; child >= first; child -= tree.subtree_size[child])
			height[x] =
				std::max(height[x], height[child] + (tree.key_root[child] == child ? 1 : 0));
		if (tree.key_root[x] == x)
			roots.push_back({x, tree.subtree_size[x], height[x]});
	}
	std::stable_sort(roots.begin(), roots.end(),
					 [](const LevelRoot &p, const LevelRoot &q) { return p.size > q.size; });
	return roots;
}

/* Returns the labels and sizes of a tree. */
static std::vector<LevelNode>
level_nodes(const TedTree &tree)
{
	std::vector<LevelNode> nodes;

	for (int32_t x = 0; x < tree.size; x++)
		nodes.push_back({tree.label[x], tree.subtree_size[x]});
	return nodes;
}

/* Returns the way to compute a table. */
static Way
way_of(const TedThresholds &thresholds, const LevelRoot &p, const LevelRoot &q)
{
	const double size = std::sqrt((double) p.size * q.size);

	return size >= thresholds.multi   ? BY_BLOCKS
		   : size >= thresholds.block ? BY_BLOCK
		   : size >= thresholds.warp  ? BY_WARP
									  : BY_THREAD;
}

/*
 * Sorts tables by level, and within a level by way; sets `end` to the end of each way of each
 * level.
 */
static std::vector<LevelTable>
sort_tables(const std::vector<LevelRoot> &a, const std::vector<LevelRoot> &b,
			const TedThresholds &thresholds, std::vector<int64_t> &end)
{
	std::vector<LevelTable> tables(a.size() * b.size());
	const auto kind = [&](const LevelRoot &p, const LevelRoot &q)
	{ return (size_t) (p.height + q.height) * WAYS + way_of(thresholds, p, q); };
	int64_t total = 0;

	/* the roots of the trees are the largest and the highest */
	end.assign((size_t) (a[0].height + b[0].height + 1) * WAYS, 0);
	for (const LevelRoot &p : a)
		for (const LevelRoot &q : b)
			end[kind(p, q)]++;
	for (int64_t &count : end)
	{
		total += count;
		count = total - count; /* from here on the start of each kind */
	}
	for (const LevelRoot &p : a)
		for (const LevelRoot &q : b)
			tables[end[kind(p, q)]++] = {p.x, q.x, 0};
	return tables;
}

/*
 * Returns the number of blocks for the tables of each way; a warp takes 32 tables that one
 * thread each computes.
 */
static int64_t
blocks_for(const LevelLaunch &launch, int64_t shared_blocks)
{
	constexpr int64_t WARPS = LEVELS_BLOCK / TED_THREADS_WARP;
	const int64_t warps = launch.end[BY_WARP] - launch.end[BY_BLOCK];
	const int64_t threads = launch.end[BY_THREAD] - launch.end[BY_WARP];

	return shared_blocks + launch.end[BY_BLOCK] - launch.end[BY_BLOCKS] +
		   (warps + WARPS - 1) / WARPS + (threads + LEVELS_BLOCK - 1) / LEVELS_BLOCK;
}

/* Divides the tables into launches; returns the most cells that one launch needs. */
static int64_t
plan_launches(Levels &levels, const TedTree &a, const TedTree &b, std::vector<LevelTable> &tables,
			  const std::vector<int64_t> &end, int64_t resident)
{
	const int64_t room = FOREST_TABLES * a.size * b.size;
	int64_t most = 0;
	int64_t t = 0;

	for (size_t level = 0; level < end.size(); level += WAYS)
		while (t < end[level + BY_THREAD])
		{
			LevelLaunch launch = {{}, (int32_t) t, levels.shared, 0, nullptr};
			int64_t cells = 0;
			int64_t shared_blocks = 0;

			for (int way = 0; way < WAYS; way++)
			{
				for (; t < end[level + way]; t++)
				{
					const int64_t rows = a.subtree_size[tables[t].x];
					const int64_t own = rows * b.subtree_size[tables[t].y];

					if (cells + own > room)
						break;
					tables[t].cells = cells;
					cells += own;
					if (way == BY_BLOCKS)
					{
						shared_blocks += blocks_of((int) rows);
						levels.shared++;
					}
				}
				launch.end[way] = (int32_t) t;
			}
			launch.blocks = (int32_t) std::min(blocks_for(launch, shared_blocks), resident);
			most = std::max(most, cells);
			levels.launches.push_back(launch);
		}
	return most;
}

/* Copies an oriented pair to the device. */
static void
upload(Levels &levels, const TedTree &a, const TedTree &b, TedCosts costs,
	   const TedThresholds &thresholds)
{
	std::vector<int64_t> end;
	std::vector<LevelTable> tables = sort_tables(level_roots(a), level_roots(b), thresholds, end);
	cudaDeviceProp properties;
	int per_processor;
	int64_t cells;
	unsigned *next;

	must(cudaGetDeviceProperties(&properties, 0), "cudaGetDeviceProperties");
	must(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_processor, compute_level, LEVELS_BLOCK,
													   0),
		 "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
	cells = plan_launches(levels, a, b, tables, end,
						  (int64_t) per_processor * properties.multiProcessorCount);
	levels.last = tables.back();
	levels.work.pair = {levels.copy(level_nodes(a)), levels.copy(level_nodes(b)),
						levels.room<int32_t>((int64_t) a.size * b.size), b.size, costs};
	levels.work.tables = levels.copy(tables);
	levels.work.forests = levels.room<int32_t>(cells);
	levels.work.arrivals = levels.room<unsigned>(levels.shared + 1);
	next = levels.room<unsigned>(WAYS * (int64_t) levels.launches.size());
	for (LevelLaunch &launch : levels.launches)
	{
		launch.next = next;
		next += WAYS;
	}
}

/* Copies a pair to the device. */
Levels *
levels_create(const TedTree *a, const TedTree *b, TedCosts costs, const TedThresholds *thresholds)
{
	const size_t bytes = ted_orient_memory(a, b);
	std::vector<char> memory(bytes + TED_ARENA_ALIGN);
	TedArena arena = ted_arena_in(memory.data(), bytes);
	std::unique_ptr<Levels> levels = std::make_unique<Levels>();
	const TedInterrupt never = {};
	TedPairView view;

	ted_orient(a, b, &arena, &never, &view);
	must(cudaEventCreate(&levels->begun), "cudaEventCreate");
	must(cudaEventCreate(&levels->done), "cudaEventCreate");
	try
	{
		upload(*levels, view.a, view.b, costs, *thresholds);
	}
	catch (const std::bad_alloc &)
	{
		return nullptr;
	}
	return levels.release();
}

/* Frees everything. */
void
levels_free(Levels *levels)
{
	delete levels;
}

/* Sets all counters of the kernels to 0. */
static void
clear_words(const Levels *levels)
{
	must(cudaMemset(levels->work.arrivals, 0, sizeof(unsigned) * (size_t) (levels->shared + 1)),
		 "cudaMemset");
	must(cudaMemset(levels->launches[0].next, 0, sizeof(unsigned) * WAYS * levels->launches.size()),
		 "cudaMemset");
}

/* Returns the seconds between the two events. */
static double
seconds_between(const Levels *levels)
{
	float milliseconds;

	must(cudaEventRecord(levels->done), "cudaEventRecord");
	must(cudaEventSynchronize(levels->done), "kernel");
	must(cudaEventElapsedTime(&milliseconds, levels->begun, levels->done), "cudaEventElapsedTime");
	return 1e-3 * milliseconds;
}

/* Computes the distance. */
int32_t
levels_run(Levels *levels, double *seconds)
{
	int32_t distance;

	clear_words(levels);
	must(cudaEventRecord(levels->begun), "cudaEventRecord");
	for (LevelLaunch &launch : levels->launches)
	{
		void *arguments[] = {&levels->work, &launch};

		must(cudaLaunchCooperativeKernel((const void *) compute_level, launch.blocks, LEVELS_BLOCK,
										 arguments, 0, nullptr),
			 "compute_level");
	}
	*seconds = seconds_between(levels);
	must(cudaMemcpy(
			 &distance,
			 &levels->work.pair
				  .distance[(int64_t) levels->last.x * levels->work.pair.columns + levels->last.y],
			 sizeof(int32_t), cudaMemcpyDeviceToHost),
		 "cudaMemcpy");
	return distance;
}

/* Returns the time of a launch that computes the table of the roots `repeats` times, in seconds. */
static double
repeat_seconds(Levels *levels, int32_t threads, int32_t blocks, int repeats)
{
	void *arguments[] = {&levels->work, &levels->last, &repeats};

	clear_words(levels);
	must(cudaEventRecord(levels->begun), "cudaEventRecord");
	must(cudaLaunchCooperativeKernel((const void *) repeat_table, blocks, threads, arguments, 0,
									 nullptr),
		 "repeat_table");
	return seconds_between(levels);
}

/* Returns the time that a worker takes for the table of the roots, in seconds. */
double
levels_table_seconds(Levels *levels, int32_t threads, int32_t blocks)
{
	const double once = repeat_seconds(levels, threads, blocks, 1);
	const int repeats = 1 + (int) (TABLE_SECONDS / once);

	return repeat_seconds(levels, threads, blocks, repeats) / repeats;
}

/* Returns the bytes of device memory that are taken. */
int64_t
levels_memory(const Levels *levels)
{
	return levels->memory;
}

/* Returns the number of kernels that levels_run() launches. */
int32_t
levels_launches(const Levels *levels)
{
	return (int32_t) levels->launches.size();
}
