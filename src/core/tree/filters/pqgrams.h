/*
 * pqgrams.h
 *	  pq-grams: small parts of trees by which trees are compared approximately.
 *
 * A pq-gram is a node, its anchor, with its p - 1 nearest ancestors and q neighbouring children.
 * Where there are fewer, empty nodes stand for them: p - 1 above the root, q - 1 before the first
 * and after the last child of each inner node, and q below each leaf (Augsten, Böhlen and Gamper,
 * VLDB 2005 and ACM TODS 35(1), 2010).  A tree has one pq-gram for each of its leaves, and for each
 * inner node q - 1 more than it has children.
 */
#ifndef TED_PQGRAMS_H
#define TED_PQGRAMS_H

#include "../ted.h"

/* The label of an empty node; those of nodes are at least 0. */
#define TED_EMPTY_LABEL (-1)

/* All pq-grams of a tree. */
typedef struct TedPqGrams
{
	int32_t p; /* nodes from the anchor up, at least 1 */
	int32_t q; /* neighbouring children, at least 1 */
	int32_t count;
	int32_t *labels; /* [count][p + q]: labels from the anchor up, then those of children from right
					  * to left */
} TedPqGrams;

/* Returns the number of pq-grams of a tree. */
extern int64_t ted_pqgram_count(const TedTree *tree, int32_t q);

/* Computes the pq-grams of a tree, which must have no more than INT32_MAX of them. */
extern size_t ted_pqgrams_memory(const TedTree *tree, int32_t p, int32_t q);
extern TedStatus ted_pqgrams(const TedTree *tree, int32_t p, int32_t q, TedArena *arena,
							 const TedInterrupt *interrupt, TedPqGrams *grams);

/* A hash table of the pq-grams of a tree. */
typedef struct TedPqIndex
{
	const TedPqGrams *grams;
	size_t slot_mask;
	int32_t *slots;  /* hash table: the first of equal pq-grams, or -1 */
	int32_t *counts; /* by first of equal pq-grams: how many there are */
	int32_t *used;   /* by first of equal pq-grams: how many have been matched; scratch */
} TedPqIndex;

/* Builds an index of pq-grams, which must outlive it. */
extern size_t ted_pqgram_index_memory(int32_t count);
extern TedStatus ted_pqgram_index(const TedPqGrams *grams, TedArena *arena,
								  const TedInterrupt *interrupt, TedPqIndex *index);

/* Counts the pq-grams that two trees have in common, as bags; p and q must be the same for both. */
extern TedStatus ted_pqgrams_in_common(TedPqIndex *a, const TedPqGrams *b,
									   const TedInterrupt *interrupt, int32_t *common);

/*
 * Computes a symbol for each pq-gram of an index.  Two trees have as many symbols in common, as
 * sets, as pq-grams, as bags, unless hashes of different pq-grams collide.
 */
extern TedStatus ted_pqgram_symbols(TedPqIndex *index, const TedInterrupt *interrupt,
									uint32_t *symbols);

#endif /* TED_PQGRAMS_H */
