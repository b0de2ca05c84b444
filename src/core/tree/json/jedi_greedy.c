/*
 * jedi_greedy.c
 *	  Upper bound on the edit distance of JSON documents, by a greedy mapping from the roots down.
 *
 * Below two nodes that are mapped to each other, equal elements are mapped to each other; members
 * with the same label are mapped to each other, then the others one by one.
 */
#include "jedi.h"

/* Subtrees that are mapped to each other. */
typedef struct Mapped
{
	int32_t a;
	int32_t b;
} Mapped;

/* State of finding the mapping. */
typedef struct Greedy
{
	const TedJsonPair *pair;
	Mapped *stack; /* pairs of subtrees whose children have not been mapped */
	int32_t depth;
	int32_t *left_a; /* children without a partner with their label */
	int32_t *left_b;
	int32_t saving; /* in comparison with deleting one document and inserting the other */
} Greedy;

/* Allocates the arrays. */
static Greedy
take_jedi_greedy_arrays(TedArena *arena, int32_t size_a, int32_t size_b)
{
	return (Greedy){
		.stack = ted_arena_alloc(arena, sizeof(Mapped) * ((size_t) ted_min(size_a, size_b) + 1)),
		.left_a = ted_arena_int32(arena, (size_t) size_a),
		.left_b = ted_arena_int32(arena, (size_t) size_b)};
}

/* Bytes that ted_json_greedy() takes. */
size_t
ted_json_greedy_memory(int32_t size_a, int32_t size_b)
{
	TedArena counted = {0};

	take_jedi_greedy_arrays(&counted, size_a, size_b);
	return counted.used;
}

/* Maps two subtrees to each other. */
static void
map(Greedy *greedy, int32_t a, int32_t b)
{
	const TedJsonPair *pair = greedy->pair;

	if (a == b)
	{
		greedy->saving += ted_json_whole(pair, a);
		return;
	}
	greedy->saving += ted_json_root_saving(pair, &pair->subtrees[a], &pair->subtrees[b]);
	greedy->stack[greedy->depth++] = (Mapped){a, b};
}

/* Maps the first subtrees of two lists to each other one by one. */
static void
map_rest(Greedy *greedy, const int32_t *a, int32_t count_a, const int32_t *b, int32_t count_b)
{
	int32_t both = ted_min(count_a, count_b);

	for (int32_t i = 0; i < both; i++)
		map(greedy, a[i], b[i]);
}

/* Maps the elements of two arrays: equal ones at both ends, then the others one by one. */
static void
map_elements(Greedy *greedy, const int32_t *a, int32_t count_a, const int32_t *b, int32_t count_b)
{
	for (; count_a > 0 && count_b > 0 && *a == *b; count_a--, count_b--)
		map(greedy, *a++, *b++);
	for (; count_a > 0 && count_b > 0 && a[count_a - 1] == b[count_b - 1]; count_a--, count_b--)
		map(greedy, a[count_a - 1], b[count_b - 1]);
	map_rest(greedy, a, count_a, b, count_b);
}

/*
 * Maps equal elements of two bags, which are in the order of ted_json_order(), to each other.
 * Writes the others to left_a and left_b.
 */
static void
leave_pairs_out(Greedy *greedy, const int32_t *a, int32_t *count_a, const int32_t *b,
				int32_t *count_b)
{
	const TedJsonPair *pair = greedy->pair;
	int32_t left_a = 0;
	int32_t left_b = 0;

	for (int32_t i = 0, j = 0; i < *count_a || j < *count_b;)
	{
		int64_t order_a = i < *count_a ? ted_json_order(pair, a[i]) : INT64_MAX;
		int64_t order_b = j < *count_b ? ted_json_order(pair, b[j]) : INT64_MAX;

		if (order_a < order_b)
			greedy->left_a[left_a++] = a[i];
		else if (order_a > order_b)
			greedy->left_b[left_b++] = b[j];
		else
			map(greedy, a[i], b[j]);
		i += order_a <= order_b;
		j += order_b <= order_a;
	}
	*count_a = left_a;
	*count_b = left_b;
}

/*
 * Maps unordered children by label, then the others one by one.  `a` and `b` are sorted by label,
 * and may be left_a and left_b: these are never written beyond the entry that was read.
 */
static void
map_members(Greedy *greedy, const int32_t *a, int32_t count_a, const int32_t *b, int32_t count_b)
{
	const TedJsonPair *pair = greedy->pair;
	int32_t left_a = 0;
	int32_t left_b = 0;

	for (int32_t i = 0, j = 0; i < count_a || j < count_b;)
	{
		int32_t label_a = i < count_a ? pair->subtrees[a[i]].label : INT32_MAX;
		int32_t label_b = j < count_b ? pair->subtrees[b[j]].label : INT32_MAX;

		if (label_a == label_b)
			map(greedy, a[i++], b[j++]);
		else if (label_a < label_b)
			greedy->left_a[left_a++] = a[i++];
		else
			greedy->left_b[left_b++] = b[j++];
	}
	map_rest(greedy, greedy->left_a, left_a, greedy->left_b, left_b);
}

/* Computes the cost of a greedy mapping from the roots down. */
TedStatus
ted_json_greedy(const TedJsonPair *pair, TedArena *arena, const TedInterrupt *interrupt,
				int32_t *upper)
{
	Greedy greedy = take_jedi_greedy_arrays(arena, pair->a.size, pair->b.size);
	int64_t steps = 0;

	if (ted_arena_exceeded(arena))
		return TED_OUT_OF_ARENA;
	greedy.pair = pair;
	map(&greedy, pair->a.root, pair->b.root);
	while (greedy.depth > 0)
	{
		Mapped mapped = greedy.stack[--greedy.depth];
		const TedJsonSubtree *a = &pair->subtrees[mapped.a];
		const TedJsonSubtree *b = &pair->subtrees[mapped.b];
		bool arrays = a->kind == TED_JSON_ARRAY && b->kind == TED_JSON_ARRAY;
		const int32_t *children_a = ted_json_children(pair, mapped.a);
		const int32_t *children_b = ted_json_children(pair, mapped.b);
		int32_t count_a = a->count;
		int32_t count_b = b->count;

		if (a->kind == TED_JSON_BAG && b->kind == TED_JSON_BAG)
		{
			leave_pairs_out(&greedy, children_a, &count_a, children_b, &count_b);
			children_a = greedy.left_a;
			children_b = greedy.left_b;
		}
		(arrays ? map_elements : map_members)(&greedy, children_a, count_a, children_b, count_b);
		if (ted_interrupted(interrupt, &steps, 1 + a->count + b->count))
			return TED_CANCELLED;
	}
	*upper = pair->total - greedy.saving;
	return TED_OK;
}
