/*
 * card_tuning.h
 *	  Measured constants of cards and their hosts, and the knobs by which tests choose a way.
 *
 * They decide which kernel computes a pair and how much is under way at once, never
 * what is computed.  Sizes for which a kernel is compiled are beside it.
 */
#ifndef TED_CARD_TUNING_H
#define TED_CARD_TUNING_H

#include <cmath>
#include <cstddef>
#include <cstdint>

/* Knobs; only tests and benchmarks change them. */
extern "C" bool ted_gpu_may_share;          /* whether workers may share a pair's tables */
extern "C" double ted_gpu_strip_preference; /* factor of the tables' cells when strips compare */
extern "C" double ted_gpu_list_preference;  /* factor of pairs of similar size when joins choose */

/* Cells that a card fills in a second, about. */
constexpr double CELLS_PER_SECOND = 200e9;

/*
 * Upper bounds of a slice of a batch of trees: about 50 ms of a card's work, and few pairs,
 * since the card waits while the host looks at the first ones.
 */
constexpr double CELLS_PER_SLICE = 15e9;
constexpr int64_t PAIRS_PER_SLICE = 131072;

/* Cells that a card could fill in the time that a pair of tables takes besides its own. */
constexpr double CELLS_PER_PAIR = 10000;

/* The same until a pair whose tables are shared is done. */
constexpr double SHARED_PAIR_CELLS = 100e6;

/* Cells that a card fills in the time of a strip's row, by width, where there are pairs enough. */
constexpr double STRIP_ROW_CELLS[] = {6, 12, 22, INFINITY};

/* The same for the rows of one pair alone. */
constexpr double STRIP_ROW_LATENCY_CELLS = 35000;

/* Most bytes of a launch of strips, rather than all pairs at once where a tree is huge. */
constexpr int64_t STRIP_MEMORY = (int64_t) 1 << 30;

/*
 * Joins: pairs of similar size that are compared first, and the most at once, whose number
 * fits 32 bits with the pairs of one more probe; the time that a comparison should take; pairs
 * that a list holds, and the greatest part of the memory for all lists, and for the rows of
 * strips.
 */
constexpr int64_t JOIN_FIRST_PAIRS = (int64_t) 1 << 24;
constexpr int64_t JOIN_MOST_PAIRS = (int64_t) 1 << 31;
constexpr double JOIN_RANGE_SECONDS = 0.03;
constexpr int64_t JOIN_LIST_PAIRS = (int64_t) 1 << 20;
constexpr int64_t JOIN_MEMORY_PART = 4;

/*
 * Joins by lists of rare labels: the least number of pairs of similar size that is worth making
 * lists.
 */
constexpr int64_t JOIN_LEAST_WINDOW = (int64_t) 1 << 28;

/*
 * Joins of strings: pairs of similar length that are compared first, and the most at once; pairs
 * that a list holds.
 */
constexpr int64_t STRING_JOIN_FIRST_PAIRS = (int64_t) 1 << 32;
constexpr int64_t STRING_JOIN_MOST_PAIRS = (int64_t) 1 << 37;
constexpr int64_t STRING_JOIN_LIST_PAIRS = (int64_t) 1 << 20;

/* Most columns of a span of tables where kept rows are expensive, unless one table has more. */
constexpr int USUAL_COLUMNS = 1024;

/*
 * Most bytes of shared memory for a worker's kept rows, by width, so that several workers
 * fit: where one block has a processor to itself, all that there are.
 */
constexpr int64_t KEPT_BYTES[] = {6 * 1024, 12 * 1024, 48 * 1024, 1 << 20, 1 << 20, 1 << 20};

/* Workers that a processor has at once, by width. */
constexpr int WORKERS_AT_ONCE[] = {32, 16, 4, 1, 1, 1};

/* Pairs go to wider workers where they would take more than this part of the time of all. */
constexpr double LONG_PAIRS_PART = 4;

/* Rows of a task of a shared pair that are not those of one key root. */
constexpr int ROWS_PER_TASK = 256;

/* Key roots with the most rows come first while their tasks are this part of the workers. */
constexpr int LONG_TABLES_PART = 8;

/*
 * Costs of renaming labels: the greatest part of the memory that they take; kinds that there
 * is room for at first; words that are compared with a symbol at once, some milliseconds of
 * work, and in all, some tenths of a second; bytes for words of long texts.
 */
constexpr int64_t LABEL_MEMORY_PART = 4;
constexpr int64_t LEAST_KINDS = 1024;
constexpr double GRADE_STEPS_AT_ONCE = 1e10;
constexpr double MOST_GRADE_STEPS = 1e12;
constexpr int64_t GRADE_SCRATCH = (int64_t) 1 << 28;

/* Most bytes of distances between subtrees that are under way at once, but for a row. */
constexpr size_t SUBTREE_BYTES = 8 << 20;

/* Slices of a batch of strings: most bytes of symbols, unless a text has more, and most texts. */
constexpr int64_t STRING_SLICE_BYTES = 8 << 20;
constexpr int64_t STRING_SLICE_TEXTS = 1 << 18;

/* Slices that the host makes before it looks for interrupts. */
constexpr int STRING_SLICES_PER_POLL = 32;

/* Rows of a pattern from which few texts are better computed one by one. */
constexpr int32_t FEW_TEXTS_ROWS = 1024;

/* Texts after the one that is copied, which the host prefetches. */
constexpr int64_t PREFETCHED_TEXTS = 4;

/* Trees after the one that is copied, of which the host prefetches the last, and most nodes of it.
 */
constexpr int32_t PREFETCHED_TREES = 8;
constexpr int32_t PREFETCHED_NODES = 128;

/* Bytes of a line of that processor's cache. */
constexpr int64_t CACHE_LINE = 64;

#endif /* TED_CARD_TUNING_H */
