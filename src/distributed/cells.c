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
#include "fmgr.h"
#include "lib/stringinfo.h"
#include "utils/array.h"
#include "utils/fmgroids.h"

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
	count = 0;
	for (int i = 0; i < cells; i++)
		if (PartitionSetHas(&set, i))
			numbers[count++] = i + 1;
	return MakeIntegers(numbers, count);
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

PG_FUNCTION_INFO_V1(ted_tree_bytes);

/* The stored form of a tree, in the encoding of the database. */
Datum
ted_tree_bytes(PG_FUNCTION_ARGS)
{
	PG_RETURN_BYTEA_P(PG_GETARG_BYTEA_P_COPY(0));
}

PG_FUNCTION_INFO_V1(ted_bytes_tree);

/* The tree that has this stored form, in the client's encoding. */
Datum
ted_bytes_tree(PG_FUNCTION_ARGS)
{
	bytea *bytes = PG_GETARG_BYTEA_PP(0);
	StringInfoData buffer = {.data = VARDATA_ANY(bytes), .len = (int) VARSIZE_ANY_EXHDR(bytes)};

	return DirectFunctionCall1(tree_recv, PointerGetDatum(&buffer));
}

PG_FUNCTION_INFO_V1(ted_received_array);

/* The array of values of type bytea that array_send() has written. */
Datum
ted_received_array(PG_FUNCTION_ARGS)
{
	bytea *sent = PG_GETARG_BYTEA_PP(0);
	StringInfoData buffer = {.data = VARDATA_ANY(sent), .len = (int) VARSIZE_ANY_EXHDR(sent)};

	return OidReceiveFunctionCall(F_ARRAY_RECV, &buffer, BYTEAOID, -1);
}
