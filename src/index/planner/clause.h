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

/*
 * A clause that is true only of documents within the threshold that ClauseThreshold() returns
 * for it.
 */
typedef struct ThresholdClause
{
	ThresholdKind kind;
	Oid function; /* the function of this extension that measures or tests the documents */
	DocumentType documents;
	Oid collation; /* input collation of the function */
	Node *a;
	Node *b;
	Node *limit;
	Node *model; /* cost model; NULL for unit costs */
	bool exact;  /* the clause is true of all documents within the threshold */
} ThresholdClause;

/*
 * Return the function that an expression calls, directly or by an operator, or InvalidOid, and the
 * arguments of the call.
 */
extern Oid CalledFunction(Node *expression);
extern List *CallArguments(Node *expression);

/* Reads a clause, whose parts may be any expressions; returns false if it sets no threshold. */
extern bool ReadThresholdClause(Node *expression, ThresholdClause *clause);

#endif /* TED_CLAUSE_H */
