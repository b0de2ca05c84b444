/*
 * pairs.c
 *	  Pairs of similar documents of aggregates, window functions and servers.
 */
#include "postgres.h"

#include <math.h>

#include "miscadmin.h"
#include "utils/memutils.h"

#include "../../common/host.h"
#include "../../compat.h"
#include "../../core/common/components.h"
#include "../../tree/costs/cost_type.h"
#include "../search/join_memory.h"
#include "../search/search.h"
#include "linkage.h"
#include "pairs.h"

/* A join of documents under way. */
typedef struct PairJoin
{
	JoinCells cells;
	JoinedCounts counts;
	JoinDocuments *documents;
	bool twice;      /* whether documents of the indexed side are read again as probes */
	bool again;      /* whether they are being read again */
	FoundPair found; /* callback for pairs; NULL if documents are only connected */
	void *arg;
	int32 *parent;    /* components of the documents, if they are connected */
	Linkage *linkage; /* pairs of documents, for complete linkage; or NULL */
} PairJoin;

/* Reads the next document of a side; a ReadJoinedRow. */
static bool
ReadDocument(void *arg, DocumentsSide side, JoinedRow *row)
{
	PairJoin *join = arg;

	if (side == JOIN_INDEXED || !join->twice)
		return DocumentsNext(join->documents, side, row);
	/* all documents of the indexed side have been read before */
	if (!join->again)
		DocumentsBegin(join->documents);
	join->again = true;
	return DocumentsNext(join->documents, JOIN_INDEXED, row);
}

/* Connects the documents of a match; those of one number on the left only if `all`. */
static void
ConnectMatch(PairJoin *join, const JoinRows *left, const JoinRows *right, const Match *match,
			 bool all)
{
	int32 b = (int32) RowsFirst(right, match->inner)->ordinal.number;

	for (JoinRow *a = RowsFirst(left, match->outer); a != NULL; a = all ? RowsAfter(left, a) : NULL)
	{
		CheckInterrupts();
		ted_connect(join->parent, (int32) a->ordinal.number, b);
	}
}

/* Returns the measure of a match. */
static double
MeasureOfMatch(const PairJoin *join, const Match *match)
{
	const CostModel *model = join->cells.plan.model;
	double measure =
		join->documents->kind->measure(match->distance, match->larger_size, match->smaller_size);

	return model == NULL ? measure : measure / model->scale;
}

/* Passes on, or connects, the documents of a match. */
static void
AddPairs(PairJoin *join, const Match *match)
{
	const JoinCells *cells = &join->cells;
	const JoinRows *left = &cells->rows[match->outer_set];
	const JoinRows *right = &cells->rows[match->inner_set];
	bool same_number = match->outer_set == match->inner_set && match->outer == match->inner;
	bool within = match->outer_set == BLOCK_ROWS || cells->open.source == JOIN_INDEXED;
	double measure;

	if (join->linkage != NULL)
	{
		if (match->distance == 0)
			ConnectMatch(join, left, right, match, true);
		else
			LinkageAdd(join->linkage, RowsFirst(left, match->outer)->ordinal.number,
					   RowsFirst(right, match->inner)->ordinal.number,
					   (join->documents->kind->by_similarity ? -1 : 1) *
						   MeasureOfMatch(join, match));
		return;
	}
	if (join->found == NULL)
	{
		/* a document of a block is connected with others of its number as it matches itself */
		ConnectMatch(join, left, right, match, same_number || join->twice);
		return;
	}
	measure = MeasureOfMatch(join, match);
	for (JoinRow *a = RowsFirst(left, match->outer); a != NULL; a = RowsAfter(left, a))
		for (JoinRow *b = RowsFirst(right, match->inner); b != NULL; b = RowsAfter(right, b))
		{
			int64 a_id = a->ordinal.number;
			int64 b_id = b->ordinal.number;

			CheckInterrupts();
			/* both orders of these pairs are found */
			if ((same_number || join->twice) && a_id >= b_id)
				continue;
			join->found(join->arg, within ? Min(a_id, b_id) : a_id, within ? Max(a_id, b_id) : b_id,
						measure);
		}
}

/*
 * Joins the documents: those of the indexed side with each other if `within`, and with those of the
 * other side if `has_probes`.
 */
static void
JoinDocumentsOnce(PairJoin *join, bool within, bool has_probes)
{
	static KeptColumns no_columns = {0};
	JoinDocuments *documents = join->documents;
	const DocumentsOfSide *indexed = &documents->sides[JOIN_INDEXED];
	MemoryContext context =
		AllocSetContextCreate(CurrentMemoryContext, "ted similarity join", ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(context);
	CellsPlan *plan = &join->cells.plan;
	double blocks = indexed->bytes / (double) JoinMemory(JOIN_ONLY_BLOCK_MEMORY, 1);

	plan->within = within;
	plan->has_probes = has_probes;
	plan->kind = DocumentKindOf(documents->kind->documents);
	plan->may_divide = plan->kind->list_nodes != NULL && documents->costs == NULL && plan->cell < 0;
	for (int side = 0; side < 2; side++)
		plan->sides[side] = (JoinedSide){
			.kept = &no_columns,
			.expected_rows = (double) documents->sides[join->twice ? JOIN_INDEXED : side].count};
	plan->connects = join->found == NULL && join->linkage == NULL;
	plan->distances_wanted = !plan->connects;
	plan->read = ReadDocument;
	plan->arg = join;
	plan->scan = documents->scan;
	plan->context = context;
	plan->row = context; /* nothing is allocated there: stored documents are not external */
	plan->expected = blocks > 1 ? (int) Min(ceil(blocks), 1e6) : 0;
	join->cells.counts = &join->counts;
	join->cells.progress.name =
		join->found != NULL ? documents->kind->aggregate : documents->kind->clusters;
	join->again = false;
	DocumentsBegin(documents);
	CellsInit(&join->cells);
	while (CellsNext(&join->cells) != CELLS_NOTHING_LEFT)
		for (const Match *match = join->cells.matches;
			 match < join->cells.matches + join->cells.match_count; match++)
			AddPairs(join, match);
	CellsReset(&join->cells);
	MemoryContextSwitchTo(caller);
	/* the context calls back the progress of the join */
	MemoryContextDelete(context);
	join->cells = (JoinCells){.plan = join->cells.plan, .threshold = join->cells.threshold};
}

/* Joins all documents; `join` has the callback. */
static void
JoinAll(PairJoin *join, ArrayElements elements, int cell)
{
	JoinDocuments *documents = join->documents;
	const JoinKind *kind = documents->kind;
	const CostModel *model =
		documents->costs == NULL ? NULL : DatumGetCostModel(PointerGetDatum(documents->costs));
	bool paired = documents->self || documents->right == 'o';
	/* the smaller id is on the left, where distances may differ in the other order */
	bool both_ways = paired && model != NULL && !CostModelIsSymmetric(model);

	join->cells.plan.elements = elements;
	join->cells.plan.model = model;
	join->cells.plan.cell = cell;
	join->cells.threshold = kind->make_threshold(documents->threshold, model);
	if (MatchesNothing(&join->cells.threshold))
		return;
	if (!both_ways)
		JoinDocumentsOnce(join, paired, !documents->self);
	else
	{
		if (!documents->self)
			JoinDocumentsOnce(join, false, true);
		join->twice = true;
		JoinDocumentsOnce(join, false, true);
	}
}

void
ConnectSimilar(JoinDocuments *documents, int cell, ArrayElements elements, int32 *parent)
{
	PairJoin *join = palloc0_object(PairJoin);

	join->documents = documents;
	join->parent = parent;
	JoinAll(join, elements, cell);
	pfree(join);
}

void
ConnectComplete(JoinDocuments *documents, ArrayElements elements, int32 *parent, int32 ids)
{
	PairJoin *join = palloc0_object(PairJoin);

	/* distances have to be the same in both directions */
	if (documents->costs != NULL &&
		!CostModelIsSymmetric(DatumGetCostModel(PointerGetDatum(documents->costs))))
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("complete linkage needs a model with distances that are the same in "
							   "both directions"),
						errdetail("Inserting a node costs more or less than deleting it."),
						errhint("Use equal costs of \"insert\" and \"delete\", see "
								"tree_costs_symmetric(), or linkage => 'single'.")));

	join->documents = documents;
	join->parent = parent;
	join->linkage = LinkageCreate(parent, ids, "complete linkage");
	JoinAll(join, elements, -1);
	LinkageFinish(join->linkage);
	pfree(join);
}

void
FindPairs(JoinDocuments *documents, int cell, FoundPair found, void *arg)
{
	PairJoin *join = palloc0_object(PairJoin);

	join->documents = documents;
	join->found = found;
	join->arg = arg;
	JoinAll(join, (ArrayElements){0}, cell);
	pfree(join);
}

JoinMatches *
FindSimilar(JoinDocuments *documents, TupleDesc match_type)
{
	JoinMatches *matches = MatchesCreate(documents->kind, match_type);

	FindPairs(documents, -1, MatchesAdd, matches);
	return matches;
}
