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
#include "../engine/engine_tuning.h"
#include "../engine/gpu/gpu_lcs.h"
#include "strings.h"

/* Returns the bytes of an array of texts, their lengths, and their order. */
Size
TextsMemory(int count)
{
	return (Size) count * (sizeof(LcsText) + sizeof(int32) + sizeof(int));
}

/*
 * Moves the texts of one-byte characters to the front, and returns their number; `order` gets the
 * original position of each text.  Lengths found by a GPU show which texts these are, as the GPU
 * checks the bytes.
 */
static int
PutBytesFirst(LcsText *texts, int32 *lengths, int *order, int count, bool found)
{
	int front = 0;

	for (int i = 0; i < count; i++)
	{
		LcsText text = texts[i];
		int32 length = lengths[i];

		CHECK_FOR_INTERRUPTS();
		order[i] = i;
		if (found ? length == TED_NO_LENGTH : !HasOneByteCharacters(text.symbols, text.length))
			continue;
		texts[i] = texts[front];
		lengths[i] = lengths[front];
		order[i] = order[front];
		texts[front] = text;
		lengths[front] = length;
		order[front++] = i;
	}
	return front;
}

/* Compares a batch on the CPU. */
static void
CompareOnCpu(const LcsPattern *prepared, const StringBatch *batch, TedArena *arena)
{
	CheckStatus(lcs_batch(prepared, batch->texts, batch->count, batch->symbol_bytes, NULL, arena,
						  &PgInterrupt, batch->lengths));
}

/* Returns the length for one string and each of many texts. */
int32 *
TextsLengths(Symbols pattern, LcsText *texts, int count)
{
	int32 *lengths = MemoryContextAllocHuge(CurrentMemoryContext, count * sizeof(int32));
	int *order = MemoryContextAllocHuge(CurrentMemoryContext, count * sizeof(int));
	StringBatch batch = {
		.pattern = pattern, .texts = texts, .count = count, .symbol_bytes = 1, .lengths = lengths};
	bool gpu = GpuTakesStrings(&batch);
	bool found = gpu && GpuComputeStrings(&batch);
	int next = PutBytesFirst(texts, lengths, order, count, found);
	int32 longest = 0;
	Size all = 0;
	Size most = gpu ? Min(TED_CHARACTERS_TOGETHER_GPU, (Size) ted_max_memory * 1024 / 32)
					: TED_CHARACTERS_TOGETHER;
	Size capacity;
	Size bytes;
	uint32 *characters;
	const LcsPattern *prepared;
	TedArena arena;
	int32 *ordered;

	for (int i = 0; i < count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		longest = Max(longest, texts[i].length);
		all += i < next ? 0 : texts[i].length;
	}
	capacity = all == 0 ? 0 : Max((Size) longest, Min(all, most));
	bytes = lcs_pattern_memory(pattern.symbol, pattern.count) +
			Max(lcs_batch_memory(pattern.count, 1, longest),
				lcs_batch_memory(pattern.count, sizeof(uint32), longest));
	CheckStringMemory(TextsMemory(count) + bytes + (capacity + pattern.count) * sizeof(uint32));
	ArenaInit(&arena, bytes);
	characters = MemoryContextAllocHuge(CurrentMemoryContext, capacity * sizeof(uint32));
	CheckStatus(lcs_prepare(pattern.symbol, pattern.count, &arena, &PgInterrupt, &prepared));

	batch.count = next;
	if (!found)
		CompareOnCpu(prepared, &batch, &arena);
	/* texts of longer characters, as many at a time as there is room for */
	batch.symbol_bytes = sizeof(uint32);
	while (next < count)
	{
		Size used = 0;

		batch.texts = texts + next;
		batch.lengths = lengths + next;
		do
		{
			LcsText *text = &texts[next++];
			int32 symbols = ReadCharacters(text->symbols, text->length, characters + used);

			*text = (LcsText){characters + used, symbols};
			used += symbols;
		} while (next < count && (Size) texts[next].length <= capacity - used);
		batch.count = &texts[next] - batch.texts;
		if (!gpu || !GpuComputeStrings(&batch))
			CompareOnCpu(prepared, &batch, &arena);
	}

	ordered = MemoryContextAllocHuge(CurrentMemoryContext, count * sizeof(int32));
	for (int i = 0; i < count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		ordered[order[i]] = lengths[i];
	}
	return ordered;
}
