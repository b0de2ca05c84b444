/*
 * string_search.c
 *	  Finds the pairs of strings within a threshold.
 *
 * Strings of m and n symbols match where their longest common subsequence has
 * at least a number of symbols that follows from the threshold and m + n.
 * Lengths and symbols say which ones can (lcs_candidates.h), of many strings at
 * once, and what the length is of most that are short; it is computed for what these
 * leave, one string against many.
 *
 * Where there are several blocks, the longest strings are indexed first: of a string
 * fewer symbols may be outside a common subsequence with a longer one than the other
 * way round, which leaves fewer candidates.
 *
 * A GPU finds the pairs of short strings; those with longer ones are left to the CPU.
 */
#include "postgres.h"

#include "access/parallel.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#include "../../common/host.h"
#include "../../common/progress.h"
#include "../../compat.h"
#include "../../core/string/lcs_candidates.h"
#include "../../engine/string_session.h"
#include "../../string/lcs_threshold.h"
#include "../../string/strings.h"
#include "gpu_search.h"
#include "search.h"
#include "string_set.h"

/* Candidates of one string that are verified at once, and short ones of them. */
#define CANDIDATES_PER_BATCH 4096
#define SHORT_PER_BATCH 256

/* How many strings are looked up at once, at first. */
#define FIRST_PROBES 16

/* Strings of a type as a kind of documents. */
typedef struct StringKind
{
	DocumentKind kind; /* first */
	const StringType *type;
} StringKind;

typedef struct StringSearch
{
	JoinPipeline *join;
	const StringType *type;
	MemoryContext reading; /* of one string */
	Elements *elements;    /* of arrays; else NULL */
	StringSet *indexed;
	SharedStrings *shared; /* that the members of the team have built, or NULL */
	StringSet *probes;

	/* filters */
	LcsIndexedStrings counted; /* those to be indexed */
	LcsCandidateIndex *index;
	LcsCandidateSearch *candidate_search;
	int probes_at_once; /* that are looked up next */

	/* on a GPU */
	GpuSearch *gpu; /* NULL where the CPU finds all pairs */
	int32 least_common[TED_JOIN_STRING_TOTALS];
	bool handed_over;  /* have the probes been handed over? */
	int32 gpu_probes;  /* those of them that were short, the first ones by size */
	bool running;      /* is a range under way, or being taken? */
	int32 next_longer; /* place of the string that is to be looked up next among longer ones */

	/* the string that is looked up, and its candidates */
	const StringSet *searched;
	int32 probe;
	StringSession *session;
	int candidates;
	int32 *candidate; /* numbers */
	LcsText *texts;
	int short_texts;
	uint32 (*short_text)[LCS_MOST_FEATURES]; /* symbols of those that have fewer bytes */
	int32 *least;                            /* common symbols with which they match */
	int32 *lengths;
} StringSearch;

/* The elements of arrays by their numbers; NULL where they have none. */
static LabelTable *
Labels(const StringSearch *search)
{
	return search->elements == NULL ? NULL : search->elements->labels;
}

/* Opens a search. */
static void *
OpenStringSearch(JoinPipeline *join)
{
	StringSearch *search = palloc0_object(StringSearch);

	search->join = join;
	search->type = ((const StringKind *) join->kind)->type;
	search->reading =
		AllocSetContextCreate(CurrentMemoryContext, "ted join string", ALLOCSET_DEFAULT_SIZES);
	if (search->type->is_array)
		search->elements = CreateElements(join->elements.type, join->elements.collation);
	search->indexed = StringSetCreate(Labels(search) != NULL, join->team);
	search->session = StringSessionOpen(CurrentMemoryContext);
	StringSessionName(search->session, STRING_JOIN);
	StringSessionCount(search->session, &join->counts->engine);
	/* one process of a join has a context on a GPU: the leader, whose context stays */
	if (IsParallelWorker())
		StringSessionStayOnCpu(search->session);
	search->probes_at_once = FIRST_PROBES;
	search->candidate = palloc_array(int32, CANDIDATES_PER_BATCH);
	search->texts = palloc_array(LcsText, CANDIDATES_PER_BATCH);
	search->short_text = palloc(sizeof(*search->short_text) * SHORT_PER_BATCH);
	search->least = palloc_array(int32, CANDIDATES_PER_BATCH);
	search->lengths = palloc_array(int32, CANDIDATES_PER_BATCH);
	return search;
}

/* Nothing is left but memory. */
static void
CloseStringSearch(void *search)
{
	(void) search;
}

/* The strings of a side. */
static StringSet *
StringsOf(const StringSearch *search, DocumentsSide side)
{
	return side == JOIN_INDEXED ? search->indexed : search->probes;
}

/* Adds a string. */
static int32
AddString(void *arg, DocumentsSide side, Datum document)
{
	StringSearch *search = arg;
	MemoryContext caller = MemoryContextSwitchTo(search->reading);
	Symbols symbols = search->type->read(document, search->elements, true);
	StringSet *set = StringsOf(search, side);
	int32 count = StringSetCount(set);
	int32 number = StringSetAdd(set, symbols);

	if (side == JOIN_INDEXED && number == count)
		lcs_count_string(&search->counted, symbols.count);

	MemoryContextReset(search->reading);
	MemoryContextSwitchTo(caller);
	return number;
}

/* Number of strings of a side. */
static int32
CountStrings(const void *search, DocumentsSide side)
{
	return StringSetCount(StringsOf(search, side));
}

/* Length of a string of a side. */
static int32
LengthOf(const void *search, DocumentsSide side, int32 number)
{
	return StringSetLength(StringsOf(search, side), number);
}

/* The least common symbols with which strings match. */
static int64
LeastOfJoin(const void *join, int64 total)
{
	return LeastCommon(&((const JoinPipeline *) join)->threshold, total);
}

/* Publishes the strings added for the members of the team. */
static void
PublishStrings(void *arg)
{
	StringSearch *search = arg;

	StringSetPublish(search->indexed, Labels(search));
}

/* Builds with them what all have added. */
static void
BuildStrings(void *arg)
{
	StringSearch *search = arg;

	if (Labels(search) != NULL)
	{
		LabelTableFree(search->elements->labels);
		search->elements->labels = CreateElementLabels(&search->elements->type);
	}
	search->shared = SharedStringsBuild(search->join->team, Labels(search),
										(LcsLeast){LeastOfJoin, search->join});
	StringSetTakeAll(search->indexed, search->shared);
	search->counted = search->shared->counted;
	if (Labels(search) != NULL)
	{
		CommonLabels common = SharedLabelsCommon(search->shared->labels);

		LabelTableUseCommon(Labels(search), &common);
	}
}

/* The places of the strings that a member has published. */
static const int32 *
StringNumbers(const void *search, int member)
{
	return SharedDocumentsPlaces(((const StringSearch *) search)->join->team, member);
}

/* The order that these are in. */
static int32 *
StringOrder(void *arg)
{
	const StringSearch *search = arg;

	return search->shared == NULL ? NULL : search->shared->order;
}

/* The most strings that are looked up at once: a few, where there are few to be found. */
static int
MostProbes(const StringSearch *search)
{
	return search->counted.shorter < LCS_LEAST_BLOCK_STRINGS ? FIRST_PROBES : LCS_PROBES;
}

/* Memory that indexing the strings will take. */
static Size
StringIndexMemory(const void *arg)
{
	const StringSearch *search = arg;
	Size bytes = lcs_candidate_index_memory(&search->counted) +
				 lcs_candidate_search_memory(&search->counted, MostProbes(search));

	if (search->join->team != NULL)
		bytes += SHARED_STRING_BYTES * (Size) StringSetCount(search->indexed);
	return bytes - Min(bytes, StringSetAddingBytes(search->indexed));
}

/* Approximate memory of a string of a length with the index: short ones seldom need 4 bytes. */
static Size
StringMemory(const void *search, int32 length)
{
	bool narrow = length <= LCS_MOST_FEATURES && Labels(search) == NULL;
	Size symbol_bytes = narrow ? sizeof(uint16) : sizeof(uint32);

	return STRING_SET_BYTES + symbol_bytes * (Size) length + lcs_candidate_bytes(length);
}

/* Ends adding strings to be indexed; what is numbered later belongs to probes. */
static void
FinishIndexed(StringSearch *search)
{
	StringSetFinish(search->indexed);
	if (Labels(search) != NULL)
		LabelTableKeep(Labels(search));
}

/* A string of a set, for the core. */
static LcsString
GetString(const void *set, int32_t number)
{
	return StringSetGet(set, number);
}

/* Makes the index of the strings added. */
static void
MakeIndex(StringSearch *search)
{
	JoinPipeline *join = search->join;
	TedArena arena;

	ArenaInit(&arena, lcs_candidate_index_memory(&search->counted));
	CheckStatus(lcs_candidate_index(&(LcsStrings){GetString, search->indexed}, join->by_size,
									StringSetCount(search->indexed), (LcsLeast){LeastOfJoin, join},
									&arena, &PgInterrupt, &search->index));
}

/* Opens a GPU for the strings in blocks, if this is estimated to be much faster. */
static GpuSearch *
OpenGpu(StringSearch *search)
{
	TedJoinStrings strings = {search->index, search->least_common};

	for (int total = 0; total < TED_JOIN_STRING_TOTALS; total++)
		search->least_common[total] = (int32) Min(LeastOfJoin(search->join, total), total + 1);
	return GpuSearchOpenStrings(&strings, search->join->team, &search->join->counts->engine);
}

/* Indexes the strings added, unless the members of the team have done so. */
static void
IndexStrings(void *arg)
{
	StringSearch *search = arg;
	Size probes = lcs_candidate_search_memory(&search->counted, MostProbes(search));
	TedArena arena;

	FinishIndexed(search);
	if (search->shared == NULL)
		MakeIndex(search);
	else
		search->index = &search->shared->index;
	ArenaInit(&arena, probes);
	CheckStatus(lcs_candidate_search(search->index, MostProbes(search), &arena, &PgInterrupt,
									 &search->candidate_search));
	search->gpu = OpenGpu(search);
	search->probes = StringSetCreate(Labels(search) != NULL, NULL);
}

/* Passes on a string that has `common` symbols in common with the one that is looked up. */
static void
StringFound(const StringSearch *search, int32 indexed, int32 common)
{
	int32 m = StringSetLength(search->searched, search->probe);
	int32 n = StringSetLength(search->indexed, indexed);

	PairFound(search->join, search->probe, indexed, (int32) ((int64) m + n - 2 * (int64) common),
			  Max(m, n), Min(m, n));
}

/* Compares the string that is looked up with all candidates. */
static void
Verify(StringSearch *search)
{
	JoinCounts *counts = search->join->counts;

	if (search->candidates == 0)
		return;
	StringSessionCompute(search->session, search->texts, search->candidates, search->least,
						 search->lengths);
	counts->batches++;
	counts->verified += search->candidates;
	for (int i = 0; i < search->candidates; i++)
		if (search->lengths[i] != LCS_BELOW)
			StringFound(search, search->candidate[i], search->lengths[i]);
	search->candidates = search->short_texts = 0;
}

/* Adds a candidate of the string that is looked up. */
static void
AddCandidate(StringSearch *search, const LcsString *probe, int32 indexed)
{
	LcsString string = StringSetGet(search->indexed, indexed);
	uint32 *room = search->short_text[search->short_texts];

	search->candidate[search->candidates] = indexed;
	search->least[search->candidates] =
		(int32) LeastCommon(&search->join->threshold, (int64) probe->length + string.length);
	search->texts[search->candidates++] = (LcsText){lcs_wide_symbols(&string, room), string.length};
	search->short_texts += string.symbol_bytes < (int32) sizeof(uint32);
	if (search->candidates == CANDIDATES_PER_BATCH || search->short_texts == SHORT_PER_BATCH)
		Verify(search);
}

/* Finds which of the candidates at some places match a string that is looked up. */
static void
VerifyCandidates(StringSearch *search, int32 number, const int32 *places, const uint8 *lengths,
				 int32 count)
{
	LcsString probe = StringSetGet(search->searched, number);
	uint32 room[LCS_MOST_FEATURES];
	const uint32 *symbols = lcs_wide_symbols(&probe, room);

	search->probe = number;
	StringSessionSetPattern(search->session,
							(Symbols){unconstify(uint32 *, symbols), probe.length});
	for (int32 i = 0; i < count; i++)
	{
		int32 indexed = search->join->by_size[places[i]];

		if (lengths[i] == LCS_UNKNOWN)
		{
			AddCandidate(search, &probe, indexed);
			continue;
		}
		search->join->counts->verified++;
		StringFound(search, indexed, lengths[i]);
	}
	Verify(search);
}

/* Finds the matches of strings that are looked up, which have these numbers. */
static void
FindMatches(StringSearch *search, const int32 *numbers, int count)
{
	JoinCounts *counts = search->join->counts;
	LcsCandidateCounts passed = {0};
	bool done = false;

	while (!done)
	{
		CheckInterrupts();
		CheckStatus(lcs_next_candidates(search->candidate_search, &passed, &done));
		for (int i = 0; i < count; i++)
		{
			int32 candidates;
			const uint8 *lengths;
			const int32 *places =
				lcs_candidates(search->candidate_search, i, &candidates, &lengths);

			if (candidates > 0)
				VerifyCandidates(search, numbers[i], places, lengths, candidates);
		}
	}
	counts->window += passed.window;
	counts->prefix += passed.window;
	counts->labels += passed.order;
}

/* Orders probes by length, for pg_qsort. */
static int
CompareLengths(const void *a, const void *b, void *probes)
{
	return StringSetLength(probes, *(const int32 *) a) -
		   StringSetLength(probes, *(const int32 *) b);
}

/* Finds the matches of some probes among strings from rank `least` on. */
static void
LookUpStringProbes(StringSearch *search, int32 first, int count, int32 least)
{
	const int32 *by_size = search->join->probes_by_size;
	int32 numbers[LCS_PROBES];
	LcsString strings[LCS_PROBES];

	for (int i = 0; i < count; i++)
		numbers[i] = by_size == NULL ? first + i : by_size[first + i];
	qsort_arg(numbers, (size_t) count, sizeof(int32), CompareLengths, search->probes);
	for (int i = 0; i < count; i++)
		strings[i] = StringSetGet(search->probes, numbers[i]);
	lcs_look_up(search->candidate_search, strings, count, least);
	FindMatches(search, numbers, count);
}

/* Finds the matches of indexed strings with those at higher places from `least` on. */
static void
LookUpIndexed(StringSearch *search, int32 first, int count, int32 least)
{
	lcs_look_up_ranks(search->candidate_search, first, count, least);
	FindMatches(search, search->join->by_size + first, count);
}

/*
 * Finds the matches of strings at some places among those from place `least` on.  Many are
 * looked up at once, as long as their matches are about as many as are wanted.  Returns where
 * to go on.
 */
static int32
FindOnCpu(StringSearch *search, DocumentsSide side, int32 first, int32 end, int32 least)
{
	JoinPipeline *join = search->join;
	int64 begin = join->counts->found;

	while (first < end && join->counts->found < begin + MATCHES_PER_RUN)
	{
		int count = Min(end - first, search->probes_at_once);
		int64 before = join->counts->found;
		int64 found;

		if (side == JOIN_INDEXED)
			LookUpIndexed(search, first, count, least);
		else
			LookUpStringProbes(search, first, count, least);
		first += count;
		join->place = first;
		found = join->counts->found - before;
		if (found > MATCHES_PER_RUN)
			search->probes_at_once = Max(search->probes_at_once / 4, 1);
		else if (found < MATCHES_PER_RUN / 4)
			search->probes_at_once = Min(search->probes_at_once * 2, MostProbes(search));
	}
	return first;
}

/*
 * Hands the short probes to the GPU, whose order may become that of a device; they are left to
 * the CPU where they are too few to be laid out in blocks.  False where the GPU is lost.
 */
static bool
HandProbesOver(StringSearch *search)
{
	int32 *by_size = search->join->probes_by_size;
	LcsIndexedStrings counted = {0};
	LcsCandidateIndex *probes;
	TedArena arena;
	bool taken;

	if (search->handed_over)
		return true;
	search->handed_over = true;
	for (int32 i = 0; i < StringSetCount(search->probes); i++)
		lcs_count_string(&counted, StringSetLength(search->probes, by_size[i]));
	search->gpu_probes = counted.shorter < LCS_LEAST_BLOCK_STRINGS ? 0 : counted.shorter;
	if (search->gpu_probes == 0)
		return true;
	counted.longer = 0;
	ArenaInit(&arena, lcs_candidate_index_memory(&counted));
	CheckStatus(lcs_lay_out_probes(search->index, &(LcsStrings){GetString, search->probes}, by_size,
								   search->gpu_probes, &arena, &PgInterrupt, &probes));
	taken = GpuSearchAddStrings(search->gpu, &(TedJoinStrings){probes, search->least_common});
	pfree(arena.base);
	return taken;
}

/* Continues on the CPU, as the GPU has failed or has no memory. */
static void
LoseGpu(StringSearch *search)
{
	GpuSearchClose(search->gpu);
	search->gpu = NULL;
}

/* Common symbols of a probe and an indexed string, both short, LCS_BELOW where they do not match.
 */
static int32
CommonSymbols(const StringSearch *search, int32 probe, int32 indexed)
{
	LcsString a = StringSetGet(search->searched, probe);
	LcsString b = StringSetGet(search->indexed, indexed);
	uint32 room_a[LCS_MOST_FEATURES];
	uint32 room_b[LCS_MOST_FEATURES];

	return StringsLengthByCpu(
		(Symbols){unconstify(uint32 *, lcs_wide_symbols(&a, room_a)), a.length},
		(Symbols){unconstify(uint32 *, lcs_wide_symbols(&b, room_b)), b.length},
		search->least_common[a.length + b.length]);
}

/* Takes what the GPU has found, or as much as is enough; returns whether that was all. */
static bool
TakeFound(StringSearch *search, const int32 *by_size, int32 offset)
{
	JoinPipeline *join = search->join;
	int64 enough = join->counts->found + MATCHES_PER_RUN;

	GpuSearchLookAfter(search->gpu);
	while (join->counts->found < enough)
	{
		const TedJoinPair *pair = GpuSearchNext(search->gpu);
		int32 indexed;
		int32 common;

		if (pair == NULL)
			return true;
		search->probe = by_size[pair->probe - offset];
		indexed = join->by_size[pair->indexed];
		common = pair->distance == TED_NO_DISTANCE ? CommonSymbols(search, search->probe, indexed)
												   : pair->distance;
		join->counts->verified++;
		if (common != LCS_BELOW)
			StringFound(search, indexed, common);
	}
	return false;
}

/*
 * Finds matches on the GPU, of strings at some places that it has, and those of them with longer
 * strings on the CPU; returns where to go on, `first` while not all of a range has been taken.
 */
static int32
FindOnGpu(StringSearch *search, DocumentsSide side, int32 first, int32 end)
{
	JoinPipeline *join = search->join;
	JoinCounts *counts = join->counts;
	int32 shorter = search->index->shorter;
	const int32 *by_size = side == JOIN_INDEXED ? join->by_size : join->probes_by_size;
	int32 offset = side == JOIN_INDEXED ? 0 : shorter;
	const TedJoinRange *range = &search->gpu->range;

	if (!search->running)
	{
		if (!GpuSearchRun(search->gpu, offset + first, offset + end))
		{
			LoseGpu(search);
			return first;
		}
		counts->window += range->window;
		counts->prefix += range->window;
		counts->labels += range->labels;
		counts->batches++;
		search->running = true;
		search->next_longer = search->index->count > shorter ? first : range->done - offset;
	}
	if (!TakeFound(search, by_size, offset))
		return first;
	if (search->next_longer < range->done - offset)
	{
		search->next_longer =
			FindOnCpu(search, side, search->next_longer, range->done - offset, shorter);
		return first;
	}
	search->running = false;
	join->place = range->done - offset;
	return range->done - offset;
}

/* Finds the matches of strings at some places. */
static int32
FindStrings(void *arg, DocumentsSide side, int32 first, int32 end)
{
	StringSearch *search = arg;
	int32 on_gpu = 0;

	search->searched = StringsOf(search, side);
	if (search->gpu != NULL && side == JOIN_PROBES && !HandProbesOver(search))
		LoseGpu(search);
	if (search->gpu != NULL)
		on_gpu = side == JOIN_INDEXED ? search->index->shorter : search->gpu_probes;
	return first < on_gpu ? FindOnGpu(search, side, first, Min(end, on_gpu))
						  : FindOnCpu(search, side, first, end, 0);
}

/* Whether the GPU finds pairs. */
static bool
HasGpu(const void *search)
{
	return ((const StringSearch *) search)->gpu != NULL;
}

/* Makes room for other probes. */
static void
ForgetStringProbes(void *arg)
{
	StringSearch *search = arg;

	if (search->gpu != NULL && search->gpu_probes > 0)
		GpuSearchForgetProbes(search->gpu);
	search->handed_over = false;
	search->gpu_probes = 0;
	StringSetReset(search->probes);
	if (Labels(search) != NULL)
		LabelTableForget(Labels(search));
}

/* Whether lengths allow two strings to be within a threshold. */
static bool
LengthsMatch(const DocumentThreshold *threshold, int32 a, int32 b)
{
	return LeastCommon(threshold, (int64) a + b) <= Min(a, b);
}

/* A type of strings as a kind of documents. */
#define STRING_KIND(length, string_type)                                                           \
	{                                                                                              \
		.kind = {.size = length,                                                                   \
				 .sizes_match = LengthsMatch,                                                      \
				 .largest_first = true,                                                            \
				 .labels_filter = "Symbols",                                                       \
				 .open = OpenStringSearch,                                                         \
				 .close = CloseStringSearch,                                                       \
				 .add = AddString,                                                                 \
				 .count = CountStrings,                                                            \
				 .size_of = LengthOf,                                                              \
				 .publish = PublishStrings,                                                        \
				 .build = BuildStrings,                                                            \
				 .numbers = StringNumbers,                                                         \
				 .order = StringOrder,                                                             \
				 .index = IndexStrings,                                                            \
				 .index_memory = StringIndexMemory,                                                \
				 .document_memory = StringMemory,                                                  \
				 .find = FindStrings,                                                              \
				 .takes_all = HasGpu,                                                              \
				 .forget_probes = ForgetStringProbes},                                             \
		.type = &(string_type)                                                                     \
	}

/* The kind of strings of a type. */
const DocumentKind *
StringDocuments(DocumentType type)
{
	static const StringKind kinds[] = {[DOCUMENT_TEXT] = STRING_KIND(TextLength, StringOfText),
									   [DOCUMENT_BYTEA] = STRING_KIND(ByteaLength, StringOfBytea),
									   [DOCUMENT_ARRAY] = STRING_KIND(ArrayLength, StringOfArray)};

	return &kinds[type].kind;
}
