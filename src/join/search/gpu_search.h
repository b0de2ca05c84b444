/*
 * gpu_search.h
 *	  Finds the pairs of a threshold join of trees or strings on the GPU.
 */
#ifndef TED_GPU_SEARCH_H
#define TED_GPU_SEARCH_H

#include "postgres.h"

#include "../../engine/gpu_join.h"
#include "../../tree/distance/threshold.h"
#include "tree_set.h"

/* Trees in the order of their sizes, in which they have places from 0. */
typedef struct SortedTrees
{
	JoinTrees *trees;
	const int32 *number; /* by place */
	int32 count;
} SortedTrees;

/* A join on the GPU; probes have the places after the indexed documents. */
typedef struct GpuSearch
{
	GpuJoin *join;
	DocumentThreshold threshold; /* of trees */
	int32 indexed;               /* documents */
	TedJoinRange range;          /* that was run last */
	TedJoinPair *pairs;          /* that it has found */
	int64 capacity;
	int64 next; /* of these */
} GpuSearch;

/*
 * Opens a search in the current memory context where that is estimated to be much
 * faster than the CPU, and the device takes the documents; NULL otherwise.  Labels are
 * below `labels`; those of the trees of a team have smaller numbers the rarer they are.
 */
extern GpuSearch *GpuSearchOpen(const DocumentThreshold *threshold, const SortedTrees *indexed,
								int32 labels, const Team *team, EngineCounts *counts);
extern GpuSearch *GpuSearchOpenStrings(const TedJoinStrings *indexed, const Team *team,
									   EngineCounts *counts);

/* Hands probes over, of which trees may have brought labels, or forgets them. */
extern bool GpuSearchAddProbes(GpuSearch *search, const SortedTrees *probes, int32 labels);
extern bool GpuSearchAddStrings(GpuSearch *search, const TedJoinStrings *probes);
extern void GpuSearchForgetProbes(GpuSearch *search);

/*
 * Compares the documents from place `first` to before `end`, or some of them, see
 * range.done, and starts with the rest, which has to be asked for next; false where
 * the GPU cannot.
 */
extern bool GpuSearchRun(GpuSearch *search, int32 first, int32 end);

/* Lets GPUs go on with the rest of the documents of the last run. */
extern void GpuSearchLookAfter(GpuSearch *search);

/* The next pair found, by places; NULL if there is none left. */
extern const TedJoinPair *GpuSearchNext(GpuSearch *search);

/* Gives back what it has taken. */
extern void GpuSearchClose(GpuSearch *search);

#endif /* TED_GPU_SEARCH_H */
