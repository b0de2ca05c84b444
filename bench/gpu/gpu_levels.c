/*
 * gpu_levels.c
 *	  X-TED's experiments (PVLDB 17(7), 2024, section 7), its algorithm beside ours.
 *
 *	gpu_levels check PAIRS SEED      random pairs of all shapes by levels against the core, twice
 *	gpu_levels ablation FILE...      the first two trees of each file, in more and more ways
 *	gpu_levels random                random recursive trees: time and memory
 *	gpu_levels crossings             sizes of tables from which larger workers are faster
 *	gpu_levels limits PAIRS FILE...  a batch with less and less of the device's memory
 *
 * Rows for plots are added to build/bench/gpu.csv and gpu_memory.csv.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../trees.h"
#include "../../test/core/trees.h"
#include "gpu_levels.h"

#define RUNS 3

/* The most seconds for the table of the roots in a way, and for the repetitions of a run. */
#define MOST_TABLE_SECONDS 0.2
#define MOST_RUN_SECONDS 0.2

/* The most nodes for which a single block is timed. */
#define MOST_ALONE 6000

/* Returns the median time of a pair by levels, in seconds. */
double
levels_seconds(Levels *levels, int32_t expected)
{
	double seconds[RUNS];

	int runs = 0;

	do
	{
		int32_t distance = levels_run(levels, &seconds[runs++]);

		if (distance != expected)
		{
			fprintf(stderr, "by levels: %d, not %d\n", distance, expected);
			exit(1);
		}
	} while (runs < RUNS && seconds[0] < MOST_RUN_SECONDS);
	return median(seconds, runs);
}

/* Opens a file of build/bench for further rows. */
FILE *
open_csv(const char *name)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "build/bench/%s.csv", name);
	file = fopen(path, "a");
	if (file == NULL)
	{
		perror(path);
		exit(1);
	}
	return file;
}

/* Chooses random thresholds, so that each way gets tables. */
static TedThresholds
random_thresholds(void)
{
	TedThresholds thresholds = {.warp = 1 + random_below(12)};

	thresholds.block = thresholds.warp + random_below(40);
	thresholds.multi = thresholds.block + random_below(80);
	return thresholds;
}

/* Checks random pairs of all shapes by levels against the core, each computed twice. */
static int
run_check(int64_t pairs, uint64_t seed)
{
	static TestTree a;
	static TestTree b;
	const TedTree *pointers[] = {&a.tree, &b.tree};
	TedPair pair = {0, 1, TED_NO_LIMIT};
	int64_t wrong = 0;

	random_state = seed;
	for (int64_t i = 0; i < pairs; i++)
	{
		static const int32_t labels[] = {1, 2, 5, 50, 100000};
		int32_t most = i % 4 == 3 ? 300 : i % 4 == 2 ? 100 : 30;
		TedCosts costs = choose_costs((uint64_t) i);
		TedThresholds thresholds = random_thresholds();
		Levels *levels;
		int32_t expected;

		make_tree(&a, (Shape) random_below(SHAPES), 1 + (int32_t) random_below((uint32_t) most),
				  labels[random_below(5)], 0);
		make_tree(&b, (Shape) random_below(SHAPES), 1 + (int32_t) random_below((uint32_t) most),
				  labels[random_below(5)], random_below(4) == 0 ? 200000 : 0);
		reference(pointers, &pair, 1, costs, &expected);
		levels = levels_create(&a.tree, &b.tree, costs, &thresholds);
		for (int run = 0; run < 2; run++)
		{
			double seconds;
			int32_t distance = levels_run(levels, &seconds);

			if (distance != expected && wrong++ < 10)
				printf("pair %lld, sizes %d %d, costs %d %d %d, thresholds %g %g %g: %d, not %d\n",
					   (long long) i, a.tree.size, b.tree.size, costs.insert, costs.delete_,
					   costs.rename, thresholds.warp, thresholds.block, thresholds.multi, distance,
					   expected);
		}
		levels_free(levels);
	}
	printf("%lld pairs by levels, two runs each: %lld wrong\n", (long long) pairs,
		   (long long) wrong);
	return wrong > 0;
}

/* A set of ways, and the model's worker for the largest tables. */
typedef struct Ablation
{
	const char *name;
	TedWorker largest;
	TedThresholds thresholds;
} Ablation;

/* Times a pair in some ways, unless the root's table alone would take too long; 0 then. */
static double
ablation_seconds(const Ablation *ablation, const TedTree *pair, int32_t expected, int32_t *launches)
{
	double table = ted_xted_seconds(sqrt((double) pair[0].size * pair[1].size),
									ablation->largest.threads, ablation->largest.cell);
	Levels *levels;
	double seconds;

	if (table > MOST_TABLE_SECONDS)
		return 0;
	levels = levels_create(&pair[0], &pair[1], TED_UNIT_COSTS, &ablation->thresholds);
	if (levels == NULL)
		return 0;
	seconds = levels_seconds(levels, expected);
	*launches = levels_launches(levels);
	levels_free(levels);
	return seconds;
}

/* Times the first two trees of each file by levels, with more and more ways to compute a table. */
static int
run_ablation(char **paths, int count)
{
	TedThresholds all = ted_xted_thresholds(&ted_xted_steps, LEVELS_MOST_BLOCKS);
	TedWorker warp = {TED_THREADS_WARP, ted_xted_steps.unit + ted_xted_steps.sync_warp};
	TedWorker block = {LEVELS_BLOCK, ted_xted_steps.unit + ted_xted_steps.sync_block};
	Ablation ablations[] = {
		{"thread", {1, ted_xted_steps.unit}, {INFINITY, INFINITY, INFINITY, 0}},
		{"+ warp", warp, {all.warp, INFINITY, INFINITY, 0}},
		{"+ block", block, {all.warp, all.block, INFINITY, 0}},
		{"+ several blocks", block, all},
	};
	FILE *csv = open_csv("gpu");

	printf(
		"Milliseconds of the kernels; a warp computes tables from %.1f^2 cells on, a block from "
		"%.1f^2, several blocks from %.1f^2.\n\n"
		"| pair | nodes | launches | thread | + warp | + block | + several blocks | one kernel | "
		"times |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
		all.warp, all.block, all.multi);
	for (int i = 0; i < count; i++)
	{
		const char *name = strrchr(paths[i], '/') == NULL ? paths[i] : strrchr(paths[i], '/') + 1;
		int series = (int) strcspn(name, "_.");
		TedTree trees[2];
		const TedTree *pointers[] = {&trees[0], &trees[1]};
		TedPair pair = {0, 1, TED_NO_LIMIT};
		int32_t expected;
		int32_t launches = 0;
		int64_t memory;
		double seconds[4];
		double ours;

		if (read_file(paths[i], trees, 2) != 2)
			continue;
		reference(pointers, &pair, 1, TED_UNIT_COSTS, &expected);
		ours = pair_seconds(pointers, expected, &memory);
		fprintf(csv, "%.*s,%d,one kernel,%g\n", series, name, trees[0].size, ours);
		for (int way = 0; way < 4; way++)
		{
			seconds[way] = ablation_seconds(&ablations[way], trees, expected, &launches);
			if (seconds[way] > 0)
				fprintf(csv, "%.*s,%d,%s,%g\n", series, name, trees[0].size, ablations[way].name,
						seconds[way]);
		}
		printf("| %s | %d, %d | %d |", name, trees[0].size, trees[1].size, launches);
		for (int way = 0; way < 4; way++)
			seconds[way] > 0 ? printf(" %.2f |", 1e3 * seconds[way]) : printf(" |");
		printf(" %.3f | %.1f |\n", 1e3 * ours, seconds[3] / ours);
	}
	fclose(csv);
	return 0;
}

/* Measures time and memory for random recursive trees of 1,000 to 9,000 nodes. */
static int
run_random(void)
{
	TedThresholds thresholds = ted_xted_thresholds(&ted_xted_steps, LEVELS_MOST_BLOCKS);
	FILE *csv = open_csv("gpu");
	FILE *memory_csv = open_csv("gpu_memory");

	printf("| nodes | M cells | one kernel ms | G cells/s | one block ms | a launch a level ms | "
		   "CPU core ms | one kernel MB | a launch a level MB |\n"
		   "| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
	for (int32_t size = 1000; size <= 9000; size += 1000)
	{
		TreeEvents events[2] = {random_tree(size), random_tree(size)};
		TedTree trees[2] = {tree_of_events(&events[0]), tree_of_events(&events[1])};
		const TedTree *pointers[] = {&trees[0], &trees[1]};
		TedPair pair = {0, 1, TED_NO_LIMIT};
		Levels *levels = levels_create(&trees[0], &trees[1], TED_UNIT_COSTS, &thresholds);
		double cells = cells_of(&trees[0], &trees[1]);
		int32_t expected;
		int64_t memory;
		int64_t memory_alone;
		double cpu = compute_on_cpu(trees, 2, &pair, 1, &expected);
		double seconds = pair_seconds(pointers, expected, &memory);
		double alone = 0;

		fprintf(csv, "random,%d,one kernel,%g\nrandom,%d,CPU core,%g\n", size, seconds, size, cpu);
		fprintf(memory_csv, "random,%d,one kernel,%lld\n", size, (long long) memory);
		printf("| %d | %.1f | %.2f | %.1f |", size, 1e-6 * cells, 1e3 * seconds,
			   1e-9 * cells / seconds);
		if (size <= MOST_ALONE)
		{
			ted_gpu_may_share = false;
			alone = pair_seconds(pointers, expected, &memory_alone);
			ted_gpu_may_share = true;
			fprintf(csv, "random,%d,one block,%g\n", size, alone);
			printf(" %.1f |", 1e3 * alone);
		}
		else
			printf(" |");
		if (levels != NULL)
		{
			double by_levels = levels_seconds(levels, expected);

			fprintf(csv, "random,%d,a launch a level,%g\n", size, by_levels);
			fprintf(memory_csv, "random,%d,a launch a level,%lld\n", size,
					(long long) levels_memory(levels));
			printf(" %.1f | %.1f | %.0f | %.0f |\n", 1e3 * by_levels, 1e3 * cpu,
				   1e-6 * (double) memory, 1e-6 * (double) levels_memory(levels));
			levels_free(levels);
		}
		else
			printf(" | %.1f | %.0f | |\n", 1e3 * cpu, 1e-6 * (double) memory);
	}
	fclose(csv);
	fclose(memory_csv);
	return 0;
}

/* Runs the command of the arguments. */
int
main(int argc, char **argv)
{
	const char *command = argc < 2 ? "" : argv[1];

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (strcmp(command, "limits") == 0 && argc > 3) /* opens the device with each limit */
		return run_limits(atoll(argv[2]), argv + 3, argc - 3);
	open_device(USUAL_MEMORY);
	if (strcmp(command, "check") == 0 && argc == 4)
		return run_check(atoll(argv[2]), (uint64_t) atoll(argv[3]));
	if (strcmp(command, "ablation") == 0)
		return run_ablation(argv + 2, argc - 2);
	if (strcmp(command, "random") == 0)
		return run_random();
	if (strcmp(command, "crossings") == 0)
		return run_crossings();
	fprintf(stderr, "usage: gpu_levels check PAIRS SEED | ablation FILE... | random | crossings | "
					"limits PAIRS FILE...\n");
	return 2;
}
