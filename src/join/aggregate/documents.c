/*
 * documents.c
 *	  The documents of a threshold join, sorted by size, on disk if there are many.
 */
#include "postgres.h"

#include "catalog/pg_operator_d.h"
#include "catalog/pg_type.h"
#include "executor/tuptable.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/float.h"
#include "utils/tuplesort.h"

#include "../../compat.h"
#include "../../common/host.h"
#include "../../common/messages.h"
#include "documents.h"
#include "../search/join_memory.h"
#include "../search/search.h"

/* The least memory in bytes of a node in a block of documents. */
#define NODE_BYTES 40

/* Attributes of a sorted row. */
enum
{
	ROW_SIZE,
	ROW_ID,
	ROW_DOC,
	ROW_NODES,
	ROW_ATTRIBUTES
};

/* The documents of a side, and their ids, which are sorted to find duplicates. */
typedef struct SortedSide
{
	Tuplesortstate *documents; /* NULL if the side has no documents */
	Tuplesortstate *ids;       /* NULL after the check for duplicates */
	int64 count;
} SortedSide;

struct JoinDocuments
{
	const JoinKind *kind;
	MemoryContext context;
	TupleTableSlot *slot;
	bool empty;
	bool self;
	char right; /* side of the documents to be indexed: 'r' or 'o'; 0 if there are none */
	double threshold;
	text *costs; /* cost model, or NULL */
	SortedSide sides[2];
	double nodes;               /* nodes of all documents */
	PairFilter *filter;         /* NULL unless more documents than one block are expected */
	DocumentThreshold filtered; /* threshold of the filter */
	bool sorted;
};

/* Makes an empty set of documents. */
JoinDocuments *
DocumentsCreate(const JoinKind *kind)
{
	JoinDocuments *documents = palloc0_object(JoinDocuments);
	TupleDesc type = CreateTemplateTupleDesc(ROW_ATTRIBUTES);
	Oid stored = kind->documents == DOCUMENT_ARRAY ? FLOAT8ARRAYOID : BYTEAOID;

	TupleDescInitEntry(type, ROW_SIZE + 1, "size", INT4OID, -1, 0);
	TupleDescInitEntry(type, ROW_ID + 1, "id", INT8OID, -1, 0);
	TupleDescInitEntry(type, ROW_DOC + 1, "doc", stored, -1, 0); /* or float8[] */
	TupleDescInitEntry(type, ROW_NODES + 1, "nodes", BYTEAOID, -1, 0);
	TupleDescFinalize(type);
	documents->kind = kind;
	documents->context = CurrentMemoryContext;
	documents->slot = MakeSingleTupleTableSlot(type, &TTSOpsMinimalTuple);
	documents->empty = true;
	return documents;
}

/* Starts sorting the documents of a side. */
static void
OpenSide(JoinDocuments *documents, SortedSide *side)
{
	MemoryContext caller = MemoryContextSwitchTo(documents->context);
	AttrNumber attribute = ROW_SIZE + 1;
	Oid less = Int4LessOperator;
	Oid collation = InvalidOid;
	bool nulls_first = false;

	side->documents = tuplesort_begin_heap(
		documents->slot->tts_tupleDescriptor, 1, &attribute, &less, &collation, &nulls_first,
		SortMemory(JOIN_DOCUMENTS_MEMORY), NULL, TUPLESORT_RANDOMACCESS);
	side->ids = tuplesort_begin_datum(INT8OID, Int8LessOperator, InvalidOid, false,
									  SortMemory(JOIN_IDS_MEMORY), NULL, TUPLESORT_NONE);
	MemoryContextSwitchTo(caller);
}

/* Whether `side` is a valid side. */
bool
DocumentsSideExists(char side)
{
	return side == 'l' || side == 'r' || side == 'o';
}

/* Raises an error if documents of the right side have both 'r' and 'o'. */
static void
CheckRight(JoinDocuments *documents, char side)
{
	if (documents->right != 0 && documents->right != side)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("sides \"r\" and \"o\" in one similarity join"),
						errdetail("Side \"o\" is the right side, with pairs of its own."),
						errhint("Mark all documents of the right side in the same way.")));
	documents->right = side;
}

/* Raises an error unless the threshold is the same for all documents. */
static void
CheckSameDocumentThreshold(const JoinDocuments *documents, double threshold)
{
	if (float8_ne(threshold, documents->threshold))
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("%s of a similarity join varies", documents->kind->threshold),
						ValueDetail("It is not the same for all documents.",
									"It is %s for one document and %s for another.",
									float8out_internal(documents->threshold),
									float8out_internal(threshold)),
						errhint("Use one %s, or GROUP BY it.", documents->kind->threshold)));
}

/* Raises an error unless the cost model is the same for all documents. */
static void
CheckSameCosts(const JoinDocuments *documents, const text *costs)
{
	const text *first = documents->costs;

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

/*
 * Raises an error unless all documents have the same threshold and model, and all or none a side.
 */
static void
CheckSame(JoinDocuments *documents, char side, double threshold, const text *costs)
{
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
	CheckSameDocumentThreshold(documents, threshold);
	CheckSameCosts(documents, costs);
}

/* Returns the side for a document, after checking that the document fits the others. */
static SortedSide *
SideToAddTo(JoinDocuments *documents, char side, double threshold, const text *costs)
{
	CheckSame(documents, side, threshold, costs);
	if (side == 'r' || side == 'o')
		CheckRight(documents, side);
	return &documents->sides[side == 'l' ? JOIN_PROBES : JOIN_INDEXED];
}

/*
 * Returns the rarest nodes of a document for the filter, which is created on demand; NULL without
 * one.
 */
static bytea *
NodesToStore(JoinDocuments *documents, const DocumentKind *kind, Datum doc, int32 size)
{
	MemoryContext caller;

	documents->nodes += size;
	if (kind->list_nodes == NULL || documents->costs != NULL ||
		NODE_BYTES * documents->nodes < (double) JoinMemory(JOIN_BLOCK_MEMORY, 1))
		return NULL;
	if (documents->filter == NULL)
	{
		documents->filtered = documents->kind->make_threshold(documents->threshold, NULL);
		if (MatchesNothing(&documents->filtered))
			return NULL;
		caller = MemoryContextSwitchTo(documents->context);
		documents->filter =
			PairFilterCreate(kind, &documents->filtered, JoinMemory(JOIN_BLOCK_MEMORY, 1));
		MemoryContextSwitchTo(caller);
	}
	return PairFilterNodes(documents->filter, doc, size);
}

/* Adds a document to its side. */
void
DocumentsAdd(JoinDocuments *documents, int64 id, char side, double threshold, const text *costs,
			 Datum doc)
{
	SortedSide *to = SideToAddTo(documents, side, threshold, costs);
	TupleTableSlot *slot = documents->slot;
	const DocumentKind *kind = DocumentKindOf(documents->kind->documents);
	int32 size = kind->size(doc);
	bytea *nodes = NodesToStore(documents, kind, doc, size);

	if (to->documents == NULL)
		OpenSide(documents, to);
	ExecClearTuple(slot);
	slot->tts_values[ROW_SIZE] = Int32GetDatum(DocumentSizeKey(kind, size));
	slot->tts_values[ROW_ID] = Int64GetDatum(id);
	slot->tts_values[ROW_DOC] = doc;
	slot->tts_values[ROW_NODES] = PointerGetDatum(nodes);
	memset(slot->tts_isnull, false, ROW_ATTRIBUTES);
	slot->tts_isnull[ROW_NODES] = nodes == NULL;
	ExecStoreVirtualTuple(slot);
	tuplesort_puttupleslot(to->documents, slot);
	to->count++;
	tuplesort_putdatum(to->ids, Int64GetDatum(id), false);
}

/* Raises an error for an id that occurs twice on a side. */
static _Noreturn void
RefuseDuplicateId(int64 id)
{
	ereport(ERROR,
			(errcode(ERRCODE_CARDINALITY_VIOLATION), errmsg("duplicate id in a similarity join"),
			 ValueDetail("An id names one document of a side.",
						 "Id " INT64_FORMAT " names several documents of a side.", id),
			 errhint("Use a unique column as the id.")));
}

/* Raises an error if an id occurs twice on a side. */
static void
CheckUniqueSideIds(SortedSide *side)
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
			RefuseDuplicateId(before);
		before = DatumGetInt64(id);
		first = false;
	}
	tuplesort_end(side->ids);
	side->ids = NULL;
}

/*
 * Sorts the documents, or rewinds to the first ones, and marks these: tuplesort itself marks the
 * first block of its file, where the sorted documents need not begin.
 */
void
DocumentsSort(JoinDocuments *documents)
{
	for (int i = 0; i < 2; i++)
	{
		SortedSide *side = &documents->sides[i];

		if (side->documents == NULL)
			continue;
		if (documents->sorted)
			tuplesort_rescan(side->documents);
		else
		{
			CheckUniqueSideIds(side);
			tuplesort_performsort(side->documents);
		}
		tuplesort_markpos(side->documents);
	}
	documents->sorted = true;
}

/* Whether there is only one side. */
bool
DocumentsAreSelf(const JoinDocuments *documents)
{
	return documents->self;
}

/* Whether documents of the indexed side are compared with each other. */
bool
DocumentsArePaired(const JoinDocuments *documents)
{
	return documents->self || documents->right == 'o';
}

/* Returns the number of documents of a side. */
int64
DocumentsCount(const JoinDocuments *documents, DocumentsSide side)
{
	return documents->sides[side].count;
}

/* Returns the threshold. */
double
DocumentsThreshold(const JoinDocuments *documents)
{
	return documents->threshold;
}

/* Returns the cost model, or NULL. */
const text *
DocumentsCosts(const JoinDocuments *documents)
{
	return documents->costs;
}

/* Returns the filter of documents that are read for several blocks, or NULL. */
PairFilter *
DocumentsFilter(const JoinDocuments *documents)
{
	return documents->filter;
}

/* Reads the next document of a side; returns false at the end. */
bool
DocumentsNext(JoinDocuments *documents, DocumentsSide side, JoinDocument *document)
{
	TupleTableSlot *slot = documents->slot;

	if (documents->sides[side].documents == NULL ||
		!tuplesort_gettupleslot(documents->sides[side].documents, true, false, slot, NULL))
		return false;
	slot_getallattrs(slot);
	document->size = DocumentSizeKey(DocumentKindOf(documents->kind->documents),
									 DatumGetInt32(slot->tts_values[ROW_SIZE]));
	document->id = DatumGetInt64(slot->tts_values[ROW_ID]);
	document->doc = slot->tts_values[ROW_DOC];
	document->nodes = slot->tts_isnull[ROW_NODES]
						  ? NULL
						  : (const bytea *) DatumGetPointer(slot->tts_values[ROW_NODES]);
	return true;
}

/* Marks the current position in a side. */
void
DocumentsMark(JoinDocuments *documents, DocumentsSide side)
{
	if (documents->sides[side].documents != NULL)
		tuplesort_markpos(documents->sides[side].documents);
}

/* Returns to the marked position in a side. */
void
DocumentsReturn(JoinDocuments *documents, DocumentsSide side)
{
	if (documents->sides[side].documents != NULL)
		tuplesort_restorepos(documents->sides[side].documents);
}

/* Closes temporary files, and frees the filter. */
void
DocumentsClose(JoinDocuments *documents)
{
	ExecClearTuple(documents->slot);
	if (documents->filter != NULL)
		PairFilterFree(documents->filter);
	documents->filter = NULL;
	for (int i = 0; i < 2; i++)
	{
		if (documents->sides[i].documents != NULL)
			tuplesort_end(documents->sides[i].documents);
		if (documents->sides[i].ids != NULL)
			tuplesort_end(documents->sides[i].ids);
		documents->sides[i] = (SortedSide){0};
	}
}
