/*
 * rename_bound.h
 *	  Lower bounds on the distance by the string edit distance of labels, for graded costs.
 *
 * A mapping of trees keeps the postorder of their nodes.  So the distance is at least the string
 * edit distance of the labels in postorder with the same costs (Guha et al., SIGMOD 2002).
 */
#ifndef TED_RENAME_BOUND_H
#define TED_RENAME_BOUND_H

#include "label_profile.h"

/* Two trees and the features of their labels. */
typedef struct TedProfiledPair
{
	const TedTree *a;
	const TedTree *b;
	const TedCosts *costs;
	const TedLabelProfile *profiles; /* features by label */
} TedProfiledPair;

/*
 * Compute the string edit distance, or TED_BEYOND above the limit.  ted_character_bound() uses
 * lower bounds on rename costs by characters; ted_rename_bound() uses the rename costs, and
 * compares labels only where that can be part of a distance within the limit.  Require
 * ted_costs_fit() and limit >= 0.
 */
extern size_t ted_rename_bound_memory(const TedProfiledPair *pair, int32_t limit);
extern TedStatus ted_character_bound(const TedProfiledPair *pair, int32_t limit, TedArena *arena,
									 const TedInterrupt *interrupt, int64_t *steps, int32_t *bound);
extern TedStatus ted_rename_bound(const TedProfiledPair *pair, int32_t limit, TedArena *arena,
								  const TedInterrupt *interrupt, int64_t *steps, int32_t *bound);

#endif /* TED_RENAME_BOUND_H */
