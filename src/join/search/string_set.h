/*
 * string_set.h
 *	  The distinct strings of one side of a join.
 */
#ifndef TED_STRING_SET_H
#define TED_STRING_SET_H

#include "postgres.h"

#include "../../engine/string_batch.h"
#include "shared_strings.h"

/* Distinct strings, numbered in the order in which they first came. */
typedef struct StringSet StringSet;

/* Name of the computation in errors about memory. */
#define STRING_JOIN "similarity join of strings"

/* Approximate memory that a string takes in a set besides its symbols. */
#define STRING_SET_BYTES (sizeof(LcsString) + 16)

/*
 * Makes an empty set, which lives in a memory context of its own.  Symbols of short strings
 * are kept in as few bytes as they need, unless they may become others.  With a team, which
 * may be NULL, strings are added for its members.
 */
extern StringSet *StringSetCreate(bool changing, Team *team);

/* Adds a string, of which the set makes a copy; returns its number, which equal strings share. */
extern int32 StringSetAdd(StringSet *set, Symbols symbols);

/* Publishes the strings for the members of the team, with the elements of all of them. */
extern void StringSetPublish(const StringSet *set, const LabelTable *labels);

/* Replaces the strings by those of all members, whose numbers are their places. */
extern void StringSetTakeAll(StringSet *set, const SharedStrings *all);

/* The memory that adding takes; ends adding, and frees that memory. */
extern Size StringSetAddingBytes(const StringSet *set);
extern void StringSetFinish(StringSet *set);

/* Number of distinct strings. */
extern int32 StringSetCount(const StringSet *set);

/* A string, and its length. */
extern LcsString StringSetGet(const StringSet *set, int32 number);
extern int32 StringSetLength(const StringSet *set, int32 number);

/* Forgets all strings. */
extern void StringSetReset(StringSet *set);

#endif /* TED_STRING_SET_H */
