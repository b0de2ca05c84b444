/*
 * test_lcs_candidates.c
 *	  Checks the search for candidates against the plain table of lengths, of all pairs.
 *
 * SEED and COUNT in the environment set the random strings and how many
 * collections are tried with each kind of vectors.
 */
#include <stdlib.h>
#include <string.h>

#include "../../src/core/common/simd.h"
#include "../../src/core/string/lcs_candidates.h"
#include "arenas.h"
#include "plain_strings.h"
#include "random.h"
#include "tap.h"
#include "vectors.h"

#define MAX_STRINGS 6000
#define MAX_PROBES 60
#define MAX_LENGTH 200 /* symbols of a string */

/* Strings, with symbols of their own. */
typedef struct Strings
{
	LcsString string[MAX_STRINGS];
	int32_t count;
	uint32_t symbols[MAX_STRINGS * MAX_LENGTH];
	size_t used;
	int32_t order[MAX_STRINGS]; /* numbers of strings in the order of their lengths */
} Strings;

/* The kind of strings to make. */
typedef struct Kind
{
	int32_t count;
	int32_t shortest;
	int32_t longest;
	uint32_t alphabet;
} Kind;

/*
 * Adds a string whose symbols have been written after the others; some short ones get narrower
 * symbols.
 */
static void
add_string(Strings *strings, int32_t length)
{
	uint32_t *symbols = strings->symbols + strings->used;
	LcsString string = {symbols, length, sizeof(uint32_t)};
	uint32_t greatest = 0;

	for (int32_t i = 0; i < length; i++)
		greatest = ted_max(greatest, symbols[i]);
	if (length <= LCS_MOST_FEATURES && greatest <= UINT16_MAX && random_below(4) > 0)
		string.symbol_bytes = greatest <= UINT8_MAX ? 1 : 2;
	for (int32_t i = 0; i < length && string.symbol_bytes < 4; i++)
	{
		uint8_t byte = (uint8_t) symbols[i];
		uint16_t pair = (uint16_t) symbols[i];

		memcpy((char *) symbols + i * string.symbol_bytes,
			   string.symbol_bytes == 1 ? (void *) &byte : (void *) &pair,
			   (size_t) string.symbol_bytes);
	}
	strings->string[strings->count++] = string;
	strings->used += (size_t) length;
}

/* Adds a random string in which lower symbols are more frequent. */
static void
add_random(Strings *strings, const Kind *kind)
{
	int32_t length =
		kind->shortest + (int32_t) random_below((uint32_t) (kind->longest - kind->shortest) + 1);
	uint32_t *symbols = strings->symbols + strings->used;

	for (int32_t i = 0; i < length; i++)
		symbols[i] = random_below(random_below(kind->alphabet) + 1);
	add_string(strings, length);
}

/* Adds a copy of a string with some symbols inserted, deleted and replaced. */
static void
add_edited(Strings *strings, const Kind *kind, const LcsString *original)
{
	uint32_t *symbols = strings->symbols + strings->used;
	uint32_t room[LCS_MOST_FEATURES];
	const uint32_t *copied = lcs_wide_symbols(original, room);
	uint32_t edits = 1 + random_below((uint32_t) original->length / 4 + 1);
	int32_t length = 0;

	for (int32_t i = 0; i < original->length && length < MAX_LENGTH; i++)
	{
		uint32_t edit = random_below((uint32_t) original->length) < edits ? random_below(3) : 3;

		if (edit > 0)
			symbols[length++] = edit < 3 ? random_below(kind->alphabet) : copied[i];
		if (edit == 1 && length < MAX_LENGTH)
			symbols[length++] = copied[i];
	}
	add_string(strings, length);
}

/* Makes strings, half of them edited copies of others. */
static void
make_strings(Strings *strings, const Kind *kind, const Strings *originals)
{
	strings->count = 0;
	strings->used = 0;
	while (strings->count < kind->count)
		if (originals->count == 0 || random_below(2) == 0)
			add_random(strings, kind);
		else
			add_edited(strings, kind,
					   &originals->string[random_below((uint32_t) originals->count)]);
}

/* Counts strings. */
static LcsIndexedStrings
count_strings(const Strings *strings)
{
	LcsIndexedStrings counted = {0};

	for (int32_t i = 0; i < strings->count; i++)
		lcs_count_string(&counted, strings->string[i].length);
	return counted;
}

/* Sorts strings by length. */
static void
order_strings(Strings *strings)
{
	int32_t ordered = 0;

	for (int32_t length = 0; length <= MAX_LENGTH; length++)
		for (int32_t i = 0; i < strings->count; i++)
			if (strings->string[i].length == length)
				strings->order[ordered++] = i;
}

/* Returns a string by its number. */
static LcsString
get_string(const void *arg, int32_t number)
{
	return ((const LcsString *) arg)[number];
}

/* Indexes strings in exactly the memory that the core asks for. */
static TedStatus
index_strings(Strings *strings, const Threshold *threshold, const TedInterrupt *interrupt,
			  TedArena *arena, LcsCandidateIndex **index)
{
	LcsIndexedStrings counted = count_strings(strings);

	order_strings(strings);
	*arena = new_arena(lcs_candidate_index_memory(&counted));
	return lcs_candidate_index(&(LcsStrings){get_string, strings->string}, strings->order,
							   strings->count, (LcsLeast){least, threshold}, arena, interrupt,
							   index);
}

/* Processes that make an index together, each with a view of it. */
#define VIEWS 3

/* Counts the cells of strings by thirds, and makes the sets of a view of all. */
static void
make_sets(const Strings *strings, LcsCandidateIndex *view, TedArena *arena)
{
	int32_t *cells = ted_arena_int32(arena, LCS_CELLS);

	view->sets = lcs_take_feature_sets(arena);
	if (ted_arena_exceeded(arena))
		abort();
	memset(cells, 0, sizeof(int32_t) * LCS_CELLS);
	for (int i = 0; i < VIEWS; i++)
	{
		int32_t first = strings->count / VIEWS * i;
		int32_t end = i == VIEWS - 1 ? strings->count : strings->count / VIEWS * (i + 1);

		lcs_count_cells(view->sets, &(LcsStrings){get_string, strings->string + first}, end - first,
						cells, &never);
	}
	if (lcs_deal_cells(view->sets, cells, arena, &never) != TED_OK)
		abort();
}

/* Indexes strings in steps that are divided among views; returns the last view. */
static LcsCandidateIndex *
index_in_steps(Strings *strings, const Threshold *threshold, TedArena *arena)
{
	static LcsCandidateIndex views[VIEWS];
	LcsIndexedStrings counted = count_strings(strings);
	size_t arrays = lcs_index_arrays_memory(&counted);
	size_t own = lcs_feature_sets_memory() + lcs_deal_cells_memory() +
				 ted_arena_bytes(sizeof(int32_t) * LCS_CELLS) + ted_arena_bytes(sizeof(LcsBlock));
	int32_t blocks;
	int turn = 0;

	order_strings(strings);
	*arena = new_arena(arrays + VIEWS * own);
	for (int i = 0; i < VIEWS; i++)
	{
		TedArena same = {arena->base, arena->size, arena->used};

		views[i] = (LcsCandidateIndex){.strings = {get_string, strings->string},
									   .number = strings->order,
									   .least = {least, threshold}};
		if (lcs_index_arrays(&views[i], &counted, &same) != TED_OK)
			abort();
	}
	arena->used += arrays;
	for (int i = 0; i < VIEWS; i++)
		make_sets(strings, &views[i], arena);
	for (int32_t first = 0, end; first < strings->count; first = end)
	{
		end = first + 1 + (int32_t) random_below(500);
		end = ted_min(end, strings->count);
		lcs_describe(&views[turn++ % VIEWS], first, end, &never);
	}
	for (int32_t first = 0, end; first < views[0].shorter; first = end)
	{
		end = lcs_length_end(&views[0], first);
		if (random_below(2) == 0)
			end = first + (end - first + 1) / 2;
		lcs_divide(&views[turn++ % VIEWS], first, end, &never);
	}
	lcs_lay_out(&views[0], NULL);
	blocks = (int32_t) lcs_block_count(views[0].shorter);
	for (int32_t block = 0; block < blocks; block++)
	{
		TedArena scratch = *arena;

		lcs_complete_blocks(&views[turn++ % VIEWS], block, block + 1,
							ted_arena_alloc(&scratch, sizeof(LcsBlock)), &never);
	}
	return &views[VIEWS - 1];
}

/* The result for each string: 0 if it is no candidate, else its length plus 1, or LCS_UNKNOWN. */
typedef uint8_t Found[MAX_STRINGS];

/*
 * Fetches the candidates of all probes of a search; returns false if one comes out of order, or
 * twice.
 */
static bool
take_candidates(LcsCandidateSearch *search, int probes, Found *found, LcsCandidateCounts *counts)
{
	int32_t last[MAX_PROBES];
	bool done = false;

	memset(last, -1, sizeof(last));
	memset(found, 0, (size_t) probes * sizeof(*found));
	while (!done)
	{
		if (lcs_next_candidates(search, counts, &done) != TED_OK)
			return false;
		for (int i = 0; i < probes; i++)
		{
			int32_t count;
			const uint8_t *lengths;
			const int32_t *ranks = lcs_candidates(search, i, &count, &lengths);

			for (int32_t j = 0; j < count; last[i] = ranks[j++])
			{
				if (ranks[j] <= last[i])
					return false;
				found[i][ranks[j]] =
					(uint8_t) (lengths[j] == LCS_UNKNOWN ? LCS_UNKNOWN : lengths[j] + 1);
			}
		}
	}
	return true;
}

/*
 * Whether what is found for a probe is all that there is from a rank on, and lengths
 * that are known are right; counts it.
 */
static bool
finds_all(const Strings *strings, const Threshold *threshold, const LcsString *probe, int32_t first,
		  const uint8_t *found, int64_t *count)
{
	for (int32_t rank = 0; rank < strings->count; rank++)
	{
		const LcsString *other = &strings->string[strings->order[rank]];
		int64_t needed = least(threshold, (int64_t) probe->length + other->length);
		bool known = found[rank] != 0 && found[rank] != LCS_UNKNOWN;

		*count += found[rank] != 0;
		if (known && plain_length(probe, other) != found[rank] - 1)
			return false;
		if (known && found[rank] - 1 < needed)
			return false;
		if (found[rank] && (rank < first || needed > ted_min(probe->length, other->length)))
			return false;
		if (!found[rank] && rank >= first && plain_length(probe, other) >= needed)
			return false;
	}
	return true;
}

/* Whether strings that are laid out as probes of an index have its sets and its bytes. */
static bool
lays_out(const LcsCandidateIndex *index, Strings *probes)
{
	LcsIndexedStrings counted = count_strings(probes);
	TedArena arena = new_arena(lcs_candidate_index_memory(&counted));
	LcsCandidateIndex *made;
	bool same = true;

	order_strings(probes);
	if (lcs_lay_out_probes(index, &(LcsStrings){get_string, probes->string}, probes->order,
						   counted.shorter, &arena, &never, &made) != TED_OK)
		abort();
	for (int32_t rank = 0; rank < made->shorter; rank++)
	{
		LcsString string = probes->string[made->number[rank]];
		const LcsBlock *block = &made->blocks[rank / LCS_BLOCK_STRINGS];
		int place = rank % LCS_BLOCK_STRINGS;
		uint32_t room[LCS_MOST_FEATURES];
		const uint32_t *symbols = lcs_wide_symbols(&string, room);
		LcsFeatures features;
		LcsMask mask;

		lcs_features(index->sets, &string, &features);
		mask = lcs_feature_mask(&features);
		same = same && made->length[rank] == string.length &&
			   (rank == 0 || made->length[rank - 1] <= string.length);
		for (int set = 0; set < LCS_SETS; set++)
			same = same && (mask.word[set / 64] >> set % 64 & 1) ==
							   (block->strings[set][place / LCS_PART_STRINGS]
										.word[place % LCS_PART_STRINGS / 64] >>
									place % 64 &
								1);
		for (int32_t i = 0; i < string.length; i++)
			same = same && lcs_rank_bytes(made, rank)[i] == lcs_byte(index->table, symbols[i]);
	}
	free(arena.base);
	return same;
}

/* Whether probes find all that they should: others, and some of the indexed strings themselves. */
static bool
searches_find_all(Strings *strings, const Strings *probes, const Threshold *threshold,
				  bool in_steps)
{
	static Found found[MAX_PROBES];
	LcsIndexedStrings counted = count_strings(strings);
	LcsCandidateIndex *index;
	LcsCandidateSearch *search;
	LcsCandidateCounts counts = {0};
	TedArena arena;
	TedArena search_arena = new_arena(lcs_candidate_search_memory(&counted, MAX_PROBES));
	int ranks = ted_min(strings->count, MAX_PROBES);
	int32_t rank = (int32_t) random_below((uint32_t) (strings->count - ranks) + 1);
	const int32_t *order = strings->order;
	int32_t from = random_below(3) > 0 ? 0 : (int32_t) random_below((uint32_t) strings->count + 1);
	int64_t count = 0;
	bool all;

	if (in_steps)
		index = index_in_steps(strings, threshold, &arena);
	else if (index_strings(strings, threshold, &never, &arena, &index) != TED_OK)
		abort();
	if (lcs_candidate_search(index, MAX_PROBES, &search_arena, &never, &search) != TED_OK)
		abort();
	lcs_look_up(search, probes->string, probes->count, from);
	all = take_candidates(search, probes->count, found, &counts);
	for (int i = 0; i < probes->count; i++)
		all = all && finds_all(strings, threshold, &probes->string[i], from, found[i], &count);
	lcs_look_up_ranks(search, rank, ranks, from);
	all = all && take_candidates(search, ranks, found, &counts);
	for (int i = 0; i < ranks; i++)
		all = all && finds_all(strings, threshold, &strings->string[order[rank + i]],
							   ted_max(rank + i + 1, from), found[i], &count);
	for (int32_t i = 1; i < strings->count; i++)
		all = all && strings->string[order[i - 1]].length <= strings->string[order[i]].length;
	all = all && (index->shorter == 0 || lays_out(index, strings));
	free(arena.base);
	free(search_arena.base);
	return all && counts.window >= counts.symbols && counts.symbols >= counts.order &&
		   counts.order == count;
}

/* Returns a random threshold. */
static Threshold
random_threshold(void)
{
	static const int32_t percents[] = {0, 30, 50, 70, 80, 90, 100};

	if (random_below(3) == 0)
		return (Threshold){-1, random_below(12)};
	return (Threshold){percents[random_below(7)], 0};
}

/* Whether searches in a random collection find all that they should. */
static bool
collection_agrees(uint64_t round)
{
	static const uint32_t alphabets[] = {1, 2, 4, 30, 300, 70000};
	static Strings none;
	static Strings strings;
	static Strings probes;
	Kind kind = {.alphabet = alphabets[round % 6]};
	Threshold threshold = random_threshold();

	kind.longest = (int32_t) random_below(round % 4 == 0 ? MAX_LENGTH + 1 : 70);
	kind.shortest = (int32_t) random_below((uint32_t) kind.longest + 1);
	kind.count = 1 + (int32_t) random_below(100);
	if (round % 4 == 1)
		kind.count = LCS_LEAST_BLOCK_STRINGS + (int32_t) random_below(200);
	if (round % 16 == 0)
		kind = (Kind){MAX_STRINGS - (int32_t) random_below(1000), 0, 12, alphabets[round / 16 % 6]};
	make_strings(&strings, &kind, &none);
	kind.count = (int32_t) random_below(round % 16 == 0 || round % 4 == 1 ? 10 : MAX_PROBES);
	make_strings(&probes, &kind, &strings);
	return searches_find_all(&strings, &probes, &threshold, random_below(2) == 0);
}

/* Tests that indexing and searching stop if the callback asks to, and if there is no room. */
static void
test_stopping(void)
{
	static Strings none;
	static Strings strings;
	Threshold threshold = {0, 0};
	LcsCandidateIndex *index;
	LcsCandidateSearch *search;
	LcsCandidateCounts counts = {0};
	TedArena arena;
	TedArena search_arena;
	LcsIndexedStrings counted;
	bool done = false;
	TedStatus status;

	make_strings(&strings, &(Kind){MAX_STRINGS, 1, 12, 30}, &none);
	counted = count_strings(&strings);
	search_arena = new_arena(lcs_candidate_search_memory(&counted, LCS_PROBES));
	status = index_strings(&strings, &threshold, &at_once, &arena, &index);
	ok(status == TED_CANCELLED, "indexing is cancelled");
	free(arena.base);
	arena = (TedArena){0};
	ok(lcs_candidate_index(&(LcsStrings){get_string, strings.string}, strings.order, strings.count,
						   (LcsLeast){least, &threshold}, &arena, &never,
						   &index) == TED_OUT_OF_ARENA,
	   "an index needs room");
	if (index_strings(&strings, &threshold, &never, &arena, &index) != TED_OK ||
		lcs_candidate_search(index, LCS_PROBES, &search_arena, &at_once, &search) != TED_OK)
		abort();
	lcs_look_up_ranks(search, 0, ted_min(LCS_PROBES, strings.count), 0);
	do
		status = lcs_next_candidates(search, &counts, &done);
	while (status == TED_OK && !done);
	ok(status == TED_CANCELLED, "a search is cancelled");
	search_arena.size = 0;
	ok(lcs_candidate_search(index, LCS_PROBES, &search_arena, &never, &search) == TED_OUT_OF_ARENA,
	   "a search needs room");
	free(arena.base);
	free(search_arena.base);
}

int
main(void)
{
	uint64_t count = rounds(300);

	random_state = setting("SEED", 1);
	for (TedSimd simd = TED_SIMD_NONE; simd <= TED_SIMD_WIDEST; simd++)
	{
		uint64_t wrong = 0;

		if (!select_vectors(simd))
			continue;
		for (uint64_t round = 0; round < count; round++)
			wrong += !collection_agrees(round);
		ok(wrong == 0, "%s: searches find all that is similar enough, %llu collections",
		   simd_names[simd], (unsigned long long) count);
	}
	test_stopping();
	return done_testing();
}
