/*
 * gpu_lcs.c
 *	  Longest common subsequences by the GPU of this backend.
 *
 * Bytes go to the device as they are, and the pattern loses what is no byte and
 * so in no text; all other texts go as codes of the pattern.
 */
#include "postgres.h"

#include "mb/pg_wchar.h"
#include "miscadmin.h"

#include "../compat.h"
#include "../core/lcs_pattern.h"
#include "../tree/host.h"
#include "gpu_context.h"
#include "gpu_lcs.h"

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
	GpuCount(done ? strings->count : 0, done ? 0 : strings->count);
	return done;
}

/* Gives the symbols of a pattern that are bytes; returns their number. */
static int32
BytesOfPattern(const LcsPattern *pattern, int32 *symbols)
{
	int32 *byte = palloc_array(int32, (Size) pattern->distinct + 1);
	int32 count = 0;

	memset(byte, -1, ((Size) pattern->distinct + 1) * sizeof(int32));
	for (int32 i = 0; i < LCS_BYTES; i++)
		if (pattern->byte[i] != 0)
			byte[pattern->byte[i]] = i;
	for (int32 i = 0; i < pattern->length; i++)
		if (byte[pattern->code[i]] >= 0)
			symbols[count++] = byte[pattern->code[i]];
	pfree(byte);
	return count;
}

/* Computes texts that are bytes. */
static bool
RunOnBytes(TedDeviceStrings *strings, const LcsPattern *pattern)
{
	int32 *symbols = palloc_extended(sizeof(int32) * (Size) pattern->length, MCXT_ALLOC_HUGE);
	bool done;

	strings->pattern = symbols;
	strings->m = BytesOfPattern(pattern, symbols);
	/* where characters may have several bytes, those of one byte are ASCII */
	strings->codes = pg_database_encoding_max_length() == 1 ? LCS_BYTES : LCS_BYTES / 2;
	done = Run(strings);
	pfree(symbols);
	return done;
}

/* Computes texts that are to be turned into codes. */
static bool
RunOnCodes(TedDeviceStrings *strings, const LcsPattern *pattern)
{
	LcsText *coded = palloc_extended(sizeof(LcsText) * (Size) strings->count, MCXT_ALLOC_HUGE);
	Size symbols = 0;
	int32 *code;
	int32 *next;
	bool done;

	for (int64 i = 0; i < strings->count; i++)
		symbols += strings->texts[i].length;
	code = next = palloc_extended(sizeof(int32) * symbols, MCXT_ALLOC_HUGE);
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
	pfree(code);
	pfree(coded);
	return done;
}

/* Fills the lengths; false where that is left to the CPU. */
bool
GpuLcsLengths(const LcsPattern *pattern, const LcsText *texts, int64 count, int symbol_bytes,
			  int32 *lengths)
{
	TedDeviceStrings strings = {
		.symbol_bytes = symbol_bytes, .texts = texts, .count = count, .lengths = lengths};

	return symbol_bytes == 1 ? RunOnBytes(&strings, pattern) : RunOnCodes(&strings, pattern);
}

/* Fills the positions and the length; false where that is left to the CPU. */
bool
GpuLcsPositions(const LcsPattern *pattern, const LcsText *text, int32 *in_pattern, int32 *in_text,
				int32 *length)
{
	TedDeviceStrings strings = {.symbol_bytes = sizeof(uint32),
								.texts = text,
								.count = 1,
								.lengths = length,
								.in_pattern = in_pattern,
								.in_text = in_text};

	return RunOnCodes(&strings, pattern);
}
