/*
 * engine_tuning.h
 *	  Measured constants and limits of the engines.
 *
 * They decide where and in which pieces a batch is computed, but not its result.  Times are in
 * seconds, measured on a core with AVX-512 and an H100; the times that ted_gpu_calibrate() measures
 * are in gpu_time.c.
 */
#ifndef TED_ENGINE_TUNING_H
#define TED_ENGINE_TUNING_H

/* The GPU is used if it takes less than this part of the CPU's time. */
#define TED_WORTHWHILE 0.5

/* Time to open a device. */
#define TED_OPEN_SECONDS 0.35

/* Time that one more GPU adds to a shared batch of trees, besides its pairs. */
#define TED_SHARED_BATCH 0.002

/* Milliseconds until opening is tried again, after the device had no memory left. */
#define TED_RETRY_AFTER 10000

/* The nap before the next poll, as a part of the time since the batch began. */
#define TED_NAP_PART (1.0 / 64)

/* Shortest nap in microseconds: the kernel may wake the process later by as much. */
#define TED_SHORTEST_NAP 50

/* Trees on the CPU: the cost to begin a pair, in table cells. */
#define TED_CELLS_PER_PAIR 256

/* Upper bound on the time of a table cell of a pair. */
#define TED_LONGEST_CELL 50e-9

/* Trees on the GPU: the most pairs of a slice, and the most trees sent by one call. */
#define TED_PAIRS_PER_SLICE 65536
#define TED_TREES_PER_CALL 1024

/*
 * Costs by label on the GPU: time to send any at all; per label sent; per graded label sent; per
 * pair of graded labels compared on the GPU; per node sent with its label; per pair of trees.
 */
#define TED_GPU_LABELS 3e-4
#define TED_GPU_LABEL 5e-8
#define TED_GPU_GRADED_LABEL 1e-6
#define TED_GPU_RENAME 1.5e-11
#define TED_GPU_LABELLED_NODE 4e-8
#define TED_GPU_LABELLED_PAIR 3.5e-7

/*
 * Costs by label on the CPU: time of a pair of nodes with graded labels, besides the table cells.
 */
#define TED_CPU_SLOW_RENAME 4e-9

/* Time of a table cell when the GPU is full. */
#define TED_GPU_CELL 5e-12

/*
 * Joins on the GPU: time of any join; per node sent; per pair of similar size; per pair that shares
 * enough labels; and the greatest limit for which strips are used.
 */
#define TED_JOIN_GPU_START 0.02
#define TED_JOIN_GPU_NODE 5e-9
#define TED_JOIN_GPU_PAIR 1e-11
#define TED_JOIN_GPU_CANDIDATE 1e-8
#define TED_JOIN_GPU_EDITS 31

/*
 * Joins shared by GPUs: time of a pair of similar size, and of a node sent to one more GPU.  For a
 * million records, a second GPU hardly saves the time of sending it the trees.
 */
#define TED_JOIN_SHARED_PAIR 4e-12
#define TED_JOIN_SHARED_NODE 3e-8

/* Nodes of the trees that one call sends. */
#define TED_JOIN_NODES_PER_CALL 1000000

/* A pair of lists of rare labels takes as long as this number of pairs of similar size. */
#define TED_JOIN_LISTED_PAIR 16

/*
 * Joins on the CPU: time of a node that is indexed and looked up; of a pair of similar size found
 * without lists of rare labels; of a pair found by these lists.
 */
#define TED_JOIN_CPU_NODE 2e-7
#define TED_JOIN_CPU_PAIR 1e-9
#define TED_JOIN_CPU_LISTED_PAIR 5e-9

/*
 * Joins of short strings: time of a pair of similar length on the CPU and on the GPU, and of a
 * string sent to the GPU.
 */
#define TED_JOIN_CPU_STRINGS 6e-11
#define TED_JOIN_GPU_STRINGS 5e-13
#define TED_JOIN_GPU_STRING 2e-8

/* The most pairs of lists that are sampled to estimate a join. */
#define TED_JOIN_SAMPLED_PAIRS 4096

/* Columns of a GPU block that shares a pair with others. */
#define TED_PIPELINE_COLUMNS 1024

/* Threads that one multiprocessor runs at once, given the registers of our kernels. */
#define TED_THREADS_PER_PROCESSOR 1024

/* Tables of a strip per node of the first tree: without edits, and for each edit. */
#define TED_GPU_STRIP_TABLES 0.2
#define TED_GPU_STRIP_TABLES_PER_EDIT 0.1

/* Strings on the CPU: time of a pair of symbols, and of each symbol of a text besides. */
#define TED_STRING_CPU_CELL 3.7e-12
#define TED_STRING_CPU_SYMBOL 3e-10

/* Factor of the CPU's time if the subsequence itself is wanted. */
#define TED_STRING_CPU_POSITIONS 1.4

/* Least number of texts that are compared side by side with a pattern of one word. */
#define TED_STRINGS_SIDE_BY_SIDE 8

/* Least number of characters read before they are compared. */
#define TED_CHARACTERS_TOGETHER 4096

/*
 * Strings on the GPU: time of a pair of symbols when the GPU is full; of a column of a long pair,
 * whose rows are computed side by side; of a step back along the subsequence of a long pair; of the
 * launches of a long pair; of a text sent; of a byte sent; and of a symbol that the host encodes.
 */
#define TED_STRING_GPU_CELL 1.3e-14
#define TED_STRING_GPU_COLUMN 8e-9
#define TED_STRING_GPU_STEP_BACK 7e-8
#define TED_STRING_GPU_PAIR 6e-5
#define TED_STRING_GPU_TEXT 3e-8
#define TED_STRING_GPU_BYTE 1.2e-10
#define TED_STRING_GPU_SYMBOL 1.5e-9

/* The most pairs of long strings computed at once, and the most symbols of their patterns. */
#define TED_STRING_GPU_PAIRS 8
#define TED_STRING_GPU_PAIRS_SYMBOLS 131072

/* Time of the host to launch a long pair. */
#define TED_STRING_GPU_LAUNCHES 3e-5

/* The most symbols of a pattern with which the GPU compares texts side by side. */
#define TED_STRING_GPU_PATTERN 4096

/* Least number of characters read before the GPU compares them, which then keep it busy. */
#define TED_CHARACTERS_TOGETHER_GPU 4194304

#endif /* TED_ENGINE_TUNING_H */
