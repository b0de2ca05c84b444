/*
 * test_sort.c
 *	  Checks the order of nodes against its definition.
 */
#include "../../src/core/common/sort.h"
#include "random.h"
#include "tap.h"

#define MAX_NODES 300

/* Whether the nodes are in order, each once. */
static bool
in_order(const int32_t *key, int32_t count, const int32_t *order)
{
	bool seen[MAX_NODES] = {false};

	for (int32_t i = 0; i < count; i++)
	{
		if (order[i] < 0 || order[i] >= count || seen[order[i]])
			return false;
		seen[order[i]] = true;
		if (i > 0 && (key[order[i - 1]] > key[order[i]] ||
					  (key[order[i - 1]] == key[order[i]] && order[i - 1] > order[i])))
			return false;
	}
	return true;
}

int
main(void)
{
	static const uint32_t keys[] = {1, 2, 26, 256, 257, 65536, 1 << 24, INT32_MAX};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
	{
		bool good = true;

		for (int32_t count = 0; count <= MAX_NODES; count++)
		{
			int32_t key[MAX_NODES];
			int32_t nodes[MAX_NODES];
			int32_t other[MAX_NODES];

			for (int32_t x = 0; x < count; x++)
				key[x] = (int32_t) random_below(keys[i]);
			good &=
				in_order(key, count, ted_sort_nodes(key, count, nodes, other, &(TedInterrupt){0}));
		}
		ok(good, "nodes in the order of their keys, keys below %u", (unsigned) keys[i]);
	}
	return done_testing();
}
