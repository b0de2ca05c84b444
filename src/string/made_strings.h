/*
 * made_strings.h
 *	  Strings made of symbols: what strings.c does, backwards.
 */
#ifndef TED_MADE_STRINGS_H
#define TED_MADE_STRINGS_H

#include "postgres.h"

#include "strings.h"

/* The text that consists of these characters. */
extern Datum MakeText(const uint32 *character, Size count, const ElementValues *values);

/* The bytea that consists of these bytes. */
extern Datum MakeBytea(const uint32 *byte, Size count, const ElementValues *values);

/* The array of the values at these places. */
extern Datum MakeArray(const uint32 *place, Size count, const ElementValues *values);

#endif /* TED_MADE_STRINGS_H */
