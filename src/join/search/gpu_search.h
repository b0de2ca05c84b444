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
	int64 next; /* next pair to return */
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

/* Sends probes to the GPU, or forgets them; probes may have new labels, all below `labels`. */
extern bool GpuSearchAddProbes(GpuSearch *search, const SortedTrees *probes, int32 labels);
extern bool GpuSearchAddStrings(GpuSearch *search, const TedJoinStrings *probes);
extern void GpuSearchForgetProbes(GpuSearch *search);

/*
 * Compares the documents from place `first` to before `end`, or the first of them, see range.done,
 * and starts with the others, which must be asked for next.  Returns false if the GPU cannot
 * compare them.
 */
extern bool GpuSearchRun(GpuSearch *search, int32 first, int32 end);

/* Lets idle GPUs continue with the next documents. */
extern void GpuSearchLookAfter(GpuSearch *search);

/* Returns the next pair found, by places; NULL if there is none. */
extern const TedJoinPair *GpuSearchNext(GpuSearch *search);

/* Closes a search, and frees its memory. */
extern void GpuSearchClose(GpuSearch *search);

#endif /* TED_GPU_SEARCH_H */
