/*
 * vector_fill.h
 *	  Zhang and Shasha's tables by vectors of 16-bit numbers, or of 32-bit ones.
 *
 * The functions other than ted_vector_fill() read only the size and the sums of a tree, or of
 * several in a row; `largest` is the size of the largest one.
 */
#ifndef TED_VECTOR_FILL_H
#define TED_VECTOR_FILL_H

#include "tables.h"

/*
 * Returns the vectors to compute a pair with, or none if it is to be computed cell by cell; sets
 * the bytes of the tables.
 */
extern TedVectors ted_vectors(const TedTree *a, const TedTree *b, int32_t largest,
							  const TedCosts *costs, size_t *bytes);

/* Returns the estimated nanoseconds that a cell takes with these vectors. */
extern double ted_vectors_cell_time(TedVectors vectors);

/* Computes the distances between all pairs of subtrees by vectors. */
extern TedStatus ted_vector_fill(const TedTree *a, const TedTree *b, const TedCosts *costs,
								 TedVectors vectors, TedArena *arena, const TedInterrupt *interrupt,
								 TedTables *tables);

#endif /* TED_VECTOR_FILL_H */
