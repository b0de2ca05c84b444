/*
 * derived.h
 *	  Conditions that follow from clauses with thresholds, and that indexes support.
 */
#ifndef TED_DERIVED_H
#define TED_DERIVED_H

#include "postgres.h"

#include "nodes/pathnodes.h"

/*
 * Returns a condition that is true wherever a clause is true, also in the arms of OR: the
 * clause with calls of tests, such as tree_within() or tree_similar(), in place of comparisons
 * with a limit.  Returns NULL if there is none.
 */
extern Node *DerivedCondition(PlannerInfo *root, Node *clause);

/* Whether a clause tests a document that is converted from a domain, so that a condition follows.
 */
extern bool IsTestOfDomain(Node *clause);

#endif /* TED_DERIVED_H */
