/*
 * join.c
 *	  Threshold similarity join of documents that are all at hand.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "../compat.h"
#include "../tree/host.h"
#include "join.h"
#include "pipeline.h"

/* Documents by the number of their tree, as linked lists. */
typedef struct Chains
{
	int32 *first; /* by number; -1 for none */
	int32 *next;  /* by document */
	int32 count;
} Chains;

/* The state of one join. */
typedef struct Join
{
	const JoinDocument *documents;
	Chains indexed;
	Chains probes; /* the same in a self-join */
	int64 max_matches;
	JoinResult result;
	int64 capacity;
} Join;

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

/* Makes empty chains for so many documents. */
static Chains
MakeChains(int32 documents)
{
	Chains chains = {.first = palloc_extended(sizeof(int32) * (Size) documents, MCXT_ALLOC_HUGE),
					 .next = palloc_extended(sizeof(int32) * (Size) documents, MCXT_ALLOC_HUGE)};

	return chains;
}

/* Chains a document to those with the same tree; numbers come without gaps. */
static void
AddToChain(Chains *chains, int32 number, int32 document)
{
	if (number == chains->count)
		chains->first[chains->count++] = -1;
	chains->next[document] = chains->first[number];
	chains->first[number] = document;
}

/* Keeps a pair of documents. */
static void
AddMatch(Join *join, int32 a, int32 b, int32 distance)
{
	const JoinDocument *left = &join->documents[a];
	const JoinDocument *right = &join->documents[b];

	if (left->side == 0 && left->id > right->id)
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

/* Keeps all pairs of documents that two trees stand for. */
static void
AddMatches(void *arg, int32 probe, int32 indexed, int32 distance)
{
	Join *join = arg;

	for (int32 a = join->probes.first[probe]; a >= 0; a = join->probes.next[a])
		for (int32 b = join->indexed.first[indexed]; b >= 0; b = join->indexed.next[b])
		{
			CHECK_FOR_INTERRUPTS();
			AddMatch(join, a, b, distance);
		}
}

/* Keeps all pairs of documents with the same tree. */
static void
AddEqual(Join *join)
{
	for (int32 number = 0; number < join->indexed.count; number++)
		for (int32 a = join->indexed.first[number]; a >= 0; a = join->indexed.next[a])
			for (int32 b = join->indexed.next[a]; b >= 0; b = join->indexed.next[b])
			{
				CHECK_FOR_INTERRUPTS();
				AddMatch(join, a, b, 0);
			}
}

/* Finds all pairs of documents at most max_distance apart. */
JoinResult
SimilarityJoin(const JoinDocument *documents, int32 count, int32 max_distance, int64 max_matches)
{
	Join join = {.documents = documents,
				 .indexed = MakeChains(count),
				 .max_matches = max_matches,
				 .capacity = 1024};
	JoinCounts counts = {0};
	JoinPipeline *pipeline = PipelineOpen(max_distance, &counts, AddMatches, &join);

	join.result.matches = palloc_array(JoinMatch, join.capacity);
	for (int32 i = 0; i < count; i++)
		if (documents[i].side != 'l')
			AddToChain(&join.indexed, PipelineAddIndexed(pipeline, documents[i].doc), i);
	PipelineIndex(pipeline);
	if (count > 0 && documents[0].side == 0)
	{
		join.probes = join.indexed;
		AddEqual(&join);
		PipelineRunSelf(pipeline);
	}
	else
	{
		join.probes = MakeChains(count);
		for (int32 i = 0; i < count; i++)
			if (documents[i].side == 'l')
				AddToChain(&join.probes, PipelineAddProbe(pipeline, documents[i].doc), i);
		while (PipelineRunProbes(pipeline))
			;
	}
	PipelineClose(pipeline);
	SortMatches(join.result.matches, (size_t) join.result.count);
	return join.result;
}
