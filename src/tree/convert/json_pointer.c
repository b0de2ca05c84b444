/*
 * json_pointer.c
 *	  JSON Pointer (RFC 6901): the path from the root of a document to a value.
 *
 * Each step is a slash and a key or an index.  In a key, "~1" stands for a slash and "~0"
 * for a tilde.  In all server encodings, bytes below 128 are ASCII.
 */
#include "postgres.h"

#include "mb/pg_wchar.h"
#include "miscadmin.h"

#include "../../common/host.h"
#include "../../compat.h"
#include "json_pointer.h"

/* Longest text in a message, in bytes. */
#define MAX_MESSAGE_BYTES 200

/*
 * Reads the step at `p`, and writes it without escapes to `to`.  Returns its end; NULL if
 * an escape is invalid.
 */
static const char *
ReadPointerStep(const char *p, const char *end, char *to, Label *step)
{
	step->bytes = to;
	for (; p < end && *p != '/'; p++)
	{
		if (*p != '~')
			*to++ = *p;
		else if (++p < end && (*p == '0' || *p == '1'))
			*to++ = *p == '0' ? '~' : '/';
		else
			return NULL;
	}
	step->length = (int) (to - step->bytes);
	return p;
}

bool
ParseJsonPointer(Label text, MemoryContext context, const char *what, JsonPointer *pointer)
{
	const char *p = text.bytes;
	const char *end = text.bytes + text.length;
	Size slashes = 0;
	char *to;

	for (const char *c = p; c < end; c++)
	{
		CHECK_FOR_INTERRUPTS();
		slashes += *c == '/';
	}
	CheckMemoryGrowth(context, sizeof(Label) * (slashes + 1) + text.length + 1, what);
	to = MemoryContextAlloc(context, (Size) text.length + 1);
	pointer->text = text;
	pointer->steps = MemoryContextAllocHuge(context, sizeof(Label) * (slashes + 1));
	pointer->count = 0;
	while (p < end)
	{
		Label *step = &pointer->steps[pointer->count];

		CHECK_FOR_INTERRUPTS();
		if (*p != '/' || (p = ReadPointerStep(p + 1, end, to, step)) == NULL)
			return false;
		to += step->length;
		pointer->count++;
	}
	return true;
}

void
AppendPointerKey(StringInfo pointer, Label key)
{
	appendStringInfoChar(pointer, '/');
	for (int i = 0; i < key.length; i++)
	{
		if (key.bytes[i] == '~' || key.bytes[i] == '/')
			appendStringInfoString(pointer, key.bytes[i] == '~' ? "~0" : "~1");
		else
			appendStringInfoCharMacro(pointer, key.bytes[i]);
	}
}

void
AppendPointerIndex(StringInfo pointer, int32 index)
{
	appendStringInfo(pointer, "/%d", index);
}

char *
ClipForMessage(Label text)
{
	int clipped = pg_mbcliplen(text.bytes, text.length, MAX_MESSAGE_BYTES);

	return psprintf("%.*s%s", clipped, text.bytes, clipped < text.length ? "..." : "");
}
