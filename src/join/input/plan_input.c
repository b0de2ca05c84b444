/*
 * plan_input.c
 *	  The rows of a TedJoin's child plans, with their documents and thresholds.
 */
#include "postgres.h"

#include "executor/executor.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "utils/memutils.h"

#include "../../common/host.h"
#include "../../common/progress.h"
#include "../../compat.h"
#include "../plan/tedjoin.h"
#include "plan_input.h"

void
PlanInputInit(PlanInput *input, CustomScanState *node, Bitmapset *wanted, EState *estate,
			  int eflags)
{
	const CustomScan *scan = castNode(CustomScan, node->ss.ps.plan);
	TedJoinSide self = ScanSetting(scan, TEDJOIN_SELF);
	TedJoinSide limit_side = ScanSetting(scan, TEDJOIN_THRESHOLD_SIDE);

	input->node = node;
	SideInit(&input->outer, node, 0, wanted, estate, eflags);
	SideInit(&input->inner, node, 1, wanted, estate, eflags);
	/* in EvalPlanQual, each side has its own row */
	input->self = self != NEITHER_SIDE && estate->es_epq_active == NULL;
	input->indexed = input->self && self == OUTER_SIDE ? &input->outer : &input->inner;
	if (input->self)
		SideKeepColumns(input->indexed,
						input->indexed == &input->outer ? &input->inner : &input->outer);
	else
	{
		SideKeepColumns(&input->outer, NULL);
		SideKeepColumns(&input->inner, NULL);
	}
	input->kind = ScanSetting(scan, TEDJOIN_KIND);
	if (limit_side != NEITHER_SIDE)
		input->limit_side = limit_side == OUTER_SIDE ? &input->outer : &input->inner;
	input->limit = ExecInitExpr(list_nth(scan->custom_exprs, TEDJOIN_THRESHOLD), &node->ss.ps);
	input->model_value = ExecInitExpr(list_nth(scan->custom_exprs, TEDJOIN_MODEL), &node->ss.ps);
	input->model_context =
		AllocSetContextCreate(CurrentMemoryContext, "ted join model", ALLOCSET_SMALL_SIZES);
	input->is_json = AreJson((DocumentType) ScanSetting(scan, TEDJOIN_DOCUMENTS));
	input->transposed = ScanSetting(scan, TEDJOIN_TRANSPOSED) != 0;
}

/* Reads the cost model, if there is one; returns false if its value is null. */
static bool
ReadModel(PlanInput *input)
{
	MemoryContext caller = MemoryContextSwitchTo(input->model_context);
	bool isnull = false;

	MemoryContextReset(input->model_context);
	input->model = NULL;
	if (input->model_value != NULL)
	{
		Datum value = ExecEvalExprSwitchContext(input->model_value,
												input->node->ss.ps.ps_ExprContext, &isnull);

		if (!isnull)
			input->model = input->is_json ? DatumGetJsonCostModel(value) : DatumGetCostModel(value);
		if (!isnull && input->transposed)
			input->model = CostModelTransposed(input->model);
	}
	MemoryContextSwitchTo(caller);
	return !isnull;
}

/* Widens the threshold by that of the current row; returns false if the row can match nothing. */
static bool
ReadThreshold(PlanInput *input)
{
	bool isnull;
	Datum value =
		ExecEvalExprSwitchContext(input->limit, input->node->ss.ps.ps_ExprContext, &isnull);
	DocumentThreshold threshold;
	Oid type;

	if (isnull)
		return false;
	type = exprType((Node *) input->limit->expr);
	if (input->kind == THRESHOLD_SIMILAR)
		CheckMinSimilarity(DatumGetFloat8(value));
	else if (input->kind == THRESHOLD_WITHIN && input->model == NULL && type == FLOAT8OID)
		CheckMaxDistance(DatumGetFloat8(value));
	threshold = input->model != NULL ? ModelThreshold(input->kind, input->model, value, type)
									 : ClauseThreshold(input->kind, value, type);
	if (MatchesNothing(&threshold))
		return false;
	WidenThreshold(input->threshold, &threshold);
	return true;
}

void
PlanInputBegin(PlanInput *input, DocumentThreshold *threshold)
{
	*threshold = DistanceThreshold(-1); /* which each row's widens */
	input->threshold = threshold;
	input->nothing = !ReadModel(input) || (input->limit_side == NULL && !ReadThreshold(input));
}

/*
 * Reads the document of the row in the scan tuple; returns false if there is none, or if the row
 * can match nothing.
 */
static bool
ReadRowDocument(PlanInput *input, JoinSide *side, JoinedRow *row)
{
	if (input->nothing || !SideReadDocument(side, &input->node->ss, &row->document, &row->group))
		return false;
	if (input->limit_side == NULL || (input->limit_side != side && !input->self))
		return true;
	/* in a self-join, a row without a threshold can match one that has a threshold */
	return ReadThreshold(input) || input->self;
}

bool
KeepsWithoutDocument(const PlanInput *input, const JoinSide *side)
{
	return input->self ? input->outer.preserved || input->inner.preserved : side->preserved;
}

bool
ReadPlanRow(void *arg, DocumentsSide which, JoinedRow *row)
{
	PlanInput *input = arg;
	JoinSide *side = InputSide(input, which);
	TupleTableSlot *slot;

	while (slot = ExecProcNode(side->plan), !TupIsNull(slot))
	{
		TupleTableSlot *scan = input->node->ss.ss_ScanTupleSlot;

		CheckInterrupts();
		ResetExprContext(input->node->ss.ps.ps_ExprContext);
		ExecClearTuple(scan);
		/* in a self-join, the scan tuple has the columns of both sides */
		SideFill(side, side->from, slot, scan);
		if (input->self)
		{
			JoinSide *other = side == &input->outer ? &input->inner : &input->outer;

			SideFill(other, other->counterpart, slot, scan);
		}
		ExecStoreVirtualTuple(scan);
		row->ordinal = side->next_ordinal++;
		row->has_document = ReadRowDocument(input, side, row);
		if (row->has_document || KeepsWithoutDocument(input, side))
			return true;
	}
	return false;
}
