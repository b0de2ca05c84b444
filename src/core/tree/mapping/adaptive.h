/*
 * adaptive.h
 *	  The distance of large trees, in little time and memory where they are alike.
 *
 * A pair goes through stages, each of which settles it or leaves what it has
 * found to the next one.  Every stage says how much memory it takes, so that a
 * pair is refused only if the stage that it has come to takes too much.
 *
 * Where the exact algorithm takes too much memory, the widest strip that has the
 * memory and takes minutes at the most is the last resort, and the pair goes to the
 * exact algorithm, to be refused, as soon as a lower bound is beyond that strip.
 */
#ifndef TED_ADAPTIVE_H
#define TED_ADAPTIVE_H

#include "../ted.h"

typedef enum TedStage
{
	TED_STAGE_WIDTH,       /* of the widest strip, if tables take too much memory */
	TED_STAGE_BOUNDS,      /* lower and upper bounds of the distance */
	TED_STAGE_APPROXIMATE, /* bounds without strips: an approximate mapping may be optimal */
	TED_STAGE_STRIP,       /* a strip as of ted_bounded_distance() */
	TED_STAGE_TABLES,      /* ted_distance() */
	TED_STAGE_DONE
} TedStage;

/* A pair under way. */
typedef struct TedStages
{
	const TedTree *a;
	const TedTree *b;
	TedCosts costs;
	int32_t limit; /* that was asked for, or TED_NO_LIMIT */
	size_t memory; /* bytes that a stage should not exceed */
	bool fits;     /* whether the exact algorithm does not exceed them */
	TedStage stage;
	int32_t lower;    /* the distance is at least this */
	int32_t upper;    /* it is at most this, or beyond the limit */
	int32_t widest;   /* limit of the widest strip, which is that asked for if the tables fit */
	bool hopeless;    /* the distance is beyond `widest` in all likelihood */
	int32_t next;     /* limit of the next strip */
	double tables;    /* seconds that the exact algorithm takes, INFINITY if it does not fit */
	double spendable; /* seconds that strips may take that do not settle the pair */
	int32_t distance; /* when done: up to the limit, else TED_BEYOND */
} TedStages;

/*
 * Whether the stages may save time: the trees are so large that bounds cost next
 * to nothing in comparison.  Others go to ted_distances().
 */
extern bool ted_stages_pay(const TedTree *a, const TedTree *b, const TedCosts *costs,
						   int32_t limit);

/* Starts the stages of a pair of trees whose sizes fit the limit. */
extern TedStages ted_stages_begin(const TedTree *a, const TedTree *b, const TedCosts *costs,
								  int32_t limit, size_t memory);

/* The next stage, until that is TED_STAGE_DONE. */
extern size_t ted_stage_memory(const TedStages *stages);
extern TedStatus ted_stage_run(TedStages *stages, TedArena *arena, const TedInterrupt *interrupt);

/* Whether the distance may be within the limit of a strip. */
typedef enum TedStripOutlook
{
	TED_STRIP_POSSIBLE,
	TED_STRIP_HOPELESS, /* it is beyond the limit in all likelihood */
	TED_STRIP_EXCLUDED  /* it is beyond the limit */
} TedStripOutlook;

/*
 * The outlook of a strip, given the cost of an approximate mapping.  The memory of
 * ted_euler_within().
 */
extern TedStatus ted_strip_outlook(const TedTree *a, const TedTree *b, const TedCosts *costs,
								   int32_t limit, int32_t cost, TedArena *arena,
								   const TedInterrupt *interrupt, TedStripOutlook *outlook);

#endif /* TED_ADAPTIVE_H */
