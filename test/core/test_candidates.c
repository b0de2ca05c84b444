/*
 * test_candidates.c
 *	  Checks the search for candidates against the exact distances of all pairs, and its parts
 *	  against plain definitions.
 */
#include <stdlib.h>
#include <string.h>

#include "../../src/core/tree/filters/candidates.h"
#include "../../src/core/tree/filters/overlap.h"
#include "../../src/core/tree/filters/signature.h"
#include "random.h"
#include "tap.h"
#include "trees.h"

#define MAX_TREES 40
#define MAX_SIZE 25
#define LABELS 300

/* Some trees in ascending order of their sizes, and their ranked labels. */
typedef struct Collection
{
	TestTree tree[MAX_TREES];
	TedIndexedTree indexed[MAX_TREES];
	int32_t count;
} Collection;

/* Replaces some labels by others, lower ones more often. */
static void
skew_labels(Collection *c, int32_t labels)
{
	int32_t become[LABELS + 20];

	for (int32_t l = 0; l < labels; l++)
		become[l] = (int32_t) random_below((uint32_t) l + 1);
	for (int32_t i = 0; i < c->count; i++)
		for (int32_t x = 0; x < c->tree[i].tree.size; x++)
			c->tree[i].label[x] = become[c->tree[i].label[x]];
}

/* Makes trees, some of them a few edits apart. */
static void
make_collection(Collection *c, int32_t labels)
{
	c->count = 1 + (int32_t) random_below(MAX_TREES);
	for (int32_t i = 0; i < c->count; i++)
		if (i > 0 && random_below(2) == 0)
		{
			copy_tree(&c->tree[i], &c->tree[random_below((uint32_t) i)]);
			edit_tree(&c->tree[i], (int32_t) random_below(5), labels);
		}
		else
			make_tree(&c->tree[i], (Shape) random_below(SHAPES),
					  1 + (int32_t) random_below(MAX_SIZE), labels, 0);
	qsort(c->tree, (size_t) c->count, sizeof(TestTree), compare_sizes);
	for (int32_t i = 0; i < c->count; i++)
		own_arrays(&c->tree[i]);
	if (random_below(2) == 0)
		skew_labels(c, labels);
}

/*
 * The greatest distance of trees: a number of operations, and in addition `percent` for a
 * hundred nodes.
 */
typedef struct Threshold
{
	int32_t operations;
	int32_t percent;
} Threshold;

/* Returns the limit of a threshold for a pair whose larger tree has `size` nodes. */
static int32_t
limit_of(const Threshold *threshold, int32_t size)
{
	return threshold->operations + size * threshold->percent / 100;
}

/* Returns the limit of a threshold for a pair. */
static int32_t
pair_limit(const Threshold *threshold, const TedTree *a, const TedTree *b)
{
	return limit_of(threshold, ted_max(a->size, b->size));
}

/* Indexes all trees. */
static TedArena
index_trees(Collection *c, int32_t labels, const Threshold *threshold, TedCandidateIndex **index)
{
	TedIndexedTrees counted = {0};
	TedArena arena;

	for (int32_t i = 0; i < c->count; i++)
	{
		const TedTree *tree = &c->tree[i].tree;

		c->indexed[i] = (TedIndexedTree){tree, tree->size, limit_of(threshold, tree->size)};
		ted_count_tree(&counted, c->indexed[i].size, c->indexed[i].limit);
	}
	arena = new_arena(ted_candidate_index_memory(&counted, labels));
	if (ted_candidate_index(c->indexed, c->count, labels, &arena, &never, index) != TED_OK)
		abort();
	return arena;
}

/* The most parts of lists, and runs of trees, of an index that is made in pieces. */
#define MAX_PARTS 5

/* The postings of a run of trees, sorted by the part of their lists. */
typedef struct Run
{
	TedRankedPosting *postings;
	int64_t begin[MAX_PARTS + 1];
} Run;

/* Collects the postings of consecutive trees, in exactly the memory that the core asks for. */
static void
collect(const Collection *c, int32_t first, int32_t count, int32_t labels, int32_t parts, Run *run,
		uint64_t *signature)
{
	TedRareLabels by_id = {.labels = labels};
	TedIndexedTrees counted = {0};
	TedArena arena;

	for (int32_t i = 0; i < count; i++)
		ted_count_tree(&counted, c->indexed[first + i].size, c->indexed[first + i].limit);
	run->postings = malloc(sizeof(TedRankedPosting) * ((size_t) counted.prefix_nodes + 1));
	arena = new_arena(ted_collect_postings_memory(&counted, parts));
	if (ted_collect_postings(c->indexed + first, count, first, &by_id, parts, &arena, &never,
							 &(TedCollected){signature + first, run->begin, run->postings}) !=
			TED_OK ||
		arena.used != 0)
		abort();
	free(arena.base);
}

/* An index that is made in pieces, and its memory. */
typedef struct PiecedIndex
{
	TedCandidateIndex *index;
	TedArena arena;
	TedLabelLists lists[MAX_PARTS];
	uint64_t signature[MAX_TREES];
} PiecedIndex;

/* Makes an index of the indexed trees again, from runs of trees and by parts of the labels. */
static void
index_in_pieces(const Collection *c, int32_t labels, PiecedIndex *pieced)
{
	int32_t parts = 1 + (int32_t) random_below(MAX_PARTS);
	int32_t runs = 1 + (int32_t) random_below(MAX_PARTS);
	Run run[MAX_PARTS];

	for (int32_t i = 0; i < runs; i++)
		collect(c, c->count * i / runs, c->count * (i + 1) / runs - c->count * i / runs, labels,
				parts, &run[i], pieced->signature);
	for (int32_t part = 0; part < parts; part++)
	{
		TedPostings collected[MAX_PARTS];
		int64_t count = 0;
		int64_t *begin = malloc(sizeof(int64_t) * ted_label_lists_entries(labels, parts));
		TedPosting *postings;

		for (int32_t i = 0; i < runs; i++)
		{
			collected[i] = (TedPostings){run[i].postings + run[i].begin[part],
										 run[i].begin[part + 1] - run[i].begin[part]};
			count += collected[i].count;
		}
		postings = malloc(sizeof(TedPosting) * ((size_t) count + 1));
		if (ted_label_lists(collected, runs, labels, parts, &never, begin, postings) != TED_OK)
			abort();
		pieced->lists[part] = (TedLabelLists){begin, postings};
	}
	for (int32_t i = 0; i < runs; i++)
		free(run[i].postings);
	for (int32_t part = parts; part < MAX_PARTS; part++)
		pieced->lists[part] = (TedLabelLists){NULL, NULL};
	pieced->arena = new_arena(ted_candidate_index_of_lists_memory(c->count, labels));
	if (ted_candidate_index_of_lists(c->indexed, c->count, labels, pieced->lists, parts,
									 pieced->signature, &pieced->arena, &pieced->index) != TED_OK)
		abort();
}

/* Frees an index that was made in pieces. */
static void
free_pieces(PiecedIndex *pieced)
{
	for (int32_t part = 0; part < MAX_PARTS; part++)
	{
		free((void *) pieced->lists[part].begin);
		free((void *) pieced->lists[part].postings);
	}
	free(pieced->arena.base);
}

/* Searches in exactly the memory that the core asks for. */
static bool
search(TedCandidateIndex *index, const TedTree *probe, int32_t limit, int32_t end,
	   TedCandidate *found, int32_t *count, TedCandidateCounts *counts)
{
	TedArena arena = new_arena(ted_candidates_memory(probe->size, limit));
	TedStatus status =
		ted_candidates(index, probe, limit, 0, end, &arena, &never, found, count, counts);
	bool done = status == TED_OK && arena.used == 0;

	free(arena.base);
	return done;
}

/*
 * Whether a search finds all trees within the threshold, each once, with a bound
 * that holds; counts those that are like another one.
 */
static bool
finds_all(TedCandidateIndex *index, const Collection *c, const TedTree *probe, int32_t end,
		  const Threshold *threshold, uint64_t *alike)
{
	TedCandidate found[MAX_TREES];
	int32_t bound[MAX_TREES];
	int32_t distance[MAX_TREES];
	TedCandidateCounts counts = {0};
	int32_t count;

	if (!search(index, probe, limit_of(threshold, probe->size), end, found, &count, &counts))
		return false;
	memset(bound, -1, sizeof(bound));
	for (int32_t i = 0; i < count; i++)
	{
		if (found[i].number < 0 || found[i].number >= end || bound[found[i].number] >= 0 ||
			found[i].bound > found[i].limit ||
			found[i].limit != pair_limit(threshold, probe, &c->tree[found[i].number].tree))
			return false;
		bound[found[i].number] = found[i].bound;
	}
	for (int32_t i = 0; i < end; i++)
	{
		distance[i] = planned_distance(probe, &c->tree[i].tree, &TED_UNIT_COSTS, TED_NO_LIMIT);
		if (bound[i] < 0 ? distance[i] <= pair_limit(threshold, probe, &c->tree[i].tree)
						 : bound[i] > distance[i])
			return false;
	}
	for (int32_t i = 0; i < count; i++)
	{
		const TedCandidate *first = &found[found[i].like];

		if (found[i].like > i || first->like != found[i].like || first->bound != found[i].bound ||
			distance[first->number] != distance[found[i].number])
			return false;
		*alike += found[i].like < i;
	}
	return counts.window >= counts.prefix && counts.prefix >= counts.label && counts.label == count;
}

/* Refuses every other tree. */
static TedStatus
refuse_odd(void *calls, int32_t number, bool *refused)
{
	++*(uint64_t *) calls;
	*refused = number % 2 == 1;
	return TED_OK;
}

/* Whether a search that refuses some trees finds the others as one does that refuses none. */
static bool
finds_others(TedCandidateIndex *index, const TedTree *probe, int32_t end,
			 const Threshold *threshold, uint64_t *calls)
{
	TedCandidate all[MAX_TREES];
	TedCandidate found[MAX_TREES];
	TedCandidateCounts counts = {0};
	int32_t limit = limit_of(threshold, probe->size);
	int32_t count;
	int32_t found_count;
	int32_t same = 0;
	bool done = search(index, probe, limit, end, all, &count, &counts);

	ted_candidates_refuse(index, refuse_odd, calls);
	done &= search(index, probe, limit, end, found, &found_count, &counts);
	ted_candidates_refuse(index, NULL, NULL);
	for (int32_t i = 0; i < count; i++)
	{
		if (all[i].number % 2 == 1)
			continue;
		done &= same < found_count && found[same].number == all[i].number &&
				found[same].limit == all[i].limit && found[same].bound == all[i].bound;
		same++;
	}
	return done && same == found_count;
}

/* Whether searches in a random collection find all trees that they should. */
static bool
searches_find_all(uint64_t round, uint64_t *alike, uint64_t *refusals)
{
	static const int32_t alphabets[] = {1, 3, 20, LABELS};
	static Collection indexed;
	static Collection probes;
	int32_t labels = alphabets[round % 4];
	Threshold threshold = {.percent = round / 4 % 2 == 0 ? 0 : (int32_t) random_below(100),
						   .operations = (int32_t) random_below(8)};
	static PiecedIndex pieced;
	TedCandidateIndex *index;
	TedArena arena;
	bool all = true;

	make_collection(&indexed, labels);
	make_collection(&probes, labels + (int32_t) random_below(20)); /* some that are not indexed */
	arena = index_trees(&indexed, labels, &threshold, &index);
	for (int32_t i = 0; i < probes.count; i++)
		all &= finds_all(index, &indexed, &probes.tree[i].tree, indexed.count, &threshold, alike) &&
			   finds_others(index, &probes.tree[i].tree, indexed.count, &threshold, refusals);
	index_in_pieces(&indexed, labels, &pieced);
	for (int32_t i = 0; i < indexed.count; i++)
		all &= finds_all(index, &indexed, &indexed.tree[i].tree, i, &threshold, alike) &&
			   finds_all(pieced.index, &indexed, &indexed.tree[i].tree, i, &threshold, alike);
	free_pieces(&pieced);
	free(arena.base);
	return all;
}

/* Orders numbers. */
static int
compare_numbers(const void *a, const void *b)
{
	return *(const int32_t *) a - *(const int32_t *) b;
}

/* Returns the prefix of a tree according to its definition. */
static int32_t
plain_prefix(const TedRareLabels *rare, const TedTree *tree, int32_t limit, int32_t *ranks)
{
	int32_t sorted[MAX_HUGE];
	int32_t count = 0;

	for (int32_t x = 0; x < tree->size; x++)
		sorted[x] = tree->label[x] < rare->labels ? rare->rank[tree->label[x]] : 0;
	qsort(sorted, (size_t) tree->size, sizeof(int32_t), compare_numbers);
	for (int32_t i = 0; i < tree->size && i <= limit; i++)
		if (sorted[i] > 0 && (count == 0 || sorted[i] != ranks[count - 1]))
			ranks[count++] = sorted[i];
	return count;
}

/* Whether labels are ranked by how often the nodes of a tree have them, and it has its prefix. */
static bool
prefix_agrees(const TedTree *tree, const TedTree *other, int32_t labels, int32_t limit)
{
	TedIndexedTree indexed = {tree, tree->size, limit};
	TedArena arena =
		new_arena(ted_rare_labels_memory(labels) + ted_prefix_memory(other->size, limit));
	int32_t often[LABELS] = {0};
	int32_t by_rank[LABELS + 1] = {0};
	int32_t plain[MAX_HUGE];
	int32_t *ranks;
	int32_t count;
	TedRareLabels rare;
	bool agree = ted_rare_labels(&indexed, 1, labels, &arena, &never, &rare) == TED_OK &&
				 ted_prefix(&rare, other, limit, &arena, &never, &ranks, &count) == TED_OK &&
				 count == plain_prefix(&rare, other, limit, plain) &&
				 memcmp(ranks, plain, sizeof(int32_t) * (size_t) count) == 0;

	for (int32_t x = 0; x < tree->size; x++)
		often[tree->label[x]]++;
	for (int32_t l = 0; l < labels; l++)
		by_rank[rare.rank[l]] = often[l];
	for (int32_t rank = 1; rank < labels; rank++)
		agree &= by_rank[rank] <= by_rank[rank + 1];
	free(arena.base);
	return agree;
}

/* Returns the bound by equal nodes according to its definition. */
static int32_t
plain_overlap_bound(const TedTree *tree, const TedTree *other)
{
	int32_t equal = 0;

	for (int32_t l = 0; l < LABELS; l++)
	{
		int32_t have = 0;
		int32_t want = 0;

		for (int32_t x = 0; x < tree->size; x++)
			have += tree->label[x] == l;
		for (int32_t y = 0; y < other->size; y++)
			want += other->label[y] == l;
		equal += ted_min(have, want);
	}
	return ted_max(tree->size, other->size) - equal;
}

/* Whether a tree has the bounds that it should with others, one after the other. */
static bool
overlaps_agree(const TedTree *tree, const Collection *others, int32_t labels, int32_t k)
{
	TedArena arena = new_arena(ted_overlap_memory(labels) + ted_overlap_begin_memory(tree->size));
	TedOverlap overlap;
	bool agree = ted_overlap(labels, &arena, &overlap) == TED_OK &&
				 ted_overlap_begin(&overlap, tree, &arena, &never) == TED_OK;

	for (int32_t i = 0; i < others->count && agree; i++)
	{
		const TedTree *other = &others->tree[i].tree;
		int32_t plain = plain_overlap_bound(tree, other);
		int32_t bound;

		agree = ted_overlap_bound(&overlap, other, k, &never, &bound) == TED_OK &&
				bound == (plain <= k ? plain : TED_BEYOND);
	}
	ted_overlap_end(&overlap);
	for (int32_t l = 0; l < labels; l++)
		agree &= overlap.mark[l] == 0;
	free(arena.base);
	return agree;
}

/* Whether the signatures of a tree and edited copies are as near as the core says. */
static bool
signatures_agree(const TestTree *t, int32_t labels)
{
	TestTree copy;
	int32_t edits = (int32_t) random_below(8);
	uint64_t bits;
	int32_t plain = 0;
	int32_t difference;

	copy_tree(&copy, t);
	edit_tree(&copy, edits, labels);
	bits = ted_signature(&t->tree) ^ ted_signature(&copy.tree);
	difference = ted_signature_difference(ted_signature(&t->tree), ted_signature(&copy.tree));
	for (; bits != 0; bits >>= 1)
		plain += (int32_t) (bits & 1);
	return plain == difference && difference <= 2 * edits - abs(t->tree.size - copy.tree.size);
}

/* Whether the parts of a search are what their definitions say, on random trees. */
static bool
parts_agree(uint64_t round)
{
	static const int32_t alphabets[] = {1, 3, 20, LABELS};
	static Collection c;
	int32_t labels = alphabets[round % 4];
	int32_t k = (int32_t) random_below(round % 8 < 4 ? 8 : 80);
	static TestTree large;
	bool agree = true;

	make_collection(&c, labels);
	make_tree(&large, (Shape) random_below(SHAPES), 1 + (int32_t) random_below(200), labels, 0);
	agree &= prefix_agrees(&c.tree[0].tree, &large.tree, labels, k);
	agree &= prefix_agrees(&large.tree, &c.tree[0].tree, labels, k);
	agree &= overlaps_agree(&c.tree[0].tree, &c, labels, k);
	return agree && overlaps_agree(&large.tree, &c, labels, k) && signatures_agree(&large, labels);
}

int
main(void)
{
	uint64_t count = rounds(1000);
	uint64_t wrong = 0;
	uint64_t alike = 0;
	uint64_t refusals = 0;

	random_state = setting("SEED", 1);
	for (uint64_t round = 0; round < count; round++)
		wrong += !searches_find_all(round, &alike, &refusals);
	ok(wrong == 0, "searches find all trees within the threshold, %llu collections",
	   (unsigned long long) count);
	ok(refusals > count, "%llu trees were asked about before", (unsigned long long) refusals);
	ok(alike > count, "%llu of these are like another one", (unsigned long long) alike);
	wrong = 0;
	for (uint64_t round = 0; round < count; round++)
		wrong += !parts_agree(round);
	ok(wrong == 0, "prefixes, overlaps and signatures are what their definitions say");
	return done_testing();
}
