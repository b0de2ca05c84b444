/*
 * row_spool.h
 *	  Rows of a join outside of memory: their form as tuples, and spools that sort them.
 *
 * A row is written with its document as it is compared, so that a document is fetched only once.
 */
#ifndef TED_ROW_SPOOL_H
#define TED_ROW_SPOOL_H

#include "postgres.h"

#include "access/htup_details.h"
#include "executor/tuptable.h"
#include "utils/tuplestore.h"

#include "../search/pipeline.h"
#include "cell_rule.h"

/* A row of one side of a join; its columns are in the scan tuple. */
typedef struct JoinedRow
{
	int64 ordinal; /* number among all rows of its side, or the id of its document */
	bool has_document;
	int32 group;    /* hash of the row's keys; 0 without keys */
	int32 size;     /* of the document; 0 if it has not been fetched */
	Datum document; /* valid until the next row is read */
	CellSet cells;  /* empty if rows are not divided into cells */
} JoinedRow;

/* The form of a side's rows as tuples. */
typedef struct RowForm RowForm;

/* Makes the form of rows with some columns of a scan tuple, in the current memory context. */
extern RowForm *RowFormCreate(const DocumentKind *kind, TupleDesc scan, const AttrNumber *columns,
							  int count);

/*
 * Forms a row as a tuple, which can be read into the scan tuple in any process; the document is
 * valid as long as the tuple.
 */
extern MinimalTuple MakeRowTuple(RowForm *form, const JoinedRow *row, TupleTableSlot *scan);
extern void ReadRowTuple(RowForm *form, MinimalTuple tuple, JoinedRow *row, TupleTableSlot *scan);

/* Adds a row to a tuplestore, or reads the next one; Next returns false at the end. */
extern void PutRow(Tuplestorestate *store, RowForm *form, const JoinedRow *row,
				   TupleTableSlot *scan);
extern bool NextRow(Tuplestorestate *store, RowForm *form, JoinedRow *row, TupleTableSlot *scan);

/*
 * Rows sorted by their groups if `grouped`, and by the sizes of their documents in the order of
 * their kind; rows of equal size by their ordinals.  Rows without a document come last.
 */
typedef struct RowSpool
{
	MemoryContext context;
	RowForm *form;
	struct Tuplesortstate *sort;
	int64 rows;
} RowSpool;

/* Makes an empty spool in the current memory context. */
extern RowSpool *SpoolCreate(RowForm *form, bool grouped);

/* Adds a row, whose columns are in the scan tuple. */
extern void SpoolAdd(RowSpool *spool, const JoinedRow *row, TupleTableSlot *scan);

/* Sorts the rows, after all have been added; returns the bytes of temporary files. */
extern int64 SpoolSort(RowSpool *spool);

/* Reads the next row, also into the scan tuple; returns false at the end. */
extern bool SpoolNext(RowSpool *spool, JoinedRow *row, TupleTableSlot *scan);

/* Marks the current position; returns to the mark; returns to the first row. */
extern void SpoolMark(RowSpool *spool);
extern void SpoolReturn(RowSpool *spool);
extern void SpoolRewind(RowSpool *spool);

/* Frees the spool, with its files. */
extern void SpoolFree(RowSpool *spool);

#endif /* TED_ROW_SPOOL_H */
