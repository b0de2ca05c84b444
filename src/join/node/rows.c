/*
 * rows.c
 *	  Rows of one side of a join, kept by the numbers of their trees.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/datum.h"
#include "utils/expandeddatum.h"
#include "utils/memutils.h"

#include "../../compat.h"
#include "rows.h"

/* A row that is written; its values follow, those that are pointers as offsets from here. */
typedef struct RowImage
{
	Size bytes; /* up to the next one */
	int64 number;
} RowImage;

/* Makes an empty set. */
void
RowsInit(JoinRows *rows, const KeptColumns *kept)
{
	*rows = (JoinRows){.kept = kept};
	rows->context =
		AllocSetContextCreate(CurrentMemoryContext, "ted join rows", ALLOCSET_DEFAULT_SIZES);
	rows->packed = (PackedMemory){.context = rows->context};
}

/* Makes room for rows with the next number of a tree. */
static void
AppendTreeNumber(JoinRows *rows)
{
	if (rows->first == NULL)
	{
		rows->capacity = 64;
		rows->first = MemoryContextAlloc(rows->context, sizeof(JoinRow *) * (Size) rows->capacity);
	}
	else if (rows->count == rows->capacity)
	{
		rows->capacity += rows->capacity / 4;
		rows->first = repalloc_huge(rows->first, sizeof(JoinRow *) * (Size) rows->capacity);
	}
	rows->first[rows->count++] = NULL;
}

/* Adds a row to those with its tree. */
static void
Chain(JoinRows *rows, int32 number, JoinRow *row)
{
	JoinRow **chain;

	if (number == rows->count)
		AppendTreeNumber(rows);
	chain = number == NO_TREE ? &rows->treeless : &rows->first[number];
	row->next = *chain;
	*chain = row;
	rows->kept_rows++;
}

/* Bytes of a row but for what its values point to. */
static Size
HeadBytes(const KeptColumns *kept)
{
	return MAXALIGN(sizeof(JoinRow) + (sizeof(Datum) + sizeof(bool)) * (Size) kept->count);
}

/* Bytes that a value points to. */
static Size
RowValueBytes(Form_pg_attribute type, Datum value, bool isnull)
{
	if (isnull || type->attbyval)
		return 0;
	if (type->attlen == -1 && VARATT_IS_EXTERNAL_EXPANDED(DatumGetPointer(value)))
		return MAXALIGN(EOH_get_flat_size(DatumGetEOHP(value)));
	return MAXALIGN(datumGetSize(value, false, type->attlen));
}

/* Copies a value to a place for what it points to. */
static Datum
CopyRowValue(Form_pg_attribute type, Datum value, char *place)
{
	if (type->attlen == -1 && VARATT_IS_EXTERNAL_EXPANDED(DatumGetPointer(value)))
		EOH_flatten_into(DatumGetEOHP(value), place, EOH_get_flat_size(DatumGetEOHP(value)));
	else
		memcpy(place, DatumGetPointer(value), datumGetSize(value, false, type->attlen));
	return PointerGetDatum(place);
}

/* Memory that the row in the scan tuple takes. */
Size
RowBytes(const KeptColumns *kept, const TupleTableSlot *scan)
{
	Size bytes = HeadBytes(kept);

	for (int i = 0; i < kept->count; i++)
	{
		int column = kept->column[i].column - 1;

		bytes +=
			RowValueBytes(kept->column[i].type, scan->tts_values[column], scan->tts_isnull[column]);
	}
	return bytes;
}

/* Keeps the row in the scan tuple. */
void
RowsKeep(JoinRows *rows, int32 number, int64 ordinal, const TupleTableSlot *scan)
{
	const KeptColumns *kept = rows->kept;
	JoinRow *row = PackedTake(&rows->packed, RowBytes(kept, scan));
	char *place = (char *) row + HeadBytes(kept);

	row->ordinal = ordinal;
	for (int i = 0; i < kept->count; i++)
	{
		Datum value = scan->tts_values[kept->column[i].column - 1];
		bool isnull = scan->tts_isnull[kept->column[i].column - 1];
		Size bytes = RowValueBytes(kept->column[i].type, value, isnull);

		row->values[i] = bytes == 0 ? value : CopyRowValue(kept->column[i].type, value, place);
		RowNulls(row, kept)[i] = isnull;
		place += bytes;
	}
	Chain(rows, number, row);
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
	rows->packed = (PackedMemory){.context = rows->context};
	rows->first = NULL;
	rows->treeless = NULL;
	rows->count = rows->capacity = 0;
	rows->kept_rows = 0;
}

/* Bytes that a row which is kept takes when written. */
static Size
RowImageBytes(const KeptColumns *kept, JoinRow *row)
{
	Size bytes = sizeof(RowImage) + HeadBytes(kept);

	for (int i = 0; i < kept->count; i++)
		bytes += RowValueBytes(kept->column[i].type, row->values[i], RowNulls(row, kept)[i]);
	return bytes;
}

/* Memory that the rows take when written. */
Size
RowsExportBytes(const JoinRows *rows)
{
	Size bytes = 0;

	for (int32 number = 0; number < rows->count; number++)
		for (JoinRow *row = rows->first[number]; row != NULL; row = row->next)
			bytes += RowImageBytes(rows->kept, row);
	return bytes;
}

/* Writes a row. */
static void
ExportRow(const KeptColumns *kept, JoinRow *row, int32 number, char *image)
{
	JoinRow *written = (JoinRow *) (image + sizeof(RowImage));
	Size offset = sizeof(RowImage) + HeadBytes(kept);

	memcpy(written, row, HeadBytes(kept));
	for (int i = 0; i < kept->count; i++)
	{
		Size bytes = RowValueBytes(kept->column[i].type, row->values[i], RowNulls(row, kept)[i]);

		if (bytes == 0)
			continue;
		CopyRowValue(kept->column[i].type, row->values[i], image + offset);
		written->values[i] = (Datum) offset;
		offset += bytes;
	}
	*(RowImage *) image = (RowImage){offset, number};
}

/* Writes the rows. */
void
RowsExport(const JoinRows *rows, char *image)
{
	for (int32 number = 0; number < rows->count; number++)
	{
		CHECK_FOR_INTERRUPTS();
		for (JoinRow *row = rows->first[number]; row != NULL; row = row->next)
		{
			ExportRow(rows->kept, row, number, image);
			image += ((RowImage *) image)->bytes;
		}
	}
}

/* Keeps rows that were written. */
void
RowsImport(JoinRows *rows, char *image, Size bytes, const int32 *numbers)
{
	const KeptColumns *kept = rows->kept;

	for (char *end = image + bytes; image < end; image += ((RowImage *) image)->bytes)
	{
		JoinRow *row = PackedTake(&rows->packed, HeadBytes(kept));

		CHECK_FOR_INTERRUPTS();
		memcpy(row, image + sizeof(RowImage), HeadBytes(kept));
		row->ordinal = 0;
		for (int i = 0; i < kept->count; i++)
			if (!kept->column[i].type->attbyval && !RowNulls(row, kept)[i])
				row->values[i] = PointerGetDatum(image + (Size) row->values[i]);
		Chain(rows, numbers[((RowImage *) image)->number], row);
	}
}
