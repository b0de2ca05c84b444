/*
 * range.c
 *	  The type tree_range: a tree and a distance around it, as one operand of an index.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "executor/executor.h"
#include "fmgr.h"
#include "miscadmin.h"

#include "../../compat.h"
#include "../../common/cached_argument.h"
#include "../../tree/value/tree.h"
#include "cost_range.h"
#include "../../catalog/row_type.h"
#include "keys.h"
#include "range.h"
#include "../../tree/distance/threshold.h"

/* Attributes of the type. */
enum
{
	RANGE_DOC,
	RANGE_MAX_DISTANCE,
	RANGE_COSTS, /* NULL for unit costs */
	RANGE_ATTRIBUTES
};

bool
ReadTreeRange(Datum value, TreeRange *range)
{
	HeapTupleHeader row = DatumGetHeapTupleHeader(value);
	Datum values[RANGE_ATTRIBUTES];
	bool nulls[RANGE_ATTRIBUTES];

	if (VARSIZE(row) < SizeofHeapTupleHeader || !IsTreeRangeType(HeapTupleHeaderGetTypeId(row)))
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH), errmsg("operand of <~ is not a tree_range"),
				 errdetail("The type has been altered, or an operator of an index does not fit "
						   "its operator class."),
				 errhint("Create the extension again, or use the operator class tree_ops.")));
	for (int i = 0; i < RANGE_ATTRIBUTES; i++)
		values[i] = GetAttributeByNum(row, (AttrNumber) (i + 1), &nulls[i]);
	if (nulls[RANGE_DOC] || nulls[RANGE_MAX_DISTANCE])
		return false;
	range->tree = values[RANGE_DOC];
	range->max_cost = DatumGetFloat8(values[RANGE_MAX_DISTANCE]);
	range->costs = values[RANGE_COSTS];
	range->by_model = !nulls[RANGE_COSTS];
	if (range->max_cost < 0)
		return false;
	range->max_distance = DistanceThreshold(range->max_cost).max_distance;
	return true;
}

/*
 * Makes a range around the first argument of a function.  `costs` is a cost model, or 0 for
 * unit costs.
 */
static Datum
MakeTreeRange(FunctionCallInfo fcinfo, float8 max_distance, Datum costs)
{
	Datum values[RANGE_ATTRIBUTES] = {PG_GETARG_DATUM(0), Float8GetDatum(max_distance), costs};
	bool nulls[RANGE_ATTRIBUTES] = {false, false, costs == (Datum) 0};

	return FormRow(fcinfo, "tdm", values, nulls);
}

PG_FUNCTION_INFO_V1(tree_range);

/* Makes a tree_range by unit costs. */
Datum
tree_range(PG_FUNCTION_ARGS)
{
	PG_RETURN_DATUM(MakeTreeRange(fcinfo, MaxDistanceArgument(fcinfo, 1), (Datum) 0));
}

PG_FUNCTION_INFO_V1(tree_range_model);

/* Makes a tree_range by a cost model. */
Datum
tree_range_model(PG_FUNCTION_ARGS)
{
	PG_RETURN_DATUM(MakeTreeRange(fcinfo, PG_GETARG_FLOAT8(1), PG_GETARG_DATUM(2)));
}

PG_FUNCTION_INFO_V1(tree_similarity_range);

/*
 * Makes a tree_range of all trees with at least this similarity; returns NULL if no tree can
 * have it.
 */
Datum
tree_similarity_range(PG_FUNCTION_ARGS)
{
	DocumentThreshold threshold = SimilarityThreshold(MinSimilarityArgument(fcinfo, 1));

	if (MatchesNothing(&threshold))
		PG_RETURN_NULL();
	PG_RETURN_DATUM(MakeTreeRange(
		fcinfo, DistanceAllowedAround(&threshold, TreeSize(PG_GETARG_DATUM(0))), (Datum) 0));
}

#define ST_SORT SortLabelCounts
#define ST_ELEMENT_TYPE LabelCount
#define ST_COMPARE(a, b) (((a)->hash > (b)->hash) - ((a)->hash < (b)->hash))
#define ST_SCOPE static
#define ST_CHECK_FOR_INTERRUPTS
#define ST_DECLARE
#define ST_DEFINE
#include "lib/sort_template.h"

/* Returns the distinct labels of a tree in ascending order of their hashes. */
static LabelCount *
SortedLabels(Datum value, int32 *labels)
{
	Tree *tree = DatumGetTree(value);
	LabelCount *counts = TreeLabelCounts(tree, labels);

	if ((Pointer) tree != DatumGetPointer(value))
		pfree(tree);
	SortLabelCounts(counts, (size_t) *labels);
	return counts;
}

/* Returns how many nodes of two trees can be paired by equal labels; more if hashes collide. */
static int32
SharedLabels(Datum a, Datum b)
{
	int32 labels_a;
	int32 labels_b;
	LabelCount *counts_a = SortedLabels(a, &labels_a);
	LabelCount *counts_b = SortedLabels(b, &labels_b);
	int32 shared = 0;

	for (int32 i = 0, j = 0; i < labels_a && j < labels_b;)
	{
		uint32 hash_a = counts_a[i].hash;
		uint32 hash_b = counts_b[j].hash;

		CHECK_FOR_INTERRUPTS();
		if (hash_a == hash_b)
			shared += Min(counts_a[i].count, counts_b[j].count);
		i += hash_a <= hash_b;
		j += hash_b <= hash_a;
	}
	pfree(counts_a);
	pfree(counts_b);
	return shared;
}

/* Reads a range by a cost model for the cache of an argument. */
static void *
MakeCostRange(Datum value, Oid collation)
{
	TreeRange range;
	CostRange *made;

	(void) collation;
	ReadTreeRange(value, &range);
	made = ReadCostRange(&range);
	SortCostRange(made);
	return made;
}

/*
 * Whether the size and the labels of a tree allow it to be in the range by a cost model that is
 * the second argument of a function.
 */
static bool
MayBeInArgument(FunctionCallInfo fcinfo, Datum tree)
{
	const CostRange *range = CacheArgumentAt(fcinfo, 1, MakeCostRange);
	int32 labels;
	LabelCount *counts;
	bool result;

	if (TreeSize(tree) < LeastNodes(range) || TreeSize(tree) > MostNodes(range))
		return false;
	counts = SortedLabels(tree, &labels);
	result = MayBeInCostRange(range, counts, labels);
	pfree(counts);
	return result;
}

PG_FUNCTION_INFO_V1(tree_may_be_within);

/* Whether the size and the labels of a tree allow it to be in a range. */
Datum
tree_may_be_within(PG_FUNCTION_ARGS)
{
	Datum tree = PG_GETARG_DATUM(0);
	TreeRange range;
	int32 size;
	int32 center_size;

	if (!ReadTreeRange(PG_GETARG_DATUM(1), &range))
		PG_RETURN_NULL();
	if (range.by_model)
		PG_RETURN_BOOL(MayBeInArgument(fcinfo, tree));
	size = TreeSize(tree);
	center_size = TreeSize(range.tree);
	if (abs(size - center_size) > range.max_distance)
		PG_RETURN_BOOL(false);
	PG_RETURN_BOOL(Max(size, center_size) - SharedLabels(tree, range.tree) <= range.max_distance);
}
