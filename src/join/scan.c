/*
 * scan.c
 *	  Executes TedJoin.
 *
 * The inner side is read in blocks that fit in memory, one block for most
 * joins, and indexed; the outer side is read in chunks, from small to large, so
 * that the first rows come soon.  Where there are several blocks, the first one
 * has the outer side stored for the others.  Parallel workers read different
 * parts of the outer side; the inner side either each of them, or its first block
 * all together (shared_block.h).  Where a table is joined with itself and is all
 * in one block, the trees of the block are looked up, and nothing else is read.
 *
 * Rows are kept by the numbers that the pipeline gives to their trees; a match of
 * two trees yields all pairs of their rows.
 */
#include "postgres.h"

#include "access/sysattr.h"
#include "catalog/objectaccess.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "commands/explain.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "utils/acl.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/ruleutils.h"
#include "utils/tuplestore.h"

#include "../compat.h"
#include "../tree/costs.h"
#include "../common/host.h"
#include "counts.h"
#include "shared_block.h"
#include "side.h"
#include "../index/support.h"
#include "tedjoin.h"

/* Outer rows of the first chunk, of the following one for each before, and at most. */
#define FIRST_CHUNK 16
#define CHUNK_GROWTH 4
#define LARGEST_CHUNK 1024

/* The same for one of several processes, which had better all end at about the same time. */
#define LARGEST_PARALLEL_CHUNK 256

/* Parts of the memory that a block of the inner side takes, and a chunk of the outer one. */
#define BLOCK_PART(memory) ((memory) / 4 * 3)
#define CHUNK_PART(memory) ((memory) / 4)

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
	int32 least_cost;
	ExprState *limit;
	int measure_columns; /* the last ones of the scan tuple */

	/* since the start or a rescan */
	bool started;
	TreeThreshold threshold;
	bool self; /* the inner side, which is all in one block, is the outer side, too */
	bool inner_done;
	bool block_shared; /* the first block has been made together with other processes */
	bool outer_done;   /* for this block */
	int chunk_rows;
	JoinPipeline *pipeline; /* of the block; NULL between blocks */
	Size unused;            /* bytes that it took while empty */
	bool searching;         /* the chunk's probes have not all been looked up */
	int32 claimed;          /* trees of the block looked up in a self-join, without workers */
	int32 next_place;       /* of those that are looked up now, in the pipeline's order */
	int32 end_place;
	Match *matches;
	int32 match_count;
	int32 match_capacity;
	int32 next_match;
	Tuplestorestate *store; /* the outer side, where there are several blocks */
	bool replay;            /* from the store */
	TupleTableSlot *store_slot;

	SharedBlock *shared; /* the first block, where the inner side is a part in each process */
	TupleTableSlot *aside_slot;

	TedJoinCounts own_counts;
	TedJoinCounts *counts; /* the same, or a worker's shared ones */
} TedJoinState;

/* Raises an error unless the user may execute a function. */
static void
CheckExecutable(Oid function)
{
	AclResult allowed = FunctionAclCheck(function, GetUserId());

	if (allowed != ACLCHECK_OK)
		aclcheck_error(allowed, OBJECT_FUNCTION, get_func_name(function));
	InvokeFunctionExecuteHook(function);
}

/*
 * Checks the permissions that evaluating the expressions would have checked which
 * the join replaces: the clause, and the measures that take part in an expression.
 */
static void
CheckPermissions(CustomScanState *node)
{
	CustomScan *scan = castNode(CustomScan, node->ss.ps.plan);
	Node *clause = list_nth(scan->custom_exprs, TEDJOIN_CLAUSE);
	List *sources = list_nth(scan->custom_private, TEDJOIN_COLUMNS);
	Bitmapset *used = NULL;
	ListCell *cell;

	ExecInitExpr((Expr *) clause, &node->ss.ps);
	pull_varattnos(clause, INDEX_VAR, &used);
	pull_varattnos((Node *) scan->scan.plan.targetlist, INDEX_VAR, &used);
	pull_varattnos(list_nth(scan->custom_exprs, TEDJOIN_FILTER), INDEX_VAR, &used);
	foreach (cell, scan->custom_scan_tlist)
	{
		const TargetEntry *column = lfirst_node(TargetEntry, cell);

		if (list_nth_int(sources, column->resno - 1) == TEDJOIN_MEASURE &&
			bms_is_member(column->resno - FirstLowInvalidHeapAttributeNumber, used))
			CheckExecutable(castNode(FuncExpr, column->expr)->funcid);
	}
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
	CheckPermissions(node);
	pull_varattnos((Node *) scan->scan.plan.targetlist, INDEX_VAR, &wanted);
	pull_varattnos(list_nth(scan->custom_exprs, TEDJOIN_FILTER), INDEX_VAR, &wanted);
	SideInit(&join->outer, node, 0, TEDJOIN_OUTER_DOCUMENT, 1, wanted, estate, eflags);
	SideInit(&join->inner, node, 1, TEDJOIN_INNER_DOCUMENT, -1, wanted, estate, eflags);
	join->store_slot =
		ExecInitExtraTupleSlot(estate, ExecGetResultType(join->outer.plan), &TTSOpsMinimalTuple);
	join->aside_slot =
		ExecInitExtraTupleSlot(estate, ExecGetResultType(join->inner.plan), &TTSOpsMinimalTuple);
	foreach (cell, (List *) list_nth(scan->custom_private, TEDJOIN_COLUMNS))
		join->measure_columns += lfirst_int(cell) == TEDJOIN_MEASURE;
	join->kind = linitial_int(list_nth(scan->custom_private, TEDJOIN_KIND));
	join->least_cost = lsecond_int(list_nth(scan->custom_private, TEDJOIN_KIND));
	join->limit = ExecInitExpr(list_nth(scan->custom_exprs, TEDJOIN_THRESHOLD), &node->ss.ps);
	node->ss.ps.qual = ExecInitQual(list_nth(scan->custom_exprs, TEDJOIN_FILTER), &node->ss.ps);
	join->chunk_rows = FIRST_CHUNK;
	join->counts = &join->own_counts;
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
	join->threshold =
		ClauseThreshold(join->kind, join->least_cost, value, exprType((Node *) join->limit->expr));
	return !MatchesNothing(&join->threshold);
}

/* Adds a match. */
static void
AddMatch(TedJoinState *join, Match match)
{
	if (join->match_count == join->match_capacity)
	{
		join->match_capacity *= 2;
		join->matches = repalloc_huge(join->matches, sizeof(Match) * (Size) join->match_capacity);
	}
	join->matches[join->match_count++] = match;
}

/* Notes two trees that are within the threshold. */
static void
NoteMatch(void *arg, int32 probe, int32 indexed, int32 distance, int32 larger_size)
{
	TedJoinState *join = arg;

	AddMatch(join, (Match){probe, indexed, distance, larger_size});
	if (join->self)
		AddMatch(join, (Match){indexed, probe, distance, larger_size});
}

/* Memory that grows with the rows read. */
static Size
MemoryUsed(const TedJoinState *join)
{
	return PipelineMemory(join->pipeline) +
		   MemoryContextMemAllocated(join->inner.rows.context, true) +
		   MemoryContextMemAllocated(join->outer.rows.context, true);
}

/* Memory that the join may take. */
static Size
MemoryLimit(void)
{
	return Min(get_hash_memory_limit(), (Size) ted_max_memory * 1024 / 2);
}

/* Opens the pipeline of a block. */
static void
OpenPipeline(TedJoinState *join)
{
	join->pipeline = PipelineOpen(&join->threshold, &join->counts->pairs, NoteMatch, join);
	join->unused = MemoryUsed(join);
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

/* Next row of the inner side. */
static TupleTableSlot *
NextInnerRow(TedJoinState *join)
{
	MinimalTuple tuple;

	if (!join->block_shared)
		return ExecProcNode(join->inner.plan);
	tuple = SharedBlockNextAside(join->shared);
	return tuple == NULL ? ExecClearTuple(join->aside_slot)
						 : ExecStoreMinimalTuple(tuple, join->aside_slot, false);
}

/* Keeps a row of the inner side, to be indexed. */
static void
AddInnerRow(TedJoinState *join, TupleTableSlot *row)
{
	TupleTableSlot *scan = join->css.ss.ss_ScanTupleSlot;
	Datum document;
	int32 number;

	if (!SideReadDocument(&join->inner, &join->css.ss, row, &document))
		return;
	number = PipelineAddIndexed(join->pipeline, document);
	SideKeepRow(&join->inner, number, scan);
	if (join->self)
		SideKeepRow(&join->outer, number,
					SideFill(&join->outer, join->outer.counterpart, row, scan));
}

/* Reads a block of the inner side. */
static void
ReadBlock(TedJoinState *join)
{
	Size limit = join->unused + BLOCK_PART(MemoryLimit());

	while (MemoryUsed(join) < limit)
	{
		TupleTableSlot *row = NextInnerRow(join);

		join->inner_done = TupIsNull(row);
		if (join->inner_done)
			break;
		AddInnerRow(join, row);
	}
}

/* Puts a row of the inner side aside. */
static void
PutAside(TedJoinState *join, TupleTableSlot *row)
{
	bool copied;
	MinimalTuple tuple = ExecFetchSlotMinimalTuple(row, &copied);

	SharedBlockPutAside(join->shared, tuple);
	if (copied)
		heap_free_minimal_tuple(tuple);
}

/* Reads this process's part of the inner side. */
static void
ReadShare(TedJoinState *join)
{
	Size limit = BLOCK_PART(MemoryLimit());
	Size counted = join->unused;
	TupleTableSlot *row;

	while (row = ExecProcNode(join->inner.plan), !TupIsNull(row))
	{
		Size used = MemoryUsed(join);

		if (SharedBlockGrow(join->shared, used - counted) < limit)
			AddInnerRow(join, row);
		else
			PutAside(join, row);
		counted = used;
	}
}

/* Reads a block of the inner side together with other processes. */
static void
ReadTogether(TedJoinState *join)
{
	dsa_area *area = join->css.ss.ps.state->es_query_dsa;

	if (SharedBlockBegin(join->shared))
	{
		ReadShare(join);
		SharedBlockPublish(join->shared, area, join->pipeline, &join->inner.rows,
						   &join->outer.rows);
	}
	SharedBlockImport(join->shared, area, join->pipeline, &join->inner.rows, &join->outer.rows);
	join->block_shared = true;
	join->inner_done = !SharedBlockAnyAside(join->shared);
}

/* Reads and indexes a block of the inner side; false if there is none. */
static bool
OpenBlock(TedJoinState *join)
{
	if (join->inner_done)
		return false;
	OpenPipeline(join);
	if (join->shared != NULL && !join->block_shared)
		ReadTogether(join);
	else
		ReadBlock(join);
	if (join->inner.rows.count == 0)
	{
		PipelineClose(join->pipeline);
		join->pipeline = NULL;
		return false;
	}
	if (!join->inner_done)
		join->self = false;
	if (!join->self)
		SideForgetRows(&join->outer);
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
	SideForgetRows(&join->inner);
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

/* Rows or trees to be looked up next. */
static int
NextChunkRows(TedJoinState *join)
{
	int rows = join->chunk_rows;
	int largest = join->css.ss.ps.plan->parallel_aware ? LARGEST_PARALLEL_CHUNK : LARGEST_CHUNK;

	join->chunk_rows = Min(rows * CHUNK_GROWTH, largest);
	return rows;
}

/* Reads a chunk of the outer side; false if there is none. */
static bool
ReadChunk(TedJoinState *join)
{
	int rows = NextChunkRows(join);
	Size limit;

	SideForgetRows(&join->outer);
	limit = MemoryUsed(join) + CHUNK_PART(MemoryLimit());
	for (int count = 0; count < rows && !join->outer_done; count++)
	{
		TupleTableSlot *row = NextOuterRow(join);
		Datum document;

		if (!join->outer_done && SideReadDocument(&join->outer, &join->css.ss, row, &document))
			SideKeepRow(&join->outer, PipelineAddProbe(join->pipeline, document),
						join->css.ss.ss_ScanTupleSlot);
		if (MemoryUsed(join) > limit)
			break;
	}
	return join->outer.rows.count > 0 || !join->outer_done;
}

/* Turns to the next trees of the block to be looked up in a self-join; false if there are none. */
static bool
ClaimTrees(TedJoinState *join)
{
	int32 trees = PipelineTrees(join->pipeline);
	int32 wanted = NextChunkRows(join);

	if (join->shared != NULL)
		join->next_place = SharedBlockClaim(join->shared, wanted);
	else
	{
		join->next_place = join->claimed;
		join->claimed += wanted;
	}
	join->end_place = Min(join->next_place + wanted, trees);
	return join->next_place < trees;
}

/* Finds matches of the trees claimed with others and with themselves; false if all are found. */
static bool
SearchSelf(TedJoinState *join)
{
	int32 place = join->next_place;

	join->next_place = PipelineRunSelf(join->pipeline, place, join->end_place);
	for (; place < join->next_place; place++)
	{
		int32 tree = PipelineTreeAt(join->pipeline, place);

		AddMatch(join, (Match){.outer = tree, .inner = tree, .distance = 0, .larger_size = 1});
	}
	return join->next_place < join->end_place;
}

/* Starts: reads the threshold. */
static void
Start(TedJoinState *join)
{
	join->started = true;
	/* a row that is looked at again is of one side only */
	join->self = join->outer.counterpart != NULL && join->css.ss.ps.state->es_epq_active == NULL;
	join->claimed = 0;
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
		join->searching = join->self ? SearchSelf(join) : PipelineRunProbes(join->pipeline);
	else if (join->self ? ClaimTrees(join) : ReadChunk(join))
		join->searching = true;
	else
		CloseBlock(join);
	return true;
}

/* Turns to the next pair of rows of the matches found; false if there is none left. */
static bool
NextRows(TedJoinState *join)
{
	if (join->inner.row != NULL)
		SideTurnTo(&join->inner, join->inner.row->next);
	if (join->inner.row != NULL)
		return true;
	if (join->outer.row != NULL)
		SideTurnTo(&join->outer, join->outer.row->next);
	if (join->outer.row == NULL)
	{
		if (join->next_match == join->match_count)
			return false;
		SideTurnTo(&join->outer, join->outer.rows.first[join->matches[join->next_match++].outer]);
	}
	SideTurnTo(&join->inner, join->inner.rows.first[join->matches[join->next_match - 1].inner]);
	return true;
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
	SideDeliver(&join->outer, scan);
	SideDeliver(&join->inner, scan);
	DeliverMeasures(join, &join->matches[join->next_match - 1], scan);
	return ExecStoreVirtualTuple(scan);
}

/*
 * Returns the next row.  This is not ExecScan(), which would ask for a recheck
 * where a row has changed meanwhile (EvalPlanQual): like any other join, this one
 * runs again then, over inputs that yield the row as it is by now.
 */
static TupleTableSlot *
ExecTedJoin(CustomScanState *node)
{
	PlanState *state = &node->ss.ps;
	ExprContext *econtext = state->ps_ExprContext;

	for (;;)
	{
		TupleTableSlot *slot;

		CHECK_FOR_INTERRUPTS();
		ResetExprContext(econtext);
		slot = NextPair(&node->ss);
		if (TupIsNull(slot))
			return state->ps_ProjInfo != NULL ? ExecClearTuple(state->ps_ResultTupleSlot) : slot;
		econtext->ecxt_scantuple = slot;
		if (state->qual == NULL || ExecQual(state->qual, econtext))
			return state->ps_ProjInfo != NULL ? ExecProject(state->ps_ProjInfo) : slot;
		InstrCountFiltered1(node, 1);
	}
}

/* Gives back all that execution has taken. */
static void
FreeExecution(TedJoinState *join)
{
	if (join->pipeline != NULL)
		PipelineClose(join->pipeline);
	join->pipeline = NULL;
	SideForgetRows(&join->outer);
	SideForgetRows(&join->inner);
	if (join->store != NULL)
		tuplestore_end(join->store);
	join->store = NULL;
	if (join->shared != NULL)
		SharedBlockEndReading(join->shared);
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
	join->inner_done = join->outer_done = join->block_shared = false;
	join->chunk_rows = FIRST_CHUNK;
	join->searching = false;
	join->match_count = join->next_match = 0;
	join->replay = false;
	ExecClearTuple(node->ss.ss_ScanTupleSlot);
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

/* Whether each process reads a part of the inner side. */
static bool
InnerIsPartial(const CustomScanState *node)
{
	CustomScan *scan = castNode(CustomScan, node->ss.ps.plan);

	return linitial_int(list_nth(scan->custom_private, TEDJOIN_PARTIAL_INNER)) != 0;
}

/* Says how much memory is shared with workers. */
static Size
EstimateShared(CustomScanState *node, ParallelContext *pcxt)
{
	return SharedCountsBytes(pcxt) + (InnerIsPartial(node) ? SharedBlockBytes(pcxt) : 0);
}

/* Prepares the memory that is shared with workers. */
static void
InitializeShared(CustomScanState *node, ParallelContext *pcxt, void *shared)
{
	TedJoinState *join = (TedJoinState *) node;

	ShareCounts(pcxt, shared, &join->own_counts);
	/* without a segment there are no workers */
	if (InnerIsPartial(node) && pcxt->seg != NULL)
		join->shared = SharedBlockCreate(pcxt, SharedCountsEnd(shared));
}

/* Prepares the shared memory for another run; counts go on. */
static void
ReInitializeShared(CustomScanState *node, ParallelContext *pcxt, void *shared)
{
	TedJoinState *join = (TedJoinState *) node;

	(void) pcxt;
	(void) shared;
	if (join->shared != NULL)
		SharedBlockReset(join->shared, node->ss.ps.state->es_query_dsa);
}

/* Has a worker count in its own place, and take part in the shared block. */
static void
InitializeWorker(CustomScanState *node, shm_toc *toc, void *shared)
{
	TedJoinState *join = (TedJoinState *) node;

	(void) toc;
	join->counts = WorkerCounts(shared);
	if (InnerIsPartial(node))
		join->shared = SharedBlockAttach(SharedCountsEnd(shared));
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
