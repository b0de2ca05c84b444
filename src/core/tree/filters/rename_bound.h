/*
 * rename_bound.h
 *	  Lower bounds of the distance by the string edit distance of labels, for graded costs.
 *
 * A mapping of trees keeps the order of their nodes.  So no distance is less than the string
 * edit distance of the labels in postorder at the same costs (Guha et al., SIGMOD 2002).
 */
#ifndef TED_RENAME_BOUND_H
#define TED_RENAME_BOUND_H

#include "label_profile.h"

/* Two trees and what is known of their labels. */
typedef struct TedProfiledPair
{
	const TedTree *a;
	const TedTree *b;
	const TedCosts *costs;
	const TedLabelProfile *profiles; /* by label */
} TedProfiledPair;

/*
 * The string edit distance where a label is renamed at what its characters say it costs at
 * least, and where it is renamed at its cost: labels are then compared only where this
 * can be a part of a distance within the limit.  TED_BEYOND above the limit.  Requires
 * ted_costs_fit() and limit >= 0.
 */
extern size_t ted_rename_bound_memory(const TedProfiledPair *pair, int32_t limit);
extern TedStatus ted_character_bound(const TedProfiledPair *pair, int32_t limit, TedArena *arena,
									 const TedInterrupt *interrupt, int64_t *steps, int32_t *bound);
extern TedStatus ted_rename_bound(const TedProfiledPair *pair, int32_t limit, TedArena *arena,
								  const TedInterrupt *interrupt, int64_t *steps, int32_t *bound);

#endif /* TED_RENAME_BOUND_H */
