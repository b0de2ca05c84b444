/*
 * gpu_lcs.c
 *	  Computes longest common subsequences on the GPU of this backend.
 *
 * Texts of bytes are sent as they are; symbols of the pattern that are not bytes are left out, as
 * no text has them.  All other texts are sent as codes of the pattern's symbols; the codes are
 * single bytes if all symbols are bytes.
 */
#include "postgres.h"

#include "mb/pg_wchar.h"
#include "miscadmin.h"

#include "../../compat.h"
#include "../../core/string/lcs_pattern.h"
#include "../../common/host.h"
#include "gpu_context.h"
#include "gpu_lcs.h"

/* Returns the number of texts with a length in a computed batch. */
static int64
CountLengths(const TedDeviceStrings *strings)
{
	int64 count = strings->count;

	for (int64 i = 0; strings->ascii && i < strings->count; i++)
		count -= strings->lengths[i] == TED_NO_LENGTH;
	return count;
}

/* Submits a batch of strings. */
static TedEngineStatus
SubmitLcsBatch(void *strings)
{
	return ted_gpu_strings_submit(GpuOfBackend(), strings);
}

/* Polls the batch of strings. */
static TedEngineStatus
PollLcsBatch(void *strings)
{
	(void) strings;
	return ted_gpu_strings_poll(GpuOfBackend());
}

/* Cancels the batch of strings. */
static void
CancelLcsBatch(void *strings)
{
	(void) strings;
	ted_gpu_strings_cancel(GpuOfBackend());
}

const GpuWork gpu_lcs_work = {SubmitLcsBatch, PollLcsBatch, CancelLcsBatch};

/* Computes a batch on the GPU; returns false if the GPU declines it. */
static bool
Run(TedDeviceStrings *strings)
{
	bool done = GpuRun(&gpu_lcs_work, strings) == TED_ENGINE_DONE;

	GpuCount(done ? CountLengths(strings) : 0, done ? 0 : strings->count);
	return done;
}

/* Whether all symbols are bytes. */
static bool
SymbolsAreBytes(const uint32 *symbols, int32 count)
{
	uint32 bits = 0;

	for (int32 i = 0; i < count; i++)
		bits |= symbols[i];
	return bits < LCS_BYTES;
}

/* Computes a batch of texts of bytes. */
static bool
RunOnBytes(TedDeviceStrings *strings, Symbols pattern)
{
	int32 *bytes = palloc_extended(sizeof(int32) * (Size) pattern.count, MCXT_ALLOC_HUGE);
	bool done;

	strings->pattern = bytes;
	for (int32 i = 0; i < pattern.count; i++)
		if (pattern.symbol[i] < (uint32) strings->codes)
			bytes[strings->m++] = (int32) pattern.symbol[i];
	done = Run(strings);
	pfree(bytes);
	return done;
}

/* Computes a batch of texts as 4-byte codes of the pattern's symbols. */
static bool
RunOnCodes(TedDeviceStrings *strings, Symbols pattern)
{
	Size bytes = lcs_pattern_memory(pattern.symbol, pattern.count);
	LcsText *coded = palloc_extended(sizeof(LcsText) * (Size) strings->count, MCXT_ALLOC_HUGE);
	Size total = 0;
	TedArena arena;
	const LcsPattern *prepared;
	int32 *code;
	int32 *next;
	bool done;

	for (int64 i = 0; i < strings->count; i++)
		total += strings->texts[i].length;
	code = next = palloc_extended(sizeof(int32) * total, MCXT_ALLOC_HUGE);
	ArenaInit(&arena, bytes);
	CheckStatus(lcs_prepare(pattern.symbol, pattern.count, &arena, &PgInterrupt, &prepared));
	for (int64 i = 0; i < strings->count; i++)
	{
		int32 length = strings->texts[i].length;

		coded[i] = (LcsText){next, length};
		CheckStatus(lcs_encode(prepared, strings->texts[i].symbols, length, next, &PgInterrupt));
		next += length;
	}
	strings->texts = coded;
	strings->pattern = prepared->code;
	strings->m = prepared->length;
	strings->codes = prepared->symbols.distinct + 1;
	done = Run(strings);
	pfree(arena.base);
	pfree(code);
	pfree(coded);
	return done;
}

/*
 * Assigns codes to bytes: bytes of the pattern get different codes, all others get 0.  Returns the
 * number of codes.
 */
static int32
NumberBytes(Symbols pattern, uint8 *code)
{
	bool present[LCS_BYTES] = {false};
	int32 distinct = 0;
	int32 next;

	for (int32 i = 0; i < pattern.count; i++)
		present[pattern.symbol[i]] = true;
	for (int i = 0; i < LCS_BYTES; i++)
		distinct += present[i];
	next = distinct < LCS_BYTES;
	for (int i = 0; i < LCS_BYTES; i++)
		code[i] = present[i] ? (uint8) next++ : 0;
	return next;
}

/* Computes a batch of texts whose symbols are bytes, as codes of one byte. */
static bool
RunOnByteCodes(TedDeviceStrings *strings, Symbols pattern)
{
	LcsText *coded = palloc_extended(sizeof(LcsText) * (Size) strings->count, MCXT_ALLOC_HUGE);
	int32 *coded_pattern = palloc_extended(sizeof(int32) * (Size) pattern.count, MCXT_ALLOC_HUGE);
	uint8 code[LCS_BYTES];
	Size total = 1;
	uint8 *codes;
	uint8 *next;
	bool done;

	strings->codes = NumberBytes(pattern, code);
	for (int32 i = 0; i < pattern.count; i++)
		coded_pattern[i] = code[pattern.symbol[i]];
	for (int64 i = 0; i < strings->count; i++)
		total += strings->texts[i].length;
	codes = next = palloc_extended(total, MCXT_ALLOC_HUGE);
	for (int64 i = 0; i < strings->count; i++)
	{
		const uint32 *text = strings->texts[i].symbols;
		int32 length = strings->texts[i].length;

		coded[i] = (LcsText){next, length};
		for (int32 j = 0; j < length; j++)
			*next++ = code[text[j]];
		CHECK_FOR_INTERRUPTS();
	}
	strings->pattern = coded_pattern;
	strings->m = pattern.count;
	strings->texts = coded;
	strings->symbol_bytes = 1;
	done = Run(strings);
	pfree(codes);
	pfree(coded_pattern);
	pfree(coded);
	return done;
}

/* Computes a batch of texts of 4-byte symbols. */
static bool
RunOnSymbols(TedDeviceStrings *strings, Symbols pattern)
{
	bool bytes = SymbolsAreBytes(pattern.symbol, pattern.count);

	for (int64 i = 0; i < strings->count && bytes; i++)
		bytes = SymbolsAreBytes(strings->texts[i].symbols, strings->texts[i].length);
	return bytes ? RunOnByteCodes(strings, pattern) : RunOnCodes(strings, pattern);
}

/* Whether both the pattern and some text have symbols. */
static bool
HaveSymbols(const StringBatch *batch)
{
	if (batch->pattern.count == 0)
		return false;
	for (int64 i = 0; i < batch->count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (batch->texts[i].length > 0)
			return true;
	}
	return false;
}

/* Whether a batch goes to the GPU. */
bool
GpuTakesStrings(const StringBatch *batch)
{
	return HaveSymbols(batch) && GpuWanted(StringsPay, batch) == GPU_YES;
}

/* Computes a batch on the GPU; returns false if the GPU declines it. */
bool
GpuComputeStrings(const StringBatch *batch)
{
	TedDeviceStrings strings = {.symbol_bytes = batch->symbol_bytes,
								.texts = batch->texts,
								.count = batch->count,
								.lengths = batch->lengths,
								.in_pattern = batch->in_pattern,
								.in_text = batch->in_text};

	if (batch->symbol_bytes != 1)
		return RunOnSymbols(&strings, batch->pattern);
	/* where characters may have several bytes, one-byte characters are ASCII */
	strings.ascii = pg_database_encoding_max_length() > 1;
	strings.codes = strings.ascii ? LCS_BYTES / 2 : LCS_BYTES;
	return RunOnBytes(&strings, batch->pattern);
}
