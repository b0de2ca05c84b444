/*
 * symbol_set.h
 *	  Sets of the symbols of strings, by 16 bits of each, for upper bounds on common symbols.
 *
 * Unlike counts by classes, this takes memory in proportion to the string.  But where all symbols
 * of a string are different, as for the pq-grams of a tree, the bound is close to the number of
 * symbols that two strings have in common in any order.
 */
#ifndef TED_SYMBOL_SET_H
#define TED_SYMBOL_SET_H

#include <stdint.h>

#define TED_SYMBOL_BITS 16

/* The set of the symbols of a string that is compared with many others. */
typedef struct TedSymbolSet
{
	int32_t length;                    /* length of the string */
	uint8_t has[1 << TED_SYMBOL_BITS]; /* by symbol: 1 or 0; single bits would take twice the
										* time */
} TedSymbolSet;

/* Builds the set of a string. */
extern void ted_symbol_set(const uint16_t *symbols, int32_t length, TedSymbolSet *set);

/* Returns a lower bound on the symbols of the set's string that another string lacks. */
extern int32_t ted_symbols_missing(const TedSymbolSet *set, const uint16_t *symbols,
								   int32_t length);

#endif /* TED_SYMBOL_SET_H */
