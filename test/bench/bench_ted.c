/*
 * bench_ted.c
 *	  Times the exact tree edit distance against the textbook algorithm.
 *
 * usage: bench_ted [FILE...]	(trees in bracket notation, one a line)
 *
 * Every file is one case: its first two trees where these have 400 nodes or
 * more, else all pairs of its first trees.  Without files, random trees.  All
 * programs are run in turn, again and again; medians, and from the least to
 * the greatest ratio.  The baseline takes the cheaper of left and right, too.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "../../src/core/sweep.h"
#include "../../src/core/zhang_shasha.h"
#include "../core/random.h"
#include "plain.h"

#define MAX_TREES 10
#define MAX_PAIRS (MAX_TREES * MAX_TREES)
#define ROUNDS 11
#define SINGLE_PAIR_NODES 400

/* The baseline, then the kinds of vectors. */
#define PROGRAMS 4

static const char *const programs[PROGRAMS] = {"plain C", "no vectors", "AVX2", "AVX-512"};

typedef struct Case
{
	TedTree trees[MAX_TREES];
	int count;
	int pairs;
} Case;

static const TedInterrupt never = {0};

/* Seconds of processor time. */
static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double) t.tv_sec + (double) t.tv_nsec * 1e-9;
}

/* Number of a label among those seen so far. */
static int32_t
intern(const char *label, size_t length)
{
	static char *labels[1 << 20];
	static int32_t count;

	for (int32_t i = 0; i < count; i++)
		if (strlen(labels[i]) == length && memcmp(labels[i], label, length) == 0)
			return i;
	labels[count] = malloc(length + 1);
	memcpy(labels[count], label, length);
	labels[count][length] = '\0';
	return count++;
}

/* Makes a tree of its arrays. */
static TedTree
finish_tree(int32_t size, int32_t *label, int32_t *subtree_size)
{
	TedTree tree = {.size = size, .label = label, .subtree_size = subtree_size};
	size_t bytes = sizeof(int32_t) * (size_t) size;

	ted_tree_index(&tree, malloc(bytes), malloc(bytes));
	return tree;
}

/* Reads a tree in bracket notation. */
static TedTree
read_tree(const char *text)
{
	size_t most = strlen(text);
	int32_t *label = malloc(sizeof(int32_t) * most);
	int32_t *subtree_size = malloc(sizeof(int32_t) * most);
	int32_t *open_label = malloc(sizeof(int32_t) * most);
	int32_t *begin = malloc(sizeof(int32_t) * most);
	int32_t depth = 0;
	int32_t size = 0;

	for (const char *p = text; *p == '{' || *p == '}';)
	{
		if (*p++ == '}')
		{
			depth--;
			label[size] = open_label[depth];
			subtree_size[size] = size - begin[depth] + 1;
			size++;
		}
		else
		{
			const char *end = p;

			while (*end != '{' && *end != '}')
				end += *end == '\\' ? 2 : 1;
			open_label[depth] = intern(p, (size_t) (end - p));
			begin[depth++] = size;
			p = end;
		}
	}
	free(open_label);
	free(begin);
	return finish_tree(size, label, subtree_size);
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
	while (result.count < MAX_TREES && getline(&line, &room, file) > 0)
		result.trees[result.count++] = read_tree(line);
	free(line);
	fclose(file);
	if (result.count >= 2 && result.trees[0].size >= SINGLE_PAIR_NODES)
		result.count = 2;
	return result;
}

/* Makes random recursive trees. */
static Case
random_case(int32_t size, int count)
{
	Case result = {.count = count};

	for (int i = 0; i < count; i++)
	{
		int32_t *label = malloc(sizeof(int32_t) * (size_t) size);
		int32_t *subtree_size = malloc(sizeof(int32_t) * (size_t) size);
		int32_t *end = malloc(sizeof(int32_t) * (size_t) size); /* sizes of the open subtrees */
		int32_t depth = 0;
		int32_t opened = 0;
		int32_t x = 0;

		while (x < size)
			if (opened < size &&
				(depth == 0 || random_below(100) < 55 || (depth == 1 && x + 1 < size)))
			{
				end[depth++] = x;
				opened++;
			}
			else
			{
				depth--;
				label[x] = (int32_t) random_below(50);
				subtree_size[x] = x - end[depth] + 1;
				x++;
			}
		free(end);
		result.trees[i] = finish_tree(size, label, subtree_size);
	}
	return result;
}

/* Computes a pair with one of the programs. */
static int32_t
run(int program, const TedTree *a, const TedTree *b, TedArena *arena)
{
	int32_t distance = -1;

	if (program == 0)
	{
		TedPairView view;
		size_t used = arena->used;

		if (ted_orient(a, b, arena, &view) == TED_OK)
			distance = plain_distance(&view.a, &view.b);
		arena->used = used;
		return distance;
	}
	ted_simd_limit = (TedSimd) (program - 1);
	if (ted_distance(a, b, &TED_UNIT_COSTS, arena, &never, &distance) != TED_OK)
		exit(1);
	return distance;
}

/* Cells of the cheaper decomposition. */
static double
cells(const TedTree *a, const TedTree *b, TedArena *arena)
{
	double sum_a = 0;
	double sum_b = 0;
	size_t used = arena->used;
	TedPairView view;

	if (ted_orient(a, b, arena, &view) != TED_OK)
		exit(1);
	for (int32_t x = 0; x < view.a.size; x++)
		sum_a += view.a.key_root[x] == x ? view.a.subtree_size[x] : 0;
	for (int32_t y = 0; y < view.b.size; y++)
		sum_b += view.b.key_root[y] == y ? view.b.subtree_size[y] : 0;
	arena->used = used;
	return sum_a * sum_b;
}

/* Orders numbers. */
static int
compare(const void *a, const void *b)
{
	double x = *(const double *) a;
	double y = *(const double *) b;

	return (x > y) - (x < y);
}

/* Median of the rounds, which it sorts. */
static double
median(double *values)
{
	qsort(values, ROUNDS, sizeof(double), compare);
	return values[ROUNDS / 2];
}

/* Times one case and prints its row. */
static void
bench(const char *name, const Case *c)
{
	double seconds[PROGRAMS][ROUNDS];
	double ratio[ROUNDS];
	double all_cells = 0;
	int pairs = 0;
	int64_t nodes = 0;
	size_t bytes = 1 << 20;
	TedArena arena;

	for (int i = 0; i < c->count; i++)
		for (int j = i + 1; j < c->count; j++)
			for (int program = 1; program < PROGRAMS; program++)
			{
				size_t needed;

				ted_simd_limit = (TedSimd) (program - 1);
				needed = ted_distance_memory(&c->trees[i], &c->trees[j], &TED_UNIT_COSTS) +
						 ((size_t) 64 * (size_t) (c->trees[i].size + c->trees[j].size));
				bytes = needed > bytes ? needed : bytes;
			}
	arena =
		(TedArena){.base = aligned_alloc(TED_ARENA_ALIGN, ted_arena_bytes(bytes)), .size = bytes};

	for (int round = 0; round < ROUNDS; round++)
	{
		for (int program = 0; program < PROGRAMS; program++)
		{
			double start = now();
			int repeat = c->trees[0].size < SINGLE_PAIR_NODES ? 5 : 1;

			for (int again = 0; again < repeat; again++)
				for (int i = 0; i < c->count; i++)
					for (int j = i + 1; j < c->count; j++)
						run(program, &c->trees[i], &c->trees[j], &arena);
			seconds[program][round] = (now() - start) / repeat;
		}
		ratio[round] = seconds[0][round] / seconds[PROGRAMS - 1][round];
	}
	for (int i = 0; i < c->count; i++)
	{
		nodes += c->trees[i].size;
		for (int j = i + 1; j < c->count; j++, pairs++)
		{
			all_cells += cells(&c->trees[i], &c->trees[j], &arena);
			for (int program = 1; program < PROGRAMS; program++)
				if (run(program, &c->trees[i], &c->trees[j], &arena) !=
					run(0, &c->trees[i], &c->trees[j], &arena))
				{
					fprintf(stderr, "%s: %s gives another distance\n", name, programs[program]);
					exit(1);
				}
		}
	}

	printf("| %s | %d | %lld | %.2f |", name, pairs, (long long) (nodes / c->count),
		   all_cells / 1e6);
	for (int program = 0; program < PROGRAMS; program++)
		printf(" %.3f |", median(seconds[program]) * 1e3);
	median(ratio);
	printf(" %.1f | %.1f (%.1f to %.1f) | %.2f |\n",
		   seconds[0][ROUNDS / 2] / seconds[2][ROUNDS / 2], ratio[ROUNDS / 2], ratio[0],
		   ratio[ROUNDS - 1], all_cells / seconds[PROGRAMS - 1][ROUNDS / 2] / 1e9);
	free(arena.base);
}

int
main(int argc, char **argv)
{
	if (ted_simd() != TED_SIMD_AVX512)
		printf("This processor lacks AVX-512; its column repeats the best that there is.\n\n");
	printf("| case | pairs | nodes | M cells |");
	for (int program = 0; program < PROGRAMS; program++)
		printf(" %s, ms |", programs[program]);
	printf(" AVX2 ratio | AVX-512 ratio (spread) | G cells/s |\n");
	printf("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
	for (int i = 1; i < argc; i++)
	{
		Case c = read_case(argv[i]);
		const char *slash = strrchr(argv[i], '/');

		bench(slash == NULL ? argv[i] : slash + 1, &c);
	}
	random_state = 1;
	for (int32_t size = 20; size <= 80; size *= 2)
	{
		Case c = random_case(size, MAX_TREES);
		char name[32];

		snprintf(name, sizeof(name), "random, %d", size);
		bench(name, &c);
	}
	for (int32_t size = 500; size <= 4000; size *= 2)
	{
		Case c = random_case(size, 2);
		char name[32];

		snprintf(name, sizeof(name), "random, %d", size);
		bench(name, &c);
	}
	return 0;
}
