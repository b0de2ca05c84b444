/*
 * join.c
 *	  Threshold similarity join of trees: filter, candidates, verification.
 *
 * Trees are taken in the order of their sizes, each compared with the smaller
 * ones before it.  Lower bounds of the distance, by sizes, labels and traversals
 * in turn, decide which pairs are candidates; an engine computes the distance
 * of those, batch by batch.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "../compat.h"
#include "../core/bounds.h"
#include "../engine/session.h"
#include "../tree/host.h"
#include "join.h"

#define PAIRS_PER_BATCH 16384

/* A document with what the filters need. */
typedef struct Item
{
	const JoinDocument *document;
	int32 number; /* of its tree in the session */
	TedBoundsIndex index;
} Item;

/* The state of one join. */
typedef struct Join
{
	EngineSession *session;
	TedArena arena; /* for the filters */
	int32 max_distance;
	int64 max_matches;
	Item *items; /* by size */
	TedPair *pairs;
	int32 *distances;
	int32 pair_count;
	const JoinDocument *documents; /* by number of the tree */
	JoinResult result;
	int64 capacity;
} Join;

#define ST_SORT SortItems
#define ST_ELEMENT_TYPE Item
#define ST_COMPARE(a, b) (a->index.size - b->index.size)
#define ST_SCOPE static
#define ST_CHECK_FOR_INTERRUPTS
#define ST_DECLARE
#define ST_DEFINE
#include "lib/sort_template.h"

/* Orders matches by their ids. */
static int
CompareMatches(const JoinMatch *a, const JoinMatch *b)
{
	if (a->left_id != b->left_id)
		return a->left_id < b->left_id ? -1 : 1;
	return (a->right_id > b->right_id) - (a->right_id < b->right_id);
}

#define ST_SORT SortMatches
#define ST_ELEMENT_TYPE JoinMatch
#define ST_COMPARE(a, b) CompareMatches(a, b)
#define ST_SCOPE static
#define ST_CHECK_FOR_INTERRUPTS
#define ST_DECLARE
#define ST_DEFINE
#include "lib/sort_template.h"

/* Unfolds and indexes all trees and puts them in the order of their sizes. */
static void
PrepareItems(Join *join, int32 count)
{
	join->items = palloc_extended(sizeof(Item) * (Size) count, MCXT_ALLOC_HUGE);
	for (int32 i = 0; i < count; i++)
	{
		const TedTree *view = SessionAddTree(join->session, join->documents[i].doc);
		Item *item = &join->items[i];
		TedArena arena;

		*item = (Item){.document = &join->documents[i], .number = i};
		ArenaInit(&arena, ted_bounds_index_memory(view->size));
		CheckStatus(ted_bounds_index(view, &arena, &item->index));
	}
	SortItems(join->items, (size_t) count);
	if (count > 0)
	{
		int32 largest = join->items[count - 1].index.size;

		ArenaInit(&join->arena, ted_traversal_bound_memory(largest, largest, &TED_UNIT_COSTS,
														   join->max_distance));
	}
}

/* Whether the lower bounds allow a distance within the threshold. */
static bool
IsCandidate(Join *join, const Item *a, const Item *b)
{
	int32 bound = ted_label_bound(&a->index, &b->index, &TED_UNIT_COSTS, join->max_distance);

	if (bound != TED_BEYOND)
		CheckStatus(ted_traversal_bound(&a->index, &b->index, &TED_UNIT_COSTS, join->max_distance,
										&join->arena, &PgInterrupt, &bound));
	return bound != TED_BEYOND;
}

/* Keeps a pair that is within the threshold. */
static void
AddMatch(Join *join, const TedPair *pair, int32 distance)
{
	const JoinDocument *left = &join->documents[pair->a];
	const JoinDocument *right = &join->documents[pair->b];

	if (left->side == 'r' || (left->side == 0 && left->id > right->id))
	{
		const JoinDocument *swap = left;

		left = right;
		right = swap;
	}
	if (join->result.count == join->max_matches)
		ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
						errmsg("similarity join has too many results"),
						errdetail("There are more than %lld pairs.", (long long) join->max_matches),
						errhint("Decrease the maximum distance, or join in blocks.")));
	if (join->result.count == join->capacity)
	{
		join->capacity *= 2;
		CheckMemoryLimit(sizeof(JoinMatch) * (Size) join->capacity, "result of a similarity join");
		join->result.matches =
			repalloc_huge(join->result.matches, sizeof(JoinMatch) * (Size) join->capacity);
	}
	join->result.matches[join->result.count++] =
		(JoinMatch){.left_id = left->id, .right_id = right->id, .distance = distance};
}

/* Computes the pairs that are waiting and keeps those within the threshold. */
static void
VerifyBatch(Join *join)
{
	SessionCompute(join->session, join->pairs, join->pair_count, join->distances);
	for (int32 i = 0; i < join->pair_count; i++)
		if (join->distances[i] != TED_BEYOND)
			AddMatch(join, &join->pairs[i], join->distances[i]);
	join->pair_count = 0;
}

/* Passes all candidates to the engine. */
static void
FindMatches(Join *join, int32 count)
{
	int32 window = 0; /* the first item that is not too small */

	for (int32 i = 0; i < count; i++)
	{
		const Item *item = &join->items[i];

		while (item->index.size - join->items[window].index.size > join->max_distance)
			window++;
		for (int32 j = window; j < i; j++)
		{
			const Item *other = &join->items[j];

			CHECK_FOR_INTERRUPTS();
			if (item->document->side != 0 && item->document->side == other->document->side)
				continue;
			if (!IsCandidate(join, item, other))
				continue;
			join->pairs[join->pair_count++] =
				(TedPair){.a = item->number, .b = other->number, .limit = join->max_distance};
			if (join->pair_count == PAIRS_PER_BATCH)
				VerifyBatch(join);
		}
	}
	VerifyBatch(join);
}

/* Finds all pairs of documents at most max_distance apart. */
JoinResult
SimilarityJoin(const JoinDocument *documents, int32 count, int32 max_distance, int64 max_matches)
{
	Join join = {.max_distance = max_distance,
				 .max_matches = max_matches,
				 .documents = documents,
				 .capacity = 1024};

	join.session = SessionOpen(&TED_UNIT_COSTS);
	join.pairs = palloc_array(TedPair, PAIRS_PER_BATCH);
	join.distances = palloc_array(int32, PAIRS_PER_BATCH);
	join.result.matches = palloc_array(JoinMatch, join.capacity);
	PrepareItems(&join, count);
	FindMatches(&join, count);
	SessionClose(join.session);
	SortMatches(join.result.matches, (size_t) join.result.count);
	return join.result;
}
