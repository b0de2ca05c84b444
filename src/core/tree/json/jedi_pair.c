/*
 * jedi_pair.c
 *	  Prepares two JSON documents for comparison: their distinct subtrees, and bounds.
 *
 * Labels that only one document has count as one label (common_labels.h), except with costs.  Equal
 * subtrees are found from the leaves up, by a hash table of labels and children.
 */
#include "jedi.h"

#include <string.h>

#include "../../common/hash.h"
#include "../../common/sort.h"
#include "../exact/common_labels.h"

/* Most children that are sorted by insertion. */
#define FEW_CHILDREN 16

/* Approximate steps for sifting down a key. */
#define SIFT_STEPS 16

/* Slots that are cleared between interrupt checks. */
#define CLEARED_SLOTS 65536

/* Number of arrays for sorting labels or sizes. */
#define ARRAYS 4

/* State of finding the subtrees. */
typedef struct Builder
{
	TedJsonPair *pair;
	int32_t subtree_count;
	int32_t child_count;
	int32_t *slots; /* hash table of subtrees; -1 in free slots */
	size_t slot_count;
	int32_t *subtree_of; /* by node of the current document: its subtree */
	int64_t *keys;       /* sort keys of children */
	int64_t steps;
	bool stopped;
	const TedInterrupt *interrupt;
} Builder;

/* Allocates the arrays of the pair. */
static void
take_pair(TedArena *arena, TedJsonPair *pair, int32_t size_a, int32_t size_b, const TedCosts *costs)
{
	size_t both = (size_t) size_a + (size_t) size_b;

	*pair = (TedJsonPair){.subtrees = ted_arena_alloc(arena, sizeof(TedJsonSubtree) * both),
						  .children = ted_arena_int32(arena, both),
						  .a = {.size = size_a},
						  .b = {.size = size_b},
						  .costs = costs};
	pair->a.subtrees = ted_arena_int32(arena, (size_t) size_a);
	pair->b.subtrees = ted_arena_int32(arena, (size_t) size_b);
	pair->a.place = ted_arena_int32(arena, both);
	pair->b.place = ted_arena_int32(arena, both);
	pair->a.subtree_of = ted_arena_int32(arena, (size_t) size_a);
	pair->b.subtree_of = ted_arena_int32(arena, (size_t) size_b);
	if (costs != NULL)
		pair->whole = ted_arena_int32(arena, both);
}

/* Allocates the arrays for finding subtrees. */
static void
take_builder(TedArena *arena, Builder *builder, int32_t size_a, int32_t size_b)
{
	size_t larger = (size_t) ted_max(size_a, size_b);

	builder->slot_count = ted_hash_slots(size_a + size_b);
	builder->slots = ted_arena_int32(arena, builder->slot_count);
	builder->keys = ted_arena_alloc(arena, sizeof(int64_t) * larger);
}

/* Allocates the arrays for sorting labels or sizes. */
static void
take_sorted(TedArena *arena, int32_t *arrays[ARRAYS], int32_t larger_size)
{
	for (int i = 0; i < ARRAYS; i++)
		arrays[i] = ted_arena_int32(arena, (size_t) larger_size);
}

/* Bytes that ted_json_pair() takes: the pair, and the largest scratch memory of its steps. */
size_t
ted_json_pair_memory(int32_t size_a, int32_t size_b, const TedCosts *costs)
{
	TedArena counted = {0};
	TedArena building;
	TedArena sorting;
	TedJsonPair pair;
	Builder builder;
	int32_t *arrays[ARRAYS];
	size_t most;

	take_pair(&counted, &pair, size_a, size_b, costs);
	building = sorting = counted;
	if (costs == NULL)
		building.used += ted_common_labels_memory(size_a, size_b);
	take_builder(&building, &builder, size_a, size_b);
	take_sorted(&sorting, arrays, ted_max(size_a, size_b));
	counted.used += ted_json_greedy_memory(size_a, size_b);
	most = building.used > sorting.used ? building.used : sorting.used;
	return most > counted.used ? most : counted.used;
}

/* Moves the key at `root` down to its place in a heap with the greatest key first. */
static void
sift_down(int64_t *keys, int32_t root, int32_t count)
{
	int64_t key = keys[root];

	for (int32_t child; (child = 2 * root + 1) < count; root = child)
	{
		if (child + 1 < count && keys[child + 1] > keys[child])
			child++;
		if (keys[child] <= key)
			break;
		keys[root] = keys[child];
	}
	keys[root] = key;
}

/* Sorts keys, by insertion or by heapsort; if the callback asks to stop, they stay unsorted. */
static void
sort_keys(Builder *builder, int32_t count)
{
	int64_t *keys = builder->keys;

	if (count <= FEW_CHILDREN)
	{
		for (int32_t i = 1; i < count; i++)
		{
			int64_t key = keys[i];
			int32_t j = i;

			for (; j > 0 && keys[j - 1] > key; j--)
				keys[j] = keys[j - 1];
			keys[j] = key;
		}
		return;
	}
	for (int32_t i = count / 2 - 1; i >= 0 && !builder->stopped; i--)
	{
		sift_down(keys, i, count);
		builder->stopped = ted_interrupted(builder->interrupt, &builder->steps, SIFT_STEPS);
	}
	for (int32_t end = count - 1; end > 0 && !builder->stopped; end--)
	{
		int64_t greatest = keys[0];

		keys[0] = keys[end];
		keys[end] = greatest;
		sift_down(keys, 0, end);
		builder->stopped = ted_interrupted(builder->interrupt, &builder->steps, SIFT_STEPS);
	}
}

/* Appends the children of a node to `children`, sorted unless `ordered`; returns their number. */
static int32_t
write_children(Builder *builder, const TedTree *tree, int32_t x, bool ordered)
{
	int32_t *children = builder->pair->children + builder->child_count;
	int32_t before = x - tree->subtree_size[x];
	int32_t count = 0;

	for (int32_t child = x - 1; child > before; child -= tree->subtree_size[child])
		count++;
	for (int32_t child = x - 1, i = count; child > before; child -= tree->subtree_size[child])
		children[--i] = builder->subtree_of[child];
	if (ordered || count < 2)
		return count;
	for (int32_t i = 0; i < count; i++)
	{
		builder->keys[i] = ted_json_order(builder->pair, children[i]);
		if (ted_interrupted(builder->interrupt, &builder->steps, 1))
		{
			builder->stopped = true;
			return count;
		}
	}
	sort_keys(builder, count);
	for (int32_t i = 0; i < count; i++)
		children[i] = (int32_t) (builder->keys[i] & INT32_MAX);
	return count;
}

/* Whether two subtrees are equal; their children must have been found. */
static bool
same_subtree(const TedJsonPair *pair, const TedJsonSubtree *a, const TedJsonSubtree *b)
{
	if (a->label != b->label || a->kind != b->kind || a->count != b->count)
		return false;
	for (int32_t i = 0; i < a->count; i++)
		if (pair->children[a->first + i] != pair->children[b->first + i])
			return false;
	return true;
}

/* Returns the slot of a subtree, or the free slot where it belongs. */
static int32_t *
find_slot(const Builder *builder, const TedJsonSubtree *wanted)
{
	const TedJsonPair *pair = builder->pair;
	uint64_t hash = (uint64_t) (uint32_t) wanted->label * TED_HASH_STEP + wanted->kind;
	size_t i;

	for (int32_t child = 0; child < wanted->count; child++)
		hash =
			(hash ^ hash >> 29 ^ (uint64_t) pair->children[wanted->first + child]) * TED_HASH_STEP;
	i = (size_t) (hash >> 32) & (builder->slot_count - 1);
	while (builder->slots[i] >= 0 &&
		   !same_subtree(pair, &pair->subtrees[builder->slots[i]], wanted))
		i = (i + 1) & (builder->slot_count - 1);
	return &builder->slots[i];
}

/* Returns the subtree of a node, which is added if it is new; its children must have been found. */
static int32_t
find_subtree(Builder *builder, const TedTree *tree, uint8_t kind, int32_t x)
{
	TedJsonPair *pair = builder->pair;
	TedJsonSubtree subtree = {.label = tree->label[x],
							  .size = tree->subtree_size[x],
							  .first = builder->child_count,
							  .kind = kind};
	int32_t *slot;

	subtree.count = write_children(builder, tree, x, kind == TED_JSON_ARRAY);
	slot = find_slot(builder, &subtree);
	if (*slot < 0)
	{
		int64_t whole = 0; /* cost of deleting and inserting it, INT32_MAX if it is more */

		/* no unordered node may have two children */
		subtree.in_order = kind == TED_JSON_ARRAY || subtree.count <= 1;
		for (int32_t i = 0; i < subtree.count; i++)
		{
			int32_t child = pair->children[subtree.first + i];

			subtree.in_order = subtree.in_order && pair->subtrees[child].in_order;
			if (pair->costs != NULL)
				whole += pair->whole[child];
		}
		*slot = builder->subtree_count++;
		pair->subtrees[*slot] = subtree;
		builder->child_count += subtree.count;
		if (pair->costs != NULL)
		{
			whole += (int64_t) ted_delete_cost(pair->costs, subtree.label) +
					 ted_insert_cost(pair->costs, subtree.label);
			pair->whole[*slot] = whole < INT32_MAX ? (int32_t) whole : INT32_MAX;
		}
	}
	return *slot;
}

/*
 * Finds the subtrees of a document, with the labels of `tree`.  Sets *array if an array has at
 * least two elements.
 */
static TedStatus
read_document(Builder *builder, const TedJson *document, const TedTree *tree, TedJsonSide *side,
			  bool *array)
{
	const TedJsonSubtree *subtrees = builder->pair->subtrees;

	*array = false;
	builder->subtree_of = side->subtree_of;
	for (int32_t x = 0; x < tree->size; x++)
	{
		uint8_t kind = document->kind[document->tree->label[x]];
		int32_t subtree = find_subtree(builder, tree, kind, x);
		int32_t count = subtrees[subtree].count;

		builder->subtree_of[x] = subtree;
		side->widest = ted_max(side->widest, count);
		if (kind == TED_JSON_ARRAY && count > 1)
			*array = true;
		if (builder->stopped || ted_interrupted(builder->interrupt, &builder->steps, 1 + count))
			return TED_CANCELLED;
	}
	side->root = builder->subtree_of[tree->size - 1];
	for (int32_t subtree = 0; subtree < builder->subtree_count; subtree++)
		side->place[subtree] = -1;
	for (int32_t x = 0; x < tree->size; x++)
	{
		if (side->place[builder->subtree_of[x]] < 0)
		{
			side->place[builder->subtree_of[x]] = side->count;
			side->subtrees[side->count++] = builder->subtree_of[x];
		}
		if (ted_interrupted(builder->interrupt, &builder->steps, 1))
			return TED_CANCELLED;
	}
	return TED_OK;
}

/* Finds the subtrees of both documents. */
static TedStatus
read_documents(const TedJson *a, const TedJson *b, TedArena arena, const TedInterrupt *interrupt,
			   TedJsonPair *pair)
{
	Builder builder = {.pair = pair, .interrupt = interrupt};
	TedTree shared_a = *a->tree;
	TedTree shared_b = *b->tree;
	bool array_a;
	bool array_b;
	TedStatus status = TED_OK;

	if (pair->costs == NULL)
		status = ted_common_labels(&shared_a, &shared_b, &arena, interrupt);
	if (status != TED_OK)
		return status;
	take_builder(&arena, &builder, shared_a.size, shared_b.size);
	if (ted_arena_exceeded(&arena))
		return TED_OUT_OF_ARENA;
	for (size_t from = 0; from < builder.slot_count; from += CLEARED_SLOTS)
	{
		size_t count = builder.slot_count - from;

		if (count > CLEARED_SLOTS)
			count = CLEARED_SLOTS;
		memset(builder.slots + from, -1, sizeof(int32_t) * count);
		if (ted_interrupted(interrupt, &builder.steps, CLEARED_SLOTS))
			return TED_CANCELLED;
	}
	if (read_document(&builder, a, &shared_a, &pair->a, &array_a) != TED_OK ||
		read_document(&builder, b, &shared_b, &pair->b, &array_b) != TED_OK)
		return TED_CANCELLED;
	for (int32_t subtree = pair->a.count; subtree < builder.subtree_count; subtree++)
		pair->a.place[subtree] = -1;
	pair->reorders = array_a && array_b;
	return TED_OK;
}

/* Sorts the subtrees of a document by size. */
static TedStatus
sort_subtrees(const TedJsonPair *pair, TedJsonSide *side, int32_t *const arrays[ARRAYS],
			  const TedInterrupt *interrupt)
{
	int32_t *size = arrays[0];
	int32_t *sorted;

	for (int32_t i = 0; i < side->count; i++)
		size[i] = pair->subtrees[side->subtrees[i]].size;
	sorted = ted_sort_nodes(size, side->count, arrays[1], arrays[2], interrupt);
	if (sorted == NULL)
		return TED_CANCELLED;
	for (int32_t i = 0; i < side->count; i++)
		sorted[i] = side->subtrees[sorted[i]];
	for (int32_t i = 0; i < side->count; i++)
	{
		side->subtrees[i] = sorted[i];
		side->place[sorted[i]] = i;
	}
	return TED_OK;
}

/*
 * Computes a lower bound on the distance: the nodes of each kind without an equal label in the
 * other document are inserted, deleted or renamed, each at the least cost.
 */
static TedStatus
bound_by_labels(const TedJson *a, const TedJson *b, const TedCosts *costs,
				int32_t *const arrays[ARRAYS], const TedInterrupt *interrupt, int32_t *bound)
{
	const int32_t *label_a = a->tree->label;
	const int32_t *label_b = b->tree->label;
	const int32_t *x = ted_sort_nodes(label_a, a->tree->size, arrays[0], arrays[1], interrupt);
	const int32_t *y = ted_sort_nodes(label_b, b->tree->size, arrays[2], arrays[3], interrupt);
	int32_t of_kind[2][TED_JSON_KINDS] = {0};
	TedUniformCosts least = costs == NULL ? (TedUniformCosts){1, 1, 1} : ted_least_costs(costs);
	int64_t steps = 0;

	if (x == NULL || y == NULL)
		return TED_CANCELLED;
	*bound = 0;
	for (int32_t i = 0, j = 0; i < a->tree->size || j < b->tree->size;)
	{
		bool in_a = j == b->tree->size || (i < a->tree->size && label_a[x[i]] <= label_b[y[j]]);
		bool in_b = i == a->tree->size || (j < b->tree->size && label_b[y[j]] <= label_a[x[i]]);

		if (!in_b)
			of_kind[0][a->kind[label_a[x[i]]]]++;
		if (!in_a)
			of_kind[1][b->kind[label_b[y[j]]]]++;
		i += in_a;
		j += in_b;
		if (ted_interrupted(interrupt, &steps, 1))
			return TED_CANCELLED;
	}
	for (int kind = 0; kind < TED_JSON_KINDS; kind++)
	{
		int32_t both = ted_min(of_kind[0][kind], of_kind[1][kind]);

		*bound += both * ted_min(least.rename, least.delete_ + least.insert) +
				  (of_kind[0][kind] - both) * least.delete_ +
				  (of_kind[1][kind] - both) * least.insert;
	}
	return TED_OK;
}

/* Sums up the costs of deleting the first document and inserting the second one. */
static TedStatus
sum_up_costs(const TedTree *a, const TedTree *b, const TedInterrupt *interrupt, TedJsonPair *pair)
{
	int64_t steps = 0;

	for (int32_t x = 0; x < a->size; x++)
	{
		pair->total += ted_delete_cost(pair->costs, a->label[x]);
		if (ted_interrupted(interrupt, &steps, 1))
			return TED_CANCELLED;
	}
	for (int32_t y = 0; y < b->size; y++)
	{
		pair->total += ted_insert_cost(pair->costs, b->label[y]);
		if (ted_interrupted(interrupt, &steps, 1))
			return TED_CANCELLED;
	}
	return TED_OK;
}

/* Prepares two documents. */
TedStatus
ted_json_pair(const TedJson *a, const TedJson *b, const TedCosts *costs, TedArena *arena,
			  const TedInterrupt *interrupt, TedJsonPair *pair)
{
	int32_t *arrays[ARRAYS];
	TedArena scratch;
	TedStatus status;

	take_pair(arena, pair, a->tree->size, b->tree->size, costs);
	if (ted_arena_exceeded(arena))
		return TED_OUT_OF_ARENA;
	status = read_documents(a, b, *arena, interrupt, pair);
	if (status != TED_OK)
		return status;
	scratch = *arena;
	take_sorted(&scratch, arrays, ted_max(a->tree->size, b->tree->size));
	if (ted_arena_exceeded(&scratch))
		return TED_OUT_OF_ARENA;
	if (sort_subtrees(pair, &pair->a, arrays, interrupt) != TED_OK ||
		sort_subtrees(pair, &pair->b, arrays, interrupt) != TED_OK)
		return TED_CANCELLED;
	if (costs == NULL)
		pair->total = a->tree->size + b->tree->size;
	else if (sum_up_costs(a->tree, b->tree, interrupt, pair) != TED_OK)
		return TED_CANCELLED;
	if (bound_by_labels(a, b, costs, arrays, interrupt, &pair->lower) != TED_OK)
		return TED_CANCELLED;
	scratch = *arena;
	return ted_json_greedy(pair, &scratch, interrupt, &pair->upper);
}
