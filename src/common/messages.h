/*
 * messages.h
 *	  What messages show of values.
 *
 * A value may be of rows that the client may not read: a view, a function with its owner's
 * rights or row-level security lets the client compute with it only.  So the client sees
 * parts of a value, its size and places in it only where it has written the value itself, as
 * a constant of the statement that it has sent.  The server's log has them always.
 */
#ifndef TED_MESSAGES_H
#define TED_MESSAGES_H

#include "postgres.h"

#include "fmgr.h"
#include "nodes/nodes.h"

/* Whether arguments of a function, from `first` on, are constants that the client has written. */
extern bool AreWrittenByClient(FunctionCallInfo fcinfo, int first, int count);

/*
 * Whether the client may be told of the work that is being done: not inside of a function with its
 * owner's rights.
 */
extern bool WorkIsOfClient(void);

/* Begins to read values.  Until EndReading(), messages are about them, and show them or not. */
extern void BeginReading(ErrorContextCallback *reading, bool shown);
extern void EndReading(const ErrorContextCallback *reading);

/* Whether messages show parts of the values that are being read. */
extern bool ValuesAreShown(void);

/*
 * Adds the DETAIL of a message that has parts of values or their sizes.  `plain` is what the
 * client sees where they are not shown.
 */
extern int ValueDetail(const char *plain, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Adds the CONTEXT of an error that has parts of values or their sizes.  Where they are not
 * shown, the client sees `plain`, and the server's log has the rest at the end of the DETAIL.
 */
extern void ValueContext(const char *plain, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * In a PG_CATCH() block, replaces an error of PostgreSQL that shows parts of values by one with
 * another message and DETAIL, raised or reported to `context`.  Errors that are not about data, or
 * whose values are shown, are raised again.
 */
extern void ReportWithoutValues(MemoryContext caller, Node *context, const char *message,
								const char *plain, const char *hint);

/*
 * Convert a text as pg_any_to_server() and pg_server_to_any() do.  Their errors have bytes of the
 * text.
 */
extern char *ValueToServer(const char *bytes, int length, int encoding);
extern char *ValueFromServer(const char *bytes, int length, int encoding);

#endif /* TED_MESSAGES_H */
