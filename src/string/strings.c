/*
 * strings.c
 *	  Strings of all types that can be compared, as symbols.
 *
 * Every string becomes an array of 32-bit symbols.  The symbols of a text are its
 * characters.
 */
#include "postgres.h"

#include "access/detoast.h"
#include "catalog/pg_type.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

#include "../compat.h"
#include "../common/cached_argument.h"
#include "../common/characters.h"
#include "made_strings.h"
#include "short_strings.h"
#include "strings.h"

/* Upper bound on the bytes that numbering takes per array element, in addition to the element. */
#define ELEMENT_BYTES 192

int32
SymbolBytes(Symbols symbols)
{
	uint32 bits = 0;

	for (int32 i = 0; i < symbols.count; i++)
		bits |= symbols.symbol[i];
	return bits <= PG_UINT8_MAX ? 1 : bits <= PG_UINT16_MAX ? 2 : sizeof(uint32);
}

void
PackSymbols(Symbols symbols, int32 symbol_bytes, void *packed)
{
	if (symbol_bytes == sizeof(uint8))
		for (int32 i = 0; i < symbols.count; i++)
			((uint8 *) packed)[i] = (uint8) symbols.symbol[i];
	else if (symbol_bytes == sizeof(uint16))
		for (int32 i = 0; i < symbols.count; i++)
			((uint16 *) packed)[i] = (uint16) symbols.symbol[i];
	else
		memcpy(packed, symbols.symbol, sizeof(uint32) * (Size) symbols.count);
}

/* Allocates an array of symbols. */
uint32 *
AllocSymbols(Size count)
{
	Size bytes = count * sizeof(uint32);

	CheckStringMemory(bytes);
	return MemoryContextAllocHuge(CurrentMemoryContext, bytes);
}

/* Returns the characters of a text. */
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
ReadTextSymbols(Datum value, const Elements *elements, bool adding)
{
	(void) elements;
	(void) adding;
	return TextSymbols(DatumGetTextPP(value));
}

/* Writes bytes as symbols.  Returns their number. */
int32
ReadByteSymbols(const char *bytes, int32 length, uint32 *symbol)
{
	for (int32 i = 0; i < length; i++)
	{
		symbol[i] = (uint8) bytes[i];
		CHECK_FOR_INTERRUPTS();
	}
	return length;
}

/* Reads the bytes of a bytea. */
static Symbols
ReadBytea(Datum datum, const Elements *elements, bool adding)
{
	const bytea *value = DatumGetByteaPP(datum);
	int32 count = VARSIZE_ANY_EXHDR(value);
	Symbols result = {AllocSymbols(count), count};

	(void) elements;
	(void) adding;
	ReadByteSymbols(VARDATA_ANY(value), count, result.symbol);
	return result;
}

/*
 * Returns the number of elements of an array.  Raises an error if it has several dimensions
 * or nulls.
 */
static int32
ElementCount(ArrayType *array)
{
	if (ARR_NDIM(array) > 1)
		ereport(ERROR, (errcode(ERRCODE_ARRAY_SUBSCRIPT_ERROR),
						errmsg("array to compare must have one dimension"),
						errdetail("The array has several dimensions."),
						errhint("Compare its rows one by one, or flatten it with unnest().")));
	if (array_contains_nulls(array))
		ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
						errmsg("array to compare must not contain nulls"),
						errdetail("Whether a null equals another element is unknown."),
						errhint("Remove nulls with array_remove(), or use array_replace().")));
	return ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array));
}

/* Reads the elements of an array.  Elements that are symbols stay in place. */
static Symbols
ReadArraySymbols(Datum value, const Elements *elements, bool adding)
{
	ArrayType *array = DatumGetArrayTypeP(value);
	int32 count = ElementCount(array);
	Symbols result = {(uint32 *) ARR_DATA_PTR(array), count};

	CheckSameElements(ARR_ELEMTYPE(array), elements->type.type->type_id);
	if (AreSymbolsInPlace(&elements->type))
		return result;
	if (elements->labels != NULL)
		CheckStringMemory(VARSIZE(array) + (Size) count * ELEMENT_BYTES);
	result.symbol = AllocSymbols(count);
	NumberArrayElements(elements, array, count, adding, result.symbol);
	return result;
}

/* A string that is cached from call to call. */
struct CachedString
{
	Symbols symbols;
	Elements *elements;     /* of an array */
	bool again;             /* the string has come a second time, so preparing it pays */
	StringSession *session; /* compares the string as its pattern; NULL until then */
};

/* Makes an empty table for the elements of an array.  Returns NULL for other types of strings. */
Elements *
CreateElementsOf(const StringType *type, Datum value, Oid collation)
{
	return type->is_array ? CreateElements(ARR_ELEMTYPE(DatumGetArrayTypeP(value)), collation)
						  : NULL;
}

/* Reads a string that is to be cached. */
static CachedString *
CacheString(Datum value, const StringType *type, Oid collation)
{
	CachedString *cached = palloc0_object(CachedString);

	cached->elements = CreateElementsOf(type, value, collation);
	cached->symbols = type->read(value, cached->elements, true);
	return cached;
}

/* Reads a text that is to be cached. */
static void *
CacheText(Datum value, Oid collation)
{
	return CacheString(value, &StringOfText, collation);
}

/* Reads a bytea that is to be cached. */
static void *
CacheBytea(Datum value, Oid collation)
{
	return CacheString(value, &StringOfBytea, collation);
}

/* Copies and reads an array that is to be cached. */
static void *
CacheArray(Datum value, Oid collation)
{
	return CacheString(PointerGetDatum(DatumGetArrayTypePCopy(value)), &StringOfArray, collation);
}

/* Returns the number of characters of a text. */
int32
TextLength(Datum value)
{
	text *string = DatumGetTextPP(value);
	int32 length = pg_mbstrlen_with_len(VARDATA_ANY(string), (int) VARSIZE_ANY_EXHDR(string));

	if ((Pointer) string != DatumGetPointer(value))
		pfree(string);
	return length;
}

/* Returns the number of bytes of a bytea. */
int32
ByteaLength(Datum value)
{
	return (int32) (toast_raw_datum_size(value) - VARHDRSZ);
}

/* Returns the number of elements of an array. */
int32
ArrayLength(Datum value)
{
	ArrayType *array = DatumGetArrayTypeP(value);
	int32 length = ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array));

	if ((Pointer) array != DatumGetPointer(value))
		pfree(array);
	return length;
}

const StringType StringOfText = {TakeShortTexts, CacheText, ReadTextSymbols, MakeText, TextLength,
								 false,          's'};
const StringType StringOfBytea = {TakeShortBytes, CacheBytea, ReadBytea, MakeBytea,
								  ByteaLength,    false,      'y'};
const StringType StringOfArray = {
	TakeShortArrays, CacheArray, ReadArraySymbols, MakeArray, ArrayLength, true, '*'};

/* Returns the type of strings that a type belongs to; NULL if its values cannot be compared. */
const StringType *
StringTypeOf(Oid type)
{
	Oid base = getBaseType(type);
	Oid element = get_element_type(base);

	switch (base)
	{
		case TEXTOID:
		case VARCHAROID:
			return &StringOfText;
		case BYTEAOID:
			return &StringOfBytea;
		default:
			return OidIsValid(element) && AreComparable(element) ? &StringOfArray : NULL;
	}
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
	pair->other = type->read(PG_GETARG_DATUM(1 - position), pair->cached->elements, false);
	pair->a = (LcsText){pair->cached->symbols.symbol, pair->cached->symbols.count};
	pair->b = (LcsText){pair->other.symbol, pair->other.count};
}

/* Returns the length of the longest common subsequence; LCS_BELOW if it is less than `least`. */
int32
StringPairLength(const StringPair *pair, int32 least)
{
	CachedString *cached = pair->cached;
	bool again;
	int32 length;

	if (cached == NULL)
		return ShortStringsLength(&pair->a, &pair->b, pair->symbol_bytes, least);
	again = cached->again;
	cached->again = true;
	/*
	 * If the cached string is more than twice as long as the other one, preparing it as the pattern
	 * would cost more time and memory than preparing the other one.
	 */
	if (!again || cached->symbols.count / 2 > pair->b.length)
		return StringsLength(cached->symbols, pair->other, least);
	if (cached->session == NULL)
	{
		cached->session = StringSessionOpen(GetMemoryChunkContext(cached));
		StringSessionSetPattern(cached->session, cached->symbols);
	}
	StringSessionCompute(cached->session, &pair->b, 1, &least, &length);
	return length;
}
