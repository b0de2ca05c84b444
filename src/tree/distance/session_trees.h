/*
 * session_trees.h
 *	  Values of type tree as the trees of an engine's session.
 */
#ifndef TED_SESSION_TREES_H
#define TED_SESSION_TREES_H

#include "postgres.h"

#include "../../engine/session.h"

/* Adds a tree, which gets the next number from 0, and returns it decoded. */
extern const TedTree *SessionAddTree(EngineSession *session, Datum tree);

/*
 * The first step of adding a tree, for callers that read it in between or keep it for
 * longer: decodes it in the current memory context, to be uploaded or freed.
 */
extern TedTree *SessionDecodeTree(EngineSession *session, Datum tree);
extern void SessionFreeTree(TedTree *decoded);

#endif /* TED_SESSION_TREES_H */
