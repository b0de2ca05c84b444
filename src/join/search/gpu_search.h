/*
 * gpu_search.h
 *	  Finds the pairs of a threshold join of trees or strings on the GPU.
 */
#ifndef TED_GPU_SEARCH_H
#define TED_GPU_SEARCH_H

#include "postgres.h"

#include "../../engine/gpu/gpu_join.h"
#include "../../tree/distance/threshold.h"
#include "pipeline.h"
#include "tree_set.h"

/* Trees in the order of their sizes, which gives them places from 0. */
typedef struct SortedTrees
{
	JoinTrees *trees;
	const int32 *number; /* tree number at each place */
	int32 count;
} SortedTrees;

/* A search on the GPU; probes have the places after the indexed documents. */
typedef struct GpuSearch
{
	GpuJoin *join;
	DocumentThreshold threshold; /* threshold of a search of trees */
	int32 indexed;               /* number of indexed documents */
	TedJoinRange range;          /* the range that was run last */
	TedJoinPair *pairs;          /* copy of the pairs of that range */
	int64 capacity;
	int64 next;  /* next of these pairs to pass on */
	bool taking; /* whether pairs of the range are left to pass on */
} GpuSearch;

/*
 * Opens a search in the current memory context, if it is estimated to be much faster than the CPU,
 * and the GPU can take the documents; returns NULL otherwise.  All labels are below `labels`; rarer
 * labels of the trees of a team have smaller numbers.
 */
extern GpuSearch *GpuSearchOpen(const DocumentThreshold *threshold, const SortedTrees *indexed,
								int32 labels, const Team *team, EngineCounts *counts);
extern GpuSearch *GpuSearchOpenStrings(const TedJoinStrings *indexed, const Team *team,
									   EngineCounts *counts);

/*
 * Sends probes to the GPU, which may have new labels, all below `labels`; returns false if the GPU
 * cannot take them.
 */
extern bool GpuSearchAddProbes(GpuSearch *search, const SortedTrees *probes, int32 labels);

/* Adds the pairs of a range to the counts. */
typedef void (*GpuCountRange)(JoinCounts *counts, const TedJoinRange *range);

/* Takes a pair that was found, by numbers; its distance is to be computed if TED_NO_DISTANCE. */
typedef void (*GpuTakePair)(void *search, int32 probe, int32 indexed, int32 distance);

/*
 * Finds the matches of the documents of a side from place `first` to before `end`, or of the first
 * of them, and starts with the others, which must be asked for next.  Passes on pairs until the
 * join has found many; returns the place where to continue, which is `first` until all pairs of a
 * range have been passed on.  If the GPU cannot compare the documents, closes the search, and sets
 * it to NULL.
 */
extern int32 GpuSearchFind(GpuSearch **search, JoinPipeline *join, DocumentsSide side, int32 first,
						   int32 end, GpuCountRange count, GpuTakePair take);

/* Closes a search, and sets it to NULL; its memory is freed. */
extern void GpuSearchClose(GpuSearch **search);

/* Estimates a join of trees, or of strings, with themselves; in gpu_estimate.c. */
extern GpuJoinSize EstimateGpuJoin(const TedJoinTrees *trees);
extern GpuJoinSize EstimateGpuStrings(const TedJoinStrings *strings);

#endif /* TED_GPU_SEARCH_H */
