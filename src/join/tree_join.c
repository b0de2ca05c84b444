/*
 * tree_join.c
 *	  The aggregate tree_similarity_join().
 */
#include "postgres.h"

#include "fmgr.h"

#include "../compat.h"
#include "../tree/costs.h"
#include "../tree/tree.h"
#include "aggregate.h"
#include "pipeline.h"

PG_FUNCTION_INFO_V1(tree_similarity_join_finalfn);

/* Refuses a maximum distance below 0. */
static void
CheckThreshold(double threshold)
{
	CheckMaxDistance((int32) threshold);
}

/* Whether sizes allow two trees to be within a maximum distance. */
static bool
SizesMatch(double max_distance, int32 a, int32 b)
{
	return abs(a - b) <= max_distance;
}

/* A block of trees that are joined. */
typedef struct TreeBlock
{
	JoinPipeline *pipeline;
	JoinCounts counts;
} TreeBlock;

/* Receives what the pipeline finds. */
static void
EmitPair(void *join, int32 probe, int32 indexed, int32 distance, int32 larger_size,
		 int32 smaller_size)
{
	(void) larger_size;
	(void) smaller_size;
	JoinAddPairs(join, probe, indexed, distance);
}

/* Opens the join of a block. */
static void *
OpenBlock(Join *join, double max_distance)
{
	TreeBlock *block = palloc0_object(TreeBlock);
	TreeThreshold threshold = DistanceThreshold(max_distance);

	block->pipeline = PipelineOpen(&threshold, true, &block->counts, EmitPair, join);
	return block;
}

/* Frees it. */
static void
CloseBlock(void *block)
{
	PipelineClose(((TreeBlock *) block)->pipeline);
}

/* Memory that a block takes. */
static Size
BlockMemory(const void *block)
{
	return PipelineMemory(((const TreeBlock *) block)->pipeline);
}

/* Numbers a tree to be indexed. */
static int32
AddIndexed(void *block, Datum doc)
{
	return PipelineAddIndexed(((TreeBlock *) block)->pipeline, doc);
}

/* Indexes a block. */
static void
IndexBlock(void *block)
{
	PipelineIndex(((TreeBlock *) block)->pipeline);
}

/* Finds the pairs of a block. */
static void
RunSelf(void *block)
{
	JoinPipeline *pipeline = ((TreeBlock *) block)->pipeline;
	int32 next = 0;

	while (next < PipelineTrees(pipeline))
		next = PipelineRunSelf(pipeline, next, PipelineTrees(pipeline));
}

/* Numbers a probe. */
static int32
AddProbe(void *block, Datum doc)
{
	return PipelineAddProbe(((TreeBlock *) block)->pipeline, doc);
}

/* Finds the indexed trees of the probes. */
static void
RunProbes(void *block)
{
	while (PipelineRunProbes(((TreeBlock *) block)->pipeline))
		;
}

static const JoinKind tree_join = {
	.aggregate = "tree_similarity_join",
	.final = tree_similarity_join_finalfn,
	.threshold = "maximum distance",
	.fewer = "Decrease the maximum distance, or use a plain JOIN with tree_within(), which returns "
			 "one row after the other.",
	.equal = 0,
	.check_threshold = CheckThreshold,
	.size = TreeSize,
	.sizes_match = SizesMatch,
	.open = OpenBlock,
	.close = CloseBlock,
	.memory = BlockMemory,
	.add_indexed = AddIndexed,
	.index = IndexBlock,
	.run_self = RunSelf,
	.add_probe = AddProbe,
	.run_probes = RunProbes};

PG_FUNCTION_INFO_V1(tree_similarity_join_transfn);

/* Adds a tree to the state. */
Datum
tree_similarity_join_transfn(PG_FUNCTION_ARGS)
{
	return JoinTransition(fcinfo, &tree_join);
}

PG_FUNCTION_INFO_V1(tree_similarity_join_combine);

/* Adds the rows of one partial state to another. */
Datum
tree_similarity_join_combine(PG_FUNCTION_ARGS)
{
	return JoinCombine(fcinfo, &tree_join);
}

/* Joins all trees of the state. */
Datum
tree_similarity_join_finalfn(PG_FUNCTION_ARGS)
{
	return JoinFinal(fcinfo, &tree_join);
}
