/*
 * cell.c
 *	  Cells of a join over several servers, whose documents travel as one value.
 *
 * A table of documents is packed like a cell (cell_bytes.h), once; cells are cut out of it
 * (cell_cut.c).
 */
#include "postgres.h"

#include "libpq/pqformat.h"
#include "miscadmin.h"
#include "utils/builtins.h"

#include "../common/host.h"
#include "../compat.h"
#include "../tree/tree.h"
#include "cell.h"
#include "cell_bytes.h"
#include "cell_matches.h"
#include "documents.h"
#include "search.h"

/* Name of the computation in errors about memory. */
#define PACKING "packing documents"

/* A document of a cell that is being packed. */
typedef struct PackedDocument
{
	int64 id;
	int32 size; /* of documents of its kind, what they are sorted by */
	int32 begin;
	int32 length;
	char side;
} PackedDocument;

/* Documents as they are packed, in an aggregate's state. */
typedef struct Packing
{
	DocumentType type;
	StringInfoData bytes; /* of one after the other */
	PackedDocument *documents;
	int32 count;
	int32 capacity;
	LabelTable *labels;
} Packing;

/* Orders documents by size; those of one size as they came. */
static inline int
CompareBySize(const PackedDocument *a, const PackedDocument *b)
{
	if (a->size != b->size)
		return (a->size > b->size) - (a->size < b->size);
	return (a->begin > b->begin) - (a->begin < b->begin);
}

/* Orders documents by side and id. */
static inline int
CompareById(const PackedDocument *a, const PackedDocument *b)
{
	if (a->side != b->side)
		return a->side - b->side;
	return (a->id > b->id) - (a->id < b->id);
}

#define ST_SORT SortBySize
#define ST_ELEMENT_TYPE PackedDocument
#define ST_COMPARE(a, b) CompareBySize(a, b)
#define ST_SCOPE static
#define ST_CHECK_FOR_INTERRUPTS
#define ST_DECLARE
#define ST_DEFINE
#include "lib/sort_template.h"

#define ST_SORT SortById
#define ST_ELEMENT_TYPE PackedDocument
#define ST_COMPARE(a, b) CompareById(a, b)
#define ST_SCOPE static
#define ST_CHECK_FOR_INTERRUPTS
#define ST_DECLARE
#define ST_DEFINE
#include "lib/sort_template.h"

/* Starts packing documents. */
static Packing *
MakePacking(MemoryContext context, DocumentType kind)
{
	MemoryContext caller = MemoryContextSwitchTo(context);
	Packing *packing = palloc_object(Packing);

	*packing = (Packing){.type = kind, .capacity = 64};
	packing->documents = palloc_array(PackedDocument, packing->capacity);
	initStringInfo(&packing->bytes);
	packing->labels = LabelTableCreate();
	LabelTableLimit(packing->labels, LabelTableContext(packing->labels), PACKING);
	MemoryContextSwitchTo(caller);
	return packing;
}

/* Packs a document. */
static void
PackDocument(Packing *packing, char side, int64 id, struct varlena *doc)
{
	const DocumentKind *kind = DocumentKindOf(packing->type);
	StringInfo bytes = &packing->bytes;
	int32 size;
	int begin = bytes->len;

	CheckDocumentsSize((Size) begin + VARSIZE_ANY_EXHDR(doc));
	if (packing->type == DOCUMENT_NUMBERED_TREE)
	{
		size = TreeSize(PointerGetDatum(doc));
		TreeAppendNumbered(bytes, doc, packing->labels);
	}
	else
	{
		size = kind->size(PointerGetDatum(doc));
		AppendNumber(bytes, (uint64) size);
		appendBinaryStringInfo(bytes, VARDATA_ANY(doc), (int) VARSIZE_ANY_EXHDR(doc));
	}
	if (packing->count == packing->capacity)
	{
		CheckMemoryLimit(2 * sizeof(PackedDocument) * (Size) packing->capacity, PACKING);
		packing->capacity *= 2;
		packing->documents =
			repalloc_huge(packing->documents, sizeof(PackedDocument) * (Size) packing->capacity);
	}
	packing->documents[packing->count++] = (PackedDocument){.id = id,
															.size = SizeKey(kind, size),
															.begin = begin,
															.length = bytes->len - begin,
															.side = side};
}

/* Adds a document to a cell, or nothing where it is NULL or has no side. */
Datum
CellTransition(FunctionCallInfo fcinfo, DocumentType kind)
{
	MemoryContext context;
	Packing *packing = PG_ARGISNULL(0) ? NULL : (Packing *) PG_GETARG_POINTER(0);

	if (!AggCheckCallContext(fcinfo, &context))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("support function of ted_pack_cell() called outside of an aggregate"),
				 errdetail("It keeps its state in the memory of an aggregate."),
				 errhint("Use the aggregate ted_pack_cell().")));
	if (packing == NULL)
		packing = MakePacking(context, kind);
	if (!PG_ARGISNULL(1) && !PG_ARGISNULL(2) && !PG_ARGISNULL(3))
		PackDocument(packing, PG_GETARG_CHAR(3), PG_GETARG_INT64(1), PG_GETARG_VARLENA_PP(2));
	PG_RETURN_POINTER(packing);
}

/* Refuses an id that occurs twice on a side, of documents that it sorts by that. */
static void
CheckUniqueIds(PackedDocument *documents, int32 count)
{
	SortById(documents, (size_t) count);
	for (int32 i = 1; i < count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (CompareById(&documents[i - 1], &documents[i]) == 0)
			RefuseDuplicateId(documents[i].id);
	}
}

PG_FUNCTION_INFO_V1(ted_pack_cell_finalfn);

/* The documents of a cell as one value. */
Datum
ted_pack_cell_finalfn(PG_FUNCTION_ARGS)
{
	Packing *packing;
	CellWriter cell;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	packing = (Packing *) PG_GETARG_POINTER(0);
	CheckUniqueIds(packing->documents, packing->count);
	SortBySize(packing->documents, (size_t) packing->count);
	CellBegin(&cell, packing->type, (uint32) LabelTableCount(packing->labels));
	for (int32 i = 0; i < packing->count; i++)
	{
		const PackedDocument *document = &packing->documents[i];

		CellAdd(&cell, document->side, document->id, packing->bytes.data + document->begin,
				document->length);
	}
	PG_RETURN_BYTEA_P(pq_endtypsend(&cell.bytes));
}

/* Reads a tree into memory that is used again. */
static Datum
ReadTree(const CellReader *cell, StringInfo tree)
{
	TreeCheckNumbered(cell->doc, cell->length, cell->labels);
	resetStringInfo(tree);
	appendStringInfoSpaces(tree, VARHDRSZ);
	appendBinaryStringInfo(tree, cell->doc, cell->length);
	SET_VARSIZE(tree->data, tree->len);
	return PointerGetDatum(tree->data);
}

/* Reads a text, in the client's encoding. */
static Datum
ReadText(const CellReader *cell)
{
	StringInfoData doc = CellDocument(cell);

	ReadLength(&doc);
	return DirectFunctionCall1(textrecv, PointerGetDatum(&doc));
}

/* Refuses documents of another kind than this. */
static void
CheckKind(const CellReader *cell, const JoinKind *kind)
{
	if (cell->kind != kind->documents)
		ereport(ERROR, (errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
						errmsg("cell has documents of another kind"),
						errdetail("Trees and texts are joined by different functions."),
						errhint("Use the function that joins what was packed.")));
}

/* The documents of a packed cell. */
static JoinDocuments *
UnpackCell(const JoinKind *kind, bytea *packed, double threshold)
{
	CellReader cell;
	StringInfoData tree;
	JoinDocuments *documents = DocumentsCreate(kind);

	kind->check_threshold(threshold);
	CellOpen(&cell, packed);
	CheckKind(&cell, kind);
	/* the index has arrays by label */
	CheckMemoryLimit(4 * sizeof(int32) * (Size) cell.labels, "comparing trees");
	initStringInfo(&tree);
	while (CellNext(&cell))
	{
		if (cell.kind == DOCUMENT_NUMBERED_TREE)
			DocumentsAddInOrder(documents, cell.id, cell.side, threshold, ReadTree(&cell, &tree));
		else
		{
			Datum text = ReadText(&cell);

			DocumentsAdd(documents, cell.id, cell.side, threshold, NULL, text);
			pfree(DatumGetPointer(text));
		}
	}
	pfree(tree.data);
	return documents;
}

/* All matches of a packed cell, packed. */
Datum
JoinPackedCell(bytea *packed, const JoinKind *kind, double threshold)
{
	JoinDocuments *documents = UnpackCell(kind, packed, threshold);
	JoinMatches *matches = FindSimilar(kind, documents, NULL);

	DocumentsClose(documents);
	PG_RETURN_BYTEA_P(PackMatches(matches, kind));
}
