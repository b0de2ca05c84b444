/*
 * fuzz_lcs.c
 *	  Compares lengths and positions of decoded strings with the plain table of
 *	  lengths, and batches with single lengths.
 *
 * The bytes are: the alphabet; the factor of its symbols; the number of runs of
 * the pattern; its runs; and those of the text.  A run is two bytes: kind and
 * length, and what is repeated.
 */
#include "../../src/core/common/simd.h"
#include "bytes.h"

#include "../../src/core/string/lcs.h"
#include "../../src/core/tree/exact/vector_tables.h"

#define MAX_LENGTH 3000

/* Texts in a batch. */
#define BATCH 17

typedef struct String
{
	int32_t length;
	uint32_t symbol[MAX_LENGTH];
} String;

static const uint32_t alphabets[] = {1, 2, 3, 4, 26, 63, 64, 65, 256, 300, 1000, 70000};

/* As they are; in all 32 bits; from the highest down; all hashed to one slot. */
static const uint32_t factors[] = {1, UINT32_C(0x10001), UINT32_MAX, UINT32_C(0x0E8B2F51)};

/* Reads a number of runs: one symbol, a sequence, random symbols, or a piece of `other`. */
static void
take_runs(Bytes *bytes, int32_t runs, uint32_t alphabet, uint32_t factor, const String *other,
		  String *s)
{
	s->length = 0;
	for (; runs > 0 && bytes->left > 0; runs--)
	{
		uint8_t kind = take(bytes);
		uint32_t value = take(bytes);
		uint32_t random = value;
		int32_t length = (1 + (kind >> 2 & 31)) * (kind & 128 ? 16 : 1);

		for (int32_t i = 0; i < length && s->length < MAX_LENGTH; i++)
		{
			uint32_t copied = value * 12 + (uint32_t) i;
			uint32_t symbol = value;

			random = random * UINT32_C(1664525) + UINT32_C(1013904223);
			if ((kind & 3) == 1)
				symbol += (uint32_t) i;
			else if ((kind & 3) == 2)
				symbol = random >> 8;
			else if ((kind & 3) == 3 && copied < (uint32_t) other->length)
			{
				s->symbol[s->length++] = other->symbol[copied];
				continue;
			}
			s->symbol[s->length++] = symbol % alphabet * factor;
		}
	}
}

/* Finds the positions by the table of lengths and the tie rule of lcs.h; returns their number. */
static int32_t
plain_positions(const String *a, const String *b, int32_t *position_a, int32_t *position_b)
{
	static uint16_t table[MAX_LENGTH + 1][MAX_LENGTH + 1]; /* row and column 0 stay 0 */
	int32_t i = a->length;
	int32_t j = b->length;

	for (int32_t x = 1; x <= i; x++)
		for (int32_t y = 1; y <= j; y++)
			if (a->symbol[x - 1] == b->symbol[y - 1])
				table[x][y] = (uint16_t) (table[x - 1][y - 1] + 1);
			else
				table[x][y] = table[x - 1][y] > table[x][y - 1] ? table[x - 1][y] : table[x][y - 1];

	for (int32_t k = table[i][j]; k > 0;)
		if (a->symbol[i - 1] == b->symbol[j - 1])
		{
			k--;
			position_a[k] = --i;
			position_b[k] = --j;
		}
		else if (table[i - 1][j] == table[i][j])
			i--;
		else
			j--;
	return table[a->length][b->length];
}

/* Requires that a batch of prefixes of b gives the lengths that single calls give. */
static void
check_batch(const LcsPattern *pattern, int32_t m, const String *b, int symbol_bytes)
{
	static uint32_t symbols[MAX_LENGTH];
	static uint8_t bytes[MAX_LENGTH];
	LcsText texts[BATCH];
	int32_t lengths[BATCH];
	TedArena arena = new_arena(lcs_batch_memory(m, symbol_bytes, b->length));
	TedStatus status;

	for (int32_t i = 0; i < b->length; i++)
	{
		bytes[i] = (uint8_t) b->symbol[i];
		symbols[i] = symbol_bytes == 1 ? bytes[i] : b->symbol[i];
	}
	for (int i = 0; i < BATCH; i++)
		texts[i] = (LcsText){symbol_bytes == 1 ? (const void *) bytes : symbols,
							 b->length - b->length * i / BATCH};
	status = lcs_batch(pattern, texts, BATCH, symbol_bytes, NULL, &arena, &never, lengths);
	require(status == TED_OK && arena.used == 0, "vectors %d: lcs_batch: status %d",
			(int) ted_tuning.simd_limit, (int) status);
	free(arena.base);

	for (int i = 0; i < BATCH; i++)
	{
		int32_t length;

		arena = new_arena(lcs_length_memory(m, texts[i].length));
		lcs_length(pattern, symbols, texts[i].length, &arena, &never, &length);
		require(lengths[i] == length,
				"vectors %d, lengths %d and %d, %d bytes: lcs_batch %d, lcs_length %d",
				(int) ted_tuning.simd_limit, m, texts[i].length, symbol_bytes, lengths[i], length);
		free(arena.base);
	}
}

/* Requires that length and positions are those expected. */
static void
check(const String *a, const String *b, int32_t expected, const int32_t *expected_a,
	  const int32_t *expected_b)
{
	static int32_t position_a[MAX_LENGTH];
	static int32_t position_b[MAX_LENGTH];
	TedArena pattern_arena = new_arena(lcs_pattern_memory(a->symbol, a->length));
	TedArena length_arena = new_arena(lcs_length_memory(a->length, b->length));
	TedArena positions_arena = new_arena(lcs_positions_memory(a->length, b->length));
	const LcsPattern *pattern;
	int32_t length = -1;
	TedStatus status = lcs_prepare(a->symbol, a->length, &pattern_arena, &never, &pattern);

	require(status == TED_OK, "lcs_prepare: status %d", (int) status);

	status = lcs_length(pattern, b->symbol, b->length, &length_arena, &never, &length);
	require(status == TED_OK && length_arena.used == 0 && length == expected,
			"vectors %d, lengths %d and %d: status %d, lcs_length %d, expected %d",
			(int) ted_tuning.simd_limit, a->length, b->length, (int) status, length, expected);

	for (int32_t least = expected / 2; least <= expected + 1; least += expected / 4 + 1)
	{
		int32_t answer = expected >= least ? expected : LCS_BELOW;

		status = lcs_length_at_least(pattern, b->symbol, b->length, least, &length_arena, &never,
									 &length);
		require(status == TED_OK && length_arena.used == 0 && length == answer,
				"vectors %d, lengths %d and %d: status %d, at least %d: %d, expected %d",
				(int) ted_tuning.simd_limit, a->length, b->length, (int) status, least, length,
				answer);
	}

	length = -1;
	status = lcs_positions(pattern, b->symbol, b->length, &positions_arena, &never, position_a,
						   position_b, &length);
	require(status == TED_OK && positions_arena.used == 0 && length == expected,
			"vectors %d, lengths %d and %d: status %d, lcs_positions %d, expected %d",
			(int) ted_tuning.simd_limit, a->length, b->length, (int) status, length, expected);
	for (int32_t i = 0; i < length; i++)
		require(position_a[i] == expected_a[i] && position_b[i] == expected_b[i],
				"vectors %d, lengths %d and %d: pair %d is (%d, %d), expected (%d, %d)",
				(int) ted_tuning.simd_limit, a->length, b->length, i, position_a[i], position_b[i],
				expected_a[i], expected_b[i]);

	check_batch(pattern, a->length, b, 1);
	check_batch(pattern, a->length, b, 4);

	free(pattern_arena.base);
	free(length_arena.base);
	free(positions_arena.base);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static String a;
	static String b;
	static int32_t position_a[MAX_LENGTH];
	static int32_t position_b[MAX_LENGTH];
	Bytes bytes = {data, size};
	uint32_t alphabet = alphabets[take(&bytes) % (sizeof(alphabets) / sizeof(alphabets[0]))];
	uint32_t factor = factors[take(&bytes) % (sizeof(factors) / sizeof(factors[0]))];
	int32_t length;

	a.length = b.length = 0;
	take_runs(&bytes, take(&bytes), alphabet, factor, &a, &a);
	take_runs(&bytes, INT32_MAX, alphabet, factor, &a, &b);

	length = plain_positions(&a, &b, position_a, position_b);
	for (TedSimd simd = TED_SIMD_NONE; simd <= TED_SIMD_WIDEST; simd++)
	{
		ted_tuning.simd_limit = simd;
		if (ted_simd() == simd)
			check(&a, &b, length, position_a, position_b);
	}
	return 0;
}
