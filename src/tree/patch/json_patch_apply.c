/*
 * json_patch_apply.c
 *	  The SQL functions json_patch_apply() and json_patch_invert(): apply RFC 6902's
 *	  operations to a jsonb value, and write the operations that undo them.
 *
 * The document is unpacked only as far as operations reach into it: a container stays
 * packed (jbvBinary) until a pointer leads through it, and then becomes a list of its
 * elements or members, in jsonb's order.  So an operation takes little more time than its
 * pointers are long, once the containers on its path are taken apart.
 *
 * A container that is taken apart has the type jbvArray or jbvObject, and a PositionList of
 * JsonbValue or JsonbPair in place of jsonb's array, see PartsOf().
 *
 * An operation is undone by one or two others, which are written from the last one to the
 * first.  They have the values that the operations have replaced or removed.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/jsonb.h"
#include "utils/memutils.h"

#include "../../common/host.h"
#include "../../common/labels.h"
#include "../../common/messages.h"
#include "../../compat.h"
#include "../convert/json_pointer.h"
#include "json_operation.h"
#include "position_list.h"

#define APPLYING "applying a JSON patch"
#define INVERTING "inverting a JSON patch"

/* Items between two memory checks. */
#define ITEMS_PER_CHECK 1024

/* An operation that undoes another one, or a test before it. */
typedef struct InverseOperation
{
	JsonOperation kind;
	Label path;
	Label from;       /* for OPERATION_MOVE */
	JsonbValue value; /* for operations with a value */
} InverseOperation;

/* The document being changed, and the current operation. */
typedef struct JsonPatcher
{
	JsonbValue document;
	MemoryContext context; /* has all memory of the document and the result */
	int64 items;           /* number of items made so far */

	int number; /* number of the operation, from 1 */
	Label name;
	JsonPointer path;
	JsonPointer from; /* of OPERATION_MOVE and OPERATION_COPY */

	InverseOperation *inverse; /* NULL if it is not wanted; from the last operation to the first */
	int inverse_count;
	int inverse_capacity;
	bool with_tests; /* the inverse tests the values that it changes */
} JsonPatcher;

/* What an addition has done. */
typedef struct Addition
{
	Label place; /* pointer to the new value, which ends in an index even if the path ends in "-" */
	bool has_replaced;
	JsonbValue replaced; /* the value that was there */
} Addition;

/* Raises the error that the patch is invalid. */
static _Noreturn void
InvalidJsonPatch(const JsonPatcher *patcher, const char *problem)
{
	ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("invalid JSON patch"),
					patcher->number == 0
						? errdetail_internal("%s", problem)
						: ValueDetail(problem, "Operation %d: %s", patcher->number, problem),
					errhint("Write a patch as in RFC 6902: an array of operations such as "
							"{\"op\": \"remove\", \"path\": \"/a/0\"}.")));
}

/* No step, where a whole pointer is the problem. */
#define NO_STEP ((Label){NULL, 0})

/* Raises the error that an operation is not possible in the document, at a step of a pointer. */
static _Noreturn void
JsonDoesNotFit(const JsonPatcher *patcher, const JsonPointer *pointer, Label step,
			   const char *problem)
{
	const char *at_step = step.bytes == NULL ? "" : psprintf(", step \"%s\"", ClipForMessage(step));

	ereport(ERROR, (errcode(ERRCODE_DATA_EXCEPTION), errmsg("JSON patch does not fit the document"),
					ValueDetail(problem, "Operation %d, \"%s\" at \"%s\"%s: %s", patcher->number,
								ClipForMessage(patcher->name), ClipForMessage(pointer->text),
								at_step, problem),
					errhint("Apply a patch to the document that it was made for.")));
}

/* Counts an item, and checks the memory limit from time to time. */
static void
CountItem(JsonPatcher *patcher)
{
	CHECK_FOR_INTERRUPTS();
	if (++patcher->items % ITEMS_PER_CHECK == 0)
		CheckMemoryGrowth(patcher->context, 0, APPLYING);
}

/* Returns the elements or the members of a container that has been taken apart. */
static PositionList *
PartsOf(const JsonbValue *value)
{
	return (PositionList *) value->val.binary.data;
}

/* Makes a value an array or an object, whose parts are to be added, `count` of them at first. */
static PositionList *
MakeContainer(JsonPatcher *patcher, JsonbValue *value, enum jbvType type, int count)
{
	Size size = type == jbvArray ? sizeof(JsonbValue) : sizeof(JsonbPair);
	PositionList *parts = PositionListCreate(patcher->context, size, count, APPLYING);

	value->type = type;
	value->val.binary.data = (JsonbContainer *) parts;
	return parts;
}

/* Takes a container apart that is packed (jbvBinary). */
static void
TakeApart(JsonPatcher *patcher, JsonbValue *value)
{
	JsonbContainer *packed = value->val.binary.data;
	JsonbIterator *iterator = JsonbIteratorInit(packed);
	enum jbvType type = JsonContainerIsArray(packed) ? jbvArray : jbvObject;
	PositionList *parts = MakeContainer(patcher, value, type, (int) JsonContainerSize(packed));
	JsonbPair *pair = NULL;
	JsonbIteratorToken token;
	JsonbValue entry;

	JsonbIteratorNext(&iterator, &entry, true);
	while ((token = JsonbIteratorNext(&iterator, &entry, true)) != WJB_DONE)
	{
		CountItem(patcher);
		if (token == WJB_ELEM)
			*(JsonbValue *) PositionListInsert(parts, parts->count) = entry;
		else if (token == WJB_KEY)
		{
			pair = PositionListInsert(parts, parts->count);
			pair->key = entry;
		}
		else if (token == WJB_VALUE)
			pair->value = entry;
	}
}

/* Returns the position of a key among the members of an object, or where it would be inserted. */
static int
FindMember(const JsonbValue *object, Label key, bool *found)
{
	const PositionList *members = PartsOf(object);
	int low = 0;
	int high = members->count;

	*found = false;
	while (low < high)
	{
		int middle = low + (high - low) / 2;
		const JsonbValue *other = &((JsonbPair *) PositionListGet(members, middle))->key;
		int order = other->val.string.len - key.length;

		if (order == 0)
			order = memcmp(other->val.string.val, key.bytes, (size_t) key.length);
		if (order == 0)
		{
			*found = true;
			return middle;
		}
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Returns a step as an index of at most `limit`, or -1. */
static int
ParseIndex(Label step, int limit)
{
	int64 index = 0;

	if (step.length == 0 || (step.bytes[0] == '0' && step.length > 1))
		return -1;
	for (int i = 0; i < step.length; i++)
	{
		if (step.bytes[i] < '0' || step.bytes[i] > '9')
			return -1;
		index = 10 * index + (step.bytes[i] - '0');
		if (index > limit)
			return -1;
	}
	return (int) index;
}

/* Returns the position of the part to which a step leads in a container taken apart. */
static int
FindChild(JsonPatcher *patcher, const JsonPointer *pointer, const JsonbValue *value, Label step)
{
	int position;

	if (value->type == jbvObject)
	{
		bool found;

		position = FindMember(value, step, &found);
		if (!found)
			JsonDoesNotFit(patcher, pointer, step, "There is no such member.");
		return position;
	}
	if (value->type == jbvArray)
	{
		position = ParseIndex(step, PartsOf(value)->count - 1);
		if (position < 0)
			JsonDoesNotFit(patcher, pointer, step, "It is no index of the array.");
		return position;
	}
	JsonDoesNotFit(patcher, pointer, step, "There is neither an object nor an array that has it.");
}

/* Returns the value at a position of a container taken apart. */
static JsonbValue *
ValueAt(const JsonbValue *container, int position)
{
	void *part = PositionListGet(PartsOf(container), position);

	return container->type == jbvArray ? part : &((JsonbPair *) part)->value;
}

/*
 * Returns the value to which the first steps of a pointer lead.  If it is a container and
 * more steps follow, it is taken apart.
 */
static JsonbValue *
Follow(JsonPatcher *patcher, const JsonPointer *pointer, int steps)
{
	JsonbValue *value = &patcher->document;

	for (int i = 0;; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (value->type == jbvBinary && i < pointer->count)
			TakeApart(patcher, value);
		if (i == steps)
			return value;
		value = ValueAt(value, FindChild(patcher, pointer, value, pointer->steps[i]));
	}
}

/* Returns a pointer whose last step, "-", is replaced by an index. */
static Label
PointerToIndex(JsonPatcher *patcher, const JsonPointer *pointer, int index)
{
	int parent = pointer->text.length - 2;
	char *text = MemoryContextAlloc(patcher->context, (Size) parent + 16);

	memcpy(text, pointer->text.bytes, (size_t) parent);
	return (Label){text, parent + snprintf(text + parent, 16, "/%d", index)};
}

/* Adds a value at a pointer. */
static Addition
AddValue(JsonPatcher *patcher, const JsonPointer *pointer, const JsonbValue *value)
{
	Addition addition = {.place = pointer->text};
	Label step;
	JsonbValue *parent;

	if (pointer->count == 0)
	{
		addition.has_replaced = true;
		addition.replaced = patcher->document;
		patcher->document = *value;
		return addition;
	}
	step = pointer->steps[pointer->count - 1];
	parent = Follow(patcher, pointer, pointer->count - 1);
	CountItem(patcher);
	if (parent->type == jbvObject)
	{
		int position = FindMember(parent, step, &addition.has_replaced);

		if (addition.has_replaced)
			addition.replaced = *ValueAt(parent, position);
		else
		{
			JsonbPair *pair = PositionListInsert(PartsOf(parent), position);

			pair->key.type = jbvString;
			pair->key.val.string.val = unconstify(char *, step.bytes);
			pair->key.val.string.len = step.length;
		}
		*ValueAt(parent, position) = *value;
	}
	else if (parent->type == jbvArray)
	{
		int count = PartsOf(parent)->count;
		bool end = step.length == 1 && step.bytes[0] == '-';
		int index = end ? count : ParseIndex(step, count);

		if (index < 0)
			JsonDoesNotFit(patcher, pointer, step, "It is no index at which the array can grow.");
		if (end)
			addition.place = PointerToIndex(patcher, pointer, index);
		*(JsonbValue *) PositionListInsert(PartsOf(parent), index) = *value;
	}
	else
		FindChild(patcher, pointer, parent, step);
	return addition;
}

/* Removes the value at a pointer.  Returns the value. */
static JsonbValue
RemoveValue(JsonPatcher *patcher, const JsonPointer *pointer)
{
	JsonbValue *parent;
	JsonbValue value;
	int position;

	if (pointer->count == 0)
		JsonDoesNotFit(patcher, pointer, NO_STEP, "The whole document cannot be removed.");
	parent = Follow(patcher, pointer, pointer->count - 1);
	position = FindChild(patcher, pointer, parent, pointer->steps[pointer->count - 1]);
	value = *ValueAt(parent, position);
	PositionListRemove(PartsOf(parent), position);
	return value;
}

/* Returns a copy of a value that shares no container taken apart with it. */
static JsonbValue
CopyValue(JsonPatcher *patcher, const JsonbValue *value)
{
	JsonbValue copy = *value;
	PositionList *parts;
	int count;
	int length;

	check_stack_depth();
	CountItem(patcher);
	if (value->type != jbvArray && value->type != jbvObject)
		return copy;
	count = PartsOf(value)->count;
	parts = MakeContainer(patcher, &copy, value->type, count);
	for (int i = 0; i < count; i += length)
	{
		void *run = PositionListRun(PartsOf(value), i, &length);

		for (int k = 0; k < length; k++)
			if (value->type == jbvArray)
			{
				JsonbValue inner = CopyValue(patcher, (JsonbValue *) run + k);

				*(JsonbValue *) PositionListInsert(parts, i + k) = inner;
			}
			else
			{
				JsonbPair inner = ((JsonbPair *) run)[k];

				inner.value = CopyValue(patcher, &inner.value);
				*(JsonbPair *) PositionListInsert(parts, i + k) = inner;
			}
	}
	return copy;
}

static void PushValue(JsonbBuilder *builder, JsonbIteratorToken token, JsonbValue *value);

/* Pushes a container taken apart. */
static void
PushParts(JsonbBuilder *builder, const JsonbValue *value)
{
	int count = PartsOf(value)->count;
	int length;

	JsonbBuilderOpen(builder, value->type, count);
	for (int i = 0; i < count; i += length)
	{
		void *run = PositionListRun(PartsOf(value), i, &length);

		for (int k = 0; k < length; k++)
			if (value->type == jbvArray)
				PushValue(builder, WJB_ELEM, (JsonbValue *) run + k);
			else
			{
				JsonbPair *pair = (JsonbPair *) run + k;

				PushValue(builder, WJB_KEY, &pair->key);
				PushValue(builder, WJB_VALUE, &pair->value);
			}
	}
	JsonbBuilderClose(builder, value->type);
}

/* Pushes a value.  `token` says whether it is an element, a key or the value of a member. */
static void
PushValue(JsonbBuilder *builder, JsonbIteratorToken token, JsonbValue *value)
{
	check_stack_depth();
	if (value->type == jbvArray || value->type == jbvObject)
		PushParts(builder, value);
	else
		JsonbBuilderAdd(builder, token, value);
}

/* Returns a value as jsonb. */
static Jsonb *
MakeJsonb(JsonbValue *value)
{
	JsonbBuilder builder;

	if (value->type != jbvArray && value->type != jbvObject)
		return JsonbValueToJsonb(value);
	JsonbBuilderInit(&builder, APPLYING);
	PushParts(&builder, value);
	return JsonbBuilderFinish(&builder);
}

/* Whether two values are equal: numbers by value, objects regardless of order. */
static bool
EqualValues(JsonPatcher *patcher, JsonbValue *a, JsonbValue *b)
{
	MemoryContext scratch =
		AllocSetContextCreate(patcher->context, "JSON patch test", ALLOCSET_DEFAULT_SIZES);
	MemoryContext outer = MemoryContextSwitchTo(scratch);
	bool equal = compareJsonbContainers(&MakeJsonb(a)->root, &MakeJsonb(b)->root) == 0;

	MemoryContextSwitchTo(outer);
	MemoryContextDelete(scratch);
	return equal;
}

/* Adds an operation to the inverse. */
static void
AddInverse(JsonPatcher *patcher, JsonOperation kind, Label path, Label from,
		   const JsonbValue *value)
{
	InverseOperation *operation;

	RESERVE_COUNTED(patcher->context, patcher->inverse, patcher->inverse_capacity,
					patcher->inverse_count + 1, INVERTING);
	operation = &patcher->inverse[patcher->inverse_count++];
	*operation = (InverseOperation){.kind = kind, .path = path, .from = from};
	if (value != NULL)
		operation->value = *value;
}

/* Adds a test of a value, which the next inverse operation changes, to the inverse. */
static void
AddInverseTest(JsonPatcher *patcher, Label path, const JsonbValue *value)
{
	JsonbValue copy;

	if (!patcher->with_tests)
		return;
	copy = CopyValue(patcher, value);
	AddInverse(patcher, OPERATION_TEST, path, NO_STEP, &copy);
}

/* Adds what undoes an addition of a value to the inverse. */
static void
InvertAddition(JsonPatcher *patcher, const Addition *addition, const JsonbValue *value)
{
	if (patcher->inverse == NULL)
		return;
	if (addition->has_replaced)
		AddInverse(patcher, OPERATION_REPLACE, addition->place, NO_STEP, &addition->replaced);
	else
		AddInverse(patcher, OPERATION_REMOVE, addition->place, NO_STEP, NULL);
	AddInverseTest(patcher, addition->place, value);
}

/* Whether a pointer leads to the value of another one, or to a value around that. */
static bool
IsPrefix(const JsonPointer *prefix, const JsonPointer *pointer)
{
	bool equal = prefix->count <= pointer->count;

	for (int i = 0; equal && i < prefix->count; i++)
		equal = CompareLabels(prefix->steps[i], pointer->steps[i]) == 0;
	return equal;
}

/* Applies a replacement. */
static void
ReplaceValue(JsonPatcher *patcher, const JsonPointer *path, const JsonbValue *value)
{
	JsonbValue *place = Follow(patcher, path, path->count);
	Addition addition = {.place = path->text, .has_replaced = true, .replaced = *place};

	*place = *value;
	InvertAddition(patcher, &addition, value);
}

/* Applies a move. */
static void
MoveValue(JsonPatcher *patcher)
{
	const JsonPointer *from = &patcher->from;
	const JsonPointer *path = &patcher->path;
	Addition addition;
	JsonbValue whole;
	JsonbValue value;
	bool inward = patcher->inverse != NULL && IsPrefix(path, from);

	if (IsPrefix(from, path))
	{
		if (from->count < path->count)
			JsonDoesNotFit(patcher, from, NO_STEP, "A value cannot be moved into itself.");
		Follow(patcher, from, from->count);
		return;
	}
	if (inward) /* the value replaces one that it is part of */
		whole = CopyValue(patcher, Follow(patcher, path, path->count));
	value = RemoveValue(patcher, from);
	addition = AddValue(patcher, path, &value);
	if (inward && addition.has_replaced)
	{
		addition.replaced = whole;
		InvertAddition(patcher, &addition, &value);
	}
	else if (patcher->inverse != NULL)
	{
		if (addition.has_replaced)
			AddInverse(patcher, OPERATION_ADD, addition.place, NO_STEP, &addition.replaced);
		AddInverse(patcher, OPERATION_MOVE, from->text, addition.place, NULL);
		AddInverseTest(patcher, addition.place, &value);
	}
}

/* Applies an addition. */
static void
ApplyAddition(JsonPatcher *patcher, const JsonPointer *path, const JsonbValue *value)
{
	Addition addition = AddValue(patcher, path, value);

	InvertAddition(patcher, &addition, value);
}

/* Returns a member of an operation, or NULL. */
static JsonbValue *
FindOperationMember(JsonbContainer *operation, const char *name)
{
	JsonbValue key = {.type = jbvString};

	key.val.string.val = unconstify(char *, name);
	key.val.string.len = (int) strlen(name);
	return findJsonbValueFromContainer(operation, JB_FOBJECT, &key);
}

/* Returns a member of an operation that must be a string. */
static Label
FindText(const JsonPatcher *patcher, JsonbContainer *operation, const char *name)
{
	JsonbValue *value = FindOperationMember(operation, name);

	if (value == NULL || value->type != jbvString)
		InvalidJsonPatch(patcher, psprintf("It has no member \"%s\" that is a string.", name));
	return (Label){value->val.string.val, value->val.string.len};
}

/* Returns a member of an operation that must be a pointer. */
static JsonPointer
FindPointer(const JsonPatcher *patcher, JsonbContainer *operation, const char *name)
{
	JsonPointer pointer;

	if (!ParseJsonPointer(FindText(patcher, operation, name), patcher->context, APPLYING, &pointer))
		InvalidJsonPatch(patcher, psprintf("Its member \"%s\" is not a JSON Pointer.", name));
	return pointer;
}

/* Applies an operation. */
static void
ApplyJsonOperation(JsonPatcher *patcher, JsonbContainer *operation)
{
	int kind = 0;
	JsonbValue *value = FindOperationMember(operation, "value");
	const JsonPointer *path = &patcher->path;
	JsonbValue removed;
	JsonbValue copy;

	patcher->name = FindText(patcher, operation, "op");
	while (kind < JSON_OPERATIONS && !LabelIs(patcher->name, json_operation_names[kind]))
		kind++;
	if (kind == JSON_OPERATIONS)
		InvalidJsonPatch(patcher,
						 "Its \"op\" is none of \"add\", \"replace\", \"test\", \"remove\", "
						 "\"move\" and \"copy\".");
	patcher->path = FindPointer(patcher, operation, "path");
	if (kind <= OPERATION_TEST && value == NULL)
		InvalidJsonPatch(patcher, "It has no member \"value\".");
	if (kind >= OPERATION_MOVE)
		patcher->from = FindPointer(patcher, operation, "from");

	switch ((JsonOperation) kind)
	{
		case OPERATION_ADD:
			ApplyAddition(patcher, path, value);
			break;
		case OPERATION_REPLACE:
			ReplaceValue(patcher, path, value);
			break;
		case OPERATION_TEST:
			if (!EqualValues(patcher, Follow(patcher, path, path->count), value))
				JsonDoesNotFit(patcher, path, NO_STEP, "The value is another one.");
			break;
		case OPERATION_REMOVE:
			removed = RemoveValue(patcher, path);
			if (patcher->inverse != NULL)
				AddInverse(patcher, OPERATION_ADD, path->text, NO_STEP, &removed);
			break;
		case OPERATION_MOVE:
			MoveValue(patcher);
			break;
		case OPERATION_COPY:
			copy = CopyValue(patcher, Follow(patcher, &patcher->from, patcher->from.count));
			ApplyAddition(patcher, path, &copy);
			break;
	}
}

/* Returns the inverse of the patch as jsonb. */
static Jsonb *
MakeInverse(JsonPatcher *patcher)
{
	JsonbBuilder builder;

	JsonbBuilderInit(&builder, INVERTING);
	JsonbBuilderOpen(&builder, jbvArray, patcher->inverse_count);
	for (int i = patcher->inverse_count - 1; i >= 0; i--)
	{
		InverseOperation *operation = &patcher->inverse[i];

		OpenJsonOperation(&builder, operation->kind, operation->path, operation->from);
		if (operation->kind <= OPERATION_TEST)
			PushValue(&builder, WJB_VALUE, &operation->value);
		JsonbBuilderClose(&builder, jbvObject);
	}
	JsonbBuilderClose(&builder, jbvArray);
	return JsonbBuilderFinish(&builder);
}

/* Applies all operations of a patch. */
static void
ApplyOperations(JsonPatcher *patcher, Jsonb *patch)
{
	JsonbIterator *iterator = JsonbIteratorInit(&patch->root);
	JsonbIteratorToken token;
	JsonbValue operation;

	while ((token = JsonbIteratorNext(&iterator, &operation, true)) != WJB_DONE)
	{
		if (token != WJB_ELEM)
			continue;
		patcher->number++;
		if (operation.type != jbvBinary || !JsonContainerIsObject(operation.val.binary.data))
			InvalidJsonPatch(patcher, "It is not an object.");
		ApplyJsonOperation(patcher, operation.val.binary.data);
		CountItem(patcher);
	}
}

/* Applies the patch in the arguments.  Returns the new document, or the inverse of the patch. */
static Datum
ApplyArguments(FunctionCallInfo fcinfo, bool invert, bool with_tests)
{
	Jsonb *patch = PG_GETARG_JSONB_P(1);
	JsonPatcher patcher = {.document = JsonbRoot(PG_GETARG_JSONB_P(0)), .with_tests = with_tests};
	MemoryContext caller = CurrentMemoryContext;
	Datum result;
	ErrorContextCallback reading;

	BeginReading(&reading, AreWrittenByClient(fcinfo, 0, 2));
	if (!JB_ROOT_IS_ARRAY(patch) || JB_ROOT_IS_SCALAR(patch))
		InvalidJsonPatch(&patcher, "It is not an array.");
	patcher.context = AllocSetContextCreate(caller, "JSON patch", ALLOCSET_DEFAULT_SIZES);
	MemoryContextSwitchTo(patcher.context);
	if (invert)
	{
		patcher.inverse_capacity = 64;
		patcher.inverse = palloc_array(InverseOperation, patcher.inverse_capacity);
	}
	ApplyOperations(&patcher, patch);
	result = JsonbPGetDatum(invert ? MakeInverse(&patcher) : MakeJsonb(&patcher.document));
	MemoryContextSwitchTo(caller);
	result = JsonbPGetDatum(DatumGetJsonbPCopy(result));
	MemoryContextDelete(patcher.context);
	EndReading(&reading);
	return result;
}

PG_FUNCTION_INFO_V1(json_patch_apply);

/* Returns a document after all operations of a patch. */
Datum
json_patch_apply(PG_FUNCTION_ARGS)
{
	return ApplyArguments(fcinfo, false, false);
}

PG_FUNCTION_INFO_V1(json_patch_invert);

/* Returns a patch that undoes the operations of a patch on a document. */
Datum
json_patch_invert(PG_FUNCTION_ARGS)
{
	return ApplyArguments(fcinfo, true, PG_GETARG_BOOL(2));
}
