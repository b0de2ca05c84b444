/*
 * string_statistics.h
 *	  Estimates from PostgreSQL's own statistics of a column of strings.
 */
#ifndef TED_STRING_STATISTICS_H
#define TED_STRING_STATISTICS_H

#include "postgres.h"

#include "nodes/pathnodes.h"

#include "../../tree/distance/threshold.h"

/*
 * Share of pairs within a threshold of all pairs without NULLs, by the statistics of one of
 * the expressions that are compared; -1 where there are none.
 */
extern double EstimateFromStatistics(PlannerInfo *root, Node *a, Node *b,
									 const DocumentThreshold *threshold);

#endif /* TED_STRING_STATISTICS_H */
