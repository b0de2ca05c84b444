/*
 * equivalence.c
 *	  Trees that another tree cannot tell apart.
 */
#include "equivalence.h"

#include <string.h>

#include "../common/hash.h"

/* The first tree of a kind. */
typedef struct Kind
{
	const TedTree *tree;
	uint32_t hash;
	int32_t next; /* in the same bucket, or -1 */
} Kind;

struct TedEquivalence
{
	const TedTree *seen_by;
	int32_t labels;
	bool marked;   /* whether its labels are marked, which waits for the first other tree */
	int32_t *mark; /* by label: 0, or the same number for equal labels of the tree */
	Kind *kinds;
	int32_t count;
	int32_t *bucket;  /* the kind that came last, or -1 */
	uint32_t buckets; /* a power of two */
};

/* Buckets for this number of kinds: about as many, but no more. */
static size_t
bucket_count(int32_t kinds)
{
	size_t buckets = 1;

	while (buckets * 2 <= (size_t) kinds)
		buckets *= 2;
	return buckets;
}

/* A number that is equal for equal shapes. */
uint32_t
ted_shape_hash(const TedTree *tree)
{
	uint64_t hash = (uint64_t) tree->size;

	for (int32_t x = 0; x < tree->size; x++)
		hash = (hash + (uint64_t) tree->subtree_size[x]) * TED_HASH_STEP;
	return (uint32_t) (hash >> 32);
}

/* Takes the classes and their arrays; NULL where there is no room. */
static TedEquivalence *
take_classes(TedArena *arena, int32_t trees, int32_t labels)
{
	TedEquivalence *classes = ted_arena_alloc(arena, sizeof(TedEquivalence));
	size_t buckets = bucket_count(trees);
	TedEquivalence arrays = {.labels = labels, .buckets = (uint32_t) buckets};

	arrays.mark = ted_arena_int32(arena, (size_t) labels);
	arrays.kinds = ted_arena_alloc(arena, sizeof(Kind) * (size_t) trees);
	arrays.bucket = ted_arena_int32(arena, buckets);
	if (ted_arena_exceeded(arena))
		return NULL;
	*classes = arrays;
	return classes;
}

/* Bytes that ted_equivalence() takes. */
size_t
ted_equivalence_memory(int32_t trees, int32_t labels)
{
	TedArena counted = {0};

	take_classes(&counted, trees, labels);
	return counted.used;
}

/* Makes room for this number of trees with labels below a bound. */
TedStatus
ted_equivalence(int32_t trees, int32_t labels, TedArena *arena, TedEquivalence **classes)
{
	TedEquivalence *made = take_classes(arena, trees, labels);

	if (made == NULL)
		return TED_OUT_OF_ARENA;
	memset(made->mark, 0, sizeof(int32_t) * (size_t) labels);
	memset(made->bucket, -1, sizeof(int32_t) * made->buckets);
	*classes = made;
	return TED_OK;
}

/* Has trees seen by this one. */
void
ted_equivalence_start(TedEquivalence *classes, const TedTree *tree)
{
	classes->seen_by = tree;
}

/* Marks each label of the tree that sees with one of its nodes, or with none. */
static void
mark_labels(TedEquivalence *classes, bool with_node)
{
	const TedTree *tree = classes->seen_by;

	classes->marked = with_node;
	for (int32_t x = 0; x < tree->size; x++)
		if (tree->label[x] < classes->labels)
			classes->mark[tree->label[x]] = with_node ? x + 1 : 0;
}

/* Forgets all trees. */
void
ted_equivalence_end(TedEquivalence *classes)
{
	if (classes->marked)
		mark_labels(classes, false);
	for (; classes->count > 0; classes->count--)
		classes->bucket[classes->kinds[classes->count - 1].hash & (classes->buckets - 1)] = -1;
}

/* Takes what is seen of a tree into a hash; false where more nodes than `unknown` are unknown. */
static inline bool
hash_kind(const TedEquivalence *classes, const TedTree *tree, int32_t unknown, uint64_t *hash)
{
	for (int32_t x = 0; x < tree->size; x++)
	{
		int32_t mark = classes->mark[tree->label[x]];

		*hash = (*hash + (uint64_t) mark) * TED_HASH_STEP;
		unknown -= mark == 0;
		if (unknown < 0)
			return false;
	}
	return true;
}

/* Whether two trees cannot be told apart. */
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

/* Number of the kind of a tree. */
int32_t
ted_equivalence_kind(TedEquivalence *classes, const TedTree *tree, uint32_t shape_hash,
					 int32_t unknown)
{
	uint64_t full_hash = shape_hash;
	uint32_t hash;
	int32_t *bucket;

	if (!classes->marked)
		mark_labels(classes, true);
	if (!hash_kind(classes, tree, unknown, &full_hash))
		return -1;
	hash = (uint32_t) (full_hash >> 32);
	bucket = &classes->bucket[hash & (classes->buckets - 1)];
	for (int32_t kind = *bucket; kind >= 0; kind = classes->kinds[kind].next)
		if (classes->kinds[kind].hash == hash &&
			same_kind(classes, classes->kinds[kind].tree, tree))
			return kind;
	classes->kinds[classes->count] = (Kind){.tree = tree, .hash = hash, .next = *bucket};
	*bucket = classes->count;
	return classes->count++;
}
