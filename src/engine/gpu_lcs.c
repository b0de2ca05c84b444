/*
 * gpu_lcs.c
 *	  Longest common subsequences by the GPU of this backend.
 *
 * Bytes go to the device as they are, and the pattern loses what is no byte and
 * so in no text; all other texts go as codes of the pattern, of one byte where all
 * symbols are bytes.
 */
#include "postgres.h"

#include "mb/pg_wchar.h"
#include "miscadmin.h"

#include "../compat.h"
#include "../core/string/lcs_pattern.h"
#include "../common/host.h"
#include "gpu_context.h"
#include "gpu_lcs.h"

/* Texts of a batch that was computed which have a length. */
static int64
CountLengths(const TedDeviceStrings *strings)
{
	int64 count = strings->count;

	for (int64 i = 0; strings->ascii && i < strings->count; i++)
		count -= strings->lengths[i] == TED_NO_LENGTH;
	return count;
}

/* Has the device compute a batch; false where it does not. */
static bool
Run(const TedDeviceStrings *strings)
{
	TedGpu *gpu = GpuOfBackend();
	volatile TedEngineStatus status = TED_ENGINE_BUSY;
	bool done;
	instr_time since;

	INSTR_TIME_SET_CURRENT(since);
	PG_TRY();
	{
		status = ted_gpu_strings_submit(gpu, strings);
		while (status == TED_ENGINE_BUSY)
		{
			GpuWait(since);
			CHECK_FOR_INTERRUPTS();
			status = ted_gpu_strings_poll(gpu);
		}
	}
	PG_CATCH();
	{
		ted_gpu_strings_cancel(gpu);
		PG_RE_THROW();
	}
	PG_END_TRY();
	GpuDone();
	done = status == TED_ENGINE_DONE;
	GpuCount(done ? CountLengths(strings) : 0, done ? 0 : strings->count);
	return done;
}

/* True where all symbols are bytes. */
static bool
AreBytes(const uint32 *symbols, int32 count)
{
	uint32 bits = 0;

	for (int32 i = 0; i < count; i++)
		bits |= symbols[i];
	return bits < LCS_BYTES;
}

/* Computes texts of bytes: the pattern loses what can be in none of them. */
static bool
RunOnBytes(TedDeviceStrings *strings, const uint32 *symbols, int32 count)
{
	int32 *pattern = palloc_extended(sizeof(int32) * (Size) count, MCXT_ALLOC_HUGE);
	bool done;

	strings->pattern = pattern;
	for (int32 i = 0; i < count; i++)
		if (symbols[i] < (uint32) strings->codes)
			pattern[strings->m++] = (int32) symbols[i];
	done = Run(strings);
	pfree(pattern);
	return done;
}

/* Computes texts that are to be turned into codes of the pattern. */
static bool
RunOnCodes(TedDeviceStrings *strings, const uint32 *symbols, int32 count)
{
	Size bytes = lcs_pattern_memory(symbols, count);
	LcsText *coded = palloc_extended(sizeof(LcsText) * (Size) strings->count, MCXT_ALLOC_HUGE);
	Size total = 0;
	TedArena arena;
	const LcsPattern *pattern;
	int32 *code;
	int32 *next;
	bool done;

	for (int64 i = 0; i < strings->count; i++)
		total += strings->texts[i].length;
	code = next = palloc_extended(sizeof(int32) * total, MCXT_ALLOC_HUGE);
	ArenaInit(&arena, bytes);
	CheckStatus(lcs_prepare(symbols, count, &arena, &PgInterrupt, &pattern));
	for (int64 i = 0; i < strings->count; i++)
	{
		int32 length = strings->texts[i].length;

		coded[i] = (LcsText){next, length};
		CheckStatus(lcs_encode(pattern, strings->texts[i].symbols, length, next, &PgInterrupt));
		next += length;
	}
	strings->texts = coded;
	strings->pattern = pattern->code;
	strings->m = pattern->length;
	strings->codes = pattern->distinct + 1;
	done = Run(strings);
	pfree(arena.base);
	pfree(code);
	pfree(coded);
	return done;
}

/* Numbers the bytes of a pattern, others 0 unless there are none; returns how many numbers. */
static int32
NumberBytes(const uint32 *pattern, int32 m, uint8 *code)
{
	bool present[LCS_BYTES] = {false};
	int32 distinct = 0;
	int32 next;

	for (int32 i = 0; i < m; i++)
		present[pattern[i]] = true;
	for (int i = 0; i < LCS_BYTES; i++)
		distinct += present[i];
	next = distinct < LCS_BYTES;
	for (int i = 0; i < LCS_BYTES; i++)
		code[i] = present[i] ? (uint8) next++ : 0;
	return next;
}

/* Computes texts of symbols that are bytes: they go as codes of one byte. */
static bool
RunOnByteCodes(TedDeviceStrings *strings, const uint32 *symbols, int32 count)
{
	LcsText *coded = palloc_extended(sizeof(LcsText) * (Size) strings->count, MCXT_ALLOC_HUGE);
	int32 *pattern = palloc_extended(sizeof(int32) * (Size) count, MCXT_ALLOC_HUGE);
	uint8 code[LCS_BYTES];
	Size total = 1;
	uint8 *codes;
	uint8 *next;
	bool done;

	strings->codes = NumberBytes(symbols, count, code);
	for (int32 i = 0; i < count; i++)
		pattern[i] = code[symbols[i]];
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
	strings->pattern = pattern;
	strings->m = count;
	strings->texts = coded;
	strings->symbol_bytes = 1;
	done = Run(strings);
	pfree(codes);
	pfree(pattern);
	pfree(coded);
	return done;
}

/* Computes texts of symbols of 4 bytes. */
static bool
RunOnSymbols(TedDeviceStrings *strings, const uint32 *pattern, int32 m)
{
	bool bytes = AreBytes(pattern, m);

	for (int64 i = 0; i < strings->count && bytes; i++)
		bytes = AreBytes(strings->texts[i].symbols, strings->texts[i].length);
	return bytes ? RunOnByteCodes(strings, pattern, m) : RunOnCodes(strings, pattern, m);
}

/* Fills the lengths; false where that is left to the CPU. */
bool
GpuLcsLengths(const uint32 *pattern, int32 m, const LcsText *texts, int64 count, int symbol_bytes,
			  int32 *lengths)
{
	TedDeviceStrings strings = {
		.symbol_bytes = symbol_bytes, .texts = texts, .count = count, .lengths = lengths};

	if (symbol_bytes == 1)
	{
		/* where characters may have several bytes, those of one byte are ASCII */
		strings.ascii = pg_database_encoding_max_length() > 1;
		strings.codes = strings.ascii ? LCS_BYTES / 2 : LCS_BYTES;
		return RunOnBytes(&strings, pattern, m);
	}
	return RunOnSymbols(&strings, pattern, m);
}

/* Fills the positions and the length; false where that is left to the CPU. */
bool
GpuLcsPositions(const uint32 *pattern, int32 m, const LcsText *text, int32 *in_pattern,
				int32 *in_text, int32 *length)
{
	TedDeviceStrings strings = {.symbol_bytes = sizeof(uint32),
								.texts = text,
								.count = 1,
								.lengths = length,
								.in_pattern = in_pattern,
								.in_text = in_text};

	return RunOnSymbols(&strings, pattern, m);
}
