/*
 * scan.c
 *	  Executes TedJoin: the plan node, and the rows of the matches that blocks.c finds.
 *
 * Rows are kept by the numbers that the pipeline gives to their documents; a match of two documents
 * yields all pairs of their rows.  Pairs that pass the join's other clauses are delivered or, in an
 * anti join, recorded as matched.  Rows to be delivered without a match follow when all probes, or
 * all blocks, have been read.
 */
#include "postgres.h"

#include "access/sysattr.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "commands/explain.h"
#include "executor/executor.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "utils/lsyscache.h"
#include "storage/dsm.h"
#include "utils/ruleutils.h"

#include "../../common/progress.h"
#include "../../compat.h"
#include "../../index/planner/clause.h"
#include "../../string/lcs_threshold.h"
#include "../../tree/costs/model_costs.h"
#include "execution.h"

/* Distance in matches at which rows are prefetched. */
#define MATCHES_AHEAD 8

/* Returns the columns of the scan tuple that a plan node's target list and filter use. */
Bitmapset *
UsedColumns(const CustomScan *scan)
{
	Bitmapset *used = NULL;

	pull_varattnos((Node *) scan->scan.plan.targetlist, INDEX_VAR, &used);
	pull_varattnos((Node *) scan->scan.plan.qual, INDEX_VAR, &used);
	return used;
}

/* Checks the permissions on the measures that are used. */
void
CheckMeasures(const CustomScan *scan, const List *measures, const Bitmapset *used)
{
	int columns = list_length(scan->custom_scan_tlist) - list_length(measures);
	ListCell *cell;

	foreach (cell, scan->custom_scan_tlist)
	{
		const TargetEntry *column = lfirst_node(TargetEntry, cell);

		if (column->resno > columns &&
			bms_is_member(column->resno - FirstLowInvalidHeapAttributeNumber, used))
			CheckExecutable(CalledFunction((Node *) column->expr));
	}
}

/*
 * Checks the permissions on functions that the join replaces: the clause, and the measures used in
 * expressions.
 */
static void
CheckPermissions(CustomScanState *node, const Bitmapset *wanted)
{
	CustomScan *scan = castNode(CustomScan, node->ss.ps.plan);
	Node *clause = list_nth(scan->custom_exprs, TEDJOIN_CLAUSE);
	Bitmapset *used = bms_copy(wanted);

	ExecInitExpr((Expr *) clause, &node->ss.ps);
	pull_varattnos(clause, INDEX_VAR, &used);
	CheckMeasures(scan, list_nth(scan->custom_private, TEDJOIN_MEASURES), used);
}

/* Returns a setting of the plan node. */
static int
ScanSetting(const CustomScan *scan, int which)
{
	return list_nth_int(list_nth(scan->custom_private, TEDJOIN_SETTINGS), which);
}

/* Sets which side's rows are also delivered without a match, and whose matches are recorded. */
static void
InitType(TedJoinState *join, JoinType type)
{
	join->type = type;
	join->outer.preserved = type == JOIN_LEFT || type == JOIN_FULL || type == JOIN_ANTI;
	join->inner.preserved = type == JOIN_RIGHT || type == JOIN_FULL;
	join->outer.tracked = join->outer.preserved || type == JOIN_SEMI;
	join->inner.tracked = join->inner.preserved;
}

/* Whether any measure is used. */
static bool
AnyMeasureWanted(const CustomScanState *node, const List *measures, const Bitmapset *wanted)
{
	int columns = node->ss.ss_ScanTupleSlot->tts_tupleDescriptor->natts;

	for (int column = columns - list_length(measures) + 1; column <= columns; column++)
		if (bms_is_member(column - FirstLowInvalidHeapAttributeNumber, wanted))
			return true;
	return false;
}

/* Makes the row sets; those of a table that is joined with itself serve both sides. */
static void
InitRows(TedJoinState *join, TedJoinSide planned_self)
{
	JoinSide *other;

	/* in EvalPlanQual, each side has its own row */
	join->self = planned_self != NEITHER_SIDE && join->css.ss.ps.state->es_epq_active == NULL;
	join->reader = join->self && planned_self == OUTER_SIDE ? &join->outer : &join->inner;
	other = join->reader == &join->outer ? &join->inner : &join->outer;
	SideInitRows(join->reader, join->self ? other : NULL);
	if (!join->self)
		SideInitRows(other, NULL);
}

/* Starts execution. */
static void
BeginTedJoin(CustomScanState *node, EState *estate, int eflags)
{
	TedJoinState *join = (TedJoinState *) node;
	CustomScan *scan = castNode(CustomScan, node->ss.ps.plan);
	List *filter = list_nth(scan->custom_exprs, TEDJOIN_FILTER);
	Bitmapset *wanted = UsedColumns(scan);

	Assert((eflags & (EXEC_FLAG_BACKWARD | EXEC_FLAG_MARK)) == 0);
	eflags &= ~EXEC_FLAG_REWIND;
	pull_varattnos((Node *) filter, INDEX_VAR, &wanted);
	CheckPermissions(node, wanted);
	SideInit(&join->outer, node, 0, TEDJOIN_OUTER_DOCUMENT, 1, wanted, estate, eflags);
	SideInit(&join->inner, node, 1, TEDJOIN_INNER_DOCUMENT, -1, wanted, estate, eflags);
	join->measures = list_nth(scan->custom_private, TEDJOIN_MEASURES);
	join->measures_wanted = AnyMeasureWanted(node, join->measures, wanted);
	InitType(join, ScanSetting(scan, TEDJOIN_TYPE));
	join->documents = DocumentKindOf(ScanSetting(scan, TEDJOIN_DOCUMENTS));
	join->elements = (ArrayElements){(Oid) ScanSetting(scan, TEDJOIN_ELEMENTS),
									 (Oid) ScanSetting(scan, TEDJOIN_COLLATION)};
	join->kind = ScanSetting(scan, TEDJOIN_KIND);
	InitRows(join, ScanSetting(scan, TEDJOIN_SELF));
	join->expected_blocks = ScanSetting(scan, TEDJOIN_EXPECTED_BLOCKS);
	join->is_divided = ScanSetting(scan, TEDJOIN_DIVIDED) != 0;
	join->grouped = join->inner.keys.count > 0;
	if (ScanSetting(scan, TEDJOIN_THRESHOLD_SIDE) != NEITHER_SIDE)
		join->limit_side =
			ScanSetting(scan, TEDJOIN_THRESHOLD_SIDE) == OUTER_SIDE ? &join->outer : &join->inner;
	join->limit = ExecInitExpr(list_nth(scan->custom_exprs, TEDJOIN_THRESHOLD), &node->ss.ps);
	join->model_value = ExecInitExpr(list_nth(scan->custom_exprs, TEDJOIN_MODEL), &node->ss.ps);
	join->model_context =
		AllocSetContextCreate(CurrentMemoryContext, "ted join model", ALLOCSET_SMALL_SIZES);
	join->transposed = ScanSetting(scan, TEDJOIN_TRANSPOSED) != 0;
	join->comparison_count =
		TakeComparisons(&filter, &join->outer, &join->inner, join->comparisons);
	join->filter = ExecInitQual(filter, &node->ss.ps);
	join->counts = &join->own_counts;
}

/* Whether the current outer row needs no more matches. */
static bool
HasEnough(const TedJoinState *join)
{
	return (join->type == JOIN_SEMI || join->type == JOIN_ANTI) && join->outer.row != NULL &&
		   SideIsMatched(&join->outer, join->outer.row->ordinal.number);
}

/* Prefetches the rows of the matches that follow soon. */
static void
PrefetchRows(const TedJoinState *join)
{
	const Match *far = join->match + 2 * MATCHES_AHEAD;
	const Match *near = join->match + MATCHES_AHEAD;
	const Match *end = join->matches + join->match_count;

	if (far < end)
	{
		RowsPrefetchFirst(&join->outer.rows[far->outer_set], far->outer);
		RowsPrefetchFirst(&join->inner.rows[far->inner_set], far->inner);
	}
	if (near < end)
	{
		__builtin_prefetch(RowsFirst(&join->outer.rows[near->outer_set], near->outer));
		__builtin_prefetch(RowsFirst(&join->inner.rows[near->inner_set], near->inner));
	}
}

/* Advances to the next match; returns false if there is none. */
static bool
TurnToMatch(TedJoinState *join)
{
	if (join->next_match == join->match_count)
		return false;
	join->match = &join->matches[join->next_match++];
	PrefetchRows(join);
	join->outer.row = RowsFirst(&join->outer.rows[join->match->outer_set], join->match->outer);
	return true;
}

/* Advances to the next pair of rows of the matches; returns false if there is none. */
static bool
NextRows(TedJoinState *join)
{
	JoinSide *outer = &join->outer;
	JoinSide *inner = &join->inner;

	if (inner->row != NULL)
		inner->row = RowsAfter(&inner->rows[join->match->inner_set], inner->row);
	while (inner->row == NULL || HasEnough(join))
	{
		if (outer->row != NULL)
			outer->row = RowsAfter(&outer->rows[join->match->outer_set], outer->row);
		if (outer->row == NULL && !TurnToMatch(join))
		{
			inner->row = NULL;
			return false;
		}
		inner->row = RowsFirst(&inner->rows[join->match->inner_set], join->match->inner);
	}
	return true;
}

/* Returns a measure of a match; the match's distance is in units of 1 / scale. */
static Datum
MeasureOf(const Match *match, DocumentType documents, FunctionRole measure, int32 scale)
{
	int32 distance = match->distance;
	int32 larger = match->larger_size;
	int64 total = (int64) larger + match->smaller_size;
	bool by_model = documents == DOCUMENT_BY_MODEL;

	switch (measure)
	{
		case ROLE_DISTANCE_OP:
			return Float8GetDatum(distance);
		case ROLE_SIMILARITY:
			return Float8GetDatum(!AreTrees(documents)
									  ? LcsSimilarity((total - distance) / 2, total)
								  : by_model ? ModelSimilarity(distance, larger)
											 : TreeSimilarity(distance, larger));
		case ROLE_DISSIMILARITY:
			return Float8GetDatum(AreTrees(documents)
									  ? TreeDissimilarity(distance, larger)
									  : 1 - LcsSimilarity((total - distance) / 2, total));
		case ROLE_NORMALIZED_DISTANCE:
			return Float8GetDatum(by_model ? ModelNormalizedDistance(distance, total)
										   : TreeNormalizedDistance(distance, total));
		case ROLE_COMMON_LENGTH:
			return Int32GetDatum((int32) ((total - distance) / 2));
		default:
			return by_model ? Float8GetDatum((float8) distance / scale) : Int32GetDatum(distance);
	}
}

/* Stores the measures of a match in the scan tuple; nulls for NULL. */
void
StoreMeasures(const List *measures, const Match *match, DocumentType documents, int32 scale,
			  TupleTableSlot *scan)
{
	int column = scan->tts_tupleDescriptor->natts - list_length(measures);
	ListCell *cell;

	foreach (cell, measures)
	{
		scan->tts_isnull[column] = match == NULL;
		scan->tts_values[column++] =
			match == NULL ? (Datum) 0 : MeasureOf(match, documents, lfirst_int(cell), scale);
	}
}

/* Fills the scan tuple with the current rows and the measures of their match, or NULL. */
static void
Deliver(TedJoinState *join, const Match *match)
{
	TupleTableSlot *scan = join->css.ss.ss_ScanTupleSlot;

	ExecClearTuple(scan);
	SideDeliver(&join->outer, scan);
	SideDeliver(&join->inner, scan);
	if (join->measures_wanted)
		StoreMeasures(join->measures, match,
					  ScanSetting((const CustomScan *) join->css.ss.ps.plan, TEDJOIN_DOCUMENTS),
					  join->model == NULL ? 1 : join->model->scale, scan);
	ExecStoreVirtualTuple(scan);
}

/* Whether the current rows pass the comparisons. */
static bool
PassesComparisons(const TedJoinState *join)
{
	for (int i = 0; i < join->comparison_count; i++)
		if (!Passes(&join->comparisons[i], &join->outer, &join->inner))
			return false;
	return true;
}

/*
 * Fills the scan tuple with the next pair of rows that passes the clauses; false if there is none.
 */
static bool
NextPair(TedJoinState *join)
{
	ExprContext *econtext = join->css.ss.ps.ps_ExprContext;

	while (NextRows(join))
	{
		CheckInterrupts();
		if (!PassesComparisons(join))
		{
			InstrCountFiltered2(&join->css.ss.ps, 1);
			continue;
		}
		ResetExprContext(econtext);
		Deliver(join, join->match);
		econtext->ecxt_scantuple = join->css.ss.ss_ScanTupleSlot;
		if (join->filter != NULL && !ExecQual(join->filter, econtext))
		{
			InstrCountFiltered2(&join->css.ss.ps, 1);
			continue;
		}
		SideSetMatched(&join->outer, join->outer.row->ordinal.number);
		SideSetMatched(&join->inner, join->inner.row->ordinal.number);
		if (join->type != JOIN_ANTI)
			return true;
	}
	return false;
}

/* Fills the scan tuple with the next row of a side without a match; false if there is none. */
static bool
NextUnmatched(TedJoinState *join, JoinSide *side, JoinRowIterator *rows)
{
	JoinRow *row;

	while (row = RowsNext(rows), row != NULL)
	{
		CheckInterrupts();
		if (SideIsMatched(side, row->ordinal.number))
			continue;
		side->row = row;
		Deliver(join, NULL);
		side->row = NULL;
		return true;
	}
	return false;
}

/* Fills the scan tuple with the next row of the join; returns false at the end. */
static bool
NextJoinRow(TedJoinState *join)
{
	do
	{
		CheckInterrupts();
		if (NextPair(join) || NextUnmatched(join, &join->outer, &join->unmatched_outer) ||
			NextUnmatched(join, &join->inner, &join->unmatched_inner))
			return true;
	} while (JoinAdvance(join));
	return false;
}

/*
 * Returns the next row.  This does not use ExecScan(), which would recheck changed rows
 * (EvalPlanQual): like any other join, this node is executed again for them, with inputs that
 * return the current row versions.
 */
static TupleTableSlot *
ExecTedJoin(CustomScanState *node)
{
	PlanState *state = &node->ss.ps;
	ExprContext *econtext = state->ps_ExprContext;
	TupleTableSlot *scan = node->ss.ss_ScanTupleSlot;

	while (NextJoinRow((TedJoinState *) node))
	{
		ResetExprContext(econtext);
		econtext->ecxt_scantuple = scan;
		if (state->qual == NULL || ExecQual(state->qual, econtext))
			return state->ps_ProjInfo != NULL ? ExecProject(state->ps_ProjInfo) : scan;
		InstrCountFiltered1(node, 1);
	}
	return ExecClearTuple(state->ps_ProjInfo != NULL ? state->ps_ResultTupleSlot : scan);
}

/* Rescans the plan of a side. */
static void
RescanSide(TedJoinState *join, JoinSide *side)
{
	if (join->css.ss.ps.chgParam != NULL)
		UpdateChangedParamSet(side->plan, join->css.ss.ps.chgParam);
	if (side->plan->chgParam == NULL)
		ExecReScan(side->plan);
}

/* Restarts the join. */
static void
ReScanTedJoin(CustomScanState *node)
{
	TedJoinState *join = (TedJoinState *) node;

	JoinReset(join);
	ExecClearTuple(node->ss.ss_ScanTupleSlot);
	RescanSide(join, &join->outer);
	RescanSide(join, &join->inner);
}

/* Ends execution. */
static void
EndTedJoin(CustomScanState *node)
{
	TedJoinState *join = (TedJoinState *) node;

	JoinReset(join);
	ExecEndNode(join->outer.plan);
	ExecEndNode(join->inner.plan);
}

/* Whether each process reads a part of the inner side. */
static bool
InnerIsPartial(const CustomScanState *node)
{
	CustomScan *scan = castNode(CustomScan, node->ss.ps.plan);

	return ScanSetting(scan, TEDJOIN_PARTIAL_INNER) != 0;
}

/* Returns the bytes of shared memory that the node needs. */
static Size
EstimateShared(CustomScanState *node, ParallelContext *pcxt)
{
	return SharedCountsBytes(pcxt) + (InnerIsPartial(node) ? SharedBlockBytes(pcxt) : 0);
}

/* Forgets the shared memory when the workers have ended, before it is unmapped. */
static void
ForgetShared(dsm_segment *segment, Datum arg)
{
	TedJoinState *join = (TedJoinState *) DatumGetPointer(arg);

	(void) segment;
	/* what is reported from now on would be read from it, too */
	ProgressEnd(&join->progress);
	join->progress.noticed = NULL;
	join->shared_counts = NULL;
	if (join->shared != NULL)
		SharedBlockEndReading(join->shared);
	join->shared = NULL;
}

/* Initializes the shared memory. */
static void
InitializeShared(CustomScanState *node, ParallelContext *pcxt, void *shared)
{
	TedJoinState *join = (TedJoinState *) node;

	ShareCounts(pcxt, shared, &join->own_counts);
	/* without a segment, there are no workers */
	if (pcxt->seg == NULL)
		return;
	join->shared_counts = shared;
	on_dsm_detach(pcxt->seg, ForgetShared, PointerGetDatum(join));
	if (InnerIsPartial(node))
		join->shared = SharedBlockCreate(pcxt, SharedCountsEnd(shared));
}

/* Resets the shared memory for another run; the counts are kept. */
static void
ReInitializeShared(CustomScanState *node, ParallelContext *pcxt, void *shared)
{
	TedJoinState *join = (TedJoinState *) node;

	(void) pcxt;
	ResetSharedPart(shared);
	if (join->shared != NULL)
		SharedBlockReset(join->shared, node->ss.ps.state->es_query_dsa);
}

/* Attaches a worker to its shared counts and to the shared block. */
static void
InitializeWorker(CustomScanState *node, shm_toc *toc, void *shared)
{
	TedJoinState *join = (TedJoinState *) node;

	(void) toc;
	join->counts = WorkerCounts(shared);
	join->shared_counts = shared;
	if (InnerIsPartial(node))
		join->shared = SharedBlockAttach(SharedCountsEnd(shared));
}

/* Returns the name of a join type for EXPLAIN. */
static const char *
JoinTypeName(JoinType type)
{
	switch (type)
	{
		case JOIN_LEFT:
			return "Left";
		case JOIN_FULL:
			return "Full";
		case JOIN_RIGHT:
			return "Right";
		case JOIN_SEMI:
			return "Semi";
		case JOIN_ANTI:
			return "Anti";
		default:
			return "Inner";
	}
}

/* Shows the clauses and the counts of the node. */
static void
ExplainTedJoin(CustomScanState *node, List *ancestors, ExplainState *es)
{
	TedJoinState *join = (TedJoinState *) node;
	CustomScan *scan = castNode(CustomScan, node->ss.ps.plan);
	List *context = set_deparse_context_plan(es->deparse_cxt, &scan->scan.plan, ancestors);
	Node *clause = list_nth(scan->custom_exprs, TEDJOIN_CLAUSE);
	List *filter = list_nth(scan->custom_exprs, TEDJOIN_FILTER);
	const NodeInstrumentation *done = node->ss.ps.instrument;

	if (join->type != JOIN_INNER)
		ExplainPropertyText("Join Type", JoinTypeName(join->type), es);
	ExplainPropertyText("Join Cond", deparse_expression(clause, context, true, false), es);
	if (join->grouped)
		ExplainPropertyText("Groups",
							deparse_expression(list_nth(scan->custom_exprs, TEDJOIN_OUTER_KEYS),
											   context, true, false),
							es);
	if (filter != NIL)
		ExplainPropertyText(
			"Join Filter",
			deparse_expression((Node *) make_ands_explicit(filter), context, true, false), es);
	if (!es->analyze)
		return;
	if (filter != NIL && done->nloops > 0)
		ExplainPropertyFloat("Rows Removed by Join Filter", NULL, done->nfiltered2 / done->nloops,
							 0, es);
	ExplainCounts(&join->own_counts, join->documents, es);
}

static const CustomExecMethods exec_methods = {
	.CustomName = "TedJoin",
	.BeginCustomScan = BeginTedJoin,
	.ExecCustomScan = ExecTedJoin,
	.EndCustomScan = EndTedJoin,
	.ReScanCustomScan = ReScanTedJoin,
	.EstimateDSMCustomScan = EstimateShared,
	.InitializeDSMCustomScan = InitializeShared,
	.ReInitializeDSMCustomScan = ReInitializeShared,
	.InitializeWorkerCustomScan = InitializeWorker,
	.ExplainCustomScan = ExplainTedJoin,
};

/* Makes the state of the node. */
static Node *
CreateTedJoinState(CustomScan *scan)
{
	TedJoinState *join = palloc0_object(TedJoinState);

	(void) scan;
	NodeSetTag(join, T_CustomScanState);
	join->css.methods = &exec_methods;
	return (Node *) join;
}

const CustomScanMethods TedJoinScanMethods = {.CustomName = "TedJoin",
											  .CreateCustomScanState = CreateTedJoinState};
