/*
 * made_strings.c
 *	  Strings made of symbols: what strings.c does, backwards.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/memutils.h"

#include "../compat.h"
#include "made_strings.h"

/* Takes memory for a value of this size, header included, and sets the size. */
static void *
AllocValue(Size bytes)
{
	void *value;

	if (!AllocSizeIsValid(bytes))
		ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED), errmsg("result is too long"),
						errdetail("It has %zu bytes.", bytes), errhint("Use shorter strings.")));
	value = palloc(bytes);
	SET_VARSIZE(value, bytes);
	return value;
}

/* Bytes of a character. */
static inline int
CharacterBytes(uint32 character)
{
	return 1 + (character > 0xff) + (character > 0xffff) + (character > 0xffffff);
}

/* The text that consists of these characters. */
Datum
MakeText(const uint32 *character, Size count, const LabelTable *tokens)
{
	Size bytes = VARHDRSZ;
	text *result;
	char *p;

	(void) tokens;
	for (Size i = 0; i < count; i++)
	{
		bytes += CharacterBytes(character[i]);
		CHECK_FOR_INTERRUPTS();
	}
	result = AllocValue(bytes);
	p = VARDATA(result);
	for (Size i = 0; i < count; i++)
	{
		for (int shift = 8 * CharacterBytes(character[i]) - 8; shift >= 0; shift -= 8)
			*p++ = (char) (character[i] >> shift);
		CHECK_FOR_INTERRUPTS();
	}
	return PointerGetDatum(result);
}

/* The bytea that consists of these bytes. */
Datum
MakeBytea(const uint32 *byte, Size count, const LabelTable *tokens)
{
	bytea *result = AllocValue(VARHDRSZ + count);
	char *p = VARDATA(result);

	(void) tokens;
	for (Size i = 0; i < count; i++)
	{
		p[i] = (char) byte[i];
		CHECK_FOR_INTERRUPTS();
	}
	return PointerGetDatum(result);
}

/* Takes memory for an array of elements of a type that take this number of bytes together. */
static ArrayType *
AllocArray(Size count, Oid element_type, Size bytes)
{
	ArrayType *array;

	if (count == 0)
		return construct_empty_array(element_type);
	array = AllocValue(ARR_OVERHEAD_NONULLS(1) + bytes);
	array->ndim = 1;
	array->dataoffset = 0;
	array->elemtype = element_type;
	ARR_DIMS(array)[0] = (int) count;
	ARR_LBOUND(array)[0] = 1;
	ArrayGetNItems(1, ARR_DIMS(array)); /* refuses more than an array may have */
	return array;
}

/* The array of these elements of the table. */
Datum
MakeTextArray(const uint32 *token, Size count, const LabelTable *tokens)
{
	Size bytes = 0;
	ArrayType *array;
	char *p;

	for (Size i = 0; i < count; i++)
	{
		bytes += INTALIGN(VARHDRSZ + LabelTableGet(tokens, token[i]).length);
		CHECK_FOR_INTERRUPTS();
	}
	array = AllocArray(count, TEXTOID, bytes);
	p = ARR_DATA_PTR(array);
	for (Size i = 0; i < count; i++)
	{
		Label label = LabelTableGet(tokens, token[i]);
		Size size = VARHDRSZ + label.length;

		SET_VARSIZE(p, size);
		memcpy(VARDATA(p), label.bytes, label.length);
		memset(p + size, 0, INTALIGN(size) - size);
		p += INTALIGN(size);
		CHECK_FOR_INTERRUPTS();
	}
	return PointerGetDatum(array);
}

/* The array of these elements of the table. */
Datum
MakeBigintArray(const uint32 *token, Size count, const LabelTable *tokens)
{
	ArrayType *array = AllocArray(count, INT8OID, count * sizeof(int64));
	char *p = ARR_DATA_PTR(array);

	for (Size i = 0; i < count; i++, p += sizeof(int64))
	{
		memcpy(p, LabelTableGet(tokens, token[i]).bytes, sizeof(int64));
		CHECK_FOR_INTERRUPTS();
	}
	return PointerGetDatum(array);
}

/* The array of these elements. */
Datum
MakeIntArray(const uint32 *element, Size count, const LabelTable *tokens)
{
	ArrayType *array = AllocArray(count, INT4OID, count * sizeof(int32));

	(void) tokens;
	if (count > 0)
		memcpy(ARR_DATA_PTR(array), element, count * sizeof(int32));
	return PointerGetDatum(array);
}
