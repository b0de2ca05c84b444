/*
 * forest_template.h
 *	  Zhang and Shasha's tables cell by cell, for any width of numbers.
 *
 * The file that includes this defines NUMBER (a type), LESSER (returns the smaller of two numbers),
 * COSTS (a type), and INSERT_COST, DELETE_COST and RENAME_COST, functions of a pointer to costs and
 * of one or two labels.
 */

/* Fills the forest table of two subtrees, and the subtree distances that follow from it. */
static TedStatus
fill_forest_table(const TedTree *a, const TedTree *b, int32_t root_a, int32_t root_b, COSTS costs,
				  NUMBER *restrict subtree, NUMBER *restrict forest, const TedInterrupt *interrupt,
				  int64_t *steps)
{
	int32_t rows = a->subtree_size[root_a];
	int32_t columns = b->subtree_size[root_b];
	int32_t first_a = root_a - rows + 1;
	int32_t first_b = root_b - columns + 1;
	size_t stride = (size_t) columns + 1;

	/* shifted so that the column is the index */
	const int32_t *label_b = b->label + first_b - 1;
	const int32_t *size_b = b->subtree_size + first_b - 1;

	forest[0] = 0;
	for (int32_t j = 1; j <= columns; j++)
		forest[j] = forest[j - 1] + INSERT_COST(&costs, label_b[j]);

	for (int32_t i = 1; i <= rows; i++)
	{
		int32_t x = first_a + i - 1;
		int32_t label_a = a->label[x];
		NUMBER deletion = DELETE_COST(&costs, label_a);
		int32_t left = i - a->subtree_size[x]; /* nodes left of the subtree of x */
		NUMBER *restrict row = forest + (size_t) i * stride;
		const NUMBER *above = row - stride;
		const NUMBER *beside = forest + (size_t) left * stride;
		NUMBER *restrict distance = subtree + (size_t) x * b->size + first_b - 1;

		row[0] = above[0] + deletion;
		for (int32_t j = 1; j <= columns; j++)
		{
			NUMBER best = LESSER(above[j] + deletion, row[j - 1] + INSERT_COST(&costs, label_b[j]));

			if (left == 0 && size_b[j] == j)
			{
				best = LESSER(best, above[j - 1] + RENAME_COST(&costs, label_a, label_b[j]));
				distance[j] = best;
			}
			else
				best = LESSER(best, beside[j - size_b[j]] + distance[j]);
			row[j] = best;
		}
		if (ted_interrupted(interrupt, steps, columns))
			return TED_CANCELLED;
	}
	return TED_OK;
}

/* Fills the forest tables of all pairs of key roots, which yield the distances of all subtrees. */
static TedStatus
fill_forests(const TedTree *a, const TedTree *b, COSTS costs, NUMBER *subtree, NUMBER *forest,
			 const TedInterrupt *interrupt)
{
	int64_t steps = 0;

	for (int32_t x = 0; x < a->size; x++)
	{
		if (a->key_root[x] != x)
			continue;
		for (int32_t y = 0; y < b->size; y++)
		{
			TedStatus status;

			if (b->key_root[y] != y)
				continue;
			status = fill_forest_table(a, b, x, y, costs, subtree, forest, interrupt, &steps);
			if (status != TED_OK)
				return status;
		}
	}
	return TED_OK;
}
