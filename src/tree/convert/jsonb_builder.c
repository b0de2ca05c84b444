/*
 * jsonb_builder.c
 *	  Makes a jsonb value of its parts, with the memory counted before it is taken.
 *
 * PostgreSQL makes arrays of the parts first, which grow by doubling, and then packs these.
 */
#include "postgres.h"

#include "miscadmin.h"

#include "../../common/host.h"
#include "jsonb_builder.h"

/* Parts between two memory checks. */
#define PARTS_PER_CHECK 1024

void
JsonbBuilderInit(JsonbBuilder *builder, const char *what)
{
	*builder = (JsonbBuilder){.context = CurrentMemoryContext, .what = what};
}

/* Counts a part of `length` bytes, and checks the memory from time to time. */
static void
CountPart(JsonbBuilder *builder, Size length)
{
	CHECK_FOR_INTERRUPTS();
	builder->bytes += sizeof(JEntry) + sizeof(int32) + length;
	if (++builder->items % PARTS_PER_CHECK == 0)
		CheckMemoryGrowth(builder->context, 0, builder->what);
}

void
JsonbBuilderOpen(JsonbBuilder *builder, enum jbvType type, int count)
{
	Size size = type == jbvArray ? sizeof(JsonbValue) : sizeof(JsonbPair);

	CountPart(builder, 0);
	CheckMemoryGrowth(builder->context, 3 * size * (Size) count, builder->what);
	pushJsonbValue(&builder->state, type == jbvArray ? WJB_BEGIN_ARRAY : WJB_BEGIN_OBJECT, NULL);
}

void
JsonbBuilderClose(JsonbBuilder *builder, enum jbvType type)
{
	pushJsonbValue(&builder->state, type == jbvArray ? WJB_END_ARRAY : WJB_END_OBJECT, NULL);
}

/* Adds the parts of a packed container. */
static void
AddPacked(JsonbBuilder *builder, const JsonbValue *value)
{
	JsonbIterator *iterator = JsonbIteratorInit(value->val.binary.data);
	JsonbIteratorToken token;
	JsonbValue item;

	while ((token = JsonbIteratorNext(&iterator, &item, false)) != WJB_DONE)
		switch (token)
		{
			case WJB_BEGIN_ARRAY:
				JsonbBuilderOpen(builder, jbvArray, item.val.array.nElems);
				break;
			case WJB_BEGIN_OBJECT:
				JsonbBuilderOpen(builder, jbvObject, item.val.object.nPairs);
				break;
			case WJB_END_ARRAY:
				JsonbBuilderClose(builder, jbvArray);
				break;
			case WJB_END_OBJECT:
				JsonbBuilderClose(builder, jbvObject);
				break;
			default:
				JsonbBuilderAdd(builder, token, &item);
				break;
		}
}

void
JsonbBuilderAdd(JsonbBuilder *builder, JsonbIteratorToken token, JsonbValue *value)
{
	if (value->type == jbvBinary)
	{
		AddPacked(builder, value);
		return;
	}
	CountPart(builder, value->type == jbvString    ? (Size) value->val.string.len
					   : value->type == jbvNumeric ? VARSIZE_ANY(value->val.numeric)
												   : 0);
	pushJsonbValue(&builder->state, token, value);
}

void
JsonbBuilderAddText(JsonbBuilder *builder, JsonbIteratorToken token, Label text)
{
	JsonbValue value = {.type = jbvString};

	value.val.string.val = unconstify(char *, text.bytes);
	value.val.string.len = text.length;
	JsonbBuilderAdd(builder, token, &value);
}

Jsonb *
JsonbBuilderFinish(JsonbBuilder *builder)
{
	CheckMemoryGrowth(builder->context, 3 * builder->bytes, builder->what);
	return JsonbValueToJsonb(builder->state.result);
}

JsonbValue
JsonbRoot(Jsonb *jsonb)
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
