/*
 * xml_tags.c
 *	  Finds tags, for errors, and the document type declaration in the text of an XML
 *	  document.
 *
 * libxml2's reader knows the line of a node but not its column, and its parser is ahead of
 * the reader.  So from_xml.c counts the tags that the reader has passed, and they are found
 * again here.
 */
#include "postgres.h"

#include "miscadmin.h"

#include "xml_places.h"
#include "xml_tags.h"

/* Whether a text begins with `beginning`. */
static bool
BeginsWith(const char *p, const char *end, const char *beginning)
{
	Size length = strlen(beginning);

	return (Size) (end - p) >= length && memcmp(p, beginning, length) == 0;
}

/* Returns the position after a mark, or the end of the text. */
static const char *
SkipPast(const char *p, const char *end, const char *mark)
{
	while ((p = memchr(p, mark[0], (Size) (end - p))) != NULL)
	{
		if (BeginsWith(p, end, mark))
			return p + strlen(mark);
		p++;
	}
	return end;
}

/* Returns the end of the tag that begins at p.  Quoted values may contain any characters. */
static const char *
TagEnd(const char *p, const char *end)
{
	if (BeginsWith(p, end, "<!--"))
		return SkipPast(p + strlen("<!--"), end, "-->");
	if (BeginsWith(p, end, "<?"))
		return SkipPast(p + strlen("<?"), end, "?>");
	while (p < end && *p != '>')
	{
		char mark[2] = {*p++, '\0'};

		if (mark[0] == '"' || mark[0] == '\'')
			p = SkipPast(p, end, mark);
	}
	return p < end ? p + 1 : end;
}

const char *
BehindXmlDeclaration(XmlText doc)
{
	bool declared = BeginsWith(doc.start, doc.end, "<?xml") && doc.end - doc.start > 5 &&
					strchr(" \t\r\n", doc.start[5]) != NULL;

	return declared ? SkipPast(doc.start, doc.end, "?>") : doc.start;
}

/* Returns the number of attributes in a tag: of equals signs that are not in a value. */
static Size
CountAttributes(const char *p, const char *end)
{
	Size count = 0;

	while (p < end)
	{
		char mark[2] = {*p++, '\0'};

		count += mark[0] == '=';
		if (mark[0] == '"' || mark[0] == '\'')
			p = SkipPast(p, end, mark);
	}
	return count;
}

/* Returns what a reader of a text has in memory. */
XmlOpenSizes
FindXmlOpenSizes(XmlText doc)
{
	Size open[XML_MAX_LEVELS];
	int depth = 0;
	Size attributes = 0;
	XmlOpenSizes sizes = {0};
	const char *p = BehindXmlDeclaration(doc);

	while (p < doc.end)
	{
		const char *start = memchr(p, '<', (Size) (doc.end - p));
		const char *end;

		CHECK_FOR_INTERRUPTS();
		start = start == NULL ? doc.end : start;
		end = BeginsWith(start, doc.end, "<![CDATA[") ? SkipPast(start, doc.end, "]]>")
													  : TagEnd(start, doc.end);
		sizes.longest = Max(sizes.longest, Max((Size) (start - p), (Size) (end - start)));
		p = end;
		if (BeginsWith(start, doc.end, "</"))
			attributes -= depth > 0 ? open[--depth] : 0;
		else if (start < end && start[1] != '!' && start[1] != '?')
		{
			Size count = CountAttributes(start, end);

			sizes.attributes = Max(sizes.attributes, attributes + count);
			if (depth == lengthof(open)) /* the parser refuses such a text */
				break;
			if (end[-2] == '/')
				continue;
			open[depth++] = count;
			attributes += count;
		}
	}
	return sizes;
}

XmlText
FindXmlDoctype(XmlText doc)
{
	const char *start = BehindXmlDeclaration(doc);
	const char *p;
	bool inside = false; /* inside the brackets of the internal subset */

	for (;;)
	{
		while (start < doc.end && strchr(" \t\r\n", *start) != NULL)
			start++;
		if (!BeginsWith(start, doc.end, "<!--") && !BeginsWith(start, doc.end, "<?"))
			break;
		start = TagEnd(start, doc.end);
	}
	if (!BeginsWith(start, doc.end, "<!DOCTYPE"))
		return (XmlText){start, start};
	for (p = start + 1; p < doc.end && (inside || *p != '>');)
	{
		char mark[2] = {*p, '\0'};

		if (*p == '<')
			p = TagEnd(p, doc.end);
		else if (*p == '"' || *p == '\'')
			p = SkipPast(p + 1, doc.end, mark);
		else
		{
			inside = *p == '[' || (inside && *p != ']');
			p++;
		}
	}
	return (XmlText){start, Min(p + 1, doc.end)};
}

const char *
FindXmlTag(XmlText doc, int64 number)
{
	const char *p = BehindXmlDeclaration(doc);

	while ((p = memchr(p, '<', (Size) (doc.end - p))) != NULL)
	{
		if (BeginsWith(p, doc.end, "<![CDATA["))
			p = SkipPast(p, doc.end, "]]>");
		else if (number-- > 1)
			p = TagEnd(p, doc.end);
		else
			return p;
	}
	return doc.end;
}

const char *
BehindXmlTag(XmlText doc, int64 number)
{
	const char *p =
		number == 0 ? BehindXmlDeclaration(doc) : TagEnd(FindXmlTag(doc, number), doc.end);

	while (p < doc.end && strchr(" \t\r\n", *p) != NULL)
		p++;
	return p;
}

/*
 * Returns the position after the XML declaration.  Its encoding is that of the client, not
 * of the value.
 */
const char *
SkipXmlDeclaration(const char *text)
{
	return BehindXmlDeclaration((XmlText){text, text + strlen(text)});
}
