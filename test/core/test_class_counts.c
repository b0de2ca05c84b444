/*
 * test_class_counts.c
 *	  Checks the numbers of missing symbols by classes of symbols against plain counts and
 *	  common subsequences.
 */
#include <stdlib.h>
#include <string.h>

#include "../../src/core/common/simd.h"
#include "../../src/core/string/class_counts.h"
#include "plain_lcs.h"
#include "random.h"
#include "tap.h"

#define STRINGS 40
#define MAX_LENGTH 300

typedef struct TestString
{
	uint32_t symbol[MAX_LENGTH];
	int32_t length;
	uint32_t counts[TED_CLASSES];
} TestString;

/* Makes a random string over an alphabet, or a copy of another one with some changes. */
static void
random_string(TestString *s, const TestString *other, int32_t length, uint32_t alphabet)
{
	uint32_t first = random_below(2) ? 'a' : random_below(1 << 20);

	memset(s->counts, 0, sizeof(s->counts));
	s->length = (int32_t) random_below((uint32_t) length + 1);
	for (int32_t i = 0; i < s->length; i++)
	{
		bool copied = other != NULL && i < other->length && random_below(8) > 0;

		s->symbol[i] = copied ? other->symbol[i] : first + random_below(alphabet);
		s->counts[ted_class(s->symbol[i])]++;
	}
}

/* Returns the number of symbols that one string misses in another one, by whole counts. */
static int32_t
plain_missing(const TestString *a, const TestString *b)
{
	int32_t missing = 0;

	for (int32_t c = 0; c < TED_CLASSES; c++)
		if (a->counts[c] > b->counts[c])
			missing += (int32_t) (a->counts[c] - b->counts[c]);
	return missing;
}

/* Whether all counts of strings fit as they are. */
static bool
counts_fit(const TedPacking *packing, const TestString *a, const TestString *b)
{
	for (int32_t c = 0; c < TED_CLASSES; c++)
		if (a->counts[c] >= 1U << packing->bits || b->counts[c] >= 1U << packing->bits)
			return false;
	return packing->shift == 0;
}

/* Compares a string with many; returns whether all results are right. */
static bool
check_strings(const TedPacking *packing, int32_t length, uint32_t alphabet)
{
	static TestString query;
	static TestString strings[STRINGS];
	uint8_t packed[STRINGS * TED_CLASSES];
	int32_t missing[STRINGS];
	TedCountsQuery counts;

	random_string(&query, NULL, length, alphabet);
	for (int32_t i = 0; i < STRINGS; i++)
	{
		random_string(&strings[i], random_below(2) ? &query : NULL, length, alphabet);
		ted_pack_counts(packing, strings[i].counts, packed + i * ted_packed_bytes(packing));
	}
	counts = ted_counts_query(packing, query.counts);
	ted_missing_symbols(&counts, packed, STRINGS, missing);
	for (int32_t i = 0; i < STRINGS; i++)
	{
		int32_t plain = plain_missing(&query, &strings[i]);

		if (missing[i] < 0 || missing[i] > plain ||
			(counts_fit(packing, &query, &strings[i]) && missing[i] != plain) ||
			query.length - missing[i] <
				plain_lcs(query.symbol, query.length, strings[i].symbol, strings[i].length))
			return false;
	}
	return true;
}

/* Tests strings of all lengths and alphabets with one packing. */
static void
test_packing(TedPacking packing)
{
	static const uint32_t alphabets[] = {1, 2, 4, 26, 100, 70000};
	int32_t packings = (int32_t) rounds(150);
	bool good = true;

	for (int32_t round = 0; round < packings && good; round++)
		good = check_strings(&packing, round % 3 == 0 ? MAX_LENGTH : round % 50,
							 alphabets[random_below(6)]);
	ok(good, "missing symbols, %d bits shifted by %d, vectors %d", packing.bits, packing.shift,
	   (int) ted_tuning.simd_limit);
}

/* Tests that the greatest counts neither overflow nor overestimate. */
static void
test_extremes(void)
{
	TedPacking packing = {.bits = 8, .shift = 20};
	uint32_t counts[TED_CLASSES];
	uint8_t packed[TED_CLASSES] = {0};
	TedCountsQuery query;
	int32_t missing;

	memset(counts, 0xff, sizeof(counts));
	query = ted_counts_query(&packing, counts);
	ted_missing_symbols(&query, packed, 1, &missing);
	ok(missing == INT32_MAX, "counts beyond all lengths");
	ted_pack_counts(&packing, counts, packed);
	ted_missing_symbols(&query, packed, 1, &missing);
	ok(missing == 0, "counts beyond all lengths on both sides");
}

int
main(void)
{
	random_state = setting("SEED", 1);
	for (int32_t simd = TED_SIMD_NONE; simd <= TED_SIMD_AVX2; simd++)
	{
		ted_tuning.simd_limit = (TedSimd) simd;
		for (int32_t shift = 0; shift < 4; shift++)
		{
			test_packing((TedPacking){.bits = 4, .shift = shift});
			test_packing((TedPacking){.bits = 8, .shift = shift});
		}
	}
	test_extremes();
	return done_testing();
}
