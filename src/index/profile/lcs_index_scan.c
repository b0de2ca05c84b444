/*
 * lcs_index_scan.c
 *	  Searches of a profile index: strings within thresholds, and the nearest strings.
 *
 * A scan visits all buckets whose lengths allow a match, and collects entries.  An ordered
 * scan begins with the lengths nearest to that of its operand, and keeps the nearest
 * entries, so that few of the later entries can be of use.  If the executor fetches more
 * rows than these, another pass collects farther entries.
 *
 * A scan copies each page that it reads, and holds neither a lock nor a pin while it works
 * on the copy and while the executor fetches rows.  That is safe only with MVCC snapshots,
 * and only if each row is fetched from the table:
 * - Plain scans and bitmap scans.  A vacuum removes entries of rows that no snapshot sees.
 *   A row that is stored at the same TID later is too new for the snapshot of the scan.
 *   Entries stay on their pages, so that the scan misses none.
 * - Index-only scans trust the visibility map, which a vacuum may have changed since the
 *   entry was copied; so there are none (lcs_cost.c), and LcsGetTuple() refuses them.  For
 *   the same reason bitmaps request a recheck: before 15.13 and the corresponding minor
 *   releases, bitmap scans that need no column trust the map, too.
 * - Exclusion constraints read with other snapshots; no operator of lcs can be part of
 *   one.
 * - A standby replays the removal of entries under locks of single pages.  Before that,
 *   records of the table have cancelled the scans whose snapshots see one of the rows.
 * - With old_snapshot_threshold, a vacuum removes entries that a snapshot needs; the page
 *   is then newer than the snapshot, which TestForOldSnapshot() detects.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/relscan.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "utils/float.h"
#include "utils/memutils.h"

#include "../../common/host.h"
#include "../../common/progress.h"
#include "../../compat.h"
#include "../../string/lcs_threshold.h"
#include "lcs_index.h"
#include "lcs_page.h"
#include "lcs_range.h"

/* Entries that the first array has room for, and that the first pass of an ordered scan keeps. */
#define FIRST_FOUND 512

/* Factor by which each pass keeps more entries than the last one. */
#define PASS_GROWTH 8

/* More entries than fit on a page. */
#define PAGE_ENTRIES (BLCKSZ / sizeof(ItemPointerData))

/* A string that entries are compared with, of a condition or of an order. */
typedef struct Target
{
	StrategyNumber strategy; /* strategy of an order, InvalidStrategy for a NULL operand */
	LcsRange range;          /* profile; for a condition also the threshold */
	TedCountsQuery counts;   /* the profile's counts, packed for the current bucket */
	TedSymbolSet *symbols;   /* NULL if the profile has no symbols */
	int32 most_missing;      /* symbols that a useful entry of the bucket may lack */
	int32 *missing;          /* symbols that each entry of the page lacks */
} Target;

/* An entry that has been found, and a lower bound on its distance by each order. */
typedef struct Found
{
	ItemPointerData row;
	float8 bounds[FLEXIBLE_ARRAY_MEMBER];
} Found;

typedef struct LcsScan
{
	MemoryContext context;  /* all memory of the scan */
	MemoryContext operands; /* profiles of the targets */
	ProgressOperation progress;
	ProgressCounts counts;
	Target *targets; /* conditions, then orders */
	int target_count;
	LcsChain chain;    /* walk along the pages of the current bucket */
	Page page;         /* copy of the current page */
	TIDBitmap *bitmap; /* gets the rows found, page by page; NULL in other scans */
	Oid *order_types;
	IndexOrderByDistance *distances; /* distances of the row that is returned */
	bool started;
	float8 above; /* a pass collects entries farther than this by the first order */
	float8 limit; /* but no farther than this limit */
	Size kept;    /* number of nearest entries that a pass keeps, and ties */
	bool beyond;  /* the pass may have left out entries */
	bool done;    /* no further pass is needed */
	Size entry_bytes;
	char *found;
	Size found_count;
	Size found_capacity;
	Size next;
} LcsScan;

/* Begins a scan. */
IndexScanDesc
LcsBeginScan(Relation index, int keys, int orders)
{
	IndexScanDesc scan = RelationGetIndexScan(index, keys, orders);
	MemoryContext context =
		AllocSetContextCreate(CurrentMemoryContext, "profile index scan", ALLOCSET_SMALL_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(context);
	LcsScan *state = palloc0_object(LcsScan);

	state->context = context;
	state->operands =
		AllocSetContextCreate(CurrentMemoryContext, "profile index operands", ALLOCSET_SMALL_SIZES);
	state->page = palloc(BLCKSZ);
	state->target_count = keys + orders;
	state->targets = palloc0_array(Target, keys + orders);
	for (int i = 0; i < keys + orders; i++)
		state->targets[i].missing = palloc_array(int32, PAGE_ENTRIES);
	state->order_types = palloc_array(Oid, orders);
	state->distances = palloc0_array(IndexOrderByDistance, orders);
	for (int i = 0; i < orders; i++)
		state->order_types[i] = FLOAT8OID;
	ProgressBeginSearch(&state->progress, RelationGetRelid(index), &state->counts);
	MemoryContextSwitchTo(caller);
	if (orders > 0)
	{
		scan->xs_orderbyvals = palloc0_array(Datum, orders);
		scan->xs_orderbynulls = palloc_array(bool, orders);
		memset(scan->xs_orderbynulls, true, sizeof(bool) * orders);
	}
	state->entry_bytes = MAXALIGN(offsetof(Found, bounds) + sizeof(float8) * orders);
	scan->opaque = state;
	return scan;
}

/* Restarts a scan with other operands. */
void
LcsRescan(IndexScanDesc scan, ScanKey keys, int key_count, ScanKey orders, int order_count)
{
	LcsScan *state = scan->opaque;

	(void) key_count, (void) order_count;
	if (keys != NULL && scan->numberOfKeys > 0)
		memmove(scan->keyData, keys, sizeof(ScanKeyData) * scan->numberOfKeys);
	if (orders != NULL && scan->numberOfOrderBys > 0)
		memmove(scan->orderByData, orders, sizeof(ScanKeyData) * scan->numberOfOrderBys);
	state->started = false;
	state->done = false;
	state->found_count = state->next = 0;
}

/* Reads the operands of a scan; returns false if one of its conditions is never true. */
static bool
ReadOperands(IndexScanDesc scan)
{
	LcsScan *state = scan->opaque;
	Target *target = state->targets;

	for (int i = 0; i < scan->numberOfKeys; i++, target++)
	{
		const ScanKeyData *key = &scan->keyData[i];

		if (key->sk_flags & SK_ISNULL || !ReadLcsRange(key->sk_argument, &target->range))
			return false;
	}
	for (int i = 0; i < scan->numberOfOrderBys; i++, target++)
	{
		const ScanKeyData *order = &scan->orderByData[i];

		memset(&target->range, 0, sizeof(LcsRange));
		target->symbols = NULL;
		target->strategy = order->sk_flags & SK_ISNULL ? InvalidStrategy : order->sk_strategy;
		if (target->strategy != InvalidStrategy)
		{
			LcsProfile *profile = &target->range.profile;

			LcsIndexedProfile(scan->indexRelation, order->sk_subtype, order->sk_argument, profile);
			if (profile->symbols != NULL)
			{
				target->symbols = palloc_object(TedSymbolSet);
				ted_symbol_set(profile->symbols, profile->length, target->symbols);
			}
		}
	}
	return true;
}

/* Returns the length of a bucket that is nearest to that of a target. */
static int32
NearestLength(const Target *target, const LcsBucket *bucket)
{
	return Max(Min(target->range.profile.length, bucket->greatest_length), bucket->least_length);
}

/*
 * Returns the most symbols that a string can have in common with the target if it lacks this
 * number of the target's symbols.
 */
static int32
MostCommon(const Target *target, int32 length, int32 missing)
{
	int32 own = target->range.profile.length;

	return Min(own - Min(missing, own), length);
}

/*
 * Returns a lower bound on the distance, by an order, of a string that lacks this number of
 * symbols.
 */
static float8
DistanceBound(const Target *order, int32 length, int32 missing)
{
	int64 total = (int64) order->range.profile.length + length;
	int32 common = MostCommon(order, length, missing);

	if (order->strategy == InvalidStrategy)
		return 0;
	if (order->strategy == LCS_STRATEGY_DISTANCE)
		return (float8) (total - 2 * (int64) common);
	return 1.0 - LcsSimilarity(common, total);
}

/* Whether a string that lacks this number of symbols may meet a condition. */
static bool
MayMeet(const Target *condition, int32 length, int32 missing)
{
	return LcsRangeHas(&condition->range, length, MostCommon(condition, length, missing));
}

/*
 * Whether a string that lacks this number of symbols may meet a target: a condition, or the
 * limit by the first order.
 */
static bool
MayBeOfUse(const IndexScanDescData *scan, int target_number, int32 length, int32 missing)
{
	const LcsScan *state = scan->opaque;
	const Target *target = &state->targets[target_number];

	if (target_number < scan->numberOfKeys)
		return MayMeet(target, length, missing);
	return target_number > scan->numberOfKeys ||
		   DistanceBound(target, length, missing) <= state->limit;
}

/*
 * Sets the most symbols that a useful entry of a bucket may lack; returns false if no entry is
 * of use.
 */
static bool
SetMostMissing(const IndexScanDescData *scan, int target_number, const LcsBucket *bucket)
{
	const LcsScan *state = scan->opaque;
	Target *target = &state->targets[target_number];
	int32 low = 0;
	int32 high = target->range.profile.length;

	/* if any length of the bucket is of use, the nearest one is */
	if (!MayBeOfUse(scan, target_number, NearestLength(target, bucket), 0))
		return false;
	while (bucket->lengths_offset == 0 && low < high)
	{
		int32 middle = high - (high - low) / 2;

		if (MayBeOfUse(scan, target_number, bucket->least_length, middle))
			low = middle;
		else
			high = middle - 1;
	}
	target->most_missing = high;
	return true;
}

/* Returns an entry that has been found, by its index. */
static inline Found *
FoundEntry(const LcsScan *state, Size i)
{
	return (Found *) (state->found + i * state->entry_bytes);
}

/* Adds an entry of the current page to those found, without its bounds. */
static Found *
AddFoundEntry(IndexScanDesc scan, ItemPointer row)
{
	LcsScan *state = scan->opaque;
	Found *found;

	if (!LcsIsRow(row))
		LcsDamaged(scan->indexRelation, state->chain.block, "has an entry that leads to no row");

	if (state->found_count == state->found_capacity)
	{
		Size capacity = Max(2 * state->found_capacity, FIRST_FOUND);

		CheckMemoryLimit(capacity * state->entry_bytes, "search of an index");
		state->found = state->found == NULL
						   ? MemoryContextAlloc(state->context, capacity * state->entry_bytes)
						   : repalloc_huge(state->found, capacity * state->entry_bytes);
		state->found_capacity = capacity;
	}
	found = FoundEntry(state, state->found_count++);
	found->row = *row;
	return found;
}

/* Compares two entries for sorting in ascending order of their bounds. */
static int
CompareFound(const void *a, const void *b, void *count)
{
	CHECK_FOR_INTERRUPTS();
	for (int k = 0; k < *(int *) count; k++)
	{
		float8 bound_a = ((const Found *) a)->bounds[k];
		float8 bound_b = ((const Found *) b)->bounds[k];

		if (bound_a != bound_b)
			return bound_a < bound_b ? -1 : 1;
	}
	return 0;
}

/* Sorts the entries that have been found by their bounds. */
static void
SortFound(IndexScanDesc scan)
{
	LcsScan *state = scan->opaque;

	qsort_arg(state->found, state->found_count, state->entry_bytes, CompareFound,
			  &scan->numberOfOrderBys);
}

/* Collects entry `i` of the current page if it may meet all conditions and belongs to this pass. */
static void
CollectEntry(IndexScanDesc scan, int32 length, int i, ItemPointer row)
{
	LcsScan *state = scan->opaque;
	const Target *orders = state->targets + scan->numberOfKeys;
	Found *found;

	for (int k = 0; k < scan->numberOfKeys; k++)
		if (!MayMeet(&state->targets[k], length, state->targets[k].missing[i]))
			return;
	if (scan->numberOfOrderBys > 0)
	{
		float8 bound = DistanceBound(orders, length, orders->missing[i]);

		state->beyond = state->beyond || bound > state->limit;
		if (bound <= state->above || bound > state->limit)
			return;
	}
	found = AddFoundEntry(scan, row);
	for (int k = 0; k < scan->numberOfOrderBys; k++)
		found->bounds[k] = DistanceBound(&orders[k], length, orders[k].missing[i]);
	if (scan->numberOfOrderBys > 0 && state->found_count >= 2 * state->kept)
	{
		Size count = state->kept;

		/* keep only the nearest, and collect no farther ones */
		SortFound(scan);
		state->limit = FoundEntry(state, count - 1)->bounds[0];
		while (count < state->found_count && FoundEntry(state, count)->bounds[0] <= state->limit)
			count++;
		state->beyond = state->beyond || count < state->found_count;
		state->found_count = count;
		/* if many entries are equally near, sorting them again and again would take long */
		if (count > state->kept + state->kept / 2)
			state->kept = count;
	}
}

/* Counts the symbols of a target that each entry of a page lacks. */
static void
CountMissing(Target *target, Page page, const LcsBucket *bucket)
{
	int count = LcsPageGetOpaque(page)->count;

	if (!bucket->symbols)
		ted_missing_symbols(&target->counts, LcsPageCounts(page), count, target->missing);
	else if (target->symbols == NULL)
		memset(target->missing, 0, sizeof(int32) * count);
	else
		for (int i = 0; i < count; i++)
			target->missing[i] =
				ted_symbols_missing(target->symbols, LcsPageSymbols(page, bucket, i),
									Min(LcsPageLength(page, bucket, i), bucket->greatest_length));
}

/* Collects entries of the current page; the first target excludes most of them. */
static void
CollectPage(IndexScanDesc scan)
{
	LcsScan *state = scan->opaque;
	const LcsBucket *bucket = &state->chain.bucket;
	Page page = state->page;
	const Target *first = state->target_count == 0 ? NULL : &state->targets[0];
	int count = LcsPageGetOpaque(page)->count;

	/* the limit may have become less since the last page */
	if (scan->numberOfKeys == 0 && scan->numberOfOrderBys > 0 && !SetMostMissing(scan, 0, bucket))
	{
		state->beyond = true;
		return;
	}
	state->counts.pairs += count;
	for (int k = 0; k < state->target_count; k++)
		CountMissing(&state->targets[k], page, bucket);
	for (int i = 0; i < count; i++)
	{
		if (first == NULL || first->missing[i] <= first->most_missing)
			CollectEntry(scan, LcsPageLength(page, bucket, i), i, LcsPageRow(page, bucket, i));
		else
			state->beyond = state->beyond || scan->numberOfKeys == 0;
	}
}

/* Calls `collect` for all pages of a bucket. */
static void
CollectPages(IndexScanDesc scan, int number, BlockNumber first, void (*collect)(IndexScanDesc scan))
{
	LcsScan *state = scan->opaque;

	LcsBeginChain(&state->chain, scan->indexRelation, number, first);
	while (BlockNumberIsValid(state->chain.block))
	{
		CheckInterrupts();
		LcsCopyPage(&state->chain, state->page);
		TestForOldSnapshot(scan->xs_snapshot, scan->indexRelation, state->page);
		collect(scan);
		if (state->bitmap != NULL)
		{
			for (Size i = 0; i < state->found_count; i++)
				tbm_add_tuples(state->bitmap, &FoundEntry(state, i)->row, 1, true);
			state->counts.results += (int64) state->found_count;
			state->found_count = 0;
		}
		LcsStep(&state->chain, LcsPageGetOpaque(state->page)->next);
	}
}

/* Collects the entries of a bucket, if any entry can be of use. */
static void
CollectBucket(IndexScanDesc scan, int number, BlockNumber first)
{
	LcsScan *state = scan->opaque;
	LcsBucket bucket = LcsDescribeBucket(number);

	for (int k = 0; k < state->target_count; k++)
	{
		Target *target = &state->targets[k];

		if (!SetMostMissing(scan, k, &bucket))
		{
			state->beyond = state->beyond || k >= scan->numberOfKeys;
			return;
		}
		if (!bucket.symbols)
			target->counts = ted_counts_query(&bucket.packing, target->range.profile.counts);
	}
	CollectPages(scan, number, first, CollectPage);
}

/* Collects the entries of NULLs, which come last and have no distance. */
static void
CollectNulls(IndexScanDesc scan)
{
	const LcsScan *state = scan->opaque;

	for (int i = 0; i < LcsPageGetOpaque(state->page)->count; i++)
	{
		Found *found = AddFoundEntry(scan, LcsPageRow(state->page, &state->chain.bucket, i));

		for (int k = 0; k < scan->numberOfOrderBys; k++)
			found->bounds[k] = get_float8_infinity();
	}
}

/*
 * A bucket that has entries, and the difference between its nearest length and that of an
 * operand.
 */
typedef struct BucketPlace
{
	int number;
	int32 apart;
} BucketPlace;

/* Compares two buckets for sorting: the one with the nearest lengths comes first. */
static int
CompareBuckets(const void *a, const void *b)
{
	int32 apart_a = ((const BucketPlace *) a)->apart;
	int32 apart_b = ((const BucketPlace *) b)->apart;

	return (apart_a > apart_b) - (apart_a < apart_b);
}

/* Collects the entries of all buckets, those with the nearest lengths first. */
static void
CollectBuckets(IndexScanDesc scan, const LcsMeta *meta)
{
	const LcsScan *state = scan->opaque;
	BucketPlace places[LCS_BUCKETS];
	int count = 0;

	for (int i = LCS_FIRST_BUCKET; i < LCS_BUCKETS; i++)
	{
		LcsBucket bucket = LcsDescribeBucket(i);
		const Target *order = &state->targets[scan->numberOfKeys];

		if (!BlockNumberIsValid(meta->bucket[i].first))
			continue;
		places[count].number = i;
		places[count++].apart =
			scan->numberOfOrderBys == 0
				? 0
				: abs(order->range.profile.length - NearestLength(order, &bucket));
	}
	qsort(places, count, sizeof(BucketPlace), CompareBuckets);
	for (int i = 0; i < count; i++)
		CollectBucket(scan, places[i].number, meta->bucket[places[i].number].first);
}

/* Collects entries in one pass over the index, and sorts them if the scan is ordered. */
static void
Pass(IndexScanDesc scan)
{
	LcsScan *state = scan->opaque;
	LcsMeta *meta = palloc_object(LcsMeta);

	LcsReadMeta(scan->indexRelation, meta);
	state->beyond = false;
	state->limit = get_float8_infinity();
	state->found_count = state->next = 0;
	CollectBuckets(scan, meta);
	state->done = !state->beyond || scan->numberOfOrderBys == 0;
	if (scan->numberOfKeys == 0 && state->done)
		CollectPages(scan, LCS_NULL_BUCKET, meta->bucket[LCS_NULL_BUCKET].first, CollectNulls);
	pfree(meta);
	if (scan->numberOfOrderBys > 0)
		SortFound(scan);
}

/* Starts a scan with its first pass. */
static void
StartScan(IndexScanDesc scan)
{
	LcsScan *state = scan->opaque;
	MemoryContext caller;
	bool possible;

	state->started = true;
	state->counts.documents++;
	pgstat_count_index_scan(scan->indexRelation);
	CountIndexSearch(scan);
	MemoryContextReset(state->operands);
	caller = MemoryContextSwitchTo(state->operands);
	possible = ReadOperands(scan);
	MemoryContextSwitchTo(caller);
	state->done = !possible;
	state->above = -1;
	state->kept = FIRST_FOUND;
	if (possible)
		Pass(scan);
}

/* Returns the next row of a scan; false if there is none. */
bool
LcsGetTuple(IndexScanDesc scan, ScanDirection direction)
{
	LcsScan *state = scan->opaque;
	const Found *found;

	if (direction != ForwardScanDirection)
		elog(ERROR, "a profile index does not support backward scans");
	if (scan->xs_want_itup)
		elog(ERROR, "a profile index does not support index-only scans");
	ProgressAtWork(&state->progress);
	if (!state->started)
		StartScan(scan);
	/* make further passes if necessary */
	while (state->next == state->found_count && !state->done)
	{
		state->above = state->limit;
		state->kept *= PASS_GROWTH;
		Pass(scan);
	}
	if (state->next == state->found_count)
		return false;
	found = FoundEntry(state, state->next++);
	state->counts.results++;
	scan->xs_heaptid = found->row;
	scan->xs_recheck = scan->numberOfKeys > 0;
	if (scan->numberOfOrderBys > 0)
	{
		for (int k = 0; k < scan->numberOfOrderBys; k++)
		{
			state->distances[k].value = found->bounds[k];
			state->distances[k].isnull =
				isinf(found->bounds[k]) ||
				state->targets[scan->numberOfKeys + k].strategy == InvalidStrategy;
		}
		index_store_float8_orderby_distances(scan, state->order_types, state->distances, true);
	}
	return true;
}

/* Adds all rows of a scan to a bitmap, and returns their number. */
int64
LcsGetBitmap(IndexScanDesc scan, TIDBitmap *bitmap)
{
	LcsScan *state = scan->opaque;
	int64 before = state->counts.results;

	ProgressAtWork(&state->progress);
	state->bitmap = bitmap;
	StartScan(scan);
	state->bitmap = NULL;
	return state->counts.results - before;
}

/* Ends a scan. */
void
LcsEndScan(IndexScanDesc scan)
{
	LcsScan *state = scan->opaque;

	MemoryContextDelete(state->context);
}
