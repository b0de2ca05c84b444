/*
 * row_spool.c
 *	  Rows of a join outside of memory: their form as tuples, and spools that sort them.
 */
#include "postgres.h"

#include "catalog/pg_operator_d.h"
#include "catalog/pg_type.h"
#include "executor/executor.h"
#include "utils/memutils.h"
#include "utils/tuplesort.h"

#include "../../compat.h"
#include "../search/join_memory.h"
#include "../search/search.h"
#include "row_spool.h"

/* Attributes of a row's tuple before its columns. */
enum
{
	ROW_GROUP,
	ROW_SIZE,
	ROW_ORDINAL,
	ROW_DOCUMENT,
	ROW_CELLS,
	ROW_COLUMNS
};

struct RowForm
{
	const DocumentKind *kind;
	TupleTableSlot *slot;
	int count;
	AttrNumber columns[FLEXIBLE_ARRAY_MEMBER]; /* column numbers in the scan tuple */
};

RowForm *
RowFormCreate(const DocumentKind *kind, TupleDesc scan, const AttrNumber *columns, int count)
{
	RowForm *form = palloc0(offsetof(RowForm, columns) + sizeof(AttrNumber) * (Size) count);
	TupleDesc type = CreateTemplateTupleDesc(ROW_COLUMNS + count);

	TupleDescInitEntry(type, ROW_GROUP + 1, "group", INT4OID, -1, 0);
	TupleDescInitEntry(type, ROW_SIZE + 1, "size", INT4OID, -1, 0);
	TupleDescInitEntry(type, ROW_ORDINAL + 1, "ordinal", INT8OID, -1, 0);
	/* stands for all types of documents, of which arrays need the widest alignment */
	TupleDescInitEntry(type, ROW_DOCUMENT + 1, "document", FLOAT8ARRAYOID, -1, 0);
	TupleDescInitEntry(type, ROW_CELLS + 1, "cells", BYTEAOID, -1, 0);
	for (int i = 0; i < count; i++)
	{
		form->columns[i] = columns[i];
		TupleDescCopyEntry(type, ROW_COLUMNS + i + 1, scan, columns[i]);
	}
	TupleDescFinalize(type);
	form->kind = kind;
	form->slot = MakeSingleTupleTableSlot(type, &TTSOpsMinimalTuple);
	form->count = count;
	return form;
}

/* Fills the slot of a form from a row; `cells` is room for a value. */
static void
FillSlot(RowForm *form, const JoinedRow *row, TupleTableSlot *scan, char *cells)
{
	TupleTableSlot *slot = form->slot;
	Datum *values = slot->tts_values;
	bool *nulls = slot->tts_isnull;

	ExecClearTuple(slot);
	values[ROW_GROUP] = Int32GetDatum(row->group);
	values[ROW_SIZE] = Int32GetDatum(DocumentSizeKey(form->kind, row->size));
	values[ROW_ORDINAL] = Int64GetDatum(row->ordinal);
	values[ROW_DOCUMENT] = row->document;
	nulls[ROW_GROUP] = nulls[ROW_SIZE] = nulls[ROW_DOCUMENT] = !row->has_document;
	nulls[ROW_ORDINAL] = false;
	SET_VARSIZE(cells, VARHDRSZ + sizeof(CellSet));
	memcpy(VARDATA(cells), &row->cells, sizeof(CellSet));
	values[ROW_CELLS] = PointerGetDatum(cells);
	nulls[ROW_CELLS] = CellSetIsEmpty(&row->cells);
	for (int i = 0; i < form->count; i++)
	{
		values[ROW_COLUMNS + i] = scan->tts_values[form->columns[i] - 1];
		nulls[ROW_COLUMNS + i] = scan->tts_isnull[form->columns[i] - 1];
	}
	ExecStoreVirtualTuple(slot);
}

/* Room for the value of a set of cells. */
typedef union CellSetValue
{
	int32 aligned;
	char bytes[VARHDRSZ + sizeof(CellSet)];
} CellSetValue;

MinimalTuple
MakeRowTuple(RowForm *form, const JoinedRow *row, TupleTableSlot *scan)
{
	CellSetValue cells;

	FillSlot(form, row, scan, cells.bytes);
	return ExecCopySlotMinimalTuple(form->slot);
}

/* Reads the row in the slot of a form, also into the scan tuple. */
static void
ReadSlot(RowForm *form, JoinedRow *row, TupleTableSlot *scan)
{
	TupleTableSlot *slot = form->slot;
	const Datum *values = slot->tts_values;
	const bool *nulls = slot->tts_isnull;

	slot_getallattrs(slot);
	*row = (JoinedRow){
		.ordinal = DatumGetInt64(values[ROW_ORDINAL]),
		.has_document = !nulls[ROW_DOCUMENT],
		.group = nulls[ROW_GROUP] ? 0 : DatumGetInt32(values[ROW_GROUP]),
		.size = nulls[ROW_SIZE] ? 0 : DocumentSizeKey(form->kind, DatumGetInt32(values[ROW_SIZE])),
		.document = values[ROW_DOCUMENT]};
	if (!nulls[ROW_CELLS])
		memcpy(&row->cells, VARDATA_ANY(DatumGetPointer(values[ROW_CELLS])), sizeof(CellSet));
	ExecClearTuple(scan);
	for (int i = 0; i < form->count; i++)
	{
		scan->tts_values[form->columns[i] - 1] = values[ROW_COLUMNS + i];
		scan->tts_isnull[form->columns[i] - 1] = nulls[ROW_COLUMNS + i];
	}
	ExecStoreVirtualTuple(scan);
}

void
ReadRowTuple(RowForm *form, MinimalTuple tuple, JoinedRow *row, TupleTableSlot *scan)
{
	ExecStoreMinimalTuple(tuple, form->slot, false);
	ReadSlot(form, row, scan);
}

void
PutRow(Tuplestorestate *store, RowForm *form, const JoinedRow *row, TupleTableSlot *scan)
{
	CellSetValue cells;

	FillSlot(form, row, scan, cells.bytes);
	tuplestore_puttupleslot(store, form->slot);
}

bool
NextRow(Tuplestorestate *store, RowForm *form, JoinedRow *row, TupleTableSlot *scan)
{
	if (!tuplestore_gettupleslot(store, true, false, form->slot))
		return false;
	ReadSlot(form, row, scan);
	return true;
}

RowSpool *
SpoolCreate(RowForm *form, bool grouped)
{
	MemoryContext context =
		AllocSetContextCreate(CurrentMemoryContext, "ted spool", ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(context);
	RowSpool *spool = palloc0_object(RowSpool);
	AttrNumber attributes[] = {ROW_GROUP + 1, ROW_SIZE + 1, ROW_ORDINAL + 1};
	Oid less[] = {Int4LessOperator, Int4LessOperator, Int8LessOperator};
	Oid collations[] = {InvalidOid, InvalidOid, InvalidOid};
	bool nulls_first[] = {false, false, false};
	int first = grouped ? 0 : 1;

	spool->context = context;
	spool->form = form;
	spool->sort =
		tuplesort_begin_heap(form->slot->tts_tupleDescriptor, lengthof(attributes) - first,
							 attributes + first, less + first, collations, nulls_first,
							 SortMemory(JOIN_DOCUMENTS_MEMORY), NULL, TUPLESORT_RANDOMACCESS);
	MemoryContextSwitchTo(caller);
	return spool;
}

void
SpoolAdd(RowSpool *spool, const JoinedRow *row, TupleTableSlot *scan)
{
	CellSetValue cells;

	FillSlot(spool->form, row, scan, cells.bytes);
	tuplesort_puttupleslot(spool->sort, spool->form->slot);
	spool->rows++;
}

int64
SpoolSort(RowSpool *spool)
{
	TuplesortInstrumentation stats;

	tuplesort_performsort(spool->sort);
	tuplesort_markpos(spool->sort);
	tuplesort_get_stats(spool->sort, &stats);
	return stats.spaceType == SORT_SPACE_TYPE_DISK ? (int64) stats.spaceUsed * 1024 : 0;
}

bool
SpoolNext(RowSpool *spool, JoinedRow *row, TupleTableSlot *scan)
{
	if (!tuplesort_gettupleslot(spool->sort, true, false, spool->form->slot, NULL))
		return false;
	ReadSlot(spool->form, row, scan);
	return true;
}

void
SpoolMark(RowSpool *spool)
{
	tuplesort_markpos(spool->sort);
}

void
SpoolReturn(RowSpool *spool)
{
	tuplesort_restorepos(spool->sort);
}

void
SpoolRewind(RowSpool *spool)
{
	tuplesort_rescan(spool->sort);
	tuplesort_markpos(spool->sort);
}

void
SpoolFree(RowSpool *spool)
{
	tuplesort_end(spool->sort);
	MemoryContextDelete(spool->context);
}
