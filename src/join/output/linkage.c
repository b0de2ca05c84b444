/*
 * linkage.c
 *	  Complete linkage: clusters all of whose documents match each other.
 *
 * For each two clusters with a pair that has been taken, a hash table counts these pairs.  When two
 * clusters are united, the counts of the one with fewer neighbours are added to those of the other
 * one, so that each pair is counted anew only a logarithmic number of times.
 */
#include "postgres.h"

#include "common/hashfn.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#include "../../common/host.h"
#include "../../compat.h"
#include "../../core/common/components.h"
#include "linkage.h"

/* A pair of ids. */
typedef struct LinkedPair
{
	int32 a; /* the lesser one */
	int32 b;
	double distance;
} LinkedPair;

/* The pairs of two clusters that have been taken. */
typedef struct PairCount
{
	uint64 clusters; /* both numbers */
	int64 count;
	char status;
} PairCount;

#define SH_PREFIX counts
#define SH_ELEMENT_TYPE PairCount
#define SH_KEY_TYPE uint64
#define SH_KEY clusters
#define SH_HASH_KEY(table, key)                                                                    \
	hash_combine(murmurhash32((uint32) ((key) >> 32)), murmurhash32((uint32) (key)))
#define SH_EQUAL(table, a, b) (a) == (b)
#define SH_SCOPE static inline
#define SH_DECLARE
#define SH_DEFINE
#include "lib/simplehash.h"

/* A cluster, numbered by one of its ids. */
typedef struct LinkedCluster
{
	int32 size;
	int32 count; /* of neighbours */
	int32 capacity;
	int32 *neighbours; /* numbers of clusters, some of which have been united with others */
} LinkedCluster;

struct Linkage
{
	MemoryContext context;
	const char *what;
	int32 *parent;
	int32 ids;
	LinkedPair *pairs;
	int64 count;
	int64 capacity;
	counts_hash *counts;
	LinkedCluster *clusters; /* by number */
	int32 *number;           /* of the cluster whose first id this is */
};

/* Compares pairs by distance, then by ids. */
static inline int
ComparePairs(const LinkedPair *a, const LinkedPair *b)
{
	if (a->distance != b->distance)
		return a->distance < b->distance ? -1 : 1;
	if (a->a != b->a)
		return a->a < b->a ? -1 : 1;
	return (a->b > b->b) - (a->b < b->b);
}

/* Compares pairs by ids, then by distance. */
static inline int
CompareIds(const LinkedPair *a, const LinkedPair *b)
{
	if (a->a != b->a)
		return a->a < b->a ? -1 : 1;
	if (a->b != b->b)
		return a->b < b->b ? -1 : 1;
	return (a->distance > b->distance) - (a->distance < b->distance);
}

#define ST_SORT SortPairsByDistance
#define ST_ELEMENT_TYPE LinkedPair
#define ST_COMPARE(a, b) ComparePairs(a, b)
#define ST_SCOPE static
#define ST_CHECK_FOR_INTERRUPTS
#define ST_DECLARE
#define ST_DEFINE
#include "lib/sort_template.h"

#define ST_SORT SortPairsByIds
#define ST_ELEMENT_TYPE LinkedPair
#define ST_COMPARE(a, b) CompareIds(a, b)
#define ST_SCOPE static
#define ST_CHECK_FOR_INTERRUPTS
#define ST_DECLARE
#define ST_DEFINE
#include "lib/sort_template.h"

Linkage *
LinkageCreate(int32 *parent, int32 ids, const char *what)
{
	MemoryContext context =
		AllocSetContextCreate(CurrentMemoryContext, "ted linkage", ALLOCSET_DEFAULT_SIZES);
	Linkage *linkage = MemoryContextAllocZero(context, sizeof(Linkage));

	linkage->context = context;
	linkage->what = what;
	linkage->parent = parent;
	linkage->ids = ids;
	linkage->capacity = 64;
	linkage->pairs = MemoryContextAlloc(context, sizeof(LinkedPair) * (Size) linkage->capacity);
	return linkage;
}

void
LinkageAdd(Linkage *linkage, int64 a, int64 b, double distance)
{
	if (linkage->count == linkage->capacity)
	{
		/* the larger array exists beside the smaller one, and a count takes more than a pair */
		CheckMemoryGrowth(linkage->context,
						  (2 * sizeof(LinkedPair) + 2 * sizeof(PairCount)) *
							  (Size) linkage->capacity,
						  linkage->what);
		linkage->capacity *= 2;
		linkage->pairs =
			repalloc_huge(linkage->pairs, sizeof(LinkedPair) * (Size) linkage->capacity);
	}
	linkage->pairs[linkage->count++] = (LinkedPair){(int32) Min(a, b), (int32) Max(a, b), distance};
}

/* Replaces ids by the first ones that are connected with them; keeps each pair once. */
static void
MakePairsDistinct(Linkage *linkage)
{
	LinkedPair *pairs = linkage->pairs;
	int64 kept = 0;

	for (int64 i = 0; i < linkage->count; i++)
	{
		int32 a = ted_component(linkage->parent, pairs[i].a);
		int32 b = ted_component(linkage->parent, pairs[i].b);

		CHECK_FOR_INTERRUPTS();
		if (a != b)
			pairs[kept++] = (LinkedPair){Min(a, b), Max(a, b), pairs[i].distance};
	}
	linkage->count = kept;
	SortPairsByIds(pairs, (size_t) kept);
	kept = 0;
	for (int64 i = 0; i < linkage->count; i++)
		if (kept == 0 || pairs[kept - 1].a != pairs[i].a || pairs[kept - 1].b != pairs[i].b)
			pairs[kept++] = pairs[i];
	linkage->count = kept;
}

/* Returns the key of two clusters. */
static uint64
ClustersKey(int32 a, int32 b)
{
	return (uint64) Min(a, b) << 32 | (uint64) Max(a, b);
}

/* Notes that two clusters have pairs. */
static void
AddNeighbour(Linkage *linkage, int32 cluster, int32 neighbour)
{
	LinkedCluster *of = &linkage->clusters[cluster];

	RESERVE_COUNTED(linkage->context, of->neighbours, of->capacity, (int64) of->count + 1,
					linkage->what);
	of->neighbours[of->count++] = neighbour;
}

/* Adds to the number of pairs of two clusters; returns it. */
static int64
CountPairs(Linkage *linkage, int32 a, int32 b, int64 count)
{
	bool found;
	PairCount *counted;

	if (linkage->counts->members >= linkage->counts->grow_threshold)
		CheckMemoryGrowth(linkage->context, 2 * sizeof(PairCount) * (Size) linkage->counts->size,
						  linkage->what);
	counted = counts_insert(linkage->counts, ClustersKey(a, b), &found);
	if (!found)
	{
		counted->count = 0;
		AddNeighbour(linkage, a, b);
		AddNeighbour(linkage, b, a);
	}
	return counted->count += count;
}

/* Unites two clusters, given by their first ids. */
static void
UniteClusters(Linkage *linkage, int32 first_a, int32 first_b)
{
	int32 from = linkage->number[first_a];
	int32 to = linkage->number[first_b];
	LinkedCluster *left;

	if (linkage->clusters[from].count > linkage->clusters[to].count)
	{
		to = from;
		from = linkage->number[first_b];
	}
	left = &linkage->clusters[from];
	counts_delete(linkage->counts, ClustersKey(from, to));
	for (int32 i = 0; i < left->count; i++)
	{
		PairCount *counted = counts_lookup(linkage->counts, ClustersKey(from, left->neighbours[i]));
		int64 count;

		CHECK_FOR_INTERRUPTS();
		if (counted == NULL)
			continue;
		count = counted->count;
		counts_delete_item(linkage->counts, counted);
		CountPairs(linkage, to, left->neighbours[i], count);
	}
	if (left->neighbours != NULL)
		pfree(left->neighbours);
	linkage->clusters[to].size += left->size;
	*left = (LinkedCluster){0};
	ted_connect(linkage->parent, first_a, first_b);
	linkage->number[ted_component(linkage->parent, first_a)] = to;
}

void
LinkageFinish(Linkage *linkage)
{
	MemoryContext caller = MemoryContextSwitchTo(linkage->context);

	MakePairsDistinct(linkage);
	SortPairsByDistance(linkage->pairs, (size_t) linkage->count);
	CheckMemoryGrowth(linkage->context,
					  (sizeof(LinkedCluster) + sizeof(int32)) * (Size) linkage->ids, linkage->what);
	linkage->clusters =
		palloc_extended(sizeof(LinkedCluster) * (Size) linkage->ids, MCXT_ALLOC_HUGE);
	linkage->number = palloc_extended(sizeof(int32) * (Size) linkage->ids, MCXT_ALLOC_HUGE);
	for (int32 id = 0; id < linkage->ids; id++)
	{
		linkage->clusters[id] = (LinkedCluster){.size = 1};
		linkage->number[id] = id;
	}
	linkage->counts = counts_create(linkage->context, 64, NULL);
	for (int64 i = 0; i < linkage->count; i++)
	{
		int32 first_a = ted_component(linkage->parent, linkage->pairs[i].a);
		int32 first_b = ted_component(linkage->parent, linkage->pairs[i].b);
		int32 a = linkage->number[first_a];
		int32 b = linkage->number[first_b];

		CHECK_FOR_INTERRUPTS();
		if (CountPairs(linkage, a, b, 1) ==
			(int64) linkage->clusters[a].size * linkage->clusters[b].size)
			UniteClusters(linkage, first_a, first_b);
	}
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(linkage->context);
}
