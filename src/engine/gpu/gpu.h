/*
 * gpu.h
 *	  The engine that sends batches to a GPU, and the GPUs that it uses.
 *
 * This file does not depend on PostgreSQL.  The host opens a device by its module.  Whatever
 * happens to the device, the engine marks each pair without a distance as declined.  Several GPUs
 * can share a batch, each with its own engine, and a join, whose ranges they take in turn.
 */
#ifndef TED_GPU_H
#define TED_GPU_H

#include "device.h"

/* The most GPUs that a process may use, numbered from 0. */
#define TED_GPUS 16

/* A batch of strings, whose texts are submitted in several parts. */
typedef struct TedGpuStrings
{
	TedDeviceStrings batch;
	int64_t done;      /* texts before this one are done */
	int64_t under_way; /* texts under way; 0 for none */
	int64_t most;      /* texts that are submitted at once */
} TedGpuStrings;

/* A join on a device; all zeros at first, and never moved. */
typedef struct TedGpuJoin
{
	struct TedGpuJoin *next; /* next join on the same device */
	TedDeviceJoin *join;     /* NULL where the device has no document of the join */
	bool lost;               /* the device has dropped the join, or could not take it */
	bool under_way;          /* a range is under way */
	bool done;               /* a range is done, and has not been fetched yet */
} TedGpuJoin;

/* The trees of an engine on a device; all zeros at first, and never moved. */
typedef struct TedGpuTrees
{
	struct TedGpuTrees *next; /* next set on the same device */
	TedDeviceTrees *set;      /* NULL where the device has no tree of the engine */
	int32_t sent;             /* number of trees sent */
	bool under_way;           /* a slice of a batch is under way */
} TedGpuTrees;

/* A GPU of a process, which all engines of the process share. */
typedef struct TedGpu
{
	int32_t number;
	const TedDeviceModule *module;
	TedDevice *device;    /* NULL while none is open; engines then decline all pairs */
	int64_t memory_limit; /* bytes of device memory that may be taken */
	TedGpuTrees *trees;   /* sets of trees on the device */
	TedGpuJoin *joins;    /* joins on the device */
	TedGpuStrings strings;
	bool failed;      /* the device has failed, and has been closed */
	char reason[256]; /* why it failed, or could not be opened */
} TedGpu;

/* Opens the device; where that fails, sets `reason`. */
extern TedDeviceStatus ted_gpu_open(TedGpu *gpu);

/* Closes the device; engines decline all pairs until it is opened again. */
extern void ted_gpu_close(TedGpu *gpu);

/* Closes the device after a failure, and sets `failed` and `reason`. */
extern void ted_gpu_fail(TedGpu *gpu);

/* Stops the slice under way of a set of trees, if any; removes a set of trees from the device. */
extern void ted_gpu_trees_stop(TedGpu *gpu, TedGpuTrees *trees);
extern void ted_gpu_trees_free(TedGpu *gpu, TedGpuTrees *trees);

/* Sends batches of pairs of trees to a GPU. */
typedef struct TedGpuEngine TedGpuEngine;

/* Opens an engine, or returns NULL where there is no memory; closes it, and frees everything. */
extern TedGpuEngine *ted_gpu_engine_open(const TedEngineHost *host, TedGpu *gpu);
extern void ted_gpu_engine_close(TedGpuEngine *engine);

/*
 * Submits a batch; only one may be under way.  All batches of an engine have the same trees, or
 * more of them, until ted_gpu_engine_forget() forgets all but the first `count`.
 */
extern TedEngineStatus ted_gpu_engine_submit(TedGpuEngine *engine, const TedBatch *batch);
extern void ted_gpu_engine_forget(TedGpuEngine *engine, const TedTree *const *trees, int32_t count);

/* Polls the device; cancels the batch under way, while the trees stay. */
extern TedEngineStatus ted_gpu_engine_poll(TedGpuEngine *engine);
extern void ted_gpu_engine_cancel(TedGpuEngine *engine);

/*
 * Computes a batch of strings on the device.  As with an engine, the caller polls while it is busy.
 * The whole batch is declined if the device is closed, fails or has no memory.
 */
extern TedEngineStatus ted_gpu_strings_submit(TedGpu *gpu, const TedDeviceStrings *strings);
extern TedEngineStatus ted_gpu_strings_poll(TedGpu *gpu);

/* Cancels the batch of strings under way, if any. */
extern void ted_gpu_strings_cancel(TedGpu *gpu);

/*
 * Adds documents to, and removes them from, a join on the device.  Once the device has no memory
 * for more documents, or is closed, the join is lost: no more documents are taken, and ranges are
 * declined.
 */
extern bool ted_gpu_join_add(TedGpu *gpu, TedGpuJoin *join, const TedJoinDocuments *added);
extern void ted_gpu_join_forget(TedGpu *gpu, TedGpuJoin *join, int32_t count);
extern void ted_gpu_join_free(TedGpu *gpu, TedGpuJoin *join);

/*
 * Computes a range of a join, which is polled while busy, and declined as a whole.  The caller may
 * leave the range under way, and look after it now and then; the device finishes it before the next
 * batch begins.  No other range is accepted until ted_gpu_join_poll() has fetched this one, or it
 * has been cancelled.
 */
extern TedEngineStatus ted_gpu_join_submit(TedGpu *gpu, TedGpuJoin *join, TedJoinRange *range);
extern TedEngineStatus ted_gpu_join_poll(TedGpu *gpu, TedGpuJoin *join);
extern void ted_gpu_join_look_after(TedGpu *gpu, TedGpuJoin *join);
extern void ted_gpu_join_cancel(TedGpu *gpu, TedGpuJoin *join);

/* Waits for a range left under way, which takes some milliseconds at most. */
extern void ted_gpu_join_settle(TedGpu *gpu);

/* A batch of pairs of trees that several GPUs share. */
typedef struct TedSharedBatch
{
	TedBatch batch;
	int count;
	int submitted; /* shares submitted, one in each poll, as a submission may take a while */
	struct
	{
		TedGpuEngine *engine;
		TedBatch batch; /* pairs of this share */
		TedEngineStatus status;
	} share[TED_GPUS];
	uint8_t *sharer; /* the share of each pair; NULL if there is only one */
} TedSharedBatch;

/* Returns the bytes of memory that are needed to share a batch of `count` pairs. */
extern size_t ted_shared_batch_memory(int64_t count);

/*
 * Submits, polls and cancels a batch that several engines share.  The engines have a GPU
 * each; `memory` stays until the batch is done.
 */
extern TedEngineStatus ted_shared_batch_submit(TedSharedBatch *shared, TedGpuEngine *const *engines,
											   int count, const TedBatch *batch, void *memory);
extern TedEngineStatus ted_shared_batch_poll(TedSharedBatch *shared);
extern void ted_shared_batch_cancel(TedSharedBatch *shared);

/* One GPU's part of a join: documents from `range.first` to before `end`. */
typedef struct TedJoinShare
{
	TedGpu *gpu;
	TedGpuJoin join;
	TedJoinRange range; /* the range under way, or the last one */
	int32_t end;
	bool started; /* whether a range has been submitted and not been fetched yet */
} TedJoinShare;

/* A join that several GPUs share; all zeros at first except the GPUs, and never moved. */
typedef struct TedSharedJoin
{
	int count;
	TedJoinShare share[TED_GPUS];
	int32_t indexed; /* number of indexed documents */
	int32_t wanted;  /* first document of the range to be fetched next */
	int32_t next;    /* first document that no GPU has been given */
	int32_t end;
} TedSharedJoin;

/*
 * Adds documents, forgets them, and frees the join, as for one GPU; the join is lost when all GPUs
 * have lost it.
 */
extern bool ted_shared_join_add(TedSharedJoin *join, const TedJoinDocuments *added);
extern void ted_shared_join_forget(TedSharedJoin *join, int32_t count);
extern void ted_shared_join_free(TedSharedJoin *join);

/*
 * Compares documents from `first` to before `end`; `first` must be the first document that has not
 * been fetched.  All GPUs work on these documents, and ted_shared_join_poll() returns the first
 * range when it is done.  ted_shared_join_look_after() then lets idle GPUs continue, and
 * invalidates the returned range.  Later calls with the same `end` fetch the other ranges.
 */
extern TedEngineStatus ted_shared_join_submit(TedSharedJoin *join, int32_t indexed, int32_t first,
											  int32_t end);
extern TedEngineStatus ted_shared_join_poll(TedSharedJoin *join, TedJoinRange *range);
extern void ted_shared_join_look_after(TedSharedJoin *join);
extern void ted_shared_join_cancel(TedSharedJoin *join);

#endif /* TED_GPU_H */
