/*
 * model_costs.c
 *	  The costs of a model for the labels of some trees.
 */
#include "postgres.h"

#include <math.h>

#include "miscadmin.h"

#include "../../common/host.h"
#include "../../compat.h"
#include "../../core/tree/label_costs.h"
#include "../../core/tree/label_traits.h"
#include "label_grades.h"
#include "model_costs.h"

/* Pairs of labels whose costs of renaming are remembered: at first, and at most. */
#define REMEMBERED_RENAMES 8192
#define MOST_REMEMBERED_RENAMES (1 << 16)

/* The kind of a node that is ignored because of one above it. */
#define KIND_IGNORED ((CostKind) (COST_KINDS + 1))

/* A label of relabelled trees: a spelling, and what terms and text some nodes have with it. */
typedef struct CostLabel
{
	int32 spelling; /* id in the table */
	int32 next;     /* label with the same spelling, or -1 */
	uint32 kinds;   /* bits of the kinds that have it, as far as is known */
	CostTerms terms;
	GradedText text; /* what is compared */
	bool is_number;
	float8 number;
} CostLabel;

/* A label as it is spelt. */
typedef struct Spelling
{
	LabelForm form;
	int32 first; /* label with this spelling, or -1 */
} Spelling;

struct ModelCosts
{
	MemoryContext context;
	const CostModel *model;
	const LabelTable *table;
	LabelMarks marks;
	int32 unit; /* thousandths */
	Spelling *spelling;
	int32 spellings;
	int32 spelling_capacity;
	CostLabel *label;
	LabelTraits *traits; /* by label, as all that follows up to the count */
	int32 *insert;
	int32 *delete_;
	int32 count;
	int32 capacity;
	int32 kept;   /* labels that stay when others are forgotten */
	int32 graded; /* labels whose costs of renaming are slow */
	int32 kept_graded;
	bool has_never;         /* some labels are never renamed */
	bool has_ignored;       /* some nodes are ignored */
	bool ignored_left_out;  /* but are in no trees that are compared */
	int32 remembered;       /* pairs of labels that `labels.cache` is for */
	void *remembered_bytes; /* its memory */
	TextGrader *grader;     /* NULL where no labels are compared */
	TedLabelCosts labels;
	TedCosts costs;
};

/* Cost of renaming a label. */
static int32
RenameCost(void *context, int32 from, int32 to)
{
	ModelCosts *costs = context;
	CostLabel *x = &costs->label[from];
	CostLabel *y = &costs->label[to];
	int32 cost = Max(x->terms.rename, y->terms.rename);

	if (x->spelling == y->spelling && x->terms.ignored == y->terms.ignored)
		return 0;
	if (cost == TED_NEVER_RENAMED)
		return costs->delete_[from] + costs->insert[to] + 1;
	cost /= costs->unit;
	if (x->is_number && y->is_number)
		return ted_number_cost(x->number, y->number, cost);
	if (x->terms.texts == y->terms.texts && x->terms.texts != TED_TEXTS_EXACT)
		return GradeTexts(costs->grader, &x->text, &y->text, (TedTextMeasure) x->terms.texts, cost);
	return cost;
}

/* The label with the same spelling that was there before one, and costs nothing to rename it to. */
static int32
LabelAlike(const ModelCosts *costs, const CostLabel *label)
{
	int32 id = label->next;

	while (id >= 0 && costs->label[id].terms.ignored != label->terms.ignored)
		id = costs->label[id].next;
	return id;
}

/* What costs of renaming a label are made of. */
static void
TraitsOfCosts(void *context, int32 id, TedLabelTraits *traits)
{
	ModelCosts *costs = context;
	CostLabel *label = &costs->label[id];

	*traits = (TedLabelTraits){.rename = costs->traits[id].rename,
							   .like = LabelAlike(costs, label),
							   .measure = (TedTextMeasure) label->terms.texts,
							   .is_number = label->is_number,
							   .number = label->number};
	if (traits->measure != TED_TEXTS_EXACT)
	{
		Symbols symbols = GradedSymbols(costs->grader, &label->text);

		traits->text = symbols.symbol;
		traits->length = symbols.count;
	}
}

/* Makes a new cache for slow costs of renaming, of about this number of pairs of labels. */
static void
RememberRenames(ModelCosts *costs, int32 pairs)
{
	Size bytes = ted_rename_cache_memory(pairs);
	TedArena arena;

	CheckMemoryLimit(bytes, "comparing labels");
	ArenaInit(&arena, bytes);
	CheckStatus(ted_rename_cache(pairs, &arena, &costs->labels.cache));
	if (costs->remembered_bytes != NULL)
		pfree(costs->remembered_bytes);
	costs->remembered_bytes = arena.base;
	costs->remembered = pairs;
}

/* Makes a larger cache where there are many labels by now, and memory allows. */
static void
RememberMoreRenames(ModelCosts *costs)
{
	int32 pairs =
		(int32) Min((int64) costs->graded * costs->graded, (int64) MOST_REMEMBERED_RENAMES);

	if (costs->labels.cache != NULL && pairs / 4 >= costs->remembered &&
		ted_rename_cache_memory(pairs) / 1024 <= (Size) ted_max_memory / 8)
		RememberRenames(costs, pairs);
}

/* Takes the costs of a model that says the same of all nodes: trees keep their labels. */
static void
SetUniformCosts(ModelCosts *costs)
{
	const CostTerms *terms = &costs->model->terms;
	TedCosts *uniform = &costs->costs;

	uniform->insert = terms->insert / costs->unit;
	uniform->delete_ = terms->delete_ / costs->unit;
	uniform->rename = terms->rename == TED_NEVER_RENAMED ? uniform->insert + uniform->delete_ + 1
														 : terms->rename / costs->unit;
}

/* Makes costs for trees whose labels are, or come to be, in a table. */
ModelCosts *
ModelCostsCreate(const CostModel *model, const LabelTable *table, LabelMarks marks)
{
	ModelCosts *costs = palloc0_object(ModelCosts);

	costs->context = CurrentMemoryContext;
	costs->model = model;
	costs->table = table;
	costs->marks = marks;
	costs->unit = COST_SCALE / model->scale;
	costs->spelling_capacity = costs->capacity = 32;
	costs->spelling = palloc_array(Spelling, costs->spelling_capacity);
	costs->label = palloc_array(CostLabel, costs->capacity);
	costs->traits = palloc_array(LabelTraits, costs->capacity);
	costs->insert = palloc_array(int32, costs->capacity);
	costs->delete_ = palloc_array(int32, costs->capacity);
	costs->labels = (TedLabelCosts){.insert = costs->insert,
									.delete_ = costs->delete_,
									.rename = RenameCost,
									.traits = TraitsOfCosts,
									.context = costs,
									.least = {PG_INT32_MAX, PG_INT32_MAX, PG_INT32_MAX}};
	if (CostModelIsUniform(model))
		SetUniformCosts(costs);
	else
		costs->costs.labels = &costs->labels;
	if (CostModelIsGraded(model))
	{
		costs->grader = TextGraderCreate();
		RememberRenames(costs, REMEMBERED_RENAMES);
	}
	return costs;
}

/* An upper bound on the memory that relabelling trees with this number of nodes takes. */
Size
RelabelBytes(const CostModel *model, int64 nodes)
{
	if (CostModelIsUniform(model))
		return 0;
	return (Size) nodes *
		   (sizeof(int32) + sizeof(uint8) +
			2 * (sizeof(CostLabel) + sizeof(LabelTraits) + sizeof(Spelling) + 2 * sizeof(int32)));
}

/* The label of a node of a kind, without its mark. */
static Label
LabelOfSpelling(const ModelCosts *costs, int32 spelling, CostKind kind)
{
	return PlainLabel(LabelTableGet(costs->table, spelling), costs->marks, kind);
}

/* What is compared of the label of a node of a kind: of a string, what is in the quotes. */
static Label
ComparedText(const ModelCosts *costs, int32 spelling, CostKind kind)
{
	Label label = LabelOfSpelling(costs, spelling, kind);

	return kind == KIND_STRING ? (Label){label.bytes + 1, label.length - 2} : label;
}

/* Looks at the spellings that have come into the table. */
static void
ReadSpellings(ModelCosts *costs)
{
	int32 count = LabelTableCount(costs->table);

	if (count > costs->spelling_capacity)
	{
		int32 capacity = Max(count, 2 * costs->spelling_capacity);

		costs->spelling = repalloc_huge(costs->spelling, sizeof(Spelling) * (Size) capacity);
		costs->spelling_capacity = capacity;
	}
	for (; costs->spellings < count; costs->spellings++)
	{
		CHECK_FOR_INTERRUPTS();
		costs->spelling[costs->spellings] = (Spelling){
			FormOfMarked(LabelTableGet(costs->table, costs->spellings), costs->marks), -1};
	}
}

/* Leaves ignored nodes out of the bounds on all costs, or includes them again. */
void
ModelCostsLeaveIgnoredOut(ModelCosts *costs, bool left_out)
{
	TedUniformCosts *least = &costs->labels.least;

	costs->ignored_left_out = left_out;
	if (costs->has_ignored && !left_out)
		*least = (TedUniformCosts){0, 0, Min(least->rename, 1)};
}

/* Widens the bounds on all costs to the terms of a label. */
static void
WidenBounds(ModelCosts *costs, const CostTerms *terms, bool is_split)
{
	TedUniformCosts *least = &costs->labels.least;
	TedUniformCosts *most = &costs->labels.most;
	int32 insert = terms->insert / costs->unit;
	int32 delete = terms->delete_ / costs->unit;
	bool is_graded = terms->texts != TED_TEXTS_EXACT || terms->numbers != NUMBERS_EXACT;

	least->insert = Min(least->insert, insert);
	least->delete_ = Min(least->delete_, delete);
	most->insert = Max(most->insert, insert);
	most->delete_ = Max(most->delete_, delete);
	if (terms->rename == TED_NEVER_RENAMED)
	{
		costs->has_never = true;
		least->rename = Min(least->rename, 1);
	}
	else
	{
		int32 rename = terms->rename / costs->unit;

		least->rename = Min(least->rename, is_graded ? Min(rename, 1) : rename);
		most->rename = Max(most->rename, rename);
	}
	if (is_split)
		least->rename = 0;
	if (costs->has_never)
		most->rename = Max(most->rename, most->insert + most->delete_ + 1);
}

/* Makes room for another label. */
static void
GrowLabels(ModelCosts *costs)
{
	Size capacity = 2 * (Size) costs->capacity;

	costs->label = repalloc_huge(costs->label, sizeof(CostLabel) * capacity);
	costs->traits = repalloc_huge(costs->traits, sizeof(LabelTraits) * capacity);
	costs->insert = repalloc_huge(costs->insert, sizeof(int32) * capacity);
	costs->delete_ = repalloc_huge(costs->delete_, sizeof(int32) * capacity);
	costs->labels.insert = costs->insert;
	costs->labels.delete_ = costs->delete_;
	costs->capacity = (int32) capacity;
}

/* Adds a label for nodes of a kind with a spelling, which have these terms. */
static int32
AddLabel(ModelCosts *costs, int32 spelling, CostKind kind, const CostTerms *terms)
{
	int32 *first = &costs->spelling[spelling].first;
	Label text = ComparedText(costs, spelling, kind);
	TedUniformCosts least = costs->labels.least;
	CostLabel *label;

	if (costs->count == costs->capacity)
		GrowLabels(costs);
	label = &costs->label[costs->count];
	*label = (CostLabel){.spelling = spelling,
						 .next = *first,
						 .kinds = 1u << kind,
						 .terms = *terms,
						 .text.label = text};
	label->is_number = terms->numbers == NUMBERS_RELATIVE && ReadNumberLabel(text, &label->number);
	costs->traits[costs->count] =
		(LabelTraits){.spelling = spelling,
					  .rename = terms->rename == TED_NEVER_RENAMED ? TED_NEVER_RENAMED
																   : terms->rename / costs->unit,
					  .is_graded = label->is_number || terms->texts != TED_TEXTS_EXACT,
					  .is_ignored = terms->ignored != 0};
	costs->insert[costs->count] = terms->insert / costs->unit;
	costs->delete_[costs->count] = terms->delete_ / costs->unit;
	costs->graded += terms->texts != TED_TEXTS_EXACT;
	WidenBounds(costs, terms, *first >= 0);
	costs->has_ignored |= terms->ignored;
	if (terms->ignored && costs->ignored_left_out)
		costs->labels.least = least;
	*first = costs->count;
	return costs->count++;
}

/* Whether terms are the same. */
static bool
SameTerms(const CostTerms *a, const CostTerms *b)
{
	return a->insert == b->insert && a->delete_ == b->delete_ && a->rename == b->rename &&
		   a->texts == b->texts && a->numbers == b->numbers && a->ignored == b->ignored;
}

/* Terms of nodes that are ignored. */
static const CostTerms ignored_terms = {.rename = TED_NEVER_RENAMED, .ignored = 1};

/* The label of nodes of a kind with a spelling. */
static int32
LabelOf(ModelCosts *costs, int32 spelling, CostKind kind)
{
	int32 first = costs->spelling[spelling].first;
	CostTerms terms = ignored_terms;
	int32 compared;

	for (int32 id = first; id >= 0; id = costs->label[id].next)
		if (costs->label[id].kinds & 1u << kind)
			return id;
	if (kind != KIND_IGNORED)
		terms = CostModelTerms(costs->model, LabelOfSpelling(costs, spelling, kind), kind);
	if (terms.ignored == 1)
		terms = ignored_terms;
	terms.ignored = Max(terms.ignored, 0);
	compared = ComparedText(costs, spelling, kind).length;
	for (int32 id = first; id >= 0; id = costs->label[id].next)
		if (costs->label[id].text.label.length == compared &&
			SameTerms(&costs->label[id].terms, &terms))
		{
			costs->label[id].kinds |= 1u << kind;
			return id;
		}
	return AddLabel(costs, spelling, kind, &terms);
}

/* The label of a node, and its kind, by the kind of the node above it. */
int32
RelabelNode(ModelCosts *costs, int32 spelling, CostKind above, bool is_leaf, CostKind *kind)
{
	int32 label;

	if (spelling >= costs->spellings)
		ReadSpellings(costs);
	*kind = above == KIND_IGNORED ? KIND_IGNORED
								  : KindOfForm(costs->spelling[spelling].form, above, is_leaf);
	label = LabelOf(costs, spelling, *kind);
	if (costs->label[label].terms.ignored)
		*kind = KIND_IGNORED;
	return label;
}

/* Makes a copy of a tree with the labels that the costs are for. */
void
RelabelTree(ModelCosts *costs, const TedTree *tree, TedTree *relabelled)
{
	int32 *label;
	uint8 *above; /* by node: the kind above it */
	MemoryContext caller;

	*relabelled = *tree;
	if (!ted_costs_by_label(&costs->costs))
		return;
	label = palloc_array(int32, tree->size);
	above = palloc_array(uint8, tree->size);
	caller = MemoryContextSwitchTo(costs->context);
	above[tree->size - 1] = NO_KIND;
	for (int32 x = tree->size - 1; x >= 0; x--)
	{
		CostKind kind;

		CHECK_FOR_INTERRUPTS();
		label[x] = RelabelNode(costs, tree->label[x], (CostKind) above[x],
							   tree->subtree_size[x] == 1, &kind);
		for (int32 c = x - 1; c > x - tree->subtree_size[x]; c -= tree->subtree_size[c])
			above[c] = (uint8) kind;
	}
	RememberMoreRenames(costs);
	MemoryContextSwitchTo(caller);
	pfree(above);
	relabelled->label = label;
}

/* How a label is graded. */
LabelGrade
GradeOfLabel(const ModelCosts *costs, int32 label)
{
	const CostLabel *known = &costs->label[label];

	return (LabelGrade){.texts = (TedTextMeasure) known->terms.texts,
						.is_number = known->is_number,
						.text = known->text.label,
						.like = known->next};
}

/* What filters have to know of a label. */
LabelTraits
TraitsOfLabel(const ModelCosts *costs, int32 label)
{
	if (!ted_costs_by_label(&costs->costs))
		return (LabelTraits){.spelling = label, .rename = costs->costs.rename};
	return costs->traits[label];
}

/* Keeps the labels so far when others are forgotten. */
void
ModelCostsKeep(ModelCosts *costs)
{
	costs->kept = costs->count;
	costs->kept_graded = costs->graded;
}

/* Forgets the other labels, and those spellings that the table has forgotten. */
void
ModelCostsForget(ModelCosts *costs)
{
	bool forgets = costs->count > costs->kept;

	costs->count = costs->kept;
	costs->graded = costs->kept_graded;
	costs->spellings = Min(costs->spellings, LabelTableCount(costs->table));
	for (int32 i = 0; i < costs->spellings; i++)
		while (costs->spelling[i].first >= costs->count)
			costs->spelling[i].first = costs->label[costs->spelling[i].first].next;
	if (forgets && costs->labels.cache != NULL)
		ted_rename_cache_forget(costs->labels.cache);
}

/* The costs for all trees that have been relabelled. */
const TedCosts *
ModelTedCosts(const ModelCosts *costs)
{
	return &costs->costs;
}

/* Cost of deleting all of a relabelled tree. */
int64
DeletionCost(const ModelCosts *costs, const TedTree *relabelled)
{
	int64 sum = 0;

	if (!ted_costs_by_label(&costs->costs))
		return (int64) relabelled->size * costs->costs.delete_;
	for (int32 x = 0; x < relabelled->size; x++)
		sum += ted_delete_cost(&costs->costs, relabelled->label[x]);
	return sum;
}

/* Cost of inserting all of a relabelled tree. */
int64
InsertionCost(const ModelCosts *costs, const TedTree *relabelled)
{
	int64 sum = 0;

	if (!ted_costs_by_label(&costs->costs))
		return (int64) relabelled->size * costs->costs.insert;
	for (int32 x = 0; x < relabelled->size; x++)
		sum += ted_insert_cost(&costs->costs, relabelled->label[x]);
	return sum;
}

/* A cost of the core as the number that it stands for. */
float8
CostModelNumber(const CostModel *model, int64 cost)
{
	return (float8) cost / model->scale;
}

/* The same by the costs that a model has become. */
float8
CostInModel(const ModelCosts *costs, int64 cost)
{
	return CostModelNumber(costs->model, cost);
}

/* The greatest cost of the core that stands for at most this number, or TED_NO_LIMIT. */
int32
CostModelLimit(const CostModel *model, float8 limit)
{
	int32 cost;

	if (isnan(limit) || limit >= (float8) TED_MAX_DISTANCE / model->scale)
		return TED_NO_LIMIT;
	if (limit < 0)
		return -1;
	cost = (int32) floor(limit * model->scale);
	while (CostModelNumber(model, cost) > limit)
		cost--;
	while (CostModelNumber(model, cost + 1) <= limit)
		cost++;
	return cost;
}

/* The same by the costs that a model has become. */
int32
LimitOfModel(const ModelCosts *costs, float8 limit)
{
	return CostModelLimit(costs->model, limit);
}

/* The greatest distance at which trees have this similarity, as it is rounded. */
int64
CostBySimilarity(float8 min_similarity, int64 larger_cost)
{
	int64 distance = (int64) ((1 - min_similarity) * larger_cost);

	while (distance >= 0 && ModelSimilarity(distance, larger_cost) < min_similarity)
		distance--;
	while (distance < larger_cost && ModelSimilarity(distance + 1, larger_cost) >= min_similarity)
		distance++;
	return distance;
}

/* The greatest distance at which the normalized one is at most a number, as that is rounded. */
int64
CostByNormalized(float8 max_normalized, int64 both_costs)
{
	int64 distance = (int64) (max_normalized * both_costs / (2 - max_normalized));

	while (ModelNormalizedDistance(distance, both_costs) > max_normalized)
		distance--;
	while (distance < both_costs &&
		   ModelNormalizedDistance(distance + 1, both_costs) <= max_normalized)
		distance++;
	return distance;
}
