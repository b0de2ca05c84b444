/*
 * single_path.h
 *	  Distances from one forest to many forests of another tree, by vectors.
 *
 * A forest F of one tree is compared with forests of another tree, G, that end
 * with node r in postorder and begin somewhere: a row for each r, a lane for
 * each beginning.  A block has the rows of TED_PATH_LANES beginnings.  When F
 * grows by a node x, whose subtree is the last tree of F, the new row of r is,
 * lane by lane, the least of
 *
 *	  the old row of r, and x deleted,
 *	  the new row of r - 1, and r inserted,
 *	  the row of r less its subtree, as it was before the subtree of x came,
 *	  and the distance of the two subtrees,
 *
 * so that lanes never depend on each other, nothing is gathered, and all but
 * the lanes is the same for a whole row.
 *
 * The beginnings of r are lanes up to top[r]; with those from own[r] on, the
 * forest is the subtree of r alone.  Lanes after top[r] keep what the row
 * before had.
 */
#ifndef TED_SINGLE_PATH_H
#define TED_SINGLE_PATH_H

#include "../ted.h"

#define TED_PATH_LANES 16

/* The rows of a block; arrays by row. */
typedef struct TedLaneBlock
{
	const int32_t *size; /* of the subtree */
	const int32_t *cost; /* of inserting the node */
	const int32_t *top;
	const int32_t *own;
	int32_t rows;
	int32_t first; /* first row in which the block has a forest */
	int32_t lane;  /* what lane 0 is in terms of `top` and `own` */
} TedLaneBlock;

/* One node x added to F; tables are [rows][TED_PATH_LANES], preceded by a row of room. */
typedef struct TedLaneStep
{
	const int32_t *old;
	const int32_t *before; /* as it was before the subtree of x came */
	int32_t *current;
	int32_t old_empty; /* distances to the empty forest */
	int32_t before_empty;
	int32_t cost; /* of deleting x */

	/*
	 * By row: the distance to the subtree of x.  Where x spans all of F, it is
	 * what this computes, from the cost of renaming x, which it overwrites.
	 */
	int32_t *distance;
	bool spans;
} TedLaneStep;

/*
 * The rows of a block that a limit leaves: a window of rows that moves on with
 * every node added.  Numbers are distances less the cost of inserting the
 * forest of G, none more than the cost of deleting F; so a row never has more
 * than the row before.  A table has a row of `stride` numbers for each row of
 * the window and for the one after it, which has the cost of deleting F.
 */
typedef struct TedLaneWindow
{
	const int32_t *size;     /* of the subtree, by node of G */
	const int32_t *preorder; /* by node of G */
	const int32_t *distance; /* to the subtree of x, by row, or TED_BEYOND */
	int32_t rows;
	int32_t node;  /* of row 0; some rows have none: below 0 or from end on */
	int32_t end;   /* nodes of G */
	int32_t lane;  /* preorder number of the beginning in lane 0 */
	int32_t added; /* nodes in the subtree of x */
	int32_t cost;  /* of deleting x */
	int32_t bound; /* of deleting F, with x */

	/* tables of F without x, without the subtree of x, and with x */
	const int32_t *old;
	const int32_t *before;
	int32_t *current;
	ptrdiff_t old_stride;
	ptrdiff_t before_stride;
	ptrdiff_t current_stride;
} TedLaneWindow;

/* Operations on blocks, for a kind of vectors. */
typedef struct TedLaneMethods
{
	/* Distances from the empty forest. */
	void (*empty)(const TedLaneBlock *block, int32_t *current);

	/* Adds a node. */
	void (*step)(const TedLaneBlock *block, const TedLaneStep *step);

	/* Adds a node within a window. */
	void (*window)(const TedLaneWindow *window);

	/* Exchanges rows and lanes of a square of both, each taken from its end. */
	void (*flip)(const int32_t *from, int32_t *to, ptrdiff_t stride);
} TedLaneMethods;

/* Blocks of lanes of this number of lanes. */
static inline int32_t
ted_lane_blocks(int32_t lanes)
{
	return (lanes + TED_PATH_LANES - 1) / TED_PATH_LANES;
}

extern const TedLaneMethods ted_single_path_plain;
extern const TedLaneMethods ted_single_path_avx2;
extern const TedLaneMethods ted_single_path_avx512;

/* Those of this processor. */
extern const TedLaneMethods *ted_lane_methods(void);

#endif /* TED_SINGLE_PATH_H */
