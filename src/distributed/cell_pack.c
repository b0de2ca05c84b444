/*
 * cell_pack.c
 *	  The documents of a cell as one value: an aggregate.
 *
 * The state has the type of the result, so that partial ones travel between processes and
 * servers, but is an expanded object: documents with numbers for labels, and these labels.
 * Flat, it is part of a cell (cell_bytes.h).
 *
 * A table of documents is packed in the same way, once; cells are cut out of it (cell_cut.c).
 */
#include "postgres.h"

#include "lib/stringinfo.h"
#include "libpq/pqformat.h"
#include "miscadmin.h"
#include "utils/expandeddatum.h"
#include "utils/memutils.h"

#include "../common/host.h"
#include "../common/labels.h"
#include "../compat.h"
#include "../tree/value/tree.h"
#include "../join/aggregate/aggregate.h"
#include "cell_bytes.h"
#include "../join/aggregate/documents.h"
#include "../join/search/search.h"

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
	ExpandedObjectHeader hdr;
	DocumentType type;
	StringInfoData bytes; /* of one after the other */
	PackedDocument *documents;
	int32 count;
	int32 capacity;
	LabelTable *labels;
	bytea *flat; /* as long as it is true */
} Packing;

/* Orders documents by size; those of one size as they came. */
static inline int
ComparePackedSizes(const PackedDocument *a, const PackedDocument *b)
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

#define ST_SORT SortPackedBySize
#define ST_ELEMENT_TYPE PackedDocument
#define ST_COMPARE(a, b) ComparePackedSizes(a, b)
#define ST_SCOPE static
#define ST_CHECK_FOR_INTERRUPTS
#define ST_DECLARE
#define ST_DEFINE
#include "lib/sort_template.h"

#define ST_SORT SortPackedById
#define ST_ELEMENT_TYPE PackedDocument
#define ST_COMPARE(a, b) CompareById(a, b)
#define ST_SCOPE static
#define ST_CHECK_FOR_INTERRUPTS
#define ST_DECLARE
#define ST_DEFINE
#include "lib/sort_template.h"

/* Writes a document to a cell. */
static void
WritePackedDocument(CellWriter *cell, const Packing *packing, const PackedDocument *document)
{
	CellAdd(cell, document->side, document->id, packing->bytes.data + document->begin,
			document->length);
}

/* Forgets the flat form. */
static void
ForgetFlat(Packing *packing)
{
	if (packing->flat != NULL)
		pfree(packing->flat);
	packing->flat = NULL;
}

/* Makes the flat form, and keeps it to be copied; returns its size. */
static Size
FlatSize(ExpandedObjectHeader *state)
{
	Packing *packing = (Packing *) state;
	MemoryContext caller = MemoryContextSwitchTo(state->eoh_context);
	int32 labels = LabelTableCount(packing->labels);
	CellWriter cell;

	if (packing->flat == NULL)
	{
		CellBegin(&cell, packing->type, (uint32) labels);
		for (int32 id = 0; id < labels; id++)
		{
			Label label = LabelTableGet(packing->labels, id);

			CellAddLabel(&cell, &label);
		}
		for (int32 i = 0; i < packing->count; i++)
			WritePackedDocument(&cell, packing, &packing->documents[i]);
		packing->flat = pq_endtypsend(&cell.bytes);
	}
	MemoryContextSwitchTo(caller);
	return VARSIZE(packing->flat);
}

/* Copies the flat form. */
static void
Flatten(ExpandedObjectHeader *state, void *result, Size bytes)
{
	Packing *packing = (Packing *) state;

	Assert(packing->flat != NULL && VARSIZE(packing->flat) == bytes);
	memcpy(result, packing->flat, bytes);
	ForgetFlat(packing);
}

static const ExpandedObjectMethods packing_methods = {FlatSize, Flatten};

/* Starts packing documents. */
static Packing *
MakePacking(MemoryContext parent, DocumentType type)
{
	MemoryContext context =
		AllocSetContextCreate(parent, "ted packed documents", ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(context);
	Packing *packing = palloc0_object(Packing);

	EOH_init_header(&packing->hdr, &packing_methods, context);
	packing->type = type;
	packing->capacity = 64;
	packing->documents = palloc_array(PackedDocument, packing->capacity);
	initStringInfo(&packing->bytes);
	packing->labels = LabelTableCreate();
	LabelTableLimit(packing->labels, LabelTableContext(packing->labels), PACKING);
	MemoryContextSwitchTo(caller);
	return packing;
}

/* Adds a document whose bytes begin there and have just been appended. */
static void
AddPackedDocument(Packing *packing, char side, int64 id, int32 size, int32 begin)
{
	if (packing->count == packing->capacity)
		packing->documents =
			GrowArray(packing->documents, &packing->capacity, sizeof(PackedDocument), PACKING);
	packing->documents[packing->count++] =
		(PackedDocument){.id = id,
						 .size = DocumentSizeKey(DocumentKindOf(packing->type), size),
						 .begin = begin,
						 .length = packing->bytes.len - begin,
						 .side = side};
}

/* Packs a document. */
static void
PackDocument(Packing *packing, char side, int64 id, struct varlena *doc)
{
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
		size = DocumentKindOf(packing->type)->size(PointerGetDatum(doc));
		AppendCellNumber(bytes, (uint64) size);
		appendBinaryStringInfo(bytes, VARDATA_ANY(doc), (int) VARSIZE_ANY_EXHDR(doc));
	}
	AddPackedDocument(packing, side, id, size, begin);
}

/* The numbers that labels of a flat state have here. */
static LabelNumbers
ReadLabels(Packing *packing, CellReader *cell)
{
	LabelNumbers numbers = {.labels = cell->labels};

	CheckMemoryLimit(sizeof(int32) * (Size) cell->labels, PACKING);
	numbers.number = palloc_extended(sizeof(int32) * Max((Size) cell->labels, 1), MCXT_ALLOC_HUGE);
	for (uint32 i = 0; i < cell->labels; i++)
	{
		Label label;

		if (!CellNextLabel(cell, &label))
			ereport(ERROR, (errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
							errmsg("invalid part of a cell"), errdetail("A label has no bytes."),
							errhint("Use ted_pack_part().")));
		numbers.number[i] = LabelTableIntern(packing->labels, label.bytes, label.length);
	}
	return numbers;
}

/* Adds the documents of a flat state. */
static void
Unpack(Packing *packing, bytea *flat)
{
	StringInfo bytes = &packing->bytes;
	CellReader cell;
	LabelNumbers numbers;

	CellOpenPart(&cell, flat, packing->type);
	numbers = ReadLabels(packing, &cell);
	while (CellNext(&cell))
	{
		StringInfoData doc = CellDocument(&cell);
		int begin = bytes->len;

		CheckDocumentsSize((Size) begin + (Size) cell.length);
		if (packing->type == DOCUMENT_NUMBERED_TREE)
			TreeAppendRenumbered(bytes, cell.doc, cell.length, &numbers);
		else
			appendBinaryStringInfo(bytes, cell.doc, cell.length);
		AddPackedDocument(packing, cell.side, cell.id, ReadLength(&doc), begin);
	}
	pfree(numbers.number);
}

/* The kind of the documents of a flat state. */
static DocumentType
KindOfState(bytea *flat)
{
	CellReader cell;

	CellOpen(&cell, flat);
	if (cell.kind != DOCUMENT_TEXT)
		CheckCellKind(cell.kind, DOCUMENT_NUMBERED_TREE);
	return cell.kind;
}

/*
 * The documents of a state: as they are, where it is an object that may be changed or will
 * not be; otherwise those of a new object.
 */
static Packing *
GetPacking(Datum state, MemoryContext context, bool change)
{
	struct varlena *value = (struct varlena *) DatumGetPointer(state);
	bytea *flat;
	Packing *packing;

	if (change ? VARATT_IS_EXTERNAL_EXPANDED_RW(value) : VARATT_IS_EXTERNAL_EXPANDED(value))
	{
		packing = (Packing *) DatumGetEOHP(state);
		if (packing->hdr.eoh_methods == &packing_methods)
			return packing;
	}
	flat = DatumGetByteaPP(state);
	packing = MakePacking(context, KindOfState(flat));
	Unpack(packing, flat);
	if ((Pointer) flat != DatumGetPointer(state))
		pfree(flat);
	return packing;
}

/* The state of an aggregate to which documents are added, which has none yet where it is NULL. */
static Packing *
GrowingPacking(FunctionCallInfo fcinfo, DocumentType type)
{
	MemoryContext context;
	Packing *packing;

	if (!AggCheckCallContext(fcinfo, &context))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("support function of ted_pack_cell() called outside of an aggregate"),
				 errdetail("It keeps its state in the memory of an aggregate."),
				 errhint("Use the aggregate ted_pack_cell().")));
	if (PG_ARGISNULL(0))
		return MakePacking(context, type);
	packing = GetPacking(PG_GETARG_DATUM(0), context, true);
	CheckCellKind(packing->type, type);
	ForgetFlat(packing);
	return packing;
}

/* Adds a document to a cell, or nothing where it is NULL or has no side. */
static Datum
CellTransition(FunctionCallInfo fcinfo, DocumentType type)
{
	Packing *packing = GrowingPacking(fcinfo, type);

	if (!PG_ARGISNULL(2) && !PG_ARGISNULL(3))
	{
		CheckNotNull(fcinfo, 1, "id");
		PackDocument(packing, PG_GETARG_CHAR(3), PG_GETARG_INT64(1), PG_GETARG_VARLENA_PP(2));
	}
	PG_RETURN_DATUM(EOHPGetRWDatum(&packing->hdr));
}

PG_FUNCTION_INFO_V1(tree_pack_cell_transfn);

/* Adds a tree to a cell. */
Datum
tree_pack_cell_transfn(PG_FUNCTION_ARGS)
{
	return CellTransition(fcinfo, DOCUMENT_NUMBERED_TREE);
}

PG_FUNCTION_INFO_V1(lcs_pack_cell_transfn);

/* Adds a string to a cell. */
Datum
lcs_pack_cell_transfn(PG_FUNCTION_ARGS)
{
	return CellTransition(fcinfo, DOCUMENT_TEXT);
}

PG_FUNCTION_INFO_V1(ted_pack_cell_combine);

/* Adds the documents of one partial state to another. */
Datum
ted_pack_cell_combine(PG_FUNCTION_ARGS)
{
	bytea *flat;
	Packing *packing;

	if (PG_ARGISNULL(1))
	{
		if (PG_ARGISNULL(0))
			PG_RETURN_NULL();
		PG_RETURN_DATUM(PG_GETARG_DATUM(0));
	}
	flat = PG_GETARG_BYTEA_PP(1);
	packing = GrowingPacking(fcinfo, KindOfState(flat));
	Unpack(packing, flat);
	PG_FREE_IF_COPY(flat, 1);
	PG_RETURN_DATUM(EOHPGetRWDatum(&packing->hdr));
}

/* Refuses an id that occurs twice on a side, of documents that it sorts by that. */
static void
CheckUniquePackedIds(PackedDocument *documents, int32 count)
{
	SortPackedById(documents, (size_t) count);
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
	packing = GetPacking(PG_GETARG_DATUM(0), CurrentMemoryContext, false);
	CheckUniquePackedIds(packing->documents, packing->count);
	SortPackedBySize(packing->documents, (size_t) packing->count);
	CellBegin(&cell, packing->type, (uint32) LabelTableCount(packing->labels));
	for (int32 i = 0; i < packing->count; i++)
		WritePackedDocument(&cell, packing, &packing->documents[i]);
	PG_RETURN_BYTEA_P(pq_endtypsend(&cell.bytes));
}
