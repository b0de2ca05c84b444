/*
 * ted.h
 *	  Tree edit distance on plain arrays.
 *
 * Nodes are numbered from 0 in postorder.  The subtree of x is the range
 * [x - subtree_size[x] + 1, x], whose first node is the leftmost leaf of x.
 */
#ifndef TED_TED_H
#define TED_TED_H

#include "../common/core.h"

/* An ordered labelled tree; the arrays have `size` entries, indexed by postorder. */
typedef struct TedTree
{
	int32_t size;                /* nodes, at least 1 */
	const int32_t *label;        /* equal labels have equal ids, in all trees compared */
	const int32_t *subtree_size; /* nodes in the subtree, the node itself included */
	const int32_t *depth;        /* edges to the root; the root has 0 */
	const int32_t *key_root;     /* the highest node with the same leftmost leaf */
	int32_t leaves;              /* as many as key roots */
	int32_t height;              /* the greatest depth */
	int64_t left_nodes;          /* sum of the sizes of the subtrees of key roots */
	int64_t right_nodes;         /* the same by rightmost leaves */
} TedTree;

/* The costs of the three edit operations, each at least 0. */
typedef struct TedUniformCosts
{
	int32_t insert;
	int32_t delete_; /* `delete` is a keyword where CUDA code includes this header */
	int32_t rename;  /* of a node to one with another label */
} TedUniformCosts;

/* A cache of costs of renaming, see label_costs.h. */
typedef struct TedRenameCache TedRenameCache;

/* The traits of a label from which costs of renaming follow, see label_traits.h. */
typedef struct TedLabelTraits TedLabelTraits;

/*
 * Costs by label.  The function, which may be slow, is asked for the cost of mapping
 * a node with label `from` to one with another label `to`; what it says is remembered.
 * Bounds on the costs of all labels need not be tight: filters and limits rely on
 * the lower ones, the widths of numbers on the upper ones.
 */
typedef struct TedLabelCosts
{
	const int32_t *insert; /* by label */
	const int32_t *delete_;
	int32_t (*rename)(void *context, int32_t from, int32_t to);
	void *context;
	TedRenameCache *cache; /* or NULL, where the function is not slow */

	/* Gives the traits of a label from which these costs follow; NULL where there are none. */
	void (*traits)(void *context, int32_t label, TedLabelTraits *traits);

	TedUniformCosts least;
	TedUniformCosts most;
} TedLabelCosts;

/*
 * Costs of a computation: the same for all nodes, or by label.  Algorithms ask for
 * the cost of a node by its label, for bounds on all costs, or for those of all nodes
 * alike where there are no others.  Nothing else reads this struct.
 */
typedef struct TedCosts
{
	int32_t insert;
	int32_t delete_;
	int32_t rename;
	const TedLabelCosts *labels; /* NULL, or in place of these three */
} TedCosts;

#define TED_UNIT_COSTS ((TedCosts){1, 1, 1, NULL})

/* Whether costs differ by label. */
static inline bool
ted_costs_by_label(const TedCosts *costs)
{
	return costs->labels != NULL;
}

/* A label besides all others, of a root that is put above several trees; it costs the most. */
#define TED_ROOT_LABEL INT32_MAX

/* The cost of renaming, from the cache or by the function. */
extern int32_t ted_label_rename_cost(const TedLabelCosts *labels, int32_t from, int32_t to);

/* Cost of inserting a node with this label. */
static inline int32_t
ted_insert_cost(const TedCosts *costs, int32_t label)
{
	if (costs->labels == NULL)
		return costs->insert;
	return label == TED_ROOT_LABEL ? costs->labels->most.insert : costs->labels->insert[label];
}

/* Cost of deleting a node with this label. */
static inline int32_t
ted_delete_cost(const TedCosts *costs, int32_t label)
{
	if (costs->labels == NULL)
		return costs->delete_;
	return label == TED_ROOT_LABEL ? costs->labels->most.delete_ : costs->labels->delete_[label];
}

/* Cost of mapping a node with label `from` to one with label `to`. */
static inline int32_t
ted_rename_cost(const TedCosts *costs, int32_t from, int32_t to)
{
	if (from == to)
		return 0;
	return costs->labels == NULL ? costs->rename : ted_label_rename_cost(costs->labels, from, to);
}

/* The costs of all nodes alike; there must be none by label. */
static inline TedUniformCosts
ted_uniform_costs(const TedCosts *costs)
{
	TedUniformCosts uniform = {costs->insert, costs->delete_, costs->rename};

	return uniform;
}

/* No node costs less than this. */
static inline TedUniformCosts
ted_least_costs(const TedCosts *costs)
{
	return costs->labels == NULL ? ted_uniform_costs(costs) : costs->labels->least;
}

/* No node costs more than this. */
static inline TedUniformCosts
ted_most_costs(const TedCosts *costs)
{
	return costs->labels == NULL ? ted_uniform_costs(costs) : costs->labels->most;
}

/* The least cost of an insertion or a deletion. */
static inline int32_t
ted_least_indel_cost(const TedCosts *costs)
{
	TedUniformCosts least = ted_least_costs(costs);

	return ted_min(least.insert, least.delete_);
}

/*
 * Completes a tree whose size, label and subtree_size are set: fills depth and
 * key_root, both arrays of `size` entries that the caller provides, and sums up.
 */
extern TedStatus ted_tree_index(TedTree *tree, int32_t *depth, int32_t *key_root,
								const TedInterrupt *interrupt);

/* Fills key_root of a tree, or of several in a row, whose size and subtree_size are set. */
extern TedStatus ted_tree_key_roots(const TedTree *tree, int32_t *key_root,
									const TedInterrupt *interrupt);

/* Value that bounded functions return beyond the limit; no pair of trees has this distance. */
#define TED_BEYOND INT32_MAX

/* The largest distance and the largest cost that are computed with. */
#define TED_MAX_DISTANCE (INT32_MAX / 4)

/* True where deleting one tree and inserting the other costs no more than TED_MAX_DISTANCE. */
extern bool ted_costs_fit(const TedCosts *costs, const TedTree *a, const TedTree *b);

/*
 * Exact distance: Zhang and Shasha (SICOMP 1989), by the left or the right
 * decomposition, whichever has fewer cells, or the optimal path strategy (APTED,
 * TODS 2015) where that is estimated to be faster.  O(|a| |b|) memory.
 * Requires ted_costs_fit().
 */
extern size_t ted_distance_memory(const TedTree *a, const TedTree *b, const TedCosts *costs);
extern TedStatus ted_distance(const TedTree *a, const TedTree *b, const TedCosts *costs,
							  TedArena *arena, const TedInterrupt *interrupt, int32_t *distance);

/*
 * Distance if it is at most `limit`, else TED_BEYOND.  By a strip of k =
 * limit / min(insert, delete) around equal postorder numbers (Touzet, 2005), or
 * the same along heavy paths where the shapes are bad for that (Akmal and Jin,
 * 2021), where it is estimated to be faster than ted_distance(); else by that.
 * O(|a| k) memory for a strip of k.  Requires ted_costs_fit() and limit >= 0.
 */
extern size_t ted_bounded_distance_memory(const TedTree *a, const TedTree *b, const TedCosts *costs,
										  int32_t limit);
extern TedStatus ted_bounded_distance(const TedTree *a, const TedTree *b, const TedCosts *costs,
									  int32_t limit, TedArena *arena, const TedInterrupt *interrupt,
									  int32_t *distance);

/*
 * Distances between one tree and many, each if it is at most its limit, else
 * TED_BEYOND; TED_NO_LIMIT is none.  Several times faster than pair by pair
 * where the trees are small.  The memory of up to 2^24 pairs of nodes, or of
 * one pair of trees.  Requires ted_costs_fit() for each pair.
 */
#define TED_NO_LIMIT INT32_MAX

extern size_t ted_distances_memory(const TedTree *a, const TedTree *const *b, const int32_t *limits,
								   int32_t count, const TedCosts *costs);
extern TedStatus ted_distances(const TedTree *a, const TedTree *const *b, const int32_t *limits,
							   int32_t count, const TedCosts *costs, TedArena *arena,
							   const TedInterrupt *interrupt, int32_t *distances);

/*
 * An optimal edit mapping.  map_a[x] is the node of b that x is mapped to, or
 * -1 where x is deleted; map_b likewise, -1 where the node is inserted.
 *
 * Tie rule, on the forests that remain when both postorders are walked from
 * their ends.  Where both are single trees: map the roots to each other if that
 * is optimal, else delete the root of a if that is, else insert the root of b.
 * Otherwise: match the last tree of one with the last tree of the other if that
 * is optimal, else delete the root of the last tree of a if that is, else
 * insert the root of the last tree of b.
 */
extern size_t ted_mapping_memory(const TedTree *a, const TedTree *b, const TedCosts *costs);
extern TedStatus ted_mapping(const TedTree *a, const TedTree *b, const TedCosts *costs,
							 TedArena *arena, const TedInterrupt *interrupt, int32_t *map_a,
							 int32_t *map_b);

/*
 * The same mapping if the distance is at most `limit`, else none, and the
 * distance is TED_BEYOND.  Up to ted_mapping_limit(), by a strip as of
 * ted_bounded_distance(), O(|a| k) memory for a band of k; else ted_mapping().
 * The former is where k is at most the square root of the smaller size, so that
 * the strip takes less time; and nowhere where renaming costs more than
 * deleting and inserting.
 */
extern int32_t ted_mapping_limit(const TedTree *a, const TedTree *b, const TedCosts *costs);
extern size_t ted_bounded_mapping_memory(const TedTree *a, const TedTree *b, const TedCosts *costs,
										 int32_t limit);
extern TedStatus ted_bounded_mapping(const TedTree *a, const TedTree *b, const TedCosts *costs,
									 int32_t limit, TedArena *arena, const TedInterrupt *interrupt,
									 int32_t *map_a, int32_t *map_b, int32_t *distance);

/*
 * Distances between all pairs of subtrees as a GPU hands them over: a row for
 * each node of the first tree, a column for each of the second one, of the mirror
 * images where ted_prefers_right(); each less the cost of inserting the second
 * subtree.  They are 16-bit numbers where the first function says so, else 32-bit ones.
 */
static inline bool
ted_subtrees_int16(const TedTree *a, const TedTree *b, const TedCosts *costs)
{
	TedUniformCosts most = ted_most_costs(costs);

	return ((int64_t) a->size + b->size) * ted_max(most.insert, most.delete_) <= INT16_MAX &&
		   most.rename <= INT16_MAX;
}

static inline size_t
ted_subtrees_bytes(const TedTree *a, const TedTree *b, const TedCosts *costs)
{
	return (ted_subtrees_int16(a, b, costs) ? sizeof(int16_t) : sizeof(int32_t)) *
		   (size_t) a->size * (size_t) b->size;
}

/* The mapping of ted_mapping() where these are known; they are lost. */
extern size_t ted_known_mapping_memory(const TedTree *a, const TedTree *b, const TedCosts *costs);
extern TedStatus ted_known_mapping(const TedTree *a, const TedTree *b, const TedCosts *costs,
								   void *subtrees, TedArena *arena, const TedInterrupt *interrupt,
								   int32_t *map_a, int32_t *map_b);

#endif /* TED_TED_H */
