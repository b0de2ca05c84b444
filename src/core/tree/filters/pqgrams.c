/*
 * pqgrams.c
 *	  pq-grams: small parts of trees by which trees are compared approximately.
 */
#include "pqgrams.h"

#include <string.h>

#include "../../common/hash.h"

/* Returns the number of labels of a pq-gram. */
static inline int32_t
gram_width(const TedPqGrams *grams)
{
	return grams->p + grams->q;
}

/* Returns the number of pq-grams of a tree. */
int64_t
ted_pqgram_count(const TedTree *tree, int32_t q)
{
	return 2 * (int64_t) tree->leaves + (int64_t) q * (tree->size - tree->leaves) - 1;
}

/* Allocates the arrays of pq-grams. */
static TedStatus
take_grams(const TedTree *tree, TedPqGrams *grams, int32_t **parent, TedArena *arena)
{
	grams->labels =
		ted_arena_int32(arena, (size_t) ted_pqgram_count(tree, grams->q) * gram_width(grams));
	*parent = ted_arena_int32(arena, (size_t) tree->size);
	return ted_arena_exceeded(arena) ? TED_OUT_OF_ARENA : TED_OK;
}

/* Bytes that ted_pqgrams() takes. */
size_t
ted_pqgrams_memory(const TedTree *tree, int32_t p, int32_t q)
{
	TedArena counter = {0};
	TedPqGrams grams = {.p = p, .q = q};
	int32_t *parent;

	(void) take_grams(tree, &grams, &parent, &counter);
	return counter.used;
}

/* Writes the labels of an anchor and its ancestors, followed by q empty nodes. */
static void
write_stem(const TedTree *tree, const int32_t *parent, int32_t anchor, const TedPqGrams *grams,
		   int32_t *gram)
{
	for (int32_t i = 0; i < grams->p; i++)
	{
		gram[i] = anchor < 0 ? TED_EMPTY_LABEL : tree->label[anchor];
		anchor = anchor < 0 ? anchor : parent[anchor];
	}
	for (int32_t i = grams->p; i < gram_width(grams); i++)
		gram[i] = TED_EMPTY_LABEL;
}

/* Appends all pq-grams of an anchor. */
static TedStatus
write_grams(const TedTree *tree, const int32_t *parent, int32_t anchor, TedPqGrams *grams,
			const TedInterrupt *interrupt, int64_t *steps)
{
	int32_t width = gram_width(grams);
	int32_t before = anchor - tree->subtree_size[anchor];
	int32_t child = anchor - 1;
	int32_t *gram = grams->labels + (size_t) grams->count * width;
	const int32_t *last = gram;

	write_stem(tree, parent, anchor, grams, gram);
	if (child == before)
		grams->count++;
	for (int32_t empty = 1; child > before || (empty < grams->q && before < anchor - 1);
		 gram += width)
	{
		memmove(gram, last, sizeof(int32_t) * grams->p);
		memmove(gram + grams->p, last + grams->p + 1, sizeof(int32_t) * (grams->q - 1));
		if (child > before)
		{
			gram[width - 1] = tree->label[child];
			child -= tree->subtree_size[child];
		}
		else
		{
			gram[width - 1] = TED_EMPTY_LABEL;
			empty++;
		}
		grams->count++;
		last = gram;
		if (ted_interrupted(interrupt, steps, width))
			return TED_CANCELLED;
	}
	return ted_interrupted(interrupt, steps, width) ? TED_CANCELLED : TED_OK;
}

/* Computes all pq-grams of a tree. */
TedStatus
ted_pqgrams(const TedTree *tree, int32_t p, int32_t q, TedArena *arena,
			const TedInterrupt *interrupt, TedPqGrams *grams)
{
	int64_t steps = 0;
	int32_t *parent;
	TedStatus status;

	*grams = (TedPqGrams){.p = p, .q = q};
	status = take_grams(tree, grams, &parent, arena);
	if (status == TED_OK)
		status = ted_tree_parents(tree, parent, interrupt);
	for (int32_t x = 0; status == TED_OK && x < tree->size; x++)
		status = write_grams(tree, parent, x, grams, interrupt, &steps);
	return status;
}

/* Allocates the arrays of an index. */
static TedStatus
take_gram_index(int32_t count, TedPqIndex *index, TedArena *arena)
{
	index->slots = ted_arena_int32(arena, ted_hash_slots(count));
	index->counts = ted_arena_int32(arena, (size_t) count);
	index->used = ted_arena_int32(arena, (size_t) count);
	return ted_arena_exceeded(arena) ? TED_OUT_OF_ARENA : TED_OK;
}

/* Bytes that ted_pqgram_index() takes. */
size_t
ted_pqgram_index_memory(int32_t count)
{
	TedArena counter = {0};
	TedPqIndex index;

	(void) take_gram_index(count, &index, &counter);
	return counter.used;
}

/* Returns the labels of a pq-gram. */
static inline const int32_t *
gram_labels(const TedPqGrams *grams, int32_t gram)
{
	return grams->labels + (size_t) gram * gram_width(grams);
}

/* Adds a number to a hash. */
static inline uint64_t
mix_hash(uint64_t hash, uint32_t number)
{
	hash = (hash ^ number) * TED_HASH_STEP;
	return hash ^ hash >> 32;
}

/* Returns the hash of a pq-gram. */
static uint64_t
gram_hash(const TedPqGrams *grams, int32_t gram)
{
	const int32_t *labels = gram_labels(grams, gram);
	uint64_t hash = 0;

	for (int32_t i = 0; i < gram_width(grams); i++)
		hash = mix_hash(hash, (uint32_t) labels[i]);
	return hash;
}

/* Returns the slot of an index with a pq-gram, or the free slot where it belongs. */
static size_t
find_gram_slot(const TedPqIndex *index, const TedPqGrams *grams, int32_t gram)
{
	const int32_t *labels = gram_labels(grams, gram);
	size_t slot = gram_hash(grams, gram) & index->slot_mask;

	while (index->slots[slot] >= 0 && memcmp(gram_labels(index->grams, index->slots[slot]), labels,
											 sizeof(int32_t) * gram_width(grams)) != 0)
		slot = (slot + 1) & index->slot_mask;
	return slot;
}

/* Builds an index of pq-grams. */
TedStatus
ted_pqgram_index(const TedPqGrams *grams, TedArena *arena, const TedInterrupt *interrupt,
				 TedPqIndex *index)
{
	size_t slots = ted_hash_slots(grams->count);
	int64_t steps = 0;

	index->grams = grams;
	index->slot_mask = slots - 1;
	if (take_gram_index(grams->count, index, arena) != TED_OK)
		return TED_OUT_OF_ARENA;
	memset(index->slots, 0xff, sizeof(int32_t) * slots);
	for (int32_t i = 0; i < grams->count; i++)
	{
		size_t slot = find_gram_slot(index, grams, i);

		index->counts[i] = index->used[i] = 0;
		if (index->slots[slot] < 0)
			index->slots[slot] = i;
		index->counts[index->slots[slot]]++;
		if (ted_interrupted(interrupt, &steps, gram_width(grams)))
			return TED_CANCELLED;
	}
	return TED_OK;
}

/* Counts the pq-grams that two trees have in common. */
TedStatus
ted_pqgrams_in_common(TedPqIndex *a, const TedPqGrams *b, const TedInterrupt *interrupt,
					  int32_t *common)
{
	int64_t steps = 0;

	*common = 0;
	memset(a->used, 0, sizeof(int32_t) * a->grams->count);
	for (int32_t i = 0; i < b->count; i++)
	{
		int32_t first = a->slots[find_gram_slot(a, b, i)];

		if (first >= 0 && a->used[first] < a->counts[first])
		{
			a->used[first]++;
			(*common)++;
		}
		if (ted_interrupted(interrupt, &steps, gram_width(b)))
			return TED_CANCELLED;
	}
	return TED_OK;
}

/* Computes the symbol of each pq-gram: a hash of its labels and the number of equal ones before. */
TedStatus
ted_pqgram_symbols(TedPqIndex *index, const TedInterrupt *interrupt, uint32_t *symbols)
{
	const TedPqGrams *grams = index->grams;
	int64_t steps = 0;

	memset(index->used, 0, sizeof(int32_t) * grams->count);
	for (int32_t i = 0; i < grams->count; i++)
	{
		int32_t first = index->slots[find_gram_slot(index, grams, i)];
		uint32_t before = (uint32_t) index->used[first]++;

		symbols[i] = (uint32_t) (mix_hash(gram_hash(grams, i), before) >> 16);
		if (ted_interrupted(interrupt, &steps, gram_width(grams)))
			return TED_CANCELLED;
	}
	return TED_OK;
}
