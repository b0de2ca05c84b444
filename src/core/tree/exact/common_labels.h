/*
 * common_labels.h
 *	  Replaces the labels that only one of two trees has.
 *
 * Where costs are the same for all labels, an edit distance depends only on which labels are equal.
 * So all labels that only one of the trees has can be replaced by one label, and more of its
 * subtrees are equal: those of documents that differ in their texts, for instance.  Where costs
 * differ by label, label_classes.h finds the labels that can be merged.
 */
#ifndef TED_COMMON_LABELS_H
#define TED_COMMON_LABELS_H

#include "../ted.h"

/* Labels that replace those of the first tree alone, and those of the second one alone. */
#define TED_LABEL_OF_A (-2)
#define TED_LABEL_OF_B (-1)

/*
 * Replaces the labels that only one of two trees has; each may be several trees in a row.  The new
 * label arrays are in the arena.
 */
extern size_t ted_common_labels_memory(int32_t size_a, int32_t size_b);
extern TedStatus ted_common_labels(TedTree *a, TedTree *b, TedArena *arena,
								   const TedInterrupt *interrupt);

#endif /* TED_COMMON_LABELS_H */
