/*
 * documents.c
 *	  The documents of a join by an aggregate, a window function or a server: added one by one, and
 *	  on disk if there are many.
 */
#include "postgres.h"

#include "catalog/pg_operator_d.h"
#include "catalog/pg_type.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/float.h"

#include "../../common/host.h"
#include "../../common/messages.h"
#include "../../compat.h"
#include "../search/join_memory.h"
#include "../search/search.h"
#include "documents.h"

JoinDocuments *
DocumentsCreate(const JoinKind *kind)
{
	JoinDocuments *documents = palloc0_object(JoinDocuments);
	TupleDesc none = CreateTemplateTupleDesc(0);

	TupleDescFinalize(none);
	documents->kind = kind;
	documents->context = CurrentMemoryContext;
	documents->form = RowFormCreate(DocumentKindOf(kind->documents), none, NULL, 0);
	documents->scan = MakeSingleTupleTableSlot(none, &TTSOpsVirtual);
	documents->empty = true;
	return documents;
}

bool
DocumentsSideExists(char side)
{
	return side == 'l' || side == 'r' || side == 'o';
}

/*
 * Raises an error unless all documents have the same threshold and model, and all or none a side.
 */
static void
CheckSame(JoinDocuments *documents, char side, double threshold, const text *costs)
{
	const text *first;

	if (documents->empty)
	{
		documents->empty = false;
		documents->self = side == 0;
		documents->threshold = threshold;
		if (costs != NULL)
			documents->costs = memcpy(MemoryContextAlloc(documents->context, VARSIZE_ANY(costs)),
									  costs, VARSIZE_ANY(costs));
	}
	if (documents->self != (side == 0))
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("invalid state of a similarity join"),
						errdetail("Some rows of the state have a side, others have none."),
						errhint("Use the aggregate %s().", documents->kind->aggregate)));
	if (float8_ne(threshold, documents->threshold))
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("%s of a similarity join varies", documents->kind->threshold),
						ValueDetail("It is not the same for all documents.",
									"It is %s for one document and %s for another.",
									float8out_internal(documents->threshold),
									float8out_internal(threshold)),
						errhint("Use one %s, or GROUP BY it.", documents->kind->threshold)));
	first = documents->costs;
	if (costs != NULL &&
		(VARSIZE_ANY_EXHDR(costs) != VARSIZE_ANY_EXHDR(first) ||
		 memcmp(VARDATA_ANY(costs), VARDATA_ANY(first), VARSIZE_ANY_EXHDR(costs)) != 0))
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("model of costs of a similarity join varies"),
						ValueDetail("It is not the same for all documents.",
									"It is %s for one document and %s for another.",
									text_to_cstring(first), text_to_cstring(costs)),
						errhint("Use one model of costs, or GROUP BY it.")));
}

void
DocumentsAdd(JoinDocuments *documents, int64 id, char side, double threshold, const text *costs,
			 Datum doc, const CellSet *cells)
{
	JoinedRow row = {.ordinal = id,
					 .has_document = true,
					 .size = DocumentKindOf(documents->kind->documents)->size(doc),
					 .document = doc};
	DocumentsOfSide *to;

	CheckSame(documents, side, threshold, costs);
	if (side == 'r' || side == 'o')
	{
		if (documents->right != 0 && documents->right != side)
			ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
							errmsg("sides \"r\" and \"o\" in one similarity join"),
							errdetail("Side \"o\" is the right side, with pairs of its own."),
							errhint("Mark all documents of the right side in the same way.")));
		documents->right = side;
	}
	to = &documents->sides[side == 'l' ? JOIN_PROBES : JOIN_INDEXED];
	if (to->rows == NULL)
	{
		MemoryContext caller = MemoryContextSwitchTo(documents->context);

		to->rows = tuplestore_begin_heap(false, false, SortMemory(JOIN_DOCUMENTS_MEMORY));
		tuplestore_set_eflags(to->rows, EXEC_FLAG_REWIND);
		to->ids = tuplesort_begin_datum(INT8OID, Int8LessOperator, InvalidOid, false,
										SortMemory(JOIN_IDS_MEMORY), NULL, TUPLESORT_NONE);
		MemoryContextSwitchTo(caller);
	}
	if (cells != NULL)
		row.cells = *cells;
	PutRow(to->rows, documents->form, &row, documents->scan);
	tuplesort_putdatum(to->ids, Int64GetDatum(id), false);
	to->count++;
	to->bytes += IndexedBytes(documents->kind->documents, row.size);
}

void
DocumentsBegin(JoinDocuments *documents)
{
	for (int i = 0; i < 2; i++)
	{
		DocumentsOfSide *side = &documents->sides[i];

		if (side->ids != NULL)
		{
			Datum id;
			bool isnull;
			int64 before = 0;
			bool first = true;

			tuplesort_performsort(side->ids);
			while (SortedDatum(side->ids, &id, &isnull))
			{
				CHECK_FOR_INTERRUPTS();
				if (!first && DatumGetInt64(id) == before)
					ereport(ERROR,
							(errcode(ERRCODE_CARDINALITY_VIOLATION),
							 errmsg("duplicate id in a similarity join"),
							 ValueDetail("An id names one document of a side.",
										 "Id " INT64_FORMAT " names several documents of a side.",
										 before),
							 errhint("Use a unique column as the id.")));
				before = DatumGetInt64(id);
				first = false;
			}
			tuplesort_end(side->ids);
			side->ids = NULL;
		}
		if (side->rows != NULL)
			tuplestore_rescan(side->rows);
	}
}

bool
DocumentsNext(JoinDocuments *documents, DocumentsSide side, JoinedRow *row)
{
	return documents->sides[side].rows != NULL &&
		   NextRow(documents->sides[side].rows, documents->form, row, documents->scan);
}

void
DocumentsClose(JoinDocuments *documents)
{
	for (int i = 0; i < 2; i++)
	{
		if (documents->sides[i].rows != NULL)
			tuplestore_end(documents->sides[i].rows);
		if (documents->sides[i].ids != NULL)
			tuplesort_end(documents->sides[i].ids);
		documents->sides[i] = (DocumentsOfSide){0};
	}
}
