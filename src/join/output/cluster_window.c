/*
 * cluster_window.c
 *	  Clusters of similar documents as a window function.
 *
 * In the first row of a partition, all of its documents are joined, and those within the threshold
 * are connected.
 */
#include "postgres.h"

#include "access/detoast.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/float.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "windowapi.h"

#include "../../compat.h"
#include "../../common/host.h"
#include "../../common/messages.h"
#include "../../core/common/components.h"
#include "cluster_window.h"
#include "pairs.h"

/* Arguments of the function. */
enum
{
	DOC,
	THRESHOLD,
	COSTS /* with a cost model only */
};

/* The clusters of a partition. */
typedef struct PartitionClusters
{
	bool done;
	int32 of_row[FLEXIBLE_ARRAY_MEMBER]; /* cluster of each row; 0 for none */
} PartitionClusters;

/* Reads an argument of the function in a row of the partition. */
static Datum
ArgumentOfRow(WindowObject window, int argument, int64 row, bool *isnull)
{
	bool out;

	return WinGetFuncArgInPartition(window, argument, (int) row, WINDOW_SEEK_HEAD, false, isnull,
									&out);
}

/* Reads an argument, and raises an error if it is null; `what` names it. */
static Datum
NotNullOfRow(FunctionCallInfo fcinfo, const JoinKind *kind, int argument, const char *what,
			 int64 row)
{
	bool isnull;
	Datum value = ArgumentOfRow(PG_WINDOW_OBJECT(), argument, row, &isnull);

	if (isnull)
		ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
						errmsg("%s of %s() must not be null", what, kind->clusters),
						errdetail("Only a document may be null; it has no cluster."),
						errhint("Use a constant.")));
	return value;
}

/* Reads the threshold in a row. */
static double
ThresholdOfRow(FunctionCallInfo fcinfo, const JoinKind *kind, int64 row)
{
	Datum threshold = NotNullOfRow(fcinfo, kind, THRESHOLD, "threshold", row);

	return get_fn_expr_argtype(fcinfo->flinfo, THRESHOLD) == INT4OID ? DatumGetInt32(threshold)
																	 : DatumGetFloat8(threshold);
}

/* Copies the cost model in a row; returns NULL if the kind has none. */
static const text *
CostsOfRow(FunctionCallInfo fcinfo, const JoinKind *kind, int64 row)
{
	if (!IsByModel(kind))
		return NULL;
	return DatumGetTextPCopy(NotNullOfRow(fcinfo, kind, COSTS, "model of costs", row));
}

/* Raises an error if two rows have different thresholds. */
static void
CheckSameRowThreshold(double first, double threshold, const JoinKind *kind)
{
	if (float8_ne(threshold, first))
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("threshold of %s() varies", kind->clusters),
						ValueDetail("It is not the same for all rows.",
									"It is %g for one row and %g for another.", first, threshold),
						errhint("Use a constant, or PARTITION BY the threshold.")));
}

/* Reads the documents of a partition, and marks rows without a document by -1. */
static void
ReadPartition(FunctionCallInfo fcinfo, const JoinKind *kind, int64 rows, JoinDocuments *documents,
			  PartitionClusters *clusters)
{
	MemoryContext context =
		AllocSetContextCreate(CurrentMemoryContext, "ted cluster row", ALLOCSET_DEFAULT_SIZES);
	const text *first_costs = CostsOfRow(fcinfo, kind, 0);
	bool one_model = !IsByModel(kind) || get_fn_expr_arg_stable(fcinfo->flinfo, COSTS);
	MemoryContext caller = MemoryContextSwitchTo(context);
	double first = ThresholdOfRow(fcinfo, kind, 0);
	bool constant = get_fn_expr_arg_stable(fcinfo->flinfo, THRESHOLD);

	for (int64 row = 0; row < rows; row++)
	{
		const text *costs = one_model ? first_costs : CostsOfRow(fcinfo, kind, row);
		bool isnull;
		Datum doc;

		CHECK_FOR_INTERRUPTS();
		if (!constant)
			CheckSameRowThreshold(first, ThresholdOfRow(fcinfo, kind, row), kind);
		/* valid until the next argument is read */
		doc = ArgumentOfRow(PG_WINDOW_OBJECT(), DOC, row, &isnull);
		clusters->of_row[row] = isnull ? -1 : (int32) row;
		if (!isnull)
			DocumentsAdd(
				documents, row, 0, first, costs,
				PointerGetDatum(detoast_external_attr((struct varlena *) DatumGetPointer(doc))),
				NULL);
		MemoryContextReset(context);
	}
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(context);
}

/* Numbers the components of rows from 1, in the order of their first rows. */
static void
NumberClusters(PartitionClusters *clusters, int64 rows)
{
	int32 *of_row = clusters->of_row;
	int32 count = 0;

	for (int32 row = 0; row < rows; row++)
		if (of_row[row] >= 0)
			of_row[row] = ted_component(of_row, row);
	for (int32 row = 0; row < rows; row++)
	{
		CHECK_FOR_INTERRUPTS();
		if (of_row[row] < 0)
			of_row[row] = 0;
		else
			of_row[row] = of_row[row] == row ? ++count : of_row[of_row[row]];
	}
}

/* Returns the element type and collation of documents that are arrays. */
static ArrayElements
ElementsOf(FunctionCallInfo fcinfo, const JoinKind *kind)
{
	if (kind->documents != DOCUMENT_ARRAY)
		return (ArrayElements){0};
	return (ArrayElements){get_base_element_type(get_fn_expr_argtype(fcinfo->flinfo, DOC)),
						   PG_GET_COLLATION()};
}

/* Computes the clusters of a partition. */
static void
FindClusters(FunctionCallInfo fcinfo, const JoinKind *kind, int64 rows, PartitionClusters *clusters)
{
	MemoryContext context =
		AllocSetContextCreate(CurrentMemoryContext, "ted clusters", ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(context);
	JoinDocuments *documents = DocumentsCreate(kind);

	ReadPartition(fcinfo, kind, rows, documents, clusters);
	ConnectSimilar(documents, ElementsOf(fcinfo, kind), clusters->of_row);
	DocumentsClose(documents);
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(context);
	NumberClusters(clusters, rows);
	clusters->done = true;
}

Datum
ClusterOfRow(FunctionCallInfo fcinfo, const JoinKind *kind)
{
	WindowObject window = PG_WINDOW_OBJECT();
	PartitionClusters *clusters;
	int64 rows;
	Size bytes;
	int32 cluster;

	/* an operator can call a window function directly */
	if (!WindowObjectIsValid(window))
		ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
						errmsg("%s() called outside of a window", kind->clusters),
						errdetail("It compares the rows of a window's partition."),
						errhint("Call it with an OVER clause.")));
	rows = WinGetPartitionRowCount(window);
	bytes = offsetof(PartitionClusters, of_row) + sizeof(int32) * (Size) rows;
	if (!AllocSizeIsValid(bytes))
		ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
						errmsg("too many rows for %s()", kind->clusters),
						errdetail("Their clusters would take more than 1 GB."),
						errhint("Use smaller partitions.")));
	CheckMemoryLimit(bytes, kind->clusters);
	clusters = WinGetPartitionLocalMemory(window, bytes);
	if (!clusters->done)
		FindClusters(fcinfo, kind, rows, clusters);
	cluster = clusters->of_row[WinGetCurrentPosition(window)];
	if (cluster == 0)
		PG_RETURN_NULL();
	PG_RETURN_INT32(cluster);
}
