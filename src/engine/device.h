/*
 * device.h
 *	  Interface of a GPU module: the boundary between ted.so and ted_cuda.so.
 *
 * Knows neither PostgreSQL nor CUDA.  The module does what a device can do and
 * says what went wrong; gpu.c decides what to do about it, so that it can be
 * tested with a module that computes on the CPU and fails on demand.
 *
 * The way of a batch: open a device, make a set of trees and add trees to it,
 * submit pairs of them by number, poll until all are done.  Strings come with
 * their batch.  One batch at a time is under way on a device.  A device belongs
 * to the process that opened it, which may have several open, one of each number.
 */
#ifndef TED_DEVICE_H
#define TED_DEVICE_H

#include "../core/string/lcs.h"
#include "../core/string/lcs_candidate_index.h"
#include "engine.h"
#include "lcs_tile.h"

/* Raised with every change of this file. */
#define TED_DEVICE_ABI 10

/* A context on one GPU. */
typedef struct TedDevice TedDevice;

/* Trees on a device, numbered from 0 in the order they were added. */
typedef struct TedDeviceTrees TedDeviceTrees;

/* The documents of a join on a device, numbered from 0 in the order they were added. */
typedef struct TedDeviceJoin TedDeviceJoin;

typedef enum TedDeviceStatus
{
	TED_DEVICE_DONE = 0,
	TED_DEVICE_BUSY,          /* call poll again */
	TED_DEVICE_OUT_OF_MEMORY, /* the device goes on; a smaller batch may fit */
	TED_DEVICE_NONE,          /* there is no GPU, or no driver */
	TED_DEVICE_FAILED         /* the device cannot be used any more: close it */
} TedDeviceStatus;

typedef struct TedDeviceInfo
{
	char name[128];
	int32_t capability; /* 90 is 9.0 */
	int32_t processors; /* streaming multiprocessors */
	int64_t memory;     /* bytes of the card */
	int64_t free;       /* bytes of them that nobody has taken */
	int64_t used;       /* bytes that this device has taken */
	double seconds;     /* that the kernels of the last batch took */
} TedDeviceInfo;

/* Seconds, measured on one device; see model.h for what follows from them. */
typedef struct TedCalibration
{
	double unit;        /* a cell, by one thread */
	double sync_thread; /* the end of a row of cells, by one thread */
	double sync_warp;   /* the same, by a warp */
	double sync_block;  /* by a block */
	double sync_multi;  /* by several blocks */
	double launch;      /* of a kernel, until its end is seen */
	double byte;        /* transferred */
	LcsTileModel tiles; /* of long pairs of strings */
} TedCalibration;

/* Length that marks a text with bytes that are not symbols. */
#define TED_NO_LENGTH (-1)

/*
 * One string and those that it is compared with; all arrays are the caller's and
 * stay until the batch is done.  Symbols are numbers from 0 to below `codes`; where
 * `ascii` is set, these are 128, and a text of bytes may have others: then it has
 * no length.
 */
typedef struct TedDeviceStrings
{
	const int32_t *pattern;
	int32_t m;
	int32_t codes;
	int32_t symbol_bytes; /* of the texts: 1 or 4 */
	bool ascii;
	const LcsText *texts;
	int64_t count;
	int32_t *lengths; /* written: of the longest common subsequences */

	/*
	 * NULL, or for a batch of one text, written: positions of the subsequence, by
	 * the tie rule of lcs_positions(), as many as the shorter string has
	 */
	int32_t *in_pattern;
	int32_t *in_text;
} TedDeviceStrings;

/* Labels that cost the same, but that none is renamed to itself: see label_traits.h. */
typedef struct TedDeviceKind
{
	int32_t insert;
	int32_t delete_;
	int32_t rename;
	int32_t like; /* it costs nothing to rename those that have the same number here; -1 for none */
	int32_t measure; /* a TedTextMeasure */
	int32_t length;  /* of the text; its first symbol is this one of all: */
	int64_t text;
	double number; /* NAN for no number */
} TedDeviceKind;

/* Most labels of a kind. */
#define TED_LABELS_PER_KIND 32768

/* Costs by label: those of the kinds that labels have. */
typedef struct TedDeviceCosts
{
	int32_t labels;
	const int32_t *kind; /* by label; -1 where it is in no batch to come */
	const TedDeviceKind *of_kind;
	int32_t kinds;
	int32_t known;          /* of them, which have not changed since the device got them */
	const uint32_t *symbol; /* of all texts */
	int64_t symbols;
} TedDeviceCosts;

/* Trees that are added to a join; the arrays are the caller's. */
typedef struct TedJoinTrees
{
	const TedTree *const *trees; /* in ascending order of sizes */
	const int32_t *limits;       /* of the distance from trees that are not larger */
	int32_t count;
	int32_t labels; /* all labels of these are below this number */
	bool ranked;    /* rarer labels have smaller numbers, which holds for indexed trees only */
} TedJoinTrees;

/*
 * The shorter strings of an index, in the order of their ranks, and then those of others that
 * lcs_lay_out_probes() has laid out for it; both have blocks.
 */
typedef struct TedJoinStrings
{
	const LcsCandidateIndex *index;
	const int32_t *least; /* common symbols with which two strings match, by those of both */
} TedJoinStrings;

/* Totals of two strings of a join: 0 to twice the most symbols of one. */
#define TED_JOIN_STRING_TOTALS (2 * LCS_MOST_FEATURES + 1)

/* Documents that are added to a join, all of one kind. */
typedef struct TedJoinDocuments
{
	const TedJoinTrees *trees; /* NULL for strings */
	const TedJoinStrings *strings;
} TedJoinDocuments;

/* Two documents of a join. */
typedef struct TedJoinPair
{
	int32_t probe;
	int32_t indexed;
	int32_t distance; /* of strings, common symbols; TED_NO_DISTANCE where it is to be computed */
} TedJoinPair;

/*
 * Some documents of a join, each to be compared with those of the first `indexed`: trees, for
 * unit costs, with those that come before them, strings with those that come after them if they
 * are indexed, else with all.
 */
typedef struct TedJoinRange
{
	int32_t indexed;
	int32_t first;
	int32_t end;

	/* written: */
	int32_t done;     /* documents before this one have been compared, or once submitted, may be */
	int64_t window;   /* pairs whose sizes allow their limits */
	int64_t similar;  /* pairs whose labels may allow them */
	int64_t labels;   /* that share enough labels or symbols */
	int64_t computed; /* whose distance has been computed */
	const TedJoinPair *pairs; /* within their limits, or left open; good until the next range */
	int64_t count;
} TedJoinRange;

typedef struct TedDeviceModule
{
	int32_t abi;      /* TED_DEVICE_ABI */
	const char *name; /* of the engine */

	/* Devices that there are; where there are none, says why in `reason`, of 256 bytes. */
	int32_t (*count)(char *reason);

	/*
	 * Opens one of them, numbered from 0, which takes hundreds of milliseconds, and takes at
	 * most `memory_limit` bytes of its memory.  Where that fails, says why in `reason`.
	 */
	TedDeviceStatus (*open)(int32_t number, int64_t memory_limit, TedDevice **device, char *reason);
	void (*close)(TedDevice *device); /* cancels what is under way, first */

	void (*info)(TedDevice *device, TedDeviceInfo *info);
	const char *(*error)(const TedDevice *device); /* why it failed */

	/* Measures a device, or sets what was measured before. */
	TedDeviceStatus (*calibrate)(TedDevice *device, TedCalibration *calibration);
	void (*set_calibration)(TedDevice *device, const TedCalibration *calibration);

	/*
	 * Sets of trees; those added are copied, all or, where that fails, none.
	 * Forgets all trees but the first `count`.  Sets are freed before their
	 * device is closed, whether it has failed or not.
	 */
	TedDeviceStatus (*trees_create)(TedDevice *device, TedDeviceTrees **trees);
	TedDeviceStatus (*trees_add)(TedDeviceTrees *trees, const TedTree *const *added, int32_t count);
	void (*trees_forget)(TedDeviceTrees *trees, int32_t count);
	void (*trees_free)(TedDeviceTrees *trees);

	/* Device memory in bytes that a pair takes while it is computed; 0 where the module cannot. */
	int64_t (*pair_memory)(const TedTree *a, const TedTree *b, const TedCosts *costs);

	/*
	 * Gives the device the costs of batches of these trees that are submitted with costs by
	 * label from then on.  Like a batch, the costs are polled, and they stay until all is
	 * done.  A batch with those must not want the distances of subtrees.
	 */
	TedDeviceStatus (*label_costs)(TedDeviceTrees *trees, const TedDeviceCosts *costs);

	/*
	 * Submits a batch, whose arrays are the caller's and stay until it is done; done
	 * and busy both mean that it is to be polled.  All else ends it, here and in poll.
	 */
	TedDeviceStatus (*submit)(TedDeviceTrees *trees, const TedBatch *batch);

	/* The same for a batch of strings, in as little of the device's memory as that takes. */
	TedDeviceStatus (*strings_submit)(TedDevice *device, const TedDeviceStrings *strings);

	/*
	 * Joins, by sets of documents like those of trees above: from one size of a tree to the
	 * next, limits grow by 0 or 1.  A range is submitted like a batch, and is done when as
	 * many of its documents have been compared as make some milliseconds of work: those
	 * before the `done` that submit sets, or fewer.
	 */
	TedDeviceStatus (*join_create)(TedDevice *device, TedDeviceJoin **join);
	TedDeviceStatus (*join_add)(TedDeviceJoin *join, const TedJoinDocuments *added);
	void (*join_forget)(TedDeviceJoin *join, int32_t count);
	void (*join_free)(TedDeviceJoin *join);
	TedDeviceStatus (*join_submit)(TedDeviceJoin *join, TedJoinRange *range);

	/* Polls the batch under way without waiting; done means that all results are there. */
	TedDeviceStatus (*poll)(TedDevice *device);

	/* Stops the batch under way and returns once the device does not touch its arrays any more. */
	void (*cancel)(TedDevice *device);
} TedDeviceModule;

/* The one symbol that a module exports. */
#define TED_DEVICE_MODULE_SYMBOL "ted_device_module"
#ifdef __cplusplus
extern "C" const TedDeviceModule *ted_device_module(void);
#else
extern const TedDeviceModule *ted_device_module(void);
#endif

#endif /* TED_DEVICE_H */
