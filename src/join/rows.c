/*
 * rows.c
 *	  Rows of one side of a join, kept by the numbers of their trees.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "../compat.h"
#include "rows.h"

/* Bytes before a row that is written, for the number of its tree. */
#define NUMBER_BYTES MAXALIGN(sizeof(int32))

/* Makes an empty set. */
void
RowsInit(JoinRows *rows, int columns)
{
	*rows = (JoinRows){.columns = columns};
	rows->context =
		AllocSetContextCreate(CurrentMemoryContext, "ted join rows", ALLOCSET_DEFAULT_SIZES);
}

/* Makes room for rows with the next number of a tree. */
static void
AppendNumber(JoinRows *rows)
{
	if (rows->first == NULL)
	{
		rows->capacity = 64;
		rows->first = MemoryContextAlloc(rows->context, sizeof(JoinRow *) * (Size) rows->capacity);
	}
	else if (rows->count == rows->capacity)
	{
		rows->capacity *= 2;
		rows->first = repalloc_huge(rows->first, sizeof(JoinRow *) * (Size) rows->capacity);
	}
	rows->first[rows->count++] = NULL;
}

/* Keeps a row. */
void
RowsKeep(JoinRows *rows, int32 number, MinimalTuple tuple, int64 ordinal)
{
	JoinRow *row = MemoryContextAlloc(rows->context, RowBytes(rows->columns));
	JoinRow **chain;

	if (number == rows->count)
		AppendNumber(rows);
	chain = number == NO_TREE ? &rows->treeless : &rows->first[number];
	*row = (JoinRow){.next = *chain, .tuple = tuple, .ordinal = ordinal};
	*chain = row;
}

/* Whether nothing is kept. */
bool
RowsAreNone(const JoinRows *rows)
{
	return rows->count == 0 && rows->treeless == NULL;
}

/* Starts with the rows that have no tree. */
JoinRowIterator
RowsIterate(const JoinRows *rows)
{
	return (JoinRowIterator){.rows = rows, .next = rows->treeless};
}

/* Next row. */
JoinRow *
RowsNext(JoinRowIterator *iterator)
{
	JoinRow *row;

	while (iterator->next == NULL && iterator->rows != NULL &&
		   iterator->number < iterator->rows->count)
		iterator->next = iterator->rows->first[iterator->number++];
	row = iterator->next;
	if (row != NULL)
		iterator->next = row->next;
	else
		iterator->rows = NULL; /* which may get others */
	return row;
}

/* Forgets all rows. */
void
RowsForget(JoinRows *rows)
{
	MemoryContextReset(rows->context);
	rows->first = NULL;
	rows->treeless = NULL;
	rows->count = rows->capacity = 0;
}

/* Memory that the rows take when written. */
Size
RowsExportBytes(const JoinRows *rows)
{
	Size bytes = 0;

	for (int32 number = 0; number < rows->count; number++)
		for (const JoinRow *row = rows->first[number]; row != NULL; row = row->next)
			bytes += NUMBER_BYTES + MAXALIGN(row->tuple->t_len);
	return bytes;
}

/* Writes the rows. */
void
RowsExport(const JoinRows *rows, char *image)
{
	for (int32 number = 0; number < rows->count; number++)
	{
		CHECK_FOR_INTERRUPTS();
		for (const JoinRow *row = rows->first[number]; row != NULL; row = row->next)
		{
			*(int32 *) image = number;
			memcpy(image + NUMBER_BYTES, row->tuple, row->tuple->t_len);
			image += NUMBER_BYTES + MAXALIGN(row->tuple->t_len);
		}
	}
}

/* Keeps rows that were written. */
void
RowsImport(JoinRows *rows, char *image, Size bytes, const int32 *numbers)
{
	char *end = image + bytes;

	while (image < end)
	{
		MinimalTuple tuple = (MinimalTuple) (image + NUMBER_BYTES);

		CHECK_FOR_INTERRUPTS();
		RowsKeep(rows, numbers[*(int32 *) image], tuple, 0);
		image += NUMBER_BYTES + MAXALIGN(tuple->t_len);
	}
}
