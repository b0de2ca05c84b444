/*
 * jedi.c
 *	  Edit distance of two JSON documents in which the members of objects have no order.
 *
 * For each pair of subtrees, and of the forests below their roots, the table has the saving of
 * mapping them to each other, compared with deleting one and inserting the other: where operations
 * cost 1, each pair of mapped nodes saves 2, less the cost of renaming.  The saving of two forests
 * is the maximum of the savings of one of them and the forest below a child of the other, and the
 * saving of the best way to pair their trees: as elements of arrays, in order, or as members of
 * objects, by an assignment (assignment.h).  The saving of two trees is the maximum of that of
 * their forests plus their roots, and the savings of one of them and a child of the other.
 *
 * Only pairs that the limit allows are computed: the differences of the sizes of two subtrees, and
 * of the rest of both documents, are within it.  For all other pairs the saving is 0, as for
 * deleting and inserting, so that savings are never too large.  With costs, no subtree is mapped to
 * an equal one in advance, because renaming by way of a third label may cost less.
 */
#include "jedi_table.h"

#define INLINE __attribute__((always_inline)) static inline

/* Returns the index of the first subtree from `place` on with at least this number of nodes. */
static int32_t
first_of_size(const TedJsonPair *pair, const TedJsonSide *side, int32_t place, int64_t size)
{
	while (place < side->count && pair->subtrees[side->subtrees[place]].size < size)
		place++;
	return place;
}

/*
 * Lays out the rows, unless `rows` is NULL, and returns the number of their cells.  For subtrees of
 * sizes x and y of documents of sizes n and m, |x - y| + |(n - x) - (m - y)| is at most the limit
 * where y - x is from -(limit + n - m) / 2 to (limit - n + m) / 2.
 */
static size_t
lay_out(const TedJsonPair *pair, int32_t limit, TedJsonRow *rows)
{
	int64_t difference = (int64_t) pair->a.size - pair->b.size;
	int64_t less = (limit + difference) / 2;
	int64_t more = (limit - difference) / 2;
	TedJsonRow row = {0};

	for (int32_t i = 0; i < pair->a.count; i++)
	{
		int32_t size = pair->subtrees[pair->a.subtrees[i]].size;

		row.first = first_of_size(pair, &pair->b, row.first, size - less);
		row.end = first_of_size(pair, &pair->b, row.end, size + more + 1);
		if (rows != NULL)
			rows[i] = row;
		row.cells += (size_t) ted_max(row.end - row.first, 0);
	}
	return row.cells;
}

/* Returns the most insertions and deletions that a limit allows. */
static int32_t
most_indels(const TedJsonPair *pair, int32_t limit)
{
	int32_t cost = pair->costs == NULL ? 1 : ted_least_indel_cost(pair->costs);

	return cost == 0 ? pair->a.size + pair->b.size : limit / cost;
}

/* Allocates the arrays. */
TedJsonTable
ted_json_table(const TedJsonPair *pair, int32_t limit, TedArena *arena)
{
	int32_t fewer = ted_min(pair->a.widest, pair->b.widest);
	int32_t more = ted_max(pair->a.widest, pair->b.widest);
	TedJsonTable table = {.pair = pair};
	size_t cells;

	table.limit = most_indels(pair, ted_min(limit, pair->upper));
	cells = lay_out(pair, table.limit, NULL);
	table.rows = ted_arena_alloc(arena, sizeof(TedJsonRow) * (size_t) pair->a.count);
	table.tree = ted_arena_int32(arena, cells);
	table.forest = ted_arena_int32(arena, cells);
	table.left_a = ted_arena_int32(arena, (size_t) more);
	table.left_b = ted_arena_int32(arena, (size_t) more);
	table.aligned = ted_arena_int32(arena, (size_t) more + 1);
	ted_assignment_arrays(&table.assignment, arena, fewer + 1, more + 1);
	return table;
}

/* Bytes that ted_json_distance() takes. */
size_t
ted_json_distance_memory(const TedJsonPair *pair, int32_t limit)
{
	TedArena counted = {0};

	if (limit >= pair->lower && pair->lower < pair->upper)
		ted_json_table(pair, limit, &counted);
	return counted.used;
}

/* Computes the saving of the best alignment of the elements of two arrays. */
static TedStatus
align(TedJsonTable *table, const int32_t *a, int32_t count_a, const int32_t *b, int32_t count_b,
	  int32_t *saving)
{
	const TedJsonSubtree *subtrees = table->pair->subtrees;
	int32_t *aligned = table->aligned;
	int32_t equal = 0;

	if (table->pair->costs == NULL)
	{
		for (; count_a > 0 && count_b > 0 && *a == *b; count_a--, count_b--, b++)
			equal += 2 * subtrees[*a++].size;
		for (; count_a > 0 && count_b > 0 && a[count_a - 1] == b[count_b - 1]; count_b--)
			equal += 2 * subtrees[a[--count_a]].size;
	}
	for (int32_t j = 0; j <= count_b; j++)
		aligned[j] = 0;
	for (int32_t i = 0; i < count_a; i++)
	{
		const TedJsonRow *row = ted_json_row(table, a[i]);
		int32_t diagonal = 0;

		for (int32_t j = 0; j < count_b; j++)
		{
			int32_t above = aligned[j + 1];

			aligned[j + 1] = ted_max(ted_max(above, aligned[j]),
									 diagonal + ted_json_saving(table, table->tree, row, b[j]));
			diagonal = above;
		}
		if (ted_interrupted(table->interrupt, &table->steps, count_b))
			return TED_CANCELLED;
	}
	*saving = equal + aligned[count_b];
	return TED_OK;
}

/*
 * Writes the children without an equal partner to left_a and left_b; returns the saving of the
 * others.
 */
static int32_t
leave_equal_out(TedJsonTable *table, const TedJsonSubtree *a, const TedJsonSubtree *b,
				int32_t *count_a, int32_t *count_b)
{
	const TedJsonPair *pair = table->pair;
	const int32_t *child_a = pair->children + a->first;
	const int32_t *child_b = pair->children + b->first;
	int32_t saving = 0;

	*count_a = *count_b = 0;
	for (int32_t i = 0, j = 0; i < a->count || j < b->count;)
	{
		int64_t order_a = i < a->count ? ted_json_order(pair, child_a[i]) : INT64_MAX;
		int64_t order_b = j < b->count ? ted_json_order(pair, child_b[j]) : INT64_MAX;

		if (order_a == order_b && ted_json_keeps_equal(pair, child_a[i]))
			saving += 2 * pair->subtrees[child_a[i]].size;
		else
		{
			if (order_a <= order_b)
				table->left_a[(*count_a)++] = child_a[i];
			if (order_b <= order_a)
				table->left_b[(*count_b)++] = child_b[j];
		}
		i += order_a <= order_b;
		j += order_b <= order_a;
	}
	return saving;
}

/*
 * Fills the matrix with the savings of pairs of children; the side with fewer children has the
 * rows.
 */
static TedStatus
fill_matrix(TedJsonTable *table, int32_t count_a, int32_t count_b)
{
	TedAssignment *assignment = &table->assignment;
	bool turned = count_a > count_b;

	assignment->rows = ted_min(count_a, count_b);
	assignment->columns = ted_max(count_a, count_b);
	for (int32_t i = 0; i < count_a; i++)
	{
		const TedJsonRow *row = ted_json_row(table, table->left_a[i]);
		size_t step = turned ? (size_t) count_a : 1;
		int32_t *weight = assignment->weight + (size_t) i * (turned ? 1 : (size_t) count_b);

		for (int32_t j = 0; j < count_b; j++, weight += step)
			*weight = ted_json_saving(table, table->tree, row, table->left_b[j]);
		if (ted_interrupted(table->interrupt, &table->steps, count_b))
			return TED_CANCELLED;
	}
	return TED_OK;
}

/*
 * Computes the saving of the best assignment of unordered children if it is more than `floor`, else
 * a smaller number.
 */
static TedStatus
assign(TedJsonTable *table, const TedJsonSubtree *a, const TedJsonSubtree *b, int32_t floor,
	   int32_t *saving)
{
	int32_t count_a;
	int32_t count_b;
	int32_t equal = leave_equal_out(table, a, b, &count_a, &count_b);
	int32_t rest;

	*saving = equal;
	if (count_a == 0 || count_b == 0)
		return TED_OK;
	if (fill_matrix(table, count_a, count_b) != TED_OK ||
		ted_assignment(&table->assignment, floor - equal, table->interrupt, &table->steps, &rest) !=
			TED_OK)
		return TED_CANCELLED;
	*saving += ted_max(rest, 0);
	return TED_OK;
}

/*
 * Computes the saving of mapping the children of two nodes in the best way; a smaller number where
 * it is no more than `known`, or where the distance would exceed the limit.
 */
INLINE TedStatus
pair_children(TedJsonTable *table, const TedJsonSubtree *a, const TedJsonSubtree *b, int32_t known,
			  bool by_costs, int32_t *saving)
{
	const TedJsonPair *pair = table->pair;
	int32_t floor = known;
	const int32_t *child_a = pair->children + a->first;
	const int32_t *child_b = pair->children + b->first;

	*saving = 0;
	if (!by_costs)
	{
		int64_t beside = ((int64_t) pair->a.size - a->size) - ((int64_t) pair->b.size - b->size);
		int64_t least =
			(int64_t) a->size + b->size - 2 + (beside < 0 ? -beside : beside) - table->limit;

		floor = least - 1 > known ? (int32_t) (least - 1) : known;
		if (2 * (ted_min(a->size, b->size) - 1) <= floor)
			return TED_OK;
	}
	if (a->count == 1 || b->count == 1)
	{
		for (int32_t i = 0; i < a->count; i++)
			for (int32_t j = 0; j < b->count; j++)
				*saving =
					ted_max(*saving, ted_json_saving(table, table->tree,
													 ted_json_row(table, child_a[i]), child_b[j]));
		return TED_OK;
	}
	if (a->kind == TED_JSON_ARRAY && b->kind == TED_JSON_ARRAY)
		return align(table, child_a, a->count, child_b, b->count, saving);
	return assign(table, a, b, floor, saving);
}

/* Initializes a row with the savings of the subtrees below its root, where the root is deleted. */
INLINE TedStatus
start_row(TedJsonTable *table, const TedJsonSubtree *a, const TedJsonRow *row)
{
	int32_t *tree = table->tree + row->cells;
	int32_t *forest = table->forest + row->cells;
	int32_t before = -1;

	for (int32_t i = 0; i < row->end - row->first; i++)
		tree[i] = forest[i] = 0;
	for (int32_t c = 0; c < a->count; c++)
	{
		int32_t child = table->pair->children[a->first + c];
		const TedJsonRow *other = ted_json_row(table, child);
		int32_t first = ted_max(row->first, other->first);
		int32_t end = ted_min(row->end, other->end);
		const int32_t *child_tree = table->tree + other->cells + (first - other->first);
		const int32_t *child_forest = table->forest + other->cells + (first - other->first);

		if (child == before)
			continue;
		before = child;
		for (int32_t i = first - row->first; i < end - row->first; i++)
		{
			tree[i] = ted_max(tree[i], *child_tree++);
			forest[i] = ted_max(forest[i], *child_forest++);
		}
		if (ted_interrupted(table->interrupt, &table->steps, row->end - row->first))
			return TED_CANCELLED;
	}
	return TED_OK;
}

/* Computes a cell of a row; the cells before it, and all rows before, must have been computed. */
INLINE TedStatus
compute_cell(TedJsonTable *table, const TedJsonSubtree *a, const TedJsonRow *row, int32_t column,
			 bool by_costs)
{
	const TedJsonPair *pair = table->pair;
	const TedJsonSubtree *b = &pair->subtrees[pair->b.subtrees[column]];
	int32_t *tree = table->tree + row->cells;
	int32_t *forest = table->forest + row->cells;
	int32_t cell = column - row->first;
	int32_t best_tree = tree[cell];
	int32_t best_forest = forest[cell];
	int32_t paired;

	for (int32_t c = 0; c < b->count; c++)
	{
		int32_t child = pair->b.place[pair->children[b->first + c]] - row->first;

		if (child < 0)
			continue;
		best_tree = ted_max(best_tree, tree[child]);
		best_forest = ted_max(best_forest, forest[child]);
	}
	if (a->count > 0 && b->count > 0)
	{
		if (pair_children(table, a, b, best_forest, by_costs, &paired) != TED_OK)
			return TED_CANCELLED;
		best_forest = ted_max(best_forest, paired);
	}
	forest[cell] = best_forest;
	tree[cell] = ted_max(best_tree, best_forest + (by_costs ? ted_json_root_saving(pair, a, b)
															: 2 - ted_json_rename(a, b)));
	return TED_OK;
}

/* Computes a row, by the costs of the pair or with operations of cost 1. */
INLINE TedStatus
compute_row(TedJsonTable *table, int32_t place, bool by_costs)
{
	const TedJsonPair *pair = table->pair;
	const TedJsonRow *row = &table->rows[place];
	int32_t subtree = pair->a.subtrees[place];
	const TedJsonSubtree *a = &pair->subtrees[subtree];

	if (start_row(table, a, row) != TED_OK)
		return TED_CANCELLED;
	for (int32_t column = row->first; column < row->end; column++)
	{
		int32_t other = pair->b.subtrees[column];

		if (other == subtree)
		{
			size_t cell = row->cells + (size_t) (column - row->first);

			table->tree[cell] = ted_json_whole(pair, subtree);
			table->forest[cell] =
				table->tree[cell] - (by_costs ? ted_json_root_saving(pair, a, a) : 2);
		}
		else if (compute_cell(table, a, row, column, by_costs) != TED_OK)
			return TED_CANCELLED;
		if (ted_interrupted(table->interrupt, &table->steps,
							1 + a->count + pair->subtrees[other].count))
			return TED_CANCELLED;
	}
	return TED_OK;
}

/* Fills the table. */
TedStatus
ted_json_fill(TedJsonTable *table, const TedInterrupt *interrupt)
{
	bool by_costs = table->pair->costs != NULL;

	table->interrupt = interrupt;
	lay_out(table->pair, table->limit, table->rows);
	for (int32_t place = 0; place < table->pair->a.count; place++)
		if ((by_costs ? compute_row(table, place, true) : compute_row(table, place, false)) !=
			TED_OK)
			return TED_CANCELLED;
	return TED_OK;
}

/* Computes the distance if it is at most `limit`, else TED_BEYOND. */
TedStatus
ted_json_distance(const TedJsonPair *pair, int32_t limit, TedArena *arena,
				  const TedInterrupt *interrupt, int32_t *distance)
{
	TedJsonTable table;
	int32_t found;

	*distance = TED_BEYOND;
	if (pair->lower > limit)
		return TED_OK;
	if (pair->lower == pair->upper)
	{
		*distance = pair->upper;
		return TED_OK;
	}
	table = ted_json_table(pair, limit, arena);
	if (ted_arena_exceeded(arena))
		return TED_OUT_OF_ARENA;
	if (ted_json_fill(&table, interrupt) != TED_OK)
		return TED_CANCELLED;
	found = pair->total -
			ted_json_saving(&table, table.tree, ted_json_row(&table, pair->a.root), pair->b.root);
	if (found <= limit)
		*distance = found;
	return TED_OK;
}
