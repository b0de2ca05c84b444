/*
 * sweep_template.h
 *	  The body of a sweep, for any kind of vector.
 *
 * The file that includes this defines LANES, SWEEP (the name of the function),
 * TARGET (the attribute of all functions), Vec, and on vectors of 16-bit
 * numbers v_load (aligned to no more than a number), v_store, v_set, v_add,
 * v_min, v_mix (second vector where the mask is set), v_scan (prefix minimum),
 * v_scan_within (the same within tables), v_last (last lane everywhere),
 * v_rename (costs of renaming by column), v_pick (lanes of two vectors in a row
 * by number), v_store_path (lanes of a mask only), and copy_short and
 * store_path_short on TED_SHORT_LANES numbers.
 */

/* Gathers a row at the sources of all columns. */
TARGET static void
gather(const TedColumns *columns, const int16_t *row, int16_t *gathered)
{
	Vec before = v_set(0);

	for (int32_t c = 0; c < columns->width; c += LANES)
	{
		Vec own = v_load(row + c);

		v_store(gathered + c, v_pick(before, own, v_load(columns->near + c)));
		before = own;
	}
	for (int32_t i = 0; i < columns->far_count; i++)
		gathered[columns->far[i]] = row[columns->source[columns->far[i]]];
}

/* Spreads distances by node over the columns of some levels. */
TARGET static void
spread(const TedColumns *columns, const TedLevel *from, const TedLevel *to, const int16_t *nodes,
	   int16_t *wide)
{
	for (const TedLevel *level = from; level < to; level++)
	{
		const TedPiece *piece = columns->spread + level[0].spread;
		const TedPiece *longer = columns->spread + level[0].spread_long;
		const TedPiece *end = columns->spread + level[1].spread;

		for (; piece < longer; piece++)
			copy_short(wide + piece->column, nodes + piece->node);
		for (; piece < end; piece++)
			v_store(wide + piece->column, v_load(nodes + piece->node));
	}
}

/* Collects the distances that a level has yielded. */
TARGET static void
collect(const TedColumns *columns, const TedLevel *level, const int16_t *row, int16_t *nodes)
{
	const TedPiece *piece = columns->collected + level[0].collected;
	const TedPiece *longer = columns->collected + level[0].collected_long;
	const TedPiece *end = columns->collected + level[1].collected;

	for (; piece < longer; piece++)
		store_path_short(nodes + piece->node, piece->path, row + piece->column);
	for (; piece < end; piece++)
		v_store_path(nodes + piece->node, piece->path, v_load(row + piece->column));
}

/* Distances by column for one vector. */
TARGET static inline Vec
distances(const TedBlock *block, const int16_t *nodes, const int16_t *wide)
{
	return v_load(block->direct == TED_MIXED ? wide : nodes + block->direct);
}

/* Takes insertions into account; `carry` is what the table had before this vector, at best. */
TARGET static inline Vec
finish(const TedBlock *block, Vec best, Vec empty, Vec *carry)
{
	if (block->start == 0)
	{
		Vec scanned = v_scan(best);

		best = v_min(scanned, *carry);
		*carry = v_min(v_last(scanned), *carry);
	}
	else
	{
		uint32_t before = (block->start & -block->start) - 1;

		best = v_scan_within(v_mix(best, empty, block->start), block->reach);
		best = v_mix(best, v_min(best, *carry), before);
		*carry = v_last(best);
	}
	return best;
}

/* Sweeps the row of a node on the leftmost path of its key root; `nodes` are its distances. */
TARGET static void
sweep_path(TedSweep *sweep, int32_t label, int16_t empty_forest, int16_t *nodes)
{
	const TedColumns *columns = sweep->columns;
	Vec delete_ = v_set(sweep->delete_);
	Vec empty = v_set(empty_forest);
	Vec same = v_set((int16_t) -sweep->insert);
	Vec other = v_set((int16_t) (sweep->rename - sweep->insert));

	for (int32_t l = 0; l < columns->level_count; l++)
	{
		const TedLevel *level = &columns->levels[l];
		Vec carry = v_set(INT16_MAX);

		spread(columns, level, level + 1, nodes, sweep->wide);
		for (int32_t b = level[0].block; b < level[1].block; b++)
		{
			const TedBlock *block = &columns->blocks[b];
			int32_t c = b * LANES;
			const int16_t *above = sweep->above + c;
			Vec rename = v_rename(columns->label + c, label, same, other);
			Vec best = v_mix(distances(block, nodes, sweep->wide + c),
							 v_add(v_load(above - 1), rename), block->path);

			best = v_min(best, v_add(v_load(above), delete_));
			best = finish(block, best, empty, &carry);
			v_store(sweep->current + c, best);
			if (block->direct != TED_MIXED)
				v_store_path(nodes + block->direct, block->path, best);
		}
		collect(columns, level, sweep->current, nodes);
	}
}

/* Sweeps the row of any other node; `beside` is the gathered row before its subtree. */
TARGET static void
sweep_other(TedSweep *sweep, int16_t empty_forest, const int16_t *beside, const int16_t *nodes)
{
	const TedColumns *columns = sweep->columns;
	Vec delete_ = v_set(sweep->delete_);
	Vec empty = v_set(empty_forest);
	Vec carry = v_set(INT16_MAX);

	spread(columns, columns->levels, columns->levels + columns->level_count, nodes, sweep->wide);
	for (int32_t c = 0; c < columns->width; c += LANES)
	{
		const TedBlock *block = &columns->blocks[c / LANES];
		Vec best = v_add(v_load(beside + c), distances(block, nodes, sweep->wide + c));

		best = v_min(best, v_add(v_load(sweep->above + c), delete_));
		v_store(sweep->current + c, finish(block, best, empty, &carry));
	}
}

/* Fills the tables of one key root of a with all of b. */
TARGET static TedStatus
sweep_key_root(TedSweep *sweep, int32_t root, const TedInterrupt *interrupt, int64_t *steps)
{
	const TedTree *a = sweep->a;
	size_t width = (size_t) sweep->columns->width;
	int32_t rows = a->subtree_size[root];
	int16_t *beside = sweep->beside; /* where the next gathered row goes */

	memset(sweep->above, 0, sizeof(int16_t) * width);
	for (int32_t i = 1; i <= rows; i++)
	{
		int32_t x = root - rows + i;
		int16_t empty = (int16_t) (i * sweep->delete_);
		int16_t *nodes = sweep->distance + (size_t) sweep->row[x] * sweep->stride;
		int16_t *above = sweep->above;

		if (a->key_root[x] == root)
			sweep_path(sweep, a->label[x], empty, nodes);
		else
		{
			if (a->subtree_size[x] == 1)
			{
				gather(sweep->columns, sweep->above, beside);
				beside += width;
			}
			sweep_other(sweep, empty, beside - width, nodes);
			if (a->key_root[x] == x)
				beside -= width;
		}
		sweep->above = sweep->current;
		sweep->current = above;
		if (ted_interrupted(interrupt, steps, (int64_t) width))
			return TED_CANCELLED;
	}
	return TED_OK;
}

/* Fills the distances of all subtrees. */
TARGET TedStatus
SWEEP(TedSweep *sweep, const TedInterrupt *interrupt)
{
	int64_t steps = 0;

	for (int32_t x = 0; x < sweep->a->size; x++)
		if (sweep->a->key_root[x] == x && sweep->first[x] == x &&
			sweep_key_root(sweep, x, interrupt, &steps) != TED_OK)
			return TED_CANCELLED;
	return TED_OK;
}
