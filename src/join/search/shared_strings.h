/*
 * shared_strings.h
 *	  The distinct strings that the members of a team have read, and the index in which a threshold
 *	  join finds them; all members build it together.
 *
 * Each phase (team.h) uses the results of the previous one:
 *
 *	  read           each member adds its own strings, and publishes them with their elements
 *	  labels         by part of the hashes: equal elements, if there are any (shared_labels.h)
 *	  order, merge   equal strings, with common numbers of elements (shared_documents.h)
 *	  reserve        one process allocates the array of all strings, and their index
 *	  describe       by range of places: features (lcs_candidate_index.h)
 *	  divide         by length: strings that have much in common become neighbours
 *	  lay out        one process assigns bytes to symbols
 *	  complete       by block of the index
 *
 * Strings are not moved, and all processes look them up in one index.
 */
#ifndef TED_SHARED_STRINGS_H
#define TED_SHARED_STRINGS_H

#include "postgres.h"

#include "common/hashfn.h"

#include "../../core/string/lcs_candidate_index.h"
#include "shared_documents.h"

/* Slots of the team, by member, or with number 0 only. */
enum
{
	TEAM_CELLS = TEAM_DOCUMENT_SLOTS, /* by member: strings with each feature cell */
	TEAM_STRINGS,
	TEAM_STRING_ORDER,
	TEAM_STRING_INDEX
};

/* A string in the memory of a team, followed by its symbols. */
typedef struct StoredString
{
	int32 length;
	int32 symbol_bytes;
} StoredString;

/* A string, by its place, with the address of its symbols. */
typedef struct PlacedString
{
	StoredString string;
	dsa_pointer symbols;
} PlacedString;

/* Bytes of the team's memory for a string, besides its symbols and the index. */
#define SHARED_STRING_BYTES (SHARED_DOCUMENT_BYTES + sizeof(PlacedString) + sizeof(int32))

/* The most bytes of a string that are hashed. */
#define HASHED_BYTES (1 << 18)

/* Returns the bytes of the symbols of a string. */
static inline Size
StringBytes(const LcsString *string)
{
	return (Size) string->symbol_bytes * (Size) string->length;
}

/* Returns the hash of a string. */
static inline uint32
HashString(const LcsString *string)
{
	return hash_bytes(string->symbols, (int) Min(StringBytes(string), HASHED_BYTES));
}

/* Whether strings are equal; equal strings have the same symbol_bytes. */
static inline bool
EqualStrings(const LcsString *a, const LcsString *b)
{
	return a->length == b->length && a->symbol_bytes == b->symbol_bytes &&
		   memcmp(a->symbols, b->symbols, StringBytes(a)) == 0;
}

/* The strings and the index that all members have built. */
typedef struct SharedStrings
{
	Team *team;
	const SharedLabels *labels; /* NULL if symbols need no common numbers */
	int32 count;
	PlacedString *strings; /* strings by place */
	int32 *order;          /* place of each rank in the index */
	LcsIndexedStrings counted;
	LcsCandidateIndex index;
} SharedStrings;

/*
 * Builds the index, together with the other members, after all have read their strings.  `labels`
 * decides which elements are equal.  The result is in the current memory context.
 */
extern SharedStrings *SharedStringsBuild(Team *team, const LabelTable *labels, LcsLeast least);

/* Returns the string at a place. */
static inline LcsString
SharedString(const SharedStrings *shared, int32 place)
{
	const PlacedString *placed = &shared->strings[place];

	return (LcsString){TeamAddress(shared->team, placed->symbols), placed->string.length,
					   placed->string.symbol_bytes};
}

#endif /* TED_SHARED_STRINGS_H */
