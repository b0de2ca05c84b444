/*
 * rows.h
 *	  Rows of one side of a join, kept by the numbers of their trees.
 */
#ifndef TED_ROWS_H
#define TED_ROWS_H

#include "postgres.h"

#include "executor/tuptable.h"
#include "port/atomics.h"

#include "../search/packed.h"

/*
 * A row kept, one of those with the same tree.  Whether its values are null follows, and then
 * what they point to, of which they are the places from the beginning of the row.
 */
typedef struct JoinRow
{
	union
	{
		struct JoinRow *row;
		dsa_pointer shared; /* where rows are shared by a team */
	} next;
	union
	{
		int64 number;       /* among all rows of its side */
		dsa_pointer shared; /* where rows are shared by a team: the place of this one */
	} ordinal;
	Datum values[];
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

	/* where rows are shared by a team, in place of `first`; else NULL */
	pg_atomic_uint64 *shared_first;
} JoinRows;

/* The first row with a tree of some number, and the row after one; NULL where there is none. */
static inline JoinRow *
SharedRow(const JoinRows *rows, dsa_pointer pointer)
{
	return DsaPointerIsValid(pointer) ? TeamAddress(rows->packed.team, pointer) : NULL;
}

static inline JoinRow *
RowsFirst(const JoinRows *rows, int32 number)
{
	return rows->shared_first == NULL
			   ? rows->first[number]
			   : SharedRow(rows, pg_atomic_read_u64(&rows->shared_first[number]));
}

/* Brings where the first row is found on its way to the processor. */
static inline void
RowsPrefetchFirst(const JoinRows *rows, int32 number)
{
	if (rows->shared_first == NULL)
		__builtin_prefetch(&rows->first[number]);
	else
		__builtin_prefetch(&rows->shared_first[number]);
}

static inline JoinRow *
RowsAfter(const JoinRows *rows, const JoinRow *row)
{
	return rows->shared_first == NULL ? row->next.row : SharedRow(rows, row->next.shared);
}

/* A value of a row that is not null. */
static inline Datum
RowValue(const JoinRow *row, const KeptColumns *kept, int place)
{
	Datum value = row->values[place];

	return kept->column[place].type->attbyval ? value : PointerGetDatum((char *) row + value);
}

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

/*
 * Makes a set that is empty keep its rows in the memory of a team.  All members do so, and
 * when the trees of all have numbers, each gives its rows those that its trees have got; then
 * each takes the rows of all: their number, and that of their trees.
 */
extern void RowsUseTeam(JoinRows *rows, Team *team);
extern void RowsReserveShared(Team *team, int32 trees);
extern void RowsShare(const JoinRows *rows, const int32 *numbers);
extern void RowsTakeAll(JoinRows *rows, int32 trees, int64 kept_rows);

#endif /* TED_ROWS_H */
