/*
 * profile.h
 *	  Profiles of strings: their lengths, and how many symbols of each class they have.
 *
 * A profile bounds from above what two strings have in common.  As a bytea it has one
 * size, whatever the type and the length of the string; that of a tree, which is a
 * string of pq-grams, has all symbols besides.
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
	uint16 *symbols; /* `length` of them, all different but for their hashing; or NULL */
} LcsProfile;

/* Reads a profile that is a bytea; symbols are copied to the current memory context. */
extern void ReadProfile(Datum value, LcsProfile *profile);

/* The bytea of a profile. */
extern Datum StoreProfile(const LcsProfile *profile);

/* A lower bound on the symbols of a string that have no match in another one. */
extern int32 MissingSymbols(const LcsProfile *profile, const LcsProfile *other);

/* Profiles of strings of each type, by a collation. */
typedef void (*ProfileMaker)(Datum value, Oid collation, LcsProfile *profile);
extern void TextProfile(Datum value, Oid collation, LcsProfile *profile);
extern void ByteaProfile(Datum value, Oid collation, LcsProfile *profile);
extern void ArrayProfile(Datum value, Oid collation, LcsProfile *profile);

#endif /* TED_PROFILE_H */
