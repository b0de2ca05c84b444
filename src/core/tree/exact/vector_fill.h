/*
 * vector_fill.h
 *	  Zhang and Shasha's tables by vectors of 16-bit numbers, or of 32-bit ones.
 *
 * The functions want to know of a tree, or of several in a row, what
 * ted_tree_index() sums up; `largest` is the size of the largest one.
 */
#ifndef TED_VECTOR_FILL_H
#define TED_VECTOR_FILL_H

#include "tables.h"

/* Vectors of `lanes` numbers of `bytes` bytes. */
typedef struct TedVectors
{
	int32_t lanes; /* 0 for none */
	int32_t bytes;
} TedVectors;

/* The vectors to compute a pair with, or none to compute it cell by cell. */
extern TedVectors ted_vectors(const TedTree *a, const TedTree *b, int32_t largest,
							  const TedCosts *costs);

/* Estimated nanoseconds that a cell takes with these. */
extern double ted_vectors_cell_time(TedVectors vectors);

/* Fills the tables. */
extern size_t ted_vector_fill_memory(const TedTree *a, const TedTree *b, const TedCosts *costs,
									 TedVectors vectors);
extern TedStatus ted_vector_fill(const TedTree *a, const TedTree *b, const TedCosts *costs,
								 TedVectors vectors, TedArena *arena, const TedInterrupt *interrupt,
								 TedTables *tables);

#endif /* TED_VECTOR_FILL_H */
