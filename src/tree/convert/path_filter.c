/*
 * path_filter.c
 *	  Selects nodes of a document by the patterns in the options of a conversion.
 */
#include "postgres.h"

#include "access/parallel.h"
#include "catalog/pg_type.h"
#include "utils/builtins.h"

#include "../../common/host.h"
#include "../../common/messages.h"
#include "../../compat.h"
#include "path_filter.h"

void
ParsePaths(FunctionCallInfo fcinfo, int argument, const char *option, PathPatterns *parsed)
{
	Datum *texts;
	bool *nulls;
	Size bytes = 0;
	ErrorContextCallback reading;

	deconstruct_array(PG_GETARG_ARRAYTYPE_P(argument), TEXTOID, -1, false, TYPALIGN_INT, &texts,
					  &nulls, &parsed->count);
	if (parsed->count == 0)
		return;
	parsed->is_shown = AreWrittenByClient(fcinfo, argument, 1);
	BeginReading(&reading, parsed->is_shown);
	parsed->patterns = palloc_extended(sizeof(PathPattern) * (Size) parsed->count, MCXT_ALLOC_HUGE);
	for (int i = 0; i < parsed->count; i++)
	{
		Label pattern;

		if (nulls[i])
			ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
							errmsg("option \"%s\" must not contain a null", option),
							errdetail("A null selects no node."),
							errhint("Leave the null out of the array.")));
		pattern = TextLabel(texts[i]);
		bytes += PathPatternBytes(pattern.length);
		CheckMemoryLimit(bytes, "reading patterns");
		ReadPathPattern(pattern, &parsed->patterns[i], NULL);
		if (parsed->patterns[i].count == 0)
			ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
							errmsg("a pattern of option \"%s\" selects all nodes", option),
							errdetail("The pattern is \"*\"."),
							errhint("Use \"/*\" for the topmost steps, or \"//*\" for steps "
									"anywhere.")));
	}
	EndReading(&reading);
}

/* The options of a conversion that have patterns. */
#define PATH_OPTIONS 4

/* Returns the patterns of an option, and its name. */
static const PathPatterns *
PatternsOf(const PathOptions *options, int option, const char **name)
{
	static const char *const names[PATH_OPTIONS] = {"exclude_paths", "include_paths", "unordered",
													"array_keys"};
	const PathPatterns *patterns[PATH_OPTIONS] = {&options->excluded, &options->included,
												  &options->unordered, &options->array_keys};

	*name = names[option];
	return patterns[option];
}

/* Whether any pattern of the options looks like another language. */
static bool
AnyLooksForeign(const PathOptions *options)
{
	const char *name;

	for (int option = 0; option < PATH_OPTIONS; option++)
	{
		const PathPatterns *patterns = PatternsOf(options, option, &name);

		for (int i = 0; i < patterns->count; i++)
			if (PatternLooksForeign(&patterns->patterns[i]))
				return true;
	}
	return false;
}

/* What a call of a conversion in a statement has warned of. */
typedef struct Warned
{
	bool of_patterns; /* of the first document, or has none to warn of */
	bool of_keys;
} Warned;

void
WarnOfConversion(FunctionCallInfo fcinfo, const PathOptions *options, bool equal_keys)
{
	Warned *warned = fcinfo->flinfo->fn_extra;
	ErrorContextCallback reading;
	const char *name;

	if (IsParallelWorker())
		return;
	if (warned == NULL)
		warned = fcinfo->flinfo->fn_extra =
			MemoryContextAllocZero(fcinfo->flinfo->fn_mcxt, sizeof(Warned));
	if (equal_keys && !warned->of_keys)
		ereport(WARNING,
				(errmsg("option \"fold_case\" makes keys of an object equal"),
				 errdetail("All of them stay, side by side, in the tree."),
				 errhint("Such a tree is not converted back to JSON with the same members.")));
	warned->of_keys = warned->of_keys || equal_keys;
	if (warned->of_patterns || fcinfo->isnull)
		return;
	warned->of_patterns = true;
	for (int option = 0; option < PATH_OPTIONS; option++)
	{
		const PathPatterns *patterns = PatternsOf(options, option, &name);

		BeginReading(&reading, patterns->is_shown);
		for (int i = 0; i < patterns->count; i++)
			if (!patterns->patterns[i].is_met && PatternLooksForeign(&patterns->patterns[i]))
				ereport(WARNING,
						(errmsg("a pattern of option \"%s\" selects no node", name),
						 ValueDetail("The first document has no such node.",
									 "The first document has no node for \"%s\".",
									 WritePathPattern(&patterns->patterns[i])),
						 errhint("A pattern is a path of names, such as /a/b or //b, and \"*\" is "
								 "any element of an array.")));
		EndReading(&reading);
	}
}

void
PathFilterInit(PathFilter *filter, const PathOptions *options)
{
	memset(filter, 0, sizeof(PathFilter));
	filter->options = options;
	if (options->excluded.count + options->included.count + options->unordered.count +
			options->array_keys.count ==
		0)
		return;
	filter->has_foreign = AnyLooksForeign(options);
	initStringInfo(&filter->labels);
	filter->capacity = 64;
	filter->path = palloc_array(PathNode, filter->capacity);
}

/* Returns the first pattern that selects the node at a depth of the path, or NULL. */
static const PathPattern *
SelectingPattern(const PathFilter *filter, const PathPatterns *patterns, int depth)
{
	for (int i = 0; i < patterns->count; i++)
		if (PatternSelects(&patterns->patterns[i], filter->path, depth - 1))
			return &patterns->patterns[i];
	return NULL;
}

bool
PathIsIncluded(const PathFilter *filter)
{
	return filter->options->included.count == 0 || filter->included > 0;
}

bool
PathIsUnordered(const PathFilter *filter, int depth)
{
	return SelectingPattern(filter, &filter->options->unordered, depth) != NULL;
}

const PathPattern *
PathArrayKey(const PathFilter *filter)
{
	return SelectingPattern(filter, &filter->options->array_keys, filter->depth);
}

/* Appends the label of a new node to `labels`, and adjusts the path if these move. */
static Label
CopyLabel(PathFilter *filter, Label label)
{
	StringInfo labels = &filter->labels;
	const char *before = labels->data;

	enlargeStringInfo(labels, label.length);
	if (labels->data != before)
	{
		const char *bytes = labels->data;

		for (int i = 0; i < filter->depth; i++)
		{
			filter->path[i].label.bytes = bytes;
			bytes += filter->path[i].label.length;
		}
	}
	appendBinaryStringInfo(labels, label.bytes, label.length);
	return (Label){labels->data + labels->len - label.length, label.length};
}

bool
PathFilterEnter(PathFilter *filter, Label label, TreeKind kind, bool is_step)
{
	if (filter->path == NULL)
		return true;

	RESERVE(CurrentMemoryContext, filter->path, filter->capacity, filter->depth + 1);
	label = CopyLabel(filter, label);
	filter->path[filter->depth] =
		(PathNode){.label = label, .kind = kind, .is_step = is_step, .above = filter->depth - 1};
	filter->depth++;
	if (filter->has_foreign)
	{
		const char *name;

		/* patterns that look like another language select the current node */
		for (int option = 0; option < PATH_OPTIONS; option++)
		{
			const PathPatterns *patterns = PatternsOf(filter->options, option, &name);

			for (int i = 0; i < patterns->count; i++)
				if (!patterns->patterns[i].is_met)
					patterns->patterns[i].is_met =
						PatternSelects(&patterns->patterns[i], filter->path, filter->depth - 1);
		}
	}

	if (SelectingPattern(filter, &filter->options->excluded, filter->depth) != NULL)
	{
		filter->left_out = true;
		PathFilterLeave(filter);
		return false;
	}
	if (filter->included == 0 &&
		SelectingPattern(filter, &filter->options->included, filter->depth) != NULL)
		filter->included = filter->depth;
	return true;
}

char *
PathFilterName(const PathFilter *filter, int depth)
{
	Label label = filter->path[depth - 1].label;

	return pnstrdup(label.bytes, (Size) label.length);
}

void
PathFilterLeave(PathFilter *filter)
{
	if (filter->path == NULL)
		return;
	if (filter->included == filter->depth)
		filter->included = 0;
	filter->depth--;
	filter->labels.len -= filter->path[filter->depth].label.length;
	filter->labels.data[filter->labels.len] = '\0';
}
