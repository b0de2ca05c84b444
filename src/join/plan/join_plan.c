/*
 * join_plan.c
 *	  Plans joins by a threshold on the distance or similarity of documents as TedJoin.
 *
 * The hook looks for a clause that sets a threshold between a document of one side and a document
 * of the other.  A path for the clause replaces it; the other clauses of the join are checked on
 * the pairs found.
 *
 * Nothing is kept from one planning to the next.  Functions are recognised by the code that they
 * run, in any schema.
 */
#include "postgres.h"

#include <math.h>

#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"
#include "optimizer/restrictinfo.h"
#include "parser/parsetree.h"
#include "rewrite/rewriteManip.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"

#include "../../compat.h"
#include "../../catalog/identity.h"
#include "../../index/planner/ordering.h"
#include "../../index/planner/paths.h"
#include "../../index/planner/string_statistics.h"
#include "../../index/planner/string_support.h"
#include "../../index/planner/support.h"
#include "../../tree/costs/cost_type.h"
#include "../cells/cells.h"
#include "../search/join_memory.h"
#include "join_plan.h"
#include "tedjoin.h"

/* Operators that it costs to reject a pair by size or rarest labels. */
#define PAIR_OPERATORS 0.04

/*
 * Costs of keeping and indexing a document, and of reading a spooled one again, relative to reading
 * it.
 */
#define INDEX_READS 1.0
#define SPOOL_READS 2.0

/* Operators that it costs to start a join of strings, and to index or look up a string. */
#define STRINGS_START_OPERATORS 2000.0
#define STRING_OPERATORS 50.0

/* Bytes of a node or a symbol in a spool. */
#define SPOOLED_NODE_BYTES 8
#define SPOOLED_SYMBOL_BYTES 1

/* Bytes of a node on the indexed side for each further process that shares an index. */
#define BYTES_PER_SHARED_NODE 20

/* The number of expected matches that a join may turn out not to have. */
#define MATCHES_MISSED 100.0

static bool enable_join = true;
static set_join_pathlist_hook_type previous_join_hook = NULL;

/* Estimates for the documents of a side. */
typedef struct Documents
{
	double size;
	Cost read;            /* per document */
	double spooled_bytes; /* per document */
	double indexed_bytes; /* per document */
	double shared_bytes;  /* per document, for each further process */
} Documents;

/* Estimates for all paths of a join. */
typedef struct Estimates
{
	Documents outer;
	Documents inner;
	Selectivity matching; /* part of all pairs that match */
	double verified;      /* part of all pairs that are verified */
	Cost pair;            /* of verifying one */
} Estimates;

/* Keys that are equal in both rows of each pair of a join, as in a hash join. */
typedef struct Keys
{
	List *outer;
	List *inner;
	List *hashes; /* lists of OIDs: hash functions of outer keys, of inner keys, collations */
	Selectivity equal;
} Keys;

/* A threshold join in planning. */
typedef struct Threshold
{
	RestrictInfo *clause; /* clause that sets the threshold */
	ThresholdClause set;
	Node *outer; /* the clause's document of the outer side */
	Node *inner;
	TedJoinSide limit_side; /* side whose columns the limit has */
	List *quals;            /* clauses that are checked on the pairs found */
	List *filters;          /* clauses on all rows of an outer join, with or without a match */
	List *columns;          /* columns of both sides for clauses and above the join */
	JoinType type;
	int nulling;      /* number of the outer join, 0 for none */
	Relids nullable;  /* tables whose columns that join makes null */
	TedJoinSide self; /* side that has the rows and columns of both */
	Keys keys;
	Estimates estimates;
} Threshold;

/* Whether an expression uses columns of one side only, and at least one. */
static bool
BelongsTo(PlannerInfo *root, Node *expression, RelOptInfo *side)
{
	Relids relids = pull_varnos(root, expression);

	return !bms_is_empty(relids) && bms_is_subset(relids, side->relids);
}

/* Assigns the documents of the call to the sides; returns false if they are not of both sides. */
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

/* Finds the side whose columns the limit has; returns false if it has columns of both. */
static bool
AssignLimit(PlannerInfo *root, Threshold *threshold, RelOptInfo *outer, RelOptInfo *inner)
{
	if (bms_is_empty(pull_varnos(root, threshold->set.limit)))
		threshold->limit_side = NEITHER_SIDE;
	else if (BelongsTo(root, threshold->set.limit, outer))
		threshold->limit_side = OUTER_SIDE;
	else if (BelongsTo(root, threshold->set.limit, inner))
		threshold->limit_side = INNER_SIDE;
	else
		return false;
	return true;
}

/*
 * Tries to use a clause as the one that sets the threshold; returns NULL, or why it cannot be used.
 */
static const char *
TryClause(PlannerInfo *root, RestrictInfo *clause, RelOptInfo *outer, RelOptInfo *inner,
		  Threshold *threshold)
{
	Node *expression = (Node *) clause->clause;

	if (is_orclause(expression))
		return "The measure is in an OR; a UNION of two joins has TedJoin for each of them.";
	if (!ReadThresholdClause(expression, &threshold->set))
		return "No clause of the join compares a measure of two documents with a threshold.";
	if (!AssignSides(root, threshold, outer, inner))
		return "The measure is not one of a document of either side.";
	if (!AssignLimit(root, threshold, outer, inner))
		return "The threshold has columns of both sides.";
	if (threshold->set.model != NULL && !bms_is_empty(pull_varnos(root, threshold->set.model)))
		return "The model of costs has columns of a table.";
	if (contain_volatile_functions(expression))
		return "The clause with the threshold has a volatile function.";
	if (contain_subplans(expression))
		return "The clause with the threshold has a subquery.";
	threshold->clause = clause;
	return NULL;
}

/*
 * Whether a clause belongs to the join itself, rather than to the rows that an outer join returns.
 */
static bool
IsJoinClause(const RestrictInfo *clause, const RelOptInfo *joinrel, JoinType type)
{
	return !IS_OUTER_JOIN(type) || !RINFO_IS_PUSHED_DOWN(clause, joinrel->relids);
}

/* Finds a clause of the join that sets a threshold; returns NULL, or why there is none. */
static const char *
FindThreshold(PlannerInfo *root, RelOptInfo *joinrel, List *clauses, RelOptInfo *outer,
			  RelOptInfo *inner, Threshold *threshold)
{
	const char *reason = NULL;
	ListCell *cell;

	foreach (cell, clauses)
	{
		RestrictInfo *clause = lfirst_node(RestrictInfo, cell);
		const char *why;

		if (!IsJoinClause(clause, joinrel, threshold->type) ||
			!CallsOurs((Node *) clause->clause, NULL))
			continue;
		why = TryClause(root, clause, outer, inner, threshold);
		if (why == NULL)
			return NULL;
		reason = why;
	}
	return reason == NULL ? "The clause with the measure is not one of the outer join itself."
						  : reason;
}

/*
 * Takes over the other clauses of the join; returns NULL, or why that is impossible.  All clauses
 * must have the same security level, as the distance of a pair is tested first, and none may be for
 * a Result node above the join.
 */
static const char *
TakeQuals(List *clauses, const RelOptInfo *joinrel, Threshold *threshold)
{
	ListCell *cell;

	threshold->quals = threshold->filters = NIL;
	foreach (cell, clauses)
	{
		RestrictInfo *clause = lfirst_node(RestrictInfo, cell);
		/* the index applies an exact constant threshold, which need not be checked again */
		bool settled = clause == threshold->clause && threshold->set.exact &&
					   threshold->limit_side == NEITHER_SIDE;

		if (clause->pseudoconstant)
			return "The join has a clause without columns.";
		if (clause->security_level != threshold->clause->security_level)
			return "A clause of row security, or of a security barrier, has to be checked first.";
		if (!IsJoinClause(clause, joinrel, threshold->type))
			threshold->filters = lappend(threshold->filters, clause->clause);
		else if (!settled)
			threshold->quals = lappend(threshold->quals, clause->clause);
	}
	return NULL;
}

/*
 * Finds the clauses by which the rows of a pair have equal keys, as a hash join does.  Their
 * operators are strict, so that a row with a null key has no match.
 */
static void
TakeKeys(PlannerInfo *root, List *clauses, const RelOptInfo *joinrel, const RelOptInfo *outer,
		 const RelOptInfo *inner, SpecialJoinInfo *sjinfo, Threshold *threshold)
{
	Keys *keys = &threshold->keys;
	SpecialJoinInfo of_rows = *sjinfo;
	List *outer_hashes = NIL;
	List *inner_hashes = NIL;
	List *collations = NIL;
	ListCell *cell;

	*keys = (Keys){.equal = 1};
	of_rows.jointype = JOIN_INNER;
	foreach (cell, clauses)
	{
		RestrictInfo *clause = lfirst_node(RestrictInfo, cell);
		const OpExpr *equality = (const OpExpr *) clause->clause;
		bool outer_is_left = bms_is_subset(clause->left_relids, outer->relids) &&
							 bms_is_subset(clause->right_relids, inner->relids);
		Oid left;
		Oid right;

		if (!clause->can_join || !OidIsValid(clause->hashjoinoperator) ||
			!IsJoinClause(clause, joinrel, threshold->type) ||
			!op_strict(clause->hashjoinoperator) || contain_subplans((Node *) equality) ||
			(!outer_is_left && !(bms_is_subset(clause->left_relids, inner->relids) &&
								 bms_is_subset(clause->right_relids, outer->relids))) ||
			!get_op_hash_functions(clause->hashjoinoperator, &left, &right))
			continue;
		keys->outer = lappend(keys->outer,
							  outer_is_left ? linitial(equality->args) : lsecond(equality->args));
		keys->inner = lappend(keys->inner,
							  outer_is_left ? lsecond(equality->args) : linitial(equality->args));
		outer_hashes = lappend_oid(outer_hashes, outer_is_left ? left : right);
		inner_hashes = lappend_oid(inner_hashes, outer_is_left ? right : left);
		collations = lappend_oid(collations, equality->inputcollid);
		keys->equal *= clause_selectivity(root, (Node *) clause, 0, JOIN_INNER, &of_rows);
	}
	keys->hashes = list_make3(outer_hashes, inner_hashes, collations);
}

/* Collects the columns used above the join or by its clauses; returns NULL, or why it cannot. */
static const char *
TakeColumns(RelOptInfo *joinrel, RelOptInfo *outer, RelOptInfo *inner, Threshold *threshold)
{
	List *clauses = list_concat_copy(threshold->quals, threshold->filters);
	ListCell *cell;

	clauses = lappend(lappend(clauses, threshold->outer), threshold->inner);
	clauses = lappend(clauses, threshold->set.limit);
	clauses = (List *) AboveOuterJoin(clauses, threshold->nulling, threshold->nullable);
	threshold->columns =
		list_concat_unique(list_copy(joinrel->reltarget->exprs),
						   pull_var_clause((Node *) clauses, PVC_INCLUDE_PLACEHOLDERS));
	foreach (cell, threshold->columns)
	{
		Node *below = BelowOuterJoin(lfirst(cell), threshold->nulling);

#ifdef USE_ASSERT_CHECKING
		/* works in a custom scan, but an assertion in PostgreSQL expects it only of joins */
		if (IsA(below, Var) && ((Var *) below)->varno == ROWID_VAR)
			return "The identity of rows of a table with children is wanted above the join.";
#endif
		if (!list_member(outer->reltarget->exprs, below) &&
			!list_member(inner->reltarget->exprs, below))
			return "An expression of columns of both sides is wanted above the join.";
	}
	return NULL;
}

/* Whether two sides are the same table with the same conditions, neither of them aggregated. */
static bool
SameRows(PlannerInfo *root, const RelOptInfo *outer, const RelOptInfo *inner)
{
	const RangeTblEntry *a;
	const RangeTblEntry *b;
	Node *conditions;

	if (outer->reloptkind != RELOPT_BASEREL || inner->reloptkind != RELOPT_BASEREL ||
		IS_GROUPED_REL(outer) || IS_GROUPED_REL(inner))
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

/* Whether a side has all columns that are used of the other side, which has the same rows. */
static bool
HasColumnsOf(const RelOptInfo *side, const RelOptInfo *other, const Threshold *threshold)
{
	ListCell *cell;

	foreach (cell, threshold->columns)
	{
		Node *below = BelowOuterJoin(lfirst(cell), threshold->nulling);

		if (list_member(other->reltarget->exprs, below) &&
			!list_member(side->reltarget->exprs, Counterpart(below, other, side)))
			return false;
	}
	return true;
}

/* Whether distances are known to be the same in both directions. */
static bool
IsSymmetric(const ThresholdClause *set)
{
	const Const *model = (const Const *) set->model;

	return model == NULL || (IsA(model, Const) && !model->constisnull &&
							 CostModelIsSymmetric(DatumGetJsonCostModel(model->constvalue)));
}

/* Returns the side that can be read for both, or NEITHER_SIDE. */
static TedJoinSide
ReadForBoth(PlannerInfo *root, const RelOptInfo *outer, const RelOptInfo *inner,
			const Threshold *threshold)
{
	if (!IsSymmetric(&threshold->set) || !SameRows(root, outer, inner) ||
		!equal(Counterpart(threshold->outer, outer, inner), threshold->inner))
		return NEITHER_SIDE;
	return HasColumnsOf(inner, outer, threshold)   ? INNER_SIDE
		   : HasColumnsOf(outer, inner, threshold) ? OUTER_SIDE
												   : NEITHER_SIDE;
}

/* Returns a setting of a path. */
static int
PathSetting(const CustomPath *join, int which)
{
	return list_nth_int(list_nth(join->custom_private, PATH_SETTINGS), which);
}

/* Estimates the documents that an expression returns. */
static Documents
Expected(PlannerInfo *root, const Threshold *threshold, Node *document)
{
	DocumentType type = threshold->set.documents;
	double size = AreTrees(type) ? TypicalTreeSize(root, document)
								 : TypicalStringLength(root, type, document);

	if (AreTrees(type))
		return (Documents){.size = size,
						   .read = TreeReadCost(size),
						   .spooled_bytes = SPOOLED_NODE_BYTES * size,
						   .indexed_bytes = IndexedBytes(type, size),
						   .shared_bytes = BYTES_PER_SHARED_NODE * size};
	return (Documents){.size = size,
					   .read = StringReadCost(size) + STRING_OPERATORS * cpu_operator_cost,
					   .spooled_bytes = SPOOLED_SYMBOL_BYTES * size,
					   .indexed_bytes = IndexedBytes(type, size)};
}

/*
 * Makes the estimates for all paths.  Of trees, bounds settle most pairs for less than the cost of
 * a distance, so that as many are verified as match; of strings, all whose symbols allow a match.
 */
static void
MakeEstimates(PlannerInfo *root, Threshold *threshold)
{
	const ThresholdClause *set = &threshold->set;
	DocumentThreshold limit = EstimateThreshold(root, set->kind, set->limit);
	Estimates *estimates = &threshold->estimates;
	Documents *outer = &estimates->outer;
	Documents *inner = &estimates->inner;

	*outer = Expected(root, threshold, threshold->outer);
	*inner = Expected(root, threshold, threshold->inner);
	if (AreTrees(set->documents))
	{
		estimates->matching =
			EstimatePairsWithin(root, threshold->outer, threshold->inner, &limit, set->function);
		estimates->verified = estimates->matching;
		estimates->pair = BoundedDistanceCost(outer->size, inner->size, &limit);
	}
	else
	{
		estimates->matching = EstimateStringPairs(root, threshold->outer, threshold->inner, &limit);
		estimates->verified =
			Max(estimates->matching, EstimateAlike(root, threshold->inner, &limit));
		estimates->pair = StringPairCost(outer->size, inner->size);
	}
}

/* Estimates the cost of evaluating and reading the documents of a side once. */
static Cost
DocumentsCost(PlannerInfo *root, Node *document, double rows, const Documents *expected)
{
	QualCost conversion;

	cost_qual_eval_node(&conversion, document, root);
	return conversion.startup + rows * (conversion.per_tuple + expected->read);
}

/* Estimates the cost of writing the rows of a side to a spool, and reading them again. */
static Cost
SpoolCost(double rows, int width, const Documents *expected)
{
	double pages = ceil(rows * (width + expected->spooled_bytes) / BLCKSZ);

	return rows * log2(Max(rows, 2)) * 2 * cpu_operator_cost + 2 * pages * seq_page_cost +
		   rows * SPOOL_READS * expected->read;
}

/*
 * Estimates the number of blocks of the inner side; processes that each read a part of it share the
 * memory for a block.
 */
static double
BlocksExpected(const Path *inner, const Documents *expected)
{
	int workers = inner->parallel_workers;
	double bytes = inner->parent->rows * (inner->pathtarget->width + expected->indexed_bytes +
										  workers * expected->shared_bytes);

	return bytes / (double) JoinMemory(JOIN_ONLY_BLOCK_MEMORY, workers + 1);
}

/*
 * Estimates the part of the inner side that is put aside; all of it if several blocks are planned.
 */
static double
PartPutAside(const CustomPath *join, const Path *inner, const Documents *expected)
{
	double blocks = BlocksExpected(inner, expected);

	if (PathSetting(join, TEDJOIN_EXPECTED_BLOCKS) > 0)
		return 1;
	return blocks > 1 ? 1 - 1 / blocks : 0;
}

/*
 * Sets the costs of a path: index the inner side, look up the outer side, compare pairs, check
 * other clauses.
 */
static void
CostJoinPath(PlannerInfo *root, RelOptInfo *joinrel, CustomPath *join, const Threshold *threshold)
{
	Path *outer = linitial(join->custom_paths);
	Path *inner = lsecond(join->custom_paths);
	const Estimates *estimates = &threshold->estimates;
	double indexed = inner->parent->rows; /* each process indexes all rows, even if it reads only a
										   * part */
	double pairs = outer->rows * indexed;
	bool self = PathSetting(join, TEDJOIN_SELF) != NEITHER_SIDE;
	bool grouped = linitial(list_nth(join->custom_private, PATH_HASHES)) != NIL;
	double matched = pairs * estimates->matching;
	double computed = pairs * estimates->verified;
	double spooled = PartPutAside(join, inner, &estimates->inner);
	QualCost check;
	Cost startup;
	Cost run = 0;

	cost_qual_eval(&check, threshold->quals, root);
	startup = outer->startup_cost + inner->total_cost + check.startup +
			  DocumentsCost(root, threshold->inner, inner->rows, &estimates->inner) +
			  indexed * INDEX_READS * estimates->inner.read;
	if (!AreTrees(threshold->set.documents))
		startup += STRINGS_START_OPERATORS * cpu_operator_cost;
	if (spooled > 0)
		startup += SpoolCost(spooled * indexed, inner->pathtarget->width, &estimates->inner);
	if (grouped)
	{
		pairs *= Max(threshold->keys.equal, Min(LEAST_GROUPED_ROWS / Max(indexed, 1), 1));
		matched *= threshold->keys.equal;
		computed *= threshold->keys.equal;
	}
	if (!self)
		run += outer->total_cost - outer->startup_cost +
			   DocumentsCost(root, threshold->outer, outer->rows, &estimates->outer);
	if (spooled > 0 && !self)
		run += SpoolCost(outer->rows, outer->pathtarget->width, &estimates->outer);
	/* all rows are read before the first group is joined */
	if (grouped)
	{
		startup += run;
		run = 0;
	}
	run += (self ? 0.5 : 1) *
			   (pairs * PAIR_OPERATORS * cpu_operator_cost + computed * estimates->pair) +
		   matched * (check.per_tuple + cpu_tuple_cost);

	join->path.rows = clamp_row_est(joinrel->rows * outer->rows / outer->parent->rows);
	join->path.startup_cost = startup + joinrel->reltarget->cost.startup;
	join->path.total_cost =
		join->path.startup_cost + run + join->path.rows * joinrel->reltarget->cost.per_tuple;
	SumDisabledNodes(&join->path, outer, inner);
}

/*
 * Whether a join of several blocks should be divided into cells by a rule.  In blocks by size, a
 * tree is read by half of the blocks of similar sizes; of the k + 1 cells that a tree can belong
 * to, it belongs to about half.
 */
static bool
IsDivided(PlannerInfo *root, const Threshold *threshold, double blocks, double size)
{
	const ThresholdClause *set = &threshold->set;
	DocumentThreshold limit;

	if (!AreTrees(set->documents) || set->model != NULL || threshold->limit_side != NEITHER_SIDE)
		return false;
	limit = EstimateThreshold(root, set->kind, set->limit);
	return blocks * EstimatePairsOfSimilarSizes(root, threshold->inner, &limit, set->function) >
		   DistanceAllowed(&limit, (int32) size);
}

/*
 * Returns the side that a path reads for both sides, or NEITHER_SIDE.  Processes that each read a
 * whole side could not agree on the trees that each looks up, and would not know each other's
 * matches.
 */
static TedJoinSide
PathSelf(const Threshold *threshold, const Path *outer, const Path *inner)
{
	if (outer->parallel_workers == 0)
		return threshold->self;
	return threshold->self == INNER_SIDE && inner->parallel_workers > 0 &&
				   threshold->type == JOIN_INNER
			   ? INNER_SIDE
			   : NEITHER_SIDE;
}

/* Makes a path for a join, by groups if `grouped`. */
static CustomPath *
MakeJoinPath(PlannerInfo *root, RelOptInfo *joinrel, Path *outer, Path *inner,
			 const Threshold *threshold, bool grouped)
{
	CustomPath *join = makeNode(CustomPath);
	List *settings = list_make4_int(threshold->set.documents, threshold->set.kind, threshold->type,
									threshold->limit_side);
	List *expressions = list_make5(threshold->outer, threshold->inner, threshold->set.limit,
								   threshold->clause->clause, threshold->quals);
	List *measures = MeasureExpressions(&threshold->set);
	TedJoinSide self = PathSelf(threshold, outer, inner);
	const Documents *expected;
	double blocks;
	bool divided;
	bool aside;

	expressions = lappend(expressions, threshold->set.model);
	expressions = lappend(expressions, grouped ? threshold->keys.outer : NIL);
	expressions = lappend(expressions, grouped ? threshold->keys.inner : NIL);
	expressions = (List *) AboveOuterJoin(expressions, threshold->nulling, threshold->nullable);
	measures = (List *) AboveOuterJoin(measures, threshold->nulling, threshold->nullable);
	if (grouped && self != NEITHER_SIDE &&
		!equal(Counterpart((Node *) threshold->keys.outer, outer->parent, inner->parent),
			   threshold->keys.inner))
		self = NEITHER_SIDE;
	settings = lappend_int(settings, self);

	/* a block that processes read together is the first one, unless rows are divided */
	expected = &threshold->estimates.inner;
	blocks = BlocksExpected(inner, expected);
	divided = blocks > 1 && !grouped && IsDivided(root, threshold, blocks, expected->size);
	aside = grouped || (blocks > 1 && (inner->parallel_workers == 0 || divided));
	settings = lappend_int(settings, aside ? (int) ceil(Min(blocks, 1e6)) : 0);
	settings = lappend_int(settings, divided);

	settings = lappend_int(settings, inner->parallel_workers > 0);
	settings = lappend_int(settings, threshold->outer == threshold->set.b);
	settings = lappend_int(settings, (int) (threshold->set.documents == DOCUMENT_ARRAY
												? get_element_type(exprType(threshold->set.a))
												: InvalidOid));
	settings = lappend_int(settings, (int) threshold->set.collation);
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
		list_make5(settings, expressions, threshold->filters, measures, threshold->columns);
	join->custom_private = lappend(join->custom_private, list_make1_int(threshold->nulling));
	join->custom_private =
		lappend(join->custom_private, grouped ? threshold->keys.hashes : list_make3(NIL, NIL, NIL));
	join->methods = &TedJoinPathMethods;
	CostJoinPath(root, joinrel, join, threshold);
	return join;
}

/* Shows why TedJoin was not chosen for a join, if ted.explain_rejected is on. */
static void
ExplainRejectedJoin(PlannerInfo *root, const RelOptInfo *outer, const RelOptInfo *inner,
					const char *reason)
{
	StringInfoData tables;
	Relids relids;
	int relid = -1;

	/* each join is planned twice, with either side as the outer one */
	if (!ExplainsRejected() ||
		bms_next_member(outer->relids, -1) > bms_next_member(inner->relids, -1))
		return;
	initStringInfo(&tables);
	relids = bms_union(outer->relids, inner->relids);
	while ((relid = bms_next_member(relids, relid)) >= 0)
		if (relid < root->simple_rel_array_size && root->simple_rel_array[relid] != NULL)
			appendStringInfo(&tables, "%s\"%s\"", tables.len > 0 ? ", " : "",
							 planner_rt_fetch(relid, root)->eref->aliasname);
	ereport(NOTICE, (errmsg("TedJoin was not chosen for the join of %s", tables.data),
					 errdetail_internal("%s", reason)));
}

/* Whether a path is a TedJoin, or joins the rows of one. */
static bool
HasTedJoin(const Path *path)
{
	if (IsA(path, CustomPath))
		return ((const CustomPath *) path)->methods == &TedJoinPathMethods;
	if (IsA(path, MaterialPath))
		return HasTedJoin(((const MaterialPath *) path)->subpath);
	if (!IsA(path, NestPath) && !IsA(path, MergePath) && !IsA(path, HashPath))
		return false;
	return HasTedJoin(((const JoinPath *) path)->outerjoinpath) ||
		   HasTedJoin(((const JoinPath *) path)->innerjoinpath);
}

/* Adds a path; shows that it was too expensive if the planner drops it for one without TedJoin. */
static void
OfferPath(PlannerInfo *root, RelOptInfo *joinrel, RelOptInfo *outerrel, RelOptInfo *innerrel,
		  CustomPath *path)
{
	Cost cost = path->path.total_cost;
	Path *best = NULL;
	ListCell *cell;

	add_path(joinrel, &path->path);
	if (!ExplainsRejected() || list_member_ptr(joinrel->pathlist, path))
		return;
	foreach (cell, joinrel->pathlist)
		if (best == NULL || ((Path *) lfirst(cell))->total_cost < best->total_cost)
			best = lfirst(cell);
	if (HasTedJoin(best)) /* by groups, or in another order of the tables */
		return;
	ExplainRejectedJoin(
		root, outerrel, innerrel,
		psprintf("Its estimated cost is %.2f, that of another plan %.2f.", cost, best->total_cost));
}

/*
 * Raises the startup costs of nested loops.  PostgreSQL assumes that matches are evenly
 * distributed; but their number is a guess, and a loop without a match considers all pairs.
 */
static void
DelayFirstMatch(List *paths, double rows)
{
	ListCell *cell;

	foreach (cell, paths)
	{
		Path *path = lfirst(cell);

		if (IsA(path, NestPath))
			path->startup_cost =
				Max(path->startup_cost, path->total_cost * Min(MATCHES_MISSED / rows, 1));
	}
}

/*
 * Adds paths for a join, also for parallel workers: each of them indexes the inner side, and reads
 * all or a part of it.  Right and full joins have no parallel paths, as no process knows whether a
 * row of the inner side matches another process's rows.
 */
static void
AddPaths(PlannerInfo *root, RelOptInfo *joinrel, RelOptInfo *outerrel, RelOptInfo *innerrel,
		 const Threshold *threshold)
{
	Path *outer = outerrel->cheapest_total_path;
	Path *inner = innerrel->cheapest_total_path;

	if (threshold->keys.outer != NIL)
		add_path(joinrel, &MakeJoinPath(root, joinrel, outer, inner, threshold, true)->path);
	OfferPath(root, joinrel, outerrel, innerrel,
			  MakeJoinPath(root, joinrel, outer, inner, threshold, false));

	if (!joinrel->consider_parallel || outerrel->partial_pathlist == NIL ||
		threshold->type == JOIN_RIGHT || threshold->type == JOIN_FULL)
		return;
	outer = linitial(outerrel->partial_pathlist);
	inner = get_cheapest_parallel_safe_total_inner(innerrel->pathlist);
	if (inner != NULL && threshold->keys.outer != NIL)
		add_partial_path(joinrel,
						 &MakeJoinPath(root, joinrel, outer, inner, threshold, true)->path);
	if (inner != NULL)
		add_partial_path(joinrel,
						 &MakeJoinPath(root, joinrel, outer, inner, threshold, false)->path);
	if (innerrel->partial_pathlist == NIL)
		return;
	inner = linitial(innerrel->partial_pathlist);
	/* processes know the thresholds of the rows that they read themselves only */
	if (threshold->keys.outer != NIL && threshold->limit_side == NEITHER_SIDE)
		add_partial_path(joinrel,
						 &MakeJoinPath(root, joinrel, outer, inner, threshold, true)->path);
	add_partial_path(joinrel, &MakeJoinPath(root, joinrel, outer, inner, threshold, false)->path);
}

/* Whether TedJoin can execute a type of join. */
static bool
IsSupportedType(JoinType type)
{
	return type == JOIN_INNER || type == JOIN_LEFT || type == JOIN_RIGHT || type == JOIN_FULL ||
		   type == JOIN_SEMI || type == JOIN_ANTI;
}

/* Returns the tables whose columns a join makes null in rows without a match. */
static Relids
NullableTables(JoinType type, const RelOptInfo *joinrel, const RelOptInfo *outerrel,
			   const RelOptInfo *innerrel)
{
	if (type == JOIN_FULL)
		return joinrel->relids;
	return type == JOIN_RIGHT ? outerrel->relids : innerrel->relids;
}

/*
 * Returns the number that columns have from this join on if it makes them null; 0 if there is none.
 * Where the planner has moved an outer join below another one, columns have the lower join's number
 * above both only.
 */
static int
NullingJoin(JoinType type, const RelOptInfo *joinrel, const JoinPathExtraData *extra)
{
	int join = IS_OUTER_JOIN(type) ? OuterJoinNumber(extra->sjinfo) : 0;

	return bms_is_member(join, joinrel->relids) ? join : 0;
}

/* Plans a join by a threshold; returns NULL, or why that is impossible. */
static const char *
PlanJoin(PlannerInfo *root, RelOptInfo *joinrel, RelOptInfo *outerrel, RelOptInfo *innerrel,
		 JoinType type, JoinPathExtraData *extra)
{
	Threshold threshold = {.type = type,
						   .nulling = NullingJoin(type, joinrel, extra),
						   .nullable = NullableTables(type, joinrel, outerrel, innerrel)};
	const char *reason;

	if (!enable_join)
		return "The setting \"ted.enable_join\" is off.";
	if (!bms_is_empty(joinrel->lateral_relids) ||
		PATH_REQ_OUTER(outerrel->cheapest_total_path) != NULL ||
		PATH_REQ_OUTER(innerrel->cheapest_total_path) != NULL)
		return "A side of the join depends on columns of another table (LATERAL).";
	reason = FindThreshold(root, joinrel, extra->restrictlist, outerrel, innerrel, &threshold);
	if (reason == NULL)
		reason = TakeQuals(extra->restrictlist, joinrel, &threshold);
	if (reason == NULL)
		reason = TakeColumns(joinrel, outerrel, innerrel, &threshold);
	if (reason != NULL)
		return reason;
	threshold.self = ReadForBoth(root, outerrel, innerrel, &threshold);
	MakeEstimates(root, &threshold);
	TakeKeys(root, extra->restrictlist, joinrel, outerrel, innerrel, extra->sjinfo, &threshold);
	if (root->tuple_fraction > 0 && (type == JOIN_INNER || type == JOIN_SEMI))
	{
		DelayFirstMatch(joinrel->pathlist, joinrel->rows);
		DelayFirstMatch(joinrel->partial_pathlist, joinrel->rows);
	}
	AddPaths(root, joinrel, outerrel, innerrel, &threshold);
	return NULL;
}

/* Adds paths for a join that has a threshold clause. */
static void
JoinPathlistHook(PlannerInfo *root, RelOptInfo *joinrel, RelOptInfo *outerrel, RelOptInfo *innerrel,
				 JoinType jointype, JoinPathExtraData *extra)
{
	const char *reason;

	if (previous_join_hook != NULL)
		previous_join_hook(root, joinrel, outerrel, innerrel, jointype, extra);

	/* a foreign server may execute the whole join */
	if (joinrel->fdwroutine != NULL || !IsSupportedType(jointype) ||
		!CallsOurs((Node *) extra->restrictlist, NULL))
		return;
	reason = PlanJoin(root, joinrel, outerrel, innerrel, jointype, extra);
	if (reason != NULL)
		ExplainRejectedJoin(root, outerrel, innerrel, reason);
}

void
TedJoinInit(void)
{
	DefineCustomBoolVariable("ted.enable_join",
							 "Enables the planner's use of TedJoin for joins of similar documents.",
							 NULL, &enable_join, true, PGC_USERSET, GUC_EXPLAIN, NULL, NULL, NULL);
	DefineCustomBoolVariable(
		"ted.explain_rejected",
		"Tells by a notice why a join of documents is planned without TedJoin, or a search or an "
		"order without an index.",
		NULL, &ExplainRejectedPlans, false, PGC_USERSET, 0, NULL, NULL, NULL);
	RegisterCustomScanMethods(&TedJoinScanMethods);
	previous_join_hook = set_join_pathlist_hook;
	set_join_pathlist_hook = JoinPathlistHook;
	TedJoinUpperInit();
}
