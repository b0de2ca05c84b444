/*
 * lcs_cost.h
 *	  The cost of searching a profile index.
 */
#ifndef TED_LCS_COST_H
#define TED_LCS_COST_H

#include "postgres.h"

#include "nodes/pathnodes.h"

/* The amcostestimate function of the access method. */
extern void LcsCostEstimate(PlannerInfo *root, IndexPath *path, double loops, Cost *startup,
							Cost *total, Selectivity *selectivity, double *correlation,
							double *pages);

#endif /* TED_LCS_COST_H */
