/*
 * lcs_tile.h
 *	  Model of a GPU's time for one long pair of strings, and the best tile for it.
 *
 * The kernel is that of cuda/string/lcs_stripe.cuh.  A lane has W words of V, and is `lag` batches
 * of B columns behind the previous lane.  A half of n columns and m rows is a wavefront of n / B +
 * lag m / 32 W steps, each of which takes B columns and a hand-over to the next lane:
 *
 *	  T(W, B) = (n / B + lag m / 32 W) (B column(W) + hand_over(W))
 *	  + stripes stripe(W) + launch(W)
 *
 * so that B* = sqrt(32 W n hand_over / (lag m column)) is best for W.  As in the supernode thesis,
 * the best tile is larger if the hand-over costs more, compared with a step; but a tile hands over
 * only its border, one bit for each row and column.  The times also depend on the number of warps
 * that share a scheduler; the time of a column also depends on how match vectors are found.
 */
#ifndef TED_LCS_TILE_H
#define TED_LCS_TILE_H

#include <stdbool.h>
#include <stdint.h>

/* A thread has 1, 2 or 4 words; a scheduler has 1 or 2 warps. */
#define LCS_TILE_WORDS 3
#define LCS_TILE_SHARES 2

/* Times in seconds, measured on a device. */
typedef struct LcsTileCosts
{
	double column;    /* of one column, by a warp */
	double hand_over; /* of one batch of columns, from lane to lane */
	double stripe;    /* of one hand-over from warp to warp */
	double launch;    /* time that does not depend on the pair */
} LcsTileCosts;

/* Where a kernel finds the match vectors of a column. */
typedef enum LcsTileMatch
{
	LCS_MATCH_TABLE,    /* one table of all symbols */
	LCS_MATCH_TABLES,   /* two tables, each by a part of the symbol */
	LCS_MATCH_NUMBERED, /* two tables of symbols that each stripe numbers by itself */
	LCS_MATCHES
} LcsTileMatch;

/*
 * Costs by LcsTileMatch, by log2 of the words per thread, and by the warps on a scheduler minus 1.
 */
typedef struct LcsTileModel
{
	LcsTileCosts costs[LCS_MATCHES][LCS_TILE_WORDS][LCS_TILE_SHARES];
} LcsTileModel;

/* Number of times in a model, which has no other members. */
#define LCS_TILE_TIMES ((int) (sizeof(LcsTileModel) / sizeof(double)))

/* How a kernel cuts a pair. */
typedef struct LcsTile
{
	LcsTileMatch match;
	int words;  /* words per thread */
	int batch;  /* columns in a batch */
	int lag;    /* batches by which a lane is behind the previous one */
	int shares; /* warps on a scheduler */
	int warps;  /* warps on the device that work on one half at the same time */
} LcsTile;

/* A pair of strings: rows, and columns of one of its halves. */
typedef struct LcsTilePair
{
	int32_t rows;
	int32_t columns;
} LcsTilePair;

/* Predicts the seconds of a pair with a tile. */
extern double lcs_tile_time(const LcsTileModel *model, LcsTilePair pair, const LcsTile *tile);

/* A pair of strings with the time measured for a tile. */
typedef struct LcsTileSample
{
	LcsTilePair pair;
	LcsTile tile;
	double seconds;
} LcsTileSample;

/*
 * Fits the costs to samples by least squares of the relative error.  The samples have the same
 * words and shares, but different batches, rows and columns.  Returns false if they do not
 * determine all four costs.
 */
extern bool lcs_tile_fit(LcsTileCosts *costs, const LcsTileSample *samples, int count);

/* Sets the cost of a column so that a sample takes the time measured. */
extern void lcs_tile_fit_column(LcsTileCosts *costs, const LcsTileSample *sample);

#endif /* TED_LCS_TILE_H */
