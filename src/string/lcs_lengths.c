/*
 * lcs_lengths.c
 *	  The SQL function lcs_lengths(): one text against every text of an array.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/arrayaccess.h"
#include "utils/memutils.h"

#include "../compat.h"
#include "../engine/string_session.h"
#include "strings.h"

/* Elements of an array after the present one, where the processor is told to look. */
#define HEADERS_AHEAD 32

/* An array of texts. */
typedef struct TextArray
{
	AnyArrayType *array;
	int count;
	bool *nulls;
	LcsText *texts; /* that are not null, as bytes */
	int texts_count;
} TextArray;

/* Reads the texts of an array. */
static TextArray
ReadTexts(AnyArrayType *array)
{
	TextArray result = {.array = array,
						.count = ArrayGetNItems(AARR_NDIM(array), AARR_DIMS(array))};
	array_iter elements;

	CheckStringMemory(TextsMemory(result.count));
	result.nulls = palloc_extended(result.count, MCXT_ALLOC_HUGE);
	result.texts = MemoryContextAllocHuge(CurrentMemoryContext, result.count * sizeof(LcsText));
	array_iter_setup(&elements, array);
	for (int i = 0; i < result.count; i++)
	{
		Datum element = array_iter_next(&elements, &result.nulls[i], i, -1, false, TYPALIGN_INT);
		text *value;

		CHECK_FOR_INTERRUPTS();
		if (result.nulls[i])
			continue;
		value = DatumGetTextPP(element);
		/* where later ones begin, if they are about as long: that is a wait for memory each */
		__builtin_prefetch((const void *) ((uintptr_t) value + HEADERS_AHEAD * VARSIZE_ANY(value)));
		result.texts[result.texts_count++] =
			(LcsText){VARDATA_ANY(value), VARSIZE_ANY_EXHDR(value)};
	}
	return result;
}

/* Makes an array of the same shape of the lengths of its texts. */
static ArrayType *
LengthsArray(const TextArray *of, const int32 *lengths)
{
	Datum *values = MemoryContextAllocHuge(CurrentMemoryContext, of->count * sizeof(Datum));

	for (int i = 0; i < of->count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		values[i] = of->nulls[i] ? (Datum) 0 : Int32GetDatum(*lengths++);
	}
	return construct_md_array(values, of->nulls, AARR_NDIM(of->array), AARR_DIMS(of->array),
							  AARR_LBOUND(of->array), INT4OID, sizeof(int32), true, TYPALIGN_INT);
}

PG_FUNCTION_INFO_V1(lcs_lengths);

/* Lengths of the longest common subsequences of one text and every text of an array. */
Datum
lcs_lengths(PG_FUNCTION_ARGS)
{
	AnyArrayType *array = PG_GETARG_ANY_ARRAY_P(1);
	Symbols pattern = TextSymbols(PG_GETARG_TEXT_PP(0));
	TextArray texts = ReadTexts(array);

	PG_RETURN_ARRAYTYPE_P(
		LengthsArray(&texts, TextsLengths(pattern, texts.texts, texts.texts_count)));
}
