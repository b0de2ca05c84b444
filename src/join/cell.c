/*
 * cell.c
 *	  Cells of a join over several servers, whose documents and matches travel as one
 *	  value each.
 *
 * A cell is packed as its kind of documents, a byte, and for each document its side,
 * its id, its length and its bytes, in the encoding of the database that packs it:
 * whoever sends it says so by its client encoding.  Matches are packed in the order
 * of their ids, as differences, by 7 bits of a number in each byte.
 */
#include "postgres.h"

#include "funcapi.h"
#include "libpq/pqformat.h"
#include "miscadmin.h"
#include "utils/builtins.h"

#include "../compat.h"
#include "../tree/tree.h"
#include "cell.h"
#include "documents.h"
#include "matches.h"

/* Most bytes of a packed value, which as text has up to two characters a byte, and 1 GB at most. */
#define MOST_BYTES ((Size) 500 << 20)

/* Most bytes of a number. */
#define NUMBER_BYTES 10

/* Refuses a value that could not be sent. */
static void
CheckPackedSize(Size bytes, const char *what, const char *hint)
{
	if (bytes > MOST_BYTES)
		ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
						errmsg("%s of a cell do not fit in one statement", what),
						errdetail("They take more than %d MB.", (int) (MOST_BYTES >> 20)),
						errhint("%s", hint)));
}

/* Adds a document to a cell, or nothing where it is NULL or has no side. */
Datum
CellTransition(FunctionCallInfo fcinfo, DocumentType kind)
{
	MemoryContext context;
	StringInfo cell = PG_ARGISNULL(0) ? NULL : (StringInfo) PG_GETARG_POINTER(0);
	struct varlena *doc;

	if (!AggCheckCallContext(fcinfo, &context))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("support function of ted_pack_cell() called outside of an aggregate"),
				 errdetail("It keeps its state in the memory of an aggregate."),
				 errhint("Use the aggregate ted_pack_cell().")));
	if (cell == NULL)
	{
		MemoryContext caller = MemoryContextSwitchTo(context);

		cell = palloc_object(StringInfoData);
		pq_begintypsend(cell);
		pq_sendbyte(cell, kind);
		MemoryContextSwitchTo(caller);
	}
	if (PG_ARGISNULL(1) || PG_ARGISNULL(2) || PG_ARGISNULL(3))
		PG_RETURN_POINTER(cell);
	doc = PG_GETARG_VARLENA_PP(2);
	CheckPackedSize((Size) cell->len + VARSIZE_ANY_EXHDR(doc) + 16, "documents", "Use more cells.");
	pq_sendbyte(cell, PG_GETARG_CHAR(3));
	pq_sendint64(cell, PG_GETARG_INT64(1));
	pq_sendint32(cell, (uint32) VARSIZE_ANY_EXHDR(doc));
	pq_sendbytes(cell, VARDATA_ANY(doc), (int) VARSIZE_ANY_EXHDR(doc));
	PG_RETURN_POINTER(cell);
}

PG_FUNCTION_INFO_V1(ted_pack_cell_finalfn);

/* The documents of a cell as one value. */
Datum
ted_pack_cell_finalfn(PG_FUNCTION_ARGS)
{
	StringInfo cell;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	cell = (StringInfo) PG_GETARG_POINTER(0);
	SET_VARSIZE(cell->data, cell->len);
	PG_RETURN_BYTEA_P(cell->data);
}

/* Reads a document from where it lies, in the client's encoding. */
static Datum
ReadDocument(StringInfo cell, DocumentType kind)
{
	int length = (int) pq_getmsgint(cell, 4);
	StringInfoData doc = {
		.data = unconstify(char *, pq_getmsgbytes(cell, length)), .len = length, .maxlen = length};

	return DirectFunctionCall1(kind == DOCUMENT_TREE ? tree_recv : textrecv, PointerGetDatum(&doc));
}

/* The documents of a packed cell. */
static JoinDocuments *
UnpackCell(const JoinKind *kind, bytea *packed, double threshold)
{
	StringInfoData cell = {.data = VARDATA_ANY(packed), .len = (int) VARSIZE_ANY_EXHDR(packed)};
	JoinDocuments *documents = DocumentsCreate(kind);

	kind->check_threshold(threshold);
	if (pq_getmsgbyte(&cell) != (int) kind->documents)
		ereport(ERROR, (errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
						errmsg("cell has documents of another kind"),
						errdetail("Trees and texts are joined by different functions."),
						errhint("Use the function that joins what was packed.")));
	while (cell.cursor < cell.len)
	{
		char side = (char) pq_getmsgbyte(&cell);
		int64 id = pq_getmsgint64(&cell);
		Datum doc = ReadDocument(&cell, kind->documents);

		CHECK_FOR_INTERRUPTS();
		if (!DocumentsSideExists(side))
			ereport(ERROR, (errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
							errmsg("invalid side of a document in a cell"),
							errdetail("A document has a side other than \"l\", \"r\" and \"o\"."),
							errhint("Use ted_pack_cell().")));
		DocumentsAdd(documents, id, side, threshold, NULL, doc);
		pfree(DatumGetPointer(doc));
	}
	return documents;
}

/* Appends a number. */
static void
AppendNumber(StringInfo to, uint64 number)
{
	enlargeStringInfo(to, NUMBER_BYTES);
	for (; number > 127; number >>= 7)
		appendStringInfoCharMacro(to, (char) (number | 128));
	appendStringInfoCharMacro(to, (char) number);
}

/* Reads a number. */
static uint64
ReadNumber(StringInfo from)
{
	uint64 number = 0;

	for (int shift = 0; shift < 7 * NUMBER_BYTES; shift += 7)
	{
		int byte = pq_getmsgbyte(from);

		number |= (uint64) (byte & 127) << shift;
		if (byte < 128)
			return number;
	}
	ereport(ERROR, (errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
					errmsg("invalid number in packed matches"),
					errdetail("It has more than %d bytes.", NUMBER_BYTES),
					errhint("Read what tree_join_cell() or lcs_join_cell() has returned.")));
}

/* A difference of integers as a number that is small where the difference is near 0. */
static uint64
FoldDifference(int64 from, int64 to)
{
	uint64 difference = (uint64) to - (uint64) from;

	return difference << 1 ^ (difference >> 63 ? ~UINT64CONST(0) : 0);
}

/* The integer that has this difference. */
static int64
UnfoldDifference(int64 from, uint64 folded)
{
	return (int64) ((uint64) from + (folded >> 1 ^ (folded & 1 ? ~UINT64CONST(0) : 0)));
}

/* All matches of a packed cell, packed. */
Datum
JoinCell(bytea *packed, const JoinKind *kind, double threshold)
{
	JoinDocuments *documents = UnpackCell(kind, packed, threshold);
	JoinMatches *matches = FindSimilar(kind, documents, NULL);
	int64 last = 0;
	StringInfoData result;

	DocumentsClose(documents);
	MatchesSort(matches);
	pq_begintypsend(&result);
	for (int64 i = 0; i < MatchesCount(matches); i++)
	{
		Match match = MatchesGet(matches, i);

		CHECK_FOR_INTERRUPTS();
		CheckPackedSize((Size) result.len, "matches", kind->fewer);
		AppendNumber(&result, FoldDifference(last, match.left_id));
		AppendNumber(&result, FoldDifference(match.left_id, match.right_id));
		pq_sendfloat8(&result, match.measure);
		last = match.left_id;
	}
	PG_RETURN_BYTEA_P(pq_endtypsend(&result));
}

PG_FUNCTION_INFO_V1(ted_unpack_matches);

/* The rows of packed matches. */
Datum
ted_unpack_matches(PG_FUNCTION_ARGS)
{
	bytea *packed = PG_GETARG_BYTEA_PP(0);
	StringInfoData from = {.data = VARDATA_ANY(packed), .len = (int) VARSIZE_ANY_EXHDR(packed)};
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	int64 left = 0;

	InitMaterializedSRF(fcinfo, 0);
	while (from.cursor < from.len)
	{
		int64 right;
		Datum values[3];
		bool nulls[3] = {false};

		CHECK_FOR_INTERRUPTS();
		left = UnfoldDifference(left, ReadNumber(&from));
		right = UnfoldDifference(left, ReadNumber(&from));
		values[0] = Int64GetDatum(left);
		values[1] = Int64GetDatum(right);
		values[2] = Float8GetDatum(pq_getmsgfloat8(&from));
		tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
	}
	return (Datum) 0;
}
