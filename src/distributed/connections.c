/*
 * connections.c
 *	  Connections of dblink that last no longer than the call that opens them.
 *
 * A connection of dblink is a session's: any statement may use it by its name, with the rights of
 * whoever opened it.  Names are recorded here before the connections are opened, and callbacks at
 * the end of transactions and subtransactions close what a call has left.  No interrupt comes
 * between an error and these callbacks, and no statement.
 */
#include "postgres.h"

#include "access/xact.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "nodes/pg_list.h"
#include "storage/ipc.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

#include "../compat.h"

/* The most names of a transaction: each takes a moment at its end. */
#define MOST_CONNECTIONS 1000

/* A name that was given out, which may be that of an open connection. */
typedef struct Connection
{
	SubTransactionId subtransaction;
	char name[NAMEDATALEN];
} Connection;

/* All of the session, in TopMemoryContext. */
static List *connections = NIL;

/* dblink's functions, which need no catalogue once they are loaded. */
static PGFunction cancel_query;
static PGFunction disconnect;

/* Calls a function of dblink on a connection, which may not be open; raises no error. */
static void
CallOn(PGFunction function, const char *name)
{
	MemoryContext caller = CurrentMemoryContext;
	uint32 holdoffs = InterruptHoldoffCount;

	PG_TRY();
	{
		/* the callers' contexts may need a catalogue, which a failed transaction cannot read */
		error_context_stack = NULL;
		DirectFunctionCall1(function, CStringGetTextDatum(name));
	}
	PG_CATCH();
	{
		/* a failed transaction holds interrupts, which an error allows */
		InterruptHoldoffCount = holdoffs;
		MemoryContextSwitchTo(caller);
		FlushErrorState();
	}
	PG_END_TRY();
}

/*
 * Closes the connections of a subtransaction, or all of them.  With `cancel`, the servers stop
 * what they are doing.
 */
static void
CloseConnections(SubTransactionId subtransaction, bool cancel)
{
	ListCell *cell;

	foreach (cell, connections)
	{
		Connection *connection = lfirst(cell);

		if (subtransaction != InvalidSubTransactionId &&
			connection->subtransaction != subtransaction)
			continue;
		connections = foreach_delete_current(connections, cell);
		if (cancel)
			CallOn(cancel_query, connection->name);
		CallOn(disconnect, connection->name);
		pfree(connection);
	}
}

/* Closes all connections at the end of a transaction.  A session that ends takes them along. */
static void
EndOfTransaction(XactEvent event, void *arg)
{
	(void) arg;
	if (!proc_exit_inprogress && (event == XACT_EVENT_PRE_COMMIT ||
								  event == XACT_EVENT_PRE_PREPARE || event == XACT_EVENT_ABORT))
		CloseConnections(InvalidSubTransactionId, event == XACT_EVENT_ABORT);
}

/* Closes the connections of a subtransaction that fails, or gives them to the parent. */
static void
EndOfSubtransaction(SubXactEvent event, SubTransactionId subtransaction, SubTransactionId parent,
					void *arg)
{
	ListCell *cell;

	(void) arg;
	if (event == SUBXACT_EVENT_ABORT_SUB && !proc_exit_inprogress)
		CloseConnections(subtransaction, true);
	else if (event == SUBXACT_EVENT_COMMIT_SUB)
		foreach (cell, connections)
		{
			Connection *connection = lfirst(cell);

			if (connection->subtransaction == subtransaction)
				connection->subtransaction = parent;
		}
}

PG_FUNCTION_INFO_V1(ted_new_connection);

/* Returns a name for a connection of dblink, which the end of the transaction closes. */
Datum
ted_new_connection(PG_FUNCTION_ARGS)
{
	static uint64 number = 0;
	MemoryContext caller = MemoryContextSwitchTo(TopMemoryContext);
	Connection *connection;

	(void) fcinfo;
	if (list_length(connections) == MOST_CONNECTIONS)
		ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
						errmsg("too many connections of joins in a transaction"),
						errdetail("A transaction may have %d.", MOST_CONNECTIONS),
						errhint("Join by fewer servers.")));
	if (disconnect == NULL)
	{
		cancel_query = load_external_function("$libdir/dblink", "dblink_cancel_query", true, NULL);
		disconnect = load_external_function("$libdir/dblink", "dblink_disconnect", true, NULL);
		RegisterXactCallback(EndOfTransaction, NULL);
		RegisterSubXactCallback(EndOfSubtransaction, NULL);
	}
	connection = palloc0_object(Connection);
	connection->subtransaction = GetCurrentSubTransactionId();
	snprintf(connection->name, NAMEDATALEN, "ted join " UINT64_FORMAT, ++number);
	connections = lappend(connections, connection);
	MemoryContextSwitchTo(caller);
	PG_RETURN_TEXT_P(cstring_to_text(connection->name));
}

PG_FUNCTION_INFO_V1(ted_close_connections);

/* Closes the connections whose names were given out. */
Datum
ted_close_connections(PG_FUNCTION_ARGS)
{
	(void) fcinfo;
	CloseConnections(InvalidSubTransactionId, false);
	PG_RETURN_VOID();
}
