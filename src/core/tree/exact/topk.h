/*
 * topk.h
 *	  The subtrees of a document nearest to a query, from one pass over the document.
 */
#ifndef TED_TOPK_H
#define TED_TOPK_H

#include "../ted.h"

/* A subtree of the document; the nearer one is the one of less distance, then of less number. */
typedef struct TedHit
{
	int32_t distance;
	int32_t node;
	int32_t size; /* nodes in the subtree */
} TedHit;

/* Which subtrees are wanted; where all members are 0, all are. */
typedef struct TedTopkLimit
{
	/* the greatest distance of a subtree of this number of nodes, not less for more nodes */
	int32_t (*allowed)(const void *arg, int32_t size);
	const void *arg;
	int32_t most; /* the greatest distance of all */
} TedTopkLimit;

/* Nodes of the document in postorder. */
typedef struct TedTopkNodes
{
	int32_t *node; /* number in the document */
	int32_t *label;
	int32_t *subtree_size;
	int32_t count;
} TedTopkNodes;

typedef struct TedTopk
{
	const TedTree *query;
	int32_t k;
	TedTopkLimit limit;
	const TedInterrupt *interrupt;
	int64_t steps;
	bool stopped;           /* by the callback; ted_topk_rank() returns TED_CANCELLED */
	TedHit *hits;           /* a heap with the farthest on top, until ted_topk_sort() */
	int32_t count;          /* of hits */
	int32_t largest;        /* most nodes of a subtree that can be among the nearest */
	int32_t capacity;       /* for pending nodes */
	TedTopkNodes pending;   /* the last nodes, whose subtrees may be part of larger ones yet */
	TedTopkNodes forest;    /* subtrees to rank */
	int32_t *depth;         /* of the nodes of the forest */
	int32_t *key_root;      /* the same */
	int32_t labels;         /* ids of the labels of the query are below it */
	int32_t *query_labels;  /* by label: nodes of the query */
	int32_t *shared_labels; /* by label: nodes of a subtree; 0 between uses */
} TedTopk;

/*
 * Starts a search for the k subtrees nearest to a query by unit costs, k >= 1, among
 * those wanted.  The ids of the query's labels are counted from 0.  O(|query| + k)
 * memory.
 */
extern size_t ted_topk_memory(const TedTree *query, int32_t k, const TedTopkLimit *limit);
extern TedStatus ted_topk_init(TedTopk *topk, const TedTree *query, int32_t k,
							   const TedTopkLimit *limit, TedArena *arena,
							   const TedInterrupt *interrupt);

/*
 * Takes the next node in postorder.  The numbers ascend in preorder; all labels
 * that the query lacks may have one id.  True asks for ted_topk_rank().
 */
extern bool ted_topk_push(TedTopk *topk, int32_t node, int32_t label, int32_t subtree_size);

/* Marks the end of the nodes; ted_topk_rank() must follow. */
extern void ted_topk_end(TedTopk *topk);

/* Ranks the subtrees gathered so far; O(|query| (|query| + k)) memory. */
extern size_t ted_topk_rank_memory(TedTopk *topk);
extern TedStatus ted_topk_rank(TedTopk *topk, TedArena *arena);

/* Brings the hits into order, the nearest first. */
extern TedStatus ted_topk_sort(TedTopk *topk);

#endif /* TED_TOPK_H */
