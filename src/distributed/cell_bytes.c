/*
 * cell_bytes.c
 *	  How cells of a join over several servers, and their matches, are written as bytes.
 */
#include "postgres.h"

#include "libpq/pqformat.h"
#include "miscadmin.h"

#include "../compat.h"
#include "../tree/value/tree.h"
#include "cell_bytes.h"
#include "../join/aggregate/documents.h"

/* The most bytes of a packed value: as text, it has two characters a byte and at most 1 GB. */
#define MOST_BYTES ((Size) 500 << 20)

/* Most bytes of a number. */
#define NUMBER_BYTES 10

/* Refuses a value that could not be sent. */
void
CheckPackedSize(Size bytes, const char *what, const char *hint)
{
	if (bytes > MOST_BYTES)
		ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
						errmsg("%s of a cell do not fit in one statement", what),
						errdetail("They take more than %d MB.", (int) (MOST_BYTES >> 20)),
						errhint("%s", hint)));
}

/* Appends a number. */
void
AppendCellNumber(StringInfo to, uint64 number)
{
	enlargeStringInfo(to, NUMBER_BYTES);
	for (; number > 127; number >>= 7)
		appendStringInfoCharMacro(to, (char) (number | 128));
	appendStringInfoCharMacro(to, (char) number);
}

/* Reads a number. */
uint64
ReadCellNumber(StringInfo from)
{
	uint64 number = 0;

	for (int shift = 0; shift < 7 * NUMBER_BYTES; shift += 7)
	{
		int byte = pq_getmsgbyte(from);

		number |= (uint64) (byte & 127) << shift;
		if (byte < 128)
			return number;
	}
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
			 errmsg("invalid number in a packed value"),
			 errdetail("It has more than %d bytes.", NUMBER_BYTES),
			 errhint("Use what ted_pack_cell(), tree_join_cell() or lcs_join_cell() returns.")));
}

/* Reads a number as a length. */
int32
ReadLength(StringInfo from)
{
	uint64 number = ReadCellNumber(from);

	return (int32) Min(number, PG_INT32_MAX);
}

/* Appends an integer as its difference, which is small where it is near 0. */
void
AppendDifference(StringInfo to, int64 from, int64 integer)
{
	uint64 difference = (uint64) integer - (uint64) from;

	AppendCellNumber(to, difference << 1 ^ (difference >> 63 ? ~UINT64CONST(0) : 0));
}

/* Reads the integer that has this difference from another one. */
int64
ReadDifference(StringInfo from, int64 other)
{
	uint64 folded = ReadCellNumber(from);

	return (int64) ((uint64) other + (folded >> 1 ^ (folded & 1 ? ~UINT64CONST(0) : 0)));
}

/* Refuses more documents than could be sent. */
void
CheckDocumentsSize(Size bytes)
{
	CheckPackedSize(bytes + 32, "documents", "Use more cells.");
}

/* Begins a cell without documents, with numbers of labels below this one. */
void
CellBegin(CellWriter *cell, DocumentType kind, uint32 labels)
{
	pq_begintypsend(&cell->bytes);
	pq_sendbyte(&cell->bytes, kind);
	pq_sendint32(&cell->bytes, labels);
	cell->last = 0;
}

/* Adds a document. */
void
CellAdd(CellWriter *cell, char side, int64 id, const char *doc, int length)
{
	CHECK_FOR_INTERRUPTS();
	CheckDocumentsSize((Size) cell->bytes.len + (Size) length);
	pq_sendbyte(&cell->bytes, side);
	AppendDifference(&cell->bytes, cell->last, id);
	AppendCellNumber(&cell->bytes, (uint64) length);
	pq_sendbytes(&cell->bytes, doc, length);
	cell->last = id;
}

/* Adds the next label. */
void
CellAddLabel(CellWriter *cell, const Label *label)
{
	CHECK_FOR_INTERRUPTS();
	if (label == NULL)
	{
		AppendCellNumber(&cell->bytes, 0);
		return;
	}
	CheckDocumentsSize((Size) cell->bytes.len + (Size) label->length);
	AppendCellNumber(&cell->bytes, (uint64) label->length + 1);
	pq_sendbytes(&cell->bytes, label->bytes, label->length);
}

/* Starts reading. */
void
CellOpen(CellReader *cell, bytea *packed)
{
	cell->bytes =
		(StringInfoData){.data = VARDATA_ANY(packed), .len = (int) VARSIZE_ANY_EXHDR(packed)};
	cell->kind = (DocumentType) pq_getmsgbyte(&cell->bytes);
	cell->labels = pq_getmsgint(&cell->bytes, 4);
	cell->id = 0;
}

/* Refuses a cell of another kind of documents than this. */
void
CheckCellKind(DocumentType kind, DocumentType expected)
{
	if (kind != expected)
		ereport(ERROR, (errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
						errmsg("cell has documents of another kind"),
						errdetail("Trees and texts are joined by different functions."),
						errhint("Use the function that joins what was packed.")));
}

/* Turns to the next document; false at the end. */
bool
CellNext(CellReader *cell)
{
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
	cell->length = ReadLength(&cell->bytes);
	cell->doc = pq_getmsgbytes(&cell->bytes, cell->length);
	return true;
}

/* Starts reading a part, and refuses one of another kind, or with fewer bytes than labels. */
void
CellOpenPart(CellReader *cell, bytea *part, DocumentType kind)
{
	CellOpen(cell, part);
	CheckCellKind(cell->kind, kind);
	if (cell->labels > (uint32) (cell->bytes.len - cell->bytes.cursor))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION), errmsg("invalid part of a cell"),
				 errdetail("It is too short for its labels."),
				 errhint("Use ted_pack_part() or ted_cut_by_labels().")));
}

/* Reads the next label; false for one of one tree alone. */
bool
CellNextLabel(CellReader *cell, Label *label)
{
	int32 length = ReadLength(&cell->bytes);

	CHECK_FOR_INTERRUPTS();
	if (length == 0)
		return false;
	CheckLabelLength(--length);
	*label = (Label){pq_getmsgbytes(&cell->bytes, length), length};
	return true;
}

/* The document at hand, to be read. */
StringInfoData
CellDocument(const CellReader *cell)
{
	return (StringInfoData){
		.data = unconstify(char *, cell->doc), .len = cell->length, .maxlen = cell->length};
}
