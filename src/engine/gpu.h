/*
 * gpu.h
 *	  The engine that sends batches to a GPU, and the GPU that it sends them to.
 *
 * Nothing of PostgreSQL: the host opens a device by its module and says why it
 * may be used; the engine takes care that whatever happens to the device, every
 * pair has its distance or is known to have none.
 */
#ifndef TED_ENGINE_GPU_H
#define TED_ENGINE_GPU_H

#include "device.h"

/* A batch of strings, of which some texts after others are submitted. */
typedef struct TedGpuStrings
{
	TedDeviceStrings batch;
	int64_t done;
	int64_t under_way; /* texts; 0 while none are */
	int64_t most;      /* texts that are submitted at once */
} TedGpuStrings;

/* A join, as far as a device has it; begins as all zeros, and stays where it is. */
typedef struct TedGpuJoin
{
	struct TedGpuJoin *next; /* of those on the device */
	TedDeviceJoin *join;     /* NULL where the device has nothing of it */
	bool lost;               /* it had, or could not take it */
	bool under_way;          /* a range of it is */
	bool done;               /* it is, and has not been asked for since */
} TedGpuJoin;

/* The GPU of a process; all engines share it. */
struct TedGpu
{
	const TedDeviceModule *module;
	TedDevice *device;    /* NULL while none is open: engines decline every pair */
	int64_t memory_limit; /* bytes of the device that may be taken */
	TedEngine *engines;   /* those with trees on the device */
	TedGpuJoin *joins;    /* likewise */
	TedGpuStrings strings;
	bool failed;      /* a device was of no use any more, and has been closed */
	char reason[256]; /* why */
};

/* Closes the device, upon which engines decline every pair until another one is open. */
extern void ted_gpu_close(TedGpu *gpu);

/* The same for a device that is of no use any more. */
extern void ted_gpu_fail(TedGpu *gpu);

/*
 * A batch of strings on the device: as with an engine, it is polled while busy,
 * and declined as a whole where the device is closed, fails or has no memory.
 */
extern TedEngineStatus ted_gpu_strings_submit(TedGpu *gpu, const TedDeviceStrings *strings);
extern TedEngineStatus ted_gpu_strings_poll(TedGpu *gpu);

/* Gives up the one under way, which may have ended by itself. */
extern void ted_gpu_strings_cancel(TedGpu *gpu);

/*
 * A join on the device: takes trees as long as the device has memory; once that
 * is not so, or the device is closed, it is lost and declines all.
 */
extern bool ted_gpu_join_add(TedGpu *gpu, TedGpuJoin *join, const TedJoinTrees *added);
extern void ted_gpu_join_forget(TedGpu *gpu, TedGpuJoin *join, int32_t count);
extern void ted_gpu_join_free(TedGpu *gpu, TedGpuJoin *join);

/*
 * A range of it, which is polled while busy, and declined as a whole.  It may be left
 * to itself meanwhile: before another batch begins, it is waited for.
 */
extern TedEngineStatus ted_gpu_join_submit(TedGpu *gpu, TedGpuJoin *join, TedJoinRange *range);
extern TedEngineStatus ted_gpu_join_poll(TedGpu *gpu, TedGpuJoin *join);
extern void ted_gpu_join_cancel(TedGpu *gpu, TedGpuJoin *join);

/* Waits, some milliseconds at most, for a range that has been left to itself. */
extern void ted_gpu_join_settle(TedGpu *gpu);

#endif /* TED_ENGINE_GPU_H */
