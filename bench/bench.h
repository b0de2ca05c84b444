/*
 * bench.h
 *	  Timing, tables and CSV files, for all benchmark programs.
 *
 * The programs of a case are run in turn, again and again, so that what else
 * the machine does strikes all of them alike.  A ratio is taken within a
 * round; medians are reported, and the least and the greatest ratio.
 */
#ifndef TED_BENCH_BENCH_H
#define TED_BENCH_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "../src/core/tree/ted.h"

#define BENCH_ROUNDS 11
#define BENCH_PROGRAMS 16

/* Seconds of processor time. */
extern double bench_now(void);

/* The result of a run that would take too much memory. */
#define BENCH_TOO_LARGE INT32_MIN

/* What is timed: a function that returns its answer. */
typedef struct BenchProgram
{
	const char *name;
	int32_t (*run)(const void *arg);
} BenchProgram;

/* A median, from the least to the greatest. */
typedef struct BenchSpread
{
	double median;
	double least;
	double greatest;
} BenchSpread;

/* Times of one program on one case; not `timed` where that would take too long or too much. */
typedef struct BenchTimes
{
	bool timed;
	int32_t answer;
	BenchSpread seconds;
	BenchSpread ratio; /* to the first program */
} BenchTimes;

/*
 * Times programs in turn.  Program i is run on args[i], and, but for the first
 * one, not at all where `expected` seconds are too many.
 */
extern void bench_measure(const BenchProgram *programs, const void *const *args,
						  const double *expected, int count, BenchTimes *times);

/* A table of cases, the core's program first and then its baselines; and a file
 * build/bench/NAME.csv. */
typedef struct Bench
{
	const BenchProgram *programs;
	int count;
	FILE *csv;
	char series[64]; /* of the last case, its size and its times */
	double size;
	double seconds[BENCH_PROGRAMS];
} Bench;

/* Opens the file and prints the title and the head of the table. */
extern void bench_begin(Bench *bench, const char *name, const char *title,
						const BenchProgram *programs, int count);

/*
 * Times all programs on one case and prints its row; `cells` of the table that
 * the algorithm stands for.  Cases of one series follow each other by size, and
 * show how cost grows.  All programs must give the same answer.
 */
extern void bench_case(Bench *bench, const char *series, double size, double cells,
					   const void *arg);

extern void bench_end(Bench *bench);

/* Creates build/bench/NAME.csv with this line as its first. */
extern FILE *bench_csv(const char *name, const char *head);

/* The one arena of a benchmark program, emptied, with at least this number of bytes. */
extern TedArena *bench_arena(size_t bytes);

/* Ends the program unless the core has succeeded. */
extern void bench_check(TedStatus status);

extern const TedInterrupt bench_never;

/* Returns the distance of a pair by unit costs, TED_BEYOND above the limit. */
extern int32_t bench_distance(const TedTree *a, const TedTree *b, int32_t limit);

/* Computes the distances between tree `first` and those from the next to before `count`. */
extern void bench_one_to_many(const TedTree *trees, int first, int count, int32_t *distances);

#endif /* TED_BENCH_BENCH_H */
