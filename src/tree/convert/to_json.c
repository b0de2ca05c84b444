/*
 * to_json.c
 *	  Converts a tree made by the default conversion from JSON back to json or jsonb.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/builtins.h"

#include "../../common/host.h"
#include "../../common/messages.h"
#include "../../compat.h"
#include "json_writer.h"
#include "walk.h"

PG_FUNCTION_INFO_V1(tree_to_json);
PG_FUNCTION_INFO_V1(tree_to_jsonb);

/* Names the computation in errors about memory. */
#define CONVERTING_TO_JSON "converting a tree to JSON"

/* Copies of a label: in a buffer that doubles, and in the result. */
#define LABEL_COPIES 3

/* Converts a tree argument: appends json to a text, or returns jsonb if `text` is NULL. */
static JsonbValue *
WriteTree(FunctionCallInfo fcinfo, StringInfo text)
{
	Datum datum = PG_GETARG_DATUM(0);
	ErrorContextCallback reading;
	Tree *tree;
	TreeReader reader;
	TreeEvent event;
	JsonWriter *writer = palloc_object(JsonWriter);
	int32 *open_node;
	Size bytes;

	/* a node is in one pair, as key or value, of arrays that double; copies of labels come later */
	bytes = 3 * sizeof(JsonbPair) * (Size) TreeSize(datum) + TreeDecodedBytes(datum);
	BeginReading(&reading, AreWrittenByClient(fcinfo, 0, 1));
	CheckMemoryLimit(bytes, CONVERTING_TO_JSON);
	tree = DatumGetTree(datum);
	TreeReaderInit(&reader, tree);
	JsonWriterInit(writer, text);
	open_node = palloc_array(int32, reader.size); /* by depth, preorder numbers */
	while ((event = TreeReaderNext(&reader)) != TREE_END)
	{
		const char *problem;

		CHECK_FOR_INTERRUPTS();
		if (event == TREE_OPEN)
		{
			open_node[reader.depth - 1] = reader.node;
			bytes += LABEL_COPIES * (Size) reader.labels[reader.label].length;
			CheckMemoryLimit(bytes, CONVERTING_TO_JSON);
			problem = JsonWriterOpen(writer, reader.labels[reader.label]);
		}
		else
			problem = JsonWriterClose(writer);
		if (problem != NULL)
		{
			int32 node = open_node[event == TREE_OPEN ? reader.depth - 1 : reader.depth];

			ereport(
				ERROR,
				(errcode(ERRCODE_DATA_EXCEPTION), errmsg("tree cannot be converted to JSON"),
				 ValueDetail(psprintf("There is a problem with a node: %s", problem),
							 "Node %d, \"%s\": %s", node + 1, TreeNodePath(tree, node), problem),
				 errhint(
					 "Convert trees that the default conversion has made from json or jsonb.")));
		}
	}
	EndReading(&reading);
	return writer->state.result;
}

/* Converts a tree to jsonb. */
Datum
tree_to_jsonb(PG_FUNCTION_ARGS)
{
	PG_RETURN_JSONB_P(JsonbValueToJsonb(WriteTree(fcinfo, NULL)));
}

/* Converts a tree to json. */
Datum
tree_to_json(PG_FUNCTION_ARGS)
{
	StringInfoData text;

	initStringInfo(&text);
	WriteTree(fcinfo, &text);
	PG_RETURN_TEXT_P(cstring_to_text_with_len(text.data, text.len));
}
