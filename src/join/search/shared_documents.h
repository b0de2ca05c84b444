/*
 * shared_documents.h
 *	  The distinct documents that the members of a team have read.
 *
 * A document gets the place that it has in the order of sizes, as its number in all processes.
 * Documents stay where they are, in the memory of the team.  These are the phases (team.h):
 *
 *	  order   by member: documents are made comparable, and sorted by size and hash
 *	  merge   by range of sizes and hashes: equal documents
 *
 * When they are over, each part of the documents has a range of places.  Setting the places is
 * up to a later phase, in which what is known of documents by place is filled in, too.
 */
#ifndef TED_SHARED_DOCUMENTS_H
#define TED_SHARED_DOCUMENTS_H

#include "postgres.h"

#include "shared_labels.h"

/* Slots, by member or by part. */
enum
{
	TEAM_DOCUMENTS = TEAM_LABEL_SLOTS, /* by member */
	TEAM_DOCUMENT_ORDER,               /* by member */
	TEAM_DOCUMENT_PARTS,
	TEAM_DOCUMENT_SLOTS
};

/* What documents are ordered by: equal ones have equal keys. */
typedef struct DocumentKey
{
	int32 size;
	uint32 hash;
	int32 member;
	int32 number;
} DocumentKey;

/* Memory of the team that a document takes besides itself. */
#define SHARED_DOCUMENT_BYTES (sizeof(dsa_pointer) + 2 * sizeof(DocumentKey) + 2 * sizeof(int32))

/* A kind of documents; `arg` is that of SharedDocumentsMerge(). */
typedef struct SharedKind
{
	/* makes the documents of a member comparable, and sets the size and hash of each key */
	void (*describe)(void *arg, int member, const dsa_pointer *documents, int32 count,
					 DocumentKey *keys);

	/* whether two documents of one size and hash are equal */
	bool (*equal)(const void *a, const void *b);
} SharedKind;

/* Publishes documents that were taken from the memory of the team. */
extern void SharedDocumentsPublish(Team *team, const dsa_pointer *documents, int32 count);

/* The number of documents that all members have published. */
extern Size SharedDocumentsPublished(const Team *team);

/* Finds the equal documents with the other members, in two phases. */
extern void SharedDocumentsMerge(Team *team, const SharedKind *kind, void *arg);

/*
 * The place of the first document of a part (TeamParts()), or of one after all parts the
 * number of all documents.
 */
extern int32 SharedDocumentsFirst(const Team *team, int part);

/* Passes on the size of each distinct document of a part, in ascending order. */
extern void SharedDocumentsSizes(const Team *team, int part, void (*take)(void *arg, int32 size),
								 void *arg);

/* Sets the places of the documents of a part, and passes on each distinct one. */
extern void SharedDocumentsPlace(Team *team, int part,
								 void (*take)(void *arg, int32 place, dsa_pointer document),
								 void *arg);

/* The places of the documents that a member has published, by their numbers; NULL for none. */
extern const int32 *SharedDocumentsPlaces(const Team *team, int member);

#endif /* TED_SHARED_DOCUMENTS_H */
