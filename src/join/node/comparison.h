/*
 * comparison.h
 *	  Clauses that compare an integer of one side of a join with one of the other.
 *
 * A join of a table with itself finds each pair twice, and a.id < b.id keeps one
 * of the two; of millions of pairs, it is worth seeing that at once.
 */
#ifndef TED_COMPARISON_H
#define TED_COMPARISON_H

#include "postgres.h"

#include "nodes/pg_list.h"

#include "side.h"

typedef bool (*IntegerTest)(Datum outer, Datum inner);

/* A comparison of a column of the outer side with one of the inner side. */
typedef struct Comparison
{
	IntegerTest test;
	int outer; /* columns, by their places in the rows that the sides keep */
	int inner;
} Comparison;

/*
 * Takes the comparisons out of a list of clauses on the scan tuple, at most this
 * number; raises an error where the user may not call their functions.
 */
#define MOST_COMPARISONS 4
extern int TakeComparisons(List **clauses, const JoinSide *outer, const JoinSide *inner,
						   Comparison *comparisons);

/* Whether the rows that the sides have turned to pass a comparison. */
static inline bool
Passes(const Comparison *comparison, const JoinSide *outer, const JoinSide *inner)
{
	return !RowNulls(outer->row, outer->kept)[comparison->outer] &&
		   !RowNulls(inner->row, inner->kept)[comparison->inner] &&
		   comparison->test(outer->row->values[comparison->outer],
							inner->row->values[comparison->inner]);
}

#endif /* TED_COMPARISON_H */
