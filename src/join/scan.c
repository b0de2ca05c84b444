/*
 * scan.c
 *	  Executes TedJoin.
 *
 * The inner side is read in blocks that fit in memory, one block for most
 * joins, and indexed; the outer side is read in chunks, from small to large, so
 * that the first rows come soon.  Where there are several blocks, the first one
 * has the outer side stored for the others.  Rows are kept by the numbers that
 * the pipeline gives to their trees; a match of two trees yields all pairs of
 * their rows.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/sysattr.h"
#include "catalog/pg_type.h"
#include "commands/explain.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "utils/memutils.h"
#include "utils/ruleutils.h"
#include "utils/tuplestore.h"

#include "../compat.h"
#include "../engine/session.h"
#include "../tree/host.h"
#include "counts.h"
#include "support.h"
#include "tedjoin.h"

/* Outer rows of the first chunk, of the following one for each before, and at most. */
#define FIRST_CHUNK 16
#define CHUNK_GROWTH 4
#define LARGEST_CHUNK 1024

/* A row kept, one of those with the same tree. */
typedef struct Row
{
	struct Row *next;
	MinimalTuple tuple;
} Row;

/* One of the two inputs, and rows of it that are kept. */
typedef struct JoinSide
{
	PlanState *plan;
	ExprState *document; /* on the scan tuple */
	int columns;
	AttrNumber *from;      /* by column: its number in the plan's result */
	AttrNumber *to;        /* and in the scan tuple */
	bool *wanted;          /* is it used of a row kept? */
	MemoryContext context; /* of the rows */
	Row **rows;            /* by the number of their tree */
	int32 count;
	int32 capacity;
	Row *row; /* of the pair delivered last */
	TupleTableSlot *slot;
} JoinSide;

/* Two trees that are within the threshold. */
typedef struct Match
{
	int32 outer;
	int32 inner;
	int32 distance;
	int32 larger_size;
} Match;

typedef struct TedJoinState
{
	CustomScanState css;
	JoinSide outer;
	JoinSide inner;
	ThresholdKind kind;
	ExprState *limit;
	int measure_columns; /* the last ones of the scan tuple */

	/* since the start or a rescan */
	bool started;
	TreeThreshold threshold;
	bool inner_done;
	bool outer_done; /* for this block */
	int chunk_rows;
	JoinPipeline *pipeline; /* of the block; NULL between blocks */
	Size block_limit;       /* bytes */
	Size chunk_limit;
	bool searching; /* the chunk's probes have not all been looked up */
	Match *matches;
	int32 match_count;
	int32 match_capacity;
	int32 next_match;
	Tuplestorestate *store; /* the outer side, where there are several blocks */
	bool replay;            /* from the store */
	TupleTableSlot *store_slot;

	TedJoinCounts own_counts;
	TedJoinCounts *counts; /* the same, or a worker's shared ones */
} TedJoinState;

/* Prepares a side. */
static void
InitSide(TedJoinState *join, JoinSide *side, int child, int document, int sign, Bitmapset *wanted,
		 EState *estate, int eflags)
{
	CustomScan *scan = castNode(CustomScan, join->css.ss.ps.plan);
	List *sources = list_nth(scan->custom_private, TEDJOIN_COLUMNS);
	TupleDesc result;
	TupleDesc kept;
	ListCell *cell;

	side->plan = ExecInitNode(list_nth(scan->custom_plans, child), estate, eflags);
	join->css.custom_ps = lappend(join->css.custom_ps, side->plan);
	side->document = ExecInitExpr(list_nth(scan->custom_exprs, document), &join->css.ss.ps);
	side->from = palloc_array(AttrNumber, list_length(sources));
	side->to = palloc_array(AttrNumber, list_length(sources));
	side->wanted = palloc_array(bool, list_length(sources));
	foreach (cell, sources)
	{
		AttrNumber to = foreach_current_index(cell) + 1;

		if (sign * lfirst_int(cell) <= 0)
			continue;
		side->from[side->columns] = sign * lfirst_int(cell);
		side->to[side->columns] = to;
		side->wanted[side->columns] =
			bms_is_member(to - FirstLowInvalidHeapAttributeNumber, wanted);
		side->columns++;
	}
	result = ExecGetResultType(side->plan);
	kept = CreateTemplateTupleDesc(side->columns);
	for (int i = 0; i < side->columns; i++)
		TupleDescCopyEntry(kept, i + 1, result, side->from[i]);
	side->slot = ExecInitExtraTupleSlot(estate, kept, &TTSOpsMinimalTuple);
	side->context =
		AllocSetContextCreate(CurrentMemoryContext, "TedJoin rows", ALLOCSET_DEFAULT_SIZES);
}

/* Starts execution. */
static void
BeginTedJoin(CustomScanState *node, EState *estate, int eflags)
{
	TedJoinState *join = (TedJoinState *) node;
	CustomScan *scan = castNode(CustomScan, node->ss.ps.plan);
	Bitmapset *wanted = NULL;
	ListCell *cell;

	Assert((eflags & (EXEC_FLAG_BACKWARD | EXEC_FLAG_MARK)) == 0);
	eflags &= ~EXEC_FLAG_REWIND;
	pull_varattnos((Node *) scan->scan.plan.targetlist, INDEX_VAR, &wanted);
	pull_varattnos(list_nth(scan->custom_exprs, TEDJOIN_FILTER), INDEX_VAR, &wanted);
	InitSide(join, &join->outer, 0, TEDJOIN_OUTER_DOCUMENT, 1, wanted, estate, eflags);
	InitSide(join, &join->inner, 1, TEDJOIN_INNER_DOCUMENT, -1, wanted, estate, eflags);
	join->store_slot =
		ExecInitExtraTupleSlot(estate, ExecGetResultType(join->outer.plan), &TTSOpsMinimalTuple);
	foreach (cell, (List *) list_nth(scan->custom_private, TEDJOIN_COLUMNS))
		join->measure_columns += lfirst_int(cell) == TEDJOIN_MEASURE;
	join->kind = linitial_int(list_nth(scan->custom_private, TEDJOIN_KIND));
	join->limit = ExecInitExpr(list_nth(scan->custom_exprs, TEDJOIN_THRESHOLD), &node->ss.ps);
	node->ss.ps.qual = ExecInitQual(list_nth(scan->custom_exprs, TEDJOIN_FILTER), &node->ss.ps);
	join->chunk_rows = FIRST_CHUNK;
	join->counts = &join->own_counts;
}

/* Forgets the rows kept of a side. */
static void
ForgetRows(JoinSide *side)
{
	ExecClearTuple(side->slot);
	MemoryContextReset(side->context);
	side->rows = NULL;
	side->count = side->capacity = 0;
	side->row = NULL;
}

/* Makes room for rows with the next number of a tree. */
static void
AppendNumber(JoinSide *side)
{
	if (side->rows == NULL)
	{
		side->capacity = 64;
		side->rows = palloc_array(Row *, side->capacity);
	}
	else if (side->count == side->capacity)
	{
		side->capacity *= 2;
		side->rows = repalloc_huge(side->rows, sizeof(Row *) * (Size) side->capacity);
	}
	side->rows[side->count++] = NULL;
}

/* Keeps a row of a side, from the side's columns of the scan tuple; numbers come without gaps. */
static void
KeepRow(JoinSide *side, int32 number, TupleTableSlot *scan)
{
	MemoryContext caller = MemoryContextSwitchTo(side->context);
	Row *row = palloc_object(Row);

	if (number == side->count)
		AppendNumber(side);
	ExecClearTuple(side->slot);
	for (int i = 0; i < side->columns; i++)
	{
		int to = side->to[i] - 1;

		side->slot->tts_values[i] = scan->tts_values[to];
		side->slot->tts_isnull[i] = scan->tts_isnull[to] || !side->wanted[i];
	}
	row->tuple = FormMinimalTuple(side->slot->tts_tupleDescriptor, side->slot->tts_values,
								  side->slot->tts_isnull);
	row->next = side->rows[number];
	side->rows[number] = row;
	MemoryContextSwitchTo(caller);
}

/* Copies the columns of a side to the scan tuple; false if its document is null. */
static bool
ReadDocument(TedJoinState *join, JoinSide *side, TupleTableSlot *row, Datum *document)
{
	ExprContext *econtext = join->css.ss.ps.ps_ExprContext;
	TupleTableSlot *scan = join->css.ss.ss_ScanTupleSlot;
	bool isnull;

	slot_getallattrs(row);
	ExecClearTuple(scan);
	for (int i = 0; i < side->columns; i++)
	{
		scan->tts_values[side->to[i] - 1] = row->tts_values[side->from[i] - 1];
		scan->tts_isnull[side->to[i] - 1] = row->tts_isnull[side->from[i] - 1];
	}
	ExecStoreVirtualTuple(scan);
	ResetExprContext(econtext);
	econtext->ecxt_scantuple = scan;
	*document = ExecEvalExprSwitchContext(side->document, econtext, &isnull);
	return !isnull;
}

/* Reads the threshold; false if no pair can be within it. */
static bool
ReadThreshold(TedJoinState *join)
{
	bool isnull;
	Datum value = ExecEvalExprSwitchContext(join->limit, join->css.ss.ps.ps_ExprContext, &isnull);

	if (isnull)
		return false;
	if (join->kind == THRESHOLD_WITHIN)
		CheckMaxDistance(DatumGetInt32(value));
	join->threshold = ClauseThreshold(join->kind, value, exprType((Node *) join->limit->expr));
	return !MatchesNothing(&join->threshold);
}

/* Notes two trees that are within the threshold. */
static void
NoteMatch(void *arg, int32 probe, int32 indexed, int32 distance, int32 larger_size)
{
	TedJoinState *join = arg;

	if (join->match_count == join->match_capacity)
	{
		join->match_capacity *= 2;
		join->matches = repalloc_huge(join->matches, sizeof(Match) * (Size) join->match_capacity);
	}
	join->matches[join->match_count++] = (Match){probe, indexed, distance, larger_size};
}

/* Memory that grows with the rows read. */
static Size
MemoryUsed(const TedJoinState *join)
{
	return PipelineMemory(join->pipeline) + MemoryContextMemAllocated(join->inner.context, true) +
		   MemoryContextMemAllocated(join->outer.context, true);
}

/* Opens the pipeline of a block. */
static void
OpenPipeline(TedJoinState *join)
{
	Size memory = Min(get_hash_memory_limit(), (Size) ted_max_memory * 1024 / 2);
	Size used;

	join->pipeline = PipelineOpen(&join->threshold, &join->counts->pairs, NoteMatch, join);
	used = MemoryUsed(join);
	join->block_limit = used + memory / 4 * 3;
	join->chunk_limit = memory / 4;
}

/* Stores the outer side while it is read, for further blocks. */
static void
StoreOuter(TedJoinState *join)
{
	MemoryContext caller = MemoryContextSwitchTo(join->css.ss.ps.state->es_query_cxt);

	join->store = tuplestore_begin_heap(false, false, work_mem);
	tuplestore_set_eflags(join->store, EXEC_FLAG_REWIND);
	MemoryContextSwitchTo(caller);
}

/* Reads and indexes a block of the inner side; false if there is none. */
static bool
OpenBlock(TedJoinState *join)
{
	if (join->inner_done)
		return false;
	OpenPipeline(join);
	while (MemoryUsed(join) < join->block_limit)
	{
		TupleTableSlot *row = ExecProcNode(join->inner.plan);
		Datum document;

		join->inner_done = TupIsNull(row);
		if (join->inner_done)
			break;
		if (ReadDocument(join, &join->inner, row, &document))
			KeepRow(&join->inner, PipelineAddIndexed(join->pipeline, document),
					join->css.ss.ss_ScanTupleSlot);
	}
	if (join->inner.count == 0)
	{
		PipelineClose(join->pipeline);
		join->pipeline = NULL;
		return false;
	}
	if (!join->inner_done && join->store == NULL)
		StoreOuter(join);
	PipelineIndex(join->pipeline);
	join->counts->blocks++;
	return true;
}

/* Gives a block back, and starts over with the outer side for the next one. */
static void
CloseBlock(TedJoinState *join)
{
	PipelineClose(join->pipeline);
	join->pipeline = NULL;
	ForgetRows(&join->inner);
	if (join->store != NULL)
	{
		tuplestore_rescan(join->store);
		join->replay = true;
		join->outer_done = false;
	}
}

/* Next row of the outer side. */
static TupleTableSlot *
NextOuterRow(TedJoinState *join)
{
	TupleTableSlot *row = join->store_slot;

	if (join->replay)
		tuplestore_gettupleslot(join->store, true, false, row);
	else
	{
		row = ExecProcNode(join->outer.plan);
		if (join->store != NULL && !TupIsNull(row))
			tuplestore_puttupleslot(join->store, row);
	}
	join->outer_done = TupIsNull(row);
	return row;
}

/* Reads a chunk of the outer side; false if there is none. */
static bool
ReadChunk(TedJoinState *join)
{
	Size limit;

	ForgetRows(&join->outer);
	limit = MemoryUsed(join) + join->chunk_limit;
	for (int count = 0; count < join->chunk_rows && !join->outer_done; count++)
	{
		TupleTableSlot *row = NextOuterRow(join);
		Datum document;

		if (!join->outer_done && ReadDocument(join, &join->outer, row, &document))
			KeepRow(&join->outer, PipelineAddProbe(join->pipeline, document),
					join->css.ss.ss_ScanTupleSlot);
		if (MemoryUsed(join) > limit)
			break;
	}
	join->chunk_rows = Min(join->chunk_rows * CHUNK_GROWTH, LARGEST_CHUNK);
	return join->outer.count > 0 || !join->outer_done;
}

/* Starts: reads the threshold. */
static void
Start(TedJoinState *join)
{
	join->started = true;
	join->inner_done = !ReadThreshold(join);
	if (join->matches == NULL)
	{
		join->match_capacity = 1024;
		join->matches = MemoryContextAllocHuge(join->css.ss.ps.state->es_query_cxt,
											   sizeof(Match) * (Size) join->match_capacity);
	}
}

/* Goes one step further in finding matches, if any; false if all have been found. */
static bool
FindMatches(TedJoinState *join)
{
	join->match_count = join->next_match = 0;
	if (!join->started)
		Start(join);
	if (join->pipeline == NULL && !OpenBlock(join))
		return false;
	if (join->searching)
		join->searching = PipelineRunProbes(join->pipeline);
	else if (ReadChunk(join))
		join->searching = true;
	else
		CloseBlock(join);
	return true;
}

/* Turns to a row that is kept. */
static void
TurnTo(JoinSide *side, Row *row)
{
	side->row = row;
	if (row != NULL)
		ExecStoreMinimalTuple(row->tuple, side->slot, false);
}

/* Turns to the next pair of rows of the matches found; false if there is none left. */
static bool
NextRows(TedJoinState *join)
{
	if (join->inner.row != NULL)
		TurnTo(&join->inner, join->inner.row->next);
	if (join->inner.row != NULL)
		return true;
	if (join->outer.row != NULL)
		TurnTo(&join->outer, join->outer.row->next);
	if (join->outer.row == NULL)
	{
		if (join->next_match == join->match_count)
			return false;
		TurnTo(&join->outer, join->outer.rows[join->matches[join->next_match++].outer]);
	}
	TurnTo(&join->inner, join->inner.rows[join->matches[join->next_match - 1].inner]);
	return true;
}

/* Copies a row that is kept to the scan tuple. */
static void
DeliverRow(JoinSide *side, TupleTableSlot *scan)
{
	slot_getallattrs(side->slot);
	for (int i = 0; i < side->columns; i++)
	{
		scan->tts_values[side->to[i] - 1] = side->slot->tts_values[i];
		scan->tts_isnull[side->to[i] - 1] = side->slot->tts_isnull[i];
	}
}

/* Writes the measures of a match to the scan tuple. */
static void
DeliverMeasures(const TedJoinState *join, const Match *match, TupleTableSlot *scan)
{
	TupleDesc columns = scan->tts_tupleDescriptor;

	for (int i = columns->natts - join->measure_columns; i < columns->natts; i++)
	{
		if (TupleDescAttr(columns, i)->atttypid == INT4OID)
			scan->tts_values[i] = Int32GetDatum(match->distance);
		else
			scan->tts_values[i] =
				Float8GetDatum(TreeSimilarity(match->distance, match->larger_size));
		scan->tts_isnull[i] = false;
	}
}

/* Next pair of rows within the threshold. */
static TupleTableSlot *
NextPair(ScanState *node)
{
	TedJoinState *join = (TedJoinState *) node;
	TupleTableSlot *scan = node->ss_ScanTupleSlot;

	while (!NextRows(join))
		if (!FindMatches(join))
			return ExecClearTuple(scan);

	ExecClearTuple(scan);
	DeliverRow(&join->outer, scan);
	DeliverRow(&join->inner, scan);
	DeliverMeasures(join, &join->matches[join->next_match - 1], scan);
	return ExecStoreVirtualTuple(scan);
}

/* The planner does without TedJoin where rows are looked at again. */
static bool
RecheckPair(ScanState *node, TupleTableSlot *slot)
{
	(void) node;
	(void) slot;
	elog(ERROR, "TedJoin cannot look at a row again");
}

/* Returns the next row. */
static TupleTableSlot *
ExecTedJoin(CustomScanState *node)
{
	return ExecScan(&node->ss, NextPair, RecheckPair);
}

/* Gives back all that execution has taken. */
static void
FreeExecution(TedJoinState *join)
{
	if (join->pipeline != NULL)
		PipelineClose(join->pipeline);
	join->pipeline = NULL;
	ForgetRows(&join->outer);
	ForgetRows(&join->inner);
	if (join->store != NULL)
		tuplestore_end(join->store);
	join->store = NULL;
}

/* Has a side start over. */
static void
RescanSide(TedJoinState *join, JoinSide *side)
{
	if (join->css.ss.ps.chgParam != NULL)
		UpdateChangedParamSet(side->plan, join->css.ss.ps.chgParam);
	if (side->plan->chgParam == NULL)
		ExecReScan(side->plan);
}

/* Starts over. */
static void
ReScanTedJoin(CustomScanState *node)
{
	TedJoinState *join = (TedJoinState *) node;

	FreeExecution(join);
	join->started = false;
	join->inner_done = join->outer_done = false;
	join->chunk_rows = FIRST_CHUNK;
	join->searching = false;
	join->match_count = join->next_match = 0;
	join->replay = false;
	ExecScanReScan(&node->ss);
	RescanSide(join, &join->outer);
	RescanSide(join, &join->inner);
}

/* Ends execution. */
static void
EndTedJoin(CustomScanState *node)
{
	TedJoinState *join = (TedJoinState *) node;

	FreeExecution(join);
	ExecEndNode(join->outer.plan);
	ExecEndNode(join->inner.plan);
}

/* Says how much memory is shared with workers. */
static Size
EstimateShared(CustomScanState *node, ParallelContext *pcxt)
{
	(void) node;
	return SharedCountsBytes(pcxt);
}

/* Gives workers a place for their counts. */
static void
InitializeShared(CustomScanState *node, ParallelContext *pcxt, void *shared)
{
	ShareCounts(pcxt, shared, &((TedJoinState *) node)->own_counts);
}

/* Prepares the shared memory for another run; counts go on. */
static void
ReInitializeShared(CustomScanState *node, ParallelContext *pcxt, void *shared)
{
	(void) node;
	(void) pcxt;
	(void) shared;
}

/* Has a worker count in its own place. */
static void
InitializeWorker(CustomScanState *node, shm_toc *toc, void *shared)
{
	(void) toc;
	((TedJoinState *) node)->counts = WorkerCounts(shared);
}

/* Shows what the node does, and has done. */
static void
ExplainTedJoin(CustomScanState *node, List *ancestors, ExplainState *es)
{
	TedJoinState *join = (TedJoinState *) node;
	CustomScan *scan = castNode(CustomScan, node->ss.ps.plan);
	List *context = set_deparse_context_plan(es->deparse_cxt, &scan->scan.plan, ancestors);
	Node *clause = list_nth(scan->custom_exprs, TEDJOIN_CLAUSE);
	List *filter = list_nth(scan->custom_exprs, TEDJOIN_FILTER);
	const Instrumentation *done = node->ss.ps.instrument;

	ExplainPropertyText("Join Cond", deparse_expression(clause, context, true, false), es);
	if (filter != NIL)
		ExplainPropertyText(
			"Join Filter",
			deparse_expression((Node *) make_ands_explicit(filter), context, true, false), es);
	if (!es->analyze)
		return;
	if (filter != NIL && done->nloops > 0)
		ExplainPropertyFloat("Rows Removed by Join Filter", NULL, done->nfiltered1 / done->nloops,
							 0, es);
	ExplainCounts(&join->own_counts, es);
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

/* Makes the state of an execution. */
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
