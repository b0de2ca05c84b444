/*
 * io.c
 *	  Text and binary input and output of the type tree.
 *
 * Text is bracket notation: "{label{child}{child}}", where "\{", "\}", "\"" and "\\" stand
 * for the characters themselves.  White space around the tree is skipped; white space in a
 * label belongs to the label.  A text that is also a JSON object is refused, since its tree
 * would not be that of the document.  A tree whose text would be a JSON object is written
 * with a backslash before its first quotation mark.  In all server encodings, bytes below
 * 128 are ASCII, so the parser works on bytes.
 */
#include "postgres.h"

#include "libpq/pqformat.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "nodes/nodes.h"

#include "../../common/host.h"
#include "../../common/messages.h"
#include "../../compat.h"
#include "tree.h"

/* The state of the parser. */
typedef struct Parser
{
	const char *start;
	const char *p;
	const char *problem; /* the syntax error at p, if parsing has failed */
} Parser;

/* Skips white space before and after the tree. */
static void
SkipSpace(Parser *parser)
{
	while (*parser->p == ' ' || (*parser->p >= '\t' && *parser->p <= '\r'))
		parser->p++;
}

/* Reads a label up to the next bracket, and resolves its escapes. */
static bool
ParseLabel(Parser *parser, const TreeBuilder *builder, StringInfo label)
{
	resetStringInfo(label);
	for (;;)
	{
		Size plain = strcspn(parser->p, "{}\\");

		if (label->len + plain >= (Size) label->maxlen)
			TreeBuilderReserve(builder, 2 * (label->len + plain));
		appendBinaryStringInfo(label, parser->p, (int) plain);
		parser->p += plain;
		if (*parser->p != '\\')
			return true;
		if (parser->p[1] == '\0' || strchr("{}\\\"", parser->p[1]) == NULL)
		{
			parser->problem =
				"A backslash must be followed by \"{\", \"}\", a quotation mark or a backslash.";
			return false;
		}
		appendStringInfoChar(label, parser->p[1]);
		parser->p += 2;
	}
}

/* Reads one tree and the white space around it.  If it fails, `problem` is the reason. */
static bool
ParseTree(Parser *parser, TreeBuilder *builder)
{
	StringInfoData label;

	initStringInfo(&label);
	SkipSpace(parser);
	do
	{
		CHECK_FOR_INTERRUPTS();
		switch (*parser->p)
		{
			case '{':
				parser->p++;
				if (!ParseLabel(parser, builder, &label))
					return false;
				TreeBuilderOpen(builder, label.data, label.len);
				break;
			case '}':
				if (builder->depth == 0)
				{
					parser->problem = "A tree must begin with \"{\".";
					return false;
				}
				parser->p++;
				TreeBuilderClose(builder);
				break;
			case '\0':
				parser->problem = builder->depth == 0
									  ? "A tree must begin with \"{\"."
									  : "The input ends before all brackets are closed.";
				return false;
			default:
				parser->problem =
					builder->depth == 0
						? "A tree must begin with \"{\"."
						: "There is text after a child; a label precedes all children.";
				return false;
		}
	} while (builder->depth > 0);

	SkipSpace(parser);
	if (*parser->p != '\0')
	{
		parser->problem = "There is text after the tree.";
		return false;
	}
	pfree(label.data);
	return true;
}

/* Returns the number of characters from p to end. */
static int
CountCharactersUpTo(const char *p, const char *end)
{
	int count = 0;

	for (; p < end; p += pg_mblen(p))
	{
		CHECK_FOR_INTERRUPTS();
		count++;
	}
	return count;
}

/* Reads one tree.  Fails for a text that is a JSON object. */
static bool
ParseText(Parser *parser, TreeBuilder *builder)
{
	if (!IsJsonObjectText(parser->start, (int) strlen(parser->start)))
		return ParseTree(parser, builder);
	SkipSpace(parser);
	parser->problem = "This is a JSON object, not bracket notation.";
	return false;
}

/* Returns the hint for a text that is not a tree, chosen by its beginning. */
static const char *
HintFor(const char *input)
{
	Parser parser = {.start = input, .p = input};

	SkipSpace(&parser);
	if (*parser.p == '<')
		return "To make a tree of an XML document, cast it to xml first, as in '<a/>'::xml::tree.";
	if (*parser.p == '[' || *parser.p == '"' || IsJsonObjectText(input, (int) strlen(input)))
		return "To make a tree of a JSON document, cast it to jsonb first, as in "
			   "'{\"a\": 1}'::jsonb::tree; a label that begins with a quotation mark is written "
			   "with a backslash before it.";
	return "Write a tree as {label{child}{child}}, and brackets in a label as \\{ and \\}.";
}

/* Reads a tree.  If the text is none, reports an error to `context`, and returns NULL. */
static Tree *
ReadTree(const char *input, Node *context)
{
	Parser parser = {.start = input, .p = input};
	TreeBuilder builder;

	TreeBuilderInit(&builder);
	if (!ParseText(&parser, &builder))
		ereturn(context, NULL,
				(errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
				 errmsg("invalid input syntax for type tree"),
				 ValueDetail(parser.problem, "At character %d: %s",
							 CountCharactersUpTo(parser.start, parser.p) + 1, parser.problem),
				 errhint("%s", HintFor(input))));
	return TreeBuilderFinish(&builder);
}

PG_FUNCTION_INFO_V1(tree_in);

/* Reads a tree in bracket notation. */
Datum
tree_in(PG_FUNCTION_ARGS)
{
	ErrorContextCallback reading;
	Tree *tree;

	BeginReading(&reading, AreWrittenByClient(fcinfo, 0, 1));
	tree = ReadTree(PG_GETARG_CSTRING(0), fcinfo->context);
	EndReading(&reading);
	PG_RETURN_POINTER(tree);
}

PG_FUNCTION_INFO_V1(tree_out);

/* Writes a tree in bracket notation. */
Datum
tree_out(PG_FUNCTION_ARGS)
{
	Tree *tree = PG_GETARG_TREE(0);
	TreeReader reader;
	TreeEvent event;
	StringInfoData buffer;

	TreeReaderInit(&reader, tree);
	initStringInfo(&buffer);
	while ((event = TreeReaderNext(&reader)) != TREE_END)
	{
		CHECK_FOR_INTERRUPTS();
		appendStringInfoCharMacro(&buffer, event == TREE_OPEN ? '{' : '}');
		if (event == TREE_OPEN)
		{
			Label label = reader.labels[reader.label];
			const char *end = label.bytes + label.length;

			enlargeStringInfo(&buffer, label.length);
			for (const char *p = label.bytes; p < end; p++)
			{
				if (*p == '{' || *p == '}' || *p == '\\')
					appendStringInfoCharMacro(&buffer, '\\');
				appendStringInfoCharMacro(&buffer, *p);
			}
		}
	}
	if (IsJsonObjectText(buffer.data, buffer.len))
	{
		char *quote;

		enlargeStringInfo(&buffer, 1);
		quote = strchr(buffer.data, '"');
		memmove(quote + 1, quote, buffer.len - (quote - buffer.data) + 1);
		*quote = '\\';
		buffer.len++;
	}
	PG_RETURN_CSTRING(buffer.data);
}

/* A function that converts a string between an encoding and the server's. */
typedef char *(*EncodingConverter)(const char *bytes, int length, int encoding);

/* Copies a tree with all its labels converted. */
static Tree *
ConvertLabels(const Tree *tree, EncodingConverter convert, int encoding)
{
	TreeReader reader;
	TreeBuilder builder;
	TreeEvent event;
	MemoryContext caller;

	TreeReaderInit(&reader, tree);
	TreeBuilderInit(&builder);
	caller = MemoryContextSwitchTo(builder.context);
	for (int32 id = 0; id < reader.label_count; id++)
	{
		Label *label = &reader.labels[id];
		char *converted;

		CHECK_FOR_INTERRUPTS();
		TreeBuilderReserve(&builder, MAX_CONVERSION_GROWTH * (Size) label->length);
		converted = convert(label->bytes, label->length, encoding);
		if (converted != label->bytes)
			*label = (Label){converted, (int) strlen(converted)};
	}

	MemoryContextSwitchTo(caller);
	while ((event = TreeReaderNext(&reader)) != TREE_END)
	{
		CHECK_FOR_INTERRUPTS();
		TreeBuilderRepeat(&builder, &reader, event);
	}
	return TreeBuilderFinish(&builder);
}

Tree *
TreeFromBytes(const char *bytes, int length, int encoding)
{
	Tree *tree = CopyToValue(bytes, (Size) length);

	TreeValidate(tree, encoding);
	return encoding == GetDatabaseEncoding() ? tree : ConvertLabels(tree, ValueToServer, encoding);
}

PG_FUNCTION_INFO_V1(tree_recv);

/* Reads the stored form, with labels in the client's encoding. */
Datum
tree_recv(PG_FUNCTION_ARGS)
{
	StringInfo buffer = (StringInfo) PG_GETARG_POINTER(0);
	int length = buffer->len - buffer->cursor;

	PG_RETURN_TREE(TreeFromBytes(pq_getmsgbytes(buffer, length), length, pg_get_client_encoding()));
}

PG_FUNCTION_INFO_V1(tree_send);

/* Writes the stored form, with labels in the client's encoding. */
Datum
tree_send(PG_FUNCTION_ARGS)
{
	Tree *tree = PG_GETARG_TREE(0);
	StringInfoData buffer;

	if (pg_get_client_encoding() != GetDatabaseEncoding())
		tree = ConvertLabels(tree, ValueFromServer, pg_get_client_encoding());
	pq_begintypsend(&buffer);
	pq_sendbytes(&buffer, VARDATA_ANY(tree), (int) VARSIZE_ANY_EXHDR(tree));
	PG_RETURN_BYTEA_P(pq_endtypsend(&buffer));
}
