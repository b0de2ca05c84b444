/*
 * zhang_shasha.h
 *	  The tables of key roots, or what is faster: shared by the distance and the mapping.
 */
#ifndef TED_ZHANG_SHASHA_H
#define TED_ZHANG_SHASHA_H

#include "tables.h"

/* Whether a path strategy is looked for. */
extern bool ted_path_may_pay(const TedTree *a, const TedTree *b, const TedCosts *costs);

/* Whether a pair's tables are certainly of 16 bits: no path strategy is looked for. */
extern bool ted_tables_int16(const TedTree *a, const TedTree *b, const TedCosts *costs);

/* Bytes that orienting a pair and filling its tables take. */
extern size_t ted_tables_memory(const TedTree *a, const TedTree *b, const TedCosts *costs);

/* Fills the tables of an oriented pair. */
extern TedStatus ted_tables_fill(const TedTree *a, const TedTree *b, const TedCosts *costs,
								 TedArena *arena, const TedInterrupt *interrupt, TedTables *tables);

/* Estimated seconds that the tables of key roots take. */
extern double ted_tables_seconds(const TedTree *a, const TedTree *b, const TedCosts *costs);

#endif /* TED_ZHANG_SHASHA_H */
