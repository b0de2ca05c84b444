/*
 * counts.c
 *	  Counters of a join for EXPLAIN, summed over parallel workers.
 */
#include "postgres.h"

#include "commands/explain.h"
#include "storage/dsm.h"

#include "../../engine/gpu/gpu_context.h"
#include "counts.h"
#include "../search/search.h"

Size
SharedCountsBytes(int workers)
{
	return MAXALIGN(offsetof(SharedCounts, counts) + sizeof(JoinedCounts) * ((Size) workers + 1));
}

/* Adds the counts of a process to a sum. */
static void
AddCounts(JoinedCounts *sum, const JoinedCounts *counts)
{
	sum->pairs.window += counts->pairs.window;
	sum->pairs.prefix += counts->pairs.prefix;
	sum->pairs.labels += counts->pairs.labels;
	sum->pairs.settled += counts->pairs.settled;
	sum->pairs.verified += counts->pairs.verified;
	sum->pairs.batches += counts->pairs.batches;
	sum->pairs.found += counts->pairs.found;
	sum->pairs.engine.gpu_batches += counts->pairs.engine.gpu_batches;
	sum->pairs.engine.fallbacks += counts->pairs.engine.fallbacks;
	sum->pairs.engine.refused += counts->pairs.engine.refused;
	sum->blocks += counts->blocks;
	sum->cells += counts->cells;
	sum->written += counts->written;
	sum->documents += counts->documents;
	sum->probes += counts->probes;
	sum->memory += counts->memory;
	sum->spooled += counts->spooled;
}

/* Adds the workers' counts to the leader's after all workers have ended. */
static void
CollectCounts(dsm_segment *segment, Datum arg)
{
	SharedCounts *shared = (SharedCounts *) DatumGetPointer(arg);

	(void) segment;
	for (int i = 0; i < shared->workers; i++)
		AddCounts(shared->leader, &shared->counts[i]);
}

void
ShareCounts(ParallelContext *pcxt, SharedCounts *shared, JoinedCounts *leader)
{
	memset(shared, 0, SharedCountsBytes(pcxt->nworkers));
	shared->leader = leader;
	shared->workers = pcxt->nworkers;
	pg_atomic_init_u64(&shared->noticed, 0);
	pg_atomic_init_u64(&shared->part, 0);
	/* without a segment, there are no workers */
	if (pcxt->seg != NULL)
		on_dsm_detach(pcxt->seg, CollectCounts, PointerGetDatum(shared));
}

void
SumSharedCounts(SharedCounts *shared, const JoinedCounts *own, JoinedCounts *sum)
{
	if (!IsParallelWorker())
		shared->counts[shared->workers] = *own;
	*sum = (JoinedCounts){0};
	for (int i = 0; i <= shared->workers; i++)
		AddCounts(sum, &shared->counts[i]);
}

double
SharedPart(SharedCounts *shared, double part)
{
	pg_atomic_uint64 *greatest = &shared->part;
	uint64 bits; /* those of doubles from 0 on have the order of the doubles */
	uint64 before = pg_atomic_read_u64(greatest);

	part = Max(part, 0); /* not -0 */
	memcpy(&bits, &part, sizeof(bits));
	while (before < bits && !pg_atomic_compare_exchange_u64(greatest, &before, bits))
		;
	bits = Max(bits, before);
	memcpy(&part, &bits, sizeof(bits));
	return part;
}

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

/* Shows the pairs removed or settled by a filter, if there is one. */
static void
ExplainFilter(const char *done, const char *filter, int64 pairs, ExplainState *es)
{
	if (filter != NULL)
		ExplainPropertyInteger(psprintf("Pairs %s by %s", done, filter), NULL, pairs, es);
}

/* Shows a number of bytes in kilobytes, unless it is 0. */
static void
ExplainBytes(const char *label, int64 bytes, ExplainState *es)
{
	if (bytes > 0)
		ExplainPropertyInteger(label, "kB", (bytes + 1023) / 1024, es);
}

void
ExplainCounts(const JoinedCounts *counts, const DocumentKind *kind, ExplainState *es)
{
	const JoinCounts *pairs = &counts->pairs;

	ExplainPropertyInteger("Pairs of Similar Size", NULL, pairs->window, es);
	ExplainFilter("Removed", kind->rarest_filter, pairs->window - pairs->prefix, es);
	ExplainFilter("Removed", kind->labels_filter, pairs->prefix - pairs->labels, es);
	ExplainFilter("Settled", kind->bounds, pairs->settled, es);
	ExplainPropertyInteger("Pairs Verified", NULL, pairs->verified, es);
	ExplainPropertyInteger("Batches", NULL, pairs->batches, es);
	if (counts->cells > 0)
	{
		ExplainPropertyInteger("Cells", NULL, counts->cells, es);
		ExplainPropertyInteger("Rows in Cells", NULL, counts->written, es);
	}
	ExplainPropertyInteger("Blocks", NULL, counts->blocks, es);
	ExplainBytes("Memory", counts->memory, es);
	ExplainBytes("Spooled", counts->spooled, es);
	ExplainEngine(&pairs->engine, es);
}
