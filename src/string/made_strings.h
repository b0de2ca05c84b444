/*
 * made_strings.h
 *	  Makes strings of symbols, the inverse of strings.c.
 */
#ifndef TED_MADE_STRINGS_H
#define TED_MADE_STRINGS_H

#include "postgres.h"

#include "strings.h"

/* Makes the text of some characters. */
extern Datum MakeText(const uint32 *character, Size count, const ElementValues *values);

/* Makes the bytea of some bytes. */
extern Datum MakeBytea(const uint32 *byte, Size count, const ElementValues *values);

/* Makes the array of the values at some places. */
extern Datum MakeArray(const uint32 *place, Size count, const ElementValues *values);

#endif /* TED_MADE_STRINGS_H */
