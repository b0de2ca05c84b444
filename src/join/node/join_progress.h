/*
 * join_progress.h
 *	  How far a TedJoin is.
 */
#ifndef TED_JOIN_PROGRESS_H
#define TED_JOIN_PROGRESS_H

#include "execution.h"

/* Begins to report progress, if reports are enabled. */
extern void JoinProgressBegin(TedJoinState *join);

#endif /* TED_JOIN_PROGRESS_H */
