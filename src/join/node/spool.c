/*
 * spool.c
 *	  Rows of a TedJoin that do not fit in memory, sorted by the sizes of their documents.
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
#include "spool.h"

/* Attributes of a spooled row before its columns. */
enum
{
	SPOOL_GROUP,
	SPOOL_SIZE,
	SPOOL_ORDINAL,
	SPOOL_DOCUMENT,
	SPOOL_KEY,
	SPOOL_COLUMNS
};

struct RowSpool
{
	MemoryContext context;
	TupleTableSlot *slot;
	Tuplesortstate *sort; /* NULL while empty */
	int64 rows;
	const DocumentKind *kind;
	bool grouped;
	PairFilter *filter; /* NULL for none */
	int count;
	AttrNumber columns[FLEXIBLE_ARRAY_MEMBER]; /* column numbers in the scan tuple */
};

/* Makes an empty spool. */
RowSpool *
SpoolCreate(TupleDesc scan, const AttrNumber *columns, int count, const DocumentKind *kind,
			bool grouped, PairFilter *filter)
{
	MemoryContext context =
		AllocSetContextCreate(CurrentMemoryContext, "ted spool", ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(context);
	RowSpool *spool = palloc0(offsetof(RowSpool, columns) + sizeof(AttrNumber) * (Size) count);
	TupleDesc type = CreateTemplateTupleDesc(SPOOL_COLUMNS + count);

	TupleDescInitEntry(type, SPOOL_GROUP + 1, "group", INT4OID, -1, 0);
	TupleDescInitEntry(type, SPOOL_SIZE + 1, "size", INT4OID, -1, 0);
	TupleDescInitEntry(type, SPOOL_ORDINAL + 1, "ordinal", INT8OID, -1, 0);
	/* or a type that is stored like bytea */
	TupleDescInitEntry(type, SPOOL_DOCUMENT + 1, "document", BYTEAOID, -1, 0);
	TupleDescInitEntry(type, SPOOL_KEY + 1, "key", BYTEAOID, -1, 0);
	for (int i = 0; i < count; i++)
		TupleDescCopyEntry(type, SPOOL_COLUMNS + i + 1, scan, columns[i]);
	TupleDescFinalize(type);
	spool->context = context;
	spool->slot = MakeSingleTupleTableSlot(type, &TTSOpsMinimalTuple);
	spool->kind = kind;
	spool->grouped = grouped;
	spool->filter = filter;
	spool->count = count;
	memcpy(spool->columns, columns, sizeof(AttrNumber) * (Size) count);
	MemoryContextSwitchTo(caller);
	return spool;
}

/* Starts the sort. */
static void
BeginSort(RowSpool *spool)
{
	MemoryContext caller = MemoryContextSwitchTo(spool->context);
	AttrNumber attributes[] = {SPOOL_GROUP + 1, SPOOL_SIZE + 1, SPOOL_ORDINAL + 1};
	Oid less[] = {Int4LessOperator, Int4LessOperator, Int8LessOperator};
	Oid collations[] = {InvalidOid, InvalidOid, InvalidOid};
	bool nulls_first[] = {false, false, false};
	int first = spool->grouped ? 0 : 1;

	spool->sort =
		tuplesort_begin_heap(spool->slot->tts_tupleDescriptor, lengthof(attributes) - first,
							 attributes + first, less + first, collations, nulls_first,
							 SortMemory(JOIN_DOCUMENTS_MEMORY), NULL, TUPLESORT_RANDOMACCESS);
	MemoryContextSwitchTo(caller);
}

/* Adds the document's rarest nodes, which the filter needs, to the values of the slot. */
static void
AddFilterValues(RowSpool *spool)
{
	TupleTableSlot *slot = spool->slot;
	bytea *nodes;

	if (spool->filter == NULL || slot->tts_isnull[SPOOL_DOCUMENT])
		return;
	nodes =
		PairFilterNodes(spool->filter, slot->tts_values[SPOOL_DOCUMENT],
						DocumentSizeKey(spool->kind, DatumGetInt32(slot->tts_values[SPOOL_SIZE])));
	slot->tts_values[SPOOL_KEY] = PointerGetDatum(nodes);
	slot->tts_isnull[SPOOL_KEY] = nodes == NULL;
}

/* Fills the values of the slot from a row. */
static void
FillSlot(RowSpool *spool, const SpooledRow *row, TupleTableSlot *scan)
{
	TupleTableSlot *slot = spool->slot;

	ExecClearTuple(slot);
	slot->tts_values[SPOOL_GROUP] = Int32GetDatum(row->group);
	slot->tts_values[SPOOL_SIZE] = Int32GetDatum(DocumentSizeKey(spool->kind, row->size));
	slot->tts_values[SPOOL_ORDINAL] = Int64GetDatum(row->ordinal);
	slot->tts_values[SPOOL_DOCUMENT] = row->document;
	slot->tts_isnull[SPOOL_GROUP] = slot->tts_isnull[SPOOL_SIZE] =
		slot->tts_isnull[SPOOL_DOCUMENT] = !row->has_document;
	slot->tts_isnull[SPOOL_ORDINAL] = false;
	slot->tts_values[SPOOL_KEY] = PointerGetDatum(row->key);
	slot->tts_isnull[SPOOL_KEY] = row->key == NULL;
	for (int i = 0; i < spool->count; i++)
	{
		slot->tts_values[SPOOL_COLUMNS + i] = scan->tts_values[spool->columns[i] - 1];
		slot->tts_isnull[SPOOL_COLUMNS + i] = scan->tts_isnull[spool->columns[i] - 1];
	}
}

/* Adds a row to the spool. */
void
SpoolAdd(RowSpool *spool, const SpooledRow *row, TupleTableSlot *scan)
{
	if (spool->sort == NULL)
		BeginSort(spool);
	FillSlot(spool, row, scan);
	AddFilterValues(spool);
	ExecStoreVirtualTuple(spool->slot);
	tuplesort_puttupleslot(spool->sort, spool->slot);
	spool->rows++;
}

/* Forms a row as a tuple without filter values: other processes have other filters. */
MinimalTuple
SpoolForm(RowSpool *spool, const SpooledRow *row, TupleTableSlot *scan)
{
	FillSlot(spool, row, scan);
	ExecStoreVirtualTuple(spool->slot);
	return ExecCopySlotMinimalTuple(spool->slot);
}

/* Adds a row that SpoolForm() has formed, maybe in another process. */
void
SpoolAddFormed(RowSpool *spool, MinimalTuple tuple)
{
	if (spool->sort == NULL)
		BeginSort(spool);
	ExecStoreMinimalTuple(tuple, spool->slot, false);
	if (spool->filter != NULL)
	{
		slot_getallattrs(spool->slot);
		ExecClearTuple(spool->slot); /* the values stay valid */
		AddFilterValues(spool);
		ExecStoreVirtualTuple(spool->slot);
	}
	tuplesort_puttupleslot(spool->sort, spool->slot);
	spool->rows++;
}

/* Returns the number of rows. */
int64
SpoolRows(const RowSpool *spool)
{
	return spool->rows;
}

/* Returns the bytes of the spool in memory. */
Size
SpoolMemory(const RowSpool *spool)
{
	return MemoryContextMemAllocated(spool->context, true);
}

/* Returns the bytes of the sorted rows on disk. */
int64
SpoolDiskBytes(const RowSpool *spool)
{
	TuplesortInstrumentation stats;

	if (spool->sort == NULL)
		return 0;
	tuplesort_get_stats(spool->sort, &stats);
	return stats.spaceType == SORT_SPACE_TYPE_DISK ? (int64) stats.spaceUsed * 1024 : 0;
}

/* Sorts the rows, and marks the first one: tuplesort itself marks the first block of its file. */
void
SpoolSort(RowSpool *spool)
{
	if (spool->sort == NULL)
		return;
	tuplesort_performsort(spool->sort);
	tuplesort_markpos(spool->sort);
}

/* Reads the row in the slot, also into the scan tuple. */
static void
ReadSlot(RowSpool *spool, SpooledRow *row, TupleTableSlot *scan)
{
	TupleTableSlot *slot = spool->slot;

	slot_getallattrs(slot);
	row->ordinal = DatumGetInt64(slot->tts_values[SPOOL_ORDINAL]);
	row->has_document = !slot->tts_isnull[SPOOL_DOCUMENT];
	row->group = row->has_document ? DatumGetInt32(slot->tts_values[SPOOL_GROUP]) : 0;
	row->size = row->has_document
					? DocumentSizeKey(spool->kind, DatumGetInt32(slot->tts_values[SPOOL_SIZE]))
					: 0;
	row->document = slot->tts_values[SPOOL_DOCUMENT];
	row->key = slot->tts_isnull[SPOOL_KEY]
				   ? NULL
				   : (const bytea *) DatumGetPointer(slot->tts_values[SPOOL_KEY]);
	ExecClearTuple(scan);
	for (int i = 0; i < spool->count; i++)
	{
		scan->tts_values[spool->columns[i] - 1] = slot->tts_values[SPOOL_COLUMNS + i];
		scan->tts_isnull[spool->columns[i] - 1] = slot->tts_isnull[SPOOL_COLUMNS + i];
	}
	ExecStoreVirtualTuple(scan);
}

/* Reads a row that SpoolForm() has formed. */
void
SpoolRead(RowSpool *spool, MinimalTuple tuple, SpooledRow *row, TupleTableSlot *scan)
{
	ExecStoreMinimalTuple(tuple, spool->slot, false);
	ReadSlot(spool, row, scan);
}

/* Reads the next row; returns false at the end. */
bool
SpoolNext(RowSpool *spool, SpooledRow *row, TupleTableSlot *scan)
{
	if (spool->sort == NULL || !tuplesort_gettupleslot(spool->sort, true, false, spool->slot, NULL))
		return false;
	ReadSlot(spool, row, scan);
	return true;
}

/* Marks the current position. */
void
SpoolMark(RowSpool *spool)
{
	if (spool->sort != NULL)
		tuplesort_markpos(spool->sort);
}

/* Returns to the marked position. */
void
SpoolReturn(RowSpool *spool)
{
	if (spool->sort != NULL)
		tuplesort_restorepos(spool->sort);
}

/* Returns to the first row, and marks it. */
void
SpoolRewind(RowSpool *spool)
{
	if (spool->sort == NULL)
		return;
	tuplesort_rescan(spool->sort);
	tuplesort_markpos(spool->sort);
}

/* Frees the spool, with its files. */
void
SpoolFree(RowSpool *spool)
{
	ExecDropSingleTupleTableSlot(spool->slot);
	if (spool->sort != NULL)
		tuplesort_end(spool->sort);
	MemoryContextDelete(spool->context);
}
