/*
 * kept_rows.h
 *	  Rows of one side of a join, kept by the numbers of their documents.
 */
#ifndef TED_KEPT_ROWS_H
#define TED_KEPT_ROWS_H

#include "postgres.h"

#include "executor/tuptable.h"
#include "port/atomics.h"

#include "../search/packed.h"

/*
 * A kept row, in a list of rows with the same document.  Its values are followed by a null flag for
 * each, and then by the data of values that are not passed by value; these values are byte offsets
 * from the start of the row.
 */
typedef struct JoinRow
{
	union
	{
		struct JoinRow *row;
		dsa_pointer shared; /* if rows are shared by a team */
	} next;
	union
	{
		int64 number;       /* number among all rows of its side */
		dsa_pointer shared; /* address of this row, if rows are shared by a team */
	} ordinal;
	Datum values[];
} JoinRow;

/* A column that is kept of a row. */
typedef struct KeptColumn
{
	AttrNumber source; /* column number in the result of the plan that rows are read from */
	AttrNumber column; /* column number in the scan tuple, where another column may have the same
						* value */
	Form_pg_attribute type;
} KeptColumn;

/* The columns that are kept of a row. */
typedef struct KeptColumns
{
	int count;
	KeptColumn column[FLEXIBLE_ARRAY_MEMBER];
} KeptColumns;

/* Returns the null flags of the kept columns of a row. */
static inline bool *
RowNulls(JoinRow *row, const KeptColumns *kept)
{
	return (bool *) (row->values + kept->count);
}

/* A set of kept rows of one side. */
typedef struct JoinRows
{
	MemoryContext context; /* context of the rows */
	PackedMemory packed;
	const KeptColumns *kept;
	JoinRow **first; /* first row of each document, by its number */
	int32 count;
	int32 capacity;
	JoinRow *without_document; /* list of rows without a document */
	int64 kept_rows;           /* number of all rows */

	/* in place of `first` if rows are shared by a team; otherwise NULL */
	pg_atomic_uint64 *shared_first;
} JoinRows;

/* Returns the row at an address in shared memory; NULL if that is invalid. */
static inline JoinRow *
SharedRow(const JoinRows *rows, dsa_pointer pointer)
{
	return DsaPointerIsValid(pointer) ? TeamAddress(rows->packed.team, pointer) : NULL;
}

/* Returns the first row of a document. */
static inline JoinRow *
RowsFirst(const JoinRows *rows, int32 number)
{
	return rows->shared_first == NULL
			   ? rows->first[number]
			   : SharedRow(rows, pg_atomic_read_u64(&rows->shared_first[number]));
}

/* Prefetches the pointer to the first row of a document. */
static inline void
RowsPrefetchFirst(const JoinRows *rows, int32 number)
{
	if (rows->shared_first == NULL)
		__builtin_prefetch(&rows->first[number]);
	else
		__builtin_prefetch(&rows->shared_first[number]);
}

/* Returns the next row of the same document; NULL if there is none. */
static inline JoinRow *
RowsAfter(const JoinRows *rows, const JoinRow *row)
{
	return rows->shared_first == NULL ? row->next.row : SharedRow(rows, row->next.shared);
}

/* Returns a value of a row that is not null. */
static inline Datum
RowValue(const JoinRow *row, const KeptColumns *kept, int place)
{
	Datum value = row->values[place];

	return kept->column[place].type->attbyval ? value : PointerGetDatum((char *) row + value);
}

/* Iterates over all rows of a set. */
typedef struct JoinRowIterator
{
	const JoinRows *rows; /* NULL for none */
	int32 number;         /* number of the document whose rows come next */
	JoinRow *next;
} JoinRowIterator;

/* Makes an empty row set in a child of the current memory context. */
extern void RowsInit(JoinRows *rows, const KeptColumns *kept);

/* In place of the number of a document, for a row without one. */
#define NO_DOCUMENT (-1)

/* Keeps a copy of the row in the scan tuple; document numbers come without gaps. */
extern void RowsKeep(JoinRows *rows, int32 number, int64 ordinal, const TupleTableSlot *scan);

/* Returns the bytes that the row in the scan tuple takes when it is kept. */
extern Size RowBytes(const KeptColumns *kept, const TupleTableSlot *scan);

/* Iterates over all rows, which must not change meanwhile; returns NULL at the end. */
extern JoinRowIterator RowsIterate(const JoinRows *rows);
extern JoinRow *RowsNext(JoinRowIterator *iterator);

/* Frees all rows. */
extern void RowsForget(JoinRows *rows);

/*
 * Makes an empty row set keep its rows in the memory of a team.  All members do so.  When the
 * documents of all members have common numbers, each member shares its rows under the numbers that
 * its documents have got; then each member takes the rows of all: their number, and that of their
 * documents.
 */
extern void RowsReserveShared(Team *team, int32 documents);
extern void RowsShare(const JoinRows *rows, const int32 *numbers);
extern void RowsTakeAll(JoinRows *rows, int32 documents, int64 kept_rows);

#endif /* TED_KEPT_ROWS_H */
