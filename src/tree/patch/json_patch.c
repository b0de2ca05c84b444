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
#include "../../core/common/components.h"
#include "../convert/convert.h"
#include "../costs/cost_type.h"
#include "../convert/json_pointer.h"
#include "../convert/jsonb_builder.h"
#include "../mapping/mapped_trees.h"
#include "json_operation.h"

#define PATCHING "making a JSON patch"

/* An operation.  Its pointers are ranges of the patch's `pointers`. */
typedef struct PatchOperation
{
	JsonOperation kind;
	int path;
	int path_length;
	int from; /* for OPERATION_MOVE */
	int from_length;
	int32 value; /* node of the second tree, or for OPERATION_TEST, of the first one; -1 for none */
} PatchOperation;

/* The state of making a patch. */
typedef struct JsonPatch
{
	MappedTrees pair;
	JsonbValue *sources[2]; /* of both documents, see ExactJsonbTree() */
	MemoryContext context;
	bool with_tests; /* test values before they are changed */

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

/* Adds an operation at a pointer. */
static PatchOperation *
AddOperationAt(JsonPatch *patch, JsonOperation kind, const StringInfoData *pointer, int32 value)
{
	PatchOperation *operation;

	CHECK_FOR_INTERRUPTS();
	RESERVE_COUNTED(patch->context, patch->operations, patch->capacity, patch->count + 1, PATCHING);
	operation = &patch->operations[patch->count++];
	*operation = (PatchOperation){.kind = kind,
								  .path = KeepPointer(patch, pointer),
								  .path_length = pointer->len,
								  .value = value};
	return operation;
}

/* Adds an operation at the current path. */
static void
AddOperation(JsonPatch *patch, JsonOperation kind, int32 value)
{
	AddOperationAt(patch, kind, &patch->path, value);
}

/* Adds a test of a value of the first document, which is going to be changed, if it is wanted. */
static void
AddTest(JsonPatch *patch, const StringInfoData *pointer, int32 x)
{
	if (patch->with_tests)
		AddOperationAt(patch, OPERATION_TEST, pointer, x);
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
	PatchOperation *operation = AddOperationAt(patch, OPERATION_MOVE, &patch->path, -1);

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

/* Returns the part of a document that a node was read from: of a member, its key. */
static JsonbValue *
SourceOf(const JsonPatch *patch, const MappedTree *side, int32 node)
{
	return &patch->sources[side == &patch->pair.b][PlaceInDocument(side, node)];
}

/* Returns the key of a member, whose value is the node before it in postorder. */
static Label
MemberKey(const JsonPatch *patch, const MappedTree *side, int32 member)
{
	const JsonbValue *key = SourceOf(patch, side, member);

	return (Label){key->val.string.val, key->val.string.len};
}

/* Whether a value stays as it is in the first document. */
static bool
StaysAsItIs(const MappedTrees *pair, int32 x, int32 y)
{
	return SubtreesEqual(pair, x, y) || CostsNothing(pair, x, y);
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

/*
 * The elements of two arrays without those left alone, and their partners.  Arrays up to `before`
 * are by place in the first array.
 */
typedef struct ArrayElements
{
	int32 array; /* node of the first array */
	int32 *from;
	int32 *to;
	int32 count_a;
	int32 count_b;
	int32 *target; /* place of the partner in the second array, or -1 */
	bool *stays;   /* has a partner, and is not moved */
	int32 *before; /* for elements passed that will be moved: finished elements before them */
	int32 *source; /* by place in the second array: place of the partner, or -1 */

	/* the progress: elements before place i are finished, or will be moved to the right */
	int32 i;
	int32 j;        /* number of finished elements, those of the second array up to place j */
	int32 *waiting; /* Fenwick tree of places: elements that are not finished */
} ArrayElements;

/* Whether it takes operations to make an element of the first array its partner. */
static bool
IsChanged(const JsonPatch *patch, const ArrayElements *elements, int32 i)
{
	const MappedTrees *pair = &patch->pair;
	int32 x = elements->from[i];
	int32 y;

	CHECK_FOR_INTERRUPTS();
	if (elements->target[i] < 0)
		return false;
	y = elements->to[elements->target[i]];
	return !StaysAsItIs(pair, x, y);
}

/*
 * Returns the elements of an array that can get other partners, ordered by hash: those without a
 * partner, and those that are changed.
 */
static MovableElement *
ListMovable(const MappedTree *side, const int32 *elements, const int32 *partner,
			const bool *changed, int32 count, int32 *movable_count)
{
	MovableElement *movable = palloc_array(MovableElement, Max(count, 1));

	*movable_count = 0;
	for (int32 i = 0; i < count; i++)
		if (partner[i] < 0 ? side->map[elements[i]] < 0 : changed[i])
			movable[(*movable_count)++] = (MovableElement){side->hash[elements[i]], i};
	qsort(movable, (size_t) *movable_count, sizeof(MovableElement), CompareMovable);
	return movable;
}

/*
 * Returns for each element of the first array the place of an equal element of the second one, or
 * -1, if both can get other partners.
 */
static int32 *
FindEqualElements(const JsonPatch *patch, const ArrayElements *elements, const bool *changed_a,
				  const bool *changed_b)
{
	const MappedTrees *pair = &patch->pair;
	int32 count_a;
	int32 count_b;
	MovableElement *a = ListMovable(&pair->a, elements->from, elements->target, changed_a,
									elements->count_a, &count_a);
	MovableElement *b = ListMovable(&pair->b, elements->to, elements->source, changed_b,
									elements->count_b, &count_b);
	int32 *equal = palloc_array(int32, Max(elements->count_a, 1));

	memset(equal, -1, sizeof(int32) * (Size) elements->count_a);
	for (int32 i = 0, j = 0; i < count_a && j < count_b;)
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
			equal[a[i].place] = b[j].place;
		i++;
		j++;
	}
	pfree(a);
	pfree(b);
	return equal;
}

/*
 * Makes equal elements partners, in place of those to which they are changed, where this takes no
 * more operations.  Elements and the pairs of both kinds form paths and cycles.  A path or cycle of
 * n elements with r pairs of one kind takes n - r operations by these, where a pair takes one.
 */
static void
TakeEqualElements(ArrayElements *elements, const bool *changed, const int32 *equal)
{
	int32 count_a = elements->count_a;
	int32 count = count_a + elements->count_b;
	int32 *parent = palloc_array(int32, Max(count, 1));
	int32 *more = palloc0_array(int32, Max(count, 1)); /* by component: pairs more of equals */

	for (int32 n = 0; n < count; n++)
		parent[n] = n;
	for (int32 i = 0; i < count_a; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (changed[i])
			ted_connect(parent, i, count_a + elements->target[i]);
		if (equal[i] >= 0)
			ted_connect(parent, i, count_a + equal[i]);
	}
	for (int32 i = 0; i < count_a; i++)
		more[ted_component(parent, i)] += (equal[i] >= 0) - (int32) changed[i];
	for (int32 i = 0; i < count_a; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (more[ted_component(parent, i)] < 0)
			continue;
		if (changed[i] && elements->source[elements->target[i]] == i)
			elements->source[elements->target[i]] = -1;
		if (changed[i] || equal[i] >= 0)
			elements->target[i] = equal[i];
		if (equal[i] >= 0)
			elements->source[equal[i]] = i;
	}
	pfree(parent);
	pfree(more);
}

/* Finds elements that are moved in place of being removed, added or changed. */
static void
PairMovedElements(const JsonPatch *patch, ArrayElements *elements)
{
	bool *changed_a = palloc_array(bool, Max(elements->count_a, 1));
	bool *changed_b = palloc0_array(bool, Max(elements->count_b, 1));
	int32 *equal;

	for (int32 i = 0; i < elements->count_a; i++)
	{
		changed_a[i] = IsChanged(patch, elements, i);
		if (changed_a[i])
			changed_b[elements->target[i]] = true;
	}
	equal = FindEqualElements(patch, elements, changed_a, changed_b);
	TakeEqualElements(elements, changed_a, equal);
	pfree(changed_a);
	pfree(changed_b);
	pfree(equal);
}

/*
 * Sets which elements stay: a longest subsequence of those with partners whose partners are in
 * order, too.
 */
static void
FindStaying(ArrayElements *elements)
{
	int32 count = Max(elements->count_a, 1);
	int32 *last = palloc_array(int32, count);     /* by length: last place of a subsequence */
	int32 *previous = palloc_array(int32, count); /* by place */
	int32 length = 0;

	for (int32 i = 0; i < elements->count_a; i++)
	{
		int32 low = 0;
		int32 high = length;

		CHECK_FOR_INTERRUPTS();
		if (elements->target[i] < 0)
			continue;
		if (length > 0 && elements->target[last[length - 1]] < elements->target[i])
			low = length;
		while (low < high)
		{
			int32 middle = low + (high - low) / 2;

			if (elements->target[last[middle]] < elements->target[i])
				low = middle + 1;
			else
				high = middle;
		}
		previous[i] = low == 0 ? -1 : last[low - 1];
		last[low] = i;
		length = Max(length, low + 1);
	}
	for (int32 i = length == 0 ? -1 : last[length - 1]; i >= 0; i = previous[i])
		elements->stays[i] = true;
	pfree(last);
	pfree(previous);
}

/* Lists the elements of two arrays, and finds their partners. */
static void
InitElements(const JsonPatch *patch, int32 x, int32 y, ArrayElements *elements)
{
	const MappedTree *a = &patch->pair.a;
	const MappedTree *b = &patch->pair.b;
	int32 j = 0;

	*elements = (ArrayElements){.array = x};
	elements->from = ListPatchedChildren(a, x, &elements->count_a);
	elements->to = ListPatchedChildren(b, y, &elements->count_b);
	elements->target = palloc_array(int32, Max(elements->count_a, 1));
	elements->source = palloc_array(int32, Max(elements->count_b, 1));
	elements->stays = palloc0_array(bool, Max(elements->count_a, 1));
	elements->before = palloc_array(int32, Max(elements->count_a, 1));
	elements->waiting = palloc_array(int32, elements->count_a + 1);
	memset(elements->target, -1, sizeof(int32) * (Size) elements->count_a);
	memset(elements->source, -1, sizeof(int32) * (Size) elements->count_b);
	for (int32 i = 0; i < elements->count_a; i++)
	{
		int32 partner = a->map[elements->from[i]];

		CHECK_FOR_INTERRUPTS();
		elements->waiting[i + 1] = (i + 1) & -(i + 1);
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
	FindStaying(elements);
}

/* Returns the number of elements before a place that are not finished. */
static int32
CountWaiting(const ArrayElements *elements, int32 place)
{
	int32 count = 0;

	for (; place > 0; place &= place - 1)
		count += elements->waiting[place];
	return count;
}

/* Notes that the element at a place is finished. */
static void
FinishElement(ArrayElements *elements, int32 place)
{
	for (place++; place <= elements->count_a; place += place & -place)
		elements->waiting[place]--;
}

/* Returns the index at which the next element is to be finished, after those left alone. */
static int32
NextIndex(const JsonPatch *patch, const ArrayElements *elements)
{
	const MappedTree *a = &patch->pair.a;
	int32 i = elements->i;
	int32 before =
		i < elements->count_a ? a->ordinal[elements->from[i]] : a->children[elements->array];

	return elements->j + CountWaiting(elements, i) + before - i;
}

/* Passes elements that have been moved or will be. */
static void
PassMoved(ArrayElements *elements)
{
	for (; elements->i < elements->count_a && elements->target[elements->i] >= 0 &&
		   !elements->stays[elements->i];
		 elements->i++)
		elements->before[elements->i] = elements->j;
}

/* Removes elements up to a place, and passes those that are moved. */
static void
RemoveElements(JsonPatch *patch, ArrayElements *elements, int32 end)
{
	int length = patch->path.len;

	for (PassMoved(elements); elements->i < end; PassMoved(elements))
	{
		AppendPointerIndex(&patch->path, NextIndex(patch, elements));
		AddTest(patch, &patch->path, elements->from[elements->i]);
		AddOperation(patch, OPERATION_REMOVE, -1);
		CutPath(patch, length);
		FinishElement(elements, elements->i++);
	}
}

/* Moves the element at a place of the first array to an end of what is finished. */
static void
MoveElement(JsonPatch *patch, ArrayElements *elements, int32 place)
{
	int32 finished = place < elements->i ? elements->before[place] : elements->j;
	int32 from = finished + CountWaiting(elements, place);
	int32 to;

	FinishElement(elements, place);
	to = NextIndex(patch, elements);
	BeginMove(patch);
	AppendPointerIndex(&patch->source, from);
	AppendPointerIndex(&patch->path, to);
	if (from != to)
	{
		AddTest(patch, &patch->source, elements->from[place]);
		AddMove(patch);
	}
}

static void PatchValue(JsonPatch *patch, int32 x, int32 y, bool in_array);

/* Brings one element of the second array to its place. */
static void
PatchElement(JsonPatch *patch, ArrayElements *elements)
{
	int32 source = elements->source[elements->j];
	int32 y = elements->to[elements->j];

	if (source >= 0 && !elements->stays[source])
		MoveElement(patch, elements, source);
	else
	{
		if (source >= 0)
			RemoveElements(patch, elements, source);
		else
		{
			/* an element without a partner is changed into one */
			PassMoved(elements);
			if (elements->i < elements->count_a && elements->target[elements->i] < 0)
				source = elements->i;
		}
		AppendPointerIndex(&patch->path, NextIndex(patch, elements));
		if (source >= 0)
			FinishElement(elements, elements->i++);
	}
	if (source >= 0)
		PatchValue(patch, elements->from[source], y, true);
	else
		AddOperation(patch, OPERATION_ADD, y);
}

/*
 * Patches an array, from left to right.  Elements that will be moved to the right stay between
 * finished ones until their turn.
 */
static void
PatchArray(JsonPatch *patch, int32 x, int32 y)
{
	ArrayElements elements;
	int length = patch->path.len;

	InitElements(patch, x, y, &elements);
	for (; elements.j < elements.count_b; elements.j++)
	{
		CHECK_FOR_INTERRUPTS();
		PatchElement(patch, &elements);
		CutPath(patch, length);
	}
	RemoveElements(patch, &elements, elements.count_a);
	pfree(elements.from);
	pfree(elements.to);
	pfree(elements.target);
	pfree(elements.source);
	pfree(elements.stays);
	pfree(elements.before);
	pfree(elements.waiting);
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
			AppendPointerKey(&patch->path, MemberKey(patch, a, from[i]));
			AddTest(patch, &patch->path, from[i] - 1);
			AddOperation(patch, OPERATION_REMOVE, -1);
			CutPath(patch, length);
		}
	}
	for (int32 i = 0; i < count_a; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (replaced[i] || a->tree.label[from[i]] == b->tree.label[a->map[from[i]]])
			continue;
		BeginMove(patch);
		AppendPointerKey(&patch->source, MemberKey(patch, a, from[i]));
		AppendPointerKey(&patch->path, MemberKey(patch, b, a->map[from[i]]));
		AddTest(patch, &patch->source, from[i] - 1);
		AddMove(patch);
		CutPath(patch, length);
	}
	for (int32 j = 0; j < count_b; j++)
	{
		int32 partner = b->map[to[j]];

		CHECK_FOR_INTERRUPTS();
		AppendPointerKey(&patch->path, MemberKey(patch, b, to[j]));
		if (partner < 0 ||
			(a->tree.label[partner] != b->tree.label[to[j]] && !IsMoved(patch, partner)))
			AddOperation(patch, OPERATION_ADD, to[j] - 1);
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
	if (patch->pair.a.kind[x] == NODE_ARRAY)
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
	{
		int32 node = way[--steps];
		int32 parent = a->parent[node];

		/* the value of a member has the pointer of its key */
		if (a->kind[parent] == NODE_ARRAY)
			AppendPointerIndex(&patch->source, a->ordinal[node]);
		else if (a->kind[parent] == NODE_OBJECT)
			AppendPointerKey(&patch->source, MemberKey(patch, a, node));
	}
	AddTest(patch, &patch->path, x);
	AddMove(patch);
	pfree(way);
	if (!StaysAsItIs(&patch->pair, inner, y))
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
	int32 most = pair->a.kind[x] == NODE_ARRAY ? 2 : 1;

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

/* Patches the value at the current path. */
static void
PatchValue(JsonPatch *patch, int32 x, int32 y, bool in_array)
{
	const MappedTrees *pair = &patch->pair;
	int32 inner = -1;

	check_stack_depth();
	CHECK_FOR_INTERRUPTS();
	if (StaysAsItIs(pair, x, y))
		return;
	if (GoesInside(pair, x, y))
	{
		PatchContainer(patch, x, y);
		return;
	}

	/*
	 * In an array, a move would insert beside the value.  And python3-jsonpatch does not support it
	 * for an array that is the whole document.
	 */
	if (!in_array && (patch->path.len > 0 || pair->a.kind[x] != NODE_ARRAY))
		inner = FindInner(pair, x, y);
	if (inner >= 0)
		LiftValue(patch, x, inner, y);
	else
	{
		AddTest(patch, &patch->path, x);
		AddOperation(patch, OPERATION_REPLACE, y);
	}
}

/* Writes the operations, with values as they stand in the documents. */
static void
BuildPatch(const JsonPatch *patch, JsonbBuilder *builder)
{
	const char *pointers = patch->pointers.data;

	JsonbBuilderOpen(builder, jbvArray, patch->count);
	for (int i = 0; i < patch->count; i++)
	{
		const PatchOperation *operation = &patch->operations[i];
		const MappedTree *side =
			operation->kind == OPERATION_TEST ? &patch->pair.a : &patch->pair.b;

		OpenJsonOperation(builder, operation->kind,
						  (Label){pointers + operation->path, operation->path_length},
						  (Label){pointers + operation->from, operation->from_length});
		if (operation->value >= 0)
			JsonbBuilderAdd(builder, WJB_VALUE, SourceOf(patch, side, operation->value));
		JsonbBuilderClose(builder, jbvObject);
	}
	JsonbBuilderClose(builder, jbvArray);
}

PG_FUNCTION_INFO_V1(json_patch);

/* Returns a patch that makes the first document into the second one. */
Datum
json_patch(PG_FUNCTION_ARGS)
{
	const CostModel *model = ArgumentJsonModelUnlessUnit(fcinfo, 2);
	JsonPatch patch = {.pair.syntax = SYNTAX_JSON,
					   .pair.has_numbers = true,
					   .with_tests = PG_GETARG_BOOL(3),
					   .capacity = 64};
	MappedTrees *pair = &patch.pair;
	MemoryContext caller = CurrentMemoryContext;
	JsonbBuilder builder;
	const Tree *a;
	const Tree *b;
	Jsonb *result;

	patch.context = AllocSetContextCreate(caller, "JSON patch", ALLOCSET_DEFAULT_SIZES);
	MemoryContextSwitchTo(patch.context);
	a = ExactJsonbTree(PG_GETARG_DATUM(0), &patch.sources[0]);
	b = ExactJsonbTree(PG_GETARG_DATUM(1), &patch.sources[1]);
	MapValues(pair, a, b, model, MAPPING_BY_NAME, PATCHING);
	IndexTrees(pair, PATCHING);
	patch.operations = palloc_array(PatchOperation, patch.capacity);
	initStringInfo(&patch.pointers);
	initStringInfo(&patch.path);
	initStringInfo(&patch.source);
	PatchValue(&patch, pair->a.tree.size - 1, pair->b.tree.size - 1, false);
	JsonbBuilderInit(&builder, PATCHING);
	BuildPatch(&patch, &builder);
	MemoryContextSwitchTo(caller);
	result = JsonbBuilderFinish(&builder);
	MemoryContextDelete(patch.context);
	PG_RETURN_JSONB_P(result);
}
