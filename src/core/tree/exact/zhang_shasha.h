/*
 * zhang_shasha.h
 *	  Distances between all pairs of subtrees, for the exact distance and the mapping.
 */
#ifndef TED_ZHANG_SHASHA_H
#define TED_ZHANG_SHASHA_H

#include "tables.h"

/* Whether a path strategy is searched for, as it may be faster than the tables of key roots. */
extern bool ted_path_may_pay(const TedTree *a, const TedTree *b, const TedCosts *costs);

/* Whether a pair's tables are certain to have 16-bit cells, as no path strategy is searched for. */
extern bool ted_tables_int16(const TedTree *a, const TedTree *b, const TedCosts *costs);

/* Returns the bytes that ted_orient() and ted_tables_fill() take. */
extern size_t ted_tables_memory(const TedTree *a, const TedTree *b, const TedCosts *costs);

/* Computes the distances between all pairs of subtrees of a pair from ted_orient(). */
extern TedStatus ted_tables_fill(const TedTree *a, const TedTree *b, const TedCosts *costs,
								 TedArena *arena, const TedInterrupt *interrupt, TedTables *tables);

/* Returns the estimated seconds of filling the tables of key roots. */
extern double ted_tables_seconds(const TedTree *a, const TedTree *b, const TedCosts *costs);

#endif /* TED_ZHANG_SHASHA_H */
