/*
 * equivalence.h
 *	  Trees that are certain to have the same distance from another tree.
 *
 * An edit distance depends only on which labels are equal.  So trees of the same shape that differ
 * only in labels that another tree does not have all have the same distance from it.  In
 * collections of records, which agree in their shapes and differ in their values, most trees are
 * equivalent to most others.
 */
#ifndef TED_EQUIVALENCE_H
#define TED_EQUIVALENCE_H

#include "../ted.h"

/* Classes of trees that are equivalent with respect to one tree, the observer. */
typedef struct TedEquivalence TedEquivalence;

/*
 * Allocates the classes of up to `trees` trees. mark[label] is 0 for labels that the observer does
 * not have, and a different number for each label that it has.
 */
extern size_t ted_equivalence_memory(int32_t trees);
extern TedStatus ted_equivalence(int32_t trees, const int32_t *mark, TedArena *arena,
								 TedEquivalence **classes);

/*
 * Returns the number of a tree's class, from 0; the first tree of a class gets the next number.
 * Returns -1 if more than `unknown` of its nodes have labels that the observer does not have.
 */
extern int32_t ted_equivalence_kind(TedEquivalence *classes, const TedTree *tree, int32_t unknown);

/* Removes all trees, for another observer. */
extern void ted_equivalence_forget(TedEquivalence *classes);

#endif /* TED_EQUIVALENCE_H */
