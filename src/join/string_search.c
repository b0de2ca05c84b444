/*
 * string_search.c
 *	  Finds the pairs of strings within a threshold.
 *
 * Strings of m and n symbols match where their longest common subsequence has
 * at least a number of symbols that follows from the threshold and m + n.
 * Lengths are looked at first, which is a range in the order of lengths; then
 * how often symbols occur, of which no more than the lesser number can be
 * common; the length of the subsequence is computed for what these leave, one
 * string against many.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "../compat.h"
#include "../engine/string_session.h"
#include "../string/lcs_threshold.h"
#include "../string/strings.h"
#include "search.h"
#include "string_set.h"

/* Candidates of one string that are verified at once. */
#define CANDIDATES_PER_BATCH 4096

/* Counters of a histogram. */
#define BUCKETS 64

/* How often the symbols of a string occur, by bucket; the counters stop at their maximum. */
typedef struct Histogram
{
	uint8 count[BUCKETS];
} Histogram;

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
	LabelTable *tokens;    /* elements of arrays by their numbers; else NULL */
	StringSet *indexed;
	StringSet *probes;

	/* by place in the order of lengths */
	int32 *length;
	Histogram *histogram;

	/* the string that is looked up, and its candidates */
	const StringSet *searched;
	int32 probe;
	StringSession *session;
	int candidates;
	int32 *candidate; /* numbers */
	LcsText *texts;
	int32 *least; /* common symbols with which they match */
	int32 *lengths;
} StringSearch;

/* Opens a search. */
static void *
OpenSearch(JoinPipeline *join)
{
	StringSearch *search = palloc0_object(StringSearch);

	search->join = join;
	search->type = ((const StringKind *) join->kind)->type;
	search->reading =
		AllocSetContextCreate(CurrentMemoryContext, "ted join string", ALLOCSET_DEFAULT_SIZES);
	search->tokens = CreateTokens(search->type);
	search->indexed = StringSetCreate();
	search->session = StringSessionOpen(CurrentMemoryContext);
	StringSessionLimit(search->session, CurrentMemoryContext, STRING_JOIN);
	StringSessionCount(search->session, &join->counts->engine);
	search->candidate = palloc_array(int32, CANDIDATES_PER_BATCH);
	search->texts = palloc_array(LcsText, CANDIDATES_PER_BATCH);
	search->least = palloc_array(int32, CANDIDATES_PER_BATCH);
	search->lengths = palloc_array(int32, CANDIDATES_PER_BATCH);
	return search;
}

/* Nothing is left but memory. */
static void
CloseSearch(void *search)
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
	Symbols symbols = search->type->read(document, search->tokens, true);
	int32 number = StringSetAdd(StringsOf(search, side), symbols);

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

/* The symbols of a string of a side. */
static Symbols
SymbolsOf(const StringSet *set, int32 number)
{
	return StringSetGet(set, number)->symbols;
}

/* Length of a string of a side. */
static int32
LengthOf(const void *search, DocumentsSide side, int32 number)
{
	return SymbolsOf(StringsOf(search, side), number).count;
}

/* The order of an indexed string. */
static int64
OrderOf(const void *search, int32 number)
{
	return StringSetGet(((const StringSearch *) search)->indexed, number)->order;
}

/* Memory that the elements of arrays take when written, before the strings. */
static Size
TokenBytes(const StringSearch *search)
{
	return search->tokens == NULL ? 0 : MAXALIGN(LabelTableExportBytes(search->tokens));
}

/* Memory that the indexed strings take when written. */
static Size
ExportBytes(const void *arg)
{
	const StringSearch *search = arg;

	return sizeof(Size) + TokenBytes(search) + StringSetExportBytes(search->indexed);
}

/* Writes the indexed strings. */
static void
Export(const void *arg, char *image)
{
	const StringSearch *search = arg;
	Size tokens = TokenBytes(search);

	*(Size *) image = tokens;
	image += sizeof(Size);
	if (search->tokens != NULL)
		LabelTableExport(search->tokens, image);
	StringSetExport(search->indexed, image + tokens);
}

/* Adds strings that were written to be indexed. */
static int32 *
Import(void *arg, const char *image, int worker)
{
	StringSearch *search = arg;
	const char *tokens = image + sizeof(Size);
	int32 *ids = search->tokens == NULL ? NULL : LabelTableImport(search->tokens, tokens);

	return StringSetImport(search->indexed, tokens + *(const Size *) image, worker, ids);
}

/* Counts the symbols of a string. */
static void
CountSymbols(Histogram *histogram, Symbols symbols)
{
	memset(histogram, 0, sizeof(*histogram));
	for (int32 i = 0; i < symbols.count; i++)
	{
		uint8 *count = &histogram->count[symbols.symbol[i] % BUCKETS];

		*count += *count < PG_UINT8_MAX;
	}
}

/*
 * Sum of the differences of all counters.  Every symbol that is outside a
 * common subsequence of two strings changes it by one at most, whatever
 * symbols share a bucket and wherever counters stop.
 */
static inline int32
HistogramDistance(const Histogram *a, const Histogram *b)
{
	int32 distance = 0;

	for (int i = 0; i < BUCKETS; i++)
		distance += abs(a->count[i] - b->count[i]);
	return distance;
}

/* Memory that a string takes in arrays by place. */
#define PLACE_BYTES (sizeof(int32) + sizeof(Histogram))

/* Indexes the strings added. */
static void
IndexStrings(void *arg)
{
	StringSearch *search = arg;
	int32 count = StringSetCount(search->indexed);

	search->length = palloc_extended(sizeof(int32) * (Size) count, MCXT_ALLOC_HUGE);
	search->histogram = palloc_extended(sizeof(Histogram) * (Size) count, MCXT_ALLOC_HUGE);
	for (int32 place = 0; place < count; place++)
	{
		Symbols symbols = SymbolsOf(search->indexed, search->join->by_size[place]);

		CHECK_FOR_INTERRUPTS();
		search->length[place] = symbols.count;
		CountSymbols(&search->histogram[place], symbols);
	}
	if (search->tokens != NULL)
		LabelTableKeep(search->tokens);
	search->probes = StringSetCreate();
}

/* Memory that this will take. */
static Size
IndexMemory(const void *search)
{
	return PLACE_BYTES * (Size) StringSetCount(((const StringSearch *) search)->indexed);
}

/* Memory that a string of a length takes with the index, about. */
static Size
StringMemory(const void *search, int32 length)
{
	(void) search;
	return STRING_SET_BYTES + PLACE_BYTES + sizeof(uint32) * (Size) length;
}

/* Compares the string that is looked up with all candidates. */
static void
Verify(StringSearch *search)
{
	JoinPipeline *join = search->join;
	int32 m;

	if (search->candidates == 0)
		return;
	m = SymbolsOf(search->searched, search->probe).count;
	StringSessionCompute(search->session, search->texts, search->candidates, search->least,
						 search->lengths);
	join->counts->batches++;
	join->counts->verified += search->candidates;
	for (int i = 0; i < search->candidates; i++)
	{
		int32 n = search->texts[i].length;

		if (search->lengths[i] != LCS_BELOW)
			PairFound(join, search->probe, search->candidate[i],
					  (int32) ((int64) m + n - 2 * (int64) search->lengths[i]), Max(m, n),
					  Min(m, n));
	}
	search->candidates = 0;
}

/* Notes an indexed string, by its place, that may have so many symbols in common. */
static void
AddCandidate(StringSearch *search, int32 place, int32 least)
{
	int32 number = search->join->by_size[place];
	Symbols symbols = SymbolsOf(search->indexed, number);

	search->candidate[search->candidates] = number;
	search->least[search->candidates] = least;
	search->texts[search->candidates++] = (LcsText){symbols.symbol, symbols.count};
	if (search->candidates == CANDIDATES_PER_BATCH)
		Verify(search);
}

/* Whether strings of n symbols are too short (-1) or long (1) to match one of m. */
static int
CompareLengths(const TreeThreshold *threshold, int32 m, int32 n)
{
	if (LeastCommon(threshold, (int64) m + n) <= Min(m, n))
		return 0;
	return n < m ? -1 : 1;
}

/* First place from `place` to before `end` of a length that compares to m as at least `order`. */
static int32
FirstOfLength(const StringSearch *search, int32 m, int order, int32 place, int32 end)
{
	while (place < end)
	{
		int32 middle = place + (end - place) / 2;

		if (CompareLengths(&search->join->threshold, m, search->length[middle]) < order)
			place = middle + 1;
		else
			end = middle;
	}
	return place;
}

/* Finds the indexed strings before a place that may match one: all that lengths and counts allow.
 */
static void
FindCandidates(StringSearch *search, Symbols symbols, int32 end)
{
	JoinCounts *counts = search->join->counts;
	int32 m = symbols.count;
	int32 place = FirstOfLength(search, m, 0, 0, end);
	Histogram histogram;

	end = FirstOfLength(search, m, 1, place, end);
	counts->window += end - place;
	counts->prefix += end - place;
	CountSymbols(&histogram, symbols);
	while (place < end)
	{
		int32 n = search->length[place];
		int64 total = (int64) m + n;
		int64 least = LeastCommon(&search->join->threshold, total);

		for (; place < end && search->length[place] == n; place++)
			if (HistogramDistance(&histogram, &search->histogram[place]) <= total - 2 * least)
			{
				counts->labels++;
				AddCandidate(search, place, (int32) least);
			}
	}
}

/* Finds the indexed strings before a place that match one of the strings that are looked up. */
static void
LookUp(StringSearch *search, int32 number, int32 end)
{
	Symbols symbols = SymbolsOf(search->searched, number);

	CHECK_FOR_INTERRUPTS();
	search->probe = number;
	StringSessionSetPattern(search->session, symbols);
	FindCandidates(search, symbols, end);
	Verify(search);
}

/* Finds the matches of strings at some places, of indexed ones with those before them. */
static int32
FindStrings(void *arg, DocumentsSide side, int32 first, int32 end)
{
	StringSearch *search = arg;
	const JoinPipeline *join = search->join;
	int64 enough = join->counts->found + MATCHES_PER_RUN;

	search->searched = StringsOf(search, side);
	for (; first < end && join->counts->found < enough; first++)
	{
		if (side == JOIN_INDEXED)
			LookUp(search, join->by_size[first], first);
		else
			LookUp(search, first, StringSetCount(search->indexed));
	}
	return first;
}

/* Makes room for other probes. */
static void
ForgetProbes(void *arg)
{
	StringSearch *search = arg;

	StringSetReset(search->probes);
	if (search->tokens != NULL)
		LabelTableForget(search->tokens);
}

/* Whether lengths allow two strings to be within a threshold. */
static bool
LengthsMatch(const TreeThreshold *threshold, int32 a, int32 b)
{
	return CompareLengths(threshold, a, b) == 0;
}

/* A type of strings as a kind of documents. */
#define STRING_KIND(length, string_type)                                                           \
	{                                                                                              \
		.kind = {.check_max_distance = CheckLcsDistance,                                           \
				 .size = length,                                                                   \
				 .sizes_match = LengthsMatch,                                                      \
				 .labels_filter = "Symbols",                                                       \
				 .open = OpenSearch,                                                               \
				 .close = CloseSearch,                                                             \
				 .add = AddString,                                                                 \
				 .count = CountStrings,                                                            \
				 .size_of = LengthOf,                                                              \
				 .order_of = OrderOf,                                                              \
				 .export_bytes = ExportBytes,                                                      \
				 .export = Export,                                                                 \
				 .import = Import,                                                                 \
				 .index = IndexStrings,                                                            \
				 .index_memory = IndexMemory,                                                      \
				 .document_memory = StringMemory,                                                  \
				 .find = FindStrings,                                                              \
				 .forget_probes = ForgetProbes},                                                   \
		.type = &(string_type)                                                                     \
	}

/* The kind of strings of a type. */
const DocumentKind *
StringDocuments(DocumentType type)
{
	static const StringKind kinds[] = {
		[DOCUMENT_TEXT] = STRING_KIND(TextLength, StringOfText),
		[DOCUMENT_BYTEA] = STRING_KIND(ByteaLength, StringOfBytea),
		[DOCUMENT_TEXT_ARRAY] = STRING_KIND(ArrayLength, StringOfTextArray),
		[DOCUMENT_INT_ARRAY] = STRING_KIND(ArrayLength, StringOfIntArray),
		[DOCUMENT_BIGINT_ARRAY] = STRING_KIND(ArrayLength, StringOfBigintArray)};

	return &kinds[type].kind;
}
