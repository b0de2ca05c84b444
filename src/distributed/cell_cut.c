/*
 * cell_cut.c
 *	  Cuts the cells of a join over several servers out of packed documents.
 *
 * Trees that share no pair of rare labels (label_pairs.h) with a tree that they would
 * meet in a cell are left out of it.
 */
#include "postgres.h"

#include "funcapi.h"
#include "libpq/pqformat.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/lsyscache.h"

#include "../common/host.h"
#include "../compat.h"
#include "../core/tree/filters/label_pairs.h"
#include "../tree/value/tree.h"
#include "cell_bytes.h"
#include "cell_side.h"

/* Name of the computation in errors about memory. */
#define CUTTING "cutting cells"

/* On which sides of a cell a pair of labels has been seen; the right one has side 'o', too. */
enum
{
	SEEN_LEFT = 1,
	SEEN_RIGHT = 2,
	SEEN_RIGHT_TWICE = 4
};

/* A packed document: what says in which cells it is, all of which read that of all documents. */
typedef struct DocumentKey
{
	int32 size;
	int32 hash; /* see PartHash() */
	char side;
} DocumentKey;

/* The rest of it. */
typedef struct CutDocument
{
	int64 id;
	const char *bytes;
	int32 length;
	bool few; /* it has so few nodes that it may match documents that it shares no pair with */
} CutDocument;

/* A document in the cell at hand. */
typedef struct Member
{
	int32 number;
	char side;
} Member;

/* Cells that are being cut out. */
typedef struct Cut
{
	DocumentType kind;
	uint32 labels;
	DocumentKey *keys;
	CutDocument *documents;
	int32 count;
	int32 capacity;
	Member *members;
	int32 member_count;
	JoinCell *cells;
	int cell_count;
	TedLabelPairs pairs; /* without a filter, there are none */
	uint8 *seen;         /* by pair; NULL without a filter */
} Cut;

/* Makes room for this number of documents. */
static void
ReserveDocuments(Cut *cut, int32 capacity)
{
	Size each = sizeof(DocumentKey) + sizeof(CutDocument) + sizeof(Member);

	CheckMemoryLimit(each * (Size) capacity, CUTTING);
	cut->capacity = capacity;
	cut->keys = repalloc_huge(cut->keys, sizeof(DocumentKey) * (Size) capacity);
	cut->documents = repalloc_huge(cut->documents, sizeof(CutDocument) * (Size) capacity);
}

/* Lists the documents of a packed value. */
static void
ListCellMembers(Cut *cut, bytea *packed)
{
	CellReader reader;

	CellOpen(&reader, packed);
	cut->kind = reader.kind;
	cut->labels = reader.labels;
	cut->capacity = 64;
	cut->keys = palloc_array(DocumentKey, cut->capacity);
	cut->documents = palloc_array(CutDocument, cut->capacity);
	while (CellNext(&reader))
	{
		StringInfoData doc = CellDocument(&reader);

		if (cut->count == cut->capacity)
			ReserveDocuments(cut, 2 * cut->capacity);
		cut->keys[cut->count] = (DocumentKey){
			.size = ReadLength(&doc), .hash = PartHash(reader.id), .side = reader.side};
		cut->documents[cut->count++] =
			(CutDocument){.id = reader.id, .bytes = reader.doc, .length = reader.length};
	}
	cut->members = palloc_extended(sizeof(Member) * Max((Size) cut->count, 1), MCXT_ALLOC_HUGE);
}

/* Reads an array of type ted_join_cell[]. */
static void
ReadCells(Cut *cut, ArrayType *array)
{
	int16 length;
	bool by_value;
	char align;
	Datum *values;
	bool *nulls;

	get_typlenbyvalalign(ARR_ELEMTYPE(array), &length, &by_value, &align);
	deconstruct_array(array, ARR_ELEMTYPE(array), length, by_value, align, &values, &nulls,
					  &cut->cell_count);
	cut->cells = palloc_array(JoinCell, cut->cell_count);
	for (int i = 0; i < cut->cell_count; i++)
	{
		if (nulls[i])
			ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
							errmsg("cell of a join must not be null"),
							errdetail("An element of the array is null."),
							errhint("Use the cells of ted_plan_cells() or ted_grid_cells().")));
		ReadJoinCell(values[i], &cut->cells[i]);
	}
}

/* Counts in how many trees each label occurs. */
static int32 *
CountCellLabels(const Cut *cut, NumberedNodes *nodes)
{
	int32 *frequency = AllocZeros(CurrentMemoryContext, sizeof(int32) * (Size) cut->labels);

	for (int32 i = 0; i < cut->count; i++)
	{
		TreeNumberedNodes(cut->documents[i].bytes, cut->documents[i].length, cut->labels, nodes);
		for (int32 x = 0; x < nodes->label_count; x++)
			frequency[nodes->label[x]]++;
	}
	return frequency;
}

/* The rarest nodes of all trees. */
static TedRareNodes *
FindRareCellNodes(Cut *cut, int32 limit)
{
	TedRareNodes *rare = palloc_extended(sizeof(TedRareNodes) * (Size) cut->count, MCXT_ALLOC_HUGE);
	NumberedNodes nodes = {0};
	TedLabelFrequencies frequencies = {.count = CountCellLabels(cut, &nodes),
									   .mask = PG_UINT32_MAX};

	for (int32 i = 0; i < cut->count; i++)
	{
		CutDocument *document = &cut->documents[i];

		TreeNumberedNodes(document->bytes, document->length, cut->labels, &nodes);
		CheckStatus(ted_rare_nodes(nodes.label, nodes.occurrence, nodes.size, &frequencies, limit,
								   &PgInterrupt, &rare[i]));
		document->few = ted_has_few_nodes(&rare[i], limit);
	}
	return rare;
}

/* Memory that a filter takes. */
static Size
CutFilterMemory(const Cut *cut, int32 limit)
{
	return sizeof(int32) * (Size) cut->labels + sizeof(TedRareNodes) * (Size) cut->count +
		   ted_label_pairs_memory(cut->count, limit);
}

/* A copy of some integers. */
static int32 *
CopyIntegers(const int32 *from, Size count)
{
	int32 *to = palloc_extended(sizeof(int32) * Max(count, 1), MCXT_ALLOC_HUGE);

	return memcpy(to, from, sizeof(int32) * count);
}

/* Finds the pairs of rare labels that trees share, where that pays and there is memory for it. */
static void
MakeCutFilter(Cut *cut, int32 limit)
{
	MemoryContext scratch;
	MemoryContext caller;
	TedLabelPairs pairs;
	TedArena arena;

	if (cut->kind != DOCUMENT_NUMBERED_TREE || limit < 0 || limit > TED_LABEL_PAIRS_LIMIT ||
		!ted_label_pairs_fit(cut->count, limit) ||
		CutFilterMemory(cut, limit) / 1024 >= (Size) ted_max_memory)
		return;
	scratch =
		AllocSetContextCreate(CurrentMemoryContext, "ted label pairs", ALLOCSET_DEFAULT_SIZES);
	caller = MemoryContextSwitchTo(scratch);
	ArenaInit(&arena, ted_label_pairs_memory(cut->count, limit));
	CheckStatus(ted_label_pairs(FindRareCellNodes(cut, limit), NULL, cut->count, limit, &arena,
								&PgInterrupt, &pairs));
	MemoryContextSwitchTo(caller);
	cut->pairs = (TedLabelPairs){.count = pairs.count,
								 .first = CopyIntegers(pairs.first, (Size) cut->count + 1),
								 .pair = CopyIntegers(pairs.pair, (Size) pairs.first[cut->count])};
	cut->seen = palloc_extended(Max((Size) pairs.count, 1), MCXT_ALLOC_HUGE);
	MemoryContextDelete(scratch);
}

/* Notes on which side of a cell the pairs of a document are. */
static void
NoteMemberPairs(const Cut *cut, const Member *member)
{
	bool left = member->side == 'l';

	for (int32 i = cut->pairs.first[member->number]; i < cut->pairs.first[member->number + 1]; i++)
	{
		uint8 *seen = &cut->seen[cut->pairs.pair[i]];

		*seen |= left ? SEEN_LEFT : *seen & SEEN_RIGHT ? SEEN_RIGHT_TWICE : SEEN_RIGHT;
	}
}

/* Whether a document may match another one of the cell. */
static bool
MemberMayMatch(const Cut *cut, const Member *member)
{
	uint8 wanted = member->side == 'l'   ? SEEN_RIGHT
				   : member->side == 'o' ? SEEN_LEFT | SEEN_RIGHT_TWICE
										 : SEEN_LEFT;
	bool found = cut->documents[member->number].few;

	for (int32 i = cut->pairs.first[member->number];
		 i < cut->pairs.first[member->number + 1] && !found; i++)
		found = (cut->seen[cut->pairs.pair[i]] & wanted) != 0;
	return found;
}

/* Lists the documents of a cell, and notes their pairs. */
static void
EnterCell(Cut *cut, const JoinCell *cell)
{
	cut->member_count = 0;
	if (cut->seen != NULL)
		memset(cut->seen, 0, (Size) cut->pairs.count);
	for (int32 i = 0; i < cut->count; i++)
	{
		const DocumentKey *key = &cut->keys[i];
		char side = key->side == 'o' ? SideInCell(cell, key->hash, key->size)
									 : SideInGrid(cell, key->hash, key->side);

		CHECK_FOR_INTERRUPTS();
		if (side == 0)
			continue;
		cut->members[cut->member_count] = (Member){.number = i, .side = side};
		if (cut->seen != NULL)
			NoteMemberPairs(cut, &cut->members[cut->member_count]);
		cut->member_count++;
	}
}

/* The documents of a cell. */
static bytea *
CutCell(Cut *cut, const JoinCell *cell)
{
	CellWriter writer;

	EnterCell(cut, cell);
	CellBegin(&writer, cut->kind, cut->labels);
	for (int32 i = 0; i < cut->member_count; i++)
	{
		const Member *member = &cut->members[i];
		const CutDocument *document = &cut->documents[member->number];

		if (cut->seen == NULL || MemberMayMatch(cut, member))
			CellAdd(&writer, member->side, document->id, document->bytes, document->length);
	}
	return pq_endtypsend(&writer.bytes);
}

/* Returns a row of ted_packed_sizes(), but for no document. */
static void
PutSize(ReturnSetInfo *result, int32 size, int64 count)
{
	Datum values[] = {Int32GetDatum(size), Int64GetDatum(count)};
	bool nulls[] = {false, false};

	if (count > 0)
		tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

PG_FUNCTION_INFO_V1(ted_packed_sizes);

/* The sizes of packed documents, with how many follow each other. */
Datum
ted_packed_sizes(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	CellReader reader;
	int32 size = 0;
	int64 count = 0;

	InitMaterializedSRF(fcinfo, 0);
	CellOpen(&reader, PG_GETARG_BYTEA_PP(0));
	while (CellNext(&reader))
	{
		StringInfoData doc = CellDocument(&reader);
		int32 next = ReadLength(&doc);

		if (next != size)
		{
			PutSize(result, size, count);
			size = next;
			count = 0;
		}
		count++;
	}
	PutSize(result, size, count);
	return (Datum) 0;
}

PG_FUNCTION_INFO_V1(ted_cut_cells);

/* The documents of each of some cells, out of packed ones. */
Datum
ted_cut_cells(PG_FUNCTION_ARGS)
{
	FuncCallContext *call;
	Cut *cut;
	bytea *cell;

	if (SRF_IS_FIRSTCALL())
	{
		MemoryContext caller;

		call = SRF_FIRSTCALL_INIT();
		caller = MemoryContextSwitchTo(call->multi_call_memory_ctx);
		cut = palloc0_object(Cut);
		if (!PG_ARGISNULL(0) && !PG_ARGISNULL(1))
		{
			ReadCells(cut, PG_GETARG_ARRAYTYPE_P(1));
			ListCellMembers(cut, PG_GETARG_BYTEA_PP(0));
			if (!PG_ARGISNULL(2))
				MakeCutFilter(cut, PG_GETARG_INT32(2));
		}
		call->user_fctx = cut;
		MemoryContextSwitchTo(caller);
	}
	call = SRF_PERCALL_SETUP();
	cut = call->user_fctx;
	if (call->call_cntr == (uint64) cut->cell_count)
		SRF_RETURN_DONE(call);
	cell = CutCell(cut, &cut->cells[call->call_cntr]);
	SRF_RETURN_NEXT(call, PointerGetDatum(cell));
}
