/*
 * equivalence.h
 *	  Trees that are certain to have the same distance from another tree.
 *
 * An edit distance depends on which labels are equal, not on what they are.  So
 * trees of the same shape that differ only in labels that a tree does not have
 * are all at the same distance from it.  In collections of records, which agree
 * in their shapes and differ in their values, most trees are equivalent to most
 * others.
 */
#ifndef TED_EQUIVALENCE_H
#define TED_EQUIVALENCE_H

#include "../ted.h"

/* Trees that have been asked for, first of their kind. */
typedef struct TedEquivalence TedEquivalence;

/*
 * Makes room for this number of trees; mark[label] is 0 for labels that the tree
 * that sees does not have, and another number for each that it has.
 */
extern size_t ted_equivalence_memory(int32_t trees);
extern TedStatus ted_equivalence(int32_t trees, const int32_t *mark, TedArena *arena,
								 TedEquivalence **classes);

/*
 * Number from 0 of the kind of a tree, which is one more than any so far where
 * it is the first of its kind; or -1 where more of its nodes than `unknown` have
 * labels that the tree that sees does not have.
 */
extern int32_t ted_equivalence_kind(TedEquivalence *classes, const TedTree *tree, int32_t unknown);

/* Forgets all trees, for another one to see. */
extern void ted_equivalence_forget(TedEquivalence *classes);

#endif /* TED_EQUIVALENCE_H */
