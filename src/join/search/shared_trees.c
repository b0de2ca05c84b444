/*
 * shared_trees.c
 *	  The distinct trees that the members of a team have read, and the lists by which a
 *	  threshold join finds them, made by all members together.
 */
#include "postgres.h"

#include "common/hashfn.h"

#include "../../compat.h"
#include "../../common/host.h"
#include "../../common/progress.h"
#include "shared_trees.h"

/* Keys of each member from which the beginnings of the parts of the order are chosen. */
#define SAMPLES 64

/* The trees of a member. */
typedef struct MemberTrees
{
	int32 count;
	dsa_pointer trees[FLEXIBLE_ARRAY_MEMBER]; /* by number */
} MemberTrees;

/* What trees are ordered by: equal ones have equal keys. */
typedef struct TreeKey
{
	int32 size;
	uint32 hash;
	int32 member;
	int32 number;
} TreeKey;

/* The trees of a member in their order; their places follow, by number. */
typedef struct MemberOrder
{
	int32 count;
	TreeKey keys[FLEXIBLE_ARRAY_MEMBER];
} MemberOrder;

/* The trees of a part in their order. */
typedef struct TreePart
{
	int32 distinct;
	int32 count;
	struct
	{
		TreeKey key;
		int32 index; /* among the distinct ones */
	} trees[FLEXIBLE_ARRAY_MEMBER];
} TreePart;

/* A tree by its place. */
typedef struct PlacedTree
{
	TedTree tree;
	dsa_pointer arrays;
} PlacedTree;

/* Order of two keys, by size and hash alone. */
static inline int
CompareKinds(const TreeKey *a, const TreeKey *b)
{
	if (a->size != b->size)
		return a->size < b->size ? -1 : 1;
	return (a->hash > b->hash) - (a->hash < b->hash);
}

/* The same, of equal ones by member and number. */
static inline int
CompareKeys(const TreeKey *a, const TreeKey *b)
{
	int order = CompareKinds(a, b);

	if (order == 0)
		order = a->member - b->member;
	return order != 0 ? order : a->number - b->number;
}

#define ST_SORT SortTreeKeys
#define ST_ELEMENT_TYPE TreeKey
#define ST_COMPARE(a, b) CompareKeys(a, b)
#define ST_SCOPE static
#define ST_DEFINE
#define ST_CHECK_FOR_INTERRUPTS
#include "lib/sort_template.h"

/* Points a tree to its arrays. */
void
SharedTreeArrays(TedTree *tree, const int32 *arrays)
{
	tree->label = arrays;
	tree->subtree_size = tree->label + tree->size;
	tree->depth = tree->subtree_size + tree->size;
	tree->key_root = tree->depth + tree->size;
}

/* A tree in the memory of the team, as this process sees it. */
static TedTree
ViewTree(const Team *team, dsa_pointer pointer)
{
	const TedTree *stored = TeamAddress(team, pointer);
	TedTree tree = *stored;

	SharedTreeArrays(&tree, (const int32 *) (stored + 1));
	return tree;
}

/* Publishes trees and their labels. */
void
SharedTreesPublish(Team *team, const dsa_pointer *trees, int32 count, const LabelTable *labels)
{
	int32 label_count = LabelTableCount(labels);
	int32 *nodes =
		palloc_extended(sizeof(int32) * (Size) label_count, MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	MemberTrees *published =
		TeamPublish(team, TEAM_TREES, TeamMember(team),
					offsetof(MemberTrees, trees) + sizeof(dsa_pointer) * (Size) count);

	published->count = count;
	memcpy(published->trees, trees, sizeof(dsa_pointer) * (Size) count);
	for (int32 i = 0; i < count; i++)
	{
		TedTree tree = ViewTree(team, trees[i]);

		CheckInterrupts();
		for (int32 x = 0; x < tree.size; x++)
			nodes[tree.label[x]] += nodes[tree.label[x]] < PG_INT32_MAX;
	}
	SharedLabelsPublish(team, labels, nodes);
	pfree(nodes);
}

/* Gives the trees of a member the numbers of their labels, and sorts them. */
static void
NumberTrees(Team *team, const SharedLabels *labels, int member)
{
	MemberTrees *published = TeamFind(team, TEAM_TREES, member);
	MemberOrder *order;
	int32 *ids;

	if (published == NULL)
		return;
	ids = SharedLabelIds(labels, member);
	order = TeamPublish(team, TEAM_TREE_ORDER, member,
						offsetof(MemberOrder, keys) +
							(sizeof(TreeKey) + sizeof(int32)) * (Size) published->count);
	order->count = published->count;
	for (int32 i = 0; i < published->count; i++)
	{
		TedTree tree = ViewTree(team, published->trees[i]);
		int32 *label = unconstify(int32 *, tree.label);
		int bytes = (int) sizeof(int32) * tree.size;

		CheckInterrupts();
		for (int32 x = 0; x < tree.size; x++)
			label[x] = ids[label[x]];
		order->keys[i] = (TreeKey){
			.size = tree.size,
			.hash = hash_combine(hash_bytes((const unsigned char *) label, bytes),
								 hash_bytes((const unsigned char *) tree.subtree_size, bytes)),
			.member = member,
			.number = i};
	}
	pfree(ids);
	SortTreeKeys(order->keys, (size_t) order->count);
}

/* The places of a member's trees, which follow their order. */
static int32 *
PlacesOf(MemberOrder *order)
{
	return (int32 *) (order->keys + order->count);
}

/* The first tree of a member that does not come before a key. */
static int32
FirstFrom(const MemberOrder *order, const TreeKey *key)
{
	int32 low = 0;
	int32 high = order->count;

	while (low < high)
	{
		int32 middle = low + (high - low) / 2;

		if (CompareKinds(&order->keys[middle], key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Keys of all members at equal distances in their order, sorted; returns their number. */
static int
SampleKeys(const Team *team, TreeKey *samples)
{
	int count = 0;

	for (int member = 0; member < TeamMembers(team); member++)
	{
		const MemberOrder *order = TeamFind(team, TEAM_TREE_ORDER, member);

		for (int64 i = 0; order != NULL && order->count > 0 && i < SAMPLES; i++)
			samples[count++] = order->keys[i * order->count / SAMPLES];
	}
	SortTreeKeys(samples, (size_t) count);
	return count;
}

/* Whether two trees are equal. */
static bool
AreEqual(const Team *team, const TreeKey *a, const TreeKey *b)
{
	const MemberTrees *of_a = TeamFind(team, TEAM_TREES, a->member);
	const MemberTrees *of_b = TeamFind(team, TEAM_TREES, b->member);
	TedTree tree_a = ViewTree(team, of_a->trees[a->number]);
	TedTree tree_b = ViewTree(team, of_b->trees[b->number]);
	Size bytes = sizeof(int32) * (Size) a->size;

	return memcmp(tree_a.label, tree_b.label, bytes) == 0 &&
		   memcmp(tree_a.subtree_size, tree_b.subtree_size, bytes) == 0;
}

/* Finds the equal trees of a part of the order. */
static void
MergeTrees(Team *team, int number)
{
	int members = TeamMembers(team);
	int parts = TeamParts(team);
	TreeKey *samples = palloc_array(TreeKey, (Size) members * SAMPLES);
	int sampled = SampleKeys(team, samples);
	const TreeKey *from = &samples[(int64) number * sampled / parts];
	const TreeKey *to = &samples[(int64) (number + 1) * sampled / parts];
	int32 *first = palloc_array(int32, members);
	int32 *end = palloc_array(int32, members);
	Size count = 0;
	TreeKey *keys;
	TreePart *part;

	for (int member = 0; member < members; member++)
	{
		const MemberOrder *order = TeamFind(team, TEAM_TREE_ORDER, member);

		first[member] = end[member] = 0;
		if (order == NULL || sampled == 0)
			continue;
		first[member] = number == 0 ? 0 : FirstFrom(order, from);
		end[member] = number == parts - 1 ? order->count : FirstFrom(order, to);
		count += (Size) (end[member] - first[member]);
	}
	keys = palloc_extended(sizeof(TreeKey) * count, MCXT_ALLOC_HUGE);
	count = 0;
	for (int member = 0; member < members; member++)
		if (end[member] > first[member])
		{
			const MemberOrder *order = TeamFind(team, TEAM_TREE_ORDER, member);

			memcpy(&keys[count], &order->keys[first[member]],
				   sizeof(TreeKey) * (Size) (end[member] - first[member]));
			count += (Size) (end[member] - first[member]);
		}
	SortTreeKeys(keys, count);

	part = TeamPublish(team, TEAM_TREE_PARTS, number,
					   offsetof(TreePart, trees) + sizeof(part->trees[0]) * count);
	part->count = (int32) count;
	part->distinct = 0;
	for (int32 i = 0, kind = 0; i < part->count; i++)
	{
		int32 equal = kind;

		CheckInterrupts();
		/* trees of one hash, which begin at `kind`, may yet differ */
		if (i > 0 && CompareKinds(&keys[i - 1], &keys[i]) != 0)
			equal = kind = i;
		while (equal < i && !AreEqual(team, &keys[equal], &keys[i]))
			equal++;
		part->trees[i].key = keys[i];
		part->trees[i].index = equal < i ? part->trees[equal].index : part->distinct++;
	}
	pfree(keys);
	pfree(samples);
	pfree(first);
	pfree(end);
}

/* The place of the first tree of a part, or of one after all parts the number of all trees. */
static int32
FirstPlace(const Team *team, int number)
{
	int32 place = 0;

	for (int i = 0; i < number; i++)
		place += ((const TreePart *) TeamFind(team, TEAM_TREE_PARTS, i))->distinct;
	return place;
}

/* Makes room for all trees by their places, however few of them are distinct. */
static void
ReservePlaces(Team *team)
{
	Size count = 0;

	for (int member = 0; member < TeamMembers(team); member++)
	{
		const MemberTrees *published = TeamFind(team, TEAM_TREES, member);

		count += published == NULL ? 0 : (Size) published->count;
	}
	TeamPublish(team, TEAM_ALL_TREES, 0, sizeof(PlacedTree) * count);
	TeamPublish(team, TEAM_SIGNATURES, 0, sizeof(uint64) * count);
}

/* Sets the places of the trees of a part. */
static void
PlaceTrees(Team *team, const TreePart *part, int32 first)
{
	PlacedTree *all = TeamFind(team, TEAM_ALL_TREES, 0);

	for (int32 i = 0, placed = 0; i < part->count; i++)
	{
		const TreeKey *key = &part->trees[i].key;
		int32 index = part->trees[i].index;
		const MemberTrees *published;
		dsa_pointer tree;

		CheckInterrupts();
		PlacesOf(TeamFind(team, TEAM_TREE_ORDER, key->member))[key->number] = first + index;
		if (index < placed)
			continue;
		placed++;
		published = TeamFind(team, TEAM_TREES, key->member);
		tree = published->trees[key->number];
		all[first + index] =
			(PlacedTree){*(const TedTree *) TeamAddress(team, tree), tree + sizeof(TedTree)};
	}
}

/* Collects the postings of the trees of a part, which have their places. */
static void
CollectPostings(Team *team, int number, const TreePart *part, int32 first,
				const DocumentThreshold *threshold, int32 labels)
{
	int parts = TeamParts(team);
	const PlacedTree *placed = (const PlacedTree *) TeamFind(team, TEAM_ALL_TREES, 0) + first;
	uint64 *signature = (uint64 *) TeamFind(team, TEAM_SIGNATURES, 0) + first;
	TedTree *views = palloc_extended(sizeof(TedTree) * (Size) part->distinct, MCXT_ALLOC_HUGE);
	TedIndexedTree *trees =
		palloc_extended(sizeof(TedIndexedTree) * (Size) part->distinct, MCXT_ALLOC_HUGE);
	TedRareLabels rare = {.labels = labels};
	TedIndexedTrees counted = {0};
	TedArena arena;
	int64 *begin;

	for (int32 i = 0; i < part->distinct; i++)
	{
		CheckInterrupts();
		views[i] = placed[i].tree;
		SharedTreeArrays(&views[i], TeamAddress(team, placed[i].arrays));
		trees[i] =
			(TedIndexedTree){&views[i], views[i].size, DistanceAllowed(threshold, views[i].size)};
		ted_count_tree(&counted, trees[i].size, trees[i].limit);
	}
	begin = TeamPublish(team, TEAM_POSTINGS, number,
						sizeof(int64) * ((Size) parts + 1) +
							sizeof(TedRankedPosting) * (Size) counted.prefix_nodes);
	ArenaInit(&arena, ted_collect_postings_memory(&counted, parts));
	CheckStatus(ted_collect_postings(trees, part->distinct, first, &rare, parts, &arena,
									 &PgInterrupt, signature,
									 (TedRankedPosting *) (begin + parts + 1), begin));
	pfree(arena.base);
	pfree(views);
	pfree(trees);
}

/* Makes the lists of a part of the labels. */
static void
MakeLists(Team *team, int number, int32 labels)
{
	int parts = TeamParts(team);
	TedPostings *collected = palloc_array(TedPostings, parts);
	Size entries = ted_label_lists_entries(labels, parts);
	Size count = 0;
	int64 *lists;

	for (int part = 0; part < parts; part++)
	{
		const int64 *begin = TeamFind(team, TEAM_POSTINGS, part);
		const TedRankedPosting *postings = (const TedRankedPosting *) (begin + parts + 1);

		collected[part] =
			(TedPostings){postings + begin[number], begin[number + 1] - begin[number]};
		count += (Size) collected[part].count;
	}
	lists =
		TeamPublish(team, TEAM_LISTS, number, sizeof(int64) * entries + sizeof(TedPosting) * count);
	CheckStatus(ted_label_lists(collected, parts, labels, parts, &PgInterrupt, lists,
								(TedPosting *) (lists + entries)));
	pfree(collected);
}

/* What all members have made, as this process sees it. */
static SharedTrees *
ViewAll(const Team *team, SharedLabels *labels, bool lists)
{
	SharedTrees *shared = palloc0_object(SharedTrees);
	const PlacedTree *placed = TeamFind(team, TEAM_ALL_TREES, 0);

	shared->labels = labels;
	shared->parts = TeamParts(team);
	shared->count = FirstPlace(team, shared->parts);
	shared->trees = palloc_extended(sizeof(TedTree) * (Size) shared->count, MCXT_ALLOC_HUGE);
	UseLargePages(shared->trees, sizeof(TedTree) * (Size) shared->count);
	for (int32 place = 0; place < shared->count; place++)
	{
		CheckInterrupts();
		shared->trees[place] = placed[place].tree;
		SharedTreeArrays(&shared->trees[place], TeamAddress(team, placed[place].arrays));
	}
	shared->signature = TeamFind(team, TEAM_SIGNATURES, 0);
	if (lists)
	{
		Size entries = ted_label_lists_entries(SharedLabelsCommon(labels).count, shared->parts);

		shared->lists = palloc_array(TedLabelLists, shared->parts);
		for (int part = 0; part < shared->parts; part++)
		{
			const int64 *begin = TeamFind(team, TEAM_LISTS, part);

			shared->lists[part] = (TedLabelLists){begin, (const TedPosting *) (begin + entries)};
		}
	}
	return shared;
}

/* Builds with the other members. */
SharedTrees *
SharedTreesBuild(Team *team, const DocumentThreshold *threshold, bool lists)
{
	int parts = TeamParts(team);
	SharedLabels *labels;
	int32 label_count;
	int claimed;

	while (claimed = TeamClaim(team, parts), claimed >= 0)
		SharedLabelsMerge(team, claimed);
	TeamMeet(team);

	labels = SharedLabelsAll(team);
	label_count = SharedLabelsCommon(labels).count;
	while (claimed = TeamClaim(team, TeamMembers(team)), claimed >= 0)
		NumberTrees(team, labels, claimed);
	TeamMeet(team);

	while (claimed = TeamClaim(team, parts), claimed >= 0)
	{
		if (claimed == 0)
			ReservePlaces(team);
		MergeTrees(team, claimed);
	}
	TeamMeet(team);

	while (claimed = TeamClaim(team, parts), claimed >= 0)
	{
		const TreePart *part = TeamFind(team, TEAM_TREE_PARTS, claimed);
		int32 first = FirstPlace(team, claimed);

		PlaceTrees(team, part, first);
		if (lists)
			CollectPostings(team, claimed, part, first, threshold, label_count);
	}
	TeamMeet(team);

	while (lists && (claimed = TeamClaim(team, parts), claimed >= 0))
		MakeLists(team, claimed, label_count);
	TeamMeet(team);
	return ViewAll(team, labels, lists);
}

/* The places of the trees that a member has published. */
const int32 *
SharedTreePlaces(const Team *team, int member)
{
	MemberOrder *order = TeamFind(team, TEAM_TREE_ORDER, member);

	return order == NULL ? NULL : PlacesOf(order);
}
