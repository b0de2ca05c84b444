/*
 * lcs_histogram.h
 *	  Histograms of the symbols of long strings.
 */
#ifndef TED_LCS_HISTOGRAM_H
#define TED_LCS_HISTOGRAM_H

#include "lcs_features.h"

#define LCS_BUCKETS 64

/*
 * Counters of symbols by bucket, which stop at their maximum.  Every symbol outside a common
 * subsequence of two strings changes the sum of the differences of their counters by at most one,
 * even where symbols share a bucket or counters stop.
 */
typedef struct LcsHistogram
{
	uint8_t count[LCS_BUCKETS];
} LcsHistogram;

/* Counts the symbols of a string. */
extern void lcs_count_symbols(const LcsString *string, LcsHistogram *histogram);

/*
 * Finds the histograms from `first` to end - 1 whose distances from that of a probe are within
 * their limits; writes their numbers to `found`, which has room for one more, and returns how many.
 */
typedef int LcsHistogramSearch(const LcsHistogram *histograms, const int64_t *limits, int first,
							   int end, const LcsHistogram *probe, uint16_t *found);

/* Returns the function for this processor. */
extern LcsHistogramSearch *lcs_histogram_search(void);

#endif /* TED_LCS_HISTOGRAM_H */
