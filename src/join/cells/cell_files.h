/*
 * cell_files.h
 *	  Rows of one side of a join, divided into cells in temporary files.
 *
 * Trees within the threshold have a cell in common (cell_rule.h), so each cell is joined by itself,
 * like a batch of a hash join.  A row is written once for each cell of its tree.  A process has one
 * file, which consists of pages of cells.  The rare labels are determined from the first rows.
 *
 * Processes that each read a part of the rows share the rule, and read each other's files.
 */
#ifndef TED_CELL_FILES_H
#define TED_CELL_FILES_H

#include "postgres.h"

#include "storage/sharedfileset.h"

#include "../search/team.h"
#include "row_spool.h"

/* Shared memory of the processes that divide rows, and the team that allocates the rule. */
typedef struct SharedFiles
{
	Team *team;
	SharedFileSet *files;
	pg_atomic_uint64 *rule; /* address of the rule, once a process has made it; or invalid */
	dsa_pointer *written;   /* address of what each member has written; or invalid */
} SharedFiles;

/* The rows of one side. */
typedef struct CellFiles CellFiles;

/*
 * Makes files for `cells` cells in the current memory context, by a rule that may take a share of
 * the memory; a single cell needs none.  The threshold and the scan tuple stay where they are.  If
 * `shared` is not NULL, rows come from all processes.  If `other` is not NULL, rows are divided by
 * the rule of the other side, which has been ended.
 */
extern CellFiles *CellFilesCreate(RowForm *form, TupleTableSlot *scan, const DocumentKind *kind,
								  const DocumentThreshold *threshold, int cells, double rule_memory,
								  const SharedFiles *shared, const CellFiles *other);

/* Adds a row, whose columns are in the scan tuple. */
extern void CellFilesAdd(CellFiles *files, JoinedRow *row);

/*
 * Ends adding rows; those of other processes can be read when these have ended, too, and have met.
 */
extern void CellFilesEnd(CellFiles *files);

/* Returns the number of cells, which is 0 if no process has a row. */
extern int CellFilesCount(const CellFiles *files);

/*
 * Orders the cells, those with much work first, so that processes that claim cells end at about the
 * same time.
 */
extern void CellFilesOrder(const CellFiles *files, int order[MOST_CELLS]);

/* Whether any process has rows in a cell. */
extern bool CellFilesHave(const CellFiles *files, int cell);

/* Starts reading a cell; reads its next row, also into the scan tuple, or returns false. */
extern void CellFilesTurnTo(CellFiles *files, int cell);
extern bool CellFilesNext(CellFiles *files, JoinedRow *row);

/* Returns the bytes in memory; the bytes and rows that this process has written. */
extern Size CellFilesMemory(const CellFiles *files);
extern int64 CellFilesBytes(const CellFiles *files);
extern int64 CellFilesWritten(const CellFiles *files);

/* Closes the files, and frees the memory. */
extern void CellFilesFree(CellFiles *files);

#endif /* TED_CELL_FILES_H */
