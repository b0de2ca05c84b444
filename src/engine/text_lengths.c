/*
 * text_lengths.c
 *	  Compares one string with many texts in the database encoding.
 *
 * Texts of one-byte characters are compared without a copy; the others are converted into symbols,
 * some texts at a time.
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

/* The texts; texts of one-byte characters are moved to the front. */
typedef struct TextBatch
{
	Symbols pattern;
	const LcsPattern *prepared;
	TedArena arena;
	LcsText *texts;
	int32 *lengths;
	int *order; /* original position of each text */
	int count;
	int bytes_count; /* texts of one-byte characters */
	int32 longest;   /* bytes of the longest text */
	bool gpu;        /* whether a GPU compares the texts */
} TextBatch;

/* Returns the bytes of an array of texts, their lengths, and their order. */
Size
TextsMemory(int count)
{
	return (Size) count * (sizeof(LcsText) + sizeof(int32) + sizeof(int));
}

/* Returns a batch of some of the texts. */
static StringBatch
SomeTexts(const TextBatch *batch, int first, int count, int symbol_bytes)
{
	return (StringBatch){.pattern = batch->pattern,
						 .texts = batch->texts + first,
						 .count = count,
						 .symbol_bytes = symbol_bytes,
						 .lengths = batch->lengths + first};
}

/* Compares all texts as bytes on the GPU; returns false if it is not used or declines. */
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
 * Whether a text has one-byte characters only.  Lengths found by a GPU show this, as the GPU checks
 * the bytes.
 */
static bool
CharactersAreBytes(const TextBatch *batch, int text, bool found)
{
	return found ? batch->lengths[text] != TED_NO_LENGTH
				 : HasOneByteCharacters(batch->texts[text].symbols, batch->texts[text].length);
}

/* Exchanges two texts, with their lengths and positions. */
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

/* Moves the texts of one-byte characters to the front, and finds the longest text. */
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

/* Returns the number of characters to read at a time, a small part of the memory limit. */
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

/* Compares the texts with longer characters, as many at a time as `characters` has room for. */
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

/* Allocates the CPU's memory; returns the array for characters. */
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

/* Returns the lengths in the original order of the texts. */
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

/* Returns the length for one string and each of many texts. */
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
