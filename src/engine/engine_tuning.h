/*
 * engine_tuning.h
 *	  Measured constants and limits of the engines.
 *
 * They decide where and in which pieces a batch is computed, but not its result.  Times are in
 * seconds, measured on a core with AVX-512.  Work of a GPU is counted in cells and bytes, whose
 * rates are in gpu_time.c, or measured by ted_gpu_calibrate().
 */
#ifndef TED_ENGINE_TUNING_H
#define TED_ENGINE_TUNING_H

/* The GPU is used if it takes less than this part of the CPU's time. */
#define TED_WORTHWHILE 0.5

/* Time to open a device. */
#define TED_OPEN_SECONDS 0.35

/* Time that one more GPU adds to a shared batch of trees, besides its pairs. */
#define TED_SHARED_BATCH 0.002

/*
 * Time that one more GPU adds to a join, and the time of a byte sent to it.  For a million records,
 * a second GPU hardly saves the time of sending it the trees.
 */
#define TED_SHARED_JOIN 0.02
#define TED_SHARED_JOIN_BYTE 2e-9

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
 * Trees on the GPU, in cells of tables: a pair besides its tables; a row of a strip, for each lane.
 */
#define TED_GPU_PAIR 5000
#define TED_GPU_STRIP_LANE 0.7

/*
 * Cells that a GPU could compute until one pair is done: for each of its nodes and each of its
 * cells, if blocks share its tables; for each cell with costs by label, where they do not; for a
 * row of a strip.
 */
#define TED_GPU_NODE_ALONE 60000
#define TED_GPU_CELL_ALONE 2
#define TED_GPU_LABELLED_CELL_ALONE 140
#define TED_GPU_STRIP_ROW_ALONE 35000

/*
 * Costs by label on the GPU, in bytes of trees: any new labels; a label; a graded label; a pair;
 * and in cells: a pair of graded labels that are compared.
 */
#define TED_GPU_LABELS 120000
#define TED_GPU_LABEL 20
#define TED_GPU_GRADED_LABEL 400
#define TED_GPU_LABELLED_PAIR 140
#define TED_GPU_RENAME 3

/* Bytes of distances that come back in the time of a byte of trees, which are laid out, too. */
#define TED_GPU_BYTES_BACK 25

/*
 * Costs by label on the CPU: time of a pair of nodes with graded labels, besides the table cells.
 */
#define TED_CPU_SLOW_RENAME 4e-9

/*
 * Joins on the GPU, in pairs of similar size: a pair of lists of rare labels; a pair that shares
 * enough labels; a cell of its tables, if the limit is greater than that of strips; a pair of short
 * strings of similar length.  In bytes sent: a node and a string.
 */
#define TED_JOIN_LISTED_PAIR 16
#define TED_JOIN_GPU_CANDIDATE 1000
#define TED_JOIN_GPU_EDITS 31
#define TED_JOIN_GPU_CELL 0.5
#define TED_JOIN_GPU_STRINGS 0.05
#define TED_JOIN_GPU_NODE 16
#define TED_JOIN_GPU_STRING 64

/* Nodes of the trees that one call sends. */
#define TED_JOIN_NODES_PER_CALL 1000000

/*
 * Joins on the CPU: time of a node that is indexed and looked up; of a pair of similar size found
 * without lists of rare labels; of a pair found by these lists; of a pair of short strings of
 * similar length.
 */
#define TED_JOIN_CPU_NODE 2e-7
#define TED_JOIN_CPU_PAIR 1e-9
#define TED_JOIN_CPU_LISTED_PAIR 5e-9
#define TED_JOIN_CPU_STRINGS 6e-11

/* The most pairs of lists that are sampled to estimate a join. */
#define TED_JOIN_SAMPLED_PAIRS 4096

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
 * Strings on the GPU, in bytes sent: a symbol that the host encodes; a text besides its symbols; a
 * column of a long pair, whose rows are computed side by side, and such a column with a step back
 * along the subsequence; and in openings: each pair after the first.
 */
#define TED_STRING_GPU_SYMBOL 12
#define TED_STRING_GPU_TEXT 250
#define TED_STRING_GPU_COLUMN 66
#define TED_STRING_GPU_STEP_BACK 650
#define TED_STRING_GPU_FURTHER 0.5

/* The most pairs of long strings computed at once, and the most symbols of their patterns. */
#define TED_STRING_GPU_PAIRS 8
#define TED_STRING_GPU_PAIRS_SYMBOLS 131072

/* The most symbols of a pattern with which the GPU compares texts side by side. */
#define TED_STRING_GPU_PATTERN 4096

/* Least number of characters read before the GPU compares them, which then keep it busy. */
#define TED_CHARACTERS_TOGETHER_GPU 4194304

#endif /* TED_ENGINE_TUNING_H */
