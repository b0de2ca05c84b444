/*
 * convert.c
 *	  Options, case folding and paths of the conversions from XML and JSON.
 *
 * A path pattern is a list of steps, "/a/b", each the name of a node or "*"
 * for any; it leads down from the root, or from anywhere if it begins with
 * "//".  A backslash takes the next character literally.
 */
#include "postgres.h"

#include "catalog/pg_collation.h"
#include "catalog/pg_type.h"
#include "utils/builtins.h"
#include "utils/formatting.h"

#include "../compat.h"
#include "convert.h"

typedef struct PathStep
{
	char *name;
	int length;
	bool any;
} PathStep;

typedef struct PathPattern
{
	PathStep *steps;
	int step_count;
	bool anywhere;
} PathPattern;

/* Position of an option's value in a NULL-terminated list of names, or an error that lists them. */
int
ParseOption(const char *option, const text *value, const char *const *names)
{
	char *given = text_to_cstring(value);
	StringInfoData valid;

	for (int i = 0; names[i] != NULL; i++)
		if (strcmp(given, names[i]) == 0)
		{
			pfree(given);
			return i;
		}

	initStringInfo(&valid);
	for (int i = 0; names[i] != NULL; i++)
		appendStringInfo(&valid, "%s\"%s\"", i > 0 ? ", " : "", names[i]);
	ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					errmsg("invalid value for option \"%s\": \"%s\"", option, given),
					errdetail("Valid values are %s.", valid.data),
					errhint("Use one of them, or leave the option out.")));
}

/* A lower-cased copy of bytes in the server encoding, as lower() makes it by default. */
char *
FoldCase(const char *bytes, int length)
{
	return str_tolower(bytes, length, DEFAULT_COLLATION_OID);
}

/* Reports a pattern that is none. */
static _Noreturn void
InvalidPattern(const char *option, const char *pattern, const char *detail)
{
	ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					errmsg("invalid path in option \"%s\": \"%s\"", option, pattern),
					errdetail_internal("%s", detail),
					errhint("Write steps as in \"/a/b\", \"/a/*\" or, anywhere, \"//b\"; "
							"put a backslash before a slash or star that is part of a name.")));
}

/* Reads one step up to the next slash, copying its name, and returns where it ends. */
static const char *
ParseStep(const char *p, const char *option, const char *pattern, char *name, PathStep *step)
{
	bool quoted = false;

	step->name = name;
	step->length = 0;
	for (; *p != '\0' && *p != '/'; p++)
	{
		if (*p == '\\')
		{
			if (*++p == '\0')
				InvalidPattern(option, pattern, "It ends with a backslash.");
			quoted = true;
		}
		step->name[step->length++] = *p;
	}
	if (step->length == 0)
		InvalidPattern(option, pattern, "A step is empty.");
	step->any = !quoted && step->length == 1 && step->name[0] == '*';
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
		InvalidPattern(option, text, "It does not begin with a slash.");
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
static void
ParsePatterns(const char *option, ArrayType *array, PathPatterns *parsed)
{
	Datum *texts;
	bool *nulls;

	if (array == NULL)
		return;
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

/* Parses the patterns; the path is empty. */
void
PathFilterInit(PathFilter *filter, ArrayType *exclude_paths, ArrayType *unordered, bool attributes)
{
	memset(filter, 0, sizeof(PathFilter));
	filter->attributes = attributes;
	ParsePatterns("exclude_paths", exclude_paths, &filter->excluded);
	ParsePatterns("unordered", unordered, &filter->unordered);
	if (filter->excluded.count + filter->unordered.count == 0)
		return;
	initStringInfo(&filter->names);
	filter->capacity = 64;
	filter->path = palloc_array(PathName, filter->capacity);
}

/* Tells whether a step stands for a name of the path. */
static bool
StepMatches(const PathFilter *filter, const PathStep *step, PathName name)
{
	const char *bytes = filter->names.data + name.start;

	if (step->any)
		return !(filter->attributes && name.length > 0 && bytes[0] == '@');
	return step->length == name.length && memcmp(step->name, bytes, step->length) == 0;
}

/* Tells whether a pattern stands for the current path. */
static bool
PatternMatches(const PathFilter *filter, const PathPattern *pattern)
{
	int above = filter->depth - pattern->step_count;

	if (above < 0 || (above > 0 && !pattern->anywhere))
		return false;
	for (int i = pattern->step_count - 1; i >= 0; i--)
		if (!StepMatches(filter, &pattern->steps[i], filter->path[above + i]))
			return false;
	return true;
}

/* Tells whether one of some patterns stands for the current path. */
static bool
AnyMatches(const PathFilter *filter, const PathPatterns *patterns)
{
	for (int i = 0; i < patterns->count; i++)
		if (PatternMatches(filter, &patterns->patterns[i]))
			return true;
	return false;
}

/* Whether the children of the current node have no order. */
bool
PathIsUnordered(const PathFilter *filter)
{
	return AnyMatches(filter, &filter->unordered);
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

	if (!AnyMatches(filter, &filter->excluded))
		return true;
	PathFilterLeave(filter);
	return false;
}

/* Goes back up to the parent. */
void
PathFilterLeave(PathFilter *filter)
{
	if (filter->path == NULL)
		return;
	filter->depth--;
	filter->names.len = filter->path[filter->depth].start;
	filter->names.data[filter->names.len] = '\0';
}

/* Reports that this server cannot parse XML. */
Datum
NoXmlSupport(void)
{
	ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED), errmsg("unsupported XML feature"),
					errdetail("This functionality requires the server to be built with libxml "
							  "support."),
					errhint("Use a server built with libxml support.")));
}
