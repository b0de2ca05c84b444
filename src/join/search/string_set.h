/*
 * string_set.h
 *	  The distinct strings of one side of a join.
 */
#ifndef TED_STRING_SET_H
#define TED_STRING_SET_H

#include "postgres.h"

#include "../../core/string/lcs_features.h"
#include "../../engine/string_batch.h"

/* Distinct strings, numbered in the order in which they first came. */
typedef struct StringSet StringSet;

/* Name of the computation in errors about memory. */
#define STRING_JOIN "similarity join of strings"

/* Approximate memory that a string takes in a set besides its symbols. */
#define STRING_SET_BYTES (sizeof(LcsString) + 16)

/*
 * Makes an empty set, which lives in a memory context of its own.  Symbols of short strings
 * are kept in as few bytes as they need, unless they may become others.
 */
extern StringSet *StringSetCreate(bool changing);

/* Adds a string, of which the set makes a copy; returns its number, which equal strings share. */
extern int32 StringSetAdd(StringSet *set, Symbols symbols);

/* Writes the strings, for other processes, to memory aligned for any type. */
extern Size StringSetExportBytes(const StringSet *set);
extern void StringSetExport(const StringSet *set, char *image);

/*
 * Adds the strings that a process has written with StringSetExport(); returns the number of
 * each, in the order of the numbers that they had.  They stay where they are, unless `ids`
 * says what their symbols have become.
 */
extern int32 *StringSetImport(StringSet *set, const char *image, const int32 *ids);

/* The memory that adding takes; ends adding, and frees that memory. */
extern Size StringSetAddingBytes(const StringSet *set);
extern void StringSetFinish(StringSet *set);

/* Number of distinct strings. */
extern int32 StringSetCount(const StringSet *set);

/* All strings, by number; the pointer is good until the next one is added. */
extern const LcsString *StringSetStrings(const StringSet *set);

/* Forgets all strings. */
extern void StringSetReset(StringSet *set);

#endif /* TED_STRING_SET_H */
