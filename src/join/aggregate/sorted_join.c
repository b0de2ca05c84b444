/*
 * sorted_join.c
 *	  Threshold joins of sorted documents of any kind.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "../../common/host.h"
#include "../../common/progress.h"
#include "../../compat.h"
#include "../../core/common/components.h"
#include "../../tree/costs/cost_type.h"
#include "sorted_join.h"
#include "../search/join_memory.h"
#include "../search/search.h"

/* Id of a document, in a linked list of documents with the same number. */
typedef struct ChainedId
{
	int64 id;
	int32 next; /* index of the next id in the list; -1 at the end */
} ChainedId;

/* Lists of the ids of documents with the same number. */
typedef struct Chains
{
	int32 *first; /* index of the first id, by number */
	ChainedId *ids;
	int32 numbers;
	int32 count;
	int32 capacity;
} Chains;

/*
 * Which pairs of indexed documents are kept; the smaller id is on the left.  If distances differ by
 * direction, one join finds the pairs whose left document is looked up, and a second join the
 * others.
 */
typedef enum KeptPairs
{
	KEEP_ALL,
	KEEP_FROM_LEFT,
	KEEP_FROM_RIGHT /* with the transposed cost model */
} KeptPairs;

/* A join under way. */
typedef struct Join
{
	const JoinKind *kind;
	JoinDocuments *documents;
	ArrayElements elements; /* of documents that are arrays */
	const CostModel *model; /* cost model, or NULL */
	DocumentThreshold threshold;
	bool paired;             /* whether pairs of indexed documents are wanted */
	KeptPairs kept;          /* which of these pairs are kept */
	bool by_order;           /* whether the smaller id of the pairs being found goes to the left */
	FoundPair found;         /* callback for pairs; NULL if documents are only connected */
	PairElsewhere elsewhere; /* callback for pairs to leave out; or NULL */
	void *arg;               /* argument of both callbacks */
	int32 *parent;           /* components of the documents, if they are connected */
	bool done;               /* whether all documents to be indexed have been read */
	JoinPipeline *block;
	JoinCounts counts;
	int32 least_size;    /* least size of a document in the block */
	int32 greatest_size; /* and greatest size */
	Chains indexed;
	Chains probes;
	const Chains *searched; /* the documents that are looked up: &indexed or &probes */
	const char *phase;
	ProgressOperation progress;
	int64 blocks_documents; /* documents of the blocks before this one */
	int64 probes_before;    /* probes of earlier chunks of the block */
	int64 passed_over;      /* probes of the last chunk that the filter excluded */
	int64 probes_expected;  /* estimated probes of the block */
} Join;

/* Makes empty lists. */
static Chains
MakeChains(void)
{
	Chains chains = {.capacity = 64};

	chains.first = palloc_array(int32, chains.capacity);
	chains.ids = palloc_array(ChainedId, chains.capacity);
	return chains;
}

/* Returns the bytes of the lists. */
static Size
ChainsMemory(const Chains *chains)
{
	return (sizeof(int32) + sizeof(ChainedId)) * (Size) chains->capacity;
}

/* Adds an id to the list of its number; a new number is the next one. */
static void
AddToChain(Chains *chains, int32 number, int64 id)
{
	int32 capacity = chains->capacity;

	RESERVE(NULL, chains->first, capacity, (int64) chains->count + 1);
	RESERVE(NULL, chains->ids, chains->capacity, (int64) chains->count + 1);
	if (number == chains->numbers)
		chains->first[chains->numbers++] = -1;
	chains->ids[chains->count] = (ChainedId){id, chains->first[number]};
	chains->first[number] = chains->count++;
}

/* Passes on a pair of documents, unless the other join of KeptPairs finds it. */
static void
AddSortedMatch(Join *join, int64 a, int64 b, double measure)
{
	bool swap = join->by_order && a > b;

	CheckInterrupts();
	if (join->by_order && join->kept == (swap ? KEEP_FROM_LEFT : KEEP_FROM_RIGHT))
		return;
	join->found(join->arg, swap ? b : a, swap ? a : b, measure);
}

/* Connects all documents of two numbers, whose indexed documents are connected with each other. */
static void
ConnectDocuments(const Join *join, int32 probe, int32 indexed)
{
	const Chains *searched = join->searched;
	int32 b = (int32) join->indexed.ids[join->indexed.first[indexed]].id;

	for (int32 a = searched->first[probe]; a >= 0; a = searched->ids[a].next)
	{
		CheckInterrupts();
		ted_connect(join->parent, (int32) searched->ids[a].id, b);
	}
}

/* Whether the pairs of documents of two numbers are found elsewhere. */
static bool
IsLeftOut(void *arg, DocumentsSide side, int32 probe, int32 indexed)
{
	const Join *join = arg;
	const Chains *searched = side == JOIN_INDEXED ? &join->indexed : &join->probes;

	return join->elsewhere != NULL &&
		   join->elsewhere(join->arg, searched->ids[searched->first[probe]].id,
						   join->indexed.ids[join->indexed.first[indexed]].id);
}

/* Passes on all pairs of documents of two numbers, which match. */
static void
AddPairs(void *arg, int32 probe, int32 indexed, int32 distance, int32 larger_size,
		 int32 smaller_size)
{
	Join *join = arg;
	const ChainedId *probes = join->searched->ids;
	const ChainedId *ids = join->indexed.ids;
	double measure = join->kind->measure(distance, larger_size, smaller_size);

	if (join->model != NULL)
		measure /= join->model->scale;
	if (join->found == NULL)
	{
		ConnectDocuments(join, probe, indexed);
		return;
	}
	if (IsLeftOut(join, join->searched == &join->indexed ? JOIN_INDEXED : JOIN_PROBES, probe,
				  indexed))
		return;
	for (int32 a = join->searched->first[probe]; a >= 0; a = probes[a].next)
		for (int32 b = join->indexed.first[indexed]; b >= 0; b = ids[b].next)
			AddSortedMatch(join, probes[a].id, ids[b].id, measure);
}

/* Connects the indexed documents that have the same number. */
static void
ConnectEqual(const Join *join)
{
	for (int32 number = 0; number < join->indexed.numbers; number++)
	{
		const ChainedId *first = &join->indexed.ids[join->indexed.first[number]];

		for (int32 a = first->next; a >= 0; a = join->indexed.ids[a].next)
		{
			CheckInterrupts();
			ted_connect(join->parent, (int32) first->id, (int32) join->indexed.ids[a].id);
		}
	}
}

/* Passes on all pairs of indexed documents that have the same number. */
static void
AddEqual(Join *join)
{
	const ChainedId *ids = join->indexed.ids;
	double equal = join->kind->measure(0, 0, 0);

	if (join->found == NULL)
	{
		ConnectEqual(join);
		return;
	}
	for (int32 number = 0; number < join->indexed.numbers; number++)
	{
		if (IsLeftOut(join, JOIN_INDEXED, number, number))
			continue;
		for (int32 a = join->indexed.first[number]; a >= 0; a = ids[a].next)
			for (int32 b = ids[a].next; b >= 0; b = ids[b].next)
				AddSortedMatch(join, ids[a].id, ids[b].id, equal);
	}
}

/* Estimates the part of the block's work that is done; its own documents come before probes. */
static double
BlockPart(const Join *join)
{
	double probes;

	if (join->searched == &join->indexed)
		return PipelineOwnPart(join->block, 0) / (join->probes_expected > 0 ? 2 : 1);
	probes = join->probes_before +
			 join->probes.count * PipelineLookedUp(join->block) / Max(join->probes.numbers, 1);
	probes = Min(probes / Max(join->probes_expected, 1), 1);
	return join->paired ? (1 + probes) / 2 : probes;
}

/* Reports the progress of the join.  As documents are sorted, blocks take similar time. */
static void
ReportSortedJoin(void *arg, ProgressReport *report)
{
	const Join *join = arg;
	double documents = (double) DocumentsCount(join->documents, JOIN_INDEXED);
	double share;

	report->phase = join->phase;
	report->own = (ProgressCounts){.documents = DocumentsCount(join->documents, JOIN_INDEXED) +
												DocumentsCount(join->documents, JOIN_PROBES),
								   .pairs = join->counts.window,
								   .verified = join->counts.verified,
								   .results = join->counts.found};
	report->all = report->own;
	/* unknown for a side that is joined both with itself and with the other side */
	if (join->searched == NULL || join->paired != DocumentsAreSelf(join->documents))
		return;
	share = (join->blocks_documents + join->indexed.count * BlockPart(join)) / documents;
	if (join->kept != KEEP_ALL)
		share = (share + (join->kept == KEEP_FROM_RIGHT)) / 2;
	report->share = share;
}

/* Returns the bytes that grow with the documents read. */
static Size
SortedJoinMemoryUsed(const Join *join)
{
	return PipelineMemory(join->block) + ChainsMemory(&join->indexed) + ChainsMemory(&join->probes);
}

/* Reads as many documents to be indexed as fit in the memory of a block. */
static void
ReadBlock(Join *join)
{
	Size limit = SortedJoinMemoryUsed(join) + JoinMemory(JOIN_BLOCK_MEMORY, 1);
	PairFilter *filter = DocumentsFilter(join->documents);
	JoinDocument document;
	bool first = true;

	if (filter != NULL)
		PairFilterStart(filter);
	while (SortedJoinMemoryUsed(join) < limit)
	{
		join->done = !DocumentsNext(join->documents, JOIN_INDEXED, &document);
		if (join->done)
			break;
		join->least_size = first ? document.size : Min(join->least_size, document.size);
		join->greatest_size = first ? document.size : Max(join->greatest_size, document.size);
		first = false;
		if (filter != NULL)
			PairFilterAdd(filter, document.doc, document.size, document.nodes);
		AddToChain(&join->indexed, PipelineAddIndexed(join->block, document.doc), document.id);
	}
}

/* Reads the next probes that may match the block, as many as fit; returns false at the end. */
static bool
ReadChunk(Join *join, DocumentsSide side)
{
	const DocumentKind *kind = DocumentKindOf(join->kind->documents);
	PairFilter *filter = DocumentsFilter(join->documents);
	Size limit = SortedJoinMemoryUsed(join) + JoinMemory(JOIN_CHUNK_MEMORY, 1);
	JoinDocument document;

	join->probes.count = join->probes.numbers = 0;
	join->passed_over = 0;
	while (SortedJoinMemoryUsed(join) < limit && DocumentsNext(join->documents, side, &document))
	{
		SizePlace place = PlaceAmongSizes(kind, &join->threshold, document.size, join->least_size,
										  join->greatest_size);

		CheckInterrupts();
		if (place == BEHIND_SIZES)
			break;
		if (place == BEFORE_SIZES)
			DocumentsMark(join->documents, side); /* later blocks do not need it, either */
		else if (filter != NULL &&
				 !PairFilterMayMatch(filter, document.doc, document.size, document.nodes))
		{
			PipelinePassOver(join->block, document.size);
			join->passed_over++;
		}
		else
			AddToChain(&join->probes, PipelineAddProbe(join->block, document.doc), document.id);
	}
	return join->probes.count > 0;
}

/* Finds the matches of a block with the documents of a side. */
static void
LookUpSortedProbes(Join *join, DocumentsSide side)
{
	int64 before = 0;

	while (ReadChunk(join, side))
	{
		join->probes_before = before;
		join->searched = &join->probes;
		while (PipelineRunProbes(join->block))
			CheckInterrupts();
		before += join->probes.count + join->passed_over;
	}
}

/* Finds the matches of a block's documents with each other and with later documents. */
static void
RunSelf(Join *join)
{
	int32 documents = PipelineDocuments(join->block);
	int32 next = 0;

	DocumentsMark(join->documents, JOIN_INDEXED);
	join->probes_expected = DocumentsCount(join->documents, JOIN_INDEXED) - join->blocks_documents -
							join->indexed.count;
	join->by_order = true;
	join->searched = &join->indexed;
	AddEqual(join);
	while (next < documents)
		next = PipelineRunSelf(join->block, next, documents);
	LookUpSortedProbes(join, JOIN_INDEXED);
	DocumentsReturn(join->documents, JOIN_INDEXED);
}

/* Finds the matches of a block with documents of the other side. */
static void
RunProbes(Join *join)
{
	join->probes_expected = DocumentsCount(join->documents, JOIN_PROBES);
	join->by_order = false;
	DocumentsReturn(join->documents, JOIN_PROBES);
	LookUpSortedProbes(join, JOIN_PROBES);
}

/* Reads, indexes and joins the next block. */
static void
JoinBlock(Join *join)
{
	join->block = PipelineOpen(DocumentKindOf(join->kind->documents), join->elements, join->model,
							   &join->threshold, true, &join->counts, AddPairs, join, NULL);
	if (join->elsewhere != NULL && AreTrees(join->kind->documents))
		PipelineLeaveOut(join->block, IsLeftOut);
	join->indexed = MakeChains();
	join->probes = MakeChains();
	join->searched = NULL;
	join->phase = "reading documents";
	ReadBlock(join);
	if (join->indexed.count > 0)
	{
		join->phase = "indexing documents";
		PipelineIndex(join->block);
		join->phase = "comparing documents";
		ProgressCompares(&join->progress);
		if (join->paired)
			RunSelf(join);
		if (!DocumentsAreSelf(join->documents) && join->kept != KEEP_FROM_RIGHT)
			RunProbes(join);
	}
	PipelineClose(join->block);
	join->blocks_documents += join->indexed.count;
}

/* Joins all documents, block by block. */
static void
RunJoin(Join *join)
{
	MemoryContext context =
		AllocSetContextCreate(CurrentMemoryContext, "ted similarity join", ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(context);

	join->phase = "sorting documents";
	DocumentsSort(join->documents);
	join->blocks_documents = 0;
	join->done = false;
	while (!join->done)
	{
		JoinBlock(join);
		MemoryContextReset(context);
	}
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(context);
}

/* Returns the cost model of the documents, or NULL. */
static const CostModel *
ModelOf(const JoinDocuments *documents)
{
	const text *costs = DocumentsCosts(documents);

	return costs == NULL ? NULL : DatumGetCostModel(PointerGetDatum(costs));
}

/* Joins all documents, twice if distances of indexed documents differ by direction. */
static void
JoinAll(const JoinKind *kind, JoinDocuments *documents, ArrayElements elements,
		PairElsewhere elsewhere, FoundPair found, void *arg, int32 *parent)
{
	Join *join = palloc_object(Join);
	bool both_ways;

	*join = (Join){.kind = kind,
				   .documents = documents,
				   .elements = elements,
				   .model = ModelOf(documents),
				   .paired = DocumentsArePaired(documents),
				   .elsewhere = elsewhere,
				   .found = found,
				   .arg = arg,
				   .parent = parent,
				   .progress = {.name = found != NULL ? kind->aggregate : kind->clusters,
								.report = ReportSortedJoin,
								.arg = join}};
	both_ways = join->model != NULL && join->paired && !CostModelIsSymmetric(join->model);
	if (both_ways)
		join->kept = KEEP_FROM_LEFT;
	join->threshold = kind->make_threshold(DocumentsThreshold(documents), join->model);
	if (MatchesNothing(&join->threshold))
		return;
	ProgressBegin(&join->progress);
	RunJoin(join);
	if (both_ways)
	{
		join->kept = KEEP_FROM_RIGHT;
		join->model = CostModelTransposed(join->model);
		RunJoin(join);
	}
	ProgressEnd(&join->progress);
}

/* Connects all documents within the threshold of each other. */
void
ConnectSimilar(const JoinKind *kind, JoinDocuments *documents, ArrayElements elements,
			   int32 *parent)
{
	JoinAll(kind, documents, elements, NULL, NULL, NULL, parent);
}

/* Finds all pairs of documents within the threshold. */
void
FindPairs(const JoinKind *kind, JoinDocuments *documents, PairElsewhere elsewhere, FoundPair found,
		  void *arg)
{
	JoinAll(kind, documents, (ArrayElements){0}, elsewhere, found, arg, NULL);
}

/* Finds all pairs of documents within the threshold; returns them as matches. */
JoinMatches *
FindSimilar(const JoinKind *kind, JoinDocuments *documents, TupleDesc match_type)
{
	JoinMatches *matches = MatchesCreate(kind, match_type);

	FindPairs(kind, documents, NULL, MatchesAdd, matches);
	return matches;
}
