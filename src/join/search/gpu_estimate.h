/*
 * gpu_estimate.h
 *	  Estimates what a threshold join takes on a GPU and on the CPU.
 */
#ifndef TED_GPU_ESTIMATE_H
#define TED_GPU_ESTIMATE_H

#include "postgres.h"

#include "../../engine/gpu_join.h"

/* Estimates the join of trees, or strings, with themselves. */
extern GpuJoinSize EstimateGpuJoin(const TedJoinTrees *trees);
extern GpuJoinSize EstimateGpuStrings(const TedJoinStrings *strings);

#endif /* TED_GPU_ESTIMATE_H */
