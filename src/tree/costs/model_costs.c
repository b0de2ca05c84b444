/*
 * model_costs.c
 *	  The costs of a cost model for the labels of some trees.
 */
#include "postgres.h"

#include "access/parallel.h"
#include <float.h>
#include <math.h>

#include "common/shortest_dec.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

#include "../../common/host.h"
#include "../../common/messages.h"
#include "../../compat.h"
#include "../../core/tree/label_costs.h"
#include "../../core/tree/label_traits.h"
#include "label_grades.h"
#include "model_costs.h"

/* Pairs of labels in the cache of renaming costs: at first, and at the most. */
#define REMEMBERED_RENAMES 8192
#define MOST_REMEMBERED_RENAMES (1 << 16)

/* An upper bound on the memory of a number in bytes, in addition to its digits. */
#define NUMBER_BYTES (LABEL_MAX_OVERHEAD + 2 * sizeof(int32) + 32)

/* An upper bound on the memory of a key of elements, for each of its nodes. */
#define KEY_BYTES (LABEL_MAX_OVERHEAD + 8 * sizeof(int32))

/* Longer numbers are compared as float8, not as decimals. */
#define LONGEST_EXACT_NUMBER 1000

/* Patterns are not checked if patterns times nodes exceed this. */
#define MOST_PATTERN_CHECKS (10 * 1000 * 1000)

/* The most nodes of a tree in which patterns that look like another language are looked for. */
#define MOST_NODES_CHECKED 10000

/* The kind of an ignored node, and of all nodes below it. */
#define KIND_IGNORED ((TreeKind) (TREE_KINDS + 1))

/*
 * A label of relabelled trees: a spelling, with the terms and the text of some nodes that
 * have it.
 */
typedef struct CostLabel
{
	int32 spelling; /* id in the label table */
	int32 key;      /* number of the key of elements of an array, or 0 */
	int32 next;     /* previous label with the same spelling, or -1 */
	uint32 kinds;   /* bits of the kinds of nodes known to have it */
	CostTerms terms;
	GradedText text; /* the part of the label that is compared */
	bool is_number;  /* renaming depends on the difference of numbers */
	float8 number;
} CostLabel;

/* A label of the label table. */
typedef struct Spelling
{
	LabelForm form;
	bool has_value; /* it is a number, and equal numbers are equal labels */
	int32 like;     /* the first spelling of an equal number, or this one */
	int32 first;    /* latest label with this spelling, or -1 */
} Spelling;

/* Costs by label, for trees decoded with one label table. */
struct ModelCosts
{
	MemoryContext context;
	const CostModel *model;
	const LabelTable *table;
	LabelMarks marks;
	int32 unit; /* unit of the core's costs, in thousandths */
	Spelling *spelling;
	int32 spellings;
	int32 spelling_capacity;
	CostLabel *label;
	LabelTraits *traits; /* by label, as are `insert` and `delete_` */
	int32 *insert;
	int32 *delete_;
	int32 count;
	int32 capacity;
	int32 kept;   /* labels that stay when later ones are forgotten */
	int32 graded; /* labels whose costs of renaming are slow to compute */
	int32 kept_graded;
	bool has_never;         /* some labels can never be renamed */
	bool has_ignored;       /* some nodes are ignored */
	bool ignored_left_out;  /* the bounds do not include ignored nodes */
	int32 remembered;       /* pairs of labels for which `labels.cache` has room */
	void *remembered_bytes; /* memory of `labels.cache` */
	TextGrader *grader;     /* NULL if costs are not graded */
	MemoryContext exact;    /* for comparing numbers as decimals, or NULL */
	LabelTable *keys;       /* keys of elements of arrays; NULL if there are none */
	LabelTable *numbers;    /* numbers by value, if equal ones are equal labels; else NULL */
	int32 *number_spelling; /* first spelling of each number */
	int32 number_capacity;
	TedLabelCosts labels;
	TedCosts costs;
};

/* Returns a number as a numeric; one too near to 0 for float8 is 0. */
static Datum
NumericOf(float8 number, Label digits)
{
	const char *text = number == 0 ? "0" : pnstrdup(digits.bytes, (Size) digits.length);

	return DirectFunctionCall3(numeric_in, CStringGetDatum(text), ObjectIdGetDatum(InvalidOid),
							   Int32GetDatum(-1));
}

/* Returns a tolerance as the numeric that has its shortest decimal form. */
static Datum
NumericOfTolerance(float8 tolerance)
{
	char digits[DOUBLE_SHORTEST_DECIMAL_LEN];

	double_to_shortest_decimal_buf(tolerance, digits);
	return NumericOf(tolerance, (Label){digits, (int) strlen(digits)});
}

/* Whether two numbers differ by no more than tolerances, computed without rounding. */
static bool
AreExactlyWithin(ModelCosts *costs, const CostLabel *x, const CostLabel *y, float8 absolute,
				 float8 relative)
{
	MemoryContext caller;
	Datum a;
	Datum b;
	Datum difference;
	Datum allowed;
	bool within;

	if (costs->exact == NULL)
		costs->exact = AllocSetContextCreate(costs->context, "exact numbers", ALLOCSET_SMALL_SIZES);
	caller = MemoryContextSwitchTo(costs->exact);
	a = NumericOf(x->number, x->text.label);
	b = NumericOf(y->number, y->text.label);
	difference = DirectFunctionCall1(numeric_abs, DirectFunctionCall2(numeric_sub, a, b));
	allowed =
		DirectFunctionCall2(numeric_mul, NumericOfTolerance(relative),
							DirectFunctionCall2(numeric_larger, DirectFunctionCall1(numeric_abs, a),
												DirectFunctionCall1(numeric_abs, b)));
	allowed = DirectFunctionCall2(numeric_larger, allowed, NumericOfTolerance(absolute));
	within = DatumGetBool(DirectFunctionCall2(numeric_le, difference, allowed));
	MemoryContextSwitchTo(caller);
	MemoryContextReset(costs->exact);
	return within;
}

/*
 * Whether two numbers differ by no more than the tolerances of both labels.  Where rounding could
 * decide, the numbers are compared as decimals, up to LONGEST_EXACT_NUMBER characters.
 */
static bool
AreWithinTolerance(ModelCosts *costs, const CostLabel *x, const CostLabel *y)
{
	float8 absolute = Min(x->terms.tolerance, y->terms.tolerance);
	float8 relative = Min(x->terms.relative, y->terms.relative);
	float8 greater = Max(fabs(x->number), fabs(y->number));
	float8 difference = fabs(x->number - y->number);
	float8 allowed = Max(absolute, relative * greater);
	float8 rounding = 8 * DBL_EPSILON * (greater + difference + allowed) + DBL_MIN;

	if (Max(absolute, relative) == 0 || difference >= allowed + rounding)
		return false;
	if (difference <= allowed - rounding)
		return true;
	if (Max(x->text.label.length, y->text.label.length) > LONGEST_EXACT_NUMBER)
		return difference <= allowed;
	return AreExactlyWithin(costs, x, y, absolute, relative);
}

/* Returns the cost of renaming a label, in units. */
static int32
RenameCost(void *context, int32 from, int32 to)
{
	ModelCosts *costs = context;
	CostLabel *x = &costs->label[from];
	CostLabel *y = &costs->label[to];
	int32 cost = Max(x->terms.rename, y->terms.rename);
	bool are_numbers = x->is_number && y->is_number;

	if (x->key != y->key && x->key > 0 && y->key > 0)
		cost = TED_NEVER_RENAMED;
	else if (x->spelling == y->spelling && x->terms.ignored == y->terms.ignored)
		return 0;
	if (are_numbers && AreWithinTolerance(costs, x, y))
		return 0;
	if (cost == TED_NEVER_RENAMED)
		return costs->delete_[from] + costs->insert[to] + 1;
	cost /= costs->unit;
	if (are_numbers && x->terms.numbers == NUMBERS_RELATIVE && y->terms.numbers == NUMBERS_RELATIVE)
		return ted_number_cost(x->number, y->number, cost);
	if (x->terms.texts == y->terms.texts && x->terms.texts != TED_TEXTS_EXACT)
		return GradeTexts(costs->grader, &x->text, &y->text, (TedTextMeasure) x->terms.texts, cost);
	return cost;
}

/* Returns the previous label with the same spelling to which renaming costs nothing, or -1. */
static int32
LabelAlike(const ModelCosts *costs, const CostLabel *label)
{
	int32 id = label->next;

	while (id >= 0 && costs->label[id].terms.ignored != label->terms.ignored)
		id = costs->label[id].next;
	return id;
}

/* Sets the parts of which the cost of renaming a label consists. */
static void
TraitsOfCosts(void *context, int32 id, TedLabelTraits *traits)
{
	ModelCosts *costs = context;
	CostLabel *label = &costs->label[id];

	*traits =
		(TedLabelTraits){.rename = costs->traits[id].rename,
						 .like = LabelAlike(costs, label),
						 .measure = (TedTextMeasure) label->terms.texts,
						 .is_number = label->is_number && label->terms.numbers == NUMBERS_RELATIVE,
						 .number = label->number,
						 .has_tolerance = costs->traits[id].has_tolerance};
	if (traits->measure != TED_TEXTS_EXACT)
	{
		Symbols symbols = GradedSymbols(costs->grader, &label->text);

		traits->text = symbols.symbol;
		traits->length = symbols.count;
	}
}

/* Makes a new cache for slow renaming costs, with room for about this number of pairs of labels. */
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

ModelCosts *
ModelCostsCreate(const CostModel *model, const LabelTable *table, LabelMarks marks)
{
	ModelCosts *costs = palloc0_object(ModelCosts);

	costs->context = CurrentMemoryContext;
	costs->model = model;
	costs->table = table;
	costs->marks = marks;
	costs->unit = COST_SCALE / model->scale;
	if (model->equates_numbers)
		costs->numbers = LabelTableCreate();
	if (model->has_keys)
		costs->keys = LabelTableCreate();
	costs->capacity = 32;
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
	{
		const CostTerms *terms = &costs->model->terms;
		TedCosts *uniform = &costs->costs;

		/* trees keep their labels */
		uniform->insert = terms->insert / costs->unit;
		uniform->delete_ = terms->delete_ / costs->unit;
		uniform->rename = terms->rename == TED_NEVER_RENAMED
							  ? uniform->insert + uniform->delete_ + 1
							  : terms->rename / costs->unit;
	}
	else
		costs->costs.labels = &costs->labels;
	if (CostModelIsGraded(model))
	{
		costs->grader = TextGraderCreate();
		RememberRenames(costs, REMEMBERED_RENAMES);
	}
	return costs;
}

Size
RelabelBytes(const CostModel *model, int64 nodes)
{
	if (CostModelIsUniform(model))
		return 0;
	return (Size) nodes *
		   (sizeof(int32) + (model->equates_numbers ? NUMBER_BYTES : 0) +
			(model->by_path ? sizeof(PathNode) : sizeof(uint8)) +
			(model->has_keys ? sizeof(PathNode) + KEY_BYTES : 0) +
			2 * (sizeof(CostLabel) + sizeof(LabelTraits) + sizeof(Spelling) + 2 * sizeof(int32)));
}

/* Returns the label of a node of a kind, without its mark. */
static Label
LabelOfSpelling(const ModelCosts *costs, int32 spelling, TreeKind kind)
{
	return PlainLabel(LabelTableGet(costs->table, spelling), costs->marks, kind);
}

/*
 * Writes the value of a JSON number in canonical form: an integer without trailing zeros,
 * and an exponent.  An exponent of more than nine digits is copied.
 */
static void
WriteNumberValue(Label number, StringInfo value)
{
	const char *end = number.bytes + number.length;
	const char *p = number.bytes;
	int64 exponent = 0;
	bool is_fraction = false;

	if (*p == '-')
		appendStringInfoChar(value, *p++);
	for (; p < end && *p != 'e' && *p != 'E'; p++)
	{
		if (*p == '.')
		{
			is_fraction = true;
			continue;
		}
		exponent -= is_fraction;
		if (*p != '0' || (value->len > 0 && value->data[value->len - 1] != '-'))
			appendStringInfoChar(value, *p);
	}
	while (value->len > 0 && value->data[value->len - 1] == '0')
	{
		value->data[--value->len] = '\0';
		exponent++;
	}
	if (value->len == 0 || value->data[value->len - 1] == '-')
	{
		resetStringInfo(value);
		return;
	}
	if (end - p > 11)
	{
		appendStringInfo(value, "e" INT64_FORMAT, exponent);
		appendBinaryStringInfo(value, p, (int) (end - p));
		return;
	}
	if (p < end)
	{
		char *digits = pnstrdup(p + 1, (Size) (end - p - 1));

		exponent += strtol(digits, NULL, 10);
		pfree(digits);
	}
	appendStringInfo(value, "e" INT64_FORMAT, exponent);
}

/* Returns the first spelling of a number, which is `spelling` for a new number. */
static int32
SpellingOfNumber(ModelCosts *costs, Label number, int32 spelling)
{
	StringInfoData value;
	int32 known = LabelTableCount(costs->numbers);
	int32 id;

	initStringInfo(&value);
	WriteNumberValue(number, &value);
	id = LabelTableIntern(costs->numbers, value.data, value.len);
	pfree(value.data);
	if (id < known)
		return costs->number_spelling[id];
	RESERVE(costs->context, costs->number_spelling, costs->number_capacity, id + 1);
	costs->number_spelling[id] = spelling;
	return spelling;
}

/* Reads the labels that have been added to the label table. */
static void
ReadSpellings(ModelCosts *costs)
{
	int32 count = LabelTableCount(costs->table);

	RESERVE(costs->context, costs->spelling, costs->spelling_capacity, count);
	for (; costs->spellings < count; costs->spellings++)
	{
		Label label = LabelTableGet(costs->table, costs->spellings);
		Spelling spelling = {
			.form = FormOfMarked(label, costs->marks), .like = costs->spellings, .first = -1};
		float8 number;

		CHECK_FOR_INTERRUPTS();
		label = PlainLabel(label, costs->marks, KIND_TEXT);
		if (costs->numbers != NULL && ReadNumberLabel(label, &number))
		{
			spelling.has_value = true;
			spelling.like = SpellingOfNumber(costs, label, costs->spellings);
		}
		costs->spelling[costs->spellings] = spelling;
	}
}

void
ModelCostsLeaveIgnoredOut(ModelCosts *costs, bool left_out)
{
	TedUniformCosts *least = &costs->labels.least;

	costs->ignored_left_out = left_out;
	if (costs->has_ignored && !left_out)
		*least = (TedUniformCosts){0, 0, Min(least->rename, 1)};
}

/*
 * Widens the bounds on all costs by the terms of a label.  `is_alike` says that renaming it to
 * another label can be free.
 */
static void
WidenBounds(ModelCosts *costs, const CostTerms *terms, bool is_alike)
{
	TedUniformCosts *least = &costs->labels.least;
	TedUniformCosts *most = &costs->labels.most;
	int32 insert = terms->insert / costs->unit;
	int32 delete = terms->delete_ / costs->unit;
	bool is_graded = terms->texts != TED_TEXTS_EXACT || terms->numbers == NUMBERS_RELATIVE;

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
	if (is_alike)
		least->rename = 0;
	if (costs->has_never)
		most->rename = Max(most->rename, most->insert + most->delete_ + 1);
}

/* Adds a label.  Returns its id. */
static int32
AddLabel(ModelCosts *costs, const CostLabel *added)
{
	const CostTerms *terms = &added->terms;
	int32 *first = &costs->spelling[added->spelling].first;
	TedUniformCosts least = costs->labels.least;
	CostLabel *label;

	if (costs->count == costs->capacity)
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
	label = &costs->label[costs->count];
	*label = *added;
	label->next = *first;
	costs->traits[costs->count] =
		(LabelTraits){.spelling = label->spelling,
					  .rename = terms->rename == TED_NEVER_RENAMED ? TED_NEVER_RENAMED
																   : terms->rename / costs->unit,
					  .is_graded = label->is_number || costs->spelling[label->spelling].has_value ||
								   terms->texts != TED_TEXTS_EXACT,
					  .is_ignored = terms->ignored != 0,
					  .has_tolerance = label->is_number && HasTolerance(terms),
					  .is_unordered = terms->unordered == 1,
					  .key = label->key};
	costs->insert[costs->count] = terms->insert / costs->unit;
	costs->delete_[costs->count] = terms->delete_ / costs->unit;
	costs->graded += terms->texts != TED_TEXTS_EXACT;
	WidenBounds(costs, terms, *first >= 0 || costs->traits[costs->count].has_tolerance);
	costs->has_ignored |= terms->ignored;
	if (terms->ignored && costs->ignored_left_out)
		costs->labels.least = least;
	*first = costs->count;
	return costs->count++;
}

/* Whether two sets of terms are equal. */
static bool
SameTerms(const CostTerms *a, const CostTerms *b)
{
	return a->insert == b->insert && a->delete_ == b->delete_ && a->rename == b->rename &&
		   a->texts == b->texts && a->numbers == b->numbers && a->ignored == b->ignored &&
		   a->tolerance == b->tolerance && a->relative == b->relative &&
		   a->unordered == b->unordered;
}

/* The value of `unordered` for an element that a rule selects, but that has a text. */
#define ORDERED_BY_TEXT 2

/* The terms of ignored nodes. */
static const CostTerms ignored_terms = {.rename = TED_NEVER_RENAMED, .ignored = 1};

/*
 * Returns the label of nodes of a kind with a spelling, some terms and a key; adds it if it is
 * new.
 */
static int32
LabelWithTerms(ModelCosts *costs, int32 spelling, TreeKind kind, const CostTerms *terms, int32 key)
{
	const Spelling *spelt = &costs->spelling[spelling];
	uint32 kinds = spelt->like == spelling ? 1u << kind : 0;
	CostLabel added;
	Label whole = LabelOfSpelling(costs, spelling, kind);
	Label text = kind == KIND_STRING ? (Label){whole.bytes + 1, whole.length - 2} : whole;

	if (terms->ignored == 1)
		terms = &ignored_terms;
	for (int32 id = costs->spelling[spelt->like].first; id >= 0; id = costs->label[id].next)
	{
		CostLabel *label = &costs->label[id];

		if (label->key == key && SameTerms(&label->terms, terms) &&
			((spelt->has_value && terms->texts == TED_TEXTS_EXACT) ||
			 (label->text.label.length == text.length &&
			  memcmp(label->text.label.bytes, text.bytes, (size_t) label->text.label.length) == 0)))
		{
			label->kinds |= kinds;
			return id;
		}
	}
	added = (CostLabel){
		.spelling = spelt->like, .key = key, .kinds = kinds, .terms = *terms, .text.label = text};
	added.is_number = (terms->numbers == NUMBERS_RELATIVE || HasTolerance(terms)) &&
					  ReadNumberLabel(text, &added.number);
	return AddLabel(costs, &added);
}

/* Returns the label of a node, if it depends on its spelling and its kind only. */
static int32
LabelOfKind(ModelCosts *costs, int32 spelling, TreeKind kind)
{
	PathNode node = {.kind = kind, .is_step = kind != NO_KIND, .above = -1};
	CostTerms terms;

	for (int32 id = costs->spelling[spelling].first; id >= 0; id = costs->label[id].next)
		if (costs->label[id].kinds & 1u << kind)
			return id;
	if (kind == KIND_IGNORED)
		return LabelWithTerms(costs, spelling, kind, &ignored_terms, 0);
	node.label = LabelOfSpelling(costs, spelling, kind);
	terms = CostModelTerms(costs->model, &node, 0);
	return LabelWithTerms(costs, spelling, kind, &terms, 0);
}

/* Returns the kind of a node.  The node of a document, above the root, is none that patterns know.
 */
static TreeKind
KindOfNode(const ModelCosts *costs, const TedTree *tree, int32 x, TreeKind above)
{
	if (costs->marks == MARKS_OF_PATCHES && x == tree->size - 1)
		return NO_KIND;
	return KindOfForm(costs->spelling[tree->label[x]].form, above, tree->subtree_size[x] == 1);
}

/* Sets the labels of a tree's nodes if they depend on spellings and kinds only. */
static void
RelabelByKind(ModelCosts *costs, const TedTree *tree, int32 *label)
{
	uint8 *above = palloc_array(uint8, tree->size); /* kind of the parent of each node */

	above[tree->size - 1] = NO_KIND;
	for (int32 x = tree->size - 1; x >= 0; x--)
	{
		int32 spelling = tree->label[x];
		TreeKind kind = KIND_IGNORED;

		CHECK_FOR_INTERRUPTS();
		if (above[x] != KIND_IGNORED)
			kind = KindOfNode(costs, tree, x, (TreeKind) above[x]);
		label[x] = LabelOfKind(costs, spelling, kind);
		if (costs->label[label[x]].terms.ignored)
			kind = KIND_IGNORED;
		for (int32 c = x - 1; c > x - tree->subtree_size[x]; c -= tree->subtree_size[c])
			above[c] = (uint8) kind;
	}
	pfree(above);
}

/* Sets the properties of a node that patterns use.  Its parent must have been set. */
static void
SetPathNode(const ModelCosts *costs, const TedTree *tree, PathNode *nodes, int32 x)
{
	PathNode *node = &nodes[x];
	int32 spelling = tree->label[x];
	TreeKind above = node->above < 0 ? NO_KIND : nodes[node->above].kind;

	node->kind = KindOfNode(costs, tree, x, above);
	node->label = LabelOfSpelling(costs, spelling, node->kind);
	node->is_step = IsPathStep(node->kind, above);
}

/* Returns the nodes of a tree with the properties that patterns use. */
static PathNode *
ListPathNodes(ModelCosts *costs, const TedTree *tree)
{
	PathNode *nodes = palloc_extended(sizeof(PathNode) * (Size) tree->size, MCXT_ALLOC_HUGE);

	nodes[tree->size - 1].above = -1;
	for (int32 x = tree->size - 1; x >= 0; x--)
	{
		CHECK_FOR_INTERRUPTS();
		SetPathNode(costs, tree, nodes, x);
		for (int32 c = x - 1; c > x - tree->subtree_size[x]; c -= tree->subtree_size[c])
			nodes[c].above = x;
	}
	return nodes;
}

/*
 * Returns the key of each node that is an element of an array with a key, and 0 for others.  Of
 * several keys of an element, the first one counts.
 */
static int32 *
ListKeys(ModelCosts *costs, const TedTree *tree)
{
	PathNode *nodes = ListPathNodes(costs, tree);
	int32 *key = palloc0_array(int32, tree->size);

	for (int i = costs->model->begin[RULE_PATH]; i < costs->model->count; i++)
		for (int32 x = 0; x < tree->size && costs->model->rules[i].is_key; x++)
		{
			int32 element = ElementOfKey(&costs->model->rules[i], nodes, x);

			CHECK_FOR_INTERRUPTS();
			/* the number, from 1 on, of the values below the key */
			if (element >= 0 && key[element] == 0)
			{
				int32 below = tree->subtree_size[x] - 1;
				int32 *value = palloc_array(int32, 2 * (Size) below + 1);

				for (int32 n = 0; n < below; n++)
				{
					value[2 * n] = costs->spelling[tree->label[x - 1 - n]].like;
					value[2 * n + 1] = tree->subtree_size[x - 1 - n];
				}
				key[element] =
					LabelTableIntern(costs->keys, (char *) value, 2 * below * (int) sizeof(int32)) +
					1;
				pfree(value);
			}
		}
	pfree(nodes);
	return key;
}

/* Whether a node is a text of XML in a tree for a difference or a patch. */
static bool
IsMarkedText(const ModelCosts *costs, int32 spelling)
{
	Label label = LabelTableGet(costs->table, spelling);

	return label.length > 0 &&
		   label.bytes[0] == (costs->marks == MARKS_OF_PATCHES ? TEXT_MARK : MARK_TEXT);
}

/* Whether a label is white space. */
static bool
IsWhiteSpace(Label label)
{
	for (int i = 0; i < label.length; i++)
		if (strchr(" \t\n\r", label.bytes[i]) == NULL)
			return false;
	return true;
}

/* Whether a node of XML has a text that is not white space, so that its children have an order. */
static bool
HasMixedContent(const ModelCosts *costs, const TedTree *tree, int32 x)
{
	for (int32 c = x - 1; c > x - tree->subtree_size[x]; c -= tree->subtree_size[c])
	{
		CHECK_FOR_INTERRUPTS();
		if (IsMarkedText(costs, tree->label[c]) &&
			!IsWhiteSpace(LabelOfSpelling(costs, tree->label[c], KIND_TEXT)))
			return true;
	}
	return false;
}

/* Returns the label of a node whose ancestors have labels. */
static int32
LabelOfPath(ModelCosts *costs, const TedTree *tree, const PathNode *nodes, int32 x,
			const int32 *label, int32 key)
{
	int32 spelling = tree->label[x];
	int32 above = nodes[x].above;
	CostTerms terms;

	/* a rule for children without an order leaves white space between them alone */
	if (costs->marks != NO_MARKS && above >= 0 && costs->label[label[above]].terms.unordered &&
		IsMarkedText(costs, spelling) && IsWhiteSpace(nodes[x].label))
		return LabelOfKind(costs, spelling, KIND_IGNORED);
	terms = CostModelTerms(costs->model, nodes, x);
	if (costs->marks != NO_MARKS && terms.unordered && HasMixedContent(costs, tree, x))
		terms.unordered = ORDERED_BY_TEXT;
	return LabelWithTerms(costs, spelling, nodes[x].kind, &terms, key);
}

/* Sets the labels of a tree's nodes if they also depend on ancestors. */
static void
RelabelByPath(ModelCosts *costs, const TedTree *tree, int32 *label)
{
	int32 *keys = costs->keys == NULL ? NULL : ListKeys(costs, tree);
	PathNode *nodes = palloc_extended(sizeof(PathNode) * (Size) tree->size, MCXT_ALLOC_HUGE);

	nodes[tree->size - 1].above = -1;
	for (int32 x = tree->size - 1; x >= 0; x--)
	{
		int32 spelling = tree->label[x];
		TreeKind above = nodes[x].above < 0 ? NO_KIND : nodes[nodes[x].above].kind;
		TreeKind kind = KIND_IGNORED;

		CHECK_FOR_INTERRUPTS();
		if (above == KIND_IGNORED)
			label[x] = LabelOfKind(costs, spelling, kind);
		else
		{
			SetPathNode(costs, tree, nodes, x);
			kind = nodes[x].kind;
			label[x] = LabelOfPath(costs, tree, nodes, x, label, keys == NULL ? 0 : keys[x]);
		}
		nodes[x].kind = costs->label[label[x]].terms.ignored ? KIND_IGNORED : kind;
		for (int32 c = x - 1; c > x - tree->subtree_size[x]; c -= tree->subtree_size[c])
			nodes[c].above = x;
	}
	pfree(nodes);
	if (keys != NULL)
		pfree(keys);
}

/* Whether a pattern selects any of some nodes. */
static bool
SelectsAny(const PathPattern *pattern, const PathNode *nodes, int32 count)
{
	for (int32 x = 0; x < count; x++)
	{
		CHECK_FOR_INTERRUPTS();
		if (PatternSelects(pattern, nodes, x))
			return true;
	}
	return false;
}

/* Whether the patterns of a model are checked, for trees with `nodes` nodes together. */
static bool
ChecksPatterns(const CostModel *model, int64 nodes)
{
	return !model->is_checked && model->count > 0 && !IsParallelWorker() &&
		   nodes * model->count <= MOST_PATTERN_CHECKS;
}

Size
PatternCheckBytes(const CostModel *model, int64 nodes)
{
	return ChecksPatterns(model, nodes) ? sizeof(PathNode) * (Size) nodes : 0;
}

/* Warns of a pattern that selects no node of the first two documents. */
static void
WarnOfPattern(const PathPattern *pattern)
{
	ereport(WARNING,
			(errmsg("a pattern of the cost model selects no node"),
			 ValueDetail("Neither of the first two documents has such a node.",
						 "Neither of the first two documents has a node for \"%s\".",
						 WritePathPattern(pattern)),
			 PatternLooksForeign(pattern)
				 ? errhint("A pattern is a path of names, such as /a/b or //b, and \"*\" is any "
						   "element of an array.")
				 : errhint("Correct the pattern, or leave it out.")));
}

/*
 * Warns of the first pattern that looks like another language and selects no node of the first two
 * trees that are relabelled.
 */
static void
CheckForeignPatterns(ModelCosts *costs, const TedTree *tree)
{
	CostModel *model = unconstify(CostModel *, costs->model);
	PathNode *nodes;
	ErrorContextCallback reading;

	if (!model->looks_foreign || tree->size > MOST_NODES_CHECKED ||
		!ChecksPatterns(model, tree->size))
		return;
	nodes = ListPathNodes(costs, tree);
	for (int i = 0; i < model->count; i++)
	{
		PathPattern *pattern = &model->rules[i].pattern;

		pattern->is_met = pattern->is_met || SelectsAny(pattern, nodes, tree->size);
	}
	pfree(nodes);
	if (++model->trees_read < 2)
		return;
	model->is_checked = true;
	BeginReading(&reading, model->is_shown);
	for (int i = 0; i < model->count; i++)
		if (!model->rules[i].pattern.is_met && PatternLooksForeign(&model->rules[i].pattern))
		{
			WarnOfPattern(&model->rules[i].pattern);
			break;
		}
	EndReading(&reading);
}

void
WarnOfUnusedPatterns(ModelCosts *costs, const TedTree *a, const TedTree *b)
{
	CostModel *model = unconstify(CostModel *, costs->model);
	MemoryContext caller;
	PathNode *nodes_a;
	PathNode *nodes_b;
	ErrorContextCallback reading;

	if (!ChecksPatterns(model, (int64) a->size + b->size))
		return;
	model->is_checked = true;
	caller = MemoryContextSwitchTo(costs->context);
	ReadSpellings(costs);
	MemoryContextSwitchTo(caller);
	nodes_a = ListPathNodes(costs, a);
	nodes_b = ListPathNodes(costs, b);
	BeginReading(&reading, model->is_shown);
	for (int i = 0; i < model->count; i++)
	{
		const PathPattern *pattern = &model->rules[i].pattern;

		if (!SelectsAny(pattern, nodes_a, a->size) && !SelectsAny(pattern, nodes_b, b->size))
			WarnOfPattern(pattern);
	}
	EndReading(&reading);
	pfree(nodes_a);
	pfree(nodes_b);
}

void
RelabelTree(ModelCosts *costs, const TedTree *tree, TedTree *relabelled)
{
	int32 *label;
	MemoryContext caller;
	int32 pairs;

	*relabelled = *tree;
	if (!ted_costs_by_label(&costs->costs))
		return;
	label = palloc_array(int32, tree->size);
	caller = MemoryContextSwitchTo(costs->context);
	ReadSpellings(costs);
	CheckForeignPatterns(costs, tree);
	if (costs->model->by_path)
		RelabelByPath(costs, tree, label);
	else
		RelabelByKind(costs, tree, label);

	/* a larger cache if there are many graded labels by now and memory allows it */
	pairs = (int32) Min((int64) costs->graded * costs->graded, (int64) MOST_REMEMBERED_RENAMES);
	if (costs->labels.cache != NULL && pairs / 4 >= costs->remembered &&
		ted_rename_cache_memory(pairs) / 1024 <= (Size) ted_max_memory / 8)
		RememberRenames(costs, pairs);

	MemoryContextSwitchTo(caller);
	relabelled->label = label;
}

LabelGrade
GradeOfLabel(const ModelCosts *costs, int32 label)
{
	const CostLabel *known = &costs->label[label];

	return (LabelGrade){.texts = (TedTextMeasure) known->terms.texts,
						.is_number = known->is_number,
						.text = known->text.label,
						.like = known->next};
}

LabelTraits
TraitsOfLabel(const ModelCosts *costs, int32 label)
{
	if (!ted_costs_by_label(&costs->costs))
		return (LabelTraits){.spelling = label, .rename = costs->costs.rename};
	return costs->traits[label];
}

void
ModelCostsKeep(ModelCosts *costs)
{
	ReadSpellings(costs);
	costs->kept = costs->count;
	if (costs->numbers != NULL)
		LabelTableKeep(costs->numbers);
	costs->kept_graded = costs->graded;
}

void
ModelCostsForget(ModelCosts *costs)
{
	bool forgets = costs->count > costs->kept;

	costs->count = costs->kept;
	if (costs->numbers != NULL)
		LabelTableForget(costs->numbers);
	costs->graded = costs->kept_graded;
	costs->spellings = Min(costs->spellings, LabelTableCount(costs->table));
	for (int32 i = 0; i < costs->spellings; i++)
		while (costs->spelling[i].first >= costs->count)
			costs->spelling[i].first = costs->label[costs->spelling[i].first].next;
	if (forgets && costs->labels.cache != NULL)
		ted_rename_cache_forget(costs->labels.cache);
}

const TedCosts *
ModelTedCosts(const ModelCosts *costs)
{
	return &costs->costs;
}

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

float8
CostModelNumber(const CostModel *model, int64 cost)
{
	return (float8) cost / model->scale;
}

float8
CostInModel(const ModelCosts *costs, int64 cost)
{
	return CostModelNumber(costs->model, cost);
}

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

int32
LimitOfModel(const ModelCosts *costs, float8 limit)
{
	return CostModelLimit(costs->model, limit);
}

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
