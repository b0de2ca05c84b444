/*
 * model_trees.c
 *	  The trees of a join by a cost model: one for comparing and one for filters.
 */
#include "postgres.h"

#include "miscadmin.h"

#include "../../common/characters.h"
#include "../../common/host.h"
#include "../../compat.h"
#include "model_trees.h"

/* Label of all nodes that filters do not distinguish; other labels follow. */
#define BLURRED 0

/* A label is rare if at most this part of the number of trees is the number of its nodes. */
#define RARE_PART 16

/* Labels are compared for a bound if that takes at most this part of ted.max_memory. */
#define BOUND_SHARE 8

/* Flags of a spelling: indexed trees have graded nodes with it, and other nodes with it. */
#define SEEN_GRADED 1
#define SEEN_OTHERS 2

ModelTrees *
ModelTreesCreate(const CostModel *model, const LabelTable *labels)
{
	ModelTrees *trees = palloc0_object(ModelTrees);

	trees->costs = ModelCostsCreate(model, labels, NO_MARKS);
	trees->totals = ModelTotalsCreate(model, trees->costs);
	trees->labels = labels;
	trees->grades = CostModelIsGraded(model);
	trees->ignores = CostModelIgnores(model);
	ModelCostsLeaveIgnoredOut(trees->costs, true);
	trees->context = CurrentMemoryContext;
	return trees;
}

/* Computes the profiles of all labels up to this one. */
static void
ProfileLabels(ModelTrees *trees, int32 label)
{
	RESERVE(trees->context, trees->profiles, trees->profile_capacity, label + 1);
	for (; trees->profile_count <= label; trees->profile_count++)
	{
		LabelTraits traits = TraitsOfLabel(trees->costs, trees->profile_count);
		LabelGrade grade = GradeOfLabel(trees->costs, trees->profile_count);
		TedLabelProfile *profile = &trees->profiles[trees->profile_count];

		/* labels with the same spelling match at no cost */
		*profile = (TedLabelProfile){.spelling = traits.spelling,
									 .rename = traits.rename,
									 .measure = (uint8) grade.texts,
									 .is_number = grade.is_number};
		if (grade.texts != TED_TEXTS_EXACT)
		{
			int32 length;

			RESERVE(trees->context, trees->characters, trees->character_capacity,
					grade.text.length);
			length = ReadCharacters(grade.text.bytes, grade.text.length, trees->characters);
			ted_profile_characters(trees->characters, length, profile);
		}
		if (grade.like >= 0)
			profile->has_like = trees->profiles[grade.like].has_like = true;
	}
}

/* Leaves ignored nodes, except the root, out of a relabelled tree. */
static void
LeaveIgnoredOut(ModelTrees *trees, TedTree *tree)
{
	int32 *before = palloc_array(int32, tree->size + 1); /* number of kept nodes before each node */
	TedTree rest = *tree;
	int32 *label;
	int32 *subtree_size;

	if (TraitsOfLabel(trees->costs, tree->label[tree->size - 1]).is_ignored)
		ModelCostsLeaveIgnoredOut(trees->costs, false);
	before[0] = 0;
	for (int32 x = 0; x < tree->size; x++)
		before[x + 1] = before[x] + (x == tree->size - 1 ||
									 !TraitsOfLabel(trees->costs, tree->label[x]).is_ignored);
	rest.size = before[tree->size];
	if (rest.size < tree->size)
	{
		label = palloc_array(int32, 4 * (Size) rest.size);
		subtree_size = label + rest.size;
		for (int32 x = 0; x < tree->size; x++)
			if (before[x + 1] > before[x])
			{
				label[before[x]] = tree->label[x];
				subtree_size[before[x]] = before[x + 1] - before[x + 1 - tree->subtree_size[x]];
			}
		rest.label = label;
		rest.subtree_size = subtree_size;
		CheckStatus(ted_tree_index(&rest, label + 2 * (Size) rest.size,
								   label + 3 * (Size) rest.size, &PgInterrupt));
		*tree = rest;
	}
	pfree(before);
}

/* Sets the label that filters see for a label; returns false if its tree cannot be filtered. */
static bool
FilterLabel(ModelTrees *trees, LabelTraits traits, int32 *filtered)
{
	bool is_blurred = traits.is_graded || traits.is_ignored;
	uint8 *seen = &trees->seen[traits.spelling];

	if (!trees->kept)
		*seen |= is_blurred ? SEEN_GRADED : SEEN_OTHERS;
	*filtered = is_blurred || *seen & SEEN_GRADED ? BLURRED : traits.spelling + 1;
	return !traits.is_graded || *seen != SEEN_OTHERS;
}

/* Makes the tree for filters from the tree for comparing, and collects the graded nodes. */
static void
FilterTree(ModelTrees *trees, ModelTree *made)
{
	const TedTree *compared = &made->compared;
	int32 *label = palloc_array(int32, compared->size);
	TedGradedNode *graded;
	int32 count = 0;

	RESERVE(trees->context, trees->nodes, trees->node_capacity, compared->size);
	graded = trees->nodes;
	made->filtered = *compared;
	made->filtered.label = label;
	for (int32 x = 0; x < compared->size; x++)
	{
		LabelTraits traits = TraitsOfLabel(trees->costs, compared->label[x]);

		made->unfiltered = !FilterLabel(trees, traits, &label[x]) || made->unfiltered;
		if (trees->grades)
			ProfileLabels(trees, compared->label[x]);
		if (traits.is_graded)
		{
			trees->profiles[compared->label[x]].nodes += !trees->kept;
			graded[count++] = (TedGradedNode){x, compared->label[x]};
		}
	}
	graded = palloc_array(TedGradedNode, 2 * (Size) count);
	made->graded = (TedGradedNodes){
		.size = compared->size, .count = count, .graded = graded, .by_rank = graded + count};
	memcpy(graded, trees->nodes, sizeof(TedGradedNode) * (Size) count);
}

/* Orders graded nodes: those with rare labels come first. */
static void
RankGradedNodes(const ModelTrees *trees, TedGradedNodes *nodes)
{
	TedGradedNode *by_rank = (TedGradedNode *) nodes->by_rank;
	int32 next = 0;

	for (int rare = 1; rare >= 0; rare--)
	{
		for (int32 i = 0; i < nodes->count; i++)
			if ((trees->profiles[nodes->graded[i].label].nodes <= trees->most_rare) == rare)
				by_rank[next++] = nodes->graded[i];
		if (rare)
			nodes->rare = next;
	}
}

ModelTree *
ModelTreesAdd(ModelTrees *trees, const TedTree *decoded)
{
	ModelTree *made = palloc0_object(ModelTree);
	int32 known;

	trees->count += !trees->kept;
	RelabelTree(trees->costs, decoded, &made->compared);
	if (trees->ignores)
		LeaveIgnoredOut(trees, &made->compared);
	known = trees->capacity;
	RESERVE(trees->context, trees->seen, trees->capacity, LabelTableCount(trees->labels));
	memset(trees->seen + known, 0, (Size) (trees->capacity - known));
	if (!trees->kept)
		ModelTotalsNote(trees->totals, &made->compared, LabelTableCount(trees->labels));
	FilterTree(trees, made);
	if (trees->kept)
		RankGradedNodes(trees, &made->graded);
	return made;
}

int32
ModelTreesBound(ModelTrees *trees, LabelBound function, const TedTree *a, const TedTree *b,
				int32 limit)
{
	TedProfiledPair pair = {
		.a = a, .b = b, .costs = ModelTedCosts(trees->costs), .profiles = trees->profiles};
	Size bytes = ted_rename_bound_memory(&pair, limit);
	int32 bound;

	if (bytes > (Size) ted_max_memory * 1024 / BOUND_SHARE || !ted_costs_fit(pair.costs, a, b))
		return 0;
	ArenaReserve(&trees->scratch, trees->context, bytes);
	CheckStatus(function(&pair, limit, &trees->scratch, &PgInterrupt, &trees->steps, &bound));
	return Min(bound, limit + 1);
}

void
ModelTreesKeep(ModelTrees *trees)
{
	ModelCostsKeep(trees->costs);
	trees->kept_profiles = trees->profile_count;
	trees->most_rare = trees->count / RARE_PART;
	trees->kept = true;
}

void
ModelTreesFinish(const ModelTrees *trees, ModelTree *tree)
{
	int32 *label = (int32 *) tree->filtered.label;

	RankGradedNodes(trees, &tree->graded);
	for (int32 x = 0; x < tree->filtered.size; x++)
		if (label[x] != BLURRED && trees->seen[label[x] - 1] & SEEN_GRADED)
			label[x] = BLURRED;
}

void
ModelTreesForget(ModelTrees *trees)
{
	ModelCostsForget(trees->costs);
	trees->profile_count = trees->kept_profiles;
}

Size
ModelTreeBytes(int32 size)
{
	return sizeof(ModelTree) + (6 * sizeof(int32) + 2 * sizeof(TedGradedNode)) * (Size) size;
}
