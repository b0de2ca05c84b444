/*
 * comparison.h
 *	  Join clauses that compare an integer column of one side with one of the other side.
 *
 * A join of a table with itself finds each pair twice, and a.id < b.id keeps one of the two.  With
 * millions of pairs, it pays to test this without the executor.
 */
#ifndef TED_COMPARISON_H
#define TED_COMPARISON_H

#include "postgres.h"

#include "nodes/pg_list.h"

#include "../input/side.h"

typedef bool (*IntegerTest)(Datum outer, Datum inner);

/* A comparison of a column of the outer side with a column of the inner side. */
typedef struct Comparison
{
	IntegerTest test;
	int outer; /* places of the columns in the kept rows */
	int inner;
} Comparison;

/*
 * Moves comparisons from a list of clauses on the scan tuple to `comparisons`, which has room for
 * MOST_COMPARISONS; returns their number.  Raises an error if the user may not call their
 * functions.
 */
#define MOST_COMPARISONS 4
extern int TakeComparisons(List **clauses, const JoinSide *outer, const JoinSide *inner,
						   Comparison *comparisons);

/* Whether the current rows of both sides pass a comparison. */
static inline bool
Passes(const Comparison *comparison, const JoinSide *outer, const JoinSide *inner)
{
	return !RowNulls(outer->row, outer->kept)[comparison->outer] &&
		   !RowNulls(inner->row, inner->kept)[comparison->inner] &&
		   comparison->test(outer->row->values[comparison->outer],
							inner->row->values[comparison->inner]);
}

#endif /* TED_COMPARISON_H */
