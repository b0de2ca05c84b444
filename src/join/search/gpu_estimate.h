/*
 * gpu_estimate.h
 *	  What is known of a threshold join of trees before it is run, by a sample of the trees.
 */
#ifndef TED_GPU_ESTIMATE_H
#define TED_GPU_ESTIMATE_H

#include "postgres.h"

#include "../../engine/gpu_join.h"

/* Estimates the join of trees with themselves. */
extern GpuJoinSize EstimateGpuJoin(const TedJoinTrees *trees);

#endif /* TED_GPU_ESTIMATE_H */
