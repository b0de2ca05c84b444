/*
 * spool.h
 *	  Rows of a TedJoin that do not fit in memory, or are joined by groups: sorted by their groups,
 *	  and by the sizes of their documents.
 *
 * The kind of documents determines whether small or large trees come first.  Rows with trees of the
 * same size are in the order of their ordinals.
 *
 * A row is written with its document as it is compared, so that a document is fetched only once.
 * If there are many rows, they go to temporary files.
 */
#ifndef TED_SPOOL_H
#define TED_SPOOL_H

#include "postgres.h"

#include "executor/tuptable.h"

#include "../search/pair_filter.h"
#include "../search/pipeline.h"

/* A spool of rows. */
typedef struct RowSpool RowSpool;

/* A row of a spool, without its columns. */
typedef struct SpooledRow
{
	int64 ordinal; /* number among all rows of its side */
	bool has_document;
	int32 group;      /* hash of the row's keys; 0 without keys */
	int32 size;       /* of the document */
	Datum document;   /* valid, like `key`, until the next row is read */
	const bytea *key; /* rarest nodes for a filter, or partitions; or NULL */
} SpooledRow;

/*
 * Makes an empty spool in the current memory context.  It keeps the given columns of a scan tuple,
 * sorts by groups if `grouped` and by sizes as `kind` does, and adds what `filter` needs, unless
 * that is NULL.
 */
extern RowSpool *SpoolCreate(TupleDesc scan, const AttrNumber *columns, int count,
							 const DocumentKind *kind, bool grouped, PairFilter *filter);

/* Adds a row, whose columns are in the scan tuple. */
extern void SpoolAdd(RowSpool *spool, const SpooledRow *row, TupleTableSlot *scan);

/*
 * Forms a row as a tuple, which can be added later, or read into the scan tuple; the document is
 * valid as long as the tuple.
 */
extern MinimalTuple SpoolForm(RowSpool *spool, const SpooledRow *row, TupleTableSlot *scan);
extern void SpoolAddFormed(RowSpool *spool, MinimalTuple tuple);
extern void SpoolRead(RowSpool *spool, MinimalTuple tuple, SpooledRow *row, TupleTableSlot *scan);

/* Returns the number of rows. */
extern int64 SpoolRows(const RowSpool *spool);

/* Sorts the rows; those without a document come last. */
extern void SpoolSort(RowSpool *spool);

/* Returns the bytes in memory; the bytes of the rows on disk, after they have been sorted. */
extern Size SpoolMemory(const RowSpool *spool);
extern int64 SpoolDiskBytes(const RowSpool *spool);

/* Reads the next row, also into the scan tuple; returns false at the end. */
extern bool SpoolNext(RowSpool *spool, SpooledRow *row, TupleTableSlot *scan);

/* Marks the current position; returns to the mark; returns to the first row. */
extern void SpoolMark(RowSpool *spool);
extern void SpoolReturn(RowSpool *spool);
extern void SpoolRewind(RowSpool *spool);

/* Frees the spool, with its files. */
extern void SpoolFree(RowSpool *spool);

#endif /* TED_SPOOL_H */
