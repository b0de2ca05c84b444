/*
 * documents.h
 *	  The documents of a threshold join in the order of their sizes, on disk where they are many.
 */
#ifndef TED_DOCUMENTS_H
#define TED_DOCUMENTS_H

#include "postgres.h"

#include "kind.h"
#include "../search/pair_filter.h"

/* Documents of either side. */
typedef struct JoinDocuments JoinDocuments;

/* One document that takes part. */
typedef struct JoinDocument
{
	int64 id;
	int32 size;
	Datum doc;
	const bytea *nodes; /* its rarest nodes for the filter, or NULL */
} JoinDocument;

/* Makes a set without documents in the current memory context. */
extern JoinDocuments *DocumentsCreate(const JoinKind *kind);

/*
 * Whether there is such a side: 'l', 'r', or 'o' for documents of the right side
 * that make pairs among themselves, too, of which there are all or none.
 */
extern bool DocumentsSideExists(char side);

/*
 * Adds a document of a side, or of 0 in a self-join; all share one threshold, and one model
 * of costs, of which this is the value, or NULL for none.
 */
extern void DocumentsAdd(JoinDocuments *documents, int64 id, char side, double threshold,
						 const text *costs, Datum doc);

/* Refuses an id that occurs twice on a side. */
extern _Noreturn void RefuseDuplicateId(int64 id);

/* Sorts the documents, or starts over with them; an id that occurs twice on a side is an error. */
extern void DocumentsSort(JoinDocuments *documents);

/* Whether there is one side only, each pair of which counts once. */
extern bool DocumentsAreSelf(const JoinDocuments *documents);

/* Whether documents of the side that is indexed make pairs among themselves. */
extern bool DocumentsArePaired(const JoinDocuments *documents);

/* Number of documents of a side. */
extern int64 DocumentsCount(const JoinDocuments *documents, DocumentsSide side);

/* The threshold. */
extern double DocumentsThreshold(const JoinDocuments *documents);

/* The value of the model of costs, or NULL. */
extern const text *DocumentsCosts(const JoinDocuments *documents);

/* A filter of documents that are read for several blocks; NULL where there is none. */
extern PairFilter *DocumentsFilter(const JoinDocuments *documents);

/* Reads the next document of a side, which is good until the next call; false at the end. */
extern bool DocumentsNext(JoinDocuments *documents, DocumentsSide side, JoinDocument *document);

/* Marks the place in a side, which is the beginning at first, and returns to it. */
extern void DocumentsMark(JoinDocuments *documents, DocumentsSide side);
extern void DocumentsReturn(JoinDocuments *documents, DocumentsSide side);

/* Gives temporary files back. */
extern void DocumentsClose(JoinDocuments *documents);

#endif /* TED_DOCUMENTS_H */
