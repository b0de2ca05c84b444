/*
 * bench.c
 *	  Timing, tables and CSV files, for all benchmark programs.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "../src/core/tree/bounded/bounded.h"
#include "bench.h"

#define LEAST_ROUNDS 3
#define SAMPLE_SECONDS 0.002 /* a round repeats a program for this time */
#define CASE_SECONDS 0.2     /* time for the rounds of a program, or the least number of rounds */
#define LONGEST_RUN 2.0      /* seconds of a run that is not worth waiting for */

const TedInterrupt bench_never = {0};

/* Seconds of processor time. */
double
bench_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double) t.tv_sec + (double) t.tv_nsec * 1e-9;
}

/* Orders numbers. */
static int
compare(const void *a, const void *b)
{
	double x = *(const double *) a;
	double y = *(const double *) b;

	return (x > y) - (x < y);
}

/* Sums up numbers, which it sorts. */
static BenchSpread
spread(double *values, int count)
{
	qsort(values, (size_t) count, sizeof(double), compare);
	return (BenchSpread){values[count / 2], values[0], values[count - 1]};
}

/* Seconds that a program takes on average over `repeat` runs. */
static double
sample(const BenchProgram *program, const void *arg, int repeat, int32_t *answer)
{
	double start = bench_now();

	for (int i = 0; i < repeat; i++)
		*answer = program->run(arg);
	return (bench_now() - start) / repeat;
}

/* Times programs in turn. */
void
bench_measure(const BenchProgram *programs, const void *const *args, const double *expected,
			  int count, BenchTimes *times)
{
	double seconds[BENCH_PROGRAMS][BENCH_ROUNDS];
	double ratio[BENCH_PROGRAMS][BENCH_ROUNDS];
	int rounds[BENCH_PROGRAMS] = {0};
	int repeat[BENCH_PROGRAMS];

	for (int i = 0; i < count; i++)
	{
		double once;

		times[i] = (BenchTimes){0};
		if (i > 0 && expected[i] > LONGEST_RUN)
			continue;
		once = sample(&programs[i], args[i], 1, &times[i].answer);
		times[i].timed = times[i].answer != BENCH_TOO_LARGE && (i == 0 || once <= LONGEST_RUN);
		repeat[i] = once < SAMPLE_SECONDS ? (int) (SAMPLE_SECONDS / (once + 1e-8)) + 1 : 1;
		if (times[i].timed)
			rounds[i] = (int) fmin(BENCH_ROUNDS, fmax(LEAST_ROUNDS, CASE_SECONDS / once));
	}
	for (int round = 0; round < BENCH_ROUNDS; round++)
		for (int i = 0; i < count; i++)
			if (round < rounds[i])
			{
				seconds[i][round] = sample(&programs[i], args[i], repeat[i], &times[i].answer);
				ratio[i][round] = seconds[i][round] / seconds[0][round < rounds[0] ? round : 0];
			}
	for (int i = 0; i < count; i++)
		if (times[i].timed)
		{
			times[i].seconds = spread(seconds[i], rounds[i]);
			times[i].ratio = spread(ratio[i], rounds[i]);
		}
}

/* Writes a time with three digits and its unit. */
static void
format_time(char text[16], double seconds)
{
	if (seconds < 1e-6)
		snprintf(text, 16, "%.3g ns", seconds * 1e9);
	else if (seconds < 1e-3)
		snprintf(text, 16, "%.3g us", seconds * 1e6);
	else if (seconds < 1)
		snprintf(text, 16, "%.3g ms", seconds * 1e3);
	else
		snprintf(text, 16, "%.3g s", seconds);
}

/* Creates a file of results. */
FILE *
bench_csv(const char *name, const char *head)
{
	char path[256];
	FILE *file;

	mkdir("build", 0777);
	mkdir("build/bench", 0777);
	snprintf(path, sizeof(path), "build/bench/%s.csv", name);
	file = fopen(path, "w");
	if (file == NULL)
	{
		perror(path);
		exit(1);
	}
	fprintf(file, "%s\n", head);
	return file;
}

/* Opens the file and prints the head of the table. */
void
bench_begin(Bench *bench, const char *name, const char *title, const BenchProgram *programs,
			int count)
{
	*bench = (Bench){.programs = programs, .count = count};
	bench->csv = bench_csv(name, "series,size,program,seconds,least,greatest,"
								 "ratio,least_ratio,greatest_ratio");
	printf("\n### %s\n\n| case | size | %s | exponent | G cells/s |", title, programs[0].name);
	for (int i = 1; i < count; i++)
		printf(" %s | ratio (spread) |", programs[i].name);
	printf("\n| --- | --- | --- | --- | --- |");
	for (int i = 1; i < count; i++)
		printf(" --- | --- |");
	printf("\n");
}

/* Seconds to expect of a program, by the square of the size; 0 where nothing is known. */
static double
expectation(const Bench *bench, const char *series, double size, int program)
{
	double growth = size / bench->size;

	if (strcmp(series, bench->series) != 0)
		return 0;
	return bench->seconds[program] * growth * growth;
}

/* Times all programs on one case and prints its row. */
void
bench_case(Bench *bench, const char *series, double size, double cells, const void *arg)
{
	BenchTimes times[BENCH_PROGRAMS];
	double expected[BENCH_PROGRAMS];
	const void *args[BENCH_PROGRAMS];
	bool follows = strcmp(series, bench->series) == 0;
	char time[16];

	for (int i = 0; i < bench->count; i++)
	{
		args[i] = arg;
		expected[i] = expectation(bench, series, size, i);
	}
	bench_measure(bench->programs, args, expected, bench->count, times);

	format_time(time, times[0].seconds.median);
	printf("| %s | %.0f | %s |", series, size, time);
	if (follows)
		printf(" %.2f |",
			   log(times[0].seconds.median / bench->seconds[0]) / log(size / bench->size));
	else
		printf(" |");
	printf(" %.3g |", cells / times[0].seconds.median / 1e9);
	for (int i = 0; i < bench->count; i++)
	{
		const BenchTimes *t = &times[i];

		if (!t->timed)
		{
			bench->seconds[i] = fmax(expected[i], LONGEST_RUN);
			printf(t->answer == BENCH_TOO_LARGE ? " too large | |" : " over %.0f s | |",
				   LONGEST_RUN);
			continue;
		}
		bench->seconds[i] = t->seconds.median;
		if (t->answer != times[0].answer)
		{
			fprintf(stderr, "%s, size %.0f: %s gives %d, %s %d\n", series, size,
					bench->programs[0].name, times[0].answer, bench->programs[i].name, t->answer);
			exit(1);
		}
		fprintf(bench->csv, "%s,%.0f,%s,%.9f,%.9f,%.9f,%.4f,%.4f,%.4f\n", series, size,
				bench->programs[i].name, t->seconds.median, t->seconds.least, t->seconds.greatest,
				t->ratio.median, t->ratio.least, t->ratio.greatest);
		if (i > 0)
		{
			format_time(time, t->seconds.median);
			printf(" %s | %.3g (%.3g to %.3g) |", time, t->ratio.median, t->ratio.least,
				   t->ratio.greatest);
		}
	}
	printf("\n");
	fflush(stdout);
	snprintf(bench->series, sizeof(bench->series), "%s", series);
	bench->size = size;
}

/* Closes the file. */
void
bench_end(Bench *bench)
{
	fclose(bench->csv);
}

/* The one arena of a benchmark program. */
TedArena *
bench_arena(size_t bytes)
{
	static TedArena arena;

	if (bytes > arena.size)
	{
		free(arena.base);
		arena.size = ted_arena_bytes(bytes);
		arena.base = aligned_alloc(TED_ARENA_ALIGN, arena.size);
		if (arena.base == NULL)
		{
			fprintf(stderr, "no memory for an arena of %zu bytes\n", bytes);
			exit(1);
		}
	}
	arena.used = 0;
	return &arena;
}

/* Ends the program unless the core has succeeded. */
void
bench_check(TedStatus status)
{
	if (status != TED_OK)
	{
		fprintf(stderr, "the core has failed with status %d\n", (int) status);
		exit(1);
	}
}

/* Returns the distance of a pair by unit costs, TED_BEYOND above the limit. */
int32_t
bench_distance(const TedTree *a, const TedTree *b, int32_t limit)
{
	TedPairPlan plan = ted_plan_pair(a, b, &TED_UNIT_COSTS, limit);
	int32_t distance = -1;

	bench_check(ted_pair_distance(&plan, bench_arena(plan.bytes), &bench_never, &distance));
	return distance;
}

/* Computes the distances between a tree and those after it, as the CPU computes a batch. */
void
bench_one_to_many(const TedTree *trees, int first, int count, int32_t *distances)
{
	TedGroup group = {.a = &trees[first], .costs = &TED_UNIT_COSTS};

	for (int i = first + 1, done = 0; i <= count; i++)
		if (i == count || !ted_group_add(&group, &trees[i]))
		{
			TedGroupPlan plan = ted_plan_group(&group);

			for (int32_t j = 0; plan.vectors.lanes == 0 && j < group.count; j++)
				distances[done + j] = bench_distance(group.a, group.member[j], TED_NO_LIMIT);
			if (plan.vectors.lanes > 0)
				bench_check(ted_group_distances(&group, &plan, bench_arena(plan.bytes),
												&bench_never, distances + done));
			done += group.count;
			group = (TedGroup){.a = &trees[first], .costs = &TED_UNIT_COSTS};
			if (i < count)
				ted_group_add(&group, &trees[i]);
		}
}
