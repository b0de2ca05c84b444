/*
 * adaptive.h
 *	  The distance of large trees, in little time and memory where they are similar.
 *
 * A pair goes through stages, each of which settles it or passes its bounds to the next stage.  The
 * caller gets the memory of each stage before it runs, so that a pair is refused only if a stage
 * that it reaches takes too much.
 *
 * Where the exact algorithm takes too much memory, the last resort is the widest strip that fits in
 * memory and takes a few minutes.  As soon as a lower bound exceeds the limit of that strip, the
 * pair goes to the stage of the exact algorithm, where it is refused.
 */
#ifndef TED_ADAPTIVE_H
#define TED_ADAPTIVE_H

#include "../ted.h"

/* The stages of a pair. */
typedef enum TedStage
{
	TED_STAGE_WIDTH,       /* finds the widest strip, if tables take too much memory */
	TED_STAGE_BOUNDS,      /* lower and upper bounds of the distance */
	TED_STAGE_APPROXIMATE, /* an approximate mapping and lower bounds, which may be equal */
	TED_STAGE_STRIP,       /* a strip up to a limit */
	TED_STAGE_TABLES,      /* the exact algorithm */
	TED_STAGE_DONE
} TedStage;

/* State of a pair. */
typedef struct TedStages
{
	TedPairPlan exact; /* by tables */
	TedPairPlan strip; /* of the next stage, if that is a strip */
	int32_t limit;     /* limit that the caller wants, or TED_NO_LIMIT */
	size_t memory;     /* bytes that a stage should not exceed */
	bool fits;         /* the exact algorithm does not exceed them */
	TedStage stage;
	int32_t lower;    /* lower bound on the distance */
	int32_t upper;    /* the distance is at most this, or exceeds `limit` */
	int32_t widest;   /* limit of the widest strip that fits; `limit` if the tables fit */
	bool hopeless;    /* the distance very likely exceeds `widest` */
	int32_t next;     /* limit of the next strip */
	double tables;    /* estimated seconds of the exact algorithm, INFINITY if it does not fit */
	double bounds;    /* seconds that each of the first bounds may take */
	double spendable; /* seconds left for strips that need not settle the pair */
	int32_t distance; /* when done: the distance if it is at most `limit`, else TED_BEYOND */
} TedStages;

/*
 * Whether the stages may save time, as the trees are so large that the time of bounds is
 * negligible.
 */
extern bool ted_stages_pay(const TedPairPlan *plan);

/* Starts the stages of a pair of trees whose sizes allow a distance within the limit. */
extern TedStages ted_stages_begin(const TedPairPlan *plan, size_t memory);

/* Run the next stage, until it is TED_STAGE_DONE; the first function returns its bytes. */
extern size_t ted_stage_memory(const TedStages *stages);
extern TedStatus ted_stage_run(TedStages *stages, TedArena *arena, const TedInterrupt *interrupt);

/* Whether the distance may be within the limit of a strip. */
typedef enum TedStripOutlook
{
	TED_STRIP_POSSIBLE,
	TED_STRIP_HOPELESS, /* the distance very likely exceeds the limit */
	TED_STRIP_EXCLUDED  /* it is beyond the limit */
} TedStripOutlook;

/*
 * Computes the outlook of a strip, given the cost of an approximate mapping.  Takes the memory of
 * ted_euler_within().
 */
extern TedStatus ted_strip_outlook(const TedTree *a, const TedTree *b, const TedCosts *costs,
								   int32_t limit, int32_t cost, TedArena *arena,
								   const TedInterrupt *interrupt, TedStripOutlook *outlook);

#endif /* TED_ADAPTIVE_H */
