/*
 * pipeline.c
 *	  Threshold join of documents: the order in which documents are looked up.
 *
 * The kind of the documents determines how they are stored and how matches are found (search.h).
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "../../common/host.h"
#include "../../compat.h"
#include "search.h"

/* Bytes that this file takes for an indexed document: its place, and its component. */
#define PLACE_BYTES (2 * sizeof(int32))

/* A document in a sort by size. */
typedef struct SizedDocument
{
	int32 size;
	int32 number;
} SizedDocument;

const DocumentKind *
DocumentKindOf(DocumentType type)
{
	return AreJson(type) ? &JsonDocuments : AreTrees(type) ? &TreeDocuments : StringDocuments(type);
}

SizePlace
PlaceAmongSizes(const DocumentKind *kind, const DocumentThreshold *threshold, int32 size,
				int32 least, int32 greatest)
{
	if (size < least && !kind->sizes_match(threshold, size, least))
		return kind->largest_first ? BEHIND_SIZES : BEFORE_SIZES;
	if (size > greatest && !kind->sizes_match(threshold, size, greatest))
		return kind->largest_first ? BEFORE_SIZES : BEHIND_SIZES;
	return AMONG_SIZES;
}

JoinPipeline *
PipelineOpen(const JoinPipeline *wanted)
{
	MemoryContext context =
		AllocSetContextCreate(CurrentMemoryContext, "ted join", ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(context);
	JoinPipeline *join = palloc_object(JoinPipeline);

	*join = *wanted;
	join->context = context;
	join->search = join->kind->open(join);
	MemoryContextSwitchTo(caller);
	return join;
}

int32
PipelineAddIndexed(JoinPipeline *join, Datum document)
{
	return join->kind->add(join->search, JOIN_INDEXED, document);
}

void
PipelinePublish(JoinPipeline *join)
{
	join->kind->publish(join->search);
}

void
PipelineBuild(JoinPipeline *join)
{
	MemoryContext caller = MemoryContextSwitchTo(join->context);

	join->kind->build(join->search);
	MemoryContextSwitchTo(caller);
}

const int32 *
PipelineNumbers(const JoinPipeline *join, int member)
{
	return join->kind->numbers(join->search, member);
}

void
PipelineConnect(JoinPipeline *join)
{
	RESERVE(join->context, join->components, join->component_room, 1);
}

/* Makes documents, from a number in `components` on, components by themselves. */
static void
AddComponents(JoinPipeline *join, int32 first, int32 count)
{
	if (join->components == NULL)
		return;
	RESERVE(join->context, join->components, join->component_room, (int64) first + count);
	for (int32 i = first; i < first + count; i++)
		join->components[i] = i;
}

/* Compares documents by size, then by number; so the order is the same in all processes. */
static inline int
CompareDocumentSizes(const SizedDocument *a, const SizedDocument *b)
{
	if (a->size != b->size)
		return a->size - b->size;
	return a->number - b->number;
}

#define ST_SORT SortDocumentsBySize
#define ST_ELEMENT_TYPE SizedDocument
#define ST_COMPARE(a, b) CompareDocumentSizes(a, b)
#define ST_SCOPE static
#define ST_CHECK_FOR_INTERRUPTS
#define ST_DECLARE
#define ST_DEFINE
#include "lib/sort_template.h"

/* Returns the numbers of the documents of a side in the order of their sizes. */
static int32 *
NumbersBySize(const JoinPipeline *join, DocumentsSide side)
{
	const DocumentKind *kind = join->kind;
	int32 count = kind->count(join->search, side);
	SizedDocument *sorted = palloc_extended(sizeof(SizedDocument) * (Size) count, MCXT_ALLOC_HUGE);
	int32 *by_size = palloc_extended(sizeof(int32) * (Size) count, MCXT_ALLOC_HUGE);

	for (int32 i = 0; i < count; i++)
		sorted[i] = (SizedDocument){.size = kind->size_of(join->search, side, i), .number = i};
	SortDocumentsBySize(sorted, (size_t) count);
	for (int32 i = 0; i < count; i++)
		by_size[i] = sorted[i].number;
	pfree(sorted);
	return by_size;
}

/* Returns the size of the indexed document at a place. */
static int32
SizeAt(const JoinPipeline *join, int32 place)
{
	return PipelineSizeOf(join, join->by_size[place]);
}

/* Returns the first place, from `place` on, of a larger document. */
static int32
SizeEnd(const JoinPipeline *join, int32 place)
{
	int32 size = SizeAt(join, place);
	int32 end = PipelineDocuments(join);

	while (place < end)
	{
		int32 middle = place + (end - place) / 2;

		if (SizeAt(join, middle) <= size)
			place = middle + 1;
		else
			end = middle;
	}
	return end;
}

/*
 * Sums the work of looking up each indexed document in those before it, which grows about as the
 * square of its size, like the work of a distance.
 */
static void
SumWork(JoinPipeline *join)
{
	int32 count = PipelineDocuments(join);
	int32 capacity = 0;
	double work = 0;

	for (int32 place = 0, end; place < count; place = end)
	{
		double size = SizeAt(join, place);

		RESERVE(join->context, join->runs, capacity, join->run_count + 1);
		join->runs[join->run_count++] = (SizeRun){place, size, work};
		end = SizeEnd(join, place);
		work += size * size * (end - place);
	}
}

/* Returns the work of looking up the documents before a place. */
static double
WorkBefore(const JoinPipeline *join, int32 place)
{
	int32 low = 0;
	int32 high = join->run_count - 1;
	const SizeRun *run;

	while (low < high)
	{
		int32 middle = low + (high - low + 1) / 2;

		if (join->runs[middle].begin <= place)
			low = middle;
		else
			high = middle - 1;
	}
	run = &join->runs[low];
	return run->work + run->size * run->size * (place - run->begin);
}

void
PipelineIndex(JoinPipeline *join)
{
	MemoryContext caller = MemoryContextSwitchTo(join->context);

	join->by_size = join->kind->order == NULL ? NULL : join->kind->order(join->search);
	if (join->by_size == NULL)
		join->by_size = NumbersBySize(join, JOIN_INDEXED);
	join->kind->index(join->search);
	AddComponents(join, 0, PipelineDocuments(join));
	join->begun_pairs = join->counts->window;
	MemoryContextSwitchTo(caller);
}

int32
PipelineDocuments(const JoinPipeline *join)
{
	return join->kind->count(join->search, JOIN_INDEXED);
}

int32
PipelineSizeOf(const JoinPipeline *join, int32 number)
{
	return join->kind->size_of(join->search, JOIN_INDEXED, number);
}

bool
PipelineTakesAll(const JoinPipeline *join)
{
	return join->kind->takes_all != NULL && join->kind->takes_all(join->search);
}

int32
PipelinePortion(JoinPipeline *join, int32 end, double part)
{
	int32 low = 0;
	int32 high = end - 1;
	double rest;

	if (join->runs == NULL)
		SumWork(join);
	rest = WorkBefore(join, end) * (1 - part);
	while (low < high)
	{
		int32 middle = low + (high - low) / 2;

		if (WorkBefore(join, middle) < rest)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Returns the part of the candidates found since `settled_place` that wait to be compared. */
static double
PipelineWaitingPart(const JoinPipeline *join)
{
	return join->kind->waiting == NULL ? 0 : join->kind->waiting(join->search);
}

double
PipelineOwnPart(JoinPipeline *join, int64 others)
{
	double seen = (double) (join->counts->window - join->begun_pairs + others);
	double waiting = PipelineWaitingPart(join) * (join->counts->window - join->settled_pairs);

	if (join->similar_pairs == 0)
	{
		int32 count = PipelineDocuments(join);
		double pairs = 0;

		/* count the pairs whose sizes allow a match */
		for (int32 place = 0, first = 0; place < count; place++)
		{
			int32 size = SizeAt(join, place);

			while (first < place &&
				   !join->kind->sizes_match(&join->threshold, SizeAt(join, first), size))
				first++;
			pairs += place - first;
		}
		join->similar_pairs = pairs;
	}
	return join->similar_pairs == 0 ? 1 : Min((seen - waiting) / join->similar_pairs, 1);
}

double
PipelineLookedUp(const JoinPipeline *join)
{
	return join->place - PipelineWaitingPart(join) * (join->place - join->settled_place);
}

void
NoteSettled(JoinPipeline *join)
{
	join->settled_place = join->place;
	join->settled_pairs = join->counts->window;
}

int32
PipelineRunSelf(JoinPipeline *join, int32 first, int32 end)
{
	MemoryContext caller = MemoryContextSwitchTo(join->context);

	join->place = first;
	NoteSettled(join);
	join->side = JOIN_INDEXED;
	first = join->kind->find(join->search, JOIN_INDEXED, first, end);
	MemoryContextSwitchTo(caller);
	return first;
}

int32
PipelineAddProbe(JoinPipeline *join, Datum document)
{
	return join->kind->add(join->search, JOIN_PROBES, document);
}

bool
PipelineRunProbes(JoinPipeline *join)
{
	MemoryContext caller = MemoryContextSwitchTo(join->context);
	int32 count = join->kind->count(join->search, JOIN_PROBES);
	bool more;

	if (join->next_probe == 0)
		AddComponents(join, PipelineDocuments(join), count);
	if (PipelineTakesAll(join) && join->probes_by_size == NULL)
		join->probes_by_size = NumbersBySize(join, JOIN_PROBES);
	join->place = join->next_probe;
	NoteSettled(join);
	join->side = JOIN_PROBES;
	join->next_probe = join->kind->find(join->search, JOIN_PROBES, join->next_probe, count);
	more = join->next_probe < count;
	if (!more)
	{
		join->kind->forget_probes(join->search);
		if (join->probes_by_size != NULL)
			pfree(join->probes_by_size);
		join->probes_by_size = NULL;
		join->next_probe = 0;
	}
	MemoryContextSwitchTo(caller);
	return more;
}

Size
PipelineMemory(const JoinPipeline *join)
{
	Size bytes = MemoryContextMemAllocated(join->context, true);

	return join->by_size == NULL ? bytes + PLACE_BYTES * (Size) PipelineDocuments(join) +
									   join->kind->index_memory(join->search)
								 : bytes;
}

Size
PipelineDocumentBytes(const JoinPipeline *join, int32 size)
{
	return PLACE_BYTES + join->kind->document_memory(join->search, size);
}

void
PipelineClose(JoinPipeline *join)
{
	if (join->kind->close != NULL)
		join->kind->close(join->search);
	MemoryContextDelete(join->context);
}
