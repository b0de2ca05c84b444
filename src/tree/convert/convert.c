/*
 * convert.c
 *	  Common parts of the conversions from XML and JSON: options, case folding, errors.
 */
#include "postgres.h"

#include "catalog/pg_collation.h"
#include "mb/pg_wchar.h"
#include "utils/builtins.h"
#include "utils/formatting.h"

#include "../../common/messages.h"
#include "../../compat.h"
#include "convert.h"

/* The bytes of a document's beginning that an error message shows. */
#define DOCUMENT_START_BYTES 60

int
ParseOption(const char *option, const text *value, const char *const *names)
{
	char *given = text_to_cstring(value);
	StringInfoData valid;

	for (int i = 0; names[i] != NULL; i++)
		if (strcmp(given, names[i]) == 0)
		{
			pfree(given);
			return i;
		}

	initStringInfo(&valid);
	for (int i = 0; names[i] != NULL; i++)
		appendStringInfo(&valid, "%s\"%s\"", i > 0 ? ", " : "", names[i]);
	ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					errmsg("invalid value for option \"%s\"", option),
					errdetail("Valid values are %s.", valid.data),
					errhint("Use one of them, or leave the option out.")));
}

char *
FoldCase(const char *bytes, int length)
{
	return str_tolower(bytes, length, DEFAULT_COLLATION_OID);
}

/* Returns the number of characters of a text in the server encoding; fast in UTF-8. */
static int
CountServerCharacters(const char *bytes, int length)
{
	int count = 0;

	if (GetDatabaseEncoding() != PG_UTF8)
		return pg_mbstrlen_with_len(bytes, length);
	for (int i = 0; i < length; i++)
		count += ((uint8) bytes[i] & 0xC0) != 0x80;
	return count;
}

void
AppendLineAndColumn(StringInfo place, const char *text, const char *at)
{
	const char *line = text;
	const char *end;
	int number = 1;

	for (; (end = memchr(line, '\n', at - line)) != NULL; line = end + 1)
		number++;
	appendStringInfo(place, ", in line %d, column %d", number,
					 CountServerCharacters(line, (int) (at - line)) + 1);
}

void
DocumentContext(const char *kind, const char *text, int length, const char *place)
{
	char start[DOCUMENT_START_BYTES + 1];
	int kept = pg_mbcliplen(text, length, DOCUMENT_START_BYTES);

	for (int i = 0; i < kept; i++)
		start[i] = text[i] == '\n' || text[i] == '\r' || text[i] == '\t' ? ' ' : text[i];
	start[kept] = '\0';
	ValueContext(psprintf("conversion from %s to a tree", kind),
				 "conversion to a tree%s of the %s document \"%s%s\"", place, kind, start,
				 kept < length ? "..." : "");
}

/*
 * Whether an error is caused by the document itself: by its data, by its size or depth, or by
 * characters that the server's encoding does not have, which PostgreSQL 15 reports as a conversion
 * that is not supported.  A document that takes more than ted.max_memory can be converted.
 */
static bool
IsDocumentError(int code)
{
	return ERRCODE_TO_CATEGORY(code) == ERRCODE_DATA_EXCEPTION ||
		   ERRCODE_TO_CATEGORY(code) == ERRCODE_PROGRAM_LIMIT_EXCEEDED ||
		   code == ERRCODE_FEATURE_NOT_SUPPORTED;
}

/* Converts a document.  Returns NULL if the document cannot be converted. */
static Tree *
ConvertOrNull(Converter convert, void *arg)
{
	MemoryContext caller = CurrentMemoryContext;
	Tree *volatile tree = NULL;

	PG_TRY();
	{
		tree = convert(arg);
	}
	PG_CATCH();
	{
		if (!IsDocumentError(geterrcode()))
			PG_RE_THROW();
		MemoryContextSwitchTo(caller);
		FlushErrorState();
	}
	PG_END_TRY();
	return tree;
}

Tree *
ConvertArguments(FunctionCallInfo fcinfo, Converter convert, void *arg)
{
	ErrorContextCallback reading;
	Tree *tree;

	BeginReading(&reading, AreWrittenByClient(fcinfo, 0, PG_NARGS()));
	tree = convert(arg);
	EndReading(&reading);
	return tree;
}

Datum
ReturnConverted(FunctionCallInfo fcinfo, const text *on_error, Converter convert, void *arg)
{
	static const char *const modes[] = {"error", "null", NULL};
	Tree *tree = ParseOption("on_error", on_error, modes) == 0
					 ? ConvertArguments(fcinfo, convert, arg)
					 : ConvertOrNull(convert, arg);

	if (tree == NULL)
		PG_RETURN_NULL();
	PG_RETURN_TREE(tree);
}

/* A cast to tree and its argument. */
typedef struct DocumentCast
{
	PGFunction cast;
	Datum doc;
} DocumentCast;

/* Casts a document to tree. */
static Tree *
CastDocument(void *arg)
{
	const DocumentCast *cast = arg;

	return (Tree *) DatumGetPointer(DirectFunctionCall1(cast->cast, cast->doc));
}

/* Whether a cast of the function's argument to tree succeeds. */
static Datum
ReturnConvertible(FunctionCallInfo fcinfo, PGFunction cast)
{
	/* decompressed first, since errors of that are not the document's */
	Datum doc = PointerGetDatum(PG_GETARG_VARLENA_PP(0));

	PG_RETURN_BOOL(ConvertOrNull(CastDocument, &(DocumentCast){cast, doc}) != NULL);
}

PG_FUNCTION_INFO_V1(tree_convertible_xml);
PG_FUNCTION_INFO_V1(tree_convertible_json);
PG_FUNCTION_INFO_V1(tree_convertible_jsonb);

/* Whether an xml value can be cast to tree. */
Datum
tree_convertible_xml(PG_FUNCTION_ARGS)
{
#ifndef USE_LIBXML
	NoXmlSupport();
#endif
	return ReturnConvertible(fcinfo, xml_tree);
}

/* Whether a json value can be cast to tree. */
Datum
tree_convertible_json(PG_FUNCTION_ARGS)
{
	return ReturnConvertible(fcinfo, json_tree);
}

/* Whether a jsonb value can be cast to tree. */
Datum
tree_convertible_jsonb(PG_FUNCTION_ARGS)
{
	return ReturnConvertible(fcinfo, jsonb_tree);
}

Datum
NoXmlSupport(void)
{
	ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED), errmsg("unsupported XML feature"),
					errdetail("This functionality requires the server to be built with libxml "
							  "support."),
					errhint("Use a server built with libxml support.")));
}
