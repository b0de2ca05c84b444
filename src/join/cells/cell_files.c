/*
 * cell_files.c
 *	  Rows of one side of a join, divided into cells in temporary files.
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
#include "../search/search.h"
#include "cell_files.h"

/* The first rows are kept until the rare labels are known: their number, and memory share. */
#define SAMPLED_ROWS 2000
#define SAMPLE_MEMORY 0.25

/* What a member has written to each cell, and an estimate of the pairs of similar trees there. */
typedef struct WrittenCells
{
	int64 bytes[MOST_CELLS];
	float alike[MOST_CELLS];
} WrittenCells;

struct CellFiles
{
	MemoryContext context;
	MemoryContext scratch; /* reset after each row */
	RowForm *form;
	TupleTableSlot *scan;
	const DocumentKind *kind;
	const DocumentThreshold *threshold; /* stays where it is */
	SharedFiles shared;                 /* its team is NULL if rows come from this process only */
	int members;                        /* number of processes that write files */
	int cells;                          /* wanted number of cells */
	double rule_memory;                 /* share of the memory for the rule */
	CellRule *rule;                     /* NULL until the first rows have been counted */
	CellLoads loads;
	MemoryContext counting; /* of the next members, until the rule has been made */
	int32 *label_counts;
	MinimalTuple *sample;
	int sampled;
	Size sample_bytes;
	BufFile *file[MOST_CELLS]; /* of this process, by cell; NULL if there is none */
	WrittenCells *own;
	int64 written; /* rows, each as often as it is in a file */
	int64 bytes;

	/* reading: position in the file of a member */
	int cell;
	int member;
	BufFile *reading;
	int64 left;         /* bytes left in the file */
	MinimalTuple tuple; /* row read last */
	Size room;          /* bytes allocated for `tuple` */
};

/* Returns the number of this process among the members. */
static int
OwnMember(const CellFiles *files)
{
	return files->shared.team == NULL ? 0 : TeamMember(files->shared.team);
}

CellFiles *
CellFilesCreate(RowForm *form, TupleTableSlot *scan, const DocumentKind *kind,
				const DocumentThreshold *threshold, int cells, double rule_memory,
				const SharedFiles *shared, const CellFiles *other)
{
	MemoryContext context =
		AllocSetContextCreate(CurrentMemoryContext, "ted cells", ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(context);
	CellFiles *files = palloc0_object(CellFiles);
	dsa_pointer place;

	files->context = context;
	files->scratch = AllocSetContextCreate(context, "ted nodes", ALLOCSET_DEFAULT_SIZES);
	files->form = form;
	files->scan = scan;
	files->kind = kind;
	files->threshold = threshold;
	files->cells = cells;
	files->rule_memory = rule_memory;
	files->rule = other == NULL ? NULL : other->rule;
	files->members = 1;
	if (shared != NULL)
	{
		files->shared = *shared;
		files->members = TeamMembers(shared->team);
		place = TeamTake(shared->team, sizeof(WrittenCells));
		files->own = TeamAddress(shared->team, place);
		memset(files->own, 0, sizeof(WrittenCells));
		shared->written[OwnMember(files)] = place;
	}
	else
	{
		files->own = palloc0_object(WrittenCells);
		PrepareTempTablespaces();
	}
	MemoryContextSwitchTo(caller);
	return files;
}

/* Sets the name of the file that a member writes for a cell. */
static void
FileName(char name[MAXPGPATH], int cell, int member)
{
	snprintf(name, MAXPGPATH, "cell%d.%d", cell, member);
}

/* Writes a row to the file of each of its cells. */
static void
WriteRow(CellFiles *files, JoinedRow *row)
{
	MemoryContext caller = MemoryContextSwitchTo(files->scratch);
	MinimalTuple tuple;

	row->cells = row->has_document ? CellsOfTree(files->rule, &files->loads, files->kind,
												 files->threshold, row->document, row->size)
								   : CellsOfNothing(files->rule);
	tuple = MakeRowTuple(files->form, row, files->scan);
	for (int cell = 0; cell < RuleCells(files->rule); cell++)
	{
		if (!CellSetHas(&row->cells, cell))
			continue;
		if (files->file[cell] == NULL)
		{
			char name[MAXPGPATH];

			FileName(name, cell, OwnMember(files));
			MemoryContextSwitchTo(files->context);
			files->file[cell] = files->shared.team == NULL
									? BufFileCreateTemp(false)
									: SharedFileCreate(files->shared.files, name);
			MemoryContextSwitchTo(files->scratch);
		}
		BufFileWrite(files->file[cell], tuple, tuple->t_len);
		files->own->bytes[cell] += tuple->t_len;
		files->bytes += tuple->t_len;
		files->written++;
	}
	MemoryContextSwitchTo(caller);
	MemoryContextReset(files->scratch);
}

/* Makes the rule, or takes that of a faster process. */
static void
MakeRule(CellFiles *files)
{
	const SharedFiles *shared = &files->shared;
	Size bytes = CellRuleBytes(JoinMemory(files->rule_memory, files->members));
	uint64 none = InvalidDsaPointer;
	dsa_pointer place;

	if (shared->team == NULL)
	{
		files->rule = MemoryContextAllocHuge(files->context, bytes);
		CellRuleInit(files->rule, bytes, files->cells, files->threshold, files->label_counts);
		return;
	}
	place = pg_atomic_read_u64(shared->rule);
	if (!DsaPointerIsValid(place))
	{
		place = TeamTake(shared->team, bytes);
		CellRuleInit(TeamAddress(shared->team, place), bytes, files->cells, files->threshold,
					 files->label_counts);
		if (!pg_atomic_compare_exchange_u64(shared->rule, &none, place))
			place = none;
	}
	files->rule = TeamAddress(shared->team, place);
}

/* Makes the rule, and writes the first rows. */
static void
WriteSample(CellFiles *files)
{
	MakeRule(files);
	for (int i = 0; i < files->sampled; i++)
	{
		JoinedRow row;

		CHECK_FOR_INTERRUPTS();
		ReadRowTuple(files->form, files->sample[i], &row, files->scan);
		WriteRow(files, &row);
	}
	MemoryContextDelete(files->counting);
	files->sampled = 0;
}

void
CellFilesAdd(CellFiles *files, JoinedRow *row)
{
	MemoryContext caller;
	MinimalTuple tuple;

	if (files->rule != NULL)
	{
		WriteRow(files, row);
		return;
	}
	if (files->sample == NULL)
		files->counting =
			AllocSetContextCreate(files->context, "ted counting", ALLOCSET_DEFAULT_SIZES);
	caller = MemoryContextSwitchTo(files->counting);
	if (files->sample == NULL)
	{
		files->sample = palloc_array(MinimalTuple, SAMPLED_ROWS);
		files->label_counts = LabelCountsCreate();
	}
	tuple = MakeRowTuple(files->form, row, files->scan);
	MemoryContextSwitchTo(files->scratch);
	if (row->has_document)
		CountTreeLabels(files->label_counts, files->kind, row->document);
	MemoryContextSwitchTo(caller);
	MemoryContextReset(files->scratch);
	files->sample[files->sampled++] = tuple;
	files->sample_bytes += tuple->t_len;
	if (files->sampled == SAMPLED_ROWS || files->sample_bytes > JoinMemory(SAMPLE_MEMORY, 1))
		WriteSample(files);
}

void
CellFilesEnd(CellFiles *files)
{
	if (files->sampled > 0)
		WriteSample(files);
	for (int cell = 0; files->rule != NULL && cell < RuleCells(files->rule); cell++)
	{
		files->own->alike[cell] = (float) AlikePairs(&files->loads, cell);
		if (files->shared.team == NULL || files->file[cell] == NULL)
			continue;
		SharedFileExport(files->file[cell]);
		BufFileClose(files->file[cell]);
		files->file[cell] = NULL;
	}
}

int
CellFilesCount(const CellFiles *files)
{
	CellRule *rule = files->rule;

	if (rule == NULL && files->shared.team != NULL &&
		DsaPointerIsValid(pg_atomic_read_u64(files->shared.rule)))
		rule = TeamAddress(files->shared.team, pg_atomic_read_u64(files->shared.rule));
	return rule == NULL ? 0 : RuleCells(rule);
}

/* Returns what a member has written; NULL if it came too late to write rows. */
static const WrittenCells *
WrittenBy(const CellFiles *files, int member)
{
	const SharedFiles *shared = &files->shared;

	if (shared->team == NULL)
		return files->own;
	return DsaPointerIsValid(shared->written[member])
			   ? TeamAddress(shared->team, shared->written[member])
			   : NULL;
}

/* A cell, and the root of its number of similar pairs. */
typedef struct CellWork
{
	int cell;
	double root;
} CellWork;

/* Compares cells; those with more work come first. */
static int
CompareWork(const void *a, const void *b)
{
	const CellWork *x = a;
	const CellWork *y = b;

	return x->root != y->root ? (x->root < y->root) - (x->root > y->root) : x->cell - y->cell;
}

void
CellFilesOrder(const CellFiles *files, int order[MOST_CELLS])
{
	CellWork work[MOST_CELLS];
	int count = CellFilesCount(files);

	for (int i = 0; i < count; i++)
		work[i] = (CellWork){.cell = i};
	/* similar trees go to all members, each of which has a part of the root */
	for (int member = 0; member < files->members; member++)
	{
		const WrittenCells *written = WrittenBy(files, member);

		for (int i = 0; written != NULL && i < count; i++)
			work[i].root += sqrt(written->alike[i]);
	}
	qsort(work, (size_t) count, sizeof(CellWork), CompareWork);
	for (int i = 0; i < count; i++)
		order[i] = work[i].cell;
}

bool
CellFilesHave(const CellFiles *files, int cell)
{
	for (int member = 0; member < files->members; member++)
	{
		const WrittenCells *written = WrittenBy(files, member);

		if (written != NULL && written->bytes[cell] > 0)
			return true;
	}
	return false;
}

/* Closes the file that is being read, unless this process may read it again. */
static void
EndReading(CellFiles *files)
{
	if (files->shared.team != NULL && files->reading != NULL)
		BufFileClose(files->reading);
	files->reading = NULL;
	files->left = 0;
}

void
CellFilesTurnTo(CellFiles *files, int cell)
{
	EndReading(files);
	files->cell = cell;
	files->member = -1;
}

/* Opens the cell's file of the next member with rows; returns false if there is none. */
static bool
TurnToMember(CellFiles *files)
{
	EndReading(files);
	while (++files->member < files->members)
	{
		const WrittenCells *written = WrittenBy(files, files->member);
		MemoryContext caller;
		char name[MAXPGPATH];

		if (written == NULL || written->bytes[files->cell] == 0)
			continue;
		files->left = written->bytes[files->cell];
		if (files->shared.team == NULL)
		{
			files->reading = files->file[files->cell];
			if (BufFileSeek(files->reading, 0, 0, SEEK_SET) != 0)
				ereport(ERROR,
						(errcode_for_file_access(), errmsg("could not seek in temporary file")));
			return true;
		}
		FileName(name, files->cell, files->member);
		caller = MemoryContextSwitchTo(files->context);
		files->reading = SharedFileOpen(files->shared.files, name);
		MemoryContextSwitchTo(caller);
		return true;
	}
	return false;
}

bool
CellFilesNext(CellFiles *files, JoinedRow *row)
{
	uint32 length;

	if (files->left == 0 && !TurnToMember(files))
		return false;
	BufFileReadExact(files->reading, &length, sizeof(length));
	if (length > files->room)
	{
		if (files->tuple != NULL)
			pfree(files->tuple);
		files->tuple = MemoryContextAlloc(files->context, length);
		files->room = length;
	}
	files->tuple->t_len = length;
	BufFileReadExact(files->reading, (char *) files->tuple + sizeof(length),
					 length - sizeof(length));
	files->left -= length;
	ReadRowTuple(files->form, files->tuple, row, files->scan);
	return true;
}

void
CellFilesForget(CellFiles *files, int cell)
{
	EndReading(files);
	if (files->file[cell] != NULL)
		BufFileClose(files->file[cell]);
	files->file[cell] = NULL;
}

Size
CellFilesMemory(const CellFiles *files)
{
	return MemoryContextMemAllocated(files->context, true);
}

int64
CellFilesBytes(const CellFiles *files)
{
	return files->bytes;
}

int64
CellFilesWritten(const CellFiles *files)
{
	return files->written;
}

void
CellFilesFree(CellFiles *files)
{
	for (int cell = 0; cell < MOST_CELLS; cell++)
		CellFilesForget(files, cell);
	MemoryContextDelete(files->context);
}
