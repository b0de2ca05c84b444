/*
 * cell_bytes.h
 *	  How cells of a join over several servers, and their matches, are written as bytes:
 *	  numbers by 7 bits in each, and ids as differences.
 *
 * A cell is its kind of documents, a byte, how many labels these have, 4 bytes, and for
 * each document its side, a byte, its id, as the difference from the one before, how many
 * bytes follow, and these: a numbered tree (tree.h), or the number of characters of a
 * text and its bytes.  So either begins with its size, and documents are in the order of
 * their sizes.  Labels do not travel, only which of them are equal.  Texts are in the
 * encoding of the database that packs them: the sender says so by its client
 * encoding.
 *
 * Part of a cell has, in front of the documents, which are in no order there, each label:
 * the number of its bytes and one more, and these; or 0 for a label of one tree alone.
 */
#ifndef TED_CELL_BYTES_H
#define TED_CELL_BYTES_H

#include "postgres.h"

#include "lib/stringinfo.h"

#include "../common/labels.h"
#include "../catalog/identity.h"

/* Refuses a value of this many bytes that could not be sent; says of what it is, and what to do. */
extern void CheckPackedSize(Size bytes, const char *what, const char *hint);

/* Appends a number, and reads one. */
extern void AppendCellNumber(StringInfo to, uint64 number);
extern uint64 ReadCellNumber(StringInfo from);

/* Reads a number as a length, the greatest one for all above. */
extern int32 ReadLength(StringInfo from);

/* Appends an integer as its difference from another one, and reads one. */
extern void AppendDifference(StringInfo to, int64 from, int64 integer);
extern int64 ReadDifference(StringInfo from, int64 other);

/* A cell that is being written. */
typedef struct CellWriter
{
	StringInfoData bytes; /* see pq_endtypsend() */
	int64 last;           /* id, or 0 */
} CellWriter;

/* Begins a cell without documents, with numbers of labels below this one, and adds to it. */
extern void CellBegin(CellWriter *cell, DocumentType kind, uint32 labels);
extern void CellAdd(CellWriter *cell, char side, int64 id, const char *doc, int length);

/* Adds the next label of a part, NULL for one of one tree alone. */
extern void CellAddLabel(CellWriter *cell, const Label *label);

/* A packed cell that is being read. */
typedef struct CellReader
{
	StringInfoData bytes;
	DocumentType kind;
	uint32 labels; /* what numbers of labels are below */
	char side;     /* of the document at hand */
	int64 id;
	const char *doc;
	int length;
} CellReader;

/* Starts reading, turns to the next document, which returns false at the end, and reads it. */
extern void CellOpen(CellReader *cell, bytea *packed);
extern bool CellNext(CellReader *cell);
extern StringInfoData CellDocument(const CellReader *cell);

/* The same for part of a cell of this kind; reads the next label, false where it has no bytes. */
extern void CellOpenPart(CellReader *cell, bytea *part, DocumentType kind);
extern bool CellNextLabel(CellReader *cell, Label *label);

/* Refuses a cell of another kind of documents than this. */
extern void CheckCellKind(DocumentType kind, DocumentType expected);

/* Refuses more documents than could be sent. */
extern void CheckDocumentsSize(Size bytes);

#endif /* TED_CELL_BYTES_H */
