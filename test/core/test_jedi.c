/*
 * test_jedi.c
 *	  Checks the edit distance and mappings of JSON documents, and assignments, against
 *	  their definitions.
 */
#include "../../src/core/tree/json/assignment.h"
#include "../../src/core/tree/json/jedi.h"
#include "random.h"
#include "tap.h"
#include "trees.h"

#include <string.h>

#define MAX_TINY 15  /* nodes, and rows and columns of matrices */
#define MAX_SMALL 50 /* nodes of documents whose mappings are checked */

static const TedCosts unit = TED_UNIT_COSTS;
static const TedCosts threefold = {3, 3, 3, NULL};

#define MAX_LABELS 2000

/* A tree, and the kind of each label. */
typedef struct Document
{
	TestTree tree;
	uint8_t kind[MAX_LABELS];
	TedJson json;
} Document;

/* Assigns kinds to labels at random. */
static void
set_kinds(Document *document, int32_t kinds)
{
	for (int32_t label = 0; label < MAX_LABELS; label++)
		document->kind[label] = (uint8_t) (label % kinds);
	document->json = (TedJson){.tree = &document->tree.tree, .kind = document->kind};
}

/* Returns the kind of a node. */
static TedJsonKind
kind_of(const TedJson *document, int32_t x)
{
	return (TedJsonKind) document->kind[document->tree->label[x]];
}

/* Returns the greatest weight of pairs of the rows from `row` on and columns that are not taken. */
static int32_t
heaviest(const int32_t weight[MAX_TINY][MAX_TINY], int32_t row, int32_t rows, int32_t columns,
		 uint32_t taken, int32_t *memo)
{
	int32_t best;

	if (row == rows)
		return 0;
	if (memo[(size_t) row << columns | taken] >= 0)
		return memo[(size_t) row << columns | taken];
	best = heaviest(weight, row + 1, rows, columns, taken, memo);
	for (int32_t column = 0; column < columns; column++)
		if ((taken >> column & 1) == 0)
			best = ted_max(best, weight[row][column] + heaviest(weight, row + 1, rows, columns,
																taken | 1u << column, memo));
	return memo[(size_t) row << columns | taken] = best;
}

/* Returns the greatest weight of pairs of all rows and columns. */
static int32_t
heaviest_pairs(const int32_t weight[MAX_TINY][MAX_TINY], int32_t rows, int32_t columns)
{
	size_t bytes = sizeof(int32_t) * ((size_t) MAX_TINY << columns);
	int32_t *memo = malloc(bytes);
	int32_t sum;

	memset(memo, -1, bytes);
	sum = heaviest(weight, 0, rows, columns, 0, memo);
	free(memo);
	return sum;
}

/* Distances of subtrees and of the forests below them, by node from 1; 0 is the empty tree. */
typedef struct Definition
{
	const TedJson *a;
	const TedJson *b;
	const TedCosts *costs;
	int32_t tree[MAX_TINY + 1][MAX_TINY + 1];
	int32_t forest[MAX_TINY + 1][MAX_TINY + 1];
} Definition;

/* Finds the children of a node in order, numbered from 1 as the node; returns their number. */
static int32_t
children_of(const TedTree *tree, int32_t node, int32_t *children)
{
	int32_t before = node - 1 - tree->subtree_size[node - 1];
	int32_t count = 0;
	int32_t end;

	for (int32_t x = node - 2; x > before; x -= tree->subtree_size[x])
		count++;
	end = count;
	for (int32_t x = node - 2; x > before; x -= tree->subtree_size[x])
		children[--end] = x + 1;
	return count;
}

/*
 * Returns the cost of mapping the trees of two forests to each other, in the order of elements
 * or in any order.
 */
static int32_t
pair_trees(const Definition *d, int32_t i, int32_t j)
{
	int32_t s[MAX_TINY];
	int32_t t[MAX_TINY];
	int32_t count_s = children_of(d->a->tree, i, s);
	int32_t count_t = children_of(d->b->tree, j, t);
	int32_t all = d->forest[i][0] + d->forest[0][j];
	int32_t weight[MAX_TINY][MAX_TINY];
	int32_t edit[MAX_TINY + 1][MAX_TINY + 1] = {{0}};

	for (int32_t x = 0; x < count_s; x++)
		for (int32_t y = 0; y < count_t; y++)
			weight[x][y] = d->tree[s[x]][0] + d->tree[0][t[y]] - d->tree[s[x]][t[y]];
	if (kind_of(d->a, i - 1) != TED_JSON_ARRAY || kind_of(d->b, j - 1) != TED_JSON_ARRAY)
		return all - heaviest_pairs(weight, count_s, count_t);
	for (int32_t x = 0; x <= count_s; x++)
		for (int32_t y = 0; y <= count_t; y++)
		{
			if (x == 0 && y == 0)
				continue;
			edit[x][y] = INT32_MAX;
			if (x > 0)
				edit[x][y] = ted_min(edit[x][y], edit[x - 1][y] + d->tree[s[x - 1]][0]);
			if (y > 0)
				edit[x][y] = ted_min(edit[x][y], edit[x][y - 1] + d->tree[0][t[y - 1]]);
			if (x > 0 && y > 0)
				edit[x][y] = ted_min(edit[x][y], edit[x - 1][y - 1] + d->tree[s[x - 1]][t[y - 1]]);
		}
	return edit[count_s][count_t];
}

/*
 * Computes the distances of a pair of subtrees, and of the forests below them, as the paper
 * defines them.
 */
static void
define_pair(Definition *d, int32_t i, int32_t j)
{
	int32_t child[MAX_TINY];
	int32_t count = children_of(d->a->tree, i, child);
	int32_t forest = pair_trees(d, i, j);
	int32_t tree = INT32_MAX;
	int32_t from = d->a->tree->label[i - 1];
	int32_t to = d->b->tree->label[j - 1];
	int32_t both = ted_delete_cost(d->costs, from) + ted_insert_cost(d->costs, to);
	int32_t rename = kind_of(d->a, i - 1) != kind_of(d->b, j - 1)
						 ? both
						 : ted_min(both, ted_rename_cost(d->costs, from, to));

	for (int32_t c = 0; c < count; c++)
	{
		int32_t x = child[c];

		forest = ted_min(forest, d->forest[i][0] + d->forest[x][j] - d->forest[x][0]);
		tree = ted_min(tree, d->tree[i][0] + d->tree[x][j] - d->tree[x][0]);
	}
	count = children_of(d->b->tree, j, child);
	for (int32_t c = 0; c < count; c++)
	{
		int32_t y = child[c];

		forest = ted_min(forest, d->forest[0][j] + d->forest[i][y] - d->forest[0][y]);
		tree = ted_min(tree, d->tree[0][j] + d->tree[i][y] - d->tree[0][y]);
	}
	d->forest[i][j] = forest;
	d->tree[i][j] = ted_min(tree, forest + rename);
}

/* Returns the distance of two documents by its definition. */
static int32_t
define(const TedJson *a, const TedJson *b, const TedCosts *costs)
{
	Definition d = {.a = a, .b = b, .costs = costs};

	for (int32_t i = 1; i <= a->tree->size; i++)
	{
		for (int32_t x = i - a->tree->subtree_size[i - 1]; x < i - 1; x++)
			d.forest[i][0] += ted_delete_cost(costs, a->tree->label[x]);
		d.tree[i][0] = d.forest[i][0] + ted_delete_cost(costs, a->tree->label[i - 1]);
	}
	for (int32_t j = 1; j <= b->tree->size; j++)
	{
		for (int32_t y = j - b->tree->subtree_size[j - 1]; y < j - 1; y++)
			d.forest[0][j] += ted_insert_cost(costs, b->tree->label[y]);
		d.tree[0][j] = d.forest[0][j] + ted_insert_cost(costs, b->tree->label[j - 1]);
	}
	for (int32_t i = 1; i <= a->tree->size; i++)
		for (int32_t j = 1; j <= b->tree->size; j++)
			define_pair(&d, i, j);
	return d.tree[a->tree->size][b->tree->size];
}

/*
 * Returns the distance up to a limit, by unit costs if `costs` is NULL, in arenas of exactly
 * the size; also checks the bounds.
 */
static int32_t
compute(const TedJson *a, const TedJson *b, const TedCosts *costs, int32_t limit,
		const TedInterrupt *interrupt, TedJsonPair *pair)
{
	TedArena arena = new_arena(ted_json_pair_memory(a->tree->size, b->tree->size, costs));
	TedArena tables;
	int32_t distance = -1;

	if (ted_json_pair(a, b, costs, &arena, interrupt, pair) == TED_OK)
	{
		tables = new_arena(ted_json_distance_memory(pair, limit));
		if (ted_json_distance(pair, limit, &tables, interrupt, &distance) != TED_OK)
			distance = -1;
		free(tables.base);
	}
	free(arena.base);
	return distance;
}

/* Returns the lowest common ancestor of two nodes. */
static int32_t
common_ancestor(const TedTree *tree, int32_t x, int32_t y)
{
	int32_t z = ted_max(x, y);

	while (!below(tree, x, z) || !below(tree, y, z))
		z++;
	return z;
}

/* Returns the child of a node whose subtree contains x. */
static int32_t
child_above(const TedTree *tree, int32_t node, int32_t x)
{
	int32_t child = node - 1;

	while (!below(tree, x, child))
		child -= tree->subtree_size[child];
	return child;
}

/* Whether a node is below a common ancestor of two others, and is not that. */
static bool
below_both(const TedTree *tree, int32_t x, int32_t y, int32_t z)
{
	int32_t ancestor = common_ancestor(tree, x, y);

	return z != ancestor && below(tree, z, ancestor);
}

/* Whether two nodes below an array are mapped in the order of the elements that have them. */
static bool
keeps_order(const TedTree *a, const TedTree *b, const int32_t *map_a, int32_t array, int32_t x,
			int32_t z)
{
	int32_t element_x = child_above(a, array, x);
	int32_t element_z = child_above(a, array, z);
	int32_t element_y = child_above(b, map_a[array], map_a[x]);
	int32_t element_w = child_above(b, map_a[array], map_a[z]);

	return element_x == element_z || element_y == element_w ||
		   (element_x < element_z) == (element_y < element_w);
}

/* Whether nodes that are mapped, three of them, are below each other on both sides alike. */
static bool
is_preserved(const TedJson *a, const TedJson *b, const int32_t *map_a, int32_t x, int32_t z,
			 int32_t u)
{
	const TedTree *left = a->tree;
	const TedTree *right = b->tree;

	if (below(left, x, z) != below(right, map_a[x], map_a[z]) ||
		below_both(left, x, z, u) != below_both(right, map_a[x], map_a[z], map_a[u]))
		return false;
	return kind_of(a, u) != TED_JSON_ARRAY || x == u || z == u || !below(left, x, u) ||
		   !below(left, z, u) || keeps_order(left, right, map_a, u, x, z);
}

/* Whether the mapping is one of two documents, of this cost. */
static bool
is_document_mapping(const TedJson *a, const TedJson *b, const TedCosts *costs, int32_t expected,
					const int32_t *map_a, const int32_t *map_b)
{
	int32_t cost = 0;

	for (int32_t y = 0; y < b->tree->size; y++)
		if (map_b[y] < 0)
			cost += ted_insert_cost(costs, b->tree->label[y]);
		else if (map_a[map_b[y]] != y)
			return false;
	for (int32_t x = 0; x < a->tree->size; x++)
		if (map_a[x] < 0)
			cost += ted_delete_cost(costs, a->tree->label[x]);
		else if (map_b[map_a[x]] != x || kind_of(a, x) != kind_of(b, map_a[x]))
			return false;
		else
			cost += ted_rename_cost(costs, a->tree->label[x], b->tree->label[map_a[x]]);
	for (int32_t x = 0; x < a->tree->size; x++)
		for (int32_t z = 0; z < a->tree->size && map_a[x] >= 0; z++)
			for (int32_t u = 0; u < a->tree->size && map_a[z] >= 0; u++)
				if (map_a[u] >= 0 && !is_preserved(a, b, map_a, x, z, u))
					return false;
	return cost == expected;
}

/* Whether the mappings are such, in arenas of just the size. */
static bool
mappings_hold(const TedJson *a, const TedJson *b, const TedCosts *costs, int32_t distance)
{
	int32_t map_a[MAX_HUGE];
	int32_t map_b[MAX_HUGE];
	const TedCosts *paid = costs == NULL ? &unit : costs;
	TedArena arena = new_arena(ted_json_pair_memory(a->tree->size, b->tree->size, costs));
	TedJsonPair pair;
	TedArena tables;
	bool is_optimal;
	bool good;

	ted_json_pair(a, b, costs, &arena, &never, &pair);
	tables = new_arena(ted_json_mapping_memory(&pair));
	good = ted_json_mapping(&pair, a->tree, b->tree, &tables, &never, map_a, map_b) == TED_OK &&
		   is_document_mapping(a, b, paid, distance, map_a, map_b);
	free(tables.base);
	tables = new_arena(ted_json_simple_mapping_memory(&pair));
	good &= ted_json_simple_mapping(&pair, a->tree, b->tree, &tables, &never, map_a, map_b,
									&is_optimal) == TED_OK &&
			(!is_optimal || is_document_mapping(a, b, paid, distance, map_a, map_b)) &&
			(distance > 0 || is_optimal || costs != NULL);
	free(tables.base);
	free(arena.base);
	return good;
}

/* Whether all limits around a distance give it, or say that it is beyond them. */
static bool
limits_hold(const TedJson *a, const TedJson *b, int32_t distance)
{
	TedJsonPair pair;

	for (int32_t limit = ted_max(distance - 2, 0); limit <= distance + 2; limit++)
		if (compute(a, b, NULL, limit, &never, &pair) != (limit < distance ? TED_BEYOND : distance))
			return false;
	return true;
}

/* Tests tiny documents of all kinds and shapes against the definition. */
static void
test_definition(uint64_t count)
{
	static Document a;
	static Document b;
	uint64_t wrong = 0;

	for (uint64_t round = 0; round < count; round++)
	{
		int32_t kinds = 1 + (int32_t) random_below(TED_JSON_KINDS);
		TedJsonPair pair;
		int32_t distance;

		do
			make_random_pair(&a.tree, &b.tree, round, MAX_TINY);
		while (b.tree.tree.size > MAX_TINY);
		set_kinds(&a, kinds);
		set_kinds(&b, kinds);
		distance = compute(&a.json, &b.json, NULL, TED_NO_LIMIT, &never, &pair);
		if (distance != define(&a.json, &b.json, &unit) || pair.lower > distance ||
			pair.upper < distance || !limits_hold(&a.json, &b.json, distance) ||
			!mappings_hold(&a.json, &b.json, NULL, distance))
			wrong++;
	}
	ok(wrong == 0, "%llu pairs of tiny documents, limits and mappings, as defined (%llu wrong)",
	   (unsigned long long) count, (unsigned long long) wrong);
}

static int32_t insert_costs[MAX_LABELS];
static int32_t delete_costs[MAX_LABELS];
static int32_t least_rename;
static int32_t most_rename;

/* Returns a random cost of renaming for a pair of labels, always the same for the same pair. */
static int32_t
rename_cost(void *context, int32_t from, int32_t to)
{
	(void) context;
	return least_rename + (from * 7919 + to * 104729) % 1009 * most_rename / 1009;
}

/* Makes costs by label, some of them 0, in which a detour may be the cheapest way. */
static void
make_costs(TedLabelCosts *labels)
{
	uint32_t most = 1 + random_below(5);
	int32_t least = (int32_t) random_below(3);

	least_rename = (int32_t) random_below(3);
	most_rename = (int32_t) random_below(9);
	for (int32_t label = 0; label < MAX_LABELS; label++)
	{
		insert_costs[label] = least + (int32_t) random_below(most);
		delete_costs[label] = least + (int32_t) random_below(most);
	}
	*labels = (TedLabelCosts){.insert = insert_costs,
							  .delete_ = delete_costs,
							  .rename = rename_cost,
							  .least = {least, least, least_rename},
							  .most = {6, 6, 11}};
}

/* Tests tiny documents of all kinds and shapes by costs, against the definition. */
static void
test_costs(uint64_t count)
{
	static Document a;
	static Document b;
	uint64_t wrong = 0;

	for (uint64_t round = 0; round < count; round++)
	{
		TedLabelCosts labels;
		TedCosts costs = choose_costs(round);
		TedJsonPair pair;
		int32_t distance;

		if (round % 3 == 0)
		{
			make_costs(&labels);
			costs.labels = &labels;
		}
		do
			make_random_pair(&a.tree, &b.tree, round / 3, MAX_TINY);
		while (b.tree.tree.size > MAX_TINY);
		set_kinds(&a, 1 + (int32_t) random_below(TED_JSON_KINDS));
		memcpy(b.kind, a.kind, sizeof(a.kind));
		b.json = (TedJson){.tree = &b.tree.tree, .kind = b.kind};
		distance = compute(&a.json, &b.json, &costs, TED_NO_LIMIT, &never, &pair);
		if (distance != define(&a.json, &b.json, &costs) || pair.lower > distance ||
			pair.upper < distance ||
			compute(&a.json, &b.json, &costs, distance, &never, &pair) != distance ||
			(distance > 0 &&
			 compute(&a.json, &b.json, &costs, distance - 1, &never, &pair) != TED_BEYOND) ||
			!mappings_hold(&a.json, &b.json, &costs, distance))
			wrong++;
	}
	ok(wrong == 0, "%llu pairs of tiny documents by costs, as defined (%llu wrong)",
	   (unsigned long long) count, (unsigned long long) wrong);
}

/* Makes a document from labels and sizes of subtrees in postorder. */
static void
make_document(Document *document, const int32_t *labels, const int32_t *sizes, int32_t size)
{
	memcpy(document->tree.label, labels, sizeof(int32_t) * (size_t) size);
	memcpy(document->tree.subtree_size, sizes, sizeof(int32_t) * (size_t) size);
	document->tree.tree = (TedTree){
		.size = size, .label = document->tree.label, .subtree_size = document->tree.subtree_size};
	set_kinds(document, TED_JSON_BAG);
}

/*
 * Tests documents in which equal members do not map to each other, {{v, w}, [v, w]} and {{v,
 * w}, [w, v]}: it is better that each object becomes an array.
 */
static void
test_exchange(void)
{
	static const int32_t sizes[] = {1, 2, 3, 1, 2, 3, 7, 1, 2, 3, 1, 2, 3, 7, 15};
	static const int32_t labels_a[] = {0, 4, 8, 12, 16, 20, 1, 0, 4, 8, 12, 16, 20, 2, 1};
	static const int32_t labels_b[] = {0, 4, 8, 12, 16, 20, 1, 12, 16, 20, 0, 4, 8, 2, 1};
	static Document a;
	static Document b;
	TedJsonPair pair;

	make_document(&a, labels_a, sizes, 15);
	make_document(&b, labels_b, sizes, 15);
	ok(compute(&a.json, &b.json, NULL, TED_NO_LIMIT, &never, &pair) == 4 &&
		   define(&a.json, &b.json, &unit) == 4 && mappings_hold(&a.json, &b.json, NULL, 4),
	   "equal members map to others where that is best");
}

/* Copies a document with the children of unordered nodes in another order. */
static void
shuffle(Document *to, const Document *from)
{
	static int32_t stack[MAX_HUGE];
	static int32_t child[MAX_HUGE];
	const TedTree *tree = &from->tree.tree;
	int32_t top = 0;
	int32_t x = tree->size;

	/* the last child first, since postorder is filled from its end */
	stack[top++] = tree->size - 1;
	while (top > 0)
	{
		int32_t node = stack[--top];
		int32_t before = node - tree->subtree_size[node];
		int32_t count = 0;

		to->tree.label[--x] = tree->label[node];
		to->tree.subtree_size[x] = tree->subtree_size[node];
		for (int32_t c = node - 1; c > before; c -= tree->subtree_size[c])
			child[count++] = c;
		for (int32_t i = count - 1; i > 0 && kind_of(&from->json, node) != TED_JSON_ARRAY; i--)
		{
			int32_t j = (int32_t) random_below((uint32_t) i + 1);
			int32_t swapped = child[i];

			child[i] = child[j];
			child[j] = swapped;
		}
		while (count > 0)
			stack[top++] = child[--count];
	}
	to->tree.tree = (TedTree){
		.size = tree->size, .label = to->tree.label, .subtree_size = to->tree.subtree_size};
	ted_tree_index(&to->tree.tree, to->tree.depth, to->tree.key_root, &never);
}

/*
 * Tests larger documents: limits, both directions, another order of members, and documents
 * alike.
 */
static void
test_large(uint64_t count)
{
	static Document a;
	static Document b;
	static Document shuffled;
	uint64_t wrong = 0;

	for (uint64_t round = 0; round < count; round++)
	{
		int32_t kinds = 1 + (int32_t) random_below(TED_JSON_KINDS);
		TedJsonPair pair;
		int32_t distance;

		make_random_pair(&a.tree, &b.tree, round, 120);
		set_kinds(&a, kinds);
		set_kinds(&b, kinds);
		shuffle(&shuffled, &a);
		set_kinds(&shuffled, kinds);
		distance = compute(&a.json, &b.json, NULL, TED_NO_LIMIT, &never, &pair);
		if (pair.lower > distance || pair.upper < distance ||
			!limits_hold(&a.json, &b.json, distance) ||
			compute(&b.json, &a.json, NULL, TED_NO_LIMIT, &never, &pair) != distance ||
			compute(&shuffled.json, &b.json, NULL, TED_NO_LIMIT, &never, &pair) != distance ||
			compute(&a.json, &shuffled.json, NULL, 0, &never, &pair) != 0 ||
			compute(&a.json, &b.json, &threefold, TED_NO_LIMIT, &never, &pair) != 3 * distance ||
			(a.tree.tree.size <= MAX_SMALL && !mappings_hold(&a.json, &b.json, NULL, distance)))
			wrong++;
	}
	ok(wrong == 0,
	   "%llu pairs of larger documents: limits, directions, orders, mappings (%llu wrong)",
	   (unsigned long long) count, (unsigned long long) wrong);
}

/*
 * Returns the weight of a pairing whose first rows are given and whose other rows are paired
 * best.
 */
static int32_t
heaviest_after(const int32_t weight[MAX_TINY][MAX_TINY], int32_t rows, int32_t columns,
			   const int32_t *chosen)
{
	int32_t rest[MAX_TINY][MAX_TINY] = {{0}};
	int32_t count = 0;
	int32_t sum = 0;

	for (int32_t row = 0; row < rows; row++)
		if (chosen[row] >= 0)
			sum += weight[row][chosen[row]];
		else
		{
			for (int32_t column = 0; column < columns; column++)
				rest[count][column] = weight[row][column];
			for (int32_t other = 0; other < rows; other++)
				if (chosen[other] >= 0)
					rest[count][chosen[other]] = 0;
			count++;
		}
	return sum + heaviest_pairs(rest, count, columns);
}

/* Whether a column is one that another row has been given. */
static bool
is_chosen(const int32_t *chosen, int32_t rows, int32_t column)
{
	for (int32_t row = 0; row < rows; row++)
		if (chosen[row] == column)
			return true;
	return false;
}

/* Assigns each row the column that it prefers: the first one of its label, else the first one. */
static void
choose_columns(const int32_t weight[MAX_TINY][MAX_TINY], int32_t rows, int32_t columns,
			   const int32_t *labels, int32_t *chosen)
{
	int32_t sum;

	for (int32_t row = 0; row < rows; row++)
		chosen[row] = -1;
	sum = heaviest_after(weight, rows, columns, chosen);
	for (int pass = 0; pass < 2; pass++)
		for (int32_t row = 0; row < rows; row++)
			for (int32_t column = 0; column < columns && chosen[row] < 0; column++)
			{
				if (weight[row][column] == 0 || is_chosen(chosen, rows, column) ||
					(pass == 0 && labels[row] != labels[MAX_TINY + column]))
					continue;
				chosen[row] = column;
				if (heaviest_after(weight, rows, columns, chosen) < sum)
					chosen[row] = -1;
			}
}

/*
 * Tests matrices of all sizes, of few and of many different weights, against all ways to pair.  In
 * some, one column has weights of which a few exceed 32 bits together.
 */
static void
test_assignment(uint64_t count)
{
	uint64_t wrong = 0;

	for (uint64_t round = 0; round < count; round++)
	{
		int32_t columns = 1 + (int32_t) random_below(10);
		int32_t rows = 1 + (int32_t) random_below((uint32_t) columns);
		uint32_t weights = 1 + random_below(random_below(2) == 0 ? 4 : 1000);
		int32_t heavy = random_below(4) == 0 ? (int32_t) random_below((uint32_t) columns) : -1;
		int32_t weight[MAX_TINY][MAX_TINY];
		TedArena counted = {0};
		TedArena arena;
		TedAssignment assignment;
		int64_t steps = 0;
		int32_t expected;

		ted_assignment_arrays(&assignment, &counted, rows, columns);
		arena = new_arena(counted.used);
		ted_assignment_arrays(&assignment, &arena, rows, columns);
		assignment.rows = rows;
		assignment.columns = columns;
		for (int32_t row = 0; row < rows; row++)
			for (int32_t column = 0; column < columns; column++)
				assignment.weight[row * columns + column] = weight[row][column] =
					(int32_t) random_below(weights) +
					(column == heavy ? TED_MAX_DISTANCE - 10000 : 0);
		expected = heaviest_pairs(weight, rows, columns);
		for (int32_t floor = expected - 2; floor <= expected + 1; floor++)
		{
			int32_t sum;

			if (ted_assignment(&assignment, floor, &never, &steps, &sum) != TED_OK ||
				sum != (expected > floor ? expected : -1))
				wrong++;
			else if (sum >= 0 && columns <= 6)
			{
				int32_t labels[2 * MAX_TINY];
				int32_t chosen[MAX_TINY];

				for (int32_t i = 0; i < 2 * MAX_TINY; i++)
					labels[i] = (int32_t) random_below(6);
				choose_columns(weight, rows, columns, labels, chosen);
				if (ted_assignment_prefer(&assignment, labels, labels + MAX_TINY, &never, &steps) !=
					TED_OK)
					wrong++;
				for (int32_t row = 0; row < rows; row++)
					if (chosen[row] >= 0 && assignment.partner[chosen[row]] != row)
						wrong++;
			}
		}
		free(arena.base);
	}
	ok(wrong == 0, "%llu assignments, floors and preferences (%llu wrong)",
	   (unsigned long long) count, (unsigned long long) wrong);
}

/* Whether a computation of many steps ends when it is asked to. */
static bool
stops(Shape shape)
{
	static Document a;
	static Document b;
	TedJsonPair pair;

	make_tree(&a.tree, shape, MAX_HUGE, 5, 0);
	make_tree(&b.tree, shape, MAX_HUGE, 7, 0);
	set_kinds(&a, TED_JSON_KINDS);
	set_kinds(&b, TED_JSON_KINDS);
	for (int round = 0; round < 10; round++)
		if (compute(&a.json, &b.json, NULL, TED_NO_LIMIT, &at_once, &pair) != -1)
			return false;
	return true;
}

/* Whether a computation of few cells, each of many children, ends when it is asked to. */
static bool
stops_in_cells(void)
{
	static const uint8_t kind[] = {TED_JSON_OBJECT};
	static int32_t numbers[7][10 * MAX_HUGE];
	const int32_t size = 10 * MAX_HUGE;
	TedTree path = {.size = size, .label = numbers[0], .subtree_size = numbers[1]};
	TedTree star = {.size = size, .label = numbers[0], .subtree_size = numbers[2]};
	TedJsonPair pair;

	for (int32_t x = 0; x < size; x++)
	{
		numbers[1][x] = x + 1;
		numbers[2][x] = x < size - 1 ? 1 : size;
	}
	ted_tree_index(&path, numbers[3], numbers[4], &never);
	ted_tree_index(&star, numbers[5], numbers[6], &never);
	return compute(&(TedJson){&path, kind}, &(TedJson){&star, kind}, NULL, TED_NO_LIMIT, &at_once,
				   &pair) == -1;
}

int
main(void)
{
	uint64_t count = rounds(20000);

	random_state = setting("SEED", 1);
	test_assignment(count / 4);
	test_definition(count);
	test_costs(count);
	test_exchange();
	test_large(count / 20);
	ok(stops(RANDOM), "a computation stops when it is asked to");
	ok(stops_in_cells(), "and where few cells take long");
	return done_testing();
}
