/*
 * string_batch.h
 *	  A batch of pairs of strings, for the CPU or a GPU.
 */
#ifndef TED_STRING_BATCH_H
#define TED_STRING_BATCH_H

#include "postgres.h"

#include "../core/string/lcs.h"

/* A string as an array of symbols. */
typedef struct Symbols
{
	uint32 *symbol;
	int32 count;
} Symbols;

/* One string, and the texts with which it is compared. */
typedef struct StringBatch
{
	Symbols pattern;
	const LcsText *texts;
	int64 count;
	int symbol_bytes;   /* of a symbol of a text: 4, or 1 for bytes in the database encoding */
	const int32 *least; /* least length that matters, for each text; or NULL */
	int32 *lengths;     /* written: the length, or LCS_BELOW if it is less than `least` */

	/* NULL; or, for a batch of one text, written as by lcs_positions() */
	int32 *in_pattern;
	int32 *in_text;
} StringBatch;

#endif /* TED_STRING_BATCH_H */
