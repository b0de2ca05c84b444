/*
 * string_join.c
 *	  The aggregate lcs_similarity_join().
 *
 * Strings of m and n characters are similar enough where their longest common
 * subsequence has at least a number of characters that follows from the
 * threshold and m + n.  Lengths are looked at first, which is a range in the
 * order of lengths; then how often characters occur, of which no more than the
 * lesser number can be common; the length of the subsequence is computed for
 * what these leave, one string against many.
 */
#include "postgres.h"

#include "fmgr.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#include "../compat.h"
#include "../engine/string_session.h"
#include "../string/lcs_threshold.h"
#include "aggregate.h"
#include "string_set.h"

PG_FUNCTION_INFO_V1(lcs_similarity_join_finalfn);

/* Candidates of one string that are verified at once. */
#define CANDIDATES_PER_BATCH 4096

/* A block of strings that are joined. */
typedef struct StringBlock
{
	MemoryContext context; /* of the block, and what is looked up in it */
	MemoryContext probe_context;
	Join *join;
	double min_similarity;
	StringSet *indexed;
	StringSet *added;        /* probes that are not looked up yet */
	const StringSet *probes; /* those that are looked up */
	int32 probe;             /* rank of the one looked up now */
	StringSession *session;  /* compares it */
	int candidates;
	int32 *candidate; /* their ranks */
	LcsText *texts;
	int32 *least; /* common characters with which they are similar enough */
	int32 *lengths;
} StringBlock;

/* Whether strings of n characters are too short (-1) or long (1) to be similar to one of m. */
static int
CompareLengths(double min_similarity, int32 m, int32 n)
{
	if (LcsSimilarity(Min(m, n), (int64) m + n) >= min_similarity)
		return 0;
	return n < m ? -1 : 1;
}

/* First rank from `rank` on whose length compares to m as at least `order`. */
static int32
FirstOfLength(const StringBlock *block, int32 m, int order, int32 rank)
{
	int32 end = block->indexed->count;

	while (rank < end)
	{
		int32 middle = rank + (end - rank) / 2;

		if (CompareLengths(block->min_similarity, m, block->indexed->length[middle]) < order)
			rank = middle + 1;
		else
			end = middle;
	}
	return rank;
}

/* Compares the string that is looked up with all candidates, and adds those similar enough. */
static void
Verify(StringBlock *block)
{
	int32 m = block->probes->length[block->probe];

	if (block->candidates == 0)
		return;
	StringSessionCompute(block->session, block->texts, block->candidates, block->least,
						 block->lengths);
	for (int i = 0; i < block->candidates; i++)
		if (block->lengths[i] != LCS_BELOW)
			JoinAddPairs(block->join, block->probes->number[block->probe],
						 block->indexed->number[block->candidate[i]],
						 LcsSimilarity(block->lengths[i], (int64) m + block->texts[i].length));
	block->candidates = 0;
}

/* Looks a string up among the indexed ones from a rank on. */
static void
Search(StringBlock *block, int32 probe, int32 first)
{
	const StringSet *indexed = block->indexed;
	const StringHistogram *histogram = &block->probes->histogram[probe];
	int32 m = block->probes->length[probe];
	int32 rank = FirstOfLength(block, m, 0, first);
	int32 end = FirstOfLength(block, m, 1, rank);

	CHECK_FOR_INTERRUPTS();
	block->probe = probe;
	StringSessionSetPattern(block->session, (Symbols){StringSymbols(block->probes, probe), m});
	while (rank < end)
	{
		int32 n = indexed->length[rank];
		int64 total = (int64) m + n;
		int64 least = LeastCommonSimilar(block->min_similarity, total);

		for (; rank < end && indexed->length[rank] == n; rank++)
		{
			if (HistogramDistance(histogram, &indexed->histogram[rank]) > total - 2 * least)
				continue;
			block->candidate[block->candidates] = rank;
			block->least[block->candidates] = (int32) least;
			block->texts[block->candidates++] = (LcsText){StringSymbols(indexed, rank), n};
			if (block->candidates == CANDIDATES_PER_BATCH)
				Verify(block);
		}
	}
	Verify(block);
}

/* Refuses a minimum similarity that is not between 0 and 1. */
static void
CheckMinSimilarity(double min_similarity)
{
	if (!(min_similarity >= 0 && min_similarity <= 1))
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("minimum similarity must be between 0 and 1"),
						errdetail("The minimum similarity is %g.", min_similarity),
						errhint("Use 1 for equal strings, and less for others.")));
}

/* Characters of a string. */
static int32
CharacterCount(Datum doc)
{
	text *string = DatumGetTextPP(doc);
	int32 count = pg_mbstrlen_with_len(VARDATA_ANY(string), (int) VARSIZE_ANY_EXHDR(string));

	if ((Pointer) string != DatumGetPointer(doc))
		pfree(string);
	return count;
}

/* Whether lengths allow two strings to be similar. */
static bool
SizesMatch(double min_similarity, int32 a, int32 b)
{
	return CompareLengths(min_similarity, a, b) == 0;
}

/* Starts with no probes. */
static void
ClearProbes(StringBlock *block)
{
	MemoryContext caller;

	MemoryContextReset(block->probe_context);
	caller = MemoryContextSwitchTo(block->probe_context);
	block->added = StringSetCreate();
	MemoryContextSwitchTo(caller);
}

/* Opens the join of a block. */
static void *
OpenBlock(Join *join, double min_similarity)
{
	MemoryContext context =
		AllocSetContextCreate(CurrentMemoryContext, "ted string join", ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(context);
	StringBlock *block = palloc0_object(StringBlock);

	block->context = context;
	block->probe_context =
		AllocSetContextCreate(context, "ted string join probes", ALLOCSET_DEFAULT_SIZES);
	block->join = join;
	block->min_similarity = min_similarity;
	block->indexed = StringSetCreate();
	block->session = StringSessionOpen(context);
	StringSessionLimit(block->session, context, STRING_JOIN);
	block->candidate = palloc_array(int32, CANDIDATES_PER_BATCH);
	block->texts = palloc_array(LcsText, CANDIDATES_PER_BATCH);
	block->least = palloc_array(int32, CANDIDATES_PER_BATCH);
	block->lengths = palloc_array(int32, CANDIDATES_PER_BATCH);
	ClearProbes(block);
	MemoryContextSwitchTo(caller);
	return block;
}

/* Frees it. */
static void
CloseBlock(void *arg)
{
	StringBlock *block = arg;

	MemoryContextDelete(block->context);
}

/* Memory that a block takes, and will take to be sorted. */
static Size
BlockMemory(const void *arg)
{
	const StringBlock *block = arg;

	return MemoryContextMemAllocated(block->context, true) + StringSetSortMemory(block->indexed) +
		   StringSetSortMemory(block->added);
}

/* Adds a string to a set; returns its number. */
static int32
AddString(MemoryContext context, StringSet *set, Datum doc)
{
	MemoryContext caller = MemoryContextSwitchTo(context);
	int32 number = StringSetAdd(set, doc);

	MemoryContextSwitchTo(caller);
	return number;
}

/* Numbers a string to be indexed. */
static int32
AddIndexed(void *arg, Datum doc)
{
	StringBlock *block = arg;

	return AddString(block->context, block->indexed, doc);
}

/* Indexes a block. */
static void
IndexBlock(void *arg)
{
	StringBlock *block = arg;
	MemoryContext caller = MemoryContextSwitchTo(block->context);

	StringSetSort(block->indexed);
	MemoryContextSwitchTo(caller);
}

/* Finds the pairs of a block. */
static void
RunSelf(void *arg)
{
	StringBlock *block = arg;
	MemoryContext caller = MemoryContextSwitchTo(block->context);

	block->probes = block->indexed;
	for (int32 probe = 0; probe < block->probes->count; probe++)
		Search(block, probe, probe + 1);
	MemoryContextSwitchTo(caller);
}

/* Numbers a probe. */
static int32
AddProbe(void *arg, Datum doc)
{
	StringBlock *block = arg;

	return AddString(block->probe_context, block->added, doc);
}

/* Finds the indexed strings of the probes. */
static void
RunProbes(void *arg)
{
	StringBlock *block = arg;
	MemoryContext caller = MemoryContextSwitchTo(block->probe_context);

	StringSetSort(block->added);
	block->probes = block->added;
	MemoryContextSwitchTo(block->context);
	for (int32 probe = 0; probe < block->probes->count; probe++)
		Search(block, probe, 0);
	MemoryContextSwitchTo(caller);
	ClearProbes(block);
}

static const JoinKind string_join = {.aggregate = "lcs_similarity_join",
									 .final = lcs_similarity_join_finalfn,
									 .threshold = "minimum similarity",
									 .fewer = "Increase the minimum similarity, or join in blocks.",
									 .equal = 1,
									 .check_threshold = CheckMinSimilarity,
									 .size = CharacterCount,
									 .sizes_match = SizesMatch,
									 .open = OpenBlock,
									 .close = CloseBlock,
									 .memory = BlockMemory,
									 .add_indexed = AddIndexed,
									 .index = IndexBlock,
									 .run_self = RunSelf,
									 .add_probe = AddProbe,
									 .run_probes = RunProbes};

PG_FUNCTION_INFO_V1(lcs_similarity_join_transfn);

/* Adds a string to the state. */
Datum
lcs_similarity_join_transfn(PG_FUNCTION_ARGS)
{
	return JoinTransition(fcinfo, &string_join);
}

PG_FUNCTION_INFO_V1(lcs_similarity_join_combine);

/* Adds the rows of one partial state to another. */
Datum
lcs_similarity_join_combine(PG_FUNCTION_ARGS)
{
	return JoinCombine(fcinfo, &string_join);
}

/* Joins all strings of the state. */
Datum
lcs_similarity_join_finalfn(PG_FUNCTION_ARGS)
{
	return JoinFinal(fcinfo, &string_join);
}
