/*
 * pqgrams.h
 *	  pq-grams: the small subtrees that trees are compared by approximately.
 *
 * A pq-gram is a node, its anchor, with its p - 1 nearest ancestors and q
 * neighbouring children.  Where there are fewer, empty nodes stand for them: p - 1
 * above the root, q - 1 before the first and after the last child of each inner node,
 * and q below each leaf (Augsten, Böhlen and Gamper, VLDB 2005 and ACM TODS 35(1),
 * 2010).  A tree has one for each of its leaves, and for each inner node q - 1 more
 * than this has children.
 */
#ifndef TED_PQGRAMS_H
#define TED_PQGRAMS_H

#include "../ted.h"

/* The label of an empty node; those of nodes are at least 0. */
#define TED_EMPTY_LABEL (-1)

/* All pq-grams of a tree. */
typedef struct TedPqGrams
{
	int32_t p; /* the anchor and its ancestors, at least 1 */
	int32_t q; /* children, at least 1 */
	int32_t count;
	int32_t *labels; /* [count][p + q]: from the anchor up, then children from right to left */
} TedPqGrams;

/* Number of pq-grams of a tree. */
extern int64_t ted_pqgram_count(const TedTree *tree, int32_t q);

/* Makes the pq-grams of a tree, which has at most INT32_MAX of them. */
extern size_t ted_pqgrams_memory(const TedTree *tree, int32_t p, int32_t q);
extern TedStatus ted_pqgrams(const TedTree *tree, int32_t p, int32_t q, TedArena *arena,
							 const TedInterrupt *interrupt, TedPqGrams *grams);

/* The pq-grams of a tree, to be looked up. */
typedef struct TedPqIndex
{
	const TedPqGrams *grams;
	size_t slot_mask;
	int32_t *slots;  /* the first of equal pq-grams, or -1 */
	int32_t *counts; /* by the first of equal ones: how many there are */
	int32_t *used;   /* how many of them have been met */
} TedPqIndex;

/* Makes an index of pq-grams, which must stay as long as it is used. */
extern size_t ted_pqgram_index_memory(int32_t count);
extern TedStatus ted_pqgram_index(const TedPqGrams *grams, TedArena *arena,
								  const TedInterrupt *interrupt, TedPqIndex *index);

/* How many pq-grams two trees have in common, as bags; p and q must be the same. */
extern TedStatus ted_pqgrams_in_common(TedPqIndex *a, const TedPqGrams *b,
									   const TedInterrupt *interrupt, int32_t *common);

/*
 * A number for each pq-gram of an index: of as many as two trees have in common, the
 * numbers are the same where the labels are.
 */
extern TedStatus ted_pqgram_symbols(TedPqIndex *index, const TedInterrupt *interrupt,
									uint32_t *symbols);

#endif /* TED_PQGRAMS_H */
