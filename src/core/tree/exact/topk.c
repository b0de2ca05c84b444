/*
 * topk.c
 *	  The subtrees of a document nearest to a query, from one pass over the document.
 *
 * TASM-postorder (Augsten, Barbosa, Boehlen, Palpanas: ICDE 2010, section 6; TODS 36(2), 2011), for
 * unit costs.  The subtrees of the first k nodes in postorder have at most k nodes; their roots can
 * be mapped to the root of the query, so their distance is at most |query| + k - 1.  The distance
 * of a subtree of n nodes is at least n - |query|.  So the nearest k subtrees have at most 2
 * |query| + k - 1 nodes each, and at most |query| + d nodes as soon as k subtrees within a distance
 * d are known.  Where some of the first k subtrees may not be wanted, d is the greatest distance
 * that a wanted subtree may have.
 *
 * Nodes stay pending until it is certain that all ancestors still to come are larger than that.
 * The largest subtrees among the pending nodes are candidates: one run of the exact distance
 * computes the distances to all of their subtrees.  Candidates without enough of the query's labels
 * are left out; the others are gathered under one root, as vectors gain little on small trees.
 */
#include "topk.h"

#include <string.h>

#include "../../common/processor_tuning.h"
#include "../mirror.h"
#include "zhang_shasha.h"

/* Interrupt steps for adding a hit to a large heap, or removing it. */
#define STEPS_PER_HIT 32

/* Returns the size of the largest subtree that can be among the nearest, before any hit. */
static int32_t
largest_subtree(const TedTree *query, int32_t k, const TedTopkLimit *limit)
{
	int32_t first = query->size + k - 1; /* the greatest distance of the first k subtrees */
	bool first_wanted = limit->allowed == NULL || limit->allowed(limit->arg, 1) >= first;

	return query->size + (first_wanted ? first : limit->most);
}

/*
 * Returns the room for pending nodes: twice the largest subtree, so that about half of them can be
 * settled when it is full.
 */
static int32_t
pending_capacity(const TedTree *query, int32_t k, const TedTopkLimit *limit)
{
	return 2 * largest_subtree(query, k, limit);
}

/* Allocates arrays for nodes. */
static TedTopkNodes
take_topk_nodes(TedArena *arena, int32_t capacity)
{
	return (TedTopkNodes){.node = ted_arena_int32(arena, (size_t) capacity),
						  .label = ted_arena_int32(arena, (size_t) capacity),
						  .subtree_size = ted_arena_int32(arena, (size_t) capacity)};
}

/* Allocates the arrays of a search. */
static void
take_topk_arrays(TedArena *arena, const TedTree *query, int32_t k, const TedTopkLimit *limit,
				 TedTopk *topk)
{
	int32_t capacity;

	topk->capacity = pending_capacity(query, k, limit);
	/* candidates are a batch less one node, all pending nodes, and the root */
	capacity = TED_TOPK_NODES + topk->capacity;
	topk->labels = 0;
	for (int32_t x = 0; x < query->size; x++)
		topk->labels = ted_max(topk->labels, query->label[x] + 1);
	topk->hits = ted_arena_alloc(arena, sizeof(TedHit) * (size_t) k);
	topk->query_labels = ted_arena_int32(arena, (size_t) topk->labels);
	topk->shared_labels = ted_arena_int32(arena, (size_t) topk->labels);
	topk->pending = take_topk_nodes(arena, topk->capacity);
	topk->forest = take_topk_nodes(arena, capacity);
	topk->depth = ted_arena_int32(arena, (size_t) capacity);
	topk->key_root = ted_arena_int32(arena, (size_t) capacity);
}

/* Bytes that ted_topk_init() takes. */
size_t
ted_topk_memory(const TedTree *query, int32_t k, const TedTopkLimit *limit)
{
	TedArena counted = {0};
	TedTopk topk;

	take_topk_arrays(&counted, query, k, limit, &topk);
	return counted.used;
}

/* Starts a search. */
TedStatus
ted_topk_init(TedTopk *topk, const TedTree *query, int32_t k, const TedTopkLimit *limit,
			  TedArena *arena, const TedInterrupt *interrupt)
{
	size_t bytes;

	*topk = (TedTopk){.query = query,
					  .k = k,
					  .limit = *limit,
					  .interrupt = interrupt,
					  .largest = largest_subtree(query, k, limit)};
	take_topk_arrays(arena, query, k, limit, topk);
	if (ted_arena_exceeded(arena))
		return TED_OUT_OF_ARENA;
	bytes = sizeof(int32_t) * (size_t) topk->labels;
	memset(topk->query_labels, 0, bytes);
	memset(topk->shared_labels, 0, bytes);
	for (int32_t x = 0; x < query->size; x++)
		topk->query_labels[query->label[x]]++;
	return TED_OK;
}

/* Whether subtree a comes after subtree b in the order of hits. */
static bool
farther(TedHit a, TedHit b)
{
	return a.distance != b.distance ? a.distance > b.distance : a.node > b.node;
}

/* Whether a subtree with at least this distance is not wanted, or not among the nearest. */
static bool
beyond(const TedTopk *topk, int32_t distance, int32_t node)
{
	if (topk->limit.allowed != NULL && distance > topk->limit.most)
		return true;
	return topk->count == topk->k &&
		   farther((TedHit){.distance = distance, .node = node}, topk->hits[0]);
}

/* Moves the first hit down to its place in a heap of `count` hits. */
static void
sift_hit_down(TedHit *hits, int32_t count)
{
	TedHit hit = hits[0];
	int32_t i = 0;

	while (i < count / 2)
	{
		int32_t child = 2 * i + 1;

		if (child + 1 < count && farther(hits[child + 1], hits[child]))
			child++;
		if (!farther(hits[child], hit))
			break;
		hits[i] = hits[child];
		i = child;
	}
	hits[i] = hit;
}

/* Adds a subtree to the hits if it is wanted and among the nearest so far. */
static void
offer(TedTopk *topk, TedHit hit)
{
	int32_t i = topk->count;

	if (beyond(topk, hit.distance, hit.node) ||
		(topk->limit.allowed != NULL &&
		 hit.distance > topk->limit.allowed(topk->limit.arg, hit.size)))
		return;
	if (topk->count == topk->k)
	{
		topk->hits[0] = hit;
		sift_hit_down(topk->hits, topk->k);
		return;
	}
	topk->count++;
	for (; i > 0 && farther(hit, topk->hits[(i - 1) / 2]); i = (i - 1) / 2)
		topk->hits[i] = topk->hits[(i - 1) / 2];
	topk->hits[i] = hit;
}

/*
 * Returns a lower bound on the distances of all subtrees of a pending node: the nodes of the query
 * whose labels they lack.
 */
static int32_t
count_missing_labels(TedTopk *topk, int32_t root)
{
	const int32_t *label = topk->pending.label;
	int32_t first = root - topk->pending.subtree_size[root] + 1;
	int32_t missing = topk->query->size;

	for (int32_t x = first; x <= root; x++)
		if (label[x] < topk->labels)
			missing -= ++topk->shared_labels[label[x]] <= topk->query_labels[label[x]];
	for (int32_t x = first; x <= root; x++)
		if (label[x] < topk->labels)
			topk->shared_labels[label[x]] = 0;
	return missing;
}

/* Appends nodes to an array of nodes. */
static void
append_nodes(TedTopkNodes *to, const TedTopkNodes *from, int32_t first, int32_t count)
{
	size_t bytes = sizeof(int32_t) * (size_t) count;

	memmove(to->node + to->count, from->node + first, bytes);
	memmove(to->label + to->count, from->label + first, bytes);
	memmove(to->subtree_size + to->count, from->subtree_size + first, bytes);
	to->count += count;
}

/*
 * Moves the candidates among the first `count` pending nodes, which form whole subtrees, to the
 * forest, and removes these pending nodes.
 */
static void
gather_candidates(TedTopk *topk, int32_t count)
{
	TedTopkNodes *pending = &topk->pending;
	int32_t rest = pending->count - count;

	for (int32_t x = count - 1; x >= 0;)
	{
		int32_t size = pending->subtree_size[x];

		if (ted_interrupted(topk->interrupt, &topk->steps, size))
		{
			topk->stopped = true;
			return;
		}
		if (beyond(topk, size - topk->query->size, pending->node[x]))
			x--; /* the subtree is too large, but those of its children may not be */
		else
		{
			if (!beyond(topk, count_missing_labels(topk, x), pending->node[x]))
				append_nodes(&topk->forest, pending, x - size + 1, size);
			x -= size;
		}
	}
	pending->count = 0;
	append_nodes(pending, pending, count, rest);
}

/* Returns the number of pending nodes whose ancestors still to come are all too large. */
static int32_t
settled(const TedTopk *topk)
{
	const TedTopkNodes *pending = &topk->pending;
	int32_t count = pending->count;

	/* an ancestor of the last tree contains that tree, all nodes after it, and itself */
	while (count > 0 && pending->count - (count - pending->subtree_size[count - 1]) < topk->largest)
		count -= pending->subtree_size[count - 1];
	return count;
}

/* Adds the next node in postorder; returns true if ted_topk_rank() must be called. */
bool
ted_topk_push(TedTopk *topk, int32_t node, int32_t label, int32_t subtree_size)
{
	TedTopkNodes *pending = &topk->pending;

	if (subtree_size > topk->largest)
		gather_candidates(topk, pending->count);
	else
	{
		pending->node[pending->count] = node;
		pending->label[pending->count] = label;
		pending->subtree_size[pending->count++] = subtree_size;
		if (pending->count == topk->capacity)
			gather_candidates(topk, settled(topk));
	}
	return topk->forest.count >= TED_TOPK_NODES;
}

/* Marks the end of the nodes. */
void
ted_topk_end(TedTopk *topk)
{
	gather_candidates(topk, topk->pending.count);
}

/* Puts the forest below one root, and returns the bytes that ted_topk_rank() takes. */
size_t
ted_topk_rank_memory(TedTopk *topk)
{
	TedTopkNodes *forest = &topk->forest;

	topk->tree = (TedTree){
		.size = forest->count + 1, .label = forest->label, .subtree_size = forest->subtree_size};
	forest->label[forest->count] = INT32_MAX;
	forest->subtree_size[forest->count] = topk->tree.size;
	if (ted_tree_index(&topk->tree, topk->depth, topk->key_root, topk->interrupt) != TED_OK)
		topk->stopped = true;
	topk->plan = ted_plan_tables(topk->query, &topk->tree, &TED_UNIT_COSTS);
	return topk->plan.bytes;
}

/* Computes the distances of all subtrees of the forest, and empties it. */
TedStatus
ted_topk_rank(TedTopk *topk, TedArena *arena)
{
	TedTopkNodes *forest = &topk->forest;
	size_t used = arena->used;
	TedPairView view;
	TedTables tables;
	TedStatus status;

	if (topk->stopped)
		return TED_CANCELLED;
	status = ted_orient(topk->query, &topk->tree, arena, topk->interrupt, &view);
	if (status == TED_OK)
		status = ted_tables_fill(&view.a, &view.b, &TED_UNIT_COSTS, &topk->plan, arena,
								 topk->interrupt, &tables);
	for (int32_t y = 0; status == TED_OK && y < forest->count; y++)
	{
		int32_t number = view.number_b == NULL ? y : view.number_b[y];
		int32_t distance = ted_subtree_distance(&tables, view.a.size - 1, number);

		offer(topk, (TedHit){distance, forest->node[y], forest->subtree_size[y]});
		if (ted_interrupted(topk->interrupt, &topk->steps, STEPS_PER_HIT))
			status = TED_CANCELLED;
	}
	forest->count = 0;
	if (topk->count == topk->k)
		topk->largest = ted_min(topk->largest, topk->query->size + topk->hits[0].distance);
	arena->used = used;
	return status;
}

/* Sorts the hits, the nearest first. */
TedStatus
ted_topk_sort(TedTopk *topk)
{
	for (int32_t last = topk->count - 1; last > 0; last--)
	{
		TedHit farthest = topk->hits[0];

		topk->hits[0] = topk->hits[last];
		sift_hit_down(topk->hits, last);
		topk->hits[last] = farthest;
		if (ted_interrupted(topk->interrupt, &topk->steps, STEPS_PER_HIT))
			return TED_CANCELLED;
	}
	return TED_OK;
}
