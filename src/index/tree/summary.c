/*
 * summary.c
 *	  Summaries of sets of trees: the keys of GiST indexes.
 *
 * After the varlena header, a stored summary has one byte, the version of the form, then the
 * fields of TreeSummary, or of one tree only its size and its counts, without alignment.
 */
#include "postgres.h"

#include "fmgr.h"
#include "miscadmin.h"

#include "../../compat.h"
#include "keys.h"
#include "summary.h"

#define SUMMARY_VERSION 1

/* Bytes of a stored summary of one tree, and of several trees, after the version. */
#define ONE_BYTES (sizeof(int32) + SUMMARY_BUCKETS)
#define MANY_BYTES sizeof(TreeSummary)

void
SummarizeTree(const Tree *tree, TreeSummary *summary)
{
	int32 labels;
	LabelCount *counts = TreeLabelCounts(tree, &labels);
	int32 size = 0;

	memset(summary, 0, sizeof(*summary));
	for (int32 i = 0; i < labels; i++)
	{
		uint8 *bucket = &summary->least[counts[i].hash % SUMMARY_BUCKETS];

		CHECK_FOR_INTERRUPTS();
		*bucket = (uint8) Min(*bucket + counts[i].count, PG_UINT8_MAX);
		size += counts[i].count;
	}
	memcpy(summary->greatest, summary->least, sizeof(summary->greatest));
	summary->least_size = summary->greatest_size = size;
	pfree(counts);
}

void
SummaryAdd(TreeSummary *summary, const TreeSummary *other)
{
	summary->least_size = Min(summary->least_size, other->least_size);
	summary->greatest_size = Max(summary->greatest_size, other->greatest_size);
	for (int i = 0; i < SUMMARY_BUCKETS; i++)
	{
		summary->least[i] = Min(summary->least[i], other->least[i]);
		summary->greatest[i] = Max(summary->greatest[i], other->greatest[i]);
	}
}

int64
SummaryGrowth(const TreeSummary *summary, const TreeSummary *other)
{
	int64 growth = (int64) Max(summary->least_size - other->least_size, 0) +
				   Max(other->greatest_size - summary->greatest_size, 0);

	for (int i = 0; i < SUMMARY_BUCKETS; i++)
		growth += Max(summary->least[i] - other->least[i], 0) +
				  Max(other->greatest[i] - summary->greatest[i], 0);
	return growth;
}

/*
 * Counts the labels of a tree that no tree of a set has, and the labels that every tree of the
 * set has and the tree lacks.
 */
static void
CountUnmatched(const TreeSummary *set, const TreeSummary *tree, int32 *missing, int32 *excess)
{
	*missing = 0;
	*excess = 0;
	for (int i = 0; i < SUMMARY_BUCKETS; i++)
	{
		*missing += Max(tree->least[i] - set->greatest[i], 0);
		*excess += Max(set->least[i] - tree->least[i], 0);
	}
}

/*
 * Returns a lower bound on the distance between a tree and any tree of a set.  At least
 * `missing` nodes of the tree have no counterpart with their label in the other tree, and
 * `excess` nodes of the other tree have none in the tree; the larger tree has as many more
 * nodes without counterpart as it has more nodes.
 */
int32
SummaryBound(const TreeSummary *set, const TreeSummary *tree)
{
	int32 missing;
	int32 excess;

	CountUnmatched(set, tree, &missing, &excess);
	return Max(Max(missing, missing + set->least_size - tree->least_size),
			   Max(excess, excess + tree->least_size - set->greatest_size));
}

bool
SummaryMayBeWithin(const TreeSummary *set, const TreeSummary *tree, int32 max_distance)
{
	return set->least_size - tree->least_size <= max_distance &&
		   tree->least_size - set->greatest_size <= max_distance &&
		   SummaryBound(set, tree) <= max_distance;
}

/*
 * Returns the size at which a tree of a set can be nearest to a tree in terms of their sizes,
 * and a lower bound on the distance of a tree with this size.  Where it has more nodes than the
 * tree, the bound stays at `excess` until `missing` and the difference of the sizes exceed
 * that, and then grows with each node.
 */
int32
SummaryNearestSize(const TreeSummary *set, const TreeSummary *tree, int32 *distance)
{
	int32 missing;
	int32 excess;
	int32 size;

	CountUnmatched(set, tree, &missing, &excess);
	size = tree->least_size + Max(excess - missing, 0);
	size = Min(Max(size, set->least_size), set->greatest_size);
	*distance = Max(Max(missing, missing + size - tree->least_size),
					Max(excess, excess + tree->least_size - size));
	return size;
}

Datum
SummaryStore(const TreeSummary *summary)
{
	bool one = summary->least_size == summary->greatest_size &&
			   memcmp(summary->least, summary->greatest, SUMMARY_BUCKETS) == 0;
	Size bytes = VARHDRSZ + 1 + (one ? ONE_BYTES : MANY_BYTES);
	bytea *stored = palloc(bytes);
	char *p = VARDATA(stored);

	SET_VARSIZE(stored, bytes);
	*p++ = SUMMARY_VERSION;
	if (one)
	{
		memcpy(p, &summary->least_size, sizeof(int32));
		memcpy(p + sizeof(int32), summary->least, SUMMARY_BUCKETS);
	}
	else
		memcpy(p, summary, MANY_BYTES);
	return PointerGetDatum(stored);
}

/* Raises an error about a key that is no summary of this version. */
static _Noreturn void
RefuseSummary(const char *detail)
{
	ereport(ERROR,
			(errcode(ERRCODE_INDEX_CORRUPTED), errmsg("key of an index is not a summary of trees"),
			 errdetail_internal("%s", detail),
			 errhint("Use the operator class tree_ops, and REINDEX.")));
}

/* Reads a stored summary, which is never compressed or out of line. */
void
SummaryLoad(Datum stored, TreeSummary *summary)
{
	const char *p = VARDATA_ANY(DatumGetPointer(stored));
	Size bytes = VARSIZE_ANY_EXHDR(DatumGetPointer(stored));

	if (bytes == 0 || *p++ != SUMMARY_VERSION)
		RefuseSummary("It is of a version that this release does not read.");
	if (bytes == 1 + MANY_BYTES)
		memcpy(summary, p, MANY_BYTES);
	else if (bytes != 1 + ONE_BYTES)
		RefuseSummary("It does not have the number of bytes of a summary.");
	else
	{
		memcpy(&summary->least_size, p, sizeof(int32));
		summary->greatest_size = summary->least_size;
		memcpy(summary->least, p + sizeof(int32), SUMMARY_BUCKETS);
		memcpy(summary->greatest, summary->least, SUMMARY_BUCKETS);
	}
}
