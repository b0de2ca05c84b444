/*
 * join.c
 *	  What threshold joins of documents that are all at hand have in common.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "../compat.h"
#include "../tree/host.h"
#include "join.h"

/* Documents by their number, as linked lists. */
typedef struct Chains
{
	int32 *first; /* by number; -1 for none */
	int32 *next;  /* by document */
	int32 count;
} Chains;

struct Join
{
	const JoinKind *kind;
	const JoinDocument *documents;
	int32 count;
	Chains indexed;
	Chains probes; /* the same in a self-join */
	int64 max_matches;
	JoinResult result;
	int64 capacity;
};

/* Orders documents by side and id. */
static int
CompareDocuments(const void *a, const void *b)
{
	const JoinDocument *x = a;
	const JoinDocument *y = b;

	CHECK_FOR_INTERRUPTS();
	if (x->side != y->side)
		return x->side < y->side ? -1 : 1;
	return (x->id > y->id) - (x->id < y->id);
}

/* Refuses an id that occurs twice on a side. */
static void
CheckUniqueIds(JoinDocument *documents, int32 count)
{
	qsort(documents, (size_t) count, sizeof(JoinDocument), CompareDocuments);
	for (int32 i = 1; i < count; i++)
		if (CompareDocuments(&documents[i - 1], &documents[i]) == 0)
			ereport(ERROR, (errcode(ERRCODE_CARDINALITY_VIOLATION),
							errmsg("id " INT64_FORMAT " occurs twice in a similarity join",
								   documents[i].id),
							errdetail("An id names one document of a side."),
							errhint("Use a unique column as the id.")));
}

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

/* Chains a document to those with the same number; numbers come without gaps. */
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
AddMatch(Join *join, int32 a, int32 b, double measure)
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
						errhint("%s, or join in blocks.", join->kind->fewer)));
	if (join->result.count == join->capacity)
	{
		join->capacity *= 2;
		CheckMemoryLimit(sizeof(JoinMatch) * (Size) join->capacity, "result of a similarity join");
		join->result.matches =
			repalloc_huge(join->result.matches, sizeof(JoinMatch) * (Size) join->capacity);
	}
	join->result.matches[join->result.count++] =
		(JoinMatch){.left_id = left->id, .right_id = right->id, .measure = measure};
}

/* Adds all pairs of documents that two numbers stand for. */
void
JoinAddPairs(Join *join, int32 probe, int32 indexed, double measure)
{
	for (int32 a = join->probes.first[probe]; a >= 0; a = join->probes.next[a])
		for (int32 b = join->indexed.first[indexed]; b >= 0; b = join->indexed.next[b])
		{
			CHECK_FOR_INTERRUPTS();
			AddMatch(join, a, b, measure);
		}
}

/* Keeps all pairs of indexed documents with the same number. */
static void
AddEqual(Join *join)
{
	for (int32 number = 0; number < join->indexed.count; number++)
		for (int32 a = join->indexed.first[number]; a >= 0; a = join->indexed.next[a])
			for (int32 b = join->indexed.next[a]; b >= 0; b = join->indexed.next[b])
			{
				CHECK_FOR_INTERRUPTS();
				AddMatch(join, a, b, join->kind->equal);
			}
}

/* Whether a join has one side only. */
bool
JoinIsSelf(const Join *join)
{
	return join->count == 0 || join->documents[0].side == 0;
}

/* Numbers the documents that are indexed. */
void
JoinNumberIndexed(Join *join, JoinNumbering numbering, void *arg)
{
	join->indexed = MakeChains(join->count);
	for (int32 i = 0; i < join->count; i++)
		if (join->documents[i].side != 'l')
			AddToChain(&join->indexed, numbering(arg, join->documents[i].doc), i);
	if (JoinIsSelf(join))
	{
		join->probes = join->indexed;
		AddEqual(join);
	}
}

/* Numbers the documents of the left side. */
void
JoinNumberProbes(Join *join, JoinNumbering numbering, void *arg)
{
	join->probes = MakeChains(join->count);
	for (int32 i = 0; i < join->count; i++)
		if (join->documents[i].side == 'l')
			AddToChain(&join->probes, numbering(arg, join->documents[i].doc), i);
}

/* Finds all pairs of documents within the threshold. */
JoinResult
SimilarityJoin(const JoinKind *kind, JoinDocument *documents, int32 count, double threshold,
			   int64 max_matches)
{
	Join join = {.kind = kind,
				 .documents = documents,
				 .count = count,
				 .max_matches = max_matches,
				 .capacity = 1024};

	CheckUniqueIds(documents, count);
	join.result.matches = palloc_array(JoinMatch, join.capacity);
	kind->run(&join, threshold);
	SortMatches(join.result.matches, (size_t) join.result.count);
	return join.result;
}
