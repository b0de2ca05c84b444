/*
 * strings.h
 *	  Strings as the functions for longest common subsequences read them.
 */
#ifndef TED_STRING_STRINGS_H
#define TED_STRING_STRINGS_H

#include "postgres.h"

/* A string as the core compares it. */
typedef struct Symbols
{
	uint32 *symbol;
	int32 count;
} Symbols;

/* Refuses a comparison that needs more scratch memory than is allowed. */
extern void CheckStringMemory(Size bytes);

/* Takes room for this number of symbols. */
extern uint32 *AllocSymbols(Size count);

/* The characters of a text. */
extern Symbols TextSymbols(const text *value);

#endif /* TED_STRING_STRINGS_H */
