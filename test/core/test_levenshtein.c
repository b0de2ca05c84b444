/*
 * test_levenshtein.c
 *	  Checks the Levenshtein distance against its definition, row by row.
 *
 * SEED and COUNT in the environment set the random strings and how many pairs
 * of them are tried for each alphabet.
 */
#include <stdlib.h>

#include "../../src/core/string/levenshtein.h"
#include "arenas.h"
#include "random.h"
#include "tap.h"

#define MAX_LENGTH 400

typedef struct String
{
	int32_t length;
	uint32_t symbol[MAX_LENGTH];
} String;

/* Makes a random string, or a copy of another one with some edits. */
static void
random_string(String *s, const String *other, uint32_t most, uint32_t alphabet)
{
	uint32_t first = random_below(2) ? 'a' : random_below(1 << 20);
	int32_t from = 0;

	s->length = (int32_t) random_below(most + 1);
	for (int32_t i = 0; i < s->length; i++, from++)
	{
		uint32_t edit = random_below(20);

		if (other != NULL && from < other->length && edit > 2)
			s->symbol[i] = other->symbol[from];
		else
			s->symbol[i] = first + random_below(alphabet);
		from += edit == 1 ? 1 : edit == 2 ? -1 : 0;
		from = from < 0 ? 0 : from;
	}
}

/* Returns the distance by definition. */
static int32_t
plain_distance(const String *a, const String *b)
{
	int32_t row[MAX_LENGTH + 1];

	for (int32_t j = 0; j <= b->length; j++)
		row[j] = j;
	for (int32_t i = 0; i < a->length; i++)
	{
		int32_t diagonal = row[0]++;

		for (int32_t j = 1; j <= b->length; j++)
		{
			int32_t replaced = diagonal + (a->symbol[i] != b->symbol[j - 1]);

			diagonal = row[j];
			row[j] = ted_min(replaced, 1 + ted_min(row[j], row[j - 1]));
		}
	}
	return row[b->length];
}

/*
 * Returns the distance by the core in an arena of the reported size; -1 if it takes more memory
 * or keeps some.
 */
static int32_t
core_distance(const String *a, const String *b)
{
	size_t pattern_bytes = lcs_pattern_memory(a->symbol, a->length);
	size_t bytes = pattern_bytes + ted_levenshtein_memory(a->length, b->length);
	char *block = malloc(bytes + TED_ARENA_ALIGN);
	TedArena arena = ted_arena_in(block, bytes);
	const LcsPattern *pattern;
	int32_t distance = -1;

	if (lcs_prepare(a->symbol, a->length, &arena, &never, &pattern) == TED_OK)
	{
		size_t used = arena.used;

		if (ted_levenshtein_distance(pattern, b->symbol, b->length, &arena, &never, &distance) !=
				TED_OK ||
			arena.used != used)
			distance = -1;
	}
	free(block);
	return distance;
}

/* Tests random pairs over an alphabet. */
static void
test_random(uint32_t alphabet, uint64_t count)
{
	uint64_t agreeing = 0;

	for (uint64_t i = 0; i < count; i++)
	{
		static const uint32_t lengths[] = {3, 20, 70, 140, MAX_LENGTH};
		String a;
		String b;

		random_string(&a, NULL, lengths[random_below(5)], alphabet);
		random_string(&b, random_below(3) ? &a : NULL, lengths[random_below(5)], alphabet);
		agreeing += core_distance(&a, &b) == plain_distance(&a, &b);
	}
	ok(agreeing == count, "%d random pairs over %u symbols", (int) count, alphabet);
}

/* Tests lengths next to the ends of words, of equal symbols and of different ones. */
static void
test_lengths(void)
{
	static const int32_t lengths[] = {0, 1, 2, 63, 64, 65, 127, 128, 129, 192};
	bool good = true;

	for (int i = 0; i < 10; i++)
		for (int j = 0; j < 10; j++)
			for (uint32_t other = 0; other < 2; other++)
			{
				String a = {.length = lengths[i]};
				String b = {.length = lengths[j]};
				int32_t longer = ted_max(a.length, b.length);

				for (int32_t k = 0; k < b.length; k++)
					b.symbol[k] = other;
				good = good && core_distance(&a, &b) ==
								   (other ? longer : longer - ted_min(a.length, b.length));
			}
	ok(good, "lengths next to the ends of words");
}

/* Tests that a long comparison is cancelled, and that an arena that is too small is refused. */
static void
test_limits(int32_t m, int32_t n)
{
	uint32_t *symbol = calloc((size_t) ted_max(m, n), sizeof(uint32_t));
	size_t bytes = lcs_pattern_memory(symbol, m) + ted_levenshtein_memory(m, n);
	char *block = malloc(bytes + TED_ARENA_ALIGN);
	TedArena arena = ted_arena_in(block, bytes);
	int checks = 0;
	TedInterrupt stop = {countdown, &checks};
	const LcsPattern *pattern;
	int32_t distance;

	ok(lcs_prepare(symbol, m, &arena, &never, &pattern) == TED_OK &&
		   ted_levenshtein_distance(pattern, symbol, n, &arena, &stop, &distance) == TED_CANCELLED,
	   "%d and %d symbols are cancelled", m, n);
	if (m > LCS_WORD_BITS)
	{
		arena.size = arena.used;
		ok(ted_levenshtein_distance(pattern, symbol, n, &arena, &never, &distance) ==
			   TED_OUT_OF_ARENA,
		   "an arena without room for %d and %d symbols", m, n);
	}
	free(block);
	free(symbol);
}

int
main(void)
{
	static const uint32_t alphabets[] = {1, 2, 4, 26, 70000};
	uint64_t count = rounds(1000);

	random_state = setting("SEED", 1);
	for (size_t i = 0; i < sizeof(alphabets) / sizeof(alphabets[0]); i++)
		test_random(alphabets[i], count);
	test_lengths();
	test_limits(64, 3 * TED_STEPS_PER_CHECK);
	test_limits(30000, 3000);
	test_limits(65, 3 * TED_STEPS_PER_CHECK);
	return done_testing();
}
