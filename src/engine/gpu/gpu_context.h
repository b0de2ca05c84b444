/*
 * gpu_context.h
 *	  Decides which batches go to the GPUs of this backend, and when it has contexts there.
 */
#ifndef TED_GPU_CONTEXT_H
#define TED_GPU_CONTEXT_H

#include "postgres.h"

#include "estimate.h"
#include "gpu.h"

/* Result of asking for a GPU. */
typedef enum GpuAnswer
{
	GPU_NO,      /* not wanted, no GPU, or not worth it */
	GPU_NO_SLOT, /* too many backends have a context */
	GPU_YES
} GpuAnswer;

/* ted.explain_hardware: whether EXPLAIN (ANALYZE) shows whether CPU or GPU has computed. */
extern bool ted_explain_hardware;

/* Defines the settings. */
extern void GpuInit(void);

/* Whether a batch takes much less time on the GPU than on the CPU, see estimate.h. */
typedef bool (*GpuEstimator)(const void *batch, const GpuTimes *times);

/* Whether a batch may go to a GPU, so that an estimate makes sense. */
extern bool GpuIsPossible(void);

/* Whether ted.gpu sends every batch to a GPU, even a small one. */
extern bool GpuIsForced(void);

/* Decides whether a batch goes to the GPU, and opens a context if so. */
extern GpuAnswer GpuWanted(GpuEstimator pays, const void *batch);

/* Estimates the seconds of some work on a GPU. */
typedef double (*GpuSeconds)(const void *work, const GpuTimes *times);

/*
 * Collects the GPUs that share some work, as long as another GPU saves time; each further GPU adds
 * `each` seconds.  Opens contexts on them.  `gpus` has room for TED_GPUS; returns their number.
 */
extern int GpuShare(GpuSeconds seconds, const void *work, double each, TedGpu **gpus);

/* Functions that compute a batch; they work as those of an engine with the same names. */
typedef struct GpuWork
{
	TedEngineStatus (*submit)(void *arg);
	TedEngineStatus (*poll)(void *arg);
	void (*cancel)(void *arg);
} GpuWork;

/* Computes a batch and waits for it; warns if a device has failed. */
extern TedEngineStatus GpuRun(const GpuWork *work, void *arg);

/* Updates the state of the GPUs after work, and warns of failures.  GpuRun() calls this. */
extern void GpuAfterWork(void);

/* Counts pairs computed by the GPU, and pairs that it declined. */
extern void GpuCount(int64 computed, int64 declined);

/* Returns the GPU for work that a single GPU computes. */
extern TedGpu *GpuOfBackend(void);

/* Returns the name of the GPU engine. */
extern const char *GpuEngine(void);

/* State of the GPUs as a session sees it. */
typedef struct GpuStatus
{
	const char *note; /* why there is no GPU, or one has failed; or NULL */
	int contexts;     /* open contexts of all sessions */
	int64 pairs;      /* pairs that GPUs have computed for this session */
	int64 declined;   /* pairs that the CPU has computed instead */

	/* open contexts of this session */
	int count;
	int32 devices[TED_GPUS]; /* numbers of their GPUs */
	TedDeviceInfo device;    /* the first GPU, with the memory of all GPUs */
	bool calibrated;         /* whether the first GPU's rates have been measured */
} GpuStatus;

extern GpuStatus GpuGetStatus(void);

/* Measures the rates of the GPU, and uses them from now on; raises an error if it cannot. */
extern void GpuCalibrate(TedRate *rates);

#endif /* TED_GPU_CONTEXT_H */
