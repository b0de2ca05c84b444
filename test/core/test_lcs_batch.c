/*
 * test_lcs_batch.c
 *	  Checks batches of LCS lengths against the plain table of lengths.
 *
 * Texts end where memory ends: what lies after them cannot be read.  SEED and
 * COUNT in the environment set the random strings and how many batches are
 * tried for each alphabet.
 */
#define _DEFAULT_SOURCE

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../src/core/common/simd.h"
#include "../../src/core/string/lcs.h"
#include "../../src/core/tree/exact/vector_tables.h"
#include "arenas.h"
#include "plain_lcs.h"
#include "random.h"
#include "tap.h"
#include "vectors.h"

#define MAX_LENGTH 12000
#define MAX_TEXTS 1200

/* The symbols of the strings of a batch. */
typedef struct Alphabet
{
	uint32_t size;
	uint32_t factor; /* factor of all symbols */
} Alphabet;

/* A pattern and texts, all symbols of which are in one block of memory with nothing after it. */
typedef struct Texts
{
	int32_t m;
	uint32_t pattern[MAX_LENGTH];
	int count;
	int symbol_bytes;
	int32_t longest;
	LcsText text[MAX_TEXTS];
	int32_t length[MAX_TEXTS];
	int32_t least[MAX_TEXTS];
} Texts;

static char *memory_end;

/* Maps memory before a page that cannot be accessed. */
static void
map_memory(size_t bytes)
{
	size_t page = (size_t) sysconf(_SC_PAGESIZE);
	size_t whole = (bytes + page - 1) / page * page;
	char *memory =
		mmap(NULL, whole + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED || mprotect(memory + whole, page, PROT_NONE) != 0)
		abort();
	memory_end = memory + whole;
}

/*
 * Makes a pattern and texts of random lengths up to `longest`, or all of that length if `alike`
 * is set.
 */
static void
random_texts(Texts *t, Alphabet alphabet, int32_t m, int count, int32_t longest, bool alike,
			 int symbol_bytes)
{
	char *end = memory_end;

	t->m = m;
	for (int32_t i = 0; i < m; i++)
		t->pattern[i] = random_below(alphabet.size) * alphabet.factor;
	t->count = count;
	t->symbol_bytes = symbol_bytes;
	t->longest = longest;
	for (int i = 0; i < count; i++)
	{
		int32_t n = alike ? longest : (int32_t) random_below((uint32_t) longest + 1);
		uint32_t shift = m == 0 ? 0 : random_below((uint32_t) m);
		bool copied = random_below(3) == 0;

		end -= (size_t) n * (size_t) symbol_bytes;
		t->text[i] = (LcsText){end, n};
		for (int32_t j = 0; j < n; j++)
		{
			uint32_t symbol = random_below(alphabet.size) * alphabet.factor;

			if (copied && m > 0 && random_below(8) != 0)
				symbol = t->pattern[((uint32_t) j + shift) % (uint32_t) m];
			if (symbol_bytes == 1)
				((uint8_t *) end)[j] = (uint8_t) symbol;
			else
				memcpy(end + (size_t) j * sizeof(symbol), &symbol, sizeof(symbol));
		}
		t->length[i] = -1;
	}
}

/* Returns the symbol of a text at a position. */
static uint32_t
symbol_at(const Texts *t, const LcsText *text, int32_t j)
{
	uint32_t symbol;

	if (t->symbol_bytes == 1)
		return ((const uint8_t *) text->symbols)[j];
	memcpy(&symbol, (const char *) text->symbols + (size_t) j * sizeof(symbol), sizeof(symbol));
	return symbol;
}

/* Returns the length by definition. */
static int32_t
plain_length(const Texts *t, const LcsText *text)
{
	static uint32_t symbols[MAX_LENGTH];

	for (int32_t j = 0; j < text->length; j++)
		symbols[j] = symbol_at(t, text, j);
	return plain_lcs(t->pattern, t->m, symbols, text->length);
}

/*
 * Compares the pattern with all texts, in an arena of `bytes` bytes in addition to those of the
 * pattern.
 */
static TedStatus
compare_at_least(Texts *t, const int32_t *least, size_t bytes, const TedInterrupt *interrupt)
{
	size_t pattern_bytes = lcs_pattern_memory(t->pattern, t->m);
	TedArena arena = new_arena(pattern_bytes + bytes);
	const LcsPattern *pattern;
	TedStatus status = lcs_prepare(t->pattern, t->m, &arena, &never, &pattern);

	if (status == TED_OK)
		status = lcs_batch(pattern, t->text, (size_t) t->count, t->symbol_bytes, least, &arena,
						   interrupt, t->length);
	if (arena.used != pattern_bytes)
		status = TED_OUT_OF_ARENA;
	free(arena.base);
	return status;
}

/* Compares the pattern with all texts without thresholds. */
static TedStatus
compare(Texts *t, size_t bytes, const TedInterrupt *interrupt)
{
	return compare_at_least(t, NULL, bytes, interrupt);
}

/* Returns a random threshold: about the real length, or about the greatest possible one. */
static int32_t
random_least(int32_t m, int32_t n, int32_t length)
{
	int32_t shorter = m < n ? m : n;
	int32_t least = length - 2 + (int32_t) random_below(5);

	if (random_below(3) == 0)
		least = shorter - (int32_t) random_below((uint32_t) shorter / 4 + 1);
	if (random_below(4) == 0)
		least = (int32_t) random_below((uint32_t) shorter + 2);
	return least < 0 ? 0 : least;
}

/*
 * Whether the lengths that reach their threshold are those found already, and all others are
 * below.
 */
static bool
thresholds_agree(Texts *t)
{
	static int32_t expected[MAX_TEXTS];
	TedStatus status;

	for (int i = 0; i < t->count; i++)
	{
		expected[i] = t->length[i];
		t->least[i] = random_least(t->m, t->text[i].length, expected[i]);
		t->length[i] = -2;
	}
	status =
		compare_at_least(t, t->least, lcs_batch_memory(t->m, t->symbol_bytes, t->longest), &never);
	for (int i = 0; status == TED_OK && i < t->count; i++)
		if (t->length[i] != (expected[i] < t->least[i] ? LCS_BELOW : expected[i]))
		{
			printf("# pattern of %d, text %d of %d with %d symbols of %d bytes: %d, not %d, at "
				   "least %d\n",
				   t->m, i, t->count, t->text[i].length, t->symbol_bytes, t->length[i], expected[i],
				   t->least[i]);
			return false;
		}
	return status == TED_OK;
}

/* Whether all lengths are those of the definition, with and without thresholds. */
static bool
agrees(Texts *t)
{
	TedStatus status = compare(t, lcs_batch_memory(t->m, t->symbol_bytes, t->longest), &never);

	if (status != TED_OK)
	{
		printf("# pattern of %d, %d texts up to %d of %d bytes: status %d\n", t->m, t->count,
			   t->longest, t->symbol_bytes, (int) status);
		return false;
	}
	for (int i = 0; i < t->count; i++)
	{
		int32_t expected = plain_length(t, &t->text[i]);

		if (t->length[i] != expected)
		{
			printf("# pattern of %d, text %d of %d with %d symbols of %d bytes: %d, expected %d\n",
				   t->m, i, t->count, t->text[i].length, t->symbol_bytes, t->length[i], expected);
			return false;
		}
	}
	return thresholds_agree(t);
}

static Texts texts;

/* Tests random batches of short patterns, and some of up to 300 symbols. */
static void
test_random(Alphabet alphabet, uint64_t count)
{
	uint64_t agreeing = 0;

	for (uint64_t i = 0; i < count; i++)
		for (int symbol_bytes = 1; symbol_bytes <= 4; symbol_bytes += 3)
		{
			int32_t m = (int32_t) random_below(i % 2 == 0 ? 70 : 300);

			random_texts(&texts, alphabet, m, (int) random_below(50),
						 (int32_t) random_below(i % 3 == 0 ? 40 : 150), i % 5 == 0, symbol_bytes);
			agreeing += agrees(&texts);
		}
	ok(agreeing == 2 * count, "%s: %d random batches over %u symbols times %u",
	   simd_names[ted_tuning.simd_limit], (int) (2 * count), alphabet.size, alphabet.factor);
}

/* Tests patterns close to the most rows and the most distinct symbols of each kernel. */
static void
test_boundaries(void)
{
	static const int32_t lengths[] = {0,   1,   31,  32,  33,  63,  64,   65,   126,
									  127, 252, 253, 504, 505, 700, 1008, 1009, 1100};
	static const uint32_t sizes[] = {1, 2, 31, 32, 33, 63, 64, 65, 256};
	bool same = true;

	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++)
		for (size_t j = 0; j < sizeof(sizes) / sizeof(sizes[0]); j++)
		{
			Alphabet alphabet = {sizes[j], 1};

			random_texts(&texts, alphabet, lengths[i], 19, 140, false, 1 + 3 * (int) (j % 2));
			for (int32_t k = 0; k < texts.m; k++)
				texts.pattern[k] = (uint32_t) k % sizes[j]; /* all symbols occur */
			same = agrees(&texts) && same;
		}
	ok(same, "patterns next to the most that a kernel takes");
}

/*
 * Tests texts close to the ends of columns that are loaded together and of blocks, in batches
 * of one to some texts.
 */
static void
test_columns(void)
{
	static const int32_t patterns[] = {20, 60, 100, 200, 300, 600};
	static const int32_t lengths[] = {0,   3,   4,   5,   16,  17,   31,   32,   33,   64,
									  255, 256, 257, 512, 513, 1024, 1366, 4096, 4097, 9000};
	static const Alphabet alphabet = {26, 1};
	bool same = true;

	for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++)
		for (size_t j = 0; j < sizeof(lengths) / sizeof(lengths[0]); j++)
			for (int symbol_bytes = 1; symbol_bytes <= 4; symbol_bytes += 3)
			{
				random_texts(&texts, alphabet, patterns[i], lengths[j] > 600 ? 3 : 18, lengths[j],
							 j % 2 == 0, symbol_bytes);
				same = agrees(&texts) && same;
			}
	ok(same, "texts next to the ends of blocks");
}

/* Tests more texts than are ordered together, of very different lengths. */
static void
test_many(void)
{
	static const int counts[] = {15, 16, 17, 511, 512, 513, 1200};
	static const Alphabet alphabet = {26, 1};
	bool same = true;

	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		for (int32_t m = 30; m < 200; m += 70)
		{
			random_texts(&texts, alphabet, m, counts[i], i % 2 == 0 ? 60 : 25, i % 3 == 0, 1);
			texts.text[counts[i] / 2].length = 0;
			same = agrees(&texts) && same;
		}
	ok(same, "many texts");
}

/* Tests that any smaller arena is refused or suffices, and is never overrun. */
static void
test_arena(int32_t m)
{
	static const Alphabet alphabet = {256, 1};
	bool refused = true;

	random_texts(&texts, alphabet, m, 20, 50, false, 1);
	refused = compare(&texts, 0, &never) == TED_OUT_OF_ARENA;
	for (size_t bytes = 0; bytes < lcs_batch_memory(m, 1, 50); bytes += TED_ARENA_ALIGN)
	{
		TedStatus status = compare(&texts, bytes, &never);

		refused = refused && (status == TED_OK || status == TED_OUT_OF_ARENA);
	}
	ok(refused, "too small an arena for a pattern of %d symbols", m);
}

/* Tests that a callback that asks to stop is obeyed. */
static void
test_cancel(void)
{
	static const Alphabet alphabet = {26, 1};
	bool cancelled = true;

	for (int32_t m = 30; m < 1400; m += 330)
		for (int symbol_bytes = 1; symbol_bytes <= 4; symbol_bytes += 3)
		{
			random_texts(&texts, alphabet, m, 1000, 1200, true, symbol_bytes);
			cancelled = cancelled && compare(&texts, lcs_batch_memory(m, symbol_bytes, 1200),
											 &at_once) == TED_CANCELLED;
		}
	ok(cancelled, "batches are cancelled");
}

/* Tests all of the above with one kind of vectors. */
static void
test_all(uint64_t count)
{
	static const Alphabet alphabets[] = {{1, 1},     {2, 1},          {4, 1},   {26, 1},
										 {31, 1},    {64, 1},         {256, 1}, {300, 255},
										 {70000, 1}, {70000, 0x10001}};

	for (size_t i = 0; i < sizeof(alphabets) / sizeof(alphabets[0]); i++)
		test_random(alphabets[i], count);
	test_boundaries();
	test_columns();
	test_many();
	test_arena(40);
	test_arena(300);
	test_arena(1100);
	test_cancel();
}

int
main(void)
{
	uint64_t count = rounds(60);

	map_memory((size_t) MAX_TEXTS * 1200 * sizeof(uint32_t));
	random_state = setting("SEED", 1);
	for (TedSimd simd = TED_SIMD_NONE; simd <= TED_SIMD_WIDEST; simd++)
	{
		ted_tuning.simd_limit = simd;
		if (ted_simd() == simd)
			test_all(count);
	}
	return done_testing();
}
