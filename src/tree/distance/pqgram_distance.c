/*
 * pqgram_distance.c
 *	  SQL functions for the pq-gram distance of trees, a fast approximation.
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "../../compat.h"
#include "../../common/cached_argument.h"
#include "../../common/host.h"
#include "pqgram_distance.h"
#include "../value/tree.h"

/* The largest p and q. */
#define MAX_PQ 100

/* The name of the computation in errors about memory. */
#define COMPARING_PQGRAMS "comparing pq-grams"

/* A tree that is cached from call to call, with its pq-grams for the last p and q. */
typedef struct CachedPqGrams
{
	Size bytes; /* upper bound on the memory of the decoded tree */
	LabelTable *labels;
	TedTree tree;
	MemoryContext context; /* has the pq-grams and their index */
	TedPqGrams grams;      /* p is 0 before they are made */
	TedPqIndex index;
} CachedPqGrams;

Size
PqGramBytes(const TedTree *tree, int32 p, int32 q)
{
	return ted_pqgrams_memory(tree, p, q) +
		   ted_pqgram_index_memory((int32) ted_pqgram_count(tree, q));
}

void
MakePqGrams(const TedTree *tree, int32 p, int32 q, TedPqGrams *grams, TedPqIndex *index)
{
	TedArena arena;

	ArenaInit(&arena, ted_pqgrams_memory(tree, p, q));
	CheckStatus(ted_pqgrams(tree, p, q, &arena, &PgInterrupt, grams));
	if (index == NULL)
		return;
	ArenaInit(&arena, ted_pqgram_index_memory(grams->count));
	CheckStatus(ted_pqgram_index(grams, &arena, &PgInterrupt, index));
}

/* Decodes a tree that is to be cached. */
static void *
DecodeCachedGrams(Datum argument, Oid collation)
{
	CachedPqGrams *cached = palloc0_object(CachedPqGrams);

	(void) collation;
	cached->bytes = TreeDecodedBytes(argument);
	CheckMemoryLimit(cached->bytes, COMPARING_PQGRAMS);
	cached->labels = LabelTableCreate();
	TreeDecode(DatumGetTree(argument), cached->labels, &cached->tree);
	cached->context =
		AllocSetContextCreate(CurrentMemoryContext, "ted cached pq-grams", ALLOCSET_SMALL_SIZES);
	return cached;
}

/* Returns the pq-gram distance of the first two arguments. */
static float8
PqGramDistance(FunctionCallInfo fcinfo, int32 p, int32 q)
{
	int position;
	CachedPqGrams *cached = CacheArgument(fcinfo, DecodeCachedGrams, &position);
	Datum other = PG_GETARG_DATUM(1 - position);
	Size bytes = cached->bytes + TreeDecodedBytes(other);
	TedTree decoded;
	TedPqGrams grams;
	int32 common;
	MemoryContext caller;

	CheckMemoryLimit(bytes, COMPARING_PQGRAMS);
	TreeDecodeAgainst(DatumGetTree(other), cached->labels, &decoded);
	CheckMemoryLimit(bytes + PqGramBytes(&cached->tree, p, q) + ted_pqgrams_memory(&decoded, p, q),
					 COMPARING_PQGRAMS);
	/* the cached tree may have the pq-grams of another p and q */
	if (cached->grams.p != p || cached->grams.q != q)
	{
		cached->grams.p = 0; /* until all are made, in case of an error */
		MemoryContextReset(cached->context);
		caller = MemoryContextSwitchTo(cached->context);
		MakePqGrams(&cached->tree, p, q, &cached->grams, &cached->index);
		MemoryContextSwitchTo(caller);
	}
	MakePqGrams(&decoded, p, q, &grams, NULL);
	CheckStatus(ted_pqgrams_in_common(&cached->index, &grams, &PgInterrupt, &common));
	return 1.0 - 2.0 * (float8) common / ((float8) cached->grams.count + (float8) grams.count);
}

/* Returns p or q, or raises an error if it is out of range. */
static int32
GetPq(FunctionCallInfo fcinfo, int argument, const char *name)
{
	int32 value = PG_GETARG_INT32(argument);

	if (value < 1 || value > MAX_PQ)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("%s of pq-grams is out of range", name),
						errdetail("It is less than 1 or more than %d.", MAX_PQ),
						errhint("Use a number from 1 to %d.", MAX_PQ)));
	return value;
}

PG_FUNCTION_INFO_V1(tree_pqgram_distance);

/* Returns 1 - 2 |common| / (|a| + |b|), for the bags a and b of pq-grams of two trees. */
Datum
tree_pqgram_distance(PG_FUNCTION_ARGS)
{
	PG_RETURN_FLOAT8(PqGramDistance(fcinfo, GetPq(fcinfo, 2, "p"), GetPq(fcinfo, 3, "q")));
}

PG_FUNCTION_INFO_V1(tree_pqgram_distance_op);

/* Returns the pq-gram distance with the parameters of indexes, for index ordering. */
Datum
tree_pqgram_distance_op(PG_FUNCTION_ARGS)
{
	PG_RETURN_FLOAT8(PqGramDistance(fcinfo, PQGRAM_P, PQGRAM_Q));
}
