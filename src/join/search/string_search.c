/*
 * string_search.c
 *	  Finds the pairs of strings within a threshold.
 *
 * Strings of m and n symbols match if their longest common subsequence has at least a number of
 * symbols that follows from the threshold and m + n.  Lengths and symbols exclude most pairs
 * (lcs_candidates.h), for many strings at once; for most pairs of short strings, they also give the
 * length of the common subsequence.  For other candidates it is computed, one string against many.
 *
 * If there are several blocks, the longest strings are indexed first.  A string can have fewer
 * symbols outside a common subsequence with a longer string than the reverse, so this leaves fewer
 * candidates.
 *
 * A GPU finds the pairs of short strings; the CPU finds pairs with longer strings.
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

/* Most candidates of a string that are verified at once, and most short ones among them. */
#define CANDIDATES_PER_BATCH 4096
#define SHORT_PER_BATCH 256

/* Strings that are looked up at once, at first. */
#define FIRST_PROBES 16

/* The strings of a type as a kind of documents. */
typedef struct StringKind
{
	DocumentKind kind; /* first member */
	const StringType *type;
} StringKind;

/* A search of strings. */
typedef struct StringSearch
{
	JoinPipeline *join;
	const StringType *type;
	MemoryContext reading; /* context of one string that is being read */
	Elements *elements;    /* of arrays; otherwise NULL */
	StringSet *indexed;
	SharedStrings *shared; /* strings that the members of the team have built, or NULL */
	StringSet *probes;

	/* members for filters */
	LcsIndexedStrings counted; /* counts of the strings to be indexed */
	LcsCandidateIndex *index;
	LcsCandidateSearch *candidate_search;
	int probes_at_once; /* probes to look up next */

	/* members for a GPU */
	GpuSearch *gpu; /* NULL if the CPU finds all pairs */
	int32 least_common[TED_JOIN_STRING_TOTALS];
	bool handed_over;  /* whether the probes have been sent to the GPU */
	int32 gpu_probes;  /* short probes that the GPU has, which are the first by size */
	int32 next_longer; /* place of the string to look up next among longer strings */
	int32 end_longer;  /* end of the range whose strings are */

	/* the string that is looked up, and its candidates */
	const StringSet *searched;
	int32 probe;
	StringSession *session;
	int candidates;
	int32 *candidate; /* numbers of the candidates */
	LcsText *texts;
	int short_texts;
	uint32 (*short_text)[LCS_MOST_FEATURES]; /* symbols of short candidates, which are stored in
											  * fewer bytes */
	int32 *least;                            /* least common symbols of a match with each candidate
											  * */
	int32 *lengths;
} StringSearch;

/* Returns the table of the elements of arrays; NULL if symbols need no table. */
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
	search->session->what = STRING_JOIN;
	search->session->counts = &join->counts->engine;
	/* only the leader uses a GPU, as its context stays open */
	if (IsParallelWorker())
		search->session->on_cpu = true;
	search->probes_at_once = FIRST_PROBES;
	search->candidate = palloc_array(int32, CANDIDATES_PER_BATCH);
	search->texts = palloc_array(LcsText, CANDIDATES_PER_BATCH);
	search->short_text = palloc(sizeof(*search->short_text) * SHORT_PER_BATCH);
	search->least = palloc_array(int32, CANDIDATES_PER_BATCH);
	search->lengths = palloc_array(int32, CANDIDATES_PER_BATCH);
	return search;
}

/* Returns the strings of a side. */
static StringSet *
StringsOf(const StringSearch *search, DocumentsSide side)
{
	return side == JOIN_INDEXED ? search->indexed : search->probes;
}

/* Adds a string to a side; returns its number. */
static int32
AddString(void *arg, DocumentsSide side, Datum document)
{
	StringSearch *search = arg;
	MemoryContext caller = MemoryContextSwitchTo(search->reading);
	Symbols symbols = search->type->read(document, search->elements, true);
	StringSet *set = StringsOf(search, side);
	int32 count = set->count;
	int32 number = StringSetAdd(set, symbols);

	if (side == JOIN_INDEXED && number == count)
		lcs_count_string(&search->counted, symbols.count);

	MemoryContextReset(search->reading);
	MemoryContextSwitchTo(caller);
	return number;
}

/* Returns the number of strings of a side. */
static int32
CountStrings(const void *search, DocumentsSide side)
{
	return StringsOf(search, side)->count;
}

/* Returns the length of a string of a side. */
static int32
LengthOf(const void *search, DocumentsSide side, int32 number)
{
	return StringSetLength(StringsOf(search, side), number);
}

/* Returns the least common symbols of two matching strings with `total` symbols together. */
static int64
LeastOfJoin(const void *join, int64 total)
{
	return LeastCommon(&((const JoinPipeline *) join)->threshold, total);
}

/* Publishes the strings added, for the members of the team. */
static void
PublishStrings(void *arg)
{
	StringSearch *search = arg;

	SharedDocumentsPublish(search->join->team, search->indexed->stored, search->indexed->count);
	if (Labels(search) != NULL)
		SharedLabelsPublish(search->join->team, Labels(search), NULL);
}

/* Builds the strings and the index of all members, together with them. */
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

/* Returns the places of the strings that a member has published. */
static const int32 *
StringNumbers(const void *search, int member)
{
	return SharedDocumentsPlaces(((const StringSearch *) search)->join->team, member);
}

/* Returns the order of the strings that a team has built, or NULL. */
static int32 *
StringOrder(void *arg)
{
	const StringSearch *search = arg;

	return search->shared == NULL ? NULL : search->shared->order;
}

/* Returns the most strings to look up at once; only a few if the index is small. */
static int
MostProbes(const StringSearch *search)
{
	return search->counted.shorter < LCS_LEAST_BLOCK_STRINGS ? FIRST_PROBES : LCS_PROBES;
}

/* Returns the bytes that indexing the strings will take. */
static Size
StringIndexMemory(const void *arg)
{
	const StringSearch *search = arg;
	Size bytes = lcs_candidate_index_memory(&search->counted) +
				 lcs_candidate_search_memory(&search->counted, MostProbes(search));

	if (search->join->team != NULL)
		bytes += SHARED_STRING_BYTES * (Size) search->indexed->count;
	return bytes - Min(bytes, StringSetAddingBytes(search->indexed));
}

/*
 * Estimates the bytes of a string of this length in the index; short ones seldom need 4 per symbol.
 */
static Size
StringMemory(const void *search, int32 length)
{
	bool narrow = length <= LCS_MOST_FEATURES && Labels(search) == NULL;
	Size symbol_bytes = narrow ? sizeof(uint16) : sizeof(uint32);

	return STRING_SET_BYTES + symbol_bytes * (Size) length + lcs_candidate_bytes(length);
}

/* Returns a string of a set, for the core. */
static LcsString
GetString(const void *set, int32_t number)
{
	return StringSetGet(set, number);
}

/* Indexes the strings added, unless the members of the team have done so. */
static void
IndexStrings(void *arg)
{
	StringSearch *search = arg;
	Size probes = lcs_candidate_search_memory(&search->counted, MostProbes(search));
	TedArena arena;
	TedJoinStrings strings;

	/* what is numbered from here on belongs to probes */
	StringSetFinish(search->indexed);
	if (Labels(search) != NULL)
		LabelTableKeep(Labels(search));
	if (search->shared == NULL)
	{
		JoinPipeline *join = search->join;
		TedArena index_arena;

		ArenaInit(&index_arena, lcs_candidate_index_memory(&search->counted));
		CheckStatus(lcs_candidate_index(&(LcsStrings){GetString, search->indexed}, join->by_size,
										search->indexed->count, (LcsLeast){LeastOfJoin, join},
										&index_arena, &PgInterrupt, &search->index));
	}
	else
		search->index = &search->shared->index;
	ArenaInit(&arena, probes);
	CheckStatus(lcs_candidate_search(search->index, MostProbes(search), &arena, &PgInterrupt,
									 &search->candidate_search));

	/* leave short strings to the GPU, if it is estimated to be much faster */
	strings = (TedJoinStrings){search->index, search->least_common};
	for (int total = 0; total < TED_JOIN_STRING_TOTALS; total++)
		search->least_common[total] = (int32) Min(LeastOfJoin(search->join, total), total + 1);
	search->gpu = GpuSearchOpenStrings(&strings, search->join->team, &search->join->counts->engine);

	search->probes = StringSetCreate(Labels(search) != NULL, NULL);
}

/* Passes on a match: a string that has `common` symbols in common with the one looked up. */
static void
StringFound(const StringSearch *search, int32 indexed, int32 common)
{
	int32 m = StringSetLength(search->searched, search->probe);
	int32 n = StringSetLength(search->indexed, indexed);

	PairFound(search->join, search->probe, indexed, (int32) ((int64) m + n - 2 * (int64) common),
			  Max(m, n), Min(m, n));
}

/* Compares the string that is looked up with its candidates. */
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

/* Finds the matches among the candidates of a string, which are at the given places. */
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

		if (IsLeftOut(search->join, number, indexed))
			continue;
		if (lengths[i] == LCS_UNKNOWN)
		{
			LcsString string = StringSetGet(search->indexed, indexed);
			uint32 *wide = search->short_text[search->short_texts];

			search->candidate[search->candidates] = indexed;
			search->least[search->candidates] =
				(int32) LeastCommon(&search->join->threshold, (int64) probe.length + string.length);
			search->texts[search->candidates++] =
				(LcsText){lcs_wide_symbols(&string, wide), string.length};
			search->short_texts += string.symbol_bytes < (int32) sizeof(uint32);
			if (search->candidates == CANDIDATES_PER_BATCH ||
				search->short_texts == SHORT_PER_BATCH)
				Verify(search);
			continue;
		}
		search->join->counts->verified++;
		StringFound(search, indexed, lengths[i]);
	}
	Verify(search);
}

/* Finds the matches of the strings that are looked up, whose numbers are given. */
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

/* Compares probes by length, for qsort_arg(). */
static int
CompareLengths(const void *a, const void *b, void *probes)
{
	return StringSetLength(probes, *(const int32 *) a) -
		   StringSetLength(probes, *(const int32 *) b);
}

/* Finds the matches of some probes among the strings from rank `least` on. */
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

/*
 * Finds the matches of the strings from place `first` to before `end` among those from place
 * `least` on.  Looks up many strings at once, as long as they have about as many matches as wanted.
 * Returns the place where to continue.
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
		{
			/* their matches are at higher places */
			lcs_look_up_ranks(search->candidate_search, first, count, least);
			FindMatches(search, search->join->by_size + first, count);
		}
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
 * Sends the short probes to the GPU, which may change the probes' order; leaves them to the CPU if
 * they are too few for blocks.  Returns false if the GPU is lost.
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
	for (int32 i = 0; i < search->probes->count; i++)
		lcs_count_string(&counted, StringSetLength(search->probes, by_size[i]));
	search->gpu_probes = counted.shorter < LCS_LEAST_BLOCK_STRINGS ? 0 : counted.shorter;
	if (search->gpu_probes == 0)
		return true;
	counted.longer = 0;
	ArenaInit(&arena, lcs_candidate_index_memory(&counted));
	CheckStatus(lcs_lay_out_probes(search->index, &(LcsStrings){GetString, search->probes}, by_size,
								   search->gpu_probes, &arena, &PgInterrupt, &probes));
	taken = GpuJoinAddStrings(search->gpu->join, &(TedJoinStrings){probes, search->least_common});
	pfree(arena.base);
	return taken;
}

/* Adds a range that the GPU has compared to the counts. */
static void
CountStringRange(JoinCounts *counts, const TedJoinRange *range)
{
	counts->prefix += range->window;
}

/* Takes a pair of short strings that the GPU has found; compares them if it was left open. */
static void
TakeStringPair(void *arg, int32 probe, int32 indexed, int32 distance)
{
	StringSearch *search = arg;
	int32 common = distance;

	if (IsLeftOut(search->join, probe, indexed))
		return;
	if (distance == TED_NO_DISTANCE)
	{
		LcsString a = StringSetGet(search->searched, probe);
		LcsString b = StringSetGet(search->indexed, indexed);
		uint32 room_a[LCS_MOST_FEATURES];
		uint32 room_b[LCS_MOST_FEATURES];

		common = StringsLengthByCpu(
			(Symbols){unconstify(uint32 *, lcs_wide_symbols(&a, room_a)), a.length},
			(Symbols){unconstify(uint32 *, lcs_wide_symbols(&b, room_b)), b.length},
			search->least_common[a.length + b.length]);
	}
	search->probe = probe;
	search->join->counts->verified++;
	if (common != LCS_BELOW)
		StringFound(search, indexed, common);
}

/*
 * Finds the matches of short strings on the GPU, and their matches with longer strings on the CPU.
 * Returns the place where to continue, which is `first` until a range has been completed.
 */
static int32
FindOnGpu(StringSearch *search, DocumentsSide side, int32 first, int32 end)
{
	int32 shorter = search->index->shorter;

	if (search->next_longer == search->end_longer)
	{
		int32 next = GpuSearchFind(&search->gpu, search->join, side, first, end, CountStringRange,
								   TakeStringPair);

		if (next == first || search->index->count == shorter)
		{
			search->join->place = next;
			return next;
		}
		search->next_longer = first;
		search->end_longer = next;
	}
	search->next_longer = FindOnCpu(search, side, search->next_longer, search->end_longer, shorter);
	return search->next_longer < search->end_longer ? first : search->end_longer;
}

/* Finds the matches of strings at some places. */
static int32
FindStrings(void *arg, DocumentsSide side, int32 first, int32 end)
{
	StringSearch *search = arg;
	int32 on_gpu = 0;

	search->searched = StringsOf(search, side);
	if (search->gpu != NULL && side == JOIN_PROBES && !HandProbesOver(search))
		GpuSearchClose(&search->gpu);
	if (search->gpu != NULL)
		on_gpu = side == JOIN_INDEXED ? search->index->shorter : search->gpu_probes;
	return first < on_gpu ? FindOnGpu(search, side, first, Min(end, on_gpu))
						  : FindOnCpu(search, side, first, end, 0);
}

/* Whether a GPU finds the pairs. */
static bool
HasGpu(const void *search)
{
	return ((const StringSearch *) search)->gpu != NULL;
}

/* Frees the probes, to make room for others. */
static void
ForgetStringProbes(void *arg)
{
	StringSearch *search = arg;

	if (search->gpu != NULL && search->gpu_probes > 0)
		GpuJoinForget(search->gpu->join, search->gpu->indexed);
	search->handed_over = false;
	search->gpu_probes = 0;
	StringSetReset(search->probes);
	if (Labels(search) != NULL)
		LabelTableForget(Labels(search));
}

/* Whether the lengths of two strings allow them to be within a threshold. */
static bool
LengthsMatch(const DocumentThreshold *threshold, int32 a, int32 b)
{
	return LeastCommon(threshold, (int64) a + b) <= Min(a, b);
}

/* Defines the kind of documents for a type of strings. */
#define STRING_KIND(length, string_type)                                                           \
	{                                                                                              \
		.kind = {.size = length,                                                                   \
				 .sizes_match = LengthsMatch,                                                      \
				 .largest_first = true,                                                            \
				 .labels_filter = "Symbols",                                                       \
				 .open = OpenStringSearch,                                                         \
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

const DocumentKind *
StringDocuments(DocumentType type)
{
	static const StringKind kinds[] = {[DOCUMENT_TEXT] = STRING_KIND(TextLength, StringOfText),
									   [DOCUMENT_BYTEA] = STRING_KIND(ByteaLength, StringOfBytea),
									   [DOCUMENT_ARRAY] = STRING_KIND(ArrayLength, StringOfArray)};

	return &kinds[type].kind;
}
