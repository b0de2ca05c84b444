/*
 * session_trees.h
 *	  Adds values of type tree to an engine's session.
 */
#ifndef TED_SESSION_TREES_H
#define TED_SESSION_TREES_H

#include "postgres.h"

#include "../../engine/session.h"

/* Adds a tree, under the next number from 0.  Returns the decoded tree. */
extern const TedTree *SessionAddTree(EngineSession *session, Datum tree);

/*
 * Decodes a tree in the current memory context, the first step of adding it, for callers
 * that also use the decoded tree.  They must pass it to SessionUploadTree() or
 * SessionFreeTree().
 */
extern TedTree *SessionDecodeTree(EngineSession *session, Datum tree);
extern void SessionFreeTree(TedTree *decoded);

#endif /* TED_SESSION_TREES_H */
