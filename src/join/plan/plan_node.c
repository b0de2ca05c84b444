/*
 * plan_node.c
 *	  Makes the plan node of a TedJoin path.
 */
#include "postgres.h"

#include "nodes/makefuncs.h"
#include "optimizer/tlist.h"
#include "rewrite/rewriteManip.h"

#include "../../compat.h"
#include "../../index/planner/clause.h"
#include "../../catalog/identity.h"
#include "join_plan.h"
#include "tedjoin.h"

Node *
Counterpart(Node *expression, const RelOptInfo *from, const RelOptInfo *to)
{
	Node *counterpart = copyObject(expression);

	ChangeVarNodes(counterpart, (int) from->relid, (int) to->relid, 0);
	return counterpart;
}

/* Returns the number of an expression in a plan's result; 0 if it is not there. */
static int
ResultNumber(Node *expression, const Plan *plan)
{
	TargetEntry *entry = tlist_member((Expr *) expression, plan->targetlist);

	return entry == NULL ? 0 : entry->resno;
}

/* Returns the source of a column of the scan tuple, see tedjoin.h. */
static int
ColumnSource(Node *column, int nulling, List *plans)
{
	Node *below = BelowOuterJoin(column, nulling);
	int outer = ResultNumber(below, linitial(plans));
	int inner = ResultNumber(below, lsecond(plans));

	if (outer == 0 && inner == 0)
		elog(ERROR, "column of a join is in neither of its inputs");
	return outer != 0 ? outer : -inner;
}

/* Returns the counterpart of each column, see tedjoin.h. */
static List *
ColumnCounterparts(const CustomPath *path, List *sources, List *plans)
{
	List *settings = list_nth(path->custom_private, PATH_SETTINGS);
	int nulling = linitial_int(list_nth(path->custom_private, PATH_NULLING));
	bool inner_read = list_nth_int(settings, TEDJOIN_SELF) == INNER_SIDE;
	const RelOptInfo *outer = ((Path *) linitial(path->custom_paths))->parent;
	const RelOptInfo *inner = ((Path *) lsecond(path->custom_paths))->parent;
	List *counterparts = NIL;
	ListCell *cell;

	foreach (cell, list_nth(path->custom_private, PATH_COLUMNS))
	{
		bool is_outer = list_nth_int(sources, foreach_current_index(cell)) > 0;
		Node *below = BelowOuterJoin(lfirst(cell), nulling);
		int number = 0;

		if (is_outer && inner_read)
			number = ResultNumber(Counterpart(below, outer, inner), lsecond(plans));
		else if (!is_outer && !inner_read)
			number = ResultNumber(Counterpart(below, inner, outer), linitial(plans));
		counterparts = lappend_int(counterparts, number);
	}
	return counterparts;
}

void
AddScanColumns(CustomScan *scan, const List *columns)
{
	ListCell *cell;

	foreach (cell, columns)
	{
		AttrNumber number = list_length(scan->custom_scan_tlist) + 1;

		scan->custom_scan_tlist =
			lappend(scan->custom_scan_tlist, makeTargetEntry(lfirst(cell), number, NULL, false));
	}
}

List *
AddScanMeasures(CustomScan *scan, const List *measures)
{
	List *functions = NIL;
	ListCell *cell;

	AddScanColumns(scan, measures);
	foreach (cell, measures)
		functions = lappend_int(functions, WhichFunction(CalledFunction(lfirst(cell))).role);
	return functions;
}

/* Makes the plan node of a path. */
static Plan *
PlanJoinPath(PlannerInfo *root, RelOptInfo *joinrel, CustomPath *path, List *tlist, List *clauses,
			 List *plans)
{
	CustomScan *scan = makeNode(CustomScan);
	List *settings = list_nth(path->custom_private, PATH_SETTINGS);
	int nulling = linitial_int(list_nth(path->custom_private, PATH_NULLING));
	bool self = list_nth_int(settings, TEDJOIN_SELF) != NEITHER_SIDE;
	List *sources = NIL;
	List *measures;
	ListCell *cell;

	(void) root;
	(void) joinrel; /* its target may already be that of the whole query */
	(void) clauses; /* empty: the path has its own */
	AddScanColumns(scan, list_nth(path->custom_private, PATH_COLUMNS));
	foreach (cell, list_nth(path->custom_private, PATH_COLUMNS))
		sources = lappend_int(sources, ColumnSource(lfirst(cell), nulling, plans));
	measures = AddScanMeasures(scan, list_nth(path->custom_private, PATH_MEASURES));
	foreach (cell, measures)
		sources = lappend_int(sources, TEDJOIN_MEASURE);

	scan->scan.plan.targetlist = tlist;
	scan->scan.plan.qual = list_nth(path->custom_private, PATH_QUALS);
	scan->custom_plans = plans;
	scan->custom_exprs = list_nth(path->custom_private, PATH_EXPRESSIONS);
	scan->custom_private = list_make4(settings, sources, measures,
									  self ? ColumnCounterparts(path, sources, plans) : NIL);
	scan->custom_private =
		list_concat(scan->custom_private, list_nth(path->custom_private, PATH_HASHES));
	scan->flags = path->flags;
	scan->methods = &TedJoinScanMethods;
	return &scan->scan.plan;
}

const CustomPathMethods TedJoinPathMethods = {.CustomName = "TedJoin",
											  .PlanCustomPath = PlanJoinPath};
