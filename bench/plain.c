/*
 * plain.c
 *	  The textbook algorithm, as the baseline of the benchmark.
 *
 * Zhang and Shasha (SIAM J. Comput. 18(6), 1989) on int, with nothing done to
 * make it fast but what the compiler does.
 */
#include <stdlib.h>

#include "plain.h"

/* Smaller of two numbers. */
static int
smaller(int a, int b)
{
	return a < b ? a : b;
}

/* Fills the table of one pair of key roots. */
static void
tree_distance(const TedTree *a, const TedTree *b, int x, int y, int *distance, int *forest)
{
	int rows = a->subtree_size[x];
	int columns = b->subtree_size[y];
	int first_a = x - rows + 1;
	int first_b = y - columns + 1;
	int stride = columns + 1;

	forest[0] = 0;
	for (int j = 1; j <= columns; j++)
		forest[j] = j;
	for (int i = 1; i <= rows; i++)
	{
		int v = first_a + i - 1;
		int left_a = i - a->subtree_size[v];

		forest[i * stride] = i;
		for (int j = 1; j <= columns; j++)
		{
			int w = first_b + j - 1;
			int left_b = j - b->subtree_size[w];
			int best = smaller(forest[(i - 1) * stride + j], forest[i * stride + j - 1]) + 1;

			if (left_a == 0 && left_b == 0)
			{
				best =
					smaller(best, forest[(i - 1) * stride + j - 1] + (a->label[v] != b->label[w]));
				distance[v * b->size + w] = best;
			}
			else
				best = smaller(best, forest[left_a * stride + left_b] + distance[v * b->size + w]);
			forest[i * stride + j] = best;
		}
	}
}

/* Tree edit distance with unit costs, of trees as they are. */
int32_t
plain_distance(const TedTree *a, const TedTree *b)
{
	int *distance = malloc(sizeof(int) * (size_t) a->size * (size_t) b->size);
	int *forest = malloc(sizeof(int) * ((size_t) a->size + 1) * ((size_t) b->size + 1));
	int result;

	for (int x = 0; x < a->size; x++)
		for (int y = 0; y < b->size; y++)
			if (a->key_root[x] == x && b->key_root[y] == y)
				tree_distance(a, b, x, y, distance, forest);
	result = distance[a->size * b->size - 1];
	free(distance);
	free(forest);
	return result;
}
