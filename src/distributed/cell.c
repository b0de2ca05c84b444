/*
 * cell.c
 *	  Joins a cell of a join over several servers, whose documents have travelled as one value.
 */
#include "postgres.h"

#include "fmgr.h"
#include "utils/builtins.h"

#include "../compat.h"
#include "../join/aggregate/sorted_join.h"
#include "../join/search/search.h"
#include "../tree/value/tree.h"
#include "cell_bytes.h"
#include "cell_matches.h"

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
ReadCellText(const CellReader *cell)
{
	StringInfoData doc = CellDocument(cell);

	ReadLength(&doc);
	return DirectFunctionCall1(textrecv, PointerGetDatum(&doc));
}

/* The documents of a packed cell. */
static JoinDocuments *
UnpackCell(const JoinKind *kind, bytea *packed, double threshold)
{
	CellReader cell;
	StringInfoData tree;
	JoinDocuments *documents = DocumentsCreate(kind);

	CellOpen(&cell, packed);
	CheckCellKind(cell.kind, kind->documents);
	initStringInfo(&tree);
	while (CellNext(&cell))
	{
		if (cell.kind == DOCUMENT_NUMBERED_TREE)
			DocumentsAddInOrder(documents, cell.id, cell.side, threshold, ReadTree(&cell, &tree));
		else
		{
			Datum text = ReadCellText(&cell);

			DocumentsAdd(documents, cell.id, cell.side, threshold, NULL, text);
			pfree(DatumGetPointer(text));
		}
	}
	pfree(tree.data);
	return documents;
}

/* All matches of a packed cell, packed. */
static Datum
JoinPackedCell(bytea *packed, const JoinKind *kind, double threshold)
{
	JoinDocuments *documents = UnpackCell(kind, packed, threshold);
	JoinMatches *matches = FindSimilar(kind, documents, NULL);

	DocumentsClose(documents);
	PG_RETURN_BYTEA_P(PackMatches(matches, kind));
}

PG_FUNCTION_INFO_V1(tree_join_cell);

/* Joins all trees of a cell. */
Datum
tree_join_cell(PG_FUNCTION_ARGS)
{
	return JoinPackedCell(PG_GETARG_BYTEA_PP(0), &NumberedTreeJoin, PG_GETARG_INT32(1));
}

PG_FUNCTION_INFO_V1(lcs_join_cell);

/* Joins all strings of a cell. */
Datum
lcs_join_cell(PG_FUNCTION_ARGS)
{
	return JoinPackedCell(PG_GETARG_BYTEA_PP(0), &TextJoin, PG_GETARG_FLOAT8(1));
}
