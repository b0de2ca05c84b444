/*
 * side.c
 *	  One of the two inputs of a TedJoin, and its kept rows.
 */
#include "postgres.h"

#include "access/sysattr.h"
#include "executor/executor.h"
#include "nodes/extensible.h"
#include "utils/memutils.h"

#include "../../compat.h"
#include "side.h"
#include "../plan/tedjoin.h"

void
SideInit(JoinSide *side, CustomScanState *node, int child, Bitmapset *wanted, EState *estate,
		 int eflags)
{
	int sign = child == 0 ? 1 : -1; /* of its columns, see tedjoin.h */
	CustomScan *scan = castNode(CustomScan, node->ss.ps.plan);
	List *settings = list_nth(scan->custom_private, TEDJOIN_SETTINGS);
	List *sources = list_nth(scan->custom_private, TEDJOIN_COLUMNS);
	List *counterparts = list_nth(scan->custom_private, TEDJOIN_COUNTERPARTS);
	ListCell *cell;

	side->plan = ExecInitNode(list_nth(scan->custom_plans, child), estate, eflags);
	node->custom_ps = lappend(node->custom_ps, side->plan);
	side->document =
		ExecInitExpr(list_nth(scan->custom_exprs, TEDJOIN_OUTER_DOCUMENT + child), &node->ss.ps);
	side->keys = RowKeysInit(list_nth(scan->custom_exprs, TEDJOIN_OUTER_KEYS + child),
							 list_nth(scan->custom_private, TEDJOIN_OUTER_HASHES + child),
							 list_nth(scan->custom_private, TEDJOIN_KEY_COLLATIONS), &node->ss.ps);
	side->from = palloc_array(AttrNumber, list_length(sources));
	side->to = palloc_array(AttrNumber, list_length(sources));
	side->wanted = palloc_array(bool, list_length(sources));
	side->place = palloc_array(int, list_length(sources));
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
}

/* Returns the place of a column among the kept columns, after adding it if it is not there. */
static int
PlaceOf(KeptColumns *kept, KeptColumn column)
{
	for (int place = 0; place < kept->count; place++)
		if (kept->column[place].source == column.source)
			return place;
	kept->column[kept->count] = column;
	return kept->count++;
}

/* Adds the used columns of a side to the kept columns; `source` has their numbers in a plan. */
static void
KeepColumns(JoinSide *side, KeptColumns *kept, const AttrNumber *source, TupleDesc plan)
{
	side->kept = kept;
	for (int i = 0; i < side->columns; i++)
		side->place[i] = side->wanted[i]
							 ? PlaceOf(kept, (KeptColumn){source[i], side->to[i],
														  TupleDescAttr(plan, source[i] - 1)})
							 : -1;
}

void
SideKeepColumns(JoinSide *side, JoinSide *sharing)
{
	int columns = side->columns + (sharing == NULL ? 0 : sharing->columns);
	KeptColumns *kept =
		palloc0(offsetof(KeptColumns, column) + sizeof(KeptColumn) * (Size) columns);
	TupleDesc plan = ExecGetResultType(side->plan);

	KeepColumns(side, kept, side->from, plan);
	if (sharing != NULL)
		KeepColumns(sharing, kept, sharing->counterpart, plan);
}

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

bool
SideReadDocument(const JoinSide *side, ScanState *node, Datum *document, int32 *group)
{
	ExprContext *econtext = node->ps.ps_ExprContext;
	MemoryContext caller = MemoryContextSwitchTo(econtext->ecxt_per_tuple_memory);
	bool isnull;

	econtext->ecxt_scantuple = node->ss_ScanTupleSlot;
	isnull = !RowKeysGroup(&side->keys, econtext, group);
	if (!isnull)
		*document = ExecEvalExpr(side->document, econtext, &isnull);
	MemoryContextSwitchTo(caller);
	return !isnull;
}

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

bool
SideIsMatched(const JoinSide *side, int64 ordinal)
{
	Size place = (Size) (ordinal / 8);

	return place < side->matched_bytes && (side->matched[place] & (1 << (ordinal % 8))) != 0;
}

void
SideReset(JoinSide *side)
{
	side->row = NULL;
	side->next_ordinal = 0;
	if (side->matched != NULL)
		memset(side->matched, 0, side->matched_bytes);
}

void
SideDeliver(JoinSide *side, TupleTableSlot *scan)
{
	JoinRow *row = side->row;

	for (int i = 0; i < side->columns; i++)
	{
		int to = side->to[i] - 1;
		int place = side->place[i];
		bool isnull = row == NULL || place < 0 || RowNulls(row, side->kept)[place];

		scan->tts_isnull[to] = isnull;
		scan->tts_values[to] = isnull ? (Datum) 0 : RowValue(row, side->kept, place);
	}
}
