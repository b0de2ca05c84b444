/*
 * markup.c
 *	  Writes texts of any content into HTML and SVG.
 *
 * Pictures are in ASCII, so they are valid both in the encoding of the database and in that
 * of any client that writes them to a file.
 */
#include "postgres.h"

#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#include "../../common/host.h"
#include "../../common/messages.h"
#include "markup.h"

/*
 * The approximate bytes of a text that are converted at once, and the most bytes of markup
 * for one byte.
 */
#define CHUNK_BYTES 400
#define BYTES_OF_REFERENCE 10

/* The most bytes of a picture. */
#define MAX_BYTES (MaxAllocSize - 1)

void
MarkupBegin(void)
{
	MemoryContextSwitchTo(
		AllocSetContextCreate(CurrentMemoryContext, "ted picture", ALLOCSET_DEFAULT_SIZES));
}

text *
MarkupFinish(const StringInfoData *out)
{
	MemoryContext context = GetMemoryChunkContext(out->data);
	text *picture;

	MemoryContextSwitchTo(MemoryContextGetParent(context));
	picture = CopyToValue(out->data, out->len);
	MemoryContextDelete(context);
	return picture;
}

/* Makes room for `bytes` bytes. */
static void
Reserve(StringInfo out, Size bytes)
{
	Size needed = (Size) out->len + bytes + 1;

	if (needed <= (Size) out->maxlen)
		return;
	if (needed > MAX_BYTES)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("picture would be larger than 1 GB"), errhint("Use smaller values.")));
	CheckMemoryGrowth(GetMemoryChunkContext(out->data), 2 * needed, DRAWING_A_PICTURE);
	enlargeStringInfo(out, bytes);
}

void
MarkupReserve(StringInfo out)
{
	Reserve(out, MARKUP_BYTES);
}

/*
 * Appends a text in UTF-8.  Invalid bytes and what XML forbids become U+FFFD, control characters
 * the symbols for them.
 */
static void
AppendUtf8(StringInfo out, Label text)
{
	for (int i = 0, taken; i < text.length; i += taken)
	{
		const unsigned char *bytes = (const unsigned char *) text.bytes + i;
		pg_wchar c;

		taken = pg_utf_mblen(bytes);
		if (taken > text.length - i || !pg_utf8_islegal(bytes, taken))
		{
			taken = 1;
			c = 0xFFFD;
		}
		else
			c = utf8_to_unicode(bytes);
		if (c < 0x20 && c != '\t')
			c += 0x2400;
		else if (c == 0x7F)
			c = 0x2421;
		else if ((c >= 0x80 && c < 0xA0) || c == 0xFFFE || c == 0xFFFF)
			c = 0xFFFD;
		if (c < 0x80 && c != '<' && c != '>' && c != '&' && c != '"' && c != '\'' && c != '\t')
			appendStringInfoCharMacro(out, (char) c);
		else
			appendStringInfo(out, "&#x%X;", c);
	}
}

/* Returns the bytes of the character at a byte of a text. */
static int
CharacterBytes(Label text, int at)
{
	const char *bytes = text.bytes + at;
	int length = GetDatabaseEncoding() == PG_SQL_ASCII ? pg_utf_mblen((const unsigned char *) bytes)
													   : pg_mblen(bytes);

	return Min(length, text.length - at);
}

void
MarkupText(StringInfo out, Label text)
{
	bool convert = GetDatabaseEncoding() != PG_UTF8 && GetDatabaseEncoding() != PG_SQL_ASCII;

	while (text.length > 0)
	{
		Label chunk = {text.bytes, 0}; /* cut between characters */
		char *converted = (char *) chunk.bytes;

		CHECK_FOR_INTERRUPTS();
		while (chunk.length < text.length && chunk.length < CHUNK_BYTES)
			chunk.length += CharacterBytes(text, chunk.length);
		text.bytes += chunk.length;
		text.length -= chunk.length;
		if (convert)
			converted = ValueFromServer(chunk.bytes, chunk.length, PG_UTF8);
		Reserve(out, BYTES_OF_REFERENCE * (Size) chunk.length);
		if (converted == chunk.bytes)
			AppendUtf8(out, chunk);
		else
		{
			AppendUtf8(out, (Label){converted, strlen(converted)});
			pfree(converted);
		}
	}
}

int
MarkupFit(Label text, int *columns)
{
	int length = 0;

	while (length < text.length)
	{
		int width = pg_dsplen(text.bytes + length);

		if (width < 0)
			width = 1;
		if (width > *columns)
			break;
		*columns -= width;
		length += CharacterBytes(text, length);
	}
	return length;
}

void
MarkupAppend(StringInfo out, const StringInfoData *other)
{
	Reserve(out, other->len);
	AppendBlock(out, other->data, other->len);
}
