/*
 * processor_tuning.h
 *	  Measured constants of processors, and the settings by which tests choose an algorithm.
 *
 * Times are in nanoseconds on one core of a server processor of 2023.  They decide which of several
 * algorithms computes a pair, never the result.  The times of NEON are estimates: those of AVX2,
 * multiplied by the ratio of instruction counts (bench/instructions.sh).
 */
#ifndef TED_PROCESSOR_TUNING_H
#define TED_PROCESSOR_TUNING_H

#include <stdint.h>

/* Vector instructions of a processor; on one architecture, each includes those before it. */
typedef enum TedSimd
{
	TED_SIMD_NONE,
	TED_SIMD_NEON,
	TED_SIMD_AVX2,
	TED_SIMD_AVX512
} TedSimd;

#define TED_SIMD_WIDEST TED_SIMD_AVX512

/* Settings that only tests change, so that every algorithm is tested whatever the sizes are. */
typedef struct TedTuning
{
	TedSimd simd_limit;       /* the widest vectors that may be used */
	double cells_for_vectors; /* tables by vectors are set up for at least this number of cells */
	double path_preference;   /* factor of the tables' time in the comparison with a path
							   * strategy */
	double stages_share;      /* share of the exact algorithm's time that one stage may waste */
	int32_t part_columns;     /* about the number of table columns that stay in the cache */
	double local_pairs;       /* parts with no more pairs of nodes than this are mapped optimally */
} TedTuning;

extern TedTuning ted_tuning;

/* Tables of key roots: time of a cell by kind of vectors; of laying out a node. */
extern const double ted_cell_time[];
#define TED_NODE_TIME 40

/*
 * The k-strip: by vectors, time of a node and of a table row; without, of a diagonal for each node
 * and for each row.
 */
#define TED_STRIP_NODE_TIME 32
#define TED_STRIP_ROW_TIME 2.3
#define TED_STRIP_DIAGONAL_TIME 19
#define TED_STRIP_CELL_TIME 0.15

/* Time of a cell of a strip without vectors, for estimates from the sizes of tables. */
#define TED_STRIP_PLAIN_TIME 2

/*
 * The strip along heavy paths: time of a node of both trees, and of a row of a block of lanes.  It
 * is chosen where the k-strip is estimated to take more than TED_HEAVY_GAIN times as long.
 */
#define TED_HEAVY_NODE_TIME 100
extern const double ted_heavy_row_time[];
#define TED_HEAVY_GAIN 2

/*
 * Bounds of a pair: times of indexing a node; of a step along diagonals; of a node and 64 bits of
 * both traversals; of looking at a pair of nodes for a greedy mapping; of a node of either tree in
 * a greedy mapping of similar trees.
 */
#define TED_INDEX_TIME 25
#define TED_DIAGONAL_STEP_TIME 4
#define TED_BITS_TIME 4
#define TED_GREEDY_TIME 1
#define TED_GREEDY_NODE_TIME 20

/* Traversals of trees with up to this number of nodes are turned into bits, which take 1 MB. */
#define TED_BITS_NODES 2048

/* Mirroring a node of both trees takes as long as this number of rows of a strip. */
#define TED_MIRROR_ROWS 4

/* Times of path strategies, by kind of vectors. */
typedef struct TedPathTimes
{
	float step;  /* a row of a block of lanes when a node is added */
	float phase; /* a row of a block of lanes when the direction changes */
	float node;  /* a pair of nodes at the beginning and the end of a phase */
	float tree;  /* a pair of nodes on left and right paths, for the distance of their subtrees */
	float path;  /* a pair of subtrees, whatever their sizes */
	float empty; /* a row of a block of lanes for the empty forest, once for each left or right
				  * path */
} TedPathTimes;

extern const TedPathTimes ted_path_times[];

/* Bytes that 16-bit tables and path strategies may take more than the tables they replace. */
#define TED_MORE_MEMORY ((size_t) 64 << 20)

/* A path strategy that may be faster by this factor is tried whatever memory it takes. */
#define TED_PATH_GAIN 10

/* The search for a path strategy pays where a pair takes more than this time for each node. */
#define TED_SEARCH_PAYS 1500.0

/*
 * Limits for small trees that are computed as one: most trees in a group, most nodes of a group,
 * and most pairs of nodes, for memory.  A search for the nearest subtrees gathers TED_TOPK_NODES
 * nodes before it computes distances.
 */
#define TED_FOREST_TREES 256
#define TED_FOREST_NODES 8192
#define TED_FOREST_PAIRS ((int64_t) 1 << 24)
#define TED_TOPK_NODES 1024

/* Fewer nodes than this are sorted by insertion, since counting digits takes longer. */
#define TED_INSERTION_NODES 48

#endif /* TED_PROCESSOR_TUNING_H */
