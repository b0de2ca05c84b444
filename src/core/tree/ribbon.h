/*
 * ribbon.h
 *	  Distances from one forest to many forests of another tree, by vectors.
 *
 * A forest F of one tree is held against forests of another tree, G, that end
 * with node r in postorder and begin somewhere: a row for each r, a lane for
 * each beginning.  A ribbon has the rows of TED_RIBBON_LANES beginnings.  When F
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
#ifndef TED_CORE_TREE_RIBBON_H
#define TED_CORE_TREE_RIBBON_H

#include "ted.h"

#define TED_RIBBON_LANES 16

/* The rows of a ribbon; arrays by row. */
typedef struct TedRibbon
{
	const int32_t *size; /* of the subtree */
	const int32_t *cost; /* of inserting the node */
	const int32_t *top;
	const int32_t *own;
	int32_t rows;
	int32_t first; /* first row in which the ribbon has a forest */
	int32_t lane;  /* what lane 0 is in terms of `top` and `own` */
} TedRibbon;

/* One node x added to F; tables are [rows][TED_RIBBON_LANES], preceded by a row of room. */
typedef struct TedRibbonStep
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
} TedRibbonStep;

/* What a kind of vectors can do with ribbons. */
typedef struct TedRibbonMethods
{
	/* Distances from the empty forest. */
	void (*empty)(const TedRibbon *ribbon, int32_t *current);

	/* Adds a node. */
	void (*step)(const TedRibbon *ribbon, const TedRibbonStep *step);

	/* Exchanges rows and lanes of a square of both, each taken from its end. */
	void (*flip)(const int32_t *from, int32_t *to);
} TedRibbonMethods;

/* Ribbons of so many lanes. */
static inline int32_t
ted_ribbons(int32_t lanes)
{
	return (lanes + TED_RIBBON_LANES - 1) / TED_RIBBON_LANES;
}

extern const TedRibbonMethods ted_ribbon_plain;
extern const TedRibbonMethods ted_ribbon_avx2;
extern const TedRibbonMethods ted_ribbon_avx512;

#endif /* TED_CORE_TREE_RIBBON_H */
