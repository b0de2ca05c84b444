/*
 * references.c
 *	  Which characters an XML document writes as references.
 *
 * A parser does not say whether a character was written as a reference, so that the text of
 * the document is searched for references.  If it has several to a character, the first one
 * counts; none does if the character is also written plainly, unless it is one of markup,
 * which stands plainly in every document.
 */
#include "postgres.h"

#include "mb/pg_wchar.h"
#include "miscadmin.h"

#include "../../common/host.h"
#include "../../compat.h"
#include "../convert/xml_marks.h"
#include "../convert/xml_tags.h"
#include "references.h"

/* The most bytes of a reference. */
#define MAX_REFERENCE_BYTES 64

/* The largest code point. */
#define LAST_POINT 0x10FFFF

/* A character and the reference to it. */
typedef struct Reference
{
	pg_wchar point;
	Label spelling;
	bool is_also_plain;
} Reference;

/* An entity whose value is one character. */
typedef struct Entity
{
	Label name;
	pg_wchar point;
} Entity;

struct References
{
	Reference *reference; /* in the order of code points */
	int32 count;
	int32 capacity;
	Entity *entity;
	int32 entities;
	int32 entity_capacity;
	bool begins[256]; /* by byte: some character with a reference begins with it */
};

/* The entities of all documents. */
static const struct
{
	const char *name;
	pg_wchar point;
} predefined[] = {{"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};

/* Whether a character is one of markup. */
static bool
IsMarkup(pg_wchar point)
{
	return point == '&' || point == '<' || point == '>' || point == '"';
}

/* Reads the number of a reference such as "#160" or "#xA0"; 0 if it is none. */
static pg_wchar
ReadPoint(Label name)
{
	bool is_hexadecimal = name.length > 1 && name.bytes[1] == 'x';
	pg_wchar point = 0;

	for (int i = 1 + is_hexadecimal; i < name.length && point <= LAST_POINT; i++)
	{
		char c = name.bytes[i];

		if (c >= '0' && c <= '9')
			point = point * (is_hexadecimal ? 16 : 10) + (pg_wchar) (c - '0');
		else if (is_hexadecimal && ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')))
			point = point * 16 + (pg_wchar) ((c | 0x20) - 'a' + 10);
		else
			return 0;
	}
	return point <= LAST_POINT ? point : 0;
}

/*
 * Reads the reference to one character at the beginning of a text; returns its bytes, or 0 if
 * there is none.
 */
static int
ReadReference(const References *references, Label text, pg_wchar *point)
{
	const char *end = memchr(text.bytes, ';', (Size) Min(text.length, MAX_REFERENCE_BYTES));
	Label name;

	if (end == NULL || end < text.bytes + 2)
		return 0;
	name = (Label){text.bytes + 1, (int) (end - text.bytes) - 1};
	*point = name.bytes[0] == '#' ? ReadPoint(name) : 0;
	for (int i = 0; i < (int) lengthof(predefined); i++)
		if (LabelIs(name, predefined[i].name))
			*point = predefined[i].point;
	for (int32 i = 0; i < references->entities && *point == 0; i++)
		if (name.length == references->entity[i].name.length &&
			memcmp(name.bytes, references->entity[i].name.bytes, (Size) name.length) == 0)
			*point = references->entity[i].point;
	if (*point >= 0x80 && GetDatabaseEncoding() != PG_UTF8)
		return 0;
	return *point == 0 ? 0 : name.length + 2;
}

/* Returns the character at the beginning of a text, and the number of its bytes. */
static pg_wchar
ReadPlain(Label text, int *length)
{
	const unsigned char *bytes = (const unsigned char *) text.bytes;

	*length = 1;
	if (!IS_HIGHBIT_SET(bytes[0]) || GetDatabaseEncoding() != PG_UTF8 ||
		pg_utf_mblen(bytes) > text.length)
		return bytes[0];
	*length = pg_utf_mblen(bytes);
	return utf8_to_unicode(bytes);
}

/* Returns the bytes from a place on. */
static Label
From(Label text, int at)
{
	return (Label){text.bytes + at, text.length - at};
}

/* Returns the number of bytes before the first one of some bytes, or of all bytes. */
static int
BytesBefore(Label text, const char *ends)
{
	int length = 0;

	while (length < text.length && strchr(ends, text.bytes[length]) == NULL)
	{
		CHECK_FOR_INTERRUPTS();
		length++;
	}
	return length;
}

/* Whether a text begins with some bytes. */
static bool
BeginsWith(Label text, const char *bytes)
{
	return text.length >= (int) strlen(bytes) && memcmp(text.bytes, bytes, strlen(bytes)) == 0;
}

/*
 * Reads the declaration of an entity, from its name on, if the value is one character.
 * Returns the bytes up to the end of the value.
 */
static int
ReadEntity(References *references, Label text, const char *what)
{
	Entity entity = {.name = {text.bytes, BytesBefore(text, " \t\r\n\"'>")}};
	int quote = BytesBefore(text, "\"'>");
	Label value = From(text, Min(quote + 1, text.length));
	int length;

	if (quote == text.length || text.bytes[quote] == '>')
		return quote;
	value.length = BytesBefore(value, text.bytes[quote] == '"' ? "\"" : "'");
	length = value.length == 0 ? 0 : ReadReference(references, value, &entity.point);
	if (length == 0 && value.length > 0)
		entity.point = ReadPlain(value, &length);
	if (length > 0 && length == value.length)
	{
		RESERVE_COUNTED(CurrentMemoryContext, references->entity, references->entity_capacity,
						references->entities + 1, what);
		references->entity[references->entities++] = entity;
	}
	return quote + 1 + value.length;
}

/* Reads the entities that a document type declares. */
static void
ReadEntities(References *references, Label type, const char *what)
{
	static const char declaration[] = "<!ENTITY ";
	int begin = (int) strlen(declaration);

	for (int at = BytesBefore(type, "<"); at < type.length; at += BytesBefore(From(type, at), "<"))
	{
		Label rest = From(type, at);

		at += BeginsWith(rest, declaration)
				  ? begin + ReadEntity(references, From(rest, begin), what)
				  : 1;
	}
}

/* Orders references by code points, then by their places. */
static int
CompareReferences(const void *x, const void *y)
{
	const Reference *a = x;
	const Reference *b = y;

	CHECK_FOR_INTERRUPTS();
	if (a->point != b->point)
		return a->point < b->point ? -1 : 1;
	return (a->spelling.bytes > b->spelling.bytes) - (a->spelling.bytes < b->spelling.bytes);
}

/* Returns the reference to a character, or NULL. */
static Reference *
FindReference(const References *references, pg_wchar point)
{
	int32 low = 0;
	int32 high = references->count;

	while (low < high)
	{
		int32 middle = (low + high) / 2;

		if (references->reference[middle].point < point)
			low = middle + 1;
		else
			high = middle;
	}
	return low < references->count && references->reference[low].point == point
			   ? &references->reference[low]
			   : NULL;
}

/* Sorts the references, and leaves out all but the first one to each character. */
static void
SortReferences(References *references)
{
	int32 kept = 0;

	qsort(references->reference, (size_t) references->count, sizeof(Reference), CompareReferences);
	for (int32 i = 0; i < references->count; i++)
		if (kept == 0 || references->reference[kept - 1].point != references->reference[i].point)
			references->reference[kept++] = references->reference[i];
	references->count = kept;
}

/* Sets the first bytes of all characters that have a reference. */
static void
SetFirstBytes(References *references)
{
	memset(references->begins, 0, sizeof(references->begins));
	references->begins['&'] = references->begins['<'] = references->begins['>'] = true;
	references->begins['"'] = references->begins[MARK_REFERENCE] = true;
	for (int32 i = 0; i < references->count; i++)
	{
		unsigned char bytes[MAX_MULTIBYTE_CHAR_LEN];

		unicode_to_utf8(references->reference[i].point, bytes);
		references->begins[bytes[0]] = true;
	}
}

/* Leaves out the references to characters that are also written plainly, except in markup. */
static void
LeaveOutPlain(References *references, Label content)
{
	int32 kept = 0;
	pg_wchar point;
	int length;

	for (int at = 0; at < content.length; at += length)
	{
		Reference *reference;

		CHECK_FOR_INTERRUPTS();
		length = 1;
		if (!references->begins[(unsigned char) content.bytes[at]])
			continue;
		point = ReadPlain(From(content, at), &length);
		if (!IsMarkup(point) && (reference = FindReference(references, point)) != NULL)
			reference->is_also_plain = true;
	}
	for (int32 i = 0; i < references->count; i++)
		if (!references->reference[i].is_also_plain)
			references->reference[kept++] = references->reference[i];
	references->count = kept;
}

/* Whether a tag is open after some bytes of the content, if one was before. */
static bool
IsInTag(const char *begin, const char *end, bool was_in_tag)
{
	while (end-- > begin)
		if (*end == '<' || *end == '>')
			return *end == '<';
	return was_in_tag;
}

/* Whether a reference had to be written, so that it says nothing of others. */
static bool
IsNecessary(Label content, int at, pg_wchar point, bool is_in_tag)
{
	return (point == '"' && is_in_tag) || (point == '>' && at > 0 && content.bytes[at - 1] == ']');
}

const References *
FindReferences(Label document, const char *what)
{
	References *references = palloc0_object(References);
	XmlText type = FindXmlDoctype((XmlText){document.bytes, document.bytes + document.length});
	Label content = From(document, (int) (type.end - document.bytes));
	const char *before = content.bytes;
	const char *end = content.bytes + content.length;
	const char *next;
	bool is_in_tag = false;
	bool has_others = false;

	ReadEntities(references, (Label){type.start, (int) (type.end - type.start)}, what);
	while ((next = memchr(before, '&', (Size) (end - before))) != NULL)
	{
		int at = (int) (next - content.bytes);
		pg_wchar point;
		int length = ReadReference(references, From(content, at), &point);

		CHECK_FOR_INTERRUPTS();
		is_in_tag = IsInTag(before, next, is_in_tag);
		if (length > 0 && !IsNecessary(content, at, point, is_in_tag))
		{
			RESERVE_COUNTED(CurrentMemoryContext, references->reference, references->capacity,
							references->count + 1, what);
			references->reference[references->count++] =
				(Reference){.point = point, .spelling = {next, length}};
			has_others |= !IsMarkup(point);
		}
		before = next + Max(length, 1);
	}
	SortReferences(references);
	SetFirstBytes(references);
	if (has_others)
	{
		LeaveOutPlain(references, content);
		SetFirstBytes(references);
	}
	return references;
}

/* Returns the reference that must replace a character of a label, or an empty text. */
static Label
NecessaryReference(const char *character, bool is_text)
{
	switch (*character)
	{
		case '&':
			return (Label){"&amp;", 5};
		case '<':
			return (Label){"&lt;", 4};
		case '>': /* "]]>" would end what is no CDATA section; the mark of a text is before it */
			return is_text && character[-1] == ']' ? (Label){"&gt;", 4} : (Label){"", 0};
		case '"':
			return is_text ? (Label){"", 0} : (Label){"&quot;", 6};
		default:
			return (Label){"", 0};
	}
}

void
AppendWithReferences(StringInfo out, const References *references, Label text, bool is_text)
{
	int length;

	for (int at = 0; at < text.length; at += length)
	{
		const Reference *reference;
		Label spelling;

		CHECK_FOR_INTERRUPTS();
		length = 1;
		if (!references->begins[(unsigned char) text.bytes[at]])
		{
			while (at + length < text.length &&
				   !references->begins[(unsigned char) text.bytes[at + length]])
				length++;
			appendBinaryStringInfo(out, text.bytes + at, length);
			continue;
		}
		if (text.bytes[at] == MARK_REFERENCE)
		{
			appendStringInfoChar(out, '&');
			continue;
		}
		reference = FindReference(references, ReadPlain(From(text, at), &length));
		spelling =
			reference != NULL ? reference->spelling : NecessaryReference(text.bytes + at, is_text);
		if (spelling.length > 0)
			appendBinaryStringInfo(out, spelling.bytes, spelling.length);
		else
			appendBinaryStringInfo(out, text.bytes + at, length);
	}
}
