/*
 * sort.c
 *	  Sorts nodes by integer keys, by insertion or by radix sort from the lowest digit.
 */
#include "sort.h"

#include "processor_tuning.h"

#define RADIX_BITS 8
#define RADIX (1 << RADIX_BITS)

/* Sorts the nodes by insertion; nodes with equal keys stay in order. */
static void
insert_nodes(const int32_t *key, int32_t count, int32_t *nodes)
{
	for (int32_t x = 0; x < count; x++)
	{
		int32_t i = x;

		for (; i > 0 && key[nodes[i - 1]] > key[x]; i--)
			nodes[i] = nodes[i - 1];
		nodes[i] = x;
	}
}

/* Sorts nodes by one digit of their keys, stably; returns false if the callback asked to stop. */
static bool
sort_by_digit(const int32_t *key, int32_t count, int shift, const int32_t *nodes, int32_t *sorted,
			  const TedInterrupt *interrupt, int64_t *steps)
{
	int32_t next[RADIX] = {0};
	int32_t before = 0;

	for (int32_t x = 0; x < count; x++)
		next[key[x] >> shift & (RADIX - 1)]++;
	for (int32_t digit = 0; digit < RADIX; digit++)
	{
		int32_t here = next[digit];

		next[digit] = before;
		before += here;
	}
	for (int32_t begin = 0, end; begin < count; begin = end)
	{
		end = ted_run_end(begin, count);
		for (int32_t i = begin; i < end; i++)
			sorted[next[key[nodes[i]] >> shift & (RADIX - 1)]++] = nodes[i];
		if (ted_interrupted(interrupt, steps, end - begin))
			return false;
	}
	return true;
}

/* Sorts nodes by their keys, in ascending order. */
int32_t *
ted_sort_nodes(const int32_t *key, int32_t count, int32_t *nodes, int32_t *other,
			   const TedInterrupt *interrupt)
{
	int32_t all = 0; /* bits that are set in some key */
	int64_t steps = 0;

	if (count < TED_INSERTION_NODES)
	{
		insert_nodes(key, count, nodes);
		return nodes;
	}
	for (int32_t begin = 0, end; begin < count; begin = end)
	{
		end = ted_run_end(begin, count);
		for (int32_t x = begin; x < end; x++)
		{
			nodes[x] = x;
			all |= key[x];
		}
		if (ted_interrupted(interrupt, &steps, end - begin))
			return NULL;
	}
	for (int shift = 0; shift < 32 && all >> shift != 0; shift += RADIX_BITS)
	{
		int32_t *swap = nodes;

		if (!sort_by_digit(key, count, shift, nodes, other, interrupt, &steps))
			return NULL;
		nodes = other;
		other = swap;
	}
	return nodes;
}
