/*
 * equivalence.h
 *	  Trees that another tree cannot tell apart.
 *
 * An edit distance depends on which labels are equal, not on what they are.  So
 * trees of the same shape that differ only in labels that a tree does not have
 * are all at the same distance from it.  In collections of records, which agree
 * in their shapes and differ in their values, most trees are equivalent to most
 * others.
 */
#ifndef TED_CORE_TREE_EQUIVALENCE_H
#define TED_CORE_TREE_EQUIVALENCE_H

#include "ted.h"

/* A number that is equal for equal shapes. */
extern uint32_t ted_shape_hash(const TedTree *tree);

/* Trees that have been asked for, first of their kind. */
typedef struct TedEquivalence TedEquivalence;

/* Makes room for this number of trees with labels below a bound. */
extern size_t ted_equivalence_memory(int32_t trees, int32_t labels);
extern TedStatus ted_equivalence(int32_t trees, int32_t labels, TedArena *arena,
								 TedEquivalence **classes);

/* Has trees seen by this one, until the end, when they are forgotten. */
extern void ted_equivalence_start(TedEquivalence *classes, const TedTree *tree);
extern void ted_equivalence_end(TedEquivalence *classes);

/*
 * Number from 0 of the kind of a tree, which is one more than any so far where
 * it is the first of its kind; or -1 where more of its nodes than `unknown` have
 * labels that the tree that sees does not have.
 */
extern int32_t ted_equivalence_kind(TedEquivalence *classes, const TedTree *tree,
									uint32_t shape_hash, int32_t unknown);

#endif /* TED_CORE_TREE_EQUIVALENCE_H */
