/*
 * equivalence.c
 *	  Trees that are certain to have the same distance from another tree.
 */
#include "equivalence.h"

#include <string.h>

#include "../../common/hash.h"

/* The first tree of a class. */
typedef struct Kind
{
	const TedTree *tree;
	uint32_t hash;
	int32_t next; /* next class in the same bucket, or -1 */
} Kind;

struct TedEquivalence
{
	const int32_t *mark;
	Kind *kinds;
	int32_t count;
	int32_t *bucket;  /* by bucket: the class added last, or -1 */
	uint32_t buckets; /* a power of two */
};

/* Returns the number of buckets for this number of classes: the largest power of two up to it. */
static size_t
bucket_count(int32_t kinds)
{
	size_t buckets = 1;

	while (buckets * 2 <= (size_t) kinds)
		buckets *= 2;
	return buckets;
}

/* Allocates the classes and their arrays; NULL where there is no room. */
static TedEquivalence *
take_classes(TedArena *arena, int32_t trees)
{
	TedEquivalence *classes = ted_arena_alloc(arena, sizeof(TedEquivalence));
	size_t buckets = bucket_count(trees);
	TedEquivalence arrays = {.buckets = (uint32_t) buckets};

	arrays.kinds = ted_arena_alloc(arena, sizeof(Kind) * (size_t) trees);
	arrays.bucket = ted_arena_int32(arena, buckets);
	if (ted_arena_exceeded(arena))
		return NULL;
	*classes = arrays;
	return classes;
}

/* Bytes that ted_equivalence() takes. */
size_t
ted_equivalence_memory(int32_t trees)
{
	TedArena counted = {0};

	take_classes(&counted, trees);
	return counted.used;
}

/* Allocates classes for this number of trees. */
TedStatus
ted_equivalence(int32_t trees, const int32_t *mark, TedArena *arena, TedEquivalence **classes)
{
	TedEquivalence *made = take_classes(arena, trees);

	if (made == NULL)
		return TED_OUT_OF_ARENA;
	made->mark = mark;
	memset(made->bucket, -1, sizeof(int32_t) * made->buckets);
	*classes = made;
	return TED_OK;
}

/* Removes all trees. */
void
ted_equivalence_forget(TedEquivalence *classes)
{
	for (; classes->count > 0; classes->count--)
		classes->bucket[classes->kinds[classes->count - 1].hash & (classes->buckets - 1)] = -1;
}

/* Hashes a tree's shape and known labels; false if more than `unknown` nodes have other labels. */
static inline bool
hash_kind(const TedEquivalence *classes, const TedTree *tree, int32_t unknown, uint32_t *hash)
{
	uint64_t labels = 0;
	uint64_t shape = (uint64_t) tree->size;

	for (int32_t x = 0; x < tree->size; x++)
	{
		int32_t mark = classes->mark[tree->label[x]];

		labels = (labels + (uint64_t) mark) * TED_HASH_STEP;
		shape = (shape + (uint64_t) tree->subtree_size[x]) * TED_HASH_STEP;
		unknown -= mark == 0;
		if (unknown < 0)
			return false;
	}
	*hash = (uint32_t) ((labels ^ shape * TED_HASH_STEP) >> 32);
	return true;
}

/* Whether two trees are certain to have the same distance from the observer. */
static bool
same_kind(const TedEquivalence *classes, const TedTree *a, const TedTree *b)
{
	int32_t differ = 0;

	if (a->size != b->size ||
		memcmp(a->subtree_size, b->subtree_size, sizeof(int32_t) * (size_t) a->size) != 0)
		return false;
	for (int32_t x = 0; x < a->size; x++)
		differ |= classes->mark[a->label[x]] ^ classes->mark[b->label[x]];
	return differ == 0;
}

/* Returns the number of a tree's class. */
int32_t
ted_equivalence_kind(TedEquivalence *classes, const TedTree *tree, int32_t unknown)
{
	uint32_t hash;
	int32_t *bucket;

	if (!hash_kind(classes, tree, unknown, &hash))
		return -1;
	bucket = &classes->bucket[hash & (classes->buckets - 1)];
	for (int32_t kind = *bucket; kind >= 0; kind = classes->kinds[kind].next)
		if (classes->kinds[kind].hash == hash &&
			same_kind(classes, classes->kinds[kind].tree, tree))
			return kind;
	classes->kinds[classes->count] = (Kind){.tree = tree, .hash = hash, .next = *bucket};
	*bucket = classes->count;
	return classes->count++;
}
