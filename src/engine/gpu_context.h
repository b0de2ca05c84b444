/*
 * gpu_context.h
 *	  The GPU context of this backend: when there is one, and who may have one.
 */
#ifndef TED_ENGINE_GPU_CONTEXT_H
#define TED_ENGINE_GPU_CONTEXT_H

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

/* ted.explain_hardware: whether EXPLAIN tells what has computed. */
extern bool ted_explain_hardware;

/* Defines the settings. */
extern void GpuInit(void);

/* Whether a batch takes much less time on the GPU than on the CPU, see estimate.h. */
typedef bool (*GpuEstimator)(const void *batch, const GpuTimes *times);

/* Whether there may be a GPU to be used, so that it is worth looking at what a batch takes. */
extern bool GpuIsPossible(void);

/* Whether every batch is to be computed on a GPU, however little it takes. */
extern bool GpuIsForced(void);

/* Decides about a batch; opens a context where that pays. */
extern GpuAnswer GpuWanted(GpuEstimator pays, const void *batch);

/* How a batch is computed: as an engine does it, by its functions of these names. */
typedef struct GpuWork
{
	TedEngineStatus (*submit)(void *arg);
	TedEngineStatus (*poll)(void *arg);
	void (*cancel)(void *arg);
} GpuWork;

/* Has a batch computed, and waits for it; warns where the device has failed. */
extern TedEngineStatus GpuRun(const GpuWork *work, void *arg);

/* Sees whether the device has failed, which is warned of, or been closed: GpuRun() does so itself.
 */
extern void GpuAfterWork(void);

/* Counts pairs computed, and declined. */
extern void GpuCount(int64 computed, int64 declined);

/* The GPU of this backend. */
extern TedGpu *GpuOfBackend(void);

/* Name of the engine that computes there. */
extern const char *GpuEngine(void);

/* State of the GPU of this session. */
typedef struct GpuStatus
{
	const char *note; /* why there is no GPU; NULL otherwise */
	bool open;        /* a context is there, and what follows known */
	TedDeviceInfo device;
	bool calibrated;
	int64 pairs;    /* computed on it by this session */
	int64 declined; /* that the CPU has computed instead */
} GpuStatus;

extern GpuStatus GpuGetStatus(void);

/* Measures the device, or raises an error, and takes what comes out for true from now on. */
extern TedCalibration GpuCalibrate(void);

#endif /* TED_ENGINE_GPU_CONTEXT_H */
