/*
 * alike.h
 *	  Trees that another tree cannot tell apart.
 *
 * An edit distance depends on which labels are equal, not on what they are.  So
 * trees of the same shape that differ only in labels that a tree does not have
 * are all at the same distance from it.  In collections of records, which agree
 * in their shapes and differ in their values, most trees are alike to most
 * others.
 */
#ifndef TED_CORE_TREE_ALIKE_H
#define TED_CORE_TREE_ALIKE_H

#include "ted.h"

/* A number that is equal for equal shapes. */
extern uint32_t ted_shape_hash(const TedTree *tree);

/* Trees that have been asked for, first of their kind. */
typedef struct TedAlike TedAlike;

/* Makes room for so many trees with labels below a bound. */
extern size_t ted_alike_memory(int32_t trees, int32_t labels);
extern TedStatus ted_alike(int32_t trees, int32_t labels, TedArena *arena, TedAlike **alike);

/* Has trees seen by this one, until the end, when they are forgotten. */
extern void ted_alike_start(TedAlike *alike, const TedTree *tree);
extern void ted_alike_end(TedAlike *alike);

/*
 * Number from 0 of the kind of a tree, which is one more than any so far where
 * it is the first of its kind; or -1 where more of its nodes than `unknown` have
 * labels that the tree that sees does not have.
 */
extern int32_t ted_alike_kind(TedAlike *alike, const TedTree *tree, uint32_t shape_hash,
							  int32_t unknown);

#endif /* TED_CORE_TREE_ALIKE_H */
