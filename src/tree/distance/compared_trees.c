/*
 * compared_trees.c
 *	  The trees being compared, for the context of errors about memory.
 */
#include "postgres.h"

#include "mb/pg_wchar.h"

#include "../../common/host.h"
#include "../../common/messages.h"
#include "compared_trees.h"
#include "../value/tree.h"

/* Limits on the beginning of a tree: approximate bytes, bytes of a label, and nodes. */
#define START_BYTES 60
#define LABEL_BYTES 30
#define START_NODES (START_BYTES / 2)

/* The beginning of a tree that is being written. */
typedef struct TreeStart
{
	StringInfo text;
	int begin; /* where the tree begins in `text` */
	int depth; /* number of open nodes */
} TreeStart;

/* Begins to write the beginning of a tree. */
static TreeStart
BeginStart(StringInfo text)
{
	appendStringInfoChar(text, '"');
	return (TreeStart){.text = text, .begin = text->len};
}

/* Adds the next node in preorder, at a depth from 0; false if the limit is reached. */
static bool
AddToStart(TreeStart *start, Label label, int depth)
{
	for (; start->depth > depth; start->depth--)
		appendStringInfoChar(start->text, '}');
	if (start->text->len - start->begin >= START_BYTES)
		return false;
	appendStringInfoChar(start->text, '{');
	appendBinaryStringInfo(start->text, label.bytes,
						   pg_mbcliplen(label.bytes, label.length, LABEL_BYTES));
	if (label.length > LABEL_BYTES)
		appendStringInfoString(start->text, "...");
	start->depth++;
	return true;
}

/* Ends the beginning of a tree.  `all` says whether all nodes have been written. */
static void
EndStart(TreeStart *start, bool all)
{
	if (!all)
		appendStringInfoString(start->text, "...");
	for (; all && start->depth > 0; start->depth--)
		appendStringInfoChar(start->text, '}');
	appendStringInfoChar(start->text, '"');
}

void
AppendTreeStart(StringInfo text, Datum tree)
{
	TreeStart start = BeginStart(text);
	TreeReader reader;
	TreeEvent event = TREE_END;
	bool room = (Size) TreeSize(tree) * sizeof(Label) / 1024 < (Size) ted_max_memory;

	if (room)
	{
		TreeReaderInit(&reader, DatumGetTree(tree));
		while (room && (event = TreeReaderNext(&reader)) != TREE_END)
			if (event == TREE_OPEN)
				room = AddToStart(&start, reader.labels[reader.label], reader.depth - 1);
	}
	EndStart(&start, room);
}

void
AppendDecodedStart(StringInfo text, const TedTree *tree, const LabelTable *labels)
{
	TreeStart start = BeginStart(text);
	int32 count = Min(tree->size, START_NODES + 1);
	int32 first[START_NODES + 1]; /* nodes in preorder */
	int32 i = 0;

	for (int32 x = 0; x < tree->size; x++)
	{
		int32 place = x - tree->subtree_size[x] + 1 + tree->depth[x];

		if (place < count)
			first[place] = x;
	}
	while (i < count &&
		   AddToStart(&start, LabelTableGet(labels, tree->label[first[i]]), tree->depth[first[i]]))
		i++;
	EndStart(&start, i == tree->size);
}

/* Appends the beginning of one of the compared trees.  Returns the tree's size. */
static int32
AppendCompared(StringInfo text, const ComparedTrees *compared, int which)
{
	const TedTree *decoded = compared->decoded[which];

	if (decoded != NULL)
	{
		AppendDecodedStart(text, decoded, compared->labels);
		return decoded->size;
	}
	AppendTreeStart(text, compared->values[which]);
	return TreeSize(compared->values[which]);
}

/* Adds the compared trees to the context of an error about memory. */
static void
ComparisonContext(void *arg)
{
	const ComparedTrees *compared = arg;
	StringInfoData text;
	int32 size_a;
	int32 size_b;

	if (geterrcode() != ERRCODE_CONFIGURATION_LIMIT_EXCEEDED)
		return;
	initStringInfo(&text);
	size_a = AppendCompared(&text, compared, 0);
	appendStringInfoString(&text, " and ");
	size_b = AppendCompared(&text, compared, 1);
	ValueContext("comparison of two trees", "comparison of trees of %d and %d nodes, %s", size_a,
				 size_b, text.data);
}

/* Adds ComparisonContext() to the error context callbacks. */
static void
PushContext(ComparedTrees *compared)
{
	compared->callback = (ErrorContextCallback){
		.previous = error_context_stack, .callback = ComparisonContext, .arg = compared};
	error_context_stack = &compared->callback;
}

void
BeginComparison(ComparedTrees *compared, Datum a, Datum b)
{
	*compared = (ComparedTrees){.values = {a, b}};
	PushContext(compared);
}

void
BeginDecodedComparison(ComparedTrees *compared, const TedTree *a, const TedTree *b,
					   const LabelTable *labels)
{
	*compared = (ComparedTrees){.decoded = {a, b}, .labels = labels};
	PushContext(compared);
}

void
EndComparison(const ComparedTrees *compared)
{
	error_context_stack = compared->callback.previous;
}
