/*
 * cells.c
 *	  Which cells of a join over several servers documents belong to, so that documents that match
 *	  have one in common; the first one in common finds the pair.
 *
 * Trees belong to the cells of their rarest nodes, like those of one server to partitions
 * (partition_rule.h).  Servers that have the trees count labels, and list the rarest nodes; one
 * server assigns these nodes to cells, and sends the rule back.  Other documents, and trees for
 * which the threshold allows many operations, belong to cells by their sizes and by hashes.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "funcapi.h"
#include "lib/stringinfo.h"
#include "libpq/pqformat.h"
#include "miscadmin.h"
#include "parser/parse_func.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

#include "../compat.h"
#include "../join/search/partition_rule.h"
#include "../join/search/search.h"
#include "../tree/value/tree.h"

/* Bytes of a rule for each document, as far as these are within limits. */
#define RULE_BYTES_PER_DOCUMENT 8
#define LEAST_RULE_BYTES ((Size) 64 << 10)
#define MOST_RULE_BYTES ((Size) 4 << 20)

/* Integers that describe a cell by sizes. */
enum
{
	CELL_LOW,   /* least size of documents that it has */
	CELL_REACH, /* what all sizes are below */
	CELL_PARTS, /* into which hashes divide documents */
	CELL_PART,  /* which it has, and */
	CELL_OTHER,
	CELL_INTEGERS
};

/* The description of the rows that a function returns. */
static TupleDesc
ResultRow(FunctionCallInfo fcinfo, MemoryContext context)
{
	MemoryContext caller = MemoryContextSwitchTo(context);
	TupleDesc row;

	if (get_call_result_type(fcinfo, NULL, &row) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	MemoryContextSwitchTo(caller);
	return row;
}

/* Refuses an argument that no function of this extension returns. */
static void
InvalidArgument(const char *what)
{
	ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("invalid %s of a join", what),
					errhint("Call tree_within_pairs_distributed() or "
							"lcs_similar_pairs_distributed(), which call this function.")));
}

/* The integers of an array. */
static const int32 *
ReadIntegers(ArrayType *array, int *count)
{
	if (ARR_ELEMTYPE(array) != INT4OID || array_contains_nulls(array))
		InvalidArgument("array");
	*count = ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array));
	return (const int32 *) ARR_DATA_PTR(array);
}

/* An array of integers. */
static Datum
MakeIntegers(const int32 *integers, int count)
{
	Datum *values = palloc_array(Datum, Max(count, 1));

	for (int i = 0; i < count; i++)
		values[i] = Int32GetDatum(integers[i]);
	return PointerGetDatum(construct_array(values, count, INT4OID, 4, true, TYPALIGN_INT));
}

/* Counts of labels in a value. */
static int32 *
ReadCounts(bytea *value)
{
	if (VARSIZE_ANY_EXHDR(value) != LABEL_COUNTS * sizeof(int32))
		InvalidArgument("count");
	return (int32 *) VARDATA(value);
}

/* The state of an aggregate of counts, which may be changed; a new one without a state. */
static bytea *
CountsState(FunctionCallInfo fcinfo)
{
	MemoryContext context;
	bool own = AggCheckCallContext(fcinfo, &context) != 0;
	MemoryContext caller = MemoryContextSwitchTo(own ? context : CurrentMemoryContext);
	bytea *state;

	if (PG_ARGISNULL(0))
	{
		state = palloc0(VARHDRSZ + LABEL_COUNTS * sizeof(int32));
		SET_VARSIZE(state, VARHDRSZ + LABEL_COUNTS * sizeof(int32));
	}
	else
		state = own ? PG_GETARG_BYTEA_P(0) : PG_GETARG_BYTEA_P_COPY(0);
	MemoryContextSwitchTo(caller);
	return state;
}

PG_FUNCTION_INFO_V1(ted_label_counts_transfn);

/* Counts the labels of a tree. */
Datum
ted_label_counts_transfn(PG_FUNCTION_ARGS)
{
	bytea *state = CountsState(fcinfo);

	if (!PG_ARGISNULL(1))
		CountTreeLabels(ReadCounts(state), &TreeDocuments, PG_GETARG_DATUM(1));
	PG_RETURN_BYTEA_P(state);
}

PG_FUNCTION_INFO_V1(ted_label_counts_combine);

/* Adds counts. */
Datum
ted_label_counts_combine(PG_FUNCTION_ARGS)
{
	bytea *state = CountsState(fcinfo);
	int32 *counts = ReadCounts(state);

	if (!PG_ARGISNULL(1))
	{
		const int32 *more = ReadCounts(PG_GETARG_BYTEA_P(1));

		for (int i = 0; i < LABEL_COUNTS; i++)
			counts[i] = (int32) Min((int64) counts[i] + more[i], PG_INT32_MAX);
	}
	PG_RETURN_BYTEA_P(state);
}

/* The rarest nodes of a tree in an argument. */
static int
RarestNodes(const int32 *counts, int32 max_distance, Datum tree,
			uint32 node[MOST_PARTITION_OPERATIONS + 1])
{
	if (max_distance < 0 || max_distance > MOST_PARTITION_OPERATIONS)
		InvalidArgument("distance");
	return RarestNodesOfTree(counts, &TreeDocuments, max_distance, tree, node);
}

PG_FUNCTION_INFO_V1(ted_rare_tree_nodes);

/* The rarest nodes of a tree, as hashes. */
Datum
ted_rare_tree_nodes(PG_FUNCTION_ARGS)
{
	uint32 node[MOST_PARTITION_OPERATIONS + 1];
	int count =
		RarestNodes(ReadCounts(PG_GETARG_BYTEA_P(1)), PG_GETARG_INT32(2), PG_GETARG_DATUM(0), node);

	return MakeIntegers((const int32 *) node, count);
}

/* The state of ted_assign_nodes(). */
typedef struct Assignment
{
	PartitionLoads loads;
	Size bytes;
	PartitionRule *rule;
} Assignment;

/* Makes a rule in which no node has a cell. */
static Assignment *
AssignmentCreate(MemoryContext context, bytea *counts, int32 cells, int64 documents)
{
	Size memory = (Size) Min(Max(documents, 0), PG_INT32_MAX) * RULE_BYTES_PER_DOCUMENT;
	Assignment *assignment = MemoryContextAllocZero(context, sizeof(Assignment));

	if (cells < 1 || cells > MOST_PARTITIONS)
		InvalidArgument("number of cells");
	assignment->bytes = PartitionRuleBytes(Min(Max(memory, LEAST_RULE_BYTES), MOST_RULE_BYTES));
	assignment->rule = MemoryContextAlloc(context, assignment->bytes);
	PartitionRuleInit(assignment->rule, assignment->bytes, cells, ReadCounts(counts));
	return assignment;
}

PG_FUNCTION_INFO_V1(ted_assign_nodes_transfn);

/* Assigns the rarest nodes of a tree to cells. */
Datum
ted_assign_nodes_transfn(PG_FUNCTION_ARGS)
{
	Assignment *assignment = PG_ARGISNULL(0) ? NULL : (Assignment *) PG_GETARG_POINTER(0);
	MemoryContext context;
	const int32 *node;
	int count;

	if (AggCheckCallContext(fcinfo, &context) == 0)
		elog(ERROR, "ted_assign_nodes_transfn called in non-aggregate context");
	if (PG_ARGISNULL(2) || PG_ARGISNULL(3) || PG_ARGISNULL(4))
		InvalidArgument("plan");
	if (assignment == NULL)
		assignment =
			AssignmentCreate(context, PG_GETARG_BYTEA_P(2), PG_GETARG_INT32(3), PG_GETARG_INT64(4));
	if (!PG_ARGISNULL(1))
	{
		node = ReadIntegers(PG_GETARG_ARRAYTYPE_P(1), &count);
		if (count < 1 || count > MOST_PARTITION_OPERATIONS + 1)
			InvalidArgument("list of nodes");
		PartitionsOfNodes(assignment->rule, &assignment->loads, (const uint32 *) node, count);
	}
	PG_RETURN_POINTER(assignment);
}

PG_FUNCTION_INFO_V1(ted_assign_nodes_finalfn);

/* The rule, as bytes. */
Datum
ted_assign_nodes_finalfn(PG_FUNCTION_ARGS)
{
	const Assignment *assignment;
	bytea *rule;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	assignment = (const Assignment *) PG_GETARG_POINTER(0);
	rule = palloc(VARHDRSZ + assignment->bytes);
	SET_VARSIZE(rule, VARHDRSZ + assignment->bytes);
	memcpy(VARDATA(rule), assignment->rule, assignment->bytes);
	PG_RETURN_BYTEA_P(rule);
}

PG_FUNCTION_INFO_V1(ted_cell_loads_finalfn);

/* How many trees belong to each cell. */
Datum
ted_cell_loads_finalfn(PG_FUNCTION_ARGS)
{
	const Assignment *assignment;
	Datum loads[MOST_PARTITIONS];
	int cells;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	assignment = (const Assignment *) PG_GETARG_POINTER(0);
	cells = PartitionCount(assignment->rule);
	for (int i = 0; i < cells; i++)
		loads[i] = Int64GetDatum(assignment->loads.of[i]);
	return PointerGetDatum(
		construct_array(loads, cells, INT8OID, 8, FLOAT8PASSBYVAL, TYPALIGN_DOUBLE));
}

/* Lists the cells of a set, which are numbered from 1; returns how many there are. */
static int
CellsOfSet(const PartitionSet *set, int cells, int32 *numbers)
{
	int count = 0;

	for (int i = 0; i < cells; i++)
		if (PartitionSetHas(set, i))
			numbers[count++] = i + 1;
	return count;
}

PG_FUNCTION_INFO_V1(ted_cells_by_nodes);

/* The cells of a tree by its rarest nodes, in ascending order; they are numbered from 1. */
Datum
ted_cells_by_nodes(PG_FUNCTION_ARGS)
{
	bytea *value = PG_GETARG_BYTEA_P(2);
	PartitionRule *rule = (PartitionRule *) VARDATA(value);
	uint32 node[MOST_PARTITION_OPERATIONS + 1];
	int32 numbers[MOST_PARTITIONS];
	PartitionSet set = {0};
	int cells;
	int count;

	if (!PartitionRuleIsValid(rule, VARSIZE_ANY_EXHDR(value)))
		InvalidArgument("rule");
	cells = PartitionCount(rule);
	count =
		RarestNodes(PartitionRuleLabelCounts(rule), PG_GETARG_INT32(1), PG_GETARG_DATUM(0), node);
	for (int i = 0; i < count; i++)
	{
		int cell = PartitionOfNode(rule, node[i]);

		/* a node that the rule does not know has the cell of its hash */
		PartitionSetAdd(&set, cell >= 0 && cell < cells ? cell : (int) (node[i] % (uint32) cells));
	}
	return MakeIntegers(numbers, CellsOfSet(&set, cells, numbers));
}

PG_FUNCTION_INFO_V1(ted_cells_by_size);

/* The cells of a document by its size and a hash, in ascending order; they are numbered from 1. */
Datum
ted_cells_by_size(PG_FUNCTION_ARGS)
{
	int32 size = PG_GETARG_INT32(0);
	uint32 hash = (uint32) PG_GETARG_INT32(1);
	int integers;
	const int32 *cell = ReadIntegers(PG_GETARG_ARRAYTYPE_P(2), &integers);
	int32 *numbers = palloc_array(int32, integers / CELL_INTEGERS + 1);
	int count = 0;

	for (int i = 0; i < integers / CELL_INTEGERS; i++, cell += CELL_INTEGERS)
	{
		int32 part;

		if (cell[CELL_PARTS] < 1)
			InvalidArgument("cell");
		part = (int32) (hash % (uint32) cell[CELL_PARTS]);
		if (size >= cell[CELL_LOW] && size < cell[CELL_REACH] &&
			(part == cell[CELL_PART] || part == cell[CELL_OTHER]))
			numbers[count++] = i + 1;
	}
	return MakeIntegers(numbers, count);
}

PG_FUNCTION_INFO_V1(ted_first_cell);

/* The first cell that two documents have in common; NULL where there is none. */
Datum
ted_first_cell(PG_FUNCTION_ARGS)
{
	int count[2];
	const int32 *a = ReadIntegers(PG_GETARG_ARRAYTYPE_P(0), &count[0]);
	const int32 *b = ReadIntegers(PG_GETARG_ARRAYTYPE_P(1), &count[1]);

	for (int i = 0, j = 0; i < count[0] && j < count[1];)
		if (a[i] == b[j])
			PG_RETURN_INT32(a[i]);
		else if (a[i] < b[j])
			i++;
		else
			j++;
	PG_RETURN_NULL();
}

/* Documents of a cell, as they travel: of each its side, its cells, its id, and its bytes. */
#define NO_ID (-1) /* in place of the length of an id */

/* Bytes of documents that wait to be sent, of all cells together and of one. */
#define MOST_BYTES_HELD (64 << 20)
#define MOST_BYTES_SENT (1 << 20)

/* Rows of a query that are read at once. */
#define ROWS_READ 100

/* Columns of the query of ted_cut_cells(), and of the rows of ted_unpack_cell(). */
enum
{
	DOCUMENT_SIDE,
	DOCUMENT_ID,
	DOCUMENT_BYTES,
	DOCUMENT_CELLS,
	DOCUMENT_NUMBER, /* in its cell; only in a cell that is unpacked */
	DOCUMENT_COLUMNS
};

/* The state of ted_cut_cells(). */
typedef struct Cut
{
	char *portal;           /* the name of that of the query */
	Assignment *assignment; /* NULL where the query returns cells */
	int32 max_distance;
	int cells;
	int most_bytes;   /* of a cell that wait */
	int32 *documents; /* of each cell before those that wait */
	int32 *waiting;
	StringInfoData *bytes; /* of those that wait */
	bool finished;
} Cut;

/* Opens the query for documents that are to be cut into cells. */
static Cut *
CutCreate(FunctionCallInfo fcinfo, MemoryContext context)
{
	Cut *cut = MemoryContextAllocZero(context, sizeof(Cut));
	MemoryContext caller = MemoryContextSwitchTo(context);
	SPIPlanPtr plan;
	Portal portal;
	TupleDesc columns;

	if (PG_ARGISNULL(0) || PG_ARGISNULL(2) || PG_ARGISNULL(3) || PG_ARGISNULL(4))
		InvalidArgument("plan");
	cut->cells = PG_GETARG_INT32(3);
	if (cut->cells < 1 || cut->cells > MOST_PARTITIONS)
		InvalidArgument("number of cells");
	cut->most_bytes = Min(MOST_BYTES_SENT, MOST_BYTES_HELD / cut->cells);
	cut->documents = palloc0_array(int32, cut->cells);
	cut->waiting = palloc0_array(int32, cut->cells);
	cut->bytes = palloc_array(StringInfoData, cut->cells);
	for (int i = 0; i < cut->cells; i++)
		initStringInfo(&cut->bytes[i]);
	cut->max_distance = PG_GETARG_INT32(2);
	if (!PG_ARGISNULL(1))
		cut->assignment =
			AssignmentCreate(context, PG_GETARG_BYTEA_P(1), cut->cells, PG_GETARG_INT64(4));
	SPI_connect();
	plan = SPI_prepare(text_to_cstring(PG_GETARG_TEXT_PP(0)), 0, NULL);
	if (plan == NULL || !SPI_is_cursor_plan(plan))
		InvalidArgument("query");
	portal = SPI_cursor_open(NULL, plan, NULL, NULL, true);
	columns = portal->tupDesc;
	if (columns->natts != DOCUMENT_NUMBER ||
		TupleDescAttr(columns, DOCUMENT_SIDE)->atttypid != CHAROID ||
		TupleDescAttr(columns, DOCUMENT_ID)->atttypid != TEXTOID ||
		TupleDescAttr(columns, DOCUMENT_BYTES)->attlen != -1 ||
		TupleDescAttr(columns, DOCUMENT_CELLS)->atttypid != INT4ARRAYOID)
		InvalidArgument("query");
	cut->portal = MemoryContextStrdup(context, portal->name);
	SPI_finish();
	MemoryContextSwitchTo(caller);
	return cut;
}

/* Appends a value without its header. */
static void
AppendBytes(StringInfo to, Datum value)
{
	struct varlena *bytes = PG_DETOAST_DATUM_PACKED(value);

	pq_sendint32(to, VARSIZE_ANY_EXHDR(bytes));
	appendBinaryStringInfo(to, VARDATA_ANY(bytes), (int) VARSIZE_ANY_EXHDR(bytes));
}

/* Appends a document to the cells that it belongs to. */
static void
CutDocument(Cut *cut, const Datum *values, const bool *nulls)
{
	uint32 node[MOST_PARTITION_OPERATIONS + 1];
	int32 numbers[MOST_PARTITIONS];
	const int32 *cells = numbers;
	int count = 0;

	if (nulls[DOCUMENT_SIDE] || nulls[DOCUMENT_BYTES])
		InvalidArgument("document");
	if (cut->assignment != NULL)
	{
		PartitionRule *rule = cut->assignment->rule;
		PartitionSet set =
			PartitionsOfNodes(rule, &cut->assignment->loads, node,
							  RarestNodes(PartitionRuleLabelCounts(rule), cut->max_distance,
										  values[DOCUMENT_BYTES], node));

		count = CellsOfSet(&set, cut->cells, numbers);
	}
	else if (!nulls[DOCUMENT_CELLS])
		cells = ReadIntegers(DatumGetArrayTypeP(values[DOCUMENT_CELLS]), &count);
	for (int i = 0; i < count; i++)
	{
		StringInfo to;

		if (cells[i] < 1 || cells[i] > cut->cells)
			InvalidArgument("cell");
		to = &cut->bytes[cells[i] - 1];
		pq_sendbyte(to, (uint8) DatumGetChar(values[DOCUMENT_SIDE]));
		pq_sendint32(to, (uint32) count);
		for (int j = 0; j < count; j++)
			pq_sendint32(to, (uint32) cells[j]);
		if (nulls[DOCUMENT_ID])
			pq_sendint32(to, (uint32) NO_ID);
		else
			AppendBytes(to, values[DOCUMENT_ID]);
		AppendBytes(to, values[DOCUMENT_BYTES]);
		cut->waiting[cells[i] - 1]++;
	}
}

/* A cell whose documents are to be sent now; -1 when there is none any more. */
static int
NextFullCell(Cut *cut)
{
	MemoryContext row =
		AllocSetContextCreate(CurrentMemoryContext, "document of a join", ALLOCSET_DEFAULT_SIZES);
	int full = -1;

	SPI_connect();
	while (full < 0)
	{
		Portal portal = SPI_cursor_find(cut->portal);

		for (int i = 0; i < cut->cells && full < 0; i++)
			if (cut->bytes[i].len > (cut->finished ? 0 : cut->most_bytes))
				full = i;
		if (full >= 0 || cut->finished)
			break;
		if (portal == NULL)
			InvalidArgument("query");
		SPI_cursor_fetch(portal, true, ROWS_READ);
		for (uint64 i = 0; i < SPI_processed; i++)
		{
			Datum values[DOCUMENT_NUMBER];
			bool nulls[DOCUMENT_NUMBER];
			MemoryContext caller = MemoryContextSwitchTo(row);

			CHECK_FOR_INTERRUPTS();
			heap_deform_tuple(SPI_tuptable->vals[i], SPI_tuptable->tupdesc, values, nulls);
			CutDocument(cut, values, nulls);
			MemoryContextSwitchTo(caller);
			MemoryContextReset(row);
		}
		cut->finished = SPI_processed == 0;
		SPI_freetuptable(SPI_tuptable);
		if (cut->finished)
			SPI_cursor_close(portal);
	}
	SPI_finish();
	MemoryContextDelete(row);
	return full;
}

PG_FUNCTION_INFO_V1(ted_cut_cells);

/*
 * Cuts the documents of a query into cells: returns numbers of cells, from 1, each with some of
 * its documents.  Trees belong to the cells of their rarest nodes, where labels are counted;
 * these nodes are assigned to cells on the way.
 */
Datum
ted_cut_cells(PG_FUNCTION_ARGS)
{
	FuncCallContext *context;
	Cut *cut;
	int cell;

	if (SRF_IS_FIRSTCALL())
	{
		context = SRF_FIRSTCALL_INIT();
		context->user_fctx = CutCreate(fcinfo, context->multi_call_memory_ctx);
		context->tuple_desc = BlessTupleDesc(ResultRow(fcinfo, context->multi_call_memory_ctx));
	}
	context = SRF_PERCALL_SETUP();
	cut = context->user_fctx;
	cell = NextFullCell(cut);
	if (cell >= 0)
	{
		StringInfo bytes = &cut->bytes[cell];
		bytea *packed = palloc(VARHDRSZ + sizeof(int32) + (Size) bytes->len);
		int32 first = (int32) pg_hton32((uint32) cut->documents[cell]);
		Datum values[2] = {Int32GetDatum(cell + 1), PointerGetDatum(packed)};

		SET_VARSIZE(packed, VARHDRSZ + sizeof(int32) + (Size) bytes->len);
		memcpy(VARDATA(packed), &first, sizeof(int32));
		memcpy(VARDATA(packed) + sizeof(int32), bytes->data, (Size) bytes->len);
		cut->documents[cell] += cut->waiting[cell];
		cut->waiting[cell] = 0;
		resetStringInfo(bytes);
		SRF_RETURN_NEXT(context, HeapTupleGetDatum(heap_form_tuple(context->tuple_desc, values,
																   (bool[2]){false})));
	}
	SRF_RETURN_DONE(context);
}

PG_FUNCTION_INFO_V1(ted_unpack_cell);

/*
 * The documents of a cell, as rows of the columns that the caller names: the side, the id of any
 * type, the document of the type that was sent, its cells, and its number in the cell, from 1.
 */
Datum
ted_unpack_cell(PG_FUNCTION_ARGS)
{
	bytea *packed = PG_GETARG_BYTEA_PP(0);
	StringInfoData from; /* a copy: some types change what they read from */
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	MemoryContext row =
		AllocSetContextCreate(CurrentMemoryContext, "document of a join", ALLOCSET_DEFAULT_SIZES);
	Datum values[DOCUMENT_COLUMNS];
	bool nulls[DOCUMENT_COLUMNS] = {false};
	TupleDesc columns;
	FmgrInfo id;
	FmgrInfo document;
	Oid id_function;
	Oid document_function;
	Oid id_argument;
	Oid document_argument;
	int32 number;

	InitMaterializedSRF(fcinfo, MAT_SRF_USE_EXPECTED_DESC);
	columns = result->setDesc;
	if (columns->natts != DOCUMENT_COLUMNS ||
		TupleDescAttr(columns, DOCUMENT_SIDE)->atttypid != CHAROID ||
		TupleDescAttr(columns, DOCUMENT_CELLS)->atttypid != INT4ARRAYOID ||
		TupleDescAttr(columns, DOCUMENT_NUMBER)->atttypid != INT4OID)
		InvalidArgument("list of columns");
	getTypeInputInfo(TupleDescAttr(columns, DOCUMENT_ID)->atttypid, &id_function, &id_argument);
	getTypeBinaryInputInfo(TupleDescAttr(columns, DOCUMENT_BYTES)->atttypid, &document_function,
						   &document_argument);
	fmgr_info(id_function, &id);
	fmgr_info(document_function, &document);
	initStringInfo(&from);
	appendBinaryStringInfo(&from, VARDATA_ANY(packed), (int) VARSIZE_ANY_EXHDR(packed));
	number = (int32) pq_getmsgint(&from, 4);
	while (from.cursor < from.len)
	{
		MemoryContext caller = MemoryContextSwitchTo(row);
		StringInfoData bytes = {0};
		int32 numbers[MOST_PARTITIONS];
		int32 count;

		CHECK_FOR_INTERRUPTS();
		values[DOCUMENT_SIDE] = CharGetDatum((char) pq_getmsgbyte(&from));
		count = (int32) pq_getmsgint(&from, 4);
		if (count < 1 || count > MOST_PARTITIONS)
			InvalidArgument("document");
		for (int i = 0; i < count; i++)
			numbers[i] = (int32) pq_getmsgint(&from, 4);
		values[DOCUMENT_CELLS] = MakeIntegers(numbers, count);
		count = (int32) pq_getmsgint(&from, 4);
		nulls[DOCUMENT_ID] = count == NO_ID;
		if (!nulls[DOCUMENT_ID])
			values[DOCUMENT_ID] =
				InputFunctionCall(&id, pq_getmsgtext(&from, count, &bytes.len), id_argument, -1);
		bytes.len = (int) pq_getmsgint(&from, 4);
		bytes.data = unconstify(char *, pq_getmsgbytes(&from, bytes.len));
		values[DOCUMENT_BYTES] = ReceiveFunctionCall(&document, &bytes, document_argument, -1);
		if (bytes.cursor != bytes.len)
			InvalidArgument("document");
		values[DOCUMENT_NUMBER] = Int32GetDatum(++number);
		tuplestore_putvalues(result->setResult, columns, values, nulls);
		MemoryContextSwitchTo(caller);
		MemoryContextReset(row);
	}
	MemoryContextDelete(row);
	PG_RETURN_VOID();
}

/*
 * Matches of a cell, as they travel: the numbers of two documents, and a measure, in one byte
 * where it is a number of operations below this one.
 */
#define LONG_MEASURE 255

PG_FUNCTION_INFO_V1(ted_pack_matches_transfn);

/* Appends a match. */
Datum
ted_pack_matches_transfn(PG_FUNCTION_ARGS)
{
	StringInfo matches = PG_ARGISNULL(0) ? NULL : (StringInfo) PG_GETARG_POINTER(0);
	MemoryContext context;
	float8 measure;

	if (AggCheckCallContext(fcinfo, &context) == 0)
		elog(ERROR, "ted_pack_matches_transfn called in non-aggregate context");
	if (PG_ARGISNULL(1) || PG_ARGISNULL(2) || PG_ARGISNULL(3))
		InvalidArgument("match");
	if (matches == NULL)
	{
		MemoryContext caller = MemoryContextSwitchTo(context);

		matches = makeStringInfo();
		MemoryContextSwitchTo(caller);
	}
	measure = PG_GETARG_FLOAT8(3);
	pq_sendint32(matches, (uint32) PG_GETARG_INT32(1));
	pq_sendint32(matches, (uint32) PG_GETARG_INT32(2));
	if (measure >= 0 && measure < LONG_MEASURE && measure == (uint8) measure)
		pq_sendbyte(matches, (uint8) measure);
	else
	{
		pq_sendbyte(matches, LONG_MEASURE);
		pq_sendfloat8(matches, measure);
	}
	PG_RETURN_POINTER(matches);
}

PG_FUNCTION_INFO_V1(ted_pack_matches_finalfn);

/* The matches, as bytes. */
Datum
ted_pack_matches_finalfn(PG_FUNCTION_ARGS)
{
	StringInfo matches;
	bytea *packed;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	matches = (StringInfo) PG_GETARG_POINTER(0);
	packed = palloc(VARHDRSZ + (Size) matches->len);
	SET_VARSIZE(packed, VARHDRSZ + (Size) matches->len);
	memcpy(VARDATA(packed), matches->data, (Size) matches->len);
	PG_RETURN_BYTEA_P(packed);
}

/* The state of ted_unpack_matches(). */
typedef struct UnpackedMatches
{
	StringInfoData from;
	Datum *ids;
	bool *nulls;
	int count;
} UnpackedMatches;

PG_FUNCTION_INFO_V1(ted_unpack_matches);

/* The matches of a cell, with the ids of its documents in the order of their numbers. */
Datum
ted_unpack_matches(PG_FUNCTION_ARGS)
{
	FuncCallContext *context;
	UnpackedMatches *matches;

	if (SRF_IS_FIRSTCALL())
	{
		MemoryContext caller;
		bytea *packed;
		ArrayType *ids;
		int16 length;
		bool by_value;
		char align;

		context = SRF_FIRSTCALL_INIT();
		caller = MemoryContextSwitchTo(context->multi_call_memory_ctx);
		matches = palloc0_object(UnpackedMatches);
		packed = PG_GETARG_BYTEA_P_COPY(0);
		matches->from =
			(StringInfoData){.data = VARDATA(packed), .len = (int) VARSIZE(packed) - VARHDRSZ};
		ids = PG_GETARG_ARRAYTYPE_P_COPY(1);
		get_typlenbyvalalign(ARR_ELEMTYPE(ids), &length, &by_value, &align);
		deconstruct_array(ids, ARR_ELEMTYPE(ids), length, by_value, align, &matches->ids,
						  &matches->nulls, &matches->count);
		context->user_fctx = matches;
		context->tuple_desc = BlessTupleDesc(ResultRow(fcinfo, context->multi_call_memory_ctx));
		MemoryContextSwitchTo(caller);
	}
	context = SRF_PERCALL_SETUP();
	matches = context->user_fctx;
	if (matches->from.cursor < matches->from.len)
	{
		int32 left = (int32) pq_getmsgint(&matches->from, 4) - 1;
		int32 right = (int32) pq_getmsgint(&matches->from, 4) - 1;
		int measure = pq_getmsgbyte(&matches->from);
		Datum values[3];
		bool nulls[3] = {false};

		if (left < 0 || left >= matches->count || right < 0 || right >= matches->count)
			InvalidArgument("match");
		values[0] = matches->ids[left];
		nulls[0] = matches->nulls[left];
		values[1] = matches->ids[right];
		nulls[1] = matches->nulls[right];
		values[2] =
			Float8GetDatum(measure < LONG_MEASURE ? measure : pq_getmsgfloat8(&matches->from));
		SRF_RETURN_NEXT(context,
						HeapTupleGetDatum(heap_form_tuple(context->tuple_desc, values, nulls)));
	}
	SRF_RETURN_DONE(context);
}

/*
 * Calls ted_pairs(), in the schema of a function for users, with that function's arguments, which
 * begin after the one that has the type of ids, if there is one; the rows are returned directly.
 */
static Datum
CallPairs(FunctionCallInfo fcinfo, const char *kind, PGFunction print_threshold)
{
	static const Oid types[] = {REGCLASSOID, TEXTOID, TEXTOID,    NAMEARRAYOID,
								NAMEOID,     NAMEOID, INT4OID,    NAMEOID,
								REGCLASSOID, BOOLOID, REGTYPEOID, NAMEARRAYOID};
	const int own = 10; /* arguments without the type of ids */
	const NullableDatum *arg = &fcinfo->args[PG_NARGS() - own];
	Oid id_type = PG_NARGS() > own ? get_fn_expr_argtype(fcinfo->flinfo, 0) : INT8OID;
	char *schema = get_namespace_name(get_func_namespace(fcinfo->flinfo->fn_oid));
	LOCAL_FCINFO(call, lengthof(types));
	FmgrInfo function;

	fmgr_info(LookupFuncName(list_make2(makeString(schema), makeString("ted_pairs")),
							 lengthof(types), types, false),
			  &function);
	InitFunctionCallInfoData(*call, &function, lengthof(types), InvalidOid, NULL,
							 fcinfo->resultinfo);
	call->args[0] = arg[0];
	call->args[1] = (NullableDatum){CStringGetTextDatum(kind), false};
	call->args[2] = arg[1];
	if (!arg[1].isnull)
		call->args[2].value = CStringGetTextDatum(
			DatumGetCString(DirectFunctionCall1(print_threshold, arg[1].value)));
	memcpy(&call->args[3], &arg[2], 7 * sizeof(NullableDatum));
	call->args[10] = (NullableDatum){ObjectIdGetDatum(id_type), false};
	call->args[11] = arg[9];
	return FunctionCallInvoke(call);
}

PG_FUNCTION_INFO_V1(tree_within_pairs_distributed);

/* All pairs of trees of a table, or of two, within a distance, found by several servers. */
Datum
tree_within_pairs_distributed(PG_FUNCTION_ARGS)
{
	return CallPairs(fcinfo, "tree", int4out);
}

PG_FUNCTION_INFO_V1(lcs_similar_pairs_distributed);

/* All pairs of texts of a table, or of two, with a similarity, found by several servers. */
Datum
lcs_similar_pairs_distributed(PG_FUNCTION_ARGS)
{
	return CallPairs(fcinfo, "text", float8out);
}
