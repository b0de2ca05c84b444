/*
 * card_tuning.h
 *	  Measured constants of cards and their hosts, and settings by which tests choose a kernel.
 *
 * They decide which kernel computes a pair and how much is computed at once, never the
 * result.  Sizes that a kernel is compiled for are in its own file.
 */
#ifndef TED_CARD_TUNING_H
#define TED_CARD_TUNING_H

#include <cmath>
#include <cstddef>
#include <cstdint>

/* Settings that only tests and benchmarks change. */
extern "C" bool ted_gpu_may_share;          /* whether blocks may share the tables of a pair */
extern "C" double ted_gpu_strip_preference; /* factor of cells of tables, for strips */
extern "C" double ted_gpu_list_preference;  /* factor of pairs of similar size, for lists */

/* Cells of tables that a card fills in a second, approximately. */
constexpr double CELLS_PER_SECOND = 200e9;

/*
 * Upper bounds of a slice of a batch of trees: about 50 ms of a card's work, and few pairs,
 * since the card waits while the host plans the first slice.
 */
constexpr double CELLS_PER_SLICE = 15e9;
constexpr int64_t PAIRS_PER_SLICE = 131072;

/* Cost of a pair by tables apart from its cells, in cells that a card could fill meanwhile. */
constexpr double CELLS_PER_PAIR = 10000;

/*
 * Time until a pair by shared tables is done apart from its cells, in cells that a card could
 * fill meanwhile.
 */
constexpr double SHARED_PAIR_CELLS = 100e6;

/* Cost of a strip's row among enough pairs, in cells that a card could fill meanwhile, by width. */
constexpr double STRIP_ROW_CELLS[] = {6, 12, 22, INFINITY};

/* Time of a strip's row of a single pair, in cells that a card could fill meanwhile. */
constexpr double STRIP_ROW_LATENCY_CELLS = 35000;

/* The most bytes of a launch of strips; where a tree is huge, fewer pairs are computed at once. */
constexpr int64_t STRIP_MEMORY = (int64_t) 1 << 30;

/*
 * Joins: the number of pairs of similar size that are compared first, and the most at once,
 * which fits 32 bits with the pairs of one more probe; the seconds that a comparison should
 * take; the pairs that a list holds; and the divisor of the memory for all lists, and for the
 * rows of strips.
 */
constexpr int64_t JOIN_FIRST_PAIRS = (int64_t) 1 << 24;
constexpr int64_t JOIN_MOST_PAIRS = (int64_t) 1 << 31;
constexpr double JOIN_RANGE_SECONDS = 0.03;
constexpr int64_t JOIN_LIST_PAIRS = (int64_t) 1 << 20;
constexpr int64_t JOIN_MEMORY_PART = 4;

/*
 * Joins by lists of rare labels: the least number of pairs of similar size for which lists are
 * made.
 */
constexpr int64_t JOIN_LEAST_WINDOW = (int64_t) 1 << 28;

/*
 * Joins of strings: the number of pairs of similar length that are compared first, and the most
 * at once; and the pairs that a list holds.
 */
constexpr int64_t STRING_JOIN_FIRST_PAIRS = (int64_t) 1 << 32;
constexpr int64_t STRING_JOIN_MOST_PAIRS = (int64_t) 1 << 37;
constexpr int64_t STRING_JOIN_LIST_PAIRS = (int64_t) 1 << 20;

/* Seconds of a cell of tables, and of the end of a row, by a warp and by a block. */
constexpr double CELL_SECONDS = 0.125e-6;
constexpr double WARP_ROW_SECONDS = 0.160e-6;
constexpr double BLOCK_ROW_SECONDS = 0.218e-6;

/* The most columns of a span of tables where kept rows are expensive, unless one table has more. */
constexpr int USUAL_COLUMNS = 1024;

/*
 * The most bytes of shared memory for a worker's kept rows, by width, so that several workers
 * fit; no limit where one block has a multiprocessor to itself.
 */
constexpr int64_t KEPT_BYTES[] = {6 * 1024, 12 * 1024, 48 * 1024, 1 << 20, 1 << 20, 1 << 20};

/* Workers that a multiprocessor runs at once, by width. */
constexpr int WORKERS_AT_ONCE[] = {32, 16, 4, 1, 1, 1};

/* A pair gets wider workers if it would take more than the time of all work divided by this. */
constexpr double LONG_PAIRS_PART = 4;

/*
 * A task of a shared pair ends at this number of rows; a key root with as many rows can have a
 * task of its own.
 */
constexpr int ROWS_PER_TASK = 256;

/* Key roots with the most rows come first, up to the number of workers divided by this. */
constexpr int LONG_TABLES_PART = 8;

/*
 * Costs of renaming labels: the divisor of the memory that they may take; the kinds that there
 * is room for at first; the steps, comparisons of a word with a symbol, of one launch, which
 * takes some milliseconds, and of all launches, some tenths of a second; and the bytes of
 * scratch memory for long texts.
 */
constexpr int64_t LABEL_MEMORY_PART = 4;
constexpr int64_t LEAST_KINDS = 1024;
constexpr double GRADE_STEPS_AT_ONCE = 1e10;
constexpr double MOST_GRADE_STEPS = 1e12;
constexpr int64_t GRADE_SCRATCH = (int64_t) 1 << 28;

/*
 * The most bytes of distances between subtrees that are transferred at once, unless one row has
 * more.
 */
constexpr size_t SUBTREE_BYTES = 8 << 20;

/*
 * Slices of a batch of strings: the most bytes of symbols, unless one text has more, and the
 * most texts.
 */
constexpr int64_t STRING_SLICE_BYTES = 8 << 20;
constexpr int64_t STRING_SLICE_TEXTS = 1 << 18;

/* Slices that the host prepares before it checks for interrupts. */
constexpr int STRING_SLICES_PER_POLL = 32;

/* From this number of rows of a pattern on, few texts are computed one by one. */
constexpr int32_t FEW_TEXTS_ROWS = 1024;

/*
 * Long pairs of strings, in nanoseconds: a step, by words (1, 2, 4) and by batch (4, 8), and what
 * it takes longer with two tables, and with more than one warp on a scheduler; a hand-over from
 * warp to warp.
 */
constexpr double LCS_STEP_NS[3][2] = {{46, 80}, {49, 111}, {71, 148}};
constexpr double LCS_TWO_TABLES = 1.25;
constexpr double LCS_SHARED_SCHEDULER = 1.55;
constexpr double LCS_STRIPE_NS = 900;

/* Number of texts ahead of the one being copied that the host prefetches. */
constexpr int64_t PREFETCHED_TEXTS = 4;

/*
 * Number of trees ahead of the one being copied that the host prefetches, and the most nodes
 * prefetched.
 */
constexpr int32_t PREFETCHED_TREES = 8;
constexpr int32_t PREFETCHED_NODES = 128;

/* Bytes of a cache line of the host. */
constexpr int64_t CACHE_LINE = 64;

#endif /* TED_CARD_TUNING_H */
