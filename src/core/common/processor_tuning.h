/*
 * processor_tuning.h
 *	  Measured constants of processors, and the knobs by which tests choose a way.
 *
 * Times are nanoseconds on one core of a server processor of 2023.  They decide
 * which of several algorithms computes a pair, never what it computes.
 */
#ifndef TED_PROCESSOR_TUNING_H
#define TED_PROCESSOR_TUNING_H

#include <stdint.h>

/* Vectors of a processor. */
typedef enum TedSimd
{
	TED_SIMD_NONE,
	TED_SIMD_AVX2,
	TED_SIMD_AVX512
} TedSimd;

/* Knobs; only tests change them, so that every way is taken whatever the sizes are. */
typedef struct TedTuning
{
	TedSimd simd_limit;       /* widest vectors that are used */
	double cells_for_vectors; /* cells from which on setting up tables by vectors pays */
	double path_preference;   /* factor of the tables' time when a path strategy is compared */
	double stages_share;      /* share of the exact algorithm's time that one stage may waste */
	int32_t part_columns;     /* columns of tables, about, that stay in the cache */
	double local_pairs;       /* most pairs of nodes of parts that are mapped optimally */
} TedTuning;

extern TedTuning ted_tuning;

/* Tables of key roots: a cell, by vectors; laying out a node; both trees, a node, set up alone. */
extern const double ted_cell_time[];
#define TED_NODE_TIME 40
#define TED_SET_UP_TIME 60

/* The k-strip: by vectors, a node and a row of a table; else a diagonal of a node, and of a row. */
#define TED_STRIP_NODE_TIME 32
#define TED_STRIP_ROW_TIME 2.3
#define TED_STRIP_DIAGONAL_TIME 19
#define TED_STRIP_CELL_TIME 0.15

/* A cell of the tables of a strip without vectors, for estimates from the sizes of tables. */
#define TED_STRIP_PLAIN_TIME 2

/*
 * The strip along heavy paths: both trees, a node; a row of a block of lanes.  It is
 * taken where the other strip is estimated to take more than TED_HEAVY_GAIN times as
 * long.
 */
#define TED_HEAVY_NODE_TIME 100
extern const double ted_heavy_row_time[];
#define TED_HEAVY_GAIN 2

/*
 * Bounds of a pair: indexing a node; a step along diagonals; a node and 64 bits of
 * both traversals; looking at a pair of nodes for a greedy mapping; a node of either
 * tree in a greedy mapping of trees that are alike.
 */
#define TED_INDEX_TIME 25
#define TED_DIAGONAL_STEP_TIME 4
#define TED_BITS_TIME 4
#define TED_GREEDY_TIME 1
#define TED_GREEDY_NODE_TIME 20

/* Most nodes of a tree whose traversals are turned into bits: 1 MB. */
#define TED_BITS_NODES 2048

/* Rows of a strip in whose time a node of both trees is mirrored. */
#define TED_MIRROR_ROWS 4

/* Path strategies, by vectors. */
typedef struct TedPathTimes
{
	float step;  /* a row of a block when a node is added */
	float phase; /* a row of a block when the direction changes */
	float node;  /* a pair of nodes at the beginning and the end of a phase */
	float tree;  /* a pair of nodes on left and right paths, for the distance of their subtrees */
	float path;  /* a pair of subtrees, whatever their sizes */
	float empty; /* a row of a block for the empty forest, once for each left or right path */
} TedPathTimes;

extern const TedPathTimes ted_path_times[];

/* Bytes that 16-bit tables, and path strategies, may take beyond what they replace. */
#define TED_MORE_MEMORY ((size_t) 64 << 20)

/* Unless a path strategy may be faster by this factor. */
#define TED_PATH_GAIN 10

/* Time for a node from which on, the search for a path strategy takes little of it. */
#define TED_SEARCH_PAYS 1500.0

/*
 * Most trees that vectors compute as one, and their nodes: against one tree, and in a search at
 * least; pairs of nodes, for memory.
 */
#define TED_FOREST_TREES 2048
#define TED_FOREST_NODES 8192
#define TED_FOREST_PAIRS ((int64_t) 1 << 24)
#define TED_TOPK_NODES 1024

/* Fewer nodes than this are sorted by insertion, which saves the counting of digits. */
#define TED_INSERTION_NODES 48

#endif /* TED_PROCESSOR_TUNING_H */
