/*
 * test_lcs_runs.c
 *	  Checks runs of edits against their definition, symbol by symbol.
 *
 * SEED and COUNT in the environment set the random strings and how many pairs
 * of them are tried for each alphabet.
 */
#include <stdlib.h>
#include <string.h>

#include "../../src/core/string/lcs.h"
#include "arenas.h"
#include "random.h"
#include "tap.h"

#define MAX_LENGTH 60

typedef struct String
{
	int32_t length;
	uint32_t symbol[MAX_LENGTH];
} String;

typedef struct Common
{
	int32_t length;
	int32_t a[MAX_LENGTH];
	int32_t b[MAX_LENGTH];
} Common;

/* Finds a longest common subsequence by the core. */
static void
longest(const String *a, const String *b, Common *common)
{
	static char block[1 << 20];
	TedArena arena = ted_arena_in(block, sizeof(block) - TED_ARENA_ALIGN);
	const LcsPattern *pattern;

	if (lcs_prepare(a->symbol, a->length, &arena, &never, &pattern) != TED_OK ||
		lcs_positions(pattern, b->symbol, b->length, &arena, &never, common->a, common->b,
					  &common->length) != TED_OK)
		abort();
}

/* Removes some pairs: any common subsequence has runs. */
static void
thin_out(Common *common)
{
	int32_t kept = 0;

	for (int32_t k = 0; k < common->length; k++)
	{
		common->a[kept] = common->a[k];
		common->b[kept] = common->b[k];
		kept += random_below(3) != 0;
	}
	common->length = kept;
}

/* Whether a position is in a list. */
static bool
has(const int32_t *position, int32_t count, int32_t which)
{
	for (int32_t k = 0; k < count; k++)
		if (position[k] == which)
			return true;
	return false;
}

/*
 * Finds the runs by definition: edits of one symbol, where those of neighbouring gaps or pairs
 * form one run.
 */
static int
plain_runs(const String *a, const String *b, const Common *common, LcsRun *run)
{
	int runs = 0;
	int32_t i = 0;
	int32_t j = 0;

	while (i < a->length || j < b->length)
	{
		bool deletes = i < a->length && !has(common->a, common->length, i);
		bool inserts = j < b->length && !has(common->b, common->length, j);
		bool equal = !deletes && !inserts;

		if (runs == 0 || (run[runs - 1].kind == LCS_RUN_EQUAL) != equal)
			run[runs++] = (LcsRun){LCS_RUN_EQUAL, i, i, j, j};
		i += deletes || equal;
		j += inserts || equal;
		run[runs - 1].a_to = i;
		run[runs - 1].b_to = j;
		if (!equal && run[runs - 1].b_from == j)
			run[runs - 1].kind = LCS_RUN_DELETE;
		else if (!equal)
			run[runs - 1].kind = run[runs - 1].a_from == i ? LCS_RUN_INSERT : LCS_RUN_REPLACE;
	}
	return runs;
}

/* Whether the next run is the expected one, and is equal if the expected one is. */
static bool
is_next(LcsRuns *runs, const String *a, const String *b, const LcsRun *expected)
{
	LcsRun run;
	bool found;

	if (lcs_next_run(runs, &never, &run, &found) != TED_OK || !found)
		return false;
	return run.kind == expected->kind && run.a_from == expected->a_from &&
		   run.a_to == expected->a_to && run.b_from == expected->b_from &&
		   run.b_to == expected->b_to &&
		   (run.kind != LCS_RUN_EQUAL ||
			memcmp(a->symbol + run.a_from, b->symbol + run.b_from,
				   sizeof(uint32_t) * (size_t) (run.a_to - run.a_from)) == 0);
}

/* Whether the runs of a common subsequence are those of the definition, and no more. */
static bool
agrees(const String *a, const String *b, const Common *common)
{
	LcsRun expected[2 * MAX_LENGTH + 1];
	LcsRun run;
	LcsRuns runs = {a->length, b->length, common->length, common->a, common->b, 0, 0, 0};
	int count = plain_runs(a, b, common, expected);
	int32_t i = 0;
	int32_t j = 0;
	bool same = true;
	bool found = true;

	for (int k = 0; k < count; k++)
	{
		same = same && expected[k].a_from == i && expected[k].b_from == j &&
			   is_next(&runs, a, b, &expected[k]);
		i = expected[k].a_to;
		j = expected[k].b_to;
	}
	same = same && i == a->length && j == b->length &&
		   lcs_next_run(&runs, &never, &run, &found) == TED_OK && !found;
	if (!same)
		printf("# lengths %d and %d, %d in common: not the runs of the definition\n", a->length,
			   b->length, common->length);
	return same;
}

/* Tests random pairs, by a longest common subsequence and by another one. */
static void
test_random(uint32_t alphabet, uint64_t count)
{
	uint64_t agreeing = 0;

	for (uint64_t i = 0; i < count; i++)
	{
		String a = {(int32_t) random_below(MAX_LENGTH + 1), {0}};
		String b = {(int32_t) random_below(MAX_LENGTH + 1), {0}};
		Common common;

		for (int32_t k = 0; k < MAX_LENGTH; k++)
		{
			a.symbol[k] = random_below(alphabet);
			b.symbol[k] = i % 2 == 0 || random_below(6) == 0 ? random_below(alphabet) : a.symbol[k];
		}
		longest(&a, &b, &common);
		agreeing += agrees(&a, &b, &common);
		thin_out(&common);
		agreeing += agrees(&a, &b, &common);
	}
	ok(agreeing == 2 * count, "%d random pairs over %u symbols", (int) (2 * count), alphabet);
}

/* Tests that a long run is cancelled. */
static void
test_cancel(void)
{
	enum
	{
		LENGTH = 3 * TED_STEPS_PER_CHECK
	};
	int32_t *position = malloc(LENGTH * sizeof(int32_t));
	LcsRuns runs = {LENGTH, LENGTH, LENGTH, position, position, 0, 0, 0};
	int checks = 1;
	TedInterrupt stop = {countdown, &checks};
	LcsRun run;
	bool found;

	for (int32_t i = 0; i < LENGTH; i++)
		position[i] = i;
	ok(lcs_next_run(&runs, &stop, &run, &found) == TED_CANCELLED, "a long run is cancelled");
	free(position);
}

int
main(void)
{
	static const uint32_t alphabets[] = {1, 2, 4, 26, 70000};
	uint64_t count = rounds(1000);

	random_state = setting("SEED", 1);
	for (size_t i = 0; i < sizeof(alphabets) / sizeof(alphabets[0]); i++)
		test_random(alphabets[i], count);
	test_cancel();
	return done_testing();
}
