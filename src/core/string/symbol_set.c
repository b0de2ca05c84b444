/*
 * symbol_set.c
 *	  Sets of the symbols of strings, by 16 bits of each, for upper bounds on common symbols.
 */
#include "symbol_set.h"

#include <string.h>

/* Builds the set of a string. */
void
ted_symbol_set(const uint16_t *symbols, int32_t length, TedSymbolSet *set)
{
	set->length = length;
	memset(set->has, 0, sizeof(set->has));
	for (int32_t i = 0; i < length; i++)
		set->has[symbols[i]] = 1;
}

/* Returns a lower bound on the symbols of the set's string that another string lacks. */
int32_t
ted_symbols_missing(const TedSymbolSet *set, const uint16_t *symbols, int32_t length)
{
	int32_t met = 0;

	for (int32_t i = 0; i < length; i++)
		met += set->has[symbols[i]];
	return met < set->length ? set->length - met : 0;
}
