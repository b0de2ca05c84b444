/*
 * strings.h
 *	  Strings of the types that are compared, as symbols.
 */
#ifndef TED_STRING_STRINGS_H
#define TED_STRING_STRINGS_H

#include "postgres.h"

#include "fmgr.h"

#include "../common/cached_argument.h"
#include "../engine/string_session.h"

/* A string that is cached from call to call. */
typedef struct CachedString CachedString;

/* How strings of a type are read: one to cache, and one to compare with it. */
typedef struct StringType
{
	CachedArgumentMaker cache;
	Symbols (*read)(Datum value, const CachedString *cached);
} StringType;

extern const StringType StringOfText;
extern const StringType StringOfBytea;
extern const StringType StringOfTextArray;
extern const StringType StringOfIntArray;
extern const StringType StringOfBigintArray;

/* Both strings of a call, in either order. */
typedef struct StringPair
{
	CachedString *cached;
	Symbols other;
} StringPair;

/* Reads the first two arguments of a function. */
extern StringPair StringArguments(FunctionCallInfo fcinfo, const StringType *type);

/* Symbols of both strings. */
extern int64 StringPairTotal(const StringPair *pair);

/* Length of their longest common subsequence; LCS_BELOW if that is less than `least`. */
extern int32 StringPairLength(const StringPair *pair, int32 least);

/* The characters of a text. */
extern Symbols TextSymbols(const text *value);

/* Takes memory for this number of symbols. */
extern uint32 *AllocSymbols(Size count);

#endif /* TED_STRING_STRINGS_H */
