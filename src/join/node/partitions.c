/*
 * partitions.c
 *	  Rows of one side of a TedJoin, divided into partitions in temporary files.
 */
#include "postgres.h"

#include <fcntl.h>
#include <math.h>

#include "commands/tablespace.h"
#include "miscadmin.h"
#include "storage/buffile.h"
#include "utils/memutils.h"

#include "../../compat.h"
#include "../search/join_memory.h"
#include "partitions.h"

/* The first rows, which wait until it is known what labels are rare: their number, and bytes. */
#define SAMPLED_ROWS 2000
#define SAMPLE_MEMORY 0.25

/* The share of memory that the rule takes. */
#define RULE_MEMORY 0.25

struct Partitions
{
	MemoryContext context;
	MemoryContext scratch; /* for the row at hand */
	RowSpool *spool;
	const DocumentKind *kind;
	const DocumentThreshold *threshold;
	SharedPartitions shared; /* its team is NULL where rows come from this process only */
	int count;
	PartitionRule *rule; /* NULL until the first rows have been counted */
	PartitionLoads loads;
	int32 *label_counts;
	MinimalTuple *sample;
	int sampled;
	Size sample_bytes;
	int64 written;
	BufFile *own[MOST_PARTITIONS]; /* the files that this process writes, or NULL */
	int partition;                 /* that is read; -1 before the first one */
	int member;                    /* whose file is read */
	BufFile *reading;              /* NULL for none */
	MinimalTuple tuple;            /* the row that was read last */
	Size room;
};

/* Makes an empty set of rows. */
Partitions *
PartitionsCreate(RowSpool *spool, const DocumentKind *kind, const DocumentThreshold *threshold,
				 int count, const SharedPartitions *shared, PartitionRule *rule)
{
	MemoryContext context =
		AllocSetContextCreate(CurrentMemoryContext, "ted partitions", ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(context);
	Partitions *partitions = palloc0_object(Partitions);

	partitions->context = context;
	partitions->scratch = AllocSetContextCreate(context, "ted nodes", ALLOCSET_DEFAULT_SIZES);
	partitions->spool = spool;
	partitions->kind = kind;
	partitions->threshold = threshold;
	partitions->count = count;
	partitions->rule = rule;
	partitions->partition = -1;
	if (shared != NULL)
		partitions->shared = *shared;
	else
		PrepareTempTablespaces();
	MemoryContextSwitchTo(caller);
	return partitions;
}

/* Name of the file of a partition that a member writes. */
static void
FileName(char name[MAXPGPATH], int partition, int member)
{
	snprintf(name, MAXPGPATH, "partition%d.%d", partition, member);
}

/* The file of a partition that this process writes. */
static BufFile *
OwnFile(Partitions *partitions, int partition)
{
	const SharedPartitions *shared = &partitions->shared;
	BufFile **file = &partitions->own[partition];
	MemoryContext caller;
	char name[MAXPGPATH];

	if (*file != NULL)
		return *file;
	caller = MemoryContextSwitchTo(partitions->context);
	if (shared->team == NULL)
		*file = BufFileCreateTemp(false);
	else
	{
		int member = TeamMember(shared->team);

		FileName(name, partition, member);
		*file = SharedFileCreate(shared->files, name);
		PartitionSetAdd(&shared->members[member].written, partition);
	}
	MemoryContextSwitchTo(caller);
	return *file;
}

/* Writes a row to the files of its partitions. */
static void
Write(Partitions *partitions, SpooledRow row, TupleTableSlot *scan)
{
	MemoryContext caller = MemoryContextSwitchTo(partitions->scratch);
	PartitionSet set = PartitionsOfTree(partitions->rule, &partitions->loads, partitions->kind,
										partitions->threshold, row.tree, row.size);
	bytea *key = palloc(VARHDRSZ + sizeof(set));
	MinimalTuple tuple;

	SET_VARSIZE(key, VARHDRSZ + sizeof(set));
	memcpy(VARDATA(key), &set, sizeof(set));
	row.key = key;
	tuple = SpoolForm(partitions->spool, &row, scan);
	for (int partition = 0; partition < PartitionCount(partitions->rule); partition++)
		if (PartitionSetHas(&set, partition))
		{
			BufFileWrite(OwnFile(partitions, partition), tuple, tuple->t_len);
			partitions->written += tuple->t_len;
		}
	MemoryContextSwitchTo(caller);
	MemoryContextReset(partitions->scratch);
}

/* Makes the rule, or takes that of the process which has been faster. */
static void
MakeRule(Partitions *partitions)
{
	const SharedPartitions *shared = &partitions->shared;
	int processes = shared->team == NULL ? 1 : TeamMembers(shared->team);
	Size bytes = PartitionRuleBytes(JoinMemory(RULE_MEMORY, processes));
	uint64 none = InvalidDsaPointer;
	dsa_pointer place;

	if (shared->team == NULL)
	{
		partitions->rule = MemoryContextAllocHuge(partitions->context, bytes);
		PartitionRuleInit(partitions->rule, bytes, partitions->count, partitions->label_counts);
		return;
	}
	place = pg_atomic_read_u64(shared->rule);
	if (!DsaPointerIsValid(place))
	{
		place = TeamTake(shared->team, bytes);
		PartitionRuleInit(TeamAddress(shared->team, place), bytes, partitions->count,
						  partitions->label_counts);
		if (!pg_atomic_compare_exchange_u64(shared->rule, &none, place))
			place = none;
	}
	partitions->rule = TeamAddress(shared->team, place);
}

/* Writes the first rows. */
static void
WriteSample(Partitions *partitions, TupleTableSlot *scan)
{
	MakeRule(partitions);
	for (int i = 0; i < partitions->sampled; i++)
	{
		SpooledRow row;

		CHECK_FOR_INTERRUPTS();
		SpoolRead(partitions->spool, partitions->sample[i], &row, scan);
		Write(partitions, row, scan);
		heap_free_minimal_tuple(partitions->sample[i]);
	}
	if (partitions->sample != NULL)
	{
		pfree(partitions->sample);
		pfree(partitions->label_counts);
	}
	partitions->sample = NULL;
	partitions->sampled = 0;
}

/* Adds one of the first rows. */
static void
AddToSample(Partitions *partitions, const SpooledRow *row, TupleTableSlot *scan)
{
	MemoryContext caller = MemoryContextSwitchTo(partitions->context);
	MinimalTuple tuple = SpoolForm(partitions->spool, row, scan);

	if (partitions->sample == NULL)
	{
		partitions->sample = palloc_array(MinimalTuple, SAMPLED_ROWS);
		partitions->label_counts = LabelCountsCreate();
	}
	MemoryContextSwitchTo(partitions->scratch);
	CountTreeLabels(partitions->label_counts, partitions->kind, row->tree);
	MemoryContextSwitchTo(caller);
	MemoryContextReset(partitions->scratch);
	partitions->sample[partitions->sampled++] = tuple;
	partitions->sample_bytes += tuple->t_len;
	if (partitions->sampled == SAMPLED_ROWS ||
		partitions->sample_bytes > JoinMemory(SAMPLE_MEMORY, 1))
		WriteSample(partitions, scan);
}

/* Adds a row. */
void
PartitionsAdd(Partitions *partitions, const SpooledRow *row, TupleTableSlot *scan)
{
	if (partitions->rule == NULL)
		AddToSample(partitions, row, scan);
	else
		Write(partitions, *row, scan);
}

/* Closes a file that this process has written, if there is one. */
static void
CloseOwn(Partitions *partitions, int partition)
{
	if (partitions->own[partition] != NULL)
		BufFileClose(partitions->own[partition]);
	partitions->own[partition] = NULL;
}

/* Ends adding. */
void
PartitionsEnd(Partitions *partitions, TupleTableSlot *scan)
{
	if (partitions->sampled > 0)
		WriteSample(partitions, scan);
	if (partitions->shared.team == NULL)
		return;
	for (int partition = 0; partition < MOST_PARTITIONS; partition++)
		if (partitions->own[partition] != NULL)
		{
			partitions->shared.members[TeamMember(partitions->shared.team)].alike[partition] =
				(float) AlikePairs(&partitions->loads, partition);
			SharedFileExport(partitions->own[partition]);
			CloseOwn(partitions, partition);
		}
}

/* The rule. */
PartitionRule *
PartitionsRule(Partitions *partitions)
{
	if (partitions->rule == NULL && partitions->shared.team != NULL &&
		DsaPointerIsValid(pg_atomic_read_u64(partitions->shared.rule)))
		MakeRule(partitions);
	return partitions->rule;
}

/* Ends reading a file. */
static void
EndReading(Partitions *partitions)
{
	if (partitions->reading != NULL && partitions->shared.team != NULL)
		BufFileClose(partitions->reading);
	partitions->reading = NULL;
}

/* A partition, and the root of the number of its alike pairs. */
typedef struct PartitionWork
{
	int partition;
	double root;
} PartitionWork;

/* Orders partitions, those with much work first. */
static int
CompareWork(const void *a, const void *b)
{
	const PartitionWork *x = a;
	const PartitionWork *y = b;

	return x->root != y->root ? (x->root < y->root) - (x->root > y->root)
							  : x->partition - y->partition;
}

/* Puts partitions in an order. */
void
PartitionsOrder(const Partitions *partitions, int count, int *order)
{
	const SharedPartitions *shared = &partitions->shared;
	PartitionWork work[MOST_PARTITIONS];

	/* alike trees come to all members, each of which has a part of the root */
	for (int i = 0; i < count; i++)
	{
		work[i] = (PartitionWork){.partition = i};
		for (int member = 0; shared->team != NULL && member < TeamMembers(shared->team); member++)
			work[i].root += sqrt(shared->members[member].alike[i]);
	}
	qsort(work, (size_t) count, sizeof(PartitionWork), CompareWork);
	for (int i = 0; i < count; i++)
		order[i] = work[i].partition;
}

/* Whether any process has rows of a partition. */
bool
PartitionsHave(const Partitions *partitions, int partition)
{
	const SharedPartitions *shared = &partitions->shared;

	if (shared->team == NULL)
		return partitions->own[partition] != NULL;
	for (int member = 0; member < TeamMembers(shared->team); member++)
		if (PartitionSetHas(&shared->members[member].written, partition))
			return true;
	return false;
}

/* Turns to the rows of a partition; those of the one before it are not read again. */
void
PartitionsTurnTo(Partitions *partitions, int partition)
{
	EndReading(partitions);
	if (partitions->partition >= 0 && partitions->partition != partition)
		CloseOwn(partitions, partitions->partition);
	partitions->partition = partition;
	partitions->member = -1;
}

/* Turns to the next file of the partition; false if there is none. */
static bool
TurnToFile(Partitions *partitions)
{
	const SharedPartitions *shared = &partitions->shared;
	int files = shared->team == NULL ? 1 : TeamMembers(shared->team);
	MemoryContext caller = MemoryContextSwitchTo(partitions->context);
	char name[MAXPGPATH];

	EndReading(partitions);
	while (partitions->reading == NULL && ++partitions->member < files)
	{
		if (shared->team == NULL)
			partitions->reading = partitions->own[partitions->partition];
		else if (PartitionSetHas(&shared->members[partitions->member].written,
								 partitions->partition))
		{
			FileName(name, partitions->partition, partitions->member);
			partitions->reading = SharedFileOpen(shared->files, name);
		}
	}
	MemoryContextSwitchTo(caller);
	if (partitions->reading != NULL && BufFileSeek(partitions->reading, 0, 0, SEEK_SET) != 0)
		ereport(ERROR, (errcode_for_file_access(), errmsg("could not rewind temporary file")));
	return partitions->reading != NULL;
}

/* Reads the next row of the partition. */
bool
PartitionsNext(Partitions *partitions, SpooledRow *row, TupleTableSlot *scan)
{
	uint32 length;

	while (partitions->reading == NULL ||
		   BufFileReadMaybeEOF(partitions->reading, &length, sizeof(length), true) == 0)
		if (!TurnToFile(partitions))
			return false;
	if (length > partitions->room)
	{
		if (partitions->tuple != NULL)
			pfree(partitions->tuple);
		partitions->tuple = MemoryContextAlloc(partitions->context, length);
		partitions->room = length;
	}
	partitions->tuple->t_len = length;
	BufFileReadExact(partitions->reading, (char *) partitions->tuple + sizeof(length),
					 length - sizeof(length));
	SpoolRead(partitions->spool, partitions->tuple, row, scan);
	return true;
}

/* The partitions that a row belongs to, which was read from one. */
PartitionSet
PartitionsOfRow(const SpooledRow *row)
{
	PartitionSet set;

	memcpy(&set, VARDATA_ANY(row->key), sizeof(set));
	return set;
}

/* Memory that they take. */
Size
PartitionsMemory(const Partitions *partitions)
{
	return MemoryContextMemAllocated(partitions->context, true);
}

/* Bytes that this process has written. */
int64
PartitionsDiskBytes(const Partitions *partitions)
{
	return partitions->written;
}

/* Gives files and memory back. */
void
PartitionsFree(Partitions *partitions)
{
	EndReading(partitions);
	for (int partition = 0; partition < MOST_PARTITIONS; partition++)
		CloseOwn(partitions, partition);
	MemoryContextDelete(partitions->context);
}
