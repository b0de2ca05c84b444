/*
 * documents.h
 *	  The documents of a threshold join, sorted by size, on disk if there are many.
 */
#ifndef TED_DOCUMENTS_H
#define TED_DOCUMENTS_H

#include "postgres.h"

#include "kind.h"
#include "../search/pair_filter.h"

/* The documents of both sides. */
typedef struct JoinDocuments JoinDocuments;

/* One document of a join. */
typedef struct JoinDocument
{
	int64 id;
	int32 size;
	Datum doc;
	const bytea *nodes; /* its rarest nodes for the filter, or NULL */
} JoinDocument;

/* Makes an empty set of documents in the current memory context. */
extern JoinDocuments *DocumentsCreate(const JoinKind *kind);

/*
 * Whether `side` is a valid side: 'l', 'r', or 'o' for documents of the right side that are also
 * compared with each other.  Either all or no documents of the right side are 'o'.
 */
extern bool DocumentsSideExists(char side);

/*
 * Adds a document with a side, or 0 in a self-join.  All documents have the same threshold and the
 * same cost model, or NULL for unit costs.
 */
extern void DocumentsAdd(JoinDocuments *documents, int64 id, char side, double threshold,
						 const text *costs, Datum doc);

/*
 * Sorts the documents, or rewinds to the first ones; an id that occurs twice on a side is an error.
 */
extern void DocumentsSort(JoinDocuments *documents);

/* Whether there is only one side, each pair of which counts once. */
extern bool DocumentsAreSelf(const JoinDocuments *documents);

/* Whether documents of the indexed side are compared with each other. */
extern bool DocumentsArePaired(const JoinDocuments *documents);

/* Returns the number of documents of a side. */
extern int64 DocumentsCount(const JoinDocuments *documents, DocumentsSide side);

/* Returns the threshold. */
extern double DocumentsThreshold(const JoinDocuments *documents);

/* Returns the cost model, or NULL. */
extern const text *DocumentsCosts(const JoinDocuments *documents);

/* Returns the filter of documents that are read for several blocks, or NULL. */
extern PairFilter *DocumentsFilter(const JoinDocuments *documents);

/*
 * Reads the next document of a side, which is valid until the next call; returns false at the end.
 */
extern bool DocumentsNext(JoinDocuments *documents, DocumentsSide side, JoinDocument *document);

/* Marks the current position in a side, at first the beginning, and returns to the mark. */
extern void DocumentsMark(JoinDocuments *documents, DocumentsSide side);
extern void DocumentsReturn(JoinDocuments *documents, DocumentsSide side);

/* Closes temporary files, and frees the filter. */
extern void DocumentsClose(JoinDocuments *documents);

#endif /* TED_DOCUMENTS_H */
