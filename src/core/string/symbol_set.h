/*
 * symbol_set.h
 *	  Which symbols strings have, by 16 bits of each, which bounds what they have in common.
 *
 * Unlike counts by classes, this takes memory in proportion to the string, but where
 * all symbols of a string are different, as the pq-grams of a tree are, it says nearly
 * exactly how many two strings have in common in any order.
 */
#ifndef TED_SYMBOL_SET_H
#define TED_SYMBOL_SET_H

#include <stdint.h>

#define TED_SYMBOL_BITS 16

/* The symbols of a string that many are compared with: for each that there can be, 1 or 0. */
typedef struct TedSymbolSet
{
	int32_t length;                    /* of the string */
	uint8_t has[1 << TED_SYMBOL_BITS]; /* bits would take twice as long */
} TedSymbolSet;

/* Makes the set of a string. */
extern void ted_symbol_set(const uint16_t *symbols, int32_t length, TedSymbolSet *set);

/* A lower bound on how many symbols of the set's string another one lacks. */
extern int32_t ted_symbols_missing(const TedSymbolSet *set, const uint16_t *symbols,
								   int32_t length);

#endif /* TED_SYMBOL_SET_H */
