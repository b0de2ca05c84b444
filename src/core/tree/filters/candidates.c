/*
 * candidates.c
 *	  Which pairs of many trees can be within k edit operations of each other.
 */
#include "candidates.h"

#include <string.h>

#include "equivalence.h"
#include "overlap.h"
#include "signature.h"

/* A tree in the list of a label. */
typedef struct Posting
{
	int32_t number;
	uint32_t signature; /* the short one, at hand for most trees of which no more is asked */
} Posting;

struct TedCandidateIndex
{
	const TedIndexedTree *trees;
	TedRareLabels rare;
	int64_t *list;       /* by rank: where its postings begin; one more entry at the end */
	Posting *postings;   /* trees by the ranks of their prefixes, then by number */
	uint64_t *signature; /* by tree */
	int32_t *seen;       /* by tree: the last search that met it */
	int32_t searches;
	TedOverlap overlap;      /* of the tree under search with others */
	TedEquivalence *classes; /* as this tree sees them */
	int32_t *found;          /* by kind: the first one found, or -1 where its labels are too few */
	int32_t kinds;
	TedRefuse refuse; /* or NULL */
	void *refuse_context;
	int64_t steps;
};

/* Takes an index and the arrays of its own; NULL where there is no room. */
static TedCandidateIndex *
take_candidate_index(TedArena *arena, const TedIndexedTrees *trees, int32_t labels)
{
	TedCandidateIndex *index = ted_arena_alloc(arena, sizeof(TedCandidateIndex));
	size_t count = (size_t) trees->count;
	TedCandidateIndex arrays = {0};

	arrays.list = ted_arena_alloc(arena, sizeof(int64_t) * ((size_t) labels + 3));
	arrays.postings = ted_arena_alloc(arena, sizeof(Posting) * (size_t) trees->prefix_nodes);
	arrays.signature = ted_arena_alloc(arena, sizeof(uint64_t) * count);
	arrays.seen = ted_arena_int32(arena, count);
	arrays.found = ted_arena_int32(arena, count);
	if (ted_arena_exceeded(arena))
		return NULL;
	*index = arrays;
	return index;
}

/* Bytes that ted_candidate_index() takes. */
size_t
ted_candidate_index_memory(const TedIndexedTrees *trees, int32_t labels)
{
	TedArena counted = {0};

	take_candidate_index(&counted, trees, labels);
	return counted.used + ted_overlap_memory(labels) + ted_equivalence_memory(trees->count) +
		   ted_rare_labels_memory(labels) + trees->prefix_memory;
}

/*
 * Goes through the prefixes of all trees.  The first time, list[rank + 2] counts the
 * postings; when these have been summed up, list[rank + 1] is where the next one goes.
 */
static TedStatus
visit_prefixes(TedCandidateIndex *index, int32_t count, bool counted, TedArena *arena,
			   const TedInterrupt *interrupt)
{
	size_t used = arena->used;

	for (int32_t i = 0; i < count; i++)
	{
		const TedIndexedTree *tree = &index->trees[i];
		int32_t *ranks;
		int32_t length;
		TedStatus status =
			ted_prefix(&index->rare, tree->tree, tree->limit, arena, interrupt, &ranks, &length);

		if (status != TED_OK)
			return status;
		for (int32_t r = 0; r < length; r++)
			if (counted)
				index->postings[index->list[ranks[r] + 1]++] =
					(Posting){i, ted_short_signature(index->signature[i])};
			else
				index->list[ranks[r] + 2]++;
		arena->used = used;
		if (ted_interrupted(interrupt, &index->steps, tree->size))
			return TED_CANCELLED;
	}
	return TED_OK;
}

/* Fills in the postings. */
static TedStatus
fill_postings(TedCandidateIndex *index, int32_t count, TedArena *arena,
			  const TedInterrupt *interrupt)
{
	int32_t ranks = index->rare.labels;
	TedStatus status;

	memset(index->list, 0, sizeof(int64_t) * ((size_t) ranks + 3));
	status = visit_prefixes(index, count, false, arena, interrupt);
	if (status != TED_OK)
		return status;
	for (int32_t rank = 1; rank <= ranks; rank++)
		index->list[rank + 1] += index->list[rank];
	return visit_prefixes(index, count, true, arena, interrupt);
}

/* Indexes trees that are in ascending order of their sizes. */
TedStatus
ted_candidate_index(const TedIndexedTree *trees, int32_t count, int32_t labels, TedArena *arena,
					const TedInterrupt *interrupt, TedCandidateIndex **index)
{
	TedIndexedTrees counted = {0};
	TedCandidateIndex *made;
	TedStatus status;

	for (int32_t i = 0; i < count; i++)
		ted_count_tree(&counted, trees[i].size, trees[i].limit);
	made = take_candidate_index(arena, &counted, labels);
	if (made == NULL || ted_overlap(labels, arena, &made->overlap) != TED_OK ||
		ted_equivalence(count, made->overlap.mark, arena, &made->classes) != TED_OK)
		return TED_OUT_OF_ARENA;
	made->trees = trees;
	for (int32_t i = 0; i < count; i++)
	{
		made->seen[i] = 0;
		made->signature[i] = ted_signature(trees[i].tree);
		if (ted_interrupted(interrupt, &made->steps, trees[i].size))
			return TED_CANCELLED;
	}
	status = ted_rare_labels(trees, count, labels, arena, interrupt, &made->rare);
	if (status == TED_OK)
		status = fill_postings(made, count, arena, interrupt);
	*index = made;
	return status;
}

/* Makes the index also find trees that are near by mappings that may reorder siblings. */
void
ted_candidates_in_any_order(TedCandidateIndex *index)
{
	index->overlap.in_any_order = true;
}

/* Makes the index ask a function which trees are too far. */
void
ted_candidates_refuse(TedCandidateIndex *index, TedRefuse refuse, void *context)
{
	index->refuse = refuse;
	index->refuse_context = context;
}

/* One search under way. */
typedef struct Search
{
	TedCandidateIndex *index;
	const TedTree *tree;
	int32_t limit;
	uint64_t signature;
	int32_t bits; /* most bits in which signatures of trees within the threshold differ */
	TedArena *arena;
	const TedInterrupt *interrupt;
	TedCandidate *found;
	int32_t count;
	TedCandidateCounts *counts;
} Search;

/*
 * Number of the first tree before `end` of at least this number of nodes, not counting
 * those that its own limit allows to miss where `less` is 1; or `end`.
 */
static int32_t
first_tree_of_size(const TedCandidateIndex *index, int32_t end, int32_t size, int32_t less)
{
	int32_t low = 0;

	while (low < end)
	{
		int32_t middle = low + (end - low) / 2;

		if (index->trees[middle].size - less * index->trees[middle].limit < size)
			low = middle + 1;
		else
			end = middle;
	}
	return low;
}

/* The first posting of a tree with at least this number. */
static const Posting *
first_posting(const Posting *postings, const Posting *end, int32_t number)
{
	while (postings < end)
	{
		const Posting *middle = postings + (end - postings) / 2;

		if (middle->number < number)
			postings = middle + 1;
		else
			end = middle;
	}
	return postings;
}

/* Keeps a tree that shares enough labels. */
static TedStatus
consider_tree(Search *search, int32_t number)
{
	TedCandidateIndex *index = search->index;
	const TedIndexedTree *other = &index->trees[number];
	TedCandidate candidate = {.number = number, .limit = ted_max(search->limit, other->limit)};
	int32_t more = ted_max(search->tree->size - other->size, 0);
	TedStatus status = TED_OK;
	bool refused = false;
	int32_t kind;

	search->counts->prefix++;
	if (index->refuse != NULL)
		status = index->refuse(index->refuse_context, number, &refused);
	if (refused)
		return status;
	if (status == TED_OK && index->overlap.tree == NULL)
		status = ted_overlap_begin(&index->overlap, search->tree, search->arena, search->interrupt);
	if (status != TED_OK)
		return status;
	kind = ted_equivalence_kind(index->classes, other->tree, candidate.limit - more);
	if (kind < 0)
		return TED_OK;
	if (kind == index->kinds)
	{
		status = ted_overlap_bound(&index->overlap, other->tree, candidate.limit, search->interrupt,
								   &candidate.bound);
		index->found[index->kinds++] = candidate.bound == TED_BEYOND ? -1 : search->count;
	}
	candidate.like = index->found[kind];
	if (status != TED_OK || candidate.like < 0)
		return status;
	if (candidate.like < search->count)
		candidate.bound = search->found[candidate.like].bound;
	search->found[search->count++] = candidate;
	return TED_OK;
}

/* Considers a tree unless its signature rules it out, or it has been met before. */
static inline TedStatus
meet(Search *search, int32_t number)
{
	TedCandidateIndex *index = search->index;

	if (ted_signature_difference(search->signature, index->signature[number]) > search->bits ||
		index->seen[number] == index->searches)
		return TED_OK;
	index->seen[number] = index->searches;
	index->steps += index->trees[number].size;
	return consider_tree(search, number);
}

/* Considers the trees from `first` to before `end` that share a label of the prefix. */
static TedStatus
search_prefix(Search *search, int32_t first, int32_t end)
{
	TedCandidateIndex *index = search->index;
	uint32_t signature = ted_short_signature(search->signature);
	int32_t *ranks;
	int32_t count;
	TedStatus status = ted_prefix(&index->rare, search->tree, search->limit, search->arena,
								  search->interrupt, &ranks, &count);

	for (int32_t r = 0; r < count && status == TED_OK; r++)
	{
		const Posting *last = &index->postings[index->list[ranks[r] + 1]];
		const Posting *posting =
			first_posting(&index->postings[index->list[ranks[r]]], last, first);

		for (; posting < last && posting->number < end && status == TED_OK; posting++)
		{
			if (ted_short_difference(signature, posting->signature) <= search->bits)
				status = meet(search, posting->number);
			if (ted_interrupted(search->interrupt, &index->steps, 1))
				status = TED_CANCELLED;
		}
	}
	return status;
}

/* Considers all trees from `first` to before `end`. */
static TedStatus
search_all(Search *search, int32_t first, int32_t end)
{
	TedStatus status = TED_OK;

	for (int32_t number = first; number < end && status == TED_OK; number++)
	{
		status = meet(search, number);
		if (ted_interrupted(search->interrupt, &search->index->steps, 1))
			status = TED_CANCELLED;
	}
	return status;
}

/* Bytes that ted_candidates() takes. */
size_t
ted_candidates_memory(int32_t size, int32_t limit)
{
	return ted_prefix_memory(size, limit) + ted_overlap_begin_memory(size);
}

/* Finds the trees with numbers below `end` that can be within k of a tree. */
TedStatus
ted_candidates(TedCandidateIndex *index, const TedTree *tree, int32_t limit, int32_t end,
			   TedArena *arena, const TedInterrupt *interrupt, TedCandidate *found, int32_t *count,
			   TedCandidateCounts *counts)
{
	Search search = {.index = index,
					 .tree = tree,
					 .limit = limit,
					 .arena = arena,
					 .interrupt = interrupt,
					 .found = found,
					 .counts = counts};
	size_t used = arena->used;
	int32_t first = first_tree_of_size(index, end, tree->size - limit, 0);
	TedStatus status;

	*count = 0;
	if (end > 0 && index->trees[end - 1].size - index->trees[end - 1].limit > tree->size)
		end = first_tree_of_size(index, end, tree->size + 1, 1);
	if (first >= end)
		return TED_OK;
	counts->window += end - first;

	index->searches++;
	index->kinds = 0;
	search.signature = ted_signature(tree);
	search.bits = 2 * ted_min(64, ted_max(limit, index->trees[end - 1].limit));
	/* pairs of at most k nodes need not share a label, nor do all their labels make a prefix */
	if (tree->size <= limit)
		status = search_all(&search, first, end);
	else
		status = search_prefix(&search, first, end);
	ted_equivalence_forget(index->classes);
	if (index->overlap.tree != NULL)
		ted_overlap_end(&index->overlap);
	counts->label += search.count;
	*count = search.count;
	arena->used = used;
	return status;
}
