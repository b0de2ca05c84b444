/*
 * range.h
 *	  The type tree_range: a tree and a distance around it, as one operand of an index.
 */
#ifndef TED_RANGE_H
#define TED_RANGE_H

#include "fmgr.h"

/* Strategy number of <~ in every operator family, and of the other operators in GiST. */
#define STRATEGY_WITHIN 1
#define STRATEGY_EQUAL 3          /* = */
#define STRATEGY_DISTANCE 15      /* <-> */
#define STRATEGY_DISSIMILARITY 16 /* <%> */
#define STRATEGY_NORMALIZED 17    /* <=> */

typedef struct TreeRange
{
	Datum tree;
	bool by_model;
	int32 max_distance; /* by unit costs */
	float8 max_cost;    /* by a cost model, else the distance as it was written */
	Datum costs;
} TreeRange;

/*
 * Reads a value of type tree_range, and raises an error if it has another type.  Returns false if
 * its tree or its distance is NULL, or the distance is negative.  The value must be a varlena: an
 * index passes its operand with the type of the column.
 */
extern bool ReadTreeRange(Datum value, TreeRange *range);

#endif /* TED_RANGE_H */
