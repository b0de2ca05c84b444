/*
 * packets.h
 *	  What the servers of a join send each other: packets, which are values of type bytea.
 *
 * A packet begins with its version and the encoding of its texts.  The other fields are in network
 * byte order.  They depend on the packet's step (rounds.h).  A document in a packet is a record:
 *its side, or 0 in a join of a table with itself; its size; a hash of its bytes; its id as a text,
 *after its length; the document as stored, after its length.
 *
 * Everything that is read is checked: any user may call the functions with bytes of any origin.
 */
#ifndef TED_PACKETS_H
#define TED_PACKETS_H

#include "postgres.h"

#include "fmgr.h"
#include "lib/stringinfo.h"
#include "libpq/pqformat.h"

#include "../join/input/kind.h"

/* The most bytes of documents in a packet, if it has several of them. */
#define PACKET_BYTES (1 << 20)

/* The most homes of documents, and the most places of cells. */
#define MOST_PLACES 1000

/* A document in a packet, whose bytes are in the packet. */
typedef struct DocumentRecord
{
	char side;
	int32 size;
	uint32 hash;
	const char *id; /* NULL if there is none */
	int32 id_length;
	const char *bytes;
	int32 length;
	const char *rest; /* the record without its side, for a copy */
	int32 rest_length;
} DocumentRecord;

/* Raises an error for an argument that no function of this extension passes. */
extern _Noreturn void InvalidArgument(const char *what);

/* Begins a packet whose texts are in an encoding. */
extern void BeginPacket(StringInfo to, int encoding);

/* Opens a packet for reading; returns the encoding of its texts. */
extern int OpenPacket(StringInfo from, Datum packed);

/* Returns the bytes of a buffer as a value. */
extern bytea *MakeBytes(const StringInfoData *from);

/* Reads a number from 0 to `most`. */
extern int32 ReadCount(StringInfo from, int32 most);

/* Appends a document with its id, by the output function of the id's type. */
extern void AppendDocument(StringInfo to, char side, const JoinKind *kind, FmgrInfo *output,
						   Datum id, bool no_id, Datum document);

/* Reads a document. */
extern void ReadDocumentRecord(StringInfo from, DocumentRecord *record);

/* Returns the document of a record, with texts in `encoding`, after checks of its bytes. */
extern Datum DocumentOfRecord(const DocumentRecord *record, const JoinKind *kind, int encoding);

/* Appends an id of a record; reads an id as a C string of the server's encoding, or NULL. */
extern void AppendId(StringInfo to, const char *id, int32 length);
extern char *ReadId(StringInfo from, int encoding);

/*
 * Sets the settings that texts of ids depend on for calls of input and output functions, unless
 * they have these values; returns what EndTexts() takes to restore them.
 */
extern int BeginTexts(void);
extern void EndTexts(int level);

/* Returns the kind of a join by its name; raises an error for another name. */
extern const JoinKind *JoinKindOf(const char *name);

#endif /* TED_PACKETS_H */
