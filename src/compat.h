/*
 * compat.h
 *	  Differences between PostgreSQL 14 and 18, in one place.
 */
#ifndef TED_COMPAT_H
#define TED_COMPAT_H

#include "postgres.h"

#include "fmgr.h"
#if PG_VERSION_NUM >= 160000
#include "varatt.h"
#endif

#if PG_VERSION_NUM >= 180000
#define TED_MODULE_MAGIC PG_MODULE_MAGIC_EXT(.name = "ted", .version = TED_VERSION)
#else
#define TED_MODULE_MAGIC PG_MODULE_MAGIC
#endif

#if PG_VERSION_NUM < 150000
#define MarkGUCPrefixReserved(prefix) EmitWarningsOnPlaceholders(prefix)
#endif

#if PG_VERSION_NUM < 160000
#define ereturn(context, value, ...)                                                               \
	do                                                                                             \
	{                                                                                              \
		(void) (context);                                                                          \
		ereport(ERROR, __VA_ARGS__);                                                               \
	} while (0)
#endif

#ifndef palloc_array
#define palloc_array(type, count) ((type *) palloc(sizeof(type) * (Size) (count)))
#define palloc0_array(type, count) ((type *) palloc0(sizeof(type) * (Size) (count)))
#define palloc_object(type) ((type *) palloc(sizeof(type)))
#define palloc0_object(type) ((type *) palloc0(sizeof(type)))
#endif

/* What an action of a JSON parse returns. */
#if PG_VERSION_NUM >= 160000
#define JSON_ACTION JsonParseErrorType
#define JSON_ACTION_DONE JSON_SUCCESS
#else
#define JSON_ACTION void
#define JSON_ACTION_DONE
#endif

/* A lexer of a json value that unescapes strings. */
#if PG_VERSION_NUM >= 170000
#define MakeJsonLexer(json) makeJsonLexContext(NULL, json, true)
#else
#define MakeJsonLexer(json) makeJsonLexContext(json, true)
#endif

#endif /* TED_COMPAT_H */
