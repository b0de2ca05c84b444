/*
 * single_path_template.h
 *	  Operations on blocks of lanes, for any kind of vector.
 *
 * The file that includes this defines METHODS (the name of the table of functions), TARGET (the
 * attribute of all functions) and LANES (the number of numbers in a vector) before, and flip()
 * afterwards.  A row of TED_PATH_LANES numbers is ROW_VECTORS vectors.
 */
#include "../../common/simd.h"

#define NUMBER_BITS 32
#include "../../common/vectors.h"

#define ROW_VECTORS (TED_PATH_LANES / LANES)

typedef struct Row
{
	Vec v[ROW_VECTORS];
} Row;

/* Loop over the vectors of a row, which the compiler unrolls. */
#define EACH_VECTOR _Pragma("GCC unroll 4") for (int i = 0; i < ROW_VECTORS; i++)

/* Loads a row. */
TARGET static inline Row
row_load(const int32_t *p)
{
	Row row;

	EACH_VECTOR row.v[i] = v_load(p + i * LANES);
	return row;
}

/* Stores a row. */
TARGET static inline void
row_store(int32_t *p, Row row)
{
	EACH_VECTOR v_store(p + i * LANES, row.v[i]);
}

/* Returns a row with one number in all lanes. */
TARGET static inline Row
row_set(int32_t number)
{
	Row row;

	EACH_VECTOR row.v[i] = v_set(number);
	return row;
}

/* Adds two rows. */
TARGET static inline Row
row_add(Row a, Row b)
{
	EACH_VECTOR a.v[i] = v_add(a.v[i], b.v[i]);
	return a;
}

/* Returns the smaller numbers of two rows, lane by lane. */
TARGET static inline Row
row_min(Row a, Row b)
{
	EACH_VECTOR a.v[i] = v_min(a.v[i], b.v[i]);
	return a;
}

/* Returns a row that counts up from a number. */
TARGET static inline Row
row_count(int32_t number)
{
	static const int32_t count[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

	return row_add(row_load(count), row_set(number));
}

/* Returns row b in lanes from `number` on, else row a; `lanes` has the numbers of lanes. */
TARGET static inline Row
row_from(Row a, Row b, Row lanes, int32_t number)
{
	EACH_VECTOR a.v[i] = v_choose(b.v[i], a.v[i], lanes.v[i] < v_set(number));
	return a;
}

/* Transposes a square of TED_PATH_LANES rows and lanes, both in reverse order. */
TARGET static void flip(const int32_t *from, int32_t *to, ptrdiff_t stride);

/* Computes the distances from the empty forest. */
TARGET static void
fill_empty_forest(const TedLaneBlock *block, int32_t *current)
{
	const TedLaneBlock s = *block;
	Row lanes = row_count(s.lane);
	Row row = row_set(0);

	for (ptrdiff_t r = s.first; r < s.rows; r++)
	{
		Row cost = row_set(s.cost[r]);
		Row inserted = row_add(row, cost);

		if (s.size[r] == 1)
			inserted = row_from(inserted, cost, lanes, s.own[r]);
		row = row_from(inserted, row, lanes, s.top[r] + 1);
		row_store(current + r * TED_PATH_LANES, row);
	}
}

/* Returns the distance between the subtrees of x and r, where x spans all of F; r is in lane t. */
TARGET static inline int32_t
subtree_distance(const TedLaneBlock *block, const TedLaneStep *step, ptrdiff_t r, ptrdiff_t t)
{
	const int32_t *old = step->old + r * TED_PATH_LANES + t;
	int32_t below_old = step->old_empty; /* r's children against F without and with x */
	int32_t below = step->old_empty + step->cost;
	int32_t best = *old + step->cost;
	int32_t other;

	if (block->size[r] > 1)
	{
		below_old = old[-TED_PATH_LANES];
		below = step->current[(r - 1) * TED_PATH_LANES + t];
	}
	other = below + block->cost[r];
	best = best < other ? best : other;
	other = below_old + step->distance[r];
	return best < other ? best : other;
}

/*
 * Adds a node to F.  The structs are copied first, since the compiler must assume that stores to
 * tables change them.
 */
TARGET static inline void
add_lane_node(const TedLaneBlock *block, const TedLaneStep *step, bool spans)
{
	const TedLaneBlock s = *block;
	const TedLaneStep n = *step;
	Row lanes = row_count(s.lane);
	Row cost = row_set(n.cost);
	Row old_empty = row_set(n.old_empty + n.cost);
	Row before_empty = row_set(n.before_empty);
	Row row = row_set(0);

	for (ptrdiff_t r = s.first; r < s.rows; r++)
	{
		ptrdiff_t at = r * TED_PATH_LANES;
		int32_t size = s.size[r];
		int32_t own = s.own[r];
		int32_t top = s.top[r];
		Row best;

		if (spans && top >= s.lane && top < s.lane + TED_PATH_LANES)
			n.distance[r] = subtree_distance(&s, &n, r, top - s.lane);
		best = row_load(n.before + at - (ptrdiff_t) size * TED_PATH_LANES);
		best = row_add(row_from(best, before_empty, lanes, own), row_set(n.distance[r]));
		best = row_min(best, row_add(row_load(n.old + at), cost));
		if (size == 1)
			row = row_from(row, old_empty, lanes, own);
		best = row_min(best, row_add(row, row_set(s.cost[r])));
		row = row_from(best, row, lanes, top + 1);
		row_store(n.current + at, row);
	}
}

/* Adds a node, with `spans` as a constant for the compiler. */
TARGET static void
step(const TedLaneBlock *block, const TedLaneStep *step)
{
	if (step->spans)
		add_lane_node(block, step, true);
	else
		add_lane_node(block, step, false);
}

/* Adds a node within a window; a row without a node gets the bound. */
TARGET static void
window(const TedLaneWindow *window)
{
	const TedLaneWindow w = *window;
	Row lanes = row_count(w.lane);
	Row cost = row_set(w.cost);
	Row bound = row_set(w.bound);
	Row row = bound;
	int32_t first = w.node < 0 ? -w.node : 0;
	int32_t last = w.rows < w.end - w.node ? w.rows : w.end - w.node;

	for (int32_t i = 0; i < first; i++)
		row_store(w.current + i * w.current_stride, bound);
	for (int32_t i = first; i < last; i++)
	{
		int32_t y = w.node + i;
		int32_t before = i + w.added - w.size[y];

		row = row_min(row, row_add(row_load(w.old + (i + 1) * w.old_stride), cost));
		if (w.distance[i] != TED_BEYOND && before >= 0 && before < w.rows)
		{
			Row match =
				row_add(row_load(w.before + before * w.before_stride), row_set(w.distance[i]));

			row = row_from(row_min(row, match), row, lanes, w.preorder[y] + 1);
		}
		row_store(w.current + i * w.current_stride, row);
	}
	for (int32_t i = last; i <= w.rows; i++)
		row_store(w.current + i * w.current_stride, bound);
}

const TedLaneMethods METHODS = {
	.empty = fill_empty_forest, .step = step, .window = window, .flip = flip};
