/*
 * pqgram_distance.h
 *	  Memory of pq-grams, and those that operators and indexes compare by.
 */
#ifndef TED_PQGRAM_DISTANCE_H
#define TED_PQGRAM_DISTANCE_H

#include "postgres.h"

#include "../../core/tree/filters/pqgrams.h"

/* The parameters of the operator <#>, and of indexes. */
#define PQGRAM_P 2
#define PQGRAM_Q 3

/* Memory that the pq-grams of a tree take with their index. */
extern Size PqGramBytes(const TedTree *tree, int32 p, int32 q);

/* Makes pq-grams in the current memory context, and their index unless `index` is NULL. */
extern void MakePqGrams(const TedTree *tree, int32 p, int32 q, TedPqGrams *grams,
						TedPqIndex *index);

#endif /* TED_PQGRAM_DISTANCE_H */
