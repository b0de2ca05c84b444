/*
 * nearest_scan.c
 *	  Executes TedNearest: rows ordered by the distance of their documents from a given one.
 *
 * The rows are read once and kept, by the numbers that neighbours.c gives to their documents.  A
 * rescan only starts another search, unless the rows depend on a parameter that has changed, or the
 * cost model has changed: rows are read for one cost model.
 */
#include "postgres.h"

#include "access/sysattr.h"
#include "commands/explain.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "optimizer/optimizer.h"
#include "utils/memutils.h"
#include "utils/ruleutils.h"

#include "../../common/progress.h"
#include "../../common/host.h"
#include "../../compat.h"
#include "../../index/planner/clause.h"
#include "../../tree/costs/cost_type.h"
#include "../output/match_measures.h"
#include "nearest.h"
#include "neighbours.h"

/* End of a list of rows. */
#define NO_ROW (-1)

/* Header of a kept row. */
typedef struct RowHeader
{
	int64 next; /* next row with an equal document, or NO_ROW */
	Size bytes;
} RowHeader;

typedef struct TedNearestState
{
	CustomScanState css;
	PlanState *input;
	int columns;     /* number of columns of the input, which come first in the scan tuple */
	bool *wanted;    /* whether each column is used */
	List *measures;  /* FunctionRole of each measure, which are the last columns */
	int wanted_rows; /* estimate */
	FunctionRole order;
	ExprState *document;
	ExprState *query;
	ExprState *model_value; /* cost model; NULL for none */
	bool from_row;          /* whether distances are those from a row's document */
	TupleTableSlot *row;    /* slot for a kept row */
	MemoryContext context;  /* of everything that is kept */
	NeighbourCounts counts;
	int64 rows_read;
	ProgressOperation progress;

	/* the rows read; `set` is NULL until they are read */
	RecordStore *rows;
	RecordStore *trees; /* the documents of the rows */
	Neighbours *set;
	struct varlena *model; /* cost model of `set`; NULL for none */
	int64 *first_row;      /* first row of each document, by its number */
	bool indexed;
	int32 documents;
	int32 capacity;
	int64 first_treeless; /* first row without a document */

	/* the search since the start or the last rescan */
	bool begun;
	bool no_query;       /* whether the document or the cost model is null: all distances are null,
						  * too */
	int32 next_document; /* next document of a search without a query */
	bool documents_done;
	Neighbour found;
	int64 next_row; /* next row of the document found */
} TedNearestState;

/* Starts execution. */
static void
BeginTedNearest(CustomScanState *node, EState *estate, int eflags)
{
	TedNearestState *nearest = (TedNearestState *) node;
	CustomScan *scan = castNode(CustomScan, node->ss.ps.plan);
	List *settings = list_nth(scan->custom_private, NEAREST_SETTINGS);
	Bitmapset *used = UsedColumns(scan);
	Oid function = linitial_oid(list_nth(scan->custom_private, NEAREST_FUNCTION));

	Assert((eflags & (EXEC_FLAG_BACKWARD | EXEC_FLAG_MARK)) == 0);
	CheckExecutable(function);
	nearest->order = WhichFunction(function).role;
	CheckMeasures(scan, list_nth(scan->custom_private, NEAREST_MEASURES), used);
	nearest->input = ExecInitNode(linitial(scan->custom_plans), estate, eflags & ~EXEC_FLAG_REWIND);
	node->custom_ps = list_make1(nearest->input);
	nearest->document = ExecInitExpr(list_nth(scan->custom_exprs, NEAREST_DOCUMENT), &node->ss.ps);
	nearest->query = ExecInitExpr(list_nth(scan->custom_exprs, NEAREST_QUERY), &node->ss.ps);
	if (list_length(scan->custom_exprs) > NEAREST_MODEL)
		nearest->model_value =
			ExecInitExpr(list_nth(scan->custom_exprs, NEAREST_MODEL), &node->ss.ps);
	nearest->from_row = list_nth_int(settings, NEAREST_FROM_ROW) != 0;
	nearest->measures = list_nth(scan->custom_private, NEAREST_MEASURES);
	nearest->wanted_rows = list_nth_int(settings, NEAREST_WANTED);
	nearest->columns = list_nth_int(settings, NEAREST_COLUMNS);
	nearest->wanted = palloc_array(bool, nearest->columns);
	for (int i = 0; i < nearest->columns; i++)
		nearest->wanted[i] = bms_is_member(i + 1 - FirstLowInvalidHeapAttributeNumber, used);
	nearest->row =
		ExecInitExtraTupleSlot(estate, ExecGetResultType(nearest->input), &TTSOpsMinimalTuple);
	nearest->context =
		AllocSetContextCreate(estate->es_query_cxt, "ted nearest", ALLOCSET_DEFAULT_SIZES);
}

/* Reports the progress of the node; it is not known how many documents a search will consider. */
static void
ReportNearestScan(void *arg, ProgressReport *report)
{
	const TedNearestState *nearest = arg;

	report->phase = nearest->indexed ? "searching" : "reading documents";
	report->own = (ProgressCounts){.documents = nearest->rows_read,
								   .pairs = nearest->counts.pairs,
								   .verified = nearest->counts.computed,
								   .results = nearest->counts.found};
	report->all = report->own;
}

/* Begins to report progress, if that is enabled. */
static void
BeginNearestProgress(TedNearestState *nearest)
{
	MemoryContext caller = MemoryContextSwitchTo(nearest->css.ss.ps.state->es_query_cxt);

	nearest->progress.name = "TedNearest";
	nearest->progress.report = ReportNearestScan;
	nearest->progress.arg = nearest;
	ProgressBegin(&nearest->progress);
	MemoryContextSwitchTo(caller);
}

/* Frees the rows read, and the set of documents. */
static void
ForgetRows(TedNearestState *nearest)
{
	ExecClearTuple(nearest->row);
	if (nearest->set == NULL)
		return;
	ProgressEnd(&nearest->progress);
	NeighboursFree(nearest->set);
	nearest->set = NULL;
	nearest->model = NULL;
	nearest->indexed = false;
	RecordsFree(nearest->rows);
	RecordsFree(nearest->trees);
	MemoryContextReset(nearest->context);
}

/* Copies the columns of a row to the scan tuple. */
static TupleTableSlot *
FillColumns(TedNearestState *nearest, TupleTableSlot *row)
{
	TupleTableSlot *scan = nearest->css.ss.ss_ScanTupleSlot;

	ExecClearTuple(scan);
	slot_getallattrs(row);
	for (int i = 0; i < nearest->columns; i++)
	{
		scan->tts_values[i] = row->tts_values[i];
		scan->tts_isnull[i] = row->tts_isnull[i];
	}
	return scan;
}

/* Completes the scan tuple with measures of a match; with nulls if it is NULL. */
static void
FillMeasures(TedNearestState *nearest, const Match *match)
{
	TupleTableSlot *scan = nearest->css.ss.ss_ScanTupleSlot;

	StoreMeasures(nearest->measures, match, DOCUMENT_TREE, 1, scan);
	ExecStoreVirtualTuple(scan);
}

/* Completes the scan tuple with the measure by the cost model, from a Neighbour's key. */
static void
FillMeasureByModel(TedNearestState *nearest, float8 key)
{
	TupleTableSlot *scan = nearest->css.ss.ss_ScanTupleSlot;

	scan->tts_isnull[nearest->columns] = false;
	scan->tts_values[nearest->columns] =
		Float8GetDatum(nearest->order == ROLE_SIMILARITY ? -key : key);
	ExecStoreVirtualTuple(scan);
}

/* Returns the place of the first row of a document, NO_ROW for a new document. */
static int64 *
FirstRowOf(TedNearestState *nearest, int32 number)
{
	if (number == nearest->documents)
	{
		RESERVE(nearest->context, nearest->first_row, nearest->capacity, nearest->documents + 1);
		nearest->first_row[nearest->documents++] = NO_ROW;
	}
	return &nearest->first_row[number];
}

/* Keeps a row; inserts it before row `*first`. */
static void
KeepRow(TedNearestState *nearest, TupleTableSlot *row, int64 *first)
{
	TupleDesc type = row->tts_tupleDescriptor;
	bool *isnull = palloc_array(bool, type->natts);
	RowHeader header = {.next = *first};
	MinimalTuple tuple;

	for (int i = 0; i < type->natts; i++)
		isnull[i] = row->tts_isnull[i] || !nearest->wanted[i];
	tuple = FormMinimalTuple(type, row->tts_values, isnull);
	header.bytes = tuple->t_len;
	*first = RecordsAdd(nearest->rows, (const char *) &header, sizeof(header));
	RecordsAdd(nearest->rows, (const char *) tuple, header.bytes);
}

/* Reads a kept row into nearest->row; returns the next row with an equal document. */
static int64
ReadKeptRow(TedNearestState *nearest, int64 position)
{
	RowHeader header;
	MinimalTuple tuple;

	RecordsRead(nearest->rows, position, (char *) &header, sizeof(header));
	tuple = MemoryContextAllocHuge(nearest->css.ss.ps.state->es_query_cxt, header.bytes);
	RecordsRead(nearest->rows, position + (int64) sizeof(header), (char *) tuple, header.bytes);
	ExecStoreMinimalTuple(tuple, nearest->row, true);
	return header.next;
}

/* Returns the memory of everything that is kept, in bytes. */
static Size
Memory(const TedNearestState *nearest)
{
	return NeighboursMemory(nearest->set) + RecordsMemory(nearest->trees) +
		   RecordsMemory(nearest->rows) + sizeof(int64) * (Size) nearest->capacity;
}

/*
 * Keeps a row of the input and its document.  If memory does not suffice, rows are moved to a file
 * before trees, which are read more often.
 */
static void
AddInputRow(TedNearestState *nearest, TupleTableSlot *row)
{
	ExprContext *econtext = nearest->css.ss.ps.ps_ExprContext;
	MemoryContext caller;
	bool isnull;
	Datum document;

	ResetExprContext(econtext);
	econtext->ecxt_scantuple = FillColumns(nearest, row);
	FillMeasures(nearest, NULL);
	document = ExecEvalExprSwitchContext(nearest->document, econtext, &isnull);
	caller = MemoryContextSwitchTo(econtext->ecxt_per_tuple_memory);
	KeepRow(nearest, row,
			isnull ? &nearest->first_treeless
				   : FirstRowOf(nearest, NeighboursAdd(nearest->set, document)));
	MemoryContextSwitchTo(caller);
	if (Memory(nearest) > get_hash_memory_limit())
		RecordsMoveToFile(nearest->rows);
	if (Memory(nearest) > get_hash_memory_limit())
		RecordsMoveToFile(nearest->trees);
}

/* Returns the cost model of distances from the query's document; NULL for unit costs. */
static const CostModel *
ModelFromQuery(const TedNearestState *nearest)
{
	const CostModel *model;

	if (nearest->model == NULL)
		return NULL;
	model = DatumGetCostModel(PointerGetDatum(nearest->model));
	return nearest->from_row ? CostModelTransposed(model) : model;
}

/* Reads all rows of the input, for a cost model or 0. */
static void
ReadInputRows(TedNearestState *nearest, Datum model)
{
	MemoryContext caller = MemoryContextSwitchTo(nearest->context);

	nearest->model = model == (Datum) 0 ? NULL : PG_DETOAST_DATUM_COPY(model);

	BeginNearestProgress(nearest);
	nearest->rows = RecordsCreate();
	nearest->trees = RecordsCreate();
	nearest->counts.trees = 0;
	nearest->rows_read = 0;
	nearest->set = NeighboursCreate(nearest->trees, ModelFromQuery(nearest), &nearest->counts);
	nearest->documents = 0;
	nearest->capacity = 64;
	nearest->first_row = palloc_array(int64, nearest->capacity);
	nearest->first_treeless = NO_ROW;
	MemoryContextSwitchTo(caller);
	for (;;)
	{
		TupleTableSlot *row = ExecProcNode(nearest->input);

		if (TupIsNull(row))
			break;
		ProgressAtWork(&nearest->progress);
		CheckInterrupts();
		nearest->rows_read++;
		AddInputRow(nearest, row);
	}
	NeighboursIndex(nearest->set, get_hash_memory_limit());
	nearest->indexed = true;
}

/* Whether the rows have been read for this cost model. */
static bool
IsReadFor(const TedNearestState *nearest, Datum model)
{
	struct varlena *value;
	bool same;

	if (nearest->set == NULL || model == (Datum) 0)
		return nearest->set != NULL;
	value = PG_DETOAST_DATUM(model);
	same = nearest->model != NULL && VARSIZE(value) == VARSIZE(nearest->model) &&
		   memcmp(value, nearest->model, VARSIZE(value)) == 0;
	if ((Pointer) value != DatumGetPointer(model))
		pfree(value);
	return same;
}

/* Evaluates the query's cost model; reads the rows unless that has been done for this model. */
static void
ReadRowsForQuery(TedNearestState *nearest)
{
	ExprContext *econtext = nearest->css.ss.ps.ps_ExprContext;
	Datum model = (Datum) 0;

	ResetExprContext(econtext);
	if (nearest->model_value != NULL)
	{
		model = ExecEvalExprSwitchContext(nearest->model_value, econtext, &nearest->no_query);
		if (nearest->no_query)
			model = (Datum) 0;
	}
	if (IsReadFor(nearest, model))
		return;
	if (nearest->set != NULL)
	{
		ForgetRows(nearest);
		ExecReScan(nearest->input);
	}
	ReadInputRows(nearest, model);
}

/* Begins a search for the current value of the query's document. */
static void
BeginSearch(TedNearestState *nearest)
{
	ExprContext *econtext = nearest->css.ss.ps.ps_ExprContext;
	bool isnull;
	Datum query;

	nearest->no_query = false;
	ReadRowsForQuery(nearest);
	ResetExprContext(econtext);
	query = ExecEvalExprSwitchContext(nearest->query, econtext, &isnull);
	nearest->no_query = nearest->no_query || isnull;
	if (!nearest->no_query)
		NeighboursSearch(nearest->set, query, nearest->order, nearest->wanted_rows);
	nearest->next_document = 0;
	nearest->documents_done = false;
	nearest->next_row = NO_ROW;
	nearest->begun = true;
}

/* Advances to the rows of the next document, and finally to rows without one; false at the end. */
static bool
NextDocument(TedNearestState *nearest)
{
	if (nearest->documents_done)
		return false;
	if (nearest->no_query && nearest->next_document < nearest->documents)
		nearest->next_row = nearest->first_row[nearest->next_document++];
	else if (!nearest->no_query && NeighboursNext(nearest->set, &nearest->found))
		nearest->next_row = nearest->first_row[nearest->found.number];
	else
	{
		nearest->documents_done = true;
		nearest->next_row = nearest->first_treeless;
	}
	return true;
}

/* Fills the scan tuple with the next row; returns false at the end. */
static bool
NextNearestRow(TedNearestState *nearest)
{
	Match match;

	ProgressAtWork(&nearest->progress);
	if (!nearest->begun)
		BeginSearch(nearest);
	while (nearest->next_row == NO_ROW)
		if (!NextDocument(nearest))
			return false;
	nearest->next_row = ReadKeptRow(nearest, nearest->next_row);
	FillColumns(nearest, nearest->row);
	if (nearest->no_query || nearest->documents_done)
		FillMeasures(nearest, NULL);
	else if (nearest->model_value != NULL)
		FillMeasureByModel(nearest, nearest->found.key);
	else
	{
		int32 size = NeighboursSearchedSize(nearest->set);

		match = (Match){.distance = nearest->found.distance,
						.larger_size = Max(size, nearest->found.size),
						.smaller_size = Min(size, nearest->found.size)};
		FillMeasures(nearest, &match);
	}
	return true;
}

/* Returns the next row.  Like TedJoin, this node does not use ExecScan() and its EPQ rechecks. */
static TupleTableSlot *
ExecTedNearest(CustomScanState *node)
{
	PlanState *state = &node->ss.ps;
	ExprContext *econtext = state->ps_ExprContext;
	TupleTableSlot *scan = node->ss.ss_ScanTupleSlot;

	while (NextNearestRow((TedNearestState *) node))
	{
		CheckInterrupts();
		ResetExprContext(econtext);
		econtext->ecxt_scantuple = scan;
		if (state->qual == NULL || ExecQual(state->qual, econtext))
			return state->ps_ProjInfo != NULL ? ExecProject(state->ps_ProjInfo) : scan;
		InstrCountFiltered1(node, 1);
	}
	return ExecClearTuple(state->ps_ProjInfo != NULL ? state->ps_ResultTupleSlot : scan);
}

/* Restarts the node; keeps the rows read unless they depend on a changed parameter. */
static void
ReScanTedNearest(CustomScanState *node)
{
	TedNearestState *nearest = (TedNearestState *) node;

	ExecClearTuple(node->ss.ss_ScanTupleSlot);
	ExecClearTuple(nearest->row);
	nearest->begun = false;
	if (nearest->set != NULL)
		NeighboursEndSearch(nearest->set);
	if (node->ss.ps.chgParam != NULL)
		UpdateChangedParamSet(nearest->input, node->ss.ps.chgParam);
	if (nearest->input->chgParam != NULL) /* ExecProcNode() rescans the input */
		ForgetRows(nearest);
}

/* Ends execution. */
static void
EndTedNearest(CustomScanState *node)
{
	TedNearestState *nearest = (TedNearestState *) node;

	ForgetRows(nearest);
	ExecEndNode(nearest->input);
}

/* Shows the order and the counts of the node. */
static void
ExplainTedNearest(CustomScanState *node, List *ancestors, ExplainState *es)
{
	const NeighbourCounts *counts = &((TedNearestState *) node)->counts;
	CustomScan *scan = castNode(CustomScan, node->ss.ps.plan);
	List *context = set_deparse_context_plan(es->deparse_cxt, &scan->scan.plan, ancestors);
	Node *order = list_nth(scan->custom_exprs, NEAREST_ORDER);

	ExplainPropertyText("Order By", deparse_expression(order, context, true, false), es);
	if (!es->analyze)
		return;
	ExplainPropertyInteger("Trees", NULL, counts->trees, es);
	ExplainPropertyInteger("Searches", NULL, counts->searches, es);
	ExplainPropertyInteger("Pairs Removed by Labels", NULL, counts->pairs - counts->labels, es);
	ExplainPropertyInteger(list_length(scan->custom_exprs) > NEAREST_MODEL
							   ? "Pairs Removed by Bounds"
							   : "Pairs Removed by Euler Strings",
						   NULL, counts->labels - counts->computed, es);
	ExplainPropertyInteger("Pairs Verified", NULL, counts->computed, es);
	ExplainPropertyInteger("Batches", NULL, counts->batches, es);
	ExplainEngine(&counts->engine, es);
}

static const CustomExecMethods exec_methods = {
	.CustomName = "TedNearest",
	.BeginCustomScan = BeginTedNearest,
	.ExecCustomScan = ExecTedNearest,
	.EndCustomScan = EndTedNearest,
	.ReScanCustomScan = ReScanTedNearest,
	.ExplainCustomScan = ExplainTedNearest,
};

/* Makes the state of the node. */
static Node *
CreateTedNearestState(CustomScan *scan)
{
	TedNearestState *nearest = palloc0_object(TedNearestState);

	(void) scan;
	NodeSetTag(nearest, T_CustomScanState);
	nearest->css.methods = &exec_methods;
	return (Node *) nearest;
}

const CustomScanMethods TedNearestScanMethods = {.CustomName = "TedNearest",
												 .CreateCustomScanState = CreateTedNearestState};
