/*
 * json_patch_apply.c
 *	  The SQL function json_patch_apply(): applies RFC 6902's operations to a jsonb
 *	  value.
 *
 * The document is unpacked only as far as operations reach into it: a container stays
 * packed (jbvBinary) until a pointer leads through it, and then becomes an array of its
 * elements or members, in jsonb's order.  So an operation takes time only for the
 * containers on its path.
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

/* Returns the capacity of an array of `count` entries. */
static int
Capacity(int count)
{
	int capacity = 8;

	while (capacity < count)
		capacity *= 2;
	return capacity;
}

/* Allocates an array for `count` entries of `size` bytes. */
static void *
NewEntries(JsonPatcher *patcher, int count, Size size)
{
	Size bytes = size * (Size) Capacity(count);

	CheckMemoryGrowth(patcher->context, bytes, APPLYING);
	return MemoryContextAllocHuge(patcher->context, bytes);
}

/* Makes room for an entry at a position.  Returns the array, which may have moved. */
static void *
OpenGap(JsonPatcher *patcher, void *entries, int count, int position, Size size)
{
	char *bytes = entries;

	if (count == Capacity(count))
	{
		CheckMemoryGrowth(patcher->context, size * (Size) count, APPLYING);
		bytes = repalloc_huge(bytes, 2 * size * (Size) count);
	}
	memmove(bytes + size * (Size) (position + 1), bytes + size * (Size) position,
			size * (Size) (count - position));
	return bytes;
}

/* Unpacks a container that is packed (jbvBinary). */
static void
TakeApart(JsonPatcher *patcher, JsonbValue *value)
{
	JsonbIterator *iterator = JsonbIteratorInit(value->val.binary.data);
	JsonbIteratorToken token;
	JsonbValue entry;
	JsonbValue parts;
	int count = 0;

	JsonbIteratorNext(&iterator, &parts, true);
	if (parts.type == jbvArray)
		parts.val.array.elems = NewEntries(patcher, parts.val.array.nElems, sizeof(JsonbValue));
	else
		parts.val.object.pairs = NewEntries(patcher, parts.val.object.nPairs, sizeof(JsonbPair));
	while ((token = JsonbIteratorNext(&iterator, &entry, true)) != WJB_DONE)
	{
		CountItem(patcher);
		if (token == WJB_ELEM)
			parts.val.array.elems[count++] = entry;
		else if (token == WJB_KEY)
			parts.val.object.pairs[count].key = entry;
		else if (token == WJB_VALUE)
			parts.val.object.pairs[count++].value = entry;
	}
	*value = parts;
}

/* Returns the position of a key among the members of an object, or where it would be inserted. */
static int
FindMember(const JsonbValue *object, Label key, bool *found)
{
	int low = 0;
	int high = object->val.object.nPairs;

	*found = false;
	while (low < high)
	{
		int middle = low + (high - low) / 2;
		const JsonbValue *other = &object->val.object.pairs[middle].key;
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

/* Returns the value to which a step leads in an unpacked container. */
static JsonbValue *
FindChild(JsonPatcher *patcher, const JsonPointer *pointer, JsonbValue *value, Label step)
{
	if (value->type == jbvObject)
	{
		bool found;
		int position = FindMember(value, step, &found);

		if (!found)
			JsonDoesNotFit(patcher, pointer, step, "There is no such member.");
		return &value->val.object.pairs[position].value;
	}
	if (value->type == jbvArray)
	{
		int index = ParseIndex(step, value->val.array.nElems - 1);

		if (index < 0)
			JsonDoesNotFit(patcher, pointer, step, "It is no index of the array.");
		return &value->val.array.elems[index];
	}
	JsonDoesNotFit(patcher, pointer, step, "There is neither an object nor an array that has it.");
}

/*
 * Returns the value to which the first steps of a pointer lead.  If it is a container and
 * more steps follow, it is unpacked.
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
		value = FindChild(patcher, pointer, value, pointer->steps[i]);
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
			JsonbPair *pairs = OpenGap(patcher, parent->val.object.pairs, parent->val.object.nPairs,
									   position, sizeof(JsonbPair));

			parent->val.object.pairs = pairs;
			parent->val.object.nPairs++;
			pairs[position].key.type = jbvString;
			pairs[position].key.val.string.val = unconstify(char *, step.bytes);
			pairs[position].key.val.string.len = step.length;
		}
		parent->val.object.pairs[position].value = *value;
	}
	else if (parent->type == jbvArray)
	{
		int count = parent->val.array.nElems;
		bool end = step.length == 1 && step.bytes[0] == '-';
		int index = end ? count : ParseIndex(step, count);

		if (index < 0)
			JsonDoesNotFit(patcher, pointer, step, "It is no index at which the array can grow.");
		parent->val.array.elems =
			OpenGap(patcher, parent->val.array.elems, count, index, sizeof(JsonbValue));
		parent->val.array.elems[index] = *value;
		parent->val.array.nElems++;
	}
	else
		FindChild(patcher, pointer, parent, step);
}

/* Removes the value at a pointer.  Returns the value. */
static JsonbValue
RemoveValue(JsonPatcher *patcher, const JsonPointer *pointer)
{
	JsonbValue *parent;
	JsonbValue *child;
	JsonbValue value;

	if (pointer->count == 0)
		JsonDoesNotFit(patcher, pointer, NO_STEP, "The whole document cannot be removed.");
	parent = Follow(patcher, pointer, pointer->count - 1);
	child = FindChild(patcher, pointer, parent, pointer->steps[pointer->count - 1]);
	value = *child;
	if (parent->type == jbvArray)
	{
		JsonbValue *end = parent->val.array.elems + parent->val.array.nElems--;

		memmove(child, child + 1, sizeof(JsonbValue) * (Size) (end - child - 1));
	}
	else
	{
		JsonbPair *end = parent->val.object.pairs + parent->val.object.nPairs--;
		JsonbPair *pair = (JsonbPair *) ((char *) child - offsetof(JsonbPair, value));

		memmove(pair, pair + 1, sizeof(JsonbPair) * (Size) (end - pair - 1));
	}
	return value;
}

/* Returns a copy of a value that shares no unpacked container with it. */
static JsonbValue
CopyValue(JsonPatcher *patcher, const JsonbValue *value)
{
	JsonbValue copy = *value;

	check_stack_depth();
	CountItem(patcher);
	if (value->type == jbvArray)
	{
		int count = value->val.array.nElems;

		copy.val.array.elems = NewEntries(patcher, count, sizeof(JsonbValue));
		for (int i = 0; i < count; i++)
			copy.val.array.elems[i] = CopyValue(patcher, &value->val.array.elems[i]);
	}
	else if (value->type == jbvObject)
	{
		int count = value->val.object.nPairs;

		copy.val.object.pairs = NewEntries(patcher, count, sizeof(JsonbPair));
		for (int i = 0; i < count; i++)
		{
			copy.val.object.pairs[i].key = value->val.object.pairs[i].key;
			copy.val.object.pairs[i].value = CopyValue(patcher, &value->val.object.pairs[i].value);
		}
	}
	return copy;
}

/*
 * Counts an item to be pushed; for a container, also checks the memory for its entries,
 * which grow by doubling.
 */
static void
CountPushed(JsonPatcher *patcher, JsonbIteratorToken token, const JsonbValue *value)
{
	CountItem(patcher);
	if (token == WJB_BEGIN_ARRAY)
		CheckMemoryGrowth(patcher->context, 3 * sizeof(JsonbValue) * (Size) value->val.array.nElems,
						  APPLYING);
	else if (token == WJB_BEGIN_OBJECT)
		CheckMemoryGrowth(patcher->context, 3 * sizeof(JsonbPair) * (Size) value->val.object.nPairs,
						  APPLYING);
	else if (value->type == jbvString)
		patcher->bytes += value->val.string.len;
	else if (value->type == jbvNumeric)
		patcher->bytes += VARSIZE_ANY(value->val.numeric);
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

		if (token != WJB_END_ARRAY && token != WJB_END_OBJECT)
			CountPushed(patcher, token, &item);
		pushJsonbValue(state, token, is_scalar ? &item : NULL);
	}
}

/* Pushes a value.  `token` says whether a scalar is an element or the value of a member. */
static void
PushValue(JsonPatcher *patcher, JsonbInState *state, JsonbIteratorToken token, JsonbValue *value)
{
	check_stack_depth();
	if (value->type == jbvBinary)
		PushBytes(patcher, state, value);
	else if (value->type == jbvArray)
	{
		CountPushed(patcher, WJB_BEGIN_ARRAY, value);
		pushJsonbValue(state, WJB_BEGIN_ARRAY, NULL);
		for (int i = 0; i < value->val.array.nElems; i++)
			PushValue(patcher, state, WJB_ELEM, &value->val.array.elems[i]);
		pushJsonbValue(state, WJB_END_ARRAY, NULL);
	}
	else if (value->type == jbvObject)
	{
		CountPushed(patcher, WJB_BEGIN_OBJECT, value);
		pushJsonbValue(state, WJB_BEGIN_OBJECT, NULL);
		for (int i = 0; i < value->val.object.nPairs; i++)
		{
			CountPushed(patcher, WJB_KEY, &value->val.object.pairs[i].key);
			pushJsonbValue(state, WJB_KEY, &value->val.object.pairs[i].key);
			PushValue(patcher, state, WJB_VALUE, &value->val.object.pairs[i].value);
		}
		pushJsonbValue(state, WJB_END_OBJECT, NULL);
	}
	else
	{
		CountPushed(patcher, token, value);
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
