/*
 * shared_labels.h
 *	  Two trees without the labels that only one of them has.
 *
 * Where costs are the same for all labels, an edit distance depends on which
 * labels are equal, not on what they are.  So labels that only one of the trees
 * has may all be the same one, and more of its subtrees are equal: those of
 * documents that differ in their texts, for instance.  Where costs differ by
 * label, label_classes.h finds out which labels may be the same one.
 */
#ifndef TED_SHARED_LABELS_H
#define TED_SHARED_LABELS_H

#include "../ted.h"

/*
 * Labels in place of those that only the first tree has, and of those that only the second one
 * has.
 */
#define TED_LABEL_OF_A (-2)
#define TED_LABEL_OF_B (-1)

/* Replaces these labels of two trees, or of several in a row; all others stay. */
extern size_t ted_shared_labels_memory(int32_t size_a, int32_t size_b);
extern TedStatus ted_shared_labels(TedTree *a, TedTree *b, TedArena *arena,
								   const TedInterrupt *interrupt);

#endif /* TED_SHARED_LABELS_H */
