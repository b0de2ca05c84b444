/*
 * device_tables.h
 *	  Kernels of exact tree edit distance by forest tables, as the host launches them.
 */
#ifndef TED_DEVICE_TABLES_H
#define TED_DEVICE_TABLES_H

#include <cuda_runtime.h>

#include "layout.h"

/* Returns the bytes of a cell. */
static inline int64_t
cell_bytes(bool wide_cells)
{
	return wide_cells ? 4 : 2;
}

/* The workers that compute a pair. */
enum Width
{
	BY_SMALL_WARP,
	BY_WARP,
	BY_BLOCK,
	BY_WIDE_BLOCK,
	BY_WIDER_BLOCK,
	BY_WIDEST_BLOCK,
	WIDTHS
};

/* Threads and registers of workers of a width. */
struct Shape
{
	int threads;  /* threads of a worker */
	int block;    /* threads of a block, which has one worker or several */
	int most;     /* most columns of a thread */
	int resident; /* threads of a multiprocessor for which registers suffice */
	constexpr int
	workers() const
	{
		return block / threads;
	}
	constexpr int
	columns() const
	{
		return threads * most;
	}
};

constexpr Shape SHAPES[WIDTHS] = {{32, 128, 4, 640},  {32, 128, 8, 512},   {128, 128, 8, 512},
								  {512, 512, 8, 512}, {512, 512, 12, 512}, {1024, 1024, 12, 1024}};

static_assert(SHAPES[BY_WIDEST_BLOCK].columns() <= MAX_NODES, "a tree's nodes have numbers");

/*
 * Returns the cells of a kept row, including that of the empty forest; a row takes whole units
 * of 16 bytes.
 */
static inline LAYOUT_INLINE constexpr int
kept_row_cells(int columns)
{
	return columns + 8;
}

/*
 * Returns the next smaller number of columns of a thread that kernels are compiled for: 8, 6,
 * 4, 3, 2, 1.
 */
static inline LAYOUT_INLINE constexpr int
fewer_columns(int columns)
{
	return columns % 3 == 0 ? columns / 3 * 2 : columns * 3 / 4;
}

/* Returns the number of columns that workers fill for this number of columns. */
static inline LAYOUT_INLINE constexpr int
filled_columns(int threads, int most, int columns)
{
	while (most > 1 && columns <= fewer_columns(most) * threads)
		most = fewer_columns(most);
	return most * threads;
}

/* A pair that one worker computes. */
struct Job
{
	int32_t a; /* numbers of views */
	int32_t b;
	int32_t swapped; /* a and b are swapped, and so are insertion and deletion */
	int32_t result;
	int32_t inserted; /* cost of inserting all nodes of b, after swapping */
};

/* Consecutive tables of b, and their columns. */
struct Span
{
	int32_t begin; /* first column */
	int32_t end;
	int32_t level;  /* level of the first table */
	int32_t levels; /* number of levels */
};

/*
 * In a row of distances, nodes that are this far apart are side by side, since threads with
 * several columns each look up such nodes at once.
 */
constexpr int32_t NODE_STEP = 8;

/* Returns the cells of a row of distances from a tree of this size. */
static inline LAYOUT_INLINE constexpr int32_t
distance_stride(int32_t size)
{
	return (size + NODE_STEP - 1) / NODE_STEP * NODE_STEP;
}

/* Returns the place of a node in a row of distances. */
static inline LAYOUT_INLINE constexpr int32_t
distance_place(int32_t node, int32_t stride)
{
	return node % NODE_STEP * (stride / NODE_STEP) + node / NODE_STEP;
}

/*
 * Returns the bytes of the distances between the subtrees of two trees, rounded up to a
 * multiple of 16.
 */
static inline LAYOUT_INLINE int64_t
distance_bytes(const View &a, const View &b, int64_t cell)
{
	return (cell * a.size * distance_stride(b.size) + 15) & ~(int64_t) 15;
}

/* Returns the number of slots in which equal key roots are searched for, a power of two. */
static inline LAYOUT_INLINE constexpr int32_t
distinct_slots(int32_t tables)
{
	int32_t slots = 2;

	while (slots < 2 * tables)
		slots *= 2;
	return slots;
}

/* Returns the bytes that a worker takes for the distinct tables of a tree, see distinct.cuh. */
static inline LAYOUT_INLINE constexpr int64_t
distinct_bytes(int32_t nodes, int64_t entries, int32_t tables)
{
	return ((int64_t) sizeof(Entry) * entries + (int64_t) sizeof(Table) * tables +
			4 * (2 * (int64_t) nodes + 2 + 2 * (int64_t) tables + distinct_slots(tables)) +
			2 * (int64_t) nodes + 15) &
		   ~(int64_t) 15;
}

/*
 * Costs by label.  A label has a kind, and a number within it from FIRST_NUMBER on.  Labels of
 * one kind cost the same, except that renaming a label to itself costs nothing.  The costs of
 * mappings are less the cost of inserting the column's node, and not greater than that of
 * deleting the row's node.
 */
struct LabelTable
{
	const int32_t *label; /* kind and number, by label of the trees */
	int32_t kinds;        /* number of kinds that there is room for */
	bool wide;            /* costs of mappings have 32 bits, not 16 */

	/* by whether the trees are swapped: */
	const int32_t *remove[2]; /* cost of deleting the row's node, by kind */
	const void *rename[2];    /* [kinds + 1][kinds]; the last row is for equal labels */
};

/*
 * The number that stands for all labels of a kind which only one of the two trees has, by the
 * side of that tree; other labels have numbers from FIRST_NUMBER on.
 */
enum Side
{
	COLUMNS_SIDE,
	ROWS_SIDE,
	FIRST_NUMBER
};

/*
 * Bits of a label's number within its kind, and the greatest number of kinds: places in the
 * table have 32 bits.
 */
constexpr int NUMBER_BITS = 16;
constexpr int64_t MOST_KINDS = 65535;

/* Returns the kind of a label. */
static inline LAYOUT_INLINE constexpr int32_t
kind_of(int32_t label)
{
	return (int32_t) ((uint32_t) label >> NUMBER_BITS);
}

/* Returns the label with this number of a kind. */
static inline LAYOUT_INLINE constexpr int32_t
numbered_label(int32_t kind, int32_t number)
{
	return (int32_t) ((uint32_t) kind << NUMBER_BITS | (uint32_t) number);
}

/* Returns the label that stands for all labels of a kind that only the tree of this side has. */
static inline LAYOUT_INLINE constexpr int32_t
private_label(int32_t kind, Side side)
{
	return numbered_label(kind, side);
}

/*
 * Arguments of a kernel.  The table of labels is an argument by itself: as a member, it would
 * make the kernel read all members through a pointer, which takes registers.  Cells have 16 or
 * 32 bits.
 */
struct Work
{
	const View *views;
	const Job *jobs;
	int32_t count;
	uint32_t *next; /* the next job; initially 0 */
	TedUniformCosts uniform;
	void *distances;      /* distances of each worker, followed by its distinct tables */
	int64_t worker_cells; /* cells of both */
	void *kept;           /* kept rows of each worker; NULL if they are in shared memory */
	int64_t kept_cells;   /* cells of the kept rows of each worker */
	int32_t *results;
	const volatile int *cancel;
};

/* A kernel by its properties. */
struct Kernel
{
	Width width;
	bool wide_cells;     /* cells have 32 bits */
	bool kept_in_memory; /* kept rows are not in shared memory */
	bool by_label;       /* costs differ by label */
};

/* Returns the kernel for costs that differ by label. */
const void *label_kernel(const Kernel &kernel);

/*
 * Returns the greatest number of bytes of kept rows of a worker if its block has a
 * multiprocessor to itself.
 */
int64_t kept_bytes_at_most(const Kernel &kernel, const cudaDeviceProp &properties);

/* Returns the number of blocks that run at once with this number of bytes of kept rows each. */
cudaError_t table_resident_blocks(const Kernel &kernel, size_t kept_bytes,
								  const cudaDeviceProp &properties, int *blocks);

/* Launches a kernel; `labels` has the costs if these differ by label. */
cudaError_t launch(const Kernel &kernel, const Work &work, const LabelTable &labels, int blocks,
				   size_t kept_bytes, cudaStream_t stream);

#endif /* TED_DEVICE_TABLES_H */
