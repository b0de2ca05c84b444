/*
 * common_labels.c
 *	  Replaces the labels that only one of two trees has.
 */
#include "common_labels.h"

#include "../../common/hash.h"

/* A label of the first tree; it is marked if the second tree has it, too. */
typedef struct Slot
{
	int32_t label; /* -1 in free slots */
	int32_t marked;
} Slot;

/* A hash table of the labels of the first tree, and the new labels of both trees. */
typedef struct Labels
{
	Slot *slots;
	size_t count;
	int32_t *a;
	int32_t *b;
} Labels;

/* Allocates these arrays. */
static Labels
take_common_labels(TedArena *arena, int32_t size_a, int32_t size_b)
{
	size_t count = ted_hash_slots(size_a);

	return (Labels){.slots = ted_arena_alloc(arena, sizeof(Slot) * count),
					.count = count,
					.a = ted_arena_int32(arena, (size_t) size_a),
					.b = ted_arena_int32(arena, (size_t) size_b)};
}

/* Bytes that ted_common_labels() takes. */
size_t
ted_common_labels_memory(int32_t size_a, int32_t size_b)
{
	TedArena counted = {0};

	take_common_labels(&counted, size_a, size_b);
	return counted.used;
}

/* Returns the slot of a label, or the free slot where it belongs. */
static inline Slot *
find_label_slot(const Labels *labels, int32_t label)
{
	size_t i = (size_t) (((uint64_t) (uint32_t) label * TED_HASH_STEP) >> 32) & (labels->count - 1);

	while (labels->slots[i].label != label && labels->slots[i].label >= 0)
		i = (i + 1) & (labels->count - 1);
	return &labels->slots[i];
}

/* Enters the labels of nodes `first` to end - 1 of the first tree. */
static void
enter_first_labels(const Labels *labels, const TedTree *a, int32_t first, int32_t end)
{
	for (int32_t x = first; x < end; x++)
		find_label_slot(labels, a->label[x])->label = a->label[x];
}

/*
 * Writes the new labels of nodes `first` to end - 1 of the second tree, and marks the labels that
 * both trees have.
 */
static void
replace_b(const Labels *labels, const TedTree *b, int32_t first, int32_t end)
{
	for (int32_t y = first; y < end; y++)
	{
		Slot *slot = find_label_slot(labels, b->label[y]);

		slot->marked = 1;
		labels->b[y] = slot->label >= 0 ? b->label[y] : TED_LABEL_OF_B;
	}
}

/* Writes the new labels of nodes `first` to end - 1 of the first tree. */
static void
replace_a(const Labels *labels, const TedTree *a, int32_t first, int32_t end)
{
	for (int32_t x = first; x < end; x++)
		labels->a[x] = find_label_slot(labels, a->label[x])->marked ? a->label[x] : TED_LABEL_OF_A;
}

/* Runs a step on all nodes of a tree, with interrupt checks between runs of nodes. */
static TedStatus
for_all_nodes(void (*step)(const Labels *, const TedTree *, int32_t, int32_t), const Labels *labels,
			  const TedTree *tree, const TedInterrupt *interrupt, int64_t *steps)
{
	for (int32_t begin = 0, end; begin < tree->size; begin = end)
	{
		end = ted_run_end(begin, tree->size);
		step(labels, tree, begin, end);
		if (ted_interrupted(interrupt, steps, end - begin))
			return TED_CANCELLED;
	}
	return TED_OK;
}

/* Replaces labels that only one of two trees has. */
TedStatus
ted_common_labels(TedTree *a, TedTree *b, TedArena *arena, const TedInterrupt *interrupt)
{
	Labels labels = take_common_labels(arena, a->size, b->size);
	int64_t steps = 0;

	if (ted_arena_exceeded(arena))
		return TED_OUT_OF_ARENA;
	for (size_t i = 0; i < labels.count; i++)
		labels.slots[i] = (Slot){.label = -1};
	if (for_all_nodes(enter_first_labels, &labels, a, interrupt, &steps) != TED_OK ||
		for_all_nodes(replace_b, &labels, b, interrupt, &steps) != TED_OK ||
		for_all_nodes(replace_a, &labels, a, interrupt, &steps) != TED_OK)
		return TED_CANCELLED;
	a->label = labels.a;
	b->label = labels.b;
	return TED_OK;
}
