/*
 * string_session.h
 *	  Longest common subsequences, by the CPU or the GPU: what session.h is for trees.
 *
 * Every call chooses CPU or GPU, unless its name says which; the CPU computes what the GPU
 * declines.
 */
#ifndef TED_STRING_SESSION_H
#define TED_STRING_SESSION_H

#include "postgres.h"

#include "session.h"
#include "string_batch.h"

/* Refuses a comparison that needs more scratch memory than is allowed. */
extern void CheckStringMemory(Size bytes);

/* Length for two strings if it is at least `least`, else LCS_BELOW. */
extern int32 StringsLength(Symbols a, Symbols b, int32 least);

/* The same by the CPU, whatever ted.gpu says: for steps of other work, such as estimates. */
extern int32 StringsLengthByCpu(Symbols a, Symbols b, int32 least);

/*
 * The same for short strings, whose symbols have 1 or 4 bytes: they are compared where
 * they lie, by the CPU.
 */
#define SHORT_STRING 252
extern bool AreShortStrings(int32 a, int32 b);
extern int32 ShortStringsLength(const LcsText *a, const LcsText *b, int symbol_bytes, int32 least);

/* A longest common subsequence of two strings, by its positions, which increase. */
typedef struct CommonSubsequence
{
	int32 *in_a;
	int32 *in_b;
	int32 length;
} CommonSubsequence;

/*
 * Finds it, by the tie rule of lcs_positions() with the first string as the pattern;
 * this number of bytes of the caller count as scratch memory, too.
 */
extern CommonSubsequence StringsSubsequence(Symbols a, Symbols b, Size reserved);

/* An upper bound on the memory that this takes for strings of these lengths. */
extern Size StringsSubsequenceMemory(int32 m, int32 n);

/* Memory that texts take, with their lengths and an order of them. */
extern Size TextsMemory(int count);

/*
 * Lengths for one string and each of many texts in the encoding of the database.  The
 * array of texts is used up; their TextsMemory() is scratch memory that is allowed.
 */
extern int32 *TextsLengths(Symbols pattern, LcsText *texts, int count);

/* A string that many are compared with, batch by batch. */
typedef struct StringSession StringSession;

/* Opens a session, which lives in a memory context. */
extern StringSession *StringSessionOpen(MemoryContext context);

/* Makes errors say that `what` needs memory. */
extern void StringSessionName(StringSession *session, const char *what);

/* Makes a session count the batches that the GPU has computed. */
extern void StringSessionCount(StringSession *session, EngineCounts *counts);

/* Makes a session compute all by the CPU, whatever ted.gpu says. */
extern void StringSessionStayOnCpu(StringSession *session);

/* Sets the string; it stays the caller's. */
extern void StringSessionSetPattern(StringSession *session, Symbols pattern);

/*
 * Lengths for the string and texts of symbols; LCS_BELOW where they are below `least`, by
 * text, unless that is NULL.
 */
extern void StringSessionCompute(StringSession *session, const LcsText *texts, int32 count,
								 const int32 *least, int32 *lengths);

#endif /* TED_STRING_SESSION_H */
