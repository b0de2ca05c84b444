/*
 * jedi.h
 *	  Edit distance of two JSON documents in which the members of objects have no order.
 *
 * JEDI (Huetter, Augsten, Kirsch, Carey and Li, SIGMOD 2022).  A node maps to one of its own kind
 * only; disjoint subtrees map to disjoint subtrees; and where arrays map to each other, so do their
 * elements in order.  All operations cost 1, or there are costs by label.
 *
 * A document is a tree whose labels determine the kinds of its nodes.  The children of all nodes
 * other than arrays are unordered, so that the distance is defined for any tree.  An array whose
 * elements have no order is a bag.
 */
#ifndef TED_JEDI_H
#define TED_JEDI_H

#include "../ted.h"

/* Kinds of nodes. */
typedef enum TedJsonKind
{
	TED_JSON_LITERAL,
	TED_JSON_OBJECT,
	TED_JSON_ARRAY,
	TED_JSON_MEMBER,
	TED_JSON_BAG,
	TED_JSON_KINDS
} TedJsonKind;

/* A JSON document. */
typedef struct TedJson
{
	const TedTree *tree;
	const uint8_t *kind; /* by label: a TedJsonKind */
} TedJson;

/* A distinct subtree; subtrees that differ only in the order of unordered children are one. */
typedef struct TedJsonSubtree
{
	int32_t label;
	int32_t size;
	int32_t first; /* index of its first child in `children` */
	int32_t count; /* number of children */
	uint8_t kind;
	bool in_order; /* no unordered node has two children */
} TedJsonSubtree;

/* The distinct subtrees of one document in ascending order of size. */
typedef struct TedJsonSide
{
	int32_t size; /* nodes of the document */
	int32_t root;
	int32_t *subtrees;
	int32_t count;
	int32_t *place;      /* by subtree: its index in `subtrees`, or -1 */
	int32_t *subtree_of; /* by node of the document: its subtree */
	int32_t widest;      /* most children of a node */
} TedJsonSide;

/* Two documents prepared for comparison, with bounds on their distance. */
typedef struct TedJsonPair
{
	TedJsonSubtree *subtrees; /* distinct subtrees of both; children come before their parents */
	int32_t *children;        /* of arrays in order, others sorted by label and number */
	TedJsonSide a;
	TedJsonSide b;
	bool reorders;         /* each document has an array with at least two elements */
	const TedCosts *costs; /* NULL where each operation costs 1 */
	int32_t *whole;        /* with costs, by subtree: cost of deleting it and inserting it */
	int32_t total;         /* cost of deleting one document and inserting the other */
	int32_t lower;
	int32_t upper;
} TedJsonPair;

/*
 * Prepares two documents in O(|a| + |b|) memory, which must stay as long as the pair is used.
 * Requires ted_costs_fit() if there are costs.
 */
extern size_t ted_json_pair_memory(int32_t size_a, int32_t size_b, const TedCosts *costs);
extern TedStatus ted_json_pair(const TedJson *a, const TedJson *b, const TedCosts *costs,
							   TedArena *arena, const TedInterrupt *interrupt, TedJsonPair *pair);

/*
 * Computes the distance if it is at most `limit`, else TED_BEYOND.  O(|a| |b|) memory, less where
 * the limit or the upper bound excludes pairs of subtrees by their sizes.
 */
extern size_t ted_json_distance_memory(const TedJsonPair *pair, int32_t limit);
extern TedStatus ted_json_distance(const TedJsonPair *pair, int32_t limit, TedArena *arena,
								   const TedInterrupt *interrupt, int32_t *distance);

/* Computes the cost of a greedy mapping from the roots down: the upper bound of ted_json_pair(). */
extern size_t ted_json_greedy_memory(int32_t size_a, int32_t size_b);
extern TedStatus ted_json_greedy(const TedJsonPair *pair, TedArena *arena,
								 const TedInterrupt *interrupt, int32_t *upper);

/*
 * Computes a mapping of the nodes whose cost is the distance: map_a[x] is the node of b that x is
 * mapped to, or -1 where x is deleted; map_b is the inverse.  Of several mappings, it prefers
 * children with equal labels, then, for each child, its first possible partner.  O(|a| |b|) memory,
 * as for ted_json_distance().
 */
extern size_t ted_json_mapping_memory(const TedJsonPair *pair);
extern TedStatus ted_json_mapping(const TedJsonPair *pair, const TedTree *a, const TedTree *b,
								  TedArena *arena, const TedInterrupt *interrupt, int32_t *map_a,
								  int32_t *map_b);

/*
 * Computes a mapping from the roots down in O(|a| + |b|) memory; it is optimal if it costs the
 * lower bound.
 */
extern size_t ted_json_simple_mapping_memory(const TedJsonPair *pair);
extern TedStatus ted_json_simple_mapping(const TedJsonPair *pair, const TedTree *a,
										 const TedTree *b, TedArena *arena,
										 const TedInterrupt *interrupt, int32_t *map_a,
										 int32_t *map_b, bool *is_optimal);

/* Returns the children of a subtree. */
static inline const int32_t *
ted_json_children(const TedJsonPair *pair, int32_t subtree)
{
	return pair->children + pair->subtrees[subtree].first;
}

/* Returns the cost of mapping the roots of two subtrees to each other where operations cost 1. */
static inline int32_t
ted_json_rename(const TedJsonSubtree *a, const TedJsonSubtree *b)
{
	return a->kind != b->kind ? 2 : a->label != b->label;
}

/*
 * Returns the saving of mapping the roots of two subtrees to each other, compared with deleting one
 * and inserting the other, by the costs of the pair.
 */
static inline int32_t
ted_json_root_saving(const TedJsonPair *pair, const TedJsonSubtree *a, const TedJsonSubtree *b)
{
	int32_t saving;

	if (pair->costs == NULL)
		return 2 - ted_json_rename(a, b);
	if (a->kind != b->kind)
		return 0;
	saving = ted_delete_cost(pair->costs, a->label) + ted_insert_cost(pair->costs, b->label);
	return ted_max(saving - ted_rename_cost(pair->costs, a->label, b->label), 0);
}

/* Returns the cost of deleting and inserting a subtree, which mapping it to an equal one saves. */
static inline int32_t
ted_json_whole(const TedJsonPair *pair, int32_t subtree)
{
	return pair->costs == NULL ? 2 * pair->subtrees[subtree].size : pair->whole[subtree];
}

/* Returns the sort key of unordered children: label and number. */
static inline int64_t
ted_json_order(const TedJsonPair *pair, int32_t subtree)
{
	return (int64_t) pair->subtrees[subtree].label * (INT64_C(1) << 32) + subtree;
}

#endif /* TED_JEDI_H */
