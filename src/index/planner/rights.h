/*
 * rights.h
 *	  Rights on functions that the planner adds to a statement.
 */
#ifndef TED_RIGHTS_H
#define TED_RIGHTS_H

#include "postgres.h"

#include "nodes/pathnodes.h"

/*
 * Whether the user may execute a function that the statement itself does not call.  PostgreSQL
 * checks that when execution begins, so a plan with the function, or without it, may not be for
 * all users: it is then made again for another one.
 */
extern bool MayExecute(PlannerInfo *root, Oid function);

/* Whether the user may execute all functions that an expression calls by their names. */
extern bool MayExecuteAll(PlannerInfo *root, Node *expression);

#endif /* TED_RIGHTS_H */
