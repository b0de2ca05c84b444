/*
 * text_lengths.c
 *	  One string against many texts in the encoding of the database.
 *
 * Texts whose characters are bytes are compared where they lie; of the others, some
 * at a time are turned into symbols.
 */
#include "postgres.h"

#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#include "../compat.h"
#include "../common/characters.h"
#include "../common/host.h"
#include "gpu_lcs.h"
#include "string_session.h"
#include "engine_tuning.h"

/* The texts; later those of bytes come first, and then of the others what is compared. */
typedef struct TextBatch
{
	Symbols pattern;
	const LcsPattern *prepared;
	TedArena arena;
	LcsText *texts;
	int32 *lengths;
	int *order; /* where they were at first */
	int count;
	int bytes_count; /* those of bytes */
	int32 longest;   /* bytes */
	bool gpu;        /* a GPU is to compare them */
} TextBatch;

/* Memory that texts take, with their lengths and an order of them. */
Size
TextsMemory(int count)
{
	return (Size) count * (sizeof(LcsText) + sizeof(int32) + sizeof(int));
}

/* Some of the texts, as the engines take them. */
static StringBatch
SomeTexts(const TextBatch *batch, int first, int count, int symbol_bytes)
{
	return (StringBatch){.pattern = batch->pattern,
						 .texts = batch->texts + first,
						 .count = count,
						 .symbol_bytes = symbol_bytes,
						 .lengths = batch->lengths + first};
}

/* Compares all texts as bytes on the GPU, where that pays; false where it does not. */
static bool
CompareBytesByGpu(TextBatch *batch)
{
	StringBatch all = SomeTexts(batch, 0, batch->count, 1);

	batch->gpu = GpuTakesStrings(&all);
	return batch->gpu && GpuComputeStrings(&all);
}

/* Compares some texts on the CPU. */
static void
CompareOnCpu(TextBatch *batch, const StringBatch *some)
{
	CheckStatus(lcs_batch(batch->prepared, some->texts, some->count, some->symbol_bytes,
						  some->least, &batch->arena, &PgInterrupt, some->lengths));
}

/*
 * Whether the characters of a text are bytes.  Lengths that the GPU has found say
 * so, since it looks at the bytes while it sends them.
 */
static bool
CharactersAreBytes(const TextBatch *batch, int text, bool found)
{
	return found ? batch->lengths[text] != TED_NO_LENGTH
				 : HasOneByteCharacters(batch->texts[text].symbols, batch->texts[text].length);
}

/* Exchanges two texts. */
static void
Exchange(TextBatch *batch, int a, int b)
{
	LcsText text = batch->texts[a];
	int32 length = batch->lengths[a];
	int place = batch->order[a];

	batch->texts[a] = batch->texts[b];
	batch->lengths[a] = batch->lengths[b];
	batch->order[a] = batch->order[b];
	batch->texts[b] = text;
	batch->lengths[b] = length;
	batch->order[b] = place;
}

/* Puts the texts whose characters are bytes first, and finds the longest one. */
static void
PutBytesFirst(TextBatch *batch, bool found)
{
	for (int i = 0; i < batch->count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		batch->longest = Max(batch->longest, batch->texts[i].length);
		batch->order[i] = i;
		if (!CharactersAreBytes(batch, i, found))
			continue;
		if (i != batch->bytes_count)
			Exchange(batch, i, batch->bytes_count);
		batch->bytes_count++;
	}
}

/* Characters to read at a time: a small part of what is allowed. */
static Size
CharactersTogether(const TextBatch *batch)
{
	Size most = TED_CHARACTERS_TOGETHER;
	Size all = 0;

	for (int i = batch->bytes_count; i < batch->count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		all += batch->texts[i].length;
	}
	if (batch->gpu)
		most = Min(TED_CHARACTERS_TOGETHER_GPU, (Size) ted_max_memory * 1024 / 32);
	return all == 0 ? 0 : Max((Size) batch->longest, Min(all, most));
}

/* Fills the lengths of texts that need characters, as many at a time as there is space for. */
static void
CompareCharacters(TextBatch *batch, uint32 *characters, Size capacity)
{
	int next = batch->bytes_count;

	while (next < batch->count)
	{
		int first = next;
		Size used = 0;
		StringBatch some;

		do
		{
			LcsText *text = &batch->texts[next++];
			int32 count = ReadCharacters(text->symbols, text->length, characters + used);

			*text = (LcsText){characters + used, count};
			used += count;
		} while (next < batch->count && (Size) batch->texts[next].length <= capacity - used);
		some = SomeTexts(batch, first, next - first, sizeof(uint32));
		if (!batch->gpu || !GpuComputeStrings(&some))
			CompareOnCpu(batch, &some);
	}
}

/* Takes memory for all that the CPU does; returns the space for characters. */
static uint32 *
ReserveMemory(TextBatch *batch, Size capacity)
{
	int32 m = batch->pattern.count;
	Size bytes = lcs_pattern_memory(batch->pattern.symbol, m) +
				 Max(lcs_batch_memory(m, 1, batch->longest),
					 lcs_batch_memory(m, sizeof(uint32), batch->longest));

	CheckStringMemory(TextsMemory(batch->count) + bytes + (capacity + m) * sizeof(uint32));
	ArenaInit(&batch->arena, bytes);
	return MemoryContextAllocHuge(CurrentMemoryContext, capacity * sizeof(uint32));
}

/* The lengths in the order that the texts had at first. */
static int32 *
OrderedLengths(const TextBatch *batch)
{
	int32 *lengths = MemoryContextAllocHuge(CurrentMemoryContext, batch->count * sizeof(int32));

	for (int i = 0; i < batch->count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		lengths[batch->order[i]] = batch->lengths[i];
	}
	return lengths;
}

/* Lengths for one string and each of many texts. */
int32 *
TextsLengths(Symbols pattern, LcsText *texts, int count)
{
	TextBatch batch = {.pattern = pattern, .texts = texts, .count = count};
	Size capacity;
	uint32 *characters;
	StringBatch bytes;
	bool found;

	batch.lengths = MemoryContextAllocHuge(CurrentMemoryContext, count * sizeof(int32));
	batch.order = MemoryContextAllocHuge(CurrentMemoryContext, count * sizeof(int));
	found = CompareBytesByGpu(&batch);
	PutBytesFirst(&batch, found);

	capacity = CharactersTogether(&batch);
	characters = ReserveMemory(&batch, capacity);
	CheckStatus(
		lcs_prepare(pattern.symbol, pattern.count, &batch.arena, &PgInterrupt, &batch.prepared));
	bytes = SomeTexts(&batch, 0, batch.bytes_count, 1);
	if (!found)
		CompareOnCpu(&batch, &bytes);
	CompareCharacters(&batch, characters, capacity);
	return OrderedLengths(&batch);
}
