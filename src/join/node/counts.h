/*
 * counts.h
 *	  Counters of a TedJoin, gathered from parallel workers, for EXPLAIN.
 */
#ifndef TED_COUNTS_H
#define TED_COUNTS_H

#include "postgres.h"

#include "access/parallel.h"

#include "../../compat.h"
#include "../search/pipeline.h"

typedef struct TedJoinCounts
{
	JoinCounts pairs;
	int64 blocks;    /* of the indexed side */
	int64 documents; /* rows read of either side, whether they have one or not */
	int64 probes;    /* rows looked up in the block, by this process */
	int64 memory;    /* bytes, the most at a time; the sum of that over processes */
	int64 spooled;   /* bytes of temporary files */
} TedJoinCounts;

/* Shared memory that workers need for their counts. */
extern Size SharedCountsBytes(ParallelContext *pcxt);

/* Arranges for the counts of workers to be added to the leader's when the workers have ended. */
extern void ShareCounts(ParallelContext *pcxt, void *shared, TedJoinCounts *leader);

/*
 * While workers run: how many there are, what all processes have done, of which this one
 * has the counts `own`, and when one of them had its last notice.
 */
extern int SharedCountsWorkers(const void *shared);
extern void SumSharedCounts(void *shared, const TedJoinCounts *own, TedJoinCounts *sum);
extern pg_atomic_uint64 *SharedCountsNoticed(void *shared);

/* Where the shared memory for counts ends, aligned for any type. */
extern void *SharedCountsEnd(void *shared);

/* A worker's own place. */
extern TedJoinCounts *WorkerCounts(void *shared);

struct ExplainState;

/* Shows what has computed, unless hardware is not to be shown. */
extern void ExplainEngine(const EngineCounts *counts, struct ExplainState *es);

/* Shows counts of a join of a kind of documents. */
extern void ExplainCounts(const TedJoinCounts *counts, const DocumentKind *kind,
						  struct ExplainState *es);

#endif /* TED_COUNTS_H */
