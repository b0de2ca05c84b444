/*
 * vector_tables.h
 *	  Zhang and Shasha's tables by vectors of 16-bit numbers, or of 32-bit ones.
 *
 * A row of the wide table of columns.h is filled from left to right.  Numbers are kept less the
 * cost of inserting all nodes to the left: F[i][j] - j ins.  Insertions then cost nothing, so that
 * the dependency along a row is a prefix minimum within each table, and the row of the empty forest
 * is all 0.  The distance of two subtrees is kept less the cost of inserting the whole second one.
 *
 * Where costs differ by label, the costs of inserting the nodes to the left are subtracted
 * likewise, and the costs of renaming are not found by comparing labels but loaded: as in the
 * comparison of sequences, a label of a has a vector profile, its costs of renaming by column.
 *
 * Of the rows far above, the row of a node needs only the one before its subtree began, at each
 * column's source.  That row is gathered once for all nodes with the same leftmost leaf, when the
 * leaf is reached, and put on a stack.  As subtrees are nested, the gathered row on top of the
 * stack is always the one needed.
 */
#ifndef TED_VECTOR_TABLES_H
#define TED_VECTOR_TABLES_H

#include "columns.h"
#include "label_classes.h"
#include "../../common/simd.h"

/* State of filling the tables of one pair of trees. */
typedef struct TedVectorTables
{
	const TedTree *a;
	const TedColumns *columns; /* layout of b */
	const int32_t *first;      /* by key root of a: the first key root with an equal subtree */
	const int32_t *row;        /* by node of a: its row of `distance` */
	size_t stride;
	int32_t bytes;         /* bytes of a number, 2 or 4 */
	TedUniformCosts costs; /* renaming costs no more than deleting and inserting together */

	/* used instead of `costs` where costs differ by label */
	const TedLabelClasses *classes; /* or NULL */
	int32_t *profile_class;         /* by vector profile: its class of labels of a, or -1 */
	int32_t profiles;

	/* arrays of numbers, each with room for a vector before and after */
	void *distance; /* [rows][stride] */
	void *above;    /* [width] */
	void *current;  /* [width] */
	void *wide;     /* [width], distances scattered over columns */
	void *beside;   /* [slots][width], the stack of gathered rows */
	void *profile;  /* [profiles][width] */
} TedVectorTables;

/* Bytes of a vector. */
static const int32_t ted_vector_bytes[] = {
	[TED_SIMD_NONE] = 0, [TED_SIMD_NEON] = 16, [TED_SIMD_AVX2] = 32, [TED_SIMD_AVX512] = 64};

/*
 * Fills the distances of all pairs of subtrees, with vectors of as many lanes as the columns are
 * laid out for.
 */
extern TedStatus ted_vector_tables(TedVectorTables *tables, const TedInterrupt *interrupt);
extern TedStatus ted_int16_tables_avx512(TedVectorTables *tables, const TedInterrupt *interrupt);
extern TedStatus ted_int16_tables_avx2(TedVectorTables *tables, const TedInterrupt *interrupt);
extern TedStatus ted_int32_tables_avx512(TedVectorTables *tables, const TedInterrupt *interrupt);
extern TedStatus ted_int32_tables_avx2(TedVectorTables *tables, const TedInterrupt *interrupt);
extern TedStatus ted_int16_tables_neon(TedVectorTables *tables, const TedInterrupt *interrupt);
extern TedStatus ted_int32_tables_neon(TedVectorTables *tables, const TedInterrupt *interrupt);

#endif /* TED_VECTOR_TABLES_H */
