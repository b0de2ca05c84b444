/*
 * characters.h
 *	  The characters of a text as numbers.
 *
 * The number of a character holds its bytes, so that any server encoding will
 * do and a text can be written from numbers.
 */
#ifndef TED_STRING_CHARACTERS_H
#define TED_STRING_CHARACTERS_H

#include "postgres.h"

/* Reads the characters of a text into an array with room for one a byte; returns their number. */
extern int32 ReadCharacters(const text *value, uint32 *symbol);

#endif /* TED_STRING_CHARACTERS_H */
