/*
 * string_session.c
 *	  Longest common subsequences, on the CPU or the GPU.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "../compat.h"
#include "../common/host.h"
#include "gpu/gpu_context.h"
#include "gpu/gpu_lcs.h"
#include "string_session.h"
#include "engine_tuning.h"

/* The most symbols of a pattern that fits in one word. */
#define WORD_LENGTH 64

/* Scratch memory for two short strings, which is enough for any of them. */
#define SHORT_ARENA 16384

/* Default name of a comparison in errors. */
#define COMPARISON "string comparison"

/* Raises an error if a comparison needs more scratch memory than ted.max_memory allows. */
void
CheckStringMemory(Size bytes)
{
	CheckMemoryLimit(bytes, COMPARISON);
}

/* Returns the bytes of the symbols of two strings. */
static Size
StringSymbolBytes(int32 m, int32 n)
{
	return ((Size) m + n) * sizeof(uint32);
}

/* Computes a batch on the GPU; returns false if the CPU has to. */
static bool
ComputeByGpu(const StringBatch *batch)
{
	return GpuTakesStrings(batch) && GpuComputeStrings(batch);
}

/* Whether strings of these lengths are short. */
static bool
StringsAreShort(int32 a, int32 b)
{
	return a <= SHORT_STRING && b <= SHORT_STRING;
}

/* Whether strings of these lengths are compared without a copy. */
bool
AreShortStrings(int32 a, int32 b)
{
	return StringsAreShort(a, b) && !GpuIsForced();
}

/* Returns the length of the longest common subsequence of two short strings. */
int32
ShortStringsLength(const LcsText *a, const LcsText *b, int symbol_bytes, int32 least)
{
	char block[SHORT_ARENA + TED_ARENA_ALIGN];
	TedArena arena = ted_arena_in(block, SHORT_ARENA);
	int32 length;

	Assert(lcs_pair_memory(a->length, b->length, symbol_bytes) <= SHORT_ARENA);
	CheckStatus(lcs_pair_length(a, b, symbol_bytes, least, &arena, &PgInterrupt, &length));
	return length;
}

/*
 * Raises an error if two strings need too much memory; returns the CPU's scratch memory in bytes.
 */
static Size
CheckPairMemory(int32 m, int32 n)
{
	Size bytes = lcs_pair_memory(m, n, sizeof(uint32));

	CheckStringMemory(bytes + StringSymbolBytes(m, n));
	return bytes;
}

/* Returns the length of the longest common subsequence of two strings, computed on the CPU. */
int32
StringsLengthByCpu(Symbols a, Symbols b, int32 least)
{
	LcsText text_a = {a.symbol, a.count};
	LcsText text_b = {b.symbol, b.count};
	int32 length;
	TedArena arena;

	if (Min(a.count, b.count) < least)
		return LCS_BELOW;
	if (StringsAreShort(a.count, b.count))
		return ShortStringsLength(&text_a, &text_b, sizeof(uint32), least);
	ArenaInit(&arena, CheckPairMemory(a.count, b.count));
	CheckStatus(
		lcs_pair_length(&text_a, &text_b, sizeof(uint32), least, &arena, &PgInterrupt, &length));
	pfree(arena.base);
	return length;
}

/* Returns the length of the longest common subsequence of two strings. */
int32
StringsLength(Symbols a, Symbols b, int32 least)
{
	LcsText text = {b.symbol, b.count};
	int32 length;
	StringBatch batch = {.pattern = a,
						 .texts = &text,
						 .count = 1,
						 .symbol_bytes = sizeof(uint32),
						 .least = &least,
						 .lengths = &length};

	if (Min(a.count, b.count) < least)
		return LCS_BELOW;
	if (AreShortStrings(a.count, b.count))
		return StringsLengthByCpu(a, b, least);
	CheckPairMemory(a.count, b.count);
	if (ComputeByGpu(&batch))
		return length < least ? LCS_BELOW : length;
	return StringsLengthByCpu(a, b, least);
}

/*
 * Returns the bytes of the positions of a common subsequence in both strings, and of the strings.
 */
static Size
AlignedBytes(int32 m, int32 n)
{
	return 2 * ted_arena_bytes((Size) Min(m, n) * sizeof(int32)) + StringSymbolBytes(m, n);
}

/* Returns an upper bound on the bytes that StringsSubsequence() takes. */
Size
StringsSubsequenceMemory(int32 m, int32 n)
{
	return AlignedBytes(m, n) + lcs_pattern_memory_below(m, UINT64_MAX) +
		   lcs_positions_memory(m, n);
}

/* Finds a longest common subsequence of two strings. */
CommonSubsequence
StringsSubsequence(Symbols a, Symbols b, Size reserved)
{
	Size positions = (Size) Min(a.count, b.count) * sizeof(int32);
	Size bytes = lcs_pattern_memory(a.symbol, a.count) + lcs_positions_memory(a.count, b.count);
	LcsText text = {b.symbol, b.count};
	CommonSubsequence common;
	StringBatch batch = {.pattern = a,
						 .texts = &text,
						 .count = 1,
						 .symbol_bytes = sizeof(uint32),
						 .lengths = &common.length};
	TedArena arena;
	const LcsPattern *pattern;

	CheckStringMemory(AlignedBytes(a.count, b.count) + bytes + reserved);
	common.in_a = batch.in_pattern = MemoryContextAllocHuge(CurrentMemoryContext, positions);
	common.in_b = batch.in_text = MemoryContextAllocHuge(CurrentMemoryContext, positions);
	if (ComputeByGpu(&batch))
		return common;
	ArenaInit(&arena, bytes);
	CheckStatus(lcs_prepare(a.symbol, a.count, &arena, &PgInterrupt, &pattern));
	CheckStatus(lcs_positions(pattern, b.symbol, b.count, &arena, &PgInterrupt, common.in_a,
							  common.in_b, &common.length));
	return common;
}

/* Opens a session. */
StringSession *
StringSessionOpen(MemoryContext context)
{
	StringSession *session = MemoryContextAllocZero(context, sizeof(StringSession));

	session->context = context;
	session->what = COMPARISON;
	return session;
}

/* Sets the string with which others are compared. */
void
StringSessionSetPattern(StringSession *session, Symbols pattern)
{
	session->pattern = pattern;
	session->prepared = NULL;
}

/* Makes room in an arena, if ted.max_memory allows it in addition to `symbols` symbols. */
static void
ReserveWithinLimit(StringSession *session, TedArena *arena, Size bytes, Size symbols)
{
	if (bytes > arena->size - arena->used)
		CheckMemoryLimit(bytes + symbols * sizeof(uint32), session->what);
	ArenaReserve(arena, session->context, bytes);
}

/* Prepares the pattern for the CPU. */
static void
Prepare(StringSession *session)
{
	const Symbols *pattern = &session->pattern;
	TedArena arena;

	ReserveWithinLimit(session, &session->prepared_in,
					   lcs_pattern_memory(pattern->symbol, pattern->count), pattern->count);
	arena = session->prepared_in;
	CheckStatus(
		lcs_prepare(pattern->symbol, pattern->count, &arena, &PgInterrupt, &session->prepared));
}

/* Whether the CPU compares the texts side by side rather than one by one. */
static bool
AreSideBySide(const StringBatch *batch)
{
	int32 m = batch->pattern.count;

	return batch->count > 1 && m <= LCS_BATCH_PATTERN &&
		   (m > WORD_LENGTH || batch->count >= TED_STRINGS_SIDE_BY_SIDE);
}

/* Reserves the scratch memory that the CPU would need, so that errors do not depend on the GPU. */
static void
ReserveCpuScratch(StringSession *session, const StringBatch *batch)
{
	int32 m = batch->pattern.count;
	int32 longest = 0;

	for (int64 i = 0; i < batch->count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		longest = Max(longest, batch->texts[i].length);
	}
	ReserveWithinLimit(session, &session->scratch,
					   AreSideBySide(batch) ? lcs_batch_memory(m, sizeof(uint32), longest)
											: lcs_length_memory(m, longest),
					   (Size) m + longest);
}

/* Computes a batch on the CPU. */
static void
ComputeStringsOnCpu(StringSession *session, const StringBatch *batch)
{
	TedArena arena = session->scratch;

	if (session->prepared == NULL)
		Prepare(session);
	if (AreSideBySide(batch))
	{
		CheckStatus(lcs_batch(session->prepared, batch->texts, batch->count, sizeof(uint32),
							  batch->least, &arena, &PgInterrupt, batch->lengths));
		return;
	}
	for (int64 i = 0; i < batch->count; i++)
	{
		const LcsText *text = &batch->texts[i];

		CHECK_FOR_INTERRUPTS();
		CheckStatus(lcs_length_at_least(session->prepared, text->symbols, text->length,
										batch->least == NULL ? 0 : batch->least[i], &arena,
										&PgInterrupt, &batch->lengths[i]));
	}
}

/* Compares a few short strings without a copy; returns false for many strings, or a long one. */
static bool
ComputeShort(const StringSession *session, const StringBatch *batch)
{
	LcsText pattern = {batch->pattern.symbol, batch->pattern.count};

	if (batch->count >= TED_STRINGS_SIDE_BY_SIDE || (GpuIsForced() && !session->on_cpu))
		return false;
	for (int64 i = 0; i < batch->count; i++)
		if (!StringsAreShort(pattern.length, batch->texts[i].length))
			return false;
	for (int64 i = 0; i < batch->count; i++)
		batch->lengths[i] = ShortStringsLength(&pattern, &batch->texts[i], sizeof(uint32),
											   batch->least == NULL ? 0 : batch->least[i]);
	return true;
}

/* Computes the lengths for the pattern and each text. */
void
StringSessionCompute(StringSession *session, const LcsText *texts, int32 count, const int32 *least,
					 int32 *lengths)
{
	StringBatch batch = {.pattern = session->pattern,
						 .texts = texts,
						 .count = count,
						 .symbol_bytes = sizeof(uint32),
						 .least = least,
						 .lengths = lengths};

	if (session->prepared == NULL && ComputeShort(session, &batch))
		return;
	ReserveCpuScratch(session, &batch);
	if (session->on_cpu || !ComputeByGpu(&batch))
		ComputeStringsOnCpu(session, &batch);
	else if (session->counts != NULL)
		session->counts->gpu_batches++;
	for (int32 i = 0; least != NULL && i < count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (lengths[i] < least[i])
			lengths[i] = LCS_BELOW;
	}
}
