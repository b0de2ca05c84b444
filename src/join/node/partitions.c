/*
 * partitions.c
 *	  Rows of one side of a TedJoin, divided into partitions in temporary files.
 */
#include "postgres.h"

#include <fcntl.h>
#include <math.h>

#include "commands/tablespace.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "storage/buffile.h"
#include "utils/memutils.h"

#include "../../compat.h"
#include "../search/join_memory.h"
#include "partitions.h"

/* The first rows are kept until the rare labels are known: their number, and memory share. */
#define SAMPLED_ROWS 2000
#define SAMPLE_MEMORY 0.25

/* The share of memory for the partition rule. */
#define RULE_MEMORY 0.25

/* Rows of a partition that are being written. */
typedef struct Written
{
	int64 bytes;
	StringInfoData pages; /* numbers of the full pages in the file, as uint32 */
	char *last;           /* the page being filled; NULL for none */
} Written;

/*
 * Where the rows of all partitions are in the file of a member; shared memory if there is a team.
 */
typedef struct Directory
{
	int64 bytes[MOST_PARTITIONS];        /* bytes of each partition */
	int64 first[MOST_PARTITIONS];        /* index of each partition's first entry in `pages` */
	float alike[MOST_PARTITIONS];        /* estimated pairs of similar trees in each partition */
	uint32 pages[FLEXIBLE_ARRAY_MEMBER]; /* numbers of the pages in the file */
} Directory;

struct Partitions
{
	MemoryContext context;
	MemoryContext scratch; /* reset after each row */
	RowSpool *spool;
	const DocumentKind *kind;
	const DocumentThreshold *threshold; /* stays where it is */
	SharedPartitions shared; /* its team is NULL where rows come from this process only */
	int members;             /* number of processes that write files */
	int count;               /* wanted number of partitions */
	PartitionRule *rule;     /* NULL until the first rows have been counted */
	PartitionLoads loads;
	int32 *label_counts;
	MinimalTuple *sample;
	int sampled;
	Size sample_bytes;
	Written *written; /* by partition, until PartitionsEnd() */
	uint32 pages;     /* pages in the file of this process */
	Directory *own;   /* of this process, if it is alone */
	BufFile **files;  /* by member; NULL for files that are not open */

	/* reading: position in the file of a member */
	int partition;
	int member;
	int64 next_page;
	int64 left;         /* bytes left in the member's part of the partition */
	char *page;         /* page read last */
	int page_left;      /* bytes left in the page */
	MinimalTuple tuple; /* row read last */
	Size room;          /* bytes allocated for `tuple` */
};

/* Returns the number of this process among the members. */
static int
OwnMember(const Partitions *partitions)
{
	return partitions->shared.team == NULL ? 0 : TeamMember(partitions->shared.team);
}

/* Makes an empty set of partitions. */
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
	if (shared != NULL)
		partitions->shared = *shared;
	else
		PrepareTempTablespaces();
	partitions->members = shared == NULL ? 1 : TeamMembers(shared->team);
	partitions->written = palloc0_array(Written, MOST_PARTITIONS);
	partitions->files = palloc0_array(BufFile *, partitions->members);
	partitions->page = palloc(BLCKSZ);
	MemoryContextSwitchTo(caller);
	return partitions;
}

/* Sets the name of the file that a member writes. */
static void
FileName(char name[MAXPGPATH], int member)
{
	snprintf(name, MAXPGPATH, "partitions.%d", member);
}

/* Returns the file of a member, after creating it or opening one that exists. */
static BufFile *
FileOf(Partitions *partitions, int member, bool made)
{
	const SharedPartitions *shared = &partitions->shared;
	BufFile **file = &partitions->files[member];
	MemoryContext caller;
	char name[MAXPGPATH];

	if (*file != NULL)
		return *file;
	caller = MemoryContextSwitchTo(partitions->context);
	FileName(name, member);
	*file = shared->team == NULL ? BufFileCreateTemp(false)
			: made               ? SharedFileOpen(shared->files, name)
								 : SharedFileCreate(shared->files, name);
	MemoryContextSwitchTo(caller);
	return *file;
}

/* Writes the current page of a partition. */
static void
WritePage(Partitions *partitions, Written *written)
{
	appendBinaryStringInfo(&written->pages, (const char *) &partitions->pages, sizeof(uint32));
	BufFileWrite(FileOf(partitions, OwnMember(partitions), false), written->last, BLCKSZ);
	partitions->pages++;
}

/* Appends the bytes of a row to a partition. */
static void
Append(Partitions *partitions, Written *written, const char *bytes, int size)
{
	if (written->last == NULL)
	{
		MemoryContext caller = MemoryContextSwitchTo(partitions->context);

		initStringInfo(&written->pages);
		written->last = palloc0(BLCKSZ);
		MemoryContextSwitchTo(caller);
	}
	while (size > 0)
	{
		int used = (int) (written->bytes % BLCKSZ);
		int part = Min(size, BLCKSZ - used);

		memcpy(written->last + used, bytes, (size_t) part);
		written->bytes += part;
		bytes += part;
		size -= part;
		if (used + part == BLCKSZ)
			WritePage(partitions, written);
	}
}

/* Appends a row to all of its partitions. */
static void
Write(Partitions *partitions, SpooledRow row, TupleTableSlot *scan)
{
	MemoryContext caller = MemoryContextSwitchTo(partitions->scratch);
	PartitionSet set = PartitionsOfTree(partitions->rule, &partitions->loads, partitions->kind,
										partitions->threshold, row.document, row.size);
	bytea *key = palloc(VARHDRSZ + sizeof(set));
	MinimalTuple tuple;

	SET_VARSIZE(key, VARHDRSZ + sizeof(set));
	memcpy(VARDATA(key), &set, sizeof(set));
	row.key = key;
	tuple = SpoolForm(partitions->spool, &row, scan);
	for (int partition = 0; partition < PartitionCount(partitions->rule); partition++)
		if (PartitionSetHas(&set, partition))
			Append(partitions, &partitions->written[partition], (const char *) tuple,
				   (int) tuple->t_len);
	MemoryContextSwitchTo(caller);
	MemoryContextReset(partitions->scratch);
}

/* Makes the partition rule, or takes that of a faster process. */
static void
MakeRule(Partitions *partitions)
{
	const SharedPartitions *shared = &partitions->shared;
	Size bytes = PartitionRuleBytes(JoinMemory(RULE_MEMORY, partitions->members));
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

/* Makes the partition rule, and adds the first rows to their partitions. */
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

/* Keeps one of the first rows, and counts its labels. */
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
	CountTreeLabels(partitions->label_counts, partitions->kind, row->document);
	MemoryContextSwitchTo(caller);
	MemoryContextReset(partitions->scratch);
	partitions->sample[partitions->sampled++] = tuple;
	partitions->sample_bytes += tuple->t_len;
	if (partitions->sampled == SAMPLED_ROWS ||
		partitions->sample_bytes > JoinMemory(SAMPLE_MEMORY, 1))
		WriteSample(partitions, scan);
}

/* Adds a row to its partitions. */
void
PartitionsAdd(Partitions *partitions, const SpooledRow *row, TupleTableSlot *scan)
{
	if (partitions->rule == NULL)
		AddToSample(partitions, row, scan);
	else
		Write(partitions, *row, scan);
}

/* Allocates the directory of this process. */
static Directory *
TakeDirectory(Partitions *partitions)
{
	const SharedPartitions *shared = &partitions->shared;
	Size bytes = offsetof(Directory, pages) + sizeof(uint32) * (Size) partitions->pages;
	dsa_pointer place;

	if (shared->team == NULL)
		return partitions->own = MemoryContextAllocHuge(partitions->context, bytes);
	place = TeamTake(shared->team, bytes);
	shared->directories[OwnMember(partitions)] = place;
	return TeamAddress(shared->team, place);
}

/* Ends adding rows: writes the last pages, and fills the directory. */
void
PartitionsEnd(Partitions *partitions, TupleTableSlot *scan)
{
	Directory *directory;
	int64 pages = 0;

	if (partitions->sampled > 0)
		WriteSample(partitions, scan);
	for (int i = 0; i < MOST_PARTITIONS; i++)
		if (partitions->written[i].bytes % BLCKSZ > 0)
			WritePage(partitions, &partitions->written[i]);
	directory = TakeDirectory(partitions);
	for (int i = 0; i < MOST_PARTITIONS; i++)
	{
		Written *written = &partitions->written[i];

		directory->bytes[i] = written->bytes;
		directory->first[i] = pages;
		directory->alike[i] = (float) AlikePairs(&partitions->loads, i);
		if (written->last == NULL)
			continue;
		memcpy(directory->pages + pages, written->pages.data, (Size) written->pages.len);
		pages += written->pages.len / (int) sizeof(uint32);
		pfree(written->pages.data);
		pfree(written->last);
	}
	pfree(partitions->written);
	partitions->written = NULL;
	if (partitions->shared.team != NULL && partitions->pages > 0)
	{
		BufFile **file = &partitions->files[OwnMember(partitions)];

		SharedFileExport(*file);
		BufFileClose(*file);
		*file = NULL;
	}
}

/* Returns the partition rule; NULL if no process has a row. */
PartitionRule *
PartitionsRule(Partitions *partitions)
{
	if (partitions->rule == NULL && partitions->shared.team != NULL &&
		DsaPointerIsValid(pg_atomic_read_u64(partitions->shared.rule)))
		MakeRule(partitions);
	return partitions->rule;
}

/* Returns the directory of a member; NULL if it joined too late to write rows. */
static const Directory *
DirectoryOf(const Partitions *partitions, int member)
{
	const SharedPartitions *shared = &partitions->shared;

	if (shared->team == NULL)
		return partitions->own;
	return DsaPointerIsValid(shared->directories[member])
			   ? TeamAddress(shared->team, shared->directories[member])
			   : NULL;
}

/* Returns the bytes of a partition that a member has written. */
static int64
BytesOf(const Partitions *partitions, int partition, int member)
{
	const Directory *directory = DirectoryOf(partitions, member);

	return directory == NULL ? 0 : directory->bytes[partition];
}

/* A partition, and the root of its number of similar pairs. */
typedef struct PartitionWork
{
	int partition;
	double root;
} PartitionWork;

/* Compares partitions; those with more work come first. */
static int
CompareWork(const void *a, const void *b)
{
	const PartitionWork *x = a;
	const PartitionWork *y = b;

	return x->root != y->root ? (x->root < y->root) - (x->root > y->root)
							  : x->partition - y->partition;
}

/* Orders partitions by their work. */
void
PartitionsOrder(const Partitions *partitions, int count, int *order)
{
	PartitionWork work[MOST_PARTITIONS];

	for (int i = 0; i < count; i++)
		work[i] = (PartitionWork){.partition = i};
	/* similar trees go to all members, each of which has a part of the root */
	for (int member = 0; member < partitions->members; member++)
	{
		const Directory *directory = DirectoryOf(partitions, member);

		for (int i = 0; directory != NULL && i < count; i++)
			work[i].root += sqrt(directory->alike[i]);
	}
	qsort(work, (size_t) count, sizeof(PartitionWork), CompareWork);
	for (int i = 0; i < count; i++)
		order[i] = work[i].partition;
}

/* Whether any process has rows of a partition. */
bool
PartitionsHave(const Partitions *partitions, int partition)
{
	for (int member = 0; member < partitions->members; member++)
		if (BytesOf(partitions, partition, member) > 0)
			return true;
	return false;
}

/* Starts reading a partition. */
void
PartitionsTurnTo(Partitions *partitions, int partition)
{
	partitions->partition = partition;
	partitions->member = -1;
	partitions->left = 0;
}

/* Advances to the next member with rows of the partition; returns false if there is none. */
static bool
TurnToMember(Partitions *partitions)
{
	while (++partitions->member < partitions->members)
	{
		partitions->left = BytesOf(partitions, partitions->partition, partitions->member);
		partitions->next_page = 0;
		partitions->page_left = 0;
		if (partitions->left > 0)
			return true;
	}
	return false;
}

/* Reads the next page of the partition. */
static void
ReadPage(Partitions *partitions)
{
	const Directory *directory = DirectoryOf(partitions, partitions->member);
	int64 place = directory->first[partitions->partition] + partitions->next_page++;
	BufFile *file = FileOf(partitions, partitions->member, true);

	if (BufFileSeekBlock(file, (long) directory->pages[place]) != 0)
		ereport(ERROR, (errcode_for_file_access(), errmsg("could not seek in temporary file")));
	BufFileReadExact(file, partitions->page, BLCKSZ);
	partitions->page_left = BLCKSZ;
}

/* Reads the next bytes of the partition. */
static void
ReadBytes(Partitions *partitions, char *bytes, int size)
{
	partitions->left -= size;
	while (size > 0)
	{
		int part;

		if (partitions->page_left == 0)
			ReadPage(partitions);
		part = Min(size, partitions->page_left);
		memcpy(bytes, partitions->page + BLCKSZ - partitions->page_left, (size_t) part);
		partitions->page_left -= part;
		bytes += part;
		size -= part;
	}
}

/* Reads the next row of the partition; returns false at the end. */
bool
PartitionsNext(Partitions *partitions, SpooledRow *row, TupleTableSlot *scan)
{
	uint32 length;

	if (partitions->left == 0 && !TurnToMember(partitions))
		return false;
	ReadBytes(partitions, (char *) &length, sizeof(length));
	if (length > partitions->room)
	{
		if (partitions->tuple != NULL)
			pfree(partitions->tuple);
		partitions->tuple = MemoryContextAlloc(partitions->context, length);
		partitions->room = length;
	}
	partitions->tuple->t_len = length;
	ReadBytes(partitions, (char *) partitions->tuple + sizeof(length),
			  (int) (length - sizeof(length)));
	SpoolRead(partitions->spool, partitions->tuple, row, scan);
	return true;
}

/* Returns the partitions of a row that was read from a partition. */
PartitionSet
PartitionsOfRow(const SpooledRow *row)
{
	PartitionSet set;

	memcpy(&set, VARDATA_ANY(row->key), sizeof(set));
	return set;
}

/* Returns the bytes of the partitions in memory. */
Size
PartitionsMemory(const Partitions *partitions)
{
	return MemoryContextMemAllocated(partitions->context, true);
}

/* Returns the bytes that this process has written. */
int64
PartitionsDiskBytes(const Partitions *partitions)
{
	return (int64) partitions->pages * BLCKSZ;
}

/* Closes the files, and frees the memory. */
void
PartitionsFree(Partitions *partitions)
{
	for (int member = 0; member < partitions->members; member++)
		if (partitions->files[member] != NULL)
			BufFileClose(partitions->files[member]);
	MemoryContextDelete(partitions->context);
}
