/*
 * session_trees.c
 *	  Adds values of type tree to an engine's session.
 */
#include "postgres.h"

#include "miscadmin.h"

#include "../../compat.h"
#include "session_trees.h"
#include "../value/tree.h"

TedTree *
SessionDecodeTree(EngineSession *session, Datum tree)
{
	TedTree *decoded = palloc_object(TedTree);
	Tree *value;

	CHECK_FOR_INTERRUPTS();
	SessionCheckTree(session, TreeDecodedBytes(tree));
	value = DatumGetTree(tree);
	TreeDecode(value, SessionLabels(session), decoded);
	if ((Pointer) value != DatumGetPointer(tree))
		pfree(value);
	return decoded;
}

void
SessionFreeTree(TedTree *decoded)
{
	TreeFreeDecoded(decoded);
	pfree(decoded);
}

const TedTree *
SessionAddTree(EngineSession *session, Datum tree)
{
	MemoryContext caller = MemoryContextSwitchTo(session->context);
	TedTree *decoded;

	SessionCheckGrowth(session, TreeDecodedBytes(tree));
	decoded = SessionDecodeTree(session, tree);
	SessionUploadTree(session, decoded);
	MemoryContextSwitchTo(caller);
	return decoded;
}
