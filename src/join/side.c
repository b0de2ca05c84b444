/*
 * side.c
 *	  One of the two inputs of a TedJoin, and rows of it that are kept.
 */
#include "postgres.h"

#include "access/sysattr.h"
#include "executor/executor.h"
#include "nodes/extensible.h"

#include "../compat.h"
#include "side.h"
#include "tedjoin.h"

/* Starts execution of a side. */
void
SideInit(JoinSide *side, CustomScanState *node, int child, int document, int sign,
		 Bitmapset *wanted, EState *estate, int eflags)
{
	CustomScan *scan = castNode(CustomScan, node->ss.ps.plan);
	List *sources = list_nth(scan->custom_private, TEDJOIN_COLUMNS);
	List *counterparts = list_nth(scan->custom_private, TEDJOIN_COUNTERPARTS);
	TupleDesc result;
	TupleDesc kept;
	ListCell *cell;

	side->plan = ExecInitNode(list_nth(scan->custom_plans, child), estate, eflags);
	node->custom_ps = lappend(node->custom_ps, side->plan);
	side->document = ExecInitExpr(list_nth(scan->custom_exprs, document), &node->ss.ps);
	side->from = palloc_array(AttrNumber, list_length(sources));
	side->to = palloc_array(AttrNumber, list_length(sources));
	side->wanted = palloc_array(bool, list_length(sources));
	if (counterparts != NIL && sign > 0)
		side->counterpart = palloc_array(AttrNumber, list_length(sources));
	foreach (cell, sources)
	{
		AttrNumber to = foreach_current_index(cell) + 1;

		if (sign * lfirst_int(cell) <= 0)
			continue;
		side->from[side->columns] = sign * lfirst_int(cell);
		side->to[side->columns] = to;
		if (side->counterpart != NULL)
			side->counterpart[side->columns] = list_nth_int(counterparts, to - 1);
		side->wanted[side->columns] =
			bms_is_member(to - FirstLowInvalidHeapAttributeNumber, wanted);
		side->columns++;
	}
	result = ExecGetResultType(side->plan);
	kept = CreateTemplateTupleDesc(side->columns);
	for (int i = 0; i < side->columns; i++)
		TupleDescCopyEntry(kept, i + 1, result, side->from[i]);
	side->slot = ExecInitExtraTupleSlot(estate, kept, &TTSOpsMinimalTuple);
	RowsInit(&side->rows);
}

/* Copies the columns of a side from a row to the scan tuple. */
TupleTableSlot *
SideFill(const JoinSide *side, const AttrNumber *from, TupleTableSlot *row, TupleTableSlot *scan)
{
	slot_getallattrs(row);
	ExecClearTuple(scan);
	for (int i = 0; i < side->columns; i++)
	{
		scan->tts_values[side->to[i] - 1] = row->tts_values[from[i] - 1];
		scan->tts_isnull[side->to[i] - 1] = row->tts_isnull[from[i] - 1];
	}
	return ExecStoreVirtualTuple(scan);
}

/* Copies the columns of a side to the scan tuple; false if its document is null. */
bool
SideReadDocument(const JoinSide *side, ScanState *node, TupleTableSlot *row, Datum *document)
{
	ExprContext *econtext = node->ps.ps_ExprContext;
	bool isnull;

	ResetExprContext(econtext);
	econtext->ecxt_scantuple = SideFill(side, side->from, row, node->ss_ScanTupleSlot);
	*document = ExecEvalExprSwitchContext(side->document, econtext, &isnull);
	return !isnull;
}

/* Forgets the rows kept of a side. */
void
SideForgetRows(JoinSide *side)
{
	ExecClearTuple(side->slot);
	RowsForget(&side->rows);
	side->row = NULL;
}

/* Keeps a row of a side, from the side's columns of the scan tuple. */
void
SideKeepRow(JoinSide *side, int32 number, TupleTableSlot *scan)
{
	MemoryContext caller = MemoryContextSwitchTo(side->rows.context);

	ExecClearTuple(side->slot);
	for (int i = 0; i < side->columns; i++)
	{
		int to = side->to[i] - 1;

		side->slot->tts_values[i] = scan->tts_values[to];
		side->slot->tts_isnull[i] = scan->tts_isnull[to] || !side->wanted[i];
	}
	RowsKeep(&side->rows, number,
			 FormMinimalTuple(side->slot->tts_tupleDescriptor, side->slot->tts_values,
							  side->slot->tts_isnull));
	MemoryContextSwitchTo(caller);
}

/* Turns to a row that is kept. */
void
SideTurnTo(JoinSide *side, JoinRow *row)
{
	side->row = row;
	if (row != NULL)
		ExecStoreMinimalTuple(row->tuple, side->slot, false);
}

/* Copies a row that is kept to the scan tuple. */
void
SideDeliver(JoinSide *side, TupleTableSlot *scan)
{
	slot_getallattrs(side->slot);
	for (int i = 0; i < side->columns; i++)
	{
		scan->tts_values[side->to[i] - 1] = side->slot->tts_values[i];
		scan->tts_isnull[side->to[i] - 1] = side->slot->tts_isnull[i];
	}
}
