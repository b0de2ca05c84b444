/*
 * label_kinds.h
 *	  Labels whose costs are the same.
 *
 * Two labels are of one kind if no cost changes where they change places.  So costs are
 * those of kinds: of inserting or deleting a label of a kind, and of renaming it to
 * another label, which may be of the same kind, at most what deleting and inserting cost
 * together.  Most labels of most models are of one kind.
 */
#ifndef TED_CORE_TREE_LABEL_KINDS_H
#define TED_CORE_TREE_LABEL_KINDS_H

#include "ted.h"

typedef struct TedLabelKinds
{
	int32_t count;
	int32_t *kind;   /* by place in the list of labels; those that come first are the least */
	int32_t *insert; /* by kind */
	int32_t *delete_;
	int32_t *rename; /* [count][count]: from one label to another one */
} TedLabelKinds;

/*
 * Finds the kinds of a list of labels, which are all different: O(n^2) time and memory.  Some
 * that are of one kind may be told apart.
 */
extern size_t ted_label_kinds_memory(int32_t labels);
extern TedStatus ted_label_kinds(const int32_t *label, int32_t labels, const TedCosts *costs,
								 TedArena *arena, const TedInterrupt *interrupt,
								 TedLabelKinds *kinds);

#endif /* TED_CORE_TREE_LABEL_KINDS_H */
