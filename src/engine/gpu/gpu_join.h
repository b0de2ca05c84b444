/*
 * gpu_join.h
 *	  A threshold join of trees or strings on the GPUs of this backend.
 *
 * GPUs filter pairs and compute distances.  The caller computes pairs that they leave open; and all
 * pairs, if the GPUs have no memory or fail.
 */
#ifndef TED_GPU_JOIN_H
#define TED_GPU_JOIN_H

#include "postgres.h"

#include "device.h"
#include "gpu_time.h"

/* A join, some of whose documents are on GPUs. */
typedef struct GpuJoin GpuJoin;

/* Size of a join, as estimated before it runs. */
typedef struct GpuJoinSize
{
	double window;      /* pairs whose sizes allow a match */
	double unlisted;    /* pairs of these that need not share a rare label */
	double listed;      /* pairs in the lists of rare labels */
	double cpu_seconds; /* on the CPU */
	TedGpuWork work;    /* on a GPU, but for the pairs above */
} GpuJoinSize;

/*
 * Opens a join in the current memory context, if there is a GPU and it takes much less time;
 * returns NULL otherwise.
 */
extern GpuJoin *GpuJoinOpen(const GpuJoinSize *size, EngineCounts *counts);

/* Adds documents, which are numbered from 0; returns false if no GPU can take them. */
extern bool GpuJoinAddTrees(GpuJoin *join, const TedJoinTrees *added);
extern bool GpuJoinAddStrings(GpuJoin *join, const TedJoinStrings *added);

/* Forgets all documents but the first `count`. */
extern void GpuJoinForget(GpuJoin *join, int32 count);

/*
 * Compares documents from `first` to before `end` with the first `indexed` documents.  A GPU may do
 * only the first of them, see `range->done`.  Returns false if no GPU can compare them.  The pairs
 * in `range` are valid until GpuJoinLookAfter(); after that call, the GPUs continue with the
 * remaining documents, which must be asked for next.
 */
extern bool GpuJoinRun(GpuJoin *join, int32 indexed, int32 first, int32 end, TedJoinRange *range);
extern void GpuJoinLookAfter(GpuJoin *join);

/* Closes a join, and frees its memory. */
extern void GpuJoinClose(GpuJoin *join);

#endif /* TED_GPU_JOIN_H */
