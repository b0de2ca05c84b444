/*
 * cell_bytes.c
 *	  How cells of a join over several servers, and their matches, are written as bytes.
 */
#include "postgres.h"

#include "libpq/pqformat.h"

#include "cell_bytes.h"

/* Most bytes of a packed value, which as text has up to two characters a byte, and 1 GB at most. */
#define MOST_BYTES ((Size) 500 << 20)

/* Most bytes of a number. */
#define NUMBER_BYTES 10

/* Refuses a value that could not be sent. */
void
CheckPackedSize(Size bytes, const char *what, const char *hint)
{
	if (bytes > MOST_BYTES)
		ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
						errmsg("%s of a cell do not fit in one statement", what),
						errdetail("They take more than %d MB.", (int) (MOST_BYTES >> 20)),
						errhint("%s", hint)));
}

/* Appends a number. */
void
AppendNumber(StringInfo to, uint64 number)
{
	enlargeStringInfo(to, NUMBER_BYTES);
	for (; number > 127; number >>= 7)
		appendStringInfoCharMacro(to, (char) (number | 128));
	appendStringInfoCharMacro(to, (char) number);
}

/* Reads a number. */
uint64
ReadNumber(StringInfo from)
{
	uint64 number = 0;

	for (int shift = 0; shift < 7 * NUMBER_BYTES; shift += 7)
	{
		int byte = pq_getmsgbyte(from);

		number |= (uint64) (byte & 127) << shift;
		if (byte < 128)
			return number;
	}
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
			 errmsg("invalid number in a cell or its matches"),
			 errdetail("It has more than %d bytes.", NUMBER_BYTES),
			 errhint("Read what ted_pack_cell(), tree_join_cell() or lcs_join_cell() has returned.")));
}

/* Reads a number as a length. */
int32
ReadLength(StringInfo from)
{
	uint64 number = ReadNumber(from);

	return (int32) Min(number, PG_INT32_MAX);
}

/* Appends an integer as its difference, which is small where it is near 0. */
void
AppendDifference(StringInfo to, int64 from, int64 integer)
{
	uint64 difference = (uint64) integer - (uint64) from;

	AppendNumber(to, difference << 1 ^ (difference >> 63 ? ~UINT64CONST(0) : 0));
}

/* Reads the integer that has this difference from another one. */
int64
ReadDifference(StringInfo from, int64 other)
{
	uint64 folded = ReadNumber(from);

	return (int64) ((uint64) other + (folded >> 1 ^ (folded & 1 ? ~UINT64CONST(0) : 0)));
}
