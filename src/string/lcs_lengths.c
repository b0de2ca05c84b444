/*
 * lcs_lengths.c
 *	  SQL functions that compare one text with every text of an array: lcs_lengths(),
 *	  lcs_similarities().
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/arrayaccess.h"
#include "utils/memutils.h"

#include "../compat.h"
#include "../engine/string_session.h"
#include "lcs_threshold.h"
#include "strings.h"

/* Elements from the current element of an array to the one whose header is prefetched. */
#define HEADERS_AHEAD 32

/* An array of texts. */
typedef struct TextArray
{
	AnyArrayType *array;
	int count;
	bool *nulls;
	LcsText *texts; /* bytes of the texts that are not null */
	int texts_count;
} TextArray;

/* Reads the texts of an array. */
static TextArray
ReadTextArray(AnyArrayType *array)
{
	TextArray result = {.array = array,
						.count = ArrayGetNItems(AARR_NDIM(array), AARR_DIMS(array))};
	array_iter elements;

	CheckStringMemory(TextsMemory(result.count));
	result.nulls = palloc_extended(result.count, MCXT_ALLOC_HUGE);
	result.texts = MemoryContextAllocHuge(CurrentMemoryContext, result.count * sizeof(LcsText));
	ArrayIterSetup(&elements, array, -1, false, TYPALIGN_INT);
	for (int i = 0; i < result.count; i++)
	{
		Datum element = ArrayIterNext(&elements, &result.nulls[i], i, -1, false, TYPALIGN_INT);
		text *value;

		CHECK_FOR_INTERRUPTS();
		if (result.nulls[i])
			continue;
		value = DatumGetTextPP(element);
		/*
		 * prefetches the header of a later element, if all are about as long; else each
		 * read of a header would wait for memory
		 */
		__builtin_prefetch((const void *) ((uintptr_t) value + HEADERS_AHEAD * VARSIZE_ANY(value)));
		result.texts[result.texts_count++] =
			(LcsText){VARDATA_ANY(value), VARSIZE_ANY_EXHDR(value)};
	}
	return result;
}

/* Allocates a value for each element of the array, nulls included. */
static Datum *
AllocValues(const TextArray *of)
{
	return MemoryContextAllocHuge(CurrentMemoryContext, of->count * sizeof(Datum));
}

/* Makes an array of the same shape and nulls, with values of `bytes` bytes each. */
static ArrayType *
ArrayOfShape(const TextArray *of, Datum *values, Oid type, int bytes, char alignment)
{
	return construct_md_array(values, of->nulls, AARR_NDIM(of->array), AARR_DIMS(of->array),
							  AARR_LBOUND(of->array), type, bytes, bytes <= (int) sizeof(Datum),
							  alignment);
}

PG_FUNCTION_INFO_V1(lcs_lengths);

/* Returns the lengths of the longest common subsequences of one text and each text of an array. */
Datum
lcs_lengths(PG_FUNCTION_ARGS)
{
	AnyArrayType *array = PG_GETARG_ANY_ARRAY_P(1);
	Symbols pattern = TextSymbols(PG_GETARG_TEXT_PP(0));
	TextArray texts = ReadTextArray(array);
	Datum *values = AllocValues(&texts);
	const int32 *length = TextsLengths(pattern, texts.texts, texts.texts_count);

	for (int i = 0; i < texts.count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		values[i] = texts.nulls[i] ? (Datum) 0 : Int32GetDatum(*length++);
	}
	PG_RETURN_ARRAYTYPE_P(ArrayOfShape(&texts, values, INT4OID, sizeof(int32), TYPALIGN_INT));
}

PG_FUNCTION_INFO_V1(lcs_similarities);

/* Returns the similarities of one text and each text of an array. */
Datum
lcs_similarities(PG_FUNCTION_ARGS)
{
	AnyArrayType *array = PG_GETARG_ANY_ARRAY_P(1);
	Symbols pattern = TextSymbols(PG_GETARG_TEXT_PP(0));
	TextArray texts = ReadTextArray(array);
	Datum *values = AllocValues(&texts);
	Size bytes = texts.texts_count * sizeof(int32);
	int32 *characters; /* of each text that is not null */
	const int32 *length;

	CheckStringMemory(TextsMemory(texts.count) + bytes);
	characters = MemoryContextAllocHuge(CurrentMemoryContext, bytes);
	for (int i = 0; i < texts.texts_count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		characters[i] = pg_mbstrlen_with_len(texts.texts[i].symbols, texts.texts[i].length);
	}
	length = TextsLengths(pattern, texts.texts, texts.texts_count);
	for (int i = 0; i < texts.count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		values[i] =
			texts.nulls[i]
				? (Datum) 0
				: Float8GetDatum(LcsSimilarity(*length++, (int64) pattern.count + *characters++));
	}
	PG_RETURN_ARRAYTYPE_P(ArrayOfShape(&texts, values, FLOAT8OID, sizeof(float8), TYPALIGN_DOUBLE));
}
