/*
 * label_pairs.h
 *	  Finds trees that can be near each other by pairs of rare labels.
 *
 * If two trees are within k unit-cost operations of each other, each has at most k nodes without an
 * equal node in the other one, where the n-th node with a label equals the n-th node with that
 * label.  In any order of labels, the first two common nodes are thus among the first k + 2 nodes
 * of either tree, if one of the trees has that many nodes (prefix filter with two common elements;
 * Chaudhuri et al., ICDE 2006).  So trees that share no pair of their rarest nodes are too far
 * apart, and a tree that shares none with any other tree can be left out.
 */
#ifndef TED_LABEL_PAIRS_H
#define TED_LABEL_PAIRS_H

#include "../../common/hash.h"
#include "../ted.h"

/* The greatest k for which the filter is used: with more, most trees share pairs of labels. */
#define TED_LABEL_PAIRS_LIMIT 6

/*
 * Estimated frequencies of labels in all trees, which must be the same for all trees: by the lowest
 * bits of a label, those of `mask`.
 */
typedef struct TedLabelFrequencies
{
	const int32_t *count;
	uint32_t mask;
} TedLabelFrequencies;

/*
 * Computes the hashes of up to `most` rarest nodes of a tree, `most` being at most
 * TED_MOST_RAREST_NODES.  For each node, in any order, label[] is its label, or a hash of it, and
 * occurrence[] is its number among the nodes with that label, from 1.  With the same frequencies,
 * the nodes of all trees are in the same order.
 */
#define TED_MOST_RAREST_NODES 32
extern TedStatus ted_rarest_nodes(const int32_t *label, const int32_t *occurrence, int32_t size,
								  const TedLabelFrequencies *frequencies, int32_t most,
								  const TedInterrupt *interrupt, uint32_t *node, int32_t *count);

#endif /* TED_LABEL_PAIRS_H */
