/*
 * session.c
 *	  An engine as PostgreSQL code uses it: memory contexts, interrupts, errors.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "../compat.h"
#include "../tree/host.h"
#include "session.h"

struct EngineSession
{
	MemoryContext context;
	const TedEngineMethods *methods;
	TedEngine *engine;
	TedCosts costs;
	LabelTable *labels;    /* made for the first tree that the session unfolds */
	Size bytes;            /* that the trees take, at most */
	const TedTree **trees; /* by number */
	int32 count;
	int32 capacity;
	int32 kept; /* trees that stay */
};

/* Takes memory for an engine. */
static void *
AllocateForEngine(void *context, size_t bytes)
{
	return MemoryContextAllocExtended(context, bytes, MCXT_ALLOC_HUGE | MCXT_ALLOC_NO_OOM);
}

/* Gives memory of an engine back. */
static void
ReleaseForEngine(void *context, void *block)
{
	(void) context;
	pfree(block);
}

/* Turns a failure of an engine into an error. */
static void
CheckEngineStatus(EngineSession *session, TedEngineStatus status)
{
	switch (status)
	{
		case TED_ENGINE_DONE:
		case TED_ENGINE_BUSY:
			break;
		case TED_ENGINE_CANCELLED:
			CheckStatus(TED_CANCELLED);
			break;
		case TED_ENGINE_MEMORY_LIMIT:
			CheckMemoryLimit(session->methods->memory_needed(session->engine),
							 "tree edit distance");
			break;
		case TED_ENGINE_OUT_OF_MEMORY:
			ereport(ERROR, (errcode(ERRCODE_OUT_OF_MEMORY), errmsg("out of memory"),
							errdetail("Computing a tree edit distance needs more memory."),
							errhint("Decrease \"ted.max_memory\" or compare smaller trees.")));
	}
}

/* Opens a session for trees with these costs. */
EngineSession *
SessionOpen(const TedCosts *costs)
{
	MemoryContext context =
		AllocSetContextCreate(CurrentMemoryContext, "ted engine session", ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(context);
	EngineSession *session = palloc0_object(EngineSession);
	TedEngineHost host = {.allocate = AllocateForEngine,
						  .release = ReleaseForEngine,
						  .arg = context,
						  .memory_limit = (Size) ted_max_memory * 1024,
						  .interrupt = PgInterrupt};

	session->context = context;
	session->costs = *costs;
	session->capacity = 2;
	session->trees = palloc_array(const TedTree *, session->capacity);
	session->methods = &ted_cpu_engine;
	session->engine = session->methods->open(&host);
	if (session->engine == NULL)
		CheckEngineStatus(session, TED_ENGINE_OUT_OF_MEMORY);
	MemoryContextSwitchTo(caller);
	return session;
}

/* Bytes that an unfolded tree takes. */
static Size
TreeBytes(const TedTree *view)
{
	return sizeof(TedTree) + 4 * sizeof(int32) * (Size) view->size;
}

/* The labels of all trees. */
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

/* Unfolds a tree in the current memory context. */
TedTree *
SessionUnfoldTree(EngineSession *session, Datum tree)
{
	TedTree *view = palloc_object(TedTree);
	Tree *value;

	CHECK_FOR_INTERRUPTS();
	CheckMemoryLimit(session->bytes + LabelTableBytes(SessionLabels(session)) + sizeof(TedTree) +
						 TreeUnfoldedBytes(tree),
					 "comparing trees");
	value = DatumGetTree(tree);
	TreeUnfold(value, session->labels, view);
	if ((Pointer) value != DatumGetPointer(tree))
		pfree(value);
	session->bytes += TreeBytes(view);
	return view;
}

/* Uploads an unfolded tree, which gets the next number from 0. */
int32
SessionUploadTree(EngineSession *session, const TedTree *view)
{
	if (session->count == session->capacity)
	{
		session->capacity *= 2;
		session->trees =
			repalloc_huge(session->trees, sizeof(TedTree *) * (Size) session->capacity);
	}
	session->trees[session->count] = view;
	CheckEngineStatus(session, session->methods->upload(session->engine, view, 1));
	return session->count++;
}

/* Frees an unfolded tree that has not been uploaded. */
void
SessionFreeTree(EngineSession *session, TedTree *view)
{
	session->bytes -= TreeBytes(view);
	TreeFreeUnfolded(view);
	pfree(view);
}

/* Has all trees uploaded so far stay. */
void
SessionKeepTrees(EngineSession *session)
{
	session->kept = session->count;
	LabelTableKeep(session->labels);
}

/* Forgets the trees uploaded since then. */
void
SessionForgetTrees(EngineSession *session)
{
	for (int32 i = session->kept; i < session->count; i++)
		session->bytes -= TreeBytes(session->trees[i]);
	session->count = session->kept;
	session->methods->forget(session->engine, session->count);
	LabelTableForget(session->labels);
}

/* Adds a tree, which gets the next number from 0, and returns it unfolded. */
const TedTree *
SessionAddTree(EngineSession *session, Datum tree)
{
	MemoryContext caller = MemoryContextSwitchTo(session->context);
	TedTree *view = SessionUnfoldTree(session, tree);

	SessionUploadTree(session, view);
	MemoryContextSwitchTo(caller);
	return view;
}

/* Refuses a negative threshold. */
void
CheckMaxDistance(int32 max_distance)
{
	if (max_distance < 0)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("maximum distance must not be negative"),
						errdetail("The maximum distance is %d.", max_distance),
						errhint("Use a maximum distance of at least 0.")));
}

/* Refuses costs with which a distance between trees of these sizes could be too large. */
void
CheckCostsFit(const TedCosts *costs, int32 size_a, int32 size_b)
{
	if (!ted_costs_fit(costs, size_a, size_b))
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("edit costs are too large for these trees"),
				 errdetail("The cost of deleting one tree of %d nodes and inserting the other of "
						   "%d nodes exceeds %d, or the rename cost does.",
						   size_a, size_b, TED_MAX_DISTANCE),
				 errhint("Use smaller costs; only their ratios matter.")));
}

/* Computes all pairs, by the numbers of their trees. */
void
SessionCompute(EngineSession *session, const TedPair *pairs, int64 count, int32 *distances)
{
	TedBatch batch = {
		.pairs = pairs, .distances = distances, .count = count, .costs = session->costs};
	TedEngineStatus status;

	for (int64 i = 0; i < count; i++)
		CheckCostsFit(&session->costs, session->trees[pairs[i].a]->size,
					  session->trees[pairs[i].b]->size);

	status = session->methods->submit(session->engine, &batch);
	while (status == TED_ENGINE_BUSY)
	{
		CHECK_FOR_INTERRUPTS();
		status = session->methods->poll(session->engine);
	}
	CheckEngineStatus(session, status);
}

/* Computes one pair. */
int32
SessionComputePair(EngineSession *session, int32 a, int32 b, int32 limit)
{
	TedPair pair = {.a = a, .b = b, .limit = limit};
	int32 distance;

	SessionCompute(session, &pair, 1, &distance);
	return distance;
}

/* Name of the engine. */
const char *
SessionEngine(const EngineSession *session)
{
	return session->methods->name;
}

/* Frees everything. */
void
SessionClose(EngineSession *session)
{
	session->methods->close(session->engine);
	MemoryContextDelete(session->context);
}
