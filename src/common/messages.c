/*
 * messages.c
 *	  What messages show of values.
 *
 * While values are read, an entry of error_context_stack, which PostgreSQL restores after
 * errors, says whether they are shown.
 */
#include "postgres.h"

#include "access/parallel.h"
#include "lib/stringinfo.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "nodes/params.h"
#include "nodes/primnodes.h"
#include "parser/parse_node.h"
#include "tcop/pquery.h"
#include "utils/memutils.h"
#include "utils/portal.h"

#include "../compat.h"
#include "messages.h"

/* The entry of values that are shown; it adds nothing to the context of errors. */
static void
ShownValues(void *arg)
{
	(void) arg;
}

/* The entry of values that are not shown. */
static void
HiddenValues(void *arg)
{
	(void) arg;
}

/* Whether the parser has added an entry of error_context_stack, while it converts a literal. */
static bool
IsOfLiteral(const ErrorContextCallback *entry)
{
	ParseCallbackState literal;

	setup_parser_errposition_callback(&literal, NULL, -1);
	cancel_parser_errposition_callback(&literal);
	return entry->callback == literal.errcallback.callback;
}

/*
 * Whether the client itself has sent the statement being executed, planned or parsed, with all
 * constants in its text.  Inside of functions, constants of a plan may be values of variables.  So
 * they may be in cursors that functions have opened, which have a name.  They may also be values
 * that are bound to parameters, which postgres_fdw takes from rows of another server.
 */
static bool
IsStatementOfClient(const ErrorContextCallback *entry)
{
	while (entry != NULL && entry->callback == ParamsErrorCallback &&
		   ((const ParamsErrorCbData *) entry->arg)->params == NULL)
		entry = entry->previous;
	return entry == NULL && !IsParallelWorker() &&
		   (ActivePortal == NULL || ActivePortal->name[0] == '\0');
}

bool
AreWrittenByClient(FunctionCallInfo fcinfo, int first, int count)
{
	const ErrorContextCallback *entry = error_context_stack;
	const Node *call = fcinfo->flinfo == NULL ? NULL : fcinfo->flinfo->fn_expr;
	List *arguments;

	if (fcinfo->flinfo == NULL)
		return false;
	if (call == NULL)
		return entry != NULL && IsOfLiteral(entry) && IsStatementOfClient(entry->previous);
	if (IsA(call, FuncExpr))
		arguments = ((const FuncExpr *) call)->args;
	else if (IsA(call, OpExpr))
		arguments = ((const OpExpr *) call)->args;
	else
		return false;
	for (int i = first; i < first + count; i++)
		if (i >= list_length(arguments) || !IsA(list_nth(arguments, i), Const))
			return false;
	return IsStatementOfClient(entry);
}

bool
WorkIsOfClient(void)
{
	return !InLocalUserIdChange() && !InSecurityRestrictedOperation();
}

void
BeginReading(ErrorContextCallback *reading, bool shown)
{
	*reading = (ErrorContextCallback){.previous = error_context_stack,
									  .callback = shown ? ShownValues : HiddenValues};
	error_context_stack = reading;
}

void
EndReading(const ErrorContextCallback *reading)
{
	error_context_stack = reading->previous;
}

bool
ValuesAreShown(void)
{
	const ErrorContextCallback *entry = error_context_stack;

	while (entry != NULL && entry->callback != ShownValues && entry->callback != HiddenValues)
		entry = entry->previous;
	return entry != NULL && entry->callback == ShownValues;
}

static char *FormatText(const char *format, va_list args) __attribute__((format(printf, 1, 0)));

/* Formats a text. */
static char *
FormatText(const char *format, va_list args)
{
	StringInfoData text;
	int needed;
	va_list copy;

	initStringInfo(&text);
	do
	{
		va_copy(copy, args);
		needed = appendStringInfoVA(&text, format, copy);
		va_end(copy);
		if (needed > 0)
			enlargeStringInfo(&text, needed);
	} while (needed > 0);
	return text.data;
}

int
ValueDetail(const char *plain, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = FormatText(format, args);
	va_end(args);
	if (ValuesAreShown())
		return errdetail_internal("%s", text);
	errdetail_internal("%s", plain);
	return errdetail_log("%s", text);
}

void
ValueContext(const char *plain, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = FormatText(format, args);
	va_end(args);
	if (ValuesAreShown())
		errcontext("%s", text);
	else
	{
		MemoryContext scratch;
		MemoryContext caller;
		const ErrorData *error;
		const char *before;

		errcontext("%s", plain);
		scratch = AllocSetContextCreate(CurrentMemoryContext, "ted error", ALLOCSET_SMALL_SIZES);
		caller = MemoryContextSwitchTo(scratch);
		error = CopyErrorData();
		before = error->detail_log != NULL ? error->detail_log : error->detail;
		errdetail_log("%s%s%c%s.", before != NULL ? before : "", before != NULL ? " " : "",
					  pg_toupper((unsigned char) text[0]), text + 1);
		MemoryContextSwitchTo(caller);
		MemoryContextDelete(scratch);
	}
}

void
ReportWithoutValues(MemoryContext caller, Node *context, const char *message, const char *plain,
					const char *hint)
{
	const ErrorData *error;

	if ((ValuesAreShown() && context == NULL) ||
		(ERRCODE_TO_CATEGORY(geterrcode()) != ERRCODE_DATA_EXCEPTION &&
		 geterrcode() != ERRCODE_PROGRAM_LIMIT_EXCEEDED))
		PG_RE_THROW();
	MemoryContextSwitchTo(caller);
	error = CopyErrorData();
	FlushErrorState();
	ereturn(context, ,
			(errcode(error->sqlerrcode), errmsg_internal("%s", message),
			 ValueDetail(plain, "%s%s%s", error->message, error->detail == NULL ? "" : ": ",
						 error->detail == NULL ? "" : error->detail),
			 errhint("%s", hint)));
}

/* Converts a text between an encoding and that of the server. */
static char *
ConvertValue(const char *bytes, int length, int encoding, bool to_server)
{
	MemoryContext caller = CurrentMemoryContext;
	char *volatile converted = NULL;

	PG_TRY();
	{
		converted = to_server ? pg_any_to_server(bytes, length, encoding)
							  : pg_server_to_any(bytes, length, encoding);
	}
	PG_CATCH();
	{
		ReportWithoutValues(caller, NULL, "text cannot be converted to another encoding",
							"It has a character that the other encoding does not have.",
							"Leave the character out, or use a database with encoding \"UTF8\".");
	}
	PG_END_TRY();
	return converted;
}

char *
ValueToServer(const char *bytes, int length, int encoding)
{
	if (encoding != GetDatabaseEncoding())
		return ConvertValue(bytes, length, encoding, true);
	if (!pg_verify_mbstr(encoding, bytes, length, true))
		ereport(ERROR,
				(errcode(ERRCODE_CHARACTER_NOT_IN_REPERTOIRE),
				 errmsg("invalid byte sequence for encoding \"%s\"", pg_encoding_to_char(encoding)),
				 errdetail("A text is not valid in its encoding."),
				 errhint("Use bytes that a function of this extension has written.")));
	return unconstify(char *, bytes);
}

char *
ValueFromServer(const char *bytes, int length, int encoding)
{
	return encoding == GetDatabaseEncoding() ? unconstify(char *, bytes)
											 : ConvertValue(bytes, length, encoding, false);
}
