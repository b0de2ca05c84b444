/*
 * jedi.h
 *	  Edit distance of two JSON documents, in which the members of objects have no order.
 *
 * JEDI (Huetter, Augsten, Kirsch, Carey and Li, SIGMOD 2022).  A node maps to one
 * of its own kind only; disjoint subtrees map to disjoint subtrees; and where
 * arrays map to each other, so do their elements in order.  All operations cost 1,
 * or what costs by label say.
 *
 * A document is a tree whose labels say of which kind its nodes are.  All nodes but
 * arrays are taken for unordered, so that any tree has such a distance.  An array
 * whose elements have no order is a bag.
 */
#ifndef TED_JEDI_H
#define TED_JEDI_H

#include "../ted.h"

typedef enum TedJsonKind
{
	TED_JSON_LITERAL,
	TED_JSON_OBJECT,
	TED_JSON_ARRAY,
	TED_JSON_MEMBER,
	TED_JSON_BAG,
	TED_JSON_KINDS
} TedJsonKind;

typedef struct TedJson
{
	const TedTree *tree;
	const uint8_t *kind; /* by label: a TedJsonKind */
} TedJson;

/* A subtree; those that are equal but for the order of unordered children are one. */
typedef struct TedJsonSubtree
{
	int32_t label;
	int32_t size;
	int32_t first; /* child, among `children` */
	int32_t count; /* of children */
	uint8_t kind;
	bool in_order; /* no unordered node has two children */
} TedJsonSubtree;

/* The subtrees of one document by their sizes. */
typedef struct TedJsonSide
{
	int32_t size; /* of the document */
	int32_t root;
	int32_t *subtrees;
	int32_t count;
	int32_t *place;      /* by subtree: where it is among these, or -1 */
	int32_t *subtree_of; /* by node of the document */
	int32_t widest;      /* most children of a node */
} TedJsonSide;

/* Two documents prepared to be compared, with bounds on their distance. */
typedef struct TedJsonPair
{
	TedJsonSubtree *subtrees; /* of both; children come before their parents */
	int32_t *children;        /* of arrays in order, else by label and number */
	TedJsonSide a;
	TedJsonSide b;
	bool reorders;         /* has either document an array with two elements? */
	const TedCosts *costs; /* NULL where each operation costs 1 */
	int32_t *whole;        /* with costs, by subtree: of deleting it and inserting it */
	int32_t total;         /* cost of deleting one document and inserting the other */
	int32_t lower;
	int32_t upper;
} TedJsonPair;

/*
 * Prepares two documents; O(|a| + |b|) memory, which the pair needs as long as it is used.
 * Costs must fit (ted_costs_fit()).
 */
extern size_t ted_json_pair_memory(int32_t size_a, int32_t size_b, const TedCosts *costs);
extern TedStatus ted_json_pair(const TedJson *a, const TedJson *b, const TedCosts *costs,
							   TedArena *arena, const TedInterrupt *interrupt, TedJsonPair *pair);

/*
 * The distance if it is at most `limit`, else TED_BEYOND.  O(|a| |b|) memory, less
 * where the limit or the upper bound leaves pairs of subtrees out by their sizes.
 */
extern size_t ted_json_distance_memory(const TedJsonPair *pair, int32_t limit);
extern TedStatus ted_json_distance(const TedJsonPair *pair, int32_t limit, TedArena *arena,
								   const TedInterrupt *interrupt, int32_t *distance);

/* Cost of a mapping that is found from the roots down: the upper bound of ted_json_pair(). */
extern size_t ted_json_greedy_memory(int32_t size_a, int32_t size_b);
extern TedStatus ted_json_greedy(const TedJsonPair *pair, TedArena *arena,
								 const TedInterrupt *interrupt, int32_t *upper);

/*
 * A mapping of the nodes whose cost is the distance: map_a[x] is the node of b that x
 * is mapped to, or -1 where x is deleted; map_b likewise.  Of several, children with
 * equal labels are mapped to each other first, then each child to the first one that it
 * can have.  O(|a| |b|) memory, as ted_json_distance() takes it.
 */
extern size_t ted_json_mapping_memory(const TedJsonPair *pair);
extern TedStatus ted_json_mapping(const TedJsonPair *pair, const TedTree *a, const TedTree *b,
								  TedArena *arena, const TedInterrupt *interrupt, int32_t *map_a,
								  int32_t *map_b);

/* The same in O(|a| + |b|) memory where a mapping from the roots down costs the lower bound. */
extern size_t ted_json_simple_mapping_memory(const TedJsonPair *pair);
extern TedStatus ted_json_simple_mapping(const TedJsonPair *pair, const TedTree *a,
										 const TedTree *b, TedArena *arena,
										 const TedInterrupt *interrupt, int32_t *map_a,
										 int32_t *map_b, bool *is_optimal);

/* Children of a subtree. */
static inline const int32_t *
ted_json_children(const TedJsonPair *pair, int32_t subtree)
{
	return pair->children + pair->subtrees[subtree].first;
}

/* Cost of mapping the root of a subtree to that of another one, where operations cost 1. */
static inline int32_t
ted_json_rename(const TedJsonSubtree *a, const TedJsonSubtree *b)
{
	return a->kind != b->kind ? 2 : a->label != b->label;
}

/* The saving of mapping the root of a subtree to that of another one, by the costs of the pair. */
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

/* Cost of deleting a subtree and inserting it, which mapping it to an equal one saves. */
static inline int32_t
ted_json_whole(const TedJsonPair *pair, int32_t subtree)
{
	return pair->costs == NULL ? 2 * pair->subtrees[subtree].size : pair->whole[subtree];
}

/* Order of unordered children: by label and number. */
static inline int64_t
ted_json_order(const TedJsonPair *pair, int32_t subtree)
{
	return (int64_t) pair->subtrees[subtree].label * (INT64_C(1) << 32) + subtree;
}

#endif /* TED_JEDI_H */
