/*
 * test_pqgrams.c
 *	  Checks pq-grams against their definition: all small subtrees of a tree that has been
 *	  extended by empty nodes, compared one with the other.
 */
#include <stdlib.h>
#include <string.h>

#include "../../src/core/string/symbol_set.h"
#include "../../src/core/tree/filters/pqgrams.h"
#include "tap.h"
#include "trees.h"

#define SIZE 32
#define MAX_SIZE 80 /* most nodes of a tree after edits */
#define MAX_PQ 5
#define MAX_NODES 2000 /* most nodes of an extended tree */
#define MAX_GRAMS 500

static TestTree a;
static TestTree b;

/* An extended tree, its nodes in no order; `empty` ones have no label. */
typedef struct Extended
{
	int32_t count;
	int32_t label[MAX_NODES];
	int32_t parent[MAX_NODES];
	int32_t children[MAX_NODES];
	int32_t child[MAX_NODES][MAX_SIZE + 2 * MAX_PQ];
} Extended;

/* The labels of a pq-gram in preorder of the definition: ancestors, the anchor, children. */
typedef struct Gram
{
	int32_t label[2 * MAX_PQ];
} Gram;

typedef struct Bag
{
	int32_t count;
	Gram gram[MAX_GRAMS];
} Bag;

/* Adds a node as the last child of another one. */
static int32_t
add_node(Extended *tree, int32_t parent, int32_t label)
{
	int32_t node = tree->count++;

	tree->label[node] = label;
	tree->parent[node] = parent;
	tree->children[node] = 0;
	if (parent >= 0)
		tree->child[parent][tree->children[parent]++] = node;
	return node;
}

/* Adds the extended subtree of a node. */
static void
extend(Extended *tree, const TedTree *from, int32_t x, int32_t parent, int32_t q)
{
	int32_t node = add_node(tree, parent, from->label[x]);
	int32_t child[MAX_SIZE];
	int32_t children = 0;

	for (int32_t c = x - 1; c > x - from->subtree_size[x]; c -= from->subtree_size[c])
		child[children++] = c;
	for (int32_t i = 0; i < (children == 0 ? q : q - 1); i++)
		add_node(tree, node, TED_EMPTY_LABEL);
	for (int32_t i = children - 1; i >= 0; i--)
		extend(tree, from, child[i], node, q);
	for (int32_t i = 0; children > 0 && i < q - 1; i++)
		add_node(tree, node, TED_EMPTY_LABEL);
}

/* Makes the bag of all pq-grams of a tree whose anchor is not empty. */
static void
make_bag(const TedTree *from, int32_t p, int32_t q, Bag *bag)
{
	static Extended tree;
	int32_t top = -1;

	tree.count = 0;
	for (int32_t i = 0; i < p - 1; i++)
		top = add_node(&tree, top, TED_EMPTY_LABEL);
	extend(&tree, from, from->size - 1, top, q);
	bag->count = 0;
	for (int32_t node = 0; node < tree.count; node++)
		for (int32_t first = 0;
			 tree.label[node] != TED_EMPTY_LABEL && first + q <= tree.children[node]; first++)
		{
			Gram *gram = &bag->gram[bag->count++];
			int32_t ancestor = node;

			memset(gram, 0, sizeof(Gram));
			for (int32_t i = p - 1; i >= 0; i--, ancestor = tree.parent[ancestor])
				gram->label[i] = tree.label[ancestor];
			for (int32_t i = 0; i < q; i++)
				gram->label[p + i] = tree.label[tree.child[node][first + i]];
		}
}

/* Returns the size of the intersection of two bags, by pairing equal pq-grams. */
static int32_t
common_of_bags(const Bag *x, const Bag *y)
{
	bool used[MAX_GRAMS] = {false};
	int32_t common = 0;

	for (int32_t i = 0; i < x->count; i++)
		for (int32_t j = 0; j < y->count; j++)
			if (!used[j] && memcmp(&x->gram[i], &y->gram[j], sizeof(Gram)) == 0)
			{
				used[j] = true;
				common++;
				break;
			}
	return common;
}

/* The pq-grams of a tree, with their index and symbols, in blocks to be freed. */
typedef struct Grams
{
	TedArena arena;
	TedArena index_arena;
	TedPqGrams grams;
	TedPqIndex index;
	uint32_t symbols[MAX_GRAMS];
	uint16_t short_symbols[MAX_GRAMS];
} Grams;

/* Makes the pq-grams of a tree; returns false if that fails. */
static bool
make_grams(const TedTree *tree, int32_t p, int32_t q, Grams *made)
{
	made->arena = new_arena(ted_pqgrams_memory(tree, p, q));
	made->index_arena = new_arena(ted_pqgram_index_memory((int32_t) ted_pqgram_count(tree, q)));
	if (ted_pqgrams(tree, p, q, &made->arena, &never, &made->grams) != TED_OK ||
		ted_pqgram_index(&made->grams, &made->index_arena, &never, &made->index) != TED_OK ||
		ted_pqgram_symbols(&made->index, &never, made->symbols) != TED_OK)
		return false;
	for (int32_t i = 0; i < made->grams.count; i++)
		made->short_symbols[i] = (uint16_t) (made->symbols[i] >> 16);
	return true;
}

static void
free_grams(Grams *made)
{
	free(made->arena.base);
	free(made->index_arena.base);
}

/* Returns the number of symbols that two trees have in common. */
static int32_t
common_symbols(const Grams *x, const Grams *y)
{
	int32_t common = 0;

	for (int32_t i = 0; i < x->grams.count; i++)
		for (int32_t j = 0; j < y->grams.count; j++)
			common += x->symbols[i] == y->symbols[j];
	return common;
}

/* Compares a pair of trees by some p and q; returns whether all results are right. */
static bool
check_pair(int32_t p, int32_t q)
{
	static Bag bag_a;
	static Bag bag_b;
	static Grams grams_a;
	static Grams grams_b;
	TedSymbolSet set;
	int32_t common;
	int32_t in_common;
	int32_t again;
	int32_t missing;
	bool good;

	make_bag(&a.tree, p, q, &bag_a);
	make_bag(&b.tree, p, q, &bag_b);
	common = common_of_bags(&bag_a, &bag_b);
	good = make_grams(&a.tree, p, q, &grams_a) && make_grams(&b.tree, p, q, &grams_b) &&
		   ted_pqgrams_in_common(&grams_a.index, &grams_b.grams, &never, &in_common) == TED_OK &&
		   ted_pqgrams_in_common(&grams_a.index, &grams_b.grams, &never, &again) == TED_OK;
	ted_symbol_set(grams_a.short_symbols, grams_a.grams.count, &set);
	missing = ted_symbols_missing(&set, grams_b.short_symbols, grams_b.grams.count);
	good = good && grams_a.grams.count == bag_a.count && grams_b.grams.count == bag_b.count &&
		   ted_pqgram_count(&a.tree, q) == bag_a.count && in_common == common && again == common &&
		   common_symbols(&grams_a, &grams_b) == common && missing >= 0 &&
		   bag_a.count - missing >= common;
	free_grams(&grams_a);
	free_grams(&grams_b);
	return good;
}

/* Whether what is missing is exact where no two symbols are alike in their 16 bits. */
static void
test_symbols(void)
{
	static uint16_t all[1 << TED_SYMBOL_BITS];
	TedSymbolSet set;
	bool good = true;

	for (int32_t i = 0; i < 1 << TED_SYMBOL_BITS; i++)
		all[i] = (uint16_t) i;
	for (int32_t round = 0; round < 300 && good; round++)
	{
		int32_t from = (int32_t) random_below(1 << TED_SYMBOL_BITS);
		int32_t own = (int32_t) random_below((uint32_t) ((1 << TED_SYMBOL_BITS) - from + 1));
		int32_t other = (int32_t) random_below(1 << TED_SYMBOL_BITS);

		ted_symbol_set(all + from, own, &set);
		good =
			ted_symbols_missing(&set, all, other) == own - ted_min(own, ted_max(other - from, 0));
	}
	ok(good, "symbols that a string lacks");
}

/* Tests that interrupts and arenas that are too small end in errors. */
static void
test_refusals(void)
{
	size_t bytes;
	Grams grams;
	TedArena small;
	static TestTree large;

	make_tree(&large, STAR, MAX_HUGE, 3, 0);
	bytes = ted_pqgrams_memory(&large.tree, 2, 3);
	small = new_arena(bytes);
	small.size--;
	ok(ted_pqgrams(&large.tree, 2, 3, &small, &never, &grams.grams) == TED_OUT_OF_ARENA,
	   "an arena that is too small");
	free(small.base);
	small = new_arena(ted_pqgrams_memory(&large.tree, 2, 3000));
	ok(ted_pqgrams(&large.tree, 2, 3000, &small, &at_once, &grams.grams) == TED_CANCELLED,
	   "an interrupt");
	free(small.base);
}

int
main(void)
{
	uint64_t count = rounds(3000);

	random_state = setting("SEED", 1);
	for (int32_t p = 1; p <= MAX_PQ; p++)
		for (int32_t q = 1; q <= MAX_PQ; q++)
		{
			int32_t wrong = 0;

			for (uint64_t round = 0; round < count / 10; round++)
			{
				make_random_pair(&a, &b, round, SIZE);
				wrong += !check_pair(p, q);
			}
			ok(wrong == 0, "pq-grams, p = %d and q = %d", (int) p, (int) q);
		}
	test_symbols();
	test_refusals();
	return done_testing();
}
