/*
 * path_filter.c
 *	  Selects nodes of a document by the patterns in the options of a conversion.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "utils/builtins.h"

#include "../../common/host.h"
#include "../../common/messages.h"
#include "../../compat.h"
#include "path_filter.h"

/* Reads the patterns of an option. */
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
	BeginReading(&reading, AreWrittenByClient(fcinfo, argument, 1));
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

/* Initializes a filter with the empty path. */
void
PathFilterInit(PathFilter *filter, const PathOptions *options)
{
	memset(filter, 0, sizeof(PathFilter));
	filter->options = options;
	if (options->excluded.count + options->included.count + options->unordered.count +
			options->array_keys.count ==
		0)
		return;
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

/* Whether the current node or an ancestor is included. */
bool
PathIsIncluded(const PathFilter *filter)
{
	return filter->options->included.count == 0 || filter->included > 0;
}

/* Whether the children of the node at a depth of the path have no order. */
bool
PathIsUnordered(const PathFilter *filter, int depth)
{
	return SelectingPattern(filter, &filter->options->unordered, depth) != NULL;
}

/* Returns the first pattern for keys of array elements that selects the current node, or NULL. */
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

/* Moves down to a node.  If the node is excluded, stays and returns false. */
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

/* Returns a copy of the label of the node at a depth of the path. */
char *
PathFilterName(const PathFilter *filter, int depth)
{
	Label label = filter->path[depth - 1].label;

	return pnstrdup(label.bytes, (Size) label.length);
}

/* Moves up to the parent. */
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
