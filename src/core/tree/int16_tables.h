/*
 * int16_tables.h
 *	  Zhang and Shasha's tables as 16-bit numbers, by vectors.
 *
 * The functions want to know of a tree, or of several in a row, what
 * ted_tree_index() sums up; `largest` is the size of the largest one.
 */
#ifndef TED_CORE_TREE_INT16_TABLES_H
#define TED_CORE_TREE_INT16_TABLES_H

#include "tables.h"

/* Whether 16 bits hold all numbers of the tables by vectors. */
extern bool ted_int16_fits(int32_t size_a, int32_t size_b, const TedCosts *costs);

/* Lanes of the vectors to compute a pair with, or 0 to compute it cell by cell. */
extern int32_t ted_int16_lanes(const TedTree *a, const TedTree *b, int32_t largest,
							   const TedCosts *costs);

/* Fills the tables by vectors of this number of lanes. */
extern size_t ted_int16_memory(const TedTree *a, const TedTree *b, const TedCosts *costs,
							   int32_t lanes);
extern TedStatus ted_int16_fill(const TedTree *a, const TedTree *b, const TedCosts *costs,
								int32_t lanes, TedArena *arena, const TedInterrupt *interrupt,
								TedTables *tables);

#endif /* TED_CORE_TREE_INT16_TABLES_H */
