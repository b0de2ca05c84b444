/*
 * clause.h
 *	  Reads clauses that set a threshold on the distance or similarity of two documents.
 */
#ifndef TED_CLAUSE_H
#define TED_CLAUSE_H

#include "postgres.h"

#include "nodes/primnodes.h"

#include "../../tree/distance/threshold.h"
#include "../../catalog/identity.h"

/* A clause that is true only of documents within a threshold, which ClauseThreshold() returns. */
typedef struct ThresholdClause
{
	ThresholdKind kind;
	Oid function; /* of ours, that measures or tests the documents */
	DocumentType documents;
	Oid collation; /* that the function is called with */
	Node *a;
	Node *b;
	Node *limit;
	Node *model; /* of costs; NULL for none */
	bool exact;  /* true of all documents within the threshold; else it has to be checked, too */
} ThresholdClause;

/* The function that an expression calls, also by an operator; InvalidOid if it calls none. */
extern Oid CalledFunction(Node *expression);

/* Reads a clause; false if it sets no threshold.  Its parts may be any expressions. */
extern bool ReadThresholdClause(Node *expression, ThresholdClause *clause);

#endif /* TED_CLAUSE_H */
