/*
 * tedjoin.h
 *	  The plan node TedJoin: a join by a threshold on the distance or similarity of documents.
 */
#ifndef TED_TEDJOIN_H
#define TED_TEDJOIN_H

#include "postgres.h"

#include "nodes/extensible.h"

/* Expressions of the plan node, in the order of custom_exprs. */
enum
{
	TEDJOIN_OUTER_DOCUMENT,
	TEDJOIN_INNER_DOCUMENT,
	TEDJOIN_THRESHOLD,
	TEDJOIN_CLAUSE, /* the whole of it, to be shown */
	TEDJOIN_FILTER, /* list of the join's other clauses, with table names in EXPLAIN */
	TEDJOIN_MODEL   /* of costs, or NULL */
};

/* Lists of the plan node, in the order of custom_private. */
enum
{
	TEDJOIN_SETTINGS, /* integers, as listed below */
	TEDJOIN_COLUMNS,  /* by column of the scan tuple: see below */
	TEDJOIN_MEASURES,
	TEDJOIN_COUNTERPARTS /* see below; empty where the sides have different rows */
};

/* Integers of TEDJOIN_SETTINGS, in their order. */
enum
{
	TEDJOIN_DOCUMENTS,       /* what is compared, a DocumentType */
	TEDJOIN_KIND,            /* of the threshold, a ThresholdKind */
	TEDJOIN_TYPE,            /* a JoinType */
	TEDJOIN_THRESHOLD_SIDE,  /* whose columns the threshold has, a TedJoinSide */
	TEDJOIN_SELF,            /* side that is read for both, a TedJoinSide */
	TEDJOIN_EXPECTED_BLOCKS, /* of the inner side; 0 where it is expected to fit in one */
	TEDJOIN_DIVIDED,         /* are these divided into partitions? */
	TEDJOIN_PARTIAL_INNER,   /* does each process read a part of the inner side? */
	TEDJOIN_TRANSPOSED,      /* does the measure take the inner document first? */
	TEDJOIN_ELEMENTS,        /* type of the elements of arrays; else invalid */
	TEDJOIN_COLLATION        /* by which they are compared */
};

typedef enum TedJoinSide
{
	NEITHER_SIDE,
	OUTER_SIDE,
	INNER_SIDE
} TedJoinSide;

/*
 * Where a column of the scan tuple comes from: n and -n are columns of the outer
 * and inner plan.  The last columns are measures of the pair; TEDJOIN_MEASURES
 * lists them, as a FunctionRole each.
 */
#define TEDJOIN_MEASURE 0

/*
 * In a join of a table with itself each row is one of either side.  Then, by
 * column of the scan tuple that is of the side that is not read, its counterpart:
 * the column of the other side's plan with the same value; 0 for others.
 */

/* How the node is executed; registered, as parallel workers look it up by name. */
extern const CustomScanMethods TedJoinScanMethods;

/* Defines the settings and installs the hooks that plan TedJoin. */
extern void TedJoinInit(void);

#endif /* TED_TEDJOIN_H */
