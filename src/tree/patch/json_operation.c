/*
 * json_operation.c
 *	  The operations of patches of JSON (RFC 6902).
 */
#include "postgres.h"

#include "json_operation.h"

const char *const json_operation_names[] = {"add", "replace", "test", "remove", "move", "copy"};

/* Adds a member that is a string. */
static void
AddText(JsonbBuilder *builder, const char *name, Label text)
{
	JsonbBuilderAddText(builder, WJB_KEY, (Label){name, (int) strlen(name)});
	JsonbBuilderAddText(builder, WJB_VALUE, text);
}

void
OpenJsonOperation(JsonbBuilder *builder, JsonOperation kind, Label path, Label from)
{
	const char *name = json_operation_names[kind];

	JsonbBuilderOpen(builder, jbvObject, 3);
	AddText(builder, "op", (Label){name, (int) strlen(name)});
	AddText(builder, "path", path);
	if (kind == OPERATION_MOVE)
		AddText(builder, "from", from);
	if (kind <= OPERATION_TEST)
		JsonbBuilderAddText(builder, WJB_KEY, (Label){"value", (int) strlen("value")});
}
