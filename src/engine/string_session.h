/*
 * string_session.h
 *	  Longest common subsequences, on the CPU or the GPU; as session.h for trees.
 *
 * Each call chooses CPU or GPU, unless its name says which; the CPU computes what the GPU declines.
 */
#ifndef TED_STRING_SESSION_H
#define TED_STRING_SESSION_H

#include "postgres.h"

#include "session.h"
#include "string_batch.h"

/* Raises an error if a comparison needs more scratch memory than ted.max_memory allows. */
extern void CheckStringMemory(Size bytes);

/* Returns the length of the longest common subsequence, or LCS_BELOW if it is less than `least`. */
extern int32 StringsLength(Symbols a, Symbols b, int32 least);

/* Does the same on the CPU, whatever ted.gpu is; for steps of other work, such as estimates. */
extern int32 StringsLengthByCpu(Symbols a, Symbols b, int32 least);

/* Does the same for short strings, whose symbols have 1 or 4 bytes: on the CPU, without a copy. */
#define SHORT_STRING 252
extern bool AreShortStrings(int32 a, int32 b);
extern int32 ShortStringsLength(const LcsText *a, const LcsText *b, int symbol_bytes, int32 least);

/* A longest common subsequence of two strings, as ascending positions in both. */
typedef struct CommonSubsequence
{
	int32 *in_a;
	int32 *in_b;
	int32 length;
} CommonSubsequence;

/*
 * Finds a longest common subsequence, by the tie rule of lcs_positions() with the first string as
 * the pattern.  `reserved` bytes of the caller also count as scratch memory.
 */
extern CommonSubsequence StringsSubsequence(Symbols a, Symbols b, Size reserved);

/* Returns an upper bound on the bytes that StringsSubsequence() takes for these lengths. */
extern Size StringsSubsequenceMemory(int32 m, int32 n);

/* A string with which many others are compared, batch by batch. */
typedef struct StringSession
{
	const char *what;     /* name of the comparison in errors */
	EngineCounts *counts; /* of batches on a GPU; or NULL */
	bool on_cpu;          /* everything is computed on the CPU, whatever ted.gpu is */

	/* read and written by string_session.c only */
	MemoryContext context;
	Symbols pattern;
	const LcsPattern *prepared; /* NULL until the CPU uses the pattern */
	TedArena prepared_in;
	TedArena scratch; /* passed by copy, so that it stays empty */
} StringSession;

/* Opens a session, which lives in `context`. */
extern StringSession *StringSessionOpen(MemoryContext context);

/* Sets the string with which others are compared; the caller keeps it. */
extern void StringSessionSetPattern(StringSession *session, Symbols pattern);

/*
 * Computes the lengths for the session's string and each text of symbols; LCS_BELOW if a length is
 * less than the text's `least`, unless `least` is NULL.
 */
extern void StringSessionCompute(StringSession *session, const LcsText *texts, int32 count,
								 const int32 *least, int32 *lengths);

#endif /* TED_STRING_SESSION_H */
