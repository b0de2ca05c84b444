/*
 * gpu_string_join.c
 *	  Joins of short strings by the GPU module, without a server.
 *
 *	gpu_string_join check PAIRS SEED    random strings, against the plain table of lengths
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../core/host.h"
#include "../core/plain_strings.h"
#include "../core/random.h"
#include "card.h"

#define MOST_STRINGS 3000
#define LONGEST 90

/* Strings in the order of their lengths. */
typedef struct Strings
{
	LcsString *string;
	int32_t *order;
	int32_t count;
} Strings;

/* Counts of results and of errors. */
typedef struct Tally
{
	int64_t pairs;
	int64_t within;
	int64_t open;
	int64_t wrong;
} Tally;

static LcsString
get_string(const void *arg, int32_t number)
{
	return ((const LcsString *) arg)[number];
}

/* Makes a random string, or a copy of one with random edits. */
static LcsString
random_string(const Strings *others, int32_t longest, uint32_t alphabet)
{
	uint32_t *symbols = malloc(sizeof(uint32_t) * LONGEST);
	int32_t length = 0;

	if (others->count > 0 && random_below(2) == 0)
	{
		const LcsString *other = &others->string[random_below((uint32_t) others->count)];
		const uint32_t *copied = other->symbols;

		for (int32_t i = 0; i < other->length && length < LONGEST; i++)
			switch (random_below(12))
			{
				case 0:
					break;
				case 1:
					symbols[length++] = random_below(alphabet);
					break;
				default:
					symbols[length++] = copied[i];
			}
	}
	else
		for (int32_t end = (int32_t) random_below((uint32_t) longest + 1); length < end; length++)
			symbols[length] = random_below(random_below(alphabet) + 1);
	return (LcsString){symbols, length, sizeof(uint32_t)};
}

static const LcsString *compared;

/* Orders numbers of strings by length. */
static int
compare_lengths(const void *a, const void *b)
{
	return compared[*(const int32_t *) a].length - compared[*(const int32_t *) b].length;
}

/* Sorts strings by length. */
static void
sort_strings(Strings *strings)
{
	for (int32_t i = 0; i < strings->count; i++)
		strings->order[i] = i;
	compared = strings->string;
	qsort(strings->order, (size_t) strings->count, sizeof(int32_t), compare_lengths);
}

/* Frees the symbols of random strings. */
static void
free_symbols(Strings *strings)
{
	for (int32_t i = 0; i < strings->count; i++)
		free((void *) strings->string[i].symbols);
	strings->count = 0;
}

/* Counts strings for the memory of an index. */
static LcsIndexedStrings
counted(const Strings *strings)
{
	LcsIndexedStrings result = {0};

	for (int32_t i = 0; i < strings->count; i++)
		lcs_count_string(&result, strings->string[i].length);
	return result;
}

/* Indexes strings, or lays them out as probes of an index. */
static LcsCandidateIndex *
lay_out(const Strings *strings, const Threshold *threshold, const LcsCandidateIndex *index,
		void **memory)
{
	LcsIndexedStrings all = counted(strings);
	size_t bytes = lcs_candidate_index_memory(&all);
	LcsCandidateIndex *made;
	TedArena arena;

	*memory = malloc(bytes + TED_ARENA_ALIGN);
	arena = ted_arena_in(*memory, bytes);
	if ((index == NULL
			 ? lcs_candidate_index(&(LcsStrings){get_string, strings->string}, strings->order,
								   strings->count, (LcsLeast){least, threshold}, &arena,
								   &(TedInterrupt){0}, &made)
			 : lcs_lay_out_probes(index, &(LcsStrings){get_string, strings->string}, strings->order,
								  all.shorter, &arena, &(TedInterrupt){0}, &made)) != TED_OK)
		abort();
	return made;
}

/* Adds strings to a join. */
static void
add(TedDeviceJoin *join, const LcsCandidateIndex *index, const Threshold *threshold)
{
	int32_t common[TED_JOIN_STRING_TOTALS];

	for (int32_t total = 0; total < TED_JOIN_STRING_TOTALS; total++)
		common[total] = (int32_t) ted_min(least(threshold, total), (int64_t) total + 1);
	check_status(
		module->join_add(join, &(TedJoinDocuments){.strings = &(TedJoinStrings){index, common}}),
		"join_add");
}

/* Runs a range. */
static void
run(TedDeviceJoin *join, TedJoinRange *range)
{
	TedDeviceStatus status = module->join_submit(join, range);

	while (status == TED_DEVICE_BUSY)
		status = module->poll(device);
	check_status(status, "join");
}

/* Compares the results for some probes with the plain table. */
static void
check_join(TedDeviceJoin *join, const Strings *indexed, const LcsCandidateIndex *index,
		   const Strings *probes, const LcsCandidateIndex *laid_out, const Threshold *threshold,
		   Tally *tally)
{
	bool self = probes == indexed;
	int32_t columns = index->shorter;
	int32_t offset = self ? 0 : columns;
	int32_t rows = laid_out->shorter;
	int32_t *got = malloc(sizeof(int32_t) * (size_t) rows * (size_t) columns);
	TedJoinRange range = {.indexed = columns, .first = offset, .end = offset + rows};

	for (int64_t i = 0; i < (int64_t) rows * columns; i++)
		got[i] = -1;
	for (; range.first < range.end; range.first = range.done)
	{
		run(join, &range);
		for (int64_t i = 0; i < range.count; i++)
		{
			TedJoinPair pair = range.pairs[i];
			int32_t *place = &got[(int64_t) (pair.probe - offset) * columns + pair.indexed];

			tally->open += pair.distance == TED_NO_DISTANCE;
			if (pair.probe < range.first || pair.probe >= range.done || pair.indexed >= columns ||
				*place != -1)
				tally->wrong++;
			else
				*place = pair.distance;
		}
	}
	for (int32_t row = 0; row < rows; row++)
		for (int32_t column = self ? row + 1 : 0; column < columns; column++)
		{
			const LcsString *a = &probes->string[laid_out->number[row]];
			const LcsString *b = &indexed->string[index->number[column]];
			int32_t found = got[(int64_t) row * columns + column];
			int32_t common = plain_length(a, b);
			bool within = common >= least(threshold, (int64_t) a->length + b->length);

			tally->pairs++;
			tally->within += within;
			if (found != TED_NO_DISTANCE && found != (within ? common : -1) && tally->wrong++ < 10)
				printf("lengths %d %d, %d in common: %d\n", a->length, b->length, common, found);
		}
	for (int32_t row = 0; self && row < rows; row++)
		for (int32_t column = 0; column <= row; column++)
			tally->wrong += got[(int64_t) row * columns + column] != -1;
	free(got);
}

/* Checks random joins, self-joins and others. */
static int
run_check(int64_t pairs_wanted, uint64_t seed)
{
	static LcsString strings[2][MOST_STRINGS];
	static int32_t order[2][MOST_STRINGS];
	Tally tally = {0};

	random_state = seed;
	for (int round = 0; tally.pairs < pairs_wanted; round++)
	{
		static const uint32_t alphabets[] = {2, 26, 120, 2000};
		static const int32_t lengths[] = {12, 30, 64, LONGEST};
		uint32_t alphabet = alphabets[random_below(4)];
		int32_t longest = lengths[round % 4];
		Threshold threshold = {.percent = round % 3 == 0 ? -1 : 40 + (int32_t) random_below(61),
							   .distance = random_below(30)};
		Strings sides[2] = {{strings[0], order[0], 0}, {strings[1], order[1], 0}};
		LcsCandidateIndex *index;
		TedDeviceJoin *join;
		void *memory[2];

		for (int side = 0; side < 2; side++)
		{
			int32_t count = 1600 + (int32_t) random_below(MOST_STRINGS - 1600);

			while (sides[side].count < count)
			{
				strings[side][sides[side].count] = random_string(&sides[0], longest, alphabet);
				sides[side].count++;
			}
			sort_strings(&sides[side]);
		}
		index = lay_out(&sides[0], &threshold, NULL, &memory[0]);
		check_status(module->join_create(device, &join), "join_create");
		add(join, index, &threshold);
		check_join(join, &sides[0], index, &sides[0], index, &threshold, &tally);
		for (int times = 0; times < 2; times++)
		{
			/* the second time after those of the first have been forgotten */
			LcsCandidateIndex *probes = lay_out(&sides[1], &threshold, index, &memory[1]);

			add(join, probes, &threshold);
			if (times == 1)
				check_join(join, &sides[0], index, &sides[1], probes, &threshold, &tally);
			module->join_forget(join, index->shorter);
			free(memory[1]);
		}
		module->join_free(join);
		free(memory[0]);
		free_symbols(&sides[0]);
		free_symbols(&sides[1]);
	}
	printf("%lld pairs of strings, %lld that match, %lld left open: %lld wrong\n",
		   (long long) tally.pairs, (long long) tally.within, (long long) tally.open,
		   (long long) tally.wrong);
	return tally.wrong > 0;
}

int
main(int argc, char **argv)
{
	if (argc != 4 || strcmp(argv[1], "check") != 0)
	{
		fprintf(stderr, "usage: gpu_string_join check PAIRS SEED\n");
		return 2;
	}
	open_device(USUAL_MEMORY);
	return run_check(atoll(argv[2]), strtoull(argv[3], NULL, 10));
}
