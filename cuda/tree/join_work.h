/*
 * join_work.h
 *	  Arguments of the kernels of a join: trees, lists of pairs, counters.
 */
#ifndef TED_JOIN_WORK_H
#define TED_JOIN_WORK_H

#include <cstdint>

#include <cuda_runtime.h>

#include "../../src/engine/gpu/device.h"
#include "device_strip.h"

/*
 * The number of nodes in a tree with labels of each class, up to 255.  Half of the sum of the
 * differences of two trees' counters, plus half of the difference of their totals, is a lower
 * bound on the distance.
 */
constexpr int SIGNATURE_COUNTERS = 64;

struct alignas(16) Signature
{
	uint4 part[SIGNATURE_COUNTERS / sizeof(uint4)];
};

/* Returns the class of a label. */
static inline LAYOUT_INLINE uint32_t
label_class(int32_t label)
{
	return (uint32_t) label * 2654435761u / (0x80000000u / (SIGNATURE_COUNTERS / 2));
}

/*
 * The most nodes of a tree that strips compare here; pairs with larger trees are left to the
 * caller.
 */
constexpr int32_t JOIN_STRIP_NODES = 4096;

/* The most probes that filters compare at once. */
constexpr int32_t JOIN_MOST_PROBES = 1 << 21;

/* A tree of a join. */
struct alignas(16) JoinTree
{
	int32_t size;
	int32_t limit;  /* greatest distance from trees that are not larger */
	int32_t total;  /* sum of the counters of the signature; computed on the device */
	int32_t leaves; /* number of leaves, which is that of key roots */
	float nodes[2]; /* total sizes of key roots' subtrees: leftmost, rightmost paths */
	int64_t prefix; /* nodes of the prefixes of all trees before it */

	/* the labels, on the device */
	const int32_t *postorder;
	int32_t *preorder;
	int32_t *sorted; /* ascending ranks: labels that are rare in the join come first */
};

/* Trees that have arrived on the device: arrays by node, tree after tree. */
struct JoinArrival
{
	JoinTree *trees;
	Signature *signatures;
	StripView *views; /* view 2 t is that of tree t, 2 t + 1 that of its mirror image */
	int32_t count;
	const int32_t *label;
	const int32_t *subtree_size;

	/* zeros, which the kernel overwrites: */
	int32_t *highest;  /* by leaf: the highest node whose leftmost leaf it is */
	int32_t *depth;    /* depth of each node */
	int32_t *above[2]; /* key roots above each node, for leftmost and rightmost paths */
};

/*
 * Returns the number of nodes of a tree's prefix, those with the rarest labels; see
 * rare_labels.h.
 */
static inline LAYOUT_INLINE int32_t
join_prefix_nodes(int32_t size, int32_t limit)
{
	return limit >= size ? size : limit < 0 ? 1 : limit + 1;
}

/*
 * Whether a tree can be within its limit of a tree that is not larger even if the two share no
 * label.
 */
static inline LAYOUT_INLINE bool
join_needs_window(int32_t size, int32_t limit)
{
	return size <= limit;
}

/*
 * A part of the list of a label: the postings from the first tree on whose size a probe may
 * match.
 */
struct JoinPart
{
	int32_t probe;
	uint32_t first;
};

/*
 * Lists of rare labels.  The upper half of a posting is the rank of a label, the lower half an
 * indexed tree whose prefix has this label; postings are sorted.
 */
struct JoinLists
{
	uint64_t *postings;
	int64_t posting_count;
	JoinPart *parts; /* for each node of the probes' prefixes */
	uint64_t *ends;  /* by part: number of pairs of all parts up to this one */
	int64_t base;    /* nodes of the prefixes of all trees before these probes */
};

/* Two trees that the filters have not excluded so far. */
struct JoinSurvivor
{
	int32_t probe;
	int32_t indexed;
};

/* Numbers of pairs, and places in queues. */
struct JoinCounters
{
	uint32_t similar;             /* pairs that signatures do not exclude */
	uint32_t labels;              /* pairs that share enough labels */
	uint32_t jobs;                /* pairs that strips compute */
	uint32_t width[STRIP_WIDTHS]; /* these pairs by width */
	uint32_t found;               /* pairs in the results */
	uint32_t next[STRIP_WIDTHS];  /* the next job of each width */
};

/* Arguments of the filters for a range of probes. */
struct JoinWork
{
	const JoinTree *trees;
	const Signature *signatures;
	int32_t indexed; /* number of indexed trees; a probe is compared with those before it */
	int32_t first;   /* first probe */
	int32_t end;
	int32_t first_column; /* the indexed trees whose sizes may match those of any probe */
	int32_t end_column;
	bool listed; /* whether probes are compared with the trees of lists instead: */
	JoinLists lists;
	int64_t first_part; /* parts of the probes */
	int64_t end_part;
	uint64_t first_pair; /* pairs of these parts */
	uint64_t end_pair;

	float row_cells[STRIP_WIDTHS]; /* see STRIP_ROW_CELLS */

	uint32_t capacity; /* of each list */
	JoinSurvivor *similar;
	JoinSurvivor *labels;
	StripJob *jobs;   /* unordered */
	uint64_t *orders; /* sort key and number of each job */
	TedJoinPair *found;
	JoinCounters *counters;
};

/* Bits of the sort key in the order of a job; the lower bits are the number of the job. */
constexpr int JOIN_ORDER_SHIFT = 32;
constexpr int JOIN_ORDER_BITS = 8;

/* Start the kernels that lay out trees, and the filters. */
cudaError_t join_lay_out(const JoinArrival &arrival, cudaStream_t stream);
cudaError_t join_filter(const JoinWork &work, int32_t most_edits, int processors,
						cudaStream_t stream);

/* The ranks of labels; labels from `count` on have none. */
struct JoinRanks
{
	int32_t *rank; /* by label, from 1, rarest first; null: labels are in this order */
	int32_t count;
};

/*
 * Ranks labels by the number of nodes that have them; and sorts the labels of trees whose nodes
 * are consecutive, those without a rank first.  Both need scratch memory; if `scratch` is null,
 * they only set `bytes` to its size.
 */
cudaError_t join_rank(void *scratch, size_t &bytes, const JoinTree *trees, int32_t count,
					  const JoinRanks &ranks, cudaStream_t stream);
cudaError_t join_sort_labels(void *scratch, size_t &bytes, const JoinTree *trees, int32_t count,
							 int64_t nodes, const JoinRanks &ranks, int32_t *sorted,
							 cudaStream_t stream);

/*
 * Writes the unsorted postings of the first `indexed` trees; and finds the parts of probes,
 * with the ends of these parts and of the probes.  If `scratch` is null, the second function
 * only sets `bytes` to the size of the scratch memory.
 */
cudaError_t join_list_postings(const JoinTree *trees, int32_t indexed, uint64_t *postings,
							   cudaStream_t stream);
cudaError_t join_find_parts(void *scratch, size_t &bytes, const JoinTree *trees, int32_t indexed,
							int32_t first, int32_t end, const JoinLists &lists, int64_t part_count,
							uint64_t *probe_ends, cudaStream_t stream);

/*
 * Puts jobs into the order of the sorted keys; and collects the jobs whose distances are within
 * their limits as results.
 */
cudaError_t join_arrange(const uint64_t *orders, uint32_t count, const StripJob *from, StripJob *to,
						 cudaStream_t stream);
cudaError_t join_collect(const StripJob *jobs, const int32_t *distances, uint32_t count,
						 const JoinWork &work, cudaStream_t stream);

/*
 * Sorts keys by some of their bits; if `scratch` is null, only sets `bytes` to the size of the
 * scratch memory.
 */
cudaError_t join_sort(void *scratch, size_t &bytes, const uint64_t *keys, uint64_t *sorted,
					  int64_t count, int first_bit, int end_bit, cudaStream_t stream);

#endif /* TED_JOIN_WORK_H */
