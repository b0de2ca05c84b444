/*
 * trees.c
 *	  The distinct trees of one side of a join, with what the filters need of them.
 */
#include "postgres.h"

#include "common/hashfn.h"
#include "utils/memutils.h"

#include "../compat.h"
#include "../tree/host.h"
#include "trees.h"

/* Bytes of the arena's first block, and of later ones, at least. */
#define FIRST_ARENA_BLOCK ((Size) 8 << 10)
#define LARGEST_ARENA_BLOCK ((Size) 1 << 20)

/* A tree by its contents. */
typedef struct TreeEntry
{
	const TedTree *view;
	uint32 hash;
	int32 number;
	char status;
} TreeEntry;

/* Whether two trees are equal. */
static inline bool
EqualTrees(const TedTree *a, const TedTree *b)
{
	Size bytes = sizeof(int32) * (Size) a->size;

	return a->size == b->size && memcmp(a->label, b->label, bytes) == 0 &&
		   memcmp(a->subtree_size, b->subtree_size, bytes) == 0;
}

/* Hash of a tree's labels and shape. */
static uint32
HashTree(const TedTree *tree)
{
	int bytes = (int) sizeof(int32) * tree->size;

	return hash_combine(hash_bytes((const unsigned char *) tree->label, bytes),
						hash_bytes((const unsigned char *) tree->subtree_size, bytes));
}

#define SH_PREFIX treetable
#define SH_ELEMENT_TYPE TreeEntry
#define SH_KEY_TYPE const TedTree *
#define SH_KEY view
#define SH_HASH_KEY(table, key) HashTree(key)
#define SH_EQUAL(table, a, b) EqualTrees(a, b)
#define SH_SCOPE static inline
#define SH_STORE_HASH
#define SH_GET_HASH(table, entry) (entry)->hash
#define SH_DECLARE
#define SH_DEFINE
#include "lib/simplehash.h"

struct JoinTrees
{
	MemoryContext context; /* of the trees */
	EngineSession *session;
	const JoinTrees *others; /* a set whose trees need no work again; or NULL */
	JoinTree *trees;
	int32 count;
	int32 capacity;
	treetable_hash *table;
	TedArena arena;
};

/* Starts with no tree. */
static void
Clear(JoinTrees *trees)
{
	MemoryContext caller = MemoryContextSwitchTo(trees->context);

	trees->count = 0;
	trees->capacity = 64;
	trees->trees = palloc_array(JoinTree, trees->capacity);
	trees->table = treetable_create(trees->context, 64, NULL);
	trees->arena = (TedArena){0};
	MemoryContextSwitchTo(caller);
}

/* Makes an empty set. */
JoinTrees *
JoinTreesCreate(EngineSession *session, const JoinTrees *others)
{
	JoinTrees *trees = palloc0_object(JoinTrees);

	trees->context =
		AllocSetContextCreate(CurrentMemoryContext, "ted join trees", ALLOCSET_DEFAULT_SIZES);
	trees->session = session;
	trees->others = others;
	Clear(trees);
	return trees;
}

/* Takes room that is given back with the set. */
TedArena *
JoinTreesArena(JoinTrees *trees, Size bytes)
{
	if (trees->arena.base == NULL || bytes > trees->arena.size - trees->arena.used)
	{
		MemoryContext caller = MemoryContextSwitchTo(trees->context);
		Size block = Min(Max(2 * trees->arena.size, FIRST_ARENA_BLOCK), LARGEST_ARENA_BLOCK);

		ArenaInit(&trees->arena, Max(bytes, block));
		MemoryContextSwitchTo(caller);
	}
	return &trees->arena;
}

/* Fills in a tree that is new to the set; returns the view that it keeps. */
static const TedTree *
Complete(JoinTrees *trees, JoinTree *added, TedTree *view)
{
	TreeEntry *other = trees->others == NULL ? NULL : treetable_lookup(trees->others->table, view);

	if (other != NULL)
	{
		SessionFreeTree(trees->session, view);
		*added = trees->others->trees[other->number];
		return added->view;
	}
	*added = (JoinTree){.view = view, .number = SessionUploadTree(trees->session, view)};
	return view;
}

/* Adds a tree; returns its number, which equal trees share. */
int32
JoinTreesAdd(JoinTrees *trees, Datum tree)
{
	MemoryContext caller = MemoryContextSwitchTo(trees->context);
	TedTree *view = SessionUnfoldTree(trees->session, tree);
	bool known;
	TreeEntry *entry = treetable_insert(trees->table, view, &known);

	if (known)
		SessionFreeTree(trees->session, view);
	else
	{
		if (trees->count == trees->capacity)
		{
			trees->capacity *= 2;
			trees->trees = repalloc_huge(trees->trees, sizeof(JoinTree) * (Size) trees->capacity);
		}
		entry->number = trees->count++;
		entry->view = Complete(trees, &trees->trees[entry->number], view);
	}
	MemoryContextSwitchTo(caller);
	return entry->number;
}

/* Number of distinct trees. */
int32
JoinTreesCount(const JoinTrees *trees)
{
	return trees->count;
}

/* One tree. */
JoinTree *
JoinTreesGet(const JoinTrees *trees, int32 number)
{
	return &trees->trees[number];
}

/* What the bounds need to know of a tree. */
const TedBoundsIndex *
JoinTreesBounds(JoinTrees *trees, int32 number)
{
	JoinTree *tree = &trees->trees[number];

	if (tree->bounds.tree == NULL)
		CheckStatus(ted_bounds_index(
			tree->view, JoinTreesArena(trees, ted_bounds_index_memory(tree->view->size)),
			&tree->bounds));
	return &tree->bounds;
}

/* Forgets all trees. */
void
JoinTreesReset(JoinTrees *trees)
{
	SessionForgetTrees(trees->session);
	MemoryContextReset(trees->context);
	Clear(trees);
}
