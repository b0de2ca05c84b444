/*
 * nearest_plan.c
 *	  Plans ORDER BY the distance of a table's documents from a given document as TedNearest.
 *
 * The hook looks for a query whose rows are wanted in the order of a measure between a document of
 * a relation and a document that is the same for all rows: a constant, a parameter, or a column of
 * an outer query, as in LATERAL.
 *
 * Clauses by which an expression of a row equals one of the outer query divide the rows into
 *groups, as they do in a hash join.
 */
#include "postgres.h"

#include <math.h>

#include "access/htup_details.h"
#include "access/stratnum.h"
#include "catalog/pg_am.h"
#include "catalog/pg_class.h"
#include "commands/defrem.h"
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
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "../../compat.h"
#include "../../index/planner/clause.h"
#include "../../catalog/identity.h"
#include "../../index/planner/ordering.h"
#include "../../index/planner/string_support.h"
#include "../../index/planner/support.h"
#include "nearest.h"
#include "../plan/join_plan.h"

/* Cost of keeping a document and listing its labels, relative to that of reading it. */
#define KEEP_READS 10

/* Operators that it costs a search to bound a document by its labels. */
#define BOUND_OPERATORS 3

/*
 * Part of the documents whose distance a search computes, for TedNearest and for an index, which
 * has weaker bounds.
 */
#define SEARCH_SHARE 0.01
#define INDEX_SEARCH_SHARE 0.05

/*
 * Bytes in memory of a tree, besides its own, and of each of its nodes for labels; and of a tree in
 * a group, for which labels are not needed.
 */
#define BYTES_PER_DOCUMENT 80
#define BYTES_PER_NODE 3
#define BYTES_PER_GROUPED_DOCUMENT 48

/*
 * Operators that it costs to begin a search for a tree in a group, which can have few rows, or for
 * a string, and to consider a string.
 */
#define TREE_SEARCH_OPERATORS 8000
#define STRING_SEARCH_OPERATORS 6000
#define STRING_OPERATORS 8

/* Costs of reading a sorted row again, and of writing it, relative to an operator. */
#define SORT_OPERATORS 200

/* Rows wanted if that is not known at planning time. */
#define DEFAULT_WANTED 10

static bool enable_nearest = true;
static set_rel_pathlist_hook_type previous_rel_hook = NULL;

/* An ORDER BY expression that is a measure. */
typedef struct DistanceOrder
{
	ThresholdClause measure; /* function, documents, model; `a` is the document of rows */
	bool from_row;           /* whether `a` is the function's first argument */
	Node *expression;
} DistanceOrder;

/* Clauses by which rows are divided into groups. */
typedef struct GroupKeys
{
	List *clauses;
	List *of_rows; /* expressions of a row */
	List *wanted;  /* what they equal in the rows that a search considers */
	List *row_hashes;
	List *wanted_hashes;
	List *collations;
} GroupKeys;

/* Lists of a path, in the order of custom_private. */
enum
{
	PATH_NODE_SETTINGS,    /* settings of the plan node, see nearest.h */
	PATH_NODE_EXPRESSIONS, /* custom_exprs of the plan node */
	PATH_NODE_MEASURES,    /* expressions that measure a document */
	PATH_NODE_FUNCTION,    /* function that gives the order */
	PATH_NODE_QUALS,       /* clauses that each search applies to the rows kept */
	PATH_NODE_HASHES       /* hash functions and collations of keys, see nearest.h */
};

/* Whether an expression is the same for all rows of its query. */
static bool
IsSameForRows(PlannerInfo *root, Node *expression)
{
	return bms_is_empty(pull_varnos(root, expression)) && !contain_volatile_functions(expression) &&
		   !contain_subplans(expression);
}

/* Whether an expression can have another value in the next execution of its query. */
static bool
CanChange(Node *node, void *context)
{
	if (node == NULL)
		return false;
	if (IsA(node, SubPlan) || IsA(node, AlternativeSubPlan) ||
		(IsA(node, Param) && ((Param *) node)->paramkind == PARAM_EXEC))
		return true;
	return expression_tree_walker(node, CanChange, context);
}

/* Reads an expression as a measure of a relation's documents from another document. */
static bool
ReadDistance(PlannerInfo *root, const RelOptInfo *rel, Node *expression, DistanceOrder *order)
{
	Oid function = CalledFunction(expression);
	PlannedFunction which = WhichFunction(function);
	List *args = CallArguments(expression);
	Node *a;
	Node *b;

	if (AreJson(which.documents) || !IsExactMeasure(which.role))
		return false;
	a = linitial(args);
	b = lsecond(args);
	order->expression = expression;
	order->from_row = !IsSameForRows(root, a);
	order->measure.function = function;
	order->measure.documents = which.documents;
	order->measure.collation = exprInputCollation(expression);
	order->measure.a = order->from_row ? a : b;
	order->measure.b = order->from_row ? b : a;
	order->measure.model = which.documents == DOCUMENT_BY_MODEL ? lthird(args) : NULL;
	return IsSameForRows(root, order->measure.b) && IsSameForRows(root, order->measure.model) &&
		   bms_equal(pull_varnos(root, order->measure.a), rel->relids) &&
		   !contain_volatile_functions(order->measure.a) && !CanChange(order->measure.a, NULL);
}

/*
 * Finds the measure by which a query orders its rows, from near to far, with rows without a
 * document last.
 */
static bool
FindOrder(PlannerInfo *root, const RelOptInfo *rel, DistanceOrder *order)
{
	PathKey *key = linitial_node(PathKey, root->query_pathkeys);
	ListCell *cell;

	if (key->pk_eclass->ec_has_volatile)
		return false;
	foreach (cell, MembersOf(key->pk_eclass, rel))
	{
		const EquivalenceMember *member = lfirst_node(EquivalenceMember, cell);
		Oid operators = GetDefaultOpClass(exprType((Node *) member->em_expr), BTREE_AM_OID);

		if (!member->em_is_child && bms_equal(member->em_relids, rel->relids) &&
			OidIsValid(operators) && get_opclass_family(operators) == key->pk_opfamily &&
			ReadDistance(root, rel, (Node *) member->em_expr, order) &&
			IsNearestFirst(WhichFunction(order->measure.function).role, key) &&
			(!key->pk_nulls_first || IsNeverNull(root, rel, order->measure.a)))
			return true;
	}
	return false;
}

/* Whether an expression is of columns of a row, and is the same in each search. */
static bool
IsOfRow(PlannerInfo *root, const RelOptInfo *rel, Node *expression)
{
	return bms_equal(pull_varnos(root, expression), rel->relids) &&
		   !contain_volatile_functions(expression) && !CanChange(expression, NULL);
}

/*
 * Finds the clauses by which an expression of a row equals one that is the same for all rows, and
 * whose operators are strict and can be hashed.
 */
static GroupKeys
FindKeys(PlannerInfo *root, const RelOptInfo *rel, List *changing)
{
	GroupKeys keys = {0};
	ListCell *cell;

	foreach (cell, changing)
	{
		RestrictInfo *clause = lfirst_node(RestrictInfo, cell);
		const OpExpr *equality = (const OpExpr *) clause->clause;
		Node *left;
		Node *right;
		bool row_is_left;
		Oid left_hash;
		Oid right_hash;

		if (clause->pseudoconstant || !is_opclause((Node *) equality) ||
			list_length(equality->args) != 2)
			continue;
		left = linitial(equality->args);
		right = lsecond(equality->args);
		row_is_left = IsOfRow(root, rel, left);
		if (!IsSameForRows(root, row_is_left ? right : left) ||
			(!row_is_left && !IsOfRow(root, rel, right)) ||
			!op_hashjoinable(equality->opno, exprType(left)) || !op_strict(equality->opno) ||
			!get_op_hash_functions(equality->opno, &left_hash, &right_hash))
			continue;
		keys.clauses = lappend(keys.clauses, clause);
		keys.of_rows = lappend(keys.of_rows, row_is_left ? left : right);
		keys.wanted = lappend(keys.wanted, row_is_left ? right : left);
		keys.row_hashes = lappend_oid(keys.row_hashes, row_is_left ? left_hash : right_hash);
		keys.wanted_hashes = lappend_oid(keys.wanted_hashes, row_is_left ? right_hash : left_hash);
		keys.collations = lappend_oid(keys.collations, equality->inputcollid);
	}
	return keys;
}

/* Returns the clauses of a relation that can, or cannot, change between searches. */
static List *
ClausesThat(const RelOptInfo *rel, bool can_change)
{
	List *clauses = NIL;
	ListCell *cell;

	foreach (cell, rel->baserestrictinfo)
	{
		RestrictInfo *clause = lfirst_node(RestrictInfo, cell);

		if (CanChange((Node *) clause->clause, NULL) == can_change)
			clauses = lappend(clauses, clause);
	}
	return clauses;
}

/*
 * Whether the rows of a relation can be kept, and ordered by distance before other clauses are
 * applied.  Partitioned tables are excluded, as the planner would drop the path.
 */
static bool
RowsCanBeKept(const PlannerInfo *root, const RelOptInfo *rel, const RangeTblEntry *rte,
			  List *changing)
{
	ListCell *cell;

	if (rte->rtekind != RTE_RELATION || rte->inh || rte->tablesample != NULL ||
		rte->relkind == RELKIND_FOREIGN_TABLE)
		return false;
	foreach (cell, rel->baserestrictinfo)
		if (contain_volatile_functions((Node *) lfirst_node(RestrictInfo, cell)->clause))
			return false;
	return changing == NIL || !HidesRows(root, rel);
}

/*
 * Returns a path that remains valid when the planner frees `path`; NULL for unexpected kinds of
 * paths.  Index paths are never freed.
 */
static Path *
LastingPath(Path *path)
{
	Path *copy = NULL;

	if (path == NULL || IsA(path, IndexPath))
		return path;
	if (IsA(path, Path))
		copy = memcpy(makeNode(Path), path, sizeof(Path));
	else if (IsA(path, BitmapHeapPath))
		copy = memcpy(makeNode(BitmapHeapPath), path, sizeof(BitmapHeapPath));
	return copy;
}

/* Returns the least expensive path for the rows to be kept; NULL if there is none. */
static Path *
InputPath(PlannerInfo *root, RelOptInfo *rel, List *changing)
{
	RelOptInfo *input;
	Path *cheapest = NULL;
	ListCell *cell;

	if (changing != NIL)
	{
		List *columns = pull_var_clause((Node *) extract_actual_clauses(changing, false),
										PVC_INCLUDE_PLACEHOLDERS);

		input = makeNode(RelOptInfo);
		*input = *rel;
		input->baserestrictinfo = ClausesThat(rel, false);
		input->reltarget = copy_pathtarget(rel->reltarget);
		add_new_columns_to_pathtarget(input->reltarget, columns);
		input->rows =
			clamp_row_est(rel->tuples * clauselist_selectivity(root, input->baserestrictinfo, 0,
															   JOIN_INNER, NULL));
		return create_seqscan_path(root, input, NULL, 0);
	}
	foreach (cell, rel->pathlist)
	{
		Path *path = lfirst(cell);

		if (path->param_info == NULL &&
			(cheapest == NULL || path->total_cost < cheapest->total_cost))
			cheapest = path;
	}
	return LastingPath(cheapest);
}

/* Estimates the rows of a relation of an outer query, while its subquery is planned. */
static double
OuterRows(const PlannerInfo *root, Index relid)
{
	const RelOptInfo *rel = root->simple_rel_array == NULL ? NULL : root->simple_rel_array[relid];
	const RangeTblEntry *rte = rt_fetch(relid, root->parse->rtable);
	HeapTuple tuple;
	double rows = -1;

	if (rel != NULL && rel->rows > 0)
		return rel->rows;
	if (rte->rtekind != RTE_RELATION)
		return DEFAULT_WANTED;
	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(rte->relid));
	if (HeapTupleIsValid(tuple))
	{
		rows = ((Form_pg_class) GETSTRUCT(tuple))->reltuples;
		ReleaseSysCache(tuple);
	}
	return rows < 0 ? DEFAULT_WANTED : rows;
}

/* Whether an expression uses a given parameter of an outer query. */
static bool
UsesParameter(Node *node, void *number)
{
	if (node == NULL)
		return false;
	if (IsA(node, Param))
		return ((Param *) node)->paramkind == PARAM_EXEC &&
			   ((Param *) node)->paramid == *(int *) number;
	return expression_tree_walker(node, UsesParameter, number);
}

/* Estimates how often a query is executed, by the rows of outer queries that expressions use. */
static double
ExpectedSearches(const PlannerInfo *root, Node *expression)
{
	double searches = 1;

	for (const PlannerInfo *outer = root->parent_root; outer != NULL; outer = outer->parent_root)
	{
		ListCell *cell;

		foreach (cell, outer->plan_params)
		{
			PlannerParamItem *item = lfirst_node(PlannerParamItem, cell);

			if (IsA(item->item, Var) && UsesParameter(expression, &item->paramId))
				searches = Max(searches, OuterRows(outer, ((Var *) item->item)->varno));
		}
	}
	return searches;
}

/* Estimates the rows of a group. */
static double
GroupRows(PlannerInfo *root, const Path *input, const GroupKeys *keys)
{
	return clamp_row_est(input->rows *
						 clauselist_selectivity(root, keys->clauses, 0, JOIN_INNER, NULL));
}

/* Estimates the cost of sorting the rows of an input, and of reading and writing them. */
static Cost
SortRowsCost(const Path *input)
{
	double rows = Max(input->rows, 2);
	double pages = rows * input->pathtarget->width / BLCKSZ;

	return rows * (log2(rows) * 2 + SORT_OPERATORS) * cpu_operator_cost + 2 * pages * seq_page_cost;
}

/*
 * Sets the costs of a path: its rows are read once, and each search bounds all of its group and
 * computes some distances, of strings all.  The planner multiplies by the number of executions
 * instead of asking for the cost of a rescan, so the cost of reading is divided by that number. The
 * planner adds the cost of the distance of each row, as it is an output column.
 */
static void
CostNearestPath(PlannerInfo *root, CustomPath *path, const DistanceOrder *order,
				const GroupKeys *keys, List *quals, double searches)
{
	const Path *input = linitial(path->custom_paths);
	bool are_trees = AreTrees(order->measure.documents);
	bool grouped = keys->clauses != NIL;
	double rows = GroupRows(root, input, keys);
	QualCost distance;
	QualCost check;
	Cost keep;
	Cost search;

	cost_qual_eval_node(&distance, order->expression, root);
	cost_qual_eval(&check, quals, root);
	if (are_trees)
	{
		keep = input->rows * KEEP_READS * TreeReadCost(TypicalTreeSize(root, order->measure.a));
		search = (grouped ? TREE_SEARCH_OPERATORS : 0) * cpu_operator_cost +
				 rows * (BOUND_OPERATORS * cpu_operator_cost + SEARCH_SHARE * distance.per_tuple);
	}
	else
	{
		double length = TypicalStringLength(root, order->measure.documents, order->measure.a);

		keep = input->rows * StringReadCost(length);
		search = (STRING_SEARCH_OPERATORS + rows * STRING_OPERATORS) * cpu_operator_cost +
				 rows * StringPairCost(length, length);
	}
	if (grouped || !are_trees)
		keep += SortRowsCost(input);
	path->path.startup_cost =
		(input->total_cost + keep) / searches + search + distance.startup + check.startup;
	path->path.total_cost = path->path.startup_cost + rows * (check.per_tuple + cpu_tuple_cost);
	path->path.rows = path->path.parent->rows;
	SumDisabledNodes(&path->path, input, &path->path);
}

/* Whether the data kept of the trees, besides their bytes, fit in memory; strings can be in files.
 */
static bool
FitsInMemory(PlannerInfo *root, const Path *input, const DistanceOrder *order,
			 const GroupKeys *keys)
{
	double bytes =
		keys->clauses == NIL
			? BYTES_PER_DOCUMENT + BYTES_PER_NODE * TypicalTreeSize(root, order->measure.a)
			: BYTES_PER_GROUPED_DOCUMENT;

	return !AreTrees(order->measure.documents) ||
		   input->rows * bytes <= (double) get_hash_memory_limit();
}

/* Makes the plan node of a path. */
static Plan *
PlanNearestPath(PlannerInfo *root, RelOptInfo *rel, CustomPath *path, List *tlist, List *clauses,
				List *plans)
{
	CustomScan *scan = makeNode(CustomScan);
	List *measures;

	(void) root;
	(void) rel;
	(void) clauses;
	AddScanColumns(scan, get_tlist_exprs(((Plan *) linitial(plans))->targetlist, true));
	measures = AddScanMeasures(scan, list_nth(path->custom_private, PATH_NODE_MEASURES));

	scan->scan.plan.targetlist = tlist;
	scan->scan.plan.qual = list_nth(path->custom_private, PATH_NODE_QUALS);
	scan->custom_plans = plans;
	scan->custom_exprs = list_nth(path->custom_private, PATH_NODE_EXPRESSIONS);
	scan->custom_private =
		list_concat(list_make3(list_nth(path->custom_private, PATH_NODE_SETTINGS), measures,
							   list_nth(path->custom_private, PATH_NODE_FUNCTION)),
					list_nth(path->custom_private, PATH_NODE_HASHES));
	scan->flags = path->flags;
	scan->methods = &TedNearestScanMethods;
	return &scan->scan.plan;
}

static const CustomPathMethods path_methods = {.CustomName = "TedNearest",
											   .PlanCustomPath = PlanNearestPath};

/* Makes a path ordered by a distance. */
static CustomPath *
MakeNearestPath(PlannerInfo *root, RelOptInfo *rel, Path *input, const DistanceOrder *order,
				List *changing, const GroupKeys *keys, double searches)
{
	CustomPath *path = makeNode(CustomPath);
	List *expressions = list_make5(order->measure.a, order->measure.b, order->expression,
								   keys->of_rows, keys->wanted);
	List *quals = extract_actual_clauses(changing, false);
	const ThresholdClause *measure = &order->measure;
	double group_rows = GroupRows(root, input, keys);
	double wanted = root->limit_tuples > 0      ? root->limit_tuples
					: root->tuple_fraction >= 1 ? root->tuple_fraction
												: DEFAULT_WANTED;
	Oid element =
		measure->documents == DOCUMENT_ARRAY ? get_element_type(exprType(measure->a)) : InvalidOid;
	List *settings;

	path->path.pathtype = T_CustomScan;
	path->path.parent = rel;
	path->path.pathtarget = rel->reltarget;
	path->path.pathkeys = list_make1(linitial(root->query_pathkeys));
	path->flags = CUSTOMPATH_SUPPORT_PROJECTION;
	path->custom_paths = list_make1(input);
	if (order->measure.model != NULL)
		expressions = lappend(expressions, order->measure.model);
	/* more rows are asked for than are wanted above the node if clauses besides the keys refuse
	 * some */
	wanted = Min(rint(wanted * Max(group_rows / Max(rel->rows, 1), 1)), PG_INT32_MAX / 2);
	settings = list_make3_int(list_length(input->pathtarget->exprs), (int) wanted, order->from_row);
	settings = lappend_int(settings, measure->documents);
	settings = lappend_int(settings, (int) element);
	settings = lappend_int(settings, (int) measure->collation);
	path->custom_private =
		list_make5(settings, expressions,
				   order->measure.model != NULL ? list_make1(order->expression)
												: MeasureExpressions(&order->measure),
				   list_make1_oid(order->measure.function), quals);
	path->custom_private = lappend(
		path->custom_private, list_make3(keys->row_hashes, keys->wanted_hashes, keys->collations));
	path->methods = &path_methods;
	CostNearestPath(root, path, order, keys, quals, searches);
	return path;
}

/*
 * Adds the cost of searches to index paths ordered by a distance.  PostgreSQL assumes that an index
 * returns its entries in order at no cost.
 */
static void
CostIndexSearches(PlannerInfo *root, RelOptInfo *rel, const DistanceOrder *order)
{
	List *paths = list_copy(rel->pathlist);
	QualCost distance;
	ListCell *cell;

	cost_qual_eval_node(&distance, order->expression, root);
	foreach (cell, paths)
	{
		Path *path = lfirst(cell);
		const Path *search = path;

		/* an Append whose second member follows the rows without a document */
		if (IsA(search, AppendPath) && list_length(((AppendPath *) search)->subpaths) == 2)
			search = lsecond(((AppendPath *) search)->subpaths);
		if (IsA(search, MaterialPath))
			search = ((MaterialPath *) search)->subpath;
		if (!IsA(search, IndexPath) || search->parent->relid != rel->relid ||
			((const IndexPath *) search)->indexorderbys == NIL)
			continue;
		rel->pathlist = list_delete_ptr(rel->pathlist, path);
		path->startup_cost += rel->tuples * INDEX_SEARCH_SHARE * distance.per_tuple;
		path->total_cost += rel->tuples * INDEX_SEARCH_SHARE * distance.per_tuple;
		add_path(rel, path);
	}
}

/* Adds a path ordered by distance to a relation. */
static void
RelPathlistHook(PlannerInfo *root, RelOptInfo *rel, Index rti, RangeTblEntry *rte)
{
	DistanceOrder order;
	GroupKeys keys;
	List *changing;
	Path *input;
	double searches;

	if (previous_rel_hook != NULL)
		previous_rel_hook(root, rel, rti, rte);

	if (!enable_nearest || rel->reloptkind != RELOPT_BASEREL || IS_DUMMY_REL(rel) ||
		!bms_is_empty(rel->lateral_relids) ||
		!(root->parse->commandType == CMD_SELECT && root->rowMarks == NIL &&
		  root->query_pathkeys != NIL && root->tuple_fraction > 0) ||
		!FindOrder(root, rel, &order))
		return;
	if (AreTrees(order.measure.documents))
		CostIndexSearches(root, rel, &order);
	changing = ClausesThat(rel, true);
	if (!RowsCanBeKept(root, rel, rte, changing))
		return;
	input = InputPath(root, rel, changing);
	keys = FindKeys(root, rel, changing);
	searches = ExpectedSearches(root, (Node *) list_make3(order.measure.b, order.measure.model,
														  extract_actual_clauses(changing, false)));
	/* a search for a string compares it with all others, so that one search is as long as a sort */
	if (input != NULL && FitsInMemory(root, input, &order, &keys) &&
		(AreTrees(order.measure.documents) || searches > 1))
		add_path(rel, &MakeNearestPath(root, rel, input, &order, changing, &keys, searches)->path);
}

void
TedNearestInit(void)
{
	DefineCustomBoolVariable(
		"ted.enable_nearest",
		"Enables the planner's use of TedNearest for the nearest documents of a table.", NULL,
		&enable_nearest, true, PGC_USERSET, GUC_EXPLAIN, NULL, NULL, NULL);
	RegisterCustomScanMethods(&TedNearestScanMethods);
	previous_rel_hook = set_rel_pathlist_hook;
	set_rel_pathlist_hook = RelPathlistHook;
}
