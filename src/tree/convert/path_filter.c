/*
 * path_filter.c
 *	  Paths in options of conversions, and which nodes of a document they stand for.
 *
 * A path pattern is a list of steps, "/a/b", each the name of a node or "*"
 * for any; it leads down from the root, or from anywhere if it begins with
 * "//".  A backslash takes the next character literally.  What else XPath has is
 * refused, since it would silently stand for nothing.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "mb/pg_wchar.h"
#include "utils/builtins.h"

#include "../../compat.h"
#include "path_filter.h"

typedef struct PathStep
{
	char *name;
	int length;
	bool any;
} PathStep;

struct PathPattern
{
	PathStep *steps;
	int step_count;
	bool anywhere;
};

/* Reports an invalid pattern, and where the error is. */
static _Noreturn void
InvalidPattern(const char *option, const char *pattern, const char *at, const char *problem)
{
	ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					errmsg("invalid path in option \"%s\": \"%s\"", option, pattern),
					errdetail("At character %d: %s",
							  pg_mbstrlen_with_len(pattern, (int) (at - pattern)) + 1, problem),
					errhint("Write steps as in \"/a/b\", \"/a/*\" or, anywhere, \"//b\"; "
							"put a backslash before a special character that is part of a name.")));
}

/* What is wrong with a character of a step that no backslash stands before, or NULL. */
static const char *
StepProblem(const char *p)
{
	switch (*p)
	{
		case '[':
		case ']':
			return "Predicates and positions, such as \"[1]\", are not supported.";
		case '(':
		case ')':
			return "Functions and node tests, such as \"text()\", are not supported.";
		case '|':
			return "Alternatives are not supported; they are further elements of the array.";
		case ':':
			return p[1] == ':' ? "Axes are not supported." : NULL;
		case '*':
			return p[-1] == '/' && (p[1] == '/' || p[1] == '\0')
					   ? NULL
					   : "A star stands for a whole name, not for a part of one.";
		case '.':
			p += p[1] == '.' ? 2 : 1;
			return *p == '/' || *p == '\0'
					   ? "Steps to the same node or its parent are not supported."
					   : NULL;
		default:
			return NULL;
	}
}

/* Reads one step up to the next slash, copying its name, and returns where it ends. */
static const char *
ParseStep(const char *p, const char *option, const char *pattern, char *name, PathStep *step)
{
	const char *start = p;

	step->name = name;
	step->length = 0;
	step->any = *p == '*';
	for (; *p != '\0' && *p != '/'; p++)
	{
		if (*p == '\\')
		{
			if (*++p == '\0')
				InvalidPattern(option, pattern, p - 1, "The path ends with a backslash.");
		}
		else
		{
			const char *problem = *p == '.' && p > start ? NULL : StepProblem(p);

			if (problem != NULL)
				InvalidPattern(option, pattern, p, problem);
		}
		step->name[step->length++] = *p;
	}
	if (step->length == 0)
		InvalidPattern(option, pattern, p, "A step is empty.");
	return p;
}

/* Parses one pattern. */
static void
ParsePattern(const char *option, const char *text, PathPattern *pattern)
{
	const char *p = text;
	char *names = palloc(strlen(text) + 1);
	int slashes = 0;

	if (*p != '/')
		InvalidPattern(option, text, text, "The path does not begin with a slash.");
	pattern->anywhere = p[1] == '/';
	if (pattern->anywhere)
		p++;

	for (const char *c = p; *c != '\0'; c++)
		slashes += *c == '/';
	pattern->steps = palloc_array(PathStep, slashes);
	pattern->step_count = 0;
	while (*p == '/')
	{
		PathStep *step = &pattern->steps[pattern->step_count++];

		p = ParseStep(p + 1, option, text, names, step);
		names += step->length;
	}
}

/* Parses the patterns of an option. */
void
ParsePaths(const char *option, ArrayType *array, PathPatterns *parsed)
{
	Datum *texts;
	bool *nulls;

	parsed->option = option;
	deconstruct_array(array, TEXTOID, -1, false, TYPALIGN_INT, &texts, &nulls, &parsed->count);
	if (parsed->count == 0)
		return;
	parsed->patterns = palloc_array(PathPattern, parsed->count);
	for (int i = 0; i < parsed->count; i++)
	{
		if (nulls[i])
			ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
							errmsg("option \"%s\" must not contain a null", option),
							errdetail("Element %d of the array is null.", i + 1),
							errhint("Leave the null out of the array.")));
		ParsePattern(option, TextDatumGetCString(texts[i]), &parsed->patterns[i]);
	}
}

/* Starts with the empty path. */
void
PathFilterInit(PathFilter *filter, const PathOptions *options, bool attributes)
{
	memset(filter, 0, sizeof(PathFilter));
	filter->options = options;
	filter->attributes = attributes;
	if (options->excluded.count + options->included.count + options->unordered.count == 0)
		return;
	initStringInfo(&filter->names);
	filter->capacity = 64;
	filter->path = palloc_array(PathName, filter->capacity);
}

/* Whether a step stands for a name of the path. */
static bool
StepMatches(const PathFilter *filter, const PathStep *step, PathName name)
{
	const char *bytes = filter->names.data + name.start;

	if (step->any)
		return !(filter->attributes && name.length > 0 && bytes[0] == '@');
	return step->length == name.length && memcmp(step->name, bytes, step->length) == 0;
}

/* Whether one pattern stands for the node this deep on the current path. */
static bool
PatternMatches(const PathFilter *filter, const PathPattern *pattern, int depth)
{
	int above = depth - pattern->step_count;

	if (above < 0 || (above > 0 && !pattern->anywhere))
		return false;
	for (int i = pattern->step_count - 1; i >= 0; i--)
		if (!StepMatches(filter, &pattern->steps[i], filter->path[above + i]))
			return false;
	return true;
}

/* Whether a pattern stands for the node this deep on the current path. */
static bool
AnyMatches(const PathFilter *filter, const PathPatterns *patterns, int depth)
{
	for (int i = 0; i < patterns->count; i++)
		if (PatternMatches(filter, &patterns->patterns[i], depth))
			return true;
	return false;
}

/* Whether the current node is included, by itself or with a node above it. */
bool
PathIsIncluded(const PathFilter *filter)
{
	return filter->options->included.count == 0 || filter->included > 0;
}

/* Whether the children of the node this deep on the current path have no order. */
bool
PathIsUnordered(const PathFilter *filter, int depth)
{
	return AnyMatches(filter, &filter->options->unordered, depth);
}

/* Goes down to a node, an array element if `name` is NULL; false, and stays, if it is excluded. */
bool
PathFilterEnter(PathFilter *filter, const char *name, int length)
{
	if (filter->path == NULL)
		return true;

	if (filter->depth == filter->capacity)
	{
		filter->capacity *= 2;
		filter->path = repalloc_huge(filter->path, sizeof(PathName) * (Size) filter->capacity);
	}
	filter->path[filter->depth].start = filter->names.len;
	filter->path[filter->depth].length = name == NULL ? -1 : length;
	filter->depth++;
	if (name != NULL)
		appendBinaryStringInfo(&filter->names, name, length);

	if (AnyMatches(filter, &filter->options->excluded, filter->depth))
	{
		filter->left_out = true;
		PathFilterLeave(filter);
		return false;
	}
	if (AnyMatches(filter, &filter->options->included, filter->depth) && filter->included == 0)
		filter->included = filter->depth;
	return true;
}

/* A copy of the name of the node this deep on the current path. */
char *
PathFilterName(const PathFilter *filter, int depth)
{
	PathName name = filter->path[depth - 1];

	return pnstrdup(filter->names.data + name.start, (Size) name.length);
}

/* Goes back up to the parent. */
void
PathFilterLeave(PathFilter *filter)
{
	if (filter->path == NULL)
		return;
	if (filter->included == filter->depth)
		filter->included = 0;
	filter->depth--;
	filter->names.len = filter->path[filter->depth].start;
	filter->names.data[filter->names.len] = '\0';
}
