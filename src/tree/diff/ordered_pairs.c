/*
 * ordered_pairs.c
 *	  Pairs of similar items of two sequences, in the order of both.
 *
 * The table of the greatest sums has a row for each item of the first sequence.  In long
 * sequences, an item is compared only with those near the same place of the other sequence:
 * a band of the table, of ITEMS_COMPARED cells for each item of either sequence.  A row keeps
 * the sums left of the band.  Right of the band, sums are the last one in it.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "../../compat.h"
#include "../../common/host.h"
#include "ordered_pairs.h"

/* The cells of the band for each item. */
#define ITEMS_COMPARED 100

/* The way to the greatest sum of a cell. */
typedef enum PairStep
{
	STEP_LEFT,
	STEP_UP,
	STEP_PAIR
} PairStep;

/* The band of a table. */
typedef struct PairBand
{
	int32 m;
	int32 n;
	int32 width; /* cells of a row */
} PairBand;

/* The band for sequences of these lengths. */
static PairBand
MakeBand(int32 m, int32 n)
{
	int64 width = m == 0 ? 0 : ITEMS_COMPARED * ((int64) m + n) / m;

	return (PairBand){m, n, (int32) Min(width, n)};
}

/* The first column of the band in a row. */
static inline int32
FirstBandColumn(const PairBand *band, int32 row)
{
	int64 middle = (int64) row * band->n / band->m;

	return (int32) Max(0, Min(middle - band->width / 2, band->n - band->width));
}

/* Memory that the search for pairs takes, in bytes. */
Size
OrderedPairsMemory(int32 m, int32 n)
{
	return (Size) m * MakeBand(m, n).width + sizeof(int64) * ((Size) n + 1);
}

/* Finds pairs with the greatest sum of gains. */
void
FindOrderedPairs(int32 m, int32 n, PairGain gain, void *arg, int32 *partner)
{
	PairBand band = MakeBand(m, n);
	uint8 *step =
		MemoryContextAllocHuge(CurrentMemoryContext, Max((Size) m * band.width, (Size) 1));
	int64 *sum = AllocZeros(CurrentMemoryContext, sizeof(int64) * ((Size) n + 1));
	int32 reached = 0; /* columns whose sums are known */

	for (int32 i = 0; i < m; i++)
	{
		int32 first = FirstBandColumn(&band, i);
		uint8 *row = step + (Size) i * band.width;
		int64 before = sum[Min(first, reached)]; /* of the row above, one column to the left */

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
