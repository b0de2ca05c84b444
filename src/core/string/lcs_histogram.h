/*
 * lcs_histogram.h
 *	  How often the symbols of long strings occur.
 */
#ifndef TED_LCS_HISTOGRAM_H
#define TED_LCS_HISTOGRAM_H

#include "lcs_features.h"

#define LCS_BUCKETS 64

/*
 * Counters of symbols by bucket, which stop at their maximum.  Every symbol outside
 * a common subsequence of two strings changes the sum of their differences by one
 * at most, whatever symbols share a bucket and wherever counters stop.
 */
typedef struct LcsHistogram
{
	uint8_t count[LCS_BUCKETS];
} LcsHistogram;

/* Counts the symbols of a string. */
extern void lcs_count_symbols(const LcsString *string, LcsHistogram *histogram);

/* Finds the histograms whose distances from that of a probe are within their limits. */
typedef int LcsHistogramSearch(const LcsHistogram *histograms, const int64_t *limits, int first,
							   int end, const LcsHistogram *probe, uint16_t *found);

extern LcsHistogramSearch lcs_histogram_search_plain;
extern LcsHistogramSearch lcs_histogram_search_avx2;
extern LcsHistogramSearch lcs_histogram_search_neon;

/* Returns the function for this processor. */
extern LcsHistogramSearch *lcs_histogram_search(void);

#endif /* TED_LCS_HISTOGRAM_H */
