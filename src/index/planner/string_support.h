/*
 * string_support.h
 *	  Estimates of longest common subsequences for the planner.
 */
#ifndef TED_STRING_SUPPORT_H
#define TED_STRING_SUPPORT_H

#include "postgres.h"

#include "nodes/pathnodes.h"

#include "../../tree/distance/threshold.h"
#include "../../catalog/identity.h"

/* Returns the average length of the strings that an expression yields, in symbols. */
extern double TypicalStringLength(PlannerInfo *root, DocumentType type, Node *string);

/* Estimates the share of pairs within a threshold. */
extern Selectivity EstimateStringPairs(PlannerInfo *root, Node *a, Node *b,
									   const DocumentThreshold *threshold);

/* Returns the CPU cost of reading a string, and of comparing two strings. */
extern Cost StringReadCost(double length);
extern Cost StringPairCost(double length_a, double length_b);

#endif /* TED_STRING_SUPPORT_H */
