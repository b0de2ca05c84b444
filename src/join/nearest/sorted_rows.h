/*
 * sorted_rows.h
 *	  Rows of TedNearest sorted by their groups, in memory or, if there are many, in files.
 */
#ifndef TED_SORTED_ROWS_H
#define TED_SORTED_ROWS_H

#include "postgres.h"

#include "executor/tuptable.h"

typedef struct SortedRows SortedRows;

/* A row, without its columns. */
typedef struct SortedRow
{
	int32 group;
	int32 size; /* rows of a group are sorted by these, which are lost */
	int32 hash;
	bool has_document; /* rows without a document are the last ones of their group */
	Datum document;    /* valid until the next row is read */
} SortedRow;

/*
 * Makes an empty sort in the current memory context.  It takes about `memory` bytes, and keeps the
 * wanted columns of rows of a type.  The document is column `document` of the row, counted from 0,
 * or no column if that is negative.
 */
extern SortedRows *SortedRowsCreate(TupleDesc type, const bool *wanted, Oid document_type,
									int document, Size memory);

/* Adds a row, whose columns are in the slot. */
extern void SortedRowsAdd(SortedRows *rows, const SortedRow *row, TupleTableSlot *columns);

/* Sorts the rows. */
extern void SortedRowsSort(SortedRows *rows);

/* Reads the next row; returns its columns, or NULL at the end. */
extern TupleTableSlot *SortedRowsNext(SortedRows *rows, SortedRow *row);

/* Frees the rows. */
extern void SortedRowsFree(SortedRows *rows);

#endif /* TED_SORTED_ROWS_H */
