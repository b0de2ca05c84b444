/*
 * side.c
 *	  One of the two inputs of a TedJoin, and rows of it that are kept.
 */
#include "postgres.h"

#include "access/sysattr.h"
#include "executor/executor.h"
#include "nodes/extensible.h"
#include "utils/memutils.h"

#include "../compat.h"
#include "side.h"
#include "tedjoin.h"

/* Starts execution of a side. */
void
SideInit(JoinSide *side, CustomScanState *node, int child, int document, int sign,
		 Bitmapset *wanted, EState *estate, int eflags)
{
	CustomScan *scan = castNode(CustomScan, node->ss.ps.plan);
	List *settings = list_nth(scan->custom_private, TEDJOIN_SETTINGS);
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
	if (counterparts != NIL && list_nth_int(settings, TEDJOIN_SELF) != child + OUTER_SIDE)
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
	for (int set = 0; set < ROW_SETS; set++)
		RowsInit(&side->rows[set], side->columns);
}

/* Copies the columns of a side from a row to the scan tuple. */
void
SideFill(const JoinSide *side, const AttrNumber *from, TupleTableSlot *row, TupleTableSlot *scan)
{
	slot_getallattrs(row);
	for (int i = 0; i < side->columns; i++)
	{
		scan->tts_values[side->to[i] - 1] = row->tts_values[from[i] - 1];
		scan->tts_isnull[side->to[i] - 1] = row->tts_isnull[from[i] - 1];
	}
}

/* The document of the row in the scan tuple; false if it is null. */
bool
SideReadDocument(const JoinSide *side, ScanState *node, Datum *document)
{
	ExprContext *econtext = node->ps.ps_ExprContext;
	bool isnull;

	econtext->ecxt_scantuple = node->ss_ScanTupleSlot;
	*document = ExecEvalExprSwitchContext(side->document, econtext, &isnull);
	return !isnull;
}

/* Forgets rows of a side. */
void
SideForgetRows(JoinSide *side, RowSet set)
{
	ExecClearTuple(side->slot);
	RowsForget(&side->rows[set]);
	side->row = NULL;
}

/* Keeps a row of a side, from the side's columns of the scan tuple. */
void
SideKeepRow(JoinSide *side, RowSet set, int32 number, int64 ordinal, TupleTableSlot *scan)
{
	JoinRows *rows = &side->rows[set];
	MemoryContext caller = MemoryContextSwitchTo(rows->context);

	ExecClearTuple(side->slot);
	for (int i = 0; i < side->columns; i++)
	{
		int to = side->to[i] - 1;

		side->slot->tts_values[i] = scan->tts_values[to];
		side->slot->tts_isnull[i] = scan->tts_isnull[to] || !side->wanted[i];
	}
	RowsKeep(rows, number,
			 FormMinimalTuple(side->slot->tts_tupleDescriptor, side->slot->tts_values,
							  side->slot->tts_isnull),
			 ordinal);
	MemoryContextSwitchTo(caller);
}

/* Memory of all rows kept. */
Size
SideMemory(const JoinSide *side)
{
	Size bytes = 0;

	for (int set = 0; set < ROW_SETS; set++)
		bytes += MemoryContextMemAllocated(side->rows[set].context, true);
	return bytes;
}

/* Notes that a row has a match. */
void
SideSetMatched(JoinSide *side, int64 ordinal)
{
	Size place = (Size) (ordinal / 8);

	if (!side->tracked)
		return;
	if (place >= side->matched_bytes)
	{
		Size bytes = Max(2 * place, 1024);

		side->matched = side->matched == NULL
							? MemoryContextAllocHuge(side->plan->state->es_query_cxt, bytes)
							: repalloc_huge(side->matched, bytes);
		memset(side->matched + side->matched_bytes, 0, bytes - side->matched_bytes);
		side->matched_bytes = bytes;
	}
	side->matched[place] |= 1 << (ordinal % 8);
}

/* Whether a row has a match. */
bool
SideIsMatched(const JoinSide *side, int64 ordinal)
{
	Size place = (Size) (ordinal / 8);

	return place < side->matched_bytes && (side->matched[place] & (1 << (ordinal % 8))) != 0;
}

/* Starts over. */
void
SideReset(JoinSide *side)
{
	for (int set = 0; set < ROW_SETS; set++)
		SideForgetRows(side, set);
	side->next_ordinal = 0;
	if (side->matched != NULL)
		memset(side->matched, 0, side->matched_bytes);
}

/* Has the values of a row follow it, so that they need not be looked for again. */
void
SideUnpack(JoinSide *side, JoinRow *row)
{
	ExecStoreMinimalTuple(row->tuple, side->slot, false);
	slot_getallattrs(side->slot);
	for (int i = 0; i < side->columns; i++)
	{
		row->values[i] = side->slot->tts_values[i];
		RowNulls(row, side->columns)[i] = side->slot->tts_isnull[i];
	}
	row->unpacked = true;
}

/* Copies the row that is turned to to the scan tuple, or nulls. */
void
SideDeliver(JoinSide *side, TupleTableSlot *scan)
{
	JoinRow *row = side->row;

	for (int i = 0; i < side->columns; i++)
	{
		int to = side->to[i] - 1;

		scan->tts_isnull[to] = row == NULL || RowNulls(row, side->columns)[i];
		scan->tts_values[to] = row == NULL ? (Datum) 0 : row->values[i];
	}
}
