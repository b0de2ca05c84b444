/*
 * bench_lcs.c
 *	  Times the longest common subsequence against published algorithms.
 *
 * Every program prepares both strings itself.  Lengths of supersequences are
 * turned into those of subsequences, so that all answers compare.
 */
#include <stdlib.h>

#include "../src/core/common/processor_tuning.h"
#include "../src/core/string/lcs.h"
#include "../src/core/tree/exact/vector_tables.h"
#include "../test/core/random.h"
#include "baselines.h"
#include "bench.h"

#define LONGEST 60000

/* Side of the tiles of the tiled algorithm: 64 kB of cells. */
#define TILE 128

/* Bytes that a baseline may take. */
#define MOST_BYTES ((size_t) 1 << 30)

typedef struct Strings
{
	uint32_t x[LONGEST];
	uint32_t y[LONGEST];
	int32_t m;
	int32_t n;
	uint32_t alphabet;
	uint8_t x_bytes[LONGEST]; /* where the alphabet has no more than bytes */
	uint8_t y_bytes[LONGEST];
	int32_t least;
} Strings;

/* The core: the length of two strings of symbols of 1 or 4 bytes, if it is at least `least`. */
static int32_t
pair_length(const Strings *s, int symbol_bytes, int32_t least)
{
	LcsText x = {symbol_bytes == 1 ? (const void *) s->x_bytes : s->x, s->m};
	LcsText y = {symbol_bytes == 1 ? (const void *) s->y_bytes : s->y, s->n};
	TedArena *arena = bench_arena(lcs_pair_memory(s->m, s->n, symbol_bytes));
	int32_t length = -1;

	bench_check(lcs_pair_length(&x, &y, symbol_bytes, least, arena, &bench_never, &length));
	return length;
}

/* The core: the length, of bytes where the alphabet has no more. */
static int32_t
run_length(const void *arg)
{
	const Strings *s = arg;

	return pair_length(s, s->alphabet <= LCS_BYTES ? 1 : sizeof(uint32_t), 0);
}

/* The same of symbols of 32 bits. */
static int32_t
run_symbols(const void *arg)
{
	return pair_length(arg, sizeof(uint32_t), 0);
}

/* The length if it is enough. */
static int32_t
run_cutoff(const void *arg)
{
	const Strings *s = arg;

	return pair_length(s, 1, s->least);
}

/* The same of symbols of 32 bits. */
static int32_t
run_cutoff_symbols(const void *arg)
{
	const Strings *s = arg;

	return pair_length(s, sizeof(uint32_t), s->least);
}

/* The length, found without a cutoff, and dropped where it is too small. */
static int32_t
run_no_cutoff(const void *arg)
{
	const Strings *s = arg;
	int32_t length = pair_length(s, 1, 0);

	return length < s->least ? LCS_BELOW : length;
}

/* The same without vectors. */
static int32_t
run_no_vectors(const void *arg)
{
	int32_t length;

	ted_tuning.simd_limit = TED_SIMD_NONE;
	length = run_length(arg);
	ted_tuning.simd_limit = TED_SIMD_AVX512;
	return length;
}

/* The core: the positions of a subsequence. */
static int32_t
run_positions(const void *arg)
{
	static int32_t in_x[LONGEST], in_y[LONGEST];
	const Strings *s = arg;
	TedArena *arena =
		bench_arena(lcs_pattern_memory(s->x, s->m) + lcs_positions_memory(s->m, s->n));
	const LcsPattern *pattern;
	int32_t length = -1;

	bench_check(lcs_prepare(s->x, s->m, arena, &bench_never, &pattern));
	bench_check(lcs_positions(pattern, s->y, s->n, arena, &bench_never, in_x, in_y, &length));
	return length;
}

static int32_t
run_words(const void *arg)
{
	const Strings *s = arg;

	if (lcs_words_memory(s->m, s->alphabet) > MOST_BYTES)
		return BENCH_TOO_LARGE;
	return lcs_words(s->x, s->m, s->y, s->n, s->alphabet);
}

static int32_t
run_hashed_words(const void *arg)
{
	const Strings *s = arg;

	if (lcs_words_hashed_memory(s->m) > MOST_BYTES)
		return BENCH_TOO_LARGE;
	return lcs_words_hashed(s->x, s->m, s->y, s->n);
}

static int32_t
run_row_wise(const void *arg)
{
	const Strings *s = arg;

	if (scs_row_wise_memory(s->n, s->alphabet) > MOST_BYTES)
		return BENCH_TOO_LARGE;
	return s->m + s->n - scs_row_wise(s->x, s->m, s->y, s->n, s->alphabet);
}

static int32_t
run_anti_diagonal(const void *arg)
{
	const Strings *s = arg;

	return s->m + s->n - scs_anti_diagonal(s->x, s->m, s->y, s->n);
}

static int32_t
run_tiled(const void *arg)
{
	const Strings *s = arg;

	return lcs_tiled(s->x, s->m, s->y, s->n, TILE, TILE);
}

/* Makes two unrelated strings. */
static void
random_strings(Strings *s, int32_t length, uint32_t alphabet)
{
	s->m = s->n = length;
	s->alphabet = alphabet;
	for (int32_t i = 0; i < length; i++)
	{
		s->x[i] = random_below(alphabet);
		s->y[i] = random_below(alphabet);
	}
}

/* Makes two strings of which one has every hundredth symbol inserted, deleted or replaced. */
static void
similar_strings(Strings *s, int32_t length, uint32_t alphabet)
{
	random_strings(s, length, alphabet);
	s->n = 0;
	for (int32_t i = 0; i < length && s->n < length; i++)
		switch (random_below(300))
		{
			case 0:
				s->n++; /* keeps a random symbol; this one is dropped */
				break;
			case 1:
				break;
			case 2:
				s->n++;
				i--;
				break;
			default:
				s->y[s->n++] = s->x[i];
		}
}

/* Fills the strings of bytes from those of symbols. */
static void
fill_bytes(Strings *s)
{
	for (int32_t i = 0; i < s->m; i++)
		s->x_bytes[i] = (uint8_t) s->x[i];
	for (int32_t j = 0; j < s->n; j++)
		s->y_bytes[j] = (uint8_t) s->y[j];
}

/* Times strings of all sizes over one alphabet. */
static void
bench_sizes(Bench *bench, const char *series, uint32_t alphabet,
			void (*make)(Strings *s, int32_t length, uint32_t alphabet))
{
	static const int32_t lengths[] = {20, 50, 100, 200, 300, 500, 2000, 8000, 30000, LONGEST};
	static Strings s;

	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++)
	{
		make(&s, lengths[i], alphabet);
		fill_bytes(&s);
		bench_case(bench, series, lengths[i], (double) s.m * s.n, &s);
	}
}

/* Times strings of all sizes where at least a part of the symbols has to be common, in per cent. */
static void
bench_cutoffs(Bench *bench, const char *kind,
			  void (*make)(Strings *s, int32_t length, uint32_t alphabet))
{
	static const int32_t lengths[] = {20, 100, 1000, LONGEST};
	static const int cutoffs[] = {0, 50, 80, 90, 99};
	static Strings s;

	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++)
	{
		make(&s, lengths[i], 26);
		fill_bytes(&s);
		for (size_t k = 0; k < sizeof(cutoffs) / sizeof(cutoffs[0]); k++)
		{
			char series[32];

			snprintf(series, sizeof(series), "%s at least %d %%", kind, cutoffs[k]);
			s.least = (int32_t) (((int64_t) ted_max(s.m, s.n) * cutoffs[k] + 99) / 100);
			bench_case(bench, series, lengths[i], (double) s.m * s.n, &s);
		}
	}
}

int
main(void)
{
	static const BenchProgram length_programs[] = {{"core", run_length},
												   {"symbols of 32 bits", run_symbols},
												   {"no vectors", run_no_vectors},
												   {"word loop", run_words},
												   {"hashed word loop", run_hashed_words},
												   {"row-wise SCS", run_row_wise},
												   {"anti-diagonal SCS", run_anti_diagonal},
												   {"tiled LCS", run_tiled}};
	static const BenchProgram string_programs[] = {
		{"string", run_positions}, {"length", run_length}, {"word loop", run_words}};
	static const BenchProgram cutoff_programs[] = {{"core", run_cutoff},
												   {"symbols of 32 bits", run_cutoff_symbols},
												   {"without cutoff", run_no_cutoff}};
	Bench bench;

	random_state = 1;
	bench_begin(&bench, "lcs", "Length of the LCS of random strings", length_programs, 8);
	bench_sizes(&bench, "4 symbols", 4, random_strings);
	bench_sizes(&bench, "20 symbols", 20, random_strings);
	bench_sizes(&bench, "256 symbols", 256, random_strings);
	bench_sizes(&bench, "65536 symbols", 65536, random_strings);
	bench_end(&bench);

	bench_begin(&bench, "lcs_similar", "Length of the LCS of strings with 1 % edits",
				length_programs, 7);
	bench_sizes(&bench, "20 symbols", 20, similar_strings);
	bench_end(&bench);

	bench_begin(&bench, "lcs_cutoff",
				"Length of the LCS if it is at least a part of the longer string", cutoff_programs,
				3);
	bench_cutoffs(&bench, "random", random_strings);
	bench_cutoffs(&bench, "similar", similar_strings);
	bench_end(&bench);

	bench_begin(&bench, "lcs_string", "LCS itself", string_programs, 3);
	bench_sizes(&bench, "20 symbols", 20, random_strings);
	bench_sizes(&bench, "similar", 20, similar_strings);
	bench_end(&bench);
	return 0;
}
