/*
 * bench_instructions.c
 *	  Runs one case of the benchmark a number of times, for a program that counts instructions.
 *
 * usage: bench_instructions CASE BYTES TIMES
 *
 * CASE is a number from 0 on, BYTES the width of the widest vectors to use, 0 for none.  Prints
 * the name of the case and its cells.  The difference between the counts of N runs and of 2 N
 * is that of N runs alone.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../src/core/common/processor_tuning.h"
#include "../src/core/string/lcs.h"
#include "../test/core/random.h"
#include "bench.h"
#include "trees.h"

#define MOST_TREES 20
#define LONGEST 8000

/* Trees of which all pairs are compared, or two strings. */
static TedTree trees[MOST_TREES];
static int tree_count;
static int32_t limit;
static uint8_t strings[2][LONGEST];
static int32_t length;

/* Makes trees of a kind. */
static void
make_trees(TreeEvents (*make)(int32_t size), int32_t size, int count)
{
	tree_count = count;
	for (int i = 0; i < count; i++)
	{
		TreeEvents events = make(size);

		trees[i] = tree_of_events(&events);
	}
}

/* Makes a tree of a kind, and a copy with as many edits as the limit allows. */
static void
make_copies(TreeEvents (*make)(int32_t size), int32_t size, int32_t edits)
{
	TreeEvents original = make(size);
	TreeEvents edited = edited_tree(&original, edits);

	tree_count = 2;
	limit = edits;
	trees[0] = tree_of_events(&original);
	trees[1] = tree_of_events(&edited);
}

/* Makes two random strings of 20 letters. */
static void
make_strings(int32_t symbols)
{
	length = symbols;
	for (int32_t i = 0; i < symbols; i++)
	{
		strings[0][i] = (uint8_t) random_below(20);
		strings[1][i] = (uint8_t) random_below(20);
	}
}

/* Compares one tree with all others at once. */
static void
run_one_to_many(void)
{
	int32_t distances[MOST_TREES];

	bench_one_to_many(trees, 0, tree_count, distances);
}

/* Compares the first two trees. */
static void
run_exact(void)
{
	bench_distance(&trees[0], &trees[1], TED_NO_LIMIT);
}

/* Compares the first two trees up to the limit. */
static void
run_bounded(void)
{
	bench_distance(&trees[0], &trees[1], limit);
}

/* Compares the strings. */
static void
run_lcs(void)
{
	LcsText x = {strings[0], length};
	LcsText y = {strings[1], length};
	int32_t common;

	bench_check(lcs_pair_length(&x, &y, 1, 0, bench_arena(lcs_pair_memory(length, length, 1)),
								&bench_never, &common));
}

/* Pairs of nodes or of symbols in a case. */
static double
cells(void)
{
	double sum = (double) length * length;

	for (int i = 1; i < tree_count; i++)
		sum += (double) trees[0].size * trees[i].size;
	return sum;
}

int
main(int argc, char **argv)
{
	static void (*const run[])(void) = {run_exact,   run_exact,   run_one_to_many, run_bounded,
										run_bounded, run_bounded, run_lcs,         run_lcs};
	static const char *const name[] = {"exact, random, 1000 nodes",
									   "exact, zigzag, 250 nodes",
									   "one against 19, random, 80 nodes",
									   "at most 3, random, 1000 nodes",
									   "at most 50, random, 1000 nodes",
									   "at most 50, zigzag, 1000 nodes",
									   "LCS, 50 letters",
									   "LCS, 8,000 letters"};
	int which = argc == 4 ? atoi(argv[1]) : -1;
	int bytes = argc == 4 ? atoi(argv[2]) : 0;

	if (which < 0 || which >= (int) (sizeof(run) / sizeof(run[0])))
	{
		fprintf(stderr, "usage: bench_instructions CASE BYTES TIMES\n");
		return 1;
	}
	random_state = 1;
	if (which == 0)
		make_trees(random_tree, 1000, 2);
	if (which == 1)
		make_trees(zigzag_tree, 250, 2);
	if (which == 2)
		make_trees(random_tree, 80, 20);
	if (which == 3)
		make_copies(random_tree, 1000, 3);
	if (which == 4)
		make_copies(random_tree, 1000, 50);
	if (which == 5)
		make_copies(zigzag_tree, 1000, 50);
	if (which == 6)
		make_strings(50);
	if (which == 7)
		make_strings(8000);
	ted_tuning.simd_limit = bytes >= 64   ? TED_SIMD_AVX512
							: bytes >= 32 ? TED_SIMD_AVX2
							: bytes >= 16 ? TED_SIMD_NEON
										  : TED_SIMD_NONE;
	for (int i = atoi(argv[3]); i > 0; i--)
		run[which]();
	printf("%s: %.0f cells\n", name[which], cells());
	return 0;
}
