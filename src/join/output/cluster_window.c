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
	LINKAGE,
	COSTS /* of tree_within_cluster() only */
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
	return DatumGetFloat8(NotNullOfRow(fcinfo, kind, THRESHOLD, "threshold", row));
}

/* Copies the cost model in a row; returns NULL if there is none. */
static const text *
CostsOfRow(FunctionCallInfo fcinfo, int64 row)
{
	bool isnull = true;
	Datum costs = (Datum) 0;

	if (PG_NARGS() > COSTS)
		costs = ArgumentOfRow(PG_WINDOW_OBJECT(), COSTS, row, &isnull);
	return isnull ? NULL : DatumGetTextPCopy(costs);
}

/* Raises an error unless a function is called for the rows of a window. */
static void
CheckWindow(FunctionCallInfo fcinfo, const char *function)
{
	/* an operator can call a window function directly */
	if (!WindowObjectIsValid(PG_WINDOW_OBJECT()))
		ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
						errmsg("%s() called outside of a window", function),
						errdetail("It compares the rows of a window's partition."),
						errhint("Call it with an OVER clause.")));
}

bool
HasClusterCosts(FunctionCallInfo fcinfo, const char *function)
{
	bool isnull;

	CheckWindow(fcinfo, function);
	ArgumentOfRow(PG_WINDOW_OBJECT(), COSTS, 0, &isnull);
	return !isnull;
}

/* Whether the linkage in a row is complete, rather than single. */
static bool
IsCompleteInRow(FunctionCallInfo fcinfo, const JoinKind *kind, int64 row)
{
	const text *linkage = DatumGetTextPP(NotNullOfRow(fcinfo, kind, LINKAGE, "linkage", row));
	const char *name = text_to_cstring(linkage);

	if (strcmp(name, "complete") == 0)
		return true;
	if (strcmp(name, "single") != 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("linkage of %s() is neither \"single\" nor \"complete\"", kind->clusters),
				 errdetail("Single linkage connects documents by a chain of pairs; complete "
						   "linkage, if all of their pairs are within the threshold."),
				 errhint("Write linkage => 'complete'.")));
	return false;
}

/* Raises an error for an argument that varies; `what` names it. */
static _Noreturn void
RefuseVaryingArgument(const JoinKind *kind, const char *what)
{
	ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					errmsg("%s of %s() varies", what, kind->clusters),
					errdetail("It is not the same for all rows."),
					errhint("Use a constant, or PARTITION BY the %s.", what)));
}

/* Reads the documents of a partition, and marks rows without a document by -1. */
static void
ReadPartition(FunctionCallInfo fcinfo, const JoinKind *kind, int64 rows, JoinDocuments *documents,
			  PartitionClusters *clusters)
{
	MemoryContext context =
		AllocSetContextCreate(CurrentMemoryContext, "ted cluster row", ALLOCSET_DEFAULT_SIZES);
	const text *first_costs = CostsOfRow(fcinfo, 0);
	bool one_model = PG_NARGS() <= COSTS || get_fn_expr_arg_stable(fcinfo->flinfo, COSTS);
	bool one_linkage = get_fn_expr_arg_stable(fcinfo->flinfo, LINKAGE);
	bool complete = IsCompleteInRow(fcinfo, kind, 0);
	MemoryContext caller = MemoryContextSwitchTo(context);
	double first = ThresholdOfRow(fcinfo, kind, 0);
	bool constant = get_fn_expr_arg_stable(fcinfo->flinfo, THRESHOLD);

	for (int64 row = 0; row < rows; row++)
	{
		const text *costs = one_model ? first_costs : CostsOfRow(fcinfo, row);
		bool isnull;
		Datum doc;

		CHECK_FOR_INTERRUPTS();
		if (!constant)
		{
			double threshold = ThresholdOfRow(fcinfo, kind, row);

			if (float8_ne(threshold, first))
				ereport(ERROR,
						(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						 errmsg("threshold of %s() varies", kind->clusters),
						 ValueDetail("It is not the same for all rows.",
									 "It is %g for one row and %g for another.", first, threshold),
						 errhint("Use a constant, or PARTITION BY the threshold.")));
		}
		if ((costs == NULL) != (first_costs == NULL))
			RefuseVaryingArgument(kind, "model of costs");
		if (!one_linkage && IsCompleteInRow(fcinfo, kind, row) != complete)
			RefuseVaryingArgument(kind, "linkage");
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
	int32 *of_row;
	int32 numbered = 0;

	ReadPartition(fcinfo, kind, rows, documents, clusters);
	if (IsCompleteInRow(fcinfo, kind, 0))
		ConnectComplete(documents, ElementsOf(fcinfo, kind), clusters->of_row, (int32) rows);
	else
		ConnectSimilar(documents, -1, ElementsOf(fcinfo, kind), clusters->of_row);
	DocumentsClose(documents);
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(context);

	/* number the components from 1, in the order of their first rows */
	of_row = clusters->of_row;
	for (int32 row = 0; row < rows; row++)
		if (of_row[row] >= 0)
			of_row[row] = ted_component(of_row, row);
	for (int32 row = 0; row < rows; row++)
	{
		CHECK_FOR_INTERRUPTS();
		if (of_row[row] < 0)
			of_row[row] = 0;
		else
			of_row[row] = of_row[row] == row ? ++numbered : of_row[of_row[row]];
	}
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

	CheckWindow(fcinfo, kind->clusters);
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
