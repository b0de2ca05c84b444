/*
 * rows.h
 *	  Rows of one side of a join, kept by the numbers of their trees.
 */
#ifndef TED_ROWS_H
#define TED_ROWS_H

#include "postgres.h"

#include "executor/tuptable.h"

#include "../search/packed.h"

/* A row kept, one of those with the same tree. */
typedef struct JoinRow
{
	struct JoinRow *next;
	int64 ordinal;  /* of all rows of its side */
	Datum values[]; /* whether they are null follows, and then what they point to */
} JoinRow;

/* A column that is kept. */
typedef struct KeptColumn
{
	AttrNumber source; /* its number in the result of the plan that the row is read from */
	AttrNumber column; /* and in the scan tuple, or that of one with the same value */
	Form_pg_attribute type;
} KeptColumn;

/* What is kept of a row. */
typedef struct KeptColumns
{
	int count;
	KeptColumn column[FLEXIBLE_ARRAY_MEMBER];
} KeptColumns;

/* By column kept, whether a row has a null there. */
static inline bool *
RowNulls(JoinRow *row, const KeptColumns *kept)
{
	return (bool *) (row->values + kept->count);
}

typedef struct JoinRows
{
	MemoryContext context; /* of the rows */
	PackedMemory packed;
	const KeptColumns *kept;
	JoinRow **first; /* by the number of their tree */
	int32 count;
	int32 capacity;
	JoinRow *treeless; /* rows without a tree */
	int64 kept_rows;   /* all of them */
} JoinRows;

/* Goes through all rows of a set. */
typedef struct JoinRowIterator
{
	const JoinRows *rows; /* NULL for none */
	int32 number;         /* whose rows come next */
	JoinRow *next;
} JoinRowIterator;

/* Makes an empty set, which lives in a child of the current memory context. */
extern void RowsInit(JoinRows *rows, const KeptColumns *kept);

/* Number of a row that has no tree. */
#define NO_TREE (-1)

/* Keeps the row in the scan tuple; numbers of trees come without gaps. */
extern void RowsKeep(JoinRows *rows, int32 number, int64 ordinal, const TupleTableSlot *scan);

/* Memory that the row in the scan tuple takes. */
extern Size RowBytes(const KeptColumns *kept, const TupleTableSlot *scan);

/* Goes through all rows, which stay as they are meanwhile; NULL at the end. */
extern JoinRowIterator RowsIterate(const JoinRows *rows);
extern JoinRow *RowsNext(JoinRowIterator *iterator);

/* Forgets all rows. */
extern void RowsForget(JoinRows *rows);

/* Writes the rows to memory that other processes see; `image` is aligned for any type. */
extern Size RowsExportBytes(const JoinRows *rows);
extern void RowsExport(const JoinRows *rows, char *image);

/*
 * Keeps rows that were written, which have no ordinals, and whose values stay where they
 * are; numbers[n] is that of what was tree n.
 */
extern void RowsImport(JoinRows *rows, char *image, Size bytes, const int32 *numbers);

#endif /* TED_ROWS_H */
