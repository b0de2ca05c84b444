/*
 * single_path_template.h
 *	  The work on blocks, for any kind of vector.
 *
 * The file that includes this defines METHODS (the name of the table), TARGET
 * (the attribute of all functions), Vec, and on vectors of TED_PATH_LANES
 * numbers v_load, v_store, v_set, v_add, v_min, v_count (a number and those
 * after it), v_from (second vector in lanes from a number on), and flip.
 */

/* Distances from the empty forest. */
TARGET static void
fill_empty_forest(const TedLaneBlock *block, int32_t *current)
{
	const TedLaneBlock s = *block;
	Vec lanes = v_count(s.lane);
	Vec row = v_set(0);

	for (ptrdiff_t r = s.first; r < s.rows; r++)
	{
		Vec cost = v_set(s.cost[r]);
		Vec inserted = v_add(row, cost);

		if (s.size[r] == 1)
			inserted = v_from(inserted, cost, lanes, s.own[r]);
		row = v_from(inserted, row, lanes, s.top[r] + 1);
		v_store(current + r * TED_PATH_LANES, row);
	}
}

/* Distance between the subtrees of x and r, where x spans all of F; lane t is that of r. */
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

/* Adds a node; what it reads is copied first, since its stores might change it for all C knows. */
TARGET static inline void
add_lane_node(const TedLaneBlock *block, const TedLaneStep *step, bool spans)
{
	const TedLaneBlock s = *block;
	const TedLaneStep n = *step;
	Vec lanes = v_count(s.lane);
	Vec cost = v_set(n.cost);
	Vec old_empty = v_set(n.old_empty + n.cost);
	Vec before_empty = v_set(n.before_empty);
	Vec row = v_set(0);

	for (ptrdiff_t r = s.first; r < s.rows; r++)
	{
		ptrdiff_t at = r * TED_PATH_LANES;
		int32_t size = s.size[r];
		int32_t own = s.own[r];
		int32_t top = s.top[r];
		Vec best;

		if (spans && top >= s.lane && top < s.lane + TED_PATH_LANES)
			n.distance[r] = subtree_distance(&s, &n, r, top - s.lane);
		best = v_load(n.before + at - (ptrdiff_t) size * TED_PATH_LANES);
		best = v_add(v_from(best, before_empty, lanes, own), v_set(n.distance[r]));
		best = v_min(best, v_add(v_load(n.old + at), cost));
		if (size == 1)
			row = v_from(row, old_empty, lanes, own);
		best = v_min(best, v_add(row, v_set(s.cost[r])));
		row = v_from(best, row, lanes, top + 1);
		v_store(n.current + at, row);
	}
}

/* Adds a node of either kind. */
TARGET static void
step(const TedLaneBlock *block, const TedLaneStep *step)
{
	if (step->spans)
		add_lane_node(block, step, true);
	else
		add_lane_node(block, step, false);
}

/* Adds a node within a window; a row without a node is known no better than by the bound. */
TARGET static void
window(const TedLaneWindow *window)
{
	const TedLaneWindow w = *window;
	Vec lanes = v_count(w.lane);
	Vec cost = v_set(w.cost);
	Vec bound = v_set(w.bound);
	Vec row = bound;
	int32_t first = w.node < 0 ? -w.node : 0;
	int32_t last = w.rows < w.end - w.node ? w.rows : w.end - w.node;

	for (int32_t i = 0; i < first; i++)
		v_store(w.current + i * w.current_stride, bound);
	for (int32_t i = first; i < last; i++)
	{
		int32_t y = w.node + i;
		int32_t before = i + w.added - w.size[y];

		row = v_min(row, v_add(v_load(w.old + (i + 1) * w.old_stride), cost));
		if (w.distance[i] != TED_BEYOND && before >= 0 && before < w.rows)
		{
			Vec match = v_add(v_load(w.before + before * w.before_stride), v_set(w.distance[i]));

			row = v_from(v_min(row, match), row, lanes, w.preorder[y] + 1);
		}
		v_store(w.current + i * w.current_stride, row);
	}
	for (int32_t i = last; i <= w.rows; i++)
		v_store(w.current + i * w.current_stride, bound);
}

const TedLaneMethods METHODS = {
	.empty = fill_empty_forest, .step = step, .window = window, .flip = flip};
