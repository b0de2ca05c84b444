/*
 * ted.h
 *	  Tree edit distance on plain arrays.
 *
 * Nodes are numbered from 0 in postorder.  The subtree of x consists of the nodes from x -
 * subtree_size[x] + 1, the leftmost leaf of x, to x.
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
	int32_t leaves;              /* number of leaves, which is also the number of key roots */
	int32_t height;              /* the greatest depth */
	int64_t left_nodes;          /* sum of the sizes of the subtrees of key roots */
	int64_t right_nodes;         /* the same of the mirrored tree */
} TedTree;

/* The costs of the three edit operations, each at least 0. */
typedef struct TedUniformCosts
{
	int32_t insert;
	int32_t delete_; /* `delete` is a keyword where CUDA code includes this header */
	int32_t rename;  /* to another label */
} TedUniformCosts;

/* A cache of rename costs, see label_costs.h. */
typedef struct TedRenameCache TedRenameCache;

/* The traits of a label from which its rename costs are computed, see label_traits.h. */
typedef struct TedLabelTraits TedLabelTraits;

/*
 * Costs by label.  The function `rename`, which may be slow, returns the cost of mapping a node
 * with label `from` to one with another label `to`; the cache keeps its results.  The bounds on the
 * costs of all labels need not be tight: filters and limits rely on the lower ones, the widths of
 * numbers on the upper ones.
 */
typedef struct TedLabelCosts
{
	const int32_t *insert; /* cost by label */
	const int32_t *delete_;
	int32_t (*rename)(void *context, int32_t from, int32_t to);
	void *context;
	TedRenameCache *cache; /* or NULL where `rename` is fast */

	/* Returns the traits from which the rename costs of a label follow; NULL if there are none. */
	void (*traits)(void *context, int32_t label, TedLabelTraits *traits);

	TedUniformCosts least;
	TedUniformCosts most;
} TedLabelCosts;

/*
 * Costs of a computation: the same for all nodes, or by label.  Only the functions below read this
 * struct.  They return the cost of a node by its label, bounds on all costs, or the costs that all
 * nodes have where there are none by label.
 */
typedef struct TedCosts
{
	int32_t insert;
	int32_t delete_;
	int32_t rename;
	const TedLabelCosts *labels; /* costs by label that replace the three above, or NULL */
} TedCosts;

#define TED_UNIT_COSTS ((TedCosts){1, 1, 1, NULL})

/* Whether costs differ by label. */
static inline bool
ted_costs_by_label(const TedCosts *costs)
{
	return costs->labels != NULL;
}

/* Label of a root that is put above several trees; no other node has it, and it costs the most. */
#define TED_ROOT_LABEL INT32_MAX

/* Returns the cost of renaming, from the cache or by the rename function. */
extern int32_t ted_label_rename_cost(const TedLabelCosts *labels, int32_t from, int32_t to);

/* Returns the cost of inserting a node with this label. */
static inline int32_t
ted_insert_cost(const TedCosts *costs, int32_t label)
{
	if (costs->labels == NULL)
		return costs->insert;
	return label == TED_ROOT_LABEL ? costs->labels->most.insert : costs->labels->insert[label];
}

/* Returns the cost of deleting a node with this label. */
static inline int32_t
ted_delete_cost(const TedCosts *costs, int32_t label)
{
	if (costs->labels == NULL)
		return costs->delete_;
	return label == TED_ROOT_LABEL ? costs->labels->most.delete_ : costs->labels->delete_[label];
}

/* Returns the cost of mapping a node with label `from` to one with label `to`. */
static inline int32_t
ted_rename_cost(const TedCosts *costs, int32_t from, int32_t to)
{
	if (from == to)
		return 0;
	return costs->labels == NULL ? costs->rename : ted_label_rename_cost(costs->labels, from, to);
}

/* Whether mapping two nodes costs no more than deleting one and inserting the other. */
static inline bool
ted_renaming_pays(const TedCosts *costs, int32_t from, int32_t to)
{
	return ted_rename_cost(costs, from, to) <=
		   ted_delete_cost(costs, from) + ted_insert_cost(costs, to);
}

/* Returns the costs that all nodes have; there must be no costs by label. */
static inline TedUniformCosts
ted_uniform_costs(const TedCosts *costs)
{
	TedUniformCosts uniform = {costs->insert, costs->delete_, costs->rename};

	return uniform;
}

/* Returns lower bounds on the costs of all nodes. */
static inline TedUniformCosts
ted_least_costs(const TedCosts *costs)
{
	return costs->labels == NULL ? ted_uniform_costs(costs) : costs->labels->least;
}

/* Returns upper bounds on the costs of all nodes. */
static inline TedUniformCosts
ted_most_costs(const TedCosts *costs)
{
	return costs->labels == NULL ? ted_uniform_costs(costs) : costs->labels->most;
}

/* Returns the lowest cost of an insertion or a deletion. */
static inline int32_t
ted_least_indel_cost(const TedCosts *costs)
{
	TedUniformCosts least = ted_least_costs(costs);

	return ted_min(least.insert, least.delete_);
}

/*
 * Completes a tree whose size, label and subtree_size are set: fills depth and key_root, arrays of
 * `size` entries that the caller provides, and sets the remaining members.
 */
extern TedStatus ted_tree_index(TedTree *tree, int32_t *depth, int32_t *key_root,
								const TedInterrupt *interrupt);

/* Returns the first node of the subtree of x, its leftmost leaf. */
static inline int32_t
ted_first(const TedTree *tree, int32_t x)
{
	return x - tree->subtree_size[x] + 1;
}

/* Finds the parents of all nodes; that of the root is -1. */
extern TedStatus ted_tree_parents(const TedTree *tree, int32_t *parent,
								  const TedInterrupt *interrupt);

/* Fills key_root of a tree, or of several in a row, whose size and subtree_size are set. */
extern TedStatus ted_tree_key_roots(const TedTree *tree, int32_t *key_root,
									const TedInterrupt *interrupt);

/* Result of bounded functions where the distance exceeds the limit; no distance has this value. */
#define TED_BEYOND INT32_MAX

/* The largest distance, and the largest cost, that the algorithms accept. */
#define TED_MAX_DISTANCE (INT32_MAX / 4)

/* Whether deleting one tree and inserting the other costs no more than TED_MAX_DISTANCE. */
extern bool ted_costs_fit(const TedCosts *costs, const TedTree *a, const TedTree *b);

/* Vectors with `lanes` numbers of `bytes` bytes each. */
typedef struct TedVectors
{
	int32_t lanes; /* 0 to compute cell by cell */
	int32_t bytes;
} TedVectors;

/* How the distances between all pairs of subtrees are computed, see exact/zhang_shasha.h. */
typedef struct TedTablesPlan
{
	TedVectors vectors;
	double seconds;    /* estimated, of the tables of key roots */
	double path_limit; /* a path strategy is searched for, and run if it takes fewer seconds than
						* this; 0 where the search does not pay */
	size_t bytes;
} TedTablesPlan;

/* Sums over the heavy paths of a tree. */
typedef struct TedHeavySums
{
	int64_t nodes;   /* total size of the subtrees in whose roots paths begin, without these
					  * roots */
	int32_t largest; /* size of the largest of these subtrees other than the whole tree, or 0 */
} TedHeavySums;

/* The ways to the distance of a pair. */
typedef enum TedWay
{
	TED_BY_SIZES,       /* the sizes alone exclude a distance within the limit */
	TED_BY_TABLES,      /* the exact algorithm */
	TED_BY_STRIP,       /* a strip along leftmost or rightmost paths */
	TED_BY_HEAVY_STRIP, /* a strip along heavy paths */
	TED_BY_SUBTREES     /* for mappings: the distances between all pairs of subtrees are known */
} TedWay;

/* How the distance of a pair is computed, in which time and memory. */
typedef struct TedPairPlan
{
	const TedTree *a;
	const TedTree *b;
	TedCosts costs;
	int32_t limit; /* or TED_NO_LIMIT */
	TedWay way;
	TedTablesPlan tables; /* unless the sizes decide */
	TedHeavySums heavy;   /* of a, for a strip along heavy paths */
	double seconds;       /* estimated; trees are taken to be set up for several pairs */
	size_t bytes;
} TedPairPlan;

/*
 * Plans the distance of a pair, if it is at most `limit`: by Zhang and Shasha (SICOMP 1989), with
 * the left or the right decomposition, whichever has fewer cells, or the optimal path strategy
 * (APTED, TODS 2015) where that is estimated to be faster, in O(|a| |b|) memory; or by a strip of k
 * = limit / min(insert, delete) around equal postorder numbers (Touzet, 2005), or along heavy paths
 * where the shapes are bad for the former (Akmal and Jin, 2021), in O(|a| k) memory.  Requires
 * ted_costs_fit() and limit >= 0.
 */
#define TED_NO_LIMIT INT32_MAX

extern TedPairPlan ted_plan_pair(const TedTree *a, const TedTree *b, const TedCosts *costs,
								 int32_t limit);

/* Computes the distance of a planned pair, TED_BEYOND above its limit. */
extern TedStatus ted_pair_distance(const TedPairPlan *plan, TedArena *arena,
								   const TedInterrupt *interrupt, int32_t *distance);

/*
 * Computes an optimal edit mapping if the distance is at most `limit`; else the distance is
 * TED_BEYOND and the maps have no meaning.  map_a[x] is the node of b that x is mapped to, or -1
 * where x is deleted; map_b is the inverse, with -1 where a node is inserted.
 *
 * Tie rule, on the forests that remain when both postorders are walked from
 * their ends.  Where both are single trees: map the roots to each other if that
 * is optimal, else delete the root of a if that is, else insert the root of b.
 * Otherwise: match the last tree of one with the last tree of the other if that
 * is optimal, else delete the root of the last tree of a if that is, else
 * insert the root of the last tree of b.
 *
 * If the limit is at most ted_mapping_limit(), it uses a strip, with O(|a| k) memory for a strip of
 * k.  ted_mapping_limit() returns the limit at which k is the square
 * root of the smaller size, so that the strip takes less time; or -1 where renaming can cost more
 * than deleting and inserting.
 */
extern int32_t ted_mapping_limit(const TedTree *a, const TedTree *b, const TedCosts *costs);
extern TedPairPlan ted_plan_mapping(const TedTree *a, const TedTree *b, const TedCosts *costs,
									int32_t limit);
extern TedStatus ted_pair_mapping(const TedPairPlan *plan, void *subtrees, TedArena *arena,
								  const TedInterrupt *interrupt, int32_t *map_a, int32_t *map_b,
								  int32_t *distance);

/*
 * Format of the distances between all pairs of subtrees that a GPU returns: a row for each node of
 * the first tree, a column for each node of the second one, both mirrored where
 * ted_prefers_right().  Each distance is less the cost of inserting the second subtree.  The
 * numbers have 16 bits where this function returns true, else 32 bits.
 */
static inline bool
ted_subtrees_int16(const TedTree *a, const TedTree *b, const TedCosts *costs)
{
	TedUniformCosts most = ted_most_costs(costs);

	return ((int64_t) a->size + b->size) * ted_max(most.insert, most.delete_) <= INT16_MAX &&
		   most.rename <= INT16_MAX;
}

/* Returns the bytes of these distances. */
static inline size_t
ted_subtrees_bytes(const TedTree *a, const TedTree *b, const TedCosts *costs)
{
	return (ted_subtrees_int16(a, b, costs) ? sizeof(int16_t) : sizeof(int32_t)) *
		   (size_t) a->size * (size_t) b->size;
}

/* Plans the same mapping from these distances, the `subtrees` that ted_pair_mapping() overwrites.
 */
extern TedPairPlan ted_plan_subtrees_mapping(const TedTree *a, const TedTree *b,
											 const TedCosts *costs);

#endif /* TED_TED_H */
