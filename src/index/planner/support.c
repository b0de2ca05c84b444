/*
 * support.c
 *	  Planner support of distances between trees: costs, selectivity, and index conditions.
 *
 * tree_within(doc, tree, k) implies doc <~ tree_range(tree, k), which indexes support, and
 * tree_similar(doc, tree, s) implies doc <~ tree_similarity_range(tree, s).  The same is
 * true of json_within(), since sizes and labels are a lower bound on its distance, too; of
 * tree_within() by a cost model, with the model in the range; and of lcs_within() and
 * lcs_similar().  The index returns candidates, which the function itself filters.
 */
#include "postgres.h"

#include <math.h>

#include "access/htup_details.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_statistic.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/supportnodes.h"
#include "optimizer/optimizer.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/selfuncs.h"
#include "utils/syscache.h"

#include "../../compat.h"
#include "../../tree/costs/cost_type.h"
#include "../tree/cost_range.h"
#include "../../catalog/identity.h"
#include "../tree/range.h"
#include "clause.h"
#include "rights.h"
#include "statistics.h"
#include "support.h"

/*
 * Measured nanoseconds for a call, for a cell of a forest table, and for reading a node.  With
 * a threshold, the sizes decide most calls.
 */
#define EXACT_CALL_NANOSECONDS 5000.0
#define EXACT_CELL_NANOSECONDS 8.0
#define BOUNDED_CALL_NANOSECONDS 500.0
#define BOUNDED_CELL_NANOSECONDS 3.0
#define NODE_NANOSECONDS 10.0

/*
 * Approximate share of a tree's nodes that a cost model grades or ignores, if it grades or
 * ignores any.
 */
#define BLURRED_SHARE 0.25

/* The time of an operation that costs cpu_operator_cost, in nanoseconds. */
#define OPERATOR_NANOSECONDS 10.0

/* Returns the value of an expression if it is known when planning; otherwise NULL. */
static Const *
KnownValue(PlannerInfo *root, Node *node)
{
	Node *value = root == NULL ? node : estimate_expression_value(root, node);

	return IsA(value, Const) ? (Const *) value : NULL;
}

DocumentThreshold
EstimateThreshold(PlannerInfo *root, ThresholdKind kind, Node *limit)
{
	Const *known = KnownValue(root, limit);

	if (known == NULL)
		return kind < THRESHOLD_SIMILAR ? DistanceThreshold(DEFAULT_MAX_DISTANCE)
			   : kind == THRESHOLD_NORMALIZED_LESS_EQUAL || kind == THRESHOLD_NORMALIZED_LESS
				   ? NormalizedThreshold(1 - DEFAULT_MIN_SIMILARITY)
				   : SimilarityThreshold(DEFAULT_MIN_SIMILARITY);
	return known->constisnull ? DistanceThreshold(-1)
							  : ClauseThreshold(kind, known->constvalue, known->consttype);
}

ThresholdKind
LimitKind(FunctionRole role)
{
	return role == ROLE_SIMILAR || role == ROLE_SIMILARITY_RANGE ? THRESHOLD_SIMILAR
																 : THRESHOLD_WITHIN;
}

bool
IsOfTables(PlannerInfo *root, Node *node)
{
	Relids relations = root == NULL ? NULL : pull_varnos(root, node);
	int relation = -1;

	while ((relation = bms_next_member(relations, relation)) >= 0)
		if (relation >= root->simple_rel_array_size || root->simple_rel_array[relation] == NULL)
			return false;
	return relations != NULL;
}

double
TypicalTreeSize(PlannerInfo *root, Node *node)
{
	Const *value = KnownValue(root, node);
	VariableStatData variable;
	double size = -1;

	if (value != NULL)
		return value->constisnull ? 0 : TreeSize(value->constvalue);
	if (IsOfTables(root, node))
	{
		examine_variable(root, node, 0, &variable);
		if (HeapTupleIsValid(variable.statsTuple))
			size = EstimateTreeSize(variable.statsTuple);
		ReleaseVariableStats(variable);
	}
	return size < 0 ? DEFAULT_TREE_SIZE : size;
}

/* Whether a function may use the statistics of an expression. */
static bool
UsableStatistics(VariableStatData *variable, Oid function)
{
	return HeapTupleIsValid(variable->statsTuple) &&
		   statistic_proc_security_check(variable, function);
}

/*
 * Returns the share of trees that are within a threshold of another tree, which is NULL if not
 * known; -1 without statistics.
 */
static double
EstimateWithin(HeapTuple statistics, const Const *other, const DocumentThreshold *threshold)
{
	if (other == NULL)
		return EstimateWithinAny(statistics, threshold);
	return EstimateWithinTree(statistics, DatumGetTree(other->constvalue),
							  DistanceAllowedAround(threshold, TreeSize(other->constvalue)));
}

/* Returns the share of pairs of two expressions that are within a threshold. */
static double
WithinSelectivity(PlannerInfo *root, Node *a, Node *b, const DocumentThreshold *threshold,
				  Oid function, int relation)
{
	Node *sides[2] = {a, b};
	double share = -1;

	if (MatchesNothing(threshold))
		return 0;
	for (int i = 0; i < 2; i++)
	{
		Const *other = KnownValue(root, sides[1 - i]);
		VariableStatData variable;
		double estimate = -1;

		if (other != NULL && other->constisnull)
			return 0;
		examine_variable(root, sides[i], relation, &variable);
		if (UsableStatistics(&variable, function))
			estimate = EstimateWithin(variable.statsTuple, other, threshold);
		if (estimate >= 0)
			estimate *= 1 - ((Form_pg_statistic) GETSTRUCT(variable.statsTuple))->stanullfrac;
		ReleaseVariableStats(variable);
		if (estimate >= 0)
			share = share < 0 ? estimate : Min(share, estimate);
	}
	if (share < 0)
		share = DefaultShareWithin(threshold);
	CLAMP_PROBABILITY(share);
	return share;
}

Selectivity
EstimatePairsWithin(PlannerInfo *root, Node *a, Node *b, const DocumentThreshold *threshold,
					Oid function)
{
	return WithinSelectivity(root, a, b, threshold, function, 0);
}

double
EstimatePairsOfSimilarSizes(PlannerInfo *root, Node *document, const DocumentThreshold *threshold,
							Oid function)
{
	VariableStatData variable;
	double share = -1;

	examine_variable(root, document, 0, &variable);
	if (UsableStatistics(&variable, function))
		share = EstimateSimilarSizes(variable.statsTuple, threshold);
	ReleaseVariableStats(variable);
	return share < 0 ? DEFAULT_SIMILAR_SIZES : share;
}

Selectivity
EstimateMatched(PlannerInfo *root, const SpecialJoinInfo *join, Selectivity pairs)
{
	double rows = 1;
	int relation = -1;

	if (join == NULL || (join->jointype != JOIN_SEMI && join->jointype != JOIN_ANTI))
		return pairs;
	while ((relation = bms_next_member(join->syn_righthand, relation)) >= 0)
		if (relation < root->simple_rel_array_size && root->simple_rel_array[relation] != NULL)
			rows *= root->simple_rel_array[relation]->rows;
	return 1 - pow(1 - pairs, rows);
}

Cost
NanosecondsCost(double nanoseconds)
{
	return nanoseconds / OPERATOR_NANOSECONDS * cpu_operator_cost;
}

Cost
TreeReadCost(double size)
{
	return NanosecondsCost(NODE_NANOSECONDS * size);
}

/* Returns the CPU cost of a distance bounded by a threshold, between trees that have been read. */
Cost
BoundedDistanceCost(double size_a, double size_b, const DocumentThreshold *threshold)
{
	double larger = Max(size_a, size_b);
	double max_distance = Max(DistanceAllowed(threshold, (int32) larger), 0);

	return NanosecondsCost(BOUNDED_CALL_NANOSECONDS + BOUNDED_CELL_NANOSECONDS *
														  Min(size_a, size_b) *
														  Min(2 * max_distance + 1, larger));
}

/* Whether an operator is <~. */
static bool
IsRangeOperator(Oid operator_id)
{
	return OidIsValid(operator_id) &&
		   WhichFunction(get_opcode(operator_id)).role == ROLE_MAY_BE_WITHIN;
}

Node *
MakeIndexCondition(SupportRequestIndexCondition *request, PlannedFunction function)
{
	List *args = CallArguments(request->node);
	bool by_model = function.documents == DOCUMENT_BY_MODEL;
	PlannedFunction constructor = {
		.role = function.role == ROLE_WITHIN ? ROLE_RANGE : ROLE_SIMILARITY_RANGE,
		.documents = function.documents == DOCUMENT_JSON ? DOCUMENT_TREE : function.documents};
	Node *doc;
	List *operand;
	Oid types[FUNC_MAX_ARGS];
	Oid range_type;
	Oid range_function;
	Oid operator_id;
	Oid collation = exprInputCollation(request->node);
	Oid indexed_collation = request->index->indexcollations[request->indexcol];
	Expr *range;
	ListCell *cell;

	if (request->indexarg > 1 || !IsThresholdTest(function.role) ||
		function.documents == DOCUMENT_JSON_BY_MODEL || list_length(args) != 3 + by_model)
		return NULL;
	/* the collation may decide which elements of arrays are equal */
	if (function.documents == DOCUMENT_ARRAY && OidIsValid(indexed_collation) &&
		indexed_collation != collation)
		return NULL;
	doc = list_nth(args, request->indexarg);
	operand =
		list_concat(list_make1(list_nth(args, 1 - request->indexarg)), list_copy_tail(args, 2));
	foreach (cell, operand)
	{
		if (!is_pseudo_constant_for_index(request->root, lfirst(cell), request->index))
			return NULL;
		types[foreach_current_index(cell)] = exprType(lfirst(cell));
	}

	types[0] = DeclaredType(function.documents, exprType(doc));
	range_function = FindFunction(constructor, request->funcid, types, list_length(operand));
	if (!OidIsValid(range_function))
		return NULL;
	range_type = get_func_rettype(range_function);
	operator_id = get_opfamily_member(request->opfamily, types[0], range_type, STRATEGY_WITHIN);
	if (!IsRangeOperator(operator_id) || !MayExecute(request->root, range_function) ||
		!MayExecute(request->root, get_opcode(operator_id)))
		return NULL;

	range = (Expr *) makeFuncExpr(range_function, range_type, operand, InvalidOid, collation,
								  COERCE_EXPLICIT_CALL);
	request->lossy = true;
	return (Node *) list_make1(
		make_opclause(operator_id, BOOLOID, false, (Expr *) doc, range, InvalidOid, collation));
}

/* Answers a request for the cost of a call. */
static Node *
AnswerTreeCost(SupportRequestCost *request, Cost cost)
{
	request->startup = 0;
	request->per_tuple = cost;
	return (Node *) request;
}

/*
 * Answers a request for the cost of a call whose distance has no threshold; returns NULL if the
 * function is not a measure of trees.
 */
static Node *
ExactCost(SupportRequestCost *request, PlannedFunction function)
{
	List *args = request->node ? CallArguments(request->node) : NIL;
	double a;
	double b;

	if (list_length(args) < 2 || !AreTrees(function.documents) || !IsMeasure(function.role))
		return NULL;
	a = TypicalTreeSize(request->root, linitial(args));
	b = TypicalTreeSize(request->root, lsecond(args));
	return AnswerTreeCost(
		request, TreeReadCost(a) + TreeReadCost(b) +
					 NanosecondsCost(EXACT_CALL_NANOSECONDS + EXACT_CELL_NANOSECONDS * a * b));
}

/*
 * Returns the threshold that a limit by a cost model sets around a tree, or a default if the
 * limit or the model is not yet known.
 */
static DocumentThreshold
EstimateThresholdByModel(PlannerInfo *root, Node *tree, Node *limit, Node *costs)
{
	Const *known_limit = KnownValue(root, limit);
	Const *known_costs = KnownValue(root, costs);
	DocumentThreshold threshold;
	const CostModel *model;

	if (known_limit == NULL || known_costs == NULL)
		return DistanceThreshold(DEFAULT_MAX_DISTANCE);
	if (known_limit->constisnull || known_costs->constisnull)
		return DistanceThreshold(-1);
	model = DatumGetJsonCostModel(known_costs->constvalue);
	threshold = ModelThreshold(THRESHOLD_WITHIN, model, known_limit->constvalue, FLOAT8OID);
	if (threshold.max_distance >= 0 && (threshold.ignores || CostModelIsGraded(model)))
		threshold = DistanceThreshold((float8) threshold.max_distance +
									  TypicalTreeSize(root, tree) * BLURRED_SHARE);
	return threshold;
}

/* Answers a request for the cost of a call whose distance has a threshold. */
static Node *
BoundedCost(SupportRequestCost *request, PlannedFunction function)
{
	List *args = request->node ? CallArguments(request->node) : NIL;
	PlannerInfo *root = request->root;
	bool by_model = AreByModel(function.documents);
	DocumentThreshold threshold;
	double a;
	double b;

	if (list_length(args) != 3 + by_model)
		return NULL;
	a = TypicalTreeSize(root, linitial(args));
	b = TypicalTreeSize(root, lsecond(args));
	threshold = by_model
					? EstimateThresholdByModel(root, lsecond(args), lthird(args), lfourth(args))
					: EstimateThreshold(root, LimitKind(function.role), lthird(args));
	return AnswerTreeCost(request, TreeReadCost(a) + TreeReadCost(b) +
									   BoundedDistanceCost(a, b, &threshold));
}

/* Answers a request for the selectivity of a condition on a distance with a threshold. */
static Node *
BoundedSelectivity(SupportRequestSelectivity *request)
{
	Node *value;
	DocumentThreshold threshold;

	if (list_length(request->args) != 3)
		return NULL;
	value = lthird(request->args);
	threshold =
		EstimateThreshold(request->root, LimitKind(WhichFunction(request->funcid).role), value);
	request->selectivity = EstimateMatched(request->root, request->sjinfo,
										   WithinSelectivity(request->root, linitial(request->args),
															 lsecond(request->args), &threshold,
															 request->funcid, request->varRelid));
	return (Node *) request;
}

/* Returns the function that a support request is about. */
static PlannedFunction
RequestedFunction(Node *request)
{
	Oid function = IsA(request, SupportRequestCost) ? ((SupportRequestCost *) request)->funcid
				   : IsA(request, SupportRequestSelectivity)
					   ? ((SupportRequestSelectivity *) request)->funcid
				   : IsA(request, SupportRequestIndexCondition)
					   ? ((SupportRequestIndexCondition *) request)->funcid
					   : InvalidOid;

	return WhichFunction(function);
}

PG_FUNCTION_INFO_V1(tree_support);

/*
 * Answers requests of the planner about distances and similarities: costs, selectivity and
 * index conditions.
 */
Datum
tree_support(PG_FUNCTION_ARGS)
{
	Node *node = (Node *) PG_GETARG_POINTER(0);
	PlannedFunction function = RequestedFunction(node);
	bool bounded = AreByModel(function.documents) ? function.role == ROLE_WITHIN
												  : AreTrees(function.documents) &&
														(IsThresholdTest(function.role) ||
														 function.role == ROLE_DISTANCE_LESS_EQUAL);
	Node *result = NULL;

	if (IsA(node, SupportRequestCost))
		result = bounded ? BoundedCost((SupportRequestCost *) node, function)
						 : ExactCost((SupportRequestCost *) node, function);
	else if (bounded && IsA(node, SupportRequestSelectivity))
		result = BoundedSelectivity((SupportRequestSelectivity *) node);
	else if (bounded && IsA(node, SupportRequestIndexCondition))
		result = MakeIndexCondition((SupportRequestIndexCondition *) node, function);
	PG_RETURN_POINTER(result);
}

/*
 * Reads the tree and the threshold of a constant range; returns false if no tree is in the
 * range.  `tree_type` is the type of its tree.
 */
static bool
ReadKnownRange(const Const *value, Oid tree_type, Node **tree, DocumentThreshold *threshold)
{
	TreeRange range;
	float8 operations;

	if (value->constisnull || !ReadTreeRange(value->constvalue, &range))
		return false;
	operations = range.max_distance;
	if (range.by_model)
	{
		/* the most of unit cost that the model allows for the tree */
		const CostRange *costs = ReadCostRange(&range);

		operations = (float8) MostMissing(costs) + costs->labels.graded_nodes;
	}
	*tree = (Node *) makeConst(tree_type, -1, InvalidOid, -1, range.tree, false, false);
	*threshold = DistanceThreshold(operations);
	return true;
}

bool
IsRangeConstructor(Node *expression, bool of_trees)
{
	PlannedFunction function = WhichFunction(CalledFunction(expression));

	return IsA(expression, FuncExpr) && AreTrees(function.documents) == of_trees &&
		   (function.role == ROLE_RANGE || function.role == ROLE_SIMILARITY_RANGE);
}

/*
 * Returns the selectivity of doc <~ range.  If another operator uses this estimator, returns a
 * default.
 */
static double
TreeRangeSelectivity(PlannerInfo *root, Oid operator_id, List *args, int relation)
{
	Node *doc;
	Node *range;
	Node *tree;
	DocumentThreshold threshold;
	Const *value;

	if (list_length(args) != 2 || !IsRangeOperator(operator_id))
		return DEFAULT_WITHIN_SELECTIVITY;
	doc = linitial(args);
	range = lsecond(args);
	value = KnownValue(root, range);
	if (value != NULL)
	{
		if (!ReadKnownRange(value, exprType(doc), &tree, &threshold))
			return 0;
	}
	else if (IsRangeConstructor(range, true))
	{
		const List *made_of = ((FuncExpr *) range)->args;
		Node *limit = lsecond(made_of);

		tree = linitial(made_of);
		threshold = list_length(made_of) > 2
						? EstimateThresholdByModel(root, tree, limit, lthird(made_of))
						: EstimateThreshold(
							  root, LimitKind(WhichFunction(CalledFunction(range)).role), limit);
	}
	else
		return DEFAULT_WITHIN_SELECTIVITY;
	return WithinSelectivity(root, doc, tree, &threshold, get_opcode(operator_id), relation);
}

PG_FUNCTION_INFO_V1(tree_range_sel);

/* Returns the restriction selectivity of <~. */
Datum
tree_range_sel(PG_FUNCTION_ARGS)
{
	PG_RETURN_FLOAT8(TreeRangeSelectivity((PlannerInfo *) PG_GETARG_POINTER(0), PG_GETARG_OID(1),
										  (List *) PG_GETARG_POINTER(2), PG_GETARG_INT32(3)));
}

PG_FUNCTION_INFO_V1(tree_range_joinsel);

/* Returns the join selectivity of <~. */
Datum
tree_range_joinsel(PG_FUNCTION_ARGS)
{
	PG_RETURN_FLOAT8(TreeRangeSelectivity((PlannerInfo *) PG_GETARG_POINTER(0), PG_GETARG_OID(1),
										  (List *) PG_GETARG_POINTER(2), 0));
}
