/*
 * cell_files.c
 *	  Rows of one side of a join, divided into cells in temporary files.
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
#include "../search/search.h"
#include "cell_files.h"

/* The first rows are kept until the rare labels are known: their number, and memory share. */
#define SAMPLED_ROWS 2000
#define SAMPLE_MEMORY 0.25

/* Rows of a cell that are being written. */
typedef struct OpenCell
{
	int64 bytes;
	StringInfoData pages; /* numbers of the full pages in the file, as uint32 */
	char *last;           /* the page being filled; NULL for none */
} OpenCell;

/*
 * What a member has written to each cell, where the pages are in its file, and an estimate of the
 * pairs of similar trees there.  Many files would cost more than the pages: with 16 processes, 250
 * cells would have 4,000.
 */
typedef struct WrittenCells
{
	int64 bytes[MOST_CELLS];
	int64 first[MOST_CELLS]; /* index of each cell's first entry in `pages` */
	float alike[MOST_CELLS];
	uint32 pages[FLEXIBLE_ARRAY_MEMBER];
} WrittenCells;

struct CellFiles
{
	MemoryContext context;
	MemoryContext scratch; /* reset after each row */
	MemoryContext writing; /* of `open` */
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
	BufFile **file;    /* by member; NULL for files that are not open */
	OpenCell *open;    /* by cell, until the rows end */
	uint32 pages;      /* pages in the file of this process */
	WrittenCells *own; /* of this process, if it is alone */
	int64 written;     /* rows, each as often as it is in the file */

	/* reading: position in the file of a member */
	int cell;
	int member;
	int64 next_page;
	int64 left;         /* bytes left of the cell in the file */
	char *page;         /* page read last */
	int page_left;      /* bytes left in the page */
	MinimalTuple tuple; /* row read last */
	Size room;          /* bytes allocated for `tuple` */
};

/* Returns the number of this process among the members. */
static int
OwnMember(const CellFiles *files)
{
	return files->shared.team == NULL ? 0 : files->shared.team->member;
}

/* Returns the rule, which another process may have made; NULL if there is none. */
static CellRule *
RuleOf(const CellFiles *files)
{
	if (files->rule == NULL && files->shared.team != NULL &&
		DsaPointerIsValid(pg_atomic_read_u64(files->shared.rule)))
		return TeamAddress(files->shared.team, pg_atomic_read_u64(files->shared.rule));
	return files->rule;
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

	files->context = context;
	files->scratch = AllocSetContextCreate(context, "ted nodes", ALLOCSET_DEFAULT_SIZES);
	files->form = form;
	files->scan = scan;
	files->kind = kind;
	files->threshold = threshold;
	files->cells = cells;
	files->rule_memory = rule_memory;
	files->rule = other == NULL ? NULL : RuleOf(other);
	files->members = shared == NULL ? 1 : shared->team->members;
	if (shared != NULL)
		files->shared = *shared;
	else
		PrepareTempTablespaces();
	files->file = palloc0_array(BufFile *, files->members);
	files->writing = AllocSetContextCreate(context, "ted open cells", ALLOCSET_DEFAULT_SIZES);
	files->open = MemoryContextAllocZero(files->writing, sizeof(OpenCell) * MOST_CELLS);
	files->page = palloc(BLCKSZ);
	MemoryContextSwitchTo(caller);
	return files;
}

/* Returns the file of a member, after creating it or opening one that exists. */
static BufFile *
FileOf(CellFiles *files, int member, bool made)
{
	BufFile **file = &files->file[member];
	MemoryContext caller;
	char name[MAXPGPATH];

	if (*file != NULL)
		return *file;
	caller = MemoryContextSwitchTo(files->context);
	snprintf(name, MAXPGPATH, "cells.%d", member);
	*file = files->shared.team == NULL ? BufFileCreateTemp(false)
			: made                     ? SharedFileOpen(files->shared.files, name)
									   : SharedFileCreate(files->shared.files, name);
	MemoryContextSwitchTo(caller);
	return *file;
}

/* Writes the current page of a cell. */
static void
WritePage(CellFiles *files, OpenCell *cell)
{
	appendBinaryStringInfo(&cell->pages, (const char *) &files->pages, sizeof(uint32));
	BufFileWrite(FileOf(files, OwnMember(files), false), cell->last, BLCKSZ);
	files->pages++;
}

/* Appends the bytes of a row to a cell. */
static void
Append(CellFiles *files, OpenCell *cell, const char *bytes, int size)
{
	if (cell->last == NULL)
	{
		MemoryContext caller = MemoryContextSwitchTo(files->writing);

		initStringInfo(&cell->pages);
		cell->last = palloc0(BLCKSZ);
		MemoryContextSwitchTo(caller);
	}
	while (size > 0)
	{
		int used = (int) (cell->bytes % BLCKSZ);
		int part = Min(size, BLCKSZ - used);

		memcpy(cell->last + used, bytes, (size_t) part);
		cell->bytes += part;
		bytes += part;
		size -= part;
		if (used + part == BLCKSZ)
			WritePage(files, cell);
	}
}

/* Appends a row to each of its cells. */
static void
WriteRow(CellFiles *files, JoinedRow *row)
{
	MemoryContext caller = MemoryContextSwitchTo(files->scratch);
	int count = CellFilesCount(files);
	MinimalTuple tuple;

	if (files->cells == 1)
		row->cells = (CellSet){{1}};
	else
		row->cells = row->has_document ? CellsOfTree(files->rule, &files->loads, files->kind,
													 files->threshold, row->document, row->size)
									   : CellsOfNothing(files->rule);
	tuple = MakeRowTuple(files->form, row, files->scan);
	for (int cell = 0; cell < count; cell++)
	{
		if (!CellSetHas(&row->cells, cell))
			continue;
		Append(files, &files->open[cell], (const char *) tuple, (int) tuple->t_len);
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

	if (files->rule != NULL || files->cells == 1)
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
		files->label_counts = palloc0_array(int32, LABEL_COUNTS);
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
	const SharedFiles *shared = &files->shared;
	dsa_pointer place = InvalidDsaPointer;
	WrittenCells *own;
	int64 pages = 0;
	Size bytes;

	if (files->sampled > 0)
		WriteSample(files);
	/* others may be reading already if this process has come too late to read rows */
	if (shared->team != NULL && files->written == 0)
	{
		MemoryContextDelete(files->writing);
		return;
	}
	for (OpenCell *cell = files->open; cell < files->open + MOST_CELLS; cell++)
		if (cell->bytes % BLCKSZ > 0)
			WritePage(files, cell);
	bytes = offsetof(WrittenCells, pages) + sizeof(uint32) * (Size) files->pages;
	if (shared->team == NULL)
		own = files->own = MemoryContextAllocHuge(files->context, bytes);
	else
	{
		place = TeamTake(shared->team, bytes);
		own = TeamAddress(shared->team, place);
	}
	for (int i = 0; i < MOST_CELLS; i++)
	{
		OpenCell *cell = &files->open[i];

		own->bytes[i] = cell->bytes;
		own->first[i] = pages;
		own->alike[i] = (float) AlikePairs(&files->loads, i);
		if (cell->pages.len > 0)
			memcpy(own->pages + pages, cell->pages.data, (Size) cell->pages.len);
		pages += cell->pages.len / (int) sizeof(uint32);
	}
	MemoryContextDelete(files->writing);
	if (shared->team != NULL)
	{
		BufFile **file = &files->file[OwnMember(files)];

		shared->written[OwnMember(files)] = place;
		SharedFileExport(*file);
		BufFileClose(*file);
		*file = NULL;
	}
}

int
CellFilesCount(const CellFiles *files)
{
	const CellRule *rule = RuleOf(files);

	if (files->cells == 1)
		return 1;
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

void
CellFilesTurnTo(CellFiles *files, int cell)
{
	files->cell = cell;
	files->member = -1;
	files->left = 0;
}

/* Reads the next bytes of the cell from the file of the current member. */
static void
ReadBytes(CellFiles *files, char *bytes, int size)
{
	files->left -= size;
	while (size > 0)
	{
		int part;

		if (files->page_left == 0)
		{
			const WrittenCells *written = WrittenBy(files, files->member);
			int64 place = written->first[files->cell] + files->next_page++;
			BufFile *file = FileOf(files, files->member, true);

			if (BufFileSeekBlock(file, (long) written->pages[place]) != 0)
				ereport(ERROR,
						(errcode_for_file_access(), errmsg("could not seek in temporary file")));
			BufFileReadExact(file, files->page, BLCKSZ);
			files->page_left = BLCKSZ;
		}
		part = Min(size, files->page_left);
		memcpy(bytes, files->page + BLCKSZ - files->page_left, (size_t) part);
		files->page_left -= part;
		bytes += part;
		size -= part;
	}
}

bool
CellFilesNext(CellFiles *files, JoinedRow *row)
{
	uint32 length;

	while (files->left == 0)
	{
		const WrittenCells *written;

		if (++files->member >= files->members)
			return false;
		written = WrittenBy(files, files->member);
		files->left = written == NULL ? 0 : written->bytes[files->cell];
		files->next_page = 0;
		files->page_left = 0;
	}
	ReadBytes(files, (char *) &length, sizeof(length));
	if (length > files->room)
	{
		if (files->tuple != NULL)
			pfree(files->tuple);
		files->tuple = MemoryContextAlloc(files->context, length);
		files->room = length;
	}
	files->tuple->t_len = length;
	ReadBytes(files, (char *) files->tuple + sizeof(length), (int) (length - sizeof(length)));
	ReadRowTuple(files->form, files->tuple, row, files->scan);
	return true;
}

Size
CellFilesMemory(const CellFiles *files)
{
	return MemoryContextMemAllocated(files->context, true);
}

int64
CellFilesBytes(const CellFiles *files)
{
	return (int64) files->pages * BLCKSZ;
}

int64
CellFilesWritten(const CellFiles *files)
{
	return files->written;
}

void
CellFilesFree(CellFiles *files)
{
	for (int member = 0; member < files->members; member++)
		if (files->file[member] != NULL)
			BufFileClose(files->file[member]);
	MemoryContextDelete(files->context);
}
