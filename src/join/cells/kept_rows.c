/*
 * kept_rows.c
 *	  Rows of one side of a join, kept by the numbers of their documents.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/datum.h"
#include "utils/expandeddatum.h"
#include "utils/memutils.h"

#include "../../compat.h"
#include "kept_rows.h"

/* The team's slot for the first row of each document. */
#define TEAM_ROWS (TEAM_SLOTS - 1)

void
RowsInit(JoinRows *rows, const KeptColumns *kept)
{
	*rows = (JoinRows){.kept = kept};
	rows->context =
		AllocSetContextCreate(CurrentMemoryContext, "ted join rows", ALLOCSET_DEFAULT_SIZES);
	rows->packed = (PackedMemory){.context = rows->context};
}

/* Returns the bytes of a row without the data that its values point to. */
static Size
HeadBytes(const KeptColumns *kept)
{
	return MAXALIGN(sizeof(JoinRow) + (sizeof(Datum) + sizeof(bool)) * (Size) kept->count);
}

/* Returns the bytes that a value points to. */
static Size
RowValueBytes(Form_pg_attribute type, Datum value, bool isnull)
{
	if (isnull || type->attbyval)
		return 0;
	if (type->attlen == -1 && VARATT_IS_EXTERNAL_EXPANDED(DatumGetPointer(value)))
		return MAXALIGN(EOH_get_flat_size(DatumGetEOHP(value)));
	return MAXALIGN(datumGetSize(value, false, type->attlen));
}

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

void
RowsKeep(JoinRows *rows, int32 number, int64 ordinal, const TupleTableSlot *scan)
{
	const KeptColumns *kept = rows->kept;
	JoinRow *row = PackedTake(&rows->packed, RowBytes(kept, scan));
	char *place = (char *) row + HeadBytes(kept);
	JoinRow **chain;

	if (rows->packed.team == NULL)
		row->ordinal.number = ordinal;
	else
		row->ordinal.shared = rows->packed.pointer;
	for (int i = 0; i < kept->count; i++)
	{
		Datum value = scan->tts_values[kept->column[i].column - 1];
		bool isnull = scan->tts_isnull[kept->column[i].column - 1];
		Size bytes = RowValueBytes(kept->column[i].type, value, isnull);

		row->values[i] = bytes == 0 ? value : (Datum) (place - (char *) row);
		if (bytes > 0)
		{
			if (kept->column[i].type->attlen == -1 &&
				VARATT_IS_EXTERNAL_EXPANDED(DatumGetPointer(value)))
				EOH_flatten_into(DatumGetEOHP(value), place,
								 EOH_get_flat_size(DatumGetEOHP(value)));
			else
				memcpy(place, DatumGetPointer(value),
					   datumGetSize(value, false, kept->column[i].type->attlen));
		}
		RowNulls(row, kept)[i] = isnull;
		place += bytes;
	}
	if (number == rows->count)
	{
		if (rows->first == NULL)
		{
			rows->capacity = 64;
			rows->first =
				MemoryContextAlloc(rows->context, sizeof(JoinRow *) * (Size) rows->capacity);
		}
		else if (rows->count == rows->capacity)
		{
			rows->capacity += rows->capacity / 4;
			rows->first = repalloc_huge(rows->first, sizeof(JoinRow *) * (Size) rows->capacity);
		}
		rows->first[rows->count++] = NULL;
	}
	chain = number == NO_DOCUMENT ? &rows->without_document : &rows->first[number];
	row->next.row = *chain;
	*chain = row;
	rows->kept_rows++;
}

JoinRowIterator
RowsIterate(const JoinRows *rows)
{
	return (JoinRowIterator){.rows = rows, .next = rows->without_document};
}

JoinRow *
RowsNext(JoinRowIterator *iterator)
{
	JoinRow *row;

	while (iterator->next == NULL && iterator->rows != NULL &&
		   iterator->number < iterator->rows->count)
		iterator->next = iterator->rows->first[iterator->number++];
	row = iterator->next;
	if (row != NULL)
		iterator->next = row->next.row;
	else
		iterator->rows = NULL; /* the set may get other rows */
	return row;
}

void
RowsForget(JoinRows *rows)
{
	MemoryContextReset(rows->context);
	rows->packed = (PackedMemory){.context = rows->context};
	rows->first = NULL;
	rows->shared_first = NULL;
	rows->without_document = NULL;
	rows->count = rows->capacity = 0;
	rows->kept_rows = 0;
}

void
RowsReserveShared(Team *team, int32 documents)
{
	Size bytes = sizeof(pg_atomic_uint64) * (Size) documents;
	pg_atomic_uint64 *first = TeamPublish(team, TEAM_ROWS, 0, bytes);

	for (int32 document = 0; document < documents; document++)
		pg_atomic_init_u64(&first[document], InvalidDsaPointer);
}

void
RowsShare(const JoinRows *rows, const int32 *numbers)
{
	pg_atomic_uint64 *first = TeamFind(rows->packed.team, TEAM_ROWS, 0);

	for (int32 number = 0; number < rows->count; number++)
	{
		JoinRow *row = rows->first[number];
		dsa_pointer own = row->ordinal.shared;
		uint64 others;

		CHECK_FOR_INTERRUPTS();
		for (JoinRow *next = row->next.row; next != NULL; next = row->next.row)
		{
			row->next.shared = next->ordinal.shared;
			row = next;
		}
		others = pg_atomic_read_u64(&first[numbers[number]]);
		do
			row->next.shared = others;
		while (!pg_atomic_compare_exchange_u64(&first[numbers[number]], &others, own));
	}
}

void
RowsTakeAll(JoinRows *rows, int32 documents, int64 kept_rows)
{
	rows->shared_first = TeamFind(rows->packed.team, TEAM_ROWS, 0);
	rows->count = documents;
	rows->kept_rows = kept_rows;
}
