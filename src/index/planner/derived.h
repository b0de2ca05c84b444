/*
 * derived.h
 *	  Conditions that follow from clauses with thresholds, and that indexes can serve.
 */
#ifndef TED_DERIVED_H
#define TED_DERIVED_H

#include "postgres.h"

#include "nodes/pathnodes.h"

/*
 * A condition that is true wherever a clause is: calls of tree_within() or
 * tree_similar() in place of what sets a threshold otherwise, also in the arms of
 * OR.  NULL where there is none.
 */
extern Node *DerivedCondition(PlannerInfo *root, Node *clause);

#endif /* TED_DERIVED_H */
