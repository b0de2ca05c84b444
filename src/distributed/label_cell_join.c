/*
 * label_cell_join.c
 *	  Joins a cell by labels (label_cell.h), whose documents come in several parts.
 *
 * A pair of trees that is of the cell has a node in common that leads to it, and another one
 * of the rarest.  Trees that share no such two nodes with one of about their size, in a pair
 * of the cell, are not read.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "libpq/pqformat.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/memutils.h"

#include "../common/host.h"
#include "../compat.h"
#include "../join/aggregate/sorted_join.h"
#include "../tree/value/tree.h"
#include "cell_bytes.h"
#include "cell_matches.h"
#include "label_cell.h"

/* Name of the computation in errors about memory. */
#define JOINING "joining a cell"

/* If more documents than this share two nodes, all of them may match, without a comparison. */
#define MOST_COMPARED 64

/* A part of a cell. */
typedef struct Part
{
	struct LabelCell *cell;
	CellReader reader;    /* in front of the documents */
	Label *labels;        /* no bytes for those of one tree alone */
	LabelNumbers numbers; /* of its labels in the cell */
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
	LabelTable *labels; /* those of documents that are read, but for those of one tree alone */
	int32 *number;      /* by that */
	int32 interned;
	int32 interned_capacity;
	int32 numbers; /* of all labels */
	PartDocument *documents;
	TedRareNodes *rare; /* by document */
	uint8 *wanted;      /* and which of these lead to the cell, as bits */
	int32 count;
	int32 capacity;
	int32 *order; /* of documents, by size */
} LabelCell;

/* The number in the cell of a label of a part that has none yet. */
static int32
NumberCellLabel(void *arg, uint32 number)
{
	const Part *part = arg;
	LabelCell *cell = part->cell;
	Label label = part->labels[number];
	int32 id;

	if (label.bytes == NULL)
		return cell->numbers++;
	id = LabelTableIntern(cell->labels, label.bytes, label.length);
	if (id == cell->interned)
	{
		if (id == cell->interned_capacity)
			cell->number =
				GrowArray(cell->number, &cell->interned_capacity, sizeof(int32), JOINING);
		cell->number[cell->interned++] = cell->numbers++;
	}
	return cell->number[id];
}

/* Lists the labels of a part. */
static void
ListPartLabels(LabelCell *cell, bytea *packed, Part *part)
{
	CellReader *reader = &part->reader;
	Size labels;

	CellOpenPart(reader, packed, DOCUMENT_NUMBERED_TREE);
	labels = Max((Size) reader->labels, 1);
	CheckMemoryLimit((sizeof(int32) + sizeof(Label)) * labels, JOINING);
	part->cell = cell;
	part->labels = palloc_extended(sizeof(Label) * labels, MCXT_ALLOC_HUGE);
	part->numbers =
		(LabelNumbers){.labels = reader->labels,
					   .number = palloc_extended(sizeof(int32) * labels, MCXT_ALLOC_HUGE),
					   .give = NumberCellLabel,
					   .arg = part};
	memset(part->numbers.number, -1, sizeof(int32) * labels);
	for (uint32 i = 0; i < reader->labels; i++)
		if (!CellNextLabel(reader, &part->labels[i]))
			part->labels[i] = (Label){NULL, 0};
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
	cell->interned_capacity = 64;
	cell->number = palloc_array(int32, cell->interned_capacity);
	for (int i = 0; i < cell->part_count; i++)
	{
		if (nulls[i])
			ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
							errmsg("part of a cell must not be null"),
							errdetail("An element of the array is null."),
							errhint("Use the parts of ted_cut_by_labels().")));
		ListPartLabels(cell, DatumGetByteaPP(values[i]), &cell->parts[i]);
	}
}

/* Makes room for another document. */
static void
ReserveDocument(LabelCell *cell)
{
	if (cell->count < cell->capacity)
		return;
	CheckMemoryLimit(2 * (sizeof(PartDocument) + sizeof(TedRareNodes) + 1) * (Size) cell->capacity,
					 JOINING);
	cell->capacity *= 2;
	cell->documents = repalloc_huge(cell->documents, sizeof(PartDocument) * (Size) cell->capacity);
	cell->rare = repalloc_huge(cell->rare, sizeof(TedRareNodes) * (Size) cell->capacity);
	cell->wanted = repalloc_huge(cell->wanted, (Size) cell->capacity);
}

/* Adds the document at hand of a part. */
static void
AddPartDocument(LabelCell *cell, int part, const CellReader *reader)
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
	cell->wanted[cell->count] = 0;
	for (int32 i = 0; i < rare->count; i++)
	{
		rare->node[i] = pq_getmsgint(&doc, 4);
		if (i < to_cells && CellOfNode(rare->node[i], cell->cells) == cell->cell)
			cell->wanted[cell->count] |= (uint8) (1 << i);
	}
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
ListPartDocuments(LabelCell *cell)
{
	cell->capacity = 64;
	cell->documents = palloc_array(PartDocument, cell->capacity);
	cell->rare = palloc_array(TedRareNodes, cell->capacity);
	cell->wanted = palloc_array(uint8, cell->capacity);
	for (int i = 0; i < cell->part_count; i++)
	{
		CellReader reader = cell->parts[i].reader;

		while (CellNext(&reader))
			AddPartDocument(cell, i, &reader);
	}
}

/* The cell that a pair is of; -1 where there is none. */
static int32
CellOfPair(const LabelCell *cell, int32 a, int32 b)
{
	const PartDocument *first = &cell->documents[a];
	const PartDocument *second = &cell->documents[b];

	if (first->id > second->id)
		return CellOfPair(cell, b, a);
	if (first->size <= cell->limit && second->size <= cell->limit)
		return 0;
	for (int32 i = 0; i < first->to_cells; i++)
		for (int32 j = 0; j < second->to_cells; j++)
			if (cell->rare[a].node[i] == cell->rare[b].node[j])
				return CellOfNode(cell->rare[a].node[i], cell->cells);
	return -1;
}

/* Notes that two documents may match, if that is a pair of the cell. */
static inline void
NotePair(const LabelCell *cell, int32 a, int32 b, bool *may_match)
{
	if ((!may_match[a] || !may_match[b]) &&
		abs(cell->documents[a].size - cell->documents[b].size) <= cell->limit &&
		CellOfPair(cell, a, b) == cell->cell)
		may_match[a] = may_match[b] = true;
}

/* Notes which of the documents that share two nodes may match, all of them where these are many. */
static void
NoteSharingPairs(const LabelCell *cell, const int32 *documents, int32 count, bool *may_match)
{
	CHECK_FOR_INTERRUPTS();
	for (int32 i = 0; i < count; i++)
		if (count > MOST_COMPARED)
			may_match[documents[i]] = true;
		else
			for (int32 j = 0; j < i; j++)
				NotePair(cell, documents[j], documents[i], may_match);
}

/* Notes which documents may match another one: by each two nodes, those that share them. */
static void
NoteMatching(const LabelCell *cell, const TedLabelPairs *pairs, bool *may_match)
{
	Size shared = (Size) pairs->first[cell->count];
	int32 *end = AllocZeros(CurrentMemoryContext, sizeof(int32) * ((Size) pairs->count + 1));
	int32 *sharing = palloc_extended(sizeof(int32) * Max(shared, 1), MCXT_ALLOC_HUGE);

	for (Size i = 0; i < shared; i++)
		end[pairs->pair[i] + 1]++;
	for (int32 pair = 0; pair < pairs->count; pair++)
		end[pair + 1] += end[pair];
	for (int32 document = 0; document < cell->count; document++)
	{
		CHECK_FOR_INTERRUPTS();
		may_match[document] = cell->documents[document].size < cell->limit + 2;
		for (int32 i = pairs->first[document]; i < pairs->first[document + 1]; i++)
			sharing[end[pairs->pair[i]]++] = document;
	}
	for (int32 pair = 0, begin = 0; pair < pairs->count; begin = end[pair++])
		NoteSharingPairs(cell, &sharing[begin], end[pair] - begin, may_match);
}

/* Memory of the filter. */
static Size
LabelFilterMemory(const LabelCell *cell)
{
	Size pairs = ted_label_pairs_memory(cell->count, cell->limit);

	/* of each pair there are at least two slots of 8 bytes, and two documents */
	return 2 * pairs + (sizeof(int32) + sizeof(bool)) * (Size) cell->count;
}

/* Lists the documents that may match others; returns their number. */
static int32
FilterDocuments(LabelCell *cell)
{
	MemoryContext caller = CurrentMemoryContext;
	MemoryContext scratch =
		AllocSetContextCreate(caller, "ted label pairs", ALLOCSET_DEFAULT_SIZES);
	bool *may_match;
	TedLabelPairs pairs;
	TedArena arena;
	int32 count = 0;

	CheckMemoryLimit(ted_label_pairs_fit(cell->count, cell->limit) ? LabelFilterMemory(cell)
																   : SIZE_MAX,
					 JOINING);
	cell->order = palloc_extended(sizeof(int32) * Max((Size) cell->count, 1), MCXT_ALLOC_HUGE);
	MemoryContextSwitchTo(scratch);
	may_match = palloc_extended(Max((Size) cell->count, 1), MCXT_ALLOC_HUGE);
	ArenaInit(&arena, ted_label_pairs_memory(cell->count, cell->limit));
	CheckStatus(ted_label_pairs(cell->rare, cell->wanted, cell->count, cell->limit, &arena,
								&PgInterrupt, &pairs));
	NoteMatching(cell, &pairs, may_match);
	for (int32 i = 0; i < cell->count; i++)
		if (may_match[i])
			cell->order[count++] = i;
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(scratch);
	return count;
}

/* Orders documents by id. */
static inline int
ComparePartIds(const int32 *a, const int32 *b, const PartDocument *documents)
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

#define ST_SORT SortPartsById
#define ST_ELEMENT_TYPE int32
#define ST_COMPARE(a, b, documents) ComparePartIds(a, b, documents)
#define ST_COMPARE_ARG_TYPE const PartDocument
#define ST_SCOPE static
#define ST_CHECK_FOR_INTERRUPTS
#define ST_DECLARE
#define ST_DEFINE
#include "lib/sort_template.h"

#define ST_SORT SortPartsBySize
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
CheckUniqueCellIds(LabelCell *cell, int32 count)
{
	SortPartsById(cell->order, (size_t) count, cell->documents);
	for (int32 i = 1; i < count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (ComparePartIds(&cell->order[i - 1], &cell->order[i], cell->documents) == 0)
			RefuseDuplicateId(cell->documents[cell->order[i]].id);
	}
}

/* The documents that may match, each with its place in the list for an id. */
static JoinDocuments *
ReadDocuments(LabelCell *cell, const JoinKind *kind)
{
	JoinDocuments *documents = DocumentsCreate(kind);
	int32 count = FilterDocuments(cell);
	StringInfoData tree;

	CheckUniqueCellIds(cell, count);
	SortPartsBySize(cell->order, (size_t) count, cell->documents);
	initStringInfo(&tree);
	for (int32 i = 0; i < count; i++)
	{
		const PartDocument *document = &cell->documents[cell->order[i]];

		resetStringInfo(&tree);
		appendStringInfoSpaces(&tree, VARHDRSZ);
		TreeAppendRenumbered(&tree, document->tree, document->length,
							 &cell->parts[document->part].numbers);
		SET_VARSIZE(tree.data, tree.len);
		DocumentsAddInOrder(documents, cell->order[i], 'o', cell->limit,
							PointerGetDatum(tree.data));
	}
	/* the index has arrays by label */
	CheckMemoryLimit(4 * sizeof(int32) * (Size) cell->numbers, "comparing trees");
	pfree(tree.data);
	return documents;
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
		int64 left = cell->documents[a].id;
		int64 right = cell->documents[b].id;

		CHECK_FOR_INTERRUPTS();
		if (CellOfPair(cell, a, b) == cell->cell)
			MatchesAdd(own, Min(left, right), Max(left, right), match.measure);
	}
	return own;
}

PG_FUNCTION_INFO_V1(tree_join_parts);

/* All matches that are of a cell by labels, packed; its documents come in several parts. */
Datum
tree_join_parts(PG_FUNCTION_ARGS)
{
	ArrayType *parts = PG_GETARG_ARRAYTYPE_P(0);
	LabelCell cell = {
		.limit = PG_GETARG_INT32(3), .cell = PG_GETARG_INT32(1), .cells = PG_GETARG_INT32(2)};
	JoinDocuments *documents;
	JoinMatches *found;

	CheckLabelCells(cell.limit, cell.cells);
	OpenParts(&cell, parts);
	ListPartDocuments(&cell);
	documents = ReadDocuments(&cell, &NumberedTreeJoin);
	found = FindSimilar(&NumberedTreeJoin, documents, NULL);
	DocumentsClose(documents);
	PG_RETURN_BYTEA_P(PackMatches(OwnMatches(&cell, found, &NumberedTreeJoin), &NumberedTreeJoin));
}
