/*
 * pqgram_distance.h
 *	  Makes pq-grams of trees, also for indexes.
 */
#ifndef TED_PQGRAM_DISTANCE_H
#define TED_PQGRAM_DISTANCE_H

#include "postgres.h"

#include "../../core/tree/filters/pqgrams.h"

/* The parameters of the operator <#> and of indexes. */
#define PQGRAM_P 2
#define PQGRAM_Q 3

/* Returns the memory of a tree's pq-grams and their index, in bytes. */
extern Size PqGramBytes(const TedTree *tree, int32 p, int32 q);

/* Makes pq-grams in the current memory context, and their index unless `index` is NULL. */
extern void MakePqGrams(const TedTree *tree, int32 p, int32 q, TedPqGrams *grams,
						TedPqIndex *index);

#endif /* TED_PQGRAM_DISTANCE_H */
