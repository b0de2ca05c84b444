/*
 * cell.c
 *	  Cells of a join over several servers, whose documents travel as one value.
 *
 * A cell is packed as its kind of documents, a byte, how many labels these have, 4 bytes,
 * and for each document its side, a byte, its id, as the difference from the one before,
 * how many bytes follow, and these: a numbered tree (tree.h), or the number of characters
 * of a text and its bytes.  Labels do not travel, only which of them are equal.  Texts are
 * in the encoding of the database that packs them: whoever sends them says so by its
 * client encoding.
 *
 * A whole table is packed like a cell, once, and the cells are cut out of it.
 */
#include "postgres.h"

#include "libpq/pqformat.h"
#include "miscadmin.h"
#include "port/pg_bswap.h"
#include "utils/builtins.h"

#include "../common/host.h"
#include "../compat.h"
#include "../tree/tree.h"
#include "cell.h"
#include "cell_bytes.h"
#include "cell_matches.h"
#include "cell_side.h"
#include "documents.h"
#include "search.h"

/* Where a cell has the number of its labels. */
#define LABELS_AT (VARHDRSZ + 1)

/* Name of the computation in errors about memory. */
#define PACKING "packing documents"

/* A cell that is being packed. */
typedef struct PackedCell
{
	StringInfoData bytes;
	StringInfoData doc; /* the document that is added */
	int64 last;         /* id, or 0 */
	LabelTable *labels;
} PackedCell;

/* A packed cell that is being read. */
typedef struct CellReader
{
	StringInfoData bytes;
	DocumentType kind;
	uint32 labels; /* what numbers of labels are below */
	char side;     /* of the document at hand */
	int64 id;
	StringInfoData doc;
} CellReader;

/* A cell that is being cut out of a packed one, with labels that are numbered anew. */
typedef struct CutCell
{
	PackedCell cell;
	uint32 from_labels;
	uint32 *number; /* from 1, by the number in the other one; 0 for none */
	uint32 labels;
} CutCell;

/* Begins a cell without documents. */
static void
BeginCell(PackedCell *cell, DocumentType kind)
{
	pq_begintypsend(&cell->bytes);
	pq_sendbyte(&cell->bytes, kind);
	pq_sendint32(&cell->bytes, 0);
	initStringInfo(&cell->doc);
	cell->last = 0;
}

/* Adds the document at hand. */
static void
AppendDocument(PackedCell *cell, char side, int64 id)
{
	CheckPackedSize((Size) cell->bytes.len + (Size) cell->doc.len + 32, "documents",
					"Use more cells.");
	pq_sendbyte(&cell->bytes, side);
	AppendDifference(&cell->bytes, cell->last, id);
	AppendNumber(&cell->bytes, (uint64) cell->doc.len);
	pq_sendbytes(&cell->bytes, cell->doc.data, cell->doc.len);
	cell->last = id;
}

/* The cell as a value, with numbers of labels below this one. */
static bytea *
EndCell(PackedCell *cell, int32 labels)
{
	uint32 sent = pg_hton32((uint32) labels);

	memcpy(cell->bytes.data + LABELS_AT, &sent, sizeof(sent));
	SET_VARSIZE(cell->bytes.data, cell->bytes.len);
	return (bytea *) cell->bytes.data;
}

/* Begins a cell that is an aggregate's state. */
static PackedCell *
MakeState(MemoryContext context, DocumentType kind)
{
	MemoryContext caller = MemoryContextSwitchTo(context);
	PackedCell *cell = palloc_object(PackedCell);

	BeginCell(cell, kind);
	cell->labels = LabelTableCreate();
	LabelTableLimit(cell->labels, LabelTableContext(cell->labels), PACKING);
	MemoryContextSwitchTo(caller);
	return cell;
}

/* Adds a document to a cell, or nothing where it is NULL or has no side. */
Datum
CellTransition(FunctionCallInfo fcinfo, DocumentType kind)
{
	MemoryContext context;
	PackedCell *cell = PG_ARGISNULL(0) ? NULL : (PackedCell *) PG_GETARG_POINTER(0);
	struct varlena *doc;

	if (!AggCheckCallContext(fcinfo, &context))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("support function of ted_pack_cell() called outside of an aggregate"),
				 errdetail("It keeps its state in the memory of an aggregate."),
				 errhint("Use the aggregate ted_pack_cell().")));
	if (cell == NULL)
		cell = MakeState(context, kind);
	if (PG_ARGISNULL(1) || PG_ARGISNULL(2) || PG_ARGISNULL(3))
		PG_RETURN_POINTER(cell);
	doc = PG_GETARG_VARLENA_PP(2);
	resetStringInfo(&cell->doc);
	if (kind == DOCUMENT_NUMBERED_TREE)
		TreeAppendNumbered(&cell->doc, doc, cell->labels);
	else
	{
		AppendNumber(&cell->doc, (uint64) DocumentKindOf(kind)->size(PointerGetDatum(doc)));
		pq_sendbytes(&cell->doc, VARDATA_ANY(doc), (int) VARSIZE_ANY_EXHDR(doc));
	}
	AppendDocument(cell, PG_GETARG_CHAR(3), PG_GETARG_INT64(1));
	PG_RETURN_POINTER(cell);
}

PG_FUNCTION_INFO_V1(ted_pack_cell_finalfn);

/* The documents of a cell as one value. */
Datum
ted_pack_cell_finalfn(PG_FUNCTION_ARGS)
{
	PackedCell *cell;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	cell = (PackedCell *) PG_GETARG_POINTER(0);
	PG_RETURN_BYTEA_P(EndCell(cell, LabelTableCount(cell->labels)));
}

/* Refuses a number that no label has. */
static inline void
CheckLabelNumber(uint32 number, uint32 labels)
{
	if (number >= labels)
		ereport(ERROR, (errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
						errmsg("invalid label in a cell"),
						errdetail("Its number is %u, of %u labels.", number, labels),
						errhint("Use ted_pack_cell().")));
}

/* Starts reading. */
static void
OpenCell(CellReader *cell, bytea *packed)
{
	cell->bytes =
		(StringInfoData){.data = VARDATA_ANY(packed), .len = (int) VARSIZE_ANY_EXHDR(packed)};
	cell->kind = (DocumentType) pq_getmsgbyte(&cell->bytes);
	cell->labels = pq_getmsgint(&cell->bytes, 4);
	cell->id = 0;
	if (cell->labels > (uint32) cell->bytes.len)
		ereport(ERROR, (errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
						errmsg("invalid number of labels in a cell"),
						errdetail("There are %u labels in %d bytes.", cell->labels, cell->bytes.len),
						errhint("Use ted_pack_cell().")));
}

/* Turns to the next document; false at the end. */
static bool
NextDocument(CellReader *cell)
{
	int length;

	CHECK_FOR_INTERRUPTS();
	if (cell->bytes.cursor == cell->bytes.len)
		return false;
	cell->side = (char) pq_getmsgbyte(&cell->bytes);
	if (!DocumentsSideExists(cell->side))
		ereport(ERROR, (errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
						errmsg("invalid side of a document in a cell"),
						errdetail("A document has a side other than \"l\", \"r\" and \"o\"."),
						errhint("Use ted_pack_cell().")));
	cell->id = ReadDifference(&cell->bytes, cell->id);
	length = ReadLength(&cell->bytes);
	cell->doc = (StringInfoData){
		.data = unconstify(char *, pq_getmsgbytes(&cell->bytes, length)), .len = length};
	return true;
}

/* The side of the document at hand in a cell, or 0. */
static char
SideOfDocument(const CellReader *reader, const JoinCell *cell)
{
	StringInfoData doc = reader->doc;

	return reader->side == 'o'
			   ? SideInCell(cell, reader->id, ReadLength(&doc))
			   : SideInGrid(cell, reader->id, reader->side);
}

/* The number of a label in a cell that is being cut out. */
static uint32
RenumberLabel(void *arg, uint32 number)
{
	CutCell *cut = arg;

	CheckLabelNumber(number, cut->from_labels);
	if (cut->number[number] == 0)
		cut->number[number] = ++cut->labels;
	return cut->number[number] - 1;
}

/* Starts to cut a cell out. */
static void
BeginCut(CutCell *cut, const CellReader *from)
{
	Size bytes = sizeof(uint32) * (Size) from->labels;

	CheckMemoryLimit(bytes, PACKING);
	BeginCell(&cut->cell, from->kind);
	cut->from_labels = from->labels;
	cut->number = AllocZeros(CurrentMemoryContext, bytes);
	cut->labels = 0;
}

PG_FUNCTION_INFO_V1(ted_cut_cell);

/* The documents of a cell, out of packed ones. */
Datum
ted_cut_cell(PG_FUNCTION_ARGS)
{
	CellReader from;
	CutCell cut;
	JoinCell cell;

	ReadJoinCell(PG_GETARG_DATUM(1), &cell);
	OpenCell(&from, PG_GETARG_BYTEA_PP(0));
	BeginCut(&cut, &from);
	while (NextDocument(&from))
	{
		char side = SideOfDocument(&from, &cell);

		if (side == 0)
			continue;
		resetStringInfo(&cut.cell.doc);
		if (from.kind == DOCUMENT_NUMBERED_TREE)
			TreeCopyNumbered(&from.doc, &cut.cell.doc, RenumberLabel, &cut);
		else
			pq_sendbytes(&cut.cell.doc, from.doc.data, from.doc.len);
		AppendDocument(&cut.cell, side, from.id);
	}
	PG_RETURN_BYTEA_P(EndCell(&cut.cell, (int32) cut.labels));
}

/* Sees that the number of a label is one. */
static uint32
KeepLabel(void *arg, uint32 number)
{
	CheckLabelNumber(number, ((const CellReader *) arg)->labels);
	return number;
}

/* Reads a tree, with its numbers, into memory that is used again. */
static Datum
ReadTree(CellReader *cell, StringInfo tree)
{
	resetStringInfo(tree);
	appendStringInfoSpaces(tree, VARHDRSZ);
	TreeCopyNumbered(&cell->doc, tree, KeepLabel, cell);
	pq_getmsgend(&cell->doc);
	SET_VARSIZE(tree->data, tree->len);
	return PointerGetDatum(tree->data);
}

/* Reads a text, in the client's encoding. */
static Datum
ReadText(CellReader *cell)
{
	ReadNumber(&cell->doc);
	return DirectFunctionCall1(textrecv, PointerGetDatum(&cell->doc));
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
	OpenCell(&cell, packed);
	CheckKind(&cell, kind);
	/* the index has arrays by label */
	CheckMemoryLimit(4 * sizeof(int32) * (Size) cell.labels, "comparing trees");
	initStringInfo(&tree);
	while (NextDocument(&cell))
	{
		if (cell.kind == DOCUMENT_NUMBERED_TREE)
			DocumentsAdd(documents, cell.id, cell.side, threshold, NULL, ReadTree(&cell, &tree));
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
