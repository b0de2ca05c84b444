/*
 * lcs_nearest.c
 *	  The SQL function lcs_nearest(): the strings of an array that are most similar to
 *	  one string.
 *
 * Strings are compared in batches, in their order.  Once k strings are kept, the worst of
 * them sets the least similarity of further ones.
 */
#include "postgres.h"

#include <math.h>

#include "funcapi.h"
#include "lib/binaryheap.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/arrayaccess.h"
#include "utils/memutils.h"

#include "../compat.h"
#include "../catalog/row_type.h"
#include "../common/characters.h"
#include "lcs_threshold.h"
#include "strings.h"

/*
 * Strings in the first batch and in the largest one.  Each batch is twice as large as the
 * previous one.
 */
#define FIRST_TOGETHER 64
#define MOST_TOGETHER 1024

/* Symbols in a batch, unless one string alone has more. */
#define SYMBOLS_TOGETHER 8192

/* Writes the symbols of a string to an array with space for one per byte.  Returns their number. */
typedef int32 (*SymbolReader)(const char *bytes, int32 length, uint32 *symbol);

/* A string of the array. */
typedef struct Doc
{
	Datum value;
	int32 n; /* place in the array, from 1 */
	float8 similarity;
} Doc;

/* A search for the nearest strings. */
typedef struct NearestSearch
{
	Symbols query;
	StringSession *session;
	SymbolReader read;
	float8 min_similarity;

	/* the batch of strings to compare */
	Doc docs[MOST_TOGETHER];
	LcsText texts[MOST_TOGETHER];
	int32 least[MOST_TOGETHER];
	int32 lengths[MOST_TOGETHER];
	int count;
	int together; /* strings in a full batch */
	uint32 *symbol;
	Size used;
	Size capacity;

	/* the best strings so far */
	Doc *kept;
	int kept_count;
	int k;
	binaryheap *worst; /* heap of places in `kept`, the worst string first */
} NearestSearch;

/* Compares two kept strings: positive if the first is worse, negative if it is better. */
static int
CompareKept(Datum a, Datum b, void *arg)
{
	const Doc *kept = ((NearestSearch *) arg)->kept;
	const Doc *x = &kept[DatumGetInt32(a)];
	const Doc *y = &kept[DatumGetInt32(b)];

	if (x->similarity != y->similarity)
		return x->similarity < y->similarity ? 1 : -1;
	return x->n > y->n ? 1 : -1;
}

/* Returns the worst kept string. */
static Doc *
WorstKept(const NearestSearch *search)
{
	return &search->kept[DatumGetInt32(binaryheap_first(search->worst))];
}

/* Compares the strings of the batch with the query, and keeps the k best of all. */
static void
CompareAdded(NearestSearch *search)
{
	if (search->count == 0)
		return;
	StringSessionCompute(search->session, search->texts, search->count, search->least,
						 search->lengths);
	for (int i = 0; i < search->count; i++)
	{
		Doc *doc = &search->docs[i];
		int64 total = (int64) search->query.count + search->texts[i].length;

		CHECK_FOR_INTERRUPTS();
		if (search->lengths[i] == LCS_BELOW)
			continue;
		doc->similarity = LcsSimilarity(search->lengths[i], total);
		if (search->kept_count < search->k)
		{
			search->kept[search->kept_count] = *doc;
			binaryheap_add(search->worst, Int32GetDatum(search->kept_count++));
		}
		else if (doc->similarity > WorstKept(search)->similarity)
		{
			*WorstKept(search) = *doc;
			binaryheap_replace_first(search->worst, binaryheap_first(search->worst));
		}
	}
	search->together = Min(2 * search->together, MOST_TOGETHER);
	search->count = 0;
	search->used = 0;
}

/* Adds a string to the batch, unless its length alone shows that it is not similar enough. */
static void
AddDoc(NearestSearch *search, Datum value, int32 n)
{
	struct varlena *bytes = PG_DETOAST_DATUM_PACKED(value);
	Size symbols = VARSIZE_ANY_EXHDR(bytes);
	float8 similarity = search->min_similarity;
	uint32 *symbol;
	int32 count;
	int64 least;

	if (search->used + symbols > search->capacity)
		CompareAdded(search);
	if (symbols > search->capacity)
	{
		if (search->symbol != NULL)
			pfree(search->symbol);
		search->capacity = Max(symbols, SYMBOLS_TOGETHER);
		search->symbol = AllocSymbols(search->capacity);
	}
	/* as it comes later than all kept strings, it must be more similar than the worst one */
	if (search->kept_count == search->k)
		similarity = nextafter(WorstKept(search)->similarity, 2);
	symbol = search->symbol + search->used;
	count = search->read(VARDATA_ANY(bytes), VARSIZE_ANY_EXHDR(bytes), symbol);
	least = LeastCommonSimilar(similarity, (int64) search->query.count + count);
	if (least > Min(search->query.count, count))
		return;
	search->docs[search->count] = (Doc){.value = PointerGetDatum(bytes), .n = n};
	search->texts[search->count] = (LcsText){symbol, count};
	search->least[search->count++] = (int32) least;
	search->used += count;
	if (search->count == search->together)
		CompareAdded(search);
}

/* Allocates a search for the k strings nearest to a query. */
static NearestSearch *
OpenNearestSearch(Symbols query, SymbolReader read, int k)
{
	Size bytes = sizeof(NearestSearch) + (sizeof(Doc) + sizeof(Datum)) * (Size) k;
	NearestSearch *search;

	CheckStringMemory(bytes);
	if (!AllocSizeIsValid(sizeof(binaryheap) + sizeof(Datum) * (Size) k))
		ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
						errmsg("too many nearest strings are wanted"),
						errdetail("They may take 1 GB."), errhint("Ask for fewer.")));
	search = palloc(sizeof(NearestSearch));
	search->query = query;
	search->session = StringSessionOpen(CurrentMemoryContext);
	StringSessionSetPattern(search->session, query);
	search->read = read;
	search->count = 0;
	search->together = FIRST_TOGETHER;
	search->symbol = NULL;
	search->used = 0;
	search->capacity = 0;
	search->kept = MemoryContextAllocHuge(CurrentMemoryContext, sizeof(Doc) * (Size) k);
	search->kept_count = 0;
	search->k = k;
	search->worst = binaryheap_allocate(k, CompareKept, search);
	return search;
}

/* Attributes of a row of lcs_nearest(). */
enum
{
	N,
	SIMILARITY,
	DOC,
	ATTRIBUTES
};

/* Writes the kept strings as rows, the best one first. */
static void
EmitKept(ReturnSetInfo *result, NearestSearch *search)
{
	int32 *order = MemoryContextAllocHuge(CurrentMemoryContext, sizeof(int32) * search->k);
	bool nulls[ATTRIBUTES] = {false};

	for (int i = search->kept_count; i > 0; i--)
	{
		CHECK_FOR_INTERRUPTS();
		order[i - 1] = DatumGetInt32(binaryheap_remove_first(search->worst));
	}
	for (int i = 0; i < search->kept_count; i++)
	{
		const Doc *doc = &search->kept[order[i]];
		Datum values[ATTRIBUTES] = {[N] = Int32GetDatum(doc->n),
									[SIMILARITY] = Float8GetDatum(doc->similarity),
									[DOC] = doc->value};

		CHECK_FOR_INTERRUPTS();
		tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
	}
}

/* Returns the strings of an array that are most similar to a query. */
static Datum
LcsNearest(FunctionCallInfo fcinfo, const StringType *type, SymbolReader read)
{
	int32 k = PG_GETARG_INT32(2);
	AnyArrayType *array;
	array_iter elements;
	int count;
	NearestSearch *search;

	if (k < 0)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("k must not be negative"),
						errdetail("It is the number of strings to return."),
						errhint("Use a k of at least 0.")));
	CheckMinSimilarity(PG_GETARG_FLOAT8(3));
	InitRows(fcinfo, (char[]){'i', 'd', type->letter, '\0'});
	array = PG_GETARG_ANY_ARRAY_P(1);
	count = ArrayGetNItems(AARR_NDIM(array), AARR_DIMS(array));
	k = Min(k, count);
	if (k == 0)
		return (Datum) 0;
	search = OpenNearestSearch(type->read(PG_GETARG_DATUM(0), NULL, false), read, k);
	search->min_similarity = PG_GETARG_FLOAT8(3);
	ArrayIterSetup(&elements, array, -1, false, TYPALIGN_INT);
	for (int i = 0; i < count; i++)
	{
		bool null;
		Datum value = ArrayIterNext(&elements, &null, i, -1, false, TYPALIGN_INT);

		CHECK_FOR_INTERRUPTS();
		if (!null)
			AddDoc(search, value, i + 1);
	}
	CompareAdded(search);
	EmitKept((ReturnSetInfo *) fcinfo->resultinfo, search);
	return (Datum) 0;
}

PG_FUNCTION_INFO_V1(lcs_nearest_text);

/* Returns the texts of an array that are most similar to a text. */
Datum
lcs_nearest_text(PG_FUNCTION_ARGS)
{
	return LcsNearest(fcinfo, &StringOfText, ReadCharacters);
}

PG_FUNCTION_INFO_V1(lcs_nearest_bytea);

/* Returns the byte strings of an array that are most similar to a byte string. */
Datum
lcs_nearest_bytea(PG_FUNCTION_ARGS)
{
	return LcsNearest(fcinfo, &StringOfBytea, ReadByteSymbols);
}
