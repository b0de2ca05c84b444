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
#include "../core/string/lcs.h"
#include "../engine/gpu_context.h"
#include "../engine/gpu_lcs.h"
#include "../common/cached_argument.h"
#include "strings.h"
#include "characters.h"
#include "../common/labels.h"
#include "../common/host.h"

/* Bytes that an array element takes while it is interned, at most, beside its own bytes. */
#define TOKEN_BYTES 192

/* Refuses a comparison that needs more scratch memory than is allowed. */
void
CheckStringMemory(Size bytes)
{
	CheckMemoryLimit(bytes, "string comparison");
}

/* Takes room for this number of symbols. */
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
	Symbols result;

	result.symbol = AllocSymbols(VARSIZE_ANY_EXHDR(value));
	result.count = ReadCharacters(value, result.symbol);
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

/* Whether the GPU is to compare two strings. */
static bool
PairWantsGpu(Symbols a, Symbols b, bool positions)
{
	TedStringsSize size = {.m = a.count,
						   .count = 1,
						   .symbols = b.count,
						   .symbol_bytes = sizeof(uint32),
						   .positions = positions};

	return a.count > 0 && b.count > 0 && GpuWantedForStrings(&size) == GPU_YES;
}

/* Has the GPU find the length of the longest common subsequence; false where it does not. */
static bool
LengthByGpu(Symbols a, Symbols b, int32 *length)
{
	LcsText text = {b.symbol, b.count};

	return PairWantsGpu(a, b, false) &&
		   GpuLcsLengths(a.symbol, a.count, &text, 1, sizeof(uint32), length);
}

/* Length of the longest common subsequence of two strings, of which nothing is kept. */
static int32
SymbolsLength(Symbols a, Symbols b)
{
	Symbols shorter = a.count <= b.count ? a : b;
	Symbols longer = a.count <= b.count ? b : a;
	Size bytes = lcs_pattern_memory(shorter.symbol, shorter.count) +
				 lcs_length_memory(shorter.count, longer.count);
	TedArena arena;
	const LcsPattern *pattern;
	int32 length;

	CheckStringMemory(bytes + ((Size) a.count + b.count) * sizeof(uint32));
	if (LengthByGpu(a, b, &length))
		return length;
	ArenaInit(&arena, bytes);
	CheckStatus(lcs_prepare(shorter.symbol, shorter.count, &arena, &PgInterrupt, &pattern));
	CheckStatus(lcs_length(pattern, longer.symbol, longer.count, &arena, &PgInterrupt, &length));
	pfree(arena.base);
	return length;
}

/* A string that is kept from call to call, prepared once it has come again. */
typedef struct CachedString
{
	MemoryContext context;
	Symbols symbols;
	LabelTable *tokens; /* of a text[] */
	bool again;
	const LcsPattern *pattern; /* NULL until it is prepared */
	TedArena scratch;          /* for comparing with it; a comparison works on a copy */
	Size scratch_bytes;
} CachedString;

/* Makes a string to keep in the current memory context. */
static CachedString *
MakeCachedString(Symbols symbols, LabelTable *tokens)
{
	CachedString *kept = palloc0_object(CachedString);

	kept->context = CurrentMemoryContext;
	kept->symbols = symbols;
	kept->tokens = tokens;
	return kept;
}

/* Prepares a kept string as a pattern. */
static void
PrepareCachedString(CachedString *kept)
{
	MemoryContext caller = MemoryContextSwitchTo(kept->context);
	const Symbols *s = &kept->symbols;
	Size bytes = lcs_pattern_memory(s->symbol, s->count);
	TedArena arena;

	CheckStringMemory(bytes + (Size) s->count * sizeof(uint32));
	ArenaInit(&arena, bytes);
	CheckStatus(lcs_prepare(s->symbol, s->count, &arena, &PgInterrupt, &kept->pattern));
	MemoryContextSwitchTo(caller);
}

/* Makes room for comparing a kept string with one of this number of symbols. */
static void
ReserveCachedString(CachedString *kept, int32 count)
{
	Size bytes = lcs_length_memory(kept->symbols.count, count);
	MemoryContext caller;

	if (bytes <= kept->scratch_bytes)
		return;
	CheckStringMemory(bytes + ((Size) kept->symbols.count + count) * sizeof(uint32));
	if (kept->scratch_bytes > 0)
		pfree(kept->scratch.base);
	kept->scratch_bytes = 0;
	caller = MemoryContextSwitchTo(kept->context);
	ArenaInit(&kept->scratch, bytes);
	MemoryContextSwitchTo(caller);
	kept->scratch_bytes = bytes;
}

/*
 * Length of the longest common subsequence of a kept string and another one.
 * A pattern much longer than the text would take more time and memory than
 * preparing the text does.
 */
static int32
CachedLength(CachedString *kept, Symbols other)
{
	bool again = kept->again;
	TedArena arena;
	int32 length;

	kept->again = true;
	if (!again || kept->symbols.count / 2 > other.count)
		return SymbolsLength(kept->symbols, other);
	ReserveCachedString(kept, other.count);
	if (LengthByGpu(kept->symbols, other, &length))
		return length;
	if (kept->pattern == NULL)
		PrepareCachedString(kept);
	arena = kept->scratch;
	CheckStatus(
		lcs_length(kept->pattern, other.symbol, other.count, &arena, &PgInterrupt, &length));
	return length;
}

/* Reads the characters of a text to keep. */
static void *
CacheText(Datum value)
{
	return MakeCachedString(TextSymbols(DatumGetTextPP(value)), NULL);
}

/* Reads a text. */
static Symbols
ReadText(Datum value, const CachedString *kept)
{
	(void) kept;
	return TextSymbols(DatumGetTextPP(value));
}

/* Reads the bytes of a bytea to keep. */
static void *
CacheBytea(Datum value)
{
	return MakeCachedString(ByteaSymbols(DatumGetByteaPP(value)), NULL);
}

/* Reads a bytea. */
static Symbols
ReadBytea(Datum value, const CachedString *kept)
{
	(void) kept;
	return ByteaSymbols(DatumGetByteaPP(value));
}

/* Reads the elements of a text[] to keep, and numbers them. */
static void *
CacheTextArray(Datum value)
{
	LabelTable *tokens = LabelTableCreate();
	Symbols symbols = TextArraySymbols(DatumGetArrayTypeP(value), tokens, true);

	return MakeCachedString(symbols, tokens);
}

/* Reads a text[]; what is not in the kept one gets a number that is in neither. */
static Symbols
ReadTextArray(Datum value, const CachedString *kept)
{
	return TextArraySymbols(DatumGetArrayTypeP(value), kept->tokens, false);
}

/* Copies an int[] to keep. */
static void *
CacheIntArray(Datum value)
{
	return MakeCachedString(IntArraySymbols(DatumGetArrayTypePCopy(value)), NULL);
}

/* Reads an int[]. */
static Symbols
ReadIntArray(Datum value, const CachedString *kept)
{
	(void) kept;
	return IntArraySymbols(DatumGetArrayTypeP(value));
}

/* How strings of a type are read: one to keep, and one to compare with it. */
typedef struct StringType
{
	CachedArgumentMaker keep;
	Symbols (*read)(Datum value, const CachedString *kept);
} StringType;

static const StringType text_type = {CacheText, ReadText};
static const StringType bytea_type = {CacheBytea, ReadBytea};
static const StringType text_array_type = {CacheTextArray, ReadTextArray};
static const StringType int_array_type = {CacheIntArray, ReadIntArray};

/* Length of the longest common subsequence of both arguments. */
static Datum
LcsLength(FunctionCallInfo fcinfo, const StringType *type)
{
	int position;
	CachedString *kept = CacheArgument(fcinfo, type->keep, &position);

	PG_RETURN_INT32(CachedLength(kept, type->read(PG_GETARG_DATUM(1 - position), kept)));
}

/* Length of the shortest common supersequence of both arguments. */
static Datum
ScsLength(FunctionCallInfo fcinfo, const StringType *type)
{
	int position;
	CachedString *kept = CacheArgument(fcinfo, type->keep, &position);
	Symbols other = type->read(PG_GETARG_DATUM(1 - position), kept);
	int32 length;

	if (pg_add_s32_overflow(kept->symbols.count - CachedLength(kept, other), other.count, &length))
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
	int32 *in_a; /* positions, increasing */
	int32 *in_b;
	int32 length;
} Alignment;

/* Aligns two text arguments; ties are broken as lcs.h says, with the first one as the pattern. */
static Alignment
AlignArguments(FunctionCallInfo fcinfo)
{
	Alignment result = {.a = TextSymbols(PG_GETARG_TEXT_PP(0)),
						.b = TextSymbols(PG_GETARG_TEXT_PP(1))};
	Size positions = (Size) Min(result.a.count, result.b.count) * sizeof(int32);
	Size bytes = lcs_pattern_memory(result.a.symbol, result.a.count) +
				 lcs_positions_memory(result.a.count, result.b.count);
	LcsText text = {result.b.symbol, result.b.count};
	TedArena arena;
	const LcsPattern *pattern;

	/* the symbols of both arguments, and as many for a result */
	CheckStringMemory(2 * ted_arena_bytes(positions) + bytes +
					  2 * ((Size) result.a.count + result.b.count) * sizeof(uint32));
	result.in_a = MemoryContextAllocHuge(CurrentMemoryContext, positions);
	result.in_b = MemoryContextAllocHuge(CurrentMemoryContext, positions);
	if (PairWantsGpu(result.a, result.b, true) &&
		GpuLcsPositions(result.a.symbol, result.a.count, &text, result.in_a, result.in_b,
						&result.length))
		return result;
	ArenaInit(&arena, bytes);
	CheckStatus(lcs_prepare(result.a.symbol, result.a.count, &arena, &PgInterrupt, &pattern));
	CheckStatus(lcs_positions(pattern, result.b.symbol, result.b.count, &arena, &PgInterrupt,
							  result.in_a, result.in_b, &result.length));
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
	Alignment common = AlignArguments(fcinfo);
	uint32 *character = AllocSymbols(common.length);

	for (int32 i = 0; i < common.length; i++)
	{
		character[i] = common.a.symbol[common.in_a[i]];
		CHECK_FOR_INTERRUPTS();
	}
	PG_RETURN_TEXT_P(CharactersText(character, common.length));
}

PG_FUNCTION_INFO_V1(scs);

/* A shortest common supersequence of two texts: between common characters, first a's, then b's. */
Datum
scs(PG_FUNCTION_ARGS)
{
	Alignment common = AlignArguments(fcinfo);
	Size count = (Size) common.a.count + common.b.count - common.length;
	uint32 *character = AllocSymbols(count);
	uint32 *next = character;
	int32 a = 0;
	int32 b = 0;

	for (int32 i = 0; i <= common.length; i++)
	{
		int32 end_a = i < common.length ? common.in_a[i] : common.a.count;
		int32 end_b = i < common.length ? common.in_b[i] : common.b.count;

		memcpy(next, common.a.symbol + a, (Size) (end_a - a) * sizeof(uint32));
		next += end_a - a;
		memcpy(next, common.b.symbol + b, (Size) (end_b - b) * sizeof(uint32));
		next += end_b - b;
		if (i < common.length)
			*next++ = common.a.symbol[end_a];
		a = end_a + 1;
		b = end_b + 1;
		CHECK_FOR_INTERRUPTS();
	}
	PG_RETURN_TEXT_P(CharactersText(character, count));
}
