/*
 * test_topk.c
 *	  Checks the nearest subtrees against the exact distances of all subtrees, sorted; and the
 *	  distances of all subtrees at once, by any costs, against these.
 */
#include "../../src/core/common/simd.h"
#include "../../src/core/tree/exact/vector_tables.h"
#include "../../src/core/tree/exact/zhang_shasha.h"
#include "../../src/core/tree/exact/topk.h"
#include "../../src/core/tree/exact/zhang_shasha.h"
#include "random.h"
#include "tap.h"
#include "trees.h"
#include "vectors.h"

/* Returns the preorder number of a node. */
static int32_t
preorder(const TedTree *tree, int32_t x)
{
	return x - tree->subtree_size[x] + 1 + tree->depth[x];
}

/* Orders hits by distance, then by number. */
static int
compare_hits(const void *a, const void *b)
{
	const TedHit *x = a;
	const TedHit *y = b;

	return x->distance != y->distance ? x->distance - y->distance : x->node - y->node;
}

/* Compares the query with each subtree in postorder by itself. */
static void
compare_all(const TedTree *query, const TedTree *document, const TedCosts *costs, TedHit *hits)
{
	static int32_t depth[MAX_HUGE];
	static int32_t key_root[MAX_HUGE];

	for (int32_t x = 0; x < document->size; x++)
	{
		int32_t first = x - document->subtree_size[x] + 1;
		TedTree subtree = {.size = document->subtree_size[x],
						   .label = document->label + first,
						   .subtree_size = document->subtree_size + first};

		ted_tree_index(&subtree, depth, key_root, &never);
		hits[x].distance = planned_distance(query, &subtree, costs, TED_NO_LIMIT);
		hits[x].node = preorder(document, x);
		hits[x].size = subtree.size;
	}
}

/* Ranks all subtrees by distance, then by number. */
static void
rank_all(const TedTree *query, const TedTree *document, TedHit *hits)
{
	compare_all(query, document, &TED_UNIT_COSTS, hits);
	qsort(hits, (size_t) document->size, sizeof(TedHit), compare_hits);
}

/* Returns a cost of renaming that depends on both labels. */
static int32_t
rename_by_label(void *context, int32_t from, int32_t to)
{
	return *(const int32_t *) context * (1 + (from + 3 * to) % 4);
}

/* Whether all subtrees have the distances that each of them has by itself. */
static bool
has_distances(const TedTree *query, const TedTree *document, const TedCosts *costs)
{
	static TedHit expected[MAX_HUGE];
	static int32_t distances[MAX_HUGE];
	TedTablesPlan plan = ted_plan_tables(query, document, costs);
	TedArena arena = new_arena(plan.bytes);
	bool right =
		ted_subtree_distances(query, document, costs, &plan, &arena, &never, distances) == TED_OK;

	free(arena.base);
	compare_all(query, document, costs, expected);
	for (int32_t x = 0; right && x < document->size; x++)
		right = distances[x] == expected[x].distance;
	return right;
}

/* Tests random costs, the same for all labels or by label, small and large ones. */
static void
test_distances(uint64_t count)
{
	enum
	{
		LABELS = 30
	};
	uint64_t wrong = 0;
	static TestTree query;
	static TestTree document;

	for (uint64_t round = 0; round < count; round++)
	{
		int32_t unit = round % 3 == 0 ? 1000 : 1;
		int32_t insert[LABELS];
		int32_t delete_[LABELS];
		TedLabelCosts labels = {.insert = insert,
								.delete_ = delete_,
								.rename = rename_by_label,
								.context = &unit,
								.least = {0, unit, unit},
								.most = {2 * unit, 2 * unit, 4 * unit}};
		TedCosts costs = {unit, 2 * unit, unit, round % 2 == 0 ? &labels : NULL};

		for (int32_t i = 0; i < LABELS; i++)
		{
			insert[i] = unit * (int32_t) random_below(3);
			delete_[i] = unit * (1 + (int32_t) random_below(2));
		}
		make_tree(&document, (Shape) random_below(SHAPES), 1 + (int32_t) random_below(60), LABELS,
				  0);
		make_tree(&query, (Shape) random_below(SHAPES), 1 + (int32_t) random_below(40), LABELS, 0);
		wrong += !has_distances(&query.tree, &document.tree, &costs);
	}
	ok(wrong == 0, "distances of all subtrees of %llu documents, %llu wrong",
	   (unsigned long long) count, (unsigned long long) wrong);
}

/* Ranks subtrees with an arena of exactly the size. */
static bool
rank(TedTopk *topk)
{
	TedArena arena = new_arena(ted_topk_rank_memory(topk));
	TedStatus status = ted_topk_rank(topk, &arena);

	free(arena.base);
	return status == TED_OK && topk->forest.count == 0;
}

/*
 * The subtrees that are wanted: those within a distance that grows with their size up to a
 * limit.
 */
typedef struct Wanted
{
	int32_t least;
	int32_t tenths; /* tenths of the subtree's nodes, added to `least` */
	int32_t most;
} Wanted;

/* Returns the greatest distance of a wanted subtree with this size. */
static int32_t
allowed(const void *arg, int32_t size)
{
	const Wanted *wanted = arg;

	return ted_min(wanted->least + size * wanted->tenths / 10, wanted->most);
}

/* Keeps only the wanted subtrees; returns their number. */
static int32_t
keep_wanted(TedHit *hits, int32_t count, const TedTopkLimit *limit)
{
	int32_t kept = 0;

	for (int32_t i = 0; i < count; i++)
		if (limit->allowed == NULL || hits[i].distance <= limit->allowed(limit->arg, hits[i].size))
			hits[kept++] = hits[i];
	return kept;
}

/*
 * Whether the search finds the first k of all subtrees that are wanted; `often` ranks
 * after every node.
 */
static bool
finds(const TedTree *query, const TedTree *document, int32_t k, const TedTopkLimit *limit,
	  bool often, const TedHit *expected, int32_t wanted)
{
	TedArena arena = new_arena(ted_topk_memory(query, k, limit));
	TedTopk topk;
	bool right = ted_topk_init(&topk, query, k, limit, &arena, &never) == TED_OK;

	for (int32_t x = 0; right && x < document->size; x++)
		if (ted_topk_push(&topk, preorder(document, x), document->label[x],
						  document->subtree_size[x]) ||
			often)
			right = rank(&topk);
	ted_topk_end(&topk);
	right = right && rank(&topk) && topk.count == ted_min(k, wanted);
	ted_topk_sort(&topk);
	for (int32_t i = 0; right && i < topk.count; i++)
		right = compare_hits(&topk.hits[i], &expected[i]) == 0;
	free(arena.base);
	return right;
}

/* Whether ranking many nodes ends when it is asked to. */
static bool
stops(void)
{
	static TestTree query;
	TedTopkLimit all = {0};
	TedStatus status;
	TedArena arena;
	TedArena tables;
	TedTopk topk;

	make_tree(&query, RANDOM, 600, 5, 0);
	arena = new_arena(ted_topk_memory(&query.tree, 1, &all));
	if (ted_topk_init(&topk, &query.tree, 1, &all, &arena, &at_once) != TED_OK)
		return false;
	for (int32_t node = 0; !ted_topk_push(&topk, node, 0, 1); node++)
		continue;
	tables = new_arena(ted_topk_rank_memory(&topk));
	status = ted_topk_rank(&topk, &tables);
	free(tables.base);
	free(arena.base);
	return status == TED_CANCELLED;
}

/* Tests random queries and documents, large ones now and then. */
static void
test_random(uint64_t count)
{
	static const int32_t alphabets[] = {1, 2, 4, 26, 300};
	uint64_t wrong = 0;
	static TestTree query;
	static TestTree document;
	static TedHit expected[MAX_HUGE];

	for (uint64_t round = 0; round < count; round++)
	{
		int32_t labels = alphabets[round % 5];
		int32_t most = round % 50 == 0 ? MAX_HUGE : 60;
		Wanted near = {.least = (int32_t) random_below(round % 2 == 0 ? 20 : 2),
					   .tenths = (int32_t) random_below(11),
					   .most = (int32_t) random_below(40)};
		TedTopkLimit limit = {
			.allowed = round % 7 < 4 ? NULL : allowed, .arg = &near, .most = near.most};
		int32_t wanted;
		int32_t k;

		make_tree(&document, (Shape) random_below(SHAPES),
				  1 + (int32_t) random_below((uint32_t) most), labels, 0);
		make_tree(&query, (Shape) random_below(SHAPES),
				  1 + (int32_t) random_below(round % 4 == 0 ? 3 : 20), labels,
				  random_below(8) == 0 ? labels : 0);
		k = 1 + (int32_t) random_below(round % 3 == 0 ? (uint32_t) document.tree.size + 3 : 6);
		rank_all(&query.tree, &document.tree, expected);
		wanted = keep_wanted(expected, document.tree.size, &limit);
		wrong += !finds(&query.tree, &document.tree, k, &limit, round % 2 == 0, expected, wanted);
	}
	ok(wrong == 0, "%s: the k nearest subtrees of %llu documents, %llu wrong",
	   simd_names[ted_tuning.simd_limit], (unsigned long long) count, (unsigned long long) wrong);
}

int
main(void)
{
	uint64_t count = rounds(3000);

	random_state = setting("SEED", 1);
	ted_tuning.cells_for_vectors = 0;
	for (TedSimd simd = TED_SIMD_NONE; simd <= TED_SIMD_WIDEST; simd++)
	{
		if (!select_vectors(simd))
			continue;
		test_random(count);
		test_distances(count / 4);
	}
	ok(stops(), "ranking is cancelled");
	return done_testing();
}
