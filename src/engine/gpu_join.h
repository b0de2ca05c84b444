/*
 * gpu_join.h
 *	  A threshold join of trees or strings on the GPUs of this backend.
 *
 * These filter and compute; what they leave open, or all where they have no
 * memory or fail, is for the caller to compute.
 */
#ifndef TED_GPU_JOIN_H
#define TED_GPU_JOIN_H

#include "postgres.h"

#include "device.h"
#include "session.h"

/* A join, and the documents of it that GPUs have. */
typedef struct GpuJoin GpuJoin;

/* What is known of a join before it is run. */
typedef struct GpuJoinSize
{
	double nodes;       /* of all trees */
	double window;      /* pairs whose sizes allow their limits */
	double unlisted;    /* those of them that need not share a rare label */
	double listed;      /* those that do, in the lists of all labels, about */
	double cpu_seconds; /* that the CPU takes, about */
	double gpu_seconds; /* that a GPU takes for those whose labels may match */
	double gpu_tables;  /* and for those of these that it leaves open */
} GpuJoinSize;

/*
 * Opens a join in the current memory context if it takes much less time on the
 * GPU, and there is one; NULL otherwise.
 */
extern GpuJoin *GpuJoinOpen(const GpuJoinSize *size, EngineCounts *counts);

/* Adds documents, which get the next numbers from 0; false where no GPU can take them. */
extern bool GpuJoinAddTrees(GpuJoin *join, const TedJoinTrees *added);
extern bool GpuJoinAddStrings(GpuJoin *join, const TedJoinStrings *added);

/* Forgets all documents but the first `count`. */
extern void GpuJoinForget(GpuJoin *join, int32 count);

/*
 * Compares documents with the first `indexed`: those from place `first` to before `end`, or as
 * many of them as a GPU takes at once, as the range says; false where no GPU can.  What is
 * found stays until GpuJoinLookAfter(), after which the GPUs go on with the rest of these,
 * which must be asked for next.
 */
extern bool GpuJoinRun(GpuJoin *join, int32 indexed, int32 first, int32 end, TedJoinRange *range);
extern void GpuJoinLookAfter(GpuJoin *join);

/* Frees everything. */
extern void GpuJoinClose(GpuJoin *join);

#endif /* TED_GPU_JOIN_H */
