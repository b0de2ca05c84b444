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

/* Names the computation in errors about memory. */
#define STRING_JOIN "similarity join of strings"

/* Estimated bytes of a string in a set, besides its symbols. */
#define STRING_SET_BYTES (sizeof(LcsString) + 16)

/*
 * Makes an empty set, which has its own memory context.  Symbols of short strings are stored in as
 * few bytes as they need, unless `changing` is true and symbols may be replaced later.  If `team`
 * is not NULL, strings are added for its members.
 */
extern StringSet *StringSetCreate(bool changing, Team *team);

/* Adds a string, which the set copies; returns its number, which equal strings share. */
extern int32 StringSetAdd(StringSet *set, Symbols symbols);

/* Publishes the strings for the members of the team, with the table of their elements. */
extern void StringSetPublish(const StringSet *set, const LabelTable *labels);

/* Replaces the strings by those of all members; a string's number then is its place. */
extern void StringSetTakeAll(StringSet *set, const SharedStrings *all);

/* Returns the bytes that adding takes; ends adding, and frees them. */
extern Size StringSetAddingBytes(const StringSet *set);
extern void StringSetFinish(StringSet *set);

/* Returns the number of distinct strings. */
extern int32 StringSetCount(const StringSet *set);

/* Returns a string; returns its length. */
extern LcsString StringSetGet(const StringSet *set, int32 number);
extern int32 StringSetLength(const StringSet *set, int32 number);

/* Forgets all strings. */
extern void StringSetReset(StringSet *set);

#endif /* TED_STRING_SET_H */
