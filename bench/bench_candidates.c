/*
 * bench_candidates.c
 *	  The search for candidates of a self-join of strings.
 *
 * usage: bench_candidates FILE THRESHOLD COUNT...
 *
 * FILE has an id and a name in UTF-8 a line, as names.py prints them.  THRESHOLD is
 * the least similarity, below 1, or the greatest distance.  For the first COUNT
 * names, prints the seconds of processor time for the index and the search, the
 * pairs a name that pass the lengths, the symbols and their order, and those that
 * are similar; and the bytes of the index for each character.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../src/core/string/lcs_candidates.h"
#include "../src/core/string/lcs_length.h"
#include "bench.h"

static LcsString *names;
static int32_t count;

/* Adds a name, of the characters of a text in UTF-8. */
static void
add_name(const unsigned char *text)
{
	uint32_t *symbols = malloc((strlen((const char *) text) + 1) * sizeof(uint32_t));
	int32_t length = 0;

	for (; *text != '\0' && *text != '\n'; text++)
		if ((*text & 0xC0) != 0x80)
			symbols[length++] = *text < 0x80   ? *text
								: *text < 0xE0 ? *text & 0x1F
								: *text < 0xF0 ? *text & 0x0F
											   : *text & 0x07;
		else
			symbols[length - 1] = symbols[length - 1] << 6 | (*text & 0x3F);
	if ((count & (count - 1)) == 0)
		names = realloc(names, (2 * (size_t) count + 1) * sizeof(LcsString));
	names[count++] = (LcsString){symbols, length, sizeof(uint32_t)};
}

/* Reads the names of a file. */
static void
read_names(const char *path)
{
	FILE *file = fopen(path, "r");
	char *line = NULL;
	size_t room = 0;

	if (file == NULL)
	{
		perror(path);
		exit(1);
	}
	while (getline(&line, &room, file) > 0)
		add_name((const unsigned char *) strchr(line, '\t') + 1);
	free(line);
	fclose(file);
}

/* The least common symbols for a threshold. */
static int64_t
least(const void *arg, int64_t total)
{
	double threshold = *(const double *) arg;

	if (threshold < 1)
		return (int64_t) ceil(threshold * (double) total / 2 - 1e-9);
	return total <= (int64_t) threshold ? 0 : (total - (int64_t) threshold + 1) / 2;
}

/* A name by its number. */
static LcsString
get_name(const void *arg, int32_t number)
{
	(void) arg;
	return names[number];
}

/* Orders names by length. */
static int
compare_lengths(const void *a, const void *b)
{
	return names[*(const int32_t *) a].length - names[*(const int32_t *) b].length;
}

/* Pairs of a name with candidates that are similar. */
static int64_t
similar(const LcsString *name, const int32_t *order, const int32_t *ranks, int32_t found,
		const double *threshold)
{
	TedArena arena;
	const LcsPattern *pattern;
	int64_t pairs = 0;
	size_t comparison = 0;
	size_t bytes = lcs_pattern_memory(name->symbols, name->length);

	for (int32_t i = 0; i < found; i++)
	{
		size_t more = lcs_length_memory(name->length, names[order[ranks[i]]].length);

		comparison = more > comparison ? more : comparison;
	}
	bytes += comparison;
	arena = ted_arena_in(malloc(bytes + TED_ARENA_ALIGN), bytes);
	bench_check(lcs_prepare(name->symbols, name->length, &arena, &bench_never, &pattern));
	for (int32_t i = 0; i < found; i++)
	{
		const LcsString *other = &names[order[ranks[i]]];
		int32_t length;

		bench_check(
			lcs_length(pattern, other->symbols, other->length, &arena, &bench_never, &length));
		pairs += length >= least(threshold, (int64_t) name->length + other->length);
	}
	free(arena.base);
	return pairs;
}

/* Searches for the candidates of all names; returns the seconds, without those of verification. */
static double
search_all(LcsCandidateIndex *index, const int32_t *order, const LcsIndexedStrings *counted,
		   const double *threshold, LcsCandidateCounts *counts, int64_t *pairs)
{
	size_t bytes = lcs_candidate_search_memory(counted, LCS_PROBES);
	TedArena arena = ted_arena_in(malloc(bytes + TED_ARENA_ALIGN), bytes);
	int32_t n = counted->shorter + counted->longer;
	LcsCandidateSearch *search;
	double seconds = 0;

	bench_check(lcs_candidate_search(index, LCS_PROBES, &arena, &bench_never, &search));
	for (int32_t rank = 0; rank < n; rank += LCS_PROBES)
	{
		int probes = ted_min(n - rank, LCS_PROBES);
		double start = bench_now();
		bool done = false;

		lcs_look_up_ranks(search, rank, probes, 0);
		while (!done)
		{
			bench_check(lcs_next_candidates(search, counts, &done));
			seconds += bench_now() - start;
			for (int i = 0; i < probes; i++)
			{
				int32_t found;
				const uint8_t *lengths;
				const int32_t *ranks = lcs_candidates(search, i, &found, &lengths);

				if (found > 0)
					*pairs += similar(&names[order[rank + i]], order, ranks, found, threshold);
			}
			start = bench_now();
		}
	}
	free(arena.base);
	return seconds;
}

/* Joins the first names with each other. */
static void
join(int32_t n, const double *threshold)
{
	LcsIndexedStrings counted = {0};
	LcsCandidateCounts counts = {0};
	LcsCandidateIndex *index;
	int64_t pairs = 0;
	size_t characters = 0;
	double start, indexed, searched;
	TedArena arena;
	int32_t *order = malloc(sizeof(int32_t) * (size_t) n);
	size_t bytes;

	for (int32_t i = 0; i < n; i++)
	{
		order[i] = i;
		lcs_count_string(&counted, names[i].length);
		characters += (size_t) names[i].length;
	}
	qsort(order, (size_t) n, sizeof(int32_t), compare_lengths);
	bytes = lcs_candidate_index_memory(&counted);
	arena = ted_arena_in(malloc(bytes + TED_ARENA_ALIGN), bytes);
	start = bench_now();
	bench_check(lcs_candidate_index(&(LcsStrings){.get = get_name}, order, n,
									(LcsLeast){least, threshold}, &arena, &bench_never, &index));
	indexed = bench_now() - start;
	searched = search_all(index, order, &counted, threshold, &counts, &pairs);
	printf("%9d %6.2f %8.2f %8.2f %10.0f %10.2f %10.2f %10.2f %7.2f\n", n, *threshold, indexed,
		   searched, (double) counts.window / n, (double) counts.symbols / n,
		   (double) counts.order / n, (double) pairs / n, (double) bytes / (double) characters);
	free(order);
	free(arena.base);
}

int
main(int argc, char **argv)
{
	double threshold;

	if (argc < 4)
	{
		fprintf(stderr, "usage: %s FILE THRESHOLD COUNT...\n", argv[0]);
		return 1;
	}
	read_names(argv[1]);
	threshold = atof(argv[2]);
	printf("%9s %6s %8s %8s %10s %10s %10s %10s %7s\n", "names", "least", "index s", "search s",
		   "lengths", "symbols", "order", "similar", "bytes");
	for (int i = 3; i < argc; i++)
		join(ted_min(atoi(argv[i]), count), &threshold);
	return 0;
}
