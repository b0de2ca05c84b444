/*
 * nearest_scan.c
 *	  Executes TedNearest: rows ordered by the distance of their documents from a given one.
 *
 * The rows are read once and kept; rows with equal documents form a list.  A rescan only starts
 * another search, unless the rows depend on a parameter that has changed, or the cost model has
 * changed: rows are read for one cost model.
 *
 * Rows are in groups by their keys, of which a search considers the one that its own keys have; the
 * clauses by which the keys are equal are checked on its rows again.  To find the rows of a group
 * next to each other, rows are sorted.
 */
#include "postgres.h"

#include "access/sysattr.h"
#include "commands/explain.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "utils/memutils.h"
#include "utils/ruleutils.h"

#include "../../common/progress.h"
#include "../../common/host.h"
#include "../../compat.h"
#include "../../index/planner/clause.h"
#include "../../tree/costs/cost_type.h"
#include "../output/match_measures.h"
#include "../search/row_keys.h"
#include "nearest.h"
#include "neighbours.h"
#include "sorted_rows.h"

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
	DocumentType documents;
	ArrayElements elements; /* of documents that are arrays */
	const NeighbourKind *kind;
	ExprState *document;
	ExprState *query;
	RowKeys row_keys;       /* of a row */
	RowKeys keys;           /* of a search */
	ExprState *model_value; /* cost model; NULL for none */
	bool from_row;          /* whether distances are those from a row's document */
	TupleTableSlot *row;    /* slot for a kept row */
	MemoryContext context;  /* of everything that is kept */
	NeighbourCounts counts;
	int64 rows_read;
	ProgressOperation progress;

	/* the rows read; `set` is NULL until they are read */
	RecordStore *rows;
	RecordStore *records; /* the documents of the rows */
	void *set;
	struct varlena *model; /* cost model of `set`; NULL for none */
	bool indexed;

	/* the search since the start or the last rescan */
	bool begun;
	bool no_group; /* whether a key is null, so that no row has an equal one */
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
	nearest->documents = list_nth_int(settings, NEAREST_DOCUMENTS);
	nearest->kind = AreTrees(nearest->documents) ? &NeighbourTrees : &NeighbourStrings;
	CheckMeasures(scan, list_nth(scan->custom_private, NEAREST_MEASURES), used);
	nearest->input = ExecInitNode(linitial(scan->custom_plans), estate, eflags & ~EXEC_FLAG_REWIND);
	node->custom_ps = list_make1(nearest->input);
	nearest->document = ExecInitExpr(list_nth(scan->custom_exprs, NEAREST_DOCUMENT), &node->ss.ps);
	nearest->query = ExecInitExpr(list_nth(scan->custom_exprs, NEAREST_QUERY), &node->ss.ps);
	nearest->row_keys =
		RowKeysInit(list_nth(scan->custom_exprs, NEAREST_ROW_KEYS),
					list_nth(scan->custom_private, NEAREST_ROW_HASHES),
					list_nth(scan->custom_private, NEAREST_COLLATIONS), &node->ss.ps);
	nearest->keys = RowKeysInit(list_nth(scan->custom_exprs, NEAREST_KEYS),
								list_nth(scan->custom_private, NEAREST_HASHES),
								list_nth(scan->custom_private, NEAREST_COLLATIONS), &node->ss.ps);
	if (list_length(scan->custom_exprs) > NEAREST_MODEL)
		nearest->model_value =
			ExecInitExpr(list_nth(scan->custom_exprs, NEAREST_MODEL), &node->ss.ps);
	nearest->from_row = list_nth_int(settings, NEAREST_FROM_ROW) != 0;
	nearest->elements = (ArrayElements){(Oid) list_nth_int(settings, NEAREST_ELEMENTS),
										(Oid) list_nth_int(settings, NEAREST_COLLATION)};
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

/* Frees the rows read, and the set of documents. */
static void
ForgetRows(TedNearestState *nearest)
{
	ExecClearTuple(nearest->row);
	if (nearest->set == NULL)
		return;
	ProgressEnd(&nearest->progress);
	nearest->kind->free(nearest->set);
	nearest->set = NULL;
	nearest->model = NULL;
	nearest->indexed = false;
	RecordsFree(nearest->rows);
	RecordsFree(nearest->records);
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

	StoreMeasures(nearest->measures, match, nearest->documents, 1, scan);
	ExecStoreVirtualTuple(scan);
}

/* Returns the memory of everything that is kept, in bytes. */
static Size
Memory(const TedNearestState *nearest)
{
	return nearest->kind->memory(nearest->set) + RecordsMemory(nearest->records) +
		   RecordsMemory(nearest->rows);
}

/*
 * Keeps a row and its document.  If memory does not suffice, rows are moved to a file before
 * documents, which are read more often.
 */
static void
AddRow(TedNearestState *nearest, int32 group, const Datum *document, TupleTableSlot *row,
	   Size memory)
{
	MemoryContext caller;
	int64 *first_row = nearest->kind->add(nearest->set, group, document);
	TupleDesc type = row->tts_tupleDescriptor;
	bool *isnull = palloc_array(bool, type->natts);
	RowHeader header = {.next = *first_row};
	MinimalTuple tuple;

	for (int i = 0; i < type->natts; i++)
		isnull[i] = row->tts_isnull[i] || !nearest->wanted[i];
	tuple = FormMinimalTuple(type, row->tts_values, isnull);
	header.bytes = tuple->t_len;
	*first_row = RecordsAdd(nearest->rows, (const char *) &header, sizeof(header));
	RecordsAdd(nearest->rows, (const char *) tuple, header.bytes);
	caller = MemoryContextSwitchTo(nearest->context);
	if (Memory(nearest) > memory)
		RecordsMoveToFile(nearest->rows);
	if (Memory(nearest) > memory)
		nearest->kind->spill(nearest->set);
	MemoryContextSwitchTo(caller);
}

/* Evaluates the group and the document of a row; returns false if a key is null. */
static bool
ReadTableRow(TedNearestState *nearest, TupleTableSlot *row, SortedRow *read)
{
	ExprContext *econtext = nearest->css.ss.ps.ps_ExprContext;
	bool isnull;

	ResetExprContext(econtext);
	econtext->ecxt_scantuple = FillColumns(nearest, row);
	FillMeasures(nearest, NULL);
	*read = (SortedRow){0};
	if (!RowKeysGroup(&nearest->row_keys, econtext, &read->group))
		return false;
	read->document = ExecEvalExpr(nearest->document, econtext, &isnull);
	read->has_document = !isnull;
	return true;
}

/* Makes an empty sort for the rows; NULL if they need not be sorted. */
static SortedRows *
BeginSort(const TedNearestState *nearest, Size memory)
{
	const CustomScan *scan = (const CustomScan *) nearest->css.ss.ps.plan;
	const Var *column = list_nth(scan->custom_exprs, NEAREST_DOCUMENT);
	Oid type = exprType((const Node *) column);

	if (nearest->row_keys.count == 0 && nearest->kind->sort == NULL)
		return NULL;
	while (IsA(column, RelabelType))
		column = (const Var *) ((const RelabelType *) column)->arg;
	return SortedRowsCreate(
		ExecGetResultType(nearest->input), nearest->wanted, type,
		IsA(column, Var) && column->varattno <= nearest->columns ? column->varattno - 1 : -1,
		memory);
}

/* Reads the rows of the input; keeps them, or passes them to a sort. */
static void
ReadInput(TedNearestState *nearest, SortedRows *sorted, Size memory)
{
	ExprContext *econtext = nearest->css.ss.ps.ps_ExprContext;

	for (;;)
	{
		TupleTableSlot *row = ExecProcNode(nearest->input);
		MemoryContext caller;
		SortedRow read;

		if (TupIsNull(row))
			break;
		ProgressAtWork(&nearest->progress);
		CheckInterrupts();
		nearest->rows_read++;
		caller = MemoryContextSwitchTo(econtext->ecxt_per_tuple_memory);
		if (ReadTableRow(nearest, row, &read))
		{
			if (sorted != NULL)
			{
				/* rows of a group without a given order are sorted by their ordinals */
				if (nearest->kind->sort == NULL)
					read.size = (int32) Min(nearest->rows_read, PG_INT32_MAX);
				else if (read.has_document)
					nearest->kind->sort(nearest->set, read.document, &read.size, &read.hash);
				SortedRowsAdd(sorted, &read, row);
			}
			else
				AddRow(nearest, read.group, read.has_document ? &read.document : NULL, row, memory);
		}
		MemoryContextSwitchTo(caller);
	}
}

/* Keeps the rows of a sort. */
static void
KeepSortedRows(TedNearestState *nearest, SortedRows *sorted, Size memory)
{
	ExprContext *econtext = nearest->css.ss.ps.ps_ExprContext;
	MemoryContext caller = MemoryContextSwitchTo(econtext->ecxt_per_tuple_memory);
	TupleTableSlot *row;
	SortedRow read;

	SortedRowsSort(sorted);
	while ((row = SortedRowsNext(sorted, &read)) != NULL)
	{
		ProgressAtWork(&nearest->progress);
		CheckInterrupts();
		AddRow(nearest, read.group, read.has_document ? &read.document : NULL, row, memory);
		ResetExprContext(econtext);
	}
	MemoryContextSwitchTo(caller);
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
	Size memory = get_hash_memory_limit();
	MemoryContext caller = MemoryContextSwitchTo(nearest->context);
	NeighbourSetup setup;
	SortedRows *sorted;

	nearest->model = model == (Datum) 0 ? NULL : PG_DETOAST_DATUM_COPY(model);

	MemoryContextSwitchTo(nearest->css.ss.ps.state->es_query_cxt);
	nearest->progress.name = "TedNearest";
	nearest->progress.report = ReportNearestScan;
	nearest->progress.arg = nearest;
	ProgressBegin(&nearest->progress);
	MemoryContextSwitchTo(nearest->context);
	nearest->rows = RecordsCreate();
	nearest->records = RecordsCreate();
	nearest->counts.documents = 0;
	nearest->rows_read = 0;
	setup = (NeighbourSetup){.documents = nearest->documents,
							 .elements = nearest->elements,
							 .order = nearest->order,
							 .model = ModelFromQuery(nearest),
							 .records = nearest->records,
							 .counts = &nearest->counts};
	nearest->set = nearest->kind->create(&setup);
	MemoryContextSwitchTo(caller);
	sorted = BeginSort(nearest, memory / 2);
	ReadInput(nearest, sorted, memory);
	if (sorted != NULL)
	{
		KeepSortedRows(nearest, sorted, memory / 2);
		SortedRowsFree(sorted);
	}
	nearest->kind->index(nearest->set, memory);
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

/*
 * Evaluates the query's cost model; reads the rows unless that has been done for this model.  Sets
 * `*isnull` if the model is null.
 */
static void
ReadRowsForQuery(TedNearestState *nearest, bool *isnull)
{
	ExprContext *econtext = nearest->css.ss.ps.ps_ExprContext;
	Datum model = (Datum) 0;

	ResetExprContext(econtext);
	*isnull = false;
	if (nearest->model_value != NULL)
	{
		model = ExecEvalExprSwitchContext(nearest->model_value, econtext, isnull);
		if (*isnull)
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

/* Begins a search for the current values of the query's keys and document. */
static void
BeginSearch(TedNearestState *nearest)
{
	ExprContext *econtext = nearest->css.ss.ps.ps_ExprContext;
	MemoryContext caller;
	bool no_model;
	bool isnull;
	Datum query;
	int32 group;

	ReadRowsForQuery(nearest, &no_model);
	ResetExprContext(econtext);
	caller = MemoryContextSwitchTo(econtext->ecxt_per_tuple_memory);
	query = ExecEvalExpr(nearest->query, econtext, &isnull);
	nearest->no_group = !RowKeysGroup(&nearest->keys, econtext, &group);
	MemoryContextSwitchTo(caller);
	if (!nearest->no_group)
		nearest->kind->search(nearest->set, group, no_model || isnull ? NULL : &query,
							  nearest->wanted_rows);
	nearest->next_row = NO_ROW;
	nearest->begun = true;
}

/* Fills the scan tuple with the next row; returns false at the end. */
static bool
NextNearestRow(TedNearestState *nearest)
{
	Match match;
	RowHeader header;
	MinimalTuple tuple;

	ProgressAtWork(&nearest->progress);
	if (!nearest->begun)
		BeginSearch(nearest);
	if (nearest->no_group)
		return false;
	while (nearest->next_row == NO_ROW)
	{
		if (!nearest->kind->next(nearest->set, &nearest->found))
			return false;
		nearest->next_row = nearest->found.first_row;
	}
	RecordsRead(nearest->rows, nearest->next_row, (char *) &header, sizeof(header));
	tuple = MemoryContextAllocHuge(nearest->css.ss.ps.state->es_query_cxt, header.bytes);
	RecordsRead(nearest->rows, nearest->next_row + (int64) sizeof(header), (char *) tuple,
				header.bytes);
	ExecStoreMinimalTuple(tuple, nearest->row, true);
	nearest->next_row = header.next;
	FillColumns(nearest, nearest->row);
	if (!nearest->found.measured)
		FillMeasures(nearest, NULL);
	else if (nearest->model_value != NULL)
	{
		TupleTableSlot *scan = nearest->css.ss.ss_ScanTupleSlot;

		scan->tts_isnull[nearest->columns] = false;
		scan->tts_values[nearest->columns] = Float8GetDatum(
			nearest->order == ROLE_SIMILARITY ? -nearest->found.key : nearest->found.key);
		ExecStoreVirtualTuple(scan);
	}
	else
	{
		match = (Match){.distance = nearest->found.distance,
						.larger_size = nearest->found.larger_size,
						.smaller_size = nearest->found.smaller_size};
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
		nearest->kind->end_search(nearest->set);
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
	const TedNearestState *nearest = (TedNearestState *) node;
	const NeighbourCounts *counts = &nearest->counts;
	CustomScan *scan = castNode(CustomScan, node->ss.ps.plan);
	List *context = set_deparse_context_plan(es->deparse_cxt, &scan->scan.plan, ancestors);
	Node *order = list_nth(scan->custom_exprs, NEAREST_ORDER);
	Node *keys = list_nth(scan->custom_exprs, NEAREST_ROW_KEYS);
	bool are_trees = AreTrees(nearest->documents);

	if (keys != NULL)
		ExplainPropertyText("Groups", deparse_expression(keys, context, true, false), es);
	ExplainPropertyText("Order By", deparse_expression(order, context, true, false), es);
	if (!es->analyze)
		return;
	ExplainPropertyInteger(are_trees ? "Trees" : "Strings", NULL, counts->documents, es);
	ExplainPropertyInteger("Searches", NULL, counts->searches, es);
	ExplainPropertyInteger(are_trees ? "Pairs Removed by Labels" : "Pairs Removed by Lengths", NULL,
						   counts->pairs - counts->bounded, es);
	if (are_trees)
		ExplainPropertyInteger(list_length(scan->custom_exprs) > NEAREST_MODEL
								   ? "Pairs Removed by Bounds"
								   : "Pairs Removed by Euler Strings",
							   NULL, counts->bounded - counts->computed, es);
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
