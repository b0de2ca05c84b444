/*
 * statistics.c
 *	  Statistics of a column of trees, and estimates from them.
 *
 * Besides the standard statistics, a column gets its most common keys (tree/keys.h) and a
 * histogram of its sizes, with the shares of pairs within small distances and of similar
 * pairs.  The shares are estimated from pairs of a part of the sample by their labels alone.
 * These give a lower bound on the distance; most pairs whose bound is within a threshold are
 * within it.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_statistic.h"
#include "catalog/pg_type.h"
#include "commands/vacuum.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/lsyscache.h"

#include "../../compat.h"
#include "../tree/keys.h"
#include "statistics.h"

/* Kinds of statistics; pg_statistic.h leaves these numbers to types outside PostgreSQL. */
#define STATISTIC_KIND_SIZES 26471 /* values: histogram bounds; numbers: see below */
#define STATISTIC_KIND_KEYS 26472  /* values: keys in ascending order; numbers: see below */

/*
 * Numbers of the keys: the share of trees that have each key, then the greatest share of any
 * other key.
 */

/* The greatest distance for which pairs are counted. */
#define MAX_DISTANCE 32

/* The least similarity for which pairs are counted, and the number of steps from there to 1. */
#define LEAST_SIMILARITY 0.6
#define SIMILARITY_STEPS 8

/* Tolerance, in steps, when a similarity is rounded down to a step. */
#define STEP_ROUNDING 1e-6

/*
 * Numbers of the sizes: the average.  If there are pairs, then the shares of pairs within
 * distance 0, 1, 2, ..., and those of pairs with at least the similarity of each step.
 */
enum
{
	SIZES_AVERAGE,
	SIZES_WITHIN,
	SIZES_SIMILAR = SIZES_WITHIN + MAX_DISTANCE + 1,
	SIZES_NUMBERS = SIZES_SIMILAR + SIMILARITY_STEPS + 1
};

/*
 * The most trees of the sample that are compared with one another, and the most nodes of all
 * these.
 */
#define COMPARED_TREES 1000
#define COMPARED_NODES 200000

/*
 * Shares of the nodes of a tree that a threshold may allow to change: without statistics, few
 * pairs are within a threshold of the first share or less, and all within one of the second
 * share.
 */
#define NARROW_CHANGE 0.1
#define WIDE_CHANGE 0.6

/* The most keys that are kept for each unit of the statistics target. */
#define COMMON_KEYS 10

/* A tree of the sample. */
typedef struct SampleTree
{
	int32 *keys; /* keys in ascending order */
	int32 size;
} SampleTree;

/*
 * The compute_stats function and extra data of the standard statistics, which tree_typanalyze()
 * replaces.
 */
typedef struct StandardStatistics
{
	AnalyzeAttrComputeStatsFunc compute_stats;
	void *extra_data;
} StandardStatistics;

#define ST_SORT SortTrees
#define ST_ELEMENT_TYPE SampleTree
#define ST_COMPARE(a, b) (((a)->size > (b)->size) - ((a)->size < (b)->size))
#define ST_SCOPE static
#define ST_DECLARE
#define ST_DEFINE
#include "lib/sort_template.h"

/* A key and the number of trees that have it. */
typedef struct KeyCount
{
	int32 key;
	int32 count;
} KeyCount;

/* Compares two keys for sorting: more frequent keys come first. */
static int
CompareKeyCounts(const void *a, const void *b)
{
	return ((const KeyCount *) b)->count - ((const KeyCount *) a)->count;
}

/* Compares two keys for sorting in ascending order. */
static int
CompareKeys(const void *a, const void *b)
{
	int32 key_a = ((const KeyCount *) a)->key;
	int32 key_b = ((const KeyCount *) b)->key;

	return (key_a > key_b) - (key_a < key_b);
}

/* Adds statistics of int4 values to those of the column, if there is room. */
static void
AddSlot(VacAttrStats *stats, int16 kind, Datum *values, int value_count, float4 *numbers,
		int number_count)
{
	int slot = 0;

	while (slot < STATISTIC_NUM_SLOTS && stats->stakind[slot] != 0)
		slot++;
	if (slot == STATISTIC_NUM_SLOTS)
		return;
	stats->stakind[slot] = kind;
	stats->staop[slot] = InvalidOid;
	stats->stavalues[slot] = values;
	stats->numvalues[slot] = value_count;
	stats->stanumbers[slot] = numbers;
	stats->numnumbers[slot] = number_count;
	stats->statypid[slot] = INT4OID;
	stats->statyplen[slot] = sizeof(int32);
	stats->statypbyval[slot] = true;
	stats->statypalign[slot] = TYPALIGN_INT;
}

/*
 * Returns a lower bound on the distance of two trees by their labels, or a number greater than
 * `limit`.
 */
static int32
LabelBound(const SampleTree *a, const SampleTree *b, int32 limit)
{
	int32 i = 0;
	int32 j = 0;
	int32 only_a = 0;
	int32 only_b = 0;

	while (i < a->size && j < b->size && Max(only_a, only_b) <= limit)
	{
		only_a += a->keys[i] < b->keys[j];
		only_b += a->keys[i] > b->keys[j];
		if (a->keys[i] < b->keys[j])
			i++;
		else if (a->keys[i] > b->keys[j])
			j++;
		else
			i++, j++;
	}
	return Max(only_a + a->size - i, only_b + b->size - j);
}

/*
 * Returns the greatest distance that is of interest for a pair whose larger tree has this
 * number of nodes.
 */
static int32
LargestCountedDistance(int32 larger_size)
{
	return Max(MAX_DISTANCE, (int32) ((1 - LEAST_SIMILARITY) * larger_size) + 1);
}

/* Returns the step of a similarity, with a fraction; negative if such pairs are not counted. */
static double
SimilarityStep(double similarity)
{
	return (similarity - LEAST_SIMILARITY) / (1 - LEAST_SIMILARITY) * SIMILARITY_STEPS;
}

/* Computes the shares of pairs of trees, and sorts the trees by size. */
static void
ComparePairs(SampleTree *trees, int32 count, float4 *numbers)
{
	int64 found[SIZES_NUMBERS] = {0}; /* pairs at exactly a distance; pairs between two steps */
	double pairs = (double) count * (count - 1) / 2;
	int64 sum = 0;

	SortTrees(trees, count);
	for (int32 i = 0; i < count; i++)
		for (int32 j = i + 1;
			 j < count && trees[j].size - trees[i].size <= LargestCountedDistance(trees[j].size);
			 j++)
		{
			int32 bound = LabelBound(&trees[i], &trees[j], LargestCountedDistance(trees[j].size));
			double step = SimilarityStep(TreeSimilarity(bound, trees[j].size));

			CHECK_FOR_INTERRUPTS();
			if (bound <= MAX_DISTANCE)
				found[SIZES_WITHIN + bound]++;
			if (step >= 0)
				found[SIZES_SIMILAR + (int32) (step + STEP_ROUNDING)]++;
		}
	for (int32 k = 0; k <= MAX_DISTANCE; k++)
	{
		sum += found[SIZES_WITHIN + k];
		numbers[SIZES_WITHIN + k] = (float4) ((double) sum / pairs);
	}
	sum = 0;
	for (int32 step = SIMILARITY_STEPS; step >= 0; step--)
	{
		sum += found[SIZES_SIMILAR + step];
		numbers[SIZES_SIMILAR + step] = (float4) ((double) sum / pairs);
	}
}

/*
 * Adds the statistics of sizes, and of the distances of the trees that are compared; sorts
 * `sizes`.
 */
static void
AddSizes(VacAttrStats *stats, int32 *sizes, int count, SampleTree *trees, int32 compared)
{
	int bounds = StatisticsTarget(stats) + 1;
	Datum *values = MemoryContextAlloc(stats->anl_context, sizeof(Datum) * bounds);
	int numbers_count = compared < 2 ? SIZES_WITHIN : SIZES_NUMBERS;
	float4 *numbers = MemoryContextAlloc(stats->anl_context, sizeof(float4) * numbers_count);
	double sum = 0;

	SortKeys(sizes, (size_t) count);
	for (int i = 0; i < count; i++)
		sum += sizes[i];
	for (int i = 0; i < bounds; i++)
		values[i] = Int32GetDatum(sizes[(int64) i * (count - 1) / (bounds - 1)]);
	numbers[SIZES_AVERAGE] = (float4) (sum / count);
	if (compared >= 2)
		ComparePairs(trees, compared, numbers);
	AddSlot(stats, STATISTIC_KIND_SIZES, values, bounds, numbers, numbers_count);
}

/* Adds the most common keys of trees to the statistics. */
static void
AddKeys(VacAttrStats *stats, const SampleTree *trees, int32 count)
{
	int most = COMMON_KEYS * StatisticsTarget(stats);
	int32 total = 0;
	int32 *all;
	int32 *end;
	KeyCount *counts;
	int32 distinct = 0;
	int32 uncommon;
	Datum *values;
	float4 *shares;

	for (int32 i = 0; i < count; i++)
		total += trees[i].size;
	all = end = palloc_array(int32, total);
	counts = palloc_array(KeyCount, total);
	for (int32 i = 0; i < count; i++)
	{
		memcpy(end, trees[i].keys, sizeof(int32) * trees[i].size);
		end += trees[i].size;
	}
	SortKeys(all, (size_t) total);
	for (int32 i = 0; i < total; i++)
	{
		if (i == 0 || all[i] != all[i - 1])
			counts[distinct++] = (KeyCount){.key = all[i]};
		counts[distinct - 1].count++;
	}
	qsort(counts, distinct, sizeof(KeyCount), CompareKeyCounts);
	uncommon = distinct > most ? counts[most].count : 1;
	most = Min(most, distinct);
	qsort(counts, most, sizeof(KeyCount), CompareKeys);

	values = MemoryContextAlloc(stats->anl_context, sizeof(Datum) * most);
	shares = MemoryContextAlloc(stats->anl_context, sizeof(float4) * (most + 1));
	for (int i = 0; i < most; i++)
	{
		values[i] = Int32GetDatum(counts[i].key);
		shares[i] = Min((float4) counts[i].count / count, 1);
	}
	shares[most] = (float4) uncommon / count;
	AddSlot(stats, STATISTIC_KIND_KEYS, values, most, shares, most + 1);
}

/* Computes the statistics of a column: the standard ones, sizes and keys. */
static void
ComputeStatistics(VacAttrStats *stats, AnalyzeAttrFetchFunc fetch, int rows, double total_rows)
{
	StandardStatistics *standard = stats->extra_data;
	SampleTree *trees = palloc_array(SampleTree, COMPARED_TREES);
	int32 *sizes = palloc_array(int32, rows);
	int count = 0;
	int32 compared = 0;
	int64 nodes = 0;

	stats->extra_data = standard->extra_data;
	standard->compute_stats(stats, fetch, rows, total_rows);
	stats->extra_data = standard;

	for (int row = 0; row < rows; row++)
	{
		bool is_null;
		Datum value = fetch(stats, row, &is_null);

		CHECK_FOR_INTERRUPTS();
		if (is_null)
			continue;
		sizes[count] = TreeSize(value);
		/* spread the compared trees evenly over the sample, as far as the limit of nodes allows */
		if ((int64) row * COMPARED_TREES / rows >= compared && compared < COMPARED_TREES &&
			nodes + sizes[count] <= (int64) COMPARED_NODES * (row + 1) / rows)
		{
			Tree *tree;
			SampleTree sample;

			nodes += sizes[count];
			tree = DatumGetTree(value);
			sample.keys = TreeKeys(tree, &sample.size);
			SortKeys(sample.keys, (size_t) sample.size);
			if ((Pointer) tree != DatumGetPointer(value))
				pfree(tree);
			trees[compared++] = sample;
		}
		count++;
	}
	if (count == 0)
		return;
	AddSizes(stats, sizes, count, trees, compared);
	if (compared > 0)
		AddKeys(stats, trees, compared);
}

PG_FUNCTION_INFO_V1(tree_typanalyze);

/* Replaces the computation of a column's statistics by ComputeStatistics(). */
Datum
tree_typanalyze(PG_FUNCTION_ARGS)
{
	VacAttrStats *stats = (VacAttrStats *) PG_GETARG_POINTER(0);
	StandardStatistics *standard;

	if (!std_typanalyze(stats))
		PG_RETURN_BOOL(false);
	standard = palloc_object(StandardStatistics);
	standard->compute_stats = stats->compute_stats;
	standard->extra_data = stats->extra_data;
	stats->compute_stats = ComputeStatistics;
	stats->extra_data = standard;
	PG_RETURN_BOOL(true);
}

/*
 * Reads one kind of statistics; returns false if there is none, or if another extension uses
 * its number.
 */
static bool
ReadStatisticsSlot(AttStatsSlot *slot, HeapTuple statistics, int kind)
{
	if (!get_attstatsslot(slot, statistics, kind, InvalidOid,
						  ATTSTATSSLOT_VALUES | ATTSTATSSLOT_NUMBERS))
		return false;
	if (slot->valuetype == INT4OID &&
		(kind == STATISTIC_KIND_KEYS ? slot->nnumbers == slot->nvalues + 1
									 : slot->nvalues > 1 && (slot->nnumbers == SIZES_WITHIN ||
															 slot->nnumbers == SIZES_NUMBERS)))
		return true;
	free_attstatsslot(slot);
	return false;
}

double
EstimateTreeSize(HeapTuple statistics)
{
	AttStatsSlot slot;
	double size;

	if (!ReadStatisticsSlot(&slot, statistics, STATISTIC_KIND_SIZES))
		return -1;
	size = slot.numbers[SIZES_AVERAGE];
	free_attstatsslot(&slot);
	return size;
}

/*
 * Returns the share of pairs with at least this similarity, interpolated between its two
 * neighbouring steps; below the first step, between this one and a share of 1 at similarity 0.
 */
static double
ShareSimilar(const float4 *numbers, double min_similarity)
{
	const float4 *shares = numbers + SIZES_SIMILAR;
	double step = SimilarityStep(min_similarity);
	int32 below = Min((int32) step, SIMILARITY_STEPS - 1);

	if (step < 0)
		return 1 - (1 - shares[0]) * min_similarity / LEAST_SIMILARITY;
	return shares[below] + (shares[below + 1] - shares[below]) * (step - below);
}

/*
 * Returns the share of pairs within a threshold; a normalized distance is converted to a
 * similarity.
 */
static double
ShareWithinThreshold(const float4 *numbers, const DocumentThreshold *threshold)
{
	double normalized = threshold->max_normalized;
	double share;

	if (threshold->min_similarity > 0)
		return ShareSimilar(numbers, threshold->min_similarity);
	if (normalized < 1)
		return ShareSimilar(numbers, Max(1 - 2 * normalized / (2 - normalized), 0));
	/* a distance beyond those counted is taken as a similarity of trees of average size */
	share = numbers[SIZES_WITHIN + Min(threshold->max_distance, MAX_DISTANCE)];
	if (threshold->max_distance <= MAX_DISTANCE)
		return share;
	return Max(share,
			   ShareSimilar(numbers, Max(1 - threshold->max_distance / numbers[SIZES_AVERAGE], 0)));
}

/*
 * Returns the share of pairs within a threshold without any statistics:
 * DEFAULT_WITHIN_SELECTIVITY for narrow thresholds, rising to 1 for thresholds that allow most
 * nodes to change.
 */
double
DefaultShareWithin(const DocumentThreshold *threshold)
{
	double allowed = (double) DistanceAllowed(threshold, DEFAULT_TREE_SIZE) / DEFAULT_TREE_SIZE;
	double way = (allowed - NARROW_CHANGE) / (WIDE_CHANGE - NARROW_CHANGE);

	return pow(DEFAULT_WITHIN_SELECTIVITY, 1 - Min(Max(way, 0), 1));
}

double
EstimateWithinAny(HeapTuple statistics, const DocumentThreshold *threshold)
{
	AttStatsSlot slot;
	double share = -1;

	if (!ReadStatisticsSlot(&slot, statistics, STATISTIC_KIND_SIZES))
		return -1;
	if (slot.nnumbers == SIZES_NUMBERS)
		share = ShareWithinThreshold(slot.numbers, threshold);
	free_attstatsslot(&slot);
	return share;
}

/* Returns the share of trees with this number of nodes or fewer. */
static double
ShareUpTo(const AttStatsSlot *sizes, double size)
{
	int i = 0;
	double from;
	double to;

	while (i < sizes->nvalues && DatumGetInt32(sizes->values[i]) <= size)
		i++;
	if (i == 0 || i == sizes->nvalues)
		return i == 0 ? 0 : 1;
	from = DatumGetInt32(sizes->values[i - 1]);
	to = DatumGetInt32(sizes->values[i]);
	return (i - 1 + (size - from) / (to - from)) / (sizes->nvalues - 1);
}

/* Returns the share of pairs of trees whose sizes allow a threshold. */
double
EstimateSimilarSizes(HeapTuple statistics, const DocumentThreshold *threshold)
{
	AttStatsSlot slot;
	double share = 0;

	if (!ReadStatisticsSlot(&slot, statistics, STATISTIC_KIND_SIZES))
		return -1;
	for (int i = 0; i < slot.nvalues; i++)
	{
		int32 size = DatumGetInt32(slot.values[i]);
		double limit = DistanceAllowed(threshold, size);

		share += ShareUpTo(&slot, size + limit) - ShareUpTo(&slot, size - limit - 1);
	}
	share /= slot.nvalues;
	free_attstatsslot(&slot);
	return share;
}

/*
 * Returns the share of trees that have a key; for a key that is not common, half of the
 * greatest share that it can have.
 */
static double
ShareWithKey(const AttStatsSlot *keys, int32 key)
{
	int low = 0;
	int high = keys->nvalues;

	while (low < high)
	{
		int middle = (low + high) / 2;

		if (DatumGetInt32(keys->values[middle]) < key)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < keys->nvalues && DatumGetInt32(keys->values[low]) == key)
		return keys->numbers[low];
	return keys->numbers[keys->nvalues] / 2;
}

/* Compares two shares for sorting in ascending order. */
static int
CompareShares(const void *a, const void *b)
{
	double share_a = *(const double *) a;
	double share_b = *(const double *) b;

	CHECK_FOR_INTERRUPTS();
	return (share_a > share_b) - (share_a < share_b);
}

/*
 * Returns an upper bound on the share of trees that have one of the k + 1 rarest keys of a
 * tree; a tree without any of them is not within k.
 */
static double
ShareByKeys(const AttStatsSlot *slot, const Tree *tree, int32 max_distance)
{
	int32 size;
	int32 *keys = TreeKeys(tree, &size);
	double *shares = palloc_array(double, size);
	double share = 0;

	for (int32 i = 0; i < size; i++)
	{
		CHECK_FOR_INTERRUPTS();
		shares[i] = ShareWithKey(slot, keys[i]);
	}
	qsort(shares, size, sizeof(double), CompareShares);
	for (int32 i = 0; i <= max_distance && i < size; i++)
		share += shares[i];
	if (max_distance >= size)
		share = 1;
	pfree(keys);
	pfree(shares);
	return Min(share, 1);
}

double
EstimateWithinTree(HeapTuple statistics, const Tree *tree, int32 max_distance)
{
	AttStatsSlot slot;
	TreeReader reader;
	double share;

	if (!ReadStatisticsSlot(&slot, statistics, STATISTIC_KIND_SIZES))
		return -1;
	TreeReaderInit(&reader, tree);
	share = ShareUpTo(&slot, (double) reader.size + max_distance) -
			ShareUpTo(&slot, (double) reader.size - max_distance - 1);
	free_attstatsslot(&slot);
	if (ReadStatisticsSlot(&slot, statistics, STATISTIC_KIND_KEYS))
	{
		share *= ShareByKeys(&slot, tree, max_distance);
		free_attstatsslot(&slot);
	}
	return share;
}
