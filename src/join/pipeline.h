/*
 * pipeline.h
 *	  Threshold join of trees: filter, candidates, verification.
 *
 * One side is indexed.  Probes, which are the indexed trees themselves or others
 * that come in chunks, are looked up in the index, and what they find passes
 * the bounds from the cheapest to the dearest; an engine computes the distance
 * where these leave it open.  Equal trees take part once; their numbers tell
 * the caller which of its rows they stand for.
 */
#ifndef TED_JOIN_PIPELINE_H
#define TED_JOIN_PIPELINE_H

#include "postgres.h"

#include "../engine/session.h"
#include "../tree/threshold.h"

typedef struct JoinPipeline JoinPipeline;

/* Receives two trees that are within the threshold, by their numbers, and their sizes. */
typedef void (*JoinEmit)(void *arg, int32 probe, int32 indexed, int32 distance, int32 larger_size,
						 int32 smaller_size);

/* How many pairs of distinct trees came how far. */
typedef struct JoinCounts
{
	int64 window;   /* sizes allow the threshold */
	int64 prefix;   /* share one of their rarest labels, and signatures allow it */
	int64 labels;   /* share enough labels */
	int64 settled;  /* distance known from the bounds alone */
	int64 verified; /* distance computed */
	int64 batches;  /* of computed distances */
	int64 found;    /* within the threshold */
	EngineCounts engine;
} JoinCounts;

/*
 * Opens a join in the current memory context, for unit costs and a threshold
 * that equal trees match; adds to the counts what it does.  Where distances are
 * not wanted, what is passed on as such may be any upper bound within the threshold,
 * and sizes are not told.
 */
extern JoinPipeline *PipelineOpen(const TreeThreshold *threshold, bool distances_wanted,
								  JoinCounts *counts, JoinEmit emit, void *arg);

/* Adds a tree to be indexed; returns its number, which equal trees share. */
extern int32 PipelineAddIndexed(JoinPipeline *join, Datum tree);

/* Writes the trees added, for other processes, to memory aligned for any type. */
extern Size PipelineExportBytes(const JoinPipeline *join);
extern void PipelineExport(const JoinPipeline *join, char *image);

/*
 * Adds trees that another process, by its ParallelWorkerNumber, has written so
 * to be indexed, and has them stay where they are; returns the number of each, in
 * the order of the numbers that they had.
 */
extern int32 *PipelineImport(JoinPipeline *join, const char *image, int worker);

/* Has the join take another threshold, before the trees are indexed. */
extern void PipelineSetThreshold(JoinPipeline *join, const TreeThreshold *threshold);

/* Indexes the trees added, after which there are only probes. */
extern void PipelineIndex(JoinPipeline *join);

/*
 * How many different trees are indexed, and the numbers of these in an order that
 * is the same in all processes that have them.
 */
extern int32 PipelineTrees(const JoinPipeline *join);
extern int32 PipelineTreeAt(const JoinPipeline *join, int32 place);

/*
 * Whether as many trees as there are should be looked up at once, once they are
 * indexed, since the GPU does so.
 */
extern bool PipelineTakesAll(const JoinPipeline *join);

/*
 * Where to begin with the trees up to before place `end` for a portion of the work of
 * looking up all trees before `end`: at least one tree, and if possible no
 * more than this part of the work, by the sizes of the trees.
 */
extern int32 PipelinePortion(const JoinPipeline *join, int32 end, double part);

/*
 * Finds the pairs of different indexed trees, each once: of those from place
 * `first` to before `end` in that order, with those before them.  Stops early
 * where it has found many: returns where to go on.
 */
extern int32 PipelineRunSelf(JoinPipeline *join, int32 first, int32 end);

/* Adds a probe; returns its number, which equal probes share until they are run. */
extern int32 PipelineAddProbe(JoinPipeline *join, Datum tree);

/*
 * Finds the indexed trees of the probes added, which are then forgotten.  Stops
 * early where it has found many: returns true to be called again.
 */
extern bool PipelineRunProbes(JoinPipeline *join);

/* Memory that the join takes, and will take to index the trees added. */
extern Size PipelineMemory(const JoinPipeline *join);

/* Memory that a tree with so many nodes takes with the index, about, besides its labels. */
extern Size PipelineTreeBytes(const JoinPipeline *join, int32 size);

/* Frees everything. */
extern void PipelineClose(JoinPipeline *join);

#endif /* TED_JOIN_PIPELINE_H */
