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
	SORTED_PLACE, /* its group, size and hash in one number, as far as they fit */
	SORTED_ORDER, /* its size and hash */
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

SortedRows *
SortedRowsCreate(TupleDesc type, const bool *wanted, Oid document_type, int document, Size memory)
{
	MemoryContext context =
		AllocSetContextCreate(CurrentMemoryContext, "ted sorted rows", ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(context);
	SortedRows *rows = palloc0_object(SortedRows);
	TupleDesc sorted = CreateTemplateTupleDesc(SORTED_COLUMNS + type->natts);
	AttrNumber attributes[] = {SORTED_PLACE + 1, SORTED_ORDER + 1};
	Oid less[] = {Int8LessOperator, Int8LessOperator};
	Oid collations[] = {InvalidOid, InvalidOid};
	bool nulls_first[] = {false, false};

	TupleDescInitEntry(sorted, SORTED_PLACE + 1, "place", INT8OID, -1, 0);
	TupleDescInitEntry(sorted, SORTED_ORDER + 1, "order", INT8OID, -1, 0);
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

/* In place of a size, in the lower half of a place. */
#define GREATEST_SIZE PG_UINT16_MAX

/* Adds a row.  A document that is a column is stored once. */
void
SortedRowsAdd(SortedRows *rows, const SortedRow *row, TupleTableSlot *columns)
{
	TupleTableSlot *sorted = rows->sorted;
	uint32 place;

	ExecClearTuple(sorted);

	/* sizes and hashes have 16 bits there; those of greater sizes, only their order */
	place = PG_UINT32_MAX;
	if (row->has_document && row->size < GREATEST_SIZE)
		place = (uint32) row->size << 16 | ((uint32) row->hash & PG_UINT16_MAX);
	else if (row->has_document)
		place = (uint32) GREATEST_SIZE << 16;
	sorted->tts_values[SORTED_PLACE] = Int64GetDatum(row->group * (INT64CONST(1) << 32) + place);
	sorted->tts_values[SORTED_ORDER] =
		Int64GetDatum(row->size * (INT64CONST(1) << 32) + (uint32) row->hash);
	sorted->tts_values[SORTED_DOCUMENT] = row->document;
	sorted->tts_isnull[SORTED_PLACE] = sorted->tts_isnull[SORTED_ORDER] = false;
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

void
SortedRowsSort(SortedRows *rows)
{
	tuplesort_performsort(rows->sort);
}

TupleTableSlot *
SortedRowsNext(SortedRows *rows, SortedRow *row)
{
	TupleTableSlot *sorted = rows->sorted;
	TupleTableSlot *columns = rows->columns;

	ExecClearTuple(columns);
	if (!tuplesort_gettupleslot(rows->sort, true, false, sorted, NULL))
		return NULL;
	slot_getallattrs(sorted);
	*row = (SortedRow){.group = (int32) (DatumGetInt64(sorted->tts_values[SORTED_PLACE]) >> 32),
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

void
SortedRowsFree(SortedRows *rows)
{
	ExecDropSingleTupleTableSlot(rows->sorted);
	ExecDropSingleTupleTableSlot(rows->columns);
	tuplesort_end(rows->sort);
	MemoryContextDelete(rows->context);
}
