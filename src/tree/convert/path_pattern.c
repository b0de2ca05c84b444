/*
 * path_pattern.c
 *	  Patterns that select nodes of documents and of trees by their place.
 *
 * All other syntax of XPath is refused, since it would silently select nothing.
 */
#include "postgres.h"

#include <ctype.h>

#include "lib/stringinfo.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/json.h"

#include "../../common/host.h"
#include "../../common/messages.h"
#include "../../compat.h"
#include "json_labels.h"
#include "path_pattern.h"

/* The most bytes in the label of a key for each byte of the name, and for quotes and colon. */
#define ESCAPED_BYTES 6
#define QUOTING_BYTES 4

/* Characters that need a backslash in a step. */
#define SPECIAL_CHARACTERS "/\\*[]()|"

static const char *const kind_names[TREE_KINDS] = {"element", "attribute", "value", "text",
												   "object",  "array",     "key",   "string",
												   "number",  "boolean",   "null"};

/* The state of reading a pattern. */
typedef struct PatternReader
{
	Label text;
	int at;           /* position of the next byte */
	char *bytes;      /* free memory for names */
	const char *hint; /* hint of the error, or NULL for the default */
	const char *problem;
} PatternReader;

Size
PathPatternBytes(int length)
{
	Size steps = (Size) length / 2 + 1;

	return steps * (sizeof(PathStep) + QUOTING_BYTES) + (1 + ESCAPED_BYTES) * ((Size) length + 1);
}

/* Sets the problem at the next byte.  Returns false. */
static bool
Refuse(PatternReader *reader, const char *problem)
{
	reader->problem = problem;
	return false;
}

/* Returns the byte at a distance from the next byte, or NUL after the end. */
static char
Ahead(const PatternReader *reader, int distance)
{
	int at = reader->at + distance;

	return at < reader->text.length ? reader->text.bytes[at] : '\0';
}

/* Whether a step ends at a distance from the next byte. */
static bool
EndsAhead(const PatternReader *reader, int distance)
{
	return reader->at + distance >= reader->text.length || Ahead(reader, distance) == '/';
}

/* Returns the problem with an unescaped character in a step, or NULL. */
static const char *
StepProblem(const PatternReader *reader, bool is_first)
{
	switch (Ahead(reader, 0))
	{
		case '[':
		case ']':
			return "Predicates and positions, such as \"[1]\", are not supported.";
		case '(':
		case ')':
			return "Brackets are only for kinds of nodes, at the end.";
		case '|':
			return "Alternatives are not supported; they are further patterns.";
		case ':':
			return Ahead(reader, 1) == ':' ? "Axes are not supported." : NULL;
		case '*':
			return "A star is only for the end of a name.";
		case '.':
			return is_first && EndsAhead(reader, Ahead(reader, 1) == '.' ? 2 : 1)
					   ? "Steps to the same node or its parent are not supported."
					   : NULL;
		default:
			return NULL;
	}
}

/* Returns the label, or its beginning, of a key with the name of a step. */
static Label
KeyOfName(PatternReader *reader, const PathStep *step)
{
	StringInfoData quoted;
	char *name;
	Label key = {reader->bytes, 0};

	if (IsJsonMember(step->name) || (step->form == STEP_BEGINNING && step->name.bytes[0] == '"'))
		return step->name;
	name = pnstrdup(step->name.bytes, (Size) step->name.length);
	initStringInfo(&quoted);
	escape_json(&quoted, name);
	if (step->form == STEP_NAME)
		appendStringInfoChar(&quoted, ':');
	else
		quoted.len--;
	memcpy(reader->bytes, quoted.data, (Size) quoted.len);
	reader->bytes += quoted.len;
	key.length = quoted.len;
	pfree(quoted.data);
	pfree(name);
	return key;
}

/* Reads a step that is a kind. */
static bool
ReadKind(PatternReader *reader, PathStep *step)
{
	StringInfoData valid;

	for (int i = 0; i < TREE_KINDS; i++)
		if (LabelIs(step->name, kind_names[i]))
		{
			step->form = STEP_KIND;
			step->kind = (TreeKind) i;
			reader->at += 2;
			return reader->at == reader->text.length ||
				   Refuse(reader, "Only the last step can be a kind of nodes.");
		}
	initStringInfo(&valid);
	for (int i = 0; i < TREE_KINDS; i++)
		appendStringInfo(&valid, "%s%s()", i > 0 ? ", " : "", kind_names[i]);
	reader->hint =
		psprintf("Use one of %s, or write a name with brackets as \"\\(\\)\".", valid.data);
	return Refuse(reader, "There is no such kind of nodes.");
}

/* Reads a step. */
static bool
ReadPatternStep(PatternReader *reader, PathStep *step)
{
	char *name = reader->bytes;
	int length = 0;

	for (; !EndsAhead(reader, 0); reader->at++)
	{
		CHECK_FOR_INTERRUPTS();
		if (Ahead(reader, 0) == '*' && EndsAhead(reader, 1))
			break;
		if (Ahead(reader, 0) == '(' && Ahead(reader, 1) == ')' && EndsAhead(reader, 2))
			break;
		if (Ahead(reader, 0) == '\\')
		{
			if (reader->at + 1 == reader->text.length)
				return Refuse(reader, "The pattern ends with a backslash.");
			reader->at++;
		}
		else
		{
			const char *problem = StepProblem(reader, length == 0);

			if (problem != NULL)
				return Refuse(reader, problem);
		}
		name[length++] = Ahead(reader, 0);
	}
	reader->bytes += length;
	*step = (PathStep){.form = STEP_NAME, .name = {name, length}};
	if (Ahead(reader, 0) == '(')
		return ReadKind(reader, step);
	if (Ahead(reader, 0) == '*')
	{
		step->form = length == 0 ? STEP_ANY : STEP_BEGINNING;
		reader->at++;
	}
	else if (length == 0)
		return Refuse(reader, "A step is empty.");
	if (step->form != STEP_ANY)
		step->key = KeyOfName(reader, step);
	return true;
}

/* Reads the steps of a pattern. */
static bool
ReadSteps(PatternReader *reader, PathPattern *pattern)
{
	bool has_slash = Ahead(reader, 0) == '/';

	pattern->anywhere = !has_slash || Ahead(reader, 1) == '/';
	reader->at = !has_slash ? 0 : pattern->anywhere ? 2 : 1;
	for (;;)
	{
		if (!ReadPatternStep(reader, &pattern->steps[pattern->count++]))
			return false;
		if (reader->at == reader->text.length)
			return true;
		if (!has_slash)
			return Refuse(reader, "A path begins with a slash.");
		reader->at++;
	}
}

bool
PatternLooksForeign(const PathPattern *pattern)
{
	for (int i = 0; i < pattern->count; i++)
	{
		const PathStep *step = &pattern->steps[i];
		bool digits = step->name.length > 0;

		if (step->form != STEP_NAME)
			continue;
		for (int j = 0; j < step->name.length; j++)
		{
			if (step->name.bytes[j] == '.')
				return true;
			digits = digits && isdigit((unsigned char) step->name.bytes[j]);
		}
		if (digits && pattern->count > 1)
			return true;
	}
	return false;
}

bool
ReadPathPattern(Label text, PathPattern *pattern, Node *context)
{
	PatternReader reader = {.text = text};
	int slashes = 0;

	CheckMemoryLimit(PathPatternBytes(text.length), "reading a pattern");
	*pattern = (PathPattern){.anywhere = true};
	if (LabelIs(text, "*"))
		return true;
	for (int i = 0; i < text.length; i++)
		slashes += text.bytes[i] == '/';
	pattern->steps = palloc_extended(sizeof(PathStep) * ((Size) slashes + 1), MCXT_ALLOC_HUGE);
	reader.bytes = palloc_extended((1 + ESCAPED_BYTES) * ((Size) text.length + 1) +
									   QUOTING_BYTES * ((Size) slashes + 1),
								   MCXT_ALLOC_HUGE);
	if (ReadSteps(&reader, pattern))
		return true;
	ereturn(context, false,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("invalid pattern"),
			 ValueDetail(reader.problem, "At character %d of \"%s\": %s",
						 pg_mbstrlen_with_len(text.bytes, reader.at) + 1,
						 pnstrdup(text.bytes, (Size) text.length), reader.problem),
			 errhint("%s", reader.hint != NULL
							   ? reader.hint
							   : "Write \"/a/b\", \"/a/*\" or, anywhere, \"//b\" or \"b\"; put a "
								 "backslash before a special character that is part of a name.")));
}

char *
WritePathPattern(const PathPattern *pattern)
{
	StringInfoData text;

	initStringInfo(&text);
	if (pattern->count == 0)
		appendStringInfoChar(&text, '*');
	else if (pattern->anywhere && (pattern->count > 1 || pattern->steps[0].form == STEP_ANY))
		appendStringInfoChar(&text, '/');
	for (int i = 0; i < pattern->count; i++)
	{
		const PathStep *step = &pattern->steps[i];

		if (pattern->count > 1 || !pattern->anywhere || step->form == STEP_ANY)
			appendStringInfoChar(&text, '/');
		if (step->form == STEP_KIND)
			appendStringInfo(&text, "%s()", kind_names[step->kind]);
		else
		{
			for (int n = 0; n < step->name.length; n++)
			{
				char c = step->name.bytes[n];
				bool is_axis =
					c == ':' && n + 1 < step->name.length && step->name.bytes[n + 1] == ':';

				CHECK_FOR_INTERRUPTS();
				if (is_axis || strchr(SPECIAL_CHARACTERS, c) != NULL ||
					(n == 0 && (LabelIs(step->name, ".") || LabelIs(step->name, ".."))))
					appendStringInfoChar(&text, '\\');
				appendStringInfoChar(&text, c);
			}
		}
		if (step->form == STEP_ANY || step->form == STEP_BEGINNING)
			appendStringInfoChar(&text, '*');
	}
	return text.data;
}

/* Orders steps from the least specific to the most specific. */
static int
CompareSteps(const PathStep *a, const PathStep *b)
{
	if (a->form != b->form)
		return a->form < b->form ? -1 : 1;
	if (a->form == STEP_KIND)
		return (a->kind > b->kind) - (a->kind < b->kind);
	if (a->form == STEP_ANY)
		return 0;
	if (a->form == STEP_BEGINNING && a->name.length != b->name.length)
		return a->name.length < b->name.length ? -1 : 1;
	return CompareLabels(a->name, b->name);
}

int
ComparePathPatterns(const PathPattern *a, const PathPattern *b)
{
	int order = 0;

	if (a->count != b->count)
		return a->count < b->count ? -1 : 1;
	if (a->anywhere != b->anywhere)
		return a->anywhere ? -1 : 1;
	for (int i = a->count - 1; i >= 0 && order == 0; i--)
		order = CompareSteps(&a->steps[i], &b->steps[i]);
	return order;
}

bool
IsPathStep(TreeKind kind, TreeKind above)
{
	return kind < KIND_OBJECT || kind == KIND_KEY || above == KIND_ARRAY;
}

/* Whether a label begins with another one. */
static inline bool
LabelBeginsWith(Label label, Label beginning)
{
	return beginning.length <= label.length &&
		   memcmp(label.bytes, beginning.bytes, (Size) beginning.length) == 0;
}

/* Whether a step selects a node, regardless of its ancestors. */
static bool
StepSelects(const PathStep *step, const PathNode *node)
{
	switch (step->form)
	{
		case STEP_ANY:
			return node->is_step && node->kind != KIND_ATTRIBUTE && node->kind != KIND_VALUE;
		case STEP_KIND:
			return node->kind == step->kind;
		case STEP_BEGINNING:
			return LabelBeginsWith(node->label, step->name) ||
				   (node->kind == KIND_KEY && LabelBeginsWith(node->label, step->key));
		default:
			return (node->label.length == step->name.length &&
					LabelBeginsWith(node->label, step->name)) ||
				   (node->kind == KIND_KEY && node->label.length == step->key.length &&
					LabelBeginsWith(node->label, step->key));
	}
}

bool
PatternSelects(const PathPattern *pattern, const PathNode *nodes, int32 node)
{
	for (int i = pattern->count - 1; i >= 0; i--)
	{
		if (node < 0 || !StepSelects(&pattern->steps[i], &nodes[node]))
			return false;
		if (i == 0 && pattern->anywhere)
			return true;
		do
			node = nodes[node].above;
		while (node >= 0 && !nodes[node].is_step);
	}
	return pattern->count == 0 || node < 0;
}

bool
PatternIsNamed(const PathPattern *pattern)
{
	return pattern->count > 0 && pattern->steps[pattern->count - 1].form != STEP_KIND;
}
