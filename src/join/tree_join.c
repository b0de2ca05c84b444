/*
 * tree_join.c
 *	  The aggregate tree_similarity_join().
 */
#include "postgres.h"

#include "fmgr.h"

#include "../engine/session.h"
#include "aggregate.h"
#include "pipeline.h"

/* Refuses a maximum distance below 0. */
static void
CheckThreshold(double threshold)
{
	CheckMaxDistance((int32) threshold);
}

/* Numbers a tree to be indexed. */
static int32
NumberIndexed(void *pipeline, Datum doc)
{
	return PipelineAddIndexed(pipeline, doc);
}

/* Numbers a probe. */
static int32
NumberProbe(void *pipeline, Datum doc)
{
	return PipelineAddProbe(pipeline, doc);
}

/* Receives what the pipeline finds. */
static void
EmitPair(void *join, int32 probe, int32 indexed, int32 distance, int32 larger_size)
{
	(void) larger_size;
	JoinAddPairs(join, probe, indexed, distance);
}

/* Joins trees. */
static void
RunTreeJoin(Join *join, double threshold)
{
	JoinCounts counts = {0};
	TreeThreshold within = DistanceThreshold((int64) threshold);
	JoinPipeline *pipeline = PipelineOpen(&within, &counts, EmitPair, join);

	JoinNumberIndexed(join, NumberIndexed, pipeline);
	PipelineIndex(pipeline);
	if (JoinIsSelf(join))
	{
		int32 next = 0;

		while (next < PipelineTrees(pipeline))
			next = PipelineRunSelf(pipeline, next, PipelineTrees(pipeline));
	}
	else
	{
		JoinNumberProbes(join, NumberProbe, pipeline);
		while (PipelineRunProbes(pipeline))
			;
	}
	PipelineClose(pipeline);
}

static const JoinKind tree_join = {.aggregate = "tree_similarity_join",
								   .threshold = "maximum distance",
								   .fewer = "Decrease the maximum distance",
								   .equal = 0,
								   .check_threshold = CheckThreshold,
								   .run = RunTreeJoin};

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

PG_FUNCTION_INFO_V1(tree_similarity_join_finalfn);

/* Joins all trees of the state. */
Datum
tree_similarity_join_finalfn(PG_FUNCTION_ARGS)
{
	return JoinFinal(fcinfo, &tree_join);
}
