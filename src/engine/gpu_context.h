/*
 * gpu_context.h
 *	  The GPU context of this backend: when there is one, and who may have one.
 */
#ifndef TED_ENGINE_GPU_CONTEXT_H
#define TED_ENGINE_GPU_CONTEXT_H

#include "postgres.h"

#include "portability/instr_time.h"

#include "gpu.h"
#include "model.h"

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

/*
 * Decides about a batch of trees by number, for which this number of bytes are to be
 * transferred; opens a context where that pays.
 */
extern GpuAnswer GpuWanted(const TedTree *const *trees, Size bytes, const TedBatch *batch);

/* Decides about a batch of strings. */
extern GpuAnswer GpuWantedForStrings(const TedStringsSize *size);

/* Waits for a batch that is under way since then, the longer the longer that is. */
extern void GpuWait(instr_time since);

/* Sees what a batch has done to the device: warns where it has failed. */
extern void GpuDone(void);

/* Counts pairs computed, and left to the CPU. */
extern void GpuCount(int64 pairs, int64 left);

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
	int64 pairs; /* computed on it by this session */
	int64 left;  /* that it has left to the CPU */
} GpuStatus;

extern GpuStatus GpuGetStatus(void);

/* Measures the device, or raises an error, and takes what comes out for true from now on. */
extern TedCalibration GpuCalibrate(void);

#endif /* TED_ENGINE_GPU_CONTEXT_H */
