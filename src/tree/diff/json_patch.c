/*
 * json_patch.c
 *	  The SQL function json_patch(): RFC 6902's operations that make one document of another.
 *
 * Both documents become trees, which an optimal edit mapping relates, and the
 * first one is walked with the second one beside it.  Where the mapping takes a
 * container to one of the same kind, the patch goes on inside: elements and
 * members without a partner are removed, added or replaced, a renamed key is a
 * move.  Where it takes a value to one further up, that is a move, too.
 * Everything else is the replacement of a value, and so is a container of which
 * nothing would stay.
 *
 * Elements are dealt with from left to right, so that those on the left are
 * already as in the second document when an index counts them, and those on the
 * right still as in the first one.
 *
 * Values that the mapping makes of each other at no cost stay as they are in the
 * first document.  So do elements and members without a partner that it costs
 * nothing to delete, and those that it costs nothing to insert are not added.
 *
 * An edit script can do in one operation what a patch cannot, such as to
 * delete an array and leave its elements to the array around it.  If that makes
 * the patch longer than the script, the patch is made again, and the smallest
 * values around such places, where it is longer, are replaced.
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

/* Kind of an operation; what it is called is in `operation_names`. */
typedef enum PatchKind
{
	PATCH_ADD,
	PATCH_REMOVE,
	PATCH_REPLACE,
	PATCH_MOVE
} PatchKind;

static const char *const operation_names[] = {"add", "remove", "replace", "move"};

/* An operation; its pointers are in the patch's `pointers`. */
typedef struct PatchOperation
{
	PatchKind kind;
	int path;
	int path_length;
	int from; /* of a move */
	int from_length;
	int32 value; /* of an addition or a replacement: node of the second tree */
} PatchOperation;

/* The patch being made. */
typedef struct JsonPatch
{
	MappedTrees pair;
	MemoryContext context;
	bool strict; /* not to be longer than the script, in any container */

	PatchOperation *operations;
	int count;
	int capacity;
	StringInfoData pointers;
	StringInfoData path; /* of the value that the walk is at */

	/* members of the objects at hand, by label of the key: owner, and node, of either side */
	int32 *owner_a;
	int32 *member_a;
	int32 *owner_b;
	int32 *member_b;
	int32 *key_partner_a; /* by node: key of the other object, or -1 */
	int32 *key_partner_b;
} JsonPatch;

/* Where the patch stood, to return to. */
typedef struct PatchMark
{
	int count;
	int pointers;
} PatchMark;

/* A member that might be moved: the hash of its value. */
typedef struct MovableMember
{
	uint64 hash;
	int32 key;
} MovableMember;

/* Keeps a pointer and returns where it begins. */
static int
KeepPointer(JsonPatch *patch, const StringInfoData *pointer)
{
	int start = patch->pointers.len;

	if (start + pointer->len >= patch->pointers.maxlen)
		CheckMemoryGrowth(patch->context, 2 * ((Size) start + pointer->len), PATCHING);
	appendBinaryStringInfo(&patch->pointers, pointer->data, pointer->len);
	return start;
}

/* Appends an operation at the current path. */
static PatchOperation *
AddOperation(JsonPatch *patch, PatchKind kind, int32 value)
{
	PatchOperation *operation;

	CHECK_FOR_INTERRUPTS();
	if (patch->count == patch->capacity)
	{
		CheckMemoryGrowth(patch->context, sizeof(PatchOperation) * (Size) patch->capacity,
						  PATCHING);
		patch->capacity *= 2;
		patch->operations =
			repalloc_huge(patch->operations, sizeof(PatchOperation) * (Size) patch->capacity);
	}
	operation = &patch->operations[patch->count++];
	*operation = (PatchOperation){.kind = kind,
								  .path = KeepPointer(patch, &patch->path),
								  .path_length = patch->path.len,
								  .value = value};
	return operation;
}

/* Appends a move from a path to the current one. */
static void
AddMove(JsonPatch *patch, const StringInfoData *from)
{
	PatchOperation *operation = AddOperation(patch, PATCH_MOVE, -1);

	operation->from = KeepPointer(patch, from);
	operation->from_length = from->len;
}

/* Leaves the path as long as it was. */
static void
CutPath(JsonPatch *patch, int length)
{
	patch->path.len = length;
	patch->path.data[length] = '\0';
}

/* The key of a member. */
static Label
KeyOf(const JsonPatch *patch, const MappedTree *side, int32 member)
{
	Label key;

	if (!JsonKeyOfLabel(NodeLabel(&patch->pair, side, member), &key))
		elog(ERROR, "a node of an object is not a key");
	return key;
}

/* Appends the step from a parent to a node of the first tree, which is as it was. */
static void
AppendStep(const JsonPatch *patch, StringInfo pointer, int32 node)
{
	const MappedTree *a = &patch->pair.a;
	int32 parent = a->parent[node];

	if (IsJsonArray(NodeLabel(&patch->pair, a, parent)))
		AppendPointerIndex(pointer, a->ordinal[node]);
	else if (IsJsonObject(NodeLabel(&patch->pair, a, parent)))
		AppendPointerKey(pointer, KeyOf(patch, a, node));
	/* the value of a member has the pointer of its key */
}

static void PatchValue(JsonPatch *patch, int32 x, int32 y, bool in_array);

/* Elements of an array that are left alone and come before one that is not, or the end. */
static int32
LeftAloneBefore(const MappedTree *side, int32 array, const int32 *elements, int32 i, int32 count)
{
	return (i < count ? side->ordinal[elements[i]] : side->children[array]) - i;
}

/* Patches an array. */
static void
PatchArray(JsonPatch *patch, int32 x, int32 y)
{
	const MappedTree *a = &patch->pair.a;
	const MappedTree *b = &patch->pair.b;
	int32 count_a;
	int32 count_b;
	int32 *from = ListPatchedChildren(a, x, &count_a);
	int32 *to = ListPatchedChildren(b, y, &count_b);
	int length = patch->path.len;
	int32 i = 0;
	int32 j = 0;

	while (i < count_a || j < count_b)
	{
		int32 next_i = i; /* the next pair of elements mapped to each other */
		int32 next_j = j;

		while (next_i < count_a &&
			   (a->map[from[next_i]] < 0 || b->parent[a->map[from[next_i]]] != y))
			next_i++;
		while (next_j < count_b && (next_i == count_a || to[next_j] != a->map[from[next_i]]))
		{
			CHECK_FOR_INTERRUPTS();
			next_j++;
		}

		for (; i < next_i || j < next_j; CutPath(patch, length))
		{
			AppendPointerIndex(&patch->path, j + LeftAloneBefore(a, x, from, i, count_a));
			if (i < next_i && j < next_j)
				PatchValue(patch, from[i++], to[j++], true);
			else if (i < next_i)
			{
				AddOperation(patch, PATCH_REMOVE, -1);
				i++;
			}
			else
				AddOperation(patch, PATCH_ADD, to[j++]);
		}
		if (i < count_a)
		{
			AppendPointerIndex(&patch->path, j + LeftAloneBefore(a, x, from, i, count_a));
			PatchValue(patch, from[i++], to[j++], true);
			CutPath(patch, length);
		}
	}
	pfree(from);
	pfree(to);
}

/* Pairs two members. */
static void
PairMembers(JsonPatch *patch, int32 key_a, int32 key_b)
{
	patch->key_partner_a[key_a] = key_b;
	patch->key_partner_b[key_b] = key_a;
}

/*
 * Pairs members that the mapping pairs: keys that are equal, or whose values
 * have the same kind, so that moving them leaves little to do.
 */
static void
PairMappedMembers(JsonPatch *patch, int32 y, const int32 *from, int32 count)
{
	const MappedTree *a = &patch->pair.a;
	const MappedTree *b = &patch->pair.b;

	for (int32 i = 0; i < count; i++)
	{
		int32 key = from[i];
		int32 partner = a->map[key];

		CHECK_FOR_INTERRUPTS();
		if (partner < 0 || b->parent[partner] != y)
			continue;
		if (a->tree.label[key] == b->tree.label[partner] ||
			(a->map[key - 1] == partner - 1 &&
			 a->tree.label[key - 1] == b->tree.label[partner - 1]))
			PairMembers(patch, key, partner);
	}
}

/* Pairs the other members whose keys are equal. */
static void
PairEqualKeys(JsonPatch *patch, int32 y, const int32 *from, int32 count)
{
	for (int32 i = 0; i < count; i++)
	{
		int32 label = patch->pair.a.tree.label[from[i]];

		CHECK_FOR_INTERRUPTS();
		if (patch->key_partner_a[from[i]] < 0 && patch->owner_b[label] == y &&
			patch->key_partner_b[patch->member_b[label]] < 0)
			PairMembers(patch, from[i], patch->member_b[label]);
	}
}

/* Orders members by hash, then position. */
static int
CompareMovable(const void *x, const void *y)
{
	const MovableMember *a = x;
	const MovableMember *b = y;

	CHECK_FOR_INTERRUPTS();
	if (a->hash != b->hash)
		return a->hash < b->hash ? -1 : 1;
	return (a->key > b->key) - (a->key < b->key);
}

/* Finds the first of the members whose hash is at least this. */
static int32
FindMovable(const MovableMember *members, int32 count, uint64 hash)
{
	int32 low = 0;

	while (low < count)
	{
		int32 middle = low + (count - low) / 2;

		if (members[middle].hash < hash)
			low = middle + 1;
		else
			count = middle;
	}
	return low;
}

/*
 * Pairs members whose values are equal and of whose keys each is in one of the
 * objects only, which are moves that an ordered mapping does not see.
 */
static void
PairEqualValues(JsonPatch *patch, int32 x, int32 y, const int32 *from, int32 count_a,
				const int32 *to, int32 count_b)
{
	const MappedTree *a = &patch->pair.a;
	const MappedTree *b = &patch->pair.b;
	MovableMember *members = palloc_array(MovableMember, Max(count_a, 1));
	int32 count = 0;

	for (int32 i = 0; i < count_a; i++)
		if (patch->key_partner_a[from[i]] < 0 && patch->owner_b[a->tree.label[from[i]]] != y)
			members[count++] = (MovableMember){a->hash[from[i] - 1], from[i]};
	qsort(members, (size_t) count, sizeof(MovableMember), CompareMovable);

	for (int32 j = 0; j < count_b; j++)
	{
		int32 key = to[j];
		uint64 hash = b->hash[key - 1];

		CHECK_FOR_INTERRUPTS();
		if (patch->key_partner_b[key] >= 0 || patch->owner_a[b->tree.label[key]] == x)
			continue;
		for (int32 i = FindMovable(members, count, hash); i < count && members[i].hash == hash; i++)
			if (patch->key_partner_a[members[i].key] < 0 &&
				SubtreesEqual(&patch->pair, members[i].key - 1, key - 1))
			{
				PairMembers(patch, members[i].key, key);
				break;
			}
	}
	pfree(members);
}

/* Notes the members of an object by their labels. */
static void
NoteMembers(const MappedTree *side, int32 object, const int32 *members, int32 count, int32 *owner,
			int32 *member, int32 *partner)
{
	for (int32 i = 0; i < count; i++)
	{
		int32 label = side->tree.label[members[i]];

		CHECK_FOR_INTERRUPTS();
		owner[label] = object;
		member[label] = members[i];
		partner[members[i]] = -1;
	}
}

/* Whether a member has another key in the second object. */
static bool
IsRenamed(const JsonPatch *patch, int32 key)
{
	int32 partner = patch->key_partner_a[key];

	return partner >= 0 && patch->pair.a.tree.label[key] != patch->pair.b.tree.label[partner];
}

/* Moves one member of an object to another key. */
static void
MoveMember(JsonPatch *patch, int32 key)
{
	int length = patch->path.len;
	StringInfoData from;

	initStringInfo(&from);
	appendBinaryStringInfo(&from, patch->path.data, length);
	AppendPointerKey(&from, KeyOf(patch, &patch->pair.a, key));
	AppendPointerKey(&patch->path, KeyOf(patch, &patch->pair.b, patch->key_partner_a[key]));
	AddMove(patch, &from);
	CutPath(patch, length);
	pfree(from.data);
}

/*
 * Moves the members with new keys.  One whose new key another one has that is
 * itself to be moved goes after it.  Since a mapping keeps the order of keys,
 * such chains have an end.
 */
static void
MoveMembers(JsonPatch *patch, int32 x, const int32 *from, int32 count)
{
	const MappedTree *a = &patch->pair.a;
	int32 *chain = palloc_array(int32, Max(count, 1));

	for (int32 i = 0; i < count; i++)
	{
		int32 key = from[i];
		int32 waiting = 0;

		while (IsRenamed(patch, key) && patch->owner_a[a->tree.label[key]] == x)
		{
			int32 target = patch->pair.b.tree.label[patch->key_partner_a[key]];

			CHECK_FOR_INTERRUPTS();
			patch->owner_a[a->tree.label[key]] = -1;
			chain[waiting++] = key;
			if (patch->owner_a[target] != x)
				break;
			key = patch->member_a[target];
		}
		while (waiting > 0)
			MoveMember(patch, chain[--waiting]);
	}
	pfree(chain);
}

/* Patches an object: members removed first, then moved, then added, then patched inside. */
static void
PatchObject(JsonPatch *patch, int32 x, int32 y)
{
	const MappedTree *a = &patch->pair.a;
	const MappedTree *b = &patch->pair.b;
	int32 count_a;
	int32 count_b;
	int32 *from = ListPatchedChildren(a, x, &count_a);
	int32 *to = ListPatchedChildren(b, y, &count_b);
	int length = patch->path.len;

	NoteMembers(a, x, from, count_a, patch->owner_a, patch->member_a, patch->key_partner_a);
	NoteMembers(b, y, to, count_b, patch->owner_b, patch->member_b, patch->key_partner_b);
	PairMappedMembers(patch, y, from, count_a);
	PairEqualKeys(patch, y, from, count_a);
	PairEqualValues(patch, x, y, from, count_a, to, count_b);

	for (int32 i = 0; i < count_a; i++)
		if (patch->key_partner_a[from[i]] < 0)
		{
			AppendPointerKey(&patch->path, KeyOf(patch, a, from[i]));
			AddOperation(patch, PATCH_REMOVE, -1);
			CutPath(patch, length);
		}
	MoveMembers(patch, x, from, count_a);
	for (int32 j = 0; j < count_b; j++)
	{
		int32 partner = patch->key_partner_b[to[j]];

		CHECK_FOR_INTERRUPTS();
		AppendPointerKey(&patch->path, KeyOf(patch, b, to[j]));
		if (partner < 0)
			AddOperation(patch, PATCH_ADD, to[j] - 1);
		else
			PatchValue(patch, partner - 1, to[j] - 1, false);
		CutPath(patch, length);
	}
	pfree(from);
	pfree(to);
}

/* Patches inside of a container what becomes another one of its kind. */
static void
PatchContainer(JsonPatch *patch, int32 x, int32 y)
{
	if (IsJsonArray(NodeLabel(&patch->pair, &patch->pair.a, x)))
		PatchArray(patch, x, y);
	else
		PatchObject(patch, x, y);
}

/* Moves a container from below to where the current value is, which it replaces, and patches it. */
static void
LiftValue(JsonPatch *patch, int32 x, int32 inner, int32 y)
{
	const MappedTree *a = &patch->pair.a;
	int32 *way = palloc_array(int32, a->tree.depth[inner] - a->tree.depth[x]);
	int32 steps = 0;
	StringInfoData from;

	for (int32 node = inner; node != x; node = a->parent[node])
		way[steps++] = node;
	initStringInfo(&from);
	appendBinaryStringInfo(&from, patch->path.data, patch->path.len);
	while (steps > 0)
		AppendStep(patch, &from, way[--steps]);
	AddMove(patch, &from);
	pfree(from.data);
	pfree(way);
	if (!SubtreesEqual(&patch->pair, inner, y) && !CostsNothing(&patch->pair, inner, y))
		PatchContainer(patch, inner, y);
}

/*
 * Whether the patch goes on in a container: the mapping takes one to the
 * other, and something stays or is left alone, or there is hardly anything.
 */
static bool
GoesInside(const MappedTrees *pair, int32 x, int32 y)
{
	int32 most = IsJsonArray(NodeLabel(pair, &pair->a, x)) ? 2 : 1;

	return pair->a.map[x] == y && pair->a.tree.label[x] == pair->b.tree.label[y] &&
		   (KeptBelow(pair, y) > 0 || FreeNodes(&pair->a, x) > 0 ||
			(pair->a.children[x] <= 1 && pair->b.children[y] <= 1 &&
			 pair->a.children[x] + pair->b.children[y] <= most));
}

/*
 * A container in a value that becomes another one: what the mapping takes to it,
 * or what has a child that the mapping takes to one of its children; else -1.
 */
static int32
FindInner(const MappedTrees *pair, int32 x, int32 y)
{
	const MappedTree *a = &pair->a;
	const MappedTree *b = &pair->b;
	int32 inner = b->map[y];

	if (inner == x || inner < 0)
	{
		inner = -1;
		for (int32 d = y - 1; d > y - b->tree.subtree_size[y] && inner < 0;
			 d -= b->tree.subtree_size[d])
			if (b->map[d] >= 0)
				inner = a->parent[b->map[d]];
	}
	if (inner >= 0 && inner != x && InSubtree(a, inner, x) &&
		a->tree.label[inner] == b->tree.label[y])
		return inner;
	return -1;
}

/* Takes back what was done since a mark. */
static void
ReturnTo(JsonPatch *patch, PatchMark mark)
{
	patch->count = mark.count;
	patch->pointers.len = mark.pointers;
}

/*
 * Whether a move can put something else in the place of a value.  In an
 * array, it would go beside it; and python3-jsonpatch does not let an array that
 * is the whole document be replaced so.
 */
static bool
CanBeReplacedByMove(const JsonPatch *patch, int32 x, bool in_array)
{
	return !in_array &&
		   (patch->path.len > 0 || !IsJsonArray(NodeLabel(&patch->pair, &patch->pair.a, x)));
}

/* Leaves of two ways to go on, each from a mark on, the one with fewer operations. */
static void
KeepShorter(JsonPatch *patch, PatchMark first, PatchMark second)
{
	int count = patch->count - second.count;

	if (count < second.count - first.count)
	{
		memmove(patch->operations + first.count, patch->operations + second.count,
				sizeof(PatchOperation) * (Size) count);
		patch->count = first.count + count;
	}
	else
		ReturnTo(patch, second);
}

/* Makes one value of another, which is at the current path. */
static void
PatchValue(JsonPatch *patch, int32 x, int32 y, bool in_array)
{
	const MappedTrees *pair = &patch->pair;
	PatchMark mark = {patch->count, patch->pointers.len};
	bool inside;
	int32 inner = -1;

	check_stack_depth();
	CHECK_FOR_INTERRUPTS();
	if (SubtreesEqual(pair, x, y) || CostsNothing(pair, x, y))
		return;
	inside = GoesInside(pair, x, y);
	if (inside)
		PatchContainer(patch, x, y);
	if (CanBeReplacedByMove(patch, x, in_array) && (!inside || patch->count > mark.count + 1))
		inner = FindInner(pair, x, y);
	if (inner >= 0)
	{
		PatchMark second = {patch->count, patch->pointers.len};

		LiftValue(patch, x, inner, y);
		if (inside)
			KeepShorter(patch, mark, second);
	}
	if ((!inside && inner < 0) ||
		(patch->strict && patch->count - mark.count > EditOperations(pair, x, y)))
	{
		ReturnTo(patch, mark);
		AddOperation(patch, PATCH_REPLACE, y);
	}
}

/* Initializes a patch without operations. */
static void
InitPatch(JsonPatch *patch, Datum a, Datum b, const CostModel *model)
{
	int32 labels;
	int32 *by_label;
	MappedTree *sides[2] = {&patch->pair.a, &patch->pair.b};
	int32 **partners[2] = {&patch->key_partner_a, &patch->key_partner_b};

	MapValues(&patch->pair, DatumGetTree(a), DatumGetTree(b), model, MAPPING_FITTING, PATCHING);
	IndexTrees(&patch->pair, PATCHING);
	labels = LabelTableCount(patch->pair.labels);
	by_label = palloc_array(int32, 4 * (Size) labels);
	memset(by_label, -1, 4 * sizeof(int32) * (Size) labels);
	patch->owner_a = by_label;
	patch->owner_b = by_label + labels;
	patch->member_a = by_label + 2 * (Size) labels;
	patch->member_b = by_label + 3 * (Size) labels;
	for (int i = 0; i < 2; i++)
		*partners[i] = palloc_array(int32, sides[i]->tree.size);
	patch->capacity = 64;
	patch->operations = palloc_array(PatchOperation, patch->capacity);
	patch->count = 0;
	patch->strict = false;
	initStringInfo(&patch->pointers);
	initStringInfo(&patch->path);
}

/* The value of a node of the second tree. */
static JsonbValue
MakeValue(const JsonPatch *patch, int32 y)
{
	const MappedTree *b = &patch->pair.b;
	int32 first = b->preorder[y];
	int32 depth = b->tree.depth[y];
	JsonWriter writer;

	JsonWriterInit(&writer, NULL);
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
	return *writer.result;
}

/* Fills a member of an operation. */
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

/* An operation as jsonb has it, with members in its order. */
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

/* Makes a jsonb value of the operations. */
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

/* A patch that makes the second document of the first one. */
Datum
json_patch(PG_FUNCTION_ARGS)
{
	const CostModel *model = ArgumentModelUnlessUnit(fcinfo, 2);
	JsonPatch patch = {.pair.marks = NO_MARKS};
	MemoryContext caller = CurrentMemoryContext;
	int32 roots[2];
	Jsonb *result;

	patch.context = AllocSetContextCreate(caller, "JSON patch", ALLOCSET_DEFAULT_SIZES);
	MemoryContextSwitchTo(patch.context);
	InitPatch(&patch, DirectFunctionCall1(jsonb_tree, PG_GETARG_DATUM(0)),
			  DirectFunctionCall1(jsonb_tree, PG_GETARG_DATUM(1)), model);
	roots[0] = patch.pair.a.tree.size - 1;
	roots[1] = patch.pair.b.tree.size - 1;
	PatchValue(&patch, roots[0], roots[1], false);
	if (patch.count > EditOperations(&patch.pair, roots[0], roots[1]))
	{
		patch.strict = true;
		patch.count = 0;
		patch.pointers.len = 0;
		PatchValue(&patch, roots[0], roots[1], false);
	}
	MemoryContextSwitchTo(caller);
	result = MakePatch(&patch);
	MemoryContextDelete(patch.context);
	PG_RETURN_JSONB_P(result);
}
