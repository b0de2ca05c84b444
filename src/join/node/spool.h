/*
 * spool.h
 *	  Rows of a TedJoin that do not fit in memory, in the order of the sizes of their trees.
 *
 * Whether small or large ones come first depends on the kind of documents.  Those with
 * trees of one size are in the order of their ordinals.
 *
 * A row is written with its document as a tree, so that a document is converted
 * once however often it is read.  Rows go to temporary files where they are many.
 */
#ifndef TED_SPOOL_H
#define TED_SPOOL_H

#include "postgres.h"

#include "executor/tuptable.h"

#include "../search/pair_filter.h"
#include "../search/pipeline.h"

/* Rows, or what some of their columns are. */
typedef struct RowSpool RowSpool;

/* What a row of a spool has besides its columns. */
typedef struct SpooledRow
{
	int64 ordinal; /* of all rows of its side */
	bool has_tree;
	int32 size;       /* of the tree */
	Datum tree;       /* good until the next row is read, like */
	const bytea *key; /* its rarest nodes for a filter, or its partitions; or NULL */
} SpooledRow;

/*
 * Makes an empty spool in the current memory context, of these columns of a scan tuple, in
 * the order of a kind of documents, with what a filter needs, which may be NULL.
 */
extern RowSpool *SpoolCreate(TupleDesc scan, const AttrNumber *columns, int count,
							 const DocumentKind *kind, PairFilter *filter);

/* Adds a row from its columns of the scan tuple. */
extern void SpoolAdd(RowSpool *spool, const SpooledRow *row, TupleTableSlot *scan);

/*
 * Forms a row as a tuple, which is added later, or read into the scan tuple, with a tree that is
 * good as long as that tuple.
 */
extern MinimalTuple SpoolForm(RowSpool *spool, const SpooledRow *row, TupleTableSlot *scan);
extern void SpoolAddFormed(RowSpool *spool, MinimalTuple tuple);
extern void SpoolRead(RowSpool *spool, MinimalTuple tuple, SpooledRow *row, TupleTableSlot *scan);

/* How many rows have been added. */
extern int64 SpoolRows(const RowSpool *spool);

/* Sorts the rows, those without a tree last. */
extern void SpoolSort(RowSpool *spool);

/* Memory that the spool takes, and bytes that the rows, once they are sorted, take on disk. */
extern Size SpoolMemory(const RowSpool *spool);
extern int64 SpoolDiskBytes(const RowSpool *spool);

/* Reads the next row, also into the scan tuple; false at the end. */
extern bool SpoolNext(RowSpool *spool, SpooledRow *row, TupleTableSlot *scan);

/* Marks the place, returns to the mark, or to the first row. */
extern void SpoolMark(RowSpool *spool);
extern void SpoolReturn(RowSpool *spool);
extern void SpoolRewind(RowSpool *spool);

/* Gives its files and its memory back. */
extern void SpoolFree(RowSpool *spool);

#endif /* TED_SPOOL_H */
