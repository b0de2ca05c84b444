/*
 * lcs_scan.c
 *	  Computes the table of lengths, or a band of it, in stripes.
 *
 * Match vectors exist for one stripe at a time, so that they take little memory for any alphabet.
 * The carries from one stripe to the next are bit vectors over the columns.
 *
 * If the length must be at least `least`, no more than m - least symbols of the pattern and n -
 * least symbols of the text can be left out, so that only a band of diagonals is needed (Ukkonen,
 * 1985): of each stripe, only the columns where the band overlaps it.  Left of them V is taken as
 * all 1, and right of them carries as 0: such a table has the lengths of the common subsequences
 * whose pairs lie in the band.  Those with the required length do.  The scan is given up when too
 * many symbols of the rows so far are left out.
 *
 * The band that similar strings need is not known in advance.  A narrow one is tried first; if it
 * is given up, the symbols left out so far determine the width of the next one.
 */
#include <string.h>

#include "lcs_scan.h"

/*
 * The first band: the symbols of either string that may be left out beyond the difference of
 * lengths.
 */
#define FIRST_BAND(m, n) (((double) (m) + (n)) / 160)

/* Bands narrower than the strings are tried only if both have at least this number of symbols. */
#define SHORTEST 1000

/* A first band may take 1 / FIRST_PART of the time of a whole scan, further ones 1 / NEXT_PART. */
#define FIRST_PART 4
#define NEXT_PART 2

/* Factor by which the next band is wider than projected. */
#define MARGIN 1.1

/* Most kernels to choose from: those for any processor, and vector kernels. */
#define MOST_KERNELS (2 * LCS_WAVES)

/* Most columns of a run, so that interrupts are checked in between. */
#define MOST_COLUMNS (1 << 20)

/* Least side of a square for backtracking; shorter pairs need little memory anyway. */
#define LEAST_SIDE 1024

/* Estimated picoseconds of a row of a stripe, and of a word of its match vectors. */
#define ROW_COST 2500
#define WORD_COST 400

/* Most steps of a tile after its columns. */
#define LAG 64

/* Returns the number of parts of a size; the last one may be smaller. */
static inline int32_t
parts_of_scan(int32_t whole, int32_t size)
{
	return (int32_t) (((int64_t) whole + size - 1) / size);
}

/* Lists the kernels of this processor; returns their number. */
static int
list_kernels(const LcsStripe **kernel)
{
	const LcsStripe *any = lcs_stripes_any();
	const LcsStripe *better = lcs_stripes_avx512();

	if (better == NULL)
		better = lcs_stripes_avx2();
	for (int i = 0; i < LCS_WAVES; i++)
	{
		kernel[i] = &any[i];
		if (better != NULL)
			kernel[LCS_WAVES + i] = &better[i];
	}
	return better == NULL ? LCS_WAVES : MOST_KERNELS;
}

/* Returns the kernel with the least estimated picoseconds, and sets these. */
static const LcsStripe *
cheapest(const LcsPair *pair, int32_t least, double *cost)
{
	const LcsStripe *kernel[MOST_KERNELS];
	const LcsStripe *best = NULL;
	int kernels = list_kernels(kernel);

	for (int i = 0; i < kernels; i++)
	{
		int32_t rows = lcs_stripe_rows(kernel[i]);
		int32_t symbols = ted_min(pair->distinct, ted_min(rows, pair->m));
		double band = (double) pair->m + pair->n - 2.0 * least + rows;
		double columns = (band < pair->n ? band : pair->n) + LAG;
		double stripe_cost =
			columns * kernel[i]->cost + (double) symbols * kernel[i]->words * WORD_COST;
		double other = parts_of_scan(pair->m, rows) * stripe_cost + (double) pair->m * ROW_COST;

		if (best == NULL || other < *cost)
		{
			best = kernel[i];
			*cost = other;
		}
	}
	return best;
}

/* Returns the estimated picoseconds of a scan. */
double
lcs_scan_cost(const LcsPair *pair, int32_t least)
{
	double cost;

	cheapest(pair, least, &cost);
	return cost;
}

/* Returns the side of the squares for backtracking. */
int32_t
lcs_scan_side(int32_t m, int32_t n)
{
	double cells = (double) m * n;
	int32_t side = LEAST_SIDE;

	while ((double) side * side * side < cells)
		side += LCS_GROUP;
	return side;
}

/* Returns the number of runs of the table. */
static size_t
run_count(const LcsScan *scan)
{
	return (size_t) parts_of_scan(scan->pair->n, scan->run);
}

/* Returns the words of the carries of all runs. */
static size_t
carry_words(const LcsScan *scan)
{
	return run_count(scan) * scan->run_carries;
}

/* Returns the words of all kept carries. */
static size_t
kept_carry_words(const LcsScan *scan)
{
	int32_t stripes = parts_of_scan(scan->pair->m, lcs_stripe_rows(scan->stripe));

	return (size_t) parts_of_scan(stripes, scan->stripes) * carry_words(scan);
}

/* Returns the address of the kept carries into a stripe, for one run. */
static uint64_t *
kept_carries(const LcsScan *scan, int32_t index, int32_t run)
{
	size_t row = (size_t) (index / scan->stripes);

	return scan->kept_carry + (row * run_count(scan) + (size_t) run) * scan->run_carries;
}

/*
 * Sets the sizes of a scan of scan->pair with a kernel and runs of up to `run` columns.  Inlined,
 * as is scan_layout(): each comparison computes the memory of every kernel.
 */
__attribute__((always_inline)) static inline void
scan_sizes(LcsScan *scan, const LcsStripe *stripe, int32_t run, int32_t side)
{
	int32_t rows = lcs_stripe_rows(stripe);
	int32_t m = scan->pair->m;
	int32_t n = scan->pair->n;

	scan->stripe = stripe;
	scan->words = (size_t) parts_of_scan(m, rows) * (size_t) stripe->words;
	scan->stripes = 0;
	scan->run = ted_min(parts_of_scan(n, LCS_GROUP), run / LCS_GROUP) * LCS_GROUP;
	if (side > 0)
	{
		scan->run = ted_min(scan->run, side);
		scan->stripes = ted_max(side / rows, 1);
	}
	scan->run_carries = (size_t) (scan->run + LCS_EXTRA_STEPS) / LCS_GROUP;
	scan->history_words = scan->run_carries * LCS_GROUP * (size_t) stripe->words;
	scan->at_once = n <= scan->run && m <= scan->stripes * rows;
}

/* Allocates an array of words. */
static inline uint64_t *
take_words(TedArena *arena, size_t words)
{
	return ted_arena_alloc(arena, words * sizeof(uint64_t));
}

/*
 * Allocates the arrays of a scan whose sizes are set.  There is a match row for each symbol of a
 * stripe, and a blank one.
 */
__attribute__((always_inline)) static inline void
scan_layout(LcsScan *scan, TedArena *arena)
{
	const LcsPair *pair = scan->pair;
	int32_t symbols = ted_min(lcs_stripe_rows(scan->stripe), pair->m);

	scan->v = take_words(arena, scan->words);
	scan->carry = take_words(arena, carry_words(scan));
	scan->row = ted_arena_alloc(arena, ((size_t) pair->distinct + 1) * sizeof(uint16_t));
	scan->match = take_words(arena, ((size_t) symbols + 1) * (size_t) scan->stripe->words);
	if (scan->stripes == 0)
		return;
	scan->kept_v = take_words(arena, run_count(scan) * scan->words);
	scan->kept_carry = take_words(arena, kept_carry_words(scan));
	scan->history = take_words(arena, (size_t) scan->stripes * scan->history_words);
}

/* Returns the bytes of a scan with a kernel for any pair of this size. */
static size_t
scan_kernel_memory(const LcsStripe *stripe, int32_t m, int32_t n, int32_t run, int32_t side)
{
	LcsPair pair = {.m = m, .n = n, .distinct = m};
	LcsScan scan;
	TedArena counting = {0};

	scan.pair = &pair;
	scan_sizes(&scan, stripe, run, side);
	scan_layout(&scan, &counting);
	return counting.used;
}

/* Bytes that lcs_scan() takes for any pair of this size. */
size_t
lcs_scan_memory(int32_t m, int32_t n, int32_t side)
{
	const LcsStripe *kernel[MOST_KERNELS];
	int kernels = list_kernels(kernel);
	size_t most = 0;

	if (m == 0 || n == 0)
		return 0;
	for (int i = 0; i < kernels; i++)
	{
		size_t bytes = scan_kernel_memory(kernel[i], m, n, MOST_COLUMNS, side);

		if (bytes > most)
			most = bytes;
	}
	return most;
}

/* Allocates the memory of a scan, and initializes column 0. */
static TedStatus
scan_begin(LcsScan *scan, const LcsStripe *stripe, int32_t run, int32_t side, TedArena *arena)
{
	scan_sizes(scan, stripe, run, side);
	scan_layout(scan, arena);
	if (ted_arena_exceeded(arena))
		return TED_OUT_OF_ARENA;
	if (side > 0)
	{
		size_t words = kept_carry_words(scan);

		for (size_t done = 0; done < words; done += TED_STEPS_PER_CHECK)
		{
			size_t some = words - done < TED_STEPS_PER_CHECK ? words - done : TED_STEPS_PER_CHECK;

			memset(scan->kept_carry + done, 0, some * sizeof(uint64_t));
			if (ted_interrupted(scan->interrupt, &scan->steps, (int64_t) some))
				return TED_CANCELLED;
		}
	}
	memset(scan->v, 0xff, scan->words * sizeof(uint64_t));
	memset(scan->carry, 0, carry_words(scan) * sizeof(uint64_t));
	memset(scan->row, 0, ((size_t) scan->pair->distinct + 1) * sizeof(uint16_t));
	for (int word = 0; word < stripe->words; word++)
		scan->match[word] = LCS_BLANK;
	return TED_OK;
}

/* Assigns match rows to the symbols of a stripe, and fills these rows. */
static void
stripe_begin(LcsScan *scan, int32_t index)
{
	const LcsStripe *stripe = scan->stripe;
	size_t words = (size_t) stripe->words;
	int32_t first = index * lcs_stripe_rows(stripe);
	uint16_t rows = 0;

	for (uint64_t *word = scan->match; first < scan->pair->m && word < scan->match + words; word++)
	{
		int32_t end = first + ted_min(LCS_WORD_ROWS, scan->pair->m - first);

		for (uint64_t bit = 1; first < end; first++, bit <<= 1)
		{
			uint16_t *row = &scan->row[scan->pair->a[first]];

			if (*row == 0)
			{
				*row = ++rows;
				for (size_t k = 0; k < words; k++)
					scan->match[rows * words + k] = LCS_BLANK;
			}
			word[*row * words] |= bit;
		}
	}
}

/* Removes the match rows of the symbols of a stripe. */
static void
stripe_end(LcsScan *scan, int32_t index)
{
	int32_t rows = lcs_stripe_rows(scan->stripe);
	int32_t end = ted_min(scan->pair->m - index * rows, rows);

	if (scan->pair->distinct < end)
	{
		memset(scan->row, 0, ((size_t) scan->pair->distinct + 1) * sizeof(uint16_t));
		return;
	}
	for (const int32_t *code = scan->pair->a + index * rows; end > 0; end--)
		scan->row[*code++] = 0;
}

/* Computes the columns of a stripe that the band overlaps. */
static void
stripe_columns(const LcsScan *scan, int32_t index, int32_t *start, int32_t *end)
{
	int32_t rows = lcs_stripe_rows(scan->stripe);
	int64_t first = (int64_t) index * rows;
	int64_t from = first - (scan->pair->m - scan->least);
	int64_t to = first + rows + (scan->pair->n - scan->least);

	*start = from <= 0 ? 0 : (int32_t) from / LCS_GROUP * LCS_GROUP;
	*end = to < scan->pair->n ? (int32_t) to : scan->pair->n;
}

/*
 * Scans columns `start` to end - 1 of one stripe, which are in one run; `start` is a multiple of
 * LCS_GROUP.
 */
static TedStatus
scan_tile(LcsScan *scan, int32_t index, int32_t start, int32_t end, bool with_history)
{
	size_t words = (size_t) scan->stripe->words;
	LcsTile tile;

	tile.columns = end - start;
	tile.code = scan->pair->b + start;
	tile.row = scan->row;
	tile.match = scan->match;
	tile.carry = scan->carry + (size_t) (start / scan->run) * scan->run_carries +
				 start % scan->run / LCS_GROUP;
	tile.history = NULL;
	if (with_history)
		tile.history = scan->history + (size_t) (index % scan->stripes) * scan->history_words +
					   (size_t) (start % scan->run) * words;
	scan->stripe->scan(scan->v + (size_t) index * words, &tile);
	if (ted_interrupted(scan->interrupt, &scan->steps,
						(int64_t) (tile.columns + LAG) * scan->stripe->words))
		return TED_CANCELLED;
	return TED_OK;
}

/* Scans columns `start` to end - 1 of one stripe; keeps the data for scanning its tiles again. */
static TedStatus
scan_lcs_stripe(LcsScan *scan, int32_t index, int32_t start, int32_t end)
{
	size_t words = (size_t) scan->stripe->words;
	TedStatus status = TED_OK;

	stripe_begin(scan, index);
	while (status == TED_OK && start < end)
	{
		int32_t run = start / scan->run;
		int32_t next = start + ted_min(end - start, scan->run - start % scan->run);

		if (scan->stripes > 0)
			memcpy(scan->kept_v + (size_t) run * scan->words + (size_t) index * words,
				   scan->v + (size_t) index * words, words * sizeof(uint64_t));
		if (scan->stripes > 0 && index % scan->stripes == 0)
			memcpy(kept_carries(scan, index, run), scan->carry + (size_t) run * scan->run_carries,
				   scan->run_carries * sizeof(uint64_t));
		status = scan_tile(scan, index, start, next, scan->at_once);
		start = next;
	}
	stripe_end(scan, index);
	return status;
}

/*
 * Scans the band for lengths of at least scan->least.  If it is given up, `lost` is the projected
 * number of symbols of both strings that are left out.
 */
static TedStatus
scan_band(LcsScan *scan, int32_t *length, double *lost)
{
	const LcsPair *pair = scan->pair;
	int32_t rows = lcs_stripe_rows(scan->stripe);
	int32_t done = 0;

	*length = 0;
	for (int32_t index = 0; done < pair->m; index++)
	{
		int32_t start, end;
		TedStatus status;

		stripe_columns(scan, index, &start, &end);
		status = scan_lcs_stripe(scan, index, start, end);
		if (status != TED_OK)
			return status;
		done += ted_min(pair->m - done, rows);
		/* each pair of the subsequence is a zero of V */
		for (int word = 0; word < scan->stripe->words; word++)
			*length += __builtin_popcountll(
				~(scan->v[(size_t) index * (size_t) scan->stripe->words + (size_t) word] |
				  LCS_BLANK));
		if (done - *length > pair->m - scan->least)
		{
			double both = (double) done + end;

			*lost = (both - 2.0 * *length) / both * ((double) pair->m + pair->n);
			*length = LCS_BELOW;
			return TED_OK;
		}
	}
	return TED_OK;
}

/* Computes the length of the longest common subsequence if it is at least `least`. */
TedStatus
lcs_scan(LcsScan *scan, const LcsPair *pair, int32_t least, int32_t side, TedArena *arena,
		 const TedInterrupt *interrupt, int32_t *length)
{
	size_t used = arena->used;
	int32_t shorter = ted_min(pair->m, pair->n);
	double spare = shorter < SHORTEST ? shorter : FIRST_BAND(pair->m, pair->n);
	double part = FIRST_PART;
	double whole;

	cheapest(pair, least, &whole);
	scan->pair = pair;
	scan->interrupt = interrupt;
	scan->steps = 0;
	for (;;)
	{
		double cost;
		double lost = 0;
		TedStatus status;
		const LcsStripe *stripe;

		scan->least = spare < shorter - least ? shorter - (int32_t) spare : least;
		stripe = cheapest(pair, scan->least, &cost);
		if (cost * part > whole)
		{
			scan->least = least;
			stripe = cheapest(pair, least, &cost);
		}
		arena->used = used;
		status = scan_begin(scan, stripe, MOST_COLUMNS, side, arena);
		if (status == TED_OK)
			status = scan_band(scan, length, &lost);
		if (status != TED_OK || *length != LCS_BELOW || scan->least == least)
			return status;

		lost = MARGIN * (lost - ((double) pair->m + pair->n - 2.0 * shorter)) / 2;
		spare = lost > 2 * spare ? lost : 2 * spare;
		part = NEXT_PART;
	}
}

/* Bytes that lcs_scan_tiled() takes. */
size_t
lcs_scan_tiled_memory(const LcsStripe *stripe, int32_t m, int32_t n, int32_t width)
{
	return scan_kernel_memory(stripe, m, n, width, 0);
}

/* Computes the length by one kernel, in tiles of `width` columns. */
TedStatus
lcs_scan_tiled(const LcsPair *pair, const LcsStripe *stripe, int32_t width, TedArena *arena,
			   const TedInterrupt *interrupt, int32_t *length)
{
	LcsScan scan = {.pair = pair, .interrupt = interrupt};
	double lost;
	TedStatus status = scan_begin(&scan, stripe, width, 0, arena);

	return status == TED_OK ? scan_band(&scan, length, &lost) : status;
}

/* Scans tiles of a run again, with histories. */
TedStatus
lcs_scan_again(LcsScan *scan, int32_t run, int32_t first, int32_t last, int32_t end)
{
	size_t words = (size_t) scan->stripe->words;
	int32_t run_start = run * scan->run;
	TedStatus status = TED_OK;

	if (scan->at_once)
		return TED_OK;
	memcpy(scan->carry + (size_t) run * scan->run_carries, kept_carries(scan, first, run),
		   scan->run_carries * sizeof(uint64_t));
	for (int32_t index = first; status == TED_OK && index <= last; index++)
	{
		int32_t from, to;

		stripe_columns(scan, index, &from, &to);
		from = ted_max(from, run_start);
		to = ted_min(to, end);
		if (from < to)
		{
			memcpy(scan->v + (size_t) index * words,
				   scan->kept_v + (size_t) run * scan->words + (size_t) index * words,
				   words * sizeof(uint64_t));
			stripe_begin(scan, index);
			status = scan_tile(scan, index, from, to, true);
			stripe_end(scan, index);
		}
	}
	return status;
}
