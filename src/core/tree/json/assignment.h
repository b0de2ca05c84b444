/*
 * assignment.h
 *	  Pairs the rows of a matrix with its columns so that the sum of their weights is greatest.
 */
#ifndef TED_ASSIGNMENT_H
#define TED_ASSIGNMENT_H

#include "../../common/core.h"

/* A matrix, and what solving it takes; the arrays have an entry for each row, or each column. */
typedef struct TedAssignment
{
	int32_t *weight; /* row by row; at least 0 */
	int32_t rows;    /* no more than columns */
	int32_t columns;

	int32_t *row_price;    /* a weight is at most the sum of the prices of its row and column */
	int32_t *column_price; /* 0 where the column is free */
	int32_t *partner;      /* row of a column, or -1 */
	int32_t *path;         /* column by which the search came to a column, or -1 from its root */
	int32_t *slack;        /* least distance of a column from the root of the search */
	int32_t *order;        /* columns: those that the search has reached come first */
	int32_t *open;         /* rows that could not be paired at once */
} TedAssignment;

/* Takes the arrays for matrices up to this size, with no row more than columns. */
extern void ted_assignment_arrays(TedAssignment *assignment, TedArena *arena, int32_t rows,
								  int32_t columns);

/* The greatest sum if it is more than `floor`, else -1. */
extern TedStatus ted_assignment(TedAssignment *assignment, int32_t floor,
								const TedInterrupt *interrupt, int64_t *steps, int32_t *sum);

/*
 * Changes a pairing that ted_assignment() has found to the preferred one of the same
 * sum.  Each row in turn gets a column of its label if that is possible, then each
 * other row its first column of a positive weight that is possible.
 */
extern TedStatus ted_assignment_prefer(TedAssignment *assignment, const int32_t *row_label,
									   const int32_t *column_label, const TedInterrupt *interrupt,
									   int64_t *steps);

#endif /* TED_ASSIGNMENT_H */
