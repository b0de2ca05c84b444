/*
 * partitions.h
 *	  Rows of one side of a TedJoin, divided into partitions (partition_rule.h) in temporary files.
 *
 * Trees that match have a partition in common, so that each partition is joined for itself, as in
 * a hash join.  A row is written once for each partition that its tree belongs to; a process has
 *one file, which consists of pages of partitions.  What labels are rare is learnt from the first
 *rows.
 *
 * Processes that each read a part of the rows share the rule, and read the files of all of them.
 */
#ifndef TED_PARTITIONS_H
#define TED_PARTITIONS_H

#include "postgres.h"

#include "access/htup_details.h"
#include "storage/sharedfileset.h"

#include "../search/partition_rule.h"
#include "../search/team.h"
#include "spool.h"

/* What processes share: in shared memory, and the team that has memory for the rule. */
typedef struct SharedPartitions
{
	Team *team;
	SharedFileSet *files;
	pg_atomic_uint64 *rule;   /* where it is, once a process has made it; or invalid */
	dsa_pointer *directories; /* by member: where its rows are in its file; or invalid */
} SharedPartitions;

typedef struct Partitions Partitions;

/*
 * Makes an empty set of rows that a spool forms, for a threshold that stays where it is.  About
 * `count` partitions; rows come from all processes where `shared` is not NULL.  With `rule`, which
 * may be NULL, they are divided like the rows of another side.
 */
extern Partitions *PartitionsCreate(RowSpool *spool, const DocumentKind *kind,
									const DocumentThreshold *threshold, int count,
									const SharedPartitions *shared, PartitionRule *rule);

/* Adds a row with a tree that is not a large one, from its columns of the scan tuple. */
extern void PartitionsAdd(Partitions *partitions, const SpooledRow *row, TupleTableSlot *scan);

/* Ends adding; the rows of other processes can be read when these have done so, too. */
extern void PartitionsEnd(Partitions *partitions, TupleTableSlot *scan);

/* The rule, once adding has ended; NULL where there is no row of any process. */
extern PartitionRule *PartitionsRule(Partitions *partitions);

/*
 * Puts partitions in an order in which those that take long come first, so that processes which
 * claim them end at about the same time.
 */
extern void PartitionsOrder(const Partitions *partitions, int count, int *order);

/* Whether there are rows of a partition, of any process. */
extern bool PartitionsHave(const Partitions *partitions, int partition);

/* Turns to the rows of a partition; reads the next row, also into the scan tuple. */
extern void PartitionsTurnTo(Partitions *partitions, int partition);
extern bool PartitionsNext(Partitions *partitions, SpooledRow *row, TupleTableSlot *scan);

/* The partitions that such a row belongs to. */
extern PartitionSet PartitionsOfRow(const SpooledRow *row);

/* Memory that they take, and bytes that this process has written. */
extern Size PartitionsMemory(const Partitions *partitions);
extern int64 PartitionsDiskBytes(const Partitions *partitions);

/* Gives files and memory back. */
extern void PartitionsFree(Partitions *partitions);

#endif /* TED_PARTITIONS_H */
