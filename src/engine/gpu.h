/*
 * gpu.h
 *	  The engine that sends batches to a GPU, and the GPUs that it sends them to.
 *
 * Knows nothing of PostgreSQL: the host opens a device by its module and says why
 * it may be used; the engine takes care that whatever happens to the device, every
 * pair has its distance or is known to have none.  Several GPUs share a batch, each
 * by an engine of its own, and a join, whose ranges they take in turns.
 */
#ifndef TED_GPU_H
#define TED_GPU_H

#include "device.h"

/* GPUs that a process may use, numbered from 0. */
#define TED_GPUS 16

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

/* The trees of an engine on a device; begins as all zeros, and stays where it is. */
typedef struct TedGpuTrees
{
	struct TedGpuTrees *next; /* of those on the device */
	TedDeviceTrees *set;      /* NULL where the device has none of them */
	int32_t sent;             /* trees that it has */
	bool under_way;           /* a slice of a batch is */
} TedGpuTrees;

/* A GPU of a process; all engines share it. */
struct TedGpu
{
	int32_t number;
	const TedDeviceModule *module;
	TedDevice *device;    /* NULL while none is open: engines decline every pair */
	int64_t memory_limit; /* bytes of the device that may be taken */
	TedGpuTrees *trees;   /* on the device */
	TedGpuJoin *joins;    /* likewise */
	TedGpuStrings strings;
	bool failed;      /* a device has failed, and has been closed */
	char reason[256]; /* why */
};

/* Opens the device, which is closed, and says in `reason` where that fails. */
extern TedDeviceStatus ted_gpu_open(TedGpu *gpu);

/* Closes the device, upon which engines decline every pair until it is open again. */
extern void ted_gpu_close(TedGpu *gpu);

/* The same for a device that has failed. */
extern void ted_gpu_fail(TedGpu *gpu);

/* Stops the slice of some trees that is under way, if any, and removes trees from the device. */
extern void ted_gpu_trees_stop(TedGpu *gpu, TedGpuTrees *trees);
extern void ted_gpu_trees_free(TedGpu *gpu, TedGpuTrees *trees);

/*
 * A batch of strings on the device: as with an engine, it is polled while busy,
 * and declined as a whole where the device is closed, fails or has no memory.
 */
extern TedEngineStatus ted_gpu_strings_submit(TedGpu *gpu, const TedDeviceStrings *strings);
extern TedEngineStatus ted_gpu_strings_poll(TedGpu *gpu);

/* Cancels the batch under way, which may have ended by itself. */
extern void ted_gpu_strings_cancel(TedGpu *gpu);

/*
 * A join on the device: takes documents as long as the device has memory; once that
 * is not so, or the device is closed, it is lost and declines all.
 */
extern bool ted_gpu_join_add(TedGpu *gpu, TedGpuJoin *join, const TedJoinDocuments *added);
extern void ted_gpu_join_forget(TedGpu *gpu, TedGpuJoin *join, int32_t count);
extern void ted_gpu_join_free(TedGpu *gpu, TedGpuJoin *join);

/*
 * A range of it, which is polled while busy, and declined as a whole.  It may be left to
 * itself meanwhile, and checked now and then; before another batch begins, it is waited
 * for.  Until it has been asked for by ted_gpu_join_poll(), or given up, no other range is
 * taken.
 */
extern TedEngineStatus ted_gpu_join_submit(TedGpu *gpu, TedGpuJoin *join, TedJoinRange *range);
extern TedEngineStatus ted_gpu_join_poll(TedGpu *gpu, TedGpuJoin *join);
extern void ted_gpu_join_look_after(TedGpu *gpu, TedGpuJoin *join);
extern void ted_gpu_join_cancel(TedGpu *gpu, TedGpuJoin *join);

/* Waits at most some milliseconds for a range that has been left to itself. */
extern void ted_gpu_join_settle(TedGpu *gpu);

/* A batch of pairs of trees that several GPUs share. */
typedef struct TedSharedBatch
{
	TedBatch batch;
	int count;
	int submitted; /* shares, one for each poll, as that may take a while */
	struct
	{
		TedEngine *engine;
		TedBatch batch; /* its part */
		TedEngineStatus status;
	} share[TED_GPUS];
	uint8_t *sharer; /* by pair; NULL where there is only one share */
} TedSharedBatch;

/* Bytes that sharing this number of pairs takes. */
extern size_t ted_shared_batch_memory(int64_t count);

/*
 * The functions of an engine for a batch that engines with the same trees share, each
 * for a GPU of its own; the memory stays until it is done.
 */
extern TedEngineStatus ted_shared_batch_submit(TedSharedBatch *shared, TedEngine *const *engines,
											   int count, const TedBatch *batch, void *memory);
extern TedEngineStatus ted_shared_batch_poll(TedSharedBatch *shared);
extern void ted_shared_batch_cancel(TedSharedBatch *shared);

/* What one of several GPUs has of a join: from `range.first` to before `end` is its own. */
typedef struct TedJoinShare
{
	TedGpu *gpu;
	TedGpuJoin join;
	TedJoinRange range; /* under way, or the one before */
	int32_t end;
	bool started; /* the range has not been asked for */
} TedJoinShare;

/* A join that several GPUs share; begins as all zeros but for the GPUs, and stays where it is. */
typedef struct TedSharedJoin
{
	int count;
	TedJoinShare share[TED_GPUS];
	int32_t indexed; /* documents */
	int32_t wanted;  /* place of the one that is to be asked for next */
	int32_t next;    /* that no GPU has been given */
	int32_t end;
} TedSharedJoin;

/* The same as for one GPU; a join is lost when all have lost it. */
extern bool ted_shared_join_add(TedSharedJoin *join, const TedJoinDocuments *added);
extern void ted_shared_join_forget(TedSharedJoin *join, int32_t count);
extern void ted_shared_join_free(TedSharedJoin *join);

/*
 * Submits documents, from the first one that has not been asked for: all GPUs work on those from
 * `first` to before `end`, and ted_shared_join_poll() returns the first range when it is done.
 * Afterwards ted_shared_join_look_after() lets idle GPUs go on by themselves, which ends the
 * range that was returned; their ranges are asked for by the same `end`.
 */
extern TedEngineStatus ted_shared_join_submit(TedSharedJoin *join, int32_t indexed, int32_t first,
											  int32_t end);
extern TedEngineStatus ted_shared_join_poll(TedSharedJoin *join, TedJoinRange *range);
extern void ted_shared_join_look_after(TedSharedJoin *join);
extern void ted_shared_join_cancel(TedSharedJoin *join);

#endif /* TED_GPU_H */
