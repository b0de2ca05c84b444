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
	int64 ordinal;  /* of all rows of its side */
	bool unpacked;  /* do the values follow? */
	Datum values[]; /* by column; whether they are null follows them */
} JoinRow;

/* Bytes of a row with so many columns, but for its tuple. */
static inline Size
RowBytes(int columns)
{
	return sizeof(JoinRow) + (sizeof(Datum) + sizeof(bool)) * (Size) columns;
}

/* By column, whether a row that is unpacked has a null there. */
static inline bool *
RowNulls(JoinRow *row, int columns)
{
	return (bool *) (row->values + columns);
}

typedef struct JoinRows
{
	MemoryContext context; /* of the rows */
	int columns;
	JoinRow **first; /* by the number of their tree */
	int32 count;
	int32 capacity;
	JoinRow *treeless; /* rows without a tree */
} JoinRows;

/* Goes through all rows of a set. */
typedef struct JoinRowIterator
{
	const JoinRows *rows; /* NULL for none */
	int32 number;         /* whose rows come next */
	JoinRow *next;
} JoinRowIterator;

/* Makes an empty set, which lives in a child of the current memory context. */
extern void RowsInit(JoinRows *rows, int columns);

/* Number of a row that has no tree. */
#define NO_TREE (-1)

/* Keeps a row, whose memory is the caller's; numbers of trees come without gaps. */
extern void RowsKeep(JoinRows *rows, int32 number, MinimalTuple tuple, int64 ordinal);

/* Whether nothing is kept. */
extern bool RowsAreNone(const JoinRows *rows);

/* Goes through all rows, which stay as they are meanwhile; NULL at the end. */
extern JoinRowIterator RowsIterate(const JoinRows *rows);
extern JoinRow *RowsNext(JoinRowIterator *iterator);

/* Forgets all rows. */
extern void RowsForget(JoinRows *rows);

/* Writes the rows to memory that other processes see; `image` is aligned for any type. */
extern Size RowsExportBytes(const JoinRows *rows);
extern void RowsExport(const JoinRows *rows, char *image);

/*
 * Keeps the rows written so, which stay where they are and have no ordinals;
 * numbers[n] is that of what was tree n.
 */
extern void RowsImport(JoinRows *rows, char *image, Size bytes, const int32 *numbers);

#endif /* TED_JOIN_ROWS_H */
