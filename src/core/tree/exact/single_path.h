/*
 * single_path.h
 *	  Distances from one forest to many forests of another tree, by vectors.
 *
 * A forest F of one tree is compared with the forests of another tree, G: a row for each node r
 * that is the last in postorder, a lane for each beginning of the forest.  A block of lanes has the
 * rows of TED_PATH_LANES beginnings.  When F grows by a node x, whose subtree is the last tree of
 * F, the new row of r is, lane by lane, the minimum of
 *
 *	  the old row of r, and x deleted,
 *	  the new row of r - 1, and r inserted,
 *	  the row of r less its subtree, as it was before the subtree of x came,
 *	  and the distance of the two subtrees,
 *
 * so that lanes never depend on each other, no gather instructions are needed, and all other
 * operands are the same for a whole row.
 *
 * Row r has forests in lanes up to top[r]; in lanes from own[r] on, the forest is the subtree of r
 * alone.  Lanes after top[r] keep the numbers of the row before.
 */
#ifndef TED_SINGLE_PATH_H
#define TED_SINGLE_PATH_H

#include "../ted.h"

#define TED_PATH_LANES 16

/* The rows of a block of lanes; arrays by row. */
typedef struct TedLaneBlock
{
	const int32_t *size; /* by row: size of the node's subtree */
	const int32_t *cost; /* by row: cost of inserting the node */
	const int32_t *top;
	const int32_t *own;
	int32_t rows;
	int32_t first; /* the first row in which the block has a forest */
	int32_t lane;  /* number of lane 0, as `top` and `own` count lanes */
} TedLaneBlock;

/*
 * One step, which adds node x to F.  Tables are [rows][TED_PATH_LANES], with room for a row before
 * them.
 */
typedef struct TedLaneStep
{
	const int32_t *old;
	const int32_t *before; /* table of F before the subtree of x was added */
	int32_t *current;
	int32_t old_empty; /* distance between F without x and the empty forest */
	int32_t before_empty;
	int32_t cost; /* cost of deleting x */

	/*
	 * By row: the distance between the subtrees of r and x.  Where x spans all of F, the step
	 * computes it, and the array holds the cost of renaming x to r before.
	 */
	int32_t *distance;
	bool spans;
} TedLaneStep;

/*
 * The rows of a block of lanes that a limit allows: a window of rows that moves on with every node
 * added.  Numbers are distances less the cost of inserting the forest of G, and at most the cost of
 * deleting F; so a number is never greater than that in the same lane of the row before.  A table
 * has a row of `stride` numbers for each row of the window, and one more row after it, which holds
 * the cost of deleting F.
 */
typedef struct TedLaneWindow
{
	const int32_t *size;     /* by node of G: size of its subtree */
	const int32_t *preorder; /* by node of G: its preorder number */
	const int32_t *distance; /* by row: distance to the subtree of x, or TED_BEYOND */
	int32_t rows;
	int32_t node;  /* node of row 0; rows whose node is below 0 or at least `end` have none */
	int32_t end;   /* number of nodes of G */
	int32_t lane;  /* preorder number of the beginning in lane 0 */
	int32_t added; /* nodes in the subtree of x */
	int32_t cost;  /* cost of deleting x */
	int32_t bound; /* cost of deleting F, x included */

	/* tables of F without x, without the subtree of x, and with x */
	const int32_t *old;
	const int32_t *before;
	int32_t *current;
	ptrdiff_t old_stride;
	ptrdiff_t before_stride;
	ptrdiff_t current_stride;
} TedLaneWindow;

/* Operations on blocks of lanes, for one kind of vectors. */
typedef struct TedLaneMethods
{
	/* Computes the distances from the empty forest. */
	void (*empty)(const TedLaneBlock *block, int32_t *current);

	/* Adds a node to F. */
	void (*step)(const TedLaneBlock *block, const TedLaneStep *step);

	/* Adds a node to F within a window. */
	void (*window)(const TedLaneWindow *window);

	/* Transposes a square of TED_PATH_LANES rows and lanes, both in reverse order. */
	void (*flip)(const int32_t *from, int32_t *to, ptrdiff_t stride);
} TedLaneMethods;

/* Returns the number of blocks for this number of lanes. */
static inline int32_t
ted_lane_blocks(int32_t lanes)
{
	return (lanes + TED_PATH_LANES - 1) / TED_PATH_LANES;
}

extern const TedLaneMethods ted_single_path_plain;
extern const TedLaneMethods ted_single_path_avx2;
extern const TedLaneMethods ted_single_path_avx512;

/* Returns the operations for the vectors of this processor. */
extern const TedLaneMethods *ted_lane_methods(void);

#endif /* TED_SINGLE_PATH_H */
