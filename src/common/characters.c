/*
 * characters.c
 *	  The characters of a text as numbers.
 */
#include "postgres.h"

#include "mb/pg_wchar.h"
#include "miscadmin.h"

#include "../compat.h"
#include "characters.h"

/* Bytes of a text that are looked at together, to find the characters of one byte. */
#define ASCII_RUN 8

/* Whether the next ASCII_RUN bytes are characters of one byte each. */
static inline bool
IsAscii(const char *p)
{
	uint64 bytes;

	memcpy(&bytes, p, sizeof(bytes));
	return (bytes & UINT64CONST(0x8080808080808080)) == 0;
}

/* True where every character of a text is one byte. */
bool
HasOneByteCharacters(const char *bytes, int32 length)
{
	const char *p = bytes;
	const char *end = p + length;

	if (pg_database_encoding_max_length() == 1)
		return true;
	for (; end - p >= ASCII_RUN; p += ASCII_RUN)
		if (!IsAscii(p))
			return false;
	if (length >= ASCII_RUN)
		return IsAscii(end - ASCII_RUN);
	for (; p < end; p++)
		if (IS_HIGHBIT_SET(*p))
			return false;
	return true;
}

/* Reads the characters of a text into an array with space for one a byte; returns their number. */
int32
ReadCharacters(const char *bytes, int32 length, uint32 *symbol)
{
	const char *p = bytes;
	const char *end = p + length;
	int encoding = GetDatabaseEncoding();
	int32 count = 0;

	while (p < end)
	{
		const char *next = p + 1;
		uint32 character = (uint8) *p;

		CHECK_FOR_INTERRUPTS();
		if (end - p >= ASCII_RUN && IsAscii(p))
		{
			for (int i = 0; i < ASCII_RUN; i++)
				symbol[count++] = (uint8) p[i];
			p += ASCII_RUN;
			continue;
		}
		if (IS_HIGHBIT_SET(*p))
			next = p + Min(pg_encoding_mblen(encoding, p), end - p);
		while (++p < next)
			character = character << 8 | (uint8) *p;
		symbol[count++] = character;
	}
	return count;
}
