/*
 * made_strings.c
 *	  Makes strings of symbols, the inverse of strings.c.
 */
#include "postgres.h"

#include "access/tupmacs.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/memutils.h"

#include "../compat.h"
#include "made_strings.h"

/* Allocates a varlena value of `bytes` bytes, header included, and sets its size. */
static void *
AllocValue(Size bytes)
{
	void *value;

	if (!AllocSizeIsValid(bytes))
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED), errmsg("result is too long"),
				 errdetail("It would take more than 1 GB."), errhint("Use shorter strings.")));
	value = palloc(bytes);
	SET_VARSIZE(value, bytes);
	return value;
}

/* Returns the number of bytes of a character, whose symbol is these bytes as one number. */
static inline int
MadeCharacterBytes(uint32 character)
{
	return 1 + (character > 0xff) + (character > 0xffff) + (character > 0xffffff);
}

/* Makes the text of some characters. */
Datum
MakeText(const uint32 *character, Size count, const ElementValues *values)
{
	Size bytes = VARHDRSZ;
	text *result;
	char *p;

	(void) values;
	for (Size i = 0; i < count; i++)
	{
		bytes += MadeCharacterBytes(character[i]);
		CHECK_FOR_INTERRUPTS();
	}
	result = AllocValue(bytes);
	p = VARDATA(result);
	for (Size i = 0; i < count; i++)
	{
		for (int shift = 8 * MadeCharacterBytes(character[i]) - 8; shift >= 0; shift -= 8)
			*p++ = (char) (character[i] >> shift);
		CHECK_FOR_INTERRUPTS();
	}
	return PointerGetDatum(result);
}

/* Makes the bytea of some bytes. */
Datum
MakeBytea(const uint32 *byte, Size count, const ElementValues *values)
{
	bytea *result = AllocValue(VARHDRSZ + count);
	char *p = VARDATA(result);

	(void) values;
	for (Size i = 0; i < count; i++)
	{
		p[i] = (char) byte[i];
		CHECK_FOR_INTERRUPTS();
	}
	return PointerGetDatum(result);
}

/* Makes the array of the values at some places. */
Datum
MakeArray(const uint32 *place, Size count, const ElementValues *values)
{
	const TypeCacheEntry *type = values->type;
	Size bytes = ARR_OVERHEAD_NONULLS(1);
	ArrayType *array;
	char *p;

	if (count == 0)
		return values->empty;
	for (Size i = 0; i < count; i++)
	{
		bytes = att_addlength_datum(bytes, type->typlen, values->value[place[i]]);
		bytes = att_align_nominal(bytes, type->typalign);
		CHECK_FOR_INTERRUPTS();
	}
	array = AllocValue(bytes);
	array->ndim = 1;
	array->dataoffset = 0;
	array->elemtype = type->type_id;
	ARR_DIMS(array)[0] = (int) count;
	ARR_LBOUND(array)[0] = 1;
	ArrayGetNItems(1, ARR_DIMS(array)); /* raises an error if there are too many elements */
	p = ARR_DATA_PTR(array);
	for (Size i = 0; i < count; i++)
	{
		Datum value = values->value[place[i]];
		Size size = att_addlength_datum(0, type->typlen, value);
		Size space = att_align_nominal(size, type->typalign);

		if (type->typbyval)
			store_att_byval(p, value, type->typlen);
		else
			memcpy(p, DatumGetPointer(value), size);
		memset(p + size, 0, space - size);
		p += space;
		CHECK_FOR_INTERRUPTS();
	}
	return PointerGetDatum(array);
}
