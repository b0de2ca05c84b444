/*
 * assignment.c
 *	  Assigns the rows of a matrix to its columns so that the sum of the weights is maximal.
 *
 * Shortest augmenting paths, starting with the greatest weight of each row as its price (Jonker and
 * Volgenant, Computing 38, 1987).  The sum of all prices is an upper bound at any time; the work
 * ends when it is no more than `floor`.
 *
 * The assignments with the maximal sum are those in which all columns with a positive price have a
 * row, and rows have columns only where the weight is the sum of both prices.  So a row may change
 * to such a column if other rows can exchange columns until its own column has a row again, or need
 * not have one.
 */
#include "assignment.h"

/* Allocates the arrays. */
void
ted_assignment_arrays(TedAssignment *assignment, TedArena *arena, int32_t rows, int32_t columns)
{
	size_t count = (size_t) columns;

	*assignment = (TedAssignment){.weight = ted_arena_int32(arena, (size_t) rows * count),
								  .row_price = ted_arena_int32(arena, (size_t) rows),
								  .column_price = ted_arena_int32(arena, count),
								  .partner = ted_arena_int32(arena, count),
								  .path = ted_arena_int32(arena, count),
								  .slack = ted_arena_int32(arena, count),
								  .order = ted_arena_int32(arena, count),
								  .open = ted_arena_int32(arena, (size_t) rows)};
}

/* Returns the weights of a row. */
static inline const int32_t *
weights(const TedAssignment *assignment, int32_t row)
{
	return assignment->weight + (size_t) row * (size_t) assignment->columns;
}

/*
 * Sets the first prices, the greatest weights of the rows.  The bound is the smaller of the sum of
 * these and the sum of the greatest weights of the columns.
 */
static TedStatus
first_prices(TedAssignment *assignment, const TedInterrupt *interrupt, int64_t *steps,
			 int64_t *bound)
{
	int32_t *greatest = assignment->slack;
	int64_t sum = 0;
	int64_t column_sum = 0;

	for (int32_t column = 0; column < assignment->columns; column++)
	{
		assignment->column_price[column] = 0;
		assignment->partner[column] = -1;
		greatest[column] = 0;
	}
	for (int32_t row = 0; row < assignment->rows; row++)
	{
		const int32_t *weight = weights(assignment, row);
		int32_t price = 0;

		for (int32_t column = 0; column < assignment->columns; column++)
		{
			price = ted_max(price, weight[column]);
			greatest[column] = ted_max(greatest[column], weight[column]);
		}
		assignment->row_price[row] = price;
		sum += price;
		if (ted_interrupted(interrupt, steps, assignment->columns))
			return TED_CANCELLED;
	}
	for (int32_t column = 0; column < assignment->columns; column++)
		column_sum += greatest[column];
	*bound = sum < column_sum ? sum : column_sum;
	return TED_OK;
}

/* Assigns a row to a free column with its greatest weight; returns false if there is none. */
static bool
pair_at_once(TedAssignment *assignment, int32_t row)
{
	const int32_t *weight = weights(assignment, row);
	int32_t price = assignment->row_price[row];

	for (int32_t column = 0; column < assignment->columns; column++)
		if (weight[column] == price && assignment->partner[column] < 0)
		{
			assignment->partner[column] = row;
			return true;
		}
	return false;
}

/*
 * Moves the unreached column nearest to the root of the search to `place` of the order; prefers
 * free columns.  Returns it.
 */
static int32_t
take_nearest(TedAssignment *assignment, int32_t place)
{
	int32_t *order = assignment->order;
	int32_t nearest = place;
	int32_t column;

	for (int32_t i = place + 1; i < assignment->columns; i++)
	{
		int32_t difference = assignment->slack[order[i]] - assignment->slack[order[nearest]];

		if (difference < 0 || (difference == 0 && assignment->partner[order[nearest]] >= 0 &&
							   assignment->partner[order[i]] < 0))
			nearest = i;
	}
	column = order[nearest];
	order[nearest] = order[place];
	order[place] = column;
	return column;
}

/*
 * Updates distances from a row that was reached at `distance`, by column `from` or as the root
 * (-1).
 */
static void
relax(TedAssignment *assignment, int32_t row, int32_t from, int32_t distance, int32_t place)
{
	const int32_t *weight = weights(assignment, row);
	int32_t price = assignment->row_price[row] + distance;

	for (int32_t i = place; i < assignment->columns; i++)
	{
		int32_t column = assignment->order[i];
		int32_t slack = price + assignment->column_price[column] - weight[column];

		if (from < 0 || slack < assignment->slack[column])
		{
			assignment->slack[column] = slack;
			assignment->path[column] = from;
		}
	}
}

/*
 * Assigns the row `root`, and reassigns other rows along a shortest path to a free column; returns
 * the length of the path.
 */
static TedStatus
augment(TedAssignment *assignment, int32_t root, const TedInterrupt *interrupt, int64_t *steps,
		int32_t *length)
{
	int32_t reached = 0;
	int32_t row = root;
	int32_t column = -1;
	int32_t distance = 0;

	for (int32_t i = 0; i < assignment->columns; i++)
		assignment->order[i] = i;
	do
	{
		if (ted_interrupted(interrupt, steps, 2 * (int64_t) assignment->columns))
			return TED_CANCELLED;
		relax(assignment, row, column, distance, reached);
		column = take_nearest(assignment, reached++);
		distance = assignment->slack[column];
		row = assignment->partner[column];
	} while (row >= 0);

	assignment->row_price[root] -= distance;
	for (int32_t i = 0; i < reached - 1; i++)
	{
		int32_t passed = assignment->order[i];
		int32_t change = distance - assignment->slack[passed];

		assignment->column_price[passed] += change;
		assignment->row_price[assignment->partner[passed]] -= change;
	}
	for (int32_t before; column >= 0; column = before)
	{
		before = assignment->path[column];
		assignment->partner[column] = before >= 0 ? assignment->partner[before] : root;
	}
	*length = distance;
	return TED_OK;
}

/* Computes the maximal sum if it is more than `floor`, else -1. */
TedStatus
ted_assignment(TedAssignment *assignment, int32_t floor, const TedInterrupt *interrupt,
			   int64_t *steps, int32_t *sum)
{
	int64_t bound;
	int64_t prices = 0; /* exceeds 32 bits where rows are alike, though the maximal sum does not */
	int32_t open = 0;

	*sum = -1;
	if (first_prices(assignment, interrupt, steps, &bound) != TED_OK)
		return TED_CANCELLED;
	if (bound <= floor)
		return TED_OK;
	for (int32_t row = 0; row < assignment->rows; row++)
	{
		prices += assignment->row_price[row];
		if (ted_interrupted(interrupt, steps, assignment->columns))
			return TED_CANCELLED;
		if (!pair_at_once(assignment, row))
			assignment->open[open++] = row;
	}
	for (int32_t i = 0; i < open && prices > floor; i++)
	{
		int32_t length;

		if (augment(assignment, assignment->open[i], interrupt, steps, &length) != TED_OK)
			return TED_CANCELLED;
		prices -= length;
	}
	if (prices > floor)
		*sum = (int32_t) prices;
	return TED_OK;
}

/* Whether a row may have a column in an assignment with the maximal sum. */
static inline bool
is_tight(const TedAssignment *assignment, int32_t row, int32_t column)
{
	return assignment->row_price[row] + assignment->column_price[column] ==
		   weights(assignment, row)[column];
}

/* Whether the row of a column has been given its preferred column. */
static inline bool
stays(const TedAssignment *assignment, int32_t column)
{
	return assignment->partner[column] >= 0 && assignment->open[assignment->partner[column]];
}

/*
 * Searches for an exchange of columns from the row of column `start` to the column `target`.
 * `path` has the preceding column of each column reached, and `slack` marks the columns that
 * searches have reached.
 */
static TedStatus
search_places(TedAssignment *assignment, int32_t start, int32_t target,
			  const TedInterrupt *interrupt, int64_t *steps, bool *found)
{
	int32_t *waiting = assignment->order;
	int32_t count = 0;
	bool left_free = false; /* a column without a row has been searched; others lead to the same
							 * columns */

	*found = false;
	if (assignment->slack[start])
		return TED_OK;
	assignment->slack[start] = 1;
	assignment->path[start] = -1;
	waiting[count++] = start;
	while (count > 0)
	{
		int32_t column = waiting[--count];
		int32_t row = assignment->partner[column];

		if (row < 0 && left_free)
			continue;
		left_free |= row < 0;
		for (int32_t next = 0; next < assignment->columns; next++)
		{
			if (assignment->slack[next] || stays(assignment, next) ||
				!(row < 0 ? assignment->column_price[next] == 0 : is_tight(assignment, row, next)))
				continue;
			assignment->slack[next] = 1;
			assignment->path[next] = column;
			if (next == target)
			{
				*found = true;
				return TED_OK;
			}
			waiting[count++] = next;
		}
		if (ted_interrupted(interrupt, steps, assignment->columns))
			return TED_CANCELLED;
	}
	return TED_OK;
}

/* Gives a row its first possible column of positive weight, of `label` unless that is NULL. */
static TedStatus
prefer_first(TedAssignment *assignment, int32_t row, const int32_t *label,
			 const int32_t *column_label, const TedInterrupt *interrupt, int64_t *steps)
{
	const int32_t *weight = weights(assignment, row);
	int32_t own = 0;

	while (assignment->partner[own] != row)
		own++;
	for (int32_t column = 0; column < assignment->columns; column++)
		assignment->slack[column] = 0;
	for (int32_t column = 0; column < assignment->columns; column++)
	{
		bool found = column == own;

		if (weight[column] == 0 || (label != NULL && column_label[column] != *label))
			continue;
		if (!found && is_tight(assignment, row, column) && !stays(assignment, column) &&
			search_places(assignment, column, own, interrupt, steps, &found) != TED_OK)
			return TED_CANCELLED;
		if (!found)
			continue;
		if (column != own)
		{
			for (int32_t taken = own; taken != column; taken = assignment->path[taken])
				assignment->partner[taken] = assignment->partner[assignment->path[taken]];
			assignment->partner[column] = row;
		}
		assignment->open[row] = true;
		return TED_OK;
	}
	return TED_OK;
}

/* Changes an assignment to the preferred one of the same sum. */
TedStatus
ted_assignment_prefer(TedAssignment *assignment, const int32_t *row_label,
					  const int32_t *column_label, const TedInterrupt *interrupt, int64_t *steps)
{
	for (int32_t row = 0; row < assignment->rows; row++)
		assignment->open[row] = false;
	for (int pass = 0; pass < 2; pass++)
		for (int32_t row = 0; row < assignment->rows; row++)
			if (!assignment->open[row] &&
				(prefer_first(assignment, row, pass == 0 ? &row_label[row] : NULL, column_label,
							  interrupt, steps) != TED_OK ||
				 ted_interrupted(interrupt, steps, assignment->columns)))
				return TED_CANCELLED;
	return TED_OK;
}
