/*
 * bounded.h
 *	  Distances of pairs by the fastest way, and of one tree from many.
 */
#ifndef TED_BOUNDED_H
#define TED_BOUNDED_H

#include "../../common/processor_tuning.h"
#include "../ted.h"

/*
 * Plans a strip, whether or not another way is faster, for trees whose sizes allow a mapping within
 * the limit.  Takes O(|a|) time, as it sums up small tables, which have fewer columns than the
 * strip has diagonals.
 */
extern TedPairPlan ted_plan_strip(const TedTree *a, const TedTree *b, const TedCosts *costs,
								  int32_t limit);

/* A group of trees whose distances from one tree are computed by tables in one pass. */
typedef struct TedGroup
{
	const TedTree *a;
	const TedCosts *costs;
	const TedTree *member[TED_FOREST_TREES];
	int32_t count;
	int32_t largest; /* size of the largest member */
	TedTree sums;    /* of the forest of the members */
} TedGroup;

/* How a group is computed. */
typedef struct TedGroupPlan
{
	TedVectors vectors; /* none if the members have to be computed pair by pair */
	bool mirrored;
	size_t bytes;
} TedGroupPlan;

/* Adds a tree to a group; returns false if the group has members and no room for the tree. */
extern bool ted_group_add(TedGroup *group, const TedTree *tree);

/* Plans the exact distances of a group, and computes them in the order of the members. */
extern TedGroupPlan ted_plan_group(const TedGroup *group);
extern TedStatus ted_group_distances(const TedGroup *group, const TedGroupPlan *plan,
									 TedArena *arena, const TedInterrupt *interrupt,
									 int32_t *distances);

#endif /* TED_BOUNDED_H */
