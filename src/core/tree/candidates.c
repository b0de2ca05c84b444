/*
 * candidates.c
 *	  Which pairs of many trees can be within k edit operations of each other.
 */
#include "candidates.h"

#include <string.h>

#include "../common/sort.h"
#include "equivalence.h"
#include "strip.h"

/* Trees considered between fetching one from memory and considering it. */
#define FETCH_AHEAD 8

struct TedCandidateIndex
{
	const TedLabelGroups *trees;
	int32_t count;
	int32_t ranks;
	int32_t *list;     /* by rank: where its postings begin; one more entry at the end */
	int32_t *postings; /* trees by the ranks of their prefixes, then by number */
	int32_t *seen;     /* by tree: the last search that met it */
	int32_t searches;
	TedEquivalence *classes; /* as the tree under search sees them */
	int32_t *found;          /* by kind: the first one found, or -1 where its labels are too few */
	int32_t kinds;
	int64_t steps;
};

/* Nodes of some trees. */
static size_t
node_count(const TedTree *const *trees, int32_t count)
{
	size_t nodes = 0;

	for (int32_t i = 0; i < count; i++)
		nodes += (size_t) trees[i]->size;
	return nodes;
}

/* Nodes of the largest of some trees. */
static size_t
largest_size(const TedTree *const *trees, int32_t count)
{
	int32_t largest = 0;

	for (int32_t i = 0; i < count; i++)
		largest = ted_max(largest, trees[i]->size);
	return (size_t) largest;
}

/* Takes the arrays of the groups of some trees, which the first tree's begin. */
static TedLabelGroups
take_groups(TedArena *arena, const TedTree *const *trees, int32_t count)
{
	size_t nodes = node_count(trees, count);

	return (TedLabelGroups){.rank = ted_arena_int32(arena, nodes),
							.begin = ted_arena_int32(arena, nodes + (size_t) count),
							.node = ted_arena_int32(arena, nodes)};
}

/* What the nodes of a tree are sorted with. */
typedef struct Keys
{
	int32_t *key; /* by node: its rank plus 1 */
	int32_t *spare;
	int32_t *other;
} Keys;

/* Takes these arrays, for any of the trees. */
static Keys
take_keys(TedArena *arena, const TedTree *const *trees, int32_t count)
{
	size_t largest = largest_size(trees, count);

	return (Keys){.key = ted_arena_int32(arena, largest),
				  .spare = ted_arena_int32(arena, largest),
				  .other = ted_arena_int32(arena, largest)};
}

/* Bytes that ted_label_groups() takes. */
size_t
ted_label_groups_memory(const TedTree *const *trees, int32_t count)
{
	TedArena counted = {0};

	take_groups(&counted, trees, count);
	take_keys(&counted, trees, count);
	return counted.used;
}

/* Fills in the groups of one tree, by the keys of its nodes. */
static TedStatus
group_nodes(TedLabelGroups *groups, const Keys *keys, const TedInterrupt *interrupt)
{
	const int32_t *key = keys->key;
	int32_t size = groups->tree->size;
	const int32_t *node = ted_sort_nodes(key, size, keys->spare, keys->other, interrupt);
	int32_t last = -1; /* key of the last group */

	if (node == NULL)
		return TED_CANCELLED;
	groups->count = 0;
	groups->prefix = 0;
	for (int32_t i = 0; i < size; i++)
	{
		if (key[node[i]] != last)
		{
			last = key[node[i]];
			groups->prefix += i <= groups->limit;
			groups->rank[groups->count] = last - 1;
			groups->begin[groups->count++] = i;
		}
		groups->node[i] = node[i];
	}
	groups->begin[groups->count] = size;
	return TED_OK;
}

/* Groups the nodes of some trees by their labels, rare labels first. */
TedStatus
ted_label_groups(const TedTree *const *trees, int32_t count, const int32_t *rank,
				 const int32_t *limit, TedArena *arena, const TedInterrupt *interrupt,
				 TedLabelGroups *groups)
{
	TedLabelGroups next = take_groups(arena, trees, count);
	size_t used = arena->used;
	Keys keys = take_keys(arena, trees, count);
	int64_t steps = 0;

	if (ted_arena_exceeded(arena))
		return TED_OUT_OF_ARENA;
	for (int32_t i = 0; i < count; i++)
	{
		const TedTree *tree = trees[i];

		for (int32_t x = 0; x < tree->size; x++)
			keys.key[x] = rank[tree->label[x]] + 1;
		next.tree = tree;
		next.limit = limit[i];
		groups[i] = next;
		if (group_nodes(&groups[i], &keys, interrupt) != TED_OK)
			return TED_CANCELLED;
		next.rank += groups[i].count;
		next.begin += groups[i].count + 1;
		next.node += tree->size;
		if (ted_interrupted(interrupt, &steps, tree->size))
			return TED_CANCELLED;
	}
	arena->used = used;
	return TED_OK;
}

/* Postings of the prefixes of some trees. */
static size_t
posting_count(const TedLabelGroups *trees, int32_t count)
{
	size_t postings = 0;

	for (int32_t i = 0; i < count; i++)
		postings += (size_t) trees[i].prefix;
	return postings;
}

/* Takes an index and its arrays but for the equivalence classes; NULL where there is no room. */
static TedCandidateIndex *
take_index(TedArena *arena, const TedLabelGroups *trees, int32_t count, int32_t ranks)
{
	TedCandidateIndex *index = ted_arena_alloc(arena, sizeof(TedCandidateIndex));
	TedCandidateIndex arrays = {.trees = trees, .count = count, .ranks = ranks};

	arrays.list = ted_arena_int32(arena, (size_t) ranks + 2);
	arrays.postings = ted_arena_int32(arena, posting_count(trees, count));
	arrays.seen = ted_arena_int32(arena, (size_t) count);
	arrays.found = ted_arena_int32(arena, (size_t) count);
	if (ted_arena_exceeded(arena))
		return NULL;
	*index = arrays;
	return index;
}

/* Bytes that ted_candidate_index() takes. */
size_t
ted_candidate_index_memory(const TedLabelGroups *trees, int32_t count, int32_t ranks)
{
	TedArena counted = {0};

	take_index(&counted, trees, count, ranks);
	return counted.used + ted_equivalence_memory(count, ranks);
}

/* Indexes trees that are in ascending order of their sizes. */
TedStatus
ted_candidate_index(const TedLabelGroups *trees, int32_t count, int32_t ranks, TedArena *arena,
					const TedInterrupt *interrupt, TedCandidateIndex **index)
{
	TedCandidateIndex *made = take_index(arena, trees, count, ranks);
	int32_t *list;

	if (made == NULL || ted_equivalence(count, ranks, arena, &made->classes) != TED_OK)
		return TED_OUT_OF_ARENA;

	/* list[rank + 1] is first the number of postings, then where the next one goes */
	list = made->list;
	memset(list, 0, sizeof(int32_t) * ((size_t) ranks + 2));
	for (int32_t i = 0; i < count; i++)
	{
		for (int32_t g = 0; g < trees[i].prefix; g++)
			list[trees[i].rank[g] + 2]++;
		made->seen[i] = 0;
		if (ted_interrupted(interrupt, &made->steps, trees[i].prefix))
			return TED_CANCELLED;
	}
	for (int32_t rank = 0; rank < ranks; rank++)
		list[rank + 2] += list[rank + 1];
	for (int32_t i = 0; i < count; i++)
	{
		for (int32_t g = 0; g < trees[i].prefix; g++)
			made->postings[list[trees[i].rank[g] + 1]++] = i;
		if (ted_interrupted(interrupt, &made->steps, trees[i].prefix))
			return TED_CANCELLED;
	}
	*index = made;
	return TED_OK;
}

/* One search under way. */
typedef struct Search
{
	TedCandidateIndex *index;
	const TedLabelGroups *tree;
	const TedInterrupt *interrupt;
	TedCandidate *found;
	int32_t count;
	TedCandidateCounts *counts;
	bool cancelled;
} Search;

/* Nodes of one group that have a relevant partner in the other group. */
static int32_t
partners(Search *search, const TedLabelGroups *a, int32_t group_a, const TedLabelGroups *b,
		 int32_t group_b, int32_t k)
{
	const int32_t *end_a = a->node + a->begin[group_a + 1];
	const int32_t *end_b = b->node + b->begin[group_b + 1];
	const int32_t *first = b->node + b->begin[group_b];
	int64_t *steps = &search->index->steps;
	int32_t count = 0;

	for (const int32_t *x = a->node + a->begin[group_a]; x < end_a; x++)
	{
		const int32_t *y;

		while (first < end_b && *first < *x - k)
			first++;
		for (y = first; y < end_b && *y <= *x + k; y++)
			if (ted_edits_outside(a->tree, b->tree, *x, *y) +
					ted_edits_inside(a->tree, b->tree, *x, *y) <=
				k)
			{
				count++;
				break;
			}
		if (ted_interrupted(search->interrupt, steps, y - first))
		{
			search->cancelled = true;
			break;
		}
	}
	return count;
}

/* Nodes of a group. */
static inline int32_t
group_size(const TedLabelGroups *tree, int32_t group)
{
	return tree->begin[group + 1] - tree->begin[group];
}

/* Nodes that two groups share at most: those of the lighter one that have a partner. */
static int32_t
shared(Search *search, const TedLabelGroups *a, int32_t group_a, const TedLabelGroups *b,
	   int32_t group_b, int32_t k)
{
	if (group_size(a, group_a) <= group_size(b, group_b))
		return partners(search, a, group_a, b, group_b, k);
	return partners(search, b, group_b, a, group_a, k);
}

/*
 * Lower bound of the distance by the nodes of the larger tree that have no
 * partner, or -1 where it is more than k; b is not larger than a.
 */
static int32_t
unshared(Search *search, const TedLabelGroups *a, const TedLabelGroups *b, int32_t k)
{
	int32_t left_a = k; /* nodes that may yet turn out to have no partner */
	int32_t left_b = k - (a->tree->size - b->tree->size);
	int32_t i = 0;
	int32_t j = 0;

	while (i < a->count && left_a >= 0 && left_b >= 0 && !search->cancelled)
	{
		if (j == b->count || a->rank[i] < b->rank[j])
			left_a -= group_size(a, i++);
		else if (a->rank[i] > b->rank[j])
			left_b -= group_size(b, j++);
		else
		{
			int32_t both = shared(search, a, i, b, j, k);

			left_a -= group_size(a, i++) - both;
			left_b -= group_size(b, j++) - both;
		}
	}
	return left_a < 0 || left_b < 0 ? -1 : k - left_a;
}

/*
 * Number of the first tree before `end` of at least this number of nodes, not counting
 * those that its own limit allows to miss where `less` is 1; or `end`.
 */
static int32_t
first_of_size(const TedCandidateIndex *index, int32_t end, int32_t size, int32_t less)
{
	int32_t low = 0;

	while (low < end)
	{
		int32_t middle = low + (end - low) / 2;

		if (index->trees[middle].tree->size - less * index->trees[middle].limit < size)
			low = middle + 1;
		else
			end = middle;
	}
	return low;
}

/* The first posting of a tree with at least this number. */
static const int32_t *
first_posting(const int32_t *postings, const int32_t *end, int32_t number)
{
	while (postings < end)
	{
		const int32_t *middle = postings + (end - postings) / 2;

		if (*middle < number)
			postings = middle + 1;
		else
			end = middle;
	}
	return postings;
}

/* The limit of a pair. */
static inline int32_t
pair_limit(const TedLabelGroups *a, const TedLabelGroups *b)
{
	return ted_max(a->limit, b->limit);
}

/* Lower bound of the distance by labels, or -1 where it is more than the limit. */
static int32_t
label_bound(Search *search, const TedLabelGroups *other, int32_t limit)
{
	const TedLabelGroups *tree = search->tree;

	return tree->tree->size >= other->tree->size ? unshared(search, tree, other, limit)
												 : unshared(search, other, tree, limit);
}

/* Keeps a tree that shares enough labels. */
static inline void
consider(Search *search, int32_t number)
{
	TedCandidateIndex *index = search->index;
	const TedLabelGroups *tree = search->tree;
	const TedLabelGroups *other = &index->trees[number];
	TedCandidate candidate = {.number = number, .limit = pair_limit(tree, other)};
	int32_t more = ted_max(tree->tree->size - other->tree->size, 0);
	int32_t kind = ted_equivalence_kind(index->classes, other->tree, other->shape_hash,
										candidate.limit - more);

	search->counts->prefix++;
	index->steps += other->tree->size;
	if (kind < 0)
		return;
	if (kind == index->kinds)
	{
		candidate.bound = label_bound(search, other, candidate.limit);
		index->found[index->kinds++] = candidate.bound >= 0 ? search->count : -1;
	}
	candidate.like = index->found[kind];
	if (candidate.like < 0)
		return;
	if (candidate.like < search->count)
		candidate.bound = search->found[candidate.like].bound;
	search->found[search->count++] = candidate;
}

/* Has the processor fetch trees considered soon: what is known of one, labels of another. */
static inline void
fetch_ahead(const TedCandidateIndex *index, int32_t later, int32_t sooner)
{
	__builtin_prefetch(index->trees[later].tree);
	__builtin_prefetch(index->trees[sooner].tree->label);
}

/* Considers the trees from `first` to before `end` that share a label of the prefix. */
static TedStatus
search_prefix(Search *search, int32_t first, int32_t end)
{
	TedCandidateIndex *index = search->index;
	const TedLabelGroups *tree = search->tree;

	index->searches++;
	for (int32_t g = 0; g < tree->prefix; g++)
	{
		int32_t rank = tree->rank[g];
		const int32_t *posting;
		const int32_t *last;

		if (rank < 0)
			continue;
		last = &index->postings[index->list[rank + 1]];
		posting = first_posting(&index->postings[index->list[rank]], last, first);
		for (; posting < last && *posting < end; posting++)
		{
			if (index->seen[*posting] == index->searches)
				continue;
			index->seen[*posting] = index->searches;
			if (last - posting > FETCH_AHEAD)
				fetch_ahead(index, posting[FETCH_AHEAD], posting[FETCH_AHEAD / 2]);
			consider(search, *posting);
			if (search->cancelled || ted_interrupted(search->interrupt, &index->steps, 1))
				return TED_CANCELLED;
		}
	}
	return TED_OK;
}

/* Considers all trees from `first` to before `end`. */
static TedStatus
search_all(Search *search, int32_t first, int32_t end)
{
	for (int32_t number = first; number < end; number++)
	{
		if (end - number > FETCH_AHEAD)
			fetch_ahead(search->index, number + FETCH_AHEAD, number + FETCH_AHEAD / 2);
		consider(search, number);
		if (search->cancelled || ted_interrupted(search->interrupt, &search->index->steps, 1))
			return TED_CANCELLED;
	}
	return TED_OK;
}

/* Finds the trees with numbers below `end` that can be within k of a tree. */
TedStatus
ted_candidates(TedCandidateIndex *index, const TedLabelGroups *tree, int32_t end,
			   const TedInterrupt *interrupt, TedCandidate *found, int32_t *count,
			   TedCandidateCounts *counts)
{
	Search search = {
		.index = index, .tree = tree, .interrupt = interrupt, .found = found, .counts = counts};
	int32_t size = tree->tree->size;
	int32_t first = first_of_size(index, end, size - tree->limit, 0);
	TedStatus status;

	if (end > 0 && index->trees[end - 1].tree->size - index->trees[end - 1].limit > size)
		end = first_of_size(index, end, size + 1, 1);
	counts->window += end - first;

	index->kinds = 0;
	ted_equivalence_start(index->classes, tree->tree);
	/* pairs of at most k nodes need not share a label, nor do all their labels make a prefix */
	if (size <= tree->limit)
		status = search_all(&search, first, end);
	else
		status = search_prefix(&search, first, end);
	ted_equivalence_end(index->classes);
	counts->label += search.count;
	*count = search.count;
	return status;
}
