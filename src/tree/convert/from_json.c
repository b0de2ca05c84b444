/*
 * from_json.c
 *	  Converts a JSON document, json or jsonb, to a tree.
 *
 * Objects become {}, arrays [], and literals leaves.  A key becomes a node above its value,
 * labelled with the quoted key and a colon.  Since the keys of an object have to be sorted,
 * and the last of equal keys wins, all nodes are first collected in document order and
 * linked; then the builder gets them in the order of the tree.
 */
#include "postgres.h"

#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/json.h"
#include "utils/jsonfuncs.h"
#include "utils/memutils.h"

#include "../../compat.h"
#include "../../common/host.h"
#include "../../common/messages.h"
#include "convert.h"
#include "json_labels.h"
#include "path_filter.h"
#include "sort_children.h"
#include "../value/tree.h"

PG_FUNCTION_INFO_V1(tree_from_json);
PG_FUNCTION_INFO_V1(tree_from_jsonb);
PG_FUNCTION_INFO_V1(json_tree);
PG_FUNCTION_INFO_V1(jsonb_tree);

/* The values of the option content. */
typedef enum ContentMode
{
	CONTENT_FULL,
	CONTENT_STRUCTURE,
	CONTENT_KEYS
} ContentMode;

/* The values of the option duplicate_keys. */
typedef enum DuplicateMode
{
	DUPLICATES_LAST,
	DUPLICATES_ERROR
} DuplicateMode;

static const char *const content_modes[] = {"full", "structure", "keys", NULL};
static const char *const duplicate_modes[] = {"last", "error", NULL};

/* The options of a conversion. */
typedef struct JsonOptions
{
	bool sort_keys;
	bool sort_arrays;
	DuplicateMode duplicate_keys;
	ContentMode content;
	bool fold_case;
	bool exact_numbers; /* for ExactJsonbTree(): numbers keep last zeros, nodes have sources */
	PathOptions paths;
} JsonOptions;

static const JsonOptions default_options = {.sort_keys = true};
static const JsonOptions exact_options = {.sort_keys = true, .exact_numbers = true};

/* A collected node; -1 stands for no node. */
typedef struct JsonNode
{
	uint8 kind;    /* a TreeKind */
	bool kept;     /* paths include the node or one below it; set when it ends */
	bool is_keyed; /* an array whose elements are sorted by keys */
	int32 parent;
	int32 first_child;
	int32 last_child;
	int32 next;   /* next sibling */
	int32 length; /* bytes in `bytes` */
	const char
		*bytes; /* unescaped key or string, name of a boolean, a Numeric, or a JsonbContainer */
} JsonNode;

/* A key by which an element of an array is sorted; both are node indexes. */
typedef struct ArrayKey
{
	int32 element;
	int32 key;
} ArrayKey;

/* A key of an object, for sorting. */
typedef struct JsonField
{
	Label sort_key; /* the key, lower-cased with the option fold_case */
	Label key;
	int32 node;
} JsonField;

/* The state of a conversion. */
typedef struct JsonConverter
{
	const JsonOptions *options;
	text *json; /* the document as json; else NULL */
	Jsonb *jsonb;
	JsonLexContext *lexer; /* NULL except while json is parsed */
	TreeBuilder builder;   /* gets all events last; its context holds the converter's memory */
	MemoryContext caller;
	PathFilter filter;
	StringInfoData label;      /* label of a key, for the filter */
	StringInfoData array_keys; /* ArrayKeys */
	StringInfoData unordered;  /* UnorderedNodes, arrays to sort */
	int32 *place;              /* preorder number of each node, or -1; NULL without ArrayKeys */
	JsonbValue *sources;       /* see ExactJsonbTree(); NULL if they are not wanted */
	Size unchecked;            /* bytes of tokens since the last memory check */
	JsonNode *nodes;
	int32 node_count;
	int32 capacity;
	int32 current;   /* node whose children are being collected, or -1 */
	int32 excluded;  /* number of open nodes from the excluded one down, or 0 */
	bool equal_keys; /* keys of an object are equal in lower case only */
} JsonConverter;

/* Approximate bytes that the parser takes for a token, in addition to the token itself. */
#define TOKEN_BYTES 32

/* Bytes of tokens between two memory checks. */
#define BYTES_PER_CHECK ((Size) 64 << 10)

/* The steps from the end of a path that an error message shows. */
#define PATH_STEPS 20

/* The bytes of a key or a string that an error message shows. */
#define SHOWN_BYTES 60

/* Whether a node is a step of a path: a key, or an element of an array. */
static bool
IsStep(const JsonConverter *converter, TreeKind kind, int32 parent)
{
	return kind == KIND_KEY || (parent >= 0 && converter->nodes[parent].kind == KIND_ARRAY);
}

/* Counts a token of `length` bytes, and checks the memory limit from time to time. */
static void
CountToken(JsonConverter *converter, int length)
{
	CHECK_FOR_INTERRUPTS();
	converter->unchecked += TOKEN_BYTES + (Size) length;
	if (converter->unchecked < BYTES_PER_CHECK)
		return;
	TreeBuilderReserve(&converter->builder, 0);
	converter->unchecked = 0;
}

/* Appends a text as a JSON string, with quotes and escapes. */
static void
AppendQuoted(StringInfo label, const char *bytes, int length)
{
	char *text = pnstrdup(bytes, (Size) length);

	escape_json(label, text);
	pfree(text);
}

/* Moves the path filter down to a node; false if the node is excluded. */
static bool
EnterNode(JsonConverter *converter, TreeKind kind, const char *bytes, int length)
{
	int32 above = converter->current;

	if (converter->filter.path == NULL)
		return true;
	resetStringInfo(&converter->label);
	if (kind == KIND_KEY)
	{
		AppendQuoted(&converter->label, bytes, length);
		appendStringInfoChar(&converter->label, ':');
	}
	return PathFilterEnter(
		&converter->filter, (Label){converter->label.data, converter->label.len}, kind,
		IsPathStep(kind, above < 0 ? TREE_KINDS : (TreeKind) converter->nodes[above].kind));
}

/* Begins a node, a child of the current one. */
static void
BeginJsonNode(JsonConverter *converter, TreeKind kind, const char *bytes, int length)
{
	int32 node;
	int32 parent;
	const PathPattern *pattern;
	ArrayKey key;
	JsonNode *array;

	CountToken(converter, length);
	if (converter->excluded > 0 || !EnterNode(converter, kind, bytes, length))
	{
		converter->excluded++;
		return;
	}

	/* add it as the last child of the current node */
	node = converter->node_count;
	parent = converter->current;
	if (node == TREE_MAX_NODES)
		ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED), errmsg("tree has too many nodes"),
						errdetail("A tree can have at most %d nodes.", TREE_MAX_NODES),
						errhint("Split the document into smaller ones.")));
	RESERVE_COUNTED(converter->builder.counted, converter->nodes, converter->capacity, node + 1,
					BUILDING_A_TREE);
	converter->nodes[node] = (JsonNode){.kind = kind,
										.parent = parent,
										.first_child = -1,
										.last_child = -1,
										.next = -1,
										.length = length,
										.bytes = bytes};
	if (parent >= 0)
	{
		JsonNode *above = &converter->nodes[parent];

		if (above->last_child >= 0)
			converter->nodes[above->last_child].next = node;
		else
			above->first_child = node;
		above->last_child = node;
	}
	converter->node_count++;
	converter->current = node;

	/* a path may select the node as the key of an element of an array */
	key = (ArrayKey){converter->current, converter->current};
	if (converter->options->paths.array_keys.count == 0 ||
		(pattern = PathArrayKey(&converter->filter)) == NULL)
		return;
	for (int i = pattern->count - 1; pattern->steps[i].form != STEP_ANY; i--)
		do
			key.element = converter->nodes[key.element].parent;
		while (!IsStep(converter, (TreeKind) converter->nodes[key.element].kind,
					   converter->nodes[key.element].parent));
	array = &converter->nodes[converter->nodes[key.element].parent];
	if (array->kind != KIND_ARRAY)
		return;
	array->is_keyed = true;
	TreeBuilderReserve(&converter->builder, (Size) converter->array_keys.maxlen);
	appendBinaryStringInfo(&converter->array_keys, (const char *) &key, sizeof(key));
}

/* Orders the keys of an object by their displayed form, then by the original, then by position. */
static int
CompareFields(const void *a, const void *b)
{
	const JsonField *x = a;
	const JsonField *y = b;
	int order = CompareLabels(x->sort_key, y->sort_key);

	CHECK_FOR_INTERRUPTS();
	if (order == 0)
		order = CompareLabels(x->key, y->key);
	return order != 0 ? order : (x->node > y->node) - (x->node < y->node);
}

/* Orders the keys of an object by position. */
static int
ComparePositions(const void *a, const void *b)
{
	const JsonField *x = a;
	const JsonField *y = b;

	CHECK_FOR_INTERRUPTS();
	return (x->node > y->node) - (x->node < y->node);
}

/* Drops all but the last of equal keys, which are adjacent.  Returns the number of keys left. */
static int
DropDuplicates(const JsonConverter *converter, JsonField *fields, int count)
{
	int kept = 0;

	for (int i = 0; i < count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (i + 1 == count || CompareLabels(fields[i].key, fields[i + 1].key) != 0)
			fields[kept++] = fields[i];
		else if (converter->options->duplicate_keys == DUPLICATES_ERROR)
			ereport(ERROR, (errcode(ERRCODE_DUPLICATE_JSON_OBJECT_KEY_VALUE),
							errmsg("duplicate JSON object key value"),
							ValueDetail("A key occurs more than once in an object.",
										"Key \"%s\" occurs more than once in an object.",
										pnstrdup(fields[i].key.bytes, fields[i].key.length)),
							errhint("With the option \"duplicate_keys\" set to \"last\" the last "
									"value counts.")));
	}
	return kept;
}

/* Makes the keys of a finished object unique, and sorts them if the options say so. */
static void
OrderFields(JsonConverter *converter, JsonNode *object)
{
	JsonField *fields;
	int count = 0;
	int kept;
	int32 *link = &object->first_child;

	if (object->first_child == object->last_child)
		return;
	for (int32 node = object->first_child; node >= 0; node = converter->nodes[node].next)
	{
		CHECK_FOR_INTERRUPTS();
		count++;
	}
	TreeBuilderReserve(&converter->builder, sizeof(JsonField) * (Size) count);
	fields = MemoryContextAllocHuge(CurrentMemoryContext, sizeof(JsonField) * (Size) count);
	count = 0;
	for (int32 node = object->first_child; node >= 0; node = converter->nodes[node].next)
	{
		JsonField *field = &fields[count++];

		CHECK_FOR_INTERRUPTS();
		field->key.bytes = converter->nodes[node].bytes;
		field->key.length = converter->nodes[node].length;
		field->sort_key = field->key;
		if (converter->options->fold_case)
		{
			field->sort_key.bytes = FoldCase(field->key.bytes, field->key.length);
			field->sort_key.length = strlen(field->sort_key.bytes);
			CountToken(converter, field->sort_key.length);
		}
		field->node = node;
	}

	qsort(fields, count, sizeof(JsonField), CompareFields);
	if (converter->options->fold_case)
		for (int i = 0; i < count; i++)
		{
			CHECK_FOR_INTERRUPTS();
			if (i + 1 < count && CompareLabels(fields[i].sort_key, fields[i + 1].sort_key) == 0 &&
				CompareLabels(fields[i].key, fields[i + 1].key) != 0)
				converter->equal_keys = true;
			pfree((char *) fields[i].sort_key.bytes);
		}
	kept = DropDuplicates(converter, fields, count);
	if (!converter->options->sort_keys)
		qsort(fields, kept, sizeof(JsonField), ComparePositions);
	for (int i = 0; i < kept; i++)
	{
		CHECK_FOR_INTERRUPTS();
		*link = fields[i].node;
		link = &converter->nodes[fields[i].node].next;
	}
	*link = -1;
	pfree(fields);
}

/* Returns the first kept node among a node and its next siblings, or -1. */
static int32
KeptNode(const JsonConverter *converter, int32 node)
{
	while (node >= 0 && !converter->nodes[node].kept)
	{
		CHECK_FOR_INTERRUPTS();
		node = converter->nodes[node].next;
	}
	return node;
}

/* Ends the current node. */
static void
EndNode(JsonConverter *converter)
{
	JsonNode *node;

	if (converter->excluded > 0)
	{
		converter->excluded--;
		return;
	}
	node = &converter->nodes[converter->current];
	if (node->kind == KIND_OBJECT)
		OrderFields(converter, node);
	node->kept = PathIsIncluded(&converter->filter) || KeptNode(converter, node->first_child) >= 0;
	PathFilterLeave(&converter->filter);
	converter->current = node->parent;
}

/* Adds a literal as a leaf. */
static void
AddLiteral(JsonConverter *converter, TreeKind kind, const char *bytes, int length)
{
	if (converter->options->content == CONTENT_KEYS)
	{
		CountToken(converter, length);
		return;
	}
	BeginJsonNode(converter, kind, bytes, length);
	EndNode(converter);
}

/* Appends a key or a string as a JSON string, in lower case if the options say so. */
static void
AppendString(JsonConverter *converter, StringInfo label, const JsonNode *node)
{
	if (converter->options->fold_case)
	{
		char *text = FoldCase(node->bytes, node->length);

		escape_json(label, text);
		pfree(text);
	}
	else
		AppendQuoted(label, node->bytes, node->length);
}

/* Writes the label of a node. */
static void
WriteLabel(JsonConverter *converter, StringInfo label, const JsonNode *node)
{
	bool structure = converter->options->content == CONTENT_STRUCTURE;

	resetStringInfo(label);
	switch (node->kind)
	{
		case KIND_OBJECT:
			appendStringInfoString(label, OBJECT_LABEL);
			break;
		case KIND_ARRAY:
			appendStringInfoString(label, ARRAY_LABEL);
			break;
		case KIND_KEY:
			AppendString(converter, label, node);
			appendStringInfoChar(label, ':');
			break;
		case KIND_STRING:
			if (structure)
				appendStringInfoString(label, "string");
			else
				AppendString(converter, label, node);
			break;
		case KIND_NUMBER:
			if (structure)
				appendStringInfoString(label, "number");
			else
			{
				Datum digits = PointerGetDatum(node->bytes);
				char *written;

				/* without zeros at the end, equal numbers have equal labels */
				if (!converter->options->exact_numbers)
					digits = DirectFunctionCall1(numeric_trim_scale, digits);
				written = DatumGetCString(DirectFunctionCall1(numeric_out, digits));
				appendStringInfoString(label, written);
				pfree(written);
				if (!converter->options->exact_numbers)
					pfree(DatumGetPointer(digits));
			}
			break;
		case KIND_BOOLEAN:
			appendStringInfoString(label, structure ? "boolean" : node->bytes);
			break;
		case KIND_NULL:
			appendStringInfoString(label, "null");
			break;
	}
}

/* Returns the part of a jsonb value that a node was read from. */
static JsonbValue
SourceOfNode(const JsonNode *node)
{
	JsonbValue value = {.type = jbvNull};

	switch (node->kind)
	{
		case KIND_OBJECT:
		case KIND_ARRAY:
			value.type = jbvBinary;
			value.val.binary.data = (JsonbContainer *) unconstify(char *, node->bytes);
			break;
		case KIND_KEY:
		case KIND_STRING:
			value.type = jbvString;
			value.val.string.val = unconstify(char *, node->bytes);
			value.val.string.len = node->length;
			break;
		case KIND_NUMBER:
			value.type = jbvNumeric;
			value.val.numeric = (Numeric) unconstify(char *, node->bytes);
			break;
		case KIND_BOOLEAN:
			value.type = jbvBool;
			value.val.boolean = node->bytes[0] == 't';
			break;
	}
	return value;
}

/* Raises the error that the paths leave nothing of the document. */
static _Noreturn void
NothingLeftOfJson(bool is_included)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATA_EXCEPTION),
			 errmsg("option \"%s\" leaves nothing of the document",
					is_included ? "include_paths" : "exclude_paths"),
			 is_included ? errdetail("No path matches a node of the document that is not left out.")
						 : errdetail("A path matches the root of the document."),
			 errhint("Check the paths, or set the option \"on_error\" to \"null\" where documents "
					 "may lack them.")));
}

/* Passes the collected nodes to the builder in the order of the tree. */
static void
BuildTree(JsonConverter *converter)
{
	TreeBuilder *builder = &converter->builder;
	StringInfoData label;
	int32 node = 0;

	if (converter->options->paths.included.count > 0 &&
		(converter->node_count == 0 || !converter->nodes[0].kept))
		NothingLeftOfJson(true);
	if (converter->node_count == 0 && converter->filter.left_out)
		NothingLeftOfJson(false);
	if (converter->node_count == 0)
		ereport(ERROR,
				(errcode(ERRCODE_DATA_EXCEPTION),
				 errmsg("JSON value cannot be converted to a tree"),
				 errdetail("It is a literal, and literals are left out."),
				 errhint("With the option \"content\" set to \"full\" or \"structure\" literals "
						 "are nodes.")));

	if (converter->array_keys.len > 0)
	{
		Size bytes = sizeof(int32) * (Size) converter->node_count;

		TreeBuilderReserve(builder, bytes);
		converter->place = palloc_extended(bytes, MCXT_ALLOC_HUGE);
		memset(converter->place, -1, bytes);
	}
	if (converter->options->exact_numbers)
	{
		Size bytes = sizeof(JsonbValue) * (Size) converter->node_count;

		TreeBuilderReserve(builder, bytes);
		converter->sources = MemoryContextAllocHuge(converter->caller, bytes);
	}
	initStringInfo(&label);
	while (node >= 0)
	{
		int32 child;
		int32 next;

		CHECK_FOR_INTERRUPTS();
		converter->current = node; /* for error contexts */
		WriteLabel(converter, &label, &converter->nodes[node]);
		if (converter->place != NULL)
			converter->place[node] = converter->builder.size;
		if (converter->sources != NULL)
			converter->sources[converter->builder.size] = SourceOfNode(&converter->nodes[node]);
		if (converter->nodes[node].is_keyed ||
			(converter->options->sort_arrays && converter->nodes[node].kind == KIND_ARRAY))
			NoteUnordered(&converter->builder, &converter->unordered, converter->builder.size, 0);
		TreeBuilderOpen(&converter->builder, label.data, label.len);
		child = KeptNode(converter, converter->nodes[node].first_child);
		if (child >= 0)
		{
			node = child;
			continue;
		}
		TreeBuilderClose(builder);
		while ((next = KeptNode(converter, converter->nodes[node].next)) < 0)
		{
			node = converter->nodes[node].parent;
			if (node < 0)
				break;
			TreeBuilderClose(builder);
		}
		node = next;
	}
	converter->current = -1;
}

/*
 * Returns the key by which each element of an array is sorted, both as preorder numbers in
 * the tree, or -1; NULL without keys.
 */
static int32 *
KeysByPlace(const JsonConverter *converter)
{
	const ArrayKey *keys = (const ArrayKey *) converter->array_keys.data;
	int count = converter->array_keys.len / (int) sizeof(ArrayKey);
	Size bytes = sizeof(int32) * (Size) converter->builder.size;
	int32 *by_place;

	if (converter->place == NULL)
		return NULL;
	TreeBuilderReserve(&converter->builder, bytes);
	by_place = palloc_extended(bytes, MCXT_ALLOC_HUGE);
	memset(by_place, -1, bytes);
	for (int i = 0; i < count; i++)
	{
		int32 element = converter->place[keys[i].element];
		int32 key = converter->place[keys[i].key];

		CHECK_FOR_INTERRUPTS();
		if (element >= 0 && key >= 0 && by_place[element] < 0)
			by_place[element] = key;
	}
	return by_place;
}

/* Builds the tree of the collected nodes, and sorts arrays if the options say so. */
static Tree *
FinishTree(JsonConverter *converter)
{
	int count;
	int32 *keys;
	UnorderedNode *arrays;
	Tree *tree;
	Tree *sorted;

	BuildTree(converter);
	count = converter->unordered.len / (int) sizeof(UnorderedNode);
	MemoryContextSwitchTo(converter->caller);
	if (count == 0)
		return TreeBuilderFinish(&converter->builder);

	TreeBuilderReserve(&converter->builder, (Size) converter->unordered.len);
	arrays = palloc_extended((Size) converter->unordered.len, MCXT_ALLOC_HUGE);
	memcpy(arrays, converter->unordered.data, (Size) converter->unordered.len);
	keys = KeysByPlace(converter);
	tree = TreeBuilderFinish(&converter->builder);
	sorted = SortChildren(tree, arrays, count, keys);
	pfree(tree);
	pfree(arrays);
	if (keys != NULL)
		pfree(keys);
	return sorted;
}

/* Adds a number.  If its value matters, it is read as Numeric, as jsonb stores it. */
static void
AddNumber(JsonConverter *converter, const char *token)
{
	if (converter->options->content == CONTENT_KEYS)
	{
		CountToken(converter, 0);
		return;
	}
	BeginJsonNode(converter, KIND_NUMBER, NULL, 0);
	if (converter->options->content == CONTENT_FULL && converter->excluded == 0 &&
		PathIsIncluded(&converter->filter))
		converter->nodes[converter->current].bytes = DatumGetPointer(DirectFunctionCall3(
			numeric_in, CStringGetDatum(token), ObjectIdGetDatum(InvalidOid), Int32GetDatum(-1)));
	EndNode(converter);
}

/* The following functions are callbacks of PostgreSQL's JSON parser. */

/* Begins an object. */
static JSON_ACTION
BeginObject(void *state)
{
	BeginJsonNode(state, KIND_OBJECT, NULL, 0);
	return JSON_ACTION_DONE;
}

/* Begins an array. */
static JSON_ACTION
BeginArray(void *state)
{
	BeginJsonNode(state, KIND_ARRAY, NULL, 0);
	return JSON_ACTION_DONE;
}

/* Begins a key. */
static JSON_ACTION
BeginField(void *state, char *key, bool isnull)
{
	(void) isnull;
	BeginJsonNode(state, KIND_KEY, key, strlen(key));
	return JSON_ACTION_DONE;
}

/* Ends an object or an array. */
static JSON_ACTION
EndContainer(void *state)
{
	EndNode(state);
	return JSON_ACTION_DONE;
}

/* Ends a key, after its value. */
static JSON_ACTION
EndField(void *state, char *key, bool isnull)
{
	(void) key;
	(void) isnull;
	EndNode(state);
	return JSON_ACTION_DONE;
}

/* Adds a literal. */
static JSON_ACTION
AddScalar(void *state, char *token, JsonTokenType type)
{
	switch (type)
	{
		case JSON_TOKEN_STRING:
			AddLiteral(state, KIND_STRING, token, strlen(token));
			break;
		case JSON_TOKEN_NUMBER:
			AddNumber(state, token);
			pfree(token);
			break;
		case JSON_TOKEN_TRUE:
			AddLiteral(state, KIND_BOOLEAN, "true", 0);
			break;
		case JSON_TOKEN_FALSE:
			AddLiteral(state, KIND_BOOLEAN, "false", 0);
			break;
		default:
			AddLiteral(state, KIND_NULL, NULL, 0);
			break;
	}
	return JSON_ACTION_DONE;
}

/* Raises the error of PostgreSQL's JSON parser, which shows parts of the document. */
static _Noreturn void
RefuseJson(const JsonConverter *converter, JsonParseErrorType error)
{
	MemoryContext caller = CurrentMemoryContext;

	PG_TRY();
	{
		RaiseJsonError(error, converter->lexer);
	}
	PG_CATCH();
	{
		ReportWithoutValues(caller, NULL, "JSON value cannot be converted to a tree",
							"It has an escape sequence that a text cannot have.",
							"Leave the escape sequence out, or set the option \"on_error\" to "
							"\"null\".");
	}
	PG_END_TRY();
	pg_unreachable();
}

/* Converts a json value. */
static Tree *
ConvertJson(JsonConverter *converter)
{
	JsonSemAction actions = {.semstate = converter,
							 .object_start = BeginObject,
							 .object_end = EndContainer,
							 .array_start = BeginArray,
							 .array_end = EndContainer,
							 .object_field_start = BeginField,
							 .object_field_end = EndField,
							 .scalar = AddScalar};
	JsonParseErrorType result;

	converter->lexer = MakeJsonLexer(converter->json);
	result = pg_parse_json(converter->lexer, &actions);
	if (result != JSON_SUCCESS)
		RefuseJson(converter, result);
	converter->lexer = NULL;
	return FinishTree(converter);
}

/* Adds a literal of a jsonb value. */
static void
AddJsonbScalar(JsonConverter *converter, const JsonbValue *value)
{
	switch (value->type)
	{
		case jbvString:
			AddLiteral(converter, KIND_STRING, value->val.string.val, value->val.string.len);
			break;
		case jbvNumeric:
			AddLiteral(converter, KIND_NUMBER, (const char *) value->val.numeric, 0);
			break;
		case jbvBool:
			AddLiteral(converter, KIND_BOOLEAN, value->val.boolean ? "true" : "false", 0);
			break;
		default:
			AddLiteral(converter, KIND_NULL, NULL, 0);
			break;
	}
}

/* Converts a jsonb value. */
static Tree *
ConvertJsonb(JsonConverter *converter)
{
	JsonbIterator *iterator = JsonbIteratorInit(&converter->jsonb->root);
	JsonbIteratorToken token;
	JsonbValue value;
	bool scalar = JB_ROOT_IS_SCALAR(converter->jsonb);

	while ((token = JsonbIteratorNext(&iterator, &value, false)) != WJB_DONE)
	{
		bool ends = true;

		switch (token)
		{
			case WJB_BEGIN_OBJECT:
				BeginJsonNode(converter, KIND_OBJECT, (const char *) iterator->container, 0);
				ends = false;
				break;
			case WJB_BEGIN_ARRAY:
				if (!scalar)
					BeginJsonNode(converter, KIND_ARRAY, (const char *) iterator->container, 0);
				ends = false;
				break;
			case WJB_KEY:
				BeginJsonNode(converter, KIND_KEY, value.val.string.val, value.val.string.len);
				ends = false;
				break;
			case WJB_VALUE:
			case WJB_ELEM:
				AddJsonbScalar(converter, &value);
				break;
			default:
				if (!scalar)
					EndNode(converter);
				break;
		}
		/* a key ends together with its value */
		if (ends && iterator != NULL && JsonContainerIsObject(iterator->container))
			EndNode(converter);
	}
	return FinishTree(converter);
}

/* Appends a key or a literal of a jsonb value as text, with long strings shortened. */
static void
AppendScalar(StringInfo start, const JsonbValue *value)
{
	switch (value->type)
	{
		case jbvString:
			escape_json(start, pnstrdup(value->val.string.val,
										pg_mbcliplen(value->val.string.val, value->val.string.len,
													 SHOWN_BYTES)));
			break;
		case jbvNumeric:
			appendStringInfoString(start, DatumGetCString(DirectFunctionCall1(
											  numeric_out, NumericGetDatum(value->val.numeric))));
			break;
		case jbvBool:
			appendStringInfoString(start, value->val.boolean ? "true" : "false");
			break;
		default:
			appendStringInfoString(start, "null");
			break;
	}
}

/* Returns the bracket of a token that begins or ends a container. */
static char
Bracket(JsonbIteratorToken token)
{
	switch (token)
	{
		case WJB_BEGIN_OBJECT:
			return '{';
		case WJB_END_OBJECT:
			return '}';
		case WJB_BEGIN_ARRAY:
			return '[';
		default:
			return ']';
	}
}

/* Appends the beginning of a jsonb value as text. */
static void
AppendStart(StringInfo start, Jsonb *doc)
{
	JsonbIterator *iterator = JsonbIteratorInit(&doc->root);
	JsonbIteratorToken token = WJB_BEGIN_OBJECT;
	JsonbIteratorToken before = WJB_DONE;
	JsonbValue value;
	bool scalar = JB_ROOT_IS_SCALAR(doc);

	while (start->len <= SHOWN_BYTES && token != WJB_DONE)
	{
		bool ends;

		token = JsonbIteratorNext(&iterator, &value, false);
		ends = token == WJB_END_OBJECT || token == WJB_END_ARRAY;
		if (!ends && token != WJB_DONE &&
			(before == WJB_VALUE || before == WJB_ELEM || before == WJB_END_OBJECT ||
			 before == WJB_END_ARRAY))
			appendStringInfoString(start, ", ");
		if (token == WJB_KEY || token == WJB_VALUE || token == WJB_ELEM)
			AppendScalar(start, &value);
		else if (token != WJB_DONE && !scalar)
			appendStringInfoChar(start, Bracket(token));
		if (token == WJB_KEY)
			appendStringInfoString(start, ": ");
		before = token;
	}
}

/* Appends the path of the current node, in the notation of JSON Pointer. */
static void
AppendPath(StringInfo path, const JsonConverter *converter)
{
	int32 steps[PATH_STEPS];
	int count = 0;
	int32 node = converter->current;

	for (; node >= 0 && count < PATH_STEPS; node = converter->nodes[node].parent)
		if (IsStep(converter, converter->nodes[node].kind, converter->nodes[node].parent))
			steps[count++] = node;
	if (node >= 0)
		appendStringInfoString(path, "...");
	while (count-- > 0)
	{
		const JsonNode *step = &converter->nodes[steps[count]];
		int position = 0;

		if (step->kind == KIND_KEY)
		{
			appendStringInfo(path, "/%.*s", pg_mbcliplen(step->bytes, step->length, SHOWN_BYTES),
							 step->bytes);
			continue;
		}
		for (node = converter->nodes[step->parent].first_child; node != steps[count];
			 node = converter->nodes[node].next)
			position++;
		appendStringInfo(path, "/%d", position);
	}
}

/* Adds the document and the place in it to the context of an error. */
static void
JsonContext(void *arg)
{
	const JsonConverter *converter = arg;
	StringInfoData start;
	StringInfoData place;

	initStringInfo(&place);
	if (converter->current >= 0)
	{
		appendStringInfoString(&place, ", at \"");
		AppendPath(&place, converter);
		appendStringInfoChar(&place, '"');
	}
	if (converter->lexer != NULL && converter->lexer->prev_token_terminator != NULL)
		AppendLineAndColumn(
			&place, converter->lexer->input,
			Max(converter->lexer->input, converter->lexer->prev_token_terminator - 1));
	if (converter->json != NULL)
		DocumentContext("JSON", VARDATA_ANY(converter->json),
						(int) VARSIZE_ANY_EXHDR(converter->json), place.data);
	else
	{
		initStringInfo(&start);
		AppendStart(&start, converter->jsonb);
		DocumentContext("JSON", start.data, start.len, place.data);
	}
}

/* Converts a json or jsonb value. */
static Tree *
ConvertJsonValue(void *arg)
{
	JsonConverter *converter = arg;
	ErrorContextCallback context = {
		.previous = error_context_stack, .callback = JsonContext, .arg = converter};
	Tree *tree;

	TreeBuilderInit(&converter->builder);
	converter->caller = MemoryContextSwitchTo(
		AllocSetContextCreate(converter->builder.context, "JSON to tree", ALLOCSET_DEFAULT_SIZES));
	converter->unchecked = 0;
	PathFilterInit(&converter->filter, &converter->options->paths);
	initStringInfo(&converter->label);
	initStringInfo(&converter->array_keys);
	initStringInfo(&converter->unordered);
	converter->place = NULL;
	converter->sources = NULL;
	converter->capacity = 64;
	converter->nodes = palloc_array(JsonNode, converter->capacity);
	converter->node_count = 0;
	converter->current = -1;
	converter->excluded = 0;
	error_context_stack = &context;
	tree = converter->json != NULL ? ConvertJson(converter) : ConvertJsonb(converter);
	error_context_stack = context.previous;
	return tree;
}

/*
 * Reads the patterns of the option array_keys.  The steps after the last star lead from an
 * element to its key.
 */
static void
ParseArrayKeys(FunctionCallInfo fcinfo, int argument, PathPatterns *parsed)
{
	ErrorContextCallback reading;

	ParsePaths(fcinfo, argument, "array_keys", parsed);
	BeginReading(&reading, AreWrittenByClient(fcinfo, argument, 1));
	for (int i = 0; i < parsed->count; i++)
	{
		const PathPattern *pattern = &parsed->patterns[i];
		bool has_elements = false;

		for (int step = 0; step < pattern->count - 1; step++)
			has_elements |= pattern->steps[step].form == STEP_ANY;
		if (!has_elements || pattern->steps[pattern->count - 1].form < STEP_BEGINNING)
			ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
							errmsg("invalid pattern of option \"array_keys\""),
							ValueDetail("The pattern names no key of elements of an array.",
										"The pattern \"%s\" names no key of elements of an array.",
										WritePathPattern(pattern)),
							errhint("Write the path to an array, a star for its elements, and the "
									"path to the key in an element: \"/items/*/sku\".")));
	}
	EndReading(&reading);
}

/* Reads the options that both forms of tree_from_json() have, the first arguments of both. */
static void
ReadOptions(FunctionCallInfo fcinfo, JsonOptions *options)
{
	options->sort_keys = PG_GETARG_BOOL(1);
	options->content = ParseOption("content", PG_GETARG_TEXT_PP(2), content_modes);
	options->fold_case = PG_GETARG_BOOL(3);
	ParsePaths(fcinfo, 4, "exclude_paths", &options->paths.excluded);
	ParsePaths(fcinfo, 5, "include_paths", &options->paths.included);
	options->sort_arrays = PG_GETARG_BOOL(6);
	ParseArrayKeys(fcinfo, 7, &options->paths.array_keys);
}

/* Converts a json value with the options given. */
Datum
tree_from_json(PG_FUNCTION_ARGS)
{
	JsonOptions options = default_options;
	JsonConverter converter = {.options = &options, .json = PG_GETARG_TEXT_PP(0)};
	Datum tree;

	ReadOptions(fcinfo, &options);
	options.duplicate_keys = ParseOption("duplicate_keys", PG_GETARG_TEXT_PP(9), duplicate_modes);
	tree = ReturnConverted(fcinfo, PG_GETARG_TEXT_PP(8), ConvertJsonValue, &converter);
	WarnOfConversion(fcinfo, &options.paths, converter.equal_keys);
	return tree;
}

/* Converts a jsonb value with the options given. */
Datum
tree_from_jsonb(PG_FUNCTION_ARGS)
{
	JsonOptions options = default_options;
	JsonConverter converter = {.options = &options, .jsonb = PG_GETARG_JSONB_P(0)};
	Datum tree;

	ReadOptions(fcinfo, &options);
	tree = ReturnConverted(fcinfo, PG_GETARG_TEXT_PP(8), ConvertJsonValue, &converter);
	WarnOfConversion(fcinfo, &options.paths, converter.equal_keys);
	return tree;
}

/* Converts a json value with the default options. */
Datum
json_tree(PG_FUNCTION_ARGS)
{
	JsonConverter converter = {.options = &default_options, .json = PG_GETARG_TEXT_PP(0)};

	PG_RETURN_TREE(ConvertArguments(fcinfo, ConvertJsonValue, &converter));
}

Tree *
ExactJsonbTree(Datum jsonb, JsonbValue **sources)
{
	JsonConverter converter = {.options = &exact_options, .jsonb = DatumGetJsonbP(jsonb)};
	ErrorContextCallback reading;
	Tree *tree;

	BeginReading(&reading, false);
	tree = ConvertJsonValue(&converter);
	EndReading(&reading);
	*sources = converter.sources;
	return tree;
}

/* Converts a jsonb value with the default options. */
Datum
jsonb_tree(PG_FUNCTION_ARGS)
{
	JsonConverter converter = {.options = &default_options, .jsonb = PG_GETARG_JSONB_P(0)};

	PG_RETURN_TREE(ConvertArguments(fcinfo, ConvertJsonValue, &converter));
}
