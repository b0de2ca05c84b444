/*
 * counts.c
 *	  Counters of a TedJoin, gathered from parallel workers, for EXPLAIN.
 */
#include "postgres.h"

#include "storage/dsm.h"

#include "../engine/gpu_context.h"
#include "counts.h"
#include "search.h"

typedef struct SharedCounts
{
	TedJoinCounts *leader; /* of use to the leader only */
	int workers;
	TedJoinCounts counts[FLEXIBLE_ARRAY_MEMBER];
} SharedCounts;

/* Shared memory that this number of workers need for their counts. */
static Size
CountsBytes(int workers)
{
	return MAXALIGN(offsetof(SharedCounts, counts) + sizeof(TedJoinCounts) * (Size) workers);
}

/* Shared memory that workers need for their counts. */
Size
SharedCountsBytes(ParallelContext *pcxt)
{
	return CountsBytes(pcxt->nworkers);
}

/* Where it ends. */
void *
SharedCountsEnd(void *shared)
{
	return (char *) shared + CountsBytes(((SharedCounts *) shared)->workers);
}

/* Adds the workers' counts to the leader's when all workers have ended. */
static void
CollectCounts(dsm_segment *segment, Datum arg)
{
	SharedCounts *shared = (SharedCounts *) DatumGetPointer(arg);
	TedJoinCounts *leader = shared->leader;

	(void) segment;
	for (int i = 0; i < shared->workers; i++)
	{
		const TedJoinCounts *worker = &shared->counts[i];

		leader->pairs.window += worker->pairs.window;
		leader->pairs.prefix += worker->pairs.prefix;
		leader->pairs.labels += worker->pairs.labels;
		leader->pairs.settled += worker->pairs.settled;
		leader->pairs.verified += worker->pairs.verified;
		leader->pairs.batches += worker->pairs.batches;
		leader->pairs.found += worker->pairs.found;
		leader->pairs.engine.gpu_batches += worker->pairs.engine.gpu_batches;
		leader->pairs.engine.fallbacks += worker->pairs.engine.fallbacks;
		leader->pairs.engine.refused += worker->pairs.engine.refused;
		leader->blocks += worker->blocks;
	}
}

/* Has the counts of workers added to the leader's. */
void
ShareCounts(ParallelContext *pcxt, void *shared, TedJoinCounts *leader)
{
	SharedCounts *counts = shared;

	memset(shared, 0, SharedCountsBytes(pcxt));
	counts->leader = leader;
	counts->workers = pcxt->nworkers;
	/* without a segment there are no workers */
	if (pcxt->seg != NULL)
		on_dsm_detach(pcxt->seg, CollectCounts, PointerGetDatum(shared));
}

/* A worker's own place. */
TedJoinCounts *
WorkerCounts(void *shared)
{
	return &((SharedCounts *) shared)->counts[ParallelWorkerNumber];
}

/* Shows what has computed, unless hardware is not to be shown. */
void
ExplainEngine(const EngineCounts *counts, ExplainState *es)
{
	if (!ted_explain_hardware)
		return;
	ExplainPropertyText("Engine", counts->gpu_batches > 0 ? GpuEngine() : "cpu", es);
	if (counts->gpu_batches > 0)
	{
		ExplainPropertyInteger("GPU Batches", NULL, counts->gpu_batches, es);
		ExplainPropertyInteger("Fallbacks", NULL, counts->fallbacks, es);
	}
	if (counts->refused > 0)
		ExplainPropertyInteger("Batches Without a GPU Context", NULL, counts->refused, es);
}

/* Shows what a filter has done with some pairs, if there is one. */
static void
ExplainFilter(const char *done, const char *filter, int64 pairs, ExplainState *es)
{
	if (filter != NULL)
		ExplainPropertyInteger(psprintf("Pairs %s by %s", done, filter), NULL, pairs, es);
}

/* Shows counts. */
void
ExplainCounts(const TedJoinCounts *counts, const DocumentKind *kind, ExplainState *es)
{
	const JoinCounts *pairs = &counts->pairs;

	ExplainPropertyInteger("Pairs of Similar Size", NULL, pairs->window, es);
	ExplainFilter("Removed", kind->rarest_filter, pairs->window - pairs->prefix, es);
	ExplainFilter("Removed", kind->labels_filter, pairs->prefix - pairs->labels, es);
	ExplainFilter("Settled", kind->bounds, pairs->settled, es);
	ExplainPropertyInteger("Pairs Verified", NULL, pairs->verified, es);
	ExplainPropertyInteger("Batches", NULL, pairs->batches, es);
	ExplainPropertyInteger("Blocks", NULL, counts->blocks, es);
	ExplainEngine(&pairs->engine, es);
}
