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

/* Symbols of the strings of a type that an expression yields, on average. */
extern double TypicalStringLength(PlannerInfo *root, DocumentType type, Node *string);

/* Which part of all pairs is within a threshold. */
extern Selectivity EstimateStringPairs(PlannerInfo *root, Node *a, Node *b,
									   const DocumentThreshold *threshold);

/* Processor cost of reading a string, and of comparing two, perhaps only within a threshold. */
extern Cost StringReadCost(double length);
extern Cost StringPairCost(double length_a, double length_b);

#endif /* TED_STRING_SUPPORT_H */
