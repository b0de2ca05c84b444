/*
 * gpu_join.h
 *	  A threshold join of trees on the GPU of this backend.
 *
 * The device filters and computes; what it leaves open, or all where it has no
 * memory or fails, is for the caller to compute.
 */
#ifndef TED_ENGINE_GPU_JOIN_H
#define TED_ENGINE_GPU_JOIN_H

#include "postgres.h"

#include "device.h"
#include "session.h"

/* A join, and the trees of it that the device has. */
typedef struct GpuJoin GpuJoin;

/* What is known of a join before it is run. */
typedef struct GpuJoinSize
{
	double nodes;       /* of all trees */
	double window;      /* pairs whose sizes allow their limits */
	double cpu_seconds; /* that the CPU takes for these, about */
	double gpu_seconds; /* that the GPU takes for those that it leaves open */
} GpuJoinSize;

/*
 * Opens a join in the current memory context if it takes much less time on the
 * GPU, and there is one; NULL otherwise.
 */
extern GpuJoin *GpuJoinOpen(const GpuJoinSize *size, EngineCounts *counts);

/* Hands trees over, which get the next numbers from 0; false where the device cannot take them. */
extern bool GpuJoinAdd(GpuJoin *join, const TedJoinTrees *added);

/* Forgets all trees but the first `count`. */
extern void GpuJoinForget(GpuJoin *join, int32 count);

/*
 * Has a range compared, or as many of its trees as the device takes up at once; false
 * where it cannot.  It may have been started before, and gone on meanwhile.
 */
extern void GpuJoinStart(GpuJoin *join, TedJoinRange *range);
extern bool GpuJoinRun(GpuJoin *join, TedJoinRange *range);

/* Frees everything. */
extern void GpuJoinClose(GpuJoin *join);

#endif /* TED_ENGINE_GPU_JOIN_H */
