/*
 * estimate.h
 *	  Whether a batch takes much less time on the GPU than on the CPU.
 */
#ifndef TED_ESTIMATE_H
#define TED_ESTIMATE_H

#include "postgres.h"

#include "model.h"

/* What is known of the GPU when a batch is estimated. */
typedef struct GpuTimes
{
	const TedCalibration *calibration;
	int32 processors;
	double open; /* seconds until there is a context */
} GpuTimes;

/* A batch of trees by number, for which this number of bytes is to be transferred besides costs. */
typedef struct TreesEstimate
{
	const TedTree *const *trees;
	const TedBatch *batch;
	Size bytes;
	int32 labels; /* most labels of trees that no GPU has */
	int64 nodes;  /* of these */
} TreesEstimate;

/* Whether a TreesEstimate is worth the GPU. */
extern bool TreesPay(const void *trees, const GpuTimes *times);

/* Estimated seconds that a GPU takes for a TreesEstimate. */
extern double TreesGpuSeconds(const void *trees, const GpuTimes *times);

/* Whether a StringBatch is worth the GPU. */
extern bool StringsPay(const void *strings, const GpuTimes *times);

#endif /* TED_ESTIMATE_H */
