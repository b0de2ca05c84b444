/*
 * gpu_estimate.h
 *	  Estimates the time of a threshold join on a GPU and on the CPU.
 */
#ifndef TED_GPU_ESTIMATE_H
#define TED_GPU_ESTIMATE_H

#include "postgres.h"

#include "../../engine/gpu/gpu_join.h"

/* Estimates a join of trees, or of strings, with themselves. */
extern GpuJoinSize EstimateGpuJoin(const TedJoinTrees *trees);
extern GpuJoinSize EstimateGpuStrings(const TedJoinStrings *strings);

#endif /* TED_GPU_ESTIMATE_H */
