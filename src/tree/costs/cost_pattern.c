/*
 * cost_pattern.c
 *	  Patterns of cost models: the nodes that a rule applies to.
 */
#include "postgres.h"

#include "lib/stringinfo.h"
#include "miscadmin.h"

#include "../../compat.h"
#include "cost_pattern.h"

static const char *const kind_names[COST_KINDS] = {"element", "attribute", "value", "text",
												   "object",  "array",     "key",   "string",
												   "number",  "boolean",   "null"};


/* Refuses what is not a model at all. */
#define REFUSE(context, detail, hint)                                                              \
	ereturn(context, false,                                                                        \
			(errcode(ERRCODE_INVALID_TEXT_REPRESENTATION), errmsg("invalid cost model"), detail,   \
			 hint))

/* Reads the name of a kind. */
static bool
ReadKind(Label name, CostKind *kind, Node *context)
{
	StringInfoData valid;

	for (int i = 0; i < COST_KINDS; i++)
		if (LabelIs(name, kind_names[i]))
		{
			*kind = (CostKind) i;
			return true;
		}
	initStringInfo(&valid);
	for (int i = 0; i < COST_KINDS; i++)
		appendStringInfo(&valid, "%s%s()", i > 0 ? ", " : "", kind_names[i]);
	REFUSE(context,
		   errdetail("The pattern \"%s()\" names no kind of nodes.",
					 pnstrdup(name.bytes, name.length)),
		   errhint("Use one of %s, or write a label with brackets as \"\\()\".", valid.data));
}

/* Reads a pattern. */
bool
ReadCostPattern(Label text, CostPattern *pattern, Node *context)
{
	char *label = palloc((Size) text.length + 1);
	int length = 0;
	bool star = false;
	bool brackets = false;

	for (int i = 0; i < text.length; i++)
	{
		int left = text.length - i;
		char c = text.bytes[i];

		CHECK_FOR_INTERRUPTS();
		star = c == '*' && left == 1;
		brackets = c == '(' && left == 2 && text.bytes[i + 1] == ')';
		if (star || brackets)
			break;
		if (c == '\\' && left == 1)
			REFUSE(context, errdetail("A pattern ends with a backslash."),
				   errhint("Write a backslash as \"\\\\\"."));
		if (c == '\\')
			c = text.bytes[++i];
		label[length++] = c;
	}
	pattern->label = (Label){label, length};
	if (brackets)
	{
		pattern->form = PATTERN_KIND;
		return ReadKind(pattern->label, &pattern->kind, context);
	}
	pattern->form = !star ? PATTERN_LABEL : length == 0 ? PATTERN_ALL : PATTERN_PREFIX;
	return true;
}

/* Writes a pattern. */
char *
WriteCostPattern(const CostPattern *pattern)
{
	StringInfoData text;

	if (pattern->form == PATTERN_KIND)
		return psprintf("%s()", kind_names[pattern->kind]);
	initStringInfo(&text);
	for (int i = 0; pattern->form != PATTERN_ALL && i < pattern->label.length; i++)
	{
		const char *rest = pattern->label.bytes + i;
		int left = pattern->label.length - i;
		bool is_end = pattern->form == PATTERN_LABEL &&
					  ((left == 1 && *rest == '*') || (left == 2 && memcmp(rest, "()", 2) == 0));

		CHECK_FOR_INTERRUPTS();
		if (is_end || *rest == '\\')
			appendStringInfoChar(&text, '\\');
		appendStringInfoChar(&text, *rest);
	}
	if (pattern->form == PATTERN_ALL || pattern->form == PATTERN_PREFIX)
		appendStringInfoChar(&text, '*');
	return text.data;
}

/* Orders patterns. */
int
CompareCostPatterns(const CostPattern *a, const CostPattern *b)
{
	if (a->form != b->form)
		return a->form < b->form ? -1 : 1;
	if (a->form == PATTERN_KIND)
		return (a->kind > b->kind) - (a->kind < b->kind);
	if (a->form == PATTERN_PREFIX && a->label.length != b->label.length)
		return a->label.length < b->label.length ? -1 : 1;
	return CompareLabels(a->label, b->label);
}
