/*
 * strings.h
 *	  Strings as the functions for longest common subsequences read them.
 */
#ifndef TED_STRING_STRINGS_H
#define TED_STRING_STRINGS_H

#include "postgres.h"

#include "../engine/string_session.h"

/* The characters of a text. */
extern Symbols TextSymbols(const text *value);

#endif /* TED_STRING_STRINGS_H */
