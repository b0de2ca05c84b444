/*
 * label_pairs.c
 *	  Pairs of rare labels that trees of a set share.
 */
#include "label_pairs.h"

#include <string.h>

/* Most pairs of a tree. */
#define MOST_PAIRS ((TED_LABEL_PAIRS_LIMIT + 2) * (TED_LABEL_PAIRS_LIMIT + 1) / 2)

/* All nodes of a tree, as bits. */
#define ALL_NODES ((1u << (TED_LABEL_PAIRS_LIMIT + 2)) - 1)

/* Trees whose pairs are numbered. */
typedef struct Trees
{
	const TedRareNodes *rare;
	const uint8_t *wanted; /* or NULL */
	int32_t count;
} Trees;

/* The state of a pair: no tree, one tree or more trees have it; then its number from 1. */
enum
{
	PAIR_FREE = 0,
	PAIR_OF_ONE = -1
};

/* A slot of the hash table of pairs. */
typedef struct Slot
{
	uint32_t key;
	int32_t number;
} Slot;

/* The arrays that ted_label_pairs() takes. */
typedef struct Arrays
{
	int32_t *first;
	int32_t *pair;
	Slot *slots;
	size_t slot_count;
} Arrays;

/* Number of pairs of this number of rarest nodes. */
static inline int32_t
pairs_of(int32_t nodes)
{
	return nodes * (nodes - 1) / 2;
}

/* Mixes the bits of a number so well that sums of two such hashes differ. */
static inline uint32_t
hash_node(uint64_t number)
{
	number *= TED_HASH_STEP;
	number = (number ^ number >> 32) * TED_HASH_STEP;
	number = (number ^ number >> 29) * TED_HASH_STEP;
	return (uint32_t) (number >> 32);
}

/* Puts a key among the least ones, in ascending order; returns how many there are then. */
static inline int32_t
keep_least(uint64_t *least, int32_t count, int32_t most, uint64_t key)
{
	int32_t i = count;

	if (count == most && key >= least[--i])
		return count;
	for (; i > 0 && least[i - 1] > key; i--)
		least[i] = least[i - 1];
	least[i] = key;
	return ted_min(count + 1, most);
}

/* The rarest nodes of a tree. */
TedStatus
ted_rarest_nodes(const int32_t *label, const int32_t *occurrence, int32_t size,
				 const TedLabelFrequencies *frequencies, int32_t most,
				 const TedInterrupt *interrupt, uint32_t *node, int32_t *count)
{
	uint64_t least[TED_MOST_RAREST_NODES];
	int64_t steps = 0;

	*count = 0;
	for (int32_t i = 0; i < size; i++)
	{
		uint64_t number = (uint64_t) (uint32_t) label[i] << 32 | (uint32_t) occurrence[i];
		int32_t frequency = frequencies->count[(uint32_t) label[i] & frequencies->mask];
		uint64_t key = (uint64_t) (uint32_t) frequency << 32 | hash_node(number);

		*count = keep_least(least, *count, most, key);
		if (ted_interrupted(interrupt, &steps, 1))
			return TED_CANCELLED;
	}
	for (int32_t i = 0; i < *count; i++)
		node[i] = (uint32_t) least[i];
	return TED_OK;
}

/* The same for k = `limit`. */
TedStatus
ted_rare_nodes(const int32_t *label, const int32_t *occurrence, int32_t size,
			   const TedLabelFrequencies *frequencies, int32_t limit, const TedInterrupt *interrupt,
			   TedRareNodes *rare)
{
	return ted_rarest_nodes(label, occurrence, size, frequencies, limit + 2, interrupt, rare->node,
							&rare->count);
}

/* Takes the arrays. */
static Arrays
take_label_pair_arrays(TedArena *arena, int32_t trees, int32_t limit)
{
	int32_t pairs = trees * pairs_of(limit + 2);
	Arrays arrays = {.slot_count = ted_hash_slots(pairs)};

	arrays.first = ted_arena_int32(arena, (size_t) trees + 1);
	arrays.pair = ted_arena_int32(arena, (size_t) pairs);
	arrays.slots = ted_arena_alloc(arena, sizeof(Slot) * arrays.slot_count);
	return arrays;
}

/* Whether pairs can be numbered. */
bool
ted_label_pairs_fit(int64_t trees, int32_t limit)
{
	return trees * pairs_of(limit + 2) < INT32_MAX;
}

/* Bytes that ted_label_pairs() takes. */
size_t
ted_label_pairs_memory(int32_t trees, int32_t limit)
{
	TedArena counted = {0};

	take_label_pair_arrays(&counted, trees, limit);
	return counted.used;
}

/* The pairs of a tree, as hashes, whose slots are asked for; returns how many there are. */
static int32_t
list_pairs(const Trees *trees, int32_t tree, const Arrays *arrays, uint32_t *keys)
{
	const TedRareNodes *rare = &trees->rare[tree];
	uint32_t wanted = trees->wanted == NULL ? ALL_NODES : trees->wanted[tree];
	int32_t count = 0;

	for (int32_t i = 1; i < rare->count; i++)
		for (int32_t j = 0; j < i; j++)
		{
			if (((wanted >> i | wanted >> j) & 1) == 0)
				continue;
			keys[count] = ted_pair_key(rare->node[i], rare->node[j]);
			__builtin_prefetch(&arrays->slots[keys[count] & (arrays->slot_count - 1)]);
			count++;
		}
	return count;
}

/* The slot of a pair, or a free one. */
static inline Slot *
find_pair_slot(const Arrays *arrays, uint32_t key)
{
	size_t i = key & (arrays->slot_count - 1);

	while (arrays->slots[i].number != PAIR_FREE && arrays->slots[i].key != key)
		i = (i + 1) & (arrays->slot_count - 1);
	return &arrays->slots[i];
}

/* Clears the hash table. */
static bool
clear_slots(const Arrays *arrays, const TedInterrupt *interrupt)
{
	int64_t steps = 0;
	size_t run = TED_STEPS_PER_CHECK;

	for (size_t begin = 0; begin < arrays->slot_count; begin += run)
	{
		size_t left = arrays->slot_count - begin;

		memset(arrays->slots + begin, 0, sizeof(Slot) * (left < run ? left : run));
		if (ted_interrupted(interrupt, &steps, TED_STEPS_PER_CHECK))
			return false;
	}
	return true;
}

/* Numbers the pairs that occur twice; returns how many there are, or -1 where it was stopped. */
static int32_t
number_pairs(const Trees *trees, const Arrays *arrays, const TedInterrupt *interrupt)
{
	uint32_t keys[MOST_PAIRS];
	int32_t numbers = 0;
	int64_t steps = 0;

	for (int32_t tree = 0; tree < trees->count; tree++)
	{
		int32_t count = list_pairs(trees, tree, arrays, keys);

		for (int32_t i = 0; i < count; i++)
		{
			Slot *slot = find_pair_slot(arrays, keys[i]);

			slot->key = keys[i];
			if (slot->number <= 0)
				slot->number = slot->number == PAIR_FREE ? PAIR_OF_ONE : ++numbers;
		}
		if (ted_interrupted(interrupt, &steps, count))
			return -1;
	}
	return numbers;
}

/* Lists the numbered pairs of each tree. */
static bool
collect_pairs(const Trees *trees, const Arrays *arrays, const TedInterrupt *interrupt)
{
	uint32_t keys[MOST_PAIRS];
	int32_t end = 0;
	int64_t steps = 0;

	for (int32_t tree = 0; tree < trees->count; tree++)
	{
		int32_t count = list_pairs(trees, tree, arrays, keys);

		arrays->first[tree] = end;
		for (int32_t i = 0; i < count; i++)
		{
			const Slot *slot = find_pair_slot(arrays, keys[i]);

			if (slot->number > 0)
				arrays->pair[end++] = slot->number - 1;
		}
		if (ted_interrupted(interrupt, &steps, count))
			return false;
	}
	arrays->first[trees->count] = end;
	return true;
}

/* The pairs of rarest nodes that several trees share. */
TedStatus
ted_label_pairs(const TedRareNodes *rare, const uint8_t *wanted, int32_t trees, int32_t limit,
				TedArena *arena, const TedInterrupt *interrupt, TedLabelPairs *pairs)
{
	Trees all = {.rare = rare, .wanted = wanted, .count = trees};
	Arrays arrays = take_label_pair_arrays(arena, trees, limit);

	if (ted_arena_exceeded(arena))
		return TED_OUT_OF_ARENA;
	if (!clear_slots(&arrays, interrupt))
		return TED_CANCELLED;
	pairs->count = number_pairs(&all, &arrays, interrupt);
	if (pairs->count < 0 || !collect_pairs(&all, &arrays, interrupt))
		return TED_CANCELLED;
	pairs->first = arrays.first;
	pairs->pair = arrays.pair;
	return TED_OK;
}
