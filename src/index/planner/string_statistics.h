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
 * Estimates the share of pairs within a threshold among all pairs without NULLs, from the
 * statistics of the two expressions; returns -1 if neither has any.
 */
extern double EstimateFromStatistics(PlannerInfo *root, Node *a, Node *b,
									 const DocumentThreshold *threshold);

/*
 * Estimates the share of pairs of an expression's values whose symbols, in any order, allow a
 * match; returns -1 without statistics.
 */
extern double EstimateAlike(PlannerInfo *root, Node *expression,
							const DocumentThreshold *threshold);

#endif /* TED_STRING_STATISTICS_H */
