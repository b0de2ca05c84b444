/*
 * gist.c
 *	  GiST operator class: the trees nearest to another one, those within a distance, and equal
 *	  trees.
 *
 * Each entry is a summary of the trees below it, which gives a lower bound on their
 * distances; the rows that the index returns are rechecked.  Pages are split around the two
 * entries that are farthest apart (Guttman, SIGMOD 1984).
 */
#include "postgres.h"

#include "access/gist.h"
#include "access/stratnum.h"
#include "fmgr.h"
#include "utils/builtins.h"
#include "utils/memutils.h"
#include "utils/rel.h"

#include "../../common/progress.h"
#include "../../compat.h"
#include "../../tree/distance/threshold.h"
#include "cost_range.h"
#include "../../catalog/identity.h"
#include "../../catalog/row_type.h"
#include "range.h"
#include "summary.h"

/* The operand of a scan, which is kept for all entries that it is compared with. */
typedef struct ScanQuery
{
	Oid type;
	Size bytes;
	struct varlena *operand; /* as the scan passed it */
	bool is_null;
	int32 max_distance;
	TreeSummary summary;
	MemoryContext context; /* of `costs` */
	CostRange *costs;      /* NULL for unit costs */
	CostSummary by_costs;
	Page page; /* the page whose entries are compared */
	ProgressOperation progress;
	ProgressCounts counts;
} ScanQuery;

/* Replaces the operand that is kept by a copy of another one. */
static ScanQuery *
KeepQuery(FmgrInfo *flinfo, struct varlena *operand, Size bytes, Relation index)
{
	ScanQuery *query = flinfo->fn_extra;

	flinfo->fn_extra = NULL; /* in case of an error */
	if (query != NULL)
	{
		pfree(query->operand);
		MemoryContextReset(query->context);
	}
	else
	{
		MemoryContext outer = MemoryContextSwitchTo(flinfo->fn_mcxt);

		query = palloc0_object(ScanQuery);
		ProgressBeginSearch(&query->progress, RelationGetRelid(index), &query->counts);
		query->context =
			AllocSetContextCreate(flinfo->fn_mcxt, "range by a model", ALLOCSET_SMALL_SIZES);
		MemoryContextSwitchTo(outer);
	}
	query->costs = NULL;
	query->page = NULL;
	query->counts.documents++;
	query->operand = MemoryContextAlloc(flinfo->fn_mcxt, bytes);
	memcpy(query->operand, operand, bytes);
	query->bytes = bytes;
	return query;
}

/*
 * Whether a strategy takes an operand of this type.  An exclusion constraint passes InvalidOid:
 * its operand has the type of the column.
 */
static bool
TakesOperand(StrategyNumber strategy, Oid type)
{
	if (strategy == STRATEGY_WITHIN)
		return IsTreeRangeType(type);
	return (strategy == STRATEGY_EQUAL && !OidIsValid(type)) || IsTreeType(type);
}

/* Summarizes the operand of a scan. */
static void
SummarizeQuery(const TreeRange *range, ScanQuery *query)
{
	MemoryContext caller;

	if (!range->by_model)
	{
		query->max_distance = range->max_distance;
		SummarizeTree(DatumGetTree(range->tree), &query->summary);
		return;
	}
	caller = MemoryContextSwitchTo(query->context);
	query->costs = ReadCostRange(range);
	SummarizeCostRange(query->costs, &query->by_costs);
	MemoryContextSwitchTo(caller);
}

/* Reads the operand of a scan, a tree or a tree_range. */
static ScanQuery *
ReadQuery(FunctionCallInfo fcinfo, StrategyNumber strategy, struct varlena *operand, Size bytes)
{
	TreeRange range = {.tree = PointerGetDatum(operand), .max_distance = 0};
	ScanQuery *query;
	StrategyNumber given = (StrategyNumber) PG_GETARG_UINT16(2);
	Oid type = PG_GETARG_OID(3);

	/* an operator class may have been created with other operators */
	if (given != strategy || !TakesOperand(strategy, type))
		ereport(ERROR, (errcode(ERRCODE_DATATYPE_MISMATCH),
						errmsg("operator class does not fit its functions"),
						errdetail("The operator of strategy %d takes a value of type %s.", given,
								  format_type_be(type)),
						errhint("Create the extension again if its type has been altered, or use "
								"the operator class tree_ops.")));
	query = KeepQuery(fcinfo->flinfo, operand, bytes, ((GISTENTRY *) PG_GETARG_POINTER(0))->rel);
	query->type = type;
	query->is_null =
		strategy == STRATEGY_WITHIN && !ReadTreeRange(PointerGetDatum(operand), &range);
	if (!query->is_null)
		SummarizeQuery(&range, query);
	fcinfo->flinfo->fn_extra = query;
	return query;
}

/* Returns the operand of a scan to compare an entry with. */
static ScanQuery *
GetQuery(FunctionCallInfo fcinfo, StrategyNumber strategy)
{
	const GISTENTRY *entry = (const GISTENTRY *) PG_GETARG_POINTER(0);
	struct varlena *operand = (struct varlena *) PG_GETARG_POINTER(1);
	Size bytes = VARSIZE_ANY(operand);
	ScanQuery *query = fcinfo->flinfo->fn_extra;

	if (query == NULL || query->type != PG_GETARG_OID(3) || query->bytes != bytes ||
		memcmp(query->operand, operand, bytes) != 0)
		query = ReadQuery(fcinfo, strategy, operand, bytes);
	query->counts.pairs++;
	if (entry->page != query->page)
	{
		/* report progress at the first entry of each page */
		query->page = entry->page;
		ProgressAtWork(&query->progress);
		CheckInterrupts();
	}
	return query;
}

PG_FUNCTION_INFO_V1(tree_gist_compress);

/* Summarizes an indexed tree. */
Datum
tree_gist_compress(PG_FUNCTION_ARGS)
{
	GISTENTRY *entry = (GISTENTRY *) PG_GETARG_POINTER(0);
	GISTENTRY *compressed;
	TreeSummary summary;
	Tree *tree;

	if (!entry->leafkey)
		PG_RETURN_POINTER(entry);
	tree = DatumGetTree(entry->key);
	SummarizeTree(tree, &summary);
	if ((Pointer) tree != DatumGetPointer(entry->key))
		pfree(tree);
	compressed = palloc_object(GISTENTRY);
	gistentryinit(*compressed, SummaryStore(&summary), entry->rel, entry->page, entry->offset,
				  false);
	PG_RETURN_POINTER(compressed);
}

PG_FUNCTION_INFO_V1(tree_gist_consistent);

/*
 * Whether a tree below an entry can be within the distance of the operand, which is 0 for
 * equality.
 */
Datum
tree_gist_consistent(PG_FUNCTION_ARGS)
{
	GISTENTRY *entry = (GISTENTRY *) PG_GETARG_POINTER(0);
	bool equal = PG_GETARG_UINT16(2) == STRATEGY_EQUAL;
	bool *recheck = (bool *) PG_GETARG_POINTER(4);
	ScanQuery *query = GetQuery(fcinfo, equal ? STRATEGY_EQUAL : STRATEGY_WITHIN);
	TreeSummary summary;
	bool may_be;

	*recheck = true;
	if (query->is_null)
		PG_RETURN_BOOL(false);
	SummaryLoad(entry->key, &summary);
	may_be = query->costs != NULL
				 ? SummaryMayBeInCostRange(&summary, query->costs, &query->by_costs)
				 : SummaryMayBeWithin(&summary, &query->summary, query->max_distance);
	query->counts.results += may_be && GIST_LEAF(entry);
	PG_RETURN_BOOL(may_be);
}

PG_FUNCTION_INFO_V1(tree_gist_distance);

/*
 * Returns a lower bound on the distances of the trees below an entry, by the measure of the
 * strategy.
 */
Datum
tree_gist_distance(PG_FUNCTION_ARGS)
{
	GISTENTRY *entry = (GISTENTRY *) PG_GETARG_POINTER(0);
	bool *recheck = (bool *) PG_GETARG_POINTER(4);
	StrategyNumber strategy = (StrategyNumber) PG_GETARG_UINT16(2);
	ScanQuery *query = GetQuery(fcinfo, Min(Max(strategy, STRATEGY_DISTANCE), STRATEGY_NORMALIZED));
	TreeSummary summary;
	int32 size;
	int32 distance;

	*recheck = true;
	SummaryLoad(entry->key, &summary);
	if (strategy == STRATEGY_DISTANCE)
		PG_RETURN_FLOAT8(SummaryBound(&summary, &query->summary));
	size = SummaryNearestSize(&summary, &query->summary, &distance);
	if (strategy == STRATEGY_DISSIMILARITY)
		PG_RETURN_FLOAT8(TreeDissimilarity(distance, Max(size, query->summary.least_size)));
	PG_RETURN_FLOAT8(TreeNormalizedDistance(distance, (int64) size + query->summary.least_size));
}

PG_FUNCTION_INFO_V1(tree_gist_union);

/* Returns the summary of all entries. */
Datum
tree_gist_union(PG_FUNCTION_ARGS)
{
	GistEntryVector *entries = (GistEntryVector *) PG_GETARG_POINTER(0);
	int *bytes = (int *) PG_GETARG_POINTER(1);
	TreeSummary all;
	Datum stored;

	SummaryLoad(entries->vector[0].key, &all);
	for (int i = 1; i < entries->n; i++)
	{
		TreeSummary summary;

		SummaryLoad(entries->vector[i].key, &summary);
		SummaryAdd(&all, &summary);
	}
	stored = SummaryStore(&all);
	*bytes = (int) VARSIZE(DatumGetPointer(stored));
	PG_RETURN_DATUM(stored);
}

PG_FUNCTION_INFO_V1(tree_gist_penalty);

/* Computes by how much the summary of an entry grows when another entry is added below it. */
Datum
tree_gist_penalty(PG_FUNCTION_ARGS)
{
	GISTENTRY *entry = (GISTENTRY *) PG_GETARG_POINTER(0);
	GISTENTRY *added = (GISTENTRY *) PG_GETARG_POINTER(1);
	float *penalty = (float *) PG_GETARG_POINTER(2);
	TreeSummary summary;
	TreeSummary other;

	SummaryLoad(entry->key, &summary);
	SummaryLoad(added->key, &other);
	*penalty = (float) SummaryGrowth(&summary, &other);
	PG_RETURN_POINTER(penalty);
}

PG_FUNCTION_INFO_V1(tree_gist_same);

/* Whether two entries are the same. */
Datum
tree_gist_same(PG_FUNCTION_ARGS)
{
	bool *same = (bool *) PG_GETARG_POINTER(2);
	TreeSummary a;
	TreeSummary b;

	SummaryLoad(PG_GETARG_DATUM(0), &a);
	SummaryLoad(PG_GETARG_DATUM(1), &b);
	*same = memcmp(&a, &b, sizeof(TreeSummary)) == 0;
	PG_RETURN_POINTER(same);
}

/* An entry, and by how much it is nearer to the first seed than to the second. */
typedef struct SplitEntry
{
	OffsetNumber offset;
	int64 preference;
} SplitEntry;

/* Compares two entries for sorting: entries nearer to the first seed come first. */
static int
CompareSplitEntries(const void *a, const void *b)
{
	int64 preference_a = ((const SplitEntry *) a)->preference;
	int64 preference_b = ((const SplitEntry *) b)->preference;

	return (preference_b > preference_a) - (preference_b < preference_a);
}

/* Returns how far apart two summaries are. */
static int64
Apart(const TreeSummary *a, const TreeSummary *b)
{
	return SummaryGrowth(a, b) + SummaryGrowth(b, a);
}

/* Returns the entry that is farthest from another one. */
static OffsetNumber
Farthest(const TreeSummary *summaries, OffsetNumber last, OffsetNumber from)
{
	OffsetNumber farthest = FirstOffsetNumber;
	int64 greatest = -1;

	for (OffsetNumber i = FirstOffsetNumber; i <= last; i++)
	{
		int64 apart = Apart(&summaries[from], &summaries[i]);

		if (i != from && apart > greatest)
		{
			greatest = apart;
			farthest = i;
		}
	}
	return farthest;
}

/* Returns the summary of entries that go to the same page, and their offsets. */
static Datum
UniteEntries(const SplitEntry *split, int count, const TreeSummary *summaries,
			 OffsetNumber *offsets)
{
	TreeSummary all = summaries[split[0].offset];

	for (int i = 0; i < count; i++)
	{
		offsets[i] = split[i].offset;
		SummaryAdd(&all, &summaries[split[i].offset]);
	}
	return SummaryStore(&all);
}

PG_FUNCTION_INFO_V1(tree_gist_picksplit);

/*
 * Splits a page around two seeds that are far apart; each side gets at least a quarter of the
 * entries.
 */
Datum
tree_gist_picksplit(PG_FUNCTION_ARGS)
{
	GistEntryVector *entries = (GistEntryVector *) PG_GETARG_POINTER(0);
	GIST_SPLITVEC *result = (GIST_SPLITVEC *) PG_GETARG_POINTER(1);
	OffsetNumber last = (OffsetNumber) (entries->n - 1);
	TreeSummary *summaries = palloc_array(TreeSummary, last + 1);
	SplitEntry *split = palloc_array(SplitEntry, last);
	OffsetNumber first_seed;
	OffsetNumber second_seed;
	int left = 0;

	for (OffsetNumber i = FirstOffsetNumber; i <= last; i++)
		SummaryLoad(entries->vector[i].key, &summaries[i]);
	first_seed = Farthest(summaries, last, FirstOffsetNumber);
	second_seed = Farthest(summaries, last, first_seed);

	for (OffsetNumber i = FirstOffsetNumber; i <= last; i++)
		split[i - 1] = (SplitEntry){.offset = i,
									.preference = Apart(&summaries[second_seed], &summaries[i]) -
												  Apart(&summaries[first_seed], &summaries[i])};
	qsort(split, last, sizeof(SplitEntry), CompareSplitEntries);
	while (left < last && split[left].preference > 0)
		left++;
	left = Min(Max(left, (last + 3) / 4), last - (last + 3) / 4);

	result->spl_nleft = left;
	result->spl_nright = last - left;
	result->spl_left = palloc_array(OffsetNumber, left);
	result->spl_right = palloc_array(OffsetNumber, last - left);
	result->spl_ldatum = UniteEntries(split, left, summaries, result->spl_left);
	result->spl_rdatum = UniteEntries(split + left, last - left, summaries, result->spl_right);
	PG_RETURN_POINTER(result);
}
