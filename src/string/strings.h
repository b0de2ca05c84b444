/*
 * strings.h
 *	  Strings of the types that are compared, as symbols.
 */
#ifndef TED_STRING_STRINGS_H
#define TED_STRING_STRINGS_H

#include "postgres.h"

#include "fmgr.h"

#include "../common/cached_argument.h"
#include "../common/labels.h"
#include "../engine/string_session.h"

/* A string that is cached from call to call. */
typedef struct CachedString CachedString;

/* How strings of a type are read. */
typedef struct StringType
{
	CachedArgumentMaker cache; /* one to cache */
	bool numbered;             /* are symbols the numbers of elements in a table? */

	/* in the current memory context; what is not in the table, if any, goes in where `adding` */
	Symbols (*read)(Datum value, LabelTable *tokens, bool adding);
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

/* Symbols of a value, without reading more of it than need be. */
extern int32 TextLength(Datum value);
extern int32 ByteaLength(Datum value);
extern int32 ArrayLength(Datum value);

/* The characters of a text. */
extern Symbols TextSymbols(const text *value);

/* Takes memory for this number of symbols. */
extern uint32 *AllocSymbols(Size count);

#endif /* TED_STRING_STRINGS_H */
