/*
 * shared_trees.c
 *	  The distinct trees that the members of a team have read, and the lists in which a threshold
 *	  join finds them; all members build them together.
 */
#include "postgres.h"

#include "../../compat.h"
#include "../../common/host.h"
#include "../../common/progress.h"
#include "shared_trees.h"

/* A tree, by its place, with the address of its arrays. */
typedef struct PlacedTree
{
	TedTree tree;
	dsa_pointer arrays;
} PlacedTree;

void
SharedTreeArrays(TedTree *tree, const int32 *arrays)
{
	tree->label = arrays;
	tree->subtree_size = tree->label + tree->size;
	tree->depth = tree->subtree_size + tree->size;
	tree->key_root = tree->depth + tree->size;
}

/* Arguments of several phases. */
typedef struct TreesBuild
{
	Team *team;
	SharedLabels *labels;
	PlacedTree *placed; /* by place */
} TreesBuild;

/* Returns a tree in the memory of the team, with pointers of this process. */
static TedTree
ViewTree(const TedTree *stored)
{
	TedTree tree = *stored;

	SharedTreeArrays(&tree, (const int32 *) (stored + 1));
	return tree;
}

void
SharedTreesPublish(Team *team, const dsa_pointer *trees, int32 count, const LabelTable *labels)
{
	int32 label_count = LabelTableCount(labels);
	int32 *nodes =
		palloc_extended(sizeof(int32) * (Size) label_count, MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);

	SharedDocumentsPublish(team, trees, count);
	for (int32 i = 0; i < count; i++)
	{
		TedTree tree = ViewTree(TeamAddress(team, trees[i]));

		CheckInterrupts();
		for (int32 x = 0; x < tree.size; x++)
			nodes[tree.label[x]] += nodes[tree.label[x]] < PG_INT32_MAX;
	}
	SharedLabelsPublish(team, labels, nodes);
	pfree(nodes);
}

/* Replaces the labels in a member's trees by common numbers, and sets the trees' sort keys. */
static void
DescribeTrees(void *arg, int member, const dsa_pointer *trees, int32 count, DocumentKey *keys)
{
	const TreesBuild *build = arg;
	int32 *ids = SharedLabelIds(build->labels, member);

	for (int32 i = 0; i < count; i++)
	{
		TedTree tree = ViewTree(TeamAddress(build->team, trees[i]));
		int32 *label = unconstify(int32 *, tree.label);

		CheckInterrupts();
		for (int32 x = 0; x < tree.size; x++)
			label[x] = ids[label[x]];
		keys[i].size = tree.size;
		keys[i].hash = HashJoinTree(&tree);
	}
	pfree(ids);
}

/* Whether two trees are equal. */
static bool
AreEqualTrees(const void *a, const void *b)
{
	TedTree tree_a = ViewTree(a);
	TedTree tree_b = ViewTree(b);

	return EqualTrees(&tree_a, &tree_b);
}

/* Puts a tree at its place. */
static void
PlaceTree(void *arg, int32 place, dsa_pointer tree)
{
	const TreesBuild *build = arg;

	build->placed[place] =
		(PlacedTree){*(const TedTree *) TeamAddress(build->team, tree), tree + sizeof(TedTree)};
}

/* Collects the postings of the trees of a part, whose places have been set. */
static void
CollectPostings(const TreesBuild *build, int number, const DocumentThreshold *threshold,
				int32 labels)
{
	Team *team = build->team;
	int parts = team->parts;
	int32 first = SharedDocumentsFirst(team, number);
	int32 count = SharedDocumentsFirst(team, number + 1) - first;
	const PlacedTree *placed = build->placed + first;
	TedCollected collected = {.signature = (uint64 *) TeamFind(team, TEAM_SIGNATURES, 0) + first};
	TedTree *views = palloc_extended(sizeof(TedTree) * (Size) count, MCXT_ALLOC_HUGE);
	TedIndexedTree *trees = palloc_extended(sizeof(TedIndexedTree) * (Size) count, MCXT_ALLOC_HUGE);
	TedRareLabels rare = {.labels = labels};
	TedIndexedTrees counted = {0};
	TedArena arena;

	for (int32 i = 0; i < count; i++)
	{
		CheckInterrupts();
		views[i] = placed[i].tree;
		SharedTreeArrays(&views[i], TeamAddress(team, placed[i].arrays));
		trees[i] =
			(TedIndexedTree){&views[i], views[i].size, DistanceAllowed(threshold, views[i].size)};
		ted_count_tree(&counted, trees[i].size, trees[i].limit);
	}
	collected.begin = TeamPublish(team, TEAM_POSTINGS, number,
								  sizeof(int64) * ((Size) parts + 1) +
									  sizeof(TedRankedPosting) * (Size) counted.prefix_nodes);
	collected.postings = (TedRankedPosting *) (collected.begin + parts + 1);
	ArenaInit(&arena, ted_collect_postings_memory(&counted, parts));
	CheckStatus(
		ted_collect_postings(trees, count, first, &rare, parts, &arena, &PgInterrupt, &collected));
	pfree(arena.base);
	pfree(views);
	pfree(trees);
}

/* Makes the lists of a part of the labels. */
static void
MakeLists(Team *team, int number, int32 labels)
{
	int parts = team->parts;
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

/* Returns the results of all members, with pointers of this process. */
static SharedTrees *
ViewAll(const Team *team, SharedLabels *labels, bool lists)
{
	SharedTrees *shared = palloc0_object(SharedTrees);
	const PlacedTree *placed = TeamFind(team, TEAM_ALL_TREES, 0);

	shared->labels = labels;
	shared->parts = team->parts;
	shared->count = SharedDocumentsFirst(team, shared->parts);
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

SharedTrees *
SharedTreesBuild(Team *team, const LabelTable *table, const DocumentThreshold *threshold,
				 bool lists)
{
	static const SharedKind kind = {DescribeTrees, AreEqualTrees};
	TreesBuild build = {.team = team, .labels = SharedLabelsBuild(team, table)};
	int32 labels = SharedLabelsCommon(build.labels).count;
	int parts = team->parts;
	int claimed;

	SharedDocumentsMerge(team, &kind, &build);
	if (TeamClaim(team, 1) == 0)
	{
		Size count = (Size) SharedDocumentsFirst(team, team->parts);

		TeamPublish(team, TEAM_ALL_TREES, 0, sizeof(PlacedTree) * count);
		TeamPublish(team, TEAM_SIGNATURES, 0, sizeof(uint64) * count);
	}
	TeamMeet(team);

	build.placed = TeamFind(team, TEAM_ALL_TREES, 0);
	while (claimed = TeamClaim(team, parts), claimed >= 0)
	{
		SharedDocumentsPlace(team, claimed, PlaceTree, &build);
		if (lists)
			CollectPostings(&build, claimed, threshold, labels);
	}
	TeamMeet(team);

	while (lists && (claimed = TeamClaim(team, parts), claimed >= 0))
		MakeLists(team, claimed, labels);
	TeamMeet(team);
	return ViewAll(team, build.labels, lists);
}
