/*
 * join_plan.h
 *	  Paths of TedJoin, and the plan nodes made of them.
 */
#ifndef TED_JOIN_PLAN_H
#define TED_JOIN_PLAN_H

#include "postgres.h"

#include "nodes/extensible.h"

#include "../../index/planner/clause.h"

/* Lists of a path, in the order of custom_private. */
enum
{
	PATH_SETTINGS,    /* those of the plan node, see tedjoin.h */
	PATH_EXPRESSIONS, /* custom_exprs of the plan node */
	PATH_QUALS,       /* clauses that rows of the join, with or without a match, have to pass */
	PATH_MEASURES,    /* expressions that have the distance or the similarity as their value */
	PATH_COLUMNS,     /* of either side that are wanted above the join, or by expressions */
	PATH_NULLING      /* the outer join itself, as columns above it name it; one integer */
};

/* An expression of one table, with the columns of another. */
extern Node *Counterpart(Node *expression, const RelOptInfo *from, const RelOptInfo *to);

/* Expressions whose value is known of each pair of documents that a clause finds. */
extern List *MeasureExpressions(const ThresholdClause *clause);

/*
 * Adds columns to the scan tuple of a plan node, and measures as its last ones:
 * what asks for one, in the target list or a clause, gets it from there.  The
 * latter returns a FunctionRole for each.
 */
extern void AddScanColumns(CustomScan *scan, const List *columns);
extern List *AddScanMeasures(CustomScan *scan, const List *measures);

/* How a path is known, and becomes a plan node. */
extern const CustomPathMethods TedJoinPathMethods;

/* Installs the hook by which aggregates and window functions get measures from TedJoin. */
extern void TedJoinUpperInit(void);

#endif /* TED_JOIN_PLAN_H */
