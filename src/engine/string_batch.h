/*
 * string_batch.h
 *	  A batch of pairs of strings, as the engines take them.
 */
#ifndef TED_STRING_BATCH_H
#define TED_STRING_BATCH_H

#include "postgres.h"

#include "../core/string/lcs.h"

/* A string as it is compared. */
typedef struct Symbols
{
	uint32 *symbol;
	int32 count;
} Symbols;

/* One string and those that it is compared with. */
typedef struct StringBatch
{
	Symbols pattern;
	const LcsText *texts;
	int64 count;
	int symbol_bytes;   /* of the texts: 4, or 1 for bytes in the encoding of the database */
	const int32 *least; /* NULL, or by text: lengths below it do not matter */
	int32 *lengths;     /* written: LCS_BELOW, or the length where it is not below */

	/* NULL, or for a batch of one text, written: as by lcs_positions() */
	int32 *in_pattern;
	int32 *in_text;
} StringBatch;

#endif /* TED_STRING_BATCH_H */
