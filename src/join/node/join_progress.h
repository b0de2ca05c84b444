/*
 * join_progress.h
 *	  Estimates the progress of a TedJoin.
 */
#ifndef TED_JOIN_PROGRESS_H
#define TED_JOIN_PROGRESS_H

#include "execution.h"

/* Begins to report progress, if that is enabled. */
extern void JoinProgressBegin(TedJoinState *join);

#endif /* TED_JOIN_PROGRESS_H */
