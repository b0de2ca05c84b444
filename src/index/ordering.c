/*
 * ordering.c
 *	  Plans which documents are the nearest, by functions that indexes do not know.
 *
 * A GiST index returns trees in the order of <->, <%> or <=>.  That is also the
 * order of tree_edit_distance(), of tree_similarity() from above, and of
 * tree_normalized_distance().  A profile index returns strings in the order of <~> or
 * <%>, which is that of lcs_distance(), or of lcs_similarity() from above.
 */
#include "postgres.h"

#include "access/stratnum.h"
#include "catalog/pg_attribute.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"
#include "parser/parsetree.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"
#include "utils/typcache.h"

#include "../compat.h"
#include "identity.h"
#include "lcs_index.h"
#include "ordering.h"
#include "range.h"

/* An order by a measure of two documents. */
typedef struct Ordering
{
	PathKey *key;
	StrategyNumber strategy;  /* of the operator with the same order */
	PlannedFunction function; /* that the operator runs */
	List *documents;
	Oid collation; /* that the function is called with */
} Ordering;

/*
 * Whether the order by a function of two documents is from near to far: of a
 * similarity, from above.
 */
bool
IsNearestFirst(PlannedFunction function, const PathKey *key)
{
	bool similarity = function == TREE_SIMILARITY || function == TREE_SIMILARITY_MODEL ||
					  function == LCS_SIMILARITY;

	return (IsExactDistance(function) || IsExactDistanceByModel(function) || IsMeasure(function)) &&
		   PathKeyDescends(key) == similarity;
}

/* Reads the measure that a query is ordered by, nearest first. */
static bool
ReadOrdering(Expr *expression, PathKey *key, Ordering *ordering)
{
	Oid type = exprType((Node *) expression);
	PlannedFunction function;

	if (!IsA(expression, FuncExpr) ||
		key->pk_opfamily != lookup_type_cache(type, TYPECACHE_BTREE_OPFAMILY)->btree_opf)
		return false;
	ordering->key = key;
	ordering->documents = ((FuncExpr *) expression)->args;
	ordering->collation = ((FuncExpr *) expression)->inputcollid;
	function = WhichFunction(((FuncExpr *) expression)->funcid);
	switch (function)
	{
		case TREE_EDIT_DISTANCE:
		case TREE_DISTANCE_OP:
			ordering->strategy = STRATEGY_DISTANCE;
			ordering->function = TREE_DISTANCE_OP;
			break;
		case TREE_SIMILARITY:
			ordering->strategy = STRATEGY_DISSIMILARITY;
			ordering->function = TREE_DISSIMILARITY;
			break;
		case TREE_NORMALIZED_DISTANCE:
			ordering->strategy = STRATEGY_NORMALIZED;
			ordering->function = TREE_NORMALIZED_DISTANCE;
			break;
		case LCS_DISTANCE:
			ordering->strategy = LCS_STRATEGY_DISTANCE;
			ordering->function = LCS_DISTANCE_OP;
			break;
		case LCS_SIMILARITY:
			ordering->strategy = LCS_STRATEGY_DISSIMILARITY;
			ordering->function = LCS_DISSIMILARITY;
			break;
		default:
			return false;
	}
	return IsNearestFirst(function, key);
}

/* Whether an expression is never NULL. */
bool
IsNeverNull(PlannerInfo *root, const RelOptInfo *rel, Node *expression)
{
	ListCell *cell;

	foreach (cell, rel->baserestrictinfo)
	{
		const NullTest *test = (NullTest *) lfirst_node(RestrictInfo, cell)->clause;

		if (IsA(test, NullTest) && test->nulltesttype == IS_NOT_NULL &&
			equal(test->arg, expression))
			return true;
	}
	if (IsA(expression, FuncExpr) && IsConversion(((FuncExpr *) expression)->funcid))
		return IsNeverNull(root, rel, linitial(((FuncExpr *) expression)->args));
	return IsA(expression, Var) && IsNotNullColumn(rel, planner_rt_fetch(rel->relid, root)->relid,
												   ((Var *) expression)->varattno);
}

/* Adds a path by a column of an index that is one of the documents, if it is. */
static void
AddOrderedPath(PlannerInfo *root, RelOptInfo *rel, IndexOptInfo *index, int column,
			   const Ordering *ordering, Node *document, Node *other)
{
	Oid type = index->opcintype[column];
	Oid operator_id = get_opfamily_member(index->opfamily[column], type, type, ordering->strategy);
	Expr *order;
	PathKey *key;
	Path *search;

	if (!match_index_to_operand(document, column, index) ||
		!bms_is_empty(pull_varnos(root, other)) || contain_volatile_functions(other) ||
		!OidIsValid(operator_id) ||
		(OidIsValid(index->indexcollations[column]) &&
		 index->indexcollations[column] != ordering->collation) ||
		WhichFunction(get_opcode(operator_id)) != ordering->function ||
		(ordering->key->pk_nulls_first && !IsNeverNull(root, rel, document)))
		return;

	order = make_opclause(operator_id, FLOAT8OID, false, (Expr *) document, (Expr *) other,
						  InvalidOid, ordering->collation);
	key = makeNode(PathKey);
	*key = *ordering->key;
	PathKeyAscend(key);
	key->pk_opfamily = lookup_type_cache(FLOAT8OID, TYPECACHE_BTREE_OPFAMILY)->btree_opf;
	search = &create_index_path(root, index, NIL, list_make1(order), list_make1_int(column),
								list_make1(key), ForwardScanDirection, false, rel->lateral_relids,
								1.0, false)
				  ->path;
	/* an index scan has to say that its order is its operator's; this node only passes rows on */
	if (!equal(key, ordering->key))
		search = (Path *) create_material_path(rel, search);
	search->pathkeys = list_make1(ordering->key);
	add_path(rel, search);
}

/* Adds paths by all indexes of a table that know one of the documents. */
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

/*
 * Whether conditions of a table may hide rows from the user.  An index scan
 * measures rows before they are checked, and an error would tell of them.
 */
static bool
HidesRows(const PlannerInfo *root, const RelOptInfo *rel)
{
	ListCell *cell;

	foreach (cell, rel->baserestrictinfo)
		if (lfirst_node(RestrictInfo, cell)->security_level < root->qual_security_level)
			return true;
	return false;
}

/* Adds paths in the order of the query. */
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

		if (bms_equal(member->em_relids, rel->relids) &&
			ReadOrdering(member->em_expr, key, &ordering))
			AddPathsOf(root, rel, &ordering);
	}
}
