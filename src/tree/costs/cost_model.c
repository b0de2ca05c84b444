/*
 * cost_model.c
 *	  Costs of edit operations by label: cost models, the values of the type tree_costs.
 */
#include "postgres.h"

#include "catalog/pg_collation.h"
#include "miscadmin.h"
#include "regex/regex.h"
#include "utils/builtins.h"

#include "../../common/host.h"
#include "../../common/messages.h"
#include "../../compat.h"
#include "../convert/json_labels.h"
#include "cost_model.h"

/* Whether nodes of a kind have labels that are texts, and that can be numbers. */
#define HAS_TEXT(kind) ((kind) == KIND_TEXT || (kind) == KIND_VALUE || (kind) == KIND_STRING)
#define HAS_NUMBER(kind) ((kind) == KIND_TEXT || (kind) == KIND_VALUE || (kind) == KIND_NUMBER)

/* How the expressions of rules are compiled. */
#define EXPRESSION_FLAGS (REG_ADVANCED | REG_NOSUB)

/* An upper bound on the memory for reading a rule, in addition to the rule and its pattern. */
#define RULE_OVERHEAD 256

CostModel *
CostModelCreate(void)
{
	CostModel *model = palloc0_object(CostModel);

	model->terms = (CostTerms){.insert = COST_SCALE,
							   .delete_ = COST_SCALE,
							   .rename = COST_SCALE,
							   .texts = TED_TEXTS_EXACT,
							   .numbers = NUMBERS_EXACT,
							   .ignored = NO_TERM};
	model->capacity = 8;
	model->rules = palloc_array(CostRule, model->capacity);
	return model;
}

/* Replaces the terms that `over` sets. */
static void
Overlay(CostTerms *terms, const CostTerms *over)
{
	if (over->insert != NO_TERM)
		terms->insert = over->insert;
	if (over->delete_ != NO_TERM)
		terms->delete_ = over->delete_;
	if (over->rename != NO_TERM)
		terms->rename = over->rename;
	if (over->texts != NO_TERM)
		terms->texts = over->texts;
	if (over->numbers != NO_TERM)
		terms->numbers = over->numbers;
	if (over->ignored != NO_TERM)
		terms->ignored = over->ignored;
	if (over->tolerance >= 0)
		terms->tolerance = over->tolerance;
	if (over->relative >= 0)
		terms->relative = over->relative;
	if (over->unordered != NO_TERM)
		terms->unordered = over->unordered;
}

bool
ReadCostExpression(Label expression, text **matches, Node *context)
{
	MemoryContext caller = CurrentMemoryContext;
	volatile bool is_valid = false;

	CheckMemoryLimit((Size) expression.length + VARHDRSZ, "reading a cost model");
	*matches = cstring_to_text_with_len(expression.bytes, expression.length);
	PG_TRY();
	{
		RE_compile_and_cache(*matches, EXPRESSION_FLAGS, C_COLLATION_OID);
		is_valid = true;
	}
	PG_CATCH();
	{
		ReportWithoutValues(caller, context, "invalid cost model",
							"A regular expression is not valid.",
							"Write it as for the operator ~.");
	}
	PG_END_TRY();
	return is_valid;
}

void
CostModelAdd(CostModel *model, const CostRule *rule, Size bytes)
{
	const CostTerms *terms = &rule->terms;
	bool has_terms = terms->insert != NO_TERM || terms->delete_ != NO_TERM ||
					 terms->rename != NO_TERM || terms->texts != NO_TERM ||
					 terms->numbers != NO_TERM || terms->ignored != NO_TERM ||
					 terms->tolerance >= 0 || terms->relative >= 0 || terms->unordered != NO_TERM;

	if (!has_terms && !rule->is_key)
		return;
	model->bytes += bytes + RULE_OVERHEAD;
	if (model->count == model->capacity)
	{
		CheckMemoryLimit(3 * sizeof(CostRule) * (Size) model->capacity + model->bytes,
						 "reading a cost model");
		model->capacity *= 2;
		model->rules = repalloc_huge(model->rules, sizeof(CostRule) * (Size) model->capacity);
	}
	model->rules[model->count++] = *rule;
	model->looks_foreign = model->looks_foreign || PatternLooksForeign(&rule->pattern);
}

/* Orders rules by their patterns, and of equal ones those without an expression first. */
static int
CompareRules(const void *x, const void *y)
{
	const CostRule *a = x;
	const CostRule *b = y;
	int order = ComparePathPatterns(&a->pattern, &b->pattern);

	CHECK_FOR_INTERRUPTS();
	if (order != 0 || a->matches == NULL || b->matches == NULL)
		return order != 0 ? order : (a->matches != NULL) - (b->matches != NULL);
	return CompareLabels(TextLabel(PointerGetDatum(a->matches)),
						 TextLabel(PointerGetDatum(b->matches)));
}

/* Returns the form of a rule. */
static RuleForm
FormOfRule(const CostRule *rule)
{
	const PathPattern *pattern = &rule->pattern;

	if (pattern->count == 0)
		return rule->matches == NULL ? RULE_ALL : RULE_ANY;
	if (pattern->count > 1 || !pattern->anywhere)
		return RULE_PATH;
	return (RuleForm) (RULE_ANY + pattern->steps[0].form);
}

/* Whether the effect of a rule on a node depends on the node's ancestors. */
static bool
IsByPath(const CostRule *rule)
{
	RuleForm form = FormOfRule(rule);

	if (rule->terms.unordered > 0)
		return true; /* what is below may depend on it */
	if (form == RULE_BEGINNING || form == RULE_NAME)
		return rule->terms.ignored <= 0 || rule->matches != NULL; /* else all nodes below are
																   * ignored, too */
	return (form == RULE_ANY && rule->pattern.count > 0) || form == RULE_PATH;
}

/* Whether all costs among some terms are multiples of a unit, in thousandths. */
static bool
FitsScale(const CostTerms *terms, int32 unit)
{
	return (terms->insert == NO_TERM || terms->insert % unit == 0) &&
		   (terms->delete_ == NO_TERM || terms->delete_ % unit == 0) &&
		   (terms->rename == NO_TERM || terms->rename == TED_NEVER_RENAMED ||
			terms->rename % unit == 0);
}

/* Whether all costs of a cost model are multiples of a unit, in thousandths. */
static bool
ModelFitsScale(const CostModel *model, int32 unit)
{
	for (int i = 0; i < model->count; i++)
		if (!FitsScale(&model->rules[i].terms, unit))
			return false;
	return FitsScale(&model->terms, unit);
}

/* Whether some terms compare labels as numbers. */
static bool
ComparesNumbers(const CostTerms *terms)
{
	return terms->numbers > NUMBERS_EXACT || HasTolerance(terms);
}

/* Whether some terms compare labels as texts or as numbers. */
static bool
IsGraded(const CostTerms *terms)
{
	return terms->texts > TED_TEXTS_EXACT || ComparesNumbers(terms);
}

bool
CostModelHasTolerance(const CostModel *model)
{
	for (int i = 0; i < model->count; i++)
		if (HasTolerance(&model->rules[i].terms))
			return true;
	return HasTolerance(&model->terms);
}

bool
CostModelIsGraded(const CostModel *model)
{
	for (int i = 0; i < model->count; i++)
		if (IsGraded(&model->rules[i].terms))
			return true;
	return IsGraded(&model->terms);
}

/* Whether the pattern of a rule for keys leads to an array, to its elements, and to their keys. */
static bool
IsKeyPattern(const PathPattern *pattern)
{
	for (int i = 0; i < pattern->count - 1; i++)
		if (pattern->steps[i].form == STEP_ANY)
			return pattern->steps[pattern->count - 1].form >= STEP_BEGINNING;
	return false;
}

/* Sorts the rules, and sets the members of the cost model that depend on them. */
bool
CostModelFinish(CostModel *model, Node *context)
{
	int next = 0;

	if (model->count > 1)
		qsort(model->rules, model->count, sizeof(CostRule), CompareRules);
	for (int i = 1; i < model->count; i++)
		if (CompareRules(&model->rules[i - 1], &model->rules[i]) == 0)
			ereturn(context, false,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("cost model has two rules for the same nodes"),
					 ValueDetail("A pattern occurs more than once.",
								 "The pattern \"%s\" occurs more than once.",
								 WritePathPattern(&model->rules[i].pattern)),
					 errhint("Put all costs of a pattern into one rule.")));
	for (int form = 0; form < (int) lengthof(model->begin); form++)
	{
		while (next < model->count && (int) FormOfRule(&model->rules[next]) < form)
			next++;
		model->begin[form] = next;
	}
	if (model->begin[RULE_ANY] > 0)
		Overlay(&model->terms, &model->rules[0].terms);
	model->equates_numbers = ComparesNumbers(&model->terms);
	model->has_unordered = model->arrays != ARRAYS_ORDERED || model->terms.unordered > 0;
	model->by_path = model->terms.unordered > 0;
	for (int i = 0; i < model->count; i++)
	{
		if (model->rules[i].is_key && !IsKeyPattern(&model->rules[i].pattern))
			ereturn(context, false,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("invalid cost model"),
					 ValueDetail("A pattern names no key of elements of an array.",
								 "The pattern \"%s\" names no key of elements of an array.",
								 WritePathPattern(&model->rules[i].pattern)),
					 errhint("Write the path to an array, a star for its elements, and the "
							 "path to the key in an element: \"/items/*/sku\".")));
		model->has_keys |= model->rules[i].is_key;
		model->has_unordered |= model->rules[i].is_key || model->rules[i].terms.unordered > 0;
		model->by_path |= IsByPath(&model->rules[i]);
		model->equates_numbers |= ComparesNumbers(&model->rules[i].terms);
	}
	if (model->terms.ignored > 0)
		ereturn(context, false,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("cost model ignores all nodes"),
				 errdetail("The pattern \"*\" selects all nodes."),
				 errhint("Say which nodes to ignore.")));
	model->scale = COST_SCALE;
	while (!CostModelIsGraded(model) && model->scale > 1 &&
		   ModelFitsScale(model, 10 * COST_SCALE / model->scale))
		model->scale /= 10;
	return true;
}

/* Whether a node is the value of its parent, or one of its texts, by their kinds. */
static bool
IsValueOf(TreeKind kind, TreeKind above)
{
	switch (above)
	{
		case KIND_KEY:
			return kind == KIND_STRING || kind == KIND_NUMBER || kind == KIND_BOOLEAN ||
				   kind == KIND_NULL;
		case KIND_ATTRIBUTE:
			return kind == KIND_VALUE;
		default:
			return above == KIND_ELEMENT && kind == KIND_TEXT;
	}
}

int32
ElementOfKey(const CostRule *rule, const PathNode *nodes, int32 node)
{
	const PathPattern *pattern = &rule->pattern;
	int32 element = node;

	if (!rule->is_key || !PatternSelects(pattern, nodes, node))
		return -1;
	for (int i = pattern->count - 1; pattern->steps[i].form != STEP_ANY; i--)
		do
			element = nodes[element].above;
		while (!nodes[element].is_step);
	return nodes[element].above >= 0 && nodes[nodes[element].above].kind == KIND_ARRAY ? element
																					   : -1;
}

/* Whether an array is one whose elements have keys by a rule. */
static bool
HasKeyedElements(const CostRule *rule, const PathNode *nodes, int32 array)
{
	PathPattern path = rule->pattern;
	int32 step = array;

	while (path.steps[path.count - 1].form != STEP_ANY)
		path.count--;
	path.count--;
	while (step >= 0 && !nodes[step].is_step)
		step = nodes[step].above;
	if (path.count == 0)
		return path.anywhere || step < 0;
	return step >= 0 && PatternSelects(&path, nodes, step);
}

/* A node whose terms are being determined. */
typedef struct TermSearch
{
	const CostModel *model;
	const PathNode *nodes;
	int32 node;
	int32 owner; /* the parent, if the node is its value, or an array that is, or -1 */
	CostTerms terms;
} TermSearch;

/* Whether a node is a value or a text that matches a regular expression. */
static bool
MatchesExpression(const PathNode *node, text *expression)
{
	Label value = node->label;
	Label unquoted;

	if (node->kind != KIND_VALUE && node->kind != KIND_TEXT &&
		(node->kind < KIND_STRING || node->kind > KIND_NULL))
		return false;
	if (node->kind == KIND_STRING)
		value = memchr(value.bytes, '\\', (size_t) value.length) != NULL &&
						JsonKeyOfLabel(value, &unquoted)
					? unquoted
					: (Label){value.bytes + 1, value.length - 2};
	CheckMemoryLimit(sizeof(pg_wchar) * ((Size) value.length + 1), "matching an expression");
	return RE_compile_and_execute(expression, unconstify(char *, value.bytes), value.length,
								  EXPRESSION_FLAGS, C_COLLATION_OID, 0, NULL);
}

/*
 * Applies a rule to a node if its pattern selects the node or reaches it from the parent, and the
 * node matches its expression.
 */
static void
ApplyRule(TermSearch *search, int rule)
{
	const CostRule *applied = &search->model->rules[rule];
	const PathNode *node = &search->nodes[search->node];
	bool is_named = PatternIsNamed(&applied->pattern);
	bool is_selected = PatternSelects(&applied->pattern, search->nodes, search->node);
	CostTerms terms;

	CHECK_FOR_INTERRUPTS();
	if (!is_selected && !(is_named && search->owner >= 0 &&
						  PatternSelects(&applied->pattern, search->nodes, search->owner)))
		return;
	if (applied->matches != NULL && !MatchesExpression(node, applied->matches))
		return;
	if (!is_selected && node->kind == KIND_ARRAY)
	{
		if (applied->terms.unordered != NO_TERM)
			search->terms.unordered = applied->terms.unordered;
		return;
	}
	if (!is_selected || !is_named ||
		(node->kind != KIND_KEY && node->kind != KIND_ATTRIBUTE && node->kind != KIND_ELEMENT))
	{
		Overlay(&search->terms, &applied->terms);
		return;
	}
	terms = applied->terms;
	terms.texts = terms.numbers = NO_TERM;
	terms.tolerance = terms.relative = NO_TERM;
	Overlay(&search->terms, &terms);
}

/* Whether a rule is one of those with a name. */
static inline bool
IsNameRule(const CostModel *model, int rule, Label name)
{
	return CompareLabels(model->rules[rule].pattern.steps[0].name, name) == 0;
}

/* Returns the index of the first rule with a name, or -1. */
static int
FindName(const CostModel *model, Label name)
{
	int low = model->begin[RULE_NAME];
	int high = model->begin[RULE_PATH];

	while (low < high)
	{
		int middle = low + (high - low) / 2;
		int order = CompareLabels(name, model->rules[middle].pattern.steps[0].name);

		if (order == 0)
		{
			while (middle > low && model->rules[middle].matches != NULL &&
				   IsNameRule(model, middle - 1, name))
				middle--;
			return middle;
		}
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return -1;
}

/* Returns the index of the first rule with the name of a key, or -1. */
static int
FindKey(const CostModel *model, Label label)
{
	Label key = {label.bytes + 1, label.length - 3};
	int rule;

	if (memchr(label.bytes, '\\', (size_t) label.length) == NULL)
		return FindName(model, key);
	if (!JsonKeyOfLabel(label, &key))
		return -1;
	rule = FindName(model, key);
	pfree(unconstify(char *, key.bytes));
	return rule;
}

/*
 * Applies the rules with the name of a node, and with the name of its parent if the node is
 * the parent's value.
 */
static void
ApplyNames(TermSearch *search)
{
	const int32 named[] = {search->node, search->owner};
	int rules[2 * lengthof(named)];
	int count = 0;

	if (search->model->begin[RULE_NAME] == search->model->begin[RULE_PATH])
		return;
	for (int i = 0; i < (int) lengthof(named) && named[i] >= 0; i++)
	{
		const PathNode *node = &search->nodes[named[i]];

		rules[count++] = FindName(search->model, node->label);
		if (node->kind == KIND_KEY)
			rules[count++] = FindKey(search->model, node->label);
	}
	for (int i = 1; i < count; i++)
		for (int j = i; j > 0 && rules[j - 1] > rules[j]; j--)
		{
			int rule = rules[j];

			rules[j] = rules[j - 1];
			rules[j - 1] = rule;
		}
	for (int i = 0; i < count; i++)
		if (rules[i] >= 0 && (i == 0 || rules[i] != rules[i - 1]))
		{
			Label name = search->model->rules[rules[i]].pattern.steps[0].name;
			int rule = rules[i];

			do
				ApplyRule(search, rule++);
			while (rule < search->model->begin[RULE_PATH] &&
				   search->model->rules[rule].matches != NULL &&
				   IsNameRule(search->model, rule, name));
		}
}

CostTerms
CostModelTerms(const CostModel *model, const PathNode *nodes, int32 node)
{
	TreeKind kind = nodes[node].kind;
	int32 above = nodes[node].above;
	TermSearch search = {
		.model = model, .nodes = nodes, .node = node, .owner = -1, .terms = model->terms};

	if (above >= 0 && (IsValueOf(kind, nodes[above].kind) ||
					   (kind == KIND_ARRAY && nodes[above].kind == KIND_KEY)))
		search.owner = above;

	if (!HAS_TEXT(kind))
		search.terms.texts = TED_TEXTS_EXACT;
	if (!HAS_NUMBER(kind))
	{
		search.terms.numbers = NUMBERS_EXACT;
		search.terms.tolerance = search.terms.relative = 0;
	}
	for (int i = model->begin[RULE_ANY]; i < model->begin[RULE_NAME]; i++)
		ApplyRule(&search, i);
	ApplyNames(&search);
	for (int i = model->begin[RULE_PATH]; i < model->count; i++)
	{
		ApplyRule(&search, i);
		if (model->rules[i].is_key && kind == KIND_ARRAY &&
			HasKeyedElements(&model->rules[i], nodes, node))
			search.terms.unordered = 1;
	}
	if (kind != KIND_ARRAY && kind != KIND_ELEMENT)
		search.terms.unordered = 0;
	search.terms.ignored = Max(search.terms.ignored, 0);
	return search.terms;
}

bool
CostModelIsSymmetric(const CostModel *model)
{
	for (int i = model->begin[RULE_ANY]; i < model->count; i++)
		if (model->rules[i].terms.insert != model->rules[i].terms.delete_)
			return false;
	return model->terms.insert == model->terms.delete_;
}

/* Whether terms have a cost of renaming greater than deletion and insertion together. */
static bool
IsIdleRename(const CostTerms *terms)
{
	return terms->ignored <= 0 && terms->rename != TED_NEVER_RENAMED &&
		   terms->rename > terms->insert + terms->delete_;
}

bool
CostModelHasIdleRenames(const CostModel *model, CostRule *rule)
{
	*rule = (CostRule){.terms = model->terms};
	if (IsIdleRename(&rule->terms))
		return true;
	for (int i = model->begin[RULE_ANY]; i < model->count; i++)
	{
		*rule = model->rules[i];
		rule->terms = model->terms;
		Overlay(&rule->terms, &model->rules[i].terms);
		if (IsIdleRename(&rule->terms))
			return true;
	}
	return false;
}

/* Lowers costs to those that terms set. */
static void
TakeLeast(OperationCosts *least, const CostTerms *terms)
{
	if (terms->insert != NO_TERM)
		least->insert = Min(least->insert, terms->insert);
	if (terms->delete_ != NO_TERM)
		least->delete_ = Min(least->delete_, terms->delete_);
	if (terms->rename != NO_TERM)
		least->rename = Min(least->rename, terms->rename);
}

/*
 * Returns lower bounds on the costs of operations.  TED_NEVER_RENAMED is greater than all
 * other costs.
 */
OperationCosts
CostModelLeastCosts(const CostModel *model)
{
	int32 unit = COST_SCALE / model->scale;
	OperationCosts least = {PG_INT32_MAX, PG_INT32_MAX, PG_INT32_MAX};

	TakeLeast(&least, &model->terms);
	for (int i = 0; i < model->count; i++)
		TakeLeast(&least, &model->rules[i].terms);
	return (OperationCosts){least.insert / unit, least.delete_ / unit, least.rename / unit};
}

int32
CostModelLeastCost(const CostModel *model)
{
	OperationCosts least = CostModelLeastCosts(model);

	return Min(Min(least.insert, least.delete_), least.rename);
}

bool
CostModelIsUniform(const CostModel *model)
{
	return model->count == model->begin[RULE_ANY] && !CostModelIsGraded(model) &&
		   model->terms.unordered <= 0;
}

bool
CostModelIsUnit(const CostModel *model)
{
	const CostTerms *terms = &model->terms;

	return CostModelIsUniform(model) && terms->insert == COST_SCALE &&
		   terms->delete_ == COST_SCALE && terms->rename == COST_SCALE && terms->ignored <= 0 &&
		   !model->has_unordered;
}

bool
CostModelIgnores(const CostModel *model)
{
	for (int i = 0; i < model->count; i++)
		if (model->rules[i].terms.ignored > 0)
			return true;
	return false;
}

/* Exchanges the costs of insertion and deletion. */
static void
TransposeTerms(CostTerms *terms)
{
	int32 insert = terms->insert;

	terms->insert = terms->delete_;
	terms->delete_ = insert;
}

CostModel *
CostModelTransposed(const CostModel *model)
{
	CostModel *transposed = palloc_object(CostModel);

	*transposed = *model;
	transposed->rules = palloc_array(CostRule, Max(model->count, 1));
	TransposeTerms(&transposed->terms);
	for (int i = 0; i < model->count; i++)
	{
		transposed->rules[i] = model->rules[i];
		TransposeTerms(&transposed->rules[i].terms);
	}
	return transposed;
}

void
CostModelBounds(const CostModel *model, NodeCosts *least, NodeCosts *most)
{
	int32 unit = COST_SCALE / model->scale;

	*least = *most = (NodeCosts){model->terms.insert / unit, model->terms.delete_ / unit};
	for (int i = model->begin[RULE_ANY]; i < model->count; i++)
	{
		const CostTerms *terms = &model->rules[i].terms;
		bool is_ignored = terms->ignored > 0;

		if (terms->insert != NO_TERM || is_ignored)
		{
			least->insert = Min(least->insert, is_ignored ? 0 : terms->insert / unit);
			most->insert = Max(most->insert, terms->insert / unit);
		}
		if (terms->delete_ != NO_TERM || is_ignored)
		{
			least->delete_ = Min(least->delete_, is_ignored ? 0 : terms->delete_ / unit);
			most->delete_ = Max(most->delete_, terms->delete_ / unit);
		}
	}
}
