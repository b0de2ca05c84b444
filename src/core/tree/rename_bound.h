/*
 * rename_bound.h
 *	  A lower bound of the distance by what renaming costs, for costs by label.
 */
#ifndef TED_CORE_TREE_RENAME_BOUND_H
#define TED_CORE_TREE_RENAME_BOUND_H

#include "ted.h"

/*
 * What each node of a tree costs at least, summed up over the tree where that is more: to
 * be deleted or inserted, or renamed to one of the nodes of the other tree whose postorder
 * number differs by no more than the limit pays for (Touzet, CPM 2005).  TED_BEYOND above
 * the limit, as soon as that is clear.  Requires ted_costs_fit() and limit >= 0.
 */
extern TedStatus ted_rename_bound(const TedTree *a, const TedTree *b, const TedCosts *costs,
								  int32_t limit, const TedInterrupt *interrupt, int32_t *bound);

#endif /* TED_CORE_TREE_RENAME_BOUND_H */
