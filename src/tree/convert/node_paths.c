/*
 * node_paths.c
 *	  A decoded tree and the paths of its nodes.
 */
#include "postgres.h"

#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

#include "../../common/messages.h"
#include "../../compat.h"
#include "json_labels.h"
#include "json_pointer.h"
#include "node_paths.h"

/* The longest path in bytes. */
#define MAX_PATH_BYTES (2 * TREE_MAX_LABEL_BYTES)

/* The longest path in a message, in bytes. */
#define MAX_MESSAGE_PATH 200

/* The children with a label of one node. */
typedef struct LabelCount
{
	int32 parent; /* the node */
	int32 named;  /* in XML, elements without a namespace; else, all */
	int32 all;    /* in XML, all elements whose name XPath can express */
} LabelCount;

Size
NodePathsBytes(Datum tree)
{
	Size node = sizeof(LabelCount) + sizeof(PathLevel) + 4 * sizeof(int32);

	return TreeDecodedBytes(tree) + node * (Size) TreeSize(tree);
}

/* Numbers the children of a node, whose labels have `counts` with another parent or -1. */
static void
NumberChildren(NodePaths *paths, int32 x, LabelCount *counts)
{
	const TedTree *tree = &paths->tree;
	int32 end = x - tree->subtree_size[x];
	int32 children = 0;
	bool has_unnamed = false;

	for (int32 c = x - 1; c > end; c -= tree->subtree_size[c])
	{
		LabelCount *count = &counts[tree->label[c]];
		XmlPlaceKind kind = paths->places == NULL ? PLACE_NAMED_ELEMENT
												  : paths->places->by_node[paths->preorder[c]].kind;

		CHECK_FOR_INTERRUPTS();
		paths->parent[c] = x;
		children++;
		if (count->parent != x)
			*count = (LabelCount){.parent = x};
		count->named += kind == PLACE_NAMED_ELEMENT;
		count->all += kind == PLACE_NAMED_ELEMENT || kind == PLACE_NAMESPACE_ELEMENT;
		has_unnamed |= kind == PLACE_ELEMENT;
	}
	for (int32 c = x - 1; c > end; c -= tree->subtree_size[c])
	{
		LabelCount *count = &counts[tree->label[c]];
		XmlPlace *place;

		CHECK_FOR_INTERRUPTS();
		switch (paths->language)
		{
			case PATHS_BY_LABEL:
				paths->number[c] = count->all == 1 ? 0 : count->named--;
				break;
			case PATHS_OF_JSON:
				paths->number[c] = --children;
				break;
			case PATHS_OF_XML:
				place = &paths->places->by_node[paths->preorder[c]];
				/* beside an element whose name XPath cannot express, one in a namespace has none */
				if (has_unnamed && place->kind == PLACE_NAMESPACE_ELEMENT)
					place->kind = PLACE_ELEMENT;
				if (place->kind == PLACE_ELEMENT)
					paths->number[c] = place->first;
				else if (place->kind == PLACE_NAMED_ELEMENT)
				{
					paths->number[c] = count->named--;
					count->all--;
				}
				else
					paths->number[c] = count->all--;
				break;
		}
	}
}

void
NodePathsInit(NodePaths *paths, PathLanguage language, const Tree *tree, LabelTable *labels,
			  XmlPlaces *places)
{
	LabelCount *counts;
	int32 size;

	*paths = (NodePaths){.language = language, .labels = labels, .places = places, .depth = -1};
	TreeDecode(tree, labels, &paths->tree);
	size = paths->tree.size;
	paths->preorder = palloc_array(int32, size);
	paths->postorder = palloc_array(int32, size);
	paths->parent = palloc_array(int32, size);
	paths->number = palloc_array(int32, size);
	TreeOrders(&paths->tree, paths->preorder, paths->postorder);
	counts = palloc_array(LabelCount, LabelTableCount(labels));
	for (int32 label = 0; label < LabelTableCount(labels); label++)
		counts[label].parent = -1;
	for (int32 x = 0; x < size; x++)
		NumberChildren(paths, x, counts);
	paths->parent[size - 1] = -1;
	paths->number[size - 1] = 0;
	pfree(counts);
	paths->on_path = palloc_array(PathLevel, paths->tree.height + 1);
	initStringInfo(&paths->path);
}

/* Appends the step to a node by its label.  A backslash comes before characters with a meaning. */
static void
AppendLabelStep(NodePaths *paths, int32 node, Label label)
{
	StringInfo path = &paths->path;

	appendStringInfoChar(path, '/');
	for (int i = 0; i < label.length; i++)
	{
		if (strchr("/[]\\", label.bytes[i]) != NULL)
			appendStringInfoChar(path, '\\');
		appendStringInfoChar(path, label.bytes[i]);
	}
	if (paths->number[node] > 0)
		appendStringInfo(path, "[%d]", paths->number[node]);
}

/* Replaces a step of a path.  Steps outlast the current memory context. */
static void
KeepStep(Datum *steps, int step, Label text)
{
	MemoryContext caller = MemoryContextSwitchTo(GetMemoryChunkContext(steps));

	if (DatumGetPointer(steps[step]) != NULL)
		pfree(DatumGetPointer(steps[step]));
	steps[step] = PointerGetDatum(cstring_to_text_with_len(text.bytes, text.length));
	MemoryContextSwitchTo(caller);
}

/* Appends the step to a node of a JSON document.  The step from a key to its value is empty. */
static void
AppendJsonStep(NodePaths *paths, int32 node, int depth, Label label)
{
	int32 parent = paths->parent[node];
	int before = depth == 0 ? 0 : paths->on_path[depth - 1].steps;
	Label above;
	Label step;
	char index[12];

	paths->on_path[depth].steps = before;
	if (parent < 0)
		return;
	above = LabelTableGet(paths->labels, paths->tree.label[parent]);
	if (IsJsonArray(above))
	{
		AppendPointerIndex(&paths->path, paths->number[node]);
		step.bytes = index;
		step.length = snprintf(index, sizeof(index), "%d", paths->number[node]);
	}
	else if (IsJsonObject(above) && JsonKeyOfLabel(label, &step))
		AppendPointerKey(&paths->path, step);
	else
		return;
	if (paths->steps != NULL)
		KeepStep(paths->steps, before, step);
	if (step.bytes != index)
		pfree(unconstify(char *, step.bytes));
	paths->on_path[depth].steps++;
}

/* Appends the step to a node of an XML document. */
static void
AppendXmlStep(NodePaths *paths, int32 node, int depth, Label label)
{
	const XmlPlace *place = &paths->places->by_node[paths->preorder[node]];
	StringInfo path = &paths->path;
	const char *name;

	switch (place->kind)
	{
		case PLACE_NAMED_ELEMENT:
			if (depth == 0 && IS_HIGHBIT_SET(label.bytes[0]))
				appendStringInfoString(path, "/*"); /* libxml2 finds no such name after "/" */
			else
				appendStringInfo(path, "/%.*s", label.length, label.bytes);
			if (depth > 0)
				appendStringInfo(path, "[%d]", paths->number[node]);
			break;
		case PLACE_NAMESPACE_ELEMENT:
		case PLACE_ELEMENT:
			appendStringInfoString(path, "/*");
			if (place->kind == PLACE_NAMESPACE_ELEMENT)
				appendStringInfo(path, "[local-name()=\"%.*s\"]", label.length, label.bytes);
			if (depth > 0)
				appendStringInfo(path, "[%d]", paths->number[node]);
			break;
		case PLACE_ATTRIBUTE:
			if (paths->tree.subtree_size[node] == 1)
				break; /* a value has the path of its attribute */
			name = ValueToServer(place->name, (int) strlen(place->name), PG_UTF8);
			if (strchr(name, ':') == NULL || strncmp(name, "xml:", 4) == 0)
				appendStringInfo(path, "/@%s", name);
			else
				appendStringInfo(path, "/@*[name()=\"%s\"]", name);
			break;
		case PLACE_TEXT:
			if (place->first == place->last)
				appendStringInfo(path, "/text()[%d]", place->first);
			else
				appendStringInfo(path, "/text()[position() >= %d and position() <= %d]",
								 place->first, place->last);
			break;
	}
}

void
WritePath(NodePaths *paths, int32 node)
{
	int depth = paths->tree.depth[node];
	int kept = depth;

	for (int32 x = node; kept >= 0 && (kept > paths->depth || paths->on_path[kept].node != x);
		 x = paths->parent[x])
		paths->on_path[kept--].node = x;
	paths->path.len = kept < 0 ? 0 : paths->on_path[kept].length;
	paths->path.data[paths->path.len] = '\0';
	while (kept++ < depth)
	{
		int32 x = paths->on_path[kept].node;
		Label label = LabelTableGet(paths->labels, paths->tree.label[x]);

		CHECK_FOR_INTERRUPTS();
		if (paths->language == PATHS_OF_JSON)
			AppendJsonStep(paths, x, kept, label);
		else if (paths->language == PATHS_OF_XML)
			AppendXmlStep(paths, x, kept, label);
		else
			AppendLabelStep(paths, x, label);
		if (paths->path.len > MAX_PATH_BYTES)
			ereport(ERROR,
					(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED), errmsg("path of a node is too long"),
					 errdetail("The path has more than %d bytes.", MAX_PATH_BYTES),
					 errhint("Use shorter labels, or compare subtrees.")));
		paths->on_path[kept].length = paths->path.len;
	}
	paths->depth = depth;
}

char *
TreeNodePath(const Tree *tree, int32 node)
{
	NodePaths paths;
	int clipped;

	NodePathsInit(&paths, PATHS_BY_LABEL, tree, LabelTableCreate(), NULL);
	WritePath(&paths, paths.postorder[node]);
	clipped = pg_mbcliplen(paths.path.data, paths.path.len, MAX_MESSAGE_PATH);
	return psprintf("%.*s%s", clipped, paths.path.data, clipped < paths.path.len ? "..." : "");
}
