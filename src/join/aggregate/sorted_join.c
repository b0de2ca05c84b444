/*
 * sorted_join.c
 *	  Threshold joins of sorted documents of any kind.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "../../common/progress.h"
#include "../../compat.h"
#include "../../core/common/components.h"
#include "../../tree/costs/cost_type.h"
#include "sorted_join.h"
#include "../search/join_memory.h"
#include "../search/search.h"

/* The id of a document, in a linked list of those with the same number. */
typedef struct ChainedId
{
	int64 id;
	int32 next; /* -1 for none */
} ChainedId;

/* Ids of documents by their number. */
typedef struct Chains
{
	int32 *first; /* by number */
	ChainedId *ids;
	int32 numbers;
	int32 count;
	int32 capacity;
} Chains;

/*
 * Of pairs of indexed documents, which have the smaller id on the left, those that are kept:
 * where distances differ by direction, one join finds those whose document on the left is
 * looked up, another one the others.
 */
typedef enum KeptPairs
{
	KEEP_ALL,
	KEEP_FROM_LEFT,
	KEEP_FROM_RIGHT /* by the model that is transposed */
} KeptPairs;

/* A join under way. */
typedef struct Join
{
	const JoinKind *kind;
	JoinDocuments *documents;
	ArrayElements elements; /* of arrays */
	const CostModel *model; /* or NULL */
	DocumentThreshold threshold;
	bool paired;             /* are pairs of indexed documents wanted? */
	KeptPairs kept;          /* which of them */
	bool by_order;           /* the pairs that are being found have the smaller id on the left */
	FoundPair found;         /* or NULL where documents are only connected */
	PairElsewhere elsewhere; /* or NULL */
	void *arg;               /* of both */
	int32 *parent;           /* to what documents are connected */
	bool done;               /* all documents to be indexed have been read */
	JoinPipeline *block;
	JoinCounts counts;
	int32 least_size; /* of the block */
	int32 greatest_size;
	Chains indexed;
	Chains probes;
	const Chains *searched; /* the documents that are looked up: one of the two */
	const char *phase;
	ProgressOperation progress;
	int64 blocks_documents; /* in the blocks before this one */
	int64 probes_before;    /* in the chunks of the block before this one */
	int64 passed_over;      /* in its last one, by the filter */
	int64 probes_expected;
} Join;

/* Makes empty chains. */
static Chains
MakeChains(void)
{
	Chains chains = {.capacity = 64};

	chains.first = palloc_array(int32, chains.capacity);
	chains.ids = palloc_array(ChainedId, chains.capacity);
	return chains;
}

/* Memory of chains. */
static Size
ChainsMemory(const Chains *chains)
{
	return (sizeof(int32) + sizeof(ChainedId)) * (Size) chains->capacity;
}

/* Chains a document to those with the same number; numbers come without gaps. */
static void
AddToChain(Chains *chains, int32 number, int64 id)
{
	if (chains->count == chains->capacity)
	{
		chains->capacity *= 2;
		chains->first = repalloc_huge(chains->first, sizeof(int32) * (Size) chains->capacity);
		chains->ids = repalloc_huge(chains->ids, sizeof(ChainedId) * (Size) chains->capacity);
	}
	if (number == chains->numbers)
		chains->first[chains->numbers++] = -1;
	chains->ids[chains->count] = (ChainedId){id, chains->first[number]};
	chains->first[number] = chains->count++;
}

/* Keeps a pair of documents. */
static void
AddSortedMatch(Join *join, int64 a, int64 b, double measure)
{
	bool swap = join->by_order && a > b;

	CheckInterrupts();
	if (join->by_order && join->kept == (swap ? KEEP_FROM_LEFT : KEEP_FROM_RIGHT))
		return;
	join->found(join->arg, swap ? b : a, swap ? a : b, measure);
}

/* Connects all documents that two numbers stand for; those of the block are connected if equal. */
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

/* Whether the pairs of documents that two numbers stand for are found elsewhere. */
static bool
IsElsewhere(void *arg, DocumentsSide side, int32 probe, int32 indexed)
{
	const Join *join = arg;
	const Chains *searched = side == JOIN_INDEXED ? &join->indexed : &join->probes;

	return join->elsewhere != NULL &&
		   join->elsewhere(join->arg, searched->ids[searched->first[probe]].id,
						   join->indexed.ids[join->indexed.first[indexed]].id);
}

/* Adds all pairs of documents that two numbers stand for, which the block has found. */
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
	if (IsElsewhere(join, join->searched == &join->indexed ? JOIN_INDEXED : JOIN_PROBES, probe,
					indexed))
		return;
	for (int32 a = join->searched->first[probe]; a >= 0; a = probes[a].next)
		for (int32 b = join->indexed.first[indexed]; b >= 0; b = ids[b].next)
			AddSortedMatch(join, probes[a].id, ids[b].id, measure);
}

/* Connects all indexed documents with the same number. */
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

/* Adds all pairs of indexed documents with the same number. */
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
		if (IsElsewhere(join, JOIN_INDEXED, number, number))
			continue;
		for (int32 a = join->indexed.first[number]; a >= 0; a = ids[a].next)
			for (int32 b = ids[a].next; b >= 0; b = ids[b].next)
				AddSortedMatch(join, ids[a].id, ids[b].id, equal);
	}
}

/* Part of the work of a block that has been done: documents of its own come before probes. */
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

/* Reports the progress of the join: documents are sorted, so blocks are much alike. */
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
	/* unknown where a side has pairs of its own as well as pairs with the other side */
	if (join->searched == NULL || join->paired != DocumentsAreSelf(join->documents))
		return;
	share = (join->blocks_documents + join->indexed.count * BlockPart(join)) / documents;
	if (join->kept != KEEP_ALL)
		share = (share + (join->kept == KEEP_FROM_RIGHT)) / 2;
	report->share = share;
}

/* Memory that grows with the documents read. */
static Size
SortedJoinMemoryUsed(const Join *join)
{
	return PipelineMemory(join->block) + ChainsMemory(&join->indexed) + ChainsMemory(&join->probes);
}

/* Reads as many documents to be indexed as fit in memory. */
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

/* Reads as many probes as fit in memory and may match documents of the block; false if none do. */
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
			DocumentsMark(join->documents, side); /* later blocks have no use for it either */
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

/* Finds the matches of a block with all probes of a side that it may have. */
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

/* Finds the matches of a block: among its documents, and with those after it. */
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

/* Joins the next block. */
static void
JoinBlock(Join *join)
{
	join->block = PipelineOpen(DocumentKindOf(join->kind->documents), join->elements, join->model,
							   &join->threshold, true, &join->counts, AddPairs, join, NULL);
	if (join->elsewhere != NULL && AreTrees(join->kind->documents))
		PipelineLeaveOut(join->block, IsElsewhere);
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

/* The model of costs, or NULL. */
static const CostModel *
ModelOf(const JoinDocuments *documents)
{
	const text *costs = DocumentsCosts(documents);

	return costs == NULL ? NULL : DatumGetCostModel(PointerGetDatum(costs));
}

/* Joins all documents, twice where distances of indexed documents differ by direction. */
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

/* Connects all documents within the threshold. */
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

/* Finds all pairs of documents within the threshold, as matches. */
JoinMatches *
FindSimilar(const JoinKind *kind, JoinDocuments *documents, TupleDesc match_type)
{
	JoinMatches *matches = MatchesCreate(kind, match_type);

	FindPairs(kind, documents, NULL, MatchesAdd, matches);
	return matches;
}
