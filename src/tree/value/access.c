/*
 * access.c
 *	  SQL functions that look into a tree: size, depth, labels, subtrees, nodes.
 *
 * Nodes are numbered from 1 in preorder.
 */
#include "postgres.h"

#include "funcapi.h"
#include "miscadmin.h"
#include "utils/builtins.h"

#include "../../common/messages.h"
#include "../../compat.h"
#include "../../catalog/row_type.h"
#include "tree.h"

PG_FUNCTION_INFO_V1(tree_size);

/* Returns the number of nodes. */
Datum
tree_size(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT32(TreeSize(PG_GETARG_DATUM(0)));
}

PG_FUNCTION_INFO_V1(tree_depth);

/* Returns the number of nodes on the longest path from the root to a leaf. */
Datum
tree_depth(PG_FUNCTION_ARGS)
{
	TreeReader reader;
	int32 depth = 0;

	TreeReaderInit(&reader, PG_GETARG_TREE(0));
	while (TreeReaderNext(&reader) != TREE_END)
	{
		CHECK_FOR_INTERRUPTS();
		depth = Max(depth, reader.depth);
	}
	PG_RETURN_INT32(depth);
}

/* Reads a tree up to the beginning of a node, or raises an error if there is no such node. */
static void
FindNode(TreeReader *reader, FunctionCallInfo fcinfo)
{
	int32 node = PG_GETARG_INT32(1);
	ErrorContextCallback reading;

	BeginReading(&reading, AreWrittenByClient(fcinfo, 0, 2));
	TreeReaderInit(reader, PG_GETARG_TREE(0));
	if (node < 1 || node > reader->size)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("tree has no such node"),
				 ValueDetail("The number is less than 1, or greater than that of the last node.",
							 "The number is %d; the tree has %d node%s.", node, reader->size,
							 reader->size == 1 ? "" : "s"),
				 errhint("Nodes are numbered from 1 in preorder.")));
	EndReading(&reading);
	while (reader->node + 1 < node)
	{
		CHECK_FOR_INTERRUPTS();
		TreeReaderNext(reader);
	}
}

PG_FUNCTION_INFO_V1(tree_label);

/* Returns the label of a node. */
Datum
tree_label(PG_FUNCTION_ARGS)
{
	TreeReader reader;
	Label label;

	FindNode(&reader, fcinfo);
	label = reader.labels[reader.label];
	PG_RETURN_TEXT_P(cstring_to_text_with_len(label.bytes, label.length));
}

PG_FUNCTION_INFO_V1(tree_subtree);

/* Returns the subtree of a node. */
Datum
tree_subtree(PG_FUNCTION_ARGS)
{
	TreeReader reader;
	TreeBuilder builder;
	TreeEvent event = TREE_OPEN;

	FindNode(&reader, fcinfo);
	TreeBuilderInit(&builder);
	for (;;)
	{
		CHECK_FOR_INTERRUPTS();
		TreeBuilderRepeat(&builder, &reader, event);
		if (builder.depth == 0)
			break;
		event = TreeReaderNext(&reader);
	}
	PG_RETURN_TREE(TreeBuilderFinish(&builder));
}

PG_FUNCTION_INFO_V1(tree_nodes);

/* Returns all nodes in preorder: (node, parent, depth, label). */
Datum
tree_nodes(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	TreeReader reader;
	TreeEvent event;
	int32 *path;

	InitRows(fcinfo, "iiis");
	TreeReaderInit(&reader, PG_GETARG_TREE(0));
	path = palloc_array(int32, reader.size);
	while ((event = TreeReaderNext(&reader)) != TREE_END)
	{
		int32 depth = reader.depth;
		Label label = reader.labels[reader.label];
		Datum values[4];
		bool nulls[4] = {false, depth == 1, false, false};

		if (event == TREE_CLOSE)
			continue;
		CHECK_FOR_INTERRUPTS();
		path[depth - 1] = reader.node + 1;
		values[0] = Int32GetDatum(reader.node + 1);
		values[1] = Int32GetDatum(depth == 1 ? 0 : path[depth - 2]);
		values[2] = Int32GetDatum(depth);
		values[3] = PointerGetDatum(cstring_to_text_with_len(label.bytes, label.length));
		tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
		pfree(DatumGetPointer(values[3]));
	}
	return (Datum) 0;
}
