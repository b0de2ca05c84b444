/*
 * choice.h
 *	  Chooses how the pairs of a slice are computed: by strips, by tables, or not at all.
 */
#ifndef TED_CHOICE_H
#define TED_CHOICE_H

#include "device_label_costs.h"
#include "plan.h"
#include "device_strip.h"

/*
 * The pairs of a slice by how they are computed; the index of a pair's result is relative to
 * the first pair.
 */
struct Choices
{
	std::vector<StripPair> strips;
	std::vector<PlannedPair> tables;
	bool wide_cells; /* tables need cells of 32 bits */
	int64_t end;     /* end of the slice */
	double others;   /* estimated work of all later pairs, in cells of tables */
};

/*
 * Chooses how the pairs of the slice of a batch that begins at `first` are computed, and
 * requests their views.  Pairs whose sizes alone exceed their limits are left out.  `labels`
 * holds the costs if they differ by label.
 */
Choices choose_kernels(TreeSet &set, LabelCosts *labels, const TedBatch &batch, int64_t first);

#endif /* TED_CHOICE_H */
