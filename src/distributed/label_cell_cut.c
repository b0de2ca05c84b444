/*
 * label_cell_cut.c
 *	  Counts the labels of packed trees, and cuts parts of cells by labels (label_cell.h) out
 *	  of them.
 */
#include "postgres.h"

#include "common/hashfn.h"
#include "funcapi.h"
#include "libpq/pqformat.h"
#include "miscadmin.h"

#include "../common/host.h"
#include "../compat.h"
#include "../tree/value/tree.h"
#include "cell_bytes.h"
#include "label_cell.h"

/* Counts of labels, by the lowest bits of a hash. */
#define LABEL_COUNTS 65536
#define COUNTS_BYTES (VARHDRSZ + sizeof(int32) * LABEL_COUNTS)

/* Name of the computation in errors about memory. */
#define CUTTING "cutting cells"

/* A label of a part. */
typedef struct PartLabel
{
	Label label;
	uint32 hash;
} PartLabel;

/* A document of a part, and in which cells it is. */
typedef struct PartDocument
{
	int64 id;
	const char *bytes;
	int32 length;
	int8 to_cells; /* of its rarest nodes */
	TedRareNodes rare;
} PartDocument;

/* A document in a cell. */
typedef struct Entry
{
	int32 cell;
	int32 document;
} Entry;

/* Cells that are being cut out. */
typedef struct LabelCut
{
	const int32 *counts;
	int32 limit; /* k */
	int32 cells;
	PartLabel *labels;
	PartDocument *documents;
	int32 document_count;
	int32 document_capacity;
	Entry *entries;
	int32 entry_count;
	int32 entry_capacity;
	LabelNumbers numbers; /* of labels in the part that is being written */
	uint32 *numbered;     /* labels by these */
	int32 numbered_count;
} LabelCut;

/* Refuses what there are no such cells for. */
void
CheckLabelCells(int32 max_distance, int32 cells)
{
	if (max_distance < 0 || max_distance > TED_LABEL_PAIRS_LIMIT)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("maximum distance of cells by labels must be between 0 and %d",
							   TED_LABEL_PAIRS_LIMIT),
						errdetail("The maximum distance is %d.", max_distance),
						errhint("Use the cells of ted_join_cells().")));
	if (cells < 1)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("number of cells must be positive"),
						errdetail("The number of cells is %d.", cells),
						errhint("Use at least one cell.")));
}

/* The counts in a value. */
static int32 *
GetCounts(bytea *counts)
{
	if (VARSIZE(counts) != COUNTS_BYTES)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("invalid counts of labels"),
				 errdetail("They have %d bytes instead of %d.", (int) VARSIZE(counts),
						   (int) COUNTS_BYTES),
				 errhint("Use the aggregate ted_count_labels().")));
	return (int32 *) VARDATA(counts);
}

/* The state of the aggregate, in its memory. */
static bytea *
CountsState(FunctionCallInfo fcinfo)
{
	MemoryContext context;
	bytea *state;

	if (!AggCheckCallContext(fcinfo, &context))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("support function of ted_count_labels() called outside of an aggregate"),
				 errdetail("It changes its state, which is an aggregate's."),
				 errhint("Use the aggregate ted_count_labels().")));
	if (!PG_ARGISNULL(0))
		return PG_GETARG_BYTEA_P(0);
	state = MemoryContextAllocZero(context, COUNTS_BYTES);
	SET_VARSIZE(state, COUNTS_BYTES);
	return state;
}

/* Starts reading part of a cell, which has to consist of trees, and reads its labels. */
static PartLabel *
ReadCutPart(bytea *part, CellReader *reader)
{
	PartLabel *labels;

	CellOpenPart(reader, part, DOCUMENT_NUMBERED_TREE);
	CheckMemoryLimit(sizeof(PartLabel) * (Size) reader->labels, CUTTING);
	labels = palloc_extended(sizeof(PartLabel) * Max((Size) reader->labels, 1), MCXT_ALLOC_HUGE);
	for (uint32 i = 0; i < reader->labels; i++)
	{
		Label *label = &labels[i].label;

		if (!CellNextLabel(reader, label))
			*label = (Label){"", 0};
		labels[i].hash = hash_bytes((const unsigned char *) label->bytes, label->length);
	}
	return labels;
}

PG_FUNCTION_INFO_V1(ted_count_labels_transfn);

/* Counts the trees of a part in which each label occurs. */
Datum
ted_count_labels_transfn(PG_FUNCTION_ARGS)
{
	bytea *state = CountsState(fcinfo);
	int32 *counts = GetCounts(state);
	NumberedNodes nodes = {0};
	CellReader reader;
	PartLabel *labels;

	if (PG_ARGISNULL(1))
		PG_RETURN_BYTEA_P(state);
	labels = ReadCutPart(PG_GETARG_BYTEA_PP(1), &reader);
	while (CellNext(&reader))
	{
		TreeNumberedNodes(reader.doc, reader.length, reader.labels, &nodes);
		for (int32 i = 0; i < nodes.label_count; i++)
			counts[labels[nodes.label[i]].hash % LABEL_COUNTS]++;
	}
	pfree(labels);
	PG_RETURN_BYTEA_P(state);
}

PG_FUNCTION_INFO_V1(ted_count_labels_combine);

/* Adds the counts of one state to another. */
Datum
ted_count_labels_combine(PG_FUNCTION_ARGS)
{
	bytea *state = CountsState(fcinfo);
	int32 *counts = GetCounts(state);
	const int32 *others;

	if (PG_ARGISNULL(1))
		PG_RETURN_BYTEA_P(state);
	others = GetCounts(PG_GETARG_BYTEA_P(1));
	for (int32 i = 0; i < LABEL_COUNTS; i++)
		counts[i] += others[i];
	PG_RETURN_BYTEA_P(state);
}

/* Puts a document into a cell, where it may be already. */
static void
Enter(LabelCut *cut, int32 document, int32 cell)
{
	for (int32 i = cut->entry_count; i > 0 && cut->entries[i - 1].document == document; i--)
		if (cut->entries[i - 1].cell == cell)
			return;
	if (cut->entry_count == cut->entry_capacity)
		cut->entries = GrowArray(cut->entries, &cut->entry_capacity, sizeof(Entry), CUTTING);
	cut->entries[cut->entry_count++] = (Entry){.cell = cell, .document = document};
}

/* Finds the rarest nodes of a document that other trees have, too. */
static void
FindRareSharedNodes(const LabelCut *cut, NumberedNodes *nodes, PartDocument *document)
{
	TedLabelFrequencies frequencies = {.count = cut->counts, .mask = LABEL_COUNTS - 1};
	int32 alone;
	int32 count = 0;

	for (int32 i = 0; i < nodes->size; i++)
	{
		uint32 hash = cut->labels[nodes->label[i]].hash;

		CHECK_FOR_INTERRUPTS();
		if (cut->counts[hash % LABEL_COUNTS] == 1)
			continue;
		nodes->label[count] = (int32) hash;
		nodes->occurrence[count++] = nodes->occurrence[i];
	}
	alone = nodes->size - count;
	CheckStatus(ted_rare_nodes(nodes->label, nodes->occurrence, count, &frequencies, cut->limit,
							   &PgInterrupt, &document->rare));
	document->to_cells = (int8) Min(Max(cut->limit + 1 - alone, 0), document->rare.count);
	document->rare.count = Min(Max(cut->limit + 2 - alone, 0), document->rare.count);
}

/* Adds a document, and puts it into its cells. */
static void
AddCutDocument(LabelCut *cut, const CellReader *reader, NumberedNodes *nodes)
{
	PartDocument *document;

	if (cut->document_count == cut->document_capacity)
		cut->documents =
			GrowArray(cut->documents, &cut->document_capacity, sizeof(PartDocument), CUTTING);
	document = &cut->documents[cut->document_count];
	*document = (PartDocument){.id = reader->id, .bytes = reader->doc, .length = reader->length};
	TreeNumberedNodes(reader->doc, reader->length, reader->labels, nodes);
	FindRareSharedNodes(cut, nodes, document);
	if (nodes->size <= cut->limit)
		Enter(cut, cut->document_count, 0);
	for (int32 i = 0; i < document->to_cells; i++)
		Enter(cut, cut->document_count, CellOfNode(document->rare.node[i], cut->cells));
	cut->document_count++;
}

/* Orders documents by cell, and those of a cell as they came. */
static inline int
CompareEntries(const Entry *a, const Entry *b)
{
	if (a->cell != b->cell)
		return (a->cell > b->cell) - (a->cell < b->cell);
	return (a->document > b->document) - (a->document < b->document);
}

#define ST_SORT SortEntries
#define ST_ELEMENT_TYPE Entry
#define ST_COMPARE(a, b) CompareEntries(a, b)
#define ST_SCOPE static
#define ST_CHECK_FOR_INTERRUPTS
#define ST_DECLARE
#define ST_DEFINE
#include "lib/sort_template.h"

/* Gives a label the next number. */
static int32
NumberCutLabel(void *arg, uint32 label)
{
	LabelCut *cut = arg;

	cut->numbered[cut->numbered_count] = label;
	return cut->numbered_count++;
}

/* Writes a document, with its rarest nodes in front of it. */
static void
WriteCutDocument(const LabelCut *cut, const PartDocument *document, StringInfo scratch,
				 CellWriter *writer)
{
	resetStringInfo(scratch);
	pq_sendbyte(scratch, (uint8) document->rare.count);
	pq_sendbyte(scratch, (uint8) document->to_cells);
	for (int32 i = 0; i < document->rare.count; i++)
		pq_sendint32(scratch, document->rare.node[i]);
	TreeAppendRenumbered(scratch, document->bytes, document->length, &cut->numbers);
	CellAdd(writer, 'o', document->id, scratch->data, scratch->len);
}

/* Writes the labels that have got numbers, and takes these away. */
static void
WriteCutLabels(LabelCut *cut, CellWriter *writer)
{
	for (int32 i = 0; i < cut->numbered_count; i++)
	{
		const PartLabel *label = &cut->labels[cut->numbered[i]];
		bool alone = cut->counts[label->hash % LABEL_COUNTS] == 1;

		CellAddLabel(writer, alone ? NULL : &label->label);
		cut->numbers.number[cut->numbered[i]] = -1;
	}
	cut->numbered_count = 0;
}

/* What this part has of a cell: the documents of some entries. */
static bytea *
CutPart(LabelCut *cut, const Entry *entries, int32 count)
{
	CellWriter documents = {0};
	CellWriter part;
	StringInfoData scratch;

	initStringInfo(&documents.bytes);
	initStringInfo(&scratch);
	for (int32 i = 0; i < count; i++)
		WriteCutDocument(cut, &cut->documents[entries[i].document], &scratch, &documents);
	CellBegin(&part, DOCUMENT_NUMBERED_TREE, (uint32) cut->numbered_count);
	WriteCutLabels(cut, &part);
	CheckDocumentsSize((Size) part.bytes.len + (Size) documents.bytes.len);
	appendBinaryStringInfo(&part.bytes, documents.bytes.data, documents.bytes.len);
	pfree(documents.bytes.data);
	pfree(scratch.data);
	return pq_endtypsend(&part.bytes);
}

/* Starts cutting: reads all documents. */
static void
ReadPart(LabelCut *cut, bytea *part)
{
	NumberedNodes nodes = {0};
	CellReader reader;
	Size labels;

	cut->labels = ReadCutPart(part, &reader);
	labels = Max((Size) reader.labels, 1);
	CheckMemoryLimit(2 * sizeof(int32) * labels, CUTTING);
	cut->numbers =
		(LabelNumbers){.labels = reader.labels,
					   .number = palloc_extended(sizeof(int32) * labels, MCXT_ALLOC_HUGE),
					   .give = NumberCutLabel,
					   .arg = cut};
	memset(cut->numbers.number, -1, sizeof(int32) * labels);
	cut->numbered = palloc_extended(sizeof(int32) * labels, MCXT_ALLOC_HUGE);
	cut->document_capacity = cut->entry_capacity = 64;
	cut->documents = palloc_array(PartDocument, cut->document_capacity);
	cut->entries = palloc_array(Entry, cut->entry_capacity);
	while (CellNext(&reader))
		AddCutDocument(cut, &reader, &nodes);
}

PG_FUNCTION_INFO_V1(ted_cut_by_labels);

/* What documents that are packed in one part, with their labels, have of each cell by labels. */
Datum
ted_cut_by_labels(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	LabelCut cut = {.counts = GetCounts(PG_GETARG_BYTEA_P(1)),
					.cells = PG_GETARG_INT32(2),
					.limit = PG_GETARG_INT32(3)};

	CheckLabelCells(cut.limit, cut.cells);
	InitMaterializedSRF(fcinfo, 0);
	ReadPart(&cut, PG_GETARG_BYTEA_PP(0));
	SortEntries(cut.entries, (size_t) cut.entry_count);
	for (int32 i = 0, end = 0; i < cut.entry_count; i = end)
	{
		Datum values[2];
		bool nulls[2] = {false, false};

		while (end < cut.entry_count && cut.entries[end].cell == cut.entries[i].cell)
			end++;
		values[0] = Int32GetDatum(cut.entries[i].cell);
		values[1] = PointerGetDatum(CutPart(&cut, &cut.entries[i], end - i));
		tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
		pfree(DatumGetPointer(values[1]));
	}
	return (Datum) 0;
}
