/*
 * engine_tuning.h
 *	  Measured constants and limits of the engines.
 *
 * They decide what computes a batch, and in which pieces, never the result.
 * Times are seconds, on a core with AVX-512 and on an H100 beside it; those that
 * ted_gpu_calibrate() measures are in model.c.
 */
#ifndef TED_ENGINE_TUNING_H
#define TED_ENGINE_TUNING_H

/* The GPU is used where it takes less than this part of the CPU's time. */
#define TED_WORTHWHILE 0.5

/* Opening a device. */
#define TED_OPEN_SECONDS 0.35

/* What a further GPU takes for its share of a batch of trees, besides the pairs. */
#define TED_SHARED_BATCH 0.002

/* Milliseconds after which opening is tried again where the device had no memory left. */
#define TED_RETRY_AFTER 10000

/* A batch under way is polled again after this part of the time that it has taken so far. */
#define TED_NAP_PART (1.0 / 64)

/* Microseconds below which a nap is not worth it: the kernel may wake us later by as much. */
#define TED_SHORTEST_NAP 50

/* Trees on the CPU: cells until it looks for interrupts, and cells in whose time a pair begins. */
#define TED_CELLS_PER_POLL 4000000
#define TED_CELLS_PER_PAIR 256

/* Most pairs with the same first tree that the CPU computes together, and their cells, about. */
#define TED_PAIRS_PER_RUN 256
#define TED_CELLS_PER_RUN 100000000

/* An upper bound on the time of a cell of the tables of a pair. */
#define TED_LONGEST_CELL 50e-9

/* Trees on the GPU: most pairs of a slice, and most trees that are sent at once. */
#define TED_PAIRS_PER_SLICE 65536
#define TED_TREES_PER_CALL 1024

/*
 * Costs by label on the GPU: sending any; a label on its way there, and one that is graded; a
 * pair of these that is compared there; a node that is sent with its label; a pair of trees.
 */
#define TED_GPU_LABELS 3e-4
#define TED_GPU_LABEL 5e-8
#define TED_GPU_GRADED_LABEL 1e-6
#define TED_GPU_RENAME 1.5e-11
#define TED_GPU_LABELLED_NODE 4e-8
#define TED_GPU_LABELLED_PAIR 3.5e-7

/* A pair of nodes of graded labels on the CPU, besides the cells of their tables. */
#define TED_CPU_SLOW_RENAME 4e-9

/* A cell of tables that fill the GPU. */
#define TED_GPU_CELL 5e-12

/*
 * Joins on the GPU: what any takes; a node on its way there; a pair of similar size; one that
 * shares enough labels; the greatest limit that strips take.
 */
#define TED_JOIN_GPU_START 0.02
#define TED_JOIN_GPU_NODE 5e-9
#define TED_JOIN_GPU_PAIR 1e-11
#define TED_JOIN_GPU_CANDIDATE 1e-8
#define TED_JOIN_GPU_EDITS 31

/*
 * Where a join is shared: a pair of similar size, and a node on its way to a further GPU. Of a
 * million records, two GPUs hardly save the time of sending the trees to the second one.
 */
#define TED_JOIN_SHARED_PAIR 4e-12
#define TED_JOIN_SHARED_NODE 3e-8

/* Nodes of the trees that are sent at once. */
#define TED_JOIN_NODES_PER_CALL 1000000

/* A pair of lists of rare labels, in pairs of similar size that take as long. */
#define TED_JOIN_LISTED_PAIR 16

/*
 * Joins on the CPU: a node of a tree that is indexed and looked up; a pair of similar size
 * that is not found by lists of rare labels, and one of these lists.
 */
#define TED_JOIN_CPU_NODE 2e-7
#define TED_JOIN_CPU_PAIR 1e-9
#define TED_JOIN_CPU_LISTED_PAIR 5e-9

/*
 * Joins of short strings: a pair of similar length on the CPU, and on the GPU, and a string on its
 * way there.
 */
#define TED_JOIN_CPU_STRINGS 6e-11
#define TED_JOIN_GPU_STRINGS 5e-13
#define TED_JOIN_GPU_STRING 2e-8

/* Pairs of lists by which a join is estimated, at most. */
#define TED_JOIN_SAMPLED_PAIRS 4096

/* Columns of a block that shares a pair. */
#define TED_PIPELINE_COLUMNS 1024

/* Threads that one processor holds at once, with the registers that our kernels take. */
#define TED_THREADS_PER_PROCESSOR 1024

/* Tables of a strip in which a node of the first tree takes part: without edits, and by edit. */
#define TED_GPU_STRIP_TABLES 0.2
#define TED_GPU_STRIP_TABLES_PER_EDIT 0.1

/* Strings on the CPU: a pair of symbols, and a symbol of a text beside those. */
#define TED_STRING_CPU_CELL 3.7e-12
#define TED_STRING_CPU_SYMBOL 3e-10

/* Where the subsequence itself is wanted, as many times as long. */
#define TED_STRING_CPU_POSITIONS 1.4

/* Texts from which on a pattern of one word is compared with them side by side. */
#define TED_STRINGS_SIDE_BY_SIDE 8

/* Least number of characters that are read before they are compared. */
#define TED_CHARACTERS_TOGETHER 4096

/*
 * Strings on the GPU: a pair of symbols where it is full; a column of a long pair,
 * whose rows it computes side by side; a symbol of it that is walked back; the
 * launches that it takes; a text on its way, and its symbols, as they come or to
 * be turned into codes.
 */
#define TED_STRING_GPU_CELL 1.3e-14
#define TED_STRING_GPU_COLUMN 8e-9
#define TED_STRING_GPU_STEP_BACK 7e-8
#define TED_STRING_GPU_PAIR 6e-5
#define TED_STRING_GPU_TEXT 3e-8
#define TED_STRING_GPU_BYTE 1.2e-10
#define TED_STRING_GPU_SYMBOL 1.5e-9

/* Most pairs of long strings that a GPU computes at the same time; symbols of their patterns. */
#define TED_STRING_GPU_PAIRS 8
#define TED_STRING_GPU_PAIRS_SYMBOLS 131072

/* Time of the host to start one of these. */
#define TED_STRING_GPU_LAUNCHES 3e-5

/* Most symbols of a pattern for which the GPU compares texts side by side. */
#define TED_STRING_GPU_PATTERN 4096

/* Characters that are read before the GPU compares them: enough to keep it busy meanwhile. */
#define TED_CHARACTERS_TOGETHER_GPU 4194304

#endif /* TED_ENGINE_TUNING_H */
