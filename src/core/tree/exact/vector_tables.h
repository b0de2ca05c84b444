/*
 * vector_tables.h
 *	  Zhang and Shasha's tables by vectors of 16-bit numbers, or of 32-bit ones.
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
#ifndef TED_VECTOR_TABLES_H
#define TED_VECTOR_TABLES_H

#include "columns.h"
#include "label_classes.h"
#include "../../common/simd.h"

/* One pair of trees under way. */
typedef struct TedVectorTables
{
	const TedTree *a;
	const TedColumns *columns; /* of b */
	const int32_t *first;      /* first of the equal key roots of a */
	const int32_t *row;        /* row of `distance` by node of a */
	size_t stride;
	int32_t bytes;         /* of a number */
	TedUniformCosts costs; /* renaming costs at most deleting and inserting */

	/* in place of these costs, where labels are classes */
	const TedLabelClasses *classes; /* or NULL */
	int32_t *profile_class;         /* by profile: the class of a that it is of, or -1 */
	int32_t profiles;

	/* rows of numbers, with a vector of room before and after */
	void *distance; /* [rows][stride], likewise each of them */
	void *above;    /* [width] */
	void *current;  /* [width] */
	void *wide;     /* [width] distances scatter over columns */
	void *beside;   /* [slots][width] the stack of gathered rows */
	void *profile;  /* [profiles][width] */
} TedVectorTables;

/* Bytes of a vector. */
static const int32_t ted_vector_bytes[] = {
	[TED_SIMD_NONE] = 0, [TED_SIMD_NEON] = 16, [TED_SIMD_AVX2] = 32, [TED_SIMD_AVX512] = 64};

/* Fills the distances of all subtrees, with vectors of the lanes that the columns are made for. */
extern TedStatus ted_vector_tables(TedVectorTables *tables, const TedInterrupt *interrupt);
extern TedStatus ted_int16_tables_avx512(TedVectorTables *tables, const TedInterrupt *interrupt);
extern TedStatus ted_int16_tables_avx2(TedVectorTables *tables, const TedInterrupt *interrupt);
extern TedStatus ted_int32_tables_avx512(TedVectorTables *tables, const TedInterrupt *interrupt);
extern TedStatus ted_int32_tables_avx2(TedVectorTables *tables, const TedInterrupt *interrupt);
extern TedStatus ted_int16_tables_neon(TedVectorTables *tables, const TedInterrupt *interrupt);
extern TedStatus ted_int32_tables_neon(TedVectorTables *tables, const TedInterrupt *interrupt);

#endif /* TED_VECTOR_TABLES_H */
