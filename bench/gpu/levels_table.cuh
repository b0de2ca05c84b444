/*
 * levels_table.cuh
 *	  A table of forest distances, computed by a thread, a warp, a block or several blocks.
 *
 * Zhang and Shasha (SICOMP 1989) have a table for each pair of key roots.  A
 * worker of w threads computes it as X-TED does (PVLDB 17(7), 2024, section 6):
 * strip by strip of w rows, a thread a row, and in a strip along anti-diagonals,
 * after each of which its threads wait for each other.  The whole table is in
 * global memory.
 */
#ifndef TED_BENCH_GPU_LEVELS_TABLE_CUH
#define TED_BENCH_GPU_LEVELS_TABLE_CUH

#include <cuda/atomic>

#include "levels.h"

/* A node, by postorder. */
struct LevelNode
{
	int32_t label;
	int32_t size; /* of its subtree */
};

/* A pair of trees. */
struct LevelPair
{
	const LevelNode *a;
	const LevelNode *b;
	int32_t *distance; /* distances between subtrees: [node of a][node of b] */
	int32_t columns;   /* number of nodes of b */
	TedCosts costs;
};

/* The table of two key roots. */
struct LevelTable
{
	int32_t x;
	int32_t y;
	int64_t cells; /* cells of the forest tables before this one */
};

/* A thread by itself. */
struct ThreadWorker
{
	static constexpr int threads = 1;
	static constexpr int rank = 0;

	__device__ void
	sync() const
	{
	}
};

/* A warp. */
struct WarpWorker
{
	static constexpr int threads = TED_THREADS_WARP;
	const int rank = (int) threadIdx.x % TED_THREADS_WARP;

	__device__ void
	sync() const
	{
		__syncwarp();
	}
};

/* A block. */
struct BlockWorker
{
	static constexpr int threads = LEVELS_BLOCK;
	const int rank = (int) threadIdx.x;

	__device__ void
	sync() const
	{
		__syncthreads();
	}
};

/* Several blocks, all resident, with a word that counts the arrivals. */
struct BlocksWorker
{
	const int threads;
	const int rank;
	unsigned *arrivals;

	__device__
	BlocksWorker(int blocks, int block, unsigned *arrivals)
		: threads(blocks * LEVELS_BLOCK), rank(block * LEVELS_BLOCK + (int) threadIdx.x),
		  arrivals(arrivals)
	{
	}

	__device__ void
	sync() const
	{
		__syncthreads();
		if (threadIdx.x == 0)
		{
			const unsigned blocks = (unsigned) threads / LEVELS_BLOCK;
			cuda::atomic_ref<unsigned, cuda::thread_scope_device> arrived(*arrivals);
			const unsigned before = arrived.fetch_add(1, cuda::memory_order_acq_rel);
			const unsigned all = (before / blocks + 1) * blocks;

			while (arrived.load(cuda::memory_order_acquire) < all)
				;
		}
		__syncthreads();
	}
};

/*
 * Returns the distance between the forests that end with row i and column j; -1 is the empty
 * forest.
 */
static __device__ int32_t
forest_distance(const LevelPair &pair, const int32_t *forest, int columns, int i, int j)
{
	if (i < 0)
		return (j + 1) * pair.costs.insert;
	if (j < 0)
		return (i + 1) * pair.costs.delete_;
	return forest[(size_t) i * columns + j];
}

/* Computes a cell of a table of `columns` columns that begins at nodes x and y. */
static __device__ void
fill_cell(const LevelPair &pair, int32_t *forest, int columns, int first_x, int first_y,
		  const LevelNode &a, int i, int j)
{
	const LevelNode b = pair.b[first_y + j];
	int32_t *distance = &pair.distance[(size_t) (first_x + i) * pair.columns + first_y + j];
	int32_t least = min(forest_distance(pair, forest, columns, i - 1, j) + pair.costs.delete_,
						forest_distance(pair, forest, columns, i, j - 1) + pair.costs.insert);

	if (a.size == i + 1 && b.size == j + 1) /* both forests are trees */
	{
		const int32_t rename = a.label == b.label ? 0 : pair.costs.rename;

		least = min(least, forest_distance(pair, forest, columns, i - 1, j - 1) + rename);
		*distance = least;
	}
	else
		least =
			min(least, forest_distance(pair, forest, columns, i - a.size, j - b.size) + *distance);
	forest[(size_t) i * columns + j] = least;
}

/* Computes a table by a worker, all of whose threads must call this. */
template <class Worker>
static __device__ void
fill_table(const Worker &worker, const LevelPair &pair, const LevelTable &table, int32_t *forests)
{
	const int rows = pair.a[table.x].size;
	const int columns = pair.b[table.y].size;
	const int first_x = table.x - rows + 1;
	const int first_y = table.y - columns + 1;
	int32_t *forest = forests + table.cells;

	for (int strip = 0; strip < rows; strip += worker.threads)
	{
		const int i = strip + worker.rank;
		const int height = min(worker.threads, rows - strip);
		const LevelNode a = pair.a[first_x + min(i, rows - 1)];

		for (int step = 0; step < columns + height - 1; step++)
		{
			const int j = step - worker.rank;

			if (i < rows && j >= 0 && j < columns)
				fill_cell(pair, forest, columns, first_x, first_y, a, i, j);
			worker.sync();
		}
	}
}

#endif /* TED_BENCH_GPU_LEVELS_TABLE_CUH */
