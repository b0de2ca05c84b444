/*
 * strings.c
 *	  Strings of the types that are compared, as symbols.
 *
 * Every string becomes an array of 32-bit symbols, a text one of its characters.
 */
#include "postgres.h"

#include "access/detoast.h"
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
#include "short_strings.h"
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

const StringType StringOfText = {TakeShortTexts, CacheText, ReadText, MakeText, false};
const StringType StringOfBytea = {TakeShortBytes, CacheBytea, ReadBytea, MakeBytea, false};
const StringType StringOfTextArray = {TakeShortTextArrays, CacheTextArray, ReadTextArray,
									  MakeTextArray, true};
const StringType StringOfIntArray = {TakeShortIntArrays, CacheIntArray, ReadIntArray, MakeIntArray,
									 false};
const StringType StringOfBigintArray = {TakeShortBigintArrays, CacheBigintArray, ReadBigintArray,
										MakeBigintArray, true};

/* Characters of a text. */
int32
TextLength(Datum value)
{
	text *string = DatumGetTextPP(value);
	int32 length = pg_mbstrlen_with_len(VARDATA_ANY(string), (int) VARSIZE_ANY_EXHDR(string));

	if ((Pointer) string != DatumGetPointer(value))
		pfree(string);
	return length;
}

/* Bytes of a bytea. */
int32
ByteaLength(Datum value)
{
	return (int32) (toast_raw_datum_size(value) - VARHDRSZ);
}

/* Elements of an array. */
int32
ArrayLength(Datum value)
{
	ArrayType *array = DatumGetArrayTypeP(value);
	int32 length = ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array));

	if ((Pointer) array != DatumGetPointer(value))
		pfree(array);
	return length;
}

/* Makes an empty table for the elements of arrays that are numbered; NULL for other strings. */
LabelTable *
CreateTokens(const StringType *type)
{
	return type->numbered ? LabelTableCreate() : NULL;
}

/* Reads the first two arguments of a function. */
void
StringArguments(FunctionCallInfo fcinfo, const StringType *type, StringPair *pair)
{
	int position;

	pair->cached = NULL;
	if (type->take_short(fcinfo, pair))
		return;
	pair->cached = CacheArgument(fcinfo, type->cache, &position);
	pair->other = type->read(PG_GETARG_DATUM(1 - position), pair->cached->tokens, false);
	pair->a = (LcsText){pair->cached->symbols.symbol, pair->cached->symbols.count};
	pair->b = (LcsText){pair->other.symbol, pair->other.count};
}

/*
 * Length of the longest common subsequence of a cached string and another one, if it is at
 * least `least`.  A pattern much longer than the text would take more time and memory than
 * preparing the text does.
 */
static int32
CachedLength(CachedString *cached, Symbols other, int32 least)
{
	LcsText text = {other.symbol, other.count};
	bool again = cached->again;
	int32 length;

	cached->again = true;
	if (!again || cached->symbols.count / 2 > other.count)
		return StringsLength(cached->symbols, other, least);
	if (cached->session == NULL)
	{
		cached->session = StringSessionOpen(GetMemoryChunkContext(cached));
		StringSessionSetPattern(cached->session, cached->symbols);
	}
	StringSessionCompute(cached->session, &text, 1, &least, &length);
	return length;
}

/* Length of the longest common subsequence of both strings if it is at least `least`. */
int32
StringPairLength(const StringPair *pair, int32 least)
{
	if (pair->cached == NULL)
		return ShortStringsLength(&pair->a, &pair->b, pair->symbol_bytes, least);
	return CachedLength(pair->cached, pair->other, least);
}
