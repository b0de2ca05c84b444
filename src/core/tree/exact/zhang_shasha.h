/*
 * zhang_shasha.h
 *	  Distances between all pairs of subtrees, for exact distances and mappings.
 */
#ifndef TED_ZHANG_SHASHA_H
#define TED_ZHANG_SHASHA_H

#include "tables.h"

/*
 * Plans ted_orient() and ted_tables_fill() of a pair.  It reads only the sizes and sums of the
 * trees.
 */
extern TedTablesPlan ted_plan_tables(const TedTree *a, const TedTree *b, const TedCosts *costs);

/* Whether the tables are certain to have 16-bit cells, as no path strategy is searched for. */
static inline bool
ted_tables_int16(const TedTablesPlan *plan)
{
	return plan->vectors.lanes != 0 && plan->vectors.bytes == sizeof(int16_t) &&
		   plan->path_limit == 0;
}

/* Computes the distances between all pairs of subtrees of a pair from ted_orient(). */
extern TedStatus ted_tables_fill(const TedTree *a, const TedTree *b, const TedCosts *costs,
								 const TedTablesPlan *plan, TedArena *arena,
								 const TedInterrupt *interrupt, TedTables *tables);

/*
 * Computes the distance between `a` and the subtree of each node of `b`, by postorder number of the
 * node.  All of them are in the tables.
 */
extern TedStatus ted_subtree_distances(const TedTree *a, const TedTree *b, const TedCosts *costs,
									   const TedTablesPlan *plan, TedArena *arena,
									   const TedInterrupt *interrupt, int32_t *distances);

#endif /* TED_ZHANG_SHASHA_H */
