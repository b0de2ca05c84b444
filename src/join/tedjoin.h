/*
 * tedjoin.h
 *	  The plan node TedJoin: a join by a threshold on the tree edit distance.
 */
#ifndef TEDJOIN_H
#define TEDJOIN_H

#include "postgres.h"

#include "nodes/extensible.h"

/* How a clause bounds the distance. */
typedef enum ThresholdKind
{
	THRESHOLD_WITHIN,     /* tree_within(): negative thresholds are an error */
	THRESHOLD_LESS_EQUAL, /* tree_edit_distance() <= threshold */
	THRESHOLD_LESS        /* tree_edit_distance() < threshold */
} ThresholdKind;

/* Expressions of the plan node, in the order of custom_exprs. */
enum
{
	TEDJOIN_OUTER_DOCUMENT,
	TEDJOIN_INNER_DOCUMENT,
	TEDJOIN_THRESHOLD,
	TEDJOIN_CLAUSE, /* the whole of it, to be shown */
	TEDJOIN_FILTER  /* list of the join's other clauses, with table names in EXPLAIN */
};

/* Lists of the plan node, in the order of custom_private. */
enum
{
	TEDJOIN_KIND,   /* of the threshold, one integer */
	TEDJOIN_COLUMNS /* by column of the scan tuple: see below */
};

/* Where a column of the scan tuple comes from: n and -n are columns of the outer and inner plan. */
#define TEDJOIN_DISTANCE 0

/* How the node is executed; registered, as parallel workers look it up by name. */
extern const CustomScanMethods TedJoinScanMethods;

/* Defines the settings and has joins planned with TedJoin. */
extern void TedJoinInit(void);

#endif /* TEDJOIN_H */
