/*
 * arenas.h
 *	  Arenas of exact size, interrupts, and distances in such arenas, for stand-alone tests.
 */
#ifndef TED_TEST_CORE_ARENAS_H
#define TED_TEST_CORE_ARENAS_H

#include <stdlib.h>
#include <string.h>

#include "../../src/core/tree/ted.h"

/*
 * Returns an arena of exactly this number of bytes, so that a sanitizer sees every access beyond;
 * they must be a multiple of the alignment.  It is filled with negative numbers to spoil minima.
 */
static inline TedArena
new_arena(size_t bytes)
{
	char *base = aligned_alloc(TED_ARENA_ALIGN, bytes);

	memset(base, 0xA5, bytes);
	return (TedArena){.base = base, .size = bytes};
}

/* Asks to stop at once, as an interrupt callback. */
static inline bool
stop(void *arg)
{
	(void) arg;
	return true;
}

/* Asks to stop once it has been called this number of times. */
static inline bool
countdown(void *arg)
{
	return --*(int *) arg < 0;
}

static const TedInterrupt never = {0};
static const TedInterrupt at_once = {.check = stop};

/*
 * Returns the distance of a pair, TED_BEYOND above its limit, in exactly the memory that its plan
 * says; -2 if that fails.
 */
static inline int32_t
planned_distance(const TedTree *a, const TedTree *b, const TedCosts *costs, int32_t limit)
{
	TedPairPlan plan = ted_plan_pair(a, b, costs, limit);
	TedArena arena = new_arena(plan.bytes);
	int32_t distance = -1;

	if (ted_pair_distance(&plan, &arena, &never, &distance) != TED_OK || arena.used > 0)
		distance = -2;
	free(arena.base);
	return distance;
}

/* Returns the distance likewise, and sets the mapping if it is within the limit. */
static inline int32_t
planned_mapping(const TedTree *a, const TedTree *b, const TedCosts *costs, int32_t limit,
				int32_t *map_a, int32_t *map_b)
{
	TedPairPlan plan = ted_plan_mapping(a, b, costs, limit);
	TedArena arena = new_arena(plan.bytes);
	int32_t distance = -1;

	if (ted_pair_mapping(&plan, NULL, &arena, &never, map_a, map_b, &distance) != TED_OK ||
		arena.used > 0)
		distance = -2;
	free(arena.base);
	return distance;
}

#endif /* TED_TEST_CORE_ARENAS_H */
