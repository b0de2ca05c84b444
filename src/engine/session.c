/*
 * session.c
 *	  Engines for PostgreSQL code, with memory contexts, interrupts and errors.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "../compat.h"
#include "../common/host.h"
#include "../common/messages.h"
#include "../common/progress.h"
#include "gpu/gpu_context.h"
#include "session.h"
#include "engine_tuning.h"

/* The GPUs of a session, by number. */
struct SessionGpus
{
	struct
	{
		TedGpuEngine *engine; /* NULL until the GPU gets a batch */
		int32 trees;          /* number of trees of the last batch, which the GPU has */
	} gpu[TED_GPUS];
	MemoryContextCallback close;
};

/* Appends a sentence with the trees of a pair, if they can be described. */
static void
AppendPair(StringInfo text, const EngineSession *session, TedPair pair)
{
	if (session->describe == NULL)
		return;
	appendStringInfoString(text, " They are ");
	session->describe(session->describe_arg, pair.a, text);
	appendStringInfoString(text, " and ");
	session->describe(session->describe_arg, pair.b, text);
	appendStringInfoChar(text, '.');
}

/* Raises an error for the pair that needs more scratch memory than ted.max_memory allows. */
static _Noreturn void
RefusePair(const EngineSession *session)
{
	TedPair pair = session->cpu.refused;
	StringInfoData pair_text;

	initStringInfo(&pair_text);
	AppendPair(&pair_text, session, pair);
	ereport(ERROR, (errcode(ERRCODE_CONFIGURATION_LIMIT_EXCEEDED),
					errmsg("tree edit distance needs more memory than \"ted.max_memory\" allows"),
					ValueDetail(psprintf("The limit is %s.", MemoryLimitText()),
								"Trees of %d and %d nodes would take %s; the limit is %s.%s",
								session->trees[pair.a]->size, session->trees[pair.b]->size,
								MemoryText(session->cpu.needed), MemoryLimitText(), pair_text.data),
					errhint("Increase \"ted.max_memory\", compare up to a limit that is small, as "
							"tree_within() and tree_edit_distance_less_equal() do, or use "
							"tree_edit_distance_approximate().")));
}

/* Raises an error for a failure of an engine. */
static void
CheckEngineStatus(EngineSession *session, TedEngineStatus status)
{
	switch (status)
	{
		case TED_ENGINE_DONE:
		case TED_ENGINE_DECLINED:
		case TED_ENGINE_BUSY:
			break;
		case TED_ENGINE_CANCELLED:
			CheckStatus(TED_CANCELLED);
			break;
		case TED_ENGINE_MEMORY_LIMIT:
			RefusePair(session);
		case TED_ENGINE_OUT_OF_MEMORY:
			ereport(ERROR, (errcode(ERRCODE_OUT_OF_MEMORY), errmsg("out of memory"),
							errdetail("Computing a tree edit distance needs more memory."),
							errhint("Decrease \"ted.max_memory\" or compare smaller trees.")));
			break;
		case TED_ENGINE_OUT_OF_TURN:
			elog(ERROR, "a batch has been submitted out of turn");
	}
}

/* Returns the memory and interrupts that a session gives to an engine. */
static TedEngineHost
EngineHost(MemoryContext context)
{
	return (TedEngineHost){.allocate = HostAllocate,
						   .release = HostRelease,
						   .arg = context,
						   .memory_limit = (Size) ted_max_memory * 1024,
						   .interrupt = PgInterrupt};
}

/* Opens a session for trees with these costs. */
EngineSession *
SessionOpen(const TedCosts *costs)
{
	MemoryContext context =
		AllocSetContextCreate(CurrentMemoryContext, "ted engine session", ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(context);
	EngineSession *session = palloc0_object(EngineSession);

	session->context = context;
	session->costs = *costs;
	session->capacity = 2;
	session->trees = palloc_array(const TedTree *, session->capacity);
	session->counts = &session->own_counts;
	session->cpu.host = EngineHost(context);
	MemoryContextSwitchTo(caller);
	return session;
}

/* Returns the bytes of a decoded tree. */
static Size
DecodedTreeBytes(const TedTree *tree)
{
	return sizeof(TedTree) + 4 * sizeof(int32) * (Size) tree->size;
}

/* Returns the label table of the session's trees. */
LabelTable *
SessionLabels(EngineSession *session)
{
	if (session->labels == NULL)
	{
		MemoryContext caller = MemoryContextSwitchTo(session->context);

		session->labels = LabelTableCreate();
		MemoryContextSwitchTo(caller);
	}
	return session->labels;
}

/* Raises an error if there is not enough memory to decode a tree of `bytes` bytes. */
void
SessionCheckTree(EngineSession *session, Size bytes)
{
	Size others =
		session->caller_bounds ? 0 : session->bytes + LabelTableBytes(SessionLabels(session));

	CheckMemoryLimit(others + sizeof(TedTree) + bytes, "comparing trees");
}

/* Makes room for more trees in the list. */
static void
ReserveTreeList(EngineSession *session, int32 more)
{
	if (more <= session->capacity - session->count)
		return;
	session->capacity = 2 * session->count + more;
	session->trees = repalloc_huge(session->trees, sizeof(TedTree *) * (Size) session->capacity);
}

/* Adds a decoded tree; returns its number, counted from 0. */
int32
SessionUploadTree(EngineSession *session, const TedTree *tree)
{
	ReserveTreeList(session, 1);
	for (int32 x = 0; x < tree->size; x++)
		session->label_count = Max(session->label_count, tree->label[x] + 1);
	session->trees[session->count] = tree;
	session->bytes += DecodedTreeBytes(tree);
	return session->count++;
}

/* Adds many decoded trees. */
void
SessionUploadTrees(EngineSession *session, const TedTree *trees, int32 count, int32 labels)
{
	ReserveTreeList(session, count);
	session->label_count = Max(session->label_count, labels);
	for (int32 i = 0; i < count; i++)
	{
		session->trees[session->count++] = &trees[i];
		session->bytes += DecodedTreeBytes(&trees[i]);
	}
}

/* Marks the trees uploaded so far as those that SessionForgetTrees() keeps. */
void
SessionKeepTrees(EngineSession *session)
{
	session->kept = session->count;
	LabelTableKeep(session->labels);
}

/* Removes the trees uploaded since SessionKeepTrees(). */
void
SessionForgetTrees(EngineSession *session)
{
	for (int32 i = session->kept; i < session->count; i++)
		session->bytes -= DecodedTreeBytes(session->trees[i]);
	session->count = session->kept;
	for (int i = 0; session->gpus != NULL && i < TED_GPUS; i++)
		if (session->gpus->gpu[i].trees > session->count)
		{
			ted_gpu_engine_forget(session->gpus->gpu[i].engine, session->trees, session->count);
			session->gpus->gpu[i].trees = session->count;
		}
	LabelTableForget(session->labels);
}

/* Counts bytes that the caller takes for trees to be added. */
void
SessionReserve(EngineSession *session, Size bytes)
{
	session->reserved += bytes;
	CheckMemoryLimit(session->reserved, "comparing trees");
}

/* Returns the bytes by which the lists of session and engine grow for the next tree; mostly 0. */
static Size
ListGrowth(const EngineSession *session)
{
	if (session->count + 1 < session->capacity)
		return 0;
	return 2 * 2 * sizeof(TedTree *) * (Size) session->capacity;
}

/* Does the same for a tree in the session's own memory, all of which counts. */
void
SessionCheckGrowth(EngineSession *session, Size bytes)
{
	CheckMemoryGrowth(session->context, session->reserved + ListGrowth(session) + bytes,
					  "comparing trees");
}

/* Raises an error if the distance between two trees could be too large with these costs. */
void
CheckCostsFit(const TedCosts *costs, const TedTree *a, const TedTree *b)
{
	if (!ted_costs_fit(costs, a, b))
		ereport(
			ERROR,
			(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
			 errmsg("edit costs are too large for these trees"),
			 ValueDetail(psprintf("The cost of deleting one tree and inserting the other exceeds "
								  "%d, or the rename cost does.",
								  TED_MAX_DISTANCE),
						 "The cost of deleting one tree of %d nodes and inserting the other of "
						 "%d nodes exceeds %d, or the rename cost does.",
						 a->size, b->size, TED_MAX_DISTANCE),
			 errhint("Use smaller costs; only their ratios matter.")));
}

/* Closes the GPU engines of a session, when its memory context is reset. */
static void
CloseGpuEngines(void *gpus)
{
	for (int i = 0; i < TED_GPUS; i++)
		if (((struct SessionGpus *) gpus)->gpu[i].engine != NULL)
			ted_gpu_engine_close(((struct SessionGpus *) gpus)->gpu[i].engine);
}

/* Returns the engine of a GPU for a batch of all trees. */
static TedGpuEngine *
GpuEngineFor(EngineSession *session, TedGpu *gpu)
{
	TedGpuEngine **engine;

	if (session->gpus == NULL)
	{
		session->gpus = MemoryContextAllocZero(session->context, sizeof(struct SessionGpus));
		session->gpus->close.func = CloseGpuEngines;
		session->gpus->close.arg = session->gpus;
		MemoryContextRegisterResetCallback(session->context, &session->gpus->close);
	}
	engine = &session->gpus->gpu[gpu->number].engine;
	if (*engine == NULL)
	{
		*engine = ted_gpu_engine_open(&session->cpu.host, gpu);
		if (*engine == NULL)
			CheckEngineStatus(session, TED_ENGINE_OUT_OF_MEMORY);
	}
	session->gpus->gpu[gpu->number].trees = session->count;
	return *engine;
}

/* Computes the declined pairs of a batch on the CPU; returns their number. */
static int64
ComputeDeclined(EngineSession *session, const TedBatch *batch)
{
	TedBatch declined = {.trees = batch->trees, .costs = batch->costs};
	TedPair *pairs;

	for (int64 i = 0; i < batch->count; i++)
		declined.count += batch->distances[i] == TED_NO_DISTANCE;
	pairs = MemoryContextAllocHuge(session->context, sizeof(TedPair) * (Size) declined.count);
	declined.pairs = pairs;
	declined.distances =
		MemoryContextAllocHuge(session->context, sizeof(int32) * (Size) declined.count);
	for (int64 i = 0, next = 0; i < batch->count; i++)
		if (batch->distances[i] == TED_NO_DISTANCE)
			pairs[next++] = batch->pairs[i];
	CheckEngineStatus(session, ted_cpu_compute(&session->cpu, &declined));
	for (int64 i = 0, next = 0; i < batch->count; i++)
		if (batch->distances[i] == TED_NO_DISTANCE)
			batch->distances[i] = declined.distances[next++];
	pfree(pairs);
	pfree(declined.distances);
	return declined.count;
}

/* Arguments of the functions that send a batch to one or several GPUs. */
typedef struct GpuBatch
{
	TedGpuEngine *engines[TED_GPUS];
	int count;
	const TedBatch *batch;
	void *memory; /* for sharing the batch */
	TedSharedBatch shared;
} GpuBatch;

/* Submits the batch to the GPUs. */
static TedEngineStatus
SubmitToGpus(void *arg)
{
	GpuBatch *sent = arg;

	return ted_shared_batch_submit(&sent->shared, sent->engines, sent->count, sent->batch,
								   sent->memory);
}

/* Polls the batch on the GPUs. */
static TedEngineStatus
PollGpus(void *arg)
{
	return ted_shared_batch_poll(&((GpuBatch *) arg)->shared);
}

/* Cancels the batch on the GPUs. */
static void
CancelGpus(void *arg)
{
	ted_shared_batch_cancel(&((GpuBatch *) arg)->shared);
}

/* Returns the number of labels of all trees; 0 if a GPU has all trees. */
static int32
LabelsToSend(const EngineSession *session)
{
	for (int i = 0; session->gpus != NULL && i < TED_GPUS; i++)
		if (session->gpus->gpu[i].trees == session->count)
			return 0;
	return session->label_count;
}

/* Returns an estimate of a batch; `bytes` are sent besides the trees. */
static TreesEstimate
EstimateOf(const EngineSession *session, const TedBatch *batch, Size bytes)
{
	return (TreesEstimate){.batch = batch,
						   .bytes = bytes + (session->gpus != NULL ? 0 : session->bytes),
						   .labels = LabelsToSend(session)};
}

/* Computes a batch on one or several GPUs; returns whether they computed all of it. */
static bool
SendToGpu(EngineSession *session, const TedBatch *batch)
{
	static const GpuWork work = {SubmitToGpus, PollGpus, CancelGpus};
	TreesEstimate estimate = EstimateOf(session, batch, 0);
	TedGpu *gpus[TED_GPUS] = {GpuOfBackend()};
	GpuBatch sent = {.count = 1, .batch = batch};
	TedEngineStatus status;

	if (batch->count > 1)
		sent.count = GpuShare(TreesGpuSeconds, &estimate, TED_SHARED_BATCH, gpus);
	for (int i = 0; i < sent.count; i++)
		sent.engines[i] = GpuEngineFor(session, gpus[i]);
	if (sent.count > 1)
		sent.memory =
			MemoryContextAllocHuge(session->context, ted_shared_batch_memory(batch->count));
	status = GpuRun(&work, &sent);
	CheckEngineStatus(session, status);
	if (sent.memory != NULL)
		pfree(sent.memory);
	session->counts->gpu_batches++;
	return status == TED_ENGINE_DONE;
}

/* Counts the pairs of a batch; the GPU has declined some of them. */
static void
CountPairs(EngineSession *session, const TedBatch *batch, int64 declined)
{
	GpuCount(batch->count - declined, declined);
	session->counts->fallbacks += declined;
}

/* Whether a batch goes to the GPU; `bytes` are sent besides the trees. */
static bool
GoesToGpu(EngineSession *session, const TedBatch *batch, Size bytes)
{
	TreesEstimate estimate = EstimateOf(session, batch, bytes);
	GpuAnswer answer = session->on_cpu ? GPU_NO : GpuWanted(TreesPay, &estimate);

	session->counts->refused += answer == GPU_NO_SLOT;
	return answer == GPU_YES;
}

/* Computes the distances of pairs of trees, given by number. */
void
SessionCompute(EngineSession *session, const TedPair *pairs, int64 count, int32 *distances)
{
	TedBatch batch = {.trees = session->trees,
					  .tree_count = session->count,
					  .pairs = pairs,
					  .distances = distances,
					  .count = count,
					  .costs = session->costs};

	if (count == 0)
		return;
	for (int64 i = 0; i < count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		CheckCostsFit(&session->costs, session->trees[pairs[i].a], session->trees[pairs[i].b]);
	}

	if (GoesToGpu(session, &batch, 0))
		CountPairs(session, &batch,
				   SendToGpu(session, &batch) ? 0 : ComputeDeclined(session, &batch));
	else
		CheckEngineStatus(session, ted_cpu_compute(&session->cpu, &batch));
}

/* Computes the distance of the first two trees. */
int32
SessionComputePair(EngineSession *session, int32 limit)
{
	TedPair pair = {.a = 0, .b = 1, .limit = limit};
	int32 distance;

	SessionCompute(session, &pair, 1, &distance);
	return distance;
}

/*
 * Computes the distances between all pairs of subtrees on the GPU; returns NULL if the CPU has to.
 */
void *
SessionSubtrees(EngineSession *session, int32 a, int32 b)
{
	TedPair pair = {.a = a, .b = b, .limit = TED_NO_LIMIT};
	int32 distance;
	TedBatch batch = {.trees = session->trees,
					  .tree_count = session->count,
					  .pairs = &pair,
					  .distances = &distance,
					  .count = 1,
					  .costs = session->costs};
	Size bytes = ted_subtrees_bytes(session->trees[a], session->trees[b], &session->costs);
	bool done;

	if (ted_costs_by_label(&session->costs) ||
		!GoesToGpu(session, &batch, bytes / TED_GPU_BYTES_BACK))
		return NULL;
	batch.subtrees = MemoryContextAllocHuge(session->context, bytes);
	UseLargePages(batch.subtrees, bytes);
	done = SendToGpu(session, &batch);
	CountPairs(session, &batch, done ? 0 : 1);
	if (done)
		return batch.subtrees;
	pfree(batch.subtrees);
	return NULL;
}

/* Closes a session, and frees its memory. */
void
SessionClose(EngineSession *session)
{
	ted_cpu_close(&session->cpu);
	MemoryContextDelete(session->context);
}
