/*
 * shared_documents.h
 *	  The distinct documents that the members of a team have read.
 *
 * The number of a document in all processes is its place in the order of sizes.  Documents are not
 * moved in the memory of the team.  The phases (team.h) are:
 *
 *	  order   by member: documents are made comparable, and sorted by size and hash
 *	  merge   by range of sizes and hashes: equal documents are found
 *
 * Afterwards, each part of the documents has a range of places.  A later phase sets the places, and
 * also fills in other data by place.
 */
#ifndef TED_SHARED_DOCUMENTS_H
#define TED_SHARED_DOCUMENTS_H

#include "postgres.h"

#include "shared_labels.h"

/* Slots of the team, by member or by part. */
enum
{
	TEAM_DOCUMENTS = TEAM_LABEL_SLOTS, /* by member */
	TEAM_DOCUMENT_ORDER,               /* by member */
	TEAM_DOCUMENT_PARTS,
	TEAM_DOCUMENT_SLOTS
};

/* Sort key of a document; equal documents have equal sizes and hashes. */
typedef struct DocumentKey
{
	int32 size;
	uint32 hash;
	int32 member;
	int32 number;
} DocumentKey;

/* Bytes of the team's memory for a document, besides the document itself. */
#define SHARED_DOCUMENT_BYTES (sizeof(dsa_pointer) + 2 * sizeof(DocumentKey) + 2 * sizeof(int32))

/* Functions of a kind of documents; `arg` is that of SharedDocumentsMerge(). */
typedef struct SharedKind
{
	/* makes the documents of a member comparable, and sets the size and hash of each key */
	void (*describe)(void *arg, int member, const dsa_pointer *documents, int32 count,
					 DocumentKey *keys);

	/* whether two documents with the same size and hash are equal */
	bool (*equal)(const void *a, const void *b);
} SharedKind;

/* Publishes documents, which are in the memory of the team. */
extern void SharedDocumentsPublish(Team *team, const dsa_pointer *documents, int32 count);

/* Returns the number of documents that all members have published. */
extern Size SharedDocumentsPublished(const Team *team);

/* Finds equal documents, together with the other members, in two phases. */
extern void SharedDocumentsMerge(Team *team, const SharedKind *kind, void *arg);

/*
 * Returns the place of the first document of a part (of team->parts); for the end of all parts, the
 * number of all documents.
 */
extern int32 SharedDocumentsFirst(const Team *team, int part);

/* Passes the size of each distinct document of a part to a function, in ascending order. */
extern void SharedDocumentsSizes(const Team *team, int part, void (*take)(void *arg, int32 size),
								 void *arg);

/* Sets the places of the documents of a part, and passes each distinct one to a function. */
extern void SharedDocumentsPlace(Team *team, int part,
								 void (*take)(void *arg, int32 place, dsa_pointer document),
								 void *arg);

/* Returns the places of the documents that a member has published, by number; NULL for none. */
extern const int32 *SharedDocumentsPlaces(const Team *team, int member);

#endif /* TED_SHARED_DOCUMENTS_H */
