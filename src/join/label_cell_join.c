/*
 * label_cell_join.c
 *	  Joins a cell by labels (label_cell.h), whose documents come in several parts.
 *
 * Trees that share no pair of their rarest nodes with another one of the cell are not read.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "libpq/pqformat.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/memutils.h"

#include "../common/host.h"
#include "../compat.h"
#include "../tree/tree.h"
#include "cell_bytes.h"
#include "cell_matches.h"
#include "documents.h"
#include "label_cell.h"

/* Name of the computation in errors about memory. */
#define JOINING "joining a cell"

/* A part of a cell. */
typedef struct Part
{
	CellReader reader; /* in front of the documents */
	int32 *number;     /* of its labels in the cell, negative for those that have none yet */
} Part;

/* A document. */
typedef struct PartDocument
{
	int64 id;
	int32 size;
	int32 part;
	const char *tree;
	int32 length;
	int32 to_cells; /* of its rarest nodes */
} PartDocument;

/* A cell that is being joined. */
typedef struct LabelCell
{
	int32 limit; /* k */
	int32 cell;
	int32 cells;
	Part *parts;
	int part_count;
	LabelTable *labels;
	PartDocument *documents;
	TedRareNodes *rare; /* by document */
	int32 count;
	int32 capacity;
	int32 *order; /* of documents, by size */
} LabelCell;

/* Reads the labels of a part. */
static void
OpenPart(LabelCell *cell, bytea *packed, Part *part)
{
	CellReader *reader = &part->reader;

	CellOpen(reader, packed);
	CheckCellKind(reader->kind, DOCUMENT_NUMBERED_TREE);
	CellCheckLabels(reader);
	CheckMemoryLimit(sizeof(int32) * (Size) reader->labels, JOINING);
	part->number = palloc_extended(sizeof(int32) * Max((Size) reader->labels, 1), MCXT_ALLOC_HUGE);
	for (uint32 i = 0; i < reader->labels; i++)
	{
		Label label;

		part->number[i] = CellNextLabel(reader, &label)
							  ? LabelTableIntern(cell->labels, label.bytes, label.length)
							  : -1;
	}
}

/* Opens all parts. */
static void
OpenParts(LabelCell *cell, ArrayType *array)
{
	Datum *values;
	bool *nulls;

	deconstruct_array(array, BYTEAOID, -1, false, TYPALIGN_INT, &values, &nulls, &cell->part_count);
	cell->parts = palloc_array(Part, Max(cell->part_count, 1));
	cell->labels = LabelTableCreate();
	LabelTableLimit(cell->labels, LabelTableContext(cell->labels), JOINING);
	for (int i = 0; i < cell->part_count; i++)
	{
		if (nulls[i])
			ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
							errmsg("part of a cell must not be null"),
							errdetail("An element of the array is null."),
							errhint("Use the parts of ted_cut_by_labels().")));
		OpenPart(cell, DatumGetByteaPP(values[i]), &cell->parts[i]);
	}
}

/* Makes room for another document. */
static void
ReserveDocument(LabelCell *cell)
{
	if (cell->count < cell->capacity)
		return;
	CheckMemoryLimit(2 * (sizeof(PartDocument) + sizeof(TedRareNodes)) * (Size) cell->capacity,
					 JOINING);
	cell->capacity *= 2;
	cell->documents = repalloc_huge(cell->documents, sizeof(PartDocument) * (Size) cell->capacity);
	cell->rare = repalloc_huge(cell->rare, sizeof(TedRareNodes) * (Size) cell->capacity);
}

/* Adds the document at hand of a part. */
static void
AddDocument(LabelCell *cell, int part, const CellReader *reader)
{
	StringInfoData doc = CellDocument(reader);
	TedRareNodes *rare;
	StringInfoData tree;
	int to_cells;

	ReserveDocument(cell);
	rare = &cell->rare[cell->count];
	rare->count = pq_getmsgbyte(&doc);
	to_cells = pq_getmsgbyte(&doc);
	if (reader->side != 'o' || rare->count > cell->limit + 2 || to_cells > rare->count)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION), errmsg("invalid part of a cell"),
				 errdetail("A document has another side than \"o\", or too many rare nodes."),
				 errhint("Use ted_cut_by_labels() for this distance.")));
	for (int32 i = 0; i < rare->count; i++)
		rare->node[i] = pq_getmsgint(&doc, 4);
	tree = doc;
	cell->documents[cell->count++] = (PartDocument){.id = reader->id,
													.size = ReadLength(&tree),
													.part = part,
													.tree = doc.data + doc.cursor,
													.length = doc.len - doc.cursor,
													.to_cells = to_cells};
}

/* Lists the documents of all parts. */
static void
ListDocuments(LabelCell *cell)
{
	cell->capacity = 64;
	cell->documents = palloc_array(PartDocument, cell->capacity);
	cell->rare = palloc_array(TedRareNodes, cell->capacity);
	for (int i = 0; i < cell->part_count; i++)
	{
		CellReader reader = cell->parts[i].reader;

		while (CellNext(&reader))
			AddDocument(cell, i, &reader);
	}
}

/* Whether a document may match another one of the cell. */
static inline bool
MayMatch(const LabelCell *cell, const TedLabelPairs *pairs, int32 document)
{
	return pairs->first[document + 1] > pairs->first[document] ||
		   cell->documents[document].size < cell->limit + 2;
}

/* Lists the documents that may match others, of which there are as many as are returned. */
static int32
FilterDocuments(LabelCell *cell)
{
	MemoryContext caller = CurrentMemoryContext;
	MemoryContext scratch =
		AllocSetContextCreate(caller, "ted label pairs", ALLOCSET_DEFAULT_SIZES);
	TedLabelPairs pairs;
	TedArena arena;
	int32 count = 0;

	CheckMemoryLimit(sizeof(int32) * (Size) cell->count, JOINING);
	cell->order = palloc_extended(sizeof(int32) * Max((Size) cell->count, 1), MCXT_ALLOC_HUGE);
	MemoryContextSwitchTo(scratch);
	if (!ted_label_pairs_fit(cell->count, cell->limit))
		CheckMemoryLimit(SIZE_MAX, JOINING);
	ArenaInit(&arena, ted_label_pairs_memory(cell->count, cell->limit));
	CheckStatus(
		ted_label_pairs(cell->rare, cell->count, cell->limit, &arena, &PgInterrupt, &pairs));
	for (int32 i = 0; i < cell->count; i++)
		if (MayMatch(cell, &pairs, i))
			cell->order[count++] = i;
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(scratch);
	return count;
}

/* Orders documents by id, and refuses one that occurs twice. */
static inline int
CompareIds(const int32 *a, const int32 *b, const PartDocument *documents)
{
	int64 left = documents[*a].id;
	int64 right = documents[*b].id;

	return (left > right) - (left < right);
}

/* Orders documents by size; those of one size as they came. */
static inline int
CompareSizes(const int32 *a, const int32 *b, const PartDocument *documents)
{
	int32 left = documents[*a].size;
	int32 right = documents[*b].size;

	if (left != right)
		return (left > right) - (left < right);
	return (*a > *b) - (*a < *b);
}

#define ST_SORT SortById
#define ST_ELEMENT_TYPE int32
#define ST_COMPARE(a, b, documents) CompareIds(a, b, documents)
#define ST_COMPARE_ARG_TYPE const PartDocument
#define ST_SCOPE static
#define ST_CHECK_FOR_INTERRUPTS
#define ST_DECLARE
#define ST_DEFINE
#include "lib/sort_template.h"

#define ST_SORT SortBySize
#define ST_ELEMENT_TYPE int32
#define ST_COMPARE(a, b, documents) CompareSizes(a, b, documents)
#define ST_COMPARE_ARG_TYPE const PartDocument
#define ST_SCOPE static
#define ST_CHECK_FOR_INTERRUPTS
#define ST_DECLARE
#define ST_DEFINE
#include "lib/sort_template.h"

/* Refuses an id that occurs twice, of those documents that are read. */
static void
CheckUniqueIds(LabelCell *cell, int32 count)
{
	SortById(cell->order, (size_t) count, cell->documents);
	for (int32 i = 1; i < count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (CompareIds(&cell->order[i - 1], &cell->order[i], cell->documents) == 0)
			RefuseDuplicateId(cell->documents[cell->order[i]].id);
	}
}

/* The documents that may match, each with its place in the list for an id. */
static JoinDocuments *
ReadDocuments(LabelCell *cell, const JoinKind *kind)
{
	JoinDocuments *documents = DocumentsCreate(kind);
	int32 count = FilterDocuments(cell);
	int32 labels = LabelTableCount(cell->labels);
	StringInfoData tree;

	CheckUniqueIds(cell, count);
	SortBySize(cell->order, (size_t) count, cell->documents);
	initStringInfo(&tree);
	for (int32 i = 0; i < count; i++)
	{
		const PartDocument *document = &cell->documents[cell->order[i]];
		const Part *part = &cell->parts[document->part];

		resetStringInfo(&tree);
		appendStringInfoSpaces(&tree, VARHDRSZ);
		TreeAppendRenumbered(&tree, document->tree, document->length, part->reader.labels,
							 part->number, &labels);
		SET_VARSIZE(tree.data, tree.len);
		DocumentsAddInOrder(documents, cell->order[i], 'o', cell->limit,
							PointerGetDatum(tree.data));
	}
	/* the index has arrays by label */
	CheckMemoryLimit(4 * sizeof(int32) * (Size) labels, "comparing trees");
	pfree(tree.data);
	return documents;
}

/* The cell that a pair is of, whose first document has the lower id; -1 where there is none. */
static int32
CellOfPair(const LabelCell *cell, int32 a, int32 b)
{
	const PartDocument *first = &cell->documents[a];
	const PartDocument *second = &cell->documents[b];

	if (first->size <= cell->limit && second->size <= cell->limit)
		return 0;
	for (int32 i = 0; i < first->to_cells; i++)
		for (int32 j = 0; j < second->to_cells; j++)
			if (cell->rare[a].node[i] == cell->rare[b].node[j])
				return CellOfNode(cell->rare[a].node[i], cell->cells);
	return -1;
}

/* Of matches of documents by their places, those that are of the cell, with their ids. */
static JoinMatches *
OwnMatches(const LabelCell *cell, const JoinMatches *found, const JoinKind *kind)
{
	JoinMatches *own = MatchesCreate(kind, NULL);

	for (int64 i = 0; i < MatchesCount(found); i++)
	{
		Match match = MatchesGet(found, i);
		int32 a = (int32) match.left_id;
		int32 b = (int32) match.right_id;

		CHECK_FOR_INTERRUPTS();
		if (cell->documents[a].id > cell->documents[b].id)
		{
			a = (int32) match.right_id;
			b = (int32) match.left_id;
		}
		if (CellOfPair(cell, a, b) == cell->cell)
			MatchesAdd(own, cell->documents[a].id, cell->documents[b].id, match.measure);
	}
	return own;
}

/* All matches that are of a cell, packed. */
Datum
JoinCellParts(ArrayType *parts, int32 number, int32 cells, const JoinKind *kind, int32 max_distance)
{
	LabelCell cell = {.limit = max_distance, .cell = number, .cells = cells};
	JoinDocuments *documents;
	JoinMatches *found;

	CheckLabelCells(max_distance, cells);
	OpenParts(&cell, parts);
	ListDocuments(&cell);
	documents = ReadDocuments(&cell, kind);
	found = FindSimilar(kind, documents, NULL);
	DocumentsClose(documents);
	PG_RETURN_BYTEA_P(PackMatches(OwnMatches(&cell, found, kind), kind));
}
