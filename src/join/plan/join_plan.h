/*
 * join_plan.h
 *	  Paths of TedJoin, and the conversion of paths to plan nodes.
 */
#ifndef TED_JOIN_PLAN_H
#define TED_JOIN_PLAN_H

#include "postgres.h"

#include "nodes/extensible.h"

#include "../../index/planner/clause.h"

/* Lists of a path, in the order of custom_private. */
enum
{
	PATH_SETTINGS,    /* settings of the plan node, see tedjoin.h */
	PATH_EXPRESSIONS, /* custom_exprs of the plan node */
	PATH_QUALS,       /* clauses on all rows of the join, with or without a match */
	PATH_MEASURES,    /* expressions that are measures of a match */
	PATH_COLUMNS,     /* columns of both sides that are used above the join or by its expressions */
	PATH_NULLING,     /* number of the outer join in columns above it; one integer */
	PATH_HASHES       /* lists of hash functions and collations of keys, see tedjoin.h */
};

/* Returns an expression of table `from` with the columns of table `to`. */
extern Node *Counterpart(Node *expression, const RelOptInfo *from, const RelOptInfo *to);

/* Returns the expressions whose value is known for each pair of documents that a clause finds. */
extern List *MeasureExpressions(const ThresholdClause *clause);

/*
 * Adds columns, or measures as the last columns, to the scan tuple of a plan node.  An expression
 * in the target list or in a clause that equals a measure gets its value from there.  The second
 * function returns the FunctionRole of each measure.
 */
extern void AddScanColumns(CustomScan *scan, const List *columns);
extern List *AddScanMeasures(CustomScan *scan, const List *measures);

/* Methods of the path. */
extern const CustomPathMethods TedJoinPathMethods;

/* Installs the hook that gives measures of TedJoin to aggregates and window functions. */
extern void TedJoinUpperInit(void);

#endif /* TED_JOIN_PLAN_H */
