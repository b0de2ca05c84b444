/*
 * strings.h
 *	  Strings of the types that are compared, as symbols.
 */
#ifndef TED_STRINGS_H
#define TED_STRINGS_H

#include "postgres.h"

#include "fmgr.h"

#include "../common/cached_argument.h"
#include "../engine/string_session.h"
#include "elements.h"

/* A string that is cached from call to call. */
typedef struct CachedString CachedString;

/* The most bytes that an array without alignment takes when it is aligned. */
#define SHORT_ARRAY_BYTES 136

/* Two strings to compare: short ones where they lie, else one of them cached. */
typedef struct StringPair
{
	LcsText a;
	LcsText b;
	int symbol_bytes;     /* of short ones */
	CachedString *cached; /* NULL where both are short */
	Symbols other;
	uint32 characters[2][SHORT_STRING]; /* of short ones whose symbols are not in the arguments */
	int64 unpacked[2][SHORT_ARRAY_BYTES / sizeof(int64)]; /* arrays without alignment, aligned */
} StringPair;

/* The elements of arrays of which others are made. */
typedef struct ElementValues
{
	const TypeCacheEntry *type;
	Datum *value;
	Datum empty; /* the array of none */
} ElementValues;

/* A type of strings. */
typedef struct StringType
{
	/* Takes both arguments where they are short. */
	bool (*take_short)(FunctionCallInfo fcinfo, StringPair *pair);

	CachedArgumentMaker cache;

	/*
	 * Reads a string; arrays that are compared with each other have their elements in one
	 * table.  Unless `adding`, an element that is not there has a number of none.
	 */
	Symbols (*read)(Datum value, const Elements *elements, bool adding);

	/* Makes a string of symbols; those of arrays are places among the values given. */
	Datum (*make)(const uint32 *symbol, Size count, const ElementValues *values);

	bool is_array;
} StringType;

extern const StringType StringOfText;
extern const StringType StringOfBytea;
extern const StringType StringOfArray;

/* Makes an empty table for the elements of an array; NULL for a string of another type. */
extern Elements *CreateElementsOf(const StringType *type, Datum value, Oid collation);

/* Reads the first two arguments of a function. */
extern void StringArguments(FunctionCallInfo fcinfo, const StringType *type, StringPair *pair);

/* Symbols of both strings. */
static inline int64
StringPairTotal(const StringPair *pair)
{
	return (int64) pair->a.length + pair->b.length;
}

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

/* The SQL function of a name and a type of strings. */
#define STRING_FUNCTION(name, function, type)                                                      \
	PG_FUNCTION_INFO_V1(name);                                                                     \
	Datum name(PG_FUNCTION_ARGS)                                                                   \
	{                                                                                              \
		return function(fcinfo, &(type));                                                          \
	}

/* A function for all types of strings. */
#define STRING_FUNCTIONS(name, function)                                                           \
	STRING_FUNCTION(name##_text, function, StringOfText)                                           \
	STRING_FUNCTION(name##_bytea, function, StringOfBytea)                                         \
	STRING_FUNCTION(name##_array, function, StringOfArray)

#endif /* TED_STRINGS_H */
