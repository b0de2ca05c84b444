/*
 * lcs_candidates.c
 *	  Finds pairs of strings that can have enough symbols in common.
 *
 * All probes are looked up in a block of strings while it is in the cache, before the next block.
 * The candidates are then ordered by probe.
 */
#include "lcs_candidates.h"

#include <string.h>

/* Average number of candidates of a probe that are returned at once. */
#define PORTION 16

/* A string to look up. */
typedef struct Probe
{
	LcsFeatures features;
	LcsString string;
	int32_t length;
	int32_t begin; /* first rank of the strings whose lengths allow similarity */
	int32_t first; /* the first of these ranks that is wanted */
	int32_t end;
} Probe;

struct LcsCandidateSearch
{
	LcsCandidateIndex *index;
	LcsBlockSearch *search_block;
	LcsHistogramSearch *search_histograms;
	const TedInterrupt *interrupt;
	int64_t steps;
	Probe *probes;
	LcsHistogram *histograms; /* of the probes; NULL if no longer strings are indexed */
	int count;
	int32_t block; /* the search continues in this block, with the probe `probe` */
	int32_t end;   /* the block after the last one */
	int probe;

	/* limits in the current block, for probes of one length */
	int32_t limits_length;
	int32_t misses[LCS_BLOCK_PARTS];
	LcsPartNumbers few_misses; /* the same, at most 127 */
	int64_t *distances;        /* by string: limit of the distance of histograms */

	LcsHit hits[LCS_BLOCK_PARTS];
	uint16_t *histogram_hits;

	int32_t portion; /* number of candidates at which the search stops to return them */
	int32_t found;
	uint16_t *found_probe;
	int32_t *found_rank;
	int32_t *candidates; /* ranks, ordered by probe */
	uint8_t *lengths;    /* by candidate: length of the common subsequence */
	int32_t candidates_end[LCS_PROBES + 2];
	LcsBytesPattern pattern;
};

/* Allocates a search; NULL where there is no room. */
static LcsCandidateSearch *
take_search(TedArena *arena, const LcsIndexedStrings *strings, int probes)
{
	int32_t count = strings->shorter + strings->longer;
	int32_t longer = strings->shorter < LCS_LEAST_BLOCK_STRINGS ? count : strings->longer;
	size_t block = (size_t) ted_min(count, LCS_BLOCK_STRINGS);
	size_t room = (size_t) PORTION * (size_t) probes + block;
	LcsCandidateSearch *search = ted_arena_alloc(arena, sizeof(LcsCandidateSearch));
	LcsCandidateSearch arrays = {.portion = PORTION * probes};

	arrays.probes = ted_arena_alloc(arena, (size_t) probes * sizeof(Probe));
	if (longer > 0)
	{
		arrays.histograms = ted_arena_alloc(arena, (size_t) probes * sizeof(LcsHistogram));
		arrays.distances = ted_arena_alloc(arena, block * sizeof(int64_t));
		arrays.histogram_hits = ted_arena_alloc(arena, (block + 1) * sizeof(uint16_t));
	}
	arrays.found_probe = ted_arena_alloc(arena, room * sizeof(uint16_t));
	arrays.found_rank = ted_arena_int32(arena, room);
	arrays.candidates = ted_arena_int32(arena, room);
	arrays.lengths = ted_arena_alloc(arena, room);
	if (ted_arena_exceeded(arena))
		return NULL;
	*search = arrays;
	return search;
}

/* Bytes that lcs_candidate_search() takes. */
size_t
lcs_candidate_search_memory(const LcsIndexedStrings *strings, int probes)
{
	TedArena counted = {0};

	take_search(&counted, strings, probes);
	return counted.used;
}

/* Creates a search. */
TedStatus
lcs_candidate_search(LcsCandidateIndex *index, int probes, TedArena *arena,
					 const TedInterrupt *interrupt, LcsCandidateSearch **search)
{
	LcsIndexedStrings strings = {.shorter = index->shorter,
								 .longer = index->count - index->shorter};

	*search = take_search(arena, &strings, probes);
	if (*search == NULL)
		return TED_OUT_OF_ARENA;
	(*search)->index = index;
	(*search)->search_block = lcs_block_search();
	(*search)->search_histograms = lcs_histogram_search();
	(*search)->interrupt = interrupt;
	return TED_OK;
}

/* Returns the least number of common symbols of similar strings of m and n symbols. */
static inline int64_t
least_common(const LcsCandidateIndex *index, int32_t m, int32_t n)
{
	return index->least.least(index->least.arg, (int64_t) m + n);
}

/* Returns -1 if strings of n symbols are too short for m symbols, 1 if too long, else 0. */
static inline int
compare_lengths(const LcsCandidateIndex *index, int32_t m, int32_t n)
{
	if (least_common(index, m, n) <= ted_min(m, n))
		return 0;
	return n < m ? -1 : 1;
}

/* Returns the first rank from `rank` on whose length compares to m as at least `order`. */
static int32_t
first_of_length(const LcsCandidateIndex *index, int32_t m, int order, int32_t rank)
{
	int32_t end = index->count;

	while (rank < end)
	{
		int32_t middle = rank + (end - rank) / 2;

		if (compare_lengths(index, m, index->length[middle]) < order)
			rank = middle + 1;
		else
			end = middle;
	}
	return rank;
}

/* Starts a search without probes. */
static void
begin_search(LcsCandidateSearch *search)
{
	search->count = 0;
	search->probe = 0;
	search->block = INT32_MAX;
	search->end = 0;
	search->limits_length = -1;
}

/* Adds a string to look up among ranks of at least `rank`. */
static void
add_probe(LcsCandidateSearch *search, const LcsString *string, int32_t rank)
{
	LcsCandidateIndex *index = search->index;
	Probe *probe = &search->probes[search->count];

	probe->string = *string;
	probe->length = string->length;
	if (search->count > 0 && probe[-1].length == probe->length)
	{
		probe->begin = probe[-1].begin;
		probe->end = probe[-1].end;
	}
	else
	{
		probe->begin = first_of_length(index, probe->length, 0, 0);
		probe->end = first_of_length(index, probe->length, 1, probe->begin);
	}
	probe->first = ted_max(probe->begin, rank);
	search->count++;
	if (probe->first >= probe->end)
		return;
	if (index->shorter > 0)
		lcs_features(index->sets, string, &probe->features);
	if (search->histograms != NULL)
		lcs_count_symbols(string, &search->histograms[probe - search->probes]);
	search->block = ted_min(search->block, lcs_block_of_rank(index, probe->first));
	search->end = ted_max(search->end, lcs_block_of_rank(index, probe->end - 1) + 1);
}

/* Starts looking up strings, which need not be indexed. */
void
lcs_look_up(LcsCandidateSearch *search, const LcsString *probes, int count, int32_t least)
{
	begin_search(search);
	for (int i = 0; i < count; i++)
		add_probe(search, &probes[i], least);
}

/* Starts looking up indexed strings. */
void
lcs_look_up_ranks(LcsCandidateSearch *search, int32_t rank, int count, int32_t least)
{
	const LcsCandidateIndex *index = search->index;

	begin_search(search);
	for (int32_t i = rank; i < rank + count; i++)
	{
		LcsString string = lcs_string(&index->strings, index->number[i]);

		add_probe(search, &string, ted_max(i + 1, least));
	}
}

/*
 * Sets the limits in this block for probes of this length: of the distances of histograms, or of
 * lacking features.
 */
static void
set_limits(LcsCandidateSearch *search, const Probe *probe)
{
	const LcsCandidateIndex *index = search->index;
	int32_t begin = lcs_block_begin(index, search->block);
	int32_t first = ted_max(probe->begin, begin);
	int32_t end = ted_min(probe->end, lcs_block_end(index, search->block));

	search->limits_length = probe->length;
	if (lcs_is_longer(index, search->block))
	{
		for (int32_t rank = first; rank < end; rank++)
		{
			int32_t n = index->length[rank];
			int64_t *distance = &search->distances[rank - begin];

			*distance =
				rank > first && index->length[rank - 1] == n
					? distance[-1]
					: (int64_t) probe->length + n - 2 * least_common(index, probe->length, n);
		}
		return;
	}
	search->few_misses = (LcsPartNumbers){{0}};
	for (int part = 0; part < LCS_BLOCK_PARTS; part++)
	{
		/* the shortest string of a part needs the fewest symbols in common */
		int32_t rank = ted_max(first, begin + part * LCS_PART_STRINGS);
		int32_t misses = 0;

		if (rank < end)
			misses =
				probe->length - (int32_t) least_common(index, probe->length, index->length[rank]);
		search->misses[part] = misses;
		search->few_misses.word[part / LCS_WORD_PARTS] |= (uint64_t) ted_min(misses, 127)
														  << 8 * (part % LCS_WORD_PARTS);
	}
}

/* Adds a candidate. */
static inline void
add_candidate(LcsCandidateSearch *search, int32_t rank)
{
	search->found_probe[search->found] = (uint16_t) search->probe;
	search->found_rank[search->found++] = rank;
}

/* Adds the strings of a hit with ranks `first` to end - 1. */
static void
add_hit(LcsCandidateSearch *search, const LcsHit *hit, int32_t first, int32_t end)
{
	int32_t begin = lcs_block_begin(search->index, search->block) + hit->part * LCS_PART_STRINGS;

	for (int w = 0; w < LCS_MASK_WORDS; w++)
		for (uint64_t bits = hit->strings.word[w]; bits != 0; bits &= bits - 1)
		{
			int32_t rank = begin + 64 * w + __builtin_ctzll(bits);

			if (rank >= first && rank < end)
				add_candidate(search, rank);
		}
}

/* Looks up a probe in a block of shorter strings, ranks `first` to end - 1. */
static void
look_up_features(LcsCandidateSearch *search, const Probe *probe, int32_t first, int32_t end)
{
	const LcsCandidateIndex *index = search->index;
	const LcsFeatures *features = &probe->features;
	int32_t begin = lcs_block_begin(index, search->block);
	int last = (end - 1 - begin) / LCS_PART_STRINGS;
	uint32_t open = lcs_open_parts(&index->lacked[search->block], features, &search->few_misses);
	int next;

	for (int part = (first - begin) / LCS_PART_STRINGS; part <= last; part = next)
	{
		int32_t misses = search->misses[part];
		int hits;

		for (next = part + 1; next <= last && search->misses[next] == misses;)
			next++;
		if (misses > LCS_MOST_MISSES || misses >= features->count)
		{
			for (int32_t rank = ted_max(first, begin + part * LCS_PART_STRINGS);
				 rank < ted_min(end, begin + next * LCS_PART_STRINGS); rank++)
				add_candidate(search, rank);
			continue;
		}
		hits = search->search_block(&index->blocks[search->block],
									open & ((UINT32_C(1) << next) - (UINT32_C(1) << part)),
									features, misses, search->hits);
		for (int i = 0; i < hits; i++)
			add_hit(search, &search->hits[i], first, end);
	}
}

/* Looks up the current probe in the current block. */
static void
look_up_probe(LcsCandidateSearch *search, LcsCandidateCounts *counts)
{
	const LcsCandidateIndex *index = search->index;
	const Probe *probe = &search->probes[search->probe];
	int32_t first = ted_max(probe->first, lcs_block_begin(index, search->block));
	int32_t end = ted_min(probe->end, lcs_block_end(index, search->block));

	if (first >= end)
		return;
	if (search->limits_length != probe->length)
		set_limits(search, probe);
	counts->window += end - first;
	if (lcs_is_longer(index, search->block))
	{
		int32_t begin = lcs_block_begin(index, search->block);
		int hits = search->search_histograms(
			&index->histograms[begin - index->shorter], search->distances, first - begin,
			end - begin, &search->histograms[search->probe], search->histogram_hits);

		for (int i = 0; i < hits; i++)
			add_candidate(search, begin + search->histogram_hits[i]);
	}
	else
		look_up_features(search, probe, first, end);
	search->steps += end - first;
}

/* Orders the candidates by probe. */
static void
order_candidates(LcsCandidateSearch *search)
{
	int32_t *next = search->candidates_end + 1;

	memset(search->candidates_end, 0, sizeof(search->candidates_end));
	for (int32_t i = 0; i < search->found; i++)
		next[search->found_probe[i] + 1]++;
	for (int i = 1; i <= LCS_PROBES; i++)
		next[i] += next[i - 1];
	for (int32_t i = 0; i < search->found; i++)
		search->candidates[next[search->found_probe[i]]++] = search->found_rank[i];
}

/* Candidates ahead whose bytes are prefetched. */
#define FETCHED 12

/*
 * Keeps the candidates [first, end) of a probe that are similar by their bytes; appends them at
 * `kept`, and returns the new end.
 */
static int32_t
compare_bytes(LcsCandidateSearch *search, const Probe *probe, int32_t first, int32_t end,
			  int32_t kept)
{
	const LcsCandidateIndex *index = search->index;
	int32_t *candidates = search->candidates;
	bool exact = search->pattern.match[LCS_SHARED_BYTE] == 0 || !index->table->shared;
	int32_t length = -1;
	int64_t least = 0;

	for (int32_t i = first; i < end; i++)
	{
		int32_t rank = candidates[i];
		int32_t common;

		if (i + FETCHED < end)
			__builtin_prefetch(lcs_rank_bytes(index, candidates[i + FETCHED]));
		if (index->length[rank] != length)
		{
			length = index->length[rank];
			least = least_common(index, probe->length, length);
		}
		common = lcs_bytes_compare(&search->pattern, lcs_rank_bytes(index, rank), length);
		candidates[kept] = rank;
		search->lengths[kept] = exact ? (uint8_t) common : LCS_UNKNOWN;
		kept += common >= least;
	}
	return kept;
}

/* Keeps the candidates that the order of symbols allows. */
static void
filter_candidates(LcsCandidateSearch *search)
{
	int32_t first = 0;
	int32_t kept = 0;

	for (int i = 0; i < search->count; i++)
	{
		const Probe *probe = &search->probes[i];
		int32_t end = search->candidates_end[i + 1];
		int32_t longer = first; /* the first one that has no bytes */

		if (probe->length <= LCS_BYTES_LENGTH)
			while (longer < end && search->candidates[longer] < search->index->shorter)
				longer++;
		if (longer > first)
		{
			lcs_bytes_prepare(&search->pattern, search->index->table, &probe->string);
			kept = compare_bytes(search, probe, first, longer, kept);
			lcs_bytes_forget(&search->pattern);
		}
		memmove(search->candidates + kept, search->candidates + longer,
				sizeof(int32_t) * (size_t) (end - longer));
		memset(search->lengths + kept, LCS_UNKNOWN, (size_t) (end - longer));
		kept += end - longer;
		search->candidates_end[i + 1] = kept;
		first = end;
	}
}

/* Finds more candidates. */
TedStatus
lcs_next_candidates(LcsCandidateSearch *search, LcsCandidateCounts *counts, bool *done)
{
	search->found = 0;
	while (search->block < search->end && search->found < search->portion)
	{
		look_up_probe(search, counts);
		if (++search->probe == search->count)
		{
			search->probe = 0;
			search->block++;
			search->limits_length = -1;
		}
		if (ted_interrupted(search->interrupt, &search->steps, 1))
			return TED_CANCELLED;
	}
	counts->symbols += search->found;
	order_candidates(search);
	filter_candidates(search);
	counts->order += search->candidates_end[search->count];
	*done = search->block >= search->end;
	return TED_OK;
}

/* Returns the ranks of the candidates just found for a probe, and the known lengths. */
const int32_t *
lcs_candidates(const LcsCandidateSearch *search, int probe, int32_t *count, const uint8_t **lengths)
{
	int32_t first = search->candidates_end[probe];

	*count = search->candidates_end[probe + 1] - first;
	*lengths = search->lengths + first;
	return search->candidates + first;
}
