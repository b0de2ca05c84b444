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

/* The bytes of a bytea. */
static Symbols
ByteaSymbols(const bytea *value)
{
	const uint8 *bytes = (const uint8 *) VARDATA_ANY(value);
	int32 count = VARSIZE_ANY_EXHDR(value);
	Symbols result = {AllocSymbols(count), count};

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

/* The elements of an int[]. */
static Symbols
IntArraySymbols(ArrayType *array)
{
	int32 count = TokenCount(array);

	return (Symbols){(uint32 *) ARR_DATA_PTR(array), count};
}

/* The number of an element in the table; a new one goes in where `adding`. */
static uint32
TokenNumber(LabelTable *tokens, const char *bytes, int length, bool adding)
{
	CHECK_FOR_INTERRUPTS();
	return adding ? LabelTableIntern(tokens, bytes, length) : LabelTableFind(tokens, bytes, length);
}

/* The elements of a text[], by their numbers. */
static Symbols
TextArraySymbols(ArrayType *array, LabelTable *tokens, bool adding)
{
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

/* The elements of a bigint[], by their numbers. */
static Symbols
BigintArraySymbols(ArrayType *array, LabelTable *tokens, bool adding)
{
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

/* Makes a string to cache in the current memory context. */
static CachedString *
MakeCachedString(Symbols symbols, LabelTable *tokens)
{
	CachedString *cached = palloc0_object(CachedString);

	cached->symbols = symbols;
	cached->tokens = tokens;
	return cached;
}

/* Reads the characters of a text to cache. */
static void *
CacheText(Datum value)
{
	return MakeCachedString(TextSymbols(DatumGetTextPP(value)), NULL);
}

/* Reads a text. */
static Symbols
ReadText(Datum value, LabelTable *tokens, bool adding)
{
	(void) tokens;
	(void) adding;
	return TextSymbols(DatumGetTextPP(value));
}

/* Reads the bytes of a bytea to cache. */
static void *
CacheBytea(Datum value)
{
	return MakeCachedString(ByteaSymbols(DatumGetByteaPP(value)), NULL);
}

/* Reads a bytea. */
static Symbols
ReadBytea(Datum value, LabelTable *tokens, bool adding)
{
	(void) tokens;
	(void) adding;
	return ByteaSymbols(DatumGetByteaPP(value));
}

/* Reads the elements of a text[] to cache, and numbers them. */
static void *
CacheTextArray(Datum value)
{
	LabelTable *tokens = LabelTableCreate();
	Symbols symbols = TextArraySymbols(DatumGetArrayTypeP(value), tokens, true);

	return MakeCachedString(symbols, tokens);
}

/* Reads a text[]; what is not in the table, and does not go in, gets a number that is in neither.
 */
static Symbols
ReadTextArray(Datum value, LabelTable *tokens, bool adding)
{
	return TextArraySymbols(DatumGetArrayTypeP(value), tokens, adding);
}

/* Copies an int[] to cache. */
static void *
CacheIntArray(Datum value)
{
	return MakeCachedString(IntArraySymbols(DatumGetArrayTypePCopy(value)), NULL);
}

/* Reads an int[]. */
static Symbols
ReadIntArray(Datum value, LabelTable *tokens, bool adding)
{
	(void) tokens;
	(void) adding;
	return IntArraySymbols(DatumGetArrayTypeP(value));
}

/* Reads the elements of a bigint[] to cache, and numbers them. */
static void *
CacheBigintArray(Datum value)
{
	LabelTable *tokens = LabelTableCreate();
	Symbols symbols = BigintArraySymbols(DatumGetArrayTypeP(value), tokens, true);

	return MakeCachedString(symbols, tokens);
}

/* Reads a bigint[]; what is not in the table, and does not go in, gets a number that is in neither.
 */
static Symbols
ReadBigintArray(Datum value, LabelTable *tokens, bool adding)
{
	return BigintArraySymbols(DatumGetArrayTypeP(value), tokens, adding);
}

const StringType StringOfText = {CacheText, false, ReadText};
const StringType StringOfBytea = {CacheBytea, false, ReadBytea};
const StringType StringOfTextArray = {CacheTextArray, true, ReadTextArray};
const StringType StringOfIntArray = {CacheIntArray, false, ReadIntArray};
const StringType StringOfBigintArray = {CacheBigintArray, true, ReadBigintArray};

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
