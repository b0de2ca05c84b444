/*
 * lcs_lengths.c
 *	  The SQL function lcs_lengths(): one text against every text of an array.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/arrayaccess.h"
#include "utils/memutils.h"

#include "../compat.h"
#include "../core/string/lcs.h"
#include "../engine/gpu_context.h"
#include "../engine/gpu_lcs.h"
#include "strings.h"
#include "characters.h"
#include "../common/host.h"

/* Elements of an array after the present one, where the processor is told to look. */
#define HEADERS_AHEAD 32

/* Characters that lcs_lengths() reads at least before it compares them. */
#define CHARACTERS_TOGETHER 4096

/* The same where a GPU compares them: enough to keep it busy while others are read. */
#define CHARACTERS_TOGETHER_GPU 4194304

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

/* Has the GPU fill the lengths of texts from the first one on; false where it does not. */
static bool
CompareByGpu(Batch *batch, int first, int count, int symbol_bytes)
{
	return batch->gpu && count > 0 &&
		   GpuLcsLengths(batch->query.symbol, batch->query.count, batch->texts + first, count,
						 symbol_bytes, batch->lengths + first);
}

/* Fills the lengths of this number of texts from the first one on. */
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
	int bytes_count = 0;
	int wide = 0;

	for (int i = 0; i < batch->count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (found ? batch->lengths[i] != TED_NO_LENGTH : HasOneByteCharacters(&batch->texts[i]))
		{
			batch->texts[bytes_count] = batch->texts[i];
			batch->lengths[bytes_count] = batch->lengths[i];
			batch->order[bytes_count++] = batch->order[i];
		}
		else
			others[wide++] = batch->order[i];
	}
	memcpy(batch->order + bytes_count, others, wide * sizeof(int));
	pfree(others);
	return bytes_count;
}

/* Fills the lengths of values that need characters, as many at a time as there is room for. */
static void
CompareCharacters(Batch *batch, Datum *values, int first, uint32 *characters, Size room)
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

/* Characters to read at a time: a small part of what is allowed. */
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
	int bytes_count;

	bytes = (Size) count * (sizeof(LcsText) + sizeof(int32) + sizeof(int));
	CheckStringMemory(bytes);
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
		/* where later ones begin, if they are about as long: that is a wait for memory each */
		__builtin_prefetch((const void *) ((uintptr_t) value + HEADERS_AHEAD * VARSIZE_ANY(value)));
		batch.texts[batch.count] = (LcsText){VARDATA_ANY(value), VARSIZE_ANY_EXHDR(value)};
		batch.order[batch.count++] = i;
		longest = Max(longest, VARSIZE_ANY_EXHDR(value));
		size.symbols += VARSIZE_ANY_EXHDR(value);
	}
	size.count = batch.count;
	batch.gpu = batch.query.count > 0 && longest > 0 && GpuWantedForStrings(&size) == GPU_YES;
	found = CompareByGpu(&batch, 0, batch.count, 1);
	bytes_count = PutBytesFirst(&batch, found);
	for (int i = bytes_count; i < batch.count; i++)
		wide_bytes += VARSIZE_ANY_EXHDR(DatumGetTextPP(values[batch.order[i]]));
	if (bytes_count < batch.count)
		room = CharactersTogether(longest, wide_bytes, batch.gpu);

	arena_bytes = lcs_pattern_memory(batch.query.symbol, batch.query.count) +
				  Max(lcs_batch_memory(batch.query.count, 1, longest),
					  lcs_batch_memory(batch.query.count, sizeof(uint32), longest));
	CheckStringMemory(bytes + arena_bytes + (room + batch.query.count) * sizeof(uint32));
	ArenaInit(&batch.arena, arena_bytes);
	characters = AllocSymbols(room);
	CheckStatus(lcs_prepare(batch.query.symbol, batch.query.count, &batch.arena, &PgInterrupt,
							&batch.pattern));
	if (!found)
		CheckStatus(lcs_batch(batch.pattern, batch.texts, bytes_count, 1, &batch.arena,
							  &PgInterrupt, batch.lengths));
	CompareCharacters(&batch, values, bytes_count, characters, room);

	for (int i = 0; i < batch.count; i++)
		values[batch.order[i]] = Int32GetDatum(batch.lengths[i]);
	PG_RETURN_ARRAYTYPE_P(construct_md_array(values, nulls, AARR_NDIM(array), AARR_DIMS(array),
											 AARR_LBOUND(array), INT4OID, sizeof(int32), true,
											 TYPALIGN_INT));
}
