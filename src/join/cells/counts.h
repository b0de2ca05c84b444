/*
 * counts.h
 *	  Counters of a join for EXPLAIN, summed over parallel workers.
 */
#ifndef TED_COUNTS_H
#define TED_COUNTS_H

#include "postgres.h"

#include "access/parallel.h"

#include "../../compat.h"
#include "../search/pipeline.h"

/* Counts of a join, or of one of its processes. */
typedef struct JoinedCounts
{
	JoinCounts pairs;
	int64 blocks;    /* blocks of the indexed side */
	int64 cells;     /* cells by a rule that have been joined */
	int64 written;   /* rows in files of these cells, each as often as it is there */
	int64 documents; /* rows read of both sides, with or without a document */
	int64 probes;    /* rows that this process has looked up in the current block */
	int64 memory;    /* greatest number of bytes at a time; summed over processes */
	int64 spooled;   /* bytes of temporary files */
} JoinedCounts;

/* Returns the bytes of shared memory for the counts of a parallel query. */
extern Size SharedCountsBytes(ParallelContext *pcxt);

/* Arranges for the workers' counts to be added to the leader's when the workers have ended. */
extern void ShareCounts(ParallelContext *pcxt, void *shared, JoinedCounts *leader);

/*
 * While workers run: returns their number; sums the counts of all processes, where this process has
 * the counts `own`; returns the time of the last notice of any process.
 */
extern int SharedCountsWorkers(const void *shared);
extern void SumSharedCounts(void *shared, const JoinedCounts *own, JoinedCounts *sum);
extern pg_atomic_uint64 *SharedCountsNoticed(void *shared);

/*
 * Returns the greatest part done that any process has estimated, `part` included; forgets it for a
 * rescan.
 */
extern double SharedPart(void *shared, double part);
extern void ResetSharedPart(void *shared);

/* Returns the end of the shared counts, aligned for any type. */
extern void *SharedCountsEnd(void *shared);

/* Returns the shared counts of this worker. */
extern JoinedCounts *WorkerCounts(void *shared);

struct ExplainState;

/* Shows the engine of a join, unless ted.explain_hardware is off. */
extern void ExplainEngine(const EngineCounts *counts, struct ExplainState *es);

/* Shows the counts of a join of one kind of documents. */
extern void ExplainCounts(const JoinedCounts *counts, const DocumentKind *kind,
						  struct ExplainState *es);

#endif /* TED_COUNTS_H */
