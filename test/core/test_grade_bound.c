/*
 * test_grade_bound.c
 *	  Checks bounds by the characters and the costs of labels against distances by graded costs.
 *
 * SEED and COUNT in the environment set the random models and trees, and how many pairs
 * of trees are tried.
 */
#include <stdio.h>
#include <string.h>

#include "../../src/core/tree/filters/grade_bound.h"
#include "../../src/core/tree/filters/rename_bound.h"
#include "../../src/core/tree/exact/wide_distance.h"
#include "../gpu/plain_grade.h"
#include "host.h"
#include "tap.h"
#include "trees.h"

#define LABELS 2000
#define MAX_LENGTH 700
#define MAX_SIZE 60

/* A label: its characters, or a number. */
typedef struct TestLabel
{
	uint32_t character[MAX_LENGTH];
	int32_t length;
	double number;
} TestLabel;

static TestLabel labels[LABELS];
static TedLabelProfile profiles[LABELS];
static int32_t insert[LABELS];
static int32_t delete_[LABELS];
static int64_t wide_insert[LABELS];
static int64_t wide_delete[LABELS];
static bool finds_number;

/* Returns the traits of a label. */
static TedLabelTraits
traits_of(int32_t label)
{
	return (TedLabelTraits){.rename = profiles[label].rename,
							.measure = (TedTextMeasure) profiles[label].measure,
							.is_number = profiles[label].is_number,
							.number = labels[label].number,
							.text = labels[label].character,
							.length = labels[label].length};
}

/* Returns the cost of a rename. */
static int32_t
rename_cost(void *context, int32_t from, int32_t to)
{
	TedLabelTraits a = traits_of(from);
	TedLabelTraits b = traits_of(to);

	(void) context;
	if (from == to)
		return 0;
	if (profiles[from].spelling == profiles[to].spelling)
		return (from + to) % 3;
	finds_number = finds_number || (a.is_number && b.is_number);
	return plain_rename(&a, &b, delete_[from] + insert[to] + 1);
}

/* Returns the wide cost of a rename. */
static int64_t
wide_rename_cost(void *context, int32_t from, int32_t to)
{
	return rename_cost(context, from, to);
}

static TedLabelCosts label_costs;
static const TedCosts costs = {.labels = &label_costs};

/* Makes a random label, or a copy of another label with some edits. */
static void
make_label(int32_t label, uint32_t most, uint32_t alphabet)
{
	const TestLabel *like = &labels[random_below((uint32_t) label + 1)];
	bool copies = random_below(3) == 0;
	TestLabel *made = &labels[label];

	made->length = (int32_t) random_below(most + 1);
	made->number = (int32_t) random_below(400) - 200.5;
	for (int32_t i = 0; i < made->length; i++)
		made->character[i] = copies && i < like->length && random_below(6) > 0
								 ? like->character[i]
								 : 'a' + random_below(alphabet);
	memset(&profiles[label], 0, sizeof(TedLabelProfile));
	ted_profile_characters(made->character, made->length, &profiles[label]);
}

/* Makes a model of costs. */
static void
make_model(uint64_t round)
{
	static const uint32_t lengths[] = {3, 20, 20, 60, MAX_LENGTH};
	static const uint32_t alphabets[] = {1, 2, 26, 100000};
	int32_t unit = round % 3 == 0 ? 1 : 1000;
	uint32_t most = lengths[round % 50 == 0 ? 4 : round % 4];
	uint32_t alphabet = alphabets[random_below(4)];
	uint8_t measure = (uint8_t) (1 + random_below(TED_TEXT_MEASURES - 1));

	label_costs = (TedLabelCosts){.insert = insert,
								  .delete_ = delete_,
								  .rename = rename_cost,
								  .least = {INT32_MAX, INT32_MAX, 0}};
	for (int32_t label = 0; label < LABELS; label++)
	{
		make_label(label, most, alphabet);
		profiles[label].rename = unit * (1 + (int32_t) random_below(round % 2 == 0 ? 1 : 3));
		profiles[label].measure = random_below(round % 3 == 0 ? 2 : 8) > 0
									  ? measure
									  : (uint8_t) random_below(TED_TEXT_MEASURES);
		profiles[label].spelling = label;
		if (label > 0 && random_below(50) == 0)
		{
			profiles[label].spelling = profiles[label - 1].spelling;
			profiles[label].has_like = profiles[profiles[label].spelling].has_like =
				profiles[label - 1].has_like = true;
		}
		profiles[label].is_number = random_below(8) == 0;
		if (random_below(50) == 0)
			profiles[label].rename = TED_NEVER_RENAMED;
		insert[label] = unit * (1 + (int32_t) random_below(2));
		delete_[label] = unit * (1 + (int32_t) random_below(round % 4 == 0 ? 1 : 2));
		wide_insert[label] = insert[label];
		wide_delete[label] = delete_[label];
		label_costs.least.insert = ted_min(label_costs.least.insert, insert[label]);
		label_costs.least.delete_ = ted_min(label_costs.least.delete_, delete_[label]);
	}
}

static TestTree tree_a;
static TestTree tree_b;

/* Finds the graded nodes of a tree, some of which are taken for rare. */
static TedGradedNodes
graded_nodes(const TedTree *tree, TedGradedNode *graded, TedGradedNode *by_rank)
{
	TedGradedNodes nodes = {.size = tree->size, .graded = graded, .by_rank = by_rank};
	uint32_t rare = random_below(5);
	int32_t next = 0;

	for (int32_t x = 0; x < tree->size; x++)
		if (profiles[tree->label[x]].measure != TED_TEXTS_EXACT ||
			profiles[tree->label[x]].is_number)
			graded[nodes.count++] = (TedGradedNode){x, tree->label[x]};
	for (int32_t i = 0; i < nodes.count; i++)
		if ((uint32_t) graded[i].label % 4 < rare)
			by_rank[next++] = graded[i];
	nodes.rare = next;
	for (int32_t i = 0; i < nodes.count; i++)
		if ((uint32_t) graded[i].label % 4 >= rare)
			by_rank[next++] = graded[i];
	return nodes;
}

/* Whether the bound says that the trees are farther from each other than a limit. */
static bool
exceeds(int32_t limit)
{
	TedGradedNode nodes[4][MAX_HUGE];
	TedGradedNodes a = graded_nodes(&tree_a.tree, nodes[0], nodes[1]);
	TedGradedNodes b = graded_nodes(&tree_b.tree, nodes[2], nodes[3]);
	int64_t steps = 0;
	bool exceed = false;

	if (ted_grades_exceed(&a, &b, &costs, profiles, limit, &never, &steps, &exceed) != TED_OK)
		return true;
	return exceed;
}

/*
 * Returns the string edit distance of the labels in postorder, by costs of renaming from a
 * function.
 */
static int32_t
string_distance(int32_t (*rename)(int32_t from, int32_t to))
{
	static int32_t row[MAX_HUGE + 1];
	const TedTree *a = &tree_a.tree;
	const TedTree *b = &tree_b.tree;

	row[0] = 0;
	for (int32_t j = 0; j < b->size; j++)
		row[j + 1] = row[j] + insert[b->label[j]];
	for (int32_t i = 0; i < a->size; i++)
	{
		int32_t diagonal = row[0];

		row[0] += delete_[a->label[i]];
		for (int32_t j = 0; j < b->size; j++)
		{
			int32_t cost = diagonal + rename(a->label[i], b->label[j]);

			cost = ted_min(cost, row[j] + insert[b->label[j]]);
			diagonal = row[j + 1];
			row[j + 1] = ted_min(cost, row[j + 1] + delete_[a->label[i]]);
		}
	}
	return row[b->size];
}

static int32_t
by_characters(int32_t from, int32_t to)
{
	int32_t cost = ted_least_rename_cost(&costs, profiles, from, to);

	return ted_min(cost, delete_[from] + insert[to]);
}

static int32_t
by_cost(int32_t from, int32_t to)
{
	return rename_cost(NULL, from, to);
}

typedef TedStatus (*Bound)(const TedProfiledPair *pair, int32_t limit, TedArena *arena,
						   const TedInterrupt *interrupt, int64_t *steps, int32_t *bound);

/* Returns a lower bound by strings. */
static int32_t
string_bound(Bound function, int32_t limit)
{
	TedProfiledPair pair = {&tree_a.tree, &tree_b.tree, &costs, profiles};
	TedArena arena = new_arena(ted_rename_bound_memory(&pair, limit));
	int64_t steps = 0;
	int32_t bound = -1;

	if (function(&pair, limit, &arena, &never, &steps, &bound) != TED_OK || arena.used > 0)
		bound = -1;
	free(arena.base);
	return bound;
}

/* Whether bounds by strings are the string edit distance, or beyond a limit. */
static bool
string_bounds_hold(int32_t exact)
{
	int32_t least = string_distance(by_characters);
	int32_t cost = string_distance(by_cost);
	int32_t limits[] = {0, (int32_t) random_below(10), exact / 2, exact, 2 * exact};
	bool hold = least <= cost && cost <= exact;

	for (int i = 0; i < 5; i++)
		hold &=
			string_bound(ted_character_bound, limits[i]) ==
				(least <= limits[i] ? least : TED_BEYOND) &&
			string_bound(ted_rename_bound, limits[i]) == (cost <= limits[i] ? cost : TED_BEYOND);
	return hold;
}

/* Returns the distance. */
static int32_t
distance(void)
{
	TedWideCosts wide = {.insert = wide_insert, .delete_ = wide_delete, .rename = wide_rename_cost};
	TedArena arena = new_arena(ted_wide_distance_memory(&tree_a.tree, &tree_b.tree));
	int64_t found = 0;

	ted_wide_distance(&tree_a.tree, &tree_b.tree, &wide, &arena, &never, &found);
	free(arena.base);
	return (int32_t) found;
}

/* Whether a long search can be stopped. */
static bool
stops(void)
{
	TedGradedNode nodes[4][MAX_HUGE];
	TedGradedNodes a;
	int64_t steps = TED_STEPS_PER_CHECK;
	bool exceed;

	profiles[0].measure = TED_TEXTS_LCS;
	make_tree(&tree_a, PATH, 5, 1, 0);
	a = graded_nodes(&tree_a.tree, nodes[0], nodes[1]);
	return ted_grades_exceed(&a, &a, &costs, profiles, 0, &(TedInterrupt){stop, NULL}, &steps,
							 &exceed) == TED_CANCELLED;
}

/* Whether a bound by strings can be stopped, and says so if it has too little memory. */
static bool
fails(Bound function)
{
	TedProfiledPair pair = {&tree_a.tree, &tree_a.tree, &costs, profiles};
	int32_t limit = 1000000;
	int64_t steps = TED_STEPS_PER_CHECK;
	TedArena arena;
	int32_t bound;
	bool fails;

	make_tree(&tree_a, RANDOM, MAX_HUGE, 1, 0);
	arena = new_arena(ted_rename_bound_memory(&pair, limit));
	fails = function(&pair, limit, &arena, &(TedInterrupt){stop, NULL}, &steps, &bound) ==
			TED_CANCELLED;
	arena.size--;
	fails &= function(&pair, limit, &arena, &never, &steps, &bound) == TED_OUT_OF_ARENA;
	free(arena.base);
	return fails;
}

int
main(void)
{
	uint64_t seed = setting("SEED", 1);
	uint64_t count = rounds(1500) < 100 ? 100 : rounds(1500); /* some labels must be numbers */
	uint64_t wrong = 0;
	uint64_t strings = 0;
	uint64_t refused = 0;

	printf("# seed %llu, %llu times\n", (unsigned long long) seed, (unsigned long long) count);
	random_state = seed;
	for (uint64_t round = 0; round < count; round++)
	{
		int32_t exact;

		if (round % 10 == 0)
			make_model(round / 10);
		make_random_pair(&tree_a, &tree_b, round, 1 + (int32_t) random_below(MAX_SIZE));
		exact = distance();
		for (int32_t more = 0; more < 3; more++)
			wrong += exceeds(exact + more * (int32_t) random_below(2000));
		refused += exact > 0 && exceeds(exact / 2);
		strings += !string_bounds_hold(exact);
	}
	ok(wrong == 0, "no distance is less than its bound, %llu pairs", (unsigned long long) count);
	ok(refused > count / 20, "some bounds are more than half of the distance");
	ok(strings == 0, "bounds by strings are string edit distances, which are not greater");
	ok(finds_number, "some labels are numbers");
	ok(stops() && fails(ted_character_bound) && fails(ted_rename_bound), "bounds can be stopped");
	return done_testing();
}
