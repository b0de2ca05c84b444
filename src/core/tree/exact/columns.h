/*
 * columns.h
 *	  The tables of one key root of a with all key roots of b, side by side.
 *
 * For one key root of a, the forest tables that it forms with the key roots of
 * b have the same rows.  They are laid out as one wide table, whose rows can be
 * computed by whole vectors whatever the sizes of the tables.  A table of n
 * nodes takes n + 1 columns, of which the first stands for the empty forest.  A
 * table needs distances that tables inside of it yield, so tables come by
 * levels, a level being the height of a key root in the tree of key roots
 * (X-TED, PVLDB 17(7), 2024, section 4), and each level begins with a vector.
 *
 * Of key roots with equal subtrees only the first has columns.
 *
 * Several trees in a row are laid out in parts, so that the rows of a part stay in the
 * cache of a processor.  The tables of a part are filled before those of the next one,
 * which may need them.
 *
 * Distances of subtrees are kept by postorder number, so they pass between
 * nodes and columns.  Where a vector of columns lies inside one table, its
 * nodes follow each other, too.  Elsewhere, pieces say which runs of columns
 * and nodes belong together; moving one moves a whole vector, and those that
 * come after it set right what it does to their columns.
 */
#ifndef TED_COLUMNS_H
#define TED_COLUMNS_H

#include "../ted.h"

#define TED_SCAN_STEPS 5 /* log2 of the most lanes of a vector, 32 */

/* Lanes that a short piece moves. */
#define TED_SHORT_LANES 8

/* In `direct`: the vector holds columns of several tables, or padding. */
#define TED_MIXED INT32_MIN

/* A vector of columns; masks have a bit for each lane. */
typedef struct TedBlock
{
	uint32_t start;                 /* columns of empty forests */
	uint32_t path;                  /* nodes on the leftmost path of their table's key root */
	uint32_t reach[TED_SCAN_STEPS]; /* [k]: lanes whose 2^k-th neighbour to the left is in their
									 * table and vector */
	int32_t direct;                 /* postorder number in lane 0, or TED_MIXED */
} TedBlock;

/* A run of columns and of nodes. */
typedef struct TedPiece
{
	int32_t column;
	int32_t node;
	uint32_t path; /* lanes of nodes on the leftmost path of their table's key root */
} TedPiece;

/* Where the blocks and pieces of a level begin; those of the next level begin where they end. */
typedef struct TedLevel
{
	int32_t block;
	int32_t scatter;      /* short pieces from nodes to columns */
	int32_t scatter_long; /* the others */
	int32_t gather;       /* short pieces from columns to nodes */
	int32_t gather_long;  /* the others */
	int32_t far;          /* in the array of that name */
} TedLevel;

typedef struct TedColumns
{
	int32_t lanes;
	int32_t width; /* columns, a multiple of the lanes */
	int32_t level_count;
	int32_t part_count;
	TedLevel *levels; /* [level_count + 1] */
	int32_t *parts;   /* [part_count + 1] their first levels */
	TedBlock *blocks; /* [width / lanes] */
	int32_t *label;   /* by column; -1 where there is no node */
	int32_t *source;  /* by column: that of the forest left of the subtree of its node */
	int16_t *near;    /* by column: its source, counted from the block before its own */
	int32_t *far;     /* columns whose source lies before that, by level */
	TedPiece *scatter;
	TedPiece *gather;
} TedColumns;

/* First of the key roots with an equal subtree, by key root; other entries have no meaning. */
extern size_t ted_equal_key_roots_memory(int32_t size);
extern TedStatus ted_equal_key_roots(const TedTree *tree, TedArena *arena,
									 const TedInterrupt *interrupt, int32_t **first);

/* Lays out a tree, or several in a row; of these, the first two functions want the sums only. */
extern int64_t ted_columns_bound(const TedTree *tree, int32_t lanes);
extern size_t ted_columns_memory(const TedTree *tree, int32_t lanes);
extern TedStatus ted_columns_build(const TedTree *tree, int32_t lanes, TedArena *arena,
								   const TedInterrupt *interrupt, TedColumns *columns);

#endif /* TED_COLUMNS_H */
