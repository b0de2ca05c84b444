/*
 * moved_subtrees.c
 *	  Finds subtrees that are deleted in one place and inserted in another.
 */
#include "postgres.h"

#include "miscadmin.h"

#include "../../compat.h"
#include "../../common/host.h"
#include "mapped_trees.h"

/* The fewest nodes of a subtree that counts as moved. */
#define LEAST_MOVED 2

/* A queue of equal deleted subtrees, linked by MovedSearch.next. */
typedef struct EqualSubtrees
{
	int32 first; /* root of the first subtree, or -1 */
	int32 last;
} EqualSubtrees;

/* A search for moved subtrees. */
typedef struct MovedSearch
{
	LabelTable *subtrees; /* numbers the distinct subtrees */
	int32 *scratch;
	EqualSubtrees *queues; /* by number of a subtree */
	int32 *next;           /* by root: next root in the queue, or -1 */
	int32 *moved_a;        /* by root: root of the equal subtree of the other tree, or -1 */
	int32 *moved_b;
} MovedSearch;

/*
 * Returns the number of a subtree, the same for equal subtrees.  Its entry in the label
 * table consists of the labels and the sizes of its nodes.
 */
static int32
SubtreeNumber(const MovedSearch *search, const TedTree *tree, int32 root)
{
	int32 size = tree->subtree_size[root];
	int32 first = root + 1 - size;

	memcpy(search->scratch, tree->label + first, sizeof(int32) * (Size) size);
	memcpy(search->scratch + size, tree->subtree_size + first, sizeof(int32) * (Size) size);
	return LabelTableIntern(search->subtrees, (const char *) search->scratch,
							(int) (2 * sizeof(int32) * (Size) size));
}

/*
 * Puts the maximal subtrees of the first tree without partners that have a cost into queues, or
 * pairs those of the second tree with the first ones of their queues.
 */
static void
FindUnmapped(MovedSearch *search, const MappedTree *side, bool is_first)
{
	for (int32 next = 0; next < side->tree.size;)
	{
		int32 root = side->postorder[next];
		int32 size = side->tree.subtree_size[root];
		EqualSubtrees *queue;

		CHECK_FOR_INTERRUPTS();
		if (!IsUnmapped(side, root))
		{
			next++;
			continue;
		}
		next += size;
		if (size < LEAST_MOVED || IsLeftAlone(side, root))
			continue;
		queue = &search->queues[SubtreeNumber(search, &side->tree, root)];
		if (is_first)
		{
			search->next[root] = -1;
			if (queue->first < 0)
				queue->first = root;
			else
				search->next[queue->last] = root;
			queue->last = root;
		}
		else if (queue->first >= 0)
		{
			search->moved_a[queue->first] = root;
			search->moved_b[root] = queue->first;
			queue->first = search->next[queue->first];
		}
	}
}

/* Replaces partners by numbers of pairs.  Returns the number of pairs. */
static int32
NumberPairs(const MovedSearch *search, const MappedTrees *trees)
{
	int32 count = 0;

	for (int32 y = 0; y < trees->b.tree.size; y++)
		search->moved_b[y] = 0;
	for (int32 i = 0; i < trees->a.tree.size; i++)
	{
		int32 x = trees->a.postorder[i];
		int32 y = search->moved_a[x];

		CHECK_FOR_INTERRUPTS();
		search->moved_a[x] = y < 0 ? 0 : ++count;
		if (y >= 0)
			search->moved_b[y] = count;
	}
	return count;
}

int32
FindMovedSubtrees(const MappedTrees *trees, int32 *moved_a, int32 *moved_b, const char *what)
{
	int32 a = trees->a.tree.size;
	int32 b = trees->b.tree.size;
	int32 most = (a + b) / LEAST_MOVED + 1;
	MovedSearch search = {.moved_a = moved_a, .moved_b = moved_b};
	int32 count;

	CheckMemoryLimit(sizeof(int32) * (6 * (Size) Max(a, b) + (Size) a) +
						 (sizeof(EqualSubtrees) + LABEL_MAX_OVERHEAD) * (Size) most,
					 what);
	search.subtrees = LabelTableCreate();
	search.scratch = palloc_array(int32, 2 * (Size) Max(a, b));
	search.queues = palloc_array(EqualSubtrees, most);
	search.next = palloc_array(int32, a);
	memset(search.queues, -1, sizeof(EqualSubtrees) * (Size) most);
	memset(moved_a, -1, sizeof(int32) * (Size) a);
	memset(moved_b, -1, sizeof(int32) * (Size) b);
	FindUnmapped(&search, &trees->a, true);
	FindUnmapped(&search, &trees->b, false);
	count = NumberPairs(&search, trees);
	LabelTableFree(search.subtrees);
	pfree(search.scratch);
	pfree(search.queues);
	pfree(search.next);
	return count;
}
