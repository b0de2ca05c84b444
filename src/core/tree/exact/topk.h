/*
 * topk.h
 *	  The subtrees of a document nearest to a query, from one pass over the document.
 */
#ifndef TED_TOPK_H
#define TED_TOPK_H

#include "../ted.h"

/* A subtree of the document.  Hits are ordered by distance, then by node. */
typedef struct TedHit
{
	int32_t distance;
	int32_t node;
	int32_t size; /* nodes in the subtree */
} TedHit;

/* Limits on the subtrees that are wanted; where all members are 0, all subtrees are. */
typedef struct TedTopkLimit
{
	/*
	 * Returns the greatest distance that a subtree of this number of nodes may have.  It must not
	 * decrease with the number of nodes.
	 */
	int32_t (*allowed)(const void *arg, int32_t size);
	const void *arg;
	int32_t most; /* the greatest distance that any subtree may have */
} TedTopkLimit;

/* Nodes of the document in postorder. */
typedef struct TedTopkNodes
{
	int32_t *node; /* number of the node in the document */
	int32_t *label;
	int32_t *subtree_size;
	int32_t count;
} TedTopkNodes;

/* State of a search. */
typedef struct TedTopk
{
	const TedTree *query;
	int32_t k;
	TedTopkLimit limit;
	const TedInterrupt *interrupt;
	int64_t steps;
	bool stopped;         /* the callback asked to stop; ted_topk_rank() returns TED_CANCELLED */
	TedHit *hits;         /* a heap with the farthest hit on top, until ted_topk_sort() */
	int32_t count;        /* number of hits */
	int32_t largest;      /* the size of the largest subtree that can be among the nearest */
	int32_t capacity;     /* room for pending nodes */
	TedTopkNodes pending; /* the last nodes, whose subtrees may yet become part of larger
						   * candidates */
	TedTopkNodes forest;  /* candidates, whose subtrees ted_topk_rank() ranks */
	TedTree tree;         /* the forest below one root, and the plan of its tables, from
						   * ted_topk_rank_memory() on */
	TedTablesPlan plan;
	int32_t *depth;         /* depths of the nodes of the forest */
	int32_t *key_root;      /* key roots of the nodes of the forest */
	int32_t labels;         /* all label ids of the query are below this number */
	int32_t *query_labels;  /* by label: number of nodes of the query */
	int32_t *shared_labels; /* by label: number of nodes of a subtree; 0 between uses */
} TedTopk;

/*
 * Starts a search for the k subtrees that are nearest to a query by unit costs, k >= 1, among those
 * wanted.  The label ids of the query start at 0.  O(|query| + k) memory.
 */
extern size_t ted_topk_memory(const TedTree *query, int32_t k, const TedTopkLimit *limit);
extern TedStatus ted_topk_init(TedTopk *topk, const TedTree *query, int32_t k,
							   const TedTopkLimit *limit, TedArena *arena,
							   const TedInterrupt *interrupt);

/*
 * Adds the next node of the document in postorder.  Node numbers must ascend in preorder; all
 * labels that the query lacks may have the same id.  Returns true if ted_topk_rank() must be
 * called.
 */
extern bool ted_topk_push(TedTopk *topk, int32_t node, int32_t label, int32_t subtree_size);

/* Marks the end of the nodes; ted_topk_rank() must follow. */
extern void ted_topk_end(TedTopk *topk);

/*
 * Ranks the subtrees gathered so far; O(|query| (|query| + k)) memory.  The first function, which
 * returns the bytes, comes before the second one.
 */
extern size_t ted_topk_rank_memory(TedTopk *topk);
extern TedStatus ted_topk_rank(TedTopk *topk, TedArena *arena);

/* Sorts the hits, the nearest first. */
extern TedStatus ted_topk_sort(TedTopk *topk);

#endif /* TED_TOPK_H */
