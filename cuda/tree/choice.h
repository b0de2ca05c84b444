/*
 * choice.h
 *	  How the pairs of a slice are computed: by strips, by tables, or not at all.
 */
#ifndef TED_CHOICE_H
#define TED_CHOICE_H

#include "device_label_costs.h"
#include "plan.h"
#include "device_strip.h"

/* Pairs by how they are computed; results are counted from the first pair of the slice. */
struct Choices
{
	std::vector<StripPair> strips;
	std::vector<PlannedPair> tables;
	bool wide_cells; /* of tables: 16 bits do not suffice */
	int64_t end;     /* of the slice */
	double others;   /* cells of tables that a card could fill in the time of all later pairs */
};

/*
 * Chooses for the pairs of a batch that make the slice from `first` on, and asks
 * for their views.  Pairs whose sizes put them beyond their limits are left out.
 * Where costs differ by label, `labels` has them.
 */
Choices choose_kernels(TreeSet &set, LabelCosts *labels, const TedBatch &batch, int64_t first);

#endif /* TED_CHOICE_H */
