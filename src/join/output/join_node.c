/*
 * join_node.c
 *	  Executes TedJoin: the plan node, and the rows of the matches that cells find.
 *
 * Rows are kept by the numbers of their documents; a match of two documents yields all pairs of
 * their rows.  Pairs that pass the join's other clauses are delivered or, in an anti join, recorded
 * as matched.  Rows to be delivered without a match follow when they have met all others.
 */
#include "postgres.h"

#include "access/sysattr.h"
#include "commands/explain.h"
#include "executor/executor.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "storage/dsm.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/ruleutils.h"

#include "../../catalog/identity.h"
#include "../../compat.h"
#include "../cells/cells.h"
#include "../input/plan_input.h"
#include "../plan/tedjoin.h"
#include "../search/search.h"
#include "comparison.h"
#include "match_measures.h"

/* Distance in matches at which rows are prefetched. */
#define MATCHES_AHEAD 8

/* Which rows of the matches are delivered, and how far that is done. */
typedef struct Delivery
{
	JoinType type;
	Comparison comparisons[MOST_COMPARISONS]; /* tests among the join's other clauses */
	int comparison_count;
	ExprState *filter; /* the remaining clauses */
	DocumentType documents;
	List *measures;       /* FunctionRole of each measure in the last columns */
	bool measures_wanted; /* whether any measure is used */

	int32 next_match;
	const Match *match;              /* the match whose rows are being delivered */
	JoinRowIterator unmatched_outer; /* rows to be delivered if they have no match */
	JoinRowIterator unmatched_inner;
	RowSet unmatched_set; /* that they are of */
} Delivery;

/* State of the plan node. */
typedef struct TedJoinState
{
	CustomScanState css;
	PlanInput input;
	JoinCells cells;
	Delivery delivery;
	JoinedCounts own_counts; /* of this process; workers have theirs in shared memory */
} TedJoinState;

/* Describes the rows of a side for the cells. */
static JoinedSide
DescribeSide(PlanInput *input, DocumentsSide which)
{
	JoinSide *side = InputSide(input, which);
	const JoinSide *sides[2] = {&input->outer, &input->inner};
	AttrNumber *columns = palloc_array(AttrNumber, input->outer.columns + input->inner.columns + 1);
	JoinedSide described = {.kept = side->kept,
							.columns = columns,
							.keeps_all = KeepsWithoutDocument(input, side),
							.expected_rows = side->plan->plan->plan_rows};

	for (int i = 0; i < 2; i++)
		for (int column = 0; (input->self || sides[i] == side) && column < sides[i]->columns;
			 column++)
			if (sides[i]->wanted[column])
				columns[described.column_count++] = sides[i]->to[column];
	return described;
}

/* Sets what the cells join. */
static void
PlanCells(TedJoinState *join, const CustomScan *scan)
{
	EState *estate = join->css.ss.ps.state;
	PlanInput *input = &join->input;
	CellsPlan *plan = &join->cells.plan;

	plan->kind = DocumentKindOf(join->delivery.documents);
	plan->elements = (ArrayElements){(Oid) ScanSetting(scan, TEDJOIN_ELEMENTS),
									 (Oid) ScanSetting(scan, TEDJOIN_COLLATION)};
	plan->distances_wanted = join->delivery.measures_wanted;
	plan->within = plan->mirrored = input->self;
	plan->has_probes = !input->self;
	plan->sides[JOIN_INDEXED] = DescribeSide(input, JOIN_INDEXED);
	plan->sides[JOIN_PROBES] = DescribeSide(input, JOIN_PROBES);
	plan->read = ReadPlanRow;
	plan->arg = input;
	plan->scan = join->css.ss.ss_ScanTupleSlot;
	plan->context = estate->es_query_cxt;
	plan->row = join->css.ss.ps.ps_ExprContext->ecxt_per_tuple_memory;
	plan->expected = ScanSetting(scan, TEDJOIN_EXPECTED_BLOCKS);
	plan->grouped = input->inner.keys.count > 0;
	plan->by_rule = ScanSetting(scan, TEDJOIN_DIVIDED) != 0;
	plan->may_divide = !plan->grouped && plan->kind->list_nodes != NULL &&
					   input->model_value == NULL && input->limit_side == NULL;
	plan->probes_first = !input->self && input->limit_side == &input->outer;
	plan->cell = -1;
	plan->parallel = scan->scan.plan.parallel_aware;
	join->cells.progress.name = "TedJoin";
	join->cells.counts = &join->own_counts;
	CellsInit(&join->cells);
}

/* Starts execution. */
static void
BeginTedJoin(CustomScanState *node, EState *estate, int eflags)
{
	TedJoinState *join = (TedJoinState *) node;
	Delivery *delivery = &join->delivery;
	JoinSide *outer = &join->input.outer;
	JoinSide *inner = &join->input.inner;
	CustomScan *scan = castNode(CustomScan, node->ss.ps.plan);
	JoinType type = ScanSetting(scan, TEDJOIN_TYPE);
	List *filter = list_nth(scan->custom_exprs, TEDJOIN_FILTER);
	Bitmapset *wanted = UsedColumns(scan);
	int columns = node->ss.ss_ScanTupleSlot->tts_tupleDescriptor->natts;
	Node *replaced;
	Bitmapset *asked;

	Assert((eflags & (EXEC_FLAG_BACKWARD | EXEC_FLAG_MARK)) == 0);
	eflags &= ~EXEC_FLAG_REWIND;
	pull_varattnos((Node *) filter, INDEX_VAR, &wanted);

	/* permissions on what the join replaces: the clause, and measures in expressions */
	replaced = list_nth(scan->custom_exprs, TEDJOIN_CLAUSE);
	asked = bms_copy(wanted);
	ExecInitExpr((Expr *) replaced, &node->ss.ps);
	pull_varattnos(replaced, INDEX_VAR, &asked);
	CheckMeasures(scan, list_nth(scan->custom_private, TEDJOIN_MEASURES), asked);

	PlanInputInit(&join->input, node, wanted, estate, eflags);
	delivery->type = type;
	outer->preserved = type == JOIN_LEFT || type == JOIN_FULL || type == JOIN_ANTI;
	inner->preserved = type == JOIN_RIGHT || type == JOIN_FULL;
	outer->tracked = outer->preserved || type == JOIN_SEMI;
	inner->tracked = inner->preserved;
	delivery->documents = ScanSetting(scan, TEDJOIN_DOCUMENTS);
	delivery->measures = list_nth(scan->custom_private, TEDJOIN_MEASURES);
	for (int column = columns - list_length(delivery->measures) + 1; column <= columns; column++)
		if (bms_is_member(column - FirstLowInvalidHeapAttributeNumber, wanted))
			delivery->measures_wanted = true;
	delivery->comparison_count = TakeComparisons(&filter, outer, inner, delivery->comparisons);
	delivery->filter = ExecInitQual(filter, &node->ss.ps);
	PlanCells(join, scan);
}

/* Whether the current outer row needs no more matches. */
static bool
HasEnough(const TedJoinState *join)
{
	const JoinSide *outer = &join->input.outer;

	return (join->delivery.type == JOIN_SEMI || join->delivery.type == JOIN_ANTI) &&
		   outer->row != NULL && SideIsMatched(outer, outer->row->ordinal.number);
}

/* Prefetches the rows of the matches that follow soon. */
static void
PrefetchRows(const JoinCells *cells, const Match *match)
{
	const Match *far = match + 2 * MATCHES_AHEAD;
	const Match *near = match + MATCHES_AHEAD;
	const Match *end = cells->matches + cells->match_count;

	if (far < end)
	{
		RowsPrefetchFirst(&cells->rows[far->outer_set], far->outer);
		RowsPrefetchFirst(&cells->rows[far->inner_set], far->inner);
	}
	if (near < end)
	{
		__builtin_prefetch(RowsFirst(&cells->rows[near->outer_set], near->outer));
		__builtin_prefetch(RowsFirst(&cells->rows[near->inner_set], near->inner));
	}
}

/* Advances to the next pair of rows of the matches; returns false if there is none. */
static bool
NextRows(TedJoinState *join)
{
	const JoinCells *cells = &join->cells;
	Delivery *delivery = &join->delivery;
	JoinSide *outer = &join->input.outer;
	JoinSide *inner = &join->input.inner;

	if (inner->row != NULL)
		inner->row = RowsAfter(&cells->rows[delivery->match->inner_set], inner->row);
	while (inner->row == NULL || HasEnough(join))
	{
		if (outer->row != NULL)
			outer->row = RowsAfter(&cells->rows[delivery->match->outer_set], outer->row);
		if (outer->row == NULL)
		{
			if (delivery->next_match == cells->match_count)
			{
				inner->row = NULL;
				return false;
			}
			delivery->match = &cells->matches[delivery->next_match++];
			PrefetchRows(cells, delivery->match);
			outer->row =
				RowsFirst(&cells->rows[delivery->match->outer_set], delivery->match->outer);
		}
		inner->row = RowsFirst(&cells->rows[delivery->match->inner_set], delivery->match->inner);
	}
	return true;
}

/* Fills the scan tuple with the current rows and the measures of their match, or NULL. */
static void
Deliver(TedJoinState *join, const Match *match)
{
	TupleTableSlot *scan = join->css.ss.ss_ScanTupleSlot;
	const CostModel *model = join->input.model;

	ExecClearTuple(scan);
	SideDeliver(&join->input.outer, scan);
	SideDeliver(&join->input.inner, scan);
	if (join->delivery.measures_wanted)
		StoreMeasures(join->delivery.measures, match, join->delivery.documents,
					  model == NULL ? 1 : model->scale, scan);
	ExecStoreVirtualTuple(scan);
}

/* Whether the current rows pass the comparisons. */
static bool
PassesComparisons(const TedJoinState *join)
{
	for (int i = 0; i < join->delivery.comparison_count; i++)
		if (!Passes(&join->delivery.comparisons[i], &join->input.outer, &join->input.inner))
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
	Delivery *delivery = &join->delivery;

	while (NextRows(join))
	{
		CheckInterrupts();
		if (!PassesComparisons(join))
		{
			InstrCountFiltered2(&join->css.ss.ps, 1);
			continue;
		}
		ResetExprContext(econtext);
		Deliver(join, delivery->match);
		econtext->ecxt_scantuple = join->css.ss.ss_ScanTupleSlot;
		if (delivery->filter != NULL && !ExecQual(delivery->filter, econtext))
		{
			InstrCountFiltered2(&join->css.ss.ps, 1);
			continue;
		}
		SideSetMatched(&join->input.outer, join->input.outer.row->ordinal.number);
		SideSetMatched(&join->input.inner, join->input.inner.row->ordinal.number);
		if (delivery->type != JOIN_ANTI)
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
		if (SideIsMatched(side, row->ordinal.number) ||
			!CellsAreDone(&join->cells, join->delivery.unmatched_set, rows->number - 1))
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
	PlanInput *input = &join->input;
	JoinCells *cells = &join->cells;
	Delivery *delivery = &join->delivery;

	if (cells->phase == CELLS_BEGIN)
	{
		CellsPlan *plan = &join->cells.plan;

		PlanInputBegin(input, &join->cells.threshold);
		plan->model = input->model;
		plan->area = join->css.ss.ps.state->es_query_dsa;
		if (input->nothing && !input->outer.preserved && !input->inner.preserved)
			join->cells.phase = CELLS_END;
	}
	for (;;)
	{
		CheckInterrupts();
		if (NextPair(join) || NextUnmatched(join, &input->outer, &delivery->unmatched_outer) ||
			NextUnmatched(join, &input->inner, &delivery->unmatched_inner))
			return true;
		delivery->next_match = 0;
		switch (CellsNext(cells))
		{
			case CELLS_NOTHING_LEFT:
				return false;
			case CELLS_MATCHES:
				break;
			case CELLS_PROBES_DONE:
				delivery->unmatched_set = PROBE_ROWS;
				if (input->outer.preserved)
					delivery->unmatched_outer = RowsIterate(&cells->rows[PROBE_ROWS]);
				break;
			case CELLS_BLOCK_DONE:
				delivery->unmatched_set = BLOCK_ROWS;
				if (input->inner.preserved)
					delivery->unmatched_inner = RowsIterate(&cells->rows[BLOCK_ROWS]);
				if (input->self && input->outer.preserved)
					delivery->unmatched_outer = RowsIterate(&cells->rows[BLOCK_ROWS]);
		}
	}
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

/* Frees what was found and read, to end or to start over. */
static void
ResetTedJoin(TedJoinState *join)
{
	CellsReset(&join->cells);
	SideReset(&join->input.outer);
	SideReset(&join->input.inner);
	join->delivery.next_match = 0;
	join->delivery.unmatched_outer = join->delivery.unmatched_inner = (JoinRowIterator){0};
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

	ResetTedJoin(join);
	ExecClearTuple(node->ss.ss_ScanTupleSlot);
	RescanSide(join, &join->input.outer);
	RescanSide(join, &join->input.inner);
}

/* Ends execution. */
static void
EndTedJoin(CustomScanState *node)
{
	TedJoinState *join = (TedJoinState *) node;

	ResetTedJoin(join);
	ExecEndNode(join->input.outer.plan);
	ExecEndNode(join->input.inner.plan);
}

/* Whether each process reads a part of the inner side. */
static bool
InnerIsPartial(const CustomScanState *node)
{
	return ScanSetting(castNode(CustomScan, node->ss.ps.plan), TEDJOIN_PARTIAL_INNER) != 0;
}

/* Returns the bytes of shared memory that the node needs. */
static Size
EstimateShared(CustomScanState *node, ParallelContext *pcxt)
{
	return SharedCountsBytes(pcxt->nworkers) + (InnerIsPartial(node) ? SharedCellsBytes(pcxt) : 0);
}

/* Forgets the shared memory when the workers have ended, before it is unmapped. */
static void
ForgetShared(dsm_segment *segment, Datum arg)
{
	JoinCells *cells = (JoinCells *) DatumGetPointer(arg);

	(void) segment;
	/* what is reported from now on would be read from it, too */
	ProgressEnd(&cells->progress);
	cells->progress.noticed = NULL;
	cells->shared_counts = NULL;
	cells->plan.shared = NULL;
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
	join->cells.shared_counts = shared;
	on_dsm_detach(pcxt->seg, ForgetShared, PointerGetDatum(&join->cells));
	if (InnerIsPartial(node))
		join->cells.plan.shared =
			SharedCellsCreate(pcxt, (char *) shared + SharedCountsBytes(pcxt->nworkers));
}

/* Resets the shared memory for another run; the counts are kept. */
static void
ReInitializeShared(CustomScanState *node, ParallelContext *pcxt, void *shared)
{
	TedJoinState *join = (TedJoinState *) node;

	(void) pcxt;
	pg_atomic_write_u64(&((SharedCounts *) shared)->part, 0);
	if (join->cells.plan.shared != NULL)
		SharedCellsReset(join->cells.plan.shared, node->ss.ps.state->es_query_dsa);
}

/* Attaches a worker to its shared counts and to the shared cells. */
static void
InitializeWorker(CustomScanState *node, shm_toc *toc, void *shared)
{
	JoinCells *cells = &((TedJoinState *) node)->cells;
	SharedCounts *counts = shared;

	(void) toc;
	cells->counts = &counts->counts[ParallelWorkerNumber];
	cells->shared_counts = counts;
	if (InnerIsPartial(node))
		cells->plan.shared =
			SharedCellsAttach((char *) shared + SharedCountsBytes(counts->workers));
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
	List *keys = list_nth(scan->custom_exprs, TEDJOIN_OUTER_KEYS);
	const NodeInstrumentation *done = node->ss.ps.instrument;

	if (join->delivery.type != JOIN_INNER)
		ExplainPropertyText("Join Type", JoinTypeName(join->delivery.type), es);
	ExplainPropertyText("Join Cond", deparse_expression(clause, context, true, false), es);
	if (keys != NIL)
		ExplainPropertyText("Groups", deparse_expression((Node *) keys, context, true, false), es);
	if (filter != NIL)
		ExplainPropertyText(
			"Join Filter",
			deparse_expression((Node *) make_ands_explicit(filter), context, true, false), es);
	if (!es->analyze)
		return;
	if (filter != NIL && done->nloops > 0)
		ExplainPropertyFloat("Rows Removed by Join Filter", NULL, done->nfiltered2 / done->nloops,
							 0, es);
	ExplainCounts(&join->own_counts, join->cells.plan.kind, es);
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
