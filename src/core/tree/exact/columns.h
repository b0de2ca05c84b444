/*
 * columns.h
 *	  The tables of one key root of a with all key roots of b, side by side.
 *
 * For one key root of a, the forest tables that it forms with the key roots of b have the same
 * rows.  They are laid out as one wide table, whose rows can be computed by whole vectors whatever
 * the sizes of the tables.  A table of n nodes takes n + 1 columns, of which the first stands for
 * the empty forest.  A table needs distances from the tables of the key roots inside its subtree,
 * so tables are laid out by levels, a level being the height of a key root in the tree of key roots
 * (X-TED, PVLDB 17(7), 2024, section 4).  Each level begins at a vector boundary.
 *
 * Of several key roots with equal subtrees, only the first has columns.
 *
 * Several trees in a row are laid out in parts, so that the rows of a part stay in the processor's
 * cache.  The tables of a part are filled before those of the next part, which may need their
 * distances.
 *
 * Distances of subtrees are kept by postorder number, so they are copied between nodes and columns.
 * Where a vector of columns lies inside one table, its nodes are consecutive, too, and need no
 * copy.  Elsewhere, a piece is a run of columns and the run of nodes that belongs to it.  Copying a
 * piece writes a whole vector; where that overwrites columns of later pieces, copying those pieces
 * corrects them.
 */
#ifndef TED_COLUMNS_H
#define TED_COLUMNS_H

#include "../ted.h"

#define TED_SCAN_STEPS 5 /* log2 of the most lanes of a vector, 32 */

/* The most lanes of a short piece; these are copied by shorter instructions than whole vectors. */
#define TED_SHORT_LANES 8

/* Value of `direct` for a vector with columns of several tables, or with padding. */
#define TED_MIXED INT32_MIN

/* A vector of columns; each mask has a bit for each lane. */
typedef struct TedBlock
{
	uint32_t start;                 /* lanes with columns of empty forests */
	uint32_t path;                  /* lanes with nodes on the leftmost path of their table's key
									 * root */
	uint32_t reach[TED_SCAN_STEPS]; /* [k]: lanes whose neighbour 2^k lanes to the left belongs to
									 * the same table and vector */
	int32_t direct;                 /* postorder number in lane 0, or TED_MIXED */
} TedBlock;

/* A run of columns and the run of nodes that belongs to it. */
typedef struct TedPiece
{
	int32_t column;
	int32_t node;
	uint32_t path; /* mask of lanes with nodes on the leftmost path of their table's key root */
} TedPiece;

/* Indices of the first block and pieces of a level, up to those of the next level. */
typedef struct TedLevel
{
	int32_t block;
	int32_t scatter;      /* index in `scatter` of short pieces, from nodes to columns */
	int32_t scatter_long; /* the long pieces */
	int32_t gather;       /* index in `gather` of short pieces, from columns to nodes */
	int32_t gather_long;  /* the long pieces */
	int32_t far;          /* index in the array `far` */
} TedLevel;

/* The layout of a tree, or of several in a row. */
typedef struct TedColumns
{
	int32_t lanes;
	int32_t width; /* columns, a multiple of the lanes */
	int32_t level_count;
	int32_t part_count;
	TedLevel *levels; /* [level_count + 1] */
	int32_t *parts;   /* [part_count + 1]: the first level of each part */
	TedBlock *blocks; /* [width / lanes] */
	int32_t *label;   /* label of the node, by column; -1 where there is no node */
	int32_t *source;  /* by column: the column of the forest left of its node's subtree */
	int16_t *near;    /* by column: its source relative to the start of the preceding block */
	int32_t *far;     /* columns whose source lies before the preceding block, by level */
	TedPiece *scatter;
	TedPiece *gather;
} TedColumns;

/*
 * Computes, for each key root, the first key root with an equal subtree.  Entries of other nodes
 * have no meaning.
 */
extern size_t ted_equal_key_roots_memory(int32_t size);
extern TedStatus ted_equal_key_roots(const TedTree *tree, TedArena *arena,
									 const TedInterrupt *interrupt, int32_t **first);

/*
 * Lays out a tree, or several in a row.  The first two functions read only the sums of the tree;
 * ted_columns_bound() returns the most columns that the tree can take.
 */
extern int64_t ted_columns_bound(const TedTree *tree, int32_t lanes);
extern size_t ted_columns_memory(const TedTree *tree, int32_t lanes);
extern TedStatus ted_columns_build(const TedTree *tree, int32_t lanes, TedArena *arena,
								   const TedInterrupt *interrupt, TedColumns *columns);

#endif /* TED_COLUMNS_H */
