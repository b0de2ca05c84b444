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

/* The first rows, which wait until it is known what labels are rare: their number, and bytes. */
#define SAMPLED_ROWS 2000
#define SAMPLE_MEMORY 0.25

/* The share of memory that the rule takes. */
#define RULE_MEMORY 0.25

/* Rows of a partition that are written: the numbers of full pages in the file, and the last one. */
typedef struct Written
{
	int64 bytes;
	StringInfoData pages; /* an uint32 each */
	char *last;           /* NULL for none */
} Written;

/* Where the rows of partitions are in the file of a member; in shared memory where there is a team.
 */
typedef struct Directory
{
	int64 bytes[MOST_PARTITIONS];
	int64 first[MOST_PARTITIONS]; /* of the partition's pages, among these */
	float alike[MOST_PARTITIONS]; /* pairs of trees */
	uint32 pages[FLEXIBLE_ARRAY_MEMBER];
} Directory;

struct Partitions
{
	MemoryContext context;
	MemoryContext scratch; /* for the row at hand */
	RowSpool *spool;
	const DocumentKind *kind;
	const DocumentThreshold *threshold;
	SharedPartitions shared; /* its team is NULL where rows come from this process only */
	int members;             /* processes that write files */
	int count;
	PartitionRule *rule; /* NULL until the first rows have been counted */
	PartitionLoads loads;
	int32 *label_counts;
	MinimalTuple *sample;
	int sampled;
	Size sample_bytes;
	Written *written; /* by partition, until adding ends */
	uint32 pages;     /* of the file of this process */
	Directory *own;   /* of this process, where it is alone */
	BufFile **files;  /* by member; NULL for those that have not been opened */

	/* what is read: of a member's file, the next page of the partition, and what is left of it */
	int partition;
	int member;
	int64 next_page;
	int64 left;         /* bytes */
	char *page;         /* read last */
	int page_left;      /* bytes */
	MinimalTuple tuple; /* the row that was read last */
	Size room;
};

/* The number of this process among those that write files. */
static int
OwnMember(const Partitions *partitions)
{
	return partitions->shared.team == NULL ? 0 : TeamMember(partitions->shared.team);
}

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

/* Name of the file that a member writes. */
static void
FileName(char name[MAXPGPATH], int member)
{
	snprintf(name, MAXPGPATH, "partitions.%d", member);
}

/* The file of a member, which is made or opened. */
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

/* Writes the last page of a partition. */
static void
WritePage(Partitions *partitions, Written *written)
{
	appendBinaryStringInfo(&written->pages, (const char *) &partitions->pages, sizeof(uint32));
	BufFileWrite(FileOf(partitions, OwnMember(partitions), false), written->last, BLCKSZ);
	partitions->pages++;
}

/* Appends a row to a partition. */
static void
Append(Partitions *partitions, Written *written, const char *bytes, int size)
{
	if (written->last == NULL)
	{
		MemoryContext caller = MemoryContextSwitchTo(partitions->context);

		initStringInfo(&written->pages);
		written->last = palloc(BLCKSZ);
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
			Append(partitions, &partitions->written[partition], (const char *) tuple,
				   (int) tuple->t_len);
	MemoryContextSwitchTo(caller);
	MemoryContextReset(partitions->scratch);
}

/* Makes the rule, or takes that of the process which has been faster. */
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

/* Takes memory for the directory of this process. */
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

/* Ends adding. */
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

/* The rule. */
PartitionRule *
PartitionsRule(Partitions *partitions)
{
	if (partitions->rule == NULL && partitions->shared.team != NULL &&
		DsaPointerIsValid(pg_atomic_read_u64(partitions->shared.rule)))
		MakeRule(partitions);
	return partitions->rule;
}

/* The directory of a member; NULL where it has none, as it came late. */
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

/* The bytes of a partition that a member has written. */
static int64
BytesOf(const Partitions *partitions, int partition, int member)
{
	const Directory *directory = DirectoryOf(partitions, member);

	return directory == NULL ? 0 : directory->bytes[partition];
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
	PartitionWork work[MOST_PARTITIONS];

	for (int i = 0; i < count; i++)
		work[i] = (PartitionWork){.partition = i};
	/* alike trees come to all members, each of which has a part of the root */
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

/* Turns to the rows of a partition. */
void
PartitionsTurnTo(Partitions *partitions, int partition)
{
	partitions->partition = partition;
	partitions->member = -1;
	partitions->left = 0;
}

/* Turns to the rows of the next member that has some; false if there is none. */
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

/* Reads the next page. */
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

/* Reads bytes of the partition. */
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

/* Reads the next row of the partition. */
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
	return (int64) partitions->pages * BLCKSZ;
}

/* Gives files and memory back. */
void
PartitionsFree(Partitions *partitions)
{
	for (int member = 0; member < partitions->members; member++)
		if (partitions->files[member] != NULL)
			BufFileClose(partitions->files[member]);
	MemoryContextDelete(partitions->context);
}
