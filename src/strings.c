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
#include "utils/arrayaccess.h"
#include "utils/memutils.h"

#include "compat.h"
#include "core/lcs.h"
#include "engine/gpu_context.h"
#include "engine/gpu_lcs.h"
#include "kept_argument.h"
#include "tree/characters.h"
#include "tree/labels.h"
#include "tree/host.h"

/* Bytes that an array element takes while it is interned, at most, beside its own bytes. */
#define TOKEN_BYTES 192

/* Characters that lcs_lengths() reads at least before it compares them. */
#define CHARACTERS_TOGETHER 4096

/* The same where a GPU compares them: enough to keep it busy while others are read. */
#define CHARACTERS_TOGETHER_GPU 4194304

/* What the core compares. */
typedef struct Symbols
{
	uint32 *symbol;
	int32 count;
} Symbols;

/* Refuses a comparison that needs more scratch memory than is allowed. */
static void
CheckMemory(Size bytes)
{
	CheckMemoryLimit(bytes, "string comparison");
}

/* Takes room for so many symbols. */
static uint32 *
AllocSymbols(Size count)
{
	Size bytes = count * sizeof(uint32);

	CheckMemory(bytes);
	return MemoryContextAllocHuge(CurrentMemoryContext, bytes);
}

/* The characters of a text. */
static Symbols
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

	CheckMemory(VARSIZE(array) + (Size) TokenCount(array) * TOKEN_BYTES);
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

	CheckMemory(bytes + ((Size) a.count + b.count) * sizeof(uint32));
	if (LengthByGpu(a, b, &length))
		return length;
	ArenaInit(&arena, bytes);
	CheckStatus(lcs_prepare(shorter.symbol, shorter.count, &arena, &PgInterrupt, &pattern));
	CheckStatus(lcs_length(pattern, longer.symbol, longer.count, &arena, &PgInterrupt, &length));
	pfree(arena.base);
	return length;
}

/* A string that is kept from call to call, prepared once it has come again. */
typedef struct KeptString
{
	MemoryContext context;
	Symbols symbols;
	LabelTable *tokens; /* of a text[] */
	bool again;
	const LcsPattern *pattern; /* NULL until it is prepared */
	TedArena scratch;          /* for comparing with it; a comparison works on a copy */
	Size scratch_bytes;
} KeptString;

/* Makes a string to keep in the current memory context. */
static KeptString *
MakeKeptString(Symbols symbols, LabelTable *tokens)
{
	KeptString *kept = palloc0_object(KeptString);

	kept->context = CurrentMemoryContext;
	kept->symbols = symbols;
	kept->tokens = tokens;
	return kept;
}

/* Prepares a kept string as a pattern. */
static void
PrepareKeptString(KeptString *kept)
{
	MemoryContext caller = MemoryContextSwitchTo(kept->context);
	const Symbols *s = &kept->symbols;
	Size bytes = lcs_pattern_memory(s->symbol, s->count);
	TedArena arena;

	CheckMemory(bytes + (Size) s->count * sizeof(uint32));
	ArenaInit(&arena, bytes);
	CheckStatus(lcs_prepare(s->symbol, s->count, &arena, &PgInterrupt, &kept->pattern));
	MemoryContextSwitchTo(caller);
}

/* Makes room for comparing a kept string with one of so many symbols. */
static void
ReserveKeptString(KeptString *kept, int32 count)
{
	Size bytes = lcs_length_memory(kept->symbols.count, count);
	MemoryContext caller;

	if (bytes <= kept->scratch_bytes)
		return;
	CheckMemory(bytes + ((Size) kept->symbols.count + count) * sizeof(uint32));
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
KeptLength(KeptString *kept, Symbols other)
{
	bool again = kept->again;
	TedArena arena;
	int32 length;

	kept->again = true;
	if (!again || kept->symbols.count / 2 > other.count)
		return SymbolsLength(kept->symbols, other);
	ReserveKeptString(kept, other.count);
	if (LengthByGpu(kept->symbols, other, &length))
		return length;
	if (kept->pattern == NULL)
		PrepareKeptString(kept);
	arena = kept->scratch;
	CheckStatus(
		lcs_length(kept->pattern, other.symbol, other.count, &arena, &PgInterrupt, &length));
	return length;
}

/* Reads the characters of a text to keep. */
static void *
KeepText(Datum value)
{
	return MakeKeptString(TextSymbols(DatumGetTextPP(value)), NULL);
}

/* Reads a text. */
static Symbols
ReadText(Datum value, const KeptString *kept)
{
	(void) kept;
	return TextSymbols(DatumGetTextPP(value));
}

/* Reads the bytes of a bytea to keep. */
static void *
KeepBytea(Datum value)
{
	return MakeKeptString(ByteaSymbols(DatumGetByteaPP(value)), NULL);
}

/* Reads a bytea. */
static Symbols
ReadBytea(Datum value, const KeptString *kept)
{
	(void) kept;
	return ByteaSymbols(DatumGetByteaPP(value));
}

/* Reads the elements of a text[] to keep, and numbers them. */
static void *
KeepTextArray(Datum value)
{
	LabelTable *tokens = LabelTableCreate();
	Symbols symbols = TextArraySymbols(DatumGetArrayTypeP(value), tokens, true);

	return MakeKeptString(symbols, tokens);
}

/* Reads a text[]; what is not in the kept one gets a number that is in neither. */
static Symbols
ReadTextArray(Datum value, const KeptString *kept)
{
	return TextArraySymbols(DatumGetArrayTypeP(value), kept->tokens, false);
}

/* Copies an int[] to keep. */
static void *
KeepIntArray(Datum value)
{
	return MakeKeptString(IntArraySymbols(DatumGetArrayTypePCopy(value)), NULL);
}

/* Reads an int[]. */
static Symbols
ReadIntArray(Datum value, const KeptString *kept)
{
	(void) kept;
	return IntArraySymbols(DatumGetArrayTypeP(value));
}

/* How strings of a type are read: one to keep, and one to compare with it. */
typedef struct StringType
{
	KeptArgumentMaker keep;
	Symbols (*read)(Datum value, const KeptString *kept);
} StringType;

static const StringType text_type = {KeepText, ReadText};
static const StringType bytea_type = {KeepBytea, ReadBytea};
static const StringType text_array_type = {KeepTextArray, ReadTextArray};
static const StringType int_array_type = {KeepIntArray, ReadIntArray};

/* Length of the longest common subsequence of both arguments. */
static Datum
LcsLength(FunctionCallInfo fcinfo, const StringType *type)
{
	int position;
	KeptString *kept = KeepArgument(fcinfo, type->keep, &position);

	PG_RETURN_INT32(KeptLength(kept, type->read(PG_GETARG_DATUM(1 - position), kept)));
}

/* Length of the shortest common supersequence of both arguments. */
static Datum
ScsLength(FunctionCallInfo fcinfo, const StringType *type)
{
	int position;
	KeptString *kept = KeepArgument(fcinfo, type->keep, &position);
	Symbols other = type->read(PG_GETARG_DATUM(1 - position), kept);
	int32 length;

	if (pg_add_s32_overflow(kept->symbols.count - KeptLength(kept, other), other.count, &length))
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
	CheckMemory(2 * ted_arena_bytes(positions) + bytes +
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

/* The text that consists of so many characters. */
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

/* True where every character of a text is one byte. */
static bool
HasOneByteCharacters(const LcsText *value)
{
	const char *p = value->symbols;
	const char *end = p + value->length;
	uint64 bytes = 0;

	if (pg_database_encoding_max_length() == 1)
		return true;
	for (; end - p >= (ptrdiff_t) sizeof(bytes); p += sizeof(bytes))
	{
		memcpy(&bytes, p, sizeof(bytes));
		if (bytes & UINT64CONST(0x8080808080808080))
			return false;
	}
	bytes = 0;
	memcpy(&bytes, p, end - p);
	return (bytes & UINT64CONST(0x8080808080808080)) == 0;
}

/* One text and those that it is compared with: as bytes, or as characters in turns. */
typedef struct Batch
{
	Symbols query;
	const LcsPattern *pattern; /* the same */
	TedArena arena;
	bool gpu;       /* has texts compared by the GPU */
	LcsText *texts; /* those that are not null, later those of bytes before the others */
	int32 *lengths; /* of all texts */
	int *order;     /* elements of the array that they are */
	int count;
} Batch;

/* Has the GPU fill the lengths of so many texts from the first one on; false where it does not. */
static bool
CompareByGpu(Batch *batch, int first, int count, int symbol_bytes)
{
	return batch->gpu && count > 0 &&
		   GpuLcsLengths(batch->query.symbol, batch->query.count, batch->texts + first, count,
						 symbol_bytes, batch->lengths + first);
}

/* Fills the lengths of so many texts from the first one on. */
static void
CompareBatch(Batch *batch, int first, int count, int symbol_bytes)
{
	if (!CompareByGpu(batch, first, count, symbol_bytes))
		CheckStatus(lcs_batch(batch->pattern, batch->texts + first, count, symbol_bytes,
							  &batch->arena, &PgInterrupt, batch->lengths + first));
}

/*
 * Puts the texts whose characters are bytes first, and returns their number.  The
 * lengths that the GPU has found say which these are, since it looks at the bytes
 * while it sends them.
 */
static int
PutBytesFirst(Batch *batch, bool found)
{
	int *others = MemoryContextAllocHuge(CurrentMemoryContext, batch->count * sizeof(int));
	int narrow = 0;
	int wide = 0;

	for (int i = 0; i < batch->count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (found ? batch->lengths[i] != TED_NO_LENGTH : HasOneByteCharacters(&batch->texts[i]))
		{
			batch->texts[narrow] = batch->texts[i];
			batch->lengths[narrow] = batch->lengths[i];
			batch->order[narrow++] = batch->order[i];
		}
		else
			others[wide++] = batch->order[i];
	}
	memcpy(batch->order + narrow, others, wide * sizeof(int));
	pfree(others);
	return narrow;
}

/* Fills the lengths of values that need characters, as many at a time as there is room for. */
static void
CompareWide(Batch *batch, Datum *values, int first, uint32 *characters, Size room)
{
	while (first < batch->count)
	{
		Size used = 0;
		int next = first;

		do
		{
			text *value = DatumGetTextPP(values[batch->order[next]]);
			int32 count = ReadCharacters(value, characters + used);

			batch->texts[next++] = (LcsText){characters + used, count};
			used += count;
		} while (next < batch->count &&
				 VARSIZE_ANY_EXHDR(DatumGetTextPP(values[batch->order[next]])) <= room - used);
		CompareBatch(batch, first, next - first, sizeof(uint32));
		first = next;
	}
}

/* Characters to read at a time, of texts of so many bytes: a small part of what is allowed. */
static Size
CharactersTogether(Size longest, Size all, bool gpu)
{
	Size most =
		gpu ? Min(CHARACTERS_TOGETHER_GPU, (Size) ted_max_memory * 1024 / 32) : CHARACTERS_TOGETHER;

	return Max(longest, Min(all, most));
}

PG_FUNCTION_INFO_V1(lcs_lengths);

/*
 * Lengths of the longest common subsequences of one text and every text of an
 * array.  Texts whose characters are bytes are compared where they lie.
 */
Datum
lcs_lengths(PG_FUNCTION_ARGS)
{
	AnyArrayType *array = PG_GETARG_ANY_ARRAY_P(1);
	int count = ArrayGetNItems(AARR_NDIM(array), AARR_DIMS(array));
	Batch batch = {.query = TextSymbols(PG_GETARG_TEXT_PP(0))};
	TedStringsSize size = {.m = batch.query.count, .symbol_bytes = 1};
	Size room = 0;
	Size longest = 0;
	Size wide_bytes = 0;
	Size bytes;
	Size arena_bytes;
	array_iter elements;
	uint32 *characters;
	Datum *values;
	bool *nulls;
	bool found;
	int narrow;

	bytes = (Size) count * (sizeof(LcsText) + sizeof(int32) + sizeof(int));
	CheckMemory(bytes);
	batch.texts = MemoryContextAllocHuge(CurrentMemoryContext, count * sizeof(LcsText));
	batch.lengths = MemoryContextAllocHuge(CurrentMemoryContext, count * sizeof(int32));
	batch.order = MemoryContextAllocHuge(CurrentMemoryContext, count * sizeof(int));
	values = MemoryContextAllocHuge(CurrentMemoryContext, count * sizeof(Datum));
	nulls = palloc_extended(count, MCXT_ALLOC_HUGE);

	array_iter_setup(&elements, array);
	for (int i = 0; i < count; i++)
	{
		text *value;

		CHECK_FOR_INTERRUPTS();
		values[i] = array_iter_next(&elements, &nulls[i], i, -1, false, TYPALIGN_INT);
		if (nulls[i])
			continue;
		value = DatumGetTextPP(values[i]);
		values[i] = PointerGetDatum(value);
		batch.texts[batch.count] = (LcsText){VARDATA_ANY(value), VARSIZE_ANY_EXHDR(value)};
		batch.order[batch.count++] = i;
		longest = Max(longest, VARSIZE_ANY_EXHDR(value));
		size.symbols += VARSIZE_ANY_EXHDR(value);
	}
	size.count = batch.count;
	batch.gpu = batch.query.count > 0 && longest > 0 && GpuWantedForStrings(&size) == GPU_YES;
	found = CompareByGpu(&batch, 0, batch.count, 1);
	narrow = PutBytesFirst(&batch, found);
	for (int i = narrow; i < batch.count; i++)
		wide_bytes += VARSIZE_ANY_EXHDR(DatumGetTextPP(values[batch.order[i]]));
	if (narrow < batch.count)
		room = CharactersTogether(longest, wide_bytes, batch.gpu);

	arena_bytes = lcs_pattern_memory(batch.query.symbol, batch.query.count) +
				  Max(lcs_batch_memory(batch.query.count, 1, longest),
					  lcs_batch_memory(batch.query.count, sizeof(uint32), longest));
	CheckMemory(bytes + arena_bytes + (room + batch.query.count) * sizeof(uint32));
	ArenaInit(&batch.arena, arena_bytes);
	characters = AllocSymbols(room);
	CheckStatus(lcs_prepare(batch.query.symbol, batch.query.count, &batch.arena, &PgInterrupt,
							&batch.pattern));
	if (!found)
		CheckStatus(lcs_batch(batch.pattern, batch.texts, narrow, 1, &batch.arena, &PgInterrupt,
							  batch.lengths));
	CompareWide(&batch, values, narrow, characters, room);

	for (int i = 0; i < batch.count; i++)
		values[batch.order[i]] = Int32GetDatum(batch.lengths[i]);
	PG_RETURN_ARRAYTYPE_P(construct_md_array(values, nulls, AARR_NDIM(array), AARR_DIMS(array),
											 AARR_LBOUND(array), INT4OID, sizeof(int32), true,
											 TYPALIGN_INT));
}
