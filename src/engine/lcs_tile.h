/*
 * lcs_tile.h
 *	  Model of the time that a GPU takes for one long pair, and its best tile.
 *
 * The kernel is that of cuda/string/lcs_stripe.cuh.  A lane has W words of V, and is
 * `lag` batches of B columns behind the lane before it.  A half of n columns
 * and m rows is a wavefront of n / B + lag m / 32 W steps, each of B columns
 * and a hand-over to the next lane:
 *
 *	  T(W, B) = (n / B + lag m / 32 W) (B column(W) + hand_over(W))
 *	            + stripes stripe(W) + launch(W)
 *
 * so that B* = sqrt(32 W n hand_over / (lag m column)) is best for W.  As in the
 * supernode thesis, the best tile is larger where the hand-over costs more, compared
 * with a step; but a tile hands over its border only, a bit for each row and column.
 * The times depend on how many warps share a scheduler, too, and that of a column on
 * how match vectors are found.
 */
#ifndef TED_LCS_TILE_H
#define TED_LCS_TILE_H

#include <stdbool.h>
#include <stdint.h>

/* Words a thread are 1, 2 or 4; 1 or 2 warps share a scheduler. */
#define LCS_TILE_WORDS 3
#define LCS_TILE_SHARES 2

/* Seconds, measured on a device. */
typedef struct LcsTileCosts
{
	double column;    /* of a warp */
	double hand_over; /* of a batch, from lane to lane */
	double stripe;    /* from warp to warp, once */
	double launch;    /* all that does not depend on the pair */
} LcsTileCosts;

/* How the match vectors of a column are found. */
typedef enum LcsTileMatch
{
	LCS_MATCH_TABLE,    /* in one table of all symbols */
	LCS_MATCH_TABLES,   /* in two, by parts of the symbol */
	LCS_MATCH_NUMBERED, /* likewise, of symbols that each stripe numbers by itself */
	LCS_MATCHES
} LcsTileMatch;

/* Costs by how matches are found, by log2 of the words and by the warps on a scheduler, less 1. */
typedef struct LcsTileModel
{
	LcsTileCosts costs[LCS_MATCHES][LCS_TILE_WORDS][LCS_TILE_SHARES];
} LcsTileModel;

/* Number of times in a model, which has no other members. */
#define LCS_TILE_TIMES ((int) (sizeof(LcsTileModel) / sizeof(double)))

/* How a pair is cut. */
typedef struct LcsTile
{
	LcsTileMatch match;
	int words;  /* a thread */
	int batch;  /* columns of a batch */
	int lag;    /* batches from lane to lane */
	int shares; /* warps on a scheduler */
	int warps;  /* on the device at the same time, for a half */
} LcsTile;

/* A pair: rows, and columns of one of its halves. */
typedef struct LcsTilePair
{
	int32_t rows;
	int32_t columns;
} LcsTilePair;

/* Predicted seconds. */
extern double lcs_tile_time(const LcsTileModel *model, LcsTilePair pair, const LcsTile *tile);

/* The best real batch for the words and the lag of a tile. */
extern double lcs_tile_batch(const LcsTileModel *model, LcsTilePair pair, const LcsTile *tile);

/* A pair that was measured. */
typedef struct LcsTileSample
{
	LcsTilePair pair;
	LcsTile tile;
	double seconds;
} LcsTileSample;

/*
 * Sets the costs by least squares of relative error, from samples with the same
 * words and shares but different batches, rows and columns; false where they do
 * not determine each of the four costs.
 */
extern bool lcs_tile_fit(LcsTileCosts *costs, const LcsTileSample *samples, int count);

/* Sets the cost of a column so that a sample takes the time that was measured. */
extern void lcs_tile_fit_column(LcsTileCosts *costs, const LcsTileSample *sample);

#endif /* TED_LCS_TILE_H */
