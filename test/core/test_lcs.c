/*
 * test_lcs.c
 *	  Checks the bit-parallel LCS against the plain table of lengths.
 *
 * SEED and COUNT in the environment set the random strings and how many pairs
 * of them are tried for each alphabet.
 */
#include <stdlib.h>
#include <string.h>

#include "../../src/core/common/simd.h"
#include "../../src/core/string/lcs.h"
#include "../../src/core/tree/exact/vector_tables.h"
#include "arenas.h"
#include "definition.h"
#include "plain_lcs.h"
#include "random.h"
#include "tap.h"
#include "vectors.h"

#define MAX_LENGTH 4200

typedef struct String
{
	int32_t length;
	uint32_t symbol[MAX_LENGTH];
} String;

typedef struct Positions
{
	int32_t length;
	int32_t a[MAX_LENGTH];
	int32_t b[MAX_LENGTH];
} Positions;

/* Fills a string with symbols of an alphabet, spread over all 32 bits where `spread`. */
static void
random_string(String *s, int32_t length, uint32_t alphabet, bool spread)
{
	s->length = length;
	for (int32_t i = 0; i < length; i++)
		s->symbol[i] = random_below(alphabet) * (spread ? UINT32_C(0x10001) : 1);
}

/*
 * Makes a copy of a string with some edits, so that long common subsequences occur for any
 * alphabet.
 */
static void
edited_string(String *s, const String *original, uint32_t alphabet)
{
	s->length = 0;
	for (int32_t i = 0; i < original->length && s->length < MAX_LENGTH - 1; i++)
	{
		uint32_t edit = random_below(8);

		if (edit != 0)
			s->symbol[s->length++] = original->symbol[i];
		if (edit == 1)
			s->symbol[s->length++] = random_below(alphabet);
	}
}

/*
 * Finds the positions by definition: the table of lengths by rows, and a trace by the tie rule
 * of lcs.h.
 */
DEFINITION static void
plain_positions(const String *a, const String *b, Positions *result)
{
	static uint16_t length[MAX_LENGTH + 1][MAX_LENGTH + 1];
	int32_t i = a->length;
	int32_t j = b->length;

	for (int32_t y = 0; y <= j; y++)
		length[0][y] = 0;
	for (int32_t x = 1; x <= i; x++)
	{
		length[x][0] = 0;
		for (int32_t y = 1; y <= j; y++)
		{
			if (a->symbol[x - 1] == b->symbol[y - 1])
				length[x][y] = (uint16_t) (length[x - 1][y - 1] + 1);
			else
				length[x][y] =
					length[x - 1][y] > length[x][y - 1] ? length[x - 1][y] : length[x][y - 1];
		}
	}

	result->length = length[i][j];
	for (int32_t k = result->length; k > 0;)
	{
		if (a->symbol[i - 1] == b->symbol[j - 1])
		{
			k--;
			result->a[k] = --i;
			result->b[k] = --j;
		}
		else if (length[i - 1][j] == length[i][j])
			i--;
		else
			j--;
	}
}

/* Thresholds around the length of a pair. */
#define THRESHOLDS 10

static void
thresholds_around(int32_t expected, int32_t shorter, int32_t least[THRESHOLDS])
{
	const int32_t some[THRESHOLDS] = {0,
									  1,
									  expected / 2,
									  expected - 1,
									  expected,
									  expected + 1,
									  (expected + shorter) / 2,
									  shorter - 1,
									  shorter,
									  shorter + 1};

	for (int i = 0; i < THRESHOLDS; i++)
		least[i] = some[i] < 0 ? 0 : some[i];
}

/* Whether every threshold yields the length if that is not less, else LCS_BELOW. */
static bool
thresholds_agree(const LcsPattern *pattern, const String *b, int32_t expected, TedArena *arena)
{
	int32_t shorter = pattern->length < b->length ? pattern->length : b->length;
	int32_t least[THRESHOLDS];
	bool same = true;

	thresholds_around(expected, shorter, least);
	for (int i = 0; i < THRESHOLDS; i++)
	{
		int32_t length = -2;

		same = same &&
			   lcs_length_at_least(pattern, b->symbol, b->length, least[i], arena, &never,
								   &length) == TED_OK &&
			   arena->used == 0 && length == (expected >= least[i] ? expected : LCS_BELOW);
	}
	return same;
}

/*
 * Whether an unprepared pair has the length for every threshold, in an arena of exactly the
 * size.
 */
static bool
pair_agrees(const LcsText *a, const LcsText *b, int symbol_bytes, int32_t expected)
{
	TedArena arena = new_arena(lcs_pair_memory(a->length, b->length, symbol_bytes));
	int32_t shorter = a->length < b->length ? a->length : b->length;
	int32_t least[THRESHOLDS];
	bool same = true;

	thresholds_around(expected, shorter, least);
	for (int i = 0; i < THRESHOLDS; i++)
	{
		int32_t length = -2;

		same = same &&
			   lcs_pair_length(a, b, symbol_bytes, least[i], &arena, &never, &length) == TED_OK &&
			   arena.used == 0 && length == (expected >= least[i] ? expected : LCS_BELOW);
		if (!same)
			printf("# %d bytes, lengths %d and %d, at least %d: %d, LCS is %d\n", symbol_bytes,
				   a->length, b->length, least[i], length, expected);
	}
	free(arena.base);
	return same;
}

/* Writes a string as bytes; returns false if a symbol is not a byte. */
static bool
as_bytes(const String *s, uint8_t *bytes)
{
	for (int32_t i = 0; i < s->length; i++)
	{
		bytes[i] = (uint8_t) s->symbol[i];
		if (s->symbol[i] > UINT8_MAX)
			return false;
	}
	return true;
}

/* Whether unprepared strings have the length, also as bytes if all symbols are bytes. */
static bool
unprepared_agrees(const String *a, const String *b, int32_t expected)
{
	uint8_t *of_a = malloc((size_t) a->length);
	uint8_t *of_b = malloc((size_t) b->length);
	bool same = pair_agrees(&(LcsText){a->symbol, a->length}, &(LcsText){b->symbol, b->length},
							sizeof(uint32_t), expected);

	if (as_bytes(a, of_a) && as_bytes(b, of_b))
		same = pair_agrees(&(LcsText){of_a, a->length}, &(LcsText){of_b, b->length}, 1, expected) &&
			   same;
	free(of_a);
	free(of_b);
	return same;
}

/*
 * Whether length and positions of a pair are those of the definition, in arenas of exactly the
 * size.
 */
static bool
agrees(const String *a, const String *b)
{
	static Positions expected, found;
	size_t pattern_bytes = lcs_pattern_memory(a->symbol, a->length);
	size_t length_bytes = lcs_length_memory(a->length, b->length);
	size_t positions_bytes = lcs_positions_memory(a->length, b->length);
	TedArena pattern_arena = new_arena(pattern_bytes);
	TedArena length_arena = new_arena(length_bytes);
	TedArena positions_arena = new_arena(positions_bytes);
	const LcsPattern *pattern;
	int32_t length = -1;
	bool same;

	plain_positions(a, b, &expected);
	found.length = -1;
	same = lcs_prepare(a->symbol, a->length, &pattern_arena, &never, &pattern) == TED_OK &&
		   pattern_arena.used == pattern_bytes;
	same = same &&
		   lcs_length(pattern, b->symbol, b->length, &length_arena, &never, &length) == TED_OK &&
		   length_arena.used == 0 && length == expected.length;
	same = same && thresholds_agree(pattern, b, length, &length_arena) &&
		   unprepared_agrees(a, b, expected.length);
	same = same &&
		   lcs_positions(pattern, b->symbol, b->length, &positions_arena, &never, found.a, found.b,
						 &found.length) == TED_OK &&
		   positions_arena.used == 0 && found.length == expected.length;
	same = same && memcmp(found.a, expected.a, sizeof(int32_t) * (size_t) length) == 0;
	same = same && memcmp(found.b, expected.b, sizeof(int32_t) * (size_t) length) == 0;
	for (int32_t i = 0; same && i < length; i++)
		same = a->symbol[found.a[i]] == b->symbol[found.b[i]] &&
			   (i == 0 || (found.a[i - 1] < found.a[i] && found.b[i - 1] < found.b[i]));
	if (!same)
		printf("# lengths %d and %d: LCS is %d, lcs_length %d, lcs_positions %d\n", a->length,
			   b->length, expected.length, length, found.length);

	free(pattern_arena.base);
	free(length_arena.base);
	free(positions_arena.base);
	return same;
}

/*
 * Tests random pairs of lengths 0 to 300, and of about a word and less: unrelated, edited, and
 * with symbols of all 32 bits.
 */
static void
test_random(uint32_t alphabet, uint64_t count)
{
	static String a, b;
	uint64_t agreeing = 0;

	for (uint64_t i = 0; i < count; i++)
	{
		uint32_t lengths = i % 8 < 4 ? 301 : 70;

		random_string(&a, (int32_t) random_below(lengths), alphabet, i % 4 >= 2);
		if (i % 2 == 0)
			random_string(&b, (int32_t) random_below(lengths), alphabet, i % 4 >= 2);
		else
			edited_string(&b, &a, alphabet);
		agreeing += agrees(&a, &b);
	}
	ok(agreeing == count, "%s: %d random pairs over %u symbols", simd_names[ted_tuning.simd_limit],
	   (int) count, alphabet);
}

/* Tests every pair of lengths that fits a word, and somewhat longer ones. */
static void
test_short(void)
{
	static const uint32_t alphabets[] = {1, 3, 26, 256, 70000};
	static String a, b;
	bool same = true;

	for (int32_t m = 0; m <= 66; m++)
		for (int32_t n = 0; n <= 66; n++)
		{
			uint32_t alphabet = alphabets[(m + n) % 5];

			random_string(&a, m, alphabet, n % 2 == 0);
			random_string(&b, n, alphabet, n % 2 == 0);
			for (int32_t i = 0; i < m && i < n; i += 2)
				b.symbol[n - 1 - i] = a.symbol[m - 1 - i];
			same = agrees(&a, &b) && same;
		}
	ok(same, "%s: all lengths up to 66", simd_names[ted_tuning.simd_limit]);
}

/* Tests every pair of lengths next to the ends of words, stripes and blocks. */
static void
test_boundaries(void)
{
	static const int32_t lengths[] = {0,   1,   2,   63,  64,  65,  127, 128, 129,  191,
									  192, 193, 255, 256, 257, 511, 512, 513, 1023, 1025};
	static String a, b;
	bool same = true;

	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++)
		for (size_t j = 0; j < sizeof(lengths) / sizeof(lengths[0]); j++)
		{
			random_string(&a, lengths[i], 3, false);
			random_string(&b, lengths[j], 3, false);
			same = agrees(&a, &b) && same;
		}
	ok(same, "lengths around multiples of 64");
}

/* Tests lengths alone, next to the ends of the high stripes and of groups of their steps. */
static void
test_high_stripes(void)
{
	static const int32_t lengths[] = {260,  504,  505,  1008, 1009, 1511,
									  1512, 1513, 3023, 3024, 3025};
	static const int32_t texts[] = {1, 22, 23, 24, 40, 41, 42, 63, 64, 65, 104, 105, 106, 1000};
	static const uint32_t alphabets[] = {1, 2, 26, 70000};
	static String a, b;
	bool same = true;

	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++)
		for (size_t j = 0; j < sizeof(texts) / sizeof(texts[0]); j++)
		{
			uint32_t alphabet = alphabets[(i + j) % 4];

			random_string(&a, lengths[i], alphabet, j % 2 == 0);
			random_string(&b, texts[j], alphabet, j % 2 == 0);
			for (int32_t k = 0; k < texts[j] && k < lengths[i]; k += 2)
				b.symbol[texts[j] - 1 - k] = a.symbol[lengths[i] - 1 - k];
			same = agrees(&a, &b) && agrees(&b, &a) && same;
		}
	ok(same, "lengths around multiples of 1512");
}

/* Tests texts longer than a block of columns. */
static void
test_long(void)
{
	static String a, b;

	random_string(&a, 700, 4, false);
	random_string(&b, MAX_LENGTH, 4, false);
	ok(agrees(&a, &b), "a text of several blocks");
	ok(agrees(&b, &a), "a pattern of many stripes");
}

/*
 * Tests similar strings, for which a band of the table suffices, of equal and of different
 * lengths.
 */
static void
test_similar(void)
{
	static const uint32_t alphabets[] = {2, 26, 70000};
	static String a, b;
	bool same = true;

	for (int32_t i = 0; i < 9; i++)
	{
		int32_t cut = (int32_t) random_below(i < 3 ? 1 : 600);
		uint32_t alphabet = alphabets[i % 3];

		random_string(&a, 3000 + (int32_t) random_below(1000), alphabet, false);
		b = a;
		for (int32_t j = 0; j < 10 << i % 5; j++)
			b.symbol[random_below((uint32_t) b.length)] = random_below(alphabet);
		b.length -= cut;
		memmove(b.symbol, b.symbol + cut / 2, sizeof(uint32_t) * (size_t) b.length);
		same = agrees(&a, &b) && agrees(&b, &a) && same;
	}
	ok(same, "similar strings");

	/* a case in which a projection from the beginning is wrong */
	random_string(&a, 4000, 26, false);
	b = a;
	for (int32_t j = 2000; j < 4000; j++)
		b.symbol[j] = random_below(26);
	same = agrees(&a, &b) && agrees(&b, &a);
	for (int32_t j = 0; j < 2000; j++)
	{
		b.symbol[j] = b.symbol[2000 + j];
		b.symbol[2000 + j] = a.symbol[2000 + j];
	}
	ok(agrees(&a, &b) && agrees(&b, &a) && same, "strings with a similar half");
}

/* Tests strings of distinct symbols, except some from a common alphabet. */
static void
test_sparse(void)
{
	static const uint32_t alphabets[] = {1, 5, 200, 70000};
	static String a, b;
	bool same = true;

	for (size_t i = 0; i < 8; i++)
	{
		uint32_t alphabet = alphabets[i % 4];

		a.length = 2100 + (int32_t) random_below(2000);
		b.length = 2100 + (int32_t) random_below(2000);
		for (int32_t j = 0; j < MAX_LENGTH; j++)
		{
			a.symbol[j] = UINT32_C(1000000) + (uint32_t) j;
			b.symbol[j] = UINT32_C(2000000) + (uint32_t) j;
		}
		for (int32_t j = 0; j < (alphabet < 200 ? 10 + 20 * (int32_t) i : 400); j++)
		{
			a.symbol[random_below((uint32_t) a.length)] = random_below(alphabet);
			b.symbol[random_below((uint32_t) b.length)] = random_below(alphabet);
		}
		same = agrees(&a, &b) && agrees(&b, &a) && same;
	}
	ok(same, "few equal symbols");
}

/* Tests such strings with a common end, whose symbols the text has elsewhere, too. */
static void
test_sparse_trimmed(void)
{
	static String a, b;
	bool same = true;

	for (int i = 0; i < 8; i++)
	{
		int32_t rest = 2100 + (int32_t) random_below(300);
		int32_t end = 1500 + (int32_t) random_below(300);

		a.length = b.length = rest + end;
		for (int32_t j = 0; j < rest; j++)
		{
			a.symbol[j] = UINT32_C(1000000) + (uint32_t) j;
			b.symbol[j] = random_below(10) == 0 ? UINT32_C(2000000) + random_below((uint32_t) end)
												: UINT32_C(3000000) + (uint32_t) j;
		}
		for (int32_t j = 0; j < end; j++)
			a.symbol[rest + j] = b.symbol[rest + j] = UINT32_C(2000000) + (uint32_t) j;
		for (int32_t j = 0; j < 20 * i; j++)
			a.symbol[random_below((uint32_t) rest)] = b.symbol[random_below((uint32_t) rest)];
		same = agrees(&a, &b) && agrees(&b, &a) && same;
	}
	ok(same, "few equal symbols before a common end");
}

/* Tests texts next to the ends of the long blocks. */
static void
test_blocks(void)
{
	static const int32_t lengths[] = {16360, 16361, 16383, 16384, 16385, 32768, 33000};
	static const uint32_t alphabets[] = {2, 26, 1000, 70000};
	static uint32_t text[33000];
	static String a;
	bool same = true;

	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++)
	{
		uint32_t alphabet = alphabets[i % 4];
		TedArena arena;
		const LcsPattern *pattern;
		int32_t length = -1;

		random_string(&a, 1600, alphabet, false);
		for (int32_t j = 0; j < lengths[i]; j++)
			text[j] = random_below(alphabet);
		arena = new_arena(lcs_pattern_memory(a.symbol, a.length) +
						  lcs_length_memory(a.length, lengths[i]));
		same = same && lcs_prepare(a.symbol, a.length, &arena, &never, &pattern) == TED_OK &&
			   lcs_length(pattern, text, lengths[i], &arena, &never, &length) == TED_OK &&
			   length == plain_lcs(a.symbol, a.length, text, lengths[i]);
		free(arena.base);
	}
	ok(same, "texts around multiples of 16384");
}

/* Tests strings whose answer is known. */
static void
test_special(void)
{
	static String a, b, empty;

	random_string(&a, 300, 26, false);
	ok(agrees(&a, &a), "equal strings");
	ok(agrees(&a, &empty) && agrees(&empty, &a) && agrees(&empty, &empty), "empty strings");
	for (b.length = 0; b.length < 300; b.length++)
		b.symbol[b.length] = 26 + a.symbol[b.length];
	ok(agrees(&a, &b), "disjoint strings");
	for (int32_t i = 0; i < 300; i++)
		b.symbol[i] = UINT32_MAX - (uint32_t) i;
	ok(agrees(&b, &b) && agrees(&b, &a), "all symbols distinct, up to the highest");
	random_string(&a, 1, 1, false);
	a.symbol[0] = UINT32_MAX;
	ok(agrees(&a, &b) && agrees(&b, &a), "a single symbol");
}

/* Tests that any smaller arena is refused, and never overrun. */
static void
test_arena(int32_t length)
{
	static String a;
	static Positions found;
	size_t pattern_bytes, positions_bytes;
	const LcsPattern *pattern;
	TedArena whole;
	int32_t result;
	bool refused = true;

	random_string(&a, length, 26, false);
	pattern_bytes = lcs_pattern_memory(a.symbol, length);
	positions_bytes = lcs_positions_memory(length, length);
	for (size_t bytes = 0; bytes < pattern_bytes; bytes += TED_ARENA_ALIGN)
	{
		TedArena arena = new_arena(bytes);

		refused =
			refused && lcs_prepare(a.symbol, length, &arena, &never, &pattern) == TED_OUT_OF_ARENA;
		free(arena.base);
	}
	ok(refused, "too small an arena for a pattern of %d symbols", length);

	whole = new_arena(pattern_bytes);
	refused = lcs_prepare(a.symbol, length, &whole, &never, &pattern) == TED_OK;
	for (size_t bytes = 0; bytes < lcs_length_memory(length, length); bytes += TED_ARENA_ALIGN)
	{
		TedArena arena = new_arena(bytes);

		refused = refused && lcs_length(pattern, a.symbol, length, &arena, &never, &result) ==
								 TED_OUT_OF_ARENA;
		free(arena.base);
	}
	for (size_t bytes = 0; bytes < positions_bytes; bytes += TED_ARENA_ALIGN)
	{
		TedArena arena = new_arena(bytes);

		refused = refused && lcs_positions(pattern, a.symbol, length, &arena, &never, found.a,
										   found.b, &result) == TED_OUT_OF_ARENA;
		free(arena.base);
	}
	ok(refused, "too small an arena for a comparison of %d symbols", length);
	free(whole.base);
}

/* Tests that a callback that asks to stop is obeyed within a few million steps. */
static void
test_cancel(void)
{
	enum
	{
		LENGTH = 2000000
	};
	uint32_t *symbols = malloc(LENGTH * sizeof(uint32_t));
	int32_t *positions = malloc(2 * LENGTH * sizeof(int32_t));
	TedArena arena;
	const LcsPattern *pattern;
	int32_t length;
	size_t used;

	for (int32_t i = 0; i < LENGTH; i++)
		symbols[i] = random_below(26);
	arena = new_arena(lcs_pattern_memory(symbols, LENGTH) + lcs_length_memory(LENGTH, LENGTH) +
					  lcs_positions_memory(10000, LENGTH));

	ok(lcs_prepare(symbols, LENGTH, &arena, &at_once, &pattern) == TED_CANCELLED,
	   "preparing is cancelled");

	arena.used = 0;
	lcs_prepare(symbols, 60, &arena, &never, &pattern);
	ok(lcs_length(pattern, symbols, LENGTH, &arena, &at_once, &length) == TED_CANCELLED,
	   "the length for a pattern of one word is cancelled");

	arena.used = 0;
	lcs_prepare(symbols, LENGTH, &arena, &never, &pattern);
	used = arena.used;
	ok(lcs_length(pattern, symbols, LENGTH, &arena, &at_once, &length) == TED_CANCELLED &&
		   arena.used == used,
	   "the length of a long pair is cancelled");

	arena.used = 0;
	lcs_prepare(symbols, 10000, &arena, &never, &pattern);
	used = arena.used;
	ok(lcs_positions(pattern, symbols, LENGTH, &arena, &at_once, positions, positions + LENGTH,
					 &length) == TED_CANCELLED &&
		   arena.used == used,
	   "the positions of a long pair are cancelled");

	free(symbols);
	free(positions);
	free(arena.base);
}

/*
 * Tests symbols that all hash to one slot: the result, and cancellation in the middle of
 * looking them up.
 */
static void
test_collisions(void)
{
	static String a, b;
	uint32_t inverse = 1; /* inverse of the multiplier of the hash function */
	TedArena arena;
	const LcsPattern *pattern;
	int32_t length;

	for (int i = 0; i < 5; i++)
		inverse *= 2 - inverse * UINT32_C(0x9E3779B1);
	a.length = b.length = MAX_LENGTH;
	for (uint32_t i = 0; i < MAX_LENGTH; i++)
	{
		a.symbol[i] = inverse * i;
		b.symbol[i] = inverse * (MAX_LENGTH - 1 - i % 10);
	}
	ok(agrees(&a, &b), "colliding symbols");

	arena = new_arena(lcs_pattern_memory(a.symbol, MAX_LENGTH) +
					  lcs_length_memory(MAX_LENGTH, MAX_LENGTH));
	ok(lcs_prepare(a.symbol, MAX_LENGTH, &arena, &at_once, &pattern) == TED_CANCELLED,
	   "preparing colliding symbols is cancelled");
	arena.used = 0;
	lcs_prepare(a.symbol, MAX_LENGTH, &arena, &never, &pattern);
	ok(lcs_length(pattern, b.symbol, 500, &arena, &at_once, &length) == TED_CANCELLED,
	   "looking up colliding symbols is cancelled");
	free(arena.base);
}

/* Tests that memory stays linear if all symbols differ. */
static void
test_memory(void)
{
	enum
	{
		LENGTH = 60000
	};
	static uint32_t symbols[LENGTH];

	for (uint32_t i = 0; i < LENGTH; i++)
		symbols[i] = i * UINT32_C(65537);
	ok(lcs_pattern_memory(symbols, LENGTH) + lcs_length_memory(LENGTH, LENGTH) < 2500000,
	   "60,000 distinct symbols take less than 2.5 MB");
	ok(lcs_positions_memory(LENGTH, LENGTH) < 5000000,
	   "the positions of 60,000 symbols take less than 5 MB");
}

/* Tests strings of many tiles: the positions are a common subsequence of the right length. */
static void
test_longest(void)
{
	enum
	{
		LENGTH = 57000
	};
	static uint32_t a[LENGTH], b[LENGTH];
	static int32_t in_a[LENGTH], in_b[LENGTH];
	bool same = true;

	for (int32_t common = 0; common <= 1000; common += 500)
	{
		TedArena arena;
		const LcsPattern *pattern;
		int32_t length = -1;
		int32_t expected;

		for (int32_t i = 0; i < LENGTH; i++)
		{
			a[i] = random_below(26);
			b[i] = i < LENGTH - common ? random_below(26) : a[i];
		}
		arena = new_arena(lcs_pattern_memory(a, LENGTH) + lcs_positions_memory(LENGTH, LENGTH));
		same = same && lcs_prepare(a, LENGTH, &arena, &never, &pattern) == TED_OK &&
			   lcs_length(pattern, b, LENGTH, &arena, &never, &expected) == TED_OK &&
			   lcs_positions(pattern, b, LENGTH, &arena, &never, in_a, in_b, &length) == TED_OK &&
			   length == expected;
		for (int32_t i = 0; same && i < length; i++)
			same = a[in_a[i]] == b[in_b[i]] &&
				   (i == 0 || (in_a[i - 1] < in_a[i] && in_b[i - 1] < in_b[i]));
		free(arena.base);
	}
	ok(same, "strings of 57000 symbols with common ends");
}

/* Tests all of the above with one kind of vectors. */
static void
test_all(uint64_t count)
{
	static const uint32_t alphabets[] = {1, 2, 4, 26, 256, 70000};

	for (size_t i = 0; i < sizeof(alphabets) / sizeof(alphabets[0]); i++)
		test_random(alphabets[i], count);
	test_short();
	test_boundaries();
	test_high_stripes();
	test_long();
	test_similar();
	test_sparse();
	test_sparse_trimmed();
	test_blocks();
	test_special();
	test_arena(40);
	test_arena(300);
	test_cancel();
	test_collisions();
	test_longest();
	test_memory();
}

int
main(void)
{
	uint64_t count = rounds(300);

	random_state = setting("SEED", 1);
	for (TedSimd simd = TED_SIMD_NONE; simd <= TED_SIMD_WIDEST; simd++)
	{
		ted_tuning.simd_limit = simd;
		if (ted_simd() == simd)
			test_all(count);
	}
	return done_testing();
}
