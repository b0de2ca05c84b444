/*
 * string_set.c
 *	  The distinct strings of one side of a join, with what the filters need of them.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "../compat.h"
#include "../common/characters.h"
#include "../common/host.h"
#include "string_set.h"

/* Bytes that a string takes beside its characters. */
#define STRING_BYTES                                                                               \
	(sizeof(Size) + 2 * sizeof(int32) + sizeof(StringHistogram) + LABEL_MAX_OVERHEAD)

/* Refuses to take this number of bytes more in the current memory context. */
static void
CheckGrowth(Size bytes)
{
	CheckMemoryGrowth(CurrentMemoryContext, bytes, STRING_JOIN);
}

/* Makes an empty set. */
StringSet *
StringSetCreate(void)
{
	StringSet *set = palloc0_object(StringSet);

	set->texts = LabelTableCreate();
	set->symbol_capacity = 1024;
	set->symbol = palloc_array(uint32, set->symbol_capacity);
	set->capacity = 64;
	set->start = palloc_array(Size, set->capacity + 1);
	set->start[0] = 0;
	return set;
}

/* Enlarges the set for a string of at most this number of characters. */
static void
ReserveString(StringSet *set, Size characters)
{
	Size needed = set->start[set->count] + characters;

	if (needed > set->symbol_capacity)
	{
		set->symbol_capacity = Max(2 * set->symbol_capacity, needed);
		CheckGrowth(sizeof(uint32) * set->symbol_capacity);
		set->symbol = repalloc_huge(set->symbol, sizeof(uint32) * set->symbol_capacity);
	}
	if (set->count == set->capacity)
	{
		set->capacity *= 2;
		CheckGrowth(STRING_BYTES * (Size) set->capacity);
		set->start = repalloc_huge(set->start, sizeof(Size) * ((Size) set->capacity + 1));
	}
}

/* Adds a text; returns its number, which equal texts share. */
int32
StringSetAdd(StringSet *set, Datum value)
{
	text *string = DatumGetTextPP(value);
	const char *bytes = VARDATA_ANY(string);
	int32 length = VARSIZE_ANY_EXHDR(string);
	int32 number = LabelTableIntern(set->texts, bytes, length);

	CHECK_FOR_INTERRUPTS();
	if (number == set->count)
	{
		Size start = set->start[number];

		ReserveString(set, length);
		set->start[++set->count] =
			start + (Size) ReadCharacters(bytes, length, set->symbol + start);
	}
	if ((Pointer) string != DatumGetPointer(value))
		pfree(string);
	return number;
}

#define ST_SORT SortByLength
#define ST_ELEMENT_TYPE int32
#define ST_COMPARE(a, b, set) (StringLength(set, *a) - StringLength(set, *b))
#define ST_COMPARE_ARG_TYPE StringSet
#define ST_SCOPE static
#define ST_CHECK_FOR_INTERRUPTS
#define ST_DECLARE
#define ST_DEFINE
#include "lib/sort_template.h"

/* Counts the characters of a string. */
static void
CountCharacters(StringHistogram *histogram, const uint32 *symbol, int32 length)
{
	memset(histogram, 0, sizeof(*histogram));
	for (int32 i = 0; i < length; i++)
	{
		uint8 *count = &histogram->count[symbol[i] % STRING_BUCKETS];

		*count += *count < PG_UINT8_MAX;
	}
}

/* Memory that StringSetSort() takes. */
Size
StringSetSortMemory(const StringSet *set)
{
	return (2 * sizeof(int32) + sizeof(StringHistogram)) * (Size) set->count;
}

/* Orders the strings by length and counts their characters. */
void
StringSetSort(StringSet *set)
{
	Size count = (Size) set->count;

	set->number = palloc_extended(sizeof(int32) * count, MCXT_ALLOC_HUGE);
	set->length = palloc_extended(sizeof(int32) * count, MCXT_ALLOC_HUGE);
	set->histogram = palloc_extended(sizeof(StringHistogram) * count, MCXT_ALLOC_HUGE);
	for (int32 number = 0; number < set->count; number++)
		set->number[number] = number;
	SortByLength(set->number, count, set);
	for (int32 rank = 0; rank < set->count; rank++)
	{
		CHECK_FOR_INTERRUPTS();
		set->length[rank] = StringLength(set, set->number[rank]);
		CountCharacters(&set->histogram[rank], StringSymbols(set, rank), set->length[rank]);
	}
}
