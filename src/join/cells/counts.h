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

/* Counts of all processes, in shared memory. */
typedef struct SharedCounts
{
	JoinedCounts *leader; /* valid in the leader only */
	int workers;
	pg_atomic_uint64 noticed; /* time of the last notice of any process */
	pg_atomic_uint64 part;    /* greatest part done that a process has estimated, as bits */
	JoinedCounts counts[FLEXIBLE_ARRAY_MEMBER]; /* of each worker, and a copy of the leader's */
} SharedCounts;

/* Returns the bytes of the counts of `workers` workers and the leader, aligned for any type. */
extern Size SharedCountsBytes(int workers);

/* Arranges for the workers' counts to be added to the leader's when the workers have ended. */
extern void ShareCounts(ParallelContext *pcxt, SharedCounts *shared, JoinedCounts *leader);

/* Sums the counts of all processes while workers run; this process has the counts `own`. */
extern void SumSharedCounts(SharedCounts *shared, const JoinedCounts *own, JoinedCounts *sum);

/* Returns the greatest part done that any process has estimated, `part` included. */
extern double SharedPart(SharedCounts *shared, double part);

struct ExplainState;

/* Shows the engine of a join, unless ted.explain_hardware is off. */
extern void ExplainEngine(const EngineCounts *counts, struct ExplainState *es);

/* Shows the counts of a join of one kind of documents. */
extern void ExplainCounts(const JoinedCounts *counts, const DocumentKind *kind,
						  struct ExplainState *es);

#endif /* TED_COUNTS_H */
