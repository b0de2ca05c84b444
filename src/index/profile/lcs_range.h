/*
 * lcs_range.h
 *	  The type lcs_range: a string's profile and a threshold, as one operand of an index.
 */
#ifndef TED_LCS_RANGE_H
#define TED_LCS_RANGE_H

#include "postgres.h"

#include "../../tree/distance/threshold.h"
#include "profile.h"

typedef struct LcsRange
{
	LcsProfile profile;
	DocumentThreshold threshold;
} LcsRange;

/*
 * Reads a value of type lcs_range, and raises an error if it has another type.  Returns false
 * if its profile is NULL: no string is in such a range.
 */
extern bool ReadLcsRange(Datum value, LcsRange *range);

/*
 * Whether a string of a length is in the range if it has this number of symbols in common with
 * the string at the center of the range.
 */
extern bool LcsRangeHas(const LcsRange *range, int32 length, int32 common);

#endif /* TED_LCS_RANGE_H */
