/*
 * json_merge_patch.c
 *	  The SQL functions json_merge_patch() and json_merge_patch_apply(): JSON Merge Patch
 *	  (RFC 7396).
 *
 * A merge patch is a document with the members that change.  A member that is null in it is
 * removed, an object is merged with the one in its place, and any other value replaces the one in
 * its place.  So a patch cannot make a member null.
 *
 * Members of objects are in jsonb's order, so two objects are merged by one walk through both.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/jsonb.h"
#include "utils/memutils.h"

#include "../../common/messages.h"
#include "../../compat.h"
#include "../convert/json_pointer.h"
#include "../convert/jsonb_builder.h"

/* The members of an object, one at a time. */
typedef struct Members
{
	JsonbIterator *iterator; /* NULL if there is no object */
	JsonbValue key;
	JsonbValue value; /* packed if it is a container */
	bool are_done;
} Members;

/* A merge patch being made. */
typedef struct MergePatch
{
	JsonbBuilder builder;
	StringInfoData path; /* pointer to the current value */
} MergePatch;

/* Whether a value is an object. */
static bool
IsObject(const JsonbValue *value)
{
	return value->type == jbvBinary && JsonContainerIsObject(value->val.binary.data);
}

/* Goes to the next member. */
static void
NextMember(Members *members)
{
	CHECK_FOR_INTERRUPTS();
	members->are_done = members->iterator == NULL ||
						JsonbIteratorNext(&members->iterator, &members->key, true) != WJB_KEY;
	if (!members->are_done)
		JsonbIteratorNext(&members->iterator, &members->value, true);
}

/* Goes to the first member of a value; a value that is not an object has none. */
static Members
FirstMember(const JsonbValue *value)
{
	Members members = {0};
	JsonbValue object;

	if (IsObject(value))
	{
		members.iterator = JsonbIteratorInit(value->val.binary.data);
		JsonbIteratorNext(&members.iterator, &object, true);
	}
	NextMember(&members);
	return members;
}

/* Compares the current members of two objects by their keys.  The end comes after all members. */
static int
CompareMembers(const Members *a, const Members *b)
{
	const JsonbValue *x = &a->key;
	const JsonbValue *y = &b->key;

	if (a->are_done || b->are_done)
		return (int) a->are_done - (int) b->are_done;
	if (x->val.string.len != y->val.string.len)
		return x->val.string.len < y->val.string.len ? -1 : 1;
	return memcmp(x->val.string.val, y->val.string.val, (size_t) x->val.string.len);
}

/*
 * Whether two values are the same to the last digit.  Values are packed in one way, but for numbers
 * that some functions have made.
 */
static bool
SameValue(const JsonbValue *a, const JsonbValue *b)
{
	if (a->type != b->type)
		return false;
	switch (a->type)
	{
		case jbvNull:
			return true;
		case jbvBool:
			return a->val.boolean == b->val.boolean;
		case jbvString:
			return a->val.string.len == b->val.string.len &&
				   memcmp(a->val.string.val, b->val.string.val, (size_t) a->val.string.len) == 0;
		case jbvNumeric:
			return VARSIZE_ANY(a->val.numeric) == VARSIZE_ANY(b->val.numeric) &&
				   memcmp(a->val.numeric, b->val.numeric, VARSIZE_ANY(a->val.numeric)) == 0;
		default:
			return a->val.binary.len == b->val.binary.len &&
				   memcmp(a->val.binary.data, b->val.binary.data, (size_t) a->val.binary.len) == 0;
	}
}

/* Raises the error that the member at the current path would have to be null. */
static _Noreturn void
CannotBeNull(const MergePatch *patch)
{
	Label path = {patch->path.data, patch->path.len};

	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED), errmsg("cannot make a JSON Merge Patch"),
			 ValueDetail("A member would become null, which in a merge patch removes it.",
						 "The member at \"%s\" would become null, which in a merge patch "
						 "removes it.",
						 ClipForMessage(path)),
			 errhint("Make a JSON Patch, with json_patch().")));
}

static void AddMembers(MergePatch *patch, const JsonbValue *a, const JsonbValue *b);

/* Adds the current member of the second object, which the first one has with `before` or not. */
static void
AddMember(MergePatch *patch, const JsonbValue *before, Members *b)
{
	int length = patch->path.len;

	AppendPointerKey(&patch->path, (Label){b->key.val.string.val, b->key.val.string.len});
	if (b->value.type == jbvNull)
		CannotBeNull(patch);
	JsonbBuilderAdd(&patch->builder, WJB_KEY, &b->key);
	if (IsObject(&b->value))
		AddMembers(patch, before, &b->value);
	else
		JsonbBuilderAdd(&patch->builder, WJB_VALUE, &b->value);
	patch->path.len = length;
	patch->path.data[length] = '\0';
}

/* Adds an object that makes a value, an object or not, into another one that is an object. */
static void
AddMembers(MergePatch *patch, const JsonbValue *before, const JsonbValue *after)
{
	static JsonbValue nothing = {.type = jbvNull};
	Members a = FirstMember(before);
	Members b = FirstMember(after);

	check_stack_depth();
	JsonbBuilderOpen(&patch->builder, jbvObject, 0);
	while (!a.are_done || !b.are_done)
	{
		int order = CompareMembers(&a, &b);

		if (order < 0)
		{
			JsonbBuilderAdd(&patch->builder, WJB_KEY, &a.key);
			JsonbBuilderAdd(&patch->builder, WJB_VALUE, &nothing);
		}
		else if (order > 0 || !SameValue(&a.value, &b.value))
			AddMember(patch, order == 0 ? &a.value : &nothing, &b);
		if (order <= 0)
			NextMember(&a);
		if (order >= 0)
			NextMember(&b);
	}
	JsonbBuilderClose(&patch->builder, jbvObject);
}

/* Adds a value after a patch, which is not null unless the value is the root. */
static void
AddMerged(JsonbBuilder *builder, const JsonbValue *value, JsonbValue *patch)
{
	static const JsonbValue nothing = {.type = jbvNull};
	Members a;
	Members b;

	check_stack_depth();
	if (!IsObject(patch))
	{
		JsonbBuilderAdd(builder, WJB_VALUE, patch);
		return;
	}
	a = FirstMember(value);
	b = FirstMember(patch);
	JsonbBuilderOpen(builder, jbvObject, 0);
	while (!a.are_done || !b.are_done)
	{
		int order = CompareMembers(&a, &b);

		if (order < 0)
		{
			JsonbBuilderAdd(builder, WJB_KEY, &a.key);
			JsonbBuilderAdd(builder, WJB_VALUE, &a.value);
		}
		else if (b.value.type != jbvNull)
		{
			JsonbBuilderAdd(builder, WJB_KEY, &b.key);
			AddMerged(builder, order == 0 ? &a.value : &nothing, &b.value);
		}
		if (order <= 0)
			NextMember(&a);
		if (order >= 0)
			NextMember(&b);
	}
	JsonbBuilderClose(builder, jbvObject);
}

/*
 * Switches to a new context, whose memory counts towards ted.max_memory.  Returns the previous one.
 */
static MemoryContext
BeginMerge(void)
{
	return MemoryContextSwitchTo(
		AllocSetContextCreate(CurrentMemoryContext, "JSON Merge Patch", ALLOCSET_DEFAULT_SIZES));
}

/* Switches back, returns the value that was built, and deletes the context. */
static Datum
EndMerge(JsonbBuilder *builder, MemoryContext caller)
{
	Datum result = JsonbPGetDatum(JsonbBuilderFinish(builder));

	MemoryContextSwitchTo(caller);
	result = JsonbPGetDatum(DatumGetJsonbPCopy(result));
	MemoryContextDelete(builder->context);
	return result;
}

PG_FUNCTION_INFO_V1(json_merge_patch);

/* Returns a merge patch that makes the first document into the second one. */
Datum
json_merge_patch(PG_FUNCTION_ARGS)
{
	JsonbValue a = JsonbRoot(PG_GETARG_JSONB_P(0));
	JsonbValue b = JsonbRoot(PG_GETARG_JSONB_P(1));
	MergePatch patch;
	MemoryContext caller;
	ErrorContextCallback reading;
	Datum result;

	if (!IsObject(&b))
		PG_RETURN_DATUM(PG_GETARG_DATUM(1));
	BeginReading(&reading, AreWrittenByClient(fcinfo, 0, 2));
	caller = BeginMerge();
	JsonbBuilderInit(&patch.builder, "making a JSON Merge Patch");
	initStringInfo(&patch.path);
	AddMembers(&patch, &a, &b);
	result = EndMerge(&patch.builder, caller);
	EndReading(&reading);
	return result;
}

PG_FUNCTION_INFO_V1(json_merge_patch_apply);

/* Returns a document after a merge patch. */
Datum
json_merge_patch_apply(PG_FUNCTION_ARGS)
{
	JsonbValue value = JsonbRoot(PG_GETARG_JSONB_P(0));
	JsonbValue patch = JsonbRoot(PG_GETARG_JSONB_P(1));
	JsonbBuilder builder;
	MemoryContext caller;

	if (!IsObject(&patch))
		PG_RETURN_DATUM(PG_GETARG_DATUM(1));
	caller = BeginMerge();
	JsonbBuilderInit(&builder, "applying a JSON Merge Patch");
	AddMerged(&builder, &value, &patch);
	return EndMerge(&builder, caller);
}
