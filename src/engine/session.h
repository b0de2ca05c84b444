/*
 * session.h
 *	  Engines for PostgreSQL code, with memory contexts, interrupts and errors.
 */
#ifndef TED_SESSION_H
#define TED_SESSION_H

#include "postgres.h"

#include "lib/stringinfo.h"

#include "../common/labels.h"
#include "engine.h"

/* Trees that are compared with each other, and the engine that compares them. */
typedef struct EngineSession EngineSession;

/* Raises an error if the distance between two trees could be too large with these costs. */
extern void CheckCostsFit(const TedCosts *costs, const TedTree *a, const TedTree *b);

/* Counts of the work of a session's GPUs. */
typedef struct EngineCounts
{
	int64 gpu_batches;
	int64 fallbacks; /* pairs that the GPU declined and the CPU computed */
	int64 refused;   /* batches computed on the CPU because too many backends had a GPU context */
} EngineCounts;

/* Opens a session for trees with these costs; it lives in the current memory context. */
extern EngineSession *SessionOpen(const TedCosts *costs);

/* Changes the costs by which a session compares trees. */
extern void SessionSetCosts(EngineSession *session, const TedCosts *costs);

/* Counts bytes that the caller takes for trees to be added. */
extern void SessionReserve(EngineSession *session, Size bytes);

/*
 * Leaves bounding the memory of all trees to the caller, who forgets trees in time: a tree is then
 * refused only if it needs more than ted.max_memory by itself.
 */
extern void SessionLeaveTrees(EngineSession *session);

/* Makes a session leave GPUs to other processes. */
extern void SessionStayOnCpu(EngineSession *session);

/* Returns the memory context of a session. */
extern MemoryContext SessionContext(const EngineSession *session);

/*
 * Raises an error if there is not enough memory to decode a tree of `bytes` bytes: in the caller's
 * memory, or in the session's own memory, all of which counts.
 */
extern void SessionCheckTree(EngineSession *session, Size bytes);
extern void SessionCheckGrowth(EngineSession *session, Size bytes);

/*
 * Adds a decoded tree, and returns its number, counted from 0; or adds many trees, whose labels are
 * below `labels`.
 */
extern int32 SessionUploadTree(EngineSession *session, const TedTree *tree);
extern void SessionUploadTrees(EngineSession *session, const TedTree *trees, int32 count,
							   int32 labels);

/*
 * Keep marks the trees uploaded so far; Forget removes the trees uploaded since then, whose memory
 * is the caller's, and their labels.
 */
extern void SessionKeepTrees(EngineSession *session);
extern void SessionForgetTrees(EngineSession *session);

/* Returns the label table of the session's trees. */
extern LabelTable *SessionLabels(EngineSession *session);

/* Computes the distances of pairs of trees, given by number. */
extern void SessionCompute(EngineSession *session, const TedPair *pairs, int64 count,
						   int32 *distances);

/* Returns the pairs computed of the batch under way, as far as that is known. */
extern int64 SessionComputed(const EngineSession *session);

/* Computes the distance of the first two trees; TED_BEYOND above `limit`. */
extern int32 SessionComputePair(EngineSession *session, int32 limit);

/*
 * Computes the distances between all pairs of subtrees on the GPU, see ted_subtrees_int16();
 * returns NULL if the CPU has to.
 */
extern void *SessionSubtrees(EngineSession *session, int32 a, int32 b);

/* Sets the function that describes trees in errors: it appends a description of tree `number`. */
typedef void (*TreeDescription)(void *arg, int32 number, StringInfo text);
extern void SessionDescribeTrees(EngineSession *session, TreeDescription describe, void *arg);

/* Makes a session add to these counts instead of its own. */
extern void SessionCount(EngineSession *session, EngineCounts *counts);

/* Closes a session, and frees its memory. */
extern void SessionClose(EngineSession *session);

#endif /* TED_SESSION_H */
