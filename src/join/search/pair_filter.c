/*
 * pair_filter.c
 *	  Skips trees that are read again for a block of a join but can match none of its trees.
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "../../compat.h"
#include "../../common/host.h"
#include "../../core/tree/filters/pair_set.h"
#include "pair_filter.h"
#include "partition_rule.h"
#include "search.h"

/* Trees whose labels are counted. */
#define SAMPLED_TREES 1000

/* The pair set takes at most 1 / SET_SHARE of the memory of a block. */
#define SET_SHARE 6

struct PairFilter
{
	MemoryContext context;
	MemoryContext scratch; /* reset for each tree */
	const DocumentKind *kind;
	const DocumentThreshold *threshold;
	int32 *frequency; /* label counts (partition_rule.h) */
	int32 sampled;    /* trees counted */
	int32 size;       /* size of the last tree, whose limit is `limit` */
	int32 limit;
	Size set_bytes;
	TedPairSet set; /* pairs of the block; allocated for the first block */
	bool complete;  /* whether `set` has pairs of all trees of the block */
};

/* Makes a filter. */
PairFilter *
PairFilterCreate(const DocumentKind *kind, const DocumentThreshold *threshold, Size block)
{
	MemoryContext context =
		AllocSetContextCreate(CurrentMemoryContext, "ted pair filter", ALLOCSET_DEFAULT_SIZES);
	PairFilter *filter = MemoryContextAllocZero(context, sizeof(PairFilter));

	filter->context = context;
	filter->scratch = AllocSetContextCreate(context, "ted rare nodes", ALLOCSET_DEFAULT_SIZES);
	filter->kind = kind;
	filter->threshold = threshold;
	filter->frequency = MemoryContextAllocZero(context, sizeof(int32) * LABEL_COUNTS);
	filter->size = -1;
	filter->set_bytes = ted_pair_set_bytes(block / SET_SHARE);
	return filter;
}

/* Finds the rarest nodes of a tree. */
static void
FindRareTreeNodes(const PairFilter *filter, Datum tree, int32 limit, TedRareNodes *rare)
{
	TedLabelFrequencies frequencies = {.count = filter->frequency, .mask = LABEL_COUNTS - 1};
	int32 *label;
	int32 *occurrence;
	int32 size = filter->kind->list_nodes(tree, &label, &occurrence);

	CheckStatus(ted_rare_nodes(label, occurrence, size, &frequencies, limit, &PgInterrupt, rare));
}

/*
 * Returns the most operations between matching trees, one of this size; -1 if too many for the
 * filter.
 */
static int32
LimitOf(PairFilter *filter, int32 size)
{
	if (size != filter->size)
	{
		int32 limit = DistanceAllowedAround(filter->threshold, size);

		filter->size = size;
		filter->limit = limit <= TED_LABEL_PAIRS_LIMIT ? limit : -1;
	}
	return filter->limit;
}

/* Returns the rarest nodes of a tree that is about to be stored. */
bytea *
PairFilterNodes(PairFilter *filter, Datum tree, int32 size)
{
	MemoryContext caller = MemoryContextSwitchTo(filter->scratch);
	int32 limit = LimitOf(filter, size);
	bytea *stored = NULL;

	MemoryContextReset(filter->scratch);
	if (filter->sampled < SAMPLED_TREES)
	{
		CountTreeLabels(filter->frequency, filter->kind, tree);
		filter->sampled++;
	}
	else if (limit >= 0)
	{
		TedRareNodes rare;
		Size bytes;

		FindRareTreeNodes(filter, tree, limit, &rare);
		bytes = sizeof(uint32) * (Size) rare.count;
		stored = palloc(VARHDRSZ + bytes);
		SET_VARSIZE(stored, VARHDRSZ + bytes);
		memcpy(VARDATA(stored), rare.node, bytes);
	}
	MemoryContextSwitchTo(caller);
	return stored;
}

/* Reads the rarest nodes stored with a tree, or finds them. */
static void
ReadNodes(PairFilter *filter, Datum tree, int32 limit, const bytea *nodes, TedRareNodes *rare)
{
	MemoryContext caller;

	if (nodes != NULL)
	{
		rare->count = (int32) (VARSIZE_ANY_EXHDR(nodes) / sizeof(uint32));
		memcpy(rare->node, VARDATA_ANY(nodes), VARSIZE_ANY_EXHDR(nodes));
		return;
	}
	caller = MemoryContextSwitchTo(filter->scratch);
	MemoryContextReset(filter->scratch);
	FindRareTreeNodes(filter, tree, limit, rare);
	MemoryContextSwitchTo(caller);
}

/* Starts a block. */
void
PairFilterStart(PairFilter *filter)
{
	if (filter->set.words == NULL)
		filter->set = ted_pair_set_in(MemoryContextAllocHuge(filter->context, filter->set_bytes),
									  filter->set_bytes);
	memset(filter->set.words, 0, filter->set_bytes);
	filter->sampled = SAMPLED_TREES; /* label counts must not change any more */
	filter->complete = true;
}

/* Adds a tree of the block; if its rarest nodes cannot be used, any tree may match it. */
void
PairFilterAdd(PairFilter *filter, Datum tree, int32 size, const bytea *nodes)
{
	int32 limit = LimitOf(filter, size);
	TedRareNodes rare;

	filter->complete &= limit >= 0;
	if (!filter->complete)
		return;
	ReadNodes(filter, tree, limit, nodes, &rare);
	ted_pair_set_add(&filter->set, &rare);
}

/* Whether a stored tree may match a tree of the block. */
bool
PairFilterMayMatch(PairFilter *filter, Datum tree, int32 size, const bytea *nodes)
{
	int32 limit = filter->complete ? LimitOf(filter, size) : -1;
	TedRareNodes rare;

	if (limit < 0)
		return true;
	ReadNodes(filter, tree, limit, nodes, &rare);
	return ted_pair_set_meets(&filter->set, &rare, limit);
}

/* Returns the bytes of the filter. */
Size
PairFilterMemory(const PairFilter *filter)
{
	return MemoryContextMemAllocated(filter->context, true);
}

/* Frees the filter. */
void
PairFilterFree(PairFilter *filter)
{
	MemoryContextDelete(filter->context);
}
