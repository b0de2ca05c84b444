/*
 * join_work.h
 *	  Arguments of the kernels of a join: trees, lists of pairs, counters.
 */
#ifndef TED_JOIN_WORK_H
#define TED_JOIN_WORK_H

#include <cstdint>

#include <cuda_runtime.h>

#include "../../src/engine/device.h"
#include "device_strip.h"

/*
 * How often labels of each of some classes occur in a tree, up to 255 times.  Of
 * two trees, half of what these counters differ by, and half of what their sums
 * do, is what the distance is at least.
 */
constexpr int SIGNATURE_COUNTERS = 64;

struct alignas(16) Signature
{
	uint4 part[SIGNATURE_COUNTERS / sizeof(uint4)];
};

/* The class of a label. */
static inline LAYOUT_INLINE uint32_t
label_class(int32_t label)
{
	return (uint32_t) label * 2654435761u / (0x80000000u / (SIGNATURE_COUNTERS / 2));
}

/* Most nodes of a tree that strips compare here: pairs of larger ones are left to the caller. */
constexpr int32_t JOIN_STRIP_NODES = 4096;

/* A tree of a join. */
struct alignas(16) JoinTree
{
	int32_t size;
	int32_t limit;  /* of the distance from trees that are not larger */
	int32_t total;  /* sum of its signature; set on the device */
	int32_t leaves; /* as many as key roots */
	float nodes[2]; /* sums of the sizes of the subtrees of key roots: left and right ones */
	int64_t prefix; /* nodes of the prefixes of all trees before it */

	/* on the device: its labels */
	const int32_t *postorder;
	int32_t *preorder;
	int32_t *sorted; /* their ranks, ascending: those that are rare in the join come first */
};

/* Some trees as they arrive on the device: arrays by node, tree after tree. */
struct JoinArrival
{
	JoinTree *trees;
	Signature *signatures;
	StripView *views; /* number 2 t is tree t, 2 t + 1 its mirror image */
	int32_t count;
	const int32_t *label;
	const int32_t *subtree_size;

	/* zeros; written: */
	int32_t *highest;  /* by leaf: the highest node of which it is the leftmost one */
	int32_t *depth;    /* of a node */
	int32_t *above[2]; /* key roots above a node, left and right ones */
};

/* Nodes of a tree whose labels are the rarest: those of its prefix, see rare_labels.h. */
static inline LAYOUT_INLINE int32_t
join_prefix_nodes(int32_t size, int32_t limit)
{
	return limit >= size ? size : limit < 0 ? 1 : limit + 1;
}

/* Whether a tree need not share a rare label with a tree that is not larger. */
static inline LAYOUT_INLINE bool
join_needs_window(int32_t size, int32_t limit)
{
	return size <= limit;
}

/*
 * A part of the list of a label: postings from the first one with trees that a probe
 * may match by size.
 */
struct JoinPart
{
	int32_t probe;
	uint32_t first;
};

/*
 * Lists of rare labels.  A posting is the rank of a label and, in its lower half, an
 * indexed tree whose prefix has this label; the postings are sorted.
 */
struct JoinLists
{
	uint64_t *postings;
	int64_t posting_count;
	JoinPart *parts; /* by node of the prefixes of the probes */
	uint64_t *ends;  /* of parts: pairs of all up to there */
	int64_t base;    /* nodes of the prefixes of trees before these probes */
};

/* Two trees that may be within their limit. */
struct JoinSurvivor
{
	int32_t probe;
	int32_t indexed;
};

/* Numbers of pairs, and places in queues. */
struct JoinCounters
{
	uint32_t similar;             /* by signatures */
	uint32_t labels;              /* that share enough labels */
	uint32_t jobs;                /* of strips */
	uint32_t width[STRIP_WIDTHS]; /* of these */
	uint32_t found;               /* results */
	uint32_t next[STRIP_WIDTHS];  /* of each width, the job to be taken up next */
};

/* A range of probes on its way through the filters. */
struct JoinWork
{
	const JoinTree *trees;
	const Signature *signatures;
	int32_t indexed; /* trees: a probe is compared with those before it */
	int32_t first;   /* probe */
	int32_t end;
	int32_t first_column; /* the indexed trees whose sizes may match any of them */
	int32_t end_column;
	bool listed; /* whether lists say instead what the probes are compared with: */
	JoinLists lists;
	int64_t first_part; /* of the probes */
	int64_t end_part;
	uint64_t first_pair; /* of these parts */
	uint64_t end_pair;

	float row_cells[STRIP_WIDTHS]; /* see STRIP_ROW_CELLS */

	uint32_t capacity; /* of all lists */
	JoinSurvivor *similar;
	JoinSurvivor *labels;
	StripJob *jobs;   /* as they come */
	uint64_t *orders; /* of jobs: which comes when, its number */
	TedJoinPair *found;
	JoinCounters *counters;
};

/* Bits of the order of a job that say when it comes; the lower ones are its number. */
constexpr int JOIN_ORDER_SHIFT = 32;
constexpr int JOIN_ORDER_BITS = 8;

/* Kernels: trees as they arrive, and the filters. */
cudaError_t join_lay_out(const JoinArrival &arrival, cudaStream_t stream);
cudaError_t join_filter(const JoinWork &work, int32_t most_edits, int processors,
						cudaStream_t stream);

/* The labels that are ranked: those below `count`. */
struct JoinRanks
{
	int32_t *rank; /* by label, from 1; less for rarer ones; null where labels are in this order */
	int32_t count;
};

/*
 * Ranks labels by how many nodes of trees have them; and sorts those of trees whose nodes
 * follow each other, those that are not ranked first.  Both need scratch memory; where that
 * is null, they say how much.
 */
cudaError_t join_rank(void *scratch, size_t &bytes, const JoinTree *trees, int32_t count,
					  const JoinRanks &ranks, cudaStream_t stream);
cudaError_t join_sort_labels(void *scratch, size_t &bytes, const JoinTree *trees, int32_t count,
							 int64_t nodes, const JoinRanks &ranks, int32_t *sorted,
							 cudaStream_t stream);

/*
 * Lists: the postings of the first `indexed` trees, not sorted yet; and the parts for some
 * probes, with their ends counted and the ends of probes.  Both need memory for sorting
 * or adding up; where that is null, the second one says how much.
 */
cudaError_t join_list_postings(const JoinTree *trees, int32_t indexed, uint64_t *postings,
							   cudaStream_t stream);
cudaError_t join_find_parts(void *scratch, size_t &bytes, const JoinTree *trees, int32_t indexed,
							int32_t first, int32_t end, const JoinLists &lists, int64_t part_count,
							uint64_t *probe_ends, cudaStream_t stream);

/* Jobs in the order of the sorted keys; and the distances of these, of which those within limits
 * are results. */
cudaError_t join_arrange(const uint64_t *orders, uint32_t count, const StripJob *from, StripJob *to,
						 cudaStream_t stream);
cudaError_t join_collect(const StripJob *jobs, const int32_t *distances, uint32_t count,
						 const JoinWork &work, cudaStream_t stream);

/* Sorts keys by some of their bits, in memory of `bytes` beyond; where that is null, says how many.
 */
cudaError_t join_sort(void *scratch, size_t &bytes, const uint64_t *keys, uint64_t *sorted,
					  int64_t count, int first_bit, int end_bit, cudaStream_t stream);

#endif /* TED_JOIN_WORK_H */
