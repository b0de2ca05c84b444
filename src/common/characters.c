/*
 * characters.c
 *	  Reads the characters of a text as numbers.
 */
#include "postgres.h"

#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "port/pg_bitutils.h"
#include "port/pg_bswap.h"

#include "../compat.h"
#include "characters.h"

/* Bytes of a text that are tested together for being ASCII characters. */
#define ASCII_RUN 8
#define HIGH_BITS UINT64CONST(0x8080808080808080)

/* Bytes that are read between interrupt checks. */
#define BYTES_PER_CHECK 4096

/* Whether the next ASCII_RUN bytes are characters of one byte each. */
static inline bool
IsAscii(const char *p)
{
	uint64 bytes;

	memcpy(&bytes, p, sizeof(bytes));
	return (bytes & HIGH_BITS) == 0;
}

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

/* Returns the bytes of a UTF-8 character, given the first one; pg_utf_mblen() without a call. */
static inline int
Utf8Bytes(uint8 first)
{
	if (first < 0xc0 || first >= 0xf8)
		return 1;
	return 2 + (first >= 0xe0) + (first >= 0xf0);
}

/* Reads a character that is not ASCII, and returns a pointer to the next character. */
static inline const char *
ReadEncodedCharacter(const char *p, const char *end, int encoding, uint32 *symbol)
{
	int bytes = encoding == PG_UTF8 ? Utf8Bytes((uint8) *p) : pg_encoding_mblen(encoding, p);
	uint32 character;

	if (end - p >= (ptrdiff_t) sizeof(character))
	{
		memcpy(&character, p, sizeof(character));
		*symbol = pg_ntoh32(character) >> BITS_PER_BYTE * (sizeof(character) - bytes);
		return p + bytes;
	}
	bytes = Min(bytes, end - p);
	character = 0;
	for (int i = 0; i < bytes; i++)
		character = character << BITS_PER_BYTE | (uint8) p[i];
	*symbol = character;
	return p + bytes;
}

/*
 * Reads the leading ASCII characters of the next ASCII_RUN bytes; the first byte must be one.
 * Returns their number.  `symbol` has space for ASCII_RUN characters, and may be overwritten up to
 * there.
 */
static inline int
ReadAscii(const char *p, uint32 *symbol)
{
	uint64 high;

	memcpy(&high, p, sizeof(high));
	high = pg_ntoh64(high) & HIGH_BITS;
#pragma GCC unroll 8
	for (int i = 0; i < ASCII_RUN; i++)
		symbol[i] = (uint8) p[i];
	return high == 0 ? ASCII_RUN : (63 - pg_leftmost_one_pos64(high)) / BITS_PER_BYTE;
}

int32
ReadCharacters(const char *bytes, int32 length, uint32 *symbol)
{
	const char *p = bytes;
	const char *end = p + length;
	int encoding = GetDatabaseEncoding();
	int32 count = 0;

	while (p < end)
	{
		const char *pause = p + Min(BYTES_PER_CHECK, end - p);

		CHECK_FOR_INTERRUPTS();
		while (p < pause)
			if (IS_HIGHBIT_SET(*p))
				p = ReadEncodedCharacter(p, end, encoding, &symbol[count++]);
			else if (end - p >= ASCII_RUN)
			{
				int run = ReadAscii(p, &symbol[count]);

				p += run;
				count += run;
			}
			else
				symbol[count++] = (uint8) *p++;
	}
	return count;
}
