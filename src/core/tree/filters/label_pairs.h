/*
 * label_pairs.h
 *	  Which trees can be near each other, by pairs of rare labels.
 *
 * Of two trees within k unit-cost operations of each other, either has at most k nodes
 * that no node of the other one equals, where the n-th node with a label equals the n-th
 * with that label.  In any order of labels, the first two nodes that both have are thus
 * among the first k + 2 of either tree, if there are two: if one tree has that many nodes
 * (prefix filter with two common elements; Chaudhuri et al., ICDE 2006).  So trees that
 * share none of the pairs of their rarest nodes are too far apart, and one that shares
 * none with any other tree can be left out.
 */
#ifndef TED_LABEL_PAIRS_H
#define TED_LABEL_PAIRS_H

#include "../../common/hash.h"
#include "../ted.h"

/* The greatest k for which there is a filter: with more, most trees share pairs of labels. */
#define TED_LABEL_PAIRS_LIMIT 6

/* Nodes of a tree whose labels are the rarest ones, as hashes, equal for equal nodes. */
typedef struct TedRareNodes
{
	int32_t count; /* the tree is a small one where these are fewer than k + 2 */
	uint32_t node[TED_LABEL_PAIRS_LIMIT + 2];
} TedRareNodes;

/* Whether a tree may be near others with which it shares no pair. */
static inline bool
ted_has_few_nodes(const TedRareNodes *rare, int32_t limit)
{
	return rare->count < limit + 2;
}

/*
 * How often labels occur in all trees, as far as it is known, which only has to be the same
 * for all: by the lowest bits of a label, those of `mask`.
 */
typedef struct TedLabelFrequencies
{
	const int32_t *count;
	uint32_t mask;
} TedLabelFrequencies;

/*
 * The rarest nodes of a tree, up to `most` of them, as hashes: of each node, in any order, the
 * label, or a hash of it, and which one with that label it is, from 1.  With the same
 * frequencies, all trees have their nodes in the same order.
 */
#define TED_MOST_RAREST_NODES 32
extern TedStatus ted_rarest_nodes(const int32_t *label, const int32_t *occurrence, int32_t size,
								  const TedLabelFrequencies *frequencies, int32_t most,
								  const TedInterrupt *interrupt, uint32_t *node, int32_t *count);

/* The same for pairs, for k = `limit`. */
extern TedStatus ted_rare_nodes(const int32_t *label, const int32_t *occurrence, int32_t size,
								const TedLabelFrequencies *frequencies, int32_t limit,
								const TedInterrupt *interrupt, TedRareNodes *rare);

/* A hash of two of them, the same in either order. */
static inline uint32_t
ted_pair_key(uint32_t a, uint32_t b)
{
	return (uint32_t) (((uint64_t) a + b) * TED_HASH_STEP >> 32);
}

#endif /* TED_LABEL_PAIRS_H */
