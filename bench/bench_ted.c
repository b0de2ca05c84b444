/*
 * bench_ted.c
 *	  Times the tree edit distance: exact, bounded, and with its mapping.
 *
 * usage: bench_ted [FILE...]	(trees in bracket notation, one a line)
 *
 * Every file is one case of the exact distance: its first two trees where
 * these have 400 nodes or more, else all pairs of its first trees.  Random
 * trees follow.  The textbook algorithm takes the cheaper of the left and the
 * right decomposition, too.
 */
#include <stdlib.h>
#include <string.h>

#include "../src/core/common/simd.h"
#include "../src/core/tree/exact/vector_tables.h"
#include "../src/core/tree/mirror.h"
#include "../src/core/tree/exact/zhang_shasha.h"
#include "../test/core/random.h"
#include "bench.h"
#include "plain.h"
#include "trees.h"

#define MAX_TREES 100
#define FILE_TREES 10
#define SINGLE_PAIR_NODES 400

/* Trees of which all pairs are compared, up to a limit where an algorithm has one. */
typedef struct Case
{
	TedTree trees[MAX_TREES];
	int count;
	int32_t limit;
} Case;

/* Computes one pair. */
typedef int32_t (*PairFunction)(const TedTree *a, const TedTree *b, int32_t limit);

/* Sum of what a function gives for all pairs of a case. */
static int32_t
all_pairs(const Case *c, PairFunction function)
{
	int32_t sum = 0;

	for (int i = 0; i < c->count; i++)
		for (int j = i + 1; j < c->count; j++)
			sum += function(&c->trees[i], &c->trees[j], c->limit);
	return sum;
}

/* The exact distance. */
static int32_t
exact_pair(const TedTree *a, const TedTree *b, int32_t limit)
{
	(void) limit;
	return bench_distance(a, b, TED_NO_LIMIT);
}

/* The cost of an optimal mapping. */
static int32_t
mapping_pair(const TedTree *a, const TedTree *b, int32_t limit)
{
	int32_t *map_a = malloc((size_t) a->size * sizeof(int32_t));
	int32_t *map_b = malloc((size_t) b->size * sizeof(int32_t));
	int32_t cost = b->size;
	int32_t distance;
	TedPairPlan plan = ted_plan_mapping(a, b, &TED_UNIT_COSTS, TED_NO_LIMIT);

	(void) limit;
	bench_check(ted_pair_mapping(&plan, NULL, bench_arena(plan.bytes), &bench_never, map_a, map_b,
								 &distance));
	for (int32_t x = 0; x < a->size; x++)
		cost += map_a[x] < 0 ? 1 : (a->label[x] != b->label[map_a[x]]) - 1;
	free(map_a);
	free(map_b);
	return cost;
}

/* The textbook algorithm. */
static int32_t
plain_pair(const TedTree *a, const TedTree *b, int32_t limit)
{
	TedPairView view;

	(void) limit;
	bench_check(ted_orient(a, b, bench_arena(ted_orient_memory(a, b)), &bench_never, &view));
	return plain_distance(&view.a, &view.b);
}

/* Exact distances with vectors up to these. */
static int32_t
exact_limited(const Case *c, TedSimd simd)
{
	int32_t sum;

	ted_tuning.simd_limit = simd;
	sum = all_pairs(c, exact_pair);
	ted_tuning.simd_limit = TED_SIMD_AVX512;
	return sum;
}

/* The programs, on a case. */
static int32_t
run_exact(const void *arg)
{
	return all_pairs(arg, exact_pair);
}

static int32_t
run_avx2(const void *arg)
{
	return exact_limited(arg, TED_SIMD_AVX2);
}

static int32_t
run_no_vectors(const void *arg)
{
	return exact_limited(arg, TED_SIMD_NONE);
}

static int32_t
run_bounded(const void *arg)
{
	return all_pairs(arg, bench_distance);
}

static int32_t
run_mapping(const void *arg)
{
	return all_pairs(arg, mapping_pair);
}

static int32_t
run_plain(const void *arg)
{
	return all_pairs(arg, plain_pair);
}

/* Each tree against all that follow it, at once. */
static int32_t
one_against_many(const Case *c, TedSimd simd)
{
	int32_t distances[MAX_TREES];
	int32_t sum = 0;

	ted_tuning.simd_limit = simd;
	for (int i = 0; i < c->count; i++)
	{
		int many = c->count - i - 1;

		bench_one_to_many(c->trees, i, c->count, distances);
		for (int j = 0; j < many; j++)
			sum += distances[j];
	}
	ted_tuning.simd_limit = TED_SIMD_AVX512;
	return sum;
}

static int32_t
run_many(const void *arg)
{
	return one_against_many(arg, TED_SIMD_AVX512);
}

static int32_t
run_many_avx2(const void *arg)
{
	return one_against_many(arg, TED_SIMD_AVX2);
}

/* Cells of the cheaper decompositions of all pairs. */
static double
cells(const Case *c)
{
	double sum = 0;

	for (int i = 0; i < c->count; i++)
		for (int j = i + 1; j < c->count; j++)
		{
			const TedTree *a = &c->trees[i];
			const TedTree *b = &c->trees[j];
			TedPairView view;
			double sum_a = 0;
			double sum_b = 0;

			bench_check(
				ted_orient(a, b, bench_arena(ted_orient_memory(a, b)), &(TedInterrupt){0}, &view));
			for (int32_t x = 0; x < view.a.size; x++)
				sum_a += view.a.key_root[x] == x ? view.a.subtree_size[x] : 0;
			for (int32_t y = 0; y < view.b.size; y++)
				sum_b += view.b.key_root[y] == y ? view.b.subtree_size[y] : 0;
			sum += sum_a * sum_b;
		}
	return sum;
}

/* Times one case. */
static void
bench_trees(Bench *bench, const char *series, const Case *c)
{
	double nodes = 0;

	for (int i = 0; i < c->count; i++)
		nodes += c->trees[i].size;
	bench_case(bench, series, nodes / c->count, cells(c), c);
}

/* Reads the trees of a file. */
static Case
read_case(const char *path)
{
	Case result = {0};
	FILE *file = fopen(path, "r");
	char *line = NULL;
	size_t room = 0;

	if (file == NULL)
	{
		perror(path);
		exit(1);
	}
	while (result.count < FILE_TREES && getline(&line, &room, file) > 0)
		result.trees[result.count++] = read_tree(line);
	free(line);
	fclose(file);
	if (result.count >= 2 && result.trees[0].size >= SINGLE_PAIR_NODES)
		result.count = 2;
	return result;
}

/* Makes unrelated random trees. */
static Case
random_case(int32_t size, int count)
{
	Case result = {.count = count};

	for (int i = 0; i < count; i++)
	{
		TreeEvents events = random_tree(size);

		result.trees[i] = tree_of_events(&events);
	}
	return result;
}

/* Makes a tree of a kind and a near-duplicate within the limit. */
static Case
edited_case(TreeEvents (*make)(int32_t size), int32_t size, int32_t limit)
{
	Case result = {.count = 2, .limit = limit};
	TreeEvents original = make(size);
	TreeEvents edited = edited_tree(&original, limit);

	result.trees[0] = tree_of_events(&original);
	result.trees[1] = tree_of_events(&edited);
	return result;
}

/* The exact distance, on files and on random trees. */
static void
bench_exact(char **files, int count)
{
	static const BenchProgram programs[] = {{"core", run_exact},
											{"AVX2", run_avx2},
											{"no vectors", run_no_vectors},
											{"textbook", run_plain}};
	Bench bench;

	bench_begin(&bench, "ted", "Exact distance", programs, 4);
	for (int i = 0; i < count; i++)
	{
		const char *slash = strrchr(files[i], '/');
		Case c = read_case(files[i]);

		bench_trees(&bench, slash == NULL ? files[i] : slash + 1, &c);
	}
	for (int32_t size = 20; size <= 160; size *= 2)
	{
		Case c = random_case(size, FILE_TREES);

		bench_trees(&bench, "random (45 pairs)", &c);
	}
	for (int32_t size = 500; size <= 8000; size *= 2)
	{
		Case c = random_case(size, 2);

		bench_trees(&bench, "random", &c);
	}
	for (int32_t size = 125; size <= 1000; size *= 2)
	{
		TreeEvents a = zigzag_tree(size);
		TreeEvents b = zigzag_tree(size);
		Case c = {.trees = {tree_of_events(&a), tree_of_events(&b)}, .count = 2};

		bench_trees(&bench, "zigzag", &c);
	}
	bench_end(&bench);
}

/* Small trees, each against all that follow. */
static void
bench_many(char **files, int count)
{
	static const BenchProgram programs[] = {{"one against many", run_many},
											{"AVX2", run_many_avx2},
											{"pair by pair", run_exact},
											{"textbook", run_plain}};
	Bench bench;

	bench_begin(&bench, "many", "One tree against many", programs, 4);
	for (int i = 0; i < count; i++)
	{
		const char *slash = strrchr(files[i], '/');
		Case c = read_case(files[i]);

		if (c.count > 2)
			bench_trees(&bench, slash == NULL ? files[i] : slash + 1, &c);
	}
	for (int32_t size = 10; size <= 160; size *= 2)
	{
		Case c = random_case(size, MAX_TREES);

		bench_trees(&bench, "random (4950 pairs)", &c);
	}
	bench_end(&bench);
}

/* The bounded distance of near-duplicates. */
static void
bench_bounded(void)
{
	static const BenchProgram programs[] = {
		{"bounded", run_bounded}, {"exact", run_exact}, {"textbook", run_plain}};
	static const int32_t limits[] = {3, 10, 50};
	Bench bench;

	bench_begin(&bench, "bounded", "Bounded distance of near-duplicates", programs, 3);
	for (int i = 0; i < 3; i++)
		for (int32_t size = 125; size <= 8000; size *= 2)
		{
			Case c = edited_case(random_tree, size, limits[i]);
			char series[32];

			snprintf(series, sizeof(series), "k = %d", limits[i]);
			bench_trees(&bench, series, &c);
		}
	for (int32_t size = 125; size <= 16000; size *= 2)
	{
		Case c = edited_case(zigzag_tree, size, 50);

		bench_trees(&bench, "zigzag, k = 50", &c);
	}
	bench_end(&bench);
}

/* The mapping against the distance alone. */
static void
bench_mapping(void)
{
	static const BenchProgram programs[] = {
		{"mapping", run_mapping}, {"distance", run_exact}, {"textbook distance", run_plain}};
	Bench bench;

	bench_begin(&bench, "mapping", "Mapping", programs, 3);
	for (int32_t size = 125; size <= 4000; size *= 2)
	{
		Case c = random_case(size, 2);

		bench_trees(&bench, "random", &c);
	}
	for (int32_t size = 125; size <= 4000; size *= 2)
	{
		Case c = edited_case(random_tree, size, 10);

		bench_trees(&bench, "10 edits", &c);
	}
	bench_end(&bench);
}

int
main(int argc, char **argv)
{
	random_state = 1;
	if (ted_simd() != TED_SIMD_AVX512)
		printf("This processor lacks AVX-512.\n");
	bench_exact(argv + 1, argc - 1);
	bench_many(argv + 1, argc - 1);
	bench_bounded();
	bench_mapping();
	return 0;
}
