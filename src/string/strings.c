/*
 * strings.c
 *	  SQL functions for longest common subsequences and shortest common supersequences.
 *
 * Every string becomes an array of 32-bit symbols, a text one of its characters.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "common/int.h"
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
static uint32 *
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

/* The elements of a text[], by their numbers in the table; new ones go in where `adding`. */
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
		const char *bytes = VARDATA_ANY(element);
		int length = VARSIZE_ANY_EXHDR(element);

		result.symbol[i] = adding ? LabelTableIntern(tokens, bytes, length)
								  : LabelTableFind(tokens, bytes, length);
		CHECK_FOR_INTERRUPTS();
	}
	pfree(elements);
	return result;
}

/* A string that is cached from call to call. */
typedef struct CachedString
{
	Symbols symbols;
	LabelTable *tokens;     /* of a text[] */
	bool again;             /* it has come again, so that preparing it pays */
	StringSession *session; /* compares it; NULL until then */
} CachedString;

/* Makes a string to cache in the current memory context. */
static CachedString *
MakeCachedString(Symbols symbols, LabelTable *tokens)
{
	CachedString *cached = palloc0_object(CachedString);

	cached->symbols = symbols;
	cached->tokens = tokens;
	return cached;
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

/* Reads the characters of a text to cache. */
static void *
CacheText(Datum value)
{
	return MakeCachedString(TextSymbols(DatumGetTextPP(value)), NULL);
}

/* Reads a text. */
static Symbols
ReadText(Datum value, const CachedString *cached)
{
	(void) cached;
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
ReadBytea(Datum value, const CachedString *cached)
{
	(void) cached;
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

/* Reads a text[]; what is not in the cached one gets a number that is in neither. */
static Symbols
ReadTextArray(Datum value, const CachedString *cached)
{
	return TextArraySymbols(DatumGetArrayTypeP(value), cached->tokens, false);
}

/* Copies an int[] to cache. */
static void *
CacheIntArray(Datum value)
{
	return MakeCachedString(IntArraySymbols(DatumGetArrayTypePCopy(value)), NULL);
}

/* Reads an int[]. */
static Symbols
ReadIntArray(Datum value, const CachedString *cached)
{
	(void) cached;
	return IntArraySymbols(DatumGetArrayTypeP(value));
}

/* Two strings to compare: short ones where they lie, else one of them cached. */
typedef struct StringPair
{
	LcsText a;
	LcsText b;
	int symbol_bytes;     /* of short ones */
	CachedString *cached; /* NULL where both are short */
	Symbols other;
	uint32 characters[2][SHORT_STRING]; /* of short texts, where these are not bytes */
} StringPair;

/* Takes the bytes of both arguments where they are at hand and short. */
static bool
TakeShortBytes(FunctionCallInfo fcinfo, StringPair *pair)
{
	const struct varlena *a = (const struct varlena *) PG_GETARG_POINTER(0);
	const struct varlena *b = (const struct varlena *) PG_GETARG_POINTER(1);

	if (VARATT_IS_EXTERNAL(a) || VARATT_IS_COMPRESSED(a) || VARATT_IS_EXTERNAL(b) ||
		VARATT_IS_COMPRESSED(b) || !AreShortStrings(VARSIZE_ANY_EXHDR(a), VARSIZE_ANY_EXHDR(b)))
		return false;
	pair->a = (LcsText){VARDATA_ANY(a), VARSIZE_ANY_EXHDR(a)};
	pair->b = (LcsText){VARDATA_ANY(b), VARSIZE_ANY_EXHDR(b)};
	pair->symbol_bytes = 1;
	return true;
}

/* Takes the characters of both arguments where they are at hand and few. */
static bool
TakeShortTexts(FunctionCallInfo fcinfo, StringPair *pair)
{
	LcsText *a = &pair->a;
	LcsText *b = &pair->b;

	if (!TakeShortBytes(fcinfo, pair))
		return false;
	if (HasOneByteCharacters(a->symbols, a->length) && HasOneByteCharacters(b->symbols, b->length))
		return true;
	*a = (LcsText){pair->characters[0], ReadCharacters(a->symbols, a->length, pair->characters[0])};
	*b = (LcsText){pair->characters[1], ReadCharacters(b->symbols, b->length, pair->characters[1])};
	pair->symbol_bytes = sizeof(uint32);
	return true;
}

/* How strings of a type are read: one to cache, and one to compare with it. */
typedef struct StringType
{
	bool (*take_short)(FunctionCallInfo fcinfo, StringPair *pair); /* NULL where none is short */
	CachedArgumentMaker cache;
	Symbols (*read)(Datum value, const CachedString *cached);
} StringType;

static const StringType text_type = {TakeShortTexts, CacheText, ReadText};
static const StringType bytea_type = {TakeShortBytes, CacheBytea, ReadBytea};
static const StringType text_array_type = {NULL, CacheTextArray, ReadTextArray};
static const StringType int_array_type = {NULL, CacheIntArray, ReadIntArray};

/* Reads both arguments. */
static void
ReadArguments(FunctionCallInfo fcinfo, const StringType *type, StringPair *pair)
{
	int position;

	pair->cached = NULL;
	if (type->take_short != NULL && type->take_short(fcinfo, pair))
		return;
	pair->cached = CacheArgument(fcinfo, type->cache, &position);
	pair->other = type->read(PG_GETARG_DATUM(1 - position), pair->cached);
	pair->a = (LcsText){pair->cached->symbols.symbol, pair->cached->symbols.count};
	pair->b = (LcsText){pair->other.symbol, pair->other.count};
}

/* Length of the longest common subsequence of a pair if it is at least `least`, else LCS_BELOW. */
static int32
PairLength(const StringPair *pair, int32 least)
{
	if (pair->cached == NULL)
		return ShortStringsLength(&pair->a, &pair->b, pair->symbol_bytes, least);
	return CachedLength(pair->cached, pair->other, least);
}

/* Length of the longest common subsequence of both arguments. */
static Datum
LcsLength(FunctionCallInfo fcinfo, const StringType *type)
{
	StringPair pair;

	ReadArguments(fcinfo, type, &pair);
	PG_RETURN_INT32(PairLength(&pair, 0));
}

/* Length of the shortest common supersequence of both arguments. */
static Datum
ScsLength(FunctionCallInfo fcinfo, const StringType *type)
{
	StringPair pair;
	int32 length;

	ReadArguments(fcinfo, type, &pair);
	if (pg_add_s32_overflow(pair.a.length - PairLength(&pair, 0), pair.b.length, &length))
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE), errmsg("integer out of range"),
				 errdetail("The shortest common supersequence is longer than %d.", PG_INT32_MAX),
				 errhint("Compare shorter values.")));
	PG_RETURN_INT32(length);
}

PG_FUNCTION_INFO_V1(lcs_length_text);

/* Length of the longest common subsequence of two texts, in characters. */
Datum
lcs_length_text(PG_FUNCTION_ARGS)
{
	return LcsLength(fcinfo, &text_type);
}

PG_FUNCTION_INFO_V1(lcs_length_bytea);

/* Length of the longest common subsequence of two byte strings. */
Datum
lcs_length_bytea(PG_FUNCTION_ARGS)
{
	return LcsLength(fcinfo, &bytea_type);
}

PG_FUNCTION_INFO_V1(lcs_length_text_array);

/* Length of the longest common subsequence of two text arrays, in elements. */
Datum
lcs_length_text_array(PG_FUNCTION_ARGS)
{
	return LcsLength(fcinfo, &text_array_type);
}

PG_FUNCTION_INFO_V1(lcs_length_int_array);

/* Length of the longest common subsequence of two integer arrays, in elements. */
Datum
lcs_length_int_array(PG_FUNCTION_ARGS)
{
	return LcsLength(fcinfo, &int_array_type);
}

PG_FUNCTION_INFO_V1(scs_length_text);

/* Length of the shortest common supersequence of two texts, in characters. */
Datum
scs_length_text(PG_FUNCTION_ARGS)
{
	return ScsLength(fcinfo, &text_type);
}

PG_FUNCTION_INFO_V1(scs_length_bytea);

/* Length of the shortest common supersequence of two byte strings. */
Datum
scs_length_bytea(PG_FUNCTION_ARGS)
{
	return ScsLength(fcinfo, &bytea_type);
}

PG_FUNCTION_INFO_V1(scs_length_text_array);

/* Length of the shortest common supersequence of two text arrays, in elements. */
Datum
scs_length_text_array(PG_FUNCTION_ARGS)
{
	return ScsLength(fcinfo, &text_array_type);
}

PG_FUNCTION_INFO_V1(scs_length_int_array);

/* Length of the shortest common supersequence of two integer arrays, in elements. */
Datum
scs_length_int_array(PG_FUNCTION_ARGS)
{
	return ScsLength(fcinfo, &int_array_type);
}

/* Two texts and a longest common subsequence of them. */
typedef struct Alignment
{
	Symbols a;
	Symbols b;
	CommonSubsequence common;
} Alignment;

/* Aligns two text arguments. */
static Alignment
AlignArguments(FunctionCallInfo fcinfo)
{
	Alignment result = {.a = TextSymbols(PG_GETARG_TEXT_PP(0)),
						.b = TextSymbols(PG_GETARG_TEXT_PP(1))};

	/* a result may have as many symbols as both arguments */
	result.common = StringsSubsequence(result.a, result.b,
									   ((Size) result.a.count + result.b.count) * sizeof(uint32));
	return result;
}

/* Bytes of a character. */
static inline int
CharacterBytes(uint32 character)
{
	return 1 + (character > 0xff) + (character > 0xffff) + (character > 0xffffff);
}

/* The text that consists of this number of characters. */
static text *
CharactersText(const uint32 *character, Size count)
{
	Size bytes = VARHDRSZ;
	text *result;
	char *p;

	for (Size i = 0; i < count; i++)
	{
		bytes += CharacterBytes(character[i]);
		CHECK_FOR_INTERRUPTS();
	}
	if (!AllocSizeIsValid(bytes))
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED), errmsg("result is too long for a text"),
				 errdetail("It has %zu bytes.", bytes), errhint("Use shorter strings.")));

	result = palloc(bytes);
	SET_VARSIZE(result, bytes);
	p = VARDATA(result);
	for (Size i = 0; i < count; i++)
	{
		for (int shift = 8 * CharacterBytes(character[i]) - 8; shift >= 0; shift -= 8)
			*p++ = (char) (character[i] >> shift);
		CHECK_FOR_INTERRUPTS();
	}
	return result;
}

PG_FUNCTION_INFO_V1(lcs);

/* A longest common subsequence of two texts. */
Datum
lcs(PG_FUNCTION_ARGS)
{
	Alignment texts = AlignArguments(fcinfo);
	uint32 *character = AllocSymbols(texts.common.length);

	for (int32 i = 0; i < texts.common.length; i++)
	{
		character[i] = texts.a.symbol[texts.common.in_a[i]];
		CHECK_FOR_INTERRUPTS();
	}
	PG_RETURN_TEXT_P(CharactersText(character, texts.common.length));
}

PG_FUNCTION_INFO_V1(scs);

/* A shortest common supersequence of two texts: between common characters, first a's, then b's. */
Datum
scs(PG_FUNCTION_ARGS)
{
	Alignment texts = AlignArguments(fcinfo);
	const CommonSubsequence *common = &texts.common;
	Size count = (Size) texts.a.count + texts.b.count - common->length;
	uint32 *character = AllocSymbols(count);
	uint32 *next = character;
	int32 a = 0;
	int32 b = 0;

	for (int32 i = 0; i <= common->length; i++)
	{
		int32 end_a = i < common->length ? common->in_a[i] : texts.a.count;
		int32 end_b = i < common->length ? common->in_b[i] : texts.b.count;

		memcpy(next, texts.a.symbol + a, (Size) (end_a - a) * sizeof(uint32));
		next += end_a - a;
		memcpy(next, texts.b.symbol + b, (Size) (end_b - b) * sizeof(uint32));
		next += end_b - b;
		if (i < common->length)
			*next++ = texts.a.symbol[end_a];
		a = end_a + 1;
		b = end_b + 1;
		CHECK_FOR_INTERRUPTS();
	}
	PG_RETURN_TEXT_P(CharactersText(character, count));
}
