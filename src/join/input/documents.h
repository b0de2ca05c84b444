/*
 * documents.h
 *	  The documents of a join by an aggregate, a window function or a server: added one by one, and
 *	  on disk if there are many.
 */
#ifndef TED_DOCUMENTS_H
#define TED_DOCUMENTS_H

#include "postgres.h"

#include "utils/tuplesort.h"

#include "../cells/cells.h"
#include "kind.h"

/* The documents of one side, and their ids, which are sorted to find duplicates. */
typedef struct DocumentsOfSide
{
	Tuplestorestate *rows; /* NULL if there are none */
	Tuplesortstate *ids;   /* NULL after the check for duplicates */
	int64 count;
	double bytes; /* that they take when they are indexed */
} DocumentsOfSide;

/* The documents of both sides. */
typedef struct JoinDocuments
{
	const JoinKind *kind;
	MemoryContext context;
	RowForm *form;
	TupleTableSlot *scan; /* without columns */
	bool empty;
	bool self;  /* whether there is only one side, each pair of which counts once */
	char right; /* side of the documents to be indexed: 'r' or 'o'; 0 if there are none */
	double threshold;
	text *costs; /* cost model, or NULL */
	DocumentsOfSide sides[2];
} JoinDocuments;

/* Makes an empty set of documents in the current memory context. */
extern JoinDocuments *DocumentsCreate(const JoinKind *kind);

/*
 * Whether `side` is a valid side: 'l', 'r', or 'o' for documents of the right side that are also
 * compared with each other.  Either all or no documents of the right side are 'o'.
 */
extern bool DocumentsSideExists(char side);

/*
 * Adds a document with a side, or 0 in a self-join.  All documents have the same threshold and the
 * same cost model, or NULL for unit costs.  `cells` are its cells in a join of one cell, or NULL.
 */
extern void DocumentsAdd(JoinDocuments *documents, int64 id, char side, double threshold,
						 const text *costs, Datum doc, const CellSet *cells);

/*
 * Begins to read the documents, from the first ones; an id that occurs twice on a side is an error.
 */
extern void DocumentsBegin(JoinDocuments *documents);

/* Reads the next document of a side; returns false at the end. */
extern bool DocumentsNext(JoinDocuments *documents, DocumentsSide side, JoinedRow *row);

/* Closes temporary files. */
extern void DocumentsClose(JoinDocuments *documents);

#endif /* TED_DOCUMENTS_H */
