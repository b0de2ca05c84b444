/*
 * profile.h
 *	  Profiles of strings: their lengths, and the number of their symbols in each class.
 *
 * The profiles of two strings give an upper bound on their common symbols.  As a bytea, a
 * profile has a fixed size, whatever the type and the length of the string.  The profile of
 * a tree, which is a string of pq-grams, has all symbols in addition.
 */
#ifndef TED_PROFILE_H
#define TED_PROFILE_H

#include "postgres.h"

#include "../../core/string/class_counts.h"
#include "../../core/string/symbol_set.h"

typedef struct LcsProfile
{
	int32 length; /* symbols */
	uint32 counts[TED_CLASSES];
	uint16 *symbols; /* `length` hashes of distinct symbols, or NULL */
} LcsProfile;

/* Reads a profile from a bytea; symbols are copied to the current memory context. */
extern void ReadProfile(Datum value, LcsProfile *profile);

/* Returns a profile as a bytea. */
extern Datum StoreProfile(const LcsProfile *profile);

/* Returns a lower bound on the symbols of a string that have no match in another one. */
extern int32 MissingSymbols(const LcsProfile *profile, const LcsProfile *other);

/*
 * Compute the profile of a value of each type of strings; the collation decides which elements
 * are equal.
 */
typedef void (*ProfileMaker)(Datum value, Oid collation, LcsProfile *profile);
extern void TextProfile(Datum value, Oid collation, LcsProfile *profile);
extern void ByteaProfile(Datum value, Oid collation, LcsProfile *profile);
extern void ArrayProfile(Datum value, Oid collation, LcsProfile *profile);

#endif /* TED_PROFILE_H */
