/*
 * estimate.h
 *	  Predicts whether a batch takes much less time on the GPU than on the CPU.
 */
#ifndef TED_ESTIMATE_H
#define TED_ESTIMATE_H

#include "postgres.h"

#include "gpu_time.h"

/* What is known of the GPU. */
typedef struct GpuTimes
{
	TedRate rates[TED_FAMILIES];
	double open; /* seconds to open a context; 0 if one is open */
} GpuTimes;

/* A batch of trees, and the data that have to be sent for it. */
typedef struct TreesEstimate
{
	const TedBatch *batch;
	Size bytes;   /* of trees and results, without costs by label */
	int32 labels; /* upper bound on the labels of trees that no GPU has yet */
} TreesEstimate;

/* Whether a TreesEstimate takes much less time on the GPU than on the CPU. */
extern bool TreesPay(const void *trees, const GpuTimes *times);

/* Predicts the seconds of a TreesEstimate on a GPU. */
extern double TreesGpuSeconds(const void *trees, const GpuTimes *times);

/* Whether a StringBatch takes much less time on the GPU than on the CPU. */
extern bool StringsPay(const void *strings, const GpuTimes *times);

#endif /* TED_ESTIMATE_H */
