/*
 * json_operation.h
 *	  The operations of patches of JSON (RFC 6902).
 */
#ifndef TED_JSON_OPERATION_H
#define TED_JSON_OPERATION_H

#include "../convert/jsonb_builder.h"

/* The operations: first those with a value, last those with a second pointer. */
typedef enum JsonOperation
{
	OPERATION_ADD,
	OPERATION_REPLACE,
	OPERATION_TEST,
	OPERATION_REMOVE,
	OPERATION_MOVE,
	OPERATION_COPY
} JsonOperation;

#define JSON_OPERATIONS (OPERATION_COPY + 1)

extern const char *const json_operation_names[];

/*
 * Begins an operation in a patch; `from` is that of OPERATION_MOVE.  The caller adds its value, if
 * there is one, and closes the object.
 */
extern void OpenJsonOperation(JsonbBuilder *builder, JsonOperation kind, Label path, Label from);

#endif /* TED_JSON_OPERATION_H */
