/*
 * to_json.c
 *	  Converts a tree made by the default conversion from JSON back to json or jsonb.
 *
 * Only labels that this conversion writes are accepted: keys in order and without duplicates,
 * strings with the escapes that PostgreSQL writes, numbers as numeric writes them without
 * trailing zeros.  So converting the value yields the same tree, and the json text of a node is
 * its label.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/jsonb.h"
#include "utils/numeric.h"

#include "../../common/host.h"
#include "../../common/messages.h"
#include "../../compat.h"
#include "json_labels.h"
#include "node_paths.h"

PG_FUNCTION_INFO_V1(tree_to_json);
PG_FUNCTION_INFO_V1(tree_to_jsonb);

/* Names the computation in errors about memory. */
#define CONVERTING_TO_JSON "converting a tree to JSON"

/* Copies of a label: in a buffer that doubles, and in the result. */
#define LABEL_COPIES 3

/* The most digits of a numeric before and after its decimal point. */
#define NUMERIC_DIGITS_BEFORE 131072
#define NUMERIC_DIGITS_AFTER 16383

/* The state of writing a JSON value. */
typedef struct JsonWriter
{
	StringInfo text;    /* output for json; NULL for jsonb */
	JsonbInState state; /* has the value as jsonb, once the root has ended */
	JsonbValue literal; /* the root, if it is a literal */
	JsonOpenNode *open; /* by depth */
	int32 capacity;
} JsonWriter;

/* Whether numeric_in() accepts a text, which has digits and perhaps a sign and a point. */
static bool
IsNumber(const char *text)
{
	const char *digits = text + (*text == '-');
	size_t before = strspn(digits, "0123456789");
	const char *point = digits + before;
	size_t after = *point == '.' ? strspn(point + 1, "0123456789") : 0;
	const char *end = after > 0 ? point + 1 + after : point;

	return before > 0 && *end == '\0' && before <= NUMERIC_DIGITS_BEFORE &&
		   after <= NUMERIC_DIGITS_AFTER;
}

/* Converts a label to a number; false if numeric would write the number in another way. */
static bool
ReadNumber(Label label, JsonbValue *value)
{
	char *text = pnstrdup(label.bytes, label.length);
	char *again;
	Datum number;
	bool equal;

	if (strlen(text) < (size_t) label.length || !IsNumber(text))
		return false;
	number = DirectFunctionCall3(numeric_in, CStringGetDatum(text), ObjectIdGetDatum(InvalidOid),
								 Int32GetDatum(-1));
	number = DirectFunctionCall1(numeric_trim_scale, number);
	again = DatumGetCString(DirectFunctionCall1(numeric_out, number));
	equal = strcmp(text, again) == 0;
	pfree(text);
	pfree(again);
	value->type = jbvNumeric;
	value->val.numeric = DatumGetNumeric(number);
	return equal;
}

/* Converts a label to a literal; false if it is not one. */
static bool
ReadJsonLiteral(Label label, JsonbValue *value)
{
	if (label.length > 0 && label.bytes[0] == '"')
	{
		Label text;

		if (!JsonKeyOfLabel(label, &text))
			return false;
		value->type = jbvString;
		value->val.string.val = unconstify(char *, text.bytes);
		value->val.string.len = text.length;
		return true;
	}
	if (LabelIs(label, "true") || LabelIs(label, "false"))
	{
		value->type = jbvBool;
		value->val.boolean = label.bytes[0] == 't';
		return true;
	}
	if (LabelIs(label, "null"))
	{
		value->type = jbvNull;
		return true;
	}
	return ReadNumber(label, value);
}

/*
 * Begins a node.  Returns NULL, or a sentence that says why the node cannot be part of a JSON
 * value.
 */
static const char *
WriteJsonBegin(JsonWriter *writer, int32 depth, Label label)
{
	JsonOpenNode *parent = depth > 0 ? &writer->open[depth - 1] : NULL;
	TedJsonKind kind = JsonKindOfLabel(label);
	const char *problem = parent != NULL            ? JsonChildProblem(parent, label)
						  : kind == TED_JSON_MEMBER ? "A key is a child of an object."
													: NULL;
	JsonbValue value;

	if (problem != NULL)
		return problem;
	if (kind == TED_JSON_LITERAL && !ReadJsonLiteral(label, &value))
		return "Its label is no literal as jsonb writes it, nor {} nor [].";

	if (writer->text != NULL)
	{
		bool is_container = kind == TED_JSON_OBJECT || kind == TED_JSON_ARRAY;

		if (parent != NULL && parent->kind != TED_JSON_MEMBER && parent->children > 1)
			appendStringInfoString(writer->text, ", ");
		appendBinaryStringInfo(writer->text, label.bytes, is_container ? 1 : label.length);
		if (kind == TED_JSON_MEMBER)
			appendStringInfoChar(writer->text, ' ');
	}
	else if (kind == TED_JSON_MEMBER)
	{
		value.type = jbvString;
		value.val.string.val = unconstify(char *, parent->last_key.bytes);
		value.val.string.len = parent->last_key.length;
		pushJsonbValue(&writer->state, WJB_KEY, &value);
	}
	else if (kind != TED_JSON_LITERAL)
		pushJsonbValue(&writer->state, kind == TED_JSON_OBJECT ? WJB_BEGIN_OBJECT : WJB_BEGIN_ARRAY,
					   NULL);
	else if (parent != NULL)
		pushJsonbValue(&writer->state, parent->kind == TED_JSON_ARRAY ? WJB_ELEM : WJB_VALUE,
					   &value);
	else
	{
		writer->literal = value;
		writer->state.result = &writer->literal;
	}
	RESERVE(CurrentMemoryContext, writer->open, writer->capacity, depth + 1);
	writer->open[depth] = (JsonOpenNode){.kind = kind};
	return NULL;
}

/* Orders members in the order of jsonb. */
static int
CompareMembers(const void *a, const void *b)
{
	const JsonbValue *x = &((const JsonbPair *) a)->key;
	const JsonbValue *y = &((const JsonbPair *) b)->key;

	CHECK_FOR_INTERRUPTS();
	if (x->val.string.len != y->val.string.len)
		return x->val.string.len < y->val.string.len ? -1 : 1;
	return memcmp(x->val.string.val, y->val.string.val, (size_t) x->val.string.len);
}

/* Ends a node.  Returns NULL, or a sentence as WriteJsonBegin() does. */
static const char *
WriteJsonEnd(JsonWriter *writer, const JsonOpenNode *node)
{
	bool is_object = node->kind == TED_JSON_OBJECT;

	if (node->kind == TED_JSON_MEMBER && node->children == 0)
		return "It is a key without a value.";
	if (!is_object && node->kind != TED_JSON_ARRAY)
		return NULL;
	if (writer->text != NULL)
		appendStringInfoChar(writer->text, is_object ? '}' : ']');
	else
	{
		if (is_object)
		{
			/* PostgreSQL sorts them again, but without interrupt checks */
			qsort(writer->state.parseState->contVal.val.object.pairs,
				  (size_t) writer->state.parseState->contVal.val.object.nPairs, sizeof(JsonbPair),
				  CompareMembers);
		}
		pushJsonbValue(&writer->state, is_object ? WJB_END_OBJECT : WJB_END_ARRAY, NULL);
	}
	return NULL;
}

/* Converts a tree argument: appends json to a text, or returns jsonb if `text` is NULL. */
static JsonbValue *
WriteTree(FunctionCallInfo fcinfo, StringInfo text)
{
	Datum datum = PG_GETARG_DATUM(0);
	ErrorContextCallback reading;
	Tree *tree;
	TreeReader reader;
	TreeEvent event;
	JsonWriter *writer = palloc0_object(JsonWriter);
	int32 *open_node;
	Size bytes;

	/* a node is in one pair, as key or value, of arrays that double; copies of labels come later */
	bytes = 3 * sizeof(JsonbPair) * (Size) TreeSize(datum) + TreeDecodedBytes(datum);
	BeginReading(&reading, AreWrittenByClient(fcinfo, 0, 1));
	CheckMemoryLimit(bytes, CONVERTING_TO_JSON);
	tree = DatumGetTree(datum);
	TreeReaderInit(&reader, tree);
	writer->text = text;
	open_node = palloc_array(int32, reader.size); /* by depth, preorder numbers */
	while ((event = TreeReaderNext(&reader)) != TREE_END)
	{
		int32 depth = event == TREE_OPEN ? reader.depth - 1 : reader.depth;
		Label label = reader.labels[reader.label];
		const char *problem;

		CHECK_FOR_INTERRUPTS();
		if (event == TREE_OPEN)
		{
			open_node[depth] = reader.node;
			bytes += LABEL_COPIES * (Size) label.length;
			CheckMemoryLimit(bytes, CONVERTING_TO_JSON);
			problem = WriteJsonBegin(writer, depth, label);
		}
		else
			problem = WriteJsonEnd(writer, &writer->open[depth]);
		if (problem != NULL)
		{
			int32 node = open_node[depth];

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
	PG_RETURN_TEXT_P(CopyToValue(text.data, text.len));
}
