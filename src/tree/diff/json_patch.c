/*
 * json_patch.c
 *	  The SQL function json_patch(): RFC 6902's operations that make one document into
 *	  another.
 *
 * Both documents become trees, which are mapped by names, and both trees are walked in
 * parallel.  If a container is mapped to one of the same kind, the patch changes its
 * content: elements and members without a partner are removed, added or replaced, a renamed
 * key becomes a move, and so does an element that is deleted in one place of an array and
 * inserted in another.  If a container is mapped to one further up, it is moved there.  Any
 * other value is replaced, and so is a container of which nothing would stay.
 *
 * Elements are processed from left to right, so indexes count elements of the second
 * document to the left of an operation, and elements of the first document to the right.
 *
 * Values that the mapping turns into each other at no cost stay as they are in the first
 * document.  Elements and members without a partner that cost nothing to delete stay as
 * well, and those that cost nothing to insert are not added.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "../../common/host.h"
#include "../../compat.h"
#include "../convert/convert.h"
#include "../costs/cost_type.h"
#include "../convert/json_pointer.h"
#include "../convert/json_writer.h"
#include "mapped_trees.h"

#define PATCHING "making a JSON patch"

/* The kind of an operation, see `operation_names`. */
typedef enum PatchKind
{
	PATCH_ADD,
	PATCH_REMOVE,
	PATCH_REPLACE,
	PATCH_MOVE
} PatchKind;

static const char *const operation_names[] = {"add", "remove", "replace", "move"};

/* An operation.  Its pointers are ranges of the patch's `pointers`. */
typedef struct PatchOperation
{
	PatchKind kind;
	int path;
	int path_length;
	int from; /* for PATCH_MOVE */
	int from_length;
	int32 value; /* for PATCH_ADD and PATCH_REPLACE: node of the second tree */
} PatchOperation;

/* The state of making a patch. */
typedef struct JsonPatch
{
	MappedTrees pair;
	MemoryContext context;

	PatchOperation *operations;
	int count;
	int capacity;
	StringInfoData pointers;
	StringInfoData path;   /* pointer to the current value */
	StringInfoData source; /* source of the move being made */
} JsonPatch;

/* An element without a partner, and the hash of its subtree. */
typedef struct MovableElement
{
	uint64 hash;
	int32 place;
} MovableElement;

/* The most elements of an array that are moved; further ones are removed and added. */
#define MOST_MOVES 1000

/* Approximate bytes of an operation as text, without its path and its value. */
#define OPERATION_BYTES 40

/* Stores a pointer.  Returns where it begins in `pointers`. */
static int
KeepPointer(JsonPatch *patch, const StringInfoData *pointer)
{
	int start = patch->pointers.len;

	if (start + pointer->len >= patch->pointers.maxlen)
		CheckMemoryGrowth(patch->context, 2 * ((Size) start + pointer->len), PATCHING);
	appendBinaryStringInfo(&patch->pointers, pointer->data, pointer->len);
	return start;
}

/* Adds an operation at the current path. */
static PatchOperation *
AddOperation(JsonPatch *patch, PatchKind kind, int32 value)
{
	PatchOperation *operation;

	CHECK_FOR_INTERRUPTS();
	RESERVE_COUNTED(patch->context, patch->operations, patch->capacity, patch->count + 1, PATCHING);
	operation = &patch->operations[patch->count++];
	*operation = (PatchOperation){.kind = kind,
								  .path = KeepPointer(patch, &patch->path),
								  .path_length = patch->path.len,
								  .value = value};
	return operation;
}

/* Begins a move: sets its source to the current path, to which the caller appends. */
static void
BeginMove(JsonPatch *patch)
{
	resetStringInfo(&patch->source);
	appendBinaryStringInfo(&patch->source, patch->path.data, patch->path.len);
}

/* Adds a move from its source to the current path. */
static void
AddMove(JsonPatch *patch)
{
	PatchOperation *operation = AddOperation(patch, PATCH_MOVE, -1);

	operation->from = KeepPointer(patch, &patch->source);
	operation->from_length = patch->source.len;
}

/* Shortens the current path. */
static void
CutPath(JsonPatch *patch, int length)
{
	patch->path.len = length;
	patch->path.data[length] = '\0';
}

/* Returns the key of a member. */
static Label
KeyOf(const JsonPatch *patch, const MappedTree *side, int32 member)
{
	Label key;

	if (!JsonKeyOfLabel(NodeLabel(&patch->pair, side, member), &key))
		elog(ERROR, "a node of an object is not a key");
	return key;
}

/* Appends the step from the parent of a node of the first tree to the node to the source of a move.
 */
static void
AppendStep(JsonPatch *patch, int32 node)
{
	const MappedTree *a = &patch->pair.a;
	int32 parent = a->parent[node];

	if (IsJsonArray(NodeLabel(&patch->pair, a, parent)))
		AppendPointerIndex(&patch->source, a->ordinal[node]);
	else if (IsJsonObject(NodeLabel(&patch->pair, a, parent)))
		AppendPointerKey(&patch->source, KeyOf(patch, a, node));
	/* the value of a member has the pointer of its key */
}

/*
 * Returns the number of elements of an array that are left alone and precede the i-th other
 * one, or the end.
 */
static int32
LeftAloneBefore(const MappedTree *side, int32 array, const int32 *elements, int32 i, int32 count)
{
	return (i < count ? side->ordinal[elements[i]] : side->children[array]) - i;
}

/* Orders elements by hash, then by place. */
static int
CompareMovable(const void *x, const void *y)
{
	const MovableElement *a = x;
	const MovableElement *b = y;

	CHECK_FOR_INTERRUPTS();
	if (a->hash != b->hash)
		return a->hash < b->hash ? -1 : 1;
	return (a->place > b->place) - (a->place < b->place);
}

/* Returns the elements without a partner, ordered by hash. */
static MovableElement *
ListMovable(const MappedTree *side, const int32 *elements, const int32 *partner, int32 count,
			int32 *movable_count)
{
	MovableElement *movable = palloc_array(MovableElement, Max(count, 1));

	*movable_count = 0;
	for (int32 i = 0; i < count; i++)
		if (partner[i] < 0 && side->map[elements[i]] < 0)
			movable[(*movable_count)++] = (MovableElement){side->hash[elements[i]], i};
	qsort(movable, (size_t) *movable_count, sizeof(MovableElement), CompareMovable);
	return movable;
}

/* The elements of two arrays without those left alone, and their partners. */
typedef struct ArrayElements
{
	int32 *from;
	int32 *to;
	int32 count_a;
	int32 count_b;
	int32 *target; /* by place in the first array: place of the partner, or -1 */
	int32 *source; /* by place in the second array: place of the partner, or -1 */
	bool *moved;   /* by place in the first array: deleted there, and inserted at `target` */
} ArrayElements;

/* Makes deleted elements partners of inserted elements with equal values. */
static void
PairMovedElements(const JsonPatch *patch, ArrayElements *elements)
{
	const MappedTrees *pair = &patch->pair;
	int32 count_a;
	int32 count_b;
	int32 moves = 0;
	MovableElement *a =
		ListMovable(&pair->a, elements->from, elements->target, elements->count_a, &count_a);
	MovableElement *b =
		ListMovable(&pair->b, elements->to, elements->source, elements->count_b, &count_b);

	for (int32 i = 0, j = 0; i < count_a && j < count_b && moves < MOST_MOVES;)
	{
		CHECK_FOR_INTERRUPTS();
		if (a[i].hash != b[j].hash)
		{
			if (a[i].hash < b[j].hash)
				i++;
			else
				j++;
			continue;
		}
		if (SubtreesEqual(pair, elements->from[a[i].place], elements->to[b[j].place]))
		{
			elements->target[a[i].place] = b[j].place;
			elements->source[b[j].place] = a[i].place;
			elements->moved[a[i].place] = true;
			moves++;
		}
		i++;
		j++;
	}
	pfree(a);
	pfree(b);
}

/* Lists the elements of two arrays, and finds their partners. */
static void
InitElements(const JsonPatch *patch, int32 x, int32 y, ArrayElements *elements)
{
	const MappedTree *a = &patch->pair.a;
	const MappedTree *b = &patch->pair.b;
	int32 j = 0;

	elements->from = ListPatchedChildren(a, x, &elements->count_a);
	elements->to = ListPatchedChildren(b, y, &elements->count_b);
	elements->target = palloc_array(int32, Max(elements->count_a, 1));
	elements->source = palloc_array(int32, Max(elements->count_b, 1));
	elements->moved = palloc0_array(bool, Max(elements->count_a, 1));
	memset(elements->target, -1, sizeof(int32) * (Size) elements->count_a);
	memset(elements->source, -1, sizeof(int32) * (Size) elements->count_b);
	for (int32 i = 0; i < elements->count_a; i++)
	{
		int32 partner = a->map[elements->from[i]];

		CHECK_FOR_INTERRUPTS();
		if (partner < 0 || b->parent[partner] != y)
			continue;
		while (elements->to[j] != partner)
			j++;
		elements->target[i] = j;
		elements->source[j] = i;
	}
	/* if elements are left alone, places are not indexes, so no element is moved */
	if (elements->count_a == a->children[x])
		PairMovedElements(patch, elements);
}

/* Moves an element of the array at the current path from one index to another. */
static void
MoveElement(JsonPatch *patch, int32 from_index, int32 to_index)
{
	int length = patch->path.len;

	BeginMove(patch);
	AppendPointerIndex(&patch->source, from_index);
	AppendPointerIndex(&patch->path, to_index);
	AddMove(patch);
	CutPath(patch, length);
}

/* Moves a number to another place of a list, and shifts the numbers in between by one. */
static void
MoveInList(int32 *list, int32 from, int32 to)
{
	int32 number = list[from];

	if (from < to)
		memmove(list + from, list + from + 1, sizeof(int32) * (Size) (to - from));
	else
		memmove(list + to + 1, list + to, sizeof(int32) * (Size) (from - to));
	list[to] = number;
}

/*
 * Moves elements until the element for place j of the second array is the first one of
 * `list`, which has the elements from index j on, as places in the first array.
 */
static void
BringNext(JsonPatch *patch, const ArrayElements *elements, int32 *list, int32 count, int32 j)
{
	int32 source = elements->source[j];

	while (list[0] != source && elements->target[list[0]] >= 0)
	{
		int32 place = 0;

		CHECK_FOR_INTERRUPTS();
		if (elements->moved[source])
		{
			while (list[place] != source)
				place++;
			MoveElement(patch, j + place, j);
			MoveInList(list, place, 0);
			return;
		}
		/* move the next element to its later place, before an element that stays */
		while (place + 1 < count &&
			   (elements->moved[list[place + 1]] || elements->target[list[place + 1]] < 0 ||
				elements->target[list[place + 1]] < elements->target[list[0]]))
			place++;
		MoveElement(patch, j, j + place);
		MoveInList(list, 0, place);
	}
}

static void PatchValue(JsonPatch *patch, int32 x, int32 y, bool in_array);

/* Patches an array. */
static void
PatchArray(JsonPatch *patch, int32 x, int32 y)
{
	const MappedTree *a = &patch->pair.a;
	ArrayElements elements;
	int32 *list;
	int length = patch->path.len;
	int32 i = 0;

	InitElements(patch, x, y, &elements);
	list = palloc_array(int32, Max(elements.count_a, 1));
	for (int32 k = 0; k < elements.count_a; k++)
		list[k] = k;
	for (int32 j = 0; j <= elements.count_b; CutPath(patch, length))
	{
		bool at_end = j == elements.count_b;
		bool is_alone;
		int32 next;

		CHECK_FOR_INTERRUPTS();
		if (at_end && i == elements.count_a)
			break;
		if (!at_end && elements.source[j] >= 0)
			BringNext(patch, &elements, list + i, elements.count_a - i, j);
		next = i < elements.count_a ? list[i] : -1;
		is_alone = next >= 0 && elements.target[next] < 0;
		AppendPointerIndex(&patch->path,
						   j + LeftAloneBefore(a, x, elements.from, i, elements.count_a));
		if (at_end || (is_alone && elements.source[j] >= 0))
		{
			AddOperation(patch, PATCH_REMOVE, -1);
			i++;
		}
		else if (elements.source[j] < 0 && !is_alone)
			AddOperation(patch, PATCH_ADD, elements.to[j++]);
		else
		{
			if (is_alone || !elements.moved[next])
				PatchValue(patch, elements.from[next], elements.to[j], true);
			i++;
			j++;
		}
	}
	pfree(list);
	pfree(elements.from);
	pfree(elements.to);
	pfree(elements.target);
	pfree(elements.source);
	pfree(elements.moved);
}

/* Moves a member of an object to the key of its partner. */
static void
MoveMember(JsonPatch *patch, int32 key)
{
	int length = patch->path.len;

	BeginMove(patch);
	AppendPointerKey(&patch->source, KeyOf(patch, &patch->pair.a, key));
	AppendPointerKey(&patch->path, KeyOf(patch, &patch->pair.b, patch->pair.a.map[key]));
	AddMove(patch);
	CutPath(patch, length);
}

/*
 * Whether a member with a new key is moved and then patched, not removed and added.  The
 * approximate length of the text decides.
 */
static bool
IsMoved(const JsonPatch *patch, int32 key)
{
	const MappedTrees *pair = &patch->pair;
	int32 partner = pair->a.map[key];
	int64 operations = EditOperations(pair, key - 1, partner - 1);
	int64 value = 0;

	if (operations == 0)
		return true;
	for (int32 y = partner - 1; y > partner - pair->b.tree.subtree_size[partner]; y--)
	{
		CHECK_FOR_INTERRUPTS();
		value += NodeLabel(pair, &pair->b, y).length + 2;
	}
	return operations * (OPERATION_BYTES + patch->path.len) <= OPERATION_BYTES + value;
}

/*
 * Patches an object: first removes members, then moves, then adds or patches the others.
 * The new key of a moved member is not in the first object, since members with equal keys
 * are partners.
 */
static void
PatchObject(JsonPatch *patch, int32 x, int32 y)
{
	const MappedTree *a = &patch->pair.a;
	const MappedTree *b = &patch->pair.b;
	int32 count_a;
	int32 count_b;
	int32 *from = ListPatchedChildren(a, x, &count_a);
	int32 *to = ListPatchedChildren(b, y, &count_b);
	bool *replaced = palloc0_array(bool, Max(count_a, 1));
	int length = patch->path.len;

	for (int32 i = 0; i < count_a; i++)
	{
		int32 partner = a->map[from[i]];

		CHECK_FOR_INTERRUPTS();
		replaced[i] = partner < 0 || (a->tree.label[from[i]] != b->tree.label[partner] &&
									  !IsMoved(patch, from[i]));
		if (replaced[i])
		{
			AppendPointerKey(&patch->path, KeyOf(patch, a, from[i]));
			AddOperation(patch, PATCH_REMOVE, -1);
			CutPath(patch, length);
		}
	}
	for (int32 i = 0; i < count_a; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (!replaced[i] && a->tree.label[from[i]] != b->tree.label[a->map[from[i]]])
			MoveMember(patch, from[i]);
	}
	for (int32 j = 0; j < count_b; j++)
	{
		int32 partner = b->map[to[j]];

		CHECK_FOR_INTERRUPTS();
		AppendPointerKey(&patch->path, KeyOf(patch, b, to[j]));
		if (partner < 0 ||
			(a->tree.label[partner] != b->tree.label[to[j]] && !IsMoved(patch, partner)))
			AddOperation(patch, PATCH_ADD, to[j] - 1);
		else
			PatchValue(patch, partner - 1, to[j] - 1, false);
		CutPath(patch, length);
	}
	pfree(from);
	pfree(to);
	pfree(replaced);
}

/* Patches the content of an array or an object. */
static void
PatchContainer(JsonPatch *patch, int32 x, int32 y)
{
	if (IsJsonArray(NodeLabel(&patch->pair, &patch->pair.a, x)))
		PatchArray(patch, x, y);
	else
		PatchObject(patch, x, y);
}

/* Moves an inner container to the place of the current value, and patches it there. */
static void
LiftValue(JsonPatch *patch, int32 x, int32 inner, int32 y)
{
	const MappedTree *a = &patch->pair.a;
	int32 *way = palloc_array(int32, a->tree.depth[inner] - a->tree.depth[x]);
	int32 steps = 0;

	for (int32 node = inner; node != x; node = a->parent[node])
		way[steps++] = node;
	BeginMove(patch);
	while (steps > 0)
		AppendStep(patch, way[--steps]);
	AddMove(patch);
	pfree(way);
	if (!SubtreesEqual(&patch->pair, inner, y) && !CostsNothing(&patch->pair, inner, y))
		PatchContainer(patch, inner, y);
}

/*
 * Whether a child of a node has a partner among the children of the node's partner, with an
 * unchanged node in it.
 */
static bool
KeepsChild(const MappedTrees *pair, int32 x, int32 y)
{
	const MappedTree *a = &pair->a;

	for (int32 c = x - 1; c > x - a->tree.subtree_size[x]; c -= a->tree.subtree_size[c])
	{
		CHECK_FOR_INTERRUPTS();
		if (a->map[c] >= 0 && pair->b.parent[a->map[c]] == y && SumOfSubtree(a, a->kept, c) > 0)
			return true;
	}
	return false;
}

/*
 * Whether a container is patched, not replaced: it is mapped to one of the same kind, and
 * something in it stays or is left alone, or both have hardly any content.
 */
static bool
GoesInside(const MappedTrees *pair, int32 x, int32 y)
{
	int32 most = IsJsonArray(NodeLabel(pair, &pair->a, x)) ? 2 : 1;

	return pair->a.map[x] == y && pair->a.tree.label[x] == pair->b.tree.label[y] &&
		   (KeepsChild(pair, x, y) || FreeNodes(&pair->a, x) > 0 ||
			(pair->a.children[x] <= 1 && pair->b.children[y] <= 1 &&
			 pair->a.children[x] + pair->b.children[y] <= most));
}

/*
 * Returns a container in a value that can be moved into its place: the partner of y, or a
 * container equal to y; or -1.
 */
static int32
FindInner(const MappedTrees *pair, int32 x, int32 y)
{
	const MappedTree *a = &pair->a;
	int32 inner = pair->b.map[y];

	if (pair->b.tree.subtree_size[y] == 1)
		return -1;
	if (inner >= 0 && inner != x && InSubtree(a, inner, x))
		return a->tree.label[inner] == pair->b.tree.label[y] ? inner : -1;
	for (int32 c = x - 1; c > x - a->tree.subtree_size[x]; c--)
	{
		CHECK_FOR_INTERRUPTS();
		if (SubtreesEqual(pair, c, y))
			return c;
	}
	return -1;
}

/*
 * Whether a move can replace a value.  In an array, it would insert beside the value.  And
 * python3-jsonpatch does not support this for an array that is the whole document.
 */
static bool
CanBeReplacedByMove(const JsonPatch *patch, int32 x, bool in_array)
{
	return !in_array &&
		   (patch->path.len > 0 || !IsJsonArray(NodeLabel(&patch->pair, &patch->pair.a, x)));
}

/* Patches the value at the current path. */
static void
PatchValue(JsonPatch *patch, int32 x, int32 y, bool in_array)
{
	const MappedTrees *pair = &patch->pair;
	int32 inner;

	check_stack_depth();
	CHECK_FOR_INTERRUPTS();
	if (SubtreesEqual(pair, x, y) || CostsNothing(pair, x, y))
		return;
	if (GoesInside(pair, x, y))
	{
		PatchContainer(patch, x, y);
		return;
	}
	inner = CanBeReplacedByMove(patch, x, in_array) ? FindInner(pair, x, y) : -1;
	if (inner >= 0)
		LiftValue(patch, x, inner, y);
	else
		AddOperation(patch, PATCH_REPLACE, y);
}

/* Maps two documents, and initializes a patch without operations. */
static void
InitPatch(JsonPatch *patch, Datum a, Datum b, const CostModel *model)
{
	patch->pair.has_numbers = true;
	MapValues(&patch->pair, ExactJsonbTree(a), ExactJsonbTree(b), model, MAPPING_BY_NAME, PATCHING);
	IndexTrees(&patch->pair, PATCHING);
	patch->capacity = 64;
	patch->operations = palloc_array(PatchOperation, patch->capacity);
	patch->count = 0;
	initStringInfo(&patch->pointers);
	initStringInfo(&patch->path);
	initStringInfo(&patch->source);
}

/* Returns the value of a node of the second tree. */
static JsonbValue
MakeValue(const JsonPatch *patch, int32 y)
{
	const MappedTree *b = &patch->pair.b;
	int32 first = b->preorder[y];
	int32 depth = b->tree.depth[y];
	JsonWriter writer;

	JsonWriterInit(&writer, NULL);
	writer.is_trusted = true; /* a renamed member stands where its partner does */
	for (int32 i = first; i < first + b->tree.subtree_size[y]; i++)
	{
		int32 node = b->postorder[i];

		CHECK_FOR_INTERRUPTS();
		while (writer.depth > b->tree.depth[node] - depth)
			JsonWriterClose(&writer);
		if (JsonWriterOpen(&writer, NodeLabel(&patch->pair, b, node)) != NULL)
			elog(ERROR, "a tree made from JSON is none");
	}
	while (writer.depth > 0)
		JsonWriterClose(&writer);
	pfree(writer.open);
	return *writer.state.result;
}

/* Sets a member of an operation. */
static void
SetText(JsonbPair *pair, const char *key, const char *bytes, int length)
{
	pair->key.type = jbvString;
	pair->key.val.string.val = unconstify(char *, key);
	pair->key.val.string.len = (int) strlen(key);
	pair->value.type = jbvString;
	pair->value.val.string.val = unconstify(char *, bytes);
	pair->value.val.string.len = length;
}

/* Returns an operation as jsonb, with its members in the order of jsonb. */
static JsonbValue
MakeOperation(const JsonPatch *patch, const PatchOperation *operation)
{
	const char *name = operation_names[operation->kind];
	const char *pointers = patch->pointers.data;
	JsonbPair *pairs = palloc0_array(JsonbPair, 3);
	JsonbValue value = {.type = jbvObject};
	int count = 0;

	SetText(&pairs[count++], "op", name, (int) strlen(name));
	if (operation->kind == PATCH_MOVE)
		SetText(&pairs[count++], "from", pointers + operation->from, operation->from_length);
	SetText(&pairs[count++], "path", pointers + operation->path, operation->path_length);
	if (operation->kind == PATCH_ADD || operation->kind == PATCH_REPLACE)
	{
		SetText(&pairs[count], "value", "", 0);
		pairs[count++].value = MakeValue(patch, operation->value);
	}
	value.val.object.pairs = pairs;
	value.val.object.nPairs = count;
	return value;
}

/* Returns the patch as jsonb. */
static Jsonb *
MakePatch(const JsonPatch *patch)
{
	JsonbValue array = {.type = jbvArray};

	array.val.array.nElems = patch->count;
	array.val.array.elems =
		MemoryContextAllocHuge(CurrentMemoryContext, sizeof(JsonbValue) * Max(patch->count, 1));
	for (int i = 0; i < patch->count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (i % 1024 == 0)
			CheckMemoryGrowth(patch->context, 0, PATCHING);
		array.val.array.elems[i] = MakeOperation(patch, &patch->operations[i]);
	}
	return JsonbValueToJsonb(&array);
}

PG_FUNCTION_INFO_V1(json_patch);

/* Returns a patch that makes the first document into the second one. */
Datum
json_patch(PG_FUNCTION_ARGS)
{
	const CostModel *model = ArgumentJsonModelUnlessUnit(fcinfo, 2);
	JsonPatch patch = {.pair.marks = NO_MARKS};
	MemoryContext caller = CurrentMemoryContext;
	int32 roots[2];
	Jsonb *result;

	patch.context = AllocSetContextCreate(caller, "JSON patch", ALLOCSET_DEFAULT_SIZES);
	MemoryContextSwitchTo(patch.context);
	InitPatch(&patch, PG_GETARG_DATUM(0), PG_GETARG_DATUM(1), model);
	roots[0] = patch.pair.a.tree.size - 1;
	roots[1] = patch.pair.b.tree.size - 1;
	PatchValue(&patch, roots[0], roots[1], false);
	MemoryContextSwitchTo(caller);
	result = MakePatch(&patch);
	MemoryContextDelete(patch.context);
	PG_RETURN_JSONB_P(result);
}
