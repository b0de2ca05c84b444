/*
 * characters.h
 *	  Reads the characters of a text as numbers.
 *
 * The number of a character consists of its bytes, so that any server encoding can be read, and a
 * text can be written from numbers.
 */
#ifndef TED_CHARACTERS_H
#define TED_CHARACTERS_H

#include "postgres.h"

/* Whether every character of a text in the database encoding is one byte. */
extern bool HasOneByteCharacters(const char *bytes, int32 length);

/*
 * Reads the characters of a text in the database encoding into `symbol`, which has space for
 * `length` characters; returns their number.
 */
extern int32 ReadCharacters(const char *bytes, int32 length, uint32 *symbol);

#endif /* TED_CHARACTERS_H */
