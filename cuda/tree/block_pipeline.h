/*
 * block_pipeline.h
 *	  Pairs of trees that several blocks share: how their work is laid out, and its kernel.
 *
 * A pair is divided into groups of tables of b, whose columns one block holds, and
 * each group into tasks, which are rows of key roots of a.  Within a block, each
 * lane has some columns, all of one table, that are consecutive in a row of
 * distances.  Column y + 1 of that row is node y of b: the place before a table's
 * first node is that of the empty forest.
 */
#ifndef TED_BLOCK_PIPELINE_H
#define TED_BLOCK_PIPELINE_H

#include "device_tables.h"

/* Columns of a block's lane. */
struct Lane
{
	int32_t entry; /* of its first column among b's; it may be less than that of the table */
	int32_t chunk; /* its columns' place in a row of distances, in lanes */
	uint8_t begin; /* columns [begin, end) are nodes */
	uint8_t end;
	uint8_t head; /* the table's empty forest is here */
};

/* A pair that blocks share. */
struct SharedPair
{
	Job job;
	int32_t stride; /* of its distances */
	int32_t groups;
	int32_t first_group; /* among the groups of all pairs */
	int64_t distances;   /* cells before its own */
	int64_t ready;       /* words before its own */
};

/* Tables of b, all of one level. */
struct Group
{
	int32_t first_lane; /* among the lanes of all groups */
	int32_t lanes;
	int32_t number;       /* among the groups of its pair */
	int32_t first_needed; /* groups [first_needed, end_needed) are those of the level below */
	int32_t end_needed;
};

/* Rows of whole key roots of one level in one group; a later task may wait for an earlier one. */
struct Task
{
	int32_t pair;
	int32_t group; /* among the groups of all pairs */
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
	int32_t count;  /* of tasks */
	uint32_t *next; /* the task to be taken up next: 0 */
	TedUniformCosts uniform;
	void *distances; /* of all pairs: 0 */
	uint32_t *ready; /* [group][node of a] of each pair: 0 */
	void *kept;      /* rows of each block; NULL where they are in shared memory */
	int32_t slots;   /* kept rows of a block */
	int32_t *results;
	const volatile int *cancel;
};

/* Blocks for pairs up to this number of nodes of b. */
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
	int columns; /* of a lane */
	constexpr int
	nodes() const
	{
		return threads * columns - 1;
	}
	/* Cells of which a row of distances has a multiple: whole lanes, and whole sectors. */
	constexpr int
	row_unit() const
	{
		return 8 * columns;
	}
};

constexpr PipelineShape PIPELINES[PIPELINE_WIDTHS] = {{256, 4}, {512, 8}, {448, 16}, {448, 24}};

/* Most cells that a row of a pair's distances has beyond the nodes of b. */
constexpr int PIPELINE_PADDING = PIPELINES[WIDEST_PIPELINE].row_unit();

struct PipelineKernel
{
	PipelineWidth width;
	bool wide_cells;     /* of 32 bits, not 16 */
	bool kept_in_memory; /* not in shared memory */
};

/* Bytes of a block's kept rows. */
int64_t pipeline_kept_bytes(const PipelineKernel &kernel, int32_t slots);

/* Whether shared memory has room for a block. */
bool pipeline_fits(const PipelineKernel &kernel, int32_t slots, const cudaDeviceProp &properties);

/* Blocks that run at once. */
cudaError_t pipeline_resident_blocks(const PipelineKernel &kernel, int32_t slots,
									 const cudaDeviceProp &properties, int *blocks);

/* Launches a kernel, all of whose blocks must be resident. */
cudaError_t pipeline_launch(const PipelineKernel &kernel, const PipelineWork &work, int blocks,
							cudaStream_t stream);

#endif /* TED_BLOCK_PIPELINE_H */
