/*
 * session.h
 *	  An engine as PostgreSQL code uses it: memory contexts, interrupts, errors.
 */
#ifndef TED_SESSION_H
#define TED_SESSION_H

#include "postgres.h"

#include "lib/stringinfo.h"

#include "../common/labels.h"
#include "engine.h"

/* Trees that are compared with each other, and the engine that compares them. */
typedef struct EngineSession EngineSession;

/* Refuses costs with which the distance between two trees could be too large. */
extern void CheckCostsFit(const TedCosts *costs, const TedTree *a, const TedTree *b);

/* Batches and pairs of a session that the GPU has computed or declined. */
typedef struct EngineCounts
{
	int64 gpu_batches;
	int64 fallbacks; /* pairs of these that the CPU has computed */
	int64 refused;   /* batches for which too many backends had a context */
} EngineCounts;

/* Opens a session for trees with these costs; it lives in the current memory context. */
extern EngineSession *SessionOpen(const TedCosts *costs);

/* Changes the costs by which a session compares trees. */
extern void SessionSetCosts(EngineSession *session, const TedCosts *costs);

/* Counts bytes that the caller of a session takes for the trees to be added. */
extern void SessionReserve(EngineSession *session, Size bytes);

/*
 * Leaves the memory of all trees to the caller of a session, who forgets them in time: a tree
 * is then refused only where it takes more than ted.max_memory by itself.
 */
extern void SessionLeaveTrees(EngineSession *session);

/* Makes a session leave GPUs to other processes. */
extern void SessionStayOnCpu(EngineSession *session);

/* Memory context of a session. */
extern MemoryContext SessionContext(const EngineSession *session);

/*
 * Refuses to decode a tree that takes this number of bytes where memory is not enough:
 * in the caller's memory, and in the session's own, all of which counts.
 */
extern void SessionCheckTree(EngineSession *session, Size bytes);
extern void SessionCheckGrowth(EngineSession *session, Size bytes);

/*
 * Uploads a decoded tree, which gets the next number from 0; or many in a row, whose labels
 * are below a number.
 */
extern int32 SessionUploadTree(EngineSession *session, const TedTree *tree);
extern void SessionUploadTrees(EngineSession *session, const TedTree *trees, int32 count,
							   int32 labels);

/*
 * Keeps all trees uploaded so far, and forgets those uploaded since then, whose
 * memory is the caller's, and their labels.
 */
extern void SessionKeepTrees(EngineSession *session);
extern void SessionForgetTrees(EngineSession *session);

/* The labels of all trees, or their numbers where trees are numbered. */
extern LabelTable *SessionLabels(EngineSession *session);

/* Computes all pairs, by the numbers of their trees. */
extern void SessionCompute(EngineSession *session, const TedPair *pairs, int64 count,
						   int32 *distances);

/* Pairs of the batch under way that have been computed, as far as is known. */
extern int64 SessionComputed(const EngineSession *session);

/* Computes one pair. */
extern int32 SessionComputePair(EngineSession *session, int32 a, int32 b, int32 limit);

/*
 * The distances between all pairs of subtrees, see ted_subtrees_int16(), by the
 * GPU; NULL where all is left to the CPU.
 */
extern void *SessionSubtrees(EngineSession *session, int32 a, int32 b);

/*
 * Makes errors about a pair show what a function appends to a text for each of its
 * trees, which it gets by number.
 */
typedef void (*TreeDescription)(void *arg, int32 number, StringInfo text);
extern void SessionDescribeTrees(EngineSession *session, TreeDescription describe, void *arg);

/* Makes a session add to these counts instead of its own. */
extern void SessionCount(EngineSession *session, EngineCounts *counts);

/* Frees everything. */
extern void SessionClose(EngineSession *session);

#endif /* TED_SESSION_H */
