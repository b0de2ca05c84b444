/*
 * block_work.h
 *	  Pairs of trees that several blocks share: the layout of their work, and its kernel.
 *
 * A pair is divided into groups of tables of b; the columns of a group are in one block.  A
 * group is divided into tasks, which are the rows of some key roots of a.  Within a block,
 * each lane has some columns of one table, which are consecutive in a row of distances.
 * Column y + 1 of a row of distances is node y of b, so the column before a table's first
 * node is that of the empty forest.
 */
#ifndef TED_BLOCK_WORK_H
#define TED_BLOCK_WORK_H

#include "device_tables.h"

/* The columns of a lane of a block. */
struct Lane
{
	int32_t entry; /* index in b of the first column; it may be before the table */
	int32_t chunk; /* place of the columns in a row of distances, in lanes */
	uint8_t begin; /* columns [begin, end) are nodes */
	uint8_t end;
	uint8_t head; /* the lane has the table's empty forest */
};

/* A pair that blocks share. */
struct SharedPair
{
	Job job;
	int32_t stride; /* cells of a row of the distances */
	int32_t groups;
	int32_t first_group; /* index among the groups of all pairs */
	int64_t distances;   /* cells of the distances of earlier pairs */
	int64_t ready;       /* words of earlier pairs */
};

/* Tables of b, all of one level. */
struct Group
{
	int32_t first_lane; /* index among the lanes of all groups */
	int32_t lanes;
	int32_t number;       /* index among the groups of the pair */
	int32_t first_needed; /* groups [first_needed, end_needed) are of the next lower level */
	int32_t end_needed;
};

/*
 * The rows of some key roots of one level in one group; a later task may wait for an earlier
 * one.
 */
struct Task
{
	int32_t pair;
	int32_t group; /* index among the groups of all pairs */
	int32_t first_row;
	int32_t end_row;
};

/* Arguments of a kernel. */
struct PipelineWork
{
	const View *views;
	const SharedPair *pairs;
	const Group *groups;
	const Lane *lanes;
	const Task *tasks;
	int32_t count;  /* number of tasks */
	uint32_t *next; /* the next task; initially 0 */
	TedUniformCosts uniform;
	void *distances; /* of all pairs; initially 0 */
	uint32_t *ready; /* [group][node of a] of each pair; initially 0 */
	void *kept;      /* kept rows of each block; NULL if they are in shared memory */
	int32_t slots;   /* kept rows of a block */
	int32_t *results;
	const volatile int *cancel;
};

/* Widths of blocks, by the most nodes of b that they hold. */
enum PipelineWidth
{
	NARROW_PIPELINE,
	WIDE_PIPELINE,
	WIDER_PIPELINE,
	WIDEST_PIPELINE,
	PIPELINE_WIDTHS
};

struct PipelineShape
{
	int threads;
	int columns; /* columns of a lane */
	constexpr int
	nodes() const
	{
		return threads * columns - 1;
	}
	/* Returns the unit of cells of a row of distances: whole lanes, and whole sectors of memory. */
	constexpr int
	row_unit() const
	{
		return 8 * columns;
	}
};

constexpr PipelineShape PIPELINES[PIPELINE_WIDTHS] = {{256, 4}, {512, 8}, {448, 16}, {448, 24}};

/* The most cells of a row of a pair's distances beyond the nodes of b. */
constexpr int PIPELINE_PADDING = PIPELINES[WIDEST_PIPELINE].row_unit();

struct PipelineKernel
{
	PipelineWidth width;
	bool wide_cells;     /* cells have 32 bits, not 16 */
	bool kept_in_memory; /* kept rows are not in shared memory */
};

/* Returns the bytes of a block's kept rows. */
int64_t pipeline_kept_bytes(const PipelineKernel &kernel, int32_t slots);

/* Whether shared memory has room for a block. */
bool pipeline_fits(const PipelineKernel &kernel, int32_t slots, const cudaDeviceProp &properties);

/* Returns the number of blocks that run at once. */
cudaError_t pipeline_resident_blocks(const PipelineKernel &kernel, int32_t slots,
									 const cudaDeviceProp &properties, int *blocks);

/* Launches a kernel, all of whose blocks must be resident. */
cudaError_t pipeline_launch(const PipelineKernel &kernel, const PipelineWork &work, int blocks,
							cudaStream_t stream);

#endif /* TED_BLOCK_WORK_H */
