/*
 * sorted_rows.c
 *	  Rows of TedNearest sorted by their groups, in memory or, if there are many, in files.
 */
#include "postgres.h"

#include "catalog/pg_operator_d.h"
#include "catalog/pg_type.h"
#include "executor/executor.h"
#include "utils/memutils.h"
#include "utils/tuplesort.h"

#include "../../compat.h"
#include "sorted_rows.h"

/* Attributes of a sorted row before its columns. */
enum
{
	SORTED_PLACE, /* its group and size in one number */
	SORTED_HASH,
	SORTED_DOCUMENT,
	SORTED_COLUMNS
};

struct SortedRows
{
	MemoryContext context;
	TupleTableSlot *sorted;
	TupleTableSlot *columns;
	Tuplesortstate *sort;
	const bool *wanted;
	int document;
};

/* Makes an empty sort. */
SortedRows *
SortedRowsCreate(TupleDesc type, const bool *wanted, Oid document_type, int document, Size memory)
{
	MemoryContext context =
		AllocSetContextCreate(CurrentMemoryContext, "ted sorted rows", ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(context);
	SortedRows *rows = palloc0_object(SortedRows);
	TupleDesc sorted = CreateTemplateTupleDesc(SORTED_COLUMNS + type->natts);
	AttrNumber attributes[] = {SORTED_PLACE + 1, SORTED_HASH + 1};
	Oid less[] = {Int8LessOperator, Int4LessOperator};
	Oid collations[] = {InvalidOid, InvalidOid};
	bool nulls_first[] = {false, false};

	TupleDescInitEntry(sorted, SORTED_PLACE + 1, "place", INT8OID, -1, 0);
	TupleDescInitEntry(sorted, SORTED_HASH + 1, "hash", INT4OID, -1, 0);
	TupleDescInitEntry(sorted, SORTED_DOCUMENT + 1, "document", document_type, -1, 0);
	for (int i = 0; i < type->natts; i++)
		TupleDescCopyEntry(sorted, SORTED_COLUMNS + i + 1, type, i + 1);
	TupleDescFinalize(sorted);
	rows->context = context;
	rows->sorted = MakeSingleTupleTableSlot(sorted, &TTSOpsMinimalTuple);
	rows->columns = MakeSingleTupleTableSlot(type, &TTSOpsVirtual);
	rows->wanted = wanted;
	rows->document = document;
	rows->sort =
		tuplesort_begin_heap(sorted, lengthof(attributes), attributes, less, collations,
							 nulls_first, (int) Max(memory / 1024, 64), NULL, TUPLESORT_NONE);
	MemoryContextSwitchTo(caller);
	return rows;
}

/* Adds a row.  A document that is a column is stored once. */
void
SortedRowsAdd(SortedRows *rows, const SortedRow *row, TupleTableSlot *columns)
{
	TupleTableSlot *sorted = rows->sorted;
	uint32 size = row->has_document ? (uint32) row->size : PG_UINT32_MAX;

	ExecClearTuple(sorted);
	sorted->tts_values[SORTED_PLACE] = Int64GetDatum(row->group * (INT64CONST(1) << 32) + size);
	sorted->tts_values[SORTED_HASH] = Int32GetDatum(row->hash);
	sorted->tts_values[SORTED_DOCUMENT] = row->document;
	sorted->tts_isnull[SORTED_PLACE] = sorted->tts_isnull[SORTED_HASH] = false;
	sorted->tts_isnull[SORTED_DOCUMENT] = !row->has_document;
	for (int i = 0; i < columns->tts_tupleDescriptor->natts; i++)
	{
		sorted->tts_values[SORTED_COLUMNS + i] = columns->tts_values[i];
		sorted->tts_isnull[SORTED_COLUMNS + i] =
			columns->tts_isnull[i] || !rows->wanted[i] || i == rows->document;
	}
	ExecStoreVirtualTuple(sorted);
	tuplesort_puttupleslot(rows->sort, sorted);
}

/* Sorts the rows. */
void
SortedRowsSort(SortedRows *rows)
{
	tuplesort_performsort(rows->sort);
}

/* Reads the next row; returns NULL at the end. */
TupleTableSlot *
SortedRowsNext(SortedRows *rows, SortedRow *row)
{
	TupleTableSlot *sorted = rows->sorted;
	TupleTableSlot *columns = rows->columns;
	int64 place;

	ExecClearTuple(columns);
	if (!tuplesort_gettupleslot(rows->sort, true, false, sorted, NULL))
		return NULL;
	slot_getallattrs(sorted);
	place = DatumGetInt64(sorted->tts_values[SORTED_PLACE]);
	*row = (SortedRow){.group = (int32) (place >> 32),
					   .size = (int32) (place & PG_INT32_MAX),
					   .hash = DatumGetInt32(sorted->tts_values[SORTED_HASH]),
					   .has_document = !sorted->tts_isnull[SORTED_DOCUMENT],
					   .document = sorted->tts_values[SORTED_DOCUMENT]};
	for (int i = 0; i < columns->tts_tupleDescriptor->natts; i++)
	{
		int from = i == rows->document ? SORTED_DOCUMENT : SORTED_COLUMNS + i;

		columns->tts_values[i] = sorted->tts_values[from];
		columns->tts_isnull[i] = sorted->tts_isnull[from];
	}
	return ExecStoreVirtualTuple(columns);
}

/* Frees the rows. */
void
SortedRowsFree(SortedRows *rows)
{
	ExecDropSingleTupleTableSlot(rows->sorted);
	ExecDropSingleTupleTableSlot(rows->columns);
	tuplesort_end(rows->sort);
	MemoryContextDelete(rows->context);
}
