/*
 * choice.h
 *	  How each pair of a batch is computed: by tables, up to a limit by a strip, or not at all.
 */
#ifndef CHOICE_H
#define CHOICE_H

#include "../src/engine/device.h"
#include "strip.h"
#include "sweep.h"
#include "trees.h"

enum Way : uint8_t
{
	BY_NOBODY, /* the sizes tell that the pair is beyond its limit */
	BY_STRIP,
	BY_TABLES
};

/* A pair's way, and the views that it needs. */
struct Choice
{
	int32_t a;
	int32_t b;
	float cells; /* of tables that a card could fill in the pair's time */
	Strip strip;
	Way way;
	bool right; /* mirror images */
};

/*
 * Chooses for all pairs, so that no strip lasts much longer than the batch, and
 * wants their views.  Returns the cells of all pairs.
 */
double choose_ways(TreeSet &set, const TedBatch &batch, std::vector<Choice> &choices);

/* The job of a pair that is computed by tables: the tree with fewer entries has the rows. */
Job job_of(const TreeSet &set, const Choice &choice);

#endif /* CHOICE_H */
