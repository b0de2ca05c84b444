/*
 * device.h
 *	  Interface of a GPU module: the boundary between ted.so and ted_cuda.so.
 *
 * This file depends on neither PostgreSQL nor CUDA.  The module does what a device can do, and
 * reports errors; gpu.c decides how to continue, so that it can be tested with a module that
 * computes on the CPU and fails on demand.
 *
 * The steps of a batch: open a device, create a set of trees, add trees to it, submit pairs of
 * trees by number, poll until all are done.  Strings are passed with their batch.  A device has one
 * batch under way at a time.  It belongs to the process that opened it; a process may open several
 * devices, but each number only once.
 */
#ifndef TED_DEVICE_H
#define TED_DEVICE_H

#include "../../core/string/lcs.h"
#include "../../core/string/lcs_candidate_index.h"
#include "../engine.h"

/* Increased with every change of this file. */
#define TED_DEVICE_ABI 12

/* A context on one GPU. */
typedef struct TedDevice TedDevice;

/* Trees on a device, numbered from 0 in the order in which they were added. */
typedef struct TedDeviceTrees TedDeviceTrees;

/* Documents of a join on a device, numbered from 0 in the order in which they were added. */
typedef struct TedDeviceJoin TedDeviceJoin;

typedef enum TedDeviceStatus
{
	TED_DEVICE_DONE = 0,
	TED_DEVICE_BUSY,          /* call poll again */
	TED_DEVICE_OUT_OF_MEMORY, /* the device stays usable; a smaller batch may fit */
	TED_DEVICE_NONE,          /* there is no GPU, or no driver */
	TED_DEVICE_FAILED         /* the device is not usable any more: close it */
} TedDeviceStatus;

typedef struct TedDeviceInfo
{
	char name[128];
	int32_t capability; /* compute capability times 10: 90 is 9.0 */
	int32_t processors; /* streaming multiprocessors */
	int64_t memory;     /* bytes of the card */
	int64_t free;       /* free bytes of the card */
	int64_t used;       /* bytes that this TedDevice has taken */
	double seconds;     /* time of the kernels of the last batch */
} TedDeviceInfo;

/* Length of a text that has bytes which are not symbols. */
#define TED_NO_LENGTH (-1)

/*
 * One string, and the texts with which it is compared.  All arrays are the caller's, and stay until
 * the batch is done.  Symbols are numbers from 0 to below `codes`.  Where `ascii` is set, `codes`
 * is 128; a text with other bytes gets no length, but TED_NO_LENGTH.
 */
typedef struct TedDeviceStrings
{
	const int32_t *pattern;
	int32_t m;
	int32_t codes;
	int32_t symbol_bytes; /* of one symbol of a text: 1 or 4 */
	bool ascii;
	const LcsText *texts;
	int64_t count;
	int32_t *lengths; /* written: lengths of the longest common subsequences */

	/*
	 * NULL; or, for a batch of one text, written: positions of the symbols of the longest common
	 * subsequence, by the tie rule of lcs_positions().  Each array has room for the length of the
	 * shorter string.
	 */
	int32_t *in_pattern;
	int32_t *in_text;
} TedDeviceStrings;

/*
 * Labels with the same costs, none of which is renamed to another for nothing; see label_traits.h.
 */
typedef struct TedDeviceKind
{
	int32_t insert;
	int32_t delete_;
	int32_t rename;
	int32_t like;    /* labels of kinds with the same number here are renamed to each other for
					  * nothing; -1 for none */
	int32_t measure; /* a TedTextMeasure */
	int32_t length;  /* symbols of the text in TedDeviceCosts.symbol, from `text` on */
	int64_t text;
	double number; /* NAN for no number */
} TedDeviceKind;

/* The most labels of a kind that several labels share. */
#define TED_LABELS_PER_KIND 32768

/* Costs by label: the kind of each label, and the costs of each kind. */
typedef struct TedDeviceCosts
{
	int32_t labels;
	const int32_t *kind; /* by label; -1 for labels that no later batch has */
	const TedDeviceKind *of_kind;
	int32_t kinds;
	int32_t known;          /* the first kinds, unchanged since the device got them */
	const uint32_t *symbol; /* symbols of the texts of all kinds */
	int64_t symbols;
} TedDeviceCosts;

/* Trees to be added to a join; the arrays are the caller's. */
typedef struct TedJoinTrees
{
	const TedTree *const *trees; /* in ascending order of sizes */
	const int32_t *limits;       /* greatest distance of each tree from trees that are not larger */
	int32_t count;
	int32_t labels; /* all labels of these trees are below this number */
	bool ranked;    /* rarer labels have smaller numbers (indexed trees only) */
} TedJoinTrees;

/*
 * Strings to be added to a join: the shorter strings of an index, in the order of their ranks, and
 * then the probes that lcs_lay_out_probes() has laid out for the index.  Both are stored in blocks.
 */
typedef struct TedJoinStrings
{
	const LcsCandidateIndex *index;
	const int32_t *least; /* least common symbols of a match, by the total of both strings */
} TedJoinStrings;

/* Number of totals of two strings in a join: from 0 to twice the most symbols of one string. */
#define TED_JOIN_STRING_TOTALS (2 * LCS_MOST_FEATURES + 1)

/* Documents to be added to a join, all trees or all strings. */
typedef struct TedJoinDocuments
{
	const TedJoinTrees *trees; /* NULL for strings */
	const TedJoinStrings *strings;
} TedJoinDocuments;

/* Two documents of a join, and their distance. */
typedef struct TedJoinPair
{
	int32_t probe;
	int32_t indexed;
	int32_t distance; /* of trees; common symbols of strings; TED_NO_DISTANCE if the caller has to
					   * compute it */
} TedJoinPair;

/*
 * A range of documents of a join, each compared with some of the first `indexed` documents: a tree,
 * with unit costs, with those before it; an indexed string with those after it; any other string
 * with all.
 */
typedef struct TedJoinRange
{
	int32_t indexed;
	int32_t first;
	int32_t end;

	/* written: */
	int32_t done;     /* documents before this one are done; after submit, an upper limit of that */
	int64_t window;   /* pairs whose sizes allow a match */
	int64_t similar;  /* pairs whose label sets may allow a match */
	int64_t labels;   /* pairs that share enough labels or symbols */
	int64_t computed; /* pairs whose distance has been computed */
	const TedJoinPair *pairs; /* matches and pairs to be computed by the caller; valid until the
							   * next range */
	int64_t count;
} TedJoinRange;

/* Functions of a GPU module. */
typedef struct TedDeviceModule
{
	int32_t abi;      /* TED_DEVICE_ABI */
	const char *name; /* name of the engine in EXPLAIN and SQL functions */

	/*
	 * Returns the number of devices; where it is 0, writes an explanation to `reason` (256 bytes).
	 */
	int32_t (*count)(char *reason);

	/*
	 * Opens device `number`, from 0, which takes hundreds of milliseconds; it will take at most
	 * `memory_limit` bytes of device memory.  Where that fails, writes an explanation to `reason`.
	 */
	TedDeviceStatus (*open)(int32_t number, int64_t memory_limit, TedDevice **device, char *reason);
	void (*close)(TedDevice *device); /* cancels the batch under way first */

	void (*info)(TedDevice *device, TedDeviceInfo *info);
	const char *(*error)(const TedDevice *device); /* message of the last failure */

	/*
	 * Sets of trees.  trees_add copies either all trees or, if it fails, none.  trees_forget
	 * removes all trees but the first `count`.  A set is freed before its device is closed, whether
	 * the device has failed or not.
	 */
	TedDeviceStatus (*trees_create)(TedDevice *device, TedDeviceTrees **trees);
	TedDeviceStatus (*trees_add)(TedDeviceTrees *trees, const TedTree *const *added, int32_t count);
	void (*trees_forget)(TedDeviceTrees *trees, int32_t count);
	void (*trees_free)(TedDeviceTrees *trees);

	/* Returns the device memory of a pair in bytes; 0 if the module cannot compute the pair. */
	int64_t (*pair_memory)(const TedTree *a, const TedTree *b, const TedCosts *costs);

	/*
	 * Sends the costs by label that all later batches of these trees with costs by label use.  The
	 * caller polls this like a batch, and keeps the arrays until it is done.  A batch with costs by
	 * label must not ask for distances of subtrees.
	 */
	TedDeviceStatus (*label_costs)(TedDeviceTrees *trees, const TedDeviceCosts *costs);

	/*
	 * Submits a batch, whose arrays are the caller's and stay until it is done.  After done and
	 * busy alike, the caller polls; any other status ends the batch, here and in poll.
	 */
	TedDeviceStatus (*submit)(TedDeviceTrees *trees, const TedBatch *batch);

	/* Submits a batch of strings in the same way; takes no more device memory than necessary. */
	TedDeviceStatus (*strings_submit)(TedDevice *device, const TedDeviceStrings *strings);

	/*
	 * Joins, whose sets of documents work as those of trees above.  From one tree size to the next,
	 * limits grow by 0 or 1.  A range is submitted like a batch, and ends after some milliseconds
	 * of work: submit sets `done` to an upper limit, and fewer documents may be done in the end.
	 */
	TedDeviceStatus (*join_create)(TedDevice *device, TedDeviceJoin **join);
	TedDeviceStatus (*join_add)(TedDeviceJoin *join, const TedJoinDocuments *added);
	void (*join_forget)(TedDeviceJoin *join, int32_t count);
	void (*join_free)(TedDeviceJoin *join);
	TedDeviceStatus (*join_submit)(TedDeviceJoin *join, TedJoinRange *range);

	/* Polls the batch under way without waiting; after done, all results have been written. */
	TedDeviceStatus (*poll)(TedDevice *device);

	/* Stops the batch under way; afterwards the device does not access its arrays any more. */
	void (*cancel)(TedDevice *device);
} TedDeviceModule;

/* The only symbol that a module exports. */
#define TED_DEVICE_MODULE_SYMBOL "ted_device_module"
#ifdef __cplusplus
extern "C" const TedDeviceModule *ted_device_module(void);
#else
extern const TedDeviceModule *ted_device_module(void);
#endif

#endif /* TED_DEVICE_H */
