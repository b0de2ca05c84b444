/*
 * ordered_pairs.c
 *	  Pairs similar items of two sequences, in the order of both.
 *
 * A table of the greatest sums has a row for each item of the first sequence.  In long
 * sequences, an item is compared only with items near the same place of the other sequence,
 * within a band of the table; the band has ITEMS_COMPARED entries for each item of both
 * sequences.  Left of the band, a row keeps the sums of the rows above.  Right of the band,
 * all sums are the last one in the band.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "../../compat.h"
#include "../../common/host.h"
#include "ordered_pairs.h"

/* Entries of the band for each item of both sequences. */
#define ITEMS_COMPARED 100

/* The previous entry on the path to the greatest sum. */
typedef enum PairStep
{
	STEP_LEFT,
	STEP_UP,
	STEP_PAIR
} PairStep;

/* The band of a table with m rows and n columns. */
typedef struct PairBand
{
	int32 m;
	int32 n;
	int32 width; /* entries of a row */
} PairBand;

/* Returns the band for sequences of m and n items. */
static PairBand
MakeBand(int32 m, int32 n)
{
	int64 width = m == 0 ? 0 : ITEMS_COMPARED * ((int64) m + n) / m;

	return (PairBand){m, n, (int32) Min(width, n)};
}

/* Returns the first column of the band in a row. */
static inline int32
FirstBandColumn(const PairBand *band, int32 row)
{
	int64 middle = (int64) row * band->n / band->m;

	return (int32) Max(0, Min(middle - band->width / 2, band->n - band->width));
}

Size
OrderedPairsMemory(int32 m, int32 n)
{
	return (Size) m * MakeBand(m, n).width + sizeof(int64) * ((Size) n + 1);
}

void
FindOrderedPairs(int32 m, int32 n, PairGain gain, void *arg, int32 *partner)
{
	PairBand band = MakeBand(m, n);
	uint8 *step =
		MemoryContextAllocHuge(CurrentMemoryContext, Max((Size) m * band.width, (Size) 1));
	int64 *sum = AllocZeros(CurrentMemoryContext, sizeof(int64) * ((Size) n + 1));
	int32 reached = 0; /* number of columns whose sums are set */

	for (int32 i = 0; i < m; i++)
	{
		int32 first = FirstBandColumn(&band, i);
		uint8 *row = step + (Size) i * band.width;
		int64 before = sum[Min(first, reached)]; /* sum of the row above, one column to the left */

		for (; reached < first + band.width; reached++)
			sum[reached + 1] = sum[reached];
		for (int32 j = first; j < first + band.width; j++)
		{
			int32 gained = gain(arg, i, j);
			int64 above = sum[j + 1];

			CHECK_FOR_INTERRUPTS();
			row[j - first] = STEP_UP;
			if (sum[j] > above)
			{
				sum[j + 1] = sum[j];
				row[j - first] = STEP_LEFT;
			}
			if (gained > 0 && before + gained > sum[j + 1])
			{
				sum[j + 1] = before + gained;
				row[j - first] = STEP_PAIR;
			}
			before = above;
		}
	}
	for (int32 i = m - 1, j = n - 1; i >= 0; i--)
	{
		int32 first = FirstBandColumn(&band, i);
		const uint8 *row = step + (Size) i * band.width;

		partner[i] = -1;
		j = Min(j, first + band.width - 1);
		while (j >= first && row[j - first] == STEP_LEFT)
			j--;
		if (j >= first && row[j - first] == STEP_PAIR)
			partner[i] = j--;
		CHECK_FOR_INTERRUPTS();
	}
	pfree(step);
	pfree(sum);
}
