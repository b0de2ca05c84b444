/*
 * crossings.c
 *	  Sizes of tables from which on larger workers are faster, by the model and measured.
 *
 * X-TED's model (PVLDB 17(7), 2024, section 6) counts steps: a cell, and the synchronisation
 * after it.  Each way computes the table of the roots of random trees of the same size again
 * and again.  Besides the crossings of the model with the times of an H100, the program
 * prints those of steps counted one by one: where the model has a fraction of a
 * strip, a table has a whole one.  The rest of the difference from the measured crossings
 * shows in the times of steps by size, which the model assumes to be the same for all sizes.
 */
#include <math.h>
#include <stdlib.h>

#include "../trees.h"
#include "gpu_levels.h"

#define MOST_SIZES 80
#define LARGEST 3072

/* The greatest size for which steps are counted. */
#define FAR (1 << 16)

/* Each column of the table of steps stands for this number of sizes. */
#define SIZES_A_COLUMN 6

/* The largest tables that a thread and a warp compute. */
#define MOST_BY_THREAD 128
#define MOST_BY_WARP 1024

/* A way to compute a table, and its times by size. */
typedef struct TableWay
{
	const char *name;
	int32_t threads; /* of a block */
	int32_t blocks;
	int32_t most; /* most nodes of a tree */
	double cell;  /* seconds of a step, by the model */
	double seconds[MOST_SIZES];
} TableWay;

/*
 * Chooses sizes of tables, each greater than the last one by an eighth, or by 1; returns their
 * number.
 */
static int
choose_sizes(int32_t *sizes)
{
	int count = 0;

	for (int32_t size = 1; size <= LARGEST; size += size < 16 ? 1 : size / 8)
		sizes[count++] = size;
	return count;
}

/* Computes a table of `size` rows and columns in each way. */
static void
time_tables(int32_t size, TableWay *ways, int count, int place)
{
	TreeEvents events[2] = {random_tree(size), random_tree(size)};
	TedTree trees[2] = {tree_of_events(&events[0]), tree_of_events(&events[1])};
	TedPair pair = {0, 1, TED_NO_LIMIT};
	TedThresholds thresholds = {2, 64, 1024, LEVELS_MOST_BLOCKS};
	Levels *levels = levels_create(&trees[0], &trees[1], TED_UNIT_COSTS, &thresholds);
	int32_t expected;
	double seconds;

	/* the table needs the distances of all subtrees */
	compute_on_cpu(trees, 2, &pair, 1, &expected);
	if (levels_run(levels, &seconds) != expected)
	{
		fprintf(stderr, "by levels: not %d\n", expected);
		exit(1);
	}
	for (int i = 0; i < count; i++)
		if (size <= ways[i].most)
			ways[i].seconds[place] = levels_table_seconds(levels, ways[i].threads, ways[i].blocks);
	levels_free(levels);
}

/* Returns the measured size from which on the second way is faster; INFINITY if there is none. */
static double
measured_crossing(const TableWay *small, const TableWay *large, const int32_t *sizes, int count)
{
	int last = -1; /* the last size at which it is not faster */

	while (count > 0 && sizes[count - 1] > small->most)
		count--;
	for (int i = 0; i < count; i++)
		if (large->seconds[i] >= small->seconds[i])
			last = i;
	if (last + 1 == count)
		return INFINITY;
	if (last < 0)
		return sizes[0];

	/* between the two sizes, assume the ratio to be a power of the size */
	double before = log(large->seconds[last] / small->seconds[last]);
	double after = log(large->seconds[last + 1] / small->seconds[last + 1]);

	return sizes[last] * pow((double) sizes[last + 1] / sizes[last], before / (before - after));
}

/* Returns the number of threads of all blocks of a way. */
static int32_t
threads_of(const TableWay *way)
{
	return way->threads * way->blocks;
}

/* Returns the number of steps that a way takes for a table. */
static double
steps_of(const TableWay *way, int32_t size)
{
	double threads = threads_of(way);
	double strips = floor(size / threads);
	double rest = size - strips * threads;

	return strips * (size + threads - 1) + (rest > 0 ? size + rest - 1 : 0);
}

/*
 * Returns the size from which on the second way takes less time by counted steps; INFINITY if
 * there is none.
 */
static double
counted_crossing(const TableWay *small, const TableWay *large)
{
	int32_t size = FAR;

	while (size > 0 && steps_of(large, size) * large->cell < steps_of(small, size) * small->cell)
		size--;
	return size == FAR ? INFINITY : size + 1;
}

/* Prints a crossing. */
static void
print_crossing(double size)
{
	if (isinf(size))
		printf(" none |");
	else
		printf(" %.1f |", size);
}

/* Prints the sizes from which on one way is faster than another. */
static void
print_pair(const TableWay *small, const TableWay *large, const int32_t *sizes, int count)
{
	printf("| %s, %s |", small->name, large->name);
	print_crossing(ted_xted_crossing((TedWorker){threads_of(small), small->cell},
									 (TedWorker){threads_of(large), large->cell}));
	print_crossing(counted_crossing(small, large));
	print_crossing(measured_crossing(small, large, sizes, count));
	printf("\n");
}

/* Prints the times of steps, and adds the times of tables to a file. */
static void
print_steps(const TableWay *ways, int way_count, const int32_t *sizes, int size_count, FILE *csv)
{
	printf("| worker | step us, model |");
	for (int i = 0; i < size_count; i += SIZES_A_COLUMN)
		printf(" %d |", sizes[i]);
	printf("\n| --- | --- |");
	for (int i = 0; i < size_count; i += SIZES_A_COLUMN)
		printf(" --- |");
	for (const TableWay *way = ways; way < ways + way_count; way++)
	{
		printf("\n| %s | %.3f |", way->name, 1e6 * way->cell);
		for (int i = 0; i < size_count; i += SIZES_A_COLUMN)
			if (sizes[i] <= way->most)
				printf(" %.3f |", 1e6 * way->seconds[i] / steps_of(way, sizes[i]));
			else
				printf(" |");
		for (int i = 0; i < size_count && sizes[i] <= way->most; i++)
			fprintf(csv, "one table,%d,%s,%g\n", sizes[i], way->name, way->seconds[i]);
	}
}

/* Prints the sizes from which on one way to compute a table is faster than another. */
int
run_crossings(void)
{
	const TedSteps times = ted_xted_steps;
	int32_t sizes[MOST_SIZES];
	int size_count = choose_sizes(sizes);
	FILE *csv = open_csv("gpu");

	TableWay ways[] = {
		{.name = "thread", .threads = 1, .blocks = 1, .most = MOST_BY_THREAD, .cell = times.unit},
		{"warp", TED_THREADS_WARP, 1, MOST_BY_WARP, times.unit + times.sync_warp, {0}},
		{"block", LEVELS_BLOCK, 1, LARGEST, times.unit + times.sync_block, {0}},
		{"2 blocks", LEVELS_BLOCK, 2, LARGEST, times.unit + times.sync_multi, {0}},
		{"4 blocks", LEVELS_BLOCK, 4, LARGEST, times.unit + times.sync_multi, {0}},
		{"8 blocks", LEVELS_BLOCK, 8, LARGEST, times.unit + times.sync_multi, {0}},
		{"16 blocks", LEVELS_BLOCK, 16, LARGEST, times.unit + times.sync_multi, {0}},
	};
	int way_count = (int) (sizeof(ways) / sizeof(ways[0]));

	for (int i = 0; i < size_count; i++)
		time_tables(sizes[i], ways, way_count, i);
	print_steps(ways, way_count, sizes, size_count, csv);
	printf("\n\n| from, to | predicted | steps counted | measured |\n| --- | --- | --- | --- |\n");
	for (int i = 1; i < way_count; i++)
		print_pair(&ways[i < 3 ? i - 1 : 2], &ways[i], sizes, size_count);
	fclose(csv);
	return 0;
}
