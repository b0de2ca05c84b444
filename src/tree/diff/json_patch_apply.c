/*
 * json_patch_apply.c
 *	  The SQL function json_patch_apply(): applies RFC 6902's operations to a jsonb
 *	  value.
 *
 * The document is unpacked only as far as operations reach into it: a container stays
 * packed (jbvBinary) until a pointer leads through it, and then becomes a list of its
 * elements or members, in jsonb's order.  So an operation takes little more time than its
 * pointers are long, once the containers on its path are taken apart.
 *
 * A container that is taken apart has the type jbvArray or jbvObject, and a PositionList of
 * JsonbValue or JsonbPair in place of jsonb's array, see PartsOf().
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
#include "position_list.h"

#define APPLYING "applying a JSON patch"

/* Items between two memory checks. */
#define ITEMS_PER_CHECK 1024

/* The operations: first those with a value, last those with a second pointer. */
typedef enum JsonOperation
{
	OPERATION_ADD,
	OPERATION_REPLACE,
	OPERATION_TEST,
	OPERATION_REMOVE,
	OPERATION_MOVE,
	OPERATION_COPY
} JsonOperation;

/* The document being changed, and the current operation. */
typedef struct JsonPatcher
{
	JsonbValue document;
	MemoryContext context; /* has all memory of the document and the result */
	int64 items;           /* number of items made so far */
	Size bytes;            /* upper bound on the bytes of the jsonb value being made */

	int number; /* number of the operation, from 1 */
	Label name;
	JsonPointer path;
	JsonPointer from; /* of OPERATION_MOVE and OPERATION_COPY */
} JsonPatcher;

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

/* Adds a value at a pointer. */
static void
AddValue(JsonPatcher *patcher, const JsonPointer *pointer, const JsonbValue *value)
{
	Label step;
	JsonbValue *parent;

	if (pointer->count == 0)
	{
		patcher->document = *value;
		return;
	}
	step = pointer->steps[pointer->count - 1];
	parent = Follow(patcher, pointer, pointer->count - 1);
	CountItem(patcher);
	if (parent->type == jbvObject)
	{
		bool found;
		int position = FindMember(parent, step, &found);

		if (!found)
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
		*(JsonbValue *) PositionListInsert(PartsOf(parent), index) = *value;
	}
	else
		FindChild(patcher, pointer, parent, step);
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

/* Counts a scalar to be pushed. */
static void
CountPushed(JsonPatcher *patcher, const JsonbValue *value)
{
	CountItem(patcher);
	if (value->type == jbvString)
		patcher->bytes += value->val.string.len;
	else if (value->type == jbvNumeric)
		patcher->bytes += VARSIZE_ANY(value->val.numeric);
	patcher->bytes += sizeof(JEntry) + sizeof(int32);
}

/*
 * Counts a container to be pushed, and checks the memory for its entries, which grow by
 * doubling.
 */
static void
CountContainer(JsonPatcher *patcher, enum jbvType type, int count)
{
	CountItem(patcher);
	CheckMemoryGrowth(
		patcher->context,
		3 * (type == jbvArray ? sizeof(JsonbValue) : sizeof(JsonbPair)) * (Size) count, APPLYING);
	patcher->bytes += sizeof(JEntry) + sizeof(int32);
}

/* Pushes a packed container (jbvBinary). */
static void
PushBytes(JsonPatcher *patcher, JsonbInState *state, const JsonbValue *value)
{
	JsonbIterator *iterator = JsonbIteratorInit(value->val.binary.data);
	JsonbIteratorToken token;
	JsonbValue item;

	while ((token = JsonbIteratorNext(&iterator, &item, false)) != WJB_DONE)
	{
		bool is_scalar = token == WJB_KEY || token == WJB_VALUE || token == WJB_ELEM;

		if (is_scalar)
			CountPushed(patcher, &item);
		else if (token == WJB_BEGIN_ARRAY)
			CountContainer(patcher, jbvArray, item.val.array.nElems);
		else if (token == WJB_BEGIN_OBJECT)
			CountContainer(patcher, jbvObject, item.val.object.nPairs);
		pushJsonbValue(state, token, is_scalar ? &item : NULL);
	}
}

static void PushValue(JsonPatcher *patcher, JsonbInState *state, JsonbIteratorToken token,
					  JsonbValue *value);

/* Pushes a container taken apart. */
static void
PushParts(JsonPatcher *patcher, JsonbInState *state, const JsonbValue *value)
{
	bool is_array = value->type == jbvArray;
	int count = PartsOf(value)->count;
	int length;

	CountContainer(patcher, value->type, count);
	pushJsonbValue(state, is_array ? WJB_BEGIN_ARRAY : WJB_BEGIN_OBJECT, NULL);
	for (int i = 0; i < count; i += length)
	{
		void *run = PositionListRun(PartsOf(value), i, &length);

		for (int k = 0; k < length; k++)
			if (is_array)
				PushValue(patcher, state, WJB_ELEM, (JsonbValue *) run + k);
			else
			{
				JsonbPair *pair = (JsonbPair *) run + k;

				PushValue(patcher, state, WJB_KEY, &pair->key);
				PushValue(patcher, state, WJB_VALUE, &pair->value);
			}
	}
	pushJsonbValue(state, is_array ? WJB_END_ARRAY : WJB_END_OBJECT, NULL);
}

/* Pushes a value.  `token` says whether a scalar is an element, a key or the value of a member. */
static void
PushValue(JsonPatcher *patcher, JsonbInState *state, JsonbIteratorToken token, JsonbValue *value)
{
	check_stack_depth();
	if (value->type == jbvBinary)
		PushBytes(patcher, state, value);
	else if (value->type == jbvArray || value->type == jbvObject)
		PushParts(patcher, state, value);
	else
	{
		CountPushed(patcher, value);
		pushJsonbValue(state, token, value);
	}
}

/* Returns a value as jsonb. */
static Jsonb *
MakeJsonb(JsonPatcher *patcher, JsonbValue *value)
{
	JsonbInState state = {0};

	patcher->bytes = 0;
	if (value->type == jbvArray || value->type == jbvObject)
	{
		PushValue(patcher, &state, WJB_ELEM, value);
		value = state.result;
	}
	CheckMemoryGrowth(patcher->context, 3 * patcher->bytes, APPLYING);
	return JsonbValueToJsonb(value);
}

/* Whether two values are equal: numbers by value, objects regardless of order. */
static bool
EqualValues(JsonPatcher *patcher, JsonbValue *a, JsonbValue *b)
{
	MemoryContext scratch =
		AllocSetContextCreate(patcher->context, "JSON patch test", ALLOCSET_DEFAULT_SIZES);
	MemoryContext outer = MemoryContextSwitchTo(scratch);
	bool equal =
		compareJsonbContainers(&MakeJsonb(patcher, a)->root, &MakeJsonb(patcher, b)->root) == 0;

	MemoryContextSwitchTo(outer);
	MemoryContextDelete(scratch);
	return equal;
}

/* Applies a move. */
static void
MoveValue(JsonPatcher *patcher)
{
	const JsonPointer *from = &patcher->from;
	const JsonPointer *path = &patcher->path;
	bool prefix = from->count <= path->count;
	JsonbValue value;

	for (int i = 0; prefix && i < from->count; i++)
		prefix = CompareLabels(from->steps[i], path->steps[i]) == 0;
	if (prefix && from->count == path->count)
	{
		Follow(patcher, from, from->count);
		return;
	}
	if (prefix)
		JsonDoesNotFit(patcher, from, NO_STEP, "A value cannot be moved into itself.");
	value = RemoveValue(patcher, from);
	AddValue(patcher, path, &value);
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

/* Returns the kind of the current operation. */
static JsonOperation
ParseOperation(const JsonPatcher *patcher)
{
	static const char *const names[] = {"add", "replace", "test", "remove", "move", "copy"};

	for (int i = 0; i < (int) lengthof(names); i++)
		if (CompareLabels(patcher->name, (Label){names[i], (int) strlen(names[i])}) == 0)
			return (JsonOperation) i;
	InvalidJsonPatch(patcher, "Its \"op\" is none of \"add\", \"replace\", \"test\", \"remove\", "
							  "\"move\" and \"copy\".");
}

/* Applies an operation. */
static void
ApplyJsonOperation(JsonPatcher *patcher, JsonbContainer *operation)
{
	JsonOperation kind;
	JsonbValue *value = FindOperationMember(operation, "value");
	const JsonPointer *path = &patcher->path;
	JsonbValue copy;

	patcher->name = FindText(patcher, operation, "op");
	kind = ParseOperation(patcher);
	patcher->path = FindPointer(patcher, operation, "path");
	if (kind <= OPERATION_TEST && value == NULL)
		InvalidJsonPatch(patcher, "It has no member \"value\".");
	if (kind >= OPERATION_MOVE)
		patcher->from = FindPointer(patcher, operation, "from");

	switch (kind)
	{
		case OPERATION_ADD:
			AddValue(patcher, path, value);
			break;
		case OPERATION_REPLACE:
			*Follow(patcher, path, path->count) = *value;
			break;
		case OPERATION_TEST:
			if (!EqualValues(patcher, Follow(patcher, path, path->count), value))
				JsonDoesNotFit(patcher, path, NO_STEP, "The value is another one.");
			break;
		case OPERATION_REMOVE:
			RemoveValue(patcher, path);
			break;
		case OPERATION_MOVE:
			MoveValue(patcher);
			break;
		case OPERATION_COPY:
			copy = CopyValue(patcher, Follow(patcher, &patcher->from, patcher->from.count));
			AddValue(patcher, path, &copy);
			break;
	}
}

/* Returns a jsonb value as a JsonbValue, packed if it is a container. */
static JsonbValue
RootValue(Jsonb *jsonb)
{
	JsonbValue value;

	if (!JB_ROOT_IS_SCALAR(jsonb) || !JsonbExtractScalar(&jsonb->root, &value))
	{
		value.type = jbvBinary;
		value.val.binary.data = &jsonb->root;
		value.val.binary.len = (int) VARSIZE_ANY_EXHDR(jsonb);
	}
	return value;
}

PG_FUNCTION_INFO_V1(json_patch_apply);

/* Returns a document after all operations of a patch. */
Datum
json_patch_apply(PG_FUNCTION_ARGS)
{
	Jsonb *patch = PG_GETARG_JSONB_P(1);
	JsonPatcher patcher = {.document = RootValue(PG_GETARG_JSONB_P(0))};
	MemoryContext caller = CurrentMemoryContext;
	JsonbIterator *iterator;
	JsonbIteratorToken token;
	JsonbValue operation;
	Jsonb *result;
	ErrorContextCallback reading;

	BeginReading(&reading, AreWrittenByClient(fcinfo, 0, 2));
	if (!JB_ROOT_IS_ARRAY(patch) || JB_ROOT_IS_SCALAR(patch))
		InvalidJsonPatch(&patcher, "It is not an array.");
	patcher.context = AllocSetContextCreate(caller, "JSON patch", ALLOCSET_DEFAULT_SIZES);
	MemoryContextSwitchTo(patcher.context);
	iterator = JsonbIteratorInit(&patch->root);
	while ((token = JsonbIteratorNext(&iterator, &operation, true)) != WJB_DONE)
	{
		if (token != WJB_ELEM)
			continue;
		patcher.number++;
		if (operation.type != jbvBinary || !JsonContainerIsObject(operation.val.binary.data))
			InvalidJsonPatch(&patcher, "It is not an object.");
		ApplyJsonOperation(&patcher, operation.val.binary.data);
		CountItem(&patcher);
	}
	result = MakeJsonb(&patcher, &patcher.document);
	MemoryContextSwitchTo(caller);
	result = DatumGetJsonbPCopy(JsonbPGetDatum(result));
	MemoryContextDelete(patcher.context);
	EndReading(&reading);
	PG_RETURN_JSONB_P(result);
}
