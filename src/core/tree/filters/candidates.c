/*
 * candidates.c
 *	  Finds pairs of trees that can be within k edit operations of each other.
 */
#include "candidates.h"

#include <string.h>

#include "equivalence.h"
#include "overlap.h"
#include "signature.h"

struct TedCandidateIndex
{
	const TedIndexedTree *trees;
	TedRareLabels rare;
	const TedLabelLists *lists; /* lists of labels, by part */
	int32_t parts;
	const uint64_t *signature; /* signature by tree */
	int32_t *seen;             /* by tree: the last search that met it */
	int32_t searches;
	TedOverlap overlap;      /* labels of the searched tree, to compare with others */
	TedEquivalence *classes; /* equivalence classes with respect to the searched tree */
	int32_t *found;          /* by class: index of the first tree found, or -1 where it shares too
							  * few labels */
	int32_t kinds;
	TedRefuse refuse; /* or NULL */
	void *refuse_context;
	int64_t steps;
};

/* Allocates memory for the postings of all trees before they are in order. */
static TedRankedPosting *
take_unsorted(TedArena *arena, const TedIndexedTrees *trees)
{
	return ted_arena_alloc(arena, sizeof(TedRankedPosting) * (size_t) trees->prefix_nodes);
}

/* Bytes that ted_collect_postings() takes. */
size_t
ted_collect_postings_memory(const TedIndexedTrees *trees, int32_t parts)
{
	TedArena counted = {0};

	if (parts > 1)
		take_unsorted(&counted, trees);
	return counted.used + trees->prefix_memory;
}

/* Collects the postings of consecutive trees, sorted by part. */
TedStatus
ted_collect_postings(const TedIndexedTree *trees, int32_t count, int32_t first,
					 const TedRareLabels *rare, int32_t parts, TedArena *arena,
					 const TedInterrupt *interrupt, const TedCollected *collected)
{
	int64_t *begin = collected->begin;
	TedIndexedTrees counted = {0};
	size_t used = arena->used;
	TedRankedPosting *unsorted = collected->postings; /* those of one part stay there */
	int64_t postings = 0;
	int64_t steps = 0;
	size_t prefix;

	if (parts > 1)
	{
		for (int32_t i = 0; i < count; i++)
			ted_count_tree(&counted, trees[i].size, trees[i].limit);
		unsorted = take_unsorted(arena, &counted);
		if (unsorted == NULL)
			return TED_OUT_OF_ARENA;
	}
	memset(begin, 0, sizeof(int64_t) * ((size_t) parts + 1));
	prefix = arena->used;
	for (int32_t i = 0; i < count; i++)
	{
		uint64_t signature = ted_signature(trees[i].tree);
		int32_t *ranks;
		int32_t length;
		TedStatus status =
			ted_prefix(rare, trees[i].tree, trees[i].limit, arena, interrupt, &ranks, &length);

		if (status != TED_OK)
			return status;
		collected->signature[i] = signature;
		for (int32_t r = 0; r < length; r++)
		{
			unsorted[postings++] =
				(TedRankedPosting){ranks[r], {first + i, ted_short_signature(signature)}};
			begin[ranks[r] % parts]++;
		}
		arena->used = prefix;
		if (ted_interrupted(interrupt, &steps, trees[i].size))
			return TED_CANCELLED;
	}
	for (int64_t part = 0, sum = 0; part <= parts; part++)
	{
		sum += begin[part];
		begin[part] = sum;
	}
	if (parts == 1)
		begin[0] = 0;
	else
		for (int64_t i = postings - 1; i >= 0; i--)
			collected->postings[--begin[unsorted[i].rank % parts]] = unsorted[i];
	arena->used = used;
	return TED_OK;
}

/* Returns the number of entries of `begin` for the lists of a part. */
size_t
ted_label_lists_entries(int32_t labels, int32_t parts)
{
	return (size_t) (labels / parts) + 3;
}

/*
 * Makes the lists of a part.  At first, begin[list + 2] counts the postings of a list; after these
 * have been summed up, begin[list + 1] is the index of the next posting.
 */
TedStatus
ted_label_lists(const TedPostings *collected, int32_t runs, int32_t labels, int32_t parts,
				const TedInterrupt *interrupt, int64_t *begin, TedPosting *postings)
{
	size_t entries = ted_label_lists_entries(labels, parts);
	int64_t steps = 0;

	memset(begin, 0, sizeof(int64_t) * entries);
	for (int32_t run = 0; run < runs; run++)
	{
		for (int64_t i = 0; i < collected[run].count; i++)
			begin[collected[run].postings[i].rank / parts + 2]++;
		if (ted_interrupted(interrupt, &steps, collected[run].count))
			return TED_CANCELLED;
	}
	for (size_t list = 1; list < entries; list++)
		begin[list] += begin[list - 1];
	for (int32_t run = 0; run < runs; run++)
		for (int64_t i = 0; i < collected[run].count; i++)
		{
			const TedRankedPosting *ranked = &collected[run].postings[i];

			postings[begin[ranked->rank / parts + 1]++] = ranked->posting;
			if (ted_interrupted(interrupt, &steps, 1))
				return TED_CANCELLED;
		}
	return TED_OK;
}

/* Allocates an index and its own arrays; NULL where there is no room. */
static TedCandidateIndex *
take_candidate_index(TedArena *arena, int32_t trees)
{
	TedCandidateIndex *index = ted_arena_alloc(arena, sizeof(TedCandidateIndex));
	TedCandidateIndex arrays = {0};

	arrays.seen = ted_arena_int32(arena, (size_t) trees);
	arrays.found = ted_arena_int32(arena, (size_t) trees);
	if (ted_arena_exceeded(arena))
		return NULL;
	*index = arrays;
	return index;
}

/* Bytes that ted_candidate_index_of_lists() takes. */
size_t
ted_candidate_index_of_lists_memory(int32_t trees, int32_t labels)
{
	TedArena counted = {0};

	take_candidate_index(&counted, trees);
	return counted.used + ted_overlap_memory(labels) + ted_equivalence_memory(trees);
}

/* Builds an index from existing lists. */
TedStatus
ted_candidate_index_of_lists(const TedIndexedTree *trees, int32_t count, int32_t labels,
							 const TedLabelLists *lists, int32_t parts, const uint64_t *signature,
							 TedArena *arena, TedCandidateIndex **index)
{
	TedCandidateIndex *made = take_candidate_index(arena, count);

	if (made == NULL || ted_overlap(labels, arena, &made->overlap) != TED_OK ||
		ted_equivalence(count, made->overlap.mark, arena, &made->classes) != TED_OK)
		return TED_OUT_OF_ARENA;
	memset(made->seen, 0, sizeof(int32_t) * (size_t) count);
	made->trees = trees;
	made->rare = (TedRareLabels){.labels = labels};
	made->lists = lists;
	made->parts = parts;
	made->signature = signature;
	*index = made;
	return TED_OK;
}

/* The lists of an index that makes them itself, in one part. */
typedef struct OwnLists
{
	TedLabelLists *lists;
	int64_t *begin;
	TedPosting *postings;
	uint64_t *signature;
} OwnLists;

/* Allocates the lists. */
static OwnLists
take_own_lists(TedArena *arena, const TedIndexedTrees *trees, int32_t labels)
{
	OwnLists own = {
		.lists = ted_arena_alloc(arena, sizeof(TedLabelLists)),
		.begin = ted_arena_alloc(arena, sizeof(int64_t) * ted_label_lists_entries(labels, 1)),
		.postings = ted_arena_alloc(arena, sizeof(TedPosting) * (size_t) trees->prefix_nodes),
		.signature = ted_arena_alloc(arena, sizeof(uint64_t) * (size_t) trees->count)};

	return own;
}

/* Bytes that ted_candidate_index() takes. */
size_t
ted_candidate_index_memory(const TedIndexedTrees *trees, int32_t labels)
{
	TedArena counted = {0};

	take_own_lists(&counted, trees, labels);
	take_unsorted(&counted, trees);
	return counted.used + ted_candidate_index_of_lists_memory(trees->count, labels) +
		   ted_rare_labels_memory(labels) + ted_collect_postings_memory(trees, 1);
}

/* Builds an index of trees that are in ascending order of their sizes. */
TedStatus
ted_candidate_index(const TedIndexedTree *trees, int32_t count, int32_t labels, TedArena *arena,
					const TedInterrupt *interrupt, TedCandidateIndex **index)
{
	TedIndexedTrees counted = {0};
	TedRareLabels rare;
	TedCollected collected;
	int64_t begin[2];
	OwnLists own;
	size_t used;
	TedStatus status;

	for (int32_t i = 0; i < count; i++)
		ted_count_tree(&counted, trees[i].size, trees[i].limit);
	own = take_own_lists(arena, &counted, labels);
	if (ted_arena_exceeded(arena))
		return TED_OUT_OF_ARENA;
	*own.lists = (TedLabelLists){own.begin, own.postings};
	status = ted_candidate_index_of_lists(trees, count, labels, own.lists, 1, own.signature, arena,
										  index);
	if (status == TED_OK)
		status = ted_rare_labels(trees, count, labels, arena, interrupt, &rare);
	if (status != TED_OK)
		return status;
	(*index)->rare = rare;
	used = arena->used;
	collected = (TedCollected){own.signature, begin, take_unsorted(arena, &counted)};
	if (collected.postings == NULL)
		return TED_OUT_OF_ARENA;
	status = ted_collect_postings(trees, count, 0, &rare, 1, arena, interrupt, &collected);
	if (status == TED_OK)
		status = ted_label_lists(&(TedPostings){collected.postings, begin[1]}, 1, labels, 1,
								 interrupt, own.begin, own.postings);
	arena->used = used;
	return status;
}

/* Sets a function that excludes trees from the results. */
void
ted_candidates_refuse(TedCandidateIndex *index, TedRefuse refuse, void *context)
{
	index->refuse = refuse;
	index->refuse_context = context;
}

/* State of a search. */
typedef struct Search
{
	TedCandidateIndex *index;
	const TedTree *tree;
	int32_t limit;
	uint64_t signature;
	int32_t bits; /* most bits in which signatures of trees within k differ */
	TedArena *arena;
	const TedInterrupt *interrupt;
	TedCandidate *found;
	int32_t count;
	TedCandidateCounts *counts;
} Search;

/*
 * Returns the number of the first tree before `end` whose size, less its limit if `less` is 1, is
 * at least `size`; or `end`.
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

/* Returns the first posting of a tree whose number is at least `number`. */
static const TedPosting *
first_posting(const TedPosting *postings, const TedPosting *end, int32_t number)
{
	while (postings < end)
	{
		const TedPosting *middle = postings + (end - postings) / 2;

		if (middle->number < number)
			postings = middle + 1;
		else
			end = middle;
	}
	return postings;
}

/* Adds a tree to the results if it shares enough labels. */
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

/* Considers a tree unless its signature rules it out, or this search has met it before. */
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

/* Considers the trees `first` to end - 1 that share a label of the prefix. */
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
		const TedLabelLists *lists = &index->lists[ranks[r] % index->parts];
		const int64_t *list = &lists->begin[ranks[r] / index->parts];
		const TedPosting *last = &lists->postings[list[1]];
		const TedPosting *posting = first_posting(&lists->postings[list[0]], last, first);

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

/* Considers all trees `first` to end - 1. */
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

/* Finds the trees with numbers from `first` to before `end` that can be within k of a tree. */
TedStatus
ted_candidates(TedCandidateIndex *index, const TedTree *tree, int32_t limit, int32_t first,
			   int32_t end, TedArena *arena, const TedInterrupt *interrupt, TedCandidate *found,
			   int32_t *count, TedCandidateCounts *counts)
{
	Search search = {.index = index,
					 .tree = tree,
					 .limit = limit,
					 .arena = arena,
					 .interrupt = interrupt,
					 .found = found,
					 .counts = counts};
	size_t used = arena->used;
	TedStatus status;

	*count = 0;
	first = ted_max(first, first_tree_of_size(index, end, tree->size - limit, 0));
	if (end > 0 && index->trees[end - 1].size - index->trees[end - 1].limit > tree->size)
		end = first_tree_of_size(index, end, tree->size + 1, 1);
	if (first >= end)
		return TED_OK;
	counts->window += end - first;

	index->searches++;
	index->kinds = 0;
	search.signature = ted_signature(tree);
	search.bits = 2 * ted_min(64, ted_max(limit, index->trees[end - 1].limit));
	/* trees of at most k nodes need not share a label, so no prefix can find them */
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
