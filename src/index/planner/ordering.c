/*
 * ordering.c
 *	  Plans ordered searches for the nearest documents by functions that no index supports.
 *
 * A GiST index returns trees in the order of <->, <%> or <=>.  That is also the order of
 * tree_edit_distance(), of tree_similarity() descending, and of tree_normalized_distance().
 * A profile index returns strings in the order of <~> or <%>, which is that of
 * lcs_distance(), or of lcs_similarity() descending.  An order by one of these operators and
 * other keys is planned here, too: an incremental sort takes rows in the order of the first key.
 *
 * A descending order has NULLs first, which an index returns last, if at all.  If there may
 * be NULLs, the plan reads the rows without a document before it reads the index.
 */
#include "postgres.h"

#include "access/stratnum.h"
#include "access/sysattr.h"
#include "catalog/pg_attribute.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"
#include "optimizer/restrictinfo.h"
#include "parser/parsetree.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/typcache.h"

#include "../../compat.h"
#include "clause.h"
#include "../../catalog/identity.h"
#include "../profile/lcs_index.h"
#include "ordering.h"
#include "paths.h"
#include "rights.h"
#include "../tree/range.h"

/* An order by a measure of two documents. */
typedef struct Ordering
{
	PathKey *key;
	StrategyNumber strategy;  /* strategy of the operator that has the same order */
	PlannedFunction function; /* function of that operator */
	List *documents;
	Oid collation; /* input collation of the function */
} Ordering;

bool
IsNearestFirst(FunctionRole role, const PathKey *key)
{
	return IsMeasure(role) && PathKeyDescends(key) == (role == ROLE_SIMILARITY);
}

/*
 * Reads the measure that a query is ordered by; returns false unless the nearest documents come
 * first.
 */
static bool
ReadOrdering(Expr *expression, PathKey *key, Ordering *ordering)
{
	Oid type = exprType((Node *) expression);
	PlannedFunction function = WhichFunction(CalledFunction((Node *) expression));

	if (!IsMeasure(function.role) ||
		key->pk_opfamily != lookup_type_cache(type, TYPECACHE_BTREE_OPFAMILY)->btree_opf)
		return false;
	ordering->key = key;
	ordering->documents = CallArguments((Node *) expression);
	ordering->collation = exprInputCollation((Node *) expression);
	if (AreByModel(function.documents) || function.documents == DOCUMENT_JSON)
		return false;
	ordering->function.documents = function.documents;
	switch (function.role)
	{
		case ROLE_DISTANCE:
		case ROLE_DISTANCE_OP:
			ordering->strategy = STRATEGY_DISTANCE;
			ordering->function.role = ROLE_DISTANCE_OP;
			break;
		case ROLE_SIMILARITY:
		case ROLE_DISSIMILARITY:
			ordering->strategy = STRATEGY_DISSIMILARITY;
			ordering->function.role = ROLE_DISSIMILARITY;
			break;
		case ROLE_NORMALIZED_DISTANCE:
			ordering->strategy = STRATEGY_NORMALIZED;
			ordering->function.role = ROLE_NORMALIZED_DISTANCE;
			break;
		default:
			return false;
	}
	return IsNearestFirst(function.role, key);
}

/* Whether a condition is NULL, and so refuses the row, where a column is NULL. */
static bool
RefusesNull(Node *condition, const Var *column)
{
	Bitmapset *columns = NULL;

	if (contain_nonstrict_functions(condition))
		return false;
	pull_varattnos(condition, column->varno, &columns);
	return bms_is_member(column->varattno - FirstLowInvalidHeapAttributeNumber, columns);
}

/* Returns the document below conversions and casts to text, whose results are NULL where it is. */
static Node *
BelowConversions(Node *document)
{
	for (;;)
	{
		const FuncExpr *call = (FuncExpr *) document;

		if (!IsA(call, FuncExpr) || (call->funcid != F_TEXT_BPCHAR && call->funcid != F_TEXT_NAME &&
									 WhichFunction(call->funcid).role != ROLE_CONVERSION))
			return document;
		document = linitial(call->args);
	}
}

bool
IsNeverNull(PlannerInfo *root, const RelOptInfo *rel, Node *expression)
{
	Node *below = BelowConversions(expression);
	ListCell *cell;

	foreach (cell, rel->baserestrictinfo)
	{
		Node *condition = (Node *) lfirst_node(RestrictInfo, cell)->clause;
		const NullTest *test = (NullTest *) condition;

		if ((IsA(test, NullTest) && test->nulltesttype == IS_NOT_NULL &&
			 equal(test->arg, expression)) ||
			(IsA(expression, Var) && RefusesNull(condition, (Var *) expression)))
			return true;
	}
	if (below != expression)
		return IsNeverNull(root, rel, below);
	return IsA(expression, Var) && IsNotNullColumn(rel, planner_rt_fetch(rel->relid, root)->relid,
												   ((Var *) expression)->varattno);
}

/*
 * Whether a plan may read a table in two parts; a locked row is looked up again in one part
 * only.
 */
static bool
CanReadTwice(const PlannerInfo *root, const RelOptInfo *rel)
{
	return root->parse->commandType == CMD_SELECT && root->rowMarks == NIL &&
		   bms_is_empty(rel->lateral_relids);
}

/* Returns a copy of a table restricted to the rows whose document is NULL, or is not NULL. */
static RelOptInfo *
PartOfTable(PlannerInfo *root, const RelOptInfo *rel, Node *document, NullTestType type)
{
	RelOptInfo *part = makeNode(RelOptInfo);
	NullTest *test = makeNode(NullTest);
	List *condition;
	ListCell *cell;

	test->arg = (Expr *) copyObject(BelowConversions(document));
	test->nulltesttype = type;
	test->location = -1;
	condition = list_make1(make_simple_restrictinfo(root, (Expr *) test));

	*part = *rel;
	part->baserestrictinfo = list_concat_copy(rel->baserestrictinfo, condition);
	part->joininfo = part->pathlist = part->partial_pathlist = part->ppilist = part->indexlist =
		NIL;
	foreach (cell, rel->indexlist)
	{
		IndexOptInfo *index = makeNode(IndexOptInfo);

		*index = *lfirst_node(IndexOptInfo, cell);
		index->rel = part;
		index->indrestrictinfo = list_concat_copy(index->indrestrictinfo, condition);
		part->indexlist = lappend(part->indexlist, index);
	}
	set_baserel_size_estimates(root, part);
	return part;
}

/*
 * Returns the least expensive path of the rows whose document is NULL, marked as ordered: these
 * rows are all equal.
 */
static Path *
NullsPath(PlannerInfo *root, const RelOptInfo *rel, Node *document, const Ordering *ordering)
{
	RelOptInfo *nulls = PartOfTable(root, rel, document, IS_NULL);
	Path *path;

	nulls->consider_parallel = false;
	add_path(nulls, create_seqscan_path(root, nulls, NULL, 0));
	create_index_paths(root, nulls);
	set_cheapest(nulls);
	path = nulls->cheapest_total_path;
	path->pathkeys = list_make1(ordering->key);
	return path;
}

/*
 * Returns a path in the order of an operator that an index supports, marked as being in the
 * order of the query.
 */
static Path *
SearchPath(PlannerInfo *root, IndexOptInfo *index, int column, const Ordering *ordering,
		   Expr *order)
{
	PathKey *key = makeNode(PathKey);
	Path *search;

	*key = *ordering->key;
	PathKeyAscend(key);
	key->pk_opfamily = lookup_type_cache(FLOAT8OID, TYPECACHE_BTREE_OPFAMILY)->btree_opf;
	search = &create_index_path(root, index, NIL, list_make1(order), list_make1_int(column),
								list_make1(key), ForwardScanDirection, false,
								index->rel->lateral_relids, 1.0, false)
				  ->path;
	/* an index scan must declare the operator's order; the Material node only passes rows on */
	if (!equal(key, ordering->key))
		search = (Path *) create_material_path(index->rel, search, true);
	search->pathkeys = list_make1(ordering->key);
	return search;
}

/* Returns a path of the rows whose document is NULL, followed by the others from near to far. */
static Path *
NullsFirstPath(PlannerInfo *root, RelOptInfo *rel, const IndexOptInfo *index, int column,
			   const Ordering *ordering, Expr *order, Node *document)
{
	RelOptInfo *filled = PartOfTable(root, rel, document, IS_NOT_NULL);
	Path *nulls = NullsPath(root, rel, document, ordering);
	RelOptInfo *unconditioned = makeNode(RelOptInfo);
	AppendPathInput parts = {0};
	Path *search;
	Path *both;
	int place = 0; /* of the index among those of the table, and of each part */

	while (list_nth(rel->indexlist, place) != index)
		place++;
	search = SearchPath(root, list_nth(filled->indexlist, place), column, ordering, order);
	parts.subpaths = list_make2(nulls, search);
	/* both parts check the conditions; an Append with conditions would try to prune partitions */
	*unconditioned = *rel;
	unconditioned->baserestrictinfo = NIL;
	both = &create_append_path(root, unconditioned, parts, list_make1(ordering->key), NULL, 0,
							   false, -1)
				->path;
	/* the part with the NULLs is read completely before the first row with a document */
	both->startup_cost = nulls->total_cost + search->startup_cost;
	/* the projection keeps a MergeAppend of partitions from merging both parts as partitions */
	both = &create_projection_path(root, rel, both, rel->reltarget)->path;
	return both;
}

/*
 * Adds a path by a column of an index if the column is the document, the index supports the order,
 * and the user may execute the operator, by which a scan checks distances again.
 */
static void
AddOrderedPath(PlannerInfo *root, RelOptInfo *rel, IndexOptInfo *index, int column,
			   const Ordering *ordering, Node *document, Node *other)
{
	Oid type = index->opcintype[column];
	Oid operator_id = get_opfamily_member(index->opfamily[column], type, type, ordering->strategy);
	bool nulls_first = ordering->key->pk_nulls_first && !IsNeverNull(root, rel, document);
	Expr *order;

	if (!match_index_to_operand(document, column, index) ||
		!bms_is_empty(pull_varnos(root, other)) || contain_volatile_functions(other) ||
		!OidIsValid(operator_id) ||
		(OidIsValid(index->indexcollations[column]) &&
		 index->indexcollations[column] != ordering->collation) ||
		!IsSameFunction(WhichFunction(get_opcode(operator_id)), ordering->function) ||
		(nulls_first && !CanReadTwice(root, rel)) || !MayExecute(root, get_opcode(operator_id)))
		return;

	order = make_opclause(operator_id, FLOAT8OID, false, (Expr *) document, (Expr *) other,
						  InvalidOid, ordering->collation);
	add_path(rel, nulls_first ? NullsFirstPath(root, rel, index, column, ordering, order, document)
							  : SearchPath(root, index, column, ordering, order));
}

/* Adds paths by all indexes of a table that have one of the two documents as a column. */
static void
AddPathsOf(PlannerInfo *root, RelOptInfo *rel, const Ordering *ordering)
{
	Node *a = linitial(ordering->documents);
	Node *b = lsecond(ordering->documents);
	ListCell *cell;

	foreach (cell, rel->indexlist)
	{
		IndexOptInfo *index = lfirst_node(IndexOptInfo, cell);

		if (!index->amcanorderbyop || (index->indpred != NIL && !index->predOK))
			continue;
		for (int column = 0; column < index->nkeycolumns; column++)
		{
			AddOrderedPath(root, rel, index, column, ordering, a, b);
			AddOrderedPath(root, rel, index, column, ordering, b, a);
		}
	}
}

bool
HidesRows(const PlannerInfo *root, const RelOptInfo *rel)
{
	ListCell *cell;

	foreach (cell, rel->baserestrictinfo)
		if (lfirst_node(RestrictInfo, cell)->security_level < root->qual_security_level)
			return true;
	return false;
}

bool
CallsOurs(Node *node, void *context)
{
	if (node == NULL)
		return false;
	if (IsA(node, RestrictInfo))
		return CallsOurs((Node *) ((RestrictInfo *) node)->clause, context);
	return WhichFunction(CalledFunction(node)).role != NO_ROLE ||
		   expression_tree_walker(node, CallsOurs, context);
}

bool
ForbidOrders(const RelOptInfo *rel)
{
	bool any = false;
	ListCell *cell;

	foreach (cell, rel->pathlist)
	{
		const IndexPath *path = lfirst(cell);

		if (!IsA(path, IndexPath) || !CallsOurs((Node *) path->indexorderbys, NULL))
			continue;
		path->indexinfo->amcanorderbyop = false;
		any = true;
	}
	return any;
}

void
AddOrderedPaths(PlannerInfo *root, RelOptInfo *rel)
{
	PathKey *key;
	ListCell *cell;

	if (root->query_pathkeys == NIL || rel->indexlist == NIL || HidesRows(root, rel))
		return;
	key = linitial_node(PathKey, root->query_pathkeys);
	if (key->pk_eclass->ec_has_volatile)
		return;
	foreach (cell, MembersOf(key->pk_eclass, rel))
	{
		const EquivalenceMember *member = lfirst_node(EquivalenceMember, cell);
		Ordering ordering;

		/* PostgreSQL uses an index for an operator, before version 17 for a single key only */
		if (bms_equal(member->em_relids, rel->relids) &&
			(!IsA(member->em_expr, OpExpr) || list_length(root->query_pathkeys) > 1) &&
			ReadOrdering(member->em_expr, key, &ordering))
			AddPathsOf(root, rel, &ordering);
	}
}

/* Whether an unparameterized path of a table has an order. */
static bool
HasOrder(const RelOptInfo *rel, List *order)
{
	ListCell *cell;

	foreach (cell, rel->pathlist)
	{
		const Path *path = lfirst(cell);

		if (path->param_info == NULL && path->pathkeys != NIL &&
			linitial(path->pathkeys) == linitial(order))
			return true;
	}
	return false;
}

/* Returns the reason why an index cannot return the rows in an order by a measure. */
static const char *
WhyNoIndexOrders(PlannerInfo *root, RelOptInfo *rel, const PathKey *key, Node *measure)
{
	List *documents = CallArguments(measure);

	if (key->pk_eclass->ec_has_volatile)
		return "The order has a volatile function.";
	if (!IsNearestFirst(WhichFunction(CalledFunction(measure)).role, key))
		return "The order is not from near to far.";
	if (WhichFunction(CalledFunction(measure)).documents == DOCUMENT_BY_MODEL)
		return "No index has an order by a model of costs.";
	if (!IsIndexed(rel, linitial(documents)) && !IsIndexed(rel, lsecond(documents)))
		return "No index has the documents of the order.";
	if (HidesRows(root, rel))
		return "A condition of row security, or of a security barrier, has to be checked first.";
	if (key->pk_nulls_first && !CanReadTwice(root, rel))
		return "The order has NULLs first, and the statement locks or changes rows.";
	return "The index has no such order, or a path by it is estimated to cost more.";
}

const char *
WhyNotOrdered(PlannerInfo *root, RelOptInfo *rel, const char *no_table)
{
	PathKey *key;
	ListCell *cell;

	if (root->query_pathkeys == NIL || HasOrder(rel, root->query_pathkeys))
		return NULL;
	key = linitial_node(PathKey, root->query_pathkeys);
	foreach (cell, MembersOf(key->pk_eclass, rel))
	{
		const EquivalenceMember *member = lfirst_node(EquivalenceMember, cell);
		Node *measure = (Node *) member->em_expr;

		if (!IsMeasure(WhichFunction(CalledFunction(measure)).role))
			continue;
		if (bms_equal(member->em_relids, rel->relids))
			return no_table != NULL ? no_table : WhyNoIndexOrders(root, rel, key, measure);
		if (bms_overlap(member->em_relids, rel->relids) && no_table == NULL &&
			(IsIndexed(rel, linitial(CallArguments(measure))) ||
			 IsIndexed(rel, lsecond(CallArguments(measure)))))
			return "The order compares with documents of another table; a single one, given as "
				   "(SELECT …), is known before the index is read.";
	}
	return NULL;
}
