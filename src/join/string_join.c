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

#include <math.h>

#include "fmgr.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#include "../compat.h"
#include "../core/lcs.h"
#include "../tree/host.h"
#include "aggregate.h"
#include "string_set.h"

/* Candidates of one string that are verified at once. */
#define CANDIDATES_PER_BATCH 4096

/* Longer strings are verified one by one, and fewer of strings of one word. */
#define MAX_BATCH_LENGTH 1008
#define MIN_BATCH 8
#define WORD_LENGTH 64

/* Strings that are looked up among indexed ones. */
typedef struct StringJoin
{
	Join *join;
	double min_similarity;
	const StringSet *probes;
	const StringSet *indexed;
	int32 probe;      /* rank of the one looked up now */
	int32 *candidate; /* their ranks */
	LcsText *texts;
	int32 *lengths;
	int candidates;
	TedArena arena; /* for comparing; a comparison works on a copy */
} StringJoin;

/* Similarity of two strings that have so many characters, and some in common. */
static inline double
Similarity(int64 common, int64 total)
{
	return total == 0 ? 1 : 2.0 * (double) common / (double) total;
}

/*
 * The least common characters with which two strings that have so many reach
 * a similarity.  The rounding of Similarity() decides, that of the first guess
 * does not.
 */
static int64
LeastCommon(double min_similarity, int64 total)
{
	int64 least = (int64) ceil(min_similarity * (double) total / 2);

	while (least > 0 && Similarity(least - 1, total) >= min_similarity)
		least--;
	while (Similarity(least, total) < min_similarity)
		least++;
	return least;
}

/* Whether strings of n characters are too short (-1) or long (1) to be similar to one of m. */
static int
CompareLengths(double min_similarity, int32 m, int32 n)
{
	if (Similarity(Min(m, n), (int64) m + n) >= min_similarity)
		return 0;
	return n < m ? -1 : 1;
}

/* First rank from `rank` on whose length compares to m as at least `order`. */
static int32
FirstOfLength(const StringJoin *join, int32 m, int order, int32 rank)
{
	int32 end = join->indexed->count;

	while (rank < end)
	{
		int32 middle = rank + (end - rank) / 2;

		if (CompareLengths(join->min_similarity, m, join->indexed->length[middle]) < order)
			rank = middle + 1;
		else
			end = middle;
	}
	return rank;
}

/* Makes room for comparing a string with those of at most so many characters. */
static void
ReserveArena(StringJoin *join, const uint32 *symbol, int32 m, int32 longest)
{
	Size bytes = lcs_pattern_memory(symbol, m) +
				 Max(lcs_batch_memory(m, sizeof(uint32), longest), lcs_length_memory(m, longest));

	if (bytes <= join->arena.size - join->arena.used)
		return;
	if (join->arena.base != NULL)
		pfree(join->arena.base);
	CheckStringJoinMemory(bytes);
	ArenaInit(&join->arena, bytes);
}

/* Computes the common characters of one string and all candidates, or LCS_BELOW. */
static void
ComputeLengths(StringJoin *join, const LcsPattern *pattern, int32 m, TedArena *arena)
{
	if (m <= MAX_BATCH_LENGTH && (m > WORD_LENGTH || join->candidates >= MIN_BATCH))
	{
		CheckStatus(lcs_batch(pattern, join->texts, join->candidates, sizeof(uint32), arena,
							  &PgInterrupt, join->lengths));
		return;
	}
	for (int i = 0; i < join->candidates; i++)
	{
		int32 n = join->texts[i].length;

		CHECK_FOR_INTERRUPTS();
		CheckStatus(lcs_length_at_least(pattern, join->texts[i].symbols, n,
										(int32) LeastCommon(join->min_similarity, (int64) m + n),
										arena, &PgInterrupt, &join->lengths[i]));
	}
}

/* Compares the string that is looked up with all candidates, and keeps those similar enough. */
static void
Verify(StringJoin *join)
{
	const uint32 *symbol = StringSymbols(join->probes, join->probe);
	int32 m = join->probes->length[join->probe];
	const LcsPattern *pattern;
	TedArena arena;

	if (join->candidates == 0)
		return;
	/* candidates come in the order of lengths */
	ReserveArena(join, symbol, m, join->texts[join->candidates - 1].length);
	arena = join->arena;
	CheckStatus(lcs_prepare(symbol, m, &arena, &PgInterrupt, &pattern));
	ComputeLengths(join, pattern, m, &arena);
	for (int i = 0; i < join->candidates; i++)
	{
		double similarity = Similarity(join->lengths[i], (int64) m + join->texts[i].length);

		if (join->lengths[i] != LCS_BELOW && similarity >= join->min_similarity)
			JoinAddPairs(join->join, join->probes->number[join->probe],
						 join->indexed->number[join->candidate[i]], similarity);
	}
	join->candidates = 0;
}

/* Looks a string up among the indexed ones from a rank on. */
static void
Search(StringJoin *join, int32 probe, int32 first)
{
	const StringSet *indexed = join->indexed;
	const StringHistogram *histogram = &join->probes->histogram[probe];
	int32 m = join->probes->length[probe];
	int32 rank = FirstOfLength(join, m, 0, first);
	int32 end = FirstOfLength(join, m, 1, rank);

	CHECK_FOR_INTERRUPTS();
	join->probe = probe;
	while (rank < end)
	{
		int32 n = indexed->length[rank];
		int64 total = (int64) m + n;
		int64 most_different = total - 2 * LeastCommon(join->min_similarity, total);

		for (; rank < end && indexed->length[rank] == n; rank++)
		{
			if (HistogramDistance(histogram, &indexed->histogram[rank]) > most_different)
				continue;
			join->candidate[join->candidates] = rank;
			join->texts[join->candidates++] = (LcsText){StringSymbols(indexed, rank), n};
			if (join->candidates == CANDIDATES_PER_BATCH)
				Verify(join);
		}
	}
	Verify(join);
}

/* Numbers a string. */
static int32
NumberString(void *set, Datum doc)
{
	return StringSetAdd(set, doc);
}

/* Joins strings. */
static void
RunStringJoin(Join *documents, double min_similarity)
{
	bool self = JoinIsSelf(documents);
	MemoryContext context =
		AllocSetContextCreate(CurrentMemoryContext, "ted string join", ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(context);
	StringSet *indexed = StringSetCreate();
	StringSet *probes = self ? indexed : StringSetCreate();
	StringJoin join = {.join = documents,
					   .min_similarity = min_similarity,
					   .probes = probes,
					   .indexed = indexed,
					   .candidate = palloc_array(int32, CANDIDATES_PER_BATCH),
					   .texts = palloc_array(LcsText, CANDIDATES_PER_BATCH),
					   .lengths = palloc_array(int32, CANDIDATES_PER_BATCH)};

	JoinNumberIndexed(documents, NumberString, indexed);
	StringSetSort(indexed);
	if (!self)
	{
		JoinNumberProbes(documents, NumberString, probes);
		StringSetSort(probes);
	}
	for (int32 probe = 0; probe < probes->count; probe++)
		Search(&join, probe, self ? probe + 1 : 0);
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(context);
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

static const JoinKind string_join = {.aggregate = "lcs_similarity_join",
									 .threshold = "minimum similarity",
									 .fewer = "Increase the minimum similarity",
									 .equal = 1,
									 .check_threshold = CheckMinSimilarity,
									 .run = RunStringJoin};

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

PG_FUNCTION_INFO_V1(lcs_similarity_join_finalfn);

/* Joins all strings of the state. */
Datum
lcs_similarity_join_finalfn(PG_FUNCTION_ARGS)
{
	return JoinFinal(fcinfo, &string_join);
}
