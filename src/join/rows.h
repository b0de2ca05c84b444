/*
 * rows.h
 *	  Rows of one side of a join, kept by the numbers of their trees.
 */
#ifndef TED_JOIN_ROWS_H
#define TED_JOIN_ROWS_H

#include "postgres.h"

#include "access/htup_details.h"

/* A row kept, one of those with the same tree. */
typedef struct JoinRow
{
	struct JoinRow *next;
	MinimalTuple tuple;
} JoinRow;

typedef struct JoinRows
{
	MemoryContext context; /* of the rows */
	JoinRow **first;       /* by the number of their tree */
	int32 count;
	int32 capacity;
} JoinRows;

/* Makes an empty set, which lives in a child of the current memory context. */
extern void RowsInit(JoinRows *rows);

/* Keeps a row, whose memory is the caller's; numbers of trees come without gaps. */
extern void RowsKeep(JoinRows *rows, int32 number, MinimalTuple tuple);

/* Forgets all rows. */
extern void RowsForget(JoinRows *rows);

/* Writes the rows to memory that other processes see; `image` is aligned for any type. */
extern Size RowsExportBytes(const JoinRows *rows);
extern void RowsExport(const JoinRows *rows, char *image);

/* Keeps the rows written so, which stay where they are; numbers[n] is that of what was tree n. */
extern void RowsImport(JoinRows *rows, char *image, Size bytes, const int32 *numbers);

#endif /* TED_JOIN_ROWS_H */
