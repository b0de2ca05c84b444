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

/* Raises an error if the distance between two trees could be too large with these costs. */
extern void CheckCostsFit(const TedCosts *costs, const TedTree *a, const TedTree *b);

/* A function that appends a description of tree `number` to a text. */
typedef void (*TreeDescription)(void *arg, int32 number, StringInfo text);

/* Trees that are compared with each other. */
typedef struct EngineSession
{
	MemoryContext context;
	TedCosts costs;
	EngineCounts *counts; /* to which the work of GPUs is added; at first, the session's own */
	bool on_cpu;          /* GPUs are left to other processes */

	/*
	 * Whether the caller bounds the memory of all trees, and forgets trees in time: a tree is then
	 * refused only if it needs more than ted.max_memory by itself.
	 */
	bool caller_bounds;

	TreeDescription describe; /* describes trees in errors; or NULL */
	void *describe_arg;

	TedCpu cpu; /* cpu.computed: pairs computed of the batch under way, if it is the CPU's */

	/* read and written by session.c only */
	struct SessionGpus *gpus; /* NULL until a GPU gets a batch */
	EngineCounts own_counts;
	LabelTable *labels;    /* made for the first tree that is decoded */
	Size bytes;            /* upper bound on the bytes of the trees */
	Size reserved;         /* memory that the caller has counted */
	const TedTree **trees; /* by tree number */
	int32 count;
	int32 capacity;
	int32 kept;        /* trees that SessionForgetTrees() keeps */
	int32 label_count; /* all labels of the trees so far are below this */
} EngineSession;

/* Opens a session for trees with these costs; it lives in the current memory context. */
extern EngineSession *SessionOpen(const TedCosts *costs);

/* Counts bytes that the caller takes for trees to be added. */
extern void SessionReserve(EngineSession *session, Size bytes);

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

/* Computes the distance of the first two trees; TED_BEYOND above `limit`. */
extern int32 SessionComputePair(EngineSession *session, int32 limit);

/*
 * Computes the distances between all pairs of subtrees on the GPU, see ted_subtrees_int16();
 * returns NULL if the CPU has to.
 */
extern void *SessionSubtrees(EngineSession *session, int32 a, int32 b);

/* Closes a session, and frees its memory. */
extern void SessionClose(EngineSession *session);

#endif /* TED_SESSION_H */
