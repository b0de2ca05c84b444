/*
 * join_progress.h
 *	  How far a TedJoin is.
 */
#ifndef TED_JOIN_JOIN_PROGRESS_H
#define TED_JOIN_JOIN_PROGRESS_H

#include "execution.h"

/* Begins to tell, where somebody wants to know. */
extern void JoinProgressBegin(TedJoinState *join);

#endif /* TED_JOIN_JOIN_PROGRESS_H */
