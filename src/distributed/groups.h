/*
 * groups.h
 *	  Groups of documents that may match, and the cells that they are joined in, found by all
 *servers together.
 *
 * Two trees within k operations share two of the k + 2 rarest nodes of either, in any order of
 *nodes; see label_pairs.h.  So each pair of these nodes is a key, and a group is the set of the
 *documents with a key.  (With more than 6 operations, a key is one of the k + 1 rarest nodes.) Each
 *document has a home, the server that has read it, and each key an owner.  No server knows all
 *keys:
 *
 * 1. Homes read their documents, and send the keys to their owners.
 * 2. Owners answer which keys several documents have.
 * 3. Homes send, for each of these, the least such key of the document.
 * 4. Owners answer, for each key, with the least of these: the value of the group.
 * 5. Homes know the values of each document.  The coordinator learns which values many documents
 *have.
 * 6. Homes send documents to the cells of their values.  A document without a shared key stays.
 * 7. Cells are joined.  The first cell that two documents have in common finds their pair.
 *
 * Steps 3 and 4 are a round of hash-to-min (Rastogi, Machanavajjhala, Chitnis and Das Sarma,
 *Finding Connected Components in Map-Reduce in Logarithmic Rounds, ICDE 2013): near copies, which
 *share most of their keys, get the same value, and so the same cell.
 *
 * The cell of a value is that of its hash.  A value of very many documents has several blocks, by
 *the documents' sizes and hashes, and each two blocks meet in a cell of their own, unless their
 *sizes do not allow a match.  Documents without keys, which are texts and trees whose threshold
 *allows more operations, are one group in this way, and so there are no steps 2 to 5.
 */
#ifndef TED_GROUPS_H
#define TED_GROUPS_H

#include "postgres.h"

#include "nodes/execnodes.h"
#include "utils/array.h"

#include "../join/cells/cell_rule.h"
#include "packets.h"

/* What a packet has, and who gets it. */
typedef enum Step
{
	STEP_DOCUMENTS = 'd', /* home: documents that it has read */
	STEP_SIZES = 'z',     /* home: how many documents there are of each size */
	STEP_KEYS = 'k',      /* home: keys of each document */
	STEP_OWNED = 'o',     /* owner: keys of the documents of a home */
	STEP_SHARED = 's',    /* home: whether other documents have the keys that an owner has got */
	STEP_GROUPS = 'g',    /* owner: groups of these keys */
	STEP_LEAST = 'l',     /* owner: least shared key of the document of each shared key */
	STEP_VALUES = 'v',    /* home: values of the groups of these keys */
	STEP_VALUED = 'c',    /* home: values of each document */
	STEP_LARGE = 'h',     /* home: values that many documents have */
	STEP_CELL = 'b',      /* cell: documents */
	STEP_FOUND = 'f'      /* home of left ids: pairs */
} Step;

/* The columns of a packet in SQL, as in HasColumns(). */
#define PACKET_COLUMNS "ciiiy"

/* The most keys of a document. */
#define MOST_KEYS 28

/* A join, as all servers know it. */
typedef struct JoinSpec
{
	const JoinKind *kind;
	DocumentThreshold threshold;
	double limit;        /* the threshold as it was given */
	bool by_pairs;       /* whether keys are pairs of nodes */
	int32 least_by_size; /* documents of this size or more are blocks by sizes; 0 for all */
	int32 least_keyless; /* those of this size or more have no keys besides */
} JoinSpec;

/* Makes it from arguments of a function: kind, threshold. */
extern JoinSpec JoinSpecOf(FunctionCallInfo fcinfo, int argument);

/* Finds the keys of a document; returns their number. */
extern int KeysOfDocument(const JoinSpec *spec, const int32 *label_counts, Datum document,
						  int32 size, uint64 key[MOST_KEYS]);

/* Returns the owner of a key. */
static inline int
OwnerOfKey(uint64 key, int owners)
{
	return (int) ((key >> 32) % (uint32) owners);
}

/* Returns the label counts in a value; raises an error for other values. */
extern int32 *ReadLabelCounts(bytea *value);

/* The packets that an aggregate returns, as an array of rows. */
typedef struct Answers
{
	TupleDesc row;
	ArrayBuildState *rows;
} Answers;

/* Begins answers of a function that returns an array of packets; adds one; returns the array. */
extern Answers BeginAnswers(FunctionCallInfo fcinfo);
extern void Answer(Answers *answers, Step step, int32 number, int32 sender, int32 seq,
				   const StringInfoData *bytes);
extern Datum EndAnswers(const Answers *answers);

/* Adds a packet to a tuplestore of a function that returns packets. */
extern void ReturnPacket(const ReturnSetInfo *result, Step step, int number, int sender, int seq,
						 const StringInfoData *bytes);

#endif /* TED_GROUPS_H */
