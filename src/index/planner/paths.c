/*
 * paths.c
 *	  Plans searches of tables by thresholds, in whatever way they are spelt.
 *
 * To the planner tree_edit_distance(doc, tree) <= k is like any comparison of numbers: no
 * index supports it, and it lets a third of all rows through.  So when the paths of a table
 * have been made, the hook sets the selectivity of its clauses, adds the conditions that
 * follow from them (derived.c), and makes the paths again.  Derived conditions are checked
 * first, since they cost less; the clause itself is then checked on the rows that remain.
 */
#include "postgres.h"

#include "access/sysattr.h"
#include "catalog/pg_am.h"
#include "fmgr.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"
#include "optimizer/restrictinfo.h"
#include "utils/lsyscache.h"

#include "../../common/messages.h"
#include "../../compat.h"
#include "clause.h"
#include "derived.h"
#include "ordering.h"
#include "paths.h"
#include "string_support.h"
#include "support.h"
#include "text_indexes.h"

/* The selectivity of a derived condition, whose rows are already estimated by its clause. */
#define REDUNDANT 1

/*
 * The most that checking a derived condition before its clause may cost, as a multiple of the
 * cost of the clause alone.
 */
#define WORTHWHILE 1.1

/*
 * The most that a condition checked before a threshold may cost, as a fraction of the
 * threshold's cost.
 */
#define MUCH_CHEAPER 0.1

static set_rel_pathlist_hook_type previous_hook = NULL;

bool ExplainRejectedPlans = false;

bool
ExplainsRejected(void)
{
	return ExplainRejectedPlans && WorkIsOfClient();
}

/* Returns the share of rows that a clause with a threshold lets through; -1 if it sets none. */
static Selectivity
ThresholdSelectivity(PlannerInfo *root, Node *clause)
{
	ThresholdClause threshold;
	OpExpr *negated;

	if (ReadThresholdClause(clause, &threshold))
	{
		DocumentThreshold limit = EstimateThreshold(root, threshold.kind, threshold.limit);

		if (!AreTrees(threshold.documents))
			return EstimateStringPairs(root, threshold.a, threshold.b, &limit);
		return EstimatePairsWithin(root, threshold.a, threshold.b, &limit, threshold.function);
	}
	if (!IsA(clause, OpExpr))
		return -1;
	negated = makeNode(OpExpr);
	negated->opno = get_negator(((OpExpr *) clause)->opno);
	negated->args = ((OpExpr *) clause)->args;
	if (!OidIsValid(negated->opno) || !ReadThresholdClause((Node *) negated, &threshold))
		return -1;
	return 1 - ThresholdSelectivity(root, (Node *) negated);
}

/* Returns the semi or anti join whose sides a clause compares; NULL if there is none. */
static const SpecialJoinInfo *
SemiJoinOf(PlannerInfo *root, const RestrictInfo *clause)
{
	ListCell *cell;

	foreach (cell, root->join_info_list)
	{
		const SpecialJoinInfo *join = lfirst_node(SpecialJoinInfo, cell);

		if ((join->jointype == JOIN_SEMI || join->jointype == JOIN_ANTI) &&
			bms_overlap(clause->clause_relids, join->syn_lefthand) &&
			bms_overlap(clause->clause_relids, join->syn_righthand))
			return join;
	}
	return NULL;
}

/* Whether a clause is a test by a cost model, whose selectivity PostgreSQL cannot estimate. */
static bool
IsTestByModel(Node *clause)
{
	PlannedFunction function = WhichFunction(CalledFunction(clause));

	return IsA(clause, FuncExpr) && AreByModel(function.documents) &&
		   IsThresholdTest(function.role);
}

static bool SetClauseSelectivity(PlannerInfo *root, RestrictInfo *clause);

/* Sets the selectivity of the arms of an OR; returns whether any arm sets a threshold. */
static bool
SetArmSelectivities(PlannerInfo *root, Node *arms)
{
	bool any = false;
	ListCell *cell;

	if (IsA(arms, RestrictInfo))
		return SetClauseSelectivity(root, (RestrictInfo *) arms);
	if (IsA(arms, BoolExpr))
		foreach (cell, ((BoolExpr *) arms)->args)
			any = SetArmSelectivities(root, lfirst(cell)) || any;
	return any;
}

/* Sets the selectivity of a clause; returns whether the clause sets a threshold. */
static bool
SetClauseSelectivity(PlannerInfo *root, RestrictInfo *clause)
{
	Selectivity share = -1;

	if (clause->orclause != NULL)
	{
		bool any = SetArmSelectivities(root, (Node *) clause->orclause);

		if (any)
			clause->norm_selec = clause->outer_selec = -1;
		return any;
	}
	if ((IsA(clause->clause, OpExpr) && list_length(((OpExpr *) clause->clause)->args) == 2) ||
		IsTestByModel((Node *) clause->clause) || IsTestOfDomain((Node *) clause->clause))
		share = ThresholdSelectivity(root, (Node *) clause->clause);
	if (share < 0)
		return false;
	clause->norm_selec = share;
	clause->outer_selec = EstimateMatched(root, SemiJoinOf(root, clause), share);
	return true;
}

/* Sets the selectivity of clauses; returns whether any clause sets a threshold. */
static bool
SetSelectivities(PlannerInfo *root, List *clauses)
{
	bool any = false;
	ListCell *cell;

	foreach (cell, clauses)
		any = SetClauseSelectivity(root, lfirst_node(RestrictInfo, cell)) || any;
	return any;
}

/*
 * Returns the condition that follows from a clause of a table, with the properties of the
 * clause; NULL if there is none.
 */
static RestrictInfo *
DeriveClause(PlannerInfo *root, const RelOptInfo *rel, const RestrictInfo *clause)
{
	Node *derived;

	if (clause->pseudoconstant)
		return NULL;
	derived = DerivedCondition(root, (Node *) clause->clause);
	if (derived == NULL || (rel->consider_parallel && !is_parallel_safe(root, derived)))
		return NULL;
	return MakeRestrictInfoLike(root, clause, (Expr *) derived);
}

/* Returns the cost of a clause for each row. */
static Cost
CostPerRow(PlannerInfo *root, RestrictInfo *clause)
{
	QualCost cost;

	cost_qual_eval_node(&cost, (Node *) clause, root);
	return cost.per_tuple;
}

/*
 * Whether an index has a column that a clause refers to, so that a scan of the index may
 * replace the clause.
 */
static bool
MayUseIndex(const RelOptInfo *rel, const RestrictInfo *clause)
{
	Bitmapset *columns = NULL;
	ListCell *cell;

	pull_varattnos((Node *) clause->clause, rel->relid, &columns);
	foreach (cell, rel->indexlist)
	{
		const IndexOptInfo *index = lfirst_node(IndexOptInfo, cell);
		Bitmapset *indexed = NULL;

		pull_varattnos((Node *) index->indexprs, rel->relid, &indexed);
		for (int column = 0; column < index->nkeycolumns; column++)
			if (index->indexkeys[column] != 0)
				indexed = bms_add_member(indexed, index->indexkeys[column] -
													  FirstLowInvalidHeapAttributeNumber);
		if (bms_overlap(columns, indexed))
			return true;
	}
	return false;
}

/*
 * Adds the conditions that follow from the conditions of a table, where checking them first
 * costs less, or an index may replace them.  The clause is then charged only for the rows that
 * remain, whose number its selectivity already gives.
 */
static void
AddConditions(PlannerInfo *root, RelOptInfo *rel)
{
	List *conditions = rel->baserestrictinfo;
	List *derived_conditions = NIL;
	ListCell *cell;

	foreach (cell, conditions)
	{
		RestrictInfo *clause = lfirst_node(RestrictInfo, cell);
		RestrictInfo *derived = DeriveClause(root, rel, clause);
		Cost cost;

		if (derived == NULL)
			continue;
		cost = CostPerRow(root, derived) +
			   CostPerRow(root, clause) *
				   clause_selectivity(root, (Node *) clause, 0, JOIN_INNER, NULL);
		if (cost > WORTHWHILE * CostPerRow(root, clause) && !MayUseIndex(rel, derived))
			continue;
		clause->eval_cost.per_tuple = cost;
		derived->norm_selec = derived->outer_selec = REDUNDANT;
		derived_conditions = lappend(derived_conditions, derived);
	}
	/* derived conditions come first also where costs are equal */
	rel->baserestrictinfo = list_concat_copy(derived_conditions, conditions);
	foreach (cell, rel->indexlist)
	{
		IndexOptInfo *index = lfirst_node(IndexOptInfo, cell);

		index->indrestrictinfo = list_concat_copy(derived_conditions, index->indrestrictinfo);
	}
}

/*
 * Charges clauses that set thresholds only for the rows that cheaper conditions leave, since
 * those are checked first; PostgreSQL charges all conditions for each row.  A condition that an
 * index may replace does not count: the index then returns fewer rows anyway.  Returns whether
 * any cost has changed.
 */
static bool
ChargeForRowsLeft(PlannerInfo *root, const RelOptInfo *rel)
{
	bool any = false;
	ListCell *cell;

	foreach (cell, rel->baserestrictinfo)
	{
		RestrictInfo *clause = lfirst_node(RestrictInfo, cell);
		ThresholdClause threshold;
		Cost cost = CostPerRow(root, clause);
		Cost first = 0;
		Selectivity left = 1;
		ListCell *other;

		if (!ReadThresholdClause((Node *) clause->clause, &threshold))
			continue;
		foreach (other, rel->baserestrictinfo)
		{
			RestrictInfo *condition = lfirst_node(RestrictInfo, other);
			Cost checked = CostPerRow(root, condition);

			if (checked > MUCH_CHEAPER * cost || condition->pseudoconstant ||
				condition->security_level > clause->security_level ||
				ReadThresholdClause((Node *) condition->clause, &threshold) ||
				MayUseIndex(rel, condition))
				continue;
			left *= clause_selectivity(root, (Node *) condition, 0, JOIN_INNER, NULL);
			first = Max(first, checked);
		}
		if (left == 1)
			continue;
		/* keep it the more expensive one, so that it is checked later */
		clause->eval_cost.per_tuple = Max(left * cost, WORTHWHILE * first);
		any = true;
	}
	return any;
}

/*
 * Makes paths that search indexes, also by conditions that follow from join clauses.  The
 * conditions exist only during this call; meanwhile they replace the join clauses in the
 * estimate of rows.
 */
static void
AddIndexPaths(PlannerInfo *root, RelOptInfo *rel)
{
	List *joins = rel->joininfo;
	List *derived_joins = NIL;
	Selectivity *shares = palloc_array(Selectivity, list_length(joins));
	ListCell *cell;

	foreach (cell, joins)
	{
		RestrictInfo *clause = lfirst_node(RestrictInfo, cell);
		RestrictInfo *derived = rel->indexlist == NIL ? NULL : DeriveClause(root, rel, clause);

		shares[foreach_current_index(cell)] = clause->norm_selec;
		if (derived == NULL)
			continue;
		derived_joins = lappend(derived_joins, derived);
		clause->norm_selec = REDUNDANT;
	}
	rel->joininfo = list_concat_copy(joins, derived_joins);
	create_index_paths(root, rel);
	rel->joininfo = joins;
	foreach (cell, joins)
		lfirst_node(RestrictInfo, cell)->norm_selec = shares[foreach_current_index(cell)];
}

/* Makes the paths of a table again, as PostgreSQL made them. */
static void
MakePaths(PlannerInfo *root, RelOptInfo *rel)
{
	Relids required = rel->lateral_relids;

	rel->pathlist = NIL;
	rel->partial_pathlist = NIL;
	rel->ppilist = NIL;
	add_path(rel, create_seqscan_path(root, rel, required, 0));
	if (rel->consider_parallel && required == NULL)
	{
		int workers = compute_parallel_worker(rel, rel->pages, -1, max_parallel_workers_per_gather);

		if (workers > 0)
			add_partial_path(rel, create_seqscan_path(root, rel, NULL, workers));
	}
	AddIndexPaths(root, rel);
	(void) create_tidscan_paths(root, rel);
}

/* Whether a relation is a table that is read by itself, without TABLESAMPLE or WHERE CURRENT OF. */
static bool
IsTable(RelOptInfo *rel, const RangeTblEntry *rte)
{
	ListCell *cell;

	if (!IS_SIMPLE_REL(rel) || rte->rtekind != RTE_RELATION || rte->inh ||
		rte->tablesample != NULL || rel->fdwroutine != NULL || IS_DUMMY_REL(rel))
		return false;
	foreach (cell, rel->baserestrictinfo)
		if (IsA(lfirst_node(RestrictInfo, cell)->clause, CurrentOfExpr))
			return false;
	return true;
}

bool
IsIndexed(const RelOptInfo *rel, Node *document)
{
	ListCell *cell;

	foreach (cell, rel->indexlist)
	{
		IndexOptInfo *index = lfirst_node(IndexOptInfo, cell);

		for (int column = 0; column < index->nkeycolumns; column++)
			if (index->relam != BTREE_AM_OID && index->relam != HASH_AM_OID &&
				(index->indpred == NIL || index->predOK) &&
				match_index_to_operand(document, column, index))
				return true;
	}
	return false;
}

/* Returns the least expensive path of a relation, or NULL. */
static const Path *
CheapestPath(const RelOptInfo *rel)
{
	const Path *best = NULL;
	ListCell *cell;

	foreach (cell, rel->pathlist)
		if (best == NULL || ((Path *) lfirst(cell))->total_cost < best->total_cost)
			best = lfirst(cell);
	return best;
}

/*
 * Returns the least expensive path by an index for conditions of a table, as if there were no
 * others; NULL if no index can apply any of them.
 */
static const Path *
PathByIndex(PlannerInfo *root, const RelOptInfo *rel, List *clauses)
{
	RelOptInfo *alone = makeNode(RelOptInfo);
	ListCell *cell;

	*alone = *rel;
	alone->baserestrictinfo = clauses;
	alone->joininfo = alone->pathlist = alone->partial_pathlist = alone->ppilist =
		alone->indexlist = NIL;
	alone->has_eclass_joins = alone->consider_parallel = false;
	foreach (cell, rel->indexlist)
	{
		IndexOptInfo *index = makeNode(IndexOptInfo);

		*index = *lfirst_node(IndexOptInfo, cell);
		index->rel = alone;
		index->indrestrictinfo = alone->baserestrictinfo;
		alone->indexlist = lappend(alone->indexlist, index);
	}
	create_index_paths(root, alone);
	return CheapestPath(alone);
}

/* Returns why no index can be asked for a comparison; NULL if one may be. */
static const char *
WhyNotIndexable(PlannerInfo *root, const RelOptInfo *rel, Node *condition)
{
	ThresholdClause threshold;
	const BoolExpr *arms = (BoolExpr *) condition;
	const char *reason = NULL;
	ListCell *cell;

	if (IsA(condition, BoolExpr) && arms->boolop != NOT_EXPR)
	{
		foreach (cell, arms->args)
			if (reason == NULL && CallsOurs(lfirst(cell), NULL))
				reason = WhyNotIndexable(root, rel, lfirst(cell));
		return reason;
	}
	if (!ReadThresholdClause(condition, &threshold))
		return "The condition does not compare a measure of two documents with a threshold.";
	if (contain_volatile_functions(condition))
		return "The condition has a volatile function.";
	if (contain_subplans(condition))
		return "The condition has a subquery that depends on the row.";
	if (bms_is_member((int) rel->relid, pull_varnos(root, threshold.a)) &&
		bms_is_member((int) rel->relid, pull_varnos(root, threshold.b)))
		return "Both documents of the condition are of the same row.";
	if (!IsIndexed(rel, threshold.a) && !IsIndexed(rel, threshold.b))
		return "No index has the documents of the condition.";
	return NULL;
}

/*
 * Returns the reason why a condition of a table is checked without an index; NULL if an index
 * is chosen.
 */
static const char *
WhyNotByIndex(PlannerInfo *root, const RelOptInfo *rel, RestrictInfo *clause)
{
	const Path *chosen = CheapestPath(rel);
	RestrictInfo *derived;
	List *clauses;
	const Path *by_index;
	const char *reason;

	if (chosen == NULL || chosen->pathtype != T_SeqScan)
		return NULL;
	reason = WhyNotIndexable(root, rel, (Node *) clause->clause);
	if (reason != NULL)
		return reason;
	if (!restriction_is_securely_promotable(clause, (RelOptInfo *) rel))
		return "A condition of row security, or of a security barrier, has to be checked first.";
	derived = DeriveClause(root, rel, clause);
	clauses = derived == NULL ? list_make1(clause) : list_make2(derived, clause);
	by_index = PathByIndex(root, rel, clauses);
	if (by_index == NULL)
		return "No index applies the condition: an arm of an OR has none, no index has "
			   "the measure by a model of costs, the threshold excludes nothing or everything, or "
			   "the user may not execute what the index calls.";
	if (IsDisabled(by_index))
		return "Scans of indexes are disabled by settings of the planner.";
	by_index = PathByIndex(root, rel, list_union_ptr(clauses, rel->baserestrictinfo));
	return psprintf(
		"Reading the whole table is estimated to cost least, %.2f; an index costs %.2f.",
		chosen->total_cost, by_index->total_cost);
}

/* Returns why rows that are not read from a table of this server have no index; NULL for others. */
static const char *
WhyNoTable(RelOptInfo *rel, const RangeTblEntry *rte)
{
	if (!IS_SIMPLE_REL(rel) || IS_DUMMY_REL(rel))
		return NULL;
	switch (rte->rtekind)
	{
		case RTE_SUBQUERY:
			return rte->security_barrier
					   ? "The conditions of a view with a security barrier have to be checked "
						 "first."
					   : "The rows are those of a subquery, which has to be computed first.";
		case RTE_CTE:
			return "The rows are those of a WITH query, which has to be computed first.";
		case RTE_RELATION:
			return rel->fdwroutine != NULL    ? "The rows are those of a foreign table."
				   : rte->tablesample != NULL ? "The rows are a sample of a table."
											  : NULL;
		default:
			return NULL;
	}
}

/* Reports why no index was chosen for conditions of a table or for the query's order. */
static void
ExplainRejectedIndexes(PlannerInfo *root, RelOptInfo *rel, const RangeTblEntry *rte,
					   List *conditions)
{
	bool is_table = IsTable(rel, rte);
	const char *no_table = is_table ? NULL : WhyNoTable(rel, rte);
	const char *reason;
	ListCell *cell;

	if (!is_table && no_table == NULL)
		return;
	foreach (cell, conditions)
	{
		RestrictInfo *clause = lfirst_node(RestrictInfo, cell);

		if (!CallsOurs((Node *) clause->clause, NULL))
			continue;
		reason = is_table ? WhyNotByIndex(root, rel, clause) : no_table;
		if (reason != NULL)
			ereport(NOTICE,
					(errmsg("no index was chosen for a condition of \"%s\"", rte->eref->aliasname),
					 errdetail_internal("%s", reason)));
	}
	reason = WhyNotOrdered(root, rel, no_table);
	if (reason != NULL)
		ereport(NOTICE,
				(errmsg("no index was chosen for the order of \"%s\"", rte->eref->aliasname),
				 errdetail_internal("%s", reason)));
}

/* Warns of conditions that ask for a similarity above 1, a constant. */
static bool
WarnOfPercents(Node *node, void *context)
{
	ThresholdClause clause;
	const Const *limit;

	if (node == NULL)
		return false;
	if (IsA(node, OpExpr) && ReadThresholdClause(node, &clause) && clause.model == NULL)
	{
		limit = (const Const *) clause.limit;
		if (IsA(limit, Const) && !limit->constisnull &&
			ClauseThreshold(clause.kind, limit->constvalue, limit->consttype).min_similarity > 1)
			ereport(WARNING,
					(errmsg("a condition asks for a similarity above 1"),
					 errdetail("There is none, so no row satisfies it."),
					 errhint("Similarities are between 0 and 1; for 90 percent, use 0.9.")));
		return false;
	}
	return expression_tree_walker(node, WarnOfPercents, context);
}

/* Warns of the clauses of a table, and of those of joins whose first table it is. */
static void
WarnOfClauses(const RelOptInfo *rel)
{
	ListCell *cell;

	if (rel->reloptkind != RELOPT_BASEREL || !WorkIsOfClient())
		return;
	foreach (cell, rel->baserestrictinfo)
		WarnOfPercents((Node *) lfirst_node(RestrictInfo, cell)->clause, NULL);
	foreach (cell, rel->joininfo)
	{
		const RestrictInfo *clause = lfirst_node(RestrictInfo, cell);

		if (bms_next_member(clause->clause_relids, -1) == (int) rel->relid)
			WarnOfPercents((Node *) clause->clause, NULL);
	}
}

/* Plans searches of a table whose clauses set thresholds. */
static void
SearchPathsHook(PlannerInfo *root, RelOptInfo *rel, Index rti, RangeTblEntry *rte)
{
	List *written = rel->baserestrictinfo;
	bool as_text = IsTable(rel, rte) && IndexesAsText(root, rel);
	bool conditions = SetSelectivities(root, rel->baserestrictinfo);
	bool joins = SetSelectivities(root, rel->joininfo);

	if (conditions || joins)
		WarnOfClauses(rel);
	if (IsTable(rel, rte))
	{
		if (conditions || joins)
			AddConditions(root, rel);
		if (ChargeForRowsLeft(root, rel) || conditions || joins || as_text)
		{
			set_baserel_size_estimates(root, rel);
			MakePaths(root, rel);
		}
	}
	else if (conditions && rte->rtekind == RTE_RELATION && rte->inh && !IS_DUMMY_REL(rel))
	{
		double rows = 0;
		ListCell *cell;

		/* the numbers of rows of the partitions have been corrected before */
		foreach (cell, root->append_rel_list)
		{
			const AppendRelInfo *part = lfirst_node(AppendRelInfo, cell);
			RelOptInfo *child = root->simple_rel_array[part->child_relid];

			if (part->parent_relid == rel->relid && child != NULL && !IS_DUMMY_REL(child))
				rows += child->rows;
		}
		rel->rows = clamp_row_est(rows);
	}
	if (IsTable(rel, rte))
	{
		while (HidesRows(root, rel) && ForbidOrders(rel))
			MakePaths(root, rel);
		AddOrderedPaths(root, rel);
	}
	if (ExplainsRejected())
		ExplainRejectedIndexes(root, rel, rte, written);
	if (previous_hook != NULL)
		previous_hook(root, rel, rti, rte);
}

void
SearchPathsInit(void)
{
	previous_hook = set_rel_pathlist_hook;
	set_rel_pathlist_hook = SearchPathsHook;
}
