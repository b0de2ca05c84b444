/*
 * assignment.h
 *	  Assigns the rows of a matrix to its columns so that the sum of the weights is maximal.
 */
#ifndef TED_ASSIGNMENT_H
#define TED_ASSIGNMENT_H

#include "../../common/core.h"

/* A matrix of weights and scratch memory; arrays have an entry for each row or each column. */
typedef struct TedAssignment
{
	int32_t *weight; /* [rows][columns], 0 to TED_MAX_DISTANCE */
	int32_t rows;    /* at most the number of columns */
	int32_t columns;

	int32_t *row_price;    /* a weight is at most the sum of the prices of its row and column */
	int32_t *column_price; /* 0 if the column has no partner */
	int32_t *partner;      /* by column: its row, or -1 */
	int32_t *path;         /* by column: the preceding column of the search path, or -1 */
	int32_t *slack;        /* by column: least distance from the root of the search */
	int32_t *order;        /* columns, those that the search has reached first */
	int32_t *open;         /* rows without a column after the first pass */
} TedAssignment;

/* Allocates the arrays for matrices of up to `rows` rows and `columns` columns. */
extern void ted_assignment_arrays(TedAssignment *assignment, TedArena *arena, int32_t rows,
								  int32_t columns);

/* Computes the maximal sum, which fits in 32 bits, if it is more than `floor`, else -1. */
extern TedStatus ted_assignment(TedAssignment *assignment, int32_t floor,
								const TedInterrupt *interrupt, int64_t *steps, int32_t *sum);

/*
 * Changes an assignment of ted_assignment() to the preferred one of the same sum.  Each row in turn
 * gets a column of its label if that is possible, then each other row gets the first column with a
 * positive weight that is possible.
 */
extern TedStatus ted_assignment_prefer(TedAssignment *assignment, const int32_t *row_label,
									   const int32_t *column_label, const TedInterrupt *interrupt,
									   int64_t *steps);

#endif /* TED_ASSIGNMENT_H */
