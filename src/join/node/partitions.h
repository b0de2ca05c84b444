/*
 * partitions.h
 *	  Rows of one side of a TedJoin, divided into partitions in temporary files.
 *
 * Matching trees have a partition in common (partition_rule.h), so each partition is joined
 * separately, as in a hash join.  A row is written once for each partition of its tree.  A process
 * has one file, which consists of pages of partitions.  The rare labels are determined from the
 * first rows.
 *
 * Processes that each read a part of the rows share the partition rule, and read each other's
 * files.
 */
#ifndef TED_PARTITIONS_H
#define TED_PARTITIONS_H

#include "postgres.h"

#include "access/htup_details.h"
#include "storage/sharedfileset.h"

#include "../search/partition_rule.h"
#include "../search/team.h"
#include "spool.h"

/* Shared memory of the processes that divide rows, and the team that allocates the rule. */
typedef struct SharedPartitions
{
	Team *team;
	SharedFileSet *files;
	pg_atomic_uint64 *rule;   /* address of the partition rule, once a process has made it; or
							   * invalid */
	dsa_pointer *directories; /* address of each member's directory; or invalid */
} SharedPartitions;

/* The partitions of one side. */
typedef struct Partitions Partitions;

/*
 * Makes an empty set of about `count` partitions.  `spool` forms their rows, and `threshold` stays
 * where it is.  If `shared` is not NULL, rows come from all processes.  If `rule` is not NULL, rows
 * are divided by it, as those of the other side.
 */
extern Partitions *PartitionsCreate(RowSpool *spool, const DocumentKind *kind,
									const DocumentThreshold *threshold, int count,
									const SharedPartitions *shared, PartitionRule *rule);

/* Adds a row with a tree that is not large; its columns are in the scan tuple. */
extern void PartitionsAdd(Partitions *partitions, const SpooledRow *row, TupleTableSlot *scan);

/* Ends adding rows; other processes' rows can be read after they have ended adding, too. */
extern void PartitionsEnd(Partitions *partitions, TupleTableSlot *scan);

/* Returns the partition rule after adding; NULL if no process has a row. */
extern PartitionRule *PartitionsRule(Partitions *partitions);

/*
 * Orders partitions, those with much work first, so that processes which claim partitions end at
 * about the same time.
 */
extern void PartitionsOrder(const Partitions *partitions, int count, int *order);

/* Whether any process has rows of a partition. */
extern bool PartitionsHave(const Partitions *partitions, int partition);

/* Starts reading a partition; reads its next row, also into the scan tuple, or returns false. */
extern void PartitionsTurnTo(Partitions *partitions, int partition);
extern bool PartitionsNext(Partitions *partitions, SpooledRow *row, TupleTableSlot *scan);

/* Returns the partitions of a row that was read from a partition. */
extern PartitionSet PartitionsOfRow(const SpooledRow *row);

/* Returns the bytes in memory, and the bytes that this process has written. */
extern Size PartitionsMemory(const Partitions *partitions);
extern int64 PartitionsDiskBytes(const Partitions *partitions);

/* Closes the files, and frees the memory. */
extern void PartitionsFree(Partitions *partitions);

#endif /* TED_PARTITIONS_H */
