/*
 * vector_tables.h
 *	  Zhang and Shasha's tables by vectors of 16-bit numbers.
 *
 * A row of the wide table of columns.h is filled from left to right.  Numbers
 * are kept less the cost of inserting everything to the left: F[i][j] - j ins.
 * Insertions then cost nothing, so that the dependency along a row is a prefix
 * minimum within each table; and the forest row of the empty forest is all 0.
 * The distance of two subtrees is kept less the cost of inserting the whole
 * second one.
 *
 * Where costs differ by label, what is kept is less the costs of inserting the
 * nodes to the left, and the costs of renaming are not found by comparing labels
 * but loaded: as in the comparison of sequences, a label of a has a profile, its
 * cost of renaming by column.
 *
 * The only row far above that a row needs is the one before its subtree
 * began, at each column's source.  It is gathered once for all nodes with the
 * same leftmost leaf, when that leaf comes, and waits on a stack: such nodes
 * are nested, so the one on top is always the one in demand.
 */
#ifndef TED_CORE_TREE_VECTOR_TABLES_H
#define TED_CORE_TREE_VECTOR_TABLES_H

#include "columns.h"
#include "label_classes.h"
#include "../common/simd.h"

/* One pair of trees under way. */
typedef struct TedVectorTables
{
	const TedTree *a;
	const TedColumns *columns; /* of b */
	const int32_t *first;      /* first of the equal key roots of a */
	const int32_t *row;        /* row of `distance` by node of a */
	int16_t *distance;         /* [rows][stride]; a vector of room before and behind every row */
	size_t stride;
	int16_t insert;
	int16_t delete_;
	int16_t rename; /* at most insert + delete */

	/* in place of these three, where labels are classes; a profile has the costs of a row */
	const TedLabelClasses *classes; /* or NULL */
	int16_t *profile;               /* [profiles][width] */
	int32_t *profile_class;         /* by profile: the class of a that it is of, or -1 */
	int32_t profiles;

	/* scratch, with a vector of room before and behind */
	int16_t *above;   /* [width] */
	int16_t *current; /* [width] */
	int16_t *wide;    /* [width] distances scatter over columns */
	int16_t *beside;  /* [slots][width] the stack of gathered rows */
} TedVectorTables;

/* Lanes of a vector of 16-bit numbers. */
#define TED_AVX512_LANES 32
#define TED_AVX2_LANES 16

/* The profile of a class of labels of a, in the place that it has. */
extern const int16_t *ted_vector_profile(TedVectorTables *tables, int32_t label);

/* Fills the distances of all subtrees, with vectors of the lanes that the columns are made for. */
extern TedStatus ted_vector_tables(TedVectorTables *tables, const TedInterrupt *interrupt);
extern TedStatus ted_vector_tables_avx512(TedVectorTables *tables, const TedInterrupt *interrupt);
extern TedStatus ted_vector_tables_avx2(TedVectorTables *tables, const TedInterrupt *interrupt);

#endif /* TED_CORE_TREE_VECTOR_TABLES_H */
