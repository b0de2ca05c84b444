/*
 * characters.h
 *	  The characters of a text as numbers.
 *
 * The number of a character holds its bytes, so that any server encoding will
 * do and a text can be written from numbers.
 */
#ifndef TED_CHARACTERS_H
#define TED_CHARACTERS_H

#include "postgres.h"

/* True where every character of a text in the encoding of the database is one byte. */
extern bool HasOneByteCharacters(const char *bytes, int32 length);

/*
 * Reads the characters of a text in the encoding of the database into an array with
 * space for one a byte; returns their number.
 */
extern int32 ReadCharacters(const char *bytes, int32 length, uint32 *symbol);

#endif /* TED_CHARACTERS_H */
