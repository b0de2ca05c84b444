/*
 * gpu_context.h
 *	  What is sent to the GPUs of this backend, and when it has contexts there.
 */
#ifndef TED_GPU_CONTEXT_H
#define TED_GPU_CONTEXT_H

#include "postgres.h"

#include "estimate.h"
#include "gpu.h"

/* Whether a batch may be sent to the GPU. */
typedef enum GpuAnswer
{
	GPU_NO,      /* not wanted, not there, or not worth it */
	GPU_NO_SLOT, /* too many backends have a context */
	GPU_YES
} GpuAnswer;

/* ted.explain_hardware: whether EXPLAIN says what has computed. */
extern bool ted_explain_hardware;

/* Defines the settings. */
extern void GpuInit(void);

/* Whether a batch takes much less time on the GPU than on the CPU, see estimate.h. */
typedef bool (*GpuEstimator)(const void *batch, const GpuTimes *times);

/* Whether there may be a GPU to be used, so that it is worth estimating a batch. */
extern bool GpuIsPossible(void);

/* Whether every batch is to be computed on a GPU, however little it takes. */
extern bool GpuIsForced(void);

/* Decides whether a batch goes to the GPU; opens a context where that pays. */
extern GpuAnswer GpuWanted(GpuEstimator pays, const void *batch);

/* Estimated seconds that a GPU takes for some work. */
typedef double (*GpuSeconds)(const void *work, const GpuTimes *times);

/*
 * The GPUs that share work that goes to the GPU: as many as it helps, where each further
 * one takes `each` seconds by itself; opens contexts for it.  Fills in at most TED_GPUS,
 * and returns their number.
 */
extern int GpuShare(GpuSeconds seconds, const void *work, double each, TedGpu **gpus);

/* How a batch is computed: as an engine does it, by its functions of these names. */
typedef struct GpuWork
{
	TedEngineStatus (*submit)(void *arg);
	TedEngineStatus (*poll)(void *arg);
	void (*cancel)(void *arg);
} GpuWork;

/* Computes a batch and waits for it; warns where the device has failed. */
extern TedEngineStatus GpuRun(const GpuWork *work, void *arg);

/* Checks whether the device has failed, of which it warns, or been closed.  GpuRun() calls it. */
extern void GpuAfterWork(void);

/* Counts pairs computed, and declined. */
extern void GpuCount(int64 computed, int64 declined);

/* The GPU of this backend for what one of them computes. */
extern TedGpu *GpuOfBackend(void);

/* Name of the engine that computes there. */
extern const char *GpuEngine(void);

/* State of the GPUs of this session. */
typedef struct GpuStatus
{
	const char *note; /* why there is no GPU; NULL otherwise */
	int contexts;     /* of all sessions */
	int64 pairs;      /* computed by GPUs for this session */
	int64 declined;   /* that the CPU has computed instead */

	/* the contexts of this session */
	int count;
	int32 devices[TED_GPUS]; /* their numbers */
	TedDeviceInfo device;    /* the first, with the memory of all */
	bool calibrated;         /* its times are known */
} GpuStatus;

extern GpuStatus GpuGetStatus(void);

/* Measures the device, or raises an error, and uses the measured times from now on. */
extern TedCalibration GpuCalibrate(void);

#endif /* TED_GPU_CONTEXT_H */
