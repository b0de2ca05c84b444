/*
 * gin.c
 *	  GIN operator class: trees that have about the size of another tree and share its labels.
 *
 * A tree is indexed by the keys of its nodes and by one key of its size.  k operations
 * change the labels of at most k nodes.  So a tree within k lacks at most k keys of the
 * other tree, or of any part of them, and has one of 2k + 1 sizes.  GIN itself begins with
 * the rarest keys, as a prefix filter does.
 */
#include "postgres.h"

#include "access/gin.h"
#include "common/hashfn.h"
#include "fmgr.h"
#include "miscadmin.h"

#include "../../common/progress.h"
#include "../../compat.h"
#include "cost_range.h"
#include "keys.h"
#include "range.h"

/* The most label keys that an entry must match. */
#define ENOUGH_KEYS 16

/*
 * A query also searches for as many more keys as labels may be missing, but not for labels at all
 * if more than this may be missing: GIN compares all keys of a query with each other, and cannot be
 * interrupted then.
 */
#define MOST_MISSING 2000

/* A query searches for sizes only if its range has 2 * MAX_SIZES_DISTANCE + 1 sizes or fewer. */
#define MAX_SIZES_DISTANCE 100

/*
 * The number of sizes among the keys of a query, which come first and of which an entry must
 * have one, and the number of label keys that it must have.
 */
typedef struct QueryNeeds
{
	int32 sizes;
	int32 labels;
} QueryNeeds;

/* Returns the key of a size. */
static int32
GinSizeKey(int32 size)
{
	return (int32) murmurhash32((uint32) size);
}

PG_FUNCTION_INFO_V1(tree_gin_extract_value);

/*
 * Returns the keys of an indexed tree, ascending and without duplicates, so that GIN's own sort
 * is short.
 */
Datum
tree_gin_extract_value(PG_FUNCTION_ARGS)
{
	Tree *tree = PG_GETARG_TREE(0);
	int32 *count = (int32 *) PG_GETARG_POINTER(1);
	int32 size;
	int32 *keys = TreeKeys(tree, &size);
	Datum *entries = palloc_array(Datum, size + 1);

	keys = repalloc(keys, sizeof(int32) * ((Size) size + 1));
	keys[size] = GinSizeKey(size);
	SortKeys(keys, (size_t) size + 1);
	*count = 0;
	for (int32 i = 0; i <= size; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (i == 0 || keys[i] != keys[i - 1])
			entries[(*count)++] = Int32GetDatum(keys[i]);
	}
	pfree(keys);
	PG_FREE_IF_COPY(tree, 0);
	PG_RETURN_POINTER(entries);
}

PG_FUNCTION_INFO_V1(tree_gin_extract_query);

/* Returns the keys to search for; the extra data of the first key is a QueryNeeds. */
Datum
tree_gin_extract_query(PG_FUNCTION_ARGS)
{
	int32 *count = (int32 *) PG_GETARG_POINTER(1);
	Pointer **extra_data = (Pointer **) PG_GETARG_POINTER(4);
	int32 *search_mode = (int32 *) PG_GETARG_POINTER(6);
	TreeRange range;
	QueryNeeds *needs;
	int32 *keys; /* of labels; a tree may lack some */
	int32 key_count;
	int32 most_missing;
	int32 least_size;
	int32 greatest_size;
	int32 labels;
	Datum *entries;

	*count = 0;
	if (!ReadTreeRange(PG_GETARG_DATUM(0), &range))
		PG_RETURN_POINTER(NULL);
	if (range.by_model)
	{
		const CostRange *costs = ReadCostRange(&range);

		keys = ModelLabelKeys(&costs->labels);
		key_count = costs->labels.nodes - costs->labels.graded_nodes;
		most_missing = MostMissing(costs);
		least_size = LeastNodes(costs);
		greatest_size = MostNodes(costs);
	}
	else
	{
		keys = TreeKeys(DatumGetTree(range.tree), &key_count);
		most_missing = range.max_distance;
		least_size = Max(key_count - Min(key_count, most_missing), 1);
		greatest_size = (int32) Min((int64) key_count + most_missing, PG_INT32_MAX);
	}
	needs = palloc0_object(QueryNeeds);
	if (greatest_size - least_size <= 2 * MAX_SIZES_DISTANCE)
		needs->sizes = greatest_size - least_size + 1;
	if (most_missing < Min(key_count, MOST_MISSING))
		needs->labels = Min(key_count - most_missing, ENOUGH_KEYS);
	labels = needs->labels > 0 ? needs->labels + most_missing : 0;
	*count = needs->sizes + labels;
	if (*count == 0)
	{
		*search_mode = GIN_SEARCH_MODE_ALL;
		PG_RETURN_POINTER(NULL);
	}

	entries = palloc_array(Datum, *count);
	for (int32 i = 0; i < needs->sizes; i++)
		entries[i] = Int32GetDatum(GinSizeKey(least_size + i));
	/* take the last labels: labels that occur late in a document tend to be rare */
	for (int32 i = 0; i < labels; i++)
		entries[needs->sizes + i] = Int32GetDatum(keys[key_count - labels + i]);
	*extra_data = palloc0_array(Pointer, *count);
	(*extra_data)[0] = (Pointer) needs;
	PG_RETURN_POINTER(entries);
}

/* Returns the number of keys that an indexed tree has or may have. */
static int32
CountPossible(const char *check, int32 count)
{
	int32 possible = 0;

	for (int32 i = 0; i < count; i++)
		possible += check[i] != GIN_FALSE;
	return possible;
}

/* Whether an indexed tree may have the required keys. */
static bool
EntriesMayMatch(const char *check, int32 count, Pointer *extra_data)
{
	const QueryNeeds *needs;

	if (count == 0)
		return true;
	needs = (const QueryNeeds *) extra_data[0];
	return (needs->sizes == 0 || CountPossible(check, needs->sizes) > 0) &&
		   CountPossible(check + needs->sizes, count - needs->sizes) >= needs->labels;
}

PG_FUNCTION_INFO_V1(tree_gin_consistent);

/* Whether an indexed tree with these keys may match; a match is always rechecked. */
Datum
tree_gin_consistent(PG_FUNCTION_ARGS)
{
	bool *recheck = (bool *) PG_GETARG_POINTER(5);

	*recheck = true;
	PG_RETURN_BOOL(EntriesMayMatch((const char *) PG_GETARG_POINTER(0), PG_GETARG_INT32(3),
								   (Pointer *) PG_GETARG_POINTER(4)));
}

/* Counts of the searches of a scan. */
typedef struct GinScan
{
	ProgressOperation progress;
	ProgressCounts counts;
} GinScan;

/* Returns the state of the scan that calls a function, and makes it at the first call. */
static GinScan *
ScanOf(FmgrInfo *flinfo)
{
	GinScan *scan = flinfo->fn_extra;
	MemoryContext caller;

	if (scan != NULL)
		return scan;
	caller = MemoryContextSwitchTo(flinfo->fn_mcxt);
	scan = palloc0_object(GinScan);
	ProgressBeginSearch(&scan->progress, InvalidOid, &scan->counts);
	MemoryContextSwitchTo(caller);
	flinfo->fn_extra = scan;
	return scan;
}

PG_FUNCTION_INFO_V1(tree_gin_triconsistent);

/* Whether an indexed tree may match, where some of its keys are not yet known. */
Datum
tree_gin_triconsistent(PG_FUNCTION_ARGS)
{
	bool possible = EntriesMayMatch((const char *) PG_GETARG_POINTER(0), PG_GETARG_INT32(3),
									(Pointer *) PG_GETARG_POINTER(4));
	GinScan *scan = ScanOf(fcinfo->flinfo);

	scan->counts.pairs++;
	scan->counts.results += possible;
	ProgressAtWork(&scan->progress);
	CheckInterrupts();
	PG_RETURN_GIN_TERNARY_VALUE(possible ? GIN_MAYBE : GIN_FALSE);
}
