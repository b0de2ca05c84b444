/*
 * plan.c
 *	  Plans joins by a threshold on the distance or similarity of trees as TedJoin.
 *
 * The hook looks for a clause that sets a threshold between a document of either
 * side and one of the other.  A path for it takes the clause over; what else the join demands
 * is left to be checked on the pairs found.
 *
 * Nothing is kept from one planning to the next, and functions are known by what
 * they run, whatever schema they are in.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"
#include "optimizer/restrictinfo.h"
#include "optimizer/tlist.h"
#include "parser/parsetree.h"
#include "rewrite/rewriteManip.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "../compat.h"
#include "../index/clause.h"
#include "../index/identity.h"
#include "../index/support.h"
#include "tedjoin.h"

/* Cost of a pair that the size or the rarest labels refuse, in operators. */
#define PAIR_OPERATORS 0.04

/* Pairs that get as far as the bounds, as a multiple of those found. */
#define CANDIDATES_PER_MATCH 4

/* Cost of reading a tree to be indexed, and of indexing it, in terms of reading it only. */
#define KEEP_READS 1.5
#define INDEX_READS 0.5

/* Memory that a node takes on the side that is indexed, in bytes. */
#define BYTES_PER_INDEXED_NODE 70

static bool enable_join = true;
static set_join_pathlist_hook_type previous_join_hook = NULL;

/* A join's clause that sets a threshold. */
typedef struct Threshold
{
	RestrictInfo *clause;
	ThresholdClause set;
	Node *outer; /* the clause's document of the outer side */
	Node *inner;
	List *quals;   /* what is checked on the pairs found */
	List *columns; /* of either side that are wanted above the join, or by its clauses */
	bool self;     /* either side has the same rows, and the inner one the outer one's columns */
} Threshold;

/* Lists of a path, in the order of custom_private. */
enum
{
	PATH_KIND,        /* of the threshold, and the least cost of an operation */
	PATH_EXPRESSIONS, /* custom_exprs of the plan node */
	PATH_MEASURES,    /* expressions that have the distance or the similarity as their value */
	PATH_COLUMNS,     /* of either side that are wanted above the join, or by expressions */
	PATH_SELF         /* is one side read for both? one integer */
};

/* Whether an expression takes columns of one side only. */
static bool
BelongsTo(PlannerInfo *root, Node *expression, RelOptInfo *side)
{
	Relids relids = pull_varnos(root, expression);

	return !bms_is_empty(relids) && bms_is_subset(relids, side->relids);
}

/* Tells which document of the call is of which side. */
static bool
AssignSides(PlannerInfo *root, Threshold *threshold, RelOptInfo *outer, RelOptInfo *inner)
{
	Node *a = threshold->set.a;
	Node *b = threshold->set.b;

	if (BelongsTo(root, a, outer) && BelongsTo(root, b, inner))
	{
		threshold->outer = a;
		threshold->inner = b;
		return true;
	}
	if (BelongsTo(root, b, outer) && BelongsTo(root, a, inner))
	{
		threshold->outer = b;
		threshold->inner = a;
		return true;
	}
	return false;
}

/* Finds a clause of the join that sets a threshold between documents of its sides. */
static bool
FindThreshold(PlannerInfo *root, List *clauses, RelOptInfo *outer, RelOptInfo *inner,
			  Threshold *threshold)
{
	ListCell *cell;

	foreach (cell, clauses)
	{
		RestrictInfo *clause = lfirst_node(RestrictInfo, cell);
		Node *expression = (Node *) clause->clause;

		if (ReadThresholdClause(expression, &threshold->set) &&
			AssignSides(root, threshold, outer, inner) &&
			bms_is_empty(pull_varnos(root, threshold->set.limit)) &&
			!contain_volatile_functions(expression) && !contain_subplans(expression))
		{
			threshold->clause = clause;
			return true;
		}
	}
	return false;
}

/*
 * Takes the clauses that the threshold does not say all of.  All must be equal in security, since a
 * pair is looked at by the distance first, and none may be for a Result node above.
 */
static bool
TakeQuals(List *clauses, Threshold *threshold)
{
	ListCell *cell;

	threshold->quals = NIL;
	foreach (cell, clauses)
	{
		RestrictInfo *clause = lfirst_node(RestrictInfo, cell);

		if (clause->pseudoconstant || clause->security_level != threshold->clause->security_level)
			return false;
		if (clause != threshold->clause || !threshold->set.exact)
			threshold->quals = lappend(threshold->quals, clause->clause);
	}
	return true;
}

/* Takes the columns that are wanted above the join or by its clauses; each must be of one side. */
static bool
TakeColumns(RelOptInfo *joinrel, RelOptInfo *outer, RelOptInfo *inner, Threshold *threshold)
{
	List *clauses = list_concat(list_make2(threshold->outer, threshold->inner), threshold->quals);
	ListCell *cell;

	threshold->columns =
		list_concat_unique(list_copy(joinrel->reltarget->exprs),
						   pull_var_clause((Node *) clauses, PVC_INCLUDE_PLACEHOLDERS));
	foreach (cell, threshold->columns)
		if (!list_member(outer->reltarget->exprs, lfirst(cell)) &&
			!list_member(inner->reltarget->exprs, lfirst(cell)))
			return false;
	return true;
}

/* A measure from the schema of the function called, of its documents in both orders. */
static List *
CallsOf(const char *name, TreeFunction measure, Oid type, const ThresholdClause *clause)
{
	Node *a = clause->a;
	Node *b = clause->b;
	Oid types[2] = {exprType(a), exprType(b)};
	Oid function = GetSysCacheOid3(PROCNAMEARGSNSP, Anum_pg_proc_oid, CStringGetDatum(name),
								   PointerGetDatum(buildoidvector(types, 2)),
								   ObjectIdGetDatum(get_func_namespace(clause->function)));

	if (!OidIsValid(function) || WhichTreeFunction(function) != measure)
		return NIL;
	return list_make2(makeFuncExpr(function, type, list_make2(a, b), InvalidOid, InvalidOid,
								   COERCE_EXPLICIT_CALL),
					  makeFuncExpr(function, type, list_make2(b, a), InvalidOid, InvalidOid,
								   COERCE_EXPLICIT_CALL));
}

/* All calls that measure the documents. */
static List *
MeasureCalls(const ThresholdClause *clause)
{
	return list_concat(CallsOf("tree_edit_distance", TREE_EDIT_DISTANCE, INT4OID, clause),
					   CallsOf("tree_similarity", TREE_SIMILARITY, FLOAT8OID, clause));
}

/* An expression of one table, with the columns of another. */
static Node *
Counterpart(Node *expression, const RelOptInfo *from, const RelOptInfo *to)
{
	Node *counterpart = copyObject(expression);

	ChangeVarNodes(counterpart, (int) from->relid, (int) to->relid, 0);
	return counterpart;
}

/* Whether two sides are the same table with the same conditions. */
static bool
SameRows(PlannerInfo *root, const RelOptInfo *outer, const RelOptInfo *inner)
{
	const RangeTblEntry *a;
	const RangeTblEntry *b;
	Node *conditions;

	if (outer->reloptkind != RELOPT_BASEREL || inner->reloptkind != RELOPT_BASEREL)
		return false;
	a = planner_rt_fetch(outer->relid, root);
	b = planner_rt_fetch(inner->relid, root);
	conditions = (Node *) extract_actual_clauses(outer->baserestrictinfo, false);
	return a->rtekind == RTE_RELATION && b->rtekind == RTE_RELATION && a->relid == b->relid &&
		   a->inh == b->inh && a->tablesample == NULL && b->tablesample == NULL &&
		   extract_actual_clauses(outer->baserestrictinfo, true) == NIL &&
		   extract_actual_clauses(inner->baserestrictinfo, true) == NIL &&
		   !contain_volatile_functions(conditions) &&
		   equal(Counterpart(conditions, outer, inner),
				 extract_actual_clauses(inner->baserestrictinfo, false));
}

/* Whether the inner side tells all of the outer side. */
static bool
IsSelfJoin(PlannerInfo *root, const RelOptInfo *outer, const RelOptInfo *inner,
		   const Threshold *threshold)
{
	ListCell *cell;

	if (!SameRows(root, outer, inner) ||
		!equal(Counterpart(threshold->outer, outer, inner), threshold->inner))
		return false;
	foreach (cell, threshold->columns)
		if (list_member(outer->reltarget->exprs, lfirst(cell)) &&
			!list_member(inner->reltarget->exprs, Counterpart(lfirst(cell), outer, inner)))
			return false;
	return true;
}

/* Costs a path: index the inner side, look up the outer side, compare, check. */
static void
CostPath(PlannerInfo *root, RelOptInfo *joinrel, CustomPath *join, const Threshold *threshold)
{
	Path *outer = linitial(join->custom_paths);
	Path *inner = lsecond(join->custom_paths);
	double outer_size = TypicalTreeSize(root, threshold->outer);
	double inner_size = TypicalTreeSize(root, threshold->inner);
	TreeThreshold limit = EstimateThreshold(root, threshold->set.kind, threshold->set.least_cost,
											threshold->set.limit);
	double indexed = inner->parent->rows; /* by each process, even if it reads only a part */
	double pairs = outer->rows * indexed;
	Selectivity within = EstimatePairsWithin(root, threshold->outer, threshold->inner, &limit,
											 threshold->set.function);
	double memory = get_hash_memory_limit();
	double blocks =
		ceil(indexed * (inner->pathtarget->width + BYTES_PER_INDEXED_NODE * inner_size) / memory);
	QualCost check;
	Cost startup;
	Cost run;

	cost_qual_eval(&check, threshold->quals, root);
	startup = outer->startup_cost + inner->total_cost + check.startup +
			  (inner->rows * KEEP_READS + indexed * INDEX_READS) * TreeReadCost(inner_size);
	run = 0;
	if (blocks <= 1 && linitial_int(list_nth(join->custom_private, PATH_SELF)) != 0)
		pairs /= 2;
	else
		run += outer->total_cost - outer->startup_cost +
			   Max(blocks, 1) * outer->rows * TreeReadCost(outer_size);
	run += pairs * PAIR_OPERATORS * cpu_operator_cost +
		   pairs * Min(CANDIDATES_PER_MATCH * within, 1) *
			   BoundedDistanceCost(outer_size, inner_size, &limit) +
		   outer->rows * indexed * within * (check.per_tuple + cpu_tuple_cost);

	join->path.rows = clamp_row_est(joinrel->rows * outer->rows / outer->parent->rows);
	join->path.startup_cost = startup + joinrel->reltarget->cost.startup;
	join->path.total_cost =
		join->path.startup_cost + run + join->path.rows * joinrel->reltarget->cost.per_tuple;
	SumDisabledNodes(&join->path, outer, inner);
}

static const CustomPathMethods path_methods;

/* Makes a path that joins two others. */
static CustomPath *
MakePath(PlannerInfo *root, RelOptInfo *joinrel, Path *outer, Path *inner,
		 const Threshold *threshold)
{
	CustomPath *join = makeNode(CustomPath);
	/* processes that each read all of it would not agree on who looks up which tree */
	bool self = threshold->self && (outer->parallel_workers == 0 || inner->parallel_workers > 0);

	join->path.pathtype = T_CustomScan;
	join->path.parent = joinrel;
	join->path.pathtarget = joinrel->reltarget;
	join->path.parallel_safe =
		joinrel->consider_parallel && outer->parallel_safe && inner->parallel_safe;
	join->path.parallel_workers = outer->parallel_workers;
	join->path.parallel_aware = outer->parallel_workers > 0;
	join->flags = CUSTOMPATH_SUPPORT_PROJECTION;
	join->custom_paths = list_make2(outer, inner);
	join->custom_private =
		list_make5(list_make2_int(threshold->set.kind, threshold->set.least_cost),
				   list_make5(threshold->outer, threshold->inner, threshold->set.limit,
							  threshold->clause->clause, threshold->quals),
				   MeasureCalls(&threshold->set), threshold->columns, list_make1_int(self));
	join->methods = &path_methods;
	CostPath(root, joinrel, join, threshold);
	return join;
}

/*
 * Adds paths for a join, also for parallel workers: each of them indexes the
 * inner side, which it reads alone or a part of it.
 */
static void
AddPaths(PlannerInfo *root, RelOptInfo *joinrel, RelOptInfo *outerrel, RelOptInfo *innerrel,
		 const Threshold *threshold)
{
	Path *outer = outerrel->cheapest_total_path;
	Path *inner = innerrel->cheapest_total_path;

	if (PATH_REQ_OUTER(outer) == NULL && PATH_REQ_OUTER(inner) == NULL)
		add_path(joinrel, &MakePath(root, joinrel, outer, inner, threshold)->path);

	if (!joinrel->consider_parallel || outerrel->partial_pathlist == NIL)
		return;
	outer = linitial(outerrel->partial_pathlist);
	inner = get_cheapest_parallel_safe_total_inner(innerrel->pathlist);
	if (inner != NULL)
		add_partial_path(joinrel, &MakePath(root, joinrel, outer, inner, threshold)->path);
	if (innerrel->partial_pathlist == NIL)
		return;
	inner = linitial(innerrel->partial_pathlist);
	add_partial_path(joinrel, &MakePath(root, joinrel, outer, inner, threshold)->path);
}

/* Whether no row has to be looked at again, to be locked or changed. */
static bool
ReadsOnly(PlannerInfo *root)
{
	return (root->parse->commandType == CMD_SELECT || root->parse->commandType == CMD_INSERT) &&
		   root->rowMarks == NIL;
}

/* Adds paths for a join that has a threshold. */
static void
JoinPathlistHook(PlannerInfo *root, RelOptInfo *joinrel, RelOptInfo *outerrel, RelOptInfo *innerrel,
				 JoinType jointype, JoinPathExtraData *extra)
{
	Threshold threshold;

	if (previous_join_hook != NULL)
		previous_join_hook(root, joinrel, outerrel, innerrel, jointype, extra);

	/* a foreign server may do the whole join */
	if (!enable_join || jointype != JOIN_INNER || joinrel->fdwroutine != NULL ||
		!bms_is_empty(joinrel->lateral_relids) || !ReadsOnly(root) ||
		!FindThreshold(root, extra->restrictlist, outerrel, innerrel, &threshold) ||
		!TakeQuals(extra->restrictlist, &threshold) ||
		!TakeColumns(joinrel, outerrel, innerrel, &threshold))
		return;
	threshold.self = IsSelfJoin(root, outerrel, innerrel, &threshold);
	AddPaths(root, joinrel, outerrel, innerrel, &threshold);
}

/* Where a column of the scan tuple comes from. */
static int
ColumnSource(Expr *column, List *plans)
{
	TargetEntry *outer = tlist_member(column, ((Plan *) linitial(plans))->targetlist);
	TargetEntry *inner = tlist_member(column, ((Plan *) lsecond(plans))->targetlist);

	if (outer != NULL)
		return outer->resno;
	if (inner == NULL)
		elog(ERROR, "column of a join is in neither of its inputs");
	return -inner->resno;
}

/* By column that is wanted: its counterpart, see tedjoin.h. */
static List *
ColumnCounterparts(const CustomPath *path, List *plans)
{
	const Path *outer = linitial(path->custom_paths);
	const Path *inner = lsecond(path->custom_paths);
	List *counterparts = NIL;
	ListCell *cell;

	foreach (cell, list_nth(path->custom_private, PATH_COLUMNS))
	{
		Expr *counterpart = (Expr *) Counterpart(lfirst(cell), outer->parent, inner->parent);
		bool is_outer = ColumnSource(lfirst(cell), plans) > 0;

		counterparts = lappend_int(counterparts, is_outer ? -ColumnSource(counterpart, plans) : 0);
	}
	return counterparts;
}

/* Appends a column to the scan tuple. */
static void
AppendColumn(CustomScan *scan, Expr *column)
{
	AttrNumber number = list_length(scan->custom_scan_tlist) + 1;

	scan->custom_scan_tlist =
		lappend(scan->custom_scan_tlist, makeTargetEntry(column, number, NULL, false));
}

/* Makes the plan node of a path. */
static Plan *
PlanPath(PlannerInfo *root, RelOptInfo *joinrel, CustomPath *path, List *tlist, List *clauses,
		 List *plans)
{
	CustomScan *scan = makeNode(CustomScan);
	const Path *inner = lsecond(path->custom_paths);
	bool self = linitial_int(list_nth(path->custom_private, PATH_SELF)) != 0;
	List *sources = NIL;
	ListCell *cell;

	(void) root;
	(void) joinrel; /* its target may be that of the whole query by now */
	(void) clauses; /* empty before version 17, for a join */
	foreach (cell, list_nth(path->custom_private, PATH_COLUMNS))
	{
		AppendColumn(scan, lfirst(cell));
		sources = lappend_int(sources, ColumnSource(lfirst(cell), plans));
	}
	/* whatever asks for a measure, in the target list or a clause, gets it from here */
	foreach (cell, list_nth(path->custom_private, PATH_MEASURES))
	{
		AppendColumn(scan, lfirst(cell));
		sources = lappend_int(sources, TEDJOIN_MEASURE);
	}

	scan->scan.plan.targetlist = tlist;
	scan->custom_plans = plans;
	scan->custom_exprs = list_nth(path->custom_private, PATH_EXPRESSIONS);
	scan->custom_private = list_make4(list_nth(path->custom_private, PATH_KIND), sources,
									  list_make1_int(inner->parallel_workers > 0),
									  self ? ColumnCounterparts(path, plans) : NIL);
	scan->flags = path->flags;
	scan->methods = &TedJoinScanMethods;
	return &scan->scan.plan;
}

static const CustomPathMethods path_methods = {.CustomName = "TedJoin", .PlanCustomPath = PlanPath};

/* Defines the settings and has joins planned with TedJoin. */
void
TedJoinInit(void)
{
	DefineCustomBoolVariable("ted.enable_join",
							 "Enables the planner's use of TedJoin for joins of similar trees.",
							 NULL, &enable_join, true, PGC_USERSET, GUC_EXPLAIN, NULL, NULL, NULL);
	RegisterCustomScanMethods(&TedJoinScanMethods);
	previous_join_hook = set_join_pathlist_hook;
	set_join_pathlist_hook = JoinPathlistHook;
}
