/*
 * strings.c
 *	  Strings of the types that are compared, as symbols.
 *
 * Every string becomes an array of 32-bit symbols, a text one of its characters.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/memutils.h"

#include "../compat.h"
#include "../common/cached_argument.h"
#include "../common/characters.h"
#include "../common/labels.h"
#include "made_strings.h"
#include "strings.h"

/* Bytes that an array element takes while it is interned, at most, beside its own bytes. */
#define TOKEN_BYTES 192

/* Takes memory for this number of symbols. */
uint32 *
AllocSymbols(Size count)
{
	Size bytes = count * sizeof(uint32);

	CheckStringMemory(bytes);
	return MemoryContextAllocHuge(CurrentMemoryContext, bytes);
}

/* The characters of a text. */
Symbols
TextSymbols(const text *value)
{
	int32 bytes = VARSIZE_ANY_EXHDR(value);
	Symbols result = {.symbol = AllocSymbols(bytes)};

	result.count = ReadCharacters(VARDATA_ANY(value), bytes, result.symbol);
	return result;
}

/* Reads a text. */
static Symbols
ReadText(Datum value, LabelTable *tokens, bool adding)
{
	(void) tokens;
	(void) adding;
	return TextSymbols(DatumGetTextPP(value));
}

/* Reads the bytes of a bytea. */
static Symbols
ReadBytea(Datum datum, LabelTable *tokens, bool adding)
{
	const bytea *value = DatumGetByteaPP(datum);
	const uint8 *bytes = (const uint8 *) VARDATA_ANY(value);
	int32 count = VARSIZE_ANY_EXHDR(value);
	Symbols result = {AllocSymbols(count), count};

	(void) tokens;
	(void) adding;
	for (int32 i = 0; i < count; i++)
	{
		result.symbol[i] = bytes[i];
		CHECK_FOR_INTERRUPTS();
	}
	return result;
}

/* Number of elements of an array that is one sequence of known elements. */
static int32
TokenCount(ArrayType *array)
{
	if (ARR_NDIM(array) > 1)
		ereport(ERROR, (errcode(ERRCODE_ARRAY_SUBSCRIPT_ERROR),
						errmsg("array to compare must have one dimension"),
						errdetail("The array has %d dimensions.", ARR_NDIM(array)),
						errhint("Compare its rows one by one, or flatten it with unnest().")));
	if (array_contains_nulls(array))
		ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
						errmsg("array to compare must not contain nulls"),
						errdetail("Whether a null equals another element is unknown."),
						errhint("Remove nulls with array_remove(), or use array_replace().")));
	return ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array));
}

/* Reads the elements of an int[], which stay where they are. */
static Symbols
ReadIntArray(Datum value, LabelTable *tokens, bool adding)
{
	ArrayType *array = DatumGetArrayTypeP(value);
	int32 count = TokenCount(array);

	(void) tokens;
	(void) adding;
	return (Symbols){(uint32 *) ARR_DATA_PTR(array), count};
}

/* The number of an element in the table; a new one goes in where `adding`. */
static uint32
TokenNumber(LabelTable *tokens, const char *bytes, int length, bool adding)
{
	CHECK_FOR_INTERRUPTS();
	return adding ? LabelTableIntern(tokens, bytes, length) : LabelTableFind(tokens, bytes, length);
}

/* Reads the elements of a text[], by their numbers. */
static Symbols
ReadTextArray(Datum value, LabelTable *tokens, bool adding)
{
	ArrayType *array = DatumGetArrayTypeP(value);
	Symbols result;
	Datum *elements;

	CheckStringMemory(VARSIZE(array) + (Size) TokenCount(array) * TOKEN_BYTES);
	deconstruct_array(array, TEXTOID, -1, false, TYPALIGN_INT, &elements, NULL, &result.count);
	result.symbol = AllocSymbols(result.count);
	for (int32 i = 0; i < result.count; i++)
	{
		text *element = DatumGetTextPP(elements[i]);

		result.symbol[i] =
			TokenNumber(tokens, VARDATA_ANY(element), (int) VARSIZE_ANY_EXHDR(element), adding);
	}
	pfree(elements);
	return result;
}

/* Reads the elements of a bigint[], by their numbers. */
static Symbols
ReadBigintArray(Datum value, LabelTable *tokens, bool adding)
{
	ArrayType *array = DatumGetArrayTypeP(value);
	int32 count = TokenCount(array);
	const char *element = ARR_DATA_PTR(array);
	Symbols result = {.count = count};

	CheckStringMemory(VARSIZE(array) + (Size) count * TOKEN_BYTES);
	result.symbol = AllocSymbols(count);
	for (int32 i = 0; i < count; i++, element += sizeof(int64))
		result.symbol[i] = TokenNumber(tokens, element, sizeof(int64), adding);
	return result;
}

/* A string that is cached from call to call. */
struct CachedString
{
	Symbols symbols;
	LabelTable *tokens;     /* of an array whose elements are numbered */
	bool again;             /* it has come again, so that preparing it pays */
	StringSession *session; /* compares it; NULL until then */
};

/* Reads a string to cache. */
static CachedString *
CacheString(Datum value, const StringType *type)
{
	CachedString *cached = palloc0_object(CachedString);

	cached->tokens = CreateTokens(type);
	cached->symbols = type->read(value, cached->tokens, true);
	return cached;
}

/* Reads a text to cache. */
static void *
CacheText(Datum value)
{
	return CacheString(value, &StringOfText);
}

/* Reads a bytea to cache. */
static void *
CacheBytea(Datum value)
{
	return CacheString(value, &StringOfBytea);
}

/* Reads a text[] to cache. */
static void *
CacheTextArray(Datum value)
{
	return CacheString(value, &StringOfTextArray);
}

/* Copies an int[] to cache. */
static void *
CacheIntArray(Datum value)
{
	return CacheString(PointerGetDatum(DatumGetArrayTypePCopy(value)), &StringOfIntArray);
}

/* Reads a bigint[] to cache. */
static void *
CacheBigintArray(Datum value)
{
	return CacheString(value, &StringOfBigintArray);
}

const StringType StringOfText = {CacheText, ReadText, MakeText, false};
const StringType StringOfBytea = {CacheBytea, ReadBytea, MakeBytea, false};
const StringType StringOfTextArray = {CacheTextArray, ReadTextArray, MakeTextArray, true};
const StringType StringOfIntArray = {CacheIntArray, ReadIntArray, MakeIntArray, false};
const StringType StringOfBigintArray = {CacheBigintArray, ReadBigintArray, MakeBigintArray, true};

/* Makes an empty table for the elements of arrays that are numbered; NULL for other strings. */
LabelTable *
CreateTokens(const StringType *type)
{
	return type->numbered ? LabelTableCreate() : NULL;
}

/* Reads the first two arguments of a function, one of which may be cached. */
StringPair
StringArguments(FunctionCallInfo fcinfo, const StringType *type)
{
	int position;
	CachedString *cached = CacheArgument(fcinfo, type->cache, &position);

	return (StringPair){cached, type->read(PG_GETARG_DATUM(1 - position), cached->tokens, false)};
}

/* Symbols of both strings. */
int64
StringPairTotal(const StringPair *pair)
{
	return (int64) pair->cached->symbols.count + pair->other.count;
}

/*
 * Length of the longest common subsequence of both strings.  A pattern much
 * longer than the text would take more time and memory than preparing the text
 * does.
 */
int32
StringPairLength(const StringPair *pair, int32 least)
{
	CachedString *cached = pair->cached;
	LcsText text = {pair->other.symbol, pair->other.count};
	bool again = cached->again;
	int32 length;

	cached->again = true;
	if (!again || cached->symbols.count / 2 > pair->other.count)
		return StringsLength(cached->symbols, pair->other, least);
	if (cached->session == NULL)
	{
		cached->session = StringSessionOpen(GetMemoryChunkContext(cached));
		StringSessionSetPattern(cached->session, cached->symbols);
	}
	StringSessionCompute(cached->session, &text, 1, &least, &length);
	return length;
}
