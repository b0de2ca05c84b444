/*
 * symbol_set.c
 *	  Which symbols strings have, by 16 bits of each, which bounds what they have in common.
 */
#include "symbol_set.h"

#include <string.h>

/* Makes the set of a string. */
void
ted_symbol_set(const uint16_t *symbols, int32_t length, TedSymbolSet *set)
{
	set->length = length;
	memset(set->has, 0, sizeof(set->has));
	for (int32_t i = 0; i < length; i++)
		set->has[symbols[i]] = 1;
}

/* A lower bound on how many symbols of the set's string another one lacks. */
int32_t
ted_symbols_missing(const TedSymbolSet *set, const uint16_t *symbols, int32_t length)
{
	int32_t met = 0;

	for (int32_t i = 0; i < length; i++)
		met += set->has[symbols[i]];
	return met < set->length ? set->length - met : 0;
}
