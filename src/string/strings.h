/*
 * strings.h
 *	  Strings of all types that can be compared, as symbols.
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

/* Bytes for an aligned copy of an array with a short varlena header. */
#define SHORT_ARRAY_BYTES 136

/* Two strings to compare.  Short ones are compared in place; else one of them is cached. */
typedef struct StringPair
{
	LcsText a;
	LcsText b;
	int symbol_bytes;     /* bytes per symbol, if both are short */
	CachedString *cached; /* the cached one, if not both are short; else NULL */
	Symbols other;
	uint32 characters[2][SHORT_STRING]; /* symbols of short strings that need a copy */
	int64 unpacked[2][SHORT_ARRAY_BYTES / sizeof(int64)]; /* aligned copies of packed arrays */
} StringPair;

/* The elements of arrays, of which new arrays are made. */
typedef struct ElementValues
{
	const TypeCacheEntry *type;
	Datum *value;
	Datum empty; /* the empty array */
} ElementValues;

/* A type of strings. */
typedef struct StringType
{
	/* Reads both arguments if they are short; else returns false. */
	bool (*take_short)(FunctionCallInfo fcinfo, StringPair *pair);

	CachedArgumentMaker cache;

	/*
	 * Reads a string as symbols.  Arrays that are compared with each other share the table
	 * of elements.  Unless `adding`, an element that is not in the table gets a number that
	 * no element has.
	 */
	Symbols (*read)(Datum value, const Elements *elements, bool adding);

	/* Makes a string of symbols.  The symbols of an array are places in `values`. */
	Datum (*make)(const uint32 *symbol, Size count, const ElementValues *values);

	/* Returns the number of symbols, and detoasts no more of a value than necessary. */
	int32 (*length)(Datum value);

	bool is_array;
	char letter; /* of the type, see IsOfType() */
} StringType;

/* The types of strings. */
extern const StringType StringOfText;
extern const StringType StringOfBytea;
extern const StringType StringOfArray;

/* Returns the type of strings that a type belongs to; NULL if its values cannot be compared. */
extern const StringType *StringTypeOf(Oid type);

/* Makes an empty table for the elements of an array.  Returns NULL for other types of strings. */
extern Elements *CreateElementsOf(const StringType *type, Datum value, Oid collation);

/* Reads the first two arguments of a function. */
extern void StringArguments(FunctionCallInfo fcinfo, const StringType *type, StringPair *pair);

/* Returns the number of symbols of both strings together. */
static inline int64
StringPairTotal(const StringPair *pair)
{
	return (int64) pair->a.length + pair->b.length;
}

/* Returns the length of the longest common subsequence; LCS_BELOW if it is less than `least`. */
extern int32 StringPairLength(const StringPair *pair, int32 least);

/* The functions `length` of the types of strings. */
extern int32 TextLength(Datum value);
extern int32 ByteaLength(Datum value);
extern int32 ArrayLength(Datum value);

/* Returns the characters of a text. */
extern Symbols TextSymbols(const text *value);

/* Writes bytes as symbols, to an array with space for them.  Returns their number. */
extern int32 ReadByteSymbols(const char *bytes, int32 length, uint32 *symbol);

/* Returns the least bytes that hold each of the symbols: 1, 2 or 4; writes them in as many. */
extern int32 SymbolBytes(Symbols symbols);
extern void PackSymbols(Symbols symbols, int32 symbol_bytes, void *packed);

/* Allocates an array of symbols. */
extern uint32 *AllocSymbols(Size count);

/* Defines the SQL function of one type of strings. */
#define STRING_FUNCTION(name, function, type)                                                      \
	PG_FUNCTION_INFO_V1(name);                                                                     \
	Datum name(PG_FUNCTION_ARGS)                                                                   \
	{                                                                                              \
		return function(fcinfo, &(type));                                                          \
	}

/* Defines the SQL functions of all types of strings. */
#define STRING_FUNCTIONS(name, function)                                                           \
	STRING_FUNCTION(name##_text, function, StringOfText)                                           \
	STRING_FUNCTION(name##_bytea, function, StringOfBytea)                                         \
	STRING_FUNCTION(name##_array, function, StringOfArray)

/* Returns the bytes of an array of texts, their lengths, and their order. */
extern Size TextsMemory(int count);

/*
 * Returns the length for one string and each of many texts in the database encoding.  The array of
 * texts is overwritten; its TextsMemory() counts as scratch memory.
 */
extern int32 *TextsLengths(Symbols pattern, LcsText *texts, int count);

#endif /* TED_STRINGS_H */
