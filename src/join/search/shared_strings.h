/*
 * shared_strings.h
 *	  The distinct strings that the members of a team have read, and the index by which a
 *	  threshold join finds them, made by all members together.
 *
 * Each phase (team.h) goes through what the one before has made:
 *
 *	  read           each member adds its own strings, and publishes them with their elements
 *	  labels         by part of the hashes: equal elements, if there are any (shared_labels.h)
 *	  order, merge   equal strings, which get the numbers of elements (shared_documents.h)
 *	  reserve        one process makes room for all strings, and for their index
 *	  describe       by range of places: features (lcs_candidate_index.h)
 *	  divide         by length: strings that have much in common come side by side
 *	  lay out        one process gives bytes to symbols
 *	  complete       by block of the index
 *
 * Strings stay where they were added, and all processes look them up in one index.
 */
#ifndef TED_SHARED_STRINGS_H
#define TED_SHARED_STRINGS_H

#include "postgres.h"

#include "common/hashfn.h"

#include "../../core/string/lcs_candidate_index.h"
#include "shared_documents.h"

/* Slots, by member, or of number 0 alone. */
enum
{
	TEAM_CELLS = TEAM_DOCUMENT_SLOTS, /* by member: strings that have each cell */
	TEAM_STRINGS,
	TEAM_STRING_ORDER,
	TEAM_STRING_INDEX
};

/* A string in the memory of a team; its symbols follow. */
typedef struct StoredString
{
	int32 length;
	int32 symbol_bytes;
} StoredString;

/* The same by its place. */
typedef struct PlacedString
{
	StoredString string;
	dsa_pointer symbols;
} PlacedString;

/* Memory of the team that a string takes besides its symbols, without the index. */
#define SHARED_STRING_BYTES (SHARED_DOCUMENT_BYTES + sizeof(PlacedString) + sizeof(int32))

/* The most bytes of a string that its hash covers. */
#define HASHED_BYTES (1 << 18)

/* Bytes of the symbols of a string. */
static inline Size
StringBytes(const LcsString *string)
{
	return (Size) string->symbol_bytes * (Size) string->length;
}

/* Hash of a string. */
static inline uint32
HashString(const LcsString *string)
{
	return hash_bytes(string->symbols, (int) Min(StringBytes(string), HASHED_BYTES));
}

/* Whether strings are equal; those that are have symbols of the same size. */
static inline bool
EqualStrings(const LcsString *a, const LcsString *b)
{
	return a->length == b->length && a->symbol_bytes == b->symbol_bytes &&
		   memcmp(a->symbols, b->symbols, StringBytes(a)) == 0;
}

/* What all members have built. */
typedef struct SharedStrings
{
	Team *team;
	const SharedLabels *labels; /* or NULL */
	int32 count;
	PlacedString *strings; /* by place */
	int32 *order;          /* places by rank in the index */
	LcsIndexedStrings counted;
	LcsCandidateIndex index;
} SharedStrings;

/*
 * Publishes strings, which were taken from the memory of the team, and the elements of all of
 * them; NULL where symbols stand for themselves.
 */
extern void SharedStringsPublish(Team *team, const dsa_pointer *strings, int32 count,
								 const LabelTable *labels);

/*
 * Builds with the other members, once all have read; in the current memory context.  A table
 * says which elements are equal.
 */
extern SharedStrings *SharedStringsBuild(Team *team, const LabelTable *labels, LcsLeast least);

/* A string in the memory of the team, by its place. */
static inline LcsString
SharedString(const SharedStrings *shared, int32 place)
{
	const PlacedString *placed = &shared->strings[place];

	return (LcsString){TeamAddress(shared->team, placed->symbols), placed->string.length,
					   placed->string.symbol_bytes};
}

#endif /* TED_SHARED_STRINGS_H */
